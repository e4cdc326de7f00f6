package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.util.Set;

/** Rotations that are made, a thread for each problem. */
final class RotgRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] ROTG = KernelFunction.floating("rotg");
    private static final KernelFunction[] ROTMG = KernelFunction.floating("rotmg");

    RotgRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.ROTG, Kernel.ROTMG);
    }

    /** Rotations of a modified kind are of real numbers. */
    @Override
    public boolean takes(Launch l) {
        return Family.super.takes(l) && !(l.kernel == Kernel.ROTMG && l.type.isComplex());
    }

    /** Runs a launch of this family, all problems; modified ones of real types. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        KernelFunction f = (l.kernel == Kernel.ROTG ? ROTG : ROTMG)[t];
        int threads = Math.max(WARP, powerOfTwo(l.count, f.threads()));
        functions.launch(f, (int) up(l.count, threads), 1, 1, threads, 0, at, channel);
    }
}
