// C := alpha·op(A)·op(B) + beta·C in double and complex double by 16×8×8 products of a warp: one instruction of the tensor
// cores on Hopper, shuffles elsewhere. Tiles travel through several stages of shared memory, copied ahead asynchronously.
#ifndef BASALT_TENSOR_H
#define BASALT_TENSOR_H

#include "stages.h"

namespace basalt {

// ---- where a thread is, so that the compiler cannot keep from before a loop what is cheap to find behind it

BASALT_DEVICE int blockAgain() {
#if BASALT_CUDA_ARCH > 0
    int v;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(v));
    return v;
#else
    return blockIdx.x;
#endif
}
BASALT_DEVICE int rowOfBlocksAgain() {
#if BASALT_CUDA_ARCH > 0
    int v;
    asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(v));
    return v;
#else
    return blockIdx.y;
#endif
}

BASALT_DEVICE void awaitReads() {
#if BASALT_CUDA_ARCH > 0
    asm volatile("" ::: "memory");
#endif
}

// C from a lane's first element on: how many rows and columns are inside, and where the diagonal crosses.
template <typename T, int FORM>
struct Target {
    static const bool PARTIAL = FORM >= PART && FORM <= PART_OF_BOTH;

    T* c;
    i64 ld;
    int rows, columns, diagonal;
    bool lower, hermitian;

    // What C was is read for eight columns together, since nothing that is read behind a write can overtake it; an element outside is
    // read as the first.
    template <bool ADDED, int PIECES_M, int PIECES_N>
    BASALT_DEVICE void write(const Piece<T> (&acc)[PIECES_M][PIECES_N], T alpha, T beta) const {
#pragma unroll
        for (int v = 0; v < PIECES_N; v++) {
            T was[2][2 * PIECES_M];
#pragma unroll
            for (int w = 0; ADDED && w < 2; w++) {
                const T* column = c + (8 * v + w < columns ? (8 * v + w) * ld : 0);
#pragma unroll
                for (int u = 0; u < 2 * PIECES_M; u++) {
                    was[w][u] = column[8 * u < rows ? 8 * u : 0];
                }
            }
            awaitReads();
#pragma unroll
            for (int w = 0; w < 2; w++) {
                T* column = c + (8 * v + w) * ld;
#pragma unroll
                for (int u = 0; u < 2 * PIECES_M; u++) {
                    int beyond = 8 * u - 8 * v - w - diagonal;  // rows below the diagonal
                    if (8 * u < rows && 8 * v + w < columns && (!PARTIAL || (lower ? beyond >= 0 : beyond <= 0))) {
                        T s = alpha * acc[u / 2][v].get(u % 2 * 2 + w);
                        bool real = hermitian && beyond == 0;  // what an imaginary part there holds does not count
                        if (ADDED) {
                            s = s + beta * (real ? dropImaginary(was[w][u]) : was[w][u]);
                        }
                        column[8 * u] = real ? dropImaginary(s) : s;
                    }
                }
            }
        }
    }
};

// A tile of C to the second cache, as far as it is inside.
template <int ROWS, int COLUMNS, int THREADS, typename T>
BASALT_DEVICE void bringNear(const T* c, i64 ld, i64 rows, i64 columns) {
#if BASALT_CUDA_ARCH > 0
    const int LINE = 128 / sizeof(T);
    const int LINES = ROWS / LINE;
    for (int e = threadIdx.x; e < LINES * COLUMNS; e += THREADS) {
        int i = e % LINES * LINE;
        int j = e / LINES;
        if (i < rows && j < columns) {
            asm volatile("prefetch.global.L2 [%0];" ::"l"(c + i + j * ld));
        }
    }
#endif
}

// alpha·A·Bᴴ + conj(alpha)·B·Aᴴ is conj(alpha) times a sum whose first product has a factor of magnitude 1: sums become those of it.
template <int PIECES_M, int PIECES_N>
BASALT_DEVICE void turn(Piece<double> (&)[PIECES_M][PIECES_N], double) {}
template <int PIECES_M, int PIECES_N>
BASALT_DEVICE void turn(Piece<Complex<double>> (&c)[PIECES_M][PIECES_N], Complex<double> conjugate) {
    Complex<double> ratio = divide(conj(conjugate, true), conjugate);
#pragma unroll
    for (int u = 0; u < PIECES_M; u++) {
#pragma unroll
        for (int v = 0; v < PIECES_N; v++) {
#pragma unroll
            for (int w = 0; w < 4; w++) {
                Complex<double> s = ratio * c[u][v].get(w);
                c[u][v].c[w] = s.re;
                c[u][v].c[4 + w] = s.im;
            }
        }
    }
}

// One tile of C, ROWS×COLUMNS, by warps of WARP_ROWS×WARP_COLUMNS.
// PART: the triangle args.uplo of a square C, B then being A again, with a real diagonal if args.flag; PART_OF_TWO and
// PART_OF_BOTH: the same with a B of its own, blocks (x) being tiles of the triangle alone. A triangular factor is args.a, the other one args.b, and beta is 0; blocks (y) take its rows or columns with most elements first.
template <typename T, int ROWS, int COLUMNS, int DEPTH, int STAGES, int WARP_ROWS, int WARP_COLUMNS, bool A_ROWS,
        bool B_COLUMNS, int FORM>
BASALT_DEVICE void tensorTile(const Args& args, i64 problem, T* shared) {
    // A_ROWS: consecutive rows of op(A) are contiguous; B_COLUMNS: consecutive columns of op(B) are.
    const int THREADS = 32 * (ROWS / WARP_ROWS) * (COLUMNS / WARP_COLUMNS);
    typedef Tile<T, ROWS, DEPTH, THREADS, A_ROWS> TileA;
    typedef Tile<T, COLUMNS, DEPTH, THREADS, B_COLUMNS> TileB;
    const int PIECES_M = WARP_ROWS / 16;
    const int PIECES_N = WARP_COLUMNS / 8;
    const bool TRIANGULAR = FORM == LEFT_TRIANGLE || FORM == RIGHT_TRIANGLE;
    const bool PARTIAL = FORM >= PART && FORM <= PART_OF_BOTH;
    const bool LINEAR = PARTIAL && FORM != PART;
    bool lower = (args.uplo == LOWER) != (TRIANGULAR && args.opA != NONE);
    // Whether the triangular factor is cut off at the diagonal along the inner dimension, or begins there.
    bool inwards = lower == (FORM == LEFT_TRIANGLE);
    int heavy = inwards ? gridDim.y - 1 - blockIdx.y : blockIdx.y;
    i64 i0 = (i64)(FORM == LEFT_TRIANGLE ? heavy : blockIdx.x) * ROWS;
    i64 j0 = (i64)(FORM == LEFT_TRIANGLE ? blockIdx.x : FORM == RIGHT_TRIANGLE ? heavy : blockIdx.y) * COLUMNS;
    const int SPLIT = LINEAR ? ROWS / COLUMNS : 1;  // blocks for each square tile
    if (LINEAR) {
        TileOfPart tile(blockIdx.x / SPLIT, lower);
        i0 = (i64)tile.row * ROWS;
        j0 = (i64)tile.column * ROWS + blockIdx.x % SPLIT * COLUMNS;
    }
    int warp = threadIdx.x / 32;
    int g = threadIdx.x % 32 / 4;
    int q = threadIdx.x % 4;
    int wi = warp % (ROWS / WARP_ROWS) * WARP_ROWS;
    int wj = warp / (ROWS / WARP_ROWS) * WARP_COLUMNS;
    const Operand& factorA = FORM == RIGHT_TRIANGLE ? args.b : args.a;
    const Operand& factorB = FORM == PART || FORM == RIGHT_TRIANGLE ? args.a : args.b;
    const T* a = at<T>(factorA, problem);
    const T* b = at<T>(factorB, problem);
    i64 lda = factorA.ld;
    i64 ldb = factorB.ld;
    i64 m = PARTIAL ? args.n : args.m;
    bool hermitian = PARTIAL && args.flag;
    if (FORM == PART && (lower ? i0 + ROWS <= j0 : j0 + COLUMNS <= i0)) {
        return;
    }
    bool alignedA = sizeof(T) == 16 || (((u64)a & 15) == 0 && lda % 2 == 0);
    bool alignedB = sizeof(T) == 16 || (((u64)b & 15) == 0 && ldb % 2 == 0);
    bool conjA = (FORM != RIGHT_TRIANGLE && args.opA == CONJ_TRANS) || (FORM != PART_OF_TWO && hermitian && !A_ROWS);
    bool conjB = FORM == WHOLE || FORM == PART_OF_TWO ? args.opB == CONJ_TRANS
            : FORM == RIGHT_TRIANGLE ? args.opA == CONJ_TRANS : hermitian && A_ROWS;
    T alpha = value<T>(args.alpha);
    T beta = TRIANGULAR ? zero<T>() : value<T>(args.beta);
    if (hermitian) {
        alpha = FORM == PART ? dropImaginary(alpha) : conj(alpha, FORM == PART_OF_BOTH);
        beta = dropImaginary(beta);
    }
    i64 k = FORM == LEFT_TRIANGLE ? args.m : FORM == RIGHT_TRIANGLE ? args.n : args.k;
    i64 corner = FORM == LEFT_TRIANGLE ? i0 : j0;
    if (TRIANGULAR && inwards) {
        k = least(k, corner + (FORM == LEFT_TRIANGLE ? ROWS : COLUMNS));
    } else if (TRIANGULAR) {
        k -= corner;
        a += corner * (A_ROWS ? lda : 1);
        b += corner * (B_COLUMNS ? ldb : 1);
    }
    k = isZero(alpha) ? 0 : k;
    int steps = (int)((k + DEPTH - 1) / DEPTH);

    Piece<T> c[PIECES_M][PIECES_N];
#pragma unroll
    for (int u = 0; u < PIECES_M; u++) {
#pragma unroll
        for (int v = 0; v < PIECES_N; v++) {
#pragma unroll
            for (int w = 0; w < (int)(sizeof(Piece<T>) / 8); w++) {
                c[u][v].c[w] = 0;
            }
        }
    }
    Pipeline<T, TileA, TileB, DEPTH, STAGES, PIECES_M, PIECES_N, FORM> pipe;
    pipe.a = a;
    pipe.b = b;
    pipe.lda = lda;
    pipe.ldb = ldb;
    pipe.i0 = i0;
    pipe.j0 = j0;
    pipe.m = m;
    pipe.n = args.n;
    pipe.k = k;
    pipe.fromA = TileA::first(a, lda, i0);
    pipe.fromB = TileB::first(b, ldb, j0);
    pipe.roomA = TileA::room(m - i0);
    pipe.roomB = TileB::room(args.n - j0);
    pipe.alignedA = alignedA;
    pipe.alignedB = alignedB;
    pipe.conjA = conjA;
    pipe.conjB = conjB;
    pipe.cornerA = TileA::index(wi + g, q);
    pipe.cornerB = TileA::ELEMENTS + TileB::index(wj + g, q);
    // Stages that are wholly inside along the inner dimension come first; then those that need care.
    pipe.whole = alignedA && alignedB ? (int)(k / DEPTH) : 0;
    pipe.steps = FORM == PART_OF_BOTH ? 2 * steps : steps;
    pipe.half = steps;
    // This lane's first row or column, against its first inner index.
    pipe.mask.diagonal = (inwards ? (int)corner : 0) + (FORM == LEFT_TRIANGLE ? wi : wj) + g - q;
    pipe.mask.inwards = inwards;
    pipe.mask.unit = args.diag == UNIT;
    pipe.start(shared);
    // A short product waits for C as long as for its factors: C is on its way to the second cache meanwhile.
    const int SHORT = 8;
    if ((FORM == WHOLE || FORM == PART) && steps <= SHORT && !isZero(beta)) {
        bringNear<ROWS, COLUMNS, THREADS>(at<T>(args.c, problem) + i0 + j0 * args.c.ld, args.c.ld, m - i0, args.n - j0);
    }
    int s = 0;
    if (TRIANGULAR && !inwards) {
        int masked = (FORM == LEFT_TRIANGLE ? ROWS : COLUMNS) / DEPTH;
#pragma unroll 1
        for (; s < masked && s < steps; s++) {
            pipe.template step<false>(shared, s, c);
        }
    }
    int steady = pipe.whole - (TRIANGULAR && inwards ? (FORM == LEFT_TRIANGLE ? ROWS : COLUMNS) / DEPTH : 0);
#pragma unroll 1
    for (; s + STAGES - 1 < steady; s++) {
        pipe.template step<true>(shared, s, c);
    }
#pragma unroll 1
    for (; s < steps; s++) {
        pipe.template step<false>(shared, s, c);
    }
    if (FORM == PART_OF_BOTH) {
        if (hermitian && steps > 0) {
            turn(c, alpha);
        }
        steady += steps;
#pragma unroll 1
        for (; s + STAGES - 1 < steady; s++) {
            pipe.template step<true>(shared, s, c);
        }
#pragma unroll 1
        for (; s < 2 * steps; s++) {
            pipe.template step<false>(shared, s, c);
        }
    }
    awaitStage<0>();
    if (FORM == WHOLE && !B_COLUMNS) {
        // Read again rather than kept: the loop needs all registers. With the other layout of B it is slower so.
        alpha = value<T>(args.alpha);
        beta = value<T>(args.beta);
    }
    // Of C this lane's first element, and what lies inside from there on. Found again rather than kept: the loop needs all registers.
    int thread = threadAgain();
    warp = thread / 32;
    i64 i = (i64)(FORM == LEFT_TRIANGLE ? (inwards ? gridDim.y - 1 - rowOfBlocksAgain() : rowOfBlocksAgain()) : blockAgain()) * ROWS
            + warp % (ROWS / WARP_ROWS) * WARP_ROWS + thread % 32 / 4;
    i64 j = (i64)(FORM == LEFT_TRIANGLE ? blockAgain()
                    : FORM == RIGHT_TRIANGLE ? (inwards ? gridDim.y - 1 - rowOfBlocksAgain() : rowOfBlocksAgain())
                    : rowOfBlocksAgain()) * COLUMNS
            + warp / (ROWS / WARP_ROWS) * WARP_COLUMNS + thread % 4 * 2;
    if (LINEAR) {
        TileOfPart tile(blockAgain() / SPLIT, lower);
        i += (i64)tile.row * ROWS - (i64)blockAgain() * ROWS;
        j += (i64)tile.column * ROWS + blockAgain() % SPLIT * COLUMNS - (i64)rowOfBlocksAgain() * COLUMNS;
    }
    Target<T, FORM> target;
    target.ld = args.c.ld;
    target.c = at<T>(args.c, problem) + i + j * target.ld;
    target.rows = (int)most(least(m - i, ROWS), 0);
    target.columns = (int)most(least(args.n - j, COLUMNS), 0);
    target.diagonal = (int)(j - i);
    target.lower = lower;
    target.hermitian = hermitian;
    T times = steps > 0 ? alpha : zero<T>();
    if (TRIANGULAR || isZero(beta)) {
        target.template write<false, PIECES_M, PIECES_N>(c, times, beta);
    } else if (target.rows > 0 && target.columns > 0) {
        target.template write<true, PIECES_M, PIECES_N>(c, times, beta);
    }
    __syncthreads();
}

// ROW: the kernel's row of launches.txt. COLUMNS of the tile: as many as it has rows, or a part of them where a triangle's tiles are split.
template <typename T, typename ROW, int COLUMNS, int WARP_ROWS, int WARP_COLUMNS, bool A_ROWS, bool B_COLUMNS, int FORM>
BASALT_DEVICE void tensorGemm(const Args& args) {
    const int ORDER = ROW::tile;
    const int DEPTH = ROW::depth;
    const int STAGES = ROW::stages;
    static_assert(32 * (ORDER / WARP_ROWS) * (COLUMNS / WARP_COLUMNS) == ROW::threads, "a warp for each part of the tile");
    static_assert(STAGES * (int)sizeof(T) * (Tile<T, ORDER, DEPTH, ROW::threads, A_ROWS>::ELEMENTS +
                      Tile<T, COLUMNS, DEPTH, ROW::threads, B_COLUMNS>::ELEMENTS) == ROW::shared, "as launches.txt has it");
    T* shared = BASALT_DYNAMIC_SHARED(T);
    BASALT_PROBLEMS(problem) {
        bool triangular = FORM == LEFT_TRIANGLE || FORM == RIGHT_TRIANGLE;
        if (!skips(args, problem) && !(triangular && meets(args, problem))) {
            tensorTile<T, ORDER, COLUMNS, DEPTH, STAGES, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS, FORM>(
                    args, problem, shared);
        }
    }
}

}  // namespace basalt

// Names: operand orders n (as stored) and t, then the tile's order.
#define TENSOR_KERNEL(name, t, T, warpRows, warpColumns, aRows, bColumns, form)                                            \
    BASALT_KERNEL(basalt_tensor_##name##_##t) {                                                                           \
        typedef basalt::row::tensor_##name##_##t Row;                                                                     \
        basalt::tensorGemm<T, Row, Row::tile, warpRows, warpColumns, aRows, bColumns, basalt::form>(args);                \
    }

// Tiles of 128 and 64 for double, of 64 for complex double.
#if defined(BASALT_TYPE_D)
#define TENSOR_D(M) M(d, double, 128, 64, 32) M(d, double, 64, 32, 32)
#else
#define TENSOR_D(M)
#endif
#if defined(BASALT_TYPE_Z)
#define TENSOR_Z(M) M(z, basalt::Complex<double>, 64, 32, 32)
#else
#define TENSOR_Z(M)
#endif
#define TENSOR_EACH(M) TENSOR_D(M) TENSOR_Z(M)

#endif
