// What column pivoting by norms and by sketches share: norms of columns, and the choice and exchange of the largest.
#ifndef BASALT_COLUMN_H
#define BASALT_COLUMN_H
#include "reflect.h"

namespace basalt {

// The norm of n elements one after the other by a warp, the same bits in every lane.
template <typename T>
BASALT_DEVICE typename Of<T>::Real warpNorm(const T* x, i64 n) {
    typedef typename Of<T>::Real R;
    R largest = 0;
    R sum = 0;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        T element = x[i];
        largest = larger(larger(largest, absolute(re(element))), absolute(im(element)));
        sum += re(element) * re(element) + im(element) * im(element);
    }
    sum = warpSum(sum);
    if (sum > fewest(sum) && sum < most(sum)) {
        return root(sum);
    }
    for (int mask = 16; mask > 0; mask >>= 1) {
        largest = larger(largest, shuffleXor(largest, mask));
    }
    if (largest == 0) {
        return 0;
    }
    sum = 0;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        R u = re(x[i]) / largest;
        R v = im(x[i]) / largest;
        sum += u * u + v * v;
    }
    return largest * root(warpSum(sum));
}

template <typename Number>
BASALT_DEVICE void exchangeNumbers(Number* numbers, i64 j, i64 other) {
    Number kept = numbers[j];
    numbers[j] = numbers[other];
    numbers[other] = kept;
}

template <typename T>
BASALT_DEVICE void swapLines(i64 n, T* x, T* y, i64 step) {
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        T kept = x[i * step];
        x[i * step] = y[i * step];
        y[i * step] = kept;
    }
}

// Whether norm x of column i is chosen before norm y of column j; NaN comes before all, and of equals the first.
template <typename R>
BASALT_DEVICE bool comesBefore(R x, i64 i, R y, i64 j) {
    bool xOdd = x != x;
    bool yOdd = y != y;
    if (xOdd || yOdd) {
        return xOdd && (!yOdd || i < j);
    }
    return x > y || (x == y && i < j);
}

// The column from `col` on with the largest norm, in every thread.
template <typename R>
BASALT_DEVICE i64 chooseColumn(const R* norms, i64 col, i64 n, R* values, i64* places) {
    R most = norms[col];
    i64 best = col;
    for (i64 j = col + threadIdx.x; j < n; j += blockDim.x) {
        if (comesBefore(norms[j], j, most, best)) {
            most = norms[j];
            best = j;
        }
    }
    for (int mask = 16; mask > 0; mask >>= 1) {
        R x = shuffleXor(most, mask);
        i64 i = shuffleXor(best, mask);
        if (comesBefore(x, i, most, best)) {
            most = x;
            best = i;
        }
    }
    if (threadIdx.x % 32 == 0) {
        values[threadIdx.x / 32] = most;
        places[threadIdx.x / 32] = best;
    }
    __syncthreads();
    for (int w = 0; w < (int)blockDim.x / 32; w++) {
        if (comesBefore(values[w], places[w], most, best)) {
            most = values[w];
            best = places[w];
        }
    }
    __syncthreads();
    return best;
}

BASALT_DEVICE double halfDigits(double) { return 1.0536712127723509e-08; }  // √2⁻⁵³
BASALT_DEVICE double halfDigits(float) { return 2.44140625e-04; }           // √2⁻²⁴

template <typename T>
BASALT_DEVICE double modulus(T x) {
    double a = absolute((double)re(x));
    double b = absolute((double)im(x));
    double large = larger(a, b);
    return large == 0 || a != a || b != b ? a + b : large * root((a / large) * (a / large) + (b / large) * (b / large));
}

}  // namespace basalt

#endif
