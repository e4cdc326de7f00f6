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

// From row to row of the unknowns: whole rows start at multiples of 16 bytes; lanes of a product meet no bank twice.
template <typename T, int SIDES>
struct SidesOf {
    static const int pitch = SIDES + 16 / (int)sizeof(T);
    static const int products = SIDES + 4;
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

// ---- double by products of a warp

// A warp's 32 rows of SIDES right-hand sides, less what is known of them: a lane holds of each 16×8 part the elements that it has of
// a product.
template <int SIDES>
struct Remainder {
    double v[2][SIDES / 8][4];

    static BASALT_DEVICE int row(int m, int e) { return 16 * m + threadIdx.x % 32 / 4 + e / 2 * 8; }
    static BASALT_DEVICE int side(int n, int e) { return 8 * n + threadIdx.x % 4 * 2 + e % 2; }

    // Minus alpha times the right-hand sides, so that products are added.
    BASALT_DEVICE void load(const System<double>& b, double alpha, i64 i0, i64 order, i64 r0, int sides) {
        int rows = (int)least(order - i0, TILE);
        const double* p = b.b + (i0 + row(0, 0)) * b.si + (r0 + side(0, 0)) * b.sr;
#pragma unroll
        for (int n = 0; n < SIDES / 8; n++) {
#pragma unroll
            for (int w = 0; w < 2; w++) {
                const double* q = p;
#pragma unroll
                for (int h = 0; h < 4; h++) {
                    bool inside = row(0, 0) + 8 * h < rows && side(n, w) < sides;
                    v[h / 2][n][h % 2 * 2 + w] = inside ? *q : 0.0;
                    q += 8 * b.si;
                }
                p += w == 0 ? b.sr : 7 * b.sr;
            }
        }
#pragma unroll
        for (int e = 0; e < 8 * (SIDES / 8); e++) {
            v[e / 4 % 2][e / 8][e % 4] *= -alpha;
        }
    }
    BASALT_DEVICE void store(double* x, int pitch) const {
#pragma unroll
        for (int e = 0; e < 8 * (SIDES / 8); e++) {
            x[row(e / 4 % 2, e % 4) * pitch + side(e / 8, e % 4)] = -v[e / 4 % 2][e / 8][e % 4];
        }
    }
};

// Multiplies the rows of a tile's 8×8 blocks by the reciprocals that are its diagonal.
BASALT_DEVICE void scaleEights(double* tile) {
    const int PITCH = Pitch<double>::of;
    int lane = threadIdx.x % 32;
    double r = tile[lane * (PITCH + 1)];
#pragma unroll
    for (int c = 0; c < EIGHT - 1; c++) {
        if (c < lane % EIGHT) {
            tile[(lane / EIGHT * EIGHT + c) * PITCH + lane] *= r;
        }
    }
    warpBarrier();
}

// A warp solves with its tile: eight rows at a time by substitution, a thread a right-hand side, and takes their unknowns off its other rows by
// products. Unknowns go to x.
template <int SIDES>
BASALT_DEVICE void solveTile(const double* tile, Remainder<SIDES>& rest, double* x) {
    const int PITCH = Pitch<double>::of;
    const int X = SIDES + 4;
    int lane = threadIdx.x % 32;
    int g = lane / 4;
    int q = lane % 4;
#pragma unroll
    for (int p = 0; p < TILE / EIGHT; p++) {
        const double* corner = tile + p * EIGHT * (PITCH + 1);
#pragma unroll
        for (int n = 0; n < SIDES / 8; n++) {
#pragma unroll
            for (int e = 0; e < 2; e++) {
                x[(p * EIGHT + g) * X + Remainder<SIDES>::side(n, e)] = -rest.v[p / 2][n][p % 2 * 2 + e];
            }
        }
        warpBarrier();
        if (lane < SIDES) {
            double v[EIGHT];
#pragma unroll
            for (int r = 0; r < EIGHT; r++) {
                v[r] = x[(p * EIGHT + r) * X + lane] * corner[r * (PITCH + 1)];
            }
#pragma unroll
            for (int k = 0; k < EIGHT; k++) {
#pragma unroll
                for (int r = k + 1; r < EIGHT; r++) {
                    fma(-corner[k * PITCH + r], v[k], v[r]);
                }
            }
#pragma unroll
            for (int r = 0; r < EIGHT; r++) {
                x[(p * EIGHT + r) * X + lane] = v[r];
            }
        }
        warpBarrier();
        // The rows of a pair of eights that are solved already change as well, and nobody looks at them again.
#pragma unroll
        for (int m = (p + 1) / 2; m < 2; m++) {
            double a[INNER / 2];
#pragma unroll
            for (int u = 0; u < INNER / 2; u++) {
                a[u] = tile[(p * EIGHT + q + u / 2 * 4) * PITCH + 16 * m + g + u % 2 * 8];
            }
#pragma unroll
            for (int n = 0; n < SIDES / 8; n++) {
                const double* from = x + (p * EIGHT + q) * X + n * 8 + g;
                double known[2] = {from[0], from[4 * X]};
                warpProduct(rest.v[m][n], a, known);
            }
        }
    }
}

// As solve, with the unknowns taken off the rows below by products of a warp. Lanes of these read 32 bytes or more that follow each
// other whichever way the triangle lies.
template <int SIDES>
BASALT_DEVICE void solveByProducts(const Args& args) {
    const int PITCH = Pitch<double>::of;
    const int X = SidesOf<double, SIDES>::products;
    static_assert(INNER == 8, "four elements of A a lane");
    const int DEPTH = TILE / INNER;
    int threads = blockDim.x;
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int g = lane / 4;
    int q = lane % 4;
    double* x = BASALT_DYNAMIC_SHARED(double);
    double* diagonal = x + 2 * TILE * X + warp * TILE * PITCH;
    bool staged = args.x != 0;
    bool right = args.side == RIGHT;
    i64 order = right ? args.n : args.m;
    i64 r0 = (i64)blockIdx.x * SIDES;
    int sides = (int)least(SIDES, (right ? args.m : args.n) - r0);
    double alpha = value<double>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        System<double> b = system<double>(args, problem, order);
        for (i64 c0 = 0; c0 < order; c0 += threads) {
            i64 i0 = c0 + warp * TILE;
            if (alpha == 0) {
                for (int s = 0; s < sides && i0 + lane < order; s++) {
                    b(i0 + lane, r0 + s) = 0;
                }
                continue;
            }
            Remainder<SIDES> rest;
            double a[DEPTH][2][4];
            loadDiagonal(b.t, i0, order, staged, &a[0][0][0]);
            rest.load(b, alpha, i0, order, r0, sides);
            keepTile(staged, &a[0][0][0], diagonal);
            bool safe = invertDiagonal(diagonal);
            if (safe) {
                scaleEights(diagonal);
            }
            i64 end = least(order, c0 + threads);
            for (i64 k0 = 0; k0 < end; k0 += TILE) {
                // Unknowns of earlier rows come from memory, this block's own are found here.
                bool own = k0 >= c0;
                int w = own ? (int)(k0 - c0) / TILE : -1;
                double* now = x + (own ? w % 2 : 0) * TILE * X;
                bool takes = warp > w && i0 < order;
                if (!own) {
                    for (int e = threadIdx.x; e < TILE * SIDES; e += threads) {
                        int r = right ? e / SIDES : e % TILE;
                        int s = right ? e % SIDES : e / TILE;
                        now[r * X + s] = s < sides ? b(k0 + r, r0 + s) : 0.0;
                    }
                }
                if (takes) {
                    const double* p = b.t.a + (i0 + g) * b.t.si + (k0 + q) * b.t.sj;
                    int rows = (int)least(order - i0, TILE) - g;
#pragma unroll
                    for (int c = 0; c < 2 * DEPTH; c++) {
                        const double* r = p;
#pragma unroll
                        for (int h = 0; h < 4; h++) {
                            a[c / 2][h / 2][c % 2 * 2 + h % 2] = 8 * h < rows ? *r : 0.0;
                            r += 8 * b.t.si;
                        }
                        p += 4 * b.t.sj;
                    }
                } else if (warp == w && safe) {
                    solveTile<SIDES>(diagonal, rest, now);
                } else if (warp == w) {
                    rest.store(now, X);
                    warpBarrier();
                    if (lane < SIDES) {
                        substitute<double, SIDES>(diagonal, false, (int)least(TILE, order - k0), X, now + lane);
                    }
                }
                __syncthreads();
                if (takes) {
#pragma unroll
                    for (int d = 0; d < DEPTH; d++) {
#pragma unroll
                        for (int n = 0; n < SIDES / 8; n++) {
                            const double* from = now + (d * INNER + q) * X + n * 8 + g;
                            double known[2] = {from[0], from[4 * X]};
                            warpProduct(rest.v[0][n], a[d][0], known);
                            warpProduct(rest.v[1][n], a[d][1], known);
                        }
                    }
                } else if (warp == w) {
                    storeSides<double, SIDES>(b, k0, order, r0, sides, right, now, X);
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
SOLVE_LAYOUT(trsm_products_8_d, double, (basalt::SidesOf<double, 8>::products))
SOLVE_LAYOUT(trsm_products_16_d, double, (basalt::SidesOf<double, 16>::products))
SOLVE_LAYOUT(trsm_products_32_d, double, (basalt::SidesOf<double, 32>::products))
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
#if defined(BASALT_TYPE_D)
BASALT_KERNEL(basalt_trsm_products_8_d) { basalt::solveByProducts<8>(args); }
BASALT_KERNEL(basalt_trsm_products_16_d) { basalt::solveByProducts<16>(args); }
BASALT_KERNEL(basalt_trsm_products_32_d) { basalt::solveByProducts<32>(args); }
#endif
