package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GemmExSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/**
 * D := alpha·op(A)·op(B) + beta·C: {@link Gemm} on D, into which C is copied first where there is any of it. A copy costs little beside a product, and so every device
 * and engine that multiplies in place serves.
 */
public final class GemmEx extends Routine {
    /** The family. */
    public static final GemmEx ROUTINE = new GemmEx();

    private GemmEx() {
        super(new GemmExSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Gemm.ROUTINE.need(c, need);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (!g.beta.is(0)) {
            if (!g.d.coincides(g.c, g.count)) {
                copy(c, g);
            } else if (g.n > 1 && g.d.ld != g.c.ld) {
                throw c.failure(Status.INVALID_VALUE, "ldd", 0, "D is C, so their leading dimensions must be equal");
            }
        }
        g.c.set(g.d);
        Gemm.ROUTINE.run(c);
    }

    private static void copy(Call c, Launch g) {
        Launch l = c.kernel(Kernel.COPY_MATRIX);
        l.m = g.m;
        l.n = g.n;
        l.a.set(g.c);
        l.c.set(g.d);
        c.launch();
    }
}
