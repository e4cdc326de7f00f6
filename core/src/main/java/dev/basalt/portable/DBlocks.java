package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Moves blocks of one or two rows along the diagonal of a real Schur form, by exchanges of neighbours. It remembers the matrix that tells the blocks. */
abstract class DBlocks {
    /** The order of the matrix. */
    long n;

    /** The matrix whose elements below the diagonal tell the blocks. */
    long t;

    /** Its leading dimension. */
    long ldt;

    /** Whether the last move reached its goal. */
    private boolean arrived;

    long at(long i, long j) {
        return t + (i + j * ldt) * 8L;
    }

    double get(long i, long j) {
        return f64(t + (i + j * ldt) * 8L);
    }

    /** The first row of the block that has row i. */
    private long begins(long i) {
        return i > 0 && get(i, i - 1) != 0 ? i - 1 : i;
    }

    /** Rows of the block that begins with row i. */
    int size(long i) {
        return i + 1 < n && get(i + 1, i) != 0 ? 2 : 1;
    }

    /** Whether the last moves made all of their exchanges. */
    public final boolean arrived() {
        return arrived;
    }

    /** The blocks of n1 rows at i and of n2 rows behind it change places; false where nothing was done, because the error would be large. */
    abstract boolean exchange(long i, int n1, int n2);

    /** Whether the block of so many rows at k is to come to the front. */
    abstract boolean chosen(long k, int own);

    /**
     * Moves the block with a row to another.
     *
     * @param from a row of the block
     * @param to a row of the block whose place it takes
     * @return the row where it begins in the end; another place than asked for where an exchange was not made
     */
    final long move(long from, long to) {
        long here = begins(from);
        long goal = begins(to);
        return here < goal ? down(here, goal) : up(here, goal);
    }

    /** Moves all that are chosen to the front: how many eigenvalues these are. */
    final long order() {
        boolean all = true;
        long front = 0;
        for (long k = 0; k < n;) {
            int own = size(k);
            if (chosen(k, own)) {
                if (k > front) {
                    up(k, front);
                    all &= arrived;
                }
                front += own;
            }
            k += own;
        }
        arrived = all;
        return front;
    }

    private long up(long from, long goal) {
        long here = from;
        arrived = true;
        int own = size(here);
        while (here > goal) {
            int before = here >= 2 && get(here - 1, here - 2) != 0 ? 2 : 1;
            if (!exchange(here - before, before, own)) {
                arrived = false;
                return here;
            }
            here -= before;
            if (own == 2 && size(here) == 1) {
                // The pair has become two real eigenvalues, which go on one by one.
                long first = up(here, goal);
                if (arrived) {
                    up(here + 1, first + 1);
                }
                return first;
            }
        }
        return here;
    }

    private long down(long from, long goal) {
        long here = from;
        arrived = true;
        int own = size(here);
        long end = goal + size(goal) - 1;
        while (here + own - 1 < end) {
            int behind = size(here + own);
            if (!exchange(here, own, behind)) {
                arrived = false;
                return here;
            }
            here += behind;
            if (own == 2 && size(here) == 1) {
                long last = down(here + 1, end);
                if (arrived) {
                    down(here, last - 1);
                }
                return last - 1;
            }
        }
        return here;
    }
}
