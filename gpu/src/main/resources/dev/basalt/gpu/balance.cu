// Balancing of general matrices, what undoes it, and columns of length 1. Norms are those of double numbers, whatever the matrix is made of, as the portable kernels have them.
#include "balance.h"

namespace basalt {

static const double GAIN = 0.95;

// Steps of scaling end by themselves: each makes a norm smaller.
static const int SWEEPS = 4096;

template <typename T>
BASALT_DEVICE double squareOf(T x) {
    return (double)re(x) * (double)re(x) + (double)im(x) * (double)im(x);
}

// Where a plain sum of squares has lost nothing.
BASALT_DEVICE bool plainSum(double sum) { return sum > 1e-250 && sum < 1e250; }

// The last row that is zero beside the diagonal in the rows and columns up to one; or -1. A thread a row.
template <typename T>
BASALT_DEVICE i64 isolatedRow(i64 last, const T* a, i64 lda, i64* scratch) {
    for (i64 base = last; base >= 0; base -= blockDim.x) {
        i64 i = base - threadIdx.x;
        bool alone = i >= 0;
        for (i64 j = 0; j <= last && alone; j++) {
            alone = i == j || isZero(a[i + j * lda]);
        }
        i64 found = blockMost(alone ? i : -1, scratch);
        if (found >= 0) {
            return found;
        }
    }
    return -1;
}

// The first such column of those from one on. A warp a column.
template <typename T>
BASALT_DEVICE i64 isolatedColumn(i64 first, i64 last, const T* a, i64 lda, i64* scratch) {
    i64 warps = blockDim.x / 32;
    for (i64 base = first; base <= last; base += warps) {
        i64 j = base + threadIdx.x / 32;
        bool alone = j <= last;
        for (i64 from = first; from <= last && alone; from += 32) {
            i64 i = from + threadIdx.x % 32;
            alone = warpBallot(i <= last && i != j && !isZero(a[i + j * lda])) == 0;
        }
        i64 found = blockMost(alone ? last - j : -1, scratch);
        if (found >= 0) {
            return last - found;
        }
    }
    return -1;
}

// Rows and columns i and k change places.
template <typename T>
BASALT_DEVICE void exchangeLines(i64 i, i64 k, i64 first, i64 last, i64 n, T* a, i64 lda) {
    __syncthreads();
    if (i == k) {
        return;
    }
    for (i64 l = threadIdx.x; l <= last; l += blockDim.x) {
        T kept = a[l + i * lda];
        a[l + i * lda] = a[l + k * lda];
        a[l + k * lda] = kept;
    }
    __syncthreads();
    for (i64 l = first + threadIdx.x; l < n; l += blockDim.x) {
        T kept = a[i + l * lda];
        a[i + l * lda] = a[k + l * lda];
        a[k + l * lda] = kept;
    }
    __syncthreads();
}

// What is known of a row and a column: their norms within the range, and their largest elements.
struct Lines {
    double column, row, columnMost, rowMost;
};

static const int NUMBERS = 6;

template <typename T>
BASALT_DEVICE Lines linesOf(i64 i, i64 first, i64 last, i64 n, const T* a, i64 lda, double* parts, double* scratch) {
    double v[NUMBERS] = {0, 0, 0, 0, 0, 0};
    for (i64 l = threadIdx.x; l < n; l += blockDim.x) {
        bool within = l >= first && l <= last;
        if (l <= last) {
            T x = a[l + i * lda];
            double size = modulus(x);
            v[0] = larger(v[0], size);
            v[1] = within ? larger(v[1], size) : v[1];
            v[2] += within ? squareOf(x) : 0;
        }
        if (l >= first) {
            T x = a[i + l * lda];
            double size = modulus(x);
            v[3] = larger(v[3], size);
            v[4] = within ? larger(v[4], size) : v[4];
            v[5] += within ? squareOf(x) : 0;
        }
    }
    for (int mask = 16; mask > 0; mask >>= 1) {
        for (int k = 0; k < NUMBERS; k++) {
            double other = shuffleXor(v[k], mask);
            v[k] = k % 3 == 2 ? v[k] + other : larger(v[k], other);
        }
    }
    __syncthreads();
    for (int k = 0; k < NUMBERS && threadIdx.x % 32 == 0; k++) {
        parts[threadIdx.x / 32 * NUMBERS + k] = v[k];
    }
    __syncthreads();
    for (int k = 0; k < NUMBERS; k++) {
        double all = 0;
        for (int w = 0; w < (int)blockDim.x / 32; w++) {
            double other = parts[w * NUMBERS + k];
            all = k % 3 == 2 ? all + other : larger(all, other);
        }
        v[k] = all;
    }
    Lines lines = {sqrt(v[2]), sqrt(v[5]), v[0], v[3]};
    if (!plainSum(v[2])) {
        bool plain = v[1] == 0 || !bounded(v[1]);
        lines.column = plain ? v[1] : scaledNorm(last - first + 1, a + first + i * lda, (i64)1, v[1], scratch);
    }
    if (!plainSum(v[5])) {
        bool plain = v[4] == 0 || !bounded(v[4]);
        lines.row = plain ? v[4] : scaledNorm(last - first + 1, a + i + first * lda, lda, v[4], scratch);
    }
    return lines;
}

// The power of two by which a column is multiplied and its row divided; 1 where that would gain little.
template <typename R>
BASALT_DEVICE double powerFor(Lines x, double own, R) {
    const double radix = 2;
    double least = leastScale((R)0);
    double most = 1 / least;
    if (!(x.column > 0 && x.row > 0 && bounded(x.column + x.row + x.columnMost + x.rowMost))) {
        return 1;
    }
    double sum = x.column + x.row;
    double f = 1;
    double top = most / radix;
    double bottom = least * radix;
    while (x.column < x.row / radix && larger(f, larger(x.column, x.columnMost)) < top
           && (x.row / radix < x.rowMost ? x.row / radix : x.rowMost) > bottom) {
        f *= radix;
        x.column *= radix;
        x.columnMost *= radix;
        x.row /= radix;
        x.rowMost /= radix;
    }
    while (x.column / radix >= x.row && larger(x.row, x.rowMost) < top && f > bottom && x.column / radix > bottom
           && x.columnMost > bottom) {
        f /= radix;
        x.column /= radix;
        x.columnMost /= radix;
        x.row *= radix;
        x.rowMost *= radix;
    }
    bool small = f < 1 && own < 1 && f * own <= least;
    bool large = f > 1 && own > 1 && own >= most / f;
    return x.column + x.row >= GAIN * sum || small || large ? 1 : f;
}

// By a block: whether row and column i were scaled.
template <typename T>
BASALT_DEVICE bool scaleLines(i64 i, i64 first, i64 last, i64 n, T* a, i64 lda, typename Of<T>::Real* scale, double* parts,
                              double* scratch) {
    typedef typename Of<T>::Real R;
    double own = (double)*scale;
    double f = powerFor(linesOf(i, first, last, n, a, lda, parts, scratch), own, (R)0);
    if (f == 1) {
        return false;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *scale = (R)(own * f);
    }
    // The element on the diagonal is both divided and multiplied.
    for (i64 l = first + threadIdx.x; l < n; l += blockDim.x) {
        a[i + l * lda] = times((R)(1 / f), a[i + l * lda]);
    }
    __syncthreads();
    for (i64 l = threadIdx.x; l <= last; l += blockDim.x) {
        a[l + i * lda] = times((R)f, a[l + i * lda]);
    }
    __syncthreads();
    return true;
}

template <typename T>
BASALT_DEVICE void gebal(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ i64 found[32];
    __shared__ double parts[32 * NUMBERS];
    __shared__ double scratch[33];
    i64 n = args.n;
    i64 lda = args.c.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        R* scale = at<R>(args.d, problem);
        i64* ilo = at<i64>(args.a, problem);
        i64* ihi = at<i64>(args.b, problem);
        i64 first = 0;
        i64 last = n - 1;
        if (args.x & PERMUTES) {
            i64 row = isolatedRow(last, a, lda, found);
            while (row >= 0) {
                exchangeLines(row, last, (i64)0, last, n, a, lda);
                if (threadIdx.x == 0) {
                    scale[last] = (R)(row + 1);
                }
                last--;
                row = last < 0 ? -1 : isolatedRow(last, a, lda, found);
            }
            if (last <= 0) {
                // The matrix is triangular now.
                if (threadIdx.x == 0) {
                    *ilo = 1;
                    *ihi = 1;
                }
                __syncthreads();
                continue;
            }
            i64 column = isolatedColumn(first, last, a, lda, found);
            while (column >= 0) {
                exchangeLines(column, first, first, last, n, a, lda);
                if (threadIdx.x == 0) {
                    scale[first] = (R)(column + 1);
                }
                first++;
                column = isolatedColumn(first, last, a, lda, found);
            }
        }
        for (i64 i = first + threadIdx.x; i <= last; i += blockDim.x) {
            scale[i] = 1;
        }
        __syncthreads();
        bool changed = (args.x & SCALES) != 0;
        for (int sweep = 0; changed && sweep < SWEEPS; sweep++) {
            changed = false;
            for (i64 i = first; i <= last; i++) {
                changed |= scaleLines(i, first, last, n, a, lda, scale + i, parts, scratch);
            }
        }
        if (threadIdx.x == 0) {
            *ilo = first + 1;
            *ihi = last + 1;
        }
        __syncthreads();
    }
}

// A warp a column.
template <typename T>
BASALT_DEVICE void gebak(const Args& args) {
    typedef typename Of<T>::Real R;
    i64 n = args.n;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        i64 first = args.a.base != 0 ? *at<i64>(args.a, problem) : args.p;
        i64 last = args.b.base != 0 ? *at<i64>(args.b, problem) : args.q;
        first = most((i64)1, first);
        last = least(n, last);
        const R* scale = at<R>(args.d, problem);
        for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < args.m; j += warps) {
            T* x = at<T>(args.c, problem) + j * args.c.ld;
            for (i64 i = first + threadIdx.x % 32; (args.x & SCALES) && first != last && i <= last; i += 32) {
                double s = (double)scale[i - 1];
                x[i - 1] = times((R)(args.side == RIGHT ? s : 1 / s), x[i - 1]);
            }
            warpBarrier();
            if ((args.x & PERMUTES) && threadIdx.x % 32 == 0) {
                for (i64 step = 0; step < n; step++) {
                    // Up from the range, then down from it.
                    i64 i = step < first - 1 ? first - 1 - step : last + 1 + (step - (first - 1));
                    if (i > n) {
                        break;
                    }
                    double row = (double)scale[i - 1];
                    if (row >= 1 && row <= (double)n && (i64)row != i) {
                        T kept = x[i - 1];
                        x[i - 1] = x[(i64)row - 1];
                        x[(i64)row - 1] = kept;
                    }
                }
            }
            warpBarrier();
        }
    }
}

// The largest of a warp and where it is, the first of several.
BASALT_DEVICE void warpPlace(double* size, i64* place) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        double other = shuffleXor(*size, mask);
        i64 where = shuffleXor(*place, mask);
        bool better = other > *size || (other == *size && where < *place);
        *size = better ? other : *size;
        *place = better ? where : *place;
    }
}

template <typename T>
BASALT_DEVICE double warpNorm(i64 n, const T* x) {
    double scale = 0;
    double sum = 0;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        scale = larger(scale, modulus(x[i]));
        sum += squareOf(x[i]);
    }
    for (int mask = 16; mask > 0; mask >>= 1) {
        scale = larger(scale, shuffleXor(scale, mask));
    }
    sum = warpSum(sum);
    if (plainSum(sum)) {
        return sqrt(sum);
    }
    if (scale == 0 || !bounded(scale)) {
        return scale;
    }
    sum = 0;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        double part = modulus(x[i]) / scale;
        sum += part * part;
    }
    return scale * sqrt(warpSum(sum));
}

template <typename T>
BASALT_DEVICE void scaleColumn(i64 n, double norm, T* x) {
    typedef typename Of<T>::Real R;
    for (i64 i = threadIdx.x % 32; norm > 0 && i < n; i += 32) {
        x[i] = times((R)(1 / norm), x[i]);
    }
}

// The largest element of a complex column becomes real. A lane has the same elements all the time.
template <typename R>
BASALT_DEVICE void turnColumn(i64 n, Complex<R>* x) {
    double size = -1;
    i64 place = n;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        double here = modulus(x[i]);
        place = here > size ? i : place;
        size = here > size ? here : size;
    }
    warpPlace(&size, &place);
    if (!(size > 0)) {
        return;
    }
    Complex<R> by = shuffle(place % 32 == threadIdx.x % 32 ? x[place] : zero<Complex<R>>(), (int)(place % 32));
    by = Make<Complex<R>>::of((double)by.re / size, -(double)by.im / size);
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        Complex<R> y = by * x[i];
        x[i] = i == place ? dropImaginary(y) : y;
    }
}
template <typename R>
BASALT_DEVICE void turnColumn(i64, R*) {}

// The same for a column whose parts are two real columns.
template <typename R>
BASALT_DEVICE void turnParts(i64 n, R* x, R* y) {
    double size = -1;
    i64 place = n;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        double here = hypot((double)x[i], (double)y[i]);
        place = here > size ? i : place;
        size = here > size ? here : size;
    }
    warpPlace(&size, &place);
    if (!(size > 0)) {
        return;
    }
    bool own = place % 32 == threadIdx.x % 32;
    R c = (R)((double)shuffle(own ? x[place] : (R)0, (int)(place % 32)) / size);
    R s = (R)((double)shuffle(own ? y[place] : (R)0, (int)(place % 32)) / size);
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        R u = x[i];
        R v = y[i];
        x[i] = c * u + s * v;
        y[i] = i == place ? (R)0 : c * v - s * u;
    }
}
template <typename R>
BASALT_DEVICE void turnParts(i64, Complex<R>*, Complex<R>*) {}

// Whether a column is the second of a pair: pairs are counted from where a run of positive numbers begins.
template <typename R>
BASALT_DEVICE bool secondOfPair(const R* imaginary, i64 j) {
    i64 run = 0;
    while (run < j && imaginary[j - 1 - run] > 0) {
        run++;
    }
    return run % 2 != 0;
}

// A warp a column, or a pair of them.
template <typename T>
BASALT_DEVICE void unitColumns(const Args& args) {
    typedef typename Of<T>::Real R;
    i64 m = args.m;
    i64 ld = args.c.ld;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const R* imaginary = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < args.n; j += warps) {
            if (imaginary != 0 && secondOfPair(imaginary, j)) {
                continue;
            }
            T* x = at<T>(args.c, problem) + j * ld;
            bool pair = imaginary != 0 && j + 1 < args.n && imaginary[j] > 0;
            double norm = warpNorm(m, x);
            if (pair) {
                norm = hypot(norm, warpNorm(m, x + ld));
                scaleColumn(m, norm, x);
                scaleColumn(m, norm, x + ld);
                turnParts(m, x, x + ld);
            } else {
                scaleColumn(m, norm, x);
                turnColumn(m, x);
            }
        }
    }
}

}  // namespace basalt

#define BALANCE(t, T)                                           \
    BASALT_KERNEL(basalt_gebal_##t) { basalt::gebal<T>(args); } \
    BASALT_KERNEL(basalt_gebak_##t) { basalt::gebak<T>(args); } \
    BASALT_KERNEL(basalt_unit_columns_##t) { basalt::unitColumns<T>(args); }
BASALT_EACH_TYPE(BALANCE)
