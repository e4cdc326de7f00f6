// What panels of LU with partial pivoting share: how pivots are chosen and inverted.
#ifndef BASALT_PIVOT_H
#define BASALT_PIVOT_H

#include "tile.h"

namespace basalt {

static const int STRIP = 8;     // columns in registers
static const int COLUMNS = 64;  // of a panel, at most

template <typename T>
struct alignas(16) Octet {
    T v[STRIP];
    BASALT_DEVICE T& operator[](int u) { return v[u]; }
};

// ---- pivots

// NaN is largest, as in iamax.
template <typename R>
BASALT_DEVICE u64 pivotKey(R magnitude) {
    return magnitude != magnitude ? ~0ULL : orderedBits(magnitude) + 1;
}

static const int NOWHERE = 0x7fffffff;  // the position of no row

// The lane with the largest key; of equal ones that with the first position.
BASALT_DEVICE int warpWinner(u64 key, int position) {
    unsigned high = (unsigned)(key >> 32);
    bool best = high == warpMost(high);
    unsigned lanes = warpBallot(best);
    if ((lanes & (lanes - 1)) != 0) {
        unsigned low = best ? (unsigned)key : 0;
        best = low == warpMost(low) && best;
        unsigned first = best ? (unsigned)(NOWHERE - position) : 0;
        best = first == warpMost(first) && best;
        lanes = warpBallot(best);
    }
    return firstLane(lanes);
}

// The same within groups of N lanes; which lane of the group.
template <int N>
BASALT_DEVICE int groupWinner(u64 key, int position) {
    if (N == 32) {
        return warpWinner(key, position);
    }
    int lane = threadIdx.x % N;
    for (int mask = N / 2; mask > 0; mask >>= 1) {
        u64 k = (u64)shuffleXor((i64)key, mask);
        int p = shuffleXor(position, mask);
        int l = shuffleXor(lane, mask);
        if (k > key || (k == key && p < position)) {
            key = k;
            position = p;
            lane = l;
        }
    }
    return lane;
}

// Whether multiplying by the inverse will do: not for very small numbers, by which LAPACK divides too, nor for very large ones.
template <typename R>
BASALT_DEVICE bool hasInverse(R magnitude) {
    return magnitude >= (sizeof(R) == 8 ? (R)0x1p-1000 : (R)0x1p-120) && magnitude <= (sizeof(R) == 8 ? (R)0x1p1000 : (R)0x1p120);
}
template <typename T>
BASALT_DEVICE T inverse(T x) {
    return divide(one<T>(), x);
}
#if BASALT_CUDA_ARCH > 0
// Without the branches of a division, so that it overlaps with the search; three steps of Newton's in one.
BASALT_DEVICE double inverse(double x) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    double e = 1 - x * r;
    e += e * e;
    r += r * e;
    e = 1 - x * r;
    return r + r * e;
}
#endif

}  // namespace basalt

#endif
