package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/**
 * Eigenvectors of one real matrix in Schur form by substitution. Vectors are solved for in groups: in a block of the diagonal one by one, each with its own eigenvalue, and what a block means for the others is one product for the
 * group. A vector that grows is scaled before it overflows. It remembers the matrix that is worked on.
 */
final class DTrevc implements TrevcLeaf {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    private final Leaf leaf;
    private boolean left;
    private long n;
    private long t;
    private long ldt;
    private long x;
    private double small;
    private double large;
    private double norm;

    private double re;
    private double im;

    DTrevc(Leaf leaf) {
        this.leaf = leaf;
    }

    private double get(long i, long j) {
        return f64(t + (i + j * ldt) * 8L);
    }

    /** Whether rows i and i + 1 are a pair. */
    private boolean pair(long i) {
        return i >= 0 && i + 1 < n && get(i + 1, i) != 0;
    }

    @Override
    public void trevc(boolean lefts, boolean times, long order, long matrix, long ld, long v, long ldv, long group,
            long work, long pack, long packBytes) {
        left = lefts;
        n = order;
        t = matrix;
        ldt = ld;
        x = work;
        small = LEAST * (n / UNIT);
        large = (1 - UNIT) / small;
        norm = 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i <= j; i++) {
                norm = Math.max(norm, Math.abs(get(i, j)));
            }
        }
        long most = Math.clamp(group, 1, n);
        long done = 0;
        while (done < n) {
            long from = left ? done : begin(n - done, most);
            long to = left ? end(done, most) : n - done;
            solve(from, to, most, pack, packBytes);
            store(times, from, to, v, ldv, work + n * most * 8L, pack, packBytes);
            done += to - from;
        }
    }

    /** Where a block of at most so many rows begins that ends before a row; no pair is torn apart. */
    private long begin(long end, long most) {
        long b = Math.max(0, end - most);
        return b + 1 < end && pair(b - 1) ? b + 1 : b;
    }

    private long end(long begin, long most) {
        long e = Math.min(n, begin + most);
        return e - 1 > begin && pair(e - 1) ? e - 1 : e;
    }

    /** The vectors of eigenvalues from…to-1, in as many columns of x. */
    private void solve(long from, long to, long most, long pack, long packBytes) {
        leaf.scalMatrix(n, to - from, 0, 0, x, n);
        for (long k = from; k < to; k++) {
            start(k, x + (k - from) * n * 8L);
            k += pair(k) ? 1 : 0;
        }
        long top = from;
        long bottom = to;
        while (true) {
            for (long k = from; k < to; k++) {
                boolean two = pair(k);
                vector(top, bottom, k, two, x + (k - from) * n * 8L);
                k += two ? 1 : 0;
            }
            long rows = left ? n - bottom : top;
            if (rows == 0) {
                return;
            }
            if (left) {
                leaf.gemm(Op.TRANS, Op.NONE, rows, to - from, bottom - top, -1, 0, t + (top + bottom * ldt) * 8L, ldt,
                        x + top * 8L, n, 1, 0, x + bottom * 8L, n, pack, packBytes);
                top = bottom;
                bottom = end(top, most);
            } else {
                leaf.gemm(Op.NONE, Op.NONE, rows, to - from, bottom - top, -1, 0, t + top * ldt * 8L, ldt, x + top * 8L,
                        n, 1, 0, x, n, pack, packBytes);
                bottom = top;
                top = begin(bottom, most);
            }
        }
    }

    /** What stands in the rows of the eigenvalue itself. */
    private void start(long k, long column) {
        if (!pair(k)) {
            f64(column + k * 8L, 1);
            return;
        }
        double above = get(k, k + 1);
        double below = get(k + 1, k);
        double size = Math.sqrt(Math.abs(above)) * Math.sqrt(Math.abs(below));
        long other = column + n * 8L;
        boolean wide = Math.abs(above) >= Math.abs(below);
        if (left) {
            f64(column + k * 8L, wide ? size / above : 1);
            f64(other + (k + 1) * 8L, wide ? 1 : -size / below);
        } else {
            f64(column + k * 8L, wide ? 1 : -size / below);
            f64(other + (k + 1) * 8L, wide ? size / above : 1);
        }
    }

    /** One vector, or the two parts of one, in rows top to bottom - 1. */
    private void vector(long top, long bottom, long k, boolean two, long column) {
        long last = two ? k + 1 : k;
        double wr = get(k, k);
        double wi = two ? Math.sqrt(Math.abs(get(k, k + 1))) * Math.sqrt(Math.abs(get(k + 1, k))) : 0;
        double least = Math.max(UNIT * (Math.abs(wr) + Math.abs(wi)), small);
        // A left vector belongs to the conjugate.
        double imaginary = left ? -wi : wi;
        boolean own = k >= top && k < bottom;
        if (left) {
            long r = top;
            if (own) {
                spread(two, k, last, last + 1, bottom, column);
                r = last + 1;
            }
            while (r < bottom) {
                boolean block = pair(r);
                eliminate(r, block, wr, imaginary, least, two, column);
                spread(two, r, block ? r + 1 : r, block ? r + 2 : r + 1, bottom, column);
                r += block ? 2 : 1;
            }
        } else {
            long r = bottom - 1;
            if (own) {
                spread(two, k, last, top, k, column);
                r = k - 1;
            }
            while (r >= top) {
                boolean block = pair(r - 1);
                long first = block ? r - 1 : r;
                eliminate(first, block, wr, imaginary, least, two, column);
                spread(two, first, r, top, first, column);
                r = first - 1;
            }
        }
        guard(two, column);
    }

    /** Takes the unknowns first to last off rows from…to-1. */
    private void spread(boolean two, long first, long last, long from, long to, long column) {
        for (int part = 0; part < (two ? 2 : 1); part++) {
            long y = column + part * n * 8L;
            for (long c = first; c <= last; c++) {
                double value = f64(y + c * 8L);
                if (value == 0) {
                    continue;
                }
                if (left) {
                    for (long i = from; i < to; i++) {
                        f64(y + i * 8L, f64(y + i * 8L) - value * get(c, i));
                    }
                } else {
                    for (long i = from; i < to; i++) {
                        f64(y + i * 8L, f64(y + i * 8L) - value * get(i, c));
                    }
                }
            }
        }
    }

    /** A vector is made smaller where its next products could overflow. */
    private void guard(boolean two, long column) {
        double most = 0;
        for (long i = 0; i < (two ? 2 * n : n); i++) {
            most = Math.max(most, Math.abs(f64(column + i * 8L)));
        }
        if (most > 1 && most > large / Math.max(1, norm) / n) {
            scale(two, column, 1 / most);
        }
    }

    private void scale(boolean two, long column, double factor) {
        leaf.scal(two ? 2 * n : n, factor, 0, false, column, 1);
    }

    /** Solves for one row, or for two. */
    private void eliminate(long r, boolean block, double wr, double wi, double least, boolean two, long column) {
        long a = column + r * 8L;
        long b = two ? a + n * 8L : 0;
        if (!block) {
            divide(get(r, r) - wr, -wi, least, two, column, a, b);
            f64(a, re);
            if (two) {
                f64(b, im);
            }
            return;
        }
        double p = get(r, r) - wr;
        double s = get(r + 1, r + 1) - wr;
        double q = left ? get(r + 1, r) : get(r, r + 1);
        double o = left ? get(r, r + 1) : get(r + 1, r);
        // The rows p - i·wi, q and o, s - i·wi; the larger of p and o is the pivot.
        boolean swap = Math.abs(o) > Math.abs(p) + Math.abs(wi);
        long first = swap ? 8L : 0;
        long second = swap ? 0 : 8L;
        double pivotRe = swap ? o : p;
        double pivotIm = swap ? 0 : -wi;
        double besideRe = swap ? s : q;
        double besideIm = swap ? -wi : 0;
        double belowRe = swap ? p : o;
        double belowIm = swap ? -wi : 0;
        double lastRe = swap ? q : s;
        double lastIm = swap ? 0 : -wi;
        if (Math.abs(pivotRe) + Math.abs(pivotIm) < least) {
            pivotRe = least;
            pivotIm = 0;
        }
        quotient(belowRe, belowIm, pivotRe, pivotIm);
        double factorRe = re;
        double factorIm = im;
        lastRe -= factorRe * besideRe - factorIm * besideIm;
        lastIm -= factorRe * besideIm + factorIm * besideRe;
        double xRe = f64(a + first);
        double xIm = two ? f64(b + first) : 0;
        double yRe = f64(a + second) - (factorRe * xRe - factorIm * xIm);
        double yIm = (two ? f64(b + second) : 0) - (factorRe * xIm + factorIm * xRe);
        f64(a + second, yRe);
        if (two) {
            f64(b + second, yIm);
        }
        divide(lastRe, lastIm, least, two, column, a + second, two ? b + second : 0);
        double endRe = re;
        double endIm = im;
        // A scale has met what is in memory.
        xRe = f64(a + first) - (besideRe * endRe - besideIm * endIm);
        xIm = (two ? f64(b + first) : 0) - (besideRe * endIm + besideIm * endRe);
        f64(a + 8L, endRe);
        f64(a, xRe);
        if (two) {
            f64(b + 8L, endIm);
            f64(b, xIm);
        }
        divide(pivotRe, pivotIm, least, two, column, a, b);
        f64(a, re);
        if (two) {
            f64(b, im);
        }
    }

    private void quotient(double a, double b, double c, double d) {
        if (Math.abs(c) >= Math.abs(d)) {
            double ratio = d / c;
            double whole = c + d * ratio;
            re = (a + b * ratio) / whole;
            im = (b - a * ratio) / whole;
        } else {
            double ratio = c / d;
            double whole = c * ratio + d;
            re = (a * ratio + b) / whole;
            im = (b * ratio - a) / whole;
        }
    }

    /** re and im := the number at a and b by one that is at least so large; the vector is scaled where that would be too large. */
    private void divide(double divisorRe, double divisorIm, double least, boolean two, long column, long a, long b) {
        double c = divisorRe;
        double d = divisorIm;
        double size = Math.abs(c) + Math.abs(d);
        if (size < least) {
            c = least;
            d = 0;
            size = least;
        }
        double own = Math.abs(f64(a)) + (two ? Math.abs(f64(b)) : 0);
        if (size < 1 && own > large * size) {
            scale(two, column, 1 / own);
        }
        quotient(f64(a), two ? f64(b) : 0, c, d);
    }

    /** Vectors whose largest element has size 1, times what is at v or in its place. */
    private void store(boolean times, long from, long to, long v, long ldv, long product, long pack, long packBytes) {
        long k = to - from;
        long target = v + from * ldv * 8L;
        normal(from, to, x, n);
        if (!times) {
            leaf.copyMatrix(n, k, x, n, target, ldv);
            return;
        }
        long first = left ? from : 0;
        long terms = left ? n - from : to;
        leaf.gemm(Op.NONE, Op.NONE, n, k, terms, 1, 0, v + first * ldv * 8L, ldv, x + first * 8L, n, 0, 0, product, n,
                pack, packBytes);
        normal(from, to, product, n);
        leaf.copyMatrix(n, k, product, n, target, ldv);
    }

    private void normal(long from, long to, long columns, long ld) {
        for (long k = from; k < to; k++) {
            boolean two = pair(k);
            long y = columns + (k - from) * ld * 8L;
            double most = 0;
            for (long i = 0; i < n; i++) {
                double size = Math.abs(f64(y + i * 8L)) + (two ? Math.abs(f64(y + (ld + i) * 8L)) : 0);
                most = Math.max(most, size);
            }
            if (most > 0) {
                leaf.scal(two ? 2 * ld : n, 1 / most, 0, false, y, 1);
            }
            k += two ? 1 : 0;
        }
    }
}
