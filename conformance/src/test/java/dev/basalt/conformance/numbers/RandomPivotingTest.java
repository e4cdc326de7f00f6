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
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** QR with column pivoting by random sketches: LAPACK's measures, and pivots that are nearly the largest. */
class RandomPivotingTest {
    private static final double THRESHOLD = 30;

    /** More than this many rows and columns: below them there is no sketch. */
    private static final List<int[]> SHAPES = List.of(new int[] {257, 257}, new int[] {263, 300}, new int[] {310, 290});

    /** Chunks of a workspace. */
    private static final int CHUNK = 64;

    /** How much larger a column may be than the one that was chosen before it. */
    private static final double NEARLY = 4;

    private enum Kind {
        RANDOM,
        /** Ever smaller columns and rows. */
        GRADED,
        /** Of rank 40 at most: what the sketch says of later panels is rounding errors. */
        DEFICIENT,
        ZERO,
        /** Squares overflow. */
        HUGE,
        /** Squares vanish. */
        TINY,
        /** Columns of a few directions, of all sizes: what is left of some is below the rounding errors of others. */
        STEPS,
        /** W. Kahan's triangle, whose columns are equally long. */
        KAHAN
    }

    private static Mat matrix(Kind kind, Random random, ElementType type, int m, int n) {
        boolean single = type.real() == ElementType.F32;
        Mat a = ColumnPivotingTest.random(random, type, m, n);
        double step = single ? 0.9 : 0.6;
        return switch (kind) {
            case RANDOM -> a;
            case GRADED -> Mat.of(m, n, (i, j) -> a.re(i, j) * Math.pow(step, (i + j) / 4),
                    (i, j) -> a.im(i, j) * Math.pow(step, (i + j) / 4));
            case DEFICIENT ->
                ColumnPivotingTest.random(random, type, m, 40).times(ColumnPivotingTest.random(random, type, 40, n));
            case ZERO -> new Mat(m, n);
            case HUGE -> a.times(new Complex(scale(single), 0));
            case TINY -> a.times(new Complex(1 / scale(single), 0));
            case STEPS ->
                Mat.of(m, n, (i, j) -> size(single, j) * (a.re(i, j % 5) + (j % 3 == 0 ? 0 : 0x1p-12 * a.re(i, j))),
                        (i, j) -> size(single, j) * (a.im(i, j % 5) + (j % 3 == 0 ? 0 : 0x1p-12 * a.im(i, j))));
            case KAHAN -> Mat.of(m, n, (i, j) -> Math.pow(0.995, i) * (i == j ? 1 : i < j ? -0.1 : 0), (i, j) -> 0);
        };
    }

    private static double size(boolean single, int j) {
        return Math.scalb(1.0, (single ? 4 : 20) * (j * 7 % 11 - 5));
    }

    private static double scale(boolean single) {
        return single ? 0x1p100 : 0x1p900;
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, int m, int n, Random random);
    }

    private static void shapes(Target target, int many, Check check) {
        List<int[]> shapes = SHAPES.subList(0, target.device().startsWith("sim") ? 1 : many);
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int[] shape : shapes) {
                try (DeviceArena arena = device.arena()) {
                    check.run(handle, arena, shape[0], shape[1], new Random(31L * shape[0] + shape[1]));
                }
            }
        }
    }

    /** A factorisation on the device: the factors, the numbers of columns, and the reflectors' own factors. */
    private record Pivoted(MatrixView view, VectorView tau, long[] columns) {}

    private static Pivoted factor(Handle h, DeviceArena arena, ElementType type, Mat a, long[] chosen) {
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        VectorView jpvt = arena.vector(ElementType.I64, a.n);
        jpvt.upload(chosen);
        VectorView tau = arena.vector(type, Math.min(a.m, a.n));
        Lapack.geqp3r(h, view, jpvt, tau);
        long[] columns = new long[a.n];
        jpvt.download(columns);
        return new Pivoted(view, tau, columns);
    }

    private static Mat permuted(Mat a, long[] columns, double by) {
        return Mat.of(a.m, a.n, (i, j) -> by * a.re(i, (int) columns[j] - 1),
                (i, j) -> by * a.im(i, (int) columns[j] - 1));
    }

    /** Q, or its conjugate transpose, times a matrix. */
    private static Mat times(Handle h, DeviceArena arena, Pivoted f, Op op, Mat b) {
        MatrixView view = arena.matrix(f.view().type(), b.m, b.n);
        Orthogonal.upload(view, b);
        int k = (int) f.tau().size();
        MatrixView reflectors = arena.matrix(f.view().type(), b.m, k);
        Orthogonal.upload(reflectors, Orthogonal.download(f.view(), b.m, (int) f.view().cols()).corner(b.m, k));
        Lapack.ormqr(h, Side.LEFT, op, reflectors, f.tau(), view);
        return Orthogonal.download(view, b.m, b.n);
    }

    /** A·P = Q·R and Qᴴ·A·P = R; gives R with columns that were scaled back. */
    private static Mat holds(Handle h, DeviceArena arena, Pivoted f, Mat a, double back, String what) {
        Mat permuted = permuted(a, f.columns(), back);
        Mat stored = Orthogonal.download(f.view(), a.m, a.n);
        Mat r = Mat.of(a.m, a.n, (i, j) -> i <= j ? back * stored.re(i, j) : 0,
                (i, j) -> i <= j ? back * stored.im(i, j) : 0);
        double bound = THRESHOLD * Math.max(a.m, a.n) * ColumnPivotingTest.unit(f.view().type()) * permuted.norm1();
        assertThat(LongStream.of(f.columns()).sorted().toArray()).as("columns, %s", what)
                .isEqualTo(LongStream.rangeClosed(1, a.n).toArray());
        assertThat(times(h, arena, f, Op.NONE, r).minus(permuted).norm1()).as("QR - AP, %s", what)
                .isLessThanOrEqualTo(bound);
        assertThat(times(h, arena, f, Op.CONJ_TRANS, permuted).minus(r).norm1()).as("QᴴAP - R, %s", what)
                .isLessThanOrEqualTo(bound);
        return r;
    }

    @EveryTarget
    void theFactorsGiveThePermutedMatrix(Target target) {
        ElementType type = target.type();
        shapes(target, SHAPES.size(), (h, arena, m, n, random) -> {
            for (Kind kind : m == n ? Kind.values() : new Kind[] {Kind.RANDOM, Kind.STEPS}) {
                Mat a = matrix(kind, random, type, m, n);
                String what = type + " " + kind + " " + m + "x" + n;
                double scale = scale(type.real() == ElementType.F32);
                double back = kind == Kind.HUGE ? 1 / scale : kind == Kind.TINY ? scale : 1;
                Mat r = holds(h, arena, factor(h, arena, type, a, new long[n]), a, back, what);
                eachColumnWasNearlyTheLargest(r, ColumnPivotingTest.unit(type) * m * r.norm1(), what);
            }
        });
    }

    private static void eachColumnWasNearlyTheLargest(Mat r, double slack, String what) {
        double[] left = new double[r.n];
        for (int i = Math.min(r.m, r.n) - 1; i >= 0; i--) {
            double largest = 0;
            for (int j = i; j < r.n; j++) {
                left[j] = Math.hypot(left[j], Math.hypot(r.re(i, j), r.im(i, j)));
                largest = Math.max(largest, left[j]);
            }
            assertThat(largest).as("what was left when %d was chosen, %s", i, what)
                    .isLessThanOrEqualTo(NEARLY * Math.hypot(r.re(i, i), r.im(i, i)) + slack);
        }
    }

    @EveryTarget
    void columnsThatAreNamedComeFirst(Target target) {
        ElementType type = target.type();
        shapes(target, 1, (h, arena, m, n, random) -> {
            long[] chosen = new long[n];
            for (int j = 0; j < n; j++) {
                chosen[j] = random.nextInt(5) == 0 ? -4 : 0;
            }
            Mat a = ColumnPivotingTest.random(random, type, m, n);
            Pivoted f = factor(h, arena, type, a, chosen);
            int first = (int) Arrays.stream(chosen).filter(c -> c != 0).count();
            for (int j = 0; j < n; j++) {
                assertThat(chosen[(int) f.columns()[j] - 1] != 0).as("place %d of %dx%d", j, m, n).isEqualTo(j < first);
            }
            holds(h, arena, f, a, 1, type + " " + m + "x" + n);
        });
    }

    /** What is not a number ends the search for the largest, not the call. */
    @EveryTarget
    void nanComesOut(Target target) {
        ElementType type = target.type();
        shapes(target, 1, (h, arena, m, n, random) -> {
            Mat a = ColumnPivotingTest.random(random, type, m, n);
            int at = random.nextInt(n);
            a.set(random.nextInt(m), at, Double.NaN, 0);
            Pivoted f = factor(h, arena, type, a, new long[n]);
            assertThat(f.columns()).contains(at + 1);
            assertThat(LongStream.of(f.columns()).distinct().count()).isEqualTo(n);
            assertThat(Orthogonal.download(f.view(), m, n).re(0, 0)).isNaN();
        });
    }

    /** Each tier with exactly its bytes, and in a batch of which one problem is another's with other numbers. */
    @EveryTarget
    void everyTierIsRight(Target target) {
        ElementType type = target.type();
        shapes(target, 1, (h, arena, m, n, random) -> {
            int count = 2;
            MatrixView batch = arena.matrix(type, m, n, count);
            VectorView jpvt = arena.vector(ElementType.I64, n, count);
            VectorView tau = arena.vector(type, Math.min(m, n), count);
            List<PlannedCall.Tier> tiers = h.plan(x -> Lapack.geqp3r(x, batch, jpvt, tau)).calls().get(0).tiers();
            assertThat(tiers).hasSizeGreaterThan(2);
            for (PlannedCall.Tier tier : tiers) {
                Mat a = matrix(Kind.RANDOM, random, type, m, n);
                for (int p = 0; p < count; p++) {
                    Orthogonal.upload(batch.problem(p), p == 0 ? a : matrix(Kind.DEFICIENT, random, type, m, n));
                    jpvt.problem(p).upload(new long[n]);
                }
                h.setDeviceMemorySize(tier.bytes());
                h.setMaxManagedBytes(tier.bytes());
                Lapack.geqp3r(h, batch, jpvt, tau);
                assertThat(h.lastCall().tierName()).isEqualTo(tier.name());
                assertThat(h.lastCall().bytesUsed()).isEqualTo(tier.bytes());
                long[] columns = new long[n];
                jpvt.problem(0).download(columns);
                h.setMaxManagedBytes(Long.MAX_VALUE);
                h.setDeviceMemorySize(1L << 26);
                holds(h, arena, new Pivoted(batch.problem(0), tau.problem(0), columns), a, 1, type + " " + tier.name());
            }
        });
    }
}
