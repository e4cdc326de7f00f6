// Steps of an estimate of the 1-norm of a matrix that is known by its products alone, a block a problem, and what a condition number is made of.
#include "blue.h"

namespace basalt {

static const double LARGEST = 1.7976931348623157e308;

enum { START = 0, FIRST = 1, COLUMN = 2, SIGNS = 3, ALTERNATING = 4, LAST = 5 };

// A power of two about the root of a norm, as ConditionKernels has it.
BASALT_DEVICE double oneOf(double norm) {
    if (!(norm > 0 && norm <= LARGEST)) {
        return 1;
    }
    norm = norm < smallestNormal(norm) ? smallestNormal(norm) : norm;
    i64 exponent = (i64)(orderedBits(norm) >> 52) - 1023;
    return fromBits((u64)((exponent >> 1) + 1023) << 52);
}

BASALT_DEVICE double loadReal(const Operand& o, i64 problem, bool single) {
    return single ? (double)*at<float>(o, problem) : *at<double>(o, problem);
}
BASALT_DEVICE void storeReal(const Operand& o, i64 problem, bool single, double value) {
    if (single) {
        *at<float>(o, problem) = (float)value;
    } else {
        *at<double>(o, problem) = value;
    }
}

BASALT_DEVICE bool firstOf(float x) { return x < 0; }
BASALT_DEVICE bool firstOf(double x) { return x < 0; }
template <typename R>
BASALT_DEVICE bool firstOf(Complex<R>) {
    return false;
}

// Replaces x by its signs times one, and keeps them where they are compared later.
template <typename R>
BASALT_DEVICE void sign(R* x, double one, R* signs, i64 i) {
    R s = x[i] < 0 ? (R)-1 : (R)1;
    x[i] = s * (R)one;
    signs[i] = s;
}
template <typename R>
BASALT_DEVICE void sign(Complex<R>* x, double one, Complex<R>*, i64 i) {
    double r = modulus(x[i]);
    // What is next to nothing has no direction.
    bool none = !(r > (double)smallestNormal((R)0));
    x[i] = Make<Complex<R>>::of(one * (none ? 1 : x[i].re / r), one * (none ? 0 : x[i].im / r));
}

// The first index of the largest modulus in every thread; NaN is the largest.
template <typename T>
BASALT_DEVICE i64 largest(const T* x, i64 n, u64* keys, i64* places) {
    u64 key = 0;
    i64 place = n;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        double r = modulus(x[i]);
        u64 k = r != r ? ~0ULL : orderedBits(r) + 1;
        if (k > key) {
            key = k;
            place = i;
        }
    }
    __syncthreads();
    keys[threadIdx.x] = key;
    places[threadIdx.x] = place;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) {
            u64 k = keys[threadIdx.x + half];
            i64 p = places[threadIdx.x + half];
            if (k > keys[threadIdx.x] || (k == keys[threadIdx.x] && p < places[threadIdx.x])) {
                keys[threadIdx.x] = k;
                places[threadIdx.x] = p;
            }
        }
    }
    __syncthreads();
    return places[0];
}

template <typename T>
BASALT_DEVICE double sumOf(const T* x, i64 n, double* scratch) {
    double sum = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        sum += modulus(x[i]);
    }
    return blockSum(sum, scratch);
}

template <typename T>
BASALT_DEVICE void lacn2(const Args& args) {
    __shared__ double scratch[33];
    __shared__ u64 keys[256];
    __shared__ i64 places[256];
    i64 n = args.n;
    int step = (int)args.p;
    bool leader = threadIdx.x == 0;
    BASALT_PROBLEMS(problem) {
        T* x = at<T>(args.c, problem);
        T* signs = args.b.base != 0 ? at<T>(args.b, problem) : 0;
        int* done = at<int>(args.e, problem);
        double one = oneOf(args.z ? loadReal(args.g, problem, args.y) : 1);
        int over = step == COLUMN || step == SIGNS ? *done : 0;
        __syncthreads();
        if (over) {
            continue;
        }
        if (step == START) {
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                x[i] = Make<T>::of(one / (double)n, 0);
            }
            if (leader) {
                *done = 0;
            }
        } else if (step == FIRST || step == SIGNS) {
            double sum = sumOf(x, n, scratch);
            double before = step == FIRST ? 0 : loadReal(args.d, problem, args.x);
            double differ = 0;
            if (signs != 0 && Of<T>::parts == 1 && step == SIGNS) {
                for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                    differ += firstOf(x[i]) != firstOf(signs[i]) ? 1 : 0;
                }
                differ = blockSum(differ, scratch);
            } else {
                differ = 1;
            }
            __syncthreads();
            if (leader && (step == FIRST || !(sum <= before))) {
                storeReal(args.d, problem, args.x, sum);
            }
            bool grows = step == FIRST || sum > before;
            if (!grows || differ == 0 || n == 1 || !(sum <= LARGEST)) {
                if (leader) {
                    *done = 1;
                }
            } else {
                for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                    sign(x, one, signs, i);
                }
            }
        } else if (step == COLUMN) {
            i64 found = largest(x, n, keys, places);
            i64* index = at<i64>(args.f, problem);
            bool again = args.q > 1 && modulus(x[*index - 1]) == modulus(x[found]);
            __syncthreads();
            if (leader) {
                if (again) {
                    *done = 1;
                } else {
                    *index = found + 1;
                }
            }
            for (i64 i = threadIdx.x; i < n && !again; i += blockDim.x) {
                x[i] = Make<T>::of(i == found ? one : 0, 0);
            }
        } else if (step == ALTERNATING) {
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                double size = one * (1 + (double)i / (double)(n > 1 ? n - 1 : 1));
                x[i] = Make<T>::of(i % 2 == 0 ? size : -size, 0);
            }
        } else {
            double other = 2 * sumOf(x, n, scratch) / (3.0 * (double)n);
            if (leader && !(other <= loadReal(args.d, problem, args.x))) {
                storeReal(args.d, problem, args.x, other);
            }
        }
        __syncthreads();
    }
}

template <typename T>
BASALT_DEVICE void rcond(const Args& args) {
    const bool single = sizeof(typename Of<T>::Real) == sizeof(float);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || threadIdx.x != 0) {
            continue;
        }
        double norm = loadReal(args.a, problem, single);
        double inverse = loadReal(args.d, problem, single);
        bool wrong = !(norm >= 0 && norm <= LARGEST);
        *at<int>(args.e, problem) = wrong ? (int)args.p : inverse != inverse && norm > 0 ? 1 : 0;
        double result = norm != norm ? norm : 0;
        if (norm > 0 && !wrong && inverse <= LARGEST) {
            result = oneOf(norm) / norm / inverse;
        }
        storeReal(args.d, problem, single, result);
    }
}

}  // namespace basalt

#define CONDITIONS(t, T)                                        \
    BASALT_KERNEL(basalt_lacn2_##t) { basalt::lacn2<T>(args); } \
    BASALT_KERNEL(basalt_rcond_##t) { basalt::rcond<T>(args); }
BASALT_EACH_TYPE(CONDITIONS)
