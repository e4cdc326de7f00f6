package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDTile.MR;
import static dev.basalt.host.vector.VectorDTile.NR;

import dev.basalt.spi.GemmBlocking;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** The real matrix product. */
public final class VectorDGemm extends VectorDProduct {
    public static final GemmBlocking BLOCKING = new GemmBlocking(MR, NR, MC, KC, NC, 1, SMALL);

    /** Products up to this need not pack, even if there is memory for it. */
    private static final int DIRECT = 128;
    /** Columns that are a multiple of this apart share few sets of an L1 cache: it pays to copy them before they are read often. */
    private static final long ALIAS = 2048;

    private double alpha;
    private double beta;

    void multiply(Op opA, Op opB, long m, long n, long k, double alpha, long a, long lda, long b, long ldb, double beta,
            long c, long ldc, long work, long workBytes) {
        long limit = lda * SIZE % ALIAS == 0 ? SMALL : DIRECT;
        if (opA == Op.NONE && m <= limit && n <= limit && k <= limit) {
            long step = opB == Op.NONE ? SIZE : ldb * SIZE;
            long next = opB == Op.NONE ? ldb * SIZE : SIZE;
            VectorDDirect.multiply((int) m, (int) n, (int) k, alpha, a, lda * SIZE, b, step, next, beta, c, ldc * SIZE,
                    tile);
            return;
        }
        this.alpha = alpha;
        this.beta = beta;
        operands(opA == Op.NONE, opB == Op.NONE, a, lda * SIZE, b, ldb * SIZE, c, ldc * SIZE);
        run(BLOCKING, 1, m, n, k, work, workBytes);
    }

    /** Triangle of C := alpha·op(A)·op(A)ᵀ + beta·C. */
    void square(Uplo uplo, Op op, long n, long k, double alpha, long a, long lda, double beta, long c, long ldc) {
        this.alpha = alpha;
        this.beta = beta;
        operands(op == Op.NONE, op != Op.NONE, a, lda * SIZE, a, lda * SIZE, c, ldc * SIZE);
        run(uplo, 1, n, k);
    }

    @Override
    void transposeA(int row, int depth, int rows, int kc, double[] to, int at, int width) {
        VectorDPack.columns(rows, kc, a + row * lda + (long) depth * SIZE, lda, SIZE, to, at, width);
    }

    @Override
    void packB(int depth, int column, int kc, int columns) {
        if (plainB) {
            VectorDPack.columns(columns, kc, b + column * ldb + (long) depth * SIZE, ldb, SIZE, panel, 0, NR);
        } else {
            VectorDPack.rows(columns, kc, b + (long) column * SIZE + depth * ldb, ldb, panel, 0, NR);
        }
    }

    @Override
    void update(int from, int ld, int row, int column, int rows, int columns, boolean once) {
        long at = c + (long) row * SIZE + column * ldc;
        VectorDUpdate.tile(tile, from, ld, rows, columns, alpha, once ? beta : 1, at, ldc);
    }
}
