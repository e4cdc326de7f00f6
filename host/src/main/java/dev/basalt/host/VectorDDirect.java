package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.ADDRESSES;
import static dev.basalt.host.VectorDLanes.LANES;
import static dev.basalt.host.VectorDLanes.ORDER;
import static dev.basalt.host.VectorDLanes.SPECIES;
import static dev.basalt.host.VectorDLanes.WIDTH;
import static dev.basalt.host.VectorDLanes.first;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;

/**
 * The product of small matrices without a copy of them: tiles of 3 vectors of rows (2 or less at the end) by 4 columns straight
 * from A's columns and B's elements. As in {@link VectorDTile} a finished tile goes to an array: with the update of C in the
 * same method, C2 runs out of nodes and leaves calls, and garbage, behind.
 */
final class VectorDDirect {
    private VectorDDirect() {}

    /**
     * C := alpha·A·op(B) + beta·C.
     *
     * @param lda bytes between columns
     * @param step bytes from one element of op(B) to the next in its column
     * @param ldb bytes from one to the next in its row
     * @param ldc bytes between columns
     */
    static void multiply(
            int m,
            int n,
            int k,
            double alpha,
            long a,
            long lda,
            long b,
            long step,
            long ldb,
            double beta,
            long c,
            long ldc,
            double[] tile) {
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
            int rows;
            for (int left = m; left > 0; left -= rows) {
                int ld;
                if (left >= 3 * LANES && left != 4 * LANES) {
                    three(k, ai, lda, b0, b1, b2, b3, step, tile);
                    VectorDUpdate.tile(tile, 0, 3 * LANES, 3 * LANES, columns, alpha, beta, ci, ldc);
                    ld = 3 * LANES;
                } else if (left >= 2 * LANES) {
                    two(k, ai, lda, b0, b1, b2, b3, step, columns, alpha, beta, ci, ldc);
                    ld = 2 * LANES;
                } else if (left > LANES) {
                    more(k, ai, lda, b0, b1, b2, b3, step, columns, alpha, beta, ci, ldc, mask);
                    ld = 2 * LANES;
                } else {
                    less(k, ai, lda, b0, b1, b2, b3, step, columns, alpha, beta, ci, ldc, mask);
                    ld = LANES;
                }
                rows = ld;
                ai += ld / LANES * WIDTH;
                ci += ld / LANES * WIDTH;
            }
        }
    }

    /** Three vectors of rows, left in an array. */
    private static void three(int k, long a, long lda, long b, long l1, long l2, long l3, long step, double[] tile) {
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
        long d1 = l1 & ADDRESSES;
        long d2 = l2 & ADDRESSES;
        long d3 = l3 & ADDRESSES;
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
        c00.intoArray(tile, 0);
        c10.intoArray(tile, LANES);
        c20.intoArray(tile, 2 * LANES);
        c01.intoArray(tile, 3 * LANES);
        c11.intoArray(tile, 4 * LANES);
        c21.intoArray(tile, 5 * LANES);
        c02.intoArray(tile, 6 * LANES);
        c12.intoArray(tile, 7 * LANES);
        c22.intoArray(tile, 8 * LANES);
        c03.intoArray(tile, 9 * LANES);
        c13.intoArray(tile, 10 * LANES);
        c23.intoArray(tile, 11 * LANES);
    }

    /** Two vectors of rows. */
    private static void two(
            int k,
            long a,
            long lda,
            long b,
            long l1,
            long l2,
            long l3,
            long step,
            int columns,
            double alpha,
            double beta,
            long c,
            long ldc) {
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
        long d1 = l1 & ADDRESSES;
        long d2 = l2 & ADDRESSES;
        long d3 = l3 & ADDRESSES;
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
        long t = c & ADDRESSES;
        update(t, c00, alpha, beta);
        update(t + WIDTH, c10, alpha, beta);
        if (columns > 1) {
            t = (t + ldc) & ADDRESSES;
            update(t, c01, alpha, beta);
            update(t + WIDTH, c11, alpha, beta);
        }
        if (columns > 2) {
            t = (t + ldc) & ADDRESSES;
            update(t, c02, alpha, beta);
            update(t + WIDTH, c12, alpha, beta);
        }
        if (columns > 3) {
            t = (t + ldc) & ADDRESSES;
            update(t, c03, alpha, beta);
            update(t + WIDTH, c13, alpha, beta);
        }
    }

    /** A vector of rows and a part of one. */
    private static void more(
            int k,
            long a,
            long lda,
            long b,
            long l1,
            long l2,
            long l3,
            long step,
            int columns,
            double alpha,
            double beta,
            long c,
            long ldc,
            VectorMask<Double> mask) {
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
        long d1 = l1 & ADDRESSES;
        long d2 = l2 & ADDRESSES;
        long d3 = l3 & ADDRESSES;
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
        long t = c & ADDRESSES;
        update(t, c00, alpha, beta);
        update(t + WIDTH, c10, alpha, beta, mask);
        if (columns > 1) {
            t = (t + ldc) & ADDRESSES;
            update(t, c01, alpha, beta);
            update(t + WIDTH, c11, alpha, beta, mask);
        }
        if (columns > 2) {
            t = (t + ldc) & ADDRESSES;
            update(t, c02, alpha, beta);
            update(t + WIDTH, c12, alpha, beta, mask);
        }
        if (columns > 3) {
            t = (t + ldc) & ADDRESSES;
            update(t, c03, alpha, beta);
            update(t + WIDTH, c13, alpha, beta, mask);
        }
    }

    /** A part of a vector of rows. */
    private static void less(
            int k,
            long a,
            long lda,
            long b,
            long l1,
            long l2,
            long l3,
            long step,
            int columns,
            double alpha,
            double beta,
            long c,
            long ldc,
            VectorMask<Double> mask) {
        DoubleVector c00 = zero(SPECIES);
        DoubleVector c01 = zero(SPECIES);
        DoubleVector c02 = zero(SPECIES);
        DoubleVector c03 = zero(SPECIES);
        long r = a & ADDRESSES;
        long q = b & ADDRESSES;
        long d1 = l1 & ADDRESSES;
        long d2 = l2 & ADDRESSES;
        long d3 = l3 & ADDRESSES;
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
        long t = c & ADDRESSES;
        update(t, c00, alpha, beta, mask);
        if (columns > 1) {
            t = (t + ldc) & ADDRESSES;
            update(t, c01, alpha, beta, mask);
        }
        if (columns > 2) {
            t = (t + ldc) & ADDRESSES;
            update(t, c02, alpha, beta, mask);
        }
        if (columns > 3) {
            t = (t + ldc) & ADDRESSES;
            update(t, c03, alpha, beta, mask);
        }
    }

    private static void update(long c, DoubleVector v, double alpha, double beta) {
        DoubleVector w = beta == 0
                ? v.mul(broadcast(SPECIES, alpha))
                : v.fma(
                        broadcast(SPECIES, alpha),
                        fromMemorySegment(SPECIES, ALL, c, ORDER).mul(broadcast(SPECIES, beta)));
        w.intoMemorySegment(ALL, c, ORDER);
    }

    private static void update(long c, DoubleVector v, double alpha, double beta, VectorMask<Double> mask) {
        DoubleVector w = beta == 0
                ? v.mul(broadcast(SPECIES, alpha))
                : v.fma(
                        broadcast(SPECIES, alpha),
                        fromMemorySegment(SPECIES, ALL, c, ORDER, mask).mul(broadcast(SPECIES, beta)));
        w.intoMemorySegment(ALL, c, ORDER, mask);
    }
}
