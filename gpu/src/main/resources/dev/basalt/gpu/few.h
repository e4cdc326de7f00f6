// Sums of few products, by a thread each.
#ifndef BASALT_FEW_H
#define BASALT_FEW_H
#include "basalt.h"

namespace basalt {

static const int FEW_AHEAD = 8;  // elements of both factors that a thread loads before it uses the first

// The sum of a(i, l)·b(l, j) from `from` to before k.
template <typename T, typename A, typename B>
BASALT_DEVICE T fewSum(i64 i, i64 j, i64 from, i64 k, const A& a, const B& b) {
    T sum = zero<T>();
#pragma unroll 1
    for (i64 l0 = from; l0 < k; l0 += FEW_AHEAD) {
        T x[FEW_AHEAD], y[FEW_AHEAD];
#pragma unroll
        for (int u = 0; u < FEW_AHEAD; u++) {
            i64 l = least(l0 + u, k - 1);
            x[u] = a(i, l);
            y[u] = b(l, j);
        }
#pragma unroll
        for (int u = 0; u < FEW_AHEAD; u++) {
            if (l0 + u < k) {
                fma(x[u], y[u], sum);
            }
        }
    }
    return sum;
}

}  // namespace basalt

#endif
