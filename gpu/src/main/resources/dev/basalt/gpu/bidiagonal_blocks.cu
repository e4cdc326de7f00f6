// A whole reduction of a matrix to bidiagonal form, the matrix in the shared memory of the blocks of a cooperative launch: a block has every so many-th column, in full length. Blocks meet three times a column.
// Each makes the column's reflector for itself, multiplies its columns with it and sends their elements of the row. Then each makes the row's reflector, and sends what its columns add to the product with that.
// Rows are dealt out to blocks, which add up what all have sent and tell the sums, while the owner of the next column tells that. Threads have rows: what concerns a row stays in registers.
#include "cluster.h"
#include "kept_columns.h"

namespace basalt {

template <typename T, int ROWS>
struct BidiagonalBlocks : KeptColumns<T, ROWS> {
    typedef KeptColumns<T, ROWS> Base;
    typedef typename Of<T>::Real R;
    using Base::blocks;
    using Base::column;
    using Base::columns;
    using Base::firstFrom;
    using Base::GROUP;
    using Base::has;
    using Base::lane;
    using Base::rank;
    using Base::row;
    using Base::scratch;
    using Base::sumOf;
    using Base::total;
    using Base::warp;
    using Base::warps;
    using Base::WARPS;
    using Base::WORDS;

    const Args& args;
    bool turned;
    int m, n;      // as the matrix is read
    T* matrix;     // columns rank, rank + blocks …
    T* sums;       // of each column by each warp
    T* products;   // of the column's reflector with each column, times its factor
    T* own;        // elements of the row's reflector in these columns, conjugated
    T* front;      // elements of single rows that all threads want
    R* squares;    // a part a warp, of either reflector
    u64* rowBox;   // elements of a row
    u64* partBox;  // what each block's columns add to a product, m a block
    u64* pairBox;  // products, and the next column
    T* a;
    i64 di, dj;
    R *d, *e;
    T *tauq, *taup;
    T u[ROWS];  // the column's reflector
    T x[ROWS];  // the next column
    T y[ROWS];  // the product with the row's reflector, times its factor
    T v[ROWS];  // that, by columns
    int owner[ROWS];  // which of the block's columns has the number of a row, -1 for none

    BASALT_DEVICE BidiagonalBlocks(const Args& arguments)
        : Base(gridDim.x, (int)(arguments.opB != NONE ? arguments.m : arguments.n)),
          args(arguments),
          turned(arguments.opB != NONE),
          m((int)(turned ? arguments.n : arguments.m)),
          n((int)(turned ? arguments.m : arguments.n)) {
        int most = (n + blocks - 1) / blocks;
        matrix = BASALT_DYNAMIC_SHARED(T);
        sums = matrix + most * m;
        products = sums + most * WARPS;
        own = products + most;
        front = own + most;
        squares = (R*)(front + 2);
        scratch = squares + 2 * WARPS;
        rowBox = (u64*)args.work;
        partBox = rowBox + 2 * n * WORDS;
        pairBox = partBox + 2 * (i64)blocks * m * WORDS;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            owner[r] = row(r) < n ? this->ownOf(row(r)) : -1;
        }
    }
    static BASALT_DEVICE i64 bytes(i64 m, i64 n, i64 blocks) {
        i64 most = (n + blocks - 1) / blocks;
        return (most * (m + WARPS + 2) + 2) * sizeof(T) + (2 * WARPS + 33) * sizeof(R);
    }
    BASALT_DEVICE i64 words() const { return (2 * n + 2 * (i64)blocks * m + 4 * m) * WORDS; }

    BASALT_DEVICE T read(int i, int j) const { return conj(a[i * di + j * dj], turned); }
    BASALT_DEVICE void write(int i, int j, T value) const { a[i * di + j * dj] = conj(value, turned); }

    BASALT_DEVICE void load(i64 problem) {
        a = at<T>(args.c, problem);
        di = turned ? args.c.ld : 1;
        dj = turned ? 1 : args.c.ld;
        d = at<R>(args.a, problem);
        e = n > 1 ? at<R>(args.b, problem) : 0;
        tauq = at<T>(turned ? args.f : args.d, problem);
        taup = at<T>(turned ? args.d : args.f, problem);
        for (int c = 0; c < columns; c++) {
            for (int i = threadIdx.x; i < m; i += blockDim.x) {
                matrix[c * m + i] = read(i, column(c));
            }
            if (threadIdx.x == 0) {
                own[c] = zero<T>();
            }
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            y[r] = zero<T>();
            x[r] = row(r) < m ? read(row(r), 0) : zero<T>();
        }
    }

    // Columns from the c-th on, as many as there are in a group, from row p on: less what the row's reflector before takes off, times the column's, u.
    template <bool WHOLE>
    BASALT_DEVICE void passColumns(int c, int p) {
        T sum[GROUP], taken[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            sum[g] = zero<T>();
            taken[g] = WHOLE || c + g < columns ? -own[c + g] : zero<T>();
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (has(r, p, m)) {
                T* at = matrix + c * m + row(r);
#pragma unroll
                for (int g = 0; g < GROUP; g++) {
                    if (WHOLE || c + g < columns) {
                        T now = at[g * m];
                        fma(y[r], taken[g], now);
                        at[g * m] = now;
                        fma(conj(u[r], true), now, sum[g]);
                    }
                }
            }
        }
        int which;
        T all = warpSums<GROUP>(sum, &which);
        if (lane() % (32 / GROUP) == 0 && c + which < columns) {
            sums[(c + which) * WARPS + warp()] = all;
        }
    }

    // The products of this block's columns behind p with the reflector, times its factor; their elements of row p go out.
    BASALT_DEVICE void multiplyColumns(int p, T factor) {
        int first = firstFrom(p + 1);
        int c = first;
        for (; c + GROUP <= columns; c += GROUP) {
            passColumns<true>(c, p);
        }
        if (c < columns) {
            passColumns<false>(c, p);
        }
        __syncthreads();
        for (int g = first + warp(); g < columns; g += warps) {
            T product = conj(factor, true) * sumOf(sums + g * WARPS);
            if (lane() == 0) {
                products[g] = product;
                Letter<T>::send(rowBox + (p % 2 * n + column(g)) * WORDS, conj(matrix[g * m + p] - product, true), (unsigned)p + 1);
            }
        }
    }

    // COUNT columns from the c-th on: less what the column's reflector takes off, times their elements of the row's.
    template <int COUNT>
    BASALT_DEVICE void passRows(int c, int p, T (&sum)[ROWS]) {
        T off[COUNT], other[COUNT];
#pragma unroll
        for (int g = 0; g < COUNT; g++) {
            off[g] = -products[c + g];
            other[g] = conj(own[c + g], true);
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (has(r, p + 1, m)) {
                T* at = matrix + c * m + row(r);
                T now[COUNT];
#pragma unroll
                for (int g = 0; g < COUNT; g++) {
                    now[g] = at[g * m];
                }
#pragma unroll
                for (int g = 0; g < COUNT; g++) {
                    fma(u[r], off[g], now[g]);
                    at[g * m] = now[g];
                    fma(now[g], other[g], sum[r]);
                }
            }
        }
    }

    // These columns less what the column's reflector takes off, times the row's reflector: what they add to its product goes out.
    BASALT_DEVICE void multiplyRows(int p) {
        int first = firstFrom(p + 1);
        T sum[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            sum[r] = zero<T>();
        }
        int c = first;
        for (; c + 4 <= columns; c += 4) {
            passRows<4>(c, p, sum);
        }
        for (; c < columns; c++) {
            passRows<1>(c, p, sum);
        }
        u64* box = partBox + (p % 2 * blocks + rank) * ((i64)m * WORDS);
        int next = this->ownOf(p + 1);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (has(r, p + 1, m)) {
                Letter<T>::send(box + (i64)row(r) * WORDS, sum[r], (unsigned)p + 1);
                if (next >= 0) {
                    Letter<T>::send(pairBox + ((i64)(p % 2 * m + row(r)) * 2 + 1) * WORDS, matrix[next * m + row(r)], (unsigned)p + 1);
                }
            }
        }
    }

    // A warp a row of those that this block adds up.
    BASALT_DEVICE void addUp(int p) {
        const int TOGETHER = 5;  // of 160 blocks at most
        const u64* box = partBox + p % 2 * blocks * ((i64)m * WORDS);
        unsigned tag = (unsigned)p + 1;
        for (int i = column(firstFrom(p + 1) + warp()); i < m; i += warps * blocks) {
            T sum = zero<T>();
            for (int b0 = 0; b0 < blocks; b0 += 32 * TOGETHER) {
                u64 words[TOGETHER][WORDS];
                bool all;
                do {
                    BASALT_SPIN();
                    all = true;
#pragma unroll
                    for (int t = 0; t < TOGETHER; t++) {
                        int b = b0 + t * 32 + lane();
                        if (b < blocks) {
                            loadWords<WORDS>(box + ((i64)b * m + i) * WORDS, words[t]);
                        }
                    }
#pragma unroll
                    for (int t = 0; t < TOGETHER; t++) {
                        if (b0 + t * 32 + lane() < blocks) {
                            all = sealed<WORDS>(words[t], tag) && all;
                        }
                    }
                } while (!all);
#pragma unroll
                for (int t = 0; t < TOGETHER; t++) {
                    if (b0 + t * 32 + lane() < blocks) {
                        sum = sum + Letter<T>::open(words[t]);
                    }
                }
            }
            sum = warpSum(sum);
            if (lane() == 0) {
                Letter<T>::send(pairBox + (i64)(p % 2 * m + i) * 2 * WORDS, sum, tag);
            }
        }
    }

    BASALT_DEVICE void reduce() {
        for (int p = 0; p < n; p++) {
            // The column.
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                u[r] = x[r];
                if (row(r) == p) {
                    front[0] = x[r];
                }
            }
            R sum = total(this->squaresFrom(u, p + 1, m, 1), squares);
            R beta;
            T factor = this->reflector(u, p, m, front[0], sum, &beta);
            if (p % blocks == rank) {
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    if (has(r, p, m)) {
                        write(row(r), p, row(r) == p ? Make<T>::real(beta) : u[r]);
                    }
                }
                if (threadIdx.x == 0) {
                    d[p] = beta;
                    tauq[p] = factor;
                    if (p == n - 1) {
                        taup[p] = zero<T>();
                    }
                }
            }
            if (p == n - 1) {
                break;
            }
            multiplyColumns(p, factor);
            // The row.
            this->template receiveAll<1>(p + 1, n, rowBox + p % 2 * n * WORDS, (unsigned)p + 1, [&](int r, const T* letters) { v[r] = letters[0]; });
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                if (row(r) == p + 1) {
                    front[1] = v[r];
                }
            }
            sum = total(this->squaresFrom(v, p + 2, n, 1), squares + WARPS);
            factor = this->reflector(v, p + 1, n, front[1], sum, &beta);
            bool keeps = p % blocks == rank;
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                if (has(r, p + 1, n)) {
                    if (owner[r] >= 0) {
                        own[owner[r]] = conj(v[r], true);
                    }
                    if (keeps) {
                        write(p, row(r), row(r) == p + 1 ? Make<T>::real(beta) : conj(v[r], true));
                    }
                }
            }
            if (keeps && threadIdx.x == 0) {
                e[p] = beta;
                taup[p] = factor;
            }
            __syncthreads();
            multiplyRows(p);
            addUp(p);
            this->template receiveAll<2>(p + 1, m, pairBox + (i64)p % 2 * m * 2 * WORDS, (unsigned)p + 1, [&](int r, const T* letters) {
                y[r] = isZero(factor) ? zero<T>() : factor * letters[0];
                x[r] = has(r, p + 1, m) ? letters[1] - y[r] : zero<T>();
            });
        }
    }
};

template <typename T, int ROWS>
BASALT_DEVICE void gebd2Blocks(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (skips(args, problem)) {
        return;
    }
    BidiagonalBlocks<T, ROWS> work(args);
    work.load(problem);
    // Tags of another launch would look like those of this one.
    for (i64 l = (i64)blockIdx.x * blockDim.x + threadIdx.x; l < work.words(); l += (i64)gridDim.x * blockDim.x) {
        work.rowBox[l] = 0;
    }
    // The matrix is overwritten when all have read it.
    gridBarrier(counter(args, 0), 1);
    work.reduce();
    leaveGrid(args);
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define BIDIAGONAL_LAYOUT(t, T) \
    BASALT_LAYOUT(gebd2_blocks_##t, x, y, z) { return basalt::BidiagonalBlocks<T, 2>::bytes(x, y, z); }
BASALT_EACH_TYPE(BIDIAGONAL_LAYOUT)
#endif

// Names: how many rows a thread has.
#define BIDIAGONAL_BLOCKS(t, T)                                                       \
    BASALT_KERNEL(basalt_gebd2_blocks_2_##t) { basalt::gebd2Blocks<T, 2>(args); }     \
    BASALT_KERNEL(basalt_gebd2_blocks_4_##t) { basalt::gebd2Blocks<T, 4>(args); }     \
    BASALT_KERNEL(basalt_gebd2_blocks_8_##t) { basalt::gebd2Blocks<T, 8>(args); }
BASALT_EACH_TYPE(BIDIAGONAL_BLOCKS)
