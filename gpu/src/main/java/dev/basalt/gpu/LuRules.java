package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.util.Set;

/** Panels of LU with interchanges, and interchanges of rows. */
final class LuRules<C> extends Rules<C> implements Family<C> {
    /** Columns of a panel. */
    static final int PANEL = 64;

    /** Problems of order 8, 16 and 32, several a warp. */
    private static final KernelFunction[] LU_8 = KernelFunction.floating("lu_8");

    private static final KernelFunction[] LU_16 = KernelFunction.floating("lu_16");
    private static final KernelFunction[] LU_32 = KernelFunction.floating("lu_32");

    /** Panels by a warp. */
    private static final KernelFunction[] LU_WARP = KernelFunction.floating("lu_warp");

    /** Panels by one block, by a cluster, and by a grid whose blocks wait for each other. */
    private static final KernelFunction[] LU_ALONE = KernelFunction.floating("lu_alone");

    private static final KernelFunction[] LU_CLUSTER_8 = KernelFunction.floating("lu_cluster_8");
    private static final KernelFunction[] LU_CLUSTER_16 = KernelFunction.floating("lu_cluster_16");
    private static final KernelFunction[] LU_SLICES = KernelFunction.floating("lu_slices");

    private static final KernelFunction[] GETF2 = KernelFunction.floating("getf2");
    private static final KernelFunction[] LASWP_COLUMNS = KernelFunction.floating("laswp_columns");
    private static final KernelFunction[] LASWP = KernelFunction.floating("laswp");

    /** Of other blocks: those of a cluster, two each, and the one that a grid has chosen. */
    private static final int CANDIDATES_OF_CLUSTER = 64;

    private static final int CANDIDATES_OF_GRID = 1;

    /** Problems from which on a thread follows all exchanges of a column, where these are few. */
    private static final int MANY = 32;

    private static final int FEW_COLUMNS = 8;
    private static final int FEW_EXCHANGES = 64;

    LuRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GETF2, Kernel.LASWP);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        switch (l.kernel) {
            case GETF2 -> getf2(t, l, at, channel);
            case LASWP -> laswp(t, l, at, channel);
            default -> throw new IllegalArgumentException("LU does not run " + l.kernel);
        }
    }

    private void getf2(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        // What takes several problems a warp wants the same dimensions in all.
        if (l.extent == 0 && l.m <= WARP && l.n <= WARP) {
            small(t, l, at, channel);
        } else if (l.m <= Layouts.WARP_ROWS && l.n <= PANEL) {
            launch(LU_WARP[t], 1, 1, l.count, WARP, Layouts.luWarp(l.type, l.n), at, channel);
        } else {
            panel(t, l, at, channel);
        }
    }

    private void small(int t, Launch l, long at, C channel) {
        long order = Math.max(l.m, l.n);
        KernelFunction f = (order <= 8 ? LU_8 : order <= 16 ? LU_16 : LU_32)[t];
        int each = order <= 8 ? 4 : order <= 16 ? 2 : 1;
        functions.launch(f, (int) up(l.count, 4L * each), 1, 1, f.threads(), 0, at, channel);
    }

    private void panel(int t, Launch l, long at, C channel) {
        // A thread a row, and the block's rows in its shared memory.
        int most = LU_ALONE[t].threads() / (l.type == ElementType.C64 ? 2 : 1);
        long slices = up(l.m, most);
        if (l.n > PANEL) {
            launch(GETF2[t], 1, 1, l.count, at, channel);
        } else if (slices == 1) {
            int threads = Math.max(WARP, powerOfTwo(l.m, most));
            launch(LU_ALONE[t], 1, 1, l.count, threads, Layouts.lu(l.type, threads, l.n, 0), at, channel);
        } else if (slices <= clusters && clusters >= 8 && (l.extent == 0 || l.count <= MOST_Z)) {
            // Where the device alone knows a dimension, a cluster takes one problem, since its letters are opened for each.
            // Fewer rows a block are done sooner, more blocks wait longer for each other.
            int cluster = up(l.m, 8) > most / 2 && clusters > 8 ? 16 : 8;
            int threads = Math.max(WARP, powerOfTwo(up(l.m, cluster), most));
            KernelFunction f = (cluster == 8 ? LU_CLUSTER_8 : LU_CLUSTER_16)[t];
            int shared = Layouts.lu(l.type, threads, l.n, CANDIDATES_OF_CLUSTER);
            launch(f, cluster, 1, l.count, threads, shared, at, channel);
        } else if (slices <= multiprocessors && Layouts.luShown(l.type, PANEL, slices) <= 16L * SCRATCH
                && l.count <= multiprocessors) {
            for (int p = 0; p < l.count; p++) {
                Arguments.parameters(at, 0, p, 0);
                int shared = Layouts.lu(l.type, most, l.n, CANDIDATES_OF_GRID);
                launch(LU_SLICES[t], slices, 1, 1, most, shared, at, channel);
            }
        } else {
            launch(GETF2[t], 1, 1, l.count, at, channel);
        }
    }

    private void laswp(int t, Launch l, long at, C channel) {
        if (l.n <= 0 || l.q <= l.p) {
            return;
        }
        if (l.extent == 0 && l.n <= FEW_COLUMNS && l.q - l.p <= FEW_EXCHANGES && l.count >= MANY) {
            KernelFunction f = LASWP_COLUMNS[t];
            functions.launch(f, (int) up(l.count * l.n, f.threads()), 1, 1, f.threads(), 0, at, channel);
            return;
        }
        Arguments.parameters(at, 16, 0, 0);
        launch(LASWP[t], up(l.n, 16), 1, l.count, at, channel);
    }
}
