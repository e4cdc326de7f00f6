package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lease;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A kernel that writes behind its slot is caught when the lease closes, on every device. Under compute-sanitizer the tool names the
 * kernel besides, since it is told of the slots.
 */
@OnDevice
class GuardedLeaseTest {
    @ParameterizedTest
    @MethodSource("dev.basalt.conformance.memory.Devices#names")
    void aKernelThatWritesBehindItsSlotIsCaught(String name) {
        assumeTrue(System.getenv("NVTX_INJECTION64_PATH") == null,
                "a sanitizer reports the kernel itself, and ends it");
        try (Device device = Devices.open(name, 1);
                Handle guarded = device.handleBuilder().guard(true).create();
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(ElementType.F64, 9);
            x.upload(new double[9]);
            Lease lease = guarded.deviceMalloc(64);
            long slot = lease.slot(0).address();
            // Nine numbers where there is room for eight.
            VectorView y = VectorView.of(ElementType.F64, arena.wrap(slot, 72).pointer(), 9, 1);
            Blas.copy(handle, x, y);
            handle.synchronize();
            assertThatThrownBy(lease::close).isInstanceOf(BlasException.class)
                    .hasMessageContaining("outside its workspace");
            guarded.deviceMalloc(64).close();
        }
    }
}
