// x := op(A)·x and the solution of op(A)·x = b, A triangular.
#include "chain.h"
#include "mail.h"
#include "pack.h"
BASALT_CAPPED_TOO

namespace basalt {

// ---- trmv from a copy of x in the workspace

// op(A) = A. The triangle is cut into tiles of args.x packs of rows, and these into squares of as many columns: tile p, counted from the short end,
// has p + 1. With args.y a block has one tile. Else it has the next part of all squares, so all have equally much to do: the end of a tile, some whole
// ones and the beginning of one. What blocks have of a tile that they share meets in the synchronisation memory, where the last of them adds it in
// the blocks' order.
static const int TILE_LANES = 16;  // at most, and twice that for a packed triangle, whose columns begin beside sectors
static const int TILE_COST = 4;  // what a tile costs beside its squares, in squares

struct Tiles {
    i64 count;

    BASALT_DEVICE i64 before(i64 tile) const { return tile * (tile + 1) / 2 + TILE_COST * tile; }
    BASALT_DEVICE i64 all() const { return before(count); }
    // The tile in which a place lies.
    BASALT_DEVICE i64 at(i64 place) const {
        double b = 2 * TILE_COST + 1;
        i64 tile = (i64)((sqrt(b * b + 8.0 * (double)place) - b) / 2);
        while (before(tile + 1) <= place) {
            tile++;
        }
        while (before(tile) > place) {
            tile--;
        }
        return tile;
    }
};

template <typename T, typename M>
BASALT_DEVICE void trmvN(const Args& args) {
    const int P = Pack<T>::count;
    const int WARPS = M::aligned ? 8 : 16;
    __shared__ Pack<T> sums[WARPS * (M::aligned ? TILE_LANES : 2 * TILE_LANES)];
    __shared__ int last;
    const int lanes = args.x;
    const int ROWS = lanes * P;
    bool whole = args.y;
    int lane = threadIdx.x % lanes;
    int apart = M::aligned ? 1 : lanes;  // rows of a thread
    int group = threadIdx.x / lanes;
    int groups = blockDim.x / lanes;
    i64 n = args.n;
    bool lower = args.uplo == LOWER;
    Tiles tiles = {(n + ROWS - 1) / ROWS};
    i64 blocks = CAPPED ? most(least(gridDim.x, tiles.all()), 1) : gridDim.x;
    if (CAPPED && blockIdx.x >= (whole ? tiles.count : blocks)) {
        return;
    }
    i64 from = whole ? tiles.before(blockIdx.x) : tiles.all() * blockIdx.x / blocks;
    i64 to = whole ? tiles.before(blockIdx.x + 1) : tiles.all() * (blockIdx.x + 1) / blocks;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        M a;
        take(args, problem, a);
        const T* x = (const T*)args.work + problem * givenN(args);
        T* kept = (T*)syncScratch(args) + problem * gridDim.x * 2 * ROWS;
        i64 place = from;
        for (i64 p = whole ? blockIdx.x : tiles.at(from); place < to; p++) {
            i64 start = tiles.before(p);
            i64 next = tiles.before(p + 1);
            i64 end = least(to, next);
            i64 first = most(place - start - TILE_COST, 0);
            i64 beyond = most(end - start - TILE_COST, 0);
            place = end;
            i64 i0 = (lower ? p : tiles.count - 1 - p) * ROWS;
            i64 i = i0 + lane * (M::aligned ? P : 1);
            int inside = (int)most(least((n - i + apart - 1) / apart, P), 0);
            Pack<T> s = emptyPack<T>();
            i64 squares = least(beyond, p);
            // Of the square around the diagonal the first column that is this thread's is on its way before the squares beside it.
            Pack<T> corner = emptyPack<T>(), known = corner;
            i64 jd = i0 + group;
            i64 all = least(i0 + ROWS, n);
            if (!M::aligned && beyond > p && jd < all) {
                T w = x[jd];
#pragma unroll
                for (int e = 0; e < P; e++) {
                    i64 row = i + e * apart;
                    if (e < inside && (lower ? jd <= row : jd >= row)) {
                        known.v[e] = w;
                        corner.v[e] = jd == row && args.diag == UNIT ? one<T>() : a.column(jd)[row];
                    }
                }
            }
            if (inside > 0 && first < squares) {
                i64 j = (lower ? first : tiles.count - squares) * ROWS;
                i64 columns = (lower ? squares : tiles.count - first) * ROWS;
                columns = least(columns, n) - j - group;
                j += group;
                s = inside == P && a.together(i) ? rowSums<M::aligned>(a.columns(i, j, groups, apart), x + j, groups, columns, groups, P)
                                                 : rowSums<false>(a.columns(i, j, groups, apart), x + j, groups, columns, groups, inside);
            }
#pragma unroll
            for (int e = 0; !M::aligned && e < P; e++) {
                fma(corner.v[e], known.v[e], s.v[e]);
            }
            if (beyond > p) {
                for (i64 j = M::aligned ? jd : jd + groups; j < all; j += groups) {
#pragma unroll
                    for (int e = 0; e < P; e++) {
                        i64 row = i + e * apart;
                        if (j == row && args.diag == UNIT) {
                            s.v[e] = s.v[e] + x[j];
                        } else if (e < inside && (lower ? j <= row : j >= row)) {
                            fma(a.column(j)[row], x[j], s.v[e]);
                        }
                    }
                }
            }
            for (int mask = lanes; mask < 32; mask *= 2) {
#pragma unroll
                for (int e = 0; e < P; e++) {
                    s.v[e] = s.v[e] + shuffleXor(s.v[e], mask);
                }
            }
            __syncthreads();
            if ((int)threadIdx.x % 32 < lanes) {
                sums[threadIdx.x / 32 * lanes + lane] = s;
            }
            __syncthreads();
            bool writes = (int)threadIdx.x < ROWS && i0 + threadIdx.x < n;
            const T* part = (const T*)sums + (M::aligned ? threadIdx.x : threadIdx.x % lanes * P + threadIdx.x / lanes);
            T t = zero<T>();
            if (writes) {
                t = part[0];
#pragma unroll
                for (int g = 1; g < WARPS; g++) {
                    t = t + part[g * ROWS];
                }
            }
            T* y = at<T>(args.c, problem) + (i0 + threadIdx.x) * args.c.ld;
            // The blocks that have parts of this tile: those of its first and its last place, and all between.
            i64 b0 = whole ? 0 : (blocks * (start + 1) - 1) / tiles.all();
            i64 b1 = whole ? 0 : (blocks * next - 1) / tiles.all();
            if (b0 == b1) {
                if (writes) {
                    *y = t;
                }
                continue;
            }
            if (writes) {
                kept[(2 * blockIdx.x + (blockIdx.x == b0)) * ROWS + threadIdx.x] = t;
            }
            if (arrivesLast(counter(args, problem * gridDim.x + b0), (unsigned)(b1 - b0 + 1), &last) && writes) {
                t = loadShared(kept + (2 * b0 + 1) * ROWS + threadIdx.x);
                for (i64 b = b0 + 1; b <= b1; b++) {
                    t = t + loadShared(kept + 2 * b * ROWS + threadIdx.x);
                }
                *y = t;
            }
        }
    }
}

static const int COLUMNS = 4;

// op(A) = Aᵀ or Aᴴ. A block owns COLUMNS columns.
template <typename T, typename M>
BASALT_DEVICE void trmvT(const Args& args) {
    const int ALL = 8;  // warps
    __shared__ T parts[COLUMNS][ALL];
    i64 n = args.n;
    bool lower = args.uplo == LOWER;
    i64 j = (lower ? blockIdx.x : gridDim.x - 1 - blockIdx.x) * (i64)COLUMNS;
    int columns = (int)least(COLUMNS, n - j);
    if (CAPPED && columns <= 0) {
        return;
    }
    bool conjugated = args.opA == CONJ_TRANS;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* x = (const T*)args.work + problem * givenN(args);
        M matrix;
        take(args, problem, matrix);
        const auto a = matrix.columns(0, j, 1, 1);
        T s[COLUMNS];
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            s[u] = zero<T>();
        }
        // Rows of the triangle that all columns have, then those around the diagonal.
        i64 i = (lower ? j + COLUMNS : 0) + threadIdx.x;
        i64 end = lower ? n : j;
        if (columns == COLUMNS) {
#pragma unroll 2
            for (; i < end; i += blockDim.x) {
                T xi = x[i];
#pragma unroll
                for (int u = 0; u < COLUMNS; u++) {
                    fma(conj(a.at(u)[i], conjugated), xi, s[u]);
                }
            }
        } else {
            for (; i < end; i += blockDim.x) {
                T xi = x[i];
                for (int u = 0; u < COLUMNS; u++) {
                    if (u < columns) {
                        fma(conj(a.at(u)[i], conjugated), xi, s[u]);
                    }
                }
            }
        }
        i = j + threadIdx.x;
        if (threadIdx.x < COLUMNS && i < n) {
#pragma unroll
            for (int u = 0; u < COLUMNS; u++) {
                i64 c = j + u;
                if (u < columns && (lower ? i >= c : i <= c)) {
                    if (i == c && args.diag == UNIT) {
                        s[u] = s[u] + x[i];
                    } else {
                        fma(conj(a.at(u)[i], conjugated), x[i], s[u]);
                    }
                }
            }
        }
        int which;
        T t = warpSums(s, &which);
        if (threadIdx.x % (32 / COLUMNS) == 0) {
            parts[which][threadIdx.x / 32] = t;
        }
        __syncthreads();
        if ((int)threadIdx.x < columns) {
            t = parts[threadIdx.x][0];
#pragma unroll
            for (int w = 1; w < ALL; w++) {
                t = t + parts[threadIdx.x][w];
            }
            at<T>(args.c, problem)[(j + threadIdx.x) * args.c.ld] = t;
        }
        __syncthreads();
    }
}

// In place, one block a problem: tiles of rows in the order in which x is no longer needed.
template <typename T, typename M>
BASALT_DEVICE void trmvInPlace(const Args& args) {
    __shared__ T sums[256];
    int lane = threadIdx.x % 32;
    int group = threadIdx.x / 32;
    int groups = blockDim.x / 32;
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        M t;
        take(args, problem, t);
        T* x = at<T>(args.c, problem);
        i64 incx = args.c.ld;
        i64 tiles = (n + 31) / 32;
        for (i64 k = 0; k < tiles; k++) {
            i64 i0 = (t.lower ? tiles - 1 - k : k) * 32;
            i64 i = i0 + lane;
            T s = zero<T>();
            if (i < n) {
                i64 from = t.lower ? firstColumn(t, i) : i;
                i64 to = t.lower ? i + 1 : endColumn(t, i, n);
                for (i64 j = from + group; j < to; j += groups) {
                    if (i == j && t.unit) {
                        s = s + x[j * incx];
                    } else {
                        fma(t(i, j), x[j * incx], s);
                    }
                }
            }
            sums[threadIdx.x] = s;
            __syncthreads();
            if (group == 0 && i < n) {
                for (int g = 1; g < groups; g++) {
                    s = s + sums[g * 32 + lane];
                }
                x[i * incx] = s;
            }
            __syncthreads();
        }
    }
}

// ---- mail: unknowns for the blocks that wait for them, without a flag to look at first

// A block's unknowns go by mail to the MAILED blocks after it, through one of MAILBOXES boxes: when a box is used again, all have taken
// from it what they wait for, since each mails its own after that. Boxes lie among the counters and are zero again in the end.
static const int MAILED = 3;
static const int MAILBOXES = 4;
static const int MAILBOX_WORDS = 128;
static const int FIRST_MAIL = 1024;  // counters before the first box
static const int MAIL_PROBLEMS = (SYNC_COUNTERS - FIRST_MAIL) / (2 * MAILBOXES * MAILBOX_WORDS);

// The boxes of a problem, or none.
BASALT_DEVICE u64* mailboxes(const Args& args, i64 problem) {
    return problem < MAIL_PROBLEMS ? (u64*)counter(args, FIRST_MAIL) + problem * MAILBOXES * MAILBOX_WORDS : 0;
}

// ---- trsv: one launch, blocks of rows solved one after the other

// A warp's way to the unknowns of earlier blocks: each warp gets those of the columns that it multiplies, as soon as it can.
template <typename T, bool TRANSPOSED>
struct Inlet {
    static const int N = Rows<T>::count;
    static const int EACH = N * N / 256;
    static const int OWN = TRANSPOSED ? N / 32 : 1;  // unknowns of a lane
    T own[OWN];

    // Of the tile of columns j0…, which block k solved and mailed to a box if there is one.
    BASALT_DEVICE void fetch(const T* x, i64 incx, i64 j0, i64 n, i64 k, const u64* box) {
        int lane = threadIdx.x % 32;
#pragma unroll
        for (int u = 0; u < OWN; u++) {
            int column = TRANSPOSED ? lane + 32 * u : (int)threadIdx.x / N * EACH + lane % EACH;
            if (box != 0) {
                own[u] = receive<T>(box + column * Letter<T>::words, (unsigned)k + 1);
            } else {
                own[u] = j0 + column < n ? loadShared(x + (j0 + column) * incx) : zero<T>();
            }
        }
    }
    // The unknown of the u-th element of a tile that this thread has.
    BASALT_DEVICE T of(int u) const {
        if (TRANSPOSED) {
            return own[u % OWN];
        }
        return shuffle(own[0], u);
    }
};

// A block is done with a problem; the last one puts counters and boxes back.
BASALT_DEVICE void leave(unsigned* tickets, u64* boxes, int* last) {
    if (threadIdx.x == 0) {
        *last = atomicAdd(tickets + 2, 1u) == gridDim.x - 1;
        if (*last) {
            tickets[0] = 0;
            tickets[1] = 0;
            tickets[2] = 0;
        }
    }
    __syncthreads();
    if (*last && boxes != 0) {
        for (int e = threadIdx.x; e < MAILBOXES * MAILBOX_WORDS; e += blockDim.x) {
            boxes[e] = 0;
        }
    }
}

template <typename T, bool TRANSPOSED, typename M>
BASALT_DEVICE void trsv(const Args& args) {
    const int N = Rows<T>::count;
    const int EACH = N * N / 256;
    const int SUMS = TRANSPOSED ? N / 8 : 2;  // rows that a thread sums up, or sums of its row
    const int GROUPS = TRANSPOSED ? 1 : 256 / N;
    const int PITCH = Column<T, N>::pitch;
    __shared__ Chunk<T> tileMemory[N * PITCH * sizeof(T) / 16];
    __shared__ T sums[256];
    __shared__ T inverse[N];  // of the diagonal, or the diagonal itself
    __shared__ int safe;      // whether the inverses are all finite
    __shared__ int number;
    __shared__ unsigned finished;  // blocks, when last looked at
    T* tile = (T*)tileMemory;  // [column][row] of the diagonal tile; an upper one is seen from its last row
    int lane = threadIdx.x % 32;
    i64 n = args.n;
    i64 blocks = (n + N - 1) / N;
    bool alone = gridDim.x == 1;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        M t;
        take(args, problem, t);
        T* x = at<T>(args.c, problem);
        i64 incx = args.c.ld;
        unsigned* tickets = counter(args, 3 * problem);
        unsigned* solved = tickets + 1;
        u64* boxes = alone ? 0 : mailboxes(args, problem);
        for (i64 b = 0; b < blocks; b++) {
            if (!alone) {
                if (threadIdx.x == 0) {
                    number = (int)atomicAdd(tickets, 1u);
                }
                __syncthreads();
                b = number;
                if (CAPPED && b >= blocks) {
                    __syncthreads();
                    leave(tickets, boxes, &number);
                    break;
                }
            }
            i64 i0 = (t.lower ? b : blocks - 1 - b) * N;
            TileOfRows<T, TRANSPOSED> next;
            next.load(t, i0, i0, n);
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                int row = next.row(u);
                int column = next.column(u);
                bool beyond = i0 + row >= n && row == column;
                tile[(t.lower ? column : N - 1 - column) * PITCH + (t.lower ? row : N - 1 - row)] = beyond ? one<T>() : next.v[u];
            }
            safe = 1;
            __syncthreads();
            T mine[N / 32];  // of b, in the first warp
#pragma unroll
            for (int h = 0; h < N / 32; h++) {
                i64 i = i0 + (t.lower ? 32 * h + lane : N - 1 - 32 * h - lane);
                mine[h] = threadIdx.x < 32 && i < n ? loadShared(x + i * incx) : zero<T>();
            }
            scaleRows<T, N>(tile, inverse, &safe, t.unit);
            T s[SUMS];
#pragma unroll
            for (int u = 0; u < SUMS; u++) {
                s[u] = zero<T>();
            }
            i64 first = firstTile(t, b, N);
            if (first < b) {
                next.load(t, i0, (t.lower ? first : blocks - 1 - first) * N, n);
            }
            unsigned seen = 0;
            for (i64 k = first; k < b; k++) {
                i64 j0 = (t.lower ? k : blocks - 1 - k) * N;
                TileOfRows<T, TRANSPOSED> now = next;
                if (k + 1 < b) {
                    next.load(t, i0, t.lower ? j0 + N : j0 - N, n);
                }
                Inlet<T, TRANSPOSED> known;
                bool mailed = boxes != 0 && k + MAILED >= b;
                if (!alone && !mailed && seen <= k) {
                    if (threadIdx.x == 0) {
                        finished = awaitFlag(solved, k, b);
                    }
                    __syncthreads();
                    seen = finished;
                    __syncthreads();
                }
                known.fetch(x, incx, j0, n, k, mailed ? boxes + k % MAILBOXES * MAILBOX_WORDS : 0);
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    fma(now.v[u], known.of(u), s[TRANSPOSED ? u / (N / 32) : u % 2]);
                }
            }
            if (TRANSPOSED) {
                int which;
                T w = warpSums(s, &which);
                if (lane % (32 / SUMS) == 0) {
                    sums[threadIdx.x / 32 * SUMS + which] = w;
                }
            } else {
                sums[threadIdx.x] = s[0] + s[1];
            }
            __syncthreads();
            if (threadIdx.x < 32) {
                // What is left of b, in the order in which it is solved.
                T left[1][N / 32];
#pragma unroll
                for (int h = 0; h < N / 32; h++) {
                    int place = 32 * h + lane;
                    int row = t.lower ? place : N - 1 - place;
                    T w = sums[row];
#pragma unroll
                    for (int g = 1; g < GROUPS; g++) {
                        w = w + sums[g * N + row];
                    }
                    w = i0 + row < n ? mine[h] - w : zero<T>();
                    left[0][h] = safe ? inverse[place] * w : w;
                }
                if (safe) {
                    substitute<T, N, 1>(tile, left);
                } else {
                    divideByTile<T, N, 1>(tile, inverse, left);
                }
#pragma unroll
                for (int h = 0; h < N / 32; h++) {
                    int place = 32 * h + lane;
                    int row = t.lower ? place : N - 1 - place;
                    if (boxes != 0) {
                        Letter<T>::send(boxes + b % MAILBOXES * MAILBOX_WORDS + row * Letter<T>::words, left[0][h], (unsigned)b + 1);
                    }
                    if (i0 + row < n) {
                        x[(i0 + row) * incx] = left[0][h];
                    }
                }
            }
            __syncthreads();
            if (alone) {
                continue;
            }
            if (threadIdx.x == 0) {
                storeFlag(solved, (unsigned)b + 1);
            }
            leave(tickets, boxes, &number);
            break;
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define TRIANGULAR(t, T)                                                                  \
    BASALT_KERNEL(basalt_trmv_n_##t) { basalt::trmvN<T, basalt::DenseMatrix<T>>(args); } \
    BASALT_KERNEL(basalt_trmv_t_##t) { basalt::trmvT<T, basalt::DenseMatrix<T>>(args); } \
    BASALT_KERNEL(basalt_tpmv_n_##t) { basalt::trmvN<T, basalt::PackedMatrix<T>>(args); } \
    BASALT_KERNEL(basalt_tpmv_t_##t) { basalt::trmvT<T, basalt::PackedMatrix<T>>(args); } \
    BASALT_KERNEL(basalt_trmv_in_place_##t) { basalt::trmvInPlace<T, basalt::Triangle<T>>(args); } \
    BASALT_KERNEL(basalt_trsv_n_##t) { basalt::trsv<T, false, basalt::Triangle<T>>(args); } \
    BASALT_KERNEL(basalt_trsv_t_##t) { basalt::trsv<T, true, basalt::Triangle<T>>(args); } \
    BASALT_KERNEL(basalt_trmv_stored_in_place_##t) { basalt::trmvInPlace<T, basalt::StoredTriangle<T>>(args); } \
    BASALT_KERNEL(basalt_trsv_stored_n_##t) { basalt::trsv<T, false, basalt::StoredTriangle<T>>(args); } \
    BASALT_KERNEL(basalt_trsv_stored_t_##t) { basalt::trsv<T, true, basalt::StoredTriangle<T>>(args); }
BASALT_EACH_TYPE(TRIANGULAR)
