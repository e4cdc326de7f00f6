package dev.basalt.conformance.misuse;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.Stream;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;

/** What a case of misuse finds: a device with a handle on a stream of its own, and some operands; all new for each case. */
final class Scene implements AutoCloseable {
    static final int N = 12;

    final Device device;
    final Stream stream;
    final Handle handle;
    final DeviceArena arena;
    final VectorView x;
    final VectorView y;
    final MatrixView a;
    final MatrixView b;
    final VectorView pivots;
    final VectorView info;

    Scene(String name) {
        device = Device.open(name);
        stream = device.createStream();
        handle = device.handleBuilder().stream(stream).create();
        arena = device.arena();
        x = arena.vector(ElementType.F64, N);
        y = arena.vector(ElementType.F64, N);
        a = arena.matrix(ElementType.F64, N, N);
        b = arena.matrix(ElementType.F64, N, N);
        pivots = arena.vector(ElementType.I64, N);
        info = arena.vector(ElementType.I32, 1);
    }

    /** A vector whose arena is closed. */
    VectorView closedVector() {
        try (DeviceArena brief = device.arena()) {
            return brief.vector(ElementType.F64, N);
        }
    }

    /** A matrix whose arena is closed. */
    MatrixView closedMatrix() {
        try (DeviceArena brief = device.arena()) {
            return brief.matrix(ElementType.F64, N, N);
        }
    }

    /** A table of addresses with a member whose arena is closed. */
    MatrixView brokenTable() {
        try (DeviceArena brief = device.arena()) {
            return arena.pointers(a, brief.matrix(ElementType.F64, N, N));
        }
    }

    /** Closes what is left; a case may have closed any of it, or left it so that it cannot be closed. */
    @Override
    public void close() {
        for (AutoCloseable part : new AutoCloseable[] {handle, arena, stream, device}) {
            try {
                part.close();
            } catch (Exception e) {
                System.out.println("  left open: " + e.getMessage());
            }
        }
    }
}
