package dev.basalt.host.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** Threads leave a processor and may come back to it. */
class ProcessorTest {
    @Test
    void aThreadLeavesItsProcessorAndMayComeBack() {
        assumeTrue(Processor.current() >= 0, "the system does not tell where a thread runs");
        // A share of a machine's time may be one processor's, although the thread may run on any.
        boolean several = Processor.leave(Processor.current());
        assertThat(several || Runtime.getRuntime().availableProcessors() == 1).isTrue();
        for (int i = 0; i < 100; i++) {
            int before = Processor.current();
            boolean left = Processor.leave(before);
            assertThat(left).isEqualTo(several);
        }
        // Were the processors left one after the other not allowed again, the last one could not be left.
        assertThat(Processor.leave(Processor.current())).isEqualTo(several);
    }

    @Test
    void numbersThatAreNoneAreRefused() {
        assertThat(Processor.leave(-1)).isFalse();
        assertThat(Processor.leave(1 << 20)).isFalse();
    }
}
