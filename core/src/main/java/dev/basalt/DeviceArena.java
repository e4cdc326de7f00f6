package dev.basalt;

import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DriverException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns device memory, as the JDK's {@code Arena} owns native memory: everything made by it is freed when it is closed, after the
 * work that is in flight on the device. Used by one thread at a time.
 */
public final class DeviceArena implements AutoCloseable {
    private final Device device;
    private final DeviceDriver driver;
    private final List<DeviceMemory> owned = new ArrayList<>();
    private final List<DeviceMemory> wrapped = new ArrayList<>();
    private final LeakRegistry.Entry leak;
    private boolean open = true;

    DeviceArena(Device device) {
        this.device = device;
        this.driver = device.driver();
        this.leak = LeakRegistry.open("DeviceArena", driver.name(), this);
    }

    /**
     * Allocates device memory; its content is undefined.
     *
     * @param bytes how many; 0 gives memory of one chunk
     * @return memory, aligned as the device aligns (64 bytes on the host, 256 on a GPU)
     * @throws BlasException MEMORY_ERROR if the device has no such memory
     */
    public DeviceMemory allocate(long bytes) {
        live();
        Shapes.notNegative("DeviceArena.allocate", "bytes", bytes);
        long address;
        try {
            address = driver.allocate(Math.max(64, bytes));
        } catch (DriverException e) {
            Status status =
                    e.code() == DriverException.Code.OUT_OF_MEMORY ? Status.MEMORY_ERROR : Status.INTERNAL_ERROR;
            throw new BlasException(
                    status,
                    "DeviceArena.allocate",
                    null,
                    0,
                    "cannot allocate " + bytes + " bytes on " + driver.name() + " (" + driver.freeMemory() + " of "
                            + driver.totalMemory() + " bytes are free): " + e.getMessage(),
                    new BlasException.Shortage(bytes, bytes, 0, driver.freeMemory(), "the device"),
                    e);
        }
        DeviceMemory memory = new DeviceMemory(driver, address, Math.max(64, bytes));
        owned.add(memory);
        return memory;
    }

    /**
     * A vector in new memory; its content is undefined.
     *
     * @param type element type
     * @param n elements
     * @return view
     */
    public VectorView vector(ElementType type, long n) {
        return vector(type, n, 1);
    }

    /**
     * A batch of vectors in new memory, one after the other.
     *
     * @param type element type
     * @param n elements of each vector
     * @param count vectors
     * @return view
     */
    public VectorView vector(ElementType type, long n, long count) {
        Shapes.notNegative("DeviceArena.vector", "n", n);
        Shapes.notNegative("DeviceArena.vector", "count", count);
        long elements = Shapes.product("DeviceArena.vector", n, count);
        DeviceMemory memory = allocate(Shapes.bytes("DeviceArena.vector", type, elements));
        return new VectorView(type, memory, 0, n, 1, count, n, null);
    }

    /**
     * A matrix in new memory without gaps between columns; its content is undefined.
     *
     * @param type element type
     * @param rows rows
     * @param cols columns
     * @return view
     */
    public MatrixView matrix(ElementType type, long rows, long cols) {
        return matrix(type, rows, cols, 1);
    }

    /**
     * A batch of matrices in new memory, one after the other.
     *
     * @param type element type
     * @param rows rows of each matrix
     * @param cols columns of each matrix
     * @param count matrices
     * @return view
     */
    public MatrixView matrix(ElementType type, long rows, long cols, long count) {
        Shapes.notNegative("DeviceArena.matrix", "rows", rows);
        Shapes.notNegative("DeviceArena.matrix", "cols", cols);
        Shapes.notNegative("DeviceArena.matrix", "count", count);
        long one = Shapes.product("DeviceArena.matrix", rows, cols);
        long elements = Shapes.product("DeviceArena.matrix", one, count);
        DeviceMemory memory = allocate(Shapes.bytes("DeviceArena.matrix", type, elements));
        return new MatrixView(type, memory, 0, rows, cols, Math.max(1, rows), count, one, null);
    }

    /**
     * A scalar in new memory, for alpha, beta and results on the device.
     *
     * @param type element type
     * @param value its value
     * @return vector view of one element
     */
    public VectorView scalar(ElementType type, Complex value) {
        VectorView scalar = vector(type, 1);
        scalar.upload(
                switch (type) {
                    case F64 -> new double[] {value.re()};
                    case C64 -> new double[] {value.re(), value.im()};
                    case F32 -> new float[] {(float) value.re()};
                    case C32 -> new float[] {(float) value.re(), (float) value.im()};
                    case I32 -> new int[] {(int) value.re()};
                    default -> new long[] {(long) value.re()};
                });
        return scalar;
    }

    /**
     * A batch as an array of pointers (BLAS's {@code _batched} form): the table of addresses is put into device memory.
     *
     * @param problems single vectors of one type, size and increment, on this device
     * @return view of the batch
     */
    public VectorView pointers(VectorView... problems) {
        require(problems.length > 0, "a batch needs at least one vector");
        VectorView first = problems[0];
        long[] table = new long[problems.length];
        for (int i = 0; i < table.length; i++) {
            VectorView v = problems[i];
            require(
                    v.count == 1 && v.type == first.type && v.n == first.n && v.inc == first.inc && v.problems == null,
                    "vector " + i + " (" + v + ") differs from vector 0 (" + first + ")");
            require(v.memory != null && v.memory.isOn(driver), "vector " + i + " has no memory on " + driver.name());
            table[i] = v.memory.address() + v.offset;
        }
        VectorView addresses = vector(ElementType.I64, table.length);
        addresses.upload(table);
        return new VectorView(first.type, addresses.memory, 0, first.n, first.inc, table.length, 0, List.of(problems));
    }

    /**
     * A batch as an array of pointers (BLAS's {@code _batched} form): the table of addresses is put into device memory.
     *
     * @param problems single matrices of one type, shape and leading dimension, on this device
     * @return view of the batch
     */
    public MatrixView pointers(MatrixView... problems) {
        require(problems.length > 0, "a batch needs at least one matrix");
        MatrixView first = problems[0];
        long[] table = new long[problems.length];
        for (int i = 0; i < table.length; i++) {
            MatrixView v = problems[i];
            boolean same = v.count == 1 && v.type == first.type && v.rows == first.rows && v.cols == first.cols;
            require(
                    same && v.ld == first.ld && v.problems == null,
                    "matrix " + i + " (" + v + ") differs from matrix 0 (" + first + ")");
            require(v.memory != null && v.memory.isOn(driver), "matrix " + i + " has no memory on " + driver.name());
            table[i] = v.memory.address() + v.offset;
        }
        VectorView addresses = vector(ElementType.I64, table.length);
        addresses.upload(table);
        return new MatrixView(
                first.type, addresses.memory, 0, first.rows, first.cols, first.ld, table.length, 0, List.of(problems));
    }

    /**
     * Wraps device memory of somebody else; it is not freed here, and must outlive this arena's use of it.
     *
     * @param address device address
     * @param bytes its size
     * @return memory that is open as long as this arena
     * @throws BlasException INVALID_POINTER if the device knows that this is no memory of its own, with what it is
     */
    public DeviceMemory wrap(long address, long bytes) {
        live();
        require(address != 0, "the address is null");
        require(bytes > 0, "the size " + bytes + " is not positive");
        String objection = driver.objection(address, bytes);
        if (objection != null) {
            throw new BlasException(
                    Status.INVALID_POINTER,
                    "DeviceArena.wrap",
                    bytes + " bytes at 0x" + Long.toHexString(address) + " cannot be used on " + driver.name() + ": "
                            + objection);
        }
        DeviceMemory memory = new DeviceMemory(driver, address, bytes);
        wrapped.add(memory);
        return memory;
    }

    /**
     * Wraps native memory of the JVM, without a copy, on a device whose memory the CPU can reach.
     *
     * @param segment a native segment; it must stay alive as long as it is used here
     * @return memory that is open as long as this arena
     * @throws BlasException INVALID_POINTER for a heap segment (a Java array may move; use upload) or a GPU
     */
    public DeviceMemory wrap(MemorySegment segment) {
        live();
        if (!segment.isNative()) {
            throw new BlasException(
                    Status.INVALID_POINTER,
                    "DeviceArena.wrap",
                    "a Java array may be moved by the garbage collector; use a native MemorySegment, or upload()");
        }
        if (!driver.traits().hostAccessible()) {
            throw new BlasException(
                    Status.INVALID_POINTER,
                    "DeviceArena.wrap",
                    driver.name() + " cannot reach the JVM's memory; use upload()");
        }
        return wrap(segment.address(), segment.byteSize());
    }

    /**
     * The device.
     *
     * @return device
     */
    public Device device() {
        return device;
    }

    private void require(boolean ok, String text) {
        live();
        if (!ok) {
            throw new BlasException(Status.INVALID_VALUE, "DeviceArena", text);
        }
    }

    private void live() {
        if (!open) {
            throw new BlasException(Status.INVALID_HANDLE, "DeviceArena", "the arena is closed");
        }
    }

    /** Waits for the work in flight and frees everything this arena owns; views of it then throw. A second close does nothing. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        for (DeviceMemory memory : wrapped) {
            memory.close();
        }
        if (!owned.isEmpty()) {
            driver.synchronize();
        }
        for (DeviceMemory memory : owned) {
            memory.close();
            driver.free(memory.address());
        }
        owned.clear();
        leak.close();
    }
}
