package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GeblttrfNpvtSignature;
import dev.basalt.internal.signature.GeblttrsNpvtSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;

/**
 * Block tridiagonal matrices without interchanges, rocSOLVER's: diagonal blocks B, A below them and C above, each kind side by side. The factors are a block lower
 * bidiagonal matrix, A below the diagonal blocks E, and a unit upper one with F: E₁ = B₁, Fᵢ = Eᵢ⁻¹·Cᵢ, Eᵢ₊₁ = Bᵢ₊₁ - Aᵢ·Fᵢ. LU of E overwrites B, and F overwrites C.
 */
public final class BlockTridiagonal extends Routine {
    /** The factorisation. */
    public static final BlockTridiagonal GEBLTTRF_NPVT = new BlockTridiagonal(new GeblttrfNpvtSignature(), true);

    /** Solutions with it. */
    public static final BlockTridiagonal GEBLTTRS_NPVT = new BlockTridiagonal(new GeblttrsNpvtSignature(), false);

    private final boolean factors;

    private BlockTridiagonal(Signature signature, boolean factors) {
        super(signature);
        this.factors = factors;
    }

    @Override
    protected void quickRun(Call c) {
        if (factors) {
            InfoArray.quick(c);
        }
    }

    @Override
    protected void need(Call c, Need need) {
        long nb = c.args.q;
        long sides = factors ? nb : c.args.k;
        need.part();
        Getrf.need(c, need, nb, nb);
        need.part();
        Getrs.need(c, need, nb, sides);
        need.part();
        Packing.need(c, need, nb, sides, nb);
        need.together();
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        if (factors) {
            InfoArray.clear(c);
            c.scope.guard = c.args.e;
            factor(c.scope, c.args);
        } else {
            solve(c.scope, c.args);
        }
    }

    /** Block i of those that lie side by side, with so many columns. */
    private static Block block(Scope s, Operand of, Launch g, long i, long cols) {
        return s.of(of, g.q, g.p * cols).cols(i * cols, cols);
    }

    private static void factor(Scope s, Launch g) {
        long nb = g.q;
        for (long i = 0; i < g.p; i++) {
            int mark = s.mark();
            Block e = block(s, g.b, g, i, nb);
            if (i > 0) {
                s.gemm(-1, block(s, g.a, g, i - 1, nb), block(s, g.c, g, i - 1, nb), 1, e);
            }
            GetrfNpvt.factor(s, e, i * nb);
            if (i + 1 < g.p) {
                Getrs.solve(s, Op.NONE, e, block(s, g.c, g, i, nb));
            }
            s.release(mark);
        }
    }

    private static void solve(Scope s, Launch g) {
        long nb = g.q;
        for (long i = 0; i < g.p; i++) {
            int mark = s.mark();
            Block x = block(s, g.c, g, i, g.k);
            if (i > 0) {
                s.gemm(-1, block(s, g.a, g, i - 1, nb), block(s, g.c, g, i - 1, g.k), 1, x);
            }
            Getrs.solve(s, Op.NONE, block(s, g.b, g, i, nb), x);
            s.release(mark);
        }
        for (long i = g.p - 2; i >= 0; i--) {
            int mark = s.mark();
            s.gemm(-1, block(s, g.d, g, i, nb), block(s, g.c, g, i + 1, g.k), 1, block(s, g.c, g, i, g.k));
            s.release(mark);
        }
    }
}
