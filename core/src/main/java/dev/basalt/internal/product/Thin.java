package dev.basalt.internal.product;

import dev.basalt.internal.block.Scope;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;

/**
 * Products whose result is one row or one column: a matrix times a vector, which is bound by memory and wants other kernels than a product. A row of C is the
 * other factor, transposed, times a row.
 */
final class Thin {
    private Thin() {}

    /** Whether a product is one. Small products are not, as they go straight to their kernel; nor are vectors that would have to be conjugated. */
    static boolean is(DeviceTraits traits, Launch g) {
        long longest = Math.max(Math.max(g.m, g.n), g.k);
        boolean column = column(g);
        if (!column && g.m != 1 || g.k <= 0 || longest <= traits.gemm(g.type).thin()) {
            return false;
        }
        return !g.type.isComplex() || g.opB != Op.CONJ_TRANS && (column || g.opA != Op.CONJ_TRANS);
    }

    /** Whether A is the matrix. Of two vectors the one that lies in a column is. */
    private static boolean column(Launch g) {
        return g.n == 1 && (g.m != 1 || g.opA != Op.NONE);
    }

    /** Launches it. */
    static void launch(Scope s, Launch g) {
        boolean column = column(g);
        Operand matrix = column ? g.a : g.b;
        Launch l = s.kernel(Kernel.GEMV);
        l.opA = column ? g.opA : g.opB == Op.NONE ? Op.TRANS : Op.NONE;
        boolean plain = l.opA == Op.NONE;
        l.m = plain ? column ? g.m : g.n : g.k;
        l.n = plain ? g.k : column ? g.m : g.n;
        l.alpha.set(g.alpha);
        l.beta.set(g.beta);
        l.a.set(matrix);
        if (column) {
            vector(l.b, g.b, g.k, g.opB == Op.NONE ? 1 : g.b.ld);
            vector(l.c, g.c, g.m, 1);
        } else {
            vector(l.b, g.a, g.k, g.opA == Op.NONE ? g.a.ld : 1);
            vector(l.c, g.c, g.n, g.c.ld);
        }
        s.launch();
    }

    private static void vector(Operand x, Operand matrix, long n, long inc) {
        x.vector(matrix.type, matrix.base, n, inc, matrix.stride);
        x.pointers = matrix.pointers;
    }
}
