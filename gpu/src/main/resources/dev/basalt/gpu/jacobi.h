// What kernels of two-sided Jacobi share: sizes, scales, rotations, and when an element counts.
#ifndef BASALT_JACOBI_H
#define BASALT_JACOBI_H
#include "seats.h"
#include "steqr.h"

namespace basalt {

BASALT_DEVICE int plainExponent(double) { return 400; }
BASALT_DEVICE int plainExponent(float) { return 40; }

template <typename R>
BASALT_DEVICE R lengthOfParts(R x, R y) {
    R u = absolute(x);
    R v = absolute(y);
    R more = u > v ? u : v;
    R less = (u > v ? v : u) / (more == 0 ? (R)1 : more);
    return more * root(1 + less * less);
}
BASALT_DEVICE float sizeOf(float x) { return fabsf(x); }
BASALT_DEVICE double sizeOf(double x) { return fabs(x); }
template <typename R>
BASALT_DEVICE R sizeOf(Complex<R> x) {
    return lengthOfParts(x.re, x.im);
}

template <typename T, typename R>
BASALT_DEVICE T scaledBoth(T x, R, int by) {
    return Make<T>::of(scaled(re(x), by), scaled(im(x), by));
}

// √|x| for comparisons, of 0 or a number that is taken for a normal one.
template <typename R>
BASALT_DEVICE R rootOfSize(R x) {
    R size = absolute(x);
    R root = roughRoot(most(size, smallestNormal(size)));
    return size == 0 ? size : root;
}

BASALT_DEVICE float quickSize(float x) { return fabsf(x); }
BASALT_DEVICE double quickSize(double x) { return fabs(x); }
template <typename R>
BASALT_DEVICE R quickSize(Complex<R> x) {
    R u = absolute(x.re);
    R v = absolute(x.im);
    R more = u > v ? u : v;
    R less = u > v ? v : u;
    bool small = more < faint(more);
    R up = small ? brighter(more) : (R)1;
    R down = small ? 1 / brighter(more) : (R)1;
    more *= up;
    R part = less * up * quickInverse(most(more, faint(more)));
    R w = 1 + part * part;
    return more * (w * quickInverseRoot(w)) * down;
}

// The rotation of one pair with diagonal elements first and second, of the larger number second if it is not straight; those become what they are afterwards.
template <typename T, typename R>
BASALT_DEVICE bool turnOf(bool active, bool straight, T x, R* first, R* second, Turn<T>* turn) {
    R app = straight ? *first : *second;
    R aqq = straight ? *second : *first;
    R size = quickSize(x);
    bool turns = active && size > unit(size) * rootOfSize(app) * rootOfSize(aqq);
    // Computed in any case: a branch would end what is computed meanwhile.
    R twice = turns ? 2 * size : (R)1;
    R up = twice < faint(twice) ? brighter(twice) : (R)1;
    R inverse = quickInverse(twice * up);
    R zeta = (aqq - app) * up * inverse;
    R tangent = tangentOf(zeta);
    R c = quickInverseRoot(1 + tangent * tangent);
    R s = c * tangent;
    T along = direction(x, 2 * up, inverse);
    T sine = times(-s, conj(along, straight));
    R one = app - tangent * size;
    R other = aqq + tangent * size;
    if (turns) {
        *first = straight ? one : other;
        *second = straight ? other : one;
    }
    turn->cosine = turns ? c : (R)1;
    turn->sine = !turns ? zero<T>() : straight ? sine : -conj(sine, true);
    return turns;
}

}  // namespace basalt
#endif
