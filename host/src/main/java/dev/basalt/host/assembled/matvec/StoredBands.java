package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.matvec.StoredKind.What;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.portable.Leaf;
import dev.basalt.type.Op;
import java.lang.foreign.MemorySegment;

/** Products of general bands with vectors: by rows, by blocks of rows, by panels of columns or by columns. Any number of threads may use one object. */
final class StoredBands {
    /** Diagonals of a complex band, up to which its rows are faster than its columns; as much where it is transposed, and columns are sums. */
    private static final long ROWS = 15;

    private static final long TRANSPOSED_ROWS = 9;

    private final boolean complex;
    private final int parts;
    private final long element;
    private final StoredColumns columns;
    /** Of real numbers. */
    private final StoredPanels panels;

    private final ChainTable chains;
    private final RowBlocks blocks;
    private final ScratchPool scratch;

    StoredBands(Shape shape, boolean complex, StoredColumns columns, StoredPanels panels, ChainTable chains,
            RowBlocks blocks, ScratchPool scratch) {
        this.complex = complex;
        this.parts = complex ? 2 : 1;
        this.element = (long) parts * shape.precision().bytes;
        this.columns = columns;
        this.panels = panels;
        this.chains = chains;
        this.blocks = blocks;
        this.scratch = scratch;
    }

    /** Whether there is a use for these kernels. Whoever cuts a band moves kl and ku but leaves their sum, the height less 1: so all parts come here or none does. */
    boolean takes(long m, long height, boolean gathers) {
        return height > 0 && m > 0
                && height * element <= (gathers ? Stored.GATHERED_BYTES / 2 : StoredColumns.CALL_BYTES);
    }

    /**
     * y := alpha·op(A)·x + y.
     *
     * @param leaf copies vectors
     */
    void gbmv(Leaf leaf, Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a, long lda,
            long x, long incx, long y, long incy) {
        boolean plain = op == Op.NONE;
        long height = kl + ku + 1;
        long band = a + ku * element;
        if (complex && height <= (plain ? ROWS : TRANSPOSED_ROWS)) {
            rows(op, m, n, kl, ku, alphaRe, alphaIm, band, lda - 1, x, incx, y, incy);
            return;
        }
        boolean gathers = incx != 1 || incy != 1;
        What what = plain ? What.AXPY : What.DOT;
        boolean conj = op == Op.CONJ_TRANS;
        long end = Math.min(n, m + ku);
        long start = Math.max(0, -kl);
        if (!gathers && plain && !complex && blocks.takes(height - 1)) {
            // Sums have the bits of columns.
            blocks.product(m, n, kl, ku, band, lda - 1, x, y, alphaRe);
            return;
        }
        if (!gathers) {
            band(what, conj, m, kl, ku, start, end, band, lda - 1, plain ? y : x, plain ? x : y, alphaRe, alphaIm);
            return;
        }
        MemorySegment memory = scratch.take();
        long rows = memory.address();
        long along = rows + Stored.GATHERED_BYTES;
        long incRows = plain ? incy : incx;
        long incColumns = plain ? incx : incy;
        long step = Stored.GATHERED_BYTES / element - height & -StoredPanels.WIDTH;
        for (long j = start, to; j < end; j = to) {
            // Panels lie where they lie without gaps.
            to = Math.min(end, (j & -StoredPanels.WIDTH) + step);
            long first = Math.max(0, j - ku);
            long count = Math.max(0, Math.min(m, to + kl) - first);
            long fromRows = (plain ? y : x) + first * incRows * element;
            long fromColumns = (plain ? x : y) + j * incColumns * element;
            leaf.copy(count, fromRows, incRows, rows, 1);
            leaf.copy(to - j, fromColumns, incColumns, along, 1);
            long row0 = rows - first * element;
            long column0 = along - j * element;
            band(what, conj, m, kl, ku, j, to, band, lda - 1, row0, column0, alphaRe, alphaIm);
            if (plain) {
                leaf.copy(count, rows, 1, fromRows, incRows);
            } else {
                leaf.copy(to - j, along, 1, fromColumns, incColumns);
            }
        }
        scratch.give(memory);
    }

    /** A narrow band row by row of op(A), in stretches where both ends of the rows stay or move. */
    private void rows(Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a, long step,
            long x, long incx, long y, long incy) {
        boolean plain = op == Op.NONE;
        long before = plain ? kl : ku;
        long behind = plain ? ku : kl;
        long others = plain ? n : m;
        long down = plain ? 1 : step;
        long across = plain ? step : 1;
        MemorySegment code = chains.kernel(ChainKind.ROWS, false, op == Op.CONJ_TRANS, false);
        long call = StoredColumns.CALL_BYTES / ((kl + ku + 1) * element);
        long end = Math.min(plain ? m : n, others + before);
        for (long r = Math.max(0, -behind), next; r < end; r = next) {
            boolean moves = r >= before;
            boolean ends = r + behind >= others - 1;
            long whole = others - behind;
            next = moves ? ends ? end : whole : ends ? r + 1 : Math.min(before + 1, whole);
            next = Math.min(Math.min(end, next), r + call);
            long first = Math.max(0, r - before);
            long length = Math.min(others, r + behind + 1) - first;
            int longer = (ends ? 0 : 1) - (moves ? 1 : 0);
            NativeCall.direct(code, length, next - r, a + (r * down + first * across) * element,
                    (moves ? down + across : down) * element, x + first * incx * element, y + r * incy * element,
                    across * element, incx * element, longer, incy * element, alphaRe, alphaIm);
        }
    }

    /** Columns of a band between two, in stretches where both ends of the columns stay or move. */
    private void band(What what, boolean conj, long m, long kl, long ku, long from, long to, long a, long step,
            long rows, long along, double alphaRe, double alphaIm) {
        for (long j = from; j < to;) {
            boolean begins = j > ku;
            boolean ends = j < m - kl;
            long next = begins ? to : Math.min(to, ku + 1);
            next = ends ? Math.min(next, m - kl) : next;
            // Panels lie at multiples of their width: then the bits do not depend on cuts.
            int narrow = begins && ends ? RealTriangles.narrow(kl + ku) : 0;
            long fits = narrow > 0 && what == What.AXPY
                    ? Math.min(to - 2, m + ku - StoredPanels.WIDTH) & -StoredPanels.WIDTH
                    : to;
            long firstPanel = Math.min(next, (j + StoredPanels.WIDTH - 1) & -StoredPanels.WIDTH);
            long lastPanel = Math.max(firstPanel, Math.min(next, fits) & -StoredPanels.WIDTH);
            if (complex || narrow < 0) {
                firstPanel = next;
                lastPanel = next;
            }
            singles(what, conj, begins, ends, m, kl, ku, j, firstPanel, a, step, rows, along, alphaRe, alphaIm);
            if (firstPanel < lastPanel) {
                StoredPanelKind kind = what == What.AXPY ? StoredPanelKind.AXPY : StoredPanelKind.DOT;
                panels.run(kind, false, false, false, begins, ends, narrow, firstPanel, lastPanel, a, step, 0, ku, kl,
                        m, rows, along, 0, alphaRe);
            }
            singles(what, conj, begins, ends, m, kl, ku, lastPanel, next, a, step, rows, along, alphaRe, alphaIm);
            j = next;
        }
    }

    private void singles(What what, boolean conj, boolean begins, boolean ends, long m, long kl, long ku, long j,
            long next, long a, long step, long rows, long along, double alphaRe, double alphaIm) {
        if (j < next) {
            long first = Math.max(0, j - ku);
            long count = Math.min(m, j + kl + 1) - first;
            long further = begins ? 1 : 0;
            long longer = (ends ? 1 : 0) - further;
            columns.walk(columns.table.kernel(what, false, conj, false, false), false, next - j, count, longer,
                    a + (first + j * step) * element, step + further, 0, rows + first * element, further,
                    along + j * element, 0, alphaRe, alphaIm);
        }
    }
}
