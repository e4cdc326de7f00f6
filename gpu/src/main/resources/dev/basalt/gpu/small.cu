// C := alpha·op(A)·op(B) + beta·C of small order, many problems in a launch: a warp a problem, whose factors go from device
// memory to the registers that multiply them, without shared memory or barriers.
#include "small.h"

namespace basalt {

// A lane's elements of STEPS·4 columns of op(A), or rows of op(B), of order TILES·8.
template <typename T, int TILES, int STEPS>
struct SmallStrip {
    T v[STEPS][TILES];

    // `from` is at the lane's first element, of which `outer` rows and `inner` columns are left.
    template <bool FULL>
    BASALT_DEVICE void load(const T* from, i64 so, i64 si, int outer, i64 inner, bool conjugated) {
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
#pragma unroll
            for (int u = 0; u < TILES; u++) {
                bool inside = FULL || (u * 8 < outer && s * 4 < inner);
                v[s][u] = inside ? conj(from[u * 8 * so + s * 4 * si], conjugated) : zero<T>();
            }
        }
    }
};

// FULL: of order TILES·8 and with an inner dimension that STEPS·4 divides.
template <typename T, int TILES, int STEPS, bool FULL>
BASALT_DEVICE void smallProblem(const Args& args, i64 problem) {
    const int DEEP = 4 * STEPS;
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
    i64 sia = args.opA == NONE ? 1 : args.a.ld;
    i64 sla = args.opA == NONE ? args.a.ld : 1;
    i64 slb = args.opB == NONE ? 1 : args.b.ld;
    i64 sjb = args.opB == NONE ? args.b.ld : 1;
    const T* a = at<T>(args.a, problem) + g * sia + q * sla;
    const T* b = at<T>(args.b, problem) + g * sjb + q * slb;
    bool conjA = args.opA == CONJ_TRANS;
    bool conjB = args.opB == CONJ_TRANS;
    int m = (int)args.m - g;
    int n = (int)args.n - g;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    i64 k = isZero(alpha) ? 0 : args.k;

    T acc[TILES][TILES][2];
#pragma unroll
    for (int u = 0; u < TILES; u++) {
#pragma unroll
        for (int v = 0; v < TILES; v++) {
            acc[u][v][0] = zero<T>();
            acc[u][v][1] = zero<T>();
        }
    }
    SmallStrip<T, TILES, STEPS> x, y;
    if (k > 0) {
        x.template load<FULL>(a, sia, sla, m, k - q, conjA);
        y.template load<FULL>(b, sjb, slb, n, k - q, conjB);
    }
    for (i64 l = 0; l < k; l += DEEP) {
        SmallStrip<T, TILES, STEPS> x1 = x, y1 = y;
        if (l + DEEP < k) {
            a += DEEP * sla;
            b += DEEP * slb;
            x.template load<FULL>(a, sia, sla, m, k - q - l - DEEP, conjA);
            y.template load<FULL>(b, sjb, slb, n, k - q - l - DEEP, conjB);
        }
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
#pragma unroll
            for (int u = 0; u < TILES; u++) {
#pragma unroll
                for (int v = 0; v < TILES; v++) {
                    smallProduct(acc[u][v], x1.v[s][u], y1.v[s][v]);
                }
            }
        }
    }
    T* c = at<T>(args.c, problem) + g + 2 * q * args.c.ld;
    bool clear = isZero(beta);
#pragma unroll
    for (int v = 0; v < TILES; v++) {
#pragma unroll
        for (int w = 0; w < 2; w++) {
            T* column = c + (v * 8 + w) * args.c.ld;
#pragma unroll
            for (int u = 0; u < TILES; u++) {
                if (FULL || (u * 8 < m && v * 8 + 2 * q + w < (int)args.n)) {
                    T s = k > 0 ? alpha * acc[u][v][w] : zero<T>();
                    column[u * 8] = clear ? s : s + beta * column[u * 8];
                }
            }
        }
    }
}

template <typename T, int TILES, int STEPS>
BASALT_DEVICE void smallGemm(const Args& args) {
    i64 problem = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (problem >= args.count || skips(args, problem)) {
        return;
    }
    bool whole = args.m == TILES * 8 && args.n == TILES * 8;
    if (whole && args.k % (4 * STEPS) == 0) {
        smallProblem<T, TILES, STEPS, true>(args, problem);
    } else if (STEPS > 2 && whole && args.k % 8 == 0) {
        smallProblem<T, TILES, STEPS < 2 ? STEPS : 2, true>(args, problem);
    } else {
        smallProblem<T, TILES, STEPS, false>(args, problem);
    }
}

}  // namespace basalt

#define SMALL(t, T)                                                                     \
    BASALT_KERNEL(basalt_small_8_##t) { basalt::smallGemm<T, 1, 2>(args); } \
    BASALT_KERNEL(basalt_small_16_##t) { basalt::smallGemm<T, 2, 4>(args); }
// Deep strips for double, with all registers to a warp: 2.88 TB/s where strips of 8 have 2.81.
#define SMALL_32(t, T) \
    BASALT_KERNEL(basalt_small_32_##t) { basalt::smallGemm<T, 4, sizeof(T) == 8 && basalt::Of<T>::parts == 1 ? 4 : 2>(args); }
BASALT_EACH_TYPE(SMALL)
BASALT_S(SMALL_32)
BASALT_D(SMALL_32)
BASALT_C(SMALL_32)
