// A reflector on both sides of a symmetric or Hermitian matrix of which a triangle is stored, by a block.
#ifndef BASALT_TWO_SIDED_H
#define BASALT_TWO_SIDED_H
#include "block.h"

namespace basalt {

// w := tau·w, and then w := w - tau/2·(wᴴv)·v.
template <typename T>
BASALT_DEVICE void weigh(i64 n, T tau, const T* v, T* w, T* scratch) {
    T sum = zero<T>();
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        T x = tau * w[i];
        w[i] = x;
        fma(conj(x, true), v[i], sum);
    }
    T f = tau * blockSum(sum, scratch);
    f = times((typename Of<T>::Real)-0.5, f);
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        fma(f, v[i], w[i]);
    }
    __syncthreads();
}

// w := A·v for the matrix of which a triangle is stored: a thread a row.
template <typename T>
BASALT_DEVICE void symmetricTimes(bool lower, i64 n, const T* a, i64 lda, const T* v, T* w) {
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        T sum = zero<T>();
        for (i64 j = 0; j < n; j++) {
            bool there = lower ? j <= i : i <= j;
            T x = there ? a[i + j * lda] : conj(a[j + i * lda], true);
            fma(i == j ? dropImaginary(x) : x, v[j], sum);
        }
        w[i] = sum;
    }
    __syncthreads();
}

// A := Hᴴ·A·H with the reflector of v, whose factor is f; w is scratch of n elements, sums of 33.
template <typename T>
BASALT_DEVICE void twoSided(bool lower, i64 n, T* a, i64 lda, T f, const T* v, T* w, T* sums) {
    if (!isZero(f)) {
        symmetricTimes(lower, n, a, lda, v, w);
        weigh(n, f, v, w, sums);
        for (i64 l = threadIdx.x; l < n * n; l += blockDim.x) {
            i64 row = l % n;
            i64 column = l / n;
            if (lower ? row >= column : row <= column) {
                T x = a[row + column * lda];
                x = x - v[row] * conj(w[column], true) - w[row] * conj(v[column], true);
                a[row + column * lda] = row == column ? dropImaginary(x) : x;
            }
        }
    } else if (threadIdx.x == 0) {
        T* corner = lower ? a : a + (n - 1) * (lda + 1);
        *corner = dropImaginary(*corner);
    }
    __syncthreads();
}

}  // namespace basalt

#endif
