// QR iteration of one Hessenberg matrix by a block with two shifts at a time (Francis, "The QR transformation", 1961), complex with one: the steps of the portable kernels. All
// threads decide the same from what is in memory; between what one of them reads and another writes is a barrier.
#ifndef BASALT_SCHUR_H
#define BASALT_SCHUR_H
#include "pair.h"

namespace basalt {

// Steps for each eigenvalue, and so many without a split are followed by one with other shifts.
static const i64 STEPS = 30;
static const i64 FEWEST = 10;
static const i64 STUCK = 10;

// What is worked on.
template <typename T>
struct Form {
    i64 n, lo, hi;
    T* h;
    i64 ldh;
    T* z;
    i64 ldz, rows;  // of z; 0 for none
    bool whole;
    i64* places;  // two, shared

    BASALT_DEVICE T& operator()(i64 i, i64 j) const { return h[i + j * ldh]; }
};

// Whether this warp has any of so many lines; others wait, so that what makes a reflector has the arithmetic units to itself.
BASALT_DEVICE bool hasLines(i64 lines) { return (i64)(threadIdx.x / 32 * 32) < lines; }

// The first row of the block that ends with row i, not before row `from`; what is beside it becomes zero. Begins and ends with a barrier.
template <typename T>
BASALT_DEVICE i64 splitRow(const Form<T>& f, i64 from, i64 i) {
    typedef typename Of<T>::Real R;
    __syncthreads();
    if (threadIdx.x < 32) {
        R small = Schur<R>::least() * ((R)(f.hi - f.lo + 1) / Schur<R>::unit());
        i64 first = from;
        for (i64 base = i; base > from; base -= 32) {
            i64 k = base - threadIdx.x;
            unsigned lanes = warpBallot(k > from && negligible(f.h, f.ldh, k, f.lo, f.hi, small));
            if (lanes != 0) {
                first = base - firstLane(lanes);
                break;
            }
        }
        if (threadIdx.x == 0) {
            f.places[0] = first;
            if (first > f.lo) {
                f(first, first - 1) = zero<T>();
            }
        }
    }
    __syncthreads();
    return f.places[0];
}

// ---- real

// I - tau·v·vᵀ with v = (1, second, third) takes its vector to (beta, 0, 0).
template <typename R>
struct Reflector {
    R beta, second, third, tau;
    // Sums of squares between this and one by it lose nothing to underflow.
    static constexpr R LITTLE = (R)(sizeof(R) == 4 ? 1e-25 : 1e-200);

    BASALT_DEVICE void make(R x, R y, R w) {
        beta = x;
        second = 0;
        third = 0;
        tau = 0;
        if (y == 0 && w == 0) {
            return;
        }
        R sum = x * x + y * y + w * w;
        R large = 1;
        if (!(sum > LITTLE && sum < 1 / LITTLE)) {
            large = largerOf(absolute(x), largerOf(absolute(y), absolute(w)));
            x /= large;
            y /= large;
            w /= large;
            sum = x * x + y * y + w * w;
        }
        R norm = root(sum);
        R end = x >= 0 ? -norm : norm;
        tau = (end - x) / end;
        R scale = 1 / (x - end);
        second = y * scale;
        third = w * scale;
        beta = end * large;
    }

    // On two or three elements `step` apart.
    BASALT_DEVICE void apply(R* x, i64 step, bool three) const {
        R a = *x;
        R b = x[step];
        R c = three ? x[2 * step] : (R)0;
        R sum = a + second * b + third * c;
        *x = a - sum * tau;
        x[step] = b - sum * (tau * second);
        if (three) {
            x[2 * step] = c - sum * (tau * third);
        }
    }
};

// The first column of the product with two shifts, where a step would begin in row m; whether it may.
template <typename R>
struct Start {
    R a, b, c;
    bool may;

    BASALT_DEVICE Start(const Form<R>& f, const Pair<R>& p, i64 first, i64 m) {
        R low = f(m + 1, m);
        R own = f(m, m);
        R next = f(m + 1, m + 1);
        R less = own - p.re2;
        R s = absolute(less) + absolute(p.im2) + absolute(low);
        low /= s;
        a = low * f(m, m + 1) + (own - p.re1) * (less / s) - p.im1 * (p.im2 / s);
        b = low * (own + next - p.re1 - p.re2);
        c = low * f(m + 2, m + 1);
        s = absolute(a) + absolute(b) + absolute(c);
        a /= s;
        b /= s;
        c /= s;
        may = m == first;
        if (!may) {
            R around = absolute(f(m - 1, m - 1)) + absolute(own) + absolute(next);
            may = absolute(f(m, m - 1)) * (absolute(b) + absolute(c)) <= Schur<R>::unit() * absolute(a) * around;
        }
    }
};

// One double step on rows first to i. What is read before the first barrier nobody writes before the second.
template <typename R>
BASALT_DEVICE void doubleStep(const Form<R>& f, i64 first, i64 i, i64 tries) {
    Pair<R> pair;
    pair.shifts(tries % (2 * STUCK) == 0 ? 2 : tries % STUCK == 0 ? 1 : 0, f.h, f.ldh, first, i);
    if (threadIdx.x < 32) {
        i64 m = first;
        for (i64 base = i - 2; base > first; base -= 32) {
            i64 k = base - threadIdx.x;
            unsigned lanes = warpBallot(k > first && Start<R>(f, pair, first, k > first ? k : first).may);
            if (lanes != 0) {
                m = base - firstLane(lanes);
                break;
            }
        }
        if (threadIdx.x == 0) {
            f.places[1] = m;
        }
    }
    __syncthreads();
    i64 m = f.places[1];
    Start<R> start(f, pair, first, m);
    R a = start.a;
    R b = start.b;
    R c = start.c;
    i64 top = f.whole ? 0 : first;
    i64 end = f.whole ? f.n - 1 : i;
    __syncthreads();
    for (i64 k = m; k < i; k++) {
        bool three = k < i - 1;
        i64 lines = (k + 3 < i ? k + 3 : i) - top + 1;
        bool busy = hasLines(most(end - k + 1, lines + f.rows));
        Reflector<R> v;
        if (busy) {
            if (k > m) {
                a = f(k, k - 1);
                b = f(k + 1, k - 1);
                c = three ? f(k + 2, k - 1) : (R)0;
            }
            v.make(a, b, c);
            for (i64 j = k + threadIdx.x; j <= end; j += blockDim.x) {
                v.apply(&f(k, j), (i64)1, three);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            if (k > m) {
                f(k, k - 1) = v.beta;
                f(k + 1, k - 1) = 0;
                if (three) {
                    f(k + 2, k - 1) = 0;
                }
            } else if (m > first) {
                f(k, k - 1) = f(k, k - 1) * (1 - v.tau);
            }
        }
        for (i64 l = threadIdx.x; l < lines + f.rows; l += blockDim.x) {
            if (l < lines) {
                v.apply(&f(top + l, k), f.ldh, three);
            } else {
                v.apply(f.z + (l - lines) + k * f.ldz, f.ldz, three);
            }
        }
        __syncthreads();
    }
}

// Brings the block of rows i - 1 and i to its standard form.
template <typename R>
BASALT_DEVICE void standardForm(const Form<R>& f, i64 i, R* wr, R* wi) {
    Pair<R> p;
    p.standard(f(i - 1, i - 1), f(i - 1, i), f(i, i - 1), f(i, i));
    __syncthreads();
    if (threadIdx.x == 0) {
        f(i - 1, i - 1) = p.a;
        f(i - 1, i) = p.b;
        f(i, i - 1) = p.c;
        f(i, i) = p.d;
        wr[i - 1] = p.re1;
        wi[i - 1] = p.im1;
        wr[i] = p.re2;
        wi[i] = p.im2;
    }
    if (f.whole) {
        rotateLines(f.n - 1 - i, &f(i - 1, i) + f.ldh, &f(i, i) + f.ldh, f.ldh, p.cosine, p.sine);
        rotateLines(i - 1, &f(0, i - 1), &f(0, i), (i64)1, p.cosine, p.sine);
    }
    rotateLines(f.rows, f.z + (i - 1) * f.ldz, f.z + i * f.ldz, (i64)1, p.cosine, p.sine);
}

// 0, or 1 + the last row that has not converged.
template <typename R>
BASALT_DEVICE i64 iterate(const Form<R>& f, R* wr, R* wi) {
    i64 left = STEPS * most(FEWEST, f.hi - f.lo + 1);
    for (i64 i = f.hi; i >= f.lo;) {
        i64 first = f.lo;
        for (i64 tries = 1;; tries++) {
            first = splitRow(f, first, i);
            if (first >= i - 1) {
                break;
            }
            if (left-- <= 0) {
                return i + 1;
            }
            doubleStep(f, first, i, tries);
        }
        if (first < i) {
            standardForm(f, i, wr, wi);
        } else if (threadIdx.x == 0) {
            wr[i] = f(i, i);
            wi[i] = 0;
        }
        i = first - 1;
    }
    return 0;
}

// ---- complex

template <typename R>
BASALT_DEVICE Complex<R> complexRoot(Complex<R> x) {
    R large = largerOf(absolute(x.re), absolute(x.im));
    if (large == 0) {
        return zero<Complex<R>>();
    }
    R a = x.re / large;
    R b = x.im / large;
    R outer = root(large);
    R half = root((R)0.5 * (root(a * a + b * b) + absolute(a)));
    R other = absolute(b) / (2 * half);
    Complex<R> y;
    y.re = outer * (a >= 0 ? half : other);
    y.im = carrySign(outer * (a >= 0 ? other : half), x.im);
    return y;
}

// H = I - tau·v·vᴴ with v = (1, second), whose Hᴴ takes its vector to (beta, 0).
template <typename R>
struct Reflector<Complex<R>> {
    R beta;
    Complex<R> second, tau;

    BASALT_DEVICE void make(Complex<R> x, Complex<R> y) {
        second = zero<Complex<R>>();
        tau = second;
        beta = x.re;
        if (y.re == 0 && y.im == 0 && x.im == 0) {
            return;
        }
        R large = largerOf(largerOf(absolute(x.re), absolute(x.im)), largerOf(absolute(y.re), absolute(y.im)));
        R a = x.re / large;
        R b = x.im / large;
        Complex<R> below;
        below.re = y.re / large;
        below.im = y.im / large;
        R norm = root(a * a + b * b + below.re * below.re + below.im * below.im);
        R end = a >= 0 ? -norm : norm;
        tau.re = (end - a) / end;
        tau.im = -b / end;
        Complex<R> divisor;
        divisor.re = a - end;
        divisor.im = b;
        second = divide(below, divisor);
        beta = end * large;
    }

    BASALT_DEVICE void onRows(Complex<R>* x) const {
        Complex<R> p = conj(tau, true) * (x[0] + conj(second, true) * x[1]);
        x[0] = x[0] - p;
        x[1] = x[1] - p * second;
    }

    BASALT_DEVICE void onColumns(Complex<R>* x, i64 step) const {
        Complex<R> p = tau * (x[0] + x[step] * second);
        x[0] = x[0] - p;
        x[step] = x[step] - p * conj(second, true);
    }
};

// The eigenvalue of the last two rows that is nearer to the last element; after many tries another number.
template <typename R>
BASALT_DEVICE Complex<R> shiftOf(const Form<Complex<R>>& f, i64 first, i64 i, i64 tries) {
    Complex<R> shift = f(i, i);
    if (tries % (2 * STUCK) == 0) {
        shift.re += (R)0.75 * magnitude(f(i, i - 1));
        return shift;
    }
    if (tries % STUCK == 0) {
        shift = f(first, first);
        shift.re += (R)0.75 * magnitude(f(first + 1, first));
        return shift;
    }
    Complex<R> u = complexRoot(f(i - 1, i)) * complexRoot(f(i, i - 1));
    R s = magnitude(u);
    if (s == 0) {
        return shift;
    }
    Complex<R> x = times((R)0.5, f(i - 1, i - 1) - shift);
    R sx = magnitude(x);
    s = largerOf(s, sx);
    Complex<R> p;
    p.re = x.re / s;
    p.im = x.im / s;
    Complex<R> q;
    q.re = u.re / s;
    q.im = u.im / s;
    Complex<R> square;
    square.re = p.re * p.re - p.im * p.im + q.re * q.re - q.im * q.im;
    square.im = 2 * (p.re * p.im + q.re * q.im);
    Complex<R> y = times(s, complexRoot(square));
    if (sx > 0 && x.re / sx * y.re + x.im / sx * y.im < 0) {
        y = -y;
    }
    return shift - u * divide(u, x + y);
}

// The first column of the product with a shift, where a step would begin in row m; whether it may.
template <typename R>
struct Start<Complex<R>> {
    Complex<R> a, b;
    bool may;

    BASALT_DEVICE Start(const Form<Complex<R>>& f, Complex<R> shift, i64 first, i64 m) {
        Complex<R> own = f(m, m);
        a = own - shift;
        b = f(m + 1, m);
        R s = magnitude(a) + magnitude(b);
        if (s > 0) {
            a.re /= s;
            a.im /= s;
            b.re /= s;
            b.im /= s;
        }
        may = m == first;
        if (!may) {
            R around = magnitude(own) + magnitude(f(m + 1, m + 1));
            may = magnitude(f(m, m - 1)) * magnitude(b) <= Schur<R>::unit() * (magnitude(a) * around);
        }
    }
};

template <typename R>
BASALT_DEVICE void singleStep(const Form<Complex<R>>& f, i64 first, i64 i, i64 tries) {
    typedef Complex<R> T;
    T shift = shiftOf(f, first, i, tries);
    if (threadIdx.x < 32) {
        i64 m = first;
        for (i64 base = i - 1; base > first; base -= 32) {
            i64 k = base - threadIdx.x;
            unsigned lanes = warpBallot(k > first && Start<T>(f, shift, first, k > first ? k : first).may);
            if (lanes != 0) {
                m = base - firstLane(lanes);
                break;
            }
        }
        if (threadIdx.x == 0) {
            f.places[1] = m;
        }
    }
    __syncthreads();
    i64 m = f.places[1];
    Start<T> start(f, shift, first, m);
    T a = start.a;
    T b = start.b;
    i64 top = f.whole ? 0 : first;
    i64 end = f.whole ? f.n - 1 : i;
    __syncthreads();
    for (i64 k = m; k < i; k++) {
        i64 lines = (k + 2 < i ? k + 2 : i) - top + 1;
        bool busy = hasLines(most(end - k + 1, lines + f.rows));
        Reflector<T> v;
        if (busy) {
            if (k > m) {
                a = f(k, k - 1);
                b = f(k + 1, k - 1);
            }
            v.make(a, b);
            for (i64 j = k + threadIdx.x; j <= end; j += blockDim.x) {
                v.onRows(&f(k, j));
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            if (k > m) {
                f(k, k - 1) = Make<T>::real(v.beta);
                f(k + 1, k - 1) = zero<T>();
            } else if (m > first) {
                T x = f(k, k - 1);
                f(k, k - 1) = x - conj(v.tau, true) * x;
            }
        }
        for (i64 l = threadIdx.x; l < lines + f.rows; l += blockDim.x) {
            if (l < lines) {
                v.onColumns(&f(top + l, k), f.ldh);
            } else {
                v.onColumns(f.z + (l - lines) + k * f.ldz, f.ldz);
            }
        }
        __syncthreads();
    }
}

template <typename R>
BASALT_DEVICE i64 iterate(const Form<Complex<R>>& f, Complex<R>* w, R*) {
    i64 left = STEPS * most(FEWEST, f.hi - f.lo + 1);
    for (i64 i = f.hi; i >= f.lo; i--) {
        for (i64 tries = 1;; tries++) {
            i64 first = splitRow(f, f.lo, i);
            if (first == i) {
                break;
            }
            if (left-- <= 0) {
                return i + 1;
            }
            singleStep(f, first, i, tries);
        }
        if (threadIdx.x == 0) {
            w[i] = f(i, i);
        }
    }
    return 0;
}

// ---- both

BASALT_DEVICE void putValue(float* w, float* wi, i64 i, float x) {
    w[i] = x;
    wi[i] = 0;
}
BASALT_DEVICE void putValue(double* w, double* wi, i64 i, double x) {
    w[i] = x;
    wi[i] = 0;
}
template <typename R>
BASALT_DEVICE void putValue(Complex<R>* w, R*, i64 i, Complex<R> x) {
    w[i] = x;
}

template <typename R>
BASALT_DEVICE void putNothing(R* w, R* wi, i64 i, R nothing) {
    w[i] = nothing;
    wi[i] = nothing;
}
template <typename R>
BASALT_DEVICE void putNothing(Complex<R>* w, R*, i64 i, R nothing) {
    w[i].re = nothing;
    w[i].im = nothing;
}

template <typename T>
BASALT_DEVICE void copySquare(i64 n, const T* from, i64 ldFrom, T* to, i64 ldTo) {
    for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
        to[e % n + e / n * ldTo] = from[e % n + e / n * ldFrom];
    }
}

}  // namespace basalt
#endif
