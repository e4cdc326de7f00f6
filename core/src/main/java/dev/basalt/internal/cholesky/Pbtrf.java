package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PbtrfSignature;
import dev.basalt.internal.workspace.Need;

/** Cholesky of a band, in place. */
public final class Pbtrf extends Routine {
    /** The family. */
    public static final Pbtrf ROUTINE = new Pbtrf();

    private Pbtrf() {
        super(new PbtrfSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Band.need(c, need);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Band.factor(c, c.args.c, c.args.e);
    }
}
