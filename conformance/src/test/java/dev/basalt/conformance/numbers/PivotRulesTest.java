package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What getrs says of pivots that are no row numbers, and what it does where it has nothing to look at. */
class PivotRulesTest {
    /** How many calls a run makes whose pivots another thread changes. */
    private static final int CALLS = Boolean.getBoolean("basalt.test.long") ? 20_000 : 4_000;

    private static void identity(MatrixView a, int n) {
        boolean wide = a.type().real() == ElementType.F64;
        int parts = a.type().isComplex() ? 2 : 1;
        double[] ones = new double[n * n * parts];
        float[] floats = new float[ones.length];
        for (int i = 0; i < n; i++) {
            ones[i * (n + 1) * parts] = 1;
            floats[i * (n + 1) * parts] = 1;
        }
        a.upload(wide ? ones : floats);
    }

    @EveryTarget
    void infoIsTheNinthArgumentAndMustBeThere(Target target) {
        try (Device device = Devices.open(target.device());
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(target.type(), 3, 3);
            VectorView pivots = arena.vector(ElementType.I64, 3);
            MatrixView b = arena.matrix(target.type(), 3, 1);
            VectorView wrong = arena.vector(ElementType.I64, 1);
            BlasException absent =
                    catchThrowableOfType(BlasException.class, () -> Lapack.getrs(handle, Op.NONE, a, pivots, b, null));
            assertThat(absent.status()).isEqualTo(Status.INVALID_POINTER);
            assertThat(absent.argument()).isEqualTo("info");
            assertThat(absent.position()).isEqualTo(9);
            BlasException integers =
                    catchThrowableOfType(BlasException.class, () -> Lapack.getrs(handle, Op.NONE, a, pivots, b, wrong));
            assertThat(integers.status()).isEqualTo(Status.INVALID_VALUE);
            assertThat(integers.argument()).isEqualTo("info");
        }
    }

    @EveryTarget
    void withoutRightHandSidesNoPivotIsLookedAt(Target target) {
        try (Device device = Devices.open(target.device());
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView pivots = arena.vector(ElementType.I64, 3);
            pivots.upload(new long[] {-1, 0, Long.MAX_VALUE});
            VectorView info = arena.vector(ElementType.I32, 1);
            info.upload(new int[] {77});
            MatrixView a = arena.matrix(target.type(), 3, 3);
            MatrixView b = arena.matrix(target.type(), 3, 0);
            assertThat(Lapack.getrs(handle, Op.NONE, a, pivots, b, info)).isEqualTo(Status.SUCCESS);
            handle.synchronize();
            int[] found = new int[1];
            info.download(found);
            assertThat(found[0]).isZero();
        }
    }

    /** Every order up to two hundred, each with one pivot just outside: the last rows are where kernels differ. */
    @EveryTarget
    void everyOrderKnowsItsLastRow(Target target) {
        int most = target.device().startsWith("sim") ? 70 : 200;
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int n = 1; n <= most; n++) {
                try (DeviceArena arena = device.arena()) {
                    MatrixView a = arena.matrix(target.type(), n, n);
                    identity(a, n);
                    MatrixView b = arena.matrix(target.type(), n, n);
                    VectorView pivots = arena.vector(ElementType.I64, n);
                    VectorView info = arena.vector(ElementType.I32, 1);
                    Op op = Op.values()[n % 3];
                    for (int beyond = 0; beyond < 2; beyond++) {
                        identity(b, n);
                        long[] rows = new long[n];
                        for (int i = 0; i < n; i++) {
                            rows[i] = i + 1;
                        }
                        rows[n / 2] = n + beyond;
                        pivots.upload(rows);
                        Lapack.getrs(handle, op, a, pivots, b, info);
                        handle.synchronize();
                        int[] found = new int[1];
                        info.download(found);
                        assertThat(found[0]).as("n = %d, pivot %d", n, n + beyond).isEqualTo(-6 * beyond);
                    }
                }
            }
        }
    }

    /** Pivots of the CPU's own memory that another thread changes during calls: any answer will do, but the process lives. */
    @Test
    void pivotsThatChangeDuringACallDoNoHarm() throws InterruptedException {
        int n = 300;
        for (String engine : Devices.ENGINES) {
            try (Device device = Devices.open(Devices.host(engine, 1));
                    Handle handle = device.createHandle();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, n, n);
                identity(a, n);
                MatrixView b = arena.matrix(ElementType.F64, n, 2);
                VectorView pivots = arena.vector(ElementType.I64, n);
                long[] good = new long[n];
                long[] bad = new long[n];
                for (int i = 0; i < n; i++) {
                    good[i] = n - i;
                    bad[i] = i % 2 == 0 ? Long.MAX_VALUE / 16 : -1L << 40;
                }
                AtomicBoolean over = new AtomicBoolean();
                Thread other = new Thread(() -> {
                    while (!over.get()) {
                        pivots.upload(bad);
                        pivots.upload(good);
                    }
                });
                other.start();
                try {
                    for (int call = 0; call < CALLS; call++) {
                        assertThat(Lapack.getrs(handle, Op.NONE, a, pivots, b)).isEqualTo(Status.SUCCESS);
                    }
                } finally {
                    over.set(true);
                    other.join();
                }
            }
        }
    }
}
