// A tile of 64×64 on the diagonal of a Cholesky factorisation, in shared memory: what its block's first warps do with 16 columns, and
// what others do with blocks of 16×16.
#ifndef BASALT_CHOLESKY_H
#define BASALT_CHOLESKY_H

#include "eights.h"

namespace basalt {

static const int CHOLESKY_TILE = row::cholesky_lower_d::tile;
static const int CHOLESKY_HALF = 32;     // columns after which a tile of the diagonal is shown to others
static const int CHOLESKY_STRIP = 16;    // columns that one warp factors
static const int CHOLESKY_ROWS = 128;    // of a task: two tiles
static const int CHOLESKY_THREADS = row::cholesky_lower_d::threads;
static const int CHOLESKY_WIDTH = 2;      // columns whose tasks are taken together; even
static const int CHOLESKY_FAILED = 1 << 30;  // progress of a row that will not be found
static const int CHOLESKY_COUNTERS = 2;      // of a problem, before its rows' progress: tasks taken, blocks that are done

struct CholeskyTile {
    static const int FACTOR = 3;  // warps that factor a tile of the diagonal
    // From column to column: lanes of a product meet no bank twice.
    static const int PITCH = CHOLESKY_ROWS + 4;
    static const int TRIANGLE_PITCH = CHOLESKY_TILE + 4;

    // A warp: 16×16 numbers less x·yᵀ over `depth` columns.
    static BASALT_DEVICE void less(double* from, int pitch, const double* x, int pitchX, const double* y, int pitchY, int depth) {
        static_assert(INNER == 8, "four elements of A a lane");
        int g = threadIdx.x % 32 / 4;
        int q = threadIdx.x % 4;
        double sums[2][4];
        from += 2 * q * pitch + g;
#pragma unroll
        for (int e = 0; e < 8; e++) {
            sums[e / 4][e % 4] = -from[(e / 4 * EIGHT + e % 2) * pitch + e / 2 % 2 * 8];
        }
        x += q * pitchX + g;
        y += q * pitchY + g;
#pragma unroll 2
        for (int k = 0; k < depth; k += INNER) {
            double fa[4] = {x[k * pitchX], x[k * pitchX + 8], x[(k + 4) * pitchX], x[(k + 4) * pitchX + 8]};
            double fb[4] = {y[k * pitchY], y[(k + 4) * pitchY], y[k * pitchY + 8], y[(k + 4) * pitchY + 8]};
            warpProduct(sums[0], fa, fb);
            warpProduct(sums[1], fa, fb + 2);
        }
#pragma unroll
        for (int e = 0; e < 8; e++) {
            from[(e / 4 * EIGHT + e % 2) * pitch + e / 2 % 2 * 8] = -sums[e / 4][e % 4];
        }
    }

    // A warp finds eight unknowns of 16 rows from i on, and takes them off the columns behind: rows in `rest` are solved for with the lower
    // triangle in `known` from the right, transposed.
    template <int PITCH = CholeskyTile::PITCH>
    static BASALT_DEVICE void forward(double* rest, const double* known, const double* reciprocals, int i, int p) {
        int lane = threadIdx.x % 32;
        double* x = rest + i + lane % 16 + p * PITCH;
        double v[EIGHT], s[EIGHT];
        double a[EIGHT][EIGHT];
        // Rows are scaled such that an unknown is one addition away from the one before it.
        loadAligned<EIGHT>(reciprocals + p, s);
#pragma unroll
        for (int k = 0; k < EIGHT; k++) {
            v[k] = x[k * PITCH] * s[k];
            loadAligned<EIGHT>(known + p + (p + k) * TRIANGLE_PITCH, a[k]);
        }
#pragma unroll
        for (int k = 0; k < EIGHT; k++) {
#pragma unroll
            for (int r = k + 1; r < EIGHT; r++) {
                fma(-a[k][r] * s[r], v[k], v[r]);
            }
        }
        if (lane < 16) {
#pragma unroll
            for (int r = 0; r < EIGHT; r++) {
                x[r * PITCH] = v[r];
            }
        }
        warpBarrier();
        const int AT_ONCE = 4;
        int g = lane / 4;
        int q = lane % 4;
        x = rest + i + g + (p + q) * PITCH;
        double fa[4] = {x[0], x[8], x[4 * PITCH], x[4 * PITCH + 8]};
#pragma unroll 1
        for (int c = p + EIGHT; c < CHOLESKY_TILE; c += AT_ONCE * EIGHT) {
            double sums[AT_ONCE][4];
            double* y = rest + i + g + (c + 2 * q) * PITCH;
            const double* l = known + c + g + (p + q) * TRIANGLE_PITCH;
#pragma unroll
            for (int w = 0; w < AT_ONCE; w++) {
                // In place of columns behind the last, the first of these are read again and not used: behind lies the tile of the
                // diagonal, where warps that are further on already store its other half.
                const double* there = c + w * EIGHT < CHOLESKY_TILE ? y + w * EIGHT * PITCH : y;
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    sums[w][e] = -there[e % 2 * PITCH + e / 2 * 8];
                }
            }
#pragma unroll
            for (int w = 0; w < AT_ONCE; w++) {
                double fb[2] = {l[w * EIGHT], l[w * EIGHT + 4 * TRIANGLE_PITCH]};
                warpProduct(sums[w], fa, fb);
            }
#pragma unroll
            for (int w = 0; w < AT_ONCE; w++) {
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    if (c + w * EIGHT < CHOLESKY_TILE) {
                        y[(w * EIGHT + e % 2) * PITCH + e / 2 * 8] = -sums[w][e];
                    }
                }
            }
        }
        warpBarrier();
    }

    // Three warps factor 16 columns p… of the tile that begins at element `first` of shared memory, from which all before have been taken off.
    // Each has the rows of the pivots in its first 16 lanes, so that none waits for another, and 16 rows below in the others. All threads
    // of the block call this, the other warps for the barrier alone: a barrier of the whole block is one place in the code that all come to.
    // Rows of the pivots are stored behind it. Sets *unusual to whether this was left undone. `buffer` has room for 32 numbers a warp.
    template <int PITCH = CholeskyTile::PITCH>
    static BASALT_APART void factorStrip(int p, double* buffer, int* unusual, int first = CHOLESKY_TILE) {
        double* t = BASALT_DYNAMIC_SHARED(double) + first;
        int lane = threadIdx.x % 32;
        int warp = threadIdx.x / 32;
        const int COUNT = CHOLESKY_STRIP;
        int row = p + lane + (lane < COUNT ? 0 : warp * COUNT);
        double v[COUNT];
        bool ordinary = true;
        // In the last strip other rows are read and not used.
        double* x = t + (row < CHOLESKY_TILE ? row : CHOLESKY_TILE - 1) + p * PITCH;
        if (warp == 0 || (warp < FACTOR && p + (warp + 1) * COUNT < CHOLESKY_TILE)) {
            // Each lane keeps its diagonal element apart, so that the next pivot does not wait for the rest of a column.
            buffer += 2 * COUNT * warp;
            double own = 1;
#pragma unroll
            for (int u = 0; u < COUNT; u++) {
                v[u] = x[u * PITCH];
                own = lane == u ? v[u] : own;
            }
#pragma unroll
            for (int u = 0; u < COUNT; u++) {
                double* column = buffer + u % 2 * COUNT;
                double d = shuffle(own, u);
                if (lane < COUNT) {
                    column[lane] = v[u];
                }
                double square = lane > u ? v[u] * v[u] : 0;
                ordinary = ordinary && d > 1e-140 && d < 1e140;
#if BASALT_CUDA_ARCH > 0
                // own - square/d without waiting for the whole of the reciprocal.
                double r;
                asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
                double part = square * r;
                double e = __fma_rn(-d, r, 1.0);
                double base = own - part;
                e = __fma_rn(e, e, e);
                own = __fma_rn(-part, e, base);
                r = __fma_rn(r, e, r);
#else
                double r = 1 / d;
                own -= square * r;
#endif
                double z = -v[u] * r;
                warpBarrier();
                double f[COUNT];
                loadAligned<COUNT>(column, f);
#pragma unroll
                for (int c = u + 1; c < COUNT; c++) {
                    fma(z, f[c], v[c]);
                }
            }
            double l, r;
            roots(own, &l, &r);
            warpBarrier();
            if (lane < COUNT) {
                buffer[lane] = r;
            }
            warpBarrier();
            double scales[COUNT];
            loadAligned<COUNT>(buffer, scales);
#pragma unroll
            for (int u = 0; u < COUNT; u++) {
                v[u] = lane == u ? l : v[u] * scales[u];
            }
            if (ordinary && lane >= COUNT && row < CHOLESKY_TILE) {
#pragma unroll
                for (int u = 0; u < COUNT; u++) {
                    x[u * PITCH] = v[u];
                }
            }
            if (threadIdx.x == 0) {
                *unusual = !ordinary;
            }
        }
        __syncthreads();
        if (ordinary && warp == 0) {
#pragma unroll
            for (int u = 0; u < COUNT; u++) {
                if (lane < COUNT && lane >= u) {
                    x[u * PITCH] = v[u];
                }
            }
        }
    }

    // The first warp does the same where a pivot is not positive, or reciprocals might overflow or lose digits. Returns LAPACK's info.
    template <int PITCH = CholeskyTile::PITCH>
    static BASALT_DEVICE int factorSlowly(double* t, int p) {
        int lane = threadIdx.x;
        warpBarrier();
#pragma unroll 1
        for (int j = p; j < p + CHOLESKY_STRIP; j++) {
            double* column = t + j * PITCH;
#pragma unroll 1
            for (int i = lane; i < CHOLESKY_TILE; i += 32) {
                double v = column[i];
#pragma unroll 1
                for (int k = p; i >= j && k < j; k++) {
                    v -= t[i + k * PITCH] * t[j + k * PITCH];
                }
                if (i >= j) {
                    column[i] = v;
                }
            }
            warpBarrier();
            double d = column[j];
            if (!(d > 0)) {
                return j + 1;
            }
            double l, r;
            roots(d, &l, &r);
            warpBarrier();
#pragma unroll 1
            for (int i = lane; i < CHOLESKY_TILE; i += 32) {
                if (i >= j) {
                    column[i] = i == j ? l : column[i] * r;
                }
            }
            warpBarrier();
        }
        return 0;
    }
};

// All threads of a block wait until three counters have come as far as `wanted`; `last` is as far as they go. Returns how far the last of
// them is; `news` is an integer in shared memory.
BASALT_DEVICE int awaitThree(
        const unsigned* x, const unsigned* y, const unsigned* z, int wanted, int last, int* news) {
    if (threadIdx.x < 32) {
        int lane = threadIdx.x;
        int v;
        for (;;) {
            v = lane < 3 ? (int)loadFlag(lane == 0 ? x : lane == 1 ? y : z) : last;
            if (warpBallot(v >= wanted) == 0xffffffffu) {
                break;
            }
            BASALT_SPIN();
        }
        int least = shuffle(v, 0);
        least = shuffle(v, 1) < least ? shuffle(v, 1) : least;
        least = shuffle(v, 2) < least ? shuffle(v, 2) : least;
        if (lane == 0) {
            *news = least;
        }
    }
    __syncthreads();
    int v = *news;
    __syncthreads();
    return v;
}

}  // namespace basalt

#endif
