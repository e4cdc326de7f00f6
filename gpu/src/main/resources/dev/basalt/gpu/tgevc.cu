// Eigenvectors of pairs of complex triangular matrices by substitution, times their Schur vectors: a block of threads a problem.
#include "conditions.h"

namespace basalt {

// a·S - b·P, of which the eigenvalue b/a has a vector.
template <typename R>
struct Pencil {
    typedef Complex<R> T;
    const T *s, *p;
    i64 lds, ldp;
    R a;
    T b;

    BASALT_DEVICE T operator()(i64 i, i64 j) const { return times(a, s[i + j * lds]) - b * p[i + j * ldp]; }

    // A pair of numbers that makes one of both matrices about 1 and the other no larger.
    BASALT_DEVICE void choose(i64 k, R normS, R normP) {
        R beta = re(p[k + k * ldp]) / normP;
        T own = s[k + k * lds];
        own.re /= normS;
        own.im /= normS;
        R large = largerOf(absolute(beta), magnitude(own));
        if (!(large > 0)) {
            // Any number is an eigenvalue; the first unit vector will do.
            large = 1;
            beta = 1;
        }
        a = beta / large / normS;
        b.re = own.re / large / normP;
        b.im = own.im / large / normP;
    }
};

template <typename T>
BASALT_DEVICE typename Of<T>::Real largestAbove(i64 n, const T* a, i64 lda, typename Of<T>::Real* scratch) {
    typedef typename Of<T>::Real R;
    R size = Schur<R>::least();
    for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
        for (i64 i = threadIdx.x % 32; i <= j; i += 32) {
            size = larger(size, magnitude(a[i + j * lda]));
        }
    }
    return blockLargest(size, scratch);
}

// Left or right vectors, in the place of Schur vectors.
template <typename R>
BASALT_DEVICE void pairVectors(const Args& args, i64 problem, bool left, const Operand& o, Rows<R>& rows, R* scratch) {
    typedef Complex<R> T;
    i64 n = args.n;
    Pencil<R> g;
    g.s = at<T>(args.c, problem);
    g.lds = args.c.ld;
    g.p = at<T>(args.d, problem);
    g.ldp = args.d.ld;
    T* v = at<T>(o, problem);
    i64 ldv = o.ld;
    T* x = at<T>(args.a, problem);
    T* product = x + n;
    R normS = largestAbove(n, g.s, g.lds, scratch);
    R normP = largestAbove(n, g.p, g.ldp, scratch);
    R unit = Schur<R>::unit();
    R limit = unit / Schur<R>::least() / (R)n / 4;
    for (i64 done = 0; done < n; done++) {
        // A vector takes the place of a column that no later one needs.
        i64 k = left ? done : n - done - 1;
        i64 from = left ? k + 1 : 0;
        i64 to = left ? n : k;
        g.choose(k, normS, normP);
        R least = largerOf(unit * largerOf(g.a * normS, magnitude(g.b) * normP), Schur<R>::least() / unit);
        for (i64 i = from + threadIdx.x; i < to; i += blockDim.x) {
            x[i] = -(left ? conj(g(k, i), true) : g(i, k));
        }
        R factor = substituteRows(g, from, to, left, x, least, limit, rows);
        if (threadIdx.x == 0) {
            x[k] = Make<T>::real(factor);
        }
        __syncthreads();
        i64 first = left ? k : (i64)0;
        i64 terms = left ? n - k : k + 1;
        R size = 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            T sum = zero<T>();
            for (i64 l = first; l < first + terms; l++) {
                fma(v[i + l * ldv], x[l], sum);
            }
            product[i] = sum;
            size = larger(size, magnitude(sum));
        }
        size = blockLargest(size, scratch);
        R by = size > 0 ? 1 / size : (R)1;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            v[i + k * ldv] = times(by, product[i]);
        }
        __syncthreads();
    }
}

// x: 1 for left vectors, 2 for right ones, 3 for both.
template <typename T>
BASALT_DEVICE void tgevc(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ Rows<R> rows;
    __shared__ R scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            if ((args.x >> side & 1) != 0) {
                pairVectors(args, problem, side == 0, side == 0 ? args.f : args.g, rows, scratch);
            }
        }
    }
}

}  // namespace basalt

#define TGEVC(t, T) BASALT_KERNEL(basalt_tgevc_##t) { basalt::tgevc<T>(args); }
BASALT_C(TGEVC)
BASALT_Z(TGEVC)
