package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.matvec.StoredKind.What;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.portable.Leaf;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * Bands, and triangles stored in any way, of one element type by assembled kernels that take column by column: see {@link StoredCode}. Methods
 * return false, with nothing done, where they have no use for it: the caller's portable kernels are as good then. Vectors with gaps
 * are gathered before and, where they are written, scattered after. Any number of threads may use one object.
 */
public final class Stored {
    /** Bytes of a vector that can be gathered. */
    static final long GATHERED_BYTES = 64 << 10;

    /**
     * A vector of an update by two, of which the first cache holds both beside what passes through. Up to here a packed triangle is one stream that the processor's prefetchers keep up with, and
     * fetches are in their way: spr2 of order 1000 in d takes 130 to 170 µs without and 215 to 235 with them; from order 2000 on they win, 3.6 ms beside 4.6 at 4000.
     */
    private static final long HELD_BYTES = 14 << 10;

    /** Updates and complex bands of smaller order are not worth a call. */
    private static final long LEAST = 4;

    /** As much of symmetric products in complex columns. */
    private static final long LEAST_COLUMNS = 8;

    /**
     * Elements of a complex row beside the diagonal, up to which a product goes row by row: by columns each waits for what the one before stored, 9 to 10 ns whatever their length, and a
     * row takes 0.5 ns an element. Sums of transposed columns wait for nothing.
     */
    private static final long CHAIN = 15;

    private static final long TRANSPOSED_CHAIN = 8;

    /** As much of a symmetric one, on a side. */
    private static final long SYMMETRIC_ROWS = 7;

    /** Elements of a triangular row beside the diagonal, from which on blocks of rows are faster than single rows, and than panels. */
    private static final long BLOCKS_FROM = 4;

    /** As much in bytes, of unknowns: by columns each waits for what the one before stored, or for its sum. */
    private static final long CHAIN_BYTES = 128;

    private static final long TRANSPOSED_CHAIN_BYTES = 192;

    private final boolean complex;
    private final long element;
    private final Matvec level2;
    private final StoredColumns columns;
    private final StoredBands bands;
    /** Null of complex numbers, as {@link #triangles}. */
    private final StoredPanels panels;

    private final RealTriangles triangles;

    private final ChainTable chains;
    private final RowBlocks blocks;

    private final ScratchPool scratch = new ScratchPool(2 * GATHERED_BYTES);
    /** For reciprocals of a diagonal and a copy of the right-hand side. */
    private final ScratchPool reciprocals = new ScratchPool(2 * GATHERED_BYTES);

    /** Kernels of one element type; they must not be called where the processor lacks the vectors. */
    public Stored(Shape shape, boolean complex, Matvec level2) {
        this.complex = complex;
        this.level2 = level2;
        this.element = (long) (complex ? 2 : 1) * shape.precision().bytes;
        this.columns = new StoredColumns(shape, complex);
        this.panels = complex ? null : new StoredPanels(shape);
        this.triangles = complex ? null : new RealTriangles(shape, columns, panels);
        this.chains = new ChainTable(shape, complex);
        this.blocks = new RowBlocks(shape, complex, chains);
        this.bands = new StoredBands(shape, complex, columns, panels, chains, blocks, scratch);
    }

    /**
     * See {@link Leaf#gbmv}, with alpha not 0.
     *
     * @param leaf copies and scales vectors
     */
    public boolean gbmv(Leaf leaf, Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a,
            long lda, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        if (!bands.takes(m, kl + ku + 1, incx != 1 || incy != 1)) {
            return false;
        }
        scale(leaf, op == Op.NONE ? m : n, betaRe, betaIm, y, incy);
        bands.gbmv(leaf, op, m, n, kl, ku, alphaRe, alphaIm, a, lda, x, incx, y, incy);
        return true;
    }

    /**
     * See {@link Leaf#symvStored}, with alpha not 0.
     *
     * @param owner copies and scales vectors, and takes few columns
     */
    public boolean symv(StoredLeaf owner, Uplo uplo, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long step, long growth, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        Leaf leaf = owner.leaf();
        boolean gathers = incx != 1 || incy != 1;
        if (!gathers && !complex && triangles.isSmall(n, k, growth)) {
            scale(leaf, n, betaRe, betaIm, y, 1);
            triangles.packed(owner.small(), What.SYMV, uplo == Uplo.UPPER, Op.NONE, false, n, a, step, growth, y, x - y,
                    alphaRe);
            return true;
        }
        if (complex && growth != 0 && n < LEAST_COLUMNS || !takes(n, k, gathers)) {
            return false;
        }
        scale(leaf, n, betaRe, betaIm, y, incy);
        if (!gathers) {
            symv(owner, uplo, hermitian, n, k, a, step, growth, y, x - y, alphaRe, alphaIm);
            return true;
        }
        MemorySegment memory = scratch.take();
        long own = memory.address();
        leaf.copy(n, y, incy, own, 1);
        leaf.copy(n, x, incx, own + GATHERED_BYTES, 1);
        symv(owner, uplo, hermitian, n, k, a, step, growth, own, GATHERED_BYTES, alphaRe, alphaIm);
        leaf.copy(n, own, 1, y, incy);
        scratch.give(memory);
        return true;
    }

    private void symv(StoredLeaf owner, Uplo uplo, boolean hermitian, long n, long k, long a, long step, long growth,
            long y, long second, double alphaRe, double alphaIm) {
        Leaf leaf = owner.leaf();
        boolean upper = uplo == Uplo.UPPER;
        if (!complex && StoredColumns.isPacked(n, k, growth)) {
            triangles.packed(owner.small(), What.SYMV, upper, Op.NONE, false, n, a, step, growth, y, second, alphaRe);
            return;
        }
        if (!complex && RealTriangles.isNarrow(k)) {
            triangles.narrow(owner.small(), What.SYMV, upper, Op.NONE, false, n, (int) k, a, step, growth, y, second,
                    alphaRe);
            return;
        }
        if (!complex || growth != 0 || k > SYMMETRIC_ROWS) {
            triangle(leaf, What.SYMV, uplo, hermitian, false, n, k, a, step, growth, y, second, alphaRe, alphaIm);
            return;
        }
        MemorySegment code = chains.kernel(ChainKind.SYMMETRIC, upper, hermitian, false);
        long call = StoredColumns.CALL_BYTES / ((k + 1) * element);
        long along = step * element;
        for (long i = 0; i < n; i += call) {
            NativeCall.direct(code, k, Math.min(call, n - i), a + i * (along + element), along + element,
                    y + second + i * element, y + i * element, upper ? element : along, upper ? along : element, i,
                    n - 1 - i, alphaRe, alphaIm);
        }
    }

    /**
     * See {@link Leaf#trmvStored}.
     *
     * @param owner copies vectors, and takes few columns
     */
    public boolean trmv(StoredLeaf owner, Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth,
            long x, long incx) {
        return inPlace(owner, false, uplo, op, diag, n, k, a, step, growth, x, incx);
    }

    /**
     * See {@link Leaf#trsvStored}.
     *
     * @param owner copies vectors, divides complex numbers, and takes few columns
     */
    public boolean trsv(StoredLeaf owner, Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth,
            long x, long incx) {
        return inPlace(owner, true, uplo, op, diag, n, k, a, step, growth, x, incx);
    }

    private static What what(boolean solves, Op op) {
        boolean plain = op == Op.NONE;
        return solves ? plain ? What.TRSV : What.TRSV_T : plain ? What.TRMV : What.TRMV_T;
    }

    private boolean inPlace(StoredLeaf owner, boolean solves, Uplo uplo, Op op, Diag diag, long n, long k, long a,
            long step, long growth, long x, long incx) {
        if (!complex && triangles.isSmall(n, k, growth) && incx == 1) {
            triangles.packed(owner.small(), what(solves, op), uplo == Uplo.UPPER, op, diag == Diag.UNIT, n, a, step,
                    growth, x, 0, 0);
            return true;
        }
        Leaf leaf = owner.leaf();
        if (!takes(n, k, incx != 1)) {
            return false;
        }
        if (incx == 1) {
            inPlace(owner, solves, uplo, op, diag, n, k, a, step, growth, x);
            return true;
        }
        MemorySegment memory = scratch.take();
        leaf.copy(n, x, incx, memory.address(), 1);
        inPlace(owner, solves, uplo, op, diag, n, k, a, step, growth, memory.address());
        leaf.copy(n, memory.address(), 1, x, incx);
        scratch.give(memory);
        return true;
    }

    private void inPlace(StoredLeaf owner, boolean solves, Uplo uplo, Op op, Diag diag, long n, long k, long a,
            long step, long growth, long x) {
        Leaf leaf = owner.leaf();
        boolean plain = op == Op.NONE;
        if (complex && growth != 0) {
            long left = level2.packed(solves, uplo, op, diag, n, a, step, growth, x);
            if (left > 0) {
                solve(leaf, uplo, op, diag, n, left, k, a, step, growth, x);
            }
            return;
        }
        if (solves && complex) {
            if (!multiply(leaf, uplo, op, diag, n, k, a, step, x)) {
                solve(leaf, uplo, op, diag, n, n, k, a, step, 0, x);
            }
            return;
        }
        if (!solves && plain && growth == 0 && k >= BLOCKS_FROM && blocks.takes(k)) {
            blocks.triangle(uplo, diag, n, k, a, step, x);
            return;
        }
        if (complex && k <= (plain ? CHAIN : TRANSPOSED_CHAIN)) {
            chain(false, uplo, op, diag, n, k, a, step, x, 0);
            return;
        }
        What what = what(solves, op);
        if (!complex && StoredColumns.isPacked(n, k, growth)) {
            triangles.packed(owner.small(), what, uplo == Uplo.UPPER, op, diag == Diag.UNIT, n, a, step, growth, x, 0,
                    0);
            return;
        }
        if (!complex && RealTriangles.isNarrow(k)) {
            triangles.narrow(owner.small(), what, uplo == Uplo.UPPER, op, diag == Diag.UNIT, n, (int) k, a, step,
                    growth, x, 0, 0);
            return;
        }
        triangle(leaf, what, uplo, op == Op.CONJ_TRANS, diag == Diag.UNIT, n, k, a, step, growth, x, 0, 0, 0);
    }

    /** A narrow band of complex numbers; the second vector has the reciprocals of its diagonal. */
    private void chain(boolean solves, Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long x,
            long second) {
        boolean upper = uplo == Uplo.UPPER;
        boolean plain = op == Op.NONE;
        // A product needs what comes after an element, unknowns need what comes before.
        boolean descends = solves == (upper == plain);
        long side = (upper == plain ? 1 : -1) * (plain ? step : 1) * element;
        long next = (descends ? -1 : 1) * (step + 1) * element;
        MemorySegment code = chains.kernel(solves ? ChainKind.SOLVE : ChainKind.MULTIPLY, descends, op == Op.CONJ_TRANS,
                diag == Diag.UNIT);
        long call = StoredColumns.CALL_BYTES / ((k + 1) * element);
        for (long done = 0; done < n; done += call) {
            long j = descends ? n - 1 - done : done;
            NativeCall.direct(code, k, Math.min(call, n - done), a + j * (step + 1) * element, next, side,
                    x + j * element, second, solves ? done : n - 1 - done, 0, 0, 0, 0);
        }
    }

    /**
     * Unknowns of a complex band by reciprocals of the diagonal.
     *
     * @return false, with nothing done, if there is one without a reciprocal, or a result is not finite: a quotient may be better
     */
    private boolean multiply(Leaf leaf, Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long x) {
        if (diag == Diag.UNIT) {
            unknowns(leaf, uplo, op, diag, n, k, a, step, x, 0);
            return true;
        }
        if ((n + 1) * element > GATHERED_BYTES) {
            return false;
        }
        MemorySegment memory = reciprocals.take();
        long inverse = memory.address();
        long copy = inverse + GATHERED_BYTES;
        long bounds = inverse + n * element;
        NativeCall.direct(chains.kernel(ChainKind.INVERT, false, op == Op.CONJ_TRANS, false), 0, n, a,
                (step + 1) * element, inverse, bounds, 0, 0, 0, 0, 0, 0);
        boolean f64 = element == 16;
        double most = f64 ? 0x1p900 : 0x1p100;
        double least = f64 ? f64(bounds) : f32(bounds);
        double largest = f64 ? f64(bounds + 8) : f32(bounds + 4);
        boolean done = least >= 1 / most && largest <= most;
        if (done) {
            leaf.copy(n, x, 1, copy, 1);
            unknowns(leaf, uplo, op, diag, n, k, a, step, x, inverse - x);
            done = leaf.asum(n, x, 1) <= Double.MAX_VALUE;
            if (!done) {
                leaf.copy(n, copy, 1, x, 1);
            }
        }
        reciprocals.give(memory);
        return done;
    }

    private void unknowns(Leaf leaf, Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long x,
            long second) {
        long narrow = (op == Op.NONE ? CHAIN_BYTES : TRANSPOSED_CHAIN_BYTES) / element;
        if (k <= narrow) {
            chain(true, uplo, op, diag, n, k, a, step, x, second);
        } else {
            triangle(leaf, op == Op.NONE ? What.TRSV : What.TRSV_T, uplo, op == Op.CONJ_TRANS, diag == Diag.UNIT, n, k,
                    a, step, 0, x, second, 0, 0);
        }
    }

    /** The last complex unknowns, whose division must not overflow in between, one by one. */
    private void solve(Leaf leaf, Uplo uplo, Op op, Diag diag, long n, long left, long k, long a, long step,
            long growth, long x) {
        boolean upper = uplo == Uplo.UPPER;
        boolean plain = op == Op.NONE;
        boolean ascending = upper != plain;
        MemorySegment code =
                columns.table.kernel(plain ? What.AXPY : What.DOT, upper, op == Op.CONJ_TRANS, false, false);
        for (long r = n - left; r < n; r++) {
            long j = ascending ? r : n - 1 - r;
            long first = upper ? Math.max(0, j - k) : j + 1;
            long count = (upper ? j : Math.min(n, j + k + 1)) - first;
            long column = a + (j * step + growth * (j * (j - 1) / 2)) * element;
            long own = x + j * element;
            if (plain && diag == Diag.NON_UNIT) {
                leaf.trsv(uplo, op, diag, 1, column + j * element, 1, own, 1);
            }
            if (count > 0) {
                long piece = column + first * element;
                columns.walk(code, false, 1, count, 0, piece, 0, 0, x + first * element, 0, own, 0, -1, 0);
            }
            if (!plain && diag == Diag.NON_UNIT) {
                leaf.trsv(uplo, op, diag, 1, column + j * element, 1, own, 1);
            }
        }
    }

    /** See {@link Leaf#syr}, with alpha not 0. */
    public boolean syr(Leaf leaf, Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe,
            double alphaIm, long x, long incx, long a, long step, long growth) {
        if (!takes(n, n, incx != 1)) {
            return false;
        }
        MemorySegment code = columns.table.kernel(What.SYR, uplo == Uplo.UPPER, hermitian, false, growth != 0);
        if (incx == 1) {
            update(code, uplo, n, from, to, a, step, growth, x, 0, alphaRe, alphaIm);
            return true;
        }
        MemorySegment memory = scratch.take();
        leaf.copy(n, x, incx, memory.address(), 1);
        update(code, uplo, n, from, to, a, step, growth, memory.address(), 0, alphaRe, alphaIm);
        scratch.give(memory);
        return true;
    }

    /** See {@link Leaf#syr2}, with alpha not 0. */
    public boolean syr2(Leaf leaf, Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe,
            double alphaIm, long x, long incx, long y, long incy, long a, long step, long growth) {
        boolean gathers = incx != 1 || incy != 1;
        if (!takes(n, n, gathers)) {
            return false;
        }
        What what = growth != 0 && n * element > HELD_BYTES ? What.SYR2_LONG : What.SYR2;
        MemorySegment code = columns.table.kernel(what, uplo == Uplo.UPPER, hermitian, false, growth != 0);
        if (!gathers) {
            update(code, uplo, n, from, to, a, step, growth, x, y - x, alphaRe, alphaIm);
            return true;
        }
        MemorySegment memory = scratch.take();
        long own = memory.address();
        leaf.copy(n, x, incx, own, 1);
        leaf.copy(n, y, incy, own + GATHERED_BYTES, 1);
        update(code, uplo, n, from, to, a, step, growth, own, GATHERED_BYTES, alphaRe, alphaIm);
        scratch.give(memory);
        return true;
    }

    private boolean takes(long n, long k, boolean gathers) {
        return n >= LEAST && Math.min(n, k + 1) * element <= StoredColumns.CALL_BYTES
                && (!gathers || n * element <= GATHERED_BYTES);
    }

    private void scale(Leaf leaf, long n, double betaRe, double betaIm, long y, long incy) {
        if (betaRe == 0 && betaIm == 0) {
            leaf.fill(n, 0, 0, y, incy);
        } else if (betaRe != 1 || betaIm != 0) {
            leaf.scal(n, betaRe, betaIm, !complex, y, incy);
        }
    }

    private void update(MemorySegment code, Uplo uplo, long n, long from, long to, long a, long step, long growth,
            long x, long second, double alphaRe, double alphaIm) {
        boolean upper = uplo == Uplo.UPPER;
        long further = upper ? 0 : 1;
        long first = further * from;
        if (from < to) {
            columns.walk(code, false, to - from, upper ? from + 1 : n - from, upper ? 1 : -1,
                    a + (first + from * step + growth * (from * (from - 1) / 2)) * element,
                    step + growth * from + further, growth, x + first * element, further, x + from * element, second,
                    alphaRe, alphaIm);
        }
    }

    /** All columns of a triangle; where it is a band, some of them are all of the same length. */
    private void triangle(Leaf leaf, What what, Uplo uplo, boolean conj, boolean unit, long n, long reach, long a,
            long step, long growth, long rows, long second, double alphaRe, double alphaIm) {
        boolean upper = uplo == Uplo.UPPER;
        boolean descends = StoredKind.descends(what, upper);
        long k = Math.min(reach, n - 1);
        long middle = upper ? k + 1 : n - k;
        for (int half = 0; half < 2; half++) {
            boolean left = (half == 0) != descends;
            long from = left ? 0 : middle;
            long to = left ? middle : n;
            // Both ends of the columns move on the right of an upper triangle and on the left of a lower one.
            boolean band = upper != left;
            if (!band && growth == 0) {
                corner(leaf, what, uplo, conj, unit, to - from, a + from * (step + 1) * element, step,
                        rows + from * element, second, alphaRe, alphaIm);
                continue;
            }
            long count = complex || band && k == 0 ? 0 : to - from & -StoredPanels.WIDTH;
            long first = descends ? to - count : from;
            long last = first + count;
            if (descends) {
                columns.triangle(what, upper, conj, unit, band, last, to, n, k, a, step, growth, rows, second, alphaRe,
                        alphaIm);
            } else {
                columns.triangle(what, upper, conj, unit, band, from, first, n, k, a, step, growth, rows, second,
                        alphaRe, alphaIm);
            }
            if (count > 0) {
                boolean back = descends || what == What.SYMV && upper && band;
                long undone = panels.run(StoredPanelKind.of(what), upper, unit, back, band || !upper, band || upper, 0,
                        first, last, a, step, growth, upper ? k : 0, upper ? 0 : k, n, rows, rows, second, alphaRe);
                // Single columns divide.
                columns.triangle(what, upper, conj, unit, band, descends ? first : last - undone,
                        descends ? first + undone : last, n, k, a, step, growth, rows, second, alphaRe, alphaIm);
            }
            if (descends) {
                columns.triangle(what, upper, conj, unit, band, from, first, n, k, a, step, growth, rows, second,
                        alphaRe, alphaIm);
            } else {
                columns.triangle(what, upper, conj, unit, band, last, to, n, k, a, step, growth, rows, second, alphaRe,
                        alphaIm);
            }
        }
    }

    /** The columns at the end of a band whose other ends lie in one row: a small dense triangle. */
    private static void corner(Leaf leaf, What what, Uplo uplo, boolean conj, boolean unit, long order, long a,
            long step, long x, long second, double alphaRe, double alphaIm) {
        Op transposed = conj ? Op.CONJ_TRANS : Op.TRANS;
        Diag diag = unit ? Diag.UNIT : Diag.NON_UNIT;
        switch (what) {
            case SYMV -> leaf.symv(uplo, conj, order, alphaRe, alphaIm, a, step, x + second, 1, 1, 0, x, 1);
            case TRMV -> leaf.trmv(uplo, Op.NONE, diag, order, a, step, x, 1);
            case TRMV_T -> leaf.trmv(uplo, transposed, diag, order, a, step, x, 1);
            case TRSV -> leaf.trsv(uplo, Op.NONE, diag, order, a, step, x, 1);
            case TRSV_T -> leaf.trsv(uplo, transposed, diag, order, a, step, x, 1);
            default -> throw new IllegalStateException(what + " takes no triangle");
        }
    }

}
