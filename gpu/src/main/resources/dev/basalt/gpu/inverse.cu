// LU without interchanges of a block, inverses of small matrices from their factors, and interchanges of columns.
#include "stages.h"

namespace basalt {

// Division by one number, by its reciprocal unless that overflows.
template <typename T>
struct Divisor {
    T d, r;
    bool reciprocal;

    BASALT_DEVICE Divisor(T x) : d(x) {
        reciprocal = magnitude(x) >= smallestNormal(magnitude(x));
        r = reciprocal ? divide(one<T>(), x) : zero<T>();
    }
    BASALT_DEVICE T operator()(T x) const { return reciprocal ? x * r : divide(x, d); }
};

// ---- LU without interchanges

// Right-looking, one barrier a column: a column is divided by its pivot while the next one is eliminated, when nobody else reads it.
// Returns the 1-based column of the first zero pivot, where it ends, or 0.
template <typename T>
BASALT_DEVICE int eliminate(int n, T* a, i64 ld) {
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    Divisor<T> before(one<T>());
    for (int j = 0; j < n; j++) {
        if (j > 0 && warp == warps - 1) {
            for (int i = j + lane; i < n; i += 32) {
                a[i + (j - 1) * ld] = before(a[i + (j - 1) * ld]);
            }
        }
        T d = a[j + j * ld];
        if (isZero(d)) {
            return j + 1;
        }
        before = Divisor<T>(d);
        for (int i = j + 1 + lane; i < n; i += 32) {
            T l = -before(a[i + j * ld]);
            for (int c = j + 1 + warp; c < n; c += warps) {
                fma(l, a[j + c * ld], a[i + c * ld]);
            }
        }
        __syncthreads();
    }
    return 0;
}

// A thread a row of up to N, which it keeps; a warp has 32 / N problems.
template <typename T, int N>
BASALT_DEVICE void getf2NpvtLanes(const Args& args) {
    const int lane = threadIdx.x % 32;
    const int i = lane % N;
    const int top = lane - i;
    const int n = (int)args.n;
    const i64 problem = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / N;
    const bool there = problem < args.count && !hasFailed(args, problem);
    const bool inside = there && i < n;
    T* a = there ? at<T>(args.c, problem) + i : (T*)0;
    T row[N];
#pragma unroll
    for (int j = 0; j < N; j++) {
        row[j] = inside && j < n ? a[j * args.c.ld] : i == j ? one<T>() : zero<T>();
    }
    int info = 0;
#pragma unroll
    for (int k = 0; k < N; k++) {
        T pivot = shuffle(row[k], top + k);
        if (info == 0 && isZero(pivot)) {
            info = k + 1;
        }
        bool below = i > k && info == 0;
        T l = zero<T>();
        if (below) {
            l = Divisor<T>(pivot)(row[k]);
            row[k] = l;
        }
#pragma unroll
        for (int j = k + 1; j < N; j++) {
            T u = shuffle(row[j], top + k);
            if (below) {
                fma(-l, u, row[j]);
            }
        }
    }
#pragma unroll
    for (int j = 0; j < N; j++) {
        if (inside && j < n) {
            a[j * args.c.ld] = row[j];
        }
    }
    if (there && i == 0) {
        conclude(args, problem, info);
    }
}

// Order of the largest matrix that a block has in registers.
static const int KEPT = 64;
static const int LANES = 4;  // that share a row, so that each has every fourth column of it

// A block a problem: four lanes have a row in registers. A row comes into shared memory when it is final, which is all that others want of it.
template <typename T>
BASALT_DEVICE void getf2NpvtRows(const Args& args) {
    __shared__ T final[2][KEPT];
    const int n = (int)args.n;
    const int i = threadIdx.x / LANES;
    const int q = threadIdx.x % LANES;
    const int quad = threadIdx.x % 32 - q;
    BASALT_PROBLEMS(problem) {
        if (hasFailed(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem) + i + q * args.c.ld;
        T row[KEPT / LANES];
#pragma unroll
        for (int u = 0; u < KEPT / LANES; u++) {
            row[u] = i < n && u * LANES + q < n ? a[u * LANES * args.c.ld] : zero<T>();
        }
        if (i == 0) {
#pragma unroll
            for (int u = 0; u < KEPT / LANES; u++) {
                final[0][u * LANES + q] = row[u];
            }
        }
        __syncthreads();
        int info = 0;
#pragma unroll
        for (int w = 0; w < KEPT / LANES; w++) {
#pragma unroll 1
            for (int k = w * LANES; k < (w + 1) * LANES && k < n; k++) {
                const T* u = final[k % 2];
                T d = u[k];
                T below = shuffle(row[w], quad + k % LANES);
                if (info == 0 && isZero(d)) {
                    info = k + 1;
                }
                if (info == 0 && i > k) {
                    T l = Divisor<T>(d)(below);
                    if (q == k % LANES) {
                        row[w] = l;
                    } else if (q > k % LANES) {
                        fma(-l, u[w * LANES + q], row[w]);
                    }
#pragma unroll
                    for (int v = w + 1; v < KEPT / LANES; v++) {
                        fma(-l, u[v * LANES + q], row[v]);
                    }
                }
                if (i == k + 1) {
#pragma unroll
                    for (int v = w; v < KEPT / LANES; v++) {
                        final[(k + 1) % 2][v * LANES + q] = row[v];
                    }
                }
                __syncthreads();
            }
        }
#pragma unroll
        for (int u = 0; u < KEPT / LANES; u++) {
            if (i < n && u * LANES + q < n) {
                a[u * LANES * args.c.ld] = row[u];
            }
        }
        if (threadIdx.x == 0) {
            conclude(args, problem, info);
        }
    }
}

// A block a problem of any order.
template <typename T>
BASALT_DEVICE void getf2Npvt(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (hasFailed(args, problem)) {
            continue;
        }
        int info = eliminate((int)args.n, at<T>(args.c, problem), args.c.ld);
        __syncthreads();
        if (threadIdx.x == 0) {
            conclude(args, problem, info);
        }
        __syncthreads();
    }
}

// ---- inverses

static const int SMALL = 64;  // order of the largest matrix that is inverted at once
static const int NO_COLUMN = -1;

// Where interchanges of columns, backward from the last one, bring a column.
BASALT_DEVICE int destination(int column, int first, int swaps, const int* pivots) {
    int target = column;
    for (int u = 0; u < swaps; u++) {
        target = target == first - u ? pivots[u] : target == pivots[u] ? first - u : target;
    }
    return target;
}

// The pivot of a column, or NO_COLUMN: pivots are data that anybody may have written.
BASALT_DEVICE int pivotColumn(const i64* ipiv, i64 column, i64 n) {
    u64 named = (u64)ipiv[column] - 1;
    return named < (u64)n ? (int)named : NO_COLUMN;
}

template <typename T>
BASALT_DEVICE T notANumber() {
    double nan = fromBits(0x7ff8000000000000ULL);
    return Make<T>::of(nan, nan);
}

// Rows that a thread finds at a time.
static const int STEP = 8;

// Orders of what lies in shared memory: behind the last row and column the factors are those of the identity.
BASALT_DEVICE int wholeSteps(int n) { return (n + STEP - 1) / STEP * STEP; }

// From column to column there: a multiple of 16 bytes by which elements of a row lie in several banks.
template <typename T>
BASALT_DEVICE int columnsPitch(int n) { return wholeSteps(n) + (sizeof(T) < 16 ? 16 / (int)sizeof(T) : 1); }

// Elements of it: the factors, in whose place the inverse comes, and the reciprocals of U's diagonal.
template <typename T>
BASALT_DEVICE int columnsElements(int n) { return wholeSteps(n) * (columnsPitch<T>(n) + 1); }

// STEP rows from `row` of a column of the inverse less the factors' columns first to last - 1 times what is known of it.
template <typename T>
BASALT_DEVICE void lessKnownRows(const T* f, int pitch, int row, int first, int last, const T* x, T (&v)[STEP]) {
#pragma unroll 2
    for (int k = first; k < last; k++) {
        T known = -x[k];
        T l[STEP];
        loadAligned<STEP>(f + row + k * pitch, l);
#pragma unroll
        for (int r = 0; r < STEP; r++) {
            fma(l[r], known, v[r]);
        }
    }
}

// A block a problem, a thread a column of the inverse: all threads of a warp read the same elements of the factors, each its own of what it has found. STEP rows of L are read and
// become those of its inverse, from the first on; then those of U become those of the whole inverse, from the last on. What nobody reads any more makes room.
template <typename T>
BASALT_DEVICE void getri(const Args& args) {
    const int AHEAD = sizeof(T) < 16 ? 8 : 4;  // columns
    __shared__ int pivots[SMALL];
    __shared__ int places[SMALL];
    T* f = BASALT_DYNAMIC_SHARED(T);
    const int n = (int)args.n;
    const int order = wholeSteps(n);
    const int pitch = columnsPitch<T>(n);
    T* reciprocal = f + order * pitch;
    const bool exchanged = args.d.base != 0;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int j = threadIdx.x;
    T* x = f + (j < order ? j : 0) * pitch;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        // All rows of so many columns are on their way before the first is kept.
        for (int j0 = warp * AHEAD; j0 < order; j0 += (int)blockDim.x / 32 * AHEAD) {
            T v[2 * AHEAD];
#pragma unroll
            for (int e = 0; e < 2 * AHEAD; e++) {
                int i = lane + e % 2 * 32;
                int c = j0 + e / 2;
                v[e] = i < n && c < n ? a[i + c * args.c.ld] : i == c ? one<T>() : zero<T>();
            }
#pragma unroll
            for (int e = 0; e < 2 * AHEAD; e++) {
                int i = lane + e % 2 * 32;
                if (i < order) {
                    f[i + (j0 + e / 2) * pitch] = v[e];
                }
            }
        }
        if (exchanged && j < n) {
            pivots[j] = pivotColumn(at<i64>(args.d, problem), n - 1 - j, n);
        }
        __syncthreads();
        if (j < order) {
            reciprocal[j] = Divisor<T>(x[j]).r;
        }
        bool wrong = false;
        for (int u = 0; u < n && exchanged; u++) {
            wrong = wrong || pivots[u] == NO_COLUMN;
        }
        if (j < n) {
            places[j] = exchanged && !wrong ? destination(j, n - 1, n, pivots) : j;
        }
#pragma unroll 1
        for (int row = 0; row < order; row += STEP) {
            T v[STEP];
            const bool works = j < row + STEP;
            if (works) {
#pragma unroll
                for (int r = 0; r < STEP; r++) {
                    v[r] = row + r == j ? one<T>() : zero<T>();
                }
                if (j < row) {
                    // What is known begins with the one of the diagonal.
                    T l[STEP];
                    loadAligned<STEP>(f + row + j * pitch, l);
#pragma unroll
                    for (int r = 0; r < STEP; r++) {
                        v[r] = v[r] - l[r];
                    }
                    lessKnownRows(f, pitch, row, j + 1, row, x, v);
                }
#pragma unroll
                for (int k = 0; k < STEP; k++) {
                    T l[STEP];
                    loadAligned<STEP>(f + row + (row + k) * pitch, l);
#pragma unroll
                    for (int r = k + 1; r < STEP; r++) {
                        fma(-l[r], v[k], v[r]);
                    }
                }
            }
            __syncthreads();
#pragma unroll
            for (int r = 0; r < STEP; r++) {
                if (works && row + r > j) {
                    x[row + r] = v[r];
                }
            }
        }
        __syncthreads();
#pragma unroll 1
        for (int row = order - STEP; row >= 0; row -= STEP) {
            T v[STEP];
#pragma unroll
            for (int r = 0; r < STEP; r++) {
                v[r] = row + r > j ? x[row + r] : row + r == j ? one<T>() : zero<T>();
            }
            lessKnownRows(f, pitch, row, row + STEP, order, x, v);
#pragma unroll
            for (int k = STEP - 1; k >= 0; k--) {
                const T r = reciprocal[row + k];
                v[k] = isZero(r) ? divide(v[k], f[row + k + (row + k) * pitch]) : v[k] * r;
                T u[STEP];
                loadAligned<STEP>(f + row + (row + k) * pitch, u);
#pragma unroll
                for (int i = 0; i < k; i++) {
                    fma(-u[i], v[k], v[i]);
                }
            }
            __syncthreads();
            if (j < order) {
#pragma unroll
                for (int r = 0; r < STEP; r++) {
                    x[row + r] = v[r];
                }
            }
            __syncthreads();
        }
        for (int c = warp; c < n; c += (int)blockDim.x / 32) {
            T* column = a + places[c] * args.c.ld;
            for (int i = lane; i < n; i += 32) {
                column[i] = wrong ? notANumber<T>() : f[i + c * pitch];
            }
        }
        __syncthreads();
    }
}

// Elements of shared memory of a problem in a warp: its factors or its inverse, and the reciprocals of U's diagonal.
BASALT_DEVICE int inverseElements(int order) { return (order + 2) * order + 2; }

// Two rows of a column of the factors.
template <typename T>
struct alignas(sizeof(T) < 8 ? 8 : 16) Pair {
    T v[2];
};

static const int INVERTING_WARPS = 4;  // of a block, where a warp has several problems

// Several problems a warp, or one: a lane has a column of the inverse in registers, and all lanes of a problem read the same elements of the factors. Nothing is exchanged
// between columns, so a problem takes its multiplications and little else.
template <typename T, int N>
BASALT_DEVICE void getriLanes(const Args& args) {
    __shared__ int interchanges[N == 32 ? 1 : INVERTING_WARPS][32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int column = lane % N;
    const int place = lane / N;
    const int n = (int)args.n;
    const i64 first = ((i64)blockIdx.x * blockDim.x / 32 + warp) * (32 / N);
    int* pivots = interchanges[warp];
    const i64 problem = first + place;
    const bool there = problem < args.count && !skips(args, problem);
    const bool exchanged = args.d.base != 0;
    const unsigned present = warpBallot(there);
    T* memory = BASALT_DYNAMIC_SHARED(T) + warp * (32 / N) * inverseElements(N);
    T* own = memory + place * inverseElements(N);
    T* reciprocal = own + (N + 1) * N + 2;
    for (int q = 0; q < 32 / N; q++) {
        if ((present >> (q * N) & 1) != 0) {
            const T* a = at<T>(args.c, first + q);
            T* f = memory + q * inverseElements(N);
            // Beside the matrix lies the identity.
#pragma unroll 4
            for (int e = lane; e < N * N; e += 32) {
                const int i = e % N;
                const int k = e / N;
                const bool inside = i < n && k < n;
                copyAhead(f + e, a + (inside ? i + k * args.c.ld : 0), inside ? (int)sizeof(T) : 0);
            }
        }
    }
    endStage();
    pivots[lane] = there && exchanged && column < n ? pivotColumn(at<i64>(args.d, problem), n - 1 - column, n) : 0;
    awaitStage<0>();
    warpBarrier();
    Divisor<T> pivot(there && column < n ? own[column * (N + 1)] : one<T>());
    reciprocal[column] = pivot.r;
    bool wrong = false;
    for (int u = 0; u < n && exchanged; u++) {
        wrong = wrong || pivots[place * N + u] == NO_COLUMN;
    }
    const bool divides = warpBallot(!pivot.reciprocal) != 0;  // somewhere in the warp
    warpBarrier();
    T x[N];
#pragma unroll
    for (int i = 0; i < N; i++) {
        x[i] = i == column ? one<T>() : zero<T>();
    }
#pragma unroll
    for (int k = 0; k + 1 < N; k++) {
#pragma unroll
        for (int i = k / 2 * 2; i < N; i += 2) {
            const Pair<T> l = *(const Pair<T>*)(own + k * N + i);
            if (i > k) {
                fma(-l.v[0], x[k], x[i]);
            }
            if (i + 1 > k) {
                fma(-l.v[1], x[k], x[i + 1]);
            }
        }
    }
#pragma unroll
    for (int k = N - 1; k >= 0; k--) {
        if (k < n) {
            x[k] = divides && isZero(reciprocal[k]) ? divide(x[k], own[k * (N + 1)]) : x[k] * reciprocal[k];
#pragma unroll
            for (int i = 0; i < k; i += 2) {
                const Pair<T> u = *(const Pair<T>*)(own + k * N + i);
                fma(-u.v[0], x[k], x[i]);
                if (i + 1 < k) {
                    fma(-u.v[1], x[k], x[i + 1]);
                }
            }
        }
    }
    warpBarrier();
    const int to = exchanged && !wrong && column < n ? destination(column, n - 1, n, pivots + place * N) : column;
#pragma unroll
    for (int i = 0; i < N; i++) {
        own[to * (N + 1) + i] = wrong ? notANumber<T>() : x[i];
    }
    warpBarrier();
    for (int q = 0; q < 32 / N; q++) {
        if ((present >> (q * N) & 1) != 0) {
            T* a = at<T>(args.c, first + q);
            const T* f = memory + q * inverseElements(N);
#pragma unroll 4
            for (int e = lane; e < N * N; e += 32) {
                if (e % N < n && e / N < n) {
                    a[e % N + e / N * args.c.ld] = f[e / N * (N + 1) + e % N];
                }
            }
        }
    }
}

// ---- interchanges of columns

static const int SWAPS = 64;   // pivots that become one permutation, so that all loads come before all stores
static const int GROUPS = 8;   // warps of a block
static const int EACH = 2 * SWAPS / GROUPS;

// A block takes 32 rows, a lane a row; its warps share the columns out that a chunk of pivots touches.
template <typename T>
BASALT_DEVICE void swapColumns(const Args& args) {
    __shared__ int pivots[SWAPS];
    __shared__ int from[2 * SWAPS];
    __shared__ int to[2 * SWAPS];
    i64 row = (i64)blockIdx.x * 32 + threadIdx.x % 32;
    bool inside = row < args.m;
    int warp = threadIdx.x / 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem) + (inside ? row : 0);
        const i64* ipiv = at<i64>(args.d, problem);
        bool wrong = false;  // in all threads alike
        for (i64 left = args.n; left > 0 && !wrong; left -= SWAPS) {
            int swaps = (int)least(SWAPS, left);
            int first = (int)left - 1;
            __syncthreads();
            if ((int)threadIdx.x < swaps) {
                pivots[threadIdx.x] = pivotColumn(ipiv, first - (int)threadIdx.x, args.n);
            }
            __syncthreads();
            for (int u = 0; u < swaps; u++) {
                wrong = wrong || pivots[u] == NO_COLUMN;
            }
            if (threadIdx.x < 2 * SWAPS) {
                int s = threadIdx.x % SWAPS;
                int own = s >= swaps ? NO_COLUMN : (int)threadIdx.x < SWAPS ? first - s : pivots[s];
                int target = destination(own, first, swaps, pivots);
                from[threadIdx.x] = own;
                to[threadIdx.x] = own == NO_COLUMN || target == own ? NO_COLUMN : target;
            }
            __syncthreads();
            if (wrong) {
                break;
            }
            T v[EACH];
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                int s = warp + u * GROUPS;
                if (inside && to[s] != NO_COLUMN) {
                    v[u] = a[from[s] * args.c.ld];
                }
            }
            __syncthreads();
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                int s = warp + u * GROUPS;
                if (inside && to[s] != NO_COLUMN) {
                    a[to[s] * args.c.ld] = v[u];
                }
            }
        }
        __syncthreads();
        for (i64 j = warp; j < args.n && wrong && inside; j += GROUPS) {
            a[j * args.c.ld] = notANumber<T>();
        }
        __syncthreads();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define INVERSE_LAYOUT(t, T) \
    BASALT_LAYOUT(inverse_##t, order, none, too) { return (long long)(basalt::inverseElements((int)order) * sizeof(T)); } \
    BASALT_LAYOUT(inverse_columns_##t, n, none, too) { return (long long)(basalt::columnsElements<T>((int)n) * sizeof(T)); }
BASALT_EACH_TYPE(INVERSE_LAYOUT)
#endif

#define INVERSES(t, T)                                                   \
    BASALT_KERNEL(basalt_getf2_npvt_##t) { basalt::getf2Npvt<T>(args); } \
    BASALT_KERNEL(basalt_getf2_npvt_8_##t) { basalt::getf2NpvtLanes<T, 8>(args); } \
    BASALT_KERNEL(basalt_getf2_npvt_16_##t) { basalt::getf2NpvtLanes<T, 16>(args); } \
    BASALT_KERNEL(basalt_getf2_npvt_32_##t) { basalt::getf2NpvtLanes<T, 32>(args); } \
    BASALT_KERNEL(basalt_getf2_npvt_64_##t) { basalt::getf2NpvtRows<T>(args); } \
    BASALT_KERNEL(basalt_getri_##t) { basalt::getri<T>(args); }          \
    BASALT_KERNEL(basalt_getri_8_##t) { basalt::getriLanes<T, 8>(args); } \
    BASALT_KERNEL(basalt_getri_16_##t) { basalt::getriLanes<T, 16>(args); } \
    BASALT_KERNEL(basalt_getri_32_##t) { basalt::getriLanes<T, 32>(args); } \
    BASALT_KERNEL(basalt_swap_columns_##t) { basalt::swapColumns<T>(args); }
BASALT_EACH_TYPE(INVERSES)
