// Bulges that are chased down the diagonal of a Hessenberg matrix, many at once (Braman, Byers and Mathias, "The multishift QR algorithm, part I", 2002): of two shifts each, complex of one.
#ifndef BASALT_BULGES_H
#define BASALT_BULGES_H
#include "schur.h"

namespace basalt {

// Bulges of a kind are `SPACE` rows apart, and a reflector has as many elements. Positions are columns of the matrix; p is the one that a bulge has elements in, and a bulge begins before column `top`.
template <typename T>
struct Bulge : Reflector<T> {
    static const int SPACE = 3;
    static const int SHIFTS = 32;  // of a sweep
    static const int EACH = 2;     // of a bulge

    // The first column of the product with two shifts; h is element (top, top).
    BASALT_DEVICE void begin(const T* h, i64 ld, const T* wr, const T* wi) {
        T low = h[1];
        T own = h[0];
        T less = own - wr[1];
        T s = absolute(less) + absolute(wi[1]) + absolute(low);
        if (s == 0) {
            this->make(0, 0, 0);
            return;
        }
        low /= s;
        T a = low * h[ld] + (own - wr[0]) * (less / s) - wi[0] * (wi[1] / s);
        T b = low * (own + h[1 + ld] - wr[0] - wr[1]);
        this->make(a, b, low * h[2 + ld]);
    }

    // From the elements that a bulge has in a column; x is the first of them.
    BASALT_DEVICE void next(const T* x, bool whole) { this->make(x[0], x[1], whole ? x[2] : (T)0); }
    // They become zero.
    BASALT_DEVICE void end(T* x, bool whole) const {
        x[0] = this->beta;
        x[1] = 0;
        if (whole) {
            x[2] = 0;
        }
    }
    BASALT_DEVICE void rows(T* x, bool whole) const { this->apply(x, (i64)1, whole); }
    BASALT_DEVICE void columns(T* x, i64 ld, bool whole) const { this->apply(x, ld, whole); }
};

template <typename R>
struct Bulge<Complex<R>> : Reflector<Complex<R>> {
    typedef Complex<R> T;
    static const int SPACE = 2;
    static const int SHIFTS = 16;
    static const int EACH = 1;

    BASALT_DEVICE void begin(const T* h, i64, const T* w, const R*) { this->make(h[0] - w[0], h[1]); }
    BASALT_DEVICE void next(const T* x, bool) { this->make(x[0], x[1]); }
    BASALT_DEVICE void end(T* x, bool) const {
        x[0] = Make<T>::real(this->beta);
        x[1] = zero<T>();
    }
    BASALT_DEVICE void rows(T* x, bool) const { this->onRows(x); }
    BASALT_DEVICE void columns(T* x, i64 ld, bool) const { this->onColumns(x, ld); }
};

// ---- shifts, by one thread

template <typename R>
BASALT_DEVICE R sizeOfValue(const R* w, const R* wi, i64 i) {
    return absolute(w[i]) + absolute(wi[i]);
}
template <typename R>
BASALT_DEVICE R sizeOfValue(const Complex<R>* w, const R*, i64 i) {
    return magnitude(w[i]);
}

template <typename R>
BASALT_DEVICE void swapValues(R* w, R* wi, i64 i, i64 j) {
    R re = w[i];
    R im = wi[i];
    w[i] = w[j];
    wi[i] = wi[j];
    w[j] = re;
    wi[j] = im;
}
template <typename R>
BASALT_DEVICE void swapValues(Complex<R>* w, R*, i64 i, i64 j) {
    Complex<R> x = w[i];
    w[i] = w[j];
    w[j] = x;
}

// Real shifts come in pairs that are real or conjugate; a pair alone is twice the one that is nearer to the last element.
template <typename R>
BASALT_DEVICE void pairValues(R* w, R* wi, i64 first, i64 last, R end) {
    for (i64 i = last; i >= first + 2; i -= 2) {
        if (wi[i] != -wi[i - 1]) {
            swapValues(w, wi, i, i - 1);
            swapValues(w, wi, i - 1, i - 2);
        }
    }
    if (last - first == 1 && wi[last] == 0) {
        bool nearer = absolute(w[last] - end) < absolute(w[first] - end);
        w[nearer ? first : last] = w[nearer ? last : first];
    }
}
template <typename R>
BASALT_DEVICE void pairValues(Complex<R>*, R*, i64, i64, Complex<R>) {}

// The largest first.
template <typename T, typename R>
BASALT_DEVICE void sortValues(T* w, R* wi, i64 first, i64 last) {
    for (i64 k = first + 1; k <= last; k++) {
        for (i64 i = k; i > first && sizeOfValue(w, wi, i) > sizeOfValue(w, wi, i - 1); i--) {
            swapValues(w, wi, i, i - 1);
        }
    }
}

// Shifts that are no eigenvalues.
template <typename R>
BASALT_DEVICE void otherValues(const R* h, i64 ldh, R* w, R* wi, i64 first, i64 top, i64 last) {
    i64 i = last;
    for (; i > most(first, top + 1); i -= 2) {
        const R* x = h + i + i * ldh;
        R s = absolute(x[-ldh]) + absolute(x[-2 * ldh - 1]);
        R d = (R)0.75 * s + *x;
        Pair<R> pair;
        pair.standard(d, s, (R)-0.4375 * s, d);
        w[i - 1] = pair.re1;
        wi[i - 1] = pair.im1;
        w[i] = pair.re2;
        wi[i] = pair.im2;
    }
    for (; i >= first; i--) {
        w[i] = h[i + i * ldh];
        wi[i] = 0;
    }
}
template <typename R>
BASALT_DEVICE void otherValues(const Complex<R>* h, i64 ldh, Complex<R>* w, R*, i64 first, i64 top, i64 last) {
    for (i64 i = last; i >= first; i--) {
        w[i] = h[i + i * ldh];
        w[i].re += i > top ? (R)0.75 * magnitude(h[i + (i - 1) * ldh]) : (R)0;
    }
}

}  // namespace basalt
#endif
