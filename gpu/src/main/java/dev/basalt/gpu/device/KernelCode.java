package dev.basalt.gpu.device;

import dev.basalt.gpu.Functions;
import dev.basalt.gpu.KernelFunction;
import dev.basalt.gpu.KernelSources;
import dev.basalt.gpu.Launcher;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Launch;
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
final class KernelCode implements Functions<GpuStream> {
    /** The largest cluster that every chip takes without being asked. */
    private static final int CLUSTER_FOR_ALL = 8;

    /** What every function may use without being asked. */
    private static final int SHARED_FOR_ALL = 48 << 10;

    /** The function that a module has if its kernels wait for those before them. */
    private static final String WAITS = "basalt_waits";

    private final Origin origin = Origin.ofSetting();
    private final long[] functions = new long[KernelFunction.count()];
    private final boolean[] waits = new boolean[functions.length];
    private final Map<String, Long> modules = new HashMap<>();
    private final boolean overlaps;

    private final Launcher<GpuStream> launcher;
    private final GpuApi api;

    KernelCode(GpuApi api) {
        this.api = api;
        overlaps = mayOverlap() && api.overlaps();
        launcher = new Launcher<>(this, api.multiprocessors(), api.shared(), api.cores(), api.clusters());
    }

    private static boolean mayOverlap() {
        String set = System.getProperty("basalt.overlap", "true");
        return switch (set.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new DriverException(DriverException.Code.INVALID_VALUE,
                    "basalt.overlap = \"" + set + "\": accepted are true and false");
        };
    }

    /** Runs a launch; the arguments are those of the stream. */
    void run(Launch launch, long arguments, long sync, GpuStream stream) {
        launcher.run(launch, arguments, sync, stream);
    }

    @Override
    public void launch(KernelFunction function, int gridX, int gridY, int gridZ, int threads, int shared,
            long arguments, GpuStream on) {
        long loaded = loaded(function);
        boolean overlapping = !on.takeOrdered() && waits[function.id()];
        GpuApi.Form form = overlapping ? GpuApi.Form.OVERLAPPING
                : function.cooperative() ? GpuApi.Form.COOPERATIVE
                : GpuApi.Form.ORDERED;
        int result = api.launch(loaded, form, gridX, gridY, gridZ, threads, shared, on);
        if (result == GpuApi.FOREIGN) {
            // A thread that is new here, or has worked with another GPU since: rare, and told by the driver before it
            // does anything.
            api.enter();
            result = api.launch(loaded, form, gridX, gridY, gridZ, threads, shared, on);
        }
        if (result != 0) {
            throw api.failure(result, "launch of " + function.name() + " with a grid of " + gridX + " x " + gridY
                    + " x " + gridZ + " blocks of " + threads + " threads and " + shared + " bytes of shared memory");
        }
    }

    /** The driver's handle of a function; after its first use this is one load. */
    private long loaded(KernelFunction function) {
        long handle = functions[function.id()];
        return handle != 0 ? handle : api.relaxed(() -> load(function));
    }

    private synchronized long load(KernelFunction function) {
        String program = function.program();
        api.enter();
        Long known = modules.get(program);
        long module = known != null ? known : api.loadModule(program, code(program));
        modules.put(program, module);
        long handle = api.function(module, function.name());
        if (handle == 0) {
            throw new DriverException(DriverException.Code.FAILED,
                    "the code of " + program + " has no " + function.name());
        }
        if (function.shared() > SHARED_FOR_ALL) {
            // Where a device has less, the rules ask for less.
            api.permitShared(handle, Math.min(function.shared(), api.shared()), function.name());
        }
        if (function.cluster() > CLUSTER_FOR_ALL) {
            api.permitCluster(handle, function.cluster(), function.name());
        }
        waits[function.id()] = overlaps && !function.cooperative() && api.function(module, WAITS) != 0;
        functions[function.id()] = handle;
        return handle;
    }

    private byte[] code(String program) {
        for (GpuApi.Prebuilt kind : api.prebuilt()) {
            byte[] image = origin.compareTo(kind.from()) <= 0 ? KernelSources.binary(program, kind.ending()) : null;
            if (image != null) {
                return image;
            }
        }
        return CompiledKernels.image(program, api);
    }
}
