// Factors of a product of floats, rounded and laid into the workspace as products of four warps read them: for each row of op(A), and behind
// these for each column of op(B), its inner indices one after the other. So what multiplies need not round, and copies 16 bytes at a time.
#include "half.h"

namespace basalt {

static const int SIDE = 64;       // a block has so many rows or columns and inner indices
static const int PITCH = SIDE + 1;
static const int FOUR = 4;        // numbers that a thread writes together
static const int SPLIT = 256;     // beside a type

template <int TYPE>
struct alignas(4 * sizeof(typename Factor<TYPE>::E)) Four {
    typename Factor<TYPE>::E v[FOUR];
};

// From `tile`, which has SIDE of them for each inner index. `lines` and `left` are what is left, `to` is where the first one goes. PARTS: 2 where what rounding loses is
// laid behind the rounded numbers of a line, rounded too: then their sum has 21 bits of fraction. Behind what is not finite it is no number.
template <int TYPE, int PARTS>
BASALT_DEVICE void lay(const float* tile, char* to, i64 lines, i64 left, i64 depth) {
    const int EACH = SIDE * SIDE / FOUR / row::round_factors_s::threads;
    // Eight threads write what lies together; their reads, and those of the other 24 of a warp, meet no bank twice.
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int inner = (lane % 8 + warp % 2 * 8) * FOUR;
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const int line = warp / 2 * 4 + lane / 8 + u * (SIDE / EACH);
        if (line >= lines || inner >= left) {
            continue;
        }
        Four<TYPE> four, rest;
#pragma unroll
        for (int e = 0; e < FOUR; e++) {
            float x = tile[(inner + e) * PITCH + line];
            if constexpr (PARTS == 2) {
                // The largest numbers are rounded down, lest they become infinite.
                unsigned rounded = toTf32(bitsOf(x));
                bool large = (rounded & 0x7f800000u) == 0x7f800000u;
                four.v[e] = floatOf(large ? bitsOf(x) & ~0x1fffu : rounded);
                unsigned lost = bitsOf(x - four.v[e]);
                rest.v[e] = floatOf(large ? lost & ~0x1fffu : toTf32(lost));
            } else if constexpr (TYPE == F32) {
                four.v[e] = floatOf(toTf32(bitsOf(x)));
            } else {
                put<float, TYPE>(four.v, e, TYPE, x);
            }
        }
        char* place = to + (line * depth * PARTS + inner) * (i64)sizeof(four.v[0]);
        *(Four<TYPE>*)place = four;
        if constexpr (PARTS == 2) {
            *(Four<TYPE>*)(place + depth * (i64)sizeof(four.v[0])) = rest;
        }
    }
}

// x: the first inner index, y: how many are laid, of which those from k on are zeros; z: the type that they become, and whether in two parts.
BASALT_DEVICE void roundFactors(const Args& args) {
    const int THREADS = row::round_factors_s::threads;
    const int EACH = SIDE * SIDE / THREADS;
    __shared__ float tile[SIDE * PITCH];
    if (skips(args, 0) || scalarOf<float>(args.alpha) == 0) {
        return;  // as where nothing is laid before
    }
    const i64 depth = args.y;
    const i64 across = (depth + SIDE - 1) / SIDE;
    const i64 tilesOfA = (args.m + SIDE - 1) / SIDE * across;
    const bool left = blockIdx.x < tilesOfA;
    const i64 which = left ? blockIdx.x : blockIdx.x - tilesOfA;
    const i64 line0 = which / across * SIDE;
    const i64 inner0 = which % across * SIDE;
    const i64 lines = least((left ? args.m : args.n) - line0, SIDE);
    const i64 inners = least(args.k - args.x - inner0, SIDE);
    const i64 ld = left ? args.a.ld : args.b.ld;
    const bool contiguous = left ? args.opA != NONE : args.opB == NONE;
    const i64 l0 = args.x + inner0;
    const float* from = (left ? at<float>(args.a, 0) : at<float>(args.b, 0)) + (contiguous ? l0 + line0 * ld : line0 + l0 * ld);
    // Along what lies together in memory, and from one such piece to the next.
    const int along = threadIdx.x % SIDE;
    const int first = threadIdx.x / SIDE;
    const int STEP = THREADS / SIDE;
    float v[EACH];
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const int other = first + u * STEP;
        const bool there = along < (contiguous ? inners : lines) && other < (contiguous ? lines : inners);
        v[u] = there ? from[along + other * ld] : 0;
    }
#pragma unroll
    for (int u = 0; u < EACH; u++) {
        const int other = first + u * STEP;
        tile[contiguous ? along * PITCH + other : other * PITCH + along] = v[u];
    }
    __syncthreads();
    const int type = args.z % SPLIT;
    const bool split = args.z >= SPLIT;
    char* to = (char*)args.work + (((left ? 0 : args.m) + line0) * depth * (split ? 2 : 1) + inner0) * (type == F32 ? 4 : 2);
    if (split) {
        lay<F32, 2>(tile, to, lines, depth - inner0, depth);
    } else if (type == F32) {
        lay<F32, 1>(tile, to, lines, depth - inner0, depth);
    } else if (type == F16) {
        lay<F16, 1>(tile, to, lines, depth - inner0, depth);
    } else {
        lay<BF16, 1>(tile, to, lines, depth - inner0, depth);
    }
}

}  // namespace basalt

#if defined(BASALT_TYPE_S)
BASALT_KERNEL(basalt_round_factors_s) { basalt::roundFactors(args); }
#endif
