package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Uplo;

/** What {@link BunchKaufman} leaves of complex matrices, symmetric or Hermitian ones. */
final class ZBunchKaufman extends AasenLeaf {
    ZBunchKaufman(Leaf leaf) {
        super(leaf, 16L);
    }

    @Override
    double size(long x) { // keep double
        return Math.abs(f64(x)) + Math.abs(f64(x + 8L));
    }

    @Override
    double pivotSize(boolean hermitian, long x) { // keep double
        return hermitian ? Math.abs(f64(x)) : size(x);
    }

    @Override
    void diagonal(boolean hermitian, long x) {
        if (hermitian) {
            f64(x + 8L, 0);
        }
    }

    @Override
    void exchange(boolean conjugated, long x, long y) {
        double re = f64(x);
        double im = f64(x + 8L);
        double sign = conjugated ? -1 : 1;
        f64(x, f64(y));
        f64(x + 8L, sign * f64(y + 8L));
        f64(y, re);
        f64(y + 8L, sign * im);
    }

    @Override
    void conjugate(long n, long x, long dx) {
        for (long i = 0; i < n; i++, x += dx * 16L) {
            f64(x + 8L, -f64(x + 8L));
        }
    }

    /** A part of the reciprocal of a + b·i, after Smith. */
    private static double reciprocal(boolean imaginary, double a, double b) {
        if (Math.abs(a) >= Math.abs(b)) {
            double ratio = b / a;
            double whole = a + b * ratio;
            return (imaginary ? -ratio : 1) / whole;
        }
        double ratio = a / b;
        double whole = a * ratio + b;
        return (imaginary ? -1 : ratio) / whole;
    }

    private static boolean isSmall(double re, double im) {
        return Math.abs(re) + Math.abs(im) < Double.MIN_NORMAL;
    }

    @Override
    void divide(boolean hermitian, long n, long pivot, long x, long dx) {
        double re = f64(pivot);
        double im = hermitian ? 0 : f64(pivot + 8L);
        if (!isSmall(re, im)) {
            leaf.scal(n, reciprocal(false, re, im), reciprocal(true, re, im), hermitian, x, dx);
            return;
        }
        solve(hermitian, pivot, n, x, dx);
    }

    @Override
    void update(Uplo uplo, boolean hermitian, long n, long pivot, long x, long c, long step, long growth) {
        double re = f64(pivot);
        double im = hermitian ? 0 : f64(pivot + 8L);
        boolean small = isSmall(re, im);
        if (small) {
            divide(hermitian, n, pivot, x, 1);
            leaf.syr(uplo, hermitian, n, 0, n, -re, -im, x, 1, c, step, growth);
            return;
        }
        leaf.syr(uplo, hermitian, n, 0, n, -reciprocal(false, re, im), -reciprocal(true, re, im), x, 1, c, step,
                growth);
        divide(hermitian, n, pivot, x, 1);
    }

    // With a = d22/off and b = d11/conj(off) the determinant is (a·b - 1)·off·conj(off). For a symmetric matrix nothing is conjugated.

    @Override
    void divide(boolean hermitian, long n, long d11, long d21, long d22, long x1, long x2, long y1, long y2) {
        double sign = hermitian ? -1 : 1;
        double or = reciprocal(false, f64(d21), f64(d21 + 8L));
        double oi = reciprocal(true, f64(d21), f64(d21 + 8L));
        double second = hermitian ? 0 : f64(d22 + 8L);
        double first = hermitian ? 0 : f64(d11 + 8L);
        double ar = f64(d22) * or - second * oi;
        double ai = f64(d22) * oi + second * or;
        double br = f64(d11) * or - first * oi;
        double bi = sign * f64(d11) * oi + first * or;
        double tr = ar * br - ai * bi - 1;
        double ti = hermitian ? 0 : ar * bi + ai * br;
        double fr = reciprocal(false, tr, ti);
        double fi = reciprocal(true, tr, ti);
        double pr = fr * or - fi * oi;
        double pi = fr * oi + fi * or;
        double qi = sign * pi;
        for (long i = 0; i < n; i++) {
            double ur = f64(x1 + i * 16L);
            double ui = f64(x1 + i * 16L + 8L);
            double vr = f64(x2 + i * 16L);
            double vi = f64(x2 + i * 16L + 8L);
            double r = ar * ur - ai * ui - vr;
            double s = ar * ui + ai * ur - vi;
            f64(y1 + i * 16L, pr * r - qi * s);
            f64(y1 + i * 16L + 8L, pr * s + qi * r);
            r = br * vr - bi * vi - ur;
            s = br * vi + bi * vr - ui;
            f64(y2 + i * 16L, pr * r - pi * s);
            f64(y2 + i * 16L + 8L, pr * s + pi * r);
        }
    }

    @Override
    void row(boolean hermitian, long d11, long d21, long d22, long x1, long x2, long c) {
        double ur = f64(x1);
        double ui = f64(x1 + 8L);
        double vr = f64(x2);
        double vi = f64(x2 + 8L);
        divide(hermitian, 1, d11, d21, d22, x1, x2, x1, x2);
        if (hermitian) {
            conjugate(1, x1, 1);
            conjugate(1, x2, 1);
        }
        double pr = f64(x1);
        double pi = f64(x1 + 8L);
        double qr = f64(x2);
        double qi = f64(x2 + 8L);
        f64(c, f64(c) - (ur * pr - ui * pi + vr * qr - vi * qi));
        f64(c + 8L, f64(c + 8L) - (ur * pi + ui * pr + vr * qi + vi * qr));
        diagonal(hermitian, c);
    }

    @Override
    void solve(boolean hermitian, long pivot, long n, long b, long step) {
        double re = f64(pivot);
        double im = hermitian ? 0 : f64(pivot + 8L);
        boolean swap = Math.abs(re) < Math.abs(im);
        double large = swap ? im : re;
        double ratio = swap ? re / im : im / re;
        double whole = large + (swap ? re : im) * ratio;
        for (long i = 0; i < n; i++, b += step * 16L) {
            double x = f64(b);
            double y = f64(b + 8L);
            f64(b, ((swap ? x * ratio : x) + (swap ? y : y * ratio)) / whole);
            f64(b + 8L, ((swap ? y * ratio : y) - (swap ? x : x * ratio)) / whole);
        }
    }

    @Override
    void solve(boolean hermitian, long d11, long d21, long d22, long n, long b1, long b2, long step) {
        for (long i = 0; i < n; i++, b1 += step * 16L, b2 += step * 16L) {
            // A column of a Hermitian block's inverse is a conjugated row.
            if (hermitian) {
                conjugate(1, b1, 1);
                conjugate(1, b2, 1);
            }
            divide(hermitian, 1, d11, d21, d22, b1, b2, b1, b2);
            if (hermitian) {
                conjugate(1, b1, 1);
                conjugate(1, b2, 1);
            }
        }
    }

    @Override
    void invert(boolean hermitian, long pivot) {
        double re = f64(pivot);
        double im = hermitian ? 0 : f64(pivot + 8L);
        f64(pivot, reciprocal(false, re, im));
        f64(pivot + 8L, hermitian ? 0 : reciprocal(true, re, im));
    }

    @Override
    void invert(boolean hermitian, long d11, long d21, long d22) {
        double size = Math.abs(f64(d21)) + Math.abs(f64(d21 + 8L));
        double ur = f64(d21) / size;
        double ui = f64(d21 + 8L) / size;
        double ar = f64(d11) / size;
        double ai = hermitian ? 0 : f64(d11 + 8L) / size;
        double br = f64(d22) / size;
        double bi = hermitian ? 0 : f64(d22 + 8L) / size;
        double er = ar * br - ai * bi - (hermitian ? ur * ur + ui * ui : ur * ur - ui * ui);
        double ei = hermitian ? 0 : ar * bi + ai * br - 2 * ur * ui;
        double fr = reciprocal(false, er, ei) / size;
        double fi = reciprocal(true, er, ei) / size;
        product(d11, br, bi, fr, fi);
        product(d22, ar, ai, fr, fi);
        product(d21, -ur, -ui, fr, fi);
    }

    /** The element at x := a·b. */
    private static void product(long x, double ar, double ai, double br, double bi) {
        f64(x, ar * br - ai * bi);
        f64(x + 8L, ar * bi + ai * br);
    }

    @Override
    double part(boolean imaginary, long x) { // keep double
        return f64(imaginary ? x + 8L : x);
    }

    /** With {@code hermitian} the conjugate is computed first: what is stored below the diagonal of T then stands to the right of it. */
    @Override
    void column(boolean hermitian, long count, long t, long below, long step, long row, long apart, long h) {
        double sign = hermitian ? -1 : 1;
        for (long i = 0; i < count; i++, t += step * 16L, below += step * 16L, row += apart * 16L) {
            boolean last = i == count - 1;
            double re = last ? 1 : f64(row + apart * 16L);
            double im = last ? 0 : f64(row + apart * 16L + 8L);
            double x = f64(t) * f64(row) - f64(t + 8L) * f64(row + 8L) + f64(below) * re - f64(below + 8L) * im;
            double y = f64(t) * f64(row + 8L) + f64(t + 8L) * f64(row) + f64(below) * im + f64(below + 8L) * re;
            if (i > 0) {
                long above = below - step * 16L;
                long before = row - apart * 16L;
                x += f64(above) * f64(before) - sign * f64(above + 8L) * f64(before + 8L);
                y += f64(above) * f64(before + 8L) + sign * f64(above + 8L) * f64(before);
            }
            f64(h + i * 16L, x);
            f64(h + i * 16L + 8L, sign * y);
        }
    }

    @Override
    void less(boolean hermitian, long x, long t, long l) {
        double sign = hermitian ? -1 : 1;
        double re = f64(t) * f64(l) - sign * f64(t + 8L) * f64(l + 8L);
        double im = sign * f64(t) * f64(l + 8L) + f64(t + 8L) * f64(l);
        f64(x, f64(x) - re);
        f64(x + 8L, f64(x + 8L) - im);
    }

    @Override
    boolean isZero(long x) {
        return f64(x) == 0 && f64(x + 8L) == 0;
    }
}
