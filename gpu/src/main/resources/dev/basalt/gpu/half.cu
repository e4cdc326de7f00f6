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

// Four matrices of eight rows of 16 bytes: lane i has the address of row i % 8 of matrix i / 8, and gets 4 bytes of row i / 4 of each.
BASALT_DEVICE void loadMatrices(const char* row, unsigned* to) {
#if BASALT_CUDA_ARCH >= 800
    unsigned from = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
#endif
}

// Outer indices o…o+15 by inner ones l…l+15 of a slab, as pairs along the inner dimension: (g, 2q) (g+8, 2q) (g, 2q+8) (g+8, 2q+8).
template <typename SLAB>
BASALT_DEVICE void loadFragment(const char* slab, int o, int l, unsigned* to) {
    int lane = threadIdx.x % 32;
#if BASALT_CUDA_ARCH >= 800
    // o and l are multiples of 16, so a chunk is permuted by its lane.
    int which = lane / 8;
    int row = SLAB::INNER ? o + which % 2 * 8 : o / SLAB::DEPTH * SLAB::DEPTH + l + which / 2 * 8;
    int chunk = SLAB::INNER ? l / 8 + which / 2 : o % SLAB::DEPTH / 8 + which % 2;
    int place = (row + lane % 8) * 128 + ((chunk ^ lane % 8) << 4);
    if constexpr (SLAB::INNER) {
        loadMatrices(slab + place, to);
    } else {
        unsigned from = (unsigned)__cvta_generic_to_shared(slab + place);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
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
        loadMatrices(slab + place, to);
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

// One tile of C by warps of WARP_ROWS rows and WARP_COLUMNS columns of it, by products of TYPE, F32 for TF32. FLOATS: A and B are floats.
template <int TYPE, bool FLOATS, typename ROW, int WARP_ROWS, int WARP_COLUMNS, bool A_ROWS, bool B_COLUMNS>
BASALT_DEVICE void halfTile(const Args& args, i64 problem, char* shared) {
    const int ORDER = ROW::tile;
    const int STAGES = ROW::stages;
    const int THREADS = ROW::threads;
    typedef FactorStages<typename Factor<FLOATS ? F32 : TYPE>::E, ORDER, ORDER, A_ROWS, B_COLUMNS, THREADS, false> Stages;
    const int PIECES_M = WARP_COLUMNS / 16;
    const int PIECES_N = WARP_ROWS / 16;
    const int INNER = TYPE == F32 ? 8 : 16;  // of a product
    static_assert(32 * (ORDER / WARP_ROWS) * (ORDER / WARP_COLUMNS) == THREADS, "a warp for each part of the tile");
    static_assert(STAGES * Stages::BYTES <= ROW::shared, "as launches.txt has it");
    static_assert(ORDER * Sums<ORDER>::PITCH * 4 <= ROW::shared, "as launches.txt has it");
    float alpha = scalarOf<float>(args.alpha);
    float beta = scalarOf<float>(args.beta);
    BandOfTiles<ORDER, ORDER> tile(args, 8);
    Stages pipe;
    pipe.begin(args, problem, tile.i0, tile.j0, alpha == 0 ? 0 : args.k);
    int warp = threadIdx.x / 32;
    int wi = warp % (ORDER / WARP_ROWS) * WARP_ROWS;
    int wj = warp / (ORDER / WARP_ROWS) * WARP_COLUMNS;
    bool busy = wi < args.m - tile.i0 && wj < args.n - tile.j0;
    float sums[PIECES_M][2 * PIECES_N][4];
#pragma unroll
    for (int u = 0; u < PIECES_M * 2 * PIECES_N * 4; u++) {
        sums[u / (8 * PIECES_N)][u / 4 % (2 * PIECES_N)][u % 4] = 0;
    }
#pragma unroll 1
    for (int s = 0; s < STAGES - 1; s++) {
        pipe.bring(shared + s * Stages::BYTES);
        endStage();
    }
    i64 left = alpha == 0 ? 0 : args.k;
    int now = 0;
    int next = STAGES - 1;
#pragma unroll 1
    for (int s = 0; s < pipe.steps; s++) {
        awaitStage<STAGES - 2>();
        __syncthreads();
        pipe.bring(shared + next * Stages::BYTES);
        endStage();
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
        left -= Stages::DEPTH;
        now = now + 1 == STAGES ? 0 : now + 1;
        next = next + 1 == STAGES ? 0 : next + 1;
    }
    awaitStage<0>();
    __syncthreads();
    float* out = (float*)shared;
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
#pragma unroll
    for (int u = 0; u < PIECES_M; u++) {
#pragma unroll
        for (int v = 0; v < 2 * PIECES_N; v++) {
#pragma unroll
            for (int w = 0; w < 2; w++) {
                keepTwo(out + (wj + u * 16 + g + w * 8) * Sums<ORDER>::PITCH + wi + v * 8 + 2 * q, sums[u][v][2 * w],
                        sums[u][v][2 * w + 1]);
            }
        }
    }
    __syncthreads();
    finishTile<ORDER, ORDER, THREADS>(args, problem, out, tile.i0, tile.j0, alpha, beta);
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
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        if constexpr (FACTORS == FLOATS_TO_TF32) {
            halfTile<F32, true, ROW, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS>(args, problem, shared);
        } else if (FLOATS ? args.x == TO_HALF : typeA(args) == F16) {
            halfTile<F16, FLOATS, ROW, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS>(args, problem, shared);
        } else {
            halfTile<BF16, FLOATS, ROW, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS>(args, problem, shared);
        }
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
HALF(half, 64, HALVES, 64, 32)
HALF(half, 128, HALVES, 32, 64)
HALF(tf32, 64, FLOATS_TO_TF32, 64, 32)
HALF(tf32, 128, FLOATS_TO_TF32, 32, 64)
HALF(short, 64, FLOATS_TO_16_BITS, 64, 32)
HALF(short, 128, FLOATS_TO_16_BITS, 32, 64)
#endif
