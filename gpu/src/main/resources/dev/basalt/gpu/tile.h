// What kernels do with small tiles: products of a warp, and substitution with a triangle in shared memory.
#ifndef BASALT_TILE_H
#define BASALT_TILE_H

#include "basalt.h"

namespace basalt {

// ---- the product of a warp

// The inner dimension of one instruction, where nothing else is said.
static const int INNER = 8;

// c (16×8) += a (16×DEPTH) · b (DEPTH×8), DEPTH being 8 or 4. With g = lane / 4 and q = lane % 4 a lane holds of a: (g, q) (g+8, q) (g, q+4)
// (g+8, q+4) and so on; of b: (q, g) (q+4, g) and so on; of c: (g, 2q) (g, 2q+1) (g+8, 2q) (g+8, 2q+1).
template <int DEPTH = INNER>
BASALT_DEVICE void warpProduct(double* c, const double* a, const double* b) {
#if BASALT_CUDA_ARCH >= 900
    if constexpr (DEPTH == 8) {
        asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
            : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
    } else {
        static_assert(DEPTH == 4, "an instruction that there is");
        asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
            : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
            : "d"(a[0]), "d"(a[1]), "d"(b[0]));
    }
#else
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
    for (int l = 0; l < DEPTH; l++) {
        int part = l / 4;
        double upper = shuffle(a[2 * part], 4 * g + l % 4);
        double lower = shuffle(a[2 * part + 1], 4 * g + l % 4);
        double left = shuffle(b[part], 4 * (2 * q) + l % 4);
        double right = shuffle(b[part], 4 * (2 * q + 1) + l % 4);
        c[0] += upper * left;
        c[1] += upper * right;
        c[2] += lower * left;
        c[3] += lower * right;
    }
#endif
}

// ---- substitution

BASALT_DEVICE float scaled(float x, float r) { return x * r; }
BASALT_DEVICE double scaled(double x, double r) { return x * r; }
template <typename R>
BASALT_DEVICE Complex<R> scaled(Complex<R> x, R r) {
    return times(r, x);
}
template <typename R>
BASALT_DEVICE Complex<R> scaled(Complex<R> x, Complex<R> r) {
    return x * r;
}

static const int EIGHT = 8;

// COUNT numbers from an address that is a multiple of 16 bytes.
template <typename T>
struct alignas(16) Chunk {
    T v[16 / sizeof(T)];
};
template <int COUNT, typename T>
BASALT_DEVICE void loadAligned(const T* from, T* to) {
    const int EACH = 16 / sizeof(T);
#pragma unroll
    for (int u = 0; u < COUNT / EACH; u++) {
        Chunk<T> c = ((const Chunk<T>*)from)[u];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            to[u * EACH + e] = c.v[e];
        }
    }
}

template <int COUNT, typename T>
BASALT_DEVICE void storeAligned(const T* from, T* to) {
    const int EACH = 16 / sizeof(T);
#pragma unroll
    for (int u = 0; u < COUNT / EACH; u++) {
        Chunk<T> c;
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            c.v[e] = from[u * EACH + e];
        }
        ((Chunk<T>*)to)[u] = c;
    }
}

// v := v - rows p…p+7 of columns l < p of a tile · x, in several sums where a warp alone would wait for each addition.
template <typename T, bool CONJUGATED, int SUMS>
BASALT_DEVICE void lessKnown(const T* tile, int ld, int p, const T* x, int pitch, T* v) {
    T sums[SUMS][EIGHT];
#pragma unroll
    for (int u = 0; u < SUMS * EIGHT; u++) {
        sums[u / EIGHT][u % EIGHT] = u < EIGHT ? v[u] : zero<T>();
    }
#pragma unroll 1
    for (int l = 0; l < p; l += EIGHT) {
#pragma unroll
        for (int o = 0; o < EIGHT; o++) {
            T e[EIGHT];
            loadAligned<EIGHT>(tile + p + (l + o) * ld, e);
            T w = -x[(l + o) * pitch];
#pragma unroll
            for (int u = 0; u < EIGHT; u++) {
                fma(conj(e[u], CONJUGATED), w, sums[o % SUMS][u]);
            }
        }
    }
#pragma unroll
    for (int u = 0; u < EIGHT; u++) {
        v[u] = SUMS == 1 ? sums[0][u] : (sums[0][u] + sums[1 % SUMS][u]) + (sums[2 % SUMS][u] + sums[3 % SUMS][u]);
    }
}

// Solves with a lower triangle of 32 for one right-hand side, whose numbers lie `pitch` apart; a thread for each side. Columns of
// the triangle lie `ld` apart, a multiple of 16 bytes, and reciprocals of its diagonal `step` apart. Eight rows are in registers at
// a time. ALONE: no other warps hide the latency of additions, so rows are scaled such that an unknown is one addition away from the
// one before it.
template <typename T, bool CONJUGATED, bool ALONE, typename D>
BASALT_DEVICE void substituteEights(const T* tile, int ld, const D* reciprocals, int step, int rows, T* x, int pitch) {
#pragma unroll 1
    for (int p = 0; p < rows; p += EIGHT) {
        T v[EIGHT];
        T a[EIGHT * (EIGHT - 1) / 2];
#pragma unroll
        for (int r = 0; r < EIGHT; r++) {
            v[r] = x[(p + r) * pitch];
#pragma unroll
            for (int k = 0; ALONE && k < r; k++) {
                T e = conj(tile[p + r + (p + k) * ld], CONJUGATED);
                a[r * (r - 1) / 2 + k] = -scaled(e, reciprocals[(p + r) * step]);
            }
        }
        lessKnown<T, CONJUGATED, ALONE && sizeof(T) < 16 ? 4 : 1>(tile, ld, p, x, pitch, v);
#pragma unroll
        for (int r = 0; ALONE && r < EIGHT; r++) {
            v[r] = scaled(v[r], reciprocals[(p + r) * step]);
        }
#pragma unroll
        for (int k = 0; k < EIGHT; k++) {
            if (!ALONE) {
                v[k] = scaled(v[k], reciprocals[(p + k) * step]);
            }
#pragma unroll
            for (int r = k + 1; r < EIGHT; r++) {
                fma(ALONE ? a[r * (r - 1) / 2 + k] : -conj(tile[p + r + (p + k) * ld], CONJUGATED), v[k], v[r]);
            }
        }
#pragma unroll
        for (int u = 0; u < EIGHT; u++) {
            x[(p + u) * pitch] = v[u];
        }
    }
}

// ---- roots

// Root and reciprocal root of a positive number.
BASALT_DEVICE void roots(float d, float* l, float* r) {
    *l = root(d);
    *r = 1 / *l;
}
BASALT_DEVICE void roots(double d, double* l, double* r) {
#if BASALT_CUDA_ARCH > 0
    // Without branches: the reciprocal from about 20 bits by one step of third order, the root from it and its exact residual.
    // Roots of squares are exact, and so are reciprocals that have a few digits. Small numbers are scaled, since the
    // approximation has denormal ones as zero.
    bool tiny = d < 1e-290;
    double x = tiny ? d * 0x1p120 : d;
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double e = __fma_rn(-(x * y), y, 1.0);
    y = __fma_rn(y * e, __fma_rn(0.375, e, 0.5), y);
    double z = x * y;
    z = __fma_rn(0.5 * y, __fma_rn(-z, z, x), z);
    bool finite = d <= 1.7976931348623157e308;
    *l = finite ? tiny ? z * 0x1p-60 : z : d;
    *r = finite ? tiny ? y * 0x1p60 : y : 0.0;
#else
    *l = root(d);
    *r = 1 / *l;
#endif
}

}  // namespace basalt

#endif
