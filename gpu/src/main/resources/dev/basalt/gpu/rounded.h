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
    static const int CHUNKS = 8 / WARPS;  // of four inner indices, that a warp has

    unsigned kept[COUNT];
    const float* from;
    int warp, lane;

    static BASALT_DEVICE int element(int outer, int inner) { return placeOf(outer, inner / 4) + inner % 4 * 4; }

    BASALT_DEVICE void begin(const float* a, i64 ld, i64 o0, int thread) {
        warp = thread / 32;
        lane = thread % 32;
        from = INNER_CONTIGUOUS ? a + (o0 + warp) * ld + lane : a + o0 + lane + warp * 4 * ld;
    }
    BASALT_DEVICE int outerOf(int u) const { return INNER_CONTIGUOUS ? warp + u * WARPS : lane + u / (4 * CHUNKS) * 32; }
    BASALT_DEVICE int innerOf(int u) const { return INNER_CONTIGUOUS ? lane : chunkOf(u) * 4 + u % 4; }
    BASALT_DEVICE int chunkOf(int u) const { return warp + u / 4 % CHUNKS * WARPS; }
    // From element u's place in memory to the next one's.
    static BASALT_DEVICE i64 further(int u, i64 ld) {
        if (INNER_CONTIGUOUS) {
            return WARPS * ld;
        }
        return u % 4 < 3 ? ld : (u / 4 + 1) % CHUNKS > 0 ? (WARPS * 4 - 3) * ld : 32 - ((CHUNKS - 1) * WARPS * 4 + 3) * ld;
    }
    // Four elements from registers to their places.
    BASALT_DEVICE void store(char* tile, int u) {
        FourWords four;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            four.v[i] = toGroupTf32(kept[u + i]);
        }
        if constexpr (INNER_CONTIGUOUS) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                *(unsigned*)(tile + element(outerOf(u + i), lane)) = four.v[i];
            }
        } else {
            *(FourWords*)(tile + placeOf(outerOf(u), chunkOf(u))) = four;
        }
    }
    // The tile in registers goes into shared memory if there is one, and four by four the next one comes in its place, of which `left` outer and
    // `inner` inner indices are there and the others are zeros.
    BASALT_DEVICE void turn(char* tile, i64 ld, int left, int inner) {
        bool whole = left >= OUTER && inner >= DEPTH;
        const float* p = from;
        i64 step = numberAgain(ld);
#pragma unroll
        for (int u = 0; u < COUNT; u++) {
            if (tile && u % 4 == 0) {
                store(tile, u);
            }
            kept[u] = whole || (outerOf(u) < left && innerOf(u) < inner) ? wordAhead(p) : 0;
            p += further(u, step);
        }
        from += INNER_CONTIGUOUS ? DEPTH : DEPTH * ld;
    }
};

// Both factors of a tile of C, by THREADS threads that bring stages for others to multiply.
template <int ROWS, int COLUMNS, bool A_ROWS, bool B_COLUMNS, int THREADS>
struct RoundedStages {
    typedef RoundedSlab<ROWS, !A_ROWS, THREADS> SlabA;
    typedef RoundedSlab<COLUMNS, !B_COLUMNS, THREADS> SlabB;
    static const int BYTES = SlabA::BYTES + SlabB::BYTES;

    SlabA a;
    SlabB b;
    i64 lda, ldb;
    i64 k;  // what is still to be read
    int leftA, leftB;

    BASALT_DEVICE void begin(const Args& args, i64 problem, i64 i0, i64 j0, i64 inner, int thread) {
        k = inner;
        lda = args.a.ld;
        ldb = args.b.ld;
        leftA = (int)least(args.m - i0, ROWS);
        leftB = (int)least(args.n - j0, COLUMNS);
        a.begin(k > 0 ? at<float>(args.a, problem) : 0, lda, i0, thread);
        b.begin(k > 0 ? at<float>(args.b, problem) : 0, ldb, j0, thread);
        bring(0);
    }
    // The stage that is in registers goes into shared memory, and the next one sets out for registers.
    BASALT_DEVICE void bring(char* to) {
        int inner = (int)(k < 0 ? 0 : least(k, SlabA::DEPTH));
        a.turn(to, lda, leftA, inner);
        b.turn(to ? to + SlabA::BYTES : 0, ldb, leftB, inner);
        k -= SlabA::DEPTH;
    }
};

}  // namespace basalt

#endif
