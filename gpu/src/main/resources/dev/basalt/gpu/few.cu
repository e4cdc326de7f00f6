// Products of a short inner dimension: a thread has an element of C and goes along the inner dimension, several loads ahead. Nothing is exchanged
// between threads, and the code is a tenth of what larger engines have: a launch of 2 to 3 µs is mostly what it waits for one after the other.
#include "few.h"
#include "product.h"

namespace basalt {

template <typename T>
struct Few : BlockOfTile {
    static const int SIDE = row::few_gemm_sdcz::tile;
    static_assert(SIDE * SIDE == row::few_gemm_sdcz::threads, "a thread has an element");
    struct Memory {};
    static BASALT_DEVICE Memory& memory() {
        __shared__ Memory m;
        return m;
    }
    T sum;
    T before;

    static BASALT_DEVICE i64 rowOf(i64 i0) { return i0 + threadIdx.x % SIDE; }
    static BASALT_DEVICE i64 columnOf(i64 j0) { return j0 + threadIdx.x / SIDE; }

    BASALT_DEVICE void clear() { sum = zero<T>(); }
    BASALT_DEVICE void scale(T by) { sum = by * sum; }

    BASALT_DEVICE void expect(i64 i0, i64 j0, i64 m, i64 n, T beta, const T* c, i64 ldc, int part) {
        i64 i = rowOf(i0);
        i64 j = columnOf(j0);
        bool there = !isZero(beta) && i < m && j < n && partHas(part, i, j);
        before = there ? c[i + j * ldc] : zero<T>();
    }

    template <typename A, typename B>
    BASALT_DEVICE void add(i64 i0, i64 j0, i64 m, i64 n, i64 from, i64 k, const A& a, bool, const B& b, bool, Memory&) {
        i64 i = rowOf(i0);
        i64 j = columnOf(j0);
        if (i < m && j < n) {
            sum = sum + fewSum<T>(i, j, from, k, a, b);
        }
    }

    BASALT_DEVICE void write(i64 i0, i64 j0, i64 m, i64 n, T alpha, T beta, bool empty, T* c, i64 ldc, int part, bool hermitian, Memory&) {
        i64 i = rowOf(i0);
        i64 j = columnOf(j0);
        if (i < m && j < n && partHas(part, i, j)) {
            writeElement(sum, i, j, alpha, beta, empty, &before, hermitian);
            c[i + j * ldc] = before;
        }
    }
};

// c := alpha·op(a)·c or alpha·c·op(a) with a triangle a of an order of at most 16: a block has all of 16 columns or rows of c, a thread an
// element, and all have read before the first writes. With args.x only problems whose c is their b.
template <typename T>
BASALT_DEVICE void fewTrmm(const Args& args) {
    const int SIDE = Few<T>::SIDE;
    bool left = args.side == LEFT;
    i64 i = Few<T>::rowOf(left ? 0 : (i64)blockIdx.x * SIDE);
    i64 j = Few<T>::columnOf(left ? (i64)blockIdx.x * SIDE : 0);
    i64 own = left ? i : j;
    bool mine = i < args.m && j < args.n;
    T alpha = value<T>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || (args.x && !meets(args, problem))) {
            continue;
        }
        Triangular<T> a = triangular<T>(args, problem);
        General<T> b = general<T>(args.c, problem, NONE);
        // The triangle is cut off at the diagonal along the inner dimension, or begins there.
        bool inwards = a.t.lower == left;
        i64 from = inwards ? 0 : own;
        i64 order = left ? args.m : args.n;
        i64 to = inwards ? own + 1 : order;
        T sum = zero<T>();
        if (mine && !isZero(alpha)) {
            sum = alpha * (left ? fewSum<T>(i, j, from, to, order > 8, a, b) : fewSum<T>(i, j, from, to, order > 8, b, a));
        }
        __syncthreads();
        if (mine) {
            at<T>(args.c, problem)[i + j * args.c.ld] = sum;
        }
    }
}

// y := alpha·op(A)·x + beta·y with few elements a sum, a thread each.
template <typename T>
BASALT_DEVICE void fewGemv(const Args& args) {
    bool plain = args.opA == NONE;
    i64 rows = plain ? args.m : args.n;
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || i >= rows) {
            continue;
        }
        T* y = at<T>(args.c, problem) + i * args.c.ld;
        T before = isZero(beta) ? zero<T>() : *y;
        T sum = zero<T>();
        if (!isZero(alpha)) {
            General<T> x;
            x.a = at<T>(args.b, problem);
            x.si = args.b.ld;
            x.sj = 0;
            x.conjugated = false;
            sum = fewSum<T>(i, 0, 0, plain ? args.n : args.m, general<T>(args.a, problem, args.opA), x);
        }
        blend(alpha, sum, beta, &before);
        *y = before;
    }
}

}  // namespace basalt

#define FEW(t, T) \
    BASALT_KERNEL(basalt_few_gemm_##t) { basalt::gemm<basalt::Few<T>, T>(args); } \
    BASALT_KERNEL(basalt_few_symm_##t) { basalt::symm<basalt::Few<T>, T>(args); } \
    BASALT_KERNEL(basalt_few_syrk_##t) { basalt::syrk<basalt::Few<T>, T>(args); } \
    BASALT_KERNEL(basalt_few_part_##t) { basalt::part<basalt::Few<T>, T, false>(args); } \
    BASALT_KERNEL(basalt_few_both_##t) { basalt::part<basalt::Few<T>, T, true>(args); } \
    BASALT_KERNEL(basalt_few_trmm_apart_##t) { basalt::trmmApart<basalt::Few<T>, T>(args); } \
    BASALT_KERNEL(basalt_few_trmm_##t) { basalt::fewTrmm<T>(args); } \
    BASALT_KERNEL(basalt_few_gemv_##t) { basalt::fewGemv<T>(args); }
BASALT_EACH_TYPE(FEW)
