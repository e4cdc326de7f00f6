package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Evect;

/**
 * Eigenvalues without eigenvectors by way of a band: the first algorithm of a routine, whose others stand below it. A reduction to tridiagonal form in one stage reads what is left of the matrix once a column; in two stages it is
 * read once a panel, and what the band costs grows with the square of the order alone.
 */
final class TwoStages {
    /** Diagonals of the band beside the main one: with more of them products are faster, and chasing them is slower. */
    private static final long WIDTH = 32;

    /** The same where products are fast and a step of a sweep takes the time of its latencies. */
    private static final long NARROW = 16;

    private static final int BAND = BandReduction.SLOTS;
    private static final int NUMBERS = BAND + 1;
    private static final int NORM = BAND + 2;

    private TwoStages() {}

    private static long width(Call c) {
        return c.traits.reach().waves() ? NARROW : WIDTH;
    }

    /** Whether a call's problem is one: the device says from how large a matrix on. */
    private static boolean pays(Call c) {
        Launch g = c.args;
        return g.evect == Evect.NONE && g.n > width(c) + 1
                && (double) g.n * g.n * g.type.bytes() >= (double) c.traits.twoStages();
    }

    /** Declares the algorithm, if it pays, and begins the one below it. */
    static void need(Call c, Need need) {
        if (!pays(c)) {
            return;
        }
        Launch g = c.args;
        need.tier("two stages");
        BandReduction.need(c, need, 0, g.n, width(c));
        need.slot("band", BandReduction.bytes(c, g.n, width(c)))
                .slot("numbers", Chunks.times(g.n, g.type.bytes() + (long) g.type.real().bytes(), g.count))
                .slot("norm", Range.bytes(c));
        need.below();
    }

    /** Whether the call's lease is that of this algorithm. */
    static boolean runs(Call c) {
        return pays(c) && c.algorithm() == 0;
    }

    /** Operand a of the call := the eigenvalues of the matrix in rising order. */
    static void values(Call c, Operand matrix) {
        Launch g = c.args;
        Scope s = c.scope;
        Packing.use(c, 0);
        long kd = width(c);
        Operand norm = Range.enter(c, s.of(matrix, g.n, g.n), c.slot(NORM));
        long numbers = c.slot(NUMBERS);
        Operand tau = s.part().vector(g.type, numbers, g.n - kd, 1, g.n - kd);
        Operand e = s.part()
                .vector(g.type.real(), numbers + Chunks.times(g.n, g.type.bytes(), g.count), g.n - 1, 1, g.n - 1);
        BandReduction.tridiagonal(c, matrix, tau, e, kd, 0, c.slot(BAND));
        Steqr.values(c, g.a, e);
        Range.leave(c, norm, g.a);
    }
}
