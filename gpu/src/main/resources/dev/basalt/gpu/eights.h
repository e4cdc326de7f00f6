// Cholesky of a lower triangle in shared memory, eight columns at a time: every warp factors the eight pivots' rows for itself, with 24 rows
// below beside them, and then all take the eight columns off what is behind them.
#ifndef BASALT_EIGHTS_H
#define BASALT_EIGHTS_H

#include "tile.h"

namespace basalt {

// Pivots whose reciprocals and squares neither overflow nor lose digits.
BASALT_DEVICE bool isOrdinary(float d) { return d > 1e-17f && d < 1e17f; }
BASALT_DEVICE bool isOrdinary(double d) { return d > 1e-140 && d < 1e140; }

// 1/x but for the last bit, for ordinary numbers; without branches.
BASALT_DEVICE double quickReciprocal(double x) {
#if BASALT_CUDA_ARCH > 0
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    double e = __fma_rn(-x, r, 1.0);
    return __fma_rn(r, __fma_rn(e, e, e), r);
#else
    return 1 / x;
#endif
}
BASALT_DEVICE float quickReciprocal(float x) {
#if BASALT_CUDA_ARCH > 0
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return __fmaf_rn(r, __fmaf_rn(-x, r, 1.0f), r);
#else
    return 1 / x;
#endif
}

BASALT_DEVICE float squareOf(float x) { return x * x; }
BASALT_DEVICE double squareOf(double x) { return x * x; }
template <typename R>
BASALT_DEVICE R squareOf(Complex<R> x) {
    return x.re * x.re + x.im * x.im;
}

template <typename T>
struct Eights {
    typedef typename Of<T>::Real R;
    static const int BESIDE = 32 - EIGHT;  // rows below that a warp has beside those of the pivots
    static const int FOUR = 4;             // rows and columns that a thread updates
    // Complex doubles go by tensor cores where instructions take eight columns.
    static const bool TENSOR = sizeof(T) == 16 && (BASALT_CUDA_ARCH == 0 || BASALT_CUDA_ARCH >= 900);

    T* a;
    int s;
    int n;
    T* corner;  // the rows of the pivots, until all have read what was there
    int* news;  // whether the pivots are ordinary, and what was found where they are not

    // Columns p…p+7, from which all before have been taken off. Returns whether that was done.
    BASALT_DEVICE bool columns(int p) const {
        int lane = threadIdx.x % 32;
        int warps = blockDim.x / 32;
        int groups = n - p <= EIGHT ? 1 : (n - p - EIGHT + BESIDE - 1) / BESIDE;
        bool ordinary = true;
#pragma unroll 1
        for (int group = threadIdx.x / 32; group < groups; group += warps) {
            int row = p + lane + (lane < EIGHT ? 0 : group * BESIDE);
            // Each lane keeps its diagonal element apart, so that the next pivot does not wait for the rest of a column. Behind the last row
            // stands the identity.
            T v[EIGHT];
            R own = 1;
#pragma unroll
            for (int u = 0; u < EIGHT; u++) {
                bool there = row < n && p + u < n;
                v[u] = there ? a[row + (p + u) * s] : zero<T>();
                own = there && lane == u ? re(v[u]) : own;
            }
#pragma unroll
            for (int u = 0; u < EIGHT; u++) {
                R d = shuffle(own, u);
                ordinary = ordinary && isOrdinary(d);
                R r = quickReciprocal(d);
                // own - square/d, exact where the quotient is.
                R square = lane > u ? squareOf(v[u]) : (R)0;
                R part = square * r;
                R rest = own - part;
                R less = square;
                fma(-d, part, less);
                fma(-less, r, rest);
                own = rest;
                T z = times(-r, v[u]);
#pragma unroll
                for (int c = u + 1; c < EIGHT; c++) {
                    fma(z, conj(shuffle(v[u], c), true), v[c]);
                }
            }
            R l, r;
            roots(own, &l, &r);
#pragma unroll
            for (int u = 0; u < EIGHT; u++) {
                R scale = shuffle(r, u);
                v[u] = lane == u ? Make<T>::real(l) : times(scale, v[u]);
            }
            if (ordinary && lane >= EIGHT && row < n) {
#pragma unroll
                for (int u = 0; u < EIGHT; u++) {
                    a[row + (p + u) * s] = v[u];
                }
            }
            if (group == 0 && lane < EIGHT) {
#pragma unroll
                for (int u = 0; u < EIGHT; u++) {
                    corner[lane + u * EIGHT] = v[u];
                }
            }
        }
        if (threadIdx.x == 0) {
            news[0] = ordinary;
        }
        __syncthreads();
        return news[0];
    }

    // The rows of the pivots take their place.
    BASALT_DEVICE void settle(int p) const {
        for (int e = threadIdx.x; e < EIGHT * EIGHT; e += blockDim.x) {
            int i = e % EIGHT;
            int u = e / EIGHT;
            if (u <= i && p + i < n) {
                a[p + i + (p + u) * s] = corner[e];
            }
        }
    }

    // The first warp does the same where a pivot is not positive, or out of range. Returns LAPACK's info.
    BASALT_DEVICE int slowly(int p) const {
        int lane = threadIdx.x;
        int last = n < p + EIGHT ? n : p + EIGHT;
#pragma unroll 1
        for (int j = p; j < last; j++) {
            T* column = a + j * s;
#pragma unroll 1
            for (int i = j + lane; i < n; i += 32) {
                T v = column[i];
#pragma unroll 1
                for (int k = p; k < j; k++) {
                    fma(-a[i + k * s], conj(a[j + k * s], true), v);
                }
                column[i] = v;
            }
            warpBarrier();
            R d = re(column[j]);
            if (!(d > 0)) {
                return j + 1;
            }
            R l, r;
            roots(d, &l, &r);
            warpBarrier();
#pragma unroll 1
            for (int i = j + lane; i < n; i += 32) {
                column[i] = i == j ? Make<T>::real(l) : times(r, column[i]);
            }
            warpBarrier();
        }
        return 0;
    }

    // Columns p…p+7 are taken off the triangle behind them, 32×16 elements a warp. In place of rows of them behind the last others are
    // read, and not used.
    BASALT_DEVICE void takeOffBlocks(int p) const {
        int lane = threadIdx.x % 32;
        int warps = blockDim.x / 32;
        int base = p + EIGHT;
        int end = (n - 1) / FOUR * FOUR;
        int others = threadIdx.x / 32;  // blocks that other warps take before this one's next
#pragma unroll 1
        for (int i0 = base; i0 < n; i0 += 32) {
#pragma unroll 1
            for (int c0 = base; c0 < i0 + 32 && c0 < n; c0 += 16) {
                if (others-- > 0) {
                    continue;
                }
                others = warps - 1;
                int i = i0 + lane % 8 * FOUR;
                int c = c0 + lane / 8 * FOUR;
                const T* x = a + (i < n ? i : end) + p * s;
                const T* y = a + (c < n ? c : end) + p * s;
                T sums[FOUR][FOUR];
#pragma unroll
                for (int u = 0; u < FOUR; u++) {
#pragma unroll
                    for (int e = 0; e < FOUR; e++) {
                        sums[u][e] = zero<T>();
                    }
                    if (i < n && c + u < n) {
                        loadAligned<FOUR>(a + i + (c + u) * s, sums[u]);
                    }
                }
#pragma unroll
                for (int k = 0; k < EIGHT; k++) {
                    T f[FOUR], g[FOUR];
                    loadAligned<FOUR>(x + k * s, f);
                    loadAligned<FOUR>(y + k * s, g);
#pragma unroll
                    for (int e = 0; e < FOUR * FOUR; e++) {
                        fma(-f[e % FOUR], conj(g[e / FOUR], true), sums[e / FOUR][e % FOUR]);
                    }
                }
#pragma unroll
                for (int u = 0; u < FOUR; u++) {
                    T* to = a + i + (c + u) * s;
                    if (c + u > i + FOUR - 1 || i >= n || c + u >= n) {
                        continue;
                    }
                    if (i + FOUR <= n) {
                        storeAligned<FOUR>(sums[u], to);
                        continue;
                    }
#pragma unroll
                    for (int e = 0; e < FOUR; e++) {
                        if (i + e < n) {
                            to[e] = sums[u][e];
                        }
                    }
                }
            }
        }
    }

    // The same by tensor cores, 16×16 elements a warp.
    BASALT_DEVICE void takeOffTiles(int p) const {
        int lane = threadIdx.x % 32;
        int warps = blockDim.x / 32;
        int base = p + EIGHT;
        int g = lane / 4;
        int q = lane % 4;
        int others = threadIdx.x / 32;
#pragma unroll 1
        for (int i0 = base; i0 < n; i0 += 16) {
#pragma unroll 1
            for (int c0 = base; c0 <= i0; c0 += 16) {
                if (others-- > 0) {
                    continue;
                }
                others = warps - 1;
                double reals[2][4], imaginaries[2][4];
#pragma unroll
                for (int e = 0; e < 8; e++) {
                    int i = i0 + g + e / 2 % 2 * 8;
                    int c = c0 + e / 4 * 8 + 2 * q + e % 2;
                    T v = i < n && c <= i ? a[i + c * s] : zero<T>();
                    reals[e / 4][e % 4] = -re(v);
                    imaginaries[e / 4][e % 4] = -im(v);
                }
                double fr[4], fi[4];
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    T v = a[within(i0 + g + e % 2 * 8) + (p + q + e / 2 * 4) * s];
                    fr[e] = re(v);
                    fi[e] = im(v);
                }
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    double gr[2], gi[2], minus[2];
#pragma unroll
                    for (int e = 0; e < 2; e++) {
                        T v = a[within(c0 + h * 8 + g) + (p + q + e * 4) * s];
                        gr[e] = re(v);
                        gi[e] = im(v);
                        minus[e] = -gi[e];
                    }
                    warpProduct(reals[h], fr, gr);
                    warpProduct(imaginaries[h], fi, gr);
                    warpProduct(reals[h], fi, gi);
                    warpProduct(imaginaries[h], fr, minus);
                }
#pragma unroll
                for (int e = 0; e < 8; e++) {
                    int i = i0 + g + e / 2 % 2 * 8;
                    int c = c0 + e / 4 * 8 + 2 * q + e % 2;
                    if (i < n && c <= i) {
                        a[i + c * s] = Make<T>::of(-reals[e / 4][e % 4], -imaginaries[e / 4][e % 4]);
                    }
                }
            }
        }
    }

    BASALT_DEVICE int within(int i) const { return i < n ? i : n - 1; }

    // All columns. Returns LAPACK's info.
    BASALT_DEVICE int factor() const {
#pragma unroll 1
        for (int p = 0; p < n; p += EIGHT) {
            if (columns(p)) {
                settle(p);
            } else {
                if (threadIdx.x < 32) {
                    int info = slowly(p);
                    if (threadIdx.x == 0) {
                        news[1] = info;
                    }
                }
                __syncthreads();
                if (news[1] != 0) {
                    return news[1];
                }
            }
            if constexpr (TENSOR) {
                takeOffTiles(p);
            } else {
                takeOffBlocks(p);
            }
            __syncthreads();
        }
        return 0;
    }
};

}  // namespace basalt

#endif
