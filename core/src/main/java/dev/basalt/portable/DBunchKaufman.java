package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Uplo;

/** What {@link BunchKaufman} leaves of real matrices. */
final class DBunchKaufman extends AasenLeaf {
    DBunchKaufman(Leaf leaf) {
        super(leaf, 8L);
    }

    @Override
    double size(long x) { // keep double
        return Math.abs(f64(x));
    }

    @Override
    double pivotSize(boolean hermitian, long x) { // keep double
        return Math.abs(f64(x));
    }

    @Override
    void diagonal(boolean hermitian, long x) {}

    @Override
    void exchange(boolean conjugated, long x, long y) {
        double t = f64(x);
        f64(x, f64(y));
        f64(y, t);
    }

    @Override
    void conjugate(long n, long x, long dx) {}

    @Override
    void divide(boolean hermitian, long n, long pivot, long x, long dx) {
        double d = f64(pivot);
        if (Math.abs(d) >= Double.MIN_NORMAL) {
            leaf.scal(n, 1 / d, 0, true, x, dx);
            return;
        }
        solve(hermitian, pivot, n, x, dx);
    }

    @Override
    void update(Uplo uplo, boolean hermitian, long n, long pivot, long x, long c, long step, long growth) {
        double d = f64(pivot);
        boolean small = Math.abs(d) < Double.MIN_NORMAL;
        if (small) {
            divide(hermitian, n, pivot, x, 1);
        }
        leaf.syr(uplo, false, n, 0, n, small ? -d : -1 / d, 0, x, 1, c, step, growth);
        if (!small) {
            leaf.scal(n, 1 / d, 0, true, x, 1);
        }
    }

    @Override
    void divide(boolean hermitian, long n, long d11, long d21, long d22, long x1, long x2, long y1, long y2) {
        double off = f64(d21);
        double a = f64(d22) / off;
        double b = f64(d11) / off;
        double f = 1 / (a * b - 1) / off;
        for (long i = 0; i < n; i++) {
            double u = f64(x1 + i * 8L);
            double v = f64(x2 + i * 8L);
            f64(y1 + i * 8L, f * (a * u - v));
            f64(y2 + i * 8L, f * (b * v - u));
        }
    }

    @Override
    void row(boolean hermitian, long d11, long d21, long d22, long x1, long x2, long c) {
        double u = f64(x1);
        double v = f64(x2);
        divide(hermitian, 1, d11, d21, d22, x1, x2, x1, x2);
        f64(c, f64(c) - (u * f64(x1) + v * f64(x2)));
    }

    @Override
    void solve(boolean hermitian, long pivot, long n, long b, long step) {
        double d = f64(pivot);
        for (long i = 0; i < n; i++, b += step * 8L) {
            f64(b, f64(b) / d);
        }
    }

    @Override
    void solve(boolean hermitian, long d11, long d21, long d22, long n, long b1, long b2, long step) {
        for (long i = 0; i < n; i++, b1 += step * 8L, b2 += step * 8L) {
            divide(hermitian, 1, d11, d21, d22, b1, b2, b1, b2);
        }
    }

    @Override
    void invert(boolean hermitian, long pivot) {
        f64(pivot, 1 / f64(pivot));
    }

    @Override
    void invert(boolean hermitian, long d11, long d21, long d22) {
        double off = f64(d21);
        double a = f64(d11) / off;
        double b = f64(d22) / off;
        double f = 1 / (a * b - 1) / off;
        f64(d11, b * f);
        f64(d22, a * f);
        f64(d21, -f);
    }

    @Override
    double part(boolean imaginary, long x) { // keep double
        return imaginary ? 0 : f64(x);
    }

    @Override
    void column(boolean hermitian, long count, long t, long below, long step, long row, long apart, long h) {
        for (long i = 0; i < count; i++, t += step * 8L, below += step * 8L, row += apart * 8L) {
            double x = f64(t) * f64(row) + f64(below) * (i == count - 1 ? 1 : f64(row + apart * 8L));
            f64(h + i * 8L, i == 0 ? x : x + f64(below - step * 8L) * f64(row - apart * 8L));
        }
    }

    @Override
    void less(boolean hermitian, long x, long t, long l) {
        f64(x, f64(x) - f64(t) * f64(l));
    }

    @Override
    boolean isZero(long x) {
        return f64(x) == 0;
    }
}
