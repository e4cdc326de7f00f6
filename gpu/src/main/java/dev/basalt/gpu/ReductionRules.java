package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.util.Set;

/** Sums and searches over vectors. */
final class ReductionRules<C> extends Rules<C> implements Family<C> {
    /** Elements that are worth a block of their own. */
    static final int BLOCK = 4096;

    /** Most shares of a sum: {@code SHARES} of reduce.cu. */
    private static final int SHARES = 264;

    private static final KernelFunction[] DOT = KernelFunction.floating("dot");
    private static final KernelFunction[] ASUM = KernelFunction.floating("asum");
    private static final KernelFunction[] NRM2 = KernelFunction.floating("nrm2");
    private static final KernelFunction[] IAMAX = KernelFunction.floating("iamax");
    private static final KernelFunction[] IAMIN = KernelFunction.floating("iamin");

    /** The same by a cluster, which does sums of as many shares. */
    private static final KernelFunction[] DOT_NEAR = KernelFunction.floating("dot_near");

    private static final KernelFunction[] ASUM_NEAR = KernelFunction.floating("asum_near");
    private static final KernelFunction[] NRM2_NEAR = KernelFunction.floating("nrm2_near");
    private static final KernelFunction[] IAMAX_NEAR = KernelFunction.floating("iamax_near");
    private static final KernelFunction[] IAMIN_NEAR = KernelFunction.floating("iamin_near");

    ReductionRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.DOT, Kernel.ASUM, Kernel.NRM2, Kernel.IAMAX, Kernel.IAMIN);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        switch (l.kernel) {
            case DOT -> reduction(DOT[t], DOT_NEAR[t], l, at, channel);
            case ASUM -> reduction(ASUM[t], ASUM_NEAR[t], l, at, channel);
            case NRM2 -> reduction(NRM2[t], NRM2_NEAR[t], l, at, channel);
            case IAMAX -> index(IAMAX[t], IAMAX_NEAR[t], l, at, channel);
            case IAMIN -> index(IAMIN[t], IAMIN_NEAR[t], l, at, channel);
            default -> throw new IllegalArgumentException("reductions do not run " + l.kernel);
        }
    }

    /** How many shares a sum is cut into: by its length alone, since it decides about the bits. */
    static int shares(long n) {
        return (int) Math.min(up(n, BLOCK), SHARES);
    }

    /** Whether a cluster has a block for each share of a problem, and a device room for all. */
    private boolean near(KernelFunction f, Launch l, long shares) {
        int cluster = f.cluster();
        return clusters >= cluster && l.extent == 0 && shares > 1 && shares <= cluster
                && l.count * cluster <= multiprocessors;
    }

    private void reduction(KernelFunction f, KernelFunction near, Launch l, long at, C channel) {
        int shares = shares(l.n);
        boolean complex = l.kernel == Kernel.DOT && l.type.isComplex();
        boolean together =
                l.workBytes >= l.count * shares * (complex ? 16 : 8) && l.count <= Math.min(COUNTERS, multiprocessors);
        Arguments.parameters(at, shares, 0, 0);
        if (near(near, l, shares)) {
            launch(near, near.cluster(), 1, l.count, near.threads(), near.shared(), at, channel);
            return;
        }
        // One problem wants to be done soon, many want many loads a thread.
        int each = l.count < multiprocessors ? 2 : 8;
        int threads = shares > 1 ? 512 : Math.max(WARP, powerOfTwo(up(l.n, each), 512));
        launch(f, together ? shares : 1, 1, l.count, threads, 0, at, channel);
    }

    private void index(KernelFunction f, KernelFunction near, Launch l, long at, C channel) {
        long blocks = Math.min(up(l.n, BLOCK), 2L * multiprocessors);
        if (near(near, l, blocks)) {
            launch(near, near.cluster(), 1, l.count, near.threads(), near.shared(), at, channel);
            return;
        }
        if (l.count > COUNTERS || l.count * blocks > SCRATCH) {
            blocks = 1;
        }
        int threads = blocks > 1 ? 512 : Math.max(WARP, powerOfTwo(up(l.n, 4), 512));
        launch(f, blocks, 1, l.count, threads, 0, at, channel);
    }
}
