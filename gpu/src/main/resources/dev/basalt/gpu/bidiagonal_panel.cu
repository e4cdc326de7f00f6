// A panel of the reduction to bidiagonal form whose blocks read their columns from memory, four at a time: once for the column's reflector, and while they are near again for the row's.
#include "bidiagonal_panel.h"

namespace basalt {

template <typename T>
struct ReadColumns : BidiagonalPanel<T, 16> {
    typedef BidiagonalPanel<T, 16> Base;
    typedef typename Base::Memory Memory;
    typedef typename Of<T>::Real R;
    static const int GROUP = Memory::GROUP;
    static const int LIMIT = 160 * 1024;  // bytes
    static const int BATCH = 4;           // loads on their way
    static const int WARPS = 16;
    static const int PAIRS = Base::PAIRS;
    static const int THREADS = Base::THREADS;
    using Base::a;
    using Base::blocks;
    using Base::crosses;
    using Base::k;
    using Base::lane;
    using Base::lda;
    using Base::m;
    using Base::memory;
    using Base::n;
    using Base::partials;
    using Base::rank;
    using Base::right;
    using Base::u;
    using Base::v;
    using Base::warp;

    // What the elements of a row that a warp has seen add to the sums over it.
    struct Seen {
        T cross[2];  // products with columns of R, one or two of a lane
        R sum, most;
        BASALT_DEVICE Seen() : sum(0), most(0) { cross[0] = cross[1] = zero<T>(); }
    };

    bool shared;
    T* product;  // of this block's columns and the row: in shared memory where there is room

    BASALT_DEVICE ReadColumns(const Args& args, i64 problem) : Base(args, problem) {
        shared = args.x != 0;
        product = shared ? memory.rest : partials + rank * m;
    }
    static BASALT_DEVICE i64 bytes(i64 m) {
        i64 whole = Memory::bytes(m);
        return whole <= LIMIT ? whole : Memory::bytes(0);
    }

    BASALT_DEVICE void open(i64) const {}
    BASALT_DEVICE void close() const {}
    BASALT_DEVICE void take(i64) const {}

    BASALT_DEVICE void storeColumn(i64 i, const Made<T>& made) const {
        for (i64 r = i + (i64)rank * THREADS + threadIdx.x; r < m; r += (i64)blocks * THREADS) {
            this->keepColumn(i, r, made.element(v, r, i), made.beta);
        }
    }

    BASALT_DEVICE void storeRow(i64 i, const Made<T>& made) const {
        for (i64 j = i + 1 + (i64)rank * THREADS + threadIdx.x; j < n; j += (i64)blocks * THREADS) {
            this->keepRow(i, j, made.element(u, j, i + 1), made.beta);
        }
    }

    // Products of four columns with the finished column i, in what warps have of them.
    BASALT_DEVICE void multiplyColumn(i64 i, i64 j, const Made<T>& made) const {
        T sums[GROUP];
#pragma unroll
        for (int c = 0; c < GROUP; c++) {
            sums[c] = zero<T>();
        }
        for (i64 r0 = i + threadIdx.x; r0 < m; r0 += BATCH * THREADS) {
            T here[BATCH][GROUP], element[BATCH];
#pragma unroll
            for (int b = 0; b < BATCH; b++) {
                i64 r = r0 + b * THREADS;
                element[b] = r < m ? made.element(v, r, i) : zero<T>();
#pragma unroll
                for (int c = 0; c < GROUP; c++) {
                    here[b][c] = r < m && j + c < n ? a[r + (j + c) * lda] : zero<T>();
                }
            }
#pragma unroll
            for (int b = 0; b < BATCH; b++) {
#pragma unroll
                for (int c = 0; c < GROUP; c++) {
                    fma(conj(here[b][c], true), element[b], sums[c]);
                }
            }
        }
        int which;
        T sum = warpSums<GROUP>(sums, &which);
        if (lane() % (32 / GROUP) == 0) {
            memory.sums[warp() * GROUP + which] = sum;
        }
    }

    // What these columns times their elements of the row add to the product.
    BASALT_DEVICE void multiplyRow(i64 s, i64 j, T* product) const {
        for (i64 r0 = s + threadIdx.x; r0 < m; r0 += BATCH * THREADS) {
            T here[BATCH][GROUP], sum[BATCH];
#pragma unroll
            for (int b = 0; b < BATCH; b++) {
                i64 r = r0 + b * THREADS;
                sum[b] = r < m ? product[r] : zero<T>();
#pragma unroll
                for (int c = 0; c < GROUP; c++) {
                    here[b][c] = r < m && j + c < n ? a[r + (j + c) * lda] : zero<T>();
                }
            }
#pragma unroll
            for (int b = 0; b < BATCH; b++) {
                i64 r = r0 + b * THREADS;
#pragma unroll
                for (int c = 0; c < GROUP; c++) {
                    fma(here[b][c], memory.chosen[c], sum[b]);
                }
                if (r < m) {
                    product[r] = sum[b];
                }
            }
        }
    }

    // A warp: y of a column, whose product with the reflector is what lanes have together; and its element of the row as all pairs change it. `line`: of R, one or two of a lane, `above`: of A.
    BASALT_DEVICE T settle(T dot, const T* line, T above, T factor, T* y) const {
        T off = zero<T>();
#pragma unroll
        for (int q = 0; q < 2; q++) {
            fma(line[q], -memory.factors[lane() + 32 * q], dot);
            fma(line[q], memory.others[lane() + 32 * q], off);
        }
        dot = warpSum(dot);
        off = warpSum(off);
        *y = factor * dot;
        return conj(above, true) - off - *y;
    }

    // What an element of row i behind its first adds to the sums.
    BASALT_DEVICE void see(i64 i, T now, T y, const T* line, Seen& seen) const {
        seen.sum += re(now) * re(now) + im(now) * im(now);
        seen.most = larger(larger(seen.most, absolute(re(now))), absolute(im(now)));
#pragma unroll
        for (int q = 0; q < 2; q++) {
            T c = lane() + 32 * q == 2 * i ? y : line[q];
            fma(conj(c, true), now, seen.cross[q]);
        }
    }

    // The sums of what the first warps, one for each column of a group, have seen of row i.
    BASALT_DEVICE void show(i64 i, int group, const Seen& seen, bool measured) const {
        __syncthreads();
        if (warp() < group) {
            memory.parts[warp() * PAIRS + lane()] = seen.cross[0];
            memory.parts[warp() * PAIRS + 32 + lane()] = seen.cross[1];
            if (lane() == 0) {
                ((R*)memory.scratch)[warp()] = seen.sum;
                ((R*)memory.scratch)[group + warp()] = seen.most;
            }
        }
        __syncthreads();
        if (threadIdx.x <= 2 * i && threadIdx.x < PAIRS) {
            T all = zero<T>();
            for (int w = 0; w < group; w++) {
                all = all + memory.parts[w * PAIRS + threadIdx.x];
            }
            crosses[rank * 2 * k + threadIdx.x] = all;
        }
        if (warp() == 0 && measured) {
            R all = 0;
            R large = 0;
            for (int w = 0; w < group; w++) {
                all += ((R*)memory.scratch)[w];
                large = larger(large, ((R*)memory.scratch)[group + w]);
            }
            this->measure(all, large, 1);
        }
    }

    // Row i as the column's reflector and all pairs change it, y of that pair, and this block's part of the products with what is behind the row's first element: of A, and of columns of R.
    // With `finished` the row is a reflector already.
    BASALT_DEVICE void pass(i64 i, const Made<T>& column, const Made<T>* finished) const {
        i64 s = i + 1;
        i64 groups = (n - s + GROUP - 1) / GROUP;
        Seen seen;
        for (i64 r = s + threadIdx.x; r < m; r += THREADS) {
            product[r] = zero<T>();
        }
        for (i64 g = rank; g < groups; g += blocks) {
            i64 j0 = s + g * GROUP;
            if (finished == 0) {
                multiplyColumn(i, j0, column);
            }
            __syncthreads();
            if (warp() < GROUP) {
                i64 j = j0 + warp();
                T now = zero<T>();
                if (j < n) {
                    T line[2];
#pragma unroll
                    for (int q = 0; q < 2; q++) {
                        i64 l = lane() + 32 * q;
                        line[q] = l < 2 * i ? right[j + l * n] : zero<T>();
                    }
                    T y;
                    if (finished != 0) {
                        y = right[j + 2 * i * n];
                        now = finished->element(u, j, s);
                    } else {
                        T dot = lane() < WARPS ? memory.sums[lane() * GROUP + warp()] : zero<T>();
                        now = settle(dot, line, a[i + j * lda], column.factor, &y);
                        if (lane() == 0) {
                            right[j + 2 * i * n] = y;
                            u[j] = now;
                        }
                    }
                    if (j > s) {
                        see(i, now, y, line, seen);
                    }
                }
                if (lane() == 0) {
                    memory.chosen[warp()] = j > s ? now : zero<T>();
                }
            }
            __syncthreads();
            multiplyRow(s, j0, product);
        }
        show(i, GROUP, seen, finished == 0);
        for (i64 r = s + threadIdx.x; shared && r < m; r += THREADS) {
            partials[rank * m + r] = product[r];
        }
    }
};

template <typename T>
BASALT_DEVICE void labrdPanel(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (!skips(args, problem)) {
        ReadColumns<T> columns(args, problem);
        columns.reduce(columns);
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define BIDIAGONAL_LAYOUT(t, T) \
    BASALT_LAYOUT(labrd_panel_##t, x, y, z) { return basalt::ReadColumns<T>::bytes(x) + 0 * (y + z); }
BASALT_EACH_TYPE(BIDIAGONAL_LAYOUT)
#endif

#define BIDIAGONAL_PANEL(t, T) \
    BASALT_KERNEL(basalt_labrd_panel_##t) { basalt::labrdPanel<T>(args); }
BASALT_EACH_TYPE(BIDIAGONAL_PANEL)
