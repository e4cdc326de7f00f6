package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Kernel;
import dev.basalt.type.Op;

/** The steps of {@link StedcLeaf}. */
class DStedc extends StedcLeaf {
    static final double EPS = 0x1p-53; // float: static final float EPS = 0x1p-24f;

    /** Half of the kinds of columns: in the first half alone, in both, in the second alone, none of the update. */
    static final int TOP = 1;

    static final int BOTH = 2;
    static final int BOTTOM = 3;
    static final int ASIDE = 4;

    final Leaf leaf;
    final SecularLeaf secular;

    private final SteqrLeaf rotations;

    DStedc(Leaf leaf, SteqrLeaf rotations) {
        this.leaf = leaf;
        secular = leaf.secular();
        this.rotations = rotations;
    }

    @Override
    long bytes() {
        return 8L;
    }

    final long word(long kind, long i) {
        return ints + (kind * n + first + i) * 8;
    }

    final long number(long kind, long i) {
        return reals + (kind * n + first + i) * 8L;
    }

    final long column(long j) {
        return q + (first + (first + j) * ldq) * 8L;
    }

    @Override
    void split(long k) {
        double largest = 0;
        for (long i = 0; i < n; i++) {
            largest = Math.max(largest, Math.abs(f64(d + i * 8L)));
            largest = i + 1 < n ? Math.max(largest, Math.abs(f64(e + i * 8L))) : largest;
        }
        boolean plain = largest == 0 || !(largest < Double.POSITIVE_INFINITY);
        int scale = plain ? 0 : Math.getExponent(largest);
        i64(ints + (6 * n + 15) * 8, scale);
        leaf.scalMatrix(n, n, 0, 0, q, ldq);
        for (long i = 0; i < n; i++) {
            f64(d + i * 8L, Math.scalb(f64(d + i * 8L), -scale));
            if (i + 1 < n) {
                f64(e + i * 8L, Math.scalb(f64(e + i * 8L), -scale));
            }
        }
        for (long i = 1; i < 1 << k; i++) {
            long at = begin(n, i, k);
            double rho = Math.abs(f64(e + (at - 1) * 8L));
            f64(d + (at - 1) * 8L, f64(d + (at - 1) * 8L) - rho);
            f64(d + at * 8L, f64(d + at * 8L) - rho);
        }
    }

    @Override
    long leaf() {
        long m = end - first;
        leaf.fill(m, 1, 0, column(0), ldq + 1);
        for (long i = 0; i < m; i++) {
            i64(word(0, i), i);
        }
        return rotations.steqr(m, d + first * 8L, e + first * 8L, m, column(0), ldq, reals + 2 * (n + first) * 8L);
    }

    @Override
    long merge(int step) {
        switch (step) {
            case Kernel.DEFLATE -> deflate();
            case Kernel.GATHER -> gather();
            case Kernel.SECULAR -> {
                return roots();
            }
            case Kernel.WEIGHTS -> weights(false);
            case Kernel.VECTORS -> vectors();
            case Kernel.PRODUCTS -> products();
            default -> join();
        }
        return 0;
    }

    /** Both halves' eigenvalues in rising order: word 1 := their places. */
    private void order() {
        long n1 = middle - first;
        long all = end - first;
        long i = 0;
        long j = n1;
        for (long at = 0; at < all; at++) {
            long x = i < n1 ? i64(word(0, i)) : 0;
            long y = j < all ? n1 + i64(word(0, j)) : 0;
            boolean left = j == all || i < n1 && f64(d + (first + x) * 8L) <= f64(d + (first + y) * 8L);
            i64(word(1, at), left ? x : y);
            i += left ? 1 : 0;
            j += left ? 0 : 1;
        }
    }

    /**
     * The update's vector, the last row of the first half's vectors and the first of the second's; which of its elements count; of two equal eigenvalues a rotation leaves one alone.
     *
     * <p>
     * Numbers 0: z; 1: poles of the update, then eigenvalues set aside; 2: its z; 3: roots. Words 1: columns of those poles, then those set aside; 2: kinds, and later poles by their kind.
     */
    private void deflate() {
        long n1 = middle - first;
        long all = end - first;
        order();
        double rho = f64(e + (middle - 1) * 8L);
        double sign = rho < 0 ? -1 : 1;
        double scale = Math.sqrt(0.5);
        double large = 0;
        double most = 0;
        for (long j = 0; j < all; j++) {
            double v = f64(q + ((j < n1 ? middle - 1 : middle) + (first + j) * ldq) * 8L) * scale;
            v = j < n1 ? v : sign * v;
            f64(number(0, j), v);
            i64(word(2, j), j < n1 ? TOP : BOTTOM);
            most = Math.max(most, Math.abs(v));
            large = Math.max(large, Math.abs(f64(d + (first + j) * 8L)));
        }
        rho = 2 * Math.abs(rho);
        double least = 8 * EPS * Math.max(large, most);
        f64(number(6, 0), rho);
        long count = 0;
        long aside = 0;
        long before = -1;
        for (long at = 0; at < all; at++) {
            long j = i64(word(1, at));
            if (rho * Math.abs(f64(number(0, j))) <= least) {
                i64(word(2, j), ASIDE);
                i64(word(3, aside++), j);
                continue;
            }
            if (before >= 0) {
                if (rotated(before, j, least)) {
                    i64(word(3, aside++), before);
                } else {
                    count = keep(count, before);
                }
            }
            before = j;
        }
        count = before >= 0 ? keep(count, before) : count;
        setAside(count, aside);
        group(count);
    }

    /** Whether columns i and j, rotated so that the update leaves i alone, are eigenvectors as good as before. */
    final boolean rotated(long i, long j, double least) {
        double s = f64(number(0, i));
        double c = f64(number(0, j));
        double di = f64(d + (first + i) * 8L);
        double dj = f64(d + (first + j) * 8L);
        double length = Math.sqrt(c * c + s * s);
        c /= length;
        s = -s / length;
        if (!(Math.abs((dj - di) * c * s) <= least)) {
            return false;
        }
        f64(number(0, j), length);
        f64(number(0, i), 0);
        if (i64(word(2, i)) != i64(word(2, j))) {
            i64(word(2, j), BOTH);
        }
        i64(word(2, i), ASIDE);
        turn(i, j, c, s);
        f64(d + (first + i) * 8L, di * c * c + dj * s * s);
        f64(d + (first + j) * 8L, di * s * s + dj * c * c);
        return true;
    }

    /** Rotates two columns of the vectors. */
    void turn(long i, long j, double c, double s) {
        leaf.rot(end - first, c, s, 0, true, column(i), 1, column(j), 1);
    }

    final long keep(long count, long j) {
        f64(number(1, count), f64(d + (first + j) * 8L));
        f64(number(2, count), f64(number(0, j)));
        i64(word(4, count), j);
        return count + 1;
    }

    /** Columns set aside, in rising order of their eigenvalues, behind those of the update. */
    final void setAside(long count, long aside) {
        for (long i = 0; i < count; i++) {
            i64(word(1, i), i64(word(4, i)));
        }
        for (long i = 0; i < aside; i++) {
            long j = i64(word(3, i));
            double v = f64(d + (first + j) * 8L);
            long at = count + i;
            for (; at > count && f64(number(1, at - 1)) > v; at--) {
                f64(number(1, at), f64(number(1, at - 1)));
                i64(word(1, at), i64(word(1, at - 1)));
            }
            f64(number(1, at), v);
            i64(word(1, at), j);
        }
    }

    /** Word 3 := poles by the kind of their columns; the counts, and how deep products are. */
    final void group(long count) {
        long at = 0;
        for (int kind = TOP; kind <= BOTTOM; kind++) {
            for (long i = 0; i < count; i++) {
                if (i64(word(2, i64(word(1, i)))) == kind) {
                    i64(word(3, at++), i);
                }
            }
            i64(counts + (kind == TOP ? 1 : kind == BOTH ? 2 : 0) * 8, at);
        }
        long top = i64(counts + 8);
        long both = i64(counts + 16);
        long pieces = pieces();
        for (long i = 0; i < pieces; i++) {
            boolean some = i * PIECE < count;
            i64(counts + (3 + i) * 8, some ? both : 0);
            i64(counts + (3 + pieces + i) * 8, some ? count - top : 0);
        }
    }

    private long pieces() {
        return (end - first + PIECE - 1) / PIECE;
    }

    final void gather() {
        long n1 = middle - first;
        long n2 = end - middle;
        long count = i64(counts);
        long top = i64(counts + 8);
        long both = i64(counts + 16);
        long below = halves + n1 * n1 * 8L;
        for (long at = 0; at < count; at++) {
            long from = column(i64(word(1, i64(word(3, at)))));
            if (at < both) {
                leaf.copy(n1, from, 1, halves + at * n1 * 8L, 1);
            }
            if (at >= top) {
                leaf.copy(n2, from + n1 * 8L, 1, below + (at - top) * n2 * 8L, 1);
            }
        }
        for (long j = count; j < n1 + n2; j++) {
            long from = column(i64(word(1, j)));
            leaf.copy(n1, from, 1, upper(j), 1);
            leaf.copy(n2, from + n1 * 8L, 1, lower(j), 1);
        }
    }

    /** Column j of what the first half's vectors are multiplied by. */
    final long upper(long j) {
        return s + (first * n + j * (middle - first)) * 8L;
    }

    /** Column j of what the second half's are multiplied by. */
    final long lower(long j) {
        return s + (first * n + (end - first) * (middle - first) + j * (end - middle)) * 8L;
    }

    /** Column j of the eigenvectors := the poles less root j. */
    private long roots() {
        return roots(i64(counts), f64(number(6, 0)), false);
    }

    final long roots(long count, double rho, boolean squared) {
        return secular.roots(count, rho, number(1, 0), number(2, 0), squared, column(0), ldq, number(3, 0));
    }

    /** Numbers 4 := the z whose roots are exactly those found. */
    final void weights(boolean squared) {
        secular.weights(i64(counts), number(1, 0), number(2, 0), squared, column(0), ldq, number(4, 0));
    }

    private void vectors() {
        long count = i64(counts);
        for (long j = 0; j < count; j++) {
            long v = column(j);
            put(j, v, count, secular.quotients(count, number(4, 0), v));
        }
    }

    /** A vector of the update, divided by its length, to where products read it. */
    final void put(long j, long x, long count, double squares) { // keep double
        double inverse = 1 / Math.sqrt(squares); // keep double
        secular.spread(count, inverse, x, word(3, 0), i64(counts + 8), i64(counts + 16), upper(j), lower(j));
    }

    /** The new columns: halves of those that the update changes, times its vectors. */
    final void products() {
        long n1 = middle - first;
        long n2 = end - middle;
        long count = i64(counts);
        long top = i64(counts + 8);
        long both = i64(counts + 16);
        product(n1, count, both, halves, upper(0), column(0));
        product(n2, count, count - top, halves + n1 * n1 * 8L, lower(0), column(0) + n1 * 8L);
    }

    private void product(long m, long count, long k, long a, long b, long c) {
        leaf.gemm(Op.NONE, Op.NONE, m, count, k, 1, 0, a, m, b, m, 0, 0, c, ldq, 0, 0);
    }

    /** What was set aside comes back behind the new columns; word 0 := the rising order of all. */
    private void join() {
        long n1 = middle - first;
        long all = end - first;
        long count = i64(counts);
        for (long j = count; j < all; j++) {
            leaf.copy(n1, upper(j), 1, column(j), 1);
            leaf.copy(all - n1, lower(j), 1, column(j) + n1 * 8L, 1);
        }
        for (long j = 0; j < all; j++) {
            f64(d + (first + j) * 8L, f64(number(j < count ? 3 : 1, j)));
        }
        long i = 0;
        long j = count;
        for (long at = 0; at < all; at++) {
            boolean left = j == all || i < count && f64(d + (first + i) * 8L) <= f64(d + (first + j) * 8L);
            i64(word(0, at), left ? i : j);
            i += left ? 1 : 0;
            j += left ? 0 : 1;
        }
    }

    @Override
    long sort() {
        first = 0;
        int scale = (int) i64(ints + (6 * n + 15) * 8);
        for (long i = 0; i < n; i++) {
            long j = i64(word(0, i));
            f64(number(0, i), Math.scalb(f64(d + j * 8L), scale));
            leaf.copy(n, q + j * ldq * 8L, 1, s + i * n * 8L, 1);
        }
        for (long i = 0; i < n; i++) {
            f64(d + i * 8L, f64(number(0, i)));
        }
        return 0;
    }
}
