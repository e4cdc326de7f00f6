package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.Memory;

/**
 * Vector kernels (BLAS level 1).
 *
 * <p>Loops advance addresses and know the byte strides of their operands: with a constant stride, C2 keeps them as tight
 * as loops over arrays. A separate loop for unit increments is only there where it gains something. Sums are kept in four
 * accumulators, since one would wait for the latency of every addition.
 */
abstract class DLevel1 extends RecursiveReflectors {
    /** Rows of a strip of columns. */
    private static final long STRIP = 128;

    /** Any n squares that underflowed are below the rounding error of a sum of at least this. */
    static final double SAFE_SQUARE = 0x1p-900; // keep double

    /** Elements that an int counts: C2 cuts loops that a long counts into such ones itself, which costs a short vector 3 ns. */
    private static final long RUN = 1 << 30;

    /** Below this, the fixed cost of a block copy is more than that of a loop. */
    private static final long BLOCK_COPY = 64;

    @Override
    final long bytes() {
        return 8L;
    }

    @Override
    final boolean complex() {
        return false;
    }

    @Override
    final void real(long element) {}

    @Override
    public void copy(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= BLOCK_COPY) {
            Memory.copy(x, y, n * 8L);
            return;
        }
        long dx = incx * 8L;
        long dy = incy * 8L;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, x += dx, y += dy) {
                f64(y, f64(x));
            }
        }
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        long dx = incx * 8L;
        long dy = incy * 8L;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, x += dx, y += dy) {
                double t = f64(x);
                f64(x, f64(y));
                f64(y, t);
            }
        }
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        double c = alphaRe;
        double s = betaRe;
        long dx = incx * 8L;
        long dy = incy * 8L;
        for (long i = 0; i < n; i++, x += dx, y += dy) {
            double u = f64(x);
            double v = f64(y);
            f64(x, c * u + s * v);
            f64(y, c * v - s * u);
        }
    }

    /** Strips of columns stay in the first cache. */
    @Override
    public void sweep(long count, long cosines, long sines, long step, boolean turned, long rows, long x, long ld) {
        long next = ld * 8L;
        for (long i = 0; i < rows; i += STRIP) {
            long y = x + i * 8L;
            long m = Math.min(STRIP, rows - i);
            for (long k = 0; k < count; k++, y += next) {
                double s = f64(sines + k * step * 8L);
                rot(m, f64(cosines + k * step * 8L), turned ? -s : s, 0, true, y, 1, y + next, 1);
            }
        }
    }

    @Override
    public void chaseRows(long cols, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        double tau = alphaRe;
        double second = betaRe;
        double third = betaIm;
        DSchur.onRows(cols, x, ld, second, third, tau);
    }

    @Override
    public void chaseColumns(long rows, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        double tau = alphaRe;
        double second = betaRe;
        double third = betaIm;
        DSchur.onColumns(rows, x, ld, second, third, tau);
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        double alpha = alphaRe;
        if (incx == 1 && incy == 1) {
            for (long end = x + n * 8L; x < end; x += 8L, y += 8L) {
                f64(y, f64(y) + alpha * f64(x));
            }
            return;
        }
        long dx = incx * 8L;
        long dy = incy * 8L;
        for (long i = 0; i < n; i++, x += dx, y += dy) {
            f64(y, f64(y) + alpha * f64(x));
        }
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        double alpha = alphaRe;
        if (incx == 1) {
            for (long end = x + n * 8L; x < end; x += 8L) {
                f64(x, alpha * f64(x));
            }
            return;
        }
        long dx = incx * 8L;
        for (long i = 0; i < n; i++, x += dx) {
            f64(x, alpha * f64(x));
        }
    }

    @Override
    public void fill(long n, double alphaRe, double alphaIm, long x, long incx) {
        double alpha = alphaRe;
        if (incx == 1) {
            for (long end = x + n * 8L; x < end; x += 8L) {
                f64(x, alpha);
            }
            return;
        }
        long dx = incx * 8L;
        for (long i = 0; i < n; i++, x += dx) {
            f64(x, alpha);
        }
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        double sum = dotReal(n, x, incx, y, incy); // keep double
        f64(result, sum); // float: f32(result, (float) sum);
    }

    @Override
    public double dotReal(long n, long x, long incx, long y, long incy) { // keep double
        return dot(n, x, incx * 8L, y, incy * 8L);
    }

    /** Σ xᵢ·yᵢ; dx and dy are in bytes. */
    static double dot(long n, long x, long dx, long y, long dy) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long i = 0;
        if (dx == 8L && dy == 8L) {
            for (; i + 4 <= n; i += 4, x += 32L, y += 32L) {
                s0 += f64(x) * f64(y);
                s1 += f64(x + 8L) * f64(y + 8L);
                s2 += f64(x + 16L) * f64(y + 16L);
                s3 += f64(x + 24L) * f64(y + 24L);
            }
        } else {
            for (; i + 4 <= n; i += 4, x += 4 * dx, y += 4 * dy) {
                s0 += f64(x) * f64(y);
                s1 += f64(x + dx) * f64(y + dy);
                s2 += f64(x + 2 * dx) * f64(y + 2 * dy);
                s3 += f64(x + 3 * dx) * f64(y + 3 * dy);
            }
        }
        for (; i < n; i++, x += dx, y += dy) {
            s0 += f64(x) * f64(y);
        }
        return (s0 + s1) + (s2 + s3);
    }

    @Override
    public double asum(long n, long x, long incx) { // keep double
        long dx = incx * 8L;
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long i = 0;
        for (; i + 4 <= n; i += 4, x += 4 * dx) {
            s0 += Math.abs(f64(x));
            s1 += Math.abs(f64(x + dx));
            s2 += Math.abs(f64(x + 2 * dx));
            s3 += Math.abs(f64(x + 3 * dx));
        }
        for (; i < n; i++, x += dx) {
            s0 += Math.abs(f64(x));
        }
        return (s0 + s1) + (s2 + s3);
    }

    /**
     * The plain sum of squares is right unless it overflowed or is so small that squares may have been lost to underflow;
     * only then is there a second pass, over elements scaled as in Blue, "A portable Fortran program to find the Euclidean
     * norm of a vector", 1978. The float version sums in double, where neither can happen.
     */
    @Override
    public double nrm2(long n, long x, long incx) { // keep double
        double sum = sumOfSquares(n, x, incx * 8L, 1); // keep double
        if ((sum > SAFE_SQUARE && sum <= Double.MAX_VALUE) || Double.isNaN(sum)) { // float: if (!(sum < 0)) {
            return Math.sqrt(sum); // keep double
        }
        double scale = sum > 1 ? 0x1p-600 : 0x1p600; // keep double
        return Math.sqrt(sumOfSquares(n, x, incx * 8L, scale)) / scale; // keep double
    }

    private static double sumOfSquares(long n, long x, long dx, double scale) { // keep double
        double s0 = 0; // keep double
        double s1 = 0; // keep double
        double s2 = 0; // keep double
        double s3 = 0; // keep double
        long i = 0;
        for (; i + 4 <= n; i += 4, x += 4 * dx) {
            double v0 = scale * f64(x); // keep double
            double v1 = scale * f64(x + dx); // keep double
            double v2 = scale * f64(x + 2 * dx); // keep double
            double v3 = scale * f64(x + 3 * dx); // keep double
            s0 += v0 * v0;
            s1 += v1 * v1;
            s2 += v2 * v2;
            s3 += v3 * v3;
        }
        for (; i < n; i++, x += dx) {
            double v = scale * f64(x); // keep double
            s0 += v * v;
        }
        return (s0 + s1) + (s2 + s3);
    }

    @Override
    public long iamax(long n, long x, long incx) {
        if (n <= 0) {
            return 0;
        }
        long dx = incx * 8L;
        long at = 1;
        double max = Math.abs(f64(x));
        // Ends at a NaN: nothing after it can win.
        if (Double.isNaN(max)) {
            return 1;
        }
        for (long i = 2; i <= n; i++) {
            x += dx;
            double v = Math.abs(f64(x));
            if (!(v <= max)) {
                if (Double.isNaN(v)) {
                    return i;
                }
                max = v;
                at = i;
            }
        }
        return at;
    }

    @Override
    public long iamin(long n, long x, long incx) {
        if (n <= 0) {
            return 0;
        }
        long dx = incx * 8L;
        long at = 1;
        double min = Math.abs(f64(x));
        long i = 2;
        for (; i <= n && Double.isNaN(min); i++) {
            x += dx;
            double v = Math.abs(f64(x));
            if (!Double.isNaN(v)) {
                min = v;
                at = i;
            }
        }
        for (; i <= n; i++) {
            x += dx;
            double v = Math.abs(f64(x));
            if (v < min) {
                min = v;
                at = i;
            }
        }
        return at;
    }
}
