package dev.basalt.spi;

/**
 * The scratch of {@link Kernel#SB2ST}, a matrix. Its first n columns are the lower triangle of the band with room for bulges: row i of column j holds the element i rows below the diagonal. Columns behind them are
 * the reflectors of sweeps that are under way, and a vector.
 */
public final class BandWork {
    /** Sweeps under way: so many follow each other through the band while it is in a cache. */
    public static final long SWEEPS = 8;

    private BandWork() {}

    /**
     * Rows, one behind the other in memory; two where there is the diagonal alone.
     *
     * @param k diagonals beside the main one
     * @return rows
     */
    public static long rows(long k) {
        return Math.max(2, Math.multiplyExact(2, k));
    }

    /**
     * Columns.
     *
     * @param n order of the band
     * @return columns
     */
    public static long columns(long n) {
        return Math.addExact(n, SWEEPS + 1);
    }
}
