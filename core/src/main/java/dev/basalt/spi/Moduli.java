package dev.basalt.spi;

import java.math.BigInteger;

/**
 * The numbers by which products of doubles become products of 8-bit integers (Ozaki, Uchino and Imamura, "Ozaki scheme II", 2025): an integer between -P/2 and P/2
 * is known by its remainders of division by numbers without common divisors, whose product P is (the Chinese remainder theorem).
 */
public final class Moduli {
    /** Bits of the integers that elements become: as many as a double has. */
    public static final int BITS = 53;

    /** The longest sum of products of remainders that a 32-bit integer holds, modulo each of the numbers. */
    public static final long DEPTH = 1L << 17;

    /** Parts of a large integer, which are added up without rounding. */
    public static final int PARTS = 3;

    /** Bits of a part: a part times a remainder, and sums of sixteen such, are exact in double. */
    private static final int PART = 42;

    /** The longest sum that the fewer numbers hold. */
    private static final long FEWER_DEPTH = 1024;

    private static final int FEWER = 15;

    /** The largest numbers up to 256 without common divisors, as a search from the top finds them. */
    private static final int[] NUMBERS =
            {256, 255, 253, 251, 247, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193, 191};

    /** [15 or 16 numbers][number, or behind them their product][part]. */
    private static final double[][][] WEIGHTS = {weights(FEWER), weights(NUMBERS.length)};

    private Moduli() {}

    private static double[][] weights(int count) {
        BigInteger product = BigInteger.ONE;
        for (int i = 0; i < count; i++) {
            product = product.multiply(BigInteger.valueOf(NUMBERS[i]));
        }
        double[][] all = new double[count + 1][];
        for (int i = 0; i < count; i++) {
            BigInteger number = BigInteger.valueOf(NUMBERS[i]);
            BigInteger others = product.divide(number);
            all[i] = parts(others.multiply(others.modInverse(number)));
        }
        all[count] = parts(product);
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
     * How many numbers a sum of so many products of integers of {@link #BITS} bits takes.
     *
     * @param k products, at most {@link #DEPTH}
     * @return 15 or 16; their product is more than twice the largest sum, and by so much that the quotient in double is rounded to the right integer
     */
    public static int count(long k) {
        return k <= FEWER_DEPTH ? FEWER : NUMBERS.length;
    }

    /**
     * A number by which is divided.
     *
     * @param i index, less than {@link #count}
     * @return from 191 to 256
     */
    public static int number(int i) {
        return NUMBERS[i];
    }

    /**
     * A part of the integer whose remainder is 1 for one of the numbers and 0 for the others.
     *
     * @param count how many numbers there are, 15 or 16
     * @param i the number, or {@code count} for the product of all
     * @param part 0 to 2, the largest first; their sum is the integer
     * @return a multiple of a power of two with up to 42 bits
     */
    public static double weight(int count, int i, int part) {
        return WEIGHTS[count - FEWER][i][part];
    }
}
