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
    private static final long ONES = 0x0101010101010101L;
    private static final long UPPER_BITS = 0x8080808080808080L;
    private static final long ZEROS = '0' * ONES;
    private static final long NEWLINES = '\n' * ONES;
    private static final long[] POWERS = {1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000};

    private static final double[] FRACTIONS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

    private byte[] text;
    private int at;

    PlainNumbers(byte[] text) {
        this.text = text;
    }

    /** Goes on in another array, which has the same. */
    void in(byte[] other) {
        text = other;
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

    /** Where the first end of a line is from one place to another; the second if there is none. */
    int newline(int begin, int stop) {
        for (int i = begin; i < stop; i += Long.BYTES) {
            // Of the bytes that are 0 then, the first has its upper bit set by this, and none before it: nothing borrows from them.
            long eight = (long) EIGHT.get(text, i) ^ NEWLINES;
            long zeros = (eight - ONES) & ~eight & UPPER_BITS;
            if (zeros != 0) {
                return Math.min(stop, i + (Long.numberOfTrailingZeros(zeros) >>> 3));
            }
        }
        return stop;
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
        long eight = eight(at);
        int digits = digits(eight);
        long value = value(leading(eight, digits));
        int i = at + digits;
        if (digits == Long.BYTES) {
            int digit = text[i] - '0';
            while (digit >= 0 && digit <= 9) {
                value = value * 10 + digit;
                digit = text[++i] - '0';
            }
        }
        digits = i - at;
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
        double value = integer ? Double.NaN : brief();
        return Double.isNaN(value) ? longer(integer) : value;
    }

    /**
     * A number of up to seven digits without an exponent, from eight bytes behind its sign: where it ends, which the next number waits for, is known without a
     * loop over digits. NaN, and nothing else has happened, if it is not such a number.
     */
    private double brief() {
        int minus = same(text[at], '-');
        long d = eight(at + minus);
        // A point does not carry into the byte behind it, so the second byte that is no digit is told rightly, too.
        long others = ((d + 0x76 * ONES) | d) & UPPER_BITS;
        int point = Long.numberOfTrailingZeros(others) & 0x38;
        if ((byte) (d >>> point) != ('.' ^ '0')) {
            return whole(d, point, minus);
        }
        int stop = Long.numberOfTrailingZeros(others & (others - 1)) & 0x78;
        int digits = stop - Byte.SIZE;
        // A letter may begin an exponent.
        if (digits <= 0 || stop == Long.SIZE || (d >>> stop & 0xff ^ '0') >= 'A') {
            return Double.NaN;
        }
        long before = (1L << point) - 1;
        long joined = (d & before | d >>> Byte.SIZE & ~before) << (Long.SIZE - digits);
        at += minus + (stop >>> 3);
        double value = value(joined) / FRACTIONS[(digits - point) >>> 3];
        return Double.longBitsToDouble(Double.doubleToRawLongBits(value) ^ (long) minus << 63);
    }

    /** The same where there is no point among the eight bytes. */
    private double whole(long d, int stop, int minus) {
        if (stop == 0 || (d >>> stop & 0xff ^ '0') >= 'A') {
            return Double.NaN;
        }
        at += minus + (stop >>> 3);
        double value = value(d << (Long.SIZE - stop));
        return Double.longBitsToDouble(Double.doubleToRawLongBits(value) ^ (long) minus << 63);
    }

    /**
     * Reads brief numbers, with nothing but the end of a line behind each, into a place each: a loop that does nothing else.
     *
     * @param into where they go
     * @param from the first place
     * @param to behind the last place
     * @param stop where it stops to look: lines may not be whole there
     * @return behind the last place that got a number
     */
    int lines(double[] into, int from, int to, int stop) {
        int next = from;
        while (next < to && at < stop) {
            int begun = at;
            double value = brief();
            if (Double.isNaN(value) || text[at] != '\n') {
                at = begun;
                break;
            }
            at++;
            into[next++] = value;
        }
        return next;
    }

    /**
     * Reads brief numbers with nothing but a separator behind each. What comes behind the last one is no such number.
     *
     * @param separator what is between fields
     * @param into where they go
     * @return how many
     */
    int fields(byte separator, double[] into) {
        int next = 0;
        while (next < into.length) {
            int begun = at;
            double value = brief();
            if (Double.isNaN(value) || text[at] != separator) {
                at = begun;
                break;
            }
            at++;
            into[next++] = value;
        }
        return next;
    }

    private double longer(boolean integer) {
        int i = at;
        // Half of all numbers may be negative, in no order that a processor could foresee: so no branch asks for it.
        int minus = same(text[i], '-');
        i += minus + same(text[i], '+');
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
            long eight = eight(i);
            int count = digits(eight);
            while (count == Long.BYTES) {
                w = w * 100_000_000 + value(eight);
                i += Long.BYTES;
                eight = eight(i);
                count = digits(eight);
            }
            if (count > 0) {
                w = w * POWERS[count] + value(leading(eight, count));
                i += count;
            }
            exponent = point - i;
            digits += i - point;
        }
        if (!fits(begun, digits)) {
            return Double.NaN;
        }
        at = i;
        int letter = text[i] | 0x20;
        if ((letter == 'e' || letter == 'd') && !integer) {
            at++;
            int power = power();
            if (power == Integer.MIN_VALUE) {
                return Double.NaN;
            }
            exponent += power;
        }
        return signed(w, exponent, minus);
    }

    private static double signed(long w, int exponent, int minus) {
        double value = w == 0 ? 0 : Decimal.nearest(w, exponent);
        return Double.longBitsToDouble(Double.doubleToRawLongBits(value) ^ (long) minus << 63);
    }

    /** 1 if two bytes are the same, else 0. */
    private static int same(byte c, char other) {
        return (((c ^ other) & 0xff) - 1) >>> 31;
    }

    /** Whether there are digits, and no more than 64 bits hold. */
    private boolean fits(int from, int digits) {
        return digits > 0 && (digits <= DIGITS || significant(from, digits) <= DIGITS);
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

    /** Eight bytes; those of digits are 0 to 9. */
    private long eight(int i) {
        return (long) EIGHT.get(text, i) ^ ZEROS;
    }

    /**
     * How many of eight bytes before the first that is no digit: adding 0x76 to a digit does not reach the bit above; a byte that carries is
     * none itself, so only those behind it are told wrongly.
     */
    private static int digits(long eight) {
        return Long.numberOfTrailingZeros(((eight + 0x76 * ONES) | eight) & UPPER_BITS) >>> 3;
    }

    /** So many of eight digits, moved to the end behind zeros. */
    private static long leading(long eight, int digits) {
        return digits == Long.BYTES ? eight : eight << 8 << (56 - 8 * digits);
    }

    /** The value of eight digits: neighbours are joined to pairs, pairs to fours, and those to one. */
    private static long value(long eight) {
        long v = eight * 10 + (eight >>> 8);
        return ((v & 0x000000FF000000FFL) * 0x000F424000000064L
                + ((v >>> 16) & 0x000000FF000000FFL) * 0x0000271000000001L) >>> 32;
    }
}
