package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.List;

/**
 * Reflectors for other rooms. Their slots are the first of the first two tiers; in the third they are applied one by one and there are none. Reflectors are in the columns of
 * a block as it is read, so those of an LQ factorisation are in the columns of its conjugate transpose.
 */
public final class Reflectors {
    /** What every composite with reflectors may run. */
    public static final List<String> TIERS = BlockReflector.TIERS;

    /** Slots of the first two tiers. */
    public static final int SLOTS = BlockReflector.PANEL + 1;

    private Reflectors() {}

    /** The tiers of the QR factorisation of an m×n matrix, as it is read. */
    public static void needFactor(Call c, Need need, long m, long n, boolean turned) {
        Geqrf.need(c, need, m, n, turned ? m : 0);
    }

    /** The tiers of k reflectors of m elements, applied to so many lines. */
    public static void needApply(Call c, Need need, long m, long lines, long k) {
        Ormqr.need(c, need, m, lines, k);
    }

    /** The tiers of the first n columns of the product of k reflectors of m elements. */
    public static void needForm(Call c, Need need, long m, long n, long k) {
        Orgqr.need(c, need, m, n, k);
    }

    /** Begins a call whose need has these tiers: gives the packing memory to products. The first slot of the routine's own. */
    public static int begin(Call c) {
        if (c.tier() >= 2) {
            return 0;
        }
        Packing.use(c, BlockReflector.PACKING);
        return SLOTS;
    }

    /** Factors a block. */
    public static void factor(Call c, Block a, Operand tau) {
        Geqrf.factor(c, a, tau, c.tier() < 2);
    }

    /** The slots of QR with column pivoting, of n columns, in the tier just begun: two of them. */
    public static void pivoted(Call c, Need need, int tier, long n) {
        need.slot("F", Geqp3.products(c, tier, n)).slot("norms", Geqp3.norms(c, n));
    }

    /** QR with column pivoting of a block that is read as it is stored; {@code slot} is the first of its two. */
    public static void pivoted(Call c, Block a, Operand jpvt, Operand tau, int slot) {
        Geqp3.factor(c, a, jpvt, tau, c.slot(slot), c.slot(slot + 1));
    }

    /** b := op(H₁…Hₖ)·b (LEFT) or b·op(H₁…Hₖ), the reflectors of v. */
    public static void apply(Call c, Side side, Op op, Block v, Operand tau, Block b) {
        if (v.cols > 0 && b.rows > 0 && b.cols > 0) {
            Ormqr.apply(c, side, op, v, tau, b, c.tier() < 2);
        }
    }

    /** Whether k reflectors are applied to m×n elements in one launch, however these and those lie: then a device that does its work at once takes it as a small call. */
    public static boolean appliesFew(Call c, long m, long n, long k) {
        return !c.traits.reach().waves() && BlockReflector.fewAcross(c, Kernel.ORM2R, m, n, k);
    }

    /** Whether all columns of the product of n reflectors are made in one launch, however they lie. */
    public static boolean formsFew(Call c, long n) {
        return !c.traits.reach().waves() && BlockReflector.fewAcross(c, Kernel.ORG2R, n, n, n);
    }

    /** The columns of a := the first ones of H₁…Hₖ, whose reflectors are in its first k columns. */
    public static void form(Call c, Block a, Operand tau, long k) {
        if (a.cols > 0) {
            Orgqr.form(c, a, tau, k, c.tier() < 2);
        }
    }

    /** Columns of a panel that one launch factors. */
    public static long width(Call c) {
        return BlockReflector.width(c, 0);
    }

    /** Factors a panel in another place, v, where its vectors lie in columns, and makes the triangle t of its block reflector; of all factors those from {@code first} on are its. */
    public static void panel(Call c, Block panel, Block v, Operand tau, long all, long first, Block t) {
        Scope s = c.scope;
        boolean lying = panel.op != Op.NONE;
        if (lying) {
            Geqrf.turn(s, panel.h(), v);
        } else {
            s.copy(panel, v);
        }
        Geqrf.panel(s, v, tau, all, first, t);
        if (lying) {
            Geqrf.turn(s, v, panel.h());
        } else {
            s.copy(v, panel);
        }
    }

    /** c := the conjugate transpose of a. */
    public static void turn(Scope s, Block a, Block c) {
        Geqrf.turn(s, a, c);
    }
}
