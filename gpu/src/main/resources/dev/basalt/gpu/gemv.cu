// y := alpha·op(A)·x + beta·y.
#include "pack.h"
BASALT_CAPPED_TOO

namespace basalt {

// Without transposition. A block owns args.x rows, a thread as many of them as fill 16 bytes; the threads (a power of two) that a
// column needs are a group, and the groups and the blocks in y share out the columns; the last block of some rows adds the sums in order.
template <typename T>
BASALT_DEVICE void gemvN(const Args& args) {
    const int P = Pack<T>::count;
    __shared__ Pack<T> sums[512];
    __shared__ int last;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    int rows = args.x;
    int lanes = rows / P;
    int groups = blockDim.x / lanes;
    i64 step = (i64)groups * gridDim.y;
    i64 i0 = (i64)blockIdx.x * rows;
    i64 i = i0 + threadIdx.x % lanes * P;
    int inside = (int)most(least(args.m - i, P), 0);
    i64 lda = args.a.ld;
    i64 incx = args.b.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Pack<T> s = emptyPack<T>();
        if (!isZero(alpha) && inside > 0) {
            i64 j = (i64)blockIdx.y * groups + threadIdx.x / lanes;
            const T* x = at<T>(args.b, problem) + j * incx;
            const T* a = at<T>(args.a, problem) + i + j * lda;
            s = inside == P && packed(a, lda) ? rowSums<true>(a, step * lda, x, step * incx, args.n - j, step, P)
                                              : rowSums<false>(a, step * lda, x, step * incx, args.n - j, step, inside);
        }
        // Groups within a warp, then those of several warps.
        for (int mask = lanes; mask < 32; mask *= 2) {
#pragma unroll
            for (int e = 0; e < P; e++) {
                s.v[e] = s.v[e] + shuffleXor(s.v[e], mask);
            }
        }
        int width = lanes < 32 ? lanes : 32;
        int parts = lanes < 32 ? blockDim.x / 32 : groups;
        if ((int)threadIdx.x % 32 < width) {
            sums[lanes < 32 ? threadIdx.x / 32 * lanes + threadIdx.x % 32 : threadIdx.x] = s;
        }
        __syncthreads();
        const T* part = (const T*)sums;
        T* kept = (T*)syncScratch(args) + (problem * gridDim.x + blockIdx.x) * rows * gridDim.y;
        T* y = at<T>(args.c, problem);
        for (int r = threadIdx.x; r < rows; r += blockDim.x) {
            T t = part[r];
#pragma unroll 8
            for (int g = 1; g < parts; g++) {
                t = t + part[g * rows + r];
            }
            if (gridDim.y > 1) {
                kept[blockIdx.y * rows + r] = t;
            } else if (i0 + r < args.m) {
                blend(alpha, t, beta, y + (i0 + r) * args.c.ld);
            }
        }
        if (gridDim.y > 1 && arrivesLast(counter(args, problem * gridDim.x + blockIdx.x), gridDim.y, &last)) {
            for (int r = threadIdx.x; r < rows && i0 + r < args.m; r += blockDim.x) {
                T t = zero<T>();
                for (int b = 0; b < (int)gridDim.y; b++) {
                    t = t + loadShared(kept + b * rows + r);
                }
                blend(alpha, t, beta, y + (i0 + r) * args.c.ld);
            }
        }
        __syncthreads();
    }
}

static const int COLUMNS = 4;

// The dot products of some columns with x that a thread has: of packs of rows, every step-th from `pack` on.
template <bool TOGETHER, int HERE, typename T>
BASALT_DEVICE void columnSums(
        const T* a, i64 lda, const T* x, i64 incx, i64 m, i64 pack, i64 step, bool conjugated, T (&s)[COLUMNS]) {
    const int P = Pack<T>::count;
    const int AHEAD = HERE == 1 ? 4 : 2;
    Pack<T> acc[HERE];
#pragma unroll
    for (int u = 0; u < HERE; u++) {
        acc[u] = emptyPack<T>();
    }
    i64 whole = m / P;
    for (; pack + (AHEAD - 1) * step < whole; pack += AHEAD * step) {
        Pack<T> w[AHEAD], v[AHEAD][HERE];
        const T* p = a + pack * P;
        const T* q = x + pack * P * incx;
#pragma unroll
        for (int h = 0; h < AHEAD; h++) {
            w[h] = loadPack<TOGETHER>(q, incx, P);
#pragma unroll
            for (int u = 0; u < HERE; u++) {
                v[h][u] = loadPack<TOGETHER, true>(p + u * lda, 1);
            }
            p += step * P;
            q += step * P * incx;
        }
#pragma unroll
        for (int h = 0; h < AHEAD; h++) {
#pragma unroll
            for (int u = 0; u < HERE; u++) {
#pragma unroll
                for (int e = 0; e < P; e++) {
                    fma(conj(v[h][u].v[e], conjugated), w[h].v[e], acc[u].v[e]);
                }
            }
        }
    }
    // What is left, the last rows too where they do not fill a pack.
    for (; pack * P < m; pack += step) {
        i64 i = pack * P;
        int inside = (int)least(m - i, P);
#pragma unroll
        for (int e = 0; e < P; e++) {
            T w = e < inside ? x[(i + e) * incx] : zero<T>();
#pragma unroll
            for (int u = 0; u < HERE; u++) {
                T v = e < inside ? a[i + e + u * lda] : zero<T>();
                fma(conj(v, conjugated), w, acc[u].v[e]);
            }
        }
    }
#pragma unroll
    for (int u = 0; u < COLUMNS; u++) {
        T t = zero<T>();
#pragma unroll
        for (int e = 0; u < HERE && e < P; e++) {
            t = e == 0 ? acc[u].v[0] : t + acc[u].v[e];
        }
        s[u] = t;
    }
}

template <bool TOGETHER, typename T>
BASALT_DEVICE void columnSums(const T* a, i64 lda, const T* x, i64 incx, i64 m, int columns, i64 pack, i64 step, bool conjugated, T (&s)[COLUMNS]) {
    switch (columns) {
        case 1:
            columnSums<TOGETHER, 1>(a, lda, x, incx, m, pack, step, conjugated, s);
            break;
        case 2:
            columnSums<TOGETHER, 2>(a, lda, x, incx, m, pack, step, conjugated, s);
            break;
        case 3:
            columnSums<TOGETHER, 3>(a, lda, x, incx, m, pack, step, conjugated, s);
            break;
        default:
            columnSums<TOGETHER, 4>(a, lda, x, incx, m, pack, step, conjugated, s);
    }
}

// Sums of COLUMNS numbers over a block of 256 threads: in its first warp that of column lane / 8. `parts` holds a number a column and warp.
template <typename T>
BASALT_DEVICE T blockColumn(T (&s)[COLUMNS], T* parts) {
    int which;
    T t = warpSums(s, &which);
    if (threadIdx.x % 8 == 0) {
        parts[which * 8 + threadIdx.x / 32] = t;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        t = parts[threadIdx.x];
        for (int mask = 4; mask > 0; mask /= 2) {
            t = t + shuffleXor(t, mask);
        }
    }
    return t;
}

// Transposed. A block owns COLUMNS columns and every gridDim.y-th stretch of rows; with more than one stretch the partial
// sums lie in the workspace and the last block of a group of columns adds them in order.
template <typename T>
BASALT_DEVICE void gemvT(const Args& args) {
    __shared__ T parts[32];
    __shared__ int last;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    bool conjugated = args.opA == CONJ_TRANS;
    i64 j = (i64)blockIdx.x * COLUMNS;
    int columns = (int)least(COLUMNS, args.n - j);
    if (CAPPED && columns <= 0) {
        return;
    }
    i64 lda = args.a.ld;
    i64 incx = args.b.ld;
    i64 stretches = gridDim.y;
    int column = threadIdx.x / 8;
    bool writes = threadIdx.x % 8 == 0 && column < columns;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T s[COLUMNS];
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            s[u] = zero<T>();
        }
        if (!isZero(alpha)) {
            const T* x = at<T>(args.b, problem);
            const T* a = at<T>(args.a, problem) + j * lda;
            i64 first = (i64)blockIdx.y * blockDim.x + threadIdx.x;
            i64 step = stretches * blockDim.x;
            if (packed(a, lda) && ((u64)x & 15) == 0 && incx == 1) {
                columnSums<true>(a, lda, x, incx, args.m, columns, first, step, conjugated, s);
            } else {
                columnSums<false>(a, lda, x, incx, args.m, columns, first, step, conjugated, s);
            }
        }
        T t = blockColumn(s, parts);
        T* y = at<T>(args.c, problem) + (j + column) * args.c.ld;
        if (stretches == 1) {
            if (writes) {
                blend(alpha, t, beta, y);
            }
            __syncthreads();
            continue;
        }
        T* kept = (T*)args.work + (problem * givenN(args) + j) * stretches;
        if (writes) {
            kept[column * stretches + blockIdx.y] = t;
        }
        if (arrivesLast(counter(args, problem * gridDim.x + blockIdx.x), gridDim.y, &last)) {
#pragma unroll
            for (int u = 0; u < COLUMNS; u++) {
                s[u] = zero<T>();
                for (int p = threadIdx.x; u < columns && p < stretches; p += blockDim.x) {
                    s[u] = s[u] + loadShared(kept + u * stretches + p);
                }
            }
            t = blockColumn(s, parts);
            if (writes) {
                blend(alpha, t, beta, y);
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define GEMV(t, T)                                                         \
    BASALT_KERNEL(basalt_gemv_n_##t) { basalt::gemvN<T>(args); } \
    BASALT_KERNEL(basalt_gemv_t_##t) { basalt::gemvT<T>(args); }
BASALT_EACH_TYPE(GEMV)
