package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.ClassicLapack;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.OpenBlas;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Fact;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Expert drivers: matrices that are worth scaling, that are singular or nearly so, and factors that are given. */
class ExpertSolveTest {
    private static final int SIDES = 3;

    /** The operands of a call of gesvx, or of posvx with {@code uplo}. */
    private static final class Problem {
        final ElementType type;
        final int n;
        final MatrixView a;
        final MatrixView factors;
        final VectorView ipiv;
        final VectorView equed;
        final VectorView r;
        final VectorView c;
        final MatrixView b;
        final MatrixView x;
        final VectorView rcond;
        final VectorView ferr;
        final VectorView berr;
        final VectorView rpvgrw;
        final VectorView info;

        Problem(DeviceArena arena, ElementType type, Mat matrix, Mat sides) {
            this.type = type;
            n = matrix.n;
            a = Problems.matrix(arena, type, matrix);
            factors = arena.matrix(type, n, n);
            ipiv = arena.vector(ElementType.I64, n);
            equed = arena.vector(ElementType.I64, 1);
            r = arena.vector(type.real(), n);
            c = arena.vector(type.real(), n);
            b = Problems.matrix(arena, type, sides);
            x = Problems.matrix(arena, type, Mat.of(n, SIDES, (i, j) -> 77, (i, j) -> 0));
            rcond = arena.vector(type.real(), 1);
            ferr = Problems.reals(arena, type, 7, 7, 7);
            berr = Problems.reals(arena, type, 7, 7, 7);
            rpvgrw = arena.vector(type.real(), 1);
            info = arena.vector(ElementType.I32, 1);
        }

        int solve(Handle h, Fact fact, Op op) {
            Lapack.gesvx(h, fact, op, a, factors, ipiv, equed, r, c, b, x, rcond, ferr, berr, rpvgrw, info);
            return Problems.info(info);
        }

        int solve(Handle h, Fact fact, Uplo uplo) {
            Lapack.posvx(h, fact, uplo, a, factors, equed, r, b, x, rcond, ferr, berr, info);
            return Problems.info(info);
        }

        Mat solution() {
            return Orthogonal.download(x, n, SIDES);
        }

        long scaled() {
            long[] which = new long[1];
            equed.download(which);
            return which[0];
        }

        /** No error is larger than is told, and no backward error larger than rounding. */
        void check(Mat exact) {
            Mat found = solution();
            double[] forward = Problems.reals(ferr, SIDES);
            double[] backward = Problems.reals(berr, SIDES);
            for (int j = 0; j < SIDES; j++) {
                double error = 0;
                double size = 0;
                for (int i = 0; i < n; i++) {
                    error = Math.max(error, Math.abs(found.re(i, j) - exact.re(i, j)));
                    size = Math.max(size, Math.abs(found.re(i, j)));
                }
                assertThat(error / size).isLessThanOrEqualTo(forward[j]);
                assertThat(backward[j]).isBetween(0.0, 2 * (n + 1) * Problems.eps(type));
            }
        }

        /** Nothing but the tidings changed: there is no solution. */
        void isUnsolved() {
            assertThat(solution().re).containsOnly(77);
            assertThat(Problems.reals(ferr, SIDES)).containsOnly(7);
            assertThat(Problems.reals(berr, SIDES)).containsOnly(7);
            assertThat(Problems.real(rcond)).isZero();
        }
    }

    /** Products with small integers are exact; rows and columns have sizes far apart. */
    private static Mat graded(Random random, ElementType type, int n, int rows, int columns) {
        return Mat.of(n, n,
                (i, j) -> Math.scalb((double) (random.nextInt(9) - 4 + (i == j ? 12 : 0)),
                        -rows * (i % 4) - columns * (j % 3)),
                (i, j) -> type.isComplex() && i != j
                        ? Math.scalb((double) (random.nextInt(9) - 4), -rows * (i % 4) - columns * (j % 3))
                        : 0);
    }

    private static Mat solution(Random random, int n) {
        return Mat.of(n, SIDES, (i, j) -> 1 + random.nextInt(7), (i, j) -> 0);
    }

    @EveryTarget
    void scalesAndSolvesAndSolvesAgain(Target target) {
        ElementType type = target.type();
        Random random = new Random(41);
        Problems.on(target, (h, arena) -> {
            for (int scaled = 0; scaled < 4; scaled++) {
                // With every form of A.
                int n = scaled == 0 ? 4 : 20;
                Op op = Op.values()[scaled % 3];
                Mat a = graded(random, type, n, scaled % 2 * 2, scaled / 2 * 5);
                Mat exact = solution(random, n);
                Problem p = new Problem(arena, type, a, a.op(op).times(exact));
                assertThat(p.solve(h, Fact.EQUILIBRATE, op)).isZero();
                assertThat(p.scaled()).isEqualTo(scaled);
                p.check(exact);
                assertThat(Problems.real(p.rcond)).isGreaterThan(1e-4);
                assertThat(Problems.real(p.rpvgrw)).isBetween(0.2, 1.5);
                Mat other = solution(random, n);
                Orthogonal.upload(p.b, a.op(op).times(other));
                assertThat(p.solve(h, Fact.FACTORED, op)).isZero();
                p.check(other);
            }
        });
    }

    @EveryTarget
    void scalesDefiniteMatrices(Target target) {
        ElementType type = target.type();
        Random random = new Random(42);
        Problems.on(target, (h, arena) -> {
            for (Uplo uplo : Uplo.values()) {
                for (int by = 0; by < 2; by++) {
                    int n = 20;
                    int scale = 3 * by;
                    Mat g = graded(random, type, n, 0, 0);
                    // What is not stored is never read.
                    Mat a = Mat.of(n, n,
                            (i, j) -> Math.scalb((i < j ? g.re(i, j) : g.re(j, i)) + (i == j ? 9 * n : 0),
                                    -scale * (i % 3 + j % 3)),
                            (i, j) -> i == j
                                    ? 0
                                    : Math.scalb(i < j ? g.im(i, j) : -g.im(j, i), -scale * (i % 3 + j % 3)));
                    Mat stored = Mat.of(n, n,
                            (i, j) -> i == j || i < j == (uplo == Uplo.UPPER) ? a.re(i, j) : Double.NaN, a::im);
                    Mat exact = solution(random, n);
                    Problem p = new Problem(arena, type, stored, a.times(exact));
                    assertThat(p.solve(h, Fact.EQUILIBRATE, uplo)).isZero();
                    assertThat(p.scaled()).isEqualTo(by);
                    p.check(exact);
                    Orthogonal.upload(p.b, a.times(exact));
                    assertThat(p.solve(h, Fact.FACTORED, uplo)).isZero();
                    p.check(exact);
                }
            }
        });
    }

    @EveryTarget
    void tellsOfMatricesThatAreSingular(Target target) {
        ElementType type = target.type();
        Random random = new Random(43);
        int n = 9;
        Problems.on(target, (h, arena) -> {
            Mat a = graded(random, type, n, 0, 0);
            Mat b = solution(random, n);
            for (Fact fact : List.of(Fact.NOT_FACTORED, Fact.EQUILIBRATE)) {
                Problem p = new Problem(arena, type, Mat.of(n, n, (i, j) -> j == 4 ? 0 : a.re(i, j), a::im), b);
                Orthogonal.upload(p.a,
                        Mat.of(n, n, (i, j) -> j == 4 ? 0 : a.re(i, j), (i, j) -> j == 4 ? 0 : a.im(i, j)));
                assertThat(p.solve(h, fact, Op.NONE)).isEqualTo(5);
                p.isUnsolved();
                assertThat(Problems.real(p.rpvgrw)).isBetween(0.2, 1.5);
                assertThat(p.scaled()).isZero();
            }
            Problem definite =
                    new Problem(arena, type, Mat.of(n, n, (i, j) -> i == j ? i == 6 ? -1 : 4 : 0, (i, j) -> 0), b);
            assertThat(definite.solve(h, Fact.NOT_FACTORED, Uplo.LOWER)).isEqualTo(7);
            definite.isUnsolved();
            // Nearly singular: there is a solution, and the warning.
            double little = Problems.eps(type) / 4;
            Mat near = Mat.of(n, n, (i, j) -> i == j ? i == 6 ? little : 1 : 0, (i, j) -> 0);
            Mat ones = Mat.of(n, SIDES, (i, j) -> i == 6 ? little : 1, (i, j) -> 0);
            Problem poor = new Problem(arena, type, near, ones);
            assertThat(poor.solve(h, Fact.NOT_FACTORED, Op.NONE)).isEqualTo(n + 1);
            assertThat(poor.solution().re).containsOnly(1);
            poor = new Problem(arena, type, near, ones);
            assertThat(poor.solve(h, Fact.NOT_FACTORED, Uplo.UPPER)).isEqualTo(n + 1);
            // Scales make it an easy one.
            assertThat(new Problem(arena, type, near, ones).solve(h, Fact.EQUILIBRATE, Uplo.UPPER)).isZero();
            Problem nan =
                    new Problem(arena, type, Mat.of(n, n, (i, j) -> i + j == 0 ? Double.NaN : a.re(i, j), a::im), b);
            assertThat(nan.solve(h, Fact.NOT_FACTORED, Op.NONE)).isEqualTo(n + 1);
        });
    }

    @EveryTarget
    void refusesScalesThatAreNone(Target target) {
        ElementType type = target.type();
        Random random = new Random(44);
        int n = 5;
        Problems.on(target, (h, arena) -> {
            Problem p = new Problem(arena, type, graded(random, type, n, 0, 0), solution(random, n));
            p.solve(h, Fact.NOT_FACTORED, Op.NONE);
            Orthogonal.upload(p.x, Mat.of(n, SIDES, (i, j) -> 77, (i, j) -> 0));
            Problem fresh = new Problem(arena, type, graded(random, type, n, 0, 0), solution(random, n));
            long[] given = {4, -1, 1, 2, 3};
            int[] info = {-10, -10, -11, -12, -11};
            for (int i = 0; i < given.length; i++) {
                fresh.equed.upload(new long[] {given[i]});
                fresh.r.upload(Problems.single(type) ? new float[] {1, 1, 0, 1, 1} : new double[] {1, 1, 0, 1, 1});
                fresh.c.upload(
                        Problems.single(type) ? new float[] {1, Float.NaN, 1, 1, 1} : new double[] {1, -2, 1, 1, 1});
                assertThat(fresh.solve(h, Fact.FACTORED, Op.NONE)).isEqualTo(info[i]);
                fresh.isUnsolved();
                if (given[i] == 2) {
                    continue;
                }
                assertThat(fresh.solve(h, Fact.FACTORED, Uplo.UPPER)).isEqualTo(given[i] == 1 ? -10 : -9);
                fresh.isUnsolved();
            }
        });
    }

    /** One that is singular and one that is scaled, between others: each as if it were alone. */
    @Test
    void othersOfABatchAreSolved() {
        Problems.on(new Target("host", ElementType.F64), (h, arena) -> {
            int count = 5;
            VectorView a = arena.vector(ElementType.F64, 4 * count);
            VectorView factors = arena.vector(ElementType.F64, 4 * count);
            VectorView b = arena.vector(ElementType.F64, 2 * count);
            VectorView x = arena.vector(ElementType.F64, 2 * count);
            VectorView scales = arena.vector(ElementType.F64, 4 * count);
            VectorView bounds = arena.vector(ElementType.F64, 4 * count);
            VectorView pivots = arena.vector(ElementType.I64, 2 * count);
            VectorView equed = arena.vector(ElementType.I64, count);
            VectorView info = arena.vector(ElementType.I32, count);
            a.upload(new double[] {2, 0, 0, 4, 1, 1, 1, 1, 1024, 0, 0, 2, 1, 0, 0, 0x1p-60, 0, 2, 4, 0});
            b.upload(new double[] {2, 8, 3, 4, 2048, 6, 5, 0x1p-60, 8, 2});
            x.upload(new double[] {9, 9, 9, 9, 9, 9, 9, 9, 9, 9});
            ClassicLapack.dgesvxStridedBatched(h, Fact.EQUILIBRATE, Op.NONE, 2, 1, a.pointer(), 2, 4, factors.pointer(),
                    2, 4, pivots.pointer(), 2, equed.pointer(), 1, scales.pointer(), 2,
                    scales.pointer().plus(ElementType.F64, 2 * count), 2, b.pointer(), 2, 2, x.pointer(), 2, 2,
                    bounds.pointer(), 1, bounds.pointer().plus(ElementType.F64, count), 1,
                    bounds.pointer().plus(ElementType.F64, 2 * count), 1,
                    bounds.pointer().plus(ElementType.F64, 3 * count), 1, info.pointer(), count);
            int[] failed = new int[count];
            info.download(failed);
            long[] scaled = new long[count];
            equed.download(scaled);
            assertThat(failed).containsExactly(0, 2, 0, 0, 0);
            assertThat(scaled).containsExactly(0, 0, 1, 1, 0);
            assertThat(Problems.reals(x, 2 * count)).containsExactly(1, 2, 9, 9, 2, 3, 5, 1, 1, 2);
            assertThat(Problems.reals(bounds, 4 * count)).startsWith(0.5, 0, 1, 1, 0.5);
        });
    }

    // ---- beside OpenBLAS

    private static MemorySegment doubles(Arena arena, double... values) {
        MemorySegment segment = arena.allocate(ValueLayout.JAVA_DOUBLE, values.length);
        MemorySegment.copy(values, 0, segment, ValueLayout.JAVA_DOUBLE, 0, values.length);
        return segment;
    }

    private static MemorySegment integer(Arena arena, int value) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, value);
    }

    private static double[] wide(MemorySegment segment, int n) {
        return segment.asSlice(0, 8L * n).toArray(ValueLayout.JAVA_DOUBLE);
    }

    /** The same scales, condition numbers, growth and solutions where rows and columns are scaled, and where not. */
    @Test
    void agreesWithOpenBlas() throws Throwable {
        Random random = new Random(45);
        int n = 25;
        for (int which = 0; which < 4; which++) {
            Mat a = graded(random, ElementType.F64, n, which % 2 * 2, which / 2 * 5);
            Mat b = Problems.random(random, ElementType.F64, n, SIDES);
            for (Op op : List.of(Op.NONE, Op.TRANS)) {
                Target target = new Target("host", ElementType.F64);
                try (Arena memory = Arena.ofConfined()) {
                    MemorySegment x = doubles(memory, new double[n * SIDES]);
                    MemorySegment r = doubles(memory, new double[n]);
                    MemorySegment c = doubles(memory, new double[n]);
                    MemorySegment rcond = doubles(memory, 0);
                    MemorySegment ferr = doubles(memory, new double[SIDES]);
                    MemorySegment work = doubles(memory, new double[4 * n]);
                    MemorySegment equed = memory.allocateFrom("N");
                    MemorySegment matrix = doubles(memory, a.re);
                    List<Object> arguments = List.of(memory.allocateFrom("E"), memory.allocateFrom(op.name()),
                            integer(memory, n), integer(memory, SIDES), matrix, integer(memory, n),
                            doubles(memory, new double[n * n]), integer(memory, n),
                            memory.allocate(ValueLayout.JAVA_INT, n), equed, r, c, doubles(memory, b.re),
                            integer(memory, n), x, integer(memory, n), rcond, ferr, doubles(memory, new double[SIDES]),
                            work, memory.allocate(ValueLayout.JAVA_INT, n), integer(memory, 0));
                    MemoryLayout[] layouts = new MemoryLayout[arguments.size()];
                    Arrays.fill(layouts, ValueLayout.ADDRESS);
                    OpenBlas.handle("dgesvx_", FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(arguments);
                    Problems.on(target, (h, arena) -> {
                        Problem p = new Problem(arena, ElementType.F64, a, b);
                        assertThat(p.solve(h, Fact.EQUILIBRATE, op)).isZero();
                        assertThat("NRCB".charAt((int) p.scaled()))
                                .isEqualTo((char) equed.get(ValueLayout.JAVA_BYTE, 0));
                        assertThat(Problems.reals(p.r, n)).containsExactly(wide(r, n), within(1e-14));
                        assertThat(Problems.reals(p.c, n)).containsExactly(wide(c, n), within(1e-12));
                        assertThat(Problems.real(p.rcond)).isCloseTo(wide(rcond, 1)[0], within(1e-12));
                        assertThat(Problems.real(p.rpvgrw)).isCloseTo(wide(work, 1)[0], within(1e-12));
                        assertThat(Orthogonal.download(p.a, n, n).re).containsExactly(wide(matrix, n * n),
                                within(1e-13));
                        Mat found = p.solution();
                        double[] expected = wide(x, n * SIDES);
                        for (int i = 0; i < expected.length; i++) {
                            assertThat(found.re[i]).isCloseTo(expected[i], within(1e-11 * (1 + Math.abs(expected[i]))));
                        }
                        double[] bounds = wide(ferr, SIDES);
                        double[] own = Problems.reals(p.ferr, SIDES);
                        for (int j = 0; j < SIDES; j++) {
                            assertThat(own[j] / bounds[j]).isBetween(0.5, 2.0);
                        }
                    });
                }
            }
        }
    }
}
