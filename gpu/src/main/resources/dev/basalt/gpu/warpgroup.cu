// C := alpha·op(A)·op(B) + beta·C where A and B are halves or bfloat16 and C of any type, or A and B 8-bit integers and C 32-bit ones, or all
// are floats, rounded to ten bits of fraction ("TF32"), by products of four warps. A block has 128 columns of C,
// 64 for each of two groups of four warps.
#include "parts.h"
#include "warpgroup.h"

namespace basalt {

template <int TYPE, bool READY, int ROWS, int COLUMNS, bool A_ROWS, bool B_COLUMNS, int THREADS>
struct GroupStages {
    typedef FactorStages<typename Factor<TYPE>::E, ROWS, COLUMNS, A_ROWS, B_COLUMNS, THREADS, true> Type;
};
template <int ROWS, int COLUMNS, bool A_ROWS, bool B_COLUMNS, int THREADS>
struct GroupStages<F32, false, ROWS, COLUMNS, A_ROWS, B_COLUMNS, THREADS> {
    typedef RoundedStages<ROWS, COLUMNS, A_ROWS, B_COLUMNS, THREADS> Type;
};

template <int ROWS, int COLUMNS, bool A_ROWS, bool B_COLUMNS, int THREADS>
struct GroupStages<F32, true, ROWS, COLUMNS, A_ROWS, B_COLUMNS, THREADS> {
    typedef PartStages<ROWS, COLUMNS, THREADS> Type;
};

template <int TYPE, typename ROW, bool A_ROWS, bool B_COLUMNS, bool READY>
BASALT_DEVICE void groupTile(const Args& args, i64 problem, char* shared) {
    const int ROWS = ROW::tile;
    const int COLUMNS = 128;
    const int STAGES = ROW::stages;
    const int THREADS = ROW::threads;
    const int AHEAD = STAGES - 2;
    const int SUMS = ROWS / 2;
    typedef typename Factor<TYPE>::Sum Sum;
    typedef typename GroupStages<TYPE, READY, ROWS, COLUMNS, A_ROWS, B_COLUMNS, THREADS>::Type Stages;
    static_assert(STAGES * Stages::BYTES + 1024 == ROW::shared, "as launches.txt has it");
    static_assert(COLUMNS * Sums<ROWS>::PITCH * 4 <= ROW::shared, "as launches.txt has it");
    Sum alpha = scalarOf<Sum>(args.alpha);
    BandOfTiles<ROWS, COLUMNS> tile(args, 16);
    Stages pipe;
    pipe.begin(args, problem, tile.i0, tile.j0, alpha == 0 ? 0 : args.k);
    int group = threadIdx.x / 128 * 64;
    Sum sums[SUMS];
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        sums[i] = 0;
    }
#pragma unroll 1
    for (int s = 0; s < AHEAD; s++) {
        pipe.bring(shared + s * Stages::BYTES);
        endStage();
    }
    int now = 0;
    int next = AHEAD;
#pragma unroll 1
    for (int s = 0; s < pipe.steps; s++) {
        awaitStage<AHEAD - 1>();
        if constexpr (!Stages::PUBLISHED) {
            publish();
        }
        __syncthreads();
        const char* slabA = shared + now * Stages::BYTES;
        const char* slabB = slabA + Stages::SlabA::BYTES;
        stageProducts<TYPE, typename Stages::SlabB, typename Stages::SlabA>(sums, slabB, group, slabA);
        // Into what the products before the last ones read, which all threads have seen end.
        pipe.bring(shared + next * Stages::BYTES);
        endStage();
        awaitProducts<1>();
        now = now + 1 == STAGES ? 0 : now + 1;
        next = next + 1 == STAGES ? 0 : next + 1;
    }
    awaitProducts<0>();
    awaitStage<0>();
    __syncthreads();
    Sum* out = (Sum*)shared;
#pragma unroll
    for (int i = 0; i < SUMS; i += 2) {
        keepTwo(out + (group + columnOfSum(i)) * Sums<ROWS>::PITCH + rowOfSum(i), sums[i], sums[i + 1]);
    }
    __syncthreads();
    if constexpr (TYPE == F32 && READY) {
        if (args.x != 0) {
            mendSums<ROWS, COLUMNS, THREADS>(args, out, tile.i0, tile.j0);
        }
    }
    finishTile<ROWS, COLUMNS, THREADS>(args, problem, out, tile.i0, tile.j0, alpha, scalarOf<Sum>(args.beta));
    __syncthreads();
}

// FACTORS: their type, F16 for halves or bfloat16. READY: as round_factors has laid them, x: whether in two parts.
template <typename ROW, int FACTORS, bool A_ROWS, bool B_COLUMNS, bool READY>
BASALT_DEVICE void groupGemm(const Args& args) {
    // Slabs begin at multiples of 1024 bytes, by which their rows are permuted.
    char* shared = BASALT_DYNAMIC_SHARED(char);
#if BASALT_CUDA_ARCH > 0
    shared += (1024 - (unsigned)__cvta_generic_to_shared(shared) % 1024) % 1024;
#endif
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        if constexpr (FACTORS != F16) {
            groupTile<FACTORS, ROW, A_ROWS, B_COLUMNS, READY>(args, problem, shared);
        } else if (typeA(args) == F16) {
            groupTile<F16, ROW, A_ROWS, B_COLUMNS, READY>(args, problem, shared);
        } else {
            groupTile<BF16, ROW, A_ROWS, B_COLUMNS, READY>(args, problem, shared);
        }
    }
}

}  // namespace basalt

// Names: operand orders n (as stored) and t, then the tile's rows.
#define GROUP_KERNEL(name, factors, aRows, bColumns, ready)                                                   \
    BASALT_KERNEL(basalt_##name##_s) {                                                                        \
        basalt::groupGemm<basalt::row::name##_s, basalt::factors, aRows, bColumns, ready>(args);              \
    }
#define GROUP(stem, rows, factors)                                       \
    GROUP_KERNEL(stem##_nn_##rows, factors, true, false, false)          \
    GROUP_KERNEL(stem##_nt_##rows, factors, true, true, false)           \
    GROUP_KERNEL(stem##_tn_##rows, factors, false, false, false)         \
    GROUP_KERNEL(stem##_tt_##rows, factors, false, true, false)

#if defined(BASALT_TYPE_S)
GROUP(warpgroup, 128, F16)
GROUP(warpgroup, 256, F16)
GROUP(integers, 256, I8)
GROUP(rounded, 256, F32)
GROUP_KERNEL(rounded_factors_128, F32, false, false, true)
GROUP_KERNEL(rounded_factors_256, F32, false, false, true)
#endif
