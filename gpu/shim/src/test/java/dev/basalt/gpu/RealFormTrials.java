package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Random launches of triangles in their real form. */
final class RealFormTrials {
    private RealFormTrials() {}

    /** The operands of a launch whose kernel, type and sizes are there. */
    static void prepare(Trial t, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean enters = l.kernel == Kernel.TO_REAL;
        long order = (l.type.isComplex() ? 2 : 1) * l.n;
        l.uplo = Uplo.values()[r.nextInt(2)];
        t.matrix(l.a, enters ? l.type : ElementType.F64, enters ? l.n : order, enters ? l.n : order, gap, pointers);
        t.matrix(l.c, enters ? ElementType.F64 : l.type, enters ? order : l.n, enters ? order : l.n, 2 - gap, pointers);
        if (!enters && !l.e.present()) {
            t.vector(l.e, ElementType.I32, 1, 1, pointers);
            l.p = r.nextInt(3);
            for (long p = 0; p < l.count; p++) {
                Memory.i32(l.e.at(p), r.nextInt((int) (order + l.p) + 1));
            }
        }
    }
}
