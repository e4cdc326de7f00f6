package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** Complex ones. */
final class ZPivoting implements PivotingLeaf {
    /** What rounding makes of 1. */
    private static final double UNIT = 0x1p-53; // float: private static final double UNIT = 0x1p-24;

    private final Leaf leaf;

    ZPivoting(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public void start(long m, long n, long a, long lda, long jpvt, long norms) {
        long fixed = ColumnNorms.bringForward(leaf, m, n, a, lda * 16L, jpvt);
        f64(norms + 2 * n * 8L, fixed);
        for (long j = 0; j < n; j++) {
            norm(n, j, m, a + j * lda * 16L, norms);
        }
    }

    /** Both norms of a column := that of so many elements from an address on. */
    private void norm(long n, long j, long m, long x, long norms) {
        double norm = leaf.nrm2(m, x, 1); // keep double
        f64(norms + j * 8L, norm); // float: f32(norms + j * 4L, (float) norm);
        f64(norms + (n + j) * 8L, norm); // float: f32(norms + (n + j) * 4L, (float) norm);
    }

    @Override
    public void column(long m, long n, long first, long col, long a, long lda, long f, long ldf, long tau, long jpvt,
            long norms) {
        long k = col - first;
        long own = f + k * 16L;
        long diagonal = a + (col + col * lda) * 16L;
        if (col >= f64(norms + 2 * n * 8L)) {
            long best = col;
            for (long j = col + 1; j < n; j++) {
                best = ColumnNorms.larger(f64(norms + j * 8L), f64(norms + best * 8L)) ? j : best;
            }
            if (best != col) {
                leaf.swap(m, a + best * lda * 16L, 1, a + col * lda * 16L, 1);
                leaf.swap(k, f + (best - first) * 16L, ldf, own, ldf);
                ColumnNorms.exchange(jpvt, best, col);
                f64(norms + best * 8L, f64(norms + col * 8L));
                f64(norms + (n + best) * 8L, f64(norms + (n + col) * 8L));
            }
        }
        if (k > 0) {
            conjugate(k, own, ldf);
            leaf.gemv(Op.NONE, m - col, k, -1, 0, a + (col + first * lda) * 16L, lda, own, ldf, 1, 0, diagonal, 1);
            conjugate(k, own, ldf);
        }
        leaf.larfg(false, m - col, diagonal, diagonal + 16L, 1, tau + col * 16L);
        // Products need the first element of the reflector; the diagonal waits where the panel's products have no use for it.
        leaf.copy(1, diagonal, 1, own + k * ldf * 16L, 1);
        leaf.fill(1, 1, 0, diagonal, 1);
    }

    @Override
    public void row(long m, long n, long first, long col, long a, long lda, long f, long ldf, long tau, long norms) {
        long k = col - first;
        long left = n - col - 1;
        long top = f + k * ldf * 16L;
        long below = f + (k + 1) * 16L;
        long column = below + k * ldf * 16L;
        long row = a + (col + first * lda) * 16L;
        long diagonal = a + (col + col * lda) * 16L;
        if (k > 0) {
            leaf.gemv(Op.CONJ_TRANS, m - col, k, 1, 0, row, lda, diagonal, 1, 0, 0, top, 1);
            leaf.gemv(Op.NONE, left, k, -1, 0, below, ldf, top, 1, 1, 0, column, 1);
        }
        leaf.scal(left, f64(tau + col * 16L), f64(tau + col * 16L + 8L), false, column, 1);
        leaf.gemm(Op.NONE, Op.CONJ_TRANS, 1, left, k + 1, -1, 0, row, lda, below, ldf, 1, 0, diagonal + lda * 16L, lda,
                0, 0);
        leaf.copy(1, top + k * 16L, 1, diagonal, 1);
        norms(m, n, first, col, a, lda, f, ldf, norms);
    }

    private void norms(long m, long n, long first, long col, long a, long lda, long f, long ldf, long norms) {
        long fixed = (long) f64(norms + 2 * n * 8L);
        for (long j = col + 1; j < n && col + 1 >= fixed; j++) {
            double norm = f64(norms + j * 8L); // keep double
            double last = f64(norms + (n + j) * 8L); // keep double
            double square = ColumnNorms.left(size(a + (col + j * lda) * 16L), norm); // keep double
            boolean lost = ColumnNorms.lost(square, norm, last, UNIT);
            if (col + 1 == fixed || norm != 0 && lost) {
                bringUpToDate(m, first, col, j, a, lda, f, ldf);
                norm(n, j, m - col - 1, a + (col + 1 + j * lda) * 16L, norms);
            } else if (norm != 0) {
                f64(norms + j * 8L, norm * Math.sqrt(square)); // float: f32(norms + j * 4L, (float) (norm * Math.sqrt(square)));
            }
        }
    }

    /** Takes the panel's reflectors off a column, and out of what is still to be taken off. */
    private void bringUpToDate(long m, long first, long col, long j, long a, long lda, long f, long ldf) {
        long factors = f + (j - first) * 16L;
        long k = col - first + 1;
        conjugate(k, factors, ldf);
        leaf.gemv(Op.NONE, m - col - 1, k, -1, 0, a + (col + 1 + first * lda) * 16L, lda, factors, ldf, 1, 0,
                a + (col + 1 + j * lda) * 16L, 1);
        leaf.fill(k, 0, 0, factors, ldf);
    }

    @Override
    public long rank(long n, double tolerance, long a, long lda, long x) { // keep double
        double least = size(a); // keep double
        double largest = least; // keep double
        long most = x + n * 16L;
        if (n == 0 || least == 0) {
            return 0;
        }
        leaf.fill(1, 1, 0, x, 1);
        leaf.fill(1, 1, 0, most, 1);
        for (long r = 1; r < n; r++) {
            long column = a + r * lda * 16L;
            long alpha = x + r * 16L;
            long beta = most + r * 16L;
            leaf.dot(r, x, 1, column, 1, true, alpha);
            leaf.dot(r, most, 1, column, 1, true, beta);
            double g = size(alpha); // keep double
            double gMost = size(beta); // keep double
            double h = size(column + r * 16L); // keep double
            double small = TwoByTwo.least(least, g, h); // keep double
            double large = TwoByTwo.largest(largest, gMost, h); // keep double
            if (!(large * tolerance <= small)) {
                return r;
            }
            grow(r, x, -TwoByTwo.sine(least, g, h), TwoByTwo.cosine(least, g, h), column);
            grow(r, most, TwoByTwo.cosine(largest, gMost, h), TwoByTwo.sine(largest, gMost, h), column);
            least = small;
            largest = large;
        }
        return n;
    }

    private static double size(long a) { // keep double
        return Math.hypot(f64(a), f64(a + 8L)); // keep double
    }

    /** x of n elements := (s·x, c·t), t the direction of the element of the column there against that of the number behind x. */
    private void grow(long n, long x, double s, double c, long column) { // keep double
        long at = x + n * 16L;
        long other = column + n * 16L;
        double both = size(at) * size(other); // keep double
        boolean zero = both == 0;
        double re = zero ? 1 : (f64(other) * f64(at) + f64(other + 8L) * f64(at + 8L)) / both; // keep double
        double im = zero ? 0 : (f64(other + 8L) * f64(at) - f64(other) * f64(at + 8L)) / both; // keep double
        leaf.scal(n, s, 0, true, x, 1);
        leaf.fill(1, c * re, c * im, at, 1);
    }

    private static void conjugate(long n, long x, long dx) {
        for (long i = 0; i < n; i++) {
            long part = x + i * dx * 16L + 8L;
            f64(part, -f64(part));
        }
    }
}
