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

// x := c·x + s·y and y := c·y - s·x, by a block.
template <typename R>
BASALT_DEVICE void turnColumns(i64 n, R c, R s, R* x, R* y) {
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        R a = x[i];
        R b = y[i];
        x[i] = c * a + s * b;
        y[i] = c * b - s * a;
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

// The secular equation of one root, by a warp, as DSecular of the portable kernels has it. Poles and roots may be squares of what is stored.
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

    // Lanes have terms; the bound of the error weighs each by how many sums of either side it is in.
    BASALT_DEVICE R value(R origin, R tau) {
        const int SUMS = 5;
        R sums[SUMS] = {0, 0, 0, 0, 0};
        for (i64 i = threadIdx.x % 32; i < n; i += 32) {
            R t = z[i] / (from(i, origin) - tau);
            R term = z[i] * t;
            bool before = i <= p;
            sums[0] += before ? term : (R)0;
            sums[1] += before ? t * t : (R)0;
            sums[2] += before ? (R)0 : term;
            sums[3] += before ? (R)0 : t * t;
            sums[4] += absolute(term) * (R)(before ? p + 1 - i : i - p);
        }
        for (int mask = 16; mask > 0; mask >>= 1) {
#pragma unroll
            for (int u = 0; u < SUMS; u++) {
                sums[u] += shuffleXor(sums[u], mask);
            }
        }
        left = sums[0];
        leftSlope = sums[1];
        right = sums[2];
        rightSlope = sums[3];
        error = 8 * (absolute(left) + absolute(right)) + sums[4] + inverse + absolute(tau) * (leftSlope + rightSlope);
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

    static BASALT_DEVICE void tell(R* to, i64 i, R v) {
        if (threadIdx.x % 32 == 0) {
            to[i] = v;
        }
    }

    BASALT_DEVICE bool solve(i64 j, R rho, R* delta, R* lambda) {
        R dj = d[j];
        if (n == 1) {
            tell(delta, 0, -rho * z[0] * z[0]);
            tell(lambda, 0, rootAt(dj, rho * z[0] * z[0]));
            return true;
        }
        bool last = j == n - 1;
        p = last ? j - 1 : j;
        R squares = 0;
        for (i64 i = threadIdx.x % 32; last && i < n; i += 32) {
            squares += z[i] * z[i];
        }
        squares = warpSum(squares);
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
        for (i64 i = threadIdx.x % 32; i < n; i += 32) {
            delta[i] = from(i, origin) - tau;
        }
        tell(lambda, 0, rootAt(origin, tau));
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

// All roots of a merge, a warp each.
template <typename R, bool SQUARED>
BASALT_DEVICE void solveRoots(const Args& args, i64 problem, const Merge<R>& g, R rho) {
    Secular<R, SQUARED> s;
    s.n = g.counts[0];
    s.d = g.number(1);
    s.z = g.number(2);
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < s.n; j += warps) {
        if (!s.solve(j, rho, g.column(j), g.number(3) + j) && threadIdx.x % 32 == 0) {
            missed(args, problem, 1);
        }
    }
}

// The elements of z that have exactly these roots: 32 of them by a block, whose warps share the factors of each.
template <typename R, bool SQUARED>
BASALT_DEVICE void findWeights(const Merge<R>& g, R* products) {
    i64 count = g.counts[0];
    const R* poles = g.number(1);
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    for (i64 first = (i64)blockIdx.x * 32; first < count; first += (i64)gridDim.x * 32) {
        i64 i = first + lane;
        R own = i < count ? poles[i] : (R)0;
        R w = 1;
        for (i64 j = warp; j < count; j += warps) {
            if (i < count) {
                R apart = SQUARED ? (own - poles[j]) * (own + poles[j]) : own - poles[j];
                w = w * (j == i ? g.column(j)[i] : g.column(j)[i] / apart);
            }
        }
        products[threadIdx.x] = w;
        __syncthreads();
        if (warp == 0 && i < count) {
            for (int v = 1; v < warps; v++) {
                w = w * products[v * 32 + lane];
            }
            g.number(4)[i] = withSign(root(absolute(w)), g.number(2)[i]);
        }
        __syncthreads();
    }
}

}  // namespace basalt
#endif
