package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.GesvdpSignature;
import dev.basalt.internal.symmetric.Syev;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;

/**
 * A = U·S·Vᴴ by the polar decomposition (Nakatsukasa and Higham, "Stable and efficient spectral divide and conquer algorithms for the symmetric eigenvalue decomposition and the SVD", 2013): A = W·H, and V has the
 * eigenvectors of H. U and S are those of QR of A·V in place of W·V and the eigenvalues, so that U is orthogonal whatever the rank is. A wide matrix is decomposed as its conjugate transpose, and a tall one is
 * factored first. That is products nearly all the way, which pays on devices that work in waves. All others divide and conquer, as gesdd.
 */
public final class Gesvdp extends Routine {
    /** The family. */
    public static final Gesvdp ROUTINE = new Gesvdp();

    private static final int U = 1;
    private static final int VT = 3;

    /** Slots behind those of reflectors and of eigenvectors. */
    private static final int NUMBERS = 0;

    private static final int TRIANGLE = 1;
    private static final int POLAR = 2;
    private static final int STACK = 3;
    private static final int VALUES = 4;

    private Gesvdp() {
        super(new GesvdpSignature());
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case U -> c.args.leftSvect.stored();
            case VT -> c.args.rightSvect.stored();
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return (operand == U || operand == VT) && !uses(c, operand);
    }

    @Override
    protected void quickRun(Call c) {
        Factors.quick(c);
    }

    private static boolean divides(Call c) {
        return !c.traits.reach().waves();
    }

    private static boolean turned(Call c) {
        return c.args.m < c.args.n;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        if (divides(c)) {
            Factors.need(c, need, true);
            return;
        }
        long m = Math.max(g.m, g.n);
        long n = Math.min(g.m, g.n);
        long stacked = Math.multiplyExact(n, 2);
        long square = Scope.squareBytes(g.type, n, g.count);
        long vectors = (g.leftSvect != Svect.NONE ? n : 0) + (g.rightSvect != Svect.NONE ? n : 0);
        need.part();
        Reflectors.needFactor(c, need, m, n, false);
        need.part();
        Reflectors.needFactor(c, need, m, n, true);
        need.part();
        Reflectors.needApply(c, need, m, Factors.across(g, m, n), n);
        need.part();
        Reflectors.needFactor(c, need, stacked, n, false);
        need.part();
        Reflectors.needForm(c, need, stacked, n, n);
        Syev.needVectors(c, need, n);
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            need.tier(Reflectors.TIERS.get(t));
            if (t < 2) {
                need.slot("packing", Gemm.bytes(c, g.type, t, n, n, n));
            }
            need.slot("numbers", Math.addExact(factors(c, n), Math.addExact(range(c), Polar.bytes(c, n))))
                    .slot("triangle", square)
                    .slot("polar", square)
                    .slot("stack", Chunks.times(2, square))
                    .slot("values", Iteration.bytes(c, n, vectors));
        }
        need.together();
    }

    /** Bytes for the factors of two kinds of reflectors. */
    private static long factors(Call c, long n) {
        return Chunks.up(Chunks.times(Chunks.times(2, n), c.args.type.bytes(), c.args.count));
    }

    /** Bytes for what scales the matrix, which lies behind them. */
    private static long range(Call c) {
        return Chunks.up(Range.bytes(c));
    }

    private static Operand factors(Call c, long at, int which, long n) {
        Launch g = c.args;
        return c.scope.part().vector(g.type, at + which * n * g.type.bytes() * g.count, n, 1, n);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        if (divides(c)) {
            Factors.run(c, g.a, Gesvd.absent(c), true);
            return;
        }
        int own = Reflectors.begin(c) + Syev.SLOTS;
        Block whole = s.of(g.c, g.m, g.n);
        Block a = turned(c) ? whole.h() : whole;
        long n = a.cols;
        long numbers = c.slot(own + NUMBERS);
        Operand first = factors(c, numbers, 0, n);
        Operand tau = factors(c, numbers, 1, n);
        numbers += factors(c, n);
        Operand norm = Range.enter(c, whole, numbers);
        Block core = a;
        if (a.rows > n) {
            Reflectors.factor(c, a, first);
            core = s.dense(c.slot(own + TRIANGLE), n, n);
            Factors.bring(s, a.rows(0, n), core);
            Factors.triangle(c, core, null);
        }
        long stack = c.slot(own + STACK);
        Block y = s.dense(stack, n, n);
        Operand h = s.part().matrix(g.type, stack + Scope.squareBytes(g.type, n, g.count), n, n, n, n * n);
        Block v = s.of(h, n, n);
        Block w = s.dense(c.slot(own + POLAR), n, n);
        Polar.factor(c, core, w, stack, tau, numbers + range(c));
        // Eigenvalues rise, so those of -H are the singular values from the largest on.
        s.gemm(1, w.h(), core, 0, y);
        Polar.sum(s, -0.5, y, Op.CONJ_TRANS, -0.5, y, v);
        Syev.vectors(c, h, n);
        s.gemm(1, core, v, 0, y);
        Reflectors.factor(c, y, tau);
        decompose(c, a, y, v, first, tau, c.slot(own + VALUES));
        Range.leave(c, norm, g.a, n);
    }

    /** Values and vectors from the QR factors y of A·V. The iteration of a diagonal matrix makes its values positive and puts them in order, and the vectors with them. */
    private static void decompose(Call c, Block a, Block y, Block v, Operand first, Operand tau, long work) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean turned = turned(c);
        long n = a.cols;
        Svect left = turned ? g.rightSvect : g.leftSvect;
        Svect right = turned ? g.leftSvect : g.rightSvect;
        diagonal(c, y, work);
        Block us = null;
        if (left != Svect.NONE) {
            long cols = left.columns(a.rows, n);
            us = turned ? s.of(g.d, cols, a.rows).h() : s.of(g.b, a.rows, cols);
            Reflectors.form(c, y, tau, n);
            Factors.bring(s, y, us.block(0, 0, n, n));
        }
        Block vs = null;
        if (right != Svect.NONE) {
            vs = turned ? s.of(g.b, n, n) : s.of(g.d, n, n).h();
            Factors.bring(s, v, vs);
        }
        // What divide and conquer has told is kept, and its problem has no values.
        fill(c, Double.NaN, n, g.a);
        s.guard = g.e;
        Factors.iterate(c, n, us == null ? null : us.block(0, 0, n, n), vs, work, g.a, Gesvd.absent(c));
        s.guard = null;
        if (us != null && a.rows > n) {
            Factors.extend(s, us, n);
            Reflectors.apply(c, Side.LEFT, Op.NONE, a, first, us);
        }
    }

    /** The bidiagonal matrix of the iteration := the diagonal of a triangle, which is real. */
    private static void diagonal(Call c, Block y, long work) {
        Launch g = c.args;
        Scope s = c.scope;
        long n = y.cols;
        ElementType real = g.type.real();
        long reals = g.type.bytes() / real.bytes();
        Launch l = Iteration.real(c, Kernel.COPY);
        l.n = n;
        y.into(l.a);
        l.a.vector(real, l.a.base, n, reals * (n + 1), reals * l.a.stride);
        Iteration.diagonal(c, l.c, work, n);
        s.launch();
        if (n > 1) {
            fill(c, 0, n - 1, Iteration.beside(c, s.part(), work, n));
        }
    }

    private static void fill(Call c, double value, long n, Operand into) {
        Launch l = Iteration.real(c, Kernel.FILL);
        l.n = n;
        l.alpha.set(value, 0);
        l.c.set(into);
        c.scope.launch();
    }
}
