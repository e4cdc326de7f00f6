package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.cholesky.Potrf;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.CholqrSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The thin QR of a tall matrix by the Cholesky factor of AᴴA, twice (Yamamoto and others, "Roundoff error analysis of the CholeskyQR2 algorithm", 2015): Q of
 * the second pass is orthogonal to rounding where the first one succeeds. Where AᴴA is not positive definite the matrix keeps its numbers, for a
 * factorisation by reflectors.
 */
public final class Cholqr extends Routine {
    /** The family. */
    public static final Cholqr ROUTINE = new Cholqr();

    private static final int SQUARE = 2;
    private static final int PRODUCT = 3;

    private Cholqr() {
        super(new CholqrSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        need.part();
        for (String tier : Packing.TIERS) {
            need.tier(tier)
                    .slot("diagonal", 0)
                    .slot("packing", 0)
                    .slot("square", Scope.squareBytes(g.type, g.n, g.count))
                    .slot("product", Scope.squareBytes(g.type, g.n, g.count));
        }
        Potrf.need(c, need, g.n);
        need.part();
        Syrk.need(c, need, g.n, g.m);
        need.part();
        Trsm.need(c, need, g.m, g.n, g.n);
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        g.uplo = Uplo.UPPER;
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        Block a = s.of(g.c, g.m, g.n);
        Block r = s.of(g.a, g.n, g.n).triangle(Uplo.UPPER, Diag.NON_UNIT);
        Block second = s.dense(c.slot(SQUARE), g.n, g.n).triangle(Uplo.UPPER, Diag.NON_UNIT);
        pass(c, a, r);
        pass(c, a, second);
        Block product = s.dense(c.slot(PRODUCT), g.n, g.n);
        s.expand(Structure.TRIANGULAR, r, product);
        s.triangle(Kernel.TRMM, Side.LEFT, Scope.ONE, second, product);
        Launch l = s.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = Uplo.UPPER;
        l.diag = Diag.NON_UNIT;
        l.n = g.n;
        product.into(l.a);
        r.into(l.c);
        s.launch();
    }

    /** r := the Cholesky factor of aᴴa, a := a·r⁻¹. */
    private static void pass(Call c, Block a, Block r) {
        Syrk.update(c, true, c.slot(0), Scope.ONE, a.h(), Scope.ZERO, r);
        Potrf.factor(c, r, c.args.e);
        Trsm.solve(c.scope, Side.RIGHT, r, a);
    }
}
