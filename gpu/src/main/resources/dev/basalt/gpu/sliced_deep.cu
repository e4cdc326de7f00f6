// Products of few elements with a long inner dimension, which the blocks of a cluster share as warps share a block's: see sliced.h.
#include "cluster.h"
#include "sliced.h"

namespace basalt {

// A cluster in x is a tile; y counts the tiles, by columns.
template <typename T>
struct Deep : Sliced<T> {
    typedef Sliced<T> Block;
    typedef typename Block::Memory Memory;

    static BASALT_DEVICE i64 row(i64 m) { return blockIdx.y % ((m + Block::SIDE - 1) / Block::SIDE); }
    static BASALT_DEVICE i64 column(i64 m) { return blockIdx.y / ((m + Block::SIDE - 1) / Block::SIDE); }
    static BASALT_DEVICE unsigned number() { return blockIdx.y; }
    static BASALT_DEVICE Memory& memory() { return *(Memory*)BASALT_DYNAMIC_SHARED(T); }

    template <typename A, typename B>
    BASALT_DEVICE void add(i64 i0, i64 j0, i64 m, i64 n, i64 from, i64 k, const A& a, bool, const B& b, bool, Memory&) {
        i64 warps = blockDim.x / 32;
        Block::add(i0, j0, m, n, from, k, a, b, blockIdx.x * warps + threadIdx.x / 32, gridDim.x * warps);
    }

    BASALT_DEVICE void write(
            i64 i0, i64 j0, i64 m, i64 n, T alpha, T beta, bool empty, T* c, i64 ldc, int part, bool hermitian, Memory& memory) const {
        const int SIDE = Block::SIDE;
        Block::put(memory);
        T* sums = memory.sums[0];
        for (int e = threadIdx.x; e < SIDE * SIDE; e += blockDim.x) {
            sums[e % SIDE + e / SIDE * Block::PITCH] = Block::sum(memory, e);
        }
        clusterBarrier();
        for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < SIDE * SIDE; e += gridDim.x * blockDim.x) {
            i64 i = i0 + e % SIDE;
            i64 j = j0 + e / SIDE;
            if (i < m && j < n && partHas(part, i, j)) {
                T sum = zero<T>();
                for (int rank = 0; rank < (int)gridDim.x; rank++) {
                    sum = sum + inBlock(sums, rank)[e % SIDE + e / SIDE * Block::PITCH];
                }
                writeElement(sum, i, j, alpha, beta, empty, c + i + j * ldc, hermitian);
            }
        }
        clusterBarrier();  // nobody changes sums that others read
    }
};

}  // namespace basalt

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
#define SLICED_DEEP(t, T) \
    BASALT_KERNEL(basalt_sliced_deep_gemm_##t) { basalt::gemm<basalt::Deep<T>, T>(args); } \
    BASALT_KERNEL(basalt_sliced_deep_syrk_##t) { basalt::syrk<basalt::Deep<T>, T>(args); } \
    BASALT_KERNEL(basalt_sliced_deep_part_##t) { basalt::part<basalt::Deep<T>, T, false>(args); } \
    BASALT_KERNEL(basalt_sliced_deep_both_##t) { basalt::part<basalt::Deep<T>, T, true>(args); }
BASALT_EACH_TYPE(SLICED_DEEP)
#endif
