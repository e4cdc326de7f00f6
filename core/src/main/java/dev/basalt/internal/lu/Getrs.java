package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.GetrsNpvtSignature;
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
    public static final Getrs ROUTINE = new Getrs(new GetrsSignature(), true, false);

    /** The same with an info that tells which problems had pivots that are no row numbers. */
    public static final Getrs WITH_INFO = new Getrs(new GetrsWithInfoSignature(), true, true);

    /** From factors without interchanges. */
    public static final Getrs NPVT = new Getrs(new GetrsNpvtSignature(), false, false);

    private final boolean pivots;
    private final boolean tells;

    private Getrs(Signature signature, boolean pivots, boolean tells) {
        super(signature);
        this.pivots = pivots;
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
    public static void need(Call c, Need need, long n, long nrhs) {
        Trsm.need(c, need, n, nrhs, n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        Scope s = c.scope;
        Block a = s.of(g.a, g.n, g.n);
        Block b = s.of(g.c, g.n, g.k);
        if (pivots) {
            solve(c, g.opA, a, b, tells ? g.e : null);
        } else {
            solve(s, g.opA, a, b);
        }
    }

    /**
     * Solves for B in place; the pivots are operand d of the call. Where they are no row numbers the exchanges make NaN of B, and a solve with NaN for
     * every right-hand side has NaN everywhere. So the rule costs no launch, and a device that runs later need not be waited for.
     */
    public static void solve(Call c, Op op, Block a, Block b, Operand info) {
        if (op == Op.NONE) {
            exchange(c, b, false, info);
            solve(c.scope, op, a, b);
        } else {
            solve(c.scope, op, a, b);
            exchange(c, b, true, info);
        }
    }

    /** Solves with both factors, without interchanges. */
    static void solve(Scope s, Op op, Block a, Block b) {
        Block l = a.triangle(Uplo.LOWER, Diag.UNIT).op(op);
        Block u = a.triangle(Uplo.UPPER, Diag.NON_UNIT).op(op);
        triangle(s, op == Op.NONE ? l : u, b);
        triangle(s, op == Op.NONE ? u : l, b);
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
        Trsm.vector(s, a, b);
    }
}
