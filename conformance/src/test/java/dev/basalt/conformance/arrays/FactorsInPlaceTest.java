package dev.basalt.conformance.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.arrays.ArrayWorkspace;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LU and Cholesky of matrices that stay in their arrays: bit by bit what they are on views, whatever kernel takes the last rows and columns, and where a
 * pivot is no number that kernels trust.
 */
class FactorsInPlaceTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261127);

    @AfterAll
    static void release() {
        ArrayWorkspace.release();
    }

    /** So many columns up to as many; 512 of them are factored as a copy with gaps. */
    @ParameterizedTest
    @CsvSource({"1, 40", "41, 80", "81, 120", "121, 140", "259, 260", "512, 512"})
    void haveTheBitsOfViews(int from, int to) {
        for (int n = from; n <= to; n++) {
            for (int m : new int[] {n, n + 5, 2 * n + 1, Math.max(1, n - 3), n / 2 + 1}) {
                Random random = new Random(SEED + 1000L * m + n);
                int lda = m + n % 3;
                double[] a = random.doubles((long) lda * n, -1, 1).toArray();
                double[] definite = a.clone();
                for (int i = 0; i < Math.min(m, n); i++) {
                    definite[i + i * lda] += 2 * n;
                }
                compare(m, n, lda, a, definite);
                compare(m, n, lda, floats(a), floats(definite));
            }
        }
    }

    /** A diagonal that is infinite, no number, nearly zero, zero or negative somewhere. */
    @ParameterizedTest
    @ValueSource(doubles = {Double.POSITIVE_INFINITY, Double.NaN, 1e-320, 0, -1})
    void haveThemWithOddPivots(double pivot) {
        for (int n : new int[] {1, 3, 7, 9, 30, 64, 66, 130, 200}) {
            for (int at : new int[] {0, n / 2, n - 1}) {
                Random random = new Random(SEED + n);
                double[] a = random.doubles((long) n * n, -1, 1).toArray();
                for (int i = 0; i < n; i++) {
                    a[i * (n + 1)] += 2 * n;
                }
                a[at * (n + 1)] = pivot;
                compare(n, n, n, a, a);
                compare(n, n, n, floats(a), floats(a));
            }
        }
    }

    private static float[] floats(double[] a) {
        float[] floats = new float[a.length];
        for (int i = 0; i < a.length; i++) {
            floats[i] = (float) a[i];
        }
        return floats;
    }

    private static void compare(int m, int n, int lda, Object general, Object definite) {
        boolean single = general instanceof float[];
        String what = (single ? "float " : "double ") + m + " x " + n + ", lda " + lda + ", seed " + SEED;
        int least = Math.min(m, n);
        try (Device device = Device.open("host:threads=1");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView whole = arena.matrix(single ? ElementType.F32 : ElementType.F64, lda, n);
            VectorView pivots = arena.vector(ElementType.I64, least);
            VectorView info = arena.vector(ElementType.I32, 1);
            MatrixView a = whole.block(0, 0, m, n);
            upload(whole, general);
            Lapack.getrf(handle, a, pivots, info);
            Object factors = clone(general);
            int[] ipiv = new int[least];
            int returned = single
                    ? ArrayLapack.sgetrf(m, n, (float[]) factors, lda, ipiv)
                    : ArrayLapack.dgetrf(m, n, (double[]) factors, lda, ipiv);
            assertThat(returned).as("getrf, info of %s", what).isEqualTo(number(info));
            assertThat(factors).as("getrf of %s", what).isEqualTo(download(whole, general));
            long[] expected = new long[least];
            pivots.download(expected);
            for (int i = 0; i < least; i++) {
                assertThat(ipiv[i]).as("getrf, pivot %d of %s", i, what).isEqualTo((int) expected[i]);
            }
            for (Uplo uplo : m == n ? Uplo.values() : new Uplo[0]) {
                upload(whole, definite);
                Lapack.potrf(handle, uplo, a, info);
                factors = clone(definite);
                returned = single
                        ? ArrayLapack.spotrf(uplo, n, (float[]) factors, lda)
                        : ArrayLapack.dpotrf(uplo, n, (double[]) factors, lda);
                assertThat(returned).as("potrf %s, info of %s", uplo, what).isEqualTo(number(info));
                assertThat(factors).as("potrf %s of %s", uplo, what).isEqualTo(download(whole, definite));
            }
        }
    }

    private static int number(VectorView info) {
        int[] number = new int[1];
        info.download(number);
        return number[0];
    }

    private static void upload(MatrixView view, Object numbers) {
        if (numbers instanceof float[] f) {
            view.upload(f);
        } else {
            view.upload((double[]) numbers);
        }
    }

    private static Object download(MatrixView view, Object like) {
        if (like instanceof float[] f) {
            float[] numbers = new float[f.length];
            view.download(numbers);
            return numbers;
        }
        double[] numbers = new double[((double[]) like).length];
        view.download(numbers);
        return numbers;
    }

    private static Object clone(Object numbers) {
        return numbers instanceof float[] f ? f.clone() : ((double[]) numbers).clone();
    }
}
