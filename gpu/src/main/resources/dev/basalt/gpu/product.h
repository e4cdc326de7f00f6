// Products whose factors differ in how their elements are found, by an engine E for the tiles of the result: their order SIDE, which of them
// is the block's (row and column, or its number), the shared memory, and clear, scale, add and write.
#ifndef BASALT_PRODUCT_H
#define BASALT_PRODUCT_H
#include "basalt.h"

namespace basalt {

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
    // One load whichever triangle has it, so that loads of several elements need not wait for each other.
    BASALT_DEVICE T operator()(i64 i, i64 l) const {
        bool stored = i == l || lower == (i > l);
        T x = a[stored ? i + l * lda : l + i * lda];
        return hermitian && i == l ? dropImaginary(x) : conj(x, hermitian && !stored);
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

// A triangular factor; zero beside its triangle, whose elements are loaded and forgotten.
template <typename T>
struct Triangular {
    Triangle<T> t;
    BASALT_DEVICE T operator()(i64 i, i64 l) const {
        T x = t(i, l);
        x = i == l && t.unit ? one<T>() : x;
        return i == l || (i > l) == t.lower ? x : zero<T>();
    }
};

// op(A), and not as triangle() has it for a solve from the right.
template <typename T>
BASALT_DEVICE Triangular<T> triangular(const Args& args, i64 problem) {
    bool plain = args.opA == NONE;
    Triangular<T> a;
    a.t.a = at<T>(args.a, problem);
    a.t.si = plain ? 1 : args.a.ld;
    a.t.sj = plain ? args.a.ld : 1;
    a.t.lower = (args.uplo == LOWER) == plain;
    a.t.conjugated = args.opA == CONJ_TRANS;
    a.t.unit = args.diag == UNIT;
    return a;
}

enum { WHOLE, LOWER_PART, UPPER_PART };

// Element (i, j) of C := alpha·sum + beta·C, where `empty` beta·C.
template <typename T>
BASALT_DEVICE void writeElement(T sum, i64 i, i64 j, T alpha, T beta, bool empty, T* x, bool hermitian) {
    if (hermitian && i == j && !isZero(beta)) {
        *x = dropImaginary(*x);  // what an imaginary part there holds is not to be read
    }
    if (empty) {
        *x = isZero(beta) ? zero<T>() : isOne(beta) ? *x : beta * *x;
    } else {
        blend(alpha, sum, beta, x);
    }
    if (hermitian && i == j) {
        *x = dropImaginary(*x);
    }
}

// A block is a tile, in x and y those of C; of a triangle in x alone.
struct BlockOfTile {
    static BASALT_DEVICE i64 row(i64) { return blockIdx.x; }
    static BASALT_DEVICE i64 column(i64) { return blockIdx.y; }
    static BASALT_DEVICE unsigned number() { return blockIdx.x; }
    // Whoever can brings the tile of C before the factors.
    template <typename T>
    BASALT_DEVICE void expect(i64, i64, i64, i64, T, const T*, i64, int) {}
};

// Whether a part of C has the element (i, j).
BASALT_DEVICE bool partHas(int part, i64 i, i64 j) { return part == WHOLE || (part == LOWER_PART ? i >= j : i <= j); }

template <typename E, typename T, typename A, typename B>
BASALT_DEVICE void product(
        const Args& args, i64 m, i64 n, i64 from, i64 k, const A& a, bool alongA, const B& b, bool alongB, T* c, i64 ldc, int part,
        bool hermitian, bool overwrites, typename E::Memory& memory) {
    i64 i0 = E::row(m) * E::SIDE;
    i64 j0 = E::column(m) * E::SIDE;
    if (part != WHOLE && (part == LOWER_PART ? i0 + E::SIDE <= j0 : j0 + E::SIDE <= i0)) {
        return;
    }
    T alpha = value<T>(args.alpha);
    T beta = overwrites ? zero<T>() : value<T>(args.beta);
    if (hermitian) {
        alpha = dropImaginary(alpha);
        beta = dropImaginary(beta);
    }
    E sums;
    sums.clear();
    bool empty = isZero(alpha) || k <= from;
    sums.expect(i0, j0, m, n, beta, c, ldc, part);
    if (!empty) {
        sums.add(i0, j0, m, n, from, k, a, alongA, b, alongB, memory);
    }
    sums.write(i0, j0, m, n, alpha, beta, empty, c, ldc, part, hermitian, memory);
}

// A triangle of alpha·op(A)·op(B) + beta·C, with a real diagonal if args.flag; a block (x) for each tile of it. BOTH: op(A)·op(B)ᵀ, or ᴴ if
// args.flag, and the same with A and B in each other's place, then times conj(alpha).
template <typename E, typename T, bool BOTH>
BASALT_DEVICE void part(const Args& args) {
    typename E::Memory& memory = E::memory();
    bool lower = args.uplo == LOWER;
    bool hermitian = args.flag;
    int mirror = args.opA != NONE ? NONE : hermitian ? CONJ_TRANS : TRANS;
    int opB = BOTH ? mirror : args.opB;
    TileOfPart tile(E::number(), lower);
    i64 i0 = tile.row * E::SIDE;
    i64 j0 = tile.column * E::SIDE;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    beta = hermitian ? dropImaginary(beta) : beta;
    bool empty = isZero(alpha) || args.k <= 0;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        E sums;
        sums.clear();
        sums.expect(i0, j0, args.n, args.n, beta, at<T>(args.c, problem), args.c.ld, lower ? LOWER_PART : UPPER_PART);
        if (!empty) {
            sums.add(i0, j0, args.n, args.n, 0, args.k, general<T>(args.a, problem, args.opA), args.opA == NONE,
                    general<T>(args.b, problem, opB), opB == NONE, memory);
        }
        if (BOTH && !empty) {
            // What is left is times conj(alpha).
            if (hermitian) {
                sums.scale(divide(alpha, conj(alpha, true)));
            }
            sums.add(i0, j0, args.n, args.n, 0, args.k, general<T>(args.b, problem, args.opA), args.opA == NONE,
                    general<T>(args.a, problem, opB), opB == NONE, memory);
        }
        sums.write(i0, j0, args.n, args.n, conj(alpha, BOTH && hermitian), beta, empty, at<T>(args.c, problem), args.c.ld,
                lower ? LOWER_PART : UPPER_PART, hermitian, memory);
    }
}

template <typename E, typename T>
BASALT_DEVICE void gemm(const Args& args) {
    typename E::Memory& memory = E::memory();
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        product<E, T>(args, args.m, args.n, 0,
                args.k,
                general<T>(args.a, problem, args.opA), args.opA == NONE,
                general<T>(args.b, problem, args.opB), args.opB == NONE, at<T>(args.c, problem), args.c.ld, WHOLE, false,
                false, memory);
    }
}

template <typename E, typename T>
BASALT_DEVICE void symm(const Args& args) {
    typename E::Memory& memory = E::memory();
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
            product<E, T>(args, args.m, args.n, 0, args.m, a, true, b, true, c, args.c.ld, WHOLE, false, false, memory);
        } else {
            product<E, T>(args, args.m, args.n, 0, args.n, b, true, a, true, c, args.c.ld, WHOLE, false, false, memory);
        }
    }
}

template <typename E, typename T>
BASALT_DEVICE void syrk(const Args& args) {
    typename E::Memory& memory = E::memory();
    int mirror = args.flag ? CONJ_TRANS : TRANS;
    int opA = args.opA == NONE ? NONE : mirror;
    int opB = args.opA == NONE ? mirror : NONE;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        i64 n = args.n;
        product<E, T>(args, n, n, 0, args.k, general<T>(args.a, problem, opA), opA == NONE,
                general<T>(args.a, problem, opB), opB == NONE, at<T>(args.c, problem), args.c.ld,
                args.uplo == LOWER ? LOWER_PART : UPPER_PART, args.flag, false, memory);
    }
}

// c := alpha·op(a)·b or alpha·b·op(a) with a triangular a, where c is apart from b.
template <typename E, typename T>
BASALT_DEVICE void trmmApart(const Args& args) {
    typename E::Memory& memory = E::memory();
    bool left = args.side == LEFT;
    bool plain = args.opA == NONE;
    bool lower = (args.uplo == LOWER) == plain;
    // The triangle is cut off at the diagonal along the inner dimension, or begins there.
    bool inwards = lower == left;
    i64 order = left ? args.m : args.n;
    i64 corner = (left ? E::row(args.m) : E::column(args.m)) * E::SIDE;
    i64 from = inwards ? 0 : corner;
    i64 to = inwards ? least(order, corner + E::SIDE) : order;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || meets(args, problem)) {
            continue;
        }
        Triangular<T> a = triangular<T>(args, problem);
        General<T> b = general<T>(args.b, problem, NONE);
        T* c = at<T>(args.c, problem);
        if (left) {
            product<E, T>(args, args.m, args.n, from, to, a, plain, b, true, c, args.c.ld, WHOLE, false, true, memory);
        } else {
            product<E, T>(args, args.m, args.n, from, to, b, true, a, plain, c, args.c.ld, WHOLE, false, true, memory);
        }
    }
}

}  // namespace basalt

#endif
