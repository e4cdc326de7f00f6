package dev.basalt.spi;

import java.math.BigInteger;

/**
 * The numbers by which products of doubles become products of 8-bit integers (Ozaki, Uchino and Imamura, "Ozaki scheme II", 2025): an integer between -P/2 and P/2
 * is known by its remainders of division by numbers without common divisors, whose product P is (the Chinese remainder theorem).
 */
public final class Moduli {
    /** How many numbers there are. */
    public static final int COUNT = 15;

    /** Bits of a double, and the most that the integers have. */
    private static final int DOUBLE = 53;

    /** The longest sum of products of remainders that a 32-bit integer holds, modulo each of the numbers. */
    public static final long DEPTH = 1L << 17;

    /** Bits of the magnitudes that tell whether a result is large enough. */
    public static final int ROUGH = 7;

    /** Neighbouring terms that are looked at, or left out. */
    public static final int RUN = 16;

    /** Parts of a large integer, which are added up without rounding. */
    public static final int PARTS = 3;

    /** Bits of a part: a part times a remainder, and sums of fifteen such, are exact in double. */
    private static final int PART = 42;

    /** Bits of the largest sum: its double is less than the product of the numbers, by so much that the quotient in double is rounded to the right integer. */
    private static final int SUM = 116;

    /** The longest sum of which every term is looked at: see {@link #stride}. */
    private static final long LOOKED_AT = 2048;

    private static final int MOST_APART = 4;

    /** The largest numbers up to 256 without common divisors, as a search from the top finds them. */
    private static final int[] NUMBERS = {256, 255, 253, 251, 247, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193};

    /** [number, or behind them their product][part]. */
    private static final double[][] WEIGHTS = weights();

    private Moduli() {}

    private static double[][] weights() {
        BigInteger product = BigInteger.ONE;
        for (int number : NUMBERS) {
            product = product.multiply(BigInteger.valueOf(number));
        }
        double[][] all = new double[COUNT + 1][];
        for (int i = 0; i < COUNT; i++) {
            BigInteger number = BigInteger.valueOf(NUMBERS[i]);
            BigInteger others = product.divide(number);
            all[i] = parts(others.multiply(others.modInverse(number)));
        }
        all[COUNT] = parts(product);
        return all;
    }

    /** The nearest multiples of powers of two, the largest first. */
    private static double[] parts(BigInteger value) {
        double[] parts = new double[PARTS];
        BigInteger left = value;
        for (int i = 0; i < PARTS; i++) {
            int shift = PART * (PARTS - 1 - i);
            BigInteger half = shift == 0 ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(shift - 1);
            BigInteger part = left.add(half).shiftRight(shift).shiftLeft(shift);
            parts[i] = part.doubleValue();
            left = left.subtract(part);
        }
        return parts;
    }

    /**
     * Bits of the integers that elements become, where so many products of two are added up.
     *
     * @param k products, at most {@link #DEPTH}
     * @return 53 up to 1024 products, and one less for each four times as many
     */
    public static int bits(long k) {
        int doublings = Long.SIZE - Long.numberOfLeadingZeros(k - 1);
        return Math.min(DOUBLE, (SUM - doublings) / 2);
    }

    /**
     * Which terms of a sum tell how large the sum of their magnitudes is: {@link #RUN} of this many times {@link #RUN}.
     *
     * @param k terms
     * @return 1 of a sum that is not long, else 2 or 4
     */
    public static int stride(long k) {
        return (int) Math.max(1, Math.min(MOST_APART, Long.highestOneBit(k / LOOKED_AT)));
    }

    /**
     * How many terms of a sum are looked at.
     *
     * @param k terms
     * @return {@code k} where {@link #stride} is 1
     */
    public static long lookedAt(long k) {
        long period = (long) RUN * stride(k);
        return k / period * RUN + Math.min(RUN, k % period);
    }

    /**
     * What a sum of products of magnitudes in 7 bits has at least where rounding to integers loses no more than k products in double may: k roundings of either factor, half a unit each, times at
     * most what 1 stands for.
     *
     * @param bits of the integers
     * @return from 2¹⁴ on
     */
    public static int least(int bits) {
        return 1 << (2 * ROUGH + DOUBLE - bits);
    }

    /**
     * A number by which is divided.
     *
     * @param i index, less than {@link #COUNT}
     * @return from 193 to 256
     */
    public static int number(int i) {
        return NUMBERS[i];
    }

    /**
     * A part of the integer whose remainder is 1 for one of the numbers and 0 for the others.
     *
     * @param i the number, or {@link #COUNT} for the product of all
     * @param part 0 to 2, the largest first; their sum is the integer
     * @return a multiple of a power of two with up to 42 bits
     */
    public static double weight(int i, int part) {
        return WEIGHTS[i][part];
    }
}
