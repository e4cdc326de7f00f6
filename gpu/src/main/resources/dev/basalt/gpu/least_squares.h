// QR and least squares of one matrix by a warp, in the memory where it lies: any shape and any numbers, at no speed to speak of.
#ifndef BASALT_LEAST_SQUARES_H
#define BASALT_LEAST_SQUARES_H
#include "range.h"
#include "reflect.h"

namespace basalt {

template <typename R>
BASALT_DEVICE R warpLargest(R v) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v = larger(v, shuffleXor(v, mask));
    }
    return v;
}

template <typename T>
BASALT_DEVICE typename Of<T>::Real modulusOf(T x) {
    typedef typename Of<T>::Real R;
    R a = absolute(re(x));
    R b = absolute(im(x));
    R large = larger(a, b);
    R ratio = (a < b ? a : b) / large;
    return large > 0 && large < 1 / (R)0 ? large * root(1 + ratio * ratio) : large;
}

// The largest modulus of an m×n matrix, NaN if there is one; and the matrix times a power of what is scaled by. Lanes have rows.
template <typename T>
BASALT_DEVICE typename Of<T>::Real warpNorm(const Read<T>& c, i64 m, i64 n) {
    typename Of<T>::Real largest = 0;
    for (i64 j = 0; j < n; j++) {
        for (i64 i = threadIdx.x % 32; i < m; i += 32) {
            largest = larger(largest, modulusOf(c(i, j)));
        }
    }
    return warpLargest(largest);
}
template <typename T>
BASALT_DEVICE void warpScale(const Read<T>& c, i64 first, i64 m, i64 n, int power) {
    for (i64 j = 0; j < n && power != 0; j++) {
        for (i64 i = threadIdx.x % 32; i < m; i += 32) {
            if (i >= first) {
                c(i, j) = scaled(c(i, j), power);
            }
        }
    }
}

// The norm of column j below row j times a factor.
template <typename T>
BASALT_DEVICE typename Of<T>::Real warpTail(const Read<T>& c, i64 m, i64 j, typename Of<T>::Real by) {
    typedef typename Of<T>::Real R;
    R largest = 0;
    for (i64 i = threadIdx.x % 32; i < m; i += 32) {
        T x = i > j ? times(by, c(i, j)) : zero<T>();
        largest = larger(largest, larger(absolute(re(x)), absolute(im(x))));
    }
    largest = warpLargest(largest);
    if (largest == 0) {
        return 0;
    }
    R sum = 0;
    for (i64 i = threadIdx.x % 32; i < m; i += 32) {
        T x = i > j ? times(by, c(i, j)) : zero<T>();
        R u = re(x) / largest;
        R v = im(x) / largest;
        sum += u * u + v * v;
    }
    return largest * root(warpSum(sum));
}

// As LAPACK's larfg, which scales once at most: the smallest number times 1 / safest is above it.
template <typename T>
BASALT_DEVICE T warpReflector(const Read<T>& c, i64 m, i64 j) {
    typedef typename Of<T>::Real R;
    T alpha = c.element(j, j);
    R norm = warpTail(c, m, j, (R)1);
    if (norm == 0 && im(alpha) == 0) {
        return zero<T>();
    }
    R a = re(alpha);
    R b = im(alpha);
    R beta = betaOf(a, b, norm);
    R safe = safest(beta);
    R before = 1;
    bool far = absolute(beta) < safe;
    if (far) {
        before = 1 / safe;
        a *= before;
        b *= before;
        beta = betaOf(a, b, warpTail(c, m, j, before));
    }
    T tau = Make<T>::of((beta - a) / beta, -b / beta);
    T inverse = conj(divide(one<T>(), Make<T>::of(a - beta, b)), c.turned);
    warpBarrier();
    for (i64 i = threadIdx.x % 32; i < m; i += 32) {
        if (i >= j) {
            c(i, j) = i == j ? Make<T>::real(far ? beta * safe : beta) : times(before, c(i, j)) * inverse;
        }
    }
    return tau;
}

// Householder QR; the factors go to operand d.
template <typename T>
BASALT_DEVICE void warpFactor(const Args& args, const Read<T>& c, i64 problem, i64 m, i64 n) {
    for (i64 j = 0; j < n; j++) {
        T tau = warpReflector(c, m, j);
        if (threadIdx.x % 32 == 0) {
            *factor<T>(args, problem, n, j) = tau;
        }
        warpBarrier();
        T f = conj(tau, !c.turned);
        for (i64 q = j + 1; q < n && !isZero(f); q++) {
            line(c, m, j, false, f, &c(j, q), c.di);
        }
        warpBarrier();
    }
}

// b := op(H₁…Hₙ)·b, one vector.
template <typename T>
BASALT_DEVICE void warpApply(const Args& args, const Read<T>& f, i64 problem, i64 m, i64 n, bool conjugate, T* b) {
    for (i64 s = 0; s < n; s++) {
        i64 j = conjugate ? s : n - 1 - s;
        T tau = conj(*factor<T>(args, problem, n, j), conjugate);
        if (!isZero(tau)) {
            line(f, m, j, f.turned, tau, b + j, 1);
        }
        warpBarrier();
    }
}

// b := R⁻¹·b, or with `adjoint` R⁻ᴴ·b.
template <typename T>
BASALT_DEVICE void warpSolve(const Read<T>& f, i64 n, bool adjoint, T* b) {
    for (i64 s = 0; s < n; s++) {
        i64 k = adjoint ? s : n - 1 - s;
        T x = divide(b[k], conj(f.element(k, k), adjoint));
        warpBarrier();
        for (i64 i = threadIdx.x % 32; i < n; i += 32) {
            if (i == k) {
                b[i] = x;
            } else if (adjoint ? i > k : i < k) {
                T v = adjoint ? conj(f.element(k, i), true) : f.element(i, k);
                fma(-v, x, b[i]);
            }
        }
        warpBarrier();
    }
}

// GELS of one problem.
template <typename T>
BASALT_DEVICE void warpLeastSquares(const Args& args, i64 problem) {
    typedef typename Of<T>::Real R;
    const R small = smallOf((R)0);
    const bool least = args.opA == NONE;
    const i64 m = args.m;
    const i64 n = args.n;
    Read<T> f = read<T>(args, args.a, problem, m, n);
    const int above = power(warpNorm(f, m, n), small);
    warpScale(f, 0, m, n, above);
    warpBarrier();
    warpFactor(args, f, problem, m, n);
    int found = 0;
    for (i64 j = n; j-- > 0;) {
        found = isZero(f(j, j)) ? (int)j + 1 : found;
    }
    if (threadIdx.x % 32 == 0) {
        *at<int>(args.e, problem) = found;
    }
    if (found == 0) {
        Read<T> b = {at<T>(args.c, problem), 1, args.c.ld, false};
        const i64 known = least ? m : n;
        const int own = power(warpNorm(b, known, args.k), small);
        warpScale(b, 0, known, args.k, own);
        warpBarrier();
        for (i64 s = 0; s < args.k; s++) {
            if (least) {
                warpApply(args, f, problem, m, n, true, &b(0, s));
                warpSolve(f, n, false, &b(0, s));
            } else {
                warpSolve(f, n, true, &b(0, s));
                for (i64 i = threadIdx.x % 32; i < m; i += 32) {
                    b(i, s) = i < n ? b(i, s) : zero<T>();
                }
                warpBarrier();
                warpApply(args, f, problem, m, n, false, &b(0, s));
            }
        }
        warpBarrier();
        warpScale(b, 0, least ? n : m, args.k, above - own);
        warpScale(b, least ? n : m, m, args.k, -own);
    }
    warpBarrier();
    for (i64 j = 0; j < n; j++) {
        Read<T> column = {&f(0, j), f.di, f.dj, f.turned};
        warpScale(column, 0, j + 1, 1, -above);
    }
}

}  // namespace basalt
#endif
