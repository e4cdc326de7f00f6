package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.type.Diag;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/** Rows of a band by {@link RowBlockCode}: calls for blocks at an end of the matrix, and as few as it takes for all others. */
final class RowBlocks {
    /** Bytes of a vector. */
    private static final int VECTOR = 64;

    /** Bytes of the matrix in a call, which holds up the garbage collector. */
    private static final long CALL_BYTES = 512 << 10;

    /**
     * Diagonals beside the first of a real band, up to which blocks of rows are faster than panels of columns: seven diagonals in s take 1.3 ns a row and 3.7 by panels,
     * 31 take 2.9 and 3.4.
     */
    private static final long MOST_REAL = 32;

    /** Bytes of a column, up to which they are faster than columns: k = 100 takes 13.8 ns a row in c and 14.5 by columns, k = 50 in z 13.9 and 14.3. */
    private static final long MOST_BYTES = 800;

    private final ChainTable table;
    /** Whether there are such kernels. */
    private final boolean any;

    private final boolean complex;
    private final int parts;
    private final long element;

    RowBlocks(Shape shape, boolean complex, ChainTable table) {
        this.table = table;
        this.any = shape.isa() == Isa.AVX512;
        this.complex = complex;
        this.parts = complex ? 2 : 1;
        this.element = (long) parts * shape.precision().bytes;
    }

    /**
     * Whether a band of some diagonals beside the first goes by blocks of rows. In d panels are as fast where they have no rows left that are less than a vector: 17
     * diagonals take 2.0 ns a row and 2.7 by blocks, 11 take 3.2 and 2.1.
     */
    boolean takes(long beside) {
        if (complex) {
            return any && beside * element <= MOST_BYTES;
        }
        return any && beside <= MOST_REAL && (element == Float.BYTES || beside % StoredPanels.WIDTH != 0);
    }

    /** y := alpha·A·x + y. */
    void product(long m, long n, long kl, long ku, long a, long step, long x, long y, double alpha) {
        run(table.blocks(false, true), false, parts, element, m, n, kl, ku, a, step, x, y, alpha);
    }

    /** x := A·x of a triangle: each block reads what blocks behind it, or before it, have not yet replaced. */
    void triangle(Uplo uplo, Diag diag, long n, long k, long a, long step, long x) {
        boolean upper = uplo == Uplo.UPPER;
        boolean unit = diag == Diag.UNIT;
        long others = Math.min(k, n - 1);
        long own = unit ? -1 : 0;
        run(table.blocks(!upper, unit), !upper, parts, element, n, n, upper ? own : others, upper ? others : own, a,
                step, x, x, 1);
    }

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
