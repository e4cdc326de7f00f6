package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GemmtSignature;
import dev.basalt.internal.signature.HerkxSignature;
import dev.basalt.internal.signature.SyrkxSignature;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Scalar;
import dev.basalt.type.Op;

/**
 * A triangle of C := alpha·op(A)·op(B) + beta·C; syrkx and herkx are the same with op(B)ᵀ or op(B)ᴴ, where op is that of A. The caller
 * knows that the product is symmetric, or wants one triangle alone.
 */
public final class Gemmt extends TriangleUpdate {
    /** Any op(A) and op(B). */
    public static final Gemmt GEMMT = new Gemmt(new GemmtSignature(), false, false);

    /** The product is known to be symmetric: op(B) is transposed. */
    public static final Gemmt SYRKX = new Gemmt(new SyrkxSignature(), true, false);

    /** The product is known to be Hermitian: op(B) is conjugated and transposed; complex types only. */
    public static final Gemmt HERKX = new Gemmt(new HerkxSignature(), true, true);

    private final boolean transposed;

    private Gemmt(Signature signature, boolean transposed, boolean hermitian) {
        super(signature, Kernel.GEMMT, hermitian);
        this.transposed = transposed;
    }

    @Override
    Block operand(Scope s, Op op, boolean first, Launch g) {
        if (first) {
            return op == Op.NONE ? s.of(g.a, g.n, g.k) : s.of(g.a, g.k, g.n).op(op);
        }
        if (transposed) {
            return (g.opA == Op.NONE ? s.of(g.b, g.n, g.k) : s.of(g.b, g.k, g.n).op(g.opA)).transposed(hermitian);
        }
        return op == Op.NONE ? s.of(g.b, g.k, g.n) : s.of(g.b, g.n, g.k).op(op);
    }

    @Override
    Block some(Block operand, boolean first, long from, long size) {
        return first ? operand.rows(from, size) : operand.cols(from, size);
    }

    @Override
    void triangle(Scope s, Scalar alpha, Block a, Block b, Scalar beta, Block out) {
        s.gemmt(hermitian, alpha, a, b, beta, out);
    }

    @Override
    void rectangle(Scope s, Scalar alpha, Block a, long i, long ib, Block b, long j, long jb, Scalar beta, Block out) {
        s.gemm(alpha, a.rows(i, ib), b.cols(j, jb), beta, out);
    }
}
