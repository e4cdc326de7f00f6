# Makes chunked.h5 and chunked_latest.h5 with h5py: datasets in chunks, of which the tests know the elements. xz -9e packs them.
import h5py
import numpy as np


def write(path, libver, large):
    m, n = 45, 27
    a = np.array([[i - 7.0 * j for j in range(n)] for i in range(m)])
    with h5py.File(path, "w", libver=libver) as f:
        f.create_dataset("plain", data=a, chunks=(8, 5))
        f.create_dataset("packed", data=a.astype("f4"), chunks=(8, 5), compression="gzip", shuffle=True)
        f.create_dataset("bigendian", data=a.astype(">f8"), chunks=(45, 1), compression="gzip")
        f.create_dataset("integers", data=a.astype("i4"), chunks=(4, 27), compression="gzip", fletcher32=True)
        f.create_dataset("complex", data=a + 1j * (a + 1), chunks=(20, 11), compression="gzip")
        d = f.create_dataset("matlab", data=a.T, chunks=(10, 16), compression="gzip")
        d.attrs["MATLAB_class"] = np.bytes_("double")
        f.create_dataset("vector", data=a[:, 0], chunks=(20,), compression="gzip")
        d = f.create_dataset("missing", (m, n), "f8", chunks=(8, 5), compression="gzip", fillvalue=3.0)
        d[:8, :5] = a[:8, :5]
        f.create_dataset("empty", (m, n), "f8", chunks=(8, 5))
        b = a.copy()
        b[40, 3] = np.nan
        b[30, 20] = np.inf
        f.create_dataset("notfinite", data=b, chunks=(8, 5))
        if large:
            k = 2400
            c = np.add.outer(np.arange(k) // 100, -7.0 * (np.arange(k) // 200))
            f.create_dataset("large", data=c, chunks=(100, 200), compression="gzip", compression_opts=9)


write("chunked.h5", "earliest", True)
write("chunked_latest.h5", "latest", False)
