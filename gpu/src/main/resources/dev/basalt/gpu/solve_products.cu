// trsm by products of a warp, in double: a tile's unknowns are found eight real rows at a time, and taken off the rows below by tensor cores.
//
// A complex triangle is a real one of twice the order: an element is the block [re −im; im re], and right-hand sides are columns of
// their parts, one below the other. Rows times the reciprocal of their diagonal have a unit triangle of real numbers. Both ways cost as many
// multiplications. Numbers of single precision are doubles here, and are rounded as they are stored.
#include "system.h"
#include "tile.h"
BASALT_CAPPED_TOO

namespace basalt {

static const int TILE = 32;          // real rows of a warp
static const int PITCH = TILE + 2;   // from column to column of a tile in shared memory

// The elements that the real rows of a T are of, and how these are found.
template <typename T>
struct Rows {
    typedef typename Of<T>::Real R;
    typedef double Wide;
    static const int PARTS = 1;
    static BASALT_DEVICE double widen(T x) { return x; }
    static BASALT_DEVICE T narrow(double x) { return (T)x; }
    // Element (i, j) of a tile.
    static BASALT_DEVICE double get(const double* tile, int i, int j) { return tile[j * PITCH + i]; }
    static BASALT_DEVICE void put(double* tile, int i, int j, double v) { tile[j * PITCH + i] = v; }
    // Element i of a right-hand side, whose real rows are `pitch` apart.
    static BASALT_DEVICE double getSide(const double* x, int i, int pitch) { return x[i * pitch]; }
    static BASALT_DEVICE void putSide(double* x, int i, int pitch, double v) { x[i * pitch] = v; }
};
template <typename S>
struct Rows<Complex<S>> {
    typedef S R;
    typedef Complex<double> Wide;
    static const int PARTS = 2;
    static BASALT_DEVICE Wide widen(Complex<S> x) { return {x.re, x.im}; }
    static BASALT_DEVICE Complex<S> narrow(Wide x) { return {(S)x.re, (S)x.im}; }
    static BASALT_DEVICE Wide get(const double* tile, int i, int j) {
        const double* p = tile + 2 * j * PITCH + 2 * i;
        return {p[0], p[1]};
    }
    static BASALT_DEVICE void put(double* tile, int i, int j, Wide v) {
        double* p = tile + 2 * j * PITCH + 2 * i;
        p[0] = v.re;
        p[1] = v.im;
        p[PITCH] = -v.im;
        p[PITCH + 1] = v.re;
    }
    static BASALT_DEVICE Wide getSide(const double* x, int i, int pitch) { return {x[2 * i * pitch], x[(2 * i + 1) * pitch]}; }
    static BASALT_DEVICE void putSide(double* x, int i, int pitch, Wide v) {
        x[2 * i * pitch] = v.re;
        x[(2 * i + 1) * pitch] = v.im;
    }
};

// Which part of its element a real row or column is.
template <typename T>
BASALT_DEVICE int partOf(int row) {
    return row % Rows<T>::PARTS;
}

// A warp puts the tile on the diagonal into shared memory: the identity behind the last row, nothing above the diagonal. Lanes run along the
// storage.
template <typename T>
BASALT_DEVICE void keepDiagonal(const Triangle<T>& t, i64 i0, i64 order, bool turned, double* tile) {
    const int PARTS = Rows<T>::PARTS;
    const int SIDE = TILE / PARTS;
    int lane = threadIdx.x % 32;
    int along = lane % SIDE;
    int rows = (int)least(order - i0, TILE) / PARTS;
    const T* p = t.a + i0 / PARTS * (t.si + t.sj) + along * (turned ? t.sj : t.si) + lane / SIDE * (turned ? t.si : t.sj);
    i64 step = PARTS * (turned ? t.si : t.sj);
    T v[SIDE / PARTS];
#pragma unroll
    for (int u = 0; u < SIDE / PARTS; u++) {
        int across = u * PARTS + lane / SIDE;
        // Below the diagonal is where the row is larger.
        int below = turned ? across - along : along - across;
        bool read = (t.unit ? below > 0 : below >= 0) && (turned ? across : along) < rows;
        v[u] = below == 0 ? one<T>() : zero<T>();
        if (read) {
            v[u] = conj(*p, t.conjugated);
        }
        p += step;
    }
#pragma unroll
    for (int u = 0; u < SIDE / PARTS; u++) {
        int across = u * PARTS + lane / SIDE;
        Rows<T>::put(tile, turned ? across : along, turned ? along : across, Rows<T>::widen(v[u]));
    }
    warpBarrier();
}

// Turns the diagonal of a tile into reciprocals, where all of them and what they are of are normal numbers and rows times them do
// not overflow, and multiplies the rows of blocks of eight by them. Whether it did. A complex reciprocal is where its element was.
template <typename T>
BASALT_DEVICE bool scaleEights(double* tile) {
    typedef typename Rows<T>::Wide W;
    const int PARTS = Rows<T>::PARTS;
    int lane = threadIdx.x % 32;
    int part = partOf<T>(lane);
    int row = lane / PARTS;
    W d = Rows<T>::get(tile, row, row);
    W r = divide(one<W>(), d);
    double least = smallestNormal(0.0);
    double sum = 0;
#pragma unroll 8
    for (int c = 0; c < TILE; c++) {
        sum += c < lane - part ? fabs(tile[c * PITCH + lane]) : 0;
    }
    int safe = magnitude(d) >= least && magnitude(r) >= least && sum * magnitude(r) < 1 / (4 * least);
    for (int mask = 16; mask > 0; mask >>= 1) {
        safe &= shuffleXor(safe, mask);
    }
    warpBarrier();
    if (!safe) {
        return false;
    }
    const int EACH = EIGHT / PARTS;  // elements of a row of eight
#pragma unroll
    for (int c = 0; c < EACH - 1; c++) {
        int column = row / EACH * EACH + c;
        W v = r * Rows<T>::get(tile, row, column);
        warpBarrier();
        if (column < row && part == 0) {
            Rows<T>::put(tile, row, column, v);
        }
    }
    if (part == 0) {
        Rows<T>::put(tile, row, row, r);
    }
    warpBarrier();
    return true;
}

// Solves with a tile for one right-hand side by divisions; a thread for each side.
template <typename T>
BASALT_DEVICE void substitute(const double* tile, int rows, int pitch, double* x) {
    typedef typename Rows<T>::Wide W;
    for (int k = 0; k < rows / Rows<T>::PARTS; k++) {
        W u = divide(Rows<T>::getSide(x, k, pitch), Rows<T>::get(tile, k, k));
        Rows<T>::putSide(x, k, pitch, u);
        for (int r = k + 1; r < rows / Rows<T>::PARTS; r++) {
            W v = Rows<T>::getSide(x, r, pitch);
            fma(-Rows<T>::get(tile, r, k), u, v);
            Rows<T>::putSide(x, r, pitch, v);
        }
    }
}

// From row to row of the unknowns: lanes of a product meet no bank twice.
template <int SIDES>
struct SidesOf {
    static const int pitch = SIDES + 4;
};

// A warp writes the unknowns of a tile to where the right-hand sides were, lanes along the storage.
template <typename T, int SIDES>
BASALT_DEVICE void storeSides(const System<T>& b, i64 i0, i64 order, i64 r0, int sides, bool turned, const double* x) {
    const int PARTS = Rows<T>::PARTS;
    const int SIDE = TILE / PARTS;
    const int X = SidesOf<SIDES>::pitch;
    int lane = threadIdx.x % 32;
    int rows = (int)least(order - i0, TILE) / PARTS;
    int dr = turned ? 32 / SIDES : 0;
    int ds = turned ? 0 : PARTS;
    int r = turned ? lane / SIDES : lane % SIDE;
    int s = turned ? lane % SIDES : lane / SIDE;
    T* p = &b(i0 / PARTS + r, r0 + s);
    i64 step = dr * b.si + ds * b.sr;
#pragma unroll 8
    for (int u = 0; u < SIDES / PARTS; u++) {
        if (r < rows && s < sides) {
            *p = Rows<T>::narrow(Rows<T>::getSide(x + s, r, X));
        }
        p += step;
        r += dr;
        s += ds;
    }
}

// A warp's 32 rows of SIDES right-hand sides, less what is known of them: a lane holds of each 16×8 part the elements that it has of
// a product.
template <typename T, int SIDES>
struct Remainder {
    typedef typename Rows<T>::R R;
    static const int PARTS = Rows<T>::PARTS;
    double v[2][SIDES / 8][4];

    static BASALT_DEVICE int row(int m, int e) { return 16 * m + threadIdx.x % 32 / 4 + e / 2 * 8; }
    static BASALT_DEVICE int side(int n, int e) { return 8 * n + threadIdx.x % 4 * 2 + e % 2; }

    // Minus alpha times the right-hand sides, so that products are added.
    BASALT_DEVICE void load(const System<T>& b, T alpha, i64 i0, i64 order, i64 r0, int sides) {
        int rows = (int)least(order - i0, TILE);
        int part = partOf<T>(row(0, 0));
        const R* p = (const R*)(b.b + (r0 + side(0, 0)) * b.sr) + (i0 + row(0, 0) - part) * b.si + part;
#pragma unroll
        for (int n = 0; n < SIDES / 8; n++) {
#pragma unroll
            for (int w = 0; w < 2; w++) {
                const R* q = p;
#pragma unroll
                for (int h = 0; h < 4; h++) {
                    bool inside = row(0, 0) + 8 * h < rows && side(n, w) < sides;
                    v[h / 2][n][h % 2 * 2 + w] = inside ? *q : 0.0;
                    q += 8 * b.si;
                }
                p += PARTS * (w == 0 ? b.sr : 7 * b.sr);
            }
        }
        typename Rows<T>::Wide by = Rows<T>::widen(alpha);
#pragma unroll
        for (int e = 0; e < 8 * (SIDES / 8); e++) {
            double& x = v[e / 4 % 2][e / 8][e % 4];
            if constexpr (PARTS == 1) {
                x *= -by;
            } else if (by.im == 0) {
                x *= -by.re;
            } else {
                // The other part is in the lane of the row beside this one.
                double other = shuffleXor(x, 4);
                x = (part == 0 ? by.im : -by.im) * other - by.re * x;
            }
        }
    }
    BASALT_DEVICE void store(double* x, int pitch) const {
#pragma unroll
        for (int e = 0; e < 8 * (SIDES / 8); e++) {
            x[row(e / 4 % 2, e % 4) * pitch + side(e / 8, e % 4)] = -v[e / 4 % 2][e / 8][e % 4];
        }
    }
};

// A warp solves with its tile: eight rows at a time by substitution, a thread a right-hand side, and takes their unknowns off its other rows by
// products. Unknowns go to x.
template <typename T, int SIDES>
BASALT_DEVICE void solveTile(const double* tile, Remainder<T, SIDES>& rest, double* x) {
    const int PARTS = Rows<T>::PARTS;
    const int X = SidesOf<SIDES>::pitch;
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
                x[(p * EIGHT + g) * X + Remainder<T, SIDES>::side(n, e)] = -rest.v[p / 2][n][p % 2 * 2 + e];
            }
        }
        warpBarrier();
        if (lane < SIDES) {
            double v[EIGHT];
#pragma unroll
            for (int r = 0; r < EIGHT / PARTS; r++) {
                typename Rows<T>::Wide u = Rows<T>::getSide(x + p * EIGHT * X + lane, r, X) * Rows<T>::get(corner, r, r);
                Rows<T>::putSide(v, r, 1, u);
            }
#pragma unroll
            for (int k = 0; k < EIGHT; k++) {
#pragma unroll
                for (int r = (k / PARTS + 1) * PARTS; r < EIGHT; r++) {
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

// A block takes SIDES right-hand sides, a warp 32 real rows of them in registers. Tile by tile from the top: the tile's warp finds its unknowns,
// and the warps below take these off their rows by products. Lanes of these read 32 bytes or more that follow each other whichever way the
// triangle lies. args.x: whether elements of a row of the triangle follow each other in memory.
template <typename T, int SIDES>
BASALT_DEVICE void solveByProducts(const Args& args) {
    typedef typename Rows<T>::R R;
    const int PARTS = Rows<T>::PARTS;
    const int X = SidesOf<SIDES>::pitch;
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
    i64 order = PARTS * (right ? args.n : args.m);
    i64 r0 = (i64)blockIdx.x * SIDES;
    int sides = (int)least(SIDES, (right ? args.m : args.n) - r0);
    T alpha = value<T>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        System<T> b = system<T>(args, problem, order / PARTS);
        // A lane has of the triangle one part of elements: the real one where both its rows and its columns are of the same part.
        bool imaginary = partOf<T>(g) != partOf<T>(q);
        bool negative = imaginary && (partOf<T>(q) != 0) != b.t.conjugated;
        for (i64 c0 = 0; c0 < order; c0 += threads) {
            i64 i0 = c0 + warp * TILE;
            if (isZero(alpha)) {
                for (int s = 0; s < sides && lane % 32 < TILE / PARTS && i0 / PARTS + lane < order / PARTS; s++) {
                    b(i0 / PARTS + lane, r0 + s) = zero<T>();
                }
                continue;
            }
            Remainder<T, SIDES> rest;
            rest.load(b, alpha, i0, order, r0, sides);
            keepDiagonal(b.t, i0, order, staged, diagonal);
            bool safe = scaleEights<T>(diagonal);
            double a[DEPTH][2][4];
            i64 end = least(order, c0 + threads);
            for (i64 k0 = 0; k0 < end; k0 += TILE) {
                // Unknowns of earlier rows come from memory, this block's own are found here.
                bool own = k0 >= c0;
                int w = own ? (int)(k0 - c0) / TILE : -1;
                double* now = x + (own ? w % 2 : 0) * TILE * X;
                bool takes = warp > w && i0 < order;
                if (!own) {
                    for (int e = threadIdx.x; e < TILE / PARTS * SIDES; e += threads) {
                        int r = right ? e / SIDES : e % (TILE / PARTS);
                        int s = right ? e % SIDES : e / (TILE / PARTS);
                        T v = s < sides ? b(k0 / PARTS + r, r0 + s) : zero<T>();
                        Rows<T>::putSide(now + s, r, X, Rows<T>::widen(v));
                    }
                }
                if (takes) {
                    const R* p = (const R*)b.t.a + (i0 + g - partOf<T>(g)) * b.t.si + (k0 + q - partOf<T>(q)) * b.t.sj + (imaginary ? 1 : 0);
                    int rows = (int)least(order - i0, TILE) - g;
#pragma unroll
                    for (int c = 0; c < 2 * DEPTH; c++) {
                        const R* r = p;
#pragma unroll
                        for (int h = 0; h < 4; h++) {
                            R e = 8 * h < rows ? *r : (R)0;
                            a[c / 2][h / 2][c % 2 * 2 + h % 2] = PARTS == 2 && negative ? -e : e;
                            r += 8 * b.t.si;
                        }
                        p += 4 * b.t.sj;
                    }
                } else if (warp == w && safe) {
                    solveTile<T, SIDES>(diagonal, rest, now);
                } else if (warp == w) {
                    rest.store(now, X);
                    warpBarrier();
                    if (lane < SIDES) {
                        substitute<T>(diagonal, (int)least(TILE, order - k0), X, now + lane);
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
                    storeSides<T, SIDES>(b, k0, order, r0, sides, right, now);
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

#define PRODUCTS_OF(t, T)                                                                        \
    BASALT_KERNEL(basalt_trsm_products_8_##t) { basalt::solveByProducts<T, 8>(args); }           \
    BASALT_KERNEL(basalt_trsm_products_16_##t) { basalt::solveByProducts<T, 16>(args); }         \
    BASALT_KERNEL(basalt_trsm_products_32_##t) { basalt::solveByProducts<T, 32>(args); }
BASALT_D(PRODUCTS_OF) BASALT_C(PRODUCTS_OF) BASALT_Z(PRODUCTS_OF)

#if defined(BASALT_SHIM)
// Unknowns of two tiles, then a tile of the triangle a warp.
#define PRODUCTS_LAYOUT(sides, t)                                                                                          \
    BASALT_LAYOUT(trsm_products_##sides##_##t, threads, unused, unused_too) {                                              \
        return (long long)sizeof(double) * (2 * basalt::TILE * basalt::SidesOf<sides>::pitch + threads * basalt::PITCH); \
    }
#define PRODUCTS_LAYOUTS(t, T) PRODUCTS_LAYOUT(8, t) PRODUCTS_LAYOUT(16, t) PRODUCTS_LAYOUT(32, t)
BASALT_D(PRODUCTS_LAYOUTS) BASALT_C(PRODUCTS_LAYOUTS) BASALT_Z(PRODUCTS_LAYOUTS)
#endif
