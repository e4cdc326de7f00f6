package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Status;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What GPUs do not offer yet is an error that says so, and nothing is launched. */
class RefusalTest {
    private final Launch l = new Launch();

    private void refuses(String what) {
        Launcher<Void> launcher = new Launcher<>((function, x, y, z, threads, shared, arguments, channel) -> {
            throw new AssertionError("launched");
        }, 8);
        try (Arena arena = Arena.ofConfined()) {
            long arguments = arena.allocate(Arguments.BYTES, 64).address();
            assertThatThrownBy(() -> launcher.run(l, arguments, 0, null))
                    .isInstanceOfSatisfying(DriverException.class,
                            e -> assertThat(e.status()).isEqualTo(Status.NOT_IMPLEMENTED))
                    .hasMessageContaining(what);
        }
    }

    @Test
    void storages() {
        l.reset(Kernel.GEMM, ElementType.F32, 1);
        l.a.band(ElementType.F32, 64, 8, 8, 1, 1, 3, 0);
        refuses("BAND");
        l.reset(Kernel.GEMM, ElementType.F32, 1);
        l.a.packed(ElementType.F32, 64, 8, 0);
        refuses("PACKED");
    }

    @Test
    void extents() {
        l.reset(Kernel.GEQR2, ElementType.F32, 1);
        l.extent = 64;
        refuses("GEQR2");
    }

    @Test
    void types() {
        l.reset(Kernel.GEMV, ElementType.F32, 1);
        l.a.matrix(ElementType.F8_E4M3, 64, 8, 8, 8, 0);
        refuses("GEMV");
        l.reset(Kernel.AXPY, ElementType.F32, 1);
        l.a.vector(ElementType.F8_E4M3, 64, 8, 1, 0);
        refuses("AXPY");
        l.reset(Kernel.COPY, ElementType.BF16, 1);
        refuses("BF16");
    }
}
