package dev.basalt.internal.matrix;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LacpySignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Region;
import dev.basalt.type.Uplo;

/** Copies a matrix, or its upper or lower trapezoid: a triangle and the rectangle beside or below it. */
public final class Lacpy extends Routine {
    /** The family. */
    public static final Lacpy ROUTINE = new Lacpy();

    private Lacpy() {
        super(new LacpySignature());
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        copy(s, g.region, s.of(g.a, g.m, g.n), s.of(g.c, g.m, g.n));
    }

    /** A region of c := that of a. */
    public static void copy(Scope s, Region region, Block a, Block c) {
        if (region == Region.GENERAL) {
            s.copy(a, c);
            return;
        }
        long order = Math.min(a.rows, a.cols);
        Launch l = s.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = region == Region.UPPER ? Uplo.UPPER : Uplo.LOWER;
        l.diag = Diag.NON_UNIT;
        l.n = order;
        a.diagonal(0, order).into(l.a);
        c.diagonal(0, order).into(l.c);
        s.launch();
        if (region == Region.UPPER) {
            s.copy(a.block(0, order, order, a.cols - order), c.block(0, order, order, a.cols - order));
        } else {
            s.copy(a.block(order, 0, a.rows - order, order), c.block(order, 0, a.rows - order, order));
        }
    }
}
