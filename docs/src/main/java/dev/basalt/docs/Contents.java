package dev.basalt.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which pages there are, in the order of the site's menu. */
final class Contents {
    private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put("Begin", List.of("docs/index.md", "docs/getting-started.md", "examples/README.md"));
        GROUPS.put("Use",
                List.of("docs/workspace.md", "docs/own-routine.md", "docs/arrays.md", "docs/netlib.md", "docs/spark.md",
                        "docs/gpu.md", "docs/amd.md", "docs/command-line.md", "docs/settings.md", "docs/edge-cases.md",
                        "docs/troubleshooting.md"));
        GROUPS.put("Coming from", List.of("docs/from-rocblas.md", "docs/from-lapack.md", "docs/from-java.md"));
        GROUPS.put("Reference", List.of("docs/routines.md"));
        GROUPS.put("Speed", List.of("docs/performance.md", "benchmarks/README.md", "benchmarks/cpu.md",
                "benchmarks/gpu.md", "benchmarks/lapack.md", "benchmarks/java.md"));
        GROUPS.put("Project",
                List.of("ARCHITECTURE.md", "docs/design/modules.md", "docs/design/call-path.md",
                        "docs/design/workspace.md", "docs/design/products.md", "docs/design/kernels-cpu.md",
                        "docs/design/kernels-gpu.md", "docs/design/lapack.md", "docs/design/command-line.md",
                        "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md",
                        "image/licenses/README.md", "examples/solve/README.md", "examples/least-squares/README.md",
                        "examples/batched/README.md", "examples/own-routine/README.md", "examples/spark/README.md"));
    }

    private Contents() {}

    /** The groups of the menu with their pages. */
    static Map<String, List<String>> groups() {
        return GROUPS;
    }

    /** All files of Markdown that become pages. */
    static List<String> sources() {
        List<String> all = new ArrayList<>();
        GROUPS.values().forEach(all::addAll);
        return all;
    }

    /** The page that a file becomes: {@code docs/gpu.md} is {@code gpu.html}, {@code examples/solve/README.md} is {@code examples-solve.html}. */
    static String page(String source) {
        String name = source.replaceFirst("^docs/", "").replaceFirst("/README\\.md$", "").replaceFirst("\\.md$", "");
        return name.replace('/', '-').toLowerCase(Locale.ROOT) + ".html";
    }
}
