package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.SteinSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** Eigenvectors of a symmetric tridiagonal matrix for eigenvalues that bisection found, by inverse iteration. */
public final class Stein extends Routine {
    /** The family. */
    public static final Stein ROUTINE = new Stein();

    private Stein() {
        super(new SteinSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier("inverse iteration")
                .slot("reals", Bisection.realBytes(c))
                .slot("integers", Bisection.integerBytes(c));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        InfoArray.clear(c);
        long integers = c.slot(1);
        int mark = c.scope.mark();
        Bisection.tell(c, g.d, g.g, g.k, g.operand(7), integers);
        Bisection.vectors(c, g.a, g.b, g.f, c.scope.of(g.c, g.n, g.k), c.slot(0), integers);
        Bisection.list(c, integers, 2, g.k, g.operand(8));
        c.scope.release(mark);
    }
}
