package dev.basalt.internal.product;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Conversions;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GemmSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.DeviceTraits;
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
     * Bytes of packing memory for a product: monotone in every dimension.
     *
     * @param traits the device
     * @param type element type
     * @param tier 0 full blocks, 1 small blocks, 2 none
     * @param m rows
     * @param n columns
     * @param k inner dimension
     * @return bytes
     */
    public static long bytes(DeviceTraits traits, ElementType type, int tier, long m, long n, long k) {
        return traits.gemm(type).bytes(tier, m, n, k, type.bytes(), traits.workers());
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
            need.tier("own kernels").slot("packing", 0);
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
        need.tier(PACKED).slot("packing", bytes(c.traits, c.args.type, 0, m, n, k));
        need.tier("packed, small blocks").slot("packing", bytes(c.traits, c.args.type, 1, m, n, k));
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
