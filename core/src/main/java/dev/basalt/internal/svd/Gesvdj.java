package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.GesvdjSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;

/**
 * A = U·S·Vᴴ by one-sided Jacobi on the conjugate transpose of the triangle that QR with column pivoting leaves (Drmač and Veselić, "New fast and accurate Jacobi SVD algorithm", 2008).
 * Small values have all their digits where A is a well conditioned matrix with scaled rows or columns. A wide matrix is decomposed as its conjugate transpose.
 */
public final class Gesvdj extends Routine {
    /** The family. */
    public static final Gesvdj ROUTINE = new Gesvdj();

    private static final int U = 1;
    private static final int VT = 3;

    /** Slots behind those of reflectors and of column pivoting. */
    private static final int PIVOTS = 2;

    private static final int FACTORS = 3;
    private static final int NORM = 4;
    private static final int TRIANGLE = 5;
    private static final int ROTATIONS = 6;
    private static final int TURNED = 7;
    private static final int SHARED = 8;

    /** Bytes of a column's number. */
    private static final long PIVOT = 8;

    private Gesvdj() {
        super(new GesvdjSignature());
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case U -> c.args.leftSvect.stored();
            case VT -> c.args.rightSvect.stored();
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return (operand == U || operand == VT) && !uses(c, operand);
    }

    @Override
    protected void quickRun(Call c) {
        Factors.quick(c);
    }

    private static boolean turned(Call c) {
        return c.args.m < c.args.n;
    }

    private static Svect left(Call c) {
        return turned(c) ? c.args.rightSvect : c.args.leftSvect;
    }

    private static Svect right(Call c) {
        return turned(c) ? c.args.leftSvect : c.args.rightSvect;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long m = Math.max(g.m, g.n);
        long n = Math.min(g.m, g.n);
        // The largest wide matrix within this one; a tall one needs no less.
        long wide = Math.min(g.m, Math.max(0, g.n - 1));
        long whole = Chunks.times(Chunks.times(wide, g.n), g.type.bytes(), g.count);
        long square = Scope.squareBytes(g.type, n, g.count);
        need.part();
        Reflectors.needApply(c, need, m, Factors.across(g, m, n), n);
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            need.tier(Reflectors.TIERS.get(t));
            Reflectors.pivoted(c, need, t, n);
            need.slot("jpvt", Chunks.times(n, PIVOT, g.count)).slot("tau", Chunks.times(n, g.type.bytes(), g.count));
            need.slot("norm", Range.bytes(c)).slot("triangle", square).slot("rotations", square).slot("turned", whole);
            need.slot("shared", shared(c, t, n));
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        int own = Reflectors.begin(c);
        long m = Math.max(g.m, g.n);
        long n = Math.min(g.m, g.n);
        InfoArray.clear(c);
        Operand jpvt = c.k.c.vector(ElementType.I64, c.slot(own + PIVOTS), n, 1, n);
        Operand tau = c.k.b.vector(g.type, c.slot(own + FACTORS), n, 1, n);
        Block whole = s.of(g.c, g.m, g.n);
        Operand norm = Range.enter(c, whole, c.slot(own + NORM));
        Block a = whole;
        if (turned(c)) {
            a = s.dense(c.slot(own + TURNED), m, n);
            Factors.bring(s, whole.h(), a);
        }
        clear(c, jpvt);
        Reflectors.pivoted(c, a, jpvt, tau, own);
        Block x = s.dense(c.slot(own + TRIANGLE), n, n);
        Block v = s.dense(c.slot(own + ROTATIONS), n, n);
        Factors.bring(s, a.rows(0, n).h(), x);
        lower(s, x);
        iterate(c, x, v, own + SHARED);
        if (left(c) != Svect.NONE) {
            Block u = turned(c) ? s.of(g.d, left(c).columns(m, n), m).h() : s.of(g.b, m, left(c).columns(m, n));
            Factors.bring(s, v, u.block(0, 0, n, n));
            Factors.extend(s, u, n);
            Reflectors.apply(c, Side.LEFT, Op.NONE, a, tau, u);
        }
        if (right(c) != Svect.NONE) {
            Launch l = s.kernel(Kernel.PERMUTE_ROWS);
            l.m = n;
            l.n = n;
            x.into(l.a);
            v.into(l.c);
            l.d.set(jpvt);
            s.launch();
            Factors.bring(s, v, turned(c) ? s.of(g.b, n, n) : s.of(g.d, n, n).h());
        }
        Range.leave(c, norm, g.a, n);
    }

    private static void clear(Call c, Operand jpvt) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = ElementType.I64;
        l.n = jpvt.rows;
        l.alpha.set(Scope.ZERO);
        l.c.set(jpvt);
        c.scope.launch();
    }

    /** What is above the diagonal := 0. */
    static void lower(Scope s, Block x) {
        if (x.rows < 2) {
            return;
        }
        Launch l = s.kernel(Kernel.LASET);
        l.region = Region.UPPER;
        l.m = x.rows - 1;
        l.n = x.cols - 1;
        l.alpha.set(Scope.ZERO);
        l.beta.set(Scope.ZERO);
        x.block(0, 1, x.rows - 1, x.cols - 1).into(l.c);
        s.launch();
    }

    /** Bytes for what blocks that share a matrix tell each other, 0 where none do. */
    static long shared(Call c, int tier, long n) {
        return tier >= 2 ? 0 : JacobiWork.oneSided(c.traits.reach(), c.args.type, n, c.args.count);
    }

    /** Lets blocks share what a launch rotates, where they do. */
    static void share(Call c, Launch l, int slot) {
        long bytes = shared(c, c.tier(), l.n);
        if (bytes > 0) {
            l.work = c.slot(slot);
            l.workBytes = bytes;
        }
    }

    private static void iterate(Call c, Block x, Block v, int slot) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GESVJ);
        l.m = x.rows;
        l.n = x.cols;
        l.q = g.q;
        l.alpha.set(g.alpha);
        l.a.set(g.a);
        v.into(l.b);
        x.into(l.c);
        l.e.set(g.e);
        l.f.set(g.f);
        l.g.set(g.g);
        share(c, l, slot);
        c.scope.launch();
    }
}
