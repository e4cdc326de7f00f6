// Sylvester's equation of two matrices in Schur form (Bartels and Stewart, "Solution of the matrix equation AX + XB = C", 1972), by a block of threads. The solution is made tile by tile: all threads take off a tile what solved ones
// mean for it; inside it unknowns that depend on none of each other, those of an antidiagonal, are found at once.
#ifndef BASALT_SYLVESTER_H
#define BASALT_SYLVESTER_H
#include "pair.h"
#include "reflect.h"

namespace basalt {

// Rows and columns of a tile. Tiles begin one row less apart, so that a pair at an end fits.
template <typename T>
struct Edge {
    static const int size = sizeof(T) > 8 ? 24 : 32;
    static const int pitch = size + 1;
};

// What threads share: a tile of unknowns, the parts of both matrices that belong to it, and its rows and columns by pairs.
template <typename T>
struct Patch {
    typedef typename Of<T>::Real R;
    T x[Edge<T>::size * Edge<T>::pitch], a[Edge<T>::size * Edge<T>::pitch], b[Edge<T>::size * Edge<T>::pitch];
    R scratch[33];
    R factor;
    int moved;
    // Pairs are counted in the order in which they are solved for.
    int rows, columns;
    int rowBegins[Edge<T>::size], rowSize[Edge<T>::size], rowPair[Edge<T>::size];
    int columnBegins[Edge<T>::size], columnSize[Edge<T>::size], columnPair[Edge<T>::size];
};

template <typename T>
struct Sylvester {
    typedef typename Of<T>::Real R;
    i64 m, n, lda, ldb, ldc;
    const T *a, *b;
    T* c;
    int opA, opB;
    R sign, smallest, scale;

    BASALT_DEVICE T left(i64 i, i64 j) const {
        return opA == NONE ? a[i + j * lda] : conj(a[j + i * lda], opA == CONJ_TRANS);
    }
    BASALT_DEVICE T right(i64 i, i64 j) const {
        return opB == NONE ? b[i + j * ldb] : conj(b[j + i * ldb], opB == CONJ_TRANS);
    }
};

// Whether rows i - 1 and i are a pair; what is below the diagonal of a complex matrix nobody reads.
template <typename T>
BASALT_DEVICE bool pairAbove(const T* a, i64 lda, i64 i, i64 order) {
    return Of<T>::parts == 1 && i > 0 && i < order && !isZero(a[i + (i - 1) * lda]);
}

// Where tile k begins.
template <typename T>
BASALT_DEVICE i64 cut(const T* a, i64 lda, i64 k, i64 order) {
    i64 p = least(order, k * (Edge<T>::size - 1));
    return pairAbove(a, lda, p, order) ? p + 1 : p;
}

template <typename T>
BASALT_DEVICE i64 tilesOf(i64 order) {
    return (order + Edge<T>::size - 2) / (Edge<T>::size - 1);
}

// The largest element of a Schur form.
template <typename T>
BASALT_DEVICE typename Of<T>::Real largestOfForm(i64 n, const T* a, i64 lda, typename Of<T>::Real* scratch) {
    typedef typename Of<T>::Real R;
    R size = 0;
    for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
        i64 last = least(n, j + (Of<T>::parts == 1 ? 2 : 1));
        for (i64 i = threadIdx.x % 32; i < last; i += 32) {
            size = larger(size, magnitude(a[i + j * lda]));
        }
    }
    return blockLargest(size, scratch);
}

// By one thread: the pairs of so many rows, counted from the last one where they are solved for from there. How many there are.
template <typename T>
BASALT_DEVICE int countPairs(const T* a, i64 lda, i64 first, int rows, bool backwards, int* begins, int* size, int* pair) {
    int count = 0;
    for (int i = 0; i < rows; count++) {
        size[count] = i + 1 < rows && pairAbove(a, lda, first + i + 1, first + rows) ? 2 : 1;
        begins[count] = i;
        i += size[count];
    }
    for (int k = 0; backwards && k < count / 2; k++) {
        int other = count - 1 - k;
        int kept = begins[k];
        begins[k] = begins[other];
        begins[other] = kept;
        kept = size[k];
        size[k] = size[other];
        size[other] = kept;
    }
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < size[k]; i++) {
            pair[begins[k] + i] = k;
        }
    }
    return count;
}

// The system of unknowns of a row or a pair of rows, and of columns.
template <typename T>
struct Small {
    // Complex matrices have no pairs.
    static const int most = Of<T>::parts == 1 ? 4 : 1;
    T system[most * most], right[most];
    int column[most];
    int order;
    bool moved;
};

// The largest element that is left comes to place s of the diagonal, and what is below it goes. Where it is too small it is replaced.
template <typename T>
BASALT_DEVICE void eliminate(Small<T>& w, int s, typename Of<T>::Real smallest) {
    const int PAIRS = Small<T>::most;
    int row = s;
    int col = s;
    for (int j = s; j < w.order; j++) {
        for (int i = s; i < w.order; i++) {
            if (magnitude(w.system[i + PAIRS * j]) > magnitude(w.system[row + PAIRS * col])) {
                row = i;
                col = j;
            }
        }
    }
    for (int j = 0; j < w.order; j++) {
        T kept = w.system[s + PAIRS * j];
        w.system[s + PAIRS * j] = w.system[row + PAIRS * j];
        w.system[row + PAIRS * j] = kept;
    }
    T kept = w.right[s];
    w.right[s] = w.right[row];
    w.right[row] = kept;
    for (int i = 0; i < w.order; i++) {
        T value = w.system[i + PAIRS * s];
        w.system[i + PAIRS * s] = w.system[i + PAIRS * col];
        w.system[i + PAIRS * col] = value;
    }
    int name = w.column[s];
    w.column[s] = w.column[col];
    w.column[col] = name;
    if (magnitude(w.system[s + PAIRS * s]) <= smallest) {
        w.moved = true;
        w.system[s + PAIRS * s] = Make<T>::real(smallest);
    }
    for (int i = s + 1; i < w.order; i++) {
        T factor = divide(w.system[i + PAIRS * s], w.system[s + PAIRS * s]);
        for (int j = s + 1; j < w.order; j++) {
            w.system[i + PAIRS * j] = w.system[i + PAIRS * j] - factor * w.system[s + PAIRS * j];
        }
        w.right[i] = w.right[i] - factor * w.right[s];
    }
}

// By one thread: the system of h rows from k on and w columns from l on of a tile, eliminated. The factor by which all must become smaller, so that the solution is in the range.
template <typename T>
BASALT_DEVICE typename Of<T>::Real prepare(const Sylvester<T>& g, Patch<T>& t, Small<T>& w, int k, int h, int l, int width) {
    typedef typename Of<T>::Real R;
    const int P = Edge<T>::pitch;
    const int PAIRS = Small<T>::most;
    w.order = h * width;
    w.moved = false;
    for (int row = 0; row < w.order; row++) {
        int r = row % h;
        int s = row / h;
        w.right[row] = t.x[k + r + P * (l + s)];
        w.column[row] = row;
        for (int j = 0; j < w.order; j++) {
            int jr = j % h;
            int js = j / h;
            T value = js == s ? t.a[k + r + P * (k + jr)] : zero<T>();
            w.system[row + PAIRS * j] = jr == r ? value + times(g.sign, t.b[l + js + P * (l + s)]) : value;
        }
    }
    for (int s = 0; s < w.order; s++) {
        eliminate(w, s, g.smallest);
    }
    R bound = Schur<R>::least() / Schur<R>::unit();
    R most = 0;
    for (int s = 0; s < w.order; s++) {
        most = largerOf(most, magnitude(w.right[s]));
    }
    if (w.order == 1) {
        R own = magnitude(w.system[0]);
        return own < 1 && most > 1 && most > own / bound ? 1 / most : (R)1;
    }
    bool large = false;
    for (int s = 0; s < w.order; s++) {
        large = large || 8 * bound * most > magnitude(w.system[s + PAIRS * s]);
    }
    return large ? 1 / (8 * most) : (R)1;
}

// Its solution, with a right-hand side that is so much smaller.
template <typename T>
BASALT_DEVICE void finish(Patch<T>& t, Small<T>& w, typename Of<T>::Real factor, int k, int h, int l) {
    const int PAIRS = Small<T>::most;
    for (int s = 0; s < w.order; s++) {
        w.right[s] = times(factor, w.right[s]);
    }
    for (int s = w.order - 1; s >= 0; s--) {
        T sum = w.right[s];
        for (int j = s + 1; j < w.order; j++) {
            sum = sum - w.system[s + PAIRS * j] * w.right[j];
        }
        w.right[s] = divide(sum, w.system[s + PAIRS * s]);
    }
    for (int s = 0; s < w.order; s++) {
        t.x[k + w.column[s] % h + Edge<T>::pitch * (l + w.column[s] / h)] = w.right[s];
    }
}

// By a warp: the unknowns of an antidiagonal of pairs.
template <typename T>
BASALT_DEVICE void solveAcross(const Sylvester<T>& g, Patch<T>& t, int step) {
    typedef typename Of<T>::Real R;
    int row = threadIdx.x;
    int column = step - row;
    bool mine = row < t.rows && column >= 0 && column < t.columns;
    Small<T> w;
    w.moved = false;
    R factor = 1;
    if (mine) {
        factor = prepare(g, t, w, t.rowBegins[row], t.rowSize[row], t.columnBegins[column], t.columnSize[column]);
    }
    for (int mask = 16; mask > 0; mask >>= 1) {
        factor = smallerOf(factor, shuffleXor(factor, mask));
    }
    bool moved = warpBallot(w.moved) != 0;
    if (mine) {
        finish(t, w, factor, t.rowBegins[row], t.rowSize[row], t.columnBegins[column]);
    }
    if (threadIdx.x == 0) {
        t.factor = factor;
        t.moved = moved ? 1 : t.moved;
    }
}

// The tile of rows r0 to r1 - 1 and columns c0 to c1 - 1, from which all has been taken off; all threads come here after a barrier and leave after one.
template <typename T>
BASALT_DEVICE void solveTile(Sylvester<T>& g, Patch<T>& t, i64 r0, int height, i64 c0, int width) {
    typedef typename Of<T>::Real R;
    const int P = Edge<T>::pitch;
    for (int e = threadIdx.x; e < height * height; e += blockDim.x) {
        int i = e % height;
        int j = e / height;
        bool stored = i <= j || (Of<T>::parts == 1 && i == j + 1);
        T v = stored ? g.a[r0 + i + (r0 + j) * g.lda] : zero<T>();
        t.a[g.opA == NONE ? i + P * j : j + P * i] = conj(v, g.opA == CONJ_TRANS);
    }
    for (int e = threadIdx.x; e < width * width; e += blockDim.x) {
        int i = e % width;
        int j = e / width;
        bool stored = i <= j || (Of<T>::parts == 1 && i == j + 1);
        T v = stored ? g.b[c0 + i + (c0 + j) * g.ldb] : zero<T>();
        t.b[g.opB == NONE ? i + P * j : j + P * i] = conj(v, g.opB == CONJ_TRANS);
    }
    if (threadIdx.x == 0) {
        t.rows = countPairs(g.a, g.lda, r0, height, g.opA == NONE, t.rowBegins, t.rowSize, t.rowPair);
        t.columns = countPairs(g.b, g.ldb, c0, width, g.opB != NONE, t.columnBegins, t.columnSize, t.columnPair);
    }
    __syncthreads();
    int steps = t.rows + t.columns - 1;
    for (int step = 0; step < steps; step++) {
        if (threadIdx.x < 32) {
            solveAcross(g, t, step);
        }
        __syncthreads();
        R factor = t.factor;
        if (factor != 1) {
            for (int e = threadIdx.x; e < height * width; e += blockDim.x) {
                int i = e % height;
                int j = e / height;
                if (t.rowPair[i] + t.columnPair[j] != step) {
                    t.x[i + P * j] = times(factor, t.x[i + P * j]);
                }
            }
            for (i64 e = threadIdx.x; e < g.m * g.n; e += blockDim.x) {
                T* y = g.c + e % g.m + e / g.m * g.ldc;
                *y = times(factor, *y);
            }
            g.scale *= factor;
            __syncthreads();
        }
        // What is left loses what the solved unknowns of its rows and of its columns mean for it.
        for (int e = threadIdx.x; e < height * width; e += blockDim.x) {
            int i = e % height;
            int j = e / height;
            int row = step - t.columnPair[j];
            int column = step - t.rowPair[i];
            if (t.rowPair[i] + t.columnPair[j] <= step) {
                continue;
            }
            T sum = zero<T>();
            for (int k = 0; row >= 0 && row < t.rows && k < t.rowSize[row]; k++) {
                int r = t.rowBegins[row] + k;
                fma(t.a[i + P * r], t.x[r + P * j], sum);
            }
            for (int k = 0; column >= 0 && column < t.columns && k < t.columnSize[column]; k++) {
                int s = t.columnBegins[column] + k;
                fma(t.x[i + P * s], times(g.sign, t.b[s + P * j]), sum);
            }
            t.x[i + P * j] = t.x[i + P * j] - sum;
        }
        __syncthreads();
    }
}

// Takes off the tile what solved rows (from k0 to k1 - 1) of its columns mean for it.
template <typename T>
BASALT_DEVICE void takeRows(const Sylvester<T>& g, Patch<T>& t, i64 r0, int height, i64 c0, int width, i64 k0, i64 k1) {
    const int P = Edge<T>::pitch;
    for (i64 from = k0; from < k1; from += Edge<T>::size) {
        int deep = (int)least(k1 - from, (i64)Edge<T>::size);
        for (int e = threadIdx.x; e < height * deep; e += blockDim.x) {
            // Neighbours read neighbours.
            int i = g.opA == NONE ? e % height : e / deep;
            int k = g.opA == NONE ? e / height : e % deep;
            t.a[i + P * k] = g.left(r0 + i, from + k);
        }
        for (int e = threadIdx.x; e < deep * width; e += blockDim.x) {
            t.b[e % deep + P * (e / deep)] = g.c[from + e % deep + (c0 + e / deep) * g.ldc];
        }
        __syncthreads();
        for (int e = threadIdx.x; e < height * width; e += blockDim.x) {
            int i = e % height;
            int j = e / height;
            T sum = zero<T>();
            for (int k = 0; k < deep; k++) {
                fma(t.a[i + P * k], t.b[k + P * j], sum);
            }
            t.x[i + P * j] = t.x[i + P * j] - sum;
        }
        __syncthreads();
    }
}

// The same for solved columns of its rows.
template <typename T>
BASALT_DEVICE void takeColumns(const Sylvester<T>& g, Patch<T>& t, i64 r0, int height, i64 c0, int width, i64 k0, i64 k1) {
    const int P = Edge<T>::pitch;
    for (i64 from = k0; from < k1; from += Edge<T>::size) {
        int deep = (int)least(k1 - from, (i64)Edge<T>::size);
        for (int e = threadIdx.x; e < height * deep; e += blockDim.x) {
            t.a[e % height + P * (e / height)] = g.c[r0 + e % height + (from + e / height) * g.ldc];
        }
        for (int e = threadIdx.x; e < deep * width; e += blockDim.x) {
            int k = g.opB == NONE ? e % deep : e / width;
            int j = g.opB == NONE ? e / deep : e % width;
            t.b[k + P * j] = g.right(from + k, c0 + j);
        }
        __syncthreads();
        for (int e = threadIdx.x; e < height * width; e += blockDim.x) {
            int i = e % height;
            int j = e / height;
            T sum = zero<T>();
            for (int k = 0; k < deep; k++) {
                fma(t.a[i + P * k], t.b[k + P * j], sum);
            }
            t.x[i + P * j] = t.x[i + P * j] - times(g.sign, sum);
        }
        __syncthreads();
    }
}

// By a block: c := X, and g.scale := what the right-hand side was multiplied by; t.moved tells all whether eigenvalues were moved apart. Ends with a barrier.
template <typename T>
BASALT_APART void sylvester(Sylvester<T>& g, Patch<T>& t) {
    typedef typename Of<T>::Real R;
    const int P = Edge<T>::pitch;
    R most = largerOf(largestOfForm(g.m, g.a, g.lda, t.scratch), largestOfForm(g.n, g.b, g.ldb, t.scratch));
    g.smallest = largerOf(Schur<R>::least() / Schur<R>::unit(), Schur<R>::unit() * most);
    g.scale = 1;
    if (threadIdx.x == 0) {
        t.moved = 0;
    }
    __syncthreads();
    i64 down = tilesOf<T>(g.m);
    i64 across = tilesOf<T>(g.n);
    for (i64 q = 0; q < across; q++) {
        i64 l = g.opB == NONE ? q : across - 1 - q;
        i64 c0 = cut(g.b, g.ldb, l, g.n);
        i64 c1 = cut(g.b, g.ldb, l + 1, g.n);
        for (i64 p = 0; p < down; p++) {
            i64 k = g.opA == NONE ? down - 1 - p : p;
            i64 r0 = cut(g.a, g.lda, k, g.m);
            i64 r1 = cut(g.a, g.lda, k + 1, g.m);
            int height = (int)(r1 - r0);
            int width = (int)(c1 - c0);
            if (height <= 0 || width <= 0) {
                continue;
            }
            for (int e = threadIdx.x; e < height * width; e += blockDim.x) {
                t.x[e % height + P * (e / height)] = g.c[r0 + e % height + (c0 + e / height) * g.ldc];
            }
            __syncthreads();
            takeRows(g, t, r0, height, c0, width, g.opA == NONE ? r1 : (i64)0, g.opA == NONE ? g.m : r0);
            takeColumns(g, t, r0, height, c0, width, g.opB == NONE ? (i64)0 : c1, g.opB == NONE ? c0 : g.n);
            solveTile(g, t, r0, height, c0, width);
            for (int e = threadIdx.x; e < height * width; e += blockDim.x) {
                g.c[r0 + e % height + (c0 + e / height) * g.ldc] = t.x[e % height + P * (e / height)];
            }
            __syncthreads();
        }
    }
}

}  // namespace basalt
#endif
