package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;

/** What expert drivers do with right-hand sides and solutions beside the solves, and what they decide: as LAPACK's gesvx and posvx have it. */
final class ExpertKernels {
    private static final int ROWS = 1;
    private static final int COLUMNS = 2;

    private final ScaleKernels scales;

    ExpertKernels(ScaleKernels scales) {
        this.scales = scales;
    }

    void run(Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            if (l.kernel == Kernel.SCALE_ROWS) {
                scale(l, i);
                continue;
            }
            switch ((int) l.p) {
                case Kernel.GIVEN -> given(l, i);
                case Kernel.UNSCALED -> {
                    for (long j = 0; j < 3 && i32(l.e.at(i)) != 0; j++) {
                        store(l.c, i, j, 1);
                    }
                }
                case Kernel.GROWTH -> growth(l, i);
                default -> report(l, i);
            }
        }
    }

    private static double load(Operand o, long problem, long element) {
        return Conversion.load(o.type, o.at(problem) + element * o.type.bytes());
    }

    private static void store(Operand o, long problem, long element, double value) {
        Conversion.store(o.type, o.at(problem) + element * o.type.bytes(), value);
    }

    private void scale(Launch l, long problem) {
        if ((i64(l.f.at(problem)) & l.p) == 0) {
            return;
        }
        RefineLeaf leaf = scales.leaf(l.type);
        for (long j = 0; j < l.n; j++) {
            leaf.multiply(l.m, 1, l.a.at(problem), l.c.at(problem) + j * l.c.ld * l.type.bytes());
        }
    }

    private static void given(Launch l, long problem) {
        long which = i64(l.f.at(problem));
        boolean columns = l.b.present();
        int wrong = which < 0 || which > (columns ? ROWS + COLUMNS : ROWS) ? (int) -l.q : 0;
        double rows = wrong == 0 && (which & ROWS) != 0 ? ratio(l, problem, l.a) : 1;
        wrong = wrong == 0 && rows == 0 ? (int) -l.q - 1 : wrong;
        double cols = wrong == 0 && (which & COLUMNS) != 0 ? ratio(l, problem, l.b) : 1;
        wrong = wrong == 0 && cols == 0 ? (int) -l.q - 2 : wrong;
        store(l.c, problem, 0, rows);
        store(l.c, problem, 1, cols);
        i32(l.e.at(problem), wrong);
    }

    /** The smallest over the largest, 0 if one is not positive. */
    private static double ratio(Launch l, long problem, Operand scale) {
        double safe = ScaleKernels.safe(l.type);
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (long i = 0; i < l.n; i++) {
            least = Math.min(least, load(scale, problem, i));
            most = Math.max(most, load(scale, problem, i));
        }
        return least > 0 ? Math.max(least, safe) / Math.min(most, 1 / safe) : 0;
    }

    private static void growth(Launch l, long problem) {
        int info = i32(l.e.at(problem));
        i32(l.g.at(problem), info);
        if (!l.a.present()) {
            return;
        }
        double before = 0;
        double after = 0;
        for (long i = 0; i < (info > 0 ? info : l.n); i++) {
            before = Math.max(before, f64(l.a.at(problem) + 8 * i));
            after = Math.max(after, f64(l.b.at(problem) + 8 * i));
        }
        ScaleKernels.store(l.d, problem, after == 0 ? 1 : before / after);
    }

    private static void report(Launch l, long problem) {
        ElementType real = l.type.real();
        boolean failed = i32(l.e.at(problem)) != 0;
        boolean scaled = (i64(l.f.at(problem)) & l.q) != 0;
        if (failed) {
            ScaleKernels.store(l.d, problem, 0);
            return;
        }
        for (long j = 0; j < l.k && scaled; j++) {
            store(l.b, problem, j, load(l.b, problem, j) / load(l.a, problem, l.q - 1));
        }
        if (!(ScaleKernels.load(l.d, problem) >= ScaleKernels.eps(real))) {
            i32(l.e.at(problem), (int) (l.n + 1));
        }
    }
}
