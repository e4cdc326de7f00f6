package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small eigenproblems that go step by step without launches leave the bits of the long way, also where numbers are near the ends of the range, from the first call on and in all later ones. */
class DirectEigenTest {
    private static final long[] ORDERS = {1, 2, 3, 5, 8, 16, 31, 32, 33};

    /** Factors by which a matrix of about 1 to 50 is brought to the ends of the range, or beyond. */
    private static double[] scales(ElementType type) {
        return type.real() == ElementType.F32
                ? new double[] {1, 0, 1e-43, 1e-33, 9e-32, 3e29, 1e37, Double.POSITIVE_INFINITY, Double.NaN}
                : new double[] {1, 0, 5e-324, 1e-300, 9e-293, 1e291, 1e306, Double.POSITIVE_INFINITY, Double.NaN};
    }

    private static List<String> results(DirectSide side, ElementType type, Evect evect, Uplo uplo, long n,
            double scale) {
        List<String> all = new ArrayList<>();
        for (int call = 0; call < 2; call++) {
            MatrixView a = side.matrix(type, n, n, 3 + n);
            VectorView d = side.arena.vector(type.real(), n);
            VectorView e = side.arena.vector(type.real(), n);
            VectorView info = side.arena.vector(ElementType.I32, 1);
            scale(side, a, scale);
            all.add("" + (type.isComplex()
                    ? Lapack.heev(side.handle, evect, uplo, a, d, e, info)
                    : Lapack.syev(side.handle, evect, uplo, a, d, e, info)));
            note(all, a, d, info);
            for (Eform form : Eform.values()) {
                MatrixView c = side.matrix(type, n, n, 4 + n);
                MatrixView f = side.matrix(type, n, n, 5);
                f.diagonal().upload(diagonal(type, n));
                scale(side, c, scale);
                all.add("" + (type.isComplex()
                        ? Lapack.hegv(side.handle, form, evect, uplo, c, f, d, e, info)
                        : Lapack.sygv(side.handle, form, evect, uplo, c, f, d, e, info)));
                note(all, c, d, info);
                all.add(DirectSide.bits(f));
            }
        }
        return all;
    }

    /** Large enough for a definite matrix. */
    private static Object diagonal(ElementType type, long n) {
        int numbers = (int) n * (type.isComplex() ? 2 : 1);
        double[] large = new double[numbers];
        float[] less = new float[numbers];
        for (int i = 0; i < numbers; i++) {
            large[i] = 40 + i;
            less[i] = 40 + i;
        }
        return type.real() == ElementType.F64 ? large : less;
    }

    private static void scale(DirectSide side, MatrixView a, double by) {
        if (by != 1) {
            for (long j = 0; j < a.cols(); j++) {
                Blas.scal(side.handle, by, a.column(j));
            }
        }
    }

    private static void note(List<String> all, MatrixView a, VectorView d, VectorView info) {
        int[] failed = new int[1];
        info.download(failed);
        all.add(failed[0] + DirectSide.bits(d) + DirectSide.bits(a));
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void haveTheBitsOfTheLongWay(ElementType type) {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            for (long n : ORDERS) {
                for (double scale : scales(type)) {
                    for (Uplo uplo : Uplo.values()) {
                        for (Evect evect : new Evect[] {Evect.NONE, Evect.ORIGINAL}) {
                            assertThat(results(direct, type, evect, uplo, n, scale))
                                    .as("%s n=%d %s %s times %s", type, n, uplo, evect, scale)
                                    .isEqualTo(results(hidden, type, evect, uplo, n, scale));
                        }
                    }
                }
            }
        }
    }
}
