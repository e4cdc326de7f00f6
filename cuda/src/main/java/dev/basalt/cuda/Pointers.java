package dev.basalt.cuda;

import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** What an address is, by the driver's own records. */
final class Pointers {
    private Pointers() {}

    /** What an address is if it is no memory of a GPU; null if it is. Managed memory counts, since the GPU reaches it. */
    static String objection(Gpu gpu, long address) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            int result = attribute(out, Structs.POINTER_MEMORY_TYPE, address);
            if (result == CudaErrors.INVALID_VALUE) {
                return "CUDA does not know the address: it is ordinary memory of the process, freed memory or no memory at"
                        + " all; use upload() for data of the host";
            }
            CudaErrors.check(result, "cuPointerGetAttribute");
            int type = Memory.i32(out);
            if (truth(out, Structs.POINTER_IS_MANAGED, address)) {
                return null;
            }
            if (type == Structs.MEMORY_TYPE_HOST) {
                return "it is pinned memory of the host; use upload(), or Blas.setMatrix, which copies from it directly";
            }
            CudaErrors.check(attribute(out, Structs.POINTER_DEVICE_ORDINAL, address), "cuPointerGetAttribute");
            int owner = Memory.i32(out);
            return owner == gpu.ordinal ? null : "it is memory of cuda:" + owner;
        }
    }

    /** The same for the last byte of a piece of memory whose first is all right. */
    static String objectionToEnd(Gpu gpu, long address, long bytes) {
        String last = objection(gpu, address + bytes - 1);
        return last == null ? null : "it begins on this device, but at its last byte " + last;
    }

    private static boolean truth(long out, int attribute, long address) {
        Memory.i32(out, 0);
        CudaErrors.check(attribute(out, attribute, address), "cuPointerGetAttribute");
        return Memory.i32(out) != 0;
    }

    private static int attribute(long out, int attribute, long address) {
        return Libcuda.call(Libcuda.POINTER_GET_ATTRIBUTE, out, attribute, address);
    }
}
