package dev.basalt.conformance.every;

import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** The two stages to tridiagonal form: reflectors make the band of the matrix, and a tridiagonal form has the eigenvalues of its band. */
final class TwoStages {
    private static final double THRESHOLD = 30;

    private TwoStages() {}

    static boolean has(TableCall call) {
        return first(call) || call.family().matches("(sy|he)trd[SH]b2st");
    }

    private static boolean first(TableCall call) {
        return call.family().matches("sytrdSy2sb|hetrdHe2hb");
    }

    static void check(TableCall call, int problem, Loaded memory) {
        int n = call.size("n");
        if (n == 0) {
            return;
        }
        Problem before = call.problems.get(problem);
        Problem after = Reduction.after(call, problem, memory);
        if (first(call)) {
            band(call, before, after);
        } else {
            tridiagonal(call, before, after);
        }
    }

    private static double unit(TableCall call) {
        return call.computed() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    /** What is stored as it is in a lower triangle. */
    private static Dense lower(TableCall call, Dense stored) {
        return call.uplo() == Uplo.LOWER ? stored : stored.op(Op.CONJ_TRANS);
    }

    private static void band(TableCall call, Problem before, Problem after) {
        int n = call.size("n");
        int kd = call.size("kd");
        Dense stored = lower(call, Dense.of(call, after, "A"));
        Dense band = lower(call, Dense.of(call, after, "AB"));
        Dense b = Reduction.symmetric(call, before);
        double size = 1;
        for (int i = 0; i < b.re.length; i++) {
            size = Math.max(size, Math.hypot(b.re[i], b.im[i]));
        }
        Stored tau = call.stored.get("tau");
        for (int i = 0; i < n - kd; i++) {
            Dense h = new Dense(n, 1);
            for (int r = i + kd; r < n; r++) {
                h.re[r] = r == i + kd ? 1 : stored.re[stored.at(r, i)];
                h.im[r] = r == i + kd ? 0 : stored.im[stored.at(r, i)];
            }
            int at = tau.parts() * tau.at()[i];
            double[] factors = after.arrays().get("tau");
            double[] minus = {-factors[at], tau.parts() == 2 ? -factors[at + 1] : 0};
            Dense conj = h.op(Op.CONJ_TRANS);
            b = b.plus(h.times(conj.times(b)).scaled(new double[] {minus[0], -minus[1]}));
            b = b.plus(b.times(h).times(conj).scaled(minus));
        }
        double allowed = THRESHOLD * n * size * unit(call);
        for (int j = 0; j < n; j++) {
            for (int i = j; i < n; i++) {
                boolean inside = i - j <= kd;
                double re = inside ? band.re[band.at(i, j)] : 0;
                // The imaginary part of a diagonal element is none's.
                double im = inside ? i == j ? b.im[b.at(i, j)] : band.im[band.at(i, j)] : 0;
                double far = Math.hypot(b.re[b.at(i, j)] - re, b.im[b.at(i, j)] - im);
                if (!(far <= allowed)) {
                    throw new AssertionError(
                            call + ": element (" + i + ", " + j + ") is off by " + far + ", more than " + allowed);
                }
                if (inside && (stored.re[stored.at(i, j)] != re || i != j && stored.im[stored.at(i, j)] != im)) {
                    throw new AssertionError(call + ": element (" + i + ", " + j + ") of the band is not that of A");
                }
            }
        }
    }

    private static void tridiagonal(TableCall call, Problem before, Problem after) {
        int n = call.size("n");
        Dense t = new Dense(n, n);
        for (int i = 0; i < n; i++) {
            t.re[t.at(i, i)] = Spectral.at(call, after, "d", i);
            if (i + 1 < n) {
                t.re[t.at(i + 1, i)] = Spectral.at(call, after, "e", i);
                t.re[t.at(i, i + 1)] = t.re[t.at(i + 1, i)];
            }
        }
        double[] expected = Spectral.values(Dense.full(call, before, "AB", true));
        double[] found = Spectral.values(t);
        double size = Math.max(1, Math.max(Math.abs(expected[0]), Math.abs(expected[n - 1])));
        for (int i = 0; i < n; i++) {
            double far = Math.abs(found[i] - expected[i]);
            if (!(far <= THRESHOLD * n * size * unit(call))) {
                throw new AssertionError(call + ": eigenvalue " + i + " is " + found[i] + " and not " + expected[i]);
            }
        }
    }
}
