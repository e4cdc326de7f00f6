// What near the ends of the range is scaled by powers of two before it is worked on, as in LAPACK's drivers.
#ifndef BASALT_RANGE_H
#define BASALT_RANGE_H
#include "basalt.h"

namespace basalt {

// 1 where numbers are to become larger, -1 where smaller.
template <typename R>
BASALT_DEVICE int power(R x, R small) {
    return x > 0 && x < small ? 1 : x > 1 / small && x < 1 / (R)0 ? -1 : 0;
}

BASALT_DEVICE float smallOf(float) { return 0x1p-103f; }
BASALT_DEVICE double smallOf(double) { return 0x1p-970; }

// x times a power of what is scaled by.
template <typename T>
BASALT_DEVICE T scaled(T x, int power) {
    typedef typename Of<T>::Real R;
    R small = smallOf((R)0);
    R factor = power > 0 ? 1 / small : small;
    for (int f = power < 0 ? -power : power; f > 0; f--) {
        x = times(factor, x);
    }
    return x;
}

// Whether nothing is scaled, whatever the moduli of numbers are of which this is the largest part.
template <typename R>
BASALT_DEVICE bool inRange(R largest) {
    R small = smallOf(largest);
    return largest == 0 || (largest >= small && largest <= (R)0.5 / small);
}

}  // namespace basalt
#endif
