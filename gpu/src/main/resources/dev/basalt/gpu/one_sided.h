// What kernels of one-sided Jacobi share: lengths of columns, and columns of length 1.
#ifndef BASALT_ONE_SIDED_H
#define BASALT_ONE_SIDED_H
#include "bidiagonal.h"

namespace basalt {

template <typename R>
struct Jacobi;
template <>
struct Jacobi<double> {
    static BASALT_DEVICE double shortest() { return 8.900295434028806e-308; }  // 2^-1020
    static BASALT_DEVICE double steep() { return 1125899906842624.0; }         // 2^50
};
template <>
struct Jacobi<float> {
    static BASALT_DEVICE float shortest() { return 4.7019774e-38f; }  // 2^-124
    static BASALT_DEVICE float steep() { return 1048576.0f; }         // 2^20
};

// The rotation of two columns of lengths a and b by the sum of the products of their elements, both of length 1: its cosine, and what rotateColumns calls s.
template <typename T, typename R>
BASALT_DEVICE R turnOfColumns(R a, R b, T sum, R cosine, T* turn) {
    R zeta = (b / a - a / b) / (2 * cosine);
    R size = absolute(zeta);
    R tangent = size > Jacobi<R>::steep() ? 1 / (2 * size) : 1 / (size + root(1 + zeta * zeta));
    tangent = zeta < 0 ? -tangent : tangent;
    R c = 1 / root(1 + tangent * tangent);
    R s = c * tangent;
    *turn = Make<T>::of(-s * (re(sum) / cosine), s * (im(sum) / cosine));
    return c;
}

// The norm of n elements by a warp.
template <typename T>
BASALT_DEVICE typename Of<T>::Real lengthOf(const T* x, i64 n) {
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
    if (largest == 0 || largest != largest || largest - largest != 0) {
        return largest;
    }
    sum = 0;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        R u = re(x[i]) / largest;
        R v = im(x[i]) / largest;
        sum += u * u + v * v;
    }
    return largest * root(warpSum(sum));
}

// Columns of length 1 from one on, the longest first, by a warp, which fills up those that have no length.
template <typename T>
BASALT_DEVICE void unitColumns(i64 m, i64 n, T* x, i64 ldx, const typename Of<T>::Real* values, i64 from = 0) {
    typedef typename Of<T>::Real R;
    int lane = threadIdx.x % 32;
    i64 unit = 0;
    for (i64 j = from; j < n; j++) {
        T* column = x + j * ldx;
        R length = values[j];
        if (length >= Jacobi<R>::shortest()) {
            R by = 1 / length;
            for (i64 k = lane; k < m; k += 32) {
                column[k] = times(by, column[k]);
            }
            warpBarrier();
            continue;
        }
        for (i64 tries = 0; tries < m; tries++, unit++) {
            for (i64 k = lane; k < m; k += 32) {
                column[k] = k == unit % m ? one<T>() : zero<T>();
            }
            R left = 0;
            bool enough = false;
            for (int again = 0; again < 4; again++) {
                warpBarrier();
                for (i64 o = 0; o < j; o++) {
                    const T* other = x + o * ldx;
                    T sum = zero<T>();
                    for (i64 k = lane; k < m; k += 32) {
                        fma(conj(other[k], true), column[k], sum);
                    }
                    sum = warpSum(sum);
                    for (i64 k = lane; k < m; k += 32) {
                        column[k] = column[k] - sum * other[k];
                    }
                    warpBarrier();
                }
                if (again % 2 == 1) {
                    left = lengthOf(column, m);
                    if (again == 1) {
                        enough = left * left * 2 * m >= (R)0.5;
                    }
                    if (!enough) {
                        break;
                    }
                    R by = 1 / left;
                    for (i64 k = lane; k < m; k += 32) {
                        column[k] = times(by, column[k]);
                    }
                }
            }
            warpBarrier();
            if (enough) {
                break;
            }
        }
        unit++;
    }
}

}  // namespace basalt
#endif
