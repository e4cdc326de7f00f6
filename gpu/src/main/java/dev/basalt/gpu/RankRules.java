package dev.basalt.gpu;

import dev.basalt.spi.Launch;

/** Updates of a triangle by one or two vectors. */
final class RankRules<C> extends Rules<C> {
    /** Order of a block's square. */
    private static final int SQUARE = 64;

    private static final KernelFunction[] SYR = KernelFunction.floating("syr");
    private static final KernelFunction[] SYR2 = KernelFunction.floating("syr2");

    RankRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** Runs a launch of this family, all problems. */
    void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        long squares = up(l.n, SQUARE);
        KernelFunction f = switch (l.kernel) {
            case SYR -> SYR[t];
            case SYR2 -> SYR2[t];
            default -> throw new IllegalArgumentException("updates of a triangle do not run " + l.kernel);
        };
        launch(f, squares * (squares + 1) / 2, 1, l.count, at, channel);
    }
}
