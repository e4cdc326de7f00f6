package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.Mat;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.util.Random;

/** Symmetric and Hermitian matrices whose eigenvalues are hard to find. */
enum SymmetricMatrices {
    RANDOM,
    /** Rows and columns of ever smaller numbers. */
    GRADED,
    /** All eigenvalues but a few are 1. */
    REPEATED,
    /** Eigenvalues near each other, at a distance of many roundings. */
    CLUSTERED,
    ZERO,
    IDENTITY,
    DIAGONAL,
    /** Wilkinson's matrices, one below the other with tiny numbers between them. */
    GLUED_WILKINSON,
    /** Integer eigenvalues, zero diagonal. */
    CLEMENT,
    /** 2 and -1. */
    TOEPLITZ,
    /** Squares overflow. */
    HUGE,
    /** Squares vanish. */
    TINY,
    /** Numbers have lost digits. */
    DENORMAL;

    private static final int WILKINSON = 21;

    /** Whether it is tridiagonal as it stands. */
    boolean tridiagonal() {
        return this == GLUED_WILKINSON || this == CLEMENT || this == TOEPLITZ || this == IDENTITY || this == DIAGONAL
                || this == ZERO;
    }

    Mat matrix(Random random, ElementType type, int n) {
        boolean single = type.real() == ElementType.F32;
        Mat g = ColumnPivotingTest.random(random, type, n, n);
        Mat a = Mat.of(n, n, (i, j) -> i == j ? g.re(i, i) : i > j ? g.re(i, j) : g.re(j, i),
                (i, j) -> i == j ? 0 : i > j ? g.im(i, j) : -g.im(j, i));
        return switch (this) {
            case RANDOM -> a;
            case GRADED -> {
                double step = single ? 0.9 : 0.7;
                yield rounded(single, scaled(a, step));
            }
            case REPEATED -> near(single, a, 2);
            case CLUSTERED -> near(single, a, n);
            case ZERO -> new Mat(n, n);
            case IDENTITY -> Mat.identity(n);
            case DIAGONAL -> Mat.of(n, n, (i, j) -> i == j ? a.re(i, i) : 0, (i, j) -> 0);
            case GLUED_WILKINSON -> tridiagonal(n, i -> Math.abs(WILKINSON / 2 - i % WILKINSON),
                    i -> (i + 1) % WILKINSON == 0 ? single ? 0x1p-14 : 0x1p-30 : 1);
            case CLEMENT -> tridiagonal(n, i -> 0, i -> (float) Math.sqrt((i + 1.0) * (n - 1 - i)));
            case TOEPLITZ -> tridiagonal(n, i -> 2, i -> -1);
            case HUGE -> a.times(new Complex(single ? 0x1p120 : 0x1p1010, 0));
            case TINY -> a.times(new Complex(single ? 0x1p-110 : 0x1p-990, 0));
            case DENORMAL -> rounded(single, a.times(new Complex(single ? 0x1p-135 : 0x1p-1055, 0)));
        };
    }

    private static Mat scaled(Mat a, double step) {
        return Mat.of(a.m, a.n, (i, j) -> a.re(i, j) * Math.pow(step, i + j),
                (i, j) -> a.im(i, j) * Math.pow(step, i + j));
    }

    /** The identity and a little of some rank. */
    private static Mat near(boolean single, Mat a, int rank) {
        double little = single ? 0x1p-18 : 0x1p-40;
        return rounded(single,
                Mat.of(a.m, a.n, (i, j) -> (i == j ? 1 : 0) + (i < rank && j < rank ? little * a.re(i, j) : 0),
                        (i, j) -> i < rank && j < rank ? little * a.im(i, j) : 0));
    }

    private interface Entry {
        double at(int i);
    }

    private static Mat tridiagonal(int n, Entry diagonal, Entry beside) {
        return Mat.of(n, n, (i, j) -> i == j ? diagonal.at(i) : Math.abs(i - j) == 1 ? beside.at(Math.min(i, j)) : 0,
                (i, j) -> 0);
    }

    private static Mat rounded(boolean single, Mat a) {
        return single ? Mat.of(a.m, a.n, (i, j) -> (float) a.re(i, j), (i, j) -> (float) a.im(i, j)) : a;
    }
}
