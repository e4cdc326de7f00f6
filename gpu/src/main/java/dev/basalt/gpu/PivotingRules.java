package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Side;
import java.util.Set;

/** QR with column pivoting, ranks, and reflectors whose ones lie apart: a block a problem, but where lines and elements are independent. */
final class PivotingRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] TPQRT2 = KernelFunction.floating("tpqrt2");
    private static final KernelFunction[] TPMQR2 = KernelFunction.floating("tpmqr2");
    private static final KernelFunction[] LARFG = KernelFunction.floating("larfg");
    private static final KernelFunction[] CONJUGATE = KernelFunction.floating("conjugate");
    private static final KernelFunction[] START = KernelFunction.floating("geqp3_start");
    private static final KernelFunction[] COLUMN = KernelFunction.floating("laqps_column");
    private static final KernelFunction[] ROW = KernelFunction.floating("laqps_row");
    private static final KernelFunction[] SMALL = KernelFunction.floating("geqp3");
    private static final KernelFunction[] RANK = KernelFunction.floating("rank");
    private static final KernelFunction[] GAUSSIAN = KernelFunction.floating("gaussian");
    private static final KernelFunction[] CHOOSE = KernelFunction.floating("choose_columns");
    private static final KernelFunction[] PERMUTE = KernelFunction.floating("permute_rows");

    PivotingRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.CONJUGATE, Kernel.LARFG, Kernel.TPQRT2, Kernel.TPMQR2, Kernel.GEQP3_START,
                Kernel.LAQPS_COLUMN, Kernel.LAQPS_ROW, Kernel.GEQP3, Kernel.RANK, Kernel.PERMUTE_ROWS, Kernel.GAUSSIAN,
                Kernel.CHOOSE_COLUMNS);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case TPQRT2 -> {
                Arguments.parameters(at, l.conjugated ? 1 : 0, l.backward ? 1 : 0, 0);
                block(TPQRT2[t], Math.max(l.m, 32 * Math.min(l.n, 8)), l, at, channel);
            }
            case TPMQR2 -> lines(l.side == Side.LEFT ? l.n : l.m, TPMQR2[t], l, at, channel);
            case LARFG -> block(LARFG[t], l.n, l, at, channel);
            case GEQP3_START -> block(START[t], Math.max(l.m, 32 * Math.min(l.n, 16)), l, at, channel);
            case LAQPS_COLUMN -> block(COLUMN[t], Math.max(l.m, l.n), l, at, channel);
            case LAQPS_ROW -> block(ROW[t], Math.max(l.m, l.n), l, at, channel);
            case GEQP3 -> small(SMALL[t], l, at, channel);
            case GAUSSIAN -> elements(GAUSSIAN[t], l, at, channel);
            case CHOOSE_COLUMNS -> block(CHOOSE[t], Math.max(l.m, 32 * Math.min(l.n, 16)), l, at, channel);
            case RANK -> launch(RANK[t], 1, 1, l.count, at, channel);
            default -> elements(l.kernel == Kernel.CONJUGATE ? CONJUGATE[t] : PERMUTE[t], l, at, channel);
        }
    }

    /** A thread a column, the matrix in shared memory where it fits. */
    private void small(KernelFunction f, Launch l, long at, C channel) {
        long bytes = Layouts.pivoted(l.type, l.m, l.n);
        boolean fits = bytes <= Math.min(f.shared(), sharedMost);
        Arguments.parameters(at, fits ? 1 : 0, 0, 0);
        int threads = Math.max(WARP, powerOfTwo(l.n, f.threads()));
        launch(f, 1, 1, l.count, threads, (int) (fits ? bytes : Layouts.pivoted(l.type, 0, l.n)), at, channel);
    }

    /** One block a problem, a thread an element as far as that goes. */
    private void block(KernelFunction f, long elements, Launch l, long at, C channel) {
        int threads = Math.max(WARP, powerOfTwo(elements, f.threads()));
        launch(f, 1, 1, l.count, threads, 0, at, channel);
    }

    /** A warp a line. */
    private void lines(long lines, KernelFunction f, Launch l, long at, C channel) {
        if (lines > 0) {
            launch(f, Math.min(up(lines, f.threads() / WARP), 4L * multiprocessors), 1, l.count, at, channel);
        }
    }

    /** A thread an element of an m×n matrix, as far as blocks fit. */
    private void elements(KernelFunction f, Launch l, long at, C channel) {
        if (l.m > 0) {
            double blocks = Math.min((double) l.m * l.n / f.threads() + 1, 4.0 * multiprocessors);
            launch(f, (long) blocks, 1, l.count, at, channel);
        }
    }
}
