// The reflector of a column whose squares neither overflow nor vanish, from its first element and the sum of the squares below it.
#ifndef BASALT_PLAIN_REFLECTOR_H
#define BASALT_PLAIN_REFLECTOR_H
#include "basalt.h"

namespace basalt {

// A reflector as every lane knows it: beta, tau, and what the column is to be multiplied by.
template <typename T>
struct Reflector {
    typename Of<T>::Real beta;
    T tau;
    T inverse;
};

template <typename T>
BASALT_DEVICE Reflector<T> plainReflector(T alpha, typename Of<T>::Real squares) {
    typedef typename Of<T>::Real R;
    Reflector<T> r;
    R a = re(alpha);
    R b = im(alpha);
    R square = a * a + b * b + squares;
    R reciprocal = inverseRoot(square);
    R length = square * reciprocal;
    length += (R)0.5 * reciprocal * (square - length * length);
    bool negative = a < 0 || (a == 0 && 1 / a < 0);
    r.beta = negative ? length : -length;
    R inverse = negative ? reciprocal : -reciprocal;
    r.tau = Make<T>::of((r.beta - a) * inverse, -b * inverse);
    R over = a - r.beta;
    R whole = 1 / (Of<T>::parts == 1 ? over : over * over + b * b);
    r.inverse = Of<T>::parts == 1 ? Make<T>::real(whole) : Make<T>::of(over * whole, -b * whole);
    return r;
}

}  // namespace basalt
#endif
