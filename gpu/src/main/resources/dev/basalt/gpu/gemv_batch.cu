// y := alpha·op(A)·x + beta·y of small order, many problems in a launch. Problems follow each other without a gap: the threads of a
// block, and of a warp, take as many as they have room for.
#include "pack.h"

namespace basalt {

// Without transposition: a thread has 16 bytes of rows, all their columns. Twice the usual loads ahead, where registers allow, give
// large problems another percent of the bandwidth.
template <typename T>
BASALT_DEVICE void gemvBatchN(const Args& args) {
    const int P = Pack<T>::count;
    const int AHEAD = sizeof(T) <= 8 ? 2 * PACKS_AHEAD : PACKS_AHEAD;
    unsigned packs = (unsigned)(args.m + P - 1) / P;
    unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    i64 problem = item / packs;
    if (problem >= args.count || skips(args, problem)) {
        return;
    }
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    bool reads = !isZero(beta);
    i64 i = item % packs * P;
    int inside = (int)least(args.m - i, P);
    i64 lda = args.a.ld;
    i64 incx = args.b.ld;
    i64 incy = args.c.ld;
    T* y = at<T>(args.c, problem) + i * incy;
    bool together = inside == P && incy == 1 && ((u64)y & 15) == 0;
    Pack<T> old = !reads ? emptyPack<T>() : together ? loadPack<true>(y, 1) : loadPack<false>(y, incy, inside);
    Pack<T> s = emptyPack<T>();
    if (!isZero(alpha)) {
        const T* x = at<T>(args.b, problem);
        const T* a = at<T>(args.a, problem) + i;
        if (inside < P || !packed(a, lda)) {
            s = rowSums<false>(a, lda, x, incx, args.n, 1, inside);
        } else if (args.n < AHEAD) {
            s = rowSums<true>(a, lda, x, incx, args.n, 1, P);
        } else {
            s = rowSums<true, AHEAD>(a, lda, x, incx, args.n, 1, P);
        }
    }
#pragma unroll
    for (int e = 0; e < P; e++) {
        s.v[e] = reads ? alpha * s.v[e] + beta * old.v[e] : alpha * s.v[e];
    }
    if (together) {
        *(Pack<T>*)y = s;
    } else {
#pragma unroll
        for (int e = 0; e < P; e++) {
            if (e < inside) {
                y[e * incy] = s.v[e];
            }
        }
    }
}

static const int COLUMNS_AT_ONCE = 8;

// `inside` elements of a pack, the others 0.
template <bool TOGETHER, bool ONCE, typename T>
BASALT_DEVICE Pack<T> loadInside(const T* p, i64 inc, int inside) {
    if (inside == Pack<T>::count) {
        return loadPack<TOGETHER, ONCE>(p, inc);
    }
    Pack<T> v;
#pragma unroll
    for (int e = 0; e < Pack<T>::count; e++) {
        v.v[e] = e < inside ? p[e * inc] : zero<T>();
    }
    return v;
}

// Adds to s what a lane has of the dot products of some columns with x: every so-manieth pack of rows. ALL: there are COLUMNS_AT_ONCE.
template <bool TOGETHER, bool ALL, typename T>
BASALT_DEVICE void columnSums(const T* a, i64 lda, const T* x, i64 incx, int m, int lane, int lanes, int columns, bool conjugated,
        T (&s)[COLUMNS_AT_ONCE]) {
    const int P = Pack<T>::count;
    bool straight = incx == 1 && ((u64)x & 15) == 0;
    for (int i = lane * P; i < m; i += lanes * P) {
        int inside = m - i < P ? m - i : P;
        Pack<T> v[COLUMNS_AT_ONCE];
#pragma unroll
        for (int u = 0; u < COLUMNS_AT_ONCE; u++) {
            v[u] = ALL || u < columns ? loadInside<TOGETHER, true>(a + i + u * lda, 1, inside) : emptyPack<T>();
        }
        Pack<T> w = straight ? loadInside<true, false>(x + i, 1, inside) : loadInside<false, false>(x + i * incx, incx, inside);
#pragma unroll
        for (int u = 0; u < COLUMNS_AT_ONCE; u++) {
#pragma unroll
            for (int e = 0; e < P; e++) {
                fma(conj(v[u].v[e], conjugated), w.v[e], s[u]);
            }
        }
    }
}

template <bool TOGETHER, typename T>
BASALT_DEVICE void columnSums(const T* a, i64 lda, const T* x, i64 incx, int m, int lane, int lanes, int columns, bool conjugated,
        T (&s)[COLUMNS_AT_ONCE]) {
    if (columns < COLUMNS_AT_ONCE) {
        columnSums<TOGETHER, false>(a, lda, x, incx, m, lane, lanes, columns, conjugated, s);
    } else {
        columnSums<TOGETHER, true>(a, lda, x, incx, m, lane, lanes, columns, conjugated, s);
    }
}

// Transposed: args.x lanes, a power of two, have some columns of a problem; each keeps some sums of those in the end.
template <typename T>
BASALT_DEVICE void gemvBatchT(const Args& args) {
    const int C = COLUMNS_AT_ONCE;
    int lanes = args.x;
    int lane = threadIdx.x & (lanes - 1);
    unsigned stretches = (unsigned)(args.n + C - 1) / C;
    unsigned item = blockIdx.x * (blockDim.x / lanes) + threadIdx.x / lanes;
    i64 problem = item / stretches;
    i64 j = item % stretches * C;
    // The other lanes of the warp still need this one.
    bool there = problem < args.count && !skips(args, problem);
    int columns = there ? (int)least(args.n - j, C) : 0;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    bool reads = !isZero(beta);
    i64 incy = args.c.ld;
    int first = lane * C / lanes;
    int kept = lanes < C ? C / lanes : 1;
    T* y = there ? at<T>(args.c, problem) + (j + first) * incy : 0;
    T s[C], old[C];
#pragma unroll
    for (int u = 0; u < C; u++) {
        s[u] = zero<T>();
        old[u] = reads && u < kept && first + u < columns ? y[u * incy] : zero<T>();
    }
    if (there && !isZero(alpha)) {
        i64 lda = args.a.ld;
        const T* x = at<T>(args.b, problem);
        const T* a = at<T>(args.a, problem) + j * lda;
        int m = (int)args.m;
        bool conjugated = args.opA == CONJ_TRANS;
        if (packed(a, lda)) {
            columnSums<true>(a, lda, x, args.b.ld, m, lane, lanes, columns, conjugated, s);
        } else {
            columnSums<false>(a, lda, x, args.b.ld, m, lane, lanes, columns, conjugated, s);
        }
    }
    int mask = lanes / 2;
#pragma unroll
    for (int half = C / 2; half > 0; half /= 2) {
        if (mask > 0) {
            bool upper = lane & mask;
#pragma unroll
            for (int u = 0; u < half; u++) {
                T keep = upper ? s[u + half] : s[u];
                s[u] = keep + shuffleXor(upper ? s[u] : s[u + half], mask);
            }
            mask /= 2;
        }
    }
    for (; mask > 0; mask /= 2) {
        s[0] = s[0] + shuffleXor(s[0], mask);
    }
    bool writes = lanes <= C || lane % (lanes / C) == 0;
#pragma unroll
    for (int u = 0; u < C; u++) {
        if (writes && u < kept && first + u < columns) {
            y[u * incy] = reads ? alpha * s[u] + beta * old[u] : alpha * s[u];
        }
    }
}

}  // namespace basalt

#define GEMV_BATCH(t, T)                                                         \
    BASALT_KERNEL(basalt_gemv_batch_n_##t) { basalt::gemvBatchN<T>(args); } \
    BASALT_KERNEL(basalt_gemv_batch_t_##t) { basalt::gemvBatchT<T>(args); }
BASALT_EACH_TYPE(GEMV_BATCH)
