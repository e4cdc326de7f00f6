package dev.basalt.host.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector; // float: import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums of vectors in arrays of Java: the JVM's compiler does not spread those over vector registers by itself, since it keeps their order. So it is given an
 * order here, the same on every machine. And a few elements, for which it begins one by one.
 *
 * <p>Lanes are added where they are: in a large caller the compiler leaves a method that would do it out, and makes an object of the vector.
 */
final class VectorDSums {
    /** Of one width, so that all machines add in the same order. */
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_256;

    static final int LANES = SPECIES.length();
    private static final DoubleVector PLACES = DoubleVector.zero(SPECIES).addIndex(1);

    /**
     * The same number, which the compiler does not know: so it cannot take the check of an element's place for that of one further on, which is read
     * only where there are more. Such a check fails at the end of an array, and from then on no loop in this JVM would do without checks of its own.
     */
    @SuppressWarnings("NonFinalStaticField")
    private static int stride = LANES;

    /** All bits but the sign, in a register: the compiler's abs loads them each time, and loads are what bounds a long sum. */
    private static final LongVector SIZE = LongVector.broadcast(LongVector.SPECIES_256, Long.MAX_VALUE); // float: private static final IntVector SIZE = IntVector.broadcast(IntVector.SPECIES_256, Integer.MAX_VALUE);

    /** Elements of a step of few: two sums side by side. */
    private static final int PAIR = 2 * LANES;

    /** Elements of a step of many: four sums side by side. */
    private static final int STEP = 4 * LANES;

    /** Up to so many sizes the end of four sums takes more time than two sums lose: 70 to 150 floats take 8 to 11 ns, not 11 to 15. */
    private static final int SOME = 8 * STEP;

    /** From here on there are many products. */
    private static final int MANY = 32 * STEP;

    private static final Warmth PAIR_DOT = new Warmth();
    private static final Warmth MANY_DOT = new Warmth();
    private static final Warmth MANY_SQUARES = new Warmth();
    private static final Warmth SOME_ASUM = new Warmth();
    private static final Warmth MANY_ASUM = new Warmth();
    private static final Warmth AMAX = new Warmth();

    private VectorDSums() {}

    /** Σ xᵢ·yᵢ. */
    static double dot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (n <= STEP) {
            return tinyDot(n, x, xOffset, y, yOffset);
        }
        if (n < MANY) {
            return PAIR_DOT.isWarm() ? pairDot(n, x, xOffset, y, yOffset) : earlyPair(n, x, xOffset, y, yOffset);
        }
        return MANY_DOT.isWarm() ? manyDot(n, x, xOffset, y, yOffset) : earlyMany(n, x, xOffset, y, yOffset);
    }

    private static double earlyPair(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (!PAIR_DOT.hasTurn()) {
            return EarlyDSums.pairDot(n, x, xOffset, y, yOffset);
        }
        long start = System.nanoTime();
        double sum = pairDot(n, x, xOffset, y, yOffset);
        PAIR_DOT.took(System.nanoTime() - start, n);
        return sum;
    }

    private static double earlyMany(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (!MANY_DOT.hasTurn()) {
            return EarlyDSums.manyDot(n, x, xOffset, y, yOffset);
        }
        long start = System.nanoTime();
        double sum = manyDot(n, x, xOffset, y, yOffset);
        MANY_DOT.took(System.nanoTime() - start, n);
        return sum;
    }

    /** Without a loop: to begin and end one takes longer than the work. */
    private static double tinyDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (n < LANES) {
            return leastDot(n, x, xOffset, y, yOffset);
        }
        DoubleVector a = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES)
                .mul(DoubleVector.fromArray(SPECIES, y, yOffset + n - LANES))
                .blend(0.0, PLACES.compare(VectorOperators.LT, -n & LANES - 1));
        if (n > LANES) {
            DoubleVector b =
                    DoubleVector.fromArray(SPECIES, x, xOffset).mul(DoubleVector.fromArray(SPECIES, y, yOffset));
            if (n > 2 * LANES) {
                b = DoubleVector.fromArray(SPECIES, x, xOffset + stride)
                        .fma(DoubleVector.fromArray(SPECIES, y, yOffset + stride), b);
                if (n > 3 * LANES) {
                    a = DoubleVector.fromArray(SPECIES, x, xOffset + 2 * stride)
                            .fma(DoubleVector.fromArray(SPECIES, y, yOffset + 2 * stride), a);
                }
            }
            a = a.add(b);
        }
        double low = a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    /** Of less than a vector. */
    private static double leastDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        double sum = x[xOffset] * y[yOffset];
        if (n > 1) {
            sum += x[xOffset + 1] * y[yOffset + 1];
        }
        for (int i = 2; i < n; i++) {
            sum += x[xOffset + i] * y[yOffset + i];
        }
        return sum;
    }

    static double pairDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        DoubleVector a = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES)
                .mul(DoubleVector.fromArray(SPECIES, y, yOffset + n - LANES))
                .blend(0.0, PLACES.compare(VectorOperators.LT, -n & LANES - 1));
        DoubleVector b = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i < n - PAIR; i += PAIR) {
            a = DoubleVector.fromArray(SPECIES, x, xOffset + i).fma(DoubleVector.fromArray(SPECIES, y, yOffset + i), a);
            b = DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES)
                    .fma(DoubleVector.fromArray(SPECIES, y, yOffset + i + LANES), b);
        }
        if (i < n - LANES) {
            b = DoubleVector.fromArray(SPECIES, x, xOffset + i).fma(DoubleVector.fromArray(SPECIES, y, yOffset + i), b);
        }
        a = a.add(b);
        double low = a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    static double manyDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
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
        a = a.add(b).add(c.add(d));
        double low = sum + a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    /** Σ xᵢ². */
    static double squares(int n, double[] x, int xOffset) {
        return n <= STEP ? tinyDot(n, x, xOffset, x, xOffset)
                : n <= 2 * STEP ? fewSquares(n, x, xOffset)
                : MANY_SQUARES.isWarm() ? manySquares(n, x, xOffset)
                : earlySquares(n, x, xOffset);
    }

    private static double earlySquares(int n, double[] x, int xOffset) {
        if (!MANY_SQUARES.hasTurn()) {
            return EarlyDSums.squares(n, x, xOffset);
        }
        long start = System.nanoTime();
        double sum = manySquares(n, x, xOffset);
        MANY_SQUARES.took(System.nanoTime() - start, n);
        return sum;
    }

    /** Without a loop, too. */
    private static double fewSquares(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES);
        a = a.mul(a).blend(0.0, PLACES.compare(VectorOperators.LT, -n & LANES - 1));
        DoubleVector v = DoubleVector.fromArray(SPECIES, x, xOffset);
        DoubleVector b = v.mul(v);
        v = DoubleVector.fromArray(SPECIES, x, xOffset + LANES);
        a = v.fma(v, a);
        v = DoubleVector.fromArray(SPECIES, x, xOffset + 2 * LANES);
        b = v.fma(v, b);
        v = DoubleVector.fromArray(SPECIES, x, xOffset + 3 * LANES);
        a = v.fma(v, a);
        if (n > 5 * LANES) {
            v = DoubleVector.fromArray(SPECIES, x, xOffset + 4 * stride);
            b = v.fma(v, b);
            if (n > 6 * LANES) {
                v = DoubleVector.fromArray(SPECIES, x, xOffset + 5 * stride);
                a = v.fma(v, a);
                if (n > 7 * LANES) {
                    v = DoubleVector.fromArray(SPECIES, x, xOffset + 6 * stride);
                    b = v.fma(v, b);
                }
            }
        }
        a = a.add(b);
        double low = a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    static double manySquares(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES);
        a = a.mul(a).blend(0.0, PLACES.compare(VectorOperators.LT, -n & LANES - 1));
        DoubleVector b = DoubleVector.zero(SPECIES);
        DoubleVector c = b;
        DoubleVector d = b;
        int i = 0;
        for (; i < n - STEP; i += STEP) {
            DoubleVector pa = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            a = pa.fma(pa, a);
            DoubleVector pb = DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES);
            b = pb.fma(pb, b);
            DoubleVector pc = DoubleVector.fromArray(SPECIES, x, xOffset + i + 2 * LANES);
            c = pc.fma(pc, c);
            DoubleVector pd = DoubleVector.fromArray(SPECIES, x, xOffset + i + 3 * LANES);
            d = pd.fma(pd, d);
        }
        for (; i < n - LANES; i += LANES) {
            DoubleVector v = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            b = v.fma(v, b);
        }
        a = a.add(b).add(c.add(d));
        double low = a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    /** Σ |xᵢ|. */
    static double asum(int n, double[] x, int xOffset) {
        return n <= STEP ? tinyAsum(n, x, xOffset)
                : n <= 2 * STEP ? fewAsum(n, x, xOffset)
                : n <= SOME ? (SOME_ASUM.isWarm() ? someAsum(n, x, xOffset) : earlySome(n, x, xOffset))
                : MANY_ASUM.isWarm() ? manyAsum(n, x, xOffset)
                : earlyMany(n, x, xOffset);
    }

    private static double earlySome(int n, double[] x, int xOffset) {
        if (!SOME_ASUM.hasTurn()) {
            return EarlyDSums.someAsum(n, x, xOffset);
        }
        long start = System.nanoTime();
        double sum = someAsum(n, x, xOffset);
        SOME_ASUM.took(System.nanoTime() - start, n);
        return sum;
    }

    private static double earlyMany(int n, double[] x, int xOffset) {
        if (!MANY_ASUM.hasTurn()) {
            return EarlyDSums.manyAsum(n, x, xOffset);
        }
        long start = System.nanoTime();
        double sum = manyAsum(n, x, xOffset);
        MANY_ASUM.took(System.nanoTime() - start, n);
        return sum;
    }

    private static double tinyAsum(int n, double[] x, int xOffset) {
        if (n < LANES) {
            double sum = Math.abs(x[xOffset]);
            for (int i = 1; i < n; i++) {
                sum += Math.abs(x[xOffset + i]);
            }
            return sum;
        }
        DoubleVector a = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES)
                .abs()
                .blend(0.0, PLACES.compare(VectorOperators.LT, -n & LANES - 1));
        if (n > LANES) {
            DoubleVector b = DoubleVector.fromArray(SPECIES, x, xOffset).abs();
            if (n > 2 * LANES) {
                b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + stride).abs());
                if (n > 3 * LANES) {
                    a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + 2 * stride).abs());
                }
            }
            a = a.add(b);
        }
        double low = a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    private static double fewAsum(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES)
                .abs()
                .blend(0.0, PLACES.compare(VectorOperators.LT, -n & LANES - 1));
        DoubleVector b = DoubleVector.fromArray(SPECIES, x, xOffset).abs();
        b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + LANES).abs());
        a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + 2 * LANES).abs());
        b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + 3 * LANES).abs());
        if (n > 5 * LANES) {
            a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + 4 * stride).abs());
            if (n > 6 * LANES) {
                b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + 5 * stride).abs());
                if (n > 7 * LANES) {
                    a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + 6 * stride).abs());
                }
            }
        }
        a = a.add(b);
        double low = a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    static double someAsum(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES)
                .abs()
                .blend(0.0, PLACES.compare(VectorOperators.LT, -n & LANES - 1));
        DoubleVector b = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i < n - PAIR; i += PAIR) {
            a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
            b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES).abs());
        }
        if (i < n - LANES) {
            b = b.add(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
        }
        a = a.add(b);
        double low = a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    static double manyAsum(int n, double[] x, int xOffset) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        int i = 0;
        for (; i <= n - STEP; i += STEP) {
            DoubleVector pa = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            a = a.add(pa.reinterpretAsLongs().and(SIZE).reinterpretAsDoubles()); // float: a = a.add(pa.reinterpretAsInts().and(SIZE).reinterpretAsFloats());
            DoubleVector pb = DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES);
            b = b.add(pb.reinterpretAsLongs().and(SIZE).reinterpretAsDoubles()); // float: b = b.add(pb.reinterpretAsInts().and(SIZE).reinterpretAsFloats());
            DoubleVector pc = DoubleVector.fromArray(SPECIES, x, xOffset + i + 2 * LANES);
            c = c.add(pc.reinterpretAsLongs().and(SIZE).reinterpretAsDoubles()); // float: c = c.add(pc.reinterpretAsInts().and(SIZE).reinterpretAsFloats());
            DoubleVector pd = DoubleVector.fromArray(SPECIES, x, xOffset + i + 3 * LANES);
            d = d.add(pd.reinterpretAsLongs().and(SIZE).reinterpretAsDoubles()); // float: d = d.add(pd.reinterpretAsInts().and(SIZE).reinterpretAsFloats());
        }
        for (; i <= n - LANES; i += LANES) {
            a = a.add(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
        }
        double sum = 0;
        for (; i < n; i++) {
            sum += Math.abs(x[xOffset + i]);
        }
        a = a.add(b).add(c.add(d));
        double low = sum + a.lane(0) + a.lane(1) + (a.lane(2) + a.lane(3));
        return low; // float: return low + (a.lane(4) + a.lane(5) + (a.lane(6) + a.lane(7)));
    }

    /** The index, from 1, of the first largest |xᵢ| of at least {@link #LANES}; 0 if one of them is NaN, or if that is not machine code yet. */
    static int iamax(int n, double[] x, int xOffset) {
        return n <= PAIR + LANES ? tinyAmax(n, x, xOffset)
                : AMAX.isWarm() ? manyAmax(n, x, xOffset)
                : earlyAmax(n, x, xOffset);
    }

    private static int earlyAmax(int n, double[] x, int xOffset) {
        if (!AMAX.hasTurn()) {
            return 0;
        }
        long start = System.nanoTime();
        int first = manyAmax(n, x, xOffset);
        AMAX.took(System.nanoTime() - start, n);
        return first;
    }

    private static int tinyAmax(int n, double[] x, int xOffset) {
        DoubleVector last = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES).abs();
        DoubleVector first = DoubleVector.fromArray(SPECIES, x, xOffset).abs();
        DoubleVector second = n > PAIR ? DoubleVector.fromArray(SPECIES, x, xOffset + stride).abs() : first;
        double largest = last.max(first).max(second).reduceLanes(VectorOperators.MAX);
        if (Double.isNaN(largest)) {
            return 0;
        }
        long found = first.eq(largest).toLong();
        if (found == 0) {
            found = second.eq(largest).toLong() << LANES;
        }
        return found != 0 ? Long.numberOfTrailingZeros(found) + 1 : n - LANES + last.eq(largest).firstTrue() + 1;
    }

    private static int manyAmax(int n, double[] x, int xOffset) {
        int rest = xOffset + n - LANES;
        DoubleVector a = DoubleVector.fromArray(SPECIES, x, rest).abs();
        DoubleVector b = a;
        int i = 0;
        for (; i < n - PAIR; i += PAIR) {
            a = a.max(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
            b = b.max(DoubleVector.fromArray(SPECIES, x, xOffset + i + LANES).abs());
        }
        if (i < n - LANES) {
            a = a.max(DoubleVector.fromArray(SPECIES, x, xOffset + i).abs());
        }
        double largest = a.max(b).reduceLanes(VectorOperators.MAX);
        if (Double.isNaN(largest)) {
            return 0;
        }
        for (i = 0; i < n - LANES; i += LANES) {
            VectorMask<Double> equal = DoubleVector.fromArray(SPECIES, x, xOffset + i).abs().eq(largest);
            if (equal.anyTrue()) {
                return i + equal.firstTrue() + 1;
            }
        }
        return n - LANES + DoubleVector.fromArray(SPECIES, x, rest).abs().eq(largest).firstTrue() + 1;
    }
}
