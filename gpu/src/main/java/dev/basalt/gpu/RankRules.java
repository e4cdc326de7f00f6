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
    private static final KernelFunction[] SYR_SMALL = KernelFunction.floating("syr_small");
    private static final KernelFunction[] SYR2_SMALL = KernelFunction.floating("syr2_small");

    /** Blocks of large squares that a multiprocessor holds at once. */
    private static final int RESIDENT = 2;

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
        if (l.kernel != Kernel.SYR && l.kernel != Kernel.SYR2) {
            throw new IllegalArgumentException("updates of a triangle do not run " + l.kernel);
        }
        boolean one = l.kernel == Kernel.SYR;
        KernelFunction f = (one ? SYR : SYR2)[t];
        if (squares(f, l) * l.count <= RESIDENT * multiprocessors) {
            f = (one ? SYR_SMALL : SYR2_SMALL)[t];
        }
        launch(f, squares(f, l), 1, l.count, at, channel);
    }

    /** Squares of the triangle, one a block. */
    private static long squares(KernelFunction f, Launch l) {
        long squares = up(l.n, f.threads() / BESIDE);
        return squares * (squares + 1) / 2;
    }
}
