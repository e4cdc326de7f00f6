package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Rotations that are made, and modified ones that are applied. */
abstract class DRotation extends DLevel1 {
    /** Modified rotations keep their scales between 1 / GAM² and GAM². */
    private static final double GAM = 4096;

    /** GAM² and its reciprocal as reference BLAS has them. */
    private static final double GAM_SQUARE = 1.67772E7;

    private static final double GAM_SQUARE_RECIPROCAL = 5.96046E-8;

    /** As reference BLAS since 3.10: safe scaling (Anderson, "Algorithm 978: Safe scaling in the level 1 BLAS", 2017). */
    @Override
    public void rotg(long a, long b, long c, long s) {
        double x = f64(a);
        double y = f64(b);
        double left = Math.abs(x);
        double right = Math.abs(y);
        if (right == 0) {
            f64(c, 1);
            f64(s, 0);
            f64(b, 0);
            return;
        }
        if (left == 0) {
            f64(c, 0);
            f64(s, 1);
            f64(a, y);
            f64(b, 1);
            return;
        }
        double scale = Math.min(1 / Double.MIN_NORMAL, Math.max(Double.MIN_NORMAL, Math.max(left, right)));
        double sigma = Math.copySign(1, left > right ? x : y);
        double r = sigma * (scale * Math.sqrt(x / scale * (x / scale) + y / scale * (y / scale)));
        double cosine = x / r;
        double sine = y / r;
        f64(a, r);
        f64(b, left > right ? sine : cosine != 0 ? 1 / cosine : 1);
        f64(c, cosine);
        f64(s, sine);
    }

    @Override
    public void rotm(long n, long x, long incx, long y, long incy, long param) {
        double flag = f64(param);
        if (flag == -2) {
            return;
        }
        double h11 = flag == 0 ? 1 : f64(param + 8L);
        double h21 = flag > 0 ? -1 : f64(param + 16L);
        double h12 = flag > 0 ? 1 : f64(param + 24L);
        double h22 = flag == 0 ? 1 : f64(param + 32L);
        if (incx == 1 && incy == 1 && rotm(n, x, y, h11, h12, h21, h22)) {
            return;
        }
        long dx = incx * 8L;
        long dy = incy * 8L;
        for (long i = 0; i < n; i++, x += dx, y += dy) {
            double w = f64(x);
            double z = f64(y);
            f64(x, w * h11 + z * h12);
            f64(y, w * h21 + z * h22);
        }
    }

    /**
     * As reference BLAS (Lawson, Hanson, Kincaid and Krogh, "Basic Linear Algebra Subprograms for Fortran usage", 1979, with Hopkins' remark of 1997), but for two faults of
     * it: a second step of scaling does not set H's ones again, and an infinite scale ends the loop.
     */
    @Override
    public void rotmg(long d1, long d2, long x1, long y1, long param) {
        double e1 = f64(d1);
        double e2 = f64(d2);
        double x = f64(x1);
        double y = f64(y1);
        double p2 = e2 * y;
        if (e1 < 0) {
            zero(d1, d2, x1, param);
            return;
        }
        if (p2 == 0) {
            f64(param, -2);
            return;
        }
        double p1 = e1 * x;
        double q2 = p2 * y;
        double q1 = p1 * x;
        double flag;
        double h11 = 0;
        double h21 = 0;
        double h12 = 0;
        double h22 = 0;
        if (Math.abs(q1) > Math.abs(q2)) {
            h21 = -y / x;
            h12 = p2 / p1;
            double u = 1 - h12 * h21;
            if (!(u > 0)) {
                // Only rounding comes here.
                zero(d1, d2, x1, param);
                return;
            }
            flag = 0;
            e1 = e1 / u;
            e2 = e2 / u;
            x = x * u;
        } else {
            if (q2 < 0) {
                zero(d1, d2, x1, param);
                return;
            }
            flag = 1;
            h11 = p1 / p2;
            h22 = x / y;
            double u = 1 + h11 * h22;
            double t = e2 / u;
            e2 = e1 / u;
            e1 = t;
            x = y * u;
        }
        while (unscaled(e1)) {
            h11 = flag == 0 ? 1 : h11;
            h22 = flag == 0 ? 1 : h22;
            h21 = flag == 1 ? -1 : h21;
            h12 = flag == 1 ? 1 : h12;
            flag = -1;
            boolean faint = e1 <= GAM_SQUARE_RECIPROCAL;
            double by = faint ? GAM : 1 / GAM;
            // A power of two, so products with its reciprocal are the quotients.
            double back = faint ? 1 / GAM : GAM;
            e1 = e1 * by * by;
            x = x * back;
            h11 = h11 * back;
            h12 = h12 * back;
        }
        while (unscaled(e2)) {
            h11 = flag == 0 ? 1 : h11;
            h22 = flag == 0 ? 1 : h22;
            h21 = flag == 1 ? -1 : h21;
            h12 = flag == 1 ? 1 : h12;
            flag = -1;
            boolean faint = Math.abs(e2) <= GAM_SQUARE_RECIPROCAL;
            double by = faint ? GAM : 1 / GAM;
            double back = faint ? 1 / GAM : GAM;
            e2 = e2 * by * by;
            h21 = h21 * back;
            h22 = h22 * back;
        }
        f64(d1, e1);
        f64(d2, e2);
        f64(x1, x);
        f64(param, flag);
        if (flag != 0) {
            f64(param + 8L, h11);
            f64(param + 32L, h22);
        }
        if (flag != 1) {
            f64(param + 16L, h21);
            f64(param + 24L, h12);
        }
    }

    private static boolean unscaled(double e) {
        double v = Math.abs(e);
        return (v <= GAM_SQUARE_RECIPROCAL || v >= GAM_SQUARE) && v != 0 && v <= Double.MAX_VALUE;
    }

    /** H and all that it scales := 0. */
    private static void zero(long d1, long d2, long x1, long param) {
        f64(d1, 0);
        f64(d2, 0);
        f64(x1, 0);
        f64(param, -1);
        for (long i = 1; i < 5; i++) {
            f64(param + i * 8L, 0);
        }
    }
}
