package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** QR with column pivoting, and of a triangle on top of a matrix, by LAPACK's measures. */
class ColumnPivotingTest {
    private static final double THRESHOLD = 30;

    private static final List<int[]> SHAPES = List.of(new int[] {1, 1}, new int[] {1, 7}, new int[] {7, 1},
            new int[] {9, 9}, new int[] {17, 40}, new int[] {65, 31}, new int[] {90, 150}, new int[] {129, 129});

    private static final int SMALL = 41;

    /** What the numbers of a matrix are like. */
    private enum Kind {
        RANDOM,
        /** Columns and rows of ever smaller numbers. */
        GRADED,
        /** Of rank 2 at most. */
        DEFICIENT,
        ZERO,
        /** Squares overflow. */
        HUGE,
        /** Squares vanish. */
        TINY,
        /** Norms lose their digits: each column is nearly the first. */
        ALIKE
    }

    private static Mat matrix(Kind kind, Random random, ElementType type, int m, int n) {
        boolean single = type.real() == ElementType.F32;
        Mat a = random(random, type, m, n);
        return switch (kind) {
            case RANDOM -> a;
            case GRADED -> {
                double step = single ? 0.8 : 0.5;
                yield Mat.of(m, n, (i, j) -> a.re(i, j) * Math.pow(step, (i + j) / 2),
                        (i, j) -> a.im(i, j) * Math.pow(step, (i + j) / 2));
            }
            case DEFICIENT -> random(random, type, m, 2).times(random(random, type, 2, n));
            case ZERO -> new Mat(m, n);
            case HUGE -> a.times(new Complex(scale(single), 0));
            case TINY -> a.times(new Complex(1 / scale(single), 0));
            case ALIKE -> Mat.of(m, n, (i, j) -> (float) (a.re(i, 0) + 0x1p-15 * a.re(i, j)),
                    (i, j) -> (float) (a.im(i, 0) + 0x1p-15 * a.im(i, j)));
        };
    }

    static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> (float) (2 * random.nextDouble() - 1),
                (i, j) -> complex ? (float) (2 * random.nextDouble() - 1) : 0);
    }

    private static double scale(boolean single) {
        return single ? 0x1p100 : 0x1p900;
    }

    static double unit(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, int m, int n, Random random);
    }

    private static void shapes(Target target, Check check) {
        boolean slow = target.device().startsWith("sim");
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int[] shape : SHAPES) {
                if (slow && shape[0] * shape[1] > SMALL * SMALL) {
                    continue;
                }
                try (DeviceArena arena = device.arena()) {
                    check.run(handle, arena, shape[0], shape[1], new Random(31L * shape[0] + shape[1]));
                }
            }
        }
    }

    /** A factorisation: what is stored, the numbers of its columns, and all of Q. */
    private record Pivoted(Mat stored, long[] columns, Mat q) {}

    private static Pivoted factor(Handle h, DeviceArena arena, ElementType type, Mat a, long[] chosen) {
        int k = Math.min(a.m, a.n);
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        VectorView jpvt = arena.vector(ElementType.I64, a.n);
        jpvt.upload(chosen);
        VectorView tau = arena.vector(type, k);
        Lapack.geqp3(h, view, jpvt, tau);
        long[] columns = new long[a.n];
        jpvt.download(columns);
        Mat stored = Orthogonal.download(view, a.m, a.n);
        MatrixView reflectors = arena.matrix(type, a.m, k);
        Orthogonal.upload(reflectors, stored.corner(a.m, k));
        MatrixView q = arena.matrix(type, a.m, a.m);
        Orthogonal.upload(q, Mat.identity(a.m));
        Lapack.ormqr(h, Side.LEFT, Op.NONE, reflectors, tau, q);
        return new Pivoted(stored, columns, Orthogonal.download(q, a.m, a.m));
    }

    @EveryTarget
    void theFactorsGiveThePermutedMatrix(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            for (Kind kind : Kind.values()) {
                Mat a = matrix(kind, random, type, m, n);
                String what = type + " " + kind + " " + m + "x" + n;
                Pivoted f = factor(h, arena, type, a, new long[n]);
                double back = kind == Kind.HUGE ? 1 / scale(type.real() == ElementType.F32)
                        : kind == Kind.TINY ? scale(type.real() == ElementType.F32)
                        : 1;
                Mat permuted = permuted(a, f.columns()).times(new Complex(back, 0));
                Mat r = Orthogonal.QR.triangle(f.stored()).times(new Complex(back, 0));
                int k = Math.min(m, n);
                Mat rest = permuted.minus(f.q().corner(m, k).times(r));
                double bound = THRESHOLD * Math.max(m, n) * unit(type);
                assertThat(LongStream.of(f.columns()).sorted().toArray()).as("columns, %s", what)
                        .isEqualTo(LongStream.rangeClosed(1, n).toArray());
                assertThat(rest.norm1()).as("AP - QR, %s", what).isLessThanOrEqualTo(bound * permuted.norm1());
                assertThat(f.q().op(Op.CONJ_TRANS).times(f.q()).minus(Mat.identity(m)).norm1()).as("QᴴQ - I, %s", what)
                        .isLessThanOrEqualTo(bound);
                eachColumnWasTheLargest(r, bound * permuted.norm1(), what);
            }
        });
    }

    private static Mat permuted(Mat a, long[] columns) {
        return Mat.of(a.m, a.n, (i, j) -> a.re(i, (int) columns[j] - 1), (i, j) -> a.im(i, (int) columns[j] - 1));
    }

    /** What is left of a column behind is no larger than the diagonal element that was chosen before it. */
    private static void eachColumnWasTheLargest(Mat r, double slack, String what) {
        for (int i = 0; i < Math.min(r.m, r.n); i++) {
            for (int j = i + 1; j < r.n; j++) {
                double square = 0;
                for (int l = i; l < Math.min(r.m, j + 1); l++) {
                    square += r.re(l, j) * r.re(l, j) + r.im(l, j) * r.im(l, j);
                }
                assertThat(Math.sqrt(square)).as("column %d when %d was chosen, %s", j, i, what)
                        .isLessThanOrEqualTo(Math.hypot(r.re(i, i), r.im(i, i)) * (1 + 1e-3) + slack);
            }
        }
    }

    @EveryTarget
    void columnsThatAreNamedComeFirst(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            long[] chosen = new long[n];
            for (int j = 0; j < n; j++) {
                chosen[j] = random.nextInt(3) == 0 ? -4 : 0;
            }
            Mat a = random(random, type, m, n);
            Pivoted f = factor(h, arena, type, a, chosen);
            int first = (int) Arrays.stream(chosen).filter(c -> c != 0).count();
            for (int j = 0; j < n; j++) {
                assertThat(chosen[(int) f.columns()[j] - 1] != 0).as("place %d of %dx%d", j, m, n).isEqualTo(j < first);
            }
            Mat rest = permuted(a, f.columns())
                    .minus(f.q().corner(m, Math.min(m, n)).times(Orthogonal.QR.triangle(f.stored())));
            assertThat(rest.norm1()).isLessThanOrEqualTo(THRESHOLD * Math.max(m, n) * unit(type) * a.norm1());
        });
    }

    /** What is not a number ends the search for the largest, not the call. */
    @EveryTarget
    void nanComesOut(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            Mat a = random(random, type, m, n);
            int at = random.nextInt(n);
            a.set(random.nextInt(m), at, Double.NaN, 0);
            Pivoted f = factor(h, arena, type, a, new long[n]);
            assertThat(f.columns()[0]).isEqualTo(at + 1);
            assertThat(f.stored().re(0, 0)).isNaN();
        });
    }

    /** Q·(R; 0) is the triangle on top of the trapezoid; what is below both is left alone. */
    @EveryTarget
    void aTriangleOnTopOfATrapezoid(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            for (int l : new int[] {0, Math.min(m, n) / 2, Math.min(m, n)}) {
                Mat a = random(random, type, n, n);
                Mat b = random(random, type, m, n);
                MatrixView top = arena.matrix(type, n, n);
                MatrixView low = arena.matrix(type, m, n);
                MatrixView t = arena.matrix(type, Math.min(n, 1 + random.nextInt(20)), n);
                Orthogonal.upload(top, a);
                Orthogonal.upload(low, b);
                Lapack.tpqrt(h, l, top, low, t);
                Mat r = Orthogonal.download(top, n, n);
                Mat v = Orthogonal.download(low, m, n);
                MatrixView first = arena.matrix(type, n, n);
                MatrixView then = arena.matrix(type, m, n);
                Orthogonal.upload(first, upper(r, 0));
                Orthogonal.upload(then, new Mat(m, n));
                Lapack.tpmqrt(h, Side.LEFT, Op.NONE, l, low, t, first, then);
                double bound = THRESHOLD * (m + n) * unit(type) * (a.norm1() + b.norm1());
                String what = type + " " + m + "x" + n + " l=" + l;
                Mat found = Orthogonal.download(first, n, n);
                assertThat(found.minus(upper(a, 0)).norm1()).as("A, %s", what).isLessThanOrEqualTo(bound);
                assertThat(Orthogonal.download(then, m, n).minus(upper(b, m - l)).norm1()).as("B, %s", what)
                        .isLessThanOrEqualTo(bound);
                assertThat(r.minus(upper(r, 0)).re).as("below A, %s", what).isEqualTo(a.minus(upper(a, 0)).re);
                assertThat(v.minus(upper(v, m - l)).re).as("below B, %s", what).isEqualTo(b.minus(upper(b, m - l)).re);
            }
        });
    }

    /** The first rows, and below them an upper trapezoid. */
    private static Mat upper(Mat a, int rows) {
        return Mat.of(a.m, a.n, (i, j) -> i - rows <= j ? a.re(i, j) : 0, (i, j) -> i - rows <= j ? a.im(i, j) : 0);
    }
}
