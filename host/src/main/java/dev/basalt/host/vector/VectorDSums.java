package dev.basalt.host.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums of vectors in arrays of Java: the JVM's compiler does not spread those over vector registers by itself, since it keeps their order. So it is given an
 * order here, the same on every machine. And a few elements, for which it begins one by one.
 */
final class VectorDSums {
    /** Of one width, so that all machines add in the same order. */
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_256;

    private static final int LANES = SPECIES.length();
    /** Elements of a step of few: two sums side by side. */
    private static final int PAIR = 2 * LANES;

    /** Elements of a step of many: four sums side by side. */
    private static final int STEP = 4 * LANES;

    /** From here on there are many. */
    private static final int MANY = 4 * STEP;

    private VectorDSums() {}

    /** Σ xᵢ·yᵢ. */
    static double dot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        return n < MANY ? fewDot(n, x, xOffset, y, yOffset) : manyDot(n, x, xOffset, y, yOffset);
    }

    private static double manyDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        DoubleVector c = DoubleVector.zero(SPECIES);
        DoubleVector d = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - STEP; i += STEP) {
            int p = xOffset + i;
            int q = yOffset + i;
            a = DoubleVector.fromArray(SPECIES, x, p).fma(DoubleVector.fromArray(SPECIES, y, q), a);
            b = DoubleVector.fromArray(SPECIES, x, p + LANES).fma(DoubleVector.fromArray(SPECIES, y, q + LANES), b);
            c = DoubleVector.fromArray(SPECIES, x, p + 2 * LANES)
                    .fma(DoubleVector.fromArray(SPECIES, y, q + 2 * LANES), c);
            d = DoubleVector.fromArray(SPECIES, x, p + 3 * LANES)
                    .fma(DoubleVector.fromArray(SPECIES, y, q + 3 * LANES), d);
        }
        return total(a.add(b).add(c.add(d))) + fewDot(n - i, x, xOffset + i, y, yOffset + i);
    }

    private static double fewDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - PAIR; i += PAIR) {
            int p = xOffset + i;
            int q = yOffset + i;
            a = DoubleVector.fromArray(SPECIES, x, p).fma(DoubleVector.fromArray(SPECIES, y, q), a);
            b = DoubleVector.fromArray(SPECIES, x, p + LANES).fma(DoubleVector.fromArray(SPECIES, y, q + LANES), b);
        }
        double sum = 0;
        for (; i < n; i++) {
            sum += x[xOffset + i] * y[yOffset + i];
        }
        return sum + total(a.add(b));
    }

    /** Σ xᵢ². */
    static double squares(int n, double[] x, int xOffset) {
        return n < MANY ? fewSquares(n, x, xOffset) : manySquares(n, x, xOffset);
    }

    private static double manySquares(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        DoubleVector c = DoubleVector.zero(SPECIES);
        DoubleVector d = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - STEP; i += STEP) {
            int p = xOffset + i;
            a = DoubleVector.fromArray(SPECIES, x, p).fma(DoubleVector.fromArray(SPECIES, x, p), a);
            b = DoubleVector.fromArray(SPECIES, x, p + LANES).fma(DoubleVector.fromArray(SPECIES, x, p + LANES), b);
            c = DoubleVector.fromArray(SPECIES, x, p + 2 * LANES)
                    .fma(DoubleVector.fromArray(SPECIES, x, p + 2 * LANES), c);
            d = DoubleVector.fromArray(SPECIES, x, p + 3 * LANES)
                    .fma(DoubleVector.fromArray(SPECIES, x, p + 3 * LANES), d);
        }
        return total(a.add(b).add(c.add(d))) + fewSquares(n - i, x, xOffset + i);
    }

    private static double fewSquares(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - PAIR; i += PAIR) {
            int p = xOffset + i;
            a = DoubleVector.fromArray(SPECIES, x, p).fma(DoubleVector.fromArray(SPECIES, x, p), a);
            b = DoubleVector.fromArray(SPECIES, x, p + LANES).fma(DoubleVector.fromArray(SPECIES, x, p + LANES), b);
        }
        double sum = 0;
        for (; i < n; i++) {
            sum += x[xOffset + i] * x[xOffset + i];
        }
        return sum + total(a.add(b));
    }

    /** Σ |xᵢ|. */
    static double asum(int n, double[] x, int xOffset) {
        return n < MANY ? fewAsum(n, x, xOffset) : manyAsum(n, x, xOffset);
    }

    private static double manyAsum(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        DoubleVector c = DoubleVector.zero(SPECIES);
        DoubleVector d = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - STEP; i += STEP) {
            int p = xOffset + i;
            a = a.add(DoubleVector.fromArray(SPECIES, x, p).abs());
            b = b.add(DoubleVector.fromArray(SPECIES, x, p + LANES).abs());
            c = c.add(DoubleVector.fromArray(SPECIES, x, p + 2 * LANES).abs());
            d = d.add(DoubleVector.fromArray(SPECIES, x, p + 3 * LANES).abs());
        }
        return total(a.add(b).add(c.add(d))) + fewAsum(n - i, x, xOffset + i);
    }

    private static double fewAsum(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - PAIR; i += PAIR) {
            int p = xOffset + i;
            a = a.add(DoubleVector.fromArray(SPECIES, x, p).abs());
            b = b.add(DoubleVector.fromArray(SPECIES, x, p + LANES).abs());
        }
        double sum = 0;
        for (; i < n; i++) {
            sum += Math.abs(x[xOffset + i]);
        }
        return sum + total(a.add(b));
    }

    /** y := alpha·x + y, with the bits of a loop. */
    static void axpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector.fromArray(SPECIES, x, xOffset + i)
                    .mul(alpha)
                    .add(DoubleVector.fromArray(SPECIES, y, yOffset + i))
                    .intoArray(y, yOffset + i);
        }
        for (; i < n; i++) {
            y[yOffset + i] += alpha * x[xOffset + i];
        }
    }

    /** The sum of the lanes, in one order. */
    private static double total(DoubleVector a) {
        double low = a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }
}
