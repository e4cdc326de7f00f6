// Element by element over matrices: copy, scale, the same on a triangle, expand, add, and rank one. The threads of a problem are
// args.x down a column by args.z / args.x columns; blocks in y walk over the columns.
#include "abreast.h"
BASALT_CAPPED_TOO

namespace basalt {

// for the elements (i, j) of an m×n matrix that this thread visits
#define BASALT_ELEMENTS(i, j, m, n)                                                                                        \
    for (i64 i = (i64)blockIdx.x * args.x + (threadIdx.x & (args.x - 1)); i < (m); i += (i64)gridDim.x * args.x)           \
        for (i64 j = (i64)blockIdx.y * (args.z / args.x) + among(args) / args.x; j < (n); j += (i64)gridDim.y * (args.z / args.x))

static const int AHEAD = 4;  // columns that a thread reads before it writes the first

template <typename T>
BASALT_DEVICE void copyMatrix(const Args& args) {
    i64 step = (i64)gridDim.y * (args.z / args.x);
    BASALT_ABREAST(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.a, problem);
        T* c = at<T>(args.c, problem);
        for (i64 i = (i64)blockIdx.x * args.x + (threadIdx.x & (args.x - 1)); i < args.m; i += (i64)gridDim.x * args.x) {
            for (i64 j = (i64)blockIdx.y * (args.z / args.x) + among(args) / args.x; j < args.n; j += AHEAD * step) {
                T v[AHEAD];
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    v[u] = j + u * step < args.n ? a[i + (j + u * step) * args.a.ld] : T();
                }
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    if (j + u * step < args.n) {
                        c[i + (j + u * step) * args.c.ld] = v[u];
                    }
                }
            }
        }
    }
}

template <typename T>
BASALT_DEVICE void scalMatrix(const Args& args) {
    T beta = value<T>(args.beta);
    if (isOne(beta)) {
        return;
    }
    bool clear = isZero(beta);
    BASALT_ABREAST(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* c = at<T>(args.c, problem);
        BASALT_ELEMENTS(i, j, args.m, args.n) {
            T* x = c + i + j * args.c.ld;
            *x = clear ? zero<T>() : beta * *x;
        }
    }
}

// Triangle of c := a + beta·c, or beta·c. Hermitian: beta is real and the diagonal ends real.
template <typename T, bool ADD>
BASALT_DEVICE void triangleMap(const Args& args) {
    T beta = value<T>(args.beta);
    bool hermitian = args.flag;
    if (hermitian) {
        beta = dropImaginary(beta);
    }
    bool clear = isZero(beta);
    bool keep = isOne(beta);
    BASALT_ABREAST(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = ADD ? at<T>(args.a, problem) : 0;
        T* c = at<T>(args.c, problem);
        BASALT_ELEMENTS(i, j, args.n, args.n) {
            if (args.uplo == LOWER ? i < j : i > j) {
                continue;
            }
            T* x = c + i + j * args.c.ld;
            T v = clear ? zero<T>() : keep ? *x : hermitian ? times(re(beta), *x) : beta * *x;
            if (ADD) {
                v = a[i + j * args.a.ld] + v;
            }
            *x = hermitian && i == j ? dropImaginary(v) : v;
        }
    }
}

template <typename T>
BASALT_DEVICE void expand(const Args& args) {
    int structure = (int)args.p;
    BASALT_ABREAST(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.a, problem);
        T* c = at<T>(args.c, problem);
        BASALT_ELEMENTS(i, j, args.n, args.n) {
            bool stored = args.uplo == LOWER ? i >= j : i <= j;
            T v = zero<T>();
            if (i == j && structure == 0 && args.diag == UNIT) {
                v = one<T>();
            } else if (stored) {
                v = a[i + j * args.a.ld];
                if (i == j && structure == 2) {
                    v = dropImaginary(v);
                }
            } else if (structure != 0) {
                v = conj(a[j + i * args.a.ld], structure == 2);
            }
            c[i + j * args.c.ld] = v;
        }
    }
}

// Triangle of c := that of a, with ones on the diagonal if that is a unit one. A problem whose c is its a is left alone.
template <typename T>
BASALT_DEVICE void copyTriangle(const Args& args) {
    bool unit = args.diag == UNIT;
    BASALT_ABREAST(problem) {
        const T* a = at<T>(args.a, problem);
        T* c = at<T>(args.c, problem);
        if (a == c || skips(args, problem)) {
            continue;
        }
        BASALT_ELEMENTS(i, j, args.n, args.n) {
            if (args.uplo == LOWER ? i >= j : i <= j) {
                c[i + j * args.c.ld] = i == j && unit ? one<T>() : a[i + j * args.a.ld];
            }
        }
    }
}

// ROWS of a thread by AHEAD of its columns. FULL: the matrix has all of them.
template <typename T, int ROWS, bool FULL>
BASALT_DEVICE void gerPiece(const Args& args, T alpha, const T (&x)[ROWS], const T* y, T* c, i64 rows, i64 columns, i64 step) {
    const i64 ldc = step * args.c.ld;
    T v[AHEAD][ROWS], w[AHEAD];
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            v[u][r] = FULL || (u * step < columns && r * args.x < rows) ? c[r * args.x + u * ldc] : zero<T>();
        }
        w[u] = FULL || u * step < columns ? y[u * step * args.b.ld] : zero<T>();
    }
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
        T by = alpha * conj(w[u], args.flag);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (FULL || (u * step < columns && r * args.x < rows)) {
                fma(by, x[r], v[u][r]);
                c[r * args.x + u * ldc] = v[u][r];
            }
        }
    }
}

// A thread has ROWS rows and goes along them AHEAD columns at a time: the more of both, the fewer instructions an element takes.
template <typename T, int ROWS>
BASALT_DEVICE void ger(const Args& args) {
    T alpha = value<T>(args.alpha);
    if (isZero(alpha)) {
        return;
    }
    i64 step = (i64)gridDim.y * (args.z / args.x);
    i64 i = (i64)blockIdx.x * ROWS * args.x + (threadIdx.x & (args.x - 1));
    i64 first = (i64)blockIdx.y * (args.z / args.x) + among(args) / args.x;
    i64 rows = args.m - i;
    // What the last of its lanes have decides for a warp, since one that goes both ways takes the time of both.
    i64 last = (args.x < 32 ? (i64)blockIdx.x * ROWS * args.x + args.x - 1 : i | 31) + (ROWS - 1) * args.x;
    i64 beyond = args.z / args.x - 1 - among(args) / args.x + (AHEAD - 1) * step;
    BASALT_ABREAST(problem) {
        if (rows <= 0 || skips(args, problem)) {
            continue;
        }
        T x[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            x[r] = r * args.x < rows ? at<T>(args.a, problem)[(i + r * args.x) * args.a.ld] : zero<T>();
        }
        const T* y = at<T>(args.b, problem);
        T* c = at<T>(args.c, problem) + i;
        for (i64 j = first; j < args.n; j += AHEAD * step) {
            if (last < args.m && j + beyond < args.n) {
                gerPiece<T, ROWS, true>(args, alpha, x, y + j * args.b.ld, c + j * args.c.ld, rows, args.n - j, step);
            } else {
                gerPiece<T, ROWS, false>(args, alpha, x, y + j * args.b.ld, c + j * args.c.ld, rows, args.n - j, step);
            }
        }
    }
}

}  // namespace basalt

#define MATRICES(t, T)                                                                              \
    BASALT_KERNEL(basalt_copy_matrix_##t) { basalt::copyMatrix<T>(args); } \
    BASALT_KERNEL(basalt_scal_matrix_##t) { basalt::scalMatrix<T>(args); } \
    BASALT_KERNEL(basalt_scal_triangle_##t) { basalt::triangleMap<T, false>(args); } \
    BASALT_KERNEL(basalt_add_triangle_##t) { basalt::triangleMap<T, true>(args); } \
    BASALT_KERNEL(basalt_copy_triangle_##t) { basalt::copyTriangle<T>(args); } \
    BASALT_KERNEL(basalt_expand_##t) { basalt::expand<T>(args); } \
    BASALT_KERNEL(basalt_ger_##t) { basalt::ger<T, 1>(args); } \
    BASALT_KERNEL(basalt_ger_large_##t) { basalt::ger<T, 2>(args); }
BASALT_EACH_TYPE(MATRICES)

#if defined(BASALT_TYPE_D)
BASALT_KERNEL(basalt_icopy_matrix16_d) { basalt::copyMatrix<short>(args); }
BASALT_KERNEL(basalt_icopy_matrix32_d) { basalt::copyMatrix<int>(args); }
BASALT_KERNEL(basalt_icopy_matrix64_d) { basalt::copyMatrix<basalt::i64>(args); }
#endif
