// Positive definite tridiagonal systems: a thread factors one, and solves for one right-hand side. One system alone is as slow as its divisions are.
#include "basalt.h"

namespace basalt {

template <typename T>
BASALT_DEVICE void pttrf(const Args& args) {
    typedef typename Of<T>::Real R;
    i64 threads = (i64)gridDim.x * blockDim.x;
    for (i64 problem = (i64)blockIdx.x * blockDim.x + threadIdx.x; problem < args.count; problem += threads) {
        if (*at<int>(args.e, problem) != 0) {
            continue;
        }
        R* d = at<R>(args.a, problem);
        T* e = at<T>(args.c, problem);
        int info = 0;
        for (i64 i = 0; i < args.n && info == 0; i++) {
            R pivot = d[i];
            if (!(pivot > 0)) {
                info = (int)(i + 1);
            } else if (i + 1 < args.n) {
                T off = e[i];
                T factor = Make<T>::of(re(off) / pivot, im(off) / pivot);
                e[i] = factor;
                d[i + 1] = d[i + 1] - re(factor) * re(off) - im(factor) * im(off);
            }
        }
        report(args, problem, info);
    }
}

template <typename T>
BASALT_DEVICE void pttrs(const Args& args) {
    typedef typename Of<T>::Real R;
    bool upper = args.uplo == UPPER;
    i64 threads = (i64)gridDim.x * blockDim.x;
    for (i64 each = (i64)blockIdx.x * blockDim.x + threadIdx.x; each < args.count * args.k; each += threads) {
        i64 problem = each / args.k;
        if (skips(args, problem)) {
            continue;
        }
        const R* d = at<R>(args.a, problem);
        const T* e = at<T>(args.b, problem);
        T* b = at<T>(args.c, problem) + each % args.k * args.c.ld;
        T x = b[0];
        for (i64 i = 1; i < args.n; i++) {
            x = b[i] - x * conj(e[i - 1], upper);
            b[i] = x;
        }
        for (i64 i = args.n - 1; i >= 0; i--) {
            T known = i + 1 < args.n ? x * conj(e[i], !upper) : zero<T>();
            T v = b[i];
            x = Make<T>::of(re(v) / d[i], im(v) / d[i]) - known;
            b[i] = x;
        }
    }
}

}  // namespace basalt

#define TRIDIAGONAL_CHOLESKY(t, T)                              \
    BASALT_KERNEL(basalt_pttrf_##t) { basalt::pttrf<T>(args); } \
    BASALT_KERNEL(basalt_pttrs_##t) { basalt::pttrs<T>(args); }
BASALT_EACH_TYPE(TRIDIAGONAL_CHOLESKY)
