package dev.basalt.conformance.every;

import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Reductions to tridiagonal form, held against their definition: Qᴴ·A·Q is tridiagonal as far as they went, and what is left is that without the panel's products. */
final class Reduction {
    private static final double THRESHOLD = 30;

    private final TableCall call;
    private final Problem after;
    private final int n;
    private final boolean lower;

    private Reduction(TableCall call, Problem after) {
        this.call = call;
        this.after = after;
        this.n = call.size("n");
        this.lower = call.uplo() == Uplo.LOWER;
    }

    static boolean has(TableCall call) {
        return TwoStages.has(call) || call.family().matches("latrd|(sy|he)t(rd|d2)");
    }

    /** Whether a matrix of which a triangle is given comes back as a whole. */
    static boolean whole(TableCall call, String name) {
        return call.family().matches("(or|un)gtr") || name.equals("Z")
                || call.family().matches("(sy|he)([eg]vd?j?|[eg]vdx|evr)") && name.equals("A")
                        && call.options.get("evect") == Evect.ORIGINAL;
    }

    /** A problem as the call left it. */
    static Problem after(TableCall call, int problem, Loaded memory) {
        Problem after = call.problems.get(problem).copy();
        for (Stored s : call.stored.values()) {
            double[] found = memory.content(s.name());
            int start = s.parts() * memory.start(s.name(), problem);
            double[] to = after.arrays().get(s.name());
            System.arraycopy(found, start, to, 0, Math.min(to.length, found.length - start));
        }
        return after;
    }

    /** The Hermitian matrix of the triangle of A. */
    static Dense symmetric(TableCall call, Problem p) {
        Dense a = Dense.of(call, p, "A");
        for (int j = 0; j < a.cols; j++) {
            a.im[a.at(j, j)] = 0;
            for (int i = 0; i < a.rows; i++) {
                if (i != j && call.uplo() == Uplo.LOWER == i > j) {
                    a.re[a.at(j, i)] = a.re[a.at(i, j)];
                    a.im[a.at(j, i)] = -a.im[a.at(i, j)];
                }
            }
        }
        return a;
    }

    /** Place i, counted from where the reduction begins. */
    private int place(int i) {
        return lower ? i : n - 1 - i;
    }

    private Dense turned(Dense a) {
        Dense b = new Dense(a.rows, a.cols);
        for (int j = 0; j < a.cols; j++) {
            for (int i = 0; i < a.rows; i++) {
                int from = a.at(place(i), a.cols == n ? place(j) : lower ? j : a.cols - 1 - j);
                b.re[b.at(i, j)] = a.re[from];
                b.im[b.at(i, j)] = a.im[from];
            }
        }
        return b;
    }

    private double part(String name, int i, int part) {
        Stored s = call.stored.get(name);
        return part < s.parts() ? after.arrays().get(name)[s.parts() * s.at()[i] + part] : 0;
    }

    static void check(TableCall call, int problem, Loaded memory) {
        if (TwoStages.has(call)) {
            TwoStages.check(call, problem, memory);
            return;
        }
        int n = call.size("n");
        int k = call.family().equals("latrd") ? call.size("k") : n;
        if (n > 0 && k > 0) {
            new Reduction(call, after(call, problem, memory)).check(symmetric(call, call.problems.get(problem)), k);
        }
    }

    private void check(Dense given, int k) {
        Dense stored = turned(Dense.of(call, after, "A"));
        Dense b = turned(given);
        double size = 1;
        for (int i = 0; i < b.re.length; i++) {
            size = Math.max(size, Math.max(Math.abs(b.re[i]), Math.abs(b.im[i])));
        }
        Dense v = new Dense(n, k);
        for (int i = 0; i < Math.min(k, n - 1); i++) {
            Dense h = new Dense(n, 1);
            for (int r = i + 1; r < n; r++) {
                h.re[r] = r == i + 1 ? 1 : stored.re[stored.at(r, i)];
                h.im[r] = r == i + 1 ? 0 : stored.im[stored.at(r, i)];
            }
            v.column(i, h);
            int index = lower ? i : n - 2 - i;
            double[] minus = {-part("tau", index, 0), -part("tau", index, 1)};
            double[] turned = {minus[0], -minus[1]};
            Dense conj = h.op(Op.CONJ_TRANS);
            b = b.plus(h.times(conj.times(b)).scaled(turned));
            b = b.plus(b.times(h).times(conj).scaled(minus));
        }
        double allowed = THRESHOLD * n * size * (call.computed() == ElementType.F32 ? 0x1p-24 : 0x1p-53);
        for (int i = 0; i < k; i++) {
            near(b, i, i, stored.re[stored.at(i, i)], 0, allowed);
            if (call.stored.containsKey("d")) {
                near(b, i, i, part("d", place(i), 0), 0, allowed);
            }
            if (i + 1 < n) {
                near(b, i + 1, i, part("e", lower ? i : n - 2 - i, 0), 0, allowed);
            }
            for (int r = i + 2; r < n; r++) {
                near(b, r, i, 0, 0, allowed);
            }
        }
        if (k < n) {
            rest(b, v, stored, k, allowed);
        }
    }

    private void rest(Dense b, Dense v, Dense stored, int k, double allowed) {
        Dense w = turned(Dense.of(call, after, "W"));
        for (int j = 0; j < k; j++) {
            for (int i = 0; i < k; i++) {
                w.re[w.at(i, j)] = 0;
                w.im[w.at(i, j)] = 0;
            }
        }
        double[] minus = {-1, 0};
        Dense less = v.times(w.op(Op.CONJ_TRANS)).plus(w.times(v.op(Op.CONJ_TRANS))).scaled(minus);
        for (int j = k; j < n; j++) {
            for (int i = j; i < n; i++) {
                double im = i == j ? 0 : stored.im[stored.at(i, j)];
                near(b, i, j, stored.re[stored.at(i, j)] + less.re[less.at(i, j)], im + less.im[less.at(i, j)],
                        allowed);
            }
        }
    }

    private void near(Dense b, int i, int j, double re, double im, double allowed) {
        double far = Math.hypot(b.re[b.at(i, j)] - re, b.im[b.at(i, j)] - im);
        if (!(far <= allowed)) {
            throw new AssertionError(
                    call + ": element (" + i + ", " + j + ") is off by " + far + ", more than " + allowed);
        }
    }
}
