package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.GesvdrSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;

/**
 * The largest singular values by random combinations of columns (Halko, Martinsson and Tropp, "Finding structure with randomness: probabilistic algorithms for constructing approximate matrix decompositions", 2011). Power
 * steps, with QR after each product, turn the combinations towards the large values. Small factors are decomposed by Jacobi's method.
 */
public final class Gesvdr extends Routine {
    /** The family. */
    public static final Gesvdr ROUTINE = new Gesvdr();

    /** So many combinations more than values. */
    private static final long MORE = 8;

    /** Sweeps of Jacobi's method, which never takes that many. */
    private static final long SWEEPS = 60;

    /** Slots behind those of reflectors. */
    private static final int NORM = 0;

    private static final int FACTORS = 1;
    private static final int LEFT = 2;
    private static final int RIGHT = 3;
    private static final int TRIANGLE = 4;
    private static final int ROTATIONS = 5;
    private static final int VALUES = 6;

    private Gesvdr() {
        super(new GesvdrSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    private static long combinations(Launch g) {
        return Math.min(Math.addExact(g.k, MORE), Math.min(g.m, g.n));
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long l = combinations(g);
        long longer = Math.max(g.m, g.n);
        long square = Scope.squareBytes(g.type, l, g.count);
        need.part();
        Reflectors.needFactor(c, need, longer, l, false);
        need.part();
        Reflectors.needForm(c, need, longer, l, l);
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            need.tier(Reflectors.TIERS.get(t));
            if (t < 2) {
                need.slot("packing", Math.max(Gemm.bytes(c, g.type, t, g.m, l, Math.max(g.n, l)),
                        Gemm.bytes(c, g.type, t, l, g.n, Math.max(g.m, l))));
            }
            need.slot("norm", Range.bytes(c))
                    .slot("tau", Chunks.times(l, g.type.bytes(), g.count))
                    .slot("left", bytes(c, g.m, l))
                    .slot("right", bytes(c, g.n, l))
                    .slot("triangle", square)
                    .slot("rotations", square)
                    .slot("values", Chunks.times(Math.addExact(l, 3), Long.BYTES, g.count))
                    .slot("shared", Gesvdj.shared(c, t, l));
        }
        need.together();
    }

    private static long bytes(Call c, long rows, long cols) {
        return Chunks.times(Chunks.times(rows, cols), c.args.type.bytes(), c.args.count);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        int own = Reflectors.begin(c);
        InfoArray.clear(c);
        long l = combinations(g);
        Block a = s.of(g.c, g.m, g.n);
        Operand norm = Range.enter(c, a, c.slot(own + NORM));
        Operand tau = s.part().vector(g.type, c.slot(own + FACTORS), l, 1, l);
        Block y = s.dense(c.slot(own + LEFT), g.m, l);
        Block z = s.dense(c.slot(own + RIGHT), g.n, l);
        if (l == g.m) {
            Factors.identity(s, y);
        } else {
            basis(c, a, y, z, tau);
        }
        s.gemm(1, a.h(), y, 0, z);
        Reflectors.factor(c, z, tau);
        Block x = s.dense(c.slot(own + TRIANGLE), l, l);
        Block v = s.dense(c.slot(own + ROTATIONS), l, l);
        Factors.bring(s, z.rows(0, l).h(), x);
        Gesvdj.lower(s, x);
        Reflectors.form(c, z, tau, l);
        Operand values = iterate(c, x, v, own + VALUES);
        s.gemm(1, y, x.cols(0, g.k), 0, s.of(g.b, g.m, g.k));
        s.gemm(1, v.cols(0, g.k).h(), z.h(), 0, s.of(g.d, g.k, g.n));
        Launch copy = Iteration.real(c, Kernel.COPY);
        copy.n = g.k;
        copy.a.set(values);
        copy.c.set(g.a);
        s.launch();
        Range.leave(c, norm, g.a, g.k);
    }

    /** Columns of y := a basis of what large values are in. Where there is room for all columns of A random combinations would lose digits. */
    private static void basis(Call c, Block a, Block y, Block z, Operand tau) {
        Scope s = c.scope;
        if (y.cols == a.cols) {
            s.copy(a, y);
            orthogonal(c, y, tau);
            return;
        }
        Launch random = s.kernel(Kernel.GAUSSIAN);
        random.m = z.rows;
        random.n = z.cols;
        z.into(random.c);
        s.launch();
        s.gemm(1, a, z, 0, y);
        for (long step = 0; step < c.args.q; step++) {
            orthogonal(c, y, tau);
            s.gemm(1, a.h(), y, 0, z);
            orthogonal(c, z, tau);
            s.gemm(1, a, z, 0, y);
        }
        orthogonal(c, y, tau);
    }

    /** The columns := an orthonormal basis of what they span. */
    private static void orthogonal(Call c, Block x, Operand tau) {
        Reflectors.factor(c, x, tau);
        Reflectors.form(c, x, tau, x.cols);
    }

    /** x := left vectors, v := right ones; the values. */
    private static Operand iterate(Call c, Block x, Block v, int slot) {
        Scope s = c.scope;
        long work = c.slot(slot);
        long n = x.cols;
        ElementType real = c.args.type.real();
        // Numbers of sweeps come first, since they have the largest alignment.
        Operand sweeps = s.part().vector(ElementType.I64, work, 1, 1, 1);
        long at = work + Long.BYTES * c.args.count;
        Operand values = s.part().vector(real, at, n + 1, 1, n + 1);
        Launch l = s.kernel(Kernel.GESVJ);
        l.m = n;
        l.n = n;
        l.q = SWEEPS;
        l.alpha.set(Scope.ZERO);
        l.a.slice(values, 0, n);
        v.into(l.b);
        x.into(l.c);
        l.e.set(c.args.e);
        l.f.slice(values, n, 1);
        l.g.set(sweeps);
        Gesvdj.share(c, l, slot + 1);
        s.launch();
        return values;
    }
}
