// Sums of matrices element by element: times a diagonal, of two matrices that may be turned, and products over the semirings of
// minimum and sum.
#include "mixed.h"
BASALT_CAPPED_TOO

namespace basalt {

// c := diag(b)·a or a·diag(b). A block is args.x threads down a column by blockDim / args.x columns; blocks in y walk over the columns.
template <typename T, bool FROM_LEFT>
BASALT_DEVICE void scaleLines(const Args& args, i64 i, i64 j0, i64 step) {
    const int EACH = FROM_LEFT && sizeof(T) < 16 ? 8 : 4;  // loads before the first store, which may be to where they were from
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* b = at<T>(args.b, problem);
        const i64 stepA = step * args.a.ld;
        const i64 stepC = step * args.c.ld;
        const T* a = at<T>(args.a, problem) + i + j0 * args.a.ld;
        T* c = at<T>(args.c, problem) + i + j0 * args.c.ld;
        T along = FROM_LEFT ? b[i * args.b.ld] : zero<T>();
        for (i64 j = j0; j < args.n;) {
            // Columns are counted on from one to the next: registers for all at once would leave a multiprocessor half empty.
            T x[EACH], y[EACH];
            i64 last = args.n - j;
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                if (last > 0) {
                    x[u] = *a;
                    y[u] = FROM_LEFT ? along : b[j * args.b.ld];
                }
                last -= step;
                j += step;
                a += stepA;
            }
            last += EACH * step;
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                if (last > 0) {
                    *c = x[u] * (FROM_LEFT ? along : y[u]);
                }
                last -= step;
                c += stepC;
            }
        }
    }
}
template <typename T>
BASALT_DEVICE void dgmm(const Args& args) {
    i64 i = (i64)blockIdx.x * args.x + threadIdx.x % args.x;
    int columns = blockDim.x / args.x;
    i64 step = (i64)gridDim.y * columns;
    i64 j0 = (i64)blockIdx.y * columns + threadIdx.x / args.x;
    if (i >= args.m) {
        return;
    }
    if (args.side == LEFT) {
        scaleLines<T, true>(args, i, j0, step);
    } else {
        scaleLines<T, false>(args, i, j0, step);
    }
}

static const int GEAM_SIDE = row::geam_sdcz::tile;
static const int GEAM_EACH = GEAM_SIDE * GEAM_SIDE / 256;

template <typename T>
struct Turned {
    T tile[GEAM_SIDE][GEAM_SIDE + 1];
};

// A thread's elements of a tile of op(A), 8 columns apart: those that are stored so at once, others by way of shared memory.
template <typename T>
BASALT_DEVICE void bring(T (&x)[GEAM_EACH], const T* a, i64 ld, int op, i64 i0, i64 j0, i64 m, i64 n) {
    int fast = threadIdx.x % GEAM_SIDE;
    int slow = threadIdx.x / GEAM_SIDE;
    bool plain = op == NONE;
    i64 r = (plain ? i0 : j0) + fast;
    i64 c0 = (plain ? j0 : i0) + slow;
    i64 rows = plain ? m : n;
    i64 columns = plain ? n : m;
#pragma unroll
    for (int u = 0; u < GEAM_EACH; u++) {
        i64 c = c0 + u * (256 / GEAM_SIDE);
        x[u] = r < rows && c < columns ? a[r + c * ld] : zero<T>();
    }
}
template <typename T>
BASALT_DEVICE void turn(T (&x)[GEAM_EACH], bool conjugated, Turned<T>& turned) {
    int fast = threadIdx.x % GEAM_SIDE;
    int slow = threadIdx.x / GEAM_SIDE;
    __syncthreads();
#pragma unroll
    for (int u = 0; u < GEAM_EACH; u++) {
        turned.tile[slow + u * (256 / GEAM_SIDE)][fast] = conj(x[u], conjugated);
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < GEAM_EACH; u++) {
        x[u] = turned.tile[fast][slow + u * (256 / GEAM_SIDE)];
    }
}

// c := alpha·op(a) + beta·op(b), a block for each tile; what a zero multiplies is not read.
template <typename T>
BASALT_DEVICE void geam(const Args& args) {
    __shared__ Turned<T> turned;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    i64 i0 = (i64)blockIdx.x * GEAM_SIDE;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* c = at<T>(args.c, problem);
        for (i64 j0 = (i64)blockIdx.y * GEAM_SIDE; j0 < args.n; j0 += (i64)gridDim.y * GEAM_SIDE) {
            T x[GEAM_EACH], y[GEAM_EACH];
#pragma unroll
            for (int u = 0; u < GEAM_EACH; u++) {
                x[u] = zero<T>();
                y[u] = zero<T>();
            }
            if (!isZero(alpha)) {
                bring(x, at<T>(args.a, problem), args.a.ld, args.opA, i0, j0, args.m, args.n);
            }
            if (!isZero(beta)) {
                bring(y, at<T>(args.b, problem), args.b.ld, args.opB, i0, j0, args.m, args.n);
            }
            if (args.opA != NONE && !isZero(alpha)) {
                turn(x, args.opA == CONJ_TRANS, turned);
            }
            if (args.opB != NONE && !isZero(beta)) {
                turn(y, args.opB == CONJ_TRANS, turned);
            }
            i64 i = i0 + threadIdx.x % GEAM_SIDE;
#pragma unroll
            for (int u = 0; u < GEAM_EACH; u++) {
                i64 j = j0 + threadIdx.x / GEAM_SIDE + u * (256 / GEAM_SIDE);
                if (i < args.m && j < args.n) {
                    // Times zero what is not read would be, were it no number, no number either.
                    T s = isZero(alpha) ? zero<T>() : alpha * x[u];
                    c[i + j * args.c.ld] = isZero(beta) ? s : s + beta * y[u];
                }
            }
        }
    }
}

// ---- semirings

// The smaller one; NaN wins.
BASALT_DEVICE float smaller(float x, float y) {
#if BASALT_CUDA_ARCH >= 800
    float z;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
    return z;
#else
    return x < y ? x : y <= x ? y : x + y;
#endif
}
BASALT_DEVICE double smaller(double x, double y) { return x < y ? x : y <= x ? y : x + y; }

static const int RING_SIDE = row::min_plus_sd::tile;
static const int RING_DEPTH = row::min_plus_sd::depth;

template <typename T>
struct RingTiles {
    T a[RING_DEPTH][RING_SIDE + 1];
    T b[RING_DEPTH][RING_SIDE + 1];
};

template <typename T, bool MIN_PLUS>
BASALT_DEVICE void joined(T x, T y, T alpha, T& acc) {
    // The tiles of PLUS_MIN are times alpha already.
    acc = MIN_PLUS ? smaller(acc, alpha * (x + y)) : acc + smaller(x, y);
}

// Halves are computed in float.
template <typename T>
BASALT_DEVICE T numberOf(T x) {
    return x;
}
BASALT_DEVICE float numberOf(unsigned short x) { return fromHalf(x); }
BASALT_DEVICE void keep(float& to, float x) { to = x; }
BASALT_DEVICE void keep(double& to, double x) { to = x; }
BASALT_DEVICE void keep(unsigned short& to, float x) { to = toHalf(x); }

// d := the product of op(a) and op(b) joined with beta·c, elements E that are computed in T; 256 threads, each with a 4×4 part of a tile of d.
template <typename T, typename E, bool MIN_PLUS>
BASALT_DEVICE void semiring(const Args& args) {
    __shared__ RingTiles<T> tiles;
    T alpha = scalarOf<T>(args.alpha);
    T beta = scalarOf<T>(args.beta);
    bool reads = !isZero(alpha);
    int ti = threadIdx.x % 16;
    int tj = threadIdx.x / 16;
    i64 i0 = (i64)blockIdx.x * RING_SIDE;
    i64 j0 = (i64)blockIdx.y * RING_SIDE;
    bool alongA = args.opA == NONE;
    bool alongB = args.opB != NONE;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const E* a = reads ? at<E>(args.a, problem) : 0;
        const E* b = reads ? at<E>(args.b, problem) : 0;
        const E* c = isZero(beta) ? 0 : at<E>(args.c, problem);
        E* d = at<E>(args.d, problem);
        T acc[4][4];
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                i64 i = i0 + ti + u * 16;
                i64 j = j0 + tj + v * 16;
                acc[u][v] = c != 0 && i < args.m && j < args.n ? beta * numberOf(c[i + j * args.c.ld]) : 0;
            }
        }
        for (i64 l0 = 0; l0 < args.k; l0 += RING_DEPTH) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                int e = threadIdx.x + u * 256;
                int i = alongA ? e % RING_SIDE : e / RING_DEPTH;
                int l = alongA ? e / RING_SIDE : e % RING_DEPTH;
                T x = reads && i0 + i < args.m && l0 + l < args.k
                        ? numberOf(a[alongA ? i0 + i + (l0 + l) * args.a.ld : l0 + l + (i0 + i) * args.a.ld]) : 0;
                tiles.a[l][i] = MIN_PLUS ? x : alpha * x;
                i = alongB ? e % RING_SIDE : e / RING_DEPTH;
                l = alongB ? e / RING_SIDE : e % RING_DEPTH;
                x = reads && j0 + i < args.n && l0 + l < args.k
                        ? numberOf(b[alongB ? j0 + i + (l0 + l) * args.b.ld : l0 + l + (j0 + i) * args.b.ld]) : 0;
                tiles.b[l][i] = MIN_PLUS ? x : alpha * x;
            }
            __syncthreads();
            // Zeros beside the matrices would be joined too.
            int depth = (int)least(RING_DEPTH, args.k - l0);
#pragma unroll 4
            for (int l = 0; l < depth; l++) {
                T x[4], y[4];
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    x[u] = tiles.a[l][ti + u * 16];
                    y[u] = tiles.b[l][tj + u * 16];
                }
#pragma unroll
                for (int u = 0; u < 4; u++) {
#pragma unroll
                    for (int v = 0; v < 4; v++) {
                        joined<T, MIN_PLUS>(x[u], y[v], alpha, acc[u][v]);
                    }
                }
            }
            __syncthreads();
        }
#pragma unroll
        for (int v = 0; v < 4; v++) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                i64 i = i0 + ti + u * 16;
                i64 j = j0 + tj + v * 16;
                if (i < args.m && j < args.n) {
                    keep(d[i + j * args.d.ld], acc[u][v]);
                }
            }
        }
    }
}

}  // namespace basalt

#define SUMS(t, T)                                      \
    BASALT_KERNEL(basalt_dgmm_##t) { basalt::dgmm<T>(args); } \
    BASALT_KERNEL(basalt_geam_##t) { basalt::geam<T>(args); }
BASALT_EACH_TYPE(SUMS)

#define SEMIRINGS(t, T)                                                     \
    BASALT_KERNEL(basalt_min_plus_##t) { basalt::semiring<T, T, true>(args); } \
    BASALT_KERNEL(basalt_plus_min_##t) { basalt::semiring<T, T, false>(args); }
BASALT_S(SEMIRINGS)
BASALT_D(SEMIRINGS)
#if defined(BASALT_TYPE_S)
BASALT_KERNEL(basalt_half_min_plus_s) { basalt::semiring<float, unsigned short, true>(args); }
BASALT_KERNEL(basalt_half_plus_min_s) { basalt::semiring<float, unsigned short, false>(args); }
#endif
