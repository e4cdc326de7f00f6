package dev.basalt.internal.vector;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Conversions;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.RotRealSignature;
import dev.basalt.internal.signature.RotSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/**
 * A plane rotation: x := c·x + s·y and y := c·y - conj(s)·x. The cosine c is alpha of the frame and always real, the sine s is beta.
 * One kernel, no workspace, and no values of c and s for which it is left out: rocBLAS has none, and 0·∞ must become NaN. As
 * all of level 1 it knows no wrong sizes.
 */
public final class Rotation extends Routine {
    /** With a sine of the elements' type: srot, drot, crot, zrot. */
    public static final Rotation ROT = new Rotation(new RotSignature(), false);

    /** With a real sine, whatever the elements are: csrot and zdrot. On real elements the two are one. */
    public static final Rotation ROT_REAL = new Rotation(new RotRealSignature(), true);

    private final boolean realSine;

    private Rotation(Signature signature, boolean realSine) {
        super(signature);
        this.realSine = realSine;
    }

    @Override
    protected void need(Call c, Need need) {
        if (Conversions.has(c)) {
            Conversions.need(c, Kernel.ROT, need);
        }
    }

    @Override
    protected void run(Call c) {
        c.args.real = realSine && c.args.type.isComplex();
        c.launchArgs(Kernel.ROT, c.slot(0), c.slotBytes(0));
    }
}
