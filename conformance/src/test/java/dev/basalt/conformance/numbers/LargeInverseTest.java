package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.PlannedCall;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Mat;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inverses of symmetric and Hermitian matrices so large that they are products. */
class LargeInverseTest {
    private static final int N = 1443;
    private static final double THRESHOLD = 30;

    @ParameterizedTest
    @CsvSource({
            "BUNCH_KAUFMAN, F64, UPPER, false",
            "BUNCH_KAUFMAN, C64, LOWER, true",
            "ROOK, F64, LOWER, false",
            "ROOK, C32, UPPER, true",
            "BUNCH_KAUFMAN, C64, UPPER, false"})
    void areInversesInEveryTier(Ldl ldl, ElementType type, Uplo uplo, boolean hermitian) {
        try (Device device = Device.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            Random random = new Random(7);
            Mat a = ColumnPivotingTest.random(random, type, N, N).symmetric(uplo, hermitian);
            Mat x = ColumnPivotingTest.random(random, type, N, 1);
            MatrixView original = arena.matrix(type, N, N);
            Orthogonal.upload(original, a);
            MatrixView factors = arena.matrix(type, N, N);
            Orthogonal.upload(factors, a);
            VectorView ipiv = arena.vector(ElementType.I64, N);
            VectorView info = arena.vector(ElementType.I32, 1);
            ldl.factor(h, uplo, hermitian, factors, ipiv, info);
            MatrixView inverse = arena.matrix(type, N, N);
            List<PlannedCall.Tier> tiers =
                    h.plan(p -> ldl.invert(p, uplo, hermitian, inverse, ipiv, info)).calls().get(0).tiers();
            assertThat(tiers.get(0).name()).isEqualTo("products");
            for (PlannedCall.Tier tier : tiers) {
                Orthogonal.upload(inverse, Orthogonal.download(factors, N, N));
                h.setDeviceMemorySize(tier.bytes());
                h.setMaxManagedBytes(tier.bytes());
                ldl.invert(h, uplo, hermitian, inverse, ipiv, info);
                assertThat(h.lastCall().tierName()).isEqualTo(tier.name());
                assertThat(info(info)).isZero();
                h.setMaxManagedBytes(Long.MAX_VALUE);
                h.setDeviceMemorySize(1L << 26);
                MatrixView b = arena.matrix(type, N, 1);
                MatrixView y = arena.matrix(type, N, 1);
                MatrixView view = arena.matrix(type, N, 1);
                Orthogonal.upload(view, x);
                times(h, uplo, hermitian, original, view, b);
                times(h, uplo, hermitian, inverse, b, y);
                Mat found = Orthogonal.download(inverse, N, N).symmetric(uplo, hermitian);
                assertThat(Orthogonal.download(y, N, 1).minus(x).norm1()).as("A⁻¹·A·x - x, %s", tier.name())
                        .isLessThanOrEqualTo(THRESHOLD * N * ColumnPivotingTest.unit(type) * a.norm1() * found.norm1()
                                * x.norm1() / N);
            }
        }
    }

    private static void times(Handle h, Uplo uplo, boolean hermitian, MatrixView a, MatrixView x, MatrixView y) {
        if (hermitian) {
            Blas.hemm(h, Side.LEFT, uplo, 1, a, x, 0, y);
        } else {
            Blas.symm(h, Side.LEFT, uplo, 1, a, x, 0, y);
        }
    }

    /** A zero among the pivots, or numbers that are no pivots: info tells, and factors stay or become NaN. */
    @ParameterizedTest
    @CsvSource({"UPPER", "LOWER"})
    void whatHasNoInverseIsTold(Uplo uplo) {
        try (Device device = Device.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            Mat a = Mat.identity(N).triangular(uplo, Diag.NON_UNIT);
            a.set(700, 700, 0, 0);
            MatrixView view = arena.matrix(ElementType.F64, N, N);
            Orthogonal.upload(view, a);
            VectorView ipiv = arena.vector(ElementType.I64, N);
            long[] pivots = new long[N];
            for (int i = 0; i < N; i++) {
                pivots[i] = i + 1;
            }
            ipiv.upload(pivots);
            VectorView info = arena.vector(ElementType.I32, 1);
            Ldl.BUNCH_KAUFMAN.invert(h, uplo, false, view, ipiv, info);
            assertThat(info(info)).isEqualTo(701);
            assertThat(Orthogonal.download(view, N, N).re).isEqualTo(a.re);
            pivots[3] = 0;
            pivots[1400] = 0;
            ipiv.upload(pivots);
            Ldl.BUNCH_KAUFMAN.invert(h, uplo, false, view, ipiv, info);
            assertThat(info(info)).isNegative();
            assertThat(Orthogonal.download(view, N, N).re(9, 9)).isNaN();
        }
    }

    private static int info(VectorView info) {
        int[] value = new int[1];
        info.download(value);
        return value[0];
    }
}
