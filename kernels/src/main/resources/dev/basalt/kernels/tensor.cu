// C := alpha·op(A)·op(B) + beta·C in double and complex double by 16×8×8 products of a warp: one instruction of the tensor
// cores on Hopper, shuffles elsewhere. Tiles travel through several stages of shared memory, copied ahead asynchronously.
#include "stages.h"

namespace basalt {

// One tile of C, ROWS×COLUMNS, by warps of WARP_ROWS×WARP_COLUMNS.
// PART: the triangle args.uplo of a square C, B then being A again, with a real diagonal if args.flag. A triangular factor is
// args.a, the other one args.b, and beta is 0; blocks (y) take its rows or columns with most elements first.
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
    bool lower = (args.uplo == LOWER) != (TRIANGULAR && args.opA != NONE);
    // Whether the triangular factor is cut off at the diagonal along the inner dimension, or begins there.
    bool inwards = lower == (FORM == LEFT_TRIANGLE);
    int heavy = inwards ? gridDim.y - 1 - blockIdx.y : blockIdx.y;
    i64 i0 = (i64)(FORM == LEFT_TRIANGLE ? heavy : blockIdx.x) * ROWS;
    i64 j0 = (i64)(FORM == LEFT_TRIANGLE ? blockIdx.x : FORM == RIGHT_TRIANGLE ? heavy : blockIdx.y) * COLUMNS;
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
    i64 m = FORM == PART ? args.n : args.m;
    bool hermitian = FORM == PART && args.flag;
    if (FORM == PART && (lower ? i0 + ROWS <= j0 : j0 + COLUMNS <= i0)) {
        return;
    }
    bool alignedA = sizeof(T) == 16 || (((u64)a & 15) == 0 && lda % 2 == 0);
    bool alignedB = sizeof(T) == 16 || (((u64)b & 15) == 0 && ldb % 2 == 0);
    bool conjA = (FORM != RIGHT_TRIANGLE && args.opA == CONJ_TRANS) || (hermitian && !A_ROWS);
    bool conjB = FORM == WHOLE ? args.opB == CONJ_TRANS
            : FORM == RIGHT_TRIANGLE ? args.opA == CONJ_TRANS : hermitian && A_ROWS;
    T alpha = value<T>(args.alpha);
    T beta = TRIANGULAR ? zero<T>() : value<T>(args.beta);
    if (hermitian) {
        alpha = dropImaginary(alpha);
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
    pipe.steps = steps;
    // This lane's first row or column, against its first inner index.
    pipe.mask.diagonal = (inwards ? (int)corner : 0) + (FORM == LEFT_TRIANGLE ? wi : wj) + g - q;
    pipe.mask.inwards = inwards;
    pipe.mask.unit = args.diag == UNIT;
    pipe.start(shared);
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
    awaitStage<0>();
    if (FORM == WHOLE && !B_COLUMNS) {
        // Read again rather than kept: the loop needs all registers. With the other layout of B it is slower so.
        alpha = value<T>(args.alpha);
        beta = value<T>(args.beta);
    }
    T* out = at<T>(args.c, problem);
    i64 ldc = args.c.ld;
    bool clear = isZero(beta);
#pragma unroll
    for (int v = 0; v < PIECES_N; v++) {
#pragma unroll
        for (int w = 0; w < 2; w++) {
            i64 j = j0 + wj + v * 8 + 2 * q + w;
#pragma unroll
            for (int u = 0; u < PIECES_M; u++) {
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    i64 i = i0 + wi + u * 16 + h * 8 + g;
                    if (i < m && j < args.n && (FORM != PART || (lower ? i >= j : i <= j))) {
                        T* x = out + i + j * ldc;
                        T s = steps > 0 ? alpha * c[u][v].get(2 * h + w) : zero<T>();
                        bool real = hermitian && i == j;  // what an imaginary part there holds is not to be read
                        s = clear ? s : s + beta * (real ? dropImaginary(*x) : *x);
                        *x = real ? dropImaginary(s) : s;
                    }
                }
            }
        }
    }
    __syncthreads();
}

template <typename T, int ROWS, int COLUMNS, int DEPTH, int STAGES, int WARP_ROWS, int WARP_COLUMNS, bool A_ROWS,
        bool B_COLUMNS, int FORM = WHOLE>
BASALT_DEVICE void tensorGemm(const Args& args) {
    T* shared = BASALT_DYNAMIC_SHARED(T);
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            tensorTile<T, ROWS, COLUMNS, DEPTH, STAGES, WARP_ROWS, WARP_COLUMNS, A_ROWS, B_COLUMNS, FORM>(
                    args, problem, shared);
        }
    }
}

}  // namespace basalt

// Names: operand orders n (as stored) and t, then the tile's order.
#define TENSOR(t, T, depth, stages, rows, columns, threads, blocks, warpRows, warpColumns)                                        \
    BASALT_KERNEL(basalt_tensor_nn_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                                               \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, true, false>(args);                    \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_nt_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                                               \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, true, true>(args);                     \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_tn_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                                               \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, false, false>(args);                   \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_tt_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                                               \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, false, true>(args);                    \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_syrk_n_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                                           \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, true, true, basalt::PART>(args);              \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_syrk_t_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                                           \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, false, false, basalt::PART>(args);      \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_trmm_ln_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                 \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, true, false, basalt::LEFT_TRIANGLE>(args);   \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_trmm_lt_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                 \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, false, false, basalt::LEFT_TRIANGLE>(args);  \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_trmm_rn_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                 \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, true, false, basalt::RIGHT_TRIANGLE>(args);  \
    }                                                                                                                     \
    BASALT_KERNEL(basalt_tensor_trmm_rt_##rows##_##t, BASALT_RESIDENT(threads, blocks)) {                                 \
        basalt::tensorGemm<T, rows, columns, depth, stages, warpRows, warpColumns, true, true, basalt::RIGHT_TRIANGLE>(args);   \
    }

#if defined(BASALT_TYPE_D)
TENSOR(d, double, 16, 4, 128, 128, 256, 1, 64, 32)
TENSOR(d, double, 16, 3, 64, 64, 128, 2, 32, 32)
#endif
#if defined(BASALT_TYPE_Z)
TENSOR(z, basalt::Complex<double>, 8, 4, 64, 64, 128, 2, 32, 32)
#endif
