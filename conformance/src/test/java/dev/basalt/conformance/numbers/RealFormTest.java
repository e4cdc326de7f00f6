package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Cholesky in every tier, among them that of real forms where a device has it: L·Lᴴ is A, and info tells the minor that is not positive, wherever it is. */
class RealFormTest {
    /** LAPACK's threshold. */
    private static final double THRESHOLD = 30;

    private static final int[] SMALL = {17, 33, 50, 75};

    /** Several real forms one after the other on a simulated device. */
    private static final int[] LARGE = {65, 113, 161, 300};

    private static int[] orders(Target target) {
        return target.device().startsWith("cuda") ? LARGE : SMALL;
    }

    /** A matrix whose rows are far from dependent, with numbers on its diagonal that have no imaginary part. */
    private static Mat definite(Random random, ElementType type, int n) {
        Mat g = Mat.of(n, n, (i, j) -> random.nextGaussian() / n,
                (i, j) -> type.isComplex() ? random.nextGaussian() / n : 0);
        return Mat.of(n, n, (i, j) -> (i == j ? 2 : g.re(i, j)) + (i == j ? 0 : g.re(j, i)),
                (i, j) -> i == j ? 0 : g.im(i, j) - g.im(j, i));
    }

    private static List<PlannedCall.Tier> tiers(Handle h, Uplo uplo, MatrixView a, VectorView info) {
        return h.plan(planned -> Lapack.potrf(planned, uplo, a, info)).calls().get(0).tiers();
    }

    /** One problem in every tier, each in exactly its bytes. */
    @EveryTarget
    void everyTierFactors(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.handleBuilder().guard(true).create()) {
            for (int n : orders(target)) {
                Random random = new Random(n);
                for (Uplo uplo : Uplo.values()) {
                    Mat given = definite(random, type, n);
                    try (DeviceArena arena = device.arena()) {
                        MatrixView a = arena.matrix(type, n, n);
                        VectorView info = arena.vector(ElementType.I32, 1);
                        List<PlannedCall.Tier> tiers = tiers(h, uplo, a, info);
                        if (Devices.worksInWaves(target.device()) && type != ElementType.F64) {
                            assertThat(tiers.get(0).name()).isEqualTo("real form");
                        }
                        for (PlannedCall.Tier tier : tiers) {
                            h.setDeviceMemorySize(tier.bytes());
                            h.setMaxManagedBytes(tier.bytes());
                            Orthogonal.upload(a, given);
                            Mat rounded = Orthogonal.download(a, n, n);
                            Lapack.potrf(h, uplo, a, info);
                            if (tier.bytes() > 0) {
                                assertThat(h.lastCall().tierName()).isEqualTo(tier.name());
                            }
                            assertThat(found(info, 1)).containsExactly(0);
                            right(type, uplo, Orthogonal.download(a, n, n), rounded, tier.name());
                        }
                    }
                }
            }
        }
    }

    /** A minor of any order that is not positive is told. */
    @EveryTarget
    void anyMinorIsTold(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            int n = orders(target)[3];
            Random random = new Random(7L * n);
            for (int bad : new int[] {0, 1, 15, 16, 31, 32, 33, 63, 64, n - 2, n - 1}) {
                for (Uplo uplo : Uplo.values()) {
                    Mat given = definite(random, type, n);
                    given.set(bad, bad, -1, 0);
                    try (DeviceArena arena = device.arena()) {
                        MatrixView a = arena.matrix(type, n, n);
                        VectorView info = arena.vector(ElementType.I32, 1);
                        Orthogonal.upload(a, given);
                        Lapack.potrf(h, uplo, a, info);
                        assertThat(found(info, 1)).as("order %d, %s", bad + 1, uplo).containsExactly(bad + 1);
                    }
                }
            }
        }
    }

    /** Members of a batch fail on their own, whether a real form takes as many or not; solutions are those of single problems. */
    @EveryTarget
    void membersFailOnTheirOwn(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            int n = orders(target)[2];
            for (int count : new int[] {2, 3, 16, 17}) {
                Random random = new Random(count);
                try (DeviceArena arena = device.arena()) {
                    MatrixView a = arena.matrix(type, n, n, count);
                    MatrixView b = arena.matrix(type, n, 2, count);
                    VectorView info = arena.vector(ElementType.I32, count);
                    List<Mat> given = new ArrayList<>();
                    List<Mat> sides = new ArrayList<>();
                    for (int p = 0; p < count; p++) {
                        Mat m = definite(random, type, n);
                        if (p % 3 == 1) {
                            m.set(p + 20, p + 20, Double.NaN, 0);
                        }
                        Orthogonal.upload(a.problem(p), m);
                        Orthogonal.upload(b.problem(p), Mat.of(n, 2, (i, j) -> random.nextGaussian(), (i, j) -> 0));
                        given.add(Orthogonal.download(a.problem(p), n, n));
                        sides.add(Orthogonal.download(b.problem(p), n, 2));
                    }
                    Lapack.posv(h, Uplo.LOWER, a, b, info);
                    int[] infos = found(info, count);
                    for (int p = 0; p < count; p++) {
                        assertThat(infos[p]).as("problem %d of %d", p, count).isEqualTo(p % 3 == 1 ? p + 21 : 0);
                        if (infos[p] == 0) {
                            Mat x = Orthogonal.download(b.problem(p), n, 2);
                            double residual = given.get(p).times(x).minus(sides.get(p)).norm1();
                            assertThat(residual / (given.get(p).norm1() * x.norm1() * n * unit(type)))
                                    .isLessThan(THRESHOLD);
                        }
                    }
                }
            }
        }
    }

    private static double unit(ElementType type) {
        return type.real() == ElementType.F64 ? 0x1p-53 : 0x1p-24;
    }

    private static int[] found(VectorView info, int count) {
        int[] infos = new int[count];
        info.download(infos);
        return infos;
    }

    private static void right(ElementType type, Uplo uplo, Mat factored, Mat a, String what) {
        Mat factor = factored.triangular(uplo, Diag.NON_UNIT);
        Mat other = factor.op(Op.CONJ_TRANS);
        Mat product = uplo == Uplo.LOWER ? factor.times(other) : other.times(factor);
        assertThat(product.minus(a).norm1() / (a.norm1() * a.n * unit(type))).as(what).isLessThan(THRESHOLD);
        for (int j = 0; j < a.n; j++) {
            assertThat(factored.re(j, j)).as(what).isPositive();
            assertThat(factored.im(j, j)).as(what).isZero();
        }
    }
}
