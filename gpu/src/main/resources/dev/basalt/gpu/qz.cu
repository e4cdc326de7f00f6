// The Schur forms of pairs of complex matrices by the QZ algorithm (Moler and Stewart, "An algorithm for generalized matrix eigenvalue problems", 1973), and the exchange of their eigenvalues: a block of threads a problem. All
// threads make each decision from the same numbers; all apply reflectors and rotations to lines.
#include "pair.h"
#include "range.h"
#include "reflect.h"

namespace basalt {

// Steps for each eigenvalue; after so many without success a step has another shift.
enum { QZ_STEPS = 30, QZ_STUCK = 10 };

// (f, g) becomes (r, 0) by rows (c, s) and (-conj(s), c).
template <typename R>
struct Givens {
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

template <typename R>
BASALT_DEVICE Complex<R> complexRoot(Complex<R> x) {
    R large = largerOf(absolute(x.re), absolute(x.im));
    Complex<R> y = zero<Complex<R>>();
    if (large == 0) {
        return y;
    }
    R u = x.re / large;
    R v = x.im / large;
    R outer = root(large);
    R half = root((R)0.5 * (root(u * u + v * v) + absolute(u)));
    R other = absolute(v) / (2 * half);
    y.re = outer * (u >= 0 ? half : other);
    y.im = carrySign(outer * (u >= 0 ? other : half), x.im);
    return y;
}

// What is worked on: a and b of order n; q and z, 0 where they are not wanted.
template <typename R>
struct MatrixPair {
    typedef Complex<R> T;
    i64 n, lda, ldb, ldq, ldz;
    T *a, *b, *q, *z;
    R normA, normB;

    BASALT_DEVICE T& A(i64 i, i64 j) const { return a[i + j * lda]; }
    BASALT_DEVICE T& B(i64 i, i64 j) const { return b[i + j * ldb]; }

    // Rows i and i + 1 turn, a's from column fromA on and b's from column fromB on, and columns of q back. Element *p := r and *p0 := 0 where there are such. Begins with what all have read, ends with a barrier.
    BASALT_APART void turnRows(const Givens<R>& g, i64 i, i64 fromA, i64 fromB, T* p, T* p0) const {
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
    BASALT_APART void turnColumns(const Givens<R>& g, i64 j, i64 ofA, i64 ofB, T* p, T* p0) const {
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

    BASALT_DEVICE void set(const Givens<R>& g, T* p, T* p0) const {
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
        Givens<R> g(A(i, column), A(i + 1, column));
        turnRows(g, i, fromA, fromB, &A(i, column), &A(i + 1, column));
    }

    // b's element of row j in column j - 1 becomes zero.
    BASALT_DEVICE void columns(i64 j, i64 ofA, i64 ofB) const {
        Givens<R> g(B(j, j), B(j, j - 1));
        turnColumns(g, j, ofA, ofB, &B(j, j), &B(j, j - 1));
    }

    BASALT_DEVICE bool negligible(i64 i) const {
        R around = magnitude(A(i, i)) + magnitude(A(i - 1, i - 1));
        return magnitude(A(i, i - 1)) <= largerOf(Schur<R>::least(), Schur<R>::unit() * around);
    }

    // b has a zero at the end of the active block: one rotation of columns makes the eigenvalue there infinite.
    BASALT_DEVICE void infinite(i64 last) const {
        clear(B(last, last));
        Givens<R> g(A(last, last), A(last, last - 1));
        turnColumns(g, last, last, last, &A(last, last), &A(last, last - 1));
    }

    // Takes a zero on b's diagonal to the end of the active block.
    BASALT_DEVICE void chase(i64 first, i64 last) const {
        clear(B(first, first));
        for (i64 j = first; j < last; j++) {
            Givens<R> g(B(j, j + 1), B(j + 1, j + 1));
            turnRows(g, j, most((i64)0, j - 1), j + 2, &B(j, j + 1), &B(j + 1, j + 1));
            if (j > 0) {
                Givens<R> h(A(j + 1, j), A(j + 1, j - 1));
                turnColumns(h, j, j + 1, j, &A(j + 1, j), &A(j + 1, j - 1));
            }
        }
    }

    BASALT_DEVICE T ratio(T above, R factor, T below, R by) const { return divide(times(factor, above), times(by, below)); }

    // The eigenvalue of the last two rows of a·b⁻¹ that is nearer to the last element.
    BASALT_DEVICE T shift(i64 last, R scaleA, R scaleB) const {
        i64 before = last - 1;
        T u = ratio(B(before, last), 1, B(last, last), 1);
        T p = ratio(A(before, before), scaleA, B(before, before), scaleB);
        T low = ratio(A(last, before), scaleA, B(before, before), scaleB);
        T high = ratio(A(before, last), scaleA, B(last, last), scaleB) - u * p;
        T end = ratio(A(last, last), scaleA, B(last, last), scaleB) - u * low;
        T w = complexRoot(high) * complexRoot(low);
        T x = times((R)0.5, p - end);
        R large = largerOf(magnitude(w), magnitude(x));
        if (isZero(w)) {
            return end;
        }
        T d = x;
        d.re /= large;
        d.im /= large;
        T e = w;
        e.re /= large;
        e.im /= large;
        T square;
        square.re = d.re * d.re - d.im * d.im + e.re * e.re - e.im * e.im;
        square.im = 2 * (d.re * d.im + e.re * e.im);
        T y = times(large, complexRoot(square));
        if (d.re * y.re + d.im * y.im < 0) {
            y = -y;
        }
        return end - w * divide(w, x + y);
    }

    BASALT_DEVICE void step(i64 first, i64 last, i64 tries, T& unusual) const {
        R scaleA = 1 / largerOf(Schur<R>::least(), normA);
        R scaleB = 1 / largerOf(Schur<R>::least(), normB);
        T by;
        if (tries % QZ_STUCK == 0) {
            unusual = unusual + ratio(A(last, last - 1), scaleA, B(last - 1, last - 1), scaleB);
            by = unusual;
        } else {
            by = shift(last, scaleA, scaleB);
        }
        Givens<R> g(times(scaleA, A(first, first)) - by * times(scaleB, B(first, first)),
                    times(scaleA, A(first + 1, first)));
        turnRows(g, first, first, first, 0, 0);
        for (i64 j = first; j < last; j++) {
            if (j > first) {
                rows(j, j - 1, j, j);
            }
            columns(j + 1, basalt::least(j + 2, last) + 1, j + 1);
        }
    }

    // The index behind the last eigenvalue that has not converged.
    BASALT_DEVICE i64 iterate() const {
        i64 left = QZ_STEPS * n;
        i64 last = n - 1;
        i64 tries = 0;
        T unusual = zero<T>();
        R smallB = largerOf(Schur<R>::least(), Schur<R>::unit() * normB);
        // Each eigenvalue is taken off once, behind two passes more where it is infinite.
        for (i64 passes = left + 4 * n; last >= 0 && passes > 0; passes--) {
            if (last == 0 || negligible(last)) {
                if (last > 0) {
                    clear(A(last, last - 1));
                }
                last--;
                tries = 0;
                unusual = zero<T>();
                continue;
            }
            if (magnitude(B(last, last)) <= smallB) {
                infinite(last);
                continue;
            }
            i64 first = last;
            bool splits = false;
            bool nothing = false;
            while (!splits && !nothing) {
                first--;
                splits = first == 0 || negligible(first);
                nothing = magnitude(B(first, first)) <= smallB;
            }
            if (splits && first > 0) {
                clear(A(first, first - 1));
            }
            if (nothing) {
                chase(first, last);
                continue;
            }
            if (left-- <= 0) {
                break;
            }
            step(first, last, ++tries, unusual);
        }
        return last + 1;
    }

    // Turns column i so that b's diagonal element is real and not negative.
    BASALT_DEVICE void normal(i64 i) const {
        T own = B(i, i);
        R large = largerOf(absolute(own.re), absolute(own.im));
        if (large <= Schur<R>::least()) {
            clear(B(i, i));
            return;
        }
        if (own.im == 0 && own.re > 0) {
            return;
        }
        own.re /= large;
        own.im /= large;
        R length = root(own.re * own.re + own.im * own.im);
        T phase;
        phase.re = own.re / length;
        phase.im = -(own.im / length);
        __syncthreads();
        i64 ofZ = z != 0 ? n : 0;
        for (i64 l = threadIdx.x; l < 2 * i + 1 + ofZ; l += blockDim.x) {
            T& x = l <= i ? A(l, i) : l < 2 * i + 1 ? B(l - i - 1, i) : z[l - 2 * i - 1 + i * ldz];
            x = phase * x;
        }
        if (threadIdx.x == 0) {
            B(i, i) = Make<T>::real(large * length);
        }
        __syncthreads();
    }

    // Eigenvalues k and k + 1 change places (Van Dooren, "A generalized eigenvalue approach for solving Riccati equations", 1981).
    BASALT_DEVICE void exchange(i64 k) const {
        R largeA = largest(A(k, k), A(k + 1, k + 1), A(k, k + 1));
        R largeB = largest(B(k, k), B(k + 1, k + 1), B(k, k + 1));
        T s = over(A(k + 1, k + 1), largeA);
        T t = over(B(k + 1, k + 1), largeB);
        T f = s * over(B(k, k), largeB) - t * over(A(k, k), largeA);
        T g = s * over(B(k, k + 1), largeB) - t * over(A(k, k + 1), largeA);
        bool first = magnitude(A(k + 1, k + 1)) / largeA * (magnitude(B(k, k)) / largeB)
                     >= magnitude(A(k, k)) / largeA * (magnitude(B(k + 1, k + 1)) / largeB);
        Givens<R> h(g, f);
        // x := c·x - conj(s)·y of the first column.
        h.s = -conj(h.s, true);
        __syncthreads();
        i64 rows = k + 2;
        i64 ofZ = z != 0 ? n : 0;
        for (i64 l = threadIdx.x; l < 2 * rows + ofZ; l += blockDim.x) {
            T* x = l < rows ? &A(l, k) : l < 2 * rows ? &B(l - rows, k) : z + (l - 2 * rows) + k * ldz;
            h.turn(x, x + (l < rows ? lda : l < 2 * rows ? ldb : ldz), false);
        }
        __syncthreads();
        Givens<R> r(first ? A(k, k) : B(k, k), first ? A(k + 1, k) : B(k + 1, k));
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
    static BASALT_DEVICE T over(T x, R large) {
        x.re /= large;
        x.im /= large;
        return x;
    }
};

template <typename R>
BASALT_DEVICE MatrixPair<R> pairOf(const Args& args, i64 problem) {
    typedef Complex<R> T;
    MatrixPair<R> g;
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

// 0 if all numbers of a matrix are finite, else not a number.
template <typename R>
BASALT_DEVICE R nothingOf(i64 n, const Complex<R>* a, i64 lda, R* scratch) {
    R nothing = 0;
    for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
        for (i64 i = threadIdx.x % 32; i < n; i += 32) {
            nothing += 0 * a[i + j * lda].re + 0 * a[i + j * lda].im;
        }
    }
    return blockSum(nothing, scratch);
}

template <typename R>
BASALT_DEVICE void identity(i64 n, Complex<R>* a, i64 lda) {
    for (i64 e = threadIdx.x; a != 0 && e < n * n; e += blockDim.x) {
        a[e % n + e / n * lda] = e % n == e / n ? one<Complex<R>>() : zero<Complex<R>>();
    }
}

// The Frobenius norm, by sums of parts, of what is not below the diagonal beside the main one.
template <typename R>
BASALT_DEVICE R hessenbergNorm(i64 n, const Complex<R>* a, i64 lda, R* scratch) {
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
template <typename R>
BASALT_DEVICE void triangularB(const MatrixPair<R>& g, R* scratch) {
    typedef Complex<R> T;
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

template <typename T>
BASALT_DEVICE void qz(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        MatrixPair<R> g = pairOf<R>(args, problem);
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
            failed = g.iterate();
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

// As Selection is numbered.
enum { LEFT_HALF = 1, RIGHT_HALF = 2, INSIDE = 3, OUTSIDE = 4 };

// x: the rule.
template <typename T>
BASALT_DEVICE void tgsen(const Args& args) {
    typedef typename Of<T>::Real R;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        MatrixPair<R> g = pairOf<R>(args, problem);
        // Numbers were divided by powers of two; the rule is for eigenvalues before that.
        const R* norms = at<R>(args.b, problem);
        R small = smallOf((R)0);
        int by = (power(norms[args.b.ld], small) - power(norms[0], small)) * (sizeof(R) == 4 ? 103 : 970);
        i64 count = 0;
        for (i64 i = 0; i < g.n; i++) {
            double part = (double)g.A(i, i).re;
            double size = scalbn(hypot(part, (double)g.A(i, i).im), by > 0 ? by : 0);
            double beta = (double)g.B(i, i).re;
            double unit = scalbn(beta, by < 0 ? -by : 0);
            bool chosen = args.x == LEFT_HALF    ? part < 0 && beta > 0
                          : args.x == RIGHT_HALF ? part > 0 && beta > 0
                          : args.x == INSIDE     ? size < unit
                          : args.x == OUTSIDE    ? size > unit
                                                 : false;
            if (!chosen) {
                continue;
            }
            for (i64 k = i - 1; k >= count; k--) {
                g.exchange(k);
            }
            count++;
        }
        for (i64 i = 0; i < g.n; i++) {
            g.normal(i);
        }
        if (threadIdx.x == 0) {
            *at<i64>(args.a, problem) = count;
        }
        __syncthreads();
    }
}

template <typename T>
BASALT_DEVICE void pairValues(const Args& args) {
    typedef typename Of<T>::Real R;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        int info = *at<int>(args.e, problem);
        i64 from = info > 0 && info <= args.n ? info : 0;
        const T* c = at<T>(args.c, problem);
        const T* d = at<T>(args.d, problem);
        for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
            // A part of zero over zero.
            R none = 0;
            none = i < from ? none / none : none;
            T alpha = c[i * (args.c.ld + 1)];
            T beta = zero<T>();
            beta.re = d[i * (args.d.ld + 1)].re + none;
            beta.im = none;
            if (i < from) {
                alpha.re = none;
                alpha.im = none;
            }
            at<T>(args.a, problem)[i] = alpha;
            at<T>(args.f, problem)[i] = beta;
        }
    }
}

}  // namespace basalt

#define QZ(t, T)                                                \
    BASALT_KERNEL(basalt_qz_##t) { basalt::qz<T>(args); }       \
    BASALT_KERNEL(basalt_tgsen_##t) { basalt::tgsen<T>(args); } \
    BASALT_KERNEL(basalt_pair_values_##t) { basalt::pairValues<T>(args); }
BASALT_C(QZ)
BASALT_Z(QZ)
