package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.BulgeWindows;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * The Schur form of one complex Hessenberg matrix, as {@link DHessenbergQr} makes that of a real one; a bulge has one shift. It remembers the matrix that is worked on.
 */
final class ZHessenbergQr implements HessenbergQrLeaf {
    private static final int WIDER = 5;
    private static final int STUCK = 6;
    private static final long NIBBLE = 14;
    private static final long HUNDRED = 100;
    private static final long ROUNDS = 30;
    private static final double OTHER = 0.75;

    /** Bulges at most. */
    private static final int MOST = 64;

    private final Leaf leaf;
    private final HessenbergLeaf reductions;
    private final ZSchur schur;
    private final long[] places = new long[MOST];

    private boolean whole;
    private long n;
    private long lo;
    private long h;
    private long ldh;
    /** The whole matrix while h is a window. */
    private long matrix;

    private long ldMatrix;
    private long w;
    private long rows;
    private long z;
    private long ldz;
    private long t;
    private long v;
    private long u;
    private long outside;
    private long tau;
    private long order;
    private long chase;
    private long pack;
    private long packBytes;
    private long dropped;
    private long shifts;
    private long end;

    ZHessenbergQr(Leaf leaf, HessenbergLeaf reductions) {
        this.leaf = leaf;
        schur = new ZSchur(leaf);
        this.reductions = reductions;
    }

    private long at(long i, long j) {
        return h + (i + j * ldh) * 16L;
    }

    private static double size(long element) {
        return Math.abs(f64(element)) + Math.abs(f64(element + 8L));
    }

    @Override
    public long hseqr(boolean all, long size, long low, long high, long matrix, long ld, long values, long none,
            long lines, long vectors, long ldVectors, long work, long elements, long packing, long packingBytes) {
        whole = all;
        n = size;
        lo = low;
        h = matrix;
        ldh = ld;
        w = values;
        rows = lines;
        z = vectors;
        ldz = ldVectors;
        if (!take()) {
            leaf.fill(n, Double.NaN, Double.NaN, w, 1);
            return n;
        }
        for (long i = 0; i < n; i++) {
            if (i < low || i >= high) {
                leaf.copy(1, at(i, i), 1, w + i * 16L, 1);
            }
        }
        long hi = high - 1;
        if (BulgeWindows.shifts(hi - low + 1) == 0 || elements < BulgeWindows.elements(n, true)) {
            return schur.run(whole, n, low, hi, h, ldh, w, rows, z, ldz);
        }
        order = BulgeWindows.deflation(n);
        chase = BulgeWindows.chase(n, true);
        pack = packing;
        packBytes = packingBytes;
        t = work;
        v = t + order * order * 16L;
        u = v + order * order * 16L;
        tau = u + chase * chase * 16L;
        outside = tau + order * 16L * 8;
        return many(hi);
    }

    /** What is below the diagonal beside the main one becomes zero; false where an element is not finite. */
    private boolean take() {
        double nothing = 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i < Math.min(n, j + 2); i++) {
                nothing += 0 * f64(at(i, j)) + 0 * f64(at(i, j) + 8L);
            }
            if (j + 2 < n) {
                leaf.fill(n - j - 2, 0, 0, at(j + 2, j), 1);
            }
        }
        return nothing == 0;
    }

    private long many(long hi) {
        long last = hi;
        long left = ROUNDS * Math.max(ROUNDS, hi - lo + 1);
        int fruitless = 1;
        while (last >= lo) {
            end = last;
            long top = top(last);
            long active = last - top + 1;
            if (left-- <= 0) {
                return last + 1;
            }
            long nw = Math.min(active, fruitless < WIDER ? BulgeWindows.first(n) : order);
            if (active <= order) {
                nw = active;
            } else if (nw < order && size(at(last - nw + 1, last - nw)) > size(at(last - nw, last - nw - 1))) {
                nw++;
            }
            deflate(top, last, nw);
            last -= dropped;
            long first = last - shifts + 1;
            if (dropped == 0 || HUNDRED * dropped <= nw * NIBBLE && last - top + 1 > order) {
                sweep(top, last, first, fruitless);
            }
            fruitless = dropped > 0 ? 1 : fruitless + 1;
        }
        return 0;
    }

    /** Drops what is small beside the diagonal; the first row of the block that ends with a row. */
    private long top(long last) {
        double small = ZSchur.LEAST * ((last - lo + 1) / ZSchur.UNIT);
        for (long k = last; k > lo; k--) {
            if (ZSchur.negligible(h, ldh, k, lo, last, small)) {
                leaf.fill(1, 0, 0, at(k, k - 1), 1);
                return k;
            }
        }
        return lo;
    }

    private void deflate(long top, long last, long nw) {
        long begin = last - nw + 1;
        double spikeRe = begin == top ? 0 : f64(at(begin, begin - 1));
        double spikeIm = begin == top ? 0 : f64(at(begin, begin - 1) + 8L);
        double spike = Math.abs(spikeRe) + Math.abs(spikeIm);
        leaf.scalMatrix(nw, nw, 0, 0, t, nw);
        for (long j = 0; j < nw; j++) {
            leaf.copy(Math.min(nw, j + 2), at(begin, begin + j), 1, t + j * nw * 16L, 1);
        }
        identity(nw, v);
        long failed = schur.run(true, nw, 0, nw - 1, t, nw, w + begin * 16L, nw, v, nw);
        double small = ZSchur.LEAST * (nw / ZSchur.UNIT);
        long ns = nw;
        long kept = failed;
        while (kept < ns) {
            double size = size(t + (ns - 1) * (nw + 1) * 16L);
            size = size == 0 ? spike : size;
            if (spike * size(v + (ns - 1) * nw * 16L) <= Math.max(small, ZSchur.UNIT * size)) {
                ns--;
            } else {
                ZSchur.move(ns - 1, kept, nw, t, nw, nw, v, nw);
                kept++;
            }
        }
        leaf.copy(nw - failed, t + failed * (nw + 1) * 16L, nw + 1, w + (begin + failed) * 16L, 1);
        dropped = nw - ns;
        shifts = ns - failed;
        boolean none = ns == 0 || spike == 0;
        if (ns < nw || none) {
            attach(top, begin, last, nw, ns, none, spikeRe, spikeIm);
        }
    }

    private void attach(long top, long begin, long last, long nw, long ns, boolean none, double spikeRe,
            double spikeIm) {
        if (ns > 1 && !none) {
            long line = tau + nw * 16L;
            for (long i = 0; i < ns; i++) {
                f64(line + i * 16L, f64(v + i * nw * 16L));
                f64(line + i * 16L + 8L, -f64(v + i * nw * 16L + 8L));
            }
            leaf.larfg(false, ns, line, line + 16L, 1, tau);
            leaf.fill(1, 1, 0, line, 1);
            double re = f64(tau);
            double im = f64(tau + 8L);
            long product = line + nw * 16L;
            leaf.gemv(Op.CONJ_TRANS, ns, nw, 1, 0, t, nw, line, 1, 0, 0, product, 1);
            leaf.ger(ns, nw, -re, im, line, 1, product, 1, true, t, nw);
            leaf.gemv(Op.NONE, ns, ns, 1, 0, t, nw, line, 1, 0, 0, product, 1);
            leaf.ger(ns, ns, -re, -im, product, 1, line, 1, true, t, nw);
            leaf.gemv(Op.NONE, nw, ns, 1, 0, v, nw, line, 1, 0, 0, product, 1);
            leaf.ger(nw, ns, -re, -im, product, 1, line, 1, true, v, nw);
            reductions.gehd2(nw, 0, ns, t, nw, tau, line);
        }
        if (begin > top) {
            double re = none ? 0 : f64(v);
            double im = none ? 0 : -f64(v + 8L);
            f64(at(begin, begin - 1), spikeRe * re - spikeIm * im);
            f64(at(begin, begin - 1) + 8L, spikeRe * im + spikeIm * re);
        }
        for (long j = 0; j < nw; j++) {
            leaf.copy(Math.min(nw, j + 2), t + j * nw * 16L, 1, at(begin, begin + j), 1);
        }
        if (ns > 1 && !none) {
            leaf.orm2r(Side.RIGHT, false, false, false, nw, ns - 1, ns - 1, t + 16L, nw, tau, v + nw * 16L, nw);
        }
        outside(top, begin, last, v, nw);
    }

    private void identity(long k, long matrix) {
        leaf.scalMatrix(k, k, 0, 0, matrix, k);
        leaf.fill(k, 1, 0, matrix, k + 1);
    }

    /** What rows and columns first to last are turned by, q of order k, meets what is right of and above them, and the Schur vectors. */
    private void outside(long top, long first, long last, long q, long k) {
        long right = (whole ? n - 1 : Math.max(last, end)) - last;
        if (right > 0) {
            leaf.gemm(Op.CONJ_TRANS, Op.NONE, k, right, k, 1, 0, q, k, at(first, last + 1), ldh, 0, 0, outside, k, pack,
                    packBytes);
            leaf.copyMatrix(k, right, outside, k, at(first, last + 1), ldh);
        }
        long from = whole ? 0 : top;
        long above = first - from;
        if (above > 0) {
            leaf.gemm(Op.NONE, Op.NONE, above, k, k, 1, 0, at(from, first), ldh, q, k, 0, 0, outside, above, pack,
                    packBytes);
            leaf.copyMatrix(above, k, outside, above, at(from, first), ldh);
        }
        if (rows > 0) {
            leaf.gemm(Op.NONE, Op.NONE, rows, k, k, 1, 0, z + first * ldz * 16L, ldz, q, k, 0, 0, outside, rows, pack,
                    packBytes);
            leaf.copyMatrix(rows, k, outside, rows, z + first * ldz * 16L, ldz);
        }
    }

    private void sweep(long top, long last, long firstShift, int fruitless) {
        long most = Math.min(BulgeWindows.shifts(n), Math.max(2, last - top)) / 2 * 2;
        long first = firstShift;
        end = last;
        if (fruitless % STUCK == 0) {
            first = Math.max(last - most + 1, top);
            others(first, top, last);
        } else if (last - first + 1 <= most / 2) {
            first = Math.max(last - most + 1, top);
            long k = last - first + 1;
            leaf.scalMatrix(k, k, 0, 0, t, k);
            for (long j = 0; j < k; j++) {
                leaf.copy(Math.min(k, j + 2), at(first, first + j), 1, t + j * k * 16L, 1);
            }
            first += schur.run(false, k, 0, k - 1, t, k, w + first * 16L, 0, 0, 1);
            if (first > last) {
                first = last;
                others(first, top, last);
            }
        }
        for (long k = first + 1; k <= last; k++) {
            for (long i = k; i > first && size(w + i * 16L) > size(w + (i - 1) * 16L); i--) {
                leaf.swap(1, w + i * 16L, 1, w + (i - 1) * 16L, 1);
            }
        }
        long count = Math.min(most, last - first + 1);
        chase(top, last, last - count + 1, (int) count);
    }

    /** Shifts that are no eigenvalues. */
    private void others(long first, long top, long last) {
        for (long i = last; i >= first; i--) {
            double more = i > top ? OTHER * size(at(i, i - 1)) : 0;
            f64(w + i * 16L, f64(at(i, i)) + more);
            f64(w + i * 16L + 8L, f64(at(i, i) + 8L));
        }
    }

    /** Chases bulges of one shift each from the first row to the last, window by window, two rows apart. */
    private void chase(long top, long last, long shift, int bulges) {
        for (int b = 0; b < bulges; b++) {
            places[b] = top - 1;
        }
        long begin = top;
        while (true) {
            long stop = Math.min(last, begin + chase - 1);
            long k = stop - begin + 1;
            identity(k, u);
            enter(begin, k);
            for (int b = 0; b < bulges; b++) {
                long goal = stop == last ? last - 1 : stop - 2 - 2 * (long) b;
                while (places[b] < goal) {
                    step(top, last, begin, stop, k, places[b]++, w + (shift + bulges - 1 - b) * 16L);
                }
            }
            leave(begin, k);
            outside(top, begin, stop, u, k);
            if (stop == last) {
                return;
            }
            begin = places[bulges - 1];
        }
    }

    /** A window is worked on in a copy: rows of a matrix whose columns lie a power of two apart are slow. */
    private void enter(long begin, long k) {
        leaf.copyMatrix(k, k, at(begin, begin), ldh, outside, k);
        matrix = h;
        ldMatrix = ldh;
        h = outside - (begin + begin * k) * 16L;
        ldh = k;
    }

    private void leave(long begin, long k) {
        h = matrix;
        ldh = ldMatrix;
        leaf.copyMatrix(k, k, outside, k, at(begin, begin), ldh);
    }

    private void step(long top, long last, long begin, long stop, long k, long p, long shift) {
        if (p < top) {
            long x = at(top, top);
            schur.reflector(f64(x) - f64(shift), f64(x + 8L) - f64(shift + 8L), f64(x + 16L), f64(x + 24L));
        } else {
            long x = at(p + 1, p);
            schur.reflector(f64(x), f64(x + 8L), f64(x + 16L), f64(x + 24L));
            f64(x, schur.beta);
            f64(x + 8L, 0);
            f64(x + 16L, 0);
            f64(x + 24L, 0);
        }
        long r = p + 1;
        schur.rows(stop - r + 1, at(r, r), ldh);
        schur.columns(Math.min(p + 3, last) - begin + 1, at(begin, r), ldh);
        schur.columns(k, u + (r - begin) * k * 16L, k);
    }
}
