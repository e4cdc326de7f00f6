package dev.basalt.internal.routine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lease;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Sanitizer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In guard mode the vendor's sanitizer is told of exactly the slots, for exactly as long as they are lent. */
class SanitizerTest {
    private record Part(long watched, long address, long bytes) {}

    /** Notes what it is told. */
    private static final class Recorded implements Sanitizer {
        final List<Part> blocks = new ArrayList<>();
        final List<Part> parts = new ArrayList<>();
        final List<Long> ended = new ArrayList<>();

        @Override
        public long watch(long address, long bytes) {
            blocks.add(new Part(blocks.size() + 1, address, bytes));
            return blocks.size();
        }

        @Override
        public void allow(long watched, long address, long bytes) {
            parts.add(new Part(watched, address, bytes));
        }

        @Override
        public void forbid(long address) {
            assertThat(parts.removeIf(part -> part.address == address)).isTrue();
        }

        @Override
        public void unwatch(long watched) {
            parts.removeIf(part -> part.watched == watched);
            ended.add(watched);
        }
    }

    private final FakeDriver driver = new FakeDriver();
    private final Recorded recorded = new Recorded();

    @Test
    void slotsAreAllowedAndNothingAroundThem() {
        driver.sanitizer = recorded;
        try (Device device = Device.of(driver); Handle handle = device.handleBuilder().guard(true).create()) {
            Lease lease = handle.deviceMalloc(100, 0, 64);
            assertThat(recorded.blocks).hasSize(1);
            Part block = recorded.blocks.get(0);
            // An empty slot has no memory, so nothing to allow.
            assertThat(recorded.parts).containsExactly(new Part(1, lease.slot(0).address(), 128),
                    new Part(1, lease.slot(2).address(), 64));
            for (Part part : recorded.parts) {
                assertThat(part.address).isGreaterThan(block.address);
                assertThat(part.address + part.bytes).isLessThan(block.address + block.bytes);
            }
            lease.close();
            // Between leases the library itself paints the block.
            assertThat(recorded.parts).containsExactly(block);
            lease = handle.deviceMalloc(64);
            assertThat(recorded.blocks).containsExactly(block);
            assertThat(recorded.parts).containsExactly(new Part(1, lease.slot(0).address(), 64));
            lease.close();
            assertThat(recorded.ended).isEmpty();
            handle.setDeviceMemorySize(1 << 16);
            assertThat(recorded.ended).containsExactly(1L);
            handle.deviceMalloc(64).close();
            assertThat(recorded.blocks).hasSize(2);
        }
        assertThat(recorded.ended).containsExactly(1L, 2L);
    }

    @Test
    void itIsToldOfTheEndAlsoWhereACallLeftItsSlots() {
        driver.sanitizer = recorded;
        try (Device device = Device.of(driver); Handle handle = device.handleBuilder().guard(true).create()) {
            Lease lease = handle.deviceMalloc(64);
            Memory.i64(lease.slot(0).address() + 64, 0);
            assertThatThrownBy(lease::close).isInstanceOf(BlasException.class)
                    .hasMessageContaining("outside its workspace");
            assertThat(recorded.parts).isEqualTo(recorded.blocks);
        }
    }

    @Test
    void theUsersOwnBlockAndUnguardedHandlesAreLeftAlone() {
        driver.sanitizer = recorded;
        try (Device device = Device.of(driver);
                Handle plain = device.createHandle();
                Handle guarded = device.handleBuilder().guard(true).create();
                DeviceArena arena = device.arena()) {
            plain.deviceMalloc(64).close();
            guarded.setWorkspace(arena.allocate(4096), 4096);
            guarded.deviceMalloc(64).close();
            assertThat(recorded.blocks).isEmpty();
        }
    }

    @Test
    void aLeaseThatTheDeviceRefusesToPaintIsNone() {
        driver.sanitizer = recorded;
        try (Device device = Device.of(driver); Handle handle = device.handleBuilder().guard(true).create()) {
            for (int works = 0; works < 3; works++) {
                driver.fillsLeft = works;
                assertThatThrownBy(() -> handle.deviceMalloc(64)).hasMessageContaining("this fill fails");
                driver.fillsLeft = Integer.MAX_VALUE;
                handle.deviceMalloc(64).close();
            }
        }
        assertThat(recorded.ended).hasSameSizeAs(recorded.blocks).isNotEmpty();
    }
}
