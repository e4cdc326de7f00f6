package dev.basalt.host.engine;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.factor.Factor;
import dev.basalt.host.vector.FusedZ;
import dev.basalt.host.vector.TinyZ;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * The complex kernels that are assembled: beside those of matrices, contiguous vectors, many of them as good as real ones of twice the
 * length. The portable kernels do the rest.
 */
public class AssembledZLeaf extends MatrixZLeaf {
    /** Vectors shorter than this are done by element. */
    static final long SHORT = 4;

    /** As {@link #SHORT} for vectors with elements apart. */
    static final long APART = 6;

    /** Squares that a sum of at least this may have lost to underflow are below its rounding error. */
    static final double SAFE = 0x1p-900; // float: static final double SAFE = 0x1p-90;

    /** A sum up to this did not overflow. */
    static final double LARGEST = Double.MAX_VALUE;

    private final ScratchPool turned;

    /**
     * Kernels of complex numbers.
     *
     * @param kernels kernels for complex numbers with parts of 8 bytes
     */
    public AssembledZLeaf(AssembledKernels kernels) {
        super(kernels);
        this.turned = new ScratchPool(Factor.WIDEST_UPPER * Factor.WIDEST_UPPER * 16L);
    }

    @Override
    public void copy(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            if (!kernels.level1().copyPast(n, x, y)) {
                kernels.copy(2 * n, x, y);
            }
        } else if (n >= APART) {
            kernels.stridedPairs().copy(n, x, incx, y, incy);
        } else {
            super.copy(n, x, incx, y, incy);
        }
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            kernels.level1().swap(n, x, y);
        } else if (n >= APART) {
            kernels.stridedPairs().swap(n, x, incx, y, incy);
        } else {
            super.swap(n, x, incx, y, incy);
        }
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        boolean apart = incx != 1 || incy != 1;
        if (apart && n >= APART) {
            kernels.stridedPairs().rot(n, alphaRe, betaRe, betaIm, real, x, incx, y, incy);
        } else if (apart || n < SHORT) {
            FusedZ.rot(n, alphaRe, betaRe, betaIm, real, x, incx, y, incy);
        } else if (real) {
            kernels.level1().rot(n, alphaRe, betaRe, x, y);
        } else {
            kernels.level1().rot(n, alphaRe, betaRe, betaIm, x, y);
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
        if (incx == 1 && incy == 1 && n >= SHORT) {
            kernels.level1().axpy(n, alphaRe, alphaIm, x, y);
        } else if (n >= APART) {
            kernels.stridedPairs().axpy(n, alphaRe, alphaIm, x, incx, y, incy);
        } else {
            FusedZ.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
        }
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        dot(n, x, incx, y, incy, conj, result, n);
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result, long whole) {
        if (incx == 1 && incy == 1 && n >= SHORT) {
            kernels.level1().dot(n, x, y, conj, result, whole);
        } else if (n >= APART) {
            kernels.stridedPairs().dot(n, x, incx, y, incy, conj, result);
        } else {
            super.dot(n, x, incx, y, incy, conj, result);
        }
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        if (incx == 1 && n >= SHORT && real) {
            kernels.scal(2 * n, alphaRe, x);
        } else if (incx == 1 && n >= SHORT) {
            kernels.level1().scal(n, alphaRe, alphaIm, x);
        } else if (n >= APART) {
            kernels.stridedPairs().scal(n, alphaRe, alphaIm, real, x, incx);
        } else if (real) {
            super.scal(n, alphaRe, alphaIm, true, x, incx);
        } else {
            FusedZ.scal(n, alphaRe, alphaIm, x, incx);
        }
    }

    @Override
    public double asum(long n, long x, long incx) { // keep double
        if (incx == 1 && n >= SHORT) {
            return kernels.asum(2 * n, x);
        }
        return n >= APART ? kernels.stridedPairs().asum(n, x, incx) : super.asum(n, x, incx);
    }

    @Override
    public double nrm2(long n, long x, long incx) { // keep double
        if (n >= (incx == 1 ? SHORT : APART)) {
            double sum = incx == 1 ? kernels.squares(2 * n, x) : kernels.stridedPairs().squares(n, x, incx); // keep double
            if (sum > SAFE && sum <= LARGEST) {
                return Math.sqrt(sum); // keep double
            }
        }
        return super.nrm2(n, x, incx);
    }

    @Override
    long tinyLu(long m, long n, long a, long lda, long ipiv, long offset) {
        return TinyZ.lu(m, n, a, lda, ipiv, offset);
    }

    @Override
    void tinyInverse(long n, boolean unit, long a, long di, long dj) {
        TinyZ.invert(n, unit, a, di, dj);
    }

    @Override
    boolean tinySolve(long n, boolean unit, boolean conj, long t, long dp, long dq, long sides, long x, long du,
            long dx) {
        return TinyZ.solve(n, unit, conj, t, dp, dq, sides, x, du, dx);
    }

    @Override
    public long potf2(Uplo uplo, long n, long a, long lda) {
        boolean upper = uplo == Uplo.UPPER;
        if (n <= (upper ? TINY : TINY_LOWER)) {
            return TinyZ.cholesky(n, a, upper ? lda : 1, upper ? 1 : lda);
        }
        if (upper && n <= Factor.WIDEST_UPPER) {
            return upper(n, a, lda);
        }
        return !upper && n <= Factor.widest() ? kernels.factor().cholesky(n, a, lda) : super.potf2(uplo, n, a, lda);
    }

    /** A = Uᴴ·U: the transpose of A is its conjugate, whose lower factor is the transpose of U. So a copy is factored, and nothing need be conjugated. */
    private long upper(long n, long a, long lda) {
        MemorySegment copy = turned.take();
        long l = copy.address();
        turn(n, a, lda * 16L, 16L, l, 16L, n * 16L);
        long info = kernels.factor().cholesky(n, l, n);
        turn(n, l, 16L, n * 16L, a, lda * 16L, 16L);
        turned.give(copy);
        return info;
    }

    /** Moves the elements of an upper triangle; dx and ex are bytes from one column and row to the next. Four columns at a time: a loop costs as much as several elements. */
    private static void turn(long n, long x, long dx, long ex, long y, long dy, long ey) {
        long j = 0;
        for (; j + 4 <= n; j += 4) {
            long from = x + j * dx;
            long to = y + j * dy;
            for (long i = 0; i <= j; i++, from += ex, to += ey) {
                move(from, to);
                move(from + dx, to + dy);
                move(from + 2 * dx, to + 2 * dy);
                move(from + 3 * dx, to + 3 * dy);
            }
            move(from + dx, to + dy);
            move(from + 2 * dx, to + 2 * dy);
            move(from + 3 * dx, to + 3 * dy);
            move(from + ex + 2 * dx, to + ey + 2 * dy);
            move(from + ex + 3 * dx, to + ey + 3 * dy);
            move(from + 2 * ex + 3 * dx, to + 2 * ey + 3 * dy);
        }
        for (; j < n; j++) {
            for (long i = 0; i <= j; i++) {
                move(x + j * dx + i * ex, y + j * dy + i * ey);
            }
        }
    }

    private static void move(long from, long to) {
        i64(to, i64(from));
        i64(to + 8L, i64(from + 8L)); // float:
    }
}
