package dev.basalt.conformance.every;

import dev.basalt.type.Diag;
import dev.basalt.type.Uplo;
import java.util.Arrays;

/** The inverses of diagonal blocks that a solve may bring along. */
final class Inverses {
    private static final int ORDER = 128;

    private Inverses() {}

    /** Fills the operand {@code inv}, if the call has one, from the triangle {@code A}. */
    static void fill(TableCall call, Problem problem) {
        double[] inv = problem.arrays().get("inv");
        if (inv == null || inv.length == 0) {
            return;
        }
        Arrays.fill(inv, 0);
        Dense a = Dense.triangle(call, problem, "A");
        boolean upper = call.uplo() == Uplo.UPPER;
        int parts = call.stored.get("inv").parts();
        for (int first = 0; first < a.rows; first += ORDER) {
            int n = Math.min(ORDER, a.rows - first);
            for (int j = 0; j < n; j++) {
                double[] re = new double[n];
                double[] im = new double[n];
                for (int step = 0; step < n; step++) {
                    int i = upper ? n - 1 - step : step;
                    double sr = i == j ? 1 : 0;
                    double si = 0;
                    for (int l = upper ? i + 1 : 0; l < (upper ? n : i); l++) {
                        int at = a.at(first + i, first + l);
                        sr -= a.re[at] * re[l] - a.im[at] * im[l];
                        si -= a.re[at] * im[l] + a.im[at] * re[l];
                    }
                    int d = a.at(first + i, first + i);
                    double dr = call.options.get("diag") == Diag.UNIT ? 1 : a.re[d];
                    double di = call.options.get("diag") == Diag.UNIT ? 0 : a.im[d];
                    double size = dr * dr + di * di;
                    re[i] = (sr * dr + si * di) / size;
                    im[i] = (si * dr - sr * di) / size;
                    int at = parts * ((first + j) * ORDER + i);
                    inv[at] = call.rounded(re[i]);
                    if (parts == 2) {
                        inv[at + 1] = call.rounded(im[i]);
                    }
                }
            }
        }
    }
}
