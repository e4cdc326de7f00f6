package dev.basalt.host.vector;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

/**
 * Solves and factorisations of few unknowns, element by element: to pack operands, or to call machine code column by column, would take longer. Every
 * product is fused with the sum that it goes into, in the order in which machine code forms that sum. Distances are in elements.
 */
public final class TinyD {
    /** Reciprocals of these and of what is between them neither overflow nor underflow. */
    private static final double SMALLEST = 0x1p-1020; // float: private static final float SMALLEST = 0x1p-124f;

    private static final double LARGEST = 0x1p1020; // float: private static final float LARGEST = 0x1p124f;

    private TinyD() {}

    /**
     * Substitution from the first of n unknowns on, with the bits of machine code, so that right-hand sides may be shared out.
     *
     * @param n unknowns
     * @param unit whether the diagonal is one and is not read
     * @param t address of the first diagonal element; unknown p enters equation q with the element at p·dp + q·dq
     * @param dp distance of unknowns there
     * @param dq distance of equations there
     * @param sides right-hand sides
     * @param x address of the first element of the first one
     * @param du distance of its elements
     * @param dx distance of right-hand sides
     * @return false if nothing was done, because the reciprocal of a diagonal element would lose accuracy
     */
    public static boolean solve(long n, boolean unit, long t, long dp, long dq, long sides, long x, long du, long dx) {
        long next = (dp + dq) * 8L;
        for (long p = 0; p < n && !unit; p++) {
            double size = Math.abs(f64(t + p * next));
            if (!(size >= SMALLEST && size <= LARGEST)) {
                return false;
            }
        }
        for (long q = 0; q < n; q++) {
            long row = t + q * dq * 8L;
            double reciprocal = unit ? 1 : 1 / f64(t + q * next);
            for (long side = 0; side < sides; side++) {
                long column = x + side * dx * 8L;
                double v = f64(column + q * du * 8L);
                for (long p = 0; p < q; p++) {
                    v = Math.fma(-f64(column + p * du * 8L), f64(row + p * dp * 8L), v);
                }
                f64(column + q * du * 8L, v * reciprocal);
            }
        }
        return true;
    }

    /**
     * A = P·L·U in place, as {@link dev.basalt.portable.Leaf#getf2}.
     *
     * @param m rows, at least n
     * @param n columns
     * @param a address
     * @param lda distance of columns
     * @param ipiv address of the pivots
     * @param offset added to them
     * @return 1-based column of the first zero pivot, 0 if none
     */
    public static long lu(long m, long n, long a, long lda, long ipiv, long offset) {
        long info = 0;
        for (long j = 0; j < n; j++) {
            long column = a + j * lda * 8L;
            long pivot = j;
            double largest = -1;
            for (long i = 0; i < m; i++) {
                double v = f64(column + i * 8L);
                for (long p = 0; p < Math.min(i, j); p++) {
                    v = Math.fma(-f64(a + (i + p * lda) * 8L), f64(column + p * 8L), v);
                }
                f64(column + i * 8L, v);
                double size = Math.abs(v);
                if (i >= j && (size > largest || Double.isNaN(size) && !Double.isNaN(largest))) {
                    largest = size;
                    pivot = i;
                }
            }
            i64(ipiv + j * 8, offset + pivot + 1);
            if (largest == 0) {
                info = info == 0 ? j + 1 : info;
                continue;
            }
            for (long q = 0; q < n && pivot != j; q++) {
                long one = a + (j + q * lda) * 8L;
                long other = a + (pivot + q * lda) * 8L;
                double v = f64(one);
                f64(one, f64(other));
                f64(other, v);
            }
            divide(m - j - 1, column + j * 8L);
        }
        return info;
    }

    /** The elements behind a pivot, divided by it: times its reciprocal, unless that overflows. */
    private static void divide(long n, long pivot) {
        double v = f64(pivot);
        double reciprocal = 1 / v;
        boolean safe = Math.abs(v) >= Double.MIN_NORMAL;
        for (long i = 1; i <= n; i++) {
            long at = pivot + i * 8L;
            f64(at, safe ? f64(at) * reciprocal : f64(at) / v);
        }
    }

    /**
     * A = L·Lᵀ in a triangle, in place, as {@link dev.basalt.portable.Leaf#potf2}.
     *
     * @param n order
     * @param a address
     * @param di distance of rows of L
     * @param dj distance of its columns
     * @return order of the first leading minor that is not positive, 0 if all are
     */
    public static long cholesky(long n, long a, long di, long dj) {
        for (long q = 0; q < n; q++) {
            long row = a + q * di * 8L;
            double v = f64(row + q * dj * 8L);
            for (long p = 0; p < q; p++) {
                double l = f64(row + p * dj * 8L);
                v = Math.fma(-l, l, v);
            }
            if (!(v > 0)) {
                f64(row + q * dj * 8L, v);
                return q + 1;
            }
            double root = Math.sqrt(v);
            f64(row + q * dj * 8L, root);
            double reciprocal = 1 / root;
            for (long i = q + 1; i < n; i++) {
                long other = a + i * di * 8L;
                double w = f64(other + q * dj * 8L);
                for (long p = 0; p < q; p++) {
                    w = Math.fma(-f64(other + p * dj * 8L), f64(row + p * dj * 8L), w);
                }
                f64(other + q * dj * 8L, w * reciprocal);
            }
        }
        return 0;
    }

    /**
     * A triangle becomes its inverse in place, from its last column on: what is right of a column is inverted already.
     *
     * @param n order
     * @param unit whether the diagonal is one and is not read
     * @param a address
     * @param di distance of the rows of a lower triangle, of the columns of an upper one
     * @param dj the other distance
     */
    public static void invert(long n, boolean unit, long a, long di, long dj) {
        for (long j = n - 1; j >= 0; j--) {
            long column = a + j * dj * 8L;
            double factor = -1;
            if (!unit) {
                double reciprocal = 1 / f64(column + j * di * 8L);
                f64(column + j * di * 8L, reciprocal);
                factor = -reciprocal;
            }
            for (long i = n - 1; i > j; i--) {
                long row = a + i * di * 8L;
                double v = f64(column + i * di * 8L);
                v = unit ? v : v * f64(row + i * dj * 8L);
                for (long p = j + 1; p < i; p++) {
                    v = Math.fma(f64(row + p * dj * 8L), f64(column + p * di * 8L), v);
                }
                f64(column + i * di * 8L, v * factor);
            }
        }
    }
}
