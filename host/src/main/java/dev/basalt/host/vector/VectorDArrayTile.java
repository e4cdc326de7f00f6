package dev.basalt.host.vector;

import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.zero;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The micro-kernel for a micro-panel of A in an array, where the product has no packing memory and A must be transposed. It is
 * some 12 % slower than {@link VectorDTile}: an array starts 16 bytes into a cache line, so each 64-byte load touches two.
 */
final class VectorDArrayTile {
    private static final VectorSpecies<Double> SPECIES = VectorDLanes.SPECIES;
    private static final int LANES = VectorDLanes.LANES;

    private VectorDArrayTile() {}

    /**
     * tile := A·B with full tiles of 3 vectors.
     *
     * @param kc depth
     * @param a micro-panels of A
     * @param at where this one starts
     * @param b micro-panel of B
     */
    static void multiply(int kc, double[] a, int at, double[] b, double[] tile) {
        if (VectorDTile.NR == 8) {
            wide(kc, a, at, b, tile);
        } else {
            narrow(kc, a, at, b, tile);
        }
    }

    /** 3 vectors by 8 columns. */
    private static void wide(int kc, double[] a, int at, double[] b, double[] tile) {
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
        DoubleVector c04 = zero(SPECIES);
        DoubleVector c14 = zero(SPECIES);
        DoubleVector c24 = zero(SPECIES);
        DoubleVector c05 = zero(SPECIES);
        DoubleVector c15 = zero(SPECIES);
        DoubleVector c25 = zero(SPECIES);
        DoubleVector c06 = zero(SPECIES);
        DoubleVector c16 = zero(SPECIES);
        DoubleVector c26 = zero(SPECIES);
        DoubleVector c07 = zero(SPECIES);
        DoubleVector c17 = zero(SPECIES);
        DoubleVector c27 = zero(SPECIES);
        int f = at;
        int g = 0;
        for (int p = 0; p < kc; p++) {
            DoubleVector a0 = fromArray(SPECIES, a, f);
            DoubleVector a1 = fromArray(SPECIES, a, f + LANES);
            DoubleVector a2 = fromArray(SPECIES, a, f + 2 * LANES);
            DoubleVector b0 = broadcast(SPECIES, b[g]);
            c00 = a0.fma(b0, c00);
            c10 = a1.fma(b0, c10);
            c20 = a2.fma(b0, c20);
            DoubleVector b1 = broadcast(SPECIES, b[g + 1]);
            c01 = a0.fma(b1, c01);
            c11 = a1.fma(b1, c11);
            c21 = a2.fma(b1, c21);
            DoubleVector b2 = broadcast(SPECIES, b[g + 2]);
            c02 = a0.fma(b2, c02);
            c12 = a1.fma(b2, c12);
            c22 = a2.fma(b2, c22);
            DoubleVector b3 = broadcast(SPECIES, b[g + 3]);
            c03 = a0.fma(b3, c03);
            c13 = a1.fma(b3, c13);
            c23 = a2.fma(b3, c23);
            DoubleVector b4 = broadcast(SPECIES, b[g + 4]);
            c04 = a0.fma(b4, c04);
            c14 = a1.fma(b4, c14);
            c24 = a2.fma(b4, c24);
            DoubleVector b5 = broadcast(SPECIES, b[g + 5]);
            c05 = a0.fma(b5, c05);
            c15 = a1.fma(b5, c15);
            c25 = a2.fma(b5, c25);
            DoubleVector b6 = broadcast(SPECIES, b[g + 6]);
            c06 = a0.fma(b6, c06);
            c16 = a1.fma(b6, c16);
            c26 = a2.fma(b6, c26);
            DoubleVector b7 = broadcast(SPECIES, b[g + 7]);
            c07 = a0.fma(b7, c07);
            c17 = a1.fma(b7, c17);
            c27 = a2.fma(b7, c27);
            f += 3 * LANES;
            g += 8;
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
        c04.intoArray(tile, 12 * LANES);
        c14.intoArray(tile, 13 * LANES);
        c24.intoArray(tile, 14 * LANES);
        c05.intoArray(tile, 15 * LANES);
        c15.intoArray(tile, 16 * LANES);
        c25.intoArray(tile, 17 * LANES);
        c06.intoArray(tile, 18 * LANES);
        c16.intoArray(tile, 19 * LANES);
        c26.intoArray(tile, 20 * LANES);
        c07.intoArray(tile, 21 * LANES);
        c17.intoArray(tile, 22 * LANES);
        c27.intoArray(tile, 23 * LANES);
    }

    /** 3 vectors by 4 columns. */
    private static void narrow(int kc, double[] a, int at, double[] b, double[] tile) {
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
        int f = at;
        int g = 0;
        for (int p = 0; p < kc; p++) {
            DoubleVector a0 = fromArray(SPECIES, a, f);
            DoubleVector a1 = fromArray(SPECIES, a, f + LANES);
            DoubleVector a2 = fromArray(SPECIES, a, f + 2 * LANES);
            DoubleVector b0 = broadcast(SPECIES, b[g]);
            c00 = a0.fma(b0, c00);
            c10 = a1.fma(b0, c10);
            c20 = a2.fma(b0, c20);
            DoubleVector b1 = broadcast(SPECIES, b[g + 1]);
            c01 = a0.fma(b1, c01);
            c11 = a1.fma(b1, c11);
            c21 = a2.fma(b1, c21);
            DoubleVector b2 = broadcast(SPECIES, b[g + 2]);
            c02 = a0.fma(b2, c02);
            c12 = a1.fma(b2, c12);
            c22 = a2.fma(b2, c22);
            DoubleVector b3 = broadcast(SPECIES, b[g + 3]);
            c03 = a0.fma(b3, c03);
            c13 = a1.fma(b3, c13);
            c23 = a2.fma(b3, c23);
            f += 3 * LANES;
            g += 4;
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
}
