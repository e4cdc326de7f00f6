package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * alpha·A·x by columns: y is loaded and stored once for all columns of a panel. An element of y is added up column by column,
 * alone or in a vector, so its bits depend neither on the panels nor on where rows are cut.
 */
final class GemvCode extends PanelCode {
    private static final int VALUE = 10;
    private static final int Y = 11;

    private boolean clearing;

    private GemvCode(Shape shape, boolean complex, boolean single) {
        super(shape, complex, single);
    }

    /**
     * Writes a kernel; y lies along the rows, x along the columns.
     *
     * @param fetching whether panels are fetched ahead, of panels of real numbers
     * @param set whether y is overwritten, or else added to
     */
    static byte[] write(Shape shape, boolean complex, boolean single, boolean fetching, boolean set) {
        GemvCode gemv = new GemvCode(shape, complex, single);
        gemv.enter(fetching);
        gemv.scalars();
        gemv.prepare();
        if (set) {
            gemv.clear();
        }
        gemv.panels();
        gemv.leave();
        return gemv.code.code();
    }

    private void clear() {
        clearing = true;
        v.zero(Y);
        rows(1);
        clearing = false;
    }

    @Override
    public void panel(int columns) {
        factors(columns, false);
        rows(columns);
    }

    @Override
    public void step(int columns, int at, boolean masked) {
        if (!clearing) {
            load(Y, row(at), masked);
            for (int j = 0; j < columns; j++) {
                add(j, column(j, at), masked);
            }
        }
        store(row(at), Y, masked);
    }

    private void add(int j, Mem a, boolean masked) {
        if (complex || masked) {
            load(VALUE, a, masked);
            v.fma(Y, VALUE, j);
        } else {
            v.fma(Y, j, a);
        }
        if (complex) {
            v.swapPairs(VALUE, VALUE);
            v.fma(Y, VALUE, 4 + j);
        }
    }
}
