package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import java.lang.foreign.MemorySegment;

/** Rows of a band by {@link RowBlockCode}: calls for blocks at an end of the matrix, and as few as it takes for all others. */
final class RowBlocks {
    /** Bytes of a vector. */
    private static final int VECTOR = 64;

    /** Bytes of the matrix in a call, which holds up the garbage collector. */
    private static final long CALL_BYTES = 512 << 10;

    private RowBlocks() {}

    /**
     * All rows.
     *
     * @param descends whether the last block comes first
     * @param parts real numbers of an element
     * @param element bytes of an element
     * @param a address of row 0 in column 0
     * @param step elements from there to row 0 in column 1
     * @param x address of the vector along the columns
     * @param y address of the one along the rows
     */
    static void run(MemorySegment code, boolean descends, int parts, long element, long m, long n, long kl, long ku,
            long a, long step, long x, long y, double alpha) {
        long lanes = VECTOR / element;
        // Blocks between these have all columns of the band.
        long low = (Math.max(0, kl) + lanes - 1) / lanes * lanes;
        long high = Math.max(0, Math.min(m, n - ku)) / lanes * lanes;
        long call = Math.max(1, CALL_BYTES / ((kl + ku + 1) * VECTOR));
        long blocks = (m + lanes - 1) / lanes;
        for (long done = 0, some; done < blocks; done += some) {
            long i = (descends ? blocks - 1 - done : done) * lanes;
            boolean whole = i >= low && i < high;
            some = whole ? Math.min(call, descends ? (i - low) / lanes + 1 : (high - i) / lanes) : 1;
            long rows = Math.min(lanes, m - i);
            long first = Math.max(0, i - kl);
            long end = Math.min(n, i + rows + ku);
            // Behind this column the first row has no elements.
            long turn = Math.max(first, Math.min(n, i + ku + 1));
            if (first < end) {
                long next = lanes * (step + 1) * element;
                NativeCall.direct(code, turn - first, some, a + (i + first * step) * element, step * element,
                        x + first * element, y + i * element, Math.max(0, end - turn),
                        before(first - 1 - i, kl, ku, lanes, parts), rows * parts, descends ? -next : next, alpha, 0);
            }
        }
    }

    /** Rows of a block that the band has in a column, by their distances, as bits of real numbers. */
    private static long before(long column, long kl, long ku, long lanes, int parts) {
        long from = Math.max(0, column - ku);
        long to = Math.min(lanes, column + kl + 1);
        return from >= to ? 0 : (1L << to * parts) - (1L << from * parts);
    }
}
