// Elements in packs of 16 bytes, and what a thread sums up of some rows of a matrix.
#ifndef BASALT_PACK_H
#define BASALT_PACK_H

#include "basalt.h"

namespace basalt {

// The elements of 16 bytes that a thread takes together, so that it can load them at once where they are aligned; the order of a sum is the same
// where they are not.
template <typename T>
struct alignas(16) Pack {
    static const int count = 16 / sizeof(T);
    T v[count];
};

// 16 bytes that are read once: no cache shall keep them in place of what is read again.
template <typename T>
BASALT_DEVICE Pack<T> loadOnce(const T* p) {
#if BASALT_CUDA_ARCH > 0
    union {
        double2 d;
        Pack<T> v;
    } w;
    w.d = __ldcs((const double2*)p);
    return w.v;
#else
    return *(const Pack<T>*)p;
#endif
}

// `inside` elements from p on, at least one; those beyond read as the first. ONCE: nobody will read them again.
template <bool TOGETHER, bool ONCE = false, typename T>
BASALT_DEVICE Pack<T> loadPack(const T* p, i64 inc, int inside = Pack<T>::count) {
    if constexpr (TOGETHER && ONCE) {
        return loadOnce(p);
    } else if constexpr (TOGETHER) {
        return *(const Pack<T>*)p;
    } else {
        Pack<T> v;
#pragma unroll
        for (int e = 0; e < Pack<T>::count; e++) {
            v.v[e] = p[e < inside ? e * inc : 0];
        }
        return v;
    }
}

template <typename T>
BASALT_DEVICE Pack<T> emptyPack() {
    Pack<T> v;
#pragma unroll
    for (int e = 0; e < Pack<T>::count; e++) {
        v.v[e] = zero<T>();
    }
    return v;
}

template <typename T>
BASALT_DEVICE bool packed(const T* a, i64 lda) {
    return ((u64)a & 15) == 0 && lda % Pack<T>::count == 0;
}

static const int PACKS_AHEAD = 8;  // loads of a thread before their first use

// What a thread has of its rows: those of every step-th column from the first on.
template <bool TOGETHER, typename T>
BASALT_DEVICE Pack<T> rowSums(const T* a, i64 da, const T* x, i64 dx, i64 columns, i64 step, int inside) {
    Pack<T> s0 = emptyPack<T>(), s1 = s0;
    for (i64 j = 0; j < columns; j += PACKS_AHEAD * step) {
        Pack<T> v[PACKS_AHEAD];
        T w[PACKS_AHEAD];
        if (j + (PACKS_AHEAD - 1) * step < columns) {
#pragma unroll
            for (int u = 0; u < PACKS_AHEAD; u++) {
                v[u] = loadPack<TOGETHER, true>(a + u * da, 1, inside);
                w[u] = x[u * dx];
            }
        } else {
#pragma unroll
            for (int u = 0; u < PACKS_AHEAD; u++) {
                bool there = j + u * step < columns;
                v[u] = there ? loadPack<TOGETHER, true>(a + u * da, 1, inside) : emptyPack<T>();
                w[u] = there ? x[u * dx] : zero<T>();
            }
        }
#pragma unroll
        for (int u = 0; u < PACKS_AHEAD; u++) {
#pragma unroll
            for (int e = 0; e < Pack<T>::count; e++) {
                fma(v[u].v[e], w[u], u % 2 == 0 ? s0.v[e] : s1.v[e]);
            }
        }
        a += PACKS_AHEAD * da;
        x += PACKS_AHEAD * dx;
    }
#pragma unroll
    for (int e = 0; e < Pack<T>::count; e++) {
        s0.v[e] = s0.v[e] + s1.v[e];
    }
    return s0;
}

}  // namespace basalt

#endif
