// A panel of the reduction of a symmetric or Hermitian matrix to tridiagonal form, by all blocks of a cooperative launch. Three barriers a column: behind the column as
// the panel changes it, behind its reflector's products, and behind what becomes of them. The stored triangle is read once a column: blocks take groups of eight columns in
// turn, and each shows its part of the product. All else is shared by rows, 32 at a time. Sums are added up in one order, whoever comes first.
// An upper triangle is a lower one that is read from its end, so columns are counted from where the reduction begins.
#include "cluster.h"
#include "reflect.h"

namespace basalt {

// What a block keeps in shared memory.
template <typename T>
struct TridiagonalMemory {
    static const int WARPS = 16;
    static const int COLUMNS = 8;                // of a group
    static const int GROUPS = 256 / sizeof(T);   // whose sums are kept at once
    static const int FACTORS = 128;              // of columns of the panel that are taken off at once
    T* parts;    // of 32 rows, by each warp
    T* sums;     // of the columns of all groups, by each warp
    T* vector;   // the reflector's elements in the rows of these columns
    T* factors;  // products with columns of the panel
    T* scratch;

    BASALT_DEVICE TridiagonalMemory(char* at) {
        parts = (T*)at;
        sums = parts + WARPS * 32;
        vector = sums + WARPS * GROUPS * COLUMNS;
        factors = vector + GROUPS * COLUMNS;
        scratch = factors + FACTORS;
    }
    BASALT_DEVICE i64 bytes(const char* from) const { return (const char*)(scratch + 33) - from; }
};

// Element (i, j) lies i·di + j·dj behind a.
template <typename T>
struct Mirrored {
    T* a;
    i64 di, dj;

    BASALT_DEVICE T& operator()(i64 i, i64 j) const { return a[i * di + j * dj]; }
};

template <typename T>
struct TridiagonalPanel {
    typedef typename Of<T>::Real R;
    typedef TridiagonalMemory<T> Memory;
    static const int WARPS = Memory::WARPS;
    static const int THREADS = 32 * WARPS;
    static const int COLUMNS = Memory::COLUMNS;
    static const int ROWS = sizeof(T) == 16 ? 1 : 16 / sizeof(T);  // of a thread in a group
    static const int BATCH = 4;                                     // loads on their way

    const Args& args;
    Memory memory;
    Mirrored<T> a, w;
    i64 n, k;
    int rank, blocks;
    unsigned round;
    T* x;        // the column as it is before its reflector is made
    T* y;        // what the column of w is but for a multiple of the reflector
    T* dots;     // products of columns of the panel with the reflector, each in some parts
    T* crosses;  // yᴴ·v, a part a block
    T* special;  // the factor of a reflector that one block has made
    R* squares;  // of x, a part a block; and the largest
    R* largest;
    T* partials;  // products with the triangle, n of each block
    R* beside;    // element p lies p·order on
    T* tau;
    int order;

    BASALT_DEVICE TridiagonalPanel(const Args& arguments, i64 problem)
        : args(arguments), memory(BASALT_DYNAMIC_SHARED(char)), n(arguments.n), k(arguments.k), rank(blockIdx.x), blocks(gridDim.x), round(0) {
        bool lower = args.uplo == LOWER;
        i64 lda = args.c.ld;
        i64 ldw = args.f.ld;
        order = lower ? 1 : -1;
        a.a = at<T>(args.c, problem) + (lower ? 0 : (n - 1) * (1 + lda));
        a.di = order;
        a.dj = order * lda;
        w.a = at<T>(args.f, problem) + (lower ? 0 : n - 1 + (k - 1) * ldw);
        w.di = order;
        w.dj = order * ldw;
        beside = n > 1 ? at<R>(args.b, problem) + (lower ? 0 : n - 2) : 0;
        tau = n > 1 ? at<T>(args.d, problem) + (lower ? 0 : n - 2) : 0;
        x = (T*)args.work;
        y = x + n;
        dots = y + n;
        crosses = dots + 2 * k + blocks;
        special = crosses + blocks;
        squares = (R*)(special + 1);
        largest = (R*)(special + 1 + blocks);
        partials = special + 1 + 2 * blocks;
    }

    BASALT_DEVICE int lane() const { return threadIdx.x % 32; }
    BASALT_DEVICE int warp() const { return threadIdx.x / 32; }

    BASALT_DEVICE void barrier() {
        round++;
        gridBarrier(counter(args, 0), round);
    }

    // The number by which the reflector of column p is taken into that column of w.
    BASALT_DEVICE T multiple(T factor) const {
        T sum = zero<T>();
        for (int b = lane(); b < blocks; b += 32) {
            sum = sum + crosses[b];
        }
        return times((R)-0.5, factor * warpSum(sum));
    }

    // The sum of what warps have of 32 rows, in the first of them.
    BASALT_DEVICE T gather(T part) const {
        memory.parts[threadIdx.x] = part;
        __syncthreads();
        T sum = zero<T>();
        if (warp() == 0) {
#pragma unroll
            for (int v = 0; v < WARPS; v++) {
                sum = sum + memory.parts[v * 32 + lane()];
            }
        }
        __syncthreads();
        return sum;
    }

    // What a warp's share of the first `columns` columns of the panel takes off row i of column p.
    BASALT_DEVICE T changes(i64 i, bool inside, i64 p, i64 columns) const {
        T sum = zero<T>();
        for (i64 l0 = warp(); l0 < 2 * columns; l0 += BATCH * WARPS) {
            T here[BATCH], there[BATCH];
#pragma unroll
            for (int b = 0; b < BATCH; b++) {
                i64 l = l0 + b * WARPS;
                bool of = inside && l < 2 * columns;
                bool second = l >= columns;
                i64 column = second ? l - columns : l;
                here[b] = of ? (second ? w : a)(i, column) : zero<T>();
                there[b] = of ? (second ? a : w)(p, column) : zero<T>();
            }
#pragma unroll
            for (int b = 0; b < BATCH; b++) {
                fma(here[b], conj(there[b], true), sum);
            }
        }
        return sum;
    }

    // Column p as the columns before it change it; the column of w before it is finished. `factor`: of the reflector before.
    BASALT_DEVICE void update(i64 p, T factor) {
        T f = zero<T>();
        T below = zero<T>();
        if (p > 0) {
            f = multiple(factor);
            below = y[p] + f;
        }
        R sum = 0;
        R most = 0;
        for (i64 i0 = 32 * (i64)rank; i0 < n; i0 += 32 * (i64)blocks) {
            i64 i = i0 + lane();
            bool inside = i >= p && i < n;
            bool finishes = inside && warp() == 0;
            T own = finishes ? a(i, p) : zero<T>();
            T v = finishes && p > 0 ? a(i, p - 1) : zero<T>();
            T last = finishes && p > 0 ? y[i] : zero<T>();
            T before = gather(changes(i, inside, p, p - 1));
            if (finishes) {
                if (p > 0) {
                    fma(f, v, last);
                    w(i, p - 1) = last;
                    fma(v, conj(below, true), before);
                    before = before + last;
                }
                T now = own - before;
                if (i == p) {
                    a(p, p) = dropImaginary(now);
                } else {
                    x[i] = now;
                    if (i > p + 1) {
                        sum += re(now) * re(now) + im(now) * im(now);
                        most = larger(larger(most, absolute(re(now))), absolute(im(now)));
                    }
                }
            }
        }
        if (warp() == 0) {
            sum = warpSum(sum);
            for (int mask = 16; mask > 0; mask >>= 1) {
                most = larger(most, shuffleXor(most, mask));
            }
            if (lane() == 0) {
                squares[rank] = sum;
                largest[rank] = most;
            }
        }
    }

    // The reflector of column p, as every thread makes it for itself: its factor, and what x is multiplied by.
    BASALT_DEVICE T reflector(i64 p, T* inverse) {
        R sum = 0;
        R most = 0;
        for (int b = lane(); b < blocks; b += 32) {
            sum += squares[b];
            most = larger(most, largest[b]);
        }
        sum = warpSum(sum);
        for (int mask = 16; mask > 0; mask >>= 1) {
            most = larger(most, shuffleXor(most, mask));
        }
        T alpha = x[p + 1];
        T factor = zero<T>();
        R beta = re(alpha);
        *inverse = one<T>();
        if (most != 0 && !(sum > fewest(sum) && sum < basalt::most(sum))) {
            // The squares overflow or vanish, or there is NaN: one block takes care.
            if (rank == 0) {
                T made = larfg(x + p + 1, x + p + 2, (i64)1, n - 2 - p, false, (R*)memory.scratch);
                if (threadIdx.x == 0) {
                    *special = made;
                }
            }
            barrier();
            factor = *special;
            beta = re(x[p + 1]);
        } else if (most != 0 || im(alpha) != 0) {
            R re0 = re(alpha);
            R im0 = im(alpha);
            beta = betaOf(re0, im0, root(sum));
            factor = Make<T>::of((beta - re0) / beta, -im0 / beta);
            *inverse = divide(one<T>(), Make<T>::of(re0 - beta, im0));
        }
        if (rank == 0 && threadIdx.x == 0) {
            beside[p * order] = beta;
            tau[p * order] = factor;
        }
        return factor;
    }

    // Element i of that reflector.
    BASALT_DEVICE T element(i64 p, i64 i, T inverse) const { return i == p + 1 ? one<T>() : x[i] * inverse; }

    BASALT_DEVICE void store(i64 p, T inverse) const {
        for (i64 i0 = 32 * (i64)rank; i0 < n; i0 += 32 * (i64)blocks) {
            i64 i = i0 + lane();
            if (warp() == WARPS - 1 && i > p && i < n) {
                a(i, p) = element(p, i, inverse);
            }
        }
    }

    // In so many parts are the products with each of 2p columns.
    BASALT_DEVICE int pieces(i64 p) const { return (int)basalt::most(1, blocks / (2 * p)); }

    // Products of the columns of the panel with the reflector: of w, then of those of a.
    BASALT_DEVICE void multiplyPanel(i64 p, T inverse) const {
        if (p == 0) {
            return;
        }
        int each = pieces(p);
        i64 rows = n - 1 - p;
        i64 piece = (rows + each - 1) / each;
        // The blocks that come last have fewer groups of the triangle.
        for (i64 item = blocks - 1 - rank; item < 2 * p * each; item += blocks) {
            i64 column = item / each;
            i64 from = p + 1 + item % each * piece;
            i64 end = least(n, from + piece);
            const T* c = column < p ? &w(0, column) : &a(0, column - p);
            T sum = zero<T>();
            for (i64 i0 = from + threadIdx.x; i0 < end; i0 += BATCH * THREADS) {
                T here[BATCH], v[BATCH];
#pragma unroll
                for (int b = 0; b < BATCH; b++) {
                    i64 i = i0 + b * THREADS;
                    here[b] = i < end ? c[i * order] : zero<T>();
                    v[b] = i < end ? element(p, i, inverse) : zero<T>();
                }
#pragma unroll
                for (int b = 0; b < BATCH; b++) {
                    fma(conj(here[b], true), v[b], sum);
                }
            }
            sum = blockSum(sum, memory.scratch);
            if (threadIdx.x == 0) {
                dots[item] = sum;
            }
        }
    }

    // The group of columns that this block takes in a turn: to and fro, so that all have columns of the same length in sum.
    BASALT_DEVICE i64 group(i64 turn) const { return turn * blocks + (turn % 2 == 0 ? rank : blocks - 1 - rank); }

    // A warp's rows from i0 on of a group from column j on, in both ways: adds to the product of its rows, and to the sums of the group's columns.
    template <bool EDGE>
    BASALT_DEVICE void multiplyGroup(i64 i0, i64 j, const T* vector, const T (&v)[ROWS], T (&product)[ROWS], T* sums) const {
        T here[ROWS][COLUMNS];
        T column[COLUMNS];
        const T* from = &a(i0 + lane(), j);
        int below = (int)least(i0 - j, COLUMNS) + lane();
        i64 inside = n - i0 - lane();
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                bool there = !EDGE || (u <= below + 32 * r && 32 * r < inside);
                here[r][u] = there ? from[32 * r * order] : zero<T>();
            }
            from += a.dj;
        }
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            column[u] = zero<T>();
            T other = vector[u];
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                T element = here[r][u];
                bool diagonal = EDGE && u == below + 32 * r;
                fma(diagonal ? dropImaginary(element) : element, other, product[r]);
                fma(diagonal ? zero<T>() : conj(element, true), v[r], column[u]);
            }
        }
        int which;
        T sum = warpSums<COLUMNS>(column, &which);
        if (lane() % (32 / COLUMNS) == 0) {
            sums[which] = sums[which] + sum;
        }
    }

    // This block's part of the product of what is left of the matrix, as it was before the panel, with the reflector.
    BASALT_DEVICE void multiplyTriangle(i64 p, T inverse) const {
        i64 s = p + 1;
        i64 groups = (n - s + COLUMNS - 1) / COLUMNS;
        T* part = partials + rank * n;
        T* sums = memory.sums + warp() * (Memory::GROUPS * COLUMNS);
        for (i64 first = 0; group(first) < groups; first += Memory::GROUPS) {
            int turns = 0;
            while (turns < Memory::GROUPS && group(first + turns) < groups) {
                turns++;
            }
            for (int e = threadIdx.x; e < turns * COLUMNS; e += THREADS) {
                i64 j = s + group(first + e / COLUMNS) * COLUMNS + e % COLUMNS;
                memory.vector[e] = j < n ? element(p, j, inverse) : zero<T>();
            }
            for (int e = lane(); e < turns * COLUMNS; e += 32) {
                sums[e] = zero<T>();
            }
            __syncthreads();
            // Rows in step with those of the whole panel, so that loads are as aligned as the matrix.
            for (i64 i0 = s / 32 * 32 + warp() * (32 * ROWS); i0 < n; i0 += THREADS * ROWS) {
                T v[ROWS], product[ROWS];
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    i64 i = i0 + 32 * r + lane();
                    v[r] = i >= s && i < n ? element(p, i, inverse) : zero<T>();
                    product[r] = zero<T>();
                }
                for (int turn = 0; turn < turns; turn++) {
                    i64 j = s + group(first + turn) * COLUMNS;
                    if (j >= i0 + 32 * ROWS) {
                        break;
                    }
                    const T* vector = memory.vector + turn * COLUMNS;
                    if (i0 >= j + COLUMNS && i0 + 32 * ROWS <= n) {
                        multiplyGroup<false>(i0, j, vector, v, product, sums + turn * COLUMNS);
                    } else {
                        multiplyGroup<true>(i0, j, vector, v, product, sums + turn * COLUMNS);
                    }
                }
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    i64 i = i0 + 32 * r + lane();
                    if (i >= s && i < n) {
                        part[i] = first == 0 ? product[r] : part[i] + product[r];
                    }
                }
            }
            __syncthreads();
            for (int e = threadIdx.x; e < turns * COLUMNS; e += THREADS) {
                i64 j = s + group(first + e / COLUMNS) * COLUMNS + e % COLUMNS;
                T sum = zero<T>();
#pragma unroll
                for (int v = 0; v < WARPS; v++) {
                    sum = sum + memory.sums[v * (Memory::GROUPS * COLUMNS) + e];
                }
                if (j < n) {
                    part[j] = part[j] + sum;
                }
            }
            __syncthreads();
        }
    }

    // The products of all blocks less what the panel has changed, times the factor: y; and this block's part of yᴴ·v.
    BASALT_DEVICE void combine(i64 p, T factor) const {
        i64 s = p + 1;
        int shown = (int)least(blocks, (n - s + COLUMNS - 1) / COLUMNS);
        int each = p == 0 ? 0 : pieces(p);
        T cross = zero<T>();
        for (i64 i0 = 32 * (i64)rank; i0 < n; i0 += 32 * (i64)blocks) {
            i64 i = i0 + lane();
            bool inside = i >= s && i < n;
            T v = inside && warp() == 0 ? a(i, p) : zero<T>();
            T sum = zero<T>();
            for (int b0 = warp(); b0 < shown; b0 += 2 * BATCH * WARPS) {
                T part[2 * BATCH];
#pragma unroll
                for (int b = 0; b < 2 * BATCH; b++) {
                    int block = b0 + b * WARPS;
                    part[b] = inside && block < shown ? partials[block * n + i] : zero<T>();
                }
#pragma unroll
                for (int b = 0; b < 2 * BATCH; b++) {
                    sum = sum + part[b];
                }
            }
            for (i64 l0 = 0; l0 < 2 * p; l0 += Memory::FACTORS) {
                if (threadIdx.x < Memory::FACTORS && l0 + threadIdx.x < 2 * p) {
                    T dot = zero<T>();
#pragma unroll 4
                    for (int h = 0; h < each; h++) {
                        dot = dot - dots[(l0 + threadIdx.x) * each + h];
                    }
                    memory.factors[threadIdx.x] = dot;
                }
                // Column l of a goes with the product of that of w, and the other way round.
                T here[Memory::FACTORS / WARPS];
#pragma unroll
                for (int b = 0; b < Memory::FACTORS / WARPS; b++) {
                    i64 l = l0 + warp() + b * WARPS;
                    here[b] = inside && l < 2 * p ? (l < p ? a(i, l) : w(i, l - p)) : zero<T>();
                }
                __syncthreads();
#pragma unroll
                for (int b = 0; b < Memory::FACTORS / WARPS; b++) {
                    int l = warp() + b * WARPS;
                    if (l0 + l < 2 * p) {
                        fma(here[b], memory.factors[l], sum);
                    }
                }
                __syncthreads();
            }
            sum = gather(sum);
            if (inside && warp() == 0) {
                sum = factor * sum;
                y[i] = sum;
                fma(conj(sum, true), v, cross);
            }
        }
        if (warp() == 0) {
            cross = warpSum(cross);
            if (lane() == 0) {
                crosses[rank] = cross;
            }
        }
    }

    // The last column of w.
    BASALT_DEVICE void finish(i64 p, T factor) const {
        T f = multiple(factor);
        for (i64 i0 = 32 * (i64)rank; i0 < n; i0 += 32 * (i64)blocks) {
            i64 i = i0 + lane();
            if (warp() == 0 && i > p && i < n) {
                T now = y[i];
                fma(f, a(i, p), now);
                w(i, p) = now;
            }
        }
    }

    BASALT_DEVICE void run() {
        T factor = zero<T>();
        for (i64 p = 0; p < k; p++) {
            update(p, factor);
            if (p == n - 1) {
                break;
            }
            barrier();
            T inverse;
            factor = reflector(p, &inverse);
            store(p, inverse);
            multiplyPanel(p, inverse);
            multiplyTriangle(p, inverse);
            barrier();
            combine(p, factor);
            barrier();
        }
        if (k < n) {
            finish(k - 1, factor);
        }
        // Nobody reads what w has beside the rows that are left.
        for (i64 e = (i64)rank * THREADS + threadIdx.x; e < k * k; e += (i64)blocks * THREADS) {
            if (e % k <= e / k) {
                w(e % k, e / k) = zero<T>();
            }
        }
        leaveGrid(args);
    }
};

template <typename T>
BASALT_DEVICE void latrdPanel(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (!skips(args, problem)) {
        TridiagonalPanel<T>(args, problem).run();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define TRIDIAGONAL_LAYOUT(t, T) \
    BASALT_LAYOUT(latrd_panel_##t, x, y, z) { return basalt::TridiagonalMemory<T>(nullptr).bytes(nullptr) + 0 * (x + y + z); }
BASALT_EACH_TYPE(TRIDIAGONAL_LAYOUT)
#endif

#define TRIDIAGONAL_PANEL(t, T) \
    BASALT_KERNEL(basalt_latrd_panel_##t) { basalt::latrdPanel<T>(args); }
BASALT_EACH_TYPE(TRIDIAGONAL_PANEL)
