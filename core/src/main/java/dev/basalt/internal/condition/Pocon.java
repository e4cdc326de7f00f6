package dev.basalt.internal.condition;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.PoconSignature;
import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Norm;

/** The reciprocal condition number of a symmetric or Hermitian positive definite matrix from its Cholesky factor; its 1- and ∞-norm are the same. */
public final class Pocon extends Condition {
    /** The family. */
    public static final Pocon ROUTINE = new Pocon();

    private Pocon() {
        super(new PoconSignature());
    }

    @Override
    protected void run(Call c) {
        Estimator.rcond(c, this, Norm.ONE, c.args.n, c.slot(WORK), c.args.b, WRONG_NORM);
    }

    /** The inverse is its own conjugate transpose. */
    @Override
    public void apply(Call c, Block x, boolean adjoint) {
        Launch g = c.args;
        int mark = c.scope.mark();
        solve(c, c.scope.of(g.a, g.n, g.n), x);
        c.scope.release(mark);
    }

    /** x := (L·Lᴴ)⁻¹·x by the factor in a, in the triangle that the call tells. */
    public static void solve(Call c, Block a, Block x) {
        int mark = c.scope.mark();
        Block stored = a.triangle(c.args.uplo, Diag.NON_UNIT);
        Block l = stored.lower() ? stored : stored.h();
        Trsm.vector(c.scope, l, x);
        Trsm.vector(c.scope, l.h(), x);
        c.scope.release(mark);
    }
}
