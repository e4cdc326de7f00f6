package dev.basalt.cuda;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmEngine;
import dev.basalt.type.ElementType;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Sanitizer;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/**
 * An NVIDIA GPU as a device. Stream 0 is a stream of its own, not the legacy stream, so it is ordered with nothing that other
 * libraries do; a program that shares memory with them orders itself.
 *
 * <p>Every call makes the GPU's primary context current on its thread and leaves it so, as CUDA's own runtime does; a launch does so only
 * where the driver says that another is current, since that alone costs 2 % of it.
 */
final class CudaDriver implements DeviceDriver {
    private final String name;
    private final String description;
    private final Gpu gpu;
    private final DeviceTraits traits;
    private final Copies copies;
    private final Ranges ranges;
    private final PinnedMemory pinned = new PinnedMemory();
    private final Table<CudaStream> streams = new Table<>("stream", 0);
    private final Table<Long> events = new Table<>("event", 1);
    private final Table<Long> pools = new Table<>("pool", 2);
    private final Table<CudaGraph> graphs = new Table<>("graph", 3);
    private boolean closed;

    /**
     * An open device.
     *
     * @param name its name
     * @param description one line for people
     * @param gpu the GPU, started
     * @param traits its facts for formulas
     */
    CudaDriver(String name, String description, Gpu gpu, DeviceTraits traits) {
        this.name = name;
        this.description = description;
        this.gpu = gpu;
        this.traits = traits;
        this.copies = new Copies(gpu.maxPitch);
        gpu.enter();
        this.ranges = traits.virtualMemory() ? new Ranges(gpu.device) : null;
        // The default stream is the first number of its table: 0.
        streams.add(new CudaStream(gpu, engine()));
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
        gpu.enter();
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG, 2).address();
            CudaErrors.check(Libcuda.call(Libcuda.MEM_GET_INFO, out, out + 8), "cuMemGetInfo");
            return Memory.i64(out);
        }
    }

    @Override
    public long totalMemory() {
        return gpu.memoryBytes;
    }

    @Override
    public long allocate(long bytes) {
        gpu.enter();
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.MEM_ALLOC, out, bytes), "cuMemAlloc", bytes);
            return Memory.i64(out);
        }
    }

    @Override
    public void free(long address) {
        gpu.enter();
        CudaErrors.check(Libcuda.call(Libcuda.MEM_FREE, address), "cuMemFree");
    }

    @Override
    public long createPool() {
        require(traits.memoryPools(), "memory pools");
        gpu.enter();
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long properties = arena.allocate(Structs.POOL_BYTES, 8).address();
            Structs.pool(properties, gpu.device);
            CudaErrors.check(Libcuda.call(Libcuda.MEM_POOL_CREATE, out, properties), "cuMemPoolCreate");
            long pool = Memory.i64(out);
            Memory.i64(out, -1L); // as an unsigned number the most there is
            CudaErrors.check(
                    Libcuda.call(Libcuda.MEM_POOL_SET_ATTRIBUTE, pool, Structs.POOL_RELEASE_THRESHOLD, out),
                    "cuMemPoolSetAttribute");
            return pools.add(pool);
        }
    }

    @Override
    public void destroyPool(long pool) {
        gpu.enter();
        CudaErrors.check(Libcuda.call(Libcuda.MEM_POOL_DESTROY, (long) pools.remove(pool)), "cuMemPoolDestroy");
    }

    @Override
    public void trimPool(long pool, long keep) {
        gpu.enter();
        CudaErrors.check(Libcuda.call(Libcuda.MEM_POOL_TRIM_TO, (long) pools.get(pool), keep), "cuMemPoolTrimTo");
    }

    @Override
    public long allocateAsync(long pool, long bytes, long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        synchronized (on) {
            CudaErrors.check(
                    Libcuda.call(Libcuda.MEM_ALLOC_FROM_POOL_ASYNC, on.word, bytes, (long) pools.get(pool), on.stream),
                    "cuMemAllocFromPoolAsync",
                    bytes);
            return Memory.i64(on.word);
        }
    }

    @Override
    public void freeAsync(long address, long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        CudaErrors.check(Libcuda.call(Libcuda.MEM_FREE_ASYNC, address, on.stream), "cuMemFreeAsync");
    }

    @Override
    public long reserve(long bytes) {
        require(traits.virtualMemory(), "virtual memory");
        gpu.enter();
        return ranges.reserve(bytes);
    }

    @Override
    public long commit(long address, long from, long to) {
        require(traits.virtualMemory(), "virtual memory");
        gpu.enter();
        return ranges.commit(address, from, to);
    }

    @Override
    public void release(long address) {
        require(traits.virtualMemory(), "virtual memory");
        gpu.enter();
        ranges.release(address);
    }

    @Override
    public long createStream() {
        gpu.enter();
        return streams.add(new CudaStream(gpu, engine()));
    }

    @Override
    public long adoptStream(long nativeStream) {
        gpu.enter();
        gpu.requireOwn(nativeStream);
        return streams.add(CudaStream.wrapped(gpu, engine(), nativeStream));
    }

    @Override
    public long nativeStream(long stream) {
        return streams.get(stream).stream;
    }

    @Override
    public String objection(long address, long bytes) {
        gpu.enter();
        String first = Pointers.objection(gpu, address);
        return first != null || bytes <= 1 ? first : Pointers.objectionToEnd(gpu, address, bytes);
    }

    @Override
    public long allocateHost(long bytes) {
        gpu.enter();
        return pinned.allocate(bytes);
    }

    @Override
    public void freeHost(long address) {
        gpu.enter();
        pinned.free(address);
    }

    @Override
    public void destroyStream(long stream) {
        if (stream == 0) {
            throw new DriverException(
                    DriverException.Code.INVALID_VALUE, "stream 0 is the default stream and cannot be destroyed");
        }
        if (streams.get(stream).hasCapture()) {
            throw new DriverException(DriverException.Code.CAPTURE, "the stream is capturing; end the capture first");
        }
        gpu.enter();
        streams.remove(stream).destroy();
    }

    @Override
    public void synchronizeStream(long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        on.synchronize();
    }

    /**
     * Waits stream by stream, so for the work of this device and not of others in the process: the context's own call waits
     * for everybody's, and may not be made while any stream of the process records.
     */
    @Override
    public void synchronize() {
        gpu.enter();
        for (CudaStream on : streams.all()) {
            if (!on.hasCapture()) {
                on.synchronize();
            }
        }
    }

    @Override
    public long createEvent() {
        gpu.enter();
        return events.add(Events.create());
    }

    @Override
    public void destroyEvent(long event) {
        gpu.enter();
        Events.destroy(events.remove(event));
    }

    @Override
    public void recordEvent(long event, long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        CudaErrors.check(Libcuda.call(Libcuda.EVENT_RECORD, (long) events.get(event), on.stream), "cuEventRecord");
    }

    @Override
    public void waitEvent(long stream, long event) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        CudaErrors.check(
                Libcuda.call(Libcuda.STREAM_WAIT_EVENT, on.stream, (long) events.get(event), 0), "cuStreamWaitEvent");
    }

    @Override
    public boolean queryEvent(long event) {
        gpu.enter();
        return Events.done(events.get(event));
    }

    @Override
    public void synchronizeEvent(long event) {
        gpu.enter();
        CudaErrors.check(Libcuda.call(Libcuda.EVENT_SYNCHRONIZE, (long) events.get(event)), "cuEventSynchronize");
    }

    @Override
    public void upload(
            long host, long hostPitch, long device, long devicePitch, long width, long columns, long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        synchronized (on) {
            copies.upload(on, host, hostPitch, device, devicePitch, width, columns);
        }
    }

    @Override
    public void download(
            long device, long devicePitch, long host, long hostPitch, long width, long columns, long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        synchronized (on) {
            copies.download(on, device, devicePitch, host, hostPitch, width, columns);
        }
    }

    @Override
    public void fill(long address, long bytes, byte value, long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        if (bytes > 0) {
            CudaErrors.check(Libcuda.memset(address, value, bytes, on.stream), "cuMemsetD8Async", bytes);
        }
    }

    @Override
    public void launch(Launch launch, long stream) {
        streams.get(stream).launch(launch);
    }

    @Override
    public void beginCapture(long stream) {
        CudaStream on = streams.get(stream);
        if (stream == 0) {
            throw new DriverException(DriverException.Code.INVALID_VALUE, "stream 0 cannot capture");
        }
        if (on.hasCapture()) {
            throw new DriverException(DriverException.Code.CAPTURE, "the stream is capturing already");
        }
        gpu.enter();
        on.beginCapture();
    }

    @Override
    public boolean isCapturing(long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        return on.isCapturing();
    }

    @Override
    public long endCapture(long stream) {
        CudaStream on = streams.get(stream);
        gpu.enter();
        return graphs.add(on.endCapture());
    }

    @Override
    public void launchGraph(long graph, long stream) {
        CudaGraph replayed = graphs.get(graph);
        CudaStream on = streams.get(stream);
        gpu.enter();
        replayed.launch(on);
    }

    @Override
    public void destroyGraph(long graph) {
        gpu.enter();
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

    /** Memory that is still allocated stays, as someone may still look at it; graphs, pools, events and streams end. */
    @Override
    public Sanitizer sanitizer() {
        return Nvtx.listened();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        gpu.enter();
        graphs.removeAll().forEach(graph -> graph.destroy(streams));
        for (long pool : pools.removeAll()) {
            CudaErrors.check(Libcuda.call(Libcuda.MEM_POOL_DESTROY, pool), "cuMemPoolDestroy");
        }
        events.removeAll().forEach(Events::destroy);
        streams.removeAll().forEach(CudaStream::destroy);
        pinned.close();
    }
}
