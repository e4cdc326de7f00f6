// Pairs of columns and rows that Jacobi rotates at once, and how they move on after each round (Brent and Luk, "The solution of singular-value and symmetric eigenvalue problems on multiprocessor arrays", 1985).
#ifndef BASALT_SEATS_H
#define BASALT_SEATS_H
#include "quick.h"

namespace basalt {

// x or y, by value: a choice between elements of arrays could be one between their addresses, and then those would lie in memory.
BASALT_DEVICE float either(bool first, float x, float y) { return first ? x : y; }
BASALT_DEVICE double either(bool first, double x, double y) { return first ? x : y; }
template <typename R>
BASALT_DEVICE Complex<R> either(bool first, Complex<R> x, Complex<R> y) {
    x.re = either(first, x.re, y.re);
    x.im = either(first, x.im, y.im);
    return x;
}

// Two numbers := c·x + s·y and c·y - conj(s)·x.
template <typename T, typename R>
BASALT_DEVICE void rotateBoth(R c, T s, T* x, T* y) {
    T u = *x;
    T v = *y;
    T first = times(c, u);
    fma(s, v, first);
    T second = times(c, v);
    fma(-conj(s, true), u, second);
    *x = first;
    *y = second;
}

// A rotation of the two columns of a pair: x := cosine·x + sine·y, y := cosine·y - conj(sine)·x.
template <typename T>
struct alignas(Of<T>::parts == 1 ? 2 * sizeof(T) : sizeof(T)) Turn {
    typename Of<T>::Real cosine;
    T sine;
};

// Seats of pairs: 2i and 2i + 1. All but the last but one, seat 1, move round.
struct Seats {
    int pairs;

    BASALT_DEVICE int moving() const { return 2 * pairs - 1; }
    BASALT_DEVICE int blocks() const { return pairs * (pairs - 1) / 2; }
    BASALT_DEVICE int elements() const { return 4 * blocks() + pairs; }
    // Where a row sits when a sweep begins, and who sits there.
    BASALT_DEVICE int seat(int row) const { return row < pairs ? 2 * row : row == moving() ? 1 : 2 * (moving() - row) + 1; }
    BASALT_DEVICE int row(int seat) const { return seat % 2 == 0 ? seat / 2 : seat == 1 ? moving() : moving() - seat / 2; }
    // The next seat.
    BASALT_DEVICE int next(int seat) const {
        if (pairs == 1 || seat == 1) {
            return seat;
        }
        if (seat % 2 == 0) {
            return seat == 0 ? 3 : seat - 2;
        }
        return seat == moving() ? seat - 1 : seat + 2;
    }
    // Where the element of two seats is kept. It is that of the transpose if `turned`.
    BASALT_DEVICE int place(int x, int y, bool* turned) const {
        int i = x / 2;
        int j = y / 2;
        if (i == j) {
            *turned = x > y;
            return 4 * blocks() + i;
        }
        int on = j > i ? j - i : j - i + pairs;
        int back = pairs - on;
        *turned = on > back || (on == back && i > j);
        int which = *turned ? 2 * (y & 1) + (x & 1) : 2 * (x & 1) + (y & 1);
        return which * blocks() + (*turned ? (back - 1) * pairs + j : (on - 1) * pairs + i);
    }
};

// The direction of a number: a complex one becomes it when it is multiplied by two others.
BASALT_DEVICE float direction(float x, float, float) { return x < 0 ? -1.0f : 1.0f; }
BASALT_DEVICE double direction(double x, double, double) { return x < 0 ? -1.0 : 1.0; }
template <typename R>
BASALT_DEVICE Complex<R> direction(Complex<R> x, R up, R by) {
    return times(by, times(up, x));
}

// The tangent of the smaller angle whose doubled one has the cotangent zeta.
template <typename R>
BASALT_DEVICE R tangentOf(R zeta) {
    R steep = absolute(zeta);
    R limit = steepest(steep);
    R z = steep < limit ? steep : limit;
    R w = 1 + z * z;
    R below = steep > limit ? 2 * steep : steep + w * quickInverseRoot(w);
    R tangent = quickInverse(below);
    tangent = below < remote(below) ? tangent : (R)0;
    return zeta < 0 ? -tangent : tangent;
}

// A row of columns that lanes have, P of them each 2·H, moves on by one seat.
template <typename T, int H, int P>
BASALT_DEVICE void moveOn(T (&first)[H], T (&second)[H], int part, int pairs) {
    if (pairs == 1) {
        return;
    }
    int lane = threadIdx.x % 32;
    T after = P > 1 ? shuffle(first[0], (lane + 1) % 32) : first[0];
    T before = P > 1 ? shuffle(second[H - 1], (lane + 31) % 32) : second[0];
    T start = first[0];
#pragma unroll
    for (int i = 0; i < H; i++) {
        T moved = either(i + 1 < H, first[i + 1 < H ? i + 1 : i], after);
        first[i] = either(part * H + i == pairs - 1, second[i], moved);
    }
#pragma unroll
    for (int i = H - 1; i > 1; i--) {
        second[i] = second[i - 1];
    }
    second[1] = either(part == 0, start, second[0]);
    second[0] = either(part == 0, second[0], before);
}

}  // namespace basalt
#endif
