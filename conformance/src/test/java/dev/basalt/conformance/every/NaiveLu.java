package dev.basalt.conformance.every;

import dev.basalt.type.Direct;
import dev.basalt.type.Op;

/** The routines of LU that OpenBLAS does not have, as their definitions say: by elimination with the largest pivot of a column, or without. */
final class NaiveLu {
    private static final String FACTOR = "getr?f2?Npvt";
    private static final String INVERSE = "getri(Npvt)?(Outofplace)?";

    private final TableCall call;
    private final Problem p;

    private NaiveLu(TableCall call, Problem problem) {
        this.call = call;
        this.p = problem;
    }

    static boolean has(TableCall call) {
        return call.family().matches(FACTOR + "|" + INVERSE + "|getrsNpvt|gesvNpvt|matinv|geblttr[fs]Npvt|laswp");
    }

    /** Replaces what the routine overwrites by its results. */
    static void run(TableCall call, Problem problem) {
        new NaiveLu(call, problem).run();
    }

    private void run() {
        String family = call.family();
        Dense a = Dense.of(call, p, "A");
        if (family.matches(FACTOR)) {
            factor(a).into(call, p, "A", false);
        } else if (family.equals("getrsNpvt")) {
            Op op = (Op) call.options.get("trans");
            solve(product(a).op(op), Dense.of(call, p, "B")).into(call, p, "B", false);
        } else if (family.equals("laswp")) {
            int from = Math.max(0, call.sizes.get("k1") - 1);
            int to = call.sizes.get("k2") - 1;
            boolean backward = call.options.get("direct") == Direct.BACKWARD;
            for (int step = 0; step <= to - from; step++) {
                int i = backward ? to - step : from + step;
                swap(a, i, (int) p.arrays().get("ipiv")[i] - 1);
            }
            a.into(call, p, "A", false);
        } else if (family.startsWith("geblttr")) {
            blocks(family.equals("geblttrfNpvt"));
        } else if (family.equals("gesvNpvt")) {
            solve(a, Dense.of(call, p, "B")).into(call, p, "B", false);
            factor(a).into(call, p, "A", false);
        } else {
            Dense whole = family.equals("matinv") ? a : product(a);
            double[] ipiv = p.arrays().get("ipiv");
            for (int i = a.rows - 1; i >= 0 && ipiv != null; i--) {
                swap(whole, i, (int) ipiv[i] - 1);
            }
            Dense one = new Dense(a.rows, a.rows);
            for (int i = 0; i < a.rows; i++) {
                one.re[one.at(i, i)] = 1;
            }
            solve(whole, one).into(call, p, call.stored.containsKey("C") ? "C" : "A", false);
        }
    }

    /** Block i of those side by side. */
    private static Dense block(Dense all, int i, int cols) {
        Dense b = new Dense(all.rows, cols);
        System.arraycopy(all.re, all.at(0, i * cols), b.re, 0, b.re.length);
        System.arraycopy(all.im, all.at(0, i * cols), b.im, 0, b.im.length);
        return b;
    }

    private static void back(Dense b, Dense all, int i) {
        System.arraycopy(b.re, 0, all.re, all.at(0, i * b.cols), b.re.length);
        System.arraycopy(b.im, 0, all.im, all.at(0, i * b.cols), b.im.length);
    }

    private static Dense less(Dense a, Dense b) {
        return a.plus(b.scaled(new double[] {-1, 0}));
    }

    /** A block tridiagonal matrix, or a solution with its factors. */
    private void blocks(boolean factors) {
        int nb = call.sizes.get("nb");
        int nblocks = call.sizes.get("nblocks");
        int cols = factors ? nb : call.sizes.get("nrhs");
        Dense a = Dense.of(call, p, "A");
        Dense b = Dense.of(call, p, "B");
        Dense c = Dense.of(call, p, "C");
        Dense x = factors ? b : Dense.of(call, p, "X");
        if (nb == 0 || cols == 0) {
            return;
        }
        for (int i = 0; i < nblocks; i++) {
            Dense now = block(x, i, cols);
            if (i > 0) {
                now = less(now, block(a, i - 1, nb).times(block(factors ? c : x, i - 1, cols)));
            }
            if (!factors) {
                now = solve(product(block(b, i, nb)), now);
            } else if (i + 1 < nblocks) {
                back(solve(now, block(c, i, nb)), c, i);
            }
            back(factors ? factor(now) : now, x, i);
        }
        for (int i = nblocks - 2; i >= 0 && !factors; i--) {
            back(less(block(x, i, cols), block(c, i, nb).times(block(x, i + 1, cols))), x, i);
        }
        if (factors) {
            c.into(call, p, "C", false);
        }
        x.into(call, p, factors ? "B" : "X", false);
    }

    /** L·U of the factors. */
    private static Dense product(Dense a) {
        Dense l = new Dense(a.rows, a.cols);
        Dense u = new Dense(a.rows, a.cols);
        for (int j = 0; j < a.cols; j++) {
            for (int i = 0; i < a.rows; i++) {
                Dense to = i > j ? l : u;
                to.re[a.at(i, j)] = a.re[a.at(i, j)];
                to.im[a.at(i, j)] = a.im[a.at(i, j)];
            }
            l.re[a.at(j, j)] = 1;
        }
        return l.times(u);
    }

    private static Dense copy(Dense a) {
        return a.scaled(new double[] {1, 0});
    }

    /** LU without interchanges. */
    private static Dense factor(Dense given) {
        Dense a = copy(given);
        for (int j = 0; j < Math.min(a.rows, a.cols); j++) {
            for (int i = j + 1; i < a.rows; i++) {
                divide(a, i, j, a.re[a.at(j, j)], a.im[a.at(j, j)]);
                subtract(a, i, j + 1, a, j, a.re[a.at(i, j)], a.im[a.at(i, j)]);
            }
        }
        return a;
    }

    private static Dense solve(Dense given, Dense sides) {
        Dense a = copy(given);
        Dense b = copy(sides);
        int n = a.rows;
        for (int j = 0; j < n; j++) {
            int pivot = j;
            for (int i = j; i < n; i++) {
                pivot = size(a, i, j) > size(a, pivot, j) ? i : pivot;
            }
            swap(a, j, pivot);
            swap(b, j, pivot);
            double re = a.re[a.at(j, j)];
            double im = a.im[a.at(j, j)];
            for (int k = n - 1; k >= j; k--) {
                divide(a, j, k, re, im);
            }
            for (int k = 0; k < b.cols; k++) {
                divide(b, j, k, re, im);
            }
            for (int i = 0; i < n; i++) {
                double fr = a.re[a.at(i, j)];
                double fi = a.im[a.at(i, j)];
                if (i != j && (fr != 0 || fi != 0)) {
                    subtract(a, i, j, a, j, fr, fi);
                    subtract(b, i, 0, b, j, fr, fi);
                }
            }
        }
        return b;
    }

    private static double size(Dense a, int i, int j) {
        return Math.hypot(a.re[a.at(i, j)], a.im[a.at(i, j)]);
    }

    /** Row i of a from a column on -= a number times row j of b. */
    private static void subtract(Dense a, int i, int from, Dense b, int j, double re, double im) {
        for (int k = from; k < a.cols; k++) {
            double br = b.re[b.at(j, k)];
            double bi = b.im[b.at(j, k)];
            a.re[a.at(i, k)] -= re * br - im * bi;
            a.im[a.at(i, k)] -= re * bi + im * br;
        }
    }

    private static void divide(Dense a, int i, int j, double re, double im) {
        int at = a.at(i, j);
        double size = re * re + im * im;
        double x = a.re[at];
        double y = a.im[at];
        a.re[at] = (x * re + y * im) / size;
        a.im[at] = (y * re - x * im) / size;
    }

    private static void swap(Dense a, int i, int j) {
        for (int k = 0; k < a.cols; k++) {
            double re = a.re[a.at(i, k)];
            double im = a.im[a.at(i, k)];
            a.re[a.at(i, k)] = a.re[a.at(j, k)];
            a.im[a.at(i, k)] = a.im[a.at(j, k)];
            a.re[a.at(j, k)] = re;
            a.im[a.at(j, k)] = im;
        }
    }
}
