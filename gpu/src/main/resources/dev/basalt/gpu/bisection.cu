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

}  // namespace basalt

#define BISECTION(t, T) BASALT_KERNEL(basalt_sterf_bisect_##t) { basalt::bisect<T>(args); }
BASALT_S(BISECTION)
BASALT_D(BISECTION)
