// LU with partial pivoting of panels of up to 64 rows and columns by a warp: no barriers, and many problems on a multiprocessor. A thread has two
// rows, which stay where they are: what moves are the positions that they would have after the interchanges so far, and they are stored there in
// the end. Columns are taken in strips, which threads keep in registers; those right of a strip lie in shared memory and are brought up to date
// once a strip.
#include "pivot.h"
#include "stages.h"
BASALT_CAPPED_TOO

namespace basalt {

static const int WARP_ROWS = 64;
static const int PITCH = WARP_ROWS + 2;  // elements (g, 2q) of a product of a warp lie in different banks
static const int POSITION = 1 << 16;     // a place is a position, in units of this, and a row

// ---- rows, in shared memory by columns

// All of them, two rows at a time where these are 16 bytes.
template <typename T>
BASALT_DEVICE void bringColumns(T* slice, const T* a, i64 ld, int m, int n) {
    const int t = threadIdx.x;
    if (sizeof(T) == 8 && ((u64)a & 15) == 0 && ld % 2 == 0) {
        int bytes = (int)sizeof(T) * (int)least(most(m - 2 * t, 0), 2);
        T* to = slice + 2 * t;
        const T* from = a + 2 * t;
#pragma unroll 8
        for (int c = 0; c < n; c++) {
            copyAhead16(to, from, bytes);
            to += PITCH;
            from += ld;
        }
    } else {
#pragma unroll 1
        for (int row = t; row < WARP_ROWS; row += 32) {
            int bytes = row < m ? (int)sizeof(T) : 0;
            T* to = slice + row;
            const T* from = a + row;
#pragma unroll 4
            for (int c = 0; c < n; c++) {
                copyAhead(to, from, bytes);
                to += PITCH;
                from += ld;
            }
        }
    }
    endStage();
    awaitStage<0>();
    warpBarrier();
}

template <typename T>
BASALT_DEVICE void returnRow(T* to, i64 ld, const T* from, int n) {
    const int BATCH = 8;  // all loads before the stores, which the compiler must keep in order
    int c = 0;
    for (; c + BATCH <= n; c += BATCH) {
        T v[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            v[u] = from[u * PITCH];
        }
        from += BATCH * PITCH;
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            *to = v[u];
            to += ld;
        }
    }
    for (; c < n; c++) {
        *to = *from;
        from += PITCH;
        to += ld;
    }
}

// ---- pivots

// The bits of a magnitude that a row has in the pivot column: those of the largest are the largest; NaN is beyond all others.
BASALT_DEVICE u64 magnitudeBits(double x) { return orderedBits(x) & ~0ULL >> 1; }
BASALT_DEVICE u64 magnitudeBits(float x) { return magnitudeBits((double)x); }
template <typename R>
BASALT_DEVICE u64 magnitudeBits(Complex<R> x) {
    return orderedBits(magnitude(x));
}

static const u64 CANDIDATE = 1ULL << 63;  // keys of rows that can become pivot rows
static const unsigned NOT_FINITE = 0xfff00000u;

// Whether a pivot's inverse will do, by the upper half of its key.
template <typename R>
BASALT_DEVICE bool invertible(unsigned high) {
    const unsigned reach = sizeof(R) == 8 ? 1000 : 120;
    return high - (1u << 31 | (1023 - reach) << 20) < 2 * reach << 20;
}

// What a thread's candidate has of the strip from column u on goes to p; returns the inverse of its first element.
template <typename T>
BASALT_DEVICE T present(T (&p)[STRIP], const T (&v0)[STRIP], const T (&v1)[STRIP], bool second, int u) {
#pragma unroll
    for (int w = u; w < STRIP; w++) {
        p[w] = second ? v1[w] : v0[w];
    }
    return inverse(p[u]);
}

// Which of a thread's two candidates is better, from keys and places.
BASALT_DEVICE bool secondBetter(u64 key0, u64 key1, int place0, int place1) {
    return key1 > key0 || (key1 == key0 && place1 < place0);
}

// ---- what a strip takes off the columns from `next` on, of the 32 rows at `corner`; v: this thread's part of the strip, which is in the slice too.
// The rows of U are where `places` says. Rows that are not active stay as they are.

template <typename T>
BASALT_DEVICE void takeOff(T* corner, const T* slice, const int* places, const T (&v)[STRIP], bool active, int next, int n) {
    if (!active) {
        return;
    }
    const int FEW = 4;  // columns at a time
    const T* rows[STRIP];
#pragma unroll
    for (int u = 0; u < STRIP; u++) {
        rows[u] = slice + places[u] % POSITION;
    }
    T* mine = corner + threadIdx.x % 32;
    for (int c = next; c < n; c += FEW) {
        T x[FEW];
#pragma unroll
        for (int e = 0; e < FEW; e++) {
            x[e] = c + e < n ? mine[(c + e) * PITCH] : zero<T>();
        }
#pragma unroll
        for (int u = 0; u < STRIP; u++) {
#pragma unroll
            for (int e = 0; e < FEW; e++) {
                fma(-v[u], rows[u][(c + e < n ? c + e : c) * PITCH], x[e]);
            }
        }
#pragma unroll
        for (int e = 0; e < FEW; e++) {
            if (c + e < n) {
                mine[(c + e) * PITCH] = x[e];
            }
        }
    }
}
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
// By products of a warp, which need not read U once for each row: a lane's part of 8·TILES columns. WHOLE: they are all there.
template <int TILES, bool WHOLE>
BASALT_DEVICE void takeOffTiles(
        double* x, const double (&a)[2][4], const bool (&keep)[2][2], const double* u0, const double* u1, int left) {
    const int g = threadIdx.x % 32 / 4;
    const int q = threadIdx.x % 4;
    double c[TILES][2][4];
    double b[TILES][2];
#pragma unroll
    for (int s = 0; s < TILES; s++) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            bool there = WHOLE || s * 8 + 2 * q + e % 2 < left;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                c[s][h][e] = there ? x[(s * 8 + e % 2) * PITCH + h * 16 + e / 2 * 8] : 0;
            }
        }
        bool there = WHOLE || s * 8 + g < left;
        b[s][0] = there ? u0[s * 8 * PITCH] : 0;
        b[s][1] = there ? u1[s * 8 * PITCH] : 0;
    }
#pragma unroll
    for (int s = 0; s < TILES; s++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            warpProduct(c[s][h], a[h], b[s]);
        }
    }
#pragma unroll
    for (int s = 0; s < TILES; s++) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            bool there = WHOLE || s * 8 + 2 * q + e % 2 < left;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                if (there && keep[h][e / 2]) {
                    x[(s * 8 + e % 2) * PITCH + h * 16 + e / 2 * 8] = c[s][h][e];
                }
            }
        }
    }
}
BASALT_DEVICE void takeOff(double* corner, const double* slice, const int* places, const double (&)[STRIP], bool active, int next, int n) {
    const int g = threadIdx.x % 32 / 4;
    const int q = threadIdx.x % 4;
    const unsigned all = warpBallot(active);
    if (all == 0) {
        return;
    }
    double a[2][4];
    bool keep[2][2];
#pragma unroll
    for (int h = 0; h < 2; h++) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            a[h][e] = -corner[(next - STRIP + q + e / 2 * 4) * PITCH + h * 16 + e % 2 * 8 + g];
            keep[h][e % 2] = all >> (h * 16 + e % 2 * 8 + g) & 1;
        }
    }
    double* x = corner + g + (next + 2 * q) * PITCH;
    const double* u0 = slice + places[q] % POSITION + (next + g) * PITCH;
    const double* u1 = slice + places[q + 4] % POSITION + (next + g) * PITCH;
    int c = next;
    for (; c + 16 <= n; c += 16) {
        takeOffTiles<2, true>(x, a, keep, u0, u1, 16);
        x += 16 * PITCH;
        u0 += 16 * PITCH;
        u1 += 16 * PITCH;
    }
    if (c + 8 <= n) {
        takeOffTiles<1, true>(x, a, keep, u0, u1, 8);
        c += 8;
        x += 8 * PITCH;
        u0 += 8 * PITCH;
        u1 += 8 * PITCH;
    }
    if (c < n) {
        takeOffTiles<1, false>(x, a, keep, u0, u1, n - c);
    }
    warpBarrier();  // each thread goes on with its own rows
}
#endif

// A row's part of a strip goes back to the slice, unless it was a pivot row before; `pivot`: of which column of the strip it became one, if it is
// less than `pivots`. Then it has the multipliers left of that, and the others are those of the pivot row.
template <typename T>
BASALT_DEVICE void putBack(T* to, const T (&v)[STRIP], int pivot, int pivots, const Octet<T>* diagonal, int columns) {
    if (pivot < 0) {
        return;
    }
    pivot = pivot < pivots ? pivot : STRIP;
    const T* row = diagonal[pivot % STRIP].v;
#pragma unroll
    for (int w = 0; w < STRIP; w++) {
        if (w < columns) {
            to[w * PITCH] = pivot <= w ? row[w] : v[w];
        }
    }
}

template <typename T>
BASALT_DEVICE void luWarp(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ Octet<T> diagonal[STRIP];  // the strip's pivot rows within it
    __shared__ int places[COLUMNS];       // that the pivots had
    const int t = threadIdx.x;
    const int t1 = t + 32;
    const int m = (int)args.m;
    const int n = (int)args.n;
    const int k = m < n ? m : n;
    const i64 ld = args.c.ld;
    T* slice = BASALT_DYNAMIC_SHARED(T);
    T* column0 = slice + t;
    T* column1 = slice + t1;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        bringColumns(slice, a, ld, m, n);
        int place0 = t < m ? t * POSITION | t : -1;
        int place1 = t1 < m ? t1 * POSITION | t1 : -1;
        int info = 0;
        for (int j0 = 0; j0 < k; j0 += STRIP) {
            const int next = j0 + STRIP;
            const int steps = k - j0 < STRIP ? k - j0 : STRIP;
            T v0[STRIP], v1[STRIP];
#pragma unroll
            for (int w = 0; w < STRIP; w++) {
                v0[w] = j0 + w < n ? column0[(j0 + w) * PITCH] : zero<T>();
                v1[w] = j0 + w < n ? column1[(j0 + w) * PITCH] : zero<T>();
            }
#pragma unroll
            for (int u = 0; u < STRIP; u++) {
                if (u >= steps) {
                    break;
                }
                // A row is a candidate until a column of its position has come.
                const int here = (j0 + u) * POSITION;
                u64 key0 = place0 >= here ? magnitudeBits(v0[u]) | CANDIDATE : 0;
                u64 key1 = place1 >= here ? magnitudeBits(v1[u]) | CANDIDATE : 0;
                bool second = secondBetter(key0, key1, place0, place1);
                u64 key = second ? key1 : key0;
                unsigned high = (unsigned)(key >> 32);
                unsigned most = warpMost(high);
                T p[STRIP];
                T reciprocal = present(p, v0, v1, second, u);
                unsigned lanes = warpBallot(high == most);
                if ((lanes & (lanes - 1)) != 0 || most >= NOT_FINITE) {
                    // Seldom: several are alike in the upper half, or one is not finite. NaN are all alike.
                    key0 = key0 > (u64)NOT_FINITE << 32 ? ~0ULL : key0;
                    key1 = key1 > (u64)NOT_FINITE << 32 ? ~0ULL : key1;
                    second = secondBetter(key0, key1, place0, place1);
                    key = second ? key1 : key0;
                    lanes = 1u << warpWinner(key, second ? place1 : place0);
                    reciprocal = present(p, v0, v1, second, u);
                }
                const int winner = firstLane(lanes);
                int place = second ? place1 : place0;
                place = shuffle(place, winner);
#pragma unroll
                for (int w = u; w < STRIP; w++) {
                    p[w] = shuffle(p[w], winner);
                }
                reciprocal = shuffle(reciprocal, winner);
                if (t == 0) {
                    places[j0 + u] = place;
#pragma unroll
                    for (int w = u; w < STRIP; w++) {
                        diagonal[u].v[w] = p[w];
                    }
                }
                // The row that was here goes where the pivot row was.
                const int there = place & -POSITION;
                const bool displaced0 = (unsigned)(place0 - here) < POSITION;
                const bool displaced1 = (unsigned)(place1 - here) < POSITION;
                place0 = place0 == place ? here | t : displaced0 ? there | t : place0;
                place1 = place1 == place ? here | t1 : displaced1 ? there | t1 : place1;
                // What becomes of pivot rows from their own column on does not matter.
                if (invertible<R>(most)) {
                    v0[u] = v0[u] * reciprocal;
                    v1[u] = v1[u] * reciprocal;
                } else if (isZero(p[u])) {
                    // LAPACK goes on past a zero pivot; below it all is zero, so there is nothing to subtract.
                    info = info == 0 ? j0 + u + 1 : info;
                    continue;
                } else {
                    v0[u] = divide(v0[u], p[u]);
                    v1[u] = divide(v1[u], p[u]);
                }
#pragma unroll
                for (int w = u + 1; w < STRIP; w++) {
                    fma(-v0[u], p[w], v0[w]);
                    fma(-v1[u], p[w], v1[w]);
                }
            }
            warpBarrier();
            putBack(column0 + j0 * PITCH, v0, place0 / POSITION - j0, steps, diagonal, n - j0);
            putBack(column1 + j0 * PITCH, v1, place1 / POSITION - j0, steps, diagonal, n - j0);
            if (next >= n) {
                break;
            }
            warpBarrier();
            // Right of the strip rows of U by substitution, a thread a column, where the pivot rows lie.
            for (int c = next + t; c < n; c += 32) {
                T* at = slice + c * PITCH;
                T x[STRIP];
#pragma unroll
                for (int u = 0; u < STRIP; u++) {
                    if (u < steps) {
                        int row = places[j0 + u] % POSITION;
                        x[u] = at[row];
                        const T* l = slice + j0 * PITCH + row;
#pragma unroll
                        for (int w = 0; w < u; w++) {
                            fma(-l[w * PITCH], x[w], x[u]);
                        }
                        at[row] = x[u];
                    }
                }
            }
            if (next >= k) {
                break;
            }
            warpBarrier();
            takeOff(slice, slice, places + j0, v0, place0 >= next * POSITION, next, n);
            takeOff(slice + 32, slice, places + j0, v1, place1 >= next * POSITION, next, n);
        }
        warpBarrier();
        if (t < m) {
            returnRow(a + place0 / POSITION, ld, column0, n);
        }
        if (t1 < m) {
            returnRow(a + place1 / POSITION, ld, column1, n);
        }
        i64* ipiv = at<i64>(args.d, problem);
        for (int j = t; j < k; j += 32) {
            ipiv[j] = args.p + places[j] / POSITION + 1;
        }
        if (t == 0) {
            conclude(args, problem, info);
        }
        warpBarrier();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define LU_WARP_LAYOUT(t, T) \
    BASALT_LAYOUT(lu_warp_##t, n, unused, none) { return (long long)(basalt::PITCH * n * sizeof(T)); }
BASALT_EACH_TYPE(LU_WARP_LAYOUT)
#endif

#define LU_WARP(t, T) \
    BASALT_KERNEL(basalt_lu_warp_##t) { basalt::luWarp<T>(args); }
BASALT_EACH_TYPE(LU_WARP)
