// Products of four warps, the instruction "wgmma" of Hopper's tensor cores: both factors lie in shared memory as slabs, sums in
// registers. Elsewhere each thread forms its sums from the slabs itself.
#ifndef BASALT_WARPGROUP_H
#define BASALT_WARPGROUP_H

#include "rounded.h"

namespace basalt {

BASALT_DEVICE void beginProducts() {
#if BASALT_WARPGROUPS
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
BASALT_DEVICE void endProducts() {
#if BASALT_WARPGROUPS
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}
template <int LEFT_OPEN>
BASALT_DEVICE void awaitProducts() {
#if BASALT_WARPGROUPS
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT_OPEN) : "memory");
#endif
}

#if BASALT_WARPGROUPS
// A slab from outer index o on, as the instruction wants it told: where it begins, the bytes from 64 outer indices to the next where
// these are contiguous, and from eight rows to the next, in units of 16 bytes; the layout is the one of 128 bytes.
template <typename SLAB>
BASALT_DEVICE u64 described(const char* slab, int o) {
    unsigned from = (unsigned)__cvta_generic_to_shared(slab + o * 128);
    return (u64)((from & 0x3ffff) >> 4) | (u64)(SLAB::INNER ? 1 : 64 * 128 / 16) << 16 | (u64)(1024 / 16) << 32 | 1ull << 62;
}
// As far further on as an instruction goes: 32 bytes of inner indices.
template <typename SLAB>
static const int DESCRIBED_STEP = (SLAB::INNER ? 32 : 16 * 128) / 16;

#define BASALT_TEN(t) "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9,"
#define BASALT_64_SUMS                                                                                             \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9," BASALT_TEN(1) BASALT_TEN(2) BASALT_TEN(3) BASALT_TEN(4) BASALT_TEN(5)       \
    "%60,%61,%62,%63}"
#define BASALT_128_SUMS                                                                                            \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9," BASALT_TEN(1) BASALT_TEN(2) BASALT_TEN(3) BASALT_TEN(4) BASALT_TEN(5)       \
    BASALT_TEN(6) BASALT_TEN(7) BASALT_TEN(8) BASALT_TEN(9) BASALT_TEN(10) BASALT_TEN(11)                         \
    "%120,%121,%122,%123,%124,%125,%126,%127}"
#define BASALT_8_OUT(c, i)                                                                                         \
    "+f"((c)[i]), "+f"((c)[(i) + 1]), "+f"((c)[(i) + 2]), "+f"((c)[(i) + 3]), "+f"((c)[(i) + 4]),                 \
            "+f"((c)[(i) + 5]), "+f"((c)[(i) + 6]), "+f"((c)[(i) + 7])
#define BASALT_64_OUT(c, i)                                                                                        \
    BASALT_8_OUT(c, i), BASALT_8_OUT(c, (i) + 8), BASALT_8_OUT(c, (i) + 16), BASALT_8_OUT(c, (i) + 24),           \
            BASALT_8_OUT(c, (i) + 32), BASALT_8_OUT(c, (i) + 40), BASALT_8_OUT(c, (i) + 48), BASALT_8_OUT(c, (i) + 56)

template <int TYPE, int TURNED_A, int TURNED_B>
BASALT_DEVICE void groupProduct(float (&c)[64], u64 a, u64 b) {
    if constexpr (TYPE == F32) {
        static_assert(!TURNED_A && !TURNED_B, "as the instruction takes floats");
        asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 " BASALT_64_SUMS
                     ", %64, %65, p, 1, 1;}"
                     : BASALT_64_OUT(c, 0) : "l"(a), "l"(b), "r"(1));
    } else if constexpr (TYPE == F16) {
        asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " BASALT_64_SUMS
                     ", %64, %65, p, 1, 1, %67, %68;}"
                     : BASALT_64_OUT(c, 0) : "l"(a), "l"(b), "r"(1), "n"(TURNED_A), "n"(TURNED_B));
    } else {
        asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " BASALT_64_SUMS
                     ", %64, %65, p, 1, 1, %67, %68;}"
                     : BASALT_64_OUT(c, 0) : "l"(a), "l"(b), "r"(1), "n"(TURNED_A), "n"(TURNED_B));
    }
}
template <int TYPE, int TURNED_A, int TURNED_B>
BASALT_DEVICE void groupProduct(float (&c)[128], u64 a, u64 b) {
    if constexpr (TYPE == F32) {
        static_assert(!TURNED_A && !TURNED_B, "as the instruction takes floats");
        asm volatile("{.reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 " BASALT_128_SUMS
                     ", %128, %129, p, 1, 1;}"
                     : BASALT_64_OUT(c, 0), BASALT_64_OUT(c, 64) : "l"(a), "l"(b), "r"(1));
    } else if constexpr (TYPE == F16) {
        asm volatile("{.reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 " BASALT_128_SUMS
                     ", %128, %129, p, 1, 1, %131, %132;}"
                     : BASALT_64_OUT(c, 0), BASALT_64_OUT(c, 64) : "l"(a), "l"(b), "r"(1), "n"(TURNED_A), "n"(TURNED_B));
    } else {
        asm volatile("{.reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 " BASALT_128_SUMS
                     ", %128, %129, p, 1, 1, %131, %132;}"
                     : BASALT_64_OUT(c, 0), BASALT_64_OUT(c, 64) : "l"(a), "l"(b), "r"(1), "n"(TURNED_A), "n"(TURNED_B));
    }
}
// Bytes come with their inner indices contiguous, always; so do floats.
#define BASALT_8_INT(c, i)                                                                                         \
    "+r"((c)[i]), "+r"((c)[(i) + 1]), "+r"((c)[(i) + 2]), "+r"((c)[(i) + 3]), "+r"((c)[(i) + 4]),                 \
            "+r"((c)[(i) + 5]), "+r"((c)[(i) + 6]), "+r"((c)[(i) + 7])
#define BASALT_64_INT(c, i)                                                                                        \
    BASALT_8_INT(c, i), BASALT_8_INT(c, (i) + 8), BASALT_8_INT(c, (i) + 16), BASALT_8_INT(c, (i) + 24),           \
            BASALT_8_INT(c, (i) + 32), BASALT_8_INT(c, (i) + 40), BASALT_8_INT(c, (i) + 48), BASALT_8_INT(c, (i) + 56)
template <int TYPE, int TURNED_A, int TURNED_B>
BASALT_DEVICE void groupProduct(int (&c)[128], u64 a, u64 b) {
    static_assert(TYPE == I8 && !TURNED_A && !TURNED_B, "as the instruction takes them");
    asm volatile("{.reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 " BASALT_128_SUMS
                 ", %128, %129, p;}"
                 : BASALT_64_INT(c, 0), BASALT_64_INT(c, 64) : "l"(a), "l"(b), "r"(1));
}
#endif

template <int TYPE>
BASALT_DEVICE typename Factor<TYPE>::Sum factorOf(const char* p) {
    if constexpr (TYPE == I8) {
        return *(const signed char*)p;
    } else {
        return get<float, TYPE>(p, 0, TYPE);
    }
}

// Where sum i of a thread is in a product of 64 by 2·SUMS: its column of C (outer index of the first factor), and its row.
BASALT_DEVICE int columnOfSum(int i) { return threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8; }
BASALT_DEVICE int rowOfSum(int i) { return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2; }

// sums (64 columns of C from o on, 2·SUMS rows) += slab x · slab y over a stage.
template <int TYPE, typename SLAB_X, typename SLAB_Y, typename S, int SUMS>
BASALT_DEVICE void stageProducts(S (&sums)[SUMS], const char* x, int o, const char* y) {
    beginProducts();
#if BASALT_WARPGROUPS
    u64 a = described<SLAB_X>(x, o);
    u64 b = described<SLAB_Y>(y, 0);
#pragma unroll
    for (int l = 0; l < 4; l++) {
        groupProduct<TYPE, !SLAB_X::INNER, !SLAB_Y::INNER>(sums, a + l * DESCRIBED_STEP<SLAB_X>, b + l * DESCRIBED_STEP<SLAB_Y>);
    }
#else
#pragma unroll 1
    for (int l = 0; l < SLAB_X::DEPTH; l++) {
#pragma unroll
        for (int i = 0; i < SUMS; i++) {
            sums[i] += factorOf<TYPE>(x + SLAB_X::element(o + columnOfSum(i), l)) * factorOf<TYPE>(y + SLAB_Y::element(rowOfSum(i), l));
        }
    }
#endif
    endProducts();
}

}  // namespace basalt

#endif
