package dev.basalt.host.engine;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.factor.Factor;
import dev.basalt.host.assembled.reflect.Reflectors;
import dev.basalt.portable.HeapOperands;
import dev.basalt.portable.InverseLeaf;
import dev.basalt.portable.TridiagonalLeaf;
import dev.basalt.spi.FewReflectors;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * The kernels of one element type that are assembled, and which calls go to them; the parent does the rest. It is written once, in four parts by kind of
 * work: {@link StreamZLeaf}, {@link MatvecZLeaf}, {@link ProductZLeaf}, and here factorisations and reflectors. What tells types apart is data: the tables
 * of variants in {@link AssembledKernels}, {@link dev.basalt.host.vector.ByElement}, and a few constants of {@link StreamZLeaf}. The leaves of real
 * elements, over the portable kernels and over the Vector API's, are the same lines over another parent, which the build writes: so each type's calls are
 * compiled by themselves.
 */
public class AssembledZLeaf extends ProductZLeaf implements InverseLeaf {
    /** Rows of which a panel may be as wide as there are kernels for: it is in the caches. */
    private static final long SHORT_PANEL = 256;

    /** Columns of taller panels. */
    private static final long TALL_PANEL = 16;

    /** Order of the largest matrix that is inverted beside a copy of its factors. */
    private static final long INVERTED = COPIED;

    /** Order from which on a triangle is inverted by a solve. */
    private static final long SOLVED = 12;

    /** Triangles of fewer columns than this, which no vectors are filled by, are inverted by halves. */
    private static final long HALVED = 19;

    /** Columns that a solve takes together. */
    private static final long TOGETHER = 4;

    /** From so many lines of so many elements on several are reflected at once. */
    private static final long LINES = 4;

    /** Their number is a multiple of this, so that vectors are full. */
    private static final long WHOLE = 16;

    /** Unknowns that are found, and rows and columns that are factored, by element: packing and code for a panel take longer. */
    static final long TINY = 8;

    /** As many columns of a lower triangle, whose elements lie apart as they are multiplied. */
    static final long TINY_LOWER = 6;

    /** Bytes that two passes find in the cache. */
    private static final long IN_CACHE = 1 << 18;

    /** Scratch of few reflectors and their block. */
    private final ScratchPool blocks;

    /**
     * Kernels of one type.
     *
     * @param kernels its machine code
     */
    public AssembledZLeaf(AssembledKernels kernels) {
        super(kernels);
        this.blocks = new ScratchPool(FewReflectors.SCRATCH * element);
    }

    @Override
    public TridiagonalLeaf tridiagonal() {
        return byElement.tridiagonal(super.tridiagonal());
    }

    @Override
    public long getf2(long m, long n, long a, long lda, long ipiv, long offset) {
        long k = Math.min(m, n);
        if (n <= m && m <= TINY) {
            return a < 0 ? copiedLu(m, n, a, lda, ipiv, offset) : byElement.lu(m, n, a, lda, ipiv, offset);
        }
        if (k > Factor.widest()) {
            return super.getf2(m, n, a, lda, ipiv, offset);
        }
        boolean tiny = n > k && k <= TINY;
        long info = tiny && a < 0 ? copiedLu(k, k, a, lda, ipiv, offset)
                : tiny ? byElement.lu(k, k, a, lda, ipiv, offset)
                : kernels.factor().lu(m, k, a, lda, ipiv, offset);
        if (n > k) {
            long right = a + k * lda * element;
            laswp(m, n - k, right, lda, 0, k, ipiv, offset, false);
            trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, k, n - k, 1, 0, a, lda, right, lda);
        }
        return info;
    }

    /** {@code lu} of a matrix in an array of Java, whose elements have no address for Java. */
    private long copiedLu(long m, long n, long a, long lda, long ipiv, long offset) {
        MemorySegment copy = matrices.take();
        long at = copy.address();
        HeapOperands.copy(true, m, n, a, lda, at);
        long info = byElement.lu(m, n, at, m, ipiv, offset);
        HeapOperands.copy(false, m, n, a, lda, at);
        matrices.give(copy);
        return info;
    }

    @Override
    public long potf2(Uplo uplo, long n, long a, long lda) {
        boolean upper = uplo == Uplo.UPPER;
        if (n <= (upper ? TINY : TINY_LOWER)) {
            return a < 0
                    ? copiedCholesky(upper, n, a, lda)
                    : byElement.cholesky(n, a, upper ? lda : 1, upper ? 1 : lda);
        }
        if (n > (upper ? Factor.WIDEST_UPPER : Factor.widest())) {
            return super.potf2(uplo, n, a, lda);
        }
        return upper ? kernels.factor().choleskyUpper(n, a, lda) : kernels.factor().cholesky(n, a, lda);
    }

    /** The same by element of a matrix in an array of Java, whose elements have no address for Java. */
    private long copiedCholesky(boolean upper, long n, long a, long lda) {
        MemorySegment copy = matrices.take();
        long at = copy.address();
        HeapOperands.copy(true, n, n, a, lda, at);
        long info = byElement.cholesky(n, at, upper ? n : 1, upper ? 1 : n);
        HeapOperands.copy(false, n, n, a, lda, at);
        matrices.give(copy);
        return info;
    }

    @Override
    public boolean laswp(long m, long n, long a, long lda, long from, long to, long ipiv, long offset,
            boolean backward) {
        return kernels.factor().interchange(m, n, a, lda, from, to, ipiv, offset, backward);
    }

    /**
     * A solve for the identity beside it is faster than to invert halves and join them, but where elements are large, or few columns leave the solve's vectors unfilled;
     * fewer are inverted by element.
     */
    @Override
    public void trtri(Uplo uplo, Diag diag, long n, long a, long lda) {
        if (n < SOLVED) {
            boolean lower = uplo == Uplo.LOWER;
            byElement.invert(n, diag == Diag.UNIT, a, lower ? 1 : lda, lower ? lda : 1);
            return;
        }
        if (n > INVERTED / 2) {
            super.trtri(uplo, diag, n, a, lda);
            return;
        }
        boolean filled = n % TOGETHER == 0;
        if (COMPLEX && element == 16 || n < HALVED && !filled) {
            halves(uplo, diag, n, a, lda);
            return;
        }
        MemorySegment inverse = matrices.take();
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
        matrices.give(inverse);
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
        MemorySegment copy = matrices.take();
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
        matrices.give(copy);
        return true;
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
                good &= j == m - 1 && !COMPLEX;
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
        boolean asStored = di == 1 && dx == 1 && dj > 0 && !(turned && COMPLEX);
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
        MemorySegment memory = lines.take();
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
        lines.give(memory);
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
        if (conjugated && COMPLEX) {
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
        if ((rows || backward || n > Reflectors.WIDEST) && FewReflectors.block(m, n, k)) {
            block(rows, backward, m, n, k, c, ldc, tau);
            return;
        }
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

    /**
     * Q of few reflectors as I - V·T·Vᴴ: its columns are written once, by one product of V, which is copied, and T·Vᴴ. Rows hold the transpose, of reflectors whose factors are conjugated.
     */
    private void block(boolean rows, boolean backward, long m, long n, long k, long c, long ldc, long tau) {
        MemorySegment memory = blocks.take();
        long v = memory.address();
        long w = v + m * k * element;
        long t = w + n * k * element;
        long factors = t + k * k * element;
        long ones = factors + k * element;
        for (long j = 0; j < k; j++) {
            long column = v + j * m * element;
            // The one, and the zeros beyond it.
            long at = backward ? m - k + j : j;
            long from = rows ? backward ? c + (n - k + j) * element : c + j * element
                    : backward ? c + (n - k + j) * ldc * element
                    : c + j * ldc * element;
            long step = rows ? ldc : 1;
            long first = backward ? 0 : at + 1;
            copy(backward ? at : m - 1 - at, from + first * step * element, step, column + first * element, 1);
            fill(backward ? m - 1 - at : at, 0, 0, column + (backward ? at + 1 : 0) * element, 1);
            fill(1, 1, 0, column + at * element, 1);
        }
        copy(k, tau, 1, factors, 1);
        if (rows && COMPLEX) {
            geam(Op.CONJ_TRANS, Op.NONE, k, 1, 1, 0, tau, 1, 0, 0, factors, k, factors, k);
        }
        fill(k * k, 0, 0, t, 1);
        larft(false, backward, m, k, v, m, factors, t, k);
        gemm(Op.NONE, Op.CONJ_TRANS, k, n, k, 1, 0, t, k, v + (backward ? m - n : 0) * element, m, 0, 0, w, k, 0, 0);
        if (rows) {
            gemm(Op.TRANS, Op.TRANS, n, m, k, -1, 0, w, k, v, m, 0, 0, c, ldc, 0, 0);
        } else {
            gemm(Op.NONE, Op.NONE, m, n, k, -1, 0, v, m, w, k, 0, 0, c, ldc, 0, 0);
        }
        fill(n, 1, 0, ones, 1);
        axpy(n, 1, 0, ones, 1, c + (backward ? m - n : 0) * (rows ? ldc : 1) * element, ldc + 1);
        blocks.give(memory);
    }
}
