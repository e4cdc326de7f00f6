package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.VectorCall;
import java.lang.foreign.MemorySegment;

/**
 * Assembled kernels of level 1 over complex vectors whose elements lie apart ({@link StridePairCode}). Addresses are those of element 0, increments are in
 * elements and may be negative or 0. Any number of threads may use one object.
 */
public final class StridedPairs {
    /** A call holds up the garbage collector; elements apart take a cache line each. */
    private static final long PIECE = 1 << 14;

    private final StreamTable kernels;
    /** Bytes of a real number. */
    private final int size;

    /**
     * Kernels of one precision.
     *
     * @param kernels those of a complex type
     */
    public StridedPairs(StreamTable kernels) {
        this.kernels = kernels;
        this.size = kernels.shape().precision().bytes;
    }

    /**
     * y := x, from the first element to the last.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     */
    public void copy(long n, long x, long incx, long y, long incy) {
        run(StridePairCode.Kind.COPY, n, x, incx, y, incy, 0, 0, 0);
    }

    /**
     * x and y exchange their elements.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     */
    public void swap(long n, long x, long incx, long y, long incy) {
        run(StridePairCode.Kind.SWAP, n, x, incx, y, incy, 0, 0, 0);
    }

    /**
     * y := alpha·x + y.
     *
     * @param n elements
     * @param re alpha
     * @param im its imaginary part
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     */
    public void axpy(long n, double re, double im, long x, long incx, long y, long incy) {
        run(StridePairCode.Kind.AXPY, n, x, incx, y, incy, 0, re, im);
    }

    /**
     * x := alpha·x.
     *
     * @param n elements
     * @param re alpha
     * @param im its imaginary part
     * @param real whether alpha is a real number, which multiplies both parts
     * @param x address
     * @param incx increment
     */
    public void scal(long n, double re, double im, boolean real, long x, long incx) {
        run(real ? StridePairCode.Kind.SCAL_REAL : StridePairCode.Kind.SCAL, n, x, incx, x, incx, 0, re, im);
    }

    /**
     * x := c·x + s·y and y := c·y - conj(s)·x.
     *
     * @param n elements
     * @param c cosine
     * @param re sine
     * @param im its imaginary part
     * @param real whether the sine is a real number: with infinities it is no complex one whose imaginary part is 0
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     */
    public void rot(long n, double c, double re, double im, boolean real, long x, long incx, long y, long incy) {
        run(real ? StridePairCode.Kind.ROT_REAL : StridePairCode.Kind.ROT, n, x, incx, y, incy,
                Double.doubleToRawLongBits(c), re, im);
    }

    /**
     * Σ |re| + |im|.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @return the sum
     */
    public double asum(long n, long x, long incx) {
        return run(StridePairCode.Kind.ASUM, n, x, incx, x, incx, 0, 0, 0);
    }

    /**
     * Σ re² + im², which may overflow or underflow.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @return the sum
     */
    public double squares(long n, long x, long incx) {
        return run(StridePairCode.Kind.SQUARES, n, x, incx, x, incx, 0, 0, 0);
    }

    /**
     * Σ x·y or Σ conj(x)·y.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     * @param conj whether x is conjugated
     * @param result address of the sum
     */
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        StridePairCode.Kind kind = conj ? StridePairCode.Kind.DOTC : StridePairCode.Kind.DOTU;
        if (n <= PIECE) {
            run(kind, n, x, incx, y, incy, result, 0, 0);
            return;
        }
        double re = 0;
        double im = 0;
        for (long i = 0; i < n; i += PIECE) {
            run(kind, Math.min(PIECE, n - i), x + i * incx * 2 * size, incx, y + i * incy * 2 * size, incy, result, 0,
                    0);
            re += size == 8 ? f64(result) : f32(result);
            im += size == 8 ? f64(result + size) : f32(result + size);
        }
        if (size == 8) {
            f64(result, re);
            f64(result + size, im);
        } else {
            f32(result, (float) re);
            f32(result + size, (float) im);
        }
    }

    private double run(StridePairCode.Kind kind, long n, long x, long incx, long y, long incy, long result, double re,
            double im) {
        MemorySegment code = kernels.stridedPair(kind);
        long dx = incx * 2 * size;
        long dy = incy * 2 * size;
        if (n <= PIECE) {
            long all = VectorCall.stridedPairs(code, n, x, dx, y, dy, result, re, im);
            return kind.sums() ? rounded(Double.longBitsToDouble(all)) : 0;
        }
        double sum = 0;
        for (long i = 0; i < n; i += PIECE) {
            long part = VectorCall.stridedPairs(code, Math.min(PIECE, n - i), x + i * dx, dx, y + i * dy, dy, result,
                    re, im);
            sum += kind.sums() ? Double.longBitsToDouble(part) : 0;
        }
        return rounded(sum);
    }

    private double rounded(double sum) {
        return size == 4 ? (float) sum : sum;
    }
}
