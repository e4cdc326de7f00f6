package dev.basalt.internal.lu;

import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.GetrsSignature;
import dev.basalt.internal.signature.GetrsWithInfoSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Reach;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Solves op(A)·X = B from the factors of getrf: interchanges and two triangular solves. */
public final class Getrs extends Routine {
    /** The family. */
    public static final Getrs ROUTINE = new Getrs(new GetrsSignature(), false);

    /** The same with an info that tells which problems had pivots that are no row numbers. */
    public static final Getrs WITH_INFO = new Getrs(new GetrsWithInfoSignature(), true);

    private final boolean tells;

    private Getrs(Signature signature, boolean tells) {
        super(signature);
        this.tells = tells;
    }

    /** Nothing has been exchanged, so no pivot was looked at. */
    @Override
    protected void quickRun(Call c) {
        if (tells) {
            Blocks.quickInfo(c);
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Packing.need(c, need, c.args.n, c.args.k, c.args.n, Kernel.TRSM, c.args.n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        solve(c, c.args.opA, c.args.n, c.args.k, c.args.a, c.args.c, tells ? c.args.e : null);
    }

    /**
     * Solves for B in place; the pivots are operand d of the call. Where they are no row numbers the exchanges make NaN of B, and a solve with NaN for
     * every right-hand side has NaN everywhere. So the rule costs no launch, and a device that runs later need not be waited for.
     */
    public static void solve(Call c, Op op, long n, long nrhs, Operand a, Operand b, Operand info) {
        if (op == Op.NONE) {
            exchange(c, nrhs, b, n, false, info);
            triangle(c, Uplo.LOWER, op, Diag.UNIT, n, nrhs, a, b);
            triangle(c, Uplo.UPPER, op, Diag.NON_UNIT, n, nrhs, a, b);
        } else {
            triangle(c, Uplo.UPPER, op, Diag.NON_UNIT, n, nrhs, a, b);
            triangle(c, Uplo.LOWER, op, Diag.UNIT, n, nrhs, a, b);
            exchange(c, nrhs, b, n, true, info);
        }
    }

    private static void exchange(Call c, long nrhs, Operand b, long n, boolean backward, Operand info) {
        Launch l = Getrf.interchanges(c, nrhs, b, 0, 0, n, backward);
        if (info != null) {
            l.e.set(info);
        }
        c.launch();
    }

    private static void triangle(Call c, Uplo uplo, Op op, Diag diag, long n, long nrhs, Operand a, Operand b) {
        Reach reach = c.traits.reach();
        ElementType type = c.args.type;
        if (nrhs != 1 || n <= reach.of(Kernel.TRSM, type) || n > reach.of(Kernel.TRSV, type)) {
            Trsm.solve(c, Side.LEFT, uplo, op, diag, n, nrhs, a, 0, b, 0, 0);
            return;
        }
        // One right-hand side is a vector, and a GPU solves for one in one launch where a matrix would take many.
        Launch l = c.kernel(Kernel.TRSV);
        l.uplo = uplo;
        l.opA = op;
        l.diag = diag;
        l.n = n;
        l.a.block(a, 0, 0, n, n);
        l.c.block(b, 0, 0, n, 1);
        l.c.ld = 1;
        l.c.vector = true;
        c.launch();
    }
}
