package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.StebzSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** Some eigenvalues of a symmetric tridiagonal matrix by bisection. */
public final class Stebz extends Routine {
    /** The family. */
    public static final Stebz ROUTINE = new Stebz();

    private Stebz() {
        super(new StebzSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier("bisection").slot("reals", Bisection.realBytes(c)).slot("integers", Bisection.integerBytes(c));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        InfoArray.clear(c);
        long integers = c.slot(1);
        Bisection.values(c, g.a, g.b, g.f, g.eorder, c.slot(0), integers);
        Bisection.head(c, integers, 0, g.c);
        Bisection.head(c, integers, 1, g.d);
        Bisection.list(c, integers, 0, g.n, g.g);
        Bisection.list(c, integers, 1, g.n, g.operand(7));
    }
}
