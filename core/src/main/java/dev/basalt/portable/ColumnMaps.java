package dev.basalt.portable;

import dev.basalt.type.Diag;
import dev.basalt.type.Uplo;

/** Maps over matrices, column by column: the same for all types, since only the size of an element tells them apart. */
abstract class ColumnMaps implements Leaf {
    /** Bytes of an element. */
    abstract long bytes();

    /** Whether elements have imaginary parts. */
    abstract boolean complex();

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
    public void scalMatrix(long m, long n, double betaRe, double betaIm, long c, long ldc) {
        double im = complex() ? betaIm : 0;
        if (betaRe == 1 && im == 0) {
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
