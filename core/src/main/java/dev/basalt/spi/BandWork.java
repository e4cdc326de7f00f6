package dev.basalt.spi;

/**
 * The scratch of {@link Kernel#SB2ST}, a matrix. Its first n columns are the lower triangle of the band with room for bulges: row i of column j holds the element i rows below the diagonal. Columns behind them are
 * the reflectors of sweeps that are under way, and a vector.
 */
public final class BandWork {
    /** Sweeps under way: so many follow each other through the band while it is in a cache. */
    public static final long SWEEPS = 8;

    /** Diagonals of a band whose chase keeps its reflectors, so that a GPU applies them. */
    public static final long NARROW = 16;

    /** Bytes of a step of a pass: blocks of reflectors as products want them. */
    public static final long STEP = 24 * 1024;

    private BandWork() {}

    /**
     * Bytes of scratch of {@link Kernel#CHASED} for one pass; a GPU makes as many passes in one launch as there is room for.
     *
     * @param n order of the band
     * @return bytes of one problem
     */
    public static long passes(long n) {
        return Math.multiplyExact(STEP, Math.ceilDiv(n, NARROW));
    }

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
