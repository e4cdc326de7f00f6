package dev.basalt.cli;

import java.math.BigInteger;

/**
 * The double that is nearest to w·10^q by one or two products of 64 bits (Lemire: Number parsing at a gigabyte per second, 2021).
 * Where that cannot decide, which is rare, the JDK must.
 */
final class NearestDouble {
    private static final int LEAST = -342;
    private static final int MOST = 308;
    private static final int MANTISSA = 52;
    /** Bits below those of the mantissa and two more; all 1 means that the rest of the power of five matters. */
    private static final long DOUBT = 0x1FF;

    /** Powers up to this one, of either sign, that nearly all texts have. */
    private static final int COMMON = 64;

    private static final Powers NEAR = new Powers(-COMMON, COMMON);

    /** All powers take a fresh JVM tens of milliseconds, so they wait for a text that has a rare one. */
    private static final class Far {
        static final Powers ALL = new Powers(LEAST, MOST);
    }

    /** Upper and lower halves of the first 128 bits of 5^q, from a least q on. */
    private static final class Powers {
        final int least;
        final long[] upper;
        final long[] lower;

        Powers(int least, int most) {
            this.least = least;
            this.upper = new long[most - least + 1];
            this.lower = new long[most - least + 1];
            BigInteger five = BigInteger.valueOf(5);
            BigInteger power = BigInteger.ONE;
            for (int q = 0; q <= most; q++) {
                int shift = power.bitLength() - 128;
                put(q, shift < 0 ? power.shiftLeft(-shift) : power.shiftRight(shift));
                power = power.multiply(five);
            }
            power = BigInteger.ONE;
            for (int q = -1; q >= least; q--) {
                power = power.multiply(five);
                // Rounded up, as the paper has it; enough bits are kept that dropping some more changes nothing.
                int bits = power.bitLength();
                BigInteger inverse = BigInteger.ONE.shiftLeft(2 * bits + 128).divide(power).add(BigInteger.ONE);
                int shift = inverse.bitLength() - 128;
                BigInteger first = inverse.shiftRight(shift);
                put(q, q >= -27 ? BigInteger.ONE.shiftLeft(bits + 127).divide(power).add(BigInteger.ONE) : first);
            }
        }

        private void put(int q, BigInteger power) {
            upper[q - least] = power.shiftRight(64).longValue();
            lower[q - least] = power.longValue();
        }
    }

    private NearestDouble() {}

    /**
     * The nearest double.
     *
     * @param w an unsigned number, not 0
     * @param q power of ten
     * @return w·10^q; NaN if that is not decided here
     */
    static double of(long w, int q) {
        if (q < LEAST || q > MOST) {
            return Double.NaN;
        }
        Powers powers = q >= -COMMON && q <= COMMON ? NEAR : Far.ALL;
        int zeros = Long.numberOfLeadingZeros(w);
        long shifted = w << zeros;
        long factor = powers.upper[q - powers.least];
        long high = Math.unsignedMultiplyHigh(shifted, factor);
        long low = shifted * factor;
        if ((high & DOUBT) == DOUBT) {
            long more = Math.unsignedMultiplyHigh(shifted, powers.lower[q - powers.least]);
            low += more;
            high += Long.compareUnsigned(low, more) < 0 ? 1 : 0;
        }
        if (low == -1 && (q < -27 || q > 55)) {
            return Double.NaN;
        }
        int upperBit = (int) (high >>> 63);
        int shift = upperBit + 64 - MANTISSA - 3;
        long mantissa = high >>> shift;
        int exponent = ((217706 * q) >> 16) + 63 + upperBit - zeros + 1023;
        if (exponent <= 0) {
            return Double.NaN;
        }
        // Halfway between two doubles: to the even one.
        if (Long.compareUnsigned(low, 1) <= 0 && q >= -4 && q <= 23 && (mantissa & 3) == 1
                && mantissa << shift == high) {
            mantissa &= ~1L;
        }
        mantissa = (mantissa + (mantissa & 1)) >>> 1;
        if (mantissa >= 2L << MANTISSA) {
            mantissa = 1L << MANTISSA;
            exponent++;
        }
        return exponent >= 0x7FF
                ? Double.NaN
                : Double.longBitsToDouble((mantissa & ~(1L << MANTISSA)) | (long) exponent << MANTISSA);
    }
}
