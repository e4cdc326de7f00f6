// Reductions in one launch: dot, asum, nrm2, iamax, iamin. A problem is cut into a number of shares that depends on its
// length alone (args.x). Each share has a block, and the last of a grid to finish, or the first of a cluster, combines them; without
// workspace one block computes all shares one after the other. All give the same bits.
#ifndef BASALT_REDUCE_H
#define BASALT_REDUCE_H
#include "blue.h"
#include "cluster.h"
#include "pack.h"

namespace basalt {

static const int SHARES = 264;

enum { DOT, ASUM, NRM2 };

template <typename T, int OP>
struct Partial {
    typedef double Kept;  // in workspace
};
template <typename R>
struct Partial<Complex<R>, DOT> {
    typedef Complex<double> Kept;
};

BASALT_DEVICE double widen(float x) { return x; }
BASALT_DEVICE double widen(double x) { return x; }
template <typename R>
BASALT_DEVICE Complex<double> widen(Complex<R> x) {
    Complex<double> z;
    z.re = x.re;
    z.im = x.im;
    return z;
}
BASALT_DEVICE float narrow(double x, float) { return (float)x; }
BASALT_DEVICE double narrow(double x, double) { return x; }
template <typename R>
BASALT_DEVICE Complex<R> narrow(Complex<double> x, Complex<R>) {
    Complex<R> z;
    z.re = (R)x.re;
    z.im = (R)x.im;
    return z;
}

// One share of a problem, in thread 0. `scratch` holds 99 doubles or 33 complex doubles.
template <typename T, int OP>
struct Share {
    typedef typename Partial<T, OP>::Kept Kept;

    static BASALT_DEVICE Kept of(const Args& args, const T* x, const T* y, int share, Kept* scratch) {
        bool together = args.a.ld == 1 && ((u64)x & 15) == 0 && (OP != DOT || (args.b.ld == 1 && ((u64)y & 15) == 0));
        return together ? sum<true>(args, x, y, share, scratch) : sum<false>(args, x, y, share, scratch);
    }

    template <bool TOGETHER>
    static BASALT_DEVICE Kept sum(const Args& args, const T* x, const T* y, int share, Kept* scratch) {
        i64 step = (i64)args.x * blockDim.x;
        i64 incx = TOGETHER ? 1 : args.a.ld;
        i64 incy = TOGETHER ? 1 : args.b.ld;
        bool c = args.flag;
        // Sums of floats are kept in double: it costs nothing beside the memory.
        Kept s0 = zero<Kept>(), s1 = s0;
        const int E = Pack<T>::count;
        const int AHEAD = OP == DOT ? 4 : 8;  // loads of a vector before their first use
        i64 packs = args.n / E;
        i64 i = (i64)share * blockDim.x + threadIdx.x;
        for (; i + (AHEAD - 1) * step < packs; i += AHEAD * step) {
            Pack<T> v[AHEAD], w[AHEAD];
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                v[u] = loadPack<TOGETHER, true>(x + (i + u * step) * E * incx, incx);
                if (OP == DOT) {
                    w[u] = loadPack<TOGETHER, true>(y + (i + u * step) * E * incy, incy);
                }
            }
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
#pragma unroll
                for (int e = 0; e < E; e++) {
                    add(v[u].v[e], OP == DOT ? w[u].v[e] : v[u].v[e], c, (u * E + e) % 2 == 0 ? s0 : s1);
                }
            }
        }
        for (; i < packs; i += step) {
            Pack<T> v = loadPack<TOGETHER>(x + i * E * incx, incx, E);
            Pack<T> w = OP == DOT ? loadPack<TOGETHER>(y + i * E * incy, incy, E) : v;
#pragma unroll
            for (int e = 0; e < E; e++) {
                add(v.v[e], w.v[e], c, e % 2 == 0 ? s0 : s1);
            }
        }
        i = packs * E + threadIdx.x;
        if (share == 0 && i < args.n) {
            add(x[i * incx], OP == DOT ? y[i * incy] : x[i * incx], c, s0);
        }
        return blockSum(s0 + s1, scratch);
    }
    static BASALT_DEVICE void add(float x, float y, bool, double& s) {
        s += OP == DOT ? (double)x * (double)y : (double)fabsf(x);
    }
    static BASALT_DEVICE void add(double x, double y, bool, double& s) { s += OP == DOT ? x * y : fabs(x); }
    template <typename R>
    static BASALT_DEVICE void add(Complex<R> x, Complex<R> y, bool c, Complex<double>& s) {
        fma(widen(conj(x, c)), widen(y), s);
    }
    template <typename R>
    static BASALT_DEVICE void add(Complex<R> x, Complex<R>, bool, double& s) {
        s += fabs((double)x.re) + fabs((double)x.im);
    }
};

template <typename T>
struct Share<T, NRM2> {
    typedef double Kept;

    static BASALT_DEVICE double of(const Args& args, const T* x, const T*, int share, double* scratch) {
        bool together = args.a.ld == 1 && ((u64)x & 15) == 0;
        return together ? sum<true>(args, x, share, scratch) : sum<false>(args, x, share, scratch);
    }

    template <bool TOGETHER>
    static BASALT_DEVICE double sum(const Args& args, const T* x, int share, double* scratch) {
        i64 step = (i64)args.x * blockDim.x;
        i64 incx = TOGETHER ? 1 : args.a.ld;
        Norm n0 = {0, 0, 0};
        const int E = Pack<T>::count;
        i64 packs = args.n / E;
        i64 i = (i64)share * blockDim.x + threadIdx.x;
        for (; i + 7 * step < packs; i += 8 * step) {
            Pack<T> v[8];
#pragma unroll
            for (int u = 0; u < 8; u++) {
                v[u] = loadPack<TOGETHER, true>(x + (i + u * step) * E * incx, incx);
            }
#pragma unroll
            for (int u = 0; u < 8; u++) {
#pragma unroll
                for (int e = 0; e < E; e++) {
                    add(v[u].v[e], n0);
                }
            }
        }
        for (; i < packs; i += step) {
            Pack<T> v = loadPack<TOGETHER>(x + i * E * incx, incx, E);
#pragma unroll
            for (int e = 0; e < E; e++) {
                add(v.v[e], n0);
            }
        }
        i = packs * E + threadIdx.x;
        if (share == 0 && i < args.n) {
            add(x[i * incx], n0);
        }
        return total(n0, scratch);
    }
    // In thread 0.
    static BASALT_DEVICE double total(Norm n, double* scratch) {
        int warp = threadIdx.x / 32;
        int lane = threadIdx.x % 32;
        n.warp();
        __syncthreads();
        if (lane == 0) {
            scratch[warp] = n.medium;
            scratch[33 + warp] = n.large;
            scratch[66 + warp] = n.small;
        }
        __syncthreads();
        bool there = threadIdx.x < blockDim.x / 32;
        if (warp == 0) {
            n.medium = there ? scratch[lane] : 0;
            n.large = there ? scratch[33 + lane] : 0;
            n.small = there ? scratch[66 + lane] : 0;
            n.warp();
        }
        return n.root();
    }
    static BASALT_DEVICE void add(double x, Norm& n) { n.add(x); }
    // The square of a float can neither overflow nor underflow a double.
    static BASALT_DEVICE void add(float x, Norm& n) { n.medium += (double)x * (double)x; }
    template <typename R>
    static BASALT_DEVICE void add(Complex<R> x, Norm& n) {
        add(x.re, n);
        add(x.im, n);
    }
};

template <typename T, int OP>
struct Total {
    typedef typename Partial<T, OP>::Kept Kept;

    static BASALT_DEVICE Kept of(const Kept* partials, int shares, Kept* scratch) {
        Kept s = zero<Kept>();
        for (int i = threadIdx.x; i < shares; i += blockDim.x) {
            s = s + loadShared(partials + i);
        }
        return blockSum(s, scratch);
    }
};
template <typename T>
struct Total<T, NRM2> {
    static BASALT_DEVICE double of(const double* partials, int shares, double* scratch) {
        Norm n = {0, 0, 0};
        for (int i = threadIdx.x; i < shares; i += blockDim.x) {
            n.add(loadShared(partials + i));
        }
        return Share<T, NRM2>::total(n, scratch);
    }
};

BASALT_DEVICE void keep(void* result, double value, float) { *(float*)result = (float)value; }
BASALT_DEVICE void keep(void* result, double value, double) { *(double*)result = value; }
template <typename R>
BASALT_DEVICE void keep(void* result, double value, Complex<R>) {
    *(R*)result = (R)value;
}
template <typename R>
BASALT_DEVICE void keep(void* result, Complex<double> value, Complex<R> like) {
    *(Complex<R>*)result = narrow(value, like);
}

// Shared memory of a block; of one in a cluster it is dynamic.
template <typename V, int COUNT, bool NEAR>
BASALT_DEVICE V* room() {
    __shared__ V memory[NEAR ? 1 : COUNT];
    return NEAR ? BASALT_DYNAMIC_SHARED(V) : memory;
}

// What a block shows the others of its cluster, the first of which gathers it, or the last one of its grid to come there: where that goes on. Only first threads
// have something.
template <bool NEAR, typename V>
BASALT_DEVICE bool showAll(const Args& args, i64 problem, V mine, V* all, unsigned blocks, int* last) {
    if (threadIdx.x == 0) {
        all[NEAR ? gridDim.x : blockIdx.x] = mine;
    }
    if (!NEAR) {
        return firstArrivesLast(counter(args, problem), blocks, last);
    }
    clusterBarrier();
    if (blockIdx.x == 0 && threadIdx.x < gridDim.x) {
        all[threadIdx.x] = inBlock(all, (int)threadIdx.x)[gridDim.x];
    }
    clusterBarrier();  // nobody leaves while it is read
    return blockIdx.x == 0;
}

// NEAR: the blocks that have shares are a cluster.
template <typename T, int OP, bool NEAR>
BASALT_DEVICE void reduce(const Args& args) {
    typedef typename Partial<T, OP>::Kept Kept;
    const int SCRATCH = OP == NRM2 ? 99 : 33;
    Kept* scratch = room<Kept, SCRATCH + SHARES, NEAR>();
    Kept* parts = scratch + SCRATCH;
    __shared__ int last;
    int shares = args.x;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* x = at<T>(args.a, problem);
        const T* y = OP == DOT ? at<T>(args.b, problem) : 0;
        Kept result;
        if (shares == 1) {
            result = Share<T, OP>::of(args, x, y, 0, scratch);
        } else if (gridDim.x == 1) {
            for (int s = 0; s < shares; s++) {
                Kept part = Share<T, OP>::of(args, x, y, s, scratch);
                if (threadIdx.x == 0) {
                    parts[s] = part;
                }
            }
            __syncthreads();
            result = Total<T, OP>::of(parts, shares, scratch);
        } else {
            Kept* kept = NEAR ? parts : (Kept*)args.work + problem * shares;
            Kept part = zero<Kept>();
            if ((int)blockIdx.x < shares) {
                part = Share<T, OP>::of(args, x, y, blockIdx.x, scratch);
            }
            if (!showAll<NEAR>(args, problem, part, kept, shares, &last)) {
                continue;
            }
            result = Total<T, OP>::of(kept, shares, scratch);
        }
        if (threadIdx.x == 0) {
            keep(at<void>(args.d, problem), result, zero<T>());
        }
        __syncthreads();
    }
}

// ---- index of the largest or smallest

// What is wanted has the largest key; of equal ones the first.
struct Found {
    u64 key;    // 0: nothing yet
    i64 index;  // 0-based, -1 where there is none
};

// NaN counts as larger than all.
template <bool LARGEST>
BASALT_DEVICE u64 keyOf(double magnitude) {
    bool nan = magnitude != magnitude;
    u64 bits = orderedBits(magnitude);
    return LARGEST ? (nan ? ~0ULL : bits + 1) : (nan ? 1 : ~bits);
}

BASALT_DEVICE bool beats(const Found& f, const Found& than) {
    return f.key > than.key || (f.key == than.key && f.index < than.index);
}

// The best of a warp, in each lane: by the upper and the lower half of the key, then by the index, from half to half of which no more lanes
// are left than have the best so far.
BASALT_DEVICE Found warpFind(Found f) {
    bool left = true;
    unsigned words[4];
#pragma unroll
    for (int w = 0; w < 4; w++) {
        unsigned mine = (unsigned)((w < 2 ? f.key : ~(u64)f.index) >> (w % 2 == 0 ? 32 : 0));
        words[w] = warpMost(left ? mine : 0);
        left = left && mine == words[w];
    }
    f.key = (u64)words[0] << 32 | words[1];
    f.index = (i64)~((u64)words[2] << 32 | words[3]);
    return f;
}

// The best of a block, in its first warp.
BASALT_DEVICE Found blockFind(Found f, Found* scratch) {
    int warps = blockDim.x / 32;
    for (int stage = 0; stage < 2; stage++) {
        f = warpFind(f);
        if (warps == 1 || stage == 1) {
            break;
        }
        __syncthreads();
        if (threadIdx.x % 32 == 0) {
            scratch[threadIdx.x / 32] = f;
        }
        __syncthreads();
        if (threadIdx.x >= 32) {
            break;
        }
        f.key = 0;
        f.index = -1;
        if ((int)threadIdx.x < warps) {
            f = scratch[threadIdx.x];
        }
    }
    return f;
}

template <typename T, bool LARGEST, bool NEAR>
BASALT_DEVICE void find(const Args& args) {
    typedef typename Of<T>::Real Real;
    const int EACH = 8;
    const int SCRATCH = 32;
    Found* scratch = room<Found, SCRATCH, NEAR>();
    __shared__ int last;
    i64 step = (i64)gridDim.x * blockDim.x;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* x = at<T>(args.a, problem);
        i64 incx = args.a.ld;
        Found f = {0, -1};
        Real best = 0;
        i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
        for (; i < args.n; i += EACH * step) {
            // All loads before the first use; an element beyond the end is the first one again, which changes nothing.
            Real v[EACH];
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                i64 at = i + u * step < args.n ? i + u * step : i;
                v[u] = magnitude(x[at * incx]);
            }
            // Nearly always none of them wins, so one test for all.
            bool any = f.index < 0;
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                any |= LARGEST ? !(v[u] <= best) : !(v[u] >= best);
            }
            if (any) {
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    u64 key = keyOf<LARGEST>(v[u]);
                    bool better = key > f.key;
                    f.key = better ? key : f.key;
                    f.index = better ? i + u * step : f.index;
                    best = better ? v[u] : best;
                }
            }
        }
        f = blockFind(f, scratch);
        if (gridDim.x > 1) {
            Found* found = NEAR ? scratch + SCRATCH : (Found*)syncScratch(args) + problem * gridDim.x;
            if (!showAll<NEAR>(args, problem, f, found, gridDim.x, &last)) {
                continue;
            }
            f.key = 0;
            f.index = -1;
            for (int b = threadIdx.x; b < (int)gridDim.x; b += blockDim.x) {
                Found g;
                g.key = loadShared(&found[b].key);
                g.index = loadShared(&found[b].index);
                f = beats(g, f) ? g : f;
            }
            f = blockFind(f, scratch);
        }
        if (threadIdx.x == 0) {
            *at<i64>(args.d, problem) = f.index + 1;
        }
        __syncthreads();
    }
}

}  // namespace basalt

#endif
