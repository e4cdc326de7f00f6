package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Doubling;
import dev.basalt.internal.product.Trtri;
import dev.basalt.internal.signature.PotriSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;

/**
 * The inverse of a positive definite matrix from its factor, in place: that of the factor, and its product with its conjugate transpose. {@code info} is the place
 * of the first zero on the factor's diagonal; such a problem is left as it is.
 */
public final class Potri extends Routine {
    /** The family. */
    public static final Potri ROUTINE = new Potri();

    private Potri() {
        super(new PotriSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, c.args.n);
        Lauum.needBeside(c, need);
        Doubling.need(c, need, c.args.n);
    }

    /** The need of both steps in the place of the triangle. */
    static void need(Call c, Need need, long n) {
        Lauum.needInPlace(c, need, n);
        need.part();
        Packing.need(c, need, n, n, n);
        need.together();
    }

    @Override
    protected void run(Call c) {
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        Block a = c.scope.of(c.args.c, c.args.n, c.args.n);
        Trtri.singular(c.scope, a, c.args.e);
        c.scope.guard = c.args.e;
        Block factor = a.triangle(c.args.uplo, Diag.NON_UNIT);
        Trtri.invert(c, factor, Lauum.WORK);
        Lauum.form(c, factor);
    }

    /** The inverse in place of the factor in a, without a triangle beside it; info, which is 0 so far, tells of zeros on its diagonal. */
    static void invertInPlace(Call c, Block a, Operand info) {
        c.scope.guard = null;
        Trtri.zeroDiagonal(c.scope, a, info);
        // From here on launches skip problems that have a zero there.
        c.scope.guard = info;
        Block factor = a.triangle(c.args.uplo, Diag.NON_UNIT);
        Trtri.invertInPlace(c.scope, factor);
        Lauum.formInPlace(c, factor);
    }
}
