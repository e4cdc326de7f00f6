package dev.basalt.portable;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Uplo;

/** What refines a solution to double precision besides solves and products: conversions, norms, and the decision whether it is good. */
final class RefinementKernels {
    /** The relative error of one rounding in double precision, as LAPACK's {@code dlamch('Epsilon')}. */
    private static final double EPSILON = 0x1p-53;

    /** The bits of an infinite float. */
    private static final int INFINITE = 0x7f800000;

    /** Columns whose elements are added to their sums of rows at once. */
    private static final int COLUMNS = 4;

    private RefinementKernels() {}

    /** Runs some problems of a launch. */
    static void run(Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            switch (l.kernel) {
                case CONVERT, CONVERT_TRIANGLE -> convert(l, i);
                case ROW_SUMS -> rowSums(l, i);
                case SYMMETRIC_SUMS -> symmetricSums(l, i);
                case CONVERGED -> converged(l, i);
                default -> fallBack(l, i);
            }
        }
    }

    // ---- conversions

    private static void convert(Launch l, long problem) {
        boolean triangle = l.kernel == Kernel.CONVERT_TRIANGLE;
        long n = l.n(problem);
        long m = triangle ? n : l.m(problem);
        int parts = l.type.isComplex() ? 2 : 1;
        boolean narrows = l.a.type.bytes() > l.c.type.bytes();
        long a = l.a.at(problem);
        long c = l.c.at(problem);
        boolean over = false;
        for (long j = 0; j < n; j++) {
            long top = triangle && l.uplo == Uplo.LOWER ? j : 0;
            long bottom = triangle && l.uplo == Uplo.UPPER ? j + 1 : m;
            long x = a + (top + j * l.a.ld) * l.a.type.bytes();
            long y = c + (top + j * l.c.ld) * l.c.type.bytes();
            if (l.b.present() || l.d.present()) {
                over |= scaled(l, problem, j, narrows, bottom - top, x, y);
            } else if (narrows) {
                over |= narrow((bottom - top) * parts, x, y);
            } else {
                widen((bottom - top) * parts, x, y);
            }
        }
        if (over && i32(l.e.at(problem)) == 0) {
            i32(l.e.at(problem), (int) l.p);
        }
    }

    /** Doubles to floats; whether one became infinite. */
    private static boolean narrow(long n, long x, long y) {
        int over = 0;
        for (long end = x + n * 8; x < end; x += 8, y += 4) {
            float v = (float) f64(x);
            f32(y, v);
            // Negative where the magnitude is at least that of an infinity; NaN are told apart behind the loop.
            over |= INFINITE - 1 - (Float.floatToRawIntBits(v) & Integer.MAX_VALUE);
        }
        return over < 0 && infinite(n, y - 4 * n);
    }

    private static boolean infinite(long n, long y) {
        for (long end = y + 4 * n; y < end; y += 4) {
            if (Float.isInfinite(f32(y))) {
                return true;
            }
        }
        return false;
    }

    /** Part of a column times its scale and those of its rows, rounded at the end; whether a float became infinite. */
    private static boolean scaled(Launch l, long problem, long column, boolean narrows, long rows, long x, long y) {
        int parts = l.type.isComplex() ? 2 : 1;
        long b = l.b.present() ? l.b.first(problem) : 0;
        double scale = l.d.present() ? f64(l.d.first(problem) + 8 * column * l.d.ld) : 1;
        boolean over = false;
        for (long i = 0; i < rows * parts; i++) {
            double v = (narrows ? f64(x + 8 * i) : f32(x + 4 * i)) * scale;
            v = b != 0 ? v * f64(b + 8 * (i / parts) * l.b.ld) : v;
            if (narrows) {
                f32(y + 4 * i, (float) v);
                over |= Float.isInfinite((float) v);
            } else {
                f64(y + 8 * i, v);
            }
        }
        return over;
    }

    private static void widen(long n, long x, long y) {
        for (long end = x + n * 4; x < end; x += 4, y += 8) {
            f64(y, f32(x));
        }
    }

    // ---- norms

    private static double absolute(boolean complex, long x) {
        double re = f64(x);
        if (!complex) {
            return Math.abs(re);
        }
        double im = f64(x + 8);
        return Math.sqrt(re * re + im * im);
    }

    private static double magnitude(boolean complex, long x) {
        return Math.abs(f64(x)) + (complex ? Math.abs(f64(x + 8)) : 0);
    }

    private static void clear(long n, long y) {
        for (long end = y + 8 * n; y < end; y += 8) {
            f64(y, 0);
        }
    }

    private static void rowSums(Launch l, long problem) {
        long m = l.m(problem);
        long n = l.n(problem);
        boolean complex = l.type.isComplex();
        long bytes = l.type.bytes();
        long step = l.a.ld * bytes;
        long a = l.a.at(problem);
        long sums = l.c.first(problem);
        clear(m, sums);
        long j = 0;
        for (; j + COLUMNS <= n && !l.b.present(); j += COLUMNS) {
            long x = a + j * step;
            for (long i = 0, y = sums; i < m; i++, x += bytes, y += 8) {
                f64(y, f64(y) + (absolute(complex, x) + absolute(complex, x + step)
                        + (absolute(complex, x + 2 * step) + absolute(complex, x + 3 * step))));
            }
        }
        for (; j < n; j++) {
            long x = a + j * step;
            double scale = l.b.present() ? f64(l.b.first(problem) + 8 * j * l.b.ld) : 1;
            for (long i = 0, y = sums; i < m; i++, x += bytes, y += 8) {
                f64(y, f64(y) + (l.b.present() ? magnitude(complex, x) * scale : absolute(complex, x)));
            }
        }
    }

    /** Each element off the diagonal counts in its row and in its column. */
    private static void symmetricSums(Launch l, long problem) {
        long n = l.n(problem);
        boolean complex = l.type.isComplex();
        long bytes = l.type.bytes();
        long a = l.a.at(problem);
        long sums = l.c.first(problem);
        clear(n, sums);
        for (long j = 0; j < n; j++) {
            long column = a + j * l.a.ld * bytes;
            long top = l.uplo == Uplo.LOWER ? j + 1 : 0;
            long bottom = l.uplo == Uplo.LOWER ? n : j;
            // The imaginary part of the diagonal counts as 0.
            double own = Math.abs(f64(column + j * bytes));
            for (long i = top; i < bottom; i++) {
                double v = absolute(complex, column + i * bytes);
                f64(sums + 8 * i, f64(sums + 8 * i) + v);
                own += v;
            }
            f64(sums + 8 * j, f64(sums + 8 * j) + own);
        }
    }

    // ---- decisions

    private static void converged(Launch l, long problem) {
        long n = l.n(problem);
        double norm = 0;
        long sums = l.a.first(problem);
        for (long i = 0; i < n; i++) {
            norm = Math.max(norm, f64(sums + 8 * i));
        }
        double most = Math.sqrt((double) Math.max(n, Kernel.LEAST_TERMS)) * EPSILON * norm;
        boolean good = true;
        for (long j = 0; j < l.k(problem); j++) {
            double r = largest(l, l.b, problem, j);
            if (Double.isNaN(r)) {
                i32(l.e.at(problem), Kernel.OVERFLOWN);
                return;
            }
            good &= r <= most * largest(l, l.c, problem, j);
        }
        i32(l.e.at(problem), good ? Kernel.REFINED : (int) l.q);
        if (good) {
            i64(l.f.at(problem), l.p);
        }
    }

    /** The largest |re| + |im| of a column; NaN if there is one. */
    private static double largest(Launch l, Operand x, long problem, long column) {
        boolean complex = l.type.isComplex();
        long bytes = l.type.bytes();
        double most = 0;
        long at = x.at(problem) + column * x.ld * bytes;
        for (long end = at + l.n(problem) * bytes; at < end; at += bytes) {
            most = Math.max(most, Math.abs(f64(at)) + (complex ? Math.abs(f64(at + 8)) : 0));
        }
        return most;
    }

    private static void fallBack(Launch l, long problem) {
        long state = l.e.at(problem);
        int e = i32(state);
        if (l.p == 0 && e != Kernel.REFINED) {
            i64(l.f.at(problem), e > 0 ? Kernel.NOT_FACTORED : e);
            i32(state, 0);
        } else if (l.p == 1 && e == Kernel.REFINED) {
            i32(state, 0);
        } else if (l.p == 2) {
            i32(l.f.at(problem), e == 0 ? Kernel.REFINED : 0);
            i32(state, 0);
        } else if (l.p == 3 && i32(l.f.at(problem)) != Kernel.REFINED) {
            i32(state, i32(l.f.at(problem)));
        }
    }
}
