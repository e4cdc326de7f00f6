package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Maps over matrices, column by column: the same for all types, since only the size of an element tells them apart. */
abstract class ColumnMaps extends Leaf {
    /** Columns that are turned together. */
    private static final long TILE = 32;

    /** Bytes of an element. */
    abstract long bytes();

    /** Whether elements have imaginary parts. */
    abstract boolean complex();

    /** x := a·x + b·y and y := c·x + d·y of real vectors without gaps; false, with nothing done, where an engine has no kernel for them. */
    protected boolean rotm(long n, long x, long y, double a, double b, double c, double d) {
        return false;
    }

    /** The imaginary part of an element := 0. */
    abstract void real(long element);

    @Override
    public void copyMatrix(long m, long n, long a, long lda, long c, long ldc) {
        if (lda == m && ldc == m) {
            copy(m * n, a, 1, c, 1);
            return;
        }
        long bytes = bytes();
        for (long j = 0; j < n; j++) {
            copy(m, a + j * lda * bytes, 1, c + j * ldc * bytes, 1);
        }
    }

    @Override
    public void expand(Uplo uplo, Diag diag, Structure structure, long n, long a, long lda, long c, long ldc) {
        boolean lower = uplo == Uplo.LOWER;
        boolean triangular = structure == Structure.TRIANGULAR;
        long bytes = bytes();
        for (long j = 0; j < n; j++) {
            long first = lower ? j + 1 : 0;
            long rows = lower ? n - j - 1 : j;
            long to = c + j * ldc * bytes;
            if (triangular && diag == Diag.UNIT) {
                copy(rows, a + (first + j * lda) * bytes, 1, to + first * bytes, 1);
                fill(1, 1, 0, to + j * bytes, 1);
            } else {
                long top = lower ? j : 0;
                copy(rows + 1, a + (top + j * lda) * bytes, 1, to + top * bytes, 1);
            }
            if (triangular) {
                fill(lower ? j : n - j - 1, 0, 0, to + (lower ? 0 : j + 1) * bytes, 1);
            } else if (structure == Structure.HERMITIAN) {
                real(to + j * bytes);
            }
        }
        if (!triangular) {
            mirror(lower, structure == Structure.HERMITIAN ? Op.CONJ_TRANS : Op.TRANS, n, a, lda, c, ldc);
        }
    }

    /** The other triangle of c := that of a turned, in tiles whose rows stay in a cache. */
    private void mirror(boolean lower, Op op, long n, long a, long lda, long c, long ldc) {
        for (long j = 0; j < n; j += TILE) {
            long cols = Math.min(TILE, n - j);
            for (long i = 0; i < cols; i++) {
                long row = lower ? j + i + 1 : j;
                long rows = lower ? cols - i - 1 : i;
                if ((a | c) < 0) {
                    turn(op, row, j + i, rows, 1, a, lda, c, ldc);
                } else {
                    turn(op == Op.CONJ_TRANS, rows, a + (row + (j + i) * lda) * bytes(),
                            c + (j + i + row * ldc) * bytes(), ldc * bytes());
                }
            }
            turn(op, lower ? j + cols : 0, j, lower ? n - j - cols : j, cols, a, lda, c, ldc);
        }
    }

    /** Elements that follow each other, conjugated or not, are put so many bytes apart. */
    private void turn(boolean conj, long count, long from, long to, long pitch) {
        long bytes = bytes();
        // The sign of the imaginary part: of a pair of floats it is that of the upper half.
        long sign = conj && complex() ? Long.MIN_VALUE : 0;
        for (long i = 0, x = from, y = to; i < count; i++, x += bytes, y += pitch) {
            if (bytes == 4) {
                i32(y, i32(x));
            } else if (bytes == 8) {
                i64(y, i64(x) ^ sign);
            } else {
                i64(y, i64(x));
                i64(y + 8, i64(x + 8) ^ sign);
            }
        }
    }

    private void turn(Op op, long row, long col, long rows, long cols, long a, long lda, long c, long ldc) {
        if (rows > 0) {
            long to = c + (col + row * ldc) * bytes();
            geam(op, Op.NONE, cols, rows, 1, 0, a + (row + col * lda) * bytes(), lda, 0, 0, to, ldc, to, ldc);
        }
    }

    @Override
    public void scalMatrix(long m, long n, double betaRe, double betaIm, long c, long ldc) {
        double im = complex() ? betaIm : 0;
        if (betaRe == 1 && im == 0) {
            return;
        }
        if (m == 1 && betaRe == 0 && im == 0) {
            fill(n, 0, 0, c, ldc);
            return;
        }
        long bytes = bytes();
        for (long j = 0; j < n; j++) {
            scalColumn(m, betaRe, im, false, c + j * ldc * bytes);
        }
    }

    @Override
    public void scalTriangle(Uplo uplo, boolean hermitian, long n, double betaRe, double betaIm, long c, long ldc) {
        double im = complex() && !hermitian ? betaIm : 0;
        long bytes = bytes();
        for (long j = 0; j < n; j++) {
            long first = uplo == Uplo.LOWER ? j : 0;
            long rows = uplo == Uplo.LOWER ? n - j : j + 1;
            scalColumn(rows, betaRe, im, hermitian, c + (first + j * ldc) * bytes);
            if (hermitian) {
                real(c + (j + j * ldc) * bytes);
            }
        }
    }

    private void scalColumn(long m, double betaRe, double betaIm, boolean real, long c) {
        if (betaRe == 0 && betaIm == 0) {
            fill(m, 0, 0, c, 1);
        } else if (betaRe != 1 || betaIm != 0) {
            scal(m, betaRe, betaIm, real || !complex(), c, 1);
        }
    }

    @Override
    public void copyTriangle(Uplo uplo, Diag diag, long n, long a, long lda, long c, long ldc) {
        if (a == c) {
            return;
        }
        long aside = diag == Diag.UNIT ? 1 : 0;
        long bytes = bytes();
        for (long j = 0; j < n; j++) {
            long first = uplo == Uplo.LOWER ? j + aside : 0;
            long rows = uplo == Uplo.LOWER ? n - first : j + 1 - aside;
            copy(rows, a + (first + j * lda) * bytes, 1, c + (first + j * ldc) * bytes, 1);
            if (aside == 1) {
                fill(1, 1, 0, c + (j + j * ldc) * bytes, 1);
            }
        }
    }
}
