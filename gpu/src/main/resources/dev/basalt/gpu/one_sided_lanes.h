// What kernels of one-sided Jacobi share that keep columns in registers: sums over lanes, and rotations after which two columns may change places.
#ifndef BASALT_ONE_SIDED_LANES_H
#define BASALT_ONE_SIDED_LANES_H
#include "one_sided.h"
#include "seats.h"

namespace basalt {

// A rotation after which the columns may change places.
template <typename T, int PARTS = Of<T>::parts>
struct alignas(16) Exchange {
    Turn<T> turn;
    int exchanged;

    BASALT_DEVICE void set(typename Of<T>::Real cosine, T sine, bool both) {
        turn.cosine = cosine;
        turn.sine = sine;
        exchanged = both;
    }
    BASALT_DEVICE void operator()(T* first, T* second) const {
        // The same as an exchange afterwards.
        T x = either(exchanged, *second, *first);
        T y = either(exchanged, *first, *second);
        rotateBoth(turn.cosine, either(exchanged, -conj(turn.sine, true), turn.sine), &x, &y);
        *first = x;
        *second = y;
    }
};

// Real numbers need no choice: what each column takes of either.
template <typename T>
struct alignas(16) Exchange<T, 1> {
    T ofFirst[2], ofSecond[2];
    int exchanged;

    BASALT_DEVICE void set(T cosine, T sine, bool both) {
        exchanged = both;
        ofFirst[0] = both ? -sine : cosine;
        ofSecond[0] = both ? cosine : sine;
        ofFirst[1] = both ? cosine : -sine;
        ofSecond[1] = both ? sine : cosine;
    }
    BASALT_DEVICE void operator()(T* first, T* second) const {
        T x = ofFirst[0] * *first;
        T y = ofFirst[1] * *first;
        fma(ofSecond[0], *second, x);
        fma(ofSecond[1], *second, y);
        *first = x;
        *second = y;
    }
};

// Sums of COUNT numbers over 2^k lanes: each lane has that whose number is the lane's, in steps of LANES/COUNT lanes.
template <int COUNT, int LANES, typename T, int SIZE>
BASALT_DEVICE void sumLanes(T (&s)[SIZE]) {
    if constexpr (COUNT > 1) {
        const int HALF = COUNT / 2;
        bool upper = threadIdx.x % 32 & LANES / 2;
#pragma unroll
        for (int u = 0; u < HALF; u++) {
            T low = s[u];
            T high = s[u + HALF];
            s[u] = either(upper, high, low) + shuffleXor(either(upper, low, high), LANES / 2);
        }
        sumLanes<HALF, LANES / 2>(s);
    } else if constexpr (LANES > 1) {
        s[0] = s[0] + shuffleXor(s[0], LANES / 2);
        sumLanes<1, LANES / 2>(s);
    }
}

template <typename R>
BASALT_DEVICE R inverseLength(R length) {
    return length >= Jacobi<R>::shortest() && length - length == 0 ? 1 / length : (R)0;
}

template <typename T, typename R>
BASALT_DEVICE R squared(T x, R by) {
    R u = re(x) * by;
    if constexpr (Of<T>::parts == 1) {
        return u * u;
    } else {
        R v = im(x) * by;
        return u * u + v * v;
    }
}

// Two columns of a pair: their lengths and the reciprocals, and by what the squares of the lengths change.
template <typename R>
struct Lengths {
    R length[2], inverse[2], ratio[2];

    // The length of a column afterwards, in place; `second`: which.
    BASALT_DEVICE void after(bool second, bool turns, R* kept, R* reciprocal) const {
        R by = turns ? either(second, ratio[1], ratio[0]) : (R)1;
        R root = quickInverseRoot(by);
        *kept = either(second, length[1], length[0]) * (by * root);
        *reciprocal = either(second, inverse[1], inverse[0]) * root;
    }

    // Whether rounding leaves little of one of them.
    BASALT_DEVICE bool vanishes() const { return !(ratio[0] > (R)0.0009765625 && ratio[1] > (R)0.0009765625); }
};

// The rotation of a pair from the product of its columns of length 1; the cosine of their angle.
template <typename T, typename R>
BASALT_DEVICE R pairTurn(bool active, bool straight, T sum, Lengths<R>* pair, R tolerance, Exchange<T>* e) {
    R a = either(straight, pair->length[0], pair->length[1]);
    R b = either(straight, pair->length[1], pair->length[0]);
    R p = either(straight, pair->inverse[0], pair->inverse[1]);
    R q = either(straight, pair->inverse[1], pair->inverse[0]);
    R cosine = Of<T>::parts == 1 ? absolute(re(sum)) : root(re(sum) * re(sum) + im(sum) * im(sum));
    bool turns = active && cosine > tolerance;
    R inverse = quickInverse(turns ? cosine : (R)1);
    R tangent = tangentOf((b * p - a * q) * (R)0.5 * inverse);
    R c = quickInverseRoot(1 + tangent * tangent);
    T sine = times(-c * tangent, conj(direction(sum, (R)1, inverse), straight));
    sine = straight ? sine : -conj(sine, true);
    e->set(turns ? c : (R)1, turns ? sine : zero<T>(), active && b > a);
    R less = 1 - tangent * cosine * (b * p);
    R more = 1 + tangent * cosine * (a * q);
    pair->ratio[0] = either(straight, less, more);
    pair->ratio[1] = either(straight, more, less);
    return cosine;
}

}  // namespace basalt
#endif
