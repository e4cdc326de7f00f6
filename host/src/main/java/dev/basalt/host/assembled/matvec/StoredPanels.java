package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** Columns of bands and stored triangles of real numbers, four at a time: see {@link StoredPanelCode}. Any number of threads may use one object. */
final class StoredPanels {
    static final int WIDTH = StoredPanelCode.WIDTH;

    /** Bytes of the matrix in a call, which holds up the garbage collector. */
    private static final long CALL_BYTES = 512 << 10;

    private final StoredPanelTable table;
    private final long element;

    StoredPanels(Shape shape) {
        this.table = new StoredPanelTable(shape, false);
        this.element = shape.precision().bytes;
    }

    /**
     * Some columns, a multiple of {@link #WIDTH}, whose first and last rows stay or move as the form says.
     *
     * @param narrow diagonals beside the first if they are no more than {@link StoredPanelKind#NARROW}, with head and tail; else 0
     * @param head whether columns begin one row after the other
     * @param tail whether they end so
     * @param from the first column
     * @param to the column after the last
     * @param a address of row 0 in column 0
     * @param step elements from there to row 0 in column 1
     * @param growth by how much that grows from column to column
     * @param above rows of a column above row j, if it does not begin with row 0
     * @param below rows below row j, if it does not end with row m - 1
     * @param m rows
     * @param rows address of the vector along the rows
     * @param columns address of the vector along the columns
     * @param second bytes from there to a second vector
     * @return of an equation the columns that are left, the last ones in its order, as an unknown is not finite; else 0
     */
    long run(StoredPanelKind kind, boolean upper, boolean unit, boolean descends, boolean head, boolean tail,
            int narrow, long from, long to, long a, long step, long growth, long above, long below, long m, long rows,
            long columns, long second, double alpha) {
        int form = StoredPanelKind.Form.number(kind, head, tail, upper, unit, narrow);
        int shift = head ? WIDTH : 0;
        long last = to - WIDTH;
        long longest = 3 * WIDTH
                + Math.max(height(from, head, tail, above, below, m), height(last, head, tail, above, below, m));
        long all = (to - from) * longest * element / (growth == 0 ? 1 : 2);
        // Sums of columns, which threads may share out, must not depend on the panels here.
        long column = kind.triangular() ? longest : above + below + 1;
        MemorySegment code = table.kernel(kind, column * element, all, form);
        long panels = (to - from) / WIDTH;
        long call = all <= CALL_BYTES / 2 ? panels : Math.max(1, CALL_BYTES / (WIDTH * longest * element));
        for (long done = 0; done < panels; done += call) {
            long j = descends ? last - done * WIDTH : from + done * WIDTH;
            long first = head ? j - above : 0;
            long next = descends
                    ? start(j - WIDTH, step, growth) - start(j, step, growth) - shift
                    : start(j + WIDTH, step, growth) - start(j, step, growth) + shift;
            long height = narrow > 0 ? 0 : height(j, head, tail, above, below, m);
            long some = Math.min(call, panels - done);
            long left = NativeCall.direct(code, height, some, a + (first + start(j, step, growth)) * element,
                    (step + growth * j) * element, rows + first * element, columns + j * element, second,
                    growth * element, next * element, 0, alpha, 0);
            if (kind.solves() && left > 0) {
                return (panels - done - some + left) * WIDTH;
            }
        }
        return 0;
    }

    /** Whether a packed triangle is small enough for {@link #packed}. */
    boolean inOneCall(long n) {
        return n * n * element <= CALL_BYTES;
    }

    /** As {@link #run} for all panels of a packed triangle; this way is shorter, which of order 8 is most of what it takes. */
    long packed(StoredPanelKind kind, boolean upper, boolean unit, boolean descends, long from, long to, long n, long a,
            long step, long growth, long x, long second, double alpha) {
        int form = (upper ? 1 : 0) + (unit && kind != StoredPanelKind.SYMV ? 2 : 0);
        MemorySegment code = table.kernel(kind, (n + 2 * WIDTH) * element, 0, form);
        long j = descends ? to - WIDTH : from;
        long first = upper ? 0 : j;
        long shift = upper ? 0 : WIDTH;
        long apart = step + growth * j;
        long next = descends
                ? -WIDTH * apart + growth * (WIDTH * (WIDTH + 1) / 2) - shift
                : WIDTH * apart + growth * (WIDTH * (WIDTH - 1) / 2) + shift;
        long left = NativeCall.direct(code, upper ? j : n - j - WIDTH, (to - from) / WIDTH,
                a + (first + start(j, step, growth)) * element, apart * element, x + first * element, x + j * element,
                second, growth * element, next * element, 0, alpha, 0);
        return kind.solves() ? left * WIDTH : 0;
    }

    /** Rows of the rectangle of the panel that begins with column j. */
    private static long height(long j, boolean head, boolean tail, long above, long below, long m) {
        return (tail ? j + below : m) - (head ? j - above + WIDTH : 0);
    }

    /** Elements to row 0 of column j. */
    private static long start(long j, long step, long growth) {
        return j * step + growth * (j * (j - 1) / 2);
    }
}
