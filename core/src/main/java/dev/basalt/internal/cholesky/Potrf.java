package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.PotrfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Cholesky: A = L·Lᴴ or Uᴴ·U. Halved recursively (Gustavson, 1997) down to the triangles that the device takes at once:
 * factor, solve, rank-k update, factor. {@code info} of each
 * problem is the order of the first leading minor that is not positive definite, 0 if all are; such a problem is left where it
 * stands, the others go on.
 */
public final class Potrf extends Routine {
    /** Up to this many block columns are factored one after the other on devices that work in waves. */
    private static final long COLUMNS = 8;

    /** The family. */
    public static final Potrf ROUTINE = new Potrf();

    /**
     * The longest sum of a first update. A product of the host sums up to 256 columns at once; where those are half of all that an element
     * gets, its error is twice what halving promises. Further updates are small beside what they are added to.
     */
    private static final long SUM = 128;

    private Potrf() {
        super(new PotrfSignature());
    }

    @Override
    protected void quickRun(Call c) {
        Blocks.quickInfo(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, c.args.n, 0);
    }

    /** The tiers of a factorisation of order n followed by a solve with nrhs right-hand sides. */
    public static void need(Call c, Need need, long n, long nrhs) {
        long whole = c.traits.reach().of(Kernel.POTF2, c.args.type);
        boolean alone = n <= whole && nrhs == 0;
        for (int t = 0; t < 2; t++) {
            long nb = Math.min(n, t == 0 ? Blocks.outer(c) : c.traits.block());
            boolean square = n > whole && !Syrk.direct(c);
            long packing = alone ? 0 : Gemm.bytes(c.traits, c.args.type, t, n, Math.max(n, nrhs), n);
            long block = alone || t > 0 ? 0 : Packing.block(c, Kernel.SYRK, Math.min(n, whole), n);
            need.tier(Packing.TIERS.get(t))
                    .slot("diagonal", square ? Blocks.squareBytes(c.args.type, nb, c.args.count) : 0)
                    .slot("packing", Math.max(packing, block));
        }
        need.tier(Packing.TIERS.get(2));
    }

    @Override
    protected void run(Call c) {
        Blocks.clearInfo(c);
        factor(c, c.args.n, c.args.c);
    }

    /** Factors A in place; info is operand e of the call, and problems that failed are skipped from then on. */
    public static void factor(Call c, long n, Operand a) {
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        c.guard = c.args.e;
        factor(c, n, a, 0);
    }

    private static void factor(Call c, long n, Operand a, long j) {
        Uplo uplo = c.args.uplo;
        if (n <= c.traits.reach().of(Kernel.POTF2, c.args.type)) {
            Launch l = c.kernel(Kernel.POTF2);
            l.uplo = uplo;
            l.n = n;
            l.p = j;
            l.c.block(a, j, j, n, n);
            c.launch();
            return;
        }
        long whole = c.traits.reach().of(Kernel.POTF2, c.args.type);
        // Where small launches all take about as long, a block column at a time makes the fewest of them.
        boolean column = c.traits.reach().waves() && n <= COLUMNS * whole;
        long first = column ? whole : Trsm.half(n, whole);
        long second = n - first;
        long next = j + first;
        factor(c, first, a, j);
        boolean lower = uplo == Uplo.LOWER;
        if (lower) {
            Trsm.solve(c, Side.RIGHT, uplo, Op.CONJ_TRANS, Diag.NON_UNIT, first, second, a, j, a, next, j);
        } else {
            Trsm.solve(c, Side.LEFT, uplo, Op.CONJ_TRANS, Diag.NON_UNIT, first, second, a, j, a, j, next);
        }
        // Two updates in place of one: see SUM.
        boolean halves = c.traits.reach().packs(Kernel.SYRK) && first > SUM && first <= 2 * SUM;
        long piece = halves ? (first + 1) / 2 : first;
        for (long k = 0; k < first; k += piece) {
            update(c, second, Math.min(piece, first - k), a, j + k, next);
        }
        factor(c, second, a, next);
    }

    /** The trailing block from row and column {@code next} minus the product of some columns of L left of it (rows of U above it). */
    private static void update(Call c, long n, long k, Operand a, long from, long next) {
        boolean lower = c.args.uplo == Uplo.LOWER;
        Syrk.update(
                c,
                c.tier(),
                c.slot(0),
                c.args.uplo,
                lower ? Op.NONE : Op.CONJ_TRANS,
                true,
                n,
                k,
                Blocks.MINUS_ONE,
                a,
                lower ? next : from,
                lower ? from : next,
                Blocks.ONE,
                a,
                next);
    }
}
