package dev.basalt.conformance.every;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;

/** A matrix with all of its elements, real and imaginary parts apart. A vector has one column. */
final class Dense {
    final int rows;
    final int cols;
    final double[] re;
    final double[] im;

    Dense(int rows, int cols) {
        this.rows = rows;
        this.cols = cols;
        this.re = new double[rows * cols];
        this.im = new double[rows * cols];
    }

    int at(int i, int j) {
        return i + j * rows;
    }

    /** What is stored, and zeros. */
    static Dense of(TableCall call, Problem problem, String name) {
        Stored s = call.stored.get(name);
        double[] numbers = problem.arrays().get(name);
        Dense d = new Dense(s.rows(), s.cols());
        for (int e = 0; e < s.at().length; e++) {
            int at = d.at(s.row()[e], s.col()[e]);
            d.re[at] = numbers[s.parts() * s.at()[e]];
            d.im[at] = s.parts() == 2 ? numbers[2 * s.at()[e] + 1] : 0;
        }
        return d;
    }

    /** A triangle with the ones that are not stored. */
    static Dense triangle(TableCall call, Problem problem, String name) {
        Dense d = of(call, problem, name);
        for (int i = 0; call.options.get("diag") == Diag.UNIT && i < d.rows; i++) {
            d.re[d.at(i, i)] = 1;
        }
        return d;
    }

    /** The whole of a symmetric or Hermitian matrix of which one triangle is stored. */
    static Dense full(TableCall call, Problem problem, String name, boolean hermitian) {
        Dense d = of(call, problem, name);
        Stored s = call.stored.get(name);
        for (int e = 0; e < s.at().length; e++) {
            int i = s.row()[e];
            int j = s.col()[e];
            if (i == j) {
                d.im[d.at(i, i)] = hermitian ? 0 : d.im[d.at(i, i)];
            } else {
                d.re[d.at(j, i)] = d.re[d.at(i, j)];
                d.im[d.at(j, i)] = hermitian ? -d.im[d.at(i, j)] : d.im[d.at(i, j)];
            }
        }
        return d;
    }

    Dense op(Op op) {
        if (op == Op.NONE) {
            return this;
        }
        Dense d = new Dense(cols, rows);
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                d.re[d.at(j, i)] = re[at(i, j)];
                d.im[d.at(j, i)] = op == Op.CONJ_TRANS ? -im[at(i, j)] : im[at(i, j)];
            }
        }
        return d;
    }

    /** A column. */
    Dense column(int j) {
        Dense x = new Dense(rows, 1);
        System.arraycopy(re, at(0, j), x.re, 0, rows);
        System.arraycopy(im, at(0, j), x.im, 0, rows);
        return x;
    }

    /** Replaces a column. */
    void column(int j, Dense x) {
        System.arraycopy(x.re, 0, re, at(0, j), rows);
        System.arraycopy(x.im, 0, im, at(0, j), rows);
    }

    Dense times(Dense b) {
        Dense c = new Dense(rows, b.cols);
        for (int j = 0; j < b.cols; j++) {
            for (int l = 0; l < cols; l++) {
                double br = b.re[b.at(l, j)];
                double bi = b.im[b.at(l, j)];
                for (int i = 0; i < rows; i++) {
                    c.re[c.at(i, j)] += re[at(i, l)] * br - im[at(i, l)] * bi;
                    c.im[c.at(i, j)] += re[at(i, l)] * bi + im[at(i, l)] * br;
                }
            }
        }
        return c;
    }

    Dense scaled(double[] by) {
        Dense c = new Dense(rows, cols);
        for (int i = 0; i < re.length; i++) {
            c.re[i] = re[i] * by[0] - im[i] * by[1];
            c.im[i] = re[i] * by[1] + im[i] * by[0];
        }
        return c;
    }

    Dense plus(Dense b) {
        Dense c = new Dense(rows, cols);
        for (int i = 0; i < re.length; i++) {
            c.re[i] = re[i] + b.re[i];
            c.im[i] = im[i] + b.im[i];
        }
        return c;
    }

    /** Puts what is stored of it back. */
    void into(TableCall call, Problem problem, String name, boolean realDiagonal) {
        Stored s = call.stored.get(name);
        double[] numbers = problem.arrays().get(name);
        for (int e = 0; e < s.at().length; e++) {
            int at = at(s.row()[e], s.col()[e]);
            numbers[s.parts() * s.at()[e]] = re[at];
            if (s.parts() == 2) {
                numbers[2 * s.at()[e] + 1] = realDiagonal && s.row()[e] == s.col()[e] ? 0 : im[at];
            }
        }
    }
}
