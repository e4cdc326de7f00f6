// C := alpha·op(A)·op(B) + beta·C where A and B are halves or bfloat16, by 16×8×16 products of a warp with sums in float, or floats that are
// rounded to ten bits of fraction ("TF32"), by 16×8×8 products, or to halves or bfloat16: instructions of the tensor cores from compute
// capability 8.0 on, shuffles elsewhere. C has any type; of floats it is floats.
#include "half.h"

namespace basalt {

template <int TYPE>
BASALT_DEVICE float lowOf(unsigned pair) {
    return TYPE == F16 ? fromHalf((unsigned short)pair) : fromBrain((unsigned short)pair);
}

// c (16×8) += a (16×8) · b (8×8). With g = lane / 4 and q = lane % 4 a lane holds of a: (g, q) (g+8, q) (g, q+4) (g+8, q+4); of b: (q, g)
// (q+4, g); of c: (g, 2q) (g, 2q+1) (g+8, 2q) (g+8, 2q+1).
BASALT_DEVICE void floatProduct(float* c, const unsigned* a, unsigned b0, unsigned b1) {
#if BASALT_CUDA_ARCH >= 800
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
    for (int l = 0; l < 8; l++) {
        int part = l / 4;
        float upper = floatOf((unsigned)shuffle((int)a[2 * part], 4 * g + l % 4));
        float lower = floatOf((unsigned)shuffle((int)a[2 * part + 1], 4 * g + l % 4));
        float left = floatOf((unsigned)shuffle((int)(part == 0 ? b0 : b1), 8 * q + l % 4));
        float right = floatOf((unsigned)shuffle((int)(part == 0 ? b0 : b1), 8 * q + 4 + l % 4));
        c[0] += upper * left;
        c[1] += upper * right;
        c[2] += lower * left;
        c[3] += lower * right;
    }
#endif
}

// c (16×8) += a (16×16) · b (16×8). With g = lane / 4 and q = lane % 4 a lane holds pairs along the inner dimension, of a: (g, 2q)
// (g+8, 2q) (g, 2q+8) (g+8, 2q+8); of b: (2q, g) (2q+8, g); of c: (g, 2q) (g, 2q+1) (g+8, 2q) (g+8, 2q+1).
template <int TYPE>
BASALT_DEVICE void halfProduct(float* c, const unsigned* a, unsigned b0, unsigned b1) {
#if BASALT_CUDA_ARCH >= 800
    if constexpr (TYPE == F16) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    } else {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
#else
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
    for (int l = 0; l < 8; l++) {
        int part = l / 4;
        unsigned upper = (unsigned)shuffle((int)a[2 * part], 4 * g + l % 4);
        unsigned lower = (unsigned)shuffle((int)a[2 * part + 1], 4 * g + l % 4);
        unsigned left = (unsigned)shuffle((int)(part == 0 ? b0 : b1), 8 * q + l % 4);
        unsigned right = (unsigned)shuffle((int)(part == 0 ? b0 : b1), 8 * q + 4 + l % 4);
        for (int h = 0; h < 32; h += 16) {
            c[0] += lowOf<TYPE>(upper >> h) * lowOf<TYPE>(left >> h);
            c[1] += lowOf<TYPE>(upper >> h) * lowOf<TYPE>(right >> h);
            c[2] += lowOf<TYPE>(lower >> h) * lowOf<TYPE>(left >> h);
            c[3] += lowOf<TYPE>(lower >> h) * lowOf<TYPE>(right >> h);
        }
    }
#endif
}

// Four matrices of eight rows of 16 bytes: lane i has the address of row i % 8 of matrix i / 8, so many bytes behind `slab`, and gets 4 bytes of row i / 4 of each.
template <bool TURNED>
BASALT_DEVICE void loadMatrices(const char* slab, int place, unsigned* to) {
#if BASALT_CUDA_ARCH >= 800
    unsigned from = (unsigned)__cvta_generic_to_shared(slab) + place;
    if constexpr (TURNED) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
    }
#endif
}

// Outer indices o…o+15 by inner ones l…l+15 of a slab, as pairs along the inner dimension: (g, 2q) (g+8, 2q) (g, 2q+8) (g+8, 2q+8).
template <typename SLAB>
BASALT_DEVICE void loadFragment(const char* slab, int o, int l, unsigned* to) {
    int lane = threadIdx.x % 32;
#if BASALT_CUDA_ARCH >= 800
    // o and l are multiples of 16, so a chunk is permuted by its lane, and those of o or l are even: their sums are exclusive ors, of which the lane's part is the same for all.
    int which = lane / 8;
    if constexpr (SLAB::INNER) {
        int own = (which % 2 * 8 + lane % 8) * 128 + ((which / 2 ^ lane % 8) << 4);
        loadMatrices<false>(slab, (own ^ l * 2) + o * 128, to);
    } else {
        int own = (which / 2 * 8 + lane % 8) * 128 + ((which % 2 ^ lane % 8) << 4);
        loadMatrices<true>(slab, (own ^ o % SLAB::DEPTH * 2) + (o / SLAB::DEPTH * SLAB::DEPTH + l) * 128, to);
    }
#else
    for (int i = 0; i < 4; i++) {
        int outer = o + lane / 4 + i % 2 * 8;
        int inner = l + lane % 4 * 2 + i / 2 * 8;
        unsigned low = *(const unsigned short*)(slab + SLAB::element(outer, inner));
        unsigned high = *(const unsigned short*)(slab + SLAB::element(outer, inner + 1));
        to[i] = low | high << 16;
    }
#endif
}

// Outer indices o…o+15 by inner ones l…l+7 of a slab of floats: (g, q) (g+8, q) (g, q+4) (g+8, q+4).
template <typename SLAB>
BASALT_DEVICE void loadFloats(const char* slab, int o, int l, unsigned* to) {
    int lane = threadIdx.x % 32;
#if BASALT_CUDA_ARCH >= 800
    const bool TOGETHER = SLAB::INNER;
#else
    const bool TOGETHER = false;
#endif
    if constexpr (TOGETHER) {
        // As of halves: a row of eight of these is one of four floats, so each lane has a float.
        int which = lane / 8;
        int place = (o + which % 2 * 8 + lane % 8) * 128 + ((l / 4 + which / 2 ^ lane % 8) << 4);
        loadMatrices<false>(slab, place, to);
    } else {
        // Lanes of odd q take their second number first: so no two lanes meet in a bank where outer indices are contiguous.
        int outer = o + lane / 4;
        int inner = l + lane % 4;
        int odd = lane % 2;
        for (int h = 0; h < 2; h++) {
            unsigned first = *(const unsigned*)(slab + SLAB::element(outer + 8 * h, inner + 4 * odd));
            unsigned second = *(const unsigned*)(slab + SLAB::element(outer + 8 * h, inner + 4 - 4 * odd));
            to[h] = odd ? second : first;
            to[h + 2] = odd ? first : second;
        }
    }
}

// Two floats, rounded to the nearest numbers of 16 bits, ties to even.
template <int TYPE>
BASALT_DEVICE unsigned pairOf(unsigned low, unsigned high) {
#if BASALT_CUDA_ARCH >= 800
    unsigned pair;
    if constexpr (TYPE == F16) {
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(__uint_as_float(high)), "f"(__uint_as_float(low)));
    } else {
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(__uint_as_float(high)), "f"(__uint_as_float(low)));
    }
    return pair;
#else
    unsigned x = TYPE == F16 ? toHalf(floatOf(low)) : toBrain(floatOf(low));
    unsigned y = TYPE == F16 ? toHalf(floatOf(high)) : toBrain(floatOf(high));
    return x | y << 16;
#endif
}

// Outer indices o…o+15 of a slab of floats as the products take them, rounded: TF32 by eight inner ones, others by sixteen. Which inner index
// stands where matters to nobody as long as both factors agree: a lane has q with q + 4, and q + 8 with q + 12.
template <int TYPE, typename SLAB>
BASALT_DEVICE void loadRounded(const char* slab, int o, int l, unsigned* to) {
    unsigned x[4];
    loadFloats<SLAB>(slab, o, l, x);
    if constexpr (TYPE == F32) {
        for (int i = 0; i < 4; i++) {
            to[i] = toTf32(x[i]);
        }
    } else {
        unsigned y[4];
        loadFloats<SLAB>(slab, o, l + 8, y);
        for (int i = 0; i < 2; i++) {
            to[i] = pairOf<TYPE>(x[i], x[i + 2]);
            to[i + 2] = pairOf<TYPE>(y[i], y[i + 2]);
        }
    }
}

template <int TYPE>
BASALT_DEVICE void warpProduct(float* c, const unsigned* a, unsigned b0, unsigned b1) {
    if constexpr (TYPE == F32) {
        floatProduct(c, a, b0, b1);
    } else {
        halfProduct<TYPE>(c, a, b0, b1);
    }
}

// Outer indices o…o+15 of a slab, as the products take them. FLOATS: it holds floats.
template <int TYPE, bool FLOATS, typename SLAB>
BASALT_DEVICE void loadFactor(const char* slab, int o, int l, unsigned* to) {
    if constexpr (FLOATS) {
        loadRounded<TYPE, SLAB>(slab, o, l, to);
    } else {
        loadFragment<SLAB>(slab, o, l, to);
    }
}

// The tiles of all problems, one after the other, of which a block takes every so many: the factors of the next ones are on their way while sums
// of this one are formed and stored.
template <typename Stages, int ORDER>
struct TilesOfProblems {
    unsigned each;  // of a problem
    i64 all;
    i64 ahead;  // the next one that nothing was brought of
    Stages pipe;

    BASALT_DEVICE explicit TilesOfProblems(const Args& args) {
        each = (unsigned)((args.m + ORDER - 1) / ORDER) * (unsigned)((args.n + ORDER - 1) / ORDER);
        all = each * (CAPPED ? 1 : args.count);
        ahead = blockIdx.x;
        pipe.k = 0;
    }
    BASALT_DEVICE i64 problem(const Args& args, i64 tile) const { 
        return CAPPED ? args.count - 1 : each == 1 ? tile : tile / each;
    }
    BASALT_DEVICE BandOfTiles<ORDER, ORDER> place(const Args& args, i64 tile) const {
        return each == 1 ? BandOfTiles<ORDER, ORDER>() : BandOfTiles<ORDER, ORDER>(args, 8, (unsigned)(tile % each));
    }

    // The first tile from one on whose problem is not skipped.
    BASALT_DEVICE i64 from(const Args& args, i64 tile) const {
        while (tile < all && skips(args, problem(args, tile))) {
            tile += gridDim.x;
        }
        return tile;
    }

    // The next stage of the first tile that has one left.
    BASALT_DEVICE void bring(const Args& args, i64 inner, char* to) {
        if (pipe.k <= 0) {
            ahead = from(args, ahead);
            if (ahead < all) {
                auto tile = place(args, ahead);
                pipe.begin(args, problem(args, ahead), tile.i0, tile.j0, inner);
                ahead += gridDim.x;
            }
        }
        pipe.bring(to);
        endStage();
    }
};

// Sums in one or two rows of a column of C.
BASALT_APART void finishApart(char* c, i64 where, int rows, int type, float upper, float lower, float beta) {
    finishSum<ANY>(c, where, type, upper, beta);
    if (rows > 1) {
        finishSum<ANY>(c, where + 1, type, lower, beta);
    }
}

// Two words that nobody reads soon, so that they need no place in the caches.
BASALT_DEVICE void keepApart(unsigned short* to, unsigned upper, unsigned lower) {
#if BASALT_CUDA_ARCH > 0
    __stcs((unsigned long long*)to, (unsigned long long)lower << 32 | upper);
#else
    keepTwo((unsigned*)to, upper, lower);
#endif
}

// C := alpha·sums + beta·C from the registers of a warp, whose part of C begins at (i0, j0): four lanes have eight rows of a column.
template <int TYPE, int PIECES_M, int EIGHTS>
BASALT_DEVICE void finishSums(const Args& args, char* c, float (&sums)[PIECES_M][EIGHTS][4], i64 i0, i64 j0, float alpha, float beta) {
    int lane = threadIdx.x % 32;
    int type = typeC(args);
    int rows = (int)least(args.m - i0, 8 * EIGHTS);
    int columns = (int)least(args.n - j0, 16 * PIECES_M) - lane / 4;
    i64 first = i0 + (j0 + lane / 4) * args.c.ld;
    // Four numbers of the factors' type at once, without a look at C.
    if (TYPE != F32 && beta == 0 && type == TYPE && ((u64)c & 7) == 0 && (args.c.ld | rows) % 4 == 0) {
        // Of sixteen rows lanes with even numbers keep four of the first eight, the others four of the last.
        bool odd = lane % 2 != 0;
        int row = (odd ? 8 : 0) + lane % 4 / 2 * 4;
        unsigned short* to = (unsigned short*)c + first + row;
#pragma unroll
        for (int u = 0; u < 2 * PIECES_M; u++) {
#pragma unroll
            for (int v = 0; v < EIGHTS; v += 2) {
                unsigned upper = pairOf<TYPE>(bitsOf(alpha * sums[u / 2][v][u % 2 * 2]), bitsOf(alpha * sums[u / 2][v][u % 2 * 2 + 1]));
                unsigned lower = pairOf<TYPE>(bitsOf(alpha * sums[u / 2][v + 1][u % 2 * 2]), bitsOf(alpha * sums[u / 2][v + 1][u % 2 * 2 + 1]));
                unsigned other = (unsigned)shuffleXor((int)(odd ? upper : lower), 1);
                if (u * 8 < columns && v * 8 + row < rows) {
                    keepApart(to + v * 8, odd ? other : upper, odd ? lower : other);
                }
            }
            to += 8 * args.c.ld;
        }
        return;
    }
    rows -= lane % 4 * 2;
    first += lane % 4 * 2;
    bool floats = beta == 0 && type == F32 && (((u64)c & 7) | args.c.ld % 2) == 0;
#pragma unroll
    for (int u = 0; u < 2 * PIECES_M; u++) {
#pragma unroll
        for (int v = 0; v < EIGHTS; v++) {
            if (u * 8 < columns && v * 8 < rows) {
                float upper = alpha * sums[u / 2][v][u % 2 * 2];
                float lower = alpha * sums[u / 2][v][u % 2 * 2 + 1];
                i64 where = first + v * 8 + u * 8 * args.c.ld;
                if (floats && v * 8 + 1 < rows) {
                    keepTwo((float*)c + where, upper, lower);
                } else {
                    finishApart(c, where, rows - v * 8, type, upper, lower, beta);
                }
            }
        }
    }
}

// Tiles of C by warps of WARP_ROWS rows and WARP_COLUMNS columns of it, by products of TYPE, F32 for TF32. FLOATS: A and B are floats.
template <int TYPE, bool FLOATS, typename ROW, int WARP_ROWS, int WARP_COLUMNS, bool A_ROWS, bool B_COLUMNS>
BASALT_DEVICE void halfTiles(const Args& args, char* shared) {
    const int ORDER = ROW::tile;
    const int STAGES = ROW::stages;
    const int THREADS = ROW::threads;
    typedef FactorStages<typename Factor<FLOATS ? F32 : TYPE>::E, ORDER, ORDER, A_ROWS, B_COLUMNS, THREADS, false> Stages;
    const int PIECES_M = WARP_COLUMNS / 16;
    const int PIECES_N = WARP_ROWS / 16;
    const int INNER = TYPE == F32 ? 8 : 16;  // of a product
    const int WARPS = (ORDER / WARP_ROWS) * (ORDER / WARP_COLUMNS);
    static_assert(32 * WARPS <= THREADS, "a warp for each part of the tile");
    static_assert(STAGES * Stages::BYTES <= ROW::shared, "as launches.txt has it");
    float alpha = scalarOf<float>(args.alpha);
    float beta = scalarOf<float>(args.beta);
    i64 inner = alpha == 0 ? 0 : args.k;
    int warp = threadIdx.x / 32;
    int wi = warp % (ORDER / WARP_ROWS) * WARP_ROWS;
    int wj = warp / (ORDER / WARP_ROWS) * WARP_COLUMNS;
    TilesOfProblems<Stages, ORDER> tiles(args);
    float sums[PIECES_M][2 * PIECES_N][4];
    i64 left = 0;  // of the inner dimension
    int now = 0;
    int next = 0;
    bool fresh = true;
    i64 which = tiles.from(args, blockIdx.x);
    int lead = STAGES - 1;
#pragma unroll 1
    while (which < tiles.all) {
        if (lead == 0) {
            awaitStage<STAGES - 2>();
            __syncthreads();
        }
        tiles.bring(args, inner, shared + next * Stages::BYTES);
        next = next + 1 == STAGES ? 0 : next + 1;
        if (lead > 0) {
            lead--;
            continue;
        }
        i64 problem = tiles.problem(args, which);
        auto tile = tiles.place(args, which);
        bool busy = warp < WARPS && wi < args.m - tile.i0 && wj < args.n - tile.j0;
        if (fresh) {
            left = inner;
            fresh = false;
#pragma unroll
            for (int u = 0; u < PIECES_M * 2 * PIECES_N * 4; u++) {
                sums[u / (8 * PIECES_N)][u / 4 % (2 * PIECES_N)][u % 4] = 0;
            }
        }
        const char* slabA = shared + now * Stages::BYTES;
        const char* slabB = slabA + Stages::SlabA::BYTES;
#pragma unroll
        for (int l = 0; l < Stages::DEPTH; l += INNER) {
            if (l < left && busy) {
                unsigned x[PIECES_M][4];
#pragma unroll
                for (int u = 0; u < PIECES_M; u++) {
                    loadFactor<TYPE, FLOATS, typename Stages::SlabB>(slabB, wj + u * 16, l, x[u]);
                }
#pragma unroll
                for (int v = 0; v < PIECES_N; v++) {
                    unsigned y[4];
                    loadFactor<TYPE, FLOATS, typename Stages::SlabA>(slabA, wi + v * 16, l, y);
#pragma unroll
                    for (int u = 0; u < PIECES_M; u++) {
                        warpProduct<TYPE>(sums[u][2 * v], x[u], y[0], y[2]);
                        warpProduct<TYPE>(sums[u][2 * v + 1], x[u], y[1], y[3]);
                    }
                }
            }
        }
        if (left > 0) {
            left -= Stages::DEPTH;
            now = now + 1 == STAGES ? 0 : now + 1;
        }
        if (left <= 0) {
            if (busy) {
                finishSums<FLOATS ? F32 : TYPE>(args, at<char>(args.c, problem), sums, tile.i0 + wi, tile.j0 + wj, alpha, beta);
            }
            fresh = true;
            which = tiles.from(args, which + gridDim.x);
        }
    }
    awaitStage<0>();
    __syncthreads();
}

// What A and B hold, and what floats are rounded to.
enum { HALVES = 0, FLOATS_TO_TF32 = 1, FLOATS_TO_16_BITS = 2 };
// The latter as args.x has it: MathMode.
enum { TO_HALF = 2 };

template <typename ROW, int FACTORS, int WARP_ROWS, int WARP_COLUMNS, bool A_ROWS, bool B_COLUMNS>
BASALT_DEVICE void halfGemm(const Args& args) {
    char* shared = BASALT_DYNAMIC_SHARED(char);
    const bool FLOATS = FACTORS != HALVES;
    if constexpr (FACTORS == FLOATS_TO_TF32) {
        halfTiles<F32, true, ROW, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS>(args, shared);
    } else if (FLOATS ? args.x == TO_HALF : typeA(args) == F16) {
        halfTiles<F16, FLOATS, ROW, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS>(args, shared);
    } else {
        halfTiles<BF16, FLOATS, ROW, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS>(args, shared);
    }
}

}  // namespace basalt

// Names: operand orders n (as stored) and t, then the tile's order.
#define HALF_KERNEL(name, factors, warpRows, warpColumns, aRows, bColumns)                                     \
    BASALT_KERNEL(basalt_##name##_s) {                                                                         \
        basalt::halfGemm<basalt::row::name##_s, basalt::factors, warpRows, warpColumns, aRows, bColumns>(args); \
    }
#define HALF(stem, order, factors, warpRows, warpColumns)                           \
    HALF_KERNEL(stem##_nn_##order, factors, warpRows, warpColumns, true, false)     \
    HALF_KERNEL(stem##_nt_##order, factors, warpRows, warpColumns, true, true)      \
    HALF_KERNEL(stem##_tn_##order, factors, warpRows, warpColumns, false, false)    \
    HALF_KERNEL(stem##_tt_##order, factors, warpRows, warpColumns, false, true)

#if defined(BASALT_TYPE_S)
HALF(half, 32, HALVES, 32, 16)
HALF(half, 48, HALVES, 48, 16)
HALF(half, 64, HALVES, 32, 32)
HALF(half, 96, HALVES, 48, 48)
HALF(half, 128, HALVES, 32, 64)
HALF(tf32, 64, FLOATS_TO_TF32, 32, 32)
HALF(tf32, 128, FLOATS_TO_TF32, 32, 64)
HALF(short, 64, FLOATS_TO_16_BITS, 32, 32)
HALF(short, 128, FLOATS_TO_16_BITS, 32, 64)
#endif
