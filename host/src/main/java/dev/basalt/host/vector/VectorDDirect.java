package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.host.vector.VectorDLanes.first;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

import java.lang.foreign.Arena;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;

/**
 * The product of small matrices without a copy of them: tiles of 3 vectors of rows (2 or less at the end) by 4 columns straight
 * from A's columns and B's elements. Rounds as {@link VectorDUpdate} does, so it has the packed product's bits.
 */
final class VectorDDirect {
    /** What is read in place of C where beta = 0: a branch in the tiles would double their size. */
    private static final long ZEROS = Arena.global().allocate(3 * WIDTH, 64).address();

    private VectorDDirect() {}

    /**
     * C := alpha·A·op(B) + beta·C.
     *
     * @param lda bytes between columns
     * @param step bytes from one element of op(B) to the next in its column
     * @param ldb bytes from one to the next in its row
     * @param ldc bytes between columns
     * @param tile scratch of 8 vectors
     */
    static void multiply(int m, int n, int k, double alpha, long a, long lda, long b, long step, long ldb, double beta,
            long c, long ldc, double[] tile) {
        if (beta != 0 && beta != 1) {
            for (int j = 0; j < n; j++) {
                VectorDLevel1.scal(m, beta, c + j * ldc);
            }
        }
        boolean read = beta != 0;
        int rest = m % LANES;
        VectorMask<Double> mask = first(rest == 0 ? LANES : rest);
        for (int j = 0; j < n; j += 4) {
            int columns = Math.min(4, n - j);
            // Columns that are not there are read as the first one, and not stored.
            long b0 = b + j * ldb;
            long b1 = columns > 1 ? ldb : 0;
            long b2 = columns > 2 ? 2 * ldb : 0;
            long b3 = columns > 3 ? 3 * ldb : 0;
            long ai = a;
            long ci = c + j * ldc;
            for (int left = m; left > 0;) {
                long old = read ? ci : ZEROS;
                long next = read ? ldc : 0;
                int vectors;
                if (left >= 3 * LANES && left != 4 * LANES) {
                    three(k, ai, lda, b0, b1, b2, b3, step, columns, alpha, old, next, ci, ldc);
                    vectors = 3;
                } else if (left >= 2 * LANES) {
                    two(k, ai, lda, b0, b1, b2, b3, step, columns, alpha, old, next, ci, ldc);
                    vectors = 2;
                } else if (left > LANES) {
                    more(k, ai, lda, b0, b1, b2, b3, step, mask, tile);
                    VectorDUpdate.tile(tile, 0, 2 * LANES, left, columns, alpha, read ? 1 : 0, ci, ldc);
                    vectors = 2;
                } else if (left == LANES) {
                    one(k, ai, lda, b0, b1, b2, b3, step, columns, alpha, old, next, ci, ldc);
                    vectors = 1;
                } else {
                    less(k, ai, lda, b0, b1, b2, b3, step, mask, tile);
                    VectorDUpdate.tile(tile, 0, LANES, left, columns, alpha, read ? 1 : 0, ci, ldc);
                    vectors = 1;
                }
                left -= vectors * LANES;
                ai += vectors * WIDTH;
                ci += vectors * WIDTH;
            }
        }
    }

    /** Three vectors of rows. */
    private static void three(int k, long a, long lda, long b, long b1, long b2, long b3, long step, int columns,
            double alpha, long old, long next, long c, long ldc) {
        DoubleVector c00 = zero(SPECIES);
        DoubleVector c10 = zero(SPECIES);
        DoubleVector c20 = zero(SPECIES);
        DoubleVector c01 = zero(SPECIES);
        DoubleVector c11 = zero(SPECIES);
        DoubleVector c21 = zero(SPECIES);
        DoubleVector c02 = zero(SPECIES);
        DoubleVector c12 = zero(SPECIES);
        DoubleVector c22 = zero(SPECIES);
        DoubleVector c03 = zero(SPECIES);
        DoubleVector c13 = zero(SPECIES);
        DoubleVector c23 = zero(SPECIES);
        long r = a & ADDRESSES;
        long q = b & ADDRESSES;
        long d1 = b1 & ADDRESSES;
        long d2 = b2 & ADDRESSES;
        long d3 = b3 & ADDRESSES;
        for (int p = 0; p < k; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, r, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, r + WIDTH, ORDER);
            DoubleVector a2 = fromMemorySegment(SPECIES, ALL, r + 2 * WIDTH, ORDER);
            DoubleVector x0 = broadcast(SPECIES, f64(q));
            c00 = a0.fma(x0, c00);
            c10 = a1.fma(x0, c10);
            c20 = a2.fma(x0, c20);
            DoubleVector x1 = broadcast(SPECIES, f64(q + d1));
            c01 = a0.fma(x1, c01);
            c11 = a1.fma(x1, c11);
            c21 = a2.fma(x1, c21);
            DoubleVector x2 = broadcast(SPECIES, f64(q + d2));
            c02 = a0.fma(x2, c02);
            c12 = a1.fma(x2, c12);
            c22 = a2.fma(x2, c22);
            DoubleVector x3 = broadcast(SPECIES, f64(q + d3));
            c03 = a0.fma(x3, c03);
            c13 = a1.fma(x3, c13);
            c23 = a2.fma(x3, c23);
            r = (r + lda) & ADDRESSES;
            q = (q + step) & ADDRESSES;
        }
        DoubleVector v = broadcast(SPECIES, alpha);
        long s = old & ADDRESSES;
        long t = c & ADDRESSES;
        c00.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
        c10.fma(v, fromMemorySegment(SPECIES, ALL, s + WIDTH, ORDER)).intoMemorySegment(ALL, t + WIDTH, ORDER);
        c20.fma(v, fromMemorySegment(SPECIES, ALL, s + 2 * WIDTH, ORDER)).intoMemorySegment(ALL, t + 2 * WIDTH, ORDER);
        if (columns > 1) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c01.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
            c11.fma(v, fromMemorySegment(SPECIES, ALL, s + WIDTH, ORDER)).intoMemorySegment(ALL, t + WIDTH, ORDER);
            c21.fma(v, fromMemorySegment(SPECIES, ALL, s + 2 * WIDTH, ORDER))
                    .intoMemorySegment(ALL, t + 2 * WIDTH, ORDER);
        }
        if (columns > 2) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c02.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
            c12.fma(v, fromMemorySegment(SPECIES, ALL, s + WIDTH, ORDER)).intoMemorySegment(ALL, t + WIDTH, ORDER);
            c22.fma(v, fromMemorySegment(SPECIES, ALL, s + 2 * WIDTH, ORDER))
                    .intoMemorySegment(ALL, t + 2 * WIDTH, ORDER);
        }
        if (columns > 3) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c03.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
            c13.fma(v, fromMemorySegment(SPECIES, ALL, s + WIDTH, ORDER)).intoMemorySegment(ALL, t + WIDTH, ORDER);
            c23.fma(v, fromMemorySegment(SPECIES, ALL, s + 2 * WIDTH, ORDER))
                    .intoMemorySegment(ALL, t + 2 * WIDTH, ORDER);
        }
    }

    /** Two vectors of rows. */
    private static void two(int k, long a, long lda, long b, long b1, long b2, long b3, long step, int columns,
            double alpha, long old, long next, long c, long ldc) {
        DoubleVector c00 = zero(SPECIES);
        DoubleVector c10 = zero(SPECIES);
        DoubleVector c01 = zero(SPECIES);
        DoubleVector c11 = zero(SPECIES);
        DoubleVector c02 = zero(SPECIES);
        DoubleVector c12 = zero(SPECIES);
        DoubleVector c03 = zero(SPECIES);
        DoubleVector c13 = zero(SPECIES);
        long r = a & ADDRESSES;
        long q = b & ADDRESSES;
        long d1 = b1 & ADDRESSES;
        long d2 = b2 & ADDRESSES;
        long d3 = b3 & ADDRESSES;
        for (int p = 0; p < k; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, r, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, r + WIDTH, ORDER);
            DoubleVector x0 = broadcast(SPECIES, f64(q));
            c00 = a0.fma(x0, c00);
            c10 = a1.fma(x0, c10);
            DoubleVector x1 = broadcast(SPECIES, f64(q + d1));
            c01 = a0.fma(x1, c01);
            c11 = a1.fma(x1, c11);
            DoubleVector x2 = broadcast(SPECIES, f64(q + d2));
            c02 = a0.fma(x2, c02);
            c12 = a1.fma(x2, c12);
            DoubleVector x3 = broadcast(SPECIES, f64(q + d3));
            c03 = a0.fma(x3, c03);
            c13 = a1.fma(x3, c13);
            r = (r + lda) & ADDRESSES;
            q = (q + step) & ADDRESSES;
        }
        DoubleVector v = broadcast(SPECIES, alpha);
        long s = old & ADDRESSES;
        long t = c & ADDRESSES;
        c00.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
        c10.fma(v, fromMemorySegment(SPECIES, ALL, s + WIDTH, ORDER)).intoMemorySegment(ALL, t + WIDTH, ORDER);
        if (columns > 1) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c01.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
            c11.fma(v, fromMemorySegment(SPECIES, ALL, s + WIDTH, ORDER)).intoMemorySegment(ALL, t + WIDTH, ORDER);
        }
        if (columns > 2) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c02.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
            c12.fma(v, fromMemorySegment(SPECIES, ALL, s + WIDTH, ORDER)).intoMemorySegment(ALL, t + WIDTH, ORDER);
        }
        if (columns > 3) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c03.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
            c13.fma(v, fromMemorySegment(SPECIES, ALL, s + WIDTH, ORDER)).intoMemorySegment(ALL, t + WIDTH, ORDER);
        }
    }

    /** A vector of rows and a part of one, left in an array: with masked stores in it too, C1 runs out of registers. */
    private static void more(int k, long a, long lda, long b, long b1, long b2, long b3, long step,
            VectorMask<Double> mask, double[] tile) {
        DoubleVector c00 = zero(SPECIES);
        DoubleVector c10 = zero(SPECIES);
        DoubleVector c01 = zero(SPECIES);
        DoubleVector c11 = zero(SPECIES);
        DoubleVector c02 = zero(SPECIES);
        DoubleVector c12 = zero(SPECIES);
        DoubleVector c03 = zero(SPECIES);
        DoubleVector c13 = zero(SPECIES);
        long r = a & ADDRESSES;
        long q = b & ADDRESSES;
        long d1 = b1 & ADDRESSES;
        long d2 = b2 & ADDRESSES;
        long d3 = b3 & ADDRESSES;
        for (int p = 0; p < k; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, r, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, r + WIDTH, ORDER, mask);
            DoubleVector x0 = broadcast(SPECIES, f64(q));
            c00 = a0.fma(x0, c00);
            c10 = a1.fma(x0, c10);
            DoubleVector x1 = broadcast(SPECIES, f64(q + d1));
            c01 = a0.fma(x1, c01);
            c11 = a1.fma(x1, c11);
            DoubleVector x2 = broadcast(SPECIES, f64(q + d2));
            c02 = a0.fma(x2, c02);
            c12 = a1.fma(x2, c12);
            DoubleVector x3 = broadcast(SPECIES, f64(q + d3));
            c03 = a0.fma(x3, c03);
            c13 = a1.fma(x3, c13);
            r = (r + lda) & ADDRESSES;
            q = (q + step) & ADDRESSES;
        }
        c00.intoArray(tile, 0);
        c10.intoArray(tile, LANES);
        c01.intoArray(tile, 2 * LANES);
        c11.intoArray(tile, 3 * LANES);
        c02.intoArray(tile, 4 * LANES);
        c12.intoArray(tile, 5 * LANES);
        c03.intoArray(tile, 6 * LANES);
        c13.intoArray(tile, 7 * LANES);
    }

    /** One vector of rows. */
    private static void one(int k, long a, long lda, long b, long b1, long b2, long b3, long step, int columns,
            double alpha, long old, long next, long c, long ldc) {
        DoubleVector c00 = zero(SPECIES);
        DoubleVector c01 = zero(SPECIES);
        DoubleVector c02 = zero(SPECIES);
        DoubleVector c03 = zero(SPECIES);
        long r = a & ADDRESSES;
        long q = b & ADDRESSES;
        long d1 = b1 & ADDRESSES;
        long d2 = b2 & ADDRESSES;
        long d3 = b3 & ADDRESSES;
        for (int p = 0; p < k; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, r, ORDER);
            DoubleVector x0 = broadcast(SPECIES, f64(q));
            c00 = a0.fma(x0, c00);
            DoubleVector x1 = broadcast(SPECIES, f64(q + d1));
            c01 = a0.fma(x1, c01);
            DoubleVector x2 = broadcast(SPECIES, f64(q + d2));
            c02 = a0.fma(x2, c02);
            DoubleVector x3 = broadcast(SPECIES, f64(q + d3));
            c03 = a0.fma(x3, c03);
            r = (r + lda) & ADDRESSES;
            q = (q + step) & ADDRESSES;
        }
        DoubleVector v = broadcast(SPECIES, alpha);
        long s = old & ADDRESSES;
        long t = c & ADDRESSES;
        c00.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
        if (columns > 1) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c01.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
        }
        if (columns > 2) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c02.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
        }
        if (columns > 3) {
            s = (s + next) & ADDRESSES;
            t = (t + ldc) & ADDRESSES;
            c03.fma(v, fromMemorySegment(SPECIES, ALL, s, ORDER)).intoMemorySegment(ALL, t, ORDER);
        }
    }

    /** A part of a vector of rows, left in an array. */
    private static void less(int k, long a, long lda, long b, long b1, long b2, long b3, long step,
            VectorMask<Double> mask, double[] tile) {
        DoubleVector c00 = zero(SPECIES);
        DoubleVector c01 = zero(SPECIES);
        DoubleVector c02 = zero(SPECIES);
        DoubleVector c03 = zero(SPECIES);
        long r = a & ADDRESSES;
        long q = b & ADDRESSES;
        long d1 = b1 & ADDRESSES;
        long d2 = b2 & ADDRESSES;
        long d3 = b3 & ADDRESSES;
        for (int p = 0; p < k; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, r, ORDER, mask);
            DoubleVector x0 = broadcast(SPECIES, f64(q));
            c00 = a0.fma(x0, c00);
            DoubleVector x1 = broadcast(SPECIES, f64(q + d1));
            c01 = a0.fma(x1, c01);
            DoubleVector x2 = broadcast(SPECIES, f64(q + d2));
            c02 = a0.fma(x2, c02);
            DoubleVector x3 = broadcast(SPECIES, f64(q + d3));
            c03 = a0.fma(x3, c03);
            r = (r + lda) & ADDRESSES;
            q = (q + step) & ADDRESSES;
        }
        c00.intoArray(tile, 0);
        c01.intoArray(tile, LANES);
        c02.intoArray(tile, 2 * LANES);
        c03.intoArray(tile, 3 * LANES);
    }
}
