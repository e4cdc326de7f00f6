// C := alpha·op(A)·op(B) + beta·C, the same with a symmetric A, and of a triangle of C only: one tiled product whose
// operands differ in how their elements are found.
#include "basalt.h"
BASALT_CAPPED_TOO

namespace basalt {

static const int SIDE = row::gemm_sdcz::tile;    // order of the tile of C
static const int DEPTH = row::gemm_sdcz::depth;  // of a step along the inner dimension

// Element (i, l) of a factor.
template <typename T>
struct General {
    const T* a;
    i64 si, sj;
    bool conjugated;
    BASALT_DEVICE T operator()(i64 i, i64 l) const { return conj(a[i * si + l * sj], conjugated); }
};

template <typename T>
struct Symmetric {
    const T* a;
    i64 lda;
    bool lower, hermitian;
    BASALT_DEVICE T operator()(i64 i, i64 l) const {
        if (i == l) {
            return hermitian ? dropImaginary(a[i + i * lda]) : a[i + i * lda];
        }
        return lower == (i > l) ? a[i + l * lda] : conj(a[l + i * lda], hermitian);
    }
};

template <typename T>
BASALT_DEVICE General<T> general(const Operand& o, i64 problem, int op) {
    General<T> g;
    g.a = at<T>(o, problem);
    g.si = op == NONE ? 1 : o.ld;
    g.sj = op == NONE ? o.ld : 1;
    g.conjugated = op == CONJ_TRANS;
    return g;
}

// A triangular factor; zero beside its triangle.
template <typename T>
struct Triangular {
    Triangle<T> t;
    BASALT_DEVICE T operator()(i64 i, i64 l) const {
        return i == l ? (t.unit ? one<T>() : t(i, i)) : (i > l) == t.lower ? t(i, l) : zero<T>();
    }
};

enum { WHOLE, LOWER_PART, UPPER_PART };

template <typename T>
struct Tiles {
    T a[DEPTH][SIDE + 1];
    T b[DEPTH][SIDE + 1];
};

// What a thread has of a tile of C: 4×4 elements, rows and columns 16 apart.
template <typename T>
struct Sums {
    T acc[4][4];

    BASALT_DEVICE void clear() {
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                acc[u][v] = zero<T>();
            }
        }
    }
    BASALT_DEVICE void scale(T by) {
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                acc[u][v] = by * acc[u][v];
            }
        }
    }

    // Adds the product of a tile's rows and columns from i0 and j0 on. 256 threads; `alongA`: consecutive threads load consecutive rows of
    // A, else consecutive columns; whichever is contiguous. The inner dimension goes from `from` to k.
    template <typename A, typename B>
    BASALT_DEVICE void add(
            i64 i0, i64 j0, i64 m, i64 n, i64 from, i64 k, const A& a, bool alongA, const B& b, bool alongB, Tiles<T>& tiles) {
        int ti = threadIdx.x % 16;
        int tj = threadIdx.x / 16;
        for (i64 l0 = from; l0 < k; l0 += DEPTH) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                int e = threadIdx.x + u * 256;
                int i = alongA ? e % SIDE : e / DEPTH;
                int l = alongA ? e / SIDE : e % DEPTH;
                tiles.a[l][i] = i0 + i < m && l0 + l < k ? a(i0 + i, l0 + l) : zero<T>();
                i = alongB ? e / DEPTH : e % SIDE;
                l = alongB ? e % DEPTH : e / SIDE;
                tiles.b[l][i] = j0 + i < n && l0 + l < k ? b(l0 + l, j0 + i) : zero<T>();
            }
            __syncthreads();
#pragma unroll 4
            for (int l = 0; l < DEPTH; l++) {
                T x[4], y[4];
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    x[u] = tiles.a[l][ti + u * 16];
                    y[u] = tiles.b[l][tj + u * 16];
                }
#pragma unroll
                for (int u = 0; u < 4; u++) {
#pragma unroll
                    for (int v = 0; v < 4; v++) {
                        fma(x[u], y[v], acc[u][v]);
                    }
                }
            }
            __syncthreads();
        }
    }

    // C, m×n, := alpha·sums + beta·C, where `empty` beta·C.
    BASALT_DEVICE void write(
            i64 i0, i64 j0, i64 m, i64 n, T alpha, T beta, bool empty, T* c, i64 ldc, int part, bool hermitian) const {
#pragma unroll
        for (int v = 0; v < 4; v++) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                i64 i = i0 + threadIdx.x % 16 + u * 16;
                i64 j = j0 + threadIdx.x / 16 + v * 16;
                if (i >= m || j >= n || (part != WHOLE && (part == LOWER_PART ? i < j : i > j))) {
                    continue;
                }
                T* x = c + i + j * ldc;
                if (hermitian && i == j && !isZero(beta)) {
                    *x = dropImaginary(*x);  // what an imaginary part there holds is not to be read
                }
                if (empty) {
                    *x = isZero(beta) ? zero<T>() : isOne(beta) ? *x : beta * *x;
                } else {
                    blend(alpha, acc[u][v], beta, x);
                }
                if (hermitian && i == j) {
                    *x = dropImaginary(*x);
                }
            }
        }
    }
};

template <typename T, typename A, typename B>
BASALT_DEVICE void product(
        const Args& args, i64 m, i64 n, i64 from, i64 k, const A& a, bool alongA, const B& b, bool alongB, T* c, i64 ldc, int part,
        bool hermitian, bool overwrites, Tiles<T>& tiles) {
    i64 i0 = (i64)blockIdx.x * SIDE;
    i64 j0 = (i64)blockIdx.y * SIDE;
    if (part != WHOLE && (part == LOWER_PART ? i0 + SIDE <= j0 : j0 + SIDE <= i0)) {
        return;
    }
    T alpha = value<T>(args.alpha);
    T beta = overwrites ? zero<T>() : value<T>(args.beta);
    if (hermitian) {
        alpha = dropImaginary(alpha);
        beta = dropImaginary(beta);
    }
    Sums<T> sums;
    sums.clear();
    bool empty = isZero(alpha) || k <= from;
    if (!empty) {
        sums.add(i0, j0, m, n, from, k, a, alongA, b, alongB, tiles);
    }
    sums.write(i0, j0, m, n, alpha, beta, empty, c, ldc, part, hermitian);
}

// A triangle of alpha·op(A)·op(B) + beta·C, with a real diagonal if args.flag; a block (x) for each tile of it. BOTH: op(A)·op(B)ᵀ, or ᴴ if
// args.flag, and the same with A and B in each other's place, then times conj(alpha).
template <typename T, bool BOTH>
BASALT_DEVICE void part(const Args& args) {
    __shared__ Tiles<T> tiles;
    bool lower = args.uplo == LOWER;
    bool hermitian = args.flag;
    int mirror = args.opA != NONE ? NONE : hermitian ? CONJ_TRANS : TRANS;
    int opB = BOTH ? mirror : args.opB;
    TileOfPart tile(blockIdx.x, lower);
    i64 i0 = tile.row * SIDE;
    i64 j0 = tile.column * SIDE;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    beta = hermitian ? dropImaginary(beta) : beta;
    bool empty = isZero(alpha) || args.k <= 0;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Sums<T> sums;
        sums.clear();
        if (!empty) {
            sums.add(i0, j0, args.n, args.n, 0, args.k, general<T>(args.a, problem, args.opA), args.opA == NONE,
                    general<T>(args.b, problem, opB), opB == NONE, tiles);
        }
        if (BOTH && !empty) {
            // What is left is times conj(alpha).
            if (hermitian) {
                sums.scale(divide(alpha, conj(alpha, true)));
            }
            sums.add(i0, j0, args.n, args.n, 0, args.k, general<T>(args.b, problem, args.opA), args.opA == NONE,
                    general<T>(args.a, problem, opB), opB == NONE, tiles);
        }
        sums.write(i0, j0, args.n, args.n, conj(alpha, BOTH && hermitian), beta, empty, at<T>(args.c, problem), args.c.ld,
                lower ? LOWER_PART : UPPER_PART, hermitian);
    }
}

template <typename T>
BASALT_DEVICE void gemm(const Args& args) {
    __shared__ Tiles<T> tiles;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        product<T>(args, args.m, args.n, 0,
                args.k,
                general<T>(args.a, problem, args.opA), args.opA == NONE,
                general<T>(args.b, problem, args.opB), args.opB == NONE, at<T>(args.c, problem), args.c.ld, WHOLE, false,
                false, tiles);
    }
}

template <typename T>
BASALT_DEVICE void symm(const Args& args) {
    __shared__ Tiles<T> tiles;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Symmetric<T> a;
        a.a = at<T>(args.a, problem);
        a.lda = args.a.ld;
        a.lower = args.uplo == LOWER;
        a.hermitian = args.flag;
        General<T> b = general<T>(args.b, problem, NONE);
        T* c = at<T>(args.c, problem);
        if (args.side == LEFT) {
            product<T>(args, args.m, args.n, 0, args.m, a, true, b, true, c, args.c.ld, WHOLE, false, false, tiles);
        } else {
            product<T>(args, args.m, args.n, 0, args.n, b, true, a, true, c, args.c.ld, WHOLE, false, false, tiles);
        }
    }
}

template <typename T>
BASALT_DEVICE void syrk(const Args& args) {
    __shared__ Tiles<T> tiles;
    int mirror = args.flag ? CONJ_TRANS : TRANS;
    int opA = args.opA == NONE ? NONE : mirror;
    int opB = args.opA == NONE ? mirror : NONE;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        i64 n = args.n;
        product<T>(args, n, n, 0, args.k, general<T>(args.a, problem, opA), opA == NONE,
                general<T>(args.a, problem, opB), opB == NONE, at<T>(args.c, problem), args.c.ld,
                args.uplo == LOWER ? LOWER_PART : UPPER_PART, args.flag, false, tiles);
    }
}

// c := alpha·op(a)·b or alpha·b·op(a) with a triangular a, where c is apart from b.
template <typename T>
BASALT_DEVICE void trmmApart(const Args& args) {
    __shared__ Tiles<T> tiles;
    bool left = args.side == LEFT;
    bool plain = args.opA == NONE;
    bool lower = (args.uplo == LOWER) == plain;
    // The triangle is cut off at the diagonal along the inner dimension, or begins there.
    bool inwards = lower == left;
    i64 order = left ? args.m : args.n;
    i64 corner = (i64)(left ? blockIdx.x : blockIdx.y) * SIDE;
    i64 from = inwards ? 0 : corner;
    i64 to = inwards ? least(order, corner + SIDE) : order;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || meets(args, problem)) {
            continue;
        }
        Triangular<T> a;
        a.t.a = at<T>(args.a, problem);
        a.t.si = plain ? 1 : args.a.ld;
        a.t.sj = plain ? args.a.ld : 1;
        a.t.lower = lower;
        a.t.conjugated = args.opA == CONJ_TRANS;
        a.t.unit = args.diag == UNIT;
        General<T> b = general<T>(args.b, problem, NONE);
        T* c = at<T>(args.c, problem);
        if (left) {
            product<T>(args, args.m, args.n, from, to, a, plain, b, true, c, args.c.ld, WHOLE, false, true, tiles);
        } else {
            product<T>(args, args.m, args.n, from, to, b, true, a, plain, c, args.c.ld, WHOLE, false, true, tiles);
        }
    }
}

}  // namespace basalt

#define PRODUCTS(t, T)                                                  \
    BASALT_KERNEL(basalt_gemm_##t) { basalt::gemm<T>(args); } \
    BASALT_KERNEL(basalt_symm_##t) { basalt::symm<T>(args); } \
    BASALT_KERNEL(basalt_syrk_##t) { basalt::syrk<T>(args); } \
    BASALT_KERNEL(basalt_trmm_apart_##t) { basalt::trmmApart<T>(args); }
BASALT_EACH_TYPE(PRODUCTS)

#define PARTS(t, T)                                                   \
    BASALT_KERNEL(basalt_part_##t) { basalt::part<T, false>(args); } \
    BASALT_KERNEL(basalt_both_##t) { basalt::part<T, true>(args); }
BASALT_EACH_TYPE(PARTS)
