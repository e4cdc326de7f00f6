package dev.basalt.portable;

import static dev.basalt.spi.Memory.ADDRESSES;
import static dev.basalt.spi.Memory.f64;

/**
 * QR iteration of one complex Hessenberg matrix with one shift at a time (Francis, "The QR transformation", 1961), Wilkinson's. Elements beside the diagonal are dropped by the rule of Ahues and Tisseur (LAPACK Working Note 122, 1997). It
 * remembers the matrix that is worked on.
 */
final class ZSchur {
    /** The distance from 1 to the next number. */
    static final double UNIT = 0x1p-52; // float: static final float UNIT = 0x1p-23f;

    /** The smallest normal number. */
    static final double LEAST = 0x1p-1022; // float: static final float LEAST = 0x1p-126f;

    /** Steps for each eigenvalue. */
    private static final long STEPS = 30;

    private static final long FEWEST = 10;
    private static final long STUCK = 10;
    private static final double OTHER = 0.75;
    private static final double HALF = 0.5;

    private final Leaf leaf;
    private long h;
    private long ldh;

    /** The last reflector: H = I - tau·v·vᴴ, v = (1, second), whose Hᴴ takes its vector to (beta, 0). */
    double beta;

    double secondRe;
    double secondIm;
    double tauRe;
    double tauIm;

    /** A result of complex arithmetic. */
    private double re;

    private double im;

    ZSchur(Leaf leaf) {
        this.leaf = leaf;
    }

    private long at(long i, long j) {
        return h + (i + j * ldh) * 16L;
    }

    private static double size(long element) {
        return Math.abs(f64(element)) + Math.abs(f64(element + 8L));
    }

    private static void put(long element, double real, double imaginary) {
        f64(element, real);
        f64(element + 8L, imaginary);
    }

    /** The reflector of two elements. */
    void reflector(double xRe, double xIm, double yRe, double yIm) {
        secondRe = 0;
        secondIm = 0;
        tauRe = 0;
        tauIm = 0;
        beta = xRe;
        if (yRe == 0 && yIm == 0 && xIm == 0) {
            return;
        }
        double large = Math.max(Math.max(Math.abs(xRe), Math.abs(xIm)), Math.max(Math.abs(yRe), Math.abs(yIm)));
        double a = xRe / large;
        double b = xIm / large;
        double c = yRe / large;
        double d = yIm / large;
        double norm = Math.sqrt(a * a + b * b + c * c + d * d);
        double end = a >= 0 ? -norm : norm;
        tauRe = (end - a) / end;
        tauIm = -b / end;
        divide(c, d, a - end, b);
        secondRe = re;
        secondIm = im;
        beta = end * large;
    }

    private void divide(double a, double b, double c, double d) {
        if (Math.abs(c) >= Math.abs(d)) {
            double ratio = d / c;
            double whole = c + d * ratio;
            re = (a + b * ratio) / whole;
            im = (b - a * ratio) / whole;
        } else {
            double ratio = c / d;
            double whole = c * ratio + d;
            re = (a * ratio + b) / whole;
            im = (b * ratio - a) / whole;
        }
    }

    private void root(double a, double b) {
        double large = Math.max(Math.abs(a), Math.abs(b));
        if (large == 0) {
            re = 0;
            im = 0;
            return;
        }
        double x = a / large;
        double y = b / large;
        double outer = Math.sqrt(large);
        double half = Math.sqrt(HALF * (Math.sqrt(x * x + y * y) + Math.abs(x)));
        double other = Math.abs(y) / (2 * half);
        re = outer * (x >= 0 ? half : other);
        im = Math.copySign(outer * (x >= 0 ? other : half), b);
    }

    /** The last reflector from the left, Hᴴ, on two rows. */
    void rows(long cols, long x, long ld) {
        leaf.chaseRows(cols, x, ld, tauRe, tauIm, secondRe, secondIm);
    }

    /** The last reflector from the right on two columns. */
    void columns(long rows, long x, long ld) {
        leaf.chaseColumns(rows, x, ld, tauRe, tauIm, secondRe, secondIm);
    }

    /** A reflector from the left, Hᴴ, on two rows. */
    static void onRows(long cols, long x, long ld, double tr, double ti, double vr, double vi) {
        long p = x & ADDRESSES;
        for (long j = 0; j < cols; j++) {
            double a = f64(p);
            double b = f64(p + 8L);
            double c = f64(p + 16L);
            double d = f64(p + 24L);
            double sr = a + vr * c + vi * d;
            double si = b + vr * d - vi * c;
            double pr = tr * sr + ti * si;
            double pi = tr * si - ti * sr;
            f64(p, a - pr);
            f64(p + 8L, b - pi);
            f64(p + 16L, c - (pr * vr - pi * vi));
            f64(p + 24L, d - (pr * vi + pi * vr));
            p = p + ld * 16L & ADDRESSES;
        }
    }

    /** A reflector from the right on two columns. */
    static void onColumns(long rows, long x, long ld, double tr, double ti, double vr, double vi) {
        long p = x & ADDRESSES;
        long q = x + ld * 16L & ADDRESSES;
        for (long i = 0; i < rows; i++) {
            double a = f64(p);
            double b = f64(p + 8L);
            double c = f64(q);
            double d = f64(q + 8L);
            double sr = a + c * vr - d * vi;
            double si = b + c * vi + d * vr;
            double pr = tr * sr - ti * si;
            double pi = tr * si + ti * sr;
            f64(p, a - pr);
            f64(p + 8L, b - pi);
            f64(q, c - (pr * vr + pi * vi));
            f64(q + 8L, d - (pi * vr - pr * vi));
            p = p + 16L & ADDRESSES;
            q = q + 16L & ADDRESSES;
        }
    }

    /**
     * The eigenvalues of rows and columns lo to hi of a matrix of order n, outside of which it is triangular.
     *
     * @param schur whether the whole matrix becomes its Schur form
     * @param rows of the matrix at z, which is multiplied by the Schur vectors; 0 for none
     * @return 0, or 1 + the last row that has not converged
     */
    long run(boolean schur, long n, long lo, long hi, long matrix, long ld, long w, long rows, long z, long ldz) {
        h = matrix;
        ldh = ld;
        for (long j = lo; j <= hi - 2; j++) {
            put(at(j + 2, j), 0, 0);
        }
        double small = LEAST * ((hi - lo + 1) / UNIT);
        long left = STEPS * Math.max(FEWEST, hi - lo + 1);
        long i = hi;
        while (i >= lo) {
            long tries = 0;
            while (true) {
                long first = i;
                while (first > lo && !negligible(h, ldh, first, lo, hi, small)) {
                    first--;
                }
                if (first > lo) {
                    put(at(first, first - 1), 0, 0);
                }
                if (first == i) {
                    break;
                }
                if (left-- <= 0) {
                    return i + 1;
                }
                shift(first, i, ++tries);
                step(schur, n, first, i, rows, z, ldz);
            }
            put(w + i * 16L, f64(at(i, i)), f64(at(i, i) + 8L));
            i--;
        }
        return 0;
    }

    /** Whether the element beside the diagonal in row k may be dropped. */
    static boolean negligible(long h, long ldh, long k, long lo, long hi, double small) {
        long x = h + (k + k * ldh) * 16L;
        double beside = size(x - ldh * 16L);
        if (beside <= small) {
            return true;
        }
        long y = x - ldh * 16L - 16L;
        double sum = size(x) + size(y);
        if (sum == 0) {
            sum += k - 2 >= lo ? size(y - ldh * 16L) : 0;
            sum += k + 1 <= hi ? size(x + 16L) : 0;
        }
        if (beside > UNIT * sum) {
            return false;
        }
        double above = size(x - 16L);
        double most = Math.max(beside, above);
        double least = Math.min(beside, above);
        double apart = Math.abs(f64(y) - f64(x)) + Math.abs(f64(y + 8L) - f64(x + 8L));
        double own = size(x);
        double large = Math.max(own, apart);
        double whole = large + most;
        return least * (most / whole) <= Math.max(small, UNIT * (Math.min(own, apart) * (large / whole)));
    }

    private double shiftRe;
    private double shiftIm;

    /** The eigenvalue of the last two rows that is nearer to the last element; after many tries another number. */
    private void shift(long first, long i, long tries) {
        shiftRe = f64(at(i, i));
        shiftIm = f64(at(i, i) + 8L);
        if (tries % (2 * STUCK) == 0) {
            shiftRe += OTHER * size(at(i, i - 1));
            return;
        }
        if (tries % STUCK == 0) {
            shiftRe = f64(at(first, first)) + OTHER * size(at(first + 1, first));
            shiftIm = f64(at(first, first) + 8L);
            return;
        }
        root(f64(at(i - 1, i)), f64(at(i - 1, i) + 8L));
        double aRe = re;
        double aIm = im;
        root(f64(at(i, i - 1)), f64(at(i, i - 1) + 8L));
        double uRe = aRe * re - aIm * im;
        double uIm = aRe * im + aIm * re;
        double s = Math.abs(uRe) + Math.abs(uIm);
        if (s == 0) {
            return;
        }
        double xRe = HALF * (f64(at(i - 1, i - 1)) - shiftRe);
        double xIm = HALF * (f64(at(i - 1, i - 1) + 8L) - shiftIm);
        double sx = Math.abs(xRe) + Math.abs(xIm);
        s = Math.max(s, sx);
        double pRe = xRe / s;
        double pIm = xIm / s;
        double qRe = uRe / s;
        double qIm = uIm / s;
        root(pRe * pRe - pIm * pIm + qRe * qRe - qIm * qIm, 2 * (pRe * pIm + qRe * qIm));
        double yRe = s * re;
        double yIm = s * im;
        if (sx > 0 && xRe / sx * yRe + xIm / sx * yIm < 0) {
            yRe = -yRe;
            yIm = -yIm;
        }
        divide(uRe, uIm, xRe + yRe, xIm + yIm);
        double less = uRe * re - uIm * im;
        shiftIm -= uRe * im + uIm * re;
        shiftRe -= less;
    }

    private void step(boolean schur, long n, long first, long i, long rows, long z, long ldz) {
        long m = i - 1;
        double aRe = 0;
        double aIm = 0;
        double bRe = 0;
        double bIm = 0;
        for (; m >= first; m--) {
            aRe = f64(at(m, m)) - shiftRe;
            aIm = f64(at(m, m) + 8L) - shiftIm;
            bRe = f64(at(m + 1, m));
            bIm = f64(at(m + 1, m) + 8L);
            double s = Math.abs(aRe) + Math.abs(aIm) + Math.abs(bRe) + Math.abs(bIm);
            if (s > 0) {
                aRe /= s;
                aIm /= s;
                bRe /= s;
                bIm /= s;
            }
            if (m == first) {
                break;
            }
            double around = size(at(m, m)) + size(at(m + 1, m + 1));
            if (size(at(m, m - 1)) * (Math.abs(bRe) + Math.abs(bIm))
                    <= UNIT * ((Math.abs(aRe) + Math.abs(aIm)) * around)) {
                break;
            }
        }
        long top = schur ? 0 : first;
        long end = schur ? n - 1 : i;
        for (long k = m; k < i; k++) {
            if (k > m) {
                long x = at(k, k - 1);
                reflector(f64(x), f64(x + 8L), f64(x + 16L), f64(x + 24L));
                put(x, beta, 0);
                put(x + 16L, 0, 0);
            } else {
                reflector(aRe, aIm, bRe, bIm);
                if (m > first) {
                    long x = at(k, k - 1);
                    double a = f64(x);
                    double b = f64(x + 8L);
                    put(x, a - (tauRe * a + tauIm * b), b - (tauRe * b - tauIm * a));
                }
            }
            rows(end - k + 1, at(k, k), ldh);
            columns(Math.min(k + 2, i) - top + 1, at(top, k), ldh);
            columns(rows, z + k * ldz * 16L, ldz);
        }
    }

    /** A row or column of the exchange of neighbouring eigenvalues: x := c·x + s·y, y := c·y - conj(s)·x. */
    static void rotate(long n, long from, long to, long step, double c, double sRe, double sIm) {
        long x = from;
        long y = to;
        for (long i = 0; i < n; i++, x += step * 16L, y += step * 16L) {
            double a = f64(x);
            double b = f64(x + 8L);
            double p = f64(y);
            double q = f64(y + 8L);
            put(x, c * a + (sRe * p - sIm * q), c * b + (sRe * q + sIm * p));
            put(y, c * p - (sRe * a + sIm * b), c * q - (sRe * b - sIm * a));
        }
    }

    /** Moves an eigenvalue of a triangular matrix of order n to another row, by exchanges of neighbours. */
    static void move(long from, long to, long n, long t, long ldt, long rows, long q, long ldq) {
        long here = from;
        while (here != to) {
            long k = here < to ? here : here - 1;
            exchange(k, n, t, ldt, rows, q, ldq);
            here += here < to ? 1 : -1;
        }
    }

    private static void exchange(long k, long n, long t, long ldt, long rows, long q, long ldq) {
        long kk = t + k * (ldt + 1) * 16L;
        long next = kk + (ldt + 1) * 16L;
        double aRe = f64(kk);
        double aIm = f64(kk + 8L);
        double bRe = f64(next);
        double bIm = f64(next + 8L);
        double fRe = f64(kk + ldt * 16L);
        double fIm = f64(kk + ldt * 16L + 8L);
        double gRe = bRe - aRe;
        double gIm = bIm - aIm;
        double large = Math.max(Math.max(Math.abs(fRe), Math.abs(fIm)), Math.max(Math.abs(gRe), Math.abs(gIm)));
        double c = 1;
        double sRe = 0;
        double sIm = 0;
        if (large > 0) {
            fRe /= large;
            fIm /= large;
            gRe /= large;
            gIm /= large;
            double f = Math.sqrt(fRe * fRe + fIm * fIm);
            double r = Math.sqrt(fRe * fRe + fIm * fIm + gRe * gRe + gIm * gIm);
            c = f / r;
            double uRe = f == 0 ? 1 : fRe / f;
            double uIm = f == 0 ? 0 : fIm / f;
            sRe = (uRe * gRe + uIm * gIm) / r;
            sIm = (uIm * gRe - uRe * gIm) / r;
        }
        rotate(n - k - 2, kk + 2 * ldt * 16L, next + ldt * 16L, ldt, c, sRe, sIm);
        rotate(k, t + k * ldt * 16L, t + (k + 1) * ldt * 16L, 1, c, sRe, -sIm);
        put(kk, bRe, bIm);
        put(next, aRe, aIm);
        rotate(rows, q + k * ldq * 16L, q + (k + 1) * ldq * 16L, 1, c, sRe, -sIm);
    }
}
