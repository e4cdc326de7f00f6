// Reduction of general matrices to Hessenberg form, by one block.
#ifndef BASALT_HESSENBERG_H
#define BASALT_HESSENBERG_H
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

// Columns lo to hi - 2 of a matrix of order n; tau: the factors. Ends with a barrier.
template <typename T>
BASALT_DEVICE void reduceColumns(i64 n, i64 lo, i64 hi, T* a, i64 lda, T* tau, typename Of<T>::Real* scratch) {
    for (i64 j = lo; j < hi - 1; j++) {
        i64 m = hi - j - 1;
        T* v = a + j + 1 + j * lda;
        T* right = a + (j + 1) * lda;
        T factor = larfg(v, v + 1, (i64)1, m - 1, false, scratch);
        if (threadIdx.x == 0) {
            tau[j] = factor;
        }
        if (!isZero(factor)) {
            // All threads have it from the same sums.
            reflectRows(hi, m, right, lda, v, factor);
            __syncthreads();
            reflectColumns(m, n - j - 1, right + j + 1, lda, v, factor);
        }
        __syncthreads();
    }
}

}  // namespace basalt
#endif
