package dev.basalt.host.assembled.factor;

import static dev.basalt.spi.Memory.i64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.Numbers;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Runs a new kernel of a factorisation once on a matrix whose factors are known and have so few digits that nothing is rounded:
 * every bit must come out, and what lies around must stay as it was.
 */
final class FactorCheck {
    private static final double OUTSIDE = 77;

    private final Shape shape;
    private final boolean complex;
    /** Bytes of a real number. */
    private final int size;
    /** Real numbers of an element. */
    private final int unit;

    private final int block;

    FactorCheck(Shape shape, boolean complex) {
        this.shape = shape;
        this.complex = complex;
        this.size = shape.precision().bytes;
        this.unit = complex ? 2 : 1;
        this.block = FactorTile.block(shape, complex);
    }

    /** A matrix in memory, one row longer than it says. Parts are 0 for real, 1 for imaginary. */
    private final class Matrix {
        final int ld;
        final long at;
        private final Numbers memory;
        /** What goes into memory, or came from there. */
        private double[] numbers;

        Matrix(Arena arena, int rows, int columns) {
            this.ld = rows + 1;
            this.numbers = new double[ld * columns * unit];
            Arrays.fill(numbers, OUTSIDE);
            this.memory = new Numbers(arena, size, numbers);
            this.at = memory.address();
        }

        private int place(int i, int j, int part) {
            return (i + j * ld) * unit + part;
        }

        double get(int i, int j, int part) {
            return numbers[place(i, j, part)];
        }

        void set(int i, int j, int part, double value) {
            numbers[place(i, j, part)] = value;
        }

        /** Puts what was set into memory. */
        void write() {
            memory.write(numbers);
        }

        /** Gets what memory has. */
        void read() {
            numbers = memory.read();
        }

        long bytes() {
            return (long) ld * size * unit;
        }
    }

    /** A factor of the matrix. */
    private enum Factor {
        /** Below a unit diagonal. */
        LOW,
        /** The same further down. */
        LOWER,
        /** The factor of a Hermitian matrix. */
        ROOT,
        /** Upper triangular. */
        HIGH,
        /** Full. */
        RIGHT
    }

    private double at(Factor factor, int i, int j, int part) {
        return switch (factor) {
            case LOW -> low(i, j, part);
            case LOWER -> low(i + block, j, part);
            case ROOT -> root(i, j, part);
            case HIGH -> high(i, j, part);
            case RIGHT -> high(i % 4, j + 4, part);
        };
    }

    /** Below a unit diagonal: never larger than three quarters. */
    private double low(int i, int j, int part) {
        if (part == 1) {
            return complex && i > j ? (i + j * 2) % 3 / 4.0 - 0.25 : 0;
        }
        return i == j ? 1 : i < j ? 0 : ((i * 5 + j * 3) % 5 - 2) / 4.0;
    }

    /** The diagonal is real or imaginary, so that its reciprocals are exact. */
    private double high(int i, int j, int part) {
        if (i == j) {
            double value = i % 2 == 0 ? 2 : -4;
            return part == (complex && i % 3 == 1 ? 1 : 0) ? value : 0;
        }
        return i > j || !complex && part == 1 ? 0 : (i * 3 + j * 7 + part) % 5 - 2;
    }

    /** The factor of a Hermitian matrix: another diagonal. */
    private double root(int i, int j, int part) {
        return i == j ? part == 0 ? 2 : 0 : low(i, j, part);
    }

    /** An element of the product of the first {@code depth} columns and rows of two matrices, the second maybe a conjugate. */
    private double product(Factor a, int i, Factor b, int j, boolean hermitian, int depth, int part) {
        double sum = 0;
        for (int p = 0; !complex && p < depth; p++) {
            sum += at(a, i, p, 0) * (hermitian ? at(b, j, p, 0) : at(b, p, j, 0));
        }
        for (int p = 0; complex && p < depth; p++) {
            double ar = at(a, i, p, 0);
            double ai = at(a, i, p, 1);
            double br = hermitian ? at(b, j, p, 0) : at(b, p, j, 0);
            double bi = hermitian ? -at(b, j, p, 1) : at(b, p, j, 1);
            sum += part == 0 ? ar * br - ai * bi : ar * bi + ai * br;
        }
        return sum;
    }

    boolean cholesky(MemorySegment code, int width) {
        int below = width == block ? 4 * shape.lanes() + 1 : 0;
        int left = block;
        int rows = width + below;
        try (Arena arena = Arena.ofConfined()) {
            Matrix a = new Matrix(arena, rows, left + width);
            for (int part = 0; part < unit; part++) {
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < left; j++) {
                        a.set(i, j, part, low(i + left, j, part));
                    }
                    for (int j = 0; j < width && j <= i; j++) {
                        double sum = product(Factor.LOWER, i, Factor.LOWER, j, true, left, part);
                        a.set(i, left + j, part, sum + product(Factor.ROOT, i, Factor.ROOT, j, true, j + 1, part));
                    }
                }
            }
            a.write();
            boolean good = NativeCall.code(code, left, a.at, a.bytes(), below, 0, 0) == 0;
            a.read();
            for (int part = 0; part < unit; part++) {
                for (int j = 0; j < width; j++) {
                    for (int i = 0; i <= rows; i++) {
                        double expected = i == rows || i < j ? OUTSIDE : root(i, j, part);
                        good &= a.get(i, left + j, part) == expected;
                    }
                }
            }
            a.set(0, left, 0, -1000);
            a.write();
            return good && NativeCall.code(code, left, a.at, a.bytes(), below, 0, 0) == 1;
        }
    }

    boolean eliminate(MemorySegment code, int width) {
        int left = 2 * block;
        int rows = left + 4 * shape.lanes() + 1;
        try (Arena arena = Arena.ofConfined()) {
            Matrix a = new Matrix(arena, rows, left + width);
            for (int part = 0; part < unit; part++) {
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < left; j++) {
                        a.set(i, j, part, i > j ? low(i, j, part) : OUTSIDE);
                    }
                    for (int j = 0; j < width; j++) {
                        double sum = product(Factor.LOW, i, Factor.RIGHT, j, false, Math.min(i, left), part);
                        a.set(i, left + j, part, sum + (i < left ? at(Factor.RIGHT, i, j, part) : i + j));
                    }
                }
            }
            a.write();
            NativeCall.code(code, left, a.at, a.bytes(), rows, a.at + left * a.bytes(), 0);
            a.read();
            boolean good = true;
            for (int part = 0; part < unit; part++) {
                for (int j = 0; j < width; j++) {
                    for (int i = 0; i <= rows; i++) {
                        double expected = i == rows ? OUTSIDE : i < left ? at(Factor.RIGHT, i, j, part) : i + j;
                        good &= a.get(i, left + j, part) == expected;
                    }
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
            for (int part = 0; part < unit; part++) {
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < width; j++) {
                        a.set(i, j, part, product(Factor.LOW, i, Factor.HIGH, j, false, j + 1, part));
                    }
                }
                for (int j = width - 1; j >= 0; j--) {
                    for (int q = 0; q < width; q++) {
                        double t = a.get(j, q, part);
                        a.set(j, q, part, a.get(row(j, rows), q, part));
                        a.set(row(j, rows), q, part, t);
                    }
                }
            }
            a.write();
            boolean good = NativeCall.code(code, rows, a.at, a.bytes(), pivots, 1, 0) == 0;
            a.read();
            for (int j = 0; j < width; j++) {
                good &= i64(pivots + 8L * j) == row(j, rows) + 1;
                for (int part = 0; part < unit; part++) {
                    good &= a.get(rows, j, part) == OUTSIDE;
                    for (int i = 0; i < rows; i++) {
                        good &= a.get(i, j, part) == (i <= j ? high(i, j, part) : low(i, j, part));
                    }
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
        // Squares, and what is left beside them.
        int order = 11;
        try (Arena arena = Arena.ofConfined()) {
            Matrix from = new Matrix(arena, order, order);
            Matrix to = new Matrix(arena, order + 2, order);
            for (int j = 0; j < order; j++) {
                for (int i = 0; i < order; i++) {
                    from.set(i, j, 0, i + 20 * j);
                }
            }
            from.write();
            NativeCall.code(code, order, from.at, from.bytes(), to.at, to.bytes(), 0);
            to.read();
            boolean good = true;
            for (int j = 0; j < order; j++) {
                for (int i = 0; i <= order; i++) {
                    boolean inside = i < order && (gather ? i >= j : i <= j);
                    good &= to.get(i, j, 0) == (inside ? j + 20 * i : OUTSIDE);
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
            }
            MemorySegment.copy(expected, 0, matrix, JAVA_BYTE, 0, expected.length);
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
            long ldb = (long) ld * element;
            long found = NativeCall.swap(code, columns, a, ldb, ipiv + 8L * first, pivots.length, row, rows, 1);
            boolean good = found == 0 && Arrays.equals(matrix.toArray(JAVA_BYTE), expected);
            // With one row the first pivot is wrong already.
            return good && NativeCall.swap(code, columns, a, ldb, ipiv + 8L * first, pivots.length, row, 1, 1) == 1;
        }
    }
}
