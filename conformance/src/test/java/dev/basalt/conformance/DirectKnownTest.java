package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Small calls that ask for workspace and leave it alone take the direct way from their second time on, and only while a lease would be lent and given back at once: whatever
 * the workspace is, status, report and high water are those of the long way.
 */
class DirectKnownTest {
    private final AtomicLong launches = new AtomicLong();

    /** A call of geqr2 of order 8 on an operand of its own; whether it went the direct way. */
    private boolean isDirect(Handle h, DirectSide side) {
        MatrixView a = side.matrix(ElementType.F64, 8, 8, 1);
        VectorView tau = side.arena.vector(ElementType.F64, 8);
        long before = launches.get();
        Status status = Lapack.geqr2(h, a, tau);
        assertThat(h.lastCall().status()).isEqualTo(status);
        assertThat(h.lastCall().routine()).isEqualTo("geqr2");
        return launches.get() == before;
    }

    @Test
    void theSecondCallIsDirectAndReportsTheSame() {
        try (DirectSide side = DirectSide.counting(launches)) {
            assertThat(isDirect(side.handle, side)).isFalse();
            String report = side.handle.lastCall().toString();
            long highWater = side.handle.highWater();
            assertThat(highWater).isPositive();
            assertThat(isDirect(side.handle, side)).isTrue();
            assertThat(side.handle.lastCall()).hasToString(report);
            assertThat(side.handle.highWater()).isEqualTo(highWater);
            side.handle.resetHighWater();
            assertThat(isDirect(side.handle, side)).isTrue();
            assertThat(side.handle.highWater()).isEqualTo(highWater);
            // Another routine's report is not mistaken for it.
            assertThat(Lapack.geqrf(side.handle, side.matrix(ElementType.F64, 3, 3, 2),
                    side.arena.vector(ElementType.F64, 3))).isEqualTo(Status.SUCCESS);
            assertThat(side.handle.lastCall().routine()).isEqualTo("geqrf");
        }
    }

    /** A part of the rows has factors that are zeroed beside it: it goes the long way, also where the whole is known. */
    @Test
    void aReductionOfSomeRowsIsNotTakenForThatOfAll() {
        for (ElementType type : new ElementType[] {
                ElementType.F32,
                ElementType.F64,
                ElementType.C32,
                ElementType.C64}) {
            for (long n : new long[] {1, 2, 3, 8, 32, 33}) {
                for (long[] rows : new long[][] {
                        {1, n},
                        {0, n},
                        {2, n},
                        {1, n - 1},
                        {n, n},
                        {n + 1, n},
                        {-1, n},
                        {1, n + 1}}) {
                    String[] results = new String[2];
                    for (int s = 0; s < 2; s++) {
                        try (DirectSide side = new DirectSide(s == 1)) {
                            VectorView tau = side.arena.vector(type, n);
                            VectorView factors = tau.slice(0, Math.max(1, n - 1));
                            Lapack.gehrd(side.handle, 1, n, side.matrix(type, n, n, 1), factors);
                            side.fill(tau, 5);
                            MatrixView a = side.matrix(type, n, n, 2);
                            String outcome =
                                    side.outcome(() -> Lapack.gehrd(side.handle, rows[0], rows[1], a, factors));
                            results[s] = outcome.replaceAll("#\\d+|0x[0-9a-f]+", "") + DirectSide.bits(a)
                                    + DirectSide.bits(tau);
                        }
                    }
                    assertThat(results[0]).as("%s n=%d, rows %d to %d", type, n, rows[0], rows[1])
                            .isEqualTo(results[1]);
                }
            }
        }
    }

    @Test
    void aLeaseOfTheUsersSendsItTheLongWay() {
        try (DirectSide side = DirectSide.counting(launches)) {
            assertThat(isDirect(side.handle, side)).isFalse();
            try (Lease lease = side.handle.deviceMalloc(1000)) {
                assertThat(lease).isNotNull();
                assertThat(isDirect(side.handle, side)).isFalse();
            }
            assertThat(isDirect(side.handle, side)).isTrue();
        }
    }

    @Test
    void aWorkspaceThatIsTooSmallDegradesIt() {
        try (DirectSide side = DirectSide.counting(launches)) {
            assertThat(isDirect(side.handle, side)).isFalse();
            side.handle.setDeviceMemorySize(64);
            assertThat(isDirect(side.handle, side)).isFalse();
            assertThat(side.handle.lastCall().status()).isEqualTo(Status.PERF_DEGRADED);
            side.handle.setDeviceMemorySize(1 << 20);
            assertThat(isDirect(side.handle, side)).isTrue();
            assertThat(side.handle.lastCall().status()).isEqualTo(Status.SUCCESS);
        }
    }

    @Test
    void guardModeAndPlansSeeEveryCall() {
        try (DirectSide side = DirectSide.counting(launches);
                Handle guarded = side.device.handleBuilder().guard(true).create()) {
            for (int i = 0; i < 3; i++) {
                assertThat(isDirect(guarded, side)).isFalse();
            }
            assertThat(isDirect(side.handle, side)).isFalse();
            MatrixView a = side.matrix(ElementType.F64, 8, 8, 1);
            VectorView tau = side.arena.vector(ElementType.F64, 8);
            long bytes = side.handle.plan(h -> Lapack.geqr2(h, a, tau)).optimal();
            assertThat(bytes).isEqualTo(side.handle.lastCall().optimal()).isPositive();
        }
    }
}
