// Reduction of symmetric and Hermitian matrices to tridiagonal form, a block a problem: panels but for their products with the matrix, and small matrices whole. Columns are
// counted from where the reduction begins: the first of a lower triangle, the last of an upper one.
#include "block.h"
#include "reflect.h"
#include "two_sided.h"

namespace basalt {

template <typename T>
BASALT_DEVICE void latrdColumn(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    bool lower = args.uplo == LOWER;
    i64 n = args.n;
    i64 p = args.p;
    i64 lda = args.c.ld;
    i64 ldw = args.f.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        T* w = at<T>(args.f, problem);
        i64 j = lower ? p : n - 1 - p;
        T* ajj = a + j + j * lda;
        T* first = lower ? ajj : a + j * lda;
        if (p > 0) {
            i64 row = lower ? p : j;
            i64 top = lower ? row : 0;
            T* v = lower ? a : a + (j + 1) * lda;
            T* x = lower ? w : w + (args.k - p) * ldw;
            T* own = w + (lower ? p : args.k - 1 - p) * ldw + (lower ? 0 : j + 1);
            if (n - p == 1) {
                // The last column of all has no scratch.
                if (threadIdx.x == 0) {
                    R sum = 0;
                    for (i64 l = 0; l < p; l++) {
                        sum += re(v[row + l * lda] * conj(x[row + l * ldw], true));
                    }
                    *first = Make<T>::real(re(*first) - 2 * sum);
                }
                __syncthreads();
                continue;
            }
            conjugateRow(p, x + row, ldw, own);
            takeOff(n - p, p, v + top, lda, own, first);
            conjugateRow(p, v + row, lda, own);
            takeOff(n - p, p, x + top, ldw, own, first);
        }
        if (threadIdx.x == 0) {
            *ajj = dropImaginary(*ajj);
        }
        __syncthreads();
        i64 left = n - 1 - p;
        if (left > 0) {
            T* beside = lower ? ajj + 1 : ajj - 1;
            i64 index = lower ? p : left - 1;
            T tau = larfg(beside, lower ? beside + 1 : first, (i64)1, left - 1, false, scratch);
            __syncthreads();
            if (threadIdx.x == 0) {
                at<T>(args.d, problem)[index] = tau;
                at<R>(args.b, problem)[index] = re(*beside);
                *beside = one<T>();
            }
        }
        __syncthreads();
    }
}

template <typename T>
BASALT_DEVICE void latrdRow(const Args& args) {
    __shared__ T scratch[33];
    bool lower = args.uplo == LOWER;
    i64 n = args.n;
    i64 p = args.p;
    i64 lda = args.c.ld;
    i64 ldw = args.f.ld;
    i64 left = n - 1 - p;
    if (left <= 0) {
        return;
    }
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        T* w = at<T>(args.f, problem);
        i64 j = lower ? p : n - 1 - p;
        i64 top = lower ? p + 1 : 0;
        T* y = w + (lower ? p : args.k - 1 - p) * ldw;
        const T* v = a + top + j * lda;
        if (p > 0) {
            T* z = lower ? y : y + j + 1;
            const T* vs = (lower ? a : a + (j + 1) * lda) + top;
            const T* ws = (lower ? w : w + (args.k - p) * ldw) + top;
            dots(left, p, ws, ldw, v, z);
            takeOff(left, p, vs, lda, z, y + top);
            dots(left, p, vs, lda, v, z);
            takeOff(left, p, ws, ldw, z, y + top);
        }
        weigh(left, at<T>(args.d, problem)[lower ? p : left - 1], v, y + top, scratch);
    }
}

template <typename T>
BASALT_DEVICE void latrdDiagonals(const Args& args) {
    typedef typename Of<T>::Real R;
    bool lower = args.uplo == LOWER;
    i64 lda = args.c.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        R* d = at<R>(args.a, problem);
        const R* e = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < args.p; i += (i64)gridDim.x * blockDim.x) {
            i64 j = lower ? i : args.n - 1 - i;
            T* ajj = a + j + j * lda;
            d[j] = re(*ajj);
            *ajj = dropImaginary(*ajj);
            if (i < args.n - 1) {
                *(lower ? ajj + 1 : ajj - 1) = Make<T>::real(e[lower ? j : j - 1]);
            }
        }
    }
}

template <typename T>
BASALT_DEVICE void sytd2(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    __shared__ T sums[33];
    bool lower = args.uplo == LOWER;
    i64 n = args.n;
    i64 lda = args.c.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        R* d = at<R>(args.a, problem);
        for (i64 i = 0; i < n; i++) {
            i64 j = lower ? i : n - 1 - i;
            i64 left = n - 1 - i;
            T* ajj = a + j + j * lda;
            if (threadIdx.x == 0) {
                d[j] = re(*ajj);
                *ajj = dropImaginary(*ajj);
            }
            if (left == 0) {
                break;
            }
            T* beside = lower ? ajj + 1 : ajj - 1;
            i64 index = lower ? i : left - 1;
            T* v = lower ? beside : a + j * lda;
            T* tau = at<T>(args.d, problem);
            T f = larfg(beside, lower ? beside + 1 : v, (i64)1, left - 1, false, scratch);
            __syncthreads();
            R off = re(*beside);
            __syncthreads();
            if (threadIdx.x == 0) {
                at<R>(args.b, problem)[index] = off;
                *beside = one<T>();
            }
            __syncthreads();
            T* rest = lower ? a + (i + 1) * (lda + 1) : a;
            T* w = lower ? tau + i : tau;
            twoSided(lower, left, rest, lda, f, v, w, sums);
            __syncthreads();
            if (threadIdx.x == 0) {
                tau[index] = f;
                *beside = Make<T>::real(off);
            }
            __syncthreads();
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define TRIDIAGONAL(t, T)                                                 \
    BASALT_KERNEL(basalt_sytd2_##t) { basalt::sytd2<T>(args); }               \
    BASALT_KERNEL(basalt_latrd_column_##t) { basalt::latrdColumn<T>(args); }  \
    BASALT_KERNEL(basalt_latrd_row_##t) { basalt::latrdRow<T>(args); }        \
    BASALT_KERNEL(basalt_latrd_diagonals_##t) { basalt::latrdDiagonals<T>(args); }
BASALT_EACH_TYPE(TRIDIAGONAL)
