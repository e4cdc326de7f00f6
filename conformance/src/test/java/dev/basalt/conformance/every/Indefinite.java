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
