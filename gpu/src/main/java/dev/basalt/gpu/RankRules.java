package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import java.util.Set;

/** Updates of a triangle by one or two vectors. */
final class RankRules<C> extends Rules<C> implements Family<C> {
    /** Columns that a block's threads have at once of its square. */
    private static final int BESIDE = 8;

    private static final KernelFunction[] SYR = KernelFunction.floating("syr");
    private static final KernelFunction[] SYR2 = KernelFunction.floating("syr2");

    RankRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.SYR, Kernel.SYR2);
    }

    /** The triangle may be packed. */
    @Override
    public boolean takes(Launch l) {
        return l.c.storage != Storage.BAND;
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        KernelFunction f = switch (l.kernel) {
            case SYR -> SYR[t];
            case SYR2 -> SYR2[t];
            default -> throw new IllegalArgumentException("updates of a triangle do not run " + l.kernel);
        };
        long squares = up(l.n, f.threads() / BESIDE);
        launch(f, squares * (squares + 1) / 2, 1, l.count, at, channel);
    }
}
