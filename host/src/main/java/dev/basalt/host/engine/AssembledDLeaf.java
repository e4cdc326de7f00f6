package dev.basalt.host.engine;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.factor.Factor;
import dev.basalt.host.vector.FusedD;
import dev.basalt.host.vector.FusedDTridiagonal;
import dev.basalt.host.vector.TinyD;
import dev.basalt.portable.HeapOperands;
import dev.basalt.portable.TridiagonalLeaf;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * The real kernels that are assembled: beside those of matrices, vectors. The parent does the rest: the portable kernels here, the
 * Vector API's in the class generated from this one.
 */
public final class AssembledDLeaf extends MatrixDLeaf {
    /** Vectors shorter than this are done by element. */
    static final long SHORT = 4;

    /** Vectors shorter than this need not be asked about copying past the caches. */
    private static final long LONG = 1 << 20;

    /** As {@link #SHORT} for vectors with elements apart. */
    static final long APART = 8;

    /** Squares that a sum of at least this may have lost to underflow are below its rounding error. */
    static final double SAFE = 0x1p-900; // float: static final double SAFE = 0x1p-90;

    /** A sum up to this did not overflow. */
    static final double LARGEST = Double.MAX_VALUE;

    /**
     * Kernels of real numbers.
     *
     * @param kernels kernels for real numbers of 8 bytes
     */
    public AssembledDLeaf(AssembledKernels kernels) {
        super(kernels);
    }

    @Override
    public TridiagonalLeaf tridiagonal() {
        return FusedDTridiagonal.KERNELS;
    }

    @Override
    public void copy(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            if (n < LONG || !kernels.level1().copyPast(n, x, y)) {
                kernels.copy(n, x, y);
            }
        } else if (n >= APART) {
            kernels.strided().copy(n, x, incx, y, incy);
        } else {
            super.copy(n, x, incx, y, incy);
        }
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            kernels.level1().swap(n, x, y);
        } else if (n >= APART) {
            kernels.strided().swap(n, x, incx, y, incy);
        } else {
            super.swap(n, x, incx, y, incy);
        }
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        if (incx == 1 && incy == 1 && n > 0) {
            kernels.level1().rot(n, alphaRe, betaRe, x, y);
        } else if (n >= APART) {
            kernels.strided().rot(n, alphaRe, betaRe, x, incx, y, incy);
        } else {
            FusedD.rot(n, alphaRe, betaRe, x, incx, y, incy);
        }
    }

    @Override
    protected void rotm(long n, long x, long incx, long y, long incy, double h11, double h21, double h12, double h22) {
        // Where arrays of Java lie is not known before a call that asks for it.
        if (incx == 1 && incy == 1 && n >= APART && x >= 0 && y >= 0) {
            long c = Double.doubleToRawLongBits(h21); // float: long c = Float.floatToRawIntBits(h21);
            long d = Double.doubleToRawLongBits(h22); // float: long d = Float.floatToRawIntBits(h22);
            kernels.level1().rotm(n, h11, h12, c, d, x, y);
        } else {
            super.rotm(n, x, incx, y, incy, h11, h21, h12, h22);
        }
    }

    @Override
    public long iamax(long n, long x, long incx) {
        long found = kernels.level1().extreme(true, n, x, incx);
        return found > 0 ? found : super.iamax(n, x, incx);
    }

    @Override
    public long iamin(long n, long x, long incx) {
        long found = kernels.level1().extreme(false, n, x, incx);
        return found > 0 ? found : super.iamin(n, x, incx);
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n > 0) {
            kernels.axpy(n, alphaRe, x, y);
        } else if (n >= APART) {
            kernels.strided().axpy(n, alphaRe, x, incx, y, incy);
        } else {
            FusedD.axpy(n, alphaRe, x, incx, y, incy);
        }
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        if (incx == 1 && n >= SHORT) {
            kernels.scal(n, alphaRe, x);
        } else if (n >= APART) {
            kernels.strided().scal(n, alphaRe, x, incx);
        } else {
            super.scal(n, alphaRe, alphaIm, real, x, incx);
        }
    }

    @Override
    public double dotReal(long n, long x, long incx, long y, long incy) { // keep double
        if (incx == 1 && incy == 1 && n >= SHORT) {
            return kernels.dot(n, x, y);
        }
        if (n < APART) {
            return super.dotReal(n, x, incx, y, incy);
        }
        double sum = kernels.strided().dot(n, x, incx, y, incy); // keep double
        return sum; // float: return (float) sum;
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result, long whole) {
        if (incx == 1 && incy == 1 && n >= SHORT && kernels.far(2 * whole)) {
            double sum = kernels.dotAhead(n, x, y); // keep double
            f64(result, sum); // float: f32(result, (float) sum);
        } else {
            dot(n, x, incx, y, incy, conj, result);
        }
    }

    @Override
    public double asum(long n, long x, long incx) { // keep double
        if (n < APART) {
            return super.asum(n, x, incx);
        }
        return incx == 1 ? kernels.asum(n, x) : kernels.strided().asum(n, x, incx);
    }

    @Override
    public double nrm2(long n, long x, long incx) { // keep double
        if (n >= APART) {
            AssembledKernels k = kernels;
            double sum = incx == 1 ? k.squares(n, x) : k.strided().squares(n, x, incx); // keep double
            if (sum > SAFE && sum <= LARGEST) {
                return Math.sqrt(sum); // keep double
            }
        }
        return super.nrm2(n, x, incx);
    }

    @Override
    long tinyLu(long m, long n, long a, long lda, long ipiv, long offset) {
        return TinyD.lu(m, n, a, lda, ipiv, offset);
    }

    @Override
    void tinyInverse(long n, boolean unit, long a, long di, long dj) {
        TinyD.invert(n, unit, a, di, dj);
    }

    @Override
    boolean tinySolve(long n, boolean unit, boolean conj, long t, long dp, long dq, long sides, long x, long du,
            long dx) {
        return TinyD.solve(n, unit, t, dp, dq, sides, x, du, dx);
    }

    @Override
    public long potf2(Uplo uplo, long n, long a, long lda) {
        boolean upper = uplo == Uplo.UPPER;
        if (n <= (upper ? TINY : TINY_LOWER)) {
            return a < 0 ? copiedCholesky(upper, n, a, lda) : TinyD.cholesky(n, a, upper ? lda : 1, upper ? 1 : lda);
        }
        if (n > (upper ? Factor.WIDEST_UPPER : Factor.widest())) {
            return super.potf2(uplo, n, a, lda);
        }
        return upper ? kernels.factor().choleskyUpper(n, a, lda) : kernels.factor().cholesky(n, a, lda);
    }

    /** The same by element of a matrix in an array of Java, whose elements have no address for Java. */
    private long copiedCholesky(boolean upper, long n, long a, long lda) {
        MemorySegment copy = factors.take();
        long at = copy.address();
        HeapOperands.copy(true, n, n, a, lda, at);
        long info = TinyD.cholesky(n, at, upper ? n : 1, upper ? 1 : n);
        HeapOperands.copy(false, n, n, a, lda, at);
        factors.give(copy);
        return info;
    }
}
