// Panels of factorisations: LU with partial pivoting, row interchanges, Cholesky.
#include "basalt.h"

namespace basalt {

template <typename R>
struct Pivot {
    R value;
    int row;
};

// The first row with the largest |re| + |im|. NaN counts as largest, as in iamax.
template <typename R>
BASALT_DEVICE bool beats(R v, int row, const Pivot<R>& than) {
    if (row < 0 || than.row < 0) {
        return than.row < 0 && row >= 0;
    }
    bool nan = v != v;
    bool otherNan = than.value != than.value;
    if (nan != otherNan) {
        return nan;
    }
    if (nan || v == than.value) {
        return row < than.row;
    }
    return v > than.value;
}

template <typename R>
BASALT_DEVICE Pivot<R> warpPivot(Pivot<R> p) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        R v = shuffleXor(p.value, mask);
        int row = shuffleXor(p.row, mask);
        if (beats(v, row, p)) {
            p.value = v;
            p.row = row;
        }
    }
    return p;
}

template <typename R>
BASALT_DEVICE Pivot<R> blockPivot(Pivot<R> p, Pivot<R>* scratch) {
    p = warpPivot(p);
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = p;
    }
    __syncthreads();
    p = scratch[0];
    for (int w = 1; w < (int)blockDim.x / 32; w++) {
        if (beats(scratch[w].value, scratch[w].row, p)) {
            p = scratch[w];
        }
    }
    return p;
}

// The m×n panel with leading dimension `ld`, in shared or device memory, by one block: right-looking, one column after the
// other. Returns the 1-based column of the first zero pivot, 0 if there is none.
template <typename T>
BASALT_DEVICE int factorPanel(int m, int n, T* a, i64 ld, i64* ipiv, i64 offset, Pivot<typename Of<T>::Real>* scratch) {
    typedef typename Of<T>::Real R;
    int info = 0;
    int k = m < n ? m : n;
    for (int j = 0; j < k; j++) {
        Pivot<R> p = {0, -1};
        for (int i = j + threadIdx.x; i < m; i += blockDim.x) {
            R v = magnitude(a[i + j * ld]);
            if (beats(v, i, p)) {
                p.value = v;
                p.row = i;
            }
        }
        p = blockPivot(p, scratch);
        if (threadIdx.x == 0) {
            ipiv[j] = offset + p.row + 1;
        }
        if (p.value == 0) {
            // LAPACK goes on past a zero pivot; below it all is zero, so there is nothing to subtract.
            info = info == 0 ? j + 1 : info;
            __syncthreads();
            continue;
        }
        if (p.row != j) {
            for (int c = threadIdx.x; c < n; c += blockDim.x) {
                T t = a[j + c * ld];
                a[j + c * ld] = a[p.row + c * ld];
                a[p.row + c * ld] = t;
            }
        }
        __syncthreads();
        T d = a[j + j * ld];
        bool reciprocal = magnitude(d) >= smallestNormal(p.value);
        T r = reciprocal ? divide(one<T>(), d) : d;
        for (int i = j + 1 + threadIdx.x; i < m; i += blockDim.x) {
            a[i + j * ld] = reciprocal ? a[i + j * ld] * r : divide(a[i + j * ld], d);
        }
        __syncthreads();
        int rows = m - j - 1;
        int columns = n - j - 1;
        for (int e = threadIdx.x; e < rows * columns; e += blockDim.x) {
            int i = j + 1 + e % rows;
            int c = j + 1 + e / rows;
            fma(-a[i + j * ld], a[j + c * ld], a[i + c * ld]);
        }
        __syncthreads();
    }
    return info;
}

BASALT_DEVICE void report(const Args& args, i64 problem, int info) {
    int* e = at<int>(args.e, problem);
    if (info != 0 && *e == 0) {
        *e = (int)args.p + info;
    }
}

// One block a problem. With dynamic shared memory (args.x elements are its leading dimension) the panel is factored there.
template <typename T>
BASALT_DEVICE void getf2(const Args& args) {
    __shared__ Pivot<typename Of<T>::Real> scratch[32];
    T* shared = BASALT_DYNAMIC_SHARED(T);
    int m = (int)args.m;
    int n = (int)args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        i64* ipiv = at<i64>(args.d, problem);
        int info;
        if (args.x == 0) {
            info = factorPanel(m, n, a, args.c.ld, ipiv, args.p, scratch);
        } else {
            for (int e = threadIdx.x; e < m * n; e += blockDim.x) {
                shared[e % m + e / m * args.x] = a[e % m + e / m * args.c.ld];
            }
            __syncthreads();
            info = factorPanel(m, n, shared, args.x, ipiv, args.p, scratch);
            for (int e = threadIdx.x; e < m * n; e += blockDim.x) {
                a[e % m + e / m * args.c.ld] = shared[e % m + e / m * args.x];
            }
        }
        if (threadIdx.x == 0) {
            report(args, problem, info);
        }
        __syncthreads();
    }
}

// Interchanges of rows in chunks of up to SWAPS pivots: each chunk becomes one permutation of the rows it touches, so that
// all loads come before all stores. A block takes args.x columns.
static const int SWAPS = 64;

template <typename T>
BASALT_DEVICE void laswp(const Args& args) {
    __shared__ int pivots[SWAPS];
    const int EACH = 8;
    i64 columns = args.n;
    i64 lda = args.c.ld;
    int lane = threadIdx.x % (2 * SWAPS);
    i64 j0 = (i64)blockIdx.x * args.x + threadIdx.x / (2 * SWAPS) * EACH;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        const i64* ipiv = at<i64>(args.d, problem);
        i64 done = 0;
        i64 total = args.q - args.p;
        while (done < total) {
            int swaps = (int)least(SWAPS, total - done);
            // Pivot s of the chunk exchanges rows first + s·step and pivots[s].
            int step = args.flag ? -1 : 1;
            i64 first = args.flag ? args.q - 1 - done : args.p + done;
            __syncthreads();
            if ((int)threadIdx.x < swaps) {
                pivots[threadIdx.x] = (int)(ipiv[first + step * (int)threadIdx.x] - 1 - args.k);
            }
            __syncthreads();
            // This thread follows one row: one of the chunk's own, or one that a pivot names.
            int s = lane % SWAPS;
            bool active = s < swaps;
            int row = active ? lane < SWAPS ? (int)first + step * s : pivots[s] : 0;
            int target = row;
            for (int u = 0; u < swaps; u++) {
                int own = (int)first + step * u;
                target = target == own ? pivots[u] : target == pivots[u] ? own : target;
            }
            bool moves = active && target != row;
            T v[EACH];
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                if (moves && j0 + u < columns && j0 + u < (i64)(blockIdx.x + 1) * args.x) {
                    v[u] = a[row + (j0 + u) * lda];
                }
            }
            __syncthreads();
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                if (moves && j0 + u < columns && j0 + u < (i64)(blockIdx.x + 1) * args.x) {
                    a[target + (j0 + u) * lda] = v[u];
                }
            }
            done += swaps;
        }
        __syncthreads();
    }
}

// Cholesky of a triangle by one block. With dynamic shared memory the triangle is factored there.
template <typename T>
BASALT_DEVICE int factorTriangle(int n, T* a, i64 di, i64 dj) {
    // Element (i, j), i ≥ j, of the lower factor lies i·di + j·dj on; the upper one is its conjugate transpose.
    typedef typename Of<T>::Real R;
    for (int j = 0; j < n; j++) {
        R d = re(a[j * di + j * dj]);
        if (!(d > 0)) {
            if (threadIdx.x == 0) {
                a[j * di + j * dj] = Make<T>::real(d);
            }
            __syncthreads();
            return j + 1;
        }
        d = root(d);
        __syncthreads();
        if (threadIdx.x == 0) {
            a[j * di + j * dj] = Make<T>::real(d);
        }
        for (int i = j + 1 + threadIdx.x; i < n; i += blockDim.x) {
            T v = a[i * di + j * dj];
            a[i * di + j * dj] = times((R)1 / d, v);
        }
        __syncthreads();
        int rest = n - j - 1;
        for (int e = threadIdx.x; e < rest * rest; e += blockDim.x) {
            int i = j + 1 + e % rest;
            int c = j + 1 + e / rest;
            if (i >= c) {
                T* x = a + i * di + c * dj;
                T v = *x;
                fma(-a[i * di + j * dj], conj(a[c * di + j * dj], true), v);
                *x = i == c ? dropImaginary(v) : v;
            }
        }
        __syncthreads();
    }
    return 0;
}

template <typename T>
BASALT_DEVICE void potf2(const Args& args) {
    T* shared = BASALT_DYNAMIC_SHARED(T);
    int n = (int)args.n;
    bool lower = args.uplo == LOWER;
    BASALT_PROBLEMS(problem) {
        if (*at<int>(args.e, problem) != 0) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        i64 ld = args.c.ld;
        int info;
        if (args.x == 0) {
            info = factorTriangle(n, a, lower ? 1 : ld, lower ? ld : 1);
        } else {
            // In shared memory the factor is always lower: an upper one is conjugated on its way in and out.
            i64 s = args.x;
            for (int e = threadIdx.x; e < n * n; e += blockDim.x) {
                int i = e % n;
                int j = e / n;
                if (lower ? i >= j : i <= j) {
                    shared[lower ? i + j * s : j + i * s] = conj(a[i + j * ld], !lower);
                }
            }
            __syncthreads();
            info = factorTriangle(n, shared, 1, s);
            for (int e = threadIdx.x; e < n * n; e += blockDim.x) {
                int i = e % n;
                int j = e / n;
                if (lower ? i >= j : i <= j) {
                    a[i + j * ld] = conj(shared[lower ? i + j * s : j + i * s], !lower);
                }
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            report(args, problem, info);
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define PANELS(t, T)                                                        \
    BASALT_KERNEL(basalt_getf2_##t, 512) { basalt::getf2<T>(args); }        \
    BASALT_KERNEL(basalt_laswp_##t, 256) { basalt::laswp<T>(args); }        \
    BASALT_KERNEL(basalt_potf2_##t, 512) { basalt::potf2<T>(args); }
BASALT_EACH_TYPE(PANELS)
