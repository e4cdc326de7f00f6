// Products of 8×8 by a warp, whose operands lie in registers.
#ifndef BASALT_SMALL_H
#define BASALT_SMALL_H
#include "basalt.h"

namespace basalt {

// c (8×8) += a (8×4)·b (4×8) by a warp. With g = lane / 4 and q = lane % 4 a lane holds a(g, q), b(q, g), c(g, 2q) and
// c(g, 2q+1).
template <typename T>
BASALT_DEVICE void smallProduct(T (&c)[2], T a, T b) {
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
    for (int l = 0; l < 4; l++) {
        T x = shuffle(a, 4 * g + l);
        fma(x, shuffle(b, 8 * q + l), c[0]);
        fma(x, shuffle(b, 8 * q + 4 + l), c[1]);
    }
}

#if BASALT_CUDA_ARCH >= 800
BASALT_DEVICE void smallProduct(double& c0, double& c1, double a, double b) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c0), "+d"(c1)
        : "d"(a), "d"(b));
}
BASALT_DEVICE void smallProduct(double (&c)[2], double a, double b) { smallProduct(c[0], c[1], a, b); }
BASALT_DEVICE void smallProduct(Complex<double> (&c)[2], Complex<double> a, Complex<double> b) {
    smallProduct(c[0].re, c[1].re, a.re, b.re);
    smallProduct(c[0].im, c[1].im, a.re, b.im);
    smallProduct(c[0].re, c[1].re, -a.im, b.im);
    smallProduct(c[0].im, c[1].im, a.im, b.re);
}
#endif

// c (16×16) += a (16×4)·b (4×16): four of these, c by pairs of columns, then columns, then rows.
template <typename T>
BASALT_DEVICE void smallSquare(T (&c)[8], const T (&a)[2], const T (&b)[2]) {
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
#pragma unroll
    for (int l = 0; l < 4; l++) {
        T x[2], y[4];
#pragma unroll
        for (int u = 0; u < 2; u++) {
            x[u] = shuffle(a[u], 4 * g + l);
            y[2 * u] = shuffle(b[u], 8 * q + l);
            y[2 * u + 1] = shuffle(b[u], 8 * q + 4 + l);
        }
#pragma unroll
        for (int e = 0; e < 8; e++) {
            fma(x[e / 4], y[e % 4], c[e]);
        }
    }
}

#if BASALT_CUDA_ARCH >= 800
template <typename T>
BASALT_DEVICE void tensorSquare(T (&c)[8], const T (&a)[2], const T (&b)[2]) {
#pragma unroll
    for (int u = 0; u < 4; u++) {
        T pair[2] = {c[2 * u], c[2 * u + 1]};
        smallProduct(pair, a[u / 2], b[u % 2]);
        c[2 * u] = pair[0];
        c[2 * u + 1] = pair[1];
    }
}
BASALT_DEVICE void smallSquare(double (&c)[8], const double (&a)[2], const double (&b)[2]) { tensorSquare(c, a, b); }
BASALT_DEVICE void smallSquare(Complex<double> (&c)[8], const Complex<double> (&a)[2], const Complex<double> (&b)[2]) {
    tensorSquare(c, a, b);
}
#endif

}  // namespace basalt

#endif
