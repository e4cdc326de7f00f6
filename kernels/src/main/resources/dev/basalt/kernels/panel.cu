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

BASALT_DEVICE void report(const Args& args, i64 problem, int info) {
    int* e = at<int>(args.e, problem);
    if (info != 0 && *e == 0) {
        *e = (int)args.p + info;
    }
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
            report(args, problem, info);
        }
        __syncthreads();
    }
}

// ---- panels cut into slices of rows, each in the shared memory of a block with one thread a row

static const int STRIP = 8;     // columns that a thread keeps in registers
static const int COLUMNS = 64;  // of a panel, at most

// What a block keeps beside its slice.
template <typename T>
struct SliceMemory {
    T u[STRIP][COLUMNS];  // pivot rows of the strip
    T old[COLUMNS];       // the row that a pivot row changes places with
    Pivot<typename Of<T>::Real> warps[32];
};

// What blocks show each other, twice in turn: the best row of each, and the row that is to be exchanged.
template <typename T>
struct Shown {
    Pivot<typename Of<T>::Real> best;
    i64 unused;
    T row[COLUMNS];
};

// All blocks arrive before any goes on; `round` counts from 1. They must all be resident: a cooperative launch.
BASALT_DEVICE void gridBarrier(unsigned* count, unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        addFlag(count);
        while (loadFlag(count) < round * gridDim.x) {
            BASALT_SPIN();
        }
    }
    __syncthreads();
}

// LU of a panel of up to COLUMNS columns, by one block (a problem of the batch each) or by all blocks of the grid together.
// Columns are taken in strips: within a strip each row's part is in registers; the columns right of it are brought up to date
// once a strip. Rows change places as soon as the pivot is known.
template <typename T, bool TOGETHER>
BASALT_DEVICE void getf2Slices(const Args& args) {
    typedef typename Of<T>::Real R;
    SliceMemory<T>* memory = (SliceMemory<T>*)BASALT_DYNAMIC_SHARED(T);
    T* slice = (T*)(memory + 1);
    const int rows = blockDim.x;
    const int t = threadIdx.x;
    const int m = (int)args.m;
    const int n = (int)args.n;
    const int k = m < n ? m : n;
    const int first = TOGETHER ? blockIdx.x * rows : 0;
    const int row = first + t;
    const i64 ld = args.c.ld;
    Shown<T>* shown = (Shown<T>*)syncScratch(args);
    // Together there is one launch a problem.
    i64 end = TOGETHER ? args.y + 1 : args.count;
    for (i64 problem = TOGETHER ? args.y : blockIdx.z; problem < end; problem += gridDim.z) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        i64* ipiv = at<i64>(args.d, problem);
        bool writes = t == 0 && (!TOGETHER || blockIdx.x == 0);
        int info = 0;
        unsigned round = 0;
        for (int c = 0; c < n; c++) {
            slice[c * rows + t] = row < m ? a[row + c * ld] : zero<T>();
        }
        for (int j0 = 0; j0 < n; j0 += STRIP) {
            T v[STRIP];
#pragma unroll
            for (int u = 0; u < STRIP; u++) {
                v[u] = j0 + u < n ? slice[(j0 + u) * rows + t] : zero<T>();
            }
#pragma unroll
            for (int u = 0; u < STRIP; u++) {
                int j = j0 + u;
                if (j >= k) {
                    continue;
                }
                Pivot<R> p = {0, -1};
                if (row >= j && row < m) {
                    p.value = magnitude(v[u]);
                    p.row = row;
                }
                p = blockPivot(p, memory->warps);
                int owner = p.row - first;  // the thread that has this block's best row
                T* u0 = memory->u[u];
                if (TOGETHER) {
                    // Show this block's best row, and row j where it is here.
                    Shown<T>* mine = shown + (round % 2) * (gridDim.x + 1) + blockIdx.x;
                    Shown<T>* old = shown + (round % 2) * (gridDim.x + 1) + gridDim.x;
                    if (t == 0) {
                        mine->best = p;
                    }
                    if (p.row >= 0 && t < n && (t < j0 || t >= j0 + STRIP)) {
                        mine->row[t] = slice[t * rows + owner];
                    }
                    if (j >= first && j < first + rows && t < n && (t < j0 || t >= j0 + STRIP)) {
                        old->row[t] = slice[t * rows + j - first];
                    }
#pragma unroll
                    for (int w = 0; w < STRIP; w++) {
                        if (t == owner && j0 + w < n) {
                            mine->row[j0 + w] = v[w];
                        }
                        if (row == j && j0 + w < n) {
                            old->row[j0 + w] = v[w];
                        }
                    }
                    round++;
                    gridBarrier(counter(args, 0), round);
                    p.row = -1;
                    const Shown<T>* all = mine - blockIdx.x;
                    for (int b = t % 32; b < (int)gridDim.x; b += 32) {
                        R value = loadShared(&all[b].best.value);
                        int at = loadShared(&all[b].best.row);
                        if (beats(value, at, p)) {
                            p.value = value;
                            p.row = at;
                        }
                    }
                    p = warpPivot(p);
                    if (t < n) {
                        u0[t] = loadShared(&all[p.row / rows].row[t]);
                        memory->old[t] = loadShared(&old->row[t]);
                    }
                } else {
                    if (t < n && (t < j0 || t >= j0 + STRIP)) {
                        u0[t] = slice[t * rows + p.row];
                        memory->old[t] = slice[t * rows + j];
                    }
#pragma unroll
                    for (int w = 0; w < STRIP; w++) {
                        if (t == p.row && j0 + w < n) {
                            u0[j0 + w] = v[w];
                        }
                        if (t == j && j0 + w < n) {
                            memory->old[j0 + w] = v[w];
                        }
                    }
                }
                for (int c = t + rows; c < n; c += rows) {
                    // A block with fewer threads than columns; never together with others.
                    if (!TOGETHER && (c < j0 || c >= j0 + STRIP)) {
                        u0[c] = slice[c * rows + p.row];
                        memory->old[c] = slice[c * rows + j];
                    }
                }
                __syncthreads();
                if (writes) {
                    ipiv[j] = args.p + p.row + 1;
                }
                if (p.row != j && p.value != 0) {
                    const T* source = row == j ? u0 : memory->old;
                    if (row == j || row == p.row) {
#pragma unroll
                        for (int w = 0; w < STRIP; w++) {
                            v[w] = j0 + w < n ? source[j0 + w] : zero<T>();
                        }
                    }
                    // The rest of the two rows, a thread a column.
                    int target = p.row - first;
                    for (int c = t; c < n; c += rows) {
                        if (c < j0 || c >= j0 + STRIP) {
                            if (target >= 0 && target < rows) {
                                slice[c * rows + target] = memory->old[c];
                            }
                            if (j >= first && j < first + rows) {
                                slice[c * rows + j - first] = u0[c];
                            }
                        }
                    }
                }
                if (p.value == 0) {
                    info = info == 0 ? j + 1 : info;
                } else if (row > j) {
                    T d = u0[j];
                    v[u] = magnitude(d) >= smallestNormal(p.value) ? v[u] * divide(one<T>(), d) : divide(v[u], d);
#pragma unroll
                    for (int w = u + 1; w < STRIP; w++) {
                        if (j0 + w < n) {
                            fma(-v[u], u0[j0 + w], v[w]);
                        }
                    }
                }
            }
            int width = k - j0 < STRIP ? k - j0 : STRIP;
#pragma unroll
            for (int u = 0; u < STRIP; u++) {
                if (j0 + u < n) {
                    slice[(j0 + u) * rows + t] = v[u];
                }
            }
            if (width <= 0) {
                continue;
            }
            __syncthreads();
            // Columns right of the strip: rows of U by substitution, a thread a column, then the rows below.
            for (int c = j0 + STRIP + t; c < n; c += rows) {
                T x[STRIP];
#pragma unroll
                for (int u = 0; u < STRIP; u++) {
                    if (u < width) {
                        x[u] = memory->u[u][c];
#pragma unroll
                        for (int w = 0; w < u; w++) {
                            fma(-memory->u[u][j0 + w], x[w], x[u]);
                        }
                        memory->u[u][c] = x[u];
                        int at = j0 + u - first;
                        if (at >= 0 && at < rows) {
                            slice[c * rows + at] = x[u];
                        }
                    }
                }
            }
            __syncthreads();
            if (row >= j0 + width) {
                for (int c = j0 + STRIP; c < n; c++) {
                    T x = slice[c * rows + t];
#pragma unroll
                    for (int u = 0; u < STRIP; u++) {
                        if (u < width) {
                            fma(-v[u], memory->u[u][c], x);
                        }
                    }
                    slice[c * rows + t] = x;
                }
            }
            __syncthreads();
        }
        for (int c = 0; c < n; c++) {
            if (row < m) {
                a[row + c * ld] = slice[c * rows + t];
            }
        }
        if (writes) {
            report(args, problem, info);
        }
        if (TOGETHER && t == 0) {
            // The last block to leave puts the counters back.
            __threadfence();
            if (atomicAdd(counter(args, 1), 1u) == gridDim.x - 1) {
                *counter(args, 0) = 0;
                *counter(args, 1) = 0;
            }
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

// Root and reciprocal root of a positive number.
BASALT_DEVICE void roots(float d, float* l, float* r) {
    *l = root(d);
    *r = 1 / *l;
}
BASALT_DEVICE void roots(double d, double* l, double* r) {
#if BASALT_CUDA_ARCH > 0
    // Without branches: from about 20 bits by one step of third order, then a correction of each by its exact residual, so that
    // roots of squares and reciprocals of powers of two are exact. Small numbers are scaled, since the approximation has
    // denormal ones as zero.
    bool tiny = d < 1e-290;
    double x = tiny ? d * 0x1p120 : d;
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double e = __fma_rn(-(x * y), y, 1.0);
    y = __fma_rn(y * e, __fma_rn(0.375, e, 0.5), y);
    double z = x * y;
    z = __fma_rn(0.5 * y, __fma_rn(-z, z, x), z);
    y = __fma_rn(y, __fma_rn(-z, y, 1.0), y);
    bool finite = d <= 1.7976931348623157e308;
    *l = finite ? tiny ? z * 0x1p-60 : z : d;
    *r = finite ? tiny ? y * 0x1p60 : y : 0.0;
#else
    *l = root(d);
    *r = 1 / *l;
#endif
}

static const int CHOLESKY = 32;  // columns that a warp factors in registers

// A column of a tile, and the next one, which is written while the first may still be read.
template <typename T>
struct alignas(16) Columns {
    T v[2][CHOLESKY];
};

// A warp factors the tile at a, a lane a row; `rows` ≤ 32. Each lane keeps its diagonal element apart, so that the next pivot
// does not wait for the column's way through shared memory. Returns LAPACK's info.
template <typename T>
BASALT_DEVICE int factorTile(int rows, T* a, int s, typename Of<T>::Real* reciprocals) {
    typedef typename Of<T>::Real R;
    __shared__ Columns<T> columns;
    int lane = threadIdx.x % 32;
    T v[CHOLESKY];
#pragma unroll
    for (int c = 0; c < CHOLESKY; c++) {
        v[c] = zero<T>();
        if (lane < rows && c < lane) {
            v[c] = a[lane + c * s];
        }
    }
    R own = lane < rows ? re(a[lane + lane * s]) : (R)1;
    int info = 0;
    R d = shuffle(own, 0);
    R l, r;
    roots(d, &l, &r);
#pragma unroll
    for (int j = 0; j < CHOLESKY; j++) {
        // Behind a pivot that is none nothing changes any more; selects, since branches would keep steps apart.
        info = info == 0 && !(d > 0) ? j + 1 : info;
        T w = times(info == 0 ? r : (R)1, v[j]);
        v[j] = w;
        T* column = columns.v[j % 2];
        column[lane] = w;
        R square = re(w) * re(w) + im(w) * im(w);
        if (lane == j) {
            reciprocals[j] = r;
            own = info == 0 ? l : d;
        } else if (lane > j && info == 0) {
            own -= square;
        }
        if (j + 1 < CHOLESKY) {
            d = shuffle(own, j + 1);
            roots(d, &l, &r);
        }
        warpBarrier();
        T minus = info == 0 ? -w : zero<T>();
#pragma unroll
        for (int c = j + 1; c < CHOLESKY; c++) {
            fma(minus, conj(column[c], true), v[c]);
        }
    }
#pragma unroll
    for (int c = 0; c < CHOLESKY; c++) {
        if (lane < rows && c < lane) {
            a[lane + c * s] = v[c];
        }
    }
    if (lane < rows) {
        a[lane + lane * s] = Make<T>::real(own);
    }
    return info;
}

// Cholesky of a lower triangle in shared memory, 32 columns at a time: the tile of the diagonal by one warp, the rows below by
// a thread each, the rest by warps that take 32×8 elements. `s` is even, so that two numbers of a column are read at once.
template <typename T>
BASALT_DEVICE int factorShared(int n, T* a, int s) {
    typedef typename Of<T>::Real R;
    __shared__ R reciprocals[CHOLESKY];
    __shared__ int failed;
    const int EACH = 8;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    for (int k = 0; k < n; k += CHOLESKY) {
        T* tile = a + k + k * s;
        if (warp == 0) {
            int info = factorTile(n - k < CHOLESKY ? n - k : CHOLESKY, tile, s, reciprocals);
            if (lane == 0) {
                failed = info == 0 ? 0 : k + info;
            }
        }
        __syncthreads();
        if (failed != 0) {
            return failed;
        }
        int base = k + CHOLESKY;
        for (int i = base + threadIdx.x; i < n; i += blockDim.x) {
            T v[CHOLESKY];
#pragma unroll
            for (int c = 0; c < CHOLESKY; c++) {
                v[c] = a[i + (k + c) * s];
            }
#pragma unroll
            for (int j = 0; j < CHOLESKY; j++) {
                v[j] = times(reciprocals[j], v[j]);
                T w = -v[j];
#pragma unroll
                for (int c = j + 1; c < CHOLESKY; c++) {
                    fma(w, conj(tile[c + j * s], true), v[c]);
                }
            }
            // Stores only now: the compiler would let later loads of the tile wait for them.
#pragma unroll
            for (int c = 0; c < CHOLESKY; c++) {
                a[i + (k + c) * s] = v[c];
            }
        }
        __syncthreads();
        int job = 0;
        for (int i0 = base; i0 < n; i0 += 32) {
            int i = (int)least(i0 + lane, n - 1);
            for (int c0 = base; c0 < i0 + 32 && c0 < n; c0 += EACH) {
                if (job++ % warps != warp) {
                    continue;
                }
                T sums[EACH];
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    sums[u] = zero<T>();
                }
                // Behind the last row finished columns are read and not used.
#pragma unroll 8
                for (int l = k; l < base; l++) {
                    T x = a[i + l * s];
#pragma unroll
                    for (int u = 0; u < EACH; u++) {
                        fma(x, conj(a[c0 + u + l * s], true), sums[u]);
                    }
                }
#pragma unroll
                for (int u = 0; u < EACH; u++) {
                    int c = c0 + u;
                    if (i0 + lane < n && c <= i) {
                        a[i + c * s] = a[i + c * s] - sums[u];
                    }
                }
            }
        }
        __syncthreads();
    }
    return 0;
}

// Between a triangle in device memory and a lower one in shared memory. A warp has 16 loads on their way; outside of the triangle
// they are of its diagonal and not used.
template <typename T, bool IN>
BASALT_DEVICE void copyTriangle(int n, T* a, i64 ld, T* shared, int s, bool lower) {
    const int EACH = 4;
    int lane = threadIdx.x % 32;
    int columns = blockDim.x / 32 * EACH;
    for (int j0 = (int)threadIdx.x / 32 * EACH; j0 < n; j0 += columns) {
        for (int i0 = lane; i0 < n; i0 += 32 * EACH) {
            T v[EACH * EACH];
#pragma unroll
            for (int e = 0; e < EACH * EACH; e++) {
                int j = (int)least(j0 + e / EACH, n - 1);
                int i = (int)least(i0 + e % EACH * 32, n - 1);
                i = lower == (i < j) ? j : i;
                v[e] = IN ? a[i + j * ld] : shared[lower ? i + j * s : j + i * s];
            }
#pragma unroll
            for (int e = 0; e < EACH * EACH; e++) {
                int j = j0 + e / EACH;
                int i = i0 + e % EACH * 32;
                if (i < n && j < n && (lower ? i >= j : i <= j)) {
                    *(IN ? shared + (lower ? i + j * s : j + i * s) : a + (i + j * ld)) = conj(v[e], !lower);
                }
            }
        }
    }
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
            int s = args.x;
            copyTriangle<T, true>(n, a, ld, shared, s, lower);
            __syncthreads();
            info = factorShared(n, shared, s);
            copyTriangle<T, false>(n, a, ld, shared, s, lower);
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
    BASALT_KERNEL(basalt_getf2_slice_##t, 256) { basalt::getf2Slices<T, false>(args); }        \
    BASALT_KERNEL(basalt_getf2_slices_##t, 256) { basalt::getf2Slices<T, true>(args); }        \
    BASALT_KERNEL(basalt_laswp_##t, 256) { basalt::laswp<T>(args); }        \
    BASALT_KERNEL(basalt_potf2_##t, 256) { basalt::potf2<T>(args); }
BASALT_EACH_TYPE(PANELS)
