package dev.basalt;

import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.Borrowers;
import dev.basalt.internal.workspace.Lifetime;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DriverException;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Owns device memory, as the JDK's {@code Arena} owns native memory: everything made by it is freed when it is closed, after the
 * calls of other threads that are inside and the work that is in flight on the device. Any thread may use it.
 */
public final class DeviceArena implements AutoCloseable, DeviceMemory.Owner {
    private final Device device;
    private final DeviceDriver driver;
    /** Segments of the JVM that are wrapped: kept from being collected until their arena is closed, whoever else forgets them. */
    private static final Set<MemorySegment> WRAPPED = ConcurrentHashMap.newKeySet();

    private final List<DeviceMemory> owned = new ArrayList<>();
    private final List<MemorySegment> wrapped = new ArrayList<>();
    private final Lifetime lifetime = new Lifetime("the arena that owns its memory is closed", this);
    private final LeakRegistry.Entry leak;
    private Arena segments;
    private volatile boolean open = true;

    DeviceArena(Device device) {
        this.device = device;
        this.driver = device.driver();
        this.leak = LeakRegistry.open("DeviceArena", driver.name(), this);
    }

    /** The JDK's arena of the segments that show this memory to Java code; any thread may use them. */
    @Override
    public synchronized Arena segments() {
        live();
        if (segments == null) {
            segments = Arena.ofShared();
        }
        return segments;
    }

    /**
     * Allocates device memory; its content is undefined.
     *
     * @param bytes how many; 0 gives memory of one chunk
     * @return memory, aligned as the device aligns (64 bytes on the host, 256 on a GPU)
     * @throws BlasException MEMORY_ERROR if the device has no such memory
     */
    public synchronized DeviceMemory allocate(long bytes) {
        live();
        Shapes.notNegative("DeviceArena.allocate", "bytes", bytes);
        long address;
        try {
            address = obtain(Math.max(64, bytes));
        } catch (DriverException e) {
            Status status =
                    e.code() == DriverException.Code.OUT_OF_MEMORY ? Status.MEMORY_ERROR : Status.INTERNAL_ERROR;
            throw new BlasException(status, "DeviceArena.allocate", null, 0,
                    "cannot allocate " + bytes + " bytes on " + driver.name() + " (" + driver.freeMemory() + " of "
                            + driver.totalMemory() + " bytes are free): " + e.getMessage(),
                    new BlasException.Shortage(bytes, bytes, 0, driver.freeMemory(), "the device"), e);
        }
        DeviceMemory memory = new DeviceMemory(new MemoryCore(driver, address, Math.max(64, bytes), lifetime));
        owned.add(memory);
        return memory;
    }

    /** Before anybody is refused, idle handles give back the workspace they have never used. */
    private long obtain(long bytes) {
        long rounds = Borrowers.rounds(driver);
        try {
            return driver.allocate(bytes);
        } catch (DriverException e) {
            Borrowers.relieve(driver, rounds, e);
            return driver.allocate(bytes);
        }
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
     * A new band matrix. Its elements are not cleared.
     *
     * @param type element type
     * @param rows rows
     * @param cols columns
     * @param kl diagonals below the main one
     * @param ku diagonals above the main one
     * @return view
     * @throws BlasException INVALID_SIZE for negative sizes, MEMORY_ERROR if there is no memory
     */
    public BandView band(ElementType type, long rows, long cols, long kl, long ku) {
        return band(type, rows, cols, kl, ku, 1);
    }

    /**
     * A new batch of band matrices, one after the other.
     *
     * @param type element type
     * @param rows rows of each matrix
     * @param cols columns of each matrix
     * @param kl diagonals below the main one
     * @param ku diagonals above the main one
     * @param count matrices
     * @return view
     * @throws BlasException INVALID_SIZE for negative sizes, MEMORY_ERROR if there is no memory
     */
    public BandView band(ElementType type, long rows, long cols, long kl, long ku, long count) {
        Shapes.notNegative("DeviceArena.band", "kl", kl);
        Shapes.notNegative("DeviceArena.band", "ku", ku);
        return BandView.of(matrix(type, kl + ku + 1, cols, count), rows, kl, ku);
    }

    /**
     * A new packed triangle.
     *
     * @param type element type
     * @param n order
     * @return view
     * @throws BlasException INVALID_SIZE for a negative order, MEMORY_ERROR if there is no memory
     */
    public PackedView packed(ElementType type, long n) {
        return packed(type, n, 1);
    }

    /**
     * A new batch of packed triangles, one after the other.
     *
     * @param type element type
     * @param n order of each matrix
     * @param count matrices
     * @return view
     * @throws BlasException INVALID_SIZE for a negative order, MEMORY_ERROR if there is no memory
     */
    public PackedView packed(ElementType type, long n, long count) {
        Shapes.notNegative("DeviceArena.packed", "n", n);
        return PackedView.of(vector(type, PackedView.elements(n), count), n);
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
        scalar.upload(switch (type) {
            case F64 -> new double[] {value.re()};
            case C64 -> new double[] {value.re(), value.im()};
            case F32 -> new float[] {(float) value.re()};
            case C32 -> new float[] {(float) value.re(), (float) value.im()};
            case I32 -> new int[] {(int) value.re()};
            case I64 -> new long[] {(long) value.re()};
            case I8 -> new byte[] {(byte) value.re()};
            case F16, BF16, F8_E4M3, F8_E5M2 -> new float[] {(float) value.re()};
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
        TableMembers members = new TableMembers(driver, lifetime);
        for (int i = 0; i < table.length; i++) {
            VectorView v = problems[i];
            require(v.count == 1 && v.type == first.type && v.n == first.n && v.inc == first.inc && v.problems == null,
                    "vector " + i + " (" + v + ") differs from vector 0 (" + first + ")");
            members.add("vector", i, v.memory);
            table[i] = v.memory.address() + v.offset;
        }
        DeviceMemory addresses = table(table, members);
        return new VectorView(first.type, addresses, 0, first.n, first.inc, table.length, 0, List.of(problems));
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
        TableMembers members = new TableMembers(driver, lifetime);
        for (int i = 0; i < table.length; i++) {
            MatrixView v = problems[i];
            boolean same = v.count == 1 && v.type == first.type && v.rows == first.rows && v.cols == first.cols;
            require(same && v.ld == first.ld && v.problems == null,
                    "matrix " + i + " (" + v + ") differs from matrix 0 (" + first + ")");
            members.add("matrix", i, v.memory);
            table[i] = v.memory.address() + v.offset;
        }
        DeviceMemory addresses = table(table, members);
        return new MatrixView(first.type, addresses, 0, first.rows, first.cols, first.ld, table.length, 0,
                List.of(problems));
    }

    /** The table in device memory, which can be used as long as all its members can. */
    private DeviceMemory table(long[] addresses, TableMembers members) {
        DeviceMemory block = vector(ElementType.I64, addresses.length).memory;
        DeviceMemory table = new DeviceMemory(
                new MemoryCore(driver, block.address(), block.byteSize(), lifetime, null, members.toArray()));
        new VectorView(ElementType.I64, table, 0, addresses.length, 1, 1, 0, null).upload(addresses);
        return table;
    }

    /**
     * Wraps device memory of somebody else; it is not freed here, and must outlive this arena's use of it.
     *
     * @param address device address
     * @param bytes its size
     * @return memory that is open as long as this arena
     * @throws BlasException INVALID_POINTER if the device knows that this is no memory of its own, with what it is
     */
    public synchronized DeviceMemory wrap(long address, long bytes) {
        live();
        require(address != 0, "the address is null");
        require(bytes > 0, "the size " + bytes + " is not positive");
        require(address <= Long.MAX_VALUE - bytes && address > 0,
                "the end of " + bytes + " bytes at 0x" + Long.toHexString(address) + " is no address");
        String objection = driver.objection(address, bytes);
        if (objection != null) {
            throw new BlasException(Status.INVALID_POINTER, "DeviceArena.wrap", bytes + " bytes at 0x"
                    + Long.toHexString(address) + " cannot be used on " + driver.name() + ": " + objection);
        }
        return new DeviceMemory(new MemoryCore(driver, address, bytes, lifetime));
    }

    /**
     * Wraps native memory of the JVM, without a copy, on a device whose memory the CPU can reach. The segment is kept from being
     * collected. Each call looks whether its arena is open and whether the thread may use it. Do not close a shared arena while another
     * thread is inside a call: the JVM does not tell us in time.
     *
     * @param segment a native segment that may be written
     * @return memory that is open as long as this arena and the segment's
     * @throws BlasException INVALID_POINTER for a heap segment (a Java array may move; use upload), a read-only one, one that is closed or
     *     of another thread, or a GPU
     */
    public synchronized DeviceMemory wrap(MemorySegment segment) {
        live();
        require(segment != null, "the segment is null");
        HostSegment.check("DeviceArena.wrap", segment, true);
        if (!segment.isNative()) {
            throw new BlasException(Status.INVALID_POINTER, "DeviceArena.wrap",
                    "a Java array may be moved by the garbage collector; use a native MemorySegment, or upload()");
        }
        if (!driver.traits().hostAccessible()) {
            throw new BlasException(Status.INVALID_POINTER, "DeviceArena.wrap",
                    driver.name() + " cannot reach the JVM's memory; use upload()");
        }
        require(segment.byteSize() > 0, "the segment is empty");
        wrapped.add(segment);
        WRAPPED.add(segment);
        return new DeviceMemory(new MemoryCore(driver, segment.address(), segment.byteSize(), lifetime, segment));
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
        if (!device.isOpen()) {
            throw new BlasException(Status.INVALID_HANDLE, "DeviceArena",
                    "the device of this arena is closed; open it again and create another arena");
        }
    }

    /**
     * Waits for the calls of other threads that use this memory and for the work in flight, and frees everything this arena owns; views of
     * it then throw. A second close does nothing.
     *
     * @throws IllegalStateException if this thread itself is inside such a call (in a listener), or Java code is inside a native call with
     *     a segment of this memory; nothing has then changed
     * @throws BlasException INVALID_HANDLE if the device was closed before
     */
    @Override
    public void close() {
        synchronized (this) {
            if (!open) {
                return;
            }
            open = false;
        }
        // No lock is held meanwhile: a call that is waited for may itself want this arena.
        if (!lifetime.end()) {
            open = true;
            throw new IllegalStateException("DeviceArena.close was called by \"" + Thread.currentThread().getName()
                    + "\" from inside a call that uses memory of the arena; close it when the call has returned");
        }
        closeSegments();
        leak.close();
        DriverException failed = null;
        try {
            free();
        } catch (DriverException e) {
            failed = e;
        }
        if (!device.isOpen()) {
            throw new BlasException(Status.INVALID_HANDLE, "DeviceArena.close", null, 0,
                    "DeviceArena.close: the device was closed before this arena; close arenas first, then the device",
                    null, failed);
        }
        if (failed != null) {
            throw DeviceFailure.of("DeviceArena.close", failed);
        }
    }

    private void closeSegments() {
        try {
            if (segments != null) {
                segments.close();
            }
        } catch (IllegalStateException e) {
            open = true;
            lifetime.begin();
            throw new IllegalStateException(
                    "DeviceArena.close: a segment of its memory is in use by a native call: " + e.getMessage(), e);
        }
    }

    private synchronized void free() {
        WRAPPED.removeAll(wrapped);
        wrapped.clear();
        driver.synchronize();
        for (DeviceMemory memory : owned) {
            driver.free(memory.address());
        }
        owned.clear();
    }
}
