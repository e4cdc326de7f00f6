package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Uplo;

/**
 * A = L·D·Lᵀ, or L·D·Lᴴ, by the diagonal pivoting of Bunch and Kaufman ("Some stable methods for calculating inertia and solving symmetric linear systems",
 * 1977), or by rook pivoting (Ashcraft, Grimes and Lewis, "Accurate symmetric indefinite linear equation solvers", 1998), and what is done with the factors. LAPACK's pivots:
 * 1-based rows; both of a 2×2 block are negative.
 *
 * <p>
 * Everything is said of a lower triangle. An upper one is read from its last row and column on: then all distances change their sign. Element (i, j)
 * of the triangle lies {@code i + step·j + growth·j·(j-1)/2} elements behind element (0, 0), which is at address a: dense triangles have growth 0, packed
 * ones step n - 1 and growth -1. What is elementwise the types have by hand.
 */
abstract class BunchKaufman {
    final Leaf leaf;
    final long bytes;

    BunchKaufman(Leaf leaf, long bytes) {
        this.leaf = leaf;
        this.bytes = bytes;
    }

    /** |re| + |im|. */
    abstract double size(long x);

    /** The same of an element of the diagonal: of a Hermitian matrix |re|. */
    abstract double pivotSize(boolean hermitian, long x);

    /** An element of the diagonal: of a Hermitian matrix its imaginary part := 0. */
    abstract void diagonal(boolean hermitian, long x);

    /** The elements at x and y change places; both are conjugated. */
    abstract void exchange(boolean conjugated, long x, long y);

    /** n elements := their conjugates. */
    abstract void conjugate(long n, long x, long dx);

    /** n elements, dx apart, := themselves divided by the pivot. */
    abstract void divide(boolean hermitian, long n, long pivot, long x, long dx);

    /** The triangle of c := itself - x·xᵀ/pivot, or xᴴ; then x := x/pivot. All as they are stored. */
    abstract void update(Uplo uplo, boolean hermitian, long n, long pivot, long x, long c, long step, long growth);

    /** (y1, y2) := (x1, x2) times the inverse of the 2×2 block with elements (0, 0), (1, 0) and (1, 1) at those addresses. */
    abstract void divide(boolean hermitian, long n, long d11, long d21, long d22, long x1, long x2, long y1, long y2);

    /**
     * The row (x1, x2) := itself times the inverse of the 2×2 block, its conjugate with {@code hermitian}; the element at c := itself - what was there times
     * what will be.
     */
    abstract void row(boolean hermitian, long d11, long d21, long d22, long x1, long x2, long c);

    /** Elements of a row, {@code step} apart, := themselves divided by the pivot. */
    abstract void solve(boolean hermitian, long pivot, long n, long b, long step);

    /** Elements of two rows := the solution with the 2×2 block. */
    abstract void solve(boolean hermitian, long d11, long d21, long d22, long n, long b1, long b2, long step);

    /** A pivot := its inverse. */
    abstract void invert(boolean hermitian, long pivot);

    /** A 2×2 block := its inverse. */
    abstract void invert(boolean hermitian, long d11, long d21, long d22);

    /** Whether an element is 0. */
    abstract boolean isZero(long x);

    /** Address of element (0, 0), where a triangle is stored at {@code a}. */
    final long first(boolean upper, long n, long a, long step, long growth) {
        return upper ? a + (n - 1 + step * (n - 1) + growth * ((n - 1) * (n - 2) / 2)) * bytes : a;
    }

    /** Element (i, j) as it is read. */
    final long at(boolean upper, long a, long step, long growth, long i, long j) {
        long distance = (i + step * j + growth * (j * (j - 1) / 2)) * bytes;
        return upper ? a - distance : a + distance;
    }

    /** The step of what begins at column k as it is read, where it is stored. */
    static long storedStep(boolean upper, long step, long growth, long k) {
        return !upper ? step + growth * k : growth == 0 ? step : 1;
    }

    /** Where n elements begin in memory, of which the first as it is read is at x. */
    final long low(boolean upper, long n, long x) {
        return upper ? x - (n - 1) * bytes : x;
    }

    /**
     * The pivot of step k as it is read: the row, from 0, or ~row for a 2×2 block, of its second row. With {@code rook} its first row has {@linkplain #named another}. Nothing in
     * memory is trusted.
     *
     * @return {@link Long#MIN_VALUE} if no factorisation leaves such pivots
     */
    static long pivot(boolean upper, boolean rook, long n, long k, long ipiv) {
        long first = stored(upper, n, k, ipiv);
        if (first >= 0) {
            long row = named(upper, n, k, ipiv);
            return row < k || row >= n ? Long.MIN_VALUE : row;
        }
        if (k == n - 1) {
            return Long.MIN_VALUE;
        }
        long second = stored(upper, n, k + 1, ipiv);
        long top = named(upper, n, k, ipiv);
        long row = named(upper, n, k + 1, ipiv);
        boolean wrong = row <= k || row >= n || (rook ? second >= 0 || top < k || top >= n : second != first);
        return wrong ? Long.MIN_VALUE : ~row;
    }

    private static long stored(boolean upper, long n, long i, long ipiv) {
        return i64(ipiv + (upper ? n - 1 - i : i) * 8);
    }

    /** The row, from 0, that the pivot of row i as it is read names. */
    static long named(boolean upper, long n, long i, long ipiv) {
        long row = Math.abs(stored(upper, n, i, ipiv));
        return upper ? n - row : row - 1;
    }

    /** As {@link #pivot} above, from the end: of the 2×2 block whose second row is k too. */
    static long pivotBefore(boolean upper, boolean rook, long n, long k, long ipiv) {
        boolean pair = stored(upper, n, k, ipiv) < 0;
        return pair && k == 0 ? Long.MIN_VALUE : pivot(upper, rook, n, pair ? k - 1 : k, ipiv);
    }
}
