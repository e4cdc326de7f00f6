package dev.basalt.netlib;

/** The routine of single precision that sums in double precision. */
final class SMixed {
    private SMixed() {}

    /** sb + x·y, rounded once at the end: products of floats are exact in doubles. Four sums run side by side, since one would wait for each addition. */
    static float dsdot(int n, float sb, float[] x, int offsetx, int incx, float[] y, int offsety, int incy) {
        if (n <= 0) {
            return sb;
        }
        int ix = incx < 0 ? offsetx - (n - 1) * incx : offsetx;
        int iy = incy < 0 ? offsety - (n - 1) * incy : offsety;
        double sum0 = sb;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int i = 0;
        for (; i <= n - 4; i += 4) {
            sum0 += (double) x[ix] * y[iy];
            sum1 += (double) x[ix + incx] * y[iy + incy];
            sum2 += (double) x[ix + 2 * incx] * y[iy + 2 * incy];
            sum3 += (double) x[ix + 3 * incx] * y[iy + 3 * incy];
            ix += 4 * incx;
            iy += 4 * incy;
        }
        for (; i < n; i++) {
            sum0 += (double) x[ix] * y[iy];
            ix += incx;
            iy += incy;
        }
        return (float) (sum0 + sum1 + (sum2 + sum3));
    }
}
