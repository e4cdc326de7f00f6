package dev.basalt.host.engine;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.factor.Factor;
import dev.basalt.host.assembled.matvec.Gathered;
import dev.basalt.host.assembled.matvec.Maps;
import dev.basalt.host.assembled.matvec.Matvec;
import dev.basalt.host.assembled.matvec.Stored;
import dev.basalt.host.assembled.reflect.Reflectors;
import dev.basalt.portable.HeapOperands;
import dev.basalt.portable.InverseLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Which work on matrices goes to assembled kernels: products, to which the recursive kernels of the parent come, and vectors without
 * gaps. The parent does the rest. This is written once, for complex scalars: the classes of real elements, over the portable kernels
 * and over the Vector API's, are generated from it, and imaginary parts are 0 there.
 */
abstract class MatrixZLeaf extends ZLeaf implements InverseLeaf {
    /** Rows of which a panel may be as wide as there are kernels for: it is in the caches. */
    private static final long SHORT_PANEL = 256;

    /** Columns of taller panels. */
    private static final long TALL_PANEL = 16;

    /** Order of the largest matrix that is inverted beside a copy of its factors. */
    private static final long INVERTED = 64;

    /** Order from which on a triangle is inverted by a solve. */
    private static final long SOLVED = 12;

    /** Triangles of fewer columns than this, which no vectors are filled by, are inverted by halves. */
    private static final long HALVED = 19;

    /** Rows beside so small a symmetric matrix are sooner multiplied than given to it one by one: they lie apart. */
    private static final long SHORTEST = 4;

    /** Sums of so few products of vectors. */
    private static final long FEW = AssembledKernels.RANKS;

    /** Elements of a row that are conjugated one by one. */
    private static final long ROW = 24;

    /** Columns that a solve takes together. */
    private static final long TOGETHER = 4;

    /** From so many lines of so many elements on several are reflected at once. */
    private static final long LINES = 4;

    /** Their number is a multiple of this, so that vectors are full. */
    private static final long WHOLE = 16;

    /** Elements of a reflector that are copied at once. */
    private static final long LONGEST = 1024;

    /** Unknowns that are found, and rows and columns that are factored, by element: packing and code for a panel take longer. */
    static final long TINY = 8;

    /** As many columns of a lower triangle, whose elements lie apart as they are multiplied. */
    static final long TINY_LOWER = 6;

    /** Multiplications of a solve that are done by element; of up to three unknowns more of them. */
    private static final long TINY_SOLVE = 128;

    private static final long LEAST_SOLVE = 1024;

    /** The same where sides are columns, which panels would gather from two or three elements each; but pairs of floats. */
    private static final long LEAST_COLUMNS = 1 << 16;

    /** Bytes that two passes find in the cache. */
    private static final long IN_CACHE = 1 << 18;

    final AssembledKernels kernels;
    private final Matvec level2;
    /** Bytes of an element. */
    private final long element;
    private final Stored stored;
    private final Maps maps;
    private final Gathered gathered;
    final ScratchPool factors;
    private final ScratchPool reflected;

    MatrixZLeaf(AssembledKernels kernels) {
        this.kernels = kernels;
        this.level2 = kernels.level2();
        this.element = kernels.elementBytes();
        this.stored = kernels.stored();
        this.maps = kernels.maps();
        this.gathered = new Gathered(element);
        this.factors = new ScratchPool(INVERTED * INVERTED * element);
        this.reflected = new ScratchPool(2 * LONGEST * element);
    }

    @Override
    public void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx,
            double betaRe, double betaIm, long y, long incy) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0;
        if (nothing) {
            super.gemv(op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        if (incx != 1 || incy != 1) {
            gathered.gemv(this, op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        boolean set = betaRe == 0 && betaIm == 0;
        if (!set) {
            scalMatrix(op == Op.NONE ? m : n, 1, betaRe, betaIm, y, 1);
        }
        level2.gemv(op, set, m, n, alphaRe, alphaIm, a, lda, x, y);
    }

    @Override
    public void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy, boolean conj,
            long a, long lda) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0;
        if (nothing) {
            super.ger(m, n, alphaRe, alphaIm, x, incx, y, incy, conj, a, lda);
        } else if (incx != 1 || incy != 1) {
            gathered.ger(this, m, n, alphaRe, alphaIm, x, incx, y, incy, conj, a, lda);
        } else {
            level2.ger(conj, m, n, alphaRe, alphaIm, x, y, a, lda);
        }
    }

    @Override
    public void symv(Uplo uplo, boolean hermitian, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || n <= 0;
        if (nothing) {
            super.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        if (incx != 1 || incy != 1) {
            gathered.symv(this, uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        scalMatrix(n, 1, betaRe, betaIm, y, 1);
        level2.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, y);
    }

    @Override
    public void gbmv(Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
        if ((alphaRe == 0 && alphaIm == 0)
                || !stored.gbmv(this, op, m, n, kl, ku, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy)) {
            super.gbmv(op, m, n, kl, ku, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
        }
    }

    @Override
    public void symvStored(Uplo uplo, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long step, long growth, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        boolean nothing = alphaRe == 0 && alphaIm == 0;
        if (!nothing && isWhole(n, k, growth)) {
            symv(uplo, hermitian, n, alphaRe, alphaIm, a, step, x, incx, betaRe, betaIm, y, incy);
        } else if (nothing || !stored.symv(this, uplo, hermitian, n, k, alphaRe, alphaIm, a, step, growth, x, incx,
                betaRe, betaIm, y, incy)) {
            super.symvStored(uplo, hermitian, n, k, alphaRe, alphaIm, a, step, growth, x, incx, betaRe, betaIm, y,
                    incy);
        }
    }

    /** Whether a band has all diagonals: it is a dense triangle then. */
    private static boolean isWhole(long n, long k, long growth) {
        return growth == 0 && n > 0 && k >= n - 1;
    }

    @Override
    public void trmvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx) {
        if (isWhole(n, k, growth) && n <= level2.largestTriangle()) {
            trmv(uplo, op, diag, n, a, step, x, incx);
        } else if (!stored.trmv(this, uplo, op, diag, n, k, a, step, growth, x, incx)) {
            super.trmvStored(uplo, op, diag, n, k, a, step, growth, x, incx);
        }
    }

    @Override
    public void trsvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx) {
        if (isWhole(n, k, growth) && n <= level2.largestTriangle()) {
            trsv(uplo, op, diag, n, a, step, x, incx);
        } else if (!stored.trsv(this, uplo, op, diag, n, k, a, step, growth, x, incx)) {
            super.trsvStored(uplo, op, diag, n, k, a, step, growth, x, incx);
        }
    }

    @Override
    public void syr(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm, long x,
            long incx, long a, long step, long growth) {
        if ((alphaRe == 0 && (hermitian || alphaIm == 0)) || !stored.syr(this, uplo, hermitian, n, from, to, alphaRe,
                hermitian ? 0 : alphaIm, x, incx, a, step, growth)) {
            super.syr(uplo, hermitian, n, from, to, alphaRe, alphaIm, x, incx, a, step, growth);
        }
    }

    @Override
    public void syr2(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm, long x,
            long incx, long y, long incy, long a, long step, long growth) {
        if ((alphaRe == 0 && alphaIm == 0) || !stored.syr2(this, uplo, hermitian, n, from, to, alphaRe, alphaIm, x,
                incx, y, incy, a, step, growth)) {
            super.syr2(uplo, hermitian, n, from, to, alphaRe, alphaIm, x, incx, y, incy, a, step, growth);
        }
    }

    @Override
    public void trmv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        if (incx == 1 && n > 0 && n <= level2.largestTriangle()) {
            level2.trmv(uplo, op, diag, n, a, lda, x);
        } else if (incx == 1 || !gathered.triangle(this, false, uplo, op, diag, n, a, lda, x, incx)) {
            super.trmv(uplo, op, diag, n, a, lda, x, incx);
        }
    }

    @Override
    public void trsv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        if (incx != 1 && n > 0 && gathered.triangle(this, true, uplo, op, diag, n, a, lda, x, incx)) {
            return;
        }
        if (incx != 1 || n <= 0 || n > level2.largestTriangle()) {
            super.trsv(uplo, op, diag, n, a, lda, x, incx);
            return;
        }
        long left = level2.trsv(uplo, op, diag, n, a, lda, x);
        if (left > 0) {
            finish(uplo, op, diag, n, left, a, lda, x);
        }
    }

    /** The unknowns that are left, with divisions where the others were multiplied by reciprocals. */
    private void finish(Uplo uplo, Op op, Diag diag, long n, long left, long a, long lda, long x) {
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        long done = n - left;
        long from = lower ? done : 0;
        if (op != Op.NONE && done > 0) {
            long rows = lower ? 0 : left;
            gemv(op, done, left, -1, 0, a + (rows + from * lda) * element, lda, x + rows * element, 1, 1, 0,
                    x + from * element, 1);
        }
        // By element if it is small; else by halves, which come here again and are smaller then.
        super.trsv(uplo, op, diag, left, a + from * (lda + 1) * element, lda, x + from * element, 1);
    }

    @Override
    public void gemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda, long b,
            long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        if (m <= 0 || n <= 0) {
            return;
        }
        if ((alphaRe == 0 && alphaIm == 0) || k <= 0) {
            scalMatrix(m, n, betaRe, betaIm, c, ldc);
            return;
        }
        kernels.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
    }

    @Override
    public void wholeGemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        boolean few = kernels.fewLines() != null && m > 0 && n > 0 && alphaRe != 0;
        if (!few || !kernels.fewLines().gemm(this, opA, opB, m, n, k, alphaRe, a, lda, b, ldb, betaRe, c, ldc)) {
            gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
        }
    }

    @Override
    public long getf2(long m, long n, long a, long lda, long ipiv, long offset) {
        long k = Math.min(m, n);
        if (n <= m && m <= TINY) {
            return a < 0 ? copiedLu(m, n, a, lda, ipiv, offset) : tinyLu(m, n, a, lda, ipiv, offset);
        }
        if (k > Factor.widest()) {
            return super.getf2(m, n, a, lda, ipiv, offset);
        }
        boolean tiny = n > k && k <= TINY;
        long info = tiny && a < 0 ? copiedLu(k, k, a, lda, ipiv, offset)
                : tiny ? tinyLu(k, k, a, lda, ipiv, offset)
                : kernels.factor().lu(m, k, a, lda, ipiv, offset);
        if (n > k) {
            long right = a + k * lda * element;
            laswp(m, n - k, right, lda, 0, k, ipiv, offset, false);
            trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, k, n - k, 1, 0, a, lda, right, lda);
        }
        return info;
    }

    /** {@link #tinyLu} of a matrix in an array of Java, whose elements have no address for Java. */
    private long copiedLu(long m, long n, long a, long lda, long ipiv, long offset) {
        MemorySegment copy = factors.take();
        long at = copy.address();
        HeapOperands.copy(true, m, n, a, lda, at);
        long info = tinyLu(m, n, at, m, ipiv, offset);
        HeapOperands.copy(false, m, n, a, lda, at);
        factors.give(copy);
        return info;
    }

    /** {@link #getf2} by element, m ≥ n. */
    abstract long tinyLu(long m, long n, long a, long lda, long ipiv, long offset);

    /** Substitution by element, with the bits of the kernel's one block, so that a part of the right-hand sides may come here; false if the kernel must look. */
    abstract boolean tinySolve(long n, boolean unit, boolean conj, long t, long dp, long dq, long sides, long x,
            long du, long dx);

    private boolean tinySolve(boolean left, boolean lower, Op op, boolean unit, long n, long sides, long a, long lda,
            long b, long ldb) {
        boolean plain = op == Op.NONE;
        boolean backward = (lower == plain) != left;
        long last = backward ? n - 1 : 0;
        long sign = backward ? -1 : 1;
        long dp = left == plain ? lda : 1;
        long dq = left == plain ? 1 : lda;
        long du = left ? 1 : ldb;
        return tinySolve(n, unit, op == Op.CONJ_TRANS, a + last * (lda + 1) * element, sign * dp, sign * dq, sides,
                b + last * du * element, sign * du, left ? ldb : 1);
    }

    @Override
    public void geqr2(boolean rows, boolean backward, long m, long n, long c, long ldc, long tau, long t, long ldt) {
        if (rows || backward || !kernels.reflectors().tall().factor(this, m, n, c, ldc, tau, t, ldt)) {
            super.geqr2(rows, backward, m, n, c, ldc, tau, t, ldt);
        }
    }

    @Override
    protected long panel(long m) {
        return m <= SHORT_PANEL ? Reflectors.WIDEST : TALL_PANEL;
    }

    @Override
    protected void panel(boolean backward, long m, long n, long c, long ldc, long tau, long t, long ldt) {
        Reflectors reflectors = kernels.reflectors();
        if (backward || n > Reflectors.WIDEST) {
            super.panel(backward, m, n, c, ldc, tau, t, ldt);
            return;
        }
        MemorySegment memory = reflectors.take();
        long frame = memory.address();
        boolean good = true;
        for (long j = 0; j < n;) {
            if (j < m - 1) {
                j = reflectors.panel(frame, m, n, c, ldc, tau, j, t != 0);
            }
            if (j < n) {
                // What the kernel leaves: a zero, an overflow, an underflow, or the last row, whose factor is 0 if it is real.
                good &= j == m - 1 && !kernels.complex();
                column(false, m, n, j, c, ldc, tau);
                j++;
            }
        }
        if (t != 0 && good) {
            long whole = Math.min(n, m - 1);
            copyMatrix(n, whole, Reflectors.triangle(frame), Reflectors.WIDEST, t, ldt);
            fill(whole < n ? n : 0, 0, 0, t + whole * ldt * element, 1);
        } else if (t != 0) {
            triangle(false, m, n, c, ldc, tau, t, ldt);
        }
        reflectors.give(memory);
    }

    /**
     * Several lines at once, so that both passes go over memory as it lies: lines side by side whose elements are apart; and lines one after the
     * other. Those of a reflector as it is stored, from its first element on, have a kernel of their own.
     */
    @Override
    protected void reflect(boolean turned, boolean conj, long m, long n, long x, long dx, long tau, long c, long di,
            long dj) {
        boolean asStored = di == 1 && dx == 1 && dj > 0 && !(turned && kernels.complex());
        if (asStored && m > 1) {
            columns(conj, m, n, x - element, tau, c, dj);
            return;
        }
        boolean across = Math.abs(dj) == 1 && Math.abs(di) != 1;
        boolean along = Math.abs(di) == 1;
        if (n < LINES || m < 2 || !(across || along)) {
            super.reflect(turned, conj, m, n, x, dx, tau, c, di, dj);
            return;
        }
        if (asum(1, tau, 1) == 0) {
            return;
        }
        MemorySegment memory = reflected.take();
        long v = memory.address();
        long products = v + LONGEST * element;
        long several = Math.clamp(IN_CACHE / (m * element) & -WHOLE, WHOLE, LONGEST);
        long ld = across ? Math.abs(di) : Math.abs(dj);
        boolean once = m <= LONGEST;
        if (once) {
            vector(across != turned, 0, m, x, dx, v);
        }
        for (long j = 0; j < n; j += several) {
            long lines = Math.min(several, n - j);
            long first = c + (dj < 0 ? j + lines - 1 : j) * dj * element;
            for (long i = 0; i < m; i += LONGEST) {
                long elements = Math.min(LONGEST, m - i);
                if (!once) {
                    vector(across != turned, i, elements, x, dx, v);
                }
                long at = first + (di < 0 ? i + elements - 1 : i) * di * element;
                gemv(across ? Op.NONE : Op.CONJ_TRANS, across ? lines : elements, across ? elements : lines, 1, 0, at,
                        ld, v, 1, i == 0 ? 0 : 1, 0, products, 1);
            }
            scaleByFactor(across == conj, lines, tau, products, 1);
            for (long i = 0; i < m; i += LONGEST) {
                long elements = Math.min(LONGEST, m - i);
                if (!once) {
                    vector(across != turned, i, elements, x, dx, v);
                }
                long at = first + (di < 0 ? i + elements - 1 : i) * di * element;
                ger(across ? lines : elements, across ? elements : lines, 1, 0, across ? products : v, 1,
                        across ? v : products, 1, true, at, ld);
            }
        }
        reflected.give(memory);
    }

    /** One reflector at a, whose one is not stored, on n columns. */
    private void columns(boolean conj, long m, long n, long a, long tau, long c, long ldc) {
        Reflectors reflectors = kernels.reflectors();
        MemorySegment memory = reflectors.take();
        for (long j = 0; j < n; j += Reflectors.WIDEST) {
            reflectors.apply(memory.address(), conj, m, Math.min(Reflectors.WIDEST, n - j), 0, 1, a, 0, tau,
                    c + j * ldc * element, ldc);
        }
        reflectors.give(memory);
    }

    /** Elements of a reflector in the order in which they lie in memory, conjugated or not; the one is before x. */
    private void vector(boolean conjugated, long from, long elements, long x, long dx, long v) {
        long skipped = from == 0 ? 1 : 0;
        long count = elements - skipped;
        long low = x + (dx < 0 ? from + elements - 2 : from + skipped - 1) * dx * element;
        long to = v + (dx < 0 ? 0 : skipped) * element;
        if (conjugated && kernels.complex()) {
            geam(Op.CONJ_TRANS, Op.NONE, count, 1, 1, 0, low, Math.abs(dx), 0, 0, to, count, to, count);
        } else {
            copy(count, low, Math.abs(dx), to, 1);
        }
        if (skipped > 0) {
            fill(1, 1, 0, dx < 0 ? v + count * element : v, 1);
        }
    }

    @Override
    public void orm2r(Side side, boolean conj, boolean rows, boolean backward, long m, long n, long k, long a, long lda,
            long tau, long c, long ldc) {
        Reflectors reflectors = kernels.reflectors();
        if (side != Side.LEFT || rows || backward || m < 2) {
            super.orm2r(side, conj, rows, backward, m, n, k, a, lda, tau, c, ldc);
            return;
        }
        MemorySegment memory = reflectors.take();
        long frame = memory.address();
        // The reflector of the last row alone has nothing below its one.
        long whole = conj ? Math.min(k, m - 1) : k;
        for (long j = 0; j < n; j += Reflectors.WIDEST) {
            long columns = Math.min(Reflectors.WIDEST, n - j);
            long at = c + j * ldc * element;
            if (whole > 0) {
                reflectors.apply(frame, conj, m, columns, 0, whole, a, lda, tau, at, ldc);
            }
        }
        reflectors.give(memory);
        if (whole < k) {
            long last = (k - 1) * element;
            reflect(false, true, 1, n, a, 1, tau + last, c + (m - 1) * element, 1, ldc);
        }
    }

    @Override
    public void org2r(boolean rows, boolean backward, long m, long n, long k, long c, long ldc, long tau) {
        Reflectors reflectors = kernels.reflectors();
        if (rows || backward || n > Reflectors.WIDEST || k == 0) {
            super.org2r(rows, backward, m, n, k, c, ldc, tau);
            return;
        }
        if (n > k) {
            scalMatrix(m, n - k, 0, 0, c + k * ldc * element, ldc);
            fill(n - k, 1, 0, c + k * (ldc + 1) * element, ldc + 1);
        }
        MemorySegment memory = reflectors.take();
        long frame = memory.address();
        reflectors.form(frame, m, n, k, c, ldc, tau);
        reflectors.give(memory);
    }

    @Override
    public boolean laswp(long m, long n, long a, long lda, long from, long to, long ipiv, long offset,
            boolean backward) {
        return kernels.factor().interchange(m, n, a, lda, from, to, ipiv, offset, backward);
    }

    @Override
    public void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, 0, 0);
    }

    @Override
    public void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, long work, long workBytes) {
        boolean left = side == Side.LEFT;
        long order = left ? m : n;
        boolean assembled = (alphaRe != 0 || alphaIm != 0) && m > 0 && n > 0 && order <= kernels.triangle();
        boolean lower = uplo == Uplo.LOWER;
        boolean unit = diag == Diag.UNIT;
        long sides = left ? n : m;
        boolean scaled = sides <= AssembledKernels.FEW_LINES && alphaRe != 1 && isVector(left, op);
        if (assembled && (alphaIm != 0 || scaled)) {
            scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
            trsm(side, uplo, op, diag, m, n, 1, 0, a, lda, b, ldb, work, workBytes);
            return;
        }
        long least = left && !(kernels.complex() && element == 8) ? LEAST_COLUMNS : LEAST_SOLVE;
        boolean few = order <= kernels.unknowns() && sides * order * order <= (order <= 3 ? least : TINY_SOLVE);
        boolean tiny = assembled && few && alphaRe == 1;
        boolean onHeap = (a | b) < 0;
        if (tiny && !onHeap && tinySolve(left, lower, op, unit, order, sides, a, lda, b, ldb)) {
            return;
        }
        // What is done by element elsewhere has the kernel's bits.
        if (!(tiny && onHeap) && assembled && sides <= AssembledKernels.FEW_LINES && alphaRe == 1
                && isVector(left, op)) {
            for (long i = 0; i < sides; i++) {
                trsv(uplo, left ? op : turned(op), diag, order, a, lda, b + i * (left ? ldb : 1) * element,
                        left ? 1 : ldb);
            }
            return;
        }
        if (assembled && kernels.trsm(left, lower, op, unit, m, n, alphaRe, a, lda, b, ldb, work, workBytes)) {
            return;
        }
        if (onHeap) {
            copiedTrsm(side, uplo, op, diag, m, n, alphaRe, a, lda, b, ldb);
        } else {
            super.trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        }
    }

    /** A solve in arrays of Java with a diagonal that kernels do not trust, infinite for one: by element on copies, for which memory is taken. */
    private void copiedTrsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, long a, long lda,
            long b, long ldb) {
        long order = side == Side.LEFT ? m : n;
        try (Arena arena = Arena.ofConfined()) {
            long t = arena.allocate(order * order * element, element).address();
            long x = arena.allocate(m * n * element, element).address();
            copy(true, order, order, a, lda, t);
            copy(true, m, n, b, ldb, x);
            super.trsm(side, uplo, op, diag, m, n, alphaRe, 0, t, order, x, m);
            copy(false, m, n, b, ldb, x);
        }
    }

    /** Copies a matrix to memory, where its columns lie without gaps, or back. */
    private void copy(boolean load, long rows, long cols, long a, long lda, long memory) {
        if (a < 0) {
            HeapOperands.copy(load, rows, cols, a, lda, memory);
            return;
        }
        for (long j = 0; j < cols; j++) {
            long at = a + j * lda * element;
            long place = memory + j * rows * element;
            Memory.copy(load ? at : place, load ? place : at, rows * element);
        }
    }

    @Override
    public void trmm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, 0, 0);
    }

    @Override
    public void trmm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, long work, long workBytes) {
        boolean left = side == Side.LEFT;
        boolean lower = uplo == Uplo.LOWER;
        boolean unit = diag == Diag.UNIT;
        boolean zero = alphaRe == 0 && alphaIm == 0;
        if (!zero && m > 0 && n > 0 && (left ? m : n) == 1) {
            oneFactor(side, op, unit, m, n, alphaRe, alphaIm, a, b, ldb);
        } else if (zero || m <= 0 || n <= 0 || (left ? m : n) > kernels.triangle()) {
            super.trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        } else if ((left ? n : m) <= AssembledKernels.FEW_LINES && isVector(left, op)) {
            if (alphaRe != 1 || alphaIm != 0) {
                scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
            }
            for (long i = 0; i < (left ? n : m); i++) {
                trmv(uplo, left ? op : turned(op), diag, left ? m : n, a, lda, b + i * (left ? ldb : 1) * element,
                        left ? 1 : ldb);
            }
        } else {
            kernels.trmm(left, lower, op, unit, m, n, alphaRe, alphaIm, a, lda, b, ldb, work, workBytes);
        }
    }

    @Override
    public void symm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, 0, 0);
    }

    @Override
    public void symm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        boolean left = side == Side.LEFT;
        boolean lower = uplo == Uplo.LOWER;
        boolean zero = alphaRe == 0 && alphaIm == 0;
        if (!zero && m > 0 && n > 0 && (left ? m : n) == 1) {
            oneNumber(hermitian, m, n, alphaRe, alphaIm, a, b, ldb, betaRe, betaIm, c, ldc);
        } else if (zero || m <= 0 || n <= 0 || (left ? m : n) > kernels.triangle()) {
            super.symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc);
        } else if ((left ? n : m) < AssembledKernels.FEW_LINES
                && (left || m == 1 || n > (m > 2 && kernels.complex() ? 2 * SHORTEST : SHORTEST))) {
            for (long i = 0; i < (left ? n : m); i++) {
                long step = i * element;
                if (left) {
                    symv(uplo, hermitian, m, alphaRe, alphaIm, a, lda, b + step * ldb, 1, betaRe, betaIm,
                            c + step * ldc, 1);
                } else if (hermitian && kernels.complex()) {
                    row(uplo, n, alphaRe, alphaIm, a, lda, b + step, ldb, betaRe, betaIm, c + step, ldc);
                } else {
                    symv(uplo, false, n, alphaRe, alphaIm, a, lda, b + step, ldb, betaRe, betaIm, c + step, ldc);
                }
            }
        } else {
            kernels.symm(left, lower, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                    workBytes);
        }
    }

    /** Whether a line beside op(A) is a vector that A, or its transpose, works on: a conjugate on the right is neither. */
    private boolean isVector(boolean left, Op op) {
        return left || op != Op.CONJ_TRANS || !kernels.complex();
    }

    private static Op turned(Op op) {
        return op == Op.NONE ? Op.TRANS : Op.NONE;
    }

    /** c := alpha·b·A + beta·c for rows beside a Hermitian A: what is conjugated of all that is the product with a column. */
    private void row(Uplo uplo, long n, double alphaRe, double alphaIm, long a, long lda, long b, long ldb,
            double betaRe, double betaIm, long c, long ldc) {
        MemorySegment memory = reflected.take();
        long x = memory.address();
        long y = x + n * element;
        conjugate(n, b, ldb, x, 1);
        if (betaRe != 0 || betaIm != 0) {
            conjugate(n, c, ldc, y, 1);
        }
        symv(uplo, true, n, alphaRe, -alphaIm, a, lda, x, 1, betaRe, -betaIm, y, 1);
        conjugate(n, y, 1, c, ldc);
        reflected.give(memory);
    }

    /** A vector becomes the conjugate of another: by element, but where one lies in an array of Java. */
    private void conjugate(long n, long x, long incx, long y, long incy) {
        if (x < 0 || y < 0) {
            boolean row = incx != 1;
            geam(Op.CONJ_TRANS, Op.NONE, row ? n : 1, row ? 1 : n, 1, 0, x, row ? incx : n, 0, 0, y, row ? n : incy, y,
                    row ? n : incy);
            return;
        }
        for (long i = 0, from = x, to = y; i < n; i++, from += incx * element, to += incy * element) {
            // The imaginary part of a pair of floats is the upper half.
            long first = i64(from);
            i64(to, element == 16 ? first : first ^ Long.MIN_VALUE);
            if (element == 16) {
                i64(to + 8, i64(from + 8) ^ Long.MIN_VALUE);
            }
        }
    }

    /** B := alpha·op(the number at a)·B, a row or a column; the number is 1 if {@code unit}. */
    private void oneFactor(Side side, Op op, boolean unit, long m, long n, double alphaRe, double alphaIm, long a,
            long b, long ldb) {
        if (m == 1 && n > 1 && ldb == 1) {
            // A row without gaps is a column.
            oneFactor(side == Side.LEFT ? Side.RIGHT : Side.LEFT, op, unit, n, 1, alphaRe, alphaIm, a, b, n);
            return;
        }
        if (alphaRe != 1 || alphaIm != 0) {
            scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
        }
        if (unit) {
            return;
        }
        MemorySegment memory = factors.take();
        long number = memory.address();
        geam(op, Op.NONE, 1, 1, 1, 0, a, 1, 0, 0, number, 1, number, 1);
        dgmm(side, m, n, b, ldb, number, 1, b, ldb);
        factors.give(memory);
    }

    /** C := alpha·(the number at a)·B + beta·C, a row or a column. */
    private void oneNumber(boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a, long b, long ldb,
            double betaRe, double betaIm, long c, long ldc) {
        if (m == 1 && n > 1 && ldb == 1 && ldc == 1) {
            oneNumber(hermitian, n, 1, alphaRe, alphaIm, a, b, n, betaRe, betaIm, c, n);
            return;
        }
        MemorySegment memory = factors.take();
        long number = memory.address();
        expand(Uplo.LOWER, Diag.NON_UNIT, hermitian ? Structure.HERMITIAN : Structure.SYMMETRIC, 1, a, 1, number, 1);
        scalMatrix(m, n, betaRe, betaIm, c, ldc);
        ger(m, n, alphaRe, alphaIm, n == 1 ? b : number, 1, n == 1 ? number : b, n == 1 ? 1 : ldb, false, c, ldc);
        factors.give(memory);
    }

    @Override
    public void dgmm(Side side, long m, long n, long a, long lda, long x, long incx, long c, long ldc) {
        maps.dgmm(this, side, m, n, a, lda, x, incx, c, ldc);
    }

    @Override
    public void geam(Op opA, Op opB, long m, long n, double alphaRe, double alphaIm, long a, long lda, double betaRe,
            double betaIm, long b, long ldb, long c, long ldc) {
        maps.geam(this, opA, opB, m, n, alphaRe, alphaIm, a, lda, betaRe, betaIm, b, ldb, c, ldc);
    }

    @Override
    public void gemmt(Uplo uplo, Op opA, Op opB, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes) {
        if ((alphaRe == 0 && alphaIm == 0) || n <= 0 || k <= 0) {
            scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
            return;
        }
        if (betaIm != 0 && !hermitian) {
            scalTriangle(uplo, false, n, betaRe, betaIm, c, ldc);
            gemmt(uplo, opA, opB, false, n, k, alphaRe, alphaIm, a, lda, b, ldb, 1, 0, c, ldc, work, workBytes);
            return;
        }
        boolean lower = uplo == Uplo.LOWER;
        if (n <= kernels.square() || (n <= kernels.triangle() && k > AssembledKernels.SHALLOW)) {
            kernels.gemmt(lower, opA, opB, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, c, ldc, work,
                    workBytes);
            return;
        }
        // Halves, and the product beside them: the lower left of C, or the upper right.
        long n1 = n / 2 + 15 & -16;
        long n2 = n - n1;
        long a2 = a + n1 * (opA == Op.NONE ? 1 : lda) * element;
        long b2 = b + n1 * (opB == Op.NONE ? ldb : 1) * element;
        long c22 = c + n1 * (ldc + 1) * element;
        long m = lower ? n2 : n1;
        long left = lower ? a2 : a;
        long right = lower ? b : b2;
        long beside = c + n1 * (lower ? 1 : ldc) * element;
        gemmt(uplo, opA, opB, hermitian, n1, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                workBytes);
        gemm(opA, opB, m, n - m, k, alphaRe, alphaIm, left, lda, right, ldb, betaRe, 0, beside, ldc, work, workBytes);
        gemmt(uplo, opA, opB, hermitian, n2, k, alphaRe, alphaIm, a2, lda, b2, ldb, betaRe, betaIm, c22, ldc, work,
                workBytes);
    }

    @Override
    public void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc) {
        syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc, 0, 0);
    }

    @Override
    public void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        if ((alphaRe == 0 && alphaIm == 0) || n <= 0 || k <= 0 || n > kernels.triangle()) {
            super.syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc);
        } else if (n == 1) {
            long step = op == Op.NONE ? lda : 1;
            MemorySegment memory = factors.take();
            long number = memory.address();
            dot(k, a, step, a, step, hermitian, number);
            if (hermitian) {
                scalTriangle(uplo, true, 1, 1, 0, number, 1);
            }
            scalTriangle(uplo, hermitian, 1, betaRe, betaIm, c, ldc);
            axpy(1, alphaRe, alphaIm, number, 1, c, 1);
            factors.give(memory);
        } else if (k <= AssembledKernels.SINGLE_RANKS && betaRe == 1 && betaIm == 0 && n <= LONGEST) {
            byRank(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, c, ldc);
        } else {
            Op factor = hermitian ? Op.CONJ_TRANS : Op.TRANS;
            boolean turned = op != Op.NONE;
            gemmt(uplo, turned ? factor : Op.NONE, turned ? Op.NONE : factor, hermitian, n, k, alphaRe, alphaIm, a, lda,
                    a, lda, betaRe, betaIm, c, ldc, work, workBytes);
        }
    }

    /** Updates by rank one: a triangle that stays is read and written as often as a square aside would be. */
    private void byRank(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, long c, long ldc) {
        boolean plain = op == Op.NONE;
        boolean turned = hermitian && !plain && kernels.complex();
        MemorySegment memory = turned ? reflected.take() : null;
        for (long i = 0; i < k; i++) {
            long x = a + i * (plain ? lda : 1) * element;
            long step = plain ? 1 : lda;
            if (turned) {
                rows(n, 1, x, lda, memory.address());
                x = memory.address();
                step = 1;
            }
            syr(uplo, hermitian, n, 0, n, alphaRe, alphaIm, x, step, c, ldc, 0);
        }
        if (turned) {
            reflected.give(memory);
        }
    }

    @Override
    public void wholeSyrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        boolean few = kernels.fewLines() != null && n > 1 && alphaRe != 0;
        if (!few || !kernels.fewLines().syrk(this, uplo, op, n, k, alphaRe, a, lda, betaRe, c, ldc)) {
            syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc, work, workBytes);
        }
    }

    /** Few products of vectors are updates by rank. They come here without a launch alone: scopes launch the updates, so that none is cut for threads. Rows that are conjugated have no such launch, and are not cut either. */
    @Override
    public void syr2k(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        boolean plain = op == Op.NONE;
        boolean turned = hermitian && !plain && kernels.complex();
        if (k > FEW || turned && n > LONGEST || (alphaRe == 0 && alphaIm == 0)) {
            super.syr2k(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                    workBytes);
            return;
        }
        scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
        long next = (plain ? lda : 1) * element;
        long nextB = (plain ? ldb : 1) * element;
        if (turned) {
            MemorySegment memory = reflected.take();
            long x = memory.address();
            long most = LONGEST / n;
            for (long i = 0; i < k; i += most) {
                long count = Math.min(most, k - i);
                long y = x + n * count * element;
                rows(n, count, a + i * element, lda, x);
                rows(n, count, b + i * element, ldb, y);
                for (long j = 0; j < count; j++) {
                    long column = j * n * element;
                    syr2(uplo, true, n, 0, n, alphaRe, alphaIm, x + column, 1, y + column, 1, c, ldc, 0);
                }
            }
            reflected.give(memory);
            return;
        }
        for (long i = 0; i < k; i++) {
            syr2(uplo, hermitian, n, 0, n, alphaRe, alphaIm, a + i * next, plain ? 1 : lda, b + i * nextB,
                    plain ? 1 : ldb, c, ldc, 0);
        }
    }

    /** The conjugates of some rows of n elements as columns without gaps; few elements are moved one by one. */
    private void rows(long n, long count, long a, long lda, long x) {
        if (n > ROW) {
            geam(Op.CONJ_TRANS, Op.NONE, n, count, 1, 0, a, lda, 0, 0, x, n, x, n);
            return;
        }
        for (long i = 0; i < count; i++) {
            conjugate(n, a + i * element, lda, x + i * n * element, 1);
        }
    }

    /** {@link #trtri} by element. */
    abstract void tinyInverse(long n, boolean unit, long a, long di, long dj);

    /**
     * A solve for the identity beside it is faster than to invert halves and join them, but where elements are large, or few columns leave the solve's vectors unfilled;
     * fewer are inverted by element.
     */
    @Override
    public void trtri(Uplo uplo, Diag diag, long n, long a, long lda) {
        if (n < SOLVED) {
            boolean lower = uplo == Uplo.LOWER;
            tinyInverse(n, diag == Diag.UNIT, a, lower ? 1 : lda, lower ? lda : 1);
            return;
        }
        if (n > INVERTED / 2) {
            super.trtri(uplo, diag, n, a, lda);
            return;
        }
        boolean filled = n % TOGETHER == 0;
        if (kernels.complex() && element == 16 || n < HALVED && !filled) {
            halves(uplo, diag, n, a, lda);
            return;
        }
        MemorySegment inverse = factors.take();
        long x = inverse.address();
        scalMatrix(n * n, 1, 0, 0, x, n * n);
        fill(n, 1, 0, x, n + 1);
        trsm(Side.LEFT, uplo, Op.NONE, diag, n, n, 1, 0, a, lda, x, n);
        long unit = diag == Diag.UNIT ? 1 : 0;
        for (long j = 0; j < n; j++) {
            long first = uplo == Uplo.LOWER ? j + unit : 0;
            long count = uplo == Uplo.LOWER ? n - first : j + 1 - unit;
            copy(count, x + (first + j * n) * element, 1, a + (first + j * lda) * element, 1);
        }
        factors.give(inverse);
    }

    /** The inverse of a triangle from those of its halves, and what joins them. */
    private void halves(Uplo uplo, Diag diag, long n, long a, long lda) {
        boolean lower = uplo == Uplo.LOWER;
        long n1 = n / 2;
        long n2 = n - n1;
        long a22 = a + n1 * (lda + 1) * element;
        long beside = a + n1 * (lower ? 1 : lda) * element;
        trtri(uplo, diag, n1, a, lda);
        trtri(uplo, diag, n2, a22, lda);
        long m = lower ? n2 : n1;
        trmm(Side.LEFT, uplo, Op.NONE, diag, m, n - m, -1, 0, lower ? a22 : a, lda, beside, lda);
        trmm(Side.RIGHT, uplo, Op.NONE, diag, m, n - m, 1, 0, lower ? a : a22, lda, beside, lda);
    }

    /** Solves for the identity with a copy of the factors: two solves in machine code are done before one triangle is inverted. */
    @Override
    public boolean invert(long n, long a, long lda) {
        if (n > INVERTED) {
            return false;
        }
        MemorySegment copy = factors.take();
        long f = copy.address();
        // Without gaps it is one column: a call a column takes as long as a solve.
        boolean whole = lda == n;
        copyMatrix(whole ? n * n : n, whole ? 1 : n, a, lda, f, n);
        scalMatrix(whole ? n * n : n, whole ? 1 : n, 0, 0, a, lda);
        fill(n, 1, 0, a, lda + 1);
        // The inverse of L has no more above its lower right quarter than L has.
        long n1 = n <= INVERTED / 2 ? n : n / 2;
        long corner = n1 * (n + 1) * element;
        trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, n, n1, 1, 0, f, n, a, lda);
        trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, n - n1, n - n1, 1, 0, f + corner, n,
                a + n1 * (lda + 1) * element, lda);
        trsm(Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n, n, 1, 0, f, n, a, lda);
        factors.give(copy);
        return true;
    }
}
