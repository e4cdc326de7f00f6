// How reflectors lie in memory; and single ones, by a block each: norms without avoidable overflow, and LAPACK's larfg.
#ifndef BASALT_REFLECT_H
#define BASALT_REFLECT_H
#include "basalt.h"

namespace basalt {

// How a matrix is read: element (i, j) lies i·di + j·dj behind a, conjugated where reflectors lie in rows.
template <typename T>
struct Read {
    T* a;
    i64 di, dj;
    bool turned;

    BASALT_DEVICE T& operator()(i64 i, i64 j) const { return a[i * di + j * dj]; }
    BASALT_DEVICE T element(i64 i, i64 j) const { return conj(a[i * di + j * dj], turned); }
};

template <typename T>
BASALT_DEVICE Read<T> read(const Args& args, const Operand& o, i64 problem, i64 rows, i64 columns) {
    Read<T> r;
    r.turned = args.opB != NONE;
    r.di = r.turned ? o.ld : 1;
    r.dj = r.turned ? 1 : o.ld;
    r.a = at<T>(o, problem);
    if (args.flag) {
        r.a += (rows - 1) * r.di + (columns - 1) * r.dj;
        r.di = -r.di;
        r.dj = -r.dj;
    }
    return r;
}

// The factor of reflector j of `all`.
template <typename T>
BASALT_DEVICE T* factor(const Args& args, i64 problem, i64 all, i64 j) {
    return at<T>(args.d, problem) + (args.flag ? all - 1 - j : j);
}

// T, which is a lower triangle where reflectors are counted from the end.
template <typename T>
BASALT_DEVICE Read<T> triangleOf(const Args& args, const Operand& o, i64 problem, i64 n) {
    Read<T> t;
    t.turned = false;
    t.di = args.flag ? -1 : 1;
    t.dj = args.flag ? -o.ld : o.ld;
    t.a = at<T>(o, problem) + (args.flag ? (n - 1) * (1 + o.ld) : 0);
    return t;
}

// Sums of squares are plain within these bounds, and scaled beyond them.
BASALT_DEVICE double fewest(double) { return 1e-250; }
BASALT_DEVICE double most(double) { return 1e250; }
BASALT_DEVICE float fewest(float) { return 1e-25f; }
BASALT_DEVICE float most(float) { return 1e25f; }

template <typename R>
BASALT_DEVICE R larger(R x, R y) {
    return x != x || x > y ? x : y;
}

// The largest of a block; NaN is larger than all. `scratch` holds 33 elements.
template <typename R>
BASALT_DEVICE R blockLargest(R v, R* scratch) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v = larger(v, shuffleXor(v, mask));
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = v;
    }
    __syncthreads();
    R w = threadIdx.x % 32 < blockDim.x / 32 ? scratch[threadIdx.x % 32] : (R)0;
    for (int mask = 16; mask > 0; mask >>= 1) {
        w = larger(w, shuffleXor(w, mask));
    }
    __syncthreads();
    return w;
}

template <typename R>
struct Norm {
    R scale, root;  // the norm is their product
};

// The norm of n elements `step` apart, the same bits in every thread.
template <typename T>
BASALT_DEVICE Norm<typename Of<T>::Real> blockNorm(const T* x, i64 step, i64 n, typename Of<T>::Real* scratch) {
    typedef typename Of<T>::Real R;
    Norm<R> norm = {1, 0};
    R sum = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        T element = x[i * step];
        sum += re(element) * re(element) + im(element) * im(element);
    }
    sum = blockSum(sum, scratch);
    if (!(sum > fewest(sum) && sum < most(sum))) {
        R largest = 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            T element = x[i * step];
            largest = larger(larger(largest, absolute(re(element))), absolute(im(element)));
        }
        largest = blockLargest(largest, scratch);
        if (largest == 0) {
            return norm;
        }
        norm.scale = largest;
        sum = 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            T element = x[i * step];
            R u = re(element) / largest;
            R v = im(element) / largest;
            sum += u * u + v * v;
        }
        sum = blockSum(sum, scratch);
    }
    norm.root = root(sum);
    return norm;
}

// As LAPACK's lapy3, with the sign that avoids cancellation.
template <typename R>
BASALT_DEVICE R betaOf(R a, R b, R norm) {
    R large = larger(larger(absolute(a), absolute(b)), norm);
    R x = a / large;
    R y = b / large;
    R z = norm / large;
    R beta = large * root(x * x + y * y + z * z);
    return a < 0 || (a == 0 && 1 / a < 0) ? beta : -beta;
}

BASALT_DEVICE double safest(double) { return 2.004168360008973e-292; }  // 2⁻⁹⁶⁹: by LAPACK its reciprocal is safe
BASALT_DEVICE float safest(float) { return 1.9721522630525295e-31f; }   // 2⁻¹⁰²

// The reflector of an element and n more, by a block: its factor in every thread. `turned`: their conjugates are meant.
template <typename T>
BASALT_DEVICE T larfg(T* first, T* x, i64 step, i64 n, bool turned, typename Of<T>::Real* scratch) {
    typedef typename Of<T>::Real R;
    Norm<R> norm = blockNorm(x, step, n, scratch);
    T alpha = conj(*first, turned);
    if (norm.root == 0 && im(alpha) == 0) {
        return zero<T>();
    }
    R a = re(alpha);
    R b = im(alpha);
    R beta = betaOf(a, b, norm.scale * norm.root);
    const int TIMES = 20;
    int scaled = 0;
    R safe = safest(beta);
    while (absolute(beta) < safe && scaled < TIMES) {
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            x[i * step] = times(1 / safe, x[i * step]);
        }
        a /= safe;
        b /= safe;
        beta /= safe;
        scaled++;
    }
    if (scaled > 0) {
        __syncthreads();
        norm = blockNorm(x, step, n, scratch);
        beta = betaOf(a, b, norm.scale * norm.root);
    }
    T tau = Make<T>::of((beta - a) / beta, -b / beta);
    T inverse = conj(divide(one<T>(), Make<T>::of(a - beta, b)), turned);
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        x[i * step] = x[i * step] * inverse;
    }
    while (scaled-- > 0) {
        beta *= safe;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *first = Make<T>::real(beta);
    }
    return tau;
}

// A warp applies reflector j of v, whose factor is f, to a line of elements `step` apart. Each lane has elements of its own, so that lanes
// need not wait for each other. `turned`: of v's elements the conjugates are meant.
template <typename T>
BASALT_DEVICE void line(const Read<T>& v, i64 m, i64 j, bool turned, T f, T* c, i64 step) {
    int lane = threadIdx.x % 32;
    T sum = zero<T>();
    for (i64 i = j + lane; i < m; i += 32) {
        T x = i == j ? one<T>() : conj(v(i, j), !turned);
        fma(x, c[(i - j) * step], sum);
    }
    sum = -(f * warpSum(sum));
    for (i64 i = j + lane; i < m; i += 32) {
        T x = i == j ? one<T>() : conj(v(i, j), turned);
        fma(sum, x, c[(i - j) * step]);
    }
}

}  // namespace basalt
#endif
