package dev.basalt.host.assembled.matvec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Runs a new {@link RowBlockCode} once over a small band and compares with scalar Java. Operands are small whole numbers, so both must agree in every bit; memory
 * around the results must stay as it was.
 */
final class RowBlockCheck {
    private static final int KL = 2;
    private static final int KU = 5;
    private static final int STEP = KL + KU + 2;
    private static final double ALPHA = 3;

    private final int size;
    private final WholeNumbers memory;
    private final int parts;
    private final boolean descends;
    private final boolean adds;
    /** Some whole blocks and a part of one. */
    private final int m;

    private final int n;
    private final double[] a;
    private final double[] x;
    private final double[] y;

    RowBlockCheck(int size, boolean complex, int variant) {
        this.size = size;
        this.memory = new WholeNumbers(size);
        this.parts = complex ? 2 : 1;
        this.descends = ChainKind.descends(variant);
        this.adds = ChainKind.adds(variant);
        int lanes = 64 / size / parts;
        this.m = 5 * lanes - 1;
        this.n = m + 1;
        this.a = WholeNumbers.of(parts * (KU + n * (STEP + 1)), 1);
        this.x = WholeNumbers.of(parts * n, 2);
        this.y = WholeNumbers.of(parts * (m + 2), 3);
    }

    boolean agrees(MemorySegment code) {
        double[] result = y.clone();
        for (int i = 0; i < m; i++) {
            row(i, result);
        }
        try (Arena arena = Arena.ofConfined()) {
            long element = (long) parts * size;
            long atA = memory.place(arena, a);
            long atX = memory.place(arena, x);
            long atY = memory.place(arena, y);
            RowBlocks.run(code, descends, parts, element, m, n, KL, KU, atA + KU * element, STEP, atX, atY + element,
                    parts == 1 ? ALPHA : 1);
            return memory.same(result, atY) && memory.same(a, atA) && memory.same(x, atX);
        }
    }

    private void row(int i, double[] result) {
        int at = parts * (i + 1);
        double re = 0;
        double im = 0;
        for (int j = Math.max(0, i - KL); j <= Math.min(n - 1, i + KU); j++) {
            int p = parts * (KU + i + j * STEP);
            if (parts == 1) {
                re += ALPHA * a[p] * x[j];
            } else {
                re += a[p] * x[2 * j] - a[p + 1] * x[2 * j + 1];
                im += a[p] * x[2 * j + 1] + a[p + 1] * x[2 * j];
            }
        }
        result[at] = re + (adds ? y[at] : 0);
        if (parts == 2) {
            result[at + 1] = im + (adds ? y[at + 1] : 0);
        }
    }
}
