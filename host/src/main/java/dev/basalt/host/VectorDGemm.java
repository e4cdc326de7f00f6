package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.SIZE;
import static dev.basalt.host.VectorDTile.MR;
import static dev.basalt.host.VectorDTile.NR;

import dev.basalt.Op;
import dev.basalt.spi.GemmBlocking;

/** The real matrix product. */
final class VectorDGemm extends VectorDProduct {
    static final GemmBlocking BLOCKING = new GemmBlocking(MR, NR, MC, KC, NC, 1, SMALL);

    static int DIRECT = Integer.getInteger("direct", 64);

    private double alpha;
    private double beta;

    void multiply(
            Op opA,
            Op opB,
            long m,
            long n,
            long k,
            double alpha,
            long a,
            long lda,
            long b,
            long ldb,
            double beta,
            long c,
            long ldc,
            long work,
            long workBytes) {
        this.alpha = alpha;
        this.a = a;
        this.lda = lda * SIZE;
        this.b = b;
        this.ldb = ldb * SIZE;
        this.beta = beta;
        this.c = c;
        this.ldc = ldc * SIZE;
        plainA = opA == Op.NONE;
        plainB = opB == Op.NONE;
        int tier = BLOCKING.tier(m, n, k, SIZE, 1, workBytes);
        if (tier < GemmBlocking.PACKED_TIERS) {
            long packedB = work + BLOCKING.aBytes(tier, m, k, SIZE);
            run((int) m, (int) n, (int) k, (int) BLOCKING.mc(tier, m), (int) BLOCKING.nc(tier, n), work, packedB);
        } else {
            if (plainA && m <= DIRECT && n <= DIRECT && k <= DIRECT) {
                long step = plainB ? SIZE : this.ldb;
                long next = plainB ? this.ldb : SIZE;
                VectorDDirect.multiply((int) m, (int) n, (int) k, alpha, a, this.lda, b, step, next, beta, c, this.ldc, tile);
            } else {
                run((int) m, (int) n, (int) k, MC, NC, 0, 0);
            }
        }
    }

    @Override
    void transposeA(int row, int depth, int rows, int kc, double[] to, int at, int width) {
        VectorDPack.columns(rows, kc, a + row * lda + (long) depth * SIZE, lda, to, at, width);
    }

    @Override
    void packB(int depth, int column, int kc, int columns) {
        if (plainB) {
            VectorDPack.columns(columns, kc, b + column * ldb + (long) depth * SIZE, ldb, panel, 0, NR);
        } else {
            VectorDPack.rows(columns, kc, b + (long) column * SIZE + depth * ldb, ldb, panel, 0, NR);
        }
    }

    @Override
    void update(int from, int ld, int row, int column, int rows, int columns, boolean first) {
        long at = c + (long) row * SIZE + column * ldc;
        VectorDUpdate.tile(tile, from, ld, rows, columns, alpha, first ? beta : 1, at, ldc);
    }
}
