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

// One element that is read once.
#if BASALT_CUDA_ARCH > 0
BASALT_DEVICE float loadElementOnce(const float* p) { return __ldcs(p); }
BASALT_DEVICE double loadElementOnce(const double* p) { return __ldcs(p); }
template <typename R>
BASALT_DEVICE Complex<R> loadElementOnce(const Complex<R>* p) {
    Complex<R> z;
    if constexpr (sizeof(R) == 4) {
        float2 v = __ldcs((const float2*)p);
        z.re = v.x;
        z.im = v.y;
    } else {
        double2 v = __ldcs((const double2*)p);
        z.re = v.x;
        z.im = v.y;
    }
    return z;
}
#else
template <typename T>
BASALT_DEVICE T loadElementOnce(const T* p) {
    return *p;
}
#endif

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

// Every so-manieth column of a matrix from one on, at some row: a dense one's have equal distances, a packed one's equally growing ones.
template <typename T>
struct Columns {
    const T* p;
    i64 step;

    BASALT_DEVICE const T* at(int u) const { return p + u * step; }
    BASALT_DEVICE void advance(int u) { p += u * step; }
    template <bool TOGETHER>
    BASALT_DEVICE Pack<T> load(int u, int inside) const {
        return loadPack<TOGETHER, true>(at(u), 1, inside);
    }
};
template <typename T>
struct PackedColumns {
    const T* p;
    i64 step, growth;
    int apart;  // from row to row of a thread

    BASALT_DEVICE const T* at(int u) const { return p + (u * step + growth * (u * (u - 1) / 2)); }
    BASALT_DEVICE void advance(int u) {
        p = at(u);
        step += u * growth;
    }
    template <bool>
    BASALT_DEVICE Pack<T> load(int u, int inside) const {
        Pack<T> v;
        const T* q = at(u);
#pragma unroll
        for (int e = 0; e < Pack<T>::count; e++) {
            v.v[e] = loadElementOnce(q + (e < inside ? e * apart : 0));
        }
        return v;
    }
};

// A matrix whose columns have a leading dimension, and a packed triangle, whose columns begin anywhere. Of that a thread has rows as far apart as there are
// lanes beside it, so that these load what lies together.
template <typename T>
struct DenseMatrix {
    const T* a;
    i64 ld;
    static const bool aligned = true;  // whether it can be

    BASALT_DEVICE const T* column(i64 j) const { return a + j * ld; }
    BASALT_DEVICE Columns<T> columns(i64 i, i64 j, i64 every, int) const { return {a + i + j * ld, every * ld}; }
    BASALT_DEVICE bool together(i64 i) const { return packed(a + i, ld); }
};
template <typename T>
struct PackedMatrix {
    const T* a;
    i64 step, growth;
    static const bool aligned = false;

    BASALT_DEVICE const T* column(i64 j) const { return a + (j * step + growth * (j * (j - 1) / 2)); }
    BASALT_DEVICE PackedColumns<T> columns(i64 i, i64 j, i64 every, int apart) const {
        return {column(j) + i, every * (step + growth * j) + growth * (every * (every - 1) / 2), growth * every * every, apart};
    }
    BASALT_DEVICE bool together(i64) const { return false; }
};
template <typename T>
BASALT_DEVICE void take(const Args& args, i64 problem, DenseMatrix<T>& m) {
    m.a = at<T>(args.a, problem);
    m.ld = args.a.ld;
}
template <typename T>
BASALT_DEVICE void take(const Args& args, i64 problem, PackedMatrix<T>& m) {
    m.a = at<T>(args.a, problem);
    m.step = args.a.ld;
    m.growth = args.uplo == UPPER ? 1 : -1;
}

static const int PACKS_AHEAD = 8;  // loads of a thread before their first use

// What a thread has of its rows: those of every step-th column from the first on. AHEAD, an even number, does not change the order of the sum.
template <bool TOGETHER, int AHEAD = PACKS_AHEAD, typename C, typename T>
BASALT_DEVICE Pack<T> rowSums(C a, const T* x, i64 dx, i64 columns, i64 step, int inside) {
    Pack<T> s0 = emptyPack<T>(), s1 = s0;
    for (i64 j = 0; j < columns; j += AHEAD * step) {
        Pack<T> v[AHEAD];
        T w[AHEAD];
        if (j + (AHEAD - 1) * step < columns) {
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                v[u] = a.template load<TOGETHER>(u, inside);
                w[u] = x[u * dx];
            }
        } else {
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                bool there = j + u * step < columns;
                v[u] = there ? a.template load<TOGETHER>(u, inside) : emptyPack<T>();
                w[u] = there ? x[u * dx] : zero<T>();
            }
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
#pragma unroll
            for (int e = 0; e < Pack<T>::count; e++) {
                fma(v[u].v[e], w[u], u % 2 == 0 ? s0.v[e] : s1.v[e]);
            }
        }
        a.advance(AHEAD);
        x += AHEAD * dx;
    }
#pragma unroll
    for (int e = 0; e < Pack<T>::count; e++) {
        s0.v[e] = s0.v[e] + s1.v[e];
    }
    return s0;
}
template <bool TOGETHER, int AHEAD = PACKS_AHEAD, typename T>
BASALT_DEVICE Pack<T> rowSums(const T* a, i64 da, const T* x, i64 dx, i64 columns, i64 step, int inside) {
    return rowSums<TOGETHER, AHEAD>(Columns<T>{a, da}, x, dx, columns, step, inside);
}

}  // namespace basalt

#endif
