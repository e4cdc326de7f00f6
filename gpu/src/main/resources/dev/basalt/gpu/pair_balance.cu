// Balancing of pairs of matrices: the permutation of Ward ("Balancing the generalized eigenvalue problem", 1981), and scales that bring rows and columns of both together to norms of about 1 (Lemonnier and Van Dooren, "Balancing regular matrix
// pencils", 2006). A block of threads a problem.
#include "balance.h"

namespace basalt {

static const int SWEEPS = 10;

// What is worked on; rows and columns from the first to the last one are left.
template <typename T>
struct BothMatrices {
    typedef typename Of<T>::Real R;
    i64 n, lda, ldb, first, last;
    T *a, *b;
    R *left, *right;

    BASALT_DEVICE bool nothing(i64 i, i64 j) const { return isZero(a[i + j * lda]) && isZero(b[i + j * ldb]); }
};

// The only line across that has elements in line l: its number, the last one if there is none, -1 if there are two.
template <typename T>
BASALT_DEVICE i64 onlyOne(const BothMatrices<T>& g, i64 l, bool row) {
    i64 place = g.last;
    int count = 0;
    for (i64 k = g.last; k >= (row ? (i64)0 : g.first) && count < 2; k--) {
        if (!(row ? g.nothing(l, k) : g.nothing(k, l))) {
            place = k;
            count++;
        }
    }
    return count < 2 ? place : -1;
}

// The last row that has elements in one column at most, or the first such column; -1 if there is none. A thread a line.
template <typename T>
BASALT_DEVICE i64 isolated(const BothMatrices<T>& g, bool row, i64* scratch) {
    i64 lines = row ? g.last + 1 : g.last - g.first + 1;
    for (i64 base = 0; base < lines; base += blockDim.x) {
        i64 k = base + threadIdx.x;
        i64 l = row ? g.last - k : g.first + k;
        bool alone = k < lines && onlyOne(g, l, row) >= 0;
        i64 found = blockMost(alone ? lines - k : (i64)0, scratch);
        if (found > 0) {
            return row ? g.last - (lines - found) : g.first + (lines - found);
        }
    }
    return -1;
}

template <typename T>
BASALT_DEVICE void swapElements(T& x, T& y) {
    T kept = x;
    x = y;
    y = kept;
}

// A row and a column change places with those of a number. Begins with what all have read, ends with a barrier.
template <typename T>
BASALT_DEVICE void exchangeLines(const BothMatrices<T>& g, i64 row, i64 column, i64 to) {
    typedef typename Of<T>::Real R;
    __syncthreads();
    for (i64 j = g.first + threadIdx.x; row != to && j < g.n; j += blockDim.x) {
        swapElements(g.a[row + j * g.lda], g.a[to + j * g.lda]);
        swapElements(g.b[row + j * g.ldb], g.b[to + j * g.ldb]);
    }
    __syncthreads();
    for (i64 i = threadIdx.x; column != to && i <= g.last; i += blockDim.x) {
        swapElements(g.a[i + column * g.lda], g.a[i + to * g.lda]);
        swapElements(g.b[i + column * g.ldb], g.b[i + to * g.ldb]);
    }
    if (threadIdx.x == 0) {
        g.left[to] = (R)(row + 1);
        g.right[to] = (R)(column + 1);
    }
    __syncthreads();
}

// The norm of n elements by a block.
template <typename T>
BASALT_DEVICE double lineNorm(i64 n, const T* x, i64 step, double* scratch) {
    double most = 0;
    for (i64 l = threadIdx.x; l < n; l += blockDim.x) {
        most = larger(most, modulus(x[l * step]));
    }
    most = blockLargest(most, scratch);
    return most == 0 || !bounded(most) ? most : scaledNorm(n, x, step, most, scratch);
}

// By all threads: a row or a column of both matrices to a norm between 1 and 2, if it is not near that; whether it was scaled. No number may leave the range.
template <typename T>
BASALT_DEVICE bool scaleLine(const BothMatrices<T>& g, i64 l, bool row, double* scratch) {
    typedef typename Of<T>::Real R;
    T* a = row ? g.a + l + g.first * g.lda : g.a + l * g.lda;
    T* b = row ? g.b + l + g.first * g.ldb : g.b + l * g.ldb;
    i64 stepA = row ? g.lda : 1;
    i64 stepB = row ? g.ldb : 1;
    i64 all = row ? g.n - g.first : g.last + 1;
    i64 inside = row ? 0 : g.first;
    i64 n = g.last - g.first + 1;
    double size = hypot(lineNorm(n, a + inside * stepA, stepA, scratch), lineNorm(n, b + inside * stepB, stepB, scratch));
    double most = 0;
    for (i64 k = threadIdx.x; k < all; k += blockDim.x) {
        most = larger(most, larger(modulus(a[k * stepA]), modulus(b[k * stepB])));
    }
    most = blockLargest(most, scratch);
    double least = leastScale((R)0);
    double large = 1 / least;
    if (!(size >= least && most <= large)) {
        return false;
    }
    int exponent = ilogb(size);
    R* scale = (row ? g.left : g.right) + l;
    double factor = scalbn(1.0, -exponent);
    double now = (double)*scale * factor;
    if (exponent == 0 || exponent == -1 || !(now >= least && now <= large && most * factor <= large)) {
        return false;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *scale = (R)now;
    }
    for (i64 k = threadIdx.x; k < all; k += blockDim.x) {
        a[k * stepA] = times((R)factor, a[k * stepA]);
        b[k * stepB] = times((R)factor, b[k * stepB]);
    }
    __syncthreads();
    return true;
}

template <typename T>
BASALT_DEVICE void permutePair(BothMatrices<T>& g, i64* found) {
    while (g.last > 0) {
        i64 row = isolated(g, true, found);
        if (row < 0) {
            break;
        }
        exchangeLines(g, row, onlyOne(g, row, true), g.last);
        g.last--;
    }
    while (g.last > 0) {
        i64 column = isolated(g, false, found);
        if (column < 0) {
            break;
        }
        exchangeLines(g, onlyOne(g, column, false), column, g.first);
        g.first++;
    }
}

template <typename T>
BASALT_DEVICE void ggbal(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ i64 found[32];
    __shared__ double scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        BothMatrices<T> g;
        g.n = args.n;
        g.first = 0;
        g.last = args.n - 1;
        g.a = at<T>(args.c, problem);
        g.lda = args.c.ld;
        g.b = at<T>(args.d, problem);
        g.ldb = args.d.ld;
        g.left = at<R>(args.f, problem);
        g.right = at<R>(args.g, problem);
        if (args.x & PERMUTES) {
            permutePair(g, found);
        }
        for (i64 i = g.first + threadIdx.x; i <= g.last; i += blockDim.x) {
            g.left[i] = 1;
            g.right[i] = 1;
        }
        __syncthreads();
        bool changed = g.first < g.last && (args.x & SCALES) != 0;
        for (int sweep = 0; changed && sweep < SWEEPS; sweep++) {
            changed = false;
            for (int side = 0; side < 2; side++) {
                for (i64 l = g.first; l <= g.last; l++) {
                    changed |= scaleLine(g, l, side == 0, scratch);
                }
            }
        }
        if (threadIdx.x == 0) {
            *at<i64>(args.a, problem) = g.first + 1;
            *at<i64>(args.b, problem) = g.last + 1;
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define PAIR_BALANCE(t, T) BASALT_KERNEL(basalt_ggbal_##t) { basalt::ggbal<T>(args); }
BASALT_EACH_TYPE(PAIR_BALANCE)
