// Eigenvalues of symmetric tridiagonal matrices without vectors, all at once: some lanes of a warp share the interval of one and count at as many points how many eigenvalues lie
// below (Barth, Martin and Wilkinson, "Calculation of the eigenvalues of a symmetric tridiagonal matrix by the method of bisection", 1967). QR steps, which find one after the
// other, would leave a GPU to one thread.
#include "steqr.h"

namespace basalt {

enum { PIECE = 512 };

BASALT_DEVICE double smallest(double) { return 2.2250738585072014e-308; }
BASALT_DEVICE float smallest(float) { return 1.17549435e-38f; }

// Bits that an interval loses before its ends are neighbours of a number as large as the matrix.
BASALT_DEVICE int digitsOf(double) { return 56; }
BASALT_DEVICE int digitsOf(float) { return 27; }

// Bits that a pass of so many lanes takes, in sixteenths, rounded down: that of lanes + 1 parts.
BASALT_DEVICE int gainOf(int lanes) {
    return lanes == 1 ? 16 : lanes == 2 ? 25 : lanes == 4 ? 37 : lanes == 8 ? 50 : lanes == 16 ? 65 : 80;
}

template <typename R>
BASALT_DEVICE R blockMost(R v, R* scratch) {
    for (int mask = 16; mask > 0; mask /= 2) {
        v = most(v, shuffleXor(v, mask));
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = v;
    }
    __syncthreads();
    R all = scratch[0];
    for (int w = 1; w < (int)blockDim.x / 32; w++) {
        all = most(all, scratch[w]);
    }
    return all;
}

// How many eigenvalues of the scaled matrix lie below x; all threads of the block come here together.
template <typename R>
BASALT_DEVICE i64 below(i64 n, const R* d, const R* e, int scale, R x, R* diagonal, R* squares) {
    R floor = smallest((R)0);
    R q = 1;
    i64 count = 0;
    for (i64 first = 0; first < n; first += PIECE) {
        int size = (int)(n - first < PIECE ? n - first : PIECE);
        if (n > PIECE || diagonal[PIECE] == 0) {
            __syncthreads();
            for (int i = threadIdx.x; i < size; i += blockDim.x) {
                R beside = first + i == 0 ? (R)0 : scaled(e[first + i - 1], scale);
                diagonal[i] = scaled(d[first + i], scale);
                squares[i] = beside * beside;
            }
            if (threadIdx.x == 0) {
                diagonal[PIECE] = 1;
            }
            __syncthreads();
        }
#pragma unroll 4
        for (int i = 0; i < size; i++) {
            q = diagonal[i] - x - squares[i] / q;
            q = absolute(q) <= floor ? -floor : q;
            count += q < 0 ? 1 : 0;
        }
    }
    return count;
}

// x: lanes that share an eigenvalue. Numbers wait until nobody reads the matrix: in shared memory where one block finds them all, else in the stream's memory, from where the last
// block brings them home.
template <typename R>
BASALT_DEVICE void bisect(const Args& args) {
    __shared__ R scratch[32];
    __shared__ R diagonal[PIECE + 1];
    __shared__ R squares[PIECE];
    __shared__ R kept[PIECE];
    __shared__ int last;
    i64 n = args.n;
    int lanes = args.x;
    int lane = threadIdx.x % lanes;
    i64 groups = blockDim.x / lanes;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* d = at<R>(args.a, problem);
        R* e = n < 2 ? d : at<R>(args.b, problem);
        bool alone = gridDim.x == 1;
        R* found = alone ? kept : (R*)syncScratch(args) + problem * n;
        R own = 0;
        R beside = 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            R right = i + 1 < n ? absolute(e[i]) : (R)0;
            own = most(own, absolute(d[i]));
            beside = most(beside, right);
        }
        own = blockMost(own, scratch);
        beside = blockMost(beside, scratch);
        R largest = most(own, beside);
        bool finite = 0 * largest == 0;
        int scale = largest == 0 || !finite ? 0 : -exponentOf(largest);
        // Rows of the scaled matrix add up to at most this.
        R bound = finite ? scaled(own, scale) + 2 * scaled(beside, scale) : (R)1;
        bound = bound + 4 * unit((R)0) * bound + smallest((R)0);
        int passes = (16 * digitsOf((R)0) + 32) / gainOf(lanes) + 1;
        if (threadIdx.x == 0) {
            diagonal[PIECE] = 0;
        }
        __syncthreads();
        for (i64 i0 = groups * blockIdx.x; i0 < n; i0 += groups * gridDim.x) {
            i64 i = i0 + threadIdx.x / lanes;
            R low = -bound;
            R high = bound;
            for (int pass = 0; finite && pass < passes; pass++) {
                R step = (high - low) / (R)(lanes + 1);
                R x = low + (R)(lane + 1) * step;
                int under = below(n, d, e, scale, x, diagonal, squares) <= i ? 1 : 0;
                for (int mask = 1; mask < lanes; mask *= 2) {
                    under += shuffleXor(under, mask);
                }
                R left = under == 0 ? low : low + (R)under * step;
                high = under == lanes ? high : low + (R)(under + 1) * step;
                low = left;
            }
            if (i < n && lane == 0) {
                R middle = low + (high - low) / 2;
                found[i] = !finite ? 0 * largest / (0 * largest) : n == 1 ? d[0] : largest == 0 ? largest : scaled(middle, -scale);
            }
        }
        __syncthreads();
        if (alone || arrivesLast(counter(args, problem), gridDim.x, &last)) {
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                d[i] = alone ? kept[i] : loadShared(found + i);
                if (finite && i + 1 < n) {
                    e[i] = 0;
                }
            }
            if (threadIdx.x == 0 && !finite && n > 1) {
                atomicAdd((unsigned*)at<int>(args.e, problem), (unsigned)n);
            }
        }
        __syncthreads();
    }
}

// ---- singular values of bidiagonal matrices

// Numbers are scaled so that the largest is from 1 to 2. Beside such a number those below the least count as zeros.
BASALT_DEVICE double leastOf(double) { return 0x1p-1000; }
BASALT_DEVICE float leastOf(float) { return 0x1p-110f; }

// From here up squares, and quotients of them, lose no digits that matter.
BASALT_DEVICE double plainFrom(double) { return 0x1p-440; }
BASALT_DEVICE float plainFrom(float) { return 0x1p-48f; }

// Bits of what lies between the least and the largest there can be.
BASALT_DEVICE int placesOf(double) { return 62; }
BASALT_DEVICE int placesOf(float) { return 30; }

// The place of a positive number among all such, and the number at a place: halving places finds small numbers to as many digits as large ones.
BASALT_DEVICE i64 placeOf(double x) { return (i64)orderedBits(x); }
BASALT_DEVICE i64 placeOf(float x) { return (i64)(orderedBits(x) >> 29); }
BASALT_DEVICE double numberAt(i64 place, double) { return fromBits((u64)place); }
BASALT_DEVICE float numberAt(i64 place, float) { return (float)fromBits((u64)place << 29); }

// How many singular values of the scaled matrix lie below x. All threads of the block come here together. What is counted is how many pivots are negative: where squares are in the range, of BᵀB - x² in differential form (Fernando and
// Parlett, "Accurate singular values and differential qd algorithms", 1994), else of the matrix of order 2n with a zero diagonal that has the values and their negatives (Demmel and Kahan, 1990). Roundings of both are those of
// some last digits of elements of B, so small values are as accurate as large ones.
template <typename R>
BASALT_DEVICE i64 smaller(i64 n, const R* d, const R* e, int scale, R x, R* owns, R* besides) {
    bool plain = x >= plainFrom(x);
    R square = x * x;
    R t = plain ? -square : -x;
    i64 count = plain ? 0 : 1 - n;
    for (i64 first = 0; first < n; first += PIECE) {
        int size = (int)(n - first < PIECE ? n - first : PIECE);
        if (n > PIECE || owns[PIECE] == 0) {
            __syncthreads();
            for (int i = threadIdx.x; i < size; i += blockDim.x) {
                owns[i] = scaled(d[first + i], scale);
                besides[i] = first + i + 1 < n ? scaled(e[first + i], scale) : (R)0;
            }
            if (threadIdx.x == 0) {
                owns[PIECE] = 1;
            }
            __syncthreads();
        }
        if (plain) {
#pragma unroll 4
            for (int i = 0; i < size; i++) {
                R p = owns[i] * owns[i] + t;
                p = p == 0 ? unit(t) * absolute(t) + smallest(t) : p;
                count += p < 0 ? 1 : 0;
                t = besides[i] * besides[i] * (t / p) - square;
            }
        } else {
            for (int i = 0; i < size; i++) {
                R p = -x - owns[i] * (owns[i] / t);
                p = p == 0 ? smallest(p) : p;
                count += p < 0 ? 1 : 0;
                t = -x - besides[i] * (besides[i] / p);
                t = t == 0 ? smallest(t) : t;
                // Behind the last element there is no pivot.
                count += t < 0 && first + i + 1 < n ? 1 : 0;
            }
        }
    }
    return count;
}

// x: lanes that share a value. f is read, g written, so blocks need not wait for each other.
template <typename R>
BASALT_DEVICE void bisectValues(const Args& args) {
    __shared__ R scratch[32];
    __shared__ R owns[PIECE + 1];
    __shared__ R besides[PIECE];
    i64 n = args.n;
    int lanes = args.x;
    int lane = threadIdx.x % lanes;
    i64 groups = blockDim.x / lanes;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const R* d = at<R>(args.f, problem);
        const R* e = d + n;
        R* values = at<R>(args.g, problem);
        R own = 0;
        R beside = 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            own = most(own, absolute(d[i]));
            beside = i + 1 < n ? most(beside, absolute(e[i])) : beside;
        }
        own = blockMost(own, scratch);
        beside = blockMost(beside, scratch);
        R largest = most(own, beside);
        bool finite = 0 * largest == 0;
        bool some = finite && largest != 0;
        int scale = some ? -exponentOf(largest) : 0;
        R bound = some ? scaled(own, scale) + scaled(beside, scale) : (R)1;
        bound += 8 * unit(bound) * bound;
        i64 lowest = placeOf(leastOf(bound));
        int passes = 16 * placesOf(bound) / gainOf(lanes) + 3;
        if (threadIdx.x == 0) {
            owns[PIECE] = 0;
        }
        __syncthreads();
        for (i64 i0 = groups * blockIdx.x; i0 < n; i0 += groups * gridDim.x) {
            i64 i = i0 + threadIdx.x / lanes;
            i64 low = lowest;
            i64 high = placeOf(bound);
            for (int pass = 0; some && pass < passes; pass++) {
                // Parts whose lengths differ by one at most.
                i64 step = (high - low) / (lanes + 1);
                i64 more = (high - low) % (lanes + 1);
                R x = numberAt(low + (lane + 1) * step + least((i64)lane + 1, more), bound);
                int under = smaller(n, d, e, scale, x, owns, besides) <= i ? 1 : 0;
                for (int mask = 1; mask < lanes; mask *= 2) {
                    under += shuffleXor(under, mask);
                }
                high = under == lanes ? high : low + (under + 1) * step + least((i64)under + 1, more);
                low = low + under * step + least((i64)under, more);
            }
            if (i < n && lane == 0) {
                values[n - 1 - i] = !finite         ? 0 * largest / (0 * largest)
                                    : low == lowest ? (R)0
                                                    : scaled(numberAt(low, bound), -scale);
                values[n + i] = 0;
            }
        }
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            *at<int>(args.e, problem) = finite ? 0 : (int)n;
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define BISECTION(t, T)                                                  \
    BASALT_KERNEL(basalt_sterf_bisect_##t) { basalt::bisect<T>(args); } \
    BASALT_KERNEL(basalt_bdsqr_bisect_##t) { basalt::bisectValues<T>(args); }
BASALT_S(BISECTION)
BASALT_D(BISECTION)
