package dev.basalt.internal.condition;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.GeconSignature;
import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Uplo;

/** The reciprocal condition number of a matrix from its LU factors. Interchanges of rows change neither norm of the inverse. */
public final class Gecon extends Condition {
    /** The family. */
    public static final Gecon ROUTINE = new Gecon();

    private Gecon() {
        super(new GeconSignature());
    }

    @Override
    protected void run(Call c) {
        Estimator.rcond(c, this, c.args.norm, c.args.n, c.slot(WORK), c.args.b, WRONG_NORM);
    }

    @Override
    public void apply(Call c, Block x, boolean adjoint) {
        Launch g = c.args;
        int mark = c.scope.mark();
        solve(c, c.scope.of(g.a, g.n, g.n), x, adjoint);
        c.scope.release(mark);
    }

    /** x := (L·U)⁻¹·x by the factors in a, or the same with the conjugate transpose. */
    public static void solve(Call c, Block a, Block x, boolean adjoint) {
        int mark = c.scope.mark();
        Block l = a.triangle(Uplo.LOWER, Diag.UNIT);
        Block u = a.triangle(Uplo.UPPER, Diag.NON_UNIT);
        Trsm.vector(c.scope, adjoint ? u.h() : l, x);
        Trsm.vector(c.scope, adjoint ? l.h() : u, x);
        c.scope.release(mark);
    }
}
