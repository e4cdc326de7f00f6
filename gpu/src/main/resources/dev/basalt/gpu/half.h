// Products of numbers of 16 and 8 bits, and of rounded floats, by tensor cores: how tiles of the factors lie in shared memory, how they come there, and how sums go
// from there into C. Products are formed as columns of C by rows of C, so that what a lane has together lies together in a column of C.
#ifndef BASALT_HALF_H
#define BASALT_HALF_H

#include "mixed.h"
#include "stages.h"

namespace basalt {

struct alignas(16) FourWords {
    unsigned v[4];
};

// 16 bytes to shared memory, of which the first `bytes` are read and the others zero.
BASALT_DEVICE void copyChunk(char* to, const char* from, int bytes) {
#if BASALT_CUDA_ARCH >= 800
    copyAhead16(to, from, bytes);
#else
    for (int i = 0; i < 16; i++) {
        to[i] = i < bytes ? from[i] : 0;
    }
#endif
}

// Rows of 128 bytes in shared memory, whose eight chunks are permuted by the row, so that eight rows' chunks meet no bank twice:
// the layout "128-byte swizzle" of PTX.
BASALT_DEVICE int placeOf(int row, int chunk) { return row * 128 + ((chunk ^ row % 8) << 4); }

// A tile of OUTER rows of op(A) or columns of op(B) by DEPTH along the inner dimension, in such rows. INNER_CONTIGUOUS: one for each
// outer index; else atoms of DEPTH outer indices, each with a row for each inner index.
template <typename E, int OUTER, bool INNER_CONTIGUOUS, int THREADS>
struct Slab {
    static const bool INNER = INNER_CONTIGUOUS;
    static const int CHUNK = 16 / sizeof(E);  // elements of 16 bytes
    static const int DEPTH = 128 / sizeof(E);
    static const int ROWS = INNER_CONTIGUOUS ? OUTER : (OUTER + DEPTH - 1) / DEPTH * DEPTH;
    static const int BYTES = ROWS * 128;
    static const int STEP = THREADS / 8;  // rows that are brought together

    // Where a chunk begins that has (outer, inner), one of which is a multiple of CHUNK.
    static BASALT_DEVICE int chunkOf(int outer, int inner) {
        return INNER_CONTIGUOUS ? placeOf(outer, inner / CHUNK) : placeOf(outer / DEPTH * DEPTH + inner, outer % DEPTH / CHUNK);
    }
    static BASALT_DEVICE int element(int outer, int inner) {
        return chunkOf(outer, inner) + (INNER_CONTIGUOUS ? inner : outer) % CHUNK * (int)sizeof(E);
    }
    static BASALT_DEVICE bool aligned(const E* a, i64 ld) { return ((u64)a & 15) == 0 && ld % CHUNK == 0; }

    // Of the chunk that this thread brings with step u: its first outer and inner index.
    static BASALT_DEVICE int outerOf(int t, int u) {
        int row = t / 8 + u * STEP;
        return INNER_CONTIGUOUS ? row : u * STEP / DEPTH * DEPTH + t % 8 * CHUNK;
    }
    static BASALT_DEVICE int innerOf(int t, int u) {
        return INNER_CONTIGUOUS ? t % 8 * CHUNK : t / 8 + u * STEP % DEPTH;
    }

    // This thread's first chunk of the first tile.
    static BASALT_DEVICE const E* first(const E* a, i64 ld, i64 o0) {
        int t = threadIdx.x;
        return INNER_CONTIGUOUS ? a + (o0 + outerOf(t, 0)) * ld + innerOf(t, 0) : a + o0 + outerOf(t, 0) + innerOf(t, 0) * ld;
    }
    // From step u to the next one.
    static BASALT_DEVICE i64 further(int u, i64 ld) {
        return INNER_CONTIGUOUS || (u + 1) * STEP % DEPTH != 0 ? STEP * ld : DEPTH - (DEPTH - STEP) * ld;
    }
    static BASALT_DEVICE int some(int there) { return there < 0 ? 0 : there > CHUNK ? CHUNK : there; }
    // How many elements of that chunk are inside, from the tile's first outer and inner index on.
    static BASALT_DEVICE int inside(int t, int u, int left, int inner) {
        int outerMore = left - outerOf(t, u);
        int innerMore = inner - innerOf(t, u);
        return INNER_CONTIGUOUS ? (outerMore > 0 ? some(innerMore) : 0) : innerMore > 0 ? some(outerMore) : 0;
    }
    // The next tile: `from` is this thread's first chunk of it, and is moved on to the one after it. `left` outer and `inner` inner
    // indices are there; inner ones behind them up to `depth` are zeros, what else is outside is left as it is.
    // SPARING: registers matter more than instructions.
    template <bool SPARING>
    static BASALT_DEVICE void follow(char* tile, const E*& from, i64 ld, int left, int inner, int depth, bool aligned) {
        int t = SPARING ? threadAgain() : (int)threadIdx.x;
        char* to = tile + placeOf(t / 8, t % 8);
        const E* p = from;
        ld = SPARING ? numberAgain(ld) : ld;
        if (aligned && left >= OUTER && inner >= DEPTH) {
#pragma unroll
            for (int u = 0; u < ROWS / STEP; u++) {
                if (OUTER % DEPTH == 0 || INNER_CONTIGUOUS || outerOf(t, u) < OUTER) {
                    copyChunk(to + u * STEP * 128, (const char*)p, 16);
                }
                p += further(u, ld);
            }
        } else if (aligned && left % CHUNK == 0 && inner == depth) {
            // Chunks are there or not.
#pragma unroll
            for (int u = 0; u < ROWS / STEP; u++) {
                if (outerOf(t, u) < left && outerOf(t, u) < OUTER && innerOf(t, u) < inner) {
                    copyChunk(to + u * STEP * 128, (const char*)p, 16);
                }
                p += further(u, ld);
            }
        } else if (aligned) {
#pragma unroll 1
            for (int u = 0; u < ROWS / STEP; u++) {
                if (outerOf(t, u) < left && outerOf(t, u) < OUTER && innerOf(t, u) < depth) {
                    copyChunk(to + u * STEP * 128, (const char*)p, inside(t, u, left, inner) * (int)sizeof(E));
                }
                p += further(u, ld);
            }
        } else {
#pragma unroll 1
            for (int u = 0; u < ROWS / STEP; u++) {
                int there = inside(t, u, left, inner);
                union {
                    E v[CHUNK];
                    Eight all;
                } chunk;
#pragma unroll
                for (int e = 0; e < CHUNK; e++) {
                    chunk.v[e] = e < there ? p[e] : (E)0;
                }
                *(Eight*)(to + u * STEP * 128) = chunk.all;
                p += further(u, ld);
            }
        }
        from += INNER_CONTIGUOUS ? DEPTH : DEPTH * ld;
    }
};

// Bytes 0…7 of two words that four digits name.
BASALT_DEVICE unsigned selectBytes(unsigned a, unsigned b, unsigned digits) {
#if BASALT_CUDA_ARCH > 0
    return __byte_perm(a, b, digits);
#else
    u64 both = (u64)b << 32 | a;
    unsigned v = 0;
    for (int i = 0; i < 4; i++) {
        v |= (unsigned)(both >> (digits >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    }
    return v;
#endif
}

// Bytes whose outer indices are contiguous in device memory and whose inner ones shall be in shared memory, which is all that
// tensor cores take of bytes: a thread turns four outer indices by sixteen inner ones in registers.
template <int OUTER, int THREADS>
struct TurnedSlab {
    typedef signed char E;
    static const bool INNER = true;
    static const int DEPTH = 128;
    static const int BYTES = OUTER * 128;

    static BASALT_DEVICE int element(int outer, int inner) { return placeOf(outer, inner / 16) + inner % 16; }
    static BASALT_DEVICE bool aligned(const E* a, i64 ld) { return ((u64)a & 3) == 0 && ld % 4 == 0; }
    static BASALT_DEVICE const E* first(const E* a, i64, i64 o0) { return a + o0; }

    template <bool>
    static BASALT_DEVICE void follow(char* tile, const E*& from, i64 ld, int left, int inner, int, bool aligned) {
        int lane = threadIdx.x % 32;
#pragma unroll 1
        for (int w = threadIdx.x / 32; w < OUTER / 32 * 2; w += THREADS / 32) {
            // Lanes such that 32 bytes are read together and eight chunks are written to different banks.
            int o = w % (OUTER / 32) * 32 + (lane % 2 + lane / 8 * 2) * 4;
            int chunk = w / (OUTER / 32) * 4 + lane / 2 % 4;
            unsigned turned[4][4];
#pragma unroll
            for (int g = 0; g < 4; g++) {
                unsigned v[4];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    int l = chunk * 16 + g * 4 + i;
                    const E* p = from + o + l * ld;
                    if (aligned && o + 4 <= left) {
                        v[i] = l < inner ? *(const unsigned*)p : 0;
                    } else {
                        v[i] = 0;
                        for (int e = 0; e < 4; e++) {
                            v[i] |= l < inner && o + e < left ? (unsigned)(unsigned char)p[e] << 8 * e : 0;
                        }
                    }
                }
                unsigned low01 = selectBytes(v[0], v[1], 0x5140);
                unsigned low23 = selectBytes(v[2], v[3], 0x5140);
                unsigned high01 = selectBytes(v[0], v[1], 0x7362);
                unsigned high23 = selectBytes(v[2], v[3], 0x7362);
                turned[0][g] = selectBytes(low01, low23, 0x5410);
                turned[1][g] = selectBytes(low01, low23, 0x7632);
                turned[2][g] = selectBytes(high01, high23, 0x5410);
                turned[3][g] = selectBytes(high01, high23, 0x7632);
            }
#pragma unroll
            for (int e = 0; e < 4; e++) {
                FourWords four;
#pragma unroll
                for (int g = 0; g < 4; g++) {
                    four.v[g] = turned[e][g];
                }
                *(FourWords*)(tile + placeOf(o + e, chunk)) = four;
            }
        }
        from += DEPTH * ld;
    }
};

template <typename E, int OUTER, bool INNER_CONTIGUOUS, int THREADS>
struct SlabOf {
    typedef Slab<E, OUTER, INNER_CONTIGUOUS, THREADS> Type;
};
template <int OUTER, int THREADS>
struct SlabOf<signed char, OUTER, false, THREADS> {
    typedef TurnedSlab<OUTER, THREADS> Type;
};

// What a factor's elements are in memory, and what sums of products of them are.
template <int TYPE>
struct Factor {
    typedef unsigned short E;
    typedef float Sum;
};
template <>
struct Factor<F32> {
    typedef float E;
    typedef float Sum;
};
template <>
struct Factor<I8> {
    typedef signed char E;
    typedef int Sum;
};

// Both factors of a tile of C on their way: ROWS rows of op(A) and COLUMNS columns of op(B). WHOLE_STAGES: stages are multiplied to their
// end, by a kernel that has registers enough; else to the next multiple of 16.
template <typename E, int ROWS, int COLUMNS, bool A_ROWS, bool B_COLUMNS, int THREADS, bool WHOLE_STAGES>
struct FactorStages {
    static const bool PUBLISHED = false;  // what it brings, for tensor cores that read shared memory
    typedef typename SlabOf<E, ROWS, !A_ROWS, THREADS>::Type SlabA;
    typedef typename SlabOf<E, COLUMNS, !B_COLUMNS, THREADS>::Type SlabB;
    static const int DEPTH = 128 / sizeof(E);
    static const int BYTES = SlabA::BYTES + SlabB::BYTES;

    const E* fromA;
    const E* fromB;
    i64 lda, ldb;
    i64 k;  // what is still to be brought
    int leftA, leftB, steps;
    bool alignedA, alignedB;

    BASALT_DEVICE void begin(const Args& args, i64 problem, i64 i0, i64 j0, i64 inner) {
        k = inner;
        const E* a = k > 0 ? at<E>(args.a, problem) : 0;
        const E* b = k > 0 ? at<E>(args.b, problem) : 0;
        lda = args.a.ld;
        ldb = args.b.ld;
        leftA = (int)least(args.m - i0, ROWS);
        leftB = (int)least(args.n - j0, COLUMNS);
        alignedA = SlabA::aligned(a, lda);
        alignedB = SlabB::aligned(b, ldb);
        steps = (int)((k + DEPTH - 1) / DEPTH);
        fromA = SlabA::first(a, lda, i0);
        fromB = SlabB::first(b, ldb, j0);
    }
    // The next stage, if there is one.
    BASALT_DEVICE void bring(char* to) {
        if (k > 0) {
            int inner = (int)least(k, DEPTH);
            int depth = WHOLE_STAGES ? DEPTH : (inner + 15) / 16 * 16;
            SlabA::template follow<!WHOLE_STAGES>(to, fromA, lda, leftA, inner, depth, alignedA);
            SlabB::template follow<!WHOLE_STAGES>(to + SlabA::BYTES, fromB, ldb, leftB, inner, depth, alignedB);
            k -= DEPTH;
        }
    }
};

// Blocks (x) take tiles in bands of columns, so that those that run at once read few rows and few columns.
template <int ROWS, int COLUMNS>
struct BandOfTiles {
    i64 i0, j0;

    // The only one.
    BASALT_DEVICE BandOfTiles() : i0(0), j0(0) {}
    BASALT_DEVICE BandOfTiles(const Args& args, int band) : BandOfTiles(args, band, blockIdx.x) {}

    // The so-manieth tile.
    BASALT_DEVICE BandOfTiles(const Args& args, int band, unsigned tile) {
        unsigned rows = (unsigned)((args.m + ROWS - 1) / ROWS);
        unsigned columns = (unsigned)((args.n + COLUMNS - 1) / COLUMNS);
        unsigned each = rows * band;
        unsigned which = tile / each;
        unsigned left = columns - which * band;
        unsigned width = left < (unsigned)band ? left : band;
        unsigned inside = tile - which * each;
        j0 = (i64)(which * band + inside % width) * COLUMNS;
        i0 = (i64)(inside / width) * ROWS;
    }
};

// The nearest number with ten bits of fraction, ties away from zero. NaN and infinities stay.
BASALT_DEVICE unsigned toTf32(unsigned x) {
#if BASALT_CUDA_ARCH >= 800
    unsigned rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(__uint_as_float(x)));
    return rounded;
#else
    return (x & 0x7f800000u) == 0x7f800000u ? x : (x + 0x1000) & ~0x1fffu;
#endif
}

// ---- results

static const int CHUNK = 8;  // rows that a thread finishes together

// Sums of a tile in shared memory: those of a column of C together, columns PITCH apart.
template <int ROWS>
struct Sums {
    static const int PITCH = ROWS + 8;
};
// Those of two rows.
template <typename S>
struct alignas(8) Two {
    S v[2];
};
template <typename S>
BASALT_DEVICE void keepTwo(S* at, S upper, S lower) {
    Two<S> two;
    two.v[0] = upper;
    two.v[1] = lower;
    *(Two<S>*)at = two;
}

// C := alpha·sums + beta·C, one tile.
template <int ROWS, int COLUMNS, int THREADS, int TYPE, typename S>
BASALT_DEVICE void finishTile(const Args& args, char* c, const S* sums, i64 i0, i64 j0, S alpha, S beta) {
    const int SIZE = TYPE == F32 || TYPE == I32 ? 4 : 2;
    int rows = (int)least(args.m - i0, ROWS);
    int columns = (int)least(args.n - j0, COLUMNS);
    bool aligned = TYPE != ANY && ((u64)c & 15) == 0 && args.c.ld * SIZE % 16 == 0;
    int type = typeC(args);
    for (int e = threadIdx.x; e < ROWS / CHUNK * COLUMNS; e += THREADS) {
        int r = e % (ROWS / CHUNK) * CHUNK;
        int j = e / (ROWS / CHUNK);
        if (r >= rows || j >= columns) {
            continue;
        }
        const S* s = sums + j * Sums<ROWS>::PITCH + r;
        i64 where = i0 + r + (j0 + j) * args.c.ld;
        if (aligned && r + CHUNK <= rows) {
            alignas(16) char all[CHUNK * SIZE];
            FourWords* pieces = (FourWords*)all;
            FourWords* to = (FourWords*)(c + where * SIZE);
#pragma unroll
            for (int u = 0; beta != 0 && u < CHUNK * SIZE / 16; u++) {
                pieces[u] = to[u];
            }
#pragma unroll
            for (int u = 0; u < CHUNK; u++) {
                finishSum<TYPE>(all, u, type, scaledSum(alpha, s[u]), beta);
            }
#pragma unroll
            for (int u = 0; u < CHUNK * SIZE / 16; u++) {
                to[u] = pieces[u];
            }
        } else {
            for (int u = 0; u < CHUNK && r + u < rows; u++) {
                finishSum<TYPE>(c, where + u, type, scaledSum(alpha, s[u]), beta);
            }
        }
    }
}

template <int ROWS, int COLUMNS, int THREADS>
BASALT_DEVICE void finishTile(const Args& args, i64 problem, const float* sums, i64 i0, i64 j0, float alpha, float beta) {
    char* c = at<char>(args.c, problem);
    switch (typeC(args)) {
        case F16: finishTile<ROWS, COLUMNS, THREADS, F16>(args, c, sums, i0, j0, alpha, beta); break;
        case BF16: finishTile<ROWS, COLUMNS, THREADS, BF16>(args, c, sums, i0, j0, alpha, beta); break;
        case F32: finishTile<ROWS, COLUMNS, THREADS, F32>(args, c, sums, i0, j0, alpha, beta); break;
        default: finishTile<ROWS, COLUMNS, THREADS, ANY>(args, c, sums, i0, j0, alpha, beta);
    }
}
template <int ROWS, int COLUMNS, int THREADS>
BASALT_DEVICE void finishTile(const Args& args, i64 problem, const int* sums, i64 i0, i64 j0, int alpha, int beta) {
    finishTile<ROWS, COLUMNS, THREADS, I32>(args, at<char>(args.c, problem), sums, i0, j0, alpha, beta);
}

}  // namespace basalt

#endif
