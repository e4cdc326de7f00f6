package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.OpenBlas;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Selection;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Schur forms of pairs of hard matrices, the order of their eigenvalues, and their eigenvectors. */
class PencilFormsTest {
    private static final double THRESHOLD = 100;
    private static final int[] ORDERS = {0, 1, 2, 3, 4, 9, 24};

    private interface Check {
        void run(String what, Handle h, DeviceArena arena, Mat a, Mat b);
    }

    /** Each kind of matrix beside some others, each order with some. */
    private static void pairs(Target target, Check check) {
        GeneralMatrices[] kinds = GeneralMatrices.values();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (GeneralMatrices first : kinds) {
                for (GeneralMatrices second : kinds) {
                    int n = ORDERS[(first.ordinal() + 3 * second.ordinal()) % ORDERS.length];
                    if (n > 4 && Devices.isSlow(target.device()) && (first.ordinal() + second.ordinal()) % 3 != 0) {
                        continue;
                    }
                    try (DeviceArena arena = device.arena()) {
                        Random random = new Random(31L * first.ordinal() + second.ordinal());
                        check.run(first + " " + second + " n=" + n, h, arena, first.matrix(random, target.type(), n),
                                second.matrix(random, target.type(), n));
                    }
                }
            }
        }
    }

    @EveryTarget
    void eigenvectors(Target target) {
        pairs(target, (what, h, arena, a, b) -> {
            Pairs p = Pairs.ggev(h, arena, target.type(), a, b);
            assertThat(p.info()).as(what).isZero();
            p.measure(what, target.type(), a, b);
        });
    }

    @EveryTarget
    void forms(Target target) {
        pairs(target, (what, h, arena, a, b) -> {
            Selection select = Selection.values()[what.length() % Selection.values().length];
            Pairs p = Pairs.gges(h, arena, target.type(), a, b, select);
            String whole = what + " " + select;
            // Blocks that are too close to be exchanged end in n + 1; the forms are right then, too.
            assertThat(p.info()).as(whole).isIn(0, a.n + 1);
            p.forms(whole, target.type(), a, b);
            assertThat(p.chosen()).as(whole).isBetween(0L, (long) a.n);
        });
    }

    /** Eigenvalues far from the edge of every rule come in order, and pairs stay whole. */
    @EveryTarget
    void order(Target target) {
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : new int[] {1, 2, 3, 4, 5, 8, 15, 30}) {
                for (Selection select : Selection.values()) {
                    try (DeviceArena arena = device.arena()) {
                        Random random = new Random(7L * n + select.ordinal());
                        Mat a = apart(target.type(), random, n, 0.5, 2);
                        Mat b = apart(target.type(), random, n, 1, 1);
                        Mat x = orthogonal(random, n);
                        Mat y = orthogonal(random, n);
                        Mat left = x.times(a).times(y);
                        Mat right = x.times(b).times(y);
                        Pairs p = Pairs.gges(h, arena, target.type(), left, right, select);
                        String what = "n=" + n + " " + select;
                        assertThat(p.info()).as(what).isZero();
                        p.forms(what, target.type(), rounded(target, left), rounded(target, right));
                        long chosen = 0;
                        for (int i = 0; i < n; i++) {
                            boolean is = p.chooses(select, i);
                            chosen += is ? 1 : 0;
                            assertThat(is).as("%s: value %d", what, i).isEqualTo(i < p.chosen());
                        }
                        assertThat(chosen).as(what).isEqualTo(p.chosen());
                    }
                }
            }
        }
    }

    private static Mat rounded(Target target, Mat a) {
        boolean single = target.type().real() == ElementType.F32;
        return Mat.of(a.m, a.n, (i, j) -> single ? (float) a.re(i, j) : a.re(i, j),
                (i, j) -> single ? (float) a.im(i, j) : a.im(i, j));
    }

    /** A triangle with blocks of two rows, the sizes of whose values are either of two, with one sign or the other. */
    private static Mat apart(ElementType type, Random random, int n, double small, double large) {
        double[] diagonal = new double[n];
        boolean[] pair = new boolean[n];
        boolean plain = small == large;
        for (int i = 0; i < n; i++) {
            diagonal[i] = (random.nextBoolean() ? small : large) * (plain || random.nextBoolean() ? 1 : -1);
            pair[i] = !plain && !type.isComplex() && i % 4 == 1 && i + 1 < n;
        }
        Mat g = GeneralMatrices.RANDOM.matrix(random, type, n);
        return Mat.of(n, n, (i, j) -> {
            if (j == i + 1 && pair[i] || i == j + 1 && pair[j]) {
                return (i < j ? 1 : -1) * 0.25 * diagonal[Math.min(i, j)];
            }
            int own = i > 0 && pair[i - 1] ? i - 1 : i;
            return i == j ? diagonal[own] : i < j && !(plain && j == i + 1 && i % 4 == 1) ? 0.25 * g.re(i, j) : 0;
        }, (i, j) -> i < j ? 0.25 * g.im(i, j) : 0);
    }

    /** A product of reflectors. */
    private static Mat orthogonal(Random random, int n) {
        Mat q = Mat.identity(n);
        for (int k = 0; k < 2; k++) {
            double[] v = random.doubles(n, -1, 1).toArray();
            double sum = Arrays.stream(v).map(x -> x * x).sum();
            q = q.times(Mat.of(n, n, (i, j) -> (i == j ? 1 : 0) - 2 * v[i] * v[j] / sum, (i, j) -> 0));
        }
        return q;
    }

    /** What is not a number ends in an info, NaN for what has not converged, and nothing that is chosen. */
    @EveryTarget
    void notNumbers(Target target) {
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : new int[] {1, 2, 3, 12}) {
                for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                    for (int k = 0; k < 2; k++) {
                        try (DeviceArena arena = device.arena()) {
                            Random random = new Random(n);
                            Mat a = GeneralMatrices.RANDOM.matrix(random, target.type(), n);
                            Mat b = GeneralMatrices.RANDOM.matrix(random, target.type(), n);
                            (k == 0 ? a : b).set(n / 2, n / 3, bad, 0);
                            for (Selection select : List.of(Selection.NONE, Selection.OUTSIDE)) {
                                Pairs p = Pairs.gges(h, arena, target.type(), a, b, select);
                                assertThat(p.info()).isEqualTo(n);
                                assertThat(p.chosen()).isZero();
                                assertThat(p.alphas().re).containsOnly(Double.NaN);
                                assertThat(p.alphas().im).containsOnly(Double.NaN);
                                assertThat(p.betas().re).containsOnly(Double.NaN);
                            }
                            assertThat(Pairs.ggev(h, arena, target.type(), a, b).info()).isEqualTo(n);
                        }
                    }
                }
            }
        }
    }

    /** Eigenvalues of random pairs are those that OpenBLAS finds. */
    @EveryTarget(realOnly = true)
    void values(Target target) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int n : new int[] {2, 3, 5, 16, 33}) {
                Random random = new Random(n);
                Mat a = GeneralMatrices.RANDOM.matrix(random, target.type(), n);
                Mat b = GeneralMatrices.RANDOM.matrix(random, target.type(), n);
                Mat[] expected = reference(a, b);
                Pairs p = Pairs.ggev(h, arena, target.type(), a, b);
                double allowed = THRESHOLD * THRESHOLD * n * ColumnPivotingTest.unit(target.type());
                int complex = 0;
                for (int i = 0; i < n; i++) {
                    complex += p.alphas().im[i] != 0 ? 1 : 0;
                    double found = Pairs.distance(p.alphas().re[i], p.alphas().im[i], p.betas().re[i], expected[0],
                            expected[1]);
                    double missed = Pairs.distance(expected[0].re[i], expected[0].im[i], expected[1].re[i], p.alphas(),
                            p.betas());
                    assertThat(Math.max(found, missed)).as("value %d of n=%d", i, n).isLessThan(allowed);
                }
                long others = Arrays.stream(expected[0].im).filter(x -> x != 0).count();
                assertThat((long) complex).as("n=%d", n).isEqualTo(others);
            }
        }
    }

    /** Numerators and denominators by OpenBLAS. */
    private static Mat[] reference(Mat a, Mat b) {
        int n = a.n;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment order = arena.allocateFrom(ValueLayout.JAVA_INT, n);
            MemorySegment re = arena.allocate(ValueLayout.JAVA_DOUBLE, n);
            MemorySegment im = arena.allocate(ValueLayout.JAVA_DOUBLE, n);
            MemorySegment beta = arena.allocate(ValueLayout.JAVA_DOUBLE, n);
            MemorySegment none = arena.allocate(ValueLayout.JAVA_DOUBLE, 1);
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
            MemorySegment info = arena.allocateFrom(ValueLayout.JAVA_INT, -1);
            int room = 100 * n;
            List<Object> arguments = List.of(arena.allocateFrom("N"), arena.allocateFrom("N"), order,
                    arena.allocateFrom(ValueLayout.JAVA_DOUBLE, a.re), order,
                    arena.allocateFrom(ValueLayout.JAVA_DOUBLE, b.re), order, re, im, beta, none, one, none, one,
                    arena.allocate(ValueLayout.JAVA_DOUBLE, room), arena.allocateFrom(ValueLayout.JAVA_INT, room),
                    info);
            MemoryLayout[] layouts = new MemoryLayout[arguments.size()];
            Arrays.fill(layouts, ValueLayout.ADDRESS);
            OpenBlas.handle("dggev_", FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(arguments);
            assertThat(info.get(ValueLayout.JAVA_INT, 0)).isZero();
            double[] x = re.toArray(ValueLayout.JAVA_DOUBLE);
            double[] y = im.toArray(ValueLayout.JAVA_DOUBLE);
            double[] z = beta.toArray(ValueLayout.JAVA_DOUBLE);
            return new Mat[] {Mat.of(n, 1, (i, j) -> x[i], (i, j) -> y[i]), Mat.of(n, 1, (i, j) -> z[i], (i, j) -> 0)};
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
