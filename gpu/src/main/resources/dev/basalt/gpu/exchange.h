// Blocks on the diagonal of a Schur form change places (Bai and Demmel, "On swapping diagonal blocks in real Schur form", 1993), by a block of threads: one thread makes the reflectors of an exchange, all
// apply them to rows and columns.
#ifndef BASALT_EXCHANGE_H
#define BASALT_EXCHANGE_H
#include "swap.h"

namespace basalt {

// What one thread tells the others.
template <typename R>
struct Swap {
    R d[ORDER * ORDER];
    Equations<R, ORDER> equations;
    Subspace<R> space;
    int made;
};

// What is worked on: t of order n, and q with so many rows, 0 for none.
template <typename T>
struct Reordered {
    i64 n;
    T* t;
    i64 ldt;
    T* q;
    i64 ldq, rows;
    bool arrived;

    BASALT_DEVICE T& operator()(i64 i, i64 j) const { return t[i + j * ldt]; }
    // Whether rows i and i + 1 are a pair; what is below the diagonal of a complex matrix nobody reads.
    BASALT_DEVICE bool pair(i64 i) const {
        return Of<T>::parts == 1 && i >= 0 && i + 1 < n && !isZero((*this)(i + 1, i));
    }
    BASALT_DEVICE i64 begins(i64 i) const { return pair(i - 1) ? i - 1 : i; }
    BASALT_DEVICE int size(i64 i) const { return pair(i) ? 2 : 1; }
};

// T11·X - X·T22 = scale·T12 by elimination with complete pivoting: the scale.
template <typename R>
BASALT_DEVICE R solveSwap(Swap<R>& w, int n1, int n2, R norm) {
    Equations<R, ORDER>& q = w.equations;
    int k = n1 * n2;
    for (int c = 0; c < n2; c++) {
        for (int r = 0; r < n1; r++) {
            int row = r + n1 * c;
            q.right[row] = w.d[r + ORDER * (n1 + c)];
            for (int j = 0; j < k; j++) {
                int jr = j % n1;
                int jc = j / n1;
                R value = jc == c ? w.d[r + ORDER * jr] : (R)0;
                q.system[row + ORDER * j] = jr == r ? value - w.d[n1 + jc + ORDER * (n1 + c)] : value;
            }
        }
    }
    return eliminate(q, k, largerOf(Schur<R>::unit() * norm, Schur<R>::least() / Schur<R>::unit()));
}

// By one thread: the reflectors of an exchange, and whether it may be made.
template <typename R>
BASALT_DEVICE void planSwap(const Reordered<R>& g, Swap<R>& w, i64 i, int n1, int n2) {
    int m = n1 + n2;
    R norm = 0;
    for (int c = 0; c < m; c++) {
        for (int r = 0; r < m; r++) {
            // What is left of the second block is not read.
            if (c < n1 && r >= n1) {
                g(i + r, i + c) = 0;
            }
            w.d[r + ORDER * c] = g(i + r, i + c);
            norm = largerOf(norm, absolute(w.d[r + ORDER * c]));
        }
    }
    R scale = solveSwap(w, n1, n2, norm);
    subspace(w.space, n1, n2, w.equations.x, scale);
    reflectSmall(w.space, n2, m, true, w.d);
    reflectSmall(w.space, n2, m, false, w.d);
    R allowed = largerOf(MOST * Schur<R>::unit() * norm, Schur<R>::least() / Schur<R>::unit());
    w.made = 1;
    for (int c = 0; c < n2; c++) {
        for (int r = n2; r < m; r++) {
            w.made = absolute(w.d[r + ORDER * c]) <= allowed ? w.made : 0;
        }
    }
}

// Rows i and i + 1 are turned, and columns back; the block itself is left to one thread. Nobody may have read it since the last barrier.
template <typename R>
BASALT_DEVICE void turnBoth(const Reordered<R>& g, i64 i, R cosine, R sine) {
    if (i + 2 < g.n) {
        rotateLines(g.n - i - 2, &g(i, i + 2), &g(i + 1, i + 2), g.ldt, cosine, sine);
    }
    rotateLines(i, &g(0, i), &g(0, i + 1), (i64)1, cosine, sine);
    rotateLines(g.rows, g.q + i * g.ldq, g.q + (i + 1) * g.ldq, (i64)1, cosine, sine);
}

// The standard form of the block of row i; ends with a barrier.
template <typename R>
BASALT_DEVICE void standardBlock(const Reordered<R>& g, i64 i) {
    Pair<R> p;
    p.standard(g(i, i), g(i, i + 1), g(i + 1, i), g(i + 1, i + 1));
    __syncthreads();
    if (threadIdx.x == 0) {
        g(i, i) = p.a;
        g(i, i + 1) = p.b;
        g(i + 1, i) = p.c;
        g(i + 1, i + 1) = p.d;
    }
    turnBoth(g, i, p.cosine, p.sine);
    __syncthreads();
}

// By all threads: two neighbouring eigenvalues change places.
template <typename R>
BASALT_DEVICE void swapSingle(const Reordered<R>& g, i64 i) {
    R first = g(i, i);
    R last = g(i + 1, i + 1);
    R f = g(i, i + 1);
    R apart = last - first;
    R large = largerOf(absolute(f), absolute(apart));
    R cosine = 1;
    R sine = 0;
    if (large != 0) {
        R a = f / large;
        R b = apart / large;
        R r = root(a * a + b * b);
        cosine = a / r;
        sine = b / r;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        g(i, i) = last;
        g(i + 1, i + 1) = first;
    }
    turnBoth(g, i, cosine, sine);
    __syncthreads();
}

// By all threads: the blocks of n1 rows at i and of n2 rows behind it change places; whether they did. Begins and ends with what all have seen.
template <typename R>
BASALT_APART bool exchange(const Reordered<R>& g, Swap<R>& w, i64 i, int n1, int n2) {
    __syncthreads();
    if (n1 == 1 && n2 == 1) {
        swapSingle(g, i);
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
    for (i64 j = i + threadIdx.x; j < g.n; j += blockDim.x) {
        reflectLine(w.space, n2, m, &g(i, j), (i64)1);
    }
    __syncthreads();
    i64 lines = least(g.n, i + m);
    for (i64 l = threadIdx.x; l < lines + g.rows; l += blockDim.x) {
        bool above = l < lines;
        reflectLine(w.space, n2, m, above ? &g(l, i) : g.q + (l - lines) + i * g.ldq, above ? g.ldt : g.ldq);
    }
    __syncthreads();
    for (int c = 0; c < n2 && threadIdx.x == 0; c++) {
        for (int r = n2; r < m; r++) {
            g(i + r, i + c) = 0;
        }
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

// A complex eigenvalue changes places with the next.
template <typename R>
BASALT_APART bool exchange(const Reordered<Complex<R>>& g, Swap<Complex<R>>&, i64 k, int, int) {
    typedef Complex<R> T;
    __syncthreads();
    T a = g(k, k);
    T b = g(k + 1, k + 1);
    T f = g(k, k + 1);
    T apart = b - a;
    R large = largerOf(largerOf(absolute(f.re), absolute(f.im)), largerOf(absolute(apart.re), absolute(apart.im)));
    R c = 1;
    T s = zero<T>();
    if (large > 0) {
        f.re /= large;
        f.im /= large;
        apart.re /= large;
        apart.im /= large;
        R size = root(f.re * f.re + f.im * f.im);
        R r = root(f.re * f.re + f.im * f.im + apart.re * apart.re + apart.im * apart.im);
        c = size / r;
        T u = Make<T>::real(1);
        if (size != 0) {
            u.re = f.re / size;
            u.im = f.im / size;
        }
        s.re = (u.re * apart.re + u.im * apart.im) / r;
        s.im = (u.im * apart.re - u.re * apart.im) / r;
    }
    __syncthreads();
    // x := c·x + s·y, y := c·y - conj(s)·x of rows, with the conjugate of s of columns.
    i64 right = g.n - k - 2;
    for (i64 l = threadIdx.x; l < right + k + g.rows; l += blockDim.x) {
        bool row = l < right;
        bool above = l < right + k;
        T* x = row ? &g(k, k + 1) + (l + 1) * g.ldt : above ? &g(l - right, k) : g.q + (l - right - k) + k * g.ldq;
        T* y = row ? x + 1 : above ? x + g.ldt : x + g.ldq;
        T turn = conj(s, !row);
        T p = *x;
        T q = *y;
        *x = times(c, p) + turn * q;
        *y = times(c, q) - conj(turn, true) * p;
    }
    if (threadIdx.x == 0) {
        g(k, k) = b;
        g(k + 1, k + 1) = a;
    }
    __syncthreads();
    return true;
}

// Up to a row, by exchanges with the blocks before; where a pair falls apart on its way, it stops there.
template <typename G, typename W>
BASALT_DEVICE i64 climb(G& g, W& w, i64 here, i64 goal, int own, bool* apart) {
    *apart = false;
    g.arrived = true;
    while (here > goal) {
        int before = g.pair(here - 2) ? 2 : 1;
        if (!exchange(g, w, here - before, before, own)) {
            g.arrived = false;
            return here;
        }
        here -= before;
        if (own == 2 && g.size(here) == 1) {
            *apart = true;
            return here;
        }
    }
    return here;
}

// Where it begins in the end.
template <typename G, typename W>
BASALT_DEVICE i64 moveUp(G& g, W& w, i64 from, i64 goal) {
    bool apart;
    i64 here = climb(g, w, from, goal, g.size(from), &apart);
    if (!apart) {
        return here;
    }
    // Two real eigenvalues go on one by one.
    i64 first = climb(g, w, here, goal, 1, &apart);
    if (g.arrived) {
        climb(g, w, here + 1, first + 1, 1, &apart);
    }
    return first;
}

// Down until it ends in a row.
template <typename G, typename W>
BASALT_DEVICE i64 sink(G& g, W& w, i64 here, i64 end, int own, bool* apart) {
    *apart = false;
    g.arrived = true;
    while (here + own - 1 < end) {
        int behind = g.size(here + own);
        if (!exchange(g, w, here, own, behind)) {
            g.arrived = false;
            return here;
        }
        here += behind;
        if (own == 2 && g.size(here) == 1) {
            *apart = true;
            return here;
        }
    }
    return here;
}

template <typename G, typename W>
BASALT_DEVICE void moveDown(G& g, W& w, i64 from, i64 goal) {
    bool apart;
    i64 end = goal + g.size(goal) - 1;
    i64 here = sink(g, w, from, end, g.size(from), &apart);
    if (apart) {
        i64 last = sink(g, w, here + 1, end, 1, &apart);
        if (g.arrived) {
            sink(g, w, here, last - 1, 1, &apart);
        }
    }
}

// The eigenvalues of a Schur form, from row `from` on.
template <typename R>
BASALT_DEVICE void valuesOf(const Reordered<R>& g, i64 from, R* w, R* wi) {
    for (i64 k = from + threadIdx.x; k < g.n; k += blockDim.x) {
        i64 first = g.begins(k);
        bool two = g.size(first) == 2;
        R im = two ? root(absolute(g(first, first + 1))) * root(absolute(g(first + 1, first))) : (R)0;
        w[k] = g(k, k);
        wi[k] = first == k ? im : -im;
    }
}
template <typename R>
BASALT_DEVICE void valuesOf(const Reordered<Complex<R>>& g, i64 from, Complex<R>* w, R*) {
    for (i64 k = from + threadIdx.x; k < g.n; k += blockDim.x) {
        w[k] = g(k, k);
    }
}

}  // namespace basalt
#endif
