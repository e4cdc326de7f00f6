package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.Trevc3Signature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Evect;

/** Eigenvectors of a matrix in Schur form: groups of vectors are solved for together, so most of the substitution, and the product with Schur vectors, is products. */
public final class Trevc3 extends Routine {
    /** The family. */
    public static final Trevc3 ROUTINE = new Trevc3();

    private static final int VL = 3;
    private static final int VR = 5;

    /** Vectors that are worked on at once in a tier. */
    private static final long[] GROUPS = {64, 2};

    private Trevc3() {
        super(new Trevc3Signature());
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case VL -> c.args.leftEvect != Evect.NONE;
            case VR -> c.args.rightEvect != Evect.NONE;
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return (operand == VL || operand == VR) && !uses(c, operand);
    }

    /** Bytes for vectors that are worked on at once. */
    static long bytes(Call c, int tier, long n) {
        long group = Math.min(n, GROUPS[Math.min(tier, 1)]);
        return Chunks.times(Chunks.times(n, 2 * group + 3), c.args.type.bytes(), c.args.count);
    }

    /** Bytes for packing in their products. */
    static long packing(Call c, int tier, long n) {
        long group = Math.min(n, GROUPS[Math.min(tier, 1)]);
        return tier > 0 ? 0 : Gemm.bytes(c, c.args.type, 0, n, group, n);
    }

    @Override
    protected void need(Call c, Need need) {
        for (int t = 0; t < 2; t++) {
            need.tier(t == 0 ? "groups" : "pairs")
                    .slot("packing", packing(c, t, c.args.n))
                    .slot("vectors", bytes(c, t, c.args.n));
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Packing.use(c, 0);
        Block t = c.scope.of(g.c, g.n, g.n);
        Block vl = g.leftEvect == Evect.NONE ? null : c.scope.of(g.d, g.n, g.n);
        Block vr = g.rightEvect == Evect.NONE ? null : c.scope.of(g.f, g.n, g.n);
        vectors(c, g.leftEvect, g.rightEvect, t, vl, vr, c.slot(1), c.slotBytes(1));
    }

    /** Vectors of t into vl and vr, null where there are none. */
    static void vectors(Call c, Evect left, Evect right, Block t, Block vl, Block vr, long work, long bytes) {
        Launch l = c.scope.packing(Kernel.TREVC);
        l.leftEvect = left;
        l.rightEvect = right;
        l.n = t.rows;
        l.k = (bytes / c.args.type.bytes() / Math.max(1, c.args.count) / t.rows - 3) / 2;
        t.into(l.c);
        if (vl != null) {
            vl.into(l.d);
        }
        if (vr != null) {
            vr.into(l.f);
        }
        long elements = t.rows * (2 * l.k + 3);
        l.g.vector(c.args.type, work, elements, 1, elements);
        c.scope.launch();
    }
}
