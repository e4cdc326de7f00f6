package dev.basalt.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Facts about the system that only a bug report needs. Files of Linux tell most of them; elsewhere less is known. */
final class Machine {
    private static final Pattern GLIBC = Pattern.compile("GNU C Library [^\\n]*version ([0-9]+\\.[0-9]+)");

    /** Flags of a processor that decide which kernels run. */
    private static final Pattern FLAGS =
            Pattern.compile("\\b(sse4_2|avx|avx2|fma|f16c|bmi2|avx512\\w+|avx_vnni|amx_\\w+|neon|asimd|sve2?)\\b");

    private Machine() {}

    private static List<String> lines(String file) {
        try (Stream<String> lines = Files.lines(Path.of(file), StandardCharsets.ISO_8859_1)) {
            return lines.limit(4000).toList();
        } catch (IOException | RuntimeException e) {
            // Another system, or a box that hides it: the fact is unknown then.
            return List.of();
        }
    }

    private static String first(String file, String otherwise) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? otherwise : lines.get(0).strip();
    }

    /** The system by its own name. */
    static String system() {
        for (String line : lines("/etc/os-release")) {
            if (line.startsWith("PRETTY_NAME=")) {
                return line.substring(line.indexOf('=') + 1).replace("\"", "");
            }
        }
        return System.getProperty("os.name") + " " + System.getProperty("os.version");
    }

    static String kernel() {
        return System.getProperty("os.name") + " "
                + first("/proc/sys/kernel/osrelease", System.getProperty("os.version"));
    }

    /** The C library that this process has loaded. */
    static String libc() {
        for (String line : lines("/proc/self/maps")) {
            int path = line.indexOf('/');
            String file = path < 0 ? "" : line.substring(path);
            if (file.contains("musl")) {
                return "musl (" + file + ")";
            }
            if (file.matches(".*/libc[.-].*so.*")) {
                return glibc(Path.of(file));
            }
        }
        return "unknown";
    }

    /** The library says its version in a text of its own. */
    private static String glibc(Path file) {
        try {
            Matcher version = GLIBC.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            return (version.find() ? "glibc " + version.group(1) : "unknown version") + " (" + file + ")";
        } catch (IOException e) {
            return "unknown version (" + file + ")";
        }
    }

    /** The processor: model, family, model number, stepping, microcode. */
    static String processor() {
        List<String> info = lines("/proc/cpuinfo");
        String name = value(info, "model name");
        if (name.isEmpty()) {
            return System.getProperty("os.arch");
        }
        return name + " (family " + value(info, "cpu family") + ", model " + value(info, "model") + ", stepping "
                + value(info, "stepping") + ", microcode " + value(info, "microcode") + ")";
    }

    /** The extensions of the processor that matter here. */
    static String extensions() {
        List<String> info = lines("/proc/cpuinfo");
        String flags = value(info, "flags") + value(info, "Features");
        List<String> found = new ArrayList<>();
        Matcher matcher = FLAGS.matcher(flags);
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found.isEmpty() ? "unknown" : String.join(" ", found);
    }

    private static String value(List<String> info, String key) {
        for (String line : info) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
                return line.substring(colon + 1).strip();
            }
        }
        return "";
    }

    /** What a container allows, where it allows less than the machine has. */
    static String limits() {
        String[] quota = first("/sys/fs/cgroup/cpu.max", "max").split(" ");
        String memory = first("/sys/fs/cgroup/memory.max", "max");
        List<String> limits = new ArrayList<>();
        if (quota.length == 2 && quota[0].matches("[0-9]+") && quota[1].matches("[1-9][0-9]*")) {
            limits.add(String.format(Locale.ROOT, "%.2f processors",
                    Double.parseDouble(quota[0]) / Double.parseDouble(quota[1])));
        }
        if (memory.matches("[0-9]+")) {
            limits.add(memory + " bytes of memory");
        }
        return limits.isEmpty() ? "none" : String.join(", ", limits);
    }

    /** The options this Java was started with. */
    static List<String> javaOptions() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    /** Variables from which Java takes options behind everybody's back. */
    static List<String> javaVariables() {
        return List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    }

    static String locale() {
        Map<String, String> environment = System.getenv();
        StringBuilder text = new StringBuilder(Locale.getDefault().toLanguageTag());
        text.append(", characters ").append(System.getProperty("native.encoding"));
        text.append(", names of files ").append(System.getProperty("sun.jnu.encoding"));
        for (String name : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
            if (environment.containsKey(name)) {
                text.append(", ").append(name).append('=').append(environment.get(name));
            }
        }
        return text.toString();
    }
}
