package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PlannedCall;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Mat;
import dev.basalt.sim.SimDriver;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Inverses of triangles from the diagonal on, and what is made of them, on a simulated device that works in waves: orders at which levels have several
 * pairs, a pair that is cut off, or none, in every tier, by LAPACK's measure.
 */
class DoublingTest {
    private static final double THRESHOLD = 30;
    private static final int[] ORDERS = {16, 17, 33, 64, 81, 130};

    /** A call on a matrix with some info. */
    private interface Routine {
        void run(Handle h, MatrixView a, VectorView info);
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void trianglesAreInverted(ElementType type) {
        each(type, (uplo, diag) -> (h, a, info) -> Lapack.trtri(h, uplo, diag, a, info), (what, uplo, diag, a, x) -> {
            Mat l = a.triangular(uplo, diag);
            Mat inverse = x.triangular(uplo, diag);
            double bound = THRESHOLD * a.n * unit(type) * l.norm1() * inverse.norm1();
            assertThat(Mat.identity(a.n).minus(l.times(inverse)).norm1()).as(what).isLessThanOrEqualTo(bound);
            assertThat(Mat.identity(a.n).minus(inverse.times(l)).norm1()).as(what).isLessThanOrEqualTo(bound);
        });
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void productsOfATriangleAreRight(ElementType type) {
        each(type, (uplo, diag) -> (h, a, info) -> Lapack.lauum(h, uplo, a), (what, uplo, diag, a, x) -> {
            Mat l = a.triangular(uplo, Diag.NON_UNIT);
            Mat h = l.op(Op.CONJ_TRANS);
            Mat product = uplo == Uplo.LOWER ? h.times(l) : l.times(h);
            double bound = THRESHOLD * a.n * unit(type) * l.norm1() * h.norm1();
            assertThat(x.symmetric(uplo, true).minus(product).norm1()).as(what).isLessThanOrEqualTo(bound);
        });
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void factorsAreInverted(ElementType type) {
        each(type, (uplo, diag) -> (h, a, info) -> Lapack.potri(h, uplo, a, info), (what, uplo, diag, a, x) -> {
            Mat l = a.triangular(uplo, Diag.NON_UNIT);
            Mat h = l.op(Op.CONJ_TRANS);
            Mat whole = uplo == Uplo.LOWER ? l.times(h) : h.times(l);
            Mat inverse = x.symmetric(uplo, true);
            double bound = THRESHOLD * a.n * unit(type) * whole.norm1() * inverse.norm1();
            assertThat(Mat.identity(a.n).minus(whole.times(inverse)).norm1()).as(what).isLessThanOrEqualTo(bound);
        });
    }

    private interface Options {
        Routine of(Uplo uplo, Diag diag);
    }

    private interface Check {
        void holds(String what, Uplo uplo, Diag diag, Mat before, Mat after);
    }

    private static void each(ElementType type, Options options, Check check) {
        try (Device device = Device.of(SimDriver.builder().waves(true).throwOnHazard(true).open())) {
            for (int n : ORDERS) {
                for (Uplo uplo : Uplo.values()) {
                    for (Diag diag : Diag.values()) {
                        Mat a = triangle(new Random(n), type, n);
                        String what = type + " " + n + " " + uplo + " " + diag;
                        tiers(device, type, a, options.of(uplo, diag),
                                (tier, x) -> check.holds(what + " in " + tier, uplo, diag, a, x));
                    }
                }
            }
        }
    }

    /** What a routine makes of a matrix in each tier; what is beside the triangle is not looked at. */
    private static void tiers(Device device, ElementType type, Mat a, Routine routine, BiConsumer<String, Mat> check) {
        try (Handle planner = device.createHandle();
                Handle without = device.handleBuilder().maxManagedBytes(0).create();
                DeviceArena arena = device.arena()) {
            MatrixView view = arena.matrix(type, a.m, a.n);
            VectorView info = arena.vector(ElementType.I32, 1);
            PlannedCall plan = planner.plan(h -> routine.run(h, view, info)).calls().get(0);
            for (PlannedCall.Tier tier : plan.tiers()) {
                Handle h = tier.bytes() > 0 ? planner : without;
                if (tier.bytes() > 0) {
                    h.setDeviceMemorySize(tier.bytes());
                }
                Orthogonal.upload(view, a);
                routine.run(h, view, info);
                assertThat(h.lastCall().tierName()).isEqualTo(tier.name());
                check.accept(tier.name(), Orthogonal.download(view, a.m, a.n));
            }
        }
    }

    /** Numbers beside a diagonal that is real and larger. */
    private static Mat triangle(Random random, ElementType type, int n) {
        boolean complex = type.isComplex();
        return Mat.of(n, n, (i, j) -> (float) (i == j ? 1 + random.nextDouble() : (random.nextDouble() - 0.5) / 4),
                (i, j) -> complex && i != j ? (float) (random.nextDouble() - 0.5) / 4 : 0);
    }

    private static double unit(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }
}
