// Reflectors whose ones lie apart from their other elements: a triangle on top of a matrix, trapezoids, and single ones.
#include "reflect.h"

namespace basalt {

// A number that only the device knows, kept between 0 and a limit; the limit where there is none.
BASALT_DEVICE i64 knownToDevice(const Args& args, i64 problem, i64 most) {
    if (args.f.base == 0) {
        return most;
    }
    i64 n = *at<i64>(args.f, problem);
    return n < 0 ? 0 : n < most ? n : most;
}

// A warp applies a reflector with n elements at v to a line: its element at `top`, and those at y. f is the factor. With `column` that is
// itself - f·v·(vᴴ·itself), else itself - (itself·v)·f·vᴴ.
template <typename T>
BASALT_DEVICE void lineApart(bool column, T f, i64 n, const T* v, i64 dv, T* top, T* y, i64 dy) {
    int lane = threadIdx.x % 32;
    T sum = lane == 0 ? *top : zero<T>();
    for (i64 i = lane; i < n; i += 32) {
        fma(conj(v[i * dv], column), y[i * dy], sum);
    }
    sum = -(f * warpSum(sum));
    if (lane == 0) {
        *top = *top + sum;
    }
    for (i64 i = lane; i < n; i += 32) {
        fma(sum, conj(v[i * dv], !column), y[i * dy]);
    }
}

// One block a problem, a warp for each of the columns that a reflector changes. x: reflectors end as conjugates; y: from the last column on.
template <typename T>
BASALT_DEVICE void tpqrt2(const Args& args) {
    __shared__ typename Of<T>::Real scratch[33];
    int warps = blockDim.x / 32;
    bool rows = args.opB != NONE;
    bool apart = args.b.base != 0;
    i64 ldb = apart ? args.b.ld : args.c.ld;
    i64 ci = rows ? args.c.ld : 1;
    i64 cj = rows ? 1 : args.c.ld;
    i64 bi = rows ? ldb : 1;
    i64 bj = rows ? 1 : ldb;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        i64 n = knownToDevice(args, problem, args.n);
        i64 m = apart ? args.m : args.m - n;
        T* c = at<T>(args.c, problem);
        T* b = apart ? at<T>(args.b, problem) : c + n * ci;
        T* tau = at<T>(args.d, problem);
        for (i64 step = 0; step < n; step++) {
            i64 j = args.y ? n - 1 - step : step;
            if (m == 0) {
                if (threadIdx.x == 0) {
                    tau[j] = zero<T>();
                }
                continue;
            }
            i64 p = m - args.p + (j + 1 < args.p ? j + 1 : args.p);
            T* v = b + j * bj;
            T factor = larfg(c + j * (ci + cj), v, bi, p, false, scratch);
            __syncthreads();
            if (threadIdx.x == 0) {
                tau[j] = factor;
            }
            T f = conj(factor, true);
            i64 first = args.y ? 0 : j + 1;
            i64 last = args.y ? j : n;
            for (i64 q = first + threadIdx.x / 32; q < last && !isZero(f); q += warps) {
                lineApart(true, f, p, v, bi, c + j * ci + q * cj, b + q * bj, bi);
            }
            __syncthreads();
            for (i64 i = threadIdx.x; i < p && args.x; i += blockDim.x) {
                v[i * bi] = conj(v[i * bi], true);
            }
            __syncthreads();
        }
    }
}

// Each line of c, a column or a row, by a warp that applies all reflectors.
template <typename T>
BASALT_DEVICE void tpmqr2(const Args& args) {
    int lane = threadIdx.x % 32;
    bool left = args.side == LEFT;
    bool conjugate = args.opA != NONE;
    i64 order = left ? args.m : args.n;
    i64 lines = left ? args.n : args.m;
    i64 step = left ? 1 : args.c.ld;
    i64 next = left ? args.c.ld : 1;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        i64 k = knownToDevice(args, problem, args.k);
        i64 length = args.f.base != 0 ? order - k : args.p;
        i64 rows = k == 0 ? args.q : args.m;
        const T* v = at<T>(args.a, problem) + (order - length) * args.a.ld;
        const T* tau = at<T>(args.d, problem);
        for (i64 q = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; q < lines; q += warps) {
            T* c = at<T>(args.c, problem) + q * next;
            for (i64 i = k + lane; i < rows && args.f.base != 0; i += 32) {
                c[i] = zero<T>();
            }
            warpBarrier();
            for (i64 s = 0; s < k; s++) {
                i64 j = left != conjugate ? k - 1 - s : s;
                T f = conj(tau[j], conjugate);
                if (!isZero(f)) {
                    lineApart(left, f, length, v + j, args.a.ld, c + j * step, c + (order - length) * step, step);
                }
                warpBarrier();
            }
        }
    }
}

// One block a problem.
template <typename T>
BASALT_DEVICE void larfgAlone(const Args& args) {
    __shared__ typename Of<T>::Real scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T tau = larfg(at<T>(args.b, problem), at<T>(args.c, problem), args.c.ld, args.n - 1, false, scratch);
        if (threadIdx.x == 0) {
            *at<T>(args.d, problem) = tau;
        }
        __syncthreads();
    }
}

template <typename T>
BASALT_DEVICE void conjugateAll(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* c = at<T>(args.c, problem);
        i64 all = args.m * args.n;
        for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < all; e += (i64)gridDim.x * blockDim.x) {
            T* x = c + e % args.m + e / args.m * args.c.ld;
            *x = conj(*x, true);
        }
    }
}

}  // namespace basalt

#define PENTAGONS(t, T)                                            \
    BASALT_KERNEL(basalt_tpqrt2_##t) { basalt::tpqrt2<T>(args); }  \
    BASALT_KERNEL(basalt_tpmqr2_##t) { basalt::tpmqr2<T>(args); }  \
    BASALT_KERNEL(basalt_larfg_##t) { basalt::larfgAlone<T>(args); }
BASALT_EACH_TYPE(PENTAGONS)
#define CONJUGATES(t, T) BASALT_KERNEL(basalt_conjugate_##t) { basalt::conjugateAll<T>(args); }
BASALT_C(CONJUGATES)
BASALT_Z(CONJUGATES)
