package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockPoolTest {
    @Test
    void aBlockIsLargeEnoughAndWastesAtMostAnEighth() {
        Random random = new Random(5);
        for (int i = 0; i < 100_000; i++) {
            long bytes = 1 + (random.nextLong() >>> (4 + random.nextInt(59)));
            long block = BlockPool.blockBytes(bytes);
            assertThat(block).as("%d bytes", bytes).isBetween(bytes, bytes + bytes / 8 + 64);
            assertThat(block % 64).isZero();
            assertThat(BlockPool.blockBytes(block)).isEqualTo(block);
        }
        assertThat(BlockPool.blockBytes(1)).isEqualTo(64);
        assertThat(BlockPool.blockBytes(1L << 60)).isEqualTo(1L << 60);
    }

    @Test
    void givesTheLastOneFirstAndTheLargestWhenTrimmed() {
        BlockPool pool = new BlockPool();
        for (long i = 1; i <= 100; i++) {
            pool.put(i, 128);
        }
        pool.put(1000, 4096);
        assertThat(pool.idleBytes()).isEqualTo(100 * 128 + 4096);
        assertThat(pool.take(100)).isEqualTo(100);
        assertThat(pool.takeLargest()).isEqualTo(1000);
        assertThat(pool.take(4096)).isZero();
        for (long i = 99; i >= 1; i--) {
            assertThat(pool.takeLargest()).isEqualTo(i);
        }
        assertThat(pool.takeLargest()).isZero();
        assertThat(pool.idleBytes()).isZero();
    }
}
