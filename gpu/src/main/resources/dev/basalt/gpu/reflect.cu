// Householder reflectors: panels of QR and its relatives of any size, Q from its reflectors, and Q applied without blocks.
#include "abreast.h"
#include "reflect.h"

namespace basalt {

// Column j of the upper triangle T from the products of reflector j with those before it, which stand there: by a block.
template <typename T>
BASALT_DEVICE void triangleColumn(const Read<T>& t, i64 j, T tau) {
    // Rows from the first to the last: each needs the products of rows behind it alone.
    for (i64 i0 = 0; i0 < j; i0 += blockDim.x) {
        i64 i = i0 + threadIdx.x;
        T sum = zero<T>();
        for (i64 l = i; l < j && i < j; l++) {
            fma(t(i, l), t(l, j), sum);
        }
        __syncthreads();
        if (i < j) {
            t(i, j) = -(tau * sum);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        t(j, j) = tau;
    }
    __syncthreads();
}

// The products of reflector j with those before it, a warp each.
template <typename T>
BASALT_DEVICE void products(const Read<T>& v, i64 m, i64 j, const Read<T>& t) {
    int lane = threadIdx.x % 32;
    for (i64 i = threadIdx.x / 32; i < j; i += blockDim.x / 32) {
        T sum = zero<T>();
        for (i64 r = j + lane; r < m; r += 32) {
            T x = r == j ? one<T>() : v.element(r, j);
            fma(conj(v.element(r, i), true), x, sum);
        }
        sum = warpSum(sum);
        if (lane == 0) {
            t(i, j) = sum;
        }
    }
    __syncthreads();
}

// One block a problem, in device memory: for panels of any height.
template <typename T>
BASALT_DEVICE void geqr2(const Args& args) {
    __shared__ typename Of<T>::Real scratch[33];
    int warps = blockDim.x / 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Read<T> c = read<T>(args, args.c, problem, args.m, args.n);
        for (i64 j = 0; j < args.n; j++) {
            T tau = larfg(&c(j, j), &c(j + 1, j), c.di, args.m - j - 1, c.turned, scratch);
            if (threadIdx.x == 0) {
                *factor<T>(args, problem, args.n, j) = tau;
            }
            __syncthreads();
            T f = conj(tau, !c.turned);
            for (i64 q = j + 1 + threadIdx.x / 32; q < args.n && !isZero(f); q += warps) {
                line(c, args.m, j, false, f, &c(j, q), c.di);
            }
            __syncthreads();
            if (args.b.base != 0) {
                Read<T> t = triangleOf<T>(args, args.b, problem, args.n);
                products(c, args.m, j, t);
                triangleColumn(t, j, tau);
            }
        }
    }
}

// Each line of c, a column or a row, by a warp that applies all reflectors.
template <typename T>
BASALT_DEVICE void orm2r(const Args& args) {
    bool left = args.side == LEFT;
    bool conjugate = args.opA != NONE;
    i64 order = left ? args.m : args.n;
    i64 lines = left ? args.n : args.m;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Read<T> v = read<T>(args, args.a, problem, order, args.k);
        T* c = at<T>(args.c, problem);
        i64 step = left ? 1 : args.c.ld;
        i64 next = left ? args.c.ld : 1;
        if (args.flag) {
            c += (order - 1) * step;
            step = -step;
        }
        for (i64 q = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; q < lines; q += warps) {
            for (i64 s = 0; s < args.k; s++) {
                i64 j = left != conjugate ? args.k - 1 - s : s;
                T f = conj(*factor<T>(args, problem, args.k, j), conjugate);
                if (!isZero(f)) {
                    line(v, order, j, v.turned == left, f, c + q * next + j * step, step);
                }
                warpBarrier();
            }
        }
    }
}

// One block a problem: from the last reflector to the first.
template <typename T>
BASALT_DEVICE void org2r(const Args& args) {
    int warps = blockDim.x / 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Read<T> c = read<T>(args, args.c, problem, args.m, args.n);
        for (i64 j = args.k; j < args.n; j++) {
            for (i64 i = threadIdx.x; i < args.m; i += blockDim.x) {
                c(i, j) = i == j ? one<T>() : zero<T>();
            }
        }
        __syncthreads();
        for (i64 j = args.k - 1; j >= 0; j--) {
            T f = conj(*factor<T>(args, problem, args.k, j), c.turned);
            for (i64 q = j + 1 + threadIdx.x / 32; q < args.n && !isZero(f); q += warps) {
                line(c, args.m, j, false, f, &c(j, q), c.di);
            }
            __syncthreads();
            for (i64 i = threadIdx.x; i < args.m; i += blockDim.x) {
                c(i, j) = i < j ? zero<T>() : i == j ? one<T>() - f : -(f * c(i, j));
            }
            __syncthreads();
        }
    }
}

// Elements of shared memory for T of n reflectors: their products, row by row, and their factors.
BASALT_DEVICE int larftElements(int n) { return n * (n + 1); }

// The products of reflectors, row by row: a warp each.
template <typename T>
BASALT_DEVICE void allProducts(const Read<T>& v, int m, int n, T* products) {
    const int lane = threadIdx.x % 32;
    for (int e = threadIdx.x / 32; e < n * n; e += blockDim.x / 32) {
        const int i = e % n;
        const int j = e / n;
        T sum = zero<T>();
#pragma unroll 4
        for (int r = j + lane; r < (i < j ? m : 0); r += 32) {
            T x = r == j ? one<T>() : v.element(r, j);
            fma(conj(v.element(r, i), true), x, sum);
        }
        sum = warpSum(sum);
        if (lane == 0 && i < j) {
            products[i * n + j] = sum;
        }
    }
}

// T of up to 64 reflectors from these, or from their products: a warp has a row or two. Its lanes have columns, and sums of what is known of the row times the products
// behind it, so that a step is one exchange.
template <typename T>
BASALT_DEVICE void larftRows(const Args& args) {
    const int HALF = 32;
    const int n = (int)args.n;
    const int lane = threadIdx.x % HALF;
    T* products = BASALT_DYNAMIC_SHARED(T);
    T* tau = products + n * n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Read<T> t = triangleOf<T>(args, args.c, problem, n);
        if (args.a.base != 0) {
            allProducts(read<T>(args, args.a, problem, args.m, n), (int)args.m, n, products);
        }
        for (int e = args.a.base != 0 ? n * n : threadIdx.x; e < n * n; e += blockDim.x) {
            const int l = e % n;
            const int j = e / n;
            if (l < j) {
                products[l * n + j] = t(l, j);
            }
        }
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            tau[j] = *factor<T>(args, problem, n, j);
        }
        __syncthreads();
        for (int w = threadIdx.x / HALF; w < n; w += blockDim.x / HALF) {
            T sum[2] = {zero<T>(), zero<T>()};
            T row[2] = {zero<T>(), zero<T>()};
            for (int l = w; l < n; l++) {
                T known = shuffle(l < HALF ? sum[0] : sum[1], l % HALF);
                known = l == w ? tau[l] : -(tau[l] * known);
#pragma unroll
                for (int e = 0; e < 2; e++) {
                    const int j = lane + HALF * e;
                    row[e] = j == l ? known : row[e];
                    if (j > l && j < n) {
                        fma(known, products[l * n + j], sum[e]);
                    }
                }
            }
#pragma unroll
            for (int e = 0; e < 2; e++) {
                int l = lane + HALF * e;
                if (l >= w && l < n) {
                    t(w, l) = row[e];
                }
            }
        }
        __syncthreads();
    }
}

template <typename T>
BASALT_DEVICE void larft(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Read<T> t = triangleOf<T>(args, args.c, problem, args.n);
        for (i64 j = 0; j < args.n; j++) {
            if (args.a.base != 0) {
                products(read<T>(args, args.a, problem, args.m, args.n), args.m, j, t);
            }
            triangleColumn(t, j, *factor<T>(args, problem, args.n, j));
        }
    }
}

// The lanes of a problem look for its first zero. A warp has as many problems as fit, and they take its steps together.
template <typename T>
BASALT_DEVICE void zeroDiagonal(const Args& args) {
    const i64 lanes = args.z;
    const int lane = among(args);
    const i64 step = (i64)gridDim.z * abreast(args);
    for (i64 start = CAPPED ? args.count - 1 : (i64)blockIdx.z * abreast(args); start < args.count; start += step) {
        i64 problem = start + threadIdx.x / args.z;
        bool works = problem < args.count && !skips(args, problem);
        const T* a = works ? at<T>(args.c, problem) : 0;
        i64 found = 0;
        for (i64 i0 = 0; i0 < args.n && warpBallot(works && found == 0) != 0; i0 += lanes) {
            i64 i = i0 + lane;
            unsigned zeros = warpBallot(works && i < args.n && isZero(a[(i < args.n ? i : 0) * (args.c.ld + 1)]));
            zeros = zeros >> ((int)threadIdx.x % 32 - lane) & (0xffffffffu >> (32 - lanes));
            found = found != 0 || zeros == 0 ? found : i0 + firstLane(zeros) + 1;
        }
        if (works && lane == 0) {
            if (args.k != 0) {
                *at<int>(args.e, problem) = 0;
            }
            report(args, problem, found == 0 || args.q == 0 ? (int)found : (int)args.q);
        }
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define LARFT_LAYOUT(t, T) \
    BASALT_LAYOUT(larft_##t, n, none, too) { return (long long)(basalt::larftElements((int)n) * sizeof(T)); }
BASALT_EACH_TYPE(LARFT_LAYOUT)
#endif

#define REFLECTORS(t, T)                                        \
    BASALT_KERNEL(basalt_geqr2_##t) { basalt::geqr2<T>(args); } \
    BASALT_KERNEL(basalt_orm2r_##t) { basalt::orm2r<T>(args); } \
    BASALT_KERNEL(basalt_org2r_##t) { basalt::org2r<T>(args); } \
    BASALT_KERNEL(basalt_larft_##t) { basalt::larft<T>(args); } \
    BASALT_KERNEL(basalt_larft_rows_##t) { basalt::larftRows<T>(args); } \
    BASALT_KERNEL(basalt_zero_diagonal_##t) { basalt::zeroDiagonal<T>(args); }
BASALT_EACH_TYPE(REFLECTORS)
