package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Structure;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Error bounds of solutions and the steps of iterative refinement, as LAPACK's gerfs has them (Arioli, Demmel and Duff, 1989). */
final class RefineKernels {
    /** Corrections at most. */
    private static final int MOST = 5;

    private final ScaleKernels scales;

    RefineKernels(ScaleKernels scales) {
        this.scales = scales;
    }

    void run(Launch l, long from, long to) {
        RefineLeaf leaf = scales.leaf(l.type);
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            if (l.kernel == Kernel.GEMV_ABS) {
                product(l, i, leaf);
                continue;
            }
            switch ((int) l.p) {
                case Kernel.BACKWARD -> backward(l, i, leaf);
                case Kernel.CORRECT -> correct(l, i, leaf);
                case Kernel.BOUND -> bound(l, i, leaf);
                case Kernel.WEIGH -> leaf.multiply(l.n, 1, l.b.at(i), l.c.at(i));
                default -> forward(l, i, leaf);
            }
        }
    }

    private static void product(Launch l, long problem, RefineLeaf leaf) {
        long bytes = l.type.bytes();
        long real = l.type.real().bytes();
        boolean symmetric = l.structure != Structure.TRIANGULAR;
        long a = l.a.at(problem);
        for (long r = 0; r < l.n; r++) {
            long x = l.b.at(problem) + r * l.b.ld * bytes;
            long w = l.d.at(problem) + r * l.d.ld * real;
            Memory.fill(w, l.m * real, (byte) 0);
            leaf.addAbs(l.m, 1, l.c.at(problem) + r * l.c.ld * bytes, w);
            for (long j = 0; j < l.m; j++) {
                long column = a + j * l.a.ld * bytes;
                if (symmetric) {
                    long first = l.uplo == Uplo.UPPER ? 0 : j + 1;
                    long rows = l.uplo == Uplo.UPPER ? j : l.m - j - 1;
                    leaf.addAbs(rows, leaf.abs(x + j * bytes), column + first * bytes, w + first * real);
                    double main = l.structure == Structure.HERMITIAN
                            ? Math.abs(Conversion.load(l.type.real(), column + j * bytes))
                            : leaf.abs(column + j * bytes);
                    add(l, w + j * real, leaf.dotAbs(rows, column + first * bytes, x + first * bytes)
                            + main * leaf.abs(x + j * bytes));
                } else if (l.opA == Op.NONE) {
                    leaf.addAbs(l.m, leaf.abs(x + j * bytes), column, w);
                } else {
                    add(l, w + j * real, leaf.dotAbs(l.m, column, x));
                }
            }
        }
    }

    private static void add(Launch l, long w, double value) {
        ElementType real = l.type.real();
        Conversion.store(real, w, Conversion.load(real, w) + value);
    }

    /** (n + 1) times the smallest number: what may have underflowed in a sum. */
    private static double safe(Launch l) {
        return (l.n + 1) * ScaleKernels.safe(l.type);
    }

    private static void backward(Launch l, long problem, RefineLeaf leaf) {
        ElementType real = l.type.real();
        double safe = safe(l);
        double eps = ScaleKernels.eps(l.type);
        boolean done = true;
        for (long r = 0; r < l.k; r++) {
            long state = l.f.at(problem) + r * real.bytes();
            double before = l.q == 1 ? 3 : Conversion.load(real, state);
            if (before < 0) {
                continue;
            }
            double error = 0;
            for (long i = 0; i < l.n; i++) {
                double residual = leaf.abs(l.a.at(problem) + (i + r * l.a.ld) * l.type.bytes());
                double w = Conversion.load(real, l.b.at(problem) + (i + r * l.b.ld) * real.bytes());
                error = Math.max(error, w > safe / eps ? residual / w : (residual + safe) / (w + safe));
            }
            Conversion.store(real, l.d.at(problem) + r * real.bytes(), error);
            boolean more = error > eps && 2 * error <= before && l.q <= MOST;
            Conversion.store(real, state, more ? error : -1);
            done &= !more;
        }
        i32(l.e.at(problem), done ? 1 : 0);
    }

    private static void correct(Launch l, long problem, RefineLeaf leaf) {
        ElementType real = l.type.real();
        for (long r = 0; r < l.k; r++) {
            if (!(Conversion.load(real, l.f.at(problem) + r * real.bytes()) < 0)) {
                leaf.leaf()
                        .axpy(l.n, 1, 0, l.a.at(problem) + r * l.a.ld * l.type.bytes(), 1,
                                l.c.at(problem) + r * l.c.ld * l.type.bytes(), 1);
            }
        }
    }

    private static void bound(Launch l, long problem, RefineLeaf leaf) {
        ElementType real = l.type.real();
        double safe = safe(l);
        double eps = ScaleKernels.eps(l.type);
        for (long r = 0; r < l.k; r++) {
            for (long i = 0; i < l.n; i++) {
                long at = l.b.at(problem) + (i + r * l.b.ld) * real.bytes();
                double w = Conversion.load(real, at);
                double most = leaf.abs(l.a.at(problem) + (i + r * l.a.ld) * l.type.bytes()) + (l.n + 1) * eps * w;
                Conversion.store(real, at, w > safe / eps ? most : most + safe);
            }
        }
    }

    private static void forward(Launch l, long problem, RefineLeaf leaf) {
        double largest = 0;
        for (long i = 0; i < l.n; i++) {
            largest = Math.max(largest, leaf.abs(l.c.at(problem) + i * l.type.bytes()));
        }
        if (largest != 0) {
            ScaleKernels.store(l.d, problem, ScaleKernels.load(l.d, problem) / largest);
        }
    }
}
