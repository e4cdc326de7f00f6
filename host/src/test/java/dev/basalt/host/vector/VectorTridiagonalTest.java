package dev.basalt.host.vector;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Systems in lanes have the bits of systems alone, whatever their number and however many pieces their rows come in. */
class VectorTridiagonalTest {
    private static final long SEED = 20261123;
    private static final int[] COUNTS = {9, 19};

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 40, 513, 2050, 2051, 4600})
    void lanesHaveTheBitsOfSystemsAlone(int n) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int count : COUNTS) {
            for (int r = n > 513 ? 1 : 0; r < (n > 513 ? 2 : 3); r++) {
                try (Arena arena = Arena.ofConfined()) {
                    Launch l = new Launch().reset(Kernel.GTSV, ElementType.F64, count);
                    long doubles = 8L * count * (4L * n - 2);
                    long bytes = doubles + 4L * count;
                    long at = arena.allocate(bytes, 64).address();
                    l.n = n;
                    l.m = 1;
                    l.a.vector(ElementType.F64, at, n - 1, 1, n - 1);
                    l.b.vector(ElementType.F64, at + 8L * count * (n - 1), n, 1, n);
                    l.f.vector(ElementType.F64, at + 8L * count * (2L * n - 1), n - 1, 1, n - 1);
                    l.c.matrix(ElementType.F64, at + 8L * count * (3L * n - 2), n, 1, n, n);
                    l.e.vector(ElementType.I32, at + doubles, 1, 1, 1);
                    for (long i = 0; i < doubles; i += 8) {
                        f64(at + i, 2 * random.nextDouble() - 1);
                    }
                    for (int p = 0; p < count; p++) {
                        i32(l.e.at(p), 0);
                    }
                    if (r > 0) {
                        // A column of zeros: no pivot there.
                        int p = random.nextInt(count);
                        int column = r == 1 ? random.nextInt(n) : n - 1;
                        f64(l.b.at(p) + 8L * column, 0);
                        f64(l.a.at(p) + 8L * Math.min(column, n - 2), 0);
                        f64(l.f.at(p) + 8L * Math.max(column - 1, 0), 0);
                    }
                    long copy = arena.allocate(bytes, 64).address();
                    Memory.copy(at, copy, bytes);
                    VectorDTridiagonal kernels = new VectorDTridiagonal();
                    assertThat(kernels.takes(l)).isTrue();
                    kernels.run(l, 0, count);
                    byte[] together = bytes(at, bytes);
                    Memory.copy(copy, at, bytes);
                    for (int p = 0; p < count; p++) {
                        kernels.run(l, p, p + 1L);
                    }
                    assertThat(bytes(at, bytes)).as("n %d count %d round %d seed %d", n, count, r, SEED)
                            .isEqualTo(together);
                }
            }
        }
    }

    private static byte[] bytes(long at, long bytes) {
        return Memory.ALL.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE);
    }
}
