package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;

/** A := alpha·x·yᵀ + A, or alpha·x·yᴴ + A. Every element of A is touched once, so there is nothing to keep in workspace. */
public final class Ger extends Routine {
    /** Not conjugated; on complex elements the same as geru. */
    public static final Ger GER = new Ger("ger", false);

    /** Not conjugated. */
    public static final Ger GERU = new Ger("geru", false);

    /** y is conjugated. */
    public static final Ger GERC = new Ger("gerc", true);

    private static final int X = 0;
    private static final int Y = 1;

    private final boolean conjugated;

    private Ger(String family, boolean conjugated) {
        super(family, "mn", "x y A - -");
        this.conjugated = conjugated;
    }

    /** Real types have one name for all three, complex types two. */
    @Override
    public String name(ElementType type) {
        return type.letter() + (!type.isComplex() ? "ger" : conjugated ? "gerc" : "geru");
    }

    @Override
    protected int position(int operand) {
        return operand == X ? 4 : operand == Y ? 6 : 8;
    }

    @Override
    protected void sizes(Call c) {
        long m = c.args.m;
        c.size(m >= 0, "m", 1, "m >= 0", m);
        c.size(c.args.n >= 0, "n", 2, "n >= 0", c.args.n);
        c.size(c.args.c.ld >= Math.max(1, m), "lda", 9, "lda >= max(1, m)", c.args.c.ld);
        c.size(c.args.a.ld != 0, "incx", 5, "incx != 0", 0);
        c.size(c.args.b.ld != 0, "incy", 7, "incy != 0", 0);
    }

    @Override
    protected boolean quick(Call c) {
        return c.args.m == 0 || c.args.n == 0;
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return super.uses(c, operand) && !nothingToDo(c);
    }

    @Override
    protected boolean nothingToDo(Call c) {
        return c.args.alpha.is(0);
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.args.conjugated = conjugated && c.args.type.isComplex();
        c.launchArgs(Kernel.GER, 0, 0);
    }
}
