// Pairs of matrices whose rows and columns turn, real or complex, by a block of threads. All make each decision from the same numbers; all apply reflectors and rotations to lines.
#ifndef BASALT_TURNS_H
#define BASALT_TURNS_H
#include "pair.h"
#include "range.h"

namespace basalt {

// (f, g) becomes (r, 0) by rows (c, s) and (-conj(s), c).
template <typename T>
struct Givens {
    T c, s, r;

    BASALT_DEVICE Givens(T f, T g) {
        c = 1;
        s = 0;
        r = f;
        if (g == 0) {
            return;
        }
        T large = largerOf(absolute(f), absolute(g));
        T x = f / large;
        T y = g / large;
        T size = root(x * x + y * y);
        c = x / size;
        s = y / size;
        r = size * large;
    }

    // x := c·x + s·y, y := c·y - s·x.
    BASALT_DEVICE void turn(T* p, T* q, bool) const {
        T x = *p;
        T y = *q;
        *p = c * x + s * y;
        *q = c * y - s * x;
    }
};

template <typename R>
struct Givens<Complex<R>> {
    R c;
    Complex<R> s, r;

    BASALT_DEVICE Givens(Complex<R> f, Complex<R> g) {
        R large = largerOf(largerOf(absolute(f.re), absolute(f.im)), largerOf(absolute(g.re), absolute(g.im)));
        c = 1;
        s = zero<Complex<R>>();
        r = f;
        if (isZero(g)) {
            return;
        }
        R x = f.re / large;
        R y = f.im / large;
        R u = g.re / large;
        R v = g.im / large;
        R size = root(x * x + y * y);
        R whole = root(x * x + y * y + u * u + v * v);
        Complex<R> phase;
        phase.re = size == 0 ? (R)1 : x / size;
        phase.im = size == 0 ? (R)0 : y / size;
        c = size / whole;
        s.re = (phase.re * u + phase.im * v) / whole;
        s.im = (phase.im * u - phase.re * v) / whole;
        r = times(whole * large, phase);
    }

    // x := c·x + s·y, y := c·y - conj(s)·x, with s or its conjugate.
    BASALT_DEVICE void turn(Complex<R>* p, Complex<R>* q, bool conjugated) const {
        Complex<R> factor = conj(s, conjugated);
        Complex<R> x = *p;
        Complex<R> y = *q;
        *p = times(c, x) + factor * y;
        *q = times(c, y) - conj(factor, true) * x;
    }
};

// What is worked on: a and b of order n; q and z, 0 where they are not wanted.
template <typename T>
struct MatrixPair {
    typedef typename Of<T>::Real R;
    i64 n, lda, ldb, ldq, ldz;
    T *a, *b, *q, *z;
    R normA, normB;

    BASALT_DEVICE T& A(i64 i, i64 j) const { return a[i + j * lda]; }
    BASALT_DEVICE T& B(i64 i, i64 j) const { return b[i + j * ldb]; }

    // Rows i and i + 1 turn, a's from column fromA on and b's from column fromB on, and columns of q back. Element *p := r and *p0 := 0 where there are such. Begins with what all have read, ends with a barrier.
    BASALT_APART void turnRows(const Givens<T>& g, i64 i, i64 fromA, i64 fromB, T* p, T* p0) const {
        __syncthreads();
        i64 ofA = n - fromA;
        i64 ofB = n - fromB;
        i64 ofQ = q != 0 ? n : 0;
        for (i64 l = threadIdx.x; l < ofA + ofB + ofQ; l += blockDim.x) {
            if (l < ofA) {
                g.turn(&A(i, fromA + l), &A(i + 1, fromA + l), false);
            } else if (l < ofA + ofB) {
                g.turn(&B(i, fromB + l - ofA), &B(i + 1, fromB + l - ofA), false);
            } else {
                T* x = q + (l - ofA - ofB) + i * ldq;
                g.turn(x, x + ldq, true);
            }
        }
        set(g, p, p0);
        __syncthreads();
    }

    // Columns j and j - 1 turn: so many rows of a and of b, and z.
    BASALT_APART void turnColumns(const Givens<T>& g, i64 j, i64 ofA, i64 ofB, T* p, T* p0) const {
        __syncthreads();
        i64 ofZ = z != 0 ? n : 0;
        for (i64 l = threadIdx.x; l < ofA + ofB + ofZ; l += blockDim.x) {
            if (l < ofA) {
                g.turn(&A(l, j), &A(l, j - 1), false);
            } else if (l < ofA + ofB) {
                g.turn(&B(l - ofA, j), &B(l - ofA, j - 1), false);
            } else {
                T* x = z + (l - ofA - ofB) + j * ldz;
                g.turn(x, x - ldz, false);
            }
        }
        set(g, p, p0);
        __syncthreads();
    }

    BASALT_DEVICE void set(const Givens<T>& g, T* p, T* p0) const {
        if (threadIdx.x == 0 && p != 0) {
            *p = g.r;
            *p0 = zero<T>();
        }
    }

    // By one thread, between barriers.
    BASALT_DEVICE void clear(T& element) const {
        __syncthreads();
        if (threadIdx.x == 0) {
            element = zero<T>();
        }
        __syncthreads();
    }

    // a's element of row i + 1 in a column becomes zero.
    BASALT_DEVICE void rows(i64 i, i64 column, i64 fromA, i64 fromB) const {
        Givens<T> g(A(i, column), A(i + 1, column));
        turnRows(g, i, fromA, fromB, &A(i, column), &A(i + 1, column));
    }

    // b's element of row j in column j - 1 becomes zero.
    BASALT_DEVICE void columns(i64 j, i64 ofA, i64 ofB) const {
        Givens<T> g(B(j, j), B(j, j - 1));
        turnColumns(g, j, ofA, ofB, &B(j, j), &B(j, j - 1));
    }

    BASALT_DEVICE bool negligible(i64 i) const {
        R around = magnitude(A(i, i)) + magnitude(A(i - 1, i - 1));
        return magnitude(A(i, i - 1)) <= largerOf(Schur<R>::least(), Schur<R>::unit() * around);
    }

    // b has a zero at the end of the active block: one rotation of columns makes the eigenvalue there infinite.
    BASALT_DEVICE void infinite(i64 last) const {
        clear(B(last, last));
        Givens<T> g(A(last, last), A(last, last - 1));
        turnColumns(g, last, last, last, &A(last, last), &A(last, last - 1));
    }

    // Takes a zero on b's diagonal to the end of the active block.
    BASALT_DEVICE void chase(i64 first, i64 last) const {
        clear(B(first, first));
        for (i64 j = first; j < last; j++) {
            Givens<T> g(B(j, j + 1), B(j + 1, j + 1));
            turnRows(g, j, most((i64)0, j - 1), j + 2, &B(j, j + 1), &B(j + 1, j + 1));
            if (j > 0) {
                Givens<T> h(A(j + 1, j), A(j + 1, j - 1));
                turnColumns(h, j, j + 1, j, &A(j + 1, j), &A(j + 1, j - 1));
            }
        }
    }

    // Turns column i so that b's diagonal element is real and not negative.
    BASALT_DEVICE void normal(i64 i) const {
        T own = B(i, i);
        R large = largerOf(absolute(re(own)), absolute(im(own)));
        if (large <= Schur<R>::least()) {
            clear(B(i, i));
            return;
        }
        if (im(own) == 0 && re(own) > 0) {
            return;
        }
        R x = re(own) / large;
        R y = im(own) / large;
        R length = root(x * x + y * y);
        T phase = Make<T>::of(x / length, -(y / length));
        __syncthreads();
        // A real pair may have an element below the diagonal.
        i64 ofA = Of<T>::parts == 1 ? least(n, i + 2) : i + 1;
        i64 ofZ = z != 0 ? n : 0;
        for (i64 l = threadIdx.x; l < ofA + i + ofZ; l += blockDim.x) {
            T& element = l < ofA ? A(l, i) : l < ofA + i ? B(l - ofA, i) : z[l - ofA - i + i * ldz];
            element = phase * element;
        }
        if (threadIdx.x == 0) {
            B(i, i) = Make<T>::real(large * length);
        }
        __syncthreads();
    }

    // Eigenvalues k and k + 1 change places (Van Dooren, "A generalized eigenvalue approach for solving Riccati equations", 1981).
    BASALT_APART void exchange(i64 k) const {
        R largeA = largest(A(k, k), A(k + 1, k + 1), A(k, k + 1));
        R largeB = largest(B(k, k), B(k + 1, k + 1), B(k, k + 1));
        T s = over(A(k + 1, k + 1), largeA);
        T t = over(B(k + 1, k + 1), largeB);
        T f = s * over(B(k, k), largeB) - t * over(A(k, k), largeA);
        T g = s * over(B(k, k + 1), largeB) - t * over(A(k, k + 1), largeA);
        bool first = magnitude(A(k + 1, k + 1)) / largeA * (magnitude(B(k, k)) / largeB)
                     >= magnitude(A(k, k)) / largeA * (magnitude(B(k + 1, k + 1)) / largeB);
        Givens<T> h(g, f);
        // x := c·x - conj(s)·y of the first column.
        h.s = -conj(h.s, true);
        __syncthreads();
        i64 ofA = k + 2;
        i64 ofZ = z != 0 ? n : 0;
        for (i64 l = threadIdx.x; l < 2 * ofA + ofZ; l += blockDim.x) {
            T* x = l < ofA ? &A(l, k) : l < 2 * ofA ? &B(l - ofA, k) : z + (l - 2 * ofA) + k * ldz;
            h.turn(x, x + (l < ofA ? lda : l < 2 * ofA ? ldb : ldz), false);
        }
        __syncthreads();
        Givens<T> r(first ? A(k, k) : B(k, k), first ? A(k + 1, k) : B(k + 1, k));
        turnRows(r, k, k, k, 0, 0);
        if (threadIdx.x == 0) {
            A(k + 1, k) = zero<T>();
            B(k + 1, k) = zero<T>();
        }
        __syncthreads();
    }

    static BASALT_DEVICE R largest(T x, T y, T w) {
        return largerOf(Schur<R>::least(), largerOf(magnitude(x), largerOf(magnitude(y), magnitude(w))));
    }
    static BASALT_DEVICE T over(T x, R large) { return Make<T>::of(re(x) / large, im(x) / large); }
};

template <typename T>
BASALT_DEVICE MatrixPair<T> pairOf(const Args& args, i64 problem) {
    MatrixPair<T> g;
    g.n = args.n;
    g.a = at<T>(args.c, problem);
    g.lda = args.c.ld;
    g.b = at<T>(args.d, problem);
    g.ldb = args.d.ld;
    g.q = args.f.base == 0 ? 0 : at<T>(args.f, problem);
    g.ldq = args.f.ld;
    g.z = args.g.base == 0 ? 0 : at<T>(args.g, problem);
    g.ldz = args.g.ld;
    g.normA = 0;
    g.normB = 0;
    return g;
}

// As Selection is numbered.
enum { LEFT_HALF = 1, RIGHT_HALF = 2, INSIDE = 3, OUTSIDE = 4 };

// Numbers were divided by powers of two: eigenvalues before that are those of a pair times this power.
template <typename R>
BASALT_DEVICE int powerBefore(const Args& args, i64 problem) {
    const R* norms = at<R>(args.b, problem);
    R small = smallOf((R)0);
    return (power(norms[args.b.ld], small) - power(norms[0], small)) * (sizeof(R) == 4 ? 103 : 970);
}

// Whether a rule chooses an eigenvalue times a power of two; it is infinite where beta is 0.
BASALT_DEVICE bool chooses(int rule, int by, double x, double y, double beta) {
    double size = scalbn(hypot(x, y), by > 0 ? by : 0);
    double unit = scalbn(beta, by < 0 ? -by : 0);
    return rule == LEFT_HALF    ? x < 0 && beta > 0
           : rule == RIGHT_HALF ? x > 0 && beta > 0
           : rule == INSIDE     ? size < unit
           : rule == OUTSIDE    ? size > unit
                                : false;
}

}  // namespace basalt
#endif
