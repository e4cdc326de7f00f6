// C := alpha·op(A)·op(B) + beta·C of small order, many problems in a launch: a warp a problem, or a tile of it, whose factors go from device
// memory to the registers that multiply them, without shared memory or barriers.
#include "small.h"

namespace basalt {

// A lane's elements of STEPS·4 columns of op(A), or rows of op(B), of order TILES·8.
template <typename T, int TILES, int STEPS>
struct SmallStrip {
    T v[STEPS][TILES];

    // `from` is at the lane's first element, of which `outer` rows and `inner` columns are left. Nothing here waits for a load.
    template <bool FULL>
    BASALT_DEVICE void load(const T* from, i64 so, i64 si, int outer, i64 inner) {
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
#pragma unroll
            for (int u = 0; u < TILES; u++) {
                bool inside = FULL || (u * 8 < outer && s * 4 < inner);
                v[s][u] = inside ? from[u * 8 * so + s * 4 * si] : zero<T>();
            }
        }
    }
    BASALT_DEVICE SmallStrip conjugated(bool all) const {
        SmallStrip strip;
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
#pragma unroll
            for (int u = 0; u < TILES; u++) {
                strip.v[s][u] = conj(v[s][u], all);
            }
        }
        return strip;
    }
};

// FULL: of ROWS·8 by COLUMNS·8 elements and with an inner dimension that STEPS·4 divides.
template <typename T, int ROWS, int COLUMNS, int STEPS, bool FULL>
BASALT_DEVICE void smallTile(const Args& args, i64 problem, i64 i0, i64 j0) {
    const int DEEP = 4 * STEPS;
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
    i64 sia = args.opA == NONE ? 1 : args.a.ld;
    i64 sla = args.opA == NONE ? args.a.ld : 1;
    i64 slb = args.opB == NONE ? 1 : args.b.ld;
    i64 sjb = args.opB == NONE ? args.b.ld : 1;
    const T* a = at<T>(args.a, problem) + (i0 + g) * sia + q * sla;
    const T* b = at<T>(args.b, problem) + (j0 + g) * sjb + q * slb;
    bool conjA = args.opA == CONJ_TRANS;
    bool conjB = args.opB == CONJ_TRANS;
    int m = (int)(args.m - i0) - g;
    int n = (int)(args.n - j0) - g;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    i64 k = isZero(alpha) ? 0 : args.k;

    T acc[ROWS][COLUMNS][2];
#pragma unroll
    for (int u = 0; u < ROWS; u++) {
#pragma unroll
        for (int v = 0; v < COLUMNS; v++) {
            acc[u][v][0] = zero<T>();
            acc[u][v][1] = zero<T>();
        }
    }
    SmallStrip<T, ROWS, STEPS> x;
    SmallStrip<T, COLUMNS, STEPS> y;
    if (k > 0) {
        x.template load<FULL>(a, sia, sla, m, k - q);
        y.template load<FULL>(b, sjb, slb, n, k - q);
    }
    for (i64 l = 0; l < k; l += DEEP) {
        SmallStrip<T, ROWS, STEPS> x1 = x.conjugated(conjA);
        SmallStrip<T, COLUMNS, STEPS> y1 = y.conjugated(conjB);
        if (l + DEEP < k) {
            a += DEEP * sla;
            b += DEEP * slb;
            x.template load<FULL>(a, sia, sla, m, k - q - l - DEEP);
            y.template load<FULL>(b, sjb, slb, n, k - q - l - DEEP);
        }
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
            smallProducts(acc, x1.v[s], y1.v[s]);
        }
    }
    T* c = at<T>(args.c, problem) + i0 + g + (j0 + 2 * q) * args.c.ld;
    bool clear = isZero(beta);
#pragma unroll
    for (int v = 0; v < COLUMNS; v++) {
#pragma unroll
        for (int w = 0; w < 2; w++) {
            T* column = c + (v * 8 + w) * args.c.ld;
#pragma unroll
            for (int u = 0; u < ROWS; u++) {
                if (FULL || (u * 8 < m && v * 8 + 2 * q + w < n + g)) {
                    T s = k > 0 ? alpha * acc[u][v][w] : zero<T>();
                    column[u * 8] = clear ? s : s + beta * column[u * 8];
                }
            }
        }
    }
}

template <typename T, int ROWS, int COLUMNS, int STEPS>
BASALT_DEVICE void smallGemm(const Args& args) {
    const int M = 8 * ROWS;
    const int N = 8 * COLUMNS;
    i64 down = (args.m + M - 1) / M;
    i64 tiles = down * ((args.n + N - 1) / N);
    i64 warp = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    i64 problem = warp / tiles;
    if (problem >= args.count || skips(args, problem)) {
        return;
    }
    i64 i0 = warp % tiles % down * M;
    i64 j0 = warp % tiles / down * N;
    bool whole = args.m - i0 >= M && args.n - j0 >= N;
    if (whole && args.k % (4 * STEPS) == 0) {
        smallTile<T, ROWS, COLUMNS, STEPS, true>(args, problem, i0, j0);
    } else if (STEPS > 2 && whole && args.k % 8 == 0) {
        smallTile<T, ROWS, COLUMNS, STEPS < 2 ? STEPS : 2, true>(args, problem, i0, j0);
    } else {
        smallTile<T, ROWS, COLUMNS, STEPS, false>(args, problem, i0, j0);
    }
}

}  // namespace basalt

#define SMALL(t, T) \
    BASALT_KERNEL(basalt_small_8_##t) { basalt::smallGemm<T, 1, 1, 2>(args); } \
    BASALT_KERNEL(basalt_small_16_##t) { basalt::smallGemm<T, 2, 2, 4>(args); } \
    BASALT_KERNEL(basalt_small_24_##t) { basalt::smallGemm<T, 3, 3, sizeof(T) == 16 ? 1 : 2>(args); } \
    BASALT_KERNEL(basalt_small_flat_##t) { basalt::smallGemm<T, 1, 4, 2>(args); } \
    BASALT_KERNEL(basalt_small_tall_##t) { basalt::smallGemm<T, 4, 1, 2>(args); }
BASALT_EACH_TYPE(SMALL)
#if defined(BASALT_TYPE_S)
BASALT_KERNEL(basalt_small_32_s) { basalt::smallGemm<float, 4, 4, 2>(args); }
#endif
