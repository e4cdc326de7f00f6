package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PptrfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** Cholesky of a packed triangle: as potrf of the same triangle written out, or column by column in its place. */
public final class Pptrf extends Routine {
    /** The family. */
    public static final Pptrf ROUTINE = new Pptrf();

    private Pptrf() {
        super(new PptrfSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (Unpacked.once(c, Kernel.POTF2_STORED)) {
            Unpacked.needOnce(c, need);
        } else {
            Potrf.need(c, need, c.args.n);
            Unpacked.need(c, need, c.args.n);
        }
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        if (Unpacked.once(c, Kernel.POTF2_STORED) || c.tier() == Unpacked.NONE) {
            c.alone();
            inPlace(c, g.c);
            return;
        }
        Unpacked.parts(c, g.c, null, Pptrf::factor);
    }

    /** Factors packed triangles by way of the dense ones of a. */
    static void factor(Call c, Operand packed, Operand sides, Operand info, Block a) {
        Scope s = c.scope;
        Unpacked.unpack(s, packed, a);
        Potrf.factor(c, a, info);
        // What there is of a factor is given back too.
        s.guard = null;
        Unpacked.pack(s, a, packed);
    }

    /** Factors a band or a packed triangle by one launch. */
    static void inPlace(Call c, Operand a) {
        Launch l = Unpacked.launch(c, Kernel.POTF2_STORED);
        l.c.set(a);
        c.scope.launch();
    }
}
