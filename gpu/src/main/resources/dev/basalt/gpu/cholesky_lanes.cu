// Cholesky of small matrices in the registers of a few lanes: a lane has every P-th row of the lower triangle. Each column goes through shared memory once it is known, from where
// all lanes of a problem read its elements; nothing else is exchanged but pivots. An upper triangle is read as its conjugate transpose.
//
// On an H200 20000 of order 8, 16, 32 in double take at least 3, 11, 42 µs by memory (4.8 TB/s), where whole sectors are read.
#include "stages.h"

namespace basalt {

// Elements of shared memory of a problem: its matrix, in columns, a column that is shown; odd, so that problems begin in different banks.
BASALT_DEVICE int choleskyElements(int order) { return order * order + 2; }

// The triangles of a warp's problems, of which `which` names those of whose first lanes it has the bits, between device and shared memory.
template <bool IN, typename T, int N, int P>
BASALT_DEVICE void triangleMove(const Args& args, i64 first, unsigned which, T* memory) {
    const int lane = threadIdx.x % 32;
    const int n = (int)args.n;
    const bool lower = args.uplo == LOWER;
    for (int q = 0; q < 32 / P; q++, memory += choleskyElements(N)) {
        if ((which >> (q * P) & 1) == 0) {
            continue;
        }
        T* a = at<T>(args.c, first + q);
#pragma unroll 4
        for (int e = lane; e < N * N; e += 32) {
            // Along the storage: its rows are columns of what is factored where the triangle is an upper one.
            const int down = e % N;
            const int across = e / N;
            const bool stored = lower ? down >= across : down <= across;
            if (stored && down < n && across < n) {
                T* own = memory + (lower ? across * N + down : down * N + across);
                if (IN) {
                    copyAhead(own, a + (down + across * args.c.ld), (int)sizeof(T));
                } else {
                    a[down + across * args.c.ld] = conj(*own, !lower);
                }
            }
        }
    }
}

// N: the order or more; P: lanes of a problem.
template <typename T, int N, int P>
BASALT_DEVICE void choleskyLanes(const Args& args) {
    typedef typename Of<T>::Real Real;
    const int R = N / P;
    const int lane = threadIdx.x % 32;
    const int part = lane % P;
    const int corner = lane - part;
    const int n = (int)args.n;
    const bool upper = args.uplo != LOWER;
    const i64 first = (i64)blockIdx.x * (32 / P);
    const i64 problem = first + lane / P;
    const bool there = problem < args.count && !hasFailed(args, problem);
    const unsigned present = warpBallot(there);
    T* memory = BASALT_DYNAMIC_SHARED(T);
    T* own = memory + lane / P * choleskyElements(N);
    triangleMove<true, T, N, P>(args, first, present, memory);
    endStage();
    awaitStage<0>();
    warpBarrier();
    T a[N][R];
#pragma unroll
    for (int c = 0; c < N; c++) {
#pragma unroll
        for (int r = c / P; r < R; r++) {
            const int i = r * P + part;
            const bool stored = there && c < n && i < n && i >= c;
            // What is beside the matrix is the identity.
            a[c][r] = stored ? conj(own[c * N + i], upper) : i == c ? one<T>() : zero<T>();
        }
    }
    warpBarrier();
    int info = 0;
#pragma unroll
    for (int j = 0; j < N; j++) {
        const Real d = P == 1 ? re(a[j][j / P]) : shuffle(re(a[j][j / P]), corner + j % P);
        info = info == 0 && !(d > 0) ? j + 1 : info;
        Real l, r;
        roots(d, &l, &r);
        // Behind a pivot that is none nothing changes any more.
        r = info == 0 ? r : (Real)0;
        l = info == 0 ? l : d;
        T* shown = own + j * N;
#pragma unroll
        for (int q = j / P; q < R; q++) {
            const int i = q * P + part;
            a[j][q] = i == j ? Make<T>::real(l) : times(r, a[j][q]);
            if (P > 1) {
                shown[i] = a[j][q];
            }
        }
        if (P > 1) {
            warpBarrier();
        }
#pragma unroll
        for (int c = j + 1; c < N; c++) {
            const T x = -conj(P > 1 ? shown[c] : a[j][c / P], true);
#pragma unroll
            for (int q = c / P; q < R; q++) {
                fma(a[j][q], info == 0 ? x : zero<T>(), a[c][q]);
            }
        }
    }
    if (P == 1) {
#pragma unroll
        for (int c = 0; c < N; c++) {
#pragma unroll
            for (int i = c; i < N; i++) {
                own[c * N + i] = a[c][i];
            }
        }
    }
    warpBarrier();
    triangleMove<false, T, N, P>(args, first, present, memory);
    if (there && part == 0) {
        conclude(args, problem, info > n ? 0 : info);
    }
}

// Twice as many lanes for complex doubles, whose rows are twice as many registers.
template <typename T, int P>
struct Parts {
    static const int LANES = sizeof(T) == 16 ? 2 * P : P;
};

}  // namespace basalt

#if defined(BASALT_SHIM)
#define CHOLESKY_LAYOUT(t, T) \
    BASALT_LAYOUT(cholesky_lanes_##t, order, none, too) { return (long long)(basalt::choleskyElements((int)order) * sizeof(T)); }
BASALT_EACH_TYPE(CHOLESKY_LAYOUT)
#endif

#define CHOLESKY_LANES(t, T)                                                                                 \
    BASALT_KERNEL(basalt_cholesky_8_##t) { basalt::choleskyLanes<T, 8, basalt::Parts<T, 1>::LANES>(args); }   \
    BASALT_KERNEL(basalt_cholesky_16_##t) { basalt::choleskyLanes<T, 16, basalt::Parts<T, 4>::LANES>(args); } \
    BASALT_KERNEL(basalt_cholesky_32_##t) { basalt::choleskyLanes<T, 32, basalt::Parts<T, 16>::LANES>(args); }
BASALT_EACH_TYPE(CHOLESKY_LANES)
