package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/** QR and least squares of matrices with few columns, which a few lanes of a warp have in their registers. */
final class QrLanesRules<C> extends Rules<C> {
    private static final KernelFunction[] QR_8 = KernelFunction.floating("qr_lanes_8");
    private static final KernelFunction[] QR_16 = KernelFunction.floating("qr_lanes_16");
    private static final KernelFunction[] GELS_8 = KernelFunction.floating("gels_lanes_8");
    /** Not for z. */
    private static final KernelFunction[] GELS_16 = KernelFunction.floating("gels_lanes_16");

    /** Columns of the narrower kernels, and of the wider ones. */
    private static final int NARROW = 8;

    private static final int WIDE = 16;

    /** Rows of what is only factored, at most: taller ones have a thread a column. */
    private static final int LOW = 32;

    QrLanesRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** Runs a launch of GEQR2, all problems; false, with nothing done, if it is for other kernels. */
    boolean run(int t, Launch l, long at, C channel) {
        int depth = depth(l.type, l.n);
        // One lane would do: two have half as long to wait for what hangs on a root and two divisions.
        depth = l.n <= NARROW && l.m <= NARROW ? Math.min(depth, NARROW / 2) : depth;
        return !l.b.present() && l.m >= l.n && l.m <= LOW
                && launch(l.n <= NARROW ? QR_8[t] : QR_16[t], depth, l, at, channel);
    }

    /** Runs a launch of GELS, all problems; false, with nothing done, if the matrix is too large. */
    boolean solve(int t, Launch l, long at, C channel) {
        return launch(l.n <= NARROW ? GELS_8[t] : GELS_16[t], depth(l.type, l.n), l, at, channel);
    }

    /** Rows of a lane. */
    private static int depth(ElementType type, long n) {
        return (type == ElementType.C64 ? 16 : 64) / (n <= NARROW ? NARROW : WIDE);
    }

    private boolean launch(KernelFunction f, int depth, Launch l, long at, C channel) {
        int columns = l.n <= NARROW ? NARROW : WIDE;
        if (f == null || l.n > columns || l.m > (long) WARP * depth) {
            return false;
        }
        int parts = powerOfTwo(up(l.m, depth), WARP);
        int problems = WARP / parts;
        Arguments.parameters(at, parts, 0, 0);
        functions.launch(f, (int) up(l.count, problems), 1, 1, WARP,
                Layouts.qrLanes(l.type, problems, parts * depth, columns), at, channel);
        return true;
    }
}
