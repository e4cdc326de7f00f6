package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;

/**
 * The steps of a singular value decomposition. All of them see a matrix a that has at least as many rows as columns, the given one or its conjugate transpose, and both kinds of
 * singular vectors in columns: u and v may be what is stored or its conjugate transpose.
 */
final class Factors {
    /** Slots behind those of reflectors. */
    private static final int PANEL = 0;

    private static final int NUMBERS = 1;
    private static final int VECTORS = 2;
    private static final int TRIANGLE = 3;
    private static final int DIVIDED = 4;
    private static final int OVERWRITTEN = 5;

    /** Rows that a strip has which moves in the place of A. */
    private static final long[] STRIPS = {64, 16, 1};

    /** From so many fifths of the columns on rows make a matrix tall. */
    private static final long TALL = 8;

    private Factors() {}

    private static boolean turned(Call c) {
        return c.args.m < c.args.n;
    }

    private static Svect left(Call c) {
        return turned(c) ? c.args.rightSvect : c.args.leftSvect;
    }

    private static Svect right(Call c) {
        return turned(c) ? c.args.leftSvect : c.args.rightSvect;
    }

    /** Whether tall matrices are factored first: nothing else goes to their place, and in a tier there is room for their triangle. */
    private static boolean factors(Call c, int tier) {
        Svect left = c.args.leftSvect;
        Svect right = c.args.rightSvect;
        boolean values = left == Svect.NONE && right == Svect.NONE;
        return left != Svect.OVERWRITE && right != Svect.OVERWRITE && (tier == 0 || values);
    }

    private static boolean tall(Call c, long m, long n) {
        return 5 * m >= TALL * n && m > n && factors(c, c.tier());
    }

    /** An empty matrix has no values, and the identity for all its vectors. */
    static void quick(Call c) {
        InfoArray.quick(c);
        Launch g = c.args;
        if (g.count > 0 && g.leftSvect == Svect.ALL && g.m > 0) {
            c.requireOperand(1);
            identity(c.scope, c.scope.of(g.b, g.m, g.m));
        }
        if (g.count > 0 && g.rightSvect == Svect.ALL && g.n > 0) {
            c.requireOperand(3);
            identity(c.scope, c.scope.of(g.d, g.n, g.n));
        }
    }

    /**
     * What the decomposition of the call's matrix asks for. A longer side can make a matrix tall, or turn it, and then less is needed:
     * so this is the need of the largest matrix within it that is not tall, and of the largest that is, whichever side is longer.
     */
    static void need(Call c, Need need, boolean divides) {
        need(c, need, divides, 0);
    }

    /** The same with so many bytes more, which begin at {@link #further}. */
    static void need(Call c, Need need, boolean divides, long further) {
        Launch g = c.args;
        long m = Math.max(g.m, g.n);
        long n = Math.min(g.m, g.n);
        boolean vectors = g.leftSvect != Svect.NONE || g.rightSvect != Svect.NONE;
        boolean both = g.leftSvect != Svect.NONE && g.rightSvect != Svect.NONE;
        boolean overwrites = g.leftSvect == Svect.OVERWRITE || g.rightSvect == Svect.OVERWRITE;
        long tall = factors(c, 0) ? Math.min(n, m / TALL * 5 + m % TALL * 5 / TALL) : 0;
        if (tall > 0) {
            need.part();
            Reflectors.needFactor(c, need, m, tall, false);
            need.part();
            Reflectors.needFactor(c, need, m, tall, true);
            need.part();
            Reflectors.needApply(c, need, m, across(g, m, tall), tall);
        }
        need.part();
        Reflectors.needForm(c, need, squat(c, 1, m, n), across(g, squat(c, 1, m, n), n), n);
        need.part();
        Reflectors.needForm(c, need, n, vectors ? n : 0, n);
        if (divides && vectors) {
            need.part();
            Reflectors.needApply(c, need, squat(c, 1, m, n), across(g, squat(c, 1, m, n), n), n);
            need.part();
            Reflectors.needApply(c, need, n, n, n);
        }
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            long strip = overwrites ? Orgbr.strip(c, n, Math.min(n, STRIPS[t])) : 0;
            long rows = squat(c, t, m, n);
            long lines = Math.addExact(vectors ? rows : 0, both ? n : 0);
            need.tier(Reflectors.TIERS.get(t));
            boolean merges = divides && vectors && t < 2;
            if (t < 2) {
                long packing = Gemm.bytes(c, g.type, t, rows, n, 2 * Bidiagonal.width(t, n));
                need.slot("packing", merges ? Math.max(packing, Division.packing(c, t, n)) : packing);
            }
            need.slot("bidiagonal", Bidiagonal.bytes(c, rows, n, t))
                    .slot("numbers", Math.addExact(further, numbers(c, n)))
                    .slot("rotations", Iteration.bytes(c, n, lines))
                    .slot("triangle", t == 0 && vectors && tall > 0 ? Scope.squareBytes(g.type, tall, g.count) : strip);
            if (merges) {
                need.slot("divided", Division.bytes(c, n))
                        .slot("overwritten",
                                overwrites ? Chunks.times(Chunks.times(m, n), g.type.bytes(), g.count) : 0);
            }
        }
        need.together();
    }

    /** Columns of the vectors beside the longer side, whichever side that is. */
    static long across(Launch g, long m, long n) {
        return Math.max(g.leftSvect == Svect.NONE ? 0 : g.leftSvect.columns(m, n),
                g.rightSvect == Svect.NONE ? 0 : g.rightSvect.columns(m, n));
    }

    /** Rows of the largest matrix within m×n that is reduced as it is. */
    private static long squat(Call c, int tier, long m, long n) {
        return factors(c, tier) ? Math.min(m, Math.addExact(Math.multiplyExact(n, 2), 1)) : m;
    }

    private static long numbers(Call c, long n) {
        return Chunks.up(Math.addExact(factors(c, n), Range.bytes(c)));
    }

    /** Where the bytes begin that a call asked for beside those of its decomposition. */
    static long further(Call c) {
        int own = c.tier() < 2 ? Reflectors.begin(c) : 0;
        return c.slot(own + NUMBERS) + numbers(c, Math.min(c.args.m, c.args.n));
    }

    /** Bytes for the factors of three kinds of reflectors; what scales the matrix lies behind them. */
    private static long factors(Call c, long n) {
        return Chunks.up(Chunks.times(Chunks.times(3, n), c.args.type.bytes(), c.args.count));
    }

    /** Decomposes the call's matrix. */
    static void run(Call c, Operand values, Operand beside, boolean divides) {
        Launch g = c.args;
        Scope s = c.scope;
        int own = Reflectors.begin(c);
        boolean turned = turned(c);
        Block whole = s.of(g.c, g.m, g.n);
        long n = Math.min(g.m, g.n);
        Operand norm = Range.enter(c, whole, c.slot(own + NUMBERS) + factors(c, n));
        Block a = turned ? whole.h() : whole;
        Block u = vectors(left(c),
                turned
                        ? s.of(g.d, left(c).columns(a.rows, n), a.rows).h()
                        : s.of(g.b, a.rows, left(c).columns(a.rows, n)),
                a);
        Block v = vectors(right(c), turned ? s.of(g.b, n, n) : s.of(g.d, n, n).h(), a.rows(0, n).h());
        Operand tauq = factors(c, c.k.a, own, 0, n);
        Operand taup = factors(c, c.k.b, own, 1, n);
        Operand first = factors(c, c.k.c, own, 2, n);
        long work = c.slot(own + VECTORS);
        Operand d = Iteration.diagonal(c, c.k.d, work, n);
        Operand e = Iteration.beside(c, c.k.e, work, n);
        boolean tall = tall(c, a.rows, n);
        Block b = a;
        if (tall) {
            Reflectors.factor(c, a, first);
            b = triangle(c, a, u == null && v == null ? null : s.dense(c.slot(own + TRIANGLE), n, n));
        }
        Bidiagonal.reduce(c, b, d, e, tauq, taup, c.slot(own + PANEL));
        if (divides && c.tier() < 2 && (u != null || v != null)) {
            divide(c, a, b, u, v, d, e, tauq, taup, first, values, own);
            if (beside.present() && n > 1) {
                Division.zero(c, beside);
            }
        } else {
            iterate(c, a, b, u, v, tauq, taup, first, values, beside, own);
            if (beside.present() && n > 1) {
                Range.leave(c, norm, beside, n - 1);
            }
        }
        Range.leave(c, norm, values, n);
    }

    /** QR iteration on the products of the reflectors. */
    private static void iterate(Call c, Block a, Block b, Block u, Block v, Operand tauq, Operand taup, Operand first,
            Operand values, Operand beside, int own) {
        Scope s = c.scope;
        long n = b.cols;
        boolean tall = b.rows < a.rows;
        Block rotated = u == null ? null : tall ? u.block(0, 0, n, n) : u;
        if (rotated != null && left(c) != Svect.OVERWRITE) {
            s.copy(b.stored(), rotated.cols(0, n).stored());
        }
        if (v != null) {
            right(c, b, v, taup, own);
        }
        if (rotated != null) {
            Reflectors.form(c, rotated, tauq, n);
        }
        iterate(c, n, rotated, v, c.slot(own + VECTORS), values, beside);
        if (tall && u != null) {
            extend(s, u, n);
            Reflectors.apply(c, Side.LEFT, Op.NONE, a, first, u);
        }
    }

    /** Divide and conquer, and the reflectors on its vectors. */
    private static void divide(Call c, Block a, Block b, Block u, Block v, Operand d, Operand e, Operand tauq,
            Operand taup, Operand first, Operand values, int own) {
        Scope s = c.scope;
        long n = b.cols;
        boolean tall = b.rows < a.rows;
        long work = c.slot(own + DIVIDED);
        Operand lefts = s.part();
        Operand rights = s.part();
        Division.solve(c, n, d, e, work, values, c.args.e, lefts, rights);
        Block left = left(c) == Svect.OVERWRITE ? s.dense(c.slot(own + OVERWRITTEN), a.rows, n) : u;
        Block right = right(c) == Svect.OVERWRITE ? s.dense(c.slot(own + OVERWRITTEN), n, n) : v;
        if (left != null) {
            Division.bring(c, lefts, Division.room(c, n, work), left.block(0, 0, n, n));
            if (tall) {
                Reflectors.apply(c, Side.LEFT, Op.NONE, b, tauq, left.block(0, 0, n, n));
            }
            extend(s, left, n);
            Reflectors.apply(c, Side.LEFT, Op.NONE, a, tall ? first : tauq, left);
        }
        if (right != null) {
            Division.bring(c, rights, Division.room(c, n, work), right);
            if (n > 1) {
                Reflectors.apply(c, Side.LEFT, Op.NONE, b.h().block(1, 0, n - 1, n - 1), taup, right.rows(1, n - 1));
            }
        }
        if (left != u) {
            bring(s, left, u);
        }
        if (right != v) {
            bring(s, right, v);
        }
    }

    private static Operand factors(Call c, Operand into, int own, int which, long n) {
        Launch g = c.args;
        return into.vector(g.type, c.slot(own + NUMBERS) + which * n * g.type.bytes() * g.count, n, 1, n);
    }

    /** Where vectors go: null for nowhere. */
    private static Block vectors(Svect which, Block own, Block inPlace) {
        return which == Svect.NONE ? null : which == Svect.OVERWRITE ? inPlace : own;
    }

    /** The triangle of a factored matrix, in its place or in another, with zeros on its other side. */
    static Block triangle(Call c, Block a, Block into) {
        Scope s = c.scope;
        Block top = a.rows(0, a.cols);
        boolean turned = a.op != Op.NONE;
        Uplo uplo = turned ? Uplo.LOWER : Uplo.UPPER;
        if (into == null) {
            Launch l = s.kernel(Kernel.LASET);
            l.region = turned ? Region.UPPER : Region.LOWER;
            l.m = a.cols - 1;
            l.n = a.cols - 1;
            l.alpha.set(Scope.ZERO);
            l.beta.set(Scope.ZERO);
            top.block(1, 0, a.cols - 1, a.cols - 1).into(l.c);
            if (a.cols > 1) {
                s.launch();
            }
            return top;
        }
        s.expand(Structure.TRIANGULAR, top.stored().triangle(uplo, Diag.NON_UNIT), into);
        return turned ? into.h() : into;
    }

    /** Right vectors begin as the product of the reflectors of rows. */
    private static void right(Call c, Block b, Block v, Operand taup, int own) {
        Scope s = c.scope;
        long n = v.rows;
        if (right(c) == Svect.OVERWRITE) {
            Orgbr.move(c, v, c.slot(own + TRIANGLE), c.slotBytes(own + TRIANGLE));
        } else if (n > 1) {
            s.copy(b.h().block(1, 0, n - 1, n - 1).stored(), v.block(1, 1, n - 1, n - 1).stored());
        }
        Orgbr.square(c, v, taup);
    }

    /** Values of the bidiagonal matrix in the workspace; its vectors go to the columns of u and v, where there are such. */
    static void iterate(Call c, long n, Block u, Block v, long work, Operand values, Operand beside) {
        boolean columns = u != null && u.op == Op.NONE;
        Block all = u == null ? null : u.cols(0, n);
        Iteration.run(c, Uplo.UPPER, n, v == null ? null : v.h(), columns ? all : null,
                u == null || columns ? null : all.h(), work, values, beside, c.args.e);
    }

    /** A square at the top of u is joined by zeros and, as far as there are columns, the identity. */
    static void extend(Scope s, Block u, long n) {
        s.scale(Scope.ZERO, u.rows(n, u.rows - n).stored());
        if (u.cols > n) {
            s.scale(Scope.ZERO, u.block(0, n, n, u.cols - n).stored());
            ones(s, u.block(n, n, u.rows - n, u.cols - n));
        }
    }

    /** A square := the identity. */
    static void identity(Scope s, Block square) {
        s.scale(Scope.ZERO, square.stored());
        ones(s, square);
    }

    /** c := a, as both are read. */
    static void bring(Scope s, Block a, Block c) {
        if (a.op == c.op) {
            s.copy(a.stored(), c.stored());
            return;
        }
        Block from = a.stored();
        Block to = c.stored();
        Launch l = s.kernel(Kernel.GEAM);
        l.opA = Op.CONJ_TRANS;
        l.m = to.rows;
        l.n = to.cols;
        from.into(l.a);
        to.into(l.b);
        to.into(l.c);
        s.launch();
    }

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
