// Small triangles times many right-hand sides, and the inverse of a triangle.
#include "basalt.h"
BASALT_CAPPED_TOO

namespace basalt {

// Right-hand sides of a block of threads, and order of the diagonal tiles.
static const int SIDES = 32;
static const int TILE = 32;

// The right-hand sides of B: element i of side r lies i·si + r·sr on.
template <typename T>
struct RightHandSides {
    T* b;
    i64 si, sr;
    BASALT_DEVICE T& operator()(i64 i, i64 r) const { return b[i * si + r * sr]; }
};

template <typename T>
BASALT_DEVICE RightHandSides<T> rightHandSides(const Args& args, i64 problem) {
    RightHandSides<T> b;
    b.b = at<T>(args.c, problem);
    b.si = args.side == LEFT ? 1 : args.c.ld;
    b.sr = args.side == LEFT ? args.c.ld : 1;
    return b;
}

template <typename T>
struct TriangleTiles {
    T a[TILE][TILE + 1];  // [column][row]
    T x[TILE][SIDES + 1];  // [row][side]
};

// a := tile (i0, j0) of the triangle, zero outside; 256 threads, along the storage.
template <typename T>
BASALT_DEVICE void loadTriangle(const Triangle<T>& t, i64 i0, i64 j0, i64 order, TriangleTiles<T>& tiles) {
    for (int e = threadIdx.x; e < TILE * TILE; e += blockDim.x) {
        int i = t.si == 1 ? e % TILE : e / TILE;
        int j = t.si == 1 ? e / TILE : e % TILE;
        T v = zero<T>();
        i64 row = i0 + i;
        i64 column = j0 + j;
        if (row < order && column < order) {
            if (row == column && t.unit) {
                v = one<T>();
            } else if (t.lower ? row >= column : row <= column) {
                v = t(row, column);
            }
        }
        tiles.a[j][i] = v;
    }
}

// x := rows i0… of the block's right-hand sides.
template <typename T>
BASALT_DEVICE void loadSides(const RightHandSides<T>& b, i64 i0, i64 order, i64 r0, i64 sides, TriangleTiles<T>& tiles) {
    for (int e = threadIdx.x; e < TILE * SIDES; e += blockDim.x) {
        int i = b.si == 1 ? e % TILE : e / SIDES;
        int r = b.si == 1 ? e / TILE : e % SIDES;
        tiles.x[i][r] = i0 + i < order && r0 + r < sides ? b(i0 + i, r0 + r) : zero<T>();
    }
}

// Each block of 256 threads takes SIDES right-hand sides; thread t keeps rows t % 32 of sides t / 32 + 8·u, u < 4. With
// args.x only problems whose c is their b.
template <typename T>
BASALT_DEVICE void trmm(const Args& args) {
    __shared__ TriangleTiles<T> tiles;
    const int EACH = SIDES / 8;
    i64 order = args.side == LEFT ? args.m : args.n;
    i64 sides = args.side == LEFT ? args.n : args.m;
    i64 r0 = (i64)blockIdx.x * SIDES;
    i64 count = (order + TILE - 1) / TILE;
    int row = threadIdx.x % 32;
    int part = threadIdx.x / 32;
    T alpha = value<T>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || (args.x && !meets(args, problem))) {
            continue;
        }
        RightHandSides<T> b = rightHandSides<T>(args, problem);
        if (isZero(alpha)) {
            for (i64 e = threadIdx.x; e < order * SIDES; e += blockDim.x) {
                i64 i = b.si == 1 ? e % order : e / SIDES;
                i64 r = r0 + (b.si == 1 ? e / order : e % SIDES);
                if (r < sides) {
                    b(i, r) = zero<T>();
                }
            }
            continue;
        }
        Triangle<T> t = triangle<T>(args, problem);
        // In the order in which each tile of rows still finds the tiles that it needs unchanged.
        for (i64 q = 0; q < count; q++) {
            i64 bi = t.lower ? count - 1 - q : q;
            i64 i0 = bi * TILE;
            T acc[EACH];
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                acc[u] = zero<T>();
            }
            i64 first = t.lower ? 0 : bi + 1;
            i64 last = t.lower ? bi : count;
            for (i64 k = first; k < last; k++) {
                loadTriangle(t, i0, k * TILE, order, tiles);
                loadSides(b, k * TILE, order, r0, sides, tiles);
                __syncthreads();
#pragma unroll 8
                for (int l = 0; l < TILE; l++) {
                    T a = tiles.a[l][row];
#pragma unroll
                    for (int u = 0; u < EACH; u++) {
                        fma(a, tiles.x[l][part + 8 * u], acc[u]);
                    }
                }
                __syncthreads();
            }
            loadTriangle(t, i0, i0, order, tiles);
            loadSides(b, i0, order, r0, sides, tiles);
            __syncthreads();
#pragma unroll 8
            for (int l = 0; l < TILE; l++) {
                if (t.lower ? l > row : l < row) {
                    continue;
                }
                T a = tiles.a[l][row];
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    fma(a, tiles.x[l][part + 8 * u], acc[u]);
                }
            }
            __syncthreads();
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                tiles.x[row][part + 8 * u] = alpha * acc[u];
            }
            __syncthreads();
            for (int e = threadIdx.x; e < TILE * SIDES; e += blockDim.x) {
                int i = b.si == 1 ? e % TILE : e / SIDES;
                int r = b.si == 1 ? e / TILE : e % SIDES;
                if (i0 + i < order && r0 + r < sides) {
                    b(i0 + i, r0 + r) = tiles.x[i][r];
                }
            }
            __syncthreads();
        }
    }
}

// Order of the largest triangle that is inverted in shared memory, and columns of the inverse that a warp has in registers.
static const int SMALL = 64;
static const int COLUMNS = 4;

// A warp solves for columns j to j + COLUMNS - 1 of the identity with a lower triangle in shared memory, column after column of which n
// numbers lie: a lane has rows lane and lane + 32 of each. Reciprocals of the diagonal are 1 where it is a unit one.
template <typename T>
BASALT_DEVICE void columnsOfInverse(int n, const T* f, const T* reciprocals, int j, T (&x)[COLUMNS][2]) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        x[c][0] = lane == j + c ? one<T>() : zero<T>();
        x[c][1] = lane + 32 == j + c ? one<T>() : zero<T>();
    }
    for (int k = j; k < n && k < 32; k++) {
        T low = lane > k && lane < n ? -f[lane + k * n] : zero<T>();
        T high = lane + 32 < n ? -f[lane + 32 + k * n] : zero<T>();
        T r = reciprocals[k];
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            T known = k < j + c ? zero<T>() : shuffle(x[c][0], k) * r;
            x[c][0] = lane == k ? known : x[c][0];
            fma(low, known, x[c][0]);
            fma(high, known, x[c][1]);
        }
    }
    for (int k = j < 32 ? 32 : j; k < n; k++) {
        T high = lane + 32 > k && lane + 32 < n ? -f[lane + 32 + k * n] : zero<T>();
        T r = reciprocals[k];
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            T known = k < j + c ? zero<T>() : shuffle(x[c][1], k - 32) * r;
            x[c][1] = lane + 32 == k ? known : x[c][1];
            fma(high, known, x[c][1]);
        }
    }
}

// Inverse of a triangle of order SMALL at most, one block a problem. An upper triangle is a lower one from its last row and column on.
template <typename T>
BASALT_DEVICE void trtriSmall(const Args& args) {
    __shared__ T reciprocals[SMALL];
    T* f = BASALT_DYNAMIC_SHARED(T);
    int n = (int)args.n;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    bool unit = args.diag == UNIT;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        bool lower = args.uplo == LOWER;
        i64 step = lower ? 1 : -1;
        i64 ld = lower ? args.c.ld : -args.c.ld;
        T* a = at<T>(args.c, problem) + (lower ? 0 : (n - 1) * (args.c.ld + 1));
        for (int j = warp; j < n; j += warps) {
            for (int i = lane; i < n; i += 32) {
                if (i > j) {
                    f[i + j * n] = a[i * step + j * ld];
                }
            }
        }
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            reciprocals[j] = unit ? one<T>() : divide(one<T>(), a[j * step + j * ld]);
        }
        __syncthreads();
        for (int j = warp * COLUMNS; j < n; j += warps * COLUMNS) {
            T x[COLUMNS][2];
            columnsOfInverse(n, f, reciprocals, j, x);
#pragma unroll
            for (int c = 0; c < COLUMNS; c++) {
                T* column = a + (j + c) * ld;
                int first = unit ? j + c + 1 : j + c;
                if (j + c < n && lane >= first && lane < n) {
                    column[lane * step] = x[c][0];
                }
                if (j + c < n && lane + 32 >= first && lane + 32 < n) {
                    column[(lane + 32) * step] = x[c][1];
                }
            }
        }
        __syncthreads();
    }
}

// Inverse of a triangle in place, one block a problem, column by column as LAPACK's trti2: column j of the inverse is the
// part that is already inverted times column j, divided by minus the diagonal element. The column waits in shared memory,
// so the order is at most 1024. With args.x the triangle is small.
template <typename T>
BASALT_DEVICE void trtri(const Args& args) {
    __shared__ T column[1024];
    if (args.x) {
        trtriSmall<T>(args);
        return;
    }
    i64 n = args.n;
    i64 lda = args.c.ld;
    bool lower = args.uplo == LOWER;
    bool unit = args.diag == UNIT;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        for (i64 s = 0; s < n; s++) {
            i64 j = lower ? n - 1 - s : s;
            i64 first = lower ? j + 1 : 0;  // rows first…first+s-1 of column j, and that many columns done
            T d = -one<T>();
            if (!unit) {
                d = divide(d, a[j + j * lda]);
            }
            for (i64 i = threadIdx.x; i < s; i += blockDim.x) {
                column[i] = a[first + i + j * lda];
            }
            __syncthreads();
            if (threadIdx.x == 0 && !unit) {
                a[j + j * lda] = -d;
            }
            for (i64 i = threadIdx.x; i < s; i += blockDim.x) {
                T v = zero<T>();
                i64 from = lower ? 0 : i;
                i64 to = lower ? i + 1 : s;
                for (i64 l = from; l < to; l++) {
                    if (l == i && unit) {
                        v = v + column[l];
                    } else {
                        fma(a[first + i + (first + l) * lda], column[l], v);
                    }
                }
                a[first + i + j * lda] = d * v;
            }
            __syncthreads();
        }
    }
}

}  // namespace basalt

#define TRIANGLES(t, T)                                                                      \
    BASALT_KERNEL(basalt_trmm_##t) { basalt::trmm<T>(args); } \
    BASALT_KERNEL(basalt_trtri_##t) { basalt::trtri<T>(args); }
BASALT_EACH_TYPE(TRIANGLES)
