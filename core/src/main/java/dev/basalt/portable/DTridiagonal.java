package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Op;

/** Tridiagonal systems of real numbers. */
final class DTridiagonal implements TridiagonalLeaf {
    static final DTridiagonal KERNELS = new DTridiagonal();

    private DTridiagonal() {}

    @Override
    public long gttrf(long n, long dl, long d, long du, long du2, long ipiv) {
        long last = d + (n - 1) * 8L;
        long row = 1;
        // What the next row waits for stays in a register.
        double pivot = f64(d);
        for (; d < last; d += 8L, dl += 8L, du += 8L, du2 += 8L, row++, ipiv += 8) {
            double below = f64(dl);
            boolean inside = d + 8L < last;
            if (Math.abs(pivot) >= Math.abs(below)) {
                i64(ipiv, row);
                double next = f64(d + 8L);
                if (pivot != 0) {
                    double fact = below / pivot;
                    f64(dl, fact);
                    next -= fact * f64(du);
                    f64(d + 8L, next);
                }
                pivot = next;
                if (inside) {
                    f64(du2, 0);
                }
            } else {
                i64(ipiv, row + 1);
                double fact = pivot / below;
                double next = f64(d + 8L);
                double above = f64(du);
                f64(d, below);
                f64(dl, fact);
                f64(du, next);
                pivot = above - fact * next;
                f64(d + 8L, pivot);
                if (inside) {
                    double further = f64(du + 8L);
                    f64(du2, further);
                    f64(du + 8L, -fact * further);
                }
            }
        }
        i64(ipiv, n);
        return firstZero(n, last - (n - 1) * 8L);
    }

    private static long firstZero(long n, long d) {
        for (long i = 0; i < n; i++) {
            if (f64(d + i * 8L) == 0) {
                return i + 1;
            }
        }
        return 0;
    }

    @Override
    public void gttrs(Op op, long n, long sides, long dl, long d, long du, long du2, long ipiv, long b, long ldb) {
        for (long r = 0; r < sides; r++, b += ldb * 8L) {
            if (op == Op.NONE) {
                forward(n, dl, ipiv, b);
                backward(n, d, 1, du, 1, du2, 1, b, 1);
            } else {
                transposed(n, dl, d, du, du2, ipiv, b);
            }
        }
    }

    private static void forward(long n, long dl, long ipiv, long b) {
        for (long i = 0; i < n - 1; i++) {
            long x = b + i * 8L;
            double fact = f64(dl + i * 8L);
            double here = f64(x);
            double next = f64(x + 8L);
            if (i64(ipiv + i * 8) == i + 1) {
                f64(x + 8L, next - fact * here);
            } else {
                f64(x, next);
                f64(x + 8L, here - fact * next);
            }
        }
    }

    /** Solves with the upper triangle of three diagonals. */
    private static void backward(long n, long d, long incd, long du, long incdu, long du2, long incdu2, long b,
            long incb) {
        double one = 0;
        double two = 0;
        for (long i = n - 1; i >= 0; i--) {
            long x = b + i * incb * 8L;
            double sum = f64(x);
            if (i < n - 2) {
                sum -= f64(du2 + i * incdu2 * 8L) * two;
            }
            if (i < n - 1) {
                sum -= f64(du + i * incdu * 8L) * one;
            }
            two = one;
            one = sum / f64(d + i * incd * 8L);
            f64(x, one);
        }
    }

    private static void transposed(long n, long dl, long d, long du, long du2, long ipiv, long b) {
        double one = 0;
        double two = 0;
        for (long i = 0; i < n; i++) {
            double sum = f64(b + i * 8L);
            if (i > 1) {
                sum -= f64(du2 + (i - 2) * 8L) * two;
            }
            if (i > 0) {
                sum -= f64(du + (i - 1) * 8L) * one;
            }
            two = one;
            one = sum / f64(d + i * 8L);
            f64(b + i * 8L, one);
        }
        for (long i = n - 2; i >= 0; i--) {
            long x = b + i * 8L;
            double next = f64(x + 8L);
            double value = f64(x) - f64(dl + i * 8L) * next;
            if (i64(ipiv + i * 8) == i + 1) {
                f64(x, value);
            } else {
                f64(x, next);
                f64(x + 8L, value);
            }
        }
    }

    @Override
    public long gtsv(long n, long sides, long dl, long incdl, long d, long incd, long du, long incdu, long b, long incb,
            long ldb) {
        long nextl = incdl * 8L;
        long nextd = incd * 8L;
        long nextu = incdu * 8L;
        long nextb = incb * 8L;
        long diagonal = d;
        long above = du;
        long second = dl;
        long rows = b;
        double pivot = f64(d);
        for (long i = 0; i < n - 1; i++, dl += nextl, d += nextd, du += nextu, b += nextb) {
            double below = f64(dl);
            double next = f64(d + nextd);
            double right = f64(du);
            boolean inside = i < n - 2;
            if (Math.abs(pivot) >= Math.abs(below)) {
                if (pivot == 0) {
                    return i + 1;
                }
                double fact = below / pivot;
                pivot = next - fact * right;
                f64(d + nextd, pivot);
                eliminate(sides, fact, b, nextb, ldb * 8L);
                if (inside) {
                    f64(dl, 0);
                }
            } else {
                double fact = pivot / below;
                f64(d, below);
                f64(du, next);
                pivot = right - fact * next;
                f64(d + nextd, pivot);
                if (inside) {
                    double further = f64(du + nextu);
                    f64(dl, further);
                    f64(du + nextu, -fact * further);
                }
                exchange(sides, fact, b, nextb, ldb * 8L);
            }
        }
        if (pivot == 0) {
            return n;
        }
        for (long r = 0; r < sides; r++) {
            backward(n, diagonal, incd, above, incdu, second, incdl, rows + r * ldb * 8L, incb);
        }
        return 0;
    }

    private static void eliminate(long sides, double fact, long b, long next, long ldb) {
        for (long r = 0; r < sides; r++, b += ldb) {
            f64(b + next, f64(b + next) - fact * f64(b));
        }
    }

    private static void exchange(long sides, double fact, long b, long next, long ldb) {
        for (long r = 0; r < sides; r++, b += ldb) {
            double here = f64(b);
            double below = f64(b + next);
            f64(b, below);
            f64(b + next, here - fact * below);
        }
    }

    @Override
    public long pttrf(long n, long d, long e) {
        double pivot = f64(d);
        for (long i = 0; i < n; i++, d += 8L, e += 8L) {
            if (!(pivot > 0)) {
                return i + 1;
            }
            if (i + 1 < n) {
                double off = f64(e);
                double factor = off / pivot;
                f64(e, factor);
                pivot = f64(d + 8L) - factor * off;
                f64(d + 8L, pivot);
            }
        }
        return 0;
    }

    @Override
    public void pttrs(boolean upper, long n, long k, long d, long e, long b, long ldb) {
        for (long j = 0; j < k; j++, b += ldb * 8L) {
            double x = f64(b);
            for (long i = 1; i < n; i++) {
                x = f64(b + i * 8L) - x * f64(e + i * 8L - 8L);
                f64(b + i * 8L, x);
            }
            x = 0;
            for (long i = n - 1; i >= 0; i--) {
                double known = i + 1 < n ? x * f64(e + i * 8L) : 0;
                x = f64(b + i * 8L) / f64(d + i * 8L) - known;
                f64(b + i * 8L, x);
            }
        }
    }
}
