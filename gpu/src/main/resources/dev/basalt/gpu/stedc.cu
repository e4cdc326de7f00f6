// Divide and conquer for symmetric tridiagonal matrices, step by step as the portable kernels say: what one launch tells the next lies where they put it. In y are the leaves
// or merges of a level, in x what is independent inside them.
#include "merge.h"

namespace basalt {

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
            if (before >= 0) {
                g.number(1)[count] = d[before];
                g.number(2)[count] = z[before];
                kept[count++] = before;
            }
            sortKinds(g, d, count, set);
        }
        __syncthreads();
    }
}

template <typename R>
BASALT_DEVICE void gather(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            gatherColumns(mergeOf<R>(args, problem, blockIdx.y));
        }
    }
}

// A thread a root: all of them read the same poles at the same time.
template <typename R>
BASALT_DEVICE void secular(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        Secular<R, false> s;
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
        i64 all = g.end - g.first;
        i64 count = g.counts[0];
        columnsBack(g);
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
