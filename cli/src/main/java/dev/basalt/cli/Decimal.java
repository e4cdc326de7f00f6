package dev.basalt.cli;

import java.nio.charset.StandardCharsets;

/**
 * Reads decimal numbers out of bytes. Where the digits and the power of ten are exact doubles, one multiplication or division
 * gives the correctly rounded value (Clinger, 1990); of other numbers {@link NearestDouble} decides nearly all, and the JDK the
 * rest.
 */
final class Decimal {
    // @formatter:off
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };
    // @formatter:on

    private static final long EXACT = 1L << 53;
    /** Digits that a long takes whatever they are. */
    private static final int DIGITS = 18;
    /** Beyond any double; stops the sum of the exponent's digits from overflowing. */
    private static final int HUGE = 1_000_000;

    private Decimal() {}

    /**
     * Reads a number such as {@code -1.5}, {@code .5}, {@code 1e-3} or Fortran's {@code 1.5D+3}.
     *
     * @param text bytes
     * @param from first byte
     * @param to behind the last byte
     * @return the nearest double, infinite if it is too large; NaN if the bytes are not a number
     */
    static double parse(byte[] text, int from, int to) {
        int i = from;
        boolean negative = i < to && text[i] == '-';
        if (negative || (i < to && text[i] == '+')) {
            i++;
        }
        long mantissa = 0;
        int digits = 0;
        int exponent = 0;
        boolean any = false;
        boolean point = false;
        boolean exact = true;
        for (; i < to; i++) {
            int c = text[i];
            if (c == '.' && !point) {
                point = true;
                continue;
            }
            int digit = c - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            any = true;
            if (digits < DIGITS) {
                mantissa = mantissa * 10 + digit;
                digits += mantissa == 0 ? 0 : 1;
                exponent -= point ? 1 : 0;
            } else {
                exact &= digit == 0;
                exponent += point ? 0 : 1;
            }
        }
        if (!any) {
            return Double.NaN;
        }
        if (i < to) {
            if ((text[i] | 0x20) != 'e' && (text[i] | 0x20) != 'd') {
                return Double.NaN;
            }
            int power = power(text, i + 1, to);
            if (power == Integer.MIN_VALUE) {
                return Double.NaN;
            }
            exponent += power;
        }
        if (mantissa == 0 && exact) {
            return negative ? -0.0 : 0;
        }
        double value = exact ? nearest(mantissa, exponent) : Double.NaN;
        if (!Double.isNaN(value)) {
            return negative ? -value : value;
        }
        String jdk = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
        return Double.parseDouble(jdk.replace('d', 'e').replace('D', 'e'));
    }

    /** The double nearest to an unsigned number that is not 0 times a power of ten; NaN if that is for the JDK to decide. */
    static double nearest(long mantissa, int exponent) {
        if (mantissa >= 0 && mantissa < EXACT && Math.abs(exponent) < POWERS.length) {
            return exponent < 0 ? mantissa / POWERS[-exponent] : mantissa * POWERS[exponent];
        }
        return NearestDouble.of(mantissa, exponent);
    }

    /** The exponent behind the letter; {@link Integer#MIN_VALUE} if it is none. */
    private static int power(byte[] text, int from, int to) {
        int i = from;
        boolean negative = i < to && text[i] == '-';
        if (negative || (i < to && text[i] == '+')) {
            i++;
        }
        if (i == to) {
            return Integer.MIN_VALUE;
        }
        int power = 0;
        for (; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return Integer.MIN_VALUE;
            }
            power = Math.min(power * 10 + digit, HUGE);
        }
        return negative ? -power : power;
    }

    /**
     * Whether bytes are an integer: an optional sign and digits.
     *
     * @param text bytes
     * @param from first byte
     * @param to behind the last byte
     * @return true if so
     */
    static boolean isInteger(byte[] text, int from, int to) {
        int i = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
        boolean any = i < to;
        for (; i < to; i++) {
            any &= text[i] >= '0' && text[i] <= '9';
        }
        return any;
    }

    /**
     * Reads an integer.
     *
     * @param text bytes for which {@link #isInteger} holds
     * @param from first byte
     * @param to behind the last byte
     * @return the integer, or the nearest long where it is beyond
     */
    static long integer(byte[] text, int from, int to) {
        boolean negative = text[from] == '-';
        long value = 0;
        for (int i = negative || text[from] == '+' ? from + 1 : from; i < to; i++) {
            int digit = text[i] - '0';
            if (value > (Long.MAX_VALUE - digit) / 10) {
                return negative ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }
}
