package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.Graph;
import dev.basalt.Handle;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.Stream;
import dev.basalt.Workspace;
import dev.basalt.sim.SimDriver;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random programs with several handles, own, shared and users' workspaces, leases, stream switches and graphs that run on any stream:
 * the user orders the data, and the library orders its workspace. The simulated device finds every use without an order.
 */
class GraphOrderTest {
    private static final int PROGRAMS = Boolean.getBoolean("basalt.test.long") ? 50_000 : 1_500;
    private static final int N = 12;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void randomProgramsWithGraphsHaveNoHazards(boolean streamOrdered) {
        long first = Long.getLong("basalt.test.seed", 7000);
        for (long seed = first; seed < first + PROGRAMS; seed++) {
            SimDriver sim = SimDriver.builder()
                    .seed(seed)
                    .virtualMemory(seed % 3 != 0)
                    .defaultWorkspace(seed % 4 * 1024)
                    .open();
            try (Device device = Device.of(sim)) {
                new Program(device, new Random(seed), streamOrdered).run();
                sim.assertNoHazards();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + (streamOrdered ? " stream-ordered: " : ": ") + e, e);
            }
            assertThat(sim.leaks()).as("seed " + seed).isEmpty();
        }
    }

    /** A handle with the data that its calls multiply: B := A·B with a permutation A, so that every result is exact. */
    private static final class User {
        final Handle handle;
        final MatrixView a;
        final MatrixView b;
        int shift;

        User(Handle handle, DeviceArena arena) {
            this.handle = handle;
            a = arena.matrix(ElementType.F64, N, N);
            b = arena.matrix(ElementType.F64, N, N);
            double[] unit = new double[N * N];
            for (int i = 0; i < N; i++) {
                unit[i + N * i] = 2;
            }
            a.upload(unit);
            for (int i = 0; i < N; i++) {
                unit[i + N * i] = 1;
            }
            b.upload(unit);
        }

        void call(Handle h) {
            Status status = Blas.trmm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 1, a, b, b);
            assertThat(status.isError()).isFalse();
        }
    }

    private record Recorded(Graph graph, User user) {}

    private static final class Program {
        private final Device device;
        private final Random random;
        private final boolean streamOrdered;
        private final List<Stream> streams = new ArrayList<>();
        private final List<User> users = new ArrayList<>();
        private final List<Recorded> graphs = new ArrayList<>();
        private DeviceMemory block;

        Program(Device device, Random random, boolean streamOrdered) {
            this.device = device;
            this.random = random;
            this.streamOrdered = streamOrdered;
        }

        void run() {
            try (DeviceArena arena = device.arena(); Workspace shared = device.createWorkspace()) {
                block = arena.allocate(4096);
                for (int s = 0; s < 3; s++) {
                    streams.add(device.createStream());
                }
                for (int h = 0; h < 3; h++) {
                    users.add(new User(create(shared), arena));
                }
                device.synchronize();
                int steps = 5 + random.nextInt(25);
                for (int i = 0; i < steps; i++) {
                    step(users.get(random.nextInt(users.size())));
                }
                boolean handlesFirst = random.nextBoolean();
                if (handlesFirst) {
                    users.forEach(u -> u.handle.close());
                }
                graphs.forEach(g -> g.graph.close());
                users.forEach(u -> u.handle.close());
                device.synchronize();
                users.forEach(Program::check);
                streams.forEach(Stream::close);
            }
        }

        private Handle create(Workspace shared) {
            Stream stream = any();
            return random.nextInt(3) == 0
                    ? device.handleBuilder().stream(stream).workspace(shared).create()
                    : device.handleBuilder().stream(stream).streamOrderAlloc(streamOrdered).create();
        }

        private Stream any() {
            return streams.get(random.nextInt(streams.size()));
        }

        private void step(User u) {
            switch (random.nextInt(11)) {
                case 0, 1 -> {
                    Stream next = any();
                    next.waitFor(u.handle.stream());
                    u.handle.setStream(next);
                }
                case 2 -> u.handle.setDeviceMemorySize(random.nextInt(3) * 2048);
                case 3 -> u.handle.setWorkspace(block, 4096 - 64L * random.nextInt(4));
                case 4 -> {
                    try (Lease lease = u.handle.deviceMalloc(64L * random.nextInt(20))) {
                        u.call(u.handle);
                        u.shift++;
                        assertThat(lease.slots()).isOne();
                    }
                }
                case 5 -> capture(u);
                case 6, 7 -> launch();
                case 8 -> {
                    if (!graphs.isEmpty()) {
                        graphs.remove(random.nextInt(graphs.size())).graph.close();
                    }
                }
                default -> {
                    u.call(u.handle);
                    u.shift++;
                }
            }
        }

        private void capture(User u) {
            try {
                graphs.add(new Recorded(u.handle.capture(u::call), u));
            } catch (BlasException e) {
                // Growth inside a capture is refused, and nothing is recorded.
                assertThat(e.status()).as(e.getMessage()).isEqualTo(Status.MEMORY_ERROR);
            }
        }

        /** The user orders the data of a run: behind the handle's earlier calls, before its later ones. */
        private void launch() {
            if (graphs.isEmpty()) {
                return;
            }
            Recorded g = graphs.get(random.nextInt(graphs.size()));
            Stream on = any();
            on.waitFor(g.user.handle.stream());
            g.graph.launch(on);
            g.user.handle.stream().waitFor(on);
            g.user.shift++;
        }

        private static void check(User u) {
            double[] found = new double[N * N];
            u.b.download(found);
            for (int i = 0; i < N * N; i++) {
                assertThat(found[i]).isEqualTo(i % (N + 1) == 0 ? Math.pow(2, u.shift) : 0);
            }
        }
    }
}
