// Panels of QR, up to 64 columns, each element read and written once: they stay in registers. A warp has some columns and 32 rows a lane's
// register, so a block has some rows of all columns, and with few columns several warps along its rows. A step takes one sum over all rows for
// every column: products of the pivot column with the columns right of it, which it changes, and with those left of it, from which the
// triangle T comes. So there is one exchange between blocks a column.
#include "cluster.h"
#include "reflect.h"

namespace basalt {

// What a warp tells of a column: its part of a product, and the element in the pivot row if it has it.
template <typename T>
struct alignas(16) Part {
    T sum;
    T row;
};

template <typename T>
union Letter {
    Part<T> part;
    u64 words[sizeof(Part<T>) / 8];
};

// What a block keeps beside its registers.
template <typename T>
struct PanelMemory {
    Part<T>* parts;  // of all who tell by columns, twice: for odd exchanges and for even ones
    u64* letters;    // two counters
    T* pivots;       // the pivot column's rows of this block, twice
    T* triangle;     // T by rows, `n + 1` apart
    T* gram;         // products of the pivot column with those left of it, twice
    T* factors;      // tau
    T* inverses;     // what the rows below the diagonal are to be multiplied by
    T* betas;        // the diagonal of R

    BASALT_DEVICE PanelMemory(char* at, int rows, int n, int tellers) {
        parts = (Part<T>*)at;
        letters = (u64*)(parts + 2 * n * tellers);
        pivots = (T*)(letters + 2);
        triangle = pivots + 2 * rows;
        gram = triangle + n * (n + 1);
        factors = gram + 2 * n;
        inverses = factors + n;
        betas = inverses + n;
    }
    BASALT_DEVICE i64 bytes(const char* from, int n) const { return (const char*)(betas + n) - from; }
};

// A reflector as every thread knows it: beta, tau, and what the column is to be multiplied by.
template <typename T>
struct Reflector {
    typename Of<T>::Real beta;
    T tau;
    T inverse;
};

BASALT_DEVICE double plainMost(double) { return 1e125; }
BASALT_DEVICE float plainMost(float) { return 1e12f; }

// From the pivot element and the root of the sum of squares below it, which was scaled by `scale`.
template <typename T>
BASALT_DEVICE Reflector<T> reflector(T alpha, typename Of<T>::Real root, typename Of<T>::Real scale) {
    typedef typename Of<T>::Real R;
    Reflector<T> r;
    R a = re(alpha);
    R b = im(alpha);
    R large = larger(larger(absolute(a), absolute(b)), scale);
    R z = scale / large;
    R x = a / large;
    R y = b / large;
    R beta = betaOf(x, y, z * root);
    r.tau = Make<T>::of((beta - x) / beta, -y / beta);
    r.inverse = times(z, divide(one<T>(), Make<T>::of(x - beta, y)));
    r.beta = large * beta;
    return r;
}

// The same where nothing can overflow or underflow.
template <typename T>
BASALT_DEVICE Reflector<T> plainReflector(T alpha, typename Of<T>::Real squares) {
    typedef typename Of<T>::Real R;
    Reflector<T> r;
    R a = re(alpha);
    R b = im(alpha);
    // All warps do this at once, so divisions are by products with reciprocals.
    R square = a * a + b * b + squares;
    R length = root(square);
    r.beta = a < 0 || (a == 0 && 1 / a < 0) ? length : -length;
    R inverse = 1 / r.beta;
    r.tau = Make<T>::of((r.beta - a) * inverse, -b * inverse);
    R whole = (a - r.beta) * (a - r.beta) + b * b;
    R reciprocal = 1 / whole;
    r.inverse = Make<T>::of((a - r.beta) * reciprocal, -b * reciprocal);
    return r;
}

// What every lane hears after an exchange: of the pivot column, and of its own one.
template <typename T>
struct Heard {
    T squares, alpha;
    T sum, row;
};

// A panel as a thread sees it. MODE says who shares it; K: elements of a column in a lane, at most; EACH: columns of a warp, of which each
// is heard of by SHARE lanes.
template <typename T, int MODE, int K, int EACH>
struct Panel {
    static const int SHARE = 32 / EACH;

    typedef typename Of<T>::Real R;
    // Where there are few the pivot column's stay in registers, too.
    static const bool KEEPS = K * (int)sizeof(T) <= 64;
    // Then lanes have all of them, too: little code is what a step needs most.
    static const bool FULL = KEEPS;

    const Args& args;
    PanelMemory<T> memory;
    int n, across, depth, along;  // columns, warps across them, elements of a lane, this warp's place along the rows
    int tellers, teller, start;   // warps along all rows, this one among them, its first row
    unsigned round;
    T* pivot;

    // A warp's elements of its columns, and of the pivot column; apart from the rest, so that they stay in registers.
    typedef T Columns[EACH][K];
    typedef T Kept[KEEPS ? K : 1];

    BASALT_DEVICE int column(int c) const { return threadIdx.x / 32 % across + across * c; }
    BASALT_DEVICE T* sums() const { return (T*)syncScratch(args) + (i64)(round & 1) * n * (tellers + 1); }
    BASALT_DEVICE const Part<T>* parts() const { return memory.parts + (round & 1) * n * tellers; }

    // Element k of the pivot column below row j.
    BASALT_DEVICE T below(const Kept& kept, int k, int j) const {
        int lane = threadIdx.x % 32;
        return KEEPS ? kept[KEEPS ? k : 0] : start + lane + 32 * k > j ? pivot[lane + 32 * k] : zero<T>();
    }

    // Column j's elements of this warp's rows for all warps that have them.
    BASALT_DEVICE void show(const Columns& a, Kept& kept, int j) {
        int lane = threadIdx.x % 32;
        pivot = memory.pivots + ((j & 1) * (blockDim.x / 32 / across) + along) * 32 * depth;
#pragma unroll
        for (int c = 0; c < EACH; c++) {
            if (column(c) == j) {
#pragma unroll
                for (int k = 0; k < K; k++) {
                    if (FULL || k < depth) {
                        pivot[lane + 32 * k] = a[c][k];
                    }
                }
            }
        }
        __syncthreads();
        if (KEEPS) {
#pragma unroll
            for (int k = 0; k < K; k++) {
                kept[KEEPS ? k : 0] = (FULL || k < depth) && start + lane + 32 * k > j ? pivot[lane + 32 * k] : zero<T>();
            }
        }
    }

    // Sums of conj(x)·y over this warp's rows below row j; that of column lane / SHARE in every lane.
    BASALT_DEVICE T products(const Columns& a, const Kept& kept, int j) const {
        T s[EACH];
#pragma unroll
        for (int c = 0; c < EACH; c++) {
            s[c] = zero<T>();
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            if (FULL || k < depth) {
                T x = conj(below(kept, k, j), true);
#pragma unroll
                for (int c = 0; c < EACH; c++) {
                    fma(x, a[c][k], s[c]);
                }
            }
        }
        int which;
        return warpSums<EACH>(s, &which);
    }

    // Columns C and on. A loop around exchanges between lanes is not unrolled, and then columns would lie in memory.
    template <int C>
    BASALT_DEVICE void rowsFrom(const Columns& a, int at, T& found) const {
        T mine = zero<T>();
#pragma unroll
        for (int k = 0; k < K; k++) {
            T v = a[C][k];
            mine = k == at / 32 ? v : mine;
        }
        mine = shuffle(mine, at % 32);
        found = (int)threadIdx.x % 32 / SHARE == C ? mine : found;
        if constexpr (C + 1 < EACH) {
            rowsFrom<C + 1>(a, at, found);
        }
    }

    // The element in row j of column lane / SHARE, zero where another warp has that row.
    BASALT_DEVICE T rowOf(const Columns& a, int j) const {
        int at = j - start;
        T found = zero<T>();
        if (at >= 0 && at < 32 * depth) {
            rowsFrom<0>(a, at, found);
        }
        return found;
    }

    // Tells all others a sum and a row's element of column lane / SHARE.
    BASALT_DEVICE void tell(T sum, T row, bool rowIsHere) {
        int lane = threadIdx.x % 32;
        round++;
        int w = column(lane / SHARE);
        Part<T>* to = memory.parts + (round & 1) * n * tellers + teller * n + w;
        if (MODE == CLUSTER) {
            u64* letters = memory.letters + (round & 1);
            if (threadIdx.x == 0) {
                expectLetters(letters, (unsigned)(tellers * n * sizeof(Part<T>)));
            }
            Letter<T> letter;
            letter.words[0] = 0;
            letter.words[1] = 0;
            letter.part.sum = sum;
            letter.part.row = row;
#pragma unroll 1
            for (int b = lane % SHARE; b < (int)gridDim.x && w < n; b += SHARE) {
#pragma unroll
                for (int i = 0; i < (int)sizeof(Part<T>) / 8; i += 2) {
                    sendLetter((u64*)to + i, letter.words + i, letters, b);
                }
            }
        } else if (lane % SHARE == 0 && w < n) {
            if (MODE == ALONE) {
                to->sum = sum;
                to->row = row;
            } else {
                sums()[w * tellers + teller] = sum;
                if (rowIsHere) {
                    sums()[n * tellers + w] = row;
                }
            }
        }
    }

    BASALT_DEVICE void await() {
        if (MODE == ALONE) {
            __syncthreads();
        } else if (MODE == CLUSTER) {
            awaitLetters(memory.letters + (round & 1), (round - 1) / 2 % 2);
        } else {
            gridBarrier(counter(args, 0), round);
        }
    }

    BASALT_DEVICE Heard<T> hear(int j) const {
        int lane = threadIdx.x % 32;
        int w = column(lane / SHARE);
        w = w < n ? w : j;
        Heard<T> heard;
        T pivots = zero<T>();
        if (MODE == GRID) {
            // A few loads at a time are on their way.
            const int BATCH = 2;
            const T* all = sums();
            T s[EACH];
#pragma unroll
            for (int c = 0; c < EACH; c++) {
                s[c] = zero<T>();
            }
#pragma unroll 1
            for (int t0 = lane; t0 < tellers; t0 += 32 * BATCH) {
                T v[EACH + 1][BATCH];
#pragma unroll
                for (int c = 0; c <= EACH; c++) {
#pragma unroll
                    for (int u = 0; u < BATCH; u++) {
                        int own = c == EACH || column(c) >= n ? j : column(c);
                        int t = t0 + 32 * u;
                        v[c][u] = t < tellers ? loadShared(all + own * tellers + t) : zero<T>();
                    }
                }
#pragma unroll
                for (int u = 0; u < BATCH; u++) {
#pragma unroll
                    for (int c = 0; c < EACH; c++) {
                        s[c] = s[c] + v[c][u];
                    }
                    pivots = pivots + v[EACH][u];
                }
            }
            heard.row = loadShared(all + n * tellers + w);
            heard.alpha = loadShared(all + n * tellers + j);
            int which;
            heard.sum = warpSums<EACH>(s, &which);
        } else {
            T sum = zero<T>();
#pragma unroll 1
            for (int t = lane % SHARE; t < tellers; t += SHARE) {
                sum = sum + parts()[t * n + w].sum;
            }
#pragma unroll
            for (int mask = 1; mask < SHARE; mask *= 2) {
                sum = sum + shuffleXor(sum, mask);
            }
            heard.sum = sum;
#pragma unroll 1
            for (int t = lane; t < tellers; t += 32) {
                pivots = pivots + parts()[t * n + j].sum;
            }
            int owner = j / (32 * depth);
            heard.row = parts()[owner * n + w].row;
            heard.alpha = parts()[owner * n + j].row;
        }
        heard.squares = warpSum(pivots);
        return heard;
    }

    // Column j of T from those before it: the rows of this warp.
    BASALT_DEVICE void triangleRows(int j) const {
        int lane = threadIdx.x % 32;
        T tau = memory.factors[j];
        const T* gram = memory.gram + (j & 1) * n;
        T s[EACH];
#pragma unroll
        for (int c = 0; c < EACH; c++) {
            int w = column(c);
            s[c] = zero<T>();
#pragma unroll 1
            for (int l = lane; l < j; l += 32) {
                if (l >= w) {
                    fma(memory.triangle[w * (n + 1) + l], gram[l], s[c]);
                }
            }
        }
        int which;
        T sum = warpSums<EACH>(s, &which);
        int w = column(which);
        if (lane % SHARE == 0 && w <= j) {
            memory.triangle[w * (n + 1) + j] = w == j ? tau : -(tau * sum);
        }
        warpBarrier();
    }

    // Rare: the largest element below row j, then all again with the column divided by it.
    BASALT_DEVICE Reflector<T> scaled(Columns& a, Kept& kept, int j, Heard<T>& heard) {
        int lane = threadIdx.x % 32;
        R largest = 0;
#pragma unroll 1
        for (int i = lane; i < 32 * depth; i += 32) {
            T x = start + i > j ? pivot[i] : zero<T>();
            largest = larger(larger(largest, absolute(re(x))), absolute(im(x)));
        }
#pragma unroll 1
        for (int mask = 16; mask > 0; mask >>= 1) {
            largest = larger(largest, shuffleXor(largest, mask));
        }
        tell(Make<T>::real(largest), zero<T>(), false);
        await();
        largest = 0;
#pragma unroll 1
        for (int t = lane; t < tellers; t += 32) {
            largest = larger(largest, re(MODE == GRID ? loadShared(sums() + t) : parts()[t * n].sum));
        }
#pragma unroll 1
        for (int mask = 16; mask > 0; mask >>= 1) {
            largest = larger(largest, shuffleXor(largest, mask));
        }
        if (largest == 0) {
            if (im(heard.alpha) != 0) {
                return reflector(heard.alpha, (R)0, (R)0);
            }
            Reflector<T> none;
            none.beta = re(heard.alpha);
            none.tau = zero<T>();
            none.inverse = zero<T>();
            return none;
        }
        // Every warp along the rows has read them all when the first of them divides.
        __syncthreads();
        if (threadIdx.x / 32 % across == 0) {
#pragma unroll 1
            for (int i = lane; i < 32 * depth; i += 32) {
                pivot[i] = Make<T>::of(re(pivot[i]) / largest, im(pivot[i]) / largest);
            }
        }
        __syncthreads();
        if (KEEPS) {
#pragma unroll
            for (int k = 0; k < K; k++) {
                kept[KEEPS ? k : 0] = (FULL || k < depth) && start + lane + 32 * k > j ? pivot[lane + 32 * k] : zero<T>();
            }
        }
        // What is told of column j itself must be of the divided one.
#pragma unroll
        for (int c = 0; c < EACH; c++) {
            if (column(c) == j) {
#pragma unroll
                for (int k = 0; k < K; k++) {
                    if ((FULL || k < depth) && start + lane + 32 * k > j) {
                        a[c][k] = below(kept, k, j);
                    }
                }
            }
        }
        tell(products(a, kept, j), zero<T>(), false);
        await();
        T row = heard.row;
        T alpha = heard.alpha;
        heard = hear(j);
        heard.row = row;
        heard.alpha = alpha;
        return reflector(alpha, root(re(heard.squares)), largest);
    }

    // What columns C and on of this warp hear of its lanes.
    template <int C>
    BASALT_DEVICE void factorsFrom(T mine, T (&factors)[EACH]) const {
        factors[C] = shuffle(mine, SHARE * C);
        if constexpr (C + 1 < EACH) {
            factorsFrom<C + 1>(mine, factors);
        }
    }

    // Changes this warp's columns by the reflector of column j, which itself is multiplied in the end.
    BASALT_DEVICE void change(
            Columns& a, const Kept& kept, int j, const Reflector<T>& r, const Heard<T>& heard, bool wanted) {
        int lane = threadIdx.x % 32;
        const T f = conj(r.tau, true);
        if (!isZero(f)) {
            T factors[EACH];
            factorsFrom<0>(-(f * (heard.row + conj(r.inverse, true) * heard.sum)), factors);
#pragma unroll
            for (int k = 0; k < K; k++) {
                if (FULL || k < depth) {
                    T v = start + lane + 32 * k == j ? one<T>() : below(kept, k, j) * r.inverse;
#pragma unroll
                    for (int c = 0; c < EACH; c++) {
                        if (column(c) > j) {
                            fma(factors[c], v, a[c][k]);
                        }
                    }
                }
            }
        }
        if (threadIdx.x == 0) {
            memory.factors[j] = r.tau;
            memory.inverses[j] = r.inverse;
            memory.betas[j] = Make<T>::real(r.beta);
        }
        int w = column(lane / SHARE);
        if (wanted && along == 0 && lane % SHARE == 0 && w < j) {
            T before = conj(memory.inverses[w], true);
            memory.gram[(j & 1) * n + w] = before * (conj(heard.row, true) + r.inverse * conj(heard.sum, true));
        }
    }
};

template <typename T, int MODE, int K, int EACH>
BASALT_DEVICE void qrPanel(const Args& args) {
    typedef typename Of<T>::Real R;
    const int lane = threadIdx.x % 32;
    const int m = (int)args.m;
    const int n = (int)args.n;
    const int rank = MODE == ALONE ? 0 : blockIdx.x;
    const int across = (n + EACH - 1) / EACH;
    const int warpsAlong = blockDim.x / 32 / across;
    const int depth = args.x;
    const int along = threadIdx.x / 32 / across;
    const int tellers = (MODE == ALONE ? 1 : (int)gridDim.x) * warpsAlong;
    const int teller = rank * warpsAlong + along;
    Panel<T, MODE, K, EACH> panel = {
            args,
            PanelMemory<T>(BASALT_DYNAMIC_SHARED(char), 32 * depth * warpsAlong, n, MODE == GRID ? 0 : tellers),
            n, across, depth, along, tellers, teller, teller * 32 * depth, 0, nullptr};
    const int start = panel.start;
    if (MODE == CLUSTER) {
        if (threadIdx.x == 0) {
            openLetters(panel.memory.letters);
            openLetters(panel.memory.letters + 1);
        }
        clusterBarrier();
    }
    // As a grid there is one launch a problem.
    i64 end = MODE == GRID ? args.y + 1 : args.count;
#pragma unroll 1
    for (i64 problem = MODE == GRID ? args.y : blockIdx.z; problem < end; problem += gridDim.z) {
        if (skips(args, problem)) {
            continue;
        }
        Read<T> matrix = read<T>(args, args.c, problem, m, n);
        const bool wanted = args.b.base != 0 && rank == 0;
        typename Panel<T, MODE, K, EACH>::Columns a;
        typename Panel<T, MODE, K, EACH>::Kept kept;
        kept[0] = zero<T>();
#pragma unroll
        for (int c = 0; c < EACH; c++) {
#pragma unroll
            for (int k = 0; k < K; k++) {
                int row = start + lane + 32 * k;
                bool there = (Panel<T, MODE, K, EACH>::FULL || k < depth) && row < m && panel.column(c) < n;
                a[c][k] = there ? matrix.element(row, panel.column(c)) : zero<T>();
            }
        }
#pragma unroll 1
        for (int j = 0; j < n; j++) {
            panel.show(a, kept, j);
            bool here = j >= start && j < start + 32 * depth;
            T row = panel.rowOf(a, j);
            panel.tell(panel.products(a, kept, j), row, here);
            // While the others' letters are on their way.
            if (wanted && along == 0 && j > 0) {
                panel.triangleRows(j - 1);
            }
            panel.await();
            Heard<T> heard = panel.hear(j);
            R squares = re(heard.squares);
            bool plain = squares > fewest(squares) && squares < most(squares)
                         && absolute(re(heard.alpha)) < plainMost(squares)
                         && absolute(im(heard.alpha)) < plainMost(squares);
            Reflector<T> r;
            if (plain) {
                r = plainReflector(heard.alpha, squares);
            } else {
                r = panel.scaled(a, kept, j, heard);
            }
            panel.change(a, kept, j, r, heard, wanted);
        }
        __syncthreads();
        if (wanted && along == 0) {
            panel.triangleRows(n - 1);
            Read<T> t = triangleOf<T>(args, args.b, problem, n);
#pragma unroll 1
            for (int c = 0; c < EACH; c++) {
                int w = panel.column(c);
#pragma unroll 1
                for (int l = lane; l < n; l += 32) {
                    if (w <= l) {
                        t(w, l) = panel.memory.triangle[w * (n + 1) + l];
                    }
                }
            }
        }
#pragma unroll
        for (int c = 0; c < EACH; c++) {
            int w = panel.column(c);
            if (w < n) {
                T inverse = panel.memory.inverses[w];
                T beta = panel.memory.betas[w];
#pragma unroll
                for (int k = 0; k < K; k++) {
                    int row = start + lane + 32 * k;
                    if ((Panel<T, MODE, K, EACH>::FULL || k < depth) && row < m) {
                        T v = row > w ? a[c][k] * inverse : row == w ? beta : a[c][k];
                        matrix(row, w) = conj(v, matrix.turned);
                    }
                }
            }
        }
        if (rank == 0) {
#pragma unroll 1
            for (int w = threadIdx.x; w < n; w += blockDim.x) {
                *factor<T>(args, problem, n, w) = panel.memory.factors[w];
            }
        }
        if (MODE == CLUSTER) {
            clusterBarrier();  // nobody leaves while letters may come
        }
        if (MODE == GRID && threadIdx.x == 0) {
            // The last block to leave puts the counters back.
            __threadfence();
            if (atomicAdd(counter(args, 1), 1u) == gridDim.x - 1) {
                *counter(args, 0) = 0;
                *counter(args, 1) = 0;
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
// rows of a block, columns, and who tells through shared memory
#define QR_LAYOUT(t, T) \
    BASALT_LAYOUT(qr_panel_##t, rows, n, tellers) { \
        return basalt::PanelMemory<T>(nullptr, (int)rows, (int)n, (int)tellers).bytes(nullptr, (int)n); \
    }
BASALT_EACH_TYPE(QR_LAYOUT)
#endif

// Registers of a lane for a column are 32 bytes, and 192 where a block has half as many threads and a warp half as many columns.
#define QR_PANEL(t, T)                                                                                    \
    BASALT_KERNEL(basalt_qr_alone_##t) { basalt::qrPanel<T, basalt::ALONE, 32 / sizeof(T), 8>(args); } \
    BASALT_KERNEL(basalt_qr_slices_##t) { basalt::qrPanel<T, basalt::GRID, 32 / sizeof(T), 8>(args); } \
    BASALT_KERNEL(basalt_qr_tall_##t) { basalt::qrPanel<T, basalt::GRID, 192 / sizeof(T), 4>(args); }
BASALT_EACH_TYPE(QR_PANEL)

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
#define QR_CLUSTER(t, T)                                                                                        \
    BASALT_KERNEL(basalt_qr_cluster_8_##t) { basalt::qrPanel<T, basalt::CLUSTER, 32 / sizeof(T), 8>(args); } \
    BASALT_KERNEL(basalt_qr_cluster_16_##t) { basalt::qrPanel<T, basalt::CLUSTER, 32 / sizeof(T), 8>(args); }
BASALT_EACH_TYPE(QR_CLUSTER)
#endif
