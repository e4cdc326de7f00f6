package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Handle;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Small calls go to the kernels directly, all others by the protocol: nothing may show it. Every call is made twice, on the host
 * device and on the same driver behind an interface that hides the direct way; values, errors and reports must be equal.
 */
class DirectCallsTest {
    private interface Operation {
        Object run(Handle h, VectorView x, VectorView y);
    }

    private static final Map<String, Operation> OPERATIONS = new LinkedHashMap<>();

    static {
        for (double alpha : new double[] {0, 1, -0.75, Double.NaN}) {
            OPERATIONS.put("axpy " + alpha, (h, x, y) -> Blas.axpy(h, alpha, x, y));
            OPERATIONS.put("scal " + alpha, (h, x, y) -> Blas.scal(h, alpha, x));
            for (double im : new double[] {0, 1.5}) {
                Complex z = new Complex(alpha, im);
                OPERATIONS.put("axpy " + z, (h, x, y) -> Blas.axpy(h, z, x, y));
                OPERATIONS.put("scal " + z, (h, x, y) -> Blas.scal(h, z, x));
                OPERATIONS.put("rot " + z, (h, x, y) -> Blas.rot(h, x, y, 0.5, z));
                OPERATIONS.put("rot, cosine first " + z, (h, x, y) -> Blas.rot(h, x, y, alpha, im));
            }
        }
        OPERATIONS.put("axpy null", (h, x, y) -> Blas.axpy(h, (Complex) null, x, y));
        OPERATIONS.put("scal null", (h, x, y) -> Blas.scal(h, (Complex) null, x));
        OPERATIONS.put("rot null", (h, x, y) -> Blas.rot(h, x, y, 1, (Complex) null));
        OPERATIONS.put("copy", Blas::copy);
        OPERATIONS.put("swap", Blas::swap);
        OPERATIONS.put("dot", Blas::dot);
        OPERATIONS.put("dotu", Blas::dotu);
        OPERATIONS.put("dotc", Blas::dotc);
        OPERATIONS.put("asum", (h, x, y) -> Blas.asum(h, x));
        OPERATIONS.put("nrm2", (h, x, y) -> Blas.nrm2(h, x));
        OPERATIONS.put("iamax", (h, x, y) -> Blas.iamax(h, x));
        OPERATIONS.put("iamin", (h, x, y) -> Blas.iamin(h, x));
    }

    private static void compare(DirectSide a, DirectSide b, VectorView ax, VectorView ay, VectorView bx, VectorView by,
            boolean readable, String what) {
        OPERATIONS.forEach((name, operation) -> {
            String one = a.outcome(() -> operation.run(a.handle, ax, ay));
            String two = b.outcome(() -> operation.run(b.handle, bx, by));
            assertThat(one).as("%s, %s", name, what).isEqualTo(two);
            if (readable) {
                assertThat(DirectSide.bits(ax) + DirectSide.bits(ay)).as("%s, %s", name, what)
                        .isEqualTo(DirectSide.bits(bx) + DirectSide.bits(by));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void bothWaysGiveTheSameBitsAndReports(ElementType type) {
        for (long n : new long[] {0, 1, 2, 7, 8, 33, 300, 4096, 4097, 16384, 16385}) {
            for (long inc : n > 300 ? new long[] {1} : new long[] {1, 2, -1, -3, 0}) {
                try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
                    compare(direct, hidden, direct.vector(type, n, inc, n), direct.vector(type, n, 1, n + 1),
                            hidden.vector(type, n, inc, n), hidden.vector(type, n, 1, n + 1), true,
                            type + " n=" + n + " incx=" + inc);
                }
            }
        }
    }

    /** Everything that the direct way does not take: what is missing, does not fit, is batched or elsewhere. */
    private static List<VectorView> odd(DirectSide side, DirectSide other) {
        List<VectorView> views = new ArrayList<>();
        views.add(null);
        views.add(VectorView.shape(ElementType.F64, 5));
        views.add(side.vector(ElementType.F64, 5, 1, 1));
        views.add(side.vector(ElementType.F64, 5, -2, 2));
        views.add(side.vector(ElementType.F64, 6, 1, 3));
        views.add(side.vector(ElementType.C64, 5, 1, 4));
        views.add(side.vector(ElementType.F32, 5, 1, 5));
        VectorView integers = side.arena.vector(ElementType.I64, 5);
        integers.upload(new long[5]);
        views.add(integers);
        VectorView two = side.arena.vector(ElementType.F64, 10);
        side.fill(two, 6);
        views.add(VectorView.strided(ElementType.F64, two.pointer(), 5, 1, 2, 5));
        views.add(side.arena.pointers(side.vector(ElementType.F64, 5, 1, 7), side.vector(ElementType.F64, 5, 1, 8)));
        views.add(other.vector(ElementType.F64, 5, 1, 9));
        return views;
    }

    @Test
    void bothWaysRefuseTheSame() {
        try (DirectSide direct = new DirectSide(false);
                DirectSide hidden = new DirectSide(true);
                DirectSide other = new DirectSide(false)) {
            List<VectorView> one = odd(direct, other);
            List<VectorView> two = odd(hidden, other);
            for (int i = 0; i < one.size(); i++) {
                for (int j = 0; j < one.size(); j++) {
                    compare(direct, hidden, one.get(i), one.get(j), two.get(i), two.get(j), false, i + ", " + j);
                }
            }
            // A size query answers both and runs neither.
            direct.handle.startDeviceMemorySizeQuery();
            hidden.handle.startDeviceMemorySizeQuery();
            compare(direct, hidden, one.get(2), one.get(3), two.get(2), two.get(3), true, "query");
            assertThat(direct.handle.stopDeviceMemorySizeQuery()).isEqualTo(hidden.handle.stopDeviceMemorySizeQuery());
            direct.arena.close();
            hidden.arena.close();
            compare(direct, hidden, one.get(2), one.get(3), two.get(2), two.get(3), false, "closed arena");
            direct.handle.close();
            hidden.handle.close();
            compare(direct, hidden, one.get(2), one.get(3), two.get(2), two.get(3), false, "closed handle");
        }
    }

    @Test
    void aNullHandleIsRefused() {
        try (DirectSide direct = new DirectSide(false)) {
            VectorView x = direct.vector(ElementType.F64, 5, 1, 1);
            OPERATIONS.forEach((name, operation) -> {
                Object error = null;
                try {
                    operation.run(null, x, x);
                } catch (BlasException e) {
                    error = e.status();
                }
                assertThat(error).as(name).isEqualTo(dev.basalt.Status.INVALID_HANDLE);
            });
        }
    }
}
