// Small products, a block a tile: see sliced.h.
#include "sliced.h"

namespace basalt {

// c := alpha·op(a)·c or alpha·c·op(a) with a triangle a of an order of at most 64: a block has all of 16 columns or rows of c, of which warps have
// tiles, and has read all before it writes. With args.x only problems whose c is their b.
template <typename T>
BASALT_DEVICE void trmmInPlace(const Args& args) {
    typedef Sliced<T> E;
    const int SIDE = E::SIDE;
    typename E::Memory& memory = E::memory();
    bool left = args.side == LEFT;
    i64 order = left ? args.m : args.n;
    int tiles = (int)((order + SIDE - 1) / SIDE);
    int sharers = (int)(blockDim.x / 32) / tiles;
    int tile = threadIdx.x / 32 % tiles;
    int sharer = threadIdx.x / 32 / tiles;
    i64 i0 = (left ? tile : (i64)blockIdx.x) * SIDE;
    i64 j0 = (left ? (i64)blockIdx.x : tile) * SIDE;
    T alpha = value<T>(args.alpha);
    bool empty = isZero(alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || (args.x && !meets(args, problem))) {
            continue;
        }
        Triangular<T> a = triangular<T>(args, problem);
        General<T> b = general<T>(args.c, problem, NONE);
        // The triangle is cut off at the diagonal along the inner dimension, or begins there.
        bool inwards = a.t.lower == left;
        i64 from = inwards ? 0 : (i64)tile * SIDE;
        i64 to = inwards ? least(order, (tile + 1) * SIDE) : order;
        E sums;
        sums.clear();
        if (!empty && sharer < sharers && left) {
            sums.add(i0, j0, args.m, args.n, from, to, a, b, sharer, sharers);
        } else if (!empty && sharer < sharers) {
            sums.add(i0, j0, args.m, args.n, from, to, b, a, sharer, sharers);
        }
        sums.put(memory);
        T* c = at<T>(args.c, problem);
        for (int e = threadIdx.x; e < tiles * SIDE * SIDE; e += blockDim.x) {
            int of = e / (SIDE * SIDE);
            i64 i = (left ? of : (i64)blockIdx.x) * SIDE + e % SIDE;
            i64 j = (left ? (i64)blockIdx.x : of) * SIDE + e % (SIDE * SIDE) / SIDE;
            if (i < args.m && j < args.n) {
                T sum = zero<T>();
                for (int s = 0; s < sharers; s++) {
                    sum = sum + memory.sums[s * tiles + of][e % SIDE + e % (SIDE * SIDE) / SIDE * E::PITCH];
                }
                writeElement(sum, i, j, alpha, zero<T>(), empty, c + i + j * args.c.ld, false);
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define SLICED(t, T) \
    BASALT_KERNEL(basalt_sliced_trmm_##t) { basalt::trmmInPlace<T>(args); } \
    BASALT_KERNEL(basalt_sliced_gemm_##t) { basalt::gemm<basalt::Sliced<T>, T>(args); } \
    BASALT_KERNEL(basalt_sliced_symm_##t) { basalt::symm<basalt::Sliced<T>, T>(args); } \
    BASALT_KERNEL(basalt_sliced_syrk_##t) { basalt::syrk<basalt::Sliced<T>, T>(args); } \
    BASALT_KERNEL(basalt_sliced_trmm_apart_##t) { basalt::trmmApart<basalt::Sliced<T>, T>(args); } \
    BASALT_KERNEL(basalt_sliced_part_##t) { basalt::part<basalt::Sliced<T>, T, false>(args); } \
    BASALT_KERNEL(basalt_sliced_both_##t) { basalt::part<basalt::Sliced<T>, T, true>(args); }
BASALT_EACH_TYPE(SLICED)
