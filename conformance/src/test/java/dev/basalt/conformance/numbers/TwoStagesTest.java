package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BandView;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PlannedCall;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A symmetric matrix to a band, and the band to tridiagonal form: the eigenvalues stay where they are. */
class TwoStagesTest {
    private static final double THRESHOLD = 30;

    /** An order from which the host takes two stages in double precision, and is odd. */
    private static final int LARGE = 1449;

    /** Orders of which a simulated device takes the first in two stages, with blocks that are cut, and a GPU the last. */
    private static final int[] ORDERS = {99, 3701};

    @EveryTarget
    void eigenvaluesStay(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (SymmetricMatrices kind : SymmetricMatrices.values()) {
                if (kind.ordinal() >= SymmetricMatrices.HUGE.ordinal()) {
                    continue;
                }
                int kd = 1 + (kind.ordinal() * 7) % 20;
                boolean large = !Devices.isSlow(target.device()) || kind.ordinal() % 3 == 0;
                for (int n : new int[] {1, kd, kd + 1, kd + 2, 2 * kd + 1, large ? 67 : 3 * kd}) {
                    Random random = new Random(31L * n + kind.ordinal());
                    Uplo uplo = random.nextBoolean() ? Uplo.LOWER : Uplo.UPPER;
                    Mat a = kind.matrix(random, type, n);
                    String what = kind + " n=" + n + " kd=" + kd + " " + uplo;
                    try (DeviceArena arena = device.arena()) {
                        stages(h, arena, what, type, uplo, a, kd);
                    }
                }
            }
        }
    }

    private static void stages(Handle h, DeviceArena arena, String what, ElementType type, Uplo uplo, Mat a, int kd) {
        int n = a.n;
        boolean lower = uplo == Uplo.LOWER;
        MatrixView view = arena.matrix(type, n, n);
        Orthogonal.upload(view, SymmetricTest.half(a, uplo));
        BandView band = BandView.of(arena.matrix(type, kd + 1, n), n, lower ? kd : 0, lower ? 0 : kd);
        VectorView tau = arena.vector(type, Math.max(0, n - kd));
        VectorView d = arena.vector(type.real(), n);
        VectorView e = arena.vector(type.real(), n - 1);
        VectorView info = arena.vector(ElementType.I32, 1);
        if (type.isComplex()) {
            Lapack.hetrdHe2hb(h, uplo, view, band, tau);
            Lapack.hetrdHb2st(h, uplo, band, d, e);
        } else {
            Lapack.sytrdSy2sb(h, uplo, view, band, tau);
            Lapack.sytrdSb2st(h, uplo, band, d, e);
        }
        Lapack.sterf(h, d, e, info);
        double[] found = SymmetricTest.reals(d, n);
        // Eigenvectors prove eigenvalues: SymmetricTest measures these.
        Orthogonal.upload(view, SymmetricTest.half(a, uplo));
        VectorView values = arena.vector(type.real(), n);
        Lapack.syevd(h, Evect.ORIGINAL, uplo, view, values, arena.vector(type.real(), n), info);
        SymmetricTest.near(what, type, SymmetricTest.reals(values, n), found);
    }

    /** Of a band that is wider than the matrix, and of none. */
    @EveryTarget
    void edges(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            Mat a = SymmetricMatrices.RANDOM.matrix(new Random(5), type, 4);
            for (int kd : new int[] {0, 9}) {
                MatrixView store = arena.matrix(type, kd + 1, 4);
                Orthogonal.upload(store, Mat.of(kd + 1, 4, (i, j) -> i + j < 4 ? a.re(i + j, j) : Double.NaN,
                        (i, j) -> i + j < 4 ? a.im(i + j, j) : Double.NaN));
                VectorView d = arena.vector(type.real(), 4);
                VectorView e = arena.vector(type.real(), 3);
                BandView band = BandView.of(store, 4, kd, 0);
                if (type.isComplex()) {
                    Lapack.hetrdHb2st(h, Uplo.LOWER, band, d, e);
                } else {
                    Lapack.sytrdSb2st(h, Uplo.LOWER, band, d, e);
                }
                double trace = 0;
                double sum = 0;
                double[] found = SymmetricTest.reals(d, 4);
                double[] beside = SymmetricTest.reals(e, 3);
                for (int i = 0; i < 4; i++) {
                    trace += a.re(i, i);
                    sum += found[i];
                    if (kd == 0) {
                        assertThat(found[i]).isEqualTo(a.re(i, i));
                        assertThat(i == 3 ? 0 : beside[i]).isZero();
                    }
                }
                assertThat(Math.abs(sum - trace)).isLessThan(THRESHOLD * ColumnPivotingTest.unit(type) * 4);
            }
        }
    }

    /** Eigenvectors go through both stages where the device says so, from some order on; with less memory they take one, to the same values. Random combinations of them tell. */
    @EveryTarget
    void vectorsGoThroughBothStages(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            boolean done = false;
            for (int i = 0; i < ORDERS.length && !done; i++) {
                int n = ORDERS[i];
                for (Uplo uplo : Uplo.values()) {
                    try (DeviceArena arena = device.arena()) {
                        MatrixView a = arena.matrix(type, n, n);
                        VectorView d = arena.vector(type.real(), n);
                        VectorView e = arena.vector(type.real(), n);
                        VectorView info = arena.vector(ElementType.I32, 1);
                        PlannedCall plan =
                                h.plan(q -> Lapack.syevd(q, Evect.ORIGINAL, uplo, a, d, e, info)).calls().get(0);
                        if (!plan.tiers().get(0).name().equals("two stages")) {
                            break;
                        }
                        Mat given = SymmetricMatrices.RANDOM.matrix(new Random(n), type, n);
                        double[] first = null;
                        for (PlannedCall.Tier tier : plan.tiers().subList(0, 2)) {
                            String what = tier.name() + " n=" + n + " " + uplo;
                            h.setDeviceMemorySize(tier.bytes());
                            Orthogonal.upload(a, SymmetricTest.half(given, uplo));
                            Lapack.syevd(h, Evect.ORIGINAL, uplo, a, d, e, info);
                            assertThat(h.lastCall().tierName()).isEqualTo(tier.name());
                            double[] values = SymmetricTest.reals(d, n);
                            first = first == null ? values : first;
                            SymmetricTest.near(what, type, first, values);
                            combinations(what, type, given, Orthogonal.download(a, n, n), values);
                        }
                        done = true;
                    }
                }
            }
        }
    }

    /** For random x: A·(Z·x) is Z·(Λ·x), and Zᴴ·(Z·x) is x. */
    private static void combinations(String what, ElementType type, Mat a, Mat z, double[] values) {
        int n = a.n;
        Random random = new Random(n);
        double unit = ColumnPivotingTest.unit(type) * n;
        Mat x = Mat.of(n, 3, (i, j) -> random.nextGaussian(), (i, j) -> type.isComplex() ? random.nextGaussian() : 0);
        Mat scaled = Mat.of(n, 3, (i, j) -> x.re(i, j) * values[i], (i, j) -> x.im(i, j) * values[i]);
        Mat zx = z.times(x);
        assertThat(a.times(zx).minus(z.times(scaled)).norm1()).as("%s: residual", what)
                .isLessThan(THRESHOLD * unit * a.norm1() * x.norm1());
        assertThat(z.op(Op.CONJ_TRANS).times(zx).minus(x).norm1()).as("%s: orthogonality", what)
                .isLessThan(THRESHOLD * unit * x.norm1());
    }

    /** A large matrix takes two stages on the engine that they were measured on, with the same bits on any number of threads; with less memory it takes one, to the same values. */
    @Test
    void largeMatrices() {
        Mat given = SymmetricMatrices.RANDOM.matrix(new Random(3), ElementType.F64, LARGE);
        double[] first = null;
        for (int threads = 1; threads <= 2; threads++) {
            try (Device device = Device.open("host:threads=" + threads);
                    Handle h = device.createHandle();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, LARGE, LARGE);
                VectorView d = arena.vector(ElementType.F64, LARGE);
                VectorView e = arena.vector(ElementType.F64, LARGE);
                VectorView info = arena.vector(ElementType.I32, 1);
                PlannedCall plan = h.plan(q -> Lapack.syevd(q, Evect.NONE, Uplo.LOWER, a, d, e, info)).calls().get(0);
                if (device.deviceClass().contains("assembled")) {
                    assertThat(plan.tiers().get(0).name()).isEqualTo("two stages");
                }
                double[] best = null;
                for (PlannedCall.Tier tier : plan.tiers().subList(0, threads == 1 ? 2 : 1)) {
                    h.setDeviceMemorySize(tier.bytes());
                    Orthogonal.upload(a, given);
                    Lapack.syevd(h, Evect.NONE, Uplo.LOWER, a, d, e, info);
                    assertThat(h.lastCall().tierName()).isEqualTo(tier.name());
                    double[] values = SymmetricTest.reals(d, LARGE);
                    best = best == null ? values : best;
                    SymmetricTest.near(tier.name(), ElementType.F64, best, values);
                }
                first = first == null ? best : first;
                assertThat(best).as("bits on %d threads", threads).isEqualTo(first);
            }
        }
    }
}
