package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.cholesky.Potrf;
import dev.basalt.internal.matrix.MatrixNorm;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.CholqrSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The thin QR of a tall matrix by the Cholesky factor of AᴴA, twice (Yamamoto and others, "Roundoff error analysis of the CholeskyQR2 algorithm", 2015): Q of
 * the second pass is orthogonal to rounding where the first one succeeds. Where AᴴA is not positive definite, two passes with a shift go before them (Fukaya and others, "Shifted Cholesky QR for
 * computing the QR factorization of ill-conditioned matrices", 2020), each of which takes the condition number down. The device decides; problems that need no shift skip those passes.
 */
public final class Cholqr extends Routine {
    /** The family. */
    public static final Cholqr ROUTINE = new Cholqr();

    private static final int SQUARE = 2;
    private static final int PRODUCT = 3;
    private static final int SHIFTED = 4;
    private static final int STATE = 5;

    /** Passes with a shift: after two of them a condition number of 1 / u is below 1 / √u. */
    private static final int SHIFTS = 2;

    /** Where a norm begins behind what tells which problems are shifted. */
    private static final long EACH = 8;

    private Cholqr() {
        super(new CholqrSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long square = Scope.squareBytes(g.type, g.n, g.count);
        need.part();
        for (String tier : Packing.TIERS) {
            need.tier(tier)
                    .slot("diagonal", 0)
                    .slot("packing", 0)
                    .slot("square", square)
                    .slot("product", square)
                    .slot("shifted", square)
                    .slot("state", Chunks.times(2, EACH, g.count));
        }
        Potrf.need(c, need, g.n);
        need.part();
        Syrk.need(c, need, g.n, g.m);
        need.part();
        Trsm.need(c, need, g.m, g.n, g.n);
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        g.uplo = Uplo.UPPER;
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        Block a = s.of(g.c, g.m, g.n);
        Block r = s.of(g.a, g.n, g.n).triangle(Uplo.UPPER, Diag.NON_UNIT);
        Block second = s.dense(c.slot(SQUARE), g.n, g.n).triangle(Uplo.UPPER, Diag.NON_UNIT);
        Block product = s.dense(c.slot(PRODUCT), g.n, g.n).triangle(Uplo.UPPER, Diag.NON_UNIT);
        Block shifted = s.dense(c.slot(SHIFTED), g.n, g.n);
        Operand state = s.part().vector(ElementType.I32, c.slot(STATE), 1, 1, 1);
        square(c, a, r);
        Potrf.factor(c, r, g.e);
        turn(c, 2, state);
        s.guard = state;
        for (int pass = 0; pass < SHIFTS; pass++) {
            square(c, a, r);
            shift(c, r);
            Potrf.factor(c, r, state);
            Trsm.solve(s, Side.RIGHT, r, a);
            if (pass == 0) {
                s.expand(Structure.TRIANGULAR, r, shifted);
            } else {
                s.triangle(Kernel.TRMM, Side.LEFT, Scope.ONE, r, shifted);
            }
        }
        square(c, a, r);
        Potrf.factor(c, r, state);
        turn(c, 3, state);
        s.guard = g.e;
        Trsm.solve(s, Side.RIGHT, r, a);
        square(c, a, second);
        Potrf.factor(c, second, g.e);
        Trsm.solve(s, Side.RIGHT, second, a);
        s.expand(Structure.TRIANGULAR, r, product);
        s.triangle(Kernel.TRMM, Side.LEFT, Scope.ONE, second, product);
        copy(s, product, r);
        s.guard = state;
        s.triangle(Kernel.TRMM, Side.LEFT, Scope.ONE, product, shifted);
        copy(s, shifted, r);
    }

    /** r := aᴴa. */
    private static void square(Call c, Block a, Block r) {
        Syrk.update(c, true, c.slot(0), Scope.ONE, a.h(), Scope.ZERO, r);
    }

    /** Between the ways: problems to shift have the state 0, and then that of their last factorisation. */
    private static void turn(Call c, int when, Operand state) {
        Launch l = c.scope.kernel(Kernel.FALL_BACK);
        l.guarded = false;
        l.n = 1;
        l.p = when;
        l.e.set(c.args.e);
        l.f.set(state);
        c.scope.launch();
    }

    /**
     * r += 4·(n + √m)·u·‖r‖, which is what rounding may take from its eigenvalues: sums of m products err by about √m·u, the factorisation by about n·u. The bound that no rounding exceeds is
     * far larger, and so would be the condition number that is left. Where this is too little the factorisation tells.
     */
    private static void shift(Call c, Block r) {
        Launch g = c.args;
        Scope s = c.scope;
        Operand norm = s.part().vector(g.type.real(), c.slot(STATE) + EACH * g.count, 1, 1, 1);
        Structure structure = g.type.isComplex() ? Structure.HERMITIAN : Structure.SYMMETRIC;
        MatrixNorm.of(s, Norm.ONE, structure, r, g.n, g.n, norm, 0);
        Launch l = s.kernel(Kernel.SHIFT);
        l.n = g.n;
        l.alpha.set(4 * (g.n + Math.sqrt(g.m)) * (g.type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53), 0);
        l.a.set(norm);
        r.into(l.c);
        s.launch();
    }

    private static void copy(Scope s, Block from, Block to) {
        Launch l = s.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = Uplo.UPPER;
        l.diag = Diag.NON_UNIT;
        l.n = to.rows;
        from.into(l.a);
        to.into(l.c);
        s.launch();
    }
}
