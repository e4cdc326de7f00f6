package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** Sums of matrices of which one or both are transposed, in whole blocks, and in which order the blocks are met. */
final class Turns {
    /** From so many bytes on, of C and all that is read for it, memory is what bounds, and C is stored past the caches. */
    private static final long LARGE = 8L << 20;

    /** C of more bytes does not stay in the second cache. */
    private static final long SECOND_CACHE = 512 << 10;

    private static final int LINE = LineTurnCode.LINE;
    private static final long CALL_BYTES = 256 << 10;

    /** Where columns are so far apart, or a multiple of it, their lines meet in few sets of the caches. */
    private static final long PAGE = 4096;

    /** Bytes of a column of C in a call that transposes by halves of lines: as many columns pass, whose lines wait in the first-level cache. */
    private static final long TURNED_BYTES = 128;

    /** The same where the other operand lies as C does, and should pass in longer pieces. */
    private static final long BESIDE_BYTES = 512;

    /** Columns that are read at once from memory, no more than prefetchers follow. */
    private static final int STREAMS = 16;

    /** Rows of a tile. */
    private static final int TALL = 128;

    /** The same where the other operand lies as C does, and should pass in longer pieces, and where lines are joined, so that a block more is read. */
    private static final int TALLER = 256;

    private final TurnTable table;
    private final long element;
    private final long rows;
    private final long columns;

    Turns(Shape shape, boolean complex) {
        this.table = new TurnTable(shape, complex);
        this.element = table.unit();
        this.rows = table.rows();
        this.columns = table.columns();
    }

    /** Whether there is room for a block. */
    boolean holds(long m, long n) {
        return m >= rows && n >= columns;
    }

    /** Whether whole lines are better than halves: columns of C begin with one, or memory bounds. */
    boolean suits(TurnKind kind, long m, long n, long c, long ldc) {
        return holds(m, n) && (alike(ldc) && c % LINE == 0 || large(kind, m, n));
    }

    private boolean large(TurnKind kind, long m, long n) {
        return (kind == TurnKind.ALONE ? 2 : 3) * m * n * element >= LARGE;
    }

    /** Whether the columns of C lie alike to lines. */
    private boolean alike(long ldc) {
        return ldc * element % LINE == 0;
    }

    long wholeRows(long m) {
        return m - m % rows;
    }

    long wholeColumns(long n) {
        return n - n % columns;
    }

    /** All of C, which lies apart and holds a block. The last block begins earlier; what it does once more comes out the same. */
    void all(TurnKind kind, long m, long n, long a, long lda, long b, long ldb, long factors, long c, long ldc) {
        boolean past = large(kind, m, n) && c % element == 0;
        if (past && table.lines() && !alike(ldc)) {
            joined(kind, m, n, a, lda, b, ldb, factors, c, ldc);
            return;
        }
        past &= alike(ldc);
        // Whole lines from the first one on.
        long head = past ? (-c & LINE - 1) / element : 0;
        if (m < head + 2 * rows) {
            head = 0;
            past = false;
        }
        long whole = head + wholeRows(m - head);
        long inPanels = wholeColumns(n);
        blocks(kind, head, whole, 0, inPanels, a, lda, b, ldb, factors, c, ldc, past);
        blocks(kind, 0, wholeRows(head + rows - 1), 0, inPanels, a, lda, b, ldb, factors, c, ldc, false);
        blocks(kind, m - rows, whole < m ? m : 0, 0, inPanels, a, lda, b, ldb, factors, c, ldc, false);
        lastColumns(kind, m, n, a, lda, b, ldb, factors, c, ldc);
    }

    private void lastColumns(TurnKind kind, long m, long n, long a, long lda, long b, long ldb, long factors, long c,
            long ldc) {
        if (n % columns > 0) {
            long last = n - columns;
            blocks(kind, 0, wholeRows(m), last, n, a, lda, b, ldb, factors, c, ldc, false);
            blocks(kind, m - rows, m, last, n, a, lda, b, ldb, factors, c, ldc, false);
        }
    }

    /** All of C, whose columns lie differently to lines. */
    private void joined(TurnKind kind, long m, long n, long a, long lda, long b, long ldb, long factors, long c,
            long ldc) {
        long whole = wholeRows(m);
        long inPanels = wholeColumns(n);
        table.positions(factors, c, ldc);
        tiles(kind, table.joining(kind), true, rows, whole, 0, inPanels, a, lda, b, ldb, factors, c, ldc, TALLER,
                columns * columns);
        // What no whole line took.
        blocks(kind, 0, rows, 0, inPanels, a, lda, b, ldb, factors, c, ldc, false);
        blocks(kind, whole - rows, whole, 0, inPanels, a, lda, b, ldb, factors, c, ldc, false);
        blocks(kind, m - rows, whole < m ? m : 0, 0, inPanels, a, lda, b, ldb, factors, c, ldc, false);
        lastColumns(kind, m, n, a, lda, b, ldb, factors, c, ldc);
    }

    /** Rows and columns of C in whole blocks. */
    void blocks(TurnKind kind, long fromRow, long toRow, long fromColumn, long toColumn, long a, long lda, long b,
            long ldb, long factors, long c, long ldc, boolean past) {
        if (fromRow >= toRow || fromColumn >= toColumn) {
            return;
        }
        boolean second = kind == TurnKind.SECOND;
        long ld = second ? ldb : lda;
        boolean beside = kind == TurnKind.FIRST || second;
        boolean runs = runs(kind, toRow - fromRow, toColumn - fromColumn, ld, past);
        long height;
        long width;
        if (!table.lines()) {
            long bytes = beside ? BESIDE_BYTES : TURNED_BYTES;
            height = bytes / element;
            width = CALL_BYTES / bytes;
        } else if (runs) {
            height = beside ? TALLER : TALL;
            width = columns * columns;
        } else {
            height = !past ? TALL : Math.max(rows, kind == TurnKind.BOTH ? STREAMS / 2 : STREAMS);
            width = CALL_BYTES / (height * element) / columns * columns;
        }
        tiles(kind, table.kernel(kind, past, runs), false, fromRow, toRow, fromColumn, toColumn, a, lda, b, ldb,
                factors, c, ldc, height, width);
    }

    /** Rows and columns of C by tiles of whole blocks; where lines are joined, each begins with the block before its rows. */
    private void tiles(TurnKind kind, MemorySegment code, boolean joins, long fromRow, long toRow, long fromColumn,
            long toColumn, long a, long lda, long b, long ldb, long factors, long c, long ldc, long height,
            long width) {
        boolean second = kind == TurnKind.SECOND;
        long first = second ? b : a;
        long ld = second ? ldb : lda;
        long other = second ? a : b;
        long ldo = second ? lda : ldb;
        long down = kind == TurnKind.BOTH ? ldo : 1;
        long across = kind == TurnKind.BOTH ? 1 : ldo;
        long before = joins ? rows : 0;
        for (long i = fromRow; i < toRow; i += height) {
            long blocks = Math.min(height, toRow - i) / rows;
            long from = i - before;
            for (long j = fromColumn; j < toColumn; j += width) {
                boolean last = j + width >= toColumn;
                long next = last ? (fromColumn - j + height * ld) * element : width * element;
                NativeCall.direct(code, blocks, Math.min(width, toColumn - j) / columns, c + (from + j * ldc) * element,
                        ldc * element, first + (j + from * ld) * element, ld * element,
                        other + (from * down + j * across) * element, ldo * element, factors,
                        next + before * ld * element, 0, 0);
            }
        }
    }

    /**
     * Whether tiles are fetched one ahead, in runs of lines. Otherwise blocks go across C, and the columns that they read are as many streams; but lines of columns a
     * page apart meet in few sets of a cache, and where another operand lies as C does it is read in pieces anyway.
     */
    private boolean runs(TurnKind kind, long m, long n, long ld, boolean past) {
        if (!table.lines()) {
            return false;
        }
        boolean beside = kind == TurnKind.FIRST || kind == TurnKind.SECOND;
        return m * n * element > SECOND_CACHE && ld * element % PAGE == 0 || large(kind, m, n) && (beside || !past);
    }
}
