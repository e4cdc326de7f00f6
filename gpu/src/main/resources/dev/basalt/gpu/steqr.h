// Eigenvalues of symmetric tridiagonal matrices by QL and QR steps with implicit shifts: one thread steps, and a block applies its rotations to the rows of what becomes the
// eigenvectors. Numbers are computed in the order of the portable kernels.
#ifndef BASALT_STEQR_H
#define BASALT_STEQR_H
#include "basalt.h"

namespace basalt {

BASALT_DEVICE double unit(double) { return 1.1102230246251565e-16; }  // 2⁻⁵³
BASALT_DEVICE float unit(float) { return 5.9604645e-08f; }            // 2⁻²⁴
BASALT_DEVICE double squareable(double) { return 3.2037450023935935e-145; }  // 2⁻⁴⁸⁰: the square loses no digits
BASALT_DEVICE float squareable(float) { return 8.8817842e-16f; }             // 2⁻⁵⁰

BASALT_DEVICE int exponentOf(double x) { return ilogb(x) < -1023 ? -1023 : ilogb(x); }
BASALT_DEVICE int exponentOf(float x) { return ilogbf(x) < -127 ? -127 : ilogbf(x); }
BASALT_DEVICE double scaled(double x, int by) { return scalbn(x, by); }
BASALT_DEVICE float scaled(float x, int by) { return scalbnf(x, by); }

template <typename R>
BASALT_DEVICE R withSign(R x, R sign) {
    return (sign < 0 || (sign == 0 && 1 / sign < 0)) == (x < 0) ? x : -x;
}

template <typename R>
BASALT_DEVICE R most(R x, R y) {
    return x > y || x != x ? x : y;
}

// The length of a vector of two elements, of which both squares may be too small or too large.
template <typename R>
BASALT_DEVICE R lengthOf(R x, R y) {
    R largest = most(absolute(x), absolute(y));
    R small = squareable(x);
    if (largest > small && largest < 1 / small) {
        return root(x * x + y * y);
    }
    if (largest == 0) {
        return largest;
    }
    R u = x / largest;
    R v = y / largest;
    return largest * root(u * u + v * v);
}

template <typename R>
BASALT_DEVICE bool allFinite(i64 n, const R* d, const R* e) {
    R sum = 0;
    for (i64 i = 0; i < n; i++) {
        sum += 0 * d[i] + (i + 1 < n ? 0 * e[i] : (R)0);
    }
    return sum == 0;
}

template <typename R>
BASALT_DEVICE R largestOf(i64 n, const R* d, const R* e) {
    R largest = 0;
    for (i64 i = 0; i < n; i++) {
        largest = most(largest, absolute(d[i]));
        largest = i + 1 < n ? most(largest, absolute(e[i])) : largest;
    }
    return largest;
}

template <typename R>
BASALT_DEVICE void scaleBy(i64 n, R* d, R* e, int by) {
    for (i64 i = 0; by != 0 && i < n; i++) {
        d[i] = scaled(d[i], by);
        if (i + 1 < n) {
            e[i] = scaled(e[i], by);
        }
    }
}

template <typename R>
BASALT_DEVICE i64 notZero(i64 n, const R* e) {
    i64 missed = 0;
    for (i64 i = 0; i + 1 < n; i++) {
        missed += e[i] == 0 ? 0 : 1;
    }
    return missed;
}

// A step on a block of count + 1 elements from `first` in a direction; its rotations go to w, cosines and then sines.
template <typename R>
BASALT_DEVICE void implicitStep(i64 first, i64 dir, i64 count, R* d, R* e, R* w) {
    R* at = d + first;
    R* beside = e + (dir > 0 ? first : first - 1);
    R p = *at;
    R g = (at[dir] - p) / (2 * *beside);
    R r = lengthOf(g, (R)1);
    g = at[count * dir] - p + *beside / (g + withSign(r, g));
    R s = 1;
    R c = 1;
    R fewest = squareable(p) * squareable(p);
    p = 0;
    for (i64 i = count - 1; i >= 0; i--) {
        R f = s * beside[i * dir];
        R b = c * beside[i * dir];
        R square = f * f + g * g;
        if (square > fewest && square < 1 / fewest) {
            // One root, for which the next rotation waits.
            R inverse = inverseRoot(square);
            r = square * inverse;
            r += (R)0.5 * inverse * (square - r * r);
            s = f * inverse;
            c = g * inverse;
        } else {
            r = lengthOf(f, g);
            s = r == 0 ? (R)0 : f / r;
            c = r == 0 ? (R)1 : g / r;
        }
        if (i != count - 1) {
            beside[(i + 1) * dir] = r;
        }
        g = at[(i + 1) * dir] - p;
        r = (at[i * dir] - g) * s + 2 * c * b;
        p = s * r;
        at[(i + 1) * dir] = g + p;
        g = c * r - b;
        w[i] = c;
        w[count + i] = s;
    }
    *at = *at - p;
    *beside = g;
}

// The same without square roots, on the squares of e.
template <typename R>
BASALT_DEVICE void rootFreeStep(i64 first, i64 dir, i64 count, R* d, R* e) {
    R* at = d + first;
    R* beside = e + (dir > 0 ? first : first - 1);
    R p = *at;
    R square = root(*beside);
    R sigma = (at[dir] - p) / (2 * square);
    R r = root(sigma * sigma + 1);
    sigma = p - square / (sigma + withSign(r, sigma));
    R c = 1;
    R s = 0;
    R gamma = at[count * dir] - sigma;
    square = gamma * gamma;
    for (i64 i = count - 1; i >= 0; i--) {
        R b = beside[i * dir];
        R sum = square + b;
        if (i != count - 1) {
            beside[(i + 1) * dir] = s * sum;
        }
        R oldC = c;
        c = sum == 0 ? (R)1 : square / sum;
        s = sum == 0 ? (R)0 : b / sum;
        R oldGamma = gamma;
        R alpha = at[i * dir];
        gamma = c * (alpha - sigma) - s * oldGamma;
        at[(i + 1) * dir] = oldGamma + (alpha - gamma);
        square = c != 0 ? gamma * gamma / c : oldC * b;
    }
    *beside = s * square;
    *at = sigma + gamma;
}

// The block [first, last] that the next step is for, as far as e is not negligible; first = n at the end.
struct Part {
    i64 first, last, end;
    bool down;

    template <typename R>
    BASALT_DEVICE bool ends(i64 at, const R* d) {
        if (at != first) {
            down = at == end ? down : absolute(d[at]) < absolute(d[first]);
            end = at;
            last = at;
            return true;
        }
        first++;
        return false;
    }
};

template <typename R>
BASALT_DEVICE bool negligible(i64 i, const R* d, const R* e, bool squares) {
    R tiny = smallestNormal(*d);
    R v = absolute(e[i]);
    R x = absolute(d[i]);
    R y = absolute(d[i + 1]);
    return squares ? e[i] <= unit(v) * unit(v) * x * y + tiny : v <= unit(v) * root(x) * root(y) || v <= tiny;
}

template <typename R>
BASALT_DEVICE void nextPart(i64 n, R* d, R* e, Part& part) {
    while (part.first < n) {
        i64 last = part.first;
        while (last + 1 < n && !negligible(last, d, e, true)) {
            last++;
        }
        if (last + 1 < n) {
            e[last] = 0;
        }
        if (part.ends(last, d)) {
            return;
        }
    }
}

// The same by a warp: lanes look at elements. `part` is shared.
template <typename R>
BASALT_DEVICE void nextPartOfWarp(i64 n, const R* d, R* e, Part* part) {
    int lane = threadIdx.x % 32;
    i64 first = part->first;
    bool found = false;
    while (first < n && !found) {
        i64 last = first;
        unsigned lanes = 0;
        for (; lanes == 0; last += lanes == 0 ? 32 : 0) {
            i64 i = last + lane;
            lanes = warpBallot(i + 1 >= n || negligible(i, d, e, false));
        }
        last += firstLane(lanes);
        warpBarrier();
        if (lane == 0) {
            if (last + 1 < n) {
                e[last] = 0;
            }
            found = part->ends(last, d);
            first = part->first;
        }
        warpBarrier();
        first = part->first;
        found = first < n && part->end == last && part->last == last && last > first;
    }
}

static const int STEPS = 30;

// By one thread: how many elements of e have not converged.
template <typename R>
BASALT_DEVICE i64 sterf(i64 n, R* d, R* e) {
    if (n > 1 && !allFinite(n, d, e)) {
        for (i64 i = 0; i < n; i++) {
            d[i] = 0 * d[i] / (0 * d[i]);
        }
        return n;
    }
    R largest = largestOf(n, d, e);
    int scale = largest == 0 || n == 1 ? 0 : exponentOf(largest);
    scaleBy(n, d, e, -scale);
    for (i64 i = 0; i + 1 < n; i++) {
        e[i] = e[i] * e[i];
    }
    Part part = {0, 0, -1, false};
    for (i64 steps = STEPS * n; steps >= 0; steps--) {
        nextPart(n, d, e, part);
        if (part.first >= n) {
            break;
        }
        rootFreeStep(part.down ? part.last : part.first, part.down ? -1 : 1, part.last - part.first, d, e);
    }
    i64 missed = notZero(n, e);
    for (i64 i = 0; missed > 0 && i + 1 < n; i++) {
        e[i] = root(e[i]);
    }
    scaleBy(n, d, e, scale);
    i64 gap = 1;
    while (gap < n / 3) {
        gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
        for (i64 i = gap; i < n; i++) {
            R v = d[i];
            i64 j = i;
            for (; j >= gap && d[j - gap] > v; j -= gap) {
                d[j] = d[j - gap];
            }
            d[j] = v;
        }
    }
    return missed;
}

// By a block: z (m×n) := z times the eigenvectors. `part` is shared; the result is in every thread.
template <typename R>
BASALT_DEVICE i64 steqr(i64 n, R* d, R* e, i64 m, R* z, i64 ldz, R* w, Part* part, i64* result) {
    if (threadIdx.x == 0) {
        *result = 0;
        part->first = 0;
        part->last = 0;
        part->end = -1;
        part->down = false;
        if (n > 1 && !allFinite(n, d, e)) {
            *result = n;
            for (i64 i = 0; i < n; i++) {
                d[i] = 0 * d[i] / (0 * d[i]);
            }
        }
    }
    __syncthreads();
    if (*result != 0) {
        return n;
    }
    int scale = 0;
    if (threadIdx.x == 0) {
        R largest = largestOf(n, d, e);
        scale = largest == 0 || n == 1 ? 0 : exponentOf(largest);
        scaleBy(n, d, e, -scale);
    }
    for (i64 steps = STEPS * n; steps >= 0; steps--) {
        __syncthreads();
        if (threadIdx.x < 32) {
            nextPartOfWarp(n, d, e, part);
            if (threadIdx.x == 0 && part->first < n) {
                implicitStep(part->down ? part->last : part->first, part->down ? -1 : 1, part->last - part->first, d,
                             e, w);
            }
        }
        __syncthreads();
        if (part->first >= n) {
            break;
        }
        i64 count = part->last - part->first;
        i64 column = part->down ? -ldz : ldz;
        R* x = z + (part->down ? part->last : part->first) * ldz;
        for (i64 row = threadIdx.x; row < m; row += blockDim.x) {
            R behind = x[row + count * column];
            for (i64 i = count - 1; i >= 0; i--) {
                R c = w[i];
                R s = w[count + i];
                R v = x[row + i * column];
                x[row + (i + 1) * column] = c * behind + s * v;
                behind = c * v - s * behind;
            }
            x[row] = behind;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *result = notZero(n, e);
        scaleBy(n, d, e, scale);
    }
    for (i64 i = 0; i + 1 < n; i++) {
        __syncthreads();
        if (threadIdx.x < 32) {
            i64 least = i;
            for (i64 j = i + 1 + threadIdx.x; j < n; j += 32) {
                least = d[j] < d[least] ? j : least;
            }
            for (int mask = 16; mask > 0; mask >>= 1) {
                i64 other = shuffleXor(least, mask);
                least = d[other] < d[least] || (d[other] == d[least] && other < least) ? other : least;
            }
            if (threadIdx.x == 0) {
                part->first = least;
            }
        }
        __syncthreads();
        i64 least = part->first;
        if (least != i) {
            if (threadIdx.x == 0) {
                R v = d[i];
                d[i] = d[least];
                d[least] = v;
            }
            for (i64 row = threadIdx.x; row < m; row += blockDim.x) {
                R v = z[row + i * ldz];
                z[row + i * ldz] = z[row + least * ldz];
                z[row + least * ldz] = v;
            }
        }
    }
    __syncthreads();
    return *result;
}

// The sum, or the largest with NaN above all, of a number of each thread of a block.
template <typename R>
BASALT_DEVICE R ofBlock(R x, bool sum, R* scratch) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        R y = shuffleXor(x, mask);
        x = sum ? x + y : most(x, y);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = x;
    }
    __syncthreads();
    x = scratch[0];
    for (int w = 1; w < (int)blockDim.x / 32; w++) {
        x = sum ? x + scratch[w] : most(x, scratch[w]);
    }
    return x;
}

}  // namespace basalt
#endif
