// Cholesky of a matrix of any order in one launch, in double. Tiles of 64×64 are found as their operands are ready, from left to right:
// a block takes the next task, multiplies what is known already, waits where it must, and tells the others how far a row of tiles is.
// Tasks are taken in an order in which each needs only what earlier ones make, so that however few blocks run, none waits forever.
#include "stages.h"

#if defined(BASALT_TYPE_D)
namespace basalt {

static const int CHOLESKY_TILE = 64;
static const int CHOLESKY_HALF = 32;     // columns after which a tile of the diagonal is shown to others
static const int CHOLESKY_ROWS = 128;    // of a task: two tiles
static const int CHOLESKY_DEPTH = 16;    // of a stage of products
static const int CHOLESKY_STAGES = 4;
static const int CHOLESKY_THREADS = 256;
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

// What one block keeps in mind. Element (i, j) of the lower factor lies at a[i + j·ld], that of an upper one, which is its transpose, at
// a[j + i·ld].
template <bool UPPER>
struct CholeskyTasks {
    typedef Tile<double, CHOLESKY_ROWS, CHOLESKY_DEPTH, CHOLESKY_THREADS, !UPPER> TileA;
    typedef Tile<double, CHOLESKY_TILE, CHOLESKY_DEPTH, CHOLESKY_THREADS, !UPPER> TileB;
    typedef Pipeline<double, TileA, TileB, CHOLESKY_DEPTH, CHOLESKY_STAGES, 2, 4, WHOLE> Products;
    static const int STAGED = CHOLESKY_STAGES * (TileA::ELEMENTS + TileB::ELEMENTS);
    // From column to column of the block's tiles in shared memory: lanes of a product meet no bank twice.
    static const int PITCH = CHOLESKY_ROWS + 4;
    static const int TRIANGLE_PITCH = CHOLESKY_TILE + 4;

    double* a;
    i64 ld;
    int n, tiles;
    unsigned* progress;  // of rows of tiles: twice the tiles that are final, and one more where half of the diagonal's is
    double* rest;        // 64 columns of 128 rows
    double* known;       // a tile of the diagonal
    double* reciprocals;
    int* news;

    BASALT_DEVICE double* element(i64 i, i64 j) const { return UPPER ? a + j + i * ld : a + i + j * ld; }

    // All threads wait until rows x, y and z of tiles have come as far as `wanted`. Returns how far the last of them is.
    BASALT_DEVICE int await(int x, int y, int z, int wanted) const {
        if (threadIdx.x < 32) {
            int lane = threadIdx.x;
            int v;
            for (;;) {
                v = lane < 3 ? (int)loadFlag(progress + (lane == 0 ? x : lane == 1 ? y : z)) : CHOLESKY_FAILED;
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

    // A warp: 16×8 numbers less x·yᵀ over `depth` columns.
    static BASALT_DEVICE void less(double* from, int pitch, const double* x, int pitchX, const double* y, int pitchY, int depth) {
        static_assert(INNER == 8, "four elements of A a lane");
        int g = threadIdx.x % 32 / 4;
        int q = threadIdx.x % 4;
        double sums[4];
#pragma unroll
        for (int e = 0; e < 4; e++) {
            sums[e] = -from[(2 * q + e % 2) * pitch + g + e / 2 * 8];
        }
        x += q * pitchX + g;
        y += q * pitchY + g;
#pragma unroll 4
        for (int k = 0; k < depth; k += INNER) {
            double fa[4] = {x[k * pitchX], x[k * pitchX + 8], x[(k + 4) * pitchX], x[(k + 4) * pitchX + 8]};
            double fb[2] = {y[k * pitchY], y[(k + 4) * pitchY]};
            warpProduct(sums, fa, fb);
        }
#pragma unroll
        for (int e = 0; e < 4; e++) {
            from[(2 * q + e % 2) * pitch + g + e / 2 * 8] = -sums[e];
        }
    }

    // ---- the tile of the diagonal, at t in shared memory

    // The first warp factors eight columns, from which all but the eight before have been taken off. Returns LAPACK's info.
    BASALT_DEVICE int factorEight(double* t, int p) const {
        int lane = threadIdx.x;
        int row = p / 32 * 32 + lane;
        // A row of each lane, and where the tile's lower half is below, one of that.
        double* x = t + row;
        double* y = t + 32 + lane;
        double upper[EIGHT], lower[EIGHT];
#pragma unroll
        for (int u = 0; u < EIGHT; u++) {
            upper[u] = x[(p + u) * PITCH];
            lower[u] = y[(p + u) * PITCH];
        }
        if (p > 0) {
#pragma unroll 2
            for (int k = p - EIGHT; k < p; k++) {
                double e[EIGHT];
                loadAligned<EIGHT>(t + p + k * PITCH, e);
                double w = -x[k * PITCH];
                double z = -y[k * PITCH];
#pragma unroll
                for (int u = 0; u < EIGHT; u++) {
                    fma(e[u], w, upper[u]);
                    fma(e[u], z, lower[u]);
                }
            }
        }
        // Each lane keeps its diagonal element apart, so that the next pivot does not wait for the rest of a column.
        double own = 1;
#pragma unroll
        for (int u = 0; u < EIGHT; u++) {
            own = row == p + u ? upper[u] : own;
        }
        bool ordinary = true;
#pragma unroll
        for (int u = 0; u < EIGHT; u++) {
            double d = shuffle(own, (p + u) % 32);
            ordinary = ordinary && d > 1e-140 && d < 1e140;
            double square = row > p + u ? upper[u] * upper[u] : 0;
            double f[EIGHT];
#pragma unroll
            for (int c = u + 1; c < EIGHT; c++) {
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
            for (int c = u + 1; c < EIGHT; c++) {
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
        for (int u = 0; u < EIGHT; u++) {
            double s = shuffle(r, (p + u) % 32);
            upper[u] = row == p + u ? l : upper[u] * s;
            lower[u] *= s;
        }
#pragma unroll
        for (int u = 0; u < EIGHT; u++) {
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
        for (int j = p; j < p + EIGHT; j++) {
            double* column = t + j * PITCH;
#pragma unroll 1
            for (int i = lane; i < CHOLESKY_TILE; i += 32) {
                double v = column[i];
#pragma unroll 1
                for (int k = p > 0 ? p - EIGHT : 0; i >= j && k < j; k++) {
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

    // Factors a tile and writes it, eight columns at a time: the first warp those of the next eight that the last did not know, the
    // others what is behind.
    BASALT_DEVICE int factor(double* t, int tile) const {
        i64 j0 = (i64)tile * CHOLESKY_TILE;
        int warp = threadIdx.x / 32;
        int* failed = news + 1;  // the next but one is written when all have read this one
#pragma unroll 1
        for (int p = 0; p < CHOLESKY_TILE; p += EIGHT) {
            if (warp == 0) {
                int info = factorEight(t, p);
                if (threadIdx.x == 0) {
                    failed[p / EIGHT % 2] = info;
                }
            }
            __syncthreads();
            if (failed[p / EIGHT % 2] != 0) {
                return failed[p / EIGHT % 2];
            }
            if (p == CHOLESKY_HALF && threadIdx.x == CHOLESKY_THREADS - 1) {
                storeFlag(progress + tile, 2 * tile + 1);
            }
            if (warp > 0) {
                int next = 1;  // warp
#pragma unroll 1
                for (int c = p + 2 * EIGHT; c < CHOLESKY_TILE; c += EIGHT) {
#pragma unroll 1
                    for (int i = c / 16 * 16; i < CHOLESKY_TILE; i += 16) {
                        if (next == warp) {
                            less(t + i + c * PITCH, PITCH, t + i + p * PITCH, PITCH, t + c + p * PITCH, PITCH, EIGHT);
                        }
                        next = next == CHOLESKY_THREADS / 32 - 1 ? 1 : next + 1;
                    }
                }
                for (int e = threadIdx.x - 32; e < CHOLESKY_TILE * EIGHT; e += CHOLESKY_THREADS - 32) {
                    int i = UPPER ? e / EIGHT : e % CHOLESKY_TILE;
                    int j = p + (UPPER ? e % EIGHT : e / CHOLESKY_TILE);
                    if (i >= j && j0 + i < n) {
                        *element(j0 + i, j0 + j) = t[i + j * PITCH];
                    }
                }
            }
        }
        return 0;
    }

    // ---- tasks

    // This block's products of rows of tiles `first` and the next with those of tile `column`, minus what they are to be taken off.
    BASALT_DEVICE void multiply(int first, int column, int count, Piece<double> (&sums)[2][4]) const {
        if (count <= 0) {
            return;
        }
        int second = first + 1 < tiles ? first + 1 : first;
        i64 i0 = (i64)first * CHOLESKY_TILE;
        i64 j0 = (i64)column * CHOLESKY_TILE;
        int warp = threadIdx.x / 32;
        int lane = threadIdx.x % 32;
        double* shared = BASALT_DYNAMIC_SHARED(double);
        Products pipe;
        pipe.a = a;
        pipe.b = a;
        pipe.lda = ld;
        pipe.ldb = ld;
        pipe.i0 = i0;
        pipe.j0 = j0;
        pipe.m = n;
        pipe.n = n;
        pipe.k = (i64)count * CHOLESKY_TILE;
        pipe.fromA = TileA::first(a, ld, i0);
        pipe.fromB = TileB::first(a, ld, j0);
        pipe.roomA = TileA::room(n - i0);
        pipe.roomB = TileB::room(n - j0);
        pipe.alignedA = ((u64)a & 15) == 0 && ld % 2 == 0;
        pipe.alignedB = pipe.alignedA;
        pipe.conjA = false;
        pipe.conjB = false;
        pipe.cornerA = TileA::index(warp % 4 * 32 + lane / 4, lane % 4);
        pipe.cornerB = TileA::ELEMENTS + TileB::index(warp / 4 * 32 + lane / 4, lane % 4);
        pipe.steps = count * (CHOLESKY_TILE / CHOLESKY_DEPTH);
        pipe.whole = pipe.alignedA ? pipe.steps : 0;
        pipe.mask.diagonal = 0;
        pipe.mask.inwards = false;
        pipe.mask.unit = false;
        const int EACH = CHOLESKY_TILE / CHOLESKY_DEPTH;
        int ready = await(first, second, column, 2) / 2;
        pipe.start(shared);
#pragma unroll 1
        for (int s = 0; s < pipe.steps; s++) {
            int coming = s + CHOLESKY_STAGES - 1;
            if (coming % EACH == 0 && coming < pipe.steps && coming / EACH >= ready) {
                ready = await(first, second, column, 2 * (coming / EACH + 1)) / 2;
            }
            if (coming < pipe.whole) {
                pipe.template step<true>(shared, s, sums);
            } else {
                pipe.template step<false>(shared, s, sums);
            }
        }
        awaitStage<0>();
    }

    // Solves for the first rows of the columns in shared memory with a tile of the diagonal, as its halves become known. Whether it could.
    BASALT_DEVICE bool solve(int tile, int rows) const {
        i64 j0 = (i64)tile * CHOLESKY_TILE;
        int warp = threadIdx.x / 32;
        int far = 0;
#pragma unroll 1
        for (int p = 0; p < CHOLESKY_TILE; p += CHOLESKY_HALF) {
            int wanted = 2 * tile + 1 + p / CHOLESKY_HALF;
            if (far < wanted) {
                far = await(tile, tile, tile, wanted);
            }
            if (far >= CHOLESKY_FAILED) {
                return false;
            }
#pragma unroll
            for (int u = 0; u < CHOLESKY_HALF * CHOLESKY_TILE / CHOLESKY_THREADS; u++) {
                int e = threadIdx.x + u * CHOLESKY_THREADS;
                int i = UPPER ? e / CHOLESKY_HALF : e % CHOLESKY_TILE;
                int j = p + (UPPER ? e % CHOLESKY_HALF : e / CHOLESKY_TILE);
                if (i >= j) {
                    double v = *element(j0 + i, j0 + j);
                    known[i + j * TRIANGLE_PITCH] = v;
                    if (i == j) {
                        reciprocals[i] = quickReciprocal(v);
                    }
                }
            }
            __syncthreads();
            if ((int)threadIdx.x < rows) {
                substituteEights<double, false, true>(known + p * (TRIANGLE_PITCH + 1), TRIANGLE_PITCH, reciprocals + p, 1,
                        CHOLESKY_HALF, rest + threadIdx.x + p * PITCH, PITCH);
            }
            __syncthreads();
            if (p == 0) {
#pragma unroll 1
                for (int e = warp; e < rows / 4; e += CHOLESKY_THREADS / 32) {
                    int i = e / 4 * 16;
                    int j = CHOLESKY_HALF + e % 4 * EIGHT;
                    less(rest + i + j * PITCH, PITCH, rest + i, PITCH, known + j, TRIANGLE_PITCH, CHOLESKY_HALF);
                }
            }
        }
        return true;
    }

    // Writes the first rows of the columns in shared memory to rows i0… of tile column j0.
    BASALT_DEVICE void write(i64 i0, i64 j0, int rows) const {
#pragma unroll 8
        for (int e = threadIdx.x; e < rows * CHOLESKY_TILE; e += CHOLESKY_THREADS) {
            int i = UPPER ? e / CHOLESKY_TILE : e % rows;
            int j = UPPER ? e % CHOLESKY_TILE : e / rows;
            if (i0 + i < n) {
                *element(i0 + i, j0 + j) = rest[i + j * PITCH];
            }
        }
    }

    // Two tiles below the diagonal, in rows of tiles `first` and the next; or the tile on the diagonal with the one on its left. The
    // latter lies transposed in the upper half of the products.
    BASALT_DEVICE void run(const Args& args, i64 problem, int first, int column, bool diagonal) const {
        i64 i0 = (i64)first * CHOLESKY_TILE;
        i64 j0 = (i64)column * CHOLESKY_TILE;
        int warp = threadIdx.x / 32;
        int row = warp % 4 * 32 + threadIdx.x % 32 / 4;
        int col = warp / 4 * 32 + threadIdx.x % 4 * 2;
        bool turned = diagonal && warp % 4 < 2;
        Piece<double> sums[2][4];
#pragma unroll
        for (int e = 0; e < 32; e++) {
            int i = row + e / 16 * 16 + e / 2 % 2 * 8;
            int j = col + e / 4 % 4 * 8 + e % 2;
            bool there = turned ? column > 0 && j0 + j < n : i0 + i < n && (!diagonal || i - CHOLESKY_TILE >= j);
            const double* x = turned ? element(j0 + j, i0 + i) : element(i0 + i, j0 + j);
            sums[e / 16][e / 4 % 4].c[e % 4] = there ? -*x : 0.0;
        }
        multiply(first, column, diagonal ? column - 1 : column, sums);
#pragma unroll
        for (int e = 0; e < 32; e++) {
            int i = row + e / 16 * 16 + e / 2 % 2 * 8;
            int j = col + e / 4 % 4 * 8 + e % 2;
            rest[turned ? j + i * PITCH : i + j * PITCH] = -sums[e / 16][e / 4 % 4].c[e % 4];
        }
        int pivots = diagonal ? column - 1 : column;
        if (pivots >= 0) {
            if (!solve(pivots, diagonal ? CHOLESKY_TILE : CHOLESKY_ROWS)) {
                fail(diagonal ? column : first, diagonal ? column : first + 1);
                return;
            }
            if (diagonal) {
                write(j0, i0, CHOLESKY_TILE);
            } else {
                write(i0, j0, CHOLESKY_ROWS);
            }
        }
        __syncthreads();
        if (!diagonal) {
            if (threadIdx.x < 2 && first + (int)threadIdx.x < tiles) {
                storeFlag(progress + first + threadIdx.x, 2 * (column + 1));
            }
            return;
        }
        double* t = rest + CHOLESKY_TILE;
        if (column > 0) {
            // What was found is shown, and taken off the tile on the diagonal.
            if (threadIdx.x == CHOLESKY_THREADS - 1) {
                storeFlag(progress + column, 2 * column);
            }
#pragma unroll 1
            for (int e = warp; e < 20 && warp < 7; e += 7) {
                int i = e < 2 ? 0 : e < 6 ? 1 : e < 12 ? 2 : 3;
                int j = e - i * (i + 1);
                less(t + 16 * i + EIGHT * j * PITCH, PITCH, rest + 16 * i, PITCH, rest + EIGHT * j, PITCH, CHOLESKY_TILE);
            }
            __syncthreads();
        }
        // Behind the last row stands the identity.
        if ((int)threadIdx.x < CHOLESKY_TILE && j0 + threadIdx.x >= n) {
            t[threadIdx.x * (PITCH + 1)] = 1;
        }
        __syncthreads();
        int info = factor(t, column);
        __syncthreads();
        if (info != 0) {
            if (threadIdx.x == 0) {
                report(args, problem, (int)j0 + info);
            }
            fail(column, column);
            return;
        }
        if (threadIdx.x == 0) {
            storeFlag(progress + column, 2 * (column + 1));
        }
    }

    BASALT_DEVICE void fail(int x, int y) const {
        __syncthreads();
        if (threadIdx.x < 2) {
            int row = threadIdx.x == 0 ? x : y;
            if (row < tiles) {
                storeFlag(progress + row, CHOLESKY_FAILED);
            }
        }
    }

    // After the first two tiles of the diagonal come, for each column, pairs of tiles two and more below the diagonal, and behind the first
    // pair the tile of the diagonal beside it.
    BASALT_DEVICE void runAll(const Args& args, i64 problem, unsigned* taken) const {
        int column = 0;
        int before = tiles < 2 ? tiles : 2;  // tasks before those of the column
        bool begun = false;
        for (;;) {
            __syncthreads();
            if (threadIdx.x == 0) {
                // A problem that has failed before is left alone.
                bool skipped = !begun && loadShared(at<int>(args.e, problem)) != 0;
                *news = skipped ? 0x7fffffff : (int)atomicAdd(taken, 1u);
            }
            __syncthreads();
            int task = *news;
            begun = true;
            __syncthreads();
            if (task < before && column == 0) {
                run(args, problem, task - 1, task, true);
                continue;
            }
            int pairs = (tiles - column - 1) / 2;
            while (column + 2 < tiles && task >= before + pairs + 1) {
                before += pairs + 1;
                column++;
                pairs = (tiles - column - 1) / 2;
            }
            if (column + 2 >= tiles) {
                return;
            }
            int at = task - before;
            if (at == 1) {
                run(args, problem, column + 1, column + 2, true);
            } else {
                run(args, problem, column + 2 + 2 * (at > 1 ? at - 1 : 0), column, false);
            }
        }
    }
};

template <bool UPPER>
BASALT_DEVICE void cholesky(const Args& args) {
    i64 problem = args.y + blockIdx.z;
    CholeskyTasks<UPPER> tasks;
    tasks.a = at<double>(args.c, problem);
    tasks.ld = args.c.ld;
    tasks.n = (int)args.n;
    tasks.tiles = (tasks.n + CHOLESKY_TILE - 1) / CHOLESKY_TILE;
    unsigned* counters = counter(args, (i64)blockIdx.z * (tasks.tiles + CHOLESKY_COUNTERS));
    tasks.progress = counters + CHOLESKY_COUNTERS;
    tasks.rest = BASALT_DYNAMIC_SHARED(double) + CholeskyTasks<UPPER>::STAGED;
    tasks.known = tasks.rest + CHOLESKY_TILE * CholeskyTasks<UPPER>::PITCH;
    tasks.reciprocals = tasks.known + CHOLESKY_TILE * CholeskyTasks<UPPER>::TRIANGLE_PITCH;
    tasks.news = (int*)(tasks.reciprocals + CHOLESKY_TILE);
    tasks.runAll(args, problem, counters);
    if (arrivesLast(counters + 1, gridDim.x, tasks.news)) {
        for (int t = threadIdx.x; t < tasks.tiles; t += CHOLESKY_THREADS) {
            tasks.progress[t] = 0;
        }
        if (threadIdx.x == 0) {
            counters[0] = 0;
        }
    }
}

}  // namespace basalt

BASALT_KERNEL(basalt_cholesky_lower_d, BASALT_RESIDENT(256, 1)) { basalt::cholesky<false>(args); }
BASALT_KERNEL(basalt_cholesky_upper_d, BASALT_RESIDENT(256, 1)) { basalt::cholesky<true>(args); }
#endif
