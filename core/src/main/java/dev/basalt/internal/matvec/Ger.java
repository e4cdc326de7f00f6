package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GerSignature;
import dev.basalt.internal.signature.GercSignature;
import dev.basalt.internal.signature.GeruSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/** A := alpha·x·yᵀ + A, or alpha·x·yᴴ + A. Every element of A is touched once, so there is nothing to keep in workspace. */
public final class Ger extends Routine {
    /** Not conjugated; on complex elements the same as geru. */
    public static final Ger GER = new Ger(new GerSignature(), false);

    /** Not conjugated. */
    public static final Ger GERU = new Ger(new GeruSignature(), false);

    /** y is conjugated. */
    public static final Ger GERC = new Ger(new GercSignature(), true);

    private final boolean conjugated;

    private Ger(Signature signature, boolean conjugated) {
        super(signature);
        this.conjugated = conjugated;
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.args.conjugated = conjugated && c.args.type.isComplex();
        c.launchArgs(Kernel.GER, 0, 0);
    }
}
