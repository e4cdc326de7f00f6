package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.ElementType;

/**
 * Condition numbers of eigenvalues and eigenvectors of a complex Schur form (Bai, Demmel and McKenney, "On computing condition numbers for the nonsymmetric eigenproblem", 1993). One eigenvalue after the other moves to the front of a
 * copy, where its right vector is the first unit vector; the left one, and the distance from the others, follow from systems with the rest. It remembers the form that is worked on.
 */
final class ZConditions implements ConditionsLeaf, InverseNorm.Inverse {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    private final InverseNorm norms = new InverseNorm(ElementType.C64);
    private long n;
    private long t;
    private long x;
    private double norm;
    private double large;
    private double scale;

    private long at(long i, long j) {
        return t + (i + j * n) * 16L;
    }

    private static double size(long element) {
        return Math.abs(f64(element)) + Math.abs(f64(element + 8L));
    }

    @Override
    public void trsna(long order, long form, long ldt, long values, long vectors, long work) {
        for (long j = 0; j < order; j++) {
            for (long i = 0; i < order; i++) {
                long to = work + (i + j * order) * 16L;
                long from = form + (i + j * ldt) * 16L;
                f64(to, i > j ? 0 : f64(from));
                f64(to + 8L, i > j ? 0 : f64(from + 8L));
            }
        }
        begin(order, work);
        for (long k = 0; k < n; k++) {
            one(k, values, vectors);
        }
    }

    /** Works on a form that stands in scratch from here on. */
    void begin(long order, long work) {
        n = order;
        t = work;
        x = work + n * n * 16L;
        norm = 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i <= j; i++) {
                norm = Math.max(norm, size(at(i, j)));
            }
        }
        large = (1 - UNIT) / (LEAST * (n / UNIT));
    }

    /** Eigenvalue k, when all before it have been in front. */
    void one(long k, long values, long vectors) {
        ZSchur.move(k, 0, n, t, n, 0, 0, 1);
        if (values != 0) {
            for (long i = 1; i < n; i++) {
                f64(x + i * 16L - 16L, -f64(at(0, i)));
                f64(x + i * 16L - 8L, f64(at(0, i) + 8L));
            }
            double factor = solved(true);
            f64(values + k * 8L, factor / length(factor));
        }
        if (vectors != 0) {
            f64(vectors + k * 8L, distance());
        }
    }

    /** The distance of the eigenvalue in front from the rest; from 0 where there is none. */
    private double distance() {
        double re = f64(t);
        double im = f64(t + 8L);
        return n == 1 ? Math.hypot(re, im) : 1 / norms.of(n - 1, x, this); // float: return (float) (n == 1 ? Math.hypot(re, im) : 1 / norms.of(n - 1, x, this));
    }

    /** The length of the solution with one more element. */
    private double length(double first) {
        double most = Math.abs(first);
        for (long i = 0; i < n - 1; i++) {
            most = Math.max(most, size(x + i * 16L));
        }
        double sum = first / most * (first / most);
        for (long i = 0; i < n - 1; i++) {
            double re = f64(x + i * 16L) / most;
            double im = f64(x + i * 16L + 8L) / most;
            sum += re * re + im * im;
        }
        return most * Math.sqrt(sum);
    }

    @Override
    public double solve(boolean adjoint) { // keep double
        return solved(adjoint);
    }

    /** A system with the form behind its first row, less the first eigenvalue; what the right-hand side was multiplied by. */
    private double solved(boolean adjoint) {
        scale = 1;
        double least = Math.max(UNIT * norm, LEAST / UNIT);
        double limit = large / Math.max(1, norm) / n;
        for (long s = 1; s < n; s++) {
            long r = adjoint ? s : n - s;
            long y = x + (r - 1) * 16L;
            if (adjoint) {
                gather(r, y);
            }
            double p = f64(at(r, r)) - f64(t);
            double q = f64(at(r, r) + 8L) - f64(t + 8L);
            q = adjoint ? -q : q;
            if (Math.abs(p) + Math.abs(q) < least) {
                p = least;
                q = 0;
            }
            double own = Math.abs(p) + Math.abs(q);
            if (own < 1 && size(y) > limit * own) {
                less(1 / size(y));
            }
            divide(y, p, q);
            if (size(y) > limit) {
                less(1 / size(y));
            }
            if (!adjoint) {
                spread(r, y);
            }
        }
        return scale;
    }

    private void less(double factor) {
        scale *= factor;
        for (long i = 0; i < n - 1; i++) {
            f64(x + i * 16L, f64(x + i * 16L) * factor);
            f64(x + i * 16L + 8L, f64(x + i * 16L + 8L) * factor);
        }
    }

    /** Takes off an unknown what those before it mean for it. */
    private void gather(long r, long y) {
        double re = f64(y);
        double im = f64(y + 8L);
        for (long i = 1; i < r; i++) {
            double c = f64(at(i, r));
            double d = -f64(at(i, r) + 8L);
            double a = f64(x + i * 16L - 16L);
            double b = f64(x + i * 16L - 8L);
            re -= a * c - b * d;
            im -= a * d + b * c;
        }
        f64(y, re);
        f64(y + 8L, im);
    }

    private void spread(long r, long y) {
        double a = f64(y);
        double b = f64(y + 8L);
        for (long i = 1; i < r; i++) {
            double c = f64(at(i, r));
            double d = f64(at(i, r) + 8L);
            long to = x + i * 16L - 16L;
            f64(to, f64(to) - (a * c - b * d));
            f64(to + 8L, f64(to + 8L) - (a * d + b * c));
        }
    }

    private static void divide(long y, double c, double d) {
        double a = f64(y);
        double b = f64(y + 8L);
        boolean real = Math.abs(c) >= Math.abs(d);
        double ratio = real ? d / c : c / d;
        double whole = real ? c + d * ratio : c * ratio + d;
        f64(y, (real ? a + b * ratio : a * ratio + b) / whole);
        f64(y + 8L, (real ? b - a * ratio : b * ratio - a) / whole);
    }
}
