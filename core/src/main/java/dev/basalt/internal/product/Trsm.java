package dev.basalt.internal.product;

import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrsmSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

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

    private Trsm() {
        super(new TrsmSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long order = g.side == Side.LEFT ? g.m : g.n;
        Packing.need(c, need, g.m, g.n, order, Kernel.TRSM, order);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        long order = g.side == Side.LEFT ? g.m : g.n;
        if (whole(c, order, g.side == Side.LEFT ? g.n : g.m)) {
            Blocks.triangle(c, Kernel.TRSM, g.side, g.uplo, g.opA, g.diag, g.m, g.n, g.alpha, g.a, 0, g.c, 0, 0);
            return;
        }
        Blocks.scale(c, g.alpha, g.m, g.n, g.c, 0, 0);
        if (!g.alpha.is(0)) {
            // With alpha = 0 on the device A must not be read: the gates make every later step vanish there.
            Scalar solve = c.s0;
            Scalar update = c.s1;
            solve.set(Blocks.ONE);
            update.set(Blocks.MINUS_ONE);
            if (g.alpha.onDevice()) {
                solve.whereNonZero(g.alpha, 1);
                update.whereNonZero(g.alpha, -1);
            }
            long other = g.side == Side.LEFT ? g.n : g.m;
            solve(c, g.side, g.uplo, g.opA, g.diag, order, other, solve, update, g.a, 0, g.c, 0, 0);
        }
    }

    /** Whether one launch solves. */
    private static boolean whole(Call c, long order, long other) {
        return c.traits.reach().solves(c.args.type, order, other, c.args.count);
    }

    /** Solves with the triangle of A at (at, at), of the given order, for the block of B at (bi, bj) with {@code other} right-hand sides. */
    public static void solve(
            Call c,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long order,
            long other,
            Operand a,
            long at,
            Operand b,
            long bi,
            long bj) {
        solve(c, side, uplo, op, diag, order, other, Blocks.ONE, Blocks.MINUS_ONE, a, at, b, bi, bj);
    }

    private static void solve(
            Call c,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long order,
            long other,
            Scalar one,
            Scalar minusOne,
            Operand a,
            long at,
            Operand b,
            long bi,
            long bj) {
        boolean left = side == Side.LEFT;
        if (whole(c, order, other)) {
            long m = left ? order : other;
            long n = left ? other : order;
            Blocks.triangle(c, Kernel.TRSM, side, uplo, op, diag, m, n, one, a, at, b, bi, bj);
            return;
        }
        // op(A) is lower triangular: the first unknowns are found first (on the left; on the right the last).
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        boolean forward = lower == left;
        long whole = c.traits.reach().of(Kernel.TRSM, c.args.type);
        // Where a product takes the time of whole waves of blocks, few with a long inner dimension are done sooner than
        // many; else halves
        // make the largest products.
        boolean wide = c.traits.reach().waves() && other >= WIDE * whole;
        long size = wide ? Math.min(2 * whole, half(order, whole)) : half(order, whole);
        long blocks = (order + size - 1) / size;
        for (long block = 0; block < blocks; block++) {
            long rest = (forward ? block : blocks - 1 - block) * size;
            long restSize = Math.min(size, order - rest);
            long known = forward ? 0 : rest + restSize;
            long k = forward ? rest : order - known;
            if (k > 0) {
                update(c, left, op, restSize, other, k, minusOne, a, at, rest, known, b, bi, bj);
            }
            step(c, side, uplo, op, diag, restSize, other, one, minusOne, a, at, rest, b, bi, bj);
        }
    }

    /** Takes the unknowns found, {@code k} from {@code known} on, off {@code size} others from {@code rest} on. */
    private static void update(
            Call c,
            boolean left,
            Op op,
            long size,
            long other,
            long k,
            Scalar minusOne,
            Operand a,
            long at,
            long rest,
            long known,
            Operand b,
            long bi,
            long bj) {
        // The off-diagonal block of op(A) between the unknowns found and the rest, as it is stored.
        boolean stored = op == Op.NONE;
        long row = at + (left ? rest : known);
        long col = at + (left ? known : rest);
        long ai = stored ? row : col;
        long aj = stored ? col : row;
        if (left) {
            Blocks.gemm(
                    c,
                    op,
                    Op.NONE,
                    size,
                    other,
                    k,
                    minusOne,
                    a,
                    ai,
                    aj,
                    b,
                    bi + known,
                    bj,
                    Blocks.ONE,
                    b,
                    bi + rest,
                    bj);
        } else {
            Blocks.gemm(
                    c,
                    Op.NONE,
                    op,
                    other,
                    size,
                    k,
                    minusOne,
                    b,
                    bi,
                    bj + known,
                    a,
                    ai,
                    aj,
                    Blocks.ONE,
                    b,
                    bi,
                    bj + rest);
        }
    }

    private static void step(
            Call c,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long size,
            long other,
            Scalar one,
            Scalar minusOne,
            Operand a,
            long at,
            long shift,
            Operand b,
            long bi,
            long bj) {
        boolean left = side == Side.LEFT;
        solve(
                c,
                side,
                uplo,
                op,
                diag,
                size,
                other,
                one,
                minusOne,
                a,
                at + shift,
                b,
                left ? bi + shift : bi,
                left ? bj : bj + shift);
    }

    /** About half, a multiple of the block. */
    public static long half(long order, long block) {
        return (order / 2 + block - 1) / block * block;
    }
}
