package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Schur;
import dev.basalt.type.Side;

/** What the drivers share: a matrix is brought into the range, balanced, and brought to Hessenberg and to Schur form. Its slots are those of reflectors, where vectors are asked for, and four of its own. */
final class Forms {
    /** Slots of reflectors. */
    private static final int REFLECTORS = 5;

    private static final int TAU = 1;
    private static final int SCALE = 2;
    private static final int NORM = 3;

    /** Bytes of ilo and ihi. */
    private static final long BOUNDS = 16;

    private Forms() {}

    /** The tiers; {@code eigenvectors}: with room for those of the Schur form; {@code conditions}: with so many bytes for condition numbers. */
    static void need(Call c, Need need, boolean vectors, boolean eigenvectors, long conditions) {
        Launch g = c.args;
        long n = g.n;
        need.part();
        if (vectors) {
            Reflectors.needForm(c, need, Math.max(0, n - 1), Math.max(0, n - 1), Math.max(0, n - 1));
        } else {
            for (int t = 0; t < 3; t++) {
                need.tier(Reflectors.TIERS.get(t)).slot("packing", packing(c, t, n, false));
            }
        }
        need.part();
        for (int t = 0; t < 3; t++) {
            need.tier(Reflectors.TIERS.get(t));
            if (t < 2) {
                need.slot("packing", packing(c, t, n, eigenvectors));
            }
            long work = Math.max(conditions, Math.max(Hessenberg.bytes(c, t, n), Hseqr.bytes(c, t, n)));
            need.slot("work", eigenvectors ? Math.max(work, Trevc3.bytes(c, t, n)) : work);
            need.slot("tau", Chunks.times(n, g.type.bytes(), g.count));
            need.slot("scale", Chunks.times(Math.addExact(Chunks.times(n, g.type.real().bytes()), BOUNDS), g.count));
            need.slot("norm", Range.bytes(c));
        }
        need.together();
    }

    private static long packing(Call c, int t, long n, boolean eigenvectors) {
        if (t > 1) {
            return 0;
        }
        long most = Math.max(Hessenberg.packing(c, t, n), Hseqr.packing(c, t, n));
        return eigenvectors ? Math.max(most, Trevc3.packing(c, t, n)) : most;
    }

    /** The slot of scratch that is free again once there is a Schur form; those behind it are not. */
    static int work(Call c, boolean vectors) {
        return !vectors ? 1 : c.tier() < 2 ? REFLECTORS : 0;
    }

    /** Brings a to Schur form; z, if there is one, := the vectors of the balanced matrix. The norm that eigenvalues are to be scaled by. */
    static Operand schur(Call c, Balance balance, Schur job, Block a, Block z) {
        int work = work(c, z != null);
        return schur(c, balance, job, a, z, ilo(c, work), ihi(c, work), scale(c, work), null);
    }

    /** The same with operands for what balancing finds, and for the 1-norm behind it, if that is wanted. */
    static Operand schur(Call c, Balance balance, Schur job, Block a, Block z, Operand ilo, Operand ihi, Operand scale,
            Operand abnrm) {
        Launch g = c.args;
        Scope s = c.scope;
        long n = g.n;
        Reflectors.begin(c);
        int work = work(c, z != null);
        Operand tau = s.part().vector(g.type, c.slot(work + TAU), n, 1, n);
        Operand norm = Range.enter(c, a, c.slot(work + NORM));
        Gebal.balance(s, balance, n, g.c, ilo, ihi, scale);
        if (abnrm != null) {
            Range.columns(c, a, abnrm, c.slot(work + NORM));
            Range.leave(c, norm, abnrm, 1);
        }
        Operand factors = s.part().slice(tau, 0, Math.max(1, n - 1));
        Hessenberg.reduce(c, a, factors, 0, n, Hessenberg.width(c.args.type, c.tier(), n), c.slot(work));
        if (z != null) {
            Orghr.form(c, a, tau, z);
        }
        Hseqr.iterate(c, job, a, z, 0, n, c.slot(work), c.slotBytes(work));
        return norm;
    }

    private static Operand ilo(Call c, int work) {
        return c.scope.part().vector(ElementType.I64, c.slot(work + SCALE), 1, 1, 1);
    }

    private static Operand ihi(Call c, int work) {
        return c.scope.part().vector(ElementType.I64, c.slot(work + SCALE) + BOUNDS / 2 * c.args.count, 1, 1, 1);
    }

    private static Operand scale(Call c, int work) {
        long n = c.args.n;
        return c.scope.part().vector(c.args.type.real(), c.slot(work + SCALE) + BOUNDS * c.args.count, n, 1, n);
    }

    /** sdim := 0: nothing is chosen yet. */
    static void none(Call c, Operand sdim) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = ElementType.I64;
        l.n = 1;
        l.alpha.set(0, 0);
        l.c.set(sdim);
        c.scope.launch();
    }

    /** Vectors of the balanced matrix become those of the given one. */
    static void unbalance(Call c, Balance balance, Side side, Block v) {
        int work = work(c, true);
        unbalance(c, balance, side, v, ilo(c, work), ihi(c, work), scale(c, work));
    }

    /** The same with operands that balancing found. */
    static void unbalance(Call c, Balance balance, Side side, Block v, Operand ilo, Operand ihi, Operand scale) {
        Gebak.undo(c.scope, balance, side, v, ilo, ihi, scale);
    }
}
