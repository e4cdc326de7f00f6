package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.zero;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;

/**
 * trsm and trmm with small complex triangles, as {@link VectorDTriangle}. In the panel real and imaginary parts are kept apart, and two
 * columns at a time are in registers.
 */
final class VectorZTriangle {
    /** Highest triangle. */
    static final int ORDER = 64;
    /** Rows or columns of B in a panel. */
    private static final int WIDE = 2 * LANES;
    /** Reals in a row of the panel: WIDE real parts, then the imaginary ones. */
    private static final int ROW = 2 * WIDE;
    /** Bytes of an element. */
    private static final int BYTES = 2 * SIZE;

    /** The larger part of a diagonal element lies between 1 / LIMIT and LIMIT, so that squares are safe. */
    private static final double LIMIT = 0x1p500; // float: private static final float LIMIT = 0x1p60f;

    /** Columns of the triangle by twos, from the top to the diagonal; negated for solving. */
    private final double[] triangle = new double[ORDER * ORDER + 4 * ORDER];

    private final double[] inverse = new double[2 * ORDER];
    private final double[] panel = new double[ORDER * ROW];
    private int order;
    /** Whether the numbering is that of B; else it is turned round. */
    private boolean forward;
    /** First element of the upper triangle, and bytes between its rows and columns. */
    private long first;

    private long dk;
    private long dj;
    /** -1 where A is conjugated, else 1. */
    private double sign;

    /**
     * Solves op(A)·X = B or X·op(A) = B in place, with a triangle of at most ORDER.
     *
     * @return false, and nothing is done, if the diagonal is not fit for reciprocals
     */
    boolean solve(Side side, Uplo uplo, Op op, Diag diag, long m, long n, long a, long lda, long b, long ldb) {
        turn(side, uplo, op, m, n, a, lda);
        if (!invert(diag == Diag.UNIT)) {
            return false;
        }
        fill(-1, 0);
        run(true, side == Side.LEFT, m, n, b, ldb);
        return true;
    }

    /** B := alpha·op(A)·B or alpha·B·op(A), with a triangle of at most ORDER. */
    void multiply(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double re, double im, long a, long lda,
            long b, long ldb) {
        turn(side, uplo, op, m, n, a, lda);
        fill(re, im);
        for (int j = 0; j < order; j++) {
            if (diag == Diag.UNIT) {
                triangle[column(j) + 4 * j] = re;
                triangle[column(j) + 4 * j + 1] = im;
            } else {
                take(column(j) + 4 * j, first + j * (dk + dj), re, im);
            }
        }
        run(false, side == Side.LEFT, m, n, b, ldb);
    }

    /** Numbers the triangle so that it is upper: column j is made with the columns before it. */
    private void turn(Side side, Uplo uplo, Op op, long m, long n, long a, long lda) {
        boolean left = side == Side.LEFT;
        order = (int) (left ? m : n);
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        forward = lower == left;
        long unit = forward ? BYTES : -BYTES;
        dk = unit * (left == (op == Op.NONE) ? lda : 1);
        dj = unit * (left == (op == Op.NONE) ? 1 : lda);
        first = forward ? a : a + (order - 1) * (lda + 1) * BYTES;
        sign = op == Op.CONJ_TRANS ? -1 : 1;
    }

    private boolean invert(boolean unit) {
        for (int j = 0; j < order; j++) {
            long d = first + j * (dk + dj);
            double re = unit ? 1 : f64(d);
            double im = unit ? 0 : sign * f64(d + SIZE);
            double size = Math.max(Math.abs(re), Math.abs(im));
            if (!(size > 1 / LIMIT && size < LIMIT)) {
                return false;
            }
            double square = re * re + im * im;
            inverse[2 * j] = re / square;
            inverse[2 * j + 1] = -im / square;
        }
        return true;
    }

    private void fill(double re, double im) {
        for (int j = 0; j < order; j++) {
            int to = column(j);
            long from = first + j * dj;
            for (int k = 0; k < j; k++) {
                take(to, from, re, im);
                from += dk;
                to += 4;
            }
        }
        if (order % 2 != 0) {
            // The last column is missing: the panel's column is there, but nobody looks at the result.
            inverse[2 * order] = 0;
            inverse[2 * order + 1] = 0;
            for (int k = 0, to = column(order); k <= order; k++, to += 4) {
                triangle[to] = 0;
                triangle[to + 1] = 0;
            }
        }
    }

    /** An element of the triangle := a factor times an element of op(A). */
    private void take(int to, long from, double re, double im) {
        double ar = f64(from);
        double ai = sign * f64(from + SIZE);
        triangle[to] = re * ar - im * ai;
        triangle[to + 1] = re * ai + im * ar;
    }

    /** Where the factors for column j begin, 4 reals apart. */
    private static int column(int j) {
        int block = j / 2;
        return 4 * block * (block + 1) + 2 * (j % 2);
    }

    /** Takes B through the panel. */
    private void run(boolean solve, boolean left, long m, long n, long b, long ldb) {
        long column = ldb * BYTES;
        long step = left ? BYTES : column;
        long across = left ? column : BYTES;
        long from = forward ? b : b + (order - 1) * step;
        step = forward ? step : -step;
        long length = left ? n : m;
        for (long i = 0; i < length; i += WIDE) {
            int count = (int) Math.min(WIDE, length - i);
            long at = from + i * across;
            if (count < WIDE) {
                Arrays.fill(panel, 0, order * ROW, 0);
            }
            if (left) {
                VectorZPack.split(count, order, at, across, step, panel, WIDE);
                run(solve);
                VectorZPack.join(count, order, panel, at, across, step, WIDE);
            } else {
                VectorZPack.splitRows(count, order, at, step, panel, WIDE);
                run(solve);
                VectorZPack.joinRows(count, order, panel, at, step, WIDE);
            }
        }
    }

    private void run(boolean solve) {
        int blocks = (order + 1) / 2;
        if (order % 2 != 0) {
            Arrays.fill(panel, order * ROW, 2 * blocks * ROW, 0);
        }
        if (solve) {
            for (int block = 0; block < blocks; block++) {
                solve2(block, panel, triangle, inverse);
            }
        } else {
            for (int block = blocks - 1; block >= 0; block--) {
                multiply2(block, panel, triangle);
            }
        }
    }

    /** Solves for columns 2·block and 2·block + 1 of the panel, with the columns before, which are solved. */
    private static void solve2(int block, double[] panel, double[] t, double[] inverse) {
        int c = 2 * block * ROW;
        DoubleVector r00 = fromArray(SPECIES, panel, c);
        DoubleVector r10 = fromArray(SPECIES, panel, c + LANES);
        DoubleVector i00 = fromArray(SPECIES, panel, c + 2 * LANES);
        DoubleVector i10 = fromArray(SPECIES, panel, c + 3 * LANES);
        DoubleVector r01 = fromArray(SPECIES, panel, c + 4 * LANES);
        DoubleVector r11 = fromArray(SPECIES, panel, c + 5 * LANES);
        DoubleVector i01 = fromArray(SPECIES, panel, c + 6 * LANES);
        DoubleVector i11 = fromArray(SPECIES, panel, c + 7 * LANES);
        int g = 4 * block * (block + 1);
        for (int p = 0; p < c; p += ROW) {
            DoubleVector a0 = fromArray(SPECIES, panel, p);
            DoubleVector b0 = fromArray(SPECIES, panel, p + 2 * LANES);
            DoubleVector a1 = fromArray(SPECIES, panel, p + LANES);
            DoubleVector b1 = fromArray(SPECIES, panel, p + 3 * LANES);
            DoubleVector tr0 = broadcast(SPECIES, t[g]);
            DoubleVector ti0 = broadcast(SPECIES, t[g + 1]);
            r00 = b0.fma(ti0.neg(), a0.fma(tr0, r00));
            i00 = b0.fma(tr0, a0.fma(ti0, i00));
            r10 = b1.fma(ti0.neg(), a1.fma(tr0, r10));
            i10 = b1.fma(tr0, a1.fma(ti0, i10));
            DoubleVector tr1 = broadcast(SPECIES, t[g + 2]);
            DoubleVector ti1 = broadcast(SPECIES, t[g + 3]);
            r01 = b0.fma(ti1.neg(), a0.fma(tr1, r01));
            i01 = b0.fma(tr1, a0.fma(ti1, i01));
            r11 = b1.fma(ti1.neg(), a1.fma(tr1, r11));
            i11 = b1.fma(tr1, a1.fma(ti1, i11));
            g += 4;
        }
        DoubleVector dr0 = broadcast(SPECIES, inverse[4 * block]);
        DoubleVector di0 = broadcast(SPECIES, inverse[4 * block + 1]);
        DoubleVector x00 = i00.fma(di0.neg(), r00.mul(dr0));
        DoubleVector y00 = i00.fma(dr0, r00.mul(di0));
        DoubleVector x10 = i10.fma(di0.neg(), r10.mul(dr0));
        DoubleVector y10 = i10.fma(dr0, r10.mul(di0));
        DoubleVector ur = broadcast(SPECIES, t[g + 2]);
        DoubleVector ui = broadcast(SPECIES, t[g + 3]);
        r01 = y00.fma(ui.neg(), x00.fma(ur, r01));
        i01 = y00.fma(ur, x00.fma(ui, i01));
        r11 = y10.fma(ui.neg(), x10.fma(ur, r11));
        i11 = y10.fma(ur, x10.fma(ui, i11));
        DoubleVector dr1 = broadcast(SPECIES, inverse[4 * block + 2]);
        DoubleVector di1 = broadcast(SPECIES, inverse[4 * block + 3]);
        DoubleVector x01 = i01.fma(di1.neg(), r01.mul(dr1));
        DoubleVector y01 = i01.fma(dr1, r01.mul(di1));
        DoubleVector x11 = i11.fma(di1.neg(), r11.mul(dr1));
        DoubleVector y11 = i11.fma(dr1, r11.mul(di1));
        x00.intoArray(panel, c);
        x10.intoArray(panel, c + LANES);
        y00.intoArray(panel, c + 2 * LANES);
        y10.intoArray(panel, c + 3 * LANES);
        x01.intoArray(panel, c + 4 * LANES);
        x11.intoArray(panel, c + 5 * LANES);
        y01.intoArray(panel, c + 6 * LANES);
        y11.intoArray(panel, c + 7 * LANES);
    }

    /** Columns 2·block and 2·block + 1 of the panel := their product with the triangle; the columns before are still as they were. */
    private static void multiply2(int block, double[] panel, double[] t) {
        int c = 2 * block * ROW;
        DoubleVector r00 = zero(SPECIES);
        DoubleVector r10 = zero(SPECIES);
        DoubleVector i00 = zero(SPECIES);
        DoubleVector i10 = zero(SPECIES);
        DoubleVector r01 = zero(SPECIES);
        DoubleVector r11 = zero(SPECIES);
        DoubleVector i01 = zero(SPECIES);
        DoubleVector i11 = zero(SPECIES);
        int g = 4 * block * (block + 1);
        for (int p = 0; p < c; p += ROW) {
            DoubleVector a0 = fromArray(SPECIES, panel, p);
            DoubleVector b0 = fromArray(SPECIES, panel, p + 2 * LANES);
            DoubleVector a1 = fromArray(SPECIES, panel, p + LANES);
            DoubleVector b1 = fromArray(SPECIES, panel, p + 3 * LANES);
            DoubleVector tr0 = broadcast(SPECIES, t[g]);
            DoubleVector ti0 = broadcast(SPECIES, t[g + 1]);
            r00 = b0.fma(ti0.neg(), a0.fma(tr0, r00));
            i00 = b0.fma(tr0, a0.fma(ti0, i00));
            r10 = b1.fma(ti0.neg(), a1.fma(tr0, r10));
            i10 = b1.fma(tr0, a1.fma(ti0, i10));
            DoubleVector tr1 = broadcast(SPECIES, t[g + 2]);
            DoubleVector ti1 = broadcast(SPECIES, t[g + 3]);
            r01 = b0.fma(ti1.neg(), a0.fma(tr1, r01));
            i01 = b0.fma(tr1, a0.fma(ti1, i01));
            r11 = b1.fma(ti1.neg(), a1.fma(tr1, r11));
            i11 = b1.fma(tr1, a1.fma(ti1, i11));
            g += 4;
        }
        DoubleVector x00 = fromArray(SPECIES, panel, c);
        DoubleVector y00 = fromArray(SPECIES, panel, c + 2 * LANES);
        DoubleVector x10 = fromArray(SPECIES, panel, c + LANES);
        DoubleVector y10 = fromArray(SPECIES, panel, c + 3 * LANES);
        DoubleVector ur00 = broadcast(SPECIES, t[g]);
        DoubleVector ui00 = broadcast(SPECIES, t[g + 1]);
        r00 = y00.fma(ui00.neg(), x00.fma(ur00, r00));
        i00 = y00.fma(ur00, x00.fma(ui00, i00));
        r10 = y10.fma(ui00.neg(), x10.fma(ur00, r10));
        i10 = y10.fma(ur00, x10.fma(ui00, i10));
        DoubleVector ur01 = broadcast(SPECIES, t[g + 2]);
        DoubleVector ui01 = broadcast(SPECIES, t[g + 3]);
        r01 = y00.fma(ui01.neg(), x00.fma(ur01, r01));
        i01 = y00.fma(ur01, x00.fma(ui01, i01));
        r11 = y10.fma(ui01.neg(), x10.fma(ur01, r11));
        i11 = y10.fma(ur01, x10.fma(ui01, i11));
        DoubleVector x01 = fromArray(SPECIES, panel, c + 4 * LANES);
        DoubleVector y01 = fromArray(SPECIES, panel, c + 6 * LANES);
        DoubleVector x11 = fromArray(SPECIES, panel, c + 5 * LANES);
        DoubleVector y11 = fromArray(SPECIES, panel, c + 7 * LANES);
        DoubleVector ur11 = broadcast(SPECIES, t[g + 6]);
        DoubleVector ui11 = broadcast(SPECIES, t[g + 7]);
        r01 = y01.fma(ui11.neg(), x01.fma(ur11, r01));
        i01 = y01.fma(ur11, x01.fma(ui11, i01));
        r11 = y11.fma(ui11.neg(), x11.fma(ur11, r11));
        i11 = y11.fma(ur11, x11.fma(ui11, i11));
        r00.intoArray(panel, c);
        r10.intoArray(panel, c + LANES);
        i00.intoArray(panel, c + 2 * LANES);
        i10.intoArray(panel, c + 3 * LANES);
        r01.intoArray(panel, c + 4 * LANES);
        r11.intoArray(panel, c + 5 * LANES);
        i01.intoArray(panel, c + 6 * LANES);
        i11.intoArray(panel, c + 7 * LANES);
    }
}
