package dev.basalt.gpu.device;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Sanitizer;
import dev.basalt.type.ElementType;

/**
 * A GPU as a device. Stream 0 is a stream of its own, not the legacy stream, so it is ordered with nothing that other
 * libraries do; a program that shares memory with them orders itself.
 *
 * <p>Every call makes the GPU current on its thread and leaves it so; a launch does so only where the driver says that another is current, since
 * that alone costs 2 % of it.
 */
public final class GpuDriver implements DeviceDriver {
    private final String name;
    private final String description;
    private final GpuContext context;
    private final GpuApi api;
    private final DeviceTraits traits;
    private final Ranges ranges;
    private final PinnedMemory pinned;
    private final Table<GpuStream> streams = new Table<>("stream", 0);
    private final Table<Long> events = new Table<>("event", 1);
    private final Table<Long> pools = new Table<>("pool", 2);
    private final Table<GpuGraph> graphs = new Table<>("graph", 3);
    private boolean closed;

    /**
     * An open device.
     *
     * @param name its name
     * @param description one line for people
     * @param context the GPU, started
     * @param traits its facts for formulas
     */
    public GpuDriver(String name, String description, GpuContext context, DeviceTraits traits) {
        this.name = name;
        this.description = description;
        this.context = context;
        this.api = context.api;
        this.traits = traits;
        this.pinned = new PinnedMemory(api);
        api.enter();
        this.ranges = traits.virtualMemory() ? new Ranges(api) : null;
        // The default stream is the first number of its table: 0.
        streams.add(new GpuStream(context, engine()));
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
        api.enter();
        return api.freeMemory();
    }

    @Override
    public long totalMemory() {
        return api.memoryBytes();
    }

    @Override
    public long allocate(long bytes) {
        api.enter();
        return api.allocate(bytes);
    }

    @Override
    public void free(long address) {
        api.enter();
        api.free(address);
    }

    @Override
    public long createPool() {
        require(traits.memoryPools(), "memory pools");
        api.enter();
        return pools.add(api.createPool());
    }

    @Override
    public void destroyPool(long pool) {
        api.enter();
        api.destroyPool(pools.remove(pool));
    }

    @Override
    public void trimPool(long pool, long keep) {
        api.enter();
        api.trimPool(pools.get(pool), keep);
    }

    @Override
    public long allocateAsync(long pool, long bytes, long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        synchronized (on) {
            return api.allocateAsync(pools.get(pool), bytes, on.stream, on.word);
        }
    }

    @Override
    public void freeAsync(long address, long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        api.freeAsync(address, on.stream);
    }

    @Override
    public long reserve(long bytes) {
        require(traits.virtualMemory(), "virtual memory");
        api.enter();
        return ranges.reserve(bytes);
    }

    @Override
    public long commit(long address, long from, long to) {
        require(traits.virtualMemory(), "virtual memory");
        api.enter();
        return ranges.commit(address, from, to);
    }

    @Override
    public void release(long address) {
        require(traits.virtualMemory(), "virtual memory");
        api.enter();
        ranges.release(address);
    }

    @Override
    public long createStream() {
        api.enter();
        return streams.add(new GpuStream(context, engine()));
    }

    @Override
    public long adoptStream(long nativeStream) {
        api.enter();
        api.requireOwn(nativeStream);
        return streams.add(GpuStream.wrapped(context, engine(), nativeStream));
    }

    @Override
    public long nativeStream(long stream) {
        return streams.get(stream).stream;
    }

    @Override
    public String objection(long address, long bytes) {
        api.enter();
        return api.objection(address, bytes);
    }

    @Override
    public long allocateHost(long bytes) {
        api.enter();
        return pinned.allocate(bytes);
    }

    @Override
    public void freeHost(long address) {
        api.enter();
        pinned.free(address);
    }

    @Override
    public void destroyStream(long stream) {
        if (stream == 0) {
            throw new DriverException(DriverException.Code.INVALID_VALUE,
                    "stream 0 is the default stream and cannot be destroyed");
        }
        if (streams.get(stream).hasCapture()) {
            throw new DriverException(DriverException.Code.CAPTURE, "the stream is capturing; end the capture first");
        }
        api.enter();
        GpuStream given = streams.remove(stream);
        if (given.beside() != GpuStream.NONE) {
            streams.remove(given.beside()).destroy();
        }
        given.destroy();
    }

    @Override
    public long fork(long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        synchronized (on) {
            if (on.beside() == GpuStream.NONE) {
                on.open(streams, engine());
            }
            long beside = on.beside();
            if (beside != GpuStream.NONE) {
                on.fork(streams.get(beside));
            }
            return beside == GpuStream.NONE ? stream : beside;
        }
    }

    @Override
    public void join(long stream, long beside) {
        if (stream != beside) {
            api.enter();
            streams.get(stream).join(streams.get(beside));
        }
    }

    @Override
    public void synchronizeStream(long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        on.synchronize();
    }

    /**
     * Waits stream by stream, so for the work of this device and not of others in the process: the context's own call waits
     * for everybody's, and may not be made while any stream of the process records.
     */
    @Override
    public void synchronize() {
        api.enter();
        for (GpuStream on : streams.all()) {
            if (!on.hasCapture()) {
                on.synchronize();
            }
        }
    }

    @Override
    public long createEvent() {
        api.enter();
        return events.add(api.createEvent());
    }

    @Override
    public void destroyEvent(long event) {
        api.enter();
        api.destroyEvent(events.remove(event));
    }

    @Override
    public void recordEvent(long event, long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        api.recordEvent(events.get(event), on.stream);
    }

    @Override
    public void waitEvent(long stream, long event) {
        GpuStream on = streams.get(stream);
        api.enter();
        api.waitEvent(on.stream, events.get(event));
    }

    @Override
    public boolean queryEvent(long event) {
        api.enter();
        return api.queryEvent(events.get(event));
    }

    @Override
    public void synchronizeEvent(long event) {
        api.enter();
        api.synchronizeEvent(events.get(event));
    }

    @Override
    public void upload(long host, long hostPitch, long device, long devicePitch, long width, long columns,
            long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        synchronized (on) {
            api.upload(on, host, hostPitch, device, devicePitch, width, columns);
        }
    }

    @Override
    public void download(long device, long devicePitch, long host, long hostPitch, long width, long columns,
            long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        synchronized (on) {
            api.download(on, device, devicePitch, host, hostPitch, width, columns);
        }
    }

    @Override
    public void fill(long address, long bytes, byte value, long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        if (bytes > 0) {
            api.fill(address, value, bytes, on.stream);
        }
    }

    @Override
    public void launch(Launch launch, long stream) {
        streams.get(stream).launch(launch);
    }

    @Override
    public void beginCapture(long stream) {
        GpuStream on = streams.get(stream);
        if (stream == 0) {
            throw new DriverException(DriverException.Code.INVALID_VALUE, "stream 0 cannot capture");
        }
        if (on.hasCapture()) {
            throw new DriverException(DriverException.Code.CAPTURE, "the stream is capturing already");
        }
        api.enter();
        on.beginCapture();
    }

    @Override
    public boolean isCapturing(long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        return on.isCapturing();
    }

    @Override
    public long endCapture(long stream) {
        GpuStream on = streams.get(stream);
        api.enter();
        return graphs.add(on.endCapture());
    }

    @Override
    public void launchGraph(long graph, long stream) {
        GpuGraph replayed = graphs.get(graph);
        GpuStream on = streams.get(stream);
        api.enter();
        replayed.launch(on);
    }

    @Override
    public void destroyGraph(long graph) {
        api.enter();
        graphs.remove(graph).destroy(streams);
    }

    private GemmEngine engine() {
        return traits.gemm(ElementType.F64).engine();
    }

    private static void require(boolean there, String what) {
        if (!there) {
            throw new DriverException(DriverException.Code.NOT_SUPPORTED, "this GPU or its driver has no " + what);
        }
    }

    @Override
    public Sanitizer sanitizer() {
        return api.sanitizer();
    }

    /** Memory that is still allocated stays, as someone may still look at it; graphs, pools, events and streams end. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        api.enter();
        graphs.removeAll().forEach(graph -> graph.destroy(streams));
        pools.removeAll().forEach(api::destroyPool);
        events.removeAll().forEach(api::destroyEvent);
        streams.removeAll().forEach(GpuStream::destroy);
        pinned.close();
    }
}
