package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Op;

/** Tridiagonal systems of complex numbers: real and imaginary part one after the other. */
final class ZTridiagonal implements TridiagonalLeaf {
    static final ZTridiagonal KERNELS = new ZTridiagonal();

    private ZTridiagonal() {}

    @Override
    public long gttrf(long n, long dl, long d, long du, long du2, long ipiv) {
        long first = d;
        long last = d + (n - 1) * 16L;
        long row = 1;
        // What the next row waits for stays in registers.
        double pr = f64(d);
        double pm = f64(d + 8L);
        for (; d < last; d += 16L, dl += 16L, du += 16L, du2 += 16L, row++, ipiv += 8) {
            boolean inside = d + 16L < last;
            double br = f64(dl);
            double bm = f64(dl + 8L);
            double nr = f64(d + 16L);
            double nm = f64(d + 24L);
            double size = Math.abs(pr) + Math.abs(pm);
            if (size >= Math.abs(br) + Math.abs(bm)) {
                i64(ipiv, row);
                if (size != 0) {
                    double re = quotient(br, bm, pr, pm);
                    double im = quotient(bm, -br, pr, pm);
                    set(dl, re, im);
                    double ur = f64(du);
                    double um = f64(du + 8L);
                    nr -= re * ur - im * um;
                    nm -= re * um + im * ur;
                    set(d + 16L, nr, nm);
                }
                pr = nr;
                pm = nm;
                if (inside) {
                    set(du2, 0, 0);
                }
            } else {
                i64(ipiv, row + 1);
                double re = quotient(pr, pm, br, bm);
                double im = quotient(pm, -pr, br, bm);
                set(dl, re, im);
                set(d, br, bm);
                pr = f64(du) - (re * nr - im * nm);
                pm = f64(du + 8L) - (re * nm + im * nr);
                set(du, nr, nm);
                set(d + 16L, pr, pm);
                if (inside) {
                    double fr = f64(du + 16L);
                    double fm = f64(du + 24L);
                    set(du2, fr, fm);
                    set(du + 16L, 0 - (re * fr - im * fm), 0 - (re * fm + im * fr));
                }
            }
        }
        i64(ipiv, n);
        for (long i = 0; i < n; i++) {
            if (magnitude(first + i * 16L) == 0) {
                return i + 1;
            }
        }
        return 0;
    }

    @Override
    public void gttrs(Op op, long n, long sides, long dl, long d, long du, long du2, long ipiv, long b, long ldb) {
        for (long r = 0; r < sides; r++, b += ldb * 16L) {
            if (op == Op.NONE) {
                forward(n, dl, ipiv, b);
                backward(n, d, 16L, du, 16L, du2, 16L, b, 16L);
            } else {
                transposed(op == Op.CONJ_TRANS, n, dl, d, du, du2, ipiv, b);
            }
        }
    }

    private static void forward(long n, long dl, long ipiv, long b) {
        double xr = f64(b);
        double xm = f64(b + 8L);
        for (long i = 0; i < n - 1; i++, b += 16L) {
            double yr = f64(b + 16L);
            double ym = f64(b + 24L);
            if (i64(ipiv + i * 8) != i + 1) {
                double re = xr;
                double im = xm;
                xr = yr;
                xm = ym;
                yr = re;
                ym = im;
                set(b, xr, xm);
            }
            double re = f64(dl + i * 16L);
            double im = f64(dl + i * 16L + 8L);
            double zr = yr - (re * xr - im * xm);
            xm = ym - (re * xm + im * xr);
            xr = zr;
            set(b + 16L, xr, xm);
        }
    }

    /** Solves with the upper triangle of three diagonals; distances are in bytes. */
    private static void backward(long n, long d, long nextd, long du, long nextu, long du2, long nextu2, long b,
            long nextb) {
        double oneRe = 0;
        double oneIm = 0;
        double twoRe = 0;
        double twoIm = 0;
        for (long i = n - 1; i >= 0; i--) {
            long x = b + i * nextb;
            double sr = f64(x);
            double sm = f64(x + 8L);
            if (i < n - 1) {
                double re = f64(du + i * nextu);
                double im = f64(du + i * nextu + 8L);
                sr -= re * oneRe - im * oneIm;
                sm -= re * oneIm + im * oneRe;
            }
            if (i < n - 2) {
                double re = f64(du2 + i * nextu2);
                double im = f64(du2 + i * nextu2 + 8L);
                sr -= re * twoRe - im * twoIm;
                sm -= re * twoIm + im * twoRe;
            }
            twoRe = oneRe;
            twoIm = oneIm;
            double dr = f64(d + i * nextd);
            double dm = f64(d + i * nextd + 8L);
            oneRe = quotient(sr, sm, dr, dm);
            oneIm = quotient(sm, -sr, dr, dm);
            set(x, oneRe, oneIm);
        }
    }

    private static void transposed(boolean conj, long n, long dl, long d, long du, long du2, long ipiv, long b) {
        double sign = conj ? -1 : 1;
        double oneRe = 0;
        double oneIm = 0;
        double twoRe = 0;
        double twoIm = 0;
        for (long i = 0; i < n; i++) {
            long x = b + i * 16L;
            double sr = f64(x);
            double sm = f64(x + 8L);
            if (i > 0) {
                double re = f64(du + i * 16L - 16L);
                double im = sign * f64(du + i * 16L - 8L);
                sr -= re * oneRe - im * oneIm;
                sm -= re * oneIm + im * oneRe;
            }
            if (i > 1) {
                double re = f64(du2 + i * 16L - 32L);
                double im = sign * f64(du2 + i * 16L - 24L);
                sr -= re * twoRe - im * twoIm;
                sm -= re * twoIm + im * twoRe;
            }
            twoRe = oneRe;
            twoIm = oneIm;
            double dr = f64(d + i * 16L);
            double dm = sign * f64(d + i * 16L + 8L);
            oneRe = quotient(sr, sm, dr, dm);
            oneIm = quotient(sm, -sr, dr, dm);
            set(x, oneRe, oneIm);
        }
        for (long i = n - 2; i >= 0; i--) {
            long x = b + i * 16L;
            double re = f64(dl + i * 16L);
            double im = sign * f64(dl + i * 16L + 8L);
            double vr = f64(x) - (re * oneRe - im * oneIm);
            double vm = f64(x + 8L) - (re * oneIm + im * oneRe);
            if (i64(ipiv + i * 8) == i + 1) {
                set(x, vr, vm);
                oneRe = vr;
                oneIm = vm;
            } else {
                set(x, oneRe, oneIm);
                set(x + 16L, vr, vm);
            }
        }
    }

    @Override
    public long gtsv(long n, long sides, long dl, long incdl, long d, long incd, long du, long incdu, long b, long incb,
            long ldb) {
        long nextl = incdl * 16L;
        long nextd = incd * 16L;
        long nextu = incdu * 16L;
        long nextb = incb * 16L;
        long columns = ldb * 16L;
        for (long i = 0; i < n - 1; i++) {
            long below = dl + i * nextl;
            long pivot = d + i * nextd;
            long right = du + i * nextu;
            long row = b + i * nextb;
            boolean inside = i < n - 2;
            if (magnitude(pivot) >= magnitude(below)) {
                if (magnitude(pivot) == 0) {
                    return i + 1;
                }
                double re = quotient(f64(below), f64(below + 8L), f64(pivot), f64(pivot + 8L));
                double im = quotient(f64(below + 8L), -f64(below), f64(pivot), f64(pivot + 8L));
                subtract(re, im, right, pivot + nextd, pivot + nextd);
                for (long r = 0; r < sides; r++) {
                    subtract(re, im, row + r * columns, row + r * columns + nextb, row + r * columns + nextb);
                }
                if (inside) {
                    set(below, 0, 0);
                }
            } else {
                double re = quotient(f64(pivot), f64(pivot + 8L), f64(below), f64(below + 8L));
                double im = quotient(f64(pivot + 8L), -f64(pivot), f64(below), f64(below + 8L));
                set(pivot, f64(below), f64(below + 8L));
                swap(right, pivot + nextd);
                subtract(re, im, right, pivot + nextd, pivot + nextd);
                if (inside) {
                    set(below, f64(right + nextu), f64(right + nextu + 8L));
                    set(right + nextu, 0, 0);
                    subtract(re, im, below, right + nextu, right + nextu);
                }
                for (long r = 0; r < sides; r++) {
                    swap(row + r * columns, row + r * columns + nextb);
                    subtract(re, im, row + r * columns, row + r * columns + nextb, row + r * columns + nextb);
                }
            }
        }
        if (magnitude(d + (n - 1) * nextd) == 0) {
            return n;
        }
        for (long r = 0; r < sides; r++) {
            backward(n, d, nextd, du, nextu, dl, nextl, b + r * columns, nextb);
        }
        return 0;
    }

    private static double magnitude(long x) {
        return Math.abs(f64(x)) + Math.abs(f64(x + 8L));
    }

    private static void set(long x, double re, double im) {
        f64(x, re);
        f64(x + 8L, im);
    }

    private static void swap(long x, long y) {
        double re = f64(x);
        double im = f64(x + 8L);
        set(x, f64(y), f64(y + 8L));
        set(y, re, im);
    }

    /** z := y - f·x. */
    private static void subtract(double re, double im, long x, long y, long z) {
        double xr = f64(x);
        double xm = f64(x + 8L);
        set(z, f64(y) - (re * xr - im * xm), f64(y + 8L) - (re * xm + im * xr));
    }

    /** The real part of x / y; that of -i·x / y is the imaginary one. After Smith, "Algorithm 116: complex division", 1962. */
    private static double quotient(double xr, double xm, double yr, double ym) {
        if (Math.abs(yr) < Math.abs(ym)) {
            double ratio = yr / ym;
            return (xr * ratio + xm) / (yr * ratio + ym);
        }
        double ratio = ym / yr;
        return (xr + xm * ratio) / (yr + ym * ratio);
    }

    @Override
    public long pttrf(long n, long d, long e) {
        double pivot = f64(d);
        for (long i = 0; i < n; i++, d += 8L, e += 16L) {
            if (!(pivot > 0)) {
                return i + 1;
            }
            if (i + 1 < n) {
                double re = f64(e);
                double im = f64(e + 8L);
                double f = re / pivot;
                double g = im / pivot;
                f64(e, f);
                f64(e + 8L, g);
                pivot = f64(d + 8L) - f * re - g * im;
                f64(d + 8L, pivot);
            }
        }
        return 0;
    }

    @Override
    public void pttrs(boolean upper, long n, long k, long d, long e, long b, long ldb) {
        double sign = upper ? -1 : 1;
        for (long j = 0; j < k; j++, b += ldb * 16L) {
            double re = f64(b);
            double im = f64(b + 8L);
            for (long i = 1; i < n; i++) {
                double er = f64(e + i * 16L - 16L);
                double ei = sign * f64(e + i * 16L - 8L);
                double r = f64(b + i * 16L) - (re * er - im * ei);
                im = f64(b + i * 16L + 8L) - (re * ei + im * er);
                re = r;
                f64(b + i * 16L, re);
                f64(b + i * 16L + 8L, im);
            }
            re = 0;
            im = 0;
            for (long i = n - 1; i >= 0; i--) {
                double er = i + 1 < n ? f64(e + i * 16L) : 0;
                double ei = i + 1 < n ? -sign * f64(e + i * 16L + 8L) : 0;
                double pivot = f64(d + i * 8L);
                double r = f64(b + i * 16L) / pivot - (re * er - im * ei);
                im = f64(b + i * 16L + 8L) / pivot - (re * ei + im * er);
                re = r;
                f64(b + i * 16L, re);
                f64(b + i * 16L + 8L, im);
            }
        }
    }
}
