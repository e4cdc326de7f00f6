// Real matrices of order two: their eigenvalues, and the rotation that brings them to LAPACK's standard form (Bai and Demmel, "On swapping diagonal blocks in real Schur form", 1993).
#ifndef BASALT_PAIR_H
#define BASALT_PAIR_H
#include "basalt.h"

namespace basalt {

template <typename R>
struct Schur;
template <>
struct Schur<double> {
    static BASALT_DEVICE double unit() { return 2.220446049250313e-16; }       // from 1 to the next
    static BASALT_DEVICE double least() { return 2.2250738585072014e-308; }    // the smallest normal number
    static BASALT_DEVICE double large() { return 0x1p480; }
    static BASALT_DEVICE double small() { return 0x1p-480; }
};
template <>
struct Schur<float> {
    static BASALT_DEVICE float unit() { return 1.1920929e-07f; }
    static BASALT_DEVICE float least() { return 1.17549435e-38f; }
    static BASALT_DEVICE float large() { return 0x1p50f; }
    static BASALT_DEVICE float small() { return 0x1p-50f; }
};

BASALT_DEVICE double carrySign(double size, double sign) { return copysign(size, sign); }
BASALT_DEVICE float carrySign(float size, float sign) { return copysignf(size, sign); }

template <typename R>
BASALT_DEVICE R largerOf(R x, R y) {
    return x != x || x > y ? x : y;
}
template <typename R>
BASALT_DEVICE R smallerOf(R x, R y) {
    return x != x || x < y ? x : y;
}

template <typename R>
BASALT_DEVICE R lengthOfBoth(R x, R y) {
    R p = absolute(x);
    R q = absolute(y);
    R large = largerOf(p, q);
    R ratio = large == 0 ? (R)0 : smallerOf(p, q) / large;
    return large * root(1 + ratio * ratio);
}

template <typename R>
struct Pair {
    R a, b, c, d;              // the standard form
    R re1, im1, re2, im2;      // the eigenvalues
    R cosine, sine;            // from the left; transposed from the right

    static BASALT_DEVICE bool sameSign(R x, R y) { return carrySign((R)1, x) == carrySign((R)1, y); }

    // The two shifts for a step on rows first to i; with `other` 1 (at the beginning) or 2 (at the end) numbers that are no eigenvalues.
    BASALT_DEVICE void shifts(int other, const R* h, i64 ldh, i64 first, i64 i) {
        const R* end = h + i + i * ldh;
        R h11 = end[-ldh - 1];
        R h21 = end[-ldh];
        R h12 = end[-1];
        R h22 = *end;
        if (other != 0) {
            const R* begin = h + first + first * ldh;
            R s = other == 2 ? absolute(h21) + absolute(end[-2 * ldh - 1]) : absolute(begin[1]) + absolute(begin[ldh + 2]);
            h11 = (R)0.75 * s + (other == 2 ? h22 : *begin);
            h12 = (R)-0.4375 * s;
            h21 = s;
            h22 = h11;
        }
        R s = absolute(h11) + absolute(h12) + absolute(h21) + absolute(h22);
        re1 = 0;
        im1 = 0;
        re2 = 0;
        im2 = 0;
        if (s == 0) {
            return;
        }
        h11 /= s;
        h21 /= s;
        h12 /= s;
        h22 /= s;
        R mean = (h11 + h22) / 2;
        R det = (h11 - mean) * (h22 - mean) - h12 * h21;
        R part = root(absolute(det));
        if (det >= 0) {
            re1 = mean * s;
            re2 = re1;
            im1 = part * s;
            im2 = -im1;
        } else {
            // Two real ones: the one nearer to the last element, twice.
            R x = mean + part;
            R y = mean - part;
            re1 = (absolute(x - h22) <= absolute(y - h22) ? x : y) * s;
            re2 = re1;
        }
    }

    BASALT_DEVICE void standard(R p, R q, R r, R s) {
        a = p;
        b = q;
        c = r;
        d = s;
        cosine = 1;
        sine = 0;
        if (c != 0) {
            if (b == 0) {
                turn();
            } else if (a - d != 0 || sameSign(b, c)) {
                general();
            }
        }
        re1 = a;
        re2 = d;
        im1 = c == 0 ? (R)0 : root(absolute(b)) * root(absolute(c));
        im2 = c == 0 ? (R)0 : -im1;
    }

    // A lower triangle becomes an upper one.
    BASALT_DEVICE void turn() {
        cosine = 0;
        sine = 1;
        R kept = d;
        d = a;
        a = kept;
        b = -c;
        c = 0;
    }

    BASALT_DEVICE void general() {
        R apart = a - d;
        R p = (R)0.5 * apart;
        R large = largerOf(absolute(b), absolute(c));
        R small = smallerOf(absolute(b), absolute(c)) * (sameSign(b, c) ? 1 : -1);
        R scale = largerOf(absolute(p), large);
        R z = p / scale * p + large / scale * small;
        if (!(z >= 4 * Schur<R>::unit())) {
            equal(apart);
            return;
        }
        z = p + carrySign((R)1, p) * root(scale) * root(z);
        a = d + z;
        d -= large / z * small;
        R t = lengthOfBoth(c, z);
        cosine = z / t;
        sine = c / t;
        b -= c;
        c = 0;
    }

    // Diagonal elements become equal; then the block is complex, or its two real eigenvalues are close.
    BASALT_DEVICE void equal(R apart) {
        R sum = b + c;
        for (int i = 0; i < 20; i++) {
            R scale = largerOf(absolute(apart), absolute(sum));
            R by = scale >= Schur<R>::large() ? Schur<R>::small()
                   : scale <= Schur<R>::small() && scale > 0 ? Schur<R>::large()
                                                             : (R)0;
            if (by == 0) {
                break;
            }
            apart *= by;
            sum *= by;
        }
        R p = (R)0.5 * apart;
        R t = lengthOfBoth(sum, apart);
        cosine = root((R)0.5 * (1 + absolute(sum) / t));
        sine = -(p / (t * cosine)) * carrySign((R)1, sum);
        R aa = a * cosine + b * sine;
        R bb = -a * sine + b * cosine;
        R cc = c * cosine + d * sine;
        R dd = -c * sine + d * cosine;
        a = aa * cosine + cc * sine;
        b = bb * cosine + dd * sine;
        c = -aa * sine + cc * cosine;
        d = -bb * sine + dd * cosine;
        R mean = (R)0.5 * (a + d);
        a = mean;
        d = mean;
        if (c == 0) {
            return;
        }
        R kept = cosine;
        if (b == 0) {
            b = -c;
            c = 0;
            cosine = -sine;
            sine = kept;
        } else if (sameSign(b, c)) {
            R x = root(absolute(b));
            R y = root(absolute(c));
            R more = carrySign((R)1, c) * (x * y);
            R inverse = 1 / root(absolute(b + c));
            a = mean + more;
            d = mean - more;
            b -= c;
            c = 0;
            cosine = kept * (x * inverse) - sine * (y * inverse);
            sine = kept * (y * inverse) + sine * (x * inverse);
        }
    }
};

// Whether an element beside the diagonal in row k, of a range of rows lo to hi, may be dropped: the rule of Ahues and Tisseur (LAPACK Working Note 122, 1997).
template <typename T>
BASALT_DEVICE bool negligible(const T* h, i64 ldh, i64 k, i64 lo, i64 hi, typename Of<T>::Real small) {
    typedef typename Of<T>::Real R;
    const T* x = h + k + k * ldh;
    const T* y = x - ldh - 1;
    R beside = magnitude(x[-ldh]);
    if (beside <= small) {
        return true;
    }
    R size = magnitude(*x) + magnitude(*y);
    if (size == 0) {
        size += k - 2 >= lo ? magnitude(y[-ldh]) : (R)0;
        size += k + 1 <= hi ? magnitude(x[1]) : (R)0;
    }
    if (!(beside <= Schur<R>::unit() * size)) {
        return false;
    }
    R above = magnitude(x[-1]);
    R most = largerOf(beside, above);
    R least = smallerOf(beside, above);
    R apart = magnitude(*y - *x);
    R own = magnitude(*x);
    R large = largerOf(own, apart);
    R sum = large + most;
    return least * (most / sum) <= largerOf(small, Schur<R>::unit() * (smallerOf(own, apart) * (large / sum)));
}

// x := cosine·x + sine·y, y := cosine·y - sine·x for n elements of two lines, by a block.
template <typename R>
BASALT_DEVICE void rotateLines(i64 n, R* x, R* y, i64 step, R cosine, R sine) {
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        R a = x[i * step];
        R b = y[i * step];
        x[i * step] = cosine * a + sine * b;
        y[i * step] = cosine * b - sine * a;
    }
}

}  // namespace basalt
#endif
