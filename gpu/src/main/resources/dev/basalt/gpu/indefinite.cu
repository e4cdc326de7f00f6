// LDLᵀ and LDLᴴ by the diagonal pivoting of Bunch and Kaufman or by rook pivoting, and what is done with the factors. Everything is said of a lower triangle; an upper one
// is read from its last row and column on. A block has a problem, or a warp a right-hand side.
#include "basalt.h"
#include "cluster.h"

namespace basalt {

static const int WRONG_FACTORS = -5;  // info: ipiv is the fifth argument of LAPACK's sytri
static const int WRONG_PACKED = -4;   // and the fourth of sptri

static const int ROOK = 1;  // as Pivoting counts

static const i64 NO_PIVOT = (i64)1 << 62;

template <typename T>
BASALT_DEVICE T notNumber() {
    double nan = fromBits(0x7ff8000000000000ULL);
    return Make<T>::of(nan, nan);
}

// A triangle of any storage, dense or packed.
template <typename T>
struct Symmetric {
    Stored<T> a;
    i64 n;
    bool upper, hermitian, rook;

    BASALT_DEVICE i64 place(i64 i) const { return upper ? n - 1 - i : i; }
    BASALT_DEVICE T& operator()(i64 i, i64 j) const { return a(place(i), place(j)); }
    // Of the diagonal: real in a Hermitian matrix, whatever is stored.
    BASALT_DEVICE T clean(T x) const { return hermitian ? dropImaginary(x) : x; }
    BASALT_DEVICE T diagonal(i64 i) const { return clean((*this)(i, i)); }
};

template <typename T>
BASALT_DEVICE Symmetric<T> symmetric(const Args& args, const Operand& o, const Band& band, i64 n, i64 problem) {
    Symmetric<T> s;
    s.a = stored<T>(o, band, args.uplo, n, n, problem);
    s.n = n;
    s.upper = args.uplo == UPPER;
    s.hermitian = args.flag;
    s.rook = args.x == ROOK;
    return s;
}

// Columns of a panel in the workspace, counted as the matrix is.
template <typename T>
struct Columns {
    T* a;
    i64 di, dj;

    BASALT_DEVICE T& operator()(i64 i, i64 j) const { return a[i * di + j * dj]; }
};

template <typename T>
BASALT_DEVICE Columns<T> columns(const Operand& o, bool upper, i64 n, i64 count, i64 problem) {
    Columns<T> c;
    c.a = at<T>(o, problem) + (upper ? n - 1 + (count - 1) * o.ld : 0);
    c.di = upper ? -1 : 1;
    c.dj = upper ? -o.ld : o.ld;
    return c;
}

// ---- pivots

template <typename R>
struct Largest {
    R size;
    i64 at;
};

// NaN is larger than all; of equals the first in memory wins.
template <typename R>
BASALT_DEVICE bool wins(Largest<R> x, Largest<R> y) {
    bool first = x.at < y.at;
    if (x.size != x.size || y.size != y.size) {
        return x.size != x.size && (y.size == y.size || first);
    }
    return x.size > y.size || (x.size == y.size && first);
}

template <typename R>
BASALT_DEVICE Largest<R> warpLargest(Largest<R> v) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        Largest<R> other = {shuffleXor(v.size, mask), shuffleXor(v.at, mask)};
        if (wins(other, v)) {
            v = other;
        }
    }
    return v;
}

// The largest of a block, in every thread; the scratch has 32 elements each.
template <typename R>
BASALT_DEVICE Largest<R> blockLargest(Largest<R> v, R* sizes, i64* places) {
    v = warpLargest(v);
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        sizes[threadIdx.x / 32] = v.size;
        places[threadIdx.x / 32] = v.at;
    }
    __syncthreads();
    int lane = threadIdx.x % 32;
    bool is = lane < (int)blockDim.x / 32;
    Largest<R> w = {is ? sizes[lane] : (R)-1, is ? places[lane] : 0};
    return warpLargest(w);
}

template <typename R>
BASALT_DEVICE void take(Largest<R>& best, R size, i64 at) {
    Largest<R> other = {size, at};
    if (wins(other, best)) {
        best = other;
    }
}

static const double ALPHA = 0.6403882032022076;  // (1 + √17)/8

// Whether the first row is the pivot, by the largest numbers of its column and of the row that has it.
BASALT_DEVICE bool stays(double first, double column, double across) {
    return first >= ALPHA * column * (column / across);
}

struct Choice {
    i64 row, top;  // what the last row of the block changes places with, and with rook pivoting the first one
    int size;
    bool failed;
};

// Whether rook pivoting has come to two rows that have the largest element of each other, as far as rounding tells.
BASALT_DEVICE bool ends(i64 k, i64 top, i64 next, double column, double across) {
    return next == top || next == k || !(across > column);
}

BASALT_DEVICE int setPivots(bool upper, bool rook, i64 n, i64 k, Choice c, i64* ipiv) {
    for (i64 i = k; i < k + c.size && threadIdx.x == 0; i++) {
        i64 with = rook && i < k + c.size - 1 ? c.top : c.row;
        i64 row = upper ? n - with : with + 1;
        ipiv[upper ? n - 1 - i : i] = c.size == 1 ? row : -row;
    }
    return (int)(upper ? n - k : k + 1);
}

// The row that the pivot of row i names.
BASALT_DEVICE i64 named(bool upper, i64 n, i64 i, const i64* ipiv) {
    i64 given = ipiv[upper ? n - 1 - i : i];
    u64 number = given < 0 ? 0 - (u64)given : (u64)given;
    return (i64)(upper ? (u64)n - number : number - 1);
}

// The row of step k, or its complement for a block of order 2, of its second row. Nothing in memory is trusted.
template <typename T>
BASALT_DEVICE i64 pivotOf(const Symmetric<T>& m, i64 k, const i64* ipiv) {
    i64 given = ipiv[m.place(k)];
    i64 top = named(m.upper, m.n, k, ipiv);
    if (given >= 0) {
        return top < k || top >= m.n ? NO_PIVOT : top;
    }
    if (k == m.n - 1) {
        return NO_PIVOT;
    }
    i64 second = ipiv[m.place(k + 1)];
    i64 row = named(m.upper, m.n, k + 1, ipiv);
    bool right = row > k && row < m.n && (m.rook ? second < 0 && top >= k && top < m.n : second == given);
    return right ? ~row : NO_PIVOT;
}

// The same from the end: of the block whose last row is k.
template <typename T>
BASALT_DEVICE i64 pivotBefore(const Symmetric<T>& m, i64 k, const i64* ipiv) {
    bool pair = ipiv[m.place(k)] < 0;
    return pair && k == 0 ? NO_PIVOT : pivotOf(m, pair ? k - 1 : k, ipiv);
}

// ---- blocks of order 2

// A row times the inverse of [d11 conj(d21); d21 d22]; nothing is conjugated in a symmetric matrix.
template <typename T>
struct Pair {
    T a, b, p, q;

    BASALT_DEVICE Pair(T d11, T d21, T d22, bool hermitian) {
        a = divide(d22, d21);
        b = divide(d11, conj(d21, hermitian));
        T f = a * b - one<T>();
        f = divide(one<T>(), hermitian ? dropImaginary(f) : f);
        p = divide(f, d21);
        q = conj(p, hermitian);
    }
    BASALT_DEVICE T first(T x1, T x2) const { return q * (a * x1 - x2); }
    BASALT_DEVICE T second(T x1, T x2) const { return p * (b * x2 - x1); }
};

template <typename T>
BASALT_DEVICE Pair<T> pairAt(const Symmetric<T>& m, i64 k) {
    return Pair<T>(m.diagonal(k), m(k + 1, k), m.diagonal(k + 1), m.hermitian);
}

// ---- factorisation without blocks

template <typename T>
BASALT_DEVICE void exchange(T& x, T& y, bool conjugated) {
    T t = conj(x, conjugated);
    x = conj(y, conjugated);
    y = t;
}

// Rows and columns `from` and `to` of what begins at row k change places; `from` is k or k + 1. By a block.
template <typename T>
BASALT_DEVICE void interchange(const Symmetric<T>& m, i64 k, i64 from, i64 to) {
    if (from != to) {
        for (i64 i = to + 1 + threadIdx.x; i < m.n; i += blockDim.x) {
            exchange(m(i, from), m(i, to), false);
        }
        for (i64 j = from + 1 + threadIdx.x; j < to; j += blockDim.x) {
            exchange(m(j, from), m(to, j), m.hermitian);
        }
        if (threadIdx.x == 0) {
            m(to, from) = conj(m(to, from), m.hermitian);
            exchange(m(from, from), m(to, to), false);
            if (from != k) {
                exchange(m(from, k), m(to, k), false);
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        m(from, from) = m.diagonal(from);
        m(to, to) = m.diagonal(to);
    }
    __syncthreads();
}

template <typename T>
BASALT_DEVICE Choice choose(const Symmetric<T>& m, i64 k, typename Of<T>::Real* sizes, i64* places) {
    typedef typename Of<T>::Real R;
    R first = magnitude(m.diagonal(k));
    Largest<R> best = {(R)-1, 0};
    for (i64 i = k + 1 + threadIdx.x; i < m.n; i += blockDim.x) {
        take(best, magnitude(m(i, k)), m.place(i));
    }
    best = blockLargest(best, sizes, places);
    Choice c = {k, k, 1, first != first || (first == 0 && !(best.size > 0) && best.size == best.size)};
    i64 row = m.place(best.at);
    R column = best.size;
    for (bool searching = !c.failed && !(first >= ALPHA * column); searching;) {
        Largest<R> across = {(R)-1, k};
        for (i64 j = k + threadIdx.x; j < row; j += blockDim.x) {
            take(across, magnitude(m(row, j)), j);
        }
        for (i64 i = row + 1 + threadIdx.x; i < m.n; i += blockDim.x) {
            take(across, magnitude(m(i, row)), i);
        }
        across = blockLargest(across, sizes, places);
        if (!m.rook && stays(first, column, across.size)) {
            return c;
        }
        bool one = magnitude(m.diagonal(row)) >= ALPHA * across.size;
        searching = !one && m.rook && !ends(k, c.top, across.at, column, across.size);
        c.row = row;
        c.size = one || searching ? 1 : 2;
        if (searching) {
            c.top = row;
            row = across.at;
            column = across.size;
        }
    }
    return c;
}

template <typename T>
BASALT_DEVICE void sytf2(const Args& args) {
    __shared__ typename Of<T>::Real sizes[32];
    __shared__ i64 places[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Symmetric<T> m = symmetric<T>(args, args.c, args.bandC, args.n, problem);
        for (i64 k = 0; k < m.n;) {
            __syncthreads();
            Choice c = choose(m, k, sizes, places);
            int number = setPivots(m.upper, m.rook, m.n, k, c, at<i64>(args.d, problem));
            __syncthreads();
            if (m.rook && c.size == 2) {
                interchange(m, k, k, c.top);
            }
            interchange(m, k, k + c.size - 1, c.row);
            if (c.failed) {
                if (threadIdx.x == 0) {
                    report(args, problem, number);
                }
            } else if (c.size == 1) {
                T d = m(k, k);
                for (i64 j = k + 1 + warp; j < m.n; j += warps) {
                    T f = divide(conj(m(j, k), m.hermitian), d);
                    for (i64 i = j + lane; i < m.n; i += 32) {
                        T x = m(i, j) - m(i, k) * f;
                        m(i, j) = i == j ? m.clean(x) : x;
                    }
                }
                __syncthreads();
                for (i64 i = k + 1 + threadIdx.x; i < m.n; i += blockDim.x) {
                    m(i, k) = divide(m(i, k), d);
                }
            } else {
                if (threadIdx.x == 0) {
                    m(k, k) = m.diagonal(k);
                }
                Pair<T> d = pairAt(m, k);
                for (i64 j = k + 2 + warp; j < m.n; j += warps) {
                    T x1 = m(j, k);
                    T x2 = m(j, k + 1);
                    T w1 = conj(d.first(x1, x2), m.hermitian);
                    T w2 = conj(d.second(x1, x2), m.hermitian);
                    for (i64 i = j + lane; i < m.n; i += 32) {
                        T x = m(i, j) - (m(i, k) * w1 + m(i, k + 1) * w2);
                        m(i, j) = i == j ? m.clean(x) : x;
                    }
                }
                __syncthreads();
                for (i64 i = k + 2 + threadIdx.x; i < m.n; i += blockDim.x) {
                    T x1 = m(i, k);
                    T x2 = m(i, k + 1);
                    m(i, k) = d.first(x1, x2);
                    m(i, k + 1) = d.second(x1, x2);
                }
            }
            k += c.size;
        }
        __syncthreads();
    }
}

// ---- panels

// Who makes a panel: a block, or a cluster whose threads have the same rows from column to column. A block that tells the others of its
// largest element sends it to each, and one barrier is enough: what is told next has another place.
template <typename T, int MODE>
struct Sharers {
    typedef typename Of<T>::Real R;
    static const int MOST = 16;  // blocks
    static const int ROW = 72;   // elements of a row of w

    struct Memory {
        T row[ROW];
        R sizes[32];
        R told[2][MOST];
        i64 places[32];
        i64 toldPlaces[2][MOST];
    };
    Memory* memory;
    int rank, blocks;
    int turn;

    BASALT_DEVICE Sharers()
            : memory((Memory*)BASALT_DYNAMIC_SHARED(char)), rank(MODE == CLUSTER ? blockIdx.x : 0),
              blocks(MODE == CLUSTER ? gridDim.x : 1), turn(0) {}

    BASALT_DEVICE bool keeps(i64 elements) const { return elements <= ROW; }
    BASALT_DEVICE int me() const { return rank * blockDim.x + threadIdx.x; }
    BASALT_DEVICE int all() const { return blocks * blockDim.x; }
    // This thread's first row from row k on. Threads are a power of two.
    BASALT_DEVICE i64 from(i64 k) const {
        i64 i = (k & -(i64)all()) + me();
        return i < k ? i + all() : i;
    }
    BASALT_DEVICE void barrier() const {
        if (MODE == CLUSTER) {
            clusterBarrier();
        } else {
            __syncthreads();
        }
    }
    // The largest of all, in every thread. What was written before is seen behind it.
    BASALT_DEVICE Largest<R> largest(Largest<R> v) {
        v = blockLargest(v, memory->sizes, memory->places);
        if (MODE == CLUSTER) {
            int lane = threadIdx.x % 32;
            if ((int)threadIdx.x < blocks) {
                inBlock(memory->told[turn], threadIdx.x)[rank] = v.size;
                inBlock(memory->toldPlaces[turn], threadIdx.x)[rank] = v.at;
            }
            clusterBarrier();
            bool is = lane < blocks;
            Largest<R> w = {is ? memory->told[turn][lane] : (R)-1, is ? memory->toldPlaces[turn][lane] : 0};
            v = warpLargest(w);
            turn ^= 1;
        }
        return v;
    }
};

// Row i of column c of what is left at step k. Of a cluster, whose blocks have the panel in the second-level cache, many loads are on their way together, and row c
// of w is in shared memory where there is room for it; a block alone finds both in its own cache.
template <typename T, int MODE>
BASALT_DEVICE T left(const Sharers<T, MODE>& us, const Columns<T>& l, const Columns<T>& w, i64 begin, i64 end, i64 c, i64 i, T x) {
    if (MODE != CLUSTER) {
        for (i64 s = begin; s < end; s++) {
            fma(-l(i, s), w(c, s), x);
        }
        return x;
    }
    const int AHEAD = 16 / Of<T>::parts;
    bool here = us.keeps(end - begin);
#pragma unroll 1
    for (i64 s = begin; s < end; s += AHEAD) {
        T a[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            a[u] = s + u < end ? -l(i, s + u) : zero<T>();
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            if (s + u < end) {
                fma(a[u], here ? us.memory->row[s + u - begin] : w(c, s + u), x);
            }
        }
    }
    return x;
}

// Column j of w, from row k on := column c of what is left at step k. Columns of the panel from `begin` on are in l and w.
template <typename T, int MODE>
BASALT_DEVICE void column(const Sharers<T, MODE>& us, const Symmetric<T>& m, const Columns<T>& l, const Columns<T>& w, i64 begin,
        i64 end, i64 k, i64 c, i64 j) {
    if (MODE == CLUSTER) {
        for (i64 s = begin + threadIdx.x; us.keeps(end - begin) && s < end; s += blockDim.x) {
            us.memory->row[s - begin] = w(c, s);
        }
        __syncthreads();
    }
    for (i64 i = us.from(k); i < m.n; i += us.all()) {
        T x = i < c ? conj(m(c, i), m.hermitian) : i == c ? m.diagonal(c) : m(i, c);
        x = left(us, l, w, begin, end, c, i, x);
        w(i, j) = i == c ? m.clean(x) : x;
    }
}

template <typename T, typename S>
BASALT_DEVICE void clear(const S& us, const Columns<T>& x, i64 from, i64 to, i64 j0, i64 j1) {
    for (i64 j = j0; j < j1; j++) {
        for (i64 i = us.from(from); i < to; i += us.all()) {
            x(i, j) = zero<T>();
        }
    }
}

template <typename T, int MODE>
BASALT_DEVICE void lasyf(const Args& args) {
    typedef typename Of<T>::Real R;
    Sharers<T, MODE> us;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Symmetric<T> m = symmetric<T>(args, args.c, args.bandC, args.n, problem);
        i64 n = m.n;
        i64 from = args.p;
        i64 to = args.q;
        i64 count = to - from + 1;
        Columns<T> l = columns<T>(args.a, m.upper, n, count, problem);
        Columns<T> w = columns<T>(args.b, m.upper, n, count, problem);
        i64* state = at<i64>(args.f, problem);
        i64 begin = from > 0 && *state > from;
        clear(us, l, to, n, 0, begin);
        clear(us, w, to, n, 0, begin);
        i64 k = from + begin;
        us.barrier();
        while (k < to) {
            i64 j = k - from;
            column(us, m, l, w, begin, j, k, k, j);
            Largest<R> best = {(R)-1, 0};
            for (i64 i = us.from(k + 1); i < n; i += us.all()) {
                take(best, magnitude(w(i, j)), m.place(i));
            }
            best = us.largest(best);
            R first = magnitude(w(k, j));
            Choice c = {k, k, 1, first != first || (first == 0 && !(best.size > 0) && best.size == best.size)};
            i64 row = m.place(best.at);
            R most = best.size;
            for (bool searching = !c.failed && !(first >= ALPHA * most); searching;) {
                column(us, m, l, w, begin, j, k, row, j + 1);
                Largest<R> across = {(R)-1, k};
                for (i64 i = us.from(k); i < n; i += us.all()) {
                    if (i != row) {
                        take(across, magnitude(w(i, j + 1)), i);
                    }
                }
                across = us.largest(across);
                if (!m.rook && stays(first, most, across.size)) {
                    break;
                }
                bool one = magnitude(w(row, j + 1)) >= ALPHA * across.size;
                searching = !one && m.rook && !ends(k, c.top, across.at, most, across.size);
                c.row = row;
                c.size = one || searching ? 1 : 2;
                if (searching) {
                    // The next column takes the place of what is looked at here.
                    us.barrier();
                }
                for (i64 i = us.from(k); c.size == 1 && i < n; i += us.all()) {
                    w(i, j) = w(i, j + 1);
                }
                if (searching) {
                    c.top = row;
                    row = across.at;
                    most = across.size;
                }
            }
            int number = setPivots(m.upper, m.rook, n, k, c, at<i64>(args.d, problem));
            if (c.failed && us.me() == 0 && *at<int>(args.e, problem) == 0) {
                *at<int>(args.e, problem) = number;
            }
            us.barrier();
            // The column that gives way takes the place of the pivot's, which is in the panel.
            for (i64 gives = m.rook ? k : k + c.size - 1; gives < k + c.size; gives++) {
                i64 to = gives == k + c.size - 1 ? c.row : c.top;
                if (gives != to) {
                    for (i64 i = us.from(gives + 1); i < n; i += us.all()) {
                        if (i < to) {
                            m(to, i) = conj(m(i, gives), m.hermitian);
                        } else if (i > to) {
                            m(i, to) = m(i, gives);
                        }
                    }
                    if (us.me() == 0) {
                        m(to, to) = m.diagonal(gives);
                    }
                    for (i64 s = begin + us.me(); s < j + c.size; s += us.all()) {
                        exchange(w(gives, s), w(to, s), false);
                        if (s < j) {
                            exchange(l(gives, s), l(to, s), false);
                        }
                    }
                    us.barrier();
                }
            }
            if (c.size == 1) {
                T d = w(k, j);
                for (i64 i = us.from(k); i < n; i += us.all()) {
                    T x = w(i, j);
                    x = i == k || c.failed ? x : divide(x, d);
                    l(i, j) = x;
                    m(i, k) = x;
                }
            } else {
                Pair<T> d(w(k, j), w(k + 1, j), w(k + 1, j + 1), m.hermitian);
                for (i64 i = us.from(k); i < n; i += us.all()) {
                    T x1 = w(i, j);
                    T x2 = w(i, j + 1);
                    if (i < k + 2) {
                        m(i, k) = x1;
                        if (i > k) {
                            m(i, k + 1) = x2;
                        }
                        continue;
                    }
                    T y1 = d.first(x1, x2);
                    T y2 = d.second(x1, x2);
                    l(i, j) = y1;
                    l(i, j + 1) = y2;
                    m(i, k) = y1;
                    m(i, k + 1) = y2;
                }
            }
            if (m.hermitian) {
                // Others take the block of D as it is.
                us.barrier();
            }
            for (int s = 0; s < c.size && m.hermitian; s++) {
                for (i64 i = us.from(k + 1 + s); i < n; i += us.all()) {
                    w(i, j + s) = conj(w(i, j + s), true);
                }
            }
            us.barrier();
            k += c.size;
        }
        if (to < n) {
            // Either the last column is not of this panel, or the first row behind it is.
            bool beyond = k > to;
            i64 rows = beyond ? to + 1 : n;
            clear(us, l, to, rows, beyond ? 0 : count - 1, count);
            clear(us, w, to, rows, beyond ? 0 : count - 1, count);
        }
        if (us.me() == 0) {
            *state = k;
        }
        us.barrier();
    }
}

// ---- Aasen: a tridiagonal matrix in the place of D

// A triangle that is read as a lower one: an upper one is its transpose.
template <typename T>
BASALT_DEVICE Columns<T> lowerTriangle(const Args& args, i64 problem) {
    Columns<T> m;
    m.a = at<T>(args.c, problem);
    m.di = args.uplo == UPPER ? args.c.ld : 1;
    m.dj = args.uplo == UPPER ? 1 : args.c.ld;
    return m;
}

// Rows and columns `one` and `other` of what begins there change places. By a block.
template <typename T>
BASALT_DEVICE void exchangeBoth(const Columns<T>& m, bool hermitian, i64 n, i64 one, i64 other) {
    for (i64 i = one + 1 + threadIdx.x; i < n; i += blockDim.x) {
        if (i > other) {
            exchange(m(i, one), m(i, other), false);
        } else if (i < other) {
            exchange(m(i, one), m(other, i), hermitian);
        } else {
            m(other, one) = conj(m(other, one), hermitian);
            exchange(m(one, one), m(other, other), false);
        }
    }
}

// Rows behind a panel: L, and the conjugate of T·Lᴴ. By a block, a thread a row.
template <typename T>
BASALT_DEVICE void behindPanel(const Args& args, const Columns<T>& m, i64 problem) {
    i64 from = args.p;
    i64 to = args.q;
    Columns<T> l = columns<T>(args.a, false, args.n, to - from + 1, problem);
    Columns<T> w = columns<T>(args.b, false, args.n, to - from + 1, problem);
    for (i64 i = to + threadIdx.x; i < args.n; i += blockDim.x) {
        T before = zero<T>();
        T here = from == 0 ? zero<T>() : m(i, from - 1);
        for (i64 s = from; s <= to; s++) {
            // The last column of L begins with its 1.
            here = s == to && i == to ? one<T>() : here;
            T next = s < to ? s + 1 == to && i == to ? one<T>() : m(i, s) : zero<T>();
            T x = s > from ? conj(m(s, s - 1), args.flag) * before : zero<T>();
            if (s < to) {
                fma(m(s, s), here, x);
                fma(m(s + 1, s), next, x);
            }
            l(i, s - from) = here;
            w(i, s - from) = conj(x, args.flag);
            before = here;
            here = next;
        }
    }
}

template <typename T>
BASALT_DEVICE void aasen(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R sizes[32];
    __shared__ i64 places[32];
    bool hermitian = args.flag;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Columns<T> m = lowerTriangle<T>(args, problem);
        T* h = at<T>(args.b, problem);
        i64* ipiv = at<i64>(args.d, problem);
        i64 n = args.n;
        i64 from = args.p;
        i64 to = args.q;
        // Column 0 of L has nothing below its 1.
        i64 first = from > 1 ? from : 1;
        if (from == 0 && threadIdx.x == 0) {
            ipiv[0] = 1;
        }
        for (i64 j = from; j < to; j++) {
            __syncthreads();
            // Column j of T·Lᴴ, above the diagonal.
            for (i64 s = first + threadIdx.x; s < j; s += blockDim.x) {
                T x = m(s, s) * m(j, s - 1);
                fma(m(s + 1, s), s + 1 == j ? one<T>() : m(j, s), x);
                if (s > first) {
                    fma(conj(m(s, s - 1), hermitian), m(j, s - 2), x);
                }
                h[s - first] = conj(x, hermitian);
            }
            __syncthreads();
            for (i64 i = j + threadIdx.x; i < n; i += blockDim.x) {
                T x = m(i, j);
                x = i == j && hermitian ? dropImaginary(x) : x;
                for (i64 s = first; s < j; s++) {
                    fma(-m(i, s - 1), h[s - first], x);
                }
                m(i, j) = x;
            }
            __syncthreads();
            T diagonal = m(j, j);
            Largest<R> best = {(R)-1, j};
            for (i64 i = j + 1 + threadIdx.x; i < n; i += blockDim.x) {
                T x = m(i, j);
                if (j > 0) {
                    fma(-m(i, j - 1), diagonal, x);
                    m(i, j) = x;
                }
                take(best, magnitude(x), i);
            }
            best = blockLargest(best, sizes, places);
            if (threadIdx.x == 0) {
                if (j > first) {
                    fma(-m(j, j - 1), conj(m(j, j - 2), hermitian), diagonal);
                }
                m(j, j) = hermitian ? dropImaginary(diagonal) : diagonal;
            }
            if (j == n - 1) {
                break;
            }
            __syncthreads();
            i64 other = best.at;
            if (threadIdx.x == 0) {
                ipiv[j + 1] = other + 1;
            }
            if (other != j + 1) {
                for (i64 s = threadIdx.x; s <= j; s += blockDim.x) {
                    exchange(m(j + 1, s), m(other, s), false);
                }
                exchangeBoth(m, hermitian, n, j + 1, other);
            }
            __syncthreads();
            T t = m(j + 1, j);
            for (i64 i = j + 2 + threadIdx.x; i < n && !isZero(t); i += blockDim.x) {
                m(i, j) = divide(m(i, j), t);
            }
        }
        __syncthreads();
        if (to < n) {
            behindPanel(args, m, problem);
        }
        __syncthreads();
    }
}

// ---- solves

// A row of the solution with block k of D, or two of them.
template <typename T>
BASALT_DEVICE void solveBlock(const Symmetric<T>& m, i64 k, bool pair, T& x1, T& x2) {
    if (!pair) {
        x1 = divide(x1, m.diagonal(k));
        return;
    }
    // A column of a Hermitian block's inverse is a conjugated row.
    Pair<T> d = pairAt(m, k);
    T u = conj(x1, m.hermitian);
    T v = conj(x2, m.hermitian);
    x1 = conj(d.first(u, v), m.hermitian);
    x2 = conj(d.second(u, v), m.hermitian);
}

// A warp has a right-hand side.
template <typename T>
BASALT_DEVICE void sytrs(const Args& args) {
    int lane = threadIdx.x % 32;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Symmetric<T> m = symmetric<T>(args, args.a, args.bandA, args.m, problem);
        const i64* ipiv = at<i64>(args.d, problem);
        i64 n = m.n;
        for (i64 q = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; q < args.n; q += warps) {
            Columns<T> b;
            b.di = m.upper ? -1 : 1;
            b.dj = 0;
            b.a = at<T>(args.c, problem) + q * args.c.ld + (m.upper ? n - 1 : 0);
            bool wrong = false;
            for (i64 k = 0; k < n && !wrong;) {
                i64 pivot = pivotOf(m, k, ipiv);
                wrong = pivot == NO_PIVOT;
                if (!wrong) {
                    bool pair = pivot < 0;
                    i64 last = pair ? k + 1 : k;
                    if (lane == 0) {
                        if (pair && m.rook) {
                            exchange(b(k, 0), b(named(m.upper, n, k, ipiv), 0), false);
                        }
                        exchange(b(last, 0), b(pair ? ~pivot : pivot, 0), false);
                    }
                    warpBarrier();
                    T x1 = b(k, 0);
                    T x2 = b(last, 0);
                    for (i64 i = last + 1 + lane; i < n; i += 32) {
                        T x = b(i, 0);
                        fma(-m(i, k), x1, x);
                        if (pair) {
                            fma(-m(i, last), x2, x);
                        }
                        b(i, 0) = x;
                    }
                    solveBlock(m, k, pair, x1, x2);
                    warpBarrier();
                    if (lane == 0) {
                        b(k, 0) = x1;
                        if (pair) {
                            b(last, 0) = x2;
                        }
                    }
                    warpBarrier();
                    k = last + 1;
                }
            }
            for (i64 k = n - 1; k >= 0 && !wrong;) {
                i64 pivot = pivotBefore(m, k, ipiv);
                wrong = pivot == NO_PIVOT;
                if (!wrong) {
                    bool pair = pivot < 0;
                    i64 top = pair ? k - 1 : k;
                    T s1 = zero<T>();
                    T s2 = zero<T>();
                    for (i64 i = k + 1 + lane; i < n; i += 32) {
                        fma(conj(m(i, k), m.hermitian), b(i, 0), s1);
                        if (pair) {
                            fma(conj(m(i, top), m.hermitian), b(i, 0), s2);
                        }
                    }
                    s1 = warpSum(s1);
                    s2 = warpSum(s2);
                    if (lane == 0) {
                        b(k, 0) = b(k, 0) - s1;
                        if (pair) {
                            b(top, 0) = b(top, 0) - s2;
                        }
                        exchange(b(k, 0), b(pair ? ~pivot : pivot, 0), false);
                        if (pair && m.rook) {
                            exchange(b(top, 0), b(named(m.upper, n, top, ipiv), 0), false);
                        }
                    }
                    warpBarrier();
                    k = top - 1;
                }
            }
            for (i64 i = lane; i < n && wrong; i += 32) {
                b(i, 0) = notNumber<T>();
            }
        }
    }
}

// A thread has a column of c.
template <typename T>
BASALT_DEVICE void d22solve(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Symmetric<T> m = symmetric<T>(args, args.a, args.bandA, args.m, problem);
        const i64* ipiv = at<i64>(args.d, problem);
        for (i64 q = (i64)blockIdx.x * blockDim.x + threadIdx.x; q < args.n; q += (i64)gridDim.x * blockDim.x) {
            T* b = at<T>(args.c, problem) + q * args.c.ld;
            bool wrong = false;
            for (i64 k = 0; k < m.n && !wrong;) {
                i64 pivot = pivotOf(m, k, ipiv);
                wrong = pivot == NO_PIVOT;
                if (!wrong) {
                    bool pair = pivot < 0;
                    i64 last = pair ? k + 1 : k;
                    T x1 = b[m.place(k)];
                    T x2 = b[m.place(last)];
                    solveBlock(m, k, pair, x1, x2);
                    b[m.place(k)] = x1;
                    if (pair) {
                        b[m.place(last)] = x2;
                    }
                    k = last + 1;
                }
            }
            for (i64 i = 0; i < m.n && wrong; i++) {
                b[i] = notNumber<T>();
            }
        }
    }
}

// A warp has a column of L: it copies it and makes all interchanges behind it.
template <typename T>
BASALT_DEVICE void syconv(const Args& args) {
    int lane = threadIdx.x % 32;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Symmetric<T> a = symmetric<T>(args, args.a, args.bandA, args.n, problem);
        Symmetric<T> c = symmetric<T>(args, args.c, args.bandC, args.n, problem);
        const i64* ipiv = at<i64>(args.d, problem);
        i64* rows = at<i64>(args.f, problem);
        i64 n = a.n;
        for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < n; j += warps) {
            for (i64 k = 0; k < n;) {
                i64 pivot = pivotOf(a, k, ipiv);
                bool right = pivot != NO_PIVOT;
                bool pair = right && pivot < 0;
                i64 last = pair ? k + 1 : k;
                i64 row = !right ? k : pair ? ~pivot : pivot;
                if (j >= k && j <= last) {
                    i64 to = j == last ? row : a.rook && right ? named(a.upper, n, j, ipiv) : j;
                    if (lane == 0) {
                        rows[a.place(j)] = right ? a.place(to) + 1 : 0;
                        if (j < last) {
                            c(last, j) = zero<T>();
                        }
                    }
                    for (i64 i = last + 1 + lane; i < n && right; i += 32) {
                        c(i, j) = a(i, j);
                    }
                    warpBarrier();
                } else if (j < k && lane == 0) {
                    if (pair && a.rook) {
                        exchange(c(k, j), c(named(a.upper, n, k, ipiv), j), false);
                    }
                    exchange(c(last, j), c(row, j), false);
                }
                k = last + 1;
            }
        }
    }
}

// ---- inverse

// Column j below row k := -A⁻¹·column, with the inverse of what is behind row k; its diagonal element follows. By a block.
template <typename T>
BASALT_DEVICE void inverseColumn(const Symmetric<T>& m, i64 k, i64 j, T* scratchColumn, T* scratch) {
    int lane = threadIdx.x % 32;
    // The column lies as it is stored.
    Columns<T> work;
    work.a = m.upper ? scratchColumn + m.n - 1 : scratchColumn - (k + 1);
    work.di = m.upper ? -1 : 1;
    work.dj = 0;
    for (i64 i = k + 1 + threadIdx.x; i < m.n; i += blockDim.x) {
        work(i, 0) = m(i, j);
    }
    __syncthreads();
    for (i64 i = k + 1 + threadIdx.x / 32; i < m.n; i += blockDim.x / 32) {
        T sum = zero<T>();
        for (i64 s = k + 1 + lane; s < m.n; s += 32) {
            T x = s < i ? m(i, s) : s == i ? m.diagonal(i) : conj(m(s, i), m.hermitian);
            fma(x, work(s, 0), sum);
        }
        sum = warpSum(sum);
        if (lane == 0) {
            m(i, j) = -sum;
        }
    }
    __syncthreads();
    T sum = zero<T>();
    for (i64 i = k + 1 + threadIdx.x; i < m.n; i += blockDim.x) {
        fma(conj(work(i, 0), m.hermitian), m(i, j), sum);
    }
    sum = blockSum(sum, scratch);
    if (threadIdx.x == 0) {
        m(j, j) = m.clean(m(j, j) - sum);
    }
    __syncthreads();
}

template <typename T>
BASALT_DEVICE void sytri(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R memory[33 * sizeof(T) / sizeof(R)];
    T* scratch = (T*)memory;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Symmetric<T> m = symmetric<T>(args, args.c, args.bandC, args.n, problem);
        const i64* ipiv = at<i64>(args.d, problem);
        bool only = args.q == 1;
        T* work = only ? 0 : at<T>(args.b, problem);
        i64 n = m.n;
        bool packed = args.c.storage == PACKED;
        int info = 0;
        bool wrong = false;
        for (i64 k = 0; k < n && info == 0 && !wrong;) {
            i64 pivot = pivotOf(m, k, ipiv);
            wrong = pivot == NO_PIVOT;
            info = !wrong && pivot >= 0 && isZero(m(k, k)) ? (int)m.place(k) + 1 : 0;
            k += pivot < 0 ? 2 : 1;
        }
        __syncthreads();
        for (i64 k = n - 1; k >= 0 && info == 0 && !wrong && !only;) {
            i64 pivot = pivotBefore(m, k, ipiv);
            wrong = pivot == NO_PIVOT;
            if (!wrong) {
                bool pair = pivot < 0;
                i64 top = pair ? k - 1 : k;
                __syncthreads();
                if (threadIdx.x == 0 && !pair) {
                    m(k, k) = divide(one<T>(), m.diagonal(k));
                } else if (threadIdx.x == 0) {
                    Pair<T> d = pairAt(m, top);
                    m(top, top) = m.clean(d.q * d.a);
                    m(k, k) = m.clean(d.p * d.b);
                    m(k, top) = -d.q;
                }
                __syncthreads();
                inverseColumn(m, k, k, work, scratch);
                if (pair) {
                    T sum = zero<T>();
                    for (i64 i = k + 1 + threadIdx.x; i < n; i += blockDim.x) {
                        fma(conj(m(i, k), m.hermitian), m(i, top), sum);
                    }
                    sum = blockSum(sum, scratch);
                    if (threadIdx.x == 0) {
                        m(k, top) = m(k, top) - sum;
                    }
                    __syncthreads();
                    inverseColumn(m, k, top, work, scratch);
                }
                interchange(m, top, k, pair ? ~pivot : pivot);
                if (pair && m.rook) {
                    interchange(m, top, top, named(m.upper, n, top, ipiv));
                }
                k = top - 1;
            }
        }
        __syncthreads();
        for (i64 j = threadIdx.x / 32; j < n && wrong; j += blockDim.x / 32) {
            for (i64 i = j + threadIdx.x % 32; i < n; i += 32) {
                m(i, j) = notNumber<T>();
            }
        }
        if (threadIdx.x == 0) {
            report(args, problem, wrong ? packed ? WRONG_PACKED : WRONG_FACTORS : info);
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define INDEFINITE(t, T)                                                       \
    BASALT_KERNEL(basalt_sytf2_##t) { basalt::sytf2<T>(args); }                \
    BASALT_KERNEL(basalt_lasyf_##t) { basalt::lasyf<T, basalt::ALONE>(args); } \
    BASALT_KERNEL(basalt_aasen_##t) { basalt::aasen<T>(args); }                \
    BASALT_KERNEL(basalt_sytrs_##t) { basalt::sytrs<T>(args); }                \
    BASALT_KERNEL(basalt_d22solve_##t) { basalt::d22solve<T>(args); }          \
    BASALT_KERNEL(basalt_syconv_##t) { basalt::syconv<T>(args); }              \
    BASALT_KERNEL(basalt_sytri_##t) { basalt::sytri<T>(args); }
BASALT_EACH_TYPE(INDEFINITE)

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
#define INDEFINITE_CLUSTER(t, T) \
    BASALT_KERNEL(basalt_lasyf_16_##t) { basalt::lasyf<T, basalt::CLUSTER>(args); }
BASALT_EACH_TYPE(INDEFINITE_CLUSTER)
#endif
