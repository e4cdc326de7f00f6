package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.qr.InRange;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.GelsdSignature;
import dev.basalt.internal.signature.GelssSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The least squares solution of least norm by singular values (Golub and Kahan, "Calculating the singular values and pseudo-inverse of a matrix", 1965). Right-hand sides are brought to where A is bidiagonal, divided by
 * the values that count, and brought back. A wide matrix is reduced as its conjugate transpose, and a tall one is factored first. The rank stays on the device.
 */
public final class Gelss extends Routine {
    /** QR iteration. */
    public static final Gelss GELSS = new Gelss(new GelssSignature(), false);

    /** Divide and conquer. */
    public static final Gelss GELSD = new Gelss(new GelsdSignature(), true);

    /** Slots behind those of reflectors. */
    private static final int PANEL = 0;

    private static final int NUMBERS = 1;
    private static final int ROTATIONS = 2;
    private static final int SQUARE = 3;
    private static final int SIDES = 4;
    private static final int TRIANGLE = 5;
    private static final int DIVIDED = 6;

    /** From so many fifths of the columns on rows make a matrix tall. */
    private static final long TALL = 8;

    private final boolean divides;

    private Gelss(Signature signature, boolean divides) {
        super(signature);
        this.divides = divides;
    }

    /** An empty matrix has rank 0 and leaves B alone. */
    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(3);
            Launch l = c.scope.kernel(Kernel.FILL);
            l.type = ElementType.I64;
            l.n = 1;
            l.alpha.set(0, 0);
            l.c.set(c.args.d);
            c.scope.launch();
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long m = Math.max(g.m, g.n);
        long n = Math.min(g.m, g.n);
        long square = Scope.squareBytes(g.type, n, g.count);
        long numbers = Math.addExact(factors(c, n), InRange.bytes(c, m));
        long nrhs = Math.max(1, g.k);
        long sides = Chunks.times(Chunks.times(n, g.k), g.type.bytes(), g.count);
        need.part();
        Reflectors.needFactor(c, need, m, n, false);
        need.part();
        Reflectors.needFactor(c, need, m, n, true);
        need.part();
        Reflectors.needApply(c, need, m, nrhs, n);
        need.part();
        Reflectors.needForm(c, need, m, n, n);
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            need.tier(Reflectors.TIERS.get(t));
            boolean merges = divides && t < 2;
            if (t < 2) {
                long packing = Math.max(Gemm.bytes(c, g.type, t, m, n, 2 * Bidiagonal.width(t, n)),
                        Gemm.bytes(c, g.type, t, m, nrhs, n));
                need.slot("packing", merges ? Math.max(packing, Division.packing(c, t, n)) : packing);
            }
            need.slot("bidiagonal", Bidiagonal.bytes(c, m, n, t))
                    .slot("numbers", numbers)
                    .slot("rotations", Iteration.bytes(c, n, Math.addExact(m, g.k)))
                    .slot("square", merges ? 0 : square)
                    .slot("sides", sides);
            if (t < 2) {
                need.slot("triangle", square).slot("divided", merges ? Division.bytes(c, n) : 0);
            }
        }
        need.together();
    }

    /** Bytes for the factors of three kinds of reflectors; what scales the matrices lies behind them. */
    private static long factors(Call c, long n) {
        return Chunks.up(Chunks.times(Chunks.times(3, n), c.args.type.bytes(), c.args.count));
    }

    private static boolean turned(Call c) {
        return c.args.m < c.args.n;
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        int own = Reflectors.begin(c);
        long m = Math.max(g.m, g.n);
        long n = Math.min(g.m, g.n);
        Block whole = s.of(g.a, g.m, g.n);
        Block a = turned(c) ? whole.h() : whole;
        Block b = s.of(g.c, m, g.k);
        long scales = c.slot(own + NUMBERS) + factors(c, n);
        Operand norm = InRange.enter(c, whole, scales, false);
        Operand sides = g.k == 0 ? null : InRange.enter(c, b.rows(0, g.m), scales, true);
        Operand first = factors(c, own, 2, n);
        boolean tall = c.tier() < 2 && m > n && 5 * m >= TALL * n;
        Block core = a;
        if (tall) {
            Reflectors.factor(c, a, first);
            if (!turned(c)) {
                Reflectors.apply(c, Side.LEFT, Op.CONJ_TRANS, a, first, b);
            }
            core = Factors.triangle(c, a, s.dense(c.slot(own + TRIANGLE), n, n));
        }
        solve(c, core, b, own);
        if (turned(c) && tall && g.k > 0) {
            s.scale(Scope.ZERO, b.rows(n, m - n));
            Reflectors.apply(c, Side.LEFT, Op.NONE, a, first, b);
        }
        if (g.k > 0) {
            InRange.leave(c, b, norm, sides, g.n);
        }
        Range.leave(c, norm, g.b, n);
    }

    private static Operand factors(Call c, int own, int which, long n) {
        Launch g = c.args;
        return c.scope.part().vector(g.type, c.slot(own + NUMBERS) + which * n * g.type.bytes() * g.count, n, 1, n);
    }

    /** Solves with a matrix that is not wide, or its conjugate transpose. */
    private void solve(Call c, Block core, Block b, int own) {
        Launch g = c.args;
        Scope s = c.scope;
        long n = core.cols;
        long work = c.slot(own + ROTATIONS);
        Operand d = Iteration.diagonal(c, s.part(), work, n);
        Operand e = Iteration.beside(c, s.part(), work, n);
        Operand tauq = factors(c, own, 0, n);
        Operand taup = factors(c, own, 1, n);
        Bidiagonal.reduce(c, core, d, e, tauq, taup, c.slot(own + PANEL));
        Block sides = b.rows(0, n);
        Block all = b.rows(0, core.rows);
        if (turned(c)) {
            right(c, Op.CONJ_TRANS, core, taup, sides);
        } else {
            Reflectors.apply(c, Side.LEFT, Op.CONJ_TRANS, core, tauq, all);
        }
        if (!divides || c.tier() == 2) {
            iterate(c, core, tauq, taup, all, own);
            return;
        }
        Operand lefts = s.part();
        Operand rights = s.part();
        long divided = c.slot(own + DIVIDED);
        Division.solve(c, n, d, e, divided, g.b, g.e, lefts, rights);
        long room = Division.room(c, n, divided);
        Block copy = s.dense(c.slot(own + SIDES), n, g.k);
        if (g.k > 0) {
            s.gemm(1, Division.elements(c, turned(c) ? rights : lefts, room).h(), sides, 0, copy);
        }
        divide(c, copy);
        if (g.k == 0) {
            return;
        }
        s.gemm(1, Division.elements(c, turned(c) ? lefts : rights, room), copy, 0, sides);
        if (turned(c)) {
            s.scale(Scope.ZERO, all.rows(n, all.rows - n));
            Reflectors.apply(c, Side.LEFT, Op.NONE, core, tauq, all);
        } else {
            right(c, Op.NONE, core, taup, sides);
        }
    }

    /** Reflectors of rows, which begin with the second. */
    private static void right(Call c, Op op, Block core, Operand taup, Block x) {
        long n = core.cols;
        if (n > 1) {
            Reflectors.apply(c, Side.LEFT, op, core.h().block(1, 0, n - 1, n - 1), taup, x.rows(1, n - 1));
        }
    }

    /** QR iteration on right-hand sides and on the orthogonal matrix that brings them back. */
    private static void iterate(Call c, Block core, Operand tauq, Operand taup, Block all, int own) {
        Launch g = c.args;
        Scope s = c.scope;
        long n = core.cols;
        Block sides = all.rows(0, n);
        Block back = core;
        if (turned(c)) {
            Reflectors.form(c, core, tauq, n);
        } else {
            back = s.dense(c.slot(own + SQUARE), n, n).h();
            if (n > 1) {
                s.copy(core.h().block(1, 0, n - 1, n - 1).stored(), back.block(1, 1, n - 1, n - 1).stored());
            }
            Orgbr.square(c, back, taup);
        }
        Iteration.run(c, turned(c) ? Uplo.LOWER : Uplo.UPPER, n, back.h(), null, g.k == 0 ? null : sides,
                c.slot(own + ROTATIONS), g.b, Gesvd.absent(c), g.e);
        divide(c, sides);
        if (g.k > 0) {
            Block copy = s.dense(c.slot(own + SIDES), n, g.k);
            s.copy(sides, copy);
            s.gemm(1, back, copy, 0, all.rows(0, back.rows));
        }
    }

    /** Rows by their singular values, those that count; and the rank. */
    private static void divide(Call c, Block x) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.PSEUDO);
        l.m = x.rows;
        l.n = x.cols;
        l.alpha.set(g.alpha);
        l.a.set(g.b);
        x.into(l.c);
        l.d.set(g.d);
        c.scope.launch();
    }
}
