package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PackedView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What users of LAPACK do without thinking, in the order of arguments that they know. */
class HabitsTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20_261_127L);

    private final Random random = new Random(SEED);

    static Stream<String> devices() {
        return Devices.NAMES.stream();
    }

    private double[] drawn(int count) {
        return random.doubles(count, -1, 1).toArray();
    }

    /** y := A·x of a column-major m×n matrix. */
    private static double[] times(double[] a, int m, int n, double[] x) {
        double[] y = new double[m];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                y[i] += a[i + j * m] * x[j];
            }
        }
        return y;
    }

    /** The minimum is where the residual is at right angles to all columns. */
    @Test
    void dgelsOnATallMatrix() {
        int m = 500;
        int n = 12;
        double[] a = drawn(m * n);
        double[] b = drawn(m);
        double[] x = b.clone();
        assertThat(ArrayLapack.dgels(Op.NONE, m, n, 1, a.clone(), m, x, m)).isZero();
        double[] fitted = times(a, m, n, x);
        for (int j = 0; j < n; j++) {
            double product = 0;
            for (int i = 0; i < m; i++) {
                product += a[i + j * m] * (b[i] - fitted[i]);
            }
            assertThat(product).as("column %d, seed %d", j, SEED).isCloseTo(0, within(1e-11));
        }
    }

    @Test
    void dgetriAfterDgetrf() {
        int n = 60;
        double[] a = drawn(n * n);
        double[] inverse = a.clone();
        int[] ipiv = new int[n];
        assertThat(ArrayLapack.dgetrf(n, n, inverse, n, ipiv)).isZero();
        assertThat(ArrayLapack.dgetri(n, inverse, n, ipiv)).isZero();
        for (int j = 0; j < n; j++) {
            double[] column = Arrays.copyOfRange(inverse, j * n, (j + 1) * n);
            double[] unit = times(a, n, n, column);
            for (int i = 0; i < n; i++) {
                assertThat(unit[i]).as("(%d, %d), seed %d", i, j, SEED).isCloseTo(i == j ? 1 : 0, within(1e-9));
            }
        }
    }

    /** Only the named triangle is read: the other holds NaN. */
    @Test
    void dsysv() {
        int n = 80;
        for (Uplo uplo : Uplo.values()) {
            double[] a = drawn(n * n);
            double[] half = a.clone();
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < j; i++) {
                    int above = i + j * n;
                    int below = j + i * n;
                    a[uplo == Uplo.UPPER ? below : above] = a[uplo == Uplo.UPPER ? above : below];
                    half[uplo == Uplo.UPPER ? below : above] = Double.NaN;
                }
            }
            double[] solution = drawn(n);
            double[] b = times(a, n, n, solution);
            assertThat(ArrayLapack.dsysv(uplo, n, 1, half, n, new int[n], b, n)).isZero();
            for (int i = 0; i < n; i++) {
                assertThat(b[i]).as("%s %d, seed %d", uplo, i, SEED).isCloseTo(solution[i], within(1e-9));
            }
        }
    }

    /** A band of kl and ku diagonals has kl rows above for what interchanges bring. */
    @Test
    void dgbsv() {
        int n = 90;
        int kl = 3;
        int ku = 2;
        int lda = 2 * kl + ku + 1;
        double[] full = new double[n * n];
        double[] band = new double[lda * n];
        for (int j = 0; j < n; j++) {
            for (int i = Math.max(0, j - ku); i <= Math.min(n - 1, j + kl); i++) {
                full[i + j * n] = i == j ? 3 + random.nextDouble() : 2 * random.nextDouble() - 1;
                band[kl + ku + i - j + j * lda] = full[i + j * n];
            }
        }
        double[] solution = drawn(n);
        double[] b = times(full, n, n, solution);
        assertThat(ArrayLapack.dgbsv(n, kl, ku, 1, band, lda, new int[n], b, n)).isZero();
        for (int i = 0; i < n; i++) {
            assertThat(b[i]).as("%d, seed %d", i, SEED).isCloseTo(solution[i], within(1e-11));
        }
    }

    /** As Spark's alternating least squares has them; every thousandth matrix is not positive definite. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void dppsvOfAHundredThousandSmallSystems(String name) {
        int count = name.startsWith("sim") ? 2_000 : 100_000;
        int n = 10;
        int packed = n * (n + 1) / 2;
        try (Device device = Devices.open(name);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            double[] ap = new double[packed * count];
            double[] b = new double[n * count];
            double[] solution = drawn(n * count);
            for (int p = 0; p < count; p++) {
                double[] full = new double[n * n];
                for (int j = 0, at = p * packed; j < n; j++) {
                    for (int i = 0; i <= j; i++, at++) {
                        double x = i == j ? n + random.nextDouble() : 2 * random.nextDouble() - 1;
                        ap[at] = i == j && j == 4 && p % 1000 == 7 ? -1 : x;
                        full[i + j * n] = ap[at];
                        full[j + i * n] = ap[at];
                    }
                }
                double[] x = Arrays.copyOfRange(solution, p * n, (p + 1) * n);
                System.arraycopy(times(full, n, n, x), 0, b, p * n, n);
            }
            PackedView a = arena.packed(ElementType.F64, n, count);
            MatrixView rhs = arena.matrix(ElementType.F64, n, 1, count);
            VectorView info = arena.vector(ElementType.I32, 1, count);
            a.storage().upload(ap);
            rhs.upload(b);
            assertThat(Lapack.ppsv(handle, Uplo.UPPER, a, rhs, info)).isEqualTo(Status.SUCCESS);
            int[] told = new int[count];
            info.download(told);
            double[] x = new double[n * count];
            rhs.download(x);
            for (int p = 0; p < count; p++) {
                boolean definite = p % 1000 != 7;
                assertThat(told[p]).as("info of %d, seed %d", p, SEED).isEqualTo(definite ? 0 : 5);
                for (int i = 0; i < n && definite; i++) {
                    double error = Math.abs(x[p * n + i] - solution[p * n + i]);
                    if (!(error <= 1e-12)) {
                        assertThat(error).as("%d of %d, seed %d", i, p, SEED).isLessThanOrEqualTo(1e-12);
                    }
                }
            }
        }
    }
}
