package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import dev.basalt.type.Op;

/** Products of bands with a vector. */
final class BandRules<C> extends Rules<C> {
    /** Columns that a warp has at least of the rows of its block. */
    private static final int COLUMNS = 8;

    private static final KernelFunction[] GBMV_N = KernelFunction.floating("gbmv_n");
    private static final KernelFunction[] GBMV_T = KernelFunction.floating("gbmv_t");
    private static final KernelFunction[] SBMV = KernelFunction.floating("sbmv");
    private static final KernelFunction[] TBMV_N = KernelFunction.floating("tbmv_n");
    private static final KernelFunction[] TBMV_T = KernelFunction.floating("tbmv_t");

    /** A thread an element, of a band of so many diagonals beside the main one at most. */
    private static final KernelFunction[] GBMV_NARROW = KernelFunction.floating("gbmv_narrow");

    private static final KernelFunction[] SBMV_NARROW = KernelFunction.floating("sbmv_narrow");
    private static final KernelFunction[] TBMV_NARROW = KernelFunction.floating("tbmv_narrow");
    private static final long NARROW = 4;
    private static final long NARROW_TRIANGLE = 8;

    private static final long NARROW_ROWS = 1 << 14;

    BandRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** Runs a launch of this family, all problems; TRMV behind a copy of x to the workspace, where it is not {@link #inPlace}. */
    void run(int t, Launch l, long at, C channel) {
        boolean plain = l.opA == Op.NONE;
        long rows = l.kernel == Kernel.GEMV && plain ? l.m : l.n;
        if (rows <= 0) {
            return;
        }
        if (inPlace(l)) {
            launch(TBMV_NARROW[t], 1, 1, l.count, powerOfTwo(rows, TBMV_NARROW[t].threads()), 0, at, channel);
            return;
        }
        if (l.kernel != Kernel.TRMV && narrow(l, NARROW) && rows * l.count <= NARROW_ROWS) {
            KernelFunction f = (l.kernel == Kernel.GEMV ? GBMV_NARROW : SBMV_NARROW)[t];
            launch(f, up(rows, f.threads()), 1, l.count, at, channel);
            return;
        }
        switch (l.kernel) {
            case GEMV -> product((plain ? GBMV_N : GBMV_T)[t], plain, l, at, channel);
            case SYMV -> product(SBMV[t], true, l, at, channel);
            case TRMV -> product((plain ? TBMV_N : TBMV_T)[t], plain, l, at, channel);
            default -> throw new IllegalArgumentException("bands do not run " + l.kernel);
        }
    }

    /** Whether a launch is TRMV by one block a problem, which needs no copy of x. */
    boolean inPlace(Launch l) {
        return l.kernel == Kernel.TRMV && narrow(l, NARROW_TRIANGLE) && l.n > 2 * WARP
                && l.n <= TBMV_NARROW[0].threads();
    }

    private static boolean narrow(Launch l, long most) {
        return l.extent == 0 && l.a.storage == Storage.BAND && l.a.kl >= 0 && l.a.ku >= 0 && l.a.kl + l.a.ku <= most;
    }

    private void product(KernelFunction f, boolean byRows, Launch l, long at, C channel) {
        long rows = l.kernel == Kernel.GEMV ? l.m : l.n;
        if (rows <= 0 || l.n <= 0) {
            return;
        }
        if (byRows) {
            // The wider the band, the more warps share out the columns of a block's rows.
            long columns = Math.min(l.n, Math.max(0, l.a.kl + l.a.ku) + WARP);
            int threads = Math.max(4 * WARP, powerOfTwo(up(columns, COLUMNS) * WARP, f.threads()));
            launch(f, up(rows, WARP), 1, l.count, threads, 0, at, channel);
        } else {
            launch(f, up(l.n, f.threads() / WARP), 1, l.count, at, channel);
        }
    }
}
