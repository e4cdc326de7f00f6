package dev.basalt.conformance.every;

import dev.basalt.type.Eform;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Generalised symmetric eigenproblems, made standard ones by their definition. */
final class Generalised {
    private Generalised() {}

    static boolean is(TableCall call) {
        return call.family().matches("(sy|he)gvd?[jx]?");
    }

    static Dense b(TableCall call, Problem p) {
        return Dense.full(call, p, "B", call.type.isComplex());
    }

    /** L with L·Lᴴ = B, column by column. */
    static Dense cholesky(Dense b) {
        int n = b.rows;
        Dense l = new Dense(n, n);
        for (int j = 0; j < n; j++) {
            for (int i = j; i < n; i++) {
                double re = b.re[b.at(i, j)];
                double im = b.im[b.at(i, j)];
                for (int k = 0; k < j; k++) {
                    double xr = l.re[l.at(i, k)];
                    double xi = l.im[l.at(i, k)];
                    double yr = l.re[l.at(j, k)];
                    double yi = -l.im[l.at(j, k)];
                    re -= xr * yr - xi * yi;
                    im -= xr * yi + xi * yr;
                }
                double by = i == j ? Math.sqrt(re) : l.re[l.at(j, j)];
                l.re[l.at(i, j)] = re / by;
                l.im[l.at(i, j)] = i == j ? 0 : im / by;
            }
        }
        return l;
    }

    /** L⁻¹·A. */
    static Dense solve(Dense l, Dense a) {
        Dense x = new Dense(a.rows, a.cols);
        for (int j = 0; j < a.cols; j++) {
            for (int i = 0; i < a.rows; i++) {
                double re = a.re[a.at(i, j)];
                double im = a.im[a.at(i, j)];
                for (int k = 0; k < i; k++) {
                    double xr = l.re[l.at(i, k)];
                    double xi = l.im[l.at(i, k)];
                    re -= xr * x.re[x.at(k, j)] - xi * x.im[x.at(k, j)];
                    im -= xr * x.im[x.at(k, j)] + xi * x.re[x.at(k, j)];
                }
                x.re[x.at(i, j)] = re / l.re[l.at(i, i)];
                x.im[x.at(i, j)] = im / l.re[l.at(i, i)];
            }
        }
        return x;
    }

    /** The matrix of the standard problem: L⁻¹·A·L⁻ᴴ or Lᴴ·A·L. */
    static Dense standard(TableCall call, Problem p) {
        Dense l = cholesky(b(call, p));
        Dense a = Reduction.symmetric(call, p);
        return call.options.get("itype") == Eform.AX
                ? solve(l, solve(l, a).op(Op.CONJ_TRANS))
                : l.op(Op.CONJ_TRANS).times(a).times(l);
    }

    /** B becomes its factor. */
    static void factor(TableCall call, Problem p) {
        Dense l = cholesky(b(call, p));
        (call.uplo() == Uplo.LOWER ? l : l.op(Op.CONJ_TRANS)).into(call, p, "B", false);
    }

    /** The vectors z, and z times the eigenvalues, solve the problem, and are orthonormal by B or its inverse. */
    static void check(TableCall call, Problem before, Dense z, Dense scaled, Dense one, double unit) {
        Dense a = Reduction.symmetric(call, before);
        Dense b = b(call, before);
        Dense zh = z.op(Op.CONJ_TRANS);
        switch ((Eform) call.options.get("itype")) {
            case AX -> Spectral.near(call, a.times(z), b.times(scaled), unit);
            case ABX -> Spectral.near(call, a.times(b.times(z)), scaled, unit);
            case BAX -> Spectral.near(call, b.times(a.times(z)), scaled, unit);
        }
        if (call.options.get("itype") == Eform.BAX) {
            Spectral.near(call, z.times(zh), b, unit);
        } else {
            Spectral.near(call, zh.times(b.times(z)), one, unit);
        }
    }
}
