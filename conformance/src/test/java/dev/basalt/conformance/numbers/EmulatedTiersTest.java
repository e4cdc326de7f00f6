package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.EmulatedFactors.SEED;
import static dev.basalt.conformance.numbers.EmulatedFactors.bounded;
import static dev.basalt.conformance.numbers.EmulatedFactors.down;
import static dev.basalt.conformance.numbers.EmulatedFactors.factor;
import static dev.basalt.conformance.numbers.EmulatedFactors.on;
import static dev.basalt.conformance.numbers.EmulatedFactors.operand;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.PlannedCall;
import dev.basalt.Status;
import dev.basalt.conformance.numbers.EmulatedFactors.Kind;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which products of doubles are emulated, in how much memory, and in what forms. */
class EmulatedTiersTest {
    static Stream<String> devices() {
        return Devices.NAMES.stream();
    }

    /** All tiers that emulate have the same bits and do with exactly what they ask for. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void tiersDifferInMemoryAlone(String device) {
        on(device, (handle, arena) -> {
            int m = 300;
            int n = 270;
            int k = 140;
            Random r = new Random(SEED + 2);
            double[] a = factor(Kind.LINES_GRADED, false, m, k, r);
            double[] b = factor(Kind.LINES_GRADED, true, k, n, r);
            MatrixView x = operand(arena, Op.TRANS, a, m, k);
            MatrixView y = operand(arena, Op.NONE, b, k, n);
            MatrixView c = arena.matrix(ElementType.F64, m, n);
            List<PlannedCall.Tier> tiers =
                    handle.plan(h -> Blas.gemm(h, Op.TRANS, Op.NONE, 1.0, x, y, 0.0, c)).calls().get(0).tiers();
            assertThat(tiers.get(0).name()).isEqualTo("emulated");
            assertThat(tiers.get(1).name()).isEqualTo("emulated, blocks of 256");
            assertThat(tiers.size()).isGreaterThan(2);
            double[] best = null;
            for (int t = 0; t < tiers.size(); t++) {
                long bytes = tiers.get(t).bytes();
                if (bytes == 0) {
                    handle.setDeviceMemorySize(64);
                } else {
                    handle.setDeviceMemorySize(bytes);
                }
                Status status = Blas.gemm(handle, Op.TRANS, Op.NONE, 1.0, x, y, 0.0, c);
                assertThat(status).isEqualTo(t == 0 ? Status.SUCCESS : Status.PERF_DEGRADED);
                assertThat(handle.lastCall().tierName()).isEqualTo(tiers.get(t).name());
                double[] found = down(c);
                bounded(found, a, b, m, n, k, tiers.get(t).name());
                if (t > 0) {
                    handle.setDeviceMemorySize(tiers.get(t - 1).bytes() - 64);
                    Blas.gemm(handle, Op.TRANS, Op.NONE, 1.0, x, y, 0.0, c);
                    assertThat(handle.lastCall().tierName()).as("a chunk less").isEqualTo(tiers.get(t).name());
                }
                if (t < 2) {
                    best = best == null ? found : best;
                    assertThat(found).isEqualTo(best);
                }
            }
        });
    }

    /** Of a batch only the problems that need it are multiplied in double. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void batches(String device) {
        on(device, (handle, arena) -> {
            int n = 128;
            Random r = new Random(SEED + 3);
            double[][] a = new double[3][];
            MatrixView[] x = new MatrixView[3];
            MatrixView[] z = new MatrixView[3];
            double[] b = factor(Kind.UNIFORM, true, n, n, r);
            MatrixView y = operand(arena, Op.NONE, b, n, n);
            MatrixView single = arena.matrix(ElementType.F64, n, n);
            for (int p = 0; p < 3; p++) {
                a[p] = factor(p == 1 ? Kind.SPARSE : Kind.NORMAL, false, n, n, r);
                x[p] = operand(arena, Op.NONE, a[p], n, n);
                z[p] = arena.matrix(ElementType.F64, n, n);
            }
            Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, arena.pointers(x), arena.pointers(y, y, y), 0.0,
                    arena.pointers(z));
            for (int p = 0; p < 3; p++) {
                double[] found = down(z[p]);
                bounded(found, a[p], b, n, n, n, "problem " + p);
                Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, x[p], y, 0.0, single);
                if (p != 1) {
                    assertThat(found).isEqualTo(down(single));
                }
            }
        });
    }

    /** A larger product never asks for less, also where the numbers of moduli and pieces of the inner dimension change. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void needsNeverFall(String device) {
        on(device, (handle, arena) -> {
            long[] sizes = {127, 128, 129, 255, 257, 1024, 1025, 4096, 5000, 131_072, 131_073, 300_000};
            for (int grown = 0; grown < 3; grown++) {
                long last = 0;
                for (long size : sizes) {
                    long m = grown == 0 ? size : 700;
                    long n = grown == 1 ? size : 700;
                    long k = grown == 2 ? size : 700;
                    long now = handle.plan(h -> Blas.gemm(h, Op.NONE, Op.NONE, 1.0,
                            MatrixView.shape(ElementType.F64, m, k), MatrixView.shape(ElementType.F64, k, n), 0.0,
                            MatrixView.shape(ElementType.F64, m, n))).optimal();
                    assertThat(now).as("%d %d %d", m, n, k).isGreaterThanOrEqualTo(last);
                    last = now;
                }
            }
        });
    }

    /** Products of other types and small ones are as they are by default. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void whatIsNotEmulated(String device) {
        on(device, (handle, arena) -> {
            int n = 130;
            Random r = new Random(SEED + 4);
            double[] x = r.doubles(n * n, -1, 1).toArray();
            float[] single = new float[n * n];
            for (int i = 0; i < single.length; i++) {
                single[i] = (float) x[i];
            }
            MatrixView f = arena.matrix(ElementType.F32, n, n);
            f.upload(single);
            MatrixView small = arena.matrix(ElementType.F64, 127, n);
            MatrixView d = operand(arena, Op.NONE, x, n, n);
            small.upload(Arrays.copyOf(x, 127 * n));
            MatrixView[][] calls =
                    {{f, f, arena.matrix(ElementType.F32, n, n)}, {small, d, arena.matrix(ElementType.F64, 127, n)}};
            for (MatrixView[] v : calls) {
                Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, v[0], v[1], 0.0, v[2]);
                assertThat(handle.lastCall().tierName()).doesNotContain("emulated");
                float[] found = new float[(int) (v[2].rows() * n)];
                double[] wide = new double[found.length];
                boolean narrow = v[2].type() == ElementType.F32;
                if (narrow) {
                    v[2].download(found);
                } else {
                    v[2].download(wide);
                }
                handle.setMathMode(MathMode.DEFAULT);
                Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, v[0], v[1], 0.0, v[2]);
                handle.setMathMode(MathMode.EMULATED);
                if (narrow) {
                    float[] right = new float[found.length];
                    v[2].download(right);
                    assertThat(found).isEqualTo(right);
                } else {
                    assertThat(wide).isEqualTo(down(v[2]));
                }
            }
        });
    }
}
