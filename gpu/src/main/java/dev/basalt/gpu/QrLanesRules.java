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
        return !l.b.present() && l.m >= l.n && l.m <= LOW && launch(l.n <= NARROW ? QR_8[t] : QR_16[t], l, at, channel);
    }

    /** Runs a launch of GELS, all problems; false, with nothing done, if the matrix is too large. */
    boolean solve(int t, Launch l, long at, C channel) {
        return launch(l.n <= NARROW ? GELS_8[t] : GELS_16[t], l, at, channel);
    }

    /** Rows of a lane. */
    private static int depth(ElementType type, int columns) {
        return (type == ElementType.C64 ? 16 : 64) / columns;
    }

    private boolean launch(KernelFunction f, Launch l, long at, C channel) {
        int columns = l.n <= NARROW ? NARROW : WIDE;
        int depth = depth(l.type, columns);
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
