package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.spi.Memory.ALL;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The micro-kernel of the matrix product: a tile of 3 (or 2) vectors of rows by {@link #NR} columns, kept in registers
 * while it runs through a packed micro-panel of A and one of B. All flops of level 3 are spent here.
 *
 * <p>Its shape is chosen for the compilers as much as for the CPU. The accumulators are 24 named locals: with 3 vectors of A
 * and one broadcast element of B they fit 32 registers (12 and 16 where there are only 16), and 8 FMA of latency 4 on two ports are
 * hidden. A is read through the segment of all memory, B from an array: more segment accesses exhaust C2's node budget, which
 * then leaves one call in the loop (7 times slower). The tile goes to an array and {@link VectorDUpdate} adds it to C: with that
 * in one method C1 runs out of virtual registers, and the kernel stays interpreted until C2 happens to take it.
 */
final class VectorDTile {
    static final VectorSpecies<Double> SPECIES = VectorDLanes.SPECIES;
    static final int LANES = VectorDLanes.LANES;
    static final long WIDTH = VectorDLanes.WIDTH;
    /** Whether there are 32 registers (AVX-512); else 16 are assumed. */
    private static final boolean WIDE = VectorWidth.BITS == 512;
    /** Rows of the full tile. */
    static final int MR = 3 * LANES;
    /** Columns of the tile. */
    static final int NR = WIDE ? 8 : 4;

    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private VectorDTile() {}

    /**
     * tile := A·B, column-major with {@code vectors·LANES} rows.
     *
     * @param vectors 2 or 3
     * @param kc depth
     * @param a address of column 0 of the micro-panel of A
     * @param step bytes from one column of it to the next
     * @param b micro-panel of B, NR elements a row
     */
    static void multiply(int vectors, int kc, long a, long step, double[] b, double[] tile) {
        if (WIDE) {
            if (vectors == 3) {
                wide3(kc, a, step, b, tile);
            } else {
                wide2(kc, a, step, b, tile);
            }
        } else if (vectors == 3) {
            narrow3(kc, a, step, b, tile);
        } else {
            narrow2(kc, a, step, b, tile);
        }
    }

    /** 3 vectors by 8 columns. */
    private static void wide3(int kc, long a, long step, double[] b, double[] tile) {
        DoubleVector c00 = DoubleVector.zero(SPECIES);
        DoubleVector c10 = DoubleVector.zero(SPECIES);
        DoubleVector c20 = DoubleVector.zero(SPECIES);
        DoubleVector c01 = DoubleVector.zero(SPECIES);
        DoubleVector c11 = DoubleVector.zero(SPECIES);
        DoubleVector c21 = DoubleVector.zero(SPECIES);
        DoubleVector c02 = DoubleVector.zero(SPECIES);
        DoubleVector c12 = DoubleVector.zero(SPECIES);
        DoubleVector c22 = DoubleVector.zero(SPECIES);
        DoubleVector c03 = DoubleVector.zero(SPECIES);
        DoubleVector c13 = DoubleVector.zero(SPECIES);
        DoubleVector c23 = DoubleVector.zero(SPECIES);
        DoubleVector c04 = DoubleVector.zero(SPECIES);
        DoubleVector c14 = DoubleVector.zero(SPECIES);
        DoubleVector c24 = DoubleVector.zero(SPECIES);
        DoubleVector c05 = DoubleVector.zero(SPECIES);
        DoubleVector c15 = DoubleVector.zero(SPECIES);
        DoubleVector c25 = DoubleVector.zero(SPECIES);
        DoubleVector c06 = DoubleVector.zero(SPECIES);
        DoubleVector c16 = DoubleVector.zero(SPECIES);
        DoubleVector c26 = DoubleVector.zero(SPECIES);
        DoubleVector c07 = DoubleVector.zero(SPECIES);
        DoubleVector c17 = DoubleVector.zero(SPECIES);
        DoubleVector c27 = DoubleVector.zero(SPECIES);
        long f = a & ADDRESSES;
        int g = 0;
        for (int p = 0; p < kc; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, f, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, f + WIDTH, ORDER);
            DoubleVector a2 = fromMemorySegment(SPECIES, ALL, f + 2 * WIDTH, ORDER);
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
            f = (f + step) & ADDRESSES;
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

    /** 2 vectors by 8 columns, for the last rows. */
    private static void wide2(int kc, long a, long step, double[] b, double[] tile) {
        DoubleVector c00 = DoubleVector.zero(SPECIES);
        DoubleVector c10 = DoubleVector.zero(SPECIES);
        DoubleVector c01 = DoubleVector.zero(SPECIES);
        DoubleVector c11 = DoubleVector.zero(SPECIES);
        DoubleVector c02 = DoubleVector.zero(SPECIES);
        DoubleVector c12 = DoubleVector.zero(SPECIES);
        DoubleVector c03 = DoubleVector.zero(SPECIES);
        DoubleVector c13 = DoubleVector.zero(SPECIES);
        DoubleVector c04 = DoubleVector.zero(SPECIES);
        DoubleVector c14 = DoubleVector.zero(SPECIES);
        DoubleVector c05 = DoubleVector.zero(SPECIES);
        DoubleVector c15 = DoubleVector.zero(SPECIES);
        DoubleVector c06 = DoubleVector.zero(SPECIES);
        DoubleVector c16 = DoubleVector.zero(SPECIES);
        DoubleVector c07 = DoubleVector.zero(SPECIES);
        DoubleVector c17 = DoubleVector.zero(SPECIES);
        long f = a & ADDRESSES;
        int g = 0;
        for (int p = 0; p < kc; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, f, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, f + WIDTH, ORDER);
            DoubleVector b0 = broadcast(SPECIES, b[g]);
            c00 = a0.fma(b0, c00);
            c10 = a1.fma(b0, c10);
            DoubleVector b1 = broadcast(SPECIES, b[g + 1]);
            c01 = a0.fma(b1, c01);
            c11 = a1.fma(b1, c11);
            DoubleVector b2 = broadcast(SPECIES, b[g + 2]);
            c02 = a0.fma(b2, c02);
            c12 = a1.fma(b2, c12);
            DoubleVector b3 = broadcast(SPECIES, b[g + 3]);
            c03 = a0.fma(b3, c03);
            c13 = a1.fma(b3, c13);
            DoubleVector b4 = broadcast(SPECIES, b[g + 4]);
            c04 = a0.fma(b4, c04);
            c14 = a1.fma(b4, c14);
            DoubleVector b5 = broadcast(SPECIES, b[g + 5]);
            c05 = a0.fma(b5, c05);
            c15 = a1.fma(b5, c15);
            DoubleVector b6 = broadcast(SPECIES, b[g + 6]);
            c06 = a0.fma(b6, c06);
            c16 = a1.fma(b6, c16);
            DoubleVector b7 = broadcast(SPECIES, b[g + 7]);
            c07 = a0.fma(b7, c07);
            c17 = a1.fma(b7, c17);
            f = (f + step) & ADDRESSES;
            g += 8;
        }
        c00.intoArray(tile, 0);
        c10.intoArray(tile, LANES);
        c01.intoArray(tile, 2 * LANES);
        c11.intoArray(tile, 3 * LANES);
        c02.intoArray(tile, 4 * LANES);
        c12.intoArray(tile, 5 * LANES);
        c03.intoArray(tile, 6 * LANES);
        c13.intoArray(tile, 7 * LANES);
        c04.intoArray(tile, 8 * LANES);
        c14.intoArray(tile, 9 * LANES);
        c05.intoArray(tile, 10 * LANES);
        c15.intoArray(tile, 11 * LANES);
        c06.intoArray(tile, 12 * LANES);
        c16.intoArray(tile, 13 * LANES);
        c07.intoArray(tile, 14 * LANES);
        c17.intoArray(tile, 15 * LANES);
    }

    /** 3 vectors by 4 columns. */
    private static void narrow3(int kc, long a, long step, double[] b, double[] tile) {
        DoubleVector c00 = DoubleVector.zero(SPECIES);
        DoubleVector c10 = DoubleVector.zero(SPECIES);
        DoubleVector c20 = DoubleVector.zero(SPECIES);
        DoubleVector c01 = DoubleVector.zero(SPECIES);
        DoubleVector c11 = DoubleVector.zero(SPECIES);
        DoubleVector c21 = DoubleVector.zero(SPECIES);
        DoubleVector c02 = DoubleVector.zero(SPECIES);
        DoubleVector c12 = DoubleVector.zero(SPECIES);
        DoubleVector c22 = DoubleVector.zero(SPECIES);
        DoubleVector c03 = DoubleVector.zero(SPECIES);
        DoubleVector c13 = DoubleVector.zero(SPECIES);
        DoubleVector c23 = DoubleVector.zero(SPECIES);
        long f = a & ADDRESSES;
        int g = 0;
        for (int p = 0; p < kc; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, f, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, f + WIDTH, ORDER);
            DoubleVector a2 = fromMemorySegment(SPECIES, ALL, f + 2 * WIDTH, ORDER);
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
            f = (f + step) & ADDRESSES;
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

    /** 2 vectors by 4 columns, for the last rows. */
    private static void narrow2(int kc, long a, long step, double[] b, double[] tile) {
        DoubleVector c00 = DoubleVector.zero(SPECIES);
        DoubleVector c10 = DoubleVector.zero(SPECIES);
        DoubleVector c01 = DoubleVector.zero(SPECIES);
        DoubleVector c11 = DoubleVector.zero(SPECIES);
        DoubleVector c02 = DoubleVector.zero(SPECIES);
        DoubleVector c12 = DoubleVector.zero(SPECIES);
        DoubleVector c03 = DoubleVector.zero(SPECIES);
        DoubleVector c13 = DoubleVector.zero(SPECIES);
        long f = a & ADDRESSES;
        int g = 0;
        for (int p = 0; p < kc; p++) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, f, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, f + WIDTH, ORDER);
            DoubleVector b0 = broadcast(SPECIES, b[g]);
            c00 = a0.fma(b0, c00);
            c10 = a1.fma(b0, c10);
            DoubleVector b1 = broadcast(SPECIES, b[g + 1]);
            c01 = a0.fma(b1, c01);
            c11 = a1.fma(b1, c11);
            DoubleVector b2 = broadcast(SPECIES, b[g + 2]);
            c02 = a0.fma(b2, c02);
            c12 = a1.fma(b2, c12);
            DoubleVector b3 = broadcast(SPECIES, b[g + 3]);
            c03 = a0.fma(b3, c03);
            c13 = a1.fma(b3, c13);
            f = (f + step) & ADDRESSES;
            g += 4;
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
}
