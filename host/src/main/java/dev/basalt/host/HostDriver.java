package dev.basalt.host;

import dev.basalt.host.engine.Engine;
import dev.basalt.host.engine.Engines;
import dev.basalt.portable.DirectDevice;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Reach;
import dev.basalt.spi.SystemMemory;
import dev.basalt.type.ElementType;

/**
 * The CPU as a device. Streams run inline: work is done when the call that issued it returns, on the thread that issued it
 * with the help of {@link Workers}, and events are complete as soon as they are recorded. That keeps a small call at the cost of
 * its arithmetic; a queue and another thread would cost 300 ns to 80 µs more.
 */
final class HostDriver implements DeviceDriver, DirectDevice {
    /**
     * Order of the diagonal blocks of triangular algorithms: small against gemm, large against the cost of a launch; columns of a
     * panel of getrf, which must leave as much as can be to products and solves.
     */
    private static final int BLOCK = 64;

    /** Elements of a matrix with fewer rows than columns whose LU is one launch. */
    private static final long LU_ALONE = 256;

    /** Multiplications of reflectors from which on a call does not count as small: some tens of microseconds. */
    private static final double REFLECTED = 1 << 17;

    /** From so many bytes of a matrix on, products make up for a second stage: it is larger than what caches keep for a product with a vector. */
    private static final long TWO_STAGES = 16L << 20;

    /** Rows of one partial result of a transposed matrix-vector product: the stretch of x stays in the L1 cache. */
    private static final int GEMV_BLOCK = 2048;

    /** Elements of a matrix beside vectors, from which on a call takes so long that the way to it does not show. */
    private static final long UNCUT = 4 * HostKernels.REDUCTION_BLOCK;

    /** Eigenproblems up to this order go step by step without launches; half of it where threads may share the steps. */
    private static final long EIGEN = 32;

    private static final long DEFAULT_WORKSPACE = 32L << 20;

    private final String name;
    private final String description;
    private final DeviceTraits traits;
    private final Workers workers;
    private final boolean heap;
    private final HostKernels kernels;
    /** By element type; null for those without arithmetic. */
    private final Leaf[] leaves = new Leaf[ElementType.values().length];
    /** What products are packed, by element type. */
    private final GemmBlocking[] products = new GemmBlocking[leaves.length];
    /** The longest side of such a product with one row or one column. */
    private final long[] thin = new long[ElementType.values().length];
    /** The product of the dimensions from which on a matrix product is shared out, by element type. */
    private final double[] alone = new double[leaves.length];
    private final double[] reflected = new double[leaves.length];

    /** Elements of vectors that are one block of a reduction, and too few for several threads. */
    private final long direct;
    /** Elements of a matrix beside vectors up to which no launch is cut. */
    private final long matrix;
    /** Up to this order no routine of level 2 splits a matrix into strips or blocks of rows. */
    private final long longest;
    /** Order up to which kernels pack a triangle or symmetric matrix into memory of their own; 0 where they pack none. */
    private final long triangle;
    /** Order up to which an eigenproblem goes without launches. */
    private final long eigen;

    private final MemoryBudget budget = MemoryBudget.PROCESS;
    private final HostMemory memory = new HostMemory(budget);
    private final HostPools pools = new HostPools(memory);
    private final HandleTable streams = new HandleTable("stream", 0);
    private final HandleTable events = new HandleTable("event", 1);
    private boolean closed;

    /**
     * An open device.
     *
     * @param name its name
     * @param description one line for people
     * @param engine who supplies the kernels
     * @param workers the threads; released when the device is closed
     */
    HostDriver(String name, String description, Engine engine, Workers workers) {
        this.name = name;
        this.description = description;
        this.workers = workers;
        this.heap = engine.reachesHeap() && workers.count() == 1;
        this.kernels = new HostKernels(engine, workers);
        this.direct = engine.vectorBits() > 0 ? HostKernels.REDUCTION_BLOCK : HostKernels.REDUCTION_BLOCK / 4;
        this.matrix = workers.count() == 1 ? UNCUT : direct;
        this.traits = DeviceTraits
                .of("host-" + engine.name() + (engine.vectorBits() > 0 ? engine.vectorBits() : "") + "-t"
                        + workers.count())
                .memory(HostMemory.ALIGNMENT, true, SystemMemory.canReserve(), true)
                .workers(workers.count())
                .workspace(DEFAULT_WORKSPACE)
                .sums(HostKernels.REDUCTION_BLOCK, GEMV_BLOCK)
                .reach(reach(engine))
                .gemm(engine.gemm(ElementType.F32), engine.gemm(ElementType.F64), engine.gemm(ElementType.C32),
                        engine.gemm(ElementType.C64))
                .mixed(engine.mixedWork(workers.count()))
                .twoStages(engine.triangle() > BLOCK ? TWO_STAGES : Long.MAX_VALUE)
                .build();
        this.longest = traits.gemvBlock() / 2;
        this.triangle = traits.reach().packs(Kernel.SYMM) ? traits.block() : 0;
        this.eigen = workers.count() == 1 ? EIGEN : EIGEN / 2;
        for (ElementType type : ElementType.values()) {
            if (type.isFloating()) {
                leaves[type.ordinal()] = kernels.leaf(type);
                products[type.ordinal()] = traits.gemm(type);
                thin[type.ordinal()] = traits.gemm(type).thin();
                alone[type.ordinal()] = kernels.alone(type);
                reflected[type.ordinal()] = Math.min(REFLECTED, kernels.reflected(type));
            }
        }
        // The default stream is the first number of its table: 0.
        streams.create();
    }

    /** Engines with kernels for triangles larger than a block pack them themselves; few reflectors are applied one by one where there are kernels for that. */
    private static Reach reach(Engine engine) {
        Reach blocks = Reach.ofBlocks(BLOCK)
                .without(Kernel.ORM2R, Kernel.ORG2R, Kernel.GEQP3)
                .upTo(Reach.ANY, Kernel.TRMV, Kernel.SYEVJ, Kernel.GESVJ);
        for (ElementType type : ElementType.values()) {
            if (type.isFloating()) {
                blocks = blocks.upTo(engine.reflectors(type), Kernel.ORM2R, type)
                        .upTo(engine.reflectors(type), Kernel.ORG2R, type)
                        .upTo(Engine.NARROW, Kernel.GBTF2, type);
            }
        }
        return engine.triangle() <= BLOCK
                ? blocks
                : blocks.upTo(engine.triangle(), Kernel.SYMM, Kernel.SYRK, Kernel.SYR2K, Kernel.GEMMT, Kernel.TRMM,
                        Kernel.TRSM, Kernel.POTF2)
                        .upTo(Reach.ANY, Kernel.TRSV)
                        .upTo(engine.triangle(), Kernel.POTF2_STORED, Kernel.POSV_STORED, Kernel.POTRI_STORED)
                        .packing(Kernel.SYMM, Kernel.SYRK, Kernel.SYR2K, Kernel.GEMMT, Kernel.TRMM, Kernel.TRSM);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public DeviceTraits traits() {
        return traits;
    }

    @Override
    public long freeMemory() {
        return budget.free();
    }

    @Override
    public Object memory() {
        return budget;
    }

    @Override
    public long totalMemory() {
        return budget.total();
    }

    @Override
    public long allocate(long bytes) {
        try {
            return memory.allocate(bytes);
        } catch (DriverException e) {
            retry(e);
            return memory.allocate(bytes);
        }
    }

    @Override
    public void free(long address) {
        memory.free(address);
    }

    @Override
    public long createPool() {
        return pools.create();
    }

    @Override
    public void destroyPool(long pool) {
        pools.destroy(pool);
    }

    @Override
    public void trimPool(long pool, long keep) {
        pools.trim(pool, keep);
    }

    @Override
    public long allocateAsync(long pool, long bytes, long stream) {
        streams.check(stream);
        return pools.allocate(pool, bytes);
    }

    @Override
    public void freeAsync(long address, long stream) {
        streams.check(stream);
        pools.free(address);
    }

    @Override
    public long reserve(long bytes) {
        return memory.reserve(bytes);
    }

    @Override
    public long commit(long address, long from, long to) {
        try {
            return memory.commit(address, to);
        } catch (DriverException e) {
            retry(e);
            return memory.commit(address, to);
        }
    }

    @Override
    public void release(long address) {
        memory.release(address);
    }

    /** Idle blocks of pools are the one thing that can be given up for a request that was refused. */
    private void retry(DriverException e) {
        if (e.code() != DriverException.Code.OUT_OF_MEMORY || !pools.trimAll()) {
            throw e;
        }
    }

    @Override
    public long createStream() {
        return streams.create();
    }

    @Override
    public void destroyStream(long stream) {
        if (stream == 0) {
            throw new DriverException(DriverException.Code.INVALID_VALUE,
                    "stream 0 is the default stream and cannot be destroyed");
        }
        streams.destroy(stream);
    }

    @Override
    public void synchronizeStream(long stream) {
        streams.check(stream);
    }

    @Override
    public void synchronize() {
        streams.check(0);
    }

    @Override
    public long createEvent() {
        return events.create();
    }

    @Override
    public void destroyEvent(long event) {
        events.destroy(event);
    }

    @Override
    public void recordEvent(long event, long stream) {
        events.check(event);
        streams.check(stream);
    }

    @Override
    public void waitEvent(long stream, long event) {
        streams.check(stream);
        events.check(event);
    }

    @Override
    public boolean queryEvent(long event) {
        events.check(event);
        return true;
    }

    @Override
    public void synchronizeEvent(long event) {
        events.check(event);
    }

    @Override
    public void upload(long host, long hostPitch, long device, long devicePitch, long width, long columns,
            long stream) {
        streams.check(stream);
        copy(host, hostPitch, device, devicePitch, width, columns);
    }

    @Override
    public void download(long device, long devicePitch, long host, long hostPitch, long width, long columns,
            long stream) {
        streams.check(stream);
        copy(device, devicePitch, host, hostPitch, width, columns);
    }

    private static void copy(long from, long fromPitch, long to, long toPitch, long width, long columns) {
        if (fromPitch == width && toPitch == width) {
            Memory.copy(from, to, width * columns);
            return;
        }
        for (long j = 0; j < columns; j++) {
            Memory.copy(from + j * fromPitch, to + j * toPitch, width);
        }
    }

    @Override
    public void fill(long address, long bytes, byte value, long stream) {
        streams.check(stream);
        Memory.fill(address, bytes, value);
    }

    @Override
    public void launch(Launch launch, long stream) {
        streams.check(stream);
        kernels.run(launch);
    }

    /** Each small call asks this, so it is short enough for compilers to inline it, and so is what stands apart: less than 325 bytes of code. The kind is a constant there. */
    @Override
    public Leaf small(Small kind, ElementType type, long m, long n, long k, long stream) {
        boolean small = kind == Small.VECTOR ? n <= direct : small(kind, type, m, n, k);
        return small && (stream == 0 ? !streams.isClosed() : streams.isAlive(stream)) ? leaves[type.ordinal()] : null;
    }

    private boolean small(Small kind, ElementType type, long m, long n, long k) {
        return switch (kind) {
            case VECTOR -> n <= direct;
            case MATVEC -> m <= longest && n <= longest && m * n <= matrix;
            case PRODUCT -> product(type, m, n, k) && (m > 1 && n > 1 || thin(type, m, n, k));
            case TRIANGLE -> k <= triangle && product(type, m, n, k);
            case UPDATE -> n <= triangle && product(type, m, n, k);
            case REFLECTOR -> reflector(type, m, n, k);
            case FACTOR -> factor(type, m, n);
            case BAND, PACKED, SIDES, INDEFINITE, EIGEN, BAND_LU -> stored(kind, m, n, k);
        };
    }

    private boolean stored(Small kind, long m, long n, long k) {
        return switch (kind) {
            case BAND -> m <= matrix && n <= matrix && k <= matrix && Math.max(m, n) * k <= matrix;
            case PACKED -> n <= BLOCK && k <= BLOCK;
            case SIDES -> n <= BLOCK && k <= FEW_SIDES;
            case EIGEN -> m <= eigen && n <= eigen;
            case INDEFINITE -> n <= INDEFINITE && k <= FEW_SIDES;
            default -> k <= Engine.NARROW && m <= BLOCK && n <= BLOCK;
        };
    }

    private boolean thin(ElementType type, long m, long n, long k) {
        return Math.max(m, Math.max(n, k)) <= thin[type.ordinal()];
    }

    private boolean reflector(ElementType type, long m, long n, long k) {
        return m * n <= direct && (double) m * n * Math.max(k, Math.min(m, n)) < reflected[type.ordinal()];
    }

    private boolean factor(ElementType type, long m, long n) {
        return n <= m
                ? n <= BLOCK && m * n <= BLOCK * BLOCK && m <= products[type.ordinal()].small()
                : m * n <= LU_ALONE;
    }

    @Override
    public double nanos(Launch launch) {
        return kernels.nanos(launch);
    }

    @Override
    public boolean reachesHeap() {
        return heap;
    }

    private boolean product(ElementType type, long m, long n, long k) {
        int index = type.ordinal();
        return products[index].unpacked(m, n, k) && (double) m * n * k < alone[index];
    }

    @Override
    public void beginCapture(long stream) {
        throw noCapture();
    }

    @Override
    public boolean isCapturing(long stream) {
        streams.check(stream);
        return false;
    }

    @Override
    public long endCapture(long stream) {
        throw noCapture();
    }

    @Override
    public void launchGraph(long graph, long stream) {
        throw noCapture();
    }

    @Override
    public void destroyGraph(long graph) {
        throw noCapture();
    }

    private static DriverException noCapture() {
        return new DriverException(DriverException.Code.NOT_SUPPORTED,
                "the host device runs work at once and has no graphs to record it in; issue the calls directly");
    }

    /** Memory that is still allocated stays, as someone may still look at it; pools and numbers end. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        pools.destroyAll();
        events.destroyAll();
        streams.destroyAll();
        workers.release();
    }
}
