// Reduction of small symmetric and Hermitian matrices to tridiagonal form, a warp a problem: a lane has a row, of which shared memory keeps all
// elements. Nothing waits for other warps: what a column costs is the latency of a root, two sums over lanes and two passes over the rows.
// An upper triangle is a lower one that is read from its end, so columns are counted from where the reduction begins.
#include "row_reflector.h"

namespace basalt {

static const int ROWS = 32;

template <typename T>
BASALT_DEVICE void sytd2Warp(const Args& args) {
    typedef typename Of<T>::Real R;
    const int SUMS = 4;
    const int n = (int)args.n;
    const int lane = threadIdx.x;
    T* m = BASALT_DYNAMIC_SHARED(T);  // [column][row]
    T* vs = m + n * ROWS;             // the reflector
    T* ws = vs + ROWS;                // and what goes with it
    const bool lower = args.uplo == LOWER;
    const i64 order = lower ? 1 : -1;
    const i64 lda = args.c.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem) + (lower ? 0 : (n - 1) * (1 + lda)) + lane * order;  // the lane's row
        R* d = at<R>(args.a, problem) + (lower ? 0 : n - 1);
        R* beside = n > 1 ? at<R>(args.b, problem) + (lower ? 0 : n - 2) : 0;
        T* tau = n > 1 ? at<T>(args.d, problem) + (lower ? 0 : n - 2) : 0;
#pragma unroll 8
        for (int j = 0; j < n; j++) {
            if (lane >= j && lane < n) {
                T here = a[j * order * lda];
                m[lane * ROWS + j] = conj(here, true);
                m[j * ROWS + lane] = lane == j ? dropImaginary(here) : here;
            }
        }
        warpBarrier();
        for (int p = 0; p < n; p++) {
            int s = p + 1;
            T x = lane >= p && lane < n ? m[p * ROWS + lane] : zero<T>();
            if (lane == p) {
                d[p * order] = re(x);
                a[p * order * lda] = dropImaginary(x);
            }
            if (s == n) {
                break;
            }
            // The reflector begins in the first lane.
            T v = shuffle(x, (lane + s) % 32);
            Reflector<T> r = rowReflector<32>(v, n - s);
            v = shuffle(v, (lane + 32 - s) % 32);
            v = lane >= s && lane < n ? v : zero<T>();
            if (lane >= s && lane < n) {
                a[p * order * lda] = lane == s ? Make<T>::real(r.beta) : v;
            }
            if (lane == 0) {
                beside[p * order] = r.beta;
                tau[p * order] = r.tau;
            }
            vs[lane] = v;
            warpBarrier();
            T sums[SUMS];
#pragma unroll
            for (int u = 0; u < SUMS; u++) {
                sums[u] = zero<T>();
            }
            int j = s;
            for (; j + SUMS <= n; j += SUMS) {
#pragma unroll
                for (int u = 0; u < SUMS; u++) {
                    fma(m[(j + u) * ROWS + lane], vs[j + u], sums[u]);
                }
            }
            for (; j < n; j++) {
                fma(m[j * ROWS + lane], vs[j], sums[0]);
            }
            T w = lane >= s && lane < n && !isZero(r.tau) ? r.tau * ((sums[0] + sums[1]) + (sums[2] + sums[3])) : zero<T>();
            T cross = rowSum<32>(conj(w, true) * v);
            fma(times((R)-0.5, r.tau * cross), v, w);
            ws[lane] = w;
            warpBarrier();
#pragma unroll 2
            for (j = s; j < n; j++) {
                T now = m[j * ROWS + lane];
                fma(-v, conj(ws[j], true), now);
                fma(-w, conj(vs[j], true), now);
                m[j * ROWS + lane] = now;
            }
            warpBarrier();
        }
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define WARP_LAYOUT(t, T) \
    BASALT_LAYOUT(sytd2_warp_##t, n, unused, unused_too) { return (long long)sizeof(T) * (n + 2) * basalt::ROWS; }
BASALT_EACH_TYPE(WARP_LAYOUT)
#endif

#define TRIDIAGONAL_WARP(t, T) BASALT_KERNEL(basalt_sytd2_warp_##t) { basalt::sytd2Warp<T>(args); }
BASALT_EACH_TYPE(TRIDIAGONAL_WARP)
