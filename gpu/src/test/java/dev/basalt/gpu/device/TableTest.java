package dev.basalt.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.DriverException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void theFirstNumberIsZeroAndNumbersAreNeverReused() {
        Table<String> table = new Table<>("stream", 0);
        assertThat(table.add("first")).isZero();
        List<Long> dead = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            long number = table.add("s" + i);
            assertThat(table.get(number)).isEqualTo("s" + i);
            assertThat(dead).doesNotContain(number);
            assertThat(table.remove(number)).isEqualTo("s" + i);
            dead.add(number);
            refused(table, number);
        }
        assertThat(table.get(0)).isEqualTo("first");
    }

    @Test
    void numbersOfAnotherKindAreRefused() {
        Table<Long> events = new Table<>("event", 1);
        Table<Long> pools = new Table<>("pool", 2);
        long event = events.add(1L);
        long pool = pools.add(1L);
        refused(events, pool);
        refused(pools, event);
        refused(events, 0);
        refused(events, -1);
        refused(events, Long.MAX_VALUE);
    }

    @Test
    void manyAreAliveAndAllAreRemoved() {
        Table<Integer> table = new Table<>("graph", 3);
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            numbers.add(table.add(i));
        }
        for (int i = 0; i < 500; i++) {
            assertThat(table.get(numbers.get(i))).isEqualTo(i);
        }
        assertThat(table.all()).hasSize(500);
        assertThat(table.removeAll()).hasSize(500);
        assertThat(table.all()).isEmpty();
        numbers.forEach(number -> refused(table, number));
    }

    private static void refused(Table<?> table, long number) {
        assertThatThrownBy(() -> table.get(number))
                .isInstanceOfSatisfying(DriverException.class,
                        e -> assertThat(e.code()).isEqualTo(DriverException.Code.INVALID_HANDLE))
                .hasMessageContaining("0x" + Long.toHexString(number));
    }
}
