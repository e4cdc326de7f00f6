// Merges of divide and conquer, for symmetric tridiagonal matrices and for bidiagonal ones: where they are in memory, their secular equation, and how columns move.
#ifndef BASALT_MERGE_H
#define BASALT_MERGE_H
#include "steqr.h"

namespace basalt {

enum { PIECE = 256 };

// One problem's memory, and where a merge lies in it.
template <typename R>
struct Merge {
    i64 n, first, middle, end, ldq;
    R *d, *e, *q, *s, *reals, *halves;
    i64 *ints, *counts;

    BASALT_DEVICE i64* word(i64 kind) const { return ints + kind * n + first; }
    BASALT_DEVICE R* number(i64 kind) const { return reals + kind * n + first; }
    BASALT_DEVICE R* column(i64 j) const { return q + first + (first + j) * ldq; }
    BASALT_DEVICE R* upper(i64 j) const { return s + first * n + j * (middle - first); }
    BASALT_DEVICE R* lower(i64 j) const {
        return s + first * n + (end - first) * (middle - first) + j * (end - middle);
    }
};

BASALT_DEVICE i64 beginOf(i64 n, i64 i, i64 k) { return i * n >> k; }
BASALT_DEVICE i64 halfOf(i64 n, i64 k, i64 level) { return (n + ((i64)1 << (k - level)) - 1) >> (k - level); }

template <typename R>
BASALT_DEVICE Merge<R> mergeOf(const Args& args, i64 problem, i64 i) {
    Merge<R> g;
    g.n = args.n;
    g.d = at<R>(args.a, problem);
    g.e = args.b.base == 0 ? 0 : at<R>(args.b, problem);
    g.q = at<R>(args.c, problem);
    g.ldq = args.c.ld;
    g.s = at<R>(args.d, problem);
    g.ints = at<i64>(args.f, problem);
    g.reals = at<R>(args.g, problem);
    i64 half = halfOf(args.n, args.k, args.q);
    g.first = beginOf(args.n, (2 * i) << args.q, args.k);
    g.middle = beginOf(args.n, (2 * i + 1) << args.q, args.k);
    g.end = beginOf(args.n, (2 * i + 2) << args.q, args.k);
    g.halves = g.s + args.n * args.n + g.first * half;
    g.counts = g.ints + 5 * args.n + i * (3 + 2 * ((2 * half + PIECE - 1) / PIECE));
    return g;
}

BASALT_DEVICE void missed(const Args& args, i64 problem, i64 count) {
    if (count != 0) {
        atomicAdd((unsigned*)at<int>(args.e, problem), (unsigned)count);
    }
}

// A warp a column.
template <typename R>
BASALT_DEVICE void copyColumn(i64 n, const R* x, R* y) {
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        y[i] = x[i];
    }
}

// Columns to where products read them, and those set aside behind the new ones.
template <typename R>
BASALT_DEVICE void gatherColumns(const Merge<R>& g) {
    i64 n1 = g.middle - g.first;
    i64 n2 = g.end - g.middle;
    i64 count = g.counts[0];
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < n1 + n2; j += warps) {
        const R* from = g.column(g.word(1)[j < count ? g.word(3)[j] : j]);
        if (j >= count) {
            copyColumn(n1, from, g.upper(j));
            copyColumn(n2, from + n1, g.lower(j));
            continue;
        }
        if (j < g.counts[2]) {
            copyColumn(n1, from, g.halves + j * n1);
        }
        if (j >= g.counts[1]) {
            copyColumn(n2, from + n1, g.halves + n1 * n1 + (j - g.counts[1]) * n2);
        }
    }
}

// The secular equation of one root, as DSecular of the portable kernels has it. Poles and roots may be squares of what is stored.
template <typename R, bool SQUARED>
struct Secular {
    i64 n, p;
    const R* d;
    const R* z;
    R inverse, left, right, leftSlope, rightSlope, error, low, high;

    // Pole i less another.
    BASALT_DEVICE R from(i64 i, R origin) const {
        return SQUARED ? (d[i] - origin) * (d[i] + origin) : d[i] - origin;
    }

    BASALT_DEVICE bool inside(R root) const { return root > low && root < high; }

    BASALT_DEVICE R middle() const { return low == 0 ? high / 16 : high == 0 ? low / 16 : (low + high) / 2; }

    BASALT_DEVICE R value(R origin, R tau) {
        R sum = 0;
        R slope = 0;
        R partial = 0;
        for (i64 i = 0; i <= p; i++) {
            R t = z[i] / (from(i, origin) - tau);
            sum += z[i] * t;
            slope += t * t;
            partial += absolute(sum);
        }
        left = sum;
        leftSlope = slope;
        sum = 0;
        slope = 0;
        for (i64 i = n - 1; i > p; i--) {
            R t = z[i] / (from(i, origin) - tau);
            sum += z[i] * t;
            slope += t * t;
            partial += absolute(sum);
        }
        right = sum;
        rightSlope = slope;
        error = 8 * (absolute(left) + absolute(right)) + partial + inverse + absolute(tau) * (leftSlope + rightSlope);
        return inverse + left + right;
    }

    BASALT_DEVICE R quadratic(R c, R a, R b, R from) const {
        R discriminant = most((R)0, a * a - 4 * b * c);
        R sum = a + withSign(root(discriminant), a);
        R near = from + 2 * b / sum;
        R far = from + sum / (2 * c);
        return inside(near) ? near : far;
    }

    BASALT_DEVICE R guess(R f, R start, R origin) const {
        R a = from(p, origin);
        R b = from(p + 1, origin);
        R u = z[p] * z[p];
        R v = z[p + 1] * z[p + 1];
        R c = f - u / (a - start) - v / (b - start);
        R root = quadratic(c, c * (a + b) + u + v, c * a * b + u * b + v * a, 0);
        return inside(root) ? root : (low + high) / 2;
    }

    BASALT_DEVICE R next(R f, R tau, R a, R b, bool halve) const {
        if (halve) {
            return middle();
        }
        R c = f - a * leftSlope - b * rightSlope;
        R root = quadratic(c, (a + b) * f - a * b * (leftSlope + rightSlope), a * b * f, tau);
        if (inside(root)) {
            return root;
        }
        root = tau - f / (leftSlope + rightSlope);
        return inside(root) ? root : middle();
    }

    // The root that is tau from a pole, or the square root of what is that far from its square.
    BASALT_DEVICE R rootAt(R pole, R tau) const {
        if (!SQUARED) {
            return pole + tau;
        }
        R value = root(pole * pole + tau);
        return pole == 0 ? value : pole + tau / (pole + value);
    }

    BASALT_DEVICE bool solve(i64 j, R rho, R* delta, R* lambda) {
        R dj = d[j];
        if (n == 1) {
            delta[0] = -rho * z[0] * z[0];
            *lambda = rootAt(dj, rho * z[0] * z[0]);
            return true;
        }
        bool last = j == n - 1;
        p = last ? j - 1 : j;
        R squares = 0;
        for (i64 i = 0; last && i < n; i++) {
            squares += z[i] * z[i];
        }
        R gap = last ? rho * squares : from(p + 1, dj);
        R origin = dj;
        low = 0;
        high = gap;
        inverse = 1 / rho;
        R start = gap / 2;
        R f = value(origin, start);
        if (f <= 0 && !last) {
            origin = d[p + 1];
            low = -gap / 2;
            high = 0;
            start = low;
        } else if (f <= 0) {
            low = start;
        } else {
            high = start;
        }
        R tau = guess(f, start, origin);
        bool done = false;
        R before = 0;
        for (int step = 0; step < 80 && !done && f == f; step++) {
            f = value(origin, tau);
            if (f < 0) {
                low = tau;
            } else {
                high = tau;
            }
            done = absolute(f) <= unit(f) * error || high - low <= 2 * unit(f) * most(absolute(low), absolute(high));
            if (!done) {
                bool slow = step > 0 && absolute(f) > before / 4;
                before = absolute(f);
                tau = next(f, tau, from(p, origin) - tau, from(p + 1, origin) - tau, slow && step % 3 == 2);
            }
        }
        for (i64 i = 0; i < n; i++) {
            delta[i] = from(i, origin) - tau;
        }
        *lambda = rootAt(origin, tau);
        return done;
    }
};

// Columns set aside come back behind the new ones.
template <typename R>
BASALT_DEVICE void columnsBack(const Merge<R>& g) {
    i64 n1 = g.middle - g.first;
    i64 all = g.end - g.first;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    for (i64 j = g.counts[0] + (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < all; j += warps) {
        copyColumn(n1, g.upper(j), g.column(j));
        copyColumn(all - n1, g.lower(j), g.column(j) + n1);
    }
}

// By one thread: what is set aside behind the columns that are kept, in rising order of their values; then columns by their kind, the counts, and how deep products are.
template <typename R>
BASALT_DEVICE void sortKinds(const Merge<R>& g, const R* d, i64 count, i64 set) {
    R* poles = g.number(1);
    i64* order = g.word(1);
    i64* kinds = g.word(2);
    i64* aside = g.word(3);
    const i64* kept = g.word(4);
    for (i64 i = 0; i < count; i++) {
        order[i] = kept[i];
    }
    for (i64 i = 0; i < set; i++) {
        i64 j = aside[i];
        R v = d[j];
        i64 at = count + i;
        for (; at > count && poles[at - 1] > v; at--) {
            poles[at] = poles[at - 1];
            order[at] = order[at - 1];
        }
        poles[at] = v;
        order[at] = j;
    }
    i64 at = 0;
    for (int kind = 1; kind <= 3; kind++) {
        for (i64 i = 0; i < count; i++) {
            if (kinds[order[i]] == kind) {
                aside[at++] = i;
            }
        }
        g.counts[kind == 3 ? 0 : kind] = at;
    }
    i64 pieces = (g.end - g.first + PIECE - 1) / PIECE;
    for (i64 i = 0; i < pieces; i++) {
        bool some = i * PIECE < count;
        g.counts[3 + i] = some ? g.counts[2] : 0;
        g.counts[3 + pieces + i] = some ? count - g.counts[1] : 0;
    }
}

}  // namespace basalt
#endif
