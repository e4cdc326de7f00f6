package dev.basalt.internal.lowprecision;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.lowprecision.Krylov.Part;
import dev.basalt.internal.lowprecision.Krylov.Scales;
import dev.basalt.internal.signature.GesvRoundedBf16Signature;
import dev.basalt.internal.signature.GesvRoundedF16Signature;
import dev.basalt.internal.signature.GesvRoundedTf32Signature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Gmres;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Norm;

/**
 * A·X = B by LU with rounded products and FGMRES (Carson and Higham, "Accelerating the solution of linear systems by iterative refinement in three precisions", 2018;
 * Arioli and Duff, "Using FGMRES to obtain backward stability in mixed precision", 2009; Haidar and others, 2018, on GPUs).
 *
 * <p>D₁·A·D₂ is factored, with powers of two: each column's largest element becomes about 1, and then each row's sum about √n. So halves have room above and below.
 */
public final class GesvRounded extends GesvMixed {
    /** By products of halves. */
    public static final GesvRounded F16 = new GesvRounded(new GesvRoundedF16Signature(), MathMode.F16);

    /** By products of bfloat16. */
    public static final GesvRounded BF16 = new GesvRounded(new GesvRoundedBf16Signature(), MathMode.BF16);

    /** By products of TF32. */
    public static final GesvRounded TF32 = new GesvRounded(new GesvRoundedTf32Signature(), MathMode.TF32);

    /** Behind the diagonal and the packing. */
    private static final int SLOT = 2;

    private final MathMode math;

    private GesvRounded(Signature signature, MathMode math) {
        super(signature);
        this.math = math;
    }

    /** Rounded products are faster wherever there are any. */
    @Override
    boolean refines(Call c) {
        return true;
    }

    @Override
    void slots(Call c, Need need) {
        need.slot("refinement", Krylov.bytes(c, 0, c.args.n));
    }

    @Override
    void refine(Call c, Block a, Block b, Block x) {
        Launch g = c.args;
        Scope s = c.scope;
        ElementType type = g.type;
        long n = g.n;
        iter(c, 0);
        Krylov.lay(c, c.slot(SLOT), 0, n);
        Krylov.scaleUnknowns(c, Norm.MAX, a, 0);
        Krylov.scaleEquations(c, a, Krylov.root(n));
        Krylov.rounded(c, type, math);
        Block factors = s.dense(at(c, type, Part.FACTORS), n, n);
        Block correction = s.dense(at(c, type, Part.CORRECTION), n, Math.min(g.k, Krylov.SIDES));
        Krylov.convert(c, a, Scales.EQUATIONS, Scales.UNKNOWNS, factors);
        factor(c, factors);
        Krylov.exact(c, type);
        for (long j = 0; j < g.k; j += Krylov.SIDES) {
            int mark = s.mark();
            long k = Math.min(Krylov.SIDES, g.k - j);
            if (j > 0) {
                // Those before are good.
                fallBack(c, 1);
            }
            sides(c, a, factors, b.cols(j, k), x.cols(j, k), correction.cols(0, k));
            s.release(mark);
        }
        if (g.k == 0) {
            Krylov.nothing(c, x);
        }
    }

    private static long at(Call c, ElementType type, Part part) {
        return Krylov.at(c, c.slot(SLOT), type, part, 0, c.args.n);
    }

    /** Some columns of X. */
    private void sides(Call c, Block a, Block factors, Block b, Block x, Block correction) {
        Scope s = c.scope;
        ElementType type = c.args.type;
        long k = x.cols;
        // The sums of rows of the scaled matrix are between half of this and this.
        double norm = 2L << Krylov.root(x.rows);
        int mark = s.mark();
        for (int cycle = 0;; cycle++) {
            Block r = Krylov.basis(c, 0, k);
            s.copy(b, r);
            if (cycle > 0) {
                Krylov.product(s, -1, a, x, 1, r);
            }
            Launch l = Krylov.step(c, cycle == 0 ? Gmres.FIRST : Gmres.CYCLE, x);
            l.q = cycle == Krylov.CYCLES ? Krylov.NOT_CONVERGED : 0;
            l.alpha.set(norm, 0);
            s.launch();
            if (cycle == Krylov.CYCLES) {
                break;
            }
            for (long i = 0; i < Krylov.directions(x.rows); i++) {
                Block w = Krylov.direction(c, i, k);
                Krylov.convert(c, Krylov.basis(c, i, k), Scales.NONE, Scales.NONE, correction);
                type(c, single(type));
                solve(c, factors, correction);
                type(c, type);
                Krylov.convert(c, correction, Scales.UNKNOWNS, Scales.NONE, w);
                Krylov.product(s, 1, a, w, 0, Krylov.basis(c, i + 1, k));
                l = Krylov.step(c, Gmres.ARNOLDI, x);
                l.q = i;
                l.alpha.set(norm, 0);
                s.launch();
                s.release(mark);
            }
            Krylov.solution(c, x);
        }
        s.release(mark);
    }
}
