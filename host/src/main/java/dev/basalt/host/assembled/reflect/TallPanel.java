package dev.basalt.host.assembled.reflect;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * QR of a panel with far more rows than columns, in two passes over memory: AᴴA = RᴴR by Cholesky, and A's reflectors from Q = A·R⁻¹. With S the signs that
 * Householder chooses, Q - S = V·U without pivoting (Ballard, Demmel, Grigori, Jacquelin, Knight, Nguyen, "Reconstructing Householder vectors from tall-skinny QR",
 * 2015), so V = A·(R⁻¹·U⁻¹), T = -U·S·V₁⁻ᴴ and the triangle of A is S·R: LAPACK's numbers but for rounding.
 *
 * <p>Q from AᴴA is orthogonal up to the square of A's condition, so a panel is taken only where that is small. It is taken with columns scaled to length 1,
 * since neither Cholesky nor QR notices their lengths. Whether it may be is asked early, too, of the first blocks of rows.
 */
public final class TallPanel {
    /** The most columns. */
    private static final int MOST = 64;

    /** The fewest columns. */
    private static final int FEWEST = 8;

    /** So many rows a column make the work on small matrices cheap beside the passes. */
    private static final long TALL = 128;

    /** The squares of the inverse of the scaled triangle may sum up to so many times those of the identity. */
    private static final double LIMIT = 16;

    /** The first question is less strict: more rows make columns less alike. */
    private static final double EARLY = 256;

    /** Blocks of rows before it. */
    private static final long ASKED = 8;

    /** Small matrices in the scratch. */
    private static final int MATRICES = 3;

    private static final long TILES = 1 << 16;

    private final ReflectTable kernels;
    private final ScratchPool pool;
    private final Shape shape;
    private final boolean complex;
    private final int unit;
    private final int size;
    private final int element;
    private final int side;
    private final int tile;

    /**
     * Panels of one type.
     *
     * @param kernels of reflectors
     * @param shape registers
     * @param complex whether elements are complex
     */
    TallPanel(ReflectTable kernels, Shape shape, boolean complex) {
        this.kernels = kernels;
        this.shape = shape;
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.element = size * unit;
        this.side = GramCode.side(shape, complex);
        this.tile = GramCode.tileBytes(shape, complex);
        this.pool = new ScratchPool(MATRICES * (long) MOST * MOST * element + TILES + 2 * MOST * 8L);
    }

    /**
     * Factors a panel if it is tall and well conditioned.
     *
     * @param leaf kernels of the same type
     * @param m rows
     * @param n columns
     * @param c address
     * @param ldc elements between columns
     * @param tau address of the factors
     * @param t address of T, or 0
     * @param ldt elements between its columns
     * @return whether it is factored; else it is as it was
     */
    public boolean factor(Leaf leaf, long m, long n, long c, long ldc, long tau, long t, long ldt) {
        if (n < FEWEST || n > MOST || m < TALL * n) {
            return false;
        }
        MemorySegment memory = pool.take();
        long g = memory.address();
        long w = g + n * n * element;
        long q = w + n * n * element;
        long tiles = g + MATRICES * (long) MOST * MOST * element;
        long signs = tiles + TILES;
        boolean good = gram(leaf, m, n, c, ldc, g, w, tiles, signs);
        if (good) {
            reconstruct(leaf, n, c, ldc, w, q, signs, tau);
            if (t != 0) {
                triangle(leaf, n, q, signs, t, ldt);
            }
            top(leaf, n, g, q, signs, c, ldc);
            leaf.trmm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, m - n, n, 1, 0, w, n, c + n * element, ldc);
        }
        pool.give(memory);
        return good;
    }

    // AᴴA, its triangle R, and the inverse of that.

    private boolean gram(Leaf leaf, long m, long n, long c, long ldc, long g, long w, long tiles, long lengths) {
        Memory.fill(tiles, TILES, (byte) 0);
        long lanes = shape.lanes() / unit;
        long rows = GramCode.BLOCK / element;
        for (long i = 0; i + lanes <= m; i += rows) {
            if (i == ASKED * rows && !inverse(leaf, n, 0, c, ldc, g, w, tiles, lengths, EARLY)) {
                return false;
            }
            block(n, Math.min(rows, m - i) / lanes, c + i * element, ldc * element, tiles);
        }
        long rest = m % lanes;
        return inverse(leaf, n, rest, c + (m - rest) * element, ldc, g, w, tiles, lengths, LIMIT);
    }

    private void block(long n, long vectors, long c, long step, long tiles) {
        long out = tiles;
        for (long p = 0; p < n; p += side) {
            long x = c + Math.min(p, n - side) * step;
            for (long q = p; q < n; q += side) {
                long y = c + Math.min(q, n - side) * step;
                NativeCall.code(kernels.gram(p == q), x, y, step, vectors, out, 0);
                out += tile;
            }
        }
    }

    /** R and its inverse, where both are good enough; with rows of A that are in no tile. */
    private boolean inverse(Leaf leaf, long n, long rest, long c, long ldc, long g, long w, long tiles, long lengths,
            double limit) {
        collect(n, g, tiles);
        if (rest > 0) {
            leaf.syrk(Uplo.UPPER, Op.CONJ_TRANS, complex, n, rest, 1, 0, c, ldc, 1, 0, g, n);
        }
        double smallest = size == 8 ? Reflectors.SMALLEST : Reflectors.SMALLEST_FLOAT;
        double largest = (size == 8 ? Double.MAX_VALUE : Float.MAX_VALUE) / 8;
        for (long j = 0; j < n; j++) {
            double square = get(g + j * (n + 1) * element);
            if (!(square >= smallest && square <= largest)) {
                return false;
            }
            f64(lengths + 8 * j, square);
        }
        if (leaf.potf2(Uplo.UPPER, n, g, n) != 0) {
            return false;
        }
        Memory.fill(w, n * n * element, (byte) 0);
        for (long j = 0; j < n; j++) {
            leaf.copy(j + 1, g + j * n * element, 1, w + j * n * element, 1);
        }
        leaf.trtri(Uplo.UPPER, Diag.NON_UNIT, n, w, n);
        double sum = 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i <= j; i++) {
                double x = get(w + (i + j * n) * element);
                double y = complex ? get(w + (i + j * n) * element + size) : 0;
                sum += f64(lengths + 8 * i) * (x * x + y * y);
            }
        }
        return sum <= limit * n;
    }

    private double get(long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    private void set(long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    /** The sums of the tiles, on and above the diagonal. Tiles at the end reach back over others. */
    private void collect(long n, long g, long tiles) {
        long out = tiles;
        for (long p = 0; p < n; p += side) {
            for (long q = p; q < n; q += side, out += tile) {
                for (long i = Math.min(p, n - side), end = i + side, at = out; i < end; i++) {
                    for (long j = Math.min(q, n - side), last = j + side; j < last; j++, at += element) {
                        if (i <= j) {
                            long to = g + (i + j * n) * element;
                            set(to, get(at));
                            if (complex) {
                                set(to + size, i == j ? 0 : -get(at + size));
                            }
                        }
                    }
                }
            }
        }
    }

    // Reflectors.

    /** q := V₁ and U of the first rows of Q - S; w := R⁻¹·U⁻¹. */
    private void reconstruct(Leaf leaf, long n, long c, long ldc, long w, long q, long signs, long tau) {
        leaf.copyMatrix(n, n, c, ldc, q, n);
        leaf.trmm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n, n, 1, 0, w, n, q, n);
        for (long j = 0; j < n; j++) {
            long own = q + j * (n + 1) * element;
            double re = get(own);
            double im = complex ? get(own + size) : 0;
            double sign = -Math.copySign(1, re);
            f64(signs + 8 * j, sign);
            re -= sign;
            set(own, re);
            set(tau + j * element, -sign * re);
            if (complex) {
                set(tau + j * element + size, -sign * im);
            }
            double square = re * re + im * im;
            long left = n - j - 1;
            leaf.scal(left, re / square, -im / square, !complex, own + element, 1);
            leaf.ger(left, left, -1, 0, own + element, 1, own + n * element, n, false, own + (n + 1) * element, n);
        }
        leaf.trsm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n, n, 1, 0, q, n, w, n);
    }

    /** T = -U·S·V₁⁻ᴴ. */
    private void triangle(Leaf leaf, long n, long q, long signs, long t, long ldt) {
        leaf.scalMatrix(n, n, 0, 0, t, ldt);
        for (long j = 0; j < n; j++) {
            leaf.copy(j + 1, q + j * n * element, 1, t + j * ldt * element, 1);
            leaf.scal(j + 1, -f64(signs + 8 * j), 0, true, t + j * ldt * element, 1);
        }
        leaf.trsm(Side.RIGHT, Uplo.LOWER, Op.CONJ_TRANS, Diag.UNIT, n, n, 1, 0, q, n, t, ldt);
    }

    /** The first rows of A: S·R, and V₁ below its diagonal. */
    private void top(Leaf leaf, long n, long g, long q, long signs, long c, long ldc) {
        for (long j = 0; j < n; j++) {
            long column = c + j * ldc * element;
            leaf.copy(j + 1, g + j * n * element, 1, column, 1);
            leaf.copy(n - j - 1, q + (j * (n + 1) + 1) * element, 1, column + (j + 1) * element, 1);
        }
        for (long i = 0; i < n; i++) {
            leaf.scal(n - i, f64(signs + 8 * i), 0, true, c + i * (ldc + 1) * element, ldc);
        }
    }
}
