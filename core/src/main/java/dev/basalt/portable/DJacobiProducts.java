package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.JacobiWork;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * Sweeps of one-sided Jacobi by products. Angles are those of two-sided Jacobi on XᴴX, which never forgets that its rows and columns may be of very different size: an element counts by its cosine. So the columns
 * of X may be, too (Demmel and Veselić, "Jacobi's method is more accurate than QR", 1992).
 *
 * <p>
 * Two groups of columns meet in a tile, and the product of its rotations is multiplied with them. Where all angles are small one product does a whole sweep: of antihermitian K with the tangents, I + K + K²/2 is unitary but for K⁴/4.
 */
final class DJacobiProducts {
    /** Of angles with this norm the fourth power is a rounding error. */
    private static final double SMALL = 0x1p-14; // float: private static final float SMALL = 0x1p-7f;

    /** Of angles with this norm the square is one. */
    private static final double TINY = 0x1p-28; // float: private static final float TINY = 0x1p-13f;

    private final Leaf leaf;
    private final int parts;
    private final ThreadLocal<JacobiTile> tiles;

    /** One matrix X (m×n), the product of rotations V, or 0, and what they are worked on in. */
    record Place(long m, long n, long x, long ldx, long v, long ldv, long work) {}

    /**
     * Sweeps of a type.
     *
     * @param leaf its kernels
     * @param real those of its real type
     * @param parts 1, or 2 where it is complex
     */
    DJacobiProducts(Leaf leaf, Leaf real, int parts) {
        this.leaf = leaf;
        this.parts = parts;
        tiles = ThreadLocal.withInitial(() -> real.jacobiTile(parts));
    }

    private long bytes() {
        return parts * 8L;
    }

    /** The largest cosine of two columns; XᴴX is then at the beginning of the workspace, its upper triangle. Roots (real, n) are scratch. */
    double cosine(Place at, long roots) {
        long g = at.work;
        gram(at.m, at.n, at.x, at.ldx, g);
        return cosine(at.n, 0, g, roots);
    }

    /** XᴴX of m×n elements at x, the upper triangle. */
    private void gram(long m, long n, long x, long ldx, long g) {
        leaf.syrk(Uplo.UPPER, parts == 2 ? Op.CONJ_TRANS : Op.TRANS, parts == 2, n, m, 1, 0, x, ldx, 0, 0, g, n);
    }

    /** The largest of a column from {@code apart} on and one before it; all columns with 0. */
    private double cosine(long n, long apart, long g, long roots) {
        double worst = 0;
        for (long j = 0; j < n; j++) {
            double root = Math.sqrt(f64(g + (j + j * n) * bytes()));
            f64(roots + j * 8L, 1 / root);
            double most = 0;
            for (long i = 0; i < (apart == 0 ? j : j < apart ? 0 : apart); i++) {
                long element = g + (i + j * n) * bytes();
                most = Math.max(most, modulus(element) * f64(roots + i * 8L));
            }
            worst = Math.max(worst, most / root);
        }
        return worst;
    }

    private double modulus(long element) {
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

    /** Rotates after {@link #cosine} has told that there is something to do. */
    void sweep(Place at, long roots, double tolerance) {
        if (correct(at, roots, tolerance)) {
            return;
        }
        if (at.n <= JacobiTile.SIDE) {
            long first = (at.n + 1) / 2;
            JacobiTile tile = tiles.get();
            tile.load(at.work, at.n, 0, (int) first, first, (int) (at.n - first));
            tile.sweep(true);
            long product = at.work + at.n * at.n * bytes();
            tile.product(product, at.n);
            turn(at, at.x, at.m, at.ldx, product, 0);
            turn(at, at.v, at.n, at.ldv, product, 0);
        } else {
            sweepTiles(at, roots, tolerance);
        }
    }

    /** One product for all small angles at once, if all are small. */
    private boolean correct(Place at, long roots, double tolerance) {
        long n = at.n;
        long g = at.work;
        long k = g + n * n * bytes();
        double norm = 0;
        for (long j = 0; j < n; j++) {
            double own = f64(g + (j + j * n) * bytes());
            double least = tolerance / f64(roots + j * 8L);
            double sum = 0;
            for (long i = 0; i < j; i++) {
                long element = g + (i + j * n) * bytes();
                long to = k + (i + j * n) * bytes();
                boolean turns = modulus(element) * f64(roots + i * 8L) > least;
                double gap = own - f64(g + i * (n + 1) * bytes());
                double re = turns ? f64(element) / gap : 0;
                double im = turns && parts == 2 ? f64(element + 8L) / gap : 0;
                put(to, re, im);
                put(k + (j + i * n) * bytes(), -re, im);
                sum += re * re + im * im;
            }
            put(k + j * (n + 1) * bytes(), 0, 0);
            norm += sum;
            if (!(norm <= SMALL * SMALL)) {
                return false;
            }
        }
        if (2 * norm > TINY * TINY) {
            leaf.gemm(Op.NONE, Op.NONE, n, n, n, 0.5, 0, k, n, k, n, 0, 0, g, n, 0, 0);
            for (long j = 0; j < n; j++) {
                leaf.axpy(n, 1, 0, g + j * n * bytes(), 1, k + j * n * bytes(), 1);
            }
        }
        turn(at, at.x, at.m, at.ldx, k, 1);
        turn(at, at.v, at.n, at.ldv, k, 1);
        return true;
    }

    private void put(long element, double re, double im) {
        f64(element, re);
        if (parts == 2) {
            f64(element + 8L, im);
        }
    }

    /** y := y·q + beta·y, some rows at a time; nothing without y. */
    private void turn(Place at, long y, long rows, long ldy, long q, int beta) {
        long n = at.n;
        long copy = q + n * n * bytes();
        for (long from = 0; from < rows && y != 0; from += JacobiWork.STRIP) {
            long count = Math.min(JacobiWork.STRIP, rows - from);
            long strip = y + from * bytes();
            leaf.copyMatrix(count, n, strip, ldy, copy, count);
            leaf.gemm(Op.NONE, Op.NONE, count, n, n, 1, 0, copy, count, q, n, beta, 0, strip, ldy, 0, 0);
        }
    }

    /** All pairs of columns: in the first round those of one group, too. */
    private void sweepTiles(Place at, long roots, double tolerance) {
        long group = JacobiTile.SIDE / 2;
        long groups = (at.n + group - 1) / group;
        long seats = groups + groups % 2;
        for (long round = 0; round < seats - 1; round++) {
            for (long pair = 0; pair < seats / 2; pair++) {
                long one = (round + pair) % (seats - 1);
                long other = pair == 0 ? seats - 1 : (round - pair + seats - 1) % (seats - 1);
                long p = Math.min(one, other) * group;
                long q = Math.min(Math.max(one, other) * group, at.n);
                meet(at, roots, tolerance, round == 0, p, Math.min(group, at.n - p), q, Math.min(group, at.n - q));
            }
        }
    }

    private void meet(Place at, long roots, double tolerance, boolean all, long p, long rows, long q, long more) {
        long order = rows + more;
        long g = at.work;
        long product = g + at.n * at.n * bytes();
        long copy = product + at.n * at.n * bytes();
        leaf.copyMatrix(at.m, rows, at.x + p * at.ldx * bytes(), at.ldx, copy, at.m);
        leaf.copyMatrix(at.m, more, at.x + q * at.ldx * bytes(), at.ldx, copy + rows * at.m * bytes(), at.m);
        gram(at.m, order, copy, at.m, g);
        if (!(cosine(order, all ? 0 : rows, g, roots) > tolerance)) {
            return;
        }
        JacobiTile tile = tiles.get();
        tile.load(g, order, 0, (int) rows, rows, (int) more);
        tile.sweep(all);
        tile.product(product, order);
        multiply(at.m, order, copy, at.m, product, rows, at.x + p * at.ldx * bytes(), at.x + q * at.ldx * bytes(),
                at.ldx);
        for (long from = 0; from < at.n && at.v != 0; from += JacobiWork.STRIP) {
            long count = Math.min(JacobiWork.STRIP, at.n - from);
            long first = at.v + (from + p * at.ldv) * bytes();
            long second = at.v + (from + q * at.ldv) * bytes();
            leaf.copyMatrix(count, rows, first, at.ldv, copy, count);
            leaf.copyMatrix(count, more, second, at.ldv, copy + count * rows * bytes(), count);
            multiply(count, order, copy, count, product, rows, first, second, at.ldv);
        }
    }

    /** The first columns of a·q, and the others. */
    private void multiply(long m, long order, long a, long lda, long q, long rows, long first, long second, long ld) {
        leaf.gemm(Op.NONE, Op.NONE, m, rows, order, 1, 0, a, lda, q, order, 0, 0, first, ld, 0, 0);
        leaf.gemm(Op.NONE, Op.NONE, m, order - rows, order, 1, 0, a, lda, q + order * rows * bytes(), order, 0, 0,
                second, ld, 0, 0);
    }
}
