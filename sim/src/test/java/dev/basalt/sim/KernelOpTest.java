package dev.basalt.sim;

import static dev.basalt.sim.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelOpTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 2048, 1 << 16})
    void aProductIsRightWithAnyWorkspace(int workBytes) {
        int n = 40;
        try (SimDriver sim = SimDriver.builder().open()) {
            long a = sim.allocate(8L * n * n);
            long b = sim.allocate(8L * n * n);
            long c = sim.allocate(8L * n * n);
            for (int i = 0; i < n * n; i++) {
                Memory.f64(a + 8L * i, i % 7 - 3);
                Memory.f64(b + 8L * i, i % 5 - 2);
            }
            long work = workBytes == 0 ? 0 : sim.allocate(workBytes);
            sim.launch(Rig.gemm(n, a, b, c, work, workBytes), 0);
            sim.synchronize();
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    double sum = 0;
                    for (int k = 0; k < n; k++) {
                        sum += ((k * n + i) % 7 - 3) * ((j * n + k) % 5 - 2);
                    }
                    assertThat(Memory.f64(c + 8L * (j * n + i))).isEqualTo(sum);
                }
            }
            sim.assertNoHazards();
        }
    }

    @Test
    void workspaceIsGarbageBeforeEveryKernel() {
        List<Double> seen = new ArrayList<>();
        SimBuilder builder = SimDriver.builder().kernels(launch -> {
            seen.add(Memory.f64(launch.work));
            seen.add(Memory.f64(launch.work + launch.workBytes - 8));
            Memory.f64(launch.work, 1);
        });
        try (Rig rig = new Rig(builder)) {
            Memory.fill(rig.y, Rig.BLOCK, (byte) 0);
            rig.launch(1, Rig.gemm(4, rig.x, rig.x, rig.x + 1024, rig.y, 512));
            rig.launch(1, Rig.gemm(4, rig.x, rig.x, rig.x + 1024, rig.y, 512));
            rig.sim.synchronize();
            assertThat(seen).hasSize(4).allMatch(value -> Double.isNaN(value));
            assertThat(Memory.f64(rig.y + 512)).isZero();
        }
    }

    @Test
    void zeroAlphaNeedsNoOperands() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            Launch launch = Rig.gemm(4, 8, 8, rig.x, 0, 0);
            launch.alpha.set(0, 0);
            rig.launch(1, launch);
            rig.sim.synchronize();
            assertThat(Memory.f64(rig.x)).isZero();
            launch.alpha.set(1, 0);
            assertRefused(Code.FAILED, () -> rig.launch(1, launch));
        }
    }

    @ParameterizedTest
    @EnumSource
    void pointerTablesThatAreStillToBeUploadedAreRead(Scheduling mode) {
        try (Rig rig = Rig.of(mode, 1)) {
            for (int i = 0; i < 4; i++) {
                Memory.i64(rig.host + 8 * i, rig.x + 512 * i);
                Memory.f64(rig.host + 64 + 8 * i, i);
            }
            rig.upload(1, rig.host, rig.y, 32);
            rig.upload(1, rig.host + 64, rig.y + 64, 32);
            Launch launch = Rig.copy(1, rig.y + 64, rig.y);
            launch.count = 4;
            launch.a.stride = 1;
            launch.c.pointers = true;
            rig.launch(1, launch);
            rig.sim.synchronize();
            assertThat(Memory.f64(rig.x + 3 * 512)).isEqualTo(3);
            rig.sim.assertNoHazards();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongPointerInATableIsFound(Scheduling mode) {
        try (Rig rig = Rig.of(mode, 1)) {
            Memory.i64(rig.host, rig.x);
            Memory.i64(rig.host + 8, rig.x + Rig.BLOCK - 8);
            rig.upload(1, rig.host, rig.y, 16);
            Launch launch = Rig.copy(2, rig.y + 64, rig.y);
            launch.count = 2;
            launch.c.pointers = true;
            assertRefused(Code.FAILED, () -> {
                rig.launch(1, launch);
                rig.sim.synchronize();
            });
            assertThat(rig.sim.hazards()).extracting(Hazard::kind).containsExactly(Hazard.Kind.OUT_OF_BOUNDS);
        }
    }

    @Test
    void aPivotThatIsNoRowMakesTheMatrixNan() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            Launch launch = new Launch().reset(Kernel.LASWP, ElementType.F64, 1);
            launch.m = 4;
            launch.n = 2;
            launch.q = 4;
            launch.c.matrix(ElementType.F64, rig.x, 4, 2, 4, 0);
            launch.d.vector(ElementType.I64, rig.y, 4, 1, 0);
            for (int i = 0; i < 8; i++) {
                Memory.f64(rig.x + 8 * i, i);
                Memory.i64(rig.y + 8 * (i % 4), 4);
            }
            rig.launch(1, launch);
            rig.sim.synchronize();
            assertThat(Memory.f64(rig.x)).isEqualTo(3);
            Memory.i64(rig.y + 16, 5);
            rig.launch(1, launch);
            rig.sim.synchronize();
            for (int i = 0; i < 8; i++) {
                assertThat(Memory.f64(rig.x + 8 * i)).isNaN();
            }
            rig.sim.assertNoHazards();
        }
    }
}
