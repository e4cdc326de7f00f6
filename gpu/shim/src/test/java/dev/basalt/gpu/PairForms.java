package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;

/**
 * Schur forms of pairs of real matrices, to be compared whatever the order of their eigenvalues is. Where two of them converge in the same step, rounding decides whether they do as a block, and with that their order.
 */
final class PairForms {
    private static final int BESIDE = 2;

    private final Launch l;
    private final long p;
    private final long away;
    private final int n;

    private PairForms(Launch l, long p, long away) {
        this.l = l;
        this.p = p;
        this.away = away;
        this.n = (int) l.n;
    }

    /**
     * Replaces the forms that a launch has left by what no order changes: the given matrices as far as there are vectors to make them anew, and the products of vectors with themselves.
     *
     * @param p the problem
     * @param away how far behind the operands the results lie
     */
    static void invariants(Launch l, long p, long away) {
        if (Memory.i32(l.e.at(p) + away) == 0) {
            new PairForms(l, p, away).run();
        }
    }

    private void run() {
        double[] q = l.f.present() ? dense(l.f) : null;
        double[] z = l.g.present() ? dense(l.g) : null;
        double[] s = dense(l.c);
        double[] t = dense(l.d);
        boolean form = below(s, BESIDE) && below(t, 1);
        put(l.c, form ? given(q, s, z) : new double[] {Double.NaN});
        put(l.d, given(q, t, z));
        if (q != null) {
            put(l.f, times(turned(q), q));
        }
        if (z != null) {
            put(l.g, times(turned(z), z));
        }
    }

    /** Whether there is nothing so many rows below the diagonal. */
    private boolean below(double[] x, int rows) {
        for (int j = 0; j < n; j++) {
            for (int i = j + rows; i < n; i++) {
                if (x[i + j * n] != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The given matrix, or its product with its transpose, or the norm of that. */
    private double[] given(double[] q, double[] x, double[] z) {
        if (q != null && z != null) {
            return times(times(q, x), turned(z));
        }
        if (q != null) {
            return times(times(q, times(x, turned(x))), turned(q));
        }
        if (z != null) {
            return times(times(z, times(turned(x), x)), turned(z));
        }
        double sum = 0;
        for (double element : x) {
            sum += element * element;
        }
        return new double[] {sum};
    }

    private double[] turned(double[] x) {
        double[] y = new double[n * n];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                y[j + i * n] = x[i + j * n];
            }
        }
        return y;
    }

    private double[] times(double[] x, double[] y) {
        double[] product = new double[n * n];
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                for (int i = 0; i < n; i++) {
                    product[i + j * n] += x[i + k * n] * y[k + j * n];
                }
            }
        }
        return product;
    }

    private double[] dense(Operand o) {
        double[] x = new double[n * n];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                x[i + j * n] = Trial.get(l.type, o.at(p) + away, i + j * o.ld);
            }
        }
        return x;
    }

    /** Fewer numbers than elements leave zeros behind them. */
    private void put(Operand o, double[] x) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                int e = i + j * n;
                Trial.set(l.type, o.at(p) + away, i + j * o.ld, e < x.length ? x[e] : 0);
            }
        }
    }
}
