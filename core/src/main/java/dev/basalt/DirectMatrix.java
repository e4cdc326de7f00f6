package dev.basalt;

import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.matvec.Gemv;
import dev.basalt.internal.matvec.Ger;
import dev.basalt.internal.matvec.Symv;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.workspace.Need;
import dev.basalt.portable.Leaf;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** The direct way ({@link Direct}) of small calls with matrices whose algorithm is one kernel without workspace. */
final class DirectMatrix {
    /** Up to this order no routine of level 2 splits a matrix into strips or blocks of rows. */
    private static final long LONGEST = 1024;

    private DirectMatrix() {}

    private static boolean plain(MatrixView a, ElementType type) {
        return a != null && a.single == type;
    }

    private static boolean plain(VectorView v, ElementType type, long n) {
        return v != null && v.single == type && v.n == n && v.inc != 0;
    }

    /** Whether a scalar that may be complex fits a type. */
    static boolean fits(Complex scalar, MatrixView a) {
        return scalar != null && a != null && (scalar.im() == 0 || a.type.isComplex());
    }

    /** Whether a scalar fits a type, and is not 0, with which a routine would read less than all operands. */
    static boolean active(Complex alpha, MatrixView a) {
        return fits(alpha, a) && (alpha.re() != 0 || alpha.im() != 0);
    }

    /** Enters the handle for a matrix and a vector for each of its sides; null if it was not entered. */
    static Leaf enter(Handle handle, MatrixView a, VectorView rows, VectorView cols) {
        if (handle == null || a == null || a.rows > LONGEST || a.cols > LONGEST) {
            return null;
        }
        if (!plain(a, a.type) || !plain(rows, a.type, a.rows) || !plain(cols, a.type, a.cols)) {
            return null;
        }
        HandleCore h = handle.core;
        return Direct.admitted(h, h.enterDirect(a.type, a.rows * a.cols), a.core, rows.core, cols.core);
    }

    /** Enters the handle for a square matrix with a triangle and two vectors of its order. */
    static Leaf enter(Handle handle, Uplo uplo, MatrixView a, VectorView x, VectorView y) {
        return uplo != null && a != null && a.rows == a.cols ? enter(handle, a, x, y) : null;
    }

    /** Enters the handle for op(A) of any shape, x and y. */
    static Leaf enter(Handle handle, Op op, MatrixView a, VectorView x, VectorView y) {
        return op == null ? null : op == Op.NONE ? enter(handle, a, y, x) : enter(handle, a, x, y);
    }

    /** Enters the handle for a triangular matrix and one vector of its order. */
    static Leaf enter(Handle handle, Uplo uplo, Op op, Diag diag, MatrixView a, VectorView x) {
        return op != null && diag != null ? enter(handle, uplo, a, x, x) : null;
    }

    /** Enters the handle for C := op(A)·op(B). */
    static Leaf enter(Handle handle, Op opA, Op opB, MatrixView a, MatrixView b, MatrixView c) {
        if (handle == null || opA == null || opB == null || c == null) {
            return null;
        }
        if (!plain(a, c.type) || !plain(b, c.type) || !plain(c, c.type)) {
            return null;
        }
        long m = opA == Op.NONE ? a.rows : a.cols;
        long k = opA == Op.NONE ? a.cols : a.rows;
        boolean agree = opB == Op.NONE ? b.rows == k && b.cols == c.cols : b.cols == k && b.rows == c.cols;
        if (!agree || m != c.rows) {
            return null;
        }
        HandleCore h = handle.core;
        return Direct.admitted(h, h.enterDirect(c.type, m, c.cols, k), a.core, b.core, c.core);
    }

    private static Status done(HandleCore h, Routine routine, String tier) {
        h.ranDirect(routine, tier);
        return Status.SUCCESS;
    }

    // The kernels of calls that were entered, with the arguments of BLAS in its order; operands are addresses.

    static Status gemm(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Op opA,
            Op opB,
            long m,
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
            long ldc) {
        HandleCore h = handle.core;
        try {
            kernels.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, 0, 0);
            return done(h, routine, Gemm.PACKED);
        } finally {
            h.leave();
        }
    }

    static Status gemv(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Op op,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long x,
            long incx,
            double betaRe,
            double betaIm,
            long y,
            long incy) {
        HandleCore h = handle.core;
        try {
            kernels.gemv(op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return done(h, routine, op == Op.NONE ? Need.NO_WORKSPACE : Gemv.ROW_BLOCKS);
        } finally {
            h.leave();
        }
    }

    static Status ger(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long x,
            long incx,
            long y,
            long incy,
            long a,
            long lda) {
        HandleCore h = handle.core;
        try {
            boolean conjugated = routine == Ger.GERC && type.isComplex();
            kernels.ger(m, n, alphaRe, alphaIm, x, incx, y, incy, conjugated, a, lda);
            return done(h, routine, Need.NO_WORKSPACE);
        } finally {
            h.leave();
        }
    }

    static Status symv(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Uplo uplo,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long x,
            long incx,
            double betaRe,
            double betaIm,
            long y,
            long incy) {
        HandleCore h = handle.core;
        try {
            boolean hermitian = routine == Symv.HEMV;
            kernels.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return done(h, routine, Symv.STRIPS);
        } finally {
            h.leave();
        }
    }

    static Status trsv(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Uplo uplo,
            Op op,
            Diag diag,
            long n,
            long a,
            long lda,
            long x,
            long incx) {
        HandleCore h = handle.core;
        try {
            kernels.trsv(uplo, op, diag, n, a, lda, x, incx);
            return done(h, routine, Need.NO_WORKSPACE);
        } finally {
            h.leave();
        }
    }
}
