package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.OpenBlas;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Balancing of pairs: permutations are those of OpenBLAS, scaled rows and columns have norms of about 1, and what undoes both does as OpenBLAS does with the same numbers. */
class PencilBalanceTest {
    private static final int[] ORDERS = {1, 2, 3, 5, 9, 16, 33};

    /** What a call left: ilo and ihi, and scales of both sides. */
    private record Balanced(Mat a, Mat b, long ilo, long ihi, double[] left, double[] right) {}

    private static Balanced balance(Handle h, DeviceArena arena, ElementType type, Balance how, Mat a, Mat b) {
        int n = a.n;
        MatrixView x = arena.matrix(type, n, n);
        MatrixView y = arena.matrix(type, n, n);
        Orthogonal.upload(x, a);
        Orthogonal.upload(y, b);
        VectorView ilo = arena.vector(ElementType.I64, 1);
        VectorView ihi = arena.vector(ElementType.I64, 1);
        VectorView left = arena.vector(type.real(), n);
        VectorView right = arena.vector(type.real(), n);
        Lapack.ggbal(h, how, x, y, ilo, ihi, left, right);
        long[] lo = new long[1];
        long[] hi = new long[1];
        ilo.download(lo);
        ihi.download(hi);
        return new Balanced(Orthogonal.download(x, n, n), Orthogonal.download(y, n, n), lo[0], hi[0],
                Orthogonal.download(left, n).re, Orthogonal.download(right, n).re);
    }

    private interface Check {
        void run(Handle h, DeviceArena arena, ElementType type, int n, Random random);
    }

    private static void on(Target target, Check check) {
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : ORDERS) {
                try (DeviceArena arena = device.arena()) {
                    check.run(h, arena, target.type(), n, new Random(7L * n));
                }
            }
        }
    }

    /** Half of the elements are zero, or all of them below a diagonal whose rows and columns are mixed, but for a block. */
    private static Mat sparse(Random random, int n, int kind, int[] rows, int[] columns) {
        int from = n / 3;
        int to = 2 * n / 3;
        return Mat.of(n, n, (i, j) -> {
            int r = rows[i];
            int c = columns[j];
            boolean block = r >= from && r < to && c >= from && c < to;
            boolean zero = kind == 0 ? random.nextInt(n) > 1 : kind == 1 && r > c && !block;
            return zero ? 0 : (float) (1 + random.nextDouble());
        }, (i, j) -> 0);
    }

    private static int[] mixed(Random random, int n) {
        int[] places = new int[n];
        Arrays.setAll(places, i -> i);
        for (int i = n - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = places[i];
            places[i] = places[other];
            places[other] = kept;
        }
        return places;
    }

    @EveryTarget
    void permutationsAreThoseOfLapack(Target target) {
        on(target, (h, arena, type, n, random) -> {
            for (int kind = 0; kind < 3; kind++) {
                int[] rows = mixed(random, n);
                int[] columns = mixed(random, n);
                Mat a = sparse(random, n, kind, rows, columns);
                Mat b = sparse(random, n, kind, rows, columns);
                for (Balance how : List.of(Balance.NONE, Balance.PERMUTE, Balance.BOTH)) {
                    Balanced found = balance(h, arena, type, how, a, b);
                    Balanced right = reference(how == Balance.NONE ? "N" : "P", a, b);
                    assertThat(List.of(found.ilo, found.ihi)).as("%s of n=%d, kind %d", how, n, kind)
                            .isEqualTo(List.of(right.ilo, right.ihi));
                    for (int i = 0; i < n; i++) {
                        if (how != Balance.BOTH || i + 1 < right.ilo || i + 1 > right.ihi) {
                            assertThat(found.left[i]).as("row %d of n=%d, kind %d", i, n, kind)
                                    .isEqualTo(right.left[i]);
                            assertThat(found.right[i]).as("column %d of n=%d, kind %d", i, n, kind)
                                    .isEqualTo(right.right[i]);
                        }
                    }
                    if (how != Balance.BOTH) {
                        assertThat(found.a.re).isEqualTo(right.a.re);
                        assertThat(found.b.re).isEqualTo(right.b.re);
                    }
                }
            }
        });
    }

    /** Rows and columns of sizes far apart come to norms of about 1. */
    @EveryTarget
    void scaledNormsAreAlike(Target target) {
        on(target, (h, arena, type, n, random) -> {
            int far = type.real() == ElementType.F32 ? 12 : 60;
            int[] row = random.ints(n, -far, far).toArray();
            int[] column = random.ints(n, -far, far).toArray();
            Mat a = Mat.of(n, n, (i, j) -> Math.scalb((float) (1 + random.nextDouble()), row[i] + column[j]),
                    (i, j) -> 0);
            Mat b = Mat.of(n, n, (i, j) -> Math.scalb((float) (1 + random.nextDouble()), row[i] + column[j]),
                    (i, j) -> 0);
            Balanced x = balance(h, arena, type, Balance.SCALE, a, b);
            assertThat(List.of(x.ilo, x.ihi)).isEqualTo(List.of(1L, (long) n));
            for (int i = 0; i < n; i++) {
                double across = 0;
                double down = 0;
                for (int j = 0; j < n; j++) {
                    // Powers of two change no digit.
                    assertThat(x.a.re(i, j)).isEqualTo(a.re(i, j) * x.left[i] * x.right[j]);
                    assertThat(x.b.re(i, j)).isEqualTo(b.re(i, j) * x.left[i] * x.right[j]);
                    across = Math.hypot(across, Math.hypot(x.a.re(i, j), x.b.re(i, j)));
                    down = Math.hypot(down, Math.hypot(x.a.re(j, i), x.b.re(j, i)));
                }
                if (n > 1) {
                    assertThat(across).as("row %d of n=%d", i, n).isBetween(0.25, 4.0);
                    assertThat(down).as("column %d of n=%d", i, n).isBetween(0.25, 4.0);
                }
            }
        });
    }

    @EveryTarget
    void vectorsComeBackAsInLapack(Target target) {
        on(target, (h, arena, type, n, random) -> {
            int[] rows = mixed(random, n);
            int[] columns = mixed(random, n);
            Mat a = sparse(random, n, 1, rows, columns);
            Mat b = sparse(random, n, 1, rows, columns);
            for (Balance how : Balance.values()) {
                Balanced x = balance(h, arena, type, how, a, b);
                Mat v = Mat.of(n, 4, (i, j) -> (float) random.nextGaussian(), (i, j) -> 0);
                for (Side side : Side.values()) {
                    MatrixView view = arena.matrix(type, n, 4);
                    VectorView left = arena.vector(type.real(), n);
                    VectorView right = arena.vector(type.real(), n);
                    Orthogonal.upload(view, v);
                    upload(left, type, x.left);
                    upload(right, type, x.right);
                    Lapack.ggbak(h, how, side, x.ilo, x.ihi, left, right, view);
                    assertThat(Orthogonal.download(view, n, 4).re).as("%s %s of n=%d", how, side, n)
                            .isEqualTo(back(how, side, x, v));
                }
            }
        });
    }

    private static void upload(VectorView view, ElementType type, double[] numbers) {
        if (type.real() == ElementType.F32) {
            float[] single = new float[numbers.length];
            for (int i = 0; i < single.length; i++) {
                single[i] = (float) numbers[i];
            }
            view.upload(single);
        } else {
            view.upload(numbers);
        }
    }

    private static String letter(Balance how) {
        return how == Balance.NONE ? "N" : how.name().substring(0, 1);
    }

    private static Balanced reference(String job, Mat a, Mat b) {
        int n = a.n;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment order = arena.allocateFrom(ValueLayout.JAVA_INT, n);
            MemorySegment x = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, a.re);
            MemorySegment y = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, b.re);
            MemorySegment lo = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment hi = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment left = arena.allocate(ValueLayout.JAVA_DOUBLE, n);
            MemorySegment right = arena.allocate(ValueLayout.JAVA_DOUBLE, n);
            call("dggbal_", arena, arena.allocateFrom(job), order, x, order, y, order, lo, hi, left, right,
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 6 * n));
            return new Balanced(of(x, n, n), of(y, n, n), lo.get(ValueLayout.JAVA_INT, 0),
                    hi.get(ValueLayout.JAVA_INT, 0), left.toArray(ValueLayout.JAVA_DOUBLE),
                    right.toArray(ValueLayout.JAVA_DOUBLE));
        }
    }

    private static double[] back(Balance how, Side side, Balanced x, Mat v) {
        int n = v.m;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment order = arena.allocateFrom(ValueLayout.JAVA_INT, n);
            MemorySegment vectors = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, v.re);
            call("dggbak_", arena, arena.allocateFrom(letter(how)), arena.allocateFrom(side.name().substring(0, 1)),
                    order, arena.allocateFrom(ValueLayout.JAVA_INT, (int) x.ilo),
                    arena.allocateFrom(ValueLayout.JAVA_INT, (int) x.ihi),
                    arena.allocateFrom(ValueLayout.JAVA_DOUBLE, x.left),
                    arena.allocateFrom(ValueLayout.JAVA_DOUBLE, x.right), arena.allocateFrom(ValueLayout.JAVA_INT, v.n),
                    vectors, order);
            return vectors.toArray(ValueLayout.JAVA_DOUBLE);
        }
    }

    /** A routine of LAPACK's, whose last argument is info. */
    private static void call(String name, Arena arena, MemorySegment... arguments) {
        MemorySegment info = arena.allocateFrom(ValueLayout.JAVA_INT, -1);
        MemoryLayout[] layouts = new MemoryLayout[arguments.length + 1];
        Arrays.fill(layouts, ValueLayout.ADDRESS);
        Object[] all = Arrays.copyOf(arguments, layouts.length, Object[].class);
        all[arguments.length] = info;
        try {
            OpenBlas.handle(name, FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(all);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        assertThat(info.get(ValueLayout.JAVA_INT, 0)).isZero();
    }

    private static Mat of(MemorySegment numbers, int m, int n) {
        double[] x = numbers.toArray(ValueLayout.JAVA_DOUBLE);
        return Mat.of(m, n, (i, j) -> x[i + j * m], (i, j) -> 0);
    }
}
