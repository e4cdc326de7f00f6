// trsm with few right-hand sides: one launch for a triangle of any order.
#include "chain.h"

namespace basalt {

static const int SIDES = row::thin_n_sdcz::sides;  // right-hand sides of a block
static const int EVERY = 2;   // of them that a warp solves for
static const int THREADS = row::thin_n_sdcz::threads;

// A thread's part of the tile of rows i0…, columns j0…: rows 32 apart of a few columns, so that what it reads of the unknowns serves several
// rows. Loads are along the storage where that is across the rows; else the tile is turned in shared memory.
template <typename T>
struct TileOfPairs {
    static const int N = Rows<T>::count;
    static const int HIGH = N / 32;
    static const int WIDE = N / 8;
    T v[WIDE][HIGH];

    static BASALT_DEVICE int row(int h) { return threadIdx.x % 32 + 32 * h; }
    static BASALT_DEVICE int column(int c) { return threadIdx.x / 32 * WIDE + c; }
    BASALT_DEVICE void load(const Triangle<T>& t, i64 i0, i64 j0, i64 n) {
        const T* p = t.a + (i0 + row(0)) * t.si + (j0 + column(0)) * t.sj;
#pragma unroll
        for (int c = 0; c < WIDE; c++) {
#pragma unroll
            for (int h = 0; h < HIGH; h++) {
                v[c][h] = i0 + row(h) < n ? conj(p[32 * h * t.si], t.conjugated) : zero<T>();
            }
            p += t.sj;
        }
    }
    BASALT_DEVICE void turn(const T (*strip)[N + 1]) {
#pragma unroll
        for (int c = 0; c < WIDE; c++) {
#pragma unroll
            for (int h = 0; h < HIGH; h++) {
                v[c][h] = strip[column(c)][row(h)];
            }
        }
    }
};

// The shared memory of a block, in elements.
template <typename T>
struct ThinMemory {
    static const int N = Rows<T>::count;
    T* known;    // [tile % 2][column][side]
    T* rest;     // [side][row]
    T* inverse;  // of the diagonal, or the diagonal itself
    T* tile;     // [column][row] of the diagonal tile
    // Sums of the groups of threads, [group][side][row]; before that, where rows of the triangle lie along the storage, a tile that is turned.
    T* sums;

    BASALT_DEVICE ThinMemory(T* at) {
        known = at;
        rest = known + 2 * N * SIDES;
        inverse = rest + SIDES * N;
        tile = inverse + N;
        sums = tile + N * Column<T, N>::pitch;
    }
    BASALT_DEVICE i64 bytes(const T* from, bool turned) const {
        return (i64)sizeof(T) * (sums + most(turned ? N * (N + 1) : 0, THREADS / 32 * SIDES * N) - from);
    }
};

// Blocks of rows as those of trsv, for SIDES right-hand sides each; right-hand sides beyond those have blocks of their own, which is a
// chain of blocks for every SIDES. Numbers are handed out to all chains in turn in the order in which blocks start, so none waits for one
// that has not. An upper triangle is seen from its last row and column.
template <typename T, bool TRANSPOSED>
BASALT_DEVICE void solveThin(const Args& args) {
    const int N = Rows<T>::count;
    const int EACH = N * N / THREADS;
    const int GROUPS = THREADS / 32;
    typedef TileOfPairs<T> Pairs;
    const int OWN = N * SIDES / THREADS;  // unknowns of a thread
    const int PITCH = Column<T, N>::pitch;
    __shared__ int safe;  // whether the inverses of the diagonal are all finite
    __shared__ int number;
    __shared__ unsigned finished;  // blocks of the chain, when last looked at
    ThinMemory<T> memory(BASALT_DYNAMIC_SHARED(T));
    T* known = memory.known;
    T* rest = memory.rest;
    T* inverse = memory.inverse;
    T* tile = memory.tile;
    T* sums = memory.sums;
    T(*strip)[N + 1] = (T(*)[N + 1])sums;
    bool right = args.side == RIGHT;
    i64 n = right ? args.n : args.m;
    i64 all = right ? args.m : args.n;
    i64 blocks = (n + N - 1) / N;
    int chains = (int)((all + SIDES - 1) / SIDES);
    T alpha = value<T>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        unsigned* tickets = counter(args, problem * (chains + 2));
        int taken = blockIdx.x;
        if (!isZero(alpha)) {
            if (threadIdx.x == 0) {
                number = (int)atomicAdd(tickets, 1u);
            }
            __syncthreads();
            taken = number;
        }
        i64 b = taken / chains;
        int chain = taken % chains;
        unsigned* solved = tickets + 2 + chain;
        i64 i0 = b * N;
        i64 r0 = (i64)chain * SIDES;
        int sides = (int)least(SIDES, all - r0);
        Triangle<T> t = triangle<T>(args, problem);
        i64 si = right ? args.c.ld : 1;
        i64 sr = right ? 1 : args.c.ld;
        T* x = at<T>(args.c, problem) + r0 * sr;
        if (!t.lower) {
            t.a += (n - 1) * (t.si + t.sj);
            x += (n - 1) * si;
            t.si = -t.si;
            t.sj = -t.sj;
            si = -si;
        }
        // Which of a tile's unknowns are this thread's to carry, along the storage.
        int ownRow[OWN], ownSide[OWN];
        T mine[OWN];
#pragma unroll
        for (int u = 0; u < OWN; u++) {
            int e = threadIdx.x + u * THREADS;
            ownRow[u] = right ? e / SIDES : e % N;
            ownSide[u] = right ? e % SIDES : e / N;
            bool inside = i0 + ownRow[u] < n && ownSide[u] < sides;
            T* p = x + (i0 + ownRow[u]) * si + ownSide[u] * sr;
            if (isZero(alpha)) {
                mine[u] = zero<T>();
                if (inside) {
                    *p = zero<T>();
                }
            } else {
                mine[u] = inside ? alpha * *p : zero<T>();
            }
        }
        if (isZero(alpha)) {
            continue;
        }
        TileOfRows<T, TRANSPOSED> along;  // of a tile as it is stored
        along.load(t, i0, i0, n);
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            bool beyond = i0 + along.row(u) >= n && along.row(u) == along.column(u);
            tile[along.column(u) * PITCH + along.row(u)] = beyond ? one<T>() : along.v[u];
        }
        safe = 1;
        __syncthreads();
        scaleRows<T, N>(tile, inverse, &safe, t.unit);
        T acc[Pairs::HIGH][SIDES];
#pragma unroll
        for (int s = 0; s < SIDES * Pairs::HIGH; s++) {
            acc[s / SIDES][s % SIDES] = zero<T>();
        }
        Pairs next;
        if (b > 0 && TRANSPOSED) {
            along.load(t, i0, 0, n);
        } else if (b > 0) {
            next.load(t, i0, 0, n);
        }
        unsigned seen = 0;
        for (i64 k = 0; k < b; k++) {
            Pairs a;
            if (TRANSPOSED) {
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    strip[along.column(u)][along.row(u)] = along.v[u];
                }
                __syncthreads();
                a.turn(strip);
                if (k + 1 < b) {
                    along.load(t, i0, (k + 1) * N, n);
                }
            } else {
                a = next;
                if (k + 1 < b) {
                    next.load(t, i0, (k + 1) * N, n);
                }
            }
            if (seen <= k) {
                if (threadIdx.x == 0) {
                    finished = awaitFlag(solved, k, b);
                }
                __syncthreads();
                seen = finished;
            }
            T* now = known + k % 2 * N * SIDES;
#pragma unroll
            for (int u = 0; u < OWN; u++) {
                const T* p = x + (k * N + ownRow[u]) * si + ownSide[u] * sr;
                now[ownRow[u] * SIDES + ownSide[u]] = ownSide[u] < sides ? loadShared(p) : zero<T>();
            }
            __syncthreads();
#pragma unroll
            for (int c = 0; c < Pairs::WIDE; c++) {
                T w[SIDES];
                loadAligned<SIDES>(now + Pairs::column(c) * SIDES, w);
#pragma unroll
                for (int h = 0; h < Pairs::HIGH; h++) {
#pragma unroll
                    for (int s = 0; s < SIDES; s++) {
                        fma(a.v[c][h], w[s], acc[h][s]);
                    }
                }
            }
        }
        if (TRANSPOSED) {
            __syncthreads();
        }
#pragma unroll
        for (int s = 0; s < SIDES * Pairs::HIGH; s++) {
            sums[((int)threadIdx.x / 32 * SIDES + s % SIDES) * N + Pairs::row(s / SIDES)] = acc[s / SIDES][s % SIDES];
        }
        __syncthreads();
#pragma unroll
        for (int u = 0; u < OWN; u++) {
            T w = zero<T>();
#pragma unroll
            for (int g = 0; g < GROUPS; g++) {
                w = w + sums[(g * SIDES + ownSide[u]) * N + ownRow[u]];
            }
            w = mine[u] - w;
            rest[ownSide[u] * N + ownRow[u]] = safe ? inverse[ownRow[u]] * w : w;
        }
        __syncthreads();
        int s = (int)threadIdx.x / 32 * EVERY;
        if (s < sides) {
            int lane = threadIdx.x % 32;
            T left[EVERY][N / 32];
#pragma unroll
            for (int e = 0; e < EVERY * N / 32; e++) {
                left[e % EVERY][e / EVERY] = rest[(s + e % EVERY) * N + e / EVERY * 32 + lane];
            }
            if (safe) {
                substitute<T, N, EVERY>(tile, left);
            } else {
                divideByTile<T, N, EVERY>(tile, inverse, left);
            }
#pragma unroll
            for (int e = 0; e < EVERY * N / 32; e++) {
                known[(s + e % EVERY) * N + e / EVERY * 32 + lane] = left[e % EVERY][e / EVERY];
            }
        }
        __syncthreads();
#pragma unroll
        for (int u = 0; u < OWN; u++) {
            if (i0 + ownRow[u] < n && ownSide[u] < sides) {
                x[(i0 + ownRow[u]) * si + ownSide[u] * sr] = known[ownSide[u] * N + ownRow[u]];
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            storeFlag(solved, (unsigned)b + 1);
            // The last block to leave puts the counters back.
            number = atomicAdd(tickets + 1, 1u) == blocks * chains - 1;
        }
        __syncthreads();
        if (number) {
            for (int e = threadIdx.x; e < chains + 2; e += THREADS) {
                tickets[e] = 0;
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define THIN_LAYOUT(t, T) \
    BASALT_LAYOUT(thin_##t, turned, unused, none) { return basalt::ThinMemory<T>(nullptr).bytes(nullptr, turned != 0); }
BASALT_EACH_TYPE(THIN_LAYOUT)
#endif

#define THIN(t, T)                                                                      \
    BASALT_KERNEL(basalt_thin_n_##t) { basalt::solveThin<T, false>(args); } \
    BASALT_KERNEL(basalt_thin_t_##t) { basalt::solveThin<T, true>(args); }
BASALT_EACH_TYPE(THIN)
