// x := op(A)·x and the solution of op(A)·x = b for triangles of at most 32 rows, a warp a problem: lane l has row l, or the l-th from the end of an
// upper triangle. All of a row is on its way before the first product, and unknowns go from lane to lane by shuffles.
#include "chain.h"

namespace basalt {

static const int ORDER = 32;
static const int PIECE = 8;  // columns that are read or not together

template <typename T>
struct LaneOfTriangle {
    StoredTriangle<T> t;
    T* x;
    int n, lane;
    i64 row;
    bool there;
    T left[ORDER] = {};  // of the diagonal, zero where there is none
    T diagonal;          // one if it is not read
    T own;               // of x

    BASALT_DEVICE i64 place(int l) const { return t.lower ? l : n - 1 - l; }
    BASALT_DEVICE const T* address(int l) const { return &(t.flipped ? t.a(place(l), row) : t.a(row, place(l))); }

    // Columns are constants to what is done with each.
    template <typename F>
    BASALT_DEVICE void eachColumn(F f) const {
#pragma unroll
        for (int l0 = 0; l0 < ORDER; l0 += PIECE) {
            if (l0 >= n) {
                break;
            }
#pragma unroll
            for (int l = l0; l < l0 + PIECE; l++) {
                f(l);
            }
        }
    }

    BASALT_DEVICE void load(const Args& args, i64 problem) {
        take(args, problem, t);
        n = (int)args.n;
        lane = threadIdx.x % 32;
        there = lane < n;
        row = place(there ? lane : 0);
        x = at<T>(args.c, problem) + row * args.c.ld;
        own = there ? *x : zero<T>();
        diagonal = there && !t.unit ? t(row, row) : one<T>();
        int first = (int)most(lane - t.reach, 0);
        int end = there ? lane : 0;
        // However a triangle is stored, the way from an element of a row to the next grows by as much each time.
        const T* p = address(0);
        i64 step = address(1) - p;
        i64 growth = address(2) - address(1) - step;
        eachColumn([&](int l) {
            left[l] = l >= first && l < end ? conj(*p, t.conjugated) : zero<T>();
            p += step;
            step += growth;
        });
    }
    BASALT_DEVICE void store(T v) const {
        if (there) {
            *x = v;
        }
    }
    // Adds the products with the elements of all lanes. With SOLVES takes away those with the unknowns, which are the sums themselves.
    template <bool SOLVES>
    BASALT_DEVICE void along(T& sum, T of) const {
        eachColumn([&](int l) {
            T v = shuffle(SOLVES ? sum : of, l);
            if (l < lane) {
                fma(SOLVES ? -left[l] : left[l], v, sum);
            }
        });
    }
    // Whether the row can be divided by its diagonal beforehand.
    BASALT_DEVICE bool divisible(T inverse) const {
        typedef typename Of<T>::Real R;
        R least = smallestNormal(magnitude(inverse));
        R sum = 0;
        eachColumn([&](int l) { sum += magnitude(left[l]); });
        return magnitude(diagonal) >= least && magnitude(inverse) >= least && sum * magnitude(inverse) < 1 / (4 * least);
    }
    BASALT_DEVICE void solve() {
        if (t.unit) {
            along<true>(own, own);
            return;
        }
        T inverse = divide(one<T>(), diagonal);
        if (warpBallot(!divisible(inverse)) != 0) {
            // Row by row: what a row needs is read again.
#pragma unroll 1
            for (int l = 0; l < n; l++) {
                T v = divide(own, diagonal);
                own = lane == l ? v : own;
                v = shuffle(own, l);
                if (l < lane) {
                    fma(-t(row, place(l)), v, own);
                }
            }
            return;
        }
        own = inverse * own;
        eachColumn([&](int l) { left[l] = left[l] * inverse; });
        along<true>(own, own);
    }
};

template <typename T, bool SOLVES>
BASALT_DEVICE void ofWarp(const Args& args) {
    i64 problem = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (problem >= args.count || skips(args, problem)) {
        return;
    }
    LaneOfTriangle<T> r;
    r.load(args, problem);
    if (SOLVES) {
        r.solve();
    } else {
        T x = r.own;
        r.own = r.diagonal * x;
        r.template along<false>(r.own, x);
    }
    r.store(r.own);
}

}  // namespace basalt

#define OF_WARP(t, T) \
    BASALT_KERNEL(basalt_trmv_warp_##t) { basalt::ofWarp<T, false>(args); } \
    BASALT_KERNEL(basalt_trsv_warp_##t) { basalt::ofWarp<T, true>(args); }
BASALT_EACH_TYPE(OF_WARP)
