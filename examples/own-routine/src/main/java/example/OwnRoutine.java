package example;

import static dev.basalt.type.ElementType.F64;
import static dev.basalt.type.Op.NONE;
import static dev.basalt.type.Op.TRANS;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Layout;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Status;
import dev.basalt.VectorView;
import java.util.Arrays;

/** A routine with two algorithms, and what the handle makes of it. */
public class OwnRoutine {
    private OwnRoutine() {}

    /** y := Bᵀ·(B·x), either by a matrix BᵀB that is made first, or vector by vector. */
    static Status normal(Handle handle, MatrixView b, VectorView x, VectorView y) {
        long m = b.rows();
        long n = b.cols();
        MatrixView square = MatrixView.shape(F64, n, n);
        VectorView product = VectorView.shape(F64, m);
        Plan withMatrix = handle.plan(h -> {
            Blas.gemm(h, TRANS, NONE, 1, b, b, 0, square);
            Blas.gemv(h, NONE, 1, square, x, 0, y);
        });
        Plan withVectors = handle.plan(h -> {
            Blas.gemv(h, NONE, 1, b, x, 0, product);
            Blas.gemv(h, TRANS, 1, b, product, 0, y);
        });
        Layout layout = Layout.of("normal", "m=" + m + " n=" + n)
                .tier("with BtB").slot("BtB", 8 * n * n).calls(withMatrix)
                .tier("with B*x").slot("B*x", 8 * m).calls(withVectors);
        if (handle.isDeviceMemorySizeQuery()) { // a plan, or a size query: answer, and do nothing
            return handle.setOptimalDeviceMemorySize(layout);
        }
        try (Lease lease = handle.deviceMalloc(layout).orThrow()) {
            if (lease.tier() == 0) {
                MatrixView c = MatrixView.of(F64, lease.slot("BtB").pointer(), n, n, n);
                Blas.gemm(handle, TRANS, NONE, 1, b, b, 0, c);
                Blas.gemv(handle, NONE, 1, c, x, 0, y);
            } else {
                VectorView bx = VectorView.of(F64, lease.slot("B*x").pointer(), m, 1);
                Blas.gemv(handle, NONE, 1, b, x, 0, bx);
                Blas.gemv(handle, TRANS, 1, b, bx, 0, y);
            }
            return lease.status(); // SUCCESS, or PERF_DEGRADED
        }
    }

    public static void main(String[] args) {
        int m = 50;
        int n = 20;
        double[] ones = new double[m * n];
        Arrays.fill(ones, 1);
        double[] result = new double[n];
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView b = arena.matrix(F64, m, n);
            VectorView x = arena.vector(F64, n);
            VectorView y = arena.vector(F64, n);
            b.upload(ones);
            x.upload(Arrays.copyOf(ones, n));
            Plan plan = handle.plan(h -> normal(h, b, x, y));
            System.out.println("tiers: " + plan.calls().get(0).tiers().size());
            for (long bytes : new long[] {plan.optimal(), plan.minimum()}) {
                handle.setDeviceMemorySize(bytes);
                Status status = normal(handle, b, x, y);
                y.download(result);
                System.out.println(status + " " + handle.lastCall().tierName() + ": y(1) = " + result[0]);
            }
        }
    }
}
