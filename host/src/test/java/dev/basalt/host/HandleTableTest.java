package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.DriverException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HandleTableTest {
    @Test
    void theFirstNumberOfKindZeroIsZero() {
        assertThat(new HandleTable("stream", 0).create()).isZero();
    }

    @Test
    void aDestroyedNumberIsNotTakenForTheOneThatReusesItsSlot() {
        HandleTable table = new HandleTable("event", 1);
        long first = table.create();
        table.destroy(first);
        long second = table.create();
        assertThat(HandleTable.slot(second)).isEqualTo(HandleTable.slot(first));
        assertThat(table.isAlive(first)).isFalse();
        assertThat(table.isAlive(second)).isTrue();
        assertThatThrownBy(() -> table.destroy(first))
                .isInstanceOfSatisfying(DriverException.class,
                        e -> assertThat(e.code()).isEqualTo(DriverException.Code.INVALID_HANDLE))
                .hasMessageContaining("event");
    }

    @Test
    void manyAreAliveAtOnceAndAllDifferent() {
        HandleTable table = new HandleTable("pool", 3);
        HandleTable other = new HandleTable("stream", 0);
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            long id = table.create();
            assertThat(all.add(id)).isTrue();
            assertThat(table.isAlive(id)).isTrue();
            other.create();
            assertThat(other.isAlive(id)).as("a number of another kind").isFalse();
        }
        table.destroyAll();
        assertThat(all).noneMatch(table::isAlive);
        long any = all.iterator().next();
        assertThatExceptionOfType(DriverException.class).isThrownBy(() -> table.check(any))
                .withMessage("the device is closed");
    }

    @Test
    void junkIsNeverAlive() {
        HandleTable table = new HandleTable("stream", 0);
        table.create();
        for (long junk : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1, 16, 1L << 24, 1L << 26, 12345678901L}) {
            assertThat(table.isAlive(junk)).as("%x", junk).isFalse();
        }
    }
}
