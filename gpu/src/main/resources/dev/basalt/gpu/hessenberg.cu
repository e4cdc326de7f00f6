// Reduction of general matrices to Hessenberg form, a block a problem: columns of a panel but for their products with the matrix, and small matrices whole.
#include "block.h"
#include "reflect.h"

namespace basalt {

// a := a·(I - tau·v·vᴴ) with v's first element 1: a thread a row.
template <typename T>
BASALT_DEVICE void reflectRows(i64 rows, i64 m, T* a, i64 lda, const T* v, T tau) {
    for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
        T sum = a[i];
        for (i64 l = 1; l < m; l++) {
            fma(a[i + l * lda], v[l], sum);
        }
        sum = -(tau * sum);
        a[i] = a[i] + sum;
        for (i64 l = 1; l < m; l++) {
            fma(sum, conj(v[l], true), a[i + l * lda]);
        }
    }
}

// a := (I - conj(tau)·v·vᴴ)·a: a warp a column.
template <typename T>
BASALT_DEVICE void reflectColumns(i64 m, i64 columns, T* a, i64 lda, const T* v, T tau) {
    i64 lane = threadIdx.x % 32;
    for (i64 j = threadIdx.x / 32; j < columns; j += blockDim.x / 32) {
        T* x = a + j * lda;
        T sum = zero<T>();
        for (i64 l = lane; l < m; l += 32) {
            fma(l == 0 ? one<T>() : conj(v[l], true), x[l], sum);
        }
        sum = -(conj(tau, true) * warpSum(sum));
        for (i64 l = lane; l < m; l += 32) {
            fma(sum, l == 0 ? one<T>() : v[l], x[l]);
        }
    }
}

template <typename T>
BASALT_DEVICE void gehd2(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    i64 n = args.n;
    i64 lda = args.c.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        for (i64 j = args.p; j < args.q - 1; j++) {
            i64 m = args.q - j - 1;
            T* v = a + j + 1 + j * lda;
            T* right = a + (j + 1) * lda;
            T tau = larfg(v, v + 1, (i64)1, m - 1, false, scratch);
            if (threadIdx.x == 0) {
                at<T>(args.d, problem)[j] = tau;
            }
            if (isZero(tau)) {
                // All threads have it from the same sums.
                __syncthreads();
                continue;
            }
            reflectRows(args.q, m, right, lda, v, tau);
            __syncthreads();
            reflectColumns(m, n - j - 1, right + j + 1, lda, v, tau);
            __syncthreads();
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
