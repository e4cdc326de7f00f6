package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** Eigenvectors of a pair of complex triangular matrices by substitution, times their Schur vectors. It remembers the pair that is worked on. */
final class ZTgevc implements TgevcLeaf {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    private final Leaf leaf;
    private boolean left;
    private long n;
    private long s;
    private long lds;
    private long p;
    private long ldp;
    private long x;
    private double normS;
    private double normP;
    private double limit;

    /** The eigenvalue is b/a: vectors are those of a·S - b·P. */
    private double a;

    private double bRe;
    private double bIm;
    private double re;
    private double im;

    ZTgevc(Leaf leaf) {
        this.leaf = leaf;
    }

    private static double size(long element) {
        return Math.abs(f64(element)) + Math.abs(f64(element + 8L));
    }

    private static double largest(long n, long matrix, long ld) {
        double most = 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i <= j; i++) {
                most = Math.max(most, size(matrix + (i + j * ld) * 16L));
            }
        }
        return most;
    }

    @Override
    public void tgevc(boolean lefts, long order, long matrixS, long strideS, long matrixP, long strideP, long v,
            long ldv, long work) {
        left = lefts;
        n = order;
        s = matrixS;
        lds = strideS;
        p = matrixP;
        ldp = strideP;
        x = work;
        normS = Math.max(LEAST, largest(n, s, lds));
        normP = Math.max(LEAST, largest(n, p, ldp));
        // Coefficients make both matrices about 1.
        limit = UNIT / LEAST / n / 4;
        long product = work + n * 16L;
        for (long done = 0; done < n; done++) {
            // A vector takes the place of a column that no later one needs.
            long k = left ? done : n - done - 1;
            vector(k);
            long from = left ? k : 0;
            long terms = left ? n - k : k + 1;
            leaf.gemv(Op.NONE, n, terms, 1, 0, v + from * ldv * 16L, ldv, x + from * 16L, 1, 0, 0, product, 1);
            double most = 0;
            for (long i = 0; i < n; i++) {
                most = Math.max(most, size(product + i * 16L));
            }
            if (most > 0) {
                leaf.scal(n, 1 / most, 0, true, product, 1);
            }
            leaf.copy(n, product, 1, v + k * ldv * 16L, 1);
        }
    }

    private void vector(long k) {
        leaf.fill(n, 0, 0, x, 1);
        leaf.fill(1, 1, 0, x + k * 16L, 1);
        coefficients(k);
        double least = Math.max(UNIT * Math.max(a * normS, (Math.abs(bRe) + Math.abs(bIm)) * normP), LEAST / UNIT);
        long count = left ? n - k - 1 : k;
        for (long i = 0; i < count; i++) {
            long r = left ? k + 1 + i : k - 1 - i;
            if (left) {
                gather(k, r);
            } else {
                spread(r + 1);
            }
            element(r, r);
            double dRe = re;
            double dIm = left ? -im : im;
            if (Math.abs(dRe) + Math.abs(dIm) < least) {
                dRe = least;
                dIm = 0;
            }
            long y = x + r * 16L;
            double own = Math.abs(dRe) + Math.abs(dIm);
            if (own < 1 && size(y) > limit * own) {
                leaf.scal(n, 1 / size(y), 0, true, x, 1);
            }
            divide(y, dRe, dIm);
            if (size(y) > limit) {
                leaf.scal(n, 1 / size(y), 0, true, x, 1);
            }
        }
    }

    /** A pair of numbers that makes one of both matrices about 1 and the other no larger. */
    private void coefficients(long k) {
        long own = s + k * (lds + 1) * 16L;
        double beta = f64(p + k * (ldp + 1) * 16L) / normP;
        double ownRe = f64(own) / normS;
        double ownIm = f64(own + 8L) / normS;
        double large = Math.max(Math.abs(beta), Math.abs(ownRe) + Math.abs(ownIm));
        if (!(large > 0)) {
            // Any number is an eigenvalue; the first unit vector will do.
            large = 1;
            beta = 1;
        }
        a = beta / large / normS;
        bRe = ownRe / large / normP;
        bIm = ownIm / large / normP;
    }

    /** An element of a·S - b·P. */
    private void element(long i, long j) {
        long inS = s + (i + j * lds) * 16L;
        long inP = p + (i + j * ldp) * 16L;
        double u = f64(inP);
        double v = f64(inP + 8L);
        re = a * f64(inS) - (bRe * u - bIm * v);
        im = a * f64(inS + 8L) - (bRe * v + bIm * u);
    }

    /** Takes the unknown in row r off those before it. */
    private void spread(long r) {
        double u = f64(x + r * 16L);
        double v = f64(x + r * 16L + 8L);
        for (long i = 0; i < r; i++) {
            element(i, r);
            long y = x + i * 16L;
            f64(y, f64(y) - (u * re - v * im));
            f64(y + 8L, f64(y + 8L) - (u * im + v * re));
        }
    }

    /** Takes off unknown r what those from k on mean for it. */
    private void gather(long k, long r) {
        double sumRe = 0;
        double sumIm = 0;
        for (long i = k; i < r; i++) {
            element(i, r);
            double u = f64(x + i * 16L);
            double v = f64(x + i * 16L + 8L);
            sumRe -= u * re + v * im;
            sumIm -= v * re - u * im;
        }
        f64(x + r * 16L, sumRe);
        f64(x + r * 16L + 8L, sumIm);
    }

    private static void divide(long y, double c, double d) {
        double u = f64(y);
        double v = f64(y + 8L);
        boolean real = Math.abs(c) >= Math.abs(d);
        double ratio = real ? d / c : c / d;
        double whole = real ? c + d * ratio : c * ratio + d;
        f64(y, (real ? u + v * ratio : u * ratio + v) / whole);
        f64(y + 8L, (real ? v - u * ratio : v * ratio - u) / whole);
    }
}
