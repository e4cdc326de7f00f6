package dev.basalt;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.vector.Transfer;
import java.lang.foreign.MemorySegment;

/** set/get vector and matrix. Use through {@link Blas}. */
class BlasTransfer extends BlasLevel3 {
    BlasTransfer() {}

    /**
     * Copies a vector from the host to the device, in the order of the handle's stream, and waits for it.
     *
     * @param handle handle
     * @param host native memory with (n − 1)·incHost + 1 elements at least
     * @param incHost distance between elements there, positive
     * @param x vector on the device, positive increment
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_SIZE or INVALID_POINTER; a Java array is refused because it may move: use
     *     {@link VectorView#upload}
     */
    public static Status setVector(Handle handle, MemorySegment host, long incHost, VectorView x) {
        return wait(handle, setVectorAsync(handle, host, incHost, x));
    }

    /**
     * As {@link #setVector}, without waiting; the host memory must stay as it is until the stream is past the copy.
     *
     * @param handle handle
     * @param host native memory
     * @param incHost distance between elements there, positive
     * @param x vector on the device
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status setVectorAsync(Handle handle, MemorySegment host, long incHost, VectorView x) {
        return vector(handle, Transfer.SET_VECTOR, host, incHost, x);
    }

    /**
     * Copies a vector from the device to the host, in the order of the handle's stream, and waits for it.
     *
     * @param handle handle
     * @param x vector on the device, positive increment
     * @param host native memory with (n − 1)·incHost + 1 elements at least
     * @param incHost distance between elements there, positive
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_SIZE or INVALID_POINTER
     */
    public static Status getVector(Handle handle, VectorView x, MemorySegment host, long incHost) {
        return wait(handle, getVectorAsync(handle, x, host, incHost));
    }

    /**
     * As {@link #getVector}, without waiting; the host memory holds the vector when the stream is past the copy.
     *
     * @param handle handle
     * @param x vector on the device
     * @param host native memory
     * @param incHost distance between elements there, positive
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status getVectorAsync(Handle handle, VectorView x, MemorySegment host, long incHost) {
        return vector(handle, Transfer.GET_VECTOR, host, incHost, x);
    }

    /**
     * Copies a matrix from the host to the device, in the order of the handle's stream, and waits for it.
     *
     * @param handle handle
     * @param host native memory, column-major
     * @param ldHost distance between columns there in elements, at least max(1, rows)
     * @param a matrix on the device
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_SIZE or INVALID_POINTER; a Java array is refused because it may move: use
     *     {@link MatrixView#upload}
     */
    public static Status setMatrix(Handle handle, MemorySegment host, long ldHost, MatrixView a) {
        return wait(handle, setMatrixAsync(handle, host, ldHost, a));
    }

    /**
     * As {@link #setMatrix}, without waiting; the host memory must stay as it is until the stream is past the copy.
     *
     * @param handle handle
     * @param host native memory, column-major
     * @param ldHost distance between columns there in elements
     * @param a matrix on the device
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status setMatrixAsync(Handle handle, MemorySegment host, long ldHost, MatrixView a) {
        return matrix(handle, Transfer.SET_MATRIX, host, ldHost, a);
    }

    /**
     * Copies a matrix from the device to the host, in the order of the handle's stream, and waits for it.
     *
     * @param handle handle
     * @param a matrix on the device
     * @param host native memory, column-major
     * @param ldHost distance between columns there in elements, at least max(1, rows)
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_SIZE or INVALID_POINTER
     */
    public static Status getMatrix(Handle handle, MatrixView a, MemorySegment host, long ldHost) {
        return wait(handle, getMatrixAsync(handle, a, host, ldHost));
    }

    /**
     * As {@link #getMatrix}, without waiting; the host memory holds the matrix when the stream is past the copy.
     *
     * @param handle handle
     * @param a matrix on the device
     * @param host native memory, column-major
     * @param ldHost distance between columns there in elements
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status getMatrixAsync(Handle handle, MatrixView a, MemorySegment host, long ldHost) {
        return matrix(handle, Transfer.GET_MATRIX, host, ldHost, a);
    }

    private static Status wait(Handle handle, Status status) {
        if (!handle.core.answering()) {
            handle.synchronize();
        }
        return status;
    }

    private static Status vector(Handle handle, Transfer routine, MemorySegment host, long inc, VectorView x) {
        Call f = Frame.begin(handle, routine, x);
        Frame.vector(f, 2, x);
        f.args.n = f.args.c.rows;
        f.args.count = x == null ? 1 : x.count;
        f.args.a.vector(f.args.type, address(host), f.args.n, inc, 0);
        f.host = host;
        return Frame.execute(handle);
    }

    private static Status matrix(Handle handle, Transfer routine, MemorySegment host, long ld, MatrixView a) {
        Call f = Frame.begin(handle, routine, a);
        Frame.matrix(f, 2, a);
        f.args.m = f.args.c.rows;
        f.args.n = f.args.c.cols;
        f.args.count = a == null ? 1 : a.count;
        f.args.a.matrix(f.args.type, address(host), f.args.m, f.args.n, ld, 0);
        f.host = host;
        return Frame.execute(handle);
    }

    /** Heap segments have no address that stays. */
    private static long address(MemorySegment host) {
        return host == null || !host.isNative() ? 0 : host.address();
    }
}
