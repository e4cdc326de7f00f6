// What the QZ algorithm (Moler and Stewart, "An algorithm for generalized matrix eigenvalue problems", 1973) does alike to real and to complex pairs of matrices: a block of threads a problem.
#ifndef BASALT_QZ_H
#define BASALT_QZ_H
#include "reflect.h"
#include "turns.h"

namespace basalt {

// Steps for each eigenvalue; after so many without success a step has other shifts.
enum { QZ_STEPS = 30, QZ_STUCK = 10 };

// 0 if all numbers of a matrix are finite, else not a number.
template <typename T>
BASALT_DEVICE typename Of<T>::Real nothingOf(i64 n, const T* a, i64 lda, typename Of<T>::Real* scratch) {
    typename Of<T>::Real nothing = 0;
    for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
        for (i64 i = threadIdx.x % 32; i < n; i += 32) {
            nothing += 0 * re(a[i + j * lda]) + 0 * im(a[i + j * lda]);
        }
    }
    return blockSum(nothing, scratch);
}

template <typename T>
BASALT_DEVICE void identity(i64 n, T* a, i64 lda) {
    for (i64 e = threadIdx.x; a != 0 && e < n * n; e += blockDim.x) {
        a[e % n + e / n * lda] = e % n == e / n ? one<T>() : zero<T>();
    }
}

// The Frobenius norm, by sums of parts, of what is not below the diagonal beside the main one.
template <typename T>
BASALT_DEVICE typename Of<T>::Real hessenbergNorm(i64 n, const T* a, i64 lda, typename Of<T>::Real* scratch) {
    typedef typename Of<T>::Real R;
    R large = 0;
    for (i64 j = threadIdx.x; j < n; j += blockDim.x) {
        for (i64 i = 0; i < least(n, j + 2); i++) {
            large = larger(large, magnitude(a[i + j * lda]));
        }
    }
    large = blockLargest(large, scratch);
    R sum = 0;
    for (i64 j = threadIdx.x; large > 0 && j < n; j += blockDim.x) {
        for (i64 i = 0; i < least(n, j + 2); i++) {
            R size = magnitude(a[i + j * lda]) / large;
            sum += size * size;
        }
    }
    return large * root(blockSum(sum, scratch));
}

// Columns of x (so many rows from a reflector's first on) := Hᴴ times themselves: a warp a column.
template <typename T>
BASALT_DEVICE void reflectColumns(i64 rows, i64 columns, const T* v, T tau, T* x, i64 ldx) {
    for (i64 j = threadIdx.x / 32; j < columns; j += blockDim.x / 32) {
        T sum = zero<T>();
        for (i64 i = threadIdx.x % 32; i < rows; i += 32) {
            fma(conj(i == 0 ? one<T>() : v[i], true), x[i + j * ldx], sum);
        }
        sum = conj(tau, true) * warpSum(sum);
        for (i64 i = threadIdx.x % 32; i < rows; i += 32) {
            x[i + j * ldx] = x[i + j * ldx] - (i == 0 ? one<T>() : v[i]) * sum;
        }
    }
}

// Rows of x := themselves times H: a thread a row.
template <typename T>
BASALT_DEVICE void reflectRows(i64 rows, i64 columns, const T* v, T tau, T* x, i64 ldx) {
    for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
        T sum = x[i];
        for (i64 j = 1; j < columns; j++) {
            fma(x[i + j * ldx], v[j], sum);
        }
        sum = tau * sum;
        x[i] = x[i] - sum;
        for (i64 j = 1; j < columns; j++) {
            x[i + j * ldx] = x[i + j * ldx] - sum * conj(v[j], true);
        }
    }
}

// b to triangular form by reflectors from the left, which a and q get, too.
template <typename T>
BASALT_DEVICE void triangularB(const MatrixPair<T>& g, typename Of<T>::Real* scratch) {
    for (i64 j = 0; j + 1 < g.n; j++) {
        i64 m = g.n - j;
        T* v = &g.B(j, j);
        __syncthreads();
        T tau = larfg(v, v + 1, (i64)1, m - 1, false, scratch);
        reflectColumns(m, m - 1, v, tau, v + g.ldb, g.ldb);
        reflectColumns(m, g.n, v, tau, &g.A(j, 0), g.lda);
        if (g.q != 0) {
            reflectRows(g.n, m, v, tau, g.q + j * g.ldq, g.ldq);
        }
        __syncthreads();
        for (i64 i = 1 + threadIdx.x; i < m; i += blockDim.x) {
            v[i] = zero<T>();
        }
    }
    __syncthreads();
}

// The index behind the last eigenvalue that has not converged. Steps begin anew behind each that has; `pair` is asked about the last two rows of the active block, if it has no more: 0 where a step is to take them, 1 where they have become a
// triangle, 2 where they stay a block.
template <typename Steps>
BASALT_DEVICE i64 iterate(Steps& steps) {
    typedef typename Steps::R R;
    const auto& g = steps.g;
    i64 left = QZ_STEPS * g.n;
    i64 last = g.n - 1;
    i64 tries = 0;
    R smallB = largerOf(Schur<R>::least(), Schur<R>::unit() * g.normB);
    // Each eigenvalue is taken off once, behind two passes more where it is infinite, and one where it was in a block.
    for (i64 passes = left + 5 * g.n; last >= 0 && passes > 0; passes--) {
        if (last == 0 || g.negligible(last)) {
            if (last > 0) {
                g.clear(g.A(last, last - 1));
            }
            last--;
            tries = 0;
            steps.begin();
            continue;
        }
        if (magnitude(g.B(last, last)) <= smallB) {
            g.infinite(last);
            continue;
        }
        i64 first = last;
        bool splits = false;
        bool nothing = false;
        while (!splits && !nothing) {
            first--;
            splits = first == 0 || g.negligible(first);
            nothing = magnitude(g.B(first, first)) <= smallB;
        }
        if (splits && first > 0) {
            g.clear(g.A(first, first - 1));
        }
        if (nothing) {
            g.chase(first, last);
            continue;
        }
        int pair = first + 1 == last ? steps.pair(first) : 0;
        if (pair == 2) {
            last -= 2;
            tries = 0;
        }
        if (pair != 0) {
            continue;
        }
        if (left-- <= 0) {
            break;
        }
        steps.step(first, last, ++tries);
    }
    return last + 1;
}

// Both matrices to their forms.
template <typename Steps>
BASALT_DEVICE void qz(const Args& args) {
    typedef typename Steps::T T;
    typedef typename Steps::R R;
    __shared__ R scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Steps steps;
        steps.g = pairOf<T>(args, problem);
        steps.begin();
        MatrixPair<T>& g = steps.g;
        i64 n = g.n;
        R nothing = nothingOf(n, g.a, g.lda, scratch);
        nothing += nothingOf(n, g.b, g.ldb, scratch);
        i64 failed = n;
        if (nothing == 0) {
            identity(n, g.q, g.ldq);
            identity(n, g.z, g.ldz);
            triangularB(g, scratch);
            // a to Hessenberg form; each rotation of rows fills an element of b, which one of columns takes away.
            for (i64 j = 0; j + 2 < n; j++) {
                for (i64 i = n - 1; i > j + 1; i--) {
                    g.rows(i - 1, j, j + 1, i - 1);
                    g.columns(i, n, i);
                }
            }
            g.normA = hessenbergNorm(n, g.a, g.lda, scratch);
            g.normB = hessenbergNorm(n, g.b, g.ldb, scratch);
            failed = iterate(steps);
            for (i64 i = failed; i < n; i++) {
                g.normal(i);
            }
        }
        if (threadIdx.x == 0) {
            *at<int>(args.e, problem) = (int)failed;
        }
        __syncthreads();
    }
}

}  // namespace basalt
#endif
