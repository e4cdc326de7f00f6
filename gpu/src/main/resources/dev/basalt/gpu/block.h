// Products with a vector, by one block.
#ifndef BASALT_BLOCK_H
#define BASALT_BLOCK_H
#include "basalt.h"

namespace basalt {

// y := y - a·x, a with rows and columns one after the other at a distance.
template <typename T>
BASALT_DEVICE void takeOff(i64 rows, i64 columns, const T* a, i64 lda, const T* x, T* y) {
    for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
        T sum = zero<T>();
        for (i64 l = 0; l < columns; l++) {
            fma(a[i + l * lda], x[l], sum);
        }
        y[i] = y[i] - sum;
    }
    __syncthreads();
}

// y := the conjugates of x.
template <typename T>
BASALT_DEVICE void conjugateRow(i64 n, const T* x, i64 step, T* y) {
    for (i64 l = threadIdx.x; l < n; l += blockDim.x) {
        y[l] = conj(x[l * step], true);
    }
    __syncthreads();
}

// y := aᴴ·x for columns of a.
template <typename T>
BASALT_DEVICE void dots(i64 rows, i64 columns, const T* a, i64 lda, const T* x, T* y) {
    for (i64 l = threadIdx.x / 32; l < columns; l += blockDim.x / 32) {
        T sum = zero<T>();
        for (i64 i = threadIdx.x % 32; i < rows; i += 32) {
            fma(conj(a[i + l * lda], true), x[i], sum);
        }
        sum = warpSum(sum);
        if (threadIdx.x % 32 == 0) {
            y[l] = sum;
        }
    }
    __syncthreads();
}

}  // namespace basalt
#endif
