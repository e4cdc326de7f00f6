package dev.basalt.cuda;

import dev.basalt.gpu.Cores;
import dev.basalt.gpu.device.GpuApi;
import dev.basalt.gpu.device.GpuStream;
import dev.basalt.gpu.device.Origin;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Sanitizer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** NVIDIA's driver for one GPU, in its primary context, which other CUDA libraries in the process share. */
final class CudaApi extends GpuApi {
    /** The chip that the build's machine code is for. */
    private static final int PREBUILT_CAPABILITY = 90;

    /** From which on tensor cores take halves and bfloat16 as the kernels multiply them. */
    private static final int HALVES_CAPABILITY = 80;

    /** Multiprocessors of a chip whose groups of them all take a cluster of 16. */
    private static final int WHOLE_CHIP = 132;

    /** The driver's version from which graphs take launches that overlap. */
    private static final int OVERLAPPING_CAPTURE = 12030;

    /** In the area of a stream: the struct of a strided copy, that of a launch, and its one attribute. */
    private static final int COPY = 0;

    private static final int CONFIG = COPY + Structs.COPY_BYTES;
    private static final int ATTRIBUTE = CONFIG + 64;

    private final Gpu gpu;
    private final Copies copies;
    private final List<Prebuilt> prebuilt = new ArrayList<>();

    CudaApi(Gpu gpu) {
        this.gpu = gpu;
        copies = new Copies(gpu.maxPitch);
        if (gpu.capability == PREBUILT_CAPABILITY) {
            prebuilt.add(new Prebuilt("sm_90.cubin", Origin.AUTO));
        }
        prebuilt.add(new Prebuilt("ptx", Origin.PTX));
    }

    // ---- facts

    @Override
    public int multiprocessors() {
        return gpu.multiprocessors;
    }

    @Override
    public int shared() {
        return gpu.sharedMemory;
    }

    @Override
    public Cores cores() {
        return gpu.capability == PREBUILT_CAPABILITY ? Cores.WARPGROUPS
                : gpu.capability > PREBUILT_CAPABILITY ? Cores.DOUBLES
                : gpu.capability >= HALVES_CAPABILITY ? Cores.HALVES
                : Cores.NONE;
    }

    /** PTX for later chips has no clusters. Eight blocks fit wherever there are clusters, sixteen on a whole H100. */
    @Override
    public int clusters() {
        return gpu.capability != PREBUILT_CAPABILITY ? 1 : gpu.multiprocessors >= WHOLE_CHIP ? 16 : 8;
    }

    @Override
    public long memoryBytes() {
        return gpu.memoryBytes;
    }

    @Override
    public boolean overlaps() {
        return Gpu.driverVersionNumber() >= OVERLAPPING_CAPTURE;
    }

    @Override
    public List<Prebuilt> prebuilt() {
        return prebuilt;
    }

    @Override
    public Compiler compiler() {
        return Nvrtc.loaded().on(gpu.capability);
    }

    @Override
    public Products products(GemmEngine engine) {
        return engine == null ? null : new LtProducts(gpu, CublasLt.installed(), engine);
    }

    @Override
    public Sanitizer sanitizer() {
        return Nvtx.listened();
    }

    @Override
    public void enter() {
        gpu.enter();
    }

    @Override
    public long relaxed(LongSupplier work) {
        return RelaxedCapture.during(work);
    }

    // ---- memory

    @Override
    public long freeMemory() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG, 2).address();
            CudaErrors.check(Libcuda.call(Libcuda.MEM_GET_INFO, out, out + 8), "cuMemGetInfo");
            return Memory.i64(out);
        }
    }

    @Override
    public long allocate(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.MEM_ALLOC, out, bytes), "cuMemAlloc", bytes);
            return Memory.i64(out);
        }
    }

    @Override
    public void free(long address) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_FREE, address), "cuMemFree");
    }

    @Override
    public long createPool() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long properties = arena.allocate(Structs.POOL_BYTES, 8).address();
            Structs.pool(properties, gpu.device);
            CudaErrors.check(Libcuda.call(Libcuda.MEM_POOL_CREATE, out, properties), "cuMemPoolCreate");
            long pool = Memory.i64(out);
            Memory.i64(out, -1L); // as an unsigned number the most there is
            CudaErrors.check(Libcuda.call(Libcuda.MEM_POOL_SET_ATTRIBUTE, pool, Structs.POOL_RELEASE_THRESHOLD, out),
                    "cuMemPoolSetAttribute");
            return pool;
        }
    }

    @Override
    public void destroyPool(long pool) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_POOL_DESTROY, pool), "cuMemPoolDestroy");
    }

    @Override
    public void trimPool(long pool, long keep) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_POOL_TRIM_TO, pool, keep), "cuMemPoolTrimTo");
    }

    @Override
    public long allocateAsync(long pool, long bytes, long stream, long word) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_ALLOC_FROM_POOL_ASYNC, word, bytes, pool, stream),
                "cuMemAllocFromPoolAsync", bytes);
        return Memory.i64(word);
    }

    @Override
    public void freeAsync(long address, long stream) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_FREE_ASYNC, address, stream), "cuMemFreeAsync");
    }

    @Override
    public long allocateHost(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.MEM_HOST_ALLOC, out, bytes, Structs.HOST_ALLOC_PORTABLE),
                    "cuMemHostAlloc", bytes);
            return Memory.i64(out);
        }
    }

    @Override
    public void freeHost(long address) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_FREE_HOST, address), "cuMemFreeHost");
    }

    @Override
    public long granularity() {
        return AddressRanges.granularity(gpu.device);
    }

    @Override
    public long reserve(long bytes) {
        return AddressRanges.reserve(bytes);
    }

    @Override
    public void map(long address, long bytes) {
        AddressRanges.map(gpu.device, address, bytes);
    }

    @Override
    public void unmap(long address, long bytes) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_UNMAP, address, bytes), "cuMemUnmap", bytes);
    }

    @Override
    public void release(long address, long bytes) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_ADDRESS_FREE, address, bytes), "cuMemAddressFree", bytes);
    }

    @Override
    public String objection(long address, long bytes) {
        String first = Pointers.objection(gpu, address);
        return first != null || bytes <= 1 ? first : Pointers.objectionToEnd(gpu, address, bytes);
    }

    @Override
    public void upload(GpuStream on, long host, long hostPitch, long device, long devicePitch, long width,
            long columns) {
        copies.upload(on.handle(), on.area() + COPY, host, hostPitch, device, devicePitch, width, columns);
    }

    @Override
    public void download(GpuStream on, long device, long devicePitch, long host, long hostPitch, long width,
            long columns) {
        copies.download(on.handle(), on.area() + COPY, device, devicePitch, host, hostPitch, width, columns);
    }

    @Override
    public void fill(long address, byte value, long bytes, long stream) {
        CudaErrors.check(Libcuda.memset(address, value, bytes, stream), "cuMemsetD8Async", bytes);
    }

    // ---- streams, events, graphs

    /** Non-blocking: the legacy stream of others in this process must not order our streams with each other. */
    @Override
    public long createStream() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.STREAM_CREATE, out, Structs.STREAM_NON_BLOCKING), "cuStreamCreate");
            return Memory.i64(out);
        }
    }

    @Override
    public long createUrgentStream() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long least = arena.allocate(ValueLayout.JAVA_INT).address();
            long greatest = arena.allocate(ValueLayout.JAVA_INT).address();
            CudaErrors.check(Libcuda.call(Libcuda.STREAM_PRIORITIES, least, greatest), "cuCtxGetStreamPriorityRange");
            CudaErrors.check(Libcuda.call(Libcuda.STREAM_CREATE_WITH_PRIORITY, out, Structs.STREAM_NON_BLOCKING,
                    Memory.i32(greatest)), "cuStreamCreateWithPriority");
            return Memory.i64(out);
        }
    }

    @Override
    public void destroyStream(long stream) {
        CudaErrors.check(Libcuda.call(Libcuda.STREAM_DESTROY, stream), "cuStreamDestroy");
    }

    @Override
    public void requireOwn(long stream) {
        gpu.requireOwn(stream);
    }

    @Override
    public void synchronizeStream(long stream) {
        CudaErrors.check(Libcuda.call(Libcuda.STREAM_SYNCHRONIZE, stream), "cuStreamSynchronize");
    }

    @Override
    public long createEvent() {
        return Events.create();
    }

    @Override
    public void destroyEvent(long event) {
        Events.destroy(event);
    }

    @Override
    public void recordEvent(long event, long stream) {
        CudaErrors.check(Libcuda.call(Libcuda.EVENT_RECORD, event, stream), "cuEventRecord");
    }

    @Override
    public void waitEvent(long stream, long event) {
        CudaErrors.check(Libcuda.call(Libcuda.STREAM_WAIT_EVENT, stream, event, 0), "cuStreamWaitEvent");
    }

    @Override
    public boolean queryEvent(long event) {
        return Events.done(event);
    }

    @Override
    public void synchronizeEvent(long event) {
        CudaErrors.check(Libcuda.call(Libcuda.EVENT_SYNCHRONIZE, event), "cuEventSynchronize");
    }

    @Override
    public void beginCapture(long stream) {
        CudaErrors.check(Libcuda.call(Libcuda.STREAM_BEGIN_CAPTURE, stream, Structs.CAPTURE_THREAD_LOCAL),
                "cuStreamBeginCapture");
    }

    @Override
    public boolean isCapturing(long stream, long word) {
        CudaErrors.check(Libcuda.call(Libcuda.STREAM_IS_CAPTURING, stream, word), "cuStreamIsCapturing");
        return Memory.i32(word) != 0;
    }

    @Override
    public long endCapture(long stream, long word) {
        CudaErrors.check(Libcuda.call(Libcuda.STREAM_END_CAPTURE, stream, word), "cuStreamEndCapture");
        long graph = Memory.i64(word);
        int made = Libcuda.call(Libcuda.GRAPH_INSTANTIATE, word, graph, (long) Structs.GRAPH_FREE_ON_LAUNCH);
        int destroyed = Libcuda.call(Libcuda.GRAPH_DESTROY, graph);
        CudaErrors.check(made, "cuGraphInstantiate");
        CudaErrors.check(destroyed, "cuGraphDestroy");
        return Memory.i64(word);
    }

    @Override
    public void launchGraph(long graph, long stream) {
        CudaErrors.check(Libcuda.call(Libcuda.GRAPH_LAUNCH, graph, stream), "cuGraphLaunch");
    }

    @Override
    public void destroyGraph(long graph) {
        CudaErrors.check(Libcuda.call(Libcuda.GRAPH_EXEC_DESTROY, graph), "cuGraphExecDestroy");
    }

    // ---- kernels

    @Override
    public long loadModule(String program, byte[] code) {
        try (Arena arena = Arena.ofConfined()) {
            // One byte more: PTX is a text and ends in 0.
            MemorySegment data = arena.allocate(code.length + 1L, 64);
            MemorySegment.copy(code, 0, data, ValueLayout.JAVA_BYTE, 0, code.length);
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            int result = Libcuda.call(Libcuda.MODULE_LOAD_DATA, out, data.address());
            if (result != CudaErrors.SUCCESS) {
                throw CudaErrors.failure(result, "cuModuleLoadData(" + program + ")");
            }
            return Memory.i64(out);
        }
    }

    @Override
    public long function(long module, String name) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long text = arena.allocateFrom(name).address();
            int result = Libcuda.call(Libcuda.MODULE_GET_FUNCTION, out, module, text);
            if (result == CudaErrors.NOT_FOUND) {
                return 0;
            }
            CudaErrors.check(result, "cuModuleGetFunction(" + name + ")");
            return Memory.i64(out);
        }
    }

    @Override
    public void permitShared(long function, int bytes, String name) {
        CudaErrors.check(Libcuda.call(Libcuda.FUNC_SET_ATTRIBUTE, function, Structs.FUNCTION_MAX_DYNAMIC_SHARED, bytes),
                "permission of " + bytes + " bytes of shared memory for " + name);
    }

    @Override
    public void permitCluster(long function, int blocks, String name) {
        CudaErrors.check(Libcuda.call(Libcuda.FUNC_SET_ATTRIBUTE, function, Structs.FUNCTION_NON_PORTABLE_CLUSTER, 1),
                "permission of clusters of " + blocks + " blocks for " + name);
    }

    @Override
    public int areaBytes() {
        return ATTRIBUTE + Structs.LAUNCH_ATTRIBUTE_BYTES;
    }

    @Override
    public void prepareArea(long area, long stream) {
        Structs.overlapping(area + CONFIG, area + ATTRIBUTE, stream);
    }

    @Override
    public int launch(long function, Form form, int gridX, int gridY, int gridZ, int threads, int shared,
            GpuStream on) {
        int result;
        if (form == Form.OVERLAPPING) {
            long config = on.area() + CONFIG;
            Structs.grid(config, gridX, gridY, gridZ, threads, shared);
            result = Libcuda.launch(config, function, on.pointers());
        } else if (form == Form.COOPERATIVE) {
            result = Libcuda.launchCooperative(function, gridX, gridY, gridZ, threads, shared, on.handle(),
                    on.pointers());
        } else {
            result = Libcuda.launch(function, gridX, gridY, gridZ, threads, shared, on.handle(), on.pointers());
        }
        return result == CudaErrors.INVALID_CONTEXT || result == CudaErrors.INVALID_HANDLE ? FOREIGN : result;
    }

    @Override
    public DriverException failure(int error, String what) {
        return CudaErrors.failure(error == FOREIGN ? CudaErrors.INVALID_HANDLE : error, what);
    }
}
