package dev.basalt.portable;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Semiring;
import dev.basalt.type.Op;

/** Kernels of mixed types without scratch: every element is converted by itself, and sums are in double. */
final class MixedSingly {
    private MixedSingly() {}

    /** Runs one problem. */
    static void run(Launch l, long i) {
        switch (l.kernel) {
            case GEMM -> gemm(l, i);
            case GEAM_EX -> semiring(l, i);
            case GEMV -> gemv(l, i);
            case DOT, NRM2 -> reduction(l, i);
            default -> vectors(l, i);
        }
    }

    private static double at(Operand x, long address) {
        return Conversion.load(x.type, address);
    }

    private static long step(Operand v) {
        return v.ld * v.type.bytes();
    }

    private static void vectors(Launch l, long i) {
        boolean two = l.a.present() && l.kernel.reads(0);
        double alpha = l.alpha.re();
        if (l.kernel.skips(0, l) || two && alpha == 0 && !l.kernel.writes(0)) {
            return;
        }
        double beta = l.kernel == Kernel.ROT ? l.beta.re() : 0;
        long x = two ? l.a.first(i) : 0;
        long y = l.c.first(i);
        for (long e = 0; e < l.n(i); e++, y += step(l.c), x += two ? step(l.a) : 0) {
            double v = at(l.c, y);
            double u = two ? at(l.a, x) : 0;
            switch (l.kernel) {
                case AXPY -> Conversion.store(l.c.type, y, alpha * u + v);
                case SCAL -> Conversion.store(l.c.type, y, alpha * v);
                default -> {
                    Conversion.store(l.a.type, x, alpha * u + beta * v);
                    Conversion.store(l.c.type, y, alpha * v - beta * u);
                }
            }
        }
    }

    private static void reduction(Launch l, long i) {
        boolean norm = !l.kernel.reads(1);
        Operand other = norm ? l.a : l.b;
        long n = l.n(i);
        long x = n > 0 ? l.a.first(i) : 0;
        long y = n > 0 ? other.first(i) : 0;
        double sum = 0;
        for (long e = 0; e < n; e++, x += step(l.a), y += step(other)) {
            sum += at(l.a, x) * at(other, y);
        }
        Conversion.store(l.d.type, l.d.at(i), norm ? Math.sqrt(sum) : sum);
    }

    private static void gemv(Launch l, long i) {
        boolean plain = l.opA == Op.NONE;
        long bytes = l.a.type.bytes();
        product(l, i, plain ? l.m(i) : l.n(i), 1, plain ? l.n(i) : l.m(i), plain ? bytes : l.a.ld * bytes,
                plain ? l.a.ld * bytes : bytes, l.b.first(i), step(l.b), 0, l.c.first(i), step(l.c), 0);
    }

    private static void gemm(Launch l, long i) {
        boolean plainA = l.opA == Op.NONE;
        boolean plainB = l.opB == Op.NONE;
        long da = l.a.type.bytes();
        long db = l.b.type.bytes();
        product(l, i, l.m(i), l.n(i), l.k(i), plainA ? da : l.a.ld * da, plainA ? l.a.ld * da : da, l.b.at(i),
                plainB ? db : l.b.ld * db, plainB ? l.b.ld * db : db, l.c.at(i), l.c.type.bytes(), step(l.c));
    }

    private static void semiring(Launch l, long problem) {
        boolean smallest = l.semiring == Semiring.MIN_PLUS;
        long da = l.a.type.bytes();
        long db = l.b.type.bytes();
        long ai = l.opA == Op.NONE ? da : step(l.a);
        long al = l.opA == Op.NONE ? step(l.a) : da;
        long bl = l.opB == Op.NONE ? db : step(l.b);
        long bj = l.opB == Op.NONE ? step(l.b) : db;
        double alpha = l.alpha.re();
        double beta = l.beta.re();
        long a = alpha == 0 ? 0 : l.a.at(problem);
        long b = alpha == 0 ? 0 : l.b.at(problem);
        long c = beta == 0 ? 0 : l.c.at(problem);
        for (long j = 0; j < l.n(problem); j++) {
            for (long i = 0; i < l.m(problem); i++) {
                double v = beta == 0 ? 0 : beta * at(l.c, c + i * l.c.type.bytes() + j * step(l.c));
                for (long p = 0; p < l.k(problem); p++) {
                    double x = alpha == 0 ? 0 : alpha * at(l.a, a + i * ai + p * al);
                    double y = alpha == 0 ? 0 : alpha * at(l.b, b + p * bl + j * bj);
                    v = smallest ? Math.min(v, x + y) : v + Math.min(x, y);
                }
                Conversion.store(l.d.type, l.d.at(problem) + i * l.d.type.bytes() + j * step(l.d), v);
            }
        }
    }

    /** C := alpha·A·B + beta·C, where each operand has the bytes between its rows and between its columns. */
    private static void product(Launch l, long problem, long m, long n, long k, long ai, long al, long b, long bl,
            long bj, long c, long ci, long cj) {
        double alpha = l.alpha.re();
        double beta = l.beta.re();
        long depth = alpha == 0 ? 0 : k;
        long a = depth > 0 ? l.a.at(problem) : 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i < m; i++) {
                double sum = 0;
                for (long p = 0; p < depth; p++) {
                    sum += at(l.a, a + i * ai + p * al) * at(l.b, b + p * bl + j * bj);
                }
                long to = c + i * ci + j * cj;
                Conversion.store(l.c.type, to, alpha * sum + (beta == 0 ? 0 : beta * at(l.c, to)));
            }
        }
    }
}
