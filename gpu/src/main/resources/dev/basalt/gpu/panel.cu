// Panels of factorisations: LU with partial pivoting, row interchanges, Cholesky.
#include "eights.h"
#include "stages.h"
BASALT_CAPPED_TOO

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

// The best of 32 lanes, in each: the largest value by the two halves of its bits, then the first row that has it.
template <typename R>
BASALT_DEVICE Pivot<R> warpPivot(Pivot<R> p) {
    bool there = p.row >= 0;
    u64 bits = there ? orderedBits(p.value != p.value ? magnitude(p.value) : p.value) : 0;
    unsigned high = (unsigned)(bits >> 32);
    unsigned mostHigh = warpMost(high);
    unsigned low = high == mostHigh ? (unsigned)bits : 0;
    unsigned mostLow = warpMost(low);
    bool best = there && (p.value != p.value ? mostHigh > 0x7ff00000u || (mostHigh == 0x7ff00000u && mostLow > 0) :
            high == mostHigh && low == mostLow);
    // Rows are counted down, so that the first one is the largest; 0 is none.
    unsigned first = warpMost(best ? 0x7fffffffu - (unsigned)p.row : 0u);
    p.row = first == 0 ? -1 : (int)(0x7fffffffu - first);
    u64 most = (u64)mostHigh << 32 | mostLow;
    p.value = (R)fromBits(most);
    return p;
}

template <typename R>
BASALT_DEVICE Pivot<R> blockPivot(Pivot<R> p, Pivot<R>* scratch) {
    p = warpPivot(p);
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = p;
    }
    __syncthreads();
    int warp = threadIdx.x % 32;
    if (warp < (int)blockDim.x / 32) {
        p = scratch[warp];
    } else {
        p.row = -1;
        p.value = 0;
    }
    return warpPivot(p);
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

// One block a problem, in device memory: for panels of any height.
template <typename T>
BASALT_DEVICE void getf2(const Args& args) {
    __shared__ Pivot<typename Of<T>::Real> scratch[32];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        int info = factorPanel((int)args.m, (int)args.n, at<T>(args.c, problem), args.c.ld, at<i64>(args.d, problem), args.p,
                scratch);
        if (threadIdx.x == 0) {
            conclude(args, problem, info);
        }
        __syncthreads();
    }
}

// Interchanges of rows in chunks of up to SWAPS pivots: each chunk becomes one permutation of the rows it touches, so that
// all loads come before all stores. A block takes args.x columns. Pivots are data that anybody may have written: where one names no row of
// the matrix, the block's columns become NaN, as those of all blocks do, for each looks at every pivot.
static const int SWAPS = 64;
static const int WRONG_PIVOTS = -6;  // info: ipiv is the sixth argument of LAPACK's getrs
// Few exchanges of few columns in many problems: a thread a column. It has looked at all pivots before the first exchange.
template <typename T>
BASALT_DEVICE void laswpColumns(const Args& args) {
    i64 own = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    i64 problem = own / args.n;
    i64 j = own % args.n;
    if (problem >= args.count || skips(args, problem)) {
        return;
    }
    T* a = at<T>(args.c, problem) + j * args.c.ld;
    const i64* ipiv = at<i64>(args.d, problem);
    bool wrong = false;
    for (i64 u = args.p; u < args.q; u++) {
        wrong = wrong || (u64)(ipiv[u] - 1 - args.k) >= (u64)args.m;
    }
    for (i64 u = 0; u < args.q - args.p && !wrong; u++) {
        i64 here = args.flag ? args.q - 1 - u : args.p + u;
        i64 there = ipiv[here] - 1 - args.k;
        T v = a[there];
        a[there] = a[here];
        a[here] = v;
    }
    if (wrong) {
        double nan = fromBits(0x7ff8000000000000ULL);
        for (i64 i = 0; i < args.m; i++) {
            a[i] = Make<T>::of(nan, nan);
        }
    }
    if (args.e.base != 0 && !args.guarded && j == 0) {
        *at<int>(args.e, problem) = wrong ? WRONG_PIVOTS : 0;
    }
}


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
        i64 end = least(args.q, args.m);
        i64 total = columns > 0 ? end - args.p : 0;
        bool wrong = false;  // in all threads alike
        while (done < total) {
            int swaps = (int)least(SWAPS, total - done);
            // Pivot s of the chunk exchanges rows first + s·step and pivots[s].
            int step = args.flag ? -1 : 1;
            i64 first = args.flag ? end - 1 - done : args.p + done;
            __syncthreads();
            if ((int)threadIdx.x < swaps) {
                u64 row = (u64)ipiv[first + step * (int)threadIdx.x] - 1 - (u64)args.k;
                pivots[threadIdx.x] = row < (u64)args.m ? (int)row : -1;
            }
            __syncthreads();
            // This thread follows one row: one of the chunk's own, or one that a pivot names.
            int s = lane % SWAPS;
            bool active = s < swaps;
            int row = active ? lane < SWAPS ? (int)first + step * s : pivots[s] : 0;
            int target = row;
            for (int u = 0; u < swaps; u++) {
                wrong = wrong || pivots[u] < 0;
                int own = (int)first + step * u;
                target = target == own ? pivots[u] : target == pivots[u] ? own : target;
            }
            if (wrong) {
                break;
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
        if (wrong) {
            double nan = fromBits(0x7ff8000000000000ULL);
            for (i64 j = (i64)blockIdx.x * args.x; j < columns && j < (i64)(blockIdx.x + 1) * args.x; j++) {
                for (i64 i = threadIdx.x; i < args.m; i += blockDim.x) {
                    a[i + j * lda] = Make<T>::of(nan, nan);
                }
            }
        }
        if (args.e.base != 0 && !args.guarded && blockIdx.x == 0 && threadIdx.x == 0) {
            *at<int>(args.e, problem) = wrong ? WRONG_PIVOTS : 0;
        }
        __syncthreads();
    }
}

// Cholesky of a triangle in device memory by one block of threads.
template <typename T>
BASALT_DEVICE int factorTriangle(int n, T* a, i64 di, i64 dj) {
    // Element (i, j), i ≥ j, of the lower factor lies i·di + j·dj on; the upper one is its conjugate transpose.
    typedef typename Of<T>::Real R;
    int lane = threadIdx.x % 32;
    int group = threadIdx.x / 32;
    int groups = blockDim.x / 32;
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
        R r = (R)1 / d;
        __syncthreads();
        if (threadIdx.x == 0) {
            a[j * di + j * dj] = Make<T>::real(d);
        }
        for (int i = j + 1 + threadIdx.x; i < n; i += blockDim.x) {
            T* x = a + i * di + j * dj;
            *x = times(r, *x);
        }
        __syncthreads();
        for (int c = j + 1 + group; c < n; c += groups) {
            T w = -conj(a[c * di + j * dj], true);
            for (int i = c + lane; i < n; i += 32) {
                T* x = a + i * di + c * dj;
                T v = *x;
                fma(a[i * di + j * dj], w, v);
                *x = i == c ? dropImaginary(v) : v;
            }
        }
        __syncthreads();
    }
    return 0;
}

// Between a triangle in device memory and a lower one in shared memory, a warp a column. An upper one comes as its transpose, which is the
// conjugate of the lower one; so is its factor, and goes back as it came.
template <typename T, bool IN>
BASALT_DEVICE void copyTriangle(int n, T* a, i64 ld, T* shared, int s, bool lower) {
    for (int j = (int)threadIdx.x / 32; j < n; j += (int)blockDim.x / 32) {
        T* column = a + j * ld;
        int last = lower ? n : j + 1;
#pragma unroll 4
        for (int i = (lower ? j : 0) + (int)threadIdx.x % 32; i < last; i += 32) {
            T* mine = shared + (lower ? i + j * s : j + i * s);
            if (IN) {
                copyAhead(mine, column + i, (int)sizeof(T));
            } else {
                column[i] = *mine;
            }
        }
    }
}

template <typename T>
BASALT_DEVICE void potf2(const Args& args) {
    __shared__ T corner[EIGHT * EIGHT];
    __shared__ int news[2];
    T* shared = BASALT_DYNAMIC_SHARED(T);
    int n = (int)args.n;
    bool lower = args.uplo == LOWER;
    BASALT_PROBLEMS(problem) {
        if (hasFailed(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        i64 ld = args.c.ld;
        int info;
        if (args.x == 0) {
            info = factorTriangle(n, a, lower ? 1 : ld, lower ? ld : 1);
        } else {
            int s = args.x;
            copyTriangle<T, true>(n, a, ld, shared, s, lower);
            endStage();
            awaitStage<0>();
            __syncthreads();
            Eights<T> eights;
            eights.a = shared;
            eights.s = s;
            eights.n = n;
            eights.corner = corner;
            eights.news = news;
            info = eights.factor();
            copyTriangle<T, false>(n, a, ld, shared, s, lower);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            conclude(args, problem, info);
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define PANELS(t, T)                                                        \
    BASALT_KERNEL(basalt_getf2_##t) { basalt::getf2<T>(args); } \
    BASALT_KERNEL(basalt_laswp_columns_##t) { basalt::laswpColumns<T>(args); } \
    BASALT_KERNEL(basalt_laswp_##t) { basalt::laswp<T>(args); } \
    BASALT_KERNEL(basalt_potf2_##t) { basalt::potf2<T>(args); } \
    BASALT_KERNEL(basalt_potf2_narrow_##t) { basalt::potf2<T>(args); }
BASALT_EACH_TYPE(PANELS)
