package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Conversions;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GbmvSignature;
import dev.basalt.internal.signature.GemvSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Storage;
import dev.basalt.type.Op;

/**
 * y := alpha·op(A)·x + beta·y. Without transposition every element of y is a sum along a row and many run side by side. Transposed,
 * a tall A has few, long columns: blocks of rows are then summed apart, their partial results lie in the workspace and are added
 * in order. Without workspace each column is summed by one worker.
 */
public final class Gemv extends Routine {
    /** The family. */
    public static final Gemv ROUTINE = new Gemv(new GemvSignature());

    /** A is a band matrix. */
    public static final Gemv GBMV = new Gemv(new GbmvSignature());

    /** The best tier of a transposed A. */
    public static final String ROW_BLOCKS = "row blocks";

    private Gemv(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {
        if (Conversions.has(c)) {
            Conversions.need(c, Kernel.GEMV, need);
            return;
        }
        if (c.args.opA == Op.NONE || c.args.a.storage == Storage.BAND) {
            return;
        }
        long m = c.args.m;
        int block = c.traits.gemvBlock();
        long partials = 0;
        // One block and a bit is not worth a second pass.
        if (m >= 2L * block) {
            long column = Chunks.times(c.args.type.bytes(), Chunks.ceilDiv(m, block));
            partials = Chunks.times(column, c.args.n, c.args.count);
        }
        need.tier(ROW_BLOCKS).slot("partials", partials);
        need.tier("columns").slot("partials", 0);
    }

    @Override
    protected void run(Call c) {
        c.launchArgs(Kernel.GEMV, c.slot(0), c.slotBytes(0));
    }
}
