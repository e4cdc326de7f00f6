// Numbers that blocks of a running launch send each other, without a flag to look at first.
#ifndef BASALT_MAIL_H
#define BASALT_MAIL_H
#include "basalt.h"

namespace basalt {

// A real number travels in words of 32 bits of it and a tag of 32 bits, so that a reader sees of each word whether it is the one it waits for.
template <typename R>
struct Letter;
template <>
struct Letter<float> {
    static const int words = 1;
    static BASALT_DEVICE void send(u64* to, float v, unsigned tag) {
        union {
            float f;
            unsigned u;
        } bits;
        bits.f = v;
        *(volatile u64*)to = (u64)tag << 32 | bits.u;
    }
    static BASALT_DEVICE float open(const u64* w) {
        union {
            float f;
            unsigned u;
        } bits;
        bits.u = (unsigned)w[0];
        return bits.f;
    }
};
template <>
struct Letter<double> {
    static const int words = 2;
    static BASALT_DEVICE void send(u64* to, double v, unsigned tag) {
        u64 bits = orderedBits(v);
        *(volatile u64*)to = (u64)tag << 32 | (unsigned)bits;
        *(volatile u64*)(to + 1) = (u64)tag << 32 | bits >> 32;
    }
    static BASALT_DEVICE double open(const u64* w) { return fromBits(w[1] << 32 | (unsigned)w[0]); }
};
template <typename R>
struct Letter<Complex<R>> {
    static const int words = 2 * Letter<R>::words;
    static BASALT_DEVICE void send(u64* to, Complex<R> v, unsigned tag) {
        Letter<R>::send(to, v.re, tag);
        Letter<R>::send(to + Letter<R>::words, v.im, tag);
    }
    static BASALT_DEVICE Complex<R> open(const u64* w) {
        Complex<R> v;
        v.re = Letter<R>::open(w);
        v.im = Letter<R>::open(w + Letter<R>::words);
        return v;
    }
};

// Two words at a multiple of 16 bytes.
BASALT_DEVICE void loadTwo(const u64* from, u64* w) {
#if BASALT_CUDA_ARCH > 0
    asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(w[0]), "=l"(w[1]) : "l"(from) : "memory");
#else
    w[0] = loadShared(from);
    w[1] = loadShared(from + 1);
#endif
}

template <int COUNT>
BASALT_DEVICE void loadWords(const u64* from, u64* w) {
    if constexpr (COUNT % 2 != 0) {
        w[0] = loadShared(from);
    }
#pragma unroll
    for (int i = COUNT % 2; i < COUNT; i += 2) {
        loadTwo(from + i, w + i);
    }
}

// Whether all of so many words have the tag.
template <int WORDS>
BASALT_DEVICE bool sealed(const u64* w, unsigned tag) {
    bool all = true;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        all = all && (unsigned)(w[i] >> 32) == tag;
    }
    return all;
}

template <typename T>
BASALT_DEVICE T receive(const u64* from, unsigned tag) {
    const int WORDS = Letter<T>::words;
    u64 w[WORDS];
    while (true) {
#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            w[i] = loadShared(from + i);
        }
        if (sealed<WORDS>(w, tag)) {
            return Letter<T>::open(w);
        }
        BASALT_SPIN();
    }
}

}  // namespace basalt
#endif
