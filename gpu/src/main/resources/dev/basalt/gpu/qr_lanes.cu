// QR and least squares of matrices with few columns, in the registers of a few lanes: a lane has R rows of all columns, the first lane those of the triangle. So a step is sums
// over those lanes, shared memory is for the way in and out alone, and what a root and two divisions take is shared by all problems of a warp. Vectors of reflectors are
// finished before they are multiplied with. A problem whose numbers want scaling is left as it was, and then done by the whole warp where it lies.
//
// On an H200 20000 of order 8, 16 take at least 4, 17 µs by memory (4.8 TB/s), 20000 of 16×8 with one right-hand side 9, 5000 of 64×16 17.
#include "least_squares.h"
#include "reflector.h"
#include "stages.h"

namespace basalt {

// Rows of a lane: all columns of them take half the registers that a thread may have, a quarter of complex doubles, whose arithmetic has more on its way.
template <typename T, int N>
struct Depth {
    static const int ROWS = (sizeof(T) == 16 ? 16 : 64) / N;
};

// What the lanes of a warp have to do with each other.
struct Lanes {
    int parts;    // of a problem, a power of two
    int part;     // of this lane
    int corner;   // first lane of its problem

    template <typename T>
    BASALT_DEVICE T sum(T v) const {
        for (int mask = parts / 2; mask > 0; mask /= 2) {
            v = v + shuffleXor(v, mask);
        }
        return v;
    }
    template <typename R>
    BASALT_DEVICE R largest(R v) const {
        for (int mask = parts / 2; mask > 0; mask /= 2) {
            v = larger(v, shuffleXor(v, mask));
        }
        return v;
    }
    // Whether row r of this lane lies below row `row` of the matrix, or is it: with constants for r and row one comparison.
    template <int R>
    BASALT_DEVICE bool below(int r, int row) const {
        return r > row % R ? part >= row / R : part > row / R;
    }
    template <int R>
    BASALT_DEVICE bool has(int r, int row) const {
        return r == row % R && part == row / R;
    }
};

// The factorisation of a, column by column: false where a number asks for scaling. `zeroAt` is the place of the first zero on R's diagonal.
template <typename T, int R, int N>
BASALT_DEVICE bool laneFactor(T (&a)[N][R], T* tau, int m, int n, const Lanes& lanes, int* zeroAt) {
    typedef typename Of<T>::Real Real;
    bool fine = true;
    *zeroAt = 0;
#pragma unroll
    for (int j = 0; j < N; j++) {
        if (j >= n) {
            break;
        }
        T u[R];
        Real squares = 0;
#pragma unroll
        for (int r = 0; r < R; r++) {
            u[r] = lanes.below<R>(r, j) ? a[j][r] : zero<T>();
            squares += re(u[r]) * re(u[r]) + im(u[r]) * im(u[r]);
        }
        squares = lanes.sum(squares);
        const T alpha = shuffle(a[j][j % R], lanes.corner + j / R);
        const Real all = squares + (re(alpha) * re(alpha) + im(alpha) * im(alpha));
        bool plain = squares > fewest(squares) && all < most(all);
        bool none = false;
        if (warpBallot(!plain) != 0) {
            // The last column of a square matrix, or one that is zero below the diagonal; or far numbers.
            int some = 0;
#pragma unroll
            for (int r = 0; r < R; r++) {
                some |= isZero(u[r]) ? 0 : 1;
            }
            for (int mask = lanes.parts / 2; mask > 0; mask /= 2) {
                some |= shuffleXor(some, mask);
            }
            none = !plain && some == 0 && im(alpha) == 0 && re(alpha) == re(alpha);
            plain = plain || (some == 0 && all > fewest(all) && all < most(all));
        }
        fine = fine && (plain || none);
        ThreadReflector<T> h;
        finish(h, alpha, root(all));
        const bool idle = none || !plain;
        h.tau = idle ? zero<T>() : h.tau;
        h.inverse = idle ? one<T>() : h.inverse;
        h.beta = idle ? re(alpha) : h.beta;
        *zeroAt = *zeroAt == 0 && h.beta == 0 ? j + 1 : *zeroAt;
#pragma unroll
        for (int r = 0; r < R; r++) {
            u[r] = u[r] * h.inverse;
            a[j][r] = lanes.below<R>(r, j) ? u[r] : a[j][r];
            if (r == j % R) {
                a[j][r] = lanes.has<R>(r, j) ? Make<T>::real(h.beta) : a[j][r];
                u[r] = lanes.has<R>(r, j) ? one<T>() : u[r];
            }
        }
        tau[j] = h.tau;  // by all lanes of a problem alike
        const T f = -conj(h.tau, true);
#pragma unroll
        for (int c = j + 1; c < N; c++) {
            T w = zero<T>();
#pragma unroll
            for (int r = 0; r < R; r++) {
                fma(conj(u[r], true), a[c][r], w);
            }
            w = f * (lanes.sum(w));
#pragma unroll
            for (int r = 0; r < R; r++) {
                fma(w, u[r], a[c][r]);
            }
        }
    }
    return fine;
}

// b := op(H₁…Hₙ)·b, a vector whose rows lie as those of a do.
template <typename T, int R, int N>
BASALT_DEVICE void laneReflect(const T (&a)[N][R], int j, T tau, const Lanes& lanes, T (&b)[R]) {
    T w = zero<T>();
#pragma unroll
    for (int r = 0; r < R; r++) {
        T v = lanes.below<R>(r, j) ? a[j][r] : lanes.has<R>(r, j) ? one<T>() : zero<T>();
        fma(conj(v, true), b[r], w);
    }
    w = -(tau * lanes.sum(w));
#pragma unroll
    for (int r = 0; r < R; r++) {
        T v = lanes.below<R>(r, j) ? a[j][r] : lanes.has<R>(r, j) ? one<T>() : zero<T>();
        fma(w, v, b[r]);
    }
}

// The solution of least squares from the factors and b.
template <typename T, int R, int N>
BASALT_DEVICE void laneLeast(const T (&a)[N][R], const T* tau, int n, const Lanes& lanes, T (&b)[R]) {
#pragma unroll
    for (int j = 0; j < N; j++) {
        if (j < n) {
            laneReflect<T, R, N>(a, j, conj(tau[j], true), lanes, b);
        }
    }
#pragma unroll
    for (int k = N - 1; k >= 0; k--) {
        if (k < n) {
            const T x = shuffle(divide(b[k % R], a[k][k % R]), lanes.corner + k / R);
#pragma unroll
            for (int r = 0; r < R; r++) {
                if (lanes.has<R>(r, k)) {
                    b[r] = x;
                } else if (!lanes.below<R>(r, k)) {
                    fma(-a[k][r], x, b[r]);
                }
            }
        }
    }
}

// The solution of least norm, with zeros behind the right-hand side.
template <typename T, int R, int N>
BASALT_DEVICE void laneLeastNorm(const T (&a)[N][R], const T* tau, int n, const Lanes& lanes, T (&b)[R]) {
#pragma unroll
    for (int k = 0; k < N; k++) {
        if (k < n) {
            // Rᴴ is solved with by rows: column k of R is a row of it.
            T w = zero<T>();
#pragma unroll
            for (int r = 0; r < R; r++) {
                bool before = !lanes.below<R>(r, k) && !lanes.has<R>(r, k);
                fma(before ? conj(a[k][r], true) : zero<T>(), b[r], w);
            }
            w = lanes.sum(w);
            const T x = divide(b[k % R] - w, conj(a[k][k % R], true));
#pragma unroll
            for (int r = 0; r < R; r++) {
                b[r] = lanes.has<R>(r, k) ? x : b[r];
            }
        }
    }
#pragma unroll
    for (int j = N - 1; j >= 0; j--) {
        if (j < n) {
            laneReflect<T, R, N>(a, j, tau[j], lanes, b);
        }
    }
}

// Elements of shared memory of a problem of so many rows: its matrix and its factors, odd so that problems begin in different banks.
BASALT_DEVICE int laneElements(int rows, int columns) { return (rows + 1) * columns + 1; }

// The matrices of a warp's problems, of which `which` names those of whose first lanes it has the bits, between device and shared memory.
template <bool IN, typename T, int N>
BASALT_DEVICE void laneMove(const Args& args, const Operand& o, i64 first, unsigned which, int rows, int parts, T* memory) {
    const int lane = threadIdx.x % 32;
    const int m = (int)args.m;
    const int n = (int)args.n;
    const bool turned = args.opB != NONE;
    int bits = 0;
    while (rows >> (bits + 1) != 0) {
        bits++;
    }
    for (int q = 0; q < 32 / parts; q++, memory += laneElements(rows, N)) {
        if ((which >> (q * parts) & 1) == 0) {
            continue;
        }
        Read<T> c = read<T>(args, o, first + q, m, n);
        // Along the storage.
        for (int e = lane; e < (turned ? m * N : rows * n); e += 32) {
            int i = turned ? e / N : e & (rows - 1);
            int k = turned ? e % N : e >> bits;
            if (i < m && k < n) {
                if (IN) {
                    copyAhead(memory + k * rows + i, &c(i, k), (int)sizeof(T));
                } else {
                    c(i, k) = memory[k * rows + i];
                }
            }
        }
    }
}

// A warp's problems. x: lanes of each.
template <typename T, int R, int N, bool SOLVES>
BASALT_DEVICE void lanesOf(const Args& args) {
    typedef typename Of<T>::Real Real;
    const int lane = threadIdx.x % 32;
    Lanes lanes;
    lanes.parts = args.x;
    lanes.part = lane & (lanes.parts - 1);
    lanes.corner = lane - lanes.part;
    const int rows = R * lanes.parts;
    const i64 first = (i64)blockIdx.x * (32 / lanes.parts);
    const i64 problem = first + lane / lanes.parts;
    const bool there = problem < args.count && !skips(args, problem);
    const unsigned present = warpBallot(there);
    const int m = (int)args.m;
    const int n = (int)args.n;
    const bool turned = args.opB != NONE;
    const Operand& matrix = SOLVES ? args.a : args.c;
    T* memory = BASALT_DYNAMIC_SHARED(T);
    T* own = memory + lane / lanes.parts * laneElements(rows, N);
    T* tau = own + rows * N;

    laneMove<true, T, N>(args, matrix, first, present, rows, lanes.parts, memory);
    endStage();
    awaitStage<0>();
    warpBarrier();
    T a[N][R];
    Real largest = 0;
#pragma unroll
    for (int k = 0; k < N; k++) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            const int i = lanes.part * R + r;
            a[k][r] = there && k < n && i < m ? conj(own[k * rows + i], turned) : zero<T>();
            largest = SOLVES ? larger(largest, larger(absolute(re(a[k][r])), absolute(im(a[k][r])))) : largest;
        }
    }
    bool fine = !SOLVES || inRange(lanes.largest(largest));
    const bool least = args.opA == NONE;
    const int known = least ? m : n;
    T* b = SOLVES && there ? at<T>(args.c, problem) + lanes.part * R : nullptr;
    if (SOLVES) {
        largest = 0;
        for (i64 s = 0; s < args.k; s++) {
#pragma unroll
            for (int r = 0; r < R; r++) {
                T x = there && lanes.part * R + r < known ? b[r + s * args.c.ld] : zero<T>();
                largest = larger(largest, larger(absolute(re(x)), absolute(im(x))));
            }
        }
        fine = inRange(lanes.largest(largest)) && fine;
    }
    int zeroAt;
    fine = laneFactor<T, R, N>(a, tau, m, n, lanes, &zeroAt) && fine;
    fine = fine && there;
    warpBarrier();
    if (SOLVES) {
        for (i64 s = 0; s < args.k; s++, b += args.c.ld) {
            T x[R];
#pragma unroll
            for (int r = 0; r < R; r++) {
                x[r] = there && lanes.part * R + r < known ? b[r] : zero<T>();
            }
            if (least) {
                laneLeast<T, R, N>(a, tau, n, lanes, x);
            } else {
                laneLeastNorm<T, R, N>(a, tau, n, lanes, x);
            }
#pragma unroll
            for (int r = 0; r < R; r++) {
                if (fine && zeroAt == 0 && lanes.part * R + r < m) {
                    b[r] = x[r];
                }
            }
        }
        if (fine && lanes.part == 0) {
            *at<int>(args.e, problem) = zeroAt;
        }
    }
#pragma unroll
    for (int k = 0; k < N; k++) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            own[k * rows + lanes.part * R + r] = conj(a[k][r], turned);
        }
    }
    warpBarrier();
    const unsigned done = warpBallot(fine);
    laneMove<false, T, N>(args, matrix, first, done, rows, lanes.parts, memory);
    for (int e = lane; e < 32 / lanes.parts * N; e += 32) {
        const int q = e / N;
        const int k = e % N;
        if (k < n && (done >> (q * lanes.parts) & 1) != 0) {
            *factor<T>(args, first + q, n, k) = memory[q * laneElements(rows, N) + rows * N + k];
        }
    }
    for (int q = 0; q < 32 / lanes.parts && done != present; q++) {
        if (((present & ~done) >> (q * lanes.parts) & 1) == 0) {
            continue;
        }
        if (SOLVES) {
            warpLeastSquares<T>(args, first + q);
        } else {
            warpFactor(args, read<T>(args, args.c, first + q, m, n), first + q, m, n);
        }
    }
}

// A warp a problem, in device memory.
template <typename T>
BASALT_DEVICE void gelsAny(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            warpLeastSquares<T>(args, problem);
        }
    }
}

// Few rows are two lanes' rather than one's, which would do: there is half as much to wait for.
template <typename T>
BASALT_DEVICE void qrLanes8(const Args& args) {
    const int R = Depth<T, 8>::ROWS;
    if (R == 8 && args.m <= 8) {
        lanesOf<T, 4, 8, false>(args);
    } else {
        lanesOf<T, R, 8, false>(args);
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define LANES_LAYOUT(t, T) \
    BASALT_LAYOUT(qr_lanes_##t, rows, columns, none) { return (long long)(basalt::laneElements((int)rows, (int)columns) * sizeof(T)); }
BASALT_EACH_TYPE(LANES_LAYOUT)
#endif

#define LANES(t, T)                                                                                                                 \
    BASALT_KERNEL(basalt_qr_lanes_8_##t) { basalt::qrLanes8<T>(args); }                                                             \
    BASALT_KERNEL(basalt_qr_lanes_16_##t) { basalt::lanesOf<T, basalt::Depth<T, 16>::ROWS, 16, false>(args); }               \
    BASALT_KERNEL(basalt_gels_lanes_8_##t) { basalt::lanesOf<T, basalt::Depth<T, 8>::ROWS, 8, true>(args); }                 \
    BASALT_KERNEL(basalt_gels_any_##t) { basalt::gelsAny<T>(args); }
BASALT_EACH_TYPE(LANES)
// Not of complex doubles: too much of those is on its way at once.
#define GELS_LANES_16(t, T) \
    BASALT_KERNEL(basalt_gels_lanes_16_##t) { basalt::lanesOf<T, basalt::Depth<T, 16>::ROWS, 16, true>(args); }
BASALT_S(GELS_LANES_16)
BASALT_D(GELS_LANES_16)
BASALT_C(GELS_LANES_16)
