package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import java.util.Set;

/** LDLᵀ of symmetric and Hermitian matrices: panels, and what is done with the factors. */
final class IndefiniteRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] SYTF2 = KernelFunction.floating("sytf2");
    private static final KernelFunction[] LASYF = KernelFunction.floating("lasyf");
    private static final KernelFunction[] LASYF_16 = KernelFunction.floating("lasyf_16");
    private static final KernelFunction[] AASEN = KernelFunction.floating("aasen");
    private static final KernelFunction[] SYTRS = KernelFunction.floating("sytrs");
    private static final KernelFunction[] D22SOLVE = KernelFunction.floating("d22solve");
    private static final KernelFunction[] SYCONV = KernelFunction.floating("syconv");
    private static final KernelFunction[] SYTRI = KernelFunction.floating("sytri");

    /** Rows of a panel that a cluster shares, at least. */
    private static final int SHARED_ROWS = 1024;

    /** Blocks of a cluster. */
    private static final int CLUSTER = 16;

    IndefiniteRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.SYTF2, Kernel.LASYF, Kernel.AASEN, Kernel.SYTRS, Kernel.D22SOLVE, Kernel.SYCONV,
                Kernel.SYTRI);
    }

    /** Factors and what is solved with them may be packed; panels are of dense matrices. */
    @Override
    public boolean takes(Launch l) {
        boolean panel = l.kernel == Kernel.LASYF || l.kernel == Kernel.AASEN || l.kernel == Kernel.SYCONV
                || l.kernel == Kernel.D22SOLVE;
        return panel ? Family.super.takes(l) : l.c.storage != Storage.BAND;
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        Arguments.parameters(at, l.pivoting.ordinal(), 0, 0);
        switch (l.kernel) {
            case SYTF2 -> block(SYTF2[t], l, at, channel);
            case LASYF -> panel(t, l, at, channel);
            case AASEN -> block(AASEN[t], l, at, channel);
            case SYTRI -> block(SYTRI[t], l, at, channel);
            case SYCONV -> lines(SYCONV[t], WARP, l, at, channel);
            case SYTRS -> lines(SYTRS[t], WARP, l, at, channel);
            case D22SOLVE -> lines(D22SOLVE[t], 1, l, at, channel);
            default -> throw new IllegalArgumentException("this family does not run " + l.kernel);
        }
    }

    /** One block a problem: a thread a row, as far as that goes. */
    private void block(KernelFunction f, Launch l, long at, C channel) {
        int threads = Math.max(WARP, powerOfTwo(l.n, f.threads()));
        launch(f, 1, 1, l.count, threads, f.shared(), at, channel);
    }

    /** A panel: one block a problem, or a cluster where many rows are left. */
    private void panel(int t, Launch l, long at, C channel) {
        if (clusters < CLUSTER || l.n - l.p < SHARED_ROWS) {
            block(LASYF[t], l, at, channel);
            return;
        }
        // A thread a row: on an H200 more of them only wait for each other, and half as many take half as long again.
        KernelFunction f = LASYF_16[t];
        int threads = Math.max(2 * WARP, powerOfTwo(up(l.n - l.p, CLUSTER), f.threads()));
        launch(f, CLUSTER, 1, l.count, threads, f.shared(), at, channel);
    }

    /** So many threads for each of n columns. */
    private void lines(KernelFunction f, int each, Launch l, long at, C channel) {
        long blocks = up(l.n, f.threads() / each);
        launch(f, Math.min(blocks, 4L * multiprocessors), 1, l.count, at, channel);
    }
}
