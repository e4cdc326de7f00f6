package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.BandWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * Eigenvalues and eigenvectors by way of a band: the first algorithm of a routine, whose others stand below it. A reduction to tridiagonal form in one stage reads what is left of the matrix once a column; in two stages it is
 * read once a panel, and what the band costs grows with the square of the order alone. Eigenvectors are multiplied by the reflectors of both stages, which is worth while where the matrix is written out in the workspace: the
 * reflectors of the second stage are in the triangle that this leaves free.
 */
final class TwoStages {
    /** Diagonals of the band beside the main one: with more of them products are faster, and chasing them is slower. */
    private static final long WIDTH = 32;

    /** Slots behind those of the reduction, of which the one before is the matrix with both triangles. */
    private static final int BAND = BandReduction.SLOTS;

    private static final int NUMBERS = BAND + 1;
    private static final int NORM = BAND + 2;
    private static final int VECTORS = BAND + 3;

    /** Eigenvectors go through both stages, too, so that matrices are to be so many times as large. */
    private static final double MORE = 1.5;

    private static final String NAME = "two stages";

    private TwoStages() {}

    /** Diagonals of the band: few where products are fast and a step of a sweep takes the time of its latencies. */
    private static long width(Call c) {
        return c.traits.reach().waves() ? BandWork.NARROW : WIDTH;
    }

    private static boolean vectors(Call c) {
        return c.args.evect != Evect.NONE;
    }

    /** Whether a call's problem is one: the device says from how large a matrix on. */
    private static boolean pays(Call c) {
        Launch g = c.args;
        if (vectors(c) && !(c.traits.reach().whole(Kernel.CHASED, g.type) && BandReduction.whole(c, 0))) {
            return false;
        }
        double bytes = (double) g.n * g.n * g.type.bytes();
        return g.n > width(c) + 1 && (vectors(c) ? bytes / MORE : bytes) >= (double) c.traits.twoStages();
    }

    /** Declares the algorithm, if it pays, and begins the one below it. */
    static void need(Call c, Need need) {
        if (!pays(c)) {
            return;
        }
        Launch g = c.args;
        long n = g.n;
        long kd = width(c);
        need.tier(NAME);
        if (vectors(c)) {
            need.part();
            Reflectors.needApply(c, need, n - kd, n, n - kd);
            need.keep(1).part().tier(NAME);
        }
        BandReduction.need(c, need, 0, n, kd);
        need.slot("band", BandReduction.bytes(c, n, kd))
                .slot("numbers", Chunks.times(n, g.type.bytes() + (long) g.type.real().bytes(), g.count))
                .slot("norm", Range.bytes(c));
        if (vectors(c)) {
            // The matrix is a band by then.
            need.slot("whole matrix", DivideAndConquer.bytes(c, n))
                    .slot("packing", DivideAndConquer.packing(c, 0, n))
                    .slot("eigenvectors", g.type.isComplex() ? Scope.squareBytes(g.type, n, g.count) : 0);
        }
        need.together().below();
    }

    /** Where the slots of the reduction begin: those of applied reflectors come first, and the packing is the same. */
    private static int first(Call c) {
        return vectors(c) ? Reflectors.SLOTS - 1 : 0;
    }

    /** Algorithms of this class that stand above a routine's own. */
    static int above(Call c) {
        return pays(c) ? 1 : 0;
    }

    /** Whether the call's lease is that of this algorithm. */
    static boolean runs(Call c) {
        return c.algorithm() < above(c);
    }

    /** Operand a of the call := the eigenvalues of the matrix in rising order, and the matrix := its eigenvectors, if they are asked for. */
    static void run(Call c, Operand matrix) {
        Launch g = c.args;
        Scope s = c.scope;
        Packing.use(c, 0);
        int first = first(c);
        long kd = width(c);
        Block a = s.of(matrix, g.n, g.n);
        Operand norm = Range.enter(c, a, c.slot(first + NORM));
        long numbers = c.slot(first + NUMBERS);
        Operand tau = s.part().vector(g.type, numbers, g.n - kd, 1, g.n - kd);
        Operand e = s.part()
                .vector(g.type.real(), numbers + Chunks.times(g.n, g.type.bytes(), g.count), g.n - 1, 1, g.n - 1);
        BandReduction.tridiagonal(c, matrix, tau, e, kd, first, c.slot(first + BAND), vectors(c));
        if (vectors(c)) {
            vectors(c, a, tau, e, kd);
        } else {
            Steqr.values(c, g.a, e);
        }
        Range.leave(c, norm, g.a);
    }

    /** Operand a := eigenvalues of the tridiagonal form, a := the reflectors of both stages times its eigenvectors. */
    private static void vectors(Call c, Block a, Operand tau, Operand e, long kd) {
        Launch g = c.args;
        Scope s = c.scope;
        int first = first(c);
        long work = c.slot(first + BAND - 1);
        Operand real = DivideAndConquer.solve(c, g.a, e, work);
        Block z = Stedc.elements(c, real, c.slot(first + VECTORS));
        long room = DivideAndConquer.free(c, g.n) / g.count / g.type.bytes();
        Launch l = s.kernel(Kernel.CHASED);
        l.n = g.n;
        l.m = g.n;
        l.k = kd;
        a.into(l.a);
        z.into(l.c);
        l.f.vector(g.type, work, room, 1, room);
        s.launch();
        int mark = s.mark();
        long k = g.n - kd;
        Reflectors.apply(c, Side.LEFT, Op.NONE, a.block(kd, 0, k, k), tau, z.rows(kd, k));
        s.release(mark);
        s.copy(z, a);
    }
}
