package dev.basalt.internal.svd;

import dev.basalt.Status;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GesvdSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Svect;

/**
 * A = U·S·Vᴴ by reduction to bidiagonal form and QR iteration (Golub and Reinsch, "Singular value decomposition and least squares solutions", 1970). A wide matrix is decomposed as its
 * conjugate transpose. A tall one is factored first, and then its triangle is decomposed (Chan, "An improved algorithm for computing the singular value decomposition", 1982).
 */
public final class Gesvd extends Routine {
    /** The family. */
    public static final Gesvd ROUTINE = new Gesvd();

    private static final int U = 1;
    private static final int VT = 3;

    private Gesvd() {
        super(new GesvdSignature());
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case U -> c.args.leftSvect.stored();
            case VT -> c.args.rightSvect.stored();
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return (operand == U || operand == VT) && !uses(c, operand);
    }

    @Override
    protected void quickRun(Call c) {
        Factors.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        if (g.leftSvect == Svect.OVERWRITE && g.rightSvect == Svect.OVERWRITE) {
            throw c.failure(Status.INVALID_VALUE, "rightSvect", 2, "one side alone can be in the place of A");
        }
        Factors.need(c, need);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Factors.run(c, c.args.a, c.args.f);
    }
}
