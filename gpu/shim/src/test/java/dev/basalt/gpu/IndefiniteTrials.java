package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Pivoting;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Operands for the kernels of LDLᵀ. */
final class IndefiniteTrials {
    private static final int LARGEST = 70;

    /** More than this is asked for. */
    private static final int MANY = 1000;

    private IndefiniteTrials() {}

    static void prepare(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.n = l.n > MANY ? l.n : 1 + r.nextInt(LARGEST);
        l.m = l.n;
        l.pivoting = r.nextBoolean() ? Pivoting.ROOK : Pivoting.BUNCH_KAUFMAN;
        switch (l.kernel) {
            case SYTF2 -> {
                matrix(t, l.c, type, gap, pointers, r.nextBoolean(), r);
                indefinite(t, l.c, r);
                t.vector(l.d, ElementType.I64, l.n, 1, pointers);
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
            }
            case LASYF -> panel(t, type, gap, pointers, r);
            case AASEN -> aasen(t, type, gap, pointers, r);
            case SYTRI -> {
                matrix(t, l.c, type, gap, pointers, r.nextBoolean(), r);
                t.triangle(l.c, l.n, l.uplo == Uplo.LOWER, false, false);
                if (r.nextInt(4) == 0) {
                    int at = r.nextInt((int) l.n);
                    t.weights(l.c, r.nextInt(3) == 0 ? 0 : 1);
                    Trial.set(type, l.c.origin(0), place(l.c, l.uplo, at, at, type), 0);
                }
                l.q = r.nextInt(3) == 0 ? 1 : 0;
                if (l.q == 0) {
                    t.vector(l.b, type, l.n, 1, pointers);
                }
                pivots(t, pointers, r);
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
            }
            case SYCONV -> {
                t.matrix(l.a, type, l.n, l.n, gap, pointers);
                t.matrix(l.c, type, l.n, l.n, r.nextInt(3), pointers);
                pivots(t, pointers, r);
                t.vector(l.f, ElementType.I64, l.n, 1, pointers);
            }
            default -> {
                matrix(t, l.a, type, gap, pointers, l.kernel == Kernel.SYTRS && r.nextBoolean(), r);
                t.triangle(l.a, l.n, l.uplo == Uplo.LOWER, false, false);
                pivots(t, pointers, r);
                l.n = 1 + r.nextInt(20);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
            }
        }
    }

    private static void matrix(Trial t, Operand o, ElementType type, int gap, boolean pointers, boolean packed,
            Random r) {
        if (packed) {
            t.packed(o, type, t.l.n, gap, pointers);
        } else {
            t.matrix(o, type, t.l.n, t.l.n, gap, pointers);
        }
    }

    /** Columns p to q - 1, behind a panel that may have taken the first of them. */
    private static void panel(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        int most = l.n > MANY ? 30 : (int) l.n;
        l.p = r.nextBoolean() ? 0 : r.nextInt(most);
        l.q = Math.min(l.n, l.p + 1 + r.nextInt(24));
        t.matrix(l.c, type, l.n, l.n, gap, pointers);
        indefinite(t, l.c, r);
        long columns = l.q - l.p + 1;
        t.matrix(l.a, type, l.n, columns, 3, pointers);
        t.matrix(l.b, type, l.n, columns, 3, pointers);
        t.vector(l.d, ElementType.I64, l.n, 1, pointers);
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        t.vector(l.f, ElementType.I64, 1, 1, pointers);
        for (long p = 0; p < l.count; p++) {
            Memory.i64(l.f.at(p), l.p + r.nextInt(2));
        }
        // Both have the same leading dimension.
        l.a.ld = l.b.ld;
    }

    /** Columns p to q - 1, or all of them without a panel. What is on the way to the diagonal leads at every step, so that rounding chooses no pivot. */
    private static void aasen(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean whole = r.nextInt(3) == 0;
        l.p = whole || r.nextBoolean() ? 0 : r.nextInt((int) l.n);
        l.q = whole ? l.n : Math.min(l.n, l.p + 1 + r.nextInt(24));
        t.matrix(l.c, type, l.n, l.n, gap, pointers);
        int n = (int) l.n;
        int parts = type.isComplex() ? 2 : 1;
        int shift = r.nextInt(3);
        for (long p = 0; p < l.count; p++) {
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    boolean beside = Math.abs(path(i, n, shift, l.p) - path(j, n, shift, l.p)) == 1;
                    for (int q = 0; q < parts; q++) {
                        long at = place(l.c, l.uplo, i, j, type) + q;
                        double v = Trial.get(type, l.c.origin(p), at);
                        Trial.set(type, l.c.origin(p), at,
                                beside ? v + Math.copySign(1, v) : v * (i == j ? 0.1 : 0.2 / n));
                    }
                }
            }
        }
        long columns = l.q - l.p + 1;
        t.matrix(l.b, type, l.n, columns, 3, pointers);
        if (l.q < l.n || !whole) {
            t.matrix(l.a, type, l.n, columns, 3, pointers);
            l.a.ld = l.b.ld;
        }
        t.vector(l.d, ElementType.I64, l.n, 1, pointers);
    }

    /** Behind the first columns two rows change places here and there. */
    private static int path(int i, int n, int shift, long from) {
        int along = i - (int) from - 1;
        if (shift == 0 || along < 0) {
            return i;
        }
        int other = along / shift % 2 == 0 ? i + shift : i - shift;
        return other < n ? other : i;
    }

    private static long place(Operand o, Uplo uplo, long i, long j, ElementType type) {
        long at = i + j * o.step(uplo) + o.growth(uplo) * (j * (j - 1) / 2);
        return type.isComplex() ? 2 * at : at;
    }

    /**
     * A matrix whose pivots are beyond doubt: large numbers on the diagonal, beside it, or both, in random order. Sometimes a column is zero, or NaN is on the diagonal.
     */
    private static void indefinite(Trial t, Operand o, Random r) {
        Launch l = t.l;
        ElementType type = l.type;
        int n = (int) l.n;
        int parts = type.isComplex() ? 2 : 1;
        if (l.pivoting == Pivoting.ROOK && type.real() == ElementType.F64 && r.nextInt(3) == 0) {
            // Among random numbers the search goes on for some steps.
            return;
        }
        for (long p = 0; p < l.count; p++) {
            int[] order = new int[n];
            for (int i = 0; i < n; i++) {
                int at = r.nextInt(i + 1);
                order[i] = order[at];
                order[at] = i;
            }
            int[] kind = r.ints(n, 0, 4).toArray();
            int zero = r.nextInt(4) == 0 ? r.nextInt(n) : -1;
            for (int j = 0; j < n; j++) {
                for (int i = l.uplo == Uplo.LOWER ? j : 0; i < (l.uplo == Uplo.LOWER ? n : j + 1); i++) {
                    int x = order[i];
                    int y = order[j];
                    boolean pair = x / 2 == y / 2 && (x | 1) < n;
                    int of = pair ? kind[x | 1] : 3;
                    // Single ones, pairs with small diagonals, and pairs of which one has the larger diagonal.
                    boolean large = i == j ? of == 3 || of == 2 && x % 2 == 0 : pair && (of == 0 || of == 1 || of == 2);
                    double by = i == zero || j == zero ? 0 : large ? 1 : 0.2 / n;
                    long at = place(o, l.uplo, i, j, type);
                    for (int q = 0; q < parts; q++) {
                        double v = Trial.get(type, o.origin(p), at + q);
                        double add = large && q == 0 ? i == j && of == 2 ? 8 : 3 : 0;
                        Trial.set(type, o.origin(p), at + q, by * (v + Math.copySign(add, v)));
                    }
                }
            }
            if (r.nextInt(8) == 0) {
                int at = r.nextInt(n);
                Trial.set(type, o.origin(p), place(o, l.uplo, at, at, type), Double.NaN);
            }
        }
    }

    /** Pivots as a factorisation leaves them; sometimes one that none does. */
    private static void pivots(Trial t, boolean pointers, Random r) {
        Launch l = t.l;
        int n = (int) l.m;
        boolean upper = l.uplo == Uplo.UPPER;
        t.vector(l.d, ElementType.I64, n, 1, pointers);
        for (long p = 0; p < l.count; p++) {
            for (int i = 0; i < n; i++) {
                boolean pair = i + 1 < n && r.nextInt(3) == 0;
                int from = pair ? i + 1 : i;
                int row = from + r.nextInt(n - from);
                long pivot = upper ? n - row : row + 1;
                int steps = pair ? 2 : 1;
                for (int s = 0; s < steps; s++) {
                    boolean other = pair && s == 0 && l.pivoting == Pivoting.ROOK;
                    int with = i + r.nextInt(n - i);
                    long named = other ? upper ? n - with : with + 1 : pivot;
                    Memory.i64(l.d.at(p) + 8L * (upper ? n - 1 - i - s : i + s), pair ? -named : named);
                }
                i += steps - 1;
            }
            if (r.nextInt(5) == 0) {
                long[] wrong = {0, n + 1, -n - 1, Long.MIN_VALUE, Long.MAX_VALUE, upper ? -n : -1};
                Memory.i64(l.d.at(p) + 8L * r.nextInt(n), wrong[r.nextInt(wrong.length)]);
            }
        }
    }
}
