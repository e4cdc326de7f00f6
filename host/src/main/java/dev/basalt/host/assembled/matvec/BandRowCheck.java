package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Runs a new {@link BandRowCode} once over a small band and compares with scalar Java. Operands are small whole numbers, so both must agree in every bit; memory
 * around the results must stay as it was.
 */
final class BandRowCheck {
    private static final int N = 9;
    /** Diagonals on either side, of a symmetric band. */
    private static final int K = 3;
    /** Elements from one column to the next. */
    private static final int STEP = K + 3;

    private static final double ALPHA = 3;
    private static final double ALPHA_IM = -2;

    private final int size;
    private final WholeNumbers memory;
    private final ChainKind kind;
    private final boolean upper;
    private final boolean conj;
    private final double[] a = WholeNumbers.of(2 * 2 * N * STEP, 1);
    private final double[] x = WholeNumbers.of(2 * 2 * N, 2);
    private final double[] y = WholeNumbers.of(2 * 3 * N, 3);

    BandRowCheck(int size, ChainKind kind, int variant) {
        this.size = size;
        this.memory = new WholeNumbers(size);
        this.kind = kind;
        this.upper = ChainKind.descends(variant);
        this.conj = ChainKind.conj(variant);
    }

    boolean agrees(MemorySegment code) {
        double[] result = y.clone();
        try (Arena arena = Arena.ofConfined()) {
            long element = 2L * size;
            long atA = memory.place(arena, a);
            long atX = memory.place(arena, x);
            long atY = memory.place(arena, y);
            if (kind == ChainKind.ROWS) {
                rows(result);
                // Rows grow, stay and shrink; x has a gap between elements, y two.
                int[] ends = {0, 2, N - 2, N};
                for (int p = 0; p < 3; p++) {
                    int from = ends[p];
                    int move = p == 0 ? 1 : STEP;
                    NativeCall.direct(code, length(from), ends[p + 1] - from, atA + at(from) * element, move * element,
                            atX + 2 * first(from) * element, atY + 3 * from * element, 2 * element, 2 * element, 1 - p,
                            3 * element, ALPHA, ALPHA_IM);
                }
            } else {
                symmetric(result);
                long along = element * STEP;
                NativeCall.direct(code, K, N, atA + K * element, along + element, atX, atY, upper ? element : along,
                        upper ? along : element, 0, N - 1, ALPHA, ALPHA_IM);
            }
            return memory.same(result, atY) && memory.same(a, atA) && memory.same(x, atX);
        }
    }

    private static int length(int row) {
        return Math.min(row, 2) + 1 + Math.min(N - 1 - row, 2);
    }

    private static int first(int row) {
        return Math.max(0, row - 2);
    }

    /** Place of a row's first element; its others follow two elements apart. */
    private static int at(int row) {
        return row < 2 ? row : 2 + (row - 2) * STEP;
    }

    private void rows(double[] result) {
        for (int i = 0; i < N; i++) {
            for (int t = 0; t < length(i); t++) {
                add(result, 3 * i, at(i) + 2 * t, 2 * (first(i) + t), conj ? -1 : 1);
            }
        }
    }

    private void symmetric(double[] result) {
        for (int i = 0; i < N; i++) {
            for (int j = Math.max(0, i - K); j <= Math.min(N - 1, i + K); j++) {
                boolean stored = i == j || upper == i < j;
                int row = stored ? i : j;
                int column = stored ? j : i;
                add(result, i, K + row + column * STEP, j, !conj || i != j && stored ? 1 : i == j ? 0 : -1);
            }
        }
    }

    /** y at a place += alpha·a·x, where the imaginary part of a has a factor. */
    private void add(double[] to, int y, int a, int x, int sign) {
        double re = this.a[2 * a];
        double im = sign * this.a[2 * a + 1];
        double sumRe = re * this.x[2 * x] - im * this.x[2 * x + 1];
        double sumIm = re * this.x[2 * x + 1] + im * this.x[2 * x];
        to[2 * y] += ALPHA * sumRe - ALPHA_IM * sumIm;
        to[2 * y + 1] += ALPHA * sumIm + ALPHA_IM * sumRe;
    }
}
