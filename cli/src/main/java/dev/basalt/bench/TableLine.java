package dev.basalt.bench;

import java.util.Locale;

/**
 * What was measured of a case.
 *
 * @param c the case
 * @param device where
 * @param us Basalt's microseconds
 * @param peerUs the peer's; NaN if it has no such routine
 * @param floorUs the least that the machine's limits allow; NaN if nobody asked
 * @param peer the peer's call, and how others of its calls did; empty without one
 * @param verdict yes, WRONG and how much, FAILED and why, or no and why
 */
public record TableLine(TableCase c, String device, double us, double peerUs, double floorUs, String peer,
        String verdict) {
    /** The columns. */
    public static final String HEAD = "family,type,shape,options,device,ours_us,peer_us,ratio,floor_us,peer,verified";

    /** The line of a case that could not be measured. */
    static TableLine failed(TableCase c, String device, RuntimeException e) {
        return new TableLine(c, device, Double.NaN, Double.NaN, Double.NaN, "", "FAILED: " + e.getMessage());
    }

    /** Whether both libraries computed the same. */
    boolean verified() {
        return verdict.equals("yes");
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
     * @return its columns; a ratio only for what is right
     */
    public String csv() {
        return String.join(",", c.routine().family(), Character.toString(c.type().letter()), c.shape(), c.options(),
                device, number(us), number(peerUs), verified() ? number(peerUs / us) : "", number(floorUs), cell(peer),
                cell(verdict));
    }

    /** A text without what parts cells and lines. */
    private static String cell(String text) {
        return text.replace(',', ';').replace('\n', ' ');
    }

    static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4g", value);
    }
}
