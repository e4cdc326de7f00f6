package dev.basalt.gpu;

import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.MixedWork;

/**
 * What launches of mixed types want on a GPU: room for the shares of sums, without which a block forms a sum alone, and what an engine
 * wants for products. Elements are converted in registers.
 *
 * @param engine who forms products that are large enough, or null
 */
record MixedNeed(GemmEngine engine) implements MixedWork {
    private static final int SHARE = 8;

    @Override
    public long bytes(Launch l) {
        return switch (l.kernel) {
            case DOT, NRM2 -> least(l);
            case GEMM -> engine != null && engine.takes(l) ? engine.bytes() : 0;
            default -> 0;
        };
    }

    @Override
    public long least(Launch l) {
        int shares = l.kernel == Kernel.DOT || l.kernel == Kernel.NRM2 ? ReductionRules.shares(l.n) : 1;
        return shares == 1 ? 0 : l.count * shares * SHARE;
    }

    @Override
    public MixedWork with(GemmEngine vendor) {
        return new MixedNeed(vendor);
    }
}
