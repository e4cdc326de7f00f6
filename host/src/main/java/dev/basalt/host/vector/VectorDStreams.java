package dev.basalt.host.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vectors in arrays of Java that are written: updates, exchanges, copies. The JVM's compiler spreads such a loop over vector registers only where it knows that two
 * arrays do not meet, which depends on what it has put into the caller: elsewhere it takes three times as long. Each element is by itself, so vectors may be of any width.
 *
 * <p>What is left at the end is done by shorter vectors. A long one that reaches back over elements already written makes a call that soon reads them wait for both stores.
 */
final class VectorDStreams {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_256;
    private static final VectorSpecies<Double> WIDEST = DoubleVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> HALF = DoubleVector.SPECIES_128;
    private static final int LANES = SPECIES.length();

    /** The same number, which the compiler does not know; see {@link VectorDSums}. */
    @SuppressWarnings("NonFinalStaticField")
    private static int stride = LANES;

    /** A loop over a few takes no longer than the compiler's own, even before it is machine code. */
    private static final int FEW = 24;

    private static final Warmth AXPY = new Warmth();
    private static final Warmth SCAL = new Warmth();
    private static final Warmth SWAP = new Warmth();
    private static final Warmth COPY = new Warmth();
    private static final Warmth ROT = new Warmth();

    private VectorDStreams() {}

    /** y := alpha·x + y in two arrays, with the bits of a loop. */
    static void axpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        if (n < FEW) {
            fewAxpy(n, alpha, x, xOffset, y, yOffset);
        } else if (AXPY.isWarm()) {
            manyAxpy(n, alpha, x, xOffset, y, yOffset);
        } else {
            earlyAxpy(n, alpha, x, xOffset, y, yOffset);
        }
    }

    private static void earlyAxpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        if (!AXPY.hasTurn()) {
            EarlyDSums.axpy(n, alpha, x, xOffset, y, yOffset);
            return;
        }
        long start = System.nanoTime();
        manyAxpy(n, alpha, x, xOffset, y, yOffset);
        AXPY.took(System.nanoTime() - start, n);
    }

    private static void fewAxpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector.fromArray(SPECIES, x, xOffset + i)
                    .mul(alpha)
                    .add(DoubleVector.fromArray(SPECIES, y, yOffset + i))
                    .intoArray(y, yOffset + i);
        }
        axpyLess(i, n, alpha, x, xOffset, y, yOffset);
    }

    private static void manyAxpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        int i = 0;
        for (; i <= n - WIDEST.length(); i += WIDEST.length()) {
            DoubleVector.fromArray(WIDEST, x, xOffset + i)
                    .mul(alpha)
                    .add(DoubleVector.fromArray(WIDEST, y, yOffset + i))
                    .intoArray(y, yOffset + i);
        }
        if (i <= n - LANES) {
            DoubleVector.fromArray(SPECIES, x, xOffset + i)
                    .mul(alpha)
                    .add(DoubleVector.fromArray(SPECIES, y, yOffset + i))
                    .intoArray(y, yOffset + i);
            i += LANES;
        }
        axpyLess(i, n, alpha, x, xOffset, y, yOffset);
    }

    /** From element i on, of which there are less than a vector's. */
    private static void axpyLess(int i, int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        int k = i;
        if (k <= n - LANES / 2) {
            DoubleVector.fromArray(HALF, x, xOffset + k)
                    .mul(alpha)
                    .add(DoubleVector.fromArray(HALF, y, yOffset + k))
                    .intoArray(y, yOffset + k);
            k += LANES / 2;
        }
        for (; k < n; k++) {
            y[yOffset + k] += alpha * x[xOffset + k];
        }
    }

    /** x and y exchange their elements, none of which is in both. */
    static void swap(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (n < FEW) {
            fewSwap(n, x, xOffset, y, yOffset);
        } else if (SWAP.isWarm()) {
            manySwap(n, x, xOffset, y, yOffset);
        } else {
            earlySwap(n, x, xOffset, y, yOffset);
        }
    }

    private static void earlySwap(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (!SWAP.hasTurn()) {
            EarlyDSums.swap(n, x, xOffset, y, yOffset);
            return;
        }
        long start = System.nanoTime();
        manySwap(n, x, xOffset, y, yOffset);
        SWAP.took(System.nanoTime() - start, n);
    }

    private static void fewSwap(int n, double[] x, int xOffset, double[] y, int yOffset) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector first = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            DoubleVector second = DoubleVector.fromArray(SPECIES, y, yOffset + i);
            second.intoArray(x, xOffset + i);
            first.intoArray(y, yOffset + i);
        }
        swapLess(i, n, x, xOffset, y, yOffset);
    }

    private static void manySwap(int n, double[] x, int xOffset, double[] y, int yOffset) {
        int i = 0;
        for (; i <= n - WIDEST.length(); i += WIDEST.length()) {
            DoubleVector first = DoubleVector.fromArray(WIDEST, x, xOffset + i);
            DoubleVector second = DoubleVector.fromArray(WIDEST, y, yOffset + i);
            second.intoArray(x, xOffset + i);
            first.intoArray(y, yOffset + i);
        }
        if (i <= n - LANES) {
            DoubleVector first = DoubleVector.fromArray(SPECIES, x, xOffset + i);
            DoubleVector second = DoubleVector.fromArray(SPECIES, y, yOffset + i);
            second.intoArray(x, xOffset + i);
            first.intoArray(y, yOffset + i);
            i += LANES;
        }
        swapLess(i, n, x, xOffset, y, yOffset);
    }

    private static void swapLess(int i, int n, double[] x, int xOffset, double[] y, int yOffset) {
        int k = i;
        if (k <= n - LANES / 2) {
            DoubleVector first = DoubleVector.fromArray(HALF, x, xOffset + k);
            DoubleVector second = DoubleVector.fromArray(HALF, y, yOffset + k);
            second.intoArray(x, xOffset + k);
            first.intoArray(y, yOffset + k);
            k += LANES / 2;
        }
        for (; k < n; k++) {
            double kept = x[xOffset + k];
            x[xOffset + k] = y[yOffset + k];
            y[yOffset + k] = kept;
        }
    }

    /** y := x of up to four vectors, without a loop or a call; false if there are more, or that is not machine code yet. */
    static boolean copy(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (n < LANES || n > 4 * LANES) {
            return false;
        }
        if (COPY.isWarm()) {
            fewCopy(n, x, xOffset, y, yOffset);
            return true;
        }
        return earlyCopy(n, x, xOffset, y, yOffset);
    }

    private static boolean earlyCopy(int n, double[] x, int xOffset, double[] y, int yOffset) {
        if (!COPY.hasTurn()) {
            return false;
        }
        long start = System.nanoTime();
        fewCopy(n, x, xOffset, y, yOffset);
        COPY.took(System.nanoTime() - start, n);
        return true;
    }

    private static void fewCopy(int n, double[] x, int xOffset, double[] y, int yOffset) {
        DoubleVector first = DoubleVector.fromArray(SPECIES, x, xOffset);
        DoubleVector end = DoubleVector.fromArray(SPECIES, x, xOffset + n - LANES);
        if (n > 2 * LANES) {
            DoubleVector second = DoubleVector.fromArray(SPECIES, x, xOffset + stride);
            DoubleVector third = DoubleVector.fromArray(SPECIES, x, xOffset + n - 2 * stride);
            second.intoArray(y, yOffset + stride);
            third.intoArray(y, yOffset + n - 2 * stride);
        }
        first.intoArray(y, yOffset);
        end.intoArray(y, yOffset + n - LANES);
    }

    /** x := alpha·x, with the bits of a loop. */
    static void scal(int n, double alpha, double[] x, int xOffset) {
        if (n < FEW) {
            fewScal(n, alpha, x, xOffset);
        } else if (SCAL.isWarm()) {
            manyScal(n, alpha, x, xOffset);
        } else {
            earlyScal(n, alpha, x, xOffset);
        }
    }

    private static void earlyScal(int n, double alpha, double[] x, int xOffset) {
        if (!SCAL.hasTurn()) {
            EarlyDSums.scal(n, alpha, x, xOffset);
            return;
        }
        long start = System.nanoTime();
        manyScal(n, alpha, x, xOffset);
        SCAL.took(System.nanoTime() - start, n);
    }

    private static void fewScal(int n, double alpha, double[] x, int xOffset) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector.fromArray(SPECIES, x, xOffset + i).mul(alpha).intoArray(x, xOffset + i);
        }
        if (i < n) {
            x[xOffset + i] *= alpha;
            if (++i < n) {
                x[xOffset + i] *= alpha;
            }
            for (i++; i < n; i++) {
                x[xOffset + i] *= alpha;
            }
        }
    }

    private static void manyScal(int n, double alpha, double[] x, int xOffset) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector.fromArray(SPECIES, x, xOffset + i).mul(alpha).intoArray(x, xOffset + i);
        }
        if (i <= n - LANES / 2) {
            DoubleVector.fromArray(HALF, x, xOffset + i).mul(alpha).intoArray(x, xOffset + i);
            i += LANES / 2;
        }
        for (; i < n; i++) {
            x[xOffset + i] *= alpha;
        }
    }

    /** x := c·x + s·y and y := c·y - s·x in two arrays, with the bits of a loop, so vectors may be as wide as the machine's. */
    static void rot(int n, double[] x, int xOffset, double[] y, int yOffset, double c, double s) {
        if (ROT.isWarm() || n < FEW) {
            vectorRot(n, x, xOffset, y, yOffset, c, s);
        } else if (ROT.hasTurn()) {
            long start = System.nanoTime();
            vectorRot(n, x, xOffset, y, yOffset, c, s);
            ROT.took(System.nanoTime() - start, n);
        } else {
            EarlyDSums.rot(n, x, xOffset, y, yOffset, c, s);
        }
    }

    private static void vectorRot(int n, double[] x, int xOffset, double[] y, int yOffset, double c, double s) {
        int i = 0;
        for (; i <= n - WIDEST.length(); i += WIDEST.length()) {
            DoubleVector first = DoubleVector.fromArray(WIDEST, x, xOffset + i);
            DoubleVector second = DoubleVector.fromArray(WIDEST, y, yOffset + i);
            first.mul(c).add(second.mul(s)).intoArray(x, xOffset + i);
            second.mul(c).sub(first.mul(s)).intoArray(y, yOffset + i);
        }
        if (i < n) {
            rotOne(x, xOffset + i, y, yOffset + i, c, s);
            if (++i < n) {
                rotOne(x, xOffset + i, y, yOffset + i, c, s);
            }
            for (i++; i < n; i++) {
                rotOne(x, xOffset + i, y, yOffset + i, c, s);
            }
        }
    }

    private static void rotOne(double[] x, int i, double[] y, int j, double c, double s) {
        double first = x[i];
        double second = y[j];
        x[i] = c * first + s * second;
        y[j] = c * second - s * first;
    }
}
