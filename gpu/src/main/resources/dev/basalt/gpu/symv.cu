// y := alpha·A·x + beta·y, A symmetric or Hermitian in one triangle.
#include "pack.h"
BASALT_CAPPED_TOO

namespace basalt {

static const int TILE = 128;  // rows of a strip: the traits' gemvBlock
// Columns of a piece, which a warp takes at once: its column sums are one sector of memory.
template <typename T>
struct Step {
    static const int columns = 32 / sizeof(T);
    static const int pieces = TILE / columns;  // of a tile
};
static const int WARPS = 8;

// Element (i, j) of the whole matrix from the stored triangle.
template <typename T, typename M>
BASALT_DEVICE T symmetric(const M& a, i64 i, i64 j, int uplo, bool hermitian) {
    if (i == j) {
        T d = a.column(i)[i];
        return hermitian ? dropImaginary(d) : d;
    }
    bool stored = uplo == LOWER ? i > j : i < j;
    return stored ? a.column(j)[i] : conj(a.column(i)[j], hermitian);
}

// In place, each element of y by one block: the triangle is read twice.
template <typename T, typename M>
BASALT_DEVICE void symvRows(const Args& args) {
    __shared__ T scratch[33];
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        M a;
        take(args, problem, a);
        const T* x = at<T>(args.b, problem);
        T* y = at<T>(args.c, problem);
        for (i64 i = blockIdx.x; i < args.n; i += gridDim.x) {
            T s = zero<T>();
            if (!isZero(alpha)) {
                for (i64 j = threadIdx.x; j < args.n; j += blockDim.x) {
                    fma(symmetric<T>(a, i, j, args.uplo, args.flag), x[j * args.b.ld], s);
                }
            }
            s = blockSum(s, scratch);
            if (threadIdx.x == 0) {
                blend(alpha, s, beta, y + i * args.c.ld);
            }
            __syncthreads();
        }
    }
}

// In place, a triangle read twice, both times along its columns: where it stays in the cache that is sooner done than adding up partial results. A
// block has 8 rows of A, a lane's row being one of them, and the 8 columns that mirror these, two warps for each.
template <typename T, typename M>
BASALT_DEVICE void symvTwice(const Args& args) {
    const int ROWS = row::spmv_twice_sdcz::rows;
    const int GROUPS = row::spmv_twice_sdcz::threads / ROWS;
    const int ALL = row::spmv_twice_sdcz::threads / 32;
    const int AHEAD = 8;
    __shared__ T sums[ALL][ROWS];
    __shared__ T mirrored[ALL];
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    bool lower = args.uplo == LOWER;
    bool hermitian = args.flag;
    i64 n = args.n;
    i64 incx = args.b.ld;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    i64 i0 = (i64)blockIdx.x * ROWS;
    i64 i = i0 + lane % ROWS;
    i64 mirror = i0 + warp % ROWS;
    // Before and behind the square around the diagonal.
    i64 before = least(i0, n);
    i64 behind = i0 + ROWS;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        M a;
        take(args, problem, a);
        const T* x = at<T>(args.b, problem);
        T s = zero<T>();
        T t = zero<T>();
        if (!isZero(alpha)) {
            i64 end = lower ? before : n;
            for (i64 j = (lower ? 0 : behind) + threadIdx.x / ROWS; j < end; j += AHEAD * GROUPS) {
                T v[AHEAD], w[AHEAD];
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    i64 column = j + u * GROUPS;
                    bool there = column < end && i < n;
                    v[u] = there ? a.column(column)[i] : zero<T>();
                    w[u] = there ? x[column * incx] : zero<T>();
                }
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    fma(v[u], w[u], s);
                }
            }
            end = mirror >= n ? 0 : lower ? n : before;
            const T* p = a.column(mirror);
            for (i64 r = (lower ? behind : 0) + warp / ROWS * 32 + lane; r < end; r += AHEAD * ALL / ROWS * 32) {
                T v[AHEAD], w[AHEAD];
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    i64 row = r + u * (ALL / ROWS * 32);
                    v[u] = row < end ? p[row] : zero<T>();
                    w[u] = row < end ? x[row * incx] : zero<T>();
                }
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    fma(conj(v[u], hermitian), w[u], t);
                }
            }
            i64 j = i0 + threadIdx.x / ROWS;
            if (threadIdx.x < ROWS * ROWS && i < n && j < n) {
                fma(symmetric<T>(a, i, j, args.uplo, hermitian), x[j * incx], s);
            }
        }
        for (int mask = ROWS; mask < 32; mask *= 2) {
            s = s + shuffleXor(s, mask);
        }
        t = warpSum(t);
        if (lane < ROWS) {
            sums[warp][lane] = s;
        }
        if (lane == 0) {
            mirrored[warp] = t;
        }
        __syncthreads();
        if (threadIdx.x < ROWS && i < n) {
#pragma unroll
            for (int w = 1; w < ALL; w++) {
                s = s + sums[w][lane];
            }
#pragma unroll
            for (int w = 0; w < ALL; w += ROWS) {
                s = s + mirrored[w + lane];
            }
            blend(alpha, s, beta, at<T>(args.c, problem) + i * args.c.ld);
        }
        __syncthreads();
    }
}

// The triangle in strips of TILE rows, counted from the short end, so strip p has p + 1 tiles; and these in pieces of a few columns. Each block has the next
// part of all pieces: the end of a strip, some whole ones and the beginning of one. The pieces of any matrix that memory holds are fewer than 2³¹.
template <typename T>
struct Strips {
    static const int PIECES = Step<T>::pieces;
    int each, more;  // pieces of a block; blocks that have one more

    BASALT_DEVICE Strips(int tiles, int blocks, int pieces) : each(pieces), more(before(tiles) - blocks * pieces) {}
    static BASALT_DEVICE int before(int strip) { return strip * (strip + 1) / 2 * PIECES; }
    static BASALT_DEVICE int at(int piece) {
        int strip = (int)((sqrtf(8.0f * (float)(piece / PIECES) + 1) - 1) / 2);
        while (before(strip + 1) <= piece) {
            strip++;
        }
        while (before(strip) > piece) {
            strip--;
        }
        return strip;
    }
    BASALT_DEVICE int begin(int block) const { return block * each + (block < more ? block : more); }
    BASALT_DEVICE int owner(int piece) const {
        int longer = more * (each + 1);
        return piece < longer ? piece / (each + 1) : more + (piece - longer) / each;
    }
};

// What a lane has of a piece, and x of its columns: the rows of a pack, or as many that lie a warp apart where those cannot be loaded together.
template <typename T, bool TOGETHER>
struct Piece {
    static const int PACKS = TILE / 32 / Pack<T>::count;
    static const int STEP = Step<T>::columns;
    Pack<T> v[PACKS][STEP];
    T x[STEP];

    static BASALT_DEVICE int row(int pack, int e) {
        const int P = Pack<T>::count;
        int lane = threadIdx.x % 32;
        return TOGETHER ? (pack * 32 + lane) * P + e : (pack * P + e) * 32 + lane;
    }
    BASALT_DEVICE void load(const T* column, int pack, int u) {
        if constexpr (TOGETHER) {
            v[pack][u] = loadOnce(column + row(pack, 0));
        } else {
#pragma unroll
            for (int e = 0; e < Pack<T>::count; e++) {
                v[pack][u].v[e] = loadElementOnce(column + row(pack, e));
            }
        }
    }
};

// A strip as a warp has it: the lanes' parts of x, and of what the pieces add to the rows of y.
template <typename T, typename M>
struct Strip {
    typedef basalt::Piece<T, M::aligned> Piece;
    static const int PACKS = Piece::PACKS;
    static const int STEP = Step<T>::columns;
    static const int PIECES = Step<T>::pieces;
    static const int P = Pack<T>::count;
    M a;            // its rows
    const T* x;     // that of column 0
    T* columns;     // the strip's slot
    T* mirrored;    // the sums of the diagonal tile's columns, in shared memory
    i64 n, incx, i0;
    int p, rows, last;  // rows inside, and the tile of columns of the end, where they go down
    bool lower, hermitian;
    Pack<T> xs[PACKS], ys[PACKS];

    BASALT_DEVICE i64 column(int piece) const {
        int tile = piece / PIECES;
        return (i64)(lower ? tile : last - tile) * TILE + piece % PIECES * STEP;
    }

    BASALT_DEVICE void start() {
#pragma unroll
        for (int q = 0; q < PACKS; q++) {
#pragma unroll
            for (int e = 0; e < P; e++) {
                int i = Piece::row(q, e);
                xs[q].v[e] = i < rows ? x[(i0 + i) * incx] : zero<T>();
                ys[q].v[e] = zero<T>();
            }
        }
    }

    // A piece wholly inside, beside the diagonal, and aligned if a matrix can be.
    BASALT_DEVICE void load(Piece& piece, int number) const {
        i64 j = column(number);
#pragma unroll
        for (int q = 0; q < PACKS; q++) {
#pragma unroll
            for (int u = 0; u < STEP; u++) {
                piece.load(a.column(j + u), q, u);
            }
        }
#pragma unroll
        for (int u = 0; u < STEP; u++) {
            piece.x[u] = x[(j + u) * incx];
        }
    }

    // Any piece; what is not stored or outside is zero.
    BASALT_DEVICE void loadStored(Piece& piece, int number) const {
        i64 j = column(number);
        int inside = (int)most(least(n - j, STEP), 0);
        int below = (int)least(most(i0 - j, -TILE), TILE);
#pragma unroll
        for (int u = 0; u < STEP; u++) {
            piece.x[u] = u < inside ? x[(j + u) * incx] : zero<T>();
#pragma unroll
            for (int q = 0; q < PACKS; q++) {
#pragma unroll
                for (int e = 0; e < P; e++) {
                    int i = Piece::row(q, e);
                    int d = below + i - u;
                    bool stored = i < rows && u < inside && (lower ? d >= 0 : d <= 0);
                    piece.v[q][u].v[e] = stored ? a.column(j + u)[i] : zero<T>();
                }
            }
        }
    }

    // Both products that a piece takes part in: adds to the rows, and puts down the sums of the columns. Around the diagonal what is not stored takes no
    // part, whatever x holds there, and what is on it once.
    template <bool DIAGONAL>
    BASALT_DEVICE void multiply(const Piece& piece, int number) {
        i64 j = column(number);
        int below = (int)(i0 - j);
        T col[STEP];
#pragma unroll
        for (int u = 0; u < STEP; u++) {
            col[u] = zero<T>();
        }
#pragma unroll
        for (int q = 0; q < PACKS; q++) {
#pragma unroll
            for (int e = 0; e < P; e++) {
#pragma unroll
                for (int u = 0; u < STEP; u++) {
                    T v = piece.v[q][u].v[e];
                    int d = below + Piece::row(q, e) - u;
                    bool on = DIAGONAL && d == 0;
                    bool beside = !DIAGONAL || (lower ? d > 0 : d < 0);
                    fma(on && hermitian ? dropImaginary(v) : v, on || beside ? piece.x[u] : zero<T>(), ys[q].v[e]);
                    fma(beside ? conj(v, hermitian) : zero<T>(), beside ? xs[q].v[e] : zero<T>(), col[u]);
                }
            }
        }
        int which;
        T sum = warpSums<STEP>(col, &which);
        if (threadIdx.x % (32 / STEP) == 0 && (!DIAGONAL || j + which < n)) {
            if (!DIAGONAL || number < p * PIECES) {
                columns[j + which] = sum;
            } else {
                mirrored[which - below] = sum;
            }
        }
    }

    // Every WARPS-th piece from `number` on, up to `end`. Those of tiles wholly inside, beside the diagonal, need no care; a tile of columns that ends beyond n
    // is the first of an upper triangle.
    BASALT_DEVICE void run(int number, int end) {
        bool plain = rows == TILE && (!M::aligned || a.together(0));
        int first = plain && (lower || n % TILE == 0) ? 0 : PIECES;
        int beyond = plain ? (int)least(end, p * PIECES) : 0;
        for (; number < end; number += WARPS) {
            Piece piece;
            if (first <= number && number < beyond) {
                load(piece, number);
                multiply<false>(piece, number);
            } else {
                loadStored(piece, number);
                multiply<true>(piece, number);
            }
        }
    }
};

// Partial results of y go to the workspace, in slots of n elements: sums of the rows of strip p to slots 0 to at most p, one a block, those of its columns to
// slot p.
template <typename T, typename M>
BASALT_DEVICE void symvStrips(const Args& args) {
    __shared__ T sums[WARPS][TILE];
    __shared__ T mirrored[TILE];
    Strip<T, M> strip;
    strip.n = args.n;
    strip.incx = args.b.ld;
    strip.lower = args.uplo == LOWER;
    strip.hermitian = args.flag;
    strip.mirrored = mirrored;
    strip.last = args.x - 1;
    Strips<T> strips(args.x, gridDim.x, args.y);
    int from = strips.begin(blockIdx.x);
    int to = strips.begin(blockIdx.x + 1);
    int first = Strips<T>::at(from);
    int warp = threadIdx.x / 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        strip.x = at<T>(args.b, problem);
        T* work = (T*)args.work + problem * args.n * args.x;
        int place = from;
        for (int p = first; place < to; p++) {
            int start = Strips<T>::before(p);
            int end = (int)least(to, Strips<T>::before(p + 1));
            strip.p = p;
            strip.i0 = (i64)(strip.lower ? p : strip.last - p) * TILE;
            strip.rows = (int)least(args.n - strip.i0, TILE);
            take(args, problem, strip.a);
            strip.a.a += strip.i0;
            strip.columns = work + p * args.n;
            strip.start();
            if (threadIdx.x < TILE) {
                mirrored[threadIdx.x] = zero<T>();
            }
            __syncthreads();
            strip.run(place - start + warp, end - start);
#pragma unroll
            for (int q = 0; q < Strip<T, M>::PACKS; q++) {
#pragma unroll
                for (int e = 0; e < Pack<T>::count; e++) {
                    sums[warp][Strip<T, M>::Piece::row(q, e)] = strip.ys[q].v[e];
                }
            }
            __syncthreads();
            if ((int)threadIdx.x < strip.rows) {
                T s = mirrored[threadIdx.x];
#pragma unroll
                for (int w = 0; w < WARPS; w++) {
                    s = s + sums[w][threadIdx.x];
                }
                work[(blockIdx.x - strips.owner(start)) * args.n + strip.i0 + threadIdx.x] = s;
            }
            __syncthreads();
            place = end;
        }
    }
}

// y := alpha·(sum of the partial results) + beta·y. A block of 256 threads adds up 32 elements.
template <typename T>
BASALT_DEVICE void symvSum(const Args& args) {
    __shared__ T sums[WARPS][32];
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    i64 n = args.n;
    int tiles = args.x;
    i64 i = (i64)blockIdx.x * 32 + threadIdx.x % 32;
    int tile = blockIdx.x / (TILE / 32);
    int p = args.uplo == LOWER ? tile : tiles - 1 - tile;
    Strips<T> strips(tiles, args.z, args.y);
    // Slots of the rows of strip p; then those of the columns of the strips beyond.
    int mine = strips.owner(Strips<T>::before(p + 1) - 1) - strips.owner(Strips<T>::before(p)) + 1;
    int slots = mine + tiles - 1 - p;
    int group = threadIdx.x / 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* work = (const T*)args.work + problem * n * tiles;
        T s = zero<T>();
        if (!isZero(alpha) && i < n) {
#pragma unroll 8
            for (int t = group; t < slots; t += WARPS) {
                s = s + work[(t < mine ? t : t - mine + p + 1) * n + i];
            }
        }
        sums[group][threadIdx.x % 32] = s;
        __syncthreads();
        if (group == 0 && i < n) {
#pragma unroll
            for (int g = 1; g < WARPS; g++) {
                s = s + sums[g][threadIdx.x];
            }
            blend(alpha, s, beta, at<T>(args.c, problem) + i * args.c.ld);
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define SYMV(t, T)                                                                                               \
    BASALT_KERNEL(basalt_symv_rows_##t) { basalt::symvRows<T, basalt::DenseMatrix<T>>(args); }     \
    BASALT_KERNEL(basalt_symv_strips_##t) { basalt::symvStrips<T, basalt::DenseMatrix<T>>(args); } \
    BASALT_KERNEL(basalt_spmv_rows_##t) { basalt::symvRows<T, basalt::PackedMatrix<T>>(args); }     \
    BASALT_KERNEL(basalt_spmv_strips_##t) { basalt::symvStrips<T, basalt::PackedMatrix<T>>(args); } \
    BASALT_KERNEL(basalt_spmv_twice_##t) { basalt::symvTwice<T, basalt::PackedMatrix<T>>(args); }    \
    BASALT_KERNEL(basalt_symv_twice_##t) { basalt::symvTwice<T, basalt::DenseMatrix<T>>(args); }     \
    BASALT_KERNEL(basalt_symv_sum_##t) { basalt::symvSum<T>(args); }
BASALT_EACH_TYPE(SYMV)
