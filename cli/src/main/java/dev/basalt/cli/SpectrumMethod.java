package dev.basalt.cli;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How values of a matrix are computed. */
enum SpectrumMethod {
    /** By the matrix and by how many values are wanted. */
    AUTO,
    /** All values of a dense matrix. */
    DENSE,
    /** The largest values by products with the matrix, which stays sparse. */
    LANCZOS;

    /** From this order on all values of a dense matrix take long. */
    private static final long LARGE = 1000;

    /** At most one value in so many is few, and one element in so many that is not zero. */
    private static final long FEW = 20;

    /**
     * Whether a matrix stays sparse.
     *
     * @param header what its file says
     * @param k how many values are wanted; null for all
     */
    boolean isLanczos(MatrixHeader header, Long k) {
        return this == LANCZOS || this == AUTO && k != null && pays(header, k);
    }

    private static boolean pays(MatrixHeader header, long k) {
        long n = Math.min(header.rows(), header.cols());
        return header.listed() >= 0 && n >= LARGE && k <= n / FEW
                && header.listed() <= header.rows() * header.cols() / FEW;
    }

    /** Reads a method by its name. */
    static final class Converter implements ITypeConverter<SpectrumMethod>, Iterable<String> {
        Converter() {}

        @Override
        public SpectrumMethod convert(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "auto" -> AUTO;
                case "dense" -> DENSE;
                case "lanczos" -> LANCZOS;
                default -> throw new TypeConversionException(
                        "\"" + text + "\" is not a method; accepted are auto, dense and lanczos");
            };
        }

        /** What a shell completes. */
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(values()).map(method -> method.name().toLowerCase(Locale.ROOT)).iterator();
        }
    }
}
