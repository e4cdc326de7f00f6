package dev.basalt.internal.svd;

import dev.basalt.Status;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GesddSignature;
import dev.basalt.internal.signature.GesvdSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Svect;

/**
 * A = U·S·Vᴴ by reduction to bidiagonal form, and QR iteration (Golub and Reinsch, "Singular value decomposition and least squares solutions", 1970) or divide and conquer, in whose last tier and without vectors there is QR iteration, too. A wide matrix is decomposed as its
 * conjugate transpose. Where a device works in waves, QR iteration of more than small matrices with vectors gives way to divide and conquer, too. A tall one is factored first, and then its triangle is decomposed (Chan, "An improved algorithm for computing the singular value decomposition", 1982).
 */
public final class Gesvd extends Routine {
    /** QR iteration. */
    public static final Gesvd GESVD = new Gesvd(new GesvdSignature(), false);

    /** Divide and conquer. */
    public static final Gesvd GESDD = new Gesvd(new GesddSignature(), true);

    private static final int U = 1;
    private static final int VT = 3;

    /** From this order on a device that works in waves divides: its rotations follow each other slowly. */
    private static final long DIVIDES = 21;

    private final boolean divides;

    private Gesvd(Signature signature, boolean divides) {
        super(signature);
        this.divides = divides;
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

    private boolean divides(Call c) {
        return divides || c.traits.reach().waves() && Math.min(c.args.m, c.args.n) >= DIVIDES;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        if (g.leftSvect == Svect.OVERWRITE && g.rightSvect == Svect.OVERWRITE) {
            throw c.failure(Status.INVALID_VALUE, "rightSvect", 2, "one side alone can be in the place of A");
        }
        Factors.need(c, need, divides(c));
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Factors.run(c, c.args.a, divides ? absent(c) : c.args.f, divides(c));
    }

    static Operand absent(Call c) {
        Operand none = c.scope.part();
        none.clear();
        return none;
    }
}
