package dev.basalt.netlib;

/**
 * Updates of packed triangles in place, on the heap. ALS of Spark makes millions of them, each too short to leave Java: a column is one loop that
 * the JVM's compiler vectorises. Each element is rounded as netlib's own Java rounds it.
 */
final class DPacked {
    private DPacked() {}

    /** A := A + alpha·x·xᵀ, by columns. */
    static void spr(boolean upper, int n, double alpha, double[] x, int offsetx, int incx, double[] ap, int offsetap) {
        if (alpha == 0) {
            return;
        }
        int first = incx < 0 ? offsetx - (n - 1) * incx : offsetx;
        int at = offsetap;
        for (int j = 0; j < n; j++) {
            int length = upper ? j + 1 : n - j;
            double t = x[first + j * incx];
            if (t != 0) {
                column(length, alpha * t, x, upper ? first : first + j * incx, incx, ap, at);
            }
            at += length;
        }
    }

    /** A := A + alpha·x·yᵀ + alpha·y·xᵀ, by columns. */
    static void spr2(boolean upper, int n, double alpha, double[] x, int offsetx, int incx, double[] y, int offsety,
            int incy, double[] ap, int offsetap) {
        if (alpha == 0) {
            return;
        }
        int firstX = incx < 0 ? offsetx - (n - 1) * incx : offsetx;
        int firstY = incy < 0 ? offsety - (n - 1) * incy : offsety;
        int at = offsetap;
        for (int j = 0; j < n; j++) {
            int length = upper ? j + 1 : n - j;
            int jx = firstX + j * incx;
            int jy = firstY + j * incy;
            if (x[jx] != 0 || y[jy] != 0) {
                columns(length, alpha * y[jy], x, upper ? firstX : jx, incx, alpha * x[jx], y, upper ? firstY : jy,
                        incy, ap, at);
            }
            at += length;
        }
    }

    private static void column(int n, double t, double[] x, int offsetx, int incx, double[] a, int offseta) {
        if (incx == 1) {
            for (int i = 0; i < n; i++) {
                a[offseta + i] += x[offsetx + i] * t;
            }
        } else {
            for (int i = 0; i < n; i++) {
                a[offseta + i] += x[offsetx + i * incx] * t;
            }
        }
    }

    private static void columns(int n, double t, double[] x, int offsetx, int incx, double u, double[] y, int offsety,
            int incy, double[] a, int offseta) {
        if (incx == 1 && incy == 1) {
            for (int i = 0; i < n; i++) {
                a[offseta + i] = a[offseta + i] + x[offsetx + i] * t + y[offsety + i] * u;
            }
        } else {
            for (int i = 0; i < n; i++) {
                a[offseta + i] = a[offseta + i] + x[offsetx + i * incx] * t + y[offsety + i * incy] * u;
            }
        }
    }
}
