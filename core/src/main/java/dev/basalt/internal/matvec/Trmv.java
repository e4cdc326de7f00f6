package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.TbmvSignature;
import dev.basalt.internal.signature.TpmvSignature;
import dev.basalt.internal.signature.TrmvSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/**
 * x := op(A)·x with A triangular. With a copy of x in the workspace every element of the product can be computed at once;
 * without it, and where one thread multiplies anyway, they follow each other in the order in which x is no longer needed.
 */
public final class Trmv extends Routine {
    /** The family. */
    public static final Trmv ROUTINE = new Trmv(new TrmvSignature());

    /** A is packed. */
    public static final Trmv TPMV = new Trmv(new TpmvSignature());

    /** A is a band matrix. */
    public static final Trmv TBMV = new Trmv(new TbmvSignature());

    private Trmv(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {
        if (c.traits.reach().whole(Kernel.TRMV, c.args.type)) {
            return;
        }
        need.tier("copy of x").slot("x", Chunks.times(c.args.type.bytes(), c.args.n, c.args.count));
        need.tier("in place").slot("x", 0);
    }

    @Override
    protected void run(Call c) {
        c.launchArgs(Kernel.TRMV, c.slot(0), c.slotBytes(0));
    }
}
