// Triangles with few right-hand sides, several of up to 16 rows a warp: a lane has the row's number of some right-hand sides in registers. Each
// unknown goes from its lane to those of the rows behind it. Rows of the triangle wait in shared memory, a lane's own in its bank.
//
// In double a problem of order 8, 16, 32 with one side moves 0.4, 1.3, 4.6 KB: 20000 take 2, 6, 19 µs at 4.8 TB/s.
#include "system.h"
#include "tile.h"

namespace basalt {

// N columns of a lane's row of the triangle from `first` on, as far as they are left of its diagonal, to its place in shared memory.
template <typename T, int N>
BASALT_DEVICE void loadRow(const System<T>& s, int row, int first, bool reads, T* tile) {
    const int EACH = N < 16 ? N : 16;  // on their way at once
#pragma unroll 1
    for (int k0 = 0; k0 < N; k0 += EACH) {
        T v[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            v[k] = reads && first + k0 + k < row ? s.t(row, first + k0 + k) : zero<T>();
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            tile[(k0 + k) * 32] = v[k];
        }
    }
}

// Lane k of a problem has its unknown x, which goes to the lanes of the rows behind it.
template <typename T>
BASALT_DEVICE void spread(T x, int k, int row, int corner, T v, T* b) {
    x = shuffle(x, corner + k);
    T less = *b;
    fma(-v, x, less);
    *b = row > k ? less : row == k ? x : *b;
}

// Loops of few columns a round serve all: were each written out, its instructions would come slower than they run. What a round has
// of instructions is the same for every type.
template <typename T, int SIDES>
BASALT_DEVICE void substitute(const T* tile, T reciprocal, int order, int row, int corner, T (&b)[SIDES]) {
#pragma unroll (32 / (int)sizeof(T))
    for (int k = 0; k < order; k++) {
        T v = tile[k * 32];
#pragma unroll
        for (int q = 0; q < SIDES; q++) {
            spread(b[q] * reciprocal, k, row, corner, v, &b[q]);
        }
    }
}

// The same where a reciprocal may have left the range: such rows divide.
template <typename T, int SIDES>
BASALT_DEVICE void substituteSlowly(
        const T* tile, T d, T reciprocal, bool safe, int order, int row, int corner, T (&b)[SIDES]) {
#pragma unroll 1
    for (int k = 0; k < order; k++) {
        T v = tile[k * 32];
#pragma unroll
        for (int q = 0; q < SIDES; q++) {
            T x = safe ? b[q] * reciprocal : divide(b[q], d);
            spread(x, k, row, corner, v, &b[q]);
        }
    }
}

// SIDES right-hand sides of one problem, as far as there are, N rows at a time.
template <typename T, int N, int SIDES>
BASALT_DEVICE void solveSides(
        const System<T>& whole, T alpha, int order, int row, int corner, bool there, int sides, T* tile) {
    typedef typename Of<T>::Real R;
    System<T> s = whole;
    const int end = N < 32 ? N : order;  // triangles of more rows than 32 go N at a time
#pragma unroll 1
    for (int i0 = 0; i0 < end; i0 += N) {
        const bool active = there && i0 + row < order;
        const bool reads = active && !isZero(alpha);
        T b[SIDES];
#pragma unroll
        for (int q = 0; q < SIDES; q++) {
            b[q] = reads && q < sides ? alpha * s(row, q) : zero<T>();
        }
        T d = reads && !s.t.unit ? s.t(row, row) : one<T>();
#pragma unroll 1
        for (int before = i0; before > 0; before -= N) {
            // N unknowns of rows before these: a lane has one of each side.
            T x[SIDES];
#pragma unroll
            for (int q = 0; q < SIDES; q++) {
                x[q] = there && q < sides ? s(row - before, q) : zero<T>();
            }
            loadRow<T, N>(s, row, -before, reads, tile);
#pragma unroll 8
            for (int k = 0; k < N; k++) {
                T v = tile[k * 32];
#pragma unroll
                for (int q = 0; q < SIDES; q++) {
                    fma(-v, shuffle(x[q], corner + k), b[q]);
                }
            }
        }
        loadRow<T, N>(s, row, 0, reads, tile);
        T reciprocal = divide(one<T>(), d);
        R least = smallestNormal(magnitude(d));
        const bool safe = magnitude(d) >= least && magnitude(reciprocal) >= least;
        const int rows = order - i0 < N ? order - i0 : N;
        if (warpBallot(!safe) == 0) {
            substitute<T, SIDES>(tile, reciprocal, rows, row, corner, b);
        } else {
            substituteSlowly<T, SIDES>(tile, d, reciprocal, safe, rows, row, corner, b);
        }
#pragma unroll
        for (int q = 0; q < SIDES; q++) {
            if (active && q < sides) {
                s(row, q) = b[q];
            }
        }
        s.b += N * s.si;
        s.t.a += N * (s.t.si + s.t.sj);
    }
}

// N lanes for some right-hand sides of a problem. All go along, because they exchange what they have; those without a problem have no rows.
template <typename T, int N>
BASALT_DEVICE void solveSmall(const Args& args) {
    const int SIDES = 4;
    const int lane = threadIdx.x % 32;
    const int row = lane % N;
    const int corner = lane - row;
    const int order = (int)(args.side == LEFT ? args.m : args.n);
    const int sides = (int)(args.side == LEFT ? args.n : args.m);
    const int parts = (sides + SIDES - 1) / SIDES;
    i64 part = (i64)blockIdx.x * (blockDim.x / N) + threadIdx.x / N;
    i64 problem = parts == 1 ? part : part / parts;
    const int first = (int)(part - problem * parts) * SIDES;
    const bool there = problem < args.count && !skips(args, problem);
    System<T> s = {};
    if (there) {
        s = system<T>(args, problem, order);
        s.b += first * s.sr;
    }
    T alpha = value<T>(args.alpha);
    // Of types with constructors there is no static shared memory.
    alignas(16) __shared__ char memory[(sizeof(T) == 16 ? 64 : 128) * N * sizeof(T)];
    T* tile = (T*)memory + threadIdx.x / 32 * 32 * N + lane;
    if (sides == 1) {
        solveSides<T, N, 1>(s, alpha, order, row, corner, there, 1, tile);
    } else {
        solveSides<T, N, SIDES>(s, alpha, order, row, corner, there, sides - first, tile);
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

// The triangle where all threads see it, by columns whose rows behind the last are zero, and its diagonal with the reciprocals.
template <typename T, int N>
struct Shown {
    T* a;
    T* diagonal;
    T* reciprocals;
    int order, ld;

    BASALT_DEVICE Shown(T* memory, int rows) {
        order = rows;
        ld = (rows + N - 1) / N * N;
        a = memory;
        diagonal = a + order * ld;
        reciprocals = diagonal + ld;
    }
    BASALT_DEVICE const T* column(int k, int row) const { return a + k * ld + row; }

    // Warps bring columns, or rows where these lie along the storage. Whether no reciprocal left the range.
    BASALT_DEVICE bool load(const Triangle<T>& t, bool turned) const {
        typedef typename Of<T>::Real R;
        int lane = threadIdx.x % 32;
        int warps = blockDim.x / 32;
#pragma unroll 4
        for (int u = threadIdx.x / 32; u < (turned ? ld : order); u += warps) {
            for (int v = lane; v < (turned ? order : ld); v += 32) {
                int row = turned ? u : v;
                int k = turned ? v : u;
                a[k * ld + row] = row > k && row < order ? t(row, k) : zero<T>();
            }
        }
        bool fine = true;
        for (int k = threadIdx.x; k < order; k += blockDim.x) {
            T d = t.unit ? one<T>() : t(k, k);
            T r = divide(one<T>(), d);
            R least = smallestNormal(magnitude(d));
            diagonal[k] = d;
            reciprocals[k] = r;
            fine = magnitude(d) >= least && magnitude(r) >= least;
        }
        return fine;
    }
};

// One right-hand side by divisions, in device memory.
template <typename T, int N>
BASALT_DEVICE void divideAcross(const Shown<T, N>& shown, const System<T>& s, T alpha) {
#pragma unroll 1
    for (int k = 0; k < shown.order; k++) {
        T x = alpha * s(k, 0);
#pragma unroll 1
        for (int l = 0; l < k; l++) {
            fma(-*shown.column(l, k), s(l, 0), x);
        }
        s(k, 0) = divide(x, shown.diagonal[k]);
    }
}

// The same of any order: N rows are in registers at a time. args.x: whether elements of a row of the triangle
// follow each other in memory.
template <typename T, int N>
BASALT_DEVICE void solveLong(const Args& args) {
    __shared__ int unsafe;
    Shown<T, N> shown(BASALT_DYNAMIC_SHARED(T), (int)(args.side == LEFT ? args.m : args.n));
    const int order = shown.order;
    const i64 sides = args.side == LEFT ? args.n : args.m;
    const i64 side = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    T alpha = value<T>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        System<T> s = system<T>(args, problem, order);
        s.b += side * s.sr;
        const bool active = side < sides;
        if (isZero(alpha)) {
            for (int k = 0; active && k < order; k++) {
                s(k, 0) = zero<T>();
            }
            continue;
        }
        if (threadIdx.x == 0) {
            unsafe = 0;
        }
        __syncthreads();
        if (!shown.load(s.t, args.x != 0)) {
            unsafe = 1;  // whoever finds one writes the same
        }
        __syncthreads();
        const bool divides = unsafe != 0;
        if (active && divides) {
            divideAcross(shown, s, alpha);
        }
#pragma unroll 1
        for (int i0 = 0; active && !divides && i0 < order; i0 += N) {
            T b[N];
#pragma unroll
            for (int r = 0; r < N; r++) {
                b[r] = i0 + r < order ? s(i0 + r, 0) : zero<T>();
            }
#pragma unroll
            for (int r = 0; r < N; r++) {
                b[r] = alpha * b[r];
            }
#pragma unroll 2
            for (int k = 0; k < i0; k++) {
                T x = s(k, 0);
                T e[N];
                loadAligned<N>(shown.column(k, i0), e);
#pragma unroll
                for (int r = 0; r < N; r++) {
                    fma(-e[r], x, b[r]);
                }
            }
#pragma unroll
            for (int k = 0; k < N; k++) {
                if (i0 + k < order) {
                    T x = b[k] * shown.reciprocals[i0 + k];
                    b[k] = x;
                    const T* e = shown.column(i0 + k, i0);
#pragma unroll
                    for (int r = k + 1; r < N; r++) {
                        fma(-e[r], x, b[r]);
                    }
                }
            }
#pragma unroll
            for (int r = 0; r < N; r++) {
                if (i0 + r < order) {
                    s(i0 + r, 0) = b[r];
                }
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define SOLVE_SMALL(t, T)                                                        \
    BASALT_KERNEL(basalt_solve_8_##t) { basalt::solveSmall<T, 8>(args); }        \
    BASALT_KERNEL(basalt_solve_across_##t) { basalt::solveAcross<T, 8>(args); }  \
    BASALT_KERNEL(basalt_solve_across_16_##t) { basalt::solveLong<T, 16>(args); } \
    BASALT_KERNEL(basalt_solve_16_##t) { basalt::solveSmall<T, 16>(args); }      \
    BASALT_KERNEL(basalt_solve_32_##t) { basalt::solveSmall<T, 32>(args); }
BASALT_EACH_TYPE(SOLVE_SMALL)

#if defined(BASALT_SHIM)
#define ACROSS_LAYOUT(name, T, N) \
    BASALT_LAYOUT(name, order, unused, unused_too) { return (long long)sizeof(T) * (order + 2) * ((order + N - 1) / N * N); }
#define ACROSS_LAYOUTS(t, T) ACROSS_LAYOUT(solve_across_16_##t, T, 16)
BASALT_EACH_TYPE(ACROSS_LAYOUTS)
#endif
