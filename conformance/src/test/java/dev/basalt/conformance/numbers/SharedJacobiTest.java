package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PlannedCall;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Mat;
import dev.basalt.sim.SimDriver;
import dev.basalt.spi.JacobiWork;
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Jacobi's method where blocks share a matrix, on a simulated device that works in waves: each tier has its bytes, runs under its name, and finds the same values. */
class SharedJacobiTest {
    private static final int SWEEPS = 60;
    private static final ElementType TYPE = ElementType.F64;
    private static final int CHUNK = 64;

    /** The operands of a call. */
    private record Operands(MatrixView a, MatrixView b, MatrixView other, VectorView values, VectorView residual,
            VectorView taken, VectorView info) {}

    private interface Solver {
        void run(Handle h, Operands o);
    }

    @Test
    void symmetricMatrices() {
        int n = 70;
        List<PlannedCall.Tier> tiers = tiers(n, n, n, (h, o) -> Lapack.syevj(h, Evect.ORIGINAL, Uplo.LOWER, o.a, 0,
                o.residual, SWEEPS, o.taken, o.values, o.info));
        assertThat(tiers).extracting(PlannedCall.Tier::name).containsExactly("blocks of Jacobi", "Jacobi");
        // Three pairs of groups, n values, three numbers of each of 160 blocks.
        long shared = 8 * (3 * 1025 + n + 3 * 160);
        assertThat(tiers.get(0).bytes() - tiers.get(1).bytes()).isEqualTo(Math.ceilDiv(shared, CHUNK) * CHUNK);
        assertThat(8 * JacobiWork.twoSidedElements(n)).isEqualTo(shared);
    }

    @Test
    void generalisedProblems() {
        List<PlannedCall.Tier> tiers = tiers(70, 70, 70, (h, o) -> Lapack.sygvj(h, Eform.AX, Evect.ORIGINAL, Uplo.UPPER,
                o.a, o.b, 0, o.residual, SWEEPS, o.taken, o.values, o.info));
        assertThat(shared(tiers.getFirst())).isPositive();
        assertThat(shared(tiers.getLast())).isZero();
    }

    @Test
    void singularValues() {
        List<PlannedCall.Tier> tiers = tiers(50, 40, 40, (h, o) -> Lapack.gesvdj(h, Svect.NONE, Svect.NONE, o.a, 0,
                o.residual, SWEEPS, o.taken, o.values, null, null, o.info));
        assertThat(shared(tiers.getFirst())).isEqualTo(8 * 2 * (40 + 160));
        assertThat(shared(tiers.getLast())).isZero();
    }

    @Test
    void largestSingularValues() {
        int k = 30;
        List<PlannedCall.Tier> tiers = tiers(50, 50, k, (h, o) -> Lapack.gesvdr(h, 1, o.a, o.values,
                o.b.block(0, 0, 50, k), o.other.block(0, 0, k, 50), o.info));
        assertThat(shared(tiers.getFirst())).isEqualTo(Math.ceilDiv(8 * 2 * (k + 8 + 160), CHUNK) * CHUNK);
        assertThat(shared(tiers.getLast())).isZero();
    }

    private static long shared(PlannedCall.Tier tier) {
        return tier.slots().stream().filter(s -> s.name().equals("shared")).mapToLong(PlannedCall.Slot::bytes).sum();
    }

    private static List<PlannedCall.Tier> tiers(int m, int n, int values, Solver solver) {
        Random random = new Random(m + 31L * n);
        Mat a = Mat.of(m, n, (i, j) -> random.nextDouble() - 0.5, (i, j) -> 0);
        Mat b = Mat.of(m, n, (i, j) -> i == j ? n : random.nextDouble(), (i, j) -> 0);
        try (Device device = Device.of(SimDriver.builder().waves(true).throwOnHazard(true).open());
                Handle h = device.handleBuilder().guard(true).create();
                DeviceArena arena = device.arena()) {
            Operands o = new Operands(arena.matrix(TYPE, m, n), arena.matrix(TYPE, m, n), arena.matrix(TYPE, m, n),
                    arena.vector(TYPE, values), arena.vector(TYPE, 1), arena.vector(ElementType.I64, 1),
                    arena.vector(ElementType.I32, 1));
            List<PlannedCall.Tier> tiers = h.plan(planned -> solver.run(planned, o)).calls().get(0).tiers();
            double[] first = null;
            for (PlannedCall.Tier tier : tiers) {
                h.setDeviceMemorySize(tier.bytes());
                h.setMaxManagedBytes(tier.bytes());
                Orthogonal.upload(o.a, a);
                Orthogonal.upload(o.b, b);
                solver.run(h, o);
                assertThat(h.lastCall().tierName()).isEqualTo(tier.name());
                assertThat(h.lastCall().bytesUsed()).isEqualTo(tier.bytes());
                int[] info = new int[1];
                o.info.download(info);
                assertThat(info[0]).as(tier.name()).isZero();
                double[] found = Orthogonal.download(o.values, values).re;
                first = first == null ? found : first;
                for (int i = 0; i < values; i++) {
                    assertThat(Math.abs(found[i] - first[i])).as("value %d in %s", i, tier.name())
                            .isLessThan(1e-12 * n);
                }
            }
            return tiers;
        }
    }
}
