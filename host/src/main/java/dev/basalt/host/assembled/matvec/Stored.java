package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.matvec.StoredKind.What;
import dev.basalt.host.assembled.x86.Isa;
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
    /** Bytes of the matrix in a call, which holds up the garbage collector. */
    private static final long CALL_BYTES = 512 << 10;

    /** Bytes of a vector that can be gathered. */
    private static final long GATHERED_BYTES = 64 << 10;

    /**
     * A vector of an update by two, of which the first cache holds both beside what passes through. Up to here a packed triangle is one stream that the processor's prefetchers keep up with, and
     * fetches are in their way: spr2 of order 1000 in d takes 130 to 170 µs without and 215 to 235 with them; from order 2000 on they win, 3.6 ms beside 4.6 at 4000.
     */
    private static final long HELD_BYTES = 14 << 10;

    /** The order of a packed upper triangle whose last columns are taken one by one. */
    private static final long REST_BEHIND = 64;

    /** Updates and complex bands of smaller order are not worth a call. */
    private static final long LEAST = 4;

    /** As much of complex products and solves in columns. */
    private static final long LEAST_COLUMNS = 8;

    /** As much of real triangles, which mostly are one call. */
    private static final long LEAST_REAL = StoredPanels.WIDTH;

    /**
     * Elements of a complex row beside the diagonal, up to which a product goes row by row: by columns each waits for what the one before stored, 9 to 10 ns whatever their length, and a
     * row takes 0.5 ns an element. Sums of transposed columns wait for nothing.
     */
    private static final long CHAIN = 15;

    private static final long TRANSPOSED_CHAIN = 8;

    /** Diagonals of a complex band, up to which its rows are faster than its columns; as much where it is transposed, and columns are sums. */
    private static final long ROWS = 15;

    private static final long TRANSPOSED_ROWS = 9;

    /** As much of a symmetric one, on a side. */
    private static final long SYMMETRIC_ROWS = 7;

    /**
     * Diagonals beside the first of a real band, up to which blocks of rows are faster than panels of columns: seven diagonals in s take 1.3 ns a row and 3.7 by panels,
     * 31 take 2.9 and 3.4.
     */
    private static final long REAL_BLOCKS = 32;

    /** Elements of a triangular row beside the diagonal, from which on blocks of rows are faster than single rows, and than panels. */
    private static final long BLOCKS_FROM = 4;

    /** Bytes of a column, up to which they are faster than columns: k = 100 takes 13.8 ns a row in c and 14.5 by columns, k = 50 in z 13.9 and 14.3. */
    private static final long BLOCK_BYTES = 800;

    /** The order of a packed complex triangle whose product goes by panels of columns. */
    private static final long PANELS_FROM = 300;

    /** As much in bytes, of unknowns: by columns each waits for what the one before stored, or for its sum. */
    private static final long CHAIN_BYTES = 128;

    private static final long TRANSPOSED_CHAIN_BYTES = 192;

    /** The panels' kinds beside those of single columns; what updates a matrix has none. */
    private static final StoredPanelKind[] PANEL_KINDS = {
            StoredPanelKind.AXPY,
            StoredPanelKind.DOT,
            StoredPanelKind.SYMV,
            StoredPanelKind.TRMV,
            StoredPanelKind.TRMV_T,
            StoredPanelKind.TRSV,
            StoredPanelKind.TRSV_T};

    private final boolean complex;
    private final int parts;
    private final long element;
    private final StoredTable table;
    /** Of real numbers. */
    private final StoredPanels panels;

    private final ChainTable chains;
    /** Whether there are blocks of rows. */
    private final boolean blocks;

    private final ScratchPool scratch = new ScratchPool(2 * GATHERED_BYTES);
    /** For reciprocals of a diagonal and a copy of the right-hand side. */
    private final ScratchPool reciprocals = new ScratchPool(2 * GATHERED_BYTES);

    /** Kernels of one element type; they must not be called where the processor lacks the vectors. */
    public Stored(Shape shape, boolean complex) {
        this.complex = complex;
        this.parts = complex ? 2 : 1;
        this.element = (long) parts * shape.precision().bytes;
        this.table = new StoredTable(shape, complex);
        this.panels = complex ? null : new StoredPanels(shape);
        this.chains = new ChainTable(shape, complex);
        this.blocks = shape.isa() == Isa.AVX512;
    }

    /**
     * See {@link Leaf#gbmv}, with alpha not 0.
     *
     * @param leaf copies and scales vectors
     */
    public boolean gbmv(Leaf leaf, Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a,
            long lda, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        // Whoever cuts a band moves kl and ku but leaves their sum, so all parts come here or none does.
        long height = kl + ku + 1;
        if (complex && height <= (op == Op.NONE ? ROWS : TRANSPOSED_ROWS) && height > 0 && m > 0) {
            scale(leaf, op == Op.NONE ? m : n, betaRe, betaIm, y, incy);
            rows(op, m, n, kl, ku, alphaRe, alphaIm, a + ku * element, lda - 1, x, incx, y, incy);
            return true;
        }
        boolean gathers = incx != 1 || incy != 1;
        if (height * element > (gathers ? GATHERED_BYTES / 2 : CALL_BYTES) || height < 1 || m <= 0) {
            return false;
        }
        boolean plain = op == Op.NONE;
        scale(leaf, plain ? m : n, betaRe, betaIm, y, incy);
        What what = plain ? What.AXPY : What.DOT;
        boolean conj = op == Op.CONJ_TRANS;
        long end = Math.min(n, m + ku);
        long start = Math.max(0, -kl);
        long band = a + ku * element;
        if (!gathers && plain && !complex && blocked(height - 1)) {
            // Sums have the bits of columns.
            RowBlocks.run(chains.blocks(false, true), false, parts, element, m, n, kl, ku, band, lda - 1, x, y,
                    alphaRe);
            return true;
        }
        if (!gathers) {
            band(what, conj, m, kl, ku, start, end, band, lda - 1, plain ? y : x, plain ? x : y, alphaRe, alphaIm);
            return true;
        }
        MemorySegment memory = scratch.take();
        long rows = memory.address();
        long columns = rows + GATHERED_BYTES;
        long incRows = plain ? incy : incx;
        long incColumns = plain ? incx : incy;
        long step = GATHERED_BYTES / element - height & -StoredPanels.WIDTH;
        for (long j = start, to; j < end; j = to) {
            // Panels lie where they lie without gaps.
            to = Math.min(end, (j & -StoredPanels.WIDTH) + step);
            long first = Math.max(0, j - ku);
            long count = Math.max(0, Math.min(m, to + kl) - first);
            long fromRows = (plain ? y : x) + first * incRows * element;
            long fromColumns = (plain ? x : y) + j * incColumns * element;
            leaf.copy(count, fromRows, incRows, rows, 1);
            leaf.copy(to - j, fromColumns, incColumns, columns, 1);
            long row0 = rows - first * element;
            long column0 = columns - j * element;
            band(what, conj, m, kl, ku, j, to, band, lda - 1, row0, column0, alphaRe, alphaIm);
            if (plain) {
                leaf.copy(count, rows, 1, fromRows, incRows);
            } else {
                leaf.copy(to - j, columns, 1, fromColumns, incColumns);
            }
        }
        scratch.give(memory);
        return true;
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
        long call = CALL_BYTES / ((kl + ku + 1) * element);
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
            long rows, long columns, double alphaRe, double alphaIm) {
        for (long j = from; j < to;) {
            boolean begins = j > ku;
            boolean ends = j < m - kl;
            long next = begins ? to : Math.min(to, ku + 1);
            next = ends ? Math.min(next, m - kl) : next;
            // Panels lie at multiples of their width: then the bits do not depend on cuts.
            int narrow = begins && ends ? narrow(kl + ku) : 0;
            long fits = narrow > 0 && what == What.AXPY
                    ? Math.min(to - 2, m + ku - StoredPanels.WIDTH) & -StoredPanels.WIDTH
                    : to;
            long firstPanel = Math.min(next, (j + StoredPanels.WIDTH - 1) & -StoredPanels.WIDTH);
            long lastPanel = Math.max(firstPanel, Math.min(next, fits) & -StoredPanels.WIDTH);
            if (complex || narrow < 0) {
                firstPanel = next;
                lastPanel = next;
            }
            singles(what, conj, begins, ends, m, kl, ku, j, firstPanel, a, step, rows, columns, alphaRe, alphaIm);
            if (firstPanel < lastPanel) {
                StoredPanelKind kind = what == What.AXPY ? StoredPanelKind.AXPY : StoredPanelKind.DOT;
                panels.run(kind, false, false, false, begins, ends, narrow, firstPanel, lastPanel, a, step, 0, ku, kl,
                        m, rows, columns, 0, alphaRe);
            }
            singles(what, conj, begins, ends, m, kl, ku, lastPanel, next, a, step, rows, columns, alphaRe, alphaIm);
            j = next;
        }
    }

    /** What a form says of a band of some diagonals beside the first: how many if they are few, 0 if many, -1 if there is no form. */
    private static int narrow(long diagonals) {
        return diagonals > StoredPanelKind.NARROW ? 0 : diagonals > 0 ? (int) diagonals : -1;
    }

    private void singles(What what, boolean conj, boolean begins, boolean ends, long m, long kl, long ku, long j,
            long next, long a, long step, long rows, long columns, double alphaRe, double alphaIm) {
        if (j < next) {
            long first = Math.max(0, j - ku);
            long count = Math.min(m, j + kl + 1) - first;
            long further = begins ? 1 : 0;
            long longer = (ends ? 1 : 0) - further;
            walk(table.kernel(what, false, conj, false, false), false, next - j, count, longer,
                    a + (first + j * step) * element, step + further, 0, rows + first * element, further,
                    columns + j * element, 0, alphaRe, alphaIm);
        }
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
        if (!gathers && isSmallPacked(n, k, growth)) {
            scale(leaf, n, betaRe, betaIm, y, 1);
            packed(owner, What.SYMV, uplo, Op.NONE, false, n, a, step, growth, y, x - y, alphaRe);
            return true;
        }
        if (n < least(growth) || !takes(n, k, gathers)) {
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
        if (isPacked(n, k, growth)) {
            packed(owner, What.SYMV, uplo, Op.NONE, false, n, a, step, growth, y, second, alphaRe);
            return;
        }
        if (isNarrow(k)) {
            narrow(owner, What.SYMV, upper, Op.NONE, false, n, (int) k, a, step, growth, y, second, alphaRe);
            return;
        }
        if (!chained(k <= SYMMETRIC_ROWS, growth)) {
            triangle(leaf, What.SYMV, uplo, hermitian, false, n, k, a, step, growth, y, second, alphaRe, alphaIm);
            return;
        }
        MemorySegment code = chains.kernel(ChainKind.SYMMETRIC, upper, hermitian, false);
        long call = CALL_BYTES / ((k + 1) * element);
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
        if (isSmallPacked(n, k, growth) && incx == 1) {
            packed(owner, what(solves, op), uplo, op, diag == Diag.UNIT, n, a, step, growth, x, 0, 0);
            return true;
        }
        Leaf leaf = owner.leaf();
        if (n < least(growth) || !takes(n, k, incx != 1)) {
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
        if (solves && complex) {
            if (!multiply(leaf, uplo, op, diag, n, k, a, step, growth, x)) {
                solve(leaf, uplo, op, diag, n, k, a, step, growth, x);
            }
            return;
        }
        if (!solves && plain && growth == 0 && k >= BLOCKS_FROM && blocked(k)) {
            rowBlocks(uplo, diag, n, k, a, step, x);
            return;
        }
        if (chained(k <= (plain ? CHAIN : TRANSPOSED_CHAIN), growth)) {
            chain(false, uplo, op, diag, n, k, a, step, x, 0);
            return;
        }
        What what = what(solves, op);
        if (isPacked(n, k, growth)) {
            packed(owner, what, uplo, op, diag == Diag.UNIT, n, a, step, growth, x, 0, 0);
            return;
        }
        if (isNarrow(k)) {
            narrow(owner, what, uplo == Uplo.UPPER, op, diag == Diag.UNIT, n, (int) k, a, step, growth, x, 0, 0);
            return;
        }
        triangle(leaf, what, uplo, op == Op.CONJ_TRANS, diag == Diag.UNIT, n, k, a, step, growth, x, 0, 0, 0);
    }

    /**
     * Whether a band of some diagonals beside the first goes by blocks of rows. In d panels are as fast where they have no rows left that are less than a vector: 17
     * diagonals take 2.0 ns a row and 2.7 by blocks, 11 take 3.2 and 2.1.
     */
    private boolean blocked(long beside) {
        if (complex) {
            return blocks && beside * element <= BLOCK_BYTES;
        }
        return blocks && beside <= REAL_BLOCKS && (element == Float.BYTES || beside % StoredPanels.WIDTH != 0);
    }

    /** A product in place: each block reads what blocks behind it, or before it, have not yet replaced. */
    private void rowBlocks(Uplo uplo, Diag diag, long n, long k, long a, long step, long x) {
        boolean upper = uplo == Uplo.UPPER;
        boolean unit = diag == Diag.UNIT;
        long others = Math.min(k, n - 1);
        long own = unit ? -1 : 0;
        RowBlocks.run(chains.blocks(!upper, unit), !upper, parts, element, n, n, upper ? own : others,
                upper ? others : own, a, step, x, x, 1);
    }

    private boolean chained(boolean narrow, long growth) {
        return complex && narrow && growth == 0;
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
        long call = CALL_BYTES / ((k + 1) * element);
        for (long done = 0; done < n; done += call) {
            long j = descends ? n - 1 - done : done;
            NativeCall.direct(code, k, Math.min(call, n - done), a + j * (step + 1) * element, next, side,
                    x + j * element, second, solves ? done : n - 1 - done, 0, 0, 0, 0);
        }
    }

    /**
     * Complex unknowns by reciprocals of the diagonal.
     *
     * @return false, with nothing done, if there is one without a reciprocal, or a result is not finite: a quotient may be better
     */
    private boolean multiply(Leaf leaf, Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth,
            long x) {
        if (diag == Diag.UNIT) {
            unknowns(leaf, uplo, op, diag, n, k, a, step, growth, x, 0);
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
                (step + 1) * element, inverse, bounds, growth * element, 0, 0, 0, 0, 0);
        boolean f64 = element == 16;
        double most = f64 ? 0x1p900 : 0x1p100;
        double least = f64 ? f64(bounds) : f32(bounds);
        double largest = f64 ? f64(bounds + 8) : f32(bounds + 4);
        boolean done = least >= 1 / most && largest <= most;
        if (done) {
            leaf.copy(n, x, 1, copy, 1);
            unknowns(leaf, uplo, op, diag, n, k, a, step, growth, x, inverse - x);
            done = leaf.asum(n, x, 1) <= Double.MAX_VALUE;
            if (!done) {
                leaf.copy(n, copy, 1, x, 1);
            }
        }
        reciprocals.give(memory);
        return done;
    }

    private void unknowns(Leaf leaf, Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth,
            long x, long second) {
        long narrow = (op == Op.NONE ? CHAIN_BYTES : TRANSPOSED_CHAIN_BYTES) / element;
        if (chained(k <= narrow, growth)) {
            chain(true, uplo, op, diag, n, k, a, step, x, second);
        } else {
            triangle(leaf, op == Op.NONE ? What.TRSV : What.TRSV_T, uplo, op == Op.CONJ_TRANS, diag == Diag.UNIT, n, k,
                    a, step, growth, x, second, 0, 0);
        }
    }

    /** Complex unknowns, whose division must not overflow in between, one by one. */
    private void solve(Leaf leaf, Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x) {
        boolean upper = uplo == Uplo.UPPER;
        boolean plain = op == Op.NONE;
        boolean ascending = upper != plain;
        MemorySegment code = table.kernel(plain ? What.AXPY : What.DOT, upper, op == Op.CONJ_TRANS, false, false);
        for (long r = 0; r < n; r++) {
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
                walk(code, false, 1, count, 0, piece, 0, 0, x + first * element, 0, own, 0, -1, 0);
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
        MemorySegment code = table.kernel(What.SYR, uplo == Uplo.UPPER, hermitian, false, growth != 0);
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
        MemorySegment code = table.kernel(what, uplo == Uplo.UPPER, hermitian, false, growth != 0);
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

    private long least(long growth) {
        return !complex ? LEAST_REAL : growth == 0 ? LEAST : LEAST_COLUMNS;
    }

    private boolean takes(long n, long k, boolean gathers) {
        return n >= LEAST && Math.min(n, k + 1) * element <= CALL_BYTES && (!gathers || n * element <= GATHERED_BYTES);
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
            walk(code, false, to - from, upper ? from + 1 : n - from, upper ? 1 : -1,
                    a + (first + from * step + growth * (from * (from - 1) / 2)) * element,
                    step + growth * from + further, growth, x + first * element, further, x + from * element, second,
                    alphaRe, alphaIm);
        }
    }

    /** Whether it is a packed triangle of real numbers. */
    private boolean isPacked(long n, long k, long growth) {
        return !complex && growth != 0 && k >= n - 1;
    }

    /** Whether it is a band of real numbers with few diagonals beside the first, and {@link #isPacked} is false. */
    private boolean isNarrow(long k) {
        return !complex && narrow(k) > 0;
    }

    /** The same, for one call of a kernel: nothing else is to be asked. */
    private boolean isSmallPacked(long n, long k, long growth) {
        return isPacked(n, k, growth) && n >= StoredPanels.WIDTH && panels.inOneCall(n);
    }

    /**
     * A packed triangle of real numbers: panels of four columns, and the shortest columns, of which there are up to three, by element: another call of a kernel takes 26 ns. In front of long panels these
     * would leave some rows more for each; there the longest columns are those that are left.
     */
    private void packed(StoredLeaf owner, What what, Uplo uplo, Op op, boolean unit, long n, long a, long step,
            long growth, long rows, long second, double alpha) {
        boolean upper = uplo == Uplo.UPPER;
        boolean descends = what != What.SYMV && StoredKind.descends(what, upper);
        int rest = (int) n & StoredPanels.WIDTH - 1;
        boolean behind = upper && !descends && n >= REST_BEHIND;
        long first = upper && !behind ? rest : 0;
        long last = first + n - rest;
        boolean restFirst = upper != descends && !behind;
        if (restFirst) {
            few(owner, what, upper, op, unit, rest, rest, upper ? 0 : last, a, step, growth, rows, second, alpha);
        }
        StoredPanelKind kind = PANEL_KINDS[what.ordinal()];
        long undone = panels.inOneCall(n)
                ? panels.packed(kind, upper, unit, descends, first, last, n, a, step, growth, rows, second, alpha)
                : panels.run(kind, upper, unit, descends, !upper, upper, 0, first, last, a, step, growth, 0, 0, n, rows,
                        rows, second, alpha);
        if (undone > 0) {
            // Single columns divide.
            singles(what, upper, false, unit, false, descends ? first : last - undone, descends ? first + undone : last,
                    n, n - 1, a, step, growth, rows, second, alpha, 0);
        }
        if (behind) {
            singles(what, upper, false, unit, false, last, n, n, n - 1, a, step, growth, rows, second, alpha, 0);
        }
        if (!restFirst && !behind) {
            few(owner, what, upper, op, unit, rest, rest, upper ? 0 : last, a, step, growth, rows, second, alpha);
        }
    }

    /**
     * A band of few diagonals of real numbers: panels, and the columns next to the corner by element, of which there are four to seven. A panel reads a whole head and tail, and the first four
     * there lack them. tbmv of order 51 with two diagonals, transposed, takes 89 ns in s so, and 172 by four calls of kernels.
     */
    private void narrow(StoredLeaf owner, What what, boolean upper, Op op, boolean unit, long n, int k, long a,
            long step, long growth, long rows, long second, double alpha) {
        boolean descends = StoredKind.descends(what, upper);
        int rest = (int) Math.min(n, StoredPanels.WIDTH + (n & StoredPanels.WIDTH - 1));
        long first = upper ? rest : 0;
        long last = first + n - rest;
        boolean restFirst = upper != descends;
        if (restFirst) {
            few(owner, what, upper, op, unit, rest, k, upper ? 0 : last, a, step, growth, rows, second, alpha);
        }
        if (first < last) {
            boolean back = descends || what == What.SYMV && upper;
            long undone = panels.run(PANEL_KINDS[what.ordinal()], upper, unit, back, true, true, k, first, last, a,
                    step, growth, upper ? StoredPanels.WIDTH : 0, upper ? 0 : k, n, rows, rows, second, alpha);
            // Single columns divide.
            singles(what, upper, false, unit, true, descends ? first : last - undone, descends ? first + undone : last,
                    n, k, a, step, growth, rows, second, alpha, 0);
        }
        if (!restFirst) {
            few(owner, what, upper, op, unit, rest, k, upper ? 0 : last, a, step, growth, rows, second, alpha);
        }
    }

    /** Some columns of a triangle, or of a band of few diagonals, that are one themselves, by element. */
    private void few(StoredLeaf owner, What what, boolean upper, Op op, boolean unit, int count, int k, long from,
            long a, long step, long growth, long rows, long second, double alpha) {
        if (count == 0) {
            return;
        }
        long x = rows + from * element;
        long at = a + (from * (step + 1) + growth * (from * (from - 1) / 2)) * element;
        long next = step + growth * from;
        switch (what) {
            case SYMV ->
                owner.symvByElement(upper, false, count, k, alpha, 0, at, next, growth, x + second, 1, 1, 0, x, 1);
            case TRMV, TRMV_T -> owner.trmvByElement(upper, op, unit, count, k, at, next, growth, x, 1);
            case TRSV, TRSV_T -> owner.trsvByElement(upper, op, unit, count, k, at, next, growth, x, 1);
            default -> throw new IllegalStateException(what + " takes no triangle");
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
                singles(what, upper, conj, unit, band, last, to, n, k, a, step, growth, rows, second, alphaRe, alphaIm);
            } else {
                singles(what, upper, conj, unit, band, from, first, n, k, a, step, growth, rows, second, alphaRe,
                        alphaIm);
            }
            if (count > 0) {
                boolean back = descends || what == What.SYMV && upper && band;
                long undone = panels.run(PANEL_KINDS[what.ordinal()], upper, unit, back, band || !upper, band || upper,
                        0, first, last, a, step, growth, upper ? k : 0, upper ? 0 : k, n, rows, rows, second, alphaRe);
                // Single columns divide.
                singles(what, upper, conj, unit, band, descends ? first : last - undone,
                        descends ? first + undone : last, n, k, a, step, growth, rows, second, alphaRe, alphaIm);
            }
            if (descends) {
                singles(what, upper, conj, unit, band, from, first, n, k, a, step, growth, rows, second, alphaRe,
                        alphaIm);
            } else {
                singles(what, upper, conj, unit, band, last, to, n, k, a, step, growth, rows, second, alphaRe, alphaIm);
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

    private void singles(What what, boolean upper, boolean conj, boolean unit, boolean band, long from, long to, long n,
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
    private void walk(MemorySegment code, boolean descends, long columns, long length, long longer, long piece,
            long apart, long growth, long rows, long further, long own, long second, double alphaRe, double alphaIm) {
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
