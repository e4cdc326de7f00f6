package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/**
 * The Schur forms of two complex matrices by the QZ algorithm (Moler and Stewart, "An algorithm for generalized matrix eigenvalue problems", 1973): B becomes triangular by reflectors, A upper Hessenberg by rotations that keep it so, and steps with one shift
 * take what is below the diagonal of A. It remembers the matrices that are worked on.
 */
final class ZQz extends ZTurns implements QzLeaf {
    private static final double HALF = 0.5;

    /** Steps for each eigenvalue. */
    private static final long STEPS = 30;

    private static final long STUCK = 10;

    private final HessenbergLeaf reduction;
    private double normA;
    private double normB;
    private double unusualRe;
    private double unusualIm;

    /** A result of complex arithmetic. */
    private double re;

    private double im;

    ZQz(Leaf leaf, HessenbergLeaf reduction) {
        super(leaf);
        this.reduction = reduction;
    }

    @Override
    public long qz(long order, long matrixA, long strideA, long matrixB, long strideB, long left, long ldLeft,
            long right, long ldRight, long work, long factor) {
        begin(order, matrixA, strideA, matrixB, strideB, left, ldLeft, right, ldRight);
        if (!finite(a, lda) || !finite(b, ldb)) {
            return n;
        }
        reduction.identity(n, q, ldq);
        reduction.identity(n, z, ldz);
        reduction.triangular(n, a, lda, b, ldb, q, ldq, work, factor);
        hessenberg();
        normA = norm(a, lda);
        normB = norm(b, ldb);
        long failed = iterate();
        for (long i = failed; i < n; i++) {
            normal(i);
        }
        return failed;
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

    /** Rotates columns j and j - 1 so that B's element of row j in column j - 1 is zero; so many rows of A and of B turn. */
    private void columns(long j, long rowsA, long rowsB) {
        rotation(atB(j, j), atB(j, j - 1));
        put(atB(j, j), rRe, rIm);
        put(atB(j, j - 1), 0, 0);
        turnColumns(j, rowsA, rowsB);
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
}
