package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.Mat;
import dev.basalt.type.ElementType;
import java.util.Random;

/** A band matrix, in LAPACK's storage with room for fill. What need not be set is NaN. */
record Banded(Mat full, int kl, int ku) {
    /** What the numbers of a matrix are like. */
    enum Kind {
        RANDOM,
        /** Rows and columns of ever smaller numbers. */
        GRADED,
        /** Products overflow. */
        HUGE,
        /** Products vanish, and reciprocals overflow. */
        TINY,
        /** The largest elements lie as far below the diagonal as they can. */
        MOVED,
        /** No pivot has to move. */
        DOMINANT
    }

    static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> (float) (2 * random.nextDouble() - 1),
                (i, j) -> complex ? (float) (2 * random.nextDouble() - 1) : 0);
    }

    static double unit(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    /** What multiplies all numbers of a kind. */
    static double scale(Kind kind, ElementType type) {
        boolean single = type.real() == ElementType.F32;
        return switch (kind) {
            case HUGE -> single ? 0x1p110 : 0x1p960;
            case TINY -> single ? 0x1p-110 : 0x1p-960;
            default -> 1;
        };
    }

    static Banded of(Kind kind, Random random, ElementType type, int m, int n, int kl, int ku) {
        Mat a = random(random, type, m, n);
        double scale = scale(kind, type);
        double step = type.real() == ElementType.F32 ? 0.97 : 0.9;
        Mat.Element by = (i, j) -> i - j > kl || j - i > ku ? 0
                : kind == Kind.GRADED ? Math.pow(step, i + j)
                : kind == Kind.MOVED && i - j == kl || kind == Kind.DOMINANT && i == j ? 4.0 * (kl + ku + 1)
                : scale;
        return new Banded(Mat.of(m, n, (i, j) -> rounded(type, a.re(i, j) * by.at(i, j)),
                (i, j) -> rounded(type, a.im(i, j) * by.at(i, j))), kl, ku);
    }

    private static double rounded(ElementType type, double x) {
        return type.real() == ElementType.F32 ? (float) x : x;
    }

    /** Rows of its storage. */
    int height() {
        return 2 * kl + ku + 1;
    }

    /** Its storage. */
    Mat stored() {
        int top = kl + ku;
        Mat.Element outside = (r, j) -> {
            int i = r - top + j;
            return r < kl || i < 0 || i >= full.m ? Double.NaN : 0;
        };
        return Mat.of(height(), full.n, (r, j) -> Double.isNaN(outside.at(r, j)) ? Double.NaN : full.re(r - top + j, j),
                (r, j) -> Double.isNaN(outside.at(r, j)) ? Double.NaN : full.im(r - top + j, j));
    }

    /** P·L·U from what gbtrf leaves: its columns and interchanges from the last one back, applied to U. */
    Mat product(Mat factors, long[] ipiv) {
        int top = kl + ku;
        Mat r = Mat.of(full.m, full.n, (i, j) -> i <= j && j - i <= top ? factors.re(top + i - j, j) : 0,
                (i, j) -> i <= j && j - i <= top ? factors.im(top + i - j, j) : 0);
        for (int j = Math.min(full.m, full.n) - 1; j >= 0; j--) {
            for (int i = j + 1; i < Math.min(full.m, j + kl + 1); i++) {
                double re = factors.re(top + i - j, j);
                double im = factors.im(top + i - j, j);
                for (int c = 0; c < full.n; c++) {
                    r.set(i, c, r.re(i, c) + re * r.re(j, c) - im * r.im(j, c),
                            r.im(i, c) + re * r.im(j, c) + im * r.re(j, c));
                }
            }
            r.swapRows(j, (int) ipiv[j] - 1);
        }
        return r;
    }
}
