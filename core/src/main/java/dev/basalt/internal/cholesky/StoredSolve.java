package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Solves with a Cholesky factor that is a band or packed, right-hand side by right-hand side, without workspace. */
final class StoredSolve {
    /** Up to so many right-hand sides are solved for one by one: more pay for dense blocks. */
    static final long FEW = DirectDevice.FEW_SIDES;

    private StoredSolve() {}

    /** b := A⁻¹·b from the factor a; b is n×nrhs. */
    static void solve(Call c, Operand a, Operand b) {
        Op first = c.args.uplo == Uplo.LOWER ? Op.NONE : Op.CONJ_TRANS;
        triangle(c, first, a, b);
        triangle(c, first == Op.NONE ? Op.CONJ_TRANS : Op.NONE, a, b);
    }

    private static void triangle(Call c, Op op, Operand a, Operand b) {
        Scope s = c.scope;
        long sides = c.args.k;
        // The right-hand sides of one problem are problems of a launch.
        boolean together = s.count() == 1 && !a.pointers && !b.pointers && sides > 1;
        for (long j = 0; j < (together ? 1 : sides); j++) {
            Launch l = s.kernel(Kernel.TRSV);
            l.uplo = c.args.uplo;
            l.opA = op;
            l.n = c.args.n;
            l.a.set(a);
            l.c.block(b, 0, j, c.args.n, 1);
            l.c.vector = true;
            l.c.ld = 1;
            if (together) {
                l.count = sides;
                l.a.stride = 0;
                l.c.stride = b.ld;
                l.e.stride = 0;
            }
            s.launch();
        }
    }
}
