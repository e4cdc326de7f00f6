package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.SIZE;

import dev.basalt.portable.BandColumns;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.JacobiTile;
import dev.basalt.portable.SecularLeaf;
import dev.basalt.portable.SideBySide;
import dev.basalt.portable.TridiagonalLeaf;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The real kernels that vectors make faster; the portable ones do the rest, and all vectors with gaps. Recursive kernels of the
 * parent (getf2, potf2, large triangles and others) come to {@link #gemm} and to the base cases here.
 */
public class VectorDLeaf extends DLeaf {
    /** Vectors shorter than this are done by element. */
    private static final long SHORT = 16;

    /** Dimensions of a product beyond this are left to the portable kernels, which count in longs. */
    private static final long LONGEST = 1 << 28;
    /** Squares that a sum of at least this may have lost to underflow are below its rounding error. */
    private static final double SAFE = 0x1p-900; // float: private static final float SAFE = 0x1p-90f;

    private final VectorPool<VectorDGemm> products = new VectorPool<>(VectorDGemm::new);
    private final VectorPool<VectorDTriangle> triangles = new VectorPool<>(VectorDTriangle::new);

    @Override
    public TridiagonalLeaf tridiagonal() {
        return FusedDTridiagonal.KERNELS;
    }

    @Override
    public SideBySide steqrLanes() {
        return VectorDSteqr.lanes();
    }

    @Override
    public SideBySide bdsqrLanes() {
        return VectorDBdsqr.lanes();
    }

    @Override
    public SideBySide sytd2Lanes() {
        return VectorDSytd2.lanes();
    }

    @Override
    public SideBySide gebd2Lanes() {
        return VectorDGebd2.lanes();
    }

    @Override
    protected BandColumns bandColumns() {
        return VectorDTranspose.SUPPORTED ? new VectorDBand(this) : super.bandColumns();
    }

    @Override
    public SecularLeaf secular() {
        return new VectorDSecular();
    }

    @Override
    public JacobiTile jacobiTile(int parts) {
        return new VectorDJacobiTile(parts);
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            VectorDLevel1.swap(n, x, y);
        } else {
            super.swap(n, x, incx, y, incy);
        }
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        if (incx == 1 && incy == 1) {
            double c = alphaRe;
            double s = betaRe;
            VectorDLevel1.rot(n, c, s, x, y);
        } else {
            FusedD.rot(n, alphaRe, betaRe, x, incx, y, incy);
        }
    }

    @Override
    public void sweep(long count, long cosines, long sines, long step, boolean turned, long rows, long x, long ld) {
        VectorDLevel1.sweep(count, cosines, sines, step, turned, rows, x, ld * 8L);
    }

    @Override
    public void chaseRows(long cols, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        if (!VectorDReflect.SUPPORTED) {
            super.chaseRows(cols, x, ld, alphaRe, alphaIm, betaRe, betaIm);
            return;
        }
        double tau = alphaRe;
        double second = betaRe;
        double third = betaIm;
        VectorDReflect.rows(cols, x, ld * 8L, tau, second, third);
    }

    @Override
    public void chaseColumns(long rows, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        if (!VectorDReflect.SUPPORTED) {
            super.chaseColumns(rows, x, ld, alphaRe, alphaIm, betaRe, betaIm);
            return;
        }
        double tau = alphaRe;
        double second = betaRe;
        double third = betaIm;
        VectorDReflect.columns(rows, x, ld * 8L, tau, second, third);
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1) {
            double alpha = alphaRe;
            VectorDLevel1.axpy(n, alpha, x, y);
        } else {
            FusedD.axpy(n, alphaRe, x, incx, y, incy);
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
        // An operand in an array of Java is no address: its number is negative, and the loop would end before it begins.
        if (incx == 1 && x >= 0) {
            double alpha = alphaRe;
            VectorDLevel1.fill(n, alpha, x);
        } else {
            super.fill(n, alphaRe, alphaIm, x, incx);
        }
    }

    @Override
    public double dotReal(long n, long x, long incx, long y, long incy) { // keep double
        return incx == 1 && incy == 1 && n >= SHORT ? VectorDLevel1.dot(n, x, y) : super.dotReal(n, x, incx, y, incy);
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
    public void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx,
            double betaRe, double betaIm, long y, long incy) {
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
    public void symv(Uplo uplo, boolean hermitian, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
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
    public void gemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda, long b,
            long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        if (m <= 0 || n <= 0) {
            return;
        }
        if (Math.max(m, Math.max(n, k)) > LONGEST) {
            super.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
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
    public void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc) {
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
    public void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        if (m > 0 && n > 0 && alphaRe != 0 && (side == Side.LEFT ? m : n) <= VectorDTriangle.ORDER) {
            scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
            VectorDTriangle triangle = triangles.take();
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
        if (m > 0 && n > 0 && alphaRe != 0 && (side == Side.LEFT ? m : n) <= VectorDTriangle.ORDER) {
            double alpha = alphaRe;
            VectorDTriangle triangle = triangles.take();
            triangle.multiply(side, uplo, op, diag, m, n, alpha, a, lda, b, ldb);
            triangles.give(triangle);
        } else {
            super.trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        }
    }
}
