package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.OpenBlas;
import dev.basalt.conformance.support.Mat;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Svect;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a decomposition gave.
 *
 * @param u left vectors in columns, or null
 * @param vt right vectors in rows, conjugated, or null
 */
record Decomposed(Mat values, Mat u, Mat vt, int info) {
    private static final double THRESHOLD = 30;

    /** How a routine is called. */
    interface Routine {
        void run(MatrixView a, VectorView s, MatrixView u, MatrixView vt, VectorView info);
    }

    static Decomposed gesvd(Handle h, DeviceArena arena, ElementType type, Mat a, Svect left, Svect right) {
        int k = Math.min(a.m, a.n);
        VectorView e = arena.vector(type.real(), Math.max(1, k));
        Mat ones = new Mat(Math.max(1, k), 1);
        Arrays.fill(ones.re, 1);
        Orthogonal.load(e, ones);
        Decomposed d = of(arena, type, a, left, right,
                (view, s, u, vt, info) -> Lapack.gesvd(h, left, right, view, s, u, vt, e.slice(0, k - 1), info));
        Mat beside = Orthogonal.download(e, Math.max(1, k));
        for (int i = 0; d.info() == 0 && i < k - 1; i++) {
            assertThat(beside.re[i]).as("what has become zero is told in e").isZero();
        }
        return d;
    }

    static Decomposed gesdd(Handle h, DeviceArena arena, ElementType type, Mat a, Svect left, Svect right) {
        return of(arena, type, a, left, right,
                (view, s, u, vt, info) -> Lapack.gesdd(h, left, right, view, s, u, vt, info));
    }

    static Decomposed gesvdp(Handle h, DeviceArena arena, ElementType type, Mat a, Svect left, Svect right) {
        return of(arena, type, a, left, right,
                (view, s, u, vt, info) -> Lapack.gesvdp(h, left, right, view, s, u, vt, info));
    }

    static Decomposed gesvdj(Handle h, DeviceArena arena, ElementType type, Mat a, Svect left, Svect right,
            long sweeps) {
        VectorView residual = arena.vector(type.real(), 1);
        VectorView taken = arena.vector(ElementType.I64, 1);
        return of(arena, type, a, left, right, (view, s, u, vt, info) -> Lapack.gesvdj(h, left, right, view, 0,
                residual, sweeps, taken, s, u, vt, info));
    }

    static Decomposed of(DeviceArena arena, ElementType type, Mat a, Svect left, Svect right, Routine routine) {
        int k = Math.min(a.m, a.n);
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        VectorView s = arena.vector(type.real(), k);
        int cols = (int) left.columns(a.m, a.n);
        int rows = (int) right.columns(a.n, a.m);
        MatrixView u = left.stored() ? arena.matrix(type, a.m, cols) : null;
        MatrixView vt = right.stored() ? arena.matrix(type, rows, a.n) : null;
        VectorView info = arena.vector(ElementType.I32, 1);
        routine.run(view, s, u, vt, info);
        int[] told = new int[1];
        info.download(told);
        Mat place = Orthogonal.download(view, a.m, a.n);
        return new Decomposed(Orthogonal.download(s, k),
                u != null ? Orthogonal.download(u, a.m, cols) : left == Svect.OVERWRITE ? place.corner(a.m, k) : null,
                vt != null ? Orthogonal.download(vt, rows, a.n)
                        : right == Svect.OVERWRITE ? place.corner(k, a.n)
                        : null,
                told[0]);
    }

    /** All there is to ask. */
    void check(String what, Mat a, ElementType type) {
        try {
            assertThat(info).isZero();
            order();
            checkVectors(a, type);
            values(a, type);
        } catch (AssertionError e) {
            throw new AssertionError(what + ": " + e.getMessage(), e);
        }
    }

    private void order() {
        for (int i = 0; i < values.m; i++) {
            assertThat(values.re[i]).isGreaterThanOrEqualTo(i + 1 < values.m ? values.re[i + 1] : 0);
        }
    }

    /** Orthogonality and, where both sides are there, the residual. */
    void checkVectors(Mat a, ElementType type) {
        if (u != null) {
            orthogonal("U", u, type);
        }
        if (vt != null) {
            orthogonal("V", vt.op(Op.CONJ_TRANS), type);
        }
        if (u == null || vt == null) {
            return;
        }
        int k = values.m;
        double scale = max(a) == 0 ? 1 : Math.scalb(1.0, -Math.getExponent(max(a)));
        double half = Math.scalb(1.0, Math.getExponent(scale) / 2);
        double rest = scale / half;
        Mat left = Mat.of(u.m, k, (i, j) -> u.re(i, j) * (values.re[j] * half * rest),
                (i, j) -> u.im(i, j) * (values.re[j] * half * rest));
        Mat scaled = Mat.of(a.m, a.n, (i, j) -> a.re(i, j) * half * rest, (i, j) -> a.im(i, j) * half * rest);
        double error = max(left.times(vt.corner(k, a.n)).minus(scaled));
        double bound = THRESHOLD * Math.max(a.m, a.n) * unit(a, type) * Math.max(max(scaled), max(a) == 0 ? 1 : 0);
        assertThat(error).as("residual").isLessThanOrEqualTo(bound);
    }

    /**
     * The values, and the vectors that both have, are those of another decomposition of the matrix as far as rounding tells them. Vectors may differ by a factor of modulus 1, and by the rounding of the largest value over the distance of theirs
     * from the others.
     */
    void near(Decomposed other, Mat a, ElementType type) {
        double rounding = THRESHOLD * Math.max(a.m, a.n) * unit(a, type) * values.re[0];
        for (int i = 0; i < values.m; i++) {
            assertThat(values.re[i]).as("value %d", i)
                    .isBetween(other.values.re[i] - rounding, other.values.re[i] + rounding);
        }
        if (u != null && other.u != null) {
            vectors("u", u, other.u, rounding, a.m > values.m);
        }
        if (vt != null && other.vt != null) {
            vectors("v", vt.op(Op.CONJ_TRANS), other.vt.op(Op.CONJ_TRANS), rounding, a.n > values.m);
        }
    }

    /** @param more whether there are vectors of zeros, too */
    private void vectors(String what, Mat x, Mat y, double rounding, boolean more) {
        for (int j = 0; j < values.m; j++) {
            double gap = more ? values.re[j] : values.re[0];
            for (int i = 0; i < values.m; i++) {
                gap = i == j ? gap : Math.min(gap, Math.abs(values.re[i] - values.re[j]));
            }
            double re = 0;
            double im = 0;
            for (int i = 0; i < x.m; i++) {
                re += y.re(i, j) * x.re(i, j) + y.im(i, j) * x.im(i, j);
                im += y.re(i, j) * x.im(i, j) - y.im(i, j) * x.re(i, j);
            }
            double size = Math.hypot(re, im);
            double most = 0;
            for (int i = 0; i < x.m; i++) {
                double u = (re * y.re(i, j) - im * y.im(i, j)) / size;
                double v = (re * y.im(i, j) + im * y.re(i, j)) / size;
                most = Math.max(most, Math.hypot(x.re(i, j) - u, x.im(i, j) - v));
            }
            assertThat(most).as("%s %d", what, j).isLessThanOrEqualTo(rounding / gap);
        }
    }

    /** Denormal numbers have fewer digits. */
    private static double unit(Mat a, ElementType type) {
        double unit = ColumnPivotingTest.unit(type);
        double least = type.real() == ElementType.F32 ? Float.MIN_VALUE : Double.MIN_VALUE;
        return max(a) == 0 ? unit : Math.max(unit, least / max(a));
    }

    static void orthogonal(String what, Mat q, ElementType type) {
        double error = max(q.op(Op.CONJ_TRANS).times(q).minus(Mat.identity(q.n)));
        assertThat(error).as("orthogonality of %s", what).isLessThan(THRESHOLD * q.m * ColumnPivotingTest.unit(type));
    }

    static double max(Mat a) {
        double most = 0;
        for (int i = 0; i < a.re.length; i++) {
            double size = Math.max(Math.abs(a.re[i]), Math.abs(a.im[i]));
            most = size > most || size != size ? size : most;
        }
        return most;
    }

    /** Beside OpenBLAS. */
    private void values(Mat a, ElementType type) {
        double[] expected = openblas(a);
        double most = expected[0];
        for (int i = 0; i < expected.length; i++) {
            assertThat(Math.abs(values.re[i] - expected[i])).as("value %d: %s and %s", i, values.re[i], expected[i])
                    .isLessThanOrEqualTo(THRESHOLD * Math.max(a.m, a.n) * unit(a, type) * most);
        }
    }

    /** The values by zgesvd, of a matrix brought near 1. */
    static double[] openblas(Mat given) {
        int shift = max(given) == 0 ? 0 : -Math.getExponent(max(given));
        Mat a = given.times(new Complex(Math.scalb(1.0, shift / 2), 0))
                .times(new Complex(Math.scalb(1.0, shift - shift / 2), 0));
        int k = Math.min(a.m, a.n);
        try (Arena arena = Arena.ofConfined()) {
            double[] both = new double[2 * a.m * a.n];
            for (int i = 0; i < a.re.length; i++) {
                both[2 * i] = a.re[i];
                both[2 * i + 1] = a.im[i];
            }
            MemorySegment s = arena.allocate(ValueLayout.JAVA_DOUBLE, k);
            int size = 66 * (a.m + a.n);
            List<Object> arguments = new ArrayList<>(List.of(arena.allocateFrom("N"), arena.allocateFrom("N"),
                    number(arena, a.m), number(arena, a.n), arena.allocateFrom(ValueLayout.JAVA_DOUBLE, both),
                    number(arena, a.m), s, arena.allocate(16), number(arena, 1), arena.allocate(16), number(arena, 1),
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 2L * size), number(arena, size),
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 5L * k), number(arena, 0)));
            MemoryLayout[] layouts = new MemoryLayout[arguments.size()];
            Arrays.fill(layouts, ValueLayout.ADDRESS);
            OpenBlas.handle("zgesvd_", FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(arguments);
            double[] values = s.toArray(ValueLayout.JAVA_DOUBLE);
            for (int i = 0; i < k; i++) {
                values[i] = Math.scalb(values[i], -shift);
            }
            return values;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MemorySegment number(Arena arena, int n) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, n);
    }
}
