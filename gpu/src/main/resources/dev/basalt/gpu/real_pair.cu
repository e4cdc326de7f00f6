// Blocks of pairs of real matrices in Schur form change places (Kågström, "A direct method for reordering eigenvalues in the generalized real Schur form of a regular matrix pair", 1993), and their eigenvalues: a block of threads a problem.
// One thread makes the reflectors of an exchange, all apply them; an exchange whose error would be large is not made.
#include "exchange.h"
#include "pencil.h"

namespace basalt {

// What one thread tells the others.
template <typename R>
struct PairSwap {
    // The blocks of both matrices, times a power of two.
    R d[ORDER * ORDER], e[ORDER * ORDER];
    Equations<R, 2 * ORDER> equations;
    Subspace<R> left, right;
    int made;
};

// What is worked on.
template <typename R>
struct PairOrder {
    MatrixPair<R> g;
    bool arrived;

    BASALT_DEVICE bool pair(i64 i) const { return i >= 0 && i + 1 < g.n && g.A(i + 1, i) != 0; }
    BASALT_DEVICE int size(i64 i) const { return pair(i) ? 2 : 1; }
};

// A block times a power of two that makes it about 1: its Frobenius norm.
template <typename R>
BASALT_DEVICE R copyBlock(const R* from, i64 ld, int m, R* to) {
    R large = 0;
    for (int c = 0; c < m; c++) {
        for (int r = 0; r < m; r++) {
            to[r + ORDER * c] = from[r + c * ld];
            large = largerOf(large, absolute(to[r + ORDER * c]));
        }
    }
    int exponent = exponentIn(large);
    R sum = 0;
    for (int c = 0; c < m; c++) {
        for (int r = 0; r < m; r++) {
            R x = timesPower(to[r + ORDER * c], -exponent);
            to[r + ORDER * c] = x;
            sum += x * x;
        }
    }
    return root(sum);
}

// A row of the equations for one of both matrices.
template <typename R>
BASALT_DEVICE void equation(PairSwap<R>& w, int row, const R* x, int r, int c, int n1, int n2) {
    Equations<R, 2 * ORDER>& q = w.equations;
    int k = n1 * n2;
    for (int j = 0; j < 2 * k; j++) {
        q.system[row + 2 * ORDER * j] = 0;
    }
    q.right[row] = x[r + ORDER * (n1 + c)];
    for (int j = 0; j < n1; j++) {
        q.system[row + 2 * ORDER * (j + n1 * c)] = x[r + ORDER * j];
    }
    for (int j = 0; j < n2; j++) {
        q.system[row + 2 * ORDER * (k + r + n1 * j)] = -x[n1 + j + ORDER * (n1 + c)];
    }
}

// Whether both sides' reflectors leave nothing below the first block.
template <typename R>
BASALT_DEVICE bool splits(const PairSwap<R>& w, R* x, int n2, int m, R norm) {
    reflectSmall(w.left, n2, m, true, x);
    reflectSmall(w.right, n2, m, false, x);
    bool all = true;
    for (int c = 0; c < n2; c++) {
        for (int r = n2; r < m; r++) {
            all = all && absolute(x[r + ORDER * c]) <= MOST * Schur<R>::unit() * norm;
        }
    }
    return all;
}

// Zeros below the first of two blocks.
template <typename R>
BASALT_DEVICE void clearBelow(const MatrixPair<R>& g, i64 i, int first, int m) {
    for (int c = 0; c < first; c++) {
        for (int r = first; r < m; r++) {
            g.A(i + r, i + c) = 0;
            g.B(i + r, i + c) = 0;
        }
    }
}

// By one thread: A11·X - Y·A22 = scale·A12 and B11·X - Y·B22 = scale·B12, and the reflectors that X and Y tell.
template <typename R>
BASALT_APART void planSwap(const MatrixPair<R>& g, PairSwap<R>& w, i64 i, int n1, int n2) {
    int m = n1 + n2;
    int k = n1 * n2;
    clearBelow(g, i, n1, m);
    R normA = copyBlock(&g.A(i, i), g.lda, m, w.d);
    R normB = copyBlock(&g.B(i, i), g.ldb, m, w.e);
    for (int c = 0; c < n2; c++) {
        for (int r = 0; r < n1; r++) {
            int row = r + n1 * c;
            equation(w, row, w.d, r, c, n1, n2);
            equation(w, row + k, w.e, r, c, n1, n2);
        }
    }
    R scale = eliminate(w.equations, 2 * k, Schur<R>::unit() * largerOf(normA, normB));
    subspace(w.right, n1, n2, w.equations.x, scale);
    subspace(w.left, n1, n2, w.equations.x + k, scale);
    w.made = splits(w, w.d, n2, m, normA) && splits(w, w.e, n2, m, normB) ? 1 : 0;
}

// By all threads: the blocks of n1 rows at i and of n2 rows behind it change places; whether they did. Begins and ends with what all have seen.
template <typename R>
BASALT_APART bool exchange(const PairOrder<R>& o, PairSwap<R>& w, i64 i, int n1, int n2) {
    const MatrixPair<R>& g = o.g;
    __syncthreads();
    if (n1 == 1 && n2 == 1) {
        g.exchange(i);
        return true;
    }
    int m = n1 + n2;
    if (threadIdx.x == 0) {
        planSwap(g, w, i, n1, n2);
    }
    __syncthreads();
    if (!w.made) {
        return false;
    }
    i64 right = g.n - i;
    i64 ofQ = g.q != 0 ? g.n : 0;
    for (i64 l = threadIdx.x; l < 2 * right + ofQ; l += blockDim.x) {
        R* x = l < right ? &g.A(i, i + l) : l < 2 * right ? &g.B(i, i + l - right) : g.q + (l - 2 * right) + i * g.ldq;
        reflectLine(w.left, n2, m, x, l < 2 * right ? (i64)1 : g.ldq);
    }
    __syncthreads();
    i64 above = i + m;
    i64 ofZ = g.z != 0 ? g.n : 0;
    for (i64 l = threadIdx.x; l < 2 * above + ofZ; l += blockDim.x) {
        R* x = l < above ? &g.A(l, i) : l < 2 * above ? &g.B(l - above, i) : g.z + (l - 2 * above) + i * g.ldz;
        reflectLine(w.right, n2, m, x, l < above ? g.lda : l < 2 * above ? g.ldb : g.ldz);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        clearBelow(g, i, n2, m);
    }
    __syncthreads();
    if (n2 == 2) {
        standardBlock(g, i);
    }
    if (n1 == 2) {
        standardBlock(g, i + n2);
    }
    return true;
}

template <typename R>
BASALT_DEVICE bool chosen(const MatrixPair<R>& g, i64 k, int own, int rule, int by) {
    if (own == 1) {
        return chooses(rule, by, (double)g.A(k, k), 0, (double)g.B(k, k));
    }
    Pencil<R> p;
    p.read(g, k);
    p.values();
    return chooses(rule, by, (double)p.alphaRe1, (double)p.alphaIm1, (double)p.beta1);
}

// x: the rule.
template <typename R>
BASALT_DEVICE void tgsen(const Args& args) {
    __shared__ PairSwap<R> swap;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        PairOrder<R> o;
        o.g = pairOf<R>(args, problem);
        o.arrived = true;
        int by = powerBefore<R>(args, problem);
        bool all = true;
        i64 count = 0;
        for (i64 k = 0; k < o.g.n;) {
            int own = o.size(k);
            if (chosen(o.g, k, own, args.x, by)) {
                if (k > count) {
                    moveUp(o, swap, k, count);
                    all = all && o.arrived;
                }
                count += own;
            }
            k += own;
        }
        for (i64 i = 0; i < o.g.n; i++) {
            o.g.normal(i);
        }
        if (threadIdx.x == 0) {
            *at<i64>(args.a, problem) = count;
            if (!all) {
                *at<int>(args.e, problem) = (int)args.n + 1;
            }
        }
        __syncthreads();
    }
}

// Which eigenvalue of a block's two is row i's, where a block does not begin before a row.
template <typename R>
BASALT_DEVICE void pairValue(const MatrixPair<R>& g, i64 from, i64 i, R* alpha, R* imaginary, R* beta) {
    bool second = i > from && g.A(i, i - 1) != 0;
    if (!second && !(i + 1 < g.n && g.A(i + 1, i) != 0)) {
        *alpha = g.A(i, i);
        *imaginary = 0;
        *beta = g.B(i, i);
        return;
    }
    Pencil<R> p;
    p.read(g, second ? i - 1 : i);
    p.values();
    *alpha = second ? p.alphaRe2 : p.alphaRe1;
    *imaginary = second ? p.alphaIm2 : p.alphaIm1;
    *beta = second ? p.beta2 : p.beta1;
}

template <typename R>
BASALT_DEVICE void pairValues(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        MatrixPair<R> g;
        g.n = args.n;
        g.a = at<R>(args.c, problem);
        g.lda = args.c.ld;
        g.b = at<R>(args.d, problem);
        g.ldb = args.d.ld;
        int info = *at<int>(args.e, problem);
        i64 from = info > 0 && info <= args.n ? info : 0;
        for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
            // Zero over zero.
            R none = 0;
            R alpha = none / none;
            R imaginary = none / none;
            R beta = none / none;
            if (i >= from) {
                pairValue(g, from, i, &alpha, &imaginary, &beta);
            }
            at<R>(args.a, problem)[i] = alpha;
            at<R>(args.b, problem)[i] = imaginary;
            at<R>(args.f, problem)[i] = beta;
        }
    }
}

}  // namespace basalt

#define REAL_PAIR(t, T)                                         \
    BASALT_KERNEL(basalt_tgsen_##t) { basalt::tgsen<T>(args); } \
    BASALT_KERNEL(basalt_pair_values_##t) { basalt::pairValues<T>(args); }
BASALT_S(REAL_PAIR)
BASALT_D(REAL_PAIR)
