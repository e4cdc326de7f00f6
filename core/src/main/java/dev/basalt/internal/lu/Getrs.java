package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
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
import dev.basalt.type.Diag;
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
            InfoArray.quick(c);
        }
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, c.args.n, c.args.k);
    }

    /** The need of solves with both triangles. */
    static void need(Call c, Need need, long n, long nrhs) {
        Trsm.need(c, need, n, nrhs, n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        Scope s = c.scope;
        solve(c, g.opA, s.of(g.a, g.n, g.n), s.of(g.c, g.n, g.k), tells ? g.e : null);
    }

    /**
     * Solves for B in place; the pivots are operand d of the call. Where they are no row numbers the exchanges make NaN of B, and a solve with NaN for
     * every right-hand side has NaN everywhere. So the rule costs no launch, and a device that runs later need not be waited for.
     */
    static void solve(Call c, Op op, Block a, Block b, Operand info) {
        Block l = a.triangle(Uplo.LOWER, Diag.UNIT).op(op);
        Block u = a.triangle(Uplo.UPPER, Diag.NON_UNIT).op(op);
        if (op == Op.NONE) {
            exchange(c, b, false, info);
            triangle(c.scope, l, b);
            triangle(c.scope, u, b);
        } else {
            triangle(c.scope, u, b);
            triangle(c.scope, l, b);
            exchange(c, b, true, info);
        }
    }

    private static void exchange(Call c, Block b, boolean backward, Operand info) {
        Launch l = Getrf.interchanges(c, b, 0, b.rows, backward);
        if (info != null) {
            l.e.set(info);
        }
        c.scope.launch();
    }

    private static void triangle(Scope s, Block a, Block b) {
        boolean vector = b.cols == 1 && a.rows > s.reach(Kernel.TRSM) && a.rows <= s.reach(Kernel.TRSV);
        if (!vector) {
            Trsm.solve(s, Side.LEFT, a, b);
            return;
        }
        // One right-hand side is a vector, for which one launch reaches further than for a matrix.
        Launch l = s.kernel(Kernel.TRSV);
        a.triangleOf(l);
        l.n = a.rows;
        b.into(l.c);
        l.c.ld = 1;
        l.c.vector = true;
        s.launch();
    }
}
