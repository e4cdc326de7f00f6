package dev.basalt.sample;

import static java.lang.Math.max;

import module java.base;

import java.util.function.DoubleUnaryOperator;

/// A sample of the syntax of Java 25, laid out as the formatter lays it out. It is checked like all sources, and not compiled.
///
/// | table | stays |
/// |-------|------:|
/// | m     |     n |
@FunctionalInterface
public interface Sample<T extends Comparable<T>> {
    /** Lines of arguments are filled. */
    void gemm(char transA, char transB, long m, long n, long k, double alpha, long a, long lda, long b, long ldb,
            double beta, long c, long ldc);

    /**
     * Text stays as it is:
     *
     * <pre>
     *   1 2
     *   3 4
     * </pre>
     *
     * @param m rows
     */
    default void square(long m) {
        gemm('N', 'T', m, m, m, 1.0, 0x1000, m, 0x2000, m, 0.0, 0x3000, m);
        gemm('N', 'T', Math.max(1, m - m / 2), Math.max(1, m - m / 2), Math.max(1, m), 1.0, 0x1000, Math.max(1, m),
                0x2000, Math.max(1, m), 0.0, 0x3000, Math.max(1, m));
    }

    sealed interface Shape permits Square, Rectangle, Empty {}

    record Square(long n) implements Shape {
        public Square {
            if (n < 0) {
                throw new IllegalArgumentException("n >= 0 is required, but it is " + n + "; a shape of order 0, which"
                        + " takes no room, is Empty, and its matrices may be null");
            }
        }
    }

    record Rectangle(long rows, long columns) implements Shape {}

    record Empty() implements Shape {}

    enum Tier {
        PACKED, SMALL_BLOCKS, IN_PLACE
    }

    enum Instruction {
        VFMADD231PD("vfmadd231pd", 0x0f38, 0xb8, true, false),
        VBROADCASTSD("vbroadcastsd", 0x0f38, 0x19, true, false),
        VZEROUPPER("vzeroupper", 0x0f, 0x77, false, true);

        Instruction(String name, int map, int opcode, boolean wide, boolean plain) {}
    }

    class Leaf {
        static final int[][] NOPS = {
                {0x90},
                {0x66, 0x90},
                {0x0f, 0x1f, 0x00},
                {0x0f, 0x1f, 0x40, 0x00},
                {0x0f, 0x1f, 0x44, 0x00, 0x00},
                {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00}};

        // @formatter:off
        static final double[] IDENTITY = {
            1, 0,
            0, 1,
        };
        // @formatter:on

        private final long n;

        Leaf(long n) {
            long least = max(n, 0);
            this.n = least;
            super();
        }

        static long elements(Object shape) {
            return switch (shape) {
                case Square(long n) when n > 1L << 31 -> Long.MAX_VALUE;
                case Square(var n) -> n * n;
                case Rectangle(long rows, _) when rows == 0 -> 0;
                case Rectangle(long rows, long columns) -> {
                    long all = rows * columns;
                    yield all;
                }
                case Empty _ -> 0;
                case Tier.PACKED, Tier.SMALL_BLOCKS -> 1;
                case null, default -> throw new IllegalArgumentException();
            };
        }

        @Deprecated
        String describe(List<String> names, boolean hermitian, DoubleUnaryOperator scale) throws IOException {
            String source = """
                    __global__ void scale(double *x) {
                      x[threadIdx.x] *= 2;
                    }
                    """;
            String rule = names.isEmpty() ? "no names"
                    : names.size() > 1 ? "several names, of which the first one is taken"
                    : "the name";
            for (String _ : names) {
                source += n > 0 ? "" : rule;
            }
            try (var in = new StringReader(source); var out = new StringWriter()) {
                in.transferTo(out);
            } catch (UncheckedIOException | IllegalStateException _) {
                return "";
            }
            boolean simple =
                    hermitian && n <= 1 || !hermitian && n <= 2 && names.size() < 3 || scale.applyAsDouble(n) == 0;
            return names.stream()
                    .filter(name -> !name.isBlank())
                    .map(name -> name.strip().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", ", simple ? "simple: " : "", ""));
        }
    }
}
