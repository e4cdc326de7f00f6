package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.Handle;
import dev.basalt.HandleBuilder;
import dev.basalt.Lease;
import dev.basalt.Scheme;
import dev.basalt.Status;
import dev.basalt.conformance.support.OnDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The table of section 3 of the memory model, cell by cell: scheme × operation × (free, lease alive, query active), on every device, with both allocators. */
class SchemeTableTest {
    private static final long HELD = 1000;
    private static final long USER = 4100;

    private enum Operation {
        SET_SIZE_ZERO,
        SET_SIZE,
        SET_WORKSPACE,
        SET_WORKSPACE_NULL_ZERO,
        SET_WORKSPACE_NULL_N,
        SET_WORKSPACE_P_ZERO,
        START_QUERY,
        STOP_QUERY,
        GETTERS
    }

    private enum Moment {
        FREE, LEASE_ALIVE, QUERY_ACTIVE
    }

    @OnDevice
    @TestFactory
    List<DynamicTest> everyCell() {
        List<DynamicTest> tests = new ArrayList<>();
        for (String device : Devices.names()) {
            for (boolean streamOrdered : new boolean[] {false, true}) {
                for (Scheme scheme : Scheme.values()) {
                    for (Operation operation : Operation.values()) {
                        for (Moment moment : Moment.values()) {
                            String name = device + (streamOrdered ? " stream-ordered " : " ") + scheme + " " + operation
                                    + " " + moment;
                            tests.add(dynamicTest(name, () -> cell(device, streamOrdered, scheme, operation, moment)));
                        }
                    }
                }
            }
        }
        return tests;
    }

    private static void cell(String name, boolean streamOrdered, Scheme scheme, Operation operation, Moment moment) {
        try (Device device = Devices.open(name, 3);
                DeviceArena arena = device.arena();
                Handle handle = build(device, arena, streamOrdered, scheme)) {
            DeviceMemory block = arena.allocate(USER);
            long before = handle.getDeviceMemorySize();
            Lease lease = null;
            if (moment == Moment.LEASE_ALIVE) {
                lease = handle.deviceMalloc(512);
                assertThat(lease.isSuccess()).isTrue();
                assertThat(lease.slot(0).byteSize()).isEqualTo(512);
            } else if (moment == Moment.QUERY_ACTIVE) {
                handle.startDeviceMemorySizeQuery();
                assertThat(handle.setOptimalDeviceMemorySize(100, 100)).isEqualTo(Status.SIZE_INCREASED);
            }
            try {
                check(handle, block, scheme, operation, moment, lease == null ? before : handle.getDeviceMemorySize());
            } finally {
                if (lease != null) {
                    lease.close();
                }
            }
            if (moment == Moment.QUERY_ACTIVE && operation != Operation.STOP_QUERY) {
                assertThat(handle.stopDeviceMemorySizeQuery()).as("the query went on").isEqualTo(256);
            }
            works(handle);
        }
    }

    private static Handle build(Device device, DeviceArena arena, boolean streamOrdered, Scheme scheme) {
        HandleBuilder builder = device.handleBuilder().streamOrderAlloc(streamOrdered);
        Handle handle = scheme == Scheme.PREALLOCATED ? builder.deviceMemorySize(HELD).create() : builder.create();
        if (scheme == Scheme.MANUAL) {
            handle.setDeviceMemorySize(HELD);
        } else if (scheme == Scheme.OWNED) {
            handle.setWorkspace(arena.allocate(HELD), HELD);
        }
        assertThat(handle.workspaceScheme()).isEqualTo(scheme);
        assertThat(handle.isStreamOrdered()).isEqualTo(streamOrdered);
        return handle;
    }

    private static void check(Handle h, DeviceMemory block, Scheme scheme, Operation operation, Moment moment,
            long before) {
        switch (operation) {
            case START_QUERY -> {
                if (moment == Moment.QUERY_ACTIVE) {
                    refused(h, Status.SIZE_QUERY_MISMATCH, h::startDeviceMemorySizeQuery, scheme, before);
                } else {
                    h.startDeviceMemorySizeQuery();
                    assertThat(h.isDeviceMemorySizeQuery()).isTrue();
                    assertThat(h.stopDeviceMemorySizeQuery()).as("no call in between").isZero();
                    assertThat(h.isDeviceMemorySizeQuery()).isFalse();
                }
            }
            case STOP_QUERY -> {
                if (moment == Moment.QUERY_ACTIVE) {
                    assertThat(h.stopDeviceMemorySizeQuery()).as("R(100) + R(100)").isEqualTo(256);
                } else {
                    refused(h, Status.SIZE_QUERY_MISMATCH, h::stopDeviceMemorySizeQuery, scheme, before);
                }
            }
            case GETTERS -> unchanged(h, scheme, before);
            default -> {
                Runnable call = () -> change(h, block, operation);
                if (moment == Moment.LEASE_ALIVE) {
                    refused(h, Status.INTERNAL_ERROR, call, scheme, before);
                } else if (scheme == Scheme.PREALLOCATED) {
                    refused(h, Status.INVALID_VALUE, call, scheme, before);
                } else {
                    call.run();
                    changed(h, operation);
                }
            }
        }
    }

    private static void change(Handle h, DeviceMemory block, Operation operation) {
        switch (operation) {
            case SET_SIZE_ZERO -> h.setDeviceMemorySize(0);
            case SET_SIZE -> h.setDeviceMemorySize(2001);
            case SET_WORKSPACE -> h.setWorkspace(block, USER);
            case SET_WORKSPACE_NULL_ZERO -> h.setWorkspace((DeviceMemory) null, 0);
            case SET_WORKSPACE_NULL_N -> h.setWorkspace((DeviceMemory) null, 640);
            default -> h.setWorkspace(block, 0);
        }
    }

    private static void changed(Handle h, Operation operation) {
        Scheme expected = operation == Operation.SET_SIZE ? Scheme.MANUAL
                : operation == Operation.SET_WORKSPACE ? Scheme.OWNED
                : Scheme.MANAGED;
        long size = operation == Operation.SET_SIZE ? 2048 : operation == Operation.SET_WORKSPACE ? USER : 0;
        unchanged(h, expected, size);
    }

    private static void refused(Handle h, Status status, Runnable call, Scheme scheme, long before) {
        BlasException e = catchThrowableOfType(BlasException.class, call::run);
        assertThat(e).as("expected " + status).isNotNull();
        assertThat(e.status()).isEqualTo(status);
        assertThat(e.getMessage()).isNotBlank();
        unchanged(h, scheme, before);
    }

    private static void unchanged(Handle h, Scheme scheme, long size) {
        assertThat(h.workspaceScheme()).isEqualTo(scheme);
        assertThat(h.getDeviceMemorySize()).isEqualTo(size);
        assertThat(h.isManagingDeviceMemory()).isEqualTo(scheme == Scheme.MANAGED);
        assertThat(h.isUserManagingDeviceMemory()).isEqualTo(scheme == Scheme.PREALLOCATED || scheme == Scheme.MANUAL);
        if (scheme == Scheme.PREALLOCATED) {
            assertThat(size).as("as given").isEqualTo(HELD);
        }
    }

    /** After any of it the handle still lends. */
    private static void works(Handle h) {
        try (Lease lease = h.deviceMalloc(128, 0, 64)) {
            assertThat(lease.isSuccess()).isTrue();
            assertThat(lease.slot(0)).isNotNull();
            assertThat(lease.slot(1)).isNull();
            assertThat(lease.slot(2).address()).isEqualTo(lease.slot(0).address() + 128);
        }
    }
}
