// What panels of the reduction of a matrix to bidiagonal form share, by all blocks of a cooperative launch. Two barriers a column: behind the column as the panel changes it, and behind the row.
// A block takes whole columns. Their products with the column's reflector make their elements of the row, and these make at once this block's part of the product with the row's reflector,
// which is known but for a factor and its first element. How a block reads its columns is each kernel's own.
// What the panel takes off the matrix is L·Rᴴ with columns in pairs: v beside y, and x beside u.
#ifndef BASALT_BIDIAGONAL_PANEL_H
#define BASALT_BIDIAGONAL_PANEL_H
#include "cluster.h"
#include "reflect.h"
#include "stages.h"

namespace basalt {

// What a block keeps in shared memory, whoever reads the columns.
template <typename T, int WARPS>
struct BidiagonalMemory {
    static const int PAIRS = 64;  // columns of L and of R at most
    static const int GROUP = 4;   // columns at a time at most
    T* parts;    // of 32 rows, by each warp: two kinds
    T* sums;     // of a group's columns, by each warp, of two groups
    T* chosen;   // these groups' elements of the row
    T* factors;  // products with columns of L or of R
    T* others;   // a row of R or of L
    T* rows;     // 32 elements of a column, and of x
    T* scratch;
    u64* letters;  // by which copies say that they are there
    T* rest;     // what follows

    BASALT_DEVICE BidiagonalMemory(char* at) {
        parts = (T*)at;
        sums = parts + 2 * WARPS * 32;
        chosen = sums + 2 * WARPS * GROUP;
        factors = chosen + 2 * GROUP;
        others = factors + PAIRS;
        rows = others + PAIRS;
        scratch = rows + 64;
        letters = (u64*)(scratch + 36);
        rest = scratch + 48;
    }
    // With so many elements behind it.
    static BASALT_DEVICE i64 bytes(i64 more) {
        return (2 * WARPS * 32 + 2 * (WARPS + 1) * GROUP + 2 * PAIRS + 64 + 48 + more) * (i64)sizeof(T);
    }
};

// A reflector of a vector x: its first element is 1, the others are x·up·inverse.
template <typename T>
struct Made {
    typedef typename Of<T>::Real R;
    T factor;
    R beta, up;
    T inverse;

    BASALT_DEVICE T whole() const { return times(up, inverse); }
    BASALT_DEVICE T of(T x) const { return times(up, x) * inverse; }
    BASALT_DEVICE T element(const T* x, i64 i, i64 first) const { return i == first ? one<T>() : of(x[i]); }
};

template <typename T, int WARPS>
struct BidiagonalPanel {
    typedef typename Of<T>::Real R;
    typedef BidiagonalMemory<T, WARPS> Memory;
    static const int THREADS = 32 * WARPS;
    static const int PAIRS = Memory::PAIRS;
    static const int HELD = PAIRS / WARPS;  // columns of L that a warp has
    static const int CHUNKS = THREADS / PAIRS;
    static const int BLOCKS = 160;  // at most
    // Loads on their way: of numbers of all blocks, by a thread; and of their vectors, by a warp.
    static const int NUMBERS = BLOCKS / CHUNKS < 160 / (int)sizeof(T) ? BLOCKS / CHUNKS : 160 / (int)sizeof(T);
    static const int VECTORS = BLOCKS / WARPS < 160 / (int)sizeof(T) ? BLOCKS / WARPS : 160 / (int)sizeof(T);

    // Of a vector whose reflector is to be made: its first element, and parts of a lane.
    struct Measured {
        T first;
        R squares[BLOCKS / 32], largest[BLOCKS / 32];
    };

    // Of 32 rows, a lane each: the next column, columns of L, and parts of the product with the row's reflector.
    struct Rows {
        T own, part;
        T here[HELD];
    };

    const Args& args;
    Memory memory;
    i64 m, n, k, lda;
    int rank, blocks;
    unsigned round;
    T* a;
    T* left;      // m×2k
    T* right;     // n×2k
    T* v;         // the column and the row as they are before their reflectors are made
    T* u;
    T* dots;      // products of columns of L with v, 2k of each block
    T* crosses;   // products of columns of R with u
    T* partials;  // products with u, m of each block
    R* squares;   // of v and of u, a part a block each; and the largest
    R* largest;
    R* diagonal;
    R* beside;
    T* tauq;
    T* taup;

    BASALT_DEVICE BidiagonalPanel(const Args& arguments, i64 problem)
        : args(arguments), memory(BASALT_DYNAMIC_SHARED(char)), m(arguments.m), n(arguments.n), k(arguments.k), lda(arguments.c.ld), rank(blockIdx.x), blocks(gridDim.x), round(0) {
        a = at<T>(args.c, problem);
        left = at<T>(args.g, problem);
        right = left + 2 * k * m;
        v = (T*)args.work;
        u = v + m;
        dots = u + n;
        crosses = dots + 2 * k * blocks;
        squares = (R*)(crosses + 2 * k * blocks);
        largest = (R*)(crosses + 2 * (k + 1) * blocks);
        partials = crosses + 2 * (k + 2) * blocks;
        diagonal = at<R>(args.a, problem);
        beside = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        tauq = at<T>(args.d, problem);
        taup = at<T>(args.f, problem);
    }

    BASALT_DEVICE int lane() const { return threadIdx.x % 32; }
    BASALT_DEVICE int warp() const { return threadIdx.x / 32; }

    BASALT_DEVICE void barrier() {
        round++;
        gridBarrier(counter(args, 0), round);
    }

    BASALT_DEVICE double mostBefore(double) const { return 1e120; }
    BASALT_DEVICE float mostBefore(float) const { return 1e25f; }

    // What all blocks have measured of a vector, on its way. `kind` 0: of a column, 1: of a row.
    BASALT_DEVICE Measured measured(const T* x, i64 first, int kind) const {
        Measured all;
        all.first = x[first];
#pragma unroll
        for (int q = 0; q < BLOCKS / 32; q++) {
            int b = lane() + 32 * q;
            R square = squares[kind * blocks + (b < blocks ? b : 0)];
            R most = largest[kind * blocks + (b < blocks ? b : 0)];
            all.squares[q] = b < blocks ? square : (R)0;
            all.largest[q] = b < blocks ? most : (R)0;
        }
        return all;
    }

    // The reflector of x from its element `first` on, as every thread makes it for itself. `apart`: what was made of x so far may have left the range.
    BASALT_DEVICE Made<T> reflector(const Measured& all, const T* x, i64 first, i64 end, int kind, bool* apart) const {
        R sum = 0;
        R most = 0;
#pragma unroll
        for (int q = 0; q < BLOCKS / 32; q++) {
            sum += all.squares[q];
            most = larger(most, all.largest[q]);
        }
#pragma unroll
        for (int mask = 16; mask > 0; mask >>= 1) {
            sum += shuffleXor(sum, mask);
            most = larger(most, shuffleXor(most, mask));
        }
        R a0 = re(all.first);
        R b0 = im(all.first);
        Made<T> made;
        made.factor = zero<T>();
        made.beta = a0;
        made.up = 1;
        made.inverse = one<T>();
        *apart = most != 0 && !(sum > fewest(sum) && sum < (kind == 0 ? basalt::most(sum) : mostBefore(sum)));
        R whole2 = a0 * a0 + b0 * b0 + sum;
        if (!*apart && most != 0 && whole2 < basalt::most(whole2)) {
            // One root and one quotient: all threads wait for them.
            R inverse = inverseRoot(whole2);
            R norm = whole2 * inverse;
            norm += (R)0.5 * inverse * (whole2 - norm * norm);
            made.beta = a0 < 0 ? norm : -norm;
            inverse = a0 < 0 ? inverse : -inverse;
            made.factor = Make<T>::of((made.beta - a0) * inverse, -b0 * inverse);
            made.inverse = divide(one<T>(), Make<T>::of(a0 - made.beta, b0));
            return made;
        }
        R norm = root(sum);
        R beta = 0;
        if (*apart) {
            Norm<R> whole = blockNorm(x + first + 1, (i64)1, end - first - 1, (R*)memory.scratch);
            norm = whole.scale * whole.root;
            beta = betaOf(a0, b0, norm);
            if (absolute(beta) < safest(beta)) {
                made.up = 1 / safest(beta);
                a0 *= made.up;
                b0 *= made.up;
                norm = whole.scale * made.up * whole.root;
            }
        }
        if (most != 0 || b0 != 0) {
            beta = betaOf(a0, b0, norm);
            made.factor = Make<T>::of((beta - a0) / beta, -b0 / beta);
            made.inverse = divide(one<T>(), Make<T>::of(a0 - beta, b0));
            made.beta = beta / made.up;
        }
        return made;
    }

    // Sums of `count` numbers, so many elements from one to the next.
    template <int TOGETHER>
    BASALT_DEVICE T sumApart(const T* from, int count, i64 apart) const {
        apart = numberAgain(apart);  // addresses of all columns' loads would not go into registers
        T sum[2] = {zero<T>(), zero<T>()};
        for (; count > 0; count -= TOGETHER) {
            T some[TOGETHER];
#pragma unroll
            for (int q = 0; q < TOGETHER; q++) {
                some[q] = q < count ? from[q * apart] : zero<T>();
            }
#pragma unroll
            for (int q = 0; q < TOGETHER; q++) {
                sum[q % 2] = sum[q % 2] + some[q];
            }
            from += TOGETHER * apart;
        }
        return sum[0] + sum[1];
    }

    // This thread's share of sums over blocks of their `count` numbers. Products that one block has made for all are not added up.
    BASALT_DEVICE T gather(const T* numbers, i64 count, bool summed) const {
        int l = threadIdx.x % PAIRS;
        int chunk = threadIdx.x / PAIRS;
        int own = l >= count ? 0 : summed ? (blocks - chunk + CHUNKS - 1) / CHUNKS : chunk == 0;
        return sumApart<NUMBERS>(numbers + chunk * 2 * k + l, own, 2 * CHUNKS * k);
    }

    // A thread's element of a row of L or R, conjugated.
    BASALT_DEVICE T lineOf(const T* own, i64 step, i64 count) const {
        return threadIdx.x < count ? conj(own[threadIdx.x * step], true) : zero<T>();
    }

    // These shares together, times `by`, and a row of L or R, to where factors are; the row to where others are.
    BASALT_DEVICE void collect(T share, T by, T line) const {
        int l = threadIdx.x;
        memory.parts[l] = share;
        __syncthreads();
        if (l < PAIRS) {
            T all = zero<T>();
#pragma unroll
            for (int c = 0; c < CHUNKS; c++) {
                all = all + memory.parts[c * PAIRS + l];
            }
            memory.factors[l] = by * all + line;
            memory.others[l] = line;
        }
        __syncthreads();
    }

    BASALT_DEVICE void measure(R sum, R most, int kind) const {
        if (lane() == 0) {
            squares[kind * blocks + rank] = sum;
            largest[kind * blocks + rank] = most;
        }
    }

    // Rows from i0 on, of which those before p and behind the last are zeros.
    BASALT_DEVICE Rows rowsFrom(i64 p, i64 i0) const {
        i64 i = i0 + lane();
        i64 count = p > 0 ? 2 * p - 1 : 0;
        bool inside = i >= p && i < m;
        Rows rows;
        rows.own = warp() == 0 && inside ? a[i + p * lda] : zero<T>();
#pragma unroll
        for (int q = 0; q < HELD; q++) {
            i64 l = warp() + q * WARPS;
            rows.here[q] = inside && l < count ? left[i + l * m] : zero<T>();
        }
        int own = p > 0 && inside ? (blocks - warp() + WARPS - 1) / WARPS : 0;
        rows.part = sumApart<VECTORS>(partials + warp() * m + i, own, WARPS * m);
        return rows;
    }

    // The last column of L, x of the pair before p; and `next`: column p as all pairs change it, and the products of columns of L with what is behind its first element. `rows`: this block's first.
    BASALT_DEVICE void advance(i64 p, const Made<T>& made, Rows rows, bool summed, bool next) const {
        i64 count = p > 0 ? 2 * p - 1 : 0;
        T by = summed ? made.whole() : one<T>();
        T products[HELD];
#pragma unroll
        for (int q = 0; q < HELD; q++) {
            products[q] = zero<T>();
        }
        R sum = 0;
        R most = 0;
        i64 first = 32 * (i64)rank;
        for (i64 i0 = first; i0 < m; i0 += 32 * (i64)blocks) {
            if (i0 + 32 <= p) {
                continue;
            }
            if (i0 != first) {
                rows = rowsFrom(p, i0);
            }
            i64 i = i0 + lane();
            bool inside = i >= p && i < m;
            T sum1 = zero<T>();
            T sum2 = zero<T>();
#pragma unroll
            for (int q = 0; q < HELD; q++) {
                fma(rows.here[q], memory.factors[warp() + q * WARPS], sum1);
                fma(rows.here[q], memory.others[warp() + q * WARPS], sum2);
            }
            memory.parts[threadIdx.x] = by * rows.part - sum1;
            memory.parts[THREADS + threadIdx.x] = sum2;
            __syncthreads();
            if (warp() == 0) {
                T x = zero<T>();
                T off = zero<T>();
#pragma unroll
                for (int w = 0; w < WARPS; w++) {
                    x = x + memory.parts[w * 32 + lane()];
                    off = off + memory.parts[THREADS + w * 32 + lane()];
                }
                if (p > 0) {
                    x = made.factor * (x + rows.own);
                    if (inside) {
                        left[i + (2 * p - 1) * m] = x;
                    }
                }
                T now = rows.own - off - x;
                bool behind = inside && i > p;
                if (inside && next) {
                    v[i] = now;
                }
                if (behind) {
                    sum += re(now) * re(now) + im(now) * im(now);
                    most = larger(larger(most, absolute(re(now))), absolute(im(now)));
                }
                memory.rows[lane()] = behind ? now : zero<T>();
                memory.rows[32 + lane()] = behind ? x : zero<T>();
            }
            __syncthreads();
            T now = memory.rows[lane()];
#pragma unroll
            for (int q = 0; q < HELD; q++) {
                T c = p > 0 && warp() + q * WARPS == count ? memory.rows[32 + lane()] : rows.here[q];
                fma(conj(c, true), now, products[q]);
            }
        }
        if (!next) {
            return;
        }
#pragma unroll
        for (int q = 0; q < HELD; q++) {
            T whole = warpSum(products[q]);
            i64 l = warp() + q * WARPS;
            if (lane() == 0 && l < 2 * p) {
                dots[rank * 2 * k + l] = whole;
            }
        }
        if (warp() == 0) {
            sum = warpSum(sum);
            for (int mask = 16; mask > 0; mask >>= 1) {
                most = larger(most, shuffleXor(most, mask));
            }
            measure(sum, most, 0);
        }
    }

    // The products of columns of L with the finished column, where those with the raw one may have left the range: a block each.
    BASALT_DEVICE void again(i64 i, const Made<T>& made) {
        barrier();
        for (i64 l = rank; l < 2 * i; l += blocks) {
            T sum = zero<T>();
            for (i64 r = i + 1 + threadIdx.x; r < m; r += THREADS) {
                fma(conj(left[r + l * m], true), made.element(v, r, i), sum);
            }
            sum = blockSum(sum, memory.scratch);
            if (threadIdx.x == 0) {
                dots[l] = sum;
            }
        }
        barrier();
    }

    // An element of column i's reflector where it belongs.
    BASALT_DEVICE void keepColumn(i64 i, i64 r, T element, R beta) const {
        left[r + 2 * i * m] = element;
        a[r + i * lda] = r == i ? Make<T>::of(beta, (R)0) : element;
    }

    // One of row i's.
    BASALT_DEVICE void keepRow(i64 i, i64 j, T element, R beta) const {
        right[j + (2 * i + 1) * n] = element;
        a[i + j * lda] = j == i + 1 ? Make<T>::of(beta, (R)0) : conj(element, true);
    }

    // The panel by a kernel's way of reading columns. `open`: it may begin to read those from s on, rows from s - 1 on; `close`: it reads them anew.
    template <typename COLUMNS>
    BASALT_DEVICE void reduce(COLUMNS& columns) {
        Made<T> row;
        row.factor = zero<T>();
        row.beta = 0;
        row.up = 1;
        row.inverse = one<T>();
        columns.open(1);
        collect(zero<T>(), one<T>(), zero<T>());
        advance(0, row, rowsFrom(0, 32 * (i64)rank), true, true);
        for (i64 i = 0; i < k; i++) {
            // All that is on its way when blocks have met, before anything waits for it.
            barrier();
            columns.take(i);
            Measured all = measured(v, i, 0);
            T line = lineOf(left + i, m, 2 * i);
            T share = gather(dots, 2 * i, true);
            bool apart;
            Made<T> column = reflector(all, v, i, m, 0, &apart);
            columns.storeColumn(i, column);
            if (rank == 0 && threadIdx.x == 0) {
                diagonal[i] = column.beta;
                tauq[i] = column.factor;
                if (i + 1 == n) {
                    taup[i] = zero<T>();
                }
            }
            if (i + 1 == n) {
                break;
            }
            if (apart) {
                again(i, column);
                share = gather(dots, 2 * i, false);
            }
            collect(share, apart ? one<T>() : column.whole(), line);
            columns.pass(i, column, 0);
            bool more = i + 1 < k;
            if (more) {
                columns.open(i + 2);
            }
            barrier();
            all = measured(u, i + 1, 1);
            line = lineOf(right + i + 1, n, 2 * i + 1);
            Rows rows = rowsFrom(i + 1, 32 * (i64)rank);
            share = gather(crosses, 2 * i + 1, true);
            row = reflector(all, u, i + 1, n, 1, &apart);
            if (apart) {
                if (more) {
                    columns.close();
                }
                columns.open(i + 1);
                columns.pass(i, column, &row);
                if (more) {
                    columns.open(i + 2);
                }
                barrier();
                rows = rowsFrom(i + 1, 32 * (i64)rank);
                share = gather(crosses, 2 * i + 1, true);
            }
            columns.storeRow(i, row);
            if (rank == 0 && threadIdx.x == 0) {
                beside[i] = row.beta;
                taup[i] = row.factor;
            }
            collect(share, apart ? one<T>() : row.whole(), line);
            advance(i + 1, row, rows, !apart, more);
        }
        leaveGrid(args);
    }
};

}  // namespace basalt

#endif
