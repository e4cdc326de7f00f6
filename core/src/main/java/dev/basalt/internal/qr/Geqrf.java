package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.Gelq2Signature;
import dev.basalt.internal.signature.GelqfSignature;
import dev.basalt.internal.signature.Geql2Signature;
import dev.basalt.internal.signature.GeqlfSignature;
import dev.basalt.internal.signature.Geqr2Signature;
import dev.basalt.internal.signature.GeqrfSignature;
import dev.basalt.internal.signature.Gerq2Signature;
import dev.basalt.internal.signature.GerqfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * Householder QR and its three relatives, LAPACK's reflectors and factors. Panels of columns, each with the triangle T of its block reflector from one launch,
 * then products with what is right of them. Without workspace the reflectors are applied one by one.
 */
public final class Geqrf extends Routine {
    /** A = Q·R. */
    public static final Geqrf GEQRF = new Geqrf(new GeqrfSignature(), Shape.QR);

    /** The same by LAPACK's name for the way without blocks. */
    public static final Geqrf GEQR2 = new Geqrf(new Geqr2Signature(), Shape.QR);

    /** A = L·Q. */
    public static final Geqrf GELQF = new Geqrf(new GelqfSignature(), Shape.LQ);

    /** The same by LAPACK's name for the way without blocks. */
    public static final Geqrf GELQ2 = new Geqrf(new Gelq2Signature(), Shape.LQ);

    /** A = Q·L. */
    public static final Geqrf GEQLF = new Geqrf(new GeqlfSignature(), Shape.QL);

    /** The same by LAPACK's name for the way without blocks. */
    public static final Geqrf GEQL2 = new Geqrf(new Geql2Signature(), Shape.QL);

    /** A = R·Q. */
    public static final Geqrf GERQF = new Geqrf(new GerqfSignature(), Shape.RQ);

    /** The same by LAPACK's name for the way without blocks. */
    public static final Geqrf GERQ2 = new Geqrf(new Gerq2Signature(), Shape.RQ);

    /** The most reflectors that are made and applied one by one where panels are slow. */
    private static final long ONE_BY_ONE = 128;

    /** The same where they lie in columns, or where those beside them are more than twice as many as they have elements. */
    private static final long SHORT = 64;

    /** The same where they lie in rows, as many as those have elements. */
    private static final long LYING = 48;

    /** Elements of a matrix that stay in the cache. */
    private static final long IN_CACHE = 1 << 17;

    private final Shape shape;

    private Geqrf(Signature signature, Shape shape) {
        super(signature);
        this.shape = shape;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        need(c, need, shape.rows ? g.n : g.m, shape.rows ? g.m : g.n, shape.rows ? g.n : 0);
    }

    /**
     * The need of a matrix that is read as m×n, with panels of so many rows to be turned. What is no wider than a small block needs no products, and what one launch
     * takes nothing.
     */
    static void need(Call c, Need need, long m, long n, long turned) {
        if (BlockReflector.whole(c, m, n)) {
            BlockReflector.need(c, need, m, 0, 0, 0);
            return;
        }
        if (WideReflector.pays(c, Math.min(m, n))) {
            WideReflector.need(c, need, m, n, Math.min(m, n), turned);
            return;
        }
        BlockReflector.needAhead(c, need, m, n > BlockReflector.width(c, 1) ? n : 0, Math.min(m, n), turned);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        boolean large = c.tier() < 2;
        if (large) {
            Packing.use(c, BlockReflector.PACKING);
        }
        if (factor(c, shape.read(c.scope, g.c, g.m, g.n), g.d, large)) {
            c.alone();
        }
    }

    /** Factors a: in one launch if that takes it, in blocks, or without workspace; returns whether a launch on a and tau was all. */
    static boolean factor(Call c, Block a, Operand tau, boolean blocks) {
        long k = Math.min(a.rows, a.cols);
        if (!blocks || c.tier() > 0 || !WideReflector.pays(c, k)) {
            return panels(c, a, tau, k, 0, blocks);
        }
        boolean ahead = WideReflector.ahead(c) && a.op == Op.NONE && !a.mirrored();
        Scope s = c.scope;
        long nb = WideReflector.width(c, k);
        for (long j = 0; j < k; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, k - j);
            Block v = a.block(j, j, a.rows - j, jb);
            if (!ahead) {
                panels(c, v, tau, k, j, true);
            } else if (j == 0) {
                beside(c, v, tau, k, 0);
            }
            Block right = a.block(j, j + jb, a.rows - j, a.cols - j - jb);
            if (right.cols > 0) {
                Block full = WideReflector.vectors(c, v);
                Block t = WideReflector.triangle(c, full, tau, k, j);
                // With look-ahead the columns of the next panels come first.
                long next = ahead ? Math.min(nb, k - j - jb) : 0;
                WideReflector.apply(c, Side.LEFT, Op.CONJ_TRANS, full, t, right.cols(0, next));
                if (next > 0) {
                    s.aside(true);
                    beside(c, a.block(j + jb, j + jb, a.rows - j - jb, next), tau, k, j + jb);
                    s.back();
                }
                WideReflector.apply(c, Side.LEFT, Op.CONJ_TRANS, full, t, right.cols(next, right.cols - next));
                s.join();
            }
            s.release(mark);
        }
        return false;
    }

    /** The panels that are applied at once, in the room for those that are made beside products. */
    private static void beside(Call c, Block a, Operand tau, long all, long before) {
        Scope s = c.scope;
        long nb = BlockReflector.width(c, 0);
        long triangle = WideReflector.beside(c);
        long square = nb * nb * c.args.type.bytes();
        for (long j = 0; j < a.cols; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, a.cols - j);
            Block v = a.block(j, j, a.rows - j, jb);
            Block right = a.block(j, j + jb, a.rows - j, a.cols - j - jb);
            Block t = BlockReflector.factors(c, triangle, jb, false);
            panel(s, v, tau, all, before + j, t);
            if (right.cols > 0) {
                BlockReflector.applyWritten(c, v, t, right, triangle + square, triangle + 2 * square);
            }
            s.release(mark);
        }
    }

    /** The same panel by panel; the factors of which those from {@code before} on are a's. */
    private static boolean panels(Call c, Block a, Operand tau, long all, long before, boolean blocks) {
        Scope s = c.scope;
        long k = Math.min(a.rows, a.cols);
        boolean whole = BlockReflector.whole(c, a.rows, a.cols);
        boolean large = blocks && !whole && !oneByOne(c, a);
        long nb = whole ? k : BlockReflector.panel(c, large ? c.tier() : 0, a.rows, k);
        if (large && a.op == Op.NONE && !a.mirrored() && before == 0 && all == k && BlockReflector.ahead(c, k)) {
            ahead(c, a, tau, nb);
            return false;
        }
        for (long j = 0; j < k; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, k - j);
            Block v = a.block(j, j, a.rows - j, jb);
            Block right = a.block(j, j + jb, a.rows - j, a.cols - j - jb);
            // The last panel needs its T only where its own halves meet.
            boolean together = large && (right.cols > 0 || jb > BlockReflector.ALONE);
            Block t = together ? BlockReflector.factors(c, jb, v.mirrored()) : null;
            if (large && v.op != Op.NONE) {
                // Reflectors that lie in rows are made in columns, and stay there while they are applied.
                Block lying = v;
                Block p = s.dense(c.slot(BlockReflector.PANEL), v.rows, jb);
                v = v.mirrored() ? p.mirror() : p;
                turn(s, lying, v);
                panel(s, v, tau, all, before + j, t);
                turn(s, v, lying.h());
            } else {
                panel(s, v, tau, all, before + j, t);
            }
            if (!large || c.slotBytes(BlockReflector.W) == 0) {
                BlockReflector.oneByOne(c, Side.LEFT, Op.CONJ_TRANS, v, tau, all, before + j, right);
            } else if (right.cols > 0 && s.reach().waves() && v.op == Op.NONE && !v.mirrored()) {
                BlockReflector.applyWritten(c, v, t, right);
            } else if (right.cols > 0) {
                BlockReflector.apply(c, Side.LEFT, Op.CONJ_TRANS, v, BlockReflector.triangle(c, v), t, right);
            }
            s.release(mark);
        }
        return k == a.cols && nb >= k && (!large || a.op == Op.NONE && k <= BlockReflector.ALONE);
    }

    /**
     * Panel by panel, of which each is made beside the products with the one before: these change the columns of the next panel first (look-ahead: Strazdins, "A comparison of lookahead and algorithmic
     * blocking techniques for parallel matrix factorization", 1998). The order of launches changes no bits.
     */
    private static void ahead(Call c, Block a, Operand tau, long nb) {
        Scope s = c.scope;
        long k = Math.min(a.rows, a.cols);
        panel(s, a.block(0, 0, a.rows, nb), tau, k, 0, BlockReflector.factors(c, nb, false, 0));
        for (long j = 0; j + nb < a.cols && j < k; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, k - j);
            long next = Math.min(nb, k - j - jb);
            Block v = a.block(j, j, a.rows - j, jb);
            Block t = BlockReflector.factors(c, jb, false, j / nb);
            Block right = a.block(j, j + jb, a.rows - j, a.cols - j - jb);
            Block kept = BlockReflector.write(c, v);
            BlockReflector.apply(c, Side.LEFT, Op.CONJ_TRANS, v, null, t, right.cols(0, next));
            if (next > 0) {
                s.aside(false);
                panel(s, a.block(j + jb, j + jb, a.rows - j - jb, next), tau, k, j + jb,
                        BlockReflector.factors(c, next, false, j / nb + 1));
                s.back();
            }
            BlockReflector.apply(c, Side.LEFT, Op.CONJ_TRANS, v, null, t, right.cols(next, right.cols - next));
            s.copy(kept, v.rows(0, jb));
            s.join();
            s.release(mark);
        }
    }

    /**
     * Whether reflectors one by one are faster than blocks, measured on a CPU: reflectors in rows, or made from the last on, have panels that are slow, and what is
     * in the cache is read again quickly.
     */
    private static boolean oneByOne(Call c, Block a) {
        long k = Math.min(a.rows, a.cols);
        if (c.scope.reach().waves() || k > ONE_BY_ONE || a.rows * a.cols > IN_CACHE) {
            return false;
        }
        if (a.mirrored()) {
            return a.op == Op.NONE ? k <= SHORT : a.rows < 5 * k;
        }
        return a.op != Op.NONE && (k <= SHORT && 2 * a.rows <= a.cols || a.rows <= a.cols && k <= LYING);
    }

    /** c := the conjugate transpose of what is stored of a, which is as large as c is read. */
    static void turn(Scope s, Block a, Block c) {
        Launch l = s.kernel(Kernel.GEAM);
        l.opA = Op.CONJ_TRANS;
        l.m = c.rows;
        l.n = c.cols;
        a.into(l.a);
        c.into(l.b);
        c.into(l.c);
        s.launch();
    }

    /** One launch that factors a panel and, where t is there, makes the triangle of its block reflector. */
    static void panel(Scope s, Block v, Operand tau, long all, long first, Block t) {
        Launch l = s.kernel(Kernel.GEQR2);
        l.m = v.rows;
        l.n = v.cols;
        l.opB = v.op;
        l.backward = v.mirrored();
        v.into(l.c);
        BlockReflector.tau(l.d, tau, v, all, first, v.cols);
        if (t != null) {
            t.into(l.b);
        }
        s.launch();
    }
}
