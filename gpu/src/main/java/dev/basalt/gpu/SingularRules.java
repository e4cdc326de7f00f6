package dev.basalt.gpu;

import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.LabrdWork;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.util.Set;

/** Singular values: a block a problem, but where blocks share the vectors of an iteration. */
final class SingularRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] GEBD2 = KernelFunction.floating("gebd2");
    private static final KernelFunction[][] GEBD2_BLOCKS = byRows("gebd2_blocks_");

    /** Columns of a block at least where blocks share a reduction. */
    private static final long LEAST_COLUMNS = 4;

    private static final KernelFunction[] LABRD = KernelFunction.floating("labrd");
    private static final KernelFunction[] PANEL = KernelFunction.floating("labrd_panel");
    private static final KernelFunction[] COLUMNS_8 = KernelFunction.floating("labrd_columns_8");
    /** Not for z. */
    private static final KernelFunction[] COLUMNS_16 = KernelFunction.floating("labrd_columns_16");

    /** Stages at most and at least through which the columns of a panel travel. */
    private static final int STAGES = 3;

    private static final int LEAST_STAGES = 2;
    private static final KernelFunction[] BDSQR = KernelFunction.floating("bdsqr");
    private static final KernelFunction[] BISECT = KernelFunction.floating("bdsqr_bisect");

    private static final KernelFunction[] GESVJ = KernelFunction.floating("gesvj");
    private static final KernelFunction[] GESVJ_8 = KernelFunction.floating("gesvj_8");
    private static final KernelFunction[] GESVJ_16 = KernelFunction.floating("gesvj_16");
    /** Not for z. */
    private static final KernelFunction[] GESVJ_32 = KernelFunction.floating("gesvj_32");

    /** A warp eight columns, a lane one or two rows of them. */
    private static final KernelFunction[] GESVJ_WARPS_32 = KernelFunction.floating("gesvj_warps_32");
    private static final KernelFunction[] GESVJ_WARPS_64 = KernelFunction.floating("gesvj_warps_64");

    private static final int COLUMNS = 8;

    /** Rows up to which lanes have one each in all types; more of complex numbers are sooner done by warps. */
    private static final long LANES = 16;

    private static final KernelFunction[] GESVJ_BLOCKS = KernelFunction.floating("gesvj_blocks");

    /** Columns of a group: four warps have a pair where they are few; and one where they are many. */
    private static final long FEW_COLUMNS = 4;

    private static final long MANY_COLUMNS = 16;

    private static final KernelFunction[] PSEUDO = KernelFunction.floating("pseudo");

    /** Real numbers that each block of an iteration has, by the order. */
    private static final long NUMBERS = 6;

    SingularRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GEBD2, Kernel.LABRD, Kernel.LABRD_PANEL, Kernel.BDSQR, Kernel.GESVJ, Kernel.PSEUDO);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.kernel == Kernel.PSEUDO) {
            long blocks = Math.clamp(up(l.m * l.n, PSEUDO[t].threads()), 1, 4L * multiprocessors);
            launch(PSEUDO[t], blocks, 1, l.count, at, channel);
            return;
        }
        if (l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case GEBD2 -> reduce(t, l, at, channel);
            case LABRD -> launch(LABRD[t], 1, 1, l.count, threads(l.n, LABRD[t]), 0, at, channel);
            case LABRD_PANEL -> panels(t, l, at, channel);
            case GESVJ -> {
                if (l.workBytes > 0 && l.workBytes >= JacobiWork.oneSidedWords(l.n) * Long.BYTES * l.count) {
                    jacobiBlocks(t, l, at, channel);
                } else {
                    jacobi(t, l, at, channel);
                }
            }
            default -> iterate(t, l, at, channel);
        }
    }

    /** The largest order whose columns the blocks of a device keep in their shared memory. */
    static long kept(int t, ElementType type, int multiprocessors, int shared) {
        return keptOrder(GEBD2_BLOCKS, t, shared, n -> Layouts.gebd2(type, n, n, multiprocessors));
    }

    /** Blocks share one problem where there is workspace for that; else each has one. */
    private void reduce(int t, Launch l, long at, C channel) {
        long rows = Math.max(l.m, l.n);
        long cols = Math.min(l.m, l.n);
        if (l.workBytes == 0 || cols == 0) {
            launch(GEBD2[t], 1, 1, l.count, threads(l.m * l.n, GEBD2[t]), 0, at, channel);
            return;
        }
        int which = rowsOf(GEBD2_BLOCKS, t, rows);
        KernelFunction f = GEBD2_BLOCKS[which][t];
        long room = LabrdWork.wholeBlocks(rows, cols, l.workBytes / l.type.bytes());
        long blocks = Math.min(Math.min(multiprocessors, room), up(cols, LEAST_COLUMNS));
        for (int p = 0; p < l.count; p++) {
            Arguments.parameters(at, 0, p, 0);
            launch(f, blocks, 1, 1, threadsOf(f, which, rows), (int) Layouts.gebd2(l.type, rows, cols, blocks), at,
                    channel);
        }
    }

    /** Blocks that share matrices: one for each pair of groups as far as that goes, and as many matrices at once as go on. */
    private void jacobiBlocks(int t, Launch l, long at, C channel) {
        long group = FEW_COLUMNS;
        while (group < MANY_COLUMNS && JacobiWork.pairs(l.n, group) > multiprocessors) {
            group *= 2;
        }
        long blocks = JacobiWork.blocks(JacobiWork.pairs(l.n, group), l.count, multiprocessors);
        long teams = Math.min(l.count, multiprocessors / blocks);
        Arguments.parameters(at, (int) group, (int) blocks, 0);
        KernelFunction f = GESVJ_BLOCKS[t];
        launch(f, teams * blocks, 1, 1, f.threads(), Layouts.gesvjBlocks(l.type), at, channel);
    }

    /** Lanes that have a row each as far as that goes; then warps that have eight columns each; else a block a problem, a warp a pair of columns. */
    private void jacobi(int t, Launch l, long at, C channel) {
        KernelFunction f = l.m <= 8 ? GESVJ_8[t] : l.m <= 16 ? GESVJ_16[t] : l.m <= WARP ? GESVJ_32[t] : null;
        if (f == null || l.m > LANES && l.type.isComplex()) {
            int rows = l.m <= WARP ? WARP : 2 * WARP;
            int warps = (int) up(l.n, COLUMNS);
            int bytes = Layouts.gesvjWarps(l.type, warps, rows);
            if (l.m <= rows && bytes <= sharedMost) {
                launch((rows == WARP ? GESVJ_WARPS_32 : GESVJ_WARPS_64)[t], 1, 1, l.count, warps * WARP, bytes, at,
                        channel);
                return;
            }
        }
        if (f == null) {
            launch(GESVJ[t], 1, 1, l.count, threads(WARP * ((l.n + 1) / 2), GESVJ[t]), 0, at, channel);
            return;
        }
        int problems = l.m <= 8 ? 4 : l.m <= 16 ? 2 : 1;
        functions.launch(f, (int) up(l.count, problems), 1, 1, f.threads(), 0, at, channel);
    }

    /** Blocks that share the vectors; values alone are found all at once by bisection. */
    private void iterate(int t, Launch l, long at, C channel) {
        long all = l.m + l.p + l.k;
        if (all == 0) {
            // Whatever the vectors would be, the numbers are real.
            KernelFunction f = BISECT[t % 2];
            int lanes = lanes(l, f);
            Arguments.parameters(at, lanes, 0, 0);
            launch(f, Math.min(up(l.n * lanes, f.threads()), multiprocessors), 1, l.count, at, channel);
            return;
        }
        long blocks = Math.max(1, l.g.rows / (NUMBERS * l.n));
        launch(BDSQR[t], blocks, 1, l.count, threads(up(all, blocks), BDSQR[t]), 0, at, channel);
    }

    /** A launch a problem: as many blocks as can run at once and have room. */
    private void panels(int t, Launch l, long at, C channel) {
        long blocks = Math.min(multiprocessors, LabrdWork.blocks(l.m, l.n, l.k, l.workBytes / l.type.bytes()));
        if (blocks < 1 || l.k > LabrdWork.COLUMNS) {
            throw new IllegalArgumentException("a panel of " + l.k + " columns of a " + l.m + " x " + l.n
                    + " matrix has " + l.workBytes + " bytes of workspace; it has up to " + LabrdWork.COLUMNS
                    + " columns and wants " + LabrdWork.elements(l.m, l.n, l.k) * l.type.bytes() + " bytes");
        }
        boolean few = l.m <= 8L * COLUMNS_8[t].threads();
        int rows = few ? 8 : 16;
        KernelFunction travelling = few ? COLUMNS_8[t] : COLUMNS_16[t];
        int stages = stages(travelling, rows, l, blocks);
        KernelFunction f = stages > 0 ? travelling : PANEL[t];
        long shared = stages > 0
                ? Layouts.labrdColumns(l.type, rows, l.n, blocks, stages)
                : Layouts.labrd(l.type, l.m, sharedMost);
        // Of columns that are read from memory: whether a vector lies in shared memory.
        int how = stages > 0 ? stages : shared > Layouts.labrd(l.type, 0, sharedMost) ? 1 : 0;
        for (int p = 0; l.k > 0 && p < l.count; p++) {
            Arguments.parameters(at, how, p, 0);
            launch(f, blocks, 1, 1, f.threads(), (int) shared, at, channel);
        }
    }

    /** Stages that columns have room to travel through; 0 where that is less than two, or threads have not so many rows. */
    private int stages(KernelFunction f, int rows, Launch l, long blocks) {
        if (f == null || l.m > (long) rows * f.threads()) {
            return 0;
        }
        int stages = STAGES;
        while (stages >= LEAST_STAGES
                && Layouts.labrdColumns(l.type, rows, l.n, blocks, stages) > Math.min(f.shared(), sharedMost)) {
            stages--;
        }
        return stages >= LEAST_STAGES ? stages : 0;
    }

    private static int threads(long elements, KernelFunction f) {
        return Math.max(WARP, powerOfTwo(elements, f.threads()));
    }
}
