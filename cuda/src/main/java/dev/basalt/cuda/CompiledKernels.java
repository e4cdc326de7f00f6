package dev.basalt.cuda;

import dev.basalt.gpu.KernelSources;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Kernels that the build made no code for: compiled once for each source, element type and chip, and kept on disk. */
final class CompiledKernels {
    private static Nvrtc compiler;
    private static DiskCache cache;

    private CompiledKernels() {}

    /**
     * The code of a program.
     *
     * @param program its name
     * @param capability compute capability of the chip
     * @return a cubin or PTX
     * @throws dev.basalt.spi.DriverException if there is no compiler or it fails
     */
    static synchronized byte[] image(String program, int capability) {
        if (compiler == null) {
            compiler = Nvrtc.load();
            cache = DiskCache.ofUser();
        }
        String source = KernelSources.source(program);
        Map<String, String> headers = new TreeMap<>();
        for (String header : KernelSources.HEADERS) {
            headers.put(header, KernelSources.header(header));
        }
        String target = compiler.target(capability);
        List<String> options = new ArrayList<>(KernelSources.options(program));
        options.add("-default-device");
        options.add("--gpu-architecture=" + target);
        String material = "nvrtc " + compiler.version() + "\n" + options + "\n" + headers + "\n" + source;
        return cache.get(
                material.getBytes(StandardCharsets.UTF_8),
                () -> compiler.compile(program + ".cu", source, headers, options, target.startsWith("sm_")));
    }
}
