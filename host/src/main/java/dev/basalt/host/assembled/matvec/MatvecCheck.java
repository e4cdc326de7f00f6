package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Real;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntUnaryOperator;

/**
 * Runs a new kernel of matrices and vectors once on a small problem and compares with scalar Java, as {@code ProductCheck} does:
 * operands are small whole numbers, so both must agree in every bit, and memory around the result must stay as it was.
 */
final class MatvecCheck {
    /** A whole panel and each of the powers of two below. */
    private static final int COLUMNS = 15;

    private static final double ALPHA = 3;
    private static final double ALPHA_IM = -2;

    private final int size;
    private final int parts;
    private final int rows;
    private final int ld;

    /**
     * A check with so many rows.
     *
     * @param rows rows of the matrix: whole vectors and a part of one, unless the kernel is for some
     */
    MatvecCheck(Real precision, boolean complex, int rows) {
        this.size = precision.bytes;
        this.parts = complex ? 2 : 1;
        this.rows = rows;
        this.ld = rows + 2;
    }

    private double get(long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    private double re(long vector, int i) {
        return get(vector + (long) i * parts * size);
    }

    private double im(long vector, int i) {
        return parts == 2 ? get(vector + ((long) i * parts + 1) * size) : 0;
    }

    /** Elements of a fixed pattern. */
    private long numbers(Arena arena, int count, int seed) {
        long at = arena.allocate((long) count * parts * size, 64).address();
        for (int i = 0; i < count * parts; i++) {
            set(at + (long) i * size, (i * 7 + seed * 5) % 11 - 5);
        }
        return at;
    }

    private void set(long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    private double[] values(long at, int count) {
        double[] result = new double[count * parts];
        for (int i = 0; i < result.length; i++) {
            result[i] = get(at + (long) i * size);
        }
        return result;
    }

    boolean agrees(PanelKind kind, MemorySegment code) {
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, ld * COLUMNS, 1);
            long down = numbers(arena, rows + 1, 2);
            long across = numbers(arena, COLUMNS + 1, 3);
            double[] newA = values(a, ld * COLUMNS);
            double[] newDown = values(down, rows + 1);
            double[] newAcross = values(across, COLUMNS + 1);
            switch (kind) {
                case GEMV, GEMV_SET -> product(newDown, kind.sets(), a, 1, rows, ld, COLUMNS, false, across);
                case GEMV_T, GEMV_T_SET, GEMV_C, GEMV_C_SET ->
                    product(newAcross, kind.sets(), a, ld, COLUMNS, 1, rows, kind.conjugates(), down);
                default -> {
                    for (int j = 0; j < COLUMNS; j++) {
                        for (int i = 0; i < rows; i++) {
                            double sign = kind.conjugates() ? -1 : 1;
                            add(newA, i + j * ld, re(down, i), im(down, i), re(across, j), sign * im(across, j));
                        }
                    }
                }
            }
            NativeCall.tile(code, (long) rows * parts, COLUMNS, a, (long) ld * parts * size, down, across, ALPHA,
                    parts == 2 ? ALPHA_IM : 0);
            return same(newA, a) && same(newDown, down) && same(newAcross, across);
        }
    }

    /** Of so many vectors. */
    boolean dots(int few, MemorySegment code) {
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, ld * COLUMNS, 1);
            long b = numbers(arena, ld * few, 2);
            int ldd = COLUMNS + 1;
            long d = numbers(arena, ldd * few, 3);
            double[] result = values(d, ldd * few);
            for (int j = 0; j < few; j++) {
                for (int i = 0; i < COLUMNS; i++) {
                    for (int p = 0; p < rows; p++) {
                        result[i + j * ldd] += re(a, p + i * ld) * re(b, p + j * ld);
                    }
                }
            }
            NativeCall.direct(code, rows, COLUMNS, a, (long) ld * size, b, d, (long) ld * size, (long) ldd * size, 0, 0,
                    0, 0);
            return same(result, d);
        }
    }

    /**
     * Two blocks of so many columns, at the end of a matrix in the lower triangle and at its beginning in the upper; or a corner.
     */
    boolean symmetric(SymvCode.Part part, boolean hermitian, int width, MemorySegment code) {
        boolean corner = part == SymvCode.Part.CORNER_LOWER || part == SymvCode.Part.CORNER_UPPER;
        boolean beside = part == SymvCode.Part.BESIDE;
        boolean lower = part != SymvCode.Part.UPPER && part != SymvCode.Part.CORNER_UPPER;
        int blocks = corner ? 1 : 2;
        int n = corner ? width : blocks * width + rows;
        int first = lower ? 0 : n - blocks * width;
        int down = beside ? blocks * width : part == SymvCode.Part.LOWER ? width : 0;
        int height = corner ? width : beside || part == SymvCode.Part.UPPER ? rows : n - width;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, n * n, 1);
            long x = numbers(arena, n + 1, 2);
            long y = numbers(arena, n + 1, 3);
            double[] newY = values(y, n + 1);
            for (int j = first; j < first + blocks * width; j++) {
                for (int i = beside ? down : lower ? j : 0; i < (lower ? n : j + 1); i++) {
                    int at = i + j * n;
                    double im = i == j && hermitian ? 0 : im(a, at);
                    add(newY, i, re(a, at), im, re(x, j), im(x, j));
                    if (i != j) {
                        add(newY, j, re(a, at), hermitian ? -im : im, re(x, i), im(x, i));
                    }
                }
            }
            long bytes = (long) parts * size;
            NativeCall.panels(code, (long) height * parts, blocks, a + (down + (long) first * n) * bytes, n * bytes,
                    y + down * bytes, x + down * bytes, y + first * bytes, ALPHA, parts == 2 ? ALPHA_IM : 0);
            return same(newY, y);
        }
    }

    /** Three blocks and a rest; the diagonal is such that solutions are whole numbers too. */
    boolean triangle(Triangle what, boolean packed, int rest, MemorySegment code) {
        int block = TriangleCode.block(parts == 2);
        int n = 3 * block + rest;
        int growth = packed ? what.lower() ? -1 : 1 : 0;
        int lda = packed ? what.lower() ? n - 1 : 1 : n + 1;
        IntUnaryOperator column = j -> j * lda + growth * (j * (j - 1) / 2);
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, (n + 1) * n, 1);
            long x = numbers(arena, n + 1, 2);
            for (int i = 0; i < n; i++) {
                // 1, 2, or 1, 2i, -i, -2.
                long at = a + (long) (i + column.applyAsInt(i)) * parts * size;
                boolean imaginary = parts == 2 && (i % 4 == 1 || i % 4 == 2);
                double value = (i % 4 == 2 ? -1 : 1) * (1 + i % 2);
                set(at, imaginary ? 0 : value);
                if (parts == 2) {
                    set(at + size, imaginary ? value : 0);
                }
            }
            double[] original = values(x, n + 1);
            double[] product = original.clone();
            for (int i = 0; i < n; i++) {
                double re = what.unit() ? re(x, i) : 0;
                double im = what.unit() ? im(x, i) : 0;
                for (int j = 0; j < n; j++) {
                    int at = what.transposed() ? j + column.applyAsInt(i) : i + column.applyAsInt(j);
                    if (i == j ? !what.unit() : j < i == what.opLower()) {
                        double ar = re(a, at);
                        double ai = what.conj() ? -im(a, at) : im(a, at);
                        re += ar * re(x, j) - ai * im(x, j);
                        im += ar * im(x, j) + ai * re(x, j);
                    }
                }
                product[i * parts] = re;
                if (parts == 2) {
                    product[2 * i + 1] = im;
                }
            }
            for (int i = 0; what.solves() && i < n * parts; i++) {
                set(x + (long) i * size, product[i]);
            }
            long bytes = (long) parts * size;
            int first = what.forward() ? 0 : n - (what.shrinks() ? block : rest);
            long height = (what.shrinks() ? n - block : rest) * (long) parts;
            long square = a + (first + column.applyAsInt(first)) * bytes;
            long stopped =
                    NativeCall.code(code, height, 3, square, (lda + growth * first) * bytes, x + first * bytes, 0);
            return stopped == 0 && same(what.solves() ? original : product, x);
        }
    }

    /** y := alpha·A·x + y, where A's rows lie {@code down} elements apart and its columns {@code across}. */
    private void product(double[] y, boolean set, long a, int down, int m, int across, int n, boolean conj, long x) {
        for (int i = 0; i < m; i++) {
            for (int p = 0; set && p < parts; p++) {
                y[i * parts + p] = 0;
            }
            for (int j = 0; j < n; j++) {
                int at = i * down + j * across;
                add(y, i, re(a, at), conj ? -im(a, at) : im(a, at), re(x, j), im(x, j));
            }
        }
    }

    /** Element i of y := alpha·a·b + itself. */
    private void add(double[] y, int i, double ar, double ai, double br, double bi) {
        double re = ar * br - ai * bi;
        double im = ar * bi + ai * br;
        if (parts == 1) {
            y[i] += ALPHA * re;
        } else {
            y[2 * i] += ALPHA * re - ALPHA_IM * im;
            y[2 * i + 1] += ALPHA * im + ALPHA_IM * re;
        }
    }

    private boolean same(double[] expected, long at) {
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != get(at + (long) i * size)) {
                return false;
            }
        }
        return true;
    }
}
