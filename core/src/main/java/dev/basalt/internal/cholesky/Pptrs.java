package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PptrsSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** Solves A·X = B from the factor of pptrf: few right-hand sides with the factor as it is, more with the factor written out. */
public final class Pptrs extends Routine {
    /** The family. */
    public static final Pptrs ROUTINE = new Pptrs();

    private Pptrs() {
        super(new PptrsSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        if (c.args.k > StoredSolve.FEW) {
            need.part();
            for (int t = 0; t < Unpacked.NONE; t++) {
                need.tier(Packing.TIERS.get(t)).slot("diagonal", 0);
            }
            need.part();
            Potrs.need(c, need, c.args.n, c.args.k);
            Unpacked.need(c, need, c.args.n);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (g.k <= StoredSolve.FEW || c.tier() == Unpacked.NONE) {
            StoredSolve.solve(c, g.a, g.c);
            return;
        }
        Unpacked.parts(c, g.a, g.c, Pptrs::solve);
    }

    private static void solve(Call c, Operand packed, Operand sides, Operand info, Block a) {
        Unpacked.unpack(c.scope, packed, a);
        Potrs.solve(c, a, c.scope.of(sides, c.args.n, c.args.k));
    }
}
