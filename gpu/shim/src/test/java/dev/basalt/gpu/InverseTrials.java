package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.util.Random;

/** Random launches of LU without interchanges, of inverses and of interchanges of columns. */
final class InverseTrials {
    private InverseTrials() {}

    /** The operands of a launch whose kernel, type and sizes are there. */
    static void prepare(Trial t, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        switch (l.kernel) {
            case GETF2_NPVT -> {
                l.p = r.nextInt(5);
                l.k = r.nextInt(2);
                l.n = Math.min(l.n, 100);
                dominant(t, gap, pointers);
                if (r.nextInt(3) == 0) {
                    zeroPivot(t, r.nextInt((int) l.n));
                }
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
                if (r.nextInt(4) == 0) {
                    Memory.i32(l.e.at(l.count - 1), 3);
                }
            }
            case GETRI -> {
                l.n = Math.min(l.n, InverseRules.SMALL);
                dominant(t, gap, pointers);
                if (r.nextInt(3) != 0) {
                    pivots(t, pointers, r);
                }
            }
            default -> {
                t.matrix(l.c, l.type, l.m, l.n, gap, pointers);
                pivots(t, pointers, r);
            }
        }
    }

    private static void dominant(Trial t, int gap, boolean pointers) {
        Launch l = t.l;
        int parts = l.type.isComplex() ? 2 : 1;
        t.matrix(l.c, l.type, l.n, l.n, gap, pointers);
        t.weights(l.c, 1.0 / l.n);
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < l.n; i++) {
                long at = parts * i * (l.c.ld + 1);
                Trial.set(l.type, l.c.at(p), at, 2 + Trial.get(l.type, l.c.at(p), at));
            }
        }
    }

    /** A row and its column that are zero up to the diagonal, and so is the pivot there. */
    private static void zeroPivot(Trial t, long at) {
        Launch l = t.l;
        int parts = l.type.isComplex() ? 2 : 1;
        for (long j = 0; j <= at; j++) {
            for (int part = 0; part < parts; part++) {
                Trial.set(l.type, l.c.at(0), parts * (at + j * l.c.ld) + part, 0);
            }
        }
    }

    private static void pivots(Trial t, boolean pointers, Random r) {
        Launch l = t.l;
        t.vector(l.d, ElementType.I64, l.n, 1, pointers);
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < l.n; i++) {
                Memory.i64(l.d.at(p) + 8 * i, i + 1 + r.nextInt((int) (l.n - i)));
            }
            if (r.nextInt(4) == 0) {
                long[] wrong = {0, -1, l.n + 1, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE};
                Memory.i64(l.d.at(p) + 8L * r.nextInt((int) l.n), wrong[r.nextInt(wrong.length)]);
            }
        }
    }
}
