package dev.basalt.gpu;

import dev.basalt.spi.Launch;

/** Panels of QR in the shared memory of one block, of a cluster, or of a grid whose blocks wait for each other. */
final class QrPanelRules<C> extends Rules<C> {
    /** Columns of a panel: two a warp. */
    static final int PANEL = 64;

    /** Rows up to which one block is done before a cluster has agreed on as many columns. */
    private static final int ALONE = 384;

    /** Rows up to which a cluster of 8 is as good as one of 16. */
    private static final int CLUSTER_OF_8 = 1024;

    /** Rows of a grid's block, at least; and so many blocks a grid has if their slices fit. */
    private static final int SLICE = 128;

    private static final int SLICES = 64;

    private static final KernelFunction[] QR_ALONE = KernelFunction.floating("qr_alone");
    private static final KernelFunction[] QR_CLUSTER_8 = KernelFunction.floating("qr_cluster_8");
    private static final KernelFunction[] QR_CLUSTER_16 = KernelFunction.floating("qr_cluster_16");
    private static final KernelFunction[] QR_SLICES = KernelFunction.floating("qr_slices");

    QrPanelRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** Runs a launch of GEQR2, all problems; false, with nothing done, if the panel is too wide or too tall. */
    boolean run(int t, Launch l, long at, C channel) {
        int most = QR_ALONE[t].shared();
        int n = (int) Math.min(l.n, PANEL + 1);
        if (n > PANEL || l.m < n) {
            return false;
        }
        if (l.m <= ALONE && Layouts.qrPanel(l.type, l.m, n, 1) <= most) {
            panel(QR_ALONE[t], 1, l.m, 1, l, at, channel);
            return true;
        }
        int cluster = l.m <= CLUSTER_OF_8 && clusters >= 8 ? 8 : Math.min(clusters, 16);
        if (cluster >= 8 && Layouts.qrPanel(l.type, up(l.m, cluster), n, cluster) <= most) {
            panel((cluster == 8 ? QR_CLUSTER_8 : QR_CLUSTER_16)[t], cluster, up(l.m, cluster), cluster, l, at, channel);
            return true;
        }
        long rows = up(Math.max(SLICE, up(l.m, SLICES)), WARP) * WARP;
        while (rows > SLICE && Layouts.qrPanel(l.type, rows, n, 0) > most) {
            rows -= WARP;
        }
        long blocks = up(l.m, rows);
        boolean shown = 2 * n * (blocks + 1) * l.type.bytes() <= 16L * SCRATCH;
        if (!shown || blocks > multiprocessors || l.count > multiprocessors
                || Layouts.qrPanel(l.type, rows, n, 0) > most) {
            return false;
        }
        for (int p = 0; p < l.count; p++) {
            Arguments.parameters(at, (int) rows, p, 0);
            launch(QR_SLICES[t], blocks, 1, 1, threads(n), (int) Layouts.qrPanel(l.type, rows, n, 0), at, channel);
        }
        return true;
    }

    private void panel(KernelFunction f, long blocks, long rows, int among, Launch l, long at, C channel) {
        Arguments.parameters(at, (int) rows, 0, 0);
        int n = (int) l.n;
        launch(f, blocks, 1, l.count, threads(n), (int) Layouts.qrPanel(l.type, rows, n, among), at, channel);
    }

    /** A warp for each column, or for two. */
    private static int threads(int n) {
        return WARP * Math.min(n, WARP);
    }
}
