// Plane rotations that are made, a thread for each problem: as the portable ones, which follow reference BLAS.
#include "basalt.h"

namespace basalt {

template <typename R>
BASALT_DEVICE R lesser(R x, R y) {
    return x < y ? x : y;
}
template <typename R>
BASALT_DEVICE R greater(R x, R y) {
    return x > y ? x : y;
}
template <typename R>
BASALT_DEVICE R largest() {
    return 1 / smallestNormal(R());
}
// A number that others are divided by so that their squares neither overflow nor underflow.
template <typename R>
BASALT_DEVICE R scaleOf(R v) {
    return lesser(largest<R>(), greater(smallestNormal(v), v));
}

// Anderson, "Algorithm 978: Safe scaling in the level 1 BLAS", 2017.
template <typename R>
BASALT_DEVICE void rotg(R* a, R* b, R* c, R* s) {
    R x = *a;
    R y = *b;
    R left = absolute(x);
    R right = absolute(y);
    if (right == 0) {
        *c = 1;
        *s = 0;
        *b = 0;
        return;
    }
    if (left == 0) {
        *c = 0;
        *s = 1;
        *a = y;
        *b = 1;
        return;
    }
    R most = greater(left, right);
    R scale = most != most || left != left || right != right ? left + right : scaleOf(most);
    R r = scale * root(x / scale * (x / scale) + y / scale * (y / scale));
    r = (left > right ? x : y) < 0 ? -r : r;
    R cosine = x / r;
    R sine = y / r;
    *a = r;
    *b = left > right ? sine : cosine != 0 ? 1 / cosine : 1;
    *c = cosine;
    *s = sine;
}

template <typename R>
BASALT_DEVICE Complex<R> complex(R re, R im) {
    Complex<R> z;
    z.re = re;
    z.im = im;
    return z;
}

// The rotation of (0, g): cosine 0, sine conj(g) / |g|.
template <typename R>
BASALT_DEVICE void onlySecond(Complex<R>* a, R* c, Complex<R>* s, Complex<R> g) {
    R most = greater(absolute(g.re), absolute(g.im));
    *c = 0;
    if (g.re == 0 || g.im == 0) {
        *s = complex(g.re / most, -g.im / most);
        *a = complex(most, (R)0);
        return;
    }
    bool plain = most > root(smallestNormal(most)) && most < root(largest<R>() / 2);
    R u = plain ? 1 : scaleOf(most);
    R re = g.re / u;
    R im = g.im / u;
    R d = root(re * re + im * im);
    *s = complex(re / d, -im / d);
    *a = complex(d * u, (R)0);
}

// With u and v, g and f are scaled so that no square overflows or underflows; w tells how much apart f was scaled.
template <typename R>
BASALT_DEVICE void rotg(Complex<R>* a, Complex<R>* b, R* c, Complex<R>* s) {
    Complex<R> f = *a;
    Complex<R> g = *b;
    if (isZero(g)) {
        *c = 1;
        *s = complex((R)0, (R)0);
        return;
    }
    if (isZero(f)) {
        onlySecond(a, c, s, g);
        return;
    }
    R f1 = greater(absolute(f.re), absolute(f.im));
    R g1 = greater(absolute(g.re), absolute(g.im));
    R small = root(smallestNormal(f1));
    R large = root(largest<R>() / 4);
    bool plain = f1 > small && f1 < large && g1 > small && g1 < large;
    R u = plain ? 1 : scaleOf(greater(f1, g1));
    R v = !plain && f1 / u < small ? scaleOf(f1) : u;
    R w = v / u;
    Complex<R> x = complex(f.re / v, f.im / v);
    Complex<R> y = complex(g.re / u, g.im / u);
    R f2 = x.re * x.re + x.im * x.im;
    R g2 = y.re * y.re + y.im * y.im;
    R h2 = f2 * (w * w) + g2;
    R cosine;
    Complex<R> r, t;  // conj(y) times t is the sine
    if (f2 >= h2 * smallestNormal(f1)) {
        cosine = root(f2 / h2);
        r = complex(x.re / cosine, x.im / cosine);
        bool product = f2 > small && h2 < 2 * large;
        R d = product ? root(f2 * h2) : h2;
        t = product ? complex(x.re / d, x.im / d) : complex(r.re / d, r.im / d);
    } else {
        R d = root(f2 * h2);
        cosine = f2 / d;
        bool divides = cosine >= smallestNormal(f1);
        r = divides ? complex(x.re / cosine, x.im / cosine) : complex(x.re * (h2 / d), x.im * (h2 / d));
        t = complex(x.re / d, x.im / d);
    }
    *c = cosine * w;
    *s = complex(y.re * t.re + y.im * t.im, y.re * t.im - y.im * t.re);
    *a = complex(r.re * u, r.im * u);
}

// ---- modified rotations

// Scales are kept between 1 / 4096² and 4096², these as reference BLAS has them.
template <typename R>
struct Modified {
    R flag, h11, h21, h12, h22;

    static BASALT_DEVICE bool unscaled(R e) {
        R v = absolute(e);
        return v != 0 && (v <= (R)5.96046E-8 || v >= (R)1.67772E7) && v <= greatest(e);
    }
    static BASALT_DEVICE float greatest(float) { return 3.402823466e38f; }
    static BASALT_DEVICE double greatest(double) { return 1.7976931348623157e308; }

    BASALT_DEVICE void whole() {
        h11 = flag == 0 ? 1 : h11;
        h22 = flag == 0 ? 1 : h22;
        h21 = flag == 1 ? -1 : h21;
        h12 = flag == 1 ? 1 : h12;
        flag = -1;
    }
    BASALT_DEVICE void store(R* f) const {
        f[0] = flag;
        if (flag != 0) {
            f[1] = h11;
            f[4] = h22;
        }
        if (flag != 1) {
            f[2] = h21;
            f[3] = h12;
        }
    }
};

// Lawson, Hanson, Kincaid and Krogh, "Basic Linear Algebra Subprograms for Fortran usage", 1979, with Hopkins' remark of 1997.
template <typename R>
BASALT_DEVICE void rotmg(R* d1, R* d2, R* x1, R y, R* f) {
    R e1 = *d1;
    R e2 = *d2;
    R x = *x1;
    R p2 = e2 * y;
    R p1 = e1 * x;
    R q2 = p2 * y;
    R q1 = p1 * x;
    Modified<R> h = {0, 0, 0, 0, 0};
    bool first = absolute(q1) > absolute(q2);
    R u = 0;
    if (first) {
        h.h21 = -y / x;
        h.h12 = p2 / p1;
        u = 1 - h.h12 * h.h21;
    }
    if (!(e1 < 0) && p2 == 0) {
        f[0] = -2;
        return;
    }
    if (e1 < 0 || (first ? !(u > 0) : q2 < 0)) {
        // No rotation there is: H and all that it scales become zero. A u that is not positive comes of rounding alone.
        *d1 = 0;
        *d2 = 0;
        *x1 = 0;
        Modified<R> none = {-1, 0, 0, 0, 0};
        none.store(f);
        return;
    }
    if (first) {
        e1 = e1 / u;
        e2 = e2 / u;
        x = x * u;
    } else {
        h.flag = 1;
        h.h11 = p1 / p2;
        h.h22 = x / y;
        u = 1 + h.h11 * h.h22;
        R t = e2 / u;
        e2 = e1 / u;
        e1 = t;
        x = y * u;
    }
    const R GAM = 4096;
    while (Modified<R>::unscaled(e1)) {
        h.whole();
        R by = e1 <= (R)5.96046E-8 ? GAM : 1 / GAM;
        e1 = e1 * by * by;
        x = x / by;
        h.h11 = h.h11 / by;
        h.h12 = h.h12 / by;
    }
    while (Modified<R>::unscaled(e2)) {
        h.whole();
        R by = absolute(e2) <= (R)5.96046E-8 ? GAM : 1 / GAM;
        e2 = e2 * by * by;
        h.h21 = h.h21 / by;
        h.h22 = h.h22 / by;
    }
    *d1 = e1;
    *d2 = e2;
    *x1 = x;
    h.store(f);
}

}  // namespace basalt

#define ROTATIONS(t, T)                                                                                                       \
    BASALT_KERNEL(basalt_rotg_##t) {                                                                                          \
        basalt::i64 p = (basalt::i64)blockIdx.x * blockDim.x + threadIdx.x;                                                   \
        if (p < args.count && !basalt::skips(args, p)) {                                                                      \
            basalt::rotg(basalt::at<T>(args.a, p), basalt::at<T>(args.b, p), basalt::at<basalt::Of<T>::Real>(args.c, p),      \
                    basalt::at<T>(args.d, p));                                                                                \
        }                                                                                                                     \
    }
BASALT_EACH_TYPE(ROTATIONS)

#define MODIFIED(t, T)                                                                                                        \
    BASALT_KERNEL(basalt_rotmg_##t) {                                                                                         \
        basalt::i64 p = (basalt::i64)blockIdx.x * blockDim.x + threadIdx.x;                                                   \
        if (p < args.count && !basalt::skips(args, p)) {                                                                      \
            basalt::rotmg(basalt::at<T>(args.a, p), basalt::at<T>(args.b, p), basalt::at<T>(args.c, p),                       \
                    *basalt::at<T>(args.d, p), basalt::at<T>(args.f, p));                                                     \
        }                                                                                                                     \
    }
BASALT_S(MODIFIED)
BASALT_D(MODIFIED)
