package dev.basalt.portable;

import static dev.basalt.spi.Memory.ADDRESSES;
import static dev.basalt.spi.Memory.f64;

/**
 * QR iteration of one real Hessenberg matrix with two shifts at a time (Francis, "The QR transformation", 1961; Watkins and Elsner, "Convergence of algorithms of decomposition type for the eigenvalue
 * problem", 1991). Elements beside the diagonal are dropped by the rule of Ahues and Tisseur (LAPACK Working Note 122, 1997). It remembers the matrix that is worked on.
 */
final class DSchur {
    /** The distance from 1 to the next number. */
    static final double UNIT = 0x1p-52; // float: static final float UNIT = 0x1p-23f;

    /** The smallest normal number. */
    static final double LEAST = 0x1p-1022; // float: static final float LEAST = 0x1p-126f;

    /** Steps for each eigenvalue. */
    private static final long STEPS = 30;

    private static final long FEWEST = 10;

    /** So many steps without a split are followed by one with other shifts. */
    private static final long STUCK = 10;

    private static final double OTHER = 0.75;
    private static final double BESIDE = -0.4375;

    private final Leaf leaf;
    private final DPair pair = new DPair();

    private long h;
    private long ldh;
    private long z;
    private long ldz;
    private long zRows;

    /** The last reflector: I - tau·v·vᵀ, v = (1, second, third), takes its vector to (beta, 0, 0). */
    double beta;

    double second;
    double third;
    double tau;

    DSchur(Leaf leaf) {
        this.leaf = leaf;
    }

    private long at(long i, long j) {
        return h + (i + j * ldh) * 8L;
    }

    private double get(long i, long j) {
        return f64(h + (i + j * ldh) * 8L);
    }

    /** The reflector of three elements. */
    void reflector(double x, double y, double w) {
        if (y == 0 && w == 0) {
            beta = x;
            second = 0;
            third = 0;
            tau = 0;
            return;
        }
        double large = Math.max(Math.abs(x), Math.max(Math.abs(y), Math.abs(w)));
        double a = x / large;
        double b = y / large;
        double c = w / large;
        double norm = Math.sqrt(a * a + b * b + c * c);
        double end = a >= 0 ? -norm : norm;
        tau = (end - a) / end;
        double scale = 1 / (a - end);
        second = b * scale;
        third = c * scale;
        beta = end * large;
    }

    /** The last reflector on three rows of a matrix. */
    void rows(long cols, long x, long ld) {
        leaf.chaseRows(cols, x, ld, tau, 0, second, third);
    }

    /** The last reflector on three columns of a matrix. */
    void columns(long rows, long x, long ld) {
        leaf.chaseColumns(rows, x, ld, tau, 0, second, third);
    }

    /** The reflector's three columns of a matrix. */
    static void onColumns(long rows, long x, long ld, double second, double third, double tau) {
        long p = x & ADDRESSES;
        long q = x + ld * 8L & ADDRESSES;
        long r = x + 2 * ld * 8L & ADDRESSES;
        double t2 = tau * second;
        double t3 = tau * third;
        for (long i = 0; i < rows; i++) {
            double a = f64(p);
            double b = f64(q);
            double c = f64(r);
            double sum = a + second * b + third * c;
            f64(p, a - sum * tau);
            f64(q, b - sum * t2);
            f64(r, c - sum * t3);
            p = p + 8L & ADDRESSES;
            q = q + 8L & ADDRESSES;
            r = r + 8L & ADDRESSES;
        }
    }

    /** The reflector's three rows of a matrix. */
    static void onRows(long cols, long x, long ld, double second, double third, double tau) {
        double t2 = tau * second;
        double t3 = tau * third;
        long p = x & ADDRESSES;
        for (long j = 0; j < cols; j++) {
            double a = f64(p);
            double b = f64(p + 8L);
            double c = f64(p + 16L);
            double sum = a + second * b + third * c;
            f64(p, a - sum * tau);
            f64(p + 8L, b - sum * t2);
            f64(p + 16L, c - sum * t3);
            p = p + ld * 8L & ADDRESSES;
        }
    }

    /** The same of two elements. */
    static void onTwoColumns(long rows, long x, long ld, double second, double tau) {
        long p = x & ADDRESSES;
        long q = x + ld * 8L & ADDRESSES;
        double t2 = tau * second;
        for (long i = 0; i < rows; i++) {
            double a = f64(p);
            double b = f64(q);
            double sum = a + second * b;
            f64(p, a - sum * tau);
            f64(q, b - sum * t2);
            p = p + 8L & ADDRESSES;
            q = q + 8L & ADDRESSES;
        }
    }

    static void onTwoRows(long cols, long x, long ld, double second, double tau) {
        double t2 = tau * second;
        long p = x & ADDRESSES;
        for (long j = 0; j < cols; j++) {
            double a = f64(p);
            double b = f64(p + 8L);
            double sum = a + second * b;
            f64(p, a - sum * tau);
            f64(p + 8L, b - sum * t2);
            p = p + ld * 8L & ADDRESSES;
        }
    }

    /** The rotation's two columns: x := cosine·x + sine·y, y := cosine·y - sine·x. */
    static void rotate(long n, long x, long dx, long y, double cosine, double sine) {
        for (long i = 0; i < n; i++, x += dx * 8L, y += dx * 8L) {
            double a = f64(x);
            double b = f64(y);
            f64(x, cosine * a + sine * b);
            f64(y, cosine * b - sine * a);
        }
    }

    /**
     * The eigenvalues of rows and columns lo to hi of a matrix of order n, outside of which it is triangular.
     *
     * @param schur whether the whole matrix becomes its Schur form
     * @param rows of the matrix at vectors, which is multiplied by the Schur vectors; 0 for none
     * @return 0, or 1 + the last row that has not converged
     */
    long run(boolean schur, long n, long lo, long hi, long matrix, long ld, long wr, long wi, long rows, long vectors,
            long ldVectors) {
        h = matrix;
        ldh = ld;
        z = vectors;
        ldz = ldVectors;
        zRows = rows;
        for (long j = lo; j <= hi - 2; j++) {
            f64(at(j + 2, j), 0);
            if (j <= hi - 3) {
                f64(at(j + 3, j), 0);
            }
        }
        long left = STEPS * Math.max(FEWEST, hi - lo + 1);
        long i = hi;
        while (i >= lo) {
            long first = lo;
            long tries = 0;
            while (true) {
                first = split(lo, hi, first, i);
                if (first > lo) {
                    f64(at(first, first - 1), 0);
                }
                if (first >= i - 1) {
                    break;
                }
                if (left-- <= 0) {
                    return i + 1;
                }
                step(schur, n, first, i, ++tries);
            }
            if (first == i) {
                f64(wr + i * 8L, get(i, i));
                f64(wi + i * 8L, 0);
            } else {
                standard(schur, n, i, wr, wi);
            }
            i = first - 1;
        }
        return 0;
    }

    /** The first row of the block that ends with row i. */
    private long split(long lo, long hi, long from, long i) {
        double small = LEAST * ((hi - lo + 1) / UNIT);
        long k = i;
        for (; k > from; k--) {
            if (negligible(h, ldh, k, lo, hi, small)) {
                break;
            }
        }
        return k;
    }

    /** Whether the element beside the diagonal in row k may be dropped. */
    static boolean negligible(long h, long ldh, long k, long lo, long hi, double small) {
        long diagonal = h + (k + k * ldh) * 8L;
        double beside = Math.abs(f64(diagonal - ldh * 8L));
        if (beside <= small) {
            return true;
        }
        long before = diagonal - ldh * 8L - 8L;
        double x = f64(diagonal);
        double y = f64(before);
        double size = Math.abs(x) + Math.abs(y);
        if (size == 0) {
            size += k - 2 >= lo ? Math.abs(f64(before - ldh * 8L)) : 0;
            size += k + 1 <= hi ? Math.abs(f64(diagonal + 8L)) : 0;
        }
        if (beside > UNIT * size) {
            return false;
        }
        double above = Math.abs(f64(diagonal - 8L));
        double most = Math.max(beside, above);
        double least = Math.min(beside, above);
        double apart = Math.abs(y - x);
        double own = Math.abs(x);
        double large = Math.max(own, apart);
        double sum = large + most;
        return least * (most / sum) <= Math.max(small, UNIT * (Math.min(own, apart) * (large / sum)));
    }

    /** One double step on rows first to i. */
    private void step(boolean schur, long n, long first, long i, long tries) {
        pair.shifts(tries % (2 * STUCK) == 0 ? 2 : tries % STUCK == 0 ? 1 : 0, h, ldh, first, i, OTHER, BESIDE);
        long m = i - 2;
        double a = 0;
        double b = 0;
        double c = 0;
        for (; m >= first; m--) {
            double low = get(m + 1, m);
            double less = get(m, m) - pair.re2;
            double s = Math.abs(less) + Math.abs(pair.im2) + Math.abs(low);
            low /= s;
            a = low * get(m, m + 1) + (get(m, m) - pair.re1) * (less / s) - pair.im1 * (pair.im2 / s);
            b = low * (get(m, m) + get(m + 1, m + 1) - pair.re1 - pair.re2);
            c = low * get(m + 2, m + 1);
            s = Math.abs(a) + Math.abs(b) + Math.abs(c);
            a /= s;
            b /= s;
            c /= s;
            if (m == first) {
                break;
            }
            double around = Math.abs(get(m - 1, m - 1)) + Math.abs(get(m, m)) + Math.abs(get(m + 1, m + 1));
            if (Math.abs(get(m, m - 1)) * (Math.abs(b) + Math.abs(c)) <= UNIT * Math.abs(a) * around) {
                break;
            }
        }
        long top = schur ? 0 : first;
        long end = schur ? n - 1 : i;
        for (long k = m; k < i; k++) {
            boolean three = k < i - 1;
            if (k > m) {
                a = get(k, k - 1);
                b = get(k + 1, k - 1);
                c = three ? get(k + 2, k - 1) : 0;
            }
            reflector(a, b, c);
            if (k > m) {
                f64(at(k, k - 1), beta);
                f64(at(k + 1, k - 1), 0);
                if (three) {
                    f64(at(k + 2, k - 1), 0);
                }
            } else if (m > first) {
                f64(at(k, k - 1), get(k, k - 1) * (1 - tau));
            }
            long below = Math.min(k + 3, i);
            if (three) {
                rows(end - k + 1, at(k, k), ldh);
                columns(below - top + 1, at(top, k), ldh);
                columns(zRows, z + k * ldz * 8L, ldz);
            } else {
                onTwoRows(end - k + 1, at(k, k), ldh, second, tau);
                onTwoColumns(below - top + 1, at(top, k), ldh, second, tau);
                onTwoColumns(zRows, z + k * ldz * 8L, ldz, second, tau);
            }
        }
    }

    /** Brings the block of rows i - 1 and i to its standard form. */
    private void standard(boolean schur, long n, long i, long wr, long wi) {
        pair.standard(get(i - 1, i - 1), get(i - 1, i), get(i, i - 1), get(i, i));
        f64(at(i - 1, i - 1), pair.a);
        f64(at(i - 1, i), pair.b);
        f64(at(i, i - 1), pair.c);
        f64(at(i, i), pair.d);
        f64(wr + (i - 1) * 8L, pair.re1);
        f64(wi + (i - 1) * 8L, pair.im1);
        f64(wr + i * 8L, pair.re2);
        f64(wi + i * 8L, pair.im2);
        if (schur) {
            rotate(n - 1 - i, at(i - 1, i + 1), ldh, at(i, i + 1), pair.cosine, pair.sine);
            rotate(i - 1, at(0, i - 1), 1, at(0, i), pair.cosine, pair.sine);
        }
        rotate(zRows, z + (i - 1) * ldz * 8L, 1, z + i * ldz * 8L, pair.cosine, pair.sine);
    }
}
