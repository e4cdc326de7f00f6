package dev.basalt.internal.vector;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;

/**
 * Level-1 routines that go through their vectors element by element: axpy, scal, copy, swap. One kernel each, no workspace.
 * Level 1 knows no wrong sizes: a size or batch that is not positive is an empty one, as in the reference BLAS.
 */
public final class Elementwise extends Routine {
    /** y := alpha·x + y. */
    public static final Elementwise AXPY = new Elementwise("axpy", Kernel.AXPY, "x - y - -", false);

    /** x := alpha·x. */
    public static final Elementwise SCAL = new Elementwise("scal", Kernel.SCAL, "- - x - -", false);

    /**
     * x := alpha·x with a real alpha, whatever x is: csscal and zdscal. Not the same as scal with an imaginary part of 0, which
     * makes NaN of 0·∞; on real elements the two are one.
     */
    public static final Elementwise SCAL_REAL = new Elementwise("scal", Kernel.SCAL, "- - x - -", true);

    /** y := x. */
    public static final Elementwise COPY = new Elementwise("copy", Kernel.COPY, "x - y - -", false);

    /** x and y exchange their elements. */
    public static final Elementwise SWAP = new Elementwise("swap", Kernel.SWAP, "x - y - -", false);

    private static final int X = 0;
    private static final int OUT = 2;

    private final Kernel kernel;
    private final boolean realAlpha;

    private Elementwise(String family, Kernel kernel, String operands, boolean realAlpha) {
        super(family, "n", operands);
        this.kernel = kernel;
        this.realAlpha = realAlpha;
    }

    @Override
    public String name(ElementType type) {
        if (realAlpha && type.isComplex()) {
            return type == ElementType.C32 ? "csscal" : "zdscal";
        }
        return super.name(type);
    }

    @Override
    protected int position(int operand) {
        int scalars = kernel == Kernel.AXPY || kernel == Kernel.SCAL ? 1 : 0;
        boolean first = operand == X || kernel == Kernel.SCAL;
        return (first ? 2 : 4) + scalars;
    }

    /** No size is wrong; a negative batch is an empty one. */
    @Override
    protected void sizes(Call c) {
        c.args.count = Math.max(0, c.args.count);
    }

    /** scal alone does nothing for an increment that is not positive; the others walk backwards or stay on one element. */
    @Override
    protected boolean quick(Call c) {
        return c.args.n <= 0 || (kernel == Kernel.SCAL && c.args.c.ld <= 0);
    }

    @Override
    protected boolean writes(int operand) {
        return operand == OUT || kernel == Kernel.SWAP;
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return super.uses(c, operand) && !nothingToDo(c);
    }

    @Override
    protected boolean nothingToDo(Call c) {
        return (kernel == Kernel.AXPY && c.args.alpha.is(0)) || (kernel == Kernel.SCAL && c.args.alpha.is(1));
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.args.real = realAlpha && c.args.type.isComplex();
        c.launchArgs(kernel, 0, 0);
    }
}
