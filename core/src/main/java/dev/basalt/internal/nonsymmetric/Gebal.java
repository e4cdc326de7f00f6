package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GebalSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;

/** Balancing: a permutation that isolates eigenvalues, and scales that bring rows and columns to about the same norm. */
public final class Gebal extends Routine {
    /** The family. */
    public static final Gebal ROUTINE = new Gebal();

    private static final int ILO = 0;
    private static final int IHI = 1;

    private Gebal() {
        super(new GebalSignature());
    }

    @Override
    protected void quickRun(Call c) {
        nothing(c);
    }

    /** The range of a matrix without rows. */
    static void nothing(Call c) {
        if (c.args.count > 0) {
            c.requireOperand(ILO);
            c.requireOperand(IHI);
            fill(c, c.args.a, 1);
            fill(c, c.args.b, 0);
        }
    }

    private static void fill(Call c, Operand index, long value) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = ElementType.I64;
        l.n = 1;
        l.alpha.set(value, 0);
        l.c.set(index);
        c.scope.launch();
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        balance(c.scope, g.balance, g.n, g.c, g.a, g.b, g.d);
    }

    /** Balances a matrix; ilo, ihi and scale are written. */
    static void balance(Scope s, Balance how, long n, Operand a, Operand ilo, Operand ihi, Operand scale) {
        Launch l = s.kernel(Kernel.GEBAL);
        l.balance = how;
        l.n = n;
        l.c.set(a);
        l.a.set(ilo);
        l.b.set(ihi);
        l.d.set(scale);
        s.launch();
    }
}
