// Sums of few products, by a thread each.
#ifndef BASALT_FEW_H
#define BASALT_FEW_H
#include "basalt.h"

namespace basalt {

// The sum of a(i, l)·b(l, j) from `from` to before k, AHEAD elements of both factors loaded before the first is used.
template <typename T, int AHEAD, typename A, typename B>
BASALT_DEVICE T fewSumAhead(i64 i, i64 j, i64 from, i64 k, const A& a, const B& b) {
    T sum = zero<T>();
#pragma unroll 1
    for (i64 l0 = from; l0 < k; l0 += AHEAD) {
        T x[AHEAD], y[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            i64 l = least(l0 + u, k - 1);
            x[u] = a(i, l);
            y[u] = b(l, j);
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            if (l0 + u < k) {
                fma(x[u], y[u], sum);
            }
        }
    }
    return sum;
}

// The same with 16 at once, if some thread has more than 8: a warp that goes both ways takes the time of both.
template <typename T, typename A, typename B>
BASALT_DEVICE T fewSum(i64 i, i64 j, i64 from, i64 k, bool many, const A& a, const B& b) {
    return many ? fewSumAhead<T, 16>(i, j, from, k, a, b) : fewSumAhead<T, 8>(i, j, from, k, a, b);
}
template <typename T, typename A, typename B>
BASALT_DEVICE T fewSum(i64 i, i64 j, i64 from, i64 k, const A& a, const B& b) {
    return fewSum<T>(i, j, from, k, k > 8, a, b);
}

}  // namespace basalt

#endif
