// y := alpha·A·x + beta·y, A symmetric or Hermitian in one triangle.
#include "basalt.h"

namespace basalt {

static const int TILE = 128;  // order of a tile: the traits' gemvBlock
static const int STEP = 8;    // columns a warp takes at once

// Element (i, j) of the whole matrix from the stored triangle.
template <typename T>
BASALT_DEVICE T symmetric(const T* a, i64 lda, i64 i, i64 j, int uplo, bool hermitian) {
    if (i == j) {
        T d = a[i + i * lda];
        return hermitian ? dropImaginary(d) : d;
    }
    bool stored = uplo == LOWER ? i > j : i < j;
    return stored ? a[i + j * lda] : conj(a[j + i * lda], hermitian);
}

// In place, each element of y by one block: the triangle is read twice.
template <typename T>
BASALT_DEVICE void symvRows(const Args& args) {
    __shared__ T scratch[33];
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.a, problem);
        const T* x = at<T>(args.b, problem);
        T* y = at<T>(args.c, problem);
        for (i64 i = blockIdx.x; i < args.n; i += gridDim.x) {
            T s = zero<T>();
            if (!isZero(alpha)) {
                for (i64 j = threadIdx.x; j < args.n; j += blockDim.x) {
                    fma(symmetric(a, args.a.ld, i, j, args.uplo, args.flag), x[j * args.b.ld], s);
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

// The sum over a warp of STEP columns, at the lanes divisible by 4; `which` column it is.
template <typename T>
BASALT_DEVICE T columnSum(const T (&col)[STEP], int lane, int* which) {
    // Halve columns and lanes together, then the lanes left.
    T half[4];
#pragma unroll
    for (int u = 0; u < 4; u++) {
        bool upper = lane & 16;
        T send = upper ? col[u] : col[u + 4];
        T keep = upper ? col[u + 4] : col[u];
        half[u] = keep + shuffleXor(send, 16);
    }
    T quarter[2];
#pragma unroll
    for (int u = 0; u < 2; u++) {
        bool upper = lane & 8;
        T send = upper ? half[u] : half[u + 2];
        T keep = upper ? half[u + 2] : half[u];
        quarter[u] = keep + shuffleXor(send, 8);
    }
    bool upper = lane & 4;
    T sum = (upper ? quarter[1] : quarter[0]) + shuffleXor(upper ? quarter[0] : quarter[1], 4);
    sum = sum + shuffleXor(sum, 2);
    sum = sum + shuffleXor(sum, 1);
    *which = (lane / 16) * 4 + (lane / 8 % 2) * 2 + lane / 4 % 2;
    return sum;
}

// One tile of the stored triangle, read once for both products that it takes part in. Their partial sums go to the
// workspace: slot J of rows I, and slot I of rows J. INNER: wholly inside the matrix and beside the diagonal.
template <typename T, bool INNER>
BASALT_DEVICE void symvTile(const Args& args, i64 problem, int I, int J, T (&rowSums)[8][TILE], T (&xs)[2][TILE]) {
    i64 n = args.n;
    int tiles = args.x;
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    i64 i0 = (i64)I * TILE;
    i64 j0 = (i64)J * TILE;
    i64 lda = args.a.ld;
    bool diagonal = !INNER && I == J;
    const T* a = at<T>(args.a, problem);
    const T* x = at<T>(args.b, problem);
    T* work = (T*)args.work + problem * n * tiles;
    // x of the rows and of the columns.
    i64 i = threadIdx.x < TILE ? i0 + threadIdx.x : j0 + threadIdx.x - TILE;
    xs[threadIdx.x / TILE][threadIdx.x % TILE] = INNER || i < n ? x[i * args.b.ld] : zero<T>();
    __syncthreads();
    T row[4];
#pragma unroll
    for (int q = 0; q < 4; q++) {
        row[q] = zero<T>();
    }
    for (int c = 0; c < TILE / 8; c += STEP) {
        i64 j = j0 + warp * (TILE / 8) + c;
        T col[STEP];
#pragma unroll
        for (int u = 0; u < STEP; u++) {
            col[u] = zero<T>();
        }
        const T* xc = xs[1] + (j - j0);
#pragma unroll
        for (int q = 0; q < 4; q++) {
            i64 i = i0 + q * 32 + lane;
            const T* p = a + i + j * lda;
            T v[STEP];
#pragma unroll
            for (int u = 0; u < STEP; u++) {
                bool inside = INNER || (i < n && j + u < n && (!diagonal || (args.uplo == LOWER ? i >= j + u : i <= j + u)));
                v[u] = inside ? p[u * lda] : zero<T>();
            }
#pragma unroll
            for (int u = 0; u < STEP; u++) {
                if (diagonal && i == j + u) {
                    fma(args.flag ? dropImaginary(v[u]) : v[u], xc[u], row[q]);
                } else {
                    fma(v[u], xc[u], row[q]);
                    fma(conj(v[u], args.flag), xs[0][q * 32 + lane], col[u]);
                }
            }
        }
        int which;
        T sum = columnSum(col, lane, &which);
        i64 column = j + which;
        if (lane % 4 == 0 && (INNER || column < n)) {
            if (diagonal) {
                // added to the row sums below, by the same thread block
                rowSums[0][column - j0] = sum;
            } else {
                work[(i64)I * n + column] = sum;
            }
        }
    }
    T mirrored = zero<T>();
    if (diagonal) {
        __syncthreads();
        if (threadIdx.x < TILE && i0 + threadIdx.x < n) {
            mirrored = rowSums[0][threadIdx.x];
        }
        __syncthreads();
    }
#pragma unroll
    for (int q = 0; q < 4; q++) {
        rowSums[warp][q * 32 + lane] = row[q];
    }
    __syncthreads();
    if (threadIdx.x < TILE && i0 + threadIdx.x < n) {
        T s = mirrored;
        for (int w = 0; w < 8; w++) {
            s = s + rowSums[w][threadIdx.x];
        }
        work[(i64)J * n + i0 + threadIdx.x] = s;
    }
    __syncthreads();
}

// Blocks (x) number the tiles of the triangle.
template <typename T>
BASALT_DEVICE void symvTiles(const Args& args) {
    __shared__ T rowSums[8][TILE];
    __shared__ T xs[2][TILE];
    // The tile's row (the larger index) and column, from its number: I·(I+1)/2 + J.
    int I = (int)((sqrt(8.0 * blockIdx.x + 1) - 1) / 2);
    while ((i64)(I + 1) * (I + 2) / 2 <= blockIdx.x) {
        I++;
    }
    while ((i64)I * (I + 1) / 2 > blockIdx.x) {
        I--;
    }
    int J = blockIdx.x - (int)((i64)I * (I + 1) / 2);
    if (args.uplo == UPPER) {
        int t = I;
        I = J;
        J = t;
    }
    // Now the tile stored at rows I and columns J.
    bool inner = I != J && ((i64)I + 1) * TILE <= args.n && ((i64)J + 1) * TILE <= args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        if (inner) {
            symvTile<T, true>(args, problem, I, J, rowSums, xs);
        } else {
            symvTile<T, false>(args, problem, I, J, rowSums, xs);
        }
    }
}

// y := alpha·(sum of the partial results) + beta·y. A block of 256 threads adds up 32 elements.
template <typename T>
BASALT_DEVICE void symvSum(const Args& args) {
    __shared__ T sums[8][32];
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    i64 n = args.n;
    int tiles = args.x;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* work = (const T*)args.work + problem * n * tiles;
        i64 i = (i64)blockIdx.x * 32 + threadIdx.x % 32;
        int group = threadIdx.x / 32;
        T s = zero<T>();
        if (!isZero(alpha) && i < n) {
#pragma unroll 4
            for (int t = group; t < tiles; t += 8) {
                s = s + work[t * n + i];
            }
        }
        sums[group][threadIdx.x % 32] = s;
        __syncthreads();
        if (group == 0 && i < n) {
            for (int g = 1; g < 8; g++) {
                s = s + sums[g][threadIdx.x];
            }
            blend(alpha, s, beta, at<T>(args.c, problem) + i * args.c.ld);
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define SYMV(t, T)                                                                \
    BASALT_KERNEL(basalt_symv_rows_##t, 256) { basalt::symvRows<T>(args); }       \
    BASALT_KERNEL(basalt_symv_tiles_##t, BASALT_RESIDENT(256, sizeof(T) > 8 ? 2 : 3)) {   \
        basalt::symvTiles<T>(args);                                                       \
    }                                                                                     \
    BASALT_KERNEL(basalt_symv_sum_##t, 256) { basalt::symvSum<T>(args); }
BASALT_EACH_TYPE(SYMV)
