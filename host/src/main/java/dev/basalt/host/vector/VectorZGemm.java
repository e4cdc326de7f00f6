package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDTile.MR;
import static dev.basalt.host.vector.VectorDTile.NR;

import dev.basalt.spi.GemmBlocking;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * The complex matrix product, by the real micro-kernel: a complex column of A is a real one of twice the length, and a complex
 * element of B two real columns. Packing copies as the real product does, no flop is spent in vain, and
 * {@link VectorZUpdate} makes complex numbers of what the micro-kernel leaves.
 */
public final class VectorZGemm extends VectorDProduct {
    public static final GemmBlocking BLOCKING = new GemmBlocking(MR / 2, NR / 2, MC / 2, KC, NC / 2, 1, SMALL);

    /** Bytes of an element. */
    private static final int BYTES = 2 * SIZE;

    private final VectorZUpdate update = new VectorZUpdate();

    void multiply(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda, long b,
            long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        double alphaR = alphaRe;
        double alphaI = alphaIm;
        double betaR = betaRe;
        double betaI = betaIm;
        update.set(alphaR, alphaI, betaR, betaI, opA == Op.CONJ_TRANS, opB == Op.CONJ_TRANS);
        operands(opA == Op.NONE, opB == Op.NONE, a, lda * BYTES, b, ldb * BYTES, c, ldc * BYTES);
        run(BLOCKING, 2, m, n, k, work, workBytes);
    }

    /** Triangle of C := alpha·op(A)·op(A)ᵀ + beta·C, or op(A)·op(A)ᴴ. */
    void square(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            double betaRe, double betaIm, long c, long ldc) {
        double alphaR = alphaRe;
        double alphaI = alphaIm;
        double betaR = betaRe;
        double betaI = betaIm;
        update.set(alphaR, alphaI, betaR, betaI, op == Op.CONJ_TRANS, hermitian != (op == Op.CONJ_TRANS));
        operands(op == Op.NONE, op != Op.NONE, a, lda * BYTES, a, lda * BYTES, c, ldc * BYTES);
        run(uplo, 2, n, k);
    }

    @Override
    void transposeA(int row, int depth, int rows, int kc, double[] to, int at, int width) {
        VectorZPack.columns(rows / 2, kc, a + row / 2 * lda + (long) depth * BYTES, lda, to, at, width);
    }

    @Override
    void packB(int depth, int column, int kc, int columns) {
        if (plainB) {
            long from = b + column / 2 * ldb + (long) depth * BYTES;
            VectorZPack.columns(columns / 2, kc, from, ldb, panel, 0, NR);
        } else {
            VectorDPack.rows(columns, kc, b + (long) column * SIZE + depth * ldb, ldb, panel, 0, NR);
        }
    }

    @Override
    void update(int from, int ld, int row, int column, int rows, int columns, boolean once) {
        long at = c + (long) row * SIZE + column / 2 * ldc;
        update.tile(tile, from, ld, rows, columns / 2, once, at, ldc);
    }
}
