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
import java.util.List;
import java.util.Random;

/** Least squares by singular values: residuals, solutions of least norm, ranks, and numbers near the ends of the range. */
class SingularLeastSquaresTest {
    private static final double THRESHOLD = 100;

    private static final List<int[]> SHAPES = List.of(new int[] {1, 1}, new int[] {1, 5}, new int[] {6, 1},
            new int[] {8, 8}, new int[] {20, 33}, new int[] {36, 34}, new int[] {70, 20}, new int[] {15, 50});

    private static final int SMALL = 1300;

    /** What a call leaves. */
    private record Solved(Mat x, Mat values, long rank, int info) {}

    private static Solved solve(Handle h, DeviceArena arena, ElementType type, Mat a, Mat b, double tol,
            boolean divides) {
        int longest = Math.max(a.m, a.n);
        MatrixView matrix = arena.matrix(type, a.m, a.n);
        MatrixView sides = arena.matrix(type, longest, b.n);
        VectorView s = arena.vector(type.real(), Math.min(a.m, a.n));
        VectorView rank = arena.vector(ElementType.I64, 1);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(matrix, a);
        if (b.n > 0) {
            Orthogonal.upload(sides,
                    Mat.of(longest, b.n, (i, j) -> i < a.m ? b.re(i, j) : 7, (i, j) -> i < a.m ? b.im(i, j) : 7));
        }
        if (divides) {
            Lapack.gelsd(h, matrix, sides, s, tol, rank, info);
        } else {
            Lapack.gelss(h, matrix, sides, s, tol, rank, info);
        }
        long[] ranks = new long[1];
        int[] told = new int[1];
        rank.download(ranks);
        info.download(told);
        return new Solved(b.n == 0 ? new Mat(a.n, 0) : Orthogonal.download(sides, longest, b.n).corner(a.n, b.n),
                Orthogonal.download(s, Math.min(a.m, a.n)), ranks[0], told[0]);
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, int m, int n, Random random);
    }

    private static void shapes(Target target, Check check) {
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int[] shape : SHAPES) {
                if (target.device().startsWith("sim") && shape[0] * shape[1] > SMALL) {
                    continue;
                }
                try (DeviceArena arena = device.arena()) {
                    check.run(handle, arena, shape[0], shape[1], new Random(7L * shape[0] + shape[1]));
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(target + " of " + shape[0] + "×" + shape[1] + ": " + e, e);
                }
            }
        }
    }

    /** The residual is orthogonal to A's columns, and what A does to a solution has that solution. */
    @EveryTarget
    void solves(Target target) {
        ElementType type = target.type();
        double unit = ColumnPivotingTest.unit(type);
        shapes(target, (h, arena, m, n, random) -> {
            for (Spectrum kind : List.of(Spectrum.RANDOM, Spectrum.CLUSTERED, Spectrum.DEFICIENT, Spectrum.IDENTITY)) {
                Mat a = kind.matrix(random, type, m, n);
                for (int nrhs : new int[] {0, 1, 3}) {
                    Mat b = ColumnPivotingTest.random(random, type, m, Math.max(1, nrhs));
                    for (boolean divides : new boolean[] {true, false}) {
                        Solved x = solve(h, arena, type, a, nrhs == 0 ? new Mat(m, 0) : b, 1e-3, divides);
                        assertThat(x.info).isZero();
                        int k = Math.min(m, n);
                        assertThat(x.rank).as("rank of %s", kind)
                                .isEqualTo(kind == Spectrum.DEFICIENT ? Math.min(2, k) : counting(x.values, 1e-3));
                        if (nrhs == 0) {
                            continue;
                        }
                        Mat residual = a.op(Op.CONJ_TRANS).times(a.times(x.x).minus(b));
                        double size = Decomposed.max(a) * Decomposed.max(a) * Math.max(1, Decomposed.max(x.x));
                        // Parts of A that do not count are no part of the residual that is made small.
                        double left = x.rank < k && kind != Spectrum.DEFICIENT ? 2e-3 : 0;
                        assertThat(Decomposed.max(residual)).as("residual of %s, %d sides", kind, nrhs)
                                .isLessThan(THRESHOLD * Math.max(m, n) * (unit * size + left));
                        Solved again = solve(h, arena, type, a, a.times(x.x), 1e-3, divides);
                        assertThat(Decomposed.max(again.x.minus(x.x))).as("least norm of %s", kind)
                                .isLessThan(THRESHOLD * Math.max(m, n) * unit * 1e3 * Math.max(1, Decomposed.max(x.x)));
                    }
                }
            }
        });
    }

    private static long counting(Mat values, double tol) {
        long count = 0;
        for (double s : values.re) {
            count += s > tol * values.re[0] ? 1 : 0;
        }
        return count;
    }

    /** A matrix of zeros has rank 0 and the solution 0. */
    @EveryTarget
    void zeros(Target target) {
        shapes(target, (h, arena, m, n, random) -> {
            Mat b = ColumnPivotingTest.random(random, target.type(), m, 2);
            for (boolean divides : new boolean[] {true, false}) {
                Solved x = solve(h, arena, target.type(), new Mat(m, n), b, -1, divides);
                assertThat(x.info).isZero();
                assertThat(x.rank).isZero();
                assertThat(Decomposed.max(x.x)).isZero();
            }
        });
    }

    /** Powers of two in A and B are powers of two in the solution and the values, as far as these are in the range. */
    @EveryTarget
    void nearTheEndsOfTheRange(Target target) {
        ElementType type = target.type();
        int far = type.real() == ElementType.F32 ? 100 : 900;
        shapes(target, (h, arena, m, n, random) -> {
            Mat a = Spectrum.RANDOM.matrix(random, type, m, n);
            Mat b = ColumnPivotingTest.random(random, type, m, 2);
            boolean divides = m % 2 == 0;
            Solved expected = solve(h, arena, type, a, b, -1, divides);
            for (int by : new int[] {far, -far}) {
                Complex power = new Complex(Math.scalb(1.0, by), 0);
                Solved x = solve(h, arena, type, a.times(power), b.times(power), -1, divides);
                assertThat(x.rank).isEqualTo(expected.rank);
                double error = Decomposed.max(x.x.minus(expected.x));
                assertThat(error)
                        .isLessThan(1e4 * THRESHOLD * m * ColumnPivotingTest.unit(type) * Decomposed.max(expected.x));
                Mat values = Mat.of(x.values.m, 1, (i, j) -> Math.scalb(x.values.re[i], -by), (i, j) -> 0);
                assertThat(Decomposed.max(values.minus(expected.values)))
                        .isLessThan(THRESHOLD * Math.max(m, n) * ColumnPivotingTest.unit(type) * expected.values.re[0]);
            }
        });
    }

    /** NaN ends, and is told. */
    @EveryTarget
    void notANumber(Target target) {
        shapes(target, (h, arena, m, n, random) -> {
            Mat a = Spectrum.RANDOM.matrix(random, target.type(), m, n);
            a.set(m / 2, n / 2, Double.NaN, 0);
            Mat b = ColumnPivotingTest.random(random, target.type(), m, 1);
            for (boolean divides : new boolean[] {true, false}) {
                assertThat(solve(h, arena, target.type(), a, b, -1, divides).info).isEqualTo(Math.min(m, n));
            }
        });
    }
}
