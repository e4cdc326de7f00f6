// Element by element over vectors: copy, swap, rot, axpy, scal, fill.
#include "basalt.h"

namespace basalt {

enum { COPY, SWAP, ROT, AXPY, SCAL, FILL };

template <typename T, int OP>
BASALT_DEVICE void element(T* x, T* y, T alpha, T beta, bool real) {
    if (OP == COPY) {
        *y = *x;
    } else if (OP == SWAP) {
        T t = *x;
        *x = *y;
        *y = t;
    } else if (OP == ROT) {
        T u = *x;
        T v = *y;
        *x = times(re(alpha), u) + (real ? times(re(beta), v) : beta * v);
        *y = times(re(alpha), v) - (real ? times(re(beta), u) : conj(beta, true) * u);
    } else if (OP == AXPY) {
        *y = *y + alpha * *x;
    } else if (OP == SCAL) {
        *y = real ? times(re(alpha), *y) : alpha * *y;
    } else {
        *y = alpha;
    }
}

template <typename T, int OP>
BASALT_DEVICE void vectors(const Args& args) {
    T alpha = OP >= ROT ? value<T>(args.alpha) : zero<T>();
    T beta = OP == ROT ? value<T>(args.beta) : zero<T>();
    if (OP == AXPY && isZero(alpha)) {
        return;
    }
    i64 step = (i64)gridDim.x * blockDim.x;
    i64 first = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    i64 incx = args.a.ld;
    i64 incy = args.c.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* x = OP < SCAL ? at<T>(args.a, problem) : 0;
        T* y = at<T>(args.c, problem);
        // increments of 0 are legal: all reads or writes then meet in one element, the last write must win
        if (incy == 0 || ((OP == SWAP || OP == ROT) && incx == 0)) {
            if (first == 0) {
                for (i64 i = 0; i < args.n; i++) {
                    element<T, OP>(x + i * incx, y + i * incy, alpha, beta, args.flag);
                }
            }
            continue;
        }
#pragma unroll 4
        for (i64 i = first; i < args.n; i += step) {
            element<T, OP>(x + i * incx, y + i * incy, alpha, beta, args.flag);
        }
    }
}

template <typename T, bool IS_COPY>
BASALT_DEVICE void integers(const Args& args) {
    i64 step = (i64)gridDim.x * blockDim.x;
    T fill = (T)(i64)args.alpha.re;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* x = IS_COPY ? at<T>(args.a, problem) : 0;
        T* y = at<T>(args.c, problem);
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < args.n; i += step) {
            y[i * args.c.ld] = IS_COPY ? x[i * args.a.ld] : fill;
        }
    }
}

}  // namespace basalt

#define VECTORS(t, T)                                                                   \
    BASALT_KERNEL(basalt_copy_##t, 256) { basalt::vectors<T, basalt::COPY>(args); }     \
    BASALT_KERNEL(basalt_swap_##t, 256) { basalt::vectors<T, basalt::SWAP>(args); }     \
    BASALT_KERNEL(basalt_rot_##t, 256) { basalt::vectors<T, basalt::ROT>(args); }       \
    BASALT_KERNEL(basalt_axpy_##t, 256) { basalt::vectors<T, basalt::AXPY>(args); }     \
    BASALT_KERNEL(basalt_scal_##t, 256) { basalt::vectors<T, basalt::SCAL>(args); }     \
    BASALT_KERNEL(basalt_fill_##t, 256) { basalt::vectors<T, basalt::FILL>(args); }
BASALT_EACH_TYPE(VECTORS)

#if defined(BASALT_TYPE_D)
BASALT_KERNEL(basalt_icopy32_d, 256) { basalt::integers<int, true>(args); }
BASALT_KERNEL(basalt_icopy64_d, 256) { basalt::integers<basalt::i64, true>(args); }
BASALT_KERNEL(basalt_ifill32_d, 256) { basalt::integers<int, false>(args); }
BASALT_KERNEL(basalt_ifill64_d, 256) { basalt::integers<basalt::i64, false>(args); }
#endif
