package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** Threads leave a processor and may come back to it. */
class CoreTest {
    @Test
    void aThreadLeavesItsProcessorAndMayComeBack() {
        assumeTrue(Core.current() >= 0, "the system does not tell where a thread runs");
        // A share of a machine's time may be one processor's, although the thread may run on any.
        boolean several = Core.leave(Core.current());
        assertThat(several || Runtime.getRuntime().availableProcessors() == 1).isTrue();
        for (int i = 0; i < 100; i++) {
            int before = Core.current();
            boolean left = Core.leave(before);
            assertThat(left).isEqualTo(several);
        }
        // Were the processors left one after the other not allowed again, the last one could not be left.
        assertThat(Core.leave(Core.current())).isEqualTo(several);
    }

    @Test
    void numbersThatAreNoneAreRefused() {
        assertThat(Core.leave(-1)).isFalse();
        assertThat(Core.leave(1 << 20)).isFalse();
    }
}
