// LU of bands, by a block a problem, and what goes with it; tridiagonal systems, a thread each. Pivots are those of LAPACK.
#include "pivot.h"
#include "stages.h"

namespace basalt {

// ---- bands

// One block a problem. Four barriers a column: its pivot, the exchange of its row, the multipliers, the update of what is right of it.
template <typename T>
BASALT_DEVICE void gbtf2(const Args& args) {
    __shared__ i64 chosen;  // how far below the diagonal the pivot is; -1 if it is zero
    i64 m = args.m;
    i64 n = args.n;
    i64 kl = args.bandC.kl;
    i64 kv = args.bandC.ku;
    i64 ku = kv - kl;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Stored<T> a = stored<T>(args.c, args.bandC, UPPER, m, n, problem);
        i64* ipiv = at<i64>(args.d, problem);
        for (i64 j = ku + 1 + threadIdx.x; j < least(kv, n); j += blockDim.x) {
            for (i64 i = 0; i < least(j - ku, m); i++) {
                a(i, j) = zero<T>();
            }
        }
        i64 last = 0;
        int info = 0;
        for (i64 j = 0; j < least(m, n); j++) {
            i64 below = least(kl, m - 1 - j);
            if (threadIdx.x < 32) {
                u64 key = 0;
                int position = NOWHERE;
                for (i64 i = threadIdx.x; i <= below; i += 32) {
                    u64 own = pivotKey(magnitude(a(j + i, j)));
                    if (own > key) {
                        key = own;
                        position = (int)i;
                    }
                }
                int p = shuffle(position, warpWinner(key, position));
                if (threadIdx.x == 0) {
                    ipiv[j] = args.p + j + p + 1;
                    chosen = isZero(a(j + p, j)) ? -1 : p;
                }
            }
            for (i64 i = j + threadIdx.x; j + kv < n && i < least(j + kl, m); i += blockDim.x) {
                a(i, j + kv) = zero<T>();
            }
            __syncthreads();
            i64 p = chosen;
            last = most(last, least(j + ku + most(p, 0), n - 1));
            info = p < 0 && info == 0 ? (int)j + 1 : info;
            for (i64 c = j + threadIdx.x; p > 0 && c <= last; c += blockDim.x) {
                T x = a(j, c);
                a(j, c) = a(j + p, c);
                a(j + p, c) = x;
            }
            __syncthreads();
            T pivot = a(j, j);
            bool inverted = hasInverse(magnitude(pivot));
            T factor = inverted ? inverse(pivot) : one<T>();
            for (i64 i = 1 + threadIdx.x; p >= 0 && i <= below; i += blockDim.x) {
                a(j + i, j) = inverted ? a(j + i, j) * factor : divide(a(j + i, j), pivot);
            }
            __syncthreads();
            for (i64 e = threadIdx.x; p >= 0 && e < below * (last - j); e += blockDim.x) {
                i64 i = j + 1 + e % below;
                i64 c = j + 1 + e / below;
                fma(-a(i, j), a(j, c), a(i, c));
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            report(args, problem, info);
        }
        __syncthreads();
    }
}

// Element (i, j) of a block goes over where it lies in the band; else it becomes 0 if the band is read.
template <typename T>
BASALT_DEVICE void copyBandElement(const Args& args, const Stored<T>& a, const Stored<T>& c, i64 i, i64 j) {
    bool reads = args.a.storage == BAND;
    i64 kl = reads ? a.kl : c.kl;
    i64 ku = reads ? a.ku : c.ku;
    if (i - j <= kl && j - i <= ku) {
        c(i, j) = a(i, j);
    } else if (reads) {
        c(i, j) = zero<T>();
    }
}

template <typename T>
BASALT_DEVICE void copyBand(const Args& args) {
    i64 threads = (i64)gridDim.x * blockDim.x;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Stored<T> a = stored<T>(args.a, args.bandA, UPPER, args.m, args.n, problem);
        Stored<T> c = stored<T>(args.c, args.bandC, UPPER, args.m, args.n, problem);
        for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < args.m * args.n; e += threads) {
            copyBandElement(args, a, c, e % args.m, e / args.m);
        }
    }
}

// A thread for each column: the interchanges of later pivots, from the last one back, then the way into the band.
template <typename T>
BASALT_DEVICE void unpivotBand(const Args& args) {
    i64 j = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || j >= args.n) {
            continue;
        }
        Stored<T> a = stored<T>(args.a, args.bandA, UPPER, args.m, args.n, problem);
        Stored<T> c = stored<T>(args.c, args.bandC, UPPER, args.m, args.n, problem);
        const i64* ipiv = at<i64>(args.d, problem);
        for (i64 r = least(args.m, args.n) - 1; r > j; r--) {
            i64 p = ipiv[r] - 1 - args.k;
            if (p > r && p < args.m) {
                T x = a(r, j);
                a(r, j) = a(p, j);
                a(p, j) = x;
            }
        }
        for (i64 i = 0; i < args.m; i++) {
            copyBandElement(args, a, c, i, j);
        }
    }
}

// x := L⁻¹·x with its interchanges, by a warp; false where a pivot is no row.
template <typename T>
BASALT_DEVICE bool lowerSolve(const Stored<T>& a, const i64* ipiv, i64 n, T* x) {
    int lane = threadIdx.x % 32;
    for (i64 j = 0; j < n; j++) {
        i64 p = ipiv[j] - 1;
        if (p < j || p >= n) {
            return false;
        }
        T v = x[p];
        T other = x[j];
        warpBarrier();
        if (lane == 0) {
            x[p] = other;
            x[j] = v;
        }
        warpBarrier();
        for (i64 i = 1 + lane; i <= least(a.kl, n - 1 - j); i += 32) {
            fma(-v, a(j + i, j), x[j + i]);
        }
        warpBarrier();
    }
    return true;
}

// The same with op(L), from the last column back.
template <typename T>
BASALT_DEVICE bool lowerSolveTurned(const Stored<T>& a, bool conjugated, const i64* ipiv, i64 n, T* x) {
    int lane = threadIdx.x % 32;
    for (i64 j = n - 1; j >= 0; j--) {
        i64 p = ipiv[j] - 1;
        if (p < j || p >= n) {
            return false;
        }
        T sum = zero<T>();
        for (i64 i = 1 + lane; i <= least(a.kl, n - 1 - j); i += 32) {
            fma(conj(a(j + i, j), conjugated), x[j + i], sum);
        }
        T v = x[j] - warpSum(sum);
        T other = x[p];
        warpBarrier();
        if (lane == 0) {
            x[j] = p == j ? v : other;
            x[p] = v;
        }
        warpBarrier();
    }
    return true;
}

template <typename T>
BASALT_DEVICE void upperSolve(const Stored<T>& a, i64 n, T* x) {
    int lane = threadIdx.x % 32;
    for (i64 j = n - 1; j >= 0; j--) {
        T v = divide(x[j], a(j, j));
        warpBarrier();
        if (lane == 0) {
            x[j] = v;
        }
        for (i64 i = a.first(j) + lane; i < j; i += 32) {
            fma(-v, a(i, j), x[i]);
        }
        warpBarrier();
    }
}

template <typename T>
BASALT_DEVICE void upperSolveTurned(const Stored<T>& a, bool conjugated, i64 n, T* x) {
    int lane = threadIdx.x % 32;
    for (i64 j = 0; j < n; j++) {
        T sum = zero<T>();
        for (i64 i = a.first(j) + lane; i < j; i += 32) {
            fma(conj(a(i, j), conjugated), x[i], sum);
        }
        T v = divide(x[j] - warpSum(sum), conj(a(j, j), conjugated));
        warpBarrier();
        if (lane == 0) {
            x[j] = v;
        }
        warpBarrier();
    }
}

// A warp for each right-hand side.
template <typename T>
BASALT_DEVICE void gbtrs(const Args& args) {
    i64 n = args.n;
    i64 side = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    bool conjugated = args.opA == CONJ_TRANS;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || side >= args.m) {
            continue;
        }
        Stored<T> a = stored<T>(args.a, args.bandA, UPPER, n, n, problem);
        const i64* ipiv = at<i64>(args.d, problem);
        T* x = at<T>(args.c, problem) + side * args.c.ld;
        bool right = true;
        double nan = fromBits(0x7ff8000000000000ULL);
        if (args.opA == NONE) {
            right = a.kl == 0 || lowerSolve(a, ipiv, n, x);
            upperSolve(a, right ? n : 0, x);
        } else {
            upperSolveTurned(a, conjugated, n, x);
            right = a.kl == 0 || lowerSolveTurned(a, conjugated, ipiv, n, x);
        }
        for (i64 i = threadIdx.x % 32; !right && i < n; i += 32) {
            x[i] = Make<T>::of(nan, nan);
        }
    }
}

// ---- tridiagonal systems

template <typename T>
BASALT_DEVICE int gttrf(i64 n, T* dl, T* d, T* du, T* du2, i64* ipiv) {
    for (i64 i = 0; i < n - 1; i++) {
        bool inside = i < n - 2;
        bool stays = magnitude(d[i]) >= magnitude(dl[i]);
        ipiv[i] = stays ? i + 1 : i + 2;
        if (stays && inside) {
            du2[i] = zero<T>();
        }
        if (stays && !isZero(d[i])) {
            dl[i] = divide(dl[i], d[i]);
            fma(-dl[i], du[i], d[i + 1]);
        } else if (!stays) {
            T fact = divide(d[i], dl[i]);
            T next = d[i + 1];
            T above = du[i];
            d[i] = dl[i];
            dl[i] = fact;
            du[i] = next;
            fma(-fact, next, above);
            d[i + 1] = above;
            if (inside) {
                du2[i] = du[i + 1];
                du[i + 1] = -(fact * du2[i]);
            }
        }
    }
    ipiv[n - 1] = n;
    for (i64 i = 0; i < n; i++) {
        if (isZero(d[i])) {
            return (int)i + 1;
        }
    }
    return 0;
}

template <typename T>
BASALT_DEVICE void gttrs(i64 n, const T* dl, const T* d, const T* du, const T* du2, const i64* ipiv, T* x) {
    for (i64 i = 0; i < n - 1; i++) {
        bool stays = ipiv[i] == i + 1;
        T here = stays ? x[i] : x[i + 1];
        T next = stays ? x[i + 1] : x[i];
        fma(-dl[i], here, next);
        x[i] = here;
        x[i + 1] = next;
    }
    for (i64 i = n - 1; i >= 0; i--) {
        T v = x[i];
        if (i < n - 1) {
            fma(-du[i], x[i + 1], v);
        }
        if (i < n - 2) {
            fma(-du2[i], x[i + 2], v);
        }
        x[i] = divide(v, d[i]);
    }
}

template <typename T>
BASALT_DEVICE void gttrsTurned(bool conjugated, i64 n, const T* dl, const T* d, const T* du, const T* du2, const i64* ipiv,
        T* x) {
    for (i64 i = 0; i < n; i++) {
        T v = x[i];
        if (i > 0) {
            fma(-conj(du[i - 1], conjugated), x[i - 1], v);
        }
        if (i > 1) {
            fma(-conj(du2[i - 2], conjugated), x[i - 2], v);
        }
        x[i] = divide(v, conj(d[i], conjugated));
    }
    for (i64 i = n - 2; i >= 0; i--) {
        bool stays = ipiv[i] == i + 1;
        T next = x[i + 1];
        T v = x[i];
        fma(-conj(dl[i], conjugated), next, v);
        x[i] = stays ? v : next;
        x[i + 1] = stays ? next : v;
    }
}

// A diagonal or a right-hand side whose elements have an increment.
template <typename T>
struct Line {
    T* a;
    i64 inc;

    BASALT_DEVICE T& operator[](i64 i) const { return a[i * inc]; }
};

template <typename T>
BASALT_DEVICE Line<T> lineOf(const Operand& o, i64 problem) {
    Line<T> v;
    v.a = o.base == 0 ? (T*)0 : at<T>(o, problem);
    v.inc = o.ld;
    return v;
}

template <typename T>
BASALT_DEVICE int gtsv(const Args& args, i64 problem) {
    i64 n = args.n;
    Line<T> dl = lineOf<T>(args.a, problem);
    Line<T> d = lineOf<T>(args.b, problem);
    Line<T> du = lineOf<T>(args.f, problem);
    Line<T> b = lineOf<T>(args.c, problem);
    i64 columns = b.inc;
    b.inc = args.x ? b.inc : 1;
    for (i64 i = 0; i < n - 1; i++) {
        bool inside = i < n - 2;
        bool stays = magnitude(d[i]) >= magnitude(dl[i]);
        if (stays && isZero(d[i])) {
            return (int)i + 1;
        }
        T fact = stays ? divide(dl[i], d[i]) : divide(d[i], dl[i]);
        if (stays) {
            fma(-fact, du[i], d[i + 1]);
            if (inside) {
                dl[i] = zero<T>();
            }
        } else {
            T next = d[i + 1];
            T above = du[i];
            d[i] = dl[i];
            du[i] = next;
            fma(-fact, next, above);
            d[i + 1] = above;
            if (inside) {
                dl[i] = du[i + 1];
                du[i + 1] = -(fact * dl[i]);
            }
        }
        for (i64 r = 0; r < args.m; r++) {
            Line<T> x = b;
            x.a += r * columns;
            T here = stays ? x[i] : x[i + 1];
            T next = stays ? x[i + 1] : x[i];
            fma(-fact, here, next);
            x[i] = here;
            x[i + 1] = next;
        }
    }
    if (isZero(d[n - 1])) {
        return (int)n;
    }
    for (i64 r = 0; r < args.m; r++) {
        Line<T> x = b;
        x.a += r * columns;
        for (i64 i = n - 1; i >= 0; i--) {
            T v = x[i];
            if (i < n - 1) {
                fma(-du[i], x[i + 1], v);
            }
            if (i < n - 2) {
                fma(-dl[i], x[i + 2], v);
            }
            x[i] = divide(v, d[i]);
        }
    }
    return 0;
}

// The same by a warp, whose lanes eliminate alike and have right-hand sides of their own: the first of a lane stays in registers.
template <typename T>
BASALT_DEVICE int gtsvByWarp(const Args& args, i64 problem) {
    i64 n = args.n;
    int lane = threadIdx.x % 32;
    Line<T> dl = lineOf<T>(args.a, problem);
    Line<T> d = lineOf<T>(args.b, problem);
    Line<T> du = lineOf<T>(args.f, problem);
    Line<T> b = lineOf<T>(args.c, problem);
    i64 columns = b.inc;
    b.inc = args.x ? b.inc : 1;
    Line<T> own = b;
    own.a += least(lane, args.m - 1) * columns;
    bool has = lane < args.m;
    // Row i of what is left: its diagonal and what is behind it; and what the next step needs, on its way.
    T here = d[0];
    T right = n > 1 ? du[0] : zero<T>();
    T below = n > 1 ? dl[0] : zero<T>();
    T next = n > 1 ? d[1] : zero<T>();
    T further = n > 2 ? du[1] : zero<T>();
    T x = has ? own[0] : zero<T>();
    T y = has && n > 1 ? own[1] : zero<T>();
    for (i64 i = 0; i < n - 1; i++) {
        bool inside = i < n - 2;
        T below1 = inside ? dl[i + 1] : zero<T>();
        T next1 = inside ? d[i + 2] : zero<T>();
        T further1 = i < n - 3 ? du[i + 2] : zero<T>();
        T y1 = has && inside ? own[i + 2] : zero<T>();
        bool stays = magnitude(here) >= magnitude(below);
        if (stays && isZero(here)) {
            if (lane == 0) {
                d[i] = here;
                du[i] = right;
            }
            if (has) {
                own[i] = x;
            }
            return (int)i + 1;
        }
        T fact = stays ? divide(below, here) : divide(here, below);
        T first = stays ? here : below;
        T second = stays ? right : next;
        T third = stays ? zero<T>() : further;
        T rest = stays ? next : right;
        fma(-fact, second, rest);
        // What all lanes have read is put in place by one.
        warpBarrier();
        if (lane == 0) {
            d[i] = first;
            du[i] = second;
            if (inside) {
                dl[i] = third;
            }
        }
        T above = stays ? x : y;
        T kept = stays ? y : x;
        fma(-fact, above, kept);
        if (has) {
            own[i] = above;
        }
        for (i64 r = lane + 32; r < args.m; r += 32) {
            Line<T> z = b;
            z.a += r * columns;
            T upper = stays ? z[i] : z[i + 1];
            T lower = stays ? z[i + 1] : z[i];
            fma(-fact, upper, lower);
            z[i] = upper;
            z[i + 1] = lower;
        }
        x = kept;
        here = rest;
        right = stays ? further : -(fact * third);
        below = below1;
        next = next1;
        further = further1;
        y = y1;
    }
    if (lane == 0) {
        d[n - 1] = here;
    }
    if (has) {
        own[n - 1] = x;
    }
    warpBarrier();
    if (isZero(here)) {
        return (int)n;
    }
    for (i64 r = lane; r < args.m; r += 32) {
        Line<T> z = b;
        z.a += r * columns;
        T after = zero<T>();
        T last = zero<T>();
        for (i64 i = n - 1; i >= 0; i--) {
            T v = z[i];
            if (i < n - 1) {
                fma(-du[i], after, v);
            }
            if (i < n - 2) {
                fma(-dl[i], last, v);
            }
            last = after;
            after = divide(v, d[i]);
            z[i] = after;
        }
    }
    return 0;
}

// ---- tridiagonal systems in shared memory

// An elimination and a substitution soon forget where they began: each of some threads works on rows of its own from a guess, and again from
// where its neighbour ended until nothing changes. Then every row is what one thread would have found, to the last bit.

// What an elimination carries to the next row: its diagonal, what is right of it and its right-hand side.
template <typename T>
struct Carried {
    T here, right, x;
    int info;  // the column of a pivot that was zero, counted from 1: nothing is done behind it
};
// The two unknowns that a substitution found last.
template <typename T>
struct Found {
    T after, last;
};

template <typename T>
BASALT_DEVICE bool sameBits(T x, T y) {
    return orderedBits(re(x)) == orderedBits(re(y)) && orderedBits(im(x)) == orderedBits(im(y));
}
template <typename T>
BASALT_DEVICE bool same(const Carried<T>& v, const Carried<T>& w) {
    return v.info == w.info && sameBits(v.here, w.here) && sameBits(v.right, w.right) && sameBits(v.x, w.x);
}
template <typename T>
BASALT_DEVICE bool same(const Found<T>& v, const Found<T>& w) {
    return sameBits(v.after, w.after) && sameBits(v.last, w.last);
}

// The rows of each of so many threads: an odd number, so that threads meet no bank twice.
BASALT_DEVICE int heldRows(int n, int threads) { return (n + threads - 1) / threads | 1; }

// Systems of a block: their lines, of diagonals and right-hand sides also the row behind each thread's; where threads ended; flags.
template <typename T>
BASALT_DEVICE i64 heldBytes(int n, int threads, int problems) {
    i64 elements = 4 * (i64)problems * heldRows(n, threads) * threads + 3 * problems * threads;
    return elements * (i64)sizeof(T) + problems * threads * (i64)sizeof(Carried<T>) + 16 + 4 * problems;
}

// Rows first to end - 1 of a system, which are one thread's.
template <typename T>
struct HeldLines {
    T* dl;
    T* d;
    T* du;
    T* b;
    int n, first, end;
    int edge;  // where row `end` lies as it was given

    BASALT_DEVICE int place(int i) const { return i == end ? edge : i; }
};

template <typename T>
struct Elimination : HeldLines<T> {
    typedef Carried<T> State;

    // keep: what becomes of the rows is put in their place.
    BASALT_DEVICE State run(State v, bool keep) const {
        const HeldLines<T>& h = *this;
        int last = h.end < h.n ? h.end : h.n - 1;
        if (v.info != 0) {
            return v;
        }
        int j = last > h.first ? h.place(h.first + 1) : h.first;
        T below = h.dl[h.first];
        T next = h.d[j];
        T further = h.du[j];
        T y = h.b[j];
        for (int i = h.first; i < last; i++) {
            // Read ahead of the division that all else waits for.
            int k = i + 1 < last ? i + 1 : i;
            j = h.place(k + 1);
            T below1 = h.dl[k];
            T next1 = h.d[j];
            T further1 = h.du[j];
            T y1 = h.b[j];
            bool stays = magnitude(v.here) >= magnitude(below);
            if (stays && isZero(v.here)) {
                if (keep) {
                    h.d[i] = v.here;
                    h.du[i] = v.right;
                    h.b[i] = v.x;
                }
                v.info = i + 1;
                return v;
            }
            T fact = divide(stays ? below : v.here, stays ? v.here : below);
            T first = stays ? v.here : below;
            T second = stays ? v.right : next;
            T third = stays ? zero<T>() : further;
            T rest = stays ? next : v.right;
            T above = stays ? v.x : y;
            T kept = stays ? y : v.x;
            fma(-fact, second, rest);
            fma(-fact, above, kept);
            if (keep) {
                h.d[i] = first;
                h.du[i] = second;
                h.b[i] = above;
                if (i < h.n - 2) {
                    h.dl[i] = third;
                }
            }
            v.here = rest;
            v.right = stays ? further : -(fact * third);
            v.x = kept;
            below = below1;
            next = next1;
            further = further1;
            y = y1;
        }
        if (keep && h.end == h.n) {
            h.d[h.n - 1] = v.here;
            h.b[h.n - 1] = v.x;
        }
        return v;
    }
};

template <typename T>
struct Substitution : HeldLines<T> {
    typedef Found<T> State;

    BASALT_DEVICE State run(State v, bool keep) const {
        const HeldLines<T>& h = *this;
        T x = h.b[h.end - 1];
        T right = h.du[h.end - 1];
        T further = h.dl[h.end - 1];
        T pivot = h.d[h.end - 1];
        for (int i = h.end - 1; i >= h.first; i--) {
            int k = i > h.first ? i - 1 : i;
            T x1 = h.b[k];
            T right1 = h.du[k];
            T further1 = h.dl[k];
            T pivot1 = h.d[k];
            if (i < h.n - 1) {
                fma(-right, v.after, x);
            }
            if (i < h.n - 2) {
                fma(-further, v.last, x);
            }
            v.last = v.after;
            v.after = divide(x, pivot);
            if (keep) {
                h.b[i] = v.after;
            }
            x = x1;
            right = right1;
            further = further1;
            pivot = pivot1;
        }
        return v;
    }
};

// Rounds in which all threads work from where their neighbours ended. Then they take turns, as what forgets slowly needs them anyway.
static const int FREE_ROUNDS = 12;

// Where a thread is among those that share a system.
struct Seat {
    bool works;
    int before;  // the thread whose end is this one's start; itself if the start is known
    int turn;    // how many threads are before it
};

// From a thread's guess to what its rows come to, which are kept in their place. alone: every start is known. hope: rows are kept in the second round, and
// false is the answer where it was too early.
template <typename Work, typename State>
BASALT_DEVICE bool settle(const Work& work, const Seat& seat, bool alone, bool hope, State start, State& end, State* ends, int* open) {
    int own = threadIdx.x;
    bool runs = seat.works;
    bool keep = alone;
    bool hoped = false;
    for (int round = 0;; round++) {
        if (runs) {
            end = work.run(start, keep);
        }
        if (keep && !hoped) {
            return true;
        }
        if (runs) {
            ends[own] = end;
        }
        if (own == 0) {
            open[(round + 1) % 3] = 0;
        }
        __syncthreads();
        State now = seat.works && seat.before != own ? ends[seat.before] : start;
        bool changed = !same(now, start);
        if (changed) {
            open[round % 3] = 1;
        }
        __syncthreads();
        bool settled = open[round % 3] == 0;
        if (keep) {
            return settled;
        }
        hoped = hope && !settled;
        keep = hope || settled;
        runs = seat.works && (keep || (changed && (round < FREE_ROUNDS || seat.turn == round + 1)));
        if (runs) {
            start = now;
        }
    }
}

// Systems p to p + problems - 1 go into shared memory, each by a warp, or one by the block.
template <typename T>
BASALT_DEVICE void bringLines(const Args& args, const HeldLines<T>& h, int pitch, int problems, i64 p) {
    int group = problems > 1 ? 32 : blockDim.x;
    for (int q = threadIdx.x / group; q < problems && p + q < args.count; q += blockDim.x / group) {
        if (skips(args, p + q)) {
            continue;
        }
        const T* dl = at<T>(args.a, p + q);
        const T* d = at<T>(args.b, p + q);
        const T* du = at<T>(args.f, p + q);
        const T* b = at<T>(args.c, p + q);
        for (int i = threadIdx.x % group; i < h.n; i += group) {
            int inside = i < h.n - 1 ? (int)sizeof(T) : 0;
            copyAhead(h.dl + q * pitch + i, inside ? dl + i : d, inside);
            copyAhead(h.d + q * pitch + i, d + i, (int)sizeof(T));
            copyAhead(h.du + q * pitch + i, inside ? du + i : d, inside);
            copyAhead(h.b + q * pitch + i, b + i, (int)sizeof(T));
        }
    }
    endStage();
    awaitStage<0>();
    __syncthreads();
}

template <typename T>
BASALT_DEVICE void returnLines(const Args& args, const HeldLines<T>& h, int pitch, int problems, i64 p) {
    int group = problems > 1 ? 32 : blockDim.x;
    for (int q = threadIdx.x / group; q < problems && p + q < args.count; q += blockDim.x / group) {
        if (skips(args, p + q)) {
            continue;
        }
        T* dl = at<T>(args.a, p + q);
        T* d = at<T>(args.b, p + q);
        T* du = at<T>(args.f, p + q);
        T* b = at<T>(args.c, p + q);
        for (int i = threadIdx.x % group; i < h.n; i += group) {
            d[i] = h.d[q * pitch + i];
            b[i] = h.b[q * pitch + i];
            if (i < h.n - 1) {
                du[i] = h.du[q * pitch + i];
            }
            if (i < h.n - 2) {
                dl[i] = h.dl[q * pitch + i];
            }
        }
    }
}

// So many problems (z) a block and threads (y) a problem; elements lie one after the other, and there is one right-hand side.
template <typename T>
BASALT_DEVICE void gtsvHeld(const Args& args) {
    int n = (int)args.n;
    int threads = args.y;
    int problems = args.z;
    int rows = heldRows(n, threads);
    int pitch = rows * threads;
    int all = problems * pitch;
    int workers = problems * threads;
    HeldLines<T> h;
    h.n = n;
    h.dl = BASALT_DYNAMIC_SHARED(T);
    h.d = h.dl + all;
    h.du = h.d + all + workers;
    h.b = h.du + all + workers;
    Carried<T>* ends = (Carried<T>*)(h.b + all + workers);
    int* open = (int*)(ends + workers);
    int* infos = open + 4;
    i64 p = (i64)blockIdx.x * problems;
    int own = threadIdx.x;
    int q = own / threads;
    int turn = own % threads;
    Elimination<T> down;
    (HeldLines<T>&)down = h;
    down.dl += q * pitch;
    down.d += q * pitch;
    down.du += q * pitch;
    down.b += q * pitch;
    down.first = turn * rows;
    down.end = (int)least(down.first + rows, n);
    down.edge = all + own - q * pitch;
    Substitution<T> up;
    (HeldLines<T>&)up = down;
    Seat seat;
    seat.works = q < problems && down.first < n && p + q < args.count && !skips(args, p + q);
    int info = 0;
    // What is hoped first is that all has forgotten its start within a thread's rows; else it begins anew.
    for (bool hope = true, done = false; !done; hope = false) {
        if (own < 3) {
            open[own] = 0;
        }
        bringLines(args, h, pitch, problems, p);
        Carried<T> guess;
        guess.here = zero<T>();
        guess.right = zero<T>();
        guess.x = zero<T>();
        guess.info = 0;
        if (seat.works) {
            guess.here = down.d[down.first];
            guess.right = down.du[down.first];
            guess.x = down.b[down.first];
            if (down.end < n) {
                down.d[down.edge] = down.d[down.end];
                down.du[down.edge] = down.du[down.end];
                down.b[down.edge] = down.b[down.end];
            }
        }
        // A thread's rows are its alone from here on.
        __syncthreads();
        seat.before = turn > 0 ? own - 1 : own;
        seat.turn = turn;
        Carried<T> end = guess;
        done = settle(down, seat, threads == 1, hope, guess, end, ends, open);
        if (seat.works && down.end == n) {
            info = end.info == 0 && isZero(end.here) ? n : end.info;
            infos[q] = info;
        }
        __syncthreads();
        if (done) {
            if (own < 3) {
                open[own] = 0;
            }
            __syncthreads();
            Seat back;
            back.works = seat.works && infos[q] == 0;
            back.before = down.end < n ? own + 1 : own;
            back.turn = (n - 1) / rows - turn;
            Found<T> none;
            none.after = zero<T>();
            none.last = zero<T>();
            Found<T> found = none;
            done = settle(up, back, threads == 1, hope, none, found, (Found<T>*)ends, open);
            __syncthreads();
        }
    }
    returnLines(args, h, pitch, problems, p);
    __syncthreads();
    // Only now, as it tells who is to be skipped.
    if (seat.works && down.end == n) {
        report(args, p + q, info);
    }
}

// The problem of a thread, or the count.
BASALT_DEVICE i64 ownProblem(const Args& args) {
    i64 p = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    return p < args.count && !skips(args, p) ? p : args.count;
}

template <typename T>
BASALT_DEVICE void gttrfOf(const Args& args) {
    i64 p = ownProblem(args);
    if (p < args.count) {
        i64 n = args.n;
        report(args, p, gttrf(n, n > 1 ? at<T>(args.a, p) : (T*)0, at<T>(args.b, p), n > 1 ? at<T>(args.c, p) : (T*)0,
                n > 2 ? at<T>(args.f, p) : (T*)0, at<i64>(args.d, p)));
    }
}

// Right-hand sides in y.
template <typename T>
BASALT_DEVICE void gttrsOf(const Args& args) {
    i64 p = ownProblem(args);
    i64 n = args.n;
    for (i64 r = blockIdx.y; p < args.count && r < args.m; r += gridDim.y) {
        const T* dl = n > 1 ? at<T>(args.a, p) : (const T*)0;
        const T* du = n > 1 ? at<T>(args.f, p) : (const T*)0;
        const T* du2 = n > 2 ? at<T>(args.g, p) : (const T*)0;
        T* x = at<T>(args.c, p) + r * args.c.ld;
        if (args.opA == NONE) {
            gttrs(n, dl, (const T*)at<T>(args.b, p), du, du2, at<i64>(args.d, p), x);
        } else {
            gttrsTurned(args.opA == CONJ_TRANS, n, dl, (const T*)at<T>(args.b, p), du, du2, at<i64>(args.d, p), x);
        }
    }
}

// A warp a problem, or so many threads (y) in shared memory.
template <typename T>
BASALT_DEVICE void gtsvWarps(const Args& args) {
    if (args.y > 0) {
        gtsvHeld<T>(args);
        return;
    }
    i64 p = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (p < args.count && !skips(args, p)) {
        int info = gtsvByWarp<T>(args, p);
        if (threadIdx.x % 32 == 0) {
            report(args, p, info);
        }
    }
}

template <typename T>
BASALT_DEVICE void gtsvOf(const Args& args) {
    i64 p = ownProblem(args);
    if (p < args.count) {
        report(args, p, gtsv<T>(args, p));
    }
}

}  // namespace basalt

#define BANDED(t, T)                                                  \
    BASALT_KERNEL(basalt_gbtf2_##t) { basalt::gbtf2<T>(args); }        \
    BASALT_KERNEL(basalt_copy_band_##t) { basalt::copyBand<T>(args); } \
    BASALT_KERNEL(basalt_unpivot_band_##t) { basalt::unpivotBand<T>(args); } \
    BASALT_KERNEL(basalt_gbtrs_##t) { basalt::gbtrs<T>(args); }        \
    BASALT_KERNEL(basalt_gttrf_##t) { basalt::gttrfOf<T>(args); }      \
    BASALT_KERNEL(basalt_gttrs_##t) { basalt::gttrsOf<T>(args); }      \
    BASALT_KERNEL(basalt_gtsv_##t) { basalt::gtsvOf<T>(args); }        \
    BASALT_KERNEL(basalt_gtsv_warps_##t) { basalt::gtsvWarps<T>(args); }
BASALT_EACH_TYPE(BANDED)

#if defined(BASALT_SHIM)
#define HELD(t, T) \
    BASALT_LAYOUT(gtsv_##t, n, threads, problems) { return basalt::heldBytes<T>((int)n, (int)threads, (int)problems); }
BASALT_EACH_TYPE(HELD)
#endif
