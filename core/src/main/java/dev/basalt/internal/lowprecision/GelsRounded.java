package dev.basalt.internal.lowprecision;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.lowprecision.Krylov.Part;
import dev.basalt.internal.lowprecision.Krylov.Scales;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.qr.Gels;
import dev.basalt.internal.signature.GelsRoundedBf16Signature;
import dev.basalt.internal.signature.GelsRoundedF16Signature;
import dev.basalt.internal.signature.GelsRoundedSingleSignature;
import dev.basalt.internal.signature.GelsRoundedTf32Signature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Gmres;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Norm;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * Least squares, or least norm, by QR of lower precision and refinement of the augmented system [I F; Fᴴ 0]·[s; z] = [b₁; b₂] (Björck, "Iterative refinement of linear least squares solutions", 1967;
 * Carson, Higham and Pranesh, "Three-precision GMRES-based iterative refinement for least squares problems", 2020). F is the tall one of A and Aᴴ. With b₂ = 0 z is the solution of least squares and s
 * its residual; with b₁ = 0 s is the solution of least norm.
 *
 * <p>With f₁ and f₂, the residuals of both lines, the correction of z solves FᴴF·Δz = Fᴴf₁ - f₂, and s gets f₁ - F·Δz. FGMRES solves that with RᴴR for FᴴF, scaled so that columns of F are about √m long.
 */
public final class GelsRounded extends Routine {
    /** By factors in single precision. */
    public static final GelsRounded SINGLE = new GelsRounded(new GelsRoundedSingleSignature(), MathMode.DEFAULT);

    /** By products of halves. */
    public static final GelsRounded F16 = new GelsRounded(new GelsRoundedF16Signature(), MathMode.F16);

    /** By products of bfloat16. */
    public static final GelsRounded BF16 = new GelsRounded(new GelsRoundedBf16Signature(), MathMode.BF16);

    /** By products of TF32. */
    public static final GelsRounded TF32 = new GelsRounded(new GelsRoundedTf32Signature(), MathMode.TF32);

    /** What the rounding of one residual costs, in units of √n·ε. */
    private static final long ROUNDINGS = 4;

    private final MathMode math;

    private GelsRounded(Signature signature, MathMode math) {
        super(signature);
        this.math = math;
    }

    private static long tall(Launch g) {
        return Math.max(g.m, g.n);
    }

    private static long order(Launch g) {
        return Math.min(g.m, g.n);
    }

    private static boolean overdetermined(Launch g) {
        return (g.opA == Op.NONE) == g.m >= g.n;
    }

    /** An empty matrix has the solution 0. */
    @Override
    protected void quickRun(Call c) {
        Launch g = c.args;
        InfoArray.quick(c);
        if (g.count > 0) {
            c.requireOperand(5);
            Refined.iter(c, 0);
        }
        if (g.count > 0 && g.k > 0 && tall(g) > 0) {
            c.requireOperand(2);
            c.scope.scale(Scope.ZERO, c.scope.of(g.c, tall(g), g.k));
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        ElementType type = g.type;
        tiers(need, "single precision, ");
        Gels.need(c, need, Krylov.bytes(c, tall(g), order(g)));
        g.type = Refined.single(type);
        Gels.need(c, need, 0);
        g.type = type;
        tiers(need.below(), "double precision, ");
        Gels.need(c, need, 0);
        need.together();
    }

    private static void tiers(Need need, String precision) {
        need.part();
        for (String tier : Gels.tiers()) {
            need.tier(precision + tier);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Gels.pack(c);
        s.guard = g.e;
        Block a = s.of(g.a, g.m, g.n);
        Block b = s.of(g.b, tall(g), g.k);
        Block x = s.of(g.c, tall(g), g.k);
        boolean refines = c.algorithm() == 0;
        if (refines) {
            refine(c, g.m < g.n ? a.h() : a, b, x);
            Refined.fallBack(c, 0);
        } else {
            Refined.iter(c, Refined.NOT_TRIED);
        }
        s.copy(b, x);
        Gels.unscaled(c);
        Gels.solve(c);
        if (refines) {
            Refined.fallBack(c, 1);
        }
    }

    private static long at(Call c, ElementType type, Part part) {
        return Krylov.at(c, c.slot(Gels.further(c)), type, part, tall(c.args), order(c.args));
    }

    private void refine(Call c, Block f, Block b, Block x) {
        Launch g = c.args;
        Scope s = c.scope;
        ElementType type = g.type;
        long n = f.cols;
        boolean wide = f.op != Op.NONE;
        Refined.iter(c, 0);
        Krylov.lay(c, c.slot(Gels.further(c)), f.rows, n);
        Krylov.scaleUnknowns(c, wide ? Norm.INF : Norm.FRO, f.stored(), Krylov.root(f.rows));
        Krylov.scaleAlike(c);
        Krylov.rounded(c, type, math);
        Block low = s.dense(at(c, type, Part.FACTORS), g.m, g.n);
        Block correction = s.dense(at(c, type, Part.CORRECTION), n, Math.min(g.k, Krylov.SIDES));
        Krylov.convert(c, f.stored(), wide ? Scales.UNKNOWNS : Scales.NONE, wide ? Scales.NONE : Scales.UNKNOWNS, low);
        Block r = Gels.factor(c, wide ? low.h() : low);
        Krylov.exact(c, type);
        for (long j = 0; j < g.k; j += Krylov.SIDES) {
            int mark = s.mark();
            long k = Math.min(Krylov.SIDES, g.k - j);
            if (j > 0) {
                // Those before are good.
                Refined.fallBack(c, 1);
            }
            sides(c, f, r, b.cols(j, k), x.cols(j, k), correction.cols(0, k));
            s.release(mark);
        }
        if (g.k == 0) {
            Krylov.nothing(c, x.rows(0, n));
        }
    }

    /** Some columns of X. */
    private void sides(Call c, Block f, Block r, Block b, Block x, Block correction) {
        Scope s = c.scope;
        ElementType type = c.args.type;
        long k = x.cols;
        boolean least = overdetermined(c.args);
        Block z = least ? x.rows(0, f.cols) : Krylov.unknowns(c, 0, k);
        Block more = Krylov.unknowns(c, 1, k);
        Block upper = Krylov.residuals(c, 0, k);
        Block solution = Krylov.residuals(c, 1, k);
        Block lower = Krylov.basis(c, 1, k);
        Block normal = Krylov.basis(c, 0, k);
        Block product = s.dense(at(c, type, Part.PRODUCT), f.rows, k);
        begin(c, z, upper);
        if (least) {
            s.copy(b, solution);
        } else {
            s.scale(Scope.ZERO, solution);
        }
        int mark = s.mark();
        for (int cycle = 0;; cycle++) {
            if (cycle > 0) {
                if (least) {
                    s.copy(b, upper);
                } else {
                    s.scale(Scope.ZERO, upper);
                }
                Krylov.add(s, -1, solution, upper);
                Krylov.product(s, -1, f, z, 1, upper);
            }
            if (!least) {
                s.copy(b.rows(0, f.cols), lower);
            }
            Krylov.product(s, -1, f.h(), solution, least ? 0 : 1, lower);
            s.copy(lower, normal);
            Krylov.product(s, 1, f.h(), upper, -1, normal);
            verdict(c, z, f.rows, cycle == Krylov.CYCLES ? Krylov.NOT_CONVERGED : 0);
            if (cycle == Krylov.CYCLES) {
                break;
            }
            s.scale(Scope.ZERO, more);
            for (long i = 0; i < Krylov.directions(f.cols); i++) {
                Block w = Krylov.direction(c, i, k);
                Krylov.convert(c, Krylov.basis(c, i, k), Scales.NONE, Scales.NONE, correction);
                Refined.type(c, Refined.single(type));
                Trsm.solve(s, Side.LEFT, r.h(), correction);
                Trsm.solve(s, Side.LEFT, r, correction);
                Refined.type(c, type);
                Krylov.convert(c, correction, Scales.UNKNOWNS, Scales.NONE, w);
                Krylov.product(s, 1, f, w, 0, product);
                Krylov.product(s, 1, f.h(), product, 0, Krylov.basis(c, i + 1, k));
                Launch l = Krylov.step(c, Gmres.ARNOLDI, more);
                l.q = i;
                l.alpha.set(0, 0);
                s.launch();
                s.release(mark);
            }
            Krylov.solution(c, more);
            Krylov.add(s, 1, more, z);
            Krylov.product(s, -1, f, more, 1, upper);
            Krylov.add(s, 1, upper, solution);
            s.release(mark);
        }
        if (!least) {
            // Whatever the verdict: what is not good is computed anew.
            s.guard = null;
            s.copy(solution, x.rows(0, f.rows));
            s.guard = c.args.e;
        }
        s.release(mark);
    }

    /** Nothing is known of the unknowns, and no direction is taken. */
    private static void begin(Call c, Block z, Block upper) {
        Scope s = c.scope;
        s.scale(Scope.ZERO, z);
        s.scale(Scope.ZERO, upper);
        Launch l = s.kernel(Kernel.FILL);
        l.type = ElementType.F64;
        l.n = 1;
        l.alpha.set(0, 0);
        l.c.slice(c.k.f, 0, 1);
        s.launch();
    }

    private static void verdict(Call c, Block z, long rows, long otherwise) {
        Launch l = Krylov.step(c, Gmres.LEAST, z);
        l.q = rows;
        l.hermitian = !overdetermined(c.args);
        // Columns of the scaled F are at most about √m long, and much shorter only where sums made the scales of a wide matrix. Some roundings of residuals add up.
        int root = Krylov.root(rows);
        l.alpha.set(ROUNDINGS << (c.args.m < c.args.n ? root / 2 : root), 0);
        l.beta.set(otherwise, 0);
        c.scope.launch();
    }
}
