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

}  // namespace basalt
#endif
