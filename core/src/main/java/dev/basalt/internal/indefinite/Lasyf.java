package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.LahefRookSignature;
import dev.basalt.internal.signature.LahefSignature;
import dev.basalt.internal.signature.LasyfRookSignature;
import dev.basalt.internal.signature.LasyfSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Pivoting;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;

/**
 * One panel of {@link Sytrf}, as LAPACK's lasyf: nb - 1 columns, and one more where a 2×2 block reaches over. What is behind them is brought up to date.
 *
 * <p>
 * Workspace: the panel's columns of L and of L·D, LAPACK's W.
 */
public final class Lasyf extends Routine {
    /** Symmetric. */
    public static final Lasyf LASYF = new Lasyf(new LasyfSignature(), false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian. */
    public static final Lasyf LAHEF = new Lasyf(new LahefSignature(), true, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, with rook pivoting. */
    public static final Lasyf LASYF_ROOK = new Lasyf(new LasyfRookSignature(), false, Pivoting.ROOK);

    /** Hermitian, with rook pivoting. */
    public static final Lasyf LAHEF_ROOK = new Lasyf(new LahefRookSignature(), true, Pivoting.ROOK);

    private static final int KB = 5;

    private final boolean hermitian;
    private final Pivoting pivoting;

    private Lasyf(Signature signature, boolean hermitian, Pivoting pivoting) {
        super(signature);
        this.hermitian = hermitian;
        this.pivoting = pivoting;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(KB);
            done(c, 0);
        }
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        long nb = Math.min(n, c.args.q);
        for (int t = 0; t < Packing.TIERS.size(); t++) {
            need.tier(Packing.TIERS.get(t))
                    .slot("factor", Chunks.times(2, Sytrf.panelBytes(c, n, nb)))
                    .slot("integers", 0)
                    .slot("packing", Sytrf.packing(c, t, n, nb + 1));
        }
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Packing.use(c, Sytrf.PACKING);
        Scope s = c.scope;
        long n = c.args.n;
        long to = c.args.q >= n ? n : c.args.q - 1;
        if (to > 0) {
            Block l = s.dense(c.slot(Sytrf.FACTOR), Sytrf.apart(n), to + 1);
            Block w = s.dense(c.slot(Sytrf.FACTOR) + Sytrf.panelBytes(c, n, to), Sytrf.apart(n), to + 1);
            Sytrf.panel(c, c.args.c, hermitian, pivoting, 0, to, l, w, c.args.f);
            return;
        }
        if (hermitian) {
            // What a product would do with the imaginary parts.
            s.scaleTriangle(true, Scope.ONE, s.of(c.args.c, n, n).triangle(c.args.uplo, Diag.NON_UNIT));
        }
        done(c, 0);
    }

    /** Every kb := a number. */
    private static void done(Call c, long kb) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = ElementType.I64;
        l.n = 1;
        l.alpha.set(kb, 0);
        l.c.set(c.args.f);
        c.scope.launch();
    }
}
