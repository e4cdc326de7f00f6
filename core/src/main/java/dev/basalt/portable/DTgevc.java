package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/**
 * Eigenvectors of a pair of real matrices in Schur form by substitution, times their Schur vectors. Those of complex eigenvalues have two columns, for the real and the imaginary parts of the one with a positive imaginary part. It remembers the
 * pair that is worked on.
 */
final class DTgevc implements TgevcLeaf {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    private final Leaf leaf;
    private final DPencil pencil = new DPencil();
    private boolean left;
    private long n;
    private long s;
    private long lds;
    private long p;
    private long ldp;

    /** Real and imaginary parts of the unknowns. */
    private long x;

    private long y;
    private double normS;
    private double normP;
    private double limit;

    /** The eigenvalue is b/a: vectors are those of a·S - b·P, left ones of its conjugate transpose. */
    private double a;

    private double bRe;
    private double bIm;

    /** Whether the vector is complex. */
    private boolean two;

    /** What stands for a smaller divisor. */
    private double least;

    private double re;
    private double im;

    DTgevc(Leaf leaf) {
        this.leaf = leaf;
    }

    private double inS(long i, long j) {
        return f64(s + (i + j * lds) * 8L);
    }

    private double inP(long i, long j) {
        return f64(p + (i + j * ldp) * 8L);
    }

    /** Whether rows i and i + 1 are a block. */
    private boolean pair(long i) {
        return i >= 0 && i + 1 < n && inS(i + 1, i) != 0;
    }

    private static double largest(long n, long matrix, long ld) {
        double most = 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i < Math.min(n, j + 2); i++) {
                most = Math.max(most, Math.abs(f64(matrix + (i + j * ld) * 8L)));
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
        y = work + n * 8L;
        normS = Math.max(LEAST, largest(n, s, lds));
        normP = Math.max(LEAST, largest(n, p, ldp));
        // Coefficients make both matrices about 1.
        limit = UNIT / LEAST / n / 4;
        for (long done = 0; done < n;) {
            // A vector takes the place of columns that no later one needs.
            long last = left ? done : n - done - 1;
            long k = !left && pair(last - 1) ? last - 1 : last;
            two = pair(k);
            vector(k);
            store(k, v, ldv, work + 2 * n * 8L);
            done += two ? 2 : 1;
        }
    }

    /** The vector times the Schur vectors, its largest element of size 1. */
    private void store(long k, long v, long ldv, long product) {
        long from = left ? k : 0;
        long terms = left ? n - k : k + (two ? 2 : 1);
        long other = product + n * 8L;
        leaf.gemv(Op.NONE, n, terms, 1, 0, v + from * ldv * 8L, ldv, x + from * 8L, 1, 0, 0, product, 1);
        if (two) {
            leaf.gemv(Op.NONE, n, terms, 1, 0, v + from * ldv * 8L, ldv, y + from * 8L, 1, 0, 0, other, 1);
        }
        double most = 0;
        for (long i = 0; i < n; i++) {
            most = Math.max(most, Math.abs(f64(product + i * 8L)) + (two ? Math.abs(f64(other + i * 8L)) : 0));
        }
        if (most > 0) {
            leaf.scal(two ? 2 * n : n, 1 / most, 0, true, product, 1);
        }
        leaf.copy(n, product, 1, v + k * ldv * 8L, 1);
        if (two) {
            leaf.copy(n, other, 1, v + (k + 1) * ldv * 8L, 1);
        }
    }

    private void vector(long k) {
        leaf.fill(2 * n, 0, 0, x, 1);
        if (two) {
            start(k);
        } else {
            f64(x + k * 8L, 1);
            coefficients(f64(s + k * (lds + 1) * 8L), 0, f64(p + k * (ldp + 1) * 8L));
        }
        double size = Math.max(a * normS, (Math.abs(bRe) + Math.abs(bIm)) * normP);
        least = Math.max(UNIT * size, LEAST / UNIT);
        long end = two ? k + 2 : k + 1;
        if (left) {
            for (long r = end; r < n; r += pair(r) ? 2 : 1) {
                gather(k, r, r);
                if (pair(r)) {
                    gather(k, r, r + 1);
                    block(r);
                } else {
                    single(r);
                }
            }
        } else {
            spread(k, end, k);
            for (long r = k - 1; r >= 0; r--) {
                long first = pair(r - 1) ? r - 1 : r;
                if (first < r) {
                    block(first);
                } else {
                    single(r);
                }
                spread(first, r + 1, first);
                r = first;
            }
        }
    }

    /** A pair of numbers that makes one of both matrices about 1 and the other no larger. */
    private void coefficients(double real, double imaginary, double beta) {
        double below = beta / normP;
        double ownRe = real / normS;
        double ownIm = imaginary / normS;
        double large = Math.max(Math.abs(below), Math.abs(ownRe) + Math.abs(ownIm));
        if (!(large > 0)) {
            // Any number is an eigenvalue; the first unit vector will do.
            large = 1;
            below = 1;
        }
        a = below / large / normS;
        bRe = ownRe / large / normP;
        bIm = ownIm / large / normP;
    }

    /** The coefficients of a block, and the vector in its own rows. */
    private void start(long k) {
        pencil.read(s + k * (lds + 1) * 8L, lds, p + k * (ldp + 1) * 8L, ldp);
        pencil.values();
        coefficients(pencil.alphaRe1, pencil.alphaIm1, pencil.betaOf1);
        double firstRe = a * inS(k, k) - bRe * inP(k, k);
        double firstIm = -bIm * inP(k, k);
        double lastRe = a * inS(k + 1, k + 1) - bRe * inP(k + 1, k + 1);
        double lastIm = -bIm * inP(k + 1, k + 1);
        double above = a * (left ? inS(k + 1, k) : inS(k, k + 1));
        double below = a * (left ? inS(k, k + 1) : inS(k + 1, k));
        double sign = left ? -1 : 1;
        // What the larger row lets be.
        if (Math.abs(firstRe) + Math.abs(firstIm) + Math.abs(above)
                >= Math.abs(lastRe) + Math.abs(lastIm) + Math.abs(below)) {
            put(k, -above, 0);
            put(k + 1, firstRe, sign * firstIm);
        } else {
            put(k, lastRe, sign * lastIm);
            put(k + 1, -below, 0);
        }
        double most = Math.max(size(k), size(k + 1));
        leaf.scal(2, 1 / most, 0, true, x + k * 8L, 1);
        leaf.scal(2, 1 / most, 0, true, y + k * 8L, 1);
    }

    private void put(long r, double real, double imaginary) {
        f64(x + r * 8L, real);
        if (two) {
            f64(y + r * 8L, imaginary);
        }
    }

    private double size(long r) {
        return Math.abs(f64(x + r * 8L)) + (two ? Math.abs(f64(y + r * 8L)) : 0);
    }

    /** Takes the unknowns from…to-1 off those in rows before one. */
    private void spread(long from, long to, long rows) {
        for (long c = from; c < to; c++) {
            double u = f64(x + c * 8L);
            double v = two ? f64(y + c * 8L) : 0;
            for (long i = 0; i < rows; i++) {
                double real = a * inS(i, c) - bRe * inP(i, c);
                double imaginary = -bIm * inP(i, c);
                f64(x + i * 8L, f64(x + i * 8L) - (u * real - v * imaginary));
                if (two) {
                    f64(y + i * 8L, f64(y + i * 8L) - (u * imaginary + v * real));
                }
            }
        }
    }

    /** Takes off unknown r what those from k on mean for it, up to the block that begins with a row. */
    private void gather(long k, long end, long r) {
        double sumRe = 0;
        double sumIm = 0;
        for (long i = k; i < end; i++) {
            double real = a * inS(i, r) - bRe * inP(i, r);
            double imaginary = bIm * inP(i, r);
            double u = f64(x + i * 8L);
            double v = two ? f64(y + i * 8L) : 0;
            sumRe -= u * real - v * imaginary;
            sumIm -= u * imaginary + v * real;
        }
        put(r, sumRe, sumIm);
    }

    private void single(long r) {
        double divisorIm = left ? bIm : -bIm;
        divide(r, a * inS(r, r) - bRe * inP(r, r), divisorIm * inP(r, r));
        put(r, re, im);
    }

    /** Two equations by elimination; the larger element of the first column is the pivot. */
    private void block(long r) {
        double sign = left ? bIm : -bIm;
        double firstRe = a * inS(r, r) - bRe * inP(r, r);
        double firstIm = sign * inP(r, r);
        double lastRe = a * inS(r + 1, r + 1) - bRe * inP(r + 1, r + 1);
        double lastIm = sign * inP(r + 1, r + 1);
        double above = a * (left ? inS(r + 1, r) : inS(r, r + 1));
        double below = a * (left ? inS(r, r + 1) : inS(r + 1, r));
        boolean swap = Math.abs(below) > Math.abs(firstRe) + Math.abs(firstIm);
        double pivotRe = swap ? below : firstRe;
        double pivotIm = swap ? 0 : firstIm;
        double besideRe = swap ? lastRe : above;
        double besideIm = swap ? lastIm : 0;
        double underRe = swap ? firstRe : below;
        double underIm = swap ? firstIm : 0;
        double endRe = swap ? above : lastRe;
        double endIm = swap ? 0 : lastIm;
        if (Math.abs(pivotRe) + Math.abs(pivotIm) < least) {
            pivotRe = least;
            pivotIm = 0;
        }
        if (swap) {
            double u = f64(x + r * 8L);
            double v = two ? f64(y + r * 8L) : 0;
            put(r, f64(x + r * 8L + 8L), two ? f64(y + r * 8L + 8L) : 0);
            put(r + 1, u, v);
        }
        quotient(underRe, underIm, pivotRe, pivotIm);
        double factorRe = re;
        double factorIm = im;
        endRe -= factorRe * besideRe - factorIm * besideIm;
        endIm -= factorRe * besideIm + factorIm * besideRe;
        takeOff(r + 1, factorRe, factorIm, f64(x + r * 8L), two ? f64(y + r * 8L) : 0);
        divide(r + 1, endRe, endIm);
        put(r + 1, re, im);
        takeOff(r, besideRe, besideIm, re, im);
        divide(r, pivotRe, pivotIm);
        put(r, re, im);
    }

    /** Takes a product off unknown r. */
    private void takeOff(long r, double u, double v, double z, double w) {
        put(r, f64(x + r * 8L) - (u * z - v * w), (two ? f64(y + r * 8L) : 0) - (u * w + v * z));
    }

    private void quotient(double u, double v, double c, double d) {
        boolean real = Math.abs(c) >= Math.abs(d);
        double ratio = real ? d / c : c / d;
        double whole = real ? c + d * ratio : c * ratio + d;
        re = (real ? u + v * ratio : u * ratio + v) / whole;
        im = (real ? v - u * ratio : v * ratio - u) / whole;
    }

    /** re and im := unknown r by a number; the vector is made smaller where that would be too large. */
    private void divide(long r, double divisorRe, double divisorIm) {
        double c = divisorRe;
        double d = divisorIm;
        if (Math.abs(c) + Math.abs(d) < least) {
            c = least;
            d = 0;
        }
        double own = Math.abs(c) + Math.abs(d);
        if (own < 1 && size(r) > limit * own) {
            shrink(1 / size(r));
        }
        quotient(f64(x + r * 8L), two ? f64(y + r * 8L) : 0, c, d);
        double most = Math.abs(re) + Math.abs(im);
        if (most > limit) {
            shrink(1 / most);
            re /= most;
            im /= most;
        }
    }

    private void shrink(double factor) {
        leaf.scal(2 * n, factor, 0, true, x, 1);
    }
}
