package dev.basalt.internal.vector;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.RotgSignature;
import dev.basalt.internal.signature.RotmSignature;
import dev.basalt.internal.signature.RotmgSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/**
 * Making plane rotations, and modified ones: rotg, rotmg, rotm. What they make and take lies in device memory, so no call waits. One kernel each,
 * no workspace.
 */
public final class Rotg extends Routine {
    /** The rotation that makes b zero. */
    public static final Rotg ROTG = new Rotg(new RotgSignature(), Kernel.ROTG);

    /** Applies a modified rotation. */
    public static final Rotg ROTM = new Rotg(new RotmSignature(), Kernel.ROTM);

    /** The modified rotation that makes the second component zero. */
    public static final Rotg ROTMG = new Rotg(new RotmgSignature(), Kernel.ROTMG);

    private final Kernel kernel;

    private Rotg(Signature signature, Kernel kernel) {
        super(signature);
        this.kernel = kernel;
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.launchArgs(kernel, 0, 0);
    }
}
