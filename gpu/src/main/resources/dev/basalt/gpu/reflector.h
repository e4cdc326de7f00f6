// A reflector that is finished by each thread for itself, from the sum of squares.
#ifndef BASALT_REFLECTOR_H
#define BASALT_REFLECTOR_H
#include "basalt.h"

namespace basalt {

// A reflector: v is a one and then x·before·inverse. Plain: `before` is one, and sums with x itself are as good as those with v.
template <typename T>
struct ThreadReflector {
    typedef typename Of<T>::Real R;
    T tau, inverse;
    R beta, before;
    bool plain;
};

BASALT_DEVICE double withSign(double x, double sign) { return copysign(x, sign); }
BASALT_DEVICE float withSign(float x, float sign) { return copysignf(x, sign); }

// The square root is that of all squares.
BASALT_DEVICE void finish(ThreadReflector<double>& r, double alpha, double root) {
    r.beta = withSign(root, -alpha);
    double d = alpha - r.beta;
    double both = 1 / (d * r.beta);  // one division for two
    r.inverse = r.beta * both;
    r.tau = -(d * d) * both;
}
BASALT_DEVICE void finish(ThreadReflector<float>& r, float alpha, float root) {
    r.beta = withSign(root, -alpha);
    r.inverse = 1 / (alpha - r.beta);
    r.tau = (r.beta - alpha) / r.beta;
}
template <typename R>
BASALT_DEVICE void finish(ThreadReflector<Complex<R>>& r, Complex<R> alpha, R root) {
    r.beta = withSign(root, -alpha.re);
    R inverse = 1 / r.beta;
    r.tau.re = (r.beta - alpha.re) * inverse;
    r.tau.im = -alpha.im * inverse;
    alpha.re -= r.beta;
    r.inverse = divide(one<Complex<R>>(), alpha);
}

}  // namespace basalt
#endif
