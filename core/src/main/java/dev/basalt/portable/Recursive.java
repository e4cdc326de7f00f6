package dev.basalt.portable;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Kernels that halve their special matrix down to {@link #BASE} and leave the rest to {@link #gemm} and {@link #gemv}: the same for all types, since only the size of an
 * element tells them apart. What is left at the bottom each type has by hand. The calls go to the overridable methods on purpose, so that an engine with a faster gemm is
 * faster here too. Solving divides by the diagonal and inverts no block, so it is as accurate as the reference.
 */
abstract class Recursive extends ColumnMaps {
    /** Largest triangle or symmetric block that is not halved. */
    static final long BASE = 8;

    /** The same beside a vector: large enough to pay for the calls, small enough not to matter. */
    private static final long BASE_OF_VECTOR = 16;

    /** {@link #trmv} by element; {@code lower} is the triangle of op(A). */
    abstract void smallTrmv(boolean lower, Op op, Diag diag, long n, long a, long lda, long x, long incx);

    /** {@link #trsv} by element; {@code lower} is the triangle of op(A). */
    abstract void smallTrsv(boolean lower, Op op, Diag diag, long n, long a, long lda, long x, long incx);

    /** C := alpha·op(A)·op(B) + C. */
    abstract void addProduct(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, long c, long ldc);

    /** {@link #symm} with beta = 1, by columns. */
    abstract void smallSymm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, long c, long ldc);

    /** {@link #trmm} by columns; {@code lower} is the triangle of op(A). */
    abstract void smallTrmm(Side side, boolean lower, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb);

    /** {@link #trsm} with alpha = 1, by columns; {@code lower} is the triangle of op(A). */
    abstract void smallTrsm(Side side, boolean lower, Op op, Diag diag, long m, long n, long a, long lda, long b,
            long ldb);

    /** Where to split a matrix in two: near the middle, at a multiple of eight so that blocks stay aligned. */
    static long half(long n) {
        return n / 2 + 7 & -8;
    }

    @Override
    public void trmv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        if (n <= BASE_OF_VECTOR) {
            smallTrmv(lower, op, diag, n, a, lda, x, incx);
            return;
        }
        long n1 = half(n);
        long n2 = n - n1;
        long a22 = a + (n1 + n1 * lda) * bytes();
        long off = uplo == Uplo.LOWER ? a + n1 * bytes() : a + n1 * lda * bytes();
        long x2 = x + n1 * incx * bytes();
        long rows = uplo == Uplo.LOWER ? n2 : n1;
        if (lower) {
            trmv(uplo, op, diag, n2, a22, lda, x2, incx);
            gemv(op, rows, n - rows, 1, 0, off, lda, x, incx, 1, 0, x2, incx);
            trmv(uplo, op, diag, n1, a, lda, x, incx);
        } else {
            trmv(uplo, op, diag, n1, a, lda, x, incx);
            gemv(op, rows, n - rows, 1, 0, off, lda, x2, incx, 1, 0, x, incx);
            trmv(uplo, op, diag, n2, a22, lda, x2, incx);
        }
    }

    @Override
    public void trsv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        if (n <= BASE_OF_VECTOR) {
            smallTrsv(lower, op, diag, n, a, lda, x, incx);
            return;
        }
        long n1 = half(n);
        long n2 = n - n1;
        long a22 = a + (n1 + n1 * lda) * bytes();
        long off = uplo == Uplo.LOWER ? a + n1 * bytes() : a + n1 * lda * bytes();
        long x2 = x + n1 * incx * bytes();
        long rows = uplo == Uplo.LOWER ? n2 : n1;
        if (lower) {
            trsv(uplo, op, diag, n1, a, lda, x, incx);
            gemv(op, rows, n - rows, -1, 0, off, lda, x, incx, 1, 0, x2, incx);
            trsv(uplo, op, diag, n2, a22, lda, x2, incx);
        } else {
            trsv(uplo, op, diag, n2, a22, lda, x2, incx);
            gemv(op, rows, n - rows, -1, 0, off, lda, x2, incx, 1, 0, x, incx);
            trsv(uplo, op, diag, n1, a, lda, x, incx);
        }
    }

    @Override
    public void symm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        scalMatrix(m, n, betaRe, betaIm, c, ldc);
        double im = complex() ? alphaIm : 0;
        if (alphaRe != 0 || im != 0) {
            addSymm(side, uplo, hermitian, m, n, alphaRe, im, a, lda, b, ldb, c, ldc);
        }
    }

    /** C := alpha·A·B + C or alpha·B·A + C. */
    private void addSymm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, long c, long ldc) {
        long order = side == Side.LEFT ? m : n;
        if (order <= BASE) {
            smallSymm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
            return;
        }
        long n1 = half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * bytes();
        long off = uplo == Uplo.LOWER ? a + n1 * bytes() : a + n1 * lda * bytes();
        Op mirror = hermitian ? Op.CONJ_TRANS : Op.TRANS;
        // How the stored block gives block (2, 1) of A, and block (1, 2).
        Op op21 = uplo == Uplo.LOWER ? Op.NONE : mirror;
        Op op12 = uplo == Uplo.LOWER ? mirror : Op.NONE;
        if (side == Side.LEFT) {
            long b2 = b + n1 * bytes();
            long c2 = c + n1 * bytes();
            addSymm(side, uplo, hermitian, n1, n, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
            gemm(op12, Op.NONE, n1, n, n2, alphaRe, alphaIm, off, lda, b2, ldb, 1, 0, c, ldc, 0, 0);
            gemm(op21, Op.NONE, n2, n, n1, alphaRe, alphaIm, off, lda, b, ldb, 1, 0, c2, ldc, 0, 0);
            addSymm(side, uplo, hermitian, n2, n, alphaRe, alphaIm, a22, lda, b2, ldb, c2, ldc);
        } else {
            long b2 = b + n1 * ldb * bytes();
            long c2 = c + n1 * ldc * bytes();
            addSymm(side, uplo, hermitian, m, n1, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
            gemm(Op.NONE, op21, m, n1, n2, alphaRe, alphaIm, b2, ldb, off, lda, 1, 0, c, ldc, 0, 0);
            gemm(Op.NONE, op12, m, n2, n1, alphaRe, alphaIm, b, ldb, off, lda, 1, 0, c2, ldc, 0, 0);
            addSymm(side, uplo, hermitian, m, n2, alphaRe, alphaIm, a22, lda, b2, ldb, c2, ldc);
        }
    }

    @Override
    public void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc) {
        scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
        double im = complex() && !hermitian ? alphaIm : 0;
        if (k > 0 && (alphaRe != 0 || im != 0)) {
            Op mirror = hermitian && complex() ? Op.CONJ_TRANS : Op.TRANS;
            Op left = op == Op.NONE ? Op.NONE : mirror;
            Op right = op == Op.NONE ? mirror : Op.NONE;
            toTriangle(uplo, left, right, hermitian, n, k, alphaRe, im, a, lda, a, lda, 1, 0, c, ldc, 0, 0);
        }
    }

    @Override
    public void gemmt(Uplo uplo, Op opA, Op opB, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes) {
        double im = complex() ? alphaIm : 0;
        if (k <= 0 || (alphaRe == 0 && im == 0)) {
            scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
            return;
        }
        double betaI = hermitian ? 0 : betaIm;
        toTriangle(uplo, opA, opB, hermitian, n, k, alphaRe, im, a, lda, b, ldb, betaRe, betaI, c, ldc, work,
                workBytes);
    }

    /** Triangle of C := alpha·op(A)·op(B) + beta·C. */
    private void toTriangle(Uplo uplo, Op opA, Op opB, boolean hermitian, long n, long k, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc,
            long work, long workBytes) {
        long rowA = (opA == Op.NONE ? 1 : lda) * bytes();
        long columnB = (opB == Op.NONE ? ldb : 1) * bytes();
        boolean lower = uplo == Uplo.LOWER;
        if (n <= BASE) {
            scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
            for (long j = 0; j < n; j++) {
                long i = lower ? j : 0;
                long rows = lower ? n - j : j + 1;
                long cij = c + (i + j * ldc) * bytes();
                addProduct(opA, opB, rows, 1, k, alphaRe, alphaIm, a + i * rowA, lda, b + j * columnB, ldb, cij, ldc);
                if (hermitian) {
                    real(c + (j + j * ldc) * bytes());
                }
            }
            return;
        }
        long n1 = half(n);
        long n2 = n - n1;
        long a2 = a + n1 * rowA;
        long b2 = b + n1 * columnB;
        long c22 = c + (n1 + n1 * ldc) * bytes();
        toTriangle(uplo, opA, opB, hermitian, n1, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                workBytes);
        if (lower) {
            long c21 = c + n1 * bytes();
            gemm(opA, opB, n2, n1, k, alphaRe, alphaIm, a2, lda, b, ldb, betaRe, betaIm, c21, ldc, work, workBytes);
        } else {
            long c12 = c + n1 * ldc * bytes();
            gemm(opA, opB, n1, n2, k, alphaRe, alphaIm, a, lda, b2, ldb, betaRe, betaIm, c12, ldc, work, workBytes);
        }
        toTriangle(uplo, opA, opB, hermitian, n2, k, alphaRe, alphaIm, a2, lda, b2, ldb, betaRe, betaIm, c22, ldc, work,
                workBytes);
    }

    /** Two products: what the second adds to the diagonal is the conjugate of what the first did, so both may drop what is not real. */
    @Override
    public void syr2k(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        Op turned = op != Op.NONE ? Op.NONE : hermitian ? Op.CONJ_TRANS : Op.TRANS;
        double conj = hermitian ? -alphaIm : alphaIm;
        gemmt(uplo, op, turned, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                workBytes);
        gemmt(uplo, op, turned, hermitian, n, k, alphaRe, conj, b, ldb, a, lda, 1, 0, c, ldc, work, workBytes);
    }

    @Override
    public void syr2kColumns(Uplo uplo, Op op, boolean hermitian, long n, long p, long q, long k, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc,
            long work, long workBytes) {
        long one = op == Op.NONE ? bytes() : lda * bytes();
        long oneB = op == Op.NONE ? bytes() : ldb * bytes();
        long cols = q - p;
        long ap = a + p * one;
        long bp = b + p * oneB;
        syr2k(uplo, op, hermitian, cols, k, alphaRe, alphaIm, ap, lda, bp, ldb, betaRe, betaIm,
                c + p * (ldc + 1) * bytes(), ldc, work, workBytes);
        boolean lower = uplo == Uplo.LOWER;
        long first = lower ? q : 0;
        long rows = lower ? n - q : p;
        Op turned = op != Op.NONE ? Op.NONE : hermitian ? Op.CONJ_TRANS : Op.TRANS;
        long beside = c + (first + p * ldc) * bytes();
        gemm(op, turned, rows, cols, k, alphaRe, alphaIm, a + first * one, lda, bp, ldb, betaRe, betaIm, beside, ldc,
                work, workBytes);
        gemm(op, turned, rows, cols, k, alphaRe, hermitian ? -alphaIm : alphaIm, b + first * oneB, ldb, ap, lda, 1, 0,
                beside, ldc, work, workBytes);
    }

    @Override
    public void trmm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        double im = complex() ? alphaIm : 0;
        if (alphaRe == 0 && im == 0) {
            scalMatrix(m, n, 0, 0, b, ldb);
            return;
        }
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        long order = side == Side.LEFT ? m : n;
        if (order <= BASE) {
            smallTrmm(side, lower, op, diag, m, n, alphaRe, im, a, lda, b, ldb);
            return;
        }
        long n1 = half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * bytes();
        long off = uplo == Uplo.LOWER ? a + n1 * bytes() : a + n1 * lda * bytes();
        if (side == Side.LEFT) {
            long b2 = b + n1 * bytes();
            if (lower) {
                trmm(side, uplo, op, diag, n2, n, alphaRe, im, a22, lda, b2, ldb);
                gemm(op, Op.NONE, n2, n, n1, alphaRe, im, off, lda, b, ldb, 1, 0, b2, ldb, 0, 0);
                trmm(side, uplo, op, diag, n1, n, alphaRe, im, a, lda, b, ldb);
            } else {
                trmm(side, uplo, op, diag, n1, n, alphaRe, im, a, lda, b, ldb);
                gemm(op, Op.NONE, n1, n, n2, alphaRe, im, off, lda, b2, ldb, 1, 0, b, ldb, 0, 0);
                trmm(side, uplo, op, diag, n2, n, alphaRe, im, a22, lda, b2, ldb);
            }
        } else {
            long b2 = b + n1 * ldb * bytes();
            if (lower) {
                trmm(side, uplo, op, diag, m, n1, alphaRe, im, a, lda, b, ldb);
                gemm(Op.NONE, op, m, n1, n2, alphaRe, im, b2, ldb, off, lda, 1, 0, b, ldb, 0, 0);
                trmm(side, uplo, op, diag, m, n2, alphaRe, im, a22, lda, b2, ldb);
            } else {
                trmm(side, uplo, op, diag, m, n2, alphaRe, im, a22, lda, b2, ldb);
                gemm(Op.NONE, op, m, n2, n1, alphaRe, im, b, ldb, off, lda, 1, 0, b2, ldb, 0, 0);
                trmm(side, uplo, op, diag, m, n1, alphaRe, im, a, lda, b, ldb);
            }
        }
    }

    @Override
    public void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
        double im = complex() ? alphaIm : 0;
        if (alphaRe == 0 && im == 0) {
            return;
        }
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        long order = side == Side.LEFT ? m : n;
        if (order <= BASE) {
            smallTrsm(side, lower, op, diag, m, n, a, lda, b, ldb);
            return;
        }
        long n1 = half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * bytes();
        long off = uplo == Uplo.LOWER ? a + n1 * bytes() : a + n1 * lda * bytes();
        if (side == Side.LEFT) {
            long b2 = b + n1 * bytes();
            if (lower) {
                trsm(side, uplo, op, diag, n1, n, 1, 0, a, lda, b, ldb);
                gemm(op, Op.NONE, n2, n, n1, -1, 0, off, lda, b, ldb, 1, 0, b2, ldb, 0, 0);
                trsm(side, uplo, op, diag, n2, n, 1, 0, a22, lda, b2, ldb);
            } else {
                trsm(side, uplo, op, diag, n2, n, 1, 0, a22, lda, b2, ldb);
                gemm(op, Op.NONE, n1, n, n2, -1, 0, off, lda, b2, ldb, 1, 0, b, ldb, 0, 0);
                trsm(side, uplo, op, diag, n1, n, 1, 0, a, lda, b, ldb);
            }
        } else {
            long b2 = b + n1 * ldb * bytes();
            if (lower) {
                trsm(side, uplo, op, diag, m, n2, 1, 0, a22, lda, b2, ldb);
                gemm(Op.NONE, op, m, n1, n2, -1, 0, b2, ldb, off, lda, 1, 0, b, ldb, 0, 0);
                trsm(side, uplo, op, diag, m, n1, 1, 0, a, lda, b, ldb);
            } else {
                trsm(side, uplo, op, diag, m, n1, 1, 0, a, lda, b, ldb);
                gemm(Op.NONE, op, m, n2, n1, -1, 0, b, ldb, off, lda, 1, 0, b2, ldb, 0, 0);
                trsm(side, uplo, op, diag, m, n2, 1, 0, a22, lda, b2, ldb);
            }
        }
    }
}
