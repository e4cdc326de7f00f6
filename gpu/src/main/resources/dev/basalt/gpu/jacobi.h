// What kernels of two-sided Jacobi share: sizes, scales, rotations.
#ifndef BASALT_JACOBI_H
#define BASALT_JACOBI_H
#include "seats.h"
#include "steqr.h"

namespace basalt {

BASALT_DEVICE int plainExponent(double) { return 400; }
BASALT_DEVICE int plainExponent(float) { return 40; }

template <typename R>
BASALT_DEVICE R lengthOfParts(R x, R y) {
    R u = absolute(x);
    R v = absolute(y);
    R more = u > v ? u : v;
    R less = (u > v ? v : u) / (more == 0 ? (R)1 : more);
    return more * root(1 + less * less);
}
BASALT_DEVICE float sizeOf(float x) { return fabsf(x); }
BASALT_DEVICE double sizeOf(double x) { return fabs(x); }
template <typename R>
BASALT_DEVICE R sizeOf(Complex<R> x) {
    return lengthOfParts(x.re, x.im);
}

template <typename T, typename R>
BASALT_DEVICE T scaledBoth(T x, R, int by) {
    return Make<T>::of(scaled(re(x), by), scaled(im(x), by));
}

// The sum, or the largest with NaN above all, of a number of each thread of a block.
template <typename R>
BASALT_DEVICE R ofBlock(R x, bool sum, R* scratch) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        R y = shuffleXor(x, mask);
        x = sum ? x + y : most(x, y);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = x;
    }
    __syncthreads();
    x = scratch[0];
    for (int w = 1; w < (int)blockDim.x / 32; w++) {
        x = sum ? x + scratch[w] : most(x, scratch[w]);
    }
    return x;
}

}  // namespace basalt
#endif
