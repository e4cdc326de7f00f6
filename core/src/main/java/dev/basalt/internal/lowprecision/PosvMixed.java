package dev.basalt.internal.lowprecision;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.cholesky.Potrf;
import dev.basalt.internal.cholesky.Potrs;
import dev.basalt.internal.signature.PosvMixedSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Side;

/** Symmetric or Hermitian positive definite matrices by Cholesky. */
public final class PosvMixed extends Refined {
    /** The family. */
    public static final PosvMixed ROUTINE = new PosvMixed();

    private PosvMixed() {
        super(new PosvMixedSignature());
    }

    @Override
    void parts(Call c, Need need) {
        Potrf.need(c, need, c.args.n);
        need.part();
        Potrs.need(c, need, c.args.n, Math.max(c.args.n, c.args.k));
    }

    @Override
    void factor(Call c, Block a) {
        Potrf.factor(c, a, c.args.e);
    }

    @Override
    void solve(Call c, Block a, Block b) {
        Potrs.solve(c, a, b);
    }

    @Override
    Kernel conversion() {
        return Kernel.CONVERT_TRIANGLE;
    }

    @Override
    Kernel sums() {
        return Kernel.SYMMETRIC_SUMS;
    }

    @Override
    void residual(Call c, Block a, Block x, Block r) {
        if (r.cols != 1) {
            c.scope.symm(Side.LEFT, true, Scope.MINUS_ONE, a, x, Scope.ONE, r);
            return;
        }
        Launch l = c.scope.kernel(Kernel.SYMV);
        l.uplo = a.uplo;
        l.hermitian = true;
        vectors(l, a, x, r);
        c.scope.launch();
    }
}
