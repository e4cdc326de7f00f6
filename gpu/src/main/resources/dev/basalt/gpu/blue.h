// Moduli and sums of squares that neither overflow nor underflow.
#ifndef BASALT_BLUE_H
#define BASALT_BLUE_H

#include "basalt.h"

namespace basalt {

// Blue, "A portable Fortran program to find the Euclidean norm of a vector", 1978: squares of large, medium and small
// numbers are summed apart, the outer ones scaled.
struct Norm {
    double large, medium, small;

    BASALT_DEVICE void add(double v) {
        double a = fabs(v);
        if (a > 0x1p500) {
            large += (v * 0x1p-600) * (v * 0x1p-600);
        } else if (a < 0x1p-400) {
            small += (v * 0x1p600) * (v * 0x1p600);
        } else {
            medium += v * v;  // NaN too, which outlives all that follows
        }
    }
    // The sums over a warp; that of large and small numbers nearly always is one of zeros.
    BASALT_DEVICE void warp() {
        medium = warpSum(medium);
        if (warpBallot(large != 0 || small != 0) != 0) {
            large = warpSum(large);
            small = warpSum(small);
        }
    }
    BASALT_DEVICE double root() const {
        if (medium != medium) {
            return medium;
        }
        if (large > 0) {
            return sqrt(large + medium * 0x1p-600 * 0x1p-600) * 0x1p600;
        }
        return medium > 0 ? sqrt(medium + small * 0x1p-600 * 0x1p-600) : sqrt(small) * 0x1p-600;
    }
};

// Moduli as doubles. NaN wins.
BASALT_DEVICE double modulus(float x) { return fabs((double)x); }
BASALT_DEVICE double modulus(double x) { return fabs(x); }
// The square of a float can neither overflow nor underflow a double.
BASALT_DEVICE double modulus(Complex<float> x) {
    return sqrt((double)x.re * (double)x.re + (double)x.im * (double)x.im);
}
BASALT_DEVICE double modulus(Complex<double> x) {
    double a = fabs(x.re);
    double b = fabs(x.im);
    double large = a != a || a > b ? a : b;
    if (large < 0x1p500 && large > 0x1p-450) {
        return sqrt(a * a + b * b);
    }
    if (!(large > 0) || large > 1.7976931348623157e308) {
        return b != b ? b : large;
    }
    double ratio = (a < b ? a : b) / large;
    return large * sqrt(1 + ratio * ratio);
}

}  // namespace basalt

#endif
