package dev.basalt.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When warming up ends. */
class WarmthTest {
    @Test
    void endsWhenNothingGetsFaster() {
        Warmth warmth = new Warmth(100, 0);
        assertThat(warmth.rises(50, 10)).isTrue();
        assertThat(warmth.rises(40, 100)).as("the first spell has nothing to compare with").isTrue();
        assertThat(warmth.rises(39, 150)).isTrue();
        assertThat(warmth.rises(45, 200)).as("39 is hardly faster than 40").isFalse();
    }

    @Test
    void goesOnWhileCallsGetFaster() {
        Warmth warmth = new Warmth(100, 0);
        double nanos = 1000;
        int spells = 0;
        for (long now = 100; warmth.rises(nanos, now); now += 100) {
            spells++;
            nanos /= 2;
        }
        assertThat(spells).isEqualTo(7);
    }

    @Test
    void aSlowSampleDoesNotProlongIt() {
        Warmth warmth = new Warmth(100, 0);
        assertThat(warmth.rises(50, 100)).isTrue();
        assertThat(warmth.rises(500, 200)).isFalse();
    }
}
