package dev.basalt.internal.lowprecision;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;

/**
 * A·X = B by factors in single precision and iterative refinement: the residual is computed in double precision, the correction from the factors. Where that
 * fails A is factored in double precision (Langou and others, "Exploiting the performance of 32 bit floating point arithmetic in obtaining 64 bit accuracy", 2006).
 *
 * <p>The device decides, problem by problem, and nobody waits for it: there are always as many steps, and {@code info} is the guard of all. While the call runs it is
 * not 0 where a step is to be left out: the factorisation failed, or X is good. Between refinement and fallback the meaning turns: it is not 0 where X is good.
 */
abstract class Refined extends Routine {
    /** Steps of refinement at most, as in LAPACK. */
    static final int STEPS = 30;

    /** What iter is where that many were not enough. */
    private static final int NOT_CONVERGED = -STEPS - 1;

    /** What iter is where there was no workspace for refinement, or the device is as fast without it. */
    static final int NOT_TRIED = -1;

    // The slots, of which the last four are those of the refinement.
    private static final int PACKING = 1;
    private static final int FACTORS = 2;
    private static final int SIDES = 3;
    private static final int RESIDUAL = 4;
    private static final int SUMS = 5;

    Refined(Signature signature) {
        super(signature);
    }

    /** The need of a factorisation and of solves in the call's type: two slots, the second the packing. */
    abstract void parts(Call c, Need need);

    /** Factors a; info and the pivots are those of the call. */
    abstract void factor(Call c, Block a);

    /** Solves for b in place. */
    abstract void solve(Call c, Block a, Block b);

    /** The part of A that there is := that of a, in the other precision. */
    abstract Kernel conversion();

    /** The kernel of the sums of rows of A. */
    abstract Kernel sums();

    /** R := R - A·X. */
    abstract void residual(Call c, Block a, Block x, Block r);

    /** There is nothing to refine. */
    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(5);
            iter(c, 0);
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        ElementType type = g.type;
        if (refines(c)) {
            need.part();
            for (String tier : Packing.TIERS) {
                slots(c, need.tier("single precision, " + tier).slot("diagonal", 0).slot("packing", 0));
            }
            g.type = single(type);
            parts(c, need);
            g.type = type;
            parts(c, need);
            need.below();
        }
        need.part();
        for (String tier : Packing.TIERS) {
            need.tier("double precision, " + tier).slot("diagonal", 0).slot("packing", 0);
        }
        parts(c, need);
        need.together();
    }

    /** Whether refinement pays on this device, where there is workspace for it. */
    boolean refines(Call c) {
        return c.traits.refines();
    }

    /** The slots of the refinement, behind the diagonal and the packing. */
    void slots(Call c, Need need) {
        Launch g = c.args;
        long sides = Chunks.times(g.n, g.k);
        need.slot("factors", Chunks.times(Chunks.times(g.n, g.n), single(g.type).bytes(), g.count))
                .slot("right-hand sides", Chunks.times(sides, single(g.type).bytes(), g.count))
                .slot("residual", Chunks.times(sides, g.type.bytes(), g.count))
                .slot("sums of rows", Chunks.times(g.n, g.type.real().bytes(), g.count));
    }

    static ElementType single(ElementType type) {
        return type.isComplex() ? ElementType.C32 : ElementType.F32;
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Packing.use(c, PACKING);
        s.guard = g.e;
        Block a = s.of(g.a, g.n, g.n).triangle(g.uplo, Diag.NON_UNIT);
        Block b = s.of(g.b, g.n, g.k);
        Block x = s.of(g.c, g.n, g.k);
        boolean refines = refines(c) && c.algorithm() == 0;
        if (refines) {
            refine(c, a, b, x);
            fallBack(c, 0);
        } else {
            iter(c, NOT_TRIED);
        }
        s.copy(b, x);
        factor(c, a);
        solve(c, a, x);
        if (refines) {
            fallBack(c, 1);
        }
    }

    /** Factors A in single precision and refines X; info is REFINED where that did. */
    void refine(Call c, Block a, Block b, Block x) {
        Launch g = c.args;
        Scope s = c.scope;
        ElementType type = g.type;
        Block r = s.dense(c.slot(RESIDUAL), g.n, g.k);
        type(c, single(type));
        Block factors = s.dense(c.slot(FACTORS), g.n, g.n);
        Block correction = s.dense(c.slot(SIDES), g.n, g.k);
        type(c, type);
        sums(c, a);
        convert(s, conversion(), a, factors);
        convert(s, Kernel.CONVERT, b, correction);
        type(c, single(type));
        factor(c, factors);
        solve(c, factors, correction);
        type(c, type);
        convert(s, Kernel.CONVERT, correction, x);
        int mark = s.mark();
        for (int step = 0;; step++) {
            s.copy(b, r);
            residual(c, a, x, r);
            converged(c, r, x, step);
            if (step == STEPS) {
                return;
            }
            convert(s, Kernel.CONVERT, r, correction);
            type(c, single(type));
            solve(c, factors, correction);
            type(c, type);
            convert(s, Kernel.CONVERT, correction, r);
            add(s, r, x);
            s.release(mark);
        }
    }

    /** From here on the parts compute in a precision. */
    static void type(Call c, ElementType type) {
        c.args.type = type;
        c.scope.type(type);
    }

    private static void convert(Scope s, Kernel kernel, Block a, Block c) {
        if (c.cols == 0) {
            return;
        }
        Launch l = s.kernel(kernel);
        l.type = c.type();
        l.uplo = a.uplo;
        l.m = c.rows;
        l.n = c.cols;
        l.p = Kernel.OVERFLOWN;
        a.into(l.a);
        c.into(l.c);
        s.launch();
    }

    private void sums(Call c, Block a) {
        Launch l = c.scope.kernel(sums());
        l.uplo = a.uplo;
        l.m = a.rows;
        l.n = a.cols;
        a.into(l.a);
        l.c.vector(l.type.real(), c.slot(SUMS), a.rows, 1, a.rows);
        c.scope.launch();
    }

    private static void converged(Call c, Block r, Block x, int step) {
        Launch l = c.scope.kernel(Kernel.CONVERGED);
        l.n = r.rows;
        l.k = r.cols;
        l.p = step;
        l.q = step == STEPS ? NOT_CONVERGED : 0;
        l.a.vector(l.type.real(), c.slot(SUMS), r.rows, 1, r.rows);
        r.into(l.b);
        x.into(l.c);
        l.f.set(c.args.f);
        c.scope.launch();
    }

    /** The launch that takes A·x from r, both of one column. */
    static void vectors(Launch l, Block a, Block x, Block r) {
        l.m = a.rows;
        l.n = a.cols;
        l.alpha.set(-1, 0);
        l.beta.set(1, 0);
        a.into(l.a);
        vector(x, l.b);
        vector(r, l.c);
    }

    private static void vector(Block column, Operand into) {
        column.into(into);
        into.ld = 1;
        into.vector = true;
    }

    /** y := x + y. */
    private static void add(Scope s, Block x, Block y) {
        if (y.cols == 0) {
            return;
        }
        Launch l = s.kernel(Kernel.GEAM);
        l.m = y.rows;
        l.n = y.cols;
        l.beta.set(1, 0);
        x.into(l.a);
        y.into(l.b);
        y.into(l.c);
        s.launch();
    }

    static void fallBack(Call c, int when) {
        Launch l = c.scope.kernel(Kernel.FALL_BACK);
        l.guarded = false;
        l.n = 1;
        l.p = when;
        l.e.set(c.args.e);
        l.f.set(c.args.f);
        c.scope.launch();
    }

    static void iter(Call c, int value) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = ElementType.I64;
        l.guarded = false;
        l.e.clear();
        l.n = 1;
        l.alpha.set(value, 0);
        l.c.set(c.args.f);
        c.scope.launch();
    }
}
