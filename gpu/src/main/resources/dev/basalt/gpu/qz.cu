// The Schur forms of pairs of complex matrices by the QZ algorithm, and the exchange of their eigenvalues: a block of threads a problem. real_qz.cu has those of real ones.
#include "qz.h"

namespace basalt {

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

// Steps with one shift.
template <typename Z>
struct ComplexSteps {
    typedef Z T;
    typedef typename Of<Z>::Real R;
    MatrixPair<T> g;
    T unusual;

    BASALT_DEVICE void begin() { unusual = zero<T>(); }
    BASALT_DEVICE int pair(i64) const { return 0; }

    BASALT_DEVICE T ratio(T above, R factor, T below, R by) const { return divide(times(factor, above), times(by, below)); }

    // The eigenvalue of the last two rows of a·b⁻¹ that is nearer to the last element.
    BASALT_DEVICE T shift(i64 last, R scaleA, R scaleB) const {
        i64 before = last - 1;
        T u = ratio(g.B(before, last), 1, g.B(last, last), 1);
        T p = ratio(g.A(before, before), scaleA, g.B(before, before), scaleB);
        T low = ratio(g.A(last, before), scaleA, g.B(before, before), scaleB);
        T high = ratio(g.A(before, last), scaleA, g.B(last, last), scaleB) - u * p;
        T end = ratio(g.A(last, last), scaleA, g.B(last, last), scaleB) - u * low;
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

    BASALT_DEVICE void step(i64 first, i64 last, i64 tries) {
        R scaleA = 1 / largerOf(Schur<R>::least(), g.normA);
        R scaleB = 1 / largerOf(Schur<R>::least(), g.normB);
        T by;
        if (tries % QZ_STUCK == 0) {
            unusual = unusual + ratio(g.A(last, last - 1), scaleA, g.B(last - 1, last - 1), scaleB);
            by = unusual;
        } else {
            by = shift(last, scaleA, scaleB);
        }
        Givens<T> turn(times(scaleA, g.A(first, first)) - by * times(scaleB, g.B(first, first)),
                       times(scaleA, g.A(first + 1, first)));
        g.turnRows(turn, first, first, first, 0, 0);
        for (i64 j = first; j < last; j++) {
            if (j > first) {
                g.rows(j, j - 1, j, j);
            }
            g.columns(j + 1, basalt::least(j + 2, last) + 1, j + 1);
        }
    }
};

// x: the rule.
template <typename T>
BASALT_DEVICE void tgsen(const Args& args) {
    typedef typename Of<T>::Real R;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        MatrixPair<T> g = pairOf<T>(args, problem);
        int by = powerBefore<R>(args, problem);
        i64 count = 0;
        for (i64 i = 0; i < g.n; i++) {
            T alpha = g.A(i, i);
            if (!chooses(args.x, by, (double)alpha.re, (double)alpha.im, (double)g.B(i, i).re)) {
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

#define QZ(t, T)                                                             \
    BASALT_KERNEL(basalt_qz_##t) { basalt::qz<basalt::ComplexSteps<T>>(args); } \
    BASALT_KERNEL(basalt_tgsen_##t) { basalt::tgsen<T>(args); }              \
    BASALT_KERNEL(basalt_pair_values_##t) { basalt::pairValues<T>(args); }
BASALT_C(QZ)
BASALT_Z(QZ)
