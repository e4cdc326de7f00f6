package example;

import static dev.basalt.type.ElementType.F64;
import static dev.basalt.type.ElementType.I32;
import static dev.basalt.type.Uplo.LOWER;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import java.util.Arrays;
import java.util.Locale;

/** 10 000 symmetric systems of order 6, one of them not positive definite, in one call. */
public class Batched {
    private Batched() {}

    public static void main(String[] args) {
        int n = 6;
        int count = 10_000;
        double[] matrices = new double[n * n * count];
        double[] right = new double[n * count];
        Arrays.fill(right, 1);
        for (int p = 0; p < count; p++) {
            for (int i = 0; i < n; i++) {
                matrices[p * n * n + i + i * n] = 2 + p % 7;
                if (i > 0) {
                    matrices[p * n * n + i + (i - 1) * n] = -1; // the lower triangle is enough
                }
            }
        }
        matrices[1234 * n * n] = -1;

        int[] info = new int[count];
        try (Device device = Device.best(); // a GPU, or the host where there is none
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(F64, n, n, count); // the view is a batch, so the call is one
            MatrixView b = arena.matrix(F64, n, 1, count);
            VectorView outcome = arena.vector(I32, 1, count);
            a.upload(matrices);
            b.upload(right);
            Lapack.posv(handle, LOWER, a, b, outcome);
            outcome.download(info);
            b.download(right);
            long failed = Arrays.stream(info).filter(i -> i != 0).count();
            System.out.println("on " + device.name() + ": " + (count - failed) + " systems solved, " + failed + " not");
        }
        System.out.println("system 1234: minor " + info[1234] + " is not positive definite");
        System.out.printf(Locale.ROOT, "system 1235 begins %.6f %.6f%n", right[1235 * n], right[1235 * n + 1]);
    }
}
