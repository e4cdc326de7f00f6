package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.Her2Signature;
import dev.basalt.internal.signature.Hpr2Signature;
import dev.basalt.internal.signature.Spr2Signature;
import dev.basalt.internal.signature.Syr2Signature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/** A triangle of A := alpha·x·yᵀ + alpha·y·xᵀ + A, or with ᴴ and conj(alpha). One pass over A, no workspace. */
public final class Syr2 extends Routine {
    /** A is symmetric. */
    public static final Syr2 SYR2 = new Syr2(new Syr2Signature(), false);

    /** A is Hermitian; complex types only. */
    public static final Syr2 HER2 = new Syr2(new Her2Signature(), true);

    /** A is symmetric and packed. */
    public static final Syr2 SPR2 = new Syr2(new Spr2Signature(), false);

    /** A is Hermitian and packed; complex types only. */
    public static final Syr2 HPR2 = new Syr2(new Hpr2Signature(), true);

    private final boolean hermitian;

    private Syr2(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.args.hermitian = hermitian;
        c.launchArgs(Kernel.SYR2, 0, 0);
    }
}
