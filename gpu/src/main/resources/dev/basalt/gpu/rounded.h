// Tiles of floats on their way to products of four warps: threads read them into registers, round them to ten bits of fraction ("TF32") and
// write them into shared memory a stage later. The products want inner indices contiguous there, whatever is contiguous in memory.
#ifndef BASALT_ROUNDED_H
#define BASALT_ROUNDED_H

#include "half.h"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define BASALT_WARPGROUPS 1
#else
#define BASALT_WARPGROUPS 0
#endif

namespace basalt {

// A float that is needed later: the compiler leaves the load where it stands.
BASALT_DEVICE unsigned wordAhead(const float* from) {
#if BASALT_CUDA_ARCH > 0
    unsigned v;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from));
    return v;
#else
    return *(const unsigned*)from;
#endif
}

// What threads wrote into shared memory, or had copied there, before a barrier is what tensor cores read behind it.
BASALT_DEVICE void publish() {
#if BASALT_WARPGROUPS
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}
// To ten bits of fraction as tensor cores of four warps take it, which leave the others alone: the nearest, ties away from zero.
BASALT_DEVICE unsigned toGroupTf32(unsigned x) {
#if BASALT_WARPGROUPS
    return fabsf(__uint_as_float(x)) < __int_as_float(0x7f800000) ? x + 0x1000 : x;
#else
    return toTf32(x);
#endif
}

// OUTER rows of op(A) or columns of op(B) by 32 inner indices, in rows of 128 bytes. INNER_CONTIGUOUS: as they are in device memory. Lanes read 32
// inner indices of a row where these are contiguous, else 32 rows of one inner index.
template <int OUTER, bool INNER_CONTIGUOUS, int THREADS>
struct RoundedSlab {
    static const bool INNER = true;
    static const int DEPTH = 32;
    static const int BYTES = OUTER * 128;
    static const int WARPS = THREADS / 32;
    static const int COUNT = OUTER * DEPTH / THREADS;
    static_assert(INNER_CONTIGUOUS || WARPS * 4 == DEPTH, "a warp for each chunk of four inner indices");

    unsigned kept[COUNT];
    const float* from;

    static BASALT_DEVICE int element(int outer, int inner) { return placeOf(outer, inner / 4) + inner % 4 * 4; }
    static BASALT_DEVICE int outerOf(int u) {
        return INNER_CONTIGUOUS ? threadIdx.x / 32 + u * WARPS : threadIdx.x % 32 + u / 4 * 32;
    }
    static BASALT_DEVICE int innerOf(int u) { return INNER_CONTIGUOUS ? threadIdx.x % 32 : threadIdx.x / 32 * 4 + u % 4; }

    BASALT_DEVICE void begin(const float* a, i64 ld, i64 o0) {
        from = INNER_CONTIGUOUS ? a + (o0 + outerOf(0)) * ld + innerOf(0) : a + o0 + outerOf(0) + innerOf(0) * ld;
#pragma unroll
        for (int u = 0; u < COUNT; u++) {
            kept[u] = 0;
        }
    }
    BASALT_DEVICE const float* place(int u, i64 ld) const {
        return INNER_CONTIGUOUS ? from + u * (WARPS * ld) : from + u / 4 * 32 + u % 4 * ld;
    }
    // The next tile, of which `left` outer and `inner` inner indices are there and the others are zeros.
    BASALT_DEVICE void fetch(i64 ld, int left, int inner) {
        if (left >= OUTER && inner >= DEPTH) {
#pragma unroll
            for (int u = 0; u < COUNT; u++) {
                kept[u] = wordAhead(place(u, ld));
            }
        } else {
#pragma unroll
            for (int u = 0; u < COUNT; u++) {
                kept[u] = outerOf(u) < left && innerOf(u) < inner ? wordAhead(place(u, ld)) : 0;
            }
        }
        from += INNER_CONTIGUOUS ? DEPTH : DEPTH * ld;
    }
    BASALT_DEVICE void store(char* tile) const {
        if constexpr (INNER_CONTIGUOUS) {
#pragma unroll
            for (int u = 0; u < COUNT; u++) {
                *(unsigned*)(tile + element(outerOf(u), innerOf(u))) = toGroupTf32(kept[u]);
            }
        } else {
#pragma unroll
            for (int u = 0; u < COUNT; u += 4) {
                FourWords four;
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    four.v[i] = toGroupTf32(kept[u + i]);
                }
                *(FourWords*)(tile + element(outerOf(u), innerOf(u))) = four;
            }
        }
    }
};

// As FactorStages, of floats that are rounded.
template <int ROWS, int COLUMNS, bool A_ROWS, bool B_COLUMNS, int THREADS>
struct RoundedStages {
    typedef RoundedSlab<ROWS, !A_ROWS, THREADS> SlabA;
    typedef RoundedSlab<COLUMNS, !B_COLUMNS, THREADS> SlabB;
    static const int BYTES = SlabA::BYTES + SlabB::BYTES;
    static const bool PUBLISHED = true;

    SlabA a;
    SlabB b;
    i64 lda, ldb;
    i64 k;  // what is still to be read
    int leftA, leftB, steps;

    BASALT_DEVICE void begin(const Args& args, i64 problem, i64 i0, i64 j0, i64 inner) {
        k = inner;
        lda = args.a.ld;
        ldb = args.b.ld;
        leftA = (int)least(args.m - i0, ROWS);
        leftB = (int)least(args.n - j0, COLUMNS);
        steps = (int)((k + SlabA::DEPTH - 1) / SlabA::DEPTH);
        a.begin(k > 0 ? at<float>(args.a, problem) : 0, lda, i0);
        b.begin(k > 0 ? at<float>(args.b, problem) : 0, ldb, j0);
        fetch();
    }
    BASALT_DEVICE void fetch() {
        if (k > 0) {
            int inner = (int)least(k, SlabA::DEPTH);
            a.fetch(lda, leftA, inner);
            b.fetch(ldb, leftB, inner);
            k -= SlabA::DEPTH;
        }
    }
    // The next stage, which is in registers; then the one after it sets out. Behind the last one the stage's contents do not matter. To publish takes as
    // long as loads that are under way, so it comes before them.
    BASALT_DEVICE void bring(char* to) {
        a.store(to);
        b.store(to + SlabA::BYTES);
        publish();
        fetch();
    }
};

}  // namespace basalt

#endif
