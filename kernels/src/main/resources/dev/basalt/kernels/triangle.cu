// Small triangles with many right-hand sides: trsm, trmm, and the inverse of a triangle.
#include "basalt.h"

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
    T inverse[TILE];       // of the diagonal
    int safe;              // whether those are all finite
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

// A warp substitutes for several sides at once, lane `row` holding v of its row. Every lane forms its row's quotient at every
// step and one of them counts: faster than lanes that part. SAFE: the reciprocals may be used.
template <typename T, bool SAFE>
BASALT_DEVICE void substitute(const TriangleTiles<T>& tiles, bool lower, int rows, int row, T* v) {
    const int EACH = SIDES / 8;
    int k = lower ? 0 : rows - 1;
    int to = lower ? 1 : -1;
#pragma unroll 4
    for (int s = 0; s < rows; s++, k += to) {
        T a = tiles.a[k][row];
        T r = SAFE ? tiles.inverse[k] : tiles.a[k][k];
        // What is above the diagonal of the tile is zero there, so rows already solved stay as they are.
        a = row == k ? zero<T>() : -a;
        T x[EACH];
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            x[u] = SAFE ? v[u] * r : divide(v[u], r);
            v[u] = row == k ? x[u] : v[u];
        }
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            x[u] = shuffle(x[u], k);
            if (row != k && !isZero(a)) {
                fma(a, x[u], v[u]);
            }
        }
    }
}

// Each block of 256 threads takes SIDES right-hand sides; thread t keeps rows t % 32 of sides t / 32 + 8·u, u < 4.
template <typename T, bool SOLVE>
BASALT_DEVICE void triangleSides(const Args& args) {
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
        if (skips(args, problem)) {
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
        // A solve goes from the first unknown found to the last, a product the other way, where each tile of rows still
        // finds the tiles that it needs unchanged.
        bool forward = t.lower == SOLVE;
        for (i64 q = 0; q < count; q++) {
            i64 bi = forward ? q : count - 1 - q;
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
            if (SOLVE) {
                if (threadIdx.x < TILE) {
                    // A unit diagonal is one here, and what is beyond the order is zero.
                    T d = tiles.a[row][row];
                    tiles.inverse[row] = divide(one<T>(), d);
                    int safe = i0 + row >= order || magnitude(d) >= smallestNormal(magnitude(d));
                    for (int mask = 16; mask > 0; mask >>= 1) {
                        safe &= shuffleXor(safe, mask);
                    }
                    tiles.safe = safe;
                }
                __syncthreads();
                T v[EACH];
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    v[u] = alpha * tiles.x[row][part + 8 * u] - acc[u];
                }
                int rows = (int)least(TILE, order - i0);
                if (tiles.safe) {
                    substitute<T, true>(tiles, t.lower, rows, row, v);
                } else {
                    substitute<T, false>(tiles, t.lower, rows, row, v);
                }
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    tiles.x[row][part + 8 * u] = v[u];
                }
            } else {
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

// Inverse of a triangle in place, one block a problem, column by column as LAPACK's trti2: column j of the inverse is the
// part that is already inverted times column j, divided by minus the diagonal element. The column waits in shared memory,
// so the order is at most 1024.
template <typename T>
BASALT_DEVICE void trtri(const Args& args) {
    __shared__ T column[1024];
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
    BASALT_KERNEL(basalt_trsm_##t, 256) { basalt::triangleSides<T, true>(args); }            \
    BASALT_KERNEL(basalt_trmm_##t, 256) { basalt::triangleSides<T, false>(args); }           \
    BASALT_KERNEL(basalt_trtri_##t, 128) { basalt::trtri<T>(args); }
BASALT_EACH_TYPE(TRIANGLES)
