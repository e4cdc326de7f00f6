// What refines a solution besides solves and products: conversions between precisions, norms, and the decision whether it is good. Nobody
// waits for a decision: info is the guard of what follows.
#include "basalt.h"

namespace basalt {

template <typename T>
struct OtherPrecision;
template <>
struct OtherPrecision<float> {
    typedef double Type;
};
template <>
struct OtherPrecision<double> {
    typedef float Type;
};
template <typename R>
struct OtherPrecision<Complex<R>> {
    typedef Complex<typename OtherPrecision<R>::Type> Type;
};

BASALT_DEVICE float converted(double x, float) { return (float)x; }
BASALT_DEVICE double converted(float x, double) { return x; }
template <typename R, typename S>
BASALT_DEVICE Complex<R> converted(Complex<S> x, Complex<R>) {
    return Make<Complex<R>>::of(re(x), im(x));
}

// Times two numbers before it is rounded.
BASALT_DEVICE float scaled(double x, double column, double row, float) { return (float)(x * column * row); }
BASALT_DEVICE double scaled(float x, double column, double row, double) { return x * column * row; }
template <typename R, typename S>
BASALT_DEVICE Complex<R> scaled(Complex<S> x, double column, double row, Complex<R>) {
    return Make<Complex<R>>::of(re(x) * column * row, im(x) * column * row);
}

template <typename R>
BASALT_DEVICE bool infinite(R x) {
    return fabs((double)x) > 1.7976931348623157e308;
}

// A block is args.x threads down a column by blockDim / args.x columns; blocks in y walk over the columns. args.y: the triangle alone. args.z: bit
// 0, there are scales of rows; bit 1, of columns.
template <typename T>
BASALT_DEVICE void convert(const Args& args) {
    typedef typename OtherPrecision<T>::Type Other;
    bool triangle = args.y;
    i64 m = triangle ? args.n : args.m;
    int columns = blockDim.x / args.x;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const Other* a = at<Other>(args.a, problem);
        T* c = at<T>(args.c, problem);
        // What is not there has not been written: its table would be read.
        const double* rows = args.z & 1 ? at<double>(args.b, problem) : nullptr;
        const double* scales = args.z & 2 ? at<double>(args.d, problem) : nullptr;
        bool over = false;
        for (i64 j = (i64)blockIdx.y * columns + threadIdx.x / args.x; j < args.n; j += (i64)gridDim.y * columns) {
            i64 first = triangle && args.uplo == LOWER ? j : 0;
            i64 last = triangle && args.uplo == UPPER ? j + 1 : m;
            for (i64 i = (i64)blockIdx.x * args.x + threadIdx.x % args.x; i < last; i += (i64)gridDim.x * args.x) {
                if (i >= first) {
                    T v = args.z == 0 ? converted(a[i + j * args.a.ld], T())
                                      : scaled(a[i + j * args.a.ld], args.z & 2 ? scales[j * args.d.ld] : 1,
                                               args.z & 1 ? rows[i * args.b.ld] : 1, T());
                    over |= sizeof(T) < sizeof(Other) && (infinite(re(v)) || infinite(im(v)));
                    c[i + j * args.c.ld] = v;
                }
            }
        }
        // Whoever finds one writes the same.
        int* e = at<int>(args.e, problem);
        if (over && *e == 0) {
            *e = (int)args.p;
        }
    }
}

// ---- norms

BASALT_DEVICE double modulus(double x) { return fabs(x); }
BASALT_DEVICE double modulus(Complex<double> x) { return sqrt(re(x) * re(x) + im(x) * im(x)); }

// The sums of 32 rows a block: a lane has a row, and a warp each eighth column. args.x: columns have scales. Of a symmetric matrix those are the elements that are
// stored in the row; the others are the column's, one column a warp at a time.
template <typename T, bool SYMMETRIC>
BASALT_DEVICE void rowSums(const Args& args) {
    __shared__ double parts[8][33];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    i64 m = SYMMETRIC ? args.n : args.m;
    i64 first = (i64)blockIdx.x * 32;
    i64 i = first + lane;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.a, problem);
        double* c = at<double>(args.c, problem);
        const double* scales = !SYMMETRIC && args.x ? at<double>(args.b, problem) : nullptr;
        bool lower = args.uplo == LOWER;
        double sum = 0;
        for (i64 j = warp; j < args.n; j += 8) {
            if (i < m && (!SYMMETRIC || (lower ? i > j : i < j))) {
                T v = a[i + j * args.a.ld];
                sum += !SYMMETRIC && args.x ? magnitude(v) * scales[j * args.b.ld] : modulus(v);
            }
        }
        __syncthreads();
        parts[warp][lane] = sum;
        __syncthreads();
        if (SYMMETRIC) {
            for (int row = warp; row < 32 && first + row < m; row += 8) {
                i64 j = first + row;
                const T* column = a + j * args.a.ld;
                double mirrored = 0;
                for (i64 r = (lower ? j + 1 : 0) + lane; r < (lower ? m : j); r += 32) {
                    mirrored += modulus(column[r]);
                }
                mirrored = warpSum(mirrored);
                if (lane == 0) {
                    parts[0][row] += mirrored + fabs(re(column[j]));
                }
            }
            __syncthreads();
        }
        if (warp == 0 && i < m) {
            double all = parts[0][lane];
            for (int w = 1; w < 8; w++) {
                all += parts[w][lane];
            }
            c[i] = all;
        }
    }
}

// ---- decisions

// The larger of two, or the one that is NaN.
BASALT_DEVICE double larger(double x, double y) { return x != x || x > y ? x : y; }

// The largest of a block's numbers, for every thread. `scratch` holds 33 elements.
BASALT_DEVICE double blockLargest(double v, double* scratch) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v = larger(v, shuffleXor(v, mask));
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = v;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < (int)blockDim.x / 32; w++) {
            v = larger(v, scratch[w]);
        }
        scratch[32] = v;
    }
    __syncthreads();
    return scratch[32];
}

template <typename T>
BASALT_DEVICE double largest(const T* x, i64 n, double* scratch) {
    double most = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        most = larger(most, fabs(re(x[i])) + fabs(im(x[i])));
    }
    return blockLargest(most, scratch);
}

// as in Kernel
enum { LEAST_TERMS = 8, REFINED = -2147483647 - 1, OVERFLOWN = -2, NOT_FACTORED = -3 };

// A block a problem, a column after the other.
template <typename T>
BASALT_DEVICE void converged(const Args& args) {
    __shared__ double scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        double norm = largest(at<double>(args.a, problem), args.n, scratch);
        i64 terms = args.n > LEAST_TERMS ? args.n : LEAST_TERMS;
        double most = sqrt((double)terms) * 1.1102230246251565e-16 * norm;
        int state = REFINED;
        for (i64 j = 0; j < args.k && state != OVERFLOWN; j++) {
            double r = largest(at<T>(args.b, problem) + j * args.b.ld, args.n, scratch);
            double x = largest(at<T>(args.c, problem) + j * args.c.ld, args.n, scratch);
            if (r != r) {
                state = OVERFLOWN;
            } else if (!(r <= most * x)) {
                state = (int)args.q;
            }
        }
        if (threadIdx.x == 0) {
            *at<int>(args.e, problem) = state;
            if (state == REFINED) {
                *at<i64>(args.f, problem) = args.p;
            }
        }
    }
}

// A thread a problem.
BASALT_DEVICE void fallBack(const Args& args) {
    i64 problem = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (problem >= args.count || skips(args, problem)) {
        return;
    }
    int* e = at<int>(args.e, problem);
    int state = *e;
    if (args.p == 0 && state != REFINED) {
        *at<i64>(args.f, problem) = state > 0 ? NOT_FACTORED : state;
        *e = 0;
    } else if (args.p == 1 && state == REFINED) {
        *e = 0;
    } else if (args.p == 2) {
        *at<int>(args.f, problem) = state == 0 ? REFINED : 0;
        *e = 0;
    } else if (args.p == 3 && *at<int>(args.f, problem) != REFINED) {
        *e = *at<int>(args.f, problem);
    }
}

}  // namespace basalt

#define CONVERSIONS(t, T) \
    BASALT_KERNEL(basalt_convert_##t) { basalt::convert<T>(args); }
BASALT_EACH_TYPE(CONVERSIONS)

#define DECISIONS(t, T)                                                                \
    BASALT_KERNEL(basalt_row_sums_##t) { basalt::rowSums<T, false>(args); }            \
    BASALT_KERNEL(basalt_symmetric_sums_##t) { basalt::rowSums<T, true>(args); }       \
    BASALT_KERNEL(basalt_converged_##t) { basalt::converged<T>(args); }
BASALT_D(DECISIONS)
BASALT_Z(DECISIONS)

#define FALL_BACK(t, T) \
    BASALT_KERNEL(basalt_fall_back_##t) { basalt::fallBack(args); }
BASALT_D(FALL_BACK)
