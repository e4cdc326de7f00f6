package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Cholesky of a band, block column by block column (Du Croz, Mayes and Radicati, "Factorization of band matrices using level 3 BLAS", 1990). A band is a dense
 * matrix whose leading dimension is one less, so blocks inside of it are dense blocks; the triangle that the edge of the band cuts off is written out in the
 * workspace. A narrow band, and without workspace any, is factored column by column.
 */
final class Band {
    /** The tier without workspace. */
    private static final int COLUMNS = 2;

    /** Columns of a block; a band has two blocks beside its diagonal at least, or none. */
    private static final long BLOCK = 32;

    /** The slot of the triangle that the edge cuts off, behind those of an update. */
    private static final int CORNER = 2;

    private Band() {}

    /** The tiers of a factorisation of the call's band. */
    static void need(Call c, Need need) {
        long wide = Math.min(c.args.q, c.args.n);
        if (!blocks(c)) {
            return;
        }
        need.part();
        for (int t = 0; t < COLUMNS; t++) {
            need.tier(Packing.TIERS.get(t)).slot("diagonal", 0).slot("packing", 0);
        }
        need.tier(Packing.TIERS.get(COLUMNS));
        need.part();
        Syrk.need(c, need, wide, BLOCK);
        need.part();
        Trsm.need(c, need, wide, BLOCK, BLOCK);
        need.part();
        for (int t = 0; t < COLUMNS; t++) {
            need.tier(Packing.TIERS.get(t))
                    .slot("packing", Gemm.bytes(c, c.args.type, t, BLOCK, wide, BLOCK))
                    .slot("corner", Scope.squareBytes(c.args.type, BLOCK, c.args.count));
        }
        need.together();
    }

    private static boolean blocks(Call c) {
        return c.args.q >= 2 * BLOCK && c.args.n > 2 * BLOCK;
    }

    /** Factors the band in place; problems that fail are told in info and skipped from then on. */
    static void factor(Call c, Operand band, Operand info) {
        Scope s = c.scope;
        s.guard = info;
        if (!blocks(c) || c.tier() == COLUMNS) {
            Launch l = s.kernel(Kernel.POTF2_STORED);
            l.uplo = c.args.uplo;
            l.n = c.args.n;
            l.c.set(band);
            s.launch();
            return;
        }
        Packing.use(c, 1);
        Block stored = dense(c, band);
        Block a = stored.lower() ? stored : stored.h();
        for (long j = 0; j < a.rows; j += BLOCK) {
            int mark = s.mark();
            column(c, a, j);
            s.release(mark);
        }
    }

    /** The band as a dense matrix; nobody may look beside the band. */
    private static Block dense(Call c, Operand band) {
        Operand o = c.scope.part().set(band);
        o.storage = Storage.DENSE;
        o.offset += band.ku * band.type.bytes();
        o.ld = band.ld - 1;
        return c.scope.of(o, c.args.n, c.args.n).triangle(c.args.uplo, Diag.NON_UNIT);
    }

    /** One block column of the lower band a, and what it takes off those behind it. */
    private static void column(Call c, Block a, long j) {
        Scope s = c.scope;
        long kd = c.args.q;
        long n = a.rows;
        long jb = Math.min(BLOCK, n - j);
        Block a11 = a.diagonal(j, jb);
        Launch l = s.kernel(Kernel.POTF2);
        l.uplo = a11.uplo;
        l.n = jb;
        l.p = j;
        a11.into(l.c);
        s.launch();
        // Rows that all columns of the block reach, and those that only its last ones do.
        long inside = Math.min(kd - jb, n - j - jb);
        long edge = Math.min(jb, n - j - kd);
        Block a21 = a.block(j + jb, j, inside, jb);
        if (inside > 0) {
            Trsm.solve(s, Side.RIGHT, a11.h(), a21);
            Syrk.update(c, true, c.slot(0), Scope.MINUS_ONE, a21, Scope.ONE, a.diagonal(j + jb, inside));
        }
        if (edge > 0) {
            Block cut = a.block(j + kd, j, edge, jb);
            Block corner = corner(c, cut);
            Trsm.solve(s, Side.RIGHT, a11.h(), corner);
            product(s, corner, a21.h(), a.block(j + kd, j + jb, edge, inside));
            Syrk.update(c, true, c.slot(0), Scope.MINUS_ONE, corner, Scope.ONE, a.diagonal(j + kd, edge));
            back(s, corner, cut);
        }
    }

    /** What the band has of a block below it, an upper triangle and maybe columns behind it, with zeros in the other one. */
    private static Block corner(Call c, Block cut) {
        Scope s = c.scope;
        long order = cut.rows;
        Block full =
                s.dense(c.slot(CORNER), cut.op == Op.NONE ? order : cut.cols, cut.op == Op.NONE ? cut.cols : order);
        Block read = full.op(cut.op);
        Block triangle = edgeTriangle(cut);
        s.expand(Structure.TRIANGULAR, triangle, read.cols(0, order).stored());
        s.copy(cut.cols(order, cut.cols - order).stored(), read.cols(order, cut.cols - order).stored());
        return read;
    }

    /** Puts what the band has of a corner back. */
    private static void back(Scope s, Block corner, Block cut) {
        long order = cut.rows;
        Block triangle = edgeTriangle(cut);
        Launch l = s.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = triangle.uplo;
        l.n = order;
        corner.cols(0, order).into(l.a);
        triangle.into(l.c);
        s.launch();
        s.copy(corner.cols(order, cut.cols - order).stored(), cut.cols(order, cut.cols - order).stored());
    }

    /** The upper triangle of a block, as it is read. */
    private static Block edgeTriangle(Block cut) {
        Uplo stored = cut.op == Op.NONE ? Uplo.UPPER : Uplo.LOWER;
        return cut.cols(0, cut.rows).triangle(stored, Diag.NON_UNIT);
    }

    /** c := c - a·b, whether c is read as it is stored or not. */
    private static void product(Scope s, Block a, Block b, Block c) {
        if (c.op == Op.NONE) {
            s.gemm(-1, a, b, 1, c);
        } else {
            s.gemm(-1, b.h(), a.h(), 1, c.h());
        }
    }
}
