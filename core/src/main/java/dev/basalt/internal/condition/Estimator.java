package dev.basalt.internal.condition;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;

/**
 * Estimates the 1-norm of a matrix that is known by its products with vectors alone, mostly that of an inverse: Hager's method as Higham has it (ACM TOMS 14, 1988; LAPACK's lacn2). The
 * result is a lower bound, hardly ever below a third of the norm. All decisions are made on the device. A call launches five rounds, and problems that are done earlier are skipped.
 *
 * <p>Vectors are scaled to the root of ‖A‖, so that neither they nor the solutions leave the range unless the condition number does.
 */
public final class Estimator {
    /** Multiplies a vector with the matrix whose norm is wanted: in place, with launches on the call's scope. */
    public interface Product {
        /**
         * x := X·x, or Xᴴ·x.
         *
         * @param c the call
         * @param x n×1, without increment
         * @param adjoint whether the conjugate transpose is meant
         */
        void apply(Call c, Block x, boolean adjoint);
    }

    /** Unit vectors that are tried, as in LAPACK. */
    private static final int ROUNDS = 4;

    /** Where the parts of the workspace begin. */
    private static final long ALIGNMENT = 64;

    private Estimator() {}

    /** Bytes of the workspace that {@link #estimate} takes: two vectors, one for complex elements, and two integers a problem. */
    public static long bytes(ElementType type, long n, long count) {
        long vectors = Chunks.times(vectorBytes(type, n, count), type.isComplex() ? 1 : 2);
        return Math.addExact(vectors, Math.addExact(stateBytes(8, count), stateBytes(4, count)));
    }

    private static long vectorBytes(ElementType type, long n, long count) {
        return aligned(Chunks.times(n, type.bytes(), count));
    }

    private static long stateBytes(long each, long count) {
        return aligned(Chunks.times(each, count));
    }

    private static long aligned(long bytes) {
        return Chunks.times(Chunks.ceilDiv(bytes, ALIGNMENT), ALIGNMENT);
    }

    /**
     * d := the estimate of a norm of X, times a power of two about the root of g.
     *
     * @param c the call
     * @param product X
     * @param norm ONE or INF
     * @param n order of X
     * @param work {@link #bytes} of workspace
     * @param d a real number a problem
     * @param g the norm of the inverse of X, a real number a problem; null to leave the estimate unscaled
     */
    public static void estimate(Call c, Product product, Norm norm, long n, long work, Operand d, Operand g) {
        Scope s = c.scope;
        boolean turned = norm == Norm.INF;
        long index = work;
        long done = index + stateBytes(8, s.count());
        long vector = done + stateBytes(4, s.count());
        long signs = vector + vectorBytes(s.type(), n, s.count());
        Operand guard = s.guard;
        Operand state = c.k.e.vector(ElementType.I32, done, 1, 1, 1);
        c.k.f.vector(ElementType.I64, index, 1, 1, 1);
        c.k.b.clear();
        if (!s.type().isComplex()) {
            c.k.b.vector(s.type(), signs, n, 1, n);
        }
        Block x = s.dense(vector, n, 1);
        step(c, Kernel.START, 0, x, d, g);
        product.apply(c, x, turned);
        step(c, Kernel.FIRST, 0, x, d, g);
        for (int round = 1; round <= ROUNDS; round++) {
            s.guard = state;
            product.apply(c, x, !turned);
            s.guard = guard;
            step(c, Kernel.COLUMN, round, x, d, g);
            s.guard = state;
            product.apply(c, x, turned);
            s.guard = guard;
            step(c, Kernel.SIGNS, round, x, d, g);
        }
        step(c, Kernel.ALTERNATING, 0, x, d, g);
        product.apply(c, x, turned);
        step(c, Kernel.LAST, 0, x, d, g);
    }

    /** The kernel's own e is which problems are done, so it does not look at the guard: what it makes of a problem that failed is for nobody. */
    private static void step(Call c, int step, int round, Block x, Operand d, Operand g) {
        Scope s = c.scope;
        Launch l = s.kernel(Kernel.LACN2);
        l.guarded = false;
        l.p = step;
        l.q = round;
        l.n = x.rows;
        x.into(l.c);
        l.c.ld = 1;
        l.c.vector = true;
        l.b.set(c.k.b);
        l.d.set(d);
        l.e.set(c.k.e);
        l.f.set(c.k.f);
        if (g != null) {
            l.g.set(g);
        }
        s.launch();
    }

    /**
     * rcond := 1 / (anorm·‖A⁻¹‖), and its info: operands d and e of the call.
     *
     * @param c the call
     * @param inverse A⁻¹
     * @param norm ONE or INF
     * @param n order of A
     * @param work {@link #bytes} of workspace
     * @param anorm the norm of A, a real number a problem
     * @param wrong what info becomes where anorm is no norm
     */
    public static void rcond(Call c, Product inverse, Norm norm, long n, long work, Operand anorm, int wrong) {
        rcond(c, inverse, norm, n, work, anorm, wrong, c.args.d, c.args.e);
    }

    /**
     * As above with results elsewhere.
     *
     * @param rcond a real number a problem
     * @param info what became of it, one a problem, which is no guard
     */
    public static void rcond(Call c, Product inverse, Norm norm, long n, long work, Operand anorm, int wrong,
            Operand rcond, Operand info) {
        estimate(c, inverse, norm, n, work, rcond, anorm);
        Launch l = c.scope.kernel(Kernel.RCOND);
        l.guarded = false;
        l.n = 1;
        l.p = wrong;
        l.a.set(anorm);
        l.d.set(rcond);
        l.e.set(info);
        c.scope.launch();
    }
}
