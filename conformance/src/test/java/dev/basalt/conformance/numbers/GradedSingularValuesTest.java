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
import dev.basalt.type.Op;
import dev.basalt.type.Svect;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A well conditioned matrix whose columns, or the rows of a wide one, are of very different size: each singular value has its digits, beside zgesvj of OpenBLAS, which promises the same. Orders are beyond those that one pair after the other rotates.
 */
class GradedSingularValuesTest {
    private static final double THRESHOLD = 10;
    private static final int SMALL = 40;
    private static final int LARGE = 100;

    private static final List<int[]> SHAPES = List.of(new int[] {40, 40}, new int[] {57, 45}, new int[] {70, 70},
            new int[] {64, 64}, new int[] {90, 65}, new int[] {140, 131});

    /** Powers of two between the largest and the smallest column: those of float must leave its range to the rest. */
    private static final int[] SINGLE = {0, 5, 12, 19, 26, 40, 70};

    private static final int[] DOUBLE = {0, 8, 18, 21, 60, 200, 700};

    @EveryTarget
    void valuesHaveTheirDigits(Target target) {
        ElementType type = target.type();
        boolean single = type.real() == ElementType.F32;
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int[] shape : SHAPES) {
                int[] ranges = single ? SINGLE : DOUBLE;
                for (int kind = 0; kind < ranges.length; kind++) {
                    boolean slow = Devices.isSlow(target.device()) || !target.device().equals(Devices.NAMES.get(0));
                    boolean turn = (kind + shape[0]) % 3 == 0;
                    if (slow && (shape[0] > SMALL && !turn || shape[0] > LARGE)) {
                        continue;
                    }
                    Random random = new Random(41L * shape[0] + kind);
                    Mat tall = graded(random, type, shape[0], shape[1], ranges[kind]);
                    Mat a = kind % 2 == 0 || tall.m == tall.n ? tall : tall.op(Op.CONJ_TRANS);
                    try (DeviceArena arena = device.arena()) {
                        check(h, arena, type, target + " " + a.m + "×" + a.n + " over 2^" + ranges[kind], a, tall);
                    }
                }
            }
        }
    }

    private static void check(Handle h, DeviceArena arena, ElementType type, String what, Mat a, Mat tall) {
        double[] expected = gesvj(tall);
        for (Svect job : List.of(Svect.SINGULAR, Svect.NONE)) {
            Decomposed d = Decomposed.gesvdj(h, arena, type, a, job, job, 60);
            assertThat(d.info()).as(what).isZero();
            if (job != Svect.NONE) {
                d.check(what, a, type);
            }
            for (int i = 0; i < tall.n; i++) {
                assertThat(Math.abs(d.values().re[i] - expected[i]) / expected[i])
                        .as("%s: value %d, %s", what, i, expected[i])
                        .isLessThan(THRESHOLD * tall.n * ColumnPivotingTest.unit(type));
            }
        }
    }

    /** Rows and columns are shuffled, so that nothing lies where an algorithm would put it. */
    private static Mat graded(Random random, ElementType type, int m, int n, int range) {
        Mat b = ColumnPivotingTest.random(random, type, m, n);
        double most = Arrays.stream(b.re).map(Math::abs).max().orElseThrow();
        List<Integer> places = new ArrayList<>(IntStream.range(0, n).boxed().toList());
        List<Integer> rows = new ArrayList<>(IntStream.range(0, m).boxed().toList());
        Collections.shuffle(places, random);
        Collections.shuffle(rows, random);
        double diagonal = 2 * most * Math.sqrt(m);
        int[] scale = new int[n];
        for (int j = 0; j < n; j++) {
            scale[j] = range / 2 - range * places.get(j) / (n - 1);
        }
        boolean single = type.real() == ElementType.F32;
        return Mat.of(m, n, (i, j) -> {
            double x = Math.scalb((rows.get(i) == j ? diagonal : 0) + b.re(i, j), scale[j]);
            return single ? (float) x : x;
        }, (i, j) -> {
            double x = Math.scalb(b.im(i, j), scale[j]);
            return single ? (float) x : x;
        });
    }

    /** The values by zgesvj. */
    private static double[] gesvj(Mat a) {
        try (Arena arena = Arena.ofConfined()) {
            double[] both = new double[2 * a.m * a.n];
            for (int i = 0; i < a.re.length; i++) {
                both[2 * i] = a.re[i];
                both[2 * i + 1] = a.im[i];
            }
            MemorySegment letters = arena.allocateFrom("GNN");
            int size = 6 + a.m + a.n;
            MemorySegment values = arena.allocate(ValueLayout.JAVA_DOUBLE, a.n);
            MemorySegment real = arena.allocate(ValueLayout.JAVA_DOUBLE, size);
            MemorySegment info = number(arena, 0);
            Object[] arguments = {
                    letters,
                    letters.asSlice(1),
                    letters.asSlice(2),
                    number(arena, a.m),
                    number(arena, a.n),
                    arena.allocateFrom(ValueLayout.JAVA_DOUBLE, both),
                    number(arena, a.m),
                    values,
                    number(arena, 0),
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 2),
                    number(arena, 1),
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 2L * size),
                    number(arena, size),
                    real,
                    number(arena, size),
                    info,
                    1L,
                    1L,
                    1L};
            MemoryLayout[] layouts = new MemoryLayout[arguments.length];
            Arrays.fill(layouts, ValueLayout.ADDRESS);
            Arrays.fill(layouts, arguments.length - 3, arguments.length, ValueLayout.JAVA_LONG);
            OpenBlas.handle("zgesvj_", FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(arguments);
            assertThat(info.get(ValueLayout.JAVA_INT, 0)).isZero();
            double scale = real.get(ValueLayout.JAVA_DOUBLE, 0);
            double[] found =
                    Arrays.stream(values.toArray(ValueLayout.JAVA_DOUBLE)).map(v -> -v * scale).sorted().toArray();
            return Arrays.stream(found).map(v -> -v).toArray();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MemorySegment number(Arena arena, int value) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, value);
    }
}
