package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.DgmmSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/** C := diag(x)·A or A·diag(x). Every element is touched once, so there is nothing to keep in workspace. */
public final class Dgmm extends Routine {
    /** The family. */
    public static final Dgmm ROUTINE = new Dgmm();

    private Dgmm() {
        super(new DgmmSignature());
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        if (c.args.c.coincides(c.args.a, c.args.count) && c.args.n > 1 && c.args.a.ld != c.args.c.ld) {
            throw c.failure(Status.INVALID_VALUE, "ldc", 9, "C is A, so ldc = lda is required");
        }
        c.launchArgs(Kernel.DGMM, 0, 0);
    }
}
