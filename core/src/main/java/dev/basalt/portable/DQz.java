package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/**
 * The Schur forms of two real matrices by the QZ algorithm (Moler and Stewart, "An algorithm for generalized matrix eigenvalue problems", 1973): B becomes triangular by reflectors, A upper Hessenberg by rotations that keep it so, and steps with two
 * shifts take what is below the diagonal of A, or leave blocks of two rows with complex eigenvalues. It remembers the matrices that are worked on.
 */
final class DQz extends DTurns implements QzLeaf {
    /** Steps for each eigenvalue. */
    private static final long STEPS = 30;

    /** So many steps without a split are followed by one with other shifts. */
    private static final long STUCK = 10;

    private static final double OTHER = 0.75;

    /** The root of 0.4375, as in steps of {@link DSchur}. */
    private static final double BESIDE = 0.6614378277661477;

    private final HessenbergLeaf reduction;
    private final DSchur reflector;
    private double normA;
    private double normB;

    /** The shifts of a step: real + imaginary·i and its conjugate, or two real ones. */
    private double real;

    private double otherReal;
    private double imaginary;

    DQz(Leaf leaf, HessenbergLeaf reduction) {
        super(leaf);
        reflector = new DSchur(leaf);
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
                nothing += 0 * f64(matrix + (i + j * ld) * 8L);
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
                    double size = Math.abs(f64(matrix + (i + j * ld) * 8L));
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
                rotation(atA(i - 1, j), atA(i, j));
                turnRows(i - 1, j + 1, i - 1);
                columns(i, n, i);
            }
        }
    }

    /** Rotates columns j and j - 1 so that B's element of row j in column j - 1 is zero; so many rows of A and of B turn. */
    private void columns(long j, long rowsA, long rowsB) {
        rotation(atB(j, j), atB(j, j - 1));
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
                last--;
                tries = 0;
                continue;
            }
            if (Math.abs(f64(atB(last, last))) <= smallB) {
                infinite(last);
                continue;
            }
            long first = last;
            boolean chased = false;
            while (first > 0 && !chased) {
                first--;
                boolean splits = first == 0 || negligible(first);
                if (Math.abs(f64(atB(first, first))) <= smallB) {
                    chase(first, last);
                    chased = true;
                } else if (splits) {
                    break;
                }
            }
            if (chased) {
                continue;
            }
            if (first + 1 == last) {
                // A block with real eigenvalues has become a triangle, and is looked at again.
                if (standard(first)) {
                    last -= 2;
                    tries = 0;
                }
                continue;
            }
            if (left-- <= 0) {
                return last + 1;
            }
            step(first, last, ++tries);
        }
        return 0;
    }

    /** Whether A's element beside the diagonal in row i is so small that it is dropped. */
    private boolean negligible(long i) {
        double around = Math.abs(f64(atA(i, i))) + Math.abs(f64(atA(i - 1, i - 1)));
        boolean small = Math.abs(f64(atA(i, i - 1))) <= Math.max(LEAST, UNIT * around);
        if (small) {
            f64(atA(i, i - 1), 0);
        }
        return small;
    }

    /** B has a zero at the end of the active block: one rotation of columns makes the eigenvalue there infinite. */
    private void infinite(long last) {
        f64(atB(last, last), 0);
        rotation(atA(last, last), atA(last, last - 1));
        turnColumns(last, last, last);
    }

    /** Takes a zero on B's diagonal to the end of the active block. */
    private void chase(long first, long last) {
        f64(atB(first, first), 0);
        for (long j = first; j < last; j++) {
            rotation(atB(j, j + 1), atB(j + 1, j + 1));
            turnRows(j, Math.max(0, j - 1), j + 2);
            if (j > 0) {
                rotation(atA(j + 1, j), atA(j + 1, j - 1));
                turnColumns(j, j + 1, j);
            }
        }
    }

    /** One double step on rows first to last, of which there are at least three. */
    private void step(long first, long last, long tries) {
        double scaleA = 1 / Math.max(LEAST, normA);
        double scaleB = 1 / Math.max(LEAST, normB);
        // The first columns of A·B⁻¹.
        double b11 = scaleB * f64(atB(first, first));
        double b12 = scaleB * f64(atB(first, first + 1));
        double b22 = scaleB * f64(atB(first + 1, first + 1));
        double m11 = scaleA * f64(atA(first, first)) / b11;
        double m21 = scaleA * f64(atA(first + 1, first)) / b11;
        double m12 = (scaleA * f64(atA(first, first + 1)) - m11 * b12) / b22;
        double m22 = (scaleA * f64(atA(first + 1, first + 1)) - m21 * b12) / b22;
        double m32 = scaleA * f64(atA(first + 2, first + 1)) / b22;
        if (tries % (2 * STUCK) == 0) {
            double before = ratio(last - 1, last - 2, scaleA, scaleB);
            other(ratio(last, last, scaleA, scaleB),
                    Math.abs(ratio(last, last - 1, scaleA, scaleB)) + Math.abs(before));
        } else if (tries % STUCK == 0) {
            other(m11, Math.abs(m21) + Math.abs(m32));
        } else {
            shifts(last, scaleA, scaleB);
        }
        double less = m11 - real;
        double size = Math.max(LEAST, Math.abs(less) + Math.abs(imaginary) + Math.abs(m21));
        double low = m21 / size;
        double x = low * m12 + (m11 - otherReal) * (less / size) + imaginary * (imaginary / size);
        double y = low * (less + (m22 - otherReal));
        double w = low * m32;
        for (long j = first; j < last - 1; j++) {
            if (j > first) {
                reflector.reflector(f64(atA(j, j - 1)), f64(atA(j + 1, j - 1)), f64(atA(j + 2, j - 1)));
                f64(atA(j, j - 1), reflector.beta);
                f64(atA(j + 1, j - 1), 0);
                f64(atA(j + 2, j - 1), 0);
            } else {
                reflector.reflector(x, y, w);
            }
            rows(j);
            reflector.reflector(f64(atB(j + 2, j + 2)), f64(atB(j + 2, j + 1)), f64(atB(j + 2, j)));
            f64(atB(j + 2, j + 2), reflector.beta);
            f64(atB(j + 2, j + 1), 0);
            f64(atB(j + 2, j), 0);
            long below = Math.min(j + 3, last) + 1;
            columns(j, below);
            columns(j + 1, below, j + 1);
        }
        rotation(atA(last - 1, last - 2), atA(last, last - 2));
        turnRows(last - 1, last - 1, last - 1);
        columns(last, last + 1, last);
    }

    /** The last reflector on rows j to j + 2. */
    private void rows(long j) {
        reflector.rows(n - j, atA(j, j), lda);
        reflector.rows(n - j, atB(j, j), ldb);
        if (q != 0) {
            reflector.columns(n, q + j * ldq * 8L, ldq);
        }
    }

    /** The last reflector on columns j + 2 to j: so many rows of A, and those of B above row j + 2. */
    private void columns(long j, long below) {
        reflector.columns(below, atA(0, j + 2), -lda);
        reflector.columns(j + 2, atB(0, j + 2), -ldb);
        if (z != 0) {
            reflector.columns(n, z + (j + 2) * ldz * 8L, -ldz);
        }
    }

    /** An element of A over that of B's diagonal in its column. */
    private double ratio(long i, long j, double scaleA, double scaleB) {
        return scaleA * f64(atA(i, j)) / (scaleB * f64(atB(j, j)));
    }

    /** Shifts that are no eigenvalues. */
    private void other(double middle, double size) {
        real = middle + OTHER * size;
        otherReal = real;
        imaginary = BESIDE * size;
    }

    /** The eigenvalues of the last two rows. */
    private void shifts(long last, double scaleA, double scaleB) {
        pencil.read(atA(last - 1, last - 1), lda, atB(last - 1, last - 1), ldb);
        pencil.solve();
        double factor = pencil.factor(scaleA, scaleB);
        real = factor * pencil.real;
        otherReal = factor * pencil.other;
        imaginary = factor * pencil.imaginary;
    }
}
