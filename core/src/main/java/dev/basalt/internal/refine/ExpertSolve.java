package dev.basalt.internal.refine;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.cholesky.Potrf;
import dev.basalt.internal.cholesky.Potrs;
import dev.basalt.internal.condition.Estimator;
import dev.basalt.internal.condition.Gecon;
import dev.basalt.internal.condition.Pocon;
import dev.basalt.internal.lu.Getrf;
import dev.basalt.internal.lu.Getrs;
import dev.basalt.internal.matrix.MatrixNorm;
import dev.basalt.internal.signature.GesvxSignature;
import dev.basalt.internal.signature.PosvxSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Fact;
import dev.basalt.type.Norm;
import dev.basalt.type.Op;

/**
 * Solves op(A)·X = B with everything that is known of how good the solution is, as LAPACK's gesvx and posvx: scales, factors, condition number, refinement, error bounds. What is scaled and which
 * problems fail the device decides, and nobody waits for it. Problems that fail keep their X.
 */
public final class ExpertSolve extends Routine implements Estimator.Product {
    /** By LU. */
    public static final ExpertSolve GESVX = new ExpertSolve(new GesvxSignature(), false);

    /** By Cholesky. */
    public static final ExpertSolve POSVX = new ExpertSolve(new PosvxSignature(), true);

    /** The slot of norms, of numbers about scales, and of an info that nobody asks for. */
    private static final int NORMS = 7;

    // Operands of the call.
    private static final int FORWARD_ERRORS = 6;
    private static final int BACKWARD_ERRORS = 7;
    private static final int RCOND = 8;
    private static final int ROW_SCALES = 9;
    private static final int COLUMN_SCALES = 10;
    private static final int EQUED = 11;
    private static final int GROWTH = 12;

    // What equed is a sum of.
    private static final int ROWS = 1;
    private static final int COLUMNS = 2;

    /** Numbers about scales: two ratios and the largest element. */
    private static final int RATIOS = 3;

    /** Where LAPACK has equed among the arguments of gesvx, and of posvx; scales follow. */
    private static final int EQUED_OF_GESVX = 10;

    private static final int EQUED_OF_POSVX = 9;

    private final boolean definite;

    private ExpertSolve(Signature signature, boolean definite) {
        super(signature);
        this.definite = definite;
    }

    /** Without unknowns the condition number is 1, and there are no errors. */
    @Override
    protected void quickRun(Call c) {
        Launch g = c.args;
        if (g.count == 0) {
            InfoArray.quick(c);
            return;
        }
        // A call that fails changes nothing, so all are looked at before one is written.
        c.requireOperand(RCOND);
        if (!definite) {
            c.requireOperand(GROWTH);
        }
        if (g.fact != Fact.FACTORED) {
            c.requireOperand(EQUED);
        }
        if (g.k > 0) {
            c.requireOperand(FORWARD_ERRORS);
            c.requireOperand(BACKWARD_ERRORS);
        }
        InfoArray.quick(c);
        fill(c, RCOND, 1, 1);
        if (!definite) {
            fill(c, GROWTH, 1, 1);
        }
        if (g.fact != Fact.FACTORED) {
            fill(c, EQUED, 1, 0);
        }
        if (g.k > 0) {
            fill(c, FORWARD_ERRORS, g.k, 0);
            fill(c, BACKWARD_ERRORS, g.k, 0);
        }
    }

    private static void fill(Call c, int operand, long n, double value) {
        Operand o = c.args.operand(operand);
        Launch l = c.kernel(Kernel.FILL);
        l.type = o.type;
        l.n = n;
        l.alpha.set(value, 0);
        l.c.set(o);
        c.launch();
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        need.part();
        for (String tier : Packing.TIERS) {
            Refinement.slots(c, need.tier(tier)).slot("norms", Math.addExact(stateAt(g), Chunks.times(4, g.count)));
        }
        need.part();
        if (definite) {
            Potrf.need(c, need, g.n);
        } else {
            Getrf.need(c, need, g.n, g.n);
        }
        if (g.k > 0) {
            need.part();
            Getrs.need(c, need, g.n, definite ? Math.max(g.n, g.k) : g.k);
            need.part();
            Packing.need(c, need, g.n, g.k, g.n);
        }
        need.together();
    }

    private static long ratiosAt(Launch g) {
        return Chunks.times(2, Chunks.times(g.n, 8, g.count));
    }

    private static long normAt(Launch g) {
        return Math.addExact(ratiosAt(g), Chunks.times(RATIOS, 8, g.count));
    }

    private static long stateAt(Launch g) {
        return Math.addExact(normAt(g), Chunks.times(8, g.count));
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, Refinement.PACKING);
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        Operand state = s.part().vector(ElementType.I32, c.slot(NORMS) + stateAt(g), 1, 1, 1);
        Block a = s.of(g.a, g.n, g.n).triangle(g.uplo, Diag.NON_UNIT);
        Block factors = s.of(g.b, g.n, g.n).triangle(g.uplo, Diag.NON_UNIT);
        Block b = s.of(g.f, g.n, g.k);
        Block x = s.of(g.c, g.n, g.k);
        // What B is scaled by; X is scaled by the other.
        int side = definite || g.opA == Op.NONE ? ROWS : COLUMNS;
        int other = definite || side == COLUMNS ? ROWS : COLUMNS;
        scales(c, state);
        s.guard = g.e;
        scale(c, b, side);
        if (g.fact != Fact.FACTORED) {
            factor(c, a, factors);
        }
        s.guard = null;
        growth(c, a, factors);
        condition(c, a, state);
        s.guard = g.e;
        if (g.k > 0) {
            s.copy(b, x);
            if (definite) {
                Potrs.solve(c, factors, x);
            } else {
                Getrs.solve(c, g.opA, factors, x, null);
            }
            (definite ? Refinement.PORFS : Refinement.GERFS).refine(c, g.e);
            scale(c, x, other);
        }
        report(c, other);
    }

    private Structure structure(Launch g) {
        return !definite ? Structure.TRIANGULAR : g.type.isComplex() ? Structure.HERMITIAN : Structure.SYMMETRIC;
    }

    // ---- scales

    private static Operand ratios(Call c) {
        return number(c, 0, RATIOS);
    }

    /** Numbers about scales from one on. */
    private static Operand number(Call c, int first, int count) {
        ElementType real = c.args.type.real();
        long at = c.slot(NORMS) + ratiosAt(c.args) + (long) first * real.bytes();
        return c.scope.part().vector(real, at, count, 1, RATIOS);
    }

    private Launch step(Call c, int step) {
        Launch l = c.scope.kernel(Kernel.GESVX);
        l.guarded = false;
        l.p = step;
        l.n = c.args.n;
        l.k = c.args.k;
        l.e.set(c.args.e);
        return l;
    }

    /** Looks at the scales that are given, or makes scales and scales A where that pays. */
    private void scales(Call c, Operand state) {
        Launch g = c.args;
        Scope s = c.scope;
        Operand equed = g.operand(EQUED);
        Operand ratios = ratios(c);
        if (g.fact == Fact.FACTORED) {
            Launch l = step(c, Kernel.GIVEN);
            l.q = definite ? EQUED_OF_POSVX : EQUED_OF_GESVX;
            l.a.set(g.operand(ROW_SCALES));
            if (!definite) {
                l.b.set(g.operand(COLUMN_SCALES));
            }
            l.c.set(ratios);
            l.f.set(equed);
            s.launch();
            return;
        }
        if (g.fact == Fact.NOT_FACTORED) {
            fill(c, EQUED, 1, 0);
            return;
        }
        Operand rowcnd = number(c, 0, 1);
        Operand colcnd = number(c, definite ? 0 : 1, 1);
        Operand amax = number(c, 2, 1);
        Launch l = s.kernel(definite ? Kernel.POEQU : Kernel.GEEQU);
        l.m = g.n;
        l.n = g.n;
        l.a.set(g.a);
        l.b.set(g.operand(ROW_SCALES));
        l.c.set(amax);
        l.e.set(state);
        l.f.set(rowcnd);
        if (!definite) {
            l.d.set(g.operand(COLUMN_SCALES));
            l.g.set(colcnd);
        }
        s.launch();
        l = step(c, Kernel.UNSCALED);
        l.c.set(ratios);
        l.e.set(state);
        s.launch();
        l = s.kernel(Kernel.LAQGE);
        l.structure = structure(g);
        l.uplo = g.uplo;
        l.m = g.n;
        l.n = g.n;
        l.a.set(g.operand(ROW_SCALES));
        l.b.set(g.operand(definite ? ROW_SCALES : COLUMN_SCALES));
        l.c.set(g.a);
        l.d.set(rowcnd);
        l.e.set(equed);
        l.f.set(colcnd);
        l.g.set(amax);
        s.launch();
    }

    /** Scales the rows of a block where equed has rows or columns of A scaled. */
    private void scale(Call c, Block b, int which) {
        Launch g = c.args;
        if (b.cols == 0 || g.fact == Fact.NOT_FACTORED) {
            return;
        }
        Launch l = c.scope.kernel(Kernel.SCALE_ROWS);
        l.m = b.rows;
        l.n = b.cols;
        l.p = which;
        l.a.set(g.operand(which == ROWS ? ROW_SCALES : COLUMN_SCALES));
        b.into(l.c);
        l.f.set(g.operand(EQUED));
        c.scope.launch();
    }

    // ---- factors and what they tell

    private void factor(Call c, Block a, Block factors) {
        Scope s = c.scope;
        if (!definite) {
            s.copy(a, factors);
            Getrf.factor(c, factors);
            return;
        }
        Launch l = s.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = a.uplo;
        l.n = a.rows;
        a.into(l.a);
        factors.into(l.c);
        s.launch();
        Potrf.factor(c, factors, c.args.e);
    }

    /** The reciprocal growth of pivots, and a copy of info for the refinement. */
    private void growth(Call c, Block a, Block factors) {
        Launch g = c.args;
        Scope s = c.scope;
        long before = c.slot(NORMS);
        long after = before + ratiosAt(g) / 2;
        if (!definite) {
            MatrixNorm.lines(s, Norm.MAX, Structure.TRIANGULAR, a, g.n, g.n, before);
            MatrixNorm.lines(s, Norm.MAX, Structure.TRIANGULAR, factors, 0, g.n, after);
        }
        Launch l = step(c, Kernel.GROWTH);
        l.g.vector(ElementType.I32, c.slot(Refinement.DONE), 1, 1, 1);
        if (!definite) {
            l.a.vector(ElementType.F64, before, g.n, 1, g.n);
            l.b.vector(ElementType.F64, after, g.n, 1, g.n);
            l.d.set(g.operand(GROWTH));
        }
        s.launch();
    }

    private void condition(Call c, Block a, Operand state) {
        Launch g = c.args;
        Norm norm = definite || g.opA == Op.NONE ? Norm.ONE : Norm.INF;
        Operand anorm = c.scope.part().vector(g.type.real(), c.slot(NORMS) + normAt(g), 1, 1, 1);
        MatrixNorm.of(c.scope, norm, structure(g), a, g.n, g.n, anorm, c.slot(NORMS));
        c.scope.guard = g.e;
        Estimator.rcond(c, this, norm, g.n, c.slot(Refinement.ESTIMATE), anorm, 1, g.operand(RCOND), state);
    }

    /** A⁻¹·x by the factors. */
    @Override
    public void apply(Call c, Block x, boolean adjoint) {
        Launch g = c.args;
        int mark = c.scope.mark();
        Block factors = c.scope.of(g.b, g.n, g.n);
        if (definite) {
            Pocon.solve(c, factors, x);
        } else {
            Gecon.solve(c, factors, x, adjoint);
        }
        c.scope.release(mark);
    }

    private void report(Call c, int other) {
        Launch g = c.args;
        Launch l = step(c, Kernel.REPORT);
        l.q = other;
        l.a.set(ratios(c));
        l.b.set(g.operand(FORWARD_ERRORS));
        l.d.set(g.operand(RCOND));
        l.f.set(g.operand(EQUED));
        c.scope.launch();
    }
}
