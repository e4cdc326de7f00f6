package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.PotrsSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;

/** Solves A·X = B from the factor of potrf: two triangular solves. */
public final class Potrs extends Routine {
    /** The family. */
    public static final Potrs ROUTINE = new Potrs();

    private Potrs() {
        super(new PotrsSignature());
    }

    /** n, nrhs, lda, ldb at their positions. */
    public static void solveSizes(Call c, int n, int lda, int ldb) {
        c.size(c.args.n >= 0, "n", n, "n >= 0", c.args.n);
        c.size(c.args.k >= 0, "nrhs", n + 1, "nrhs >= 0", c.args.k);
        c.size(c.args.a.ld >= c.args.n, "lda", lda, "lda >= n", c.args.a.ld);
        c.size(c.args.c.ld >= c.args.n, "ldb", ldb, "ldb >= n", c.args.c.ld);
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, c.args.n, c.args.k);
    }

    /** The need of solves with both triangles. */
    public static void need(Call c, Need need, long n, long nrhs) {
        Trsm.need(c, need, n, nrhs, n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        solve(c, c.scope.of(g.a, g.n, g.n), c.scope.of(g.c, g.n, g.k));
    }

    /** Solves for b in place with the factor in a. */
    public static void solve(Call c, Block a, Block b) {
        Block stored = a.triangle(c.args.uplo, Diag.NON_UNIT);
        Block l = stored.lower() ? stored : stored.h();
        Trsm.solve(c.scope, Side.LEFT, l, b);
        Trsm.solve(c.scope, Side.LEFT, l.h(), b);
    }
}
