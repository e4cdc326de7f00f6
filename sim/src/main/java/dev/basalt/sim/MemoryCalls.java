package dev.basalt.sim;

import dev.basalt.sim.SimAllocation.Kind;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Launch;
import java.util.function.Consumer;

/** The simulated device's parts, and the driver calls about memory, all under one lock. */
abstract class MemoryCalls implements DeviceDriver {
    /** A commit beside a busy kernel takes so much longer. */
    private static final long BUSY_COMMIT = 23_000;

    final Hazards hazards = new Hazards();
    final Failures failures = new Failures();
    final SimFaults faults = new SimFaults();
    final Timeline timeline = new Timeline();
    final Spy spy = new Spy(timeline);
    final DeviceMemory memory;
    final Scheduler scheduler;
    final Streams streams;
    final Captures captures;
    final Pools pools;

    private final String name;
    private final String description;
    private final DeviceTraits traits;
    final Consumer<Launch> kernels;
    private final OrderChecker checker = new OrderChecker(hazards);
    private boolean closed;

    MemoryCalls(SimBuilder builder) {
        name = builder.name;
        traits = builder.traits();
        kernels = builder.kernels();
        description = "simulated device, " + builder.memory + " bytes, seed " + builder.seed + ", " + builder.scheduling
                + " scheduling";
        hazards.throwing(builder.throwOnHazard);
        spy.logging(builder.logCalls);
        memory = new DeviceMemory(builder.memory, builder.alignment(), faults, hazards, checker::forget);
        TouchResolver resolver = new TouchResolver(memory, hazards, failures);
        scheduler = new Scheduler(builder.scheduling, builder.seed, resolver, checker, failures);
        streams = new Streams(resolver, checker, scheduler, timeline);
        captures = new Captures(streams, memory, resolver, hazards);
        pools = new Pools(streams, memory, checker, spy, timeline);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final DeviceTraits traits() {
        return traits;
    }

    @Override
    public final synchronized long freeMemory() {
        enter(DriverCall.FREE_MEMORY);
        return memory.free();
    }

    @Override
    public final long totalMemory() {
        return memory.total();
    }

    @Override
    public final synchronized long allocate(long bytes) {
        enter(DriverCall.ALLOCATE, "bytes", bytes);
        captures.forbid("allocate");
        Failures.require(bytes > 0, "cannot allocate " + bytes + " bytes");
        faults.allocation("an allocation", bytes);
        return memory.allocate(bytes).address;
    }

    @Override
    public final synchronized void free(long address) {
        enter(DriverCall.FREE, "address", address);
        captures.forbid("free");
        Block block = allocated(address, Kind.BLOCK);
        streams.synchronize();
        memory.checkRedzone(block, block.bytes, hostStamp("free"));
        memory.retire(block);
    }

    @Override
    public final synchronized long createPool() {
        enter(DriverCall.CREATE_POOL);
        requirePools();
        return pools.create();
    }

    @Override
    public final synchronized void destroyPool(long pool) {
        enter(DriverCall.DESTROY_POOL, "pool", pool);
        requirePools();
        pools.destroy(pool);
    }

    @Override
    public final synchronized void trimPool(long pool, long keep) {
        enter(DriverCall.TRIM_POOL, "pool", pool, "keep", keep);
        requirePools();
        pools.trim(pool, keep);
    }

    @Override
    public final synchronized long allocateAsync(long pool, long bytes, long stream) {
        enter(DriverCall.ALLOCATE_ASYNC, "pool", pool, "bytes", bytes, "stream", stream);
        requirePools();
        SimStream on = streams.stream(stream);
        Failures.require(bytes > 0, "cannot allocate " + bytes + " bytes");
        faults.allocation("an asynchronous allocation", bytes);
        return (on.capture != null ? captures.allocate(bytes, on) : pools.allocate(pool, bytes, on)).address;
    }

    @Override
    public final synchronized void freeAsync(long address, long stream) {
        enter(DriverCall.FREE_ASYNC, "address", address, "stream", stream);
        requirePools();
        SimStream on = streams.stream(stream);
        Block block = memory.at(address);
        Failures.require(block != null && (block.kind == Kind.POOL || block.kind == Kind.GRAPH),
                "no asynchronous allocation begins at 0x" + Long.toHexString(address));
        Failures.require(block.live, "freed twice: " + block.describe());
        if (on.capture != null) {
            captures.free(block, on);
        } else {
            pools.free(block, on);
        }
    }

    @Override
    public final synchronized long reserve(long bytes) {
        enter(DriverCall.RESERVE, "bytes", bytes);
        requireVirtualMemory();
        Failures.require(bytes > 0, "cannot reserve " + bytes + " bytes");
        faults.allocation("a reservation", 0);
        return memory.reserve(bytes).address;
    }

    @Override
    public final synchronized long commit(long address, long from, long to) {
        enter(DriverCall.COMMIT, "address", address, "from", from, "to", to);
        requireVirtualMemory();
        Block block = allocated(address, Kind.RESERVED);
        Failures.require(from == block.bytes, block.bytes + " bytes are committed, not " + from);
        Failures.require(to >= from && to <= block.capacity,
                "cannot commit " + to + " of " + block.capacity + " bytes");
        faults.allocation("a commit", to - from);
        if (timeline.busy()) {
            timeline.spend(BUSY_COMMIT);
        }
        memory.commit(block, to);
        return block.bytes;
    }

    @Override
    public final synchronized void release(long address) {
        enter(DriverCall.RELEASE, "address", address);
        requireVirtualMemory();
        Block block = allocated(address, Kind.RESERVED);
        checker.hostTakes(block, streams.nextSequence(), "release");
        memory.retire(block);
    }

    /** Gives all memory back, with whatever still uses it; a second call does nothing. */
    @Override
    public final synchronized void close() {
        if (!closed) {
            closing();
            closed = true;
            memory.close();
        }
    }

    /** Called once, before the device's memory goes. */
    abstract void closing();

    final void enter(DriverCall call, Object... detail) {
        requireOpen();
        spy.call(call, detail);
        memory.tick();
        failures.check();
    }

    final boolean isClosed() {
        return closed;
    }

    final void requireOpen() {
        if (closed) {
            throw Failures.of(Code.INVALID_HANDLE, "the simulated device is closed");
        }
    }

    private Block allocated(long address, Kind kind) {
        Block block = memory.at(address);
        if (block == null || block.kind != kind) {
            Block dead = memory.buried(address);
            throw Failures.of(Code.INVALID_VALUE,
                    dead != null && dead.address == address
                            ? "freed twice: " + dead.describe()
                            : "no allocation of kind " + kind + " begins at 0x" + Long.toHexString(address));
        }
        return block;
    }

    private Stamp hostStamp(String call) {
        return new Stamp(streams.nextSequence(), -1, call, Integer.MAX_VALUE, Long.MAX_VALUE, new long[0]);
    }

    private void requirePools() {
        if (!traits.memoryPools()) {
            throw Failures.of(Code.NOT_SUPPORTED, "this simulated device has no memory pools");
        }
    }

    private void requireVirtualMemory() {
        if (!traits.virtualMemory()) {
            throw Failures.of(Code.NOT_SUPPORTED, "this simulated device has no virtual memory");
        }
    }
}
