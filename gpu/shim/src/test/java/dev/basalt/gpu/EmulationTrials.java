package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Moduli;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/** Random launches of what makes products of 8-bit integers of a product of doubles. */
final class EmulationTrials {
    private static final Set<Kernel> KERNELS =
            EnumSet.of(Kernel.EXPONENTS, Kernel.RESIDUES, Kernel.MODULO, Kernel.FAINT, Kernel.RECONSTRUCT);

    private EmulationTrials() {}

    /** Whether a kernel is of doubles alone. */
    static boolean wide(Kernel kernel) {
        return KERNELS.contains(kernel);
    }

    /** The operands of a launch whose kernel and sizes are there. */
    static void lay(Trial t, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.k = l.n + r.nextInt(3);
        switch (l.kernel) {
            case EXPONENTS -> {
                factor(t, gap, pointers, r);
                t.vector(l.d, ElementType.I32, l.n, 1, pointers);
                flag(t, pointers);
            }
            case RESIDUES -> {
                factor(t, gap, pointers, r);
                l.p = r.nextInt(4) == 0 ? 0 : 49 + r.nextInt(5);
                l.q = 1 << r.nextInt(3);
                // Words of four are written together where they may be.
                long rows = (l.m + 15) / 16 * 16;
                t.matrix(l.c, ElementType.I8, r.nextBoolean() ? rows : l.m + r.nextInt(4),
                        l.k * (l.p == 0 ? 0 : Moduli.COUNT - 1) + l.n, r.nextBoolean() ? 0 : gap, pointers);
                t.vector(l.d, ElementType.I32, l.n, 1, pointers);
                exponents(l, r);
            }
            case MODULO -> {
                l.p = Moduli.number(r.nextInt(Moduli.COUNT));
                t.matrix(l.a, ElementType.I32, l.m, l.n, gap, pointers);
                // No sum of products of remainders is larger.
                integers(l, r, (int) (127 * 127 * Moduli.DEPTH));
                t.matrix(l.c, ElementType.I8, l.m, l.n, r.nextInt(3), pointers);
            }
            case FAINT -> {
                t.matrix(l.a, ElementType.I32, l.m, l.n, gap, pointers);
                l.p = 47 + r.nextInt(7);
                int least = Moduli.least((int) l.p);
                integers(l, r, least);
                // Else there would always be one that is.
                for (long p = 0; p < l.count; p++) {
                    for (long i = 0; i < l.a.span() && r.nextInt(500) != 0; i++) {
                        Memory.i32(l.a.at(p) + 4 * i, least + r.nextInt(100));
                    }
                }
                lines(t, l.b, l.n, pointers, r);
                lines(t, l.d, l.m, pointers, r);
                flag(t, pointers);
            }
            default -> {
                l.p = 49 + r.nextInt(5);
                t.matrix(l.a, ElementType.I8, l.m, l.k * (Moduli.COUNT - 1) + l.n, gap, pointers);
                for (long p = 0; p < l.count; p++) {
                    for (long i = 0; i < l.a.span(); i++) {
                        Memory.i8(l.a.at(p) + i, (byte) r.nextInt());
                    }
                }
                lines(t, l.b, l.n, pointers, r);
                lines(t, l.d, l.m, pointers, r);
                t.matrix(l.c, ElementType.F64, l.m, l.n, r.nextInt(3), pointers);
            }
        }
    }

    /** A flag that blocks raise cannot be the one that holds them up. */
    private static void flag(Trial t, boolean pointers) {
        t.l.guarded = false;
        if (!t.l.e.present()) {
            t.vector(t.l.e, ElementType.I32, 1, 1, pointers);
        }
    }

    /** Elements of all magnitudes, lines of zeros, and now and then what is not finite. */
    private static void factor(Trial t, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean columns = l.opA == Op.NONE;
        t.matrix(l.a, ElementType.F64, columns ? l.m : l.n, columns ? l.n : l.m, gap, pointers);
        double[] specials = {0, -0.0, Double.MIN_VALUE, -0x1p-1030, Double.MAX_VALUE, 1, -0x1.fffffffffffffp-1};
        double[] wrong = {Double.NaN, Double.NEGATIVE_INFINITY};
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                int scale = r.nextInt(2000) - 1000;
                boolean zeros = r.nextInt(8) == 0;
                for (long i = 0; i < l.m; i++) {
                    long at = l.a.at(p) + 8 * (columns ? i + j * l.a.ld : j + i * l.a.ld);
                    double x = Math.scalb(Memory.f64(at), scale - r.nextInt(60));
                    Memory.f64(at, zeros ? 0 : r.nextInt(50) == 0 ? specials[r.nextInt(specials.length)] : x);
                }
            }
            if (r.nextInt(4) == 0) {
                Memory.f64(l.a.at(p), wrong[r.nextInt(2)]);
            }
        }
    }

    /** Those that are right, and some others, which make numbers too large or too small. */
    private static void exponents(Launch l, Random r) {
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                double most = 0;
                for (long i = 0; i < l.m; i++) {
                    long at = l.a.at(p) + 8 * (l.opA == Op.NONE ? i + j * l.a.ld : j + i * l.a.ld);
                    most = Math.max(most, Math.abs(Memory.f64(at)));
                }
                int right = most == 0 ? Kernel.NO_EXPONENT : Math.getExponent(most) + 1;
                Memory.i32(l.d.at(p) + 4 * j, r.nextInt(9) == 0 ? r.nextInt(2048) - 1022 : right);
            }
        }
    }

    private static void integers(Launch l, Random r, int bound) {
        int[] ends = {bound, -bound, 128, -128, 0, -1};
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < l.a.span(); i++) {
                boolean end = r.nextInt(10) == 0;
                Memory.i32(l.a.at(p) + 4 * i,
                        end ? ends[r.nextInt(ends.length)] : r.nextInt(bound) * (r.nextBoolean() ? 1 : -1));
            }
        }
    }

    private static void lines(Trial t, Operand x, long n, boolean pointers, Random r) {
        t.vector(x, ElementType.I32, n, 1, pointers);
        for (long p = 0; p < t.l.count; p++) {
            for (long i = 0; i < n; i++) {
                Memory.i32(x.at(p) + 4 * i, r.nextInt(6) == 0 ? Kernel.NO_EXPONENT : r.nextInt(20) - 10);
            }
        }
    }
}
