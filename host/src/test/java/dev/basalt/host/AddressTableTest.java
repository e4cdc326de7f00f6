package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AddressTableTest {
    @Test
    void agreesWithAMapOverRandomOperations() {
        long seed = 20260721;
        Random random = new Random(seed);
        AddressTable table = new AddressTable();
        Map<Long, Long> map = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            long address = 64L * (1 + random.nextInt(500)) + (random.nextBoolean() ? 1L << 40 : 0);
            if (random.nextInt(3) == 0) {
                Long removed = map.remove(address);
                assertThat(table.remove(address)).as("seed %d", seed).isEqualTo(removed == null ? 0 : removed);
            } else {
                map.put(address, (long) step + 1);
                table.put(address, step + 1, -step);
            }
            assertThat(table.size()).isEqualTo(map.size());
        }
        map.forEach((address, value) -> {
            assertThat(table.bytes(address)).isEqualTo(value);
            assertThat(table.extra(address)).isEqualTo(1 - value);
        });
    }

    @Test
    void knowsNoAddressZero() {
        AddressTable table = new AddressTable();
        assertThat(table.contains(0)).isFalse();
        assertThat(table.remove(0)).isZero();
        assertThat(table.bytes(64)).isZero();
    }
}
