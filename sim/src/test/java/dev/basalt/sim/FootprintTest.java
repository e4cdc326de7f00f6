package dev.basalt.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FootprintTest {
    @Test
    void overlapsExactlyWhenASharedByteExists() {
        SplittableRandom random = new SplittableRandom(11);
        int overlaps = 0;
        for (int i = 0; i < 100_000; i++) {
            int[] a = shape(random);
            int[] b = shape(random);
            Footprint left = footprint(a);
            Footprint right = footprint(b);
            boolean expected = bytes(a).intersects(bytes(b));
            assertThat(left.overlaps(right)).as("%s and %s", left, right).isEqualTo(expected);
            assertThat(right.overlaps(left)).as("%s and %s", right, left).isEqualTo(expected);
            overlaps += expected ? 1 : 0;
        }
        assertThat(overlaps).isBetween(10_000, 90_000);
    }

    @Test
    void equalSetsOfBytesMostlyHaveEqualFootprints() {
        assertThat(Footprint.of(64, 8, 8, 4, 32, 3)).isEqualTo(Footprint.range(64, 96));
        assertThat(Footprint.of(64, 8, 16, 4, 64, 3)).isEqualTo(Footprint.of(64, 8, 16, 12, 0, 1));
        assertThat(Footprint.of(64, 8, 100, 1, 16, 3)).isEqualTo(Footprint.of(64, 8, 16, 3, 0, 1));
        assertThat(Footprint.of(96, 8, 8, 1, -16, 3)).isEqualTo(Footprint.of(64, 8, 16, 3, 0, 1));
        assertThat(Footprint.of(64, 8, 8, 0, 0, 1).isEmpty()).isTrue();
    }

    @Test
    void endAndBytesAreThoseOfTheSet() {
        SplittableRandom random = new SplittableRandom(12);
        for (int i = 0; i < 10_000; i++) {
            int[] shape = shape(random);
            BitSet bytes = bytes(shape);
            Footprint footprint = footprint(shape);
            assertThat(footprint.isEmpty()).isEqualTo(bytes.isEmpty());
            if (!bytes.isEmpty()) {
                assertThat(footprint.base()).isEqualTo(bytes.nextSetBit(0));
                assertThat(footprint.end()).isEqualTo(bytes.length());
            }
        }
    }

    /** Base, width, pitch, columns, stride, problems. */
    private static int[] shape(SplittableRandom random) {
        return new int[] {
                300 + random.nextInt(200),
                random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(8),
                random.nextInt(20),
                random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(5),
                random.nextInt(100) - 50,
                1 + random.nextInt(4)};
    }

    private static Footprint footprint(int[] s) {
        return Footprint.of(s[0], s[1], s[2], s[3], s[4], s[5]);
    }

    private static BitSet bytes(int[] s) {
        BitSet bytes = new BitSet();
        for (int p = 0; p < s[5]; p++) {
            for (int c = 0; c < s[3]; c++) {
                int from = s[0] + p * s[4] + c * s[2];
                bytes.set(from, from + s[1]);
            }
        }
        return bytes;
    }
}
