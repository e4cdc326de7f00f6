package dev.basalt.portable;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/**
 * Divide and conquer for one symmetric tridiagonal matrix (Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem", 1981; Gu and Eisenstat, "A divide-and-conquer algorithm for the symmetric
 * tridiagonal eigenproblem", 1995). What one step tells the next is in device memory, so the steps may be launches. This class knows where; {@link #merge} is the mathematics.
 *
 * <p>
 * Integers of a problem: n for the order of the eigenvalues of each part, n for columns by the order of the update, n for places by the kind of column, 2n of scratch, and then for each merge how many elements its update has, how many columns lie in its
 * first half alone and in both, and how long the products over pieces of columns are.
 */
abstract class StedcLeaf {
    /** Columns of one product. */
    static final long PIECE = 256;

    private static final int WORD = 8;

    /** One problem's memory, and where the merge that is worked on lies in it. */
    long n;

    long d;
    long e;
    long q;
    long ldq;
    long s;
    long ints;
    long reals;
    /** There are 2 to this power. */
    long leaves;

    long first;
    long middle;
    long end;
    /** Where halves of columns begin that products read. */
    long halves;
    /** The counts of the merge. */
    long counts;

    /** Bytes of an element. */
    abstract long bytes();

    /** SPLIT; leaves are 2ᵏ. */
    abstract void split(long k);

    /** A leaf from {@link #first} to {@link #end}; how many elements did not converge. */
    abstract long leaf();

    /** A step of a merge; how many roots did not converge. */
    abstract long merge(int step);

    /** SORT; how many values are none. */
    abstract long sort();

    /** Where part i of 2ᵏ begins. */
    static long begin(long n, long i, long k) {
        return i * n >> k;
    }

    /** Most rows of a half of a merge of a level. */
    static long half(long n, long k, long level) {
        return (n + (1L << k - level) - 1) >> k - level;
    }

    /** The words of one merge's counts in a level. */
    static long words(long n, long k, long level) {
        return 3 + 2 * pieces(n, k, level);
    }

    /** Products over pieces of columns in a merge of a level. */
    static long pieces(long n, long k, long level) {
        return (2 * half(n, k, level) + PIECE - 1) / PIECE;
    }

    final long step(Launch l, long problem) {
        n = l.n;
        d = l.a.at(problem);
        e = l.b.at(problem);
        q = l.c.at(problem);
        ldq = l.c.ld;
        s = l.d.at(problem);
        ints = l.f.at(problem);
        reals = l.g.at(problem);
        leaves = l.k;
        int step = (int) l.p;
        if (step == Kernel.SPLIT) {
            split(l.k);
            return 0;
        }
        if (step == Kernel.SORT) {
            return sort();
        }
        long missed = 0;
        long parts = step == Kernel.LEAVES ? 1L << l.k : 1L << l.k - 1 - l.q;
        for (long i = 0; i < parts; i++) {
            if (step == Kernel.LEAVES) {
                first = begin(n, i, l.k);
                end = begin(n, i + 1, l.k);
                missed += leaf();
            } else {
                first = begin(n, 2 * i << l.q, l.k);
                middle = begin(n, 2 * i + 1 << l.q, l.k);
                end = begin(n, 2 * i + 2 << l.q, l.k);
                halves = s + (n * n + first * half(n, l.k, l.q)) * bytes();
                counts = ints + (5 * n + i * words(n, l.k, l.q)) * WORD;
                missed += merge(step);
            }
        }
        return missed;
    }
}
