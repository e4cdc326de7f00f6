package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.CallReport;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.every.Sample;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.internal.call.Routine;
import dev.basalt.type.ElementType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The query is exact: with the bytes it says every call runs its best algorithm without leaving its slots, to the same bits as
 * with plenty; with one chunk less it runs a lower tier or refuses. Guard mode watches.
 */
class ExactBytesTest {
    private static final int SHAPES = Boolean.getBoolean("basalt.test.long") ? 100_000 : 2_500;

    static List<String> devices() {
        return Devices.names();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void queriedBytesSufficeAndOneChunkLessDegradesOrRefuses(String name) {
        long seed = Long.getLong("basalt.test.seed", 20261121);
        Random random = new Random(seed);
        List<Routine> routines = Sample.routines();
        int needy = 0;
        int degraded = 0;
        int refused = 0;
        for (int i = 0; i < SHAPES; i++) {
            // A new device now and then: a simulated one remembers every operation.
            int batch = Math.min(400, SHAPES - i);
            try (Device device = Devices.open(name, seed + i);
                    Handle exact = device.handleBuilder().guard(true).create();
                    Handle ample = device.createHandle()) {
                for (int j = 0; j < batch; j++, i++) {
                    Routine routine = routines.get(random.nextInt(routines.size()));
                    long caseSeed = random.nextLong();
                    int largest = name.equals("host") ? 8 + random.nextInt(90) : 40;
                    Sample sample = Sample.of(routine, caseSeed, largest);
                    String label = sample + " on " + name + ", seed " + seed;
                    long need = checkExact(sample, device, exact, ample, label);
                    if (need > 0) {
                        needy++;
                        if (checkOneChunkLess(sample, device, exact, need, label)) {
                            degraded++;
                        } else {
                            refused++;
                        }
                    }
                }
                i--;
            }
        }
        System.out.printf(
                "exact bytes on %s: %d shapes, %d with workspace; one chunk less: %d degraded, %d refused (seed %d)%n",
                name, SHAPES, needy, degraded, refused, seed);
        // A GPU packs nothing, so fewer of its shapes need any.
        boolean packs = name.equals("host") || name.equals("sim");
        assertThat(needy).as("shapes that need workspace").isGreaterThan(packs ? SHAPES / 10 : SHAPES / 20);
    }

    /** Thin matrices are rare among random ones, and go ways of their own. */
    @ParameterizedTest
    @ValueSource(strings = {"host", "host:engine=vector,threads=1", "host:engine=scalar,threads=1"})
    void factorsOfEverySmallShapeUseWhatIsPlanned(String name) {
        try (Device device = Device.open(name); Handle handle = device.createHandle()) {
            for (ElementType type : new ElementType[] {
                    ElementType.F32,
                    ElementType.F64,
                    ElementType.C32,
                    ElementType.C64}) {
                for (int m = 1; m <= 150; m += m < 12 ? 1 : 23) {
                    for (int n = 1; n <= 150; n += n < 12 ? 1 : 23) {
                        factor(device, handle, type, m, n);
                    }
                }
            }
        }
    }

    private static void factor(Device device, Handle handle, ElementType type, int m, int n) {
        int steps = Math.min(m, n);
        Plan plan = handle.plan(h -> Lapack.getrf(h, MatrixView.shape(type, m, n),
                VectorView.shape(ElementType.I64, steps), VectorView.shape(ElementType.I32, 1)));
        try (DeviceArena arena = device.arena()) {
            Lapack.getrf(handle, arena.matrix(type, m, n), arena.vector(ElementType.I64, steps),
                    arena.vector(ElementType.I32, 1));
        }
        assertThat(handle.lastCall().bytesUsed()).as("LU of %d x %d %s", m, n, type).isEqualTo(plan.optimal());
    }

    private static long checkExact(Sample sample, Device device, Handle exact, Handle ample, String label) {
        Plan plan = exact.plan(sample::shapes);
        assertThat(plan.calls()).as(label).hasSize(1);
        long need = plan.optimal();
        exact.startDeviceMemorySizeQuery();
        sample.shapes(exact);
        assertThat(exact.stopDeviceMemorySizeQuery()).as("query = plan: " + label).isEqualTo(need);
        hold(exact, need);
        List<Integer> bits;
        try (DeviceArena arena = device.arena()) {
            Sample.Operands operands = sample.load(arena);
            exact.resetHighWater();
            assertThat(operands.run(exact)).as(label).isEqualTo(Status.SUCCESS);
            CallReport report = exact.lastCall();
            if (!report.tierName().equals("quick return")) {
                assertThat(report.bytesUsed()).as("used = plan: " + label).isEqualTo(need);
                assertThat(exact.highWater()).as("high water = plan: " + label).isEqualTo(need);
            }
            bits = operands.contents();
        }
        try (DeviceArena arena = device.arena()) {
            Sample.Operands operands = sample.load(arena);
            operands.run(ample);
            assertThat(operands.contents()).as("same bits with plenty of workspace: " + label).isEqualTo(bits);
        }
        return need;
    }

    /** True if the call ran in a lower tier, false if it refused. */
    private static boolean checkOneChunkLess(Sample sample, Device device, Handle exact, long need, String label) {
        hold(exact, need - 64);
        try (DeviceArena arena = device.arena()) {
            Sample.Operands operands = sample.load(arena);
            Status status = operands.run(exact);
            CallReport report = exact.lastCall();
            if (report.tierName().equals("quick return")) {
                return true; // host scalars said that there was nothing to do
            }
            assertThat(status).as(label).isEqualTo(Status.PERF_DEGRADED);
            assertThat(report.tier()).as(label).isPositive();
            assertThat(report.bytesUsed()).as(label).isLessThan(need);
            assertThat(report.bytesToNextTier()).as(label).isGreaterThan(need - 64).isLessThanOrEqualTo(need);
            return true;
        } catch (BlasException e) {
            assertThat(e.status()).as(label).isEqualTo(Status.MEMORY_ERROR);
            assertThat(e.shortage().minimum()).as(label).isEqualTo(need);
            return false;
        }
    }

    /** Exactly that many bytes, 0 included. */
    private static void hold(Handle handle, long bytes) {
        handle.setDeviceMemorySize(bytes);
        handle.setMaxManagedBytes(bytes);
        assertThat(handle.getDeviceMemorySize()).isEqualTo(bytes);
    }
}
