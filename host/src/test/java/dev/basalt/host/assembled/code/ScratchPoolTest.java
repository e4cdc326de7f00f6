package dev.basalt.host.assembled.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A thread finds again what it gave back, also what a call within a call used. */
class ScratchPoolTest {
    @Test
    void callsWithinCallsFindTheirMemoryAgain() {
        ScratchPool pool = new ScratchPool(64);
        MemorySegment outer = pool.take();
        MemorySegment inner = pool.take();
        assertThat(outer.address()).isNotEqualTo(inner.address());
        pool.give(inner);
        pool.give(outer);
        for (int i = 0; i < 3; i++) {
            MemorySegment one = pool.take();
            MemorySegment other = pool.take();
            assertThat(new long[] {one.address(), other.address()}).containsExactlyInAnyOrder(outer.address(),
                    inner.address());
            pool.give(other);
            pool.give(one);
        }
    }
}
