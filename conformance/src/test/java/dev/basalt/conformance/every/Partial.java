package dev.basalt.conformance.every;

import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Eorder;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import java.util.Arrays;

/** Some eigenvalues of symmetric problems: OpenBLAS tells all of them, and vectors are held against what they solve. */
final class Partial {
    private static final double THRESHOLD = 30;

    private Partial() {}

    static boolean has(TableCall call) {
        return call.family().matches("stebz|stein|(sy|he)(ev[rx]|evdx|gvd?x)");
    }

    private static boolean tridiagonal(TableCall call) {
        return call.family().startsWith("st");
    }

    /** Whether an operand is looked at by {@link #check} alone. */
    static boolean free(TableCall call, String name) {
        return has(call) && !name.matches("info|nev|B");
    }

    /** The bounds of a range: about half of the eigenvalues of the matrices that calls are made of lie between them. */
    static double[] bound(TableCall call, String name, double x) {
        double by = tridiagonal(call) ? 0.25 : 1.25;
        return new double[] {name.equals("vl") ? by - Math.abs(x) / 4 : by + 0.25 + Math.abs(x) / 2, 0};
    }

    /** What stein is given: eigenvalues of a matrix that does not fall apart. */
    static void fill(TableCall call, Problem p) {
        if (!call.family().equals("stein") || call.size("n") == 0 || call.size("k") == 0) {
            return;
        }
        double[] values = Spectral.values(Spectral.matrix(call, p));
        double[] w = p.arrays().get("w");
        for (int i = 0; i < w.length; i++) {
            w[i] = call.rounded(values[i]);
        }
        Arrays.fill(p.arrays().get("iblock"), 1);
        Arrays.fill(p.arrays().get("isplit"), 0);
        p.arrays().get("isplit")[0] = call.size("n");
        p.arrays().get("nev")[0] = 1 + w.length / 2;
    }

    private static double[] wanted(TableCall call, Problem p) {
        double[] all = Spectral.values(Spectral.matrix(call, p));
        if (call.family().equals("stein")) {
            return Arrays.copyOf(all, Math.min(call.size("k"), (int) p.arrays().get("nev")[0]));
        }
        return switch ((Erange) call.options.get("erange")) {
            case ALL -> all;
            case INDEX ->
                call.size("il") == 0 ? new double[0] : Arrays.copyOfRange(all, call.size("il") - 1, call.size("iu"));
            case VALUE -> Arrays.stream(all)
                    .filter(v -> v > call.rounded(call.scalars.get("vl")[0])
                            && v <= call.rounded(call.scalars.get("vu")[0]))
                    .toArray();
        };
    }

    /** How many there are. */
    static void run(TableCall call, Problem p) {
        p.arrays().get("info")[0] = 0;
        if (call.family().equals("stein")) {
            return;
        }
        p.arrays().get("nev")[0] = call.size("n") == 0 ? 0 : wanted(call, p).length;
        if (Generalised.is(call) && call.size("n") > 0) {
            Generalised.factor(call, p);
        }
    }

    private static boolean vectors(TableCall call) {
        return call.family().equals("stein")
                || call.options.containsKey("evect") && call.options.get("evect") != Evect.NONE;
    }

    static void check(TableCall call, int problem, Loaded memory) {
        int n = call.size("n");
        if (n == 0) {
            return;
        }
        Problem before = call.problems.get(problem);
        Problem after = Reduction.after(call, problem, memory);
        double[] values = wanted(call, before);
        double unit = n * (call.computed() == ElementType.F32 ? 0x1p-24 : 0x1p-53);
        double[] w = Arrays.copyOf(after.arrays().get("w"), values.length);
        if (!call.family().equals("stein")) {
            values(call, values, w, after, unit);
        }
        if (vectors(call) && values.length > 0) {
            solves(call, before, after, w, unit);
        }
    }

    private static void values(TableCall call, double[] values, double[] w, Problem after, double unit) {
        boolean blocks = call.options.get("eorder") == Eorder.BLOCKS;
        double[] sorted = w.clone();
        Arrays.sort(sorted);
        if (!blocks && !Arrays.equals(sorted, w)) {
            throw new AssertionError(call + ": eigenvalues are not in rising order: " + Arrays.toString(w));
        }
        double size = Arrays.stream(values).map(Math::abs).max().orElse(0) + 1;
        for (int i = 0; i < w.length; i++) {
            if (!(Math.abs(sorted[i] - values[i]) <= THRESHOLD * unit * size)) {
                throw new AssertionError(
                        call + ": eigenvalue " + i + " of those is " + sorted[i] + " and not " + values[i]);
            }
        }
        if (tridiagonal(call)) {
            int split = (int) after.arrays().get("nsplit")[0];
            double[] ends = after.arrays().get("isplit");
            if (split < 1 || ends[split - 1] != call.size("n")) {
                throw new AssertionError(call + ": " + split + " blocks end at " + Arrays.toString(ends));
            }
            for (int i = 0; i < w.length; i++) {
                double block = after.arrays().get("iblock")[i];
                if (block < 1 || block > split) {
                    throw new AssertionError(call + ": eigenvalue " + i + " is of block " + block + " of " + split);
                }
            }
        }
    }

    /** The columns of Z solve the problem, and are orthonormal in its product. */
    private static void solves(TableCall call, Problem before, Problem after, double[] w, double unit) {
        Dense all = Dense.of(call, after, "Z");
        Dense z = new Dense(all.rows, w.length);
        Dense scaled = new Dense(all.rows, w.length);
        Dense one = new Dense(w.length, w.length);
        for (int j = 0; j < w.length; j++) {
            one.re[one.at(j, j)] = 1;
            for (int i = 0; i < all.rows; i++) {
                z.re[z.at(i, j)] = all.re[all.at(i, j)];
                z.im[z.at(i, j)] = all.im[all.at(i, j)];
                scaled.re[z.at(i, j)] = w[j] * z.re[z.at(i, j)];
                scaled.im[z.at(i, j)] = w[j] * z.im[z.at(i, j)];
            }
        }
        Dense y = z;
        if (Generalised.is(call)) {
            Dense a = Reduction.symmetric(call, before);
            Dense b = Generalised.b(call, before);
            switch ((Eform) call.options.get("itype")) {
                case AX -> Spectral.near(call, a.times(z), b.times(scaled), unit);
                case ABX -> Spectral.near(call, a.times(b.times(z)), scaled, unit);
                case BAX -> Spectral.near(call, b.times(a.times(z)), scaled, unit);
            }
            Dense l = Generalised.cholesky(b);
            y = call.options.get("itype") == Eform.BAX ? Generalised.solve(l, z) : l.op(Op.CONJ_TRANS).times(z);
        } else {
            Spectral.near(call, Spectral.matrix(call, before).times(z), scaled, unit);
        }
        Spectral.near(call, y.op(Op.CONJ_TRANS).times(y), one, unit);
    }
}
