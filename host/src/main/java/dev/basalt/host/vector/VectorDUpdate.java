package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.host.vector.VectorDLanes.first;
import static dev.basalt.spi.Memory.ALL;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;

/** Adds a finished tile to C. Every form rounds alike: fma(alpha, t, beta·c), so edges have the bits of full tiles. */
final class VectorDUpdate {
    private VectorDUpdate() {}

    /**
     * C := alpha·tile + beta·C.
     *
     * @param tile column-major
     * @param from where the tile's first used element is
     * @param ld elements between columns of the tile
     * @param rows rows of C
     * @param columns columns of C
     * @param ldc bytes between columns of C
     */
    static void tile(double[] tile, int from, int ld, int rows, int columns, double alpha, double beta, long c,
            long ldc) {
        if (beta == 0) {
            overwrite(tile, from, ld, rows, columns, alpha, c, ldc);
        } else {
            add(tile, from, ld, rows, columns, alpha, beta, c, ldc);
        }
    }

    private static void add(double[] tile, int from, int ld, int rows, int columns, double alpha, double beta, long c,
            long ldc) {
        DoubleVector al = broadcast(SPECIES, alpha);
        DoubleVector be = broadcast(SPECIES, beta);
        int full = rows & -LANES;
        VectorMask<Double> rest = first(rows - full);
        for (int j = 0; j < columns; j++) {
            int t = from + j * ld;
            long at = (c + j * ldc) & ADDRESSES;
            int end = t + full;
            for (; t < end; t += LANES) {
                DoubleVector v = fromArray(SPECIES, tile, t);
                v.fma(al, fromMemorySegment(SPECIES, ALL, at, ORDER).mul(be)).intoMemorySegment(ALL, at, ORDER);
                at = (at + WIDTH) & ADDRESSES;
            }
            if (full < rows) {
                DoubleVector v = fromArray(SPECIES, tile, t, rest);
                v.fma(al, fromMemorySegment(SPECIES, ALL, at, ORDER, rest).mul(be))
                        .intoMemorySegment(ALL, at, ORDER, rest);
            }
        }
    }

    private static void overwrite(double[] tile, int from, int ld, int rows, int columns, double alpha, long c,
            long ldc) {
        DoubleVector al = broadcast(SPECIES, alpha);
        DoubleVector zero = zero(SPECIES);
        int full = rows & -LANES;
        VectorMask<Double> rest = first(rows - full);
        for (int j = 0; j < columns; j++) {
            int t = from + j * ld;
            long at = (c + j * ldc) & ADDRESSES;
            int end = t + full;
            for (; t < end; t += LANES) {
                fromArray(SPECIES, tile, t).fma(al, zero).intoMemorySegment(ALL, at, ORDER);
                at = (at + WIDTH) & ADDRESSES;
            }
            if (full < rows) {
                fromArray(SPECIES, tile, t, rest).fma(al, zero).intoMemorySegment(ALL, at, ORDER, rest);
            }
        }
    }
}
