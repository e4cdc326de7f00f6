package dev.basalt.benchmarks;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** What no routine can do faster on one core: read arrays. */
final class Floors {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

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
}
