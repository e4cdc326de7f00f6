// trsm: triangles with many right-hand sides, by substitution.
#include "system.h"
#include "tile.h"
BASALT_CAPPED_TOO

namespace basalt {

static const int TILE = 32;

// From column to column of a tile in shared memory.
template <typename T>
struct Pitch {
    static const int of = TILE + 16 / (int)sizeof(T);
};

// One number of a tile for each lane and u: lanes run along the storage.
BASALT_DEVICE int rowOf(bool turned, int u) { return turned ? u : (int)threadIdx.x % 32; }
BASALT_DEVICE int columnOf(bool turned, int u) { return turned ? (int)threadIdx.x % 32 : u; }

// A warp's part of the tile at (i0, j0) left of the diagonal, all loads on their way at once.
template <typename T>
BASALT_DEVICE void loadTile(const Triangle<T>& t, i64 i0, i64 j0, i64 order, bool turned, T* v) {
    const T* p = t.a + (i0 + rowOf(turned, 0)) * t.si + (j0 + columnOf(turned, 0)) * t.sj;
    i64 step = turned ? t.si : t.sj;
    int rows = (int)least(order - i0, TILE);
#pragma unroll
    for (int u = 0; u < TILE; u++) {
        v[u] = rowOf(turned, u) < rows ? conj(*p, t.conjugated) : zero<T>();
        p += step;
    }
}

// The same for the tile on the diagonal: the identity behind the last row, nothing above the diagonal.
template <typename T>
BASALT_DEVICE void loadDiagonal(const Triangle<T>& t, i64 i0, i64 order, bool turned, T* v) {
    const T* p = t.a + i0 * (t.si + t.sj) + (turned ? columnOf(true, 0) * t.sj : rowOf(false, 0) * t.si);
    i64 step = turned ? t.si : t.sj;
    int rows = (int)least(order - i0, TILE);
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int u = 0; u < TILE; u++) {
        // Below the diagonal is where the row is larger.
        int below = turned ? u - lane : lane - u;
        bool read = (t.unit ? below > 0 : below >= 0) && rowOf(turned, u) < rows;
        v[u] = below == 0 ? one<T>() : zero<T>();
        if (read) {
            v[u] = conj(*p, t.conjugated);
        }
        p += step;
    }
}

// A warp puts its numbers of a tile into shared memory, [column][row].
template <typename T>
BASALT_DEVICE void keepTile(bool turned, const T* v, T* tile) {
    const int PITCH = Pitch<T>::of;
    warpBarrier();
#pragma unroll
    for (int u = 0; u < TILE; u++) {
        tile[columnOf(turned, u) * PITCH + rowOf(turned, u)] = v[u];
    }
    warpBarrier();
}

// Turns the diagonal of a tile into reciprocals where all of them and what they are of are normal numbers, and rows times them do
// not overflow. Whether it did.
template <typename T>
BASALT_DEVICE bool invertDiagonal(T* tile) {
    typedef typename Of<T>::Real R;
    const int PITCH = Pitch<T>::of;
    int lane = threadIdx.x % 32;
    T* d = tile + lane * (PITCH + 1);
    T r = divide(one<T>(), *d);
    R least = smallestNormal(magnitude(r));
    R sum = 0;
#pragma unroll 8
    for (int c = 0; c < TILE; c++) {
        sum += c < lane ? magnitude(tile[c * PITCH + lane]) : 0;
    }
    int safe = magnitude(*d) >= least && magnitude(r) >= least && sum * magnitude(r) < 1 / (4 * least);
    for (int mask = 16; mask > 0; mask >>= 1) {
        safe &= shuffleXor(safe, mask);
    }
    warpBarrier();
    if (safe) {
        *d = r;
    }
    warpBarrier();
    return safe;
}

// Solves with a tile for one right-hand side, whose `rows` numbers lie `pitch` apart in shared memory; a thread for each side.
template <typename T, int SIDES>
BASALT_DEVICE void substitute(const T* tile, bool safe, int rows, int pitch, T* x) {
    const int PITCH = Pitch<T>::of;
    if (safe) {
        substituteEights<T, false, SIDES == 8>(tile, PITCH, tile, PITCH + 1, rows, x, pitch);
        return;
    }
    for (int k = 0; k < rows; k++) {
        T u = divide(x[k * pitch], tile[k * (PITCH + 1)]);
        x[k * pitch] = u;
        for (int r = k + 1; r < rows; r++) {
            fma(-tile[k * PITCH + r], u, x[r * pitch]);
        }
    }
}

// A thread's row of the right-hand sides, SIDES numbers. Where they lie along the sides, a warp reads them so and turns them in
// shared memory.
template <typename T, int SIDES>
BASALT_DEVICE void loadSides(const System<T>& b, i64 i0, i64 order, i64 r0, int sides, bool turned, T* tile, T* v) {
    const int PITCH = Pitch<T>::of;
    const int ROWS = 32 / SIDES;  // that a warp reads at once
    int lane = threadIdx.x % 32;
    int side = lane % SIDES;
    if (!turned) {
#pragma unroll
        for (int s = 0; s < SIDES; s++) {
            v[s] = i0 + lane < order && s < sides ? b(i0 + lane, r0 + s) : zero<T>();
        }
        return;
    }
#pragma unroll
    for (int u = 0; u < SIDES; u++) {
        i64 i = i0 + u * ROWS + lane / SIDES;
        v[u] = i < order && side < sides ? b(i, r0 + side) : zero<T>();
    }
#pragma unroll
    for (int u = 0; u < SIDES; u++) {
        tile[(u * ROWS + lane / SIDES) * PITCH + side] = v[u];
    }
    warpBarrier();
#pragma unroll
    for (int s = 0; s < SIDES; s++) {
        v[s] = tile[lane * PITCH + s];
    }
}

// A warp writes the unknowns of a tile, [row][side], to where the right-hand sides were.
template <typename T, int SIDES>
BASALT_DEVICE void storeSides(const System<T>& b, i64 i0, i64 order, i64 r0, int sides, bool turned, const T* x, int pitch) {
    const int ROWS = 32 / SIDES;
    int lane = threadIdx.x % 32;
    int r = turned ? lane / SIDES : lane;
    int s = turned ? lane % SIDES : 0;
    int dr = turned ? ROWS : 0;
    int ds = turned ? 0 : 1;
    int rows = (int)least(order - i0, TILE);
    T* p = &b(i0 + r, r0 + s);
    i64 step = dr * b.si + ds * b.sr;
    x += r * pitch + s;
#pragma unroll 8
    for (int u = 0; u < SIDES; u++) {
        if (r < rows && s < sides) {
            *p = *x;
        }
        p += step;
        x += dr * pitch + ds;
        r += dr;
        s += ds;
    }
}

// From row to row of the unknowns: whole rows start at multiples of 16 bytes.
template <typename T, int SIDES>
struct SidesOf {
    static const int pitch = SIDES + 16 / (int)sizeof(T);
};

// A block takes SIDES right-hand sides, a warp 32 rows of them in registers, a thread a row. Tile by tile from the top: the tile's
// warp turns its rows so that a thread has a side, and substitutes; the warps below take its unknowns off their rows. args.x: whether
// elements of a row of the triangle follow each other in memory; each warp turns its tiles in shared memory then.
template <typename T, int SIDES>
BASALT_DEVICE void solve(const Args& args) {
    const int PITCH = Pitch<T>::of;
    const int X = SidesOf<T, SIDES>::pitch;
    const bool AHEAD = sizeof(T) < 16;  // whether registers suffice to load elements of the triangle long before their use
    int threads = blockDim.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    T* x = BASALT_DYNAMIC_SHARED(T);  // [tile % 2][row][side]: unknowns
    T* diagonal = x + 2 * TILE * X + warp * TILE * PITCH;
    T* strip = diagonal + threads * PITCH;
    bool staged = args.x != 0;
    bool right = args.side == RIGHT;
    i64 order = right ? args.n : args.m;
    i64 r0 = (i64)blockIdx.x * SIDES;
    int sides = (int)least(SIDES, (right ? args.m : args.n) - r0);
    T alpha = value<T>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        System<T> b = system<T>(args, problem, order);
        for (i64 c0 = 0; c0 < order; c0 += threads) {
            i64 i0 = c0 + warp * TILE;
            i64 i = i0 + lane;
            if (isZero(alpha)) {
#pragma unroll
                for (int s = 0; s < SIDES; s++) {
                    if (i < order && s < sides) {
                        b(i, r0 + s) = zero<T>();
                    }
                }
                continue;
            }
            T v[SIDES];
            T a[TILE];
            loadDiagonal(b.t, i0, order, staged, a);
            loadSides<T, SIDES>(b, i0, order, r0, sides, right, diagonal, v);
#pragma unroll
            for (int s = 0; s < SIDES; s++) {
                v[s] = alpha * v[s];
            }
            keepTile(staged, a, diagonal);
            bool safe = invertDiagonal(diagonal);
            i64 end = least(order, c0 + threads);
            for (i64 k0 = 0; k0 < end; k0 += TILE) {
                // Unknowns of earlier rows come from memory, this block's own are found here.
                bool own = k0 >= c0;
                int w = own ? (int)(k0 - c0) / TILE : -1;
                T* now = x + w % 2 * TILE * X;
                bool takes = warp > w && i0 < order;
                if (!own) {
                    now = x;
                    for (int e = threadIdx.x; e < TILE * SIDES; e += threads) {
                        int r = right ? e / SIDES : e % TILE;
                        int s = right ? e % SIDES : e / TILE;
                        now[r * X + s] = s < sides ? b(k0 + r, r0 + s) : zero<T>();
                    }
                }
                if (warp == w) {
#pragma unroll
                    for (int s = 0; s < SIDES; s++) {
                        now[lane * X + s] = v[s];
                    }
                    warpBarrier();
                    if (lane < SIDES) {
                        substitute<T, SIDES>(diagonal, safe, (int)least(TILE, order - k0), X, now + lane);
                    }
                } else if (takes && (staged || AHEAD)) {
                    loadTile(b.t, i0, k0, order, staged, a);
                    if (staged) {
                        keepTile(staged, a, strip);
                    }
                }
                __syncthreads();
                if (takes) {
#pragma unroll
                    for (int l = 0; l < TILE; l++) {
                        T e = zero<T>();
                        if (staged) {
                            e = -strip[l * PITCH + lane];
                        } else if (AHEAD) {
                            e = -a[l];
                        } else if (i < order) {
                            e = -b.t(i, k0 + l);
                        }
#pragma unroll
                        for (int s = 0; s < SIDES; s++) {
                            fma(e, now[l * X + s], v[s]);
                        }
                    }
                }
                if (warp == w) {
                    storeSides<T, SIDES>(b, k0, order, r0, sides, right, now, X);
                }
                if (!own) {
                    __syncthreads();
                }
            }
            __syncthreads();
        }
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
// Unknowns of two tiles, whose rows are X elements, then a tile of the triangle a warp, or two.
#define SOLVE_LAYOUT(name, T, X)                                                                               \
    BASALT_LAYOUT(name, threads, staged, unused) {                                                             \
        return (long long)sizeof(T) * (2 * basalt::TILE * X + (staged ? 2 : 1) * threads * basalt::Pitch<T>::of); \
    }
#define SOLVE_LAYOUTS(t, T)                                          \
    SOLVE_LAYOUT(trsm_8_##t, T, (basalt::SidesOf<T, 8>::pitch))      \
    SOLVE_LAYOUT(trsm_16_##t, T, (basalt::SidesOf<T, 16>::pitch))    \
    SOLVE_LAYOUT(trsm_32_##t, T, (basalt::SidesOf<T, 32>::pitch))
BASALT_EACH_TYPE(SOLVE_LAYOUTS)
#endif

#define SOLVES(t, T)                                                                                        \
    BASALT_KERNEL(basalt_trsm_8_##t) { basalt::solve<T, 8>(args); } \
    BASALT_KERNEL(basalt_trsm_16_##t) { basalt::solve<T, 16>(args); }
#define WIDE_SOLVES(t, T) \
    BASALT_KERNEL(basalt_trsm_32_##t) { basalt::solve<T, 32>(args); }
BASALT_EACH_TYPE(SOLVES)
BASALT_S(WIDE_SOLVES)
BASALT_D(WIDE_SOLVES)
BASALT_C(WIDE_SOLVES)
