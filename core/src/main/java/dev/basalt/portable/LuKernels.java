package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** LU without interchanges, and inverses from factors: over the kernels of a {@link Leaf} alone, so that they are as fast as its products are. */
final class LuKernels {
    /** Largest block that is not halved. */
    private static final long BASE = Recursive.BASE;

    private LuKernels() {}

    /** Runs some problems of a launch. */
    static void run(Leaf leaf, Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            long c = l.c.at(i);
            long bytes = l.type.bytes();
            switch (l.kernel) {
                case GETF2_NPVT -> {
                    BatchedKernels.begin(l, i);
                    if (i32(l.e.at(i)) == 0) {
                        BatchedKernels.report(l, i, factor(leaf, bytes, l.n(i), c, l.c.ld));
                    }
                }
                case GETRI -> leaf.getri(bytes, l.n(i), c, l.c.ld, l.d.present() ? l.d.at(i) : 0);
                default -> exchange(leaf, bytes, l.m(i), l.n(i), c, l.c.ld, l.d.at(i));
            }
        }
    }

    /** {@link Leaf#getri}. */
    static void getri(Leaf leaf, long bytes, long n, long a, long lda, long ipiv) {
        if (!(leaf instanceof InverseLeaf fast && fast.invert(n, a, lda))) {
            invert(leaf, bytes, n, a, lda);
        }
        if (ipiv != 0) {
            exchange(leaf, bytes, n, n, a, lda, ipiv);
        }
    }

    /** LU of a block; 1-based column of the first pivot that is zero, where it ends, or 0. */
    private static long factor(Leaf leaf, long bytes, long n, long a, long lda) {
        if (n <= BASE) {
            return columns(leaf, bytes, n, a, lda);
        }
        long n1 = Recursive.half(n);
        long n2 = n - n1;
        long a12 = a + n1 * lda * bytes;
        long a21 = a + n1 * bytes;
        long a22 = a12 + n1 * bytes;
        long zero = factor(leaf, bytes, n1, a, lda);
        if (zero != 0) {
            return zero;
        }
        leaf.trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, n1, n2, 1, 0, a, lda, a12, lda);
        leaf.trsm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n2, n1, 1, 0, a, lda, a21, lda);
        leaf.gemm(Op.NONE, Op.NONE, n2, n2, n1, -1, 0, a21, lda, a12, lda, 1, 0, a22, lda, 0, 0);
        zero = factor(leaf, bytes, n2, a22, lda);
        return zero == 0 ? 0 : n1 + zero;
    }

    /** The same column by column. */
    private static long columns(Leaf leaf, long bytes, long n, long a, long lda) {
        for (long j = 0; j < n; j++) {
            long pivot = a + j * (lda + 1) * bytes;
            if (leaf.zeroDiagonal(1, pivot, lda) != 0) {
                return j + 1;
            }
            long rest = n - 1 - j;
            if (rest > 0) {
                long below = pivot + bytes;
                long right = pivot + lda * bytes;
                leaf.trsm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, rest, 1, 1, 0, pivot, lda, below, lda);
                leaf.ger(rest, rest, -1, 0, below, 1, right, lda, false, right + bytes, lda);
            }
        }
        return 0;
    }

    /**
     * L and U in place of each other := U⁻¹·L⁻¹: both inverses, then their product. In place, since a block of the product needs what is right of it or below it
     * (method D of Du Croz and Higham, "Stability of methods for matrix inversion", 1992).
     */
    private static void invert(Leaf leaf, long bytes, long n, long a, long lda) {
        leaf.trtri(Uplo.UPPER, Diag.NON_UNIT, n, a, lda);
        leaf.trtri(Uplo.LOWER, Diag.UNIT, n, a, lda);
        multiply(leaf, bytes, n, a, lda);
    }

    /** An upper triangle and a unit lower one := their product. */
    private static void multiply(Leaf leaf, long bytes, long n, long a, long lda) {
        if (n <= 1) {
            return;
        }
        long n1 = n <= BASE ? 1 : Recursive.half(n);
        long n2 = n - n1;
        long a12 = a + n1 * lda * bytes;
        long a21 = a + n1 * bytes;
        long a22 = a12 + n1 * bytes;
        multiply(leaf, bytes, n1, a, lda);
        leaf.gemm(Op.NONE, Op.NONE, n1, n1, n2, 1, 0, a12, lda, a21, lda, 1, 0, a, lda, 0, 0);
        leaf.trmm(Side.RIGHT, Uplo.LOWER, Op.NONE, Diag.UNIT, n1, n2, 1, 0, a22, lda, a12, lda);
        leaf.trmm(Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n2, n1, 1, 0, a22, lda, a21, lda);
        multiply(leaf, bytes, n2, a22, lda);
    }

    /** Columns of an m×n problem in the order that its pivots say; half exchanged they would be a wrong answer in silence. */
    private static void exchange(Leaf leaf, long bytes, long m, long n, long c, long ldc, long pivots) {
        long step = ldc * bytes;
        for (long j = n - 1; j >= 0; j--) {
            long p = i64(pivots + 8 * j) - 1;
            if (p < 0 || p >= n) {
                leaf.scalMatrix(m, n, Double.NaN, Double.NaN, c, ldc);
                return;
            }
            if (p != j) {
                leaf.swap(m, c + j * step, 1, c + p * step, 1);
            }
        }
    }
}
