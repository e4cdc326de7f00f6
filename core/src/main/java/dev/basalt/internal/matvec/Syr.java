package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HerSignature;
import dev.basalt.internal.signature.HprSignature;
import dev.basalt.internal.signature.SprSignature;
import dev.basalt.internal.signature.SyrSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/** A triangle of A := alpha·x·xᵀ + A, or alpha·x·xᴴ + A. Every element is touched once, so there is nothing to keep in workspace. */
public final class Syr extends Routine {
    /** A is symmetric. */
    public static final Syr SYR = new Syr(new SyrSignature(), false);

    /** A is Hermitian; complex types only. */
    public static final Syr HER = new Syr(new HerSignature(), true);

    /** A is symmetric and packed. */
    public static final Syr SPR = new Syr(new SprSignature(), false);

    /** A is Hermitian and packed; complex types only. */
    public static final Syr HPR = new Syr(new HprSignature(), true);

    private final boolean hermitian;

    private Syr(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.args.hermitian = hermitian;
        c.launchArgs(Kernel.SYR, 0, 0);
    }
}
