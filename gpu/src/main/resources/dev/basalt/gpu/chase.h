// A symmetric or Hermitian band on its way to tridiagonal form: the scratch in which bulges are chased, what sweeps there are, and how blocks tell each other how far they are.
#ifndef BASALT_CHASE_H
#define BASALT_CHASE_H
#include "cluster.h"

namespace basalt {

template <typename T>
struct ChasedBand {
    typedef typename Of<T>::Real R;

    const Args& args;
    i64 problem;
    i64 n, k, ld;
    T* band;  // row i of column j has the element i rows below the diagonal
    unsigned* progress;  // of each block
    T* kept;             // a matrix whose upper triangle keeps the reflectors, or none
    i64 keptStep;
    unsigned round;

    BASALT_DEVICE ChasedBand(const Args& arguments, i64 which)
        : args(arguments), problem(which), n(args.n), k(args.k), ld(args.f.ld), band(at<T>(args.f, which)), progress((unsigned*)(band + (n + 1) * ld)), kept(arguments.d.base == 0 ? 0 : at<T>(arguments.d, which)), keptStep(arguments.d.ld), round(0) {}

    BASALT_DEVICE T* element(i64 below, i64 column) const { return band + (below + column * ld); }
    // Element i of the reflector of a sweep that begins in some row, or its factor in place of the first.
    BASALT_DEVICE void keep(i64 sweep, i64 row, i64 i, T v, T tau) const { kept[sweep + (row + i) * keptStep] = i == 0 ? tau : v; }
    BASALT_DEVICE i64 steps(i64 sweep) const { return (n - 1 - sweep + k - 1) / k; }
    // A single diagonal is cleared of all that is not real by one sweep.
    BASALT_DEVICE i64 sweeps() const { return k == 1 ? 1 : k == 0 ? 0 : n - 1; }

    BASALT_DEVICE void barrier() {
        round++;
        gridBarrier(counter(args, 0), round);
    }

    // The lower triangle of the band with room for bulges.
    BASALT_DEVICE void take() {
        Stored<T> given = stored<T>(args.c, args.bandC, args.uplo, n, n, problem);
        for (i64 l = (i64)blockIdx.x * blockDim.x + threadIdx.x; l < n * ld; l += (i64)gridDim.x * blockDim.x) {
            i64 j = l / ld;
            i64 i = j + l % ld;
            T x = zero<T>();
            if (i < n && i - j <= k) {
                x = args.uplo == LOWER ? given(i, j) : conj(given(j, i), true);
            }
            band[l] = i == j ? dropImaginary(x) : x;
        }
        if (blockIdx.x == 0) {
            for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
                progress[b] = 0;
            }
        }
        barrier();
    }

    // Both diagonals, once all sweeps are done.
    BASALT_DEVICE void give() {
        barrier();
        R* d = at<R>(args.a, problem);
        R* e = n > 1 ? at<R>(args.b, problem) : 0;
        for (i64 j = (i64)blockIdx.x * blockDim.x + threadIdx.x; j < n; j += (i64)gridDim.x * blockDim.x) {
            d[j] = re(*element(0, j));
            if (j < n - 1) {
                e[j] = re(*element(1, j));
            }
        }
        if (threadIdx.x == 0) {
            // The last block to leave puts the counters back.
            __threadfence();
            if (atomicAdd(counter(args, 1), 1u) == gridDim.x - 1) {
                *counter(args, 0) = 0;
                *counter(args, 1) = 0;
            }
        }
    }
};

}  // namespace basalt
#endif
