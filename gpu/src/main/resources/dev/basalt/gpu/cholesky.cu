// Cholesky of a matrix of any order in one launch, in double. Tiles of 64×64 are found as their operands are ready, from left to right:
// a block takes the next task, multiplies what is known already, waits where it must, and tells the others how far a row of tiles is.
// Tasks are taken in an order in which each needs only what earlier ones make, so that however few blocks run, none waits forever.
#include "cholesky.h"
#include "stages.h"
BASALT_CAPPED_TOO

#if defined(BASALT_TYPE_D)
namespace basalt {

// What one block keeps in mind. Element (i, j) of the lower factor lies at a[i + j·ld], that of an upper one, which is its transpose, at
// a[j + i·ld].
template <bool UPPER>
struct CholeskyTasks : CholeskyTile {
    // Stages of products, as deep as shared memory allows.
    static const int DEPTH = UPPER ? (int)row::cholesky_upper_d::depth : (int)row::cholesky_lower_d::depth;
    static const int STAGES = UPPER ? (int)row::cholesky_upper_d::stages : (int)row::cholesky_lower_d::stages;
    typedef Tile<double, CHOLESKY_ROWS, DEPTH, CHOLESKY_THREADS, !UPPER> TileA;
    typedef Tile<double, CHOLESKY_TILE, DEPTH, CHOLESKY_THREADS, !UPPER> TileB;
    typedef Pipeline<double, TileA, TileB, DEPTH, STAGES, 2, 4, WHOLE> Products;
    static const int STAGED = STAGES * (TileA::ELEMENTS + TileB::ELEMENTS);
    // Shared memory begins with those columns; then come stages, or a tile of the diagonal in their place.
    static const int REST = CHOLESKY_TILE * PITCH;
    static const int NEWS = 16;  // integers that a block tells its threads
    static const int BYTES = (REST + STAGED + CHOLESKY_TILE) * (int)sizeof(double) + NEWS * (int)sizeof(int);
    static_assert(BYTES == (UPPER ? (int)row::cholesky_upper_d::shared : (int)row::cholesky_lower_d::shared), "as launches.txt has it");

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
        return awaitThree(progress + x, progress + y, progress + z, wanted, CHOLESKY_FAILED, news);
    }

    // ---- the tile of the diagonal, in the lower half of the columns in shared memory

    // Factors the tile, 16 columns at a time, and writes it and what lies left of it: the first warps factor, all take what is found off
    // the next 16 columns, and others off those behind while the next are factored. Returns LAPACK's info.
    BASALT_DEVICE int factor(int tile) const {
        double* t = rest + CHOLESKY_TILE;
        i64 j0 = (i64)tile * CHOLESKY_TILE;
        int warp = threadIdx.x / 32;
        const int LAST = CHOLESKY_THREADS / 32 - 1;  // the warp that tells others
        if (warp >= FACTOR && tile > 0) {
            write(j0, j0 - CHOLESKY_TILE, CHOLESKY_TILE, 32 * FACTOR);
#if BASALT_CUDA_ARCH > 0
            // A barrier of these warps alone: it has a number and a count of its own, whole warps come to it, and all of a warp at once.
            warpBarrier();
            asm volatile("bar.sync 1, %0;" ::"n"(CHOLESKY_THREADS - 32 * FACTOR) : "memory");
            if (threadIdx.x == CHOLESKY_THREADS - 1) {
                storeFlag(progress + tile, 2 * tile);
            }
#endif
        }
#pragma unroll 1
        for (int p = 0; p < CHOLESKY_TILE; p += CHOLESKY_STRIP) {
            int next = p + CHOLESKY_STRIP;
            int* unusual = news + 1 + p / CHOLESKY_STRIP % 2;  // the next but one is written when all have read this one
            factorStrip(p, known, unusual);
            if (*unusual != 0) {
                if (warp == 0) {
                    int info = factorSlowly(t, p);
                    if (threadIdx.x == 0) {
                        news[4] = info;
                    }
                }
                __syncthreads();
                if (news[4] != 0) {
                    return news[4];
                }
            }
            if (next == CHOLESKY_TILE) {
                if (warp == 0) {
                    warpBarrier();
                    writeStrip(t, j0, p, 0, 32);
                    warpBarrier();
                    if (threadIdx.x == 0) {
                        storeFlag(progress + tile, 2 * (tile + 1));
                    }
                }
                return 0;
            }
            int i = next + warp * CHOLESKY_STRIP;
            if (i < CHOLESKY_TILE) {
                less(t + i + next * PITCH, PITCH, t + i + p * PITCH, PITCH, t + next + p * PITCH, PITCH, CHOLESKY_STRIP);
            }
            __syncthreads();
            if (warp == LAST) {
                bool shows = p == CHOLESKY_HALF || (BASALT_CUDA_ARCH == 0 && p == 0 && tile > 0);
                if (shows && threadIdx.x % 32 == 0) {
                    storeFlag(progress + tile, 2 * tile + (p == 0 ? 0 : 1));
                }
            } else if (warp >= FACTOR) {
                // Of the three blocks behind the next columns, the first is in the third row and column.
                int turn = warp - FACTOR;
                int row = turn == 0 ? next + CHOLESKY_STRIP : CHOLESKY_TILE - CHOLESKY_STRIP;
                int column = turn < 2 ? next + CHOLESKY_STRIP : CHOLESKY_TILE - CHOLESKY_STRIP;
                if (turn < 3 && column < CHOLESKY_TILE && (p == 0 || turn == 0)) {
                    less(t + row + column * PITCH, PITCH, t + row + p * PITCH, PITCH, t + column + p * PITCH, PITCH,
                            CHOLESKY_STRIP);
                }
                writeStrip(t, j0, p, 32 * FACTOR, 32 * LAST);
            }
        }
        return 0;
    }

    // Threads from…to-1 write 16 columns of the tile.
    BASALT_DEVICE void writeStrip(const double* t, i64 j0, int p, int from, int to) const {
        for (int e = threadIdx.x - from; e < CHOLESKY_TILE * CHOLESKY_STRIP; e += to - from) {
            int i = UPPER ? e / CHOLESKY_STRIP : e % CHOLESKY_TILE;
            int j = p + (UPPER ? e % CHOLESKY_STRIP : e / CHOLESKY_TILE);
            if (i >= j && j0 + i < n) {
                *element(j0 + i, j0 + j) = t[i + j * PITCH];
            }
        }
    }

    // ---- tasks

    // This block's products of rows of tiles `first` and `second` with those of tile `column`, over `count` columns of tiles, as far as
    // they are known at a time: while others are still at work on the next ones, these are multiplied to the end.
    BASALT_DEVICE void multiply(int first, int second, int column, int count, Piece<double> (&sums)[2][4]) const {
        const int EACH = CHOLESKY_TILE / DEPTH;
        i64 i0 = (i64)first * CHOLESKY_TILE;
        i64 j0 = (i64)column * CHOLESKY_TILE;
        int warp = threadIdx.x / 32;
        int lane = threadIdx.x % 32;
        double* shared = BASALT_DYNAMIC_SHARED(double) + REST;
        Products pipe;
        pipe.lda = ld;
        pipe.ldb = ld;
        pipe.i0 = i0;
        pipe.j0 = j0;
        pipe.m = n;
        pipe.n = n;
        pipe.roomA = TileA::room(n - i0);
        pipe.roomB = TileB::room(n - j0);
        pipe.alignedA = ((u64)a & 15) == 0 && ld % 2 == 0;
        pipe.alignedB = pipe.alignedA;
        pipe.conjA = false;
        pipe.conjB = false;
        pipe.cornerA = REST + TileA::index(warp % 4 * 32 + lane / 4, lane % 4);
        pipe.cornerB = REST + TileA::ELEMENTS + TileB::index(warp / 4 * 32 + lane / 4, lane % 4);
        pipe.mask.diagonal = 0;
        pipe.mask.inwards = false;
        pipe.mask.unit = false;
#pragma unroll 1
        for (int done = 0; done < count;) {
            const double* from = element(0, (i64)done * CHOLESKY_TILE);
            pipe.a = from;
            pipe.b = from;
            pipe.fromA = TileA::first(from, ld, i0);
            pipe.fromB = TileB::first(from, ld, j0);
            int ready = await(first, second, column, 2 * (done + 1)) / 2;
            int columns = (int)least(ready, count) - done;
            pipe.steps = columns * EACH;
            pipe.k = columns * CHOLESKY_TILE;
            pipe.whole = pipe.alignedA ? pipe.steps : 0;
            pipe.start(shared);
#pragma unroll 1
            for (int s = 0; s < pipe.steps; s++) {
                if (s + STAGES - 1 == pipe.steps && done + columns < count) {
                    // Perhaps there is more by now, so that loads need not pause.
                    ready = await(first, second, column, 0) / 2;
                    columns = (int)least(ready, count) - done;
                    pipe.steps = columns * EACH;
                    pipe.k = columns * CHOLESKY_TILE;
                    pipe.whole = pipe.alignedA ? pipe.steps : 0;
                }
                if (s + STAGES - 1 < pipe.whole) {
                    pipe.template step<true>(shared, s, sums);
                } else {
                    pipe.template step<false>(shared, s, sums);
                }
            }
            awaitStage<0>();
            done += columns;
        }
    }

    // Warps from `from` on, `warps` of them, take products of 32 columns found left of the diagonal off its tile.
    BASALT_DEVICE void takeOff(int p, int from, int warps) const {
        double* t = rest + CHOLESKY_TILE;
#pragma unroll 1
        for (int e = (int)threadIdx.x / 32 - from; e < 10; e += warps) {
            int i = (e < 1 ? 0 : e < 3 ? 1 : e < 6 ? 2 : 3) * CHOLESKY_STRIP;
            int j = e * CHOLESKY_STRIP - i * (i + CHOLESKY_STRIP) / (2 * CHOLESKY_STRIP);
            less(t + i + j * PITCH, PITCH, rest + i + p * PITCH, PITCH, rest + j + p * PITCH, PITCH, CHOLESKY_HALF);
        }
    }

    // Solves for the first rows of the columns in shared memory with a tile of the diagonal, as its halves become known; for the tile
    // left of the diagonal also takes it off the one on the diagonal. Whether it could.
    BASALT_DEVICE bool solve(int tile, bool diagonal, int rows) const {
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
            const int EACH = CHOLESKY_HALF * CHOLESKY_TILE / CHOLESKY_THREADS;
            double v[EACH];
            int i = UPPER ? threadIdx.x / CHOLESKY_HALF : threadIdx.x % CHOLESKY_TILE;
            int j = p + (UPPER ? threadIdx.x % CHOLESKY_HALF : threadIdx.x / CHOLESKY_TILE);
            const int DOWN = UPPER ? CHOLESKY_THREADS / CHOLESKY_HALF : 0;
            const int RIGHT_BY = UPPER ? 0 : CHOLESKY_THREADS / CHOLESKY_TILE;
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                bool there = i + u * DOWN >= j + u * RIGHT_BY;
                v[u] = there ? *element(j0 + i + u * DOWN, j0 + j + u * RIGHT_BY) : 1.0;
            }
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                known[i + u * DOWN + (j + u * RIGHT_BY) * TRIANGLE_PITCH] = v[u];
                if (i + u * DOWN == j + u * RIGHT_BY) {
                    reciprocals[i + u * DOWN] = quickReciprocal(v[u]);
                }
            }
            __syncthreads();
            if (warp * 16 < rows) {
#pragma unroll 1
                for (int o = p; o < p + CHOLESKY_HALF; o += EIGHT) {
                    forward(rest, known, reciprocals, warp * 16, o);
                }
            } else if (diagonal && p > 0) {
                takeOff(0, 4, 4);
            }
        }
        if (diagonal) {
            __syncthreads();
            takeOff(CHOLESKY_HALF, 0, CHOLESKY_THREADS / 32);
        }
        return true;
    }

    // Threads from `from` on write the first 64 or 128 rows of the columns in shared memory to rows i0… of tile column j0.
    BASALT_DEVICE void write(i64 i0, i64 j0, int rows, int from) const {
        int bits = rows == CHOLESKY_TILE ? 6 : 7;
#pragma unroll 8
        for (int e = threadIdx.x - from; e < rows * CHOLESKY_TILE; e += CHOLESKY_THREADS - from) {
            int i = UPPER ? e / CHOLESKY_TILE : e & (rows - 1);
            int j = UPPER ? e % CHOLESKY_TILE : e >> bits;
            if (i0 + i < n) {
                *element(i0 + i, j0 + j) = rest[i + j * PITCH];
            }
        }
    }

    // Tiles below the diagonal, in rows of tiles `first` and perhaps the next; or the tile on the diagonal with the one on its left. The
    // latter lies transposed in the upper half of the products.
    BASALT_DEVICE void run(const Args& args, i64 problem, int first, int count, int column, bool diagonal) const {
        i64 i0 = (i64)first * CHOLESKY_TILE;
        i64 j0 = (i64)column * CHOLESKY_TILE;
        int warp = threadIdx.x / 32;
        int row = warp % 4 * 32 + threadIdx.x % 32 / 4;
        int col = warp / 4 * 32 + threadIdx.x % 4 * 2;
        bool turned = diagonal && warp % 4 < 2;
        double* mine = rest + (turned ? col + row * PITCH : row + col * PITCH);
        const int DOWN = turned ? PITCH : 1;
        const int BESIDE = turned ? 1 : PITCH;
        Piece<double> sums[2][4];
#pragma unroll
        for (int e = 0; e < 32; e++) {
            int i = e / 16 * 16 + e / 2 % 2 * 8;
            int j = e / 4 % 4 * 8 + e % 2;
            i64 below = i0 + row + i;
            i64 right = j0 + col + j;
            bool there = turned ? column > 0 && right < n : below < n && (!diagonal || below >= right);
            sums[e / 16][e / 4 % 4].c[e % 4] = there ? *(turned ? element(right, below) : element(below, right)) : 0.0;
        }
#pragma unroll
        for (int e = 0; e < 32; e++) {
            mine[(e / 16 * 16 + e / 2 % 2 * 8) * DOWN + (e / 4 % 4 * 8 + e % 2) * BESIDE] = sums[e / 16][e / 4 % 4].c[e % 4];
            sums[e / 16][e / 4 % 4].c[e % 4] = 0;
        }
        int pivots = diagonal ? column - 1 : column;
        if (pivots > 0) {
            multiply(first, first + count - 1, column, pivots, sums);
#pragma unroll
            for (int e = 0; e < 32; e++) {
                double* x = mine + (e / 16 * 16 + e / 2 % 2 * 8) * DOWN + (e / 4 % 4 * 8 + e % 2) * BESIDE;
                *x -= sums[e / 16][e / 4 % 4].c[e % 4];
            }
        }
        int rows = diagonal ? CHOLESKY_TILE : count * CHOLESKY_TILE;
        if (pivots >= 0 && !solve(pivots, diagonal, rows)) {
            fail(diagonal ? column : first, diagonal ? column : first + count - 1);
            return;
        }
        __syncthreads();
        if (!diagonal) {
            write(i0, j0, rows, 0);
            __syncthreads();
            if ((int)threadIdx.x < count) {
                storeFlag(progress + first + threadIdx.x, 2 * (column + 1));
            }
            return;
        }
        // Behind the last row stands the identity.
        if ((int)threadIdx.x < CHOLESKY_TILE && j0 + threadIdx.x >= n) {
            rest[CHOLESKY_TILE + threadIdx.x * (PITCH + 1)] = 1;
        }
        __syncthreads();
        int info = factor(column);
        if (threadIdx.x == 0 && (info != 0 || column == tiles - 1)) {
            conclude(args, problem, info == 0 ? 0 : (int)j0 + info);
        }
        if (info != 0) {
            fail(column, column);
        }
    }

    BASALT_DEVICE void fail(int x, int y) const {
        __syncthreads();
        if (threadIdx.x < 2) {
            storeFlag(progress + (threadIdx.x == 0 ? x : y), CHOLESKY_FAILED);
        }
    }

    // Finds task number `task` of those of two columns of tiles from j on, and returns -1; or how many there are. Columns share rows as they
    // are taken, two by two from an even one on. First come rows that columns of the diagonal wait for, column by column: those up to
    // the second behind the columns, with the diagonal's next but one behind the first of them; then the others, row by row.
    BASALT_DEVICE int find(int j, int task, int* first, int* count, int* column, bool* diagonal) const {
        const int width = CHOLESKY_WIDTH;
        int end = j + width + 2 < tiles ? j + width + 2 : tiles;
        int number = 0;
        for (int c = j; c < j + width; c++) {
            for (int i = c + 2; i < end; i += i % 2 == 0 ? 2 : 1) {
                *first = i;
                *count = i % 2 == 0 && i + 1 < tiles ? 2 : 1;
                *column = c;
                *diagonal = false;
                if (number++ == task) {
                    return -1;
                }
                if (i == c + 2) {
                    *first = c + 1;
                    *count = 2;
                    *column = c + 2;
                    *diagonal = true;
                    if (number++ == task) {
                        return -1;
                    }
                }
            }
        }
        int pairs = (tiles - end + 1) / 2;
        if (task < number + pairs * width) {
            *first = end + (task - number) / width * 2;
            *count = *first + 1 < tiles ? 2 : 1;
            *column = j + (task - number) % width;
            *diagonal = false;
            return -1;
        }
        return number + pairs * width;
    }

    // Takes tasks until there are none: the first two tiles of the diagonal, then those of the columns.
    BASALT_DEVICE void runAll(const Args& args, i64 problem, unsigned* taken) const {
        int column = 0;
        int before = tiles < 2 ? tiles : 2;  // tasks before those of the columns
        const int start = before;
        if (threadIdx.x == 0) {
            // A problem that has failed before is left alone.
            news[3] = args.k == 0 ? loadShared(at<int>(args.e, problem)) : 0;
        }
        __syncthreads();
        if (news[3] != 0) {
            return;
        }
        for (;;) {
            __syncthreads();
            if (threadIdx.x == 0) {
                *news = (int)atomicAdd(taken, 1u);
            }
            __syncthreads();
            int task = *news;
            __syncthreads();
            int first = task - 1;
            int count = 2;
            int tile = task;
            bool diagonal = true;
            if (task >= start) {
                int passed = 0;
                while (column < tiles && passed >= 0) {
                    passed = find(column, task - before, &first, &count, &tile, &diagonal);
                    if (passed >= 0) {
                        before += passed;
                        column += CHOLESKY_WIDTH;
                    }
                }
                if (passed >= 0) {
                    return;
                }
            }
            run(args, problem, first, count, tile, diagonal);
        }
    }
};

template <bool UPPER>
BASALT_DEVICE void cholesky(const Args& args) {
    // Where the device alone knows the order, each block is shown all problems, and takes its own.
    const i64 problem = CAPPED ? args.count - 1 : args.y + blockIdx.z;
    if (problem - args.y != blockIdx.z) {
        return;
    }
    CholeskyTasks<UPPER> tasks;
    tasks.a = at<double>(args.c, problem);
    tasks.ld = args.c.ld;
    tasks.n = (int)args.n;
    tasks.tiles = (tasks.n + CHOLESKY_TILE - 1) / CHOLESKY_TILE;
    const i64 most = (givenN(args) + CHOLESKY_TILE - 1) / CHOLESKY_TILE;
    unsigned* counters = counter(args, blockIdx.z * (most + CHOLESKY_COUNTERS));
    tasks.progress = counters + CHOLESKY_COUNTERS;
    typedef CholeskyTasks<UPPER> Tasks;
    tasks.rest = BASALT_DYNAMIC_SHARED(double);
    tasks.known = tasks.rest + Tasks::REST;
    tasks.reciprocals = tasks.known + Tasks::STAGED;
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

BASALT_KERNEL(basalt_cholesky_lower_d) { basalt::cholesky<false>(args); }
BASALT_KERNEL(basalt_cholesky_upper_d) { basalt::cholesky<true>(args); }
#endif
