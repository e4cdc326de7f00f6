// Products of numbers of 16 bits by tensor cores: how tiles of the factors lie in shared memory, how they come there, and how sums go
// from there into C. Products are formed as columns of C by rows of C, so that what a lane has together lies together in a column of C.
#ifndef BASALT_HALF_H
#define BASALT_HALF_H

#include "mixed.h"
#include "stages.h"

namespace basalt {

// 16 bytes to shared memory, of which the first `bytes` are read and the others zero.
BASALT_DEVICE void copyChunk(char* to, const char* from, int bytes) {
#if BASALT_CUDA_ARCH >= 800
    copyAhead16(to, from, bytes);
#else
    for (int i = 0; i < 16; i += 2) {
        *(unsigned short*)(to + i) = i < bytes ? *(const unsigned short*)(from + i) : (unsigned short)0;
    }
#endif
}

static const int CHUNK = 8;       // elements of 16 bytes
static const int HALF_DEPTH = 64;  // of a stage: a row of 128 bytes

// A tile of OUTER rows of op(A) or columns of op(B) by HALF_DEPTH along the inner dimension: rows of 128 bytes, whose eight chunks
// are permuted by the row, so that eight rows' chunks meet no bank twice. It is the layout "128-byte swizzle" of PTX.
// INNER_CONTIGUOUS: a row for each outer index; else atoms of 64 outer indices, each with a row for each inner index.
template <int OUTER, bool INNER_CONTIGUOUS, int THREADS>
struct Slab {
    static const int ROWS = INNER_CONTIGUOUS ? OUTER : (OUTER + 63) / 64 * HALF_DEPTH;
    static const int BYTES = ROWS * 128;
    static const int STEP = THREADS / 8;  // rows that are brought together

    static BASALT_DEVICE int place(int row, int chunk) { return row * 128 + ((chunk ^ row % 8) << 4); }
    // Where a chunk begins that has (outer, inner), one of which is a multiple of 8.
    static BASALT_DEVICE int chunkOf(int outer, int inner) {
        return INNER_CONTIGUOUS ? place(outer, inner / CHUNK) : place(outer / 64 * HALF_DEPTH + inner, outer % 64 / CHUNK);
    }
    static BASALT_DEVICE int element(int outer, int inner) {
        return chunkOf(outer, inner) + (INNER_CONTIGUOUS ? inner : outer) % CHUNK * 2;
    }

    // Of the chunk that this thread brings with step u: its first outer and inner index.
    static BASALT_DEVICE int outerOf(int u) {
        int row = threadIdx.x / 8 + u * STEP;
        return INNER_CONTIGUOUS ? row : u * STEP / HALF_DEPTH * 64 + threadIdx.x % 8 * CHUNK;
    }
    static BASALT_DEVICE int innerOf(int u) {
        return INNER_CONTIGUOUS ? threadIdx.x % 8 * CHUNK : threadIdx.x / 8 + u * STEP % HALF_DEPTH;
    }

    // The common case: an aligned tile that is wholly inside along the inner dimension. `from` is this thread's first chunk of it, and is moved
    // on to the next tile; `left` are the outer indices from the tile's first one on.
    static BASALT_DEVICE void follow(char* tile, const unsigned short*& from, i64 ld, int left) {
        char* to = tile + place(threadIdx.x / 8, threadIdx.x % 8);
#pragma unroll
        for (int u = 0; u < ROWS / STEP; u++) {
            int more = left - outerOf(u);
            int bytes = INNER_CONTIGUOUS ? (more > 0 ? 16 : 0) : more >= CHUNK ? 16 : more > 0 ? more * 2 : 0;
            i64 ahead = INNER_CONTIGUOUS ? u * STEP * ld : u * STEP / HALF_DEPTH * 64 + u * STEP % HALF_DEPTH * ld;
            if (OUTER % 64 == 0 || INNER_CONTIGUOUS || outerOf(u) < OUTER) {
                copyChunk(to + u * STEP * 128, (const char*)(from + (bytes > 0 ? ahead : 0)), bytes);
            }
        }
        from += INNER_CONTIGUOUS ? HALF_DEPTH : HALF_DEPTH * ld;
    }
    static BASALT_DEVICE const unsigned short* first(const unsigned short* a, i64 ld, i64 o0) {
        return INNER_CONTIGUOUS ? a + (o0 + outerOf(0)) * ld + innerOf(0) : a + o0 + outerOf(0) + innerOf(0) * ld;
    }

    // Any tile: inner indices from l0 on, of which `inner` are there and the others up to `depth` are zeros.
    static BASALT_DEVICE void load(char* tile, const unsigned short* a, i64 ld, i64 o0, int left, i64 l0, int inner, int depth, bool aligned) {
#pragma unroll 1
        for (int u = 0; u < ROWS / STEP; u++) {
            int o = outerOf(u);
            int l = innerOf(u);
            if (l >= depth || o >= OUTER) {
                continue;
            }
            int there = INNER_CONTIGUOUS ? (o < left ? inner - l : 0) : l < inner ? left - o : 0;
            there = there < 0 ? 0 : there > CHUNK ? CHUNK : there;
            const unsigned short* from = a;
            if (there > 0) {
                from += INNER_CONTIGUOUS ? (o0 + o) * ld + l0 + l : o0 + o + (l0 + l) * ld;
            }
            char* to = tile + chunkOf(o, l);
            if (aligned) {
                copyChunk(to, (const char*)from, there * 2);
            } else {
                Eight v;
#pragma unroll
                for (int e = 0; e < CHUNK; e++) {
                    v.v[e] = e < there ? from[e] : (unsigned short)0;
                }
                *(Eight*)to = v;
            }
        }
    }
};

// Both factors of a tile of C on their way: ROWS rows of op(A) and COLUMNS columns of op(B). WHOLE_STAGES: stages are multiplied to their
// end, else to the next multiple of 16.
template <int ROWS, int COLUMNS, bool A_ROWS, bool B_COLUMNS, int THREADS, bool WHOLE_STAGES>
struct HalfStages {
    typedef Slab<ROWS, !A_ROWS, THREADS> SlabA;
    typedef Slab<COLUMNS, !B_COLUMNS, THREADS> SlabB;
    static const int BYTES = SlabA::BYTES + SlabB::BYTES;

    const unsigned short* a;
    const unsigned short* b;
    const unsigned short* fromA;
    const unsigned short* fromB;
    i64 lda, ldb, i0, j0, k;
    int leftA, leftB, whole, steps;
    bool alignedA, alignedB;

    BASALT_DEVICE void begin(const Args& args, i64 problem, i64 row0, i64 column0, i64 inner) {
        i0 = row0;
        j0 = column0;
        k = inner;
        a = k > 0 ? at<unsigned short>(args.a, problem) : 0;
        b = k > 0 ? at<unsigned short>(args.b, problem) : 0;
        lda = args.a.ld;
        ldb = args.b.ld;
        leftA = (int)least(args.m - i0, ROWS);
        leftB = (int)least(args.n - j0, COLUMNS);
        alignedA = ((u64)a & 15) == 0 && lda % CHUNK == 0;
        alignedB = ((u64)b & 15) == 0 && ldb % CHUNK == 0;
        whole = alignedA && alignedB ? (int)(k / HALF_DEPTH) : 0;
        steps = (int)((k + HALF_DEPTH - 1) / HALF_DEPTH);
        fromA = SlabA::first(a, lda, i0);
        fromB = SlabB::first(b, ldb, j0);
    }
    // Once for each s, one after the other.
    BASALT_DEVICE void bring(char* to, int s) {
        if (s < whole) {
            SlabA::follow(to, fromA, lda, leftA);
            SlabB::follow(to + SlabA::BYTES, fromB, ldb, leftB);
        } else if (s < steps) {
            i64 l0 = (i64)s * HALF_DEPTH;
            int inner = (int)least(k - l0, HALF_DEPTH);
            int depth = WHOLE_STAGES ? HALF_DEPTH : (inner + 15) / 16 * 16;
            SlabA::load(to, a, lda, i0, leftA, l0, inner, depth, alignedA);
            SlabB::load(to + SlabA::BYTES, b, ldb, j0, leftB, l0, inner, depth, alignedB);
        }
    }
};

// Blocks (x) take tiles in bands of columns, so that those that run at once read few rows and few columns.
template <int ROWS, int COLUMNS>
struct BandOfTiles {
    i64 i0, j0;

    BASALT_DEVICE BandOfTiles(const Args& args, int band) {
        unsigned rows = (unsigned)((args.m + ROWS - 1) / ROWS);
        unsigned columns = (unsigned)((args.n + COLUMNS - 1) / COLUMNS);
        unsigned each = rows * band;
        unsigned which = blockIdx.x / each;
        unsigned left = columns - which * band;
        unsigned width = left < (unsigned)band ? left : band;
        unsigned inside = blockIdx.x - which * each;
        j0 = (i64)(which * band + inside % width) * COLUMNS;
        i0 = (i64)(inside / width) * ROWS;
    }
};

// ---- results

struct alignas(16) FourFloats {
    float v[4];
};

// Sums of a tile in shared memory: those of a column of C together, columns PITCH apart.
template <int ROWS>
struct Sums {
    static const int PITCH = ROWS + 8;
};

// C := alpha·sums + beta·C, one tile.
template <int ROWS, int COLUMNS, int THREADS, int TYPE>
BASALT_DEVICE void finishTile(const Args& args, char* c, const float* sums, i64 i0, i64 j0, float alpha, float beta) {
    const int SIZE = TYPE == F32 ? 4 : 2;
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
        const float* s = sums + j * Sums<ROWS>::PITCH + r;
        i64 where = i0 + r + (j0 + j) * args.c.ld;
        if (aligned && r + CHUNK <= rows) {
            alignas(16) char all[CHUNK * SIZE];
            FourFloats* pieces = (FourFloats*)all;
            FourFloats* to = (FourFloats*)(c + where * SIZE);
#pragma unroll
            for (int u = 0; beta != 0 && u < CHUNK * SIZE / 16; u++) {
                pieces[u] = to[u];
            }
#pragma unroll
            for (int u = 0; u < CHUNK; u++) {
                finish<float, TYPE>(all, u, type, alpha * s[u], beta);
            }
#pragma unroll
            for (int u = 0; u < CHUNK * SIZE / 16; u++) {
                to[u] = pieces[u];
            }
        } else {
            for (int u = 0; u < CHUNK && r + u < rows; u++) {
                finish<float, TYPE>(c, where + u, type, alpha * s[u], beta);
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

}  // namespace basalt

#endif
