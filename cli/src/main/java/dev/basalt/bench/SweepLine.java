package dev.basalt.bench;

import java.util.Locale;

/**
 * What a random sweep measured of a case.
 *
 * @param c the case
 * @param us Basalt's microseconds, the median
 * @param peerUs the peer's; NaN if it has no such routine
 * @param verdict yes, WRONG and how much, FAILED and why, or no and why
 */
public record SweepLine(SweepCase c, double us, double peerUs, String verdict) {
    /** The columns. */
    public static final String HEAD = "class,type,us,peer_us,ratio,verified,options";

    /**
     * How many times as fast as the peer.
     *
     * @return NaN if there is nothing to compare with, or the results differ
     */
    public double ratio() {
        return verdict.equals("yes") ? peerUs / us : Double.NaN;
    }

    /**
     * Whether the result is wrong or there is none.
     *
     * @return true if somebody must look at it
     */
    public boolean bad() {
        return verdict.startsWith("WRONG") || verdict.startsWith("FAILED");
    }

    /**
     * The line.
     *
     * @return its columns
     */
    public String csv() {
        return String.join(",", c.group().toString(), Character.toString(c.type()), number(us), number(peerUs),
                number(ratio()), verdict.replace(',', ';').replace('\n', ' '), c.options());
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4g", value);
    }
}
