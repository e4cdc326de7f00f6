package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.PotrsSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

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
        Packing.need(c, need, c.args.n, c.args.k, c.args.n, Kernel.TRSM, c.args.n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        solve(c, c.args.n, c.args.k, c.args.a, c.args.c);
    }

    public static void solve(Call c, long n, long nrhs, Operand a, Operand b) {
        Uplo uplo = c.args.uplo;
        boolean lower = uplo == Uplo.LOWER;
        Op first = lower ? Op.NONE : Op.CONJ_TRANS;
        Op second = lower ? Op.CONJ_TRANS : Op.NONE;
        Trsm.solve(c, Side.LEFT, uplo, first, Diag.NON_UNIT, n, nrhs, a, 0, b, 0, 0);
        Trsm.solve(c, Side.LEFT, uplo, second, Diag.NON_UNIT, n, nrhs, a, 0, b, 0, 0);
    }
}
