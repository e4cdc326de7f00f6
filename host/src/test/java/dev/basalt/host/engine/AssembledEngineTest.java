package dev.basalt.host.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.Garbage;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The assembled engine as a whole: what the portable engine computes, without garbage. */
class AssembledEngineTest {
    private static final List<ElementType> TYPES =
            List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64);

    private static final int ROUNDS = 100;

    private Engine engine;

    @BeforeEach
    void open() {
        try {
            engine = AssembledEngine.open();
        } catch (Engines.Declined e) {
            Assumptions.abort("skipped: " + e.getMessage());
        }
    }

    private static void fill(ElementType type, long at, long elements, double shift) {
        boolean wide = type == ElementType.F64 || type == ElementType.C64;
        long reals = elements * type.bytes() / (wide ? 8 : 4);
        for (long i = 0; i < reals; i++) {
            double value = (i * 29 % 31 - 15) / 64.0 + shift;
            if (wide) {
                Memory.f64(at + 8 * i, value);
            } else {
                Memory.f32(at + 4 * i, (float) value);
            }
        }
    }

    private static double[] reals(ElementType type, long at, long elements) {
        boolean wide = type == ElementType.F64 || type == ElementType.C64;
        double[] values = new double[(int) (elements * type.bytes() / (wide ? 8 : 4))];
        for (int i = 0; i < values.length; i++) {
            values[i] = wide ? Memory.f64(at + 8L * i) : Memory.f32(at + 4L * i);
        }
        return values;
    }

    private interface Work {
        void run(Leaf leaf, long a, long b, long c);
    }

    private void agree(ElementType type, int n, Work work) {
        Engine portable = new ScalarEngine();
        double[][] results = new double[2][];
        for (int pass = 0; pass < 2; pass++) {
            try (Arena arena = Arena.ofConfined()) {
                long bytes = (long) n * n * type.bytes();
                long a = arena.allocate(bytes, 64).address();
                long b = arena.allocate(bytes, 64).address();
                long c = arena.allocate(bytes, 64).address();
                fill(type, a, (long) n * n, 0);
                fill(type, b, (long) n * n, 0.25);
                fill(type, c, (long) n * n, -0.25);
                // A diagonal that keeps solutions small.
                for (int i = 0; i < n; i++) {
                    fill(type, a + (long) i * (n + 1) * type.bytes(), 1, n);
                }
                work.run((pass == 0 ? engine : portable).leaf(type), a, b, c);
                double[] all = new double[0];
                for (long m : new long[] {a, b, c}) {
                    double[] values = reals(type, m, (long) n * n);
                    int end = all.length;
                    all = Arrays.copyOf(all, end + values.length);
                    System.arraycopy(values, 0, all, end, values.length);
                }
                results[pass] = all;
            }
        }
        boolean wide = type == ElementType.F64 || type == ElementType.C64;
        for (int i = 0; i < results[0].length; i++) {
            double tolerance = (wide ? 1e-11 : 1e-3) * (1 + Math.abs(results[1][i]));
            assertThat(Math.abs(results[0][i] - results[1][i])).isLessThanOrEqualTo(tolerance);
        }
    }

    @Test
    void recursiveKernelsRunOnTheProduct() {
        int n = 75;
        for (ElementType type : TYPES) {
            for (Side side : Side.values()) {
                for (Uplo uplo : Uplo.values()) {
                    for (Op op : Op.values()) {
                        agree(type, n, (leaf, a, b, c) -> {
                            leaf.trsm(side, uplo, op, Diag.NON_UNIT, n, n, 1, 0, a, n, b, n);
                            leaf.trmm(side, uplo, op, Diag.UNIT, n, n, 1, 0, a, n, c, n);
                        });
                    }
                    agree(type, n, (leaf, a, b, c) -> {
                        leaf.symm(side, uplo, false, n, n, 0.5, 0, a, n, b, n, 1, 0, c, n);
                        leaf.syrk(uplo, Op.NONE, false, n, n, 0.5, 0, b, n, 1, 0, c, n);
                        leaf.potf2(uplo, n, a, n);
                    });
                }
            }
            agree(type, n, (leaf, a, b, c) -> {
                leaf.gemv(Op.TRANS, n, n, 1, 0, a, n, b, 1, 0.5, 0, c, 1);
                leaf.getf2(n, n, a, n, c, 0);
            });
        }
    }

    @Test
    void productsMakeNoGarbage() throws ReflectiveOperationException {
        int n = 150;
        for (ElementType type : TYPES) {
            try (Arena arena = Arena.ofConfined()) {
                long bytes = (long) n * n * type.bytes();
                long a = arena.allocate(3 * bytes, 64).address();
                fill(type, a, 3L * n * n, 0);
                GemmBlocking blocking = engine.gemm(type);
                long workBytes = blocking.bytes(0, n, n, n, type.bytes(), 1);
                long work = arena.allocate(workBytes, 64).address();
                Leaf leaf = engine.leaf(type);
                // Many rounds, since the measurement itself is off by a few objects.
                long garbage = Garbage.of(30, 8 * ROUNDS, () -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        leaf.gemm(Op.TRANS, Op.NONE, n, n, n, 1, 0, a, n, a + bytes, n, 0, 0, a + 2 * bytes, n, work,
                                workBytes);
                        leaf.gemm(Op.NONE, Op.TRANS, 20, 20, 20, 1, 0, a, n, a + bytes, n, 0, 0, a + 2 * bytes, n, 0,
                                0);
                        leaf.asum(n, a, 1);
                    }
                });
                assertThat(garbage).as(type.toString()).isLessThan(8 * ROUNDS);
            }
        }
    }
}
