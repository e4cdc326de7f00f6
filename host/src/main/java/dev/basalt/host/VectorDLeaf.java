package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.SIZE;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.Diag;
import dev.basalt.Op;
import dev.basalt.Side;
import dev.basalt.Uplo;
import dev.basalt.kernel.DLeaf;

/**
 * The real kernels that vectors make faster; the portable ones do the rest, and all vectors with gaps. Recursive kernels of the
 * parent (trsm, getf2, potf2 and others) come to {@link #gemm} and to the base cases here.
 */
class VectorDLeaf extends DLeaf {
    /** Vectors shorter than this are done by element. */
    private static final long SHORT = 16;

    /** Squares that a sum of at least this may have lost to underflow are below its rounding error. */
    private static final double SAFE = 0x1p-900; // float: private static final float SAFE = 0x1p-90f;

    private final VectorPool<VectorDGemm> products = new VectorPool<>(VectorDGemm::new);
    private final VectorPool<VectorDTriangle> triangles = new VectorPool<>(VectorDTriangle::new);

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            VectorDLevel1.swap(n, x, y);
        } else {
            super.swap(n, x, incx, y, incy);
        }
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1) {
            double alpha = alphaRe;
            VectorDLevel1.axpy(n, alpha, x, y);
        } else {
            super.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
        }
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        if (incx == 1) {
            double alpha = alphaRe;
            VectorDLevel1.scal(n, alpha, x);
        } else {
            super.scal(n, alphaRe, alphaIm, real, x, incx);
        }
    }

    @Override
    public void fill(long n, double alphaRe, double alphaIm, long x, long incx) {
        if (incx == 1) {
            double alpha = alphaRe;
            VectorDLevel1.fill(n, alpha, x);
        } else {
            super.fill(n, alphaRe, alphaIm, x, incx);
        }
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            f64(result, VectorDLevel1.dot(n, x, y));
        } else {
            super.dot(n, x, incx, y, incy, conj, result);
        }
    }

    @Override
    public double asum(long n, long x, long incx) { // keep double
        return incx == 1 && n >= SHORT ? VectorDLevel1.asum(n, x) : super.asum(n, x, incx);
    }

    @Override
    public double nrm2(long n, long x, long incx) { // keep double
        if (incx == 1 && n >= SHORT) {
            double sum = VectorDLevel1.sumOfSquares(n, x);
            if (sum > SAFE && sum <= Double.MAX_VALUE) {
                return Math.sqrt(sum);
            }
        }
        return super.nrm2(n, x, incx);
    }

    @Override
    public long iamax(long n, long x, long incx) {
        long found = incx == 1 && n >= SHORT ? VectorDLevel1.iamax(n, x) : -1;
        return found >= 0 ? found : super.iamax(n, x, incx);
    }

    @Override
    public void gemv(
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
        if ((op == Op.NONE ? incy : incx) != 1) {
            super.gemv(op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        if (betaRe != 1) {
            super.gemv(op, m, n, 0, 0, a, lda, x, incx, betaRe, betaIm, y, incy);
        }
        double alpha = alphaRe;
        if (alpha != 0 && op == Op.NONE) {
            VectorDLevel2.addColumns(m, n, alpha, a, lda * SIZE, x, incx * SIZE, y);
        } else if (alpha != 0) {
            VectorDLevel2.addRows(m, n, alpha, a, lda * SIZE, x, y, incy * SIZE);
        }
    }

    @Override
    public void symv(
            Uplo uplo,
            boolean hermitian,
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
        if (incx != 1 || incy != 1) {
            super.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        scalMatrix(n, 1, betaRe, betaIm, y, n);
        double alpha = alphaRe;
        if (alpha != 0) {
            VectorDLevel2.addSymmetric(uplo == Uplo.LOWER, n, alpha, a, lda * SIZE, x, y);
        }
    }

    @Override
    public void gemm(
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
            long ldc,
            long work,
            long workBytes) {
        if (m <= 0 || n <= 0) {
            return;
        }
        if (alphaRe == 0 || k <= 0) {
            scalMatrix(m, n, betaRe, betaIm, c, ldc);
            return;
        }
        double alpha = alphaRe;
        double beta = betaRe;
        VectorDGemm product = products.take();
        product.multiply(opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, work, workBytes);
        products.give(product);
    }

    @Override
    public void syrk(
            Uplo uplo,
            Op op,
            boolean hermitian,
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
        if (n <= 0 || k <= 0 || alphaRe == 0) {
            scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
            return;
        }
        double alpha = alphaRe;
        double beta = betaRe;
        VectorDGemm product = products.take();
        product.square(uplo, op, n, k, alpha, a, lda, beta, c, ldc);
        products.give(product);
    }

    @Override
    public void trsm(
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
        if (m <= 0 || n <= 0) {
            return;
        }
        scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
        if (alphaRe != 0) {
            solve(side, uplo, op, diag, m, n, a, lda, b, ldb);
        }
    }

    private void solve(Side side, Uplo uplo, Op op, Diag diag, long m, long n, long a, long lda, long b, long ldb) {
        boolean left = side == Side.LEFT;
        long order = left ? m : n;
        if (order <= VectorDTriangle.ORDER) {
            if (!solveSmall(side, uplo, op, diag, m, n, a, lda, b, ldb)) {
                super.trsm(side, uplo, op, diag, m, n, 1, 0, a, lda, b, ldb);
            }
            return;
        }
        long n1 = half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * SIZE;
        long off = a + n1 * (uplo == Uplo.LOWER ? 1 : lda) * SIZE;
        long b2 = b + n1 * (left ? 1 : ldb) * SIZE;
        if (forward(side, uplo, op)) {
            solve(side, uplo, op, diag, left ? n1 : m, left ? n : n1, a, lda, b, ldb);
            add(side, op, m, n, n2, n1, -1, off, lda, b, b2, ldb);
            solve(side, uplo, op, diag, left ? n2 : m, left ? n : n2, a22, lda, b2, ldb);
        } else {
            solve(side, uplo, op, diag, left ? n2 : m, left ? n : n2, a22, lda, b2, ldb);
            add(side, op, m, n, n1, n2, -1, off, lda, b2, b, ldb);
            solve(side, uplo, op, diag, left ? n1 : m, left ? n : n1, a, lda, b, ldb);
        }
    }

    @Override
    public void trmm(
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
        if (m <= 0 || n <= 0) {
            return;
        }
        if (alphaRe == 0) {
            scalMatrix(m, n, 0, 0, b, ldb);
            return;
        }
        boolean left = side == Side.LEFT;
        long order = left ? m : n;
        if (order <= VectorDTriangle.ORDER) {
            multiplySmall(side, uplo, op, diag, m, n, alphaRe, a, lda, b, ldb);
            return;
        }
        long n1 = half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * SIZE;
        long off = a + n1 * (uplo == Uplo.LOWER ? 1 : lda) * SIZE;
        long b2 = b + n1 * (left ? 1 : ldb) * SIZE;
        if (forward(side, uplo, op)) {
            trmm(side, uplo, op, diag, left ? n2 : m, left ? n : n2, alphaRe, 0, a22, lda, b2, ldb);
            add(side, op, m, n, n2, n1, alphaRe, off, lda, b, b2, ldb);
            trmm(side, uplo, op, diag, left ? n1 : m, left ? n : n1, alphaRe, 0, a, lda, b, ldb);
        } else {
            trmm(side, uplo, op, diag, left ? n1 : m, left ? n : n1, alphaRe, 0, a, lda, b, ldb);
            add(side, op, m, n, n1, n2, alphaRe, off, lda, b2, b, ldb);
            trmm(side, uplo, op, diag, left ? n2 : m, left ? n : n2, alphaRe, 0, a22, lda, b2, ldb);
        }
    }

    /** Whether a system is solved from the first unknown to the last. */
    private static boolean forward(Side side, Uplo uplo, Op op) {
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        return lower == (side == Side.LEFT);
    }

    /** One part of B += alpha·op(block of A)·other part of B, or with the block on the right; {@code size} and {@code depth} are those of the parts. */
    private void add(
            Side side,
            Op op,
            long m,
            long n,
            long size,
            long depth,
            double alphaRe,
            long block,
            long lda,
            long from,
            long to,
            long ldb) {
        if (side == Side.LEFT) {
            gemm(op, Op.NONE, size, n, depth, alphaRe, 0, block, lda, from, ldb, 1, 0, to, ldb, 0, 0);
        } else {
            gemm(Op.NONE, op, m, size, depth, alphaRe, 0, from, ldb, block, lda, 1, 0, to, ldb, 0, 0);
        }
    }

    private boolean solveSmall(
            Side side, Uplo uplo, Op op, Diag diag, long m, long n, long a, long lda, long b, long ldb) {
        boolean left = side == Side.LEFT;
        int order = (int) (left ? m : n);
        boolean forward = forward(side, uplo, op);
        // Strides within the upper triangle that is passed from the first column to the last.
        long sign = forward ? SIZE : -SIZE;
        long dk = sign * (left == (op == Op.NONE) ? lda : 1);
        long dj = sign * (left == (op == Op.NONE) ? 1 : lda);
        long first = forward ? a : a + (order - 1) * (lda + 1) * SIZE;
        VectorDTriangle triangle = triangles.take();
        boolean fit = triangle.solver(order, diag == Diag.UNIT, first, dk, dj);
        if (fit) {
            panels(triangle, true, left, forward, order, m, n, b, ldb);
        }
        triangles.give(triangle);
        return fit;
    }

    private void multiplySmall(
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            long a,
            long lda,
            long b,
            long ldb) {
        double alpha = alphaRe;
        boolean left = side == Side.LEFT;
        int order = (int) (left ? m : n);
        boolean forward = forward(side, uplo, op);
        long sign = forward ? SIZE : -SIZE;
        long dk = sign * (left == (op == Op.NONE) ? lda : 1);
        long dj = sign * (left == (op == Op.NONE) ? 1 : lda);
        long first = forward ? a : a + (order - 1) * (lda + 1) * SIZE;
        VectorDTriangle triangle = triangles.take();
        triangle.multiplier(order, diag == Diag.UNIT, alpha, first, dk, dj);
        panels(triangle, false, left, forward, order, m, n, b, ldb);
        triangles.give(triangle);
    }

    private static void panels(
            VectorDTriangle triangle,
            boolean solve,
            boolean left,
            boolean forward,
            int order,
            long m,
            long n,
            long b,
            long ldb) {
        long step = (left ? 1 : ldb) * SIZE;
        long first = forward ? b : b + (order - 1) * step;
        if (left) {
            triangle.left(solve, n, first, forward ? step : -step, ldb * SIZE);
        } else {
            triangle.right(solve, m, first, forward ? step : -step);
        }
    }

    /** Where to split a triangle in two: near the middle, at a whole panel. */
    private static long half(long n) {
        return (n / 2 + VectorDTriangle.ORDER - 1) / VectorDTriangle.ORDER * VectorDTriangle.ORDER;
    }
}
