package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PpsvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** Solves A·X = B with a packed A by Cholesky. Problems that are not positive definite (info > 0) keep their B, as in LAPACK. */
public final class Ppsv extends Routine {
    /** The family. */
    public static final Ppsv ROUTINE = new Ppsv();

    /** Right-hand sides that one launch solves for. */
    private static final long WIDE = 32;

    private Ppsv() {
        super(new PpsvSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        if (Unpacked.once(c, Kernel.POSV_STORED) && c.args.k <= WIDE) {
            Unpacked.needOnce(c, need);
            return;
        }
        Potrf.need(c, need, n);
        if (c.args.k > 0) {
            need.part();
            Potrs.need(c, need, n, c.args.k);
        }
        Unpacked.need(c, need, n);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (g.k > 0 && g.k <= WIDE && Unpacked.once(c, Kernel.POSV_STORED)) {
            c.alone();
            Launch l = Unpacked.launch(c, Kernel.POSV_STORED);
            l.k = g.k;
            l.a.set(g.a);
            l.c.set(g.c);
            c.scope.launch();
            return;
        }
        InfoArray.clear(c);
        if (g.k <= WIDE && Unpacked.once(c, Kernel.POSV_STORED) || c.tier() == Unpacked.NONE) {
            Pptrf.inPlace(c, g.a);
            c.scope.guard = g.e;
            StoredSolve.solve(c, g.a, g.c);
            return;
        }
        Unpacked.parts(c, g.a, g.k > 0 ? g.c : null, Ppsv::solve);
    }

    private static void solve(Call c, Operand packed, Operand sides, Operand info, Block a) {
        Pptrf.factor(c, packed, sides, info, a);
        if (sides != null) {
            c.scope.guard = info;
            Potrs.solve(c, a, c.scope.of(sides, c.args.n, c.args.k));
        }
    }
}
