package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
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
            Launch l = Unpacked.launch(c, Kernel.POTRI_STORED);
            l.c.set(g.c);
            c.scope.launch();
            return;
        }
        Packing.use(c, 1);
        Scope s = c.scope;
        Operand packed = s.part();
        Operand info = s.part();
        Block a = Unpacked.dense(c);
        long most = Unpacked.problems(c, c.tier(), g.n);
        for (long first = 0; first < g.count; first += most) {
            int mark = s.mark();
            s.count(Math.min(most, g.count - first));
            s.guard = null;
            Unpacked.unpack(s, packed.problems(g.c, first), a);
            Potri.invertInPlace(c, a, info.problems(g.e, first));
            Unpacked.pack(s, a, packed);
            s.release(mark);
        }
    }
}
