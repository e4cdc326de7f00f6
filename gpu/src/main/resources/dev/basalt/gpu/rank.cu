// Updates of a triangle, dense or packed, by one or two vectors: c := alpha·x·xᵀ + c, c := alpha·x·yᵀ + alpha·y·xᵀ + c, and the Hermitian ones.
#include "basalt.h"
BASALT_CAPPED_TOO

namespace basalt {

// A block has a square; its threads are all rows by BESIDE columns, and each has a few elements of its row, which it reads before all else.
static const int BESIDE = 8;
static const int SMALL_SQUARE = 32;
template <typename T>
struct Square {
    static const int order = sizeof(T) == 16 ? SMALL_SQUARE : 64;
};

// Which square a block has: counted from the column with one square, and along the storage within a column.
BASALT_DEVICE void square(i64 number, i64 squares, bool lower, int order, i64* row, i64* column) {
    i64 p = (i64)((sqrtf(8.0f * (float)number + 1) - 1) / 2);
    while ((p + 1) * (p + 2) / 2 <= number) {
        p++;
    }
    while (p * (p + 1) / 2 > number) {
        p--;
    }
    i64 q = number - p * (p + 1) / 2;
    *row = (lower ? squares - 1 - q : q) * order;
    *column = (lower ? squares - 1 - p : p) * order;
}

template <typename T, bool TWO, int SQUARE = Square<T>::order>
BASALT_DEVICE void rank(const Args& args) {
    const int EACH = SQUARE / BESIDE;
    __shared__ T ofX[SQUARE];  // what x is multiplied by in each column
    __shared__ T ofY[SQUARE];
    bool hermitian = args.flag;
    T alpha = value<T>(args.alpha);
    if (!TWO && hermitian) {
        alpha = dropImaginary(alpha);
    }
    if (isZero(alpha)) {
        return;
    }
    bool lower = args.uplo == LOWER;
    i64 n = args.n;
    i64 i0, j0;
    square(blockIdx.x, (n + SQUARE - 1) / SQUARE, lower, SQUARE, &i0, &j0);
    if (CAPPED && (i0 < 0 || j0 < 0)) {
        return;
    }
    i64 i = i0 + threadIdx.x % SQUARE;
    int beside = threadIdx.x / SQUARE;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Stored<T> c = stored<T>(args.c, args.bandC, args.uplo, n, n, problem);
        T* p = c.column(j0 + beside) + i;
        // From a thread's column to its next one, and by how much more from that one.
        i64 step = BESIDE * (c.step + c.growth * (j0 + beside)) + c.growth * (BESIDE * (BESIDE - 1) / 2);
        i64 more = c.growth * (BESIDE * BESIDE);
        T v[EACH];
        T* place[EACH];
        bool mine[EACH];
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            i64 j = j0 + beside + u * BESIDE;
            mine[u] = i < n && j < n && (lower ? i >= j : i <= j);
            place[u] = p;
            if (mine[u]) {
                v[u] = *p;
            }
            p += step;
            step += more;
        }
        const T* x = at<T>(args.a, problem);
        const T* y = TWO ? at<T>(args.b, problem) : x;
        i64 incx = args.a.ld;
        i64 incy = TWO ? args.b.ld : incx;
        if (threadIdx.x < SQUARE) {
            i64 j = j0 + threadIdx.x;
            ofX[threadIdx.x] = j < n ? alpha * conj(y[j * incy], hermitian) : zero<T>();
            if (TWO) {
                ofY[threadIdx.x] = j < n ? conj(alpha, hermitian) * conj(x[j * incx], hermitian) : zero<T>();
            }
        }
        T xi = i < n ? x[i * incx] : zero<T>();
        T yi = TWO && i < n ? y[i * incy] : zero<T>();
        __syncthreads();
#pragma unroll
        for (int u = 0; u < EACH; u++) {
            int column = beside + u * BESIDE;
            if (mine[u]) {
                fma(ofX[column], xi, v[u]);
                if (TWO) {
                    fma(ofY[column], yi, v[u]);
                }
                *place[u] = hermitian && i == j0 + column ? dropImaginary(v[u]) : v[u];
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define RANK(t, T)                                                  \
    BASALT_KERNEL(basalt_syr_##t) { basalt::rank<T, false>(args); } \
    BASALT_KERNEL(basalt_syr2_##t) { basalt::rank<T, true>(args); }
BASALT_EACH_TYPE(RANK)

// Where few squares leave multiprocessors idle, or wait for the slowest of them.
#define SMALL_RANK(t, T)                                                                          \
    BASALT_KERNEL(basalt_syr_small_##t) { basalt::rank<T, false, basalt::SMALL_SQUARE>(args); } \
    BASALT_KERNEL(basalt_syr2_small_##t) { basalt::rank<T, true, basalt::SMALL_SQUARE>(args); }
BASALT_EACH_TYPE(SMALL_RANK)
