package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.Layout;
import dev.basalt.LeakDetection;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What a call leaves for the garbage collector in a steady state: nothing, degraded calls and leases of users included. */
@ResourceLock("leak detection")
class GarbageTest {
    private static final int CALLS = 3_000;
    private static final int ROUNDS = 40;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void degradedCallsMakeNone() {
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, 70, 70);
            a.upload(new double[4900]);
            Consumer<Handle> call = h -> {
                Status status = Blas.trmm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, a, a, a);
                if (status != Status.PERF_DEGRADED) {
                    throw new AssertionError(status);
                }
            };
            handle.setDeviceMemorySize(64);
            assertThat(least(handle, call)).as("a fixed size").isZero();
            handle.setWorkspace(arena.allocate(64), 64);
            assertThat(least(handle, call)).as("a user's block").isZero();
            handle.setDeviceMemorySize(0);
            handle.setMaxManagedBytes(64);
            assertThat(least(handle, call)).as("a cap").isZero();
        }
    }

    @Test
    void smallSolvesMakeNone() {
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int n : new int[] {4, 20}) {
                // An identity is its own factor.
                double[] one = new double[n * n];
                for (int i = 0; i < n; i++) {
                    one[i * n + i] = 1;
                }
                MatrixView a = arena.matrix(ElementType.F64, n, n);
                a.upload(one);
                MatrixView b = arena.matrix(ElementType.F64, n, 2);
                b.upload(new double[2 * n]);
                VectorView ipiv = arena.vector(ElementType.I64, n);
                VectorView info = arena.vector(ElementType.I32, 1);
                Consumer<Handle> calls = h -> {
                    Lapack.gesv(h, a, ipiv, b, info);
                    Lapack.posv(h, Uplo.UPPER, a, b, info);
                    Lapack.getrs(h, Op.TRANS, a, ipiv, b);
                    Lapack.trtri(h, Uplo.LOWER, Diag.NON_UNIT, a, info);
                    Lapack.getri(h, a, ipiv, info);
                    Lapack.potri(h, Uplo.LOWER, a, info);
                };
                assertThat(least(handle, calls)).as("order %d", n).isZero();
                double[] inverse = new double[n * n];
                a.download(inverse);
                assertThat(inverse).isEqualTo(one);
            }
        }
    }

    @Test
    void leasesMakeNoneWithLeakDetectionOff() {
        LeakDetection.Level before = LeakDetection.level();
        try (Device device = Device.open("host"); Handle handle = device.createHandle()) {
            Layout layout = Layout.of("mine", "").tier("one").slot("a", 512).slot("b", 64);
            Consumer<Handle> bySizes = h -> {
                try (Lease lease = h.deviceMalloc(512, 64)) {
                    use(lease);
                }
            };
            Consumer<Handle> byLayout = h -> {
                try (Lease lease = h.deviceMalloc(layout)) {
                    use(lease);
                }
            };
            long on = least(handle, byLayout);
            LeakDetection.level(LeakDetection.Level.OFF);
            assertThat(least(handle, byLayout)).as("with a layout").isZero();
            assertThat(least(handle, bySizes)).as("with sizes").isZero();
            System.out.println("garbage of a lease: 0 bytes with leak detection off, " + on / CALLS + " with it on");
        } finally {
            LeakDetection.level(before);
        }
    }

    private static void use(Lease lease) {
        if (!lease.isSuccess() || lease.slot(0).address() + 512 != lease.slot(1).address()) {
            throw new AssertionError("slots");
        }
    }

    /** The least of several rounds: compilers and counters leave something now and then. */
    private static long least(Handle handle, Consumer<Handle> call) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = THREADS.getCurrentThreadAllocatedBytes();
            long asked = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.accept(handle);
            }
            long bytes = THREADS.getCurrentThreadAllocatedBytes() - asked - (asked - start);
            least = Math.min(least, Math.max(0, bytes));
        }
        return least;
    }
}
