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
        return n < STEP ? tinyDot(n, x, xOffset, y, yOffset)
                : n < MANY ? fewDot(n, x, xOffset, y, yOffset)
                : manyDot(n, x, xOffset, y, yOffset);
    }

    private static double tinyDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            a = DoubleVector.fromArray(SPECIES, x, xOffset + i).fma(DoubleVector.fromArray(SPECIES, y, yOffset + i), a);
        }
        double sum = 0;
        for (; i < n; i++) {
            sum += x[xOffset + i] * y[yOffset + i];
        }
        return sum + total(a);
    }

    private static double manyDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        int i = 0;
        for (; i <= n - STEP; i += STEP) {
            a = DoubleVector.fromArray(SPECIES, x, xOffset + i).fma(DoubleVector.fromArray(SPECIES, y, yOffset + i), a);
            b = DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES)
                    .fma(DoubleVector.fromArray(SPECIES, y, yOffset + i + LANES), b);
            c = DoubleVector.fromArray(SPECIES, x, xOffset + i + 2 * LANES)
                    .fma(DoubleVector.fromArray(SPECIES, y, yOffset + i + 2 * LANES), c);
            d = DoubleVector.fromArray(SPECIES, x, xOffset + i + 3 * LANES)
                    .fma(DoubleVector.fromArray(SPECIES, y, yOffset + i + 3 * LANES), d);
        }
        for (; i <= n - LANES; i += LANES) {
            a = DoubleVector.fromArray(SPECIES, x, xOffset + i).fma(DoubleVector.fromArray(SPECIES, y, yOffset + i), a);
        }
        double sum = 0;
        for (; i < n; i++) {
            sum += x[xOffset + i] * y[yOffset + i];
        }
        return sum + total(a.add(b).add(c.add(d)));
    }

    private static double fewDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = a;
        int i = 0;
        for (; i <= n - PAIR; i += PAIR) {
            a = DoubleVector.fromArray(SPECIES, x, xOffset + i).fma(DoubleVector.fromArray(SPECIES, y, yOffset + i), a);
            b = DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES)
                    .fma(DoubleVector.fromArray(SPECIES, y, yOffset + i + LANES), b);
        }
        if (i <= n - LANES) {
            a = DoubleVector.fromArray(SPECIES, x, xOffset + i).fma(DoubleVector.fromArray(SPECIES, y, yOffset + i), a);
            i += LANES;
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
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        int i = 0;
        for (; i <= n - STEP; i += STEP) {
            DoubleVector pa = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            a = pa.fma(pa, a);
            DoubleVector pb = DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES);
            b = pb.fma(pb, b);
            DoubleVector pc = DoubleVector.fromArray(SPECIES, x, xOffset + i + 2 * LANES);
            c = pc.fma(pc, c);
            DoubleVector pd = DoubleVector.fromArray(SPECIES, x, xOffset + i + 3 * LANES);
            d = pd.fma(pd, d);
        }
        if (i <= n - PAIR) {
            DoubleVector pa = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            a = pa.fma(pa, a);
            DoubleVector pb = DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES);
            b = pb.fma(pb, b);
            i += PAIR;
        }
        if (i <= n - LANES) {
            DoubleVector pc = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            c = pc.fma(pc, c);
            i += LANES;
        }
        double sum = 0;
        for (; i < n; i++) {
            sum += x[xOffset + i] * x[xOffset + i];
        }
        return sum + total(a.add(b).add(c.add(d)));
    }

    private static double fewSquares(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = a;
        int i = 0;
        for (; i <= n - PAIR; i += PAIR) {
            DoubleVector pa = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            a = pa.fma(pa, a);
            DoubleVector pb = DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES);
            b = pb.fma(pb, b);
        }
        if (i <= n - LANES) {
            DoubleVector v = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            a = v.fma(v, a);
            i += LANES;
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
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        int i = 0;
        for (; i <= n - STEP; i += STEP) {
            a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
            b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES).abs());
            c = c.add(DoubleVector.fromArray(SPECIES, x, xOffset + i + 2 * LANES).abs());
            d = d.add(DoubleVector.fromArray(SPECIES, x, xOffset + i + 3 * LANES).abs());
        }
        if (i <= n - PAIR) {
            a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
            b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES).abs());
            i += PAIR;
        }
        if (i <= n - LANES) {
            c = c.add(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
            i += LANES;
        }
        double sum = 0;
        for (; i < n; i++) {
            sum += Math.abs(x[xOffset + i]);
        }
        return sum + total(a.add(b).add(c.add(d)));
    }

    private static double fewAsum(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = a;
        int i = 0;
        for (; i <= n - PAIR; i += PAIR) {
            a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
            b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES).abs());
        }
        if (i <= n - LANES) {
            a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
            i += LANES;
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
