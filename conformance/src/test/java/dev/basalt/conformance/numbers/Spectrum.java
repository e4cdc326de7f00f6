package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Share;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What the singular values of a matrix are like. */
enum Spectrum {
    RANDOM,
    GRADED,
    CLUSTERED,
    DEFICIENT,
    IDENTITY,
    ZERO,
    /** Squares overflow. */
    HUGE,
    /** Squares vanish. */
    TINY,
    /** Some numbers have lost their digits. */
    DENORMAL;

    /** As many elements as a matrix of which all kinds are tried. */
    private static final int SMALL = 400;

    /** So many kinds of a larger one. */
    private static final int FEW = 3;

    /** The kinds of which a run tries an m×n matrix: on all targets together nearly all of them. */
    static List<Spectrum> some(Object of, int m, int n) {
        int all = values().length;
        return IntStream.of(Share.draw(of + " " + m + "×" + n, all, m * n > SMALL ? FEW : all))
                .mapToObj(i -> values()[i])
                .toList();
    }

    Mat matrix(Random random, ElementType type, int m, int n) {
        boolean single = type.real() == ElementType.F32;
        int k = Math.min(m, n);
        Mat a = ColumnPivotingTest.random(random, type, m, n);
        return switch (this) {
            case RANDOM -> a;
            case GRADED -> {
                double step = single ? 0.8 : 0.5;
                yield rounded(single, Mat.of(m, n, (i, j) -> a.re(i, j) * Math.pow(step, (i + j) / 2),
                        (i, j) -> a.im(i, j) * Math.pow(step, (i + j) / 2)));
            }
            case CLUSTERED -> rounded(single, near(random, type, m, n, k));
            case DEFICIENT -> rounded(single,
                    ColumnPivotingTest.random(random, type, m, 2).times(ColumnPivotingTest.random(random, type, 2, n)));
            case IDENTITY -> Mat.of(m, n, (i, j) -> i == j ? 1 : 0, (i, j) -> 0);
            case ZERO -> new Mat(m, n);
            case HUGE -> a.times(new Complex(single ? 0x1p120 : 0x1p1010, 0));
            case TINY -> a.times(new Complex(single ? 0x1p-110 : 0x1p-990, 0));
            case DENORMAL -> rounded(single, a.times(new Complex(single ? 0x1p-135 : 0x1p-1055, 0)));
        };
    }

    /** The identity, and a little of rank 3. */
    private static Mat near(Random random, ElementType type, int m, int n, int k) {
        Mat little = ColumnPivotingTest.random(random, type, m, 3).times(ColumnPivotingTest.random(random, type, 3, n));
        return Mat.of(m, n, (i, j) -> (i == j && i < k ? 1 : 0) + 1e-6 * little.re(i, j),
                (i, j) -> 1e-6 * little.im(i, j));
    }

    private static Mat rounded(boolean single, Mat a) {
        return single ? Mat.of(a.m, a.n, (i, j) -> (float) a.re(i, j), (i, j) -> (float) a.im(i, j)) : a;
    }
}
