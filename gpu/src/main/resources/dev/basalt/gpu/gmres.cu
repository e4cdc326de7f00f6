// The steps of FGMRES besides products and solves: modified Gram-Schmidt, plane rotations of the Hessenberg matrix, and the verdict. A block a
// problem, a column after the other; nobody waits for a decision, since info is the guard of what follows.
#include "basalt.h"

namespace basalt {

// as in Gmres and Kernel
enum { BINARY = 0, FIRST = 1, CYCLE = 2, LEAST = 3, ARNOLDI = 4, SOLUTION = 5 };
enum { PAUSED = -2147483647, REFINED = -2147483647 - 1, OVERFLOWN = -2, LEAST_TERMS = 8 };
enum { TAKEN = 0, TARGET = 1, DONE = 2, BEGAN = 3, NUMBERS = 4 };

// Part of what a residual may be that a cycle aims at, and how far one goes where it is not known how large the solution will be.
BASALT_DEVICE double margin() { return 0.5; }
BASALT_DEVICE double far() { return 0x1p-40; }
static const double LARGEST = 1.7976931348623157e308;

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
    double w = scratch[threadIdx.x % 32 < blockDim.x / 32 ? threadIdx.x % 32 : 0];
    for (int mask = 16; mask > 0; mask >>= 1) {
        w = larger(w, shuffleXor(w, mask));
    }
    __syncthreads();
    return w;
}

// 2^e, kept where it and its reciprocal are normal numbers.
BASALT_DEVICE double powerOfTwo(i64 e) {
    e = e > 1022 ? 1022 : e < -1022 ? -1022 : e;
    union {
        u64 u;
        double d;
    } bits;
    bits.u = (u64)(e + 1023) << 52;
    return bits.d;
}

// The exponent of a positive number; that of subnormal ones is -1023.
BASALT_DEVICE i64 exponentOf(double x) {
    union {
        double d;
        u64 u;
    } bits;
    bits.d = x;
    return (i64)(bits.u >> 52) - 1023;
}

// What is kept of a column.
template <typename T>
struct Column {
    i64 most;
    T* hessenberg;
    T* sines;
    T* right;
    double* cosines;
    double* numbers;

    BASALT_DEVICE Column(const Args& args, i64 problem, i64 j) {
        most = args.m;
        i64 elements = (most + 1) * most + 2 * most + 1;
        double* words = at<double>(args.d, problem) + 1 + j * (elements * Of<T>::parts + most + NUMBERS);
        hessenberg = (T*)words;
        sines = hessenberg + (most + 1) * most;
        right = sines + most;
        cosines = words + elements * Of<T>::parts;
        numbers = cosines + most;
    }
};

// Numbers of T in what is kept are read and written part by part: they begin at any double.
BASALT_DEVICE double load(const double* x) { return *x; }
BASALT_DEVICE void store(double* x, double v) { *x = v; }
BASALT_DEVICE Complex<double> load(const Complex<double>* x) {
    const double* parts = (const double*)x;
    return Make<Complex<double>>::of(parts[0], parts[1]);
}
BASALT_DEVICE void store(Complex<double>* x, Complex<double> v) {
    double* parts = (double*)x;
    parts[0] = v.re;
    parts[1] = v.im;
}

template <typename T>
BASALT_DEVICE T over(T x, double y) {
    return Make<T>::of(re(x) / y, im(x) / y);
}

// ‖x‖₂ of n numbers without avoidable overflow.
template <typename T>
BASALT_DEVICE double norm(const T* x, i64 n, double* scratch) {
    double most = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        most = larger(most, larger(fabs(re(x[i])), fabs(im(x[i]))));
    }
    most = blockLargest(most, scratch);
    if (most == 0 || !(most <= LARGEST)) {
        return most;
    }
    double scale = powerOfTwo(-exponentOf(most));
    double sum = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        double u = re(x[i]) * scale;
        double v = im(x[i]) * scale;
        sum += u * u + v * v;
    }
    return sqrt(blockSum(sum, scratch)) / scale;
}

// The largest |re| + |im| of D₂⁻¹·x, of D₁·x, or of x itself.
enum { UNKNOWNS, EQUATIONS, PLAIN };
template <typename T>
BASALT_DEVICE double scaledLargest(const T* x, const double* g, i64 n, int how, double* scratch) {
    double most = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        double v = magnitude(x[i]);
        most = larger(most, how == UNKNOWNS ? v / g[n + i] : how == EQUATIONS ? v * g[i] : v);
    }
    return blockLargest(most, scratch);
}

BASALT_DEVICE double tolerance(i64 n) {
    return sqrt((double)(n > LEAST_TERMS ? n : LEAST_TERMS)) * 1.1102230246251565e-16;
}

BASALT_DEVICE void binary(const Args& args, i64 problem) {
    double* g = at<double>(args.g, problem);
    for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
        double v = g[i];
        g[i] = v > 0 && v <= LARGEST ? powerOfTwo(args.q - exponentOf(v)) : 1;
    }
}

// A cycle begins, or all is good.
template <typename T>
BASALT_DEVICE void cycle(const Args& args, i64 problem, double* scratch) {
    const double* g = at<double>(args.g, problem);
    double* taken = at<double>(args.d, problem);
    double most = tolerance(args.n);
    double alpha = args.alpha.re;
    bool first = args.p == FIRST;
    bool good = true;
    for (i64 j = 0; j < args.k; j++) {
        T* v = at<T>(args.a, problem) + j * args.a.ld;
        T* x = at<T>(args.c, problem) + j * args.c.ld;
        for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
            v[i] = times(g[i], v[i]);
            if (first) {
                x[i] = zero<T>();
            }
        }
        double length = norm(v, args.n, scratch);
        if (!(length <= LARGEST)) {
            if (threadIdx.x == 0) {
                *at<int>(args.e, problem) = OVERFLOWN;
                if (first) {
                    *taken = 0;
                }
            }
            return;
        }
        double may;
        bool done;
        if (args.p == LEAST) {
            T* b = at<T>(args.b, problem);
            double solution = norm(b + (args.k + j) * args.b.ld, args.q, scratch);
            double unknowns = most * alpha * scaledLargest(x, g, args.n, UNKNOWNS, scratch);
            may = most * alpha * solution;
            double upper = norm(b + j * args.b.ld, args.q, scratch);
            double lower = scaledLargest(at<T>(args.a, problem) + (args.k + j) * args.a.ld, g, args.n, EQUATIONS, scratch);
            done = upper <= unknowns + most * solution && (lower <= may || (!args.flag && solution <= unknowns));
            for (i64 i = threadIdx.x; done && i < args.q; i += blockDim.x) {
                b[i + j * args.b.ld] = zero<T>();
            }
        } else {
            may = most * alpha * scaledLargest(x, g, args.n, UNKNOWNS, scratch);
            done = scaledLargest(v, g, args.n, PLAIN, scratch) <= may;
        }
        good = good && done;
        bool still = done || length == 0;
        for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
            v[i] = still ? zero<T>() : over(v[i], length);
        }
        if (threadIdx.x == 0) {
            Column<T> kept(args, problem, j);
            store(kept.right, Make<T>::of(length, 0));
            kept.numbers[TAKEN] = 0;
            kept.numbers[TARGET] = may == 0 && args.p == LEAST ? far() * length : margin() * may;
            kept.numbers[DONE] = still ? 1 : 0;
            kept.numbers[BEGAN] = length;
        }
    }
    if (threadIdx.x == 0) {
        if (first) {
            *taken = 0;
        }
        i64* f = at<i64>(args.f, problem);
        if (good && *f < (i64)*taken) {
            *f = (i64)*taken;
        }
        *at<int>(args.e, problem) = good ? REFINED : args.p == LEAST ? (int)args.beta.re : (int)args.q;
    }
}

// (x, y) := (c·x + s·y, c·y - conj(s)·x) for two numbers one after the other.
template <typename T>
BASALT_DEVICE void turn(double c, T s, T* at) {
    T x = load(at);
    T y = load(at + 1);
    store(at, times(c, x) + s * y);
    store(at + 1, times(c, y) - conj(s, true) * x);
}

// Applies the rotations there are to the new column, and makes the one that takes its last element, the real number below it; the residual left.
template <typename T>
BASALT_DEVICE double rotate(const Column<T>& kept, i64 step, T* column, double below) {
    for (i64 i = 0; i < step; i++) {
        turn(kept.cosines[i], load(kept.sines + i), column + i);
    }
    T last = load(column + step);
    double size = hypot(re(last), im(last));
    double all = hypot(size, below);
    double cosine = all == 0 ? 1 : size / all;
    T phase = size == 0 ? one<T>() : over(last, size);
    T sine = times(all == 0 ? 0 : below / all, phase);
    kept.cosines[step] = cosine;
    store(kept.sines + step, sine);
    store(column + step, times(all, phase));
    store(column + step + 1, zero<T>());
    store(kept.right + step + 1, zero<T>());
    turn(cosine, sine, kept.right + step);
    T rest = load(kept.right + step + 1);
    return hypot(re(rest), im(rest));
}

// A direction of every column that wants one.
template <typename T>
BASALT_DEVICE void arnoldi(const Args& args, i64 problem, double* scratch) {
    __shared__ double room[66];
    T* sums = (T*)room;
    const double* g = at<double>(args.g, problem);
    i64 step = args.q;
    bool all = true;
    for (i64 j = 0; j < args.k; j++) {
        Column<T> kept(args, problem, j);
        T* w = at<T>(args.a, problem) + ((step + 1) * args.k + j) * args.a.ld;
        if (kept.numbers[DONE] != 0) {
            for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
                w[i] = zero<T>();
            }
            continue;
        }
        // Each thread keeps to its own elements, so that what is taken off for one vector meets the product with the next.
        T* column = kept.hessenberg + (args.m + 1) * step;
        T factor = zero<T>();
        for (i64 l = -1; l <= step; l++) {
            const T* v = at<T>(args.a, problem) + (l * args.k + j) * args.a.ld;
            const T* next = v + args.k * args.a.ld;
            T sum = zero<T>();
            for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
                T x = l < 0 ? times(g[i], w[i]) : w[i] - factor * v[i];
                w[i] = x;
                if (l < step) {
                    sum = sum + conj(next[i], true) * x;
                }
            }
            if (l < step) {
                factor = blockSum(sum, sums);
                if (threadIdx.x == 0) {
                    store(column + l + 1, factor);
                }
            }
        }
        double length = norm(w, args.n, scratch);
        for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
            w[i] = length == 0 ? zero<T>() : over(w[i], length);
        }
        double size = 0;
        if (step == 0 && args.alpha.re > 0) {
            // The first direction is most of the solution, if the factors are any good.
            size = scaledLargest(at<T>(args.b, problem) + j * args.b.ld, g, args.n, UNKNOWNS, scratch);
        }
        if (threadIdx.x == 0) {
            double rest = rotate(kept, step, column, length);
            if (step == 0 && args.alpha.re > 0) {
                double may = margin() * args.alpha.re * tolerance(args.n) * (size * kept.numbers[BEGAN]);
                kept.numbers[TARGET] = larger(kept.numbers[TARGET], may);
            }
            kept.numbers[TAKEN] = (double)(step + 1);
            bool wants = rest > kept.numbers[TARGET] && length > 0 && step + 1 < args.m;
            kept.numbers[DONE] = wants ? 0 : 1;
        }
        __syncthreads();
        all = all && kept.numbers[DONE] != 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *at<double>(args.d, problem) += 1;
        if (all) {
            *at<int>(args.e, problem) = PAUSED;
        }
    }
}

// X += W·y for the y that makes the residual least.
template <typename T>
BASALT_DEVICE void solution(const Args& args, i64 problem) {
    int e = *at<int>(args.e, problem);
    if (e != 0 && e != PAUSED) {
        return;
    }
    for (i64 j = 0; j < args.k; j++) {
        Column<T> kept(args, problem, j);
        i64 taken = (i64)kept.numbers[TAKEN];
        if (threadIdx.x == 0) {
            for (i64 i = taken - 1; i >= 0; i--) {
                const T* column = kept.hessenberg + (args.m + 1) * i;
                T y = divide(load(kept.right + i), load(column + i));
                store(kept.right + i, y);
                for (i64 l = 0; l < i; l++) {
                    store(kept.right + l, load(kept.right + l) - y * load(column + l));
                }
            }
        }
        __syncthreads();
        T* x = at<T>(args.c, problem) + j * args.c.ld;
        for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
            T sum = x[i];
            for (i64 l = 0; l < taken; l++) {
                sum = sum + load(kept.right + l) * at<T>(args.b, problem)[i + (l * args.k + j) * args.b.ld];
            }
            x[i] = sum;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *at<int>(args.e, problem) = 0;
    }
}

template <typename T>
BASALT_DEVICE void fgmres(const Args& args) {
    __shared__ double scratch[33];
    BASALT_PROBLEMS(problem) {
        __syncthreads();
        if (args.p == SOLUTION) {
            solution<T>(args, problem);
        } else if (skips(args, problem)) {
            continue;
        } else if (args.p == BINARY) {
            binary(args, problem);
        } else if (args.p == ARNOLDI) {
            arnoldi<T>(args, problem, scratch);
        } else {
            cycle<T>(args, problem, scratch);
        }
    }
}

}  // namespace basalt

#define GMRES(t, T) \
    BASALT_KERNEL(basalt_fgmres_##t) { basalt::fgmres<T>(args); }
BASALT_D(GMRES)
BASALT_Z(GMRES)
