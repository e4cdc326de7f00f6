// Element by element over vectors: copy, swap, rot, axpy, scal, fill.
#include "abreast.h"
#include "pack.h"
BASALT_CAPPED_TOO

namespace basalt {

enum { COPY, SWAP, ROT, AXPY, SCAL, FILL };

// A product by itself, and one that is fused with its sum, written out: compilers may fuse either of two products or none,
// and an element's bits shall depend on nothing but the element.
#if defined(BASALT_SHIM)
BASALT_DEVICE float rounded(float x, float y) { return x * y; }
BASALT_DEVICE double rounded(double x, double y) { return x * y; }
BASALT_DEVICE void fused(float x, float y, float& acc) { acc = __builtin_fmaf(x, y, acc); }
BASALT_DEVICE void fused(double x, double y, double& acc) { acc = __builtin_fma(x, y, acc); }
#else
BASALT_DEVICE float rounded(float x, float y) { return __fmul_rn(x, y); }
BASALT_DEVICE double rounded(double x, double y) { return __dmul_rn(x, y); }
BASALT_DEVICE void fused(float x, float y, float& acc) { acc = __fmaf_rn(x, y, acc); }
BASALT_DEVICE void fused(double x, double y, double& acc) { acc = __fma_rn(x, y, acc); }
#endif

// The same with a real and a complex number.
template <typename R>
BASALT_DEVICE Complex<R> rounded(R r, Complex<R> x) {
    x.re = rounded(r, x.re);
    x.im = rounded(r, x.im);
    return x;
}
template <typename R>
BASALT_DEVICE void fused(R r, Complex<R> x, Complex<R>& acc) {
    fused(r, x.re, acc.re);
    fused(r, x.im, acc.im);
}

// And with two complex numbers.
template <typename R>
BASALT_DEVICE void turned(R im, Complex<R> x, Complex<R>& acc) {
    fused(-im, x.im, acc.re);
    fused(im, x.re, acc.im);
}
template <typename R>
BASALT_DEVICE Complex<R> scaled(Complex<R> alpha, Complex<R> x) {
    Complex<R> z = rounded(alpha.re, x);
    turned(alpha.im, x, z);
    return z;
}
BASALT_DEVICE float scaled(float alpha, float x) { return alpha * x; }
BASALT_DEVICE double scaled(double alpha, double x) { return alpha * x; }
template <typename R>
BASALT_DEVICE void added(Complex<R> alpha, Complex<R> x, Complex<R>& acc) {
    fused(alpha.re, x, acc);
    turned(alpha.im, x, acc);
}
BASALT_DEVICE void added(float alpha, float x, float& acc) { fused(alpha, x, acc); }
BASALT_DEVICE void added(double alpha, double x, double& acc) { fused(alpha, x, acc); }

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
        T newX = rounded(re(alpha), u);
        T newY = rounded(re(alpha), v);
        if (real) {
            fused(re(beta), v, newX);
            fused(-re(beta), u, newY);
        } else {
            added(beta, v, newX);
            added(-conj(beta, true), u, newY);
        }
        *x = newX;
        *y = newY;
    } else if (OP == AXPY) {
        T v = *y;
        added(alpha, *x, v);
        *y = v;
    } else if (OP == SCAL) {
        *y = real ? times(re(alpha), *y) : scaled(alpha, *y);
    } else {
        *y = alpha;
    }
}

// Rotates what fills packs. How many elements these are.
template <typename T>
BASALT_DEVICE i64 rotatePacks(T* x, T* y, i64 n, i64 first, i64 step, T alpha, T beta, bool real) {
    const int P = Pack<T>::count;
    i64 done = n / P * P;
    for (i64 i = first * P; i < done; i += step * P) {
        Pack<T> v = loadOnce(x + i);
        Pack<T> w = loadOnce(y + i);
#pragma unroll
        for (int e = 0; e < P; e++) {
            element<T, ROT>(&v.v[e], &w.v[e], alpha, beta, real);
        }
        *(Pack<T>*)(x + i) = v;
        *(Pack<T>*)(y + i) = w;
    }
    return done;
}

template <typename T, int OP>
BASALT_DEVICE void vectors(const Args& args) {
    T alpha = OP >= ROT ? value<T>(args.alpha) : zero<T>();
    T beta = OP == ROT ? value<T>(args.beta) : zero<T>();
    if (OP == AXPY && isZero(alpha)) {
        return;
    }
    i64 step = (i64)gridDim.x * args.z;
    i64 first = (i64)blockIdx.x * args.z + among(args);
    i64 incx = args.a.ld;
    i64 incy = args.c.ld;
    BASALT_ABREAST(problem) {
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
        i64 from = first;
        if (OP == ROT && incx == 1 && incy == 1 && (((u64)x | (u64)y) & 15) == 0) {
            from += rotatePacks(x, y, args.n, first, step, alpha, beta, args.flag);
        }
#pragma unroll 4
        for (i64 i = from; i < args.n; i += step) {
            element<T, OP>(x + i * incx, y + i * incy, alpha, beta, args.flag);
        }
    }
}

template <typename T, bool IS_COPY>
BASALT_DEVICE void integers(const Args& args) {
    i64 step = (i64)gridDim.x * args.z;
    T fill = (T)(i64)args.alpha.re;
    BASALT_ABREAST(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* x = IS_COPY ? at<T>(args.a, problem) : 0;
        T* y = at<T>(args.c, problem);
        for (i64 i = (i64)blockIdx.x * args.z + among(args); i < args.n; i += step) {
            y[i * args.c.ld] = IS_COPY ? x[i * args.a.ld] : fill;
        }
    }
}

}  // namespace basalt

#define VECTORS(t, T) \
    BASALT_KERNEL(basalt_copy_##t) { basalt::vectors<T, basalt::COPY>(args); } \
    BASALT_KERNEL(basalt_swap_##t) { basalt::vectors<T, basalt::SWAP>(args); } \
    BASALT_KERNEL(basalt_rot_##t) { basalt::vectors<T, basalt::ROT>(args); } \
    BASALT_KERNEL(basalt_axpy_##t) { basalt::vectors<T, basalt::AXPY>(args); } \
    BASALT_KERNEL(basalt_scal_##t) { basalt::vectors<T, basalt::SCAL>(args); } \
    BASALT_KERNEL(basalt_fill_##t) { basalt::vectors<T, basalt::FILL>(args); }
BASALT_EACH_TYPE(VECTORS)

#if defined(BASALT_TYPE_D)
BASALT_KERNEL(basalt_icopy32_d) { basalt::integers<int, true>(args); }
BASALT_KERNEL(basalt_icopy64_d) { basalt::integers<basalt::i64, true>(args); }
BASALT_KERNEL(basalt_ifill32_d) { basalt::integers<int, false>(args); }
BASALT_KERNEL(basalt_ifill64_d) { basalt::integers<basalt::i64, false>(args); }
#endif
