// Products of 8×8 by a warp, whose operands lie in registers.
#ifndef BASALT_SMALL_H
#define BASALT_SMALL_H
#include "basalt.h"

namespace basalt {

// c (8·ROWS × 8·COLUMNS) += a (8·ROWS × 4)·b (4 × 8·COLUMNS) by a warp. With g = lane / 4 and q = lane % 4 a lane holds a(g, q), b(q, g), c(g, 2q) and
// c(g, 2q+1) of each 8×8.
template <int ROWS, int COLUMNS, typename T>
BASALT_DEVICE void smallProducts(T (&c)[ROWS][COLUMNS][2], const T (&a)[ROWS], const T (&b)[COLUMNS]) {
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
#pragma unroll
    for (int l = 0; l < 4; l++) {
        T x[ROWS], y[COLUMNS][2];
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            x[u] = shuffle(a[u], 4 * g + l);
        }
#pragma unroll
        for (int v = 0; v < COLUMNS; v++) {
            y[v][0] = shuffle(b[v], 8 * q + l);
            y[v][1] = shuffle(b[v], 8 * q + 4 + l);
        }
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
#pragma unroll
            for (int v = 0; v < COLUMNS; v++) {
                fma(x[u], y[v][0], c[u][v][0]);
                fma(x[u], y[v][1], c[u][v][1]);
            }
        }
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
template <int ROWS, int COLUMNS, typename T>
BASALT_DEVICE void tensorProducts(T (&c)[ROWS][COLUMNS][2], const T (&a)[ROWS], const T (&b)[COLUMNS]) {
#pragma unroll
    for (int u = 0; u < ROWS; u++) {
#pragma unroll
        for (int v = 0; v < COLUMNS; v++) {
            smallProduct(c[u][v], a[u], b[v]);
        }
    }
}
template <int ROWS, int COLUMNS>
BASALT_DEVICE void smallProducts(double (&c)[ROWS][COLUMNS][2], const double (&a)[ROWS], const double (&b)[COLUMNS]) {
    tensorProducts(c, a, b);
}
template <int ROWS, int COLUMNS>
BASALT_DEVICE void smallProducts(
        Complex<double> (&c)[ROWS][COLUMNS][2], const Complex<double> (&a)[ROWS], const Complex<double> (&b)[COLUMNS]) {
    tensorProducts(c, a, b);
}
#endif

}  // namespace basalt

#endif
