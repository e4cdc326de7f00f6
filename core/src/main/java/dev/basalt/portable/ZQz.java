package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;
import dev.basalt.type.Selection;

/**
 * The Schur forms of two complex matrices by the QZ algorithm (Moler and Stewart, "An algorithm for generalized matrix eigenvalue problems", 1973): B becomes triangular by reflectors, A upper Hessenberg by rotations that keep it so, and steps with one shift
 * take what is below the diagonal of A. It remembers the matrices that are worked on.
 */
final class ZQz implements QzLeaf {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;
    private static final double HALF = 0.5;

    /** Steps for each eigenvalue. */
    private static final long STEPS = 30;

    private static final long STUCK = 10;

    private final Leaf leaf;
    private long n;
    private long a;
    private long lda;
    private long b;
    private long ldb;
    private long q;
    private long ldq;
    private long z;
    private long ldz;
    private double normA;
    private double normB;
    private double unusualRe;
    private double unusualIm;

    /** The last rotation: (f, g) becomes (r, 0) by rows (c, s) and (-conj(s), c). */
    private double c;

    private double sRe;
    private double sIm;
    private double rRe;
    private double rIm;

    /** A result of complex arithmetic. */
    private double re;

    private double im;

    ZQz(Leaf leaf) {
        this.leaf = leaf;
    }

    private long atA(long i, long j) {
        return a + (i + j * lda) * 16L;
    }

    private long atB(long i, long j) {
        return b + (i + j * ldb) * 16L;
    }

    private static double size(long element) {
        return Math.abs(f64(element)) + Math.abs(f64(element + 8L));
    }

    private static void put(long element, double real, double imaginary) {
        f64(element, real);
        f64(element + 8L, imaginary);
    }

    @Override
    public long qz(long order, long matrixA, long strideA, long matrixB, long strideB, long left, long ldLeft,
            long right, long ldRight, long alphas, long betas) {
        begin(order, matrixA, strideA, matrixB, strideB, left, ldLeft, right, ldRight);
        if (!finite(a, lda) || !finite(b, ldb)) {
            leaf.fill(n, Double.NaN, Double.NaN, alphas, 1);
            leaf.fill(n, Double.NaN, Double.NaN, betas, 1);
            return n;
        }
        identity(q, ldq);
        identity(z, ldz);
        triangular(alphas, betas);
        hessenberg();
        normA = norm(a, lda);
        normB = norm(b, ldb);
        long failed = iterate();
        leaf.fill(failed, Double.NaN, Double.NaN, alphas, 1);
        leaf.fill(failed, Double.NaN, Double.NaN, betas, 1);
        for (long i = failed; i < n; i++) {
            normal(i);
            put(alphas + i * 16L, f64(atA(i, i)), f64(atA(i, i) + 8L));
            put(betas + i * 16L, f64(atB(i, i)), f64(atB(i, i) + 8L));
        }
        return failed;
    }

    private void begin(long order, long matrixA, long strideA, long matrixB, long strideB, long left, long ldLeft,
            long right, long ldRight) {
        n = order;
        a = matrixA;
        lda = strideA;
        b = matrixB;
        ldb = strideB;
        q = left;
        ldq = ldLeft;
        z = right;
        ldz = ldRight;
    }

    @Override
    public long order(Selection select, long order, long matrixA, long strideA, long matrixB, long strideB, long left,
            long ldLeft, long right, long ldRight) {
        begin(order, matrixA, strideA, matrixB, strideB, left, ldLeft, right, ldRight);
        long chosen = 0;
        for (long i = 0; i < n; i++) {
            if (chooses(select, i)) {
                for (long k = i - 1; k >= chosen; k--) {
                    exchange(k);
                }
                chosen++;
            }
        }
        for (long i = 0; i < n; i++) {
            normal(i);
        }
        return chosen;
    }

    /** Whether a rule chooses eigenvalue i. */
    private boolean chooses(Selection select, long i) {
        double real = f64(atA(i, i));
        double size = Math.hypot(real, f64(atA(i, i) + 8L)); // keep double
        double beta = f64(atB(i, i));
        return switch (select) {
            case NONE -> false;
            case LEFT_HALF -> real < 0 && beta > 0;
            case RIGHT_HALF -> real > 0 && beta > 0;
            case INSIDE -> size < beta;
            case OUTSIDE -> size > beta;
        };
    }

    /** Eigenvalues k and k + 1 change places (Van Dooren, "A generalized eigenvalue approach for solving Riccati equations", 1981). */
    private void exchange(long k) {
        double largeA =
                Math.max(LEAST, Math.max(size(atA(k, k)), Math.max(size(atA(k + 1, k + 1)), size(atA(k, k + 1)))));
        double largeB =
                Math.max(LEAST, Math.max(size(atB(k, k)), Math.max(size(atB(k + 1, k + 1)), size(atB(k, k + 1)))));
        double sRe2 = f64(atA(k + 1, k + 1)) / largeA;
        double sIm2 = f64(atA(k + 1, k + 1) + 8L) / largeA;
        double tRe2 = f64(atB(k + 1, k + 1)) / largeB;
        double tIm2 = f64(atB(k + 1, k + 1) + 8L) / largeB;
        apart(sRe2, sIm2, atB(k, k), largeB, tRe2, tIm2, atA(k, k), largeA);
        double fRe = re;
        double fIm = im;
        apart(sRe2, sIm2, atB(k, k + 1), largeB, tRe2, tIm2, atA(k, k + 1), largeA);
        boolean first = size(atA(k + 1, k + 1)) / largeA * (size(atB(k, k)) / largeB)
                >= size(atA(k, k)) / largeA * (size(atB(k + 1, k + 1)) / largeB);
        rotation(re, im, fRe, fIm);
        ZSchur.rotate(k + 2, atA(0, k), atA(0, k + 1), 1, c, -sRe, sIm);
        ZSchur.rotate(k + 2, atB(0, k), atB(0, k + 1), 1, c, -sRe, sIm);
        if (z != 0) {
            ZSchur.rotate(n, z + k * ldz * 16L, z + (k + 1) * ldz * 16L, 1, c, -sRe, sIm);
        }
        if (first) {
            rotation(atA(k, k), atA(k + 1, k));
        } else {
            rotation(atB(k, k), atB(k + 1, k));
        }
        turnRows(k, k, k);
        put(atA(k + 1, k), 0, 0);
        put(atB(k + 1, k), 0, 0);
    }

    /** A number times an element, less another times another element; elements are divided by what is large. */
    private void apart(double x, double y, long inB, double largeB, double u, double v, long inA, double largeA) {
        double p = f64(inB) / largeB;
        double i = f64(inB + 8L) / largeB;
        double r = f64(inA) / largeA;
        double s = f64(inA + 8L) / largeA;
        re = x * p - y * i - (u * r - v * s);
        im = x * i + y * p - (u * s + v * r);
    }

    private boolean finite(long matrix, long ld) {
        double nothing = 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i < n; i++) {
                long element = matrix + (i + j * ld) * 16L;
                nothing += 0 * f64(element) + 0 * f64(element + 8L);
            }
        }
        return nothing == 0;
    }

    private void identity(long matrix, long ld) {
        if (matrix != 0) {
            leaf.scalMatrix(n, n, 0, 0, matrix, ld);
            leaf.fill(n, 1, 0, matrix, ld + 1);
        }
    }

    /** The Frobenius norm of what is not below the diagonal beside the main one. */
    private double norm(long matrix, long ld) {
        double most = 0;
        double sum = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < Math.min(n, j + 2); i++) {
                    double size = size(matrix + (i + j * ld) * 16L);
                    if (pass == 0) {
                        most = Math.max(most, size);
                    } else if (most > 0) {
                        sum += size / most * (size / most);
                    }
                }
            }
        }
        return most * Math.sqrt(sum);
    }

    /** B to triangular form by reflectors from the left, which A and Q get, too. */
    private void triangular(long work, long factor) {
        for (long j = 0; j + 1 < n; j++) {
            long m = n - j;
            long v = atB(j, j);
            leaf.larfg(false, m, v, v + 16L, 1, factor);
            double tauRe = f64(factor);
            double tauIm = f64(factor + 8L);
            double firstRe = f64(v);
            double firstIm = f64(v + 8L);
            put(v, 1, 0);
            reflect(m, m - 1, v, tauRe, tauIm, atB(j, j + 1), ldb, work);
            reflect(m, n, v, tauRe, tauIm, atA(j, 0), lda, work);
            if (q != 0) {
                long columns = q + j * ldq * 16L;
                leaf.gemv(Op.NONE, n, m, 1, 0, columns, ldq, v, 1, 0, 0, work, 1);
                leaf.ger(n, m, -tauRe, -tauIm, work, 1, v, 1, true, columns, ldq);
            }
            put(v, firstRe, firstIm);
            leaf.fill(m - 1, 0, 0, v + 16L, 1);
        }
    }

    private void reflect(long m, long cols, long v, double tauRe, double tauIm, long rows, long ld, long work) {
        leaf.gemv(Op.CONJ_TRANS, m, cols, 1, 0, rows, ld, v, 1, 0, 0, work, 1);
        leaf.ger(m, cols, -tauRe, tauIm, v, 1, work, 1, true, rows, ld);
    }

    /** A to Hessenberg form; each rotation of rows fills an element of B, which one of columns takes away. */
    private void hessenberg() {
        for (long j = 0; j + 2 < n; j++) {
            for (long i = n - 1; i > j + 1; i--) {
                rows(i - 1, j, j + 1, i - 1);
                columns(i, n, i);
            }
        }
    }

    /** Rotates rows i and i + 1 so that A's element of row i + 1 in a column is zero; columns from…n-1 of A and fromB…n-1 of B turn. */
    private void rows(long i, long column, long from, long fromB) {
        rotation(atA(i, column), atA(i + 1, column));
        put(atA(i, column), rRe, rIm);
        put(atA(i + 1, column), 0, 0);
        turnRows(i, from, fromB);
    }

    private void turnRows(long i, long from, long fromB) {
        ZSchur.rotate(n - from, atA(i, from), atA(i + 1, from), lda, c, sRe, sIm);
        ZSchur.rotate(n - fromB, atB(i, fromB), atB(i + 1, fromB), ldb, c, sRe, sIm);
        if (q != 0) {
            ZSchur.rotate(n, q + i * ldq * 16L, q + (i + 1) * ldq * 16L, 1, c, sRe, -sIm);
        }
    }

    /** Rotates columns j and j - 1 so that B's element of row j in column j - 1 is zero; so many rows of A and of B turn. */
    private void columns(long j, long rowsA, long rowsB) {
        rotation(atB(j, j), atB(j, j - 1));
        put(atB(j, j), rRe, rIm);
        put(atB(j, j - 1), 0, 0);
        turnColumns(j, rowsA, rowsB);
    }

    private void turnColumns(long j, long rowsA, long rowsB) {
        ZSchur.rotate(rowsA, atA(0, j), atA(0, j - 1), 1, c, sRe, sIm);
        ZSchur.rotate(rowsB, atB(0, j), atB(0, j - 1), 1, c, sRe, sIm);
        if (z != 0) {
            ZSchur.rotate(n, z + j * ldz * 16L, z + (j - 1) * ldz * 16L, 1, c, sRe, sIm);
        }
    }

    private void rotation(long f, long g) {
        rotation(f64(f), f64(f + 8L), f64(g), f64(g + 8L));
    }

    private void rotation(double fRe, double fIm, double gRe, double gIm) {
        double large = Math.max(Math.max(Math.abs(fRe), Math.abs(fIm)), Math.max(Math.abs(gRe), Math.abs(gIm)));
        c = 1;
        sRe = 0;
        sIm = 0;
        rRe = fRe;
        rIm = fIm;
        if (gRe == 0 && gIm == 0) {
            return;
        }
        double x = fRe / large;
        double y = fIm / large;
        double u = gRe / large;
        double v = gIm / large;
        double f = Math.sqrt(x * x + y * y);
        double r = Math.sqrt(x * x + y * y + u * u + v * v);
        double phaseRe = f == 0 ? 1 : x / f;
        double phaseIm = f == 0 ? 0 : y / f;
        c = f / r;
        // s = phase·conj(g) / r
        sRe = (phaseRe * u + phaseIm * v) / r;
        sIm = (phaseIm * u - phaseRe * v) / r;
        rRe = phaseRe * r * large;
        rIm = phaseIm * r * large;
    }

    /** The index behind the last eigenvalue that has not converged. */
    private long iterate() {
        long left = STEPS * n;
        long last = n - 1;
        long tries = 0;
        double smallB = Math.max(LEAST, UNIT * normB);
        while (last >= 0) {
            if (last == 0 || negligible(last)) {
                if (last > 0) {
                    put(atA(last, last - 1), 0, 0);
                }
                last--;
                tries = 0;
                unusualRe = 0;
                unusualIm = 0;
                continue;
            }
            if (size(atB(last, last)) <= smallB) {
                infinite(last);
                continue;
            }
            long first = last;
            boolean chased = false;
            while (first > 0 && !chased) {
                first--;
                boolean splits = first == 0 || negligible(first);
                if (splits && first > 0) {
                    put(atA(first, first - 1), 0, 0);
                }
                if (size(atB(first, first)) <= smallB) {
                    chase(first, last);
                    chased = true;
                } else if (splits) {
                    break;
                }
            }
            if (chased) {
                continue;
            }
            if (left-- <= 0) {
                return last + 1;
            }
            step(first, last, ++tries);
        }
        return 0;
    }

    private boolean negligible(long i) {
        double around = size(atA(i, i)) + size(atA(i - 1, i - 1));
        return size(atA(i, i - 1)) <= Math.max(LEAST, UNIT * around);
    }

    /** B has a zero at the end of the active block: one rotation of columns makes the eigenvalue there infinite. */
    private void infinite(long last) {
        put(atB(last, last), 0, 0);
        rotation(atA(last, last), atA(last, last - 1));
        put(atA(last, last), rRe, rIm);
        put(atA(last, last - 1), 0, 0);
        turnColumns(last, last, last);
    }

    /** Takes a zero on B's diagonal to the end of the active block. */
    private void chase(long first, long last) {
        put(atB(first, first), 0, 0);
        for (long j = first; j < last; j++) {
            rotation(atB(j, j + 1), atB(j + 1, j + 1));
            put(atB(j, j + 1), rRe, rIm);
            put(atB(j + 1, j + 1), 0, 0);
            turnRows(j, Math.max(0, j - 1), j + 2);
            if (j > 0) {
                rotation(atA(j + 1, j), atA(j + 1, j - 1));
                put(atA(j + 1, j), rRe, rIm);
                put(atA(j + 1, j - 1), 0, 0);
                turnColumns(j, j + 1, j);
            }
        }
    }

    private void step(long first, long last, long tries) {
        double scaleA = 1 / Math.max(LEAST, normA);
        double scaleB = 1 / Math.max(LEAST, normB);
        double shiftRe;
        double shiftIm;
        if (tries % STUCK == 0) {
            ratio(atA(last, last - 1), scaleA, atB(last - 1, last - 1), scaleB);
            unusualRe += re;
            unusualIm += im;
            shiftRe = unusualRe;
            shiftIm = unusualIm;
        } else {
            shift(last, scaleA, scaleB);
            shiftRe = re;
            shiftIm = im;
        }
        double bRe = scaleB * f64(atB(first, first));
        double bIm = scaleB * f64(atB(first, first) + 8L);
        rotation(scaleA * f64(atA(first, first)) - (shiftRe * bRe - shiftIm * bIm),
                scaleA * f64(atA(first, first) + 8L) - (shiftRe * bIm + shiftIm * bRe),
                scaleA * f64(atA(first + 1, first)), scaleA * f64(atA(first + 1, first) + 8L));
        for (long j = first; j < last; j++) {
            if (j > first) {
                rows(j, j - 1, j, j);
            } else {
                turnRows(j, j, j);
            }
            columns(j + 1, Math.min(j + 2, last) + 1, j + 1);
        }
    }

    /** The eigenvalue of the last two rows of A·B⁻¹ that is nearer to the last element. */
    private void shift(long last, double scaleA, double scaleB) {
        long before = last - 1;
        ratio(atB(before, last), 1, atB(last, last), 1);
        double uRe = re;
        double uIm = im;
        ratio(atA(before, before), scaleA, atB(before, before), scaleB);
        double pRe = re;
        double pIm = im;
        ratio(atA(last, before), scaleA, atB(before, before), scaleB);
        double lowRe = re;
        double lowIm = im;
        ratio(atA(before, last), scaleA, atB(last, last), scaleB);
        double highRe = re - (uRe * pRe - uIm * pIm);
        double highIm = im - (uRe * pIm + uIm * pRe);
        ratio(atA(last, last), scaleA, atB(last, last), scaleB);
        double endRe = re - (uRe * lowRe - uIm * lowIm);
        double endIm = im - (uRe * lowIm + uIm * lowRe);
        root(highRe, highIm);
        double hRe = re;
        double hIm = im;
        root(lowRe, lowIm);
        double wRe = hRe * re - hIm * im;
        double wIm = hRe * im + hIm * re;
        double xRe = HALF * (pRe - endRe);
        double xIm = HALF * (pIm - endIm);
        double most = Math.max(Math.abs(wRe) + Math.abs(wIm), Math.abs(xRe) + Math.abs(xIm));
        if (wRe != 0 || wIm != 0) {
            double dRe = xRe / most;
            double dIm = xIm / most;
            double eRe = wRe / most;
            double eIm = wIm / most;
            root(dRe * dRe - dIm * dIm + eRe * eRe - eIm * eIm, 2 * (dRe * dIm + eRe * eIm));
            double yRe = most * re;
            double yIm = most * im;
            if (dRe * yRe + dIm * yIm < 0) {
                yRe = -yRe;
                yIm = -yIm;
            }
            divide(wRe, wIm, xRe + yRe, xIm + yIm);
            endRe -= wRe * re - wIm * im;
            endIm -= wRe * im + wIm * re;
        }
        re = endRe;
        im = endIm;
    }

    private void ratio(long above, double factor, long below, double times) {
        divide(factor * f64(above), factor * f64(above + 8L), times * f64(below), times * f64(below + 8L));
    }

    private void divide(double x, double y, double u, double v) {
        boolean real = Math.abs(u) >= Math.abs(v);
        double ratio = real ? v / u : u / v;
        double whole = real ? u + v * ratio : u * ratio + v;
        re = (real ? x + y * ratio : x * ratio + y) / whole;
        im = (real ? y - x * ratio : y * ratio - x) / whole;
    }

    private void root(double x, double y) {
        double large = Math.max(Math.abs(x), Math.abs(y));
        if (large == 0) {
            re = 0;
            im = 0;
            return;
        }
        double u = x / large;
        double v = y / large;
        double outer = Math.sqrt(large);
        double half = Math.sqrt(HALF * (Math.sqrt(u * u + v * v) + Math.abs(u)));
        double other = Math.abs(v) / (2 * half);
        re = outer * (u >= 0 ? half : other);
        im = Math.copySign(outer * (u >= 0 ? other : half), y);
    }

    /** Turns column i so that B's diagonal element is real and not negative. */
    private void normal(long i) {
        double x = f64(atB(i, i));
        double y = f64(atB(i, i) + 8L);
        double large = Math.max(Math.abs(x), Math.abs(y));
        if (large <= LEAST) {
            put(atB(i, i), 0, 0);
            return;
        }
        if (y == 0 && x > 0) {
            return;
        }
        double length = Math.sqrt(x / large * (x / large) + y / large * (y / large));
        double phaseRe = x / large / length;
        double phaseIm = -(y / large / length);
        leaf.scal(i + 1, phaseRe, phaseIm, false, atA(0, i), 1);
        leaf.scal(i, phaseRe, phaseIm, false, atB(0, i), 1);
        put(atB(i, i), large * length, 0);
        if (z != 0) {
            leaf.scal(n, phaseRe, phaseIm, false, z + i * ldz * 16L, 1);
        }
    }
}
