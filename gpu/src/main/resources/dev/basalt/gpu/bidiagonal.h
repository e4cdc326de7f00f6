// QR iteration of a bidiagonal matrix (Demmel and Kahan, 1990), as DBidiagonalQr of the portable kernels: one thread steps, and threads apply its rotations to lines of vectors.
#ifndef BASALT_BIDIAGONAL_H
#define BASALT_BIDIAGONAL_H
#include "reflect.h"

namespace basalt {

template <typename R>
struct Limits;
template <>
struct Limits<double> {
    static BASALT_DEVICE double unit() { return 1.1102230246251565e-16; }
    static BASALT_DEVICE double tolerance() { return 1.1e-14; }
    static BASALT_DEVICE double leastNormal() { return 2.2250738585072014e-308; }
    static BASALT_DEVICE double small() { return 3.0549363634996047e-151; }   // 2^-500
    static BASALT_DEVICE double large() { return 3.273390607896142e150; }     // 2^500
    static BASALT_DEVICE double up() { return 1.0715086071862673e301; }       // 2^1000
    static BASALT_DEVICE double down() { return 2.409919865102884e-181; }     // 2^-600
    static BASALT_DEVICE double part() { return 0.01; }
    static BASALT_DEVICE double lowest() { return 1.0261342003245941e-289; }   // 2^-960: from here to the next a number has a root and a reciprocal with all digits
    static BASALT_DEVICE double highest() { return 9.7453140114e+288; }   // 2^960
};
template <>
struct Limits<float> {
    static BASALT_DEVICE float unit() { return 5.9604645e-08f; }
    static BASALT_DEVICE float tolerance() { return 6e-7f; }
    static BASALT_DEVICE float leastNormal() { return 1.17549435e-38f; }
    static BASALT_DEVICE float small() { return 8.6736174e-19f; }   // 2^-60
    static BASALT_DEVICE float large() { return 1.1529215e18f; }    // 2^60
    static BASALT_DEVICE float up() { return 1.329228e36f; }        // 2^120
    static BASALT_DEVICE float down() { return 8.4703295e-22f; }    // 2^-70
    static BASALT_DEVICE float part() { return 0.01f; }
    static BASALT_DEVICE float lowest() { return 7.888609e-31f; }    // 2^-100
    static BASALT_DEVICE float highest() { return 1.2676506e30f; }   // 2^100
};
static const int ENOUGH = 6;
// After so many steps a block is looked through; in between only where steps converge.
static const int LOOKS = 4;

template <typename R>
BASALT_DEVICE R least(R x, R y) {
    return x != x || y != y ? x + y : x < y ? x : y;
}

// r of the rotation that takes (f, g) to (r, 0).
template <typename R>
BASALT_DEVICE R planeRotation(R f, R g, R* cosine, R* sine) {
    typedef Limits<R> L;
    R large = larger(absolute(f), absolute(g));
    R scale = large < L::small() ? L::up() : large > L::large() ? L::down() : (R)1;
    R x = f * scale;
    R y = g * scale;
    R r = root(x * x + y * y);
    if (g == 0 || r == 0) {
        *cosine = 1;
        *sine = 0;
        return f;
    }
    *cosine = x / r;
    *sine = y / r;
    return r / scale;
}

// A bidiagonal matrix with room for rotations, and how far its iteration is. One thread works on it.
template <typename R>
struct Bidiagonal {
    i64 n;
    R *d, *e, *right, *left;  // cosines of both kinds, sines n elements behind
    R threshold;
    i64 most, oldFirst, oldLast, first, last, looks;
    bool down;
    R ratio;  // the smallest by the largest number of the block, when it was looked through

    // False where an element is not finite.
    BASALT_DEVICE bool take(const R* given) {
        R nothing = 0;
        for (i64 i = 0; i < 2 * n - 1; i++) {
            nothing += 0 * given[i];
            d[i] = given[i];
        }
        e[n - 1] = 0;
        if (nothing == 0) {
            return true;
        }
        for (i64 i = 0; i < n; i++) {
            d[i] = nothing;
            e[i] = 0;
        }
        return false;
    }

    BASALT_DEVICE void raise() {
        for (i64 i = 0; i < n - 1; i++) {
            d[i] = planeRotation(d[i], e[i], left + i, left + n + i);
            R next = d[i + 1];
            e[i] = left[n + i] * next;
            d[i + 1] = left[i] * next;
        }
    }

    BASALT_DEVICE void begin(i64 limit) {
        typedef Limits<R> L;
        R smallest = absolute(d[0]);
        R mu = smallest;
        for (i64 i = 1; i < n && smallest != 0; i++) {
            mu = absolute(d[i]) * (mu / (mu + absolute(e[i - 1])));
            smallest = least(smallest, mu);
        }
        R zeroes = ENOUGH * L::leastNormal() * n * n;
        threshold = larger(L::tolerance() * (smallest / root((R)n)), zeroes);
        most = (limit > 0 ? limit : ENOUGH) * n * n;
        oldFirst = -1;
        oldLast = -1;
        down = true;
        last = n - 1;
        looks = 0;
        ratio = 0;
    }

    BASALT_DEVICE i64 split() {
        for (i64 i = last - 1; i >= 0; i--) {
            if (absolute(e[i]) <= threshold) {
                e[i] = 0;
                return i + 1;
            }
        }
        return 0;
    }

    // Whether the element beside the diagonal where steps converge may be zero, which it is then.
    BASALT_DEVICE bool endsSmall() {
        R* end = e + (down ? last - 1 : first);
        if (absolute(*end) <= Limits<R>::tolerance() * absolute(d[down ? last : first])) {
            *end = 0;
            return true;
        }
        return false;
    }

    // The smallest by the largest number of the block, or -1 where an element beside the diagonal has become zero.
    BASALT_DEVICE R deflate() {
        R tolerance = Limits<R>::tolerance();
        int step = down ? 1 : -1;
        R* x = d + (down ? first : last);
        R* y = e + (down ? first : last - 1);
        if (endsSmall()) {
            return -1;
        }
        R mu = absolute(*x);
        R smallest = mu;
        R largest = mu;
        for (i64 i = first; i < last; i++, y += step) {
            R beside = absolute(*y);
            if (beside <= tolerance * mu) {
                *y = 0;
                return -1;
            }
            x += step;
            R next = absolute(*x);
            mu = next * (mu / (mu + beside));
            smallest = least(smallest, mu);
            largest = larger(largest, larger(next, beside));
        }
        return smallest / largest;
    }

    static BASALT_DEVICE R smallestOf(R low, R beside, R high) {
        if (low == 0) {
            return 0;
        }
        R sum = 1 + low / high;
        R difference = (high - low) / high;
        if (beside < high) {
            R part = beside / high;
            part *= part;
            return low * (2 / (root(sum * sum + part) + root(difference * difference + part)));
        }
        R part = high / beside;
        if (part == 0) {
            return low * high / beside;
        }
        R more = sum * part;
        R less = difference * part;
        return 2 * (low * (1 / (root(1 + more * more) + root(1 + less * less)))) * part;
    }

    BASALT_DEVICE R shift() {
        R end = absolute(d[down ? first : last]);
        R f = absolute(d[down ? last - 1 : first]);
        R g = absolute(e[down ? last - 1 : first]);
        R h = absolute(d[down ? last : first + 1]);
        R value = smallestOf(f < h ? f : h, g, f < h ? h : f);
        R part = value / end;
        return part * part < Limits<R>::unit() ? (R)0 : value;
    }

    BASALT_DEVICE void plain(int step, R* x, R* y, R* before, R* after) {
        R cosine = 1;
        R oldCosine = 1;
        R oldSine = 0;
        for (i64 k = first; k < last; k++) {
            R r = planeRotation(*x * cosine, *y, before, before + n);
            cosine = *before;
            if (k > first) {
                *(y - step) = oldSine * r;
            }
            *x = planeRotation(oldCosine * r, x[step] * before[n], after, after + n);
            oldCosine = *after;
            oldSine = after[n];
            x += step;
            y += step;
            before += step;
            after += step;
        }
        R end = *x * cosine;
        *x = end * oldCosine;
        *(y - step) = end * oldSine;
    }

    // The second rotation of a row is found beside the first, from what both begin with: so each waits for one root.
    BASALT_DEVICE void shifted(R by, int step, R* x, R* y, R* before, R* after) {
        typedef Limits<R> L;
        R own = *x;
        R f = (absolute(own) - by) * ((own < 0 ? -1 : 1) + by / own);
        R g = *y;
        for (i64 k = first; k < last; k++) {
            R a = *x;
            R b = *y;
            R next = x[step];
            R beyond = k < last - 1 ? y[step] : (R)0;
            R square = f * f + g * g;
            R p = f * a + g * b;
            R q = f * b - g * a;
            R s = g * next;
            R t = f * next;
            R other = p * p + s * s;
            R r;
            if (square > L::lowest() && square < L::highest() && other > L::lowest() && other < L::highest()) {
                R length = root(other);
                r = root(square);
                R one = r * (1 / square);
                R two = length * (1 / other);
                R both = one * two;
                *before = f * one;
                before[n] = g * one;
                R c = p * two;
                *after = c;
                after[n] = s * two;
                *x = length * one;
                x[step] = (p * t - s * q) * both;
                f = (p * q + s * t) * both;
                g = s * beyond * two;
                beyond *= c;
            } else {
                r = planeRotation(f, g, before, before + n);
                R c = *before;
                R sine = before[n];
                q = c * b - sine * a;
                t = c * next;
                *x = planeRotation(c * a + sine * b, sine * next, after, after + n);
                c = *after;
                sine = after[n];
                f = c * q + sine * t;
                x[step] = c * t - sine * q;
                g = sine * beyond;
                beyond *= c;
            }
            if (k > first) {
                *(y - step) = r;
            }
            if (k < last - 1) {
                y[step] = beyond;
            }
            x += step;
            y += step;
            before += step;
            after += step;
        }
        *(y - step) = f;
    }

    // One sweep: 1 where there are rotations to be applied, 0 at the end, -1 where it takes too long.
    BASALT_DEVICE int sweep() {
        typedef Limits<R> L;
        while (last > 0) {
            first = split();
            if (first == last) {
                last--;
                continue;
            }
            if (first > oldLast || last < oldFirst) {
                down = absolute(d[first]) >= absolute(d[last]);
            }
            looks = first == oldFirst && last == oldLast ? looks - 1 : 0;
            oldFirst = first;
            oldLast = last;
            if (looks > 0) {
                ratio = endsSmall() ? (R)-1 : ratio;
            } else {
                ratio = deflate();
                looks = LOOKS;
            }
            if (ratio < 0) {
                continue;
            }
            most -= last - first;
            if (most < 0) {
                return -1;
            }
            R by = n * L::tolerance() * ratio <= larger(L::unit(), L::part() * L::tolerance()) ? (R)0 : shift();
            int step = down ? 1 : -1;
            i64 start = down ? first : last;
            i64 beside = down ? first : last - 1;
            R* before = down ? right : left;
            R* after = down ? left : right;
            if (by == 0) {
                plain(step, d + start, e + beside, before + beside, after + beside);
            } else {
                shifted(by, step, d + start, e + beside, before + beside, after + beside);
            }
            for (i64 i = first; i < last && !down; i++) {
                before[n + i] = -before[n + i];
                after[n + i] = -after[n + i];
            }
            return 1;
        }
        return 0;
    }

    BASALT_DEVICE int unconverged() {
        int count = 0;
        for (i64 i = 0; i < n - 1; i++) {
            count += e[i] != 0 ? 1 : 0;
        }
        return count > 1 ? count : 1;
    }
};

// The line of vectors that a thread has: elements step apart.
template <typename T>
struct Line {
    T* x;
    i64 step;
    bool left;  // which rotations it takes
};

template <typename T, typename R>
BASALT_DEVICE void rotateLine(Line<T> line, bool backward, i64 first, i64 last, const R* cosines, i64 n) {
    T kept = line.x[(backward ? last : first) * line.step];
    for (i64 k = first; k < last; k++) {
        i64 i = backward ? last - 1 - (k - first) : k;
        R c = cosines[i];
        R s = cosines[n + i];
        T other = line.x[(backward ? i : i + 1) * line.step];
        line.x[(backward ? i + 1 : i) * line.step] = backward ? times(c, kept) - times(s, other) : times(c, kept) + times(s, other);
        kept = backward ? times(c, other) + times(s, kept) : times(c, other) - times(s, kept);
    }
    line.x[(backward ? first : last) * line.step] = kept;
}

}  // namespace basalt
#endif
