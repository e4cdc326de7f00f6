package dev.basalt.internal.refine;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.cholesky.Potrs;
import dev.basalt.internal.condition.Estimator;
import dev.basalt.internal.lu.Getrs;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.GerfsSignature;
import dev.basalt.internal.signature.PorfsSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;
import dev.basalt.type.Op;

/**
 * Iterative refinement of solutions, with componentwise backward errors and bounds of forward errors (Arioli, Demmel and Duff, SIAM J. Matrix Anal. Appl. 10, 1989; LAPACK's gerfs). All right-hand
 * sides of all problems take their steps together. The device knows which of them are done: those take no correction, and problems whose columns are all done are skipped.
 */
public final class Refinement extends Routine implements Estimator.Product {
    /** From the factors of getrf. */
    public static final Refinement GERFS = new Refinement(new GerfsSignature(), false);

    /** From the factor of potrf. */
    public static final Refinement PORFS = new Refinement(new PorfsSignature(), true);

    /** The slot of packing. */
    static final int PACKING = 1;

    private static final int RESIDUAL = 2;
    private static final int BOUNDS = 3;
    private static final int STATE = 4;

    /** The slot of what tells which problems are done. */
    static final int DONE = 5;

    /** The slot of estimates. */
    static final int ESTIMATE = 6;

    /** Operands of the call. */
    private static final int FORWARD_ERRORS = 6;

    private static final int BACKWARD_ERRORS = 7;

    /** Residuals at most: after the last there is no correction. */
    private static final int ROUNDS = 6;

    private final boolean definite;

    private Refinement(Signature signature, boolean definite) {
        super(signature);
        this.definite = definite;
    }

    /** Errors of solutions without unknowns are 0. */
    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        Launch g = c.args;
        for (int operand = FORWARD_ERRORS; operand <= BACKWARD_ERRORS && g.count > 0 && g.k > 0; operand++) {
            c.requireOperand(operand);
            Launch l = c.kernel(Kernel.FILL);
            l.type = g.type.real();
            l.n = g.k;
            l.alpha.set(0, 0);
            l.c.set(g.operand(operand));
            c.launch();
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        need.part();
        for (String tier : Packing.TIERS) {
            slots(c, need.tier(tier));
        }
        need.part();
        Trsm.need(c, need, g.n, g.k, g.n);
        need.part();
        Packing.need(c, need, g.n, g.k, g.n);
        need.together();
    }

    /** The slots of a refinement in a tier, behind those of the parts it is made of. */
    static Need slots(Call c, Need tier) {
        Launch g = c.args;
        long elements = Chunks.times(g.n, g.k, g.count);
        long real = g.type.real().bytes();
        return tier.slot("diagonal", 0)
                .slot("packing", 0)
                .slot("residual", Chunks.times(elements, g.type.bytes()))
                .slot("bounds", Chunks.times(elements, real))
                .slot("state", Chunks.times(g.k, real, g.count))
                .slot("done", Chunks.times(4, g.count))
                .slot("estimate", Estimator.bytes(g.type, g.n, g.count));
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, PACKING);
        InfoArray.clear(c);
        refine(c, null);
    }

    /**
     * Refines the solutions of the call.
     *
     * @param info problems with one that is not 0 are left alone, and the slot of what is done has a copy of it; null for none
     */
    void refine(Call c, Operand info) {
        Launch g = c.args;
        Scope s = c.scope;
        Block a = s.of(g.a, g.n, g.n);
        Block b = s.of(g.f, g.n, g.k);
        Block x = s.of(g.c, g.n, g.k);
        Block r = s.dense(c.slot(RESIDUAL), g.n, g.k);
        Operand done = c.k.g.vector(ElementType.I32, c.slot(DONE), 1, 1, 1);
        s.guard = info == null ? null : done;
        for (int round = 1; round <= ROUNDS; round++) {
            int mark = s.mark();
            residual(c, a, b, x, r);
            product(c, a, b, x);
            Launch l = step(c, Kernel.BACKWARD, r, x);
            l.q = round;
            l.d.set(g.operand(BACKWARD_ERRORS));
            l.e.set(done);
            s.launch();
            s.guard = done;
            if (round < ROUNDS) {
                solve(c, g.opA, r);
                step(c, Kernel.CORRECT, r, x);
                s.launch();
            }
            s.release(mark);
        }
        s.guard = info;
        step(c, Kernel.BOUND, r, x);
        s.launch();
        for (long j = 0; j < g.k; j++) {
            forward(c, x, j);
        }
        // Estimates are made in workspace: their steps ask nobody which problems failed.
        Launch l = s.kernel(Kernel.COPY);
        l.type = g.type.real();
        l.n = g.k;
        l.a.vector(l.type, c.slot(STATE), g.k, 1, g.k);
        l.c.set(g.operand(FORWARD_ERRORS));
        s.launch();
    }

    /** r := b - op(a)·x. */
    private void residual(Call c, Block a, Block b, Block x, Block r) {
        Launch g = c.args;
        Scope s = c.scope;
        s.copy(b, r);
        if (!definite && g.k > 1) {
            s.gemm(-1, a.op(g.opA), x, 1, r);
            return;
        }
        for (long j = 0; j < g.k; j++) {
            int mark = s.mark();
            Launch l = s.kernel(definite ? Kernel.SYMV : Kernel.GEMV);
            l.hermitian = definite && g.type.isComplex();
            l.uplo = g.uplo;
            l.opA = g.opA;
            l.m = g.n;
            l.n = g.n;
            l.alpha.set(-1, 0);
            l.beta.set(1, 0);
            a.into(l.a);
            vector(x.cols(j, 1), l.b);
            vector(r.cols(j, 1), l.c);
            s.launch();
            s.release(mark);
        }
    }

    private static void vector(Block column, Operand operand) {
        column.into(operand);
        operand.ld = 1;
        operand.vector = true;
    }

    /** Bounds := |op(a)|·|x| + |b|. */
    private void product(Call c, Block a, Block b, Block x) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GEMV_ABS);
        l.structure = !definite ? Structure.TRIANGULAR : g.type.isComplex() ? Structure.HERMITIAN : Structure.SYMMETRIC;
        l.uplo = g.uplo;
        l.opA = g.opA;
        l.m = g.n;
        l.n = g.k;
        a.into(l.a);
        x.into(l.b);
        b.into(l.c);
        bounds(c, l.d);
        c.scope.launch();
    }

    private static void bounds(Call c, Operand operand) {
        Launch g = c.args;
        operand.matrix(g.type.real(), c.slot(BOUNDS), g.n, g.k, g.n, g.n * g.k);
    }

    private static Launch step(Call c, int step, Block a, Block x) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GERFS);
        l.p = step;
        l.n = g.n;
        l.k = g.k;
        a.into(l.a);
        bounds(c, l.b);
        x.into(l.c);
        l.f.vector(g.type.real(), c.slot(STATE), g.k, 1, g.k);
        return l;
    }

    private void solve(Call c, Op op, Block b) {
        Launch g = c.args;
        Block factors = c.scope.of(g.b, g.n, g.n);
        if (definite) {
            Potrs.solve(c, factors, b);
        } else {
            Getrs.solve(c, op, factors, b, null);
        }
    }

    /** The bound of column j: ‖|op(A)⁻¹|·bounds‖ over that of the solution, both the largest element. */
    private void forward(Call c, Block x, long j) {
        Scope s = c.scope;
        int mark = s.mark();
        c.k.q = j;
        ElementType real = c.args.type.real();
        Operand error = c.k.d.vector(real, c.slot(STATE) + j * real.bytes(), 1, 1, c.args.k);
        Estimator.estimate(c, this, Norm.INF, c.args.n, c.slot(ESTIMATE), error, null);
        Launch l = step(c, Kernel.FORWARD, x.cols(j, 1), x.cols(j, 1));
        l.a.clear();
        l.d.set(error);
        s.launch();
        s.release(mark);
    }

    /** op(A)⁻¹ times the bounds of the column that {@code c.k.q} counts, on a diagonal; of the moduli a transpose is as good as its conjugate. */
    @Override
    public void apply(Call c, Block x, boolean adjoint) {
        Scope s = c.scope;
        int mark = s.mark();
        boolean turned = (c.args.opA != Op.NONE) != adjoint;
        if (!adjoint) {
            weigh(c, x);
        }
        solve(c, turned ? Op.CONJ_TRANS : Op.NONE, x);
        if (adjoint) {
            weigh(c, x);
        }
        s.release(mark);
    }

    private static void weigh(Call c, Block x) {
        Launch l = step(c, Kernel.WEIGH, x, x);
        l.a.clear();
        l.b.offset += c.k.q * l.n * l.b.type.bytes();
        l.b.cols = 1;
        c.scope.launch();
    }
}
