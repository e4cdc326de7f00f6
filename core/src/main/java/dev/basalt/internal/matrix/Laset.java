package dev.basalt.internal.matrix;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LasetSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/** Sets a part of a matrix: its diagonal to one number, what is beside it to another. */
public final class Laset extends Routine {
    /** The family. */
    public static final Laset ROUTINE = new Laset();

    private Laset() {
        super(new LasetSignature());
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.launchArgs(Kernel.LASET, 0, 0);
    }
}
