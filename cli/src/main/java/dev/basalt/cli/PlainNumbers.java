package dev.basalt.cli;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads numbers one behind the other in one pass, as long as they are plain: what is not, is left to slower ways that also know
 * what to say. Behind the last byte there must be eight more that are 0, which end every number.
 */
final class PlainNumbers {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int DIGITS = 19;

    private final byte[] text;
    private int at;

    PlainNumbers(byte[] text) {
        this.text = text;
    }

    /** Goes to a place. */
    void from(int place) {
        at = place;
    }

    /** Where it is. */
    int at() {
        return at;
    }

    /** Goes on to what is no blank; false if there was none. */
    boolean blanks() {
        int i = at;
        while (text[i] == ' ' || text[i] == '\t') {
            i++;
        }
        boolean any = i > at;
        at = i;
        return any;
    }

    /** The same, where a tab may be what stands between fields. */
    boolean blanks(byte separator) {
        if (separator != '\t') {
            return blanks();
        }
        int i = at;
        while (text[i] == ' ') {
            i++;
        }
        boolean any = i > at;
        at = i;
        return any;
    }

    /** Goes beyond the end of the line; false if there is anything before it. */
    boolean lineEnd() {
        blanks();
        if (text[at] == '\r') {
            at++;
        }
        return text[at++] == '\n';
    }

    /** A number of up to ten digits; -1 if it is none. */
    long index() {
        long value = 0;
        int i = at;
        int digit = text[i] - '0';
        while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            digit = text[++i] - '0';
        }
        int digits = i - at;
        at = i;
        return digits == 0 || digits > 10 ? -1 : value;
    }

    /**
     * A finite number.
     *
     * @param integer whether there may be neither point nor exponent
     * @return NaN if it is not plain
     */
    double number(boolean integer) {
        int i = at;
        boolean negative = text[i] == '-';
        if (negative || text[i] == '+') {
            i++;
        }
        int begun = i;
        long w = 0;
        int digit = text[i] - '0';
        while (digit >= 0 && digit <= 9) {
            w = w * 10 + digit;
            digit = text[++i] - '0';
        }
        int digits = i - begun;
        int exponent = 0;
        if (text[i] == '.' && !integer) {
            int point = ++i;
            long eight = (long) EIGHT.get(text, i);
            while (areDigits(eight)) {
                w = w * 100_000_000 + value(eight);
                i += 8;
                eight = (long) EIGHT.get(text, i);
            }
            digit = text[i] - '0';
            while (digit >= 0 && digit <= 9) {
                w = w * 10 + digit;
                digit = text[++i] - '0';
            }
            exponent = point - i;
            digits += i - point;
        }
        if (digits == 0 || (digits > DIGITS && significant(begun, digits) > DIGITS)) {
            return Double.NaN;
        }
        int letter = text[i] | 0x20;
        if ((letter == 'e' || letter == 'd') && !integer) {
            at = i + 1;
            int power = power();
            if (power == Integer.MIN_VALUE) {
                return Double.NaN;
            }
            exponent += power;
            i = at;
        }
        at = i;
        double value = w == 0 ? 0 : Decimal.nearest(w, exponent);
        return negative ? -value : value;
    }

    /** Digits without the zeros that lead. */
    private int significant(int from, int digits) {
        int left = digits;
        int i = from;
        while (left > 0 && (text[i] == '0' || text[i] == '.')) {
            left -= text[i++] == '0' ? 1 : 0;
        }
        return left;
    }

    private int power() {
        boolean negative = text[at] == '-';
        if (negative || text[at] == '+') {
            at++;
        }
        int begun = at;
        int power = 0;
        int digit = text[at] - '0';
        while (digit >= 0 && digit <= 9) {
            power = power * 10 + digit;
            digit = text[++at] - '0';
        }
        int digits = at - begun;
        return digits == 0 || digits > 4 ? Integer.MIN_VALUE : negative ? -power : power;
    }

    /** Whether eight bytes are digits: each has 3 above, and adding 6 does not carry into that. */
    private static boolean areDigits(long eight) {
        return ((eight & 0xF0F0F0F0F0F0F0F0L) | ((eight + 0x0606060606060606L) & 0xF0F0F0F0F0F0F0F0L) >>> 4)
                == 0x3333333333333333L;
    }

    /** The value of eight digits: neighbours are joined to pairs, pairs to fours, and those to one. */
    private static long value(long eight) {
        long v = eight - 0x3030303030303030L;
        v = v * 10 + (v >>> 8);
        return ((v & 0x000000FF000000FFL) * 0x000F424000000064L
                + ((v >>> 16) & 0x000000FF000000FFL) * 0x0000271000000001L) >>> 32;
    }
}
