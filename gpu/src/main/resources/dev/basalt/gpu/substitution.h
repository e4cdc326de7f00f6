// Unknowns of one row or of two by substitution, with care for what leaves the range.
#ifndef BASALT_SUBSTITUTION_H
#define BASALT_SUBSTITUTION_H
#include "pair.h"

namespace basalt {

// A vector, or two columns that are its parts.
template <typename R>
struct Column {
    R *x, *y;

    BASALT_DEVICE Column(R* first, bool two, i64 n) : x(first), y(two ? first + n : 0) {}
    BASALT_DEVICE Complex<R> get(i64 i) const {
        Complex<R> z;
        z.re = x[i];
        z.im = y != 0 ? y[i] : (R)0;
        return z;
    }
    BASALT_DEVICE void put(i64 i, Complex<R> z) const {
        x[i] = z.re;
        if (y != 0) {
            y[i] = z.im;
        }
    }
    BASALT_DEVICE void takeOff(i64 i, R t, Complex<R> z) const {
        x[i] -= t * z.re;
        if (y != 0) {
            y[i] -= t * z.im;
        }
    }
};
template <typename R>
struct Column<Complex<R>> {
    Complex<R>* x;

    BASALT_DEVICE Column(Complex<R>* first, bool, i64) : x(first) {}
    BASALT_DEVICE Complex<R> get(i64 i) const { return x[i]; }
    BASALT_DEVICE void put(i64 i, Complex<R> z) const { x[i] = z; }
    BASALT_DEVICE void takeOff(i64 i, Complex<R> t, Complex<R> z) const { x[i] = x[i] - t * z; }
};

// The factor by which all must become smaller before a number is divided, so that the quotient is in the range.
template <typename R>
BASALT_DEVICE R before(Complex<R> x, Complex<R>* divisor, R least, R large) {
    R size = magnitude(*divisor);
    if (size < least) {
        divisor->re = least;
        divisor->im = 0;
        size = least;
    }
    R own = magnitude(x);
    return size < 1 && own > large * size ? 1 / own : (R)1;
}

// Unknowns of one row or of two, and the factor of all numbers before them.
template <typename R>
struct Unknowns {
    Complex<R> first, second;
    R factor;

    BASALT_DEVICE R size(bool two) const {
        R own = magnitude(first);
        R other = two ? magnitude(second) : (R)0;
        return own > other || own != own ? own : other;
    }
    // They and all others become smaller by their size.
    BASALT_DEVICE void shrink(R size) {
        first = times(1 / size, first);
        second = times(1 / size, second);
        factor *= 1 / size;
    }
};

// Numbers beside rows first to last follow the unknowns there, by a block.
template <typename C, typename R>
BASALT_DEVICE void follow(const Unknowns<R>& u, const C& c, i64 first, i64 last, i64 n) {
    if (u.factor == 1) {
        return;
    }
    __syncthreads();
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        if (i < first || i > last) {
            c.put(i, times(u.factor, c.get(i)));
        }
    }
    __syncthreads();
}

template <typename R>
BASALT_DEVICE void solveOne(Unknowns<R>& u, Complex<R> divisor, R least, R large) {
    u.factor = before(u.first, &divisor, least, large);
    u.first = divide(times(u.factor, u.first), divisor);
}

// The rows own, beside and below, last: the larger of the first numbers is the pivot.
template <typename R>
BASALT_DEVICE void solveTwo(Unknowns<R>& u, Complex<R> own, Complex<R> beside, Complex<R> below, Complex<R> last, R least,
                            R large) {
    if (magnitude(below) > magnitude(own)) {
        Complex<R> kept = own;
        own = below;
        below = kept;
        kept = beside;
        beside = last;
        last = kept;
        kept = u.first;
        u.first = u.second;
        u.second = kept;
    }
    if (magnitude(own) < least) {
        own.re = least;
        own.im = 0;
    }
    Complex<R> factor = divide(below, own);
    last = last - factor * beside;
    Complex<R> x = u.second - factor * u.first;
    R smaller = before(x, &last, least, large);
    u.second = divide(times(smaller, x), last);
    x = times(smaller, u.first) - beside * u.second;
    R again = before(x, &own, least, large);
    u.second = times(again, u.second);
    u.first = divide(times(again, x), own);
    u.factor = smaller * again;
}

}  // namespace basalt
#endif
