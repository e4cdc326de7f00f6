package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Runs a new {@link ChainCode} once over a small band and compares with scalar Java. Operands are small whole numbers, so both must agree in every bit; memory
 * around the results must stay as it was.
 */
final class ChainCheck {
    /** Unknowns, and elements of a row beside the diagonal. */
    private static final int N = 9;

    private static final int K = 3;
    /** Elements from one row to the next. */
    private static final int STEP = K + 3;

    private final int size;
    private final WholeNumbers memory;
    private final ChainKind kind;
    private final boolean descends;
    private final double sign;
    private final boolean unit;

    ChainCheck(int size, ChainKind kind, int variant) {
        this.size = size;
        this.memory = new WholeNumbers(size);
        this.kind = kind;
        this.descends = ChainKind.descends(variant);
        this.sign = ChainKind.conj(variant) ? -1 : 1;
        this.unit = ChainKind.unit(variant);
    }

    boolean agrees(MemorySegment code) {
        return kind == ChainKind.INVERT ? inverts(code) : chains(code);
    }

    private static double[] numbers(int count, int seed) {
        return WholeNumbers.of(2 * count, seed);
    }

    /** Row r of the unknowns' order has its diagonal at the end of K elements. */
    private boolean chains(MemorySegment code) {
        boolean solves = kind == ChainKind.SOLVE;
        double[] a = numbers(N * STEP, 1);
        for (int i = 0; i < a.length && solves; i++) {
            // Unknowns grow from row to row.
            a[i] = Math.signum(a[i]);
        }
        // Between elements at both ends that must stay. Of a product, those behind the last unknown do not count.
        double[] x = numbers(N + 2, 2);
        double[] reciprocals = numbers(N + 2, 3);
        double[] result = x.clone();
        for (int r = 0; r < N; r++) {
            int own = 1 + (descends ? N - 1 - r : r);
            for (int i = solves ? 1 : 0; i <= Math.min(K, solves ? r : N - 1 - r); i++) {
                int at = 2 * (r * STEP + K - i);
                double re = i == 0 && unit ? 1 : a[at];
                double im = i == 0 && unit ? 0 : sign * a[at + 1];
                int other = 2 * (own + (solves == descends ? i : -i));
                double xr = solves ? -result[other] : x[other];
                double xi = solves ? -result[other + 1] : x[other + 1];
                result[2 * own] = (i == 0 ? 0 : result[2 * own]) + re * xr - im * xi;
                result[2 * own + 1] = (i == 0 ? 0 : result[2 * own + 1]) + re * xi + im * xr;
            }
            if (solves && !unit) {
                // Small numbers stay small: 1, i, -1 or -i.
                double re = new double[] {1, 0, -1, 0}[r % 4];
                double im = new double[] {0, 1, 0, -1}[r % 4];
                reciprocals[2 * own] = re;
                reciprocals[2 * own + 1] = im;
                double old = result[2 * own];
                result[2 * own] = old * re - result[2 * own + 1] * im;
                result[2 * own + 1] = old * im + result[2 * own + 1] * re;
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            long element = 2L * size;
            long atA = memory.place(arena, a);
            long atX = memory.place(arena, x);
            long second = memory.place(arena, reciprocals) - atX;
            // In two calls, as where a band is large.
            for (int part = 0; part < 2; part++) {
                int from = part == 0 ? 0 : N / 2;
                int to = part == 0 ? N / 2 : N;
                NativeCall.direct(code, K, to - from, atA + (from * STEP + K) * element, STEP * element, -element,
                        atX + (1 + (descends ? N - 1 - from : from)) * element, second, solves ? from : N - 1 - from, 0,
                        0, 0, 0);
            }
            return memory.same(result, atX);
        }
    }

    private boolean inverts(MemorySegment code) {
        double[] a = numbers(N * STEP + N * N, 1);
        double[] result = numbers(N + 1, 2);
        for (int j = 0; j < N; j++) {
            int at = 2 * (j * STEP + j * (j - 1) / 2);
            double power = Math.scalb(1.0, j - 4);
            a[at] = j % 2 == 0 ? power : 0;
            a[at + 1] = j % 2 == 0 ? 0 : power;
            result[2 * j] = j % 2 == 0 ? 1 / power : 0;
            result[2 * j + 1] = j % 2 == 0 ? 0 : -sign / power;
        }
        try (Arena arena = Arena.ofConfined()) {
            long element = 2L * size;
            long atA = memory.place(arena, a);
            long to = memory.place(arena, numbers(N + 1, 2));
            long bounds = memory.place(arena, numbers(1, 1));
            NativeCall.direct(code, 0, N, atA, STEP * element, to, bounds, element, 0, 0, 0, 0, 0);
            return memory.same(result, to) && memory.same(new double[] {0x1p-8, 0x1p8}, bounds);
        }
    }
}
