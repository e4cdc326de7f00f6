package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/** trtri with LAPACK's arguments tells where a diagonal is zero and leaves that matrix, and only that one, as it is. */
class SingularTriangleTest {
    private static final int N = 70;
    private static final int PROBLEMS = 3;

    @EveryTarget
    void theFirstZeroIsTold(Target target) {
        try (Device device = Devices.open(target.device());
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            int parts = target.type().isComplex() ? 2 : 1;
            double[] numbers = new double[N * N * PROBLEMS * parts];
            for (int p = 0; p < PROBLEMS; p++) {
                for (int i = 0; i < N; i++) {
                    numbers[(p * N * N + i * (N + 1)) * parts] = 2;
                }
            }
            numbers[(N * N + 40 * (N + 1)) * parts] = 0;
            numbers[(N * N + 69 * (N + 1)) * parts] = 0;
            MatrixView a = arena.matrix(target.type(), N, N, PROBLEMS);
            VectorView info = arena.vector(ElementType.I32, PROBLEMS);
            for (Diag diag : Diag.values()) {
                upload(a, numbers);
                info.upload(new int[] {9, 9, 9});
                Lapack.trtri(handle, Uplo.LOWER, diag, a, info);
                int[] found = new int[PROBLEMS];
                info.download(found);
                boolean unit = diag == Diag.UNIT;
                assertThat(found).containsExactly(0, unit ? 0 : 41, 0);
                double[] after = download(a, numbers.length);
                for (int i = 0; i < numbers.length; i++) {
                    boolean inverted = !unit && i / (N * N * parts) != 1;
                    assertThat(after[i]).isEqualTo(inverted && numbers[i] == 2 ? 0.5 : numbers[i]);
                }
            }
        }
    }

    private static void upload(MatrixView a, double[] numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        a.upload(a.type().real() == ElementType.F64 ? numbers : floats);
    }

    private static double[] download(MatrixView a, int size) {
        double[] numbers = new double[size];
        if (a.type().real() == ElementType.F64) {
            a.download(numbers);
            return numbers;
        }
        float[] floats = new float[size];
        a.download(floats);
        for (int i = 0; i < size; i++) {
            numbers[i] = floats[i];
        }
        return numbers;
    }
}
