// C := alpha·op(A)·op(B) + beta·C in float, real and complex: tiles of 128×128 real or 64×64 complex elements, or of half as many rows and
// columns, of which a thread keeps 8×8 or 4×4 in registers, two stages of shared memory, and the next stage on its way in registers while
// this one is multiplied.
#include "basalt.h"
BASALT_CAPPED_TOO

namespace basalt {

// Elements of 16 bytes.
template <typename T>
struct alignas(16) Piece {
    static const int COUNT = 16 / sizeof(T);
    T v[COUNT];
};

// The sides of things, in elements: WARPS, of 16 by 8 pieces each, are two by four, or one by two.
template <typename T, int WARPS>
struct Simt {
    static_assert(WARPS == 8 || WARPS == 2, "square tiles");
    static const int THREADS = 32 * WARPS;
    static const int HIGH = WARPS == 8 ? 2 : 1;       // warps from top to bottom
    static const int PIECE = Piece<T>::COUNT;
    static const int OWN = 2 * PIECE;                 // rows and columns of a thread
    static const int SIDE = HIGH * 16 * PIECE;        // of a tile
    static const int DEPTH = row::simt_nn_s::depth;
    static const int LD = SIDE + PIECE;               // keeps 16-byte alignment, and the scattered stores meet no bank twice
    static const int DOWN = 8 * PIECE;                // from a thread's first rows to its others
    static const int ACROSS = 4 * PIECE;              // and of its columns
    static const int FETCHES = SIDE * DEPTH / PIECE / THREADS;  // pieces that a thread brings of a factor
};
static_assert(Simt<float, 8>::SIDE == row::simt_nn_s::tile && Simt<Complex<float>, 8>::SIDE == row::simt_nn_c::tile, "as the rules of Java have it");
static_assert(Simt<float, 2>::SIDE == row::simt_half_nn_s::tile && Simt<Complex<float>, 2>::SIDE == row::simt_half_nn_c::tile, "as the rules of Java have it");

template <typename T, int WARPS>
struct alignas(16) SimtStage {
    typedef Simt<T, WARPS> S;
    T a[S::DEPTH][S::LD];
    T b[S::DEPTH][S::LD];
};

// What a thread brings of a factor for each stage: pieces along the outer dimension (OUTER) or the inner one, whichever is contiguous.
template <typename T, int WARPS, bool OUTER>
struct SimtFeed {
    typedef Simt<T, WARPS> S;
    static const int PIECE = S::PIECE;
    static const int DEEP = S::DEPTH / PIECE;
    static const int BESIDE = S::SIDE / PIECE;                               // pieces of a row of a stage
    static const int APART = OUTER ? S::THREADS / BESIDE : S::THREADS / DEEP;  // from a thread's piece to its next, across the storage
    struct Pieces {
        Piece<T> v[S::FETCHES];
    };
    const T* from;
    i64 step;
    i64 apart;
    i64 outerLeft;
    int outer, inner;
    bool aligned, conjugated;

    BASALT_DEVICE SimtFeed(const T* a, i64 ld, i64 o0, i64 outerEnd, bool conjugate) {
        int t = threadIdx.x;
        outer = OUTER ? t % BESIDE * PIECE : t / DEEP;
        inner = OUTER ? t / BESIDE : t % DEEP * PIECE;
        from = OUTER ? a + o0 + outer + inner * ld : a + inner + (o0 + outer) * ld;
        step = OUTER ? S::DEPTH * ld : S::DEPTH;
        apart = APART * ld;
        outerLeft = outerEnd - o0 - outer;
        aligned = ((u64)a & 15) == 0 && ld % PIECE == 0;
        conjugated = conjugate;
    }

    BASALT_DEVICE int innerOf(int p) const { return inner + (OUTER ? p * APART : 0); }
    BASALT_DEVICE int outerOf(int p) const { return outer + (OUTER ? 0 : p * APART); }

    // Of the stage that has `left` more of the inner dimension. What is outside is zero.
    BASALT_DEVICE Pieces fetch(i64 left) {
        Pieces q;
        const T* f = from;
#pragma unroll
        for (int p = 0; p < S::FETCHES; p++) {
            i64 outside = outerLeft - (OUTER ? 0 : p * APART);
            if (aligned && left >= S::DEPTH && outside >= (OUTER ? PIECE : 1)) {
                q.v[p] = *(const Piece<T>*)f;
            } else {
                i64 there = OUTER ? (innerOf(p) < left ? outside : 0) : (outside > 0 ? left - inner : 0);
#pragma unroll
                for (int u = 0; u < PIECE; u++) {
                    q.v[p].v[u] = there > u ? f[u] : zero<T>();
                }
            }
            f += apart;
        }
        from += step;
        return q;
    }

    // What of the stage that begins at the inner index l0 lies outside a triangle becomes zero. o0 is the tile's first row or column.
    BASALT_DEVICE void mask(Pieces& q, i64 o0, i64 l0, bool inwards, bool unit) const {
#pragma unroll
        for (int e = 0; e < S::FETCHES * PIECE; e++) {
            int u = e % PIECE;
            T& x = q.v[e / PIECE].v[u];
            i64 beyond = l0 + innerOf(e / PIECE) + (OUTER ? 0 : u) - (o0 + outerOf(e / PIECE) + (OUTER ? u : 0));
            x = beyond == 0 ? (unit ? one<T>() : x) : (beyond < 0) == inwards ? x : zero<T>();
        }
    }

    BASALT_DEVICE void store(T (&tile)[S::DEPTH][S::LD], const Pieces& q) const {
#pragma unroll
        for (int p = 0; p < S::FETCHES; p++) {
            Piece<T> x;
#pragma unroll
            for (int u = 0; u < PIECE; u++) {
                x.v[u] = conj(q.v[p].v[u], conjugated);
            }
            if (OUTER) {
                *(Piece<T>*)&tile[innerOf(p)][outer] = x;
            } else {
#pragma unroll
                for (int u = 0; u < PIECE; u++) {
                    tile[inner + u][outerOf(p)] = x.v[u];
                }
            }
        }
    }
};

template <typename T>
BASALT_DEVICE void spread(T (&x)[2 * Piece<T>::COUNT], const T* row, int apart) {
    Piece<T> low = *(const Piece<T>*)row;
    Piece<T> high = *(const Piece<T>*)(row + apart);
#pragma unroll
    for (int u = 0; u < Piece<T>::COUNT; u++) {
        x[u] = low.v[u];
        x[u + Piece<T>::COUNT] = high.v[u];
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
template <typename T, int WARPS, bool A_ROWS, bool B_COLUMNS, int FORM>
BASALT_DEVICE void simtTile(const Args& args, i64 problem, SimtStage<T, WARPS>* stages) {
    typedef Simt<T, WARPS> S;
    typedef SimtFeed<T, WARPS, A_ROWS> FeedA;
    typedef SimtFeed<T, WARPS, B_COLUMNS> FeedB;
    const int OWN = S::OWN, PIECE = S::PIECE, SIDE = S::SIDE, DEPTH = S::DEPTH;
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
    FeedA feedA(at<T>(factorA, problem) + from * (A_ROWS ? factorA.ld : 1), factorA.ld, i0, rows, conjugatedA);
    FeedB feedB(at<T>(factorB, problem) + from * (B_COLUMNS ? factorB.ld : 1), factorB.ld, j0, args.n, conjugatedB);
    // Eight by four lanes of a warp, whose pieces lie side by side; a thread has one and the one as far from it as all of them are long.
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int ri = warp % S::HIGH * (2 * S::DOWN) + lane % 8 * PIECE;
    int rj = warp / S::HIGH * (2 * S::ACROSS) + lane / 8 * PIECE;
    T acc[OWN][OWN];
#pragma unroll
    for (int u = 0; u < OWN; u++) {
#pragma unroll
        for (int v = 0; v < OWN; v++) {
            acc[u][v] = zero<T>();
        }
    }
    if (k > 0) {
        typename FeedA::Pieces firstA = feedA.fetch(k);
        typename FeedB::Pieces firstB = feedB.fetch(k);
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
            feedA = FeedA(at<T>(factorB, problem), factorB.ld, i0, rows, conjugatedA);
            feedB = FeedB(at<T>(factorA, problem), factorA.ld, j0, args.n, conjugatedB);
        }
        bool more = ahead > 0;
        typename FeedA::Pieces nextA;
        typename FeedB::Pieces nextB;
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
        const SimtStage<T, WARPS>& stage = stages[now];
#pragma unroll
        for (int l = 0; l < DEPTH; l++) {
            T x[OWN], y[OWN];
            spread(x, &stage.a[l][ri], S::DOWN);
            spread(y, &stage.b[l][rj], S::ACROSS);
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
        i64 j = j0 + rj + v % PIECE + v / PIECE * S::ACROSS;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            i64 i = i0 + ri + h * S::DOWN;
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

template <typename T, bool A_ROWS, bool B_COLUMNS, int FORM, int WARPS = 8>
BASALT_DEVICE void simtGemm(const Args& args) {
    __shared__ SimtStage<T, WARPS> stages[2];
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem) && ((FORM != SIMT_LEFT && FORM != SIMT_RIGHT) || !meets(args, problem))) {
            simtTile<T, WARPS, A_ROWS, B_COLUMNS, FORM>(args, problem, stages);
        }
    }
}

}  // namespace basalt

#define SIMT_KERNELS(t, T) \
    BASALT_KERNEL(basalt_simt_nn_##t) { basalt::simtGemm<T, true, false, basalt::SIMT_WHOLE>(args); } \
    BASALT_KERNEL(basalt_simt_nt_##t) { basalt::simtGemm<T, true, true, basalt::SIMT_WHOLE>(args); } \
    BASALT_KERNEL(basalt_simt_tn_##t) { basalt::simtGemm<T, false, false, basalt::SIMT_WHOLE>(args); } \
    BASALT_KERNEL(basalt_simt_tt_##t) { basalt::simtGemm<T, false, true, basalt::SIMT_WHOLE>(args); } \
    BASALT_KERNEL(basalt_simt_half_nn_##t) { basalt::simtGemm<T, true, false, basalt::SIMT_WHOLE, 2>(args); } \
    BASALT_KERNEL(basalt_simt_half_nt_##t) { basalt::simtGemm<T, true, true, basalt::SIMT_WHOLE, 2>(args); } \
    BASALT_KERNEL(basalt_simt_half_tn_##t) { basalt::simtGemm<T, false, false, basalt::SIMT_WHOLE, 2>(args); } \
    BASALT_KERNEL(basalt_simt_half_tt_##t) { basalt::simtGemm<T, false, true, basalt::SIMT_WHOLE, 2>(args); } \
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
