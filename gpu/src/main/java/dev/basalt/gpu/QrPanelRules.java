package dev.basalt.gpu;

import dev.basalt.spi.Launch;

/** Panels of QR in the registers of one block, of a cluster, or of a grid whose blocks wait for each other. What decides about bits depends on shapes alone. */
final class QrPanelRules<C> extends Rules<C> {
    /** Columns of a panel. */
    static final int PANEL = 64;

    /** Bytes of a panel that has all its columns, at most: more are for panels of half of them, or fewer. */
    static final long WIDE_BYTES = 8L << 20;

    /** Bytes of a panel that a grid holds, at most. */
    static final long MOST_BYTES = 25_900_000;

    /** Columns of a warp, and of one whose lanes have longer columns. */
    private static final int EACH = 8;

    private static final int FEWER = 4;

    /** Bytes of a column in a lane's registers; and where a warp has fewer columns, at most. */
    private static final int DEEP = 32;

    private static final int DEEPEST = 192;

    /** Rows that one block does before a cluster has agreed on as many columns. */
    private static final int ALONE = 256;

    /** Blocks of a grid, at most. */
    private static final int BLOCKS = 132;

    private static final KernelFunction[] QR_ALONE = KernelFunction.floating("qr_alone");
    private static final KernelFunction[] QR_CLUSTER_8 = KernelFunction.floating("qr_cluster_8");
    private static final KernelFunction[] QR_CLUSTER_16 = KernelFunction.floating("qr_cluster_16");
    private static final KernelFunction[] QR_SLICES = KernelFunction.floating("qr_slices");
    private static final KernelFunction[] QR_TALL = KernelFunction.floating("qr_tall");

    QrPanelRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** Runs a launch of GEQR2, all problems; false, with nothing done, if the panel is too wide or too tall. */
    boolean run(int t, Launch l, long at, C channel) {
        if (l.n > PANEL || l.m < l.n) {
            return false;
        }
        int across = (int) up(l.n, EACH);
        long rows = (long) WARP * DEEP / l.type.bytes();
        int most = QR_ALONE[t].threads() / WARP / across;
        if (l.m <= ALONE && l.m <= rows * most) {
            return shared(QR_ALONE[t], 1, across, l, at, channel);
        }
        int cluster = l.m <= 8 * rows ? 8 : 16;
        if (cluster <= clusters && l.m <= cluster * rows * most
                && shared((cluster == 8 ? QR_CLUSTER_8 : QR_CLUSTER_16)[t], cluster, across, l, at, channel)) {
            return true;
        }
        if (l.m <= BLOCKS * rows * most
                && grid(QR_SLICES[t], across, (int) up(l.m, BLOCKS * rows), DEEP / l.type.bytes(), l, at, channel)) {
            return true;
        }
        int narrow = (int) up(l.n, FEWER);
        int along = QR_TALL[t].threads() / WARP / narrow;
        long depth = along == 0 ? Integer.MAX_VALUE : up(l.m, (long) BLOCKS * WARP * along);
        return depth <= DEEPEST / l.type.bytes() && grid(QR_TALL[t], narrow, along, (int) depth, l, at, channel);
    }

    /** Blocks that tell each other through their shared memory; false if that is too small. */
    private boolean shared(KernelFunction f, int blocks, int across, Launch l, long at, C channel) {
        int depth = DEEP / l.type.bytes();
        int along = (int) up(l.m, (long) blocks * WARP * depth);
        long bytes = Layouts.qrPanel(l.type, (long) WARP * depth * along, (int) l.n, blocks * along);
        if (bytes > f.shared()) {
            return false;
        }
        Arguments.parameters(at, depth, 0, 0);
        launch(f, blocks, 1, l.count, WARP * across * along, (int) bytes, at, channel);
        return true;
    }

    /** A launch a problem. */
    private boolean grid(KernelFunction f, int across, int along, int depth, Launch l, long at, C channel) {
        long blocks = up(l.m, (long) WARP * depth * along);
        long shown = 2 * l.n * (blocks * along + 1) * l.type.bytes();
        if (shown > 16L * SCRATCH || blocks > multiprocessors || l.count > multiprocessors) {
            return false;
        }
        long bytes = Layouts.qrPanel(l.type, (long) WARP * depth * along, (int) l.n, 0);
        for (int p = 0; p < l.count; p++) {
            Arguments.parameters(at, depth, p, 0);
            launch(f, blocks, 1, 1, WARP * across * along, (int) bytes, at, channel);
        }
        return true;
    }
}
