package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.portable.BandColumns;
import dev.basalt.portable.ZLeaf;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The complex kernels that vectors make faster; the portable ones do the rest, and all vectors with gaps. Recursive kernels of
 * the parent come to {@link #gemm} and {@link #gemv} here.
 */
public class VectorZLeaf extends ZLeaf {
    /** Vectors shorter than this are done by element. */
    private static final long SHORT = 8;
    /** Dimensions of a product beyond this are left to the portable kernels, which count in longs. */
    private static final long LONGEST = 1 << 28;
    /** Squares that a sum of at least this may have lost to underflow are below its rounding error. */
    private static final double SAFE = 0x1p-900; // float: private static final float SAFE = 0x1p-90f;

    private final VectorPool<VectorZGemm> products = new VectorPool<>(VectorZGemm::new);
    private final VectorPool<VectorZTriangle> triangles = new VectorPool<>(VectorZTriangle::new);

    @Override
    protected BandColumns bandColumns() {
        return VectorZBand.of(this);
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            VectorDLevel1.swap(2 * n, x, y);
        } else {
            super.swap(n, x, incx, y, incy);
        }
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        double c = alphaRe;
        double re = betaRe;
        double im = betaIm;
        if (incx != 1 || incy != 1) {
            FusedZ.rot(n, alphaRe, betaRe, betaIm, real, x, incx, y, incy);
        } else if (real) {
            VectorDLevel1.rot(2 * n, c, re, x, y);
        } else {
            VectorZLevel1.rot(n, c, re, im, x, y);
        }
    }

    @Override
    public void sweep(long count, long cosines, long sines, long step, boolean turned, long rows, long x, long ld) {
        VectorDLevel1.sweep(count, cosines, sines, step, turned, 2 * rows, x, ld * 16L);
    }

    @Override
    public void chaseRows(long cols, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        if (!VectorZReflect.SUPPORTED) {
            super.chaseRows(cols, x, ld, alphaRe, alphaIm, betaRe, betaIm);
            return;
        }
        double tr = alphaRe;
        double ti = alphaIm;
        double vr = betaRe;
        double vi = betaIm;
        VectorZReflect.rows(cols, x, ld * 16L, tr, ti, vr, vi);
    }

    @Override
    public void chaseColumns(long rows, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        if (!VectorZReflect.SUPPORTED) {
            super.chaseColumns(rows, x, ld, alphaRe, alphaIm, betaRe, betaIm);
            return;
        }
        double tr = alphaRe;
        double ti = alphaIm;
        double vr = betaRe;
        double vi = betaIm;
        VectorZReflect.columns(rows, x, ld * 16L, tr, ti, vr, vi);
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1) {
            double re = alphaRe;
            double im = alphaIm;
            VectorZLevel1.axpy(n, re, im, x, y);
        } else {
            FusedZ.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
        }
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        double re = alphaRe;
        double im = alphaIm;
        if (incx != 1 && real) {
            super.scal(n, alphaRe, alphaIm, true, x, incx);
        } else if (incx != 1) {
            FusedZ.scal(n, alphaRe, alphaIm, x, incx);
        } else if (real) {
            VectorDLevel1.scal(2 * n, re, x);
        } else {
            VectorZLevel1.scal(n, re, im, x);
        }
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            VectorZLevel1.dot(n, x, y, conj, result);
        } else {
            super.dot(n, x, incx, y, incy, conj, result);
        }
    }

    @Override
    public double asum(long n, long x, long incx) { // keep double
        return incx == 1 && n >= SHORT ? VectorDLevel1.asum(2 * n, x) : super.asum(n, x, incx);
    }

    @Override
    public double nrm2(long n, long x, long incx) { // keep double
        if (incx == 1 && n >= SHORT) {
            double sum = VectorDLevel1.sumOfSquares(2 * n, x);
            if (sum > SAFE && sum <= Double.MAX_VALUE) {
                return Math.sqrt(sum);
            }
        }
        return super.nrm2(n, x, incx);
    }

    @Override
    public long iamax(long n, long x, long incx) {
        long found = incx == 1 && n >= SHORT ? VectorZLevel1.iamax(n, x) : -1;
        return found >= 0 ? found : super.iamax(n, x, incx);
    }

    @Override
    public void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx,
            double betaRe, double betaIm, long y, long incy) {
        if ((op == Op.NONE ? incy : incx) != 1) {
            super.gemv(op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        if (betaRe != 1 || betaIm != 0) {
            super.gemv(op, m, n, 0, 0, a, lda, x, incx, betaRe, betaIm, y, incy);
        }
        double re = alphaRe;
        double im = alphaIm;
        if (re == 0 && im == 0) {
            return;
        }
        int bytes = 2 * SIZE;
        if (op == Op.NONE) {
            VectorZLevel2.addColumns(m, n, re, im, a, lda * bytes, x, incx * bytes, y);
        } else {
            VectorZLevel2.addRows(m, n, re, im, a, lda * bytes, op == Op.CONJ_TRANS, x, y, incy * bytes);
        }
    }

    @Override
    public void gemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda, long b,
            long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        if (m <= 0 || n <= 0) {
            return;
        }
        if (Math.max(m, Math.max(n, k)) > LONGEST) {
            super.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
            return;
        }
        if (alphaRe == 0 && alphaIm == 0 || k <= 0) {
            scalMatrix(m, n, betaRe, betaIm, c, ldc);
            return;
        }
        VectorZGemm product = products.take();
        product.multiply(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
        products.give(product);
    }

    @Override
    public void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc) {
        boolean nothing = alphaRe == 0 && (hermitian || alphaIm == 0);
        if (n <= 0 || k <= 0 || nothing) {
            scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
            return;
        }
        VectorZGemm product = products.take();
        if (hermitian) {
            product.square(uplo, op, true, n, k, alphaRe, 0, a, lda, betaRe, 0, c, ldc);
            for (long j = 0; j < n; j++) {
                f64(c + (j * (ldc + 1) * 2 + 1) * SIZE, 0);
            }
        } else {
            product.square(uplo, op, false, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc);
        }
        products.give(product);
    }

    @Override
    public void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        if (m > 0 && n > 0 && (alphaRe != 0 || alphaIm != 0) && (side == Side.LEFT ? m : n) <= VectorZTriangle.ORDER) {
            scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
            VectorZTriangle triangle = triangles.take();
            boolean done = triangle.solve(side, uplo, op, diag, m, n, a, lda, b, ldb);
            triangles.give(triangle);
            if (!done) {
                super.trsm(side, uplo, op, diag, m, n, 1, 0, a, lda, b, ldb);
            }
        } else {
            super.trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        }
    }

    @Override
    public void trmm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        if (m > 0 && n > 0 && (alphaRe != 0 || alphaIm != 0) && (side == Side.LEFT ? m : n) <= VectorZTriangle.ORDER) {
            double re = alphaRe;
            double im = alphaIm;
            VectorZTriangle triangle = triangles.take();
            triangle.multiply(side, uplo, op, diag, m, n, re, im, a, lda, b, ldb);
            triangles.give(triangle);
        } else {
            super.trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        }
    }
}
