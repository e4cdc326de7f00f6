package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** Eigenvectors of one complex triangular matrix by substitution, in groups as {@link DTrevc}. It remembers the matrix that is worked on. */
final class ZTrevc implements TrevcLeaf {
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

    ZTrevc(Leaf leaf) {
        this.leaf = leaf;
    }

    private long at(long i, long j) {
        return t + (i + j * ldt) * 16L;
    }

    private static double size(long element) {
        return Math.abs(f64(element)) + Math.abs(f64(element + 8L));
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
                norm = Math.max(norm, size(at(i, j)));
            }
        }
        long most = Math.clamp(group, 1, n);
        for (long done = 0; done < n; done += most) {
            long from = left ? done : Math.max(0, n - done - most);
            long to = left ? Math.min(n, done + most) : n - done;
            solve(from, to, most, pack, packBytes);
            store(times, from, to, v, ldv, work + n * most * 16L, pack, packBytes);
        }
    }

    private void solve(long from, long to, long most, long pack, long packBytes) {
        leaf.scalMatrix(n, to - from, 0, 0, x, n);
        leaf.fill(to - from, 1, 0, x + from * 16L, n + 1);
        long top = from;
        long bottom = to;
        while (true) {
            for (long k = from; k < to; k++) {
                vector(top, bottom, k, x + (k - from) * n * 16L);
            }
            long rows = left ? n - bottom : top;
            if (rows == 0) {
                return;
            }
            if (left) {
                leaf.gemm(Op.CONJ_TRANS, Op.NONE, rows, to - from, bottom - top, -1, 0, at(top, bottom), ldt,
                        x + top * 16L, n, 1, 0, x + bottom * 16L, n, pack, packBytes);
                top = bottom;
                bottom = Math.min(n, top + most);
            } else {
                leaf.gemm(Op.NONE, Op.NONE, rows, to - from, bottom - top, -1, 0, at(0, top), ldt, x + top * 16L, n, 1,
                        0, x, n, pack, packBytes);
                bottom = top;
                top = Math.max(0, bottom - most);
            }
        }
    }

    /** One vector in rows top to bottom - 1. */
    private void vector(long top, long bottom, long k, long column) {
        double wRe = f64(at(k, k));
        double wIm = f64(at(k, k) + 8L);
        double least = Math.max(UNIT * (Math.abs(wRe) + Math.abs(wIm)), small);
        boolean own = k >= top && k < bottom;
        if (left) {
            for (long r = own ? k : top; r < bottom; r++) {
                if (r != k) {
                    divide(r, wRe, wIm, least, column);
                }
                spread(r, r + 1, bottom, column);
            }
        } else {
            for (long r = own ? k : bottom - 1; r >= top; r--) {
                if (r != k) {
                    divide(r, wRe, wIm, least, column);
                }
                spread(r, top, r, column);
            }
        }
        double most = 0;
        for (long i = 0; i < n; i++) {
            most = Math.max(most, size(column + i * 16L));
        }
        if (most > 1 && most > large / Math.max(1, norm) / n) {
            leaf.scal(n, 1 / most, 0, true, column, 1);
        }
    }

    /** Takes the unknown in row r off rows from…to-1. */
    private void spread(long r, long from, long to, long column) {
        double a = f64(column + r * 16L);
        double b = f64(column + r * 16L + 8L);
        for (long i = from; i < to; i++) {
            long element = left ? at(r, i) : at(i, r);
            double c = f64(element);
            double d = left ? -f64(element + 8L) : f64(element + 8L);
            long y = column + i * 16L;
            f64(y, f64(y) - (a * c - b * d));
            f64(y + 8L, f64(y + 8L) - (a * d + b * c));
        }
    }

    private void divide(long r, double wRe, double wIm, double least, long column) {
        double c = f64(at(r, r)) - wRe;
        double d = f64(at(r, r) + 8L) - wIm;
        d = left ? -d : d;
        if (Math.abs(c) + Math.abs(d) < least) {
            c = least;
            d = 0;
        }
        long y = column + r * 16L;
        double size = Math.abs(c) + Math.abs(d);
        double own = size(y);
        if (size < 1 && own > large * size) {
            leaf.scal(n, 1 / own, 0, true, column, 1);
        }
        double a = f64(y);
        double b = f64(y + 8L);
        boolean real = Math.abs(c) >= Math.abs(d);
        double ratio = real ? d / c : c / d;
        double whole = real ? c + d * ratio : c * ratio + d;
        f64(y, (real ? a + b * ratio : a * ratio + b) / whole);
        f64(y + 8L, (real ? b - a * ratio : b * ratio - a) / whole);
    }

    private void store(boolean times, long from, long to, long v, long ldv, long product, long pack, long packBytes) {
        long k = to - from;
        long target = v + from * ldv * 16L;
        normal(k, x);
        if (!times) {
            leaf.copyMatrix(n, k, x, n, target, ldv);
            return;
        }
        long first = left ? from : 0;
        long terms = left ? n - from : to;
        leaf.gemm(Op.NONE, Op.NONE, n, k, terms, 1, 0, v + first * ldv * 16L, ldv, x + first * 16L, n, 0, 0, product, n,
                pack, packBytes);
        normal(k, product);
        leaf.copyMatrix(n, k, product, n, target, ldv);
    }

    private void normal(long k, long columns) {
        for (long j = 0; j < k; j++) {
            long y = columns + j * n * 16L;
            double most = 0;
            for (long i = 0; i < n; i++) {
                most = Math.max(most, size(y + i * 16L));
            }
            if (most > 0) {
                leaf.scal(n, 1 / most, 0, true, y, 1);
            }
        }
    }
}
