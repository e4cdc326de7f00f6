package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Dim;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;

/**
 * Divide and conquer for a real symmetric tridiagonal matrix, all of it on the device (Cuppen, 1981; Gu and Eisenstat, 1995). A level is a few launches for all of its merges, and two products for each: halves of the columns that the update changes times its
 * eigenvectors. How many columns those are stands in device memory and caps the products.
 */
public final class DivideAndConquer {
    /** Orders up to which QL and QR steps do it; a bidiagonal matrix of order 32 has one row more. */
    private static final long LEAF = 33;

    /** The same on a device that works in waves, which steps slowly and has a level's small merges in one launch. */
    private static final long SMALL_LEAF = 17;

    /** Orders of merges whose products are one launch on such a device. */
    private static final long TOGETHER = 144;

    /** Columns of one product. */
    private static final long PIECE = 256;

    private static final long WORD = 8;
    private static final long SPARE = 16;

    private DivideAndConquer() {}

    private static long leaf(DeviceTraits traits) {
        return traits.reach().waves() ? SMALL_LEAF : LEAF;
    }

    /** The levels of merges for an order. */
    public static long levels(DeviceTraits traits, long n) {
        long leaf = leaf(traits);
        long k = 0;
        while (n > leaf << k) {
            k++;
        }
        return k;
    }

    /** Whether one launch has the products of all merges of a level. */
    public static boolean together(DeviceTraits traits, long n, long k, long level) {
        return traits.reach().waves() && 2 * half(n, k, level) <= TOGETHER;
    }

    private static long half(long n, long k, long level) {
        return n + (1L << k - level) - 1 >> k - level;
    }

    /** Elements of one problem for the factors of the products. */
    public static long factors(DeviceTraits traits, long n) {
        long k = levels(traits, n);
        return k == 0 ? Chunks.times(n, n) : Chunks.times(n, Math.addExact(n, half(n, k, k - 1)));
    }

    /** Bytes for the vectors, the factors of the products and all numbers. */
    static long bytes(Call c, long n) {
        long size = c.args.type.real().bytes();
        long each = Math.addExact(Chunks.times(n, n, size), Chunks.times(factors(c.traits, n), size));
        long numbers = Math.addExact(Chunks.times(7 * n + SPARE, size), Chunks.times(6 * n + SPARE, WORD));
        return Chunks.times(Math.addExact(each, numbers + SPARE), c.args.count);
    }

    /** Bytes at the beginning of this memory that are free once all is solved. */
    static long free(Call c, long n) {
        return Chunks.times(n, n, c.args.type.real().bytes()) * c.args.count;
    }

    /** Bytes for packing in the products. */
    public static long packing(Call c, int tier, long n) {
        long half = n + 1 >> 1;
        return n <= leaf(c.traits) ? 0 : Gemm.packed(c, c.args.type.real(), tier, half, Math.min(n, PIECE), half);
    }

    /**
     * d := eigenvalues in rising order; the vectors in that order are the n×n real matrix of each problem, one after the other at a distance, whose address is returned. The memory behind them may be used again.
     */
    static Operand solve(Call c, Operand d, Operand e, long work) {
        Scope s = c.scope;
        long n = c.args.n;
        ElementType given = s.type();
        ElementType type = c.args.type.real();
        s.type(type);
        long size = type.bytes();
        long count = c.args.count;
        long k = levels(c.traits, n);
        long factors = factors(c.traits, n);
        long ints = work;
        long q = ints + Chunks.times(6 * n + SPARE, WORD, count);
        long products = q + Chunks.times(n, n, size) * count;
        long reals = products + Chunks.times(factors, size) * count;
        Operand vectors = s.part().matrix(type, q, n, n, n, n * n);
        Operand sorted = s.part().matrix(type, products, n, n, n, factors);
        Operand words = s.part().vector(ElementType.I64, ints, 6 * n + SPARE, 1, 6 * n + SPARE);
        Operand numbers = s.part().vector(type, reals, 7 * n + SPARE, 1, 7 * n + SPARE);
        step(c, Kernel.SPLIT, 0, k, d, e, vectors, sorted, words, numbers);
        step(c, Kernel.LEAVES, 0, k, d, e, vectors, sorted, words, numbers);
        for (long level = 0; level < k; level++) {
            for (int step = Kernel.DEFLATE; step <= Kernel.VECTORS; step++) {
                step(c, step, level, k, d, e, vectors, sorted, words, numbers);
            }
            if (together(c.traits, n, k, level)) {
                step(c, Kernel.PRODUCTS, level, k, d, e, vectors, sorted, words, numbers);
            } else {
                for (long i = 0; i < 1L << k - 1 - level; i++) {
                    merge(c, n, level, k, i, vectors, sorted, words);
                }
            }
            step(c, Kernel.JOIN, level, k, d, e, vectors, sorted, words, numbers);
        }
        step(c, Kernel.SORT, 0, k, d, e, vectors, sorted, words, numbers);
        s.type(given);
        return sorted;
    }

    private static void step(Call c, int step, long level, long k, Operand d, Operand e, Operand vectors,
            Operand sorted, Operand words, Operand numbers) {
        Launch l = Steqr.real(c, Kernel.STEDC);
        l.p = step;
        l.q = level;
        l.k = k;
        l.a.set(d);
        l.b.set(e);
        l.c.set(vectors);
        l.d.set(sorted);
        l.e.set(c.args.e);
        l.f.set(words);
        l.g.set(numbers);
        c.scope.launch();
    }

    /** The new columns of a merge: both halves, in pieces of columns, of which those that the update does not have are no work. */
    public static void merge(Call c, long n, long level, long k, long i, Operand vectors, Operand sorted,
            Operand words) {
        long first = (2 * i << level) * n >> k;
        long middle = (2 * i + 1 << level) * n >> k;
        long end = (2 * i + 2 << level) * n >> k;
        long n1 = middle - first;
        long n2 = end - middle;
        long all = n1 + n2;
        long half = half(n, k, level);
        long pieces = (all + PIECE - 1) / PIECE;
        long counts = 5 * n + i * (3 + 2 * ((2 * half + PIECE - 1) / PIECE));
        long halves = n * n + first * half;
        for (long piece = 0; piece < pieces; piece++) {
            long j = piece * PIECE;
            long cols = Math.min(PIECE, all - j);
            long caps = counts + 3 + piece;
            product(c, n, n1, cols, halves, first * n + j * n1, first, first + j, caps, vectors, sorted, words);
            product(c, n, n2, cols, halves + n1 * n1, first * n + all * n1 + j * n2, middle, first + j, caps + pieces,
                    vectors, sorted, words);
        }
    }

    private static void product(Call c, long n, long rows, long cols, long a, long b, long row, long col, long cap,
            Operand vectors, Operand sorted, Operand words) {
        Scope s = c.scope;
        int mark = s.mark();
        Launch l = s.packing(Kernel.GEMM);
        long size = sorted.type.bytes();
        l.m = rows;
        l.n = cols;
        l.k = rows;
        l.a.matrix(sorted.type, sorted.base + a * size, rows, rows, rows, sorted.stride);
        l.b.matrix(sorted.type, sorted.base + b * size, rows, cols, rows, sorted.stride);
        Block whole = s.of(vectors, n, n);
        whole.block(row, col, rows, cols).into(l.c);
        l.extent = words.base + cap * WORD;
        l.extentStride = words.stride;
        l.extentOf = Dim.K;
        s.launch();
        s.release(mark);
    }
}
