package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrsmSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Reach;
import dev.basalt.spi.Scalar;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * Solves op(A)·X = alpha·B or X·op(A) = alpha·B with a triangular A, in place. The triangle is halved recursively, so nearly
 * all of the work is in large matrix products (Elmroth, Gustavson, Jonsson and Kågström, 2004); triangles that the
 * device takes at once are solved by substitution. Diagonal blocks are not inverted: that would cost accuracy where one is ill
 * conditioned.
 */
public final class Trsm extends Routine {
    /** The family. */
    public static final Trsm ROUTINE = new Trsm();

    /** So many times the order of a triangle that one launch takes are wide right-hand sides. */
    private static final long WIDE = 8;

    /** In waves so many unknowns are a small matrix also where there is one right-hand side. */
    private static final long FEW = 32;

    private Trsm() {
        super(new TrsmSignature());
    }

    @Override
    protected boolean isComposed() {
        return true;
    }

    @Override
    protected void need(Call c, Need need) {
        needOfMatrix(c, need, c.args.m, c.args.n, c.args.side == Side.LEFT ? c.args.m : c.args.n);
    }

    /** The need of {@link #solve(Scope, Side, Block, Block)} for m×n unknowns with a triangle of some order. */
    public static void need(Call c, Need need, long m, long n, long order) {
        if (m != order || !isVector(c.traits.reach(), c.args.type, n)) {
            needOfMatrix(c, need, m, n, order);
        }
    }

    /** The need of {@link #solve(Call)}. */
    static void needOfMatrix(Call c, Need need, long m, long n, long order) {
        Packing.need(c, need, m, n, order, Kernel.TRSM, order);
    }

    @Override
    protected void run(Call c) {
        solve(c);
    }

    /** Solves for the call's B with the call's A. */
    static void solve(Call c) {
        Packing.use(c, 0);
        Scope s = c.scope;
        Launch g = c.args;
        boolean left = g.side == Side.LEFT;
        long order = left ? g.m : g.n;
        Block a = s.of(g.a, order, order).triangle(g.uplo, g.diag).op(g.opA);
        Block b = s.of(g.c, g.m, g.n);
        boolean vector = left && g.count == 1 && !g.alpha.onDevice() && isVector(s, g.m, g.n);
        if (!vector && s.reach().solves(g.type, order, left ? g.n : g.m, g.count)) {
            s.triangle(Kernel.TRSM, g.side, g.alpha, a, b);
            return;
        }
        s.scale(g.alpha, b);
        if (!g.alpha.is(0)) {
            // With alpha = 0 on the device A must not be read: the gates make every later step vanish there.
            solve(s, g.side, gate(s, g.alpha, 1), gate(s, g.alpha, -1), a, b);
        }
    }

    /** A value, or 0 where alpha is 0, which maybe only the device knows. */
    static Scalar gate(Scope s, Scalar alpha, double value) {
        Scalar gate = s.scratch();
        if (alpha.onDevice()) {
            gate.whereNonZero(alpha, value);
        } else {
            gate.set(value, 0);
        }
        return gate;
    }

    /** Whether one right-hand side is solved for as a vector, whatever its length. */
    private static boolean isVector(Reach reach, ElementType type, long sides) {
        return sides <= 1 && !reach.waves() && reach.whole(Kernel.TRSV, type);
    }

    /** The same in waves, where that is faster for one problem, if it is not small. */
    private static boolean isVector(Scope s, long order, long sides) {
        Reach reach = s.reach();
        boolean waves = reach.waves() && sides <= 1 && order > FEW && s.count() == 1;
        return isVector(reach, s.type(), sides) || waves && reach.whole(Kernel.TRSV, s.type());
    }

    /** Solves for one right-hand side, a vector without increment, for which one launch reaches further than for a matrix. */
    public static void vector(Scope s, Block a, Block b) {
        Launch l = s.kernel(Kernel.TRSV);
        a.triangleOf(l);
        l.n = a.rows;
        b.into(l.c);
        l.c.ld = 1;
        l.c.vector = true;
        s.launch();
    }

    /** Solves with the triangle a on a side of b, in place. */
    public static void solve(Scope s, Side side, Block a, Block b) {
        int mark = s.mark();
        if (b.op == Op.NONE) {
            solve(s, side, Scope.ONE, Scope.MINUS_ONE, a, b);
        } else {
            // op(A)·X = B is Xᴴ·op(A)ᴴ = Bᴴ.
            solve(s, side == Side.LEFT ? Side.RIGHT : Side.LEFT, Scope.ONE, Scope.MINUS_ONE, a.h(), b.h());
        }
        s.release(mark);
    }

    private static void solve(Scope s, Side side, Scalar one, Scalar minusOne, Block a, Block b) {
        boolean left = side == Side.LEFT;
        long order = a.rows;
        long other = left ? b.cols : b.rows;
        if (order == 0 || other == 0) {
            return;
        }
        if (left && isVector(s, order, other)) {
            vector(s, a, b);
            return;
        }
        if (s.reach().solves(s.type(), order, other, s.count())) {
            s.triangle(Kernel.TRSM, side, one, a, b);
            return;
        }
        // The first unknowns of a lower triangle are found first; on the right the last.
        boolean forward = a.lower() == left;
        long size = size(s, order, other);
        long blocks = Chunks.ceilDiv(order, size);
        for (long block = 0; block < blocks; block++) {
            int mark = s.mark();
            long i = (forward ? block : blocks - 1 - block) * size;
            long ib = Math.min(size, order - i);
            long known = forward ? 0 : i + ib;
            long k = forward ? i : order - known;
            Block x = left ? b.rows(i, ib) : b.cols(i, ib);
            if (k > 0 && left) {
                s.gemm(minusOne, a.block(i, known, ib, k), b.rows(known, k), Scope.ONE, x);
            } else if (k > 0) {
                s.gemm(minusOne, b.cols(known, k), a.block(known, i, k, ib), Scope.ONE, x);
            }
            solve(s, side, one, minusOne, a.diagonal(i, ib), x);
            s.release(mark);
        }
    }

    /**
     * How many unknowns are found at a time. In waves few products with a long inner dimension are done sooner than many; elsewhere
     * halves make the largest products.
     */
    private static long size(Scope s, long order, long other) {
        long whole = s.reach(Kernel.TRSM);
        boolean wide = s.reach().waves() && other >= WIDE * whole;
        return wide ? Math.min(2 * whole, half(order, whole)) : half(order, whole);
    }

    /** About half, a multiple of the block. */
    public static long half(long order, long block) {
        return (order / 2 + block - 1) / block * block;
    }
}
