// Sums over the lanes of a warp or a half of it, each of which has a row, and reflectors whose vectors lie so.
#ifndef BASALT_ROW_REFLECTOR_H
#define BASALT_ROW_REFLECTOR_H
#include "plain_reflector.h"
#include "reflect.h"

namespace basalt {

// The sum over WIDE lanes, in each of them.
template <int WIDE, typename T>
BASALT_DEVICE T rowSum(T v) {
    for (int mask = WIDE / 2; mask > 0; mask >>= 1) {
        v = v + shuffleXor(v, mask);
    }
    return v;
}
// Sums of eight numbers over WIDE lanes: that of number `which` in each lane.
template <int WIDE, int COUNT, typename T>
BASALT_DEVICE void halveRowSums(T (&s)[8], int* which) {
    if constexpr (COUNT > 1) {
        const int HALF = COUNT / 2;
        const int mask = WIDE * COUNT / 16;
        bool upper = threadIdx.x % 32 & mask;
        *which += upper ? HALF : 0;
#pragma unroll
        for (int u = 0; u < HALF; u++) {
            T keep = upper ? s[u + HALF] : s[u];
            s[u] = keep + shuffleXor(upper ? s[u] : s[u + HALF], mask);
        }
        halveRowSums<WIDE, HALF>(s, which);
    }
}
template <int WIDE, typename T>
BASALT_DEVICE T rowSums(T (&s)[8], int* which) {
    *which = 0;
    halveRowSums<WIDE, 8>(s, which);
    return rowSum<WIDE / 8>(s[0]);
}

// Whether nothing overflows or vanishes in sums of squares.
template <typename R>
BASALT_DEVICE bool plainly(R rest, R all) {
    return rest > fewest(rest) && all < most(all);
}

// The reflector of x, a number a lane of WIDE, of which `count` are there, whatever their size: x becomes its vector.
template <int WIDE, typename T>
BASALT_DEVICE Reflector<T> rowReflector(T& x, int count) {
    typedef typename Of<T>::Real R;
    Reflector<T> r;
    int lane = threadIdx.x % WIDE;
    T alpha = shuffle(x, threadIdx.x % 32 - lane);
    R a = re(alpha);
    R b = im(alpha);
    bool rest = lane > 0 && lane < count;
    R sum = rowSum<WIDE>(rest ? re(x) * re(x) + im(x) * im(x) : (R)0);
    R all = a * a + b * b + sum;
    if (plainly(sum, all)) {
        r = plainReflector(alpha, sum);
    } else {
        R large = rest ? larger(absolute(re(x)), absolute(im(x))) : (R)0;
        for (int mask = WIDE / 2; mask > 0; mask >>= 1) {
            large = larger(large, shuffleXor(large, mask));
        }
        if (large == 0 && b == 0) {
            r.inverse = zero<T>();
            r.tau = zero<T>();
            r.beta = a;
        } else {
            // Numbers that are divided by the largest of them neither overflow nor vanish.
            R whole = larger(larger(absolute(a), absolute(b)), large);
            x = Make<T>::of(re(x) / whole, im(x) / whole);
            a /= whole;
            b /= whole;
            sum = rowSum<WIDE>(rest ? re(x) * re(x) + im(x) * im(x) : (R)0);
            R made = betaOf(a, b, root(sum));
            r.tau = Make<T>::of((made - a) / made, -b / made);
            r.inverse = divide(one<T>(), Make<T>::of(a - made, b));
            r.beta = whole * made;
        }
    }
    x = lane == 0 ? one<T>() : rest ? x * r.inverse : zero<T>();
    return r;
}

}  // namespace basalt
#endif
