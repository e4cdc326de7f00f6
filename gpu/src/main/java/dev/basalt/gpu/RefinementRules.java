package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.util.Set;

/** What refines a solution: conversions between precisions, norms, decisions. */
final class RefinementRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] CONVERT = KernelFunction.floating("convert");
    private static final KernelFunction[] ROW_SUMS = KernelFunction.floating("row_sums");
    private static final KernelFunction[] SYMMETRIC_SUMS = KernelFunction.floating("symmetric_sums");
    private static final KernelFunction[] CONVERGED = KernelFunction.floating("converged");
    private static final KernelFunction FALL_BACK = KernelFunction.one("fall_back", 'd');
    private static final KernelFunction[] FGMRES = KernelFunction.floating("fgmres");

    RefinementRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.CONVERT, Kernel.CONVERT_TRIANGLE, Kernel.ROW_SUMS, Kernel.SYMMETRIC_SUMS, Kernel.CONVERGED,
                Kernel.FALL_BACK, Kernel.FGMRES);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        switch (l.kernel) {
            case CONVERT, CONVERT_TRIANGLE -> convert(CONVERT[t], l, at, channel);
            case ROW_SUMS -> sums(ROW_SUMS[t], l.m, l, at, channel);
            case SYMMETRIC_SUMS -> sums(SYMMETRIC_SUMS[t], l.n, l, at, channel);
            case FGMRES -> {
                int threads = Math.max(WARP, powerOfTwo(up(l.n, 2), FGMRES[t].threads()));
                launch(FGMRES[t], 1, 1, l.count, threads, 0, at, channel);
            }
            case CONVERGED -> launch(CONVERGED[t], 1, 1, l.count, at, channel);
            default -> launch(FALL_BACK, up(l.count, FALL_BACK.threads()), 1, 1, at, channel);
        }
    }

    private void convert(KernelFunction f, Launch l, long at, C channel) {
        boolean triangle = l.kernel == Kernel.CONVERT_TRIANGLE;
        long m = triangle ? l.n : l.m;
        if (m <= 0 || l.n <= 0) {
            return;
        }
        int scales = (l.b.present() ? 1 : 0) + (l.d.present() ? 2 : 0);
        byColumns(f, m, l, triangle ? 1 : 0, scales, at, channel);
    }

    /** A block for 32 rows. */
    private void sums(KernelFunction f, long rows, Launch l, long at, C channel) {
        if (rows > 0) {
            Arguments.parameters(at, l.kernel == Kernel.ROW_SUMS && l.b.present() ? 1 : 0, 0, 0);
            launch(f, up(rows, WARP), 1, l.count, at, channel);
        }
    }
}
