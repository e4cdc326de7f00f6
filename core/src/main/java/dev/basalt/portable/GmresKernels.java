package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Gmres;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/**
 * The steps of FGMRES besides products and solves: modified Gram-Schmidt, plane rotations of the Hessenberg matrix, and the verdict. The residual of a cycle is the
 * last element of its rotated right-hand side.
 */
final class GmresKernels {
    /** The relative error of one rounding in double precision. */
    private static final double EPSILON = 0x1p-53;

    /** Part of what a residual may be that a cycle aims at. */
    private static final double MARGIN = 0.5;

    /** How far a cycle goes where it is not known how large the solution will be. */
    private static final double FAR = 0x1p-40;

    private GmresKernels() {}

    /** Runs some problems of a launch. */
    static void run(Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            if (l.p == Gmres.SOLUTION) {
                solution(l, i);
            } else if (!BatchedKernels.skips(l, i)) {
                switch ((int) l.p) {
                    case Gmres.BINARY -> binary(l, i);
                    case Gmres.ARNOLDI -> arnoldi(l, i);
                    default -> cycle(l, i);
                }
            }
        }
    }

    private static void binary(Launch l, long problem) {
        long g = l.g.first(problem);
        for (long end = g + 8 * l.n; g < end; g += 8) {
            double v = f64(g);
            f64(g, v > 0 && v <= Double.MAX_VALUE ? power(l.q - Math.getExponent(v)) : 1);
        }
    }

    /** 2^e, kept where it and its reciprocal are normal numbers. */
    private static double power(long e) {
        return Math.scalb(1.0, (int) Math.max(-1022, Math.min(1022, e)));
    }

    // ---- where a column and its numbers lie

    private static int parts(Launch l) {
        return l.type.isComplex() ? 2 : 1;
    }

    private static long column(Operand x, long problem, long j) {
        return x.at(problem) + j * x.ld * x.type.bytes();
    }

    private static long hessenberg(Launch l, long problem, long j) {
        return l.d.first(problem) + 8 * (1 + j * Gmres.column(l.m, parts(l)));
    }

    private static long sines(Launch l, long h) {
        return h + 8 * parts(l) * (l.m + 1) * l.m;
    }

    private static long rightHandSide(Launch l, long h) {
        return sines(l, h) + 8 * parts(l) * l.m;
    }

    private static long cosines(Launch l, long h) {
        return h + 8 * parts(l) * Gmres.elements(l.m);
    }

    private static long number(Launch l, long h, int which) {
        return cosines(l, h) + 8 * (l.m + which);
    }

    // ---- a cycle begins

    private static void cycle(Launch l, long problem) {
        long n = l.n;
        int parts = parts(l);
        long taken = l.d.first(problem);
        double most = Math.sqrt((double) Math.max(n, Kernel.LEAST_TERMS)) * EPSILON;
        boolean first = l.p == Gmres.FIRST;
        if (first) {
            f64(taken, 0);
        }
        boolean good = true;
        for (long j = 0; j < l.k; j++) {
            long v = column(l.a, problem, j);
            long x = column(l.c, problem, j);
            if (first) {
                clear(n * parts, x);
            }
            multiply(n, parts, l.g.first(problem), v);
            double length = norm(n * parts, v);
            if (Double.isNaN(length) || Double.isInfinite(length)) {
                i32(l.e.at(problem), Kernel.OVERFLOWN);
                return;
            }
            double may;
            boolean done;
            if (l.p == Gmres.LEAST) {
                double solution = norm(l.q * parts, column(l.b, problem, l.k + j));
                double unknowns = most * l.alpha.re() * scaledLargest(l, problem, x, true);
                may = most * l.alpha.re() * solution;
                double upper = norm(l.q * parts, column(l.b, problem, j));
                double lower = scaledLargest(l, problem, column(l.a, problem, l.k + j), false);
                done = upper <= unknowns + most * solution && (lower <= may || !l.hermitian && solution <= unknowns);
                if (done) {
                    clear(l.q * parts, column(l.b, problem, j));
                }
            } else {
                may = most * l.alpha.re() * scaledLargest(l, problem, x, true);
                done = largest(n, parts, v) <= may;
            }
            good &= done;
            begin(l, problem, j, length, may, done || length == 0);
        }
        if (good && i64(l.f.at(problem)) < (long) f64(taken)) {
            i64(l.f.at(problem), (long) f64(taken));
        }
        i32(l.e.at(problem), good ? Kernel.REFINED : l.p == Gmres.LEAST ? (int) l.beta.re() : (int) l.q);
    }

    private static void begin(Launch l, long problem, long j, double length, double may, boolean done) {
        int parts = parts(l);
        long v = column(l.a, problem, j);
        for (long i = 0; i < l.n * parts; i++) {
            f64(v + 8 * i, done ? 0 : f64(v + 8 * i) / length);
        }
        long h = hessenberg(l, problem, j);
        long g = rightHandSide(l, h);
        f64(g, length);
        if (parts == 2) {
            f64(g + 8, 0);
        }
        f64(number(l, h, Gmres.TAKEN), 0);
        f64(number(l, h, Gmres.TARGET), may == 0 && l.p == Gmres.LEAST ? FAR * length : MARGIN * may);
        f64(number(l, h, Gmres.DONE), done ? 1 : 0);
        f64(number(l, h, Gmres.BEGAN), length);
    }

    // ---- a direction

    private static void arnoldi(Launch l, long problem) {
        long taken = l.d.first(problem);
        f64(taken, f64(taken) + 1);
        boolean all = true;
        for (long j = 0; j < l.k; j++) {
            long h = hessenberg(l, problem, j);
            long w = column(l.a, problem, (l.q + 1) * l.k + j);
            if (f64(number(l, h, Gmres.DONE)) != 0) {
                clear(l.n * parts(l), w);
                continue;
            }
            direction(l, problem, j, h, w);
            all &= f64(number(l, h, Gmres.DONE)) != 0;
        }
        if (all) {
            i32(l.e.at(problem), Gmres.PAUSED);
        }
    }

    private static void direction(Launch l, long problem, long j, long h, long w) {
        int parts = parts(l);
        long n = l.n;
        long step = l.q;
        multiply(n, parts, l.g.first(problem), w);
        long column = h + 8 * parts * (l.m + 1) * step;
        for (long i = 0; i <= step; i++) {
            long v = column(l.a, problem, i * l.k + j);
            dot(n, parts, v, w, column + 8 * parts * i);
            takeOff(n, parts, column + 8 * parts * i, v, w);
        }
        double length = norm(n * parts, w);
        for (long i = 0; i < n * parts; i++) {
            f64(w + 8 * i, length == 0 ? 0 : f64(w + 8 * i) / length);
        }
        double rest = rotate(l, h, column, length);
        if (step == 0 && l.alpha.re() > 0) {
            // The first direction is most of the solution, if the factors are any good.
            double size = scaledLargest(l, problem, column(l.b, problem, j), true) * f64(number(l, h, Gmres.BEGAN));
            double may = MARGIN * l.alpha.re() * Math.sqrt((double) Math.max(n, Kernel.LEAST_TERMS)) * EPSILON * size;
            f64(number(l, h, Gmres.TARGET), Math.max(f64(number(l, h, Gmres.TARGET)), may));
        }
        f64(number(l, h, Gmres.TAKEN), step + 1);
        boolean wants = rest > f64(number(l, h, Gmres.TARGET)) && length > 0 && step + 1 < l.m;
        f64(number(l, h, Gmres.DONE), wants ? 0 : 1);
    }

    /** Applies the rotations there are to the new column, and makes the one that takes its last element, the real number below it; the residual that is left. */
    private static double rotate(Launch l, long h, long column, double below) {
        int parts = parts(l);
        long step = l.q;
        long c = cosines(l, h);
        long s = sines(l, h);
        for (long i = 0; i < step; i++) {
            turn(parts, f64(c + 8 * i), s + 8 * parts * i, column + 8 * parts * i);
        }
        long last = column + 8 * parts * step;
        double re = f64(last);
        double im = parts == 2 ? f64(last + 8) : 0;
        double size = Math.hypot(re, im);
        double all = Math.hypot(size, below);
        double cosine = all == 0 ? 1 : size / all;
        // h of a row times a number of modulus 1: the sine takes it over, so that the cosine is real.
        double phaseRe = size == 0 ? 1 : re / size;
        double phaseIm = size == 0 ? 0 : im / size;
        double sine = all == 0 ? 0 : below / all;
        f64(c + 8 * step, cosine);
        f64(s + 8 * parts * step, sine * phaseRe);
        f64(last, all * phaseRe);
        f64(last + 8 * parts, 0);
        if (parts == 2) {
            f64(s + 8 * parts * step + 8, sine * phaseIm);
            f64(last + 8, all * phaseIm);
            f64(last + 8 * parts + 8, 0);
        }
        long g = rightHandSide(l, h) + 8 * parts * step;
        f64(g + 8 * parts, 0);
        if (parts == 2) {
            f64(g + 8 * parts + 8, 0);
        }
        turn(parts, cosine, s + 8 * parts * step, g);
        return parts == 2 ? Math.hypot(f64(g + 16), f64(g + 24)) : Math.abs(f64(g + 8));
    }

    /** (x, y) := (c·x + s·y, c·y - conj(s)·x) for two numbers one after the other. */
    private static void turn(int parts, double c, long s, long at) {
        if (parts == 1) {
            double x = f64(at);
            double y = f64(at + 8);
            f64(at, c * x + f64(s) * y);
            f64(at + 8, c * y - f64(s) * x);
            return;
        }
        double re = f64(s);
        double im = f64(s + 8);
        double xr = f64(at);
        double xi = f64(at + 8);
        double yr = f64(at + 16);
        double yi = f64(at + 24);
        f64(at, c * xr + (re * yr - im * yi));
        f64(at + 8, c * xi + (re * yi + im * yr));
        f64(at + 16, c * yr - (re * xr + im * xi));
        f64(at + 24, c * yi - (re * xi - im * xr));
    }

    // ---- a cycle ends

    private static void solution(Launch l, long problem) {
        int e = i32(l.e.at(problem));
        if (e != 0 && e != Gmres.PAUSED) {
            return;
        }
        int parts = parts(l);
        for (long j = 0; j < l.k; j++) {
            long h = hessenberg(l, problem, j);
            long g = rightHandSide(l, h);
            long taken = (long) f64(number(l, h, Gmres.TAKEN));
            for (long i = taken - 1; i >= 0; i--) {
                long column = h + 8 * parts * (l.m + 1) * i;
                divide(parts, g + 8 * parts * i, column + 8 * parts * i);
                takeOff(i, parts, g + 8 * parts * i, column, g);
            }
            long x = column(l.c, problem, j);
            for (long i = 0; i < taken; i++) {
                add(l.n, parts, g + 8 * parts * i, column(l.b, problem, i * l.k + j), x);
            }
        }
        i32(l.e.at(problem), 0);
    }

    /** x := x / y; the elements of the triangle are not near the ends of the range. */
    private static void divide(int parts, long x, long y) {
        if (parts == 1) {
            f64(x, f64(x) / f64(y));
            return;
        }
        double re = f64(y);
        double im = f64(y + 8);
        double size = re * re + im * im;
        double xr = f64(x);
        double xi = f64(x + 8);
        f64(x, (xr * re + xi * im) / size);
        f64(x + 8, (xi * re - xr * im) / size);
    }

    // ---- vectors

    private static void clear(long n, long v) {
        for (long end = v + 8 * n; v < end; v += 8) {
            f64(v, 0);
        }
    }

    /** v := diag(g)·v. */
    private static void multiply(long n, int parts, long g, long v) {
        for (long i = 0; i < n * parts; i++) {
            f64(v + 8 * i, f64(v + 8 * i) * f64(g + 8 * (i / parts)));
        }
    }

    /** out := xᴴ·y. */
    private static void dot(long n, int parts, long x, long y, long out) {
        double re = 0;
        double im = 0;
        for (long end = x + 8 * n * parts; x < end; x += 8L * parts, y += 8L * parts) {
            re += f64(x) * f64(y);
            if (parts == 2) {
                re += f64(x + 8) * f64(y + 8);
                im += f64(x) * f64(y + 8) - f64(x + 8) * f64(y);
            }
        }
        f64(out, re);
        if (parts == 2) {
            f64(out + 8, im);
        }
    }

    /** y -= factor·x. */
    private static void takeOff(long n, int parts, long factor, long x, long y) {
        add(n, parts, -f64(factor), parts == 2 ? -f64(factor + 8) : 0, x, y);
    }

    /** y += factor·x. */
    private static void add(long n, int parts, long factor, long x, long y) {
        add(n, parts, f64(factor), parts == 2 ? f64(factor + 8) : 0, x, y);
    }

    private static void add(long n, int parts, double re, double im, long x, long y) {
        for (long end = x + 8 * n * parts; x < end; x += 8L * parts, y += 8L * parts) {
            if (parts == 1) {
                f64(y, f64(y) + re * f64(x));
            } else {
                f64(y, f64(y) + (re * f64(x) - im * f64(x + 8)));
                f64(y + 8, f64(y + 8) + (re * f64(x + 8) + im * f64(x)));
            }
        }
    }

    /** ‖x‖₂ without avoidable overflow; NaN wins. */
    private static double norm(long n, long x) {
        double most = 0;
        for (long i = 0; i < n; i++) {
            most = Math.max(most, Math.abs(f64(x + 8 * i)));
        }
        if (most == 0 || !(most <= Double.MAX_VALUE)) {
            return most;
        }
        // A power of two, so that nothing is rounded but the sum.
        double scale = power(-Math.getExponent(most));
        double sum = 0;
        for (long i = 0; i < n; i++) {
            double v = f64(x + 8 * i) * scale;
            sum += v * v;
        }
        return Math.sqrt(sum) / scale;
    }

    /** The largest |re| + |im|; NaN wins. */
    private static double largest(long n, int parts, long x) {
        double most = 0;
        for (long i = 0; i < n; i++, x += 8L * parts) {
            most = Math.max(most, Math.abs(f64(x)) + (parts == 2 ? Math.abs(f64(x + 8)) : 0));
        }
        return most;
    }

    /** The largest element of D₂⁻¹·x, or of D₁·x. */
    private static double scaledLargest(Launch l, long problem, long x, boolean unknowns) {
        long g = l.g.first(problem) + (unknowns ? 8 * l.n : 0);
        int parts = parts(l);
        double most = 0;
        for (long i = 0; i < l.n; i++) {
            double v = Math.abs(f64(x + 8 * i * parts)) + (parts == 2 ? Math.abs(f64(x + 8 * i * parts + 8)) : 0);
            most = Math.max(most, unknowns ? v / f64(g + 8 * i) : v * f64(g + 8 * i));
        }
        return most;
    }
}
