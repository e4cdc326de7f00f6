// What every kernel shares: types, the argument structure, addressing, and the few operations whose names differ between
// compilers. The subset of C++17 used is the one that NVRTC, nvcc, hiprtc, hipcc and g++ (with shim.h) all take: no
// standard headers, no lambdas in device code, no static shared memory of types with constructors.
#ifndef BASALT_H
#define BASALT_H

#if defined(BASALT_SHIM)
#include "shim.h"
#elif defined(__HIP_PLATFORM_AMD__) && !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

#if defined(__CUDA_ARCH__)
#define BASALT_CUDA_ARCH __CUDA_ARCH__
#else
#define BASALT_CUDA_ARCH 0
#endif

#define BASALT_DEVICE __device__ __forceinline__
// A function that has all registers to itself.
#if defined(BASALT_SHIM)
#define BASALT_APART
#else
#define BASALT_APART __device__ __noinline__
#endif
#if defined(__CUDACC__)
#define BASALT_BY_VALUE const __grid_constant__
#else
#define BASALT_BY_VALUE const
#endif
// A kernel whose row of launches.txt says how it is launched; its body stands behind the macro. A program compiled with BASALT_CAPPED is
// for launches in which the device alone knows a dimension: its kernels work on a copy of their arguments, one problem after the other.
#if defined(BASALT_CAPPED)
#define BASALT_KERNEL(name)                                                                                \
    BASALT_DEVICE void name##_body(const basalt::Args& args);                                              \
    extern "C" __global__ void BASALT_LAUNCH_##name name(BASALT_BY_VALUE basalt::Args given) {             \
        basalt::awaitEarlier();                                                                            \
        basalt::Args args = given;                                                                         \
        for (basalt::i64 problem = blockIdx.z; problem < given.count; problem += gridDim.z) {              \
            basalt::cap(given, problem, args);                                                             \
            name##_body(args);                                                                             \
            __syncthreads();                                                                               \
        }                                                                                                  \
    }                                                                                                      \
    BASALT_DEVICE void name##_body(const basalt::Args& args)
#else
#define BASALT_KERNEL(name)                                                                      \
    BASALT_DEVICE void name##_body(const basalt::Args& args);                                    \
    extern "C" __global__ void BASALT_LAUNCH_##name name(BASALT_BY_VALUE basalt::Args args) {    \
        basalt::awaitEarlier();                                                                  \
        name##_body(args);                                                                       \
    }                                                                                            \
    BASALT_DEVICE void name##_body(const basalt::Args& args)
#endif
// Stands in a source that is compiled with BASALT_CAPPED as well: the build looks for it.
#define BASALT_CAPPED_TOO

// A kernel whose blocks in x are one cluster.
#if defined(__CUDACC__)
#define BASALT_CLUSTER(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define BASALT_CLUSTER(blocks)
#endif

// Bytes of dynamic shared memory as a kernel lays it out, by up to three numbers: a test asks for them.
#if defined(BASALT_SHIM)
#define BASALT_LAYOUT(name, x, y, z) extern "C" long long basalt_layout_##name(long long x, long long y, long long z)
#endif

#include "launches.h"

// A module holds one element type, or all of them where none is chosen.
#if !defined(BASALT_TYPE_S) && !defined(BASALT_TYPE_D) && !defined(BASALT_TYPE_C) && !defined(BASALT_TYPE_Z)
#define BASALT_TYPE_S
#define BASALT_TYPE_D
#define BASALT_TYPE_C
#define BASALT_TYPE_Z
#endif
#if defined(BASALT_TYPE_S)
#define BASALT_S(M) M(s, float)
#else
#define BASALT_S(M)
#endif
#if defined(BASALT_TYPE_D)
#define BASALT_D(M) M(d, double)
#else
#define BASALT_D(M)
#endif
#if defined(BASALT_TYPE_C)
#define BASALT_C(M) M(c, basalt::Complex<float>)
#else
#define BASALT_C(M)
#endif
#if defined(BASALT_TYPE_Z)
#define BASALT_Z(M) M(z, basalt::Complex<double>)
#else
#define BASALT_Z(M)
#endif
#define BASALT_EACH_TYPE(M) BASALT_S(M) BASALT_D(M) BASALT_C(M) BASALT_Z(M)

// Kernels wait for the end of those before them in their stream, so a launch need not: a module tells by this that its kernels do.
#if BASALT_CUDA_ARCH >= 900
extern "C" __global__ void basalt_waits() {}
#endif

namespace basalt {

BASALT_DEVICE void awaitEarlier() {
#if BASALT_CUDA_ARCH >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

typedef long long i64;
typedef unsigned long long u64;

enum { NONE = 0, TRANS = 1, CONJ_TRANS = 2 };
enum { LEFT = 0, RIGHT = 1 };
enum { UPPER = 0, LOWER = 1 };
enum { NON_UNIT = 0, UNIT = 1 };
enum { DENSE = 0, BAND = 1, PACKED = 2 };
enum { DIM_M = 0, DIM_N = 1, DIM_K = 2 };

struct Operand {
    u64 base;    // problem 0, or a table of addresses
    i64 offset;  // bytes; for a vector to its element 0
    i64 stride;  // bytes from problem to problem
    i64 ld;      // elements: from column 0 to column 1, of a vector its increment
    int pointers;
    int storage;
};

// Diagonals of a band below and above the main one; negative in a block from beside it.
struct Band {
    i64 kl, ku;
};

struct Scalar {
    double re;
    double im;
    u64 address;  // 0: the value is re, im
    double gateValue;
    int type;  // of the scalar at the address: 0 s, 1 d, 2 c, 3 z
    int gated;
};

struct Args {
    Operand a, b, c, d, e;
    Scalar alpha, beta;
    i64 m, n, k, p, q, count;
    u64 work;
    i64 workBytes;
    u64 sync;
    int opA, opB, side, uplo, diag, flag, guarded;
    int x, y, z;  // parameters of each kernel
    int extentOf;  // what the extent caps
    int semiring;
    Operand f, g;
    Band bandA, bandC;  // of operands that are bands
    u64 extent;         // address of an integer that caps a dimension of a problem, if the program is one for that
    i64 extentStride;   // elements from problem to problem; 0: one for all
};
static_assert(sizeof(Operand) == 40 && sizeof(Scalar) == 40 && sizeof(Args) == 528, "as Arguments.java writes them");

// ---- numbers

template <typename R>
struct alignas(2 * sizeof(R)) Complex {
    R re, im;
};

template <typename T>
struct Of {
    typedef T Real;
    static const int parts = 1;
};
template <typename R>
struct Of<Complex<R>> {
    typedef R Real;
    static const int parts = 2;
};

template <typename T>
struct Make {
    static BASALT_DEVICE T of(double re, double) { return (T)re; }
    static BASALT_DEVICE T real(T re) { return re; }
};
template <typename R>
struct Make<Complex<R>> {
    static BASALT_DEVICE Complex<R> of(double re, double im) {
        Complex<R> z;
        z.re = (R)re;
        z.im = (R)im;
        return z;
    }
    static BASALT_DEVICE Complex<R> real(R re) {
        Complex<R> z;
        z.re = re;
        z.im = 0;
        return z;
    }
};
template <typename T>
BASALT_DEVICE T zero() {
    return Make<T>::of(0, 0);
}
template <typename T>
BASALT_DEVICE T one() {
    return Make<T>::of(1, 0);
}

template <typename R>
BASALT_DEVICE Complex<R> operator+(Complex<R> x, Complex<R> y) {
    x.re += y.re;
    x.im += y.im;
    return x;
}
template <typename R>
BASALT_DEVICE Complex<R> operator-(Complex<R> x, Complex<R> y) {
    x.re -= y.re;
    x.im -= y.im;
    return x;
}
template <typename R>
BASALT_DEVICE Complex<R> operator-(Complex<R> x) {
    x.re = -x.re;
    x.im = -x.im;
    return x;
}
template <typename R>
BASALT_DEVICE Complex<R> operator*(Complex<R> x, Complex<R> y) {
    Complex<R> z;
    z.re = x.re * y.re - x.im * y.im;
    z.im = x.re * y.im + x.im * y.re;
    return z;
}
// acc := x·y + acc
BASALT_DEVICE void fma(float x, float y, float& acc) { acc += x * y; }
BASALT_DEVICE void fma(double x, double y, double& acc) { acc += x * y; }
template <typename R>
BASALT_DEVICE void fma(Complex<R> x, Complex<R> y, Complex<R>& acc) {
    acc.re += x.re * y.re;
    acc.im += x.re * y.im;
    acc.re -= x.im * y.im;
    acc.im += x.im * y.re;
}

BASALT_DEVICE float re(float x) { return x; }
BASALT_DEVICE double re(double x) { return x; }
template <typename R>
BASALT_DEVICE R re(Complex<R> x) {
    return x.re;
}
BASALT_DEVICE float im(float) { return 0; }
BASALT_DEVICE double im(double) { return 0; }
template <typename R>
BASALT_DEVICE R im(Complex<R> x) {
    return x.im;
}
BASALT_DEVICE float conj(float x, bool) { return x; }
BASALT_DEVICE double conj(double x, bool) { return x; }
template <typename R>
BASALT_DEVICE Complex<R> conj(Complex<R> x, bool really) {
    x.im = really ? -x.im : x.im;
    return x;
}
// each part times a real number
BASALT_DEVICE float times(float r, float x) { return r * x; }
BASALT_DEVICE double times(double r, double x) { return r * x; }
template <typename R>
BASALT_DEVICE Complex<R> times(R r, Complex<R> x) {
    x.re *= r;
    x.im *= r;
    return x;
}
BASALT_DEVICE float absolute(float x) { return fabsf(x); }
BASALT_DEVICE double absolute(double x) { return fabs(x); }
BASALT_DEVICE float magnitude(float x) { return fabsf(x); }
BASALT_DEVICE double magnitude(double x) { return fabs(x); }
template <typename R>
BASALT_DEVICE R magnitude(Complex<R> x) {
    return absolute(x.re) + absolute(x.im);
}
template <typename T>
BASALT_DEVICE bool isZero(T x) {
    return re(x) == 0 && im(x) == 0;
}
template <typename T>
BASALT_DEVICE bool isOne(T x) {
    return re(x) == 1 && im(x) == 0;
}
BASALT_DEVICE float dropImaginary(float x) { return x; }
BASALT_DEVICE double dropImaginary(double x) { return x; }
template <typename R>
BASALT_DEVICE Complex<R> dropImaginary(Complex<R> x) {
    x.im = 0;
    return x;
}
BASALT_DEVICE float root(float x) { return sqrtf(x); }
BASALT_DEVICE double root(double x) { return sqrt(x); }
// To some units in the last place.
#if BASALT_CUDA_ARCH > 0
BASALT_DEVICE float inverseRoot(float x) { return rsqrtf(x); }
BASALT_DEVICE double inverseRoot(double x) { return rsqrt(x); }
#else
BASALT_DEVICE float inverseRoot(float x) { return 1 / sqrtf(x); }
BASALT_DEVICE double inverseRoot(double x) { return 1 / sqrt(x); }
#endif

BASALT_DEVICE float divide(float x, float y) { return x / y; }
BASALT_DEVICE double divide(double x, double y) { return x / y; }
// Smith, "Algorithm 116: complex division", 1962
template <typename R>
BASALT_DEVICE Complex<R> divide(Complex<R> x, Complex<R> y) {
    bool swap = absolute(y.re) < absolute(y.im);
    R ratio = swap ? y.re / y.im : y.im / y.re;
    R whole = swap ? y.re * ratio + y.im : y.re + y.im * ratio;
    Complex<R> z;
    z.re = (swap ? x.re * ratio + x.im : x.re + x.im * ratio) / whole;
    z.im = (swap ? x.im * ratio - x.re : x.im - x.re * ratio) / whole;
    return z;
}
// The smallest magnitude whose reciprocal is finite.
BASALT_DEVICE float smallestNormal(float) { return 1.17549435e-38f; }
BASALT_DEVICE double smallestNormal(double) { return 2.2250738585072014e-308; }

// y := alpha·acc + beta·y where beta = 0 does not read y
template <typename T>
BASALT_DEVICE void blend(T alpha, T acc, T beta, T* y) {
    *y = isZero(beta) ? alpha * acc : alpha * acc + beta * *y;
}

// ---- operands

template <typename T>
BASALT_DEVICE T* at(const Operand& o, i64 problem) {
    u64 base = o.pointers ? ((const u64*)o.base)[problem] : o.base + (u64)(problem * o.stride);
    return (T*)(base + (u64)o.offset);
}

// A matrix of any storage: element (i, j) by the same formula in each, for a band and a packed triangle where it is stored. Rows
// first(j) to last(j) - 1 of column j are stored: of a dense matrix all, of a packed one those of its triangle.
template <typename T>
struct Stored {
    T* a;  // element (0, 0), or where it would be
    i64 step;
    i64 kl, ku;
    int growth;  // of the step, from column to column

    BASALT_DEVICE T* column(i64 j) const { return a + (j * step + growth * (j * (j - 1) / 2)); }
    BASALT_DEVICE T& operator()(i64 i, i64 j) const { return column(j)[i]; }
    BASALT_DEVICE i64 first(i64 j) const { return j > ku ? j - ku : 0; }
    BASALT_DEVICE i64 last(i64 j, i64 m) const { return m - j > kl + 1 ? j + kl + 1 : m; }
};

// `rows` and `columns` are the matrix's; `uplo` tells which triangle is packed; `band` is that of the operand.
template <typename T>
BASALT_DEVICE Stored<T> stored(const Operand& o, const Band& band, int uplo, i64 rows, i64 columns, i64 problem) {
    Stored<T> s;
    s.a = at<T>(o, problem);
    s.step = o.ld;
    s.growth = o.storage != PACKED ? 0 : uplo == UPPER ? 1 : -1;
    s.kl = o.storage == BAND ? band.kl : o.storage == PACKED && uplo == UPPER ? 0 : rows;
    s.ku = o.storage == BAND ? band.ku : o.storage == PACKED && uplo == LOWER ? 0 : columns;
    return s;
}

#if defined(BASALT_CAPPED)
static const bool CAPPED = true;
#else
static const bool CAPPED = false;
#endif

// The arguments of one problem, with a dimension that is no more than what the device alone knows. Grids and workspaces are made for the
// dimensions that the launch is given, so blocks may have nothing to do.
BASALT_DEVICE void cap(const Args& given, i64 problem, Args& args) {
    i64 most = ((const i64*)given.extent)[problem * given.extentStride];
    i64 dim = given.extentOf == DIM_M ? given.m : given.extentOf == DIM_N ? given.n : given.k;
    i64 now = most < 0 ? 0 : most < dim ? most : dim;
    args.m = given.extentOf == DIM_M ? now : given.m;
    args.n = given.extentOf == DIM_N ? now : given.n;
    args.k = given.extentOf == DIM_K ? now : given.k;
    args.count = problem + 1;
    args.extent = (u64)dim;
}

// n as the launch is given it, by which problems share out the workspace.
BASALT_DEVICE i64 givenN(const Args& args) { return CAPPED && args.extentOf == DIM_N ? (i64)args.extent : args.n; }

BASALT_DEVICE bool skips(const Args& args, i64 problem) {
    return args.guarded && *at<int>(args.e, problem) != 0;
}

// Whether a problem's c is its b: then an update of b apart from c is left to a kernel that works in place.
BASALT_DEVICE bool meets(const Args& args, i64 problem) {
    return args.b.base != 0 && at<char>(args.b, problem) == at<char>(args.c, problem);
}

// Sets the info of a problem, unless an earlier panel did.
BASALT_DEVICE void report(const Args& args, i64 problem, int info) {
    int* e = at<int>(args.e, problem);
    if (info != 0 && *e == 0) {
        *e = (int)args.p + info;
    }
}

// The same at the end of a factorisation: with k not 0 nobody has set info before, so it is set where all went well, too.
BASALT_DEVICE void conclude(const Args& args, i64 problem, int info) {
    if (args.k == 0) {
        report(args, problem, info);
    } else {
        *at<int>(args.e, problem) = info == 0 ? 0 : (int)args.p + info;
    }
}

// Whether a problem has failed before such a factorisation, and is left alone.
BASALT_DEVICE bool hasFailed(const Args& args, i64 problem) { return args.k == 0 && *at<int>(args.e, problem) != 0; }

BASALT_DEVICE void load(const Scalar& s, double* reOut, double* imOut) {
    double r = s.re;
    double i = s.im;
    if (s.address != 0) {
        const double* d = (const double*)s.address;
        const float* f = (const float*)s.address;
        bool wide = s.type & 1;
        r = wide ? d[0] : (double)f[0];
        i = s.type < 2 ? 0.0 : wide ? d[1] : (double)f[1];
        if (s.gated) {
            r = r != 0 || i != 0 ? s.gateValue : 0.0;
            i = 0;
        }
    }
    *reOut = r;
    *imOut = i;
}

template <typename T>
BASALT_DEVICE T value(const Scalar& s) {
    double r, i;
    load(s, &r, &i);
    return Make<T>::of(r, i);
}

// An n×n triangle read as op(A), and as its transpose where it stands on the right: element (i, j) lies i·si + j·sj on.
template <typename T>
struct Triangle {
    const T* a;
    i64 si, sj;
    bool lower, conjugated, unit;

    BASALT_DEVICE T operator()(i64 i, i64 j) const { return conj(a[i * si + j * sj], conjugated); }
};

template <typename T>
BASALT_DEVICE Triangle<T> triangle(const Args& args, i64 problem) {
    Triangle<T> t;
    t.a = at<T>(args.a, problem);
    // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ.
    bool flipped = (args.opA != NONE) != (args.side == RIGHT);
    t.si = flipped ? args.a.ld : 1;
    t.sj = flipped ? 1 : args.a.ld;
    t.lower = (args.uplo == LOWER) != flipped;
    t.conjugated = args.opA == CONJ_TRANS;
    t.unit = args.diag == UNIT;
    return t;
}

// ---- threads

#if defined(__HIP_PLATFORM_AMD__)
#define BASALT_SHFL_XOR(v, mask) __shfl_xor(v, mask, 32)
#define BASALT_SHFL(v, lane) __shfl(v, lane, 32)
#else
#define BASALT_SHFL_XOR(v, mask) __shfl_xor_sync(0xffffffffu, v, mask)
#define BASALT_SHFL(v, lane) __shfl_sync(0xffffffffu, v, lane)
#endif

BASALT_DEVICE float shuffleXor(float v, int mask) { return BASALT_SHFL_XOR(v, mask); }
BASALT_DEVICE double shuffleXor(double v, int mask) { return BASALT_SHFL_XOR(v, mask); }
BASALT_DEVICE i64 shuffleXor(i64 v, int mask) { return BASALT_SHFL_XOR(v, mask); }
BASALT_DEVICE int shuffleXor(int v, int mask) { return BASALT_SHFL_XOR(v, mask); }
template <typename R>
BASALT_DEVICE Complex<R> shuffleXor(Complex<R> v, int mask) {
    v.re = shuffleXor(v.re, mask);
    v.im = shuffleXor(v.im, mask);
    return v;
}
BASALT_DEVICE float shuffle(float v, int lane) { return BASALT_SHFL(v, lane); }
BASALT_DEVICE double shuffle(double v, int lane) { return BASALT_SHFL(v, lane); }
BASALT_DEVICE int shuffle(int v, int lane) { return BASALT_SHFL(v, lane); }
template <typename R>
BASALT_DEVICE Complex<R> shuffle(Complex<R> v, int lane) {
    v.re = shuffle(v.re, lane);
    v.im = shuffle(v.im, lane);
    return v;
}

// What a lane wrote to shared memory before it, the others of its warp may read after it.
BASALT_DEVICE void warpBarrier() {
#if defined(__HIP_PLATFORM_AMD__)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
    __builtin_amdgcn_wave_barrier();
#elif defined(BASALT_SHIM)
    shuffle(0, 0);
#else
    __syncwarp();
#endif
}

// The largest of 32 lanes, in each.
BASALT_DEVICE unsigned warpMost(unsigned v) {
#if BASALT_CUDA_ARCH >= 800
    return __reduce_max_sync(0xffffffffu, v);
#else
    for (int mask = 16; mask > 0; mask >>= 1) {
        unsigned w = (unsigned)shuffleXor((int)v, mask);
        v = v > w ? v : w;
    }
    return v;
#endif
}

// The lanes for which p holds, as bits.
BASALT_DEVICE unsigned warpBallot(bool p) {
#if BASALT_CUDA_ARCH > 0
    return __ballot_sync(0xffffffffu, p);
#else
    unsigned v = p ? 1u << threadIdx.x % 32 : 0u;
    for (int mask = 16; mask > 0; mask >>= 1) {
        v |= (unsigned)shuffleXor((int)v, mask);
    }
    return v;
#endif
}

// The lowest of the lanes that are bits of a number that is not 0.
BASALT_DEVICE int firstLane(unsigned lanes) {
#if BASALT_CUDA_ARCH > 0
    return __ffs((int)lanes) - 1;
#else
    return __builtin_ctz(lanes);
#endif
}

// The bits of a number that is not negative: in the order of the numbers, NaN last.
BASALT_DEVICE u64 orderedBits(double x) {
#if BASALT_CUDA_ARCH > 0
    return (u64)__double_as_longlong(x);
#else
    union {
        double d;
        u64 u;
    } v;
    v.d = x;
    return v.u;
#endif
}
BASALT_DEVICE double fromBits(u64 x) {
#if BASALT_CUDA_ARCH > 0
    return __longlong_as_double((i64)x);
#else
    union {
        double d;
        u64 u;
    } v;
    v.u = x;
    return v.d;
#endif
}
BASALT_DEVICE u64 orderedBits(float x) { return orderedBits((double)x); }

// Sum over the 32 lanes, the same bits in each.
template <typename T>
BASALT_DEVICE T warpSum(T v) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v = v + shuffleXor(v, mask);
    }
    return v;
}

// Halves COUNT numbers that lanes add up for each other. A loop around exchanges between lanes is not always unrolled, and then numbers would lie in memory.
template <int COUNT, int SIZE, typename T>
BASALT_DEVICE void halveSums(T (&s)[SIZE], int* which) {
    if constexpr (COUNT > 1) {
        const int HALF = COUNT / 2;
        const int mask = 16 * COUNT / SIZE;
        bool upper = threadIdx.x % 32 & mask;
        *which += upper ? HALF : 0;
#pragma unroll
        for (int u = 0; u < HALF; u++) {
            T keep = upper ? s[u + HALF] : s[u];
            s[u] = keep + shuffleXor(upper ? s[u] : s[u + HALF], mask);
        }
        halveSums<HALF>(s, which);
    }
}

// Sums of COUNT numbers over a warp: that of number `which` in every lane.
template <int COUNT, typename T>
BASALT_DEVICE T warpSums(T (&s)[COUNT], int* which) {
    *which = 0;
    halveSums<COUNT>(s, which);
    T t = s[0];
#pragma unroll
    for (int mask = 16 / COUNT; mask > 0; mask /= 2) {
        t = t + shuffleXor(t, mask);
    }
    return t;
}

// Sum over a block of whole warps, in one fixed order; every thread gets it. `scratch` holds 33 elements.
template <typename T>
BASALT_DEVICE T blockSum(T v, T* scratch) {
    int warps = blockDim.x / 32;
    v = warpSum(v);
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        T w = (int)threadIdx.x < warps ? scratch[threadIdx.x] : zero<T>();
        w = warpSum(w);
        if (threadIdx.x == 0) {
            scratch[32] = w;
        }
    }
    __syncthreads();
    return scratch[32];
}

// Synchronisation memory of a stream: counters that every kernel leaves at zero, then scratch.
static const int SYNC_COUNTERS = 4096;
BASALT_DEVICE unsigned* counter(const Args& args, i64 index) { return (unsigned*)args.sync + index; }
BASALT_DEVICE char* syncScratch(const Args& args) { return (char*)args.sync + 4 * SYNC_COUNTERS; }

// True in every thread of the last of `blocks` blocks to arrive; what the others wrote before is visible to it then.
BASALT_DEVICE bool arrivesLast(unsigned* count, unsigned blocks, int* shared) {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before = atomicAdd(count, 1u);
        *shared = before == blocks - 1;
        if (*shared) {
            *count = 0;
        }
    }
    __syncthreads();
    __threadfence();
    return *shared != 0;
}

// The same where the first thread alone has written what others shall see.
BASALT_DEVICE bool firstArrivesLast(unsigned* count, unsigned blocks, int* shared) {
    if (threadIdx.x == 0) {
        __threadfence();
        *shared = atomicAdd(count, 1u) == blocks - 1;
        if (*shared) {
            *count = 0;
        }
        __threadfence();
    }
    __syncthreads();
    return *shared != 0;
}

// Loads and stores that other blocks of a running launch must see.
template <typename T>
BASALT_DEVICE T loadShared(const T* p) {
    return *(const volatile T*)p;
}
template <typename R>
BASALT_DEVICE Complex<R> loadShared(const Complex<R>* p) {
    Complex<R> z;
    z.re = *(const volatile R*)&p->re;
    z.im = *(const volatile R*)&p->im;
    return z;
}

// A flag that other blocks of a running launch set: what they wrote before it is visible after the load, and the store makes
// visible what this block wrote before the barrier that precedes it.
BASALT_DEVICE unsigned loadFlag(const unsigned* p) {
#if BASALT_CUDA_ARCH >= 700
    unsigned v;
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
#else
    unsigned v = loadShared(p);
    __threadfence();
    return v;
#endif
}
BASALT_DEVICE void storeFlag(unsigned* p, unsigned v) {
#if BASALT_CUDA_ARCH >= 700
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
#else
    __threadfence();
    *(volatile unsigned*)p = v;
#endif
}
BASALT_DEVICE void addFlag(unsigned* p) {
#if BASALT_CUDA_ARCH >= 700
    asm volatile("red.release.gpu.add.u32 [%0], 1;" ::"l"(p) : "memory");
#else
    __threadfence();
    atomicAdd(p, 1u);
#endif
}

// Lets other threads go first for some nanoseconds, where that is possible.
#if BASALT_CUDA_ARCH >= 700
#define BASALT_PAUSE(ns) __nanosleep(ns)
#else
#define BASALT_PAUSE(ns) ((void)0)
#endif

#if !defined(BASALT_SPIN)
#define BASALT_SPIN() ((void)0)
#endif

// Tile `t` of a triangle, row by row of a lower one and column by column of an upper one.
struct TileOfPart {
    i64 row, column;

    BASALT_DEVICE TileOfPart(unsigned t, bool lower) {
        i64 far = (i64)((sqrtf(8.0f * (float)t + 1) - 1) / 2);
        while ((far + 1) * (far + 2) / 2 <= (i64)t) {
            far++;
        }
        while (far * (far + 1) / 2 > (i64)t) {
            far--;
        }
        i64 near = t - far * (far + 1) / 2;
        row = lower ? far : near;
        column = lower ? near : far;
    }
};

BASALT_DEVICE i64 least(i64 x, i64 y) { return x < y ? x : y; }
BASALT_DEVICE i64 most(i64 x, i64 y) { return x > y ? x : y; }

}  // namespace basalt

#if !defined(BASALT_SHIM)
// Dynamic shared memory, aligned to 16 bytes.
template <typename T>
BASALT_DEVICE T* basaltDynamicShared() {
    extern __shared__ double2 memory[];
    return (T*)memory;
}
#define BASALT_DYNAMIC_SHARED(T) basaltDynamicShared<T>()
#endif

#if defined(BASALT_CAPPED)
#define BASALT_PROBLEMS(problem) \
    for (basalt::i64 problem = args.count - 1; problem < args.count; problem++)
#else
#define BASALT_PROBLEMS(problem) \
    for (basalt::i64 problem = blockIdx.z; problem < args.count; problem += gridDim.z)
#endif

#endif
