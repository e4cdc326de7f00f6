// Triangular systems by a block of threads, with care for what leaves the range; and estimates of the 1-norm of a matrix that is known by its products with vectors, as LAPACK's lacn2 (Higham, "FORTRAN codes for estimating the one-norm
// of a real or complex matrix", 1988).
#ifndef BASALT_CONDITIONS_H
#define BASALT_CONDITIONS_H
#include "pair.h"
#include "reflect.h"

namespace basalt {

// Rows that a warp solves for before all threads take them off the others.
enum { STEP = 32 };

// What threads share.
template <typename R>
struct Rows {
    Complex<R> block[STEP * (STEP + 1)], x[STEP];
    R factor;
};

// By a warp: a diagonal block of so many rows; lane i has row i. The number that is divided by is least where it would be smaller, and all numbers become smaller before or behind a quotient that would be too large.
template <typename R>
BASALT_DEVICE void solveRows(Rows<R>& w, int rows, bool adjoint, Complex<R> y, R least, R limit) {
    typedef Complex<R> T;
    int lane = threadIdx.x;
    R factor = 1;
    for (int s = 0; s < rows; s++) {
        int r = adjoint ? s : rows - 1 - s;
        T x = shuffle(y, r);
        T divisor = conj(w.block[r + (STEP + 1) * r], adjoint);
        if (magnitude(divisor) < least) {
            divisor.re = least;
            divisor.im = 0;
        }
        R own = magnitude(divisor);
        R size = magnitude(x);
        R less = 1;
        if (own < 1 && size > limit * own) {
            less = 1 / size;
            x = times(less, x);
        }
        x = divide(x, divisor);
        size = magnitude(x);
        R again = 1;
        if (size > limit) {
            again = 1 / size;
            x = times(again, x);
        }
        y = times(again, times(less, y));
        factor *= less;
        factor *= again;
        if (lane == r) {
            y = x;
        } else if (lane < rows && (adjoint ? lane > r : lane < r)) {
            T element = adjoint ? conj(w.block[r + (STEP + 1) * lane], true) : w.block[lane + (STEP + 1) * r];
            y = y - x * element;
        }
    }
    if (lane < rows) {
        w.x[lane] = y;
    }
    if (lane == 0) {
        w.factor = factor;
    }
}

// x := what solves rows and columns from…to-1 of an upper triangle, or of its conjugate transpose. Returns what the right-hand side was multiplied by; begins and ends with what all have seen.
template <typename R, typename M>
BASALT_APART R substituteRows(const M& a, i64 from, i64 to, bool adjoint, Complex<R>* x, R least, R limit, Rows<R>& w) {
    typedef Complex<R> T;
    i64 n = to - from;
    R all = 1;
    int lane = threadIdx.x % 32;
    __syncthreads();
    for (i64 done = 0; done < n; done += STEP) {
        int rows = (int)basalt::least(n - done, (i64)STEP);
        i64 first = adjoint ? from + done : to - done - rows;
        for (int e = threadIdx.x; e < rows * rows; e += blockDim.x) {
            int i = e % rows;
            int j = e / rows;
            w.block[i + (STEP + 1) * j] = i <= j ? a(first + i, first + j) : zero<T>();
        }
        // What rows before mean for these.
        for (int r = threadIdx.x / 32; adjoint && done > 0 && r < rows; r += blockDim.x / 32) {
            T sum = zero<T>();
            for (i64 i = from + lane; i < first; i += 32) {
                fma(conj(a(i, first + r), true), x[i], sum);
            }
            sum = warpSum(sum);
            if (lane == 0) {
                x[first + r] = x[first + r] - sum;
            }
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            solveRows(w, rows, adjoint, lane < rows ? x[first + lane] : zero<T>(), least, limit);
        }
        __syncthreads();
        R factor = w.factor;
        all *= factor;
        if (factor != 1) {
            for (i64 i = from + threadIdx.x; i < to; i += blockDim.x) {
                x[i] = times(factor, x[i]);
            }
            __syncthreads();
        }
        for (int i = threadIdx.x; i < rows; i += blockDim.x) {
            x[first + i] = w.x[i];
        }
        for (i64 i = from + threadIdx.x; !adjoint && i < first; i += blockDim.x) {
            T sum = zero<T>();
            for (int r = 0; r < rows; r++) {
                fma(a(i, first + r), w.x[r], sum);
            }
            x[i] = x[i] - sum;
        }
        __syncthreads();
    }
    return all;
}

// The place of the largest of a block's numbers, the first of equal ones.
BASALT_DEVICE i64 blockFirst(double value, i64 place, double* sizes, i64* places) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        double other = shuffleXor(value, mask);
        i64 there = shuffleXor(place, mask);
        bool better = other > value || (other == value && there < place);
        value = better ? other : value;
        place = better ? there : place;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        sizes[threadIdx.x / 32] = value;
        places[threadIdx.x / 32] = place;
    }
    __syncthreads();
    value = sizes[0];
    place = places[0];
    for (int k = 1; k < (int)blockDim.x / 32; k++) {
        bool better = sizes[k] > value || (sizes[k] == value && places[k] < place);
        value = better ? sizes[k] : value;
        place = better ? places[k] : place;
    }
    __syncthreads();
    return place;
}

BASALT_DEVICE double modulus(float x) { return fabs((double)x); }
BASALT_DEVICE double modulus(double x) { return fabs(x); }
template <typename R>
BASALT_DEVICE double modulus(Complex<R> x) {
    return hypot((double)x.re, (double)x.im);
}

// A vector of modulus 1 in the direction of x.
template <typename T>
BASALT_DEVICE T direction(T x) {
    double size = modulus(x);
    return size > 0 ? Make<T>::of(re(x) / size, im(x) / size) : one<T>();
}

// The norm, and what threads share for it.
template <typename T>
struct Estimate {
    double scratch[33];
    i64 places[32];
};

// x := a number everywhere but at one place, where it is 1.
template <typename T>
BASALT_DEVICE void fillBut(i64 n, T* x, double value, i64 place) {
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] = Make<T>::of(i == place ? 1 : value, 0);
    }
    __syncthreads();
}

// The product with a vector: the sum of its moduli.
template <typename T, typename Solve>
BASALT_DEVICE double productSum(i64 n, T* x, Solve& solve, Estimate<T>& w) {
    double scale = (double)solve(false);
    double sum = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        sum += modulus(x[i]);
    }
    return blockSum(sum, w.scratch) / scale;
}

// The product of the conjugate transpose with directions: the place of its largest element.
template <typename T, typename Solve>
BASALT_DEVICE i64 steepest(i64 n, T* x, Solve& solve, Estimate<T>& w) {
    __syncthreads();
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] = direction(x[i]);
    }
    __syncthreads();
    solve(true);
    double largest = -1;
    i64 place = n;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        double size = modulus(x[i]);
        if (size > largest) {
            largest = size;
            place = i;
        }
    }
    place = blockFirst(largest, place, w.scratch, w.places);
    // Numbers that are none have no largest.
    return place < n ? place : 0;
}

// `solve` replaces x by its product with the matrix, or with its conjugate transpose, times a factor that it returns; it begins and ends with a barrier.
template <typename T, typename Solve>
BASALT_APART double normEstimate(i64 n, T* x, Solve& solve, Estimate<T>& w) {
    fillBut(n, x, 1.0 / (double)n, -1);
    double most = productSum(n, x, solve, w);
    if (n == 1) {
        return most;
    }
    i64 place = steepest(n, x, solve, w);
    for (int round = 1; round < 5; round++) {
        __syncthreads();
        fillBut(n, x, 0, place);
        double sum = productSum(n, x, solve, w);
        if (!(sum > most)) {
            break;
        }
        most = sum;
        i64 next = steepest(n, x, solve, w);
        if (modulus(x[place]) == modulus(x[next])) {
            break;
        }
        place = next;
    }
    __syncthreads();
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        double element = 1 + (double)i / (double)(n - 1);
        x[i] = Make<T>::of(i % 2 == 0 ? element : -element, 0);
    }
    __syncthreads();
    double other = 2 * productSum(n, x, solve, w) / (3.0 * (double)n);
    return most > other || most != most ? most : other;
}

}  // namespace basalt
#endif
