package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.BdsqrSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** The singular values of a bidiagonal matrix, and the products of its singular vectors with given matrices, by QR iteration. */
public final class Bdsqr extends Routine {
    /** The family. */
    public static final Bdsqr ROUTINE = new Bdsqr();

    private static final int VT = 0;
    private static final int U = 1;
    private static final int C = 2;

    private Bdsqr() {
        super(new BdsqrSignature());
    }

    @Override
    protected boolean uses(Call c, int operand) {
        Launch g = c.args;
        return switch (operand) {
            case VT -> g.m > 0;
            case U -> g.p > 0;
            case C -> g.k > 0;
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long lines = Math.addExact(g.m, Math.addExact(g.p, g.k));
        need.tier("rotations").slot("numbers", Iteration.bytes(c, g.n, lines));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        long work = c.slot(0);
        take(c, g.d, Iteration.diagonal(c, c.k.a, work, g.n));
        if (g.n > 1) {
            take(c, g.f, Iteration.beside(c, c.k.a, work, g.n));
        }
        Block v = g.m > 0 ? s.of(g.a, g.n, g.m) : null;
        Block u = g.p > 0 ? s.of(g.b, g.p, g.n) : null;
        Block other = g.k > 0 ? s.of(g.c, g.n, g.k) : null;
        Iteration.run(c, g.uplo, g.n, v, u, other, work, g.d, g.f, g.e);
    }

    static void take(Call c, Operand from, Operand to) {
        Launch l = Iteration.real(c, Kernel.COPY);
        l.n = to.rows;
        l.a.set(from);
        l.c.set(to);
        c.scope.launch();
    }
}
