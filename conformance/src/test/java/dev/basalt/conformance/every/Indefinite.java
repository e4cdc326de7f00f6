package dev.basalt.conformance.every;

import dev.basalt.type.Uplo;
import java.util.Random;

/** What calls with indefinite matrices are made of. */
final class Indefinite {
    private Indefinite() {}

    /** Whether an element is large, of a matrix near D with blocks of order 2 and 1: so all agree on the pivots. */
    static boolean isHeavy(int i, int j, int n) {
        boolean pair = i / 4 == j / 4 && i % 4 < 2 && j % 4 < 2 && Math.max(i, j) / 2 * 2 + 1 < n;
        return pair ? i != j : i == j;
    }

    /**
     * A part of an element of a matrix near a tridiagonal one whose rows and columns 1 and 2, 3 and 4 … have changed places: at each step of Aasen's method one element is large, and
     * errors grow slowly. Signs that change along the diagonal keep it well conditioned.
     */
    static double nearPath(int i, int j, int n, int part, double x) {
        int apart = Math.abs(onPath(i, n) - onPath(j, n));
        double large = part == 0 ? 1 + Math.abs(x) : 0;
        return apart > 1 ? x / n / n : apart == 1 ? large : onPath(i, n) % 2 == 0 ? large / 20 : -large / 20;
    }

    private static int onPath(int i, int n) {
        int other = i % 2 == 1 ? i + 1 : i - 1;
        return i == 0 || other >= n ? i : other;
    }

    /** Pivots as a factorisation leaves them; with rook pivoting a block of order 2 names two rows. */
    static double[] pivots(Uplo uplo, int n, boolean rook, Random random) {
        double[] pivots = new double[n];
        for (int i = 0; i < n; i++) {
            boolean pair = i + 1 < n && random.nextInt(3) == 0;
            int at = uplo == Uplo.UPPER ? n - 1 - i : i;
            int from = pair ? i + 1 : i;
            int row = from + random.nextInt(n - from);
            int pivot = uplo == Uplo.UPPER ? n - row : row + 1;
            pivots[at] = pair ? -pivot : pivot;
            if (pair) {
                pivots[uplo == Uplo.UPPER ? at - 1 : at + 1] = -pivot;
                int top = i + random.nextInt(n - i);
                pivots[at] = rook ? uplo == Uplo.UPPER ? top - n : -top - 1 : -pivot;
                i++;
            }
        }
        return pivots;
    }
}
