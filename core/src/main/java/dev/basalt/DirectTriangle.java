package dev.basalt;

import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Symm;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trmm;
import dev.basalt.internal.product.Trsm;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The direct way ({@link Direct}) of small products and solves with a triangular or symmetric matrix, on devices where a block of it is one
 * kernel that needs no workspace. The methods on views return null if the handle was not entered.
 */
final class DirectTriangle {
    private DirectTriangle() {}

    // ---- entering a handle

    /**
     * Enters the handle for a kernel that packs a matrix of one block at most into memory of its own, beside operands of m×n.
     *
     * @param h the handle's state
     * @param type element type
     * @param m rows of the result
     * @param n columns of the result
     * @param k inner dimension, which is the order where the matrix is a factor
     * @return the kernels; null if the handle was not entered
     */
    static Leaf enter(HandleCore h, ElementType type, long m, long n, long k) {
        DeviceTraits traits = h.driver.traits();
        return traits.reach().packs(Kernel.SYMM) && k <= traits.block() ? h.enterDirect(type, m, n, k) : null;
    }

    /** For a rank-k update of a triangle, which is packed as far as n×k. */
    static Leaf enterUpdate(HandleCore h, ElementType type, long n, long k) {
        return n <= h.driver.traits().block() ? enter(h, type, n, n, k) : null;
    }

    private static boolean plain(MatrixView a, ElementType type, long rows, long cols) {
        return a != null && a.single == type && a.rows == rows && a.cols == cols;
    }

    /** For A, whose order is a side of C, and two operands as large as C. */
    private static Leaf enter(Handle handle, Side side, Uplo uplo, MatrixView a, MatrixView b, MatrixView c) {
        if (handle == null || side == null || uplo == null || c == null) {
            return null;
        }
        HandleCore h = handle.core;
        long order = side == Side.LEFT ? c.rows : c.cols;
        boolean plain = plain(c, c.type, c.rows, c.cols)
                && plain(a, c.type, order, order)
                && (b == c || plain(b, c.type, c.rows, c.cols));
        return plain ? Direct.admitted(h, enter(h, c.type, c.rows, c.cols, order), a.core, b.core, c.core) : null;
    }

    // ---- with views; alpha is not 0

    static Status trsm(
            Handle handle,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            double alphaRe,
            double alphaIm,
            MatrixView a,
            MatrixView b) {
        Leaf kernels = op != null && diag != null ? enter(handle, side, uplo, a, b, b) : null;
        if (kernels == null) {
            return null;
        }
        return trsm(
                handle,
                kernels,
                Trsm.ROUTINE,
                b.type,
                side,
                uplo,
                op,
                diag,
                b.rows,
                b.cols,
                alphaRe,
                alphaIm,
                a.first,
                a.ld,
                b.first,
                b.ld);
    }

    static Status trmm(
            Handle handle,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            double alphaRe,
            double alphaIm,
            MatrixView a,
            MatrixView b,
            MatrixView c) {
        boolean plain = op != null && diag != null && b != null && c != null && agree(b.first, b.ld, c.first, c.ld);
        Leaf kernels = plain ? enter(handle, side, uplo, a, b, c) : null;
        if (kernels == null) {
            return null;
        }
        return trmm(
                handle,
                kernels,
                Trmm.ROUTINE,
                c.type,
                side,
                uplo,
                op,
                diag,
                c.rows,
                c.cols,
                alphaRe,
                alphaIm,
                a.first,
                a.ld,
                b.first,
                b.ld,
                c.first,
                c.ld);
    }

    static Status symm(
            Handle handle,
            Routine routine,
            Side side,
            Uplo uplo,
            double alphaRe,
            double alphaIm,
            MatrixView a,
            MatrixView b,
            double betaRe,
            double betaIm,
            MatrixView c) {
        Leaf kernels = takes(routine, Symm.HEMM, c) ? enter(handle, side, uplo, a, b, c) : null;
        if (kernels == null) {
            return null;
        }
        return symm(
                handle, kernels, routine, c.type, side, uplo, c.rows, c.cols, alphaRe, alphaIm, a.first, a.ld, b.first,
                b.ld, betaRe, betaIm, c.first, c.ld);
    }

    static Status syrk(
            Handle handle,
            Routine routine,
            Uplo uplo,
            Op op,
            double alphaRe,
            double alphaIm,
            MatrixView a,
            double betaRe,
            double betaIm,
            MatrixView c) {
        if (handle == null
                || uplo == null
                || a == null
                || !takes(routine, Syrk.HERK, c)
                || !takes(routine, op, c.type)) {
            return null;
        }
        HandleCore h = handle.core;
        long n = c.rows;
        long k = op == Op.NONE ? a.cols : a.rows;
        boolean plain = plain(c, c.type, n, n) && plain(a, c.type, op == Op.NONE ? n : k, op == Op.NONE ? k : n);
        Leaf kernels = plain ? Direct.admitted(h, enterUpdate(h, c.type, n, k), a.core, c.core) : null;
        if (kernels == null) {
            return null;
        }
        return syrk(
                handle, kernels, routine, c.type, uplo, op, n, k, alphaRe, alphaIm, a.first, a.ld, betaRe, betaIm,
                c.first, c.ld);
    }

    /** Whether a routine takes C's type: the Hermitian one complex numbers alone. */
    private static boolean takes(Routine routine, Routine hermitian, MatrixView c) {
        return c != null && (routine != hermitian || c.type.isComplex());
    }

    /** Whether a rank-k update takes a form of A: of complex numbers only its own. */
    static boolean takes(Routine routine, Op op, ElementType type) {
        Op other = routine == Syrk.HERK ? Op.TRANS : Op.CONJ_TRANS;
        return op != null && (op != other || !type.isComplex());
    }

    /** Whether C lies apart from B or is B, which the long way refuses with another leading dimension. */
    static boolean agree(long b, long ldb, long c, long ldc) {
        return b != c || ldb == ldc;
    }

    // ---- the kernels of calls that were entered, with the arguments of BLAS in its order; operands are addresses

    static Status trsm(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb) {
        HandleCore h = handle.core;
        try {
            kernels.trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, 0, 0);
            return done(h, routine, Gemm.PACKED);
        } finally {
            h.leave();
        }
    }

    /** In place, as in BLAS. */
    static Status trmm(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb) {
        return trmm(
                handle, kernels, routine, type, side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, b, ldb);
    }

    static Status trmm(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            long c,
            long ldc) {
        HandleCore h = handle.core;
        try {
            if (b != c) {
                kernels.copyMatrix(m, n, b, ldb, c, ldc);
            }
            kernels.trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, c, ldc, 0, 0);
            return done(h, routine, Gemm.PACKED);
        } finally {
            h.leave();
        }
    }

    static Status symm(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Side side,
            Uplo uplo,
            long m,
            long n,
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
            boolean hermitian = routine == Symm.HEMM;
            kernels.symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, 0, 0);
            return done(h, routine, Gemm.PACKED);
        } finally {
            h.leave();
        }
    }

    static Status syrk(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            Uplo uplo,
            Op op,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            double betaRe,
            double betaIm,
            long c,
            long ldc) {
        HandleCore h = handle.core;
        try {
            boolean hermitian = routine == Syrk.HERK;
            kernels.syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc, 0, 0);
            return done(h, routine, Syrk.LARGE_BLOCKS);
        } finally {
            h.leave();
        }
    }

    private static Status done(HandleCore h, Routine routine, String tier) {
        h.ranDirect(routine, tier);
        return Status.SUCCESS;
    }
}
