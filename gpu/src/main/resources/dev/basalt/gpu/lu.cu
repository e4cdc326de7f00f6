// LU with partial pivoting of panels of up to 64 columns. A thread has a row, which stays where it is: what moves is the position
// that it would have after the interchanges so far, and it is stored there in the end. Columns are taken in strips, which threads
// keep in registers; the columns right of a strip lie in shared memory and are brought up to date once a strip.
#include "cluster.h"
#include "pivot.h"
BASALT_CAPPED_TOO

namespace basalt {

static const int BATCH = 16;     // columns that are brought at a time
static const int TOGETHER = 32;  // candidates of a cluster, at most

// What a pivot does to the rows below: nothing where it is zero, else its inverse is multiplied by, or it divides.
enum : short { ZERO, INVERTIBLE, DIVISOR };

// A row that may become the next pivot row.
template <typename T>
struct alignas(16) Candidate {
    u64 key;        // grows with the magnitude of its element in the pivot column; 0: no row is left here
    int position;   // of the row, were the interchanges so far done
    short thread;   // that has it, in its block
    short kind;     // of pivot
    T row[STRIP];   // its part in the strip, from the pivot column on and round
    T reciprocal;   // of the first element
};

// What one load brings of an octet.
template <typename T>
struct alignas(sizeof(T) < 8 ? 8 : 16) Two {
    T v[2];
};

// What a block keeps of the panel and beside it.
template <typename T>
struct LuMemory {
    T* slice;                 // its rows by columns, `pitch` apart
    Octet<T>* strip;          // the strip's rows of U within it, with the multipliers left of the diagonal
    Octet<T>* upper;          // and right of it, by columns from the ninth on
    int (*owner)[2];          // block and thread that have the pivot row
    int* chosenBlock;         // of a grid's candidates, with the candidate
    Candidate<T>* chosen;
    Candidate<T>* warps;      // two a warp
    Candidate<T>* blocks;     // two a block, or a warp, of a cluster
    u64* letters;             // counts what has come of them: one for the odd elections, one for the even
    int pitch;

    // One after the other in the block's shared memory.
    BASALT_DEVICE LuMemory(char* at, int rows, int n, int mode) {
        pitch = rows + 2;  // elements (g, 2q) of a product of a warp lie in different banks
        int all = (n + STRIP - 1) / STRIP * STRIP;
        slice = (T*)at;
        warps = (Candidate<T>*)(at + ((pitch * n * (int)sizeof(T) + 15) & ~15));
        blocks = warps + 2 * (rows / 32);
        chosen = blocks;
        strip = (Octet<T>*)(blocks + (mode == CLUSTER ? 2 * TOGETHER : mode == GRID ? 1 : 0));
        upper = strip;  // whose first rows nobody needs
        owner = (int(*)[2])(strip + all);
        letters = (u64*)(owner + STRIP);
        chosenBlock = (int*)(letters + 2);
    }
    BASALT_DEVICE i64 bytes(const char* from) const { return (const char*)(chosenBlock + 1) - from; }
};

// What the blocks of a grid show each other, in the stream's scratch.
template <typename T>
struct alignas(16) LuShown {
    T rows[2][STRIP][COLUMNS];  // pivot rows right of the strip
    Candidate<T> blocks[1];     // two a block
};

// Tells all blocks of the cluster a candidate, which is one of so many, and waits for the others; some threads take part, of which
// this is one.
template <typename T>
BASALT_DEVICE void tellCluster(
        const LuMemory<T>& memory, const Candidate<T>* mine, int parity, unsigned election, int candidates, int place,
        int thread, int threads) {
    const int PARTS = sizeof(Candidate<T>) / 16;
    u64* letters = memory.letters + parity;
    if (threadIdx.x == 0) {
        expectLetters(letters, candidates * (unsigned)sizeof(Candidate<T>));
    }
    const Candidate<T>* to = memory.blocks + parity * TOGETHER + place;
    for (int i = thread; i < PARTS * (int)gridDim.x; i += threads) {
        int word = i % PARTS * 2;
        sendLetter((u64*)to + word, (const u64*)mine + word, letters, i / PARTS);
    }
    awaitLetters(letters, (election - 1) / 2 % 2);
}

// The candidates of the block's warps become one of the block, those of the blocks one of the panel. Returns where it is, and in
// `owner` the block that it came from.
template <typename T, int MODE>
BASALT_DEVICE const Candidate<T>* elect(
        const Args& args, const LuMemory<T>& memory, int parity, unsigned barrier, int* owner) {
    int lane = threadIdx.x % 32;
    int warps = blockDim.x / 32;
    const int WORDS = sizeof(Candidate<T>) / 8;
    const Candidate<T>* c = memory.warps + parity * warps;
    if (MODE == CLUSTER && warps * (int)gridDim.x <= TOGETHER) {
        // All warps of the cluster hear from all.
        int warp = threadIdx.x / 32;
        int all = warps * (int)gridDim.x;
        warpBarrier();
        tellCluster(memory, c + warp, parity, barrier, all, blockIdx.x * warps + warp, lane, 32);
        c = memory.blocks + parity * TOGETHER;
        bool there = lane < all;
        int best = warpWinner(there ? c[lane].key : 0, there ? c[lane].position : NOWHERE);
        *owner = best / warps;
        return c + best;
    }
    __syncthreads();
    bool there = lane < warps;
    const Candidate<T>* best = c + warpWinner(there ? c[lane].key : 0, there ? c[lane].position : NOWHERE);
    *owner = 0;
    if (MODE == CLUSTER) {
        int blocks = (int)gridDim.x;
        tellCluster(memory, best, parity, barrier, blocks, blockIdx.x, threadIdx.x, blockDim.x);
        c = memory.blocks + parity * TOGETHER;
        there = lane < (int)gridDim.x;
        *owner = warpWinner(there ? c[lane].key : 0, there ? c[lane].position : NOWHERE);
        best = c + *owner;
    }
    if (MODE == GRID) {
        Candidate<T>* all = ((LuShown<T>*)syncScratch(args))->blocks + parity * gridDim.x;
        if (threadIdx.x < WORDS) {
            ((u64*)(all + blockIdx.x))[threadIdx.x] = ((const u64*)best)[threadIdx.x];
        }
        gridBarrier(counter(args, 0), barrier);
        // One warp looks around for its block: many would be in each other's way.
        if (threadIdx.x < 32) {
            u64 key = 0;
            int position = NOWHERE;
            int block = 0;
            for (int b = lane; b < (int)gridDim.x; b += 32) {
                u64 k = loadShared(&all[b].key);
                int p = loadShared(&all[b].position);
                if (k > key || (k == key && p < position)) {
                    key = k;
                    position = p;
                    block = b;
                }
            }
            block = shuffle(block, warpWinner(key, position));
            if (lane < WORDS) {
                ((u64*)memory.chosen)[lane] = loadShared((const u64*)(all + block) + lane);
            }
            if (lane == 0) {
                *memory.chosenBlock = block;
            }
        }
        __syncthreads();
        *owner = *memory.chosenBlock;
        best = memory.chosen;
    }
    return best;
}

template <typename T>
BASALT_DEVICE void turn(T (&v)[STRIP]) {
    T first = v[0];
#pragma unroll
    for (int w = 1; w < STRIP; w++) {
        v[w - 1] = v[w];
    }
    v[STRIP - 1] = first;
}

// Takes what a strip gives off the columns from `next` on; v: the thread's part of the strip, which the slice has too.
template <typename T>
BASALT_DEVICE void takeOff(LuMemory<T>& memory, const T (&v)[STRIP], bool active, int next, int n) {
    if (!active) {
        return;
    }
    const int FEW = 8;  // columns at a time
    T* mine = memory.slice + threadIdx.x;
    for (int c = next; c < n; c += FEW) {
        T x[FEW];
#pragma unroll
        for (int e = 0; e < FEW; e++) {
            x[e] = c + e < n ? mine[(c + e) * memory.pitch] : zero<T>();
        }
#pragma unroll
        for (int u = 0; u < STRIP; u += 2) {
#pragma unroll
            for (int e = 0; e < FEW; e++) {
                Two<T> y = *(const Two<T>*)&memory.upper[c + e][u];
                fma(-v[u], y.v[0], x[e]);
                fma(-v[u + 1], y.v[1], x[e]);
            }
        }
#pragma unroll
        for (int e = 0; e < FEW; e++) {
            if (c + e < n) {
                mine[(c + e) * memory.pitch] = x[e];
            }
        }
    }
}
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
// By products of a warp, which need not read U once for each row. Others may be reading the strip's pivot rows still: rows that
// are not active stay as they are.
BASALT_DEVICE void takeOff(LuMemory<double>& memory, const double (&)[STRIP], bool active, int next, int n) {
    const int TILES = 2;
    const int g = threadIdx.x % 32 / 4;
    const int q = threadIdx.x % 4;
    const int pitch = memory.pitch;
    const unsigned all = warpBallot(active);
    if (all == 0) {
        return;
    }
    const unsigned rows = all >> g;
    double* corner = memory.slice + threadIdx.x / 32 * 32 + g;
    double a[2][4];
#pragma unroll
    for (int h = 0; h < 2; h++) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            a[h][e] = -corner[(next - STRIP + q + e / 2 * 4) * pitch + h * 16 + e % 2 * 8];
        }
    }
    for (int c0 = next; c0 < n; c0 += TILES * 8) {
        double x[TILES][2][4];
        double b[TILES][2];
#pragma unroll
        for (int s = 0; s < TILES; s++) {
            int c = c0 + s * 8;
#pragma unroll
            for (int e = 0; e < 4; e++) {
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    bool there = c + 2 * q + e % 2 < n;
                    x[s][h][e] = there ? corner[(c + 2 * q + e % 2) * pitch + h * 16 + e / 2 * 8] : 0;
                }
            }
#pragma unroll
            for (int e = 0; e < 2; e++) {
                b[s][e] = c + g < n ? memory.upper[c + g][q + 4 * e] : 0;
            }
        }
#pragma unroll
        for (int s = 0; s < TILES; s++) {
#pragma unroll
            for (int h = 0; h < 2; h++) {
                warpProduct(x[s][h], a[h], b[s]);
            }
        }
#pragma unroll
        for (int s = 0; s < TILES; s++) {
#pragma unroll
            for (int e = 0; e < 4; e++) {
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    int c = c0 + s * 8 + 2 * q + e % 2;
                    if (c < n && (rows >> (h * 16 + e / 2 * 8) & 1) != 0) {
                        corner[c * pitch + h * 16 + e / 2 * 8] = x[s][h][e];
                    }
                }
            }
        }
    }
    warpBarrier();  // each thread goes on with its own row
}
#endif

template <typename T, int MODE>
BASALT_DEVICE void luPanel(const Args& args) {
    typedef typename Of<T>::Real R;
    const int rows = blockDim.x;
    const int t = threadIdx.x;
    const int m = (int)args.m;
    const int n = (int)args.n;
    const int k = m < n ? m : n;
    const int rank = MODE == ALONE ? 0 : blockIdx.x;
    const int row = rank * rows + t;
    const i64 ld = args.c.ld;
    LuMemory<T> memory(BASALT_DYNAMIC_SHARED(char), rows, n, MODE);
    T* slice = memory.slice;
    const int pitch = memory.pitch;
    LuShown<T>* shown = (LuShown<T>*)syncScratch(args);
    int parity = 0;
    unsigned barriers = 0;
    if (MODE == CLUSTER) {
        if (t == 0) {
            openLetters(memory.letters);
            openLetters(memory.letters + 1);
        }
        clusterBarrier();
    }
    // As a grid there is one launch a problem.
    const i64 begin = CAPPED ? args.count - 1 : MODE == GRID ? args.y : blockIdx.z;
    const i64 end = MODE == GRID && !CAPPED ? args.y + 1 : args.count;
    for (i64 problem = begin; problem < end; problem += gridDim.z) {
        if (skips(args, problem) || (MODE == GRID && problem != args.y)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        i64* ipiv = at<i64>(args.d, problem);
        int info = 0;
        // Here and below: all loads of a batch before its stores, which the compiler must keep in order.
        for (int c0 = 0; c0 < n; c0 += BATCH) {
            T v[BATCH];
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                v[u] = row < m && c0 + u < n ? a[row + (c0 + u) * ld] : zero<T>();
            }
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                if (c0 + u < n) {
                    slice[(c0 + u) * pitch + t] = v[u];
                }
            }
        }
        bool active = row < m;  // has not been a pivot row yet
        int position = row;
        int stored = n;  // columns of this row that are in the slice in the end
        for (int j0 = 0; j0 < k; j0 += STRIP) {
            const int next = j0 + STRIP;
            const int steps = k - j0 < STRIP ? k - j0 : STRIP;
            if (MODE == CLUSTER && next < n) {
                clusterArrive();  // this block's columns right of the strip may be read
            }
            T v[STRIP];
#pragma unroll
            for (int w = 0; w < STRIP; w++) {
                v[w] = j0 + w < n ? slice[(j0 + w) * pitch + t] : zero<T>();
            }
            // Unrolled for a block alone; a cluster's blocks would all wait for so much code.
#pragma unroll(MODE == ALONE ? STRIP : 1)
            for (int u = 0; u < STRIP; u++) {
                if (u >= steps) {
                    break;
                }
                // v and what candidates show of their rows begin with the pivot column j.
                const int j = j0 + u;
                parity ^= 1;
                T reciprocal = inverse(v[0]);
                R value = magnitude(v[0]);
                short kind = value == 0 ? ZERO : hasInverse(value) ? INVERTIBLE : DIVISOR;
                u64 key = active ? pivotKey(value) : 0;
                if (warpWinner(key, position) == t % 32) {
                    Candidate<T>* mine = memory.warps + parity * (rows / 32) + t / 32;
                    mine->key = key;
                    mine->position = position;
                    mine->thread = (short)t;
                    mine->kind = kind;
#pragma unroll
                    for (int w = 0; w < STRIP; w++) {
                        mine->row[w] = v[w];
                    }
                    mine->reciprocal = reciprocal;
                }
                int owner;
                const Candidate<T>* best = elect<T, MODE>(args, memory, parity, ++barriers, &owner);
                T p[STRIP];  // as far as it is needed: what all threads read costs what all get
#pragma unroll
                for (int w = 0; w < STRIP; w += 2) {
                    if (w < STRIP - u) {
                        Two<T> y = *(const Two<T>*)&best->row[w];
                        p[w] = y.v[0];
                        p[w + 1] = y.v[1];
                    }
                }
                int from = best->position;
                int thread = best->thread;
                kind = best->kind;
                reciprocal = best->reciprocal;
                if (active && owner == rank && thread == t) {
                    active = false;
                    position = j;
                    stored = next < n ? next : n;
                } else if (active && position == j) {
                    position = from;
                }
                if (MODE == GRID && owner == rank) {
                    for (int c = next + t; c < n; c += rows) {
                        shown->rows[j0 / STRIP % 2][u][c] = slice[c * pitch + thread];
                    }
                }
                if (t < STRIP) {
                    memory.strip[u][(u + t) % STRIP] = best->row[t];
                }
                if (t == 31) {
                    memory.owner[u][0] = owner;
                    memory.owner[u][1] = thread;
                    if (rank == 0) {
                        ipiv[j] = args.p + from + 1;
                    }
                }
                if (kind == ZERO) {
                    // LAPACK goes on past a zero pivot; below it all is zero, so there is nothing to subtract.
                    info = info == 0 ? j + 1 : info;
                } else if (active) {
                    v[0] = kind == INVERTIBLE ? v[0] * reciprocal : divide(v[0], p[0]);
#pragma unroll
                    for (int w = 1; w < STRIP; w++) {
                        if (w < STRIP - u) {
                            fma(-v[0], p[w], v[w]);
                        }
                    }
                }
                turn(v);
            }
            for (int u = steps; u < STRIP; u++) {
                turn(v);
            }
            // Pivot rows of earlier strips have not changed, and blocks of a cluster may be reading those of the strip before still.
#pragma unroll
            for (int w = 0; w < STRIP; w++) {
                if (j0 + w < stored) {
                    slice[(j0 + w) * pitch + t] = v[w];
                }
            }
            if (next >= n) {
                break;
            }
            if (MODE == GRID) {
                gridBarrier(counter(args, 0), ++barriers);
            }
            if (MODE == CLUSTER) {
                clusterWait();
            }
            __syncthreads();
            // Columns right of the strip: rows of U by substitution, a thread a column, then the rows below.
            for (int c = next + t; c < n; c += rows) {
                T x[STRIP];
#pragma unroll
                for (int u = 0; u < STRIP; u++) {
                    x[u] = zero<T>();
                    if (u < steps) {
                        x[u] = MODE == GRID ? loadShared(&shown->rows[j0 / STRIP % 2][u][c])
                                : MODE == CLUSTER ? inBlock(slice, memory.owner[u][0])[c * pitch + memory.owner[u][1]]
                                                  : slice[c * pitch + memory.owner[u][1]];
                    }
                }
#pragma unroll
                for (int u = 1; u < STRIP; u++) {
#pragma unroll
                    for (int w = 0; w < u; w++) {
                        if (u < steps) {
                            fma(-memory.strip[u][w], x[w], x[u]);
                        }
                    }
                }
#pragma unroll
                for (int u = 0; u < STRIP; u++) {
                    memory.upper[c][u] = x[u];
                    if (rank == 0 && u < steps) {
                        a[j0 + u + c * ld] = x[u];
                    }
                }
            }
            __syncthreads();
            takeOff(memory, v, active, next, n);
        }
        if (MODE == CLUSTER) {
            clusterBarrier();  // nobody reads this block's slice any more
        }
        if (row < m) {
            for (int c0 = 0; c0 < stored; c0 += BATCH) {
                T v[BATCH];
#pragma unroll
                for (int u = 0; u < BATCH; u++) {
                    v[u] = c0 + u < stored ? slice[(c0 + u) * pitch + t] : zero<T>();
                }
#pragma unroll
                for (int u = 0; u < BATCH; u++) {
                    if (c0 + u < stored) {
                        a[position + (c0 + u) * ld] = v[u];
                    }
                }
            }
        }
        if (rank == 0 && t == 0) {
            conclude(args, problem, info);
        }
        if (MODE == GRID && t == 0) {
            // The last block to leave puts the counters back.
            __threadfence();
            if (atomicAdd(counter(args, 1), 1u) == gridDim.x - 1) {
                *counter(args, 0) = 0;
                *counter(args, 1) = 0;
            }
        }
        __syncthreads();
    }
}

// Small problems, several a warp: of up to N rows and columns, N lanes each, a row in the registers of a lane.
template <typename T, int N>
BASALT_DEVICE void luSmall(const Args& args) {
    const int EACH = 32 / N;  // problems of a warp
    const int lane = threadIdx.x % 32;
    const int corner = lane / N * N;  // the problem's first lane
    const int row = lane - corner;
    const int m = (int)args.m;
    const int n = (int)args.n;
    const int k = m < n ? m : n;
    i64 problem = ((i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * EACH + lane / N;
    // All lanes go along, because they exchange what they have; those without a problem have no rows.
    bool there = problem < args.count && !skips(args, problem);
    T* a = there ? at<T>(args.c, problem) : 0;
    i64* ipiv = there ? at<i64>(args.d, problem) : 0;
    const i64 ld = args.c.ld;
    bool active = there && row < m;
    bool mine = active;
    int position = row;
    int info = 0;
    int pivot = 0;  // this lane keeps that of column `row`
    T v[N];
#pragma unroll
    for (int c = 0; c < N; c++) {
        v[c] = mine && c < n ? a[row + c * ld] : zero<T>();
    }
#pragma unroll
    for (int j = 0; j < N; j++) {
        if (j >= k) {
            break;
        }
        T reciprocal = inverse(v[j]);
        u64 key = active ? pivotKey(magnitude(v[j])) : 0;
        int winner = corner + groupWinner<N>(key, active ? position : NOWHERE);
        int from = shuffle(position, winner);
        if (lane == winner) {
            active = false;
            position = j;
        } else if (active && position == j) {
            position = from;
        }
        pivot = row == j ? from : pivot;
        T d = shuffle(v[j], winner);
        reciprocal = shuffle(reciprocal, winner);
        bool zeroPivot = magnitude(d) == 0;
        info = zeroPivot && info == 0 ? j + 1 : info;
        bool below = active && !zeroPivot;
        if (below) {
            v[j] = hasInverse(magnitude(d)) ? v[j] * reciprocal : divide(v[j], d);
        }
        T w = below ? -v[j] : zero<T>();
#pragma unroll
        for (int c = j + 1; c < N; c++) {
            T p = shuffle(v[c], winner);
            if (below) {
                fma(w, p, v[c]);
            }
        }
    }
    if (mine) {
#pragma unroll
        for (int c = 0; c < N; c++) {
            if (c < n) {
                a[position + c * ld] = v[c];
            }
        }
    }
    if (there && row < k) {
        ipiv[row] = args.p + pivot + 1;
    }
    if (there && row == 0) {
        conclude(args, problem, info);
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
// rows, columns, and who shares the panel
#define LU_LAYOUT(t, T) \
    BASALT_LAYOUT(lu_##t, rows, n, mode) { return basalt::LuMemory<T>(nullptr, (int)rows, (int)n, (int)mode).bytes(nullptr); } \
    BASALT_LAYOUT(lu_shown_##t, blocks, unused, none) { \
        return (long long)(sizeof(basalt::LuShown<T>) + (2 * blocks - 1) * sizeof(basalt::Candidate<T>)); \
    }
BASALT_EACH_TYPE(LU_LAYOUT)
#endif

#define LU(t, T)                                                                                    \
    BASALT_KERNEL(basalt_lu_alone_##t) { basalt::luPanel<T, basalt::ALONE>(args); } \
    BASALT_KERNEL(basalt_lu_slices_##t) { basalt::luPanel<T, basalt::GRID>(args); }
BASALT_EACH_TYPE(LU)

// Several problems a warp have one shape.
#if !defined(BASALT_CAPPED)
#define LU_SMALL(t, T)                                                                          \
    BASALT_KERNEL(basalt_lu_8_##t) { basalt::luSmall<T, 8>(args); } \
    BASALT_KERNEL(basalt_lu_16_##t) { basalt::luSmall<T, 16>(args); } \
    BASALT_KERNEL(basalt_lu_32_##t) { basalt::luSmall<T, 32>(args); }
BASALT_EACH_TYPE(LU_SMALL)
#endif

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
#define LU_CLUSTER(t, T)                                                                                        \
    BASALT_KERNEL(basalt_lu_cluster_8_##t) { basalt::luPanel<T, basalt::CLUSTER>(args); } \
    BASALT_KERNEL(basalt_lu_cluster_16_##t) { basalt::luPanel<T, basalt::CLUSTER>(args); }
BASALT_EACH_TYPE(LU_CLUSTER)
#endif
