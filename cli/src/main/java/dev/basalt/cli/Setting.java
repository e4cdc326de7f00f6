package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.ByteSize;
import dev.basalt.bench.Typo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A property or environment variable that changes what the library does.
 *
 * @param name its name
 * @param property whether it is a system property, else an environment variable
 * @param meaning what it does, and its default
 * @param accepted what makes sense
 */
record Setting(String name, boolean property, String meaning, Accepted accepted) {
    /** Judges a text. */
    interface Accepted {
        /**
         * What is wrong with a text.
         *
         * @param name the setting
         * @param text its value
         * @return null if nothing
         */
        String objection(String name, String text);
    }

    /** What the build and the tests are told by, which the library does not ask. */
    private static final Pattern BUILD = Pattern.compile("basalt\\.(test|kernels|image|reference|launches)\\.");

    private static final Accepted ANYTHING = (name, text) -> null;

    /** All there are. */
    static final List<Setting> ALL =
            List.of(variable("ROCBLAS_DEVICE_MEMORY_SIZE", "fixed workspace of a handle (managed)", Setting::size),
                    variable("ROCBLAS_STREAM_ORDER_ALLOC", "workspace allocated in stream order (off)", Setting::onOff),
                    property("basalt.deviceMemorySize", "the same; goes before the variable", Setting::size),
                    property("basalt.streamOrderAlloc", "the same; goes before the variable", Setting::onOff),
                    property("basalt.threads", "threads of a call on the host (all processors)", Setting::threads),
                    property("basalt.engine", "kernels of the host (auto)", ANYTHING),
                    property("basalt.vectorBits", "narrower vectors (as wide as can be)", oneOf("128", "256", "512")),
                    property("basalt.gemm", "matrix products on a GPU (auto)", oneOf("auto", "own", "cublaslt")),
                    property("basalt.kernelCode", "code of the GPU's kernels (auto)", oneOf("auto", "ptx", "source")),
                    property("basalt.overlap", "GPU kernels take their places early (true)", oneOf("true", "false")),
                    property("basalt.libcuda", "file of NVIDIA's driver library (searched)", Setting::library),
                    property("basalt.cublasLt", "file of that library (searched)", Setting::library),
                    property("basalt.nvrtc", "file of that library (searched)", Setting::library),
                    property("basalt.nvtx", "file of that library (searched)", Setting::library),
                    property("basalt.cache", "folder of compiled kernels (the user's cache)", Setting::folder),
                    property("basalt.guard", "redzones around leases (false)", oneOf("true", "false")),
                    variable("BASALT_GUARD", "the same; the property goes before it", Setting::onOff),
                    property("basalt.leakDetection", "search for what was not closed (simple)",
                            oneOf("off", "simple", "paranoid")),
                    variable("BASALT_JAVA_OPTS", "options of Java for this command", ANYTHING),
                    variable("BASALT_DEBUG", "show where an error came from", ANYTHING));

    /** Properties that only tests set, and variables of the scripts. */
    private static final List<String> INNER = List.of("basalt.codeMemory", "basalt.processor", "basalt.sim.seed",
            "basalt.data", "BASALT_KERNELS", "BASALT_STDERR_FILTER");

    /** From so many wrong letters on it is another word. */
    private static final int WRONG_LETTERS = 2;

    /**
     * What is set and looks like a setting, but is none: a typing error that would otherwise pass in silence.
     *
     * @param properties names of system properties
     * @param variables names of environment variables
     * @return a sentence for each
     */
    static List<String> unknown(Collection<String> properties, Collection<String> variables) {
        List<String> sentences = new ArrayList<>();
        for (String name : new TreeSet<>(properties)) {
            unknown(name, true, name.startsWith("basalt.") && !BUILD.matcher(name).lookingAt(), sentences);
        }
        for (String name : new TreeSet<>(variables)) {
            unknown(name, false, name.startsWith("BASALT_") && !name.startsWith("BASALT_TEST_"), sentences);
        }
        return sentences;
    }

    private static void unknown(String name, boolean property, boolean ours, List<String> sentences) {
        List<String> known = ALL.stream().filter(s -> s.property == property).map(Setting::name).toList();
        if (known.contains(name) || INNER.contains(name)) {
            return;
        }
        String close = null;
        int least = Math.min(WRONG_LETTERS, name.length() / 4) + 1;
        for (String other : known) {
            int wrong = Typo.distance(name.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
            if (wrong < least) {
                least = wrong;
                close = other;
            }
        }
        if (ours || close != null) {
            sentences.add((property ? "property " : "variable ") + name + " is set, but there is no such setting"
                    + (close == null ? "" : "; did you mean " + close + "?"));
        }
    }

    private static Setting variable(String name, String meaning, Accepted accepted) {
        return new Setting(name, false, meaning, accepted);
    }

    private static Setting property(String name, String meaning, Accepted accepted) {
        return new Setting(name, true, meaning, accepted);
    }

    /** The value now, null if it is not set. */
    String value() {
        return property ? System.getProperty(name) : System.getenv(name);
    }

    /** What is wrong with a value, null if nothing. */
    String objection(String value) {
        return value == null || value.isBlank() ? null : accepted.objection(name, value);
    }

    private static String size(String name, String text) {
        try {
            ByteSize.parse(name, text);
            return null;
        } catch (BlasException e) {
            return "not a size; accepted are bytes, decimal or 0x..., with an optional suffix k, m or g";
        }
    }

    private static String onOff(String name, String text) {
        String t = text.strip();
        try {
            if (t.equalsIgnoreCase("true") || t.equalsIgnoreCase("false") || Long.decode(t) >= 0) {
                return null;
            }
        } catch (NumberFormatException e) {
            // Said below, like a negative number.
        }
        return "not a switch; accepted are 0 or false, and 1 (or more) or true";
    }

    /** A name without a folder is searched by the system; a path must lead to a file. */
    private static String library(String name, String text) {
        return text.indexOf('/') < 0 || Files.isRegularFile(Path.of(text)) ? null : "there is no such file";
    }

    private static String folder(String name, String text) {
        Path folder = Path.of(text);
        if (!Files.exists(folder)) {
            Path parent = folder.toAbsolutePath().getParent();
            return parent != null && Files.isWritable(parent) ? null : "it is not there and cannot be made";
        }
        return !Files.isDirectory(folder) ? "not a folder" : Files.isWritable(folder) ? null : "cannot be written to";
    }

    private static String threads(String name, String text) {
        return text.strip().matches("0*[1-9][0-9]{0,3}") && Integer.parseInt(text.strip()) <= 1024
                ? null
                : "not a number of threads; accepted are 1 to 1024";
    }

    private static Accepted oneOf(String... words) {
        return (name, text) -> List.of(words).contains(text.strip().toLowerCase(Locale.ROOT))
                ? null
                : "accepted are " + String.join(", ", words);
    }
}
