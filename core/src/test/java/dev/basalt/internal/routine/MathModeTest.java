package dev.basalt.internal.routine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import org.junit.jupiter.api.Test;

/** Who may round the factors of a product: gemm where the handle says so, and a composite that says so itself. */
class MathModeTest {
    private static final int N = 64;

    private final FakeDriver driver = new FakeDriver();

    @Test
    void gemmTakesItFromTheHandle() {
        try (Device device = Device.of(driver);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F32, N, N);
            a.upload(new float[N * N]);
            MatrixView c = arena.matrix(ElementType.F32, N, N);
            MatrixView d = arena.matrix(ElementType.F32, N, N);
            c.upload(new float[N * N]);
            handle.setMathMode(MathMode.TF32);
            Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, c);
            assertThat(driver.last.math).isEqualTo(MathMode.TF32);
            Blas.gemmEx(handle, Op.NONE, Op.NONE, 1, a, a, 1, c, d);
            assertThat(driver.last.kernel).isEqualTo(Kernel.GEMM);
            assertThat(driver.last.math).isEqualTo(MathMode.TF32);
            handle.setMathMode(MathMode.DEFAULT);
            Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, c);
            assertThat(driver.last.math).isEqualTo(MathMode.DEFAULT);
        }
    }

    @Test
    void aCompositeAsksForItselfUntilItsCallEnds() {
        Scope s = new Scope(driver);
        Operand x = new Operand().matrix(ElementType.F32, 64, N, N, N, 0);
        s.begin(ElementType.F32, 1, 0);
        Block a = s.of(x, N, N);
        s.gemm(1, a, a, 0, a);
        assertThat(driver.last.math).isEqualTo(MathMode.DEFAULT);
        s.math = MathMode.TF32;
        s.gemm(1, a, a, 0, a);
        assertThat(driver.last.math).isEqualTo(MathMode.TF32);
        s.begin(ElementType.F32, 1, 0);
        a = s.of(x, N, N);
        s.gemm(1, a, a, 0, a);
        assertThat(driver.last.math).isEqualTo(MathMode.DEFAULT);
    }
}
