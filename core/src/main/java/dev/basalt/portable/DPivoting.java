package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** Real ones. */
final class DPivoting implements PivotingLeaf {
    /** What rounding makes of 1. */
    private static final double UNIT = 0x1p-53; // float: private static final double UNIT = 0x1p-24;

    private final Leaf leaf;

    DPivoting(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public void start(long m, long n, long a, long lda, long jpvt, long norms) {
        long fixed = ColumnNorms.bringForward(leaf, m, n, a, lda * 8L, jpvt);
        f64(norms + 2 * n * 8L, fixed);
        for (long j = 0; j < n; j++) {
            norm(n, j, m, a + j * lda * 8L, norms);
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
        long own = f + k * 8L;
        long diagonal = a + (col + col * lda) * 8L;
        if (col >= f64(norms + 2 * n * 8L)) {
            long best = col;
            for (long j = col + 1; j < n; j++) {
                best = ColumnNorms.larger(f64(norms + j * 8L), f64(norms + best * 8L)) ? j : best;
            }
            if (best != col) {
                leaf.swap(m, a + best * lda * 8L, 1, a + col * lda * 8L, 1);
                leaf.swap(k, f + (best - first) * 8L, ldf, own, ldf);
                ColumnNorms.exchange(jpvt, best, col);
                f64(norms + best * 8L, f64(norms + col * 8L));
                f64(norms + (n + best) * 8L, f64(norms + (n + col) * 8L));
            }
        }
        if (k > 0) {
            leaf.gemv(Op.NONE, m - col, k, -1, 0, a + (col + first * lda) * 8L, lda, own, ldf, 1, 0, diagonal, 1);
        }
        leaf.larfg(false, m - col, diagonal, diagonal + 8L, 1, tau + col * 8L);
        // Products need the first element of the reflector; the diagonal waits where the panel's products have no use for it.
        f64(own + k * ldf * 8L, f64(diagonal));
        f64(diagonal, 1);
    }

    @Override
    public void row(long m, long n, long first, long col, long a, long lda, long f, long ldf, long tau, long norms) {
        long k = col - first;
        long left = n - col - 1;
        long top = f + k * ldf * 8L;
        long below = f + (k + 1) * 8L;
        long column = below + k * ldf * 8L;
        long row = a + (col + first * lda) * 8L;
        long diagonal = a + (col + col * lda) * 8L;
        if (k > 0) {
            leaf.gemv(Op.TRANS, m - col, k, 1, 0, row, lda, diagonal, 1, 0, 0, top, 1);
            leaf.gemv(Op.NONE, left, k, -1, 0, below, ldf, top, 1, 1, 0, column, 1);
        }
        leaf.scal(left, f64(tau + col * 8L), 0, true, column, 1);
        leaf.gemv(Op.NONE, left, k + 1, -1, 0, below, ldf, row, lda, 1, 0, diagonal + lda * 8L, lda);
        f64(diagonal, f64(top + k * 8L));
        norms(m, n, first, col, a, lda, f, ldf, norms);
    }

    private void norms(long m, long n, long first, long col, long a, long lda, long f, long ldf, long norms) {
        long fixed = (long) f64(norms + 2 * n * 8L);
        for (long j = col + 1; j < n && col + 1 >= fixed; j++) {
            double norm = f64(norms + j * 8L); // keep double
            double last = f64(norms + (n + j) * 8L); // keep double
            double square = ColumnNorms.left(Math.abs(f64(a + (col + j * lda) * 8L)), norm); // keep double
            boolean lost = ColumnNorms.lost(square, norm, last, UNIT);
            if (col + 1 == fixed || norm != 0 && lost) {
                bringUpToDate(m, first, col, j, a, lda, f, ldf);
                norm(n, j, m - col - 1, a + (col + 1 + j * lda) * 8L, norms);
            } else if (norm != 0) {
                f64(norms + j * 8L, norm * Math.sqrt(square)); // float: f32(norms + j * 4L, (float) (norm * Math.sqrt(square)));
            }
        }
    }

    /** Takes the panel's reflectors off a column, and out of what is still to be taken off. */
    private void bringUpToDate(long m, long first, long col, long j, long a, long lda, long f, long ldf) {
        long factors = f + (j - first) * 8L;
        long k = col - first + 1;
        leaf.gemv(Op.NONE, m - col - 1, k, -1, 0, a + (col + 1 + first * lda) * 8L, lda, factors, ldf, 1, 0,
                a + (col + 1 + j * lda) * 8L, 1);
        leaf.fill(k, 0, 0, factors, ldf);
    }

    @Override
    public long rank(long n, double tolerance, long a, long lda, long x) { // keep double
        double least = Math.abs(f64(a)); // keep double
        double largest = least; // keep double
        long most = x + n * 8L;
        if (n == 0 || least == 0) {
            return 0;
        }
        f64(x, 1);
        f64(most, 1);
        for (long r = 1; r < n; r++) {
            long column = a + r * lda * 8L;
            double gamma = f64(column + r * 8L); // keep double
            double alpha = leaf.dotReal(r, x, 1, column, 1); // keep double
            double beta = leaf.dotReal(r, most, 1, column, 1); // keep double
            double h = Math.abs(gamma); // keep double
            double small = TwoByTwo.least(least, Math.abs(alpha), h); // keep double
            double large = TwoByTwo.largest(largest, Math.abs(beta), h); // keep double
            if (!(large * tolerance <= small)) {
                return r;
            }
            grow(r, x, -TwoByTwo.sine(least, Math.abs(alpha), h),
                    TwoByTwo.cosine(least, Math.abs(alpha), h) * sign(alpha, gamma));
            grow(r, most, TwoByTwo.cosine(largest, Math.abs(beta), h),
                    TwoByTwo.sine(largest, Math.abs(beta), h) * sign(beta, gamma));
            least = small;
            largest = large;
        }
        return n;
    }

    private static double sign(double x, double y) { // keep double
        return x < 0 == y < 0 ? 1 : -1;
    }

    /** x of n elements := (s·x, c). */
    private void grow(long n, long x, double s, double c) { // keep double
        leaf.scal(n, s, 0, true, x, 1);
        f64(x + n * 8L, c); // float: f32(x + n * 4L, (float) c);
    }
}
