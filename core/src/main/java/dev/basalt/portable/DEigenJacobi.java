package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.JacobiWork;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * Two-sided Jacobi. Pairs come by rounds, in which no row meets two others, so that devices that rotate a round at once compute the same (Brent and Luk, "The solution of singular-value and symmetric eigenvalue problems
 * on multiprocessor arrays", 1985).
 */
final class DEigenJacobi implements EigenJacobiLeaf {
    /** What rounding makes of 1. */
    private static final double UNIT = 0x1p-53; // float: private static final float UNIT = 0x1p-24f;

    /** Beyond it a square has no room for 1. */
    private static final double STEEP = 0x1p50; // float: private static final float STEEP = 0x1p20f;

    /** Matrices whose largest number has an exponent no further from 0 are worked on as they are. */
    private static final int PLAIN = 400; // float: private static final int PLAIN = 40;

    /** Up to this order pairs are rotated one by one. */
    private static final long SMALL = JacobiWork.SMALL;

    /** The sweeps that QR iteration counts as: one more would find nothing to do. */
    private static final long ITERATED = 2;

    /** Columns of a panel of the reduction to tridiagonal form, and the order of what is reduced column by column. */
    private static final long PANEL = 32;

    private static final long LAST = 64;

    /** Diagonal elements are of about one size up to this ratio. */
    private static final double EVEN = 16;

    private final Leaf leaf;
    private final SymmetricLeaf symmetric;
    private final SteqrLeaf rotations;
    private final int parts;
    private final ThreadLocal<JacobiTile> tiles;

    /**
     * Kernels of a type.
     *
     * @param symmetric the reduction to tridiagonal form of the type
     * @param rotations the QR iteration of its real type
     * @param real the other kernels of its real type
     * @param parts 1, or 2 where it is complex
     */
    DEigenJacobi(SymmetricLeaf symmetric, SteqrLeaf rotations, Leaf real, int parts) {
        leaf = symmetric.kernels();
        this.symmetric = symmetric;
        this.rotations = rotations;
        this.parts = parts;
        tiles = ThreadLocal.withInitial(() -> real.jacobiTile(parts));
    }

    private long bytes() {
        return parts * 8L;
    }

    @Override
    public int syevj(boolean lower, boolean vectors, long n, long a, long lda, long h, long values, double alphaRe,
            long sweeps, long residual, long taken, long work) {
        double largest = write(lower, n, a, lda, h);
        boolean finite = Double.isFinite(largest);
        int by = !finite || largest == 0 || Math.abs(Math.getExponent(largest)) <= PLAIN
                ? 0
                : -Math.getExponent(largest);
        if (by != 0) {
            scale(n * n * parts, h, by);
        }
        double allowed = Math.scalb(alphaRe, by); // float: float allowed = (float) Math.scalb(alphaRe, by);
        boolean done = finite && (allowed > 0 && offDiagonal(n, h) <= allowed || settled(n, h, values));
        if (finite && !done && sweeps >= ITERATED && work != 0 && isEven(n, h, values)) {
            long missed = iterate(vectors, n, h, a, lda, values, work);
            back(n, values, by);
            f64(residual, 0);
            i64(taken, ITERATED);
            return missed == 0 ? 0 : 1;
        }
        if (vectors) {
            for (long j = 0; j < n; j++) {
                leaf.fill(n, 0, 0, a + j * lda * bytes(), 1);
                leaf.fill(1, 1, 0, a + (j + j * lda) * bytes(), 1);
            }
        }
        long sweep = 0;
        while (finite && !done && sweep < sweeps) {
            if (n > SMALL && n <= JacobiTile.SIDE) {
                sweepTile(vectors, n, h, a, lda, sweep == 0);
            } else if (n > SMALL && work != 0) {
                sweepTiles(vectors, n, h, a, lda, work);
            } else {
                sweep(vectors, n, h, a, lda);
            }
            sweep++;
            done = allowed > 0 && offDiagonal(n, h) <= allowed || settled(n, h, values);
        }
        i64(taken, sweep);
        f64(residual, finite ? Math.scalb(offDiagonal(n, h), -by) : Double.NaN);
        for (long j = 0; j < n; j++) {
            f64(values + j * 8L, finite ? f64(h + (j + j * n) * bytes()) : Double.NaN);
        }
        back(n, values, by);
        if (finite) {
            sort(vectors, n, values, a, lda);
        }
        return done ? 0 : 1;
    }

    /** Values of the matrix as it was before it was multiplied by a power of two. */
    private static void back(long n, long values, int by) {
        if (by != 0) {
            scale(n, values, -by);
        }
    }

    /**
     * Where Jacobi's method promises no more digits: tridiagonal form by panels, and QR iteration, which leaves nothing beside the diagonal.
     *
     * @param v where eigenvectors go, if they are wanted
     * @return how many have not converged
     */
    private long iterate(boolean vectors, long n, long h, long v, long ldv, long values, long work) {
        long e = work;
        long tau = e + n * bytes();
        long w = work + JacobiWork.reductionElements(n) * bytes();
        long done = 0;
        for (; n - done > LAST; done += PANEL) {
            long left = n - done;
            long behind = left - PANEL;
            long own = h + done * (n + 1) * bytes();
            long es = e + done * 8L;
            // The update takes the leading ones of reflectors, in whose place the elements beside the diagonal come at last.
            symmetric.panel(Uplo.LOWER, parts == 2, left, PANEL, own, n, es, tau + done * bytes(), w, n);
            leaf.syr2k(Uplo.LOWER, Op.NONE, parts == 2, behind, PANEL, -1, 0, own + PANEL * bytes(), n,
                    w + PANEL * bytes(), n, 1, 0, own + PANEL * (n + 1) * bytes(), n, 0, 0);
            symmetric.diagonals(true, left, PANEL, own, n, values + done * 8L, es);
        }
        symmetric.sytd2(true, n - done, h + done * (n + 1) * bytes(), n, values + done * 8L, e + done * 8L,
                tau + done * bytes());
        if (!vectors) {
            return rotations.sterf(n, values, e);
        }
        leaf.copyMatrix(n, n, h, n, v, ldv);
        leaf.orgtr(false, n, 0, n, v, ldv, tau);
        return rotations.steqr(n, values, e, n * parts, v, ldv * parts, tau + n * bytes());
    }

    /** Both triangles at h; the largest number, NaN or infinite if one is. */
    private double write(boolean lower, long n, long a, long lda, long h) {
        double largest = 0;
        for (long j = 0; j < n; j++) {
            for (long i = lower ? j : 0; i < (lower ? n : j + 1); i++) {
                long from = a + (i + j * lda) * bytes();
                long to = h + (i + j * n) * bytes();
                long mirror = h + (j + i * n) * bytes();
                double re = f64(from);
                largest = larger(largest, Math.abs(re));
                f64(to, re);
                f64(mirror, re);
                if (parts == 2) {
                    double im = i == j ? 0 : f64(from + 8L);
                    largest = larger(largest, Math.abs(im));
                    f64(to + 8L, im);
                    f64(mirror + 8L, -im);
                }
            }
        }
        return largest;
    }

    private static double larger(double x, double y) {
        return x > y || Double.isNaN(x) ? x : y;
    }

    private static void scale(long n, long x, int by) {
        for (long i = 0; i < n; i++) {
            f64(x + i * 8L, Math.scalb(f64(x + i * 8L), by));
        }
    }

    /** The modulus of an element of one part or two. */
    static double modulus(long element, int parts) {
        double re = Math.abs(f64(element));
        if (parts == 1) {
            return re;
        }
        double im = Math.abs(f64(element + 8L));
        double most = Math.max(re, im);
        if (most == 0) {
            return 0;
        }
        double least = Math.min(re, im) / most;
        return most * Math.sqrt(1 + least * least);
    }

    /** The Frobenius norm of what is beside the diagonal. */
    private double offDiagonal(long n, long h) {
        double sum = 0;
        for (long j = 1; j < n; j++) {
            for (long i = 0; i < j; i++) {
                double size = modulus(h + (i + j * n) * bytes(), parts);
                sum += size * size;
            }
        }
        return Math.sqrt(2 * sum);
    }

    /** Whether an element is more than a rounding error beside the diagonal elements of its row and column. */
    private boolean counts(long n, long h, long p, long q) {
        double first = Math.abs(f64(h + (p + p * n) * bytes()));
        double second = Math.abs(f64(h + (q + q * n) * bytes()));
        return modulus(h + (p + q * n) * bytes(), parts) > UNIT * (Math.sqrt(first) * Math.sqrt(second));
    }

    /** Whether no element counts; roots are scratch. */
    private boolean settled(long n, long h, long roots) {
        for (long j = 0; j < n; j++) {
            double root = Math.sqrt(Math.abs(f64(h + (j + j * n) * bytes())));
            f64(roots + j * 8L, root);
            for (long i = 0; i < j; i++) {
                if (modulus(h + (i + j * n) * bytes(), parts) > UNIT * (f64(roots + i * 8L) * root)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Whether Jacobi's method promises no more digits of small eigenvalues than any other: its error grows with the condition number of the matrix scaled to diagonal elements 1 (Demmel and Veselić, "Jacobi's method is more accurate than
     * QR", 1992), which is about that of the matrix itself where its diagonal elements are of about one size; and where one of the others is larger than its diagonal elements allow, the matrix is not definite.
     */
    private boolean isEven(long n, long h, long roots) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (long j = 0; j < n; j++) {
            double size = Math.abs(f64(h + (j + j * n) * bytes()));
            least = Math.min(least, size);
            most = Math.max(most, size);
        }
        if (most <= EVEN * least) {
            return true;
        }
        for (long j = 0; j < n; j++) {
            double root = Math.sqrt(Math.abs(f64(h + (j + j * n) * bytes())));
            f64(roots + j * 8L, root);
            for (long i = 0; i < j; i++) {
                if (modulus(h + (i + j * n) * bytes(), parts) > f64(roots + i * 8L) * root) {
                    return true;
                }
            }
        }
        return false;
    }

    /** All pairs of a matrix that has room in a tile. */
    private void sweepTile(boolean vectors, long n, long h, long v, long ldv, boolean begins) {
        JacobiTile tile = tiles.get();
        int first = (int) (n + 1) / 2;
        tile.load(h, n, 0, first, first, (int) n - first);
        if (vectors && !begins) {
            tile.bring(v, ldv);
        }
        tile.sweep(true);
        tile.store();
        if (vectors) {
            tile.product(v, ldv);
        }
    }

    /**
     * All pairs of a large matrix: its rows and columns are in groups, two of which meet in a tile, where members of different groups rotate, and in the first round those of one group. What is beside the tile is multiplied with the product of
     * these rotations. So the decisions are those of the small matrix, and small eigenvalues keep their digits.
     */
    private void sweepTiles(boolean vectors, long n, long h, long v, long ldv, long work) {
        JacobiTile tile = tiles.get();
        long group = JacobiTile.SIDE / 2;
        long groups = (n + group - 1) / group;
        long seats = groups + groups % 2;
        for (long round = 0; round < seats - 1; round++) {
            for (long pair = 0; pair < seats / 2; pair++) {
                long one = (round + pair) % (seats - 1);
                long other = pair == 0 ? seats - 1 : (round - pair + seats - 1) % (seats - 1);
                long p = Math.min(one, other) * group;
                long q = Math.min(Math.max(one, other) * group, n);
                boolean all = round == 0;
                int rows = (int) Math.min(group, n - p);
                int more = (int) Math.min(group, n - q);
                tile.load(h, n, p, rows, q, more);
                if (tile.counts(all)) {
                    tile.sweep(all);
                    tile.product(work, rows + more);
                    multiply(n, h, n, p, rows, q, more, work);
                    mirror(n, p, rows, 0, p, h);
                    mirror(n, p, rows, p + rows, q, h);
                    mirror(n, p, rows, q + more, n, h);
                    mirror(n, q, more, 0, p, h);
                    mirror(n, q, more, p + rows, q, h);
                    mirror(n, q, more, q + more, n, h);
                    tile.store();
                    if (vectors) {
                        multiply(n, v, ldv, p, rows, q, more, work);
                    }
                }
            }
        }
    }

    /** Columns of two groups := these times the product in the workspace. */
    private void multiply(long n, long x, long ldx, long p, long rows, long q, long more, long work) {
        long order = rows + more;
        long copy = work + JacobiWork.SQUARE * bytes();
        for (long from = 0; from < n; from += JacobiWork.STRIP) {
            long count = Math.min(JacobiWork.STRIP, n - from);
            long first = x + (from + p * ldx) * bytes();
            long second = x + (from + q * ldx) * bytes();
            leaf.copyMatrix(count, rows, first, ldx, copy, count);
            leaf.copyMatrix(count, more, second, ldx, copy + count * rows * bytes(), count);
            leaf.gemm(Op.NONE, Op.NONE, count, rows, order, 1, 0, copy, count, work, order, 0, 0, first, ldx, 0, 0);
            leaf.gemm(Op.NONE, Op.NONE, count, more, order, 1, 0, copy, count, work + order * rows * bytes(), order, 0,
                    0, second, ldx, 0, 0);
        }
    }

    /** Rows of a group := the conjugates of its columns, from one row to before another. */
    private void mirror(long n, long p, long rows, long from, long to, long h) {
        if (rows > 0 && to > from) {
            leaf.geam(Op.CONJ_TRANS, Op.NONE, rows, to - from, 1, 0, h + (from + p * n) * bytes(), n, 0, 0,
                    h + (p + from * n) * bytes(), n, h + (p + from * n) * bytes(), n);
        }
    }

    /** All pairs by rounds: each round has every row once. */
    private void sweep(boolean vectors, long n, long h, long v, long ldv) {
        long seats = n + n % 2;
        for (long round = 0; round < seats - 1; round++) {
            for (long pair = 0; pair < seats / 2; pair++) {
                long one = (round + pair) % (seats - 1);
                long other = pair == 0 ? seats - 1 : (round - pair + seats - 1) % (seats - 1);
                long p = Math.min(one, other);
                long q = Math.max(one, other);
                if (q < n && counts(n, h, p, q)) {
                    rotate(vectors, n, p, q, h, v, ldv);
                }
            }
        }
    }

    /** Makes the elements (p, q) and (q, p) zero. */
    private void rotate(boolean vectors, long n, long p, long q, long h, long v, long ldv) {
        long hp = h + p * n * bytes();
        long hq = h + q * n * bytes();
        double app = f64(hp + p * bytes());
        double aqq = f64(hq + q * bytes());
        long apq = hq + p * bytes();
        double size = modulus(apq, parts);
        double zeta = (aqq - app) / (2 * size);
        double steep = Math.abs(zeta);
        double tangent =
                Math.copySign(steep > STEEP ? 1 / (2 * steep) : 1 / (steep + Math.sqrt(1 + zeta * zeta)), zeta);
        double c = 1 / Math.sqrt(1 + tangent * tangent);
        double s = c * tangent;
        double turnRe = -s * (f64(apq) / size);
        double turnIm = parts == 2 ? s * (f64(apq + 8L) / size) : 0;
        leaf.rot(n, c, turnRe, turnIm, parts == 1, hp, 1, hq, 1);
        if (vectors) {
            leaf.rot(n, c, turnRe, turnIm, parts == 1, v + p * ldv * bytes(), 1, v + q * ldv * bytes(), 1);
        }
        put(hp + p * bytes(), app - tangent * size);
        put(hq + q * bytes(), aqq + tangent * size);
        put(hp + q * bytes(), 0);
        put(hq + p * bytes(), 0);
        row(n, p, h);
        row(n, q, h);
    }

    private void put(long element, double x) {
        f64(element, x);
        if (parts == 2) {
            f64(element + 8L, 0);
        }
    }

    /** Row p := the conjugate of column p. */
    private void row(long n, long p, long h) {
        long column = h + p * n * bytes();
        for (long k = 0; k < n; k++) {
            long to = h + (p + k * n) * bytes();
            f64(to, f64(column + k * bytes()));
            if (parts == 2) {
                f64(to + 8L, k == p ? 0 : -f64(column + k * bytes() + 8L));
            }
        }
    }

    private void sort(boolean vectors, long n, long values, long v, long ldv) {
        for (long i = 0; i < n - 1; i++) {
            long best = i;
            for (long j = i + 1; j < n; j++) {
                best = f64(values + j * 8L) < f64(values + best * 8L) ? j : best;
            }
            if (best != i) {
                double kept = f64(values + i * 8L);
                f64(values + i * 8L, f64(values + best * 8L));
                f64(values + best * 8L, kept);
                if (vectors) {
                    leaf.swap(n, v + i * ldv * bytes(), 1, v + best * ldv * bytes(), 1);
                }
            }
        }
    }
}
