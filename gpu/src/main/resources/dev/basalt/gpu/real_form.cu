// Triangles in their real form, in double: a complex element is the block [re -im; im re]. What factors real matrices factors complex ones so.
#include "basalt.h"

namespace basalt {

BASALT_DEVICE void realBlock(double* c, i64 pitch, double x, bool, bool, bool) { c[0] = x; }

template <typename R>
BASALT_DEVICE void realBlock(double* c, i64 pitch, Complex<R> x, bool diagonal, bool below, bool above) {
    double im = diagonal ? 0.0 : (double)x.im;
    c[0] = x.re;
    if (below) {
        c[1] = im;
    }
    if (above) {
        c[pitch] = -im;
    }
    c[pitch + 1] = x.re;
}

BASALT_DEVICE void fromBlock(const double* a, bool, float* x) { *x = (float)*a; }
BASALT_DEVICE void fromBlock(const double* a, bool, double* x) { *x = *a; }
template <typename R>
BASALT_DEVICE void fromBlock(const double* a, bool diagonal, Complex<R>* x) {
    x->re = (R)a[0];
    x->im = diagonal ? (R)0 : (R)a[1];
}

// A block is args.x threads down a column by blockDim / args.x columns; blocks in y walk over the columns.
template <typename T, bool ENTERS>
BASALT_DEVICE void realForm(const Args& args) {
    const int PARTS = sizeof(T) / sizeof(typename Of<T>::Real);
    int columns = blockDim.x / args.x;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        int* e = ENTERS ? nullptr : at<int>(args.e, problem);
        // Other blocks may have told the row below already: then it is still beyond p.
        int found = ENTERS ? 0 : *e;
        if (found > 0 && found <= args.p) {
            continue;
        }
        T* elements = at<T>(ENTERS ? args.a : args.c, problem);
        i64 ld = ENTERS ? args.a.ld : args.c.ld;
        double* form = at<double>(ENTERS ? args.c : args.a, problem);
        i64 pitch = ENTERS ? args.c.ld : args.a.ld;
        for (i64 j = (i64)blockIdx.y * columns + threadIdx.x / args.x; j < args.n; j += (i64)gridDim.y * columns) {
            i64 first = args.uplo == LOWER ? j : 0;
            i64 last = args.uplo == UPPER ? j + 1 : args.n;
            for (i64 i = (i64)blockIdx.x * args.x + threadIdx.x % args.x; i < last; i += (i64)gridDim.x * args.x) {
                if (i < first) {
                    continue;
                }
                T* x = elements + i + j * ld;
                double* y = form + PARTS * (i + j * pitch);
                if (ENTERS) {
                    realBlock(y, pitch, *x, i == j, i != j || args.uplo == LOWER, i != j || args.uplo == UPPER);
                } else {
                    fromBlock(y, i == j, x);
                }
            }
        }
        if (found > 0 && blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0) {
            *e = (int)args.p + (found - (int)args.p + PARTS - 1) / PARTS;
        }
    }
}

}  // namespace basalt

#define REAL_FORM(t, T)                                                            \
    BASALT_KERNEL(basalt_to_real_##t) { basalt::realForm<T, true>(args); } \
    BASALT_KERNEL(basalt_from_real_##t) { basalt::realForm<T, false>(args); }
BASALT_EACH_TYPE(REAL_FORM)
