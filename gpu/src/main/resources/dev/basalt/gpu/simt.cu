// C := alpha·op(A)·op(B) + beta·C in float, real and complex: tiles of 128×128 real or 64×64 complex elements, of which a thread keeps 8×8 or
// 4×4 in registers, two stages of shared memory, and the next stage on its way in registers while this one is multiplied.
#include "basalt.h"
BASALT_CAPPED_TOO

namespace basalt {

// Elements of 16 bytes.
template <typename T>
struct alignas(16) Piece {
    static const int COUNT = 16 / sizeof(T);
    T v[COUNT];
};

// The sides of things, in elements: a tile is four by four pieces of 8 by 8 threads' worth, for warps of 2 by 4.
template <typename T>
struct Simt {
    static const int PIECE = Piece<T>::COUNT;
    static const int OWN = 2 * PIECE;     // rows and columns of a thread
    static const int SIDE = 32 * PIECE;   // of a tile
    static const int DEPTH = row::simt_nn_s::depth;
    static const int LD = SIDE + PIECE;   // keeps 16-byte alignment, and the scattered stores meet no bank twice
    static const int DOWN = 8 * PIECE;    // from a thread's first rows to its others
    static const int ACROSS = 4 * PIECE;  // and of its columns
};
static_assert(Simt<float>::SIDE == row::simt_nn_s::tile && Simt<Complex<float>>::SIDE == row::simt_nn_c::tile, "as the rules of Java have it");

template <typename T>
struct alignas(16) SimtStage {
    T a[Simt<T>::DEPTH][Simt<T>::LD];
    T b[Simt<T>::DEPTH][Simt<T>::LD];
};

// What a thread brings of a factor for each stage: a piece, along the outer dimension (OUTER) or the inner one,
// whichever is contiguous.
template <typename T, bool OUTER>
struct SimtFeed {
    static const int PIECE = Simt<T>::PIECE;
    static const int DEEP = Simt<T>::DEPTH / PIECE;
    const T* from;
    i64 step;
    i64 outerLeft;
    int outer, inner;
    bool whole, conjugated;

    BASALT_DEVICE SimtFeed(const T* a, i64 ld, i64 o0, i64 outerEnd, bool conjugate) {
        int t = threadIdx.x;
        outer = OUTER ? t % 32 * PIECE : t / DEEP;
        inner = OUTER ? t / 32 : t % DEEP * PIECE;
        from = OUTER ? a + o0 + outer + inner * ld : a + inner + (o0 + outer) * ld;
        step = OUTER ? Simt<T>::DEPTH * ld : Simt<T>::DEPTH;
        outerLeft = outerEnd - o0 - outer;
        whole = ((u64)a & 15) == 0 && ld % PIECE == 0 && outerLeft >= (OUTER ? PIECE : 1);
        conjugated = conjugate;
    }

    // Of the stage that has `left` more of the inner dimension. What is outside is zero.
    BASALT_DEVICE Piece<T> fetch(i64 left) {
        Piece<T> q;
        if (whole && left >= Simt<T>::DEPTH) {
            q = *(const Piece<T>*)from;
        } else {
            i64 there = OUTER ? (inner < left ? outerLeft : 0) : (outerLeft > 0 ? left - inner : 0);
#pragma unroll
            for (int u = 0; u < PIECE; u++) {
                q.v[u] = there > u ? from[u] : zero<T>();
            }
        }
        from += step;
        return q;
    }

    // What of the stage that begins at the inner index l0 lies outside a triangle becomes zero. o0 is the tile's first row or column.
    BASALT_DEVICE void mask(Piece<T>& q, i64 o0, i64 l0, bool inwards, bool unit) const {
#pragma unroll
        for (int u = 0; u < PIECE; u++) {
            i64 beyond = l0 + inner + (OUTER ? 0 : u) - (o0 + outer + (OUTER ? u : 0));
            q.v[u] = beyond == 0 ? (unit ? one<T>() : q.v[u]) : (beyond < 0) == inwards ? q.v[u] : zero<T>();
        }
    }

    BASALT_DEVICE void store(T (&tile)[Simt<T>::DEPTH][Simt<T>::LD], const Piece<T>& q) const {
        Piece<T> x;
#pragma unroll
        for (int u = 0; u < PIECE; u++) {
            x.v[u] = conj(q.v[u], conjugated);
        }
        if (OUTER) {
            *(Piece<T>*)&tile[inner][outer] = x;
        } else {
#pragma unroll
            for (int u = 0; u < PIECE; u++) {
                tile[inner + u][outer] = x.v[u];
            }
        }
    }
};

template <typename T>
BASALT_DEVICE void spread(T (&x)[Simt<T>::OWN], const T* row, int apart) {
    Piece<T> low = *(const Piece<T>*)row;
    Piece<T> high = *(const Piece<T>*)(row + apart);
#pragma unroll
    for (int u = 0; u < Simt<T>::PIECE; u++) {
        x[u] = low.v[u];
        x[u + Simt<T>::PIECE] = high.v[u];
    }
}

// The element that was y; `diagonal`: of a Hermitian matrix, whose imaginary part is not read and becomes zero.
template <typename T>
BASALT_DEVICE T simtBlend(T alpha, T acc, T beta, T y, bool empty, bool diagonal) {
    y = diagonal ? dropImaginary(y) : y;
    T old = isZero(beta) ? zero<T>() : isOne(beta) ? y : beta * y;
    T now = empty ? old : alpha * acc + old;
    return diagonal ? dropImaginary(now) : now;
}

// Two matrices; a triangle of C alone, of their product, of both products (A·Bᵀ and B·Aᵀ) or of A·Aᵀ, blocks (x) being its tiles; or a
// triangular matrix (args.a) on one side of the other (args.b), beta then being 0.
enum { SIMT_WHOLE, SIMT_PART, SIMT_BOTH, SIMT_SELF, SIMT_LEFT, SIMT_RIGHT };

// A_ROWS: consecutive rows of op(A) are contiguous; B_COLUMNS: consecutive columns of op(B) are.
template <typename T, bool A_ROWS, bool B_COLUMNS, int FORM>
BASALT_DEVICE void simtTile(const Args& args, i64 problem, SimtStage<T>* stages) {
    const int OWN = Simt<T>::OWN, PIECE = Simt<T>::PIECE, SIDE = Simt<T>::SIDE, DEPTH = Simt<T>::DEPTH;
    // The triangle's rows or columns with most elements first; it is cut off at the diagonal along the inner dimension, or begins there.
    bool lower = (args.uplo == LOWER) == (args.opA == NONE);
    bool inwards = lower == (FORM == SIMT_LEFT);
    int heavy = inwards ? gridDim.y - 1 - blockIdx.y : blockIdx.y;
    i64 i0 = (i64)(FORM == SIMT_LEFT ? heavy : blockIdx.x) * SIDE;
    i64 j0 = (i64)(FORM == SIMT_LEFT ? blockIdx.x : FORM == SIMT_RIGHT ? heavy : blockIdx.y) * SIDE;
    const bool TRIANGULAR = FORM == SIMT_LEFT || FORM == SIMT_RIGHT;
    const bool PARTIAL = FORM == SIMT_PART || FORM == SIMT_BOTH || FORM == SIMT_SELF;
    bool below = args.uplo == LOWER;
    bool hermitian = PARTIAL && args.flag;
    if (PARTIAL) {
        TileOfPart tile(blockIdx.x, below);
        i0 = tile.row * SIDE;
        j0 = tile.column * SIDE;
    }
    i64 rows = PARTIAL ? args.n : args.m;
    i64 corner = FORM == SIMT_LEFT ? i0 : j0;
    i64 order = FORM == SIMT_LEFT ? args.m : FORM == SIMT_RIGHT ? args.n : args.k;
    i64 from = !TRIANGULAR || inwards ? 0 : corner;
    i64 to = TRIANGULAR && inwards ? least(order, corner + SIDE) : order;
    T beta = !TRIANGULAR ? value<T>(args.beta) : zero<T>();
    beta = hermitian ? dropImaginary(beta) : beta;
    T alpha = to > from ? value<T>(args.alpha) : zero<T>();
    alpha = FORM == SIMT_SELF && hermitian ? dropImaginary(alpha) : alpha;
    i64 k = isZero(alpha) ? 0 : to - from;
    const Operand& factorA = FORM == SIMT_RIGHT ? args.b : args.a;
    const Operand& factorB = FORM == SIMT_RIGHT || FORM == SIMT_SELF ? args.a : args.b;
    bool conjugatedA = FORM != SIMT_RIGHT && (FORM == SIMT_BOTH || FORM == SIMT_SELF ? hermitian && args.opA != NONE : args.opA == CONJ_TRANS);
    bool conjugatedB = FORM == SIMT_RIGHT ? args.opA == CONJ_TRANS
            : FORM == SIMT_BOTH || FORM == SIMT_SELF ? hermitian && args.opA == NONE : FORM != SIMT_LEFT && args.opB == CONJ_TRANS;
    bool unit = args.diag == UNIT;
    SimtFeed<T, A_ROWS> feedA(at<T>(factorA, problem) + from * (A_ROWS ? factorA.ld : 1), factorA.ld, i0, rows, conjugatedA);
    SimtFeed<T, B_COLUMNS> feedB(at<T>(factorB, problem) + from * (B_COLUMNS ? factorB.ld : 1), factorB.ld, j0, args.n, conjugatedB);
    // Eight by four lanes of a warp, whose pieces lie side by side; a thread has one and the one as far from it as all of them are long.
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int ri = warp % 2 * (2 * Simt<T>::DOWN) + lane % 8 * PIECE;
    int rj = warp / 2 * (2 * Simt<T>::ACROSS) + lane / 8 * PIECE;
    T acc[OWN][OWN];
#pragma unroll
    for (int u = 0; u < OWN; u++) {
#pragma unroll
        for (int v = 0; v < OWN; v++) {
            acc[u][v] = zero<T>();
        }
    }
    if (k > 0) {
        Piece<T> firstA = feedA.fetch(k), firstB = feedB.fetch(k);
        if (FORM == SIMT_LEFT) {
            feedA.mask(firstA, i0, from, inwards, unit);
        } else if (FORM == SIMT_RIGHT) {
            feedB.mask(firstB, j0, from, inwards, unit);
        }
        feedA.store(stages[0].a, firstA);
        feedB.store(stages[0].b, firstB);
    }
    __syncthreads();
    int now = 0;
    bool exchanged = FORM != SIMT_BOTH;
    i64 ahead;
#pragma unroll 1
    for (i64 left = k; left > 0; left = ahead) {
        ahead = left - DEPTH;
        bool turns = FORM == SIMT_BOTH && ahead <= 0 && !exchanged;
        if (turns) {
            // The factors in each other's place.
            exchanged = true;
            ahead = k;
            feedA = SimtFeed<T, A_ROWS>(at<T>(factorB, problem), factorB.ld, i0, rows, conjugatedA);
            feedB = SimtFeed<T, B_COLUMNS>(at<T>(factorA, problem), factorA.ld, j0, args.n, conjugatedB);
        }
        bool more = ahead > 0;
        Piece<T> nextA, nextB;
        if (more) {
            nextA = feedA.fetch(ahead);
            nextB = feedB.fetch(ahead);
            i64 l0 = to - left + DEPTH;
            if (FORM == SIMT_LEFT) {
                feedA.mask(nextA, i0, l0, inwards, unit);
            } else if (FORM == SIMT_RIGHT) {
                feedB.mask(nextB, j0, l0, inwards, unit);
            }
        }
        const SimtStage<T>& stage = stages[now];
#pragma unroll
        for (int l = 0; l < DEPTH; l++) {
            T x[OWN], y[OWN];
            spread(x, &stage.a[l][ri], Simt<T>::DOWN);
            spread(y, &stage.b[l][rj], Simt<T>::ACROSS);
#pragma unroll
            for (int u = 0; u < OWN; u++) {
#pragma unroll
                for (int v = 0; v < OWN; v++) {
                    fma(x[u], y[v], acc[u][v]);
                }
            }
        }
        if (Of<T>::parts == 2 && turns && hermitian) {
            // What is left is times conj(alpha).
            T by = divide(alpha, conj(alpha, true));
#pragma unroll
            for (int u = 0; u < OWN; u++) {
#pragma unroll
                for (int v = 0; v < OWN; v++) {
                    acc[u][v] = by * acc[u][v];
                }
            }
        }
        now ^= 1;
        if (more) {
            feedA.store(stages[now].a, nextA);
            feedB.store(stages[now].b, nextB);
        }
        __syncthreads();
    }
    alpha = FORM == SIMT_BOTH ? conj(alpha, hermitian) : alpha;
    bool empty = k <= 0;
    T* c = at<T>(args.c, problem);
    i64 ldc = args.c.ld;
    bool pieces = ((u64)c & 15) == 0 && ldc % PIECE == 0;
#pragma unroll
    for (int v = 0; v < OWN; v++) {
        i64 j = j0 + rj + v % PIECE + v / PIECE * Simt<T>::ACROSS;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            i64 i = i0 + ri + h * Simt<T>::DOWN;
            if (j >= args.n || i >= rows || (PARTIAL && (below ? i + PIECE - 1 < j : i > j))) {
                continue;
            }
            bool inside = !PARTIAL || (below ? i >= j : i + PIECE - 1 <= j);
            T* to = c + i + j * ldc;
            if (pieces && inside && i + PIECE <= rows) {
                Piece<T> q;
#pragma unroll
                for (int u = 0; u < PIECE; u++) {
                    q.v[u] = zero<T>();
                }
                if (!isZero(beta)) {
                    q = *(const Piece<T>*)to;
                }
#pragma unroll
                for (int u = 0; u < PIECE; u++) {
                    q.v[u] = simtBlend(alpha, acc[PIECE * h + u][v], beta, q.v[u], empty, hermitian && i + u == j);
                }
                *(Piece<T>*)to = q;
            } else {
#pragma unroll
                for (int u = 0; u < PIECE; u++) {
                    if (i + u < rows && (!PARTIAL || (below ? i + u >= j : i + u <= j))) {
                        T y = isZero(beta) ? zero<T>() : to[u];
                        to[u] = simtBlend(alpha, acc[PIECE * h + u][v], beta, y, empty, hermitian && i + u == j);
                    }
                }
            }
        }
    }
}

template <typename T, bool A_ROWS, bool B_COLUMNS, int FORM>
BASALT_DEVICE void simtGemm(const Args& args) {
    __shared__ SimtStage<T> stages[2];
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem) && ((FORM != SIMT_LEFT && FORM != SIMT_RIGHT) || !meets(args, problem))) {
            simtTile<T, A_ROWS, B_COLUMNS, FORM>(args, problem, stages);
        }
    }
}

}  // namespace basalt

#define SIMT_KERNELS(t, T) \
    BASALT_KERNEL(basalt_simt_nn_##t) { basalt::simtGemm<T, true, false, basalt::SIMT_WHOLE>(args); } \
    BASALT_KERNEL(basalt_simt_nt_##t) { basalt::simtGemm<T, true, true, basalt::SIMT_WHOLE>(args); } \
    BASALT_KERNEL(basalt_simt_tn_##t) { basalt::simtGemm<T, false, false, basalt::SIMT_WHOLE>(args); } \
    BASALT_KERNEL(basalt_simt_tt_##t) { basalt::simtGemm<T, false, true, basalt::SIMT_WHOLE>(args); } \
    BASALT_KERNEL(basalt_simt_part_nn_##t) { basalt::simtGemm<T, true, false, basalt::SIMT_PART>(args); } \
    BASALT_KERNEL(basalt_simt_part_nt_##t) { basalt::simtGemm<T, true, true, basalt::SIMT_PART>(args); } \
    BASALT_KERNEL(basalt_simt_part_tn_##t) { basalt::simtGemm<T, false, false, basalt::SIMT_PART>(args); } \
    BASALT_KERNEL(basalt_simt_part_tt_##t) { basalt::simtGemm<T, false, true, basalt::SIMT_PART>(args); } \
    BASALT_KERNEL(basalt_simt_both_n_##t) { basalt::simtGemm<T, true, true, basalt::SIMT_BOTH>(args); } \
    BASALT_KERNEL(basalt_simt_both_t_##t) { basalt::simtGemm<T, false, false, basalt::SIMT_BOTH>(args); } \
    BASALT_KERNEL(basalt_simt_syrk_n_##t) { basalt::simtGemm<T, true, true, basalt::SIMT_SELF>(args); } \
    BASALT_KERNEL(basalt_simt_syrk_t_##t) { basalt::simtGemm<T, false, false, basalt::SIMT_SELF>(args); } \
    BASALT_KERNEL(basalt_simt_trmm_ln_##t) { basalt::simtGemm<T, true, false, basalt::SIMT_LEFT>(args); } \
    BASALT_KERNEL(basalt_simt_trmm_lt_##t) { basalt::simtGemm<T, false, false, basalt::SIMT_LEFT>(args); } \
    BASALT_KERNEL(basalt_simt_trmm_rn_##t) { basalt::simtGemm<T, true, false, basalt::SIMT_RIGHT>(args); } \
    BASALT_KERNEL(basalt_simt_trmm_rt_##t) { basalt::simtGemm<T, true, true, basalt::SIMT_RIGHT>(args); }
BASALT_S(SIMT_KERNELS) BASALT_C(SIMT_KERNELS)
