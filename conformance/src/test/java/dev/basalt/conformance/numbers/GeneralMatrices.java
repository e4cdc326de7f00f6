package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.Mat;
import dev.basalt.type.ElementType;
import java.util.Arrays;
import java.util.Random;

/** General matrices whose eigenvalues are hard to find, or known. */
enum GeneralMatrices {
    RANDOM,
    /** The companion matrix of xⁿ - 1: its eigenvalues are the roots of unity, all with one modulus. */
    COMPANION,
    /** Frank's matrix: Hessenberg, its small eigenvalues are sensitive. */
    FRANK,
    /** Grcar's matrix: its eigenvalues are far more sensitive than those of a random one. */
    GRCAR,
    /** Integer eigenvalues from -(n - 1) to n - 1, zero diagonal. */
    CLEMENT,
    /** One Jordan block: an eigenvalue with one vector. */
    JORDAN,
    /** Rows and columns of ever smaller numbers. */
    GRADED,
    /** A triangle whose rows and columns have changed places: all eigenvalues are isolated. */
    ISOLATED,
    /** Some isolated eigenvalues, and rows and columns of norms far apart. */
    UNBALANCED,
    ZERO,
    IDENTITY,
    /** Products overflow. */
    HUGE,
    /** Products vanish. */
    TINY,
    /** Numbers have lost digits. */
    DENORMAL;

    /** The eigenvalues in order of their real parts, or null where nobody knows them. */
    double[] values(int n) {
        double[] values = new double[n];
        switch (this) {
            case CLEMENT -> Arrays.setAll(values, i -> 2.0 * i - (n - 1));
            case COMPANION -> {
                Arrays.setAll(values, i -> Math.cos(2 * Math.PI * i / n));
                Arrays.sort(values);
            }
            case IDENTITY -> Arrays.fill(values, 1);
            case ISOLATED -> Arrays.setAll(values, i -> i + 1.0);
            case ZERO -> {}
            default -> {
                return null;
            }
        }
        return values;
    }

    Mat matrix(Random random, ElementType type, int n) {
        boolean single = type.real() == ElementType.F32;
        boolean complex = type.isComplex();
        Mat g = new Mat(n, n);
        for (int i = 0; i < n * n; i++) {
            g.re[i] = (float) random.nextGaussian();
            g.im[i] = complex ? (float) random.nextGaussian() : 0;
        }
        return switch (this) {
            case RANDOM -> g;
            case COMPANION -> real(n, (i, j) -> i == j + 1 || i == 0 && j == n - 1 ? 1 : 0);
            case FRANK -> real(n, (i, j) -> i > j + 1 ? 0 : n - Math.max(i, j));
            case GRCAR -> real(n, (i, j) -> i == j + 1 ? -1 : i <= j && j <= i + 3 ? 1 : 0);
            case CLEMENT -> real(n, (i, j) -> i == j + 1 ? n - 1 - j : j == i + 1 ? j : 0);
            case JORDAN -> real(n, (i, j) -> i == j ? 2 : j == i + 1 ? 1 : 0);
            case GRADED -> Mat.of(n, n, (i, j) -> (float) Math.scalb(g.re(i, j), -(i + j) / 2),
                    (i, j) -> (float) Math.scalb(g.im(i, j), -(i + j) / 2));
            case ISOLATED -> permuted(
                    Mat.of(n, n, (i, j) -> i == j ? i + 1 : i < j ? g.re(i, j) : 0, (i, j) -> i < j ? g.im(i, j) : 0),
                    random);
            case UNBALANCED -> permuted(Mat.of(n, n,
                    (i, j) -> i > j && (j < n / 4 || i >= n - n / 4)
                            ? 0
                            : (float) Math.scalb(g.re(i, j), i % 5 * 6 - j % 5 * 6),
                    (i, j) -> 0), random);
            case ZERO -> new Mat(n, n);
            case IDENTITY -> Mat.identity(n);
            case HUGE -> scaled(g, single ? 120 : 1015, single);
            case TINY -> scaled(g, single ? -110 : -1000, single);
            case DENORMAL -> scaled(g, single ? -140 : -1060, single);
        };
    }

    private static Mat real(int n, Mat.Element element) {
        return Mat.of(n, n, element, (i, j) -> 0);
    }

    private static Mat scaled(Mat g, int power, boolean single) {
        return Mat.of(g.m, g.n, (i, j) -> rounded(Math.scalb(g.re(i, j), power), single),
                (i, j) -> rounded(Math.scalb(g.im(i, j), power), single));
    }

    private static double rounded(double x, boolean single) {
        return single ? (float) x : x;
    }

    private static Mat permuted(Mat a, Random random) {
        int[] place = new int[a.n];
        for (int i = 0; i < a.n; i++) {
            int j = random.nextInt(i + 1);
            place[i] = place[j];
            place[j] = i;
        }
        return Mat.of(a.n, a.n, (i, j) -> a.re(place[i], place[j]), (i, j) -> a.im(place[i], place[j]));
    }
}
