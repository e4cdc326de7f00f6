// Triangles of up to 32 rows with few right-hand sides, several problems a warp: a lane has a row of the triangle in its registers, and the row's
// number of some right-hand sides at a time. Each unknown goes from its lane to those of the rows behind it.
//
// In double a problem of order 8, 16, 32 with one side moves 0.4, 1.3, 4.6 KB: 20000 take 2, 6, 19 µs at 4.8 TB/s.
#include "system.h"

namespace basalt {

// Right-hand sides from the first of them on, SIDES at most; `corner` is the lane of row 0.
template <typename T, int N, int SIDES>
BASALT_DEVICE void solveSides(
        const System<T>& s, T alpha, const T (&v)[N], T d, int order, int row, int corner, bool active, int first, int sides) {
    typedef typename Of<T>::Real R;
    T reciprocal = divide(one<T>(), d);
    R least = smallestNormal(magnitude(d));
    const bool safe = magnitude(d) >= least && magnitude(reciprocal) >= least;
    T b[SIDES];
#pragma unroll
    for (int q = 0; q < SIDES; q++) {
        bool there = active && first + q < sides && !isZero(alpha);
        b[q] = there ? alpha * s(row, first + q) : zero<T>();
    }
#pragma unroll
    for (int k = 0; k < N; k++) {
        if (k >= order) {
            break;
        }
#pragma unroll
        for (int q = 0; q < SIDES; q++) {
            T x = b[q] * reciprocal;
            if (!safe) {
                x = divide(b[q], d);
            }
            x = shuffle(x, corner + k);
            if (row == k) {
                b[q] = x;
            } else if (row > k) {
                fma(-v[k], x, b[q]);
            }
        }
    }
#pragma unroll
    for (int q = 0; q < SIDES; q++) {
        if (active && first + q < sides) {
            s(row, first + q) = b[q];
        }
    }
}

// N lanes a problem. All go along, because they exchange what they have; those without a problem have no rows.
template <typename T, int N>
BASALT_DEVICE void solveSmall(const Args& args) {
    const int lane = threadIdx.x % 32;
    const int row = lane % N;
    const int corner = lane - row;
    const int order = (int)(args.side == LEFT ? args.m : args.n);
    const int sides = (int)(args.side == LEFT ? args.n : args.m);
    i64 problem = (i64)blockIdx.x * (blockDim.x / N) + threadIdx.x / N;
    const bool there = problem < args.count && !skips(args, problem);
    const bool active = there && row < order;
    System<T> s = {};
    if (there) {
        s = system<T>(args, problem, order);
    }
    T alpha = value<T>(args.alpha);
    const bool reads = active && !isZero(alpha);
    T v[N];
#pragma unroll
    for (int k = 0; k < N; k++) {
        v[k] = reads && k < row ? s.t(row, k) : zero<T>();
    }
    T d = reads && !s.t.unit ? s.t(row, row) : one<T>();
    if (sides == 1) {
        solveSides<T, N, 1>(s, alpha, v, d, order, row, corner, active, 0, sides);
    } else {
        for (int first = 0; first < sides; first += 4) {
            solveSides<T, N, 4>(s, alpha, v, d, order, row, corner, active, first, sides);
        }
    }
}

// Many right-hand sides of a triangle of up to N rows: a thread has one, a block shows its threads the triangle.
template <typename T, int N>
BASALT_DEVICE void solveAcross(const Args& args) {
    typedef typename Of<T>::Real R;
    struct Memory {
        T row[N][N];
        T reciprocal[N];
        int unsafe;
    };
    // Of types with constructors there is no static shared memory.
    alignas(16) __shared__ char memory[sizeof(Memory)];
    Memory& m = *(Memory*)memory;
    const int order = (int)(args.side == LEFT ? args.m : args.n);
    const i64 sides = args.side == LEFT ? args.n : args.m;
    const i64 side = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    T alpha = value<T>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        System<T> s = system<T>(args, problem, order);
        const bool reads = !isZero(alpha);
        const bool active = side < sides;
        T b[N];
#pragma unroll
        for (int k = 0; k < N; k++) {
            b[k] = active && reads && k < order ? s(k, side) : zero<T>();
        }
        if (threadIdx.x == 0) {
            m.unsafe = 0;
        }
        __syncthreads();
        for (int e = threadIdx.x; e < N * N; e += blockDim.x) {
            int row = e / N;
            int k = e % N;
            T v = zero<T>();
            if (row < order && reads && (k < row || (k == row && !s.t.unit))) {
                v = s.t(row, k);
            } else if (k == row) {
                v = one<T>();
            }
            m.row[row][k] = v;
            if (k == row) {
                T r = divide(one<T>(), v);
                R least = smallestNormal(magnitude(v));
                m.reciprocal[row] = r;
                if (!(magnitude(v) >= least && magnitude(r) >= least)) {
                    // Whoever finds one writes the same.
                    m.unsafe = 1;
                }
            }
        }
        __syncthreads();
        const bool divides = m.unsafe != 0;
#pragma unroll
        for (int k = 0; k < N; k++) {
            b[k] = alpha * b[k];
        }
#pragma unroll
        for (int k = 0; k < N; k++) {
            if (k < order) {
                T x = b[k] * m.reciprocal[k];
                if (divides) {
                    x = divide(b[k], m.row[k][k]);
                }
                b[k] = x;
#pragma unroll
                for (int r = k + 1; r < N; r++) {
                    fma(-m.row[r][k], x, b[r]);
                }
            }
        }
#pragma unroll
        for (int k = 0; k < N; k++) {
            if (active && k < order) {
                s(k, side) = reads ? b[k] : zero<T>();
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define SOLVE_SMALL(t, T)                                                        \
    BASALT_KERNEL(basalt_solve_8_##t) { basalt::solveSmall<T, 8>(args); }        \
    BASALT_KERNEL(basalt_solve_across_##t) { basalt::solveAcross<T, 8>(args); }  \
    BASALT_KERNEL(basalt_solve_16_##t) { basalt::solveSmall<T, 16>(args); }      \
    BASALT_KERNEL(basalt_solve_32_##t) { basalt::solveSmall<T, 32>(args); }
BASALT_EACH_TYPE(SOLVE_SMALL)
