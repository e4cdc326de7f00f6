package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.ElementType;
import java.util.Random;

/** Operands of scales, and of the steps of iterative refinement. */
final class RefineTrials {
    private RefineTrials() {}

    static void lay(Trial t, ElementType type, int gap, boolean pointers) {
        Launch l = t.l;
        Random r = t.random;
        ElementType real = type.real();
        l.structure = Structure.values()[r.nextInt(3)];
        switch (l.kernel) {
            case GEEQU -> {
                l.guarded = false;
                t.matrix(l.a, type, l.m, l.n, gap, pointers);
                zeros(l, type, r);
                t.vector(l.b, real, l.m, 1, pointers);
                t.vector(l.d, real, l.n, 1, pointers);
                numbers(t, real, l.c, l.f, l.g);
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
            }
            case POEQU -> {
                l.guarded = false;
                t.matrix(l.a, type, l.n, l.n, gap, pointers);
                t.triangle(l.a, l.n, true, false, true);
                if (r.nextInt(4) == 0) {
                    long at = r.nextInt((int) l.n) * (l.a.ld + 1) * (type.isComplex() ? 2 : 1);
                    Trial.set(type, l.a.at(0), at, r.nextBoolean() ? -1 : Double.NaN);
                }
                t.vector(l.b, real, l.n, 1, pointers);
                numbers(t, real, l.c, l.f);
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
            }
            case LAQGE -> {
                l.guarded = false;
                l.n = l.structure == Structure.TRIANGULAR ? l.n : l.m;
                t.vector(l.a, real, l.m, 1, pointers);
                t.vector(l.b, real, l.n, 1, pointers);
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                numbers(t, real, l.d, l.f, l.g);
                t.vector(l.e, ElementType.I64, 1, 1, pointers);
                for (long p = 0; p < l.count; p++) {
                    Trial.set(real, l.d.at(p), 0, r.nextBoolean() ? 0.5 : 0.01);
                    Trial.set(real, l.f.at(p), 0, r.nextBoolean() ? 0.5 : 0.01);
                    Trial.set(real, l.g.at(p), 0, r.nextInt(4) == 0 ? 1e-36 : 1);
                }
            }
            case GEMV_ABS -> {
                t.matrix(l.a, type, l.m, l.m, gap, pointers);
                t.matrix(l.b, type, l.m, l.n, gap, pointers);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
                t.matrix(l.d, real, l.m, l.n, 0, false);
            }
            case SCALE_ROWS -> {
                t.vector(l.a, real, l.m, 1, pointers);
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                equed(t, r);
                l.p = 1 + r.nextInt(2);
            }
            case GESVX -> decision(t, real, r);
            default -> step(t, type, gap, r);
        }
    }

    private static void numbers(Trial t, ElementType real, Operand... operands) {
        for (Operand o : operands) {
            t.vector(o, real, 1, 1, false);
        }
    }

    private static void equed(Trial t, Random r) {
        t.vector(t.l.f, ElementType.I64, 1, 1, false);
        for (long p = 0; p < t.l.count; p++) {
            Memory.i64(t.l.f.at(p), r.nextInt(8) == 0 ? 4 : r.nextInt(4));
        }
    }

    /** What an expert driver decides. */
    private static void decision(Trial t, ElementType real, Random r) {
        Launch l = t.l;
        l.guarded = false;
        l.p = r.nextInt(Kernel.REPORT + 1);
        l.q = l.p == Kernel.GIVEN ? 10 : 1 + r.nextInt(2);
        l.k = 1 + r.nextInt(4);
        boolean growth = l.p == Kernel.GROWTH;
        boolean both = r.nextBoolean();
        if (!growth || both) {
            positive(t, l.a, growth ? ElementType.F64 : real, growth || l.p == Kernel.GIVEN ? l.n : 2, r);
        }
        if (l.p == Kernel.REPORT || both) {
            positive(t, l.b, growth ? ElementType.F64 : real, l.p == Kernel.REPORT ? l.k : l.n, r);
        }
        t.vector(l.c, real, Math.max(3, l.k), 1, false);
        t.vector(l.d, real, 1, 1, false);
        t.vector(l.e, ElementType.I32, 1, 1, false);
        t.vector(l.g, ElementType.I32, 1, 1, false);
        equed(t, r);
        for (long p = 0; p < l.count; p++) {
            Memory.i32(l.e.at(p), r.nextBoolean() ? 0 : l.p == Kernel.GROWTH ? 1 + r.nextInt((int) l.n) : 1);
            Trial.set(real, l.d.at(p), 0, r.nextBoolean() ? 0.5 : r.nextBoolean() ? 1e-30 : Double.NaN);
        }
    }

    /** Scales or maxima, of which one may be no scale. */
    private static void positive(Trial t, Operand o, ElementType element, long n, Random r) {
        t.vector(o, element, n, 1, false);
        for (long p = 0; p < t.l.count; p++) {
            for (long i = 0; i < n; i++) {
                Trial.set(element, o.at(p), i, 0.25 + r.nextDouble());
            }
            if (r.nextInt(6) == 0) {
                Trial.set(element, o.at(p), r.nextInt((int) n), r.nextBoolean() ? 0 : Double.NaN);
            }
        }
    }

    /** A row or a column of zeros, sometimes. */
    private static void zeros(Launch l, ElementType type, Random r) {
        int parts = type.isComplex() ? 2 : 1;
        int which = r.nextInt(6);
        long at = which == 0 ? r.nextInt((int) l.m) : r.nextInt((int) l.n);
        for (long j = 0; j < l.n && which < 2; j++) {
            for (long i = 0; i < l.m; i++) {
                for (int part = 0; part < parts && (which == 0 ? i : j) == at; part++) {
                    Trial.set(type, l.a.at(l.count - 1), parts * (i + j * l.a.ld) + part, 0);
                }
            }
        }
    }

    private static void step(Trial t, ElementType type, int gap, Random r) {
        Launch l = t.l;
        ElementType real = type.real();
        l.guarded = false;
        l.p = r.nextInt(Kernel.FORWARD + 1);
        l.q = 1 + r.nextInt(6);
        l.k = 1 + r.nextInt(4);
        t.matrix(l.a, type, l.n, l.k, gap, false);
        t.matrix(l.b, real, l.n, l.k, 0, false);
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < l.n * l.k; i++) {
                Trial.set(real, l.b.at(p), i, r.nextInt(9) == 0 ? 0 : 1 + r.nextDouble());
            }
        }
        t.matrix(l.c, type, l.n, l.k, gap, false);
        t.vector(l.d, real, l.k, 1, false);
        t.vector(l.f, real, l.k, 1, false);
        t.vector(l.e, ElementType.I32, 1, 1, false);
        for (long p = 0; p < l.count; p++) {
            Memory.i32(l.e.at(p), r.nextInt(2));
        }
    }
}
