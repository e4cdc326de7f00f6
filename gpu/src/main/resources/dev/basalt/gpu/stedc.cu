// Divide and conquer for symmetric tridiagonal matrices, step by step as the portable kernels say: what one launch tells the next lies where they put it. In y are the leaves
// or merges of a level, in x what is independent inside them.
#include "deflate.h"

namespace basalt {

template <typename R>
BASALT_DEVICE void split(const Args& args) {
    __shared__ R parts[32];
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* q = at<R>(args.c, problem);
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += (i64)gridDim.x * blockDim.x) {
            q[i % n + i / n * args.c.ld] = 0;
        }
        if (blockIdx.x != 0) {
            continue;
        }
        R* d = at<R>(args.a, problem);
        R* e = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        R largest = 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            largest = most(largest, most(absolute(d[i]), i + 1 < n ? absolute(e[i]) : (R)0));
        }
        largest = ofBlock(largest, false, parts);
        bool plain = largest == 0 || !(largest * 0 == 0);
        int scale = plain ? 0 : exponentOf(largest);
        if (threadIdx.x == 0) {
            at<i64>(args.f, problem)[6 * n + 15] = scale;
        }
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            d[i] = scaled(d[i], -scale);
            if (i + 1 < n) {
                e[i] = scaled(e[i], -scale);
            }
        }
        __syncthreads();
        // A leaf may be one row, whose element two of them change.
        for (int odd = 1; odd >= 0; odd--) {
            for (i64 i = 2 * (i64)threadIdx.x + 2 - odd; i < (i64)1 << args.k; i += 2 * (i64)blockDim.x) {
                i64 at = beginOf(n, i, args.k);
                R rho = absolute(e[at - 1]);
                d[at - 1] -= rho;
                d[at] -= rho;
            }
            __syncthreads();
        }
    }
}

template <typename R>
BASALT_DEVICE void leaves(const Args& args) {
    const int MOST = 33;
    __shared__ Part part;
    __shared__ i64 result;
    __shared__ R columns[MOST * MOST];
    __shared__ R diagonal[MOST];
    __shared__ R beside[MOST];
    __shared__ R turns[2 * MOST];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        i64* ints = at<i64>(args.f, problem);
        R* e = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        for (i64 i = blockIdx.x; i < (i64)1 << args.k; i += gridDim.x) {
            i64 first = beginOf(args.n, i, args.k);
            i64 m = beginOf(args.n, i + 1, args.k) - first;
            R* d = at<R>(args.a, problem) + first;
            R* q = at<R>(args.c, problem) + first * (1 + args.c.ld);
            bool shared = m <= MOST;
            R* z = shared ? columns : q;
            i64 ldz = shared ? m : args.c.ld;
            for (i64 l = threadIdx.x; l < m * m; l += blockDim.x) {
                z[l % m + l / m * ldz] = l / m == l % m ? 1 : 0;
            }
            for (i64 j = threadIdx.x; j < m; j += blockDim.x) {
                ints[first + j] = j;
                if (shared) {
                    diagonal[j] = d[j];
                    beside[j] = j + 1 < m ? e[first + j] : (R)0;
                }
            }
            __syncthreads();
            R* w = shared ? turns : at<R>(args.g, problem) + 2 * (args.n + first);
            i64 count = steqr(m, shared ? diagonal : d, shared ? beside : e + first, m, z, ldz, w, &part, &result);
            for (i64 l = threadIdx.x; shared && l < m * m; l += blockDim.x) {
                q[l % m + l / m * args.c.ld] = columns[l];
            }
            for (i64 j = threadIdx.x; shared && j < m; j += blockDim.x) {
                d[j] = diagonal[j];
                if (j + 1 < m) {
                    e[first + j] = beside[j];
                }
            }
            if (threadIdx.x == 0) {
                missed(args, problem, count);
            }
            __syncthreads();
        }
    }
}

// One block a merge.
template <typename R>
BASALT_DEVICE void deflate(const Args& args) {
    __shared__ int scratch[32];
    __shared__ R parts[32];
    __shared__ Turned<R> turned;
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
        const i64* sorted = g.word(0);
        R rho = g.e[g.middle - 1];
        R sign = rho < 0 ? -1 : 1;
        R half = root((R)0.5);
        R large = 0;
        for (i64 j = threadIdx.x; j < all; j += blockDim.x) {
            R v = g.q[(j < n1 ? g.middle - 1 : g.middle) + (g.first + j) * g.ldq] * half;
            z[j] = j < n1 ? v : sign * v;
            g.word(2)[j] = j < n1 ? 1 : 3;
            order[j] = j;
            large = most(large, most(absolute(v), absolute(d[j])));
        }
        large = ofBlock(large, false, parts);
        __syncthreads();
        mergeLists(d, n1, all - n1, [&](i64 i) { return sorted[i]; }, [&](i64 i) { return n1 + sorted[n1 + i]; },
                   [&](i64 at, i64 j) { order[at] = j; });
        rho = 2 * absolute(rho);
        if (threadIdx.x == 0) {
            *g.number(6) = rho;
        }
        __syncthreads();
        Deflation<R> deflation = {g, d, 8 * unit(large) * large, &turned, scratch};
        deflation.run(0, all, rho, 0, [&](const Turned<R>& t) { turnColumns(all, t.cosine, t.sine, g.column(t.left), g.column(t.right)); });
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

template <typename R>
BASALT_DEVICE void secular(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
            solveRoots<R, false>(args, problem, g, *g.number(6));
        }
    }
}

template <typename R>
BASALT_DEVICE void weights(const Args& args) {
    __shared__ R products[256];
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            findWeights<R, false>(mergeOf<R>(args, problem, blockIdx.y), products);
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
        if (blockIdx.x == 0) {
            i64* sorted = g.word(0);
            for (i64 at = threadIdx.x; at < all; at += blockDim.x) {
                sorted[at] = at;
            }
            __syncthreads();
            mergeLists(d, count, all - count, [&](i64 i) { return i; }, [&](i64 i) { return count + i; },
                       [&](i64 at, i64 j) { sorted[at] = j; });
        }
        __syncthreads();
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
