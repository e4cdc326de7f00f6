package dev.basalt.internal.product;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Conversions;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GemmSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.RoundedFactors;
import dev.basalt.type.ElementType;

/**
 * C := alpha·op(A)·op(B) + beta·C. The device packs blocks of A and B into the workspace (Goto and van de Geijn, 2008) where
 * it has packing blocks; with little workspace the blocks are small, with none it reads the operands in place.
 */
public final class Gemm extends Routine {
    /** The family. */
    public static final Gemm ROUTINE = new Gemm();

    /** The best tier. */
    public static final String PACKED = "packed";

    private Gemm() {
        super(new GemmSignature());
    }

    /**
     * Bytes of packing memory for the products inside a routine, or of an engine's workspace if they are worth it: monotone in every dimension.
     *
     * @param c the call
     * @param type element type of the products
     * @param tier 0 full blocks or the engine, 1 small blocks, 2 none
     * @param m rows of the largest
     * @param n columns of the largest
     * @param k inner dimension of the largest
     * @return bytes
     */
    public static long bytes(Call c, ElementType type, int tier, long m, long n, long k) {
        GemmBlocking blocking = c.traits.gemm(type);
        GemmEngine engine = blocking.engine();
        boolean served = tier == 0 && engine != null && c.args.count == 1 && engine.serves(type, m, n, k);
        long packed = packed(c, type, tier, m, n, k);
        return served ? Math.max(packed, engine.bytes()) : packed;
    }

    /** The same for products that no engine takes: those of an extent that only the device knows, and of triangles. */
    public static long packed(Call c, ElementType type, int tier, long m, long n, long k) {
        return c.traits.gemm(type).bytes(tier, m, n, k, type.bytes(), c.traits.workers());
    }

    @Override
    protected void need(Call c, Need need) {
        long m = c.args.m;
        long n = c.args.n;
        long k = c.args.k;
        if (Conversions.has(c)) {
            Conversions.need(c, Kernel.GEMM, need);
            return;
        }
        if (Emulated.takes(c.args)) {
            Emulated.need(c, need);
        }
        GemmEngine engine = c.traits.gemm(c.args.type).engine();
        if (engine != null && engine.takes(c.args)) {
            need.tier(engine.name()).slot("engine", engine.bytes());
            need.tier(GemmEngine.OWN_KERNELS).slot("packing", 0);
            return;
        }
        boolean own = engine == null || RoundedFactors.worth(c.args);
        RoundedFactors rounded = own ? c.traits.gemm(c.args.type).rounded() : null;
        if (rounded != null && rounded.takes(c.args)) {
            for (int t = 0; t < RoundedFactors.tiers(); t++) {
                need.tier(RoundedFactors.name(t, c.args)).slot("factors", RoundedFactors.bytes(t, c.args));
            }
            need.tier(RoundedFactors.splits(c.args) ? "as by default" : "rounded in registers").slot("factors", 0);
            return;
        }
        if (Thin.is(c.traits, c.args)) {
            need.tier("matrix times vector").slot("packing", 0);
            return;
        }
        need.tier(PACKED).slot("packing", packed(c, c.args.type, 0, m, n, k));
        need.tier("packed, small blocks").slot("packing", packed(c, c.args.type, 1, m, n, k));
        need.tier("in place").slot("packing", 0);
    }

    @Override
    protected void run(Call c) {
        if (Conversions.has(c)) {
            c.launchArgs(Kernel.GEMM, c.slot(0), c.slotBytes(0));
            return;
        }
        if (Emulated.takes(c.args) && c.algorithm() == 0) {
            emulate(c);
            return;
        }
        GemmEngine engine = c.traits.gemm(c.args.type).engine();
        boolean taken = engine != null && engine.takes(c.args);
        if (!taken && Thin.is(c.traits, c.args)) {
            Thin.launch(c.scope, c.args);
            return;
        }
        if (!taken && Thin.several(c.traits, c.args)) {
            Thin.launchSeveral(c.scope, c.args);
            return;
        }
        // What the engine may not do for its scalars' sake the device's own kernels do, which want none of its
        // workspace.
        boolean lent = engine == null || engine.may(c.args) || RoundedFactors.worth(c.args);
        c.launchArgs(Kernel.GEMM, lent ? c.slot(0) : 0, lent ? c.slotBytes(0) : 0);
    }

    /** With alpha = 0 neither factor is read. */
    private static void emulate(Call c) {
        if (c.args.alpha.is(0)) {
            c.launchArgs(Kernel.GEMM, 0, 0);
        } else {
            Emulated.run(c);
        }
    }
}
