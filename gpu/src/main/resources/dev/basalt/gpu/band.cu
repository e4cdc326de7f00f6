// Products of a vector with bands: y := alpha·op(A)·x + beta·y, A any, or symmetric or Hermitian in one triangle, and x := op(A)·x, A triangular.
#include "few.h"
BASALT_CAPPED_TOO

namespace basalt {

enum { GENERAL, SYMMETRIC, TRIANGULAR };

static const int ROWS = 32;         // of a block, one a lane
static const int MOST_GROUPS = 32;  // warps of a block, which share out the columns
static const int AHEAD = 8;         // elements that a thread loads before it uses the first

// A band, its vectors, and what an element counts for.
template <typename T, int KIND>
struct BandProduct {
    Stored<T> a;
    const T* x;
    i64 incx, m, n;
    bool conjugated, hermitian, unit;

    BASALT_DEVICE BandProduct(const Args& args, i64 problem) {
        m = KIND == GENERAL ? args.m : args.n;
        n = args.n;
        a = stored<T>(args.a, args.bandA, args.uplo, m, n, problem);
        a.growth = 0;
        // The product of a triangle is made from a copy.
        x = KIND == TRIANGULAR ? (const T*)args.work + problem * givenN(args) : at<T>(args.b, problem);
        incx = KIND == TRIANGULAR ? 1 : args.b.ld;
        conjugated = KIND == SYMMETRIC ? args.flag : args.opA == CONJ_TRANS;
        hermitian = KIND == SYMMETRIC && args.flag;
        unit = KIND == TRIANGULAR && args.diag == UNIT;
    }
    BASALT_DEVICE bool inside(i64 i, i64 j) const { return i < m && j < n && i - j <= a.kl && j - i <= a.ku; }
    BASALT_DEVICE T load(i64 i, i64 j) const {
        return !inside(i, j) ? zero<T>() : unit && i == j ? one<T>() : a(i, j);
    }

    // What a lane has of its row i: the columns from `j` to before `end`, every step-th.
    BASALT_DEVICE T row(i64 i, i64 j, i64 end, int step) const {
        T s = zero<T>();
        for (; j < end; j += AHEAD * step) {
            T v[AHEAD], w[AHEAD];
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                i64 column = j + u * step;
                bool there = column < end && inside(i, column);
                v[u] = there ? load(i, column) : zero<T>();
                w[u] = there ? x[column * incx] : zero<T>();
                v[u] = hermitian && i == column ? dropImaginary(v[u]) : v[u];
            }
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                fma(v[u], w[u], s);
            }
        }
        return s;
    }

    // What a lane has of C columns times x: of `j` and those `apart` from it, of a symmetric band without the diagonal.
    template <int C>
    BASALT_DEVICE void columns(i64 j, int apart, T (&s)[C]) const {
        const int LOADS = AHEAD / C;
        i64 longest = least(a.kl + a.ku + 1, m);
#pragma unroll
        for (int c = 0; c < C; c++) {
            s[c] = zero<T>();
        }
        for (i64 i = threadIdx.x % 32; i < longest; i += LOADS * 32) {
            T v[C][LOADS], w[C][LOADS];
#pragma unroll
            for (int c = 0; c < C; c++) {
                i64 column = j + c * apart;
                i64 first = i + most(column - a.ku, 0);
#pragma unroll
                for (int u = 0; u < LOADS; u++) {
                    i64 r = first + u * 32;
                    bool there = inside(r, column) && !(KIND == SYMMETRIC && r == column);
                    v[c][u] = there ? load(r, column) : zero<T>();
                    w[c][u] = there ? x[r * incx] : zero<T>();
                }
            }
#pragma unroll
            for (int c = 0; c < C; c++) {
#pragma unroll
                for (int u = 0; u < LOADS; u++) {
                    fma(conj(v[c][u], conjugated), w[c][u], s[c]);
                }
            }
        }
    }

    // The same of all columns that have the numbers of the block's rows: each warp puts down those of some.
    template <int C>
    BASALT_DEVICE void mirror(i64 i0, T* mirrored) const {
        int groups = blockDim.x / 32;
        for (int r = threadIdx.x / 32; r < ROWS; r += C * groups) {
            T s[C];
            columns<C>(i0 + r, groups, s);
            int which;
            T t = warpSums<C>(s, &which);
            if (threadIdx.x % (32 / C) == 0) {
                mirrored[r + which * groups] = t;
            }
        }
    }
};

// Puts down an element of the result.
template <int KIND, typename T>
BASALT_DEVICE void put(const Args& args, T alpha, T s, T beta, i64 problem, i64 i) {
    T* y = at<T>(args.c, problem) + i * args.c.ld;
    if (KIND == TRIANGULAR) {
        *y = s;
    } else {
        blend(alpha, s, beta, y);
    }
}

// op(A) = A. A block has ROWS rows, and each of its warps every groups-th column of them. What mirrors a symmetric triangle is dot products of the columns that
// have the numbers of its rows.
template <typename T, int KIND>
BASALT_DEVICE void bandRows(const Args& args) {
    __shared__ T sums[KIND == SYMMETRIC ? MOST_GROUPS / 2 : MOST_GROUPS][ROWS];
    __shared__ T mirrored[ROWS];
    T alpha = KIND == TRIANGULAR ? one<T>() : value<T>(args.alpha);
    T beta = KIND == TRIANGULAR ? zero<T>() : value<T>(args.beta);
    int lane = threadIdx.x % 32;
    int group = threadIdx.x / 32;
    int groups = blockDim.x / 32;
    i64 i0 = (i64)blockIdx.x * ROWS;
    i64 i = i0 + lane;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T s = zero<T>();
        if (!isZero(alpha)) {
            BandProduct<T, KIND> product(args, problem);
            i64 first = most(i0 - product.a.kl, 0);
            i64 end = least(product.n, i0 + ROWS + product.a.ku);
            s = product.row(i, first + group, end, groups);
            if (KIND == SYMMETRIC) {
                if (groups <= 8) {
                    product.template mirror<4>(i0, mirrored);
                } else {
                    product.template mirror<2>(i0, mirrored);
                }
            }
        }
        sums[group][lane] = s;
        __syncthreads();
        i64 rows = KIND == GENERAL ? args.m : args.n;
        if (group == 0 && i < rows) {
            if (KIND == SYMMETRIC && !isZero(alpha)) {
                s = s + mirrored[lane];
            }
            for (int g = 1; g < groups; g++) {
                s = s + sums[g][lane];
            }
            put<KIND>(args, alpha, s, beta, problem, i);
        }
        __syncthreads();
    }
}

// op(A) = Aᵀ or Aᴴ. A warp has a column.
template <typename T, int KIND>
BASALT_DEVICE void bandColumns(const Args& args) {
    T alpha = KIND == TRIANGULAR ? one<T>() : value<T>(args.alpha);
    T beta = KIND == TRIANGULAR ? zero<T>() : value<T>(args.beta);
    i64 j = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (j >= args.n) {
        return;
    }
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T s[1] = {zero<T>()};
        if (!isZero(alpha)) {
            BandProduct<T, KIND>(args, problem).columns(j, 0, s);
        }
        s[0] = warpSum(s[0]);
        if (threadIdx.x % 32 == 0) {
            put<KIND>(args, alpha, s[0], beta, problem, j);
        }
    }
}

// Element (i, l) of op(A) within its band.
template <typename T, int KIND>
struct BandElements {
    const BandProduct<T, KIND>& band;
    bool turned;

    BASALT_DEVICE T operator()(i64 i, i64 l) const {
        bool other = KIND == SYMMETRIC ? !band.inside(i, l) : turned;
        T v = other ? conj(band.load(l, i), band.conjugated) : band.load(i, l);
        return band.hermitian && i == l ? dropImaginary(v) : v;
    }
};

// Element l of the vector, as a factor with one column.
template <typename T>
struct BandVector {
    const T* x;
    i64 incx;
    BASALT_DEVICE T operator()(i64 l, i64) const { return x[l * incx]; }
};

// A narrow band: a thread sums up its element of op(A)·x by itself. TRIANGULAR: one block has all, and reads all of x before it writes the first.
template <typename T, int KIND>
BASALT_DEVICE void narrowBand(const Args& args) {
    T alpha = KIND == TRIANGULAR ? one<T>() : value<T>(args.alpha);
    T beta = KIND == TRIANGULAR ? zero<T>() : value<T>(args.beta);
    bool turned = KIND != SYMMETRIC && args.opA != NONE;
    i64 rows = KIND != GENERAL || turned ? args.n : args.m;
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        BandProduct<T, KIND> band(args, problem);
        BandVector<T> x{band.x, band.incx};
        if (KIND == TRIANGULAR) {
            x.x = at<T>(args.c, problem);
            x.incx = args.c.ld;
        }
        i64 wide = most(band.a.kl, band.a.ku);
        i64 below = KIND == SYMMETRIC ? wide : turned ? band.a.ku : band.a.kl;
        i64 above = KIND == SYMMETRIC ? wide : turned ? band.a.kl : band.a.ku;
        T* y = at<T>(args.c, problem) + i * args.c.ld;
        T before = KIND != TRIANGULAR && !isZero(beta) && i < rows ? *y : zero<T>();
        T sum = zero<T>();
        if (!isZero(alpha) && i < rows) {
            i64 end = least(turned ? band.m : band.n, i + above + 1);
            sum = fewSumAhead<T, 8>(i, 0, most(i - below, 0), end, BandElements<T, KIND>{band, turned}, x);
        }
        if (KIND == TRIANGULAR) {
            __syncthreads();
            before = sum;
        } else {
            blend(alpha, sum, beta, &before);
        }
        if (i < rows) {
            *y = before;
        }
    }
}

}  // namespace basalt

#define BANDS(t, T)                                                                                 \
    BASALT_KERNEL(basalt_gbmv_n_##t) { basalt::bandRows<T, basalt::GENERAL>(args); }                \
    BASALT_KERNEL(basalt_gbmv_t_##t) { basalt::bandColumns<T, basalt::GENERAL>(args); }             \
    BASALT_KERNEL(basalt_sbmv_##t) { basalt::bandRows<T, basalt::SYMMETRIC>(args); }                \
    BASALT_KERNEL(basalt_tbmv_n_##t) { basalt::bandRows<T, basalt::TRIANGULAR>(args); }             \
    BASALT_KERNEL(basalt_tbmv_t_##t) { basalt::bandColumns<T, basalt::TRIANGULAR>(args); }          \
    BASALT_KERNEL(basalt_gbmv_narrow_##t) { basalt::narrowBand<T, basalt::GENERAL>(args); }         \
    BASALT_KERNEL(basalt_sbmv_narrow_##t) { basalt::narrowBand<T, basalt::SYMMETRIC>(args); }       \
    BASALT_KERNEL(basalt_tbmv_narrow_##t) { basalt::narrowBand<T, basalt::TRIANGULAR>(args); }
BASALT_EACH_TYPE(BANDS)
