package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PptriSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** The inverse from the packed factor of pptrf: as potri of the same triangle written out, or column by column in its place. */
public final class Pptri extends Routine {
    /** The family. */
    public static final Pptri ROUTINE = new Pptri();

    private Pptri() {
        super(new PptriSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (Unpacked.once(c, Kernel.POTRI_STORED)) {
            Unpacked.needOnce(c, need);
        } else {
            Potri.need(c, need, c.args.n);
            Unpacked.need(c, need, c.args.n);
        }
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        if (Unpacked.once(c, Kernel.POTRI_STORED) || c.tier() == Unpacked.NONE) {
            c.alone();
            Launch l = Unpacked.launch(c, Kernel.POTRI_STORED);
            l.c.set(g.c);
            c.scope.launch();
            return;
        }
        Unpacked.parts(c, g.c, null, Pptri::invert);
    }

    private static void invert(Call c, Operand packed, Operand sides, Operand info, Block a) {
        Unpacked.unpack(c.scope, packed, a);
        Potri.invertInPlace(c, a, info);
        Unpacked.pack(c.scope, a, packed);
    }
}
