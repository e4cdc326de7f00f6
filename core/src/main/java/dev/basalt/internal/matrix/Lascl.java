package dev.basalt.internal.matrix;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LasclSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/** Multiplies a part of a matrix by a quotient that itself may overflow or underflow. */
public final class Lascl extends Routine {
    /** The family. */
    public static final Lascl ROUTINE = new Lascl();

    private Lascl() {
        super(new LasclSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.launchArgs(Kernel.LASCL, 0, 0);
    }
}
