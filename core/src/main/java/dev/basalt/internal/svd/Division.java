package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.symmetric.DivideAndConquer;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;

/**
 * Divide and conquer for a real upper bidiagonal matrix, all of it on the device (Gu and Eisenstat, "A divide-and-conquer algorithm for the bidiagonal SVD", 1995): the merges of
 * {@link DivideAndConquer}, each with products for the vectors of both sides. The matrix has a row and a column of zeros more there.
 */
final class Division {
    private static final long WORD = 8;
    private static final long SPARE = 16;
    private static final long REALS = 8;
    private static final long INTEGERS = 6;

    private Division() {}

    /** Bytes for the matrix, both kinds of vectors, what products of them read, and all numbers. */
    static long bytes(Call c, long n) {
        if (n == 0) {
            return 0;
        }
        long order = n + 1;
        long size = c.args.type.real().bytes();
        long squares = Math.addExact(Chunks.times(order, order), DivideAndConquer.factors(c.traits, order));
        long reals = Math.addExact(Chunks.times(2, squares), Chunks.times(REALS + 2, order) + SPARE);
        return Chunks.times(
                Math.addExact(Chunks.times(reals, size), Chunks.times(INTEGERS, order, WORD) + SPARE * WORD + SPARE),
                c.args.count);
    }

    /** Bytes for packing in the products. */
    static long packing(Call c, int tier, long n) {
        return DivideAndConquer.packing(c, tier, Math.addExact(n, 1));
    }

    /**
     * The values := the singular values, largest first. The vectors of both sides, in that order, are n×n real matrices in the workspace, the first at u and the second at v; what is at
     * {@link #room} may be used again.
     */
    static void solve(Call c, long n, Operand d, Operand e, long work, Operand values, Operand info, Operand u,
            Operand v) {
        Scope s = c.scope;
        ElementType given = s.type();
        ElementType type = c.args.type.real();
        s.type(type);
        long size = type.bytes();
        long count = c.args.count;
        long order = n + 1;
        long k = DivideAndConquer.levels(c.traits, order);
        long factors = DivideAndConquer.factors(c.traits, order);
        long spare = INTEGERS * order + SPARE;
        long q = room(c, n, work);
        long products = q + 2 * order * order * size * count;
        long reals = products + 2 * factors * size * count;
        long numbers = REALS * order + SPARE;
        Operand words = s.part().vector(ElementType.I64, work, spare, 1, spare);
        Operand own = s.part().vector(type, reals, numbers, 1, numbers);
        long matrix = reals + numbers * size * count;
        Operand diagonal = s.part().vector(type, matrix, order, 1, 2 * order);
        Operand beside = s.part().vector(type, matrix + order * size, order, 1, 2 * order);
        enter(c, d, n, diagonal);
        enter(c, e, n - 1, beside);
        Operand vectors = s.part().matrix(type, q, order, 2 * order, order, 2 * order * order);
        Operand both = s.part().matrix(type, products, order, order, order, 2 * factors);
        Operand right = s.part().matrix(type, products + factors * size, order, order, order, 2 * factors);
        Operand lefts = s.part().matrix(type, q, order, order, order, 2 * order * order);
        Operand rights = s.part().matrix(type, q + order * order * size, order, order, order, 2 * order * order);
        step(c, Kernel.SPLIT, 0, k, diagonal, beside, vectors, both, info, words, own);
        step(c, Kernel.LEAVES, 0, k, diagonal, beside, vectors, both, info, words, own);
        for (long level = 0; level < k; level++) {
            for (int step = Kernel.DEFLATE; step <= Kernel.VECTORS; step++) {
                step(c, step, level, k, diagonal, beside, vectors, both, info, words, own);
            }
            if (DivideAndConquer.together(c.traits, order, k, level)) {
                step(c, Kernel.PRODUCTS, level, k, diagonal, beside, vectors, both, info, words, own);
            } else {
                for (long i = 0; i < 1L << k - 1 - level; i++) {
                    DivideAndConquer.merge(c, order, level, k, i, lefts, both, words);
                    DivideAndConquer.merge(c, order, level, k, i, rights, right, words);
                }
            }
            step(c, Kernel.JOIN, level, k, diagonal, beside, vectors, both, info, words, own);
        }
        step(c, Kernel.SORT, 0, k, diagonal, beside, vectors, both, info, words, own);
        copy(c, diagonal, n, values);
        u.matrix(type, products, n, n, n, 2 * factors);
        v.matrix(type, products + factors * size, n, n, n, 2 * factors);
        s.type(given);
    }

    /** The address of a square of the call's elements, of order n, that is free behind {@link #solve}. */
    static long room(Call c, long n, long work) {
        return work + Chunks.times(INTEGERS * (n + 1) + SPARE, WORD, c.args.count);
    }

    private static void step(Call c, int step, long level, long k, Operand diagonal, Operand beside, Operand vectors,
            Operand room, Operand info, Operand words, Operand numbers) {
        Launch l = Iteration.real(c, Kernel.BDSDC);
        l.n = diagonal.rows;
        l.p = step;
        l.q = level;
        l.k = k;
        l.a.set(diagonal);
        l.b.set(beside);
        l.c.set(vectors);
        l.d.set(room);
        l.e.set(info);
        l.f.set(words);
        l.g.set(numbers);
        c.scope.launch();
    }

    /** Takes n numbers, with zeros behind them. */
    private static void enter(Call c, Operand from, long n, Operand to) {
        zero(c, to);
        copy(c, from, n, to);
    }

    /** Real numbers := zeros. */
    static void zero(Call c, Operand to) {
        Launch l = Iteration.real(c, Kernel.FILL);
        l.n = to.rows;
        l.alpha.set(Scope.ZERO);
        l.c.set(to);
        c.scope.launch();
    }

    private static void copy(Call c, Operand from, long n, Operand to) {
        if (n > 0) {
            Launch l = Iteration.real(c, Kernel.COPY);
            l.n = n;
            l.a.set(from);
            l.c.set(to);
            c.scope.launch();
        }
    }

    /** A real matrix to where a block is, as that is read; complex elements go through {@link #room}. */
    static void bring(Call c, Operand real, long room, Block to) {
        Factors.bring(c.scope, elements(c, real, room), to);
    }

    /** A real matrix as one of the call's elements; complex ones are at {@link #room}. */
    static Block elements(Call c, Operand real, long room) {
        Scope s = c.scope;
        if (!c.args.type.isComplex()) {
            return s.of(real, real.rows, real.cols);
        }
        Block z = s.dense(room, real.rows, real.cols);
        s.scale(Scope.ZERO, z);
        Launch l = Iteration.real(c, Kernel.COPY);
        l.n = real.rows * real.cols;
        l.a.vector(real.type, real.base, l.n, 1, real.stride);
        l.c.vector(real.type, room, l.n, 2, 2 * l.n);
        s.launch();
        return z;
    }
}
