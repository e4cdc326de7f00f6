package dev.basalt.cuda;

import dev.basalt.gpu.Functions;
import dev.basalt.gpu.KernelFunction;
import dev.basalt.gpu.KernelSources;
import dev.basalt.gpu.Launcher;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The kernels on one GPU. A module is loaded when a function of it is launched for the first time: the machine code or the
 * portable PTX that the build put into the jar, else what {@link CompiledKernels} makes of the source.
 *
 * <p>Code for Hopper and later chips begins each kernel with an instruction that waits for the end of the kernels before it in the stream. So the GPU
 * may be told to put a kernel's blocks onto its multiprocessors while those of the one before it end ("programmatic dependent launch", CUDA C++
 * Programming Guide): 1.1 µs less from kernel to kernel on an H100.
 */
final class KernelCode implements Functions<CudaStream> {
    /** The chip that the build's machine code is for. */
    private static final int PREBUILT_CAPABILITY = 90;

    /** Multiprocessors of a chip whose groups of them all take a cluster of 16. */
    private static final int WHOLE_CHIP = 132;

    /** The largest cluster that every chip takes without being asked. */
    private static final int CLUSTER_FOR_ALL = 8;

    /** What every function may use without being asked. */
    private static final int SHARED_FOR_ALL = 48 << 10;

    /** The driver's version from which graphs take launches that overlap. */
    private static final int OVERLAPPING_CAPTURE = 12030;

    /** The function that a module has if its kernels wait for those before them. */
    private static final String WAITS = "basalt_waits";

    private final int capability;
    private final Origin origin = Origin.ofSetting();
    private final long[] functions = new long[KernelFunction.all().size()];
    private final boolean[] waits = new boolean[functions.length];
    private final Map<String, Long> modules = new HashMap<>();
    private final boolean overlaps;

    private final Launcher<CudaStream> launcher;
    private final Gpu gpu;

    KernelCode(Gpu gpu) {
        this.gpu = gpu;
        capability = gpu.capability;
        overlaps = mayOverlap() && Gpu.driverVersionNumber() >= OVERLAPPING_CAPTURE;
        // PTX for later chips has no clusters. Eight blocks fit wherever there are clusters, sixteen on a whole H100.
        int clusters = capability != PREBUILT_CAPABILITY ? 1 : gpu.multiprocessors >= WHOLE_CHIP ? 16 : 8;
        launcher = new Launcher<>(this, gpu.multiprocessors, tensorCores(gpu), clusters);
    }

    private static boolean mayOverlap() {
        String set = System.getProperty("basalt.overlap", "true");
        return switch (set.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new DriverException(
                        DriverException.Code.INVALID_VALUE,
                        "basalt.overlap = \"" + set + "\": accepted are true and false");
        };
    }

    /** Whether products of double go by tensor cores. */
    static boolean tensorCores(Gpu gpu) {
        return gpu.capability >= PREBUILT_CAPABILITY;
    }

    /** Runs a launch; the arguments are those of the stream. */
    void run(Launch launch, long arguments, long sync, CudaStream stream) {
        launcher.run(launch, arguments, sync, stream);
    }

    @Override
    public void launch(
            KernelFunction function,
            int gridX,
            int gridY,
            int gridZ,
            int threads,
            int shared,
            long arguments,
            CudaStream on) {
        int result = tryLaunch(function, gridX, gridY, gridZ, threads, shared, on);
        if (result == CudaErrors.INVALID_CONTEXT || result == CudaErrors.INVALID_HANDLE) {
            // A thread that is new here, or has worked with another GPU since: rare, and told by the driver before it
            // does anything.
            gpu.enter();
            result = tryLaunch(function, gridX, gridY, gridZ, threads, shared, on);
        }
        if (result != CudaErrors.SUCCESS) {
            throw CudaErrors.failure(
                    result,
                    "launch of " + function.name() + " with a grid of " + gridX + " x " + gridY + " x " + gridZ
                            + " blocks of " + threads + " threads and " + shared + " bytes of shared memory");
        }
    }

    private int tryLaunch(
            KernelFunction function, int gridX, int gridY, int gridZ, int threads, int shared, CudaStream on) {
        long loaded = loaded(function);
        if (waits[function.id()]) {
            Structs.grid(on.config, gridX, gridY, gridZ, threads, shared);
            return Libcuda.launch(on.config, loaded, on.pointers());
        }
        return function.cooperative()
                ? Libcuda.launchCooperative(loaded, gridX, gridY, gridZ, threads, shared, on.stream, on.pointers())
                : Libcuda.launch(loaded, gridX, gridY, gridZ, threads, shared, on.stream, on.pointers());
    }

    /** The driver's handle of a function; after its first use this is one load. */
    private long loaded(KernelFunction function) {
        long handle = functions[function.id()];
        return handle != 0 ? handle : RelaxedCapture.during(() -> load(function));
    }

    private synchronized long load(KernelFunction function) {
        String program = function.source() + "." + function.letter();
        gpu.enter();
        try (Arena arena = Arena.ofConfined()) {
            Long known = modules.get(program);
            long loaded = known != null ? known : load(arena, program);
            modules.put(program, loaded);
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long name = arena.allocateFrom(function.name()).address();
            CudaErrors.check(
                    Libcuda.call(Libcuda.MODULE_GET_FUNCTION, out, loaded, name),
                    "cuModuleGetFunction(" + function.name() + ")");
            long handle = Memory.i64(out);
            if (function.shared() > SHARED_FOR_ALL) {
                CudaErrors.check(
                        Libcuda.call(
                                Libcuda.FUNC_SET_ATTRIBUTE,
                                handle,
                                Structs.FUNCTION_MAX_DYNAMIC_SHARED,
                                function.shared()),
                        "permission of " + function.shared() + " bytes of shared memory for " + function.name());
            }
            if (function.cluster() > CLUSTER_FOR_ALL) {
                CudaErrors.check(
                        Libcuda.call(Libcuda.FUNC_SET_ATTRIBUTE, handle, Structs.FUNCTION_NON_PORTABLE_CLUSTER, 1),
                        "permission of clusters of " + function.cluster() + " blocks for " + function.name());
            }
            waits[function.id()] = overlaps && !function.cooperative() && waits(arena, loaded);
            functions[function.id()] = handle;
            return handle;
        }
    }

    private static boolean waits(Arena arena, long module) {
        long out = arena.allocate(ValueLayout.JAVA_LONG).address();
        long name = arena.allocateFrom(WAITS).address();
        int result = Libcuda.call(Libcuda.MODULE_GET_FUNCTION, out, module, name);
        if (result != CudaErrors.NOT_FOUND) {
            CudaErrors.check(result, "cuModuleGetFunction(" + WAITS + ")");
        }
        return result == CudaErrors.SUCCESS;
    }

    private long load(Arena arena, String program) {
        byte[] image = origin == Origin.AUTO && capability == PREBUILT_CAPABILITY
                ? KernelSources.binary(program, "sm_90.cubin")
                : null;
        if (image == null && origin != Origin.SOURCE) {
            image = KernelSources.binary(program, "ptx");
        }
        if (image == null) {
            image = CompiledKernels.image(program, capability);
        }
        // One byte more: PTX is a text and ends in 0.
        MemorySegment data = arena.allocate(image.length + 1L, 64);
        MemorySegment.copy(image, 0, data, ValueLayout.JAVA_BYTE, 0, image.length);
        long out = arena.allocate(ValueLayout.JAVA_LONG).address();
        int result = Libcuda.call(Libcuda.MODULE_LOAD_DATA, out, data.address());
        if (result != CudaErrors.SUCCESS) {
            throw CudaErrors.failure(result, "cuModuleLoadData(" + program + ")");
        }
        return Memory.i64(out);
    }
}
