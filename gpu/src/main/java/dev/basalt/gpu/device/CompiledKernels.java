package dev.basalt.gpu.device;

import dev.basalt.gpu.KernelSources;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Kernels that the build made no code for: compiled once for each source, element type and chip, and kept on disk. */
final class CompiledKernels {
    private static DiskCache cache;

    private CompiledKernels() {}

    /**
     * The code of a program.
     *
     * @param program its name
     * @param api the GPU's driver
     * @return machine code or PTX
     * @throws dev.basalt.spi.DriverException if there is no compiler or it fails
     */
    static byte[] image(String program, GpuApi api) {
        synchronized (CompiledKernels.class) {
            GpuApi.Compiler compiler = api.compiler();
            if (cache == null) {
                cache = DiskCache.ofUser();
            }
            String source = KernelSources.source(program);
            Map<String, String> headers = KernelSources.headers(source);
            List<String> options = new ArrayList<>(KernelSources.options(program));
            options.addAll(compiler.options());
            String material = compiler.identity() + "\n" + options + "\n" + headers + "\n" + source;
            return cache.get(material.getBytes(StandardCharsets.UTF_8),
                    () -> compiler.compile(program + ".cu", source, headers, options));
        }
    }
}
