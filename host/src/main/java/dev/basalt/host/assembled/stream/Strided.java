package dev.basalt.host.assembled.stream;

import dev.basalt.host.assembled.code.VectorCall;
import dev.basalt.host.assembled.x86.Real;
import java.lang.foreign.MemorySegment;

/**
 * Assembled kernels of level 1 over real vectors whose elements lie apart ({@link StrideCode}). Addresses are those of element 0,
 * increments are in elements and may be negative or 0. Any number of threads may use one object.
 */
public final class Strided {
    /** A call holds up the garbage collector; elements apart take a cache line each. */
    private static final long PIECE = 1 << 14;

    private final StreamTable kernels;
    private final Real precision;

    /**
     * Kernels of one precision.
     *
     * @param kernels those of a real type
     */
    public Strided(StreamTable kernels) {
        this.kernels = kernels;
        this.precision = kernels.shape().precision();
    }

    /**
     * Σ x·y.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     * @return the sum
     */
    public double dot(long n, long x, long incx, long y, long incy) {
        return run(StreamCode.Kind.DOT, n, 0, x, incx, y, incy);
    }

    /**
     * Σ |x|.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @return the sum
     */
    public double asum(long n, long x, long incx) {
        return run(StreamCode.Kind.ASUM, n, 0, x, incx, x, incx);
    }

    /**
     * Σ x², which may overflow or underflow.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @return the sum
     */
    public double squares(long n, long x, long incx) {
        return run(StreamCode.Kind.SQUARES, n, 0, x, incx, x, incx);
    }

    /**
     * y := alpha·x + y, from the first element to the last.
     *
     * @param n elements
     * @param alpha factor
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     */
    public void axpy(long n, double alpha, long x, long incx, long y, long incy) {
        run(StreamCode.Kind.AXPY, n, alpha, x, incx, y, incy);
    }

    /**
     * x := alpha·x.
     *
     * @param n elements
     * @param alpha factor
     * @param x address
     * @param incx increment
     */
    public void scal(long n, double alpha, long x, long incx) {
        run(StreamCode.Kind.SCAL, n, alpha, x, incx, x, incx);
    }

    /**
     * y := x.
     *
     * @param n elements
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     */
    public void copy(long n, long x, long incx, long y, long incy) {
        run(StreamCode.Kind.COPY, n, 0, x, incx, y, incy);
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
        run(StreamCode.Kind.SWAP, n, 0, x, incx, y, incy);
    }

    /**
     * x := c·x + s·y and y := c·y - s·x, from the first element to the last.
     *
     * @param n elements
     * @param c cosine
     * @param s sine
     * @param x address
     * @param incx increment
     * @param y address
     * @param incy increment
     */
    public void rot(long n, double c, double s, long x, long incx, long y, long incy) {
        run(StreamCode.Kind.ROT, n, c, s, x, incx, y, incy);
    }

    private double run(StreamCode.Kind kind, long n, double alpha, long x, long incx, long y, long incy) {
        return run(kind, n, alpha, 0, x, incx, y, incy);
    }

    private double run(StreamCode.Kind kind, long n, double alpha, double beta, long x, long incx, long y, long incy) {
        MemorySegment code = kernels.strided(kind);
        long dx = incx * precision.bytes;
        long dy = incy * precision.bytes;
        if (n <= PIECE) {
            long all = VectorCall.strides(code, n, x, dx, y, dy, alpha, beta);
            return kind.sums ? rounded(Double.longBitsToDouble(all)) : 0;
        }
        double sum = 0;
        for (long i = 0; i < n; i += PIECE) {
            long part = VectorCall.strides(code, Math.min(PIECE, n - i), x + i * dx, dx, y + i * dy, dy, alpha, beta);
            sum += kind.sums ? Double.longBitsToDouble(part) : 0;
        }
        return rounded(sum);
    }

    private double rounded(double sum) {
        return precision == Real.F32 ? (float) sum : sum;
    }
}
