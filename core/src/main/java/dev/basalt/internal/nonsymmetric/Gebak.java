package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GebakSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.Side;

/** Eigenvectors of a matrix, from those of the balanced one. */
public final class Gebak extends Routine {
    /** The family. */
    public static final Gebak ROUTINE = new Gebak();

    private Gebak() {
        super(new GebakSignature());
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        undo(c, g.side, g.d);
    }

    /** Undoes the balancing that a call is about for its vectors. */
    static void undo(Call c, Side side, Operand scale) {
        Launch g = c.args;
        Launch l = begin(c.scope, g.balance, side, c.scope.of(g.c, g.n, g.m), scale);
        l.p = g.p;
        l.q = g.q;
        c.scope.launch();
    }

    private static Launch begin(Scope s, Balance how, Side side, Block v, Operand scale) {
        Launch l = s.kernel(Kernel.GEBAK);
        l.balance = how;
        l.side = side;
        l.n = v.rows;
        l.m = v.cols;
        v.into(l.c);
        l.d.set(scale);
        return l;
    }

    /** The same with the range in device memory. */
    static void undo(Scope s, Balance how, Side side, Block v, Operand ilo, Operand ihi, Operand scale) {
        Launch l = begin(s, how, side, v, scale);
        l.a.set(ilo);
        l.b.set(ihi);
        s.launch();
    }
}
