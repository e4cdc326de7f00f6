package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.BulgeWindows;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * The Schur form of one real Hessenberg matrix. Many shifts are chased at once, in windows, whose reflectors become products with what is outside (Braman, Byers and Mathias, "The multishift QR
 * algorithm, part I: maintaining well-focused shifts and level 3 performance", 2002). Before each sweep a window at the end is brought to Schur form, and what is nearly zero beside it is dropped: aggressive early
 * deflation ("part II", 2002). It remembers the matrix that is worked on.
 */
final class DHessenbergQr implements HessenbergQrLeaf {
    /** So many rounds without a deflation are followed by a wider window, and by shifts that are no eigenvalues. */
    private static final int WIDER = 5;

    private static final int STUCK = 6;

    /** A sweep is left out where the window has lost this part of a hundred of its rows. */
    private static final long NIBBLE = 14;

    private static final long HUNDRED = 100;

    /** Rounds for each eigenvalue. */
    private static final long ROUNDS = 30;

    private static final double OTHER = 0.75;
    private static final double BESIDE = -0.4375;

    /** Bulges at most. */
    private static final int MOST = 64;

    private final Leaf leaf;
    private final HessenbergLeaf reductions;
    private final DSchur schur;
    private final DExchange blocks = new DExchange();
    private final DPair pair = new DPair();
    private final long[] places = new long[MOST];

    private boolean whole;
    private long n;
    private long lo;
    private long h;
    private long ldh;
    /** The whole matrix while h is a window. */
    private long matrix;

    private long ldMatrix;
    private long wr;
    private long wi;
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
    private long fromRow;
    private long spread;

    DHessenbergQr(Leaf leaf, HessenbergLeaf reductions) {
        this.leaf = leaf;
        schur = new DSchur(leaf);
        this.reductions = reductions;
    }

    private long at(long i, long j) {
        return h + (i + j * ldh) * 8L;
    }

    private double get(long i, long j) {
        return f64(h + (i + j * ldh) * 8L);
    }

    @Override
    public long hseqr(boolean all, long size, long low, long high, long matrix, long ld, long real, long imaginary,
            long lines, long vectors, long ldVectors, long work, long elements, long packing, long packingBytes) {
        whole = all;
        n = size;
        lo = low;
        h = matrix;
        ldh = ld;
        wr = real;
        wi = imaginary;
        rows = lines;
        z = vectors;
        ldz = ldVectors;
        if (!take()) {
            leaf.fill(n, Double.NaN, 0, wr, 1);
            leaf.fill(n, Double.NaN, 0, wi, 1);
            return n;
        }
        for (long i = 0; i < n; i++) {
            if (i < low || i >= high) {
                f64(wr + i * 8L, get(i, i));
                f64(wi + i * 8L, 0);
            }
        }
        long hi = high - 1;
        if (BulgeWindows.shifts(hi - low + 1) == 0 || elements < BulgeWindows.elements(n, false)) {
            return schur.run(whole, n, low, hi, h, ldh, wr, wi, rows, z, ldz);
        }
        order = BulgeWindows.deflation(n);
        chase = BulgeWindows.chase(n, false);
        pack = packing;
        packBytes = packingBytes;
        t = work;
        v = t + order * order * 8L;
        u = v + order * order * 8L;
        tau = u + chase * chase * 8L;
        outside = tau + order * 8L * 8;
        return many(hi);
    }

    /** What is below the diagonal beside the main one, and outside of the range, becomes zero; false where an element is not finite. */
    private boolean take() {
        double nothing = 0;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i < Math.min(n, j + 2); i++) {
                nothing += 0 * get(i, j);
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
            } else if (nw < order
                    && Math.abs(get(last - nw + 1, last - nw)) > Math.abs(get(last - nw, last - nw - 1))) {
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
        double small = DSchur.LEAST * ((last - lo + 1) / DSchur.UNIT);
        for (long k = last; k > lo; k--) {
            if (get(k, k - 1) == 0) {
                return k;
            }
            if (DSchur.negligible(h, ldh, k, lo, last, small)) {
                f64(at(k, k - 1), 0);
                return k;
            }
        }
        return lo;
    }

    /** Brings the last nw rows to Schur form apart, and takes off what has no more to do with those above: {@code dropped} rows. The others' eigenvalues are {@code shifts} shifts. */
    private void deflate(long top, long last, long nw) {
        long begin = last - nw + 1;
        double spike = begin == top ? 0 : get(begin, begin - 1);
        leaf.scalMatrix(nw, nw, 0, 0, t, nw);
        for (long j = 0; j < nw; j++) {
            leaf.copy(Math.min(nw, j + 2), at(begin, begin + j), 1, t + j * nw * 8L, 1);
        }
        identity(nw, v);
        long failed = schur.run(true, nw, 0, nw - 1, t, nw, wr + begin * 8L, wi + begin * 8L, nw, v, nw);
        blocks.begin(nw, t, nw, nw, v, nw);
        double small = DSchur.LEAST * (nw / DSchur.UNIT);
        long ns = nw;
        long kept = failed;
        while (kept < ns) {
            boolean two = ns > 1 && f64(t + (ns - 1 + (ns - 2) * nw) * 8L) != 0;
            double size = Math.abs(f64(t + (ns - 1) * (nw + 1) * 8L));
            double reach = Math.abs(spike * f64(v + (ns - 1) * nw * 8L));
            if (two) {
                double low = Math.abs(f64(t + (ns - 1 + (ns - 2) * nw) * 8L));
                double high = Math.abs(f64(t + (ns - 2 + (ns - 1) * nw) * 8L));
                size += Math.sqrt(low) * Math.sqrt(high);
                reach = Math.max(reach, Math.abs(spike * f64(v + (ns - 2) * nw * 8L)));
            }
            size = size == 0 ? Math.abs(spike) : size;
            if (reach <= Math.max(small, DSchur.UNIT * size)) {
                ns -= two ? 2 : 1;
            } else {
                kept = blocks.move(ns - 1, kept) + (two ? 2 : 1);
            }
        }
        eigenvalues(failed, nw, begin);
        dropped = nw - ns;
        shifts = ns - failed;
        if (ns == 0) {
            spike = 0;
        }
        if (ns < nw || spike == 0) {
            attach(top, begin, last, nw, ns, spike);
        }
    }

    /** The eigenvalues of the window's blocks, in their order. */
    private void eigenvalues(long from, long nw, long begin) {
        long i = from;
        while (i < nw) {
            long ii = t + i * (nw + 1) * 8L;
            boolean two = i + 1 < nw && f64(ii + 8L) != 0;
            double im = two ? Math.sqrt(Math.abs(f64(ii + 8L))) * Math.sqrt(Math.abs(f64(ii + nw * 8L))) : 0;
            for (int k = 0; k < (two ? 2 : 1); k++) {
                f64(wr + (begin + i + k) * 8L, f64(ii));
                f64(wi + (begin + i + k) * 8L, k == 0 ? im : -im);
            }
            i += two ? 2 : 1;
        }
    }

    /** The window comes back, as a Hessenberg matrix again, and what it is made by meets the rest of the matrix. */
    private void attach(long top, long begin, long last, long nw, long ns, double spike) {
        if (ns > 1 && spike != 0) {
            long line = tau + nw * 8L;
            leaf.copy(ns, v, nw, line, 1);
            leaf.larfg(false, ns, line, line + 8L, 1, tau);
            f64(line, 1);
            double factor = f64(tau);
            long product = line + nw * 8L;
            leaf.gemv(Op.TRANS, ns, nw, 1, 0, t, nw, line, 1, 0, 0, product, 1);
            leaf.ger(ns, nw, -factor, 0, line, 1, product, 1, false, t, nw);
            leaf.gemv(Op.NONE, ns, ns, 1, 0, t, nw, line, 1, 0, 0, product, 1);
            leaf.ger(ns, ns, -factor, 0, product, 1, line, 1, false, t, nw);
            leaf.gemv(Op.NONE, nw, ns, 1, 0, v, nw, line, 1, 0, 0, product, 1);
            leaf.ger(nw, ns, -factor, 0, product, 1, line, 1, false, v, nw);
            reductions.gehd2(nw, 0, ns, t, nw, tau, line);
        }
        if (begin > top) {
            f64(at(begin, begin - 1), spike * f64(v));
        }
        for (long j = 0; j < nw; j++) {
            leaf.copy(Math.min(nw, j + 2), t + j * nw * 8L, 1, at(begin, begin + j), 1);
        }
        if (ns > 1 && spike != 0) {
            leaf.orm2r(Side.RIGHT, false, false, false, nw, ns - 1, ns - 1, t + 8L, nw, tau, v + nw * 8L, nw);
        }
        outside(top, begin, last, v, nw);
    }

    private void identity(long k, long matrix) {
        leaf.scalMatrix(k, k, 0, 0, matrix, k);
        leaf.fill(k, 1, 0, matrix, k + 1);
    }

    /** What rows and columns first to last are turned by, q of order k, meets what is right of and above them, and the Schur vectors. */
    private void outside(long top, long first, long last, long q, long k) {
        long right = (whole ? n - 1 : lastActive(last)) - last;
        if (right > 0) {
            leaf.gemm(Op.TRANS, Op.NONE, k, right, k, 1, 0, q, k, at(first, last + 1), ldh, 0, 0, outside, k, pack,
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
            leaf.gemm(Op.NONE, Op.NONE, rows, k, k, 1, 0, z + first * ldz * 8L, ldz, q, k, 0, 0, outside, rows, pack,
                    packBytes);
            leaf.copyMatrix(rows, k, outside, rows, z + first * ldz * 8L, ldz);
        }
    }

    /** The last column that eigenvalues alone need. */
    private long end;

    private long lastActive(long last) {
        return Math.max(last, end);
    }

    /** One sweep of shifts over rows top to last; those of the window are at first to last of the eigenvalues. */
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
                leaf.copy(Math.min(k, j + 2), at(first, first + j), 1, t + j * k * 8L, 1);
            }
            long failed = schur.run(false, k, 0, k - 1, t, k, wr + first * 8L, wi + first * 8L, 0, 0, 1);
            first += failed;
            if (first >= last) {
                first = last - 1;
                others(first, top, last);
            }
        }
        sort(first, last);
        if (last - first == 1 && f64(wi + last * 8L) == 0) {
            boolean nearer =
                    Math.abs(f64(wr + last * 8L) - get(last, last)) < Math.abs(f64(wr + first * 8L) - get(last, last));
            f64(wr + (nearer ? first : last) * 8L, f64(wr + (nearer ? last : first) * 8L));
        }
        long count = Math.min(most, last - first + 1) / 2 * 2;
        if (count > 0) {
            chase(top, last, last - count + 1, (int) (count / 2));
        }
    }

    /** Shifts that are no eigenvalues. */
    private void others(long first, long top, long last) {
        long i = last;
        for (; i > Math.max(first, top + 1); i -= 2) {
            double s = Math.abs(get(i, i - 1)) + Math.abs(get(i - 1, i - 2));
            double d = OTHER * s + get(i, i);
            pair.standard(d, s, BESIDE * s, d);
            f64(wr + (i - 1) * 8L, pair.re1);
            f64(wi + (i - 1) * 8L, pair.im1);
            f64(wr + i * 8L, pair.re2);
            f64(wi + i * 8L, pair.im2);
        }
        for (; i >= first; i--) {
            f64(wr + i * 8L, get(i, i));
            f64(wi + i * 8L, 0);
        }
    }

    /** The largest first, and in pairs that are real or conjugate. */
    private void sort(long first, long last) {
        for (long k = first + 1; k <= last; k++) {
            for (long i = k; i > first && size(i) > size(i - 1); i--) {
                swap(i, i - 1);
            }
        }
        for (long i = last; i >= first + 2; i -= 2) {
            if (f64(wi + i * 8L) != -f64(wi + (i - 1) * 8L)) {
                swap(i, i - 1);
                swap(i - 1, i - 2);
            }
        }
    }

    private double size(long i) {
        return Math.abs(f64(wr + i * 8L)) + Math.abs(f64(wi + i * 8L));
    }

    private void swap(long i, long j) {
        double re = f64(wr + i * 8L);
        double im = f64(wi + i * 8L);
        f64(wr + i * 8L, f64(wr + j * 8L));
        f64(wi + i * 8L, f64(wi + j * 8L));
        f64(wr + j * 8L, re);
        f64(wi + j * 8L, im);
    }

    /** Chases bulges of two shifts each from the first row to the last, window by window, three rows apart. */
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
                long goal = stop == last ? last - 1 : stop - 3 - 3 * (long) b;
                long pairOf = shift + 2 * (long) (bulges - 1 - b);
                // What bulges before it have spread over columns of u.
                fromRow = Math.max(0, places[b] + 1 - begin);
                spread = 2 * (long) b + 5;
                while (places[b] < goal) {
                    step(top, last, begin, stop, k, places[b]++, pairOf);
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
        h = outside - (begin + begin * k) * 8L;
        ldh = k;
    }

    private void leave(long begin, long k) {
        h = matrix;
        ldh = ldMatrix;
        leaf.copyMatrix(k, k, outside, k, at(begin, begin), ldh);
    }

    /** One reflector, which takes away what a bulge has in column p, or makes the bulge. */
    private void step(long top, long last, long begin, long stop, long k, long p, long pairOf) {
        boolean three = p + 3 <= last;
        if (p < top) {
            first(top, pairOf);
        } else {
            schur.reflector(get(p + 1, p), get(p + 2, p), three ? get(p + 3, p) : 0);
            f64(at(p + 1, p), schur.beta);
            f64(at(p + 2, p), 0);
            if (three) {
                f64(at(p + 3, p), 0);
            }
        }
        long r = p + 1;
        long below = Math.min(p + 4, last);
        if (three) {
            schur.rows(stop - r + 1, at(r, r), ldh);
            schur.columns(below - begin + 1, at(begin, r), ldh);
            long rowsOfU = Math.min(k, r - begin + spread) - fromRow;
            schur.columns(rowsOfU, u + (fromRow + (r - begin) * k) * 8L, k);
        } else {
            DSchur.onTwoRows(stop - r + 1, at(r, r), ldh, schur.second, schur.tau);
            DSchur.onTwoColumns(below - begin + 1, at(begin, r), ldh, schur.second, schur.tau);
            DSchur.onTwoColumns(k, u + (r - begin) * k * 8L, k, schur.second, schur.tau);
        }
    }

    /** The reflector that begins a bulge: the first column of the product with two shifts. */
    private void first(long top, long shift) {
        double re1 = f64(wr + shift * 8L);
        double im1 = f64(wi + shift * 8L);
        double re2 = f64(wr + (shift + 1) * 8L);
        double im2 = f64(wi + (shift + 1) * 8L);
        double low = get(top + 1, top);
        double less = get(top, top) - re2;
        double s = Math.abs(less) + Math.abs(im2) + Math.abs(low);
        if (s == 0) {
            schur.reflector(0, 0, 0);
            return;
        }
        low /= s;
        double a = low * get(top, top + 1) + (get(top, top) - re1) * (less / s) - im1 * (im2 / s);
        double b = low * (get(top, top) + get(top + 1, top + 1) - re1 - re2);
        double c = low * get(top + 2, top + 1);
        schur.reflector(a, b, c);
    }
}
