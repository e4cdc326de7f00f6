// How sensitive eigenvalues of Schur forms are, and their vectors or the spaces of some of them: a block of threads a problem.
#include "conditions.h"
#include "exchange.h"
#include "sylvester.h"

namespace basalt {

// A form whose first eigenvalue has been taken off, without its first row and column.
template <typename R>
struct Rest {
    const Complex<R>* t;
    i64 n;

    BASALT_DEVICE Complex<R> operator()(i64 i, i64 j) const {
        Complex<R> x = t[i + j * n];
        return i == j ? x - t[0] : x;
    }
};

// Systems with it; row i of the vector belongs to row i + 1 of the form.
template <typename R>
struct RestSolve {
    Rest<R> rest;
    Complex<R>* x;
    R least, limit;
    Rows<R>* rows;

    BASALT_DEVICE R operator()(bool adjoint) const {
        return substituteRows(rest, (i64)1, rest.n, adjoint, x - 1, least, limit, *rows);
    }
};

// The form in scratch: a complex one as it is.
template <typename R>
BASALT_DEVICE void triangularCopy(i64 n, const Complex<R>* t, i64 ldt, Complex<R>* to) {
    for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
        i64 i = e % n;
        i64 j = e / n;
        to[e] = i > j ? zero<Complex<R>>() : t[i + j * ldt];
    }
    __syncthreads();
}

// x := p·x + i·q·y, y := i·q·x + p·y.
template <typename R>
BASALT_DEVICE void turnComplex(i64 count, Complex<R>* x, Complex<R>* y, i64 step, R p, R q) {
    for (i64 i = threadIdx.x; i < count; i += blockDim.x) {
        Complex<R> u = x[i * step];
        Complex<R> v = y[i * step];
        x[i * step].re = p * u.re - q * v.im;
        x[i * step].im = p * u.im + q * v.re;
        y[i * step].re = p * v.re - q * u.im;
        y[i * step].im = p * v.im + q * u.re;
    }
    __syncthreads();
}

// Pairs of a real one become triangular: the vector of the eigenvalue with positive imaginary part is (above, i·imaginary part).
template <typename R>
BASALT_DEVICE void triangularCopy(i64 n, const R* t, i64 ldt, Complex<R>* to) {
    for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
        i64 i = e % n;
        i64 j = e / n;
        to[e] = Make<Complex<R>>::real(i > j + 1 ? (R)0 : t[i + j * ldt]);
    }
    __syncthreads();
    for (i64 k = 0; k + 1 < n; k++) {
        R below = t[k + 1 + k * ldt];
        if (below == 0) {
            continue;
        }
        R above = t[k + (k + 1) * ldt];
        R im = root(absolute(above)) * root(absolute(below));
        R large = largerOf(absolute(above), im);
        R p = above / large;
        R q = im / large;
        R r = root(p * p + q * q);
        p /= r;
        q /= r;
        Complex<R>* own = to + k * (n + 1);
        Complex<R> value = Make<Complex<R>>::of((double)t[k + k * ldt], (double)im);
        turnComplex(k + 2, to + k * n, to + (k + 1) * n, (i64)1, p, q);
        turnComplex(n - k, own, own + 1, n, p, -q);
        if (threadIdx.x == 0) {
            own[0] = value;
            own[1] = zero<Complex<R>>();
            own[n + 1] = conj(value, true);
        }
        __syncthreads();
    }
}

// The length of n elements and one more.
template <typename R>
BASALT_DEVICE R lengthWith(R first, i64 n, const Complex<R>* x, R* scratch) {
    R large = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        large = larger(large, magnitude(x[i]));
    }
    large = largerOf(absolute(first), blockLargest(large, scratch));
    R sum = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        R p = x[i].re / large;
        R q = x[i].im / large;
        sum += p * p + q * q;
    }
    return large * root(blockSum(sum, scratch) + first / large * (first / large));
}

template <typename R>
BASALT_DEVICE bool beginsPair(const R* t, i64 ldt, i64 k, i64 n) {
    return k + 1 < n && t[k + 1 + k * ldt] != 0;
}
template <typename R>
BASALT_DEVICE bool beginsPair(const Complex<R>*, i64, i64, i64) {
    return false;
}

template <typename T>
BASALT_DEVICE void trsna(const Args& args) {
    typedef typename Of<T>::Real R;
    typedef Complex<R> Z;
    __shared__ Rows<R> rows;
    __shared__ Swap<Z> swap;
    __shared__ Estimate<Z> estimate;
    __shared__ R scratch[33];
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* form = at<T>(args.c, problem);
        i64 ldt = args.c.ld;
        R* values = args.a.base == 0 ? 0 : at<R>(args.a, problem);
        R* vectors = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        Z* t = at<Z>(args.g, problem);
        triangularCopy(n, form, ldt, t);
        R norm = 0;
        for (i64 j = threadIdx.x; j < n; j += blockDim.x) {
            for (i64 i = 0; i <= j; i++) {
                norm = larger(norm, magnitude(t[i + j * n]));
            }
        }
        norm = blockLargest(norm, scratch);
        R unit = Schur<R>::unit();
        RestSolve<R> solve;
        solve.rest.t = t;
        solve.rest.n = n;
        solve.x = t + n * n;
        solve.least = largerOf(unit * norm, Schur<R>::least() / unit);
        solve.limit = (1 - unit) / (Schur<R>::least() * ((R)n / unit)) / largerOf((R)1, norm) / (R)n;
        solve.rows = &rows;
        Reordered<Z> g;
        g.n = n;
        g.t = t;
        g.ldt = n;
        g.q = 0;
        g.ldq = 0;
        g.rows = 0;
        g.arrived = true;
        for (i64 k = 0; k < n; k++) {
            bool two = beginsPair(form, ldt, k, n);
            moveUp(g, swap, k, (i64)0);
            if (values != 0) {
                for (i64 i = 1 + threadIdx.x; i < n; i += blockDim.x) {
                    solve.x[i - 1] = -conj(t[i * n], true);
                }
                R factor = solve(true);
                R length = lengthWith(factor, n - 1, solve.x, scratch);
                if (threadIdx.x == 0) {
                    values[k] = factor / length;
                    if (two) {
                        values[k + 1] = factor / length;
                    }
                }
            }
            if (vectors != 0) {
                __syncthreads();
                R distance = (R)(n == 1 ? modulus(t[0]) : 1 / normEstimate(n - 1, solve.x, solve, estimate));
                if (threadIdx.x == 0) {
                    vectors[k] = distance;
                    if (two) {
                        vectors[k + 1] = distance;
                    }
                }
            }
            __syncthreads();
            k += two ? 1 : 0;
        }
    }
}

// The equation of both parts of a form.
template <typename T>
struct SpaceSolve {
    Sylvester<T> g;
    Patch<T>* patch;

    BASALT_DEVICE typename Of<T>::Real operator()(bool adjoint) {
        __syncthreads();
        g.opA = adjoint ? CONJ_TRANS : NONE;
        g.opB = g.opA;
        sylvester(g, *patch);
        return g.scale;
    }
};

// The largest sum of a column of a form.
template <typename T>
BASALT_DEVICE double columnSums(i64 n, const T* t, i64 ldt, double* scratch) {
    double large = 0;
    for (i64 j = threadIdx.x; j < n; j += blockDim.x) {
        double sum = 0;
        for (i64 i = 0; i < least(n, j + (Of<T>::parts == 1 ? 2 : 1)); i++) {
            sum += modulus(t[i + j * ldt]);
        }
        large = larger(large, sum);
    }
    return blockLargest(large, scratch);
}

template <typename T>
BASALT_DEVICE void trsenSense(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ Patch<T> patch;
    __shared__ Estimate<T> estimate;
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* t = at<T>(args.c, problem);
        i64 ldt = args.c.ld;
        i64 first = *at<i64>(args.f, problem);
        i64 rest = n - first;
        bool whole = first <= 0 || rest <= 0;
        SpaceSolve<T> solve;
        solve.g.m = first;
        solve.g.n = rest;
        solve.g.a = t;
        solve.g.lda = ldt;
        solve.g.b = t + first * (ldt + 1);
        solve.g.ldb = ldt;
        solve.g.c = at<T>(args.g, problem);
        solve.g.ldc = first;
        solve.g.sign = -1;
        solve.patch = &patch;
        T* x = solve.g.c;
        i64 count = first * rest;
        if (args.a.base != 0) {
            double number = 1;
            if (!whole) {
                for (i64 e = threadIdx.x; e < count; e += blockDim.x) {
                    x[e] = t[e % first + (first + e / first) * ldt];
                }
                double scale = (double)solve(false);
                double large = 0;
                for (i64 e = threadIdx.x; e < count; e += blockDim.x) {
                    large = larger(large, modulus(x[e]));
                }
                large = largerOf(scale, blockLargest(large, estimate.scratch));
                double sum = 0;
                for (i64 e = threadIdx.x; e < count; e += blockDim.x) {
                    double part = modulus(x[e]) / large;
                    sum += part * part;
                }
                sum = blockSum(sum, estimate.scratch) + scale / large * (scale / large);
                number = scale / large / root(sum);
            }
            if (threadIdx.x == 0) {
                *at<R>(args.a, problem) = (R)number;
            }
        }
        if (args.b.base != 0) {
            __syncthreads();
            double number = whole ? columnSums(n, t, ldt, estimate.scratch)
                                  : 1 / normEstimate(count, x, solve, estimate);
            if (threadIdx.x == 0) {
                *at<R>(args.b, problem) = (R)number;
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define CONDITIONS(t, T)                                        \
    BASALT_KERNEL(basalt_trsna_##t) { basalt::trsna<T>(args); } \
    BASALT_KERNEL(basalt_trsen_sense_##t) { basalt::trsenSense<T>(args); }
BASALT_EACH_TYPE(CONDITIONS)
