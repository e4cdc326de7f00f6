// y := alpha·op(A)·x + beta·y.
#include "basalt.h"

namespace basalt {

// Without transposition. A block owns args.x rows (a power of two); blockDim / args.x groups of threads and the blocks in y
// share out the columns; the last block of a row adds the sums in order.
template <typename T>
BASALT_DEVICE void gemvN(const Args& args) {
    __shared__ T sums[512];
    __shared__ int last;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    int rows = args.x;
    int lane = threadIdx.x % rows;
    int group = threadIdx.x / rows;
    int groups = blockDim.x / rows;
    int step = groups * gridDim.y;
    i64 i = (i64)blockIdx.x * rows + lane;
    i64 lda = args.a.ld;
    i64 incx = args.b.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T s0 = zero<T>(), s1 = s0;
        if (!isZero(alpha) && i < args.m) {
            i64 j = blockIdx.y * groups + group;
            const T* x = at<T>(args.b, problem) + j * incx;
            const T* a = at<T>(args.a, problem) + i + j * lda;
            i64 da = step * lda;
            i64 dx = step * incx;
            for (; j + 7 * step < args.n; j += 8 * step) {
                T v[8], w[8];
#pragma unroll
                for (int u = 0; u < 8; u++) {
                    v[u] = a[u * da];
                    w[u] = x[u * dx];
                }
#pragma unroll
                for (int u = 0; u < 8; u += 2) {
                    fma(v[u], w[u], s0);
                    fma(v[u + 1], w[u + 1], s1);
                }
                a += 8 * da;
                x += 8 * dx;
            }
            for (; j < args.n; j += step) {
                fma(*a, *x, s0);
                a += da;
                x += dx;
            }
        }
        s0 = s0 + s1;
        if (groups > 1) {
            sums[threadIdx.x] = s0;
            for (int half = groups / 2; half > 0; half /= 2) {
                __syncthreads();
                if (group < half) {
                    s0 = s0 + sums[threadIdx.x + half * rows];
                    sums[threadIdx.x] = s0;
                }
            }
            __syncthreads();
        }
        T* y = at<T>(args.c, problem) + i * args.c.ld;
        if (gridDim.y == 1) {
            if (group == 0 && i < args.m) {
                blend(alpha, s0, beta, y);
            }
            continue;
        }
        i64 tile = problem * gridDim.x + blockIdx.x;
        T* kept = (T*)syncScratch(args) + tile * rows * gridDim.y + lane;
        if (group == 0) {
            kept[blockIdx.y * rows] = s0;
        }
        if (arrivesLast(counter(args, tile), gridDim.y, &last) && group == 0 && i < args.m) {
            s0 = zero<T>();
            for (int b = 0; b < (int)gridDim.y; b++) {
                s0 = s0 + loadShared(kept + b * rows);
            }
            blend(alpha, s0, beta, y);
        }
        __syncthreads();
    }
}

static const int COLUMNS = 4;

// Transposed. A block owns COLUMNS columns and every gridDim.y-th stretch of rows; with more than one stretch the partial
// sums lie in the workspace and the last block of a group of columns adds them in order.
template <typename T>
BASALT_DEVICE void gemvT(const Args& args) {
    __shared__ T scratch[33];
    __shared__ int last;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    bool conjugated = args.opA == CONJ_TRANS;
    i64 j = (i64)blockIdx.x * COLUMNS;
    int columns = (int)least(COLUMNS, args.n - j);
    i64 incx = args.b.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T s[COLUMNS];
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            s[u] = zero<T>();
        }
        if (!isZero(alpha)) {
            const T* x = at<T>(args.b, problem);
            const T* a = at<T>(args.a, problem) + j * args.a.ld;
            i64 step = (i64)gridDim.y * blockDim.x;
            i64 i = (i64)blockIdx.y * blockDim.x + threadIdx.x;
            if (columns == COLUMNS) {
                for (; i + step < args.m; i += 2 * step) {
                    T x0 = x[i * incx], x1 = x[(i + step) * incx];
                    T v[COLUMNS], w[COLUMNS];
#pragma unroll
                    for (int u = 0; u < COLUMNS; u++) {
                        v[u] = a[i + u * args.a.ld];
                        w[u] = a[i + step + u * args.a.ld];
                    }
#pragma unroll
                    for (int u = 0; u < COLUMNS; u++) {
                        fma(conj(v[u], conjugated), x0, s[u]);
                        fma(conj(w[u], conjugated), x1, s[u]);
                    }
                }
            } else if (columns == 1) {
                for (; i + 3 * step < args.m; i += 4 * step) {
                    T v[4], w[4];
#pragma unroll
                    for (int u = 0; u < 4; u++) {
                        v[u] = a[i + u * step];
                        w[u] = x[(i + u * step) * incx];
                    }
#pragma unroll
                    for (int u = 0; u < 4; u++) {
                        fma(conj(v[u], conjugated), w[u], s[0]);
                    }
                }
            }
            for (; i < args.m; i += step) {
                T xi = x[i * incx];
#pragma unroll
                for (int u = 0; u < COLUMNS; u++) {
                    if (u < columns) {
                        fma(conj(a[i + u * args.a.ld], conjugated), xi, s[u]);
                    }
                }
            }
        }
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            if (u < columns) {
                s[u] = blockSum(s[u], scratch);
            }
        }
        T* y = at<T>(args.c, problem) + j * args.c.ld;
        if (gridDim.y == 1) {
            if (threadIdx.x == 0) {
#pragma unroll
                for (int u = 0; u < COLUMNS; u++) {
                    if (u < columns) {
                        blend(alpha, s[u], beta, y + u * args.c.ld);
                    }
                }
            }
            continue;
        }
        i64 stretches = gridDim.y;
        T* kept = (T*)args.work + (problem * args.n + j) * stretches;
        if (threadIdx.x == 0) {
#pragma unroll
            for (int u = 0; u < COLUMNS; u++) {
                if (u < columns) {
                    kept[u * stretches + blockIdx.y] = s[u];
                }
            }
        }
        if (arrivesLast(counter(args, problem * gridDim.x + blockIdx.x), gridDim.y, &last)) {
            for (int u = 0; u < columns; u++) {
                T t = zero<T>();
                for (int p = threadIdx.x; p < stretches; p += blockDim.x) {
                    t = t + loadShared(kept + u * stretches + p);
                }
                t = blockSum(t, scratch);
                if (threadIdx.x == 0) {
                    blend(alpha, t, beta, y + u * args.c.ld);
                }
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define GEMV(t, T)                                                         \
    BASALT_KERNEL(basalt_gemv_n_##t, 512) { basalt::gemvN<T>(args); }      \
    BASALT_KERNEL(basalt_gemv_t_##t, 256) { basalt::gemvT<T>(args); }
BASALT_EACH_TYPE(GEMV)
