package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.matvec.StoredKind.What;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** Columns of bands and stored triangles one by one: see {@link StoredCode}. Any number of threads may use one object. */
final class StoredColumns {
    /** Bytes of the matrix in a call, which holds up the garbage collector. */
    static final long CALL_BYTES = 512 << 10;

    /** The order of a packed complex triangle whose product goes by panels of columns. */
    private static final long PANELS_FROM = 300;

    /** The kernels. */
    final StoredTable table;

    private final boolean complex;
    private final int parts;
    private final long element;

    StoredColumns(Shape shape, boolean complex) {
        this.table = new StoredTable(shape, complex);
        this.complex = complex;
        this.parts = complex ? 2 : 1;
        this.element = (long) parts * shape.precision().bytes;
    }

    /** Whether it is a packed triangle. */
    static boolean isPacked(long n, long k, long growth) {
        return growth != 0 && k >= n - 1;
    }

    /**
     * Columns {@code from} to {@code to} of a triangle with k diagonals beside the first.
     *
     * @param band whether all of these have as many elements; else they begin or end in the same row
     */
    void triangle(What what, boolean upper, boolean conj, boolean unit, boolean band, long from, long to, long n,
            long k, long a, long step, long growth, long rows, long second, double alphaRe, double alphaIm) {
        if (from >= to) {
            return;
        }
        boolean descends = StoredKind.descends(what, upper);
        long longer = band ? 0 : upper ? 1 : -1;
        long further = band || !upper ? 1 : 0;
        long j = descends ? to - 1 : from;
        long first = upper ? Math.max(0, j - k) : j + 1;
        long length = (upper ? j : Math.min(n, j + k + 1)) - first;
        long piece = a + (first + j * step + growth * (j * (j - 1) / 2)) * element;
        long sign = descends ? -1 : 1;
        long apart = sign * (step + growth * (descends ? j - 1 : j) + further);
        // Complex products go by panels where the columns are one stream, which do not pay in small triangles.
        boolean stream = growth != 0 && (!complex || what != What.SYMV || n >= PANELS_FROM);
        walk(table.kernel(what, upper, conj, unit, stream), descends, to - from, length, sign * longer, piece, apart,
                growth, rows + first * element, sign * further, rows + j * element, second, alphaRe, alphaIm);
    }

    /** Runs a kernel over columns, in as many calls as it takes. Lengths and distances are in elements, but for {@code second}. */
    void walk(MemorySegment code, boolean descends, long columns, long length, long longer, long piece, long apart,
            long growth, long rows, long further, long own, long second, double alphaRe, double alphaIm) {
        long longest = Math.max(length, length + longer * (columns - 1)) + 1;
        long call = columns * longest * element <= CALL_BYTES ? columns : Math.max(1, CALL_BYTES / (longest * element));
        for (long done = 0; done < columns; done += call) {
            NativeCall.direct(code, (length + longer * done) * parts, Math.min(call, columns - done),
                    piece + (apart * done + growth * (done * (done - 1) / 2)) * element,
                    (apart + growth * done) * element, rows + further * done * element,
                    own + (descends ? -done : done) * element, second, growth * element, longer * parts,
                    further * element, alphaRe, alphaIm);
        }
    }
}
