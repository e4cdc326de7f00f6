// A panel of the reduction to bidiagonal form whose columns travel through shared memory, each read once. A block has every so many-th column. The first columns of a step are on their way while
// blocks meet. Where lines allow it one thread asks for whole columns; else each thread copies the rows that it alone reads. Rows of R that belong to a block's columns stay in shared memory
// for the whole panel. What copies bring of rows above the column's, or leave there, is multiplied by zero.
#include "bidiagonal_panel.h"

namespace basalt {

// ROWS: of a thread.
template <typename T, int ROWS>
struct TravellingColumns : BidiagonalPanel<T, 8> {
    typedef BidiagonalPanel<T, 8> Base;
    typedef typename Of<T>::Real R;
    static const int WARPS = 8;
    static const int THREADS = 32 * WARPS;
    static const int PAIRS = Base::PAIRS;
    static const int CHUNKS = Base::CHUNKS;
    // Columns of a stage: one, or up to four that have 64 KB.
    static const int FIT = 256 / (ROWS * (int)sizeof(T));
    static const int GROUP = FIT < 1 ? 1 : FIT < 4 ? FIT : 4;
    static const int STAGE = GROUP * ROWS * THREADS;
    static const int PACK = 16 / sizeof(T);  // rows side by side
    static const int PACKS = ROWS / PACK;
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

    T* held;   // rows of R of this block's columns
    T* taken;  // what pairs before this one take off a column's product and off its element of the row
    T* ring;
    int stages, columns;
    int first, groups;  // of the columns that a step reads
    bool backwards;     // from the last one on
    int brought, filled;  // groups on their way with those before them, and the stage of the next one
    bool aligned, whole;  // copies of 16 bytes; of columns
    unsigned odd;       // of each stage: whether its letters have come an odd number of times
    T element[ROWS];    // of the column's reflector
    T product[ROWS];    // this block's part of the product with the row's

    BASALT_DEVICE TravellingColumns(const Args& args, i64 problem)
        : Base(args, problem), stages(args.x), columns((int)((n - rank + blocks - 1) / blocks)), first(0), groups(0), backwards(false), brought(0), filled(0), aligned((lda * sizeof(T) | (u64)a) % 16 == 0), whole(BASALT_CUDA_ARCH >= 900 && aligned && m % PACK == 0), odd(0) {
        held = memory.rest;
        taken = held + PAIRS * most(n, blocks);
        ring = taken + beside(n, blocks);
        // Rows below the matrix, which copies of columns leave as they are.
        for (int g = 0; whole && g < stages * GROUP; g++) {
            for (i64 r = m + threadIdx.x; r < ROWS * THREADS; r += THREADS) {
                ring[(i64)g * ROWS * THREADS + r] = zero<T>();
            }
        }
#if BASALT_CUDA_ARCH >= 900
        if ((int)threadIdx.x < stages) {
            openLetters(memory.letters + threadIdx.x);
        }
#endif
        __syncthreads();
    }
    // Columns of a block at most; and two numbers for each, so that what follows begins at 16 bytes.
    static BASALT_DEVICE i64 most(i64 n, i64 blocks) { return (n + blocks - 1) / blocks; }
    static BASALT_DEVICE i64 beside(i64 n, i64 blocks) { return (2 * most(n, blocks) + 3) / 4 * 4; }
    static BASALT_DEVICE i64 bytes(i64 n, i64 blocks, i64 stages) {
        return Base::Memory::bytes(PAIRS * most(n, blocks) + beside(n, blocks) + STAGE * stages);
    }

    BASALT_DEVICE int row(int r) const { return (threadIdx.x + r / PACK * THREADS) * PACK + r % PACK; }
    BASALT_DEVICE int column(int c) const { return rank + c * blocks; }
    BASALT_DEVICE int firstFrom(int j) const { return j <= rank ? 0 : (int)((unsigned)(j - rank + blocks - 1) / (unsigned)blocks); }
    BASALT_DEVICE int firstOf(int t) const { return first + (backwards ? groups - 1 - t : t) * GROUP; }
    // Of a thread's first element of a stage.
    static BASALT_DEVICE int index(int g, int r) { return (g * ROWS + r / PACK * PACK) * THREADS + r % PACK; }

    // The next group, rows from `from` on, to its stage.
    BASALT_DEVICE void bring(int from) {
        if (whole) {
            send(from);
        } else {
            copy(from);
        }
        brought++;
        filled = filled + 1 == stages ? 0 : filled + 1;
    }
    // By one thread, all rows of a column at a time.
    BASALT_DEVICE void send(int from) const {
#if BASALT_CUDA_ARCH >= 900
        if (brought < groups && threadIdx.x == THREADS - 32) {
            int c = firstOf(brought);
            int count = columns - c < GROUP ? columns - c : GROUP;
            int r = from / PACK * PACK;
            unsigned bytes = (unsigned)((m - r) * sizeof(T));
            const T* x = a + r + column(c) * lda;
            T* to = ring + filled * STAGE + r;
            u64* letters = memory.letters + filled;
            expectLetters(letters, bytes * count);
#pragma unroll 1
            for (int g = 0; g < count; g++) {
                sendCopy(to + g * ROWS * THREADS, x + g * blocks * lda, bytes, letters);
            }
        }
#endif
    }
    // By each thread its own rows.
    BASALT_DEVICE void copy(int from) const {
        int c = firstOf(brought);
        T* to = ring + filled * STAGE + threadIdx.x * PACK;
#pragma unroll 1
        for (int g = 0; brought < groups && g < GROUP && c + g < columns; g++) {
            const T* x = a + column(c + g) * lda;
#pragma unroll
            for (int p = 0; p < PACKS; p++) {
                int r = row(p * PACK);
                int inside = r + PACK <= from ? 0 : (int)least(m - r, PACK);
                T* here = to + (g * ROWS + p * PACK) * THREADS;
                if (aligned) {
                    copyAhead16(here, inside > 0 ? x + r : a, inside > 0 ? inside * (int)sizeof(T) : 0);
                } else {
#pragma unroll
                    for (int e = 0; e < PACK; e++) {
                        copyAhead(here + e, e < inside ? x + r + e : a, e < inside ? (int)sizeof(T) : 0);
                    }
                }
            }
        }
        endStage();
    }
    // Columns from s on, every other time from the last one on: those that were read last are near.
    BASALT_DEVICE void open(int s) {
        brought = 0;
        filled = 0;
        first = firstFrom(s);
        groups = (columns - first + GROUP - 1) / GROUP;
        backwards = s % 2 != 0;
        while (brought < stages) {
            bring(s - 1);
        }
    }
    // What is in the next stage in turn has come.
    BASALT_DEVICE void await(int s) {
#if BASALT_CUDA_ARCH >= 900
        if (whole) {
            awaitLetters(memory.letters + s, odd >> s & 1);
            odd ^= 1u << s;
            return;
        }
#endif
        // One is brought for each that was used, but the last one.
        if (stages == 3) {
            awaitStage<1>();
        } else {
            awaitStage<0>();
        }
    }
    // Whatever has been opened has come.
    BASALT_DEVICE void close() {
        for (int t = 0; t < stages && t < groups; t++) {
            await(t);
        }
        awaitStage<0>();
    }

    // The column as it is; its reflector when it is stored.
    BASALT_DEVICE void take(int i) {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            T x = v[row(r) < m ? row(r) : 0];
            element[r] = row(r) >= i && row(r) < m ? x : zero<T>();
        }
    }
    BASALT_DEVICE void storeColumn(int i, const Made<T>& made) {
        bool many = blocks >= PACKS;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            bool inside = row(r) >= i && row(r) < m;
            element[r] = !inside ? zero<T>() : row(r) == i ? one<T>() : made.of(element[r]);
            // Blocks take turns.
            if (inside && (many ? r / PACK : r / PACK % blocks) == rank) {
                this->keepColumn(i, row(r), element[r], made.beta);
            }
        }
    }

    BASALT_DEVICE void storeRow(int i, const Made<T>& made) const {
        for (int c = firstFrom(i + 1) + threadIdx.x; c < columns; c += THREADS) {
            int j = column(c);
            T* raw = held + c * PAIRS + 2 * i + 1;
            *raw = j == i + 1 ? one<T>() : made.of(*raw);
            this->keepRow(i, j, *raw, made.beta);
        }
    }

    // What the pairs before this one take off, a warp a column.
    BASALT_DEVICE void takeOff(int i) const {
        for (int c = first + warp(); c < columns; c += WARPS) {
            T lost = zero<T>();
            T off = zero<T>();
#pragma unroll
            for (int q = 0; q < 2; q++) {
                int l = lane() + 32 * q;
                T line = l < 2 * i ? held[c * PAIRS + l] : zero<T>();
                fma(line, memory.factors[l], lost);
                fma(line, memory.others[l], off);
            }
#pragma unroll
            for (int mask = 16; mask > 0; mask >>= 1) {
                lost = lost + shuffleXor(lost, mask);
                off = off + shuffleXor(off, mask);
            }
            if (lane() == 0) {
                taken[2 * c] = lost;
                taken[2 * c + 1] = off;
            }
        }
    }

    // Row i as the column's reflector and all pairs change it, y of that pair, and this block's part of the products with what is behind the row's first element: of A, and of columns of R.
    // With `finished` the row is a reflector already.
    BASALT_DEVICE void pass(int i, const Made<T>& made, const Made<T>* finished) {
        takeOff(i);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            product[r] = zero<T>();
        }
        int now = 0;
        for (int t = 0; t < groups; t++) {
            await(now);
            const T* stage = ring + now * STAGE;
            T* sums = memory.sums + t % 2 * WARPS * GROUP;
            T here[GROUP][ROWS], sum[GROUP];
#pragma unroll
            for (int g = 0; g < GROUP; g++) {
                sum[g] = zero<T>();
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    here[g][r] = stage[index(g, r) + threadIdx.x * PACK];
                    fma(conj(here[g][r], true), element[r], sum[g]);
                }
            }
            int which;
            T all = warpSums<GROUP>(sum, &which);
            if (lane() % (32 / GROUP) == 0) {
                sums[which * WARPS + warp()] = all;
            }
            __syncthreads();
            // All are done with the group before this one.
            if (t > 0) {
                bring(i);
            }
            int c0 = firstOf(t);
            T chosen = choose(i, c0, sums, stage, made, finished, t % WARPS == warp());
#pragma unroll
            for (int g = 0; g < GROUP; g++) {
                T by = shuffle(chosen, g * WARPS);
                if (c0 + g < columns) {
#pragma unroll
                    for (int r = 0; r < ROWS; r++) {
                        fma(here[g][r], by, product[r]);
                    }
                }
            }
            now = now + 1 == stages ? 0 : now + 1;
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (row(r) > i && row(r) < m) {
                partials[rank * m + row(r)] = product[r];
            }
        }
        __syncthreads();
        show(i, finished);
    }

    // The elements of the row that belong to columns from c on, each in as many lanes as there are warps; one warp keeps them.
    BASALT_DEVICE T choose(int i, int c, const T* sums, const T* stage, const Made<T>& made, const Made<T>* finished, bool keeps) const {
        int g = lane() / WARPS % GROUP;
        bool inside = c + g < columns;
        c = inside ? c + g : c;
        int j = column(c);
        bool behind = inside && j > i + 1;
        T* own = held + c * PAIRS + 2 * i;
        if (finished != 0) {
            return behind ? finished->of(own[1]) : zero<T>();
        }
        T dot = sums[g * WARPS + lane() % WARPS];
        T above = stage[g * ROWS * THREADS + i];
#pragma unroll
        for (int mask = WARPS / 2; mask > 0; mask >>= 1) {
            dot = dot + shuffleXor(dot, mask);
        }
        T y = made.factor * (dot - taken[2 * c]);
        T now = conj(above, true) - taken[2 * c + 1] - y;
        if (keeps && inside && lane() % WARPS == 0 && lane() < WARPS * GROUP) {
            own[0] = y;
            own[1] = now;
            right[j + 2 * i * n] = y;
            u[j] = now;
        }
        return behind ? now : zero<T>();
    }

    // Sums over the row behind its first element: of squares, and of products with columns of R.
    BASALT_DEVICE void show(int i, const Made<T>* finished) const {
        int l = threadIdx.x % PAIRS;
        int from = firstFrom(i + 2);
        T cross = zero<T>();
        for (int c = from + threadIdx.x / PAIRS; l <= 2 * i && c < columns; c += CHUNKS) {
            const T* own = held + c * PAIRS;
            T now = own[2 * i + 1];
            fma(conj(own[l], true), finished != 0 ? finished->of(now) : now, cross);
        }
        memory.parts[threadIdx.x] = cross;
        if (warp() == 0 && finished == 0) {
            R sum = 0;
            R most = 0;
            for (int c = from + lane(); c < columns; c += 32) {
                T now = held[c * PAIRS + 2 * i + 1];
                sum += re(now) * re(now) + im(now) * im(now);
                most = larger(larger(most, absolute(re(now))), absolute(im(now)));
            }
#pragma unroll
            for (int mask = 16; mask > 0; mask >>= 1) {
                sum += shuffleXor(sum, mask);
                most = larger(most, shuffleXor(most, mask));
            }
            this->measure(sum, most, 1);
        }
        __syncthreads();
        if ((int)threadIdx.x <= 2 * i && threadIdx.x < PAIRS) {
            T all = zero<T>();
#pragma unroll
            for (int q = 0; q < CHUNKS; q++) {
                all = all + memory.parts[q * PAIRS + threadIdx.x];
            }
            crosses[rank * 2 * k + threadIdx.x] = all;
        }
    }
};

template <typename T, int ROWS>
BASALT_DEVICE void labrdColumns(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (!skips(args, problem)) {
        TravellingColumns<T, ROWS> columns(args, problem);
        columns.reduce(columns);
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define BIDIAGONAL_LAYOUT(t, T)                                                                                     \
    BASALT_LAYOUT(labrd_columns_8_##t, x, y, z) { return basalt::TravellingColumns<T, 8>::bytes(x, y, z); }        \
    BASALT_LAYOUT(labrd_columns_16_##t, x, y, z) { return basalt::TravellingColumns<T, 16>::bytes(x, y, z); }
BASALT_EACH_TYPE(BIDIAGONAL_LAYOUT)
#endif

// Names: how many rows a thread has. Sixteen complex doubles, of four kinds, would be too many for the registers.
#define BIDIAGONAL_COLUMNS_8(t, T) \
    BASALT_KERNEL(basalt_labrd_columns_8_##t) { basalt::labrdColumns<T, 8>(args); }
BASALT_EACH_TYPE(BIDIAGONAL_COLUMNS_8)
#define BIDIAGONAL_COLUMNS_16(t, T) \
    BASALT_KERNEL(basalt_labrd_columns_16_##t) { basalt::labrdColumns<T, 16>(args); }
BASALT_S(BIDIAGONAL_COLUMNS_16)
BASALT_D(BIDIAGONAL_COLUMNS_16)
BASALT_C(BIDIAGONAL_COLUMNS_16)
