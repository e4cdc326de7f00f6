package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.SWAP;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.host.vector.VectorDLanes.first;
import static dev.basalt.host.vector.VectorDLanes.pairs;
import static dev.basalt.spi.Memory.ALL;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;

/**
 * Adds a tile of a complex product to C. The real micro-kernel leaves two columns for each of C: u = A·re(b) and v = A·im(b),
 * with real and imaginary parts of A in turn. The product is u + (-im v, re v); alpha and the conjugations only change the factors of u,
 * v and of both with their parts exchanged, and those are the same for a whole product.
 */
final class VectorZUpdate {
    private double alphaR;
    private double alphaI;
    private double betaR;
    private double betaI;
    /** -1 where the imaginary parts of A are to be negated, else 1. */
    private double signA;

    private double signB;

    void set(double alphaR, double alphaI, double betaR, double betaI, boolean conjA, boolean conjB) {
        this.alphaR = alphaR;
        this.alphaI = alphaI;
        this.betaR = betaR;
        this.betaI = betaI;
        signA = conjA ? -1 : 1;
        signB = conjB ? -1 : 1;
    }

    /**
     * C := alpha·product + beta·C.
     *
     * @param ld reals between columns of the tile
     * @param rows rows of C, in reals
     * @param columns columns of C
     * @param once whether beta is still to be applied
     * @param ldc bytes between columns of C
     */
    void tile(double[] tile, int from, int ld, int rows, int columns, boolean once, long c, long ldc) {
        double re = once ? betaR : 1;
        double im = once ? betaI : 0;
        for (int j = 0; j < columns; j++) {
            if (alphaI == 0 && im == 0) {
                real(tile, from + 2 * j * ld, ld, rows, re, c + j * ldc);
            } else {
                complex(tile, from + 2 * j * ld, ld, rows, re, im, c + j * ldc);
            }
        }
    }

    private void real(double[] tile, int u, int ld, int rows, double beta, long c) {
        DoubleVector p = pairs(alphaR, alphaR * signA);
        DoubleVector s = pairs(-alphaR * signA * signB, alphaR * signB);
        DoubleVector scale = broadcast(SPECIES, beta);
        int full = rows & -LANES;
        long at = c & ADDRESSES;
        for (int i = u; i < u + full; i += LANES) {
            DoubleVector t = beta == 0 ? zero(SPECIES) : fromMemorySegment(SPECIES, ALL, at, ORDER).mul(scale);
            DoubleVector x = fromArray(SPECIES, tile, i);
            DoubleVector y = fromArray(SPECIES, tile, i + ld).rearrange(SWAP);
            y.fma(s, x.fma(p, t)).intoMemorySegment(ALL, at, ORDER);
            at = (at + WIDTH) & ADDRESSES;
        }
        if (full < rows) {
            VectorMask<Double> rest = first(rows - full);
            DoubleVector t = beta == 0 ? zero(SPECIES) : fromMemorySegment(SPECIES, ALL, at, ORDER, rest).mul(scale);
            DoubleVector x = fromArray(SPECIES, tile, u + full);
            DoubleVector y = fromArray(SPECIES, tile, u + full + ld).rearrange(SWAP);
            y.fma(s, x.fma(p, t)).intoMemorySegment(ALL, at, ORDER, rest);
        }
    }

    private void complex(double[] tile, int u, int ld, int rows, double re, double im, long c) {
        DoubleVector p = pairs(alphaR, alphaR * signA);
        DoubleVector q = pairs(-alphaI * signA, alphaI);
        DoubleVector r = pairs(-alphaI * signB, -alphaI * signA * signB);
        DoubleVector s = pairs(-alphaR * signA * signB, alphaR * signB);
        DoubleVector direct = broadcast(SPECIES, re);
        DoubleVector cross = pairs(-im, im);
        boolean overwrite = re == 0 && im == 0;
        for (int i = 0; i < rows; i += LANES) {
            VectorMask<Double> mask = first(Math.min(LANES, rows - i));
            DoubleVector t = zero(SPECIES);
            if (!overwrite) {
                DoubleVector old = fromMemorySegment(SPECIES, ALL, c, ORDER, mask);
                t = old.rearrange(SWAP).fma(cross, old.mul(direct));
            }
            DoubleVector x = fromArray(SPECIES, tile, u + i);
            DoubleVector y = fromArray(SPECIES, tile, u + i + ld);
            t = y.rearrange(SWAP).fma(s, x.fma(p, t));
            t = y.fma(r, x.rearrange(SWAP).fma(q, t));
            t.intoMemorySegment(ALL, c, ORDER, mask);
            c += WIDTH;
        }
    }
}
