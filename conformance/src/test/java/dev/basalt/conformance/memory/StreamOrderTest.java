package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.HandleBuilder;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.Stream;
import dev.basalt.Workspace;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.sim.SimDriver;
import dev.basalt.sim.SpyCounts;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random programs that switch streams, grow, shrink and share workspaces on the simulated device: no two kernels may ever be in one
 * piece of workspace without an order between them, results are those of a serial run, and the host never waits.
 */
class StreamOrderTest {
    private static final int PROGRAMS = Boolean.getBoolean("basalt.test.long") ? 50_000 : 2_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void randomProgramsAreOrderedUnderBothAllocators(boolean streamOrdered) {
        long seed = Long.getLong("basalt.test.seed", 99);
        for (int p = 0; p < PROGRAMS; p++) {
            program(seed + p, streamOrdered);
        }
    }

    private static void program(long seed, boolean streamOrdered) {
        String label = "seed " + seed + (streamOrdered ? " stream-ordered" : " block");
        Random random = new Random(seed);
        SimDriver sim = SimDriver.builder()
                .seed(seed)
                .virtualMemory(random.nextBoolean())
                .defaultWorkspace(random.nextInt(3) * 4096)
                .open();
        try (Device device = Device.of(sim)) {
            run(device, random, seed, streamOrdered, label, sim);
        }
        assertThat(sim.leaks()).as(label).isEmpty();
    }

    /** The same on any device: results are those of a serial run. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void randomProgramsGiveSerialResults(String name) {
        long seed = Long.getLong("basalt.test.seed", 99);
        try (Device device = Devices.open(name, seed)) {
            for (int p = 0; p < 300; p++) {
                boolean streamOrdered = p % 2 == 0;
                String label = name + " seed " + (seed + p) + (streamOrdered ? " stream-ordered" : " block");
                run(device, new Random(seed + p), seed + p, streamOrdered, label, null);
            }
        }
    }

    static List<String> devices() {
        return Devices.names();
    }

    /** Runs a program; {@code sim}, if it is that device, also says whether the host waited and whether any order was left to chance. */
    private static void run(Device device, Random random, long seed, boolean streamOrdered, String label,
            SimDriver sim) {
        List<Stream> streams = new ArrayList<>(List.of(device.defaultStream()));
        try (DeviceArena arena = device.arena(); Workspace shared = device.createWorkspace()) {
            for (int s = 0; s < 3; s++) {
                streams.add(device.createStream());
            }
            List<Handle> handles = new ArrayList<>();
            for (int h = 0; h < 2 + random.nextInt(2); h++) {
                HandleBuilder b = device.handleBuilder();
                boolean shares = h > 0 && random.nextBoolean();
                handles.add((shares ? b.workspace(shared) : b.streamOrderAlloc(streamOrdered)).create());
            }
            List<Item> items = new ArrayList<>();
            for (int h = 0; h < handles.size(); h++) {
                items.add(new Item(arena, 12 + 9 * random.nextInt(4), seed + h));
            }
            device.synchronize();
            SpyCounts before = sim == null ? null : sim.counts();
            boolean waits = false;
            int steps = 4 + random.nextInt(24);
            for (int i = 0; i < steps; i++) {
                int h = random.nextInt(handles.size());
                waits |= step(random, handles.get(h), items.get(h), streams);
            }
            if (sim != null && !waits) {
                SpyCounts calls = sim.counts().since(before);
                assertThat(calls.synchronizations()).as("the host waits nowhere, " + label + ": " + calls).isZero();
            }
            device.synchronize();
            if (sim != null) {
                sim.assertNoHazards();
            }
            for (Item item : items) {
                item.check(device, label);
            }
            handles.forEach(Handle::close);
            for (Stream s : streams) {
                s.close();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(label + ": " + e.getMessage(), e);
        }
    }

    /** One step of a program; true if it may wait on purpose. */
    private static boolean step(Random random, Handle handle, Item item, List<Stream> streams) {
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                Stream next = streams.get(random.nextInt(streams.size()));
                // The user orders the data; the workspace is the library's business.
                next.waitFor(handle.stream());
                handle.setStream(next);
            }
            case 2 -> handle.setDeviceMemorySize(random.nextInt(3) * 3000);
            case 3 -> {
                try (Lease lease = handle.deviceMalloc(random.nextInt(60_000))) {
                    assertThat(lease.isSuccess() || !handle.isManagingDeviceMemory()).isTrue();
                }
            }
            case 4 -> {
                handle.trim();
                return true;
            }
            default -> item.multiply(handle);
        }
        return false;
    }

    /** A triangular product applied again and again: B := A·B. */
    private static final class Item {
        private final MatrixView a;
        private final MatrixView b;
        private final double[] expected;
        private final double[] factor;
        private final int n;

        Item(DeviceArena arena, int n, long seed) {
            this.n = n;
            a = arena.matrix(ElementType.F64, n, n);
            b = arena.matrix(ElementType.F64, n, n);
            factor = new double[n * n];
            expected = new double[n * n];
            Random random = new Random(seed);
            for (int i = 0; i < n * n; i++) {
                factor[i] = random.nextInt(3) - 1;
                expected[i] = random.nextInt(3) - 1;
            }
            a.upload(factor);
            b.upload(expected);
        }

        void multiply(Handle handle) {
            Status status = Blas.trmm(handle, Side.LEFT, Uplo.LOWER, Op.NONE, dev.basalt.type.Diag.UNIT, 0.5, a, b, b);
            assertThat(status.isError()).isFalse();
            for (int j = 0; j < n; j++) {
                for (int i = n - 1; i >= 0; i--) {
                    double sum = expected[i + j * n];
                    for (int k = 0; k < i; k++) {
                        sum += factor[i + k * n] * expected[k + j * n];
                    }
                    expected[i + j * n] = 0.5 * sum;
                }
            }
        }

        void check(Device device, String label) {
            device.synchronize();
            double[] found = new double[n * n];
            b.download(found);
            for (int i = 0; i < found.length; i++) {
                double bound = 1e-12 * Math.max(1, Math.abs(expected[i])) * n;
                assertThat(Math.abs(found[i] - expected[i])).as(label + " element " + i)
                        .isLessThanOrEqualTo(bound * 100);
            }
        }
    }
}
