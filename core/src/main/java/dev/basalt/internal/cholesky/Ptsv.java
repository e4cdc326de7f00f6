package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PtsvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Uplo;

/** Solves A·X = B with a positive definite tridiagonal A. Problems that are not positive definite (info > 0) keep their B, as in LAPACK. */
public final class Ptsv extends Routine {
    /** The family. */
    public static final Ptsv ROUTINE = new Ptsv();

    private Ptsv() {
        super(new PtsvSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        c.scope.guard = c.args.e;
        Launch l = c.scope.kernel(Kernel.PTTRF);
        l.n = c.args.n;
        l.a.set(c.args.a);
        l.c.set(c.args.b);
        c.scope.launch();
        if (c.args.k > 0) {
            Pttrs.solve(c, Uplo.LOWER);
        }
    }
}
