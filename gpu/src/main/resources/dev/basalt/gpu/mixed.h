// Elements of several types: read exactly, rounded once where they are written. args.y and args.z have the types of a, b, c and d, as
// ElementType numbers them.
#ifndef BASALT_MIXED_H
#define BASALT_MIXED_H

#include "basalt.h"

namespace basalt {

enum { F32 = 0, F64 = 1, I32 = 4, F16 = 6, BF16 = 7, I8 = 8, F8_E4M3 = 9, F8_E5M2 = 10, ANY = -1 };

BASALT_DEVICE unsigned bitsOf(float x) {
#if BASALT_CUDA_ARCH > 0
    return __float_as_uint(x);
#else
    union {
        float f;
        unsigned u;
    } v;
    v.f = x;
    return v.u;
#endif
}
BASALT_DEVICE float floatOf(unsigned x) {
#if BASALT_CUDA_ARCH > 0
    return __uint_as_float(x);
#else
    union {
        float f;
        unsigned u;
    } v;
    v.u = x;
    return v.f;
#endif
}

BASALT_DEVICE float fromHalf(unsigned short h) {
#if BASALT_CUDA_ARCH > 0
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
#else
    unsigned sign = (unsigned)(h & 0x8000) << 16;
    unsigned rest = h & 0x7fff;
    // Times 2^112 what has the exponent of a half; subnormals become normal by it.
    return rest >= 0x7c00 ? floatOf(sign | 0x7f800000u | (rest & 0x3ff) << 13)
                          : floatOf(sign | bitsOf(floatOf(rest << 13) * 0x1p112f));
#endif
}
BASALT_DEVICE unsigned short toHalf(float f) {
#if BASALT_CUDA_ARCH > 0
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
#else
    unsigned sign = bitsOf(f) >> 16 & 0x8000;
    unsigned rest = bitsOf(f) & 0x7fffffffu;
    if (rest > 0x7f800000u) {
        return (unsigned short)(sign | 0x7e00);
    }
    if (rest >= 0x477ff000u) {
        return (unsigned short)(sign | 0x7c00);
    }
    if (rest < 0x38800000u) {
        // The addition rounds to multiples of the smallest subnormal.
        return (unsigned short)(sign | (bitsOf(floatOf(rest) + 0.5f) - bitsOf(0.5f)));
    }
    return (unsigned short)(sign | (rest + 0xfff + (rest >> 13 & 1) - 0x38000000u) >> 13);
#endif
}
BASALT_DEVICE float fromBrain(unsigned short h) { return floatOf((unsigned)h << 16); }
BASALT_DEVICE unsigned short toBrain(float f) {
    unsigned bits = bitsOf(f);
    return (unsigned short)(f != f ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Numbers of 8 bits, exactly: one has the exponents of a half, the other ends at 448 and has NaN behind it.
BASALT_DEVICE float fromE5m2(unsigned char b) { return fromHalf((unsigned short)(b << 8)); }
BASALT_DEVICE float fromE4m3(unsigned char b) {
    unsigned short rest = (unsigned short)((b & 0x80) << 8 | (b & 0x7f) << 7);
    return (b & 0x7f) == 0x7f ? floatOf(0x7fc00000u) : fromHalf(rest) * 256;
}

// Element i, of a type that is known to the compiler, or of type `given`.
template <typename R, int TYPE>
BASALT_DEVICE R get(const void* x, i64 i, int given) {
    int type = TYPE == ANY ? given : TYPE;
    return type == F16 ? (R)fromHalf(((const unsigned short*)x)[i])
            : type == BF16 ? (R)fromBrain(((const unsigned short*)x)[i])
            : type == F8_E4M3 ? (R)fromE4m3(((const unsigned char*)x)[i])
            : type == F8_E5M2 ? (R)fromE5m2(((const unsigned char*)x)[i])
            : type == F64 ? (R)((const double*)x)[i] : (R)((const float*)x)[i];
}
template <typename R, int TYPE>
BASALT_DEVICE void put(void* x, i64 i, int given, R v) {
    int type = TYPE == ANY ? given : TYPE;
    if (type == F16) {
        ((unsigned short*)x)[i] = toHalf((float)v);
    } else if (type == BF16) {
        ((unsigned short*)x)[i] = toBrain((float)v);
    } else if (type == F64) {
        ((double*)x)[i] = v;
    } else {
        ((float*)x)[i] = (float)v;
    }
}

template <typename R>
BASALT_DEVICE R scalarOf(const Scalar& s) {
    // From 4 on: a scalar in device memory that is a half, a bfloat16 or an integer.
    if (s.address == 0 || s.type < 4) {
        return value<R>(s);
    }
    R v = s.type == 6 ? (R) * (const int*)s.address : get<R, ANY>((const void*)s.address, 0, s.type == 4 ? F16 : BF16);
    return s.gated ? (v != 0 ? (R)s.gateValue : 0) : v;
}

BASALT_DEVICE int typeA(const Args& args) { return args.y & 0xff; }
BASALT_DEVICE int typeB(const Args& args) { return args.y >> 8; }
BASALT_DEVICE int typeC(const Args& args) { return args.z & 0xff; }
BASALT_DEVICE int typeD(const Args& args) { return args.z >> 8; }

// Eight numbers of two bytes each.
struct alignas(16) Eight {
    unsigned short v[8];
};

// C[i] := sum + beta·C[i], where beta = 0 does not read it.
template <typename R, int TYPE>
BASALT_DEVICE void finish(void* c, i64 i, int type, R sum, R beta) {
    put<R, TYPE>(c, i, type, beta == 0 ? sum : sum + beta * get<R, TYPE>(c, i, type));
}

// The same by the type of the sums. Those of integers wrap around.
BASALT_DEVICE float scaledSum(float alpha, float s) { return alpha * s; }
BASALT_DEVICE double scaledSum(double alpha, double s) { return alpha * s; }
BASALT_DEVICE int scaledSum(int alpha, int s) { return (int)((unsigned)alpha * (unsigned)s); }
template <int TYPE, typename R>
BASALT_DEVICE void finishSum(void* c, i64 i, int type, R sum, R beta) {
    finish<R, TYPE>(c, i, type, sum, beta);
}
template <int TYPE>
BASALT_DEVICE void finishSum(void* c, i64 i, int, int sum, int beta) {
    int* x = (int*)c + i;
    *x = beta == 0 ? sum : (int)((unsigned)sum + (unsigned)beta * (unsigned)*x);
}

}  // namespace basalt

#endif
