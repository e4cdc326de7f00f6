package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.GesvdjSignature;
import dev.basalt.internal.symmetric.Syev;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.util.List;

/**
 * A = U·S·Vᴴ by one-sided Jacobi on the conjugate transpose of the triangle that QR with column pivoting leaves (Drmač and Veselić, "New fast and accurate Jacobi SVD algorithm", 2008).
 * Small values have all their digits where A is a well conditioned matrix whose columns are scaled, or the rows of a wide one. A wide matrix is decomposed as its conjugate transpose.
 *
 * <p>
 * Where products are worth it the iteration begins with approximate vectors, the eigenvectors of the triangle's square by divide and conquer (Drmač and Veselić, "Approximate eigenvectors as preconditioner", 2000). They are unitary whatever they
 * approximate, so nothing is lost by them unless columns are of very different length; it begins without them then.
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

    /** Slots of approximate vectors: they themselves, products with them, and where numbers are single the matrix and the values in double precision. */
    private static final int NEAR = 9;

    private static final int PRODUCT = 10;
    private static final int WIDE = 11;
    private static final int SQUARES = 12;

    /** What the tiers with approximate vectors run. */
    private static final List<String> NEAR_TIERS =
            Reflectors.TIERS.stream().map(tier -> "divide and conquer, " + tier).toList();

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
        if (approximates(c)) {
            need(c, need, m, n, square, whole, true);
            need.keep(2).below();
        }
        need(c, need, m, n, square, whole, false);
        need.together();
    }

    private static void need(Call c, Need need, long m, long n, long square, long whole, boolean near) {
        Launch g = c.args;
        ElementType type = g.type;
        need.part();
        Reflectors.needApply(c, need, m, Factors.across(g, m, n), n);
        if (near) {
            g.type = wide(type);
            Syev.needVectors(c, need, n);
            g.type = type;
        }
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            need.tier(near ? NEAR_TIERS.get(t) : Reflectors.TIERS.get(t));
            if (near && t < 2) {
                need.slot("packing", Gemm.bytes(c, wide(type), t, n, n, n));
            }
            Reflectors.pivoted(c, need, t, n);
            need.slot("jpvt", Chunks.times(n, PIVOT, g.count)).slot("factors", Chunks.times(n, type.bytes(), g.count));
            need.slot("range", Range.bytes(c)).slot("triangle", square).slot("rotations", square).slot("turned", whole);
            need.slot("shared", shared(c, t, n));
            if (near) {
                long wide = Scope.squareBytes(wide(type), n, g.count);
                boolean single = wide(type) != type;
                need.slot("near", wide).slot("product", wide).slot("wide", single ? wide : 0);
                need.slot("squares", single ? Chunks.times(n, wide(type).real().bytes(), g.count) : 0);
            }
        }
    }

    /** Whether the iteration begins with approximate vectors where there is room for them. */
    private static boolean approximates(Call c) {
        return !c.traits.reach().waves() && shared(c, 0, Math.min(c.args.m, c.args.n)) > 0;
    }

    /** The type of approximate vectors: squares have room for as many digits as single numbers. */
    private static ElementType wide(ElementType type) {
        return switch (type) {
            case F32 -> ElementType.F64;
            case C32 -> ElementType.C64;
            default -> type;
        };
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean near = approximates(c) && c.algorithm() == 0;
        int own = Reflectors.begin(c) + (near ? Syev.SLOTS : 0);
        long m = Math.max(g.m, g.n);
        long n = Math.min(g.m, g.n);
        InfoArray.clear(c);
        Operand jpvt = s.part().vector(ElementType.I64, c.slot(own + PIVOTS), n, 1, n);
        Operand tau = s.part().vector(g.type, c.slot(own + FACTORS), n, 1, n);
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
        Block product = near ? approximate(c, x, v, own) : null;
        iterate(c, x, left(c) != Svect.NONE || s.reach().waves() ? v : null, product, own + SHARED);
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

    /** v := approximate right vectors of x, those of large values first; x·v. */
    private static Block approximate(Call c, Block x, Block v, int own) {
        Launch g = c.args;
        Scope s = c.scope;
        ElementType type = g.type;
        long n = x.cols;
        lengths(c, x);
        // Where these are too different nothing is done, and the iteration knows.
        s.guard = g.e;
        Operand values = s.part();
        values.set(g.a);
        boolean single = wide(type) != type;
        type(c, wide(type));
        Operand square = s.part().matrix(g.type, c.slot(own + NEAR), n, n, n, n * n);
        Block near = s.of(square, n, n);
        Block product = s.dense(c.slot(own + PRODUCT), n, n);
        Block wide = x;
        if (single) {
            wide = s.dense(c.slot(own + WIDE), n, n);
            convert(c, x, wide);
            g.a.vector(g.type.real(), c.slot(own + SQUARES), n, 1, n);
        }
        // Eigenvalues rise, so those of -xᴴ·x are the squares from the largest on.
        int mark = s.mark();
        Syrk.update(c, true, 0, Scope.MINUS_ONE, wide.h(), Scope.ZERO, near.triangle(Uplo.LOWER, Diag.NON_UNIT));
        s.release(mark);
        Syev.vectors(c, square, n);
        s.gemm(1, wide, near, 0, product);
        type(c, type);
        g.a.set(values);
        Block rounded = product;
        if (single) {
            convert(c, near, v);
            rounded = s.dense(c.slot(own + WIDE), n, n);
            convert(c, product, rounded);
        } else {
            s.copy(near, v);
        }
        s.guard = null;
        return rounded;
    }

    private static void lengths(Call c, Block x) {
        Launch l = c.scope.kernel(Kernel.GESVJ);
        l.p = Kernel.LENGTHS;
        l.m = x.rows;
        l.n = x.cols;
        l.a.set(c.args.a);
        x.into(l.c);
        l.e.set(c.args.e);
        c.scope.launch();
    }

    /** From here on parts compute in a precision. */
    private static void type(Call c, ElementType type) {
        c.args.type = type;
        c.scope.type(type);
    }

    private static void convert(Call c, Block from, Block to) {
        Launch l = c.scope.kernel(Kernel.CONVERT);
        l.type = to.type();
        l.m = to.rows;
        l.n = to.cols;
        from.into(l.a);
        to.into(l.c);
        l.e.set(c.args.e);
        c.scope.launch();
    }

    private static void iterate(Call c, Block x, Block v, Block product, int slot) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GESVJ);
        l.m = x.rows;
        l.n = x.cols;
        l.q = g.q;
        l.alpha.set(g.alpha);
        l.a.set(g.a);
        if (v != null) {
            v.into(l.b);
        }
        x.into(l.c);
        if (product != null) {
            product.into(l.d);
        }
        l.e.set(g.e);
        l.f.set(g.f);
        l.g.set(g.g);
        share(c, l, slot);
        c.scope.launch();
    }
}
