// A tile of 64×64 on the diagonal of a Cholesky factorisation, in shared memory: what its block's first warp does with 16 columns, and
// what others do with blocks of 16×16.
#ifndef BASALT_CHOLESKY_H
#define BASALT_CHOLESKY_H

#include "tile.h"

namespace basalt {

static const int CHOLESKY_TILE = 64;
static const int CHOLESKY_HALF = 32;     // columns after which a tile of the diagonal is shown to others
static const int CHOLESKY_STRIP = 16;    // columns that one warp factors
static const int CHOLESKY_ROWS = 128;    // of a task: two tiles
static const int CHOLESKY_THREADS = 256;
static const int CHOLESKY_WIDTH = 2;      // columns whose tasks are taken together; even
static const int CHOLESKY_FAILED = 1 << 30;  // progress of a row that will not be found
static const int CHOLESKY_COUNTERS = 2;      // of a problem, before its rows' progress: tasks taken, blocks that are done

// 1/x but for the last bit, for normal numbers; without branches.
BASALT_DEVICE double quickReciprocal(double x) {
#if BASALT_CUDA_ARCH > 0
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    double e = __fma_rn(-x, r, 1.0);
    return __fma_rn(r, __fma_rn(e, e, e), r);
#else
    return 1 / x;
#endif
}

struct CholeskyTile {
    // From column to column: lanes of a product meet no bank twice.
    static const int PITCH = CHOLESKY_ROWS + 4;

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

    // The first warp factors 16 columns of the tile behind the first 64 rows of shared memory, from which all before have been taken off. Returns LAPACK's info.
    static BASALT_APART int factorStrip(int p) {
        double* t = BASALT_DYNAMIC_SHARED(double) + CHOLESKY_TILE;
        int lane = threadIdx.x;
        int row = p / 32 * 32 + lane;
        // A row of each lane, and where the tile's lower half is below, one of that.
        double* x = t + row;
        double* y = t + 32 + lane;
        double upper[CHOLESKY_STRIP], lower[CHOLESKY_STRIP];
        // Each lane keeps its diagonal element apart, so that the next pivot does not wait for the rest of a column.
        double own = 1;
#pragma unroll
        for (int u = 0; u < CHOLESKY_STRIP; u++) {
            upper[u] = x[(p + u) * PITCH];
            lower[u] = y[(p + u) * PITCH];
            own = row == p + u ? upper[u] : own;
        }
        bool ordinary = true;
#pragma unroll
        for (int u = 0; u < CHOLESKY_STRIP; u++) {
            double d = shuffle(own, (p + u) % 32);
            ordinary = ordinary && d > 1e-140 && d < 1e140;
            double square = row > p + u ? upper[u] * upper[u] : 0;
            double f[CHOLESKY_STRIP];
#pragma unroll
            for (int c = u + 1; c < CHOLESKY_STRIP; c++) {
                f[c] = shuffle(upper[u], (p + c) % 32);
            }
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
            double z = -upper[u] * r;
            double w = -lower[u] * r;
#pragma unroll
            for (int c = u + 1; c < CHOLESKY_STRIP; c++) {
                fma(z, f[c], upper[c]);
                fma(w, f[c], lower[c]);
            }
        }
        if (!ordinary) {
            return factorSlowly(t, p);
        }
        double l, r;
        roots(own, &l, &r);
#pragma unroll
        for (int u = 0; u < CHOLESKY_STRIP; u++) {
            double s = shuffle(r, (p + u) % 32);
            upper[u] = row == p + u ? l : upper[u] * s;
            lower[u] *= s;
        }
#pragma unroll
        for (int u = 0; u < CHOLESKY_STRIP; u++) {
            if (row >= p + u) {
                x[(p + u) * PITCH] = upper[u];
            }
            if (p < 32) {
                y[(p + u) * PITCH] = lower[u];
            }
        }
        return 0;
    }

    // The same where a pivot is not positive, or reciprocals might overflow or lose digits.
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

}  // namespace basalt

#endif
