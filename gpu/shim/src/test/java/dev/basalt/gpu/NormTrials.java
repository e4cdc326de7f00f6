package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;
import dev.basalt.type.Region;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Operands of norms, of parts of matrices, and of the steps of a condition estimate. */
final class NormTrials {
    private NormTrials() {}

    static void lay(Trial t, ElementType type, int gap, boolean pointers) {
        Launch l = t.l;
        Random r = t.random;
        l.norm = Norm.values()[r.nextInt(4)];
        l.region = Region.values()[r.nextInt(3)];
        ElementType real = type.real();
        switch (l.kernel) {
            case NORM, NORM_LINES -> {
                shape(l, r);
                t.matrix(l.a, type, l.m, l.n, gap, pointers);
                odd(l, l.a, l.a.spanBytes() / type.bytes(), r);
                long lines = l.norm == Norm.INF && l.structure == Structure.TRIANGULAR ? l.m : l.n;
                if (l.kernel == Kernel.NORM) {
                    t.vector(l.d, real, 1, 1, pointers);
                } else {
                    t.vector(l.b, ElementType.F64, lines, 1, false);
                }
            }
            case NORM_TRIDIAGONAL -> {
                t.vector(l.a, real, l.n, 1, pointers);
                t.vector(l.c, type, Math.max(0, l.n - 1), 1, pointers);
                t.vector(l.d, real, 1, 1, pointers);
            }
            case LASET -> t.matrix(l.c, type, l.m, l.n, gap, pointers);
            case LASCL -> {
                l.guarded = false;
                double[] factors = {1, 3, -0.25, 1e30, 1e-30, 1e38, 1e-44, 0, Double.NaN};
                l.alpha.set((float) factors[r.nextInt(factors.length)], 0);
                l.beta.set((float) factors[r.nextInt(factors.length)], 0);
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
            }
            case SHIFT -> {
                l.alpha.set(0.375, 0);
                t.vector(l.a, real, 1, 1, pointers);
                t.matrix(l.c, type, l.n, l.n, gap, pointers);
            }
            case RESCALE -> {
                l.p = r.nextInt((int) l.m + 1);
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                range(t, l.a, real, r);
                if (r.nextBoolean()) {
                    range(t, l.b, real, r);
                }
                if (r.nextBoolean()) {
                    t.vector(l.f, ElementType.I64, 1, 1, pointers);
                    for (long p = 0; p < l.count; p++) {
                        Memory.i64(l.f.at(p), r.nextInt((int) l.n + 2) - 1);
                    }
                }
            }
            case RCOND -> {
                l.p = -5;
                t.vector(l.a, real, 1, 1, pointers);
                t.vector(l.d, real, 1, 1, pointers);
                odd(l, l.a, 1, r);
                odd(l, l.d, 1, r);
                if (!l.guarded) {
                    t.vector(l.e, ElementType.I32, 1, 1, pointers);
                }
            }
            default -> estimate(t, type, real, r);
        }
    }

    /** Norms inside and outside of what is not scaled. */
    private static void range(Trial t, Operand o, ElementType real, Random r) {
        t.vector(o, real, 1, 1, false);
        boolean single = real == ElementType.F32;
        double[] norms =
                {1, single ? 0x1p-110 : 0x1p-980, single ? 0x1p110 : 0x1p980, 0, Double.NaN, Double.POSITIVE_INFINITY};
        for (long p = 0; p < t.l.count; p++) {
            Trial.set(real, o.at(p), 0, norms[r.nextInt(norms.length)]);
        }
    }

    private static void shape(Launch l, Random r) {
        l.structure = Structure.values()[r.nextInt(3)];
        l.n = l.structure == Structure.TRIANGULAR ? l.n : l.m;
        boolean trapezoid = l.structure == Structure.TRIANGULAR && r.nextBoolean();
        l.diag = trapezoid ? l.diag : Diag.NON_UNIT;
        l.p = trapezoid && l.uplo == Uplo.UPPER ? 0 : r.nextInt(4) == 0 && !trapezoid ? 1 : l.m;
        l.q = trapezoid && l.uplo == Uplo.LOWER ? 0 : l.n;
        if (l.structure != Structure.TRIANGULAR) {
            l.p = l.m;
        }
    }

    /** Sometimes a number at the ends of the range, or none. */
    private static void odd(Launch l, Operand o, long elements, Random r) {
        double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, 1e30, 1e-30, 0, 1e200, 1e-200};
        for (long p = 0; p < l.count; p++) {
            if (r.nextInt(4) == 0) {
                Trial.set(o.type, o.at(p), r.nextInt((int) elements), odd[r.nextInt(odd.length)]);
            }
        }
    }

    private static void estimate(Trial t, ElementType type, ElementType real, Random r) {
        Launch l = t.l;
        l.guarded = false;
        l.p = r.nextInt(Kernel.LAST + 1);
        l.q = 1 + r.nextInt(4);
        t.vector(l.c, type, l.n, 1, false);
        if (!type.isComplex()) {
            t.vector(l.b, type, l.n, 1, false);
        }
        t.vector(l.d, real, 1, 1, false);
        t.vector(l.e, ElementType.I32, 1, 1, false);
        t.vector(l.f, ElementType.I64, 1, 1, false);
        if (r.nextBoolean()) {
            t.vector(l.g, real, 1, 1, false);
            odd(l, l.g, 1, r);
        }
        odd(l, l.c, l.n, r);
        for (long p = 0; p < l.count; p++) {
            Memory.i32(l.e.at(p), r.nextInt(3) == 0 ? 1 : 0);
            Memory.i64(l.f.at(p), 1 + r.nextInt((int) l.n));
            Trial.set(real, l.d.at(p), 0, l.n * r.nextDouble());
        }
    }
}
