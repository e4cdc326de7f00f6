package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.Her2kSignature;
import dev.basalt.internal.signature.Syr2kSignature;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Scalar;
import dev.basalt.type.Op;

/**
 * A triangle of C := alpha·op(A)·op(B)ᵀ + alpha·op(B)·op(A)ᵀ + beta·C, or alpha·op(A)·op(B)ᴴ + conj(alpha)·op(B)·op(A)ᴴ + beta·C. A
 * block is two products.
 */
public final class Syr2k extends TriangleUpdate {
    /** C is symmetric. */
    public static final Syr2k SYR2K = new Syr2k(new Syr2kSignature(), false);

    /** C is Hermitian; complex types only. */
    public static final Syr2k HER2K = new Syr2k(new Her2kSignature(), true);

    private Syr2k(Signature signature, boolean hermitian) {
        super(signature, Kernel.SYR2K, hermitian);
    }

    @Override
    Block operand(Scope s, Op op, boolean first, Launch g) {
        boolean plain = g.opA == Op.NONE;
        return s.of(first ? g.a : g.b, plain ? g.n : g.k, plain ? g.k : g.n).op(g.opA);
    }

    @Override
    Block some(Block operand, boolean first, long from, long size) {
        return operand.rows(from, size);
    }

    /** The conjugate of a scalar that only the device knows is known to the kernel alone. */
    @Override
    boolean whole(Scope s, Launch g, Block a) {
        return hermitian && g.alpha.onDevice() || s.byRank(hermitian, a) || s.beside(hermitian, a);
    }

    @Override
    void triangle(Scope s, Scalar alpha, Block a, Block b, Scalar beta, Block out) {
        s.syr2k(hermitian, alpha, a, b, beta, out);
    }

    @Override
    void rectangle(Scope s, Scalar alpha, Block a, long i, long ib, Block b, long j, long jb, Scalar beta, Block out) {
        s.gemm(alpha, a.rows(i, ib), b.rows(j, jb).transposed(hermitian), beta, out);
        Block aj = a.rows(j, jb).transposed(hermitian);
        if (hermitian) {
            Scalar conjugate = s.conjugate(alpha);
            s.gemm(conjugate, b.rows(i, ib), aj, Scope.ONE, out);
        } else {
            s.gemm(alpha, b.rows(i, ib), aj, Scope.ONE, out);
        }
    }
}
