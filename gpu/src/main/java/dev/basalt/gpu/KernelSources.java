package dev.basalt.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kernels' text and, where the build had a compiler for it, their machine code. A program is one source for one element
 * type, named {@code SOURCE.LETTER}, such as {@code reduce.d}, and {@code reduce.d.capped} where the device alone knows a dimension.
 */
public final class KernelSources {
    private static final Pattern INCLUDE = Pattern.compile("^#include \"([^\"]+)\"", Pattern.MULTILINE);

    /** The ending of programs whose kernels know a dimension from the device alone. */
    static final String CAPPED = ".capped";

    private KernelSources() {}

    /**
     * A program's source text.
     *
     * @param program such as {@code reduce.d}
     * @return C++
     */
    public static String source(String program) {
        return text(program.substring(0, program.indexOf('.')) + ".cu");
    }

    /**
     * The headers that a source includes, and those that they include. What is not here is for another compiler: the sources ask which one reads them.
     *
     * @param source C++
     * @return their text by their name, in the order of the names
     */
    public static SortedMap<String, String> headers(String source) {
        SortedMap<String, String> found = new TreeMap<>();
        include(source, found);
        return found;
    }

    private static void include(String source, SortedMap<String, String> found) {
        Matcher named = INCLUDE.matcher(source);
        while (named.find()) {
            String name = named.group(1);
            if (!found.containsKey(name) && KernelSources.class.getResource(name) != null) {
                found.put(name, text(name));
                include(found.get(name), found);
            }
        }
    }

    /**
     * What a compiler must be told beside the target.
     *
     * @param program such as {@code reduce.d}
     * @return options that NVRTC, nvcc and hiprtc take
     */
    public static List<String> options(String program) {
        char letter = Character.toUpperCase(program.charAt(program.indexOf('.') + 1));
        String type = "-DBASALT_TYPE_" + letter;
        return program.endsWith(CAPPED)
                ? List.of("--std=c++17", type, "-DBASALT_CAPPED")
                : List.of("--std=c++17", type);
    }

    /**
     * A program's machine code or PTX, if the build made it.
     *
     * @param program such as {@code reduce.d}
     * @param ending such as {@code sm_90.cubin} or {@code ptx}
     * @return the file's bytes, or null
     */
    public static byte[] binary(String program, String ending) {
        try (InputStream in = KernelSources.class.getResourceAsStream(program.replace('.', '_') + "." + ending)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(String name) {
        try (InputStream in = KernelSources.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("no kernel source " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
