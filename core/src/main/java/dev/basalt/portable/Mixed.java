package dev.basalt.portable;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/**
 * Kernels whose operands have other types than the computation: block by block they are converted into scratch, a {@link Leaf} of the computation's type works
 * there, and what it leaves is rounded once into its place. Sums of products stay in the computation's type until the last block is in them. Products of
 * 8-bit integers are exact in 32-bit integers, which wrap around.
 */
public final class Mixed {
    /** Order of the blocks of a product: three of them are in the L1 and L2 caches. */
    private static final long TILE = 64;

    /** Elements of a vector at a time; two stretches of doubles take less than the tiles. */
    private static final long STRETCH = 1024;

    /** Bytes of scratch that one thread needs in {@link Launch#work}: three tiles of floats. */
    public static final long WORK = 3 * TILE * TILE * 4;

    private final Leaf s;
    private final Leaf d;

    Mixed(Leaf s, Leaf d) {
        this.s = s;
        this.d = d;
    }

    /** Runs one problem. */
    void run(Launch l, long i, long work, long workBytes) {
        if (l.type == ElementType.I32) {
            integers(l, i);
            return;
        }
        ElementType type = working(l);
        if (workBytes < WORK || standsStill(l)) {
            MixedSingly.run(l, i);
            return;
        }
        Leaf leaf = type == ElementType.F32 ? s : d;
        switch (l.kernel) {
            case GEMM -> gemm(l, i, leaf, type, work);
            case GEAM_EX -> semiring(l, i, leaf, type, work);
            case GEMV -> gemv(l, i, leaf, type, work);
            case DOT, NRM2 -> reduction(l, i, leaf, type, work);
            default -> vectors(l, i, leaf, type, work);
        }
    }

    /** The type of what is in scratch. */
    private static ElementType working(Launch l) {
        for (int i = 0; i < 3; i++) {
            Operand x = l.operand(i);
            boolean used = (l.kernel.operands() >> i & 1) != 0 && x.present();
            if (used && (x.type.isComplex() || l.type == ElementType.F64 && x.type.bytes() < 4)) {
                throw new IllegalArgumentException("no " + l.kernel + " of " + x.type + " in " + l.type);
            }
        }
        return switch (l.type) {
            case F32, F16, BF16 -> ElementType.F32;
            case F64 -> ElementType.F64;
            default -> throw new IllegalArgumentException("no " + l.kernel + " of mixed types in " + l.type);
        };
    }

    /** Whether one element is written again and again: each time it is what the time before left. */
    private static boolean standsStill(Launch l) {
        return l.c.present() && l.c.vector && l.c.ld == 0
                || l.a.present() && l.a.vector && l.a.ld == 0 && l.kernel.writes(0);
    }

    private static void vectors(Launch l, long i, Leaf leaf, ElementType type, long x) {
        long n = l.n(i);
        long y = x + STRETCH * type.bytes();
        double alpha = l.alpha.re();
        boolean two = l.a.present() && l.kernel.reads(0);
        if (l.kernel.skips(0, l) || two && alpha == 0 && !l.kernel.writes(0)) {
            return;
        }
        for (long from = 0; from < n; from += STRETCH) {
            long count = Math.min(STRETCH, n - from);
            if (two) {
                load(l.a, i, from, count, type, x);
            }
            load(l.c, i, from, count, type, y);
            switch (l.kernel) {
                case AXPY -> leaf.axpy(count, alpha, 0, x, 1, y, 1);
                case SCAL -> leaf.scal(count, alpha, 0, true, y, 1);
                default -> leaf.rot(count, alpha, l.beta.re(), 0, true, x, 1, y, 1);
            }
            if (l.kernel.writes(0)) {
                store(l.a, i, from, count, type, x);
            }
            store(l.c, i, from, count, type, y);
        }
    }

    /** Sums of stretches are added up in double, in order. */
    private static void reduction(Launch l, long i, Leaf leaf, ElementType type, long x) {
        long n = l.n(i);
        long y = x + STRETCH * type.bytes();
        boolean norm = !l.kernel.reads(1);
        double sum = 0;
        for (long from = 0; from < n; from += STRETCH) {
            long count = Math.min(STRETCH, n - from);
            load(l.a, i, from, count, type, x);
            if (norm) {
                // Squares of floats neither overflow nor underflow in double; of doubles that were floats neither.
                double v = leaf.nrm2(count, x, 1);
                sum += v * v;
            } else {
                load(l.b, i, from, count, type, y);
                sum += leaf.dotReal(count, x, 1, y, 1);
            }
        }
        Conversion.store(l.d.type, l.d.at(i), norm ? Math.sqrt(sum) : sum);
    }

    private static void load(Operand v, long i, long from, long n, ElementType to, long out) {
        long step = v.ld * v.type.bytes();
        Conversion.load(v.type, n, v.first(i) + from * step, step, to, out);
    }

    private static void store(Operand v, long i, long from, long n, ElementType type, long in) {
        long step = v.ld * v.type.bytes();
        Conversion.store(type, n, in, v.type, v.first(i) + from * step, step);
    }

    private void gemm(Launch l, long i, Leaf leaf, ElementType type, long work) {
        long a = l.a.at(i);
        long b = l.b.at(i);
        long da = l.a.type.bytes();
        long db = l.b.type.bytes();
        boolean plainA = l.opA == Op.NONE;
        boolean plainB = l.opB == Op.NONE;
        product(l, leaf, type, l.m(i), l.n(i), l.k(i), a, plainA ? da : l.a.ld * da, plainA ? l.a.ld * da : da, b,
                plainB ? db : l.b.ld * db, plainB ? l.b.ld * db : db, l.c.at(i), l.c.type.bytes(),
                l.c.ld * l.c.type.bytes(), work);
    }

    /** A product with one column. */
    private void gemv(Launch l, long i, Leaf leaf, ElementType type, long work) {
        long da = l.a.type.bytes();
        boolean plain = l.opA == Op.NONE;
        product(l, leaf, type, plain ? l.m(i) : l.n(i), 1, plain ? l.n(i) : l.m(i), l.a.at(i), plain ? da : l.a.ld * da,
                plain ? l.a.ld * da : da, l.b.first(i), l.b.ld * l.b.type.bytes(), 0, l.c.first(i),
                l.c.ld * l.c.type.bytes(), 0, work);
    }

    /** C := alpha·A·B + beta·C, where each operand has the bytes between its rows and between its columns. */
    private static void product(Launch l, Leaf leaf, ElementType type, long m, long n, long k, long a, long ai, long al,
            long b, long bl, long bj, long c, long ci, long cj, long work) {
        long bytes = type.bytes();
        // Of doubles there is room for smaller tiles.
        long tile = bytes == 4 ? TILE : TILE / 2;
        long left = work;
        long right = left + tile * tile * bytes;
        long sums = right + tile * tile * bytes;
        double alpha = l.alpha.re();
        long depth = alpha == 0 ? 0 : k;
        for (long j = 0; j < n; j += tile) {
            long columns = Math.min(tile, n - j);
            for (long i = 0; i < m; i += tile) {
                long rows = Math.min(tile, m - i);
                for (long p = 0; p < depth; p += tile) {
                    long inner = Math.min(tile, depth - p);
                    for (long q = 0; q < inner; q++) {
                        Conversion.load(l.a.type, rows, a + i * ai + (p + q) * al, ai, type, left + q * tile * bytes);
                    }
                    for (long q = 0; q < columns; q++) {
                        Conversion.load(l.b.type, inner, b + p * bl + (j + q) * bj, bl, type, right + q * tile * bytes);
                    }
                    leaf.gemm(Op.NONE, Op.NONE, rows, columns, inner, alpha, 0, left, tile, right, tile, p == 0 ? 0 : 1,
                            0, sums, tile, 0, 0);
                }
                for (long q = 0; q < columns; q++) {
                    long column = depth == 0 ? 0 : sums + q * tile * bytes;
                    finish(l, type, rows, column, c + i * ci + (j + q) * cj, ci);
                }
            }
        }
    }

    /** D := a product over a semiring, joined with beta·C; tile by tile, so what is left of beta·C goes from one block of the inner dimension to the next. */
    private static void semiring(Launch l, long problem, Leaf leaf, ElementType type, long work) {
        long bytes = type.bytes();
        long tile = bytes == 4 ? TILE : TILE / 2;
        long left = work;
        long right = left + tile * tile * bytes;
        long sums = right + tile * tile * bytes;
        boolean reads = l.alpha.re() != 0;
        long k = l.k(problem);
        for (long j = 0; j < l.n(problem); j += tile) {
            long columns = Math.min(tile, l.n(problem) - j);
            for (long i = 0; i < l.m(problem); i += tile) {
                long rows = Math.min(tile, l.m(problem) - i);
                if (l.beta.re() != 0) {
                    load(l.c, problem, Op.NONE, i, j, rows, columns, type, sums, tile);
                }
                long p = 0;
                do {
                    long inner = Math.min(tile, k - p);
                    if (reads) {
                        load(l.a, problem, l.opA, i, p, rows, inner, type, left, tile);
                        load(l.b, problem, l.opB, p, j, inner, columns, type, right, tile);
                    }
                    leaf.geamEx(l.semiring, Op.NONE, Op.NONE, rows, columns, inner, l.alpha.re(), left, tile, right,
                            tile, p == 0 ? l.beta.re() : 1, sums, tile, sums, tile);
                    p += tile;
                } while (p < k);
                for (long q = 0; q < columns; q++) {
                    long to = l.d.at(problem) + (i + (j + q) * l.d.ld) * l.d.type.bytes();
                    Conversion.store(type, rows, sums + q * tile * bytes, l.d.type, to, l.d.type.bytes());
                }
            }
        }
    }

    /** A block of op(x), converted. */
    private static void load(Operand x, long problem, Op op, long row, long col, long rows, long cols, ElementType to,
            long out, long ld) {
        long size = x.type.bytes();
        long down = op == Op.NONE ? size : x.ld * size;
        long across = op == Op.NONE ? x.ld * size : size;
        for (long q = 0; q < cols; q++) {
            long from = x.at(problem) + row * down + (col + q) * across;
            Conversion.load(x.type, rows, from, down, to, out + q * ld * to.bytes());
        }
    }

    /** A stretch of C := sums + beta·C; sums at address 0 are zeros. */
    private static void finish(Launch l, ElementType type, long n, long sums, long c, long step) {
        double beta = l.beta.re();
        for (long i = 0; i < n; i++, c += step) {
            double v = sums == 0 ? 0 : Conversion.load(type, sums + i * type.bytes());
            if (beta != 0) {
                double old = beta * Conversion.load(l.c.type, c);
                v = type == ElementType.F32 ? (float) old + (float) v : old + v;
            }
            Conversion.store(l.c.type, c, v);
        }
    }

    /** C (I32) := alpha·op(A)·op(B) + beta·C with A and B of 8-bit integers. */
    private static void integers(Launch l, long i) {
        long da = l.opA == Op.NONE ? 1 : l.a.ld;
        long dal = l.opA == Op.NONE ? l.a.ld : 1;
        long dbl = l.opB == Op.NONE ? 1 : l.b.ld;
        long dbj = l.opB == Op.NONE ? l.b.ld : 1;
        int alpha = (int) l.alpha.re();
        int beta = (int) l.beta.re();
        long depth = alpha == 0 ? 0 : l.k(i);
        for (long j = 0; j < l.n(i); j++) {
            for (long r = 0; r < l.m(i); r++) {
                int sum = 0;
                long a = l.a.at(i) + r * da;
                long b = l.b.at(i) + j * dbj;
                for (long p = 0; p < depth; p++, a += dal, b += dbl) {
                    sum += Memory.i8(a) * Memory.i8(b);
                }
                long c = l.c.at(i) + (r + j * l.c.ld) * 4;
                Memory.i32(c, alpha * sum + (beta == 0 ? 0 : beta * Memory.i32(c)));
            }
        }
    }
}
