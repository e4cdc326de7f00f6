// C := alpha·op(A)·op(B) + beta·C in float: tiles of 128×128, of which a thread keeps 8×8 in registers, two stages of shared
// memory, and the next stage on its way in registers while this one is multiplied.
#include "basalt.h"
BASALT_CAPPED_TOO

namespace basalt {

static const int SIMT_SIDE = row::simt_nn_s::tile;
static const int SIMT_DEPTH = row::simt_nn_s::depth;
static const int SIMT_LD = SIMT_SIDE + 4;  // keeps 16-byte alignment, and the scattered stores meet no bank twice

struct alignas(16) Quad {
    float x, y, z, w;
};

struct alignas(16) SimtStage {
    float a[SIMT_DEPTH][SIMT_LD];
    float b[SIMT_DEPTH][SIMT_LD];
};

// What a thread brings of a factor for each stage: four elements, along the outer dimension (OUTER) or the inner one,
// whichever is contiguous.
template <bool OUTER>
struct SimtFeed {
    const float* from;
    i64 step;
    i64 outerLeft;
    int outer, inner;
    bool whole;

    BASALT_DEVICE SimtFeed(const float* a, i64 ld, i64 o0, i64 outerEnd) {
        int t = threadIdx.x;
        outer = OUTER ? t % 32 * 4 : t / 2;
        inner = OUTER ? t / 32 : t % 2 * 4;
        from = OUTER ? a + o0 + outer + inner * ld : a + inner + (o0 + outer) * ld;
        step = OUTER ? SIMT_DEPTH * ld : SIMT_DEPTH;
        outerLeft = outerEnd - o0 - outer;
        whole = ((u64)a & 15) == 0 && ld % 4 == 0 && outerLeft >= (OUTER ? 4 : 1);
    }

    // Of the stage that has `left` more of the inner dimension. What is outside is zero.
    BASALT_DEVICE Quad fetch(i64 left) {
        Quad q;
        if (whole && left >= SIMT_DEPTH) {
            q = *(const Quad*)from;
        } else {
            i64 there = OUTER ? (inner < left ? outerLeft : 0) : (outerLeft > 0 ? left - inner : 0);
            q.x = there > 0 ? from[0] : 0;
            q.y = there > 1 ? from[1] : 0;
            q.z = there > 2 ? from[2] : 0;
            q.w = there > 3 ? from[3] : 0;
        }
        from += step;
        return q;
    }

    // What of the stage that begins at the inner index l0 lies outside a triangle becomes zero. o0 is the tile's first row or column.
    BASALT_DEVICE void mask(Quad& q, i64 o0, i64 l0, bool inwards, bool unit) const {
        float* v[4] = {&q.x, &q.y, &q.z, &q.w};
#pragma unroll
        for (int u = 0; u < 4; u++) {
            i64 beyond = l0 + inner + (OUTER ? 0 : u) - (o0 + outer + (OUTER ? u : 0));
            *v[u] = beyond == 0 ? (unit ? 1 : *v[u]) : (beyond < 0) == inwards ? *v[u] : 0;
        }
    }

    BASALT_DEVICE void store(float (&tile)[SIMT_DEPTH][SIMT_LD], const Quad& q) const {
        if (OUTER) {
            *(Quad*)&tile[inner][outer] = q;
        } else {
            tile[inner][outer] = q.x;
            tile[inner + 1][outer] = q.y;
            tile[inner + 2][outer] = q.z;
            tile[inner + 3][outer] = q.w;
        }
    }
};

BASALT_DEVICE void spread(float (&x)[8], const float* row, int apart) {
    Quad low = *(const Quad*)row;
    Quad high = *(const Quad*)(row + apart);
    x[0] = low.x;
    x[1] = low.y;
    x[2] = low.z;
    x[3] = low.w;
    x[4] = high.x;
    x[5] = high.y;
    x[6] = high.z;
    x[7] = high.w;
}

BASALT_DEVICE float simtBlend(float alpha, float acc, float beta, float y) { return alpha * acc + beta * y; }

// Two matrices; a triangle of C alone, of their product or of both products (A·Bᵀ and B·Aᵀ), blocks (x) being its tiles; or a triangular
// matrix (args.a) on one side of the other (args.b), beta then being 0.
enum { SIMT_WHOLE, SIMT_PART, SIMT_BOTH, SIMT_LEFT, SIMT_RIGHT };

// A_ROWS: consecutive rows of op(A) are contiguous; B_COLUMNS: consecutive columns of op(B) are.
template <bool A_ROWS, bool B_COLUMNS, int FORM>
BASALT_DEVICE void simtTile(const Args& args, i64 problem, SimtStage* stages) {
    // The triangle's rows or columns with most elements first; it is cut off at the diagonal along the inner dimension, or begins there.
    bool lower = (args.uplo == LOWER) == (args.opA == NONE);
    bool inwards = lower == (FORM == SIMT_LEFT);
    int heavy = inwards ? gridDim.y - 1 - blockIdx.y : blockIdx.y;
    i64 i0 = (i64)(FORM == SIMT_LEFT ? heavy : blockIdx.x) * SIMT_SIDE;
    i64 j0 = (i64)(FORM == SIMT_LEFT ? blockIdx.x : FORM == SIMT_RIGHT ? heavy : blockIdx.y) * SIMT_SIDE;
    const bool TRIANGULAR = FORM == SIMT_LEFT || FORM == SIMT_RIGHT;
    const bool PARTIAL = FORM == SIMT_PART || FORM == SIMT_BOTH;
    bool below = args.uplo == LOWER;
    if (PARTIAL) {
        TileOfPart tile(blockIdx.x, below);
        i0 = tile.row * SIMT_SIDE;
        j0 = tile.column * SIMT_SIDE;
    }
    i64 rows = PARTIAL ? args.n : args.m;
    i64 corner = FORM == SIMT_LEFT ? i0 : j0;
    i64 order = FORM == SIMT_LEFT ? args.m : FORM == SIMT_RIGHT ? args.n : args.k;
    i64 from = !TRIANGULAR || inwards ? 0 : corner;
    i64 to = TRIANGULAR && inwards ? least(order, corner + SIMT_SIDE) : order;
    float beta = !TRIANGULAR ? value<float>(args.beta) : 0;
    float alpha = to > from ? value<float>(args.alpha) : 0;
    i64 k = alpha == 0 ? 0 : to - from;
    const Operand& factorA = FORM == SIMT_RIGHT ? args.b : args.a;
    const Operand& factorB = FORM == SIMT_RIGHT ? args.a : args.b;
    bool unit = args.diag == UNIT;
    SimtFeed<A_ROWS> feedA(at<float>(factorA, problem) + from * (A_ROWS ? factorA.ld : 1), factorA.ld, i0, rows);
    SimtFeed<B_COLUMNS> feedB(at<float>(factorB, problem) + from * (B_COLUMNS ? factorB.ld : 1), factorB.ld, j0, args.n);
    // A warp has 64×32 of the tile; a thread 4 rows and 4 further by 32, 4 columns and 4 further by 16.
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int ri = warp % 2 * 64 + lane % 8 * 4;
    int rj = warp / 2 * 32 + lane / 8 * 4;
    float acc[8][8];
#pragma unroll
    for (int u = 0; u < 8; u++) {
#pragma unroll
        for (int v = 0; v < 8; v++) {
            acc[u][v] = 0;
        }
    }
    if (k > 0) {
        Quad firstA = feedA.fetch(k), firstB = feedB.fetch(k);
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
        ahead = left - SIMT_DEPTH;
        if (FORM == SIMT_BOTH && ahead <= 0 && !exchanged) {
            // The factors in each other's place.
            exchanged = true;
            ahead = k;
            feedA = SimtFeed<A_ROWS>(at<float>(factorB, problem), factorB.ld, i0, rows);
            feedB = SimtFeed<B_COLUMNS>(at<float>(factorA, problem), factorA.ld, j0, args.n);
        }
        bool more = ahead > 0;
        Quad nextA, nextB;
        if (more) {
            nextA = feedA.fetch(ahead);
            nextB = feedB.fetch(ahead);
            i64 l0 = to - left + SIMT_DEPTH;
            if (FORM == SIMT_LEFT) {
                feedA.mask(nextA, i0, l0, inwards, unit);
            } else if (FORM == SIMT_RIGHT) {
                feedB.mask(nextB, j0, l0, inwards, unit);
            }
        }
        const SimtStage& stage = stages[now];
#pragma unroll
        for (int l = 0; l < SIMT_DEPTH; l++) {
            float x[8], y[8];
            spread(x, &stage.a[l][ri], 32);
            spread(y, &stage.b[l][rj], 16);
#pragma unroll
            for (int u = 0; u < 8; u++) {
#pragma unroll
                for (int v = 0; v < 8; v++) {
                    fma(x[u], y[v], acc[u][v]);
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
    float* c = at<float>(args.c, problem);
    i64 ldc = args.c.ld;
    bool quads = ((u64)c & 15) == 0 && ldc % 4 == 0;
#pragma unroll
    for (int v = 0; v < 8; v++) {
        i64 j = j0 + rj + v % 4 + v / 4 * 16;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            i64 i = i0 + ri + h * 32;
            if (j >= args.n || i >= rows || (PARTIAL && (below ? i + 3 < j : i > j))) {
                continue;
            }
            bool inside = !PARTIAL || (below ? i >= j : i + 3 <= j);
            float* to = c + i + j * ldc;
            if (quads && inside && i + 4 <= rows) {
                Quad q = {0, 0, 0, 0};
                if (beta != 0) {
                    q = *(const Quad*)to;
                }
                q.x = simtBlend(alpha, acc[4 * h][v], beta, q.x);
                q.y = simtBlend(alpha, acc[4 * h + 1][v], beta, q.y);
                q.z = simtBlend(alpha, acc[4 * h + 2][v], beta, q.z);
                q.w = simtBlend(alpha, acc[4 * h + 3][v], beta, q.w);
                *(Quad*)to = q;
            } else {
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    if (i + u < rows && (!PARTIAL || (below ? i + u >= j : i + u <= j))) {
                        to[u] = simtBlend(alpha, acc[4 * h + u][v], beta, beta == 0 ? 0 : to[u]);
                    }
                }
            }
        }
    }
}

template <bool A_ROWS, bool B_COLUMNS, int FORM = SIMT_WHOLE>
BASALT_DEVICE void simtGemm(const Args& args) {
    __shared__ SimtStage stages[2];
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem) && ((FORM != SIMT_LEFT && FORM != SIMT_RIGHT) || !meets(args, problem))) {
            simtTile<A_ROWS, B_COLUMNS, FORM>(args, problem, stages);
        }
    }
}

}  // namespace basalt

#if defined(BASALT_TYPE_S)
BASALT_KERNEL(basalt_simt_nn_s) { basalt::simtGemm<true, false>(args); }
BASALT_KERNEL(basalt_simt_nt_s) { basalt::simtGemm<true, true>(args); }
BASALT_KERNEL(basalt_simt_tn_s) { basalt::simtGemm<false, false>(args); }
BASALT_KERNEL(basalt_simt_tt_s) { basalt::simtGemm<false, true>(args); }
BASALT_KERNEL(basalt_simt_part_nn_s) { basalt::simtGemm<true, false, basalt::SIMT_PART>(args); }
BASALT_KERNEL(basalt_simt_part_nt_s) { basalt::simtGemm<true, true, basalt::SIMT_PART>(args); }
BASALT_KERNEL(basalt_simt_part_tn_s) { basalt::simtGemm<false, false, basalt::SIMT_PART>(args); }
BASALT_KERNEL(basalt_simt_part_tt_s) { basalt::simtGemm<false, true, basalt::SIMT_PART>(args); }
BASALT_KERNEL(basalt_simt_both_n_s) { basalt::simtGemm<true, true, basalt::SIMT_BOTH>(args); }
BASALT_KERNEL(basalt_simt_both_t_s) { basalt::simtGemm<false, false, basalt::SIMT_BOTH>(args); }
BASALT_KERNEL(basalt_simt_trmm_ln_s) { basalt::simtGemm<true, false, basalt::SIMT_LEFT>(args); }
BASALT_KERNEL(basalt_simt_trmm_lt_s) { basalt::simtGemm<false, false, basalt::SIMT_LEFT>(args); }
BASALT_KERNEL(basalt_simt_trmm_rn_s) { basalt::simtGemm<true, false, basalt::SIMT_RIGHT>(args); }
BASALT_KERNEL(basalt_simt_trmm_rt_s) { basalt::simtGemm<true, true, basalt::SIMT_RIGHT>(args); }
#endif
