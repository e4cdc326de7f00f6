package dev.basalt.internal.lowprecision;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.lu.Getrf;
import dev.basalt.internal.lu.Getrs;
import dev.basalt.internal.signature.GesvMixedSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;

/** General matrices by LU. */
public class GesvMixed extends Refined {
    /** The family. */
    public static final GesvMixed ROUTINE = new GesvMixed();

    private GesvMixed() {
        super(new GesvMixedSignature());
    }

    GesvMixed(Signature signature) {
        super(signature);
    }

    @Override
    void parts(Call c, Need need) {
        Getrf.need(c, need, c.args.n, c.args.n);
        need.part();
        Getrs.need(c, need, c.args.n, c.args.k);
    }

    @Override
    void factor(Call c, Block a) {
        Getrf.factor(c, a);
    }

    @Override
    void solve(Call c, Block a, Block b) {
        if (b.cols > 0) {
            Getrs.solve(c, Op.NONE, a, b, null);
        }
    }

    @Override
    Kernel conversion() {
        return Kernel.CONVERT;
    }

    @Override
    Kernel sums() {
        return Kernel.ROW_SUMS;
    }

    @Override
    void residual(Call c, Block a, Block x, Block r) {
        if (r.cols != 1) {
            c.scope.gemm(-1, a, x, 1, r);
            return;
        }
        Launch l = c.scope.kernel(Kernel.GEMV);
        vectors(l, a, x, r);
        c.scope.launch();
    }
}
