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

// A triangle that is a band or packed, as Triangle has dense ones; what is not stored reads as zero.
template <typename T>
struct StoredTriangle {
    Stored<T> a;
    i64 reach;  // diagonals beside the main one
    bool lower, conjugated, unit, flipped;

    BASALT_DEVICE T operator()(i64 i, i64 j) const {
        i64 beside = lower ? i - j : j - i;
        if (beside < 0 || beside > reach) {
            return zero<T>();
        }
        return conj(flipped ? a(j, i) : a(i, j), conjugated);
    }
};

BASALT_DEVICE i64 reachOf(const Args& args) {
    return args.a.storage != BAND ? args.n : args.uplo == LOWER ? args.bandA.kl : args.bandA.ku;
}

template <typename T>
BASALT_DEVICE void take(const Args& args, i64 problem, Triangle<T>& t) {
    t = triangle<T>(args, problem);
}
template <typename T>
BASALT_DEVICE void take(const Args& args, i64 problem, StoredTriangle<T>& t) {
    t.a = stored<T>(args.a, args.bandA, args.uplo, args.n, args.n, problem);
    t.reach = reachOf(args);
    t.flipped = args.opA != NONE;
    t.lower = (args.uplo == LOWER) != t.flipped;
    t.conjugated = args.opA == CONJ_TRANS;
    t.unit = args.diag == UNIT;
}

// The first tile left of the diagonal that block b has, of N rows and columns.
template <typename T>
BASALT_DEVICE i64 firstTile(const Triangle<T>&, i64, int) {
    return 0;
}
template <typename T>
BASALT_DEVICE i64 firstTile(const StoredTriangle<T>& t, i64 b, int N) {
    return most(b - (t.reach + N - 1) / N, 0);
}

// The columns that a row of a lower triangle begins in, and that one of an upper triangle ends before.
template <typename T>
BASALT_DEVICE i64 firstColumn(const Triangle<T>&, i64) {
    return 0;
}
template <typename T>
BASALT_DEVICE i64 endColumn(const Triangle<T>&, i64, i64 n) {
    return n;
}
template <typename T>
BASALT_DEVICE i64 firstColumn(const StoredTriangle<T>& t, i64 i) {
    return most(i - t.reach, 0);
}
template <typename T>
BASALT_DEVICE i64 endColumn(const StoredTriangle<T>& t, i64 i, i64 n) {
    return least(i + t.reach + 1, n);
}

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
    template <typename M>
    BASALT_DEVICE void load(const M& t, i64 i0, i64 j0, i64 n) {
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

// One warp solves with a lower triangle, [column][row], by division. Lane l keeps rows l and l + 32 of each right-hand side, which become the
// unknowns. Every lane forms its row's quotient at every step and one of them counts.
template <typename T, int N, int SIDES>
BASALT_DEVICE void divideByTile(const T* tile, const T* diagonal, T (&r)[SIDES][N / 32]) {
    const int PITCH = Column<T, N>::pitch;
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int s = 0; s < SIDES; s++) {
#pragma unroll 4
        for (int k = 0; k < N; k++) {
            bool high = k >= 32;
            bool mine = lane == k % 32;
            T left = r[s][0];
            if (high) {
                left = r[s][N / 32 - 1];
            }
            T u = divide(left, diagonal[k]);
#pragma unroll
            for (int h = 0; h < N / 32; h++) {
                r[s][h] = mine && high == (h > 0) ? u : r[s][h];
            }
            u = shuffle(u, k % 32);
#pragma unroll
            for (int h = 0; h < N / 32; h++) {
                if (lane + 32 * h > k) {
                    fma(-tile[k * PITCH + lane + 32 * h], u, r[s][h]);
                }
            }
        }
    }
}

// Of four columns of a triangle whose diagonal is 1: what is below the diagonal of their 4×4 block, and the rest of a lane's rows, of which those of
// half FROM and beyond count.
template <typename T, int N, int FROM>
struct FourColumns {
    static const int HALVES = N / 32 - FROM;
    T a[6];
    T rows[4][HALVES];

    BASALT_DEVICE void load(const T* tile, int p) {
        const int PITCH = Column<T, N>::pitch;
        const T* corner = tile + p * (PITCH + 1);
        a[0] = corner[1];
        a[1] = corner[2];
        a[2] = corner[PITCH + 2];
        a[3] = corner[3];
        a[4] = corner[PITCH + 3];
        a[5] = corner[2 * PITCH + 3];
        const T* mine = tile + p * PITCH + threadIdx.x % 32 + 32 * FROM;
#pragma unroll
        for (int k = 0; k < 4; k++) {
#pragma unroll
            for (int h = 0; h < HALVES; h++) {
                rows[k][h] = mine[k * PITCH + 32 * h];
            }
        }
    }

    // Every lane finds the four unknowns of rows p…, one addition after the other, and takes them off its own rows.
    template <int SIDES>
    BASALT_DEVICE void solve(T (&r)[SIDES][N / 32], int p) const {
        int beyond = (int)threadIdx.x % 32 - p % 32;
        T u[SIDES][4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
#pragma unroll
            for (int s = 0; s < SIDES; s++) {
                u[s][k] = shuffle(r[s][FROM], p % 32 + k);
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
#pragma unroll
            for (int l = k + 1; l < 4; l++) {
#pragma unroll
                for (int s = 0; s < SIDES; s++) {
                    fma(-a[l * (l - 1) / 2 + k], u[s][k], u[s][l]);
                }
            }
#pragma unroll
            for (int s = 0; s < SIDES; s++) {
#pragma unroll
                for (int h = 0; h < HALVES; h++) {
                    if (h > 0 || beyond > k) {
                        fma(-rows[k][h], u[s][k], r[s][FROM + h]);
                    }
                }
            }
        }
    }
};

// Half FROM of the rows of a tile. What the next four columns need of the triangle is loaded before these are used.
template <typename T, int N, int SIDES, int FROM>
BASALT_DEVICE void substituteHalf(const T* tile, T (&r)[SIDES][N / 32]) {
    FourColumns<T, N, FROM> even, odd;
    even.load(tile, 32 * FROM);
#pragma unroll 1
    for (int p = 32 * FROM; p < 32 * FROM + 32; p += 8) {
        odd.load(tile, p + 4);
        even.solve(r, p);
        even.load(tile, p + 8 < N ? p + 8 : p);
        odd.solve(r, p + 4);
    }
}

// The same as by division where all rows, those of the right-hand sides too, have been multiplied by the reciprocals of the diagonal.
template <typename T, int N, int SIDES>
BASALT_DEVICE void substitute(const T* tile, T (&r)[SIDES][N / 32]) {
    substituteHalf<T, N, SIDES, 0>(tile, r);
    if constexpr (N > 32) {
        substituteHalf<T, N, SIDES, 1>(tile, r);
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
