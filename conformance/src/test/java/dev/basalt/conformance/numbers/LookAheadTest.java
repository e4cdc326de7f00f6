package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Graph;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Stream;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.sim.SimDriver;
import dev.basalt.type.Direct;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Factorisations whose panels are made beside products: of orders from which devices that work in waves do so. A simulated device names every pair of launches that are not
 * ordered and touch the same memory.
 */
class LookAheadTest {
    private static final double THRESHOLD = 30;

    /** Columns that tell of the whole matrix. */
    private static final int COMBINATIONS = 3;

    /** Rows and columns: on a GPU, and elsewhere. */
    private static final int[][] LARGE = {{1100, 1000}, {800, 1001}, {2300, 900}};

    private static final int[][] SMALL = {{211, 200}, {195, 230}, {260, 197}};

    private static int[][] shapes(Target target) {
        return target.device().startsWith("cuda") ? LARGE : SMALL;
    }

    private static Mat random(Random random, ElementType type, int m, int n) {
        return Mat.of(m, n, (i, j) -> random.nextGaussian(), (i, j) -> type.isComplex() ? random.nextGaussian() : 0);
    }

    /** A factorisation, and what its factors make of columns x. */
    private interface Factors {
        Mat times(Handle h, DeviceArena arena, MatrixView a, Mat x);
    }

    /** The factors make of random columns what A makes of them. */
    private static void isA(Target target, Factors factors) {
        try (Device device = Devices.open(target.device())) {
            isA(device, target.type(), shapes(target), factors);
        }
    }

    private static void isA(Device device, ElementType type, int[][] shapes, Factors factors) {
        try (Handle h = device.createHandle()) {
            for (int[] shape : shapes) {
                Random random = new Random(31L * shape[0] + shape[1]);
                try (DeviceArena arena = device.arena()) {
                    MatrixView a = arena.matrix(type, shape[0], shape[1]);
                    Orthogonal.upload(a, random(random, type, shape[0], shape[1]));
                    Mat given = Orthogonal.download(a, shape[0], shape[1]);
                    Mat x = random(random, type, shape[1], COMBINATIONS);
                    near(type, shape, factors.times(h, arena, a, x), given.times(x));
                }
            }
        }
    }

    private static Mat upper(Mat factors, int rows, int k) {
        return Mat.of(rows, factors.n, (i, j) -> i <= j && i < k ? factors.re(i, j) : 0,
                (i, j) -> i <= j && i < k ? factors.im(i, j) : 0);
    }

    /** Q·(R·x). */
    @EveryTarget
    void qrIsA(Target target) {
        isA(target, LookAheadTest::qr);
    }

    private static Mat qr(Handle h, DeviceArena arena, MatrixView a, Mat x) {
        int m = (int) a.rows();
        int n = (int) a.cols();
        int k = Math.min(m, n);
        VectorView tau = arena.vector(a.type(), k);
        Lapack.geqrf(h, a, tau);
        MatrixView right = arena.matrix(a.type(), m, COMBINATIONS);
        Orthogonal.upload(right, upper(Orthogonal.download(a, m, n), m, k).times(x));
        Lapack.ormqr(h, Side.LEFT, Op.NONE, a.block(0, 0, m, k), tau, right);
        return Orthogonal.download(right, m, COMBINATIONS);
    }

    /** The same where several panels are applied at once: so many columns that they pay. */
    @Test
    void panelsThatAreAppliedAtOnceAreMadeBesideProducts() {
        SimDriver sim = SimDriver.builder().seed(21).waves(true).throwOnHazard(true).open();
        try (Device device = Device.of(sim)) {
            isA(device, ElementType.F64, new int[][] {{1630, 1571}}, LookAheadTest::qr);
            isA(device, ElementType.C32, new int[][] {{1540, 1660}}, LookAheadTest::qr);
            sim.assertNoHazards();
        }
        assertThat(sim.leaks()).isEmpty();
    }

    /** Pᵀ·(L·(U·x)): rows beyond the columns follow their pivots, too. */
    @EveryTarget
    void luIsA(Target target) {
        isA(target, (h, arena, a, x) -> {
            int m = (int) a.rows();
            int n = (int) a.cols();
            int k = Math.min(m, n);
            VectorView pivots = arena.vector(ElementType.I64, k);
            Lapack.getrf(h, a, pivots, arena.vector(ElementType.I32, 1));
            Mat f = Orthogonal.download(a, m, n);
            Mat lower = Mat.of(m, k, (i, j) -> i > j ? f.re(i, j) : i == j ? 1 : 0, (i, j) -> i > j ? f.im(i, j) : 0);
            MatrixView right = arena.matrix(a.type(), m, COMBINATIONS);
            Orthogonal.upload(right, lower.times(upper(f, k, k).times(x)));
            Lapack.laswp(h, Direct.BACKWARD, right, 1, pivots);
            return Orthogonal.download(right, m, COMBINATIONS);
        });
    }

    private static void near(ElementType type, int[] shape, Mat found, Mat right) {
        double error = Decomposed.max(found.minus(right));
        double unit = ColumnPivotingTest.unit(type);
        assertThat(error).as(shape[0] + " x " + shape[1])
                .isLessThan(THRESHOLD * unit * Math.max(shape[0], shape[1]) * Math.sqrt(shape[1]));
    }

    /** A graph of both has the bits of the calls, and work of two streams with panels of their own does not meet. */
    @EveryTarget
    void graphsAndStreamsHaveTheirOwn(Target target) {
        ElementType type = target.type();
        if (target.device().startsWith("host")) {
            return;
        }
        int m = shapes(target)[0][0];
        int n = shapes(target)[0][1];
        try (Device device = Devices.open(target.device());
                Stream one = device.createStream();
                Stream two = device.createStream();
                Handle first = device.handleBuilder().stream(one).create();
                Handle second = device.handleBuilder().stream(two).create();
                DeviceArena arena = device.arena()) {
            Mat given = random(new Random(7), type, m, n);
            Both x = new Both(arena, type, m, n);
            Both y = new Both(arena, type, m, n);
            x.load(given);
            y.load(given);
            // Both streams at once.
            x.run(first);
            y.run(second);
            double[] qr = Orthogonal.download(x.qr, m, n).re;
            double[] lu = Orthogonal.download(x.lu, m, n).re;
            assertThat(Orthogonal.download(y.qr, m, n).re).isEqualTo(qr);
            assertThat(Orthogonal.download(y.lu, m, n).re).isEqualTo(lu);
            x.load(given);
            y.load(given);
            try (Graph graph = first.capture(x::run)) {
                for (int i = 0; i < 2; i++) {
                    x.load(given);
                    y.load(given);
                    graph.launch(one);
                    y.run(second);
                    assertThat(Orthogonal.download(x.qr, m, n).re).isEqualTo(qr);
                    assertThat(Orthogonal.download(x.lu, m, n).re).isEqualTo(lu);
                    assertThat(Orthogonal.download(y.qr, m, n).re).isEqualTo(qr);
                }
            }
        }
    }

    private record Both(MatrixView qr, VectorView tau, MatrixView lu, VectorView pivots, VectorView info) {
        Both(DeviceArena arena, ElementType type, int m, int n) {
            this(arena.matrix(type, m, n), arena.vector(type, Math.min(m, n)), arena.matrix(type, m, n),
                    arena.vector(ElementType.I64, Math.min(m, n)), arena.vector(ElementType.I32, 1));
        }

        void load(Mat given) {
            Orthogonal.upload(qr, given);
            Orthogonal.upload(lu, given);
        }

        void run(Handle h) {
            Lapack.geqrf(h, qr, tau);
            Lapack.getrf(h, lu, pivots, info);
        }
    }

    /** Whatever launch fails, beside the stream or on it: the call says so, nothing runs on, and the next call is right. */
    @Test
    void aLaunchThatFailsLeavesNothingBehind() {
        int m = SMALL[0][0];
        int n = SMALL[0][1];
        SimDriver sim = SimDriver.builder().seed(20).waves(true).throwOnHazard(true).open();
        try (Device device = Device.of(sim); Handle h = device.createHandle(); DeviceArena arena = device.arena()) {
            Mat given = random(new Random(3), ElementType.F64, m, n);
            Both x = new Both(arena, ElementType.F64, m, n);
            for (Consumer<Handle> call : List.<Consumer<Handle>>of(q -> Lapack.geqrf(q, x.qr, x.tau),
                    q -> Lapack.getrf(q, x.lu, x.pivots, x.info))) {
                x.load(given);
                call.accept(h);
                double[] qr = Orthogonal.download(x.qr, m, n).re;
                double[] lu = Orthogonal.download(x.lu, m, n).re;
                for (int k = 2; k < 60; k += 3) {
                    x.load(given);
                    sim.faults().failLaunch(k);
                    assertThatThrownBy(() -> call.accept(h)).isInstanceOf(BlasException.class)
                            .hasMessageContaining("chosen to fail");
                    sim.faults().clear();
                    x.load(given);
                    call.accept(h);
                    assertThat(Orthogonal.download(x.qr, m, n).re).isEqualTo(qr);
                    assertThat(Orthogonal.download(x.lu, m, n).re).isEqualTo(lu);
                }
            }
            sim.assertNoHazards();
        }
        assertThat(sim.leaks()).isEmpty();
    }
}
