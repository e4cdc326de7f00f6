// Divide and conquer for symmetric tridiagonal matrices, step by step as the portable kernels say: what one launch tells the next lies where they put it. In y are the leaves
// or merges of a level, in x what is independent inside them.
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

template <typename R>
BASALT_DEVICE void split(const Args& args) {
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* q = at<R>(args.c, problem);
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += (i64)gridDim.x * blockDim.x) {
            q[i % n + i / n * args.c.ld] = 0;
        }
        if (blockIdx.x != 0 || threadIdx.x != 0) {
            continue;
        }
        R* d = at<R>(args.a, problem);
        R* e = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        R largest = largestOf(n, d, e);
        bool plain = largest == 0 || !(largest * 0 == 0);
        int scale = plain ? 0 : exponentOf(largest);
        at<i64>(args.f, problem)[6 * n + 15] = scale;
        for (i64 i = 0; i < n; i++) {
            d[i] = scaled(d[i], -scale);
            if (i + 1 < n) {
                e[i] = scaled(e[i], -scale);
            }
        }
        for (i64 i = 1; i < (i64)1 << args.k; i++) {
            i64 at = beginOf(n, i, args.k);
            R rho = absolute(e[at - 1]);
            d[at - 1] -= rho;
            d[at] -= rho;
        }
    }
}

template <typename R>
BASALT_DEVICE void leaves(const Args& args) {
    __shared__ Part part;
    __shared__ i64 result;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* reals = at<R>(args.g, problem);
        i64* ints = at<i64>(args.f, problem);
        R* e = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        for (i64 i = blockIdx.x; i < (i64)1 << args.k; i += gridDim.x) {
            i64 first = beginOf(args.n, i, args.k);
            i64 m = beginOf(args.n, i + 1, args.k) - first;
            R* q = at<R>(args.c, problem) + first * (1 + args.c.ld);
            for (i64 j = threadIdx.x; j < m; j += blockDim.x) {
                q[j * (1 + args.c.ld)] = 1;
                ints[first + j] = j;
            }
            __syncthreads();
            i64 count = steqr(m, at<R>(args.a, problem) + first, e + first, m, q, args.c.ld, reals + 2 * (args.n + first),
                              &part, &result);
            if (threadIdx.x == 0) {
                missed(args, problem, count);
            }
            __syncthreads();
        }
    }
}

// One block a merge: a thread decides, rotations are applied by all.
template <typename R>
BASALT_DEVICE void deflate(const Args& args) {
    __shared__ i64 left;
    __shared__ i64 right;
    __shared__ R cosine;
    __shared__ R sine;
    __shared__ i64 place;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        i64 n1 = g.middle - g.first;
        i64 all = g.end - g.first;
        R* d = g.d + g.first;
        R* z = g.number(0);
        i64* order = g.word(1);
        i64* kinds = g.word(2);
        i64* aside = g.word(3);
        i64* kept = g.word(4);
        i64* sorted = g.word(0);
        R rho = g.e[g.middle - 1];
        R sign = rho < 0 ? -1 : 1;
        R half = root((R)0.5);
        for (i64 j = threadIdx.x; j < all; j += blockDim.x) {
            R v = g.q[(j < n1 ? g.middle - 1 : g.middle) + (g.first + j) * g.ldq] * half;
            z[j] = j < n1 ? v : sign * v;
            kinds[j] = j < n1 ? 1 : 3;
        }
        __syncthreads();
        R least = 0;
        i64 count = 0;
        i64 set = 0;
        i64 before = -1;
        rho = 2 * absolute(rho);
        if (threadIdx.x == 0) {
            i64 i = 0;
            i64 j = n1;
            R large = 0;
            for (i64 at = 0; at < all; at++) {
                i64 x = i < n1 ? sorted[i] : 0;
                i64 y = j < all ? n1 + sorted[j] : 0;
                bool first = j == all || (i < n1 && d[x] <= d[y]);
                order[at] = first ? x : y;
                i += first ? 1 : 0;
                j += first ? 0 : 1;
                large = most(large, most(absolute(z[at]), absolute(d[at])));
            }
            least = 8 * unit(large) * large;
            *g.number(6) = rho;
            place = 0;
        }
        __syncthreads();
        bool more = true;
        while (more) {
            if (threadIdx.x == 0) {
                left = -1;
                i64 at = place;
                for (; at < all && left < 0; at++) {
                    i64 j = order[at];
                    if (rho * absolute(z[j]) <= least) {
                        kinds[j] = 4;
                        aside[set++] = j;
                        continue;
                    }
                    if (before >= 0) {
                        R s = z[before];
                        R c = z[j];
                        R di = d[before];
                        R dj = d[j];
                        R length = root(c * c + s * s);
                        c /= length;
                        s = -s / length;
                        if (absolute((dj - di) * c * s) <= least) {
                            z[j] = length;
                            z[before] = 0;
                            if (kinds[before] != kinds[j]) {
                                kinds[j] = 2;
                            }
                            kinds[before] = 4;
                            d[before] = di * c * c + dj * s * s;
                            d[j] = di * s * s + dj * c * c;
                            aside[set++] = before;
                            left = before;
                            right = j;
                            cosine = c;
                            sine = s;
                        } else {
                            g.number(1)[count] = di;
                            g.number(2)[count] = z[before];
                            kept[count++] = before;
                        }
                    }
                    before = j;
                }
                place = at;
            }
            __syncthreads();
            if (left >= 0) {
                R* x = g.column(left);
                R* y = g.column(right);
                for (i64 i = threadIdx.x; i < all; i += blockDim.x) {
                    R u = x[i];
                    R v = y[i];
                    x[i] = cosine * u + sine * v;
                    y[i] = cosine * v - sine * u;
                }
            }
            more = place < all;
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            R* poles = g.number(1);
            if (before >= 0) {
                poles[count] = d[before];
                g.number(2)[count] = z[before];
                kept[count++] = before;
            }
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
            i64 pieces = (all + PIECE - 1) / PIECE;
            for (i64 i = 0; i < pieces; i++) {
                bool some = i * PIECE < count;
                g.counts[3 + i] = some ? g.counts[2] : 0;
                g.counts[3 + pieces + i] = some ? count - g.counts[1] : 0;
            }
        }
        __syncthreads();
    }
}

// A warp a column.
template <typename R>
BASALT_DEVICE void copyColumn(i64 n, const R* x, R* y) {
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        y[i] = x[i];
    }
}

template <typename R>
BASALT_DEVICE void gather(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
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
}

// The secular equation of one root, as DSecular of the portable kernels has it.
template <typename R>
struct Secular {
    i64 n, p;
    const R* d;
    const R* z;
    R inverse, left, right, leftSlope, rightSlope, error, low, high;

    BASALT_DEVICE bool inside(R root) const { return root > low && root < high; }

    BASALT_DEVICE R middle() const { return low == 0 ? high / 16 : high == 0 ? low / 16 : (low + high) / 2; }

    BASALT_DEVICE R value(R origin, R tau) {
        R sum = 0;
        R slope = 0;
        R partial = 0;
        for (i64 i = 0; i <= p; i++) {
            R t = z[i] / (d[i] - origin - tau);
            sum += z[i] * t;
            slope += t * t;
            partial += absolute(sum);
        }
        left = sum;
        leftSlope = slope;
        sum = 0;
        slope = 0;
        for (i64 i = n - 1; i > p; i--) {
            R t = z[i] / (d[i] - origin - tau);
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
        R a = d[p] - origin;
        R b = d[p + 1] - origin;
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

    BASALT_DEVICE bool solve(i64 j, R rho, R* delta, R* lambda) {
        R dj = d[j];
        if (n == 1) {
            delta[0] = -rho * z[0] * z[0];
            *lambda = dj + rho * z[0] * z[0];
            return true;
        }
        bool last = j == n - 1;
        p = last ? j - 1 : j;
        R dp = d[p];
        R dq = d[p + 1];
        R squares = 0;
        for (i64 i = 0; last && i < n; i++) {
            squares += z[i] * z[i];
        }
        R gap = last ? rho * squares : dq - dp;
        R origin = dj;
        low = 0;
        high = gap;
        inverse = 1 / rho;
        R start = gap / 2;
        R f = value(origin, start);
        if (f <= 0 && !last) {
            origin = dq;
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
                tau = next(f, tau, dp - origin - tau, dq - origin - tau, slow && step % 3 == 2);
            }
        }
        for (i64 i = 0; i < n; i++) {
            delta[i] = d[i] - origin - tau;
        }
        *lambda = origin + tau;
        return done;
    }
};

// A thread a root: all of them read the same poles at the same time.
template <typename R>
BASALT_DEVICE void secular(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        Secular<R> s;
        s.n = g.counts[0];
        s.d = g.number(1);
        s.z = g.number(2);
        R rho = *g.number(6);
        for (i64 j = (i64)blockIdx.x * blockDim.x + threadIdx.x; j < s.n; j += (i64)gridDim.x * blockDim.x) {
            if (!s.solve(j, rho, g.column(j), g.number(3) + j)) {
                missed(args, problem, 1);
            }
        }
    }
}

// A thread an element.
template <typename R>
BASALT_DEVICE void weights(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        i64 count = g.counts[0];
        const R* poles = g.number(1);
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (i64)gridDim.x * blockDim.x) {
            R w = g.column(i)[i];
            R own = poles[i];
            for (i64 j = 0; j < count; j++) {
                if (j != i) {
                    w = w * (g.column(j)[i] / (own - poles[j]));
                }
            }
            g.number(4)[i] = withSign(root(absolute(w)), g.number(2)[i]);
        }
    }
}

// A warp a vector.
template <typename R>
BASALT_DEVICE void vectors(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        i64 count = g.counts[0];
        i64 top = g.counts[1];
        i64 both = g.counts[2];
        int lane = threadIdx.x % 32;
        const R* z = g.number(4);
        const i64* places = g.word(3);
        i64 warps = (i64)gridDim.x * (blockDim.x / 32);
        for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < count; j += warps) {
            R* v = g.column(j);
            R sum = 0;
            for (i64 i = lane; i < count; i += 32) {
                R x = z[i] / v[i];
                v[i] = x;
                sum += x * x;
            }
            R size = root(warpSum(sum));
            R* up = g.upper(j);
            R* down = g.lower(j);
            for (i64 at = lane; at < count; at += 32) {
                R x = v[places[at]] / size;
                if (at < both) {
                    up[at] = x;
                }
                if (at >= top) {
                    down[at - top] = x;
                }
            }
        }
    }
}

template <typename R>
BASALT_DEVICE void join(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        i64 n1 = g.middle - g.first;
        i64 all = g.end - g.first;
        i64 count = g.counts[0];
        i64 warps = (i64)gridDim.x * (blockDim.x / 32);
        for (i64 j = count + (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < all; j += warps) {
            copyColumn(n1, g.upper(j), g.column(j));
            copyColumn(all - n1, g.lower(j), g.column(j) + n1);
        }
        R* d = g.d + g.first;
        for (i64 j = threadIdx.x; j < all && blockIdx.x == 0; j += blockDim.x) {
            d[j] = g.number(j < count ? 3 : 1)[j];
        }
        __syncthreads();
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            i64 i = 0;
            i64 j = count;
            for (i64 at = 0; at < all; at++) {
                bool first = j == all || (i < count && d[i] <= d[j]);
                g.word(0)[at] = first ? i : j;
                i += first ? 1 : 0;
                j += first ? 0 : 1;
            }
        }
    }
}

// The blocks of x have the columns; one thread of the first one, and none before, would have the eigenvalues: they go to scratch first.
template <typename R>
BASALT_DEVICE void sort(const Args& args) {
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* d = at<R>(args.a, problem);
        R* reals = at<R>(args.g, problem);
        const i64* ints = at<i64>(args.f, problem);
        int scale = (int)ints[6 * n + 15];
        i64 warps = (i64)gridDim.x * (blockDim.x / 32);
        for (i64 i = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; i < n; i += warps) {
            copyColumn(n, at<R>(args.c, problem) + ints[i] * args.c.ld, at<R>(args.d, problem) + i * n);
        }
        if (blockIdx.x == 0) {
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                reals[i] = scaled(d[ints[i]], scale);
            }
            __syncthreads();
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                d[i] = reals[i];
            }
        }
    }
}

template <typename R>
BASALT_DEVICE void valuesAlone(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || threadIdx.x != 0) {
            continue;
        }
        missed(args, problem, sterf(args.n, at<R>(args.a, problem), args.b.base == 0 ? (R*)0 : at<R>(args.b, problem)));
    }
}

template <typename R>
BASALT_DEVICE void withVectors(const Args& args) {
    __shared__ Part part;
    __shared__ i64 result;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        i64 count = steqr(args.n, at<R>(args.a, problem), args.b.base == 0 ? (R*)0 : at<R>(args.b, problem), args.m,
                          at<R>(args.c, problem), args.c.ld, at<R>(args.f, problem), &part, &result);
        if (threadIdx.x == 0) {
            missed(args, problem, count);
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define STEDC(t, T)                                                        \
    BASALT_KERNEL(basalt_sterf_##t) { basalt::valuesAlone<T>(args); }          \
    BASALT_KERNEL(basalt_steqr_##t) { basalt::withVectors<T>(args); }          \
    BASALT_KERNEL(basalt_stedc_split_##t) { basalt::split<T>(args); }          \
    BASALT_KERNEL(basalt_stedc_leaves_##t) { basalt::leaves<T>(args); }        \
    BASALT_KERNEL(basalt_stedc_deflate_##t) { basalt::deflate<T>(args); }      \
    BASALT_KERNEL(basalt_stedc_gather_##t) { basalt::gather<T>(args); }        \
    BASALT_KERNEL(basalt_stedc_secular_##t) { basalt::secular<T>(args); }      \
    BASALT_KERNEL(basalt_stedc_weights_##t) { basalt::weights<T>(args); }      \
    BASALT_KERNEL(basalt_stedc_vectors_##t) { basalt::vectors<T>(args); }      \
    BASALT_KERNEL(basalt_stedc_join_##t) { basalt::join<T>(args); }            \
    BASALT_KERNEL(basalt_stedc_sort_##t) { basalt::sort<T>(args); }
BASALT_S(STEDC)
BASALT_D(STEDC)
