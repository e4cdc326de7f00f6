package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.Geqp3rSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * QR with column pivoting by randomised blocks (Martinsson, Quintana-Ortí, Heavner and van de Geijn, "Householder QR factorization with randomization for column
 * pivoting", 2017; Duersch and Gu, "Randomized QR with column pivoting", 2017). A sketch, some random combinations of rows, stands for the matrix: its columns
 * choose a panel's. Reflectors are applied to the random numbers, too, so that the sketch of what is left comes from the last one by a small product. Where a
 * column has lost half of its digits there the device makes the sketch anew. Inside of a panel the columns of its R choose their order, exactly.
 */
public final class Geqp3r extends Routine {
    /** The family. */
    public static final Geqp3r ROUTINE = new Geqp3r();

    /** So many combinations of rows more than a panel has columns. */
    private static final long MORE = 8;

    /** Up to so many reflectors the classical algorithm takes no longer. */
    private static final long FEW = 256;

    private static final long[] WIDTHS = {32, 8};

    private static final int PANEL = BlockReflector.PANEL;
    private static final int RANDOM = 5;
    private static final int SKETCH = 6;
    private static final int NORMS = 7;

    private Geqp3r() {
        super(new Geqp3rSignature());
    }

    /** Whether a tier is one of the algorithm without random numbers. */
    private static boolean classical(Launch g, int tier) {
        return tier == WIDTHS.length || Math.min(g.m, g.n) <= FEW;
    }

    private static long width(Call c, int tier) {
        Launch g = c.args;
        return Math.min(WIDTHS[tier], BlockReflector.panel(c, tier, g.m, Math.min(g.m, g.n)));
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        ElementType type = g.type;
        for (int t = 0; t <= WIDTHS.length; t++) {
            if (classical(g, t)) {
                Geqp3.tier(c, need, t);
                continue;
            }
            long nb = width(c, t);
            long rows = nb + MORE;
            long square = Scope.squareBytes(type, nb, g.count);
            need.tier(t == 0 ? "random blocks" : "narrow random blocks")
                    .slot("packing",
                            Math.max(BlockReflector.packing(c, t, g.m, Math.max(g.n, rows), nb),
                                    Gemm.bytes(c, type, t, rows, g.n, Math.max(g.m, nb))))
                    .slot("T", square)
                    .slot("V", square)
                    .slot("W", bytes(c, nb, Math.max(g.n, rows)))
                    .slot("panel", Math.max(bytes(c, nb, g.m), bytes(c, 1, directions(nb, rows, g.n))))
                    .slot("random numbers", bytes(c, rows, g.m))
                    .slot("sketch", bytes(c, rows, g.n))
                    .slot("norms", Math.addExact(norms(c), Chunks.times(ElementType.I32.bytes(), g.count)));
        }
    }

    private static long bytes(Call c, long rows, long cols) {
        return Chunks.times(Chunks.times(rows, cols), c.args.type.bytes(), c.args.count);
    }

    /** Three norms a column, and what {@link Kernel#GEQP3_START} leaves. */
    private static long norms(Call c) {
        return Chunks.times(Math.addExact(Chunks.times(5, c.args.n), 1), c.args.type.real().bytes(), c.args.count);
    }

    /** Elements of scratch of {@link Kernel#CHOOSE_COLUMNS}. */
    private static long directions(long nb, long rows, long n) {
        return Math.addExact((nb + 1) * (rows + 1), n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        if (classical(g, c.tier())) {
            Geqp3.factor(c, c.scope.of(g.c, g.m, g.n), g.b, g.d, c.slot(1), c.slot(2));
            return;
        }
        Scope s = c.scope;
        long k = Math.min(g.m, g.n);
        long nb = width(c, c.tier());
        long rows = nb + MORE;
        Operand norms = c.k.a.matrix(g.type.real(), c.slot(NORMS), g.n, 3, g.n, 5 * g.n + 1);
        // Behind them are those that the start leaves, of which only the last number counts.
        Operand start = c.k.b.vector(g.type.real(), c.slot(NORMS) + 3 * g.n * g.type.real().bytes(), 2 * g.n + 1, 1,
                5 * g.n + 1);
        Operand fixed = c.k.c.slice(start, 2 * g.n, 1);
        // The copy of a panel and the scratch of a choice are never there together.
        Operand scratch = c.k.d.vector(g.type, c.slot(PANEL), directions(nb, rows, g.n), 1, directions(nb, rows, g.n));
        Operand flag = c.k.e.vector(ElementType.I32, c.slot(NORMS) + norms(c), 1, 1, 1);
        Block a = s.of(g.c, g.m, g.n);
        Block random = s.dense(c.slot(RANDOM), g.m, rows);
        Block sketch = s.dense(c.slot(SKETCH), rows, g.n);
        begin(c, a, random, sketch, start, flag);
        for (long j = 0; j < k; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, k - j);
            long next = j + jb;
            choose(c, a, sketch.cols(j, g.n - j), j, next, norms, fixed, scratch, flag);
            Block v = a.block(j, j, g.m - j, jb);
            order(c, a, v, j, norms, fixed, scratch);
            Block t = BlockReflector.factors(c, jb, false);
            Geqrf.panel(s, v, g.d, k, j, t);
            Block right = a.block(j, next, g.m - j, g.n - next);
            if (right.cols > 0) {
                Block x = BlockReflector.triangle(c, v);
                BlockReflector.apply(c, Side.LEFT, Op.CONJ_TRANS, v, x, t, right);
                if (next < k) {
                    Block numbers = random.rows(j, g.m - j);
                    BlockReflector.apply(c, Side.LEFT, Op.CONJ_TRANS, v, x, t, numbers);
                    Block rest = sketch.cols(next, g.n - next);
                    s.gemm(-1, numbers.rows(0, jb).h(), right.rows(0, jb), 1, rest);
                    s.guard = flag;
                    s.gemm(1, numbers.rows(jb, g.m - next).h(), right.rows(jb, g.m - next), 0, rest);
                    s.guard = null;
                }
            }
            s.release(mark);
        }
    }

    /** Brings columns forward that come first, and makes the sketch of all of a. */
    private static void begin(Call c, Block a, Block random, Block sketch, Operand norms, Operand flag) {
        Scope s = c.scope;
        Launch l = s.kernel(Kernel.GEQP3_START);
        l.m = a.rows;
        l.n = a.cols;
        l.a.set(norms);
        a.into(l.c);
        l.f.set(c.args.b);
        s.launch();
        l = s.kernel(Kernel.GAUSSIAN);
        l.m = random.rows;
        l.n = random.cols;
        random.into(l.c);
        s.launch();
        l = s.kernel(Kernel.FILL);
        l.type = ElementType.I32;
        l.n = 1;
        l.alpha.set(0, 0);
        l.c.set(flag);
        s.launch();
        s.gemm(1, random.h(), a, 0, sketch);
    }

    private static void choose(Call c, Block a, Block sketch, long first, long next, Operand norms, Operand fixed,
            Operand scratch, Operand flag) {
        Launch l = c.scope.kernel(Kernel.CHOOSE_COLUMNS);
        l.m = a.rows;
        l.n = first + sketch.cols;
        l.k = sketch.rows;
        l.p = first;
        l.q = next;
        l.a.set(norms);
        sketch.into(l.b);
        a.into(l.c);
        l.d.set(scratch);
        if (flag != null) {
            l.e.set(flag);
        }
        l.f.set(c.args.b);
        l.g.set(fixed);
        c.scope.launch();
    }

    /** Brings the columns of a panel into the order in which they would be chosen: a copy is factored, whose R tells. */
    private static void order(Call c, Block a, Block v, long first, Operand norms, Operand fixed, Operand scratch) {
        Scope s = c.scope;
        int mark = s.mark();
        Block copy = s.dense(c.slot(PANEL), v.rows, v.cols);
        s.copy(v, copy);
        Geqrf.panel(s, copy, c.args.d, Math.min(a.rows, a.cols), first, null);
        Block r = s.dense(c.slot(BlockReflector.V), v.cols, v.cols);
        s.expand(Structure.TRIANGULAR, copy.rows(0, v.cols).triangle(Uplo.UPPER, Diag.NON_UNIT), r);
        choose(c, a, r, first, first + v.cols, norms, fixed, scratch, null);
        s.release(mark);
    }
}
