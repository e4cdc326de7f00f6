// What balancing of a matrix and of a pair share: norms are those of double numbers, whatever matrices are made of, as the portable kernels have them.
#ifndef BASALT_BALANCE_H
#define BASALT_BALANCE_H
#include "reflect.h"

namespace basalt {

// As Balance is numbered.
enum { PERMUTES = 1, SCALES = 2 };

BASALT_DEVICE double leastScale(float) { return 0x1p-103; }
BASALT_DEVICE double leastScale(double) { return 0x1p-970; }

BASALT_DEVICE double modulus(float x) { return fabs((double)x); }
BASALT_DEVICE double modulus(double x) { return fabs(x); }
template <typename R>
BASALT_DEVICE double modulus(Complex<R> x) {
    return hypot((double)x.re, (double)x.im);
}

// Neither infinite nor NaN.
BASALT_DEVICE bool bounded(double x) { return x - x == 0; }

// The largest over a block, in every thread. `scratch` holds 32 numbers.
BASALT_DEVICE i64 blockMost(i64 v, i64* scratch) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v = most(v, shuffleXor(v, mask));
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = v;
    }
    __syncthreads();
    for (int w = 0; w < (int)blockDim.x / 32; w++) {
        v = most(v, scratch[w]);
    }
    return v;
}

// The sums of squares, by a block; the scaled elements are less than one.
template <typename T>
BASALT_DEVICE double scaledNorm(i64 n, const T* x, i64 step, double scale, double* scratch) {
    double sum = 0;
    for (i64 l = threadIdx.x; l < n; l += blockDim.x) {
        double part = modulus(x[l * step]) / scale;
        sum += part * part;
    }
    return scale * sqrt(blockSum(sum, scratch));
}

}  // namespace basalt
#endif
