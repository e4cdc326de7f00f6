package dev.basalt.gpu;

import dev.basalt.spi.Launch;

/**
 * Panels of QR in strips, in the registers of one warp, of a cluster, or of a grid whose blocks wait for each other; what is taller than a grid's registers is worked
 * on in memory. What decides about bits depends on shapes and the device alone.
 */
final class QrPanelRules<C> extends Rules<C> {
    /** Columns of a panel. */
    static final int PANEL = 64;

    /** Columns of a strip. */
    static final int STRIP = 8;

    /** Bytes of a column in a lane, and where there are many rows. */
    private static final int SHORT = 32;

    private static final int LONG = 64;

    /** So many more rows lie between the columns of a strip. */
    private static final int APART = 4;

    /** Warps of a block. */
    private static final int WARPS = 8;

    /** Warps of a cluster's block that share a strip, at most, and where there are many rows. */
    private static final int FEW = 2;

    private static final int MANY = 4;

    /** Blocks of a grid, at most: they show each other what they find in the memory of a stream. */
    private static final int BLOCKS = 132;

    /** The fewest columns of a panel that a grid takes in two passes, and rows of one. */
    private static final int TALL_FEWEST = 8;

    private static final int TALL_ROWS = 128;

    /** Tells the kernel to begin so; columns are fewer. */
    private static final int TALL_BEGUN = 1 << 16;

    private static final KernelFunction[] QR_ALONE = KernelFunction.floating("qr_alone");
    private static final KernelFunction[] QR_CLUSTER_8 = KernelFunction.floating("qr_cluster_8");
    private static final KernelFunction[] QR_CLUSTER_16 = KernelFunction.floating("qr_cluster_16");
    private static final KernelFunction[] QR_CLUSTER_TALL = KernelFunction.floating("qr_cluster_tall");
    private static final KernelFunction[] QR_SLICES = KernelFunction.floating("qr_slices");

    /** The same of panels that stay in shared memory. */
    private static final KernelFunction[] QR_HELD = KernelFunction.floating("qr_held");
    private static final KernelFunction[] QR_HELD_8 = KernelFunction.floating("qr_held_8");
    private static final KernelFunction[] QR_HELD_16 = KernelFunction.floating("qr_held_16");

    QrPanelRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** Runs a launch of GEQR2, all problems; false, with nothing done, if the panel is too wide or the device too small. */
    boolean run(int t, Launch l, long at, C channel) {
        if (l.n > PANEL || l.m < l.n) {
            return false;
        }
        long few = (long) WARP * SHORT / l.type.bytes();
        long many = (long) WARP * LONG / l.type.bytes();
        if (l.m <= many) {
            return shared(QR_ALONE[t], QR_HELD[t], 1, 1, l, at, channel);
        }
        if (clusters >= 8 && l.m <= 8 * FEW * few) {
            return shared(QR_CLUSTER_8[t], QR_HELD_8[t], 8, (int) up(l.m, 8 * few), l, at, channel);
        }
        if (clusters >= 16 && l.m <= 16 * FEW * few) {
            return shared(QR_CLUSTER_16[t], QR_HELD_16[t], 16, (int) up(l.m, 16 * few), l, at, channel);
        }
        return clusters >= 16 && l.m <= 16 * MANY * many
                && shared(QR_CLUSTER_TALL[t], null, 16, (int) up(l.m, 16 * many), l, at, channel)
                || grid(t, l, at, channel);
    }

    /** Blocks that tell each other through their shared memory, each with so many warps along a strip, by one function where the panel stays there and by another elsewhere; false if that is too small. */
    private boolean shared(KernelFunction f, KernelFunction holding, int blocks, int along, Launch l, long at,
            C channel) {
        int depth = (int) up(l.m, (long) blocks * along * WARP);
        long rows = (long) WARP * depth * along + APART;
        int tellers = blocks == 1 ? WARPS : blocks * along;
        long bytes = Layouts.qrPanel(l.type, 2 * rows, (int) l.n, tellers);
        if (bytes > Math.min(f.shared(), sharedMost)) {
            return false;
        }
        // A panel that has the device to itself stays in shared memory if there is room for it.
        long held = Layouts.qrPanel(l.type, (2 + up(l.n, STRIP)) * rows, (int) l.n, tellers);
        boolean holds = holding != null && l.count * blocks <= multiprocessors
                && held <= Math.min(holding.shared(), sharedMost);
        Arguments.parameters(at, depth, along, 0);
        launch(holds ? holding : f, blocks, 1, l.count, WARP * WARPS, (int) (holds ? held : bytes), at, channel);
        return true;
    }

    /** A launch a problem: as many blocks as can run at once. */
    private boolean grid(int t, Launch l, long at, C channel) {
        long most = Math.min(QR_SLICES[t].shared(), sharedMost);
        long rows = up(l.m, (long) Math.min(multiprocessors, BLOCKS) * WARPS * WARP);
        // Blocks with few rows keep a strip's reflectors, where there is room for them.
        long few = LONG / l.type.bytes();
        rows = rows <= few && kept(l, rows) > most ? few + 1 : rows;
        long blocks = up(l.m, rows * WARPS * WARP);
        long room = 16L * SCRATCH / (STRIP * l.type.bytes()) - 2 * (blocks + 1);
        long columns = Math.min(PANEL, room / (blocks + 1) / STRIP * STRIP);
        long bytes = rows <= few ? kept(l, rows) : Layouts.qrPanel(l.type, 0, (int) l.n, WARPS);
        if (columns == 0 || bytes > most || rows > Integer.MAX_VALUE / WARP / WARPS || l.count > multiprocessors) {
            return false;
        }
        // In two passes where there is room for the small matrices.
        long small = Layouts.qrTall(l.type, (int) l.n);
        boolean tall = l.n >= TALL_FEWEST && l.m >= TALL_ROWS * l.n && small <= most;
        bytes = tall ? Math.max(bytes, small) : bytes;
        for (int p = 0; p < l.count; p++) {
            Arguments.parameters(at, (int) rows, p, (int) columns + (tall ? TALL_BEGUN : 0));
            launch(QR_SLICES[t], blocks, 1, 1, WARP * WARPS, (int) bytes, at, channel);
        }
        return true;
    }

    /** Bytes of a block that keeps the reflectors of a strip of so many rows of a lane. */
    private static long kept(Launch l, long rows) {
        return Layouts.qrPanel(l.type, rows * WARPS * WARP + APART, (int) l.n, WARPS);
    }
}
