// Reduction of general matrices to Hessenberg form, a block a problem: columns of a panel but for their products with the matrix, and small matrices whole.
#include "block.h"
#include "hessenberg.h"

namespace basalt {

template <typename T>
BASALT_DEVICE void gehd2(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            T* tau = args.d.base == 0 ? 0 : at<T>(args.d, problem);
            reduceColumns(args.n, args.p, args.q, at<T>(args.c, problem), args.c.ld, tau, scratch);
        }
    }
}

// x := op(T)·x for the upper triangle of order p, by a block of at least as many threads.
template <typename T>
BASALT_DEVICE void triangleTimes(i64 p, bool turned, const T* t, i64 ldt, T factor, T* x) {
    i64 i = threadIdx.x;
    T sum = zero<T>();
    for (i64 l = turned ? 0 : i; i < p && (turned ? l <= i : l < p); l++) {
        fma(turned ? conj(t[l + i * ldt], true) : t[i + l * ldt], x[l], sum);
    }
    __syncthreads();
    if (i < p) {
        x[i] = factor * sum;
    }
    __syncthreads();
}

template <typename T>
BASALT_DEVICE void lahr2Column(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    i64 m = args.m;
    i64 p = args.p;
    i64 ldv = args.f.ld;
    i64 ldt = args.g.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* x = at<T>(args.c, problem) + p * args.c.ld;
        T* v = at<T>(args.f, problem);
        T* t = at<T>(args.g, problem);
        if (p > 0) {
            const T* y = at<T>(args.b, problem);
            T* w = t + args.k * ldt;
            conjugateRow(p, v + p - 1, ldv, w);
            takeOff(m, p, y, args.b.ld, w, x);
            dots(m, p, v, ldv, x, w);
            triangleTimes(p, true, t, ldt, one<T>(), w);
            takeOff(m, p, v, ldv, w, x);
        }
        T tau = larfg(x + p, x + p + 1, (i64)1, m - p - 1, false, scratch);
        __syncthreads();
        T* own = v + p * ldv;
        for (i64 i = threadIdx.x; i < m; i += blockDim.x) {
            own[i] = i < p ? zero<T>() : i == p ? one<T>() : x[i];
        }
        if (threadIdx.x == 0) {
            *at<T>(args.d, problem) = tau;
        }
        __syncthreads();
    }
}

template <typename T>
BASALT_DEVICE void lahr2Row(const Args& args) {
    i64 m = args.m;
    i64 p = args.p;
    i64 ldv = args.f.ld;
    i64 ldy = args.b.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T tau = *at<T>(args.d, problem);
        const T* v = at<T>(args.f, problem);
        T* y = at<T>(args.b, problem);
        T* t = at<T>(args.g, problem);
        T* own = y + p * ldy;
        T* column = t + p * args.g.ld;
        if (p > 0) {
            dots(m, p, v, ldv, v + p * ldv, column);
            takeOff(m, p, y, ldy, column, own);
            triangleTimes(p, false, t, args.g.ld, -tau, column);
        }
        for (i64 i = threadIdx.x; i < m; i += blockDim.x) {
            own[i] = tau * own[i];
        }
        for (i64 i = p + threadIdx.x; i < args.k; i += blockDim.x) {
            column[i] = i == p ? tau : zero<T>();
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define HESSENBERG(t, T)                                                    \
    BASALT_KERNEL(basalt_gehd2_##t) { basalt::gehd2<T>(args); }              \
    BASALT_KERNEL(basalt_lahr2_column_##t) { basalt::lahr2Column<T>(args); } \
    BASALT_KERNEL(basalt_lahr2_row_##t) { basalt::lahr2Row<T>(args); }
BASALT_EACH_TYPE(HESSENBERG)
