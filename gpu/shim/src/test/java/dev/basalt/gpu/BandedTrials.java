package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import java.util.Random;

/** Trials of the kernels of bands and tridiagonal matrices: well conditioned, with pivots that move rows, zeros and pivots that are no rows. */
final class BandedTrials {
    private BandedTrials() {}

    /** Lays the operands out. */
    static void lay(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        switch (l.kernel) {
            case GBTF2 -> gbtf2(t, type, gap, pointers, r);
            case COPY_BAND, UNPIVOT_BAND -> copy(t, type, gap, pointers, r);
            case GBTRS -> gbtrs(t, type, gap, pointers, r);
            default -> tridiagonal(t, type, gap, pointers, r);
        }
    }

    private static void info(Trial t, boolean pointers) {
        if (!t.l.guarded) {
            t.vector(t.l.e, ElementType.I32, 1, 1, pointers);
        }
    }

    private static void gbtf2(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.p = r.nextInt(5);
        long kl = r.nextInt(r.nextBoolean() ? 4 : 40);
        t.band(l.c, type, l.m, l.n, kl, kl + r.nextInt(r.nextBoolean() ? 4 : 40), gap, pointers);
        heavyDiagonal(t, l.c, r.nextInt(3) == 0 ? -1 : 0, type);
        if (r.nextInt(4) == 0) {
            clearColumn(l, r.nextInt((int) Math.min(l.m, l.n)));
        }
        t.vector(l.d, ElementType.I64, Math.min(l.m, l.n), 1, pointers);
        info(t, pointers);
    }

    /** Makes a diagonal of a band larger than the rest together; it lies so many places above the main one. */
    private static void heavyDiagonal(Trial t, Operand band, long above, ElementType type) {
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < t.l.count; p++) {
            for (long j = 0; j < band.cols; j++) {
                for (long i = Math.max(0, j - band.ku); i <= Math.min(band.rows - 1, j + band.kl); i++) {
                    for (int q = 0; q < parts; q++) {
                        long e = parts * (i + j * (band.ld - 1)) + q;
                        double x = Trial.get(type, band.origin(p), e) / (band.kl + band.ku + 1);
                        Trial.set(type, band.origin(p), e, j - i == above && q == 0 ? 2 + x : x);
                    }
                }
            }
        }
    }

    private static void clearColumn(Launch l, long j) {
        int parts = l.type.isComplex() ? 2 : 1;
        long first = Math.max(0, j - l.c.ku);
        long end = Math.min(l.m, j + l.c.kl + 1);
        for (long e = parts * first; e < parts * end; e++) {
            Trial.set(l.type, l.c.origin(0), e + parts * j * (l.c.ld - 1), 0);
        }
    }

    private static void copy(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean reads = l.kernel.writes(2) && !l.kernel.writes(0) && r.nextBoolean();
        long row = r.nextInt(5);
        long col = r.nextInt(60);
        Operand band = t.band(new Operand(), type, row + l.m, col + l.n, r.nextInt(50), r.nextInt(50), gap, pointers);
        t.matrix(reads ? l.c : l.a, type, l.m, l.n, r.nextInt(3), pointers);
        (reads ? l.a : l.c).block(band, row, col, l.m, l.n);
        l.k = r.nextInt(3);
        t.vector(l.d, ElementType.I64, Math.min(l.m, l.n), 1, pointers);
        pivots(l, l.d.rows, l.m, l.m);
    }

    /** Each row changes places with itself or a later one. */
    private static void pivots(Launch l, long count, long rows, long reach) {
        Random r = new Random(count);
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < count; i++) {
                Memory.i64(l.d.at(p) + 8 * i, l.k + i + 1 + r.nextInt((int) Math.min(rows - i, reach + 1)));
            }
        }
    }

    private static void gbtrs(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.m = 1 + r.nextInt(12);
        l.k = 0;
        long kl = r.nextInt(r.nextBoolean() ? 3 : 40);
        t.band(l.a, type, l.n, l.n, kl, kl + r.nextInt(r.nextBoolean() ? 3 : 40), gap, pointers);
        heavyDiagonal(t, l.a, 0, type);
        t.matrix(l.c, type, l.n, l.m, r.nextInt(3), pointers);
        t.vector(l.d, ElementType.I64, l.n, 1, pointers);
        pivots(l, l.n, l.n, kl);
        if (r.nextInt(3) == 0) {
            long[] wrong = {0, -1, l.n + 1, Long.MIN_VALUE, Long.MAX_VALUE};
            Memory.i64(l.d.at(0) + 8L * r.nextInt((int) l.n), wrong[r.nextInt(wrong.length)]);
        }
    }

    private static void tridiagonal(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.m = 1 + r.nextInt(5);
        l.p = l.kernel.writes(4) ? r.nextInt(3) : 0;
        boolean free = l.kernel == Kernel.GTSV;
        // Elements one after the other and one right-hand side: systems that threads share in shared memory.
        boolean held = free && r.nextInt(3) != 0;
        l.n = held && r.nextBoolean() ? 40 + r.nextInt(660) : l.n;
        l.m = held ? 1 : l.m;
        Operand above = l.kernel == Kernel.GTTRF ? l.c : l.f;
        Operand second = l.kernel == Kernel.GTTRF ? l.f : l.g;
        t.vector(l.a, type, Math.max(0, l.n - 1), free && !held ? inc(r) : 1, pointers);
        t.vector(l.b, type, l.n, free && !held ? inc(r) : 1, pointers);
        t.vector(above, type, Math.max(0, l.n - 1), free && !held ? inc(r) : 1, pointers);
        if (!free) {
            t.vector(second, type, Math.max(0, l.n - 2), 1, pointers);
        }
        if (l.kernel.writes(4)) {
            info(t, pointers);
        }
        if (!free) {
            t.vector(l.d, ElementType.I64, l.n, 1, pointers);
        }
        if (l.kernel == Kernel.GTTRS) {
            l.k = 0;
            pivots(l, l.n, l.n, 1);
        }
        if (l.kernel != Kernel.GTTRF) {
            if (free && r.nextBoolean()) {
                l.m = 1;
                t.vector(l.c, type, l.n, held ? 1 : inc(r), pointers);
            } else {
                t.matrix(l.c, type, l.n, l.m, gap, pointers);
            }
        }
        for (long p = 0; p < l.count; p++) {
            condition(l, p, above, l.kernel == Kernel.GTTRS ? second : null, r);
            if (held) {
                special(l, p, r.nextInt(6), r);
            }
        }
    }

    private static long inc(Random r) {
        return (1 + r.nextInt(3)) * (r.nextBoolean() ? 1 : -1);
    }

    /** Large elements on the main diagonal, or, of a matrix that is to be factored, beside it in pairs of rows. */
    private static void condition(Launch l, long p, Operand above, Operand second, Random r) {
        boolean factored = second != null;
        for (long i = 0; i < l.n; i++) {
            boolean pair = !factored && i + 1 < l.n && r.nextInt(3) == 0;
            put(l.b, p, i, !pair);
            if (i + 1 < l.n) {
                put(l.a, p, i, pair);
                put(above, p, i, pair);
            }
            if (factored && i + 2 < l.n) {
                put(second, p, i, false);
            }
            if (pair) {
                i++;
                put(l.b, p, i, false);
                if (i + 1 < l.n) {
                    put(l.a, p, i, false);
                    put(above, p, i, false);
                }
            }
        }
        if (!factored && r.nextInt(4) == 0) {
            zero(l.b, p, 0);
            if (l.n > 1) {
                zero(l.a, p, 0);
            }
        }
    }

    /** What an elimination does not soon forget, what only exchanges of rows solve, very different sizes, and no solution. */
    private static void special(Launch l, long p, int kind, Random r) {
        for (long i = 0; i < l.n; i++) {
            boolean last = i == l.n - 1;
            switch (kind) {
                case 0 -> fixed(l, p, i, -1, 2, -1);
                // Pairs of rows that change places.
                case 1 -> fixed(l, p, i, i % 2 == 0 ? 2 : 0.25, last && i % 2 == 0 ? 1 : 0, i % 2 == 0 ? 2 : 0.25);
                case 2 -> {
                    double size = Math.pow(2, i % 40 - 20);
                    fixed(l, p, i, size * (r.nextDouble() - 0.5), size * (2 + r.nextDouble()), size * r.nextDouble());
                }
                default -> {
                    // As it is.
                }
            }
        }
        if (kind == 3) {
            long hole = r.nextInt((int) l.n);
            zero(l.b, p, hole);
            if (hole < l.n - 1) {
                zero(l.a, p, hole);
            }
            if (hole > 0) {
                zero(l.f, p, hole - 1);
            }
        }
    }

    private static void fixed(Launch l, long p, long i, double below, double on, double above) {
        real(l.b, p, i, on);
        if (i < l.n - 1) {
            real(l.a, p, i, below);
            real(l.f, p, i, above);
        }
    }

    private static void real(Operand o, long p, long i, double x) {
        zero(o, p, i);
        Trial.set(o.type, o.first(p), (o.type.isComplex() ? 2 : 1) * i * o.ld, x);
    }

    private static void put(Operand o, long p, long i, boolean large) {
        int parts = o.type.isComplex() ? 2 : 1;
        for (int q = 0; q < parts; q++) {
            long e = parts * i * o.ld + q;
            double x = Trial.get(o.type, o.first(p), e) / 4;
            Trial.set(o.type, o.first(p), e, large && q == 0 ? 2 + x : x);
        }
    }

    private static void zero(Operand o, long p, long i) {
        int parts = o.type.isComplex() ? 2 : 1;
        for (int q = 0; q < parts; q++) {
            Trial.set(o.type, o.first(p), parts * i * o.ld + q, 0);
        }
    }
}
