package dev.basalt.sim;

import java.util.ArrayList;
import java.util.List;

/** Memory for stream-ordered allocation. It keeps what is freed, as a pool with the largest release threshold does. */
final class Pool {
    final long number;
    /** Every block it holds, allocated or not. */
    final List<Block> blocks = new ArrayList<>();

    Pool(long number) {
        this.number = number;
    }

    /** Bytes it holds, allocated or not. */
    long held() {
        return blocks.stream().mapToLong(block -> block.capacity).sum();
    }
}
