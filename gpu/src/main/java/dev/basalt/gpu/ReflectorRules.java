package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Side;
import java.util.Set;

/** Householder reflectors: panels, and what is done with them one by one. */
final class ReflectorRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] GEQR2 = KernelFunction.floating("geqr2");
    private static final KernelFunction[] ORM2R = KernelFunction.floating("orm2r");
    private static final KernelFunction[] ORG2R = KernelFunction.floating("org2r");
    private static final KernelFunction[] LARFT = KernelFunction.floating("larft");

    private static final KernelFunction[] ZERO_DIAGONAL = KernelFunction.floating("zero_diagonal");

    ReflectorRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GEQR2, Kernel.ORM2R, Kernel.ORG2R, Kernel.LARFT, Kernel.ZERO_DIAGONAL);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        if (l.kernel == Kernel.ZERO_DIAGONAL) {
            launch(ZERO_DIAGONAL[t], 1, 1, l.count, at, channel);
            return;
        }
        if (l.m <= 0) {
            return;
        }
        switch (l.kernel) {
            case GEQR2 -> block(GEQR2[t], l.m, l, at, channel);
            case ORG2R -> block(ORG2R[t], l.m, l, at, channel);
            case LARFT -> block(LARFT[t], l.m, l, at, channel);
            case ORM2R -> lines(ORM2R[t], l, at, channel);
            default -> throw new IllegalArgumentException("reflectors do not run " + l.kernel);
        }
    }

    /** One block a problem: a thread for two rows, as far as that goes. */
    private void block(KernelFunction f, long rows, Launch l, long at, C channel) {
        int threads = Math.max(WARP, powerOfTwo(up(rows, 2), f.threads()));
        launch(f, 1, 1, l.count, threads, 0, at, channel);
    }

    /** A warp for each column of C, or row. */
    private void lines(KernelFunction f, Launch l, long at, C channel) {
        if (l.k <= 0) {
            return;
        }
        long lines = l.side == Side.LEFT ? l.n : l.m;
        int warps = f.threads() / WARP;
        long blocks = up(lines, warps);
        launch(f, Math.min(blocks, 4L * multiprocessors), 1, l.count, at, channel);
    }
}
