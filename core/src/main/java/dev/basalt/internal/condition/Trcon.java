package dev.basalt.internal.condition;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.matrix.MatrixNorm;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.TrconSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Uplo;

/** The reciprocal condition number of a triangular matrix, whose norm is taken here. */
public final class Trcon extends Condition {
    /** The family. */
    public static final Trcon ROUTINE = new Trcon();

    private static final int NORM = 1;
    private static final int LINES = 2;

    private Trcon() {
        super(new TrconSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long estimate = Estimator.bytes(g.type, g.n, g.count);
        long norm = Chunks.times(g.type.real().bytes(), g.count);
        long lines = MatrixNorm.linesBytes(c.traits, g.n, g.n, g.count);
        need.tier("norm line by line").slot("estimate", estimate).slot("norm", norm).slot("lines", lines);
        need.tier("norm in one launch").slot("estimate", estimate).slot("norm", norm).slot("lines", 0);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Operand norm = c.k.a.vector(g.type.real(), c.slot(NORM), 1, 1, 1);
        boolean upper = g.uplo == Uplo.UPPER;
        MatrixNorm.of(c.scope, g.norm, Structure.TRIANGULAR, triangle(c), upper ? 0 : g.n, upper ? g.n : 0, norm,
                c.slot(LINES));
        Estimator.rcond(c, this, g.norm, g.n, c.slot(WORK), norm, 1);
    }

    private static Block triangle(Call c) {
        Launch g = c.args;
        return c.scope.of(g.a, g.n, g.n).triangle(g.uplo, g.diag);
    }

    @Override
    public void apply(Call c, Block x, boolean adjoint) {
        int mark = c.scope.mark();
        Block a = triangle(c);
        Trsm.vector(c.scope, adjoint ? a.h() : a, x);
        c.scope.release(mark);
    }
}
