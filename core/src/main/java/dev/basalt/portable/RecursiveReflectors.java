package dev.basalt.portable;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Householder reflectors. All kernels see a matrix from its first row and column on with its reflectors in columns: one whose reflectors lie in rows is read as
 * its conjugate transpose, and one that is worked on from its end has negative steps. Steps are in elements.
 */
abstract class RecursiveReflectors extends RecursiveFactors {
    /**
     * n lines of m elements, {@code di} apart, lines {@code dj} apart: c := c - f·v·(vᴴ·c), v a one and then the elements at x, f the factor at tau, or its
     * conjugate with {@code conj}. {@code turned}: the elements at x are conjugates of those meant.
     */
    protected abstract void reflect(boolean turned, boolean conj, long m, long n, long x, long dx, long tau, long c,
            long di, long dj);

    /**
     * The same with Hᴴ for columns that lie as they are read: what v's one belongs to is {@code row}, what the m elements at x do is {@code rest}.
     *
     * @param w address of n elements of scratch, one after the other
     */
    abstract void reflectColumns(long m, long n, long x, long tau, long row, long rest, long ld, long w);

    /** The element at {@code product} := itself plus the conjugate of that at {@code first}; the conjugate of the sum if {@code turned}. */
    abstract void addFirst(boolean turned, long product, long first);

    /** The element at {@code sum} += the product of n elements at x, conjugated, and at y. */
    abstract void addDot(long n, long x, long y, long sum);

    /** x := -f·x, f the factor at tau, or its conjugate with {@code conj}. */
    protected abstract void scaleByFactor(boolean conj, long n, long tau, long x, long dx);

    /** The element at {@code a} := 1 - f, f as above. */
    abstract void oneLess(boolean conj, long tau, long a);

    /**
     * Recursive in the columns (Elmroth and Gustavson, "Applying recursion to serial and parallel QR factorization", 2000): the left half, its block reflector
     * on the right half, then that. What of T joins the halves is the product's place before it is needed, so no scratch is.
     */
    @Override
    public void geqr2(boolean rows, boolean backward, long m, long n, long c, long ldc, long tau, long t, long ldt) {
        if (n <= panel(m) || t == 0 || rows || backward) {
            narrow(rows, backward, m, n, c, ldc, tau, t, ldt);
            return;
        }
        long n1 = half(n);
        long n2 = n - n1;
        long c21 = c + n1 * bytes();
        long c12 = c + n1 * ldc * bytes();
        long c22 = c12 + n1 * bytes();
        long t12 = t + n1 * ldt * bytes();
        long t22 = t12 + n1 * bytes();
        geqr2(false, false, m, n1, c, ldc, tau, t, ldt);
        copyMatrix(n1, n2, c12, ldc, t12, ldt);
        trmm(Side.LEFT, Uplo.LOWER, Op.CONJ_TRANS, Diag.UNIT, n1, n2, 1, 0, c, ldc, t12, ldt);
        gemm(Op.CONJ_TRANS, Op.NONE, n1, n2, m - n1, 1, 0, c21, ldc, c22, ldc, 1, 0, t12, ldt, 0, 0);
        trmm(Side.LEFT, Uplo.UPPER, Op.CONJ_TRANS, Diag.NON_UNIT, n1, n2, 1, 0, t, ldt, t12, ldt);
        gemm(Op.NONE, Op.NONE, m - n1, n2, n1, -1, 0, c21, ldc, t12, ldt, 1, 0, c22, ldc, 0, 0);
        trmm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, n1, n2, 1, 0, c, ldc, t12, ldt);
        geam(Op.NONE, Op.NONE, n1, n2, 1, 0, c12, ldc, -1, 0, t12, ldt, c12, ldc);
        geqr2(false, false, m - n1, n2, c22, ldc, tau + n1 * bytes(), t22, ldt);
        // T12 = -T1·(V1ᴴ·V2)·T2, where V2 begins with a triangle.
        geam(Op.CONJ_TRANS, Op.NONE, n1, n2, 1, 0, c21, ldc, 0, 0, t12, ldt, t12, ldt);
        trmm(Side.RIGHT, Uplo.LOWER, Op.NONE, Diag.UNIT, n1, n2, 1, 0, c22, ldc, t12, ldt);
        gemm(Op.CONJ_TRANS, Op.NONE, n1, n2, m - n, 1, 0, c21 + n2 * bytes(), ldc, c22 + n2 * bytes(), ldc, 1, 0, t12,
                ldt, 0, 0);
        trmm(Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n1, n2, -1, 0, t, ldt, t12, ldt);
        trmm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n1, n2, 1, 0, t22, ldt, t12, ldt);
    }

    /** The most columns of so many rows that {@link #panel(boolean, long, long, long, long, long, long, long)} is as fast with as halves are. */
    protected long panel(long m) {
        return BASE;
    }

    /** A panel of columns that lie as they are read, with its T if {@code t} is not 0. */
    protected void panel(boolean backward, long m, long n, long c, long ldc, long tau, long t, long ldt) {
        columns(backward, m, n, c, ldc, tau);
        if (t != 0) {
            triangle(backward, m, n, c, ldc, tau, t, ldt);
        }
    }

    /** Column by column. */
    private void narrow(boolean rows, boolean backward, long m, long n, long c, long ldc, long tau, long t, long ldt) {
        if (!rows) {
            panel(backward, m, n, c, ldc, tau, t, ldt);
            return;
        }
        long sign = backward ? -1 : 1;
        long di = sign * ldc;
        long first = backward ? c - ((m - 1) * di - (n - 1)) * bytes() : c;
        long factor = backward ? tau + (n - 1) * bytes() : tau;
        for (long j = 0; j < n; j++, factor += sign * bytes()) {
            long ajj = first + j * (di + sign) * bytes();
            long x = ajj + di * bytes();
            larfg(true, m - j, ajj, x, di, factor);
            reflect(false, false, m - j, n - 1 - j, x, di, factor, ajj + sign * bytes(), di, sign);
            if (t != 0) {
                products(true, backward, m, n, j, first, di, sign, t, ldt);
                column(backward, n, j, factor, t, ldt);
            }
        }
    }

    /** Columns that lie as they are read; those not done yet have their products where factors will be. */
    private void columns(boolean backward, long m, long n, long c, long ldc, long tau) {
        for (long j = 0; j < n; j++) {
            column(backward, m, n, j, c, ldc, tau);
        }
    }

    /** One reflector of a panel, with all before it done. */
    protected final void column(boolean backward, long m, long n, long j, long c, long ldc, long tau) {
        long left = n - 1 - j;
        long column = c + (backward ? left : j) * ldc * bytes();
        long own = backward ? m - 1 - j : j;
        long x = column + (backward ? 0 : j + 1) * bytes();
        long factor = tau + (backward ? left : j) * bytes();
        larfg(false, m - j, column + own * bytes(), x, 1, factor);
        long others = backward ? c : column + ldc * bytes();
        if (left > 0) {
            reflectColumns(m - 1 - j, left, x, factor, others + own * bytes(),
                    others + (backward ? 0 : j + 1) * bytes(), ldc, backward ? tau : factor + bytes());
        }
    }

    /** T of columns that lie as they are read: all products at once. */
    protected final void triangle(boolean backward, long m, long n, long c, long ldc, long tau, long t, long ldt) {
        long rest = backward ? c : c + n * bytes();
        long top = backward ? c + (m - n) * bytes() : c;
        gemm(Op.CONJ_TRANS, Op.NONE, n, n, m - n, 1, 0, rest, ldc, rest, ldc, 0, 0, t, ldt, 0, 0);
        for (long step = 0; step < n; step++) {
            long j = backward ? n - 1 - step : step;
            long first = backward ? 0 : j + 1;
            long below = backward ? j : n - 1 - j;
            for (long other = 0; other < step; other++) {
                long i = backward ? n - 1 - other : other;
                long product = t + (i + j * ldt) * bytes();
                addDot(below, top + (first + i * ldc) * bytes(), top + (first + j * ldc) * bytes(), product);
                addFirst(false, product, top + (j + i * ldc) * bytes());
            }
            column(backward, n, step, tau + j * bytes(), t, ldt);
        }
    }

    /** Where the products of reflector j with those before it stand in T. */
    private long place(boolean backward, long n, long j, long t, long ldt) {
        long q = n - 1 - j;
        return t + (backward ? q + 1 + q * ldt : j * ldt) * bytes();
    }

    /** The products of the reflectors before j with reflector j, into T. */
    private void products(boolean turned, boolean backward, long m, long n, long j, long v, long di, long dj, long t,
            long ldt) {
        long at = place(backward, n, j, t, ldt);
        long row = v + j * di * bytes();
        long below = row + di * bytes();
        long x = below + j * dj * bytes();
        boolean plain = di == 1;
        if (plain) {
            gemv(Op.CONJ_TRANS, m - j - 1, j, 1, 0, below, dj, x, 1, 0, 0, at, 1);
        }
        for (long i = 0; i < j; i++) {
            long product = at + (backward ? j - 1 - i : i) * bytes();
            if (!plain) {
                dot(m - j - 1, below + i * dj * bytes(), di, x, di, true, product);
            }
            addFirst(turned, product, row + i * dj * bytes());
        }
    }

    /** Column j of T from the products that stand there. */
    private void column(boolean backward, long n, long j, long tau, long t, long ldt) {
        long at = place(backward, n, j, t, ldt);
        long square = backward ? t + (n - j) * (1 + ldt) * bytes() : t;
        scaleByFactor(false, j, tau, at, 1);
        trmv(backward ? Uplo.LOWER : Uplo.UPPER, Op.NONE, Diag.NON_UNIT, j, square, ldt, at, 1);
        long own = backward ? n - 1 - j : j;
        copy(1, tau, 1, t + own * (1 + ldt) * bytes(), 1);
    }

    @Override
    public void larft(boolean rows, boolean backward, long m, long k, long a, long lda, long tau, long t, long ldt) {
        long sign = backward ? -1 : 1;
        long di = sign * (rows ? lda : 1);
        long dj = sign * (rows ? 1 : lda);
        long first = backward ? a - ((m - 1) * di + (k - 1) * dj) * bytes() : a;
        for (long j = 0; j < k; j++) {
            if (a != 0) {
                products(rows, backward, m, k, j, first, di, dj, t, ldt);
            }
            column(backward, k, j, tau + (backward ? k - 1 - j : j) * bytes(), t, ldt);
        }
    }

    /** The first of the smallest is the first zero. */
    @Override
    public long zeroDiagonal(long n, long a, long lda) {
        long least = iamin(n, a, lda + 1);
        return least > 0 && asum(1, a + (least - 1) * (lda + 1) * bytes(), 1) == 0 ? least : 0;
    }

    @Override
    public void orm2r(Side side, boolean conj, boolean rows, boolean backward, long m, long n, long k, long a, long lda,
            long tau, long c, long ldc) {
        boolean left = side == Side.LEFT;
        long order = left ? m : n;
        long sign = backward ? -1 : 1;
        long di = sign * (rows ? lda : 1);
        long dj = sign * (rows ? 1 : lda);
        long v = backward ? a - ((order - 1) * di + (k - 1) * dj) * bytes() : a;
        long ci = sign * (left ? 1 : ldc);
        long cj = left ? ldc : 1;
        long first = backward ? c - (order - 1) * ci * bytes() : c;
        boolean descending = left != conj;
        for (long step = 0; step < k; step++) {
            long i = descending ? k - 1 - step : step;
            long factor = tau + (backward ? k - 1 - i : i) * bytes();
            long x = v + (i * (di + dj) + di) * bytes();
            reflect(rows == left, conj, order - i, left ? n : m, x, di, factor, first + i * ci * bytes(), ci, cj);
        }
    }

    @Override
    public void org2r(boolean rows, boolean backward, long m, long n, long k, long c, long ldc, long tau) {
        long sign = backward ? -1 : 1;
        long di = sign * (rows ? ldc : 1);
        long dj = sign * (rows ? 1 : ldc);
        long first = backward ? c - ((m - 1) * di + (n - 1) * dj) * bytes() : c;
        if (n > k) {
            long low = backward ? c : first + k * dj * bytes();
            if (k > 0) {
                // What is below the ones is written once.
                low += backward ? (m - n) * Math.abs(di) * bytes() : 0;
                scalMatrix(rows ? n - k : n, rows ? n : n - k, 0, 0, low, ldc);
            } else {
                scalMatrix(rows ? n : m, rows ? m : n, 0, 0, low, ldc);
            }
            long step = di + dj;
            fill(n - k, 1, 0, first + (step < 0 ? n - 1 : k) * step * bytes(), Math.abs(step));
        }
        for (long i = k - 1; i >= 0; i--) {
            long factor = tau + (backward ? k - 1 - i : i) * bytes();
            long top = first + i * dj * bytes();
            long aii = top + i * di * bytes();
            long x = aii + di * bytes();
            if (i == k - 1) {
                identity(rows, m - k, n - k, x, factor, aii + dj * bytes(), di, dj);
            } else {
                reflect(false, rows, m - i, n - 1 - i, x, di, factor, aii + dj * bytes(), di, dj);
            }
            scaleByFactor(rows, m - i - 1, factor, x, di);
            oneLess(rows, factor, aii);
            fill(i, 0, 0, top, di);
        }
    }

    /** Each reflector moves one column on, and Q of one order less is made of them where they then are. */
    @Override
    public void orgtr(boolean backward, long n, long low, long high, long a, long lda, long tau) {
        long order = high - low;
        if (order < n) {
            around(n, low, high, a, lda);
        }
        if (order <= 0) {
            return;
        }
        long first = a + low * (1 + lda) * bytes();
        long inner = order - 1;
        for (long step = 1; step < inner; step++) {
            long column = backward ? step : inner - step;
            long to = first + (column * lda + (backward ? 0 : column + 1)) * bytes();
            copy(step, to + (backward ? lda : -lda) * bytes(), 1, to, 1);
        }
        long own = backward ? inner : 0;
        long others = backward ? 0 : 1;
        fill(order, 0, 0, first + own * lda * bytes(), 1);
        fill(inner, 0, 0, first + (own + others * lda) * bytes(), lda);
        fill(1, 1, 0, first + own * (1 + lda) * bytes(), 1);
        if (inner > 0) {
            org2r(false, backward, inner, inner, inner, first + others * (1 + lda) * bytes(), lda, tau + low * bytes());
        }
    }

    /** What is around the range that was reduced := the identity. */
    private void around(long n, long low, long high, long a, long lda) {
        for (long j = 0; j < n; j++) {
            long column = a + j * lda * bytes();
            boolean within = low <= j && j < high;
            fill(within ? low : n, 0, 0, column, 1);
            if (within) {
                fill(n - high, 0, 0, column + high * bytes(), 1);
            } else {
                fill(1, 1, 0, column + j * bytes(), 1);
            }
        }
    }

    @Override
    public void ormtr(Side side, boolean backward, boolean conj, long m, long n, long a, long lda, long tau, long c,
            long ldc) {
        boolean left = side == Side.LEFT;
        long k = (left ? m : n) - 1;
        if (k <= 0) {
            return;
        }
        long v = a + (backward ? lda : 1) * bytes();
        long moved = backward ? c : c + (left ? 1 : ldc) * bytes();
        orm2r(side, conj, false, backward, left ? k : m, left ? n : k, k, v, lda, tau, moved, ldc);
    }

    /**
     * A reflector on n columns of the identity, at the row above them and the m rows with their ones: one pass, as their products with it are its elements. The rows behind the ones need not be zero yet.
     */
    private void identity(boolean conj, long m, long n, long x, long tau, long row, long di, long dj) {
        if (n == 0) {
            return;
        }
        boolean columns = Math.abs(di) == 1;
        long rest = row + di * bytes();
        long v = di < 0 ? x + (m - 1) * di * bytes() : x;
        long ones = di < 0 ? x + (n - 1) * di * bytes() : x;
        long line = dj < 0 ? (n - 1) * dj * bytes() : 0;
        long w = row + line;
        long a = (di < 0 ? rest + (m - 1) * di * bytes() : rest) + line;
        long dx = Math.abs(di);
        long dw = Math.abs(dj);
        long ld = columns ? dw : dx;
        long below = m - n;
        long behind = di < 0 ? 0 : n * dx * bytes();
        if (asum(1, tau, 1) == 0) {
            scalMatrix(columns ? below : n, columns ? n : below, 0, 0, a + behind, ld);
            return;
        }
        if (columns) {
            geam(Op.CONJ_TRANS, Op.NONE, 1, n, 1, 0, ones, n, 0, 0, w, dw, w, dw);
        } else {
            geam(Op.CONJ_TRANS, Op.NONE, n, 1, 1, 0, ones, dx, 0, 0, w, n, w, n);
        }
        scaleByFactor(conj, n, tau, w, dw);
        long beside = di < 0 ? below * dx * bytes() : 0;
        ger(n, n, 1, 0, columns ? v + beside : w, 1, columns ? w : v + beside, ld, false, a + beside, ld);
        long far = v + behind;
        if (below > 0) {
            gemm(Op.NONE, Op.NONE, columns ? below : n, columns ? n : below, 1, 1, 0, columns ? far : w,
                    columns ? below : n, columns ? w : far, ld, 0, 0, a + behind, ld, 0, 0);
        }
    }
}
