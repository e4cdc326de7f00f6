package dev.basalt.internal.routine;

import static dev.basalt.internal.routine.GemmEngineTest.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Status;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Reach;
import dev.basalt.spi.RoundedFactors;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Room for rounded factors: asked for in modes that round, with the bytes of its formula, and given to the product. */
class RoundedFactorsTest {
    private static final int LEAST = 8;
    private static final int DEPTH = 4;
    private static final long LARGE = 256L << 20;
    private static final long SMALL = 64L << 20;
    private static final DeviceTraits TRAITS = DeviceTraits.of("rounding")
            .sums(1, 1)
            .reach(Reach.ofBlocks(64))
            .gemm(GemmBlocking.NONE.with(new RoundedFactors(LEAST, DEPTH)), GemmBlocking.NONE, GemmBlocking.NONE,
                    GemmBlocking.NONE)
            .build();

    private final FakeDriver driver = new FakeDriver(TRAITS);

    @Test
    void modesThatRoundAskForIt() {
        try (Device device = Device.of(driver); Handle handle = device.createHandle()) {
            assertThat(plan(handle, ElementType.F32, 100, 50, 40, 1).optimal()).isZero();
            handle.setMathMode(MathMode.TF32);
            // Of 40 inner indices 64 are laid.
            Plan plan = plan(handle, ElementType.F32, 100, 50, 40, 1);
            assertThat(plan.optimal()).isEqualTo(4 * 150 * 64);
            assertThat(plan.minimum()).isZero();
            assertThat(plan.toString()).contains("rounded factors", "rounded in registers 0 B");
            assertThat(plan(handle, ElementType.F32, LEAST, LEAST, DEPTH, 1).optimal()).isPositive();
            assertThat(plan(handle, ElementType.F32, LEAST - 1, LEAST, DEPTH, 1).optimal()).isZero();
            assertThat(plan(handle, ElementType.F32, LEAST, LEAST, DEPTH - 1, 1).optimal()).isZero();
            assertThat(plan(handle, ElementType.F32, 100, 50, 40, 2).optimal()).isZero();
            assertThat(plan(handle, ElementType.F64, 100, 50, 40, 1).optimal()).isZero();
            handle.setMathMode(MathMode.BF16);
            assertThat(plan(handle, ElementType.F32, 100, 50, 40, 1).optimal()).isEqualTo(2 * 150 * 64);
        }
    }

    /** Two parts of each element, in products that are worth it; a vendor's product has no such mode. */
    @Test
    void emulatedFloatsAreSplit() {
        GemmEngine engine = new GemmEngine("vendor", 64, LEAST, DEPTH, Long.MAX_VALUE);
        for (DeviceTraits traits : List.of(TRAITS, TRAITS.withEngine(engine))) {
            boolean vendor = traits != TRAITS;
            try (Device device = Device.of(new FakeDriver(traits)); Handle handle = device.createHandle()) {
                handle.setMathMode(MathMode.EMULATED);
                Plan plan = plan(handle, ElementType.F32, 1024, 1100, 513, 1);
                assertThat(plan.optimal()).isEqualTo(8L * 2124 * 544);
                assertThat(plan.minimum()).isZero();
                assertThat(plan.toString()).contains("split factors", "as by default 0 B");
                long otherwise = vendor ? 64 : 0;
                assertThat(plan(handle, ElementType.F32, 1023, 1100, 513, 1).optimal()).isEqualTo(otherwise);
                assertThat(plan(handle, ElementType.F32, 1024, 1100, 511, 1).optimal()).isEqualTo(otherwise);
                assertThat(plan(handle, ElementType.F32, 1024, 1100, 513, 2).optimal()).isZero();
            }
        }
    }

    @Test
    void aVendorsProductComesFirst() {
        try (Device device = Device
                .of(new FakeDriver(TRAITS.withEngine(new GemmEngine("vendor", 64, LEAST, DEPTH, Long.MAX_VALUE))));
                Handle handle = device.createHandle()) {
            handle.setMathMode(MathMode.TF32);
            assertThat(plan(handle, ElementType.F32, 100, 50, 40, 1).optimal()).isEqualTo(64);
        }
    }

    @Test
    void theProductIsGivenWhatThereIs() {
        try (Device device = Device.of(driver);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F32, 64, 64);
            MatrixView c = arena.matrix(ElementType.F32, 64, 64);
            a.upload(new float[64 * 64]);
            handle.setMathMode(MathMode.TF32);
            long bytes = 4 * 128 * 64;
            handle.setDeviceMemorySize(bytes);
            assertThat(Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, c)).isEqualTo(Status.SUCCESS);
            assertThat(driver.last.workBytes).isEqualTo(bytes);
            handle.setDeviceMemorySize(bytes - 64);
            assertThat(Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, c)).isEqualTo(Status.PERF_DEGRADED);
            assertThat(driver.last.workBytes).isZero();
        }
    }

    private static Launch product(MathMode math, long m, long n, long k) {
        Launch l = new Launch().reset(Kernel.GEMM, ElementType.F32, 1);
        l.math = math;
        l.m = m;
        l.n = n;
        l.k = k;
        return l;
    }

    /** A tier asks for all or for as much as it takes at most, and never for less where a side grows. */
    @Test
    void bytesGrowWithEverySide() {
        List<Long> sides = List.of(8L, 31L, 32L, 33L, 1000L, 4096L, 8192L, 100_000L, 1L << 32, 1L << 62);
        for (MathMode math : List.of(MathMode.TF32, MathMode.F16, MathMode.EMULATED)) {
            for (long n : sides) {
                long[] before = new long[3];
                for (long x : sides) {
                    long[] now = {
                            RoundedFactors.bytes(0, product(math, x, n, 500)),
                            RoundedFactors.bytes(0, product(math, n, x, 500)),
                            RoundedFactors.bytes(0, product(math, 500, n, x))};
                    for (int i = 0; i < now.length; i++) {
                        assertThat(now[i]).as("%s %d %d", math, n, x).isBetween(before[i], LARGE);
                    }
                    before = now;
                }
            }
        }
        assertThat(RoundedFactors.bytes(0, product(MathMode.TF32, 8192, 8192, 8192))).isEqualTo(LARGE);
        assertThat(RoundedFactors.bytes(1, product(MathMode.TF32, 8192, 8192, 8192))).isEqualTo(SMALL);
        assertThat(RoundedFactors.bytes(0, product(MathMode.F16, 8192, 8192, 8192))).isEqualTo(LARGE);
    }

    /** Blocks of one depth, none of them short; where such do not fit, C is cut, too. */
    @Test
    void blocksFitIntoTheirRoom() {
        assertThat(RoundedFactors.depth(product(MathMode.TF32, 4096, 4096, 4100), LARGE)).isEqualTo(4128);
        assertThat(RoundedFactors.depth(product(MathMode.TF32, 8192, 8192, 8192), LARGE)).isEqualTo(4096);
        assertThat(RoundedFactors.depth(product(MathMode.TF32, 8192, 8192, 8192), SMALL)).isEqualTo(1024);
        assertThat(RoundedFactors.depth(product(MathMode.F16, 8192, 8192, 8192), SMALL)).isEqualTo(2048);
        assertThat(RoundedFactors.depth(product(MathMode.TF32, 8192, 8192, 9000), LARGE)).isEqualTo(3008);
        assertThat(RoundedFactors.depth(product(MathMode.TF32, 100_000, 8192, 9000), SMALL)).isEqualTo(1024);
        assertThat(RoundedFactors.depth(product(MathMode.TF32, 100_000, 8192, 100), SMALL)).isEqualTo(128);
    }
}
