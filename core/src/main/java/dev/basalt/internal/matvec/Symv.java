package dev.basalt.internal.matvec;

import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/**
 * y := alpha·A·x + beta·y with A symmetric (symv) or Hermitian (hemv), of which one triangle is stored. An element off the
 * diagonal serves two elements of y; so that A is read only once and workers do not meet in y, each strip of columns has a
 * partial y of its own in the workspace, and these are added in order. Without workspace the strips run one after the other.
 */
public final class Symv extends Routine {
    /** A is symmetric, of any type. */
    public static final Symv SYMV = new Symv("symv", false);

    /** A is Hermitian; complex types only. The imaginary parts on the diagonal are taken as 0. */
    public static final Symv HEMV = new Symv("hemv", true);

    /** The best tier. */
    public static final String STRIPS = "strips";

    private static final int A = 0;
    private static final int X = 1;

    private final boolean hermitian;

    private Symv(String family, boolean hermitian) {
        super(family, "n", "A x y - -");
        this.hermitian = hermitian;
    }

    @Override
    protected int position(int operand) {
        return operand == A ? 4 : operand == X ? 6 : 9;
    }

    @Override
    protected void options(Call c) {
        c.option(c.args.uplo, "uplo", 1);
        if (hermitian && c.args.type.isFloating() && !c.args.type.isComplex()) {
            throw c.failure(
                    Status.INVALID_VALUE,
                    null,
                    0,
                    "complex elements are required, but they are " + c.args.type
                            + "; use symv, which is the same on real ones");
        }
    }

    @Override
    protected void sizes(Call c) {
        long n = c.args.n;
        c.size(n >= 0, "n", 2, "n >= 0", n);
        c.size(c.args.a.ld >= Math.max(1, n), "lda", 5, "lda >= max(1, n)", c.args.a.ld);
        c.size(c.args.b.ld != 0, "incx", 7, "incx != 0", 0);
        c.size(c.args.c.ld != 0, "incy", 10, "incy != 0", 0);
    }

    @Override
    protected boolean quick(Call c) {
        return c.args.n == 0;
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return super.uses(c, operand) && !nothingToDo(c) && (operand > X || !c.args.alpha.is(0));
    }

    @Override
    protected boolean nothingToDo(Call c) {
        return c.args.alpha.is(0) && c.args.beta.is(1);
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        int block = c.traits.gemvBlock();
        long partials = 0;
        if (n > block) {
            long row = Chunks.times(c.args.type.bytes(), Chunks.ceilDiv(n, block));
            partials = Chunks.times(row, n, c.args.count);
        }
        need.tier(STRIPS).slot("partials", partials);
        need.tier("in place").slot("partials", 0);
    }

    @Override
    protected void run(Call c) {
        c.args.hermitian = hermitian;
        c.launchArgs(Kernel.SYMV, c.slot(0), c.slotBytes(0));
    }
}
