package dev.basalt.portable;

import dev.basalt.spi.Launch;
import dev.basalt.spi.MixedWork;
import dev.basalt.type.ElementType;

/**
 * The workspace of {@link Mixed}: a block of scratch for each thread that takes part.
 *
 * @param threads how many may take part
 */
public record MixedBlocks(int threads) implements MixedWork {
    @Override
    public long bytes(Launch l) {
        return least(l) * Math.clamp(l.count, 1, threads);
    }

    @Override
    public long least(Launch l) {
        return l.type == ElementType.I32 ? 0 : Mixed.WORK;
    }
}
