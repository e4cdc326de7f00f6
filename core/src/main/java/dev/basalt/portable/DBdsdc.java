package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Kernel;

/**
 * Divide and conquer for one upper bidiagonal matrix (Gu and Eisenstat, "A divide-and-conquer algorithm for the bidiagonal SVD", 1995), in the merges of {@link DStedc}. The matrix has a row and a column of zeros
 * more, so that every part is square: its last row is the row between two parts, and its last column of right vectors is what its other rows take to zero. The last row of the part to the left joins two parts;
 * its right vectors rotated with those of the part to the right leave one column that is taken to zero. The poles are squares of values, and 0.
 */
final class DBdsdc extends DStedc {
    private final BidiagonalQrLeaf iterations;

    /** The left vectors, the right ones, and what products of each read. */
    private long u;

    private long v;
    private long su;
    private long sv;

    DBdsdc(Leaf leaf, BidiagonalQrLeaf iterations) {
        super(leaf, null);
        this.iterations = iterations;
    }

    /** Where both kinds of vectors are; those of the left are what the merge sees. */
    private void both() {
        u = q;
        v = q + n * ldq * 8L;
        su = s;
        sv = s + (n * n + (leaves == 0 ? 0 : n * half(n, leaves, leaves - 1))) * 8L;
    }

    private void left() {
        halves += su - s;
        q = u;
        s = su;
    }

    private void right() {
        halves += sv - s;
        q = v;
        s = sv;
    }

    @Override
    void split(long k) {
        both();
        double largest = 0;
        double nothing = 0;
        for (long i = 0; i < n; i++) {
            double di = f64(d + i * 8L);
            double ei = i + 1 < n ? f64(e + i * 8L) : 0;
            largest = Math.max(largest, Math.max(Math.abs(di), Math.abs(ei)));
            nothing += 0 * di + 0 * ei;
        }
        boolean finite = nothing == 0;
        int scale = largest == 0 || !finite ? 0 : Math.getExponent(largest);
        i64(ints + (6 * n + 15) * 8, scale);
        i64(ints + (6 * n + 14) * 8, finite ? 0 : 1);
        leaf.scalMatrix(n, n, 0, 0, u, ldq);
        leaf.scalMatrix(n, n, 0, 0, v, ldq);
        for (long i = 0; i < n; i++) {
            f64(d + i * 8L, finite ? Math.scalb(f64(d + i * 8L), -scale) : 0);
            if (i + 1 < n) {
                f64(e + i * 8L, finite ? Math.scalb(f64(e + i * 8L), -scale) : 0);
            }
        }
    }

    @Override
    long leaf() {
        both();
        long m = end - first - 1;
        long left = column(0);
        leaf.fill(m + 1, 1, 0, left, ldq + 1);
        right();
        long right = column(0);
        leaf.fill(m + 1, 1, 0, right, ldq + 1);
        i64(word(0, 0), m);
        long given = reals + 8 * first * 8L;
        long work = given + 2 * m * 8L;
        for (long i = 0; i < m; i++) {
            f64(given + i * 8L, f64(d + (first + i) * 8L));
        }
        boolean square = f64(e + (end - 2) * 8L) == 0;
        if (square) {
            leaf.copy(m - 1, e + first * 8L, 1, given + m * 8L, 1);
        }
        for (long i = 0; !square && i < m; i++) {
            // The row's second element goes, and the next row gets one on its other side.
            f64(given + i * 8L, DBidiagonalQr.rotate(f64(given + i * 8L), f64(e + (first + i) * 8L), work, work + 8L));
            double c = f64(work);
            double s = f64(work + 8L);
            if (s != 0) {
                leaf.rot(m + 1, c, s, 0, true, right + i * ldq * 8L, 1, right + (i + 1) * ldq * 8L, 1);
            }
            if (i + 1 < m) {
                double next = f64(given + (i + 1) * 8L);
                f64(given + (m + i) * 8L, s * next);
                f64(given + (i + 1) * 8L, c * next);
            }
        }
        // What a row or column of zeros has to itself stays as it is.
        long lines = square ? m : m + 1;
        long missed = iterations.bdsqr(!square, m, 0, given, work, lines, right, ldq, 1, lines, left, ldq, 0, 0, 0);
        left();
        for (long i = 0; i < m; i++) {
            f64(d + (first + i) * 8L, f64(work + i * 8L));
            i64(word(0, i + 1), m - 1 - i);
        }
        return missed;
    }

    @Override
    long merge(int step) {
        both();
        switch (step) {
            case Kernel.DEFLATE -> deflate();
            case Kernel.GATHER -> {
                gather();
                right();
                gather();
                left();
            }
            case Kernel.SECULAR -> {
                return roots();
            }
            case Kernel.WEIGHTS -> weights(true);
            case Kernel.VECTORS -> vectors();
            case Kernel.PRODUCTS -> {
                products();
                right();
                products();
                left();
            }
            default -> {
                columnsBack();
                right();
                columnsBack();
                left();
                join();
            }
        }
        return 0;
    }

    @Override
    void turn(long i, long j, double c, double s) {
        super.turn(i, j, c, s);
        right();
        super.turn(i, j, c, s);
        left();
    }

    /** Both halves' values in rising order behind the pole 0: word 1 := their places. */
    private void order() {
        long n1 = middle - first;
        long all = end - first;
        i64(word(1, 0), n1 - 1);
        long i = 1;
        long j = n1 + 1;
        for (long at = 1; at < all - 1; at++) {
            long x = i < n1 ? i64(word(0, i)) : 0;
            long y = j < all ? n1 + i64(word(0, j)) : 0;
            boolean left = j == all || i < n1 && f64(d + (first + x) * 8L) <= f64(d + (first + y) * 8L);
            i64(word(1, at), left ? x : y);
            i += left ? 1 : 0;
            j += left ? 0 : 1;
        }
    }

    /** Numbers and words as those of {@link DStedc}, with the pole 0 and its z first. */
    private void deflate() {
        long n1 = middle - first;
        long all = end - first;
        double alpha = f64(d + (middle - 1) * 8L);
        double beta = f64(e + (middle - 1) * 8L);
        order();
        double large = Math.max(Math.abs(alpha), Math.abs(beta));
        for (long j = 0; j < all; j++) {
            boolean value = j != n1 - 1 && j != all - 1;
            large = value ? Math.max(large, Math.abs(f64(d + (first + j) * 8L))) : large;
        }
        // Squares of what is left stay in the range.
        int power = large == 0 ? 0 : Math.max(Math.getExponent(large), Double.MIN_EXPONENT); // float: int power = large == 0 ? 0 : Math.max(Math.getExponent(large), Float.MIN_EXPONENT);
        alpha = Math.scalb(alpha, -power);
        beta = Math.scalb(beta, -power);
        for (long j = 0; j < all; j++) {
            double x = f64(v + ((j < n1 ? middle - 1 : middle) + (first + j) * ldq) * 8L);
            f64(number(0, j), x * (j < n1 ? alpha : beta));
            i64(word(2, j), j < n1 ? TOP : BOTTOM);
            if (j != n1 - 1 && j != all - 1) {
                f64(d + (first + j) * 8L, Math.scalb(f64(d + (first + j) * 8L), -power));
            }
        }
        double least = 8 * EPS * Math.scalb(large, -power);
        i64(word(2, n1 - 1), BOTH);
        i64(word(2, all - 1), ASIDE);
        double z0 = meet(n1 - 1, all - 1);
        f64(number(0, n1 - 1), Math.abs(z0) <= least ? least : z0);
        f64(number(1, 0), 0);
        f64(number(2, 0), f64(number(0, n1 - 1)));
        i64(word(4, 0), n1 - 1);
        long count = 1;
        long aside = 0;
        long before = -1;
        for (long at = 1; at < all - 1; at++) {
            long j = i64(word(1, at));
            if (Math.abs(f64(number(0, j))) <= least) {
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
        // A pole may not meet the pole 0.
        if (count > 1 && f64(number(1, 1)) < least / 2) {
            f64(number(1, 1), least / 2);
        }
        setAside(count, aside);
        i64(word(1, all - 1), all - 1);
        i64(word(4, 0), power);
        group(count);
    }

    /** Rotates the two columns that both parts take to zero, so that the second meets nothing in the row between them; what the first meets. */
    private double meet(long i, long j) {
        double f = f64(number(0, i));
        double g = f64(number(0, j));
        f64(number(0, j), 0);
        if (g == 0) {
            return f;
        }
        double r = DBidiagonalQr.rotate(f, g, number(5, 0), number(6, 0));
        right();
        super.turn(i, j, f64(number(5, 0)), f64(number(6, 0)));
        left();
        return r;
    }

    private long roots() {
        return roots(i64(counts), 1, true);
    }

    private void vectors() {
        long count = i64(counts);
        if (count == 1) {
            alone();
            return;
        }
        for (long j = 0; j < count; j++) {
            long x = column(j);
            double squares = secular.quotients(count, number(4, 0), x); // keep double
            right();
            put(j, x, count, squares);
            left();
            put(j, x, count, secular.products(count, number(1, 0), x));
        }
    }

    /** The vectors of one value, which may be 0. */
    private void alone() {
        long x = column(0);
        f64(x, f64(number(2, 0)) < 0 ? -1 : 1);
        right();
        put(0, x, 1, 1);
        left();
        f64(x, 1);
        put(0, x, 1, 1);
    }

    /** What was set aside comes back behind the new columns. */
    private void columnsBack() {
        long n1 = middle - first;
        long all = end - first;
        for (long j = i64(counts); j < all; j++) {
            leaf.copy(n1, upper(j), 1, column(j), 1);
            leaf.copy(all - n1, lower(j), 1, column(j) + n1 * 8L, 1);
        }
    }

    /** The values and, in word 0, their rising order, behind the column that belongs to none. */
    private void join() {
        long all = end - first;
        long count = i64(counts);
        int power = (int) i64(word(4, 0));
        for (long j = 0; j < all - 1; j++) {
            f64(d + (first + j) * 8L, Math.scalb(f64(number(j < count ? 3 : 1, j)), power));
        }
        i64(word(0, 0), all - 1);
        long i = 0;
        long j = count;
        for (long at = 1; at < all; at++) {
            boolean left = j == all - 1 || i < count && f64(d + (first + i) * 8L) <= f64(d + (first + j) * 8L);
            i64(word(0, at), left ? i : j);
            i += left ? 1 : 0;
            j += left ? 0 : 1;
        }
    }

    @Override
    long sort() {
        both();
        first = 0;
        long m = n - 1;
        int scale = (int) i64(ints + (6 * n + 15) * 8);
        boolean finite = i64(ints + (6 * n + 14) * 8) == 0;
        for (long i = 0; i < m; i++) {
            long j = i64(word(0, m - i));
            f64(number(0, i), finite ? Math.scalb(f64(d + j * 8L), scale) : Double.NaN);
            leaf.copy(m, u + j * ldq * 8L, 1, su + i * m * 8L, 1);
            leaf.copy(m, v + j * ldq * 8L, 1, sv + i * m * 8L, 1);
        }
        for (long i = 0; i < m; i++) {
            f64(d + i * 8L, f64(number(0, i)));
        }
        return finite ? 0 : m;
    }
}
