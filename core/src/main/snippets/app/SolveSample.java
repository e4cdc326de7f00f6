package app;

import static dev.basalt.type.ElementType.F64;
import static dev.basalt.type.ElementType.I32;
import static dev.basalt.type.ElementType.I64;
import static dev.basalt.type.Op.NONE;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.VectorView;
import java.util.Arrays;

public class SolveSample {
    public static void main(String[] args) {
        // @start region="solve"
        double[] elements = {4, 2, 1, 2, 3, 1.5, 8, 8, 6}; // column by column
        double[] right = {32, 32, 22};
        double[] solution = new double[3];
        int[] failed = new int[1];
        try (Device device = Device.best(); // a GPU if there is one, else the host
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(F64, 3, 3);
            MatrixView b = arena.matrix(F64, 3, 1);
            VectorView pivots = arena.vector(I64, 3);
            VectorView info = arena.vector(I32, 1);
            a.upload(elements);
            b.upload(right);
            Lapack.gesv(handle, a, pivots, b, info); // the solution replaces b
            info.download(failed);
            if (failed[0] == 0) { // numerical failures are in info, not exceptions
                b.download(solution);
                System.out.println(Arrays.toString(solution));
            }
        }
        // @end
    }

    static void plan(Handle handle, MatrixView a, MatrixView b, VectorView pivots, VectorView info) {
        // @start region="plan"
        Plan plan = handle.plan(h -> {
            Lapack.getrf(h, a, pivots, info);
            Lapack.getrs(h, NONE, a, pivots, b);
        });
        System.out.println(plan.optimal() + " bytes for full speed, " + plan.minimum() + " to run at all");
        handle.reserve(plan); // from here on nothing allocates
        // @end
    }
}
