package dev.basalt.portable;

import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * What halves its special matrix down to {@link #SMALL} and leaves the rest to {@link #gemm}: the same for all types, since only the size of an element tells them
 * apart. The calls go to the overridable methods on purpose, so an engine with a faster gemm is faster here too.
 */
abstract class Recursive implements Leaf {
    /** Largest triangle that is not halved. */
    private static final long SMALL = 8;

    /** Bytes of an element. */
    abstract long bytes();

    @Override
    public void gemmt(
            Uplo uplo,
            Op opA,
            Op opB,
            boolean hermitian,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            double betaRe,
            double betaIm,
            long c,
            long ldc,
            long work,
            long workBytes) {
        scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
        if (k > 0 && (alphaRe != 0 || alphaIm != 0)) {
            addProduct(uplo, opA, opB, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, c, ldc, work, workBytes);
        }
    }

    /** Triangle of C := alpha·op(A)·op(B) + C. */
    private void addProduct(
            Uplo uplo,
            Op opA,
            Op opB,
            boolean hermitian,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            long c,
            long ldc,
            long work,
            long workBytes) {
        long rowA = (opA == Op.NONE ? 1 : lda) * bytes();
        long columnB = (opB == Op.NONE ? ldb : 1) * bytes();
        boolean lower = uplo == Uplo.LOWER;
        if (n <= SMALL) {
            for (long j = 0; j < n; j++) {
                long i = lower ? j : 0;
                long rows = lower ? n - j : j + 1;
                long cij = c + (i + j * ldc) * bytes();
                gemm(
                        opA,
                        opB,
                        rows,
                        1,
                        k,
                        alphaRe,
                        alphaIm,
                        a + i * rowA,
                        lda,
                        b + j * columnB,
                        ldb,
                        1,
                        0,
                        cij,
                        ldc,
                        0,
                        0);
                if (hermitian) {
                    scalTriangle(uplo, true, 1, 1, 0, c + (j + j * ldc) * bytes(), ldc);
                }
            }
            return;
        }
        long n1 = DLevel2.half(n);
        long n2 = n - n1;
        long a2 = a + n1 * rowA;
        long b2 = b + n1 * columnB;
        long c22 = c + (n1 + n1 * ldc) * bytes();
        addProduct(uplo, opA, opB, hermitian, n1, k, alphaRe, alphaIm, a, lda, b, ldb, c, ldc, work, workBytes);
        if (lower) {
            long c21 = c + n1 * bytes();
            gemm(opA, opB, n2, n1, k, alphaRe, alphaIm, a2, lda, b, ldb, 1, 0, c21, ldc, work, workBytes);
        } else {
            long c12 = c + n1 * ldc * bytes();
            gemm(opA, opB, n1, n2, k, alphaRe, alphaIm, a, lda, b2, ldb, 1, 0, c12, ldc, work, workBytes);
        }
        addProduct(uplo, opA, opB, hermitian, n2, k, alphaRe, alphaIm, a2, lda, b2, ldb, c22, ldc, work, workBytes);
    }

    /** Two products: what the second adds to the diagonal is the conjugate of what the first did, so both may drop what is not real. */
    @Override
    public void syr2k(
            Uplo uplo,
            Op op,
            boolean hermitian,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            double betaRe,
            double betaIm,
            long c,
            long ldc,
            long work,
            long workBytes) {
        Op turned = op != Op.NONE ? Op.NONE : hermitian ? Op.CONJ_TRANS : Op.TRANS;
        double conj = hermitian ? -alphaIm : alphaIm;
        gemmt(
                uplo, op, turned, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                workBytes);
        gemmt(uplo, op, turned, hermitian, n, k, alphaRe, conj, b, ldb, a, lda, 1, 0, c, ldc, work, workBytes);
    }
}
