// Q applied to few lines, of which some lanes of a warp hold each in registers: all reflectors in one launch, without blocks of them.
#include "reflect.h"
#include "row_reflector.h"

namespace basalt {

static const int HELD = 8;  // elements of a lane

// The numbers of reflector j that a lane has, from its one on; their conjugates where so is meant.
template <int LANES, typename T>
BASALT_DEVICE void vectorOf(const Read<T>& v, i64 order, i64 j, bool conjugated, T (&x)[HELD]) {
#pragma unroll
    for (int u = 0; u < HELD; u++) {
        i64 i = threadIdx.x % LANES + LANES * u;
        x[u] = i > j && i < order ? conj(v(i, j), conjugated) : i == j ? one<T>() : zero<T>();
    }
}

// Each line of c, a column or a row of at most 8·LANES elements, by lanes that apply all reflectors.
template <typename T, int LANES>
BASALT_DEVICE void held(const Args& args) {
    bool left = args.side == LEFT;
    bool conjugate = args.opA != NONE;
    bool descending = left != conjugate;
    int order = (int)(left ? args.m : args.n);
    i64 lines = left ? args.n : args.m;
    i64 q = (i64)blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
    bool mine = q < lines;
    int lane = threadIdx.x % LANES;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Read<T> v = read<T>(args, args.a, problem, order, args.k);
        bool turned = v.turned == left;
        T* c = at<T>(args.c, problem) + q * (left ? args.c.ld : 1);
        i64 step = left ? 1 : args.c.ld;
        if (args.flag) {
            c += (order - 1) * step;
            step = -step;
        }
        int j = descending ? (int)args.k - 1 : 0;
        T x[HELD], w[HELD], next[HELD];
        T f = *factor<T>(args, problem, args.k, j);
        vectorOf<LANES>(v, order, j, turned, w);
#pragma unroll
        for (int u = 0; u < HELD; u++) {
            int i = lane + LANES * u;
            x[u] = mine && i < order ? c[i * step] : zero<T>();
        }
#pragma unroll 1
        for (i64 s = 0; s < args.k; s++) {
            int behind = descending ? j - 1 : j + 1;
            behind = behind < 0 || behind >= args.k ? j : behind;
            T g = *factor<T>(args, problem, args.k, behind);
            vectorOf<LANES>(v, order, behind, turned, next);
            f = conj(f, conjugate);
            if (!isZero(f)) {
                T sums[2] = {zero<T>(), zero<T>()};
#pragma unroll
                for (int u = 0; u < HELD; u++) {
                    // What is ahead of the reflector stays, whatever it holds.
                    if (lane + LANES * u >= j) {
                        fma(conj(w[u], true), x[u], sums[u % 2]);
                    }
                }
                T sum = -(f * rowSum<LANES>(sums[0] + sums[1]));
#pragma unroll
                for (int u = 0; u < HELD; u++) {
                    if (lane + LANES * u >= j) {
                        fma(sum, w[u], x[u]);
                    }
                }
            }
#pragma unroll
            for (int u = 0; u < HELD; u++) {
                w[u] = next[u];
            }
            f = g;
            j = behind;
        }
#pragma unroll
        for (int u = 0; u < HELD; u++) {
            int i = lane + LANES * u;
            if (mine && i < order) {
                c[i * step] = x[u];
            }
        }
    }
}

}  // namespace basalt

#define HELD_LINES(t, T)                                                     \
    BASALT_KERNEL(basalt_orm2r_held_8_##t) { basalt::held<T, 8>(args); }   \
    BASALT_KERNEL(basalt_orm2r_held_16_##t) { basalt::held<T, 16>(args); } \
    BASALT_KERNEL(basalt_orm2r_held_32_##t) { basalt::held<T, 32>(args); }
BASALT_EACH_TYPE(HELD_LINES)
