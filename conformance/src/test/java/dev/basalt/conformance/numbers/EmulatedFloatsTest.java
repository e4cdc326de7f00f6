package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Products of floats in the mode EMULATED: within the bound of every sum in float, and as by default where a number is none. */
class EmulatedFloatsTest {
    private static final long SEED = EmulatedFactors.SEED;
    private static final int M = 1030;
    private static final int N = 1025;
    private static final int K = 530;

    /** Elements that are compared with sums in double. */
    private static final int SAMPLES = 4000;

    static Stream<String> devices() {
        return Devices.NAMES.stream();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void errorsAreThoseOfFloat(String device) {
        assumeTrue(!device.startsWith("sim"), "the simulated device takes long for products that are split");
        EmulatedFactors.on(device, (handle, arena) -> {
            Random r = new Random(SEED);
            for (int form = 0; form < 4; form++) {
                Op opA = form / 2 == 0 ? Op.NONE : Op.TRANS;
                Op opB = form % 2 == 0 ? Op.NONE : Op.CONJ_TRANS;
                float[] a = random(r, M * K);
                float[] b = random(r, K * N);
                // A row that meets infinity, and a column that meets no number.
                a[7 * K + 3] = Float.POSITIVE_INFINITY;
                b[9 * K + 5] = Float.NaN;
                MatrixView c = arena.matrix(ElementType.F32, M, N);
                c.upload(random(r, M * N));
                MatrixView left =
                        opA == Op.NONE ? arena.matrix(ElementType.F32, M, K) : arena.matrix(ElementType.F32, K, M);
                MatrixView right =
                        opB == Op.NONE ? arena.matrix(ElementType.F32, K, N) : arena.matrix(ElementType.F32, N, K);
                left.upload(opA == Op.NONE ? turned(a, K, M) : a);
                right.upload(opB == Op.NONE ? b : turned(b, K, N));
                assertThat(Blas.gemm(handle, opA, opB, 1.0, left, right, 0.0, c)).isEqualTo(Status.SUCCESS);
                float[] found = new float[M * N];
                c.download(found);
                for (int s = 0; s < SAMPLES + N; s++) {
                    int i = s < N ? 7 : r.nextInt(M);
                    int j = s < N ? s : s % 50 == 0 ? 9 : r.nextInt(N);
                    compare(found[i + j * M], a, i, b, j, "seed " + SEED + " " + opA + " " + opB + " " + i + " " + j);
                }
            }
        });
    }

    /** Row i of op(A) and column j of op(B) are K numbers each. */
    private static void compare(float found, float[] a, int i, float[] b, int j, String label) {
        double sum = 0;
        double size = 0;
        for (int l = 0; l < K; l++) {
            double term = (double) a[i * K + l] * b[j * K + l];
            sum += term;
            size += Math.abs(term);
        }
        if (Double.isFinite(sum)) {
            assertThat(Math.abs(found - sum)).as(label).isLessThanOrEqualTo((K + 16) * 0x1p-24 * size);
        } else {
            assertThat((double) found).as(label).isEqualTo(Double.valueOf(sum));
        }
    }

    private static float[] random(Random r, int count) {
        float[] x = new float[count];
        for (int i = 0; i < count; i++) {
            x[i] = 2 * r.nextFloat() - 1;
        }
        return x;
    }

    private static float[] turned(float[] x, int rows, int cols) {
        float[] y = new float[x.length];
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                y[j + i * cols] = x[i + j * rows];
            }
        }
        return y;
    }
}
