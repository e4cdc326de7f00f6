package dev.basalt.cuda;

import dev.basalt.gpu.Launcher;
import dev.basalt.gpu.device.GpuContext;
import dev.basalt.gpu.device.GpuDriver;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.GemmEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds NVIDIA GPUs: {@code cuda:0}, {@code cuda:1} and so on, in the driver's order, which the environment variable
 * {@code CUDA_VISIBLE_DEVICES} changes. Where there is no driver or no GPU there is one entry {@code cuda} that says why.
 */
public final class CudaProvider implements DeviceProvider {
    private static final String KIND = "cuda";

    /** Above the host, below nothing yet. */
    private static final int RANK = 100;

    private static final long DEFAULT_WORKSPACE = 32L << 20;

    /** For {@link java.util.ServiceLoader}. */
    public CudaProvider() {}

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public int rank() {
        return RANK;
    }

    /** Each opening has a default stream of its own, so that the work of two libraries in one process runs side by side. */
    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public List<Probe> probe() {
        List<Probe> probes = new ArrayList<>();
        try {
            String refusal = Gpu.refusal();
            int count = refusal == null ? Gpu.count() : 0;
            if (count == 0) {
                return List.of(new Probe(KIND, "NVIDIA GPUs",
                        refusal != null ? refusal : "the driver is installed, but sees no GPU"));
            }
            for (int i = 0; i < count; i++) {
                Gpu gpu = Gpu.of(i);
                probes.add(new Probe(KIND + ":" + i, describe(gpu), gpu.unusable()));
            }
        } catch (DriverException | LinkageError e) {
            probes.add(new Probe(KIND, "NVIDIA GPUs", e.getMessage()));
        }
        return probes;
    }

    @Override
    public DeviceDriver open(String name) {
        Gpu gpu = Gpu.of(ordinal(name));
        if (gpu.unusable() != null) {
            throw new DriverException(Code.NOT_SUPPORTED, gpu.unusable());
        }
        GemmEngine engine = Engine.ofSetting();
        GpuContext context = gpu.start();
        DeviceTraits traits = Launcher.traits("cuda-sm" + gpu.capability + "-" + gpu.multiprocessors, DEFAULT_WORKSPACE,
                gpu.memoryPools, gpu.virtualMemory, false, gpu.api.cores(), gpu.multiprocessors, gpu.sharedMemory);
        String products = engine == null ? "" : ", matrix products by cuBLASLt " + CublasLt.installed().version();
        return new GpuDriver(KIND + ":" + gpu.ordinal, describe(gpu) + products, context,
                engine == null ? traits : traits.withEngine(engine));
    }

    /** The number in a name; {@code cuda} alone means the first. */
    private static int ordinal(String name) {
        String number = name.equals(KIND) ? "0" : name.substring(KIND.length() + 1);
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            throw new DriverException(Code.INVALID_VALUE,
                    "\"" + number + "\" is no number of a GPU; write " + KIND + ":0, " + KIND + ":1 …");
        }
    }

    private static String describe(Gpu gpu) {
        return gpu.name + String.format(Locale.ROOT, ", %.1f GiB, ", gpu.memoryBytes / (double) (1L << 30))
                + gpu.multiprocessors + " multiprocessors, compute capability " + Gpu.dotted(gpu.capability)
                + ", driver for CUDA " + Gpu.driverVersion();
    }
}
