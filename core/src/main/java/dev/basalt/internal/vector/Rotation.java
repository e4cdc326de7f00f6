package dev.basalt.internal.vector;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;

/**
 * A plane rotation: x := c·x + s·y and y := c·y - conj(s)·x. The cosine c is alpha of the frame and always real, the sine s is beta.
 * One kernel, no workspace, and no values of c and s for which it is left out: rocBLAS has none, and 0·∞ must become NaN. As
 * all of level 1 it knows no wrong sizes.
 */
public final class Rotation extends Routine {
    /** With a sine of the elements' type: srot, drot, crot, zrot. */
    public static final Rotation ROT = new Rotation(false);

    /** With a real sine, whatever the elements are: csrot and zdrot. On real elements the two are one. */
    public static final Rotation ROT_REAL = new Rotation(true);

    private static final int X = 0;

    private final boolean realSine;

    private Rotation(boolean realSine) {
        super("rot", "n", "x - y - -");
        this.realSine = realSine;
    }

    @Override
    public String name(ElementType type) {
        if (realSine && type.isComplex()) {
            return type == ElementType.C32 ? "csrot" : "zdrot";
        }
        return super.name(type);
    }

    @Override
    protected int position(int operand) {
        return operand == X ? 2 : 4;
    }

    @Override
    protected String scalarName(String scalar) {
        return scalar.equals("alpha") ? "c" : "s";
    }

    @Override
    protected boolean alphaMayBeComplex() {
        return false;
    }

    /** No size is wrong; a negative batch is an empty one. */
    @Override
    protected void sizes(Call c) {
        c.args.count = Math.max(0, c.args.count);
    }

    @Override
    protected boolean quick(Call c) {
        return c.args.n <= 0;
    }

    @Override
    protected boolean writes(int operand) {
        return true;
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.args.real = realSine && c.args.type.isComplex();
        c.launchArgs(Kernel.ROT, 0, 0);
    }
}
