// LU without interchanges of a square matrix of any order in one launch, in double. Tiles of 64×64 are found as their operands are ready: a
// block takes the next task, multiplies what is known already, waits where it must, and tells the others how far a row or column of
// tiles is. Tasks are taken in an order in which each needs only what earlier ones make, so that however few blocks run, none waits
// forever. Tiles right of the diagonal are worked on transposed, so that they are solved for as those below it are.
#include "cholesky.h"
#include "stages.h"

#if defined(BASALT_TYPE_D)
namespace basalt {

static const int LU_TILE = row::lu_tiles_d::tile;
static const int LU_ROWS = 2 * LU_TILE;  // of a task
static const int LU_HALF = LU_TILE / 2;  // rows and columns after which a tile of the diagonal is shown to others
static const int LU_STRIP = 16;          // columns of the diagonal that a warp factors
static const int LU_THREADS = row::lu_tiles_d::threads;
static const int LU_FAILED = 1 << 30;    // progress of what will not be found

// What a block has in mind: `first` and `count` tiles below (or right of) the diagonal in column (or row) `at`, or that tile of the diagonal.
enum { LU_DIAGONAL, LU_BELOW, LU_RIGHT };
struct LuTask {
    int kind, first, count, at;
};

struct LuTasks : CholeskyTile {
    static_assert(LU_TILE == CHOLESKY_TILE && LU_ROWS == CHOLESKY_ROWS, "solves are those of Cholesky");
    static const int DEPTH = row::lu_tiles_d::depth;
    static const int STAGES = row::lu_tiles_d::stages;

    // Products of tiles below the diagonal; with RIGHT of those right of it, transposed.
    template <bool RIGHT>
    struct Products {
        typedef Tile<double, LU_ROWS, DEPTH, LU_THREADS, !RIGHT> TileA;
        typedef Tile<double, LU_TILE, DEPTH, LU_THREADS, RIGHT> TileB;
        typedef Pipeline<double, TileA, TileB, DEPTH, STAGES, 2, 4, WHOLE> Pipe;
        static const int STAGED = STAGES * (TileA::ELEMENTS + TileB::ELEMENTS);
    };
    // Shared memory: 64 columns of 128 rows, then stages, or in their place a triangle of the diagonal.
    static const int REST = LU_TILE * PITCH;
    static const int STAGED = Products<true>::STAGED;
    static_assert(STAGED >= Products<false>::STAGED && STAGED >= LU_TILE * TRIANGLE_PITCH, "room for each of them");
    static const int NEWS = 16;  // integers that a block tells its threads
    static const int BYTES = (REST + STAGED + LU_TILE) * (int)sizeof(double) + NEWS * (int)sizeof(int);
    static_assert(BYTES == row::lu_tiles_d::shared, "as launches.txt has it");

    double* a;
    i64 ld;
    int n, tiles;
    unsigned* below;  // of each row of tiles, how many are final up to the diagonal
    unsigned* right;  // of each column
    unsigned* shown;  // of each tile of the diagonal, whether its first rows and columns are final
    double* rest;
    double* known;
    double* reciprocals;
    int* news;

    template <bool RIGHT>
    BASALT_DEVICE double* element(i64 i, i64 j) const { return RIGHT ? a + j + i * ld : a + i + j * ld; }

    // All threads wait until the three have come as far as `wanted`. Returns how far the last of them is.
    BASALT_DEVICE int await(const unsigned* x, const unsigned* y, const unsigned* z, int wanted) const {
        return awaitThree(x, y, z, wanted, LU_FAILED, news);
    }

    // This block's products over the first `task.at` tiles of the inner dimension, as far as they are known at a time: while others are still
    // at work on the next ones, these are multiplied to the end. Whether some will not be found.
    template <bool RIGHT>
    BASALT_DEVICE bool multiply(const LuTask& task, Piece<double> (&sums)[2][4]) const {
        typedef typename Products<RIGHT>::TileA TileA;
        typedef typename Products<RIGHT>::TileB TileB;
        const int EACH = LU_TILE / DEPTH;
        int count = task.at;
        i64 i0 = (i64)task.first * LU_TILE;
        i64 j0 = (i64)task.at * LU_TILE;
        const unsigned* mine = (RIGHT ? right : below) + task.first;
        const unsigned* other = (RIGHT ? below : right) + task.at;
        int warp = threadIdx.x / 32;
        int lane = threadIdx.x % 32;
        double* shared = BASALT_DYNAMIC_SHARED(double) + REST;
        typename Products<RIGHT>::Pipe pipe;
        pipe.lda = ld;
        pipe.ldb = ld;
        pipe.i0 = i0;
        pipe.j0 = j0;
        // Tiles behind the last belong to others, who may be writing them.
        pipe.m = least(n, i0 + task.count * LU_TILE);
        pipe.n = n;
        pipe.roomA = TileA::room(pipe.m - i0);
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
        int ready = 0;
#pragma unroll 1
        for (int done = 0; done < count;) {
            i64 inner = (i64)done * LU_TILE;
            pipe.a = element<RIGHT>(0, inner);
            pipe.b = element<!RIGHT>(0, inner);
            pipe.fromA = TileA::first(pipe.a, ld, i0);
            pipe.fromB = TileB::first(pipe.b, ld, j0);
            ready = await(mine, mine + task.count - 1, other, done + 1);
            int columns = (int)least(ready, count) - done;
            pipe.steps = columns * EACH;
            pipe.k = columns * LU_TILE;
            pipe.whole = pipe.alignedA ? pipe.steps : 0;
            pipe.start(shared);
#pragma unroll 1
            for (int s = 0; s < pipe.steps; s++) {
                if (s + STAGES - 1 == pipe.steps && done + columns < count) {
                    // Perhaps there is more by now, so that loads need not pause.
                    ready = await(mine, mine + task.count - 1, other, 0);
                    columns = (int)least(ready, count) - done;
                    pipe.steps = columns * EACH;
                    pipe.k = columns * LU_TILE;
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
        return ready >= LU_FAILED;
    }

    // The columns in shared memory := those of the matrix less all products. Of rows beyond the task's none is read; behind the last row of the
    // matrix the diagonal stands as that of the identity. Whether some of the products will not be found.
    template <bool RIGHT>
    BASALT_DEVICE bool bring(const LuTask& task) const {
        i64 i0 = (i64)task.first * LU_TILE;
        i64 j0 = (i64)task.at * LU_TILE;
        int warp = threadIdx.x / 32;
        int row = warp % 4 * 32 + threadIdx.x % 32 / 4;
        int col = warp / 4 * 32 + threadIdx.x % 4 * 2;
        double* mine = rest + row + col * PITCH;
        int rows = (int)least(n - i0, task.count * LU_TILE);
        int cols = (int)least(n - j0, LU_TILE);
        Piece<double> sums[2][4];
#pragma unroll
        for (int e = 0; e < 32; e++) {
            int i = row + e / 16 * 16 + e / 2 % 2 * 8;
            int j = col + e / 4 % 4 * 8 + e % 2;
            bool identity = task.kind == LU_DIAGONAL && i == j;
            sums[e / 16][e / 4 % 4].c[e % 4] = i < rows && j < cols ? *element<RIGHT>(i0 + i, j0 + j) : identity ? 1.0 : 0.0;
        }
#pragma unroll
        for (int e = 0; e < 32; e++) {
            mine[e / 16 * 16 + e / 2 % 2 * 8 + (e / 4 % 4 * 8 + e % 2) * PITCH] = sums[e / 16][e / 4 % 4].c[e % 4];
            sums[e / 16][e / 4 % 4].c[e % 4] = 0;
        }
        bool failed = false;
        if (task.at > 0) {
            failed = multiply<RIGHT>(task, sums);
#pragma unroll
            for (int e = 0; e < 32; e++) {
                mine[e / 16 * 16 + e / 2 % 2 * 8 + (e / 4 % 4 * 8 + e % 2) * PITCH] -= sums[e / 16][e / 4 % 4].c[e % 4];
            }
        }
        return failed;
    }

    // A warp writes its 16 rows of half of the columns in shared memory.
    template <bool RIGHT>
    BASALT_DEVICE void write(const LuTask& task, int half) const {
        int lane = threadIdx.x % 32;
        int row = threadIdx.x / 32 * 16;
        i64 i0 = (i64)task.first * LU_TILE;
        i64 j0 = (i64)task.at * LU_TILE;
#pragma unroll 8
        for (int e = lane; e < 16 * LU_HALF; e += 32) {
            int i = row + (RIGHT ? e / LU_HALF : e % 16);
            int j = half * LU_HALF + (RIGHT ? e % LU_HALF : e / 16);
            if (i0 + i < n && j0 + j < n) {
                *element<RIGHT>(i0 + i, j0 + j) = rest[i + j * PITCH];
            }
        }
    }

    // ---- tiles beside the diagonal

    // known := the triangle of the diagonal at j0 that is solved with, as a lower one: Uᵀ with reciprocals of its diagonal, or the unit L. First its
    // columns up to the half, then what is behind these.
    template <bool RIGHT>
    BASALT_DEVICE void bringTriangle(i64 j0, int half) const {
        const int EACH = LU_TILE * LU_HALF / LU_THREADS;
        const bool ROWS = !RIGHT;  // columns of known are rows of U
        double v[EACH];
        int first = half == 0 ? 0 : LU_HALF;
        int count = half == 0 ? EACH : EACH / 2;
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            int e = threadIdx.x + u * LU_THREADS;
            int i = first + (ROWS ? e % LU_HALF : half == 0 ? e % LU_TILE : e % LU_HALF);
            int j = first + (ROWS ? e / LU_HALF : half == 0 ? e / LU_TILE : e / LU_HALF);
            v[u] = u < count ? a[j0 + i + (j0 + j) * ld] : 0.0;
        }
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            int e = threadIdx.x + u * LU_THREADS;
            int i = first + (ROWS ? e % LU_HALF : half == 0 ? e % LU_TILE : e % LU_HALF);
            int j = first + (ROWS ? e / LU_HALF : half == 0 ? e / LU_TILE : e / LU_HALF);
            if (u < count) {
                known[RIGHT ? i + j * TRIANGLE_PITCH : j + i * TRIANGLE_PITCH] = v[u];
                if (i == j) {
                    reciprocals[i] = RIGHT ? 1.0 : reciprocal(v[u]);
                }
            }
        }
    }

    static BASALT_DEVICE double reciprocal(double x) {
        double size = absolute(x);
        return size > 1e-290 && size < 1e290 ? quickReciprocal(x) : 1 / x;
    }

    // Solves for what has been brought.
    template <bool RIGHT>
    BASALT_DEVICE void solveBeside(const LuTask& task) const {
        const unsigned* diagonal = below + task.at;
        const unsigned* first = shown + task.at;
        unsigned* progress = (RIGHT ? right : below) + task.first;
        bool failed = false;
#pragma unroll 1
        for (int half = 0; half < 2 && !failed; half++) {
            // Behind this nobody reads stages any more.
            const unsigned* flag = half == 0 ? first : diagonal;
            failed = await(flag, flag, flag, half == 0 ? 1 : task.at + 1) >= LU_FAILED;
            if (!failed) {
                bringTriangle<RIGHT>((i64)task.at * LU_TILE, half);
                __syncthreads();
                int warp = threadIdx.x / 32;
                if (warp * 16 < task.count * LU_TILE) {
#pragma unroll 1
                    for (int p = half * LU_HALF; p < (half + 1) * LU_HALF; p += EIGHT) {
                        forward(rest, known, reciprocals, warp * 16, p);
                    }
                    write<RIGHT>(task, half);
                }
            }
        }
        __syncthreads();
        if ((int)threadIdx.x < task.count) {
            storeFlag(progress + threadIdx.x, failed ? LU_FAILED : task.at + 1);
        }
    }

    // Apart, so that products have all registers.
    template <bool RIGHT>
    static BASALT_APART void runBeside(LuTasks tasks, LuTask task) {
        tasks.solveBeside<RIGHT>(task);
    }

    // ---- tiles of the diagonal

    // 16×16 numbers less x·y over 16 columns of x, all in the tile.
    static BASALT_DEVICE void lessProduct(double* from, const double* x, const double* y) {
        static_assert(INNER == 8, "four elements of A a lane");
        int g = threadIdx.x % 32 / 4;
        int q = threadIdx.x % 4;
        double sums[2][4];
        from += 2 * q * PITCH + g;
#pragma unroll
        for (int e = 0; e < 8; e++) {
            sums[e / 4][e % 4] = -from[(e / 4 * EIGHT + e % 2) * PITCH + e / 2 % 2 * 8];
        }
        x += q * PITCH + g;
        y += q + g * PITCH;
#pragma unroll
        for (int k = 0; k < LU_STRIP; k += INNER) {
            double fa[4] = {x[k * PITCH], x[k * PITCH + 8], x[(k + 4) * PITCH], x[(k + 4) * PITCH + 8]};
            double fb[4] = {y[k], y[k + 4], y[k + 8 * PITCH], y[k + 4 + 8 * PITCH]};
            warpProduct(sums[0], fa, fb);
            warpProduct(sums[1], fa, fb + 2);
        }
#pragma unroll
        for (int e = 0; e < 8; e++) {
            from[(e / 4 * EIGHT + e % 2) * PITCH + e / 2 % 2 * 8] = -sums[e / 4][e % 4];
        }
    }

    // A warp factors columns p to p + 15 of 32 rows, each lane one: lanes of the pivots' rows know them, so that none waits for another warp.
    // Without branches, so that a column's reciprocal is on its way while the columns behind the one before are brought up to date. Whether pivots and
    // all numbers are such that this is right.
    static BASALT_DEVICE bool factorQuickly(double (&v)[LU_STRIP]) {
        int lane = threadIdx.x % 32;
        bool ordinary = true;
#pragma unroll
        for (int u = 0; u < LU_STRIP; u++) {
            double pivots[LU_STRIP];
#pragma unroll
            for (int c = u; c < LU_STRIP; c++) {
                pivots[c] = shuffle(v[c], u);
            }
            double d = pivots[u];
            double size = absolute(d);
            ordinary = ordinary && size > 1e-290 && size < 1e290;
#if BASALT_CUDA_ARCH > 0
            // The quotient without waiting for the whole of the reciprocal.
            double r;
            asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
            double part = v[u] * r;
            double e = __fma_rn(-d, r, 1.0);
            double l = __fma_rn(part, __fma_rn(e, e, e), part);
#else
            double l = v[u] * quickReciprocal(d);
#endif
            l = lane > u ? l : 0.0;
            v[u] = lane > u ? l : v[u];
#pragma unroll
            for (int c = u + 1; c < LU_STRIP; c++) {
                fma(-l, pivots[c], v[c]);
            }
        }
        // What is not finite, and a row above would have of it.
        double zeros = 0;
#pragma unroll
        for (int u = 0; u < LU_STRIP; u++) {
            fma(v[u], 0.0, zeros);
        }
        return warpBallot(ordinary && zeros == 0) == 0xffffffffu;
    }

    // The same with whatever pivots. Returns the 1-based column of the tile where one is zero, or 0.
    static BASALT_DEVICE int factorSlowly(int p, double (&v)[LU_STRIP]) {
        int lane = threadIdx.x % 32;
        int info = 0;
#pragma unroll
        for (int u = 0; u < LU_STRIP; u++) {
            double pivots[LU_STRIP];
#pragma unroll
            for (int c = u; c < LU_STRIP; c++) {
                pivots[c] = shuffle(v[c], u);
            }
            double d = pivots[u];
            info = info == 0 && d == 0 ? p + u + 1 : info;
            if (lane > u) {
                v[u] = v[u] / d;
#pragma unroll
                for (int c = u + 1; c < LU_STRIP; c++) {
                    fma(-v[u], pivots[c], v[c]);
                }
            }
        }
        return info;
    }

    // A lane solves with the unit triangle of the pivots' rows for its column behind the strip.
    static BASALT_DEVICE void solveColumn(double* rest, int p, int column) {
        double* x = rest + p + column * PITCH;
        const double* l = rest + p + p * PITCH;
        double v[LU_STRIP];
        loadAligned<LU_STRIP>(x, v);
#pragma unroll
        for (int k = 0; k < LU_STRIP - 1; k++) {
            double f[LU_STRIP];
            loadAligned<LU_STRIP>(l + k * PITCH, f);
#pragma unroll
            for (int r = k + 1; r < LU_STRIP; r++) {
                fma(-f[r], v[k], v[r]);
            }
        }
#pragma unroll
        for (int r = 0; r < LU_STRIP; r++) {
            x[r] = v[r];
        }
    }

    // Threads from the given one on write of the tile in shared memory what others are shown first, or the rest of it, as far as there are rows and columns.
    static BASALT_DEVICE void show(bool first, double* to, i64 ld, int left, int from) {
        const double* rest = BASALT_DYNAMIC_SHARED(double);
        const int SIDE = LU_TILE / 2;
#pragma unroll 4
        for (int e = threadIdx.x - from; e < (first ? 3 : 1) * SIDE * SIDE; e += LU_THREADS - from) {
            // Quarters of the tile: the upper and the lower left one, the upper right one; or the last.
            int quarter = first ? e / (SIDE * SIDE) : 3;
            int i = e % SIDE + quarter % 2 * SIDE;
            int j = e / SIDE % SIDE + quarter / 2 * SIDE;
            if (i < left && j < left) {
                to[i + j * ld] = rest[i + j * PITCH];
            }
        }
    }

    // Factors the tile in the first 64 rows of shared memory, 16 columns at a time, and writes it. Returns the 1-based column of a pivot that is zero, or 0.
    static BASALT_APART int factor(int* news, double* to, i64 ld, int left, unsigned* shown) {
        double* rest = BASALT_DYNAMIC_SHARED(double);
        int warp = threadIdx.x / 32;
        int lane = threadIdx.x % 32;
#pragma unroll 1
        for (int p = 0; p < LU_TILE; p += LU_STRIP) {
            int next = p + LU_STRIP;
            int strips = (LU_TILE - next) / LU_STRIP;  // behind this one
            bool works = warp == 0 || warp < strips;
            int row = p + lane + (lane < LU_STRIP ? 0 : warp * LU_STRIP);
            bool own = lane >= LU_STRIP && row < LU_TILE;
            double* x = rest + (row < LU_TILE ? row : LU_TILE - 1) + p * PITCH;
            double v[LU_STRIP];
            int info = 0;
            if (works) {
#pragma unroll
                for (int u = 0; u < LU_STRIP; u++) {
                    v[u] = x[u * PITCH];
                }
                if (!factorQuickly(v)) {
#pragma unroll
                    for (int u = 0; u < LU_STRIP; u++) {
                        v[u] = x[u * PITCH];
                    }
                    info = factorSlowly(p, v);
                }
            }
            const int FROM = 64;
            if (p == LU_HALF && threadIdx.x >= FROM) {
                show(true, to, ld, left, FROM);
            }
            // Rows of the pivots are written when all have read them.
            __syncthreads();
            if (p == LU_HALF && threadIdx.x == FROM) {
                storeFlag(shown, 1);
            }
            if (own && works) {
#pragma unroll
                for (int u = 0; u < LU_STRIP; u++) {
                    x[u * PITCH] = v[u];
                }
            }
            if (warp == 0) {
                if (lane < LU_STRIP) {
#pragma unroll
                    for (int u = 0; u < LU_STRIP; u++) {
                        x[u * PITCH] = v[u];
                    }
                }
                if (lane == 0) {
                    news[1] = info;
                }
            }
            __syncthreads();
            if (news[1] != 0) {
                return news[1];
            }
            if ((int)threadIdx.x < strips * LU_STRIP) {
                solveColumn(rest, p, next + threadIdx.x);
            }
            __syncthreads();
#pragma unroll 1
            for (int e = warp; e < strips * strips; e += LU_THREADS / 32) {
                int i = next + e % strips * LU_STRIP;
                int j = next + e / strips * LU_STRIP;
                lessProduct(rest + i + j * PITCH, rest + i + p * PITCH, rest + p + j * PITCH);
            }
            __syncthreads();
        }
        show(false, to, ld, left, 0);
        return 0;
    }

    // Factors what has been brought.
    BASALT_DEVICE void runDiagonal(const Args& args, i64 problem, const LuTask& task, bool failed) const {
        __syncthreads();
        if (!failed) {
            i64 j0 = (i64)task.at * LU_TILE;
            int info = factor(news, a + j0 + j0 * ld, ld, (int)least(n - j0, LU_TILE), shown + task.at);
            failed = info != 0;
            if (threadIdx.x == 0 && (failed || task.at == tiles - 1)) {
                conclude(args, problem, failed ? task.at * LU_TILE + info : 0);
            }
        }
        __syncthreads();
        if (threadIdx.x < 2) {
            storeFlag((threadIdx.x == 0 ? below : right) + task.at, failed ? LU_FAILED : task.at + 1);
        }
        if (threadIdx.x == 2 && failed) {
            storeFlag(shown + task.at, LU_FAILED);
        }
    }

    // ---- tasks

    // Finds task number `number` of those of columns and rows j and j + 1 of tiles behind the tile of the diagonal at j, and returns -1; or
    // how many there are. First come the tiles that the next two of the diagonal wait for, and these; then the others, two by two: what is
    // read of them for one column is still in the cache for the next.
    BASALT_DEVICE int find(int j, int number, LuTask* task) const {
        int behind = tiles - 1 - j;
        int all = behind == 0 ? 0 : behind == 1 ? 3 : 8 + (behind - 1) / 2 * 4;
        if (number >= all) {
            return all;
        }
        bool pair = number >= 8;
        bool diagonal = number == 2 || number == 7;
        int turn = number < 3 ? number : number < 8 ? number - 3 : number % 4;
        task->kind = diagonal ? LU_DIAGONAL : turn % 2 == 0 ? LU_BELOW : LU_RIGHT;
        task->first = pair ? j + 3 + (number - 8) / 4 * 2 : number < 3 ? j + 1 : j + 2;
        task->count = pair && task->first + 1 < tiles ? 2 : 1;
        task->at = diagonal ? task->first : j + turn / 2;
        return -1;
    }

    // Takes tasks until there are none.
    BASALT_DEVICE void runAll(const Args& args, i64 problem, unsigned* taken) const {
        if (threadIdx.x == 0) {
            // A problem that has failed before is left alone.
            news[2] = args.k == 0 ? loadShared(at<int>(args.e, problem)) : 0;
        }
        __syncthreads();
        if (news[2] != 0) {
            return;
        }
        int j = 0;
        int before = 1;  // tasks before those of columns and rows j and j + 1
        for (;;) {
            __syncthreads();
            if (threadIdx.x == 0) {
                *news = (int)atomicAdd(taken, 1u);
            }
            __syncthreads();
            int number = *news;
            __syncthreads();
            LuTask task;
            task.kind = LU_DIAGONAL;
            task.first = 0;
            task.count = 1;
            task.at = 0;
            if (number > 0) {
                int passed = 0;
                while (j < tiles && passed >= 0) {
                    passed = find(j, number - before, &task);
                    if (passed >= 0) {
                        before += passed;
                        j += 2;
                    }
                }
                if (passed >= 0) {
                    return;
                }
            }
            if (task.kind == LU_RIGHT) {
                bring<true>(task);
                runBeside<true>(*this, task);
                continue;
            }
            bool failed = bring<false>(task);
            if (task.kind == LU_BELOW) {
                runBeside<false>(*this, task);
            } else {
                runDiagonal(args, problem, task, failed);
            }
        }
    }
};

BASALT_DEVICE void luTiles(const Args& args) {
    i64 problem = args.y + blockIdx.z;
    LuTasks tasks;
    tasks.a = at<double>(args.c, problem);
    tasks.ld = args.c.ld;
    tasks.n = (int)args.n;
    tasks.tiles = (tasks.n + LU_TILE - 1) / LU_TILE;
    // Tasks taken and blocks that are done, then progress.
    unsigned* counters = counter(args, (i64)blockIdx.z * (3 * tasks.tiles + 2));
    tasks.below = counters + 2;
    tasks.right = tasks.below + tasks.tiles;
    tasks.shown = tasks.right + tasks.tiles;
    tasks.rest = BASALT_DYNAMIC_SHARED(double);
    tasks.known = tasks.rest + LuTasks::REST;
    tasks.reciprocals = tasks.known + LuTasks::STAGED;
    tasks.news = (int*)(tasks.reciprocals + LU_TILE);
    tasks.runAll(args, problem, counters);
    if (arrivesLast(counters + 1, gridDim.x, tasks.news)) {
        for (int t = threadIdx.x; t < 3 * tasks.tiles; t += LU_THREADS) {
            tasks.below[t] = 0;
        }
        if (threadIdx.x == 0) {
            counters[0] = 0;
        }
    }
}

}  // namespace basalt

BASALT_KERNEL(basalt_lu_tiles_d) { basalt::luTiles(args); }
#endif
