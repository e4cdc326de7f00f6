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
 * trsm and trmm with small triangles, a panel of B at a time: rows of B where the triangle is on the right, columns of B, transposed, where
 * it is on the left. In an array the panel is 3 vectors wide and as long as the triangle is high, and the rest is the same for
 * both: four columns at a time stay in registers while the columns before them pass by.
 *
 * <p>Where the triangle would be passed from the last column to the first, columns and triangle are numbered the other way round.
 * Divisions are products with reciprocals, as long as those are far from overflow; that is as stable. Other triangles are refused.
 *
 * <p>An object holds scratch for one thread.
 */
final class VectorDTriangle {
    /** Highest triangle: with it and the panel, the L1 cache is a little over half full. */
    static final int ORDER = 64;
    /** Rows or columns of B in a panel. */
    static final int WIDE = 3 * LANES;

    /** Diagonal elements between 1 / LIMIT and LIMIT are divided by through their reciprocals. */
    private static final double LIMIT = 0x1p1000; // float: private static final float LIMIT = 0x1p120f;

    /** Columns of the triangle by fours, from the top to the diagonal; negated for solving. */
    private final double[] triangle = new double[ORDER * ORDER / 2 + 2 * ORDER];

    private final double[] inverse = new double[ORDER];
    private final double[] panel = new double[ORDER * WIDE + LANES];
    private int order;
    /** Whether the numbering is that of B; else it is turned round. */
    private boolean forward;
    /** First element of the upper triangle, and bytes between its rows and columns. */
    private long first;

    private long dk;
    private long dj;

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
        fill(-1);
        run(true, side == Side.LEFT, m, n, b, ldb);
        return true;
    }

    /** B := alpha·op(A)·B or alpha·B·op(A), with a triangle of at most ORDER. */
    void multiply(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alpha, long a, long lda, long b,
            long ldb) {
        turn(side, uplo, op, m, n, a, lda);
        fill(alpha);
        for (int j = 0; j < order; j++) {
            triangle[column(j) + 4 * j] = diag == Diag.UNIT ? alpha : alpha * f64(first + j * (dk + dj));
        }
        run(false, side == Side.LEFT, m, n, b, ldb);
    }

    /** Numbers the triangle so that it is upper: column j is made with the columns before it. */
    private void turn(Side side, Uplo uplo, Op op, long m, long n, long a, long lda) {
        boolean left = side == Side.LEFT;
        order = (int) (left ? m : n);
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        forward = lower == left;
        long sign = forward ? SIZE : -SIZE;
        dk = sign * (left == (op == Op.NONE) ? lda : 1);
        dj = sign * (left == (op == Op.NONE) ? 1 : lda);
        first = forward ? a : a + (order - 1) * (lda + 1) * SIZE;
    }

    private boolean invert(boolean unit) {
        for (int j = 0; j < order; j++) {
            double d = unit ? 1 : f64(first + j * (dk + dj));
            double size = Math.abs(d);
            if (!(size > 1 / LIMIT && size < LIMIT)) {
                return false;
            }
            inverse[j] = 1 / d;
        }
        return true;
    }

    private void fill(double alpha) {
        for (int j = 0; j < order; j++) {
            int to = column(j);
            long from = first + j * dj;
            for (int k = 0; k < j; k++) {
                triangle[to] = alpha * f64(from);
                from += dk;
                to += 4;
            }
        }
        // What is missing of the last four columns: the panel's columns are there, but nobody looks at the results.
        for (int j = order; j % 4 != 0; j++) {
            inverse[j] = 0;
            for (int k = 0, to = column(j); k <= j; k++, to += 4) {
                triangle[to] = 0;
            }
        }
    }

    /** Where the factors for column j begin, 4 elements apart. */
    private static int column(int j) {
        int block = j / 4;
        return 8 * block * (block + 1) + j % 4;
    }

    /** Takes B through the panel. */
    private void run(boolean solve, boolean left, long m, long n, long b, long ldb) {
        long column = ldb * SIZE;
        long step = left ? SIZE : column;
        long from = forward ? b : b + (order - 1) * step;
        step = forward ? step : -step;
        long length = left ? n : m;
        for (long i = 0; i < length; i += WIDE) {
            int count = (int) Math.min(WIDE, length - i);
            if (left) {
                VectorDPack.columns(count, order, from + i * column, column, step, panel, 0, WIDE);
                run(solve);
                VectorDPack.unpackColumns(count, order, panel, from + i * column, column, step, WIDE);
            } else {
                VectorDPack.rows(count, order, from + i * SIZE, step, panel, 0, WIDE);
                run(solve);
                VectorDPack.unpackRows(count, order, panel, from + i * SIZE, step, WIDE);
            }
        }
    }

    private void run(boolean solve) {
        int blocks = (order + 3) / 4;
        if (order % 4 != 0) {
            Arrays.fill(panel, order * WIDE, 4 * blocks * WIDE, 0);
        }
        if (solve) {
            for (int block = 0; block < blocks; block++) {
                solve4(block, panel, triangle, inverse);
            }
        } else {
            for (int block = blocks - 1; block >= 0; block--) {
                multiply4(block, panel, triangle);
            }
        }
    }

    /**
     * Solves for columns 4·block…4·block+3 of the panel: takes from them what the columns before contribute, which are solved, then
     * solves with the block on the diagonal.
     */
    private static void solve4(int block, double[] panel, double[] t, double[] inverse) {
        int c = 4 * block * WIDE;
        DoubleVector x00 = fromArray(SPECIES, panel, c);
        DoubleVector x10 = fromArray(SPECIES, panel, c + LANES);
        DoubleVector x20 = fromArray(SPECIES, panel, c + 2 * LANES);
        DoubleVector x01 = fromArray(SPECIES, panel, c + 3 * LANES);
        DoubleVector x11 = fromArray(SPECIES, panel, c + 4 * LANES);
        DoubleVector x21 = fromArray(SPECIES, panel, c + 5 * LANES);
        DoubleVector x02 = fromArray(SPECIES, panel, c + 6 * LANES);
        DoubleVector x12 = fromArray(SPECIES, panel, c + 7 * LANES);
        DoubleVector x22 = fromArray(SPECIES, panel, c + 8 * LANES);
        DoubleVector x03 = fromArray(SPECIES, panel, c + 9 * LANES);
        DoubleVector x13 = fromArray(SPECIES, panel, c + 10 * LANES);
        DoubleVector x23 = fromArray(SPECIES, panel, c + 11 * LANES);
        int g = 8 * block * (block + 1);
        for (int p = 0; p < c; p += WIDE) {
            DoubleVector a0 = fromArray(SPECIES, panel, p);
            DoubleVector a1 = fromArray(SPECIES, panel, p + LANES);
            DoubleVector a2 = fromArray(SPECIES, panel, p + 2 * LANES);
            DoubleVector b0 = broadcast(SPECIES, t[g]);
            x00 = a0.fma(b0, x00);
            x10 = a1.fma(b0, x10);
            x20 = a2.fma(b0, x20);
            DoubleVector b1 = broadcast(SPECIES, t[g + 1]);
            x01 = a0.fma(b1, x01);
            x11 = a1.fma(b1, x11);
            x21 = a2.fma(b1, x21);
            DoubleVector b2 = broadcast(SPECIES, t[g + 2]);
            x02 = a0.fma(b2, x02);
            x12 = a1.fma(b2, x12);
            x22 = a2.fma(b2, x22);
            DoubleVector b3 = broadcast(SPECIES, t[g + 3]);
            x03 = a0.fma(b3, x03);
            x13 = a1.fma(b3, x13);
            x23 = a2.fma(b3, x23);
            g += 4;
        }
        DoubleVector d0 = broadcast(SPECIES, inverse[4 * block]);
        x00 = x00.mul(d0);
        x10 = x10.mul(d0);
        x20 = x20.mul(d0);
        DoubleVector d1 = broadcast(SPECIES, inverse[4 * block + 1]);
        DoubleVector t01 = broadcast(SPECIES, t[g + 1]);
        x01 = x00.fma(t01, x01);
        x11 = x10.fma(t01, x11);
        x21 = x20.fma(t01, x21);
        x01 = x01.mul(d1);
        x11 = x11.mul(d1);
        x21 = x21.mul(d1);
        DoubleVector d2 = broadcast(SPECIES, inverse[4 * block + 2]);
        DoubleVector t02 = broadcast(SPECIES, t[g + 2]);
        x02 = x00.fma(t02, x02);
        x12 = x10.fma(t02, x12);
        x22 = x20.fma(t02, x22);
        DoubleVector t12 = broadcast(SPECIES, t[g + 6]);
        x02 = x01.fma(t12, x02);
        x12 = x11.fma(t12, x12);
        x22 = x21.fma(t12, x22);
        x02 = x02.mul(d2);
        x12 = x12.mul(d2);
        x22 = x22.mul(d2);
        DoubleVector d3 = broadcast(SPECIES, inverse[4 * block + 3]);
        DoubleVector t03 = broadcast(SPECIES, t[g + 3]);
        x03 = x00.fma(t03, x03);
        x13 = x10.fma(t03, x13);
        x23 = x20.fma(t03, x23);
        DoubleVector t13 = broadcast(SPECIES, t[g + 7]);
        x03 = x01.fma(t13, x03);
        x13 = x11.fma(t13, x13);
        x23 = x21.fma(t13, x23);
        DoubleVector t23 = broadcast(SPECIES, t[g + 11]);
        x03 = x02.fma(t23, x03);
        x13 = x12.fma(t23, x13);
        x23 = x22.fma(t23, x23);
        x03 = x03.mul(d3);
        x13 = x13.mul(d3);
        x23 = x23.mul(d3);
        x00.intoArray(panel, c);
        x10.intoArray(panel, c + LANES);
        x20.intoArray(panel, c + 2 * LANES);
        x01.intoArray(panel, c + 3 * LANES);
        x11.intoArray(panel, c + 4 * LANES);
        x21.intoArray(panel, c + 5 * LANES);
        x02.intoArray(panel, c + 6 * LANES);
        x12.intoArray(panel, c + 7 * LANES);
        x22.intoArray(panel, c + 8 * LANES);
        x03.intoArray(panel, c + 9 * LANES);
        x13.intoArray(panel, c + 10 * LANES);
        x23.intoArray(panel, c + 11 * LANES);
    }

    /** Columns 4·block…4·block+3 of the panel := their product with the triangle; the columns before are still as they were. */
    private static void multiply4(int block, double[] panel, double[] t) {
        int c = 4 * block * WIDE;
        DoubleVector x00 = zero(SPECIES);
        DoubleVector x10 = zero(SPECIES);
        DoubleVector x20 = zero(SPECIES);
        DoubleVector x01 = zero(SPECIES);
        DoubleVector x11 = zero(SPECIES);
        DoubleVector x21 = zero(SPECIES);
        DoubleVector x02 = zero(SPECIES);
        DoubleVector x12 = zero(SPECIES);
        DoubleVector x22 = zero(SPECIES);
        DoubleVector x03 = zero(SPECIES);
        DoubleVector x13 = zero(SPECIES);
        DoubleVector x23 = zero(SPECIES);
        int g = 8 * block * (block + 1);
        for (int p = 0; p < c; p += WIDE) {
            DoubleVector a0 = fromArray(SPECIES, panel, p);
            DoubleVector a1 = fromArray(SPECIES, panel, p + LANES);
            DoubleVector a2 = fromArray(SPECIES, panel, p + 2 * LANES);
            DoubleVector b0 = broadcast(SPECIES, t[g]);
            x00 = a0.fma(b0, x00);
            x10 = a1.fma(b0, x10);
            x20 = a2.fma(b0, x20);
            DoubleVector b1 = broadcast(SPECIES, t[g + 1]);
            x01 = a0.fma(b1, x01);
            x11 = a1.fma(b1, x11);
            x21 = a2.fma(b1, x21);
            DoubleVector b2 = broadcast(SPECIES, t[g + 2]);
            x02 = a0.fma(b2, x02);
            x12 = a1.fma(b2, x12);
            x22 = a2.fma(b2, x22);
            DoubleVector b3 = broadcast(SPECIES, t[g + 3]);
            x03 = a0.fma(b3, x03);
            x13 = a1.fma(b3, x13);
            x23 = a2.fma(b3, x23);
            g += 4;
        }
        DoubleVector y00 = fromArray(SPECIES, panel, c);
        DoubleVector y10 = fromArray(SPECIES, panel, c + LANES);
        DoubleVector y20 = fromArray(SPECIES, panel, c + 2 * LANES);
        DoubleVector t00 = broadcast(SPECIES, t[g]);
        x00 = y00.fma(t00, x00);
        x10 = y10.fma(t00, x10);
        x20 = y20.fma(t00, x20);
        DoubleVector t01 = broadcast(SPECIES, t[g + 1]);
        x01 = y00.fma(t01, x01);
        x11 = y10.fma(t01, x11);
        x21 = y20.fma(t01, x21);
        DoubleVector t02 = broadcast(SPECIES, t[g + 2]);
        x02 = y00.fma(t02, x02);
        x12 = y10.fma(t02, x12);
        x22 = y20.fma(t02, x22);
        DoubleVector t03 = broadcast(SPECIES, t[g + 3]);
        x03 = y00.fma(t03, x03);
        x13 = y10.fma(t03, x13);
        x23 = y20.fma(t03, x23);
        DoubleVector y01 = fromArray(SPECIES, panel, c + 3 * LANES);
        DoubleVector y11 = fromArray(SPECIES, panel, c + 4 * LANES);
        DoubleVector y21 = fromArray(SPECIES, panel, c + 5 * LANES);
        DoubleVector t11 = broadcast(SPECIES, t[g + 5]);
        x01 = y01.fma(t11, x01);
        x11 = y11.fma(t11, x11);
        x21 = y21.fma(t11, x21);
        DoubleVector t12 = broadcast(SPECIES, t[g + 6]);
        x02 = y01.fma(t12, x02);
        x12 = y11.fma(t12, x12);
        x22 = y21.fma(t12, x22);
        DoubleVector t13 = broadcast(SPECIES, t[g + 7]);
        x03 = y01.fma(t13, x03);
        x13 = y11.fma(t13, x13);
        x23 = y21.fma(t13, x23);
        DoubleVector y02 = fromArray(SPECIES, panel, c + 6 * LANES);
        DoubleVector y12 = fromArray(SPECIES, panel, c + 7 * LANES);
        DoubleVector y22 = fromArray(SPECIES, panel, c + 8 * LANES);
        DoubleVector t22 = broadcast(SPECIES, t[g + 10]);
        x02 = y02.fma(t22, x02);
        x12 = y12.fma(t22, x12);
        x22 = y22.fma(t22, x22);
        DoubleVector t23 = broadcast(SPECIES, t[g + 11]);
        x03 = y02.fma(t23, x03);
        x13 = y12.fma(t23, x13);
        x23 = y22.fma(t23, x23);
        DoubleVector y03 = fromArray(SPECIES, panel, c + 9 * LANES);
        DoubleVector y13 = fromArray(SPECIES, panel, c + 10 * LANES);
        DoubleVector y23 = fromArray(SPECIES, panel, c + 11 * LANES);
        DoubleVector t33 = broadcast(SPECIES, t[g + 15]);
        x03 = y03.fma(t33, x03);
        x13 = y13.fma(t33, x13);
        x23 = y23.fma(t33, x23);
        x00.intoArray(panel, c);
        x10.intoArray(panel, c + LANES);
        x20.intoArray(panel, c + 2 * LANES);
        x01.intoArray(panel, c + 3 * LANES);
        x11.intoArray(panel, c + 4 * LANES);
        x21.intoArray(panel, c + 5 * LANES);
        x02.intoArray(panel, c + 6 * LANES);
        x12.intoArray(panel, c + 7 * LANES);
        x22.intoArray(panel, c + 8 * LANES);
        x03.intoArray(panel, c + 9 * LANES);
        x13.intoArray(panel, c + 10 * LANES);
        x23.intoArray(panel, c + 11 * LANES);
    }
}
