package dev.basalt.host.asm;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Runs a new kernel of a factorisation once on a matrix whose factors are known and have so few digits that nothing is rounded:
 * every bit must come out, and what lies around must stay as it was.
 */
final class FactorCheck {
    private static final double OUTSIDE = 77;

    private final Shape shape;
    private final int size;
    private final int block;

    FactorCheck(Shape shape) {
        this.shape = shape;
        this.size = shape.precision().bytes;
        this.block = shape.columns();
    }

    /** A matrix in memory, one row longer than it says. */
    private final class Matrix {
        final int ld;
        final long at;

        Matrix(Arena arena, int rows, int columns) {
            this.ld = rows + 1;
            this.at = arena.allocate((long) ld * columns * size, 64).address();
            for (int i = 0; i < ld * columns; i++) {
                put(at + (long) i * size, OUTSIDE);
            }
        }

        double get(int i, int j) {
            long from = at + (i + (long) j * ld) * size;
            return size == 8 ? f64(from) : f32(from);
        }

        void set(int i, int j, double value) {
            put(at + (i + (long) j * ld) * size, value);
        }

        private void put(long to, double value) {
            if (size == 8) {
                f64(to, value);
            } else {
                f32(to, (float) value);
            }
        }

        long bytes() {
            return (long) ld * size;
        }
    }

    /** Below a unit diagonal: never larger than a half. */
    private static double low(int i, int j) {
        return i == j ? 1 : i < j ? 0 : ((i * 5 + j * 3) % 5 - 2) / 4.0;
    }

    private static double high(int i, int j) {
        return i > j ? 0 : i == j ? (i % 2 == 0 ? 2 : -4) : (i * 3 + j * 7) % 5 - 2;
    }

    boolean cholesky(MemorySegment code, int width) {
        int below = width == block ? 4 * shape.lanes() + 1 : 0;
        int left = block;
        int rows = width + below;
        try (Arena arena = Arena.ofConfined()) {
            Matrix a = new Matrix(arena, rows, left + width);
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < left; j++) {
                    a.set(i, j, low(i + left, j));
                }
                for (int j = 0; j < width && j <= i; j++) {
                    double sum = 0;
                    for (int p = 0; p < left; p++) {
                        sum += low(i + left, p) * low(j + left, p);
                    }
                    for (int p = 0; p <= j; p++) {
                        sum += root(i, p) * root(j, p);
                    }
                    a.set(i, left + j, sum);
                }
            }
            long info = Call.code(code, left, a.at, a.bytes(), below, 0, 0);
            boolean good = info == 0;
            for (int j = 0; j < width; j++) {
                for (int i = 0; i <= rows; i++) {
                    double expected = i == rows || i < j ? OUTSIDE : root(i, j);
                    good &= a.get(i, left + j) == expected;
                }
            }
            a.set(0, left, -1000);
            return good && Call.code(code, left, a.at, a.bytes(), below, 0, 0) == 1;
        }
    }

    /** The factor: the unit triangle with another diagonal. */
    private static double root(int i, int j) {
        return i == j ? 2 : low(i, j);
    }

    boolean eliminate(MemorySegment code, int width) {
        int left = 2 * block;
        int rows = left + 4 * shape.lanes() + 1;
        try (Arena arena = Arena.ofConfined()) {
            Matrix a = new Matrix(arena, rows, left + width);
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < left; j++) {
                    a.set(i, j, i > j ? low(i, j) : OUTSIDE);
                }
                for (int j = 0; j < width; j++) {
                    double sum = i < left ? high(i % 4, j + 4) : i + j;
                    for (int p = 0; p < Math.min(i, left); p++) {
                        sum += low(i, p) * high(p % 4, j + 4);
                    }
                    a.set(i, left + j, sum);
                }
            }
            Call.code(code, left, a.at, a.bytes(), rows, a.at + left * a.bytes(), 0);
            boolean good = true;
            for (int j = 0; j < width; j++) {
                for (int i = 0; i <= rows; i++) {
                    double expected = i == rows ? OUTSIDE : i < left ? high(i % 4, j + 4) : i + j;
                    good &= a.get(i, left + j) == expected;
                }
            }
            return good;
        }
    }

    boolean pivot(MemorySegment code, int width) {
        int rows = 6 * shape.lanes() + 3;
        try (Arena arena = Arena.ofConfined()) {
            Matrix a = new Matrix(arena, rows, width);
            long pivots = arena.allocate(8L * width, 8).address();
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < width; j++) {
                    double sum = 0;
                    for (int p = 0; p <= j; p++) {
                        sum += low(i, p) * high(p, j);
                    }
                    a.set(i, j, sum);
                }
            }
            for (int j = width - 1; j >= 0; j--) {
                for (int q = 0; q < width; q++) {
                    double t = a.get(j, q);
                    a.set(j, q, a.get(row(j, rows), q));
                    a.set(row(j, rows), q, t);
                }
            }
            boolean good = Call.code(code, rows, a.at, a.bytes(), pivots, 1, 0) == 0;
            for (int j = 0; j < width; j++) {
                good &= i64(pivots + 8L * j) == row(j, rows) + 1 && a.get(rows, j) == OUTSIDE;
                for (int i = 0; i < rows; i++) {
                    good &= a.get(i, j) == (i <= j ? high(i, j) : low(i, j));
                }
            }
            return good;
        }
    }

    /** The row of a pivot, somewhere in the panel. */
    private static int row(int j, int rows) {
        return j + (j * 7 + 11) % (rows - j);
    }

    boolean reflect(MemorySegment code, boolean gather) {
        int order = 5;
        try (Arena arena = Arena.ofConfined()) {
            Matrix from = new Matrix(arena, order, order);
            Matrix to = new Matrix(arena, order + 2, order);
            for (int j = 0; j < order; j++) {
                for (int i = 0; i < order; i++) {
                    from.set(i, j, i + 10 * j);
                }
            }
            Call.code(code, order, from.at, from.bytes(), to.at, to.bytes(), 0);
            boolean good = true;
            for (int j = 0; j < order; j++) {
                for (int i = 0; i <= order; i++) {
                    boolean inside = i < order && (gather ? i >= j : i <= j);
                    good &= to.get(i, j) == (inside ? j + 10 * i : OUTSIDE);
                }
            }
            return good;
        }
    }

    boolean swap(MemorySegment code, int element, boolean backward) {
        int rows = 9;
        int columns = 4 + 4 + 3;
        int ld = rows + 1;
        int[] pivots = {4, 1, 7, 7, 4};
        try (Arena arena = Arena.ofConfined()) {
            long ipiv = arena.allocate(8L * pivots.length, 8).address();
            MemorySegment matrix = arena.allocate((long) ld * columns * element, 64);
            long a = matrix.address();
            byte[] expected = new byte[ld * columns * element];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = (byte) (i * 37 + i / 251);
                matrix.set(JAVA_BYTE, i, expected[i]);
            }
            for (int k = 0; k < pivots.length; k++) {
                i64(ipiv + 8L * k, pivots[k] + 1);
            }
            for (int k = 0; k < pivots.length; k++) {
                int i = backward ? pivots.length - 1 - k : k;
                for (int at = 0; at < columns * element; at++) {
                    int x = (at / element * ld + i) * element + at % element;
                    int y = (at / element * ld + pivots[i]) * element + at % element;
                    byte t = expected[x];
                    expected[x] = expected[y];
                    expected[y] = t;
                }
            }
            int first = backward ? pivots.length - 1 : 0;
            long row = a + (long) first * element;
            Call.code(code, columns, a - element, (long) ld * element, ipiv + 8L * first, pivots.length, row);
            boolean good = true;
            for (int i = 0; i < expected.length; i++) {
                good &= matrix.get(JAVA_BYTE, i) == expected[i];
            }
            return good;
        }
    }
}
