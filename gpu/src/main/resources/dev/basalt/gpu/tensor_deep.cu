// Products with few rows and a long inner dimension, such as Vᴴ·B of a block of reflectors: the blocks of a cluster have a part of the inner
// dimension each, and add up their tiles in the end, always in the same order.
#include "cluster.h"
#include "tensor.h"

namespace basalt {

// A_ROWS, B_COLUMNS as in tensor.h; the tile of this block's part lies behind the stages.
template <typename T, typename ROW, int WARP_ROWS, int WARP_COLUMNS, bool A_ROWS, bool B_COLUMNS>
BASALT_DEVICE void deepGemm(const Args& args) {
    const int ORDER = ROW::tile;
    const int DEPTH = ROW::depth;
    const int STAGES = ROW::stages;
    const int STAGED = STAGES * (Tile<T, ORDER, DEPTH, ROW::threads, A_ROWS>::ELEMENTS +
                                 Tile<T, ORDER, DEPTH, ROW::threads, B_COLUMNS>::ELEMENTS);
    static_assert((STAGED + ORDER * ORDER) * (int)sizeof(T) == ROW::shared, "as launches.txt has it");
    static_assert(ORDER == 64, "one tile has all rows: ProductRules sends no more");
    T* shared = BASALT_DYNAMIC_SHARED(T);
    T* tile = shared + STAGED;
    const int rank = blockIdx.x;
    const int parts = gridDim.x;
    const i64 column = (i64)blockIdx.y * ORDER;
    const i64 each = (args.k + parts * DEPTH - 1) / (parts * DEPTH) * DEPTH;
    const i64 from = least(rank * each, args.k);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        // A product of this block's part, into its own memory. It takes the tile that its number says: so all begins so many rows before.
        Args own = args;
        const i64 before = (i64)rank * ORDER;
        own.k = least(each, args.k - from);
        own.m = before + args.m;
        own.a.offset += (A_ROWS ? from * args.a.ld - before : from - before * args.a.ld) * (i64)sizeof(T);
        own.b.offset += (B_COLUMNS ? from * args.b.ld : from) * (i64)sizeof(T);
        own.c.base = (u64)tile - (u64)((before + column * ORDER) * sizeof(T));
        own.c.offset = 0;
        own.c.stride = 0;
        own.c.pointers = 0;
        own.c.ld = ORDER;
        own.alpha = {1, 0, 0, 0, 0, 0};
        own.beta = {0, 0, 0, 0, 0, 0};
        tensorTile<T, ORDER, ORDER, DEPTH, STAGES, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS, WHOLE>(
                own, problem, shared);
        clusterBarrier();
        const T alpha = value<T>(args.alpha);
        const T beta = value<T>(args.beta);
        T* c = at<T>(args.c, problem);
        for (int e = rank * blockDim.x + threadIdx.x; e < ORDER * ORDER; e += parts * blockDim.x) {
            int i = e % ORDER;
            i64 j = column + e / ORDER;
            if (i < args.m && j < args.n) {
                T sum = zero<T>();
                for (int part = 0; part < parts; part++) {
                    sum = sum + *(inBlock(tile, part) + e);
                }
                blend(alpha, sum, beta, c + i + j * args.c.ld);
            }
        }
        clusterBarrier();  // nobody changes a tile that others read
    }
}

}  // namespace basalt

#define DEEP(t, T)                                                                            \
    BASALT_KERNEL(basalt_deep_nn_##t) {                                                       \
        basalt::deepGemm<T, basalt::row::deep_nn_##t, 32, 32, true, false>(args);             \
    }                                                                                         \
    BASALT_KERNEL(basalt_deep_nt_##t) {                                                       \
        basalt::deepGemm<T, basalt::row::deep_nt_##t, 32, 32, true, true>(args);              \
    }                                                                                         \
    BASALT_KERNEL(basalt_deep_tn_##t) {                                                       \
        basalt::deepGemm<T, basalt::row::deep_tn_##t, 32, 32, false, false>(args);            \
    }                                                                                         \
    BASALT_KERNEL(basalt_deep_tt_##t) {                                                       \
        basalt::deepGemm<T, basalt::row::deep_tt_##t, 32, 32, false, true>(args);             \
    }

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
BASALT_D(DEEP)
BASALT_Z(DEEP)
#endif
