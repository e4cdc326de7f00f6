package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Random launches of what refines a solution. */
final class RefinementTrials {
    private RefinementTrials() {}

    /** The operands of a launch whose kernel, type and sizes are there. */
    static void prepare(Trial t, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        if (!l.e.present()) {
            t.vector(l.e, ElementType.I32, 1, 1, pointers);
        }
        switch (l.kernel) {
            case CONVERT, CONVERT_TRIANGLE -> conversion(t, gap, pointers, r);
            case ROW_SUMS, SYMMETRIC_SUMS -> {
                boolean symmetric = l.kernel == Kernel.SYMMETRIC_SUMS;
                long m = symmetric ? l.n : l.m;
                t.matrix(l.a, l.type, m, l.n, gap, pointers);
                if (symmetric) {
                    unread(t, l.a);
                }
                t.vector(l.c, l.type.real(), m, 1, pointers);
                if (!symmetric && r.nextBoolean()) {
                    scales(t, l.b, l.n, pointers);
                }
            }
            case FGMRES -> GmresTrials.prepare(t, gap, pointers, r);
            case CONVERGED -> solution(t, gap, pointers, r);
            default -> {
                l.p = r.nextInt(4);
                l.guarded = false;
                t.vector(l.f, l.p < 2 ? ElementType.I64 : ElementType.I32, 1, 1, pointers);
                int[] states = {0, 3, Kernel.OVERFLOWN, -31, Kernel.REFINED};
                for (long p = 0; p < l.count; p++) {
                    Memory.i32(l.e.at(p), states[r.nextInt(states.length)]);
                    Memory.i32(l.f.at(p), states[r.nextInt(states.length)]);
                }
            }
        }
    }

    private static void conversion(Trial t, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean triangle = l.kernel == Kernel.CONVERT_TRIANGLE;
        l.m = triangle ? l.n : l.m;
        l.p = Kernel.OVERFLOWN;
        t.matrix(l.a, other(l.type), l.m, l.n, gap, pointers);
        t.matrix(l.c, l.type, l.m, l.n, 2 - gap, pointers);
        if (!triangle && r.nextBoolean()) {
            scales(t, l.b, l.m, pointers);
        }
        if (!triangle && r.nextBoolean()) {
            scales(t, l.d, l.n, pointers);
        }
        // A guarded problem may be left alone from where another part has found such a number.
        if (!l.guarded && r.nextBoolean()) {
            double[] large = {1e300, -1e300, Double.POSITIVE_INFINITY, Double.NaN, Float.MAX_VALUE, 1e-300};
            long n = r.nextInt((int) l.n);
            Trial.set(l.a.type, l.a.at(0),
                    (l.type.isComplex() ? 2 : 1) * n * (l.a.ld + 1) % Math.max(1, l.a.spanBytes() / 8),
                    large[r.nextInt(large.length)]);
        }
    }

    /** Positive numbers. */
    static void scales(Trial t, Operand x, long n, boolean pointers) {
        t.vector(x, ElementType.F64, n, 1, pointers);
        for (long p = 0; p < t.l.count; p++) {
            for (long i = 0; i < n; i++) {
                Memory.f64(x.at(p) + 8 * i, 0.5 + Math.abs(Memory.f64(x.at(p) + 8 * i)));
            }
        }
    }

    private static ElementType other(ElementType type) {
        return switch (type) {
            case F32 -> ElementType.F64;
            case F64 -> ElementType.F32;
            case C32 -> ElementType.C64;
            default -> ElementType.C32;
        };
    }

    private static void solution(Trial t, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.guarded = true;
        l.p = r.nextInt(31);
        l.q = r.nextInt(2) * -31;
        t.vector(l.a, ElementType.F64, l.n, 1, pointers);
        // Sums of absolute values are not negative.
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < l.n; i++) {
                Memory.f64(l.a.at(p) + 8 * i, Math.abs(Memory.f64(l.a.at(p) + 8 * i)));
            }
        }
        t.matrix(l.b, l.type, l.n, l.k, gap, pointers);
        t.matrix(l.c, l.type, l.n, l.k, gap, pointers);
        t.vector(l.f, ElementType.I64, 1, 1, pointers);
        if (r.nextBoolean()) {
            t.weights(l.b, 1e-17 * r.nextDouble());
        }
        Operand some = r.nextBoolean() ? l.b : r.nextBoolean() ? l.c : l.a;
        if (some.cols > 0 && r.nextInt(3) == 0) {
            Trial.set(some.type, some.at(0), 0, Double.NaN);
        }
    }

    /** NaN in the other triangle. */
    private static void unread(Trial t, Operand a) {
        int parts = a.type.isComplex() ? 2 : 1;
        boolean lower = t.l.uplo == Uplo.LOWER;
        for (long p = 0; p < t.l.count; p++) {
            for (long j = 0; j < a.cols; j++) {
                for (long i = lower ? 0 : j + 1; i < (lower ? j : a.rows); i++) {
                    Trial.set(a.type, a.at(p), parts * (i + j * a.ld), Double.NaN);
                }
            }
        }
    }
}
