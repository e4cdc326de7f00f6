package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.TbsvSignature;
import dev.basalt.internal.signature.TpsvSignature;
import dev.basalt.internal.signature.TrsvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/**
 * Solves op(A)·x = b with A triangular; x overwrites b. It needs no workspace: the blocks of the diagonal are solved one after
 * the other, and each solved stretch of x is taken off the rest of b in place. rocBLAS keeps counters there, by which its
 * thread blocks wait for each other; a device that wants some keeps them itself, so that no call can find them gone.
 */
public final class Trsv extends Routine {
    /** The family. */
    public static final Trsv ROUTINE = new Trsv(new TrsvSignature());

    /** A is packed. */
    public static final Trsv TPSV = new Trsv(new TpsvSignature());

    /** A is a band matrix. */
    public static final Trsv TBSV = new Trsv(new TbsvSignature());

    private Trsv(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.launchArgs(Kernel.TRSV, 0, 0);
    }
}
