package dev.basalt.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The kernels' text and, where the build had a compiler for it, their machine code. A program is one source for one element
 * type, named {@code SOURCE.LETTER}, such as {@code reduce.d}, and {@code reduce.d.capped} where the device alone knows a dimension.
 */
public final class KernelSources {
    /** Headers that the sources include. */
    public static final List<String> HEADERS = List.of("basalt.h", "launches.h", "tile.h", "stages.h", "tensor.h",
            "cholesky.h", "chain.h", "pack.h", "blue.h", "cluster.h", "pivot.h", "system.h", "reflect.h", "column.h",
            "reflector.h", "range.h", "least_squares.h", "mixed.h", "half.h", "steqr.h", "merge.h", "bidiagonal.h",
            "warpgroup.h", "block.h", "pair.h", "schur.h", "exchange.h", "sylvester.h", "conditions.h", "hessenberg.h",
            "bulges.h", "product.h", "small.h", "sliced.h", "turns.h", "qz.h", "pencil.h", "swap.h", "substitution.h",
            "balance.h", "jacobi.h", "quick.h", "seats.h", "one_sided.h", "moduli.h", "two_sided.h", "team.h");

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
     * A header.
     *
     * @param name one of {@link #HEADERS}
     * @return C++
     */
    public static String header(String name) {
        return text(name);
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
