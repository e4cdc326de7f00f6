// Cholesky of small matrices in double, a block each: up to order 64 in one tile, up to 128 in three. Shared memory holds several
// problems' tiles, so that a multiprocessor is at work on others while the first warps of a block wait for their pivots.
#include "cholesky.h"
#include "stages.h"
BASALT_CAPPED_TOO

#if defined(BASALT_TYPE_D)
namespace basalt {

// Element (i, j) of the lower factor lies at a[i·down + j·right]; that of an upper one is its transpose's.
template <bool THREE>
struct CholeskyBlock : CholeskyTile {
    static const int THREADS = THREE ? (int)row::cholesky_128_d::threads : (int)row::cholesky_64_d::threads;
    static const int WARPS = THREADS / 32;
    static const int SOLVERS = CHOLESKY_TILE / CHOLESKY_STRIP;  // warps, the last ones, that solve for 16 rows below each
    static const int P = TRIANGLE_PITCH;
    // Numbers in shared memory: the first tile of the diagonal, the one below, the second one of the diagonal.
    static const int TILE = CHOLESKY_TILE * P;
    static const int BELOW = TILE;
    static const int SECOND = 2 * TILE;
    static const int RECIPROCALS = THREE ? 3 * TILE : TILE;
    static const int BUFFER = RECIPROCALS + CHOLESKY_TILE;
    static const int NEWS = BUFFER + FACTOR * 2 * CHOLESKY_STRIP;
    static const int BYTES = (NEWS + 4) * (int)sizeof(double);
    static_assert(BYTES == (THREE ? (int)row::cholesky_128_d::shared : (int)row::cholesky_64_d::shared), "as launches.txt has it");

    double* a;
    i64 down, right;
    int n;

    BASALT_DEVICE double* shared(int first) const { return BASALT_DYNAMIC_SHARED(double) + first; }

    // Brings a tile from row i0 and column j0 on, or takes it back. Neighbours in memory are neighbouring threads'. Behind the last row
    // stands the identity.
    template <bool IN>
    BASALT_DEVICE void move(double* tile, int i0, int j0, int rows, int columns) const {
        bool diagonal = i0 == j0;
        bool turned = down != 1;
        int count = CHOLESKY_TILE * strips(turned ? rows : columns) * CHOLESKY_STRIP;
#pragma unroll 8
        for (int e = threadIdx.x; e < count; e += THREADS) {
            int i = turned ? e / CHOLESKY_TILE : e % CHOLESKY_TILE;
            int j = turned ? e % CHOLESKY_TILE : e / CHOLESKY_TILE;
            bool there = i < rows && j < columns && (!diagonal || i >= j);
            double* mine = tile + i + j * P;
            double* theirs = a + (i0 + i) * down + (j0 + j) * right;
            if (IN && there) {
                copyAhead(mine, theirs, (int)sizeof(double));
            } else if (IN) {
                *mine = diagonal && i == j ? 1.0 : 0.0;
            } else if (there) {
                *theirs = *mine;
            }
        }
    }

    static BASALT_DEVICE int strips(int rows) { return (rows + CHOLESKY_STRIP - 1) / CHOLESKY_STRIP; }

    // Warps from…to-1 take products of rows over `depth` columns off a tile of the diagonal: blocks of 16×16, `blocks` of them a side.
    static BASALT_DEVICE void takeOff(double* tile, const double* rows, int depth, int blocks, int from, int to) {
        int warp = (int)threadIdx.x / 32 - from;
        if (warp < 0 || warp >= to - from) {
            return;
        }
#pragma unroll 1
        for (int e = warp; e < blocks * (blocks + 1) / 2; e += to - from) {
            int row = e < 1 ? 0 : e < 3 ? 1 : e < 6 ? 2 : 3;
            int i = row * CHOLESKY_STRIP;
            int j = (e - row * (row + 1) / 2) * CHOLESKY_STRIP;
            less(tile + i + j * P, P, rows + i, P, rows + j, P, depth);
        }
    }

    // The last warps solve for 16 columns p… of the rows below with those of the first tile.
    BASALT_DEVICE void solve(int p) const {
        int i = ((int)threadIdx.x / 32 - (WARPS - SOLVERS)) * CHOLESKY_STRIP;
        if (i >= 0 && CHOLESKY_TILE + i < n) {
#pragma unroll 1
            for (int o = p; o < p + CHOLESKY_STRIP; o += EIGHT) {
                forward<P>(shared(BELOW), shared(0), shared(RECIPROCALS), i, o);
            }
        }
    }

    // Factors a tile of the diagonal, 16 columns at a time; the rows below are solved for while the next 16 are factored. Returns
    // LAPACK's info.
    BASALT_DEVICE int factor(int first, int rows, bool below) const {
        double* t = shared(first);
        int* news = (int*)shared(NEWS);
        int count = strips(rows);
        int lane = threadIdx.x % 32;
#pragma unroll 1
        for (int s = 0; s < count; s++) {
            int p = s * CHOLESKY_STRIP;
            int next = p + CHOLESKY_STRIP;
            if (below && s > 0) {
                solve(p - CHOLESKY_STRIP);
            }
            int* unusual = news + s % 2;  // the next but one is written when all have read this one
            factorStrip<P>(p, shared(BUFFER), unusual, first);
            if (*unusual != 0) {
                if (threadIdx.x < 32) {
                    int info = factorSlowly<P>(t, p);
                    if (threadIdx.x == 0) {
                        news[2] = info;
                    }
                }
                __syncthreads();
                if (news[2] != 0) {
                    return news[2];
                }
            }
            if (below && threadIdx.x < 32) {
                warpBarrier();
                if (lane < CHOLESKY_STRIP) {
                    shared(RECIPROCALS)[p + lane] = quickReciprocal(t[(p + lane) * (P + 1)]);
                }
            }
            takeOff(t + next * (P + 1), t + next + p * P, CHOLESKY_STRIP, count - s - 1, 0, WARPS);
            __syncthreads();
        }
        return 0;
    }

    BASALT_DEVICE int run() const {
        int rows = (int)least(n, CHOLESKY_TILE);
        int others = THREE ? n - rows : 0;
        move<true>(shared(0), 0, 0, rows, rows);
        if (others > 0) {
            move<true>(shared(BELOW), CHOLESKY_TILE, 0, others, CHOLESKY_TILE);
            move<true>(shared(SECOND), CHOLESKY_TILE, CHOLESKY_TILE, others, others);
        }
        endStage();
        awaitStage<0>();
        __syncthreads();
        int info = factor(0, rows, others > 0);
        if (others > 0 && info == 0) {
            const int LAST = CHOLESKY_TILE - CHOLESKY_STRIP;
            solve(LAST);
            takeOff(shared(SECOND), shared(BELOW), LAST, strips(others), 0, WARPS - SOLVERS);
            __syncthreads();
            takeOff(shared(SECOND), shared(BELOW) + LAST * P, CHOLESKY_STRIP, strips(others), 0, WARPS);
            __syncthreads();
            info = factor(SECOND, others, false);
            info += info == 0 ? 0 : CHOLESKY_TILE;
        }
        __syncthreads();
        move<false>(shared(0), 0, 0, rows, rows);
        if (others > 0) {
            move<false>(shared(BELOW), CHOLESKY_TILE, 0, others, CHOLESKY_TILE);
            move<false>(shared(SECOND), CHOLESKY_TILE, CHOLESKY_TILE, others, others);
        }
        return info;
    }
};

template <bool THREE>
BASALT_DEVICE void choleskyBlocks(const Args& args) {
    CholeskyBlock<THREE> block;
    block.n = (int)args.n;
    block.down = args.uplo == LOWER ? 1 : args.c.ld;
    block.right = args.uplo == LOWER ? args.c.ld : 1;
    BASALT_PROBLEMS(problem) {
        // A problem that has failed before is left alone.
        if (hasFailed(args, problem)) {
            continue;
        }
        block.a = at<double>(args.c, problem);
        int info = block.run();
        __syncthreads();
        if (threadIdx.x == 0) {
            conclude(args, problem, info);
        }
        __syncthreads();
    }
}

}  // namespace basalt

BASALT_KERNEL(basalt_cholesky_64_d) { basalt::choleskyBlocks<false>(args); }
BASALT_KERNEL(basalt_cholesky_128_d) { basalt::choleskyBlocks<true>(args); }
#endif
