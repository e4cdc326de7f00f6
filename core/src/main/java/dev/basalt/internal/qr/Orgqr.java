package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.Org2lSignature;
import dev.basalt.internal.signature.Org2rSignature;
import dev.basalt.internal.signature.Orgl2Signature;
import dev.basalt.internal.signature.OrglqSignature;
import dev.basalt.internal.signature.OrgqlSignature;
import dev.basalt.internal.signature.OrgqrSignature;
import dev.basalt.internal.signature.Orgr2Signature;
import dev.basalt.internal.signature.OrgrqSignature;
import dev.basalt.internal.signature.Ung2lSignature;
import dev.basalt.internal.signature.Ung2rSignature;
import dev.basalt.internal.signature.Ungl2Signature;
import dev.basalt.internal.signature.UnglqSignature;
import dev.basalt.internal.signature.UngqlSignature;
import dev.basalt.internal.signature.UngqrSignature;
import dev.basalt.internal.signature.Ungr2Signature;
import dev.basalt.internal.signature.UngrqSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Q from its reflectors, in their place. From the last block of reflectors to the first: it is applied to the columns that are there already, then its own columns
 * are made of V and T by products. Without workspace one launch works reflector by reflector.
 */
public final class Orgqr extends Routine {
    /** The first columns of Q of A = Q·R, real elements. */
    public static final Orgqr ORGQR = new Orgqr(new OrgqrSignature(), Shape.QR);

    /** The first columns of Q of A = Q·R, complex elements. */
    public static final Orgqr UNGQR = new Orgqr(new UngqrSignature(), Shape.QR);

    /** The first columns of Q of A = Q·R, real elements, by LAPACK's name for the way without blocks. */
    public static final Orgqr ORG2R = new Orgqr(new Org2rSignature(), Shape.QR);

    /** The first columns of Q of A = Q·R, complex elements, by LAPACK's name for the way without blocks. */
    public static final Orgqr UNG2R = new Orgqr(new Ung2rSignature(), Shape.QR);

    /** The first rows of Q of A = L·Q, real elements. */
    public static final Orgqr ORGLQ = new Orgqr(new OrglqSignature(), Shape.LQ);

    /** The first rows of Q of A = L·Q, complex elements. */
    public static final Orgqr UNGLQ = new Orgqr(new UnglqSignature(), Shape.LQ);

    /** The first rows of Q of A = L·Q, real elements, by LAPACK's name for the way without blocks. */
    public static final Orgqr ORGL2 = new Orgqr(new Orgl2Signature(), Shape.LQ);

    /** The first rows of Q of A = L·Q, complex elements, by LAPACK's name for the way without blocks. */
    public static final Orgqr UNGL2 = new Orgqr(new Ungl2Signature(), Shape.LQ);

    /** The last columns of Q of A = Q·L, real elements. */
    public static final Orgqr ORGQL = new Orgqr(new OrgqlSignature(), Shape.QL);

    /** The last columns of Q of A = Q·L, complex elements. */
    public static final Orgqr UNGQL = new Orgqr(new UngqlSignature(), Shape.QL);

    /** The last columns of Q of A = Q·L, real elements, by LAPACK's name for the way without blocks. */
    public static final Orgqr ORG2L = new Orgqr(new Org2lSignature(), Shape.QL);

    /** The last columns of Q of A = Q·L, complex elements, by LAPACK's name for the way without blocks. */
    public static final Orgqr UNG2L = new Orgqr(new Ung2lSignature(), Shape.QL);

    /** The last rows of Q of A = R·Q, real elements. */
    public static final Orgqr ORGRQ = new Orgqr(new OrgrqSignature(), Shape.RQ);

    /** The last rows of Q of A = R·Q, complex elements. */
    public static final Orgqr UNGRQ = new Orgqr(new UngrqSignature(), Shape.RQ);

    /** The last rows of Q of A = R·Q, real elements, by LAPACK's name for the way without blocks. */
    public static final Orgqr ORGR2 = new Orgqr(new Orgr2Signature(), Shape.RQ);

    /** The last rows of Q of A = R·Q, complex elements, by LAPACK's name for the way without blocks. */
    public static final Orgqr UNGR2 = new Orgqr(new Ungr2Signature(), Shape.RQ);

    private final Shape shape;

    private Orgqr(Signature signature, Shape shape) {
        super(signature);
        this.shape = shape;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long order = shape.rows ? g.n : g.m;
        long columns = shape.rows ? g.m : g.n;
        need(c, need, order, columns, g.k);
    }

    /** The need of the first n columns of the product of k reflectors of m elements. */
    static void need(Call c, Need need, long m, long n, long k) {
        long aside = BlockReflector.aside(c, m);
        if (WideReflector.takes(c, k)) {
            WideReflector.need(c, need, m, n, k, k, aside);
        } else {
            BlockReflector.need(c, need, m, n, k, aside);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Block a = shape.read(c.scope, g.c, g.m, g.n);
        boolean large = c.tier() < 2;
        if (large) {
            Packing.use(c, BlockReflector.PACKING);
        }
        if (form(c, a, g.d, g.k, large)) {
            c.alone();
        }
    }

    /** The columns of a := the first ones of H₁…Hₖ: by blocks, or in one launch; returns whether that was all. */
    static boolean form(Call c, Block a, Operand tau, long k, boolean large) {
        if (large && WideReflector.takes(c, k) && WideReflector.fits(c, a.rows, a.cols, k)) {
            wide(c, a, tau, k);
            return false;
        }
        boolean columns = a.op == Op.NONE && !a.mirrored();
        boolean few = BlockReflector.fewAcross(c, Kernel.ORG2R, a.rows, a.cols, k)
                || columns && BlockReflector.oneByOne(c, Kernel.ORG2R, a.rows, a.cols, k)
                || BlockReflector.atOnce(c, a.rows, a.cols, k);
        if (large && k > 0 && !few) {
            if (BlockReflector.fitsAside(c, a.rows, a.cols, k)) {
                aside(c, a, tau, k);
            } else {
                form(c, a, tau, k);
            }
            return false;
        }
        Launch l = c.scope.kernel(Kernel.ORG2R);
        l.m = a.rows;
        l.n = a.cols;
        l.k = k;
        l.opB = a.op;
        l.backward = a.mirrored();
        a.into(l.c);
        l.d.set(tau);
        c.scope.launch();
        return true;
    }

    /** Few reflectors move aside, and are applied to the identity in one launch. */
    private static void aside(Call c, Block a, Operand tau, long k) {
        Scope s = c.scope;
        int mark = s.mark();
        Block v = WideReflector.upright(s, a.cols(0, k), c.slot(BlockReflector.PANEL));
        identity(s, a, 0, a.cols);
        BlockReflector.oneByOne(c, Side.LEFT, Op.NONE, v, tau, k, 0, a);
        s.release(mark);
    }

    private static void form(Call c, Block a, Operand tau, long k) {
        Scope s = c.scope;
        identity(s, a, k, a.cols - k);
        long nb = BlockReflector.width(c, c.tier(), k);
        for (long j = (k - 1) / nb * nb; j >= 0; j -= nb) {
            int mark = s.mark();
            long jb = Math.min(nb, k - j);
            Block v = a.block(j, j, a.rows - j, jb);
            Block x = BlockReflector.triangle(c, v);
            Block t = BlockReflector.form(c, v, x, tau, k, j);
            Block right = a.block(j, j + jb, a.rows - j, a.cols - j - jb);
            BlockReflector.apply(c, Side.LEFT, Op.NONE, v, x, t, right);
            columns(c, v, x, t);
            zero(s, a.block(0, j, j, jb));
            s.release(mark);
        }
    }

    /** As {@link #form}, several blocks of reflectors at a time: where they were stand columns of the identity, to which they are applied as to those right of them. */
    private static void wide(Call c, Block a, Operand tau, long k) {
        Scope s = c.scope;
        identity(s, a, k, a.cols - k);
        long nb = WideReflector.width(c, k);
        Block all = WideReflector.triangles(c, a.cols(0, k), tau);
        for (long j = (k - 1) / nb * nb; j >= 0; j -= nb) {
            int mark = s.mark();
            long jb = Math.min(nb, k - j);
            Block v = WideReflector.vectors(c, a.block(j, j, a.rows - j, jb));
            Block t = WideReflector.triangle(c, all, v, tau, k, j);
            identity(s, a, j, jb);
            WideReflector.apply(c, Side.LEFT, Op.NONE, v, t, a.block(j, j, a.rows - j, a.cols - j));
            s.release(mark);
        }
    }

    /** The columns of v := the first ones of I - V·T·Vᴴ: those of I + V·M with the triangle M = -T·Xᴴ. */
    private static void columns(Call c, Block v, Block x, Block t) {
        Scope s = c.scope;
        long k = v.cols;
        boolean plain = v.op == Op.NONE;
        Block stored = s.dense(c.slot(BlockReflector.W), k, k);
        s.copy(x.stored(), stored);
        s.triangle(Kernel.TRMM, plain ? Side.RIGHT : Side.LEFT, Scope.MINUS_ONE, plain ? t.h() : t, stored);
        boolean lower = plain != v.mirrored();
        Block half = stored.triangle(lower ? Uplo.LOWER : Uplo.UPPER, Diag.NON_UNIT);
        Block m = plain ? half.h() : half;
        Block below = v.rows(k, v.rows - k);
        s.triangle(Kernel.TRMM, plain ? Side.RIGHT : Side.LEFT, Scope.ONE, plain ? m : m.h(), below.stored());
        Block top = v.rows(0, k);
        zero(s, top);
        ones(s, top);
        BlockReflector.product(s, 1, x, m, top);
    }

    /** Columns first…first+count-1 of a := those of the identity. */
    private static void identity(Scope s, Block a, long first, long count) {
        if (count > 0) {
            int mark = s.mark();
            zero(s, a.cols(first, count));
            ones(s, a.block(first, first, count, count));
            s.release(mark);
        }
    }

    private static void zero(Scope s, Block b) {
        s.scale(Scope.ZERO, b.stored());
    }

    /** The diagonal of a square := 1. */
    private static void ones(Scope s, Block square) {
        Launch l = s.kernel(Kernel.FILL);
        l.n = square.rows;
        square.into(l.c);
        l.c.vector = true;
        l.c.cols = 1;
        l.c.ld++;
        s.launch();
    }
}
