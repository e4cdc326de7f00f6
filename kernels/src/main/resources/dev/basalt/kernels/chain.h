// A triangle whose blocks of rows are solved one after the other, each by a block of threads: what trsv and thin trsm share.
#ifndef BASALT_CHAIN_H
#define BASALT_CHAIN_H

#include "tile.h"

namespace basalt {

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

// From column to column of a diagonal tile in shared memory: each begins at a multiple of 16 bytes.
template <typename T, int N>
struct Column {
    static const int pitch = N + 16 / (int)sizeof(T);
};

// One warp solves with a lower triangle, [column][row], for SIDES right-hand sides that lie N apart, by division: lane l keeps rows l and
// l + N - 32. Every lane forms its row's quotient at every step and one of them counts. Unknowns go to x, laid out as the right-hand sides are.
template <typename T, int N, int SIDES>
BASALT_DEVICE void divideByTile(const T* tile, const T* diagonal, const T* rest, T* x) {
    const int PITCH = Column<T, N>::pitch;
    int lane = threadIdx.x % 32;
#pragma unroll 1
    for (int s = 0; s < SIDES; s++) {
        T r0 = rest[s * N + lane];
        T r1 = rest[s * N + lane + N - 32];
#pragma unroll 4
        for (int k = 0; k < N; k++) {
            bool high = k >= 32;
            bool mine = lane == k % 32;
            T a0 = -tile[k * PITCH + lane];
            T a1 = -tile[k * PITCH + lane + N - 32];
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
        x[s * N + lane] = r0;
        if (N > 32) {
            x[s * N + lane + N - 32] = r1;
        }
    }
}

// A lane's part of eight columns of a triangle whose diagonal is 1: what is below the diagonal of their 8×8 block, and its rows.
template <typename T, int N>
struct EightColumns {
    static const int PITCH = Column<T, N>::pitch;
    static const int PER = 16 / (int)sizeof(T);
    Chunk<T> a[EIGHT][EIGHT / PER];
    T a0[EIGHT], a1[EIGHT];

    BASALT_DEVICE void loadBlock(const T* tile, int p) {
#pragma unroll
        for (int k = 0; k < EIGHT - 1; k++) {
#pragma unroll
            for (int c = (k + 1) / PER; c < EIGHT / PER; c++) {
                a[k][c] = *(const Chunk<T>*)(tile + (p + k) * PITCH + p + c * PER);
            }
        }
    }
    BASALT_DEVICE void loadRows(const T* tile, int p) {
        int lane = threadIdx.x % 32;
#pragma unroll
        for (int k = 0; k < EIGHT; k++) {
            a0[k] = tile[(p + k) * PITCH + lane];
            a1[k] = tile[(p + k) * PITCH + lane + N - 32];
        }
    }
    BASALT_DEVICE T below(int k, int r) const { return a[k][r / PER].v[r % PER]; }
};

// The same where all rows, those of the right-hand sides too, have been multiplied by the reciprocals of the diagonal: every lane finds all
// eight unknowns of a block, one addition after the other, and takes them off its rows; the next eight rows go to the others through
// `rest`. What the next block needs of the triangle is loaded as soon as this block's is no longer needed.
template <typename T, int N, int SIDES>
BASALT_DEVICE void substitute(const T* tile, T* rest, T* x) {
    int lane = threadIdx.x % 32;
    EightColumns<T, N> e;
    e.loadBlock(tile, 0);
    e.loadRows(tile, 0);
    T r0[SIDES], r1[SIDES];
#pragma unroll
    for (int s = 0; s < SIDES; s++) {
        r0[s] = rest[s * N + lane];
        r1[s] = rest[s * N + lane + N - 32];
    }
#pragma unroll 1
    for (int p = 0; p < N; p += EIGHT) {
        T v[SIDES][EIGHT];
#pragma unroll
        for (int s = 0; s < SIDES; s++) {
            loadAligned<EIGHT>(rest + s * N + p, v[s]);
        }
#pragma unroll
        for (int k = 0; k < EIGHT; k++) {
#pragma unroll
            for (int r = k + 1; r < EIGHT; r++) {
#pragma unroll
                for (int s = 0; s < SIDES; s++) {
                    fma(-e.below(k, r), v[s][k], v[s][r]);
                }
            }
        }
        int next = p + EIGHT < N ? p + EIGHT : p;
        e.loadBlock(tile, next);
#pragma unroll
        for (int s = 0; s < SIDES; s++) {
            T even0 = zero<T>();
            T odd0 = zero<T>();
            T even1 = zero<T>();
            T odd1 = zero<T>();
#pragma unroll
            for (int k = 0; k < EIGHT; k += 2) {
                fma(e.a0[k], v[s][k], even0);
                fma(e.a0[k + 1], v[s][k + 1], odd0);
                fma(e.a1[k], v[s][k], even1);
                fma(e.a1[k + 1], v[s][k + 1], odd1);
            }
            if (lane >= p + EIGHT) {
                r0[s] = r0[s] - (even0 + odd0);
            }
            if (N > 32 && lane + 32 >= p + EIGHT) {
                r1[s] = r1[s] - (even1 + odd1);
            }
            int ahead = lane - (p + EIGHT);
            if (ahead >= 0 && ahead < EIGHT) {
                rest[s * N + lane] = r0[s];
            }
            if (N > 32 && ahead + 32 >= 0 && ahead + 32 < EIGHT) {
                rest[s * N + lane + N - 32] = r1[s];
            }
        }
        e.loadRows(tile, next);
        if (lane == 0) {
#pragma unroll
            for (int s = 0; s < SIDES; s++) {
#pragma unroll
                for (int k = 0; k < EIGHT; k++) {
                    x[s * N + p + k] = v[s][k];
                }
            }
        }
        warpBarrier();
    }
}

// Turns the diagonal of a tile into reciprocals, and multiplies its rows by them; a thread for each of N rows. Not where a
// reciprocal is no normal number or a product overflows: what is divided by stays then, and `safe` becomes 0.
template <typename T, int N>
BASALT_DEVICE void scaleRows(T* tile, T* inverse, int* safe, bool unit) {
    typedef typename Of<T>::Real R;
    const int PITCH = Column<T, N>::pitch;
    int row = threadIdx.x;
    T r = zero<T>();
    if (row < N) {
        T d = unit ? one<T>() : tile[row * (PITCH + 1)];
        r = divide(one<T>(), d);
        R least = smallestNormal(magnitude(r));
        R sum = 0;
#pragma unroll 8
        for (int c = 0; c < N; c++) {
            sum += c < row ? magnitude(tile[c * PITCH + row]) : 0;
        }
        inverse[row] = d;
        if (!(magnitude(d) >= least && magnitude(r) >= least && sum * magnitude(r) < 1 / (4 * least))) {
            *safe = 0;
        }
    }
    __syncthreads();
    if (row < N && *safe) {
        inverse[row] = r;
#pragma unroll 8
        for (int c = 0; c < N; c++) {
            if (c < row) {
                tile[c * PITCH + row] = tile[c * PITCH + row] * r;
            }
        }
    }
}

// Waits until a flag is beyond k; one thread of a block does, since many that look at one address are in the way of what they wait for.
// A block that is far from its turn looks less often. What the flag is now.
BASALT_DEVICE unsigned awaitFlag(const unsigned* flag, i64 k, i64 turn) {
    unsigned now = loadFlag(flag);
    while (now <= k) {
        if (turn - now > 4) {
            BASALT_PAUSE(200);
        }
        now = loadFlag(flag);
    }
    return now;
}

}  // namespace basalt

#endif
