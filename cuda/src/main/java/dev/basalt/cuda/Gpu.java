package dev.basalt.cuda;

import dev.basalt.gpu.device.GpuApi;
import dev.basalt.gpu.device.GpuContext;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * One GPU for the life of the process: its primary context, which other CUDA libraries in the process share, its facts,
 * and the code and counters loaded onto it. Opening a device again finds all of it there; making a context costs 200 ms.
 */
final class Gpu {
    /** Least compute capability: the kernels rely on independent thread scheduling. */
    private static final int LEAST_CAPABILITY = 70;

    private static final int NAME_BYTES = 128;
    private static final List<Gpu> GPUS = new ArrayList<>();
    private static int initResult = -1;

    final int ordinal;
    final int device;
    final String name;
    final int capability;
    final int multiprocessors;
    /** Bytes of shared memory that a block may have. */
    final int sharedMemory;
    final long memoryBytes;
    final long maxPitch;
    final boolean virtualMemory;
    final boolean memoryPools;

    /** Its driver, of use once the GPU is started. */
    final GpuApi api;

    private long context;
    private long products;
    private GpuContext shared;

    private Gpu(int ordinal) {
        this.ordinal = ordinal;
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.DEVICE_GET, out, ordinal), "cuDeviceGet");
            device = Memory.i32(out);
            long text = arena.allocate(NAME_BYTES).address();
            CudaErrors.check(Libcuda.call(Libcuda.DEVICE_GET_NAME, text, NAME_BYTES, device), "cuDeviceGetName");
            name = Libcuda.text(text);
            CudaErrors.check(Libcuda.call(Libcuda.DEVICE_TOTAL_MEM, out, device), "cuDeviceTotalMem");
            memoryBytes = Memory.i64(out);
            capability = 10 * attribute(out, Attribute.COMPUTE_CAPABILITY_MAJOR)
                    + attribute(out, Attribute.COMPUTE_CAPABILITY_MINOR);
            multiprocessors = attribute(out, Attribute.MULTIPROCESSOR_COUNT);
            sharedMemory = attribute(out, Attribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
            maxPitch = attribute(out, Attribute.MAX_PITCH);
            virtualMemory = attribute(out, Attribute.VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) != 0;
            memoryPools = attribute(out, Attribute.MEMORY_POOLS_SUPPORTED) != 0;
        }
        api = new CudaApi(this);
    }

    private int attribute(long out, Attribute attribute) {
        CudaErrors.check(Libcuda.call(Libcuda.DEVICE_GET_ATTRIBUTE, out, attribute.number, device),
                "cuDeviceGetAttribute");
        return Memory.i32(out);
    }

    /** Why there is no GPU at all, or null if there may be some. */
    static synchronized String refusal() {
        if (DriverLibrary.refusal() != null) {
            return DriverLibrary.refusal();
        }
        if (initResult < 0) {
            initResult = Libcuda.call(Libcuda.INIT, 0);
        }
        return initResult == CudaErrors.SUCCESS ? null : explain(initResult);
    }

    /** What a failure of {@code cuInit} means to the owner of the machine. */
    static String explain(int result) {
        String said = "cuInit failed: " + CudaErrors.describe(result);
        return switch (result) {
            case CudaErrors.NO_DEVICE -> "no NVIDIA GPU: the driver is installed, but sees no device (" + said + ")";
            case CudaErrors.STUB_LIBRARY ->
                "no NVIDIA driver: the library found is the toolkit's stub for linking (" + said + ")";
            case CudaErrors.SYSTEM_DRIVER_MISMATCH ->
                "the NVIDIA kernel module and the driver's library are of different versions; reboot or reinstall the driver ("
                        + said + ")";
            default -> said;
        };
    }

    /** How many GPUs there are. */
    static int count() {
        if (refusal() != null) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.DEVICE_GET_COUNT, out), "cuDeviceGetCount");
            return Memory.i32(out);
        }
    }

    /** The version of CUDA that the driver supports, such as {@code 13.0}. */
    static String driverVersion() {
        int version = driverVersionNumber();
        return version / 1000 + "." + version % 1000 / 10;
    }

    /** The same as a number: 13000. */
    static int driverVersionNumber() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.DRIVER_GET_VERSION, out), "cuDriverGetVersion");
            return Memory.i32(out);
        }
    }

    /** A GPU's facts; nothing is put onto it yet. */
    static synchronized Gpu of(int ordinal) {
        String refusal = refusal();
        if (refusal != null) {
            throw new DriverException(Code.NOT_SUPPORTED, refusal);
        }
        int count = count();
        if (ordinal < 0 || ordinal >= count) {
            throw new DriverException(Code.INVALID_VALUE, "there is no GPU " + ordinal + "; the driver sees " + count);
        }
        while (GPUS.size() <= ordinal) {
            GPUS.add(new Gpu(GPUS.size()));
        }
        return GPUS.get(ordinal);
    }

    /** Why this GPU cannot be used, or null. */
    String unusable() {
        return capability >= LEAST_CAPABILITY
                ? null
                : "its compute capability is " + dotted(capability) + "; " + dotted(LEAST_CAPABILITY) + " is the least";
    }

    /** A compute capability as people write it. */
    static String dotted(int capability) {
        return capability / 10 + "." + capability % 10;
    }

    /** Makes the context if there is none yet. It stays until the process ends, as it does for CUDA's own runtime. */
    synchronized GpuContext start() {
        if (shared == null) {
            if (context == 0) {
                try (Arena arena = Arena.ofConfined()) {
                    long out = arena.allocate(ValueLayout.JAVA_LONG).address();
                    CudaErrors.check(Libcuda.call(Libcuda.PRIMARY_CTX_RETAIN, out, device), "cuDevicePrimaryCtxRetain");
                    context = Memory.i64(out);
                }
            }
            enter();
            shared = new GpuContext(api);
        }
        return shared;
    }

    /** Makes this GPU's context the calling thread's; every call of the driver's starts with it, since others may have changed it. */
    void enter() {
        CudaErrors.check(Libcuda.call(Libcuda.CTX_SET_CURRENT, context), "cuCtxSetCurrent");
    }

    /** Refuses a stream of another context, which could only fail later. */
    void requireOwn(long stream) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.STREAM_GET_CTX, stream, out), "cuStreamGetCtx");
            if (Memory.i64(out) != context) {
                throw new DriverException(Code.INVALID_VALUE,
                        "the stream 0x" + Long.toHexString(stream)
                                + " belongs to another GPU, or to a context that is not" + " the primary one of cuda:"
                                + ordinal);
            }
        }
    }

    /** The handle of cuBLASLt on this GPU, made at first use; the context is current. */
    synchronized long products(CublasLt lt) {
        if (products == 0) {
            products = RelaxedCapture.during(lt::newHandle);
        }
        return products;
    }
}
