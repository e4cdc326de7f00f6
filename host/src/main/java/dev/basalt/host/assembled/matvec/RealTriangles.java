package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.matvec.StoredKind.What;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.portable.SmallTriangle;
import dev.basalt.type.Op;

/**
 * Packed triangles and narrow bands of real numbers: panels of four columns, and what they leave by element, or column by column. Any number of threads may use one object.
 */
final class RealTriangles {
    /** The order of a packed upper triangle whose last columns are taken one by one. */
    private static final long REST_BEHIND = 64;

    private final StoredColumns columns;
    private final StoredPanels panels;
    private final long element;

    RealTriangles(Shape shape, StoredColumns columns, StoredPanels panels) {
        this.columns = columns;
        this.panels = panels;
        this.element = shape.precision().bytes;
    }

    /** Whether it is a band with few diagonals beside the first, if it is not packed. */
    static boolean isNarrow(long k) {
        return narrow(k) > 0;
    }

    /** What a form says of a band of some diagonals beside the first: how many if they are few, 0 if many, -1 if there is no form. */
    static int narrow(long diagonals) {
        return diagonals > StoredPanelKind.NARROW ? 0 : diagonals > 0 ? (int) diagonals : -1;
    }

    /** Whether it is packed, for one call of a kernel: nothing else is to be asked. */
    boolean isSmall(long n, long k, long growth) {
        return StoredColumns.isPacked(n, k, growth) && n >= StoredPanels.WIDTH && panels.inOneCall(n);
    }

    /**
     * A packed triangle of real numbers: panels of four columns, and the shortest columns, of which there are up to three, by element: another call of a kernel takes 26 ns. In front of long panels these
     * would leave some rows more for each; there the longest columns are those that are left.
     */
    void packed(SmallTriangle small, What what, boolean upper, Op op, boolean unit, long n, long a, long step,
            long growth, long rows, long second, double alpha) {
        boolean descends = what != What.SYMV && StoredKind.descends(what, upper);
        int rest = (int) n & StoredPanels.WIDTH - 1;
        boolean behind = upper && !descends && n >= REST_BEHIND;
        long first = upper && !behind ? rest : 0;
        long last = first + n - rest;
        boolean restFirst = upper != descends && !behind;
        if (restFirst) {
            few(small, what, upper, op, unit, rest, rest, upper ? 0 : last, a, step, growth, rows, second, alpha);
        }
        StoredPanelKind kind = StoredPanelKind.of(what);
        long undone = panels.inOneCall(n)
                ? panels.packed(kind, upper, unit, descends, first, last, n, a, step, growth, rows, second, alpha)
                : panels.run(kind, upper, unit, descends, !upper, upper, 0, first, last, a, step, growth, 0, 0, n, rows,
                        rows, second, alpha);
        if (undone > 0) {
            // Single columns divide.
            columns.triangle(what, upper, false, unit, false, descends ? first : last - undone,
                    descends ? first + undone : last, n, n - 1, a, step, growth, rows, second, alpha, 0);
        }
        if (behind) {
            columns.triangle(what, upper, false, unit, false, last, n, n, n - 1, a, step, growth, rows, second, alpha,
                    0);
        }
        if (!restFirst && !behind) {
            few(small, what, upper, op, unit, rest, rest, upper ? 0 : last, a, step, growth, rows, second, alpha);
        }
    }

    /**
     * A band of few diagonals of real numbers: panels, and the columns next to the corner by element, of which there are four to seven. A panel reads a whole head and tail, and the first four
     * there lack them. tbmv of order 51 with two diagonals, transposed, takes 89 ns in s so, and 172 by four calls of kernels.
     */
    void narrow(SmallTriangle small, What what, boolean upper, Op op, boolean unit, long n, int k, long a, long step,
            long growth, long rows, long second, double alpha) {
        boolean descends = StoredKind.descends(what, upper);
        int rest = (int) Math.min(n, StoredPanels.WIDTH + (n & StoredPanels.WIDTH - 1));
        long first = upper ? rest : 0;
        long last = first + n - rest;
        boolean restFirst = upper != descends;
        if (restFirst) {
            few(small, what, upper, op, unit, rest, k, upper ? 0 : last, a, step, growth, rows, second, alpha);
        }
        if (first < last) {
            boolean back = descends || what == What.SYMV && upper;
            long undone = panels.run(StoredPanelKind.of(what), upper, unit, back, true, true, k, first, last, a, step,
                    growth, upper ? StoredPanels.WIDTH : 0, upper ? 0 : k, n, rows, rows, second, alpha);
            // Single columns divide.
            columns.triangle(what, upper, false, unit, true, descends ? first : last - undone,
                    descends ? first + undone : last, n, k, a, step, growth, rows, second, alpha, 0);
        }
        if (!restFirst) {
            few(small, what, upper, op, unit, rest, k, upper ? 0 : last, a, step, growth, rows, second, alpha);
        }
    }

    /** Some columns of a triangle, or of a band of few diagonals, that are one themselves, by element. */
    private void few(SmallTriangle small, What what, boolean upper, Op op, boolean unit, int count, int k, long from,
            long a, long step, long growth, long rows, long second, double alpha) {
        if (count == 0) {
            return;
        }
        long x = rows + from * element;
        long at = a + (from * (step + 1) + growth * (from * (from - 1) / 2)) * element;
        long next = step + growth * from;
        switch (what) {
            case SYMV -> small.symv(upper, false, count, k, alpha, 0, at, next, growth, x + second, 1, 1, 0, x, 1);
            case TRMV, TRMV_T -> small.trmv(upper, op, unit, count, k, at, next, growth, x, 1);
            case TRSV, TRSV_T -> small.trsv(upper, op, unit, count, k, at, next, growth, x, 1);
            default -> throw new IllegalStateException(what + " takes no triangle");
        }
    }
}
