// Eigenvectors of pairs of real matrices in Schur form by substitution, times their Schur vectors: a block of threads a problem. Those of complex eigenvalues have two columns, for the real and the imaginary parts of the one with a positive
// imaginary part.
#include "pencil.h"
#include "reflect.h"
#include "substitution.h"

namespace basalt {

// a·S - b·P, of which the eigenvalue b/a has a vector; for left vectors its conjugate transpose.
template <typename R>
struct Shifted {
    typedef Complex<R> T;
    MatrixPair<R> g;
    R a;
    T b;
    bool left;

    BASALT_DEVICE bool pair(i64 i) const { return i >= 0 && i + 1 < g.n && g.A(i + 1, i) != 0; }

    // What the unknown in row r means for row i.
    BASALT_DEVICE T operator()(i64 i, i64 r) const {
        R s = left ? g.A(r, i) : g.A(i, r);
        R p = left ? g.B(r, i) : g.B(i, r);
        T z;
        z.re = a * s - b.re * p;
        z.im = left ? b.im * p : -b.im * p;
        return z;
    }
    // The same in a block, where P has nothing beside its diagonal.
    BASALT_DEVICE T beside(i64 i, i64 r) const { return Make<T>::real(a * (left ? g.A(r, i) : g.A(i, r))); }

    // A pair of numbers that makes one of both matrices about 1 and the other no larger.
    BASALT_DEVICE void choose(R re, R im, R beta, R normS, R normP) {
        R below = beta / normP;
        re /= normS;
        im /= normS;
        R large = largerOf(absolute(below), absolute(re) + absolute(im));
        if (!(large > 0)) {
            // Any number is an eigenvalue; the first unit vector will do.
            large = 1;
            below = 1;
        }
        a = below / large / normS;
        b.re = re / large / normP;
        b.im = im / large / normP;
    }
};

template <typename R>
BASALT_DEVICE R largestElement(i64 n, const R* a, i64 lda, R* scratch) {
    R size = Schur<R>::least();
    for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
        for (i64 i = threadIdx.x % 32; i < least(n, j + 2); i += 32) {
            size = larger(size, absolute(a[i + j * lda]));
        }
    }
    return blockLargest(size, scratch);
}

// The eigenvalue of the block that begins with row k, and the vector in its rows.
template <typename R>
BASALT_DEVICE void ownRows(Shifted<R>& m, i64 k, bool two, R normS, R normP, Unknowns<R>& u) {
    typedef Complex<R> T;
    u.first = one<T>();
    u.second = zero<T>();
    u.factor = 1;
    if (!two) {
        m.choose(m.g.A(k, k), 0, m.g.B(k, k), normS, normP);
        return;
    }
    Pencil<R> p;
    p.read(m.g, k);
    p.values();
    m.choose(p.alphaRe1, p.alphaIm1, p.beta1, normS, normP);
    T first = m(k, k);
    T last = m(k + 1, k + 1);
    T above = m.beside(k, k + 1);
    T below = m.beside(k + 1, k);
    // What the larger row lets be.
    if (magnitude(first) + magnitude(above) >= magnitude(last) + magnitude(below)) {
        u.first = -above;
        u.second = first;
    } else {
        u.first = last;
        u.second = -below;
    }
    R most = largerOf(magnitude(u.first), magnitude(u.second));
    u.first = times(1 / most, u.first);
    u.second = times(1 / most, u.second);
}

// The vector of the eigenvalue in row k, by a block. What all have read of a row one thread overwrites behind the next barrier.
template <typename R>
BASALT_APART void substitute(Shifted<R>& m, i64 k, bool two, const Column<R>& c, R normS, R normP, R limit) {
    typedef Complex<R> T;
    i64 n = m.g.n;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        c.put(i, zero<T>());
    }
    Unknowns<R> u;
    ownRows(m, k, two, normS, normP, u);
    R unit = Schur<R>::unit();
    R smallest = largerOf(unit * largerOf(m.a * normS, magnitude(m.b) * normP), Schur<R>::least() / unit);
    i64 first = k;
    i64 last = two ? k + 1 : k;
    __syncthreads();
    while (true) {
        i64 begin = m.left ? last + 1 : 0;
        i64 end = m.left ? n : first;
        for (i64 i = begin + threadIdx.x; i < end; i += blockDim.x) {
            T x = c.get(i) - m(i, first) * u.first;
            c.put(i, last > first ? x - m(i, last) * u.second : x);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            c.put(first, u.first);
            if (last > first) {
                c.put(last, u.second);
            }
        }
        if (begin >= end) {
            break;
        }
        first = m.left ? last + 1 : first - 1;
        last = first;
        if (m.left) {
            last += m.pair(first) ? 1 : 0;
        } else {
            first -= m.pair(first - 1) ? 1 : 0;
        }
        u.first = c.get(first);
        T own = m(first, first);
        if (last > first) {
            u.second = c.get(last);
            solveTwo(u, own, m.beside(first, last), m.beside(last, first), m(last, last), smallest, limit);
        } else {
            solveOne(u, own, smallest, limit);
        }
        // Nor may the products with the unknowns be too large.
        R size = u.size(last > first);
        if (size > limit) {
            u.shrink(size);
        }
        follow(u, c, first, last, n);
    }
    __syncthreads();
}

// Left or right vectors, in the place of Schur vectors.
template <typename R>
BASALT_DEVICE void pairVectors(const Args& args, i64 problem, bool left, const Operand& o, R* scratch) {
    typedef Complex<R> T;
    i64 n = args.n;
    Shifted<R> m;
    m.g.n = n;
    m.g.a = at<R>(args.c, problem);
    m.g.lda = args.c.ld;
    m.g.b = at<R>(args.d, problem);
    m.g.ldb = args.d.ld;
    m.left = left;
    R* v = at<R>(o, problem);
    i64 ldv = o.ld;
    R* x = at<R>(args.a, problem);
    R* product = x + 2 * n;
    R normS = largestElement(n, m.g.a, m.g.lda, scratch);
    R normP = largestElement(n, m.g.b, m.g.ldb, scratch);
    R limit = Schur<R>::unit() / Schur<R>::least() / (R)n / 4;
    for (i64 done = 0; done < n;) {
        // A vector takes the place of columns that no later one needs.
        i64 last = left ? done : n - done - 1;
        i64 k = !left && m.pair(last - 1) ? last - 1 : last;
        bool two = m.pair(k);
        Column<R> c(x, two, n);
        substitute(m, k, two, c, normS, normP, limit);
        i64 from = left ? k : (i64)0;
        i64 to = left ? n : k + (two ? 2 : 1);
        Column<R> y(product, two, n);
        R size = 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            T sum = zero<T>();
            for (i64 l = from; l < to; l++) {
                R element = v[i + l * ldv];
                T z = c.get(l);
                sum.re += element * z.re;
                sum.im += element * z.im;
            }
            y.put(i, sum);
            size = larger(size, magnitude(sum));
        }
        size = blockLargest(size, scratch);
        R by = size > 0 ? 1 / size : (R)1;
        Column<R> result(v + k * ldv, two, ldv);
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            result.put(i, times(by, y.get(i)));
        }
        __syncthreads();
        done += two ? 2 : 1;
    }
}

// x: 1 for left vectors, 2 for right ones, 3 for both.
template <typename R>
BASALT_DEVICE void tgevc(const Args& args) {
    __shared__ R scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            if ((args.x >> side & 1) != 0) {
                pairVectors(args, problem, side == 0, side == 0 ? args.f : args.g, scratch);
            }
        }
    }
}

}  // namespace basalt

#define REAL_TGEVC(t, T) BASALT_KERNEL(basalt_tgevc_##t) { basalt::tgevc<T>(args); }
BASALT_S(REAL_TGEVC)
BASALT_D(REAL_TGEVC)
