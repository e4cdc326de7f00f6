package dev.basalt;

import java.util.Locale;

/** Sizes as people write them. */
public final class ByteSize {
    private ByteSize() {}

    /**
     * Reads a size: bytes, decimal or {@code 0x…}, with an optional suffix {@code k}, {@code m} or {@code g} (powers of
     * 1024).
     *
     * @param source what the text is from, for the message, such as the name of a variable
     * @param text the text
     * @return bytes, not negative
     * @throws BlasException INVALID_VALUE naming the source, the text and what is accepted
     */
    public static long parse(String source, String text) {
        String t = text.strip().toLowerCase(Locale.ROOT);
        try {
            boolean hex = t.startsWith("0x");
            long unit = 1;
            if (!t.isEmpty()) {
                int power = "kmg".indexOf(t.charAt(t.length() - 1));
                if (power >= 0) {
                    unit = 1L << (10 * (power + 1));
                    t = t.substring(0, t.length() - 1);
                }
            }
            if (t.startsWith("+") || t.startsWith("0x-") || t.startsWith("0x+")) {
                throw new NumberFormatException(t);
            }
            long value = hex ? Long.parseLong(t.substring(2), 16) : Long.parseLong(t);
            if (value < 0) {
                throw new NumberFormatException(t);
            }
            return Math.multiplyExact(value, unit);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new BlasException(Status.INVALID_VALUE, source, null, 0, source + " = \"" + text
                    + "\" is not a size; accepted are bytes, decimal or 0x..., with an optional suffix k, m or g"
                    + " (powers of 1024), up to 2^63-1", null, e);
        }
    }

    /**
     * Writes a size with a fitting unit.
     *
     * @param bytes bytes
     * @return such as {@code 1.5 MiB}
     */
    public static String format(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (value >= 1024 && unit < 4) {
            value /= 1024;
            unit++;
        }
        String number = value >= 100 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
        return number + " " + "KMGTP".charAt(unit) + "iB";
    }
}
