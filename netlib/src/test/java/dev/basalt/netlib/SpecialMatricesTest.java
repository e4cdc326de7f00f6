package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ludovic.netlib.lapack.JavaLAPACK;
import dev.ludovic.netlib.lapack.LAPACK;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.netlib.util.intW;

/** Matrices that are far from random, as netlib's own suites have them: of rank one, of equal eigenvalues, nearly singular, zero. Beside netlib's own Java. */
class SpecialMatricesTest {
    private static final LAPACK BASALT = Netlib.lapack();
    private static final LAPACK JAVA = JavaLAPACK.getInstance();

    private enum Kind {
        RANK_ONE {
            @Override
            double at(int i, int j, int n) {
                return (i + 1.0) * (j + 1);
            }
        },
        HILBERT {
            @Override
            double at(int i, int j, int n) {
                return 1.0 / (i + j + 1);
            }
        },
        DOMINANT {
            @Override
            double at(int i, int j, int n) {
                return i == j ? n + 1 : 1.0 / (i + j + 2);
            }
        },
        IDENTITY {
            @Override
            double at(int i, int j, int n) {
                return i == j ? 1 : 0;
            }
        },
        ZERO {
            @Override
            double at(int i, int j, int n) {
                return 0;
            }
        },
        TRIDIAGONAL {
            @Override
            double at(int i, int j, int n) {
                return i == j ? 2 : Math.abs(i - j) == 1 ? -1 : 0;
            }
        };

        /** An element; all are symmetric. */
        abstract double at(int i, int j, int n);

        double[] matrix(int m, int n) {
            double[] a = new double[m * n];
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < m; i++) {
                    a[i + j * m] = at(i, j, n);
                }
            }
            return a;
        }
    }

    private static Stream<Arguments> cases() {
        return Stream.of(Kind.values()).flatMap(kind -> Stream.of(1, 2, 10, 50).map(n -> Arguments.of(kind, n)));
    }

    private static void same(double[] basalt, double[] java) {
        double largest = Arrays.stream(java).map(Math::abs).max().orElse(0);
        assertThat(basalt).containsExactly(java, within(1e-12 * Math.max(1, largest)));
    }

    private interface Values {
        void compute(LAPACK lapack, double[] values, intW info);
    }

    private static void compare(int count, Values values) {
        double[] basalt = new double[count];
        double[] java = new double[count];
        intW info = new intW(-9);
        values.compute(JAVA, java, info);
        int expected = info.val;
        info.val = -9;
        values.compute(BASALT, basalt, info);
        assertThat(info.val).isEqualTo(expected);
        same(basalt, java);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void singularValues(Kind kind, int n) {
        for (int m : new int[] {n, n + 3}) {
            double[] work = new double[12 * m * m + 100];
            compare(n, (lapack, s, info) -> lapack.dgesdd("A", m, n, kind.matrix(m, n), m, s, new double[m * m], m,
                    new double[n * n], n, work, work.length, new int[8 * n], info));
            compare(n, (lapack, s, info) -> lapack.dgesvd("N", "N", m, n, kind.matrix(m, n), m, s, new double[1], 1,
                    new double[1], 1, work, work.length, info));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void eigenvalues(Kind kind, int n) {
        double[] work = new double[10 * n * n + 100];
        for (String jobz : new String[] {"N", "V"}) {
            compare(n,
                    (lapack, w, info) -> lapack.dsyev(jobz, "U", n, kind.matrix(n, n), n, w, work, work.length, info));
            compare(n, (lapack, w, info) -> lapack.dsyevd(jobz, "L", n, kind.matrix(n, n), n, w, work, work.length,
                    new int[5 * n + 3], 5 * n + 3, info));
            compare(n, (lapack, w, info) -> {
                lapack.dgeev("N", jobz, n, kind.matrix(n, n), n, w, new double[n], new double[1], 1, new double[n * n],
                        n, work, work.length, info);
                Arrays.sort(w);
            });
            compare(n, (lapack, w, info) -> lapack.dsygvd(1, jobz, "U", n, kind.matrix(n, n), n,
                    Kind.DOMINANT.matrix(n, n), n, w, work, work.length, new int[5 * n + 3], 5 * n + 3, info));
        }
    }

    /** Where rounding decides what is left of a matrix, each library has its own. */
    private static Stream<Arguments> certain() {
        return cases().filter(one -> !(one.get()[0] == Kind.HILBERT && (int) one.get()[1] > 2
                || one.get()[0] == Kind.RANK_ONE && (int) one.get()[1] > 10));
    }

    /** Where a pivot or a minor is zero, both say which. */
    @ParameterizedTest
    @MethodSource("certain")
    void factors(Kind kind, int n) {
        compare(n * n, (lapack, a, info) -> {
            System.arraycopy(kind.matrix(n, n), 0, a, 0, n * n);
            lapack.dpotrf("L", n, a, n, info);
            // What is left of a matrix that is not positive definite is promised by nobody.
            Arrays.fill(a, info.val == 0 ? n * n : 0, n * n, 0);
        });
        compare(n, (lapack, x, info) -> {
            double[] a = kind.matrix(n, n);
            lapack.dgetrf(n, n, a, n, new int[n], info);
            for (int j = 0; j < n; j++) {
                x[j] = Math.abs(a[j * (n + 1)]);
            }
        });
        compare(n, (lapack, x, info) -> {
            double[] a = kind.matrix(n, n);
            double[] work = new double[64 * n + 64];
            lapack.dgeqrf(n, n, a, n, new double[n], work, work.length, info);
            for (int j = 0; j < n; j++) {
                x[j] = Math.abs(a[j * (n + 1)]);
            }
        });
    }
}
