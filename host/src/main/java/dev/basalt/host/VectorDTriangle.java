package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.ADDRESSES;
import static dev.basalt.host.VectorDLanes.LANES;
import static dev.basalt.host.VectorDLanes.ORDER;
import static dev.basalt.host.VectorDLanes.SIZE;
import static dev.basalt.host.VectorDLanes.SPECIES;
import static dev.basalt.host.VectorDLanes.WIDTH;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

import jdk.incubator.vector.DoubleVector;

/**
 * The small triangles at the bottom of trsm and trmm: of order {@link #LEFT} beside columns that are one vector long, or of order {@link #RIGHT}
 * beside rows that pass by a vector at a time.
 *
 * <p>Divisions are products with reciprocals, where those are far from overflow; other triangles are refused. On the left side
 * the operations of a solution wait for each other. To keep the product out of that chain, column j of the triangle is divided by
 * its diagonal element beforehand: with T = L·D⁻¹, L·x = b is T·(D·x) = b. Both are as stable as dividing.
 *
 * <p>An object holds scratch for one thread.
 */
final class VectorDTriangle {
    /** Order of a triangle on the left side. */
    static final int LEFT = LANES;
    /** Order of a triangle on the right side. */
    static final int RIGHT = 8;
    /** Diagonal elements between 1 / LIMIT and LIMIT are divided by through their reciprocals. */
    private static final double LIMIT = 0x1p400; // float: private static final float LIMIT = 0x1p50f;

    /** Rows that are done for all columns before the next: they stay in the L1 cache. */
    private static final int ROWS = 256;

    /** The triangle by columns, zeros elsewhere, then the diagonal or its reciprocals. */
    private final double[] triangle = new double[Math.max(LEFT * LEFT + LEFT, RIGHT * RIGHT + RIGHT)];
    /** Four vectors or a row, to get at their elements. */
    private final double[] lanes = new double[Math.max(4 * LANES, RIGHT)];

    /**
     * Prepares to solve with op(A).
     *
     * @param order LEFT or RIGHT
     * @param di bytes between the rows of op(A)
     * @param dj bytes between the columns of op(A)
     * @param scaled whether columns are divided by their diagonal elements
     * @return false if the diagonal is not fit for reciprocals
     */
    boolean solver(int order, boolean lower, boolean unit, boolean scaled, long a, long di, long dj) {
        for (int j = 0; j < order; j++) {
            double d = unit ? 1 : f64(a + j * (di + dj));
            double size = Math.abs(d);
            if (!(size > 1 / LIMIT && size < LIMIT)) {
                return false;
            }
            double inverse = 1 / d;
            double factor = scaled ? inverse : 1;
            triangle[order * order + j] = inverse;
            for (int i = 0; i < order; i++) {
                boolean inside = lower ? i > j : i < j;
                triangle[j * order + i] = inside ? -f64(a + i * di + j * dj) * factor : 0;
            }
        }
        return true;
    }

    /** Prepares to multiply by alpha·op(A). */
    void multiplier(int order, boolean lower, boolean unit, double alpha, long a, long di, long dj) {
        for (int j = 0; j < order; j++) {
            for (int i = 0; i < order; i++) {
                boolean inside = lower ? i > j : i < j;
                triangle[j * order + i] = inside ? alpha * f64(a + i * di + j * dj) : 0;
            }
            triangle[j * order + j] = unit ? alpha : alpha * f64(a + j * (di + dj));
        }
    }

    /** Solves op(A)·X = B in place for 4 columns of LEFT elements; strides in bytes. */
    void solveLeft4(boolean lower, long b, long db) {
        double[] t = triangle;
        double[] x = lanes;
        long p = b & ADDRESSES;
        long d = db & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        DoubleVector x0 = fromMemorySegment(SPECIES, ALL, p, ORDER);
        DoubleVector x1 = fromMemorySegment(SPECIES, ALL, p + d, ORDER);
        DoubleVector x2 = fromMemorySegment(SPECIES, ALL, p + 2 * d, ORDER);
        DoubleVector x3 = fromMemorySegment(SPECIES, ALL, p + d3, ORDER);
        int j = lower ? 0 : LANES - 1;
        int step = lower ? 1 : -1;
        for (int s = 1; s < LANES; s++) {
            x0.intoArray(x, 0);
            x1.intoArray(x, LANES);
            x2.intoArray(x, 2 * LANES);
            x3.intoArray(x, 3 * LANES);
            DoubleVector l = fromArray(SPECIES, t, j * LANES);
            x0 = l.fma(broadcast(SPECIES, x[j]), x0);
            x1 = l.fma(broadcast(SPECIES, x[LANES + j]), x1);
            x2 = l.fma(broadcast(SPECIES, x[2 * LANES + j]), x2);
            x3 = l.fma(broadcast(SPECIES, x[3 * LANES + j]), x3);
            j += step;
        }
        DoubleVector inverse = fromArray(SPECIES, t, LANES * LANES);
        x0.mul(inverse).intoMemorySegment(ALL, p, ORDER);
        x1.mul(inverse).intoMemorySegment(ALL, p + d, ORDER);
        x2.mul(inverse).intoMemorySegment(ALL, p + 2 * d, ORDER);
        x3.mul(inverse).intoMemorySegment(ALL, p + d3, ORDER);
    }

    /** B := alpha·op(A)·B for 4 columns of LEFT elements. */
    void multiplyLeft4(long b, long db) {
        double[] t = triangle;
        long p = b & ADDRESSES;
        long d = db & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        DoubleVector y0 = zero(SPECIES);
        DoubleVector y1 = zero(SPECIES);
        DoubleVector y2 = zero(SPECIES);
        DoubleVector y3 = zero(SPECIES);
        long q = p;
        for (int j = 0; j < LANES; j++) {
            DoubleVector l = fromArray(SPECIES, t, j * LANES);
            y0 = l.fma(broadcast(SPECIES, f64(q)), y0);
            y1 = l.fma(broadcast(SPECIES, f64(q + d)), y1);
            y2 = l.fma(broadcast(SPECIES, f64(q + 2 * d)), y2);
            y3 = l.fma(broadcast(SPECIES, f64(q + d3)), y3);
            q = (q + SIZE) & ADDRESSES;
        }
        y0.intoMemorySegment(ALL, p, ORDER);
        y1.intoMemorySegment(ALL, p + d, ORDER);
        y2.intoMemorySegment(ALL, p + 2 * d, ORDER);
        y3.intoMemorySegment(ALL, p + d3, ORDER);
    }

    /**
     * Solves X·op(A) = B in place for m rows of RIGHT elements, where the triangle was prepared as that of op(A)ᵀ. Four columns are
     * as many as C2 inlines in one method.
     *
     * @param lower whether op(A) is lower: its columns are then taken from the last
     */
    void solveRight(boolean lower, long m, long b, long db) {
        long first = lower ? b + (RIGHT - 1) * db : b;
        long step = lower ? -db : db;
        long full = m / LANES * LANES;
        for (long i = 0; i < full; i += ROWS) {
            long end = Math.min(ROWS, full - i) * SIZE;
            long left = first + i * SIZE;
            long right = left + 4 * step;
            solve4(0, end, left, step);
            update4(end, left, right, step);
            solve4(4, end, right, step);
        }
        for (long i = full; i < m; i++) {
            solveRow(first + i * SIZE, step);
        }
    }

    /** Solves for columns c…c+3. */
    private void solve4(int c, long end, long b, long step) {
        double[] t = triangle;
        int q = c * (RIGHT + 1);
        DoubleVector t01 = broadcast(SPECIES, t[q + 1]);
        DoubleVector t02 = broadcast(SPECIES, t[q + 2]);
        DoubleVector t03 = broadcast(SPECIES, t[q + 3]);
        DoubleVector t12 = broadcast(SPECIES, t[q + RIGHT + 2]);
        DoubleVector t13 = broadcast(SPECIES, t[q + RIGHT + 3]);
        DoubleVector t23 = broadcast(SPECIES, t[q + 2 * RIGHT + 3]);
        DoubleVector d0 = broadcast(SPECIES, t[RIGHT * RIGHT + c]);
        DoubleVector d1 = broadcast(SPECIES, t[RIGHT * RIGHT + c + 1]);
        DoubleVector d2 = broadcast(SPECIES, t[RIGHT * RIGHT + c + 2]);
        DoubleVector d3 = broadcast(SPECIES, t[RIGHT * RIGHT + c + 3]);
        long b0 = b & ADDRESSES;
        long b1 = (b + step) & ADDRESSES;
        long b2 = (b + 2 * step) & ADDRESSES;
        long b3 = (b + 3 * step) & ADDRESSES;
        for (long off = 0; off < end; ) {
            DoubleVector x0 = fromMemorySegment(SPECIES, ALL, b0 + off, ORDER).mul(d0);
            DoubleVector x1 = x0.fma(t01, fromMemorySegment(SPECIES, ALL, b1 + off, ORDER))
                    .mul(d1);
            DoubleVector x2 = x1.fma(t12, x0.fma(t02, fromMemorySegment(SPECIES, ALL, b2 + off, ORDER)))
                    .mul(d2);
            DoubleVector x3 = x2.fma(t23, x1.fma(t13, x0.fma(t03, fromMemorySegment(SPECIES, ALL, b3 + off, ORDER))))
                    .mul(d3);
            x0.intoMemorySegment(ALL, b0 + off, ORDER);
            x1.intoMemorySegment(ALL, b1 + off, ORDER);
            x2.intoMemorySegment(ALL, b2 + off, ORDER);
            x3.intoMemorySegment(ALL, b3 + off, ORDER);
            off = (off + WIDTH) & ADDRESSES;
        }
    }

    /** Adds the product of columns 0…3 to columns 4…7. */
    private void update4(long end, long left, long right, long step) {
        for (int j = 4; j < RIGHT; j++) {
            update1(j, end, left, right + (j - 4) * step, step);
        }
    }

    private void update1(int j, long end, long left, long right, long step) {
        double[] t = triangle;
        DoubleVector t0 = broadcast(SPECIES, t[j]);
        DoubleVector t1 = broadcast(SPECIES, t[RIGHT + j]);
        DoubleVector t2 = broadcast(SPECIES, t[2 * RIGHT + j]);
        DoubleVector t3 = broadcast(SPECIES, t[3 * RIGHT + j]);
        long b0 = left & ADDRESSES;
        long b1 = (left + step) & ADDRESSES;
        long b2 = (left + 2 * step) & ADDRESSES;
        long b3 = (left + 3 * step) & ADDRESSES;
        long y = right & ADDRESSES;
        for (long off = 0; off < end; ) {
            DoubleVector s = fromMemorySegment(SPECIES, ALL, b0 + off, ORDER)
                    .fma(t0, fromMemorySegment(SPECIES, ALL, y + off, ORDER));
            s = fromMemorySegment(SPECIES, ALL, b1 + off, ORDER).fma(t1, s);
            s = fromMemorySegment(SPECIES, ALL, b2 + off, ORDER).fma(t2, s);
            fromMemorySegment(SPECIES, ALL, b3 + off, ORDER).fma(t3, s).intoMemorySegment(ALL, y + off, ORDER);
            off = (off + WIDTH) & ADDRESSES;
        }
    }

    /** The rounding of {@link #solveRight} for one row. */
    private void solveRow(long b, long step) {
        for (int j = 0; j < RIGHT; j++) {
            double s = f64(b + j * step);
            for (int k = 0; k < j; k++) {
                s = Math.fma(lanes[k], triangle[k * RIGHT + j], s);
            }
            lanes[j] = s * triangle[RIGHT * RIGHT + j];
            f64(b + j * step, lanes[j]);
        }
    }

    /** B := alpha·B·op(A) for m rows of RIGHT elements, where the triangle was prepared as that of op(A)ᵀ. */
    void multiplyRight(boolean lower, long m, long b, long db) {
        long first = lower ? b + (RIGHT - 1) * db : b;
        long step = lower ? -db : db;
        long full = m / LANES * LANES;
        for (long i = 0; i < full; i += ROWS) {
            long end = Math.min(ROWS, full - i) * SIZE;
            long left = first + i * SIZE;
            long right = left + 4 * step;
            multiply4(4, end, right, step);
            update4(end, left, right, step);
            multiply4(0, end, left, step);
        }
        for (long i = full; i < m; i++) {
            multiplyRow(first + i * SIZE, step);
        }
    }

    /** Columns c…c+3 := their product with the triangle's block on the diagonal. */
    private void multiply4(int c, long end, long b, long step) {
        double[] t = triangle;
        int q = c * (RIGHT + 1);
        DoubleVector t00 = broadcast(SPECIES, t[q]);
        DoubleVector t01 = broadcast(SPECIES, t[q + 1]);
        DoubleVector t02 = broadcast(SPECIES, t[q + 2]);
        DoubleVector t03 = broadcast(SPECIES, t[q + 3]);
        DoubleVector t11 = broadcast(SPECIES, t[q + RIGHT + 1]);
        DoubleVector t12 = broadcast(SPECIES, t[q + RIGHT + 2]);
        DoubleVector t13 = broadcast(SPECIES, t[q + RIGHT + 3]);
        DoubleVector t22 = broadcast(SPECIES, t[q + 2 * RIGHT + 2]);
        DoubleVector t23 = broadcast(SPECIES, t[q + 2 * RIGHT + 3]);
        DoubleVector t33 = broadcast(SPECIES, t[q + 3 * RIGHT + 3]);
        long b0 = b & ADDRESSES;
        long b1 = (b + step) & ADDRESSES;
        long b2 = (b + 2 * step) & ADDRESSES;
        long b3 = (b + 3 * step) & ADDRESSES;
        for (long off = 0; off < end; ) {
            DoubleVector x0 = fromMemorySegment(SPECIES, ALL, b0 + off, ORDER);
            DoubleVector x1 = fromMemorySegment(SPECIES, ALL, b1 + off, ORDER);
            DoubleVector x2 = fromMemorySegment(SPECIES, ALL, b2 + off, ORDER);
            DoubleVector x3 = fromMemorySegment(SPECIES, ALL, b3 + off, ORDER);
            x0.mul(t00).intoMemorySegment(ALL, b0 + off, ORDER);
            x1.fma(t11, x0.mul(t01)).intoMemorySegment(ALL, b1 + off, ORDER);
            x2.fma(t22, x1.fma(t12, x0.mul(t02))).intoMemorySegment(ALL, b2 + off, ORDER);
            x3.fma(t33, x2.fma(t23, x1.fma(t13, x0.mul(t03)))).intoMemorySegment(ALL, b3 + off, ORDER);
            off = (off + WIDTH) & ADDRESSES;
        }
    }

    /** The rounding of {@link #multiplyRight} for one row. */
    private void multiplyRow(long b, long step) {
        for (int j = 0; j < RIGHT; j++) {
            lanes[j] = f64(b + j * step);
        }
        for (int j = 0; j < RIGHT; j++) {
            int block = j & -4;
            double s = lanes[block] * triangle[block * RIGHT + j];
            for (int k = block + 1; k <= j; k++) {
                s = Math.fma(lanes[k], triangle[k * RIGHT + j], s);
            }
            for (int k = 0; k < block; k++) {
                s = Math.fma(lanes[k], triangle[k * RIGHT + j], s);
            }
            f64(b + j * step, s);
        }
    }
}
