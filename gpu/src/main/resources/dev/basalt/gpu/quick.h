// Reciprocals and roots to two units in the last place that take no branch, so that what stands beside them is computed meanwhile.
#ifndef BASALT_QUICK_H
#define BASALT_QUICK_H
#include "basalt.h"

namespace basalt {

#if BASALT_CUDA_ARCH > 0
// 1/x of a number that is not subnormal, and whose reciprocal is not.
BASALT_DEVICE double quickInverse(double x) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    double e = __fma_rn(-x, r, 1.0);
    e = __fma_rn(e, e, e);
    return __fma_rn(r, e, r);
}
BASALT_DEVICE float quickInverse(float x) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return __fmaf_rn(r, __fmaf_rn(-x, r, 1.0f), r);
}
// 1/√x of a positive number that is not subnormal.
BASALT_DEVICE double quickInverseRoot(double x) {
    double r;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    double e = __fma_rn(-x, r * r, 1.0);
    return __fma_rn(r * e, __fma_rn(e, 0.375, 0.5), r);
}
BASALT_DEVICE float quickInverseRoot(float x) {
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return __fmaf_rn(r, 0.5f * __fmaf_rn(-x, r * r, 1.0f), r);
}
// √x of a positive number that is not subnormal, to six digits.
BASALT_DEVICE double roughRoot(double x) {
    double r;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    return x * r;
}
BASALT_DEVICE float roughRoot(float x) {
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return x * r;
}
#else
BASALT_DEVICE double quickInverse(double x) { return 1 / x; }
BASALT_DEVICE float quickInverse(float x) { return 1 / x; }
BASALT_DEVICE double quickInverseRoot(double x) { return 1 / sqrt(x); }
BASALT_DEVICE float quickInverseRoot(float x) { return 1 / sqrtf(x); }
BASALT_DEVICE double roughRoot(double x) { return sqrt(x); }
BASALT_DEVICE float roughRoot(float x) { return sqrtf(x); }
#endif

// Below it numbers are made larger by a factor before they are divided by.
BASALT_DEVICE double faint(double) { return 9.332636185032189e-302; }    // 2⁻¹⁰⁰⁰
BASALT_DEVICE float faint(float) { return 7.888609e-31f; }               // 2⁻¹⁰⁰
BASALT_DEVICE double brighter(double) { return 1.6069380442589903e60; }  // 2²⁰⁰
BASALT_DEVICE float brighter(float) { return 1.1529215e18f; }            // 2⁶⁰
// From it on reciprocals may be subnormal.
BASALT_DEVICE double remote(double) { return 1.1235582092889474e307; }  // 2¹⁰²⁰
BASALT_DEVICE float remote(float) { return 2.1267648e37f; }             // 2¹²⁴
// Beyond it a square has no room for 1.
BASALT_DEVICE double steepest(double) { return 1125899906842624.0; }  // 2⁵⁰
BASALT_DEVICE float steepest(float) { return 1048576.0f; }            // 2²⁰

}  // namespace basalt
#endif
