package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lease;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A device whose memory is given out: idle handles give back what they never used, and threads at work notice nothing of it. */
@Isolated("idle handles of other suites would give back theirs too")
class FullMachineTest {
    static List<String> devices() {
        return Devices.names();
    }

    @Test
    void idleHandlesGiveBackWhatTheyNeverUsed() {
        try (Device device = Device.open("host")) {
            List<Handle> handles = new ArrayList<>();
            long all = device.totalMemory();
            int count = (int) Math.min(4000, all / (32L << 20) + 200);
            try (DeviceArena arena = device.arena()) {
                for (int i = 0; i < count; i++) {
                    handles.add(device.createHandle());
                }
                // Each has asked for 32 MiB in advance, together more than there is; none has used any.
                assertThat(arena.allocate(all / 8).isOpen()).isTrue();
                for (int i = 0; i < count; i += 50) {
                    try (Lease lease = handles.get(i).deviceMalloc(4096)) {
                        assertThat(lease.isSuccess()).isTrue();
                    }
                }
            } finally {
                handles.forEach(Handle::close);
            }
        }
    }

    /** The memory of the machine is one, whatever the settings of its devices. */
    @Test
    void aHostDeviceGetsWhatIdleHandlesOfAnotherHold() {
        int piece = 16 << 20;
        try (Device device = Device.open("host");
                Device asking = Device.open("host:engine=scalar,threads=1");
                Handle idle = device.createHandle();
                DeviceArena arena = asking.arena()) {
            assertThat(idle.getDeviceMemorySize()).isGreaterThan(piece);
            long held = 0;
            while (idle.getDeviceMemorySize() > 0 && held <= device.totalMemory()) {
                held += arena.allocate(piece).byteSize();
            }
            assertThat(idle.getDeviceMemorySize()).isZero();
            assertThat(arena.allocate(64).isOpen()).isTrue();
        }
    }

    /** Each has a handle of its own. That one finds the device full and so looks into idle handles is nothing to the other. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void aThreadShortOfMemoryDisturbsNoOther(String name) throws InterruptedException {
        try (Device device = Devices.open(name, 1); DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(ElementType.F64, 8);
            x.upload(new double[] {3, 0, 0, 0, 0, 4, 0, 0});
            long most = device.totalMemory();
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong refused = new AtomicLong();
            Runnable calls = () -> {
                try {
                    // For some time, and until both have met. A new handle has something to give back.
                    for (long i = 0; !over.get() && (i < 1_000 || refused.get() < 200); i++) {
                        try (Handle handle = device.createHandle()) {
                            for (int k = 0; k < 50; k++) {
                                assertThat(Blas.nrm2(handle, x)).isEqualTo(5);
                            }
                        }
                    }
                } finally {
                    over.set(true);
                }
            };
            Runnable shortage = () -> {
                try {
                    while (!over.get()) {
                        LendingTest.assertStatus(Status.MEMORY_ERROR, () -> arena.allocate(most + 1));
                        refused.incrementAndGet();
                    }
                } finally {
                    over.set(true);
                }
            };
            TwoThreadsTest.both(calls, shortage);
        }
    }
}
