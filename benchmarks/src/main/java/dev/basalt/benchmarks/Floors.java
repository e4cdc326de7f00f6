package dev.basalt.benchmarks;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** What no routine can do faster on one core: read arrays, read and write them, multiply and add. */
final class Floors {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    /** Rounds of a loop in registers. */
    private static final int ROUNDS = 2000;

    /** Sums side by side: two for each step that a multiplication waits for the one before. */
    private static final int SUMS = 8;

    private static final double HALF = 0.5;

    private Floors() {}

    /** Reads all elements: the two halves side by side, as two streams are read faster than one. */
    static double read(double[] x) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        int half = x.length / 2;
        for (int i = 0; i <= half - 2 * LANES; i += 2 * LANES) {
            a = a.add(DoubleVector.fromArray(SPECIES, x, i));
            b = b.add(DoubleVector.fromArray(SPECIES, x, i + half));
            c = c.add(DoubleVector.fromArray(SPECIES, x, i + LANES));
            d = d.add(DoubleVector.fromArray(SPECIES, x, i + half + LANES));
        }
        return a.add(b).add(c.add(d)).lane(0);
    }

    /** Multiplies and adds in registers, from numbers that differ, or the compiler would see that they are one; {@link #operations} says how often. */
    static double multiply(double start) {
        DoubleVector factor = DoubleVector.broadcast(SPECIES, HALF);
        DoubleVector a = DoubleVector.broadcast(SPECIES, start);
        DoubleVector b = a.add(1);
        DoubleVector c = a.add(2);
        DoubleVector d = a.add(3);
        DoubleVector e = a.add(4);
        DoubleVector f = a.add(5);
        DoubleVector g = a.add(6);
        DoubleVector h = a.add(7);
        for (int i = 0; i < ROUNDS; i++) {
            a = a.fma(factor, factor);
            b = b.fma(factor, factor);
            c = c.fma(factor, factor);
            d = d.fma(factor, factor);
            e = e.fma(factor, factor);
            f = f.fma(factor, factor);
            g = g.fma(factor, factor);
            h = h.fma(factor, factor);
        }
        return a.add(b).add(c.add(d)).add(e.add(f).add(g.add(h))).lane(0);
    }

    /** Multiplications and additions of a call of {@link #multiply}. */
    static double operations() {
        return 2.0 * ROUNDS * SUMS * LANES;
    }
}
