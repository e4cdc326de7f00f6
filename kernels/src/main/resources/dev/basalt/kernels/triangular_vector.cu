// x := op(A)·x and the solution of op(A)·x = b, A triangular.
#include "basalt.h"

namespace basalt {

// ---- trmv from a copy of x in the workspace

// op(A) = A. A block owns args.x rows (a power of two), groups of threads share out the columns.
template <typename T>
BASALT_DEVICE void trmvN(const Args& args) {
    __shared__ T sums[256];
    int rows = args.x;
    int lane = threadIdx.x % rows;
    int group = threadIdx.x / rows;
    int groups = blockDim.x / rows;
    i64 n = args.n;
    bool lower = args.uplo == LOWER;
    // Long rows first.
    i64 tile = lower ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    i64 i0 = tile * rows;
    i64 i = i0 + lane;
    i64 lda = args.a.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* x = (const T*)args.work + problem * n;
        const T* a = at<T>(args.a, problem) + i;
        T s0 = zero<T>(), s1 = s0;
        if (i < n) {
            i64 j = (lower ? 0 : i0 + rows) + group;
            i64 end = lower ? i0 : n;
            for (; j + 7 * groups < end; j += 8 * groups) {
                T v[8], w[8];
#pragma unroll
                for (int u = 0; u < 8; u++) {
                    v[u] = a[(j + u * groups) * lda];
                    w[u] = x[j + u * groups];
                }
#pragma unroll
                for (int u = 0; u < 8; u += 2) {
                    fma(v[u], w[u], s0);
                    fma(v[u + 1], w[u + 1], s1);
                }
            }
            for (; j < end; j += groups) {
                fma(a[j * lda], x[j], s0);
            }
            i64 last = least(i0 + rows, n);
            for (j = i0 + group; j < last; j += groups) {
                if (j == i && args.diag == UNIT) {
                    s0 = s0 + x[j];
                } else if (lower ? j <= i : j >= i) {
                    fma(a[j * lda], x[j], s0);
                }
            }
        }
        s0 = s0 + s1;
        if (groups > 1) {
            sums[threadIdx.x] = s0;
            __syncthreads();
            if (group == 0) {
                for (int g = 1; g < groups; g++) {
                    s0 = s0 + sums[g * rows + lane];
                }
            }
            __syncthreads();
        }
        if (group == 0 && i < n) {
            at<T>(args.c, problem)[i * args.c.ld] = s0;
        }
    }
}

static const int COLUMNS = 4;

// op(A) = Aᵀ or Aᴴ. A block owns COLUMNS columns.
template <typename T>
BASALT_DEVICE void trmvT(const Args& args) {
    __shared__ T scratch[33];
    i64 n = args.n;
    bool lower = args.uplo == LOWER;
    i64 j = (lower ? blockIdx.x : gridDim.x - 1 - blockIdx.x) * (i64)COLUMNS;
    int columns = (int)least(COLUMNS, n - j);
    bool conjugated = args.opA == CONJ_TRANS;
    i64 lda = args.a.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* x = (const T*)args.work + problem * n;
        const T* a = at<T>(args.a, problem) + j * lda;
        T s[COLUMNS];
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            s[u] = zero<T>();
        }
        // Rows of the triangle that all columns have, then those around the diagonal.
        i64 i = (lower ? j + COLUMNS : 0) + threadIdx.x;
        i64 end = lower ? n : j;
        if (columns == COLUMNS) {
#pragma unroll 2
            for (; i < end; i += blockDim.x) {
                T xi = x[i];
#pragma unroll
                for (int u = 0; u < COLUMNS; u++) {
                    fma(conj(a[i + u * lda], conjugated), xi, s[u]);
                }
            }
        } else {
            for (; i < end; i += blockDim.x) {
                T xi = x[i];
                for (int u = 0; u < COLUMNS; u++) {
                    if (u < columns) {
                        fma(conj(a[i + u * lda], conjugated), xi, s[u]);
                    }
                }
            }
        }
        i = j + threadIdx.x;
        if (threadIdx.x < COLUMNS && i < n) {
#pragma unroll
            for (int u = 0; u < COLUMNS; u++) {
                i64 c = j + u;
                if (u < columns && (lower ? i >= c : i <= c)) {
                    if (i == c && args.diag == UNIT) {
                        s[u] = s[u] + x[i];
                    } else {
                        fma(conj(a[i + u * lda], conjugated), x[i], s[u]);
                    }
                }
            }
        }
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            s[u] = blockSum(s[u], scratch);
            if (threadIdx.x == 0 && u < columns) {
                at<T>(args.c, problem)[(j + u) * args.c.ld] = s[u];
            }
        }
        __syncthreads();
    }
}

// In place, one block a problem: tiles of rows in the order in which x is no longer needed.
template <typename T>
BASALT_DEVICE void trmvInPlace(const Args& args) {
    __shared__ T sums[256];
    int lane = threadIdx.x % 32;
    int group = threadIdx.x / 32;
    int groups = blockDim.x / 32;
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Triangle<T> t = triangle<T>(args, problem);
        T* x = at<T>(args.c, problem);
        i64 incx = args.c.ld;
        i64 tiles = (n + 31) / 32;
        for (i64 k = 0; k < tiles; k++) {
            i64 i0 = (t.lower ? tiles - 1 - k : k) * 32;
            i64 i = i0 + lane;
            T s = zero<T>();
            if (i < n) {
                i64 from = t.lower ? 0 : i;
                i64 to = t.lower ? i + 1 : n;
                for (i64 j = from + group; j < to; j += groups) {
                    if (i == j && t.unit) {
                        s = s + x[j * incx];
                    } else {
                        fma(t(i, j), x[j * incx], s);
                    }
                }
            }
            sums[threadIdx.x] = s;
            __syncthreads();
            if (group == 0 && i < n) {
                for (int g = 1; g < groups; g++) {
                    s = s + sums[g * 32 + lane];
                }
                x[i * incx] = s;
            }
            __syncthreads();
        }
    }
}

// ---- trsv: one launch, blocks of rows solved one after the other

// Rows of a block. A block takes a number, multiplies the tiles left of its diagonal tile as the unknowns become known,
// solves, and publishes. Numbers are handed out in the order in which blocks start, so none waits for one that has not.
template <typename T>
struct Rows {
    static const int count = sizeof(T) == 16 ? 32 : 64;
};

// The tile of rows i0…, columns j0… of the triangle; loads of 256 threads are along the storage.
template <typename T, bool TRANSPOSED>
struct TileOfRows {
    static const int N = Rows<T>::count;
    static const int EACH = N * N / 256;
    T v[EACH];

    // Which element of the tile is the u-th of this thread.
    static BASALT_DEVICE int row(int u) {
        return TRANSPOSED ? threadIdx.x / 32 * (N / 8) + u / (N / 32) : threadIdx.x % N;
    }
    static BASALT_DEVICE int column(int u) {
        return TRANSPOSED ? threadIdx.x % 32 + u % (N / 32) * 32 : threadIdx.x / N * EACH + u;
    }
    BASALT_DEVICE void load(const Triangle<T>& t, i64 i0, i64 j0, i64 n) {
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            i64 i = i0 + row(u);
            i64 j = j0 + column(u);
            v[u] = i < n && j < n ? t(i, j) : zero<T>();
        }
    }
};

static const int EIGHT = 8;

// One warp solves with a lower triangle, [column][row], by division: lane l keeps rows l and l + N - 32. Every lane forms its row's
// quotient at every step and one of them counts.
template <typename T, int N>
BASALT_DEVICE void divideByTile(const T (*tile)[N + 1], const T* diagonal, const T* rest, T* x) {
    int lane = threadIdx.x % 32;
    T r0 = rest[lane];
    T r1 = rest[lane + N - 32];
#pragma unroll 4
    for (int k = 0; k < N; k++) {
        bool high = k >= 32;
        bool mine = lane == k % 32;
        T a0 = -tile[k][lane];
        T a1 = -tile[k][lane + N - 32];
        T u = divide(high ? r1 : r0, diagonal[k]);
        r0 = mine && !high ? u : r0;
        r1 = mine && high ? u : r1;
        u = shuffle(u, k % 32);
        if (lane > k) {
            fma(a0, u, r0);
        }
        if (N > 32 && lane + 32 > k) {
            fma(a1, u, r1);
        }
    }
    x[lane] = r0;
    if (N > 32) {
        x[lane + N - 32] = r1;
    }
}

// The same where the reciprocals of the diagonal may be used and the rows of its 8×8 blocks have been multiplied by them: every lane
// finds all eight unknowns of a block, one addition after the other, and takes them off its rows; the next eight rows go to
// the others through `rest`.
template <typename T, int N>
BASALT_DEVICE void substitute(const T (*tile)[N + 1], const T* inverse, T* rest, T* x) {
    int lane = threadIdx.x % 32;
    T r0 = rest[lane];
    T r1 = rest[lane + N - 32];
#pragma unroll 1
    for (int p = 0; p < N; p += EIGHT) {
        T a[EIGHT][EIGHT];
        T a0[EIGHT];
        T a1[EIGHT];
        T v[EIGHT];
#pragma unroll
        for (int k = 0; k < EIGHT; k++) {
            a0[k] = tile[p + k][lane];
            a1[k] = tile[p + k][lane + N - 32];
            v[k] = inverse[p + k];
#pragma unroll
            for (int r = k + 1; r < EIGHT; r++) {
                a[k][r] = -tile[p + k][p + r];
            }
        }
        warpBarrier();
#pragma unroll
        for (int k = 0; k < EIGHT; k++) {
            v[k] = rest[p + k] * v[k];
        }
#pragma unroll
        for (int k = 0; k < EIGHT; k++) {
#pragma unroll
            for (int r = k + 1; r < EIGHT; r++) {
                fma(a[k][r], v[k], v[r]);
            }
        }
        T even0 = zero<T>();
        T odd0 = zero<T>();
        T even1 = zero<T>();
        T odd1 = zero<T>();
#pragma unroll
        for (int k = 0; k < EIGHT; k += 2) {
            fma(a0[k], v[k], even0);
            fma(a0[k + 1], v[k + 1], odd0);
            fma(a1[k], v[k], even1);
            fma(a1[k + 1], v[k + 1], odd1);
        }
        if (lane >= p + EIGHT) {
            r0 = r0 - (even0 + odd0);
        }
        if (N > 32 && lane + 32 >= p + EIGHT) {
            r1 = r1 - (even1 + odd1);
        }
        int ahead = lane - (p + EIGHT);
        if (ahead >= 0 && ahead < EIGHT) {
            rest[lane] = r0;
        }
        if (N > 32 && ahead + 32 >= 0 && ahead + 32 < EIGHT) {
            rest[lane + N - 32] = r1;
        }
        if (lane == 0) {
#pragma unroll
            for (int k = 0; k < EIGHT; k++) {
                x[p + k] = v[k];
            }
        }
    }
}

// Turns the diagonal of a tile into reciprocals, and multiplies the rows of its 8×8 blocks by them; a thread for each of N rows. Not
// where a reciprocal is no normal number or a product overflows: what is divided by stays then, and `safe` becomes 0.
template <typename T, int N>
BASALT_DEVICE void invertDiagonal(T (*tile)[N + 1], T* inverse, int* safe, bool unit) {
    typedef typename Of<T>::Real R;
    int row = threadIdx.x;
    T r = zero<T>();
    if (row < N) {
        T d = unit ? one<T>() : tile[row][row];
        r = divide(one<T>(), d);
        R least = smallestNormal(magnitude(r));
        R sum = 0;
        for (int c = row / EIGHT * EIGHT; c < row; c++) {
            sum += magnitude(tile[c][row]);
        }
        inverse[row] = d;
        if (!(magnitude(d) >= least && magnitude(r) >= least && sum * magnitude(r) < 1 / (4 * least))) {
            *safe = 0;
        }
    }
    __syncthreads();
    if (row < N && *safe) {
        inverse[row] = r;
        for (int c = row / EIGHT * EIGHT; c < row; c++) {
            tile[c][row] = tile[c][row] * r;
        }
    }
}

template <typename T, bool TRANSPOSED>
BASALT_DEVICE void trsv(const Args& args) {
    const int N = Rows<T>::count;
    const int EACH = N * N / 256;
    const int SUMS = TRANSPOSED ? N / 8 : 1;  // rows that a thread sums up
    __shared__ T tile[N][N + 1];              // [column][row] of the diagonal tile; an upper one is seen from its last row
    __shared__ T known[N];
    __shared__ T rest[N];
    __shared__ T sums[256];
    __shared__ T inverse[N];  // of the diagonal, or the diagonal itself
    __shared__ int safe;      // whether the inverses are all finite
    __shared__ int number;
    i64 n = args.n;
    i64 blocks = (n + N - 1) / N;
    bool alone = gridDim.x == 1;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Triangle<T> t = triangle<T>(args, problem);
        T* x = at<T>(args.c, problem);
        i64 incx = args.c.ld;
        unsigned* tickets = counter(args, 3 * problem);
        unsigned* solved = tickets + 1;
        for (i64 b = 0; b < blocks; b++) {
            if (!alone) {
                if (threadIdx.x == 0) {
                    number = (int)atomicAdd(tickets, 1u);
                }
                __syncthreads();
                b = number;
            }
            i64 i0 = (t.lower ? b : blocks - 1 - b) * N;
            TileOfRows<T, TRANSPOSED> next;
            next.load(t, i0, i0, n);
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                int row = next.row(u);
                int column = next.column(u);
                bool beyond = i0 + row >= n && row == column;
                tile[t.lower ? column : N - 1 - column][t.lower ? row : N - 1 - row] = beyond ? one<T>() : next.v[u];
            }
            safe = 1;
            __syncthreads();
            T mine = zero<T>();  // of b
            if (threadIdx.x < N && i0 + threadIdx.x < n) {
                mine = loadShared(x + (i0 + threadIdx.x) * incx);
            }
            invertDiagonal<T, N>(tile, inverse, &safe, t.unit);
            T s[SUMS];
#pragma unroll
            for (int u = 0; u < SUMS; u++) {
                s[u] = zero<T>();
            }
            if (b > 0) {
                next.load(t, i0, (t.lower ? 0 : blocks - 1) * N, n);
            }
            for (i64 k = 0; k < b; k++) {
                i64 j0 = (t.lower ? k : blocks - 1 - k) * N;
                TileOfRows<T, TRANSPOSED> now = next;
                if (k + 1 < b) {
                    next.load(t, i0, t.lower ? j0 + N : j0 - N, n);
                }
                if (!alone && threadIdx.x < N) {
                    while (loadFlag(solved) <= k) {
                    }
                }
                if (threadIdx.x < N) {
                    known[threadIdx.x] = j0 + threadIdx.x < n ? loadShared(x + (j0 + threadIdx.x) * incx) : zero<T>();
                }
                __syncthreads();
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    fma(now.v[u], known[now.column(u)], s[TRANSPOSED ? u / (N / 32) : 0]);
                }
                __syncthreads();
            }
            // rest := b - sums
            if (TRANSPOSED) {
#pragma unroll
                for (int u = 0; u < SUMS; u++) {
                    T w = warpSum(s[u]);
                    if (threadIdx.x % 32 == 0) {
                        sums[threadIdx.x / 32 * SUMS + u] = w;
                    }
                }
            } else {
                sums[threadIdx.x] = s[0];
            }
            __syncthreads();
            if (threadIdx.x < N) {
                T w = sums[threadIdx.x];
                if (!TRANSPOSED) {
                    for (int g = 1; g < 256 / N; g++) {
                        w = w + sums[g * N + threadIdx.x];
                    }
                }
                i64 i = i0 + threadIdx.x;
                rest[t.lower ? threadIdx.x : N - 1 - threadIdx.x] = i < n ? mine - w : zero<T>();
            }
            __syncthreads();
            if (threadIdx.x < 32) {
                if (safe) {
                    substitute<T, N>(tile, inverse, rest, known);
                } else {
                    divideByTile<T, N>(tile, inverse, rest, known);
                }
            }
            __syncthreads();
            if (threadIdx.x < N && i0 + threadIdx.x < n) {
                x[(i0 + threadIdx.x) * incx] = known[t.lower ? threadIdx.x : N - 1 - threadIdx.x];
            }
            __syncthreads();
            if (alone) {
                continue;
            }
            if (threadIdx.x == 0) {
                storeFlag(solved, (unsigned)b + 1);
                // The last block to leave puts the counters back.
                if (atomicAdd(tickets + 2, 1u) == blocks - 1) {
                    tickets[0] = 0;
                    tickets[1] = 0;
                    tickets[2] = 0;
                }
            }
            break;
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define TRIANGULAR(t, T)                                                                  \
    BASALT_KERNEL(basalt_trmv_n_##t, 256) { basalt::trmvN<T>(args); }                     \
    BASALT_KERNEL(basalt_trmv_t_##t, 256) { basalt::trmvT<T>(args); }                     \
    BASALT_KERNEL(basalt_trmv_in_place_##t, 256) { basalt::trmvInPlace<T>(args); }        \
    BASALT_KERNEL(basalt_trsv_n_##t, 256) { basalt::trsv<T, false>(args); }               \
    BASALT_KERNEL(basalt_trsv_t_##t, 256) { basalt::trsv<T, true>(args); }
BASALT_EACH_TYPE(TRIANGULAR)
