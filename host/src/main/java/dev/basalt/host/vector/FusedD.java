package dev.basalt.host.vector;

import static dev.basalt.spi.Memory.f64;

/**
 * Element by element what vectors do several at a time, for elements apart and vectors too short for anything else: every product is
 * fused with the sum it goes into, so that an element has the same bits wherever it lies and however many there are. Increments
 * are in elements, an address is that of element 0.
 */
public final class FusedD {
    /** Elements that an int counts: C2 cuts loops that a long counts into such ones itself, which costs a short vector 3 ns. */
    private static final long RUN = 1 << 30;

    private FusedD() {}

    public static void axpy(long n, double alphaRe, long x, long incx, long y, long incy) {
        double alpha = alphaRe;
        long dx = incx * 8L;
        long dy = incy * 8L;
        long p = x;
        long q = y;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, p += dx, q += dy) {
                f64(q, Math.fma(alpha, f64(p), f64(q)));
            }
        }
    }

    public static void ger(long m, long n, double alphaRe, long x, long incx, long y, long incy, long a, long lda) {
        double alpha = alphaRe;
        long dx = incx * 8L;
        long dy = incy * 8L;
        long q = y;
        for (long j = 0; j < n; j++, q += dy) {
            double factor = alpha * f64(q);
            long p = x;
            long r = a + j * lda * 8L;
            // No loop that counts: what C2 makes of one is longer than this.
            long stop = r + m * 8L;
            for (; r != stop; p += dx, r += 8L) {
                f64(r, Math.fma(f64(p), factor, f64(r)));
            }
        }
    }

    /** y := alpha·op(A)·x + beta·y of few elements. */
    public static void gemv(boolean plain, long m, long n, double alphaRe, long a, long lda, long x, long incx,
            double betaRe, long y, long incy) {
        double alpha = alphaRe;
        double beta = betaRe;
        long dx = incx * 8L;
        long dy = incy * 8L;
        long results = plain ? m : n;
        if (plain && beta != 1) {
            long q = y;
            for (int i = (int) results; i > 0; i--, q += dy) {
                f64(q, beta == 0 ? 0 : beta * f64(q));
            }
        }
        long u = x;
        long v = y;
        for (int j = 0; j < (int) n; j++) {
            long p = a + j * lda * 8L;
            long stop = p + m * 8L;
            if (plain) {
                double factor = alpha * f64(u);
                long q = y;
                for (; p != stop; p += 8L, q += dy) {
                    f64(q, Math.fma(f64(p), factor, f64(q)));
                }
                u += dx;
            } else {
                double sum = 0;
                long q = x;
                for (; p != stop; p += 8L, q += dx) {
                    sum = Math.fma(f64(p), f64(q), sum);
                }
                f64(v, Math.fma(alpha, sum, beta == 0 ? 0 : beta * f64(v)));
                v += dy;
            }
        }
    }

    public static void rot(long n, double alphaRe, double betaRe, long x, long incx, long y, long incy) {
        double c = alphaRe;
        double s = betaRe;
        long dx = incx * 8L;
        long dy = incy * 8L;
        long p = x;
        long q = y;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, p += dx, q += dy) {
                double u = f64(p);
                double v = f64(q);
                f64(p, Math.fma(v, s, c * u));
                f64(q, Math.fma(u, -s, c * v));
            }
        }
    }
}
