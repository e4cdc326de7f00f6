package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.util.Set;

/** Triangles in their real form. */
final class RealFormRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] TO_REAL = KernelFunction.floating("to_real");
    private static final KernelFunction[] FROM_REAL = KernelFunction.floating("from_real");

    RealFormRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.TO_REAL, Kernel.FROM_REAL);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n > 0) {
            byColumns((l.kernel == Kernel.TO_REAL ? TO_REAL : FROM_REAL)[t], l.n, l, 0, 0, at, channel);
        }
    }
}
