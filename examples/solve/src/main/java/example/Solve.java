package example;

import static dev.basalt.type.ElementType.F64;
import static dev.basalt.type.ElementType.I32;
import static dev.basalt.type.ElementType.I64;
import static dev.basalt.type.Op.NONE;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import java.util.Locale;

/** A beam of n points on springs: factor once, solve for two loads. */
public class Solve {
    private Solve() {}

    public static void main(String[] args) {
        int n = 5;
        double[] stiffness = new double[n * n];
        for (int i = 0; i < n; i++) {
            stiffness[i + i * n] = 4; // element (i, j) is at i + j·n: column by column
            if (i > 0) {
                stiffness[i - 1 + i * n] = -1;
                stiffness[i + (i - 1) * n] = -1;
            }
        }
        double[] loads = {1, 1, 1, 1, 1, 0, 0, 10, 0, 0}; // two columns: an even load, and one in the middle
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(F64, n, n);
            MatrixView b = arena.matrix(F64, n, 2);
            VectorView pivots = arena.vector(I64, n);
            VectorView info = arena.vector(I32, 1);
            a.upload(stiffness);
            b.upload(loads);

            Lapack.getrf(handle, a, pivots, info);
            int[] failed = new int[1];
            info.download(failed);
            if (failed[0] != 0) {
                throw new ArithmeticException("the matrix is singular: pivot " + failed[0] + " is zero");
            }
            Lapack.getrs(handle, NONE, a, pivots, b); // the solutions replace the loads
            b.download(loads);
        }
        for (int j = 0; j < 2; j++) {
            StringBuilder line = new StringBuilder("load " + (j + 1) + ":");
            for (int i = 0; i < n; i++) {
                line.append(String.format(Locale.ROOT, " %.6f", loads[i + j * n]));
            }
            System.out.println(line);
        }
    }
}
