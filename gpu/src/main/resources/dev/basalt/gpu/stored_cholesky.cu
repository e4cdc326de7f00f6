// Cholesky factors that are packed or bands, what is made of them, and LᴴL in place: one block a problem, in shared memory where a packed triangle has room there.
#include "basalt.h"

namespace basalt {

// A stored triangle as a lower one: of an upper one the conjugate transpose.
template <typename T>
struct Lower {
    Stored<T> s;
    bool upper;

    BASALT_DEVICE T operator()(i64 i, i64 j) const { return upper ? conj(s(j, i), true) : s(i, j); }
    BASALT_DEVICE void set(i64 i, i64 j, T v) const {
        if (upper) {
            s(j, i) = conj(v, true);
        } else {
            s(i, j) = v;
        }
    }
    BASALT_DEVICE typename Of<T>::Real diagonal(i64 j) const { return re(s(j, j)); }
};

template <typename T>
BASALT_DEVICE Lower<T> lowerOf(const Args& args, const Operand& o, const Band& band, i64 problem) {
    Lower<T> l;
    l.s = stored<T>(o, band, args.uplo, args.n, args.n, problem);
    l.upper = args.uplo == UPPER;
    return l;
}

// A packed triangle in shared memory, where it is stored in the same way.
template <typename T>
BASALT_DEVICE Lower<T> share(const Lower<T>& l, i64 n, T* shared) {
    for (i64 i = threadIdx.x; i < n * (n + 1) / 2; i += blockDim.x) {
        shared[i] = l.s.a[i];
    }
    Lower<T> copy = l;
    copy.s.a = shared;
    __syncthreads();
    return copy;
}

template <typename T>
BASALT_DEVICE void unshare(const Lower<T>& l, i64 n, const T* shared) {
    __syncthreads();
    for (i64 i = threadIdx.x; i < n * (n + 1) / 2; i += blockDim.x) {
        l.s.a[i] = shared[i];
    }
}

// Cholesky with k diagonals below the main one, each column taken off those behind it. Every thread returns the same.
template <typename T>
BASALT_DEVICE int factor(const Lower<T>& l, i64 n, i64 k) {
    typedef typename Of<T>::Real R;
    int lane = threadIdx.x % 32;
    int warps = blockDim.x / 32;
    for (i64 j = 0; j < n; j++) {
        R pivot = l.diagonal(j);
        if (!(pivot > 0)) {
            return (int)(j + 1);
        }
        R r = root(pivot);
        i64 behind = least(k, n - 1 - j);
        __syncthreads();
        if (threadIdx.x == 0) {
            l.set(j, j, Make<T>::real(r));
        }
        for (i64 i = 1 + threadIdx.x; i <= behind; i += blockDim.x) {
            l.set(j + i, j, times(1 / r, l(j + i, j)));
        }
        __syncthreads();
        for (i64 c = 1 + threadIdx.x / 32; c <= behind; c += warps) {
            T f = -conj(l(j + c, j), true);
            for (i64 i = c + lane; i <= behind; i += 32) {
                T v = l(j + i, j + c);
                fma(l(j + i, j), f, v);
                l.set(j + i, j + c, v);
            }
        }
        __syncthreads();
    }
    return 0;
}

template <typename T>
BASALT_DEVICE void potf2Stored(const Args& args) {
    T* shared = BASALT_DYNAMIC_SHARED(T);
    BASALT_PROBLEMS(problem) {
        if (*at<int>(args.e, problem) != 0) {
            continue;
        }
        Lower<T> l = lowerOf<T>(args, args.c, args.bandC, problem);
        i64 reach = args.c.storage == BAND ? args.bandC.kl + args.bandC.ku : args.n;
        int info = factor(args.x == 0 ? l : share(l, args.n, shared), args.n, reach);
        if (args.x != 0) {
            unshare(l, args.n, shared);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            report(args, problem, info);
        }
        __syncthreads();
    }
}

// A warp solves for one right-hand side.
template <typename T>
BASALT_DEVICE void solveWith(const Lower<T>& l, i64 n, T* x) {
    int lane = threadIdx.x % 32;
    for (i64 j = 0; j < n; j++) {
        T v = times(1 / l.diagonal(j), x[j]);
        warpBarrier();
        if (lane == 0) {
            x[j] = v;
        }
        for (i64 i = j + 1 + lane; i < n; i += 32) {
            fma(-l(i, j), v, x[i]);
        }
        warpBarrier();
    }
    for (i64 j = n - 1; j >= 0; j--) {
        T sum = zero<T>();
        for (i64 i = j + 1 + lane; i < n; i += 32) {
            fma(conj(l(i, j), true), x[i], sum);
        }
        sum = warpSum(sum);
        if (lane == 0) {
            x[j] = times(1 / l.diagonal(j), x[j] - sum);
        }
        warpBarrier();
    }
}

template <typename T>
BASALT_DEVICE void posvStored(const Args& args) {
    T* shared = BASALT_DYNAMIC_SHARED(T);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Lower<T> given = lowerOf<T>(args, args.a, args.bandA, problem);
        Lower<T> l = args.x == 0 ? given : share(given, args.n, shared);
        int info = factor(l, args.n, args.n);
        T* b = at<T>(args.c, problem);
        for (i64 j = threadIdx.x / 32; info == 0 && j < args.k; j += blockDim.x / 32) {
            solveWith(l, args.n, b + j * args.c.ld);
        }
        if (args.x != 0) {
            unshare(given, args.n, shared);
        }
        if (threadIdx.x == 0) {
            *at<int>(args.e, problem) = info;
        }
        __syncthreads();
    }
}

// The triangle := its inverse, from the last column to the first; of each column from the last row to the first, as many rows as there are threads at a time.
template <typename T>
BASALT_DEVICE void invert(const Lower<T>& l, i64 n) {
    typedef typename Of<T>::Real R;
    for (i64 j = n - 1; j >= 0; j--) {
        R inverse = 1 / l.diagonal(j);
        for (i64 last = n - 1; last > j; last -= blockDim.x) {
            i64 i = last - threadIdx.x;
            T sum = zero<T>();
            for (i64 k = j + 1; k <= i; k++) {
                fma(l(i, k), l(k, j), sum);
            }
            __syncthreads();
            if (i > j) {
                l.set(i, j, times(-inverse, sum));
            }
            __syncthreads();
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            l.set(j, j, Make<T>::real(inverse));
        }
        __syncthreads();
    }
}

// Element (i, j) of LᴴL.
template <typename T>
BASALT_DEVICE T productElement(const Lower<T>& l, i64 n, i64 i, i64 j) {
    T sum = zero<T>();
    for (i64 k = i; k < n; k++) {
        fma(conj(l(k, i), true), l(k, j), sum);
    }
    return i == j ? dropImaginary(sum) : sum;
}

// The triangle := LᴴL, row by row. What a row's last elements come from is needed by all before them.
template <typename T>
BASALT_DEVICE void multiply(const Lower<T>& l, i64 n) {
    for (i64 i = 0; i < n; i++) {
        for (i64 j0 = 0; j0 <= i; j0 += blockDim.x) {
            i64 j = j0 + threadIdx.x;
            T v = j <= i ? productElement(l, n, i, j) : zero<T>();
            __syncthreads();
            if (j <= i) {
                l.set(i, j, v);
            }
            __syncthreads();
        }
    }
}

template <typename T>
BASALT_DEVICE void potriStored(const Args& args) {
    T* shared = BASALT_DYNAMIC_SHARED(T);
    BASALT_PROBLEMS(problem) {
        if (*at<int>(args.e, problem) != 0) {
            continue;
        }
        Lower<T> given = lowerOf<T>(args, args.c, args.bandC, problem);
        i64 zeros = 0;
        for (i64 j = args.n - 1; j >= 0; j--) {
            zeros = isZero(given.s(j, j)) ? j + 1 : zeros;
        }
        if (zeros == 0) {
            Lower<T> l = args.x == 0 ? given : share(given, args.n, shared);
            __syncthreads();
            invert(l, args.n);
            multiply(l, args.n);
            if (args.x != 0) {
                unshare(given, args.n, shared);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            report(args, problem, (int)zeros);
        }
        __syncthreads();
    }
}

// From shared memory every element can be computed at once: a warp takes columns as they are stored. In shared memory the lower triangle's columns
// lie an odd number of elements apart, so that lanes that read a row meet no bank twice.
template <typename T>
BASALT_DEVICE void lauum(const Args& args) {
    const int SUMS = 4;
    const int COLUMNS = 4;  // that a warp reads at a time
    T* shared = BASALT_DYNAMIC_SHARED(T);
    const int n = (int)args.n;
    const int pitch = args.x;
    const int lane = threadIdx.x % 32;
    const int warps = blockDim.x / 32;
    const bool upper = args.uplo == UPPER;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Lower<T> given = lowerOf<T>(args, args.c, args.bandC, problem);
        if (pitch == 0) {
            multiply(given, args.n);
            continue;
        }
        for (int c0 = threadIdx.x / 32; c0 < n; c0 += COLUMNS * warps) {
            for (int r0 = lane; r0 < n; r0 += 2 * 32) {
                // All loads before the first store.
                T v[2 * COLUMNS];
#pragma unroll
                for (int u = 0; u < 2 * COLUMNS; u++) {
                    int c = c0 + u / 2 * warps;
                    int r = r0 + u % 2 * 32;
                    if (c < n && r < n && (upper ? r <= c : r >= c)) {
                        v[u] = upper ? given(c, r) : given(r, c);
                    }
                }
#pragma unroll
                for (int u = 0; u < 2 * COLUMNS; u++) {
                    int c = c0 + u / 2 * warps;
                    int r = r0 + u % 2 * 32;
                    if (c < n && r < n && (upper ? r <= c : r >= c)) {
                        shared[upper ? c + r * pitch : r + c * pitch] = v[u];
                    }
                }
            }
        }
        __syncthreads();
        for (int c = threadIdx.x / 32; c < n; c += warps) {
            for (int r = (upper ? 0 : c) + lane; r < (upper ? c + 1 : n); r += 32) {
                int i = upper ? c : r;
                int j = upper ? r : c;
                const T* left = shared + i * pitch;
                const T* right = shared + j * pitch;
                // Several sums, so that additions need not wait for each other.
                T sums[SUMS];
#pragma unroll
                for (int u = 0; u < SUMS; u++) {
                    sums[u] = zero<T>();
                }
                int k = i;
#pragma unroll 1
                for (; k + SUMS <= n; k += SUMS) {
#pragma unroll
                    for (int u = 0; u < SUMS; u++) {
                        fma(conj(left[k + u], true), right[k + u], sums[u]);
                    }
                }
                for (; k < n; k++) {
                    fma(conj(left[k], true), right[k], sums[0]);
                }
                T sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
                given.set(i, j, i == j ? dropImaginary(sum) : sum);
            }
        }
        __syncthreads();
    }
}

// A warp has a column.
template <typename T>
BASALT_DEVICE void copyStored(const Args& args) {
    i64 j = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (j >= args.n) {
        return;
    }
    bool lower = args.uplo == LOWER;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* from = stored<T>(args.a, args.bandA, args.uplo, args.n, args.n, problem).column(j);
        T* to = stored<T>(args.c, args.bandC, args.uplo, args.n, args.n, problem).column(j);
        for (i64 i = (lower ? j : 0) + threadIdx.x % 32; i < (lower ? args.n : j + 1); i += 32) {
            to[i] = from[i];
        }
    }
}

}  // namespace basalt

#define STORED_CHOLESKY(t, T)                                                \
    BASALT_KERNEL(basalt_potf2_stored_##t) { basalt::potf2Stored<T>(args); } \
    BASALT_KERNEL(basalt_posv_stored_##t) { basalt::posvStored<T>(args); }   \
    BASALT_KERNEL(basalt_potri_stored_##t) { basalt::potriStored<T>(args); } \
    BASALT_KERNEL(basalt_lauum_##t) { basalt::lauum<T>(args); }              \
    BASALT_KERNEL(basalt_copy_stored_##t) { basalt::copyStored<T>(args); }
BASALT_EACH_TYPE(STORED_CHOLESKY)
