package dev.basalt.netlib;

import java.util.Objects;

/** Exchanges of rows in place, on the heap: nothing is computed, and a copy would move each element twice. */
final class DRows {
    private DRows() {}

    /**
     * Row i changes places with row ipiv(i), from k1 to k2 or, where incx is negative, from k2 to k1. A column is done with before the next begins: it stays in the
     * nearest cache, however far columns are apart. Nothing has moved yet where an index is out of bounds.
     */
    static void laswp(int n, double[] a, int offseta, int lda, int k1, int k2, int[] ipiv, int offsetipiv, int incx) {
        if (n <= 0 || incx == 0 || k2 < k1) {
            return;
        }
        int step = incx > 0 ? 1 : -1;
        int first = incx > 0 ? k1 : k2;
        // Pivots lie |incx| apart; where they begin is as in netlib, whose LAPACK of old counts backwards from row 1. Later ones count from k1.
        int firstPivot = offsetipiv + (incx > 0 ? k1 - 1 : (1 - k2) * incx);
        int lowest = k1;
        int highest = k2;
        for (int i = 0; i <= k2 - k1; i++) {
            lowest = Math.min(lowest, ipiv[firstPivot + i * incx]);
            highest = Math.max(highest, ipiv[firstPivot + i * incx]);
        }
        Objects.checkIndex((long) offseta + lowest - 1, a.length);
        Objects.checkIndex(offseta + (long) (n - 1) * lda + highest - 1, a.length);
        for (int j = 0; j < n; j++) {
            int column = offseta + j * lda - 1;
            int row = column + first;
            int pivot = firstPivot;
            for (int i = k1; i <= k2; i++) {
                int other = column + ipiv[pivot];
                double x = a[row];
                a[row] = a[other];
                a[other] = x;
                row += step;
                pivot += incx;
            }
        }
    }
}
