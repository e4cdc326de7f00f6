package dev.basalt.internal.routine;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Reach;
import dev.basalt.spi.Sanitizer;
import dev.basalt.spi.SystemMemory;
import dev.basalt.type.ElementType;

/** A device in the CPU's memory that runs everything at once and counts what it is asked for. Double precision only. */
final class FakeDriver implements DeviceDriver {
    static final int BLOCK = 16;

    static final DeviceTraits TRAITS = DeviceTraits.of("fake").sums(BLOCK, BLOCK).reach(Reach.ofBlocks(BLOCK)).build();

    private final DeviceTraits traits;

    int launches;

    /** Products that were lent memory. */
    int served;

    int allocations;

    /** Fills that work before the others fail. */
    int fillsLeft = Integer.MAX_VALUE;

    /** The memory checker that listens, null for none. */
    Sanitizer sanitizer;

    /** The last launch, of any type. */
    final Launch last = new Launch();

    private final DLeaf d = new DLeaf();
    private final ZLeaf z = new ZLeaf();
    private final BatchedKernels kernels = new BatchedKernels(d, d, z, z, BLOCK);

    FakeDriver() {
        this(TRAITS);
    }

    FakeDriver(DeviceTraits traits) {
        this.traits = traits;
    }

    @Override
    public void launch(Launch launch, long stream) {
        launches++;
        last.set(launch);
        served += launch.kernel == Kernel.GEMM && launch.workBytes > 0 ? 1 : 0;
        if (launch.type.real() != ElementType.F32) {
            kernels.run(launch);
        }
    }

    @Override
    public Sanitizer sanitizer() {
        return sanitizer;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public String description() {
        return "counts launches";
    }

    @Override
    public DeviceTraits traits() {
        return traits;
    }

    @Override
    public long freeMemory() {
        return totalMemory();
    }

    @Override
    public long totalMemory() {
        return 1L << 30;
    }

    @Override
    public long allocate(long bytes) {
        allocations++;
        return SystemMemory.allocate(bytes, TRAITS.alignment());
    }

    @Override
    public void free(long address) {
        SystemMemory.free(address);
    }

    @Override
    public void upload(long host, long hostPitch, long device, long devicePitch, long width, long columns,
            long stream) {
        for (long j = 0; j < columns; j++) {
            Memory.copy(host + j * hostPitch, device + j * devicePitch, width);
        }
    }

    @Override
    public void download(long device, long devicePitch, long host, long hostPitch, long width, long columns,
            long stream) {
        upload(device, devicePitch, host, hostPitch, width, columns, stream);
    }

    @Override
    public long createEvent() {
        return 1;
    }

    @Override
    public boolean queryEvent(long event) {
        return true;
    }

    @Override
    public void destroyEvent(long event) {}

    @Override
    public void recordEvent(long event, long stream) {}

    @Override
    public void waitEvent(long stream, long event) {}

    @Override
    public void synchronizeEvent(long event) {}

    @Override
    public void synchronizeStream(long stream) {}

    @Override
    public void synchronize() {}

    @Override
    public boolean isCapturing(long stream) {
        return false;
    }

    @Override
    public void close() {}

    private static UnsupportedOperationException absent() {
        return new UnsupportedOperationException("the tests of routines need no such thing");
    }

    @Override
    public void fill(long address, long bytes, byte value, long stream) {
        if (--fillsLeft < 0) {
            throw new DriverException(DriverException.Code.FAILED, "this fill fails");
        }
        Memory.fill(address, bytes, value);
    }

    @Override
    public long createPool() {
        throw absent();
    }

    @Override
    public void destroyPool(long pool) {
        throw absent();
    }

    @Override
    public void trimPool(long pool, long keep) {
        throw absent();
    }

    @Override
    public long allocateAsync(long pool, long bytes, long stream) {
        throw absent();
    }

    @Override
    public void freeAsync(long address, long stream) {
        throw absent();
    }

    @Override
    public long reserve(long bytes) {
        throw absent();
    }

    @Override
    public long commit(long address, long from, long to) {
        throw absent();
    }

    @Override
    public void release(long address) {
        throw absent();
    }

    @Override
    public long createStream() {
        throw absent();
    }

    @Override
    public void destroyStream(long stream) {
        throw absent();
    }

    @Override
    public void beginCapture(long stream) {
        throw absent();
    }

    @Override
    public long endCapture(long stream) {
        throw absent();
    }

    @Override
    public void launchGraph(long graph, long stream) {
        throw absent();
    }

    @Override
    public void destroyGraph(long graph) {
        throw absent();
    }
}
