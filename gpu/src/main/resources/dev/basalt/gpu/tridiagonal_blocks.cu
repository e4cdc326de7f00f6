// A whole reduction of a symmetric or Hermitian matrix to tridiagonal form, the matrix in the shared memory of the blocks of a cooperative launch: a block has every so many-th
// column, in full length. Blocks meet once a column. Each sends the products of its columns with the column's reflector, beside its elements of the next column; then each makes
// the next reflector for itself, in the same order of sums, so all have the same bits. In one pass over its columns it changes them by the reflector before and multiplies them with the
// new one. Threads have rows: what concerns a row stays in registers. Small problems of a batch have a block each, whose mail stays in its shared memory.
// An upper triangle is a lower one that is read from its end, so columns are counted from where the reduction begins.
#include "cluster.h"
#include "kept_columns.h"

namespace basalt {

template <typename T, int ROWS>
struct TridiagonalBlocks : KeptColumns<T, ROWS> {
    typedef KeptColumns<T, ROWS> Base;
    typedef typename Of<T>::Real R;
    using Base::blocks;
    using Base::column;
    using Base::columns;
    using Base::firstFrom;
    using Base::GROUP;
    using Base::lane;
    using Base::rank;
    using Base::row;
    using Base::scratch;
    using Base::sumOf;
    using Base::total;
    using Base::warp;
    using Base::WARPS;
    using Base::WORDS;

    const Args& args;
    int n;
    T* matrix;      // columns rank, rank + blocks …
    T* sums;        // of each column by each warp
    T* left;        // elements of the reflector before in the rows of the block's columns
    T* right;       // of what goes with it
    T* crosses;     // a part a warp
    T* alone;       // what a single block tells itself: products, and the next column
    R* squares;     // a part a warp
    T* front;       // elements of single rows that all threads want
    u64* boxes;
    T* a;
    i64 di, dj;
    R* d;
    R* beside;  // element p lies p·order on
    T* tau;
    int order;
    T v[ROWS], w[ROWS], x[ROWS];
    int own[ROWS];  // which of the block's columns a row is, -1 for none

    BASALT_DEVICE TridiagonalBlocks(const Args& arguments, int size) : Base(size, (int)arguments.n), args(arguments), n((int)arguments.n) {
        int most = (n + blocks - 1) / blocks;
        matrix = BASALT_DYNAMIC_SHARED(T);
        sums = matrix + most * n;
        left = sums + most * WARPS;
        right = left + most;
        crosses = right + most;
        front = crosses + WARPS;
        alone = front + 2;
        squares = (R*)(alone + (blocks == 1 ? 2 * n : 0));
        scratch = squares + WARPS;
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            own[u] = row(u) < n ? this->ownOf(row(u)) : -1;
        }
    }
    static BASALT_DEVICE i64 bytes(i64 n, i64 blocks) {
        i64 most = (n + blocks - 1) / blocks;
        return (most * (n + WARPS + 2) + WARPS + 2 + (blocks == 1 ? 2 * n : 0)) * sizeof(T) + (WARPS + 33) * sizeof(R);
    }
    BASALT_DEVICE bool has(int u, int from) const { return Base::has(u, from, n); }

    BASALT_DEVICE void begin(i64 problem) {
        bool lower = args.uplo == LOWER;
        order = lower ? 1 : -1;
        i64 lda = args.c.ld;
        a = at<T>(args.c, problem) + (lower ? 0 : (n - 1) * (1 + lda));
        di = order;
        dj = order * lda;
        d = at<R>(args.a, problem) + (lower ? 0 : n - 1);
        beside = n > 1 ? at<R>(args.b, problem) + (lower ? 0 : n - 2) : 0;
        tau = n > 1 ? at<T>(args.d, problem) + (lower ? 0 : n - 2) : 0;
    }
    BASALT_DEVICE T& element(int i, int j) const { return a[i * di + j * dj]; }
    BASALT_DEVICE void load() {
        for (int c = 0; c < columns; c++) {
            int j = column(c);
            for (int i = threadIdx.x; i < n; i += blockDim.x) {
                T here = i >= j ? element(i, j) : conj(element(j, i), true);
                matrix[c * n + i] = i == j ? dropImaginary(here) : here;
            }
            if (threadIdx.x == 0) {
                left[c] = zero<T>();
                right[c] = zero<T>();
            }
        }
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            v[u] = zero<T>();
            w[u] = zero<T>();
            x[u] = row(u) < n ? element(row(u), 0) : zero<T>();
        }
    }

    // Columns from the c-th on, as many as there are in a group: less what the reflector before takes off, times the new one, x.
    template <bool WHOLE>
    BASALT_DEVICE void pass(int c, int s) {
        T sum[GROUP], taken[GROUP], turned[GROUP];
#pragma unroll
        for (int e = 0; e < GROUP; e++) {
            bool there = WHOLE || c + e < columns;
            sum[e] = zero<T>();
            taken[e] = there ? -conj(right[c + e], true) : zero<T>();
            turned[e] = there ? -conj(left[c + e], true) : zero<T>();
        }
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            if (has(u, s)) {
                T* m = matrix + c * n + row(u);
                T now[GROUP];
#pragma unroll
                for (int e = 0; e < GROUP; e++) {
                    if (WHOLE || c + e < columns) {
                        now[e] = m[e * n];
                    }
                }
#pragma unroll
                for (int e = 0; e < GROUP; e++) {
                    if (WHOLE || c + e < columns) {
                        fma(v[u], taken[e], now[e]);
                        fma(w[u], turned[e], now[e]);
                        m[e * n] = now[e];
                        fma(conj(now[e], true), x[u], sum[e]);
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

    // The products of this block's columns with the reflector, and their elements of row s, which are those of the next column.
    BASALT_DEVICE void multiply(int s) {
        int c = firstFrom(s);
        for (; c + GROUP <= columns; c += GROUP) {
            pass<true>(c, s);
        }
        if (c < columns) {
            pass<false>(c, s);
        }
        __syncthreads();
        unsigned tag = (unsigned)s;
        u64* box = boxes + s % 2 * (n * 2 * WORDS);
        for (int e = firstFrom(s) + warp(); e < columns; e += this->warps) {
            T sum = sumOf(sums + e * WARPS);
            int j = column(e);
            T other = conj(matrix[e * n + s], true);
            if (blocks == 1) {
                if (lane() == 0) {
                    alone[j] = sum;
                    alone[n + j] = other;
                }
            } else if (lane() < 2) {
                Letter<T>::send(box + (2 * j + lane()) * WORDS, lane() == 0 ? sum : other, tag);
            }
        }
    }

    // v := x. w := the products of all blocks, x := the next column as it was before the reflector.
    BASALT_DEVICE void receive(int s) {
        auto take = [&](int u, const T* letters) {
            v[u] = x[u];
            w[u] = letters[0];
            x[u] = letters[1];
        };
        if (blocks != 1) {
            this->template receiveAll<2>(s, n, boxes + s % 2 * (n * 2 * WORDS), (unsigned)s, take);
            return;
        }
        __syncthreads();
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            T letters[2] = {zero<T>(), zero<T>()};
            if (has(u, s)) {
                letters[0] = alone[row(u)];
                letters[1] = alone[n + row(u)];
            }
            take(u, letters);
        }
    }

    // w := what goes with the reflector v, x := the next column: the product with that of row s is v's first element.
    BASALT_DEVICE void change(int s, T factor) {
        T cross = zero<T>();
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            w[u] = isZero(factor) ? zero<T>() : factor * w[u];
            fma(conj(w[u], true), v[u], cross);
            if (row(u) == s) {
                front[0] = w[u];
            }
        }
        cross = total(cross, crosses);
        T f = times((R)-0.5, factor * cross);
        T first = conj(front[0] + f, true);
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            fma(f, v[u], w[u]);
            fma(-v[u], first, x[u]);
            x[u] = x[u] - w[u];
        }
    }

    // Numbers of single rows and of this block's columns that all threads want.
    BASALT_DEVICE void show(int s) {
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            if (row(u) == s) {
                front[1] = x[u];
            }
            if (own[u] >= 0) {
                left[own[u]] = v[u];
                right[own[u]] = w[u];
            }
        }
    }

    BASALT_DEVICE void keep(int p, T factor, R beta) const {
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            int i = row(u);
            if (has(u, p + 1)) {
                element(i, p) = i == p + 1 ? Make<T>::real(beta) : x[u];
            }
        }
        if (threadIdx.x == 0) {
            beside[p * order] = beta;
            tau[p * order] = factor;
        }
    }
    // The thread that has row p has its diagonal element.
    BASALT_DEVICE void keepDiagonal(int p) const {
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            if (row(u) == p) {
                d[p * order] = re(x[u]);
                element(p, p) = dropImaginary(x[u]);
            }
        }
    }

    BASALT_DEVICE void reduce() {
        if (n == 1) {
            keepDiagonal(0);
        }
        for (int p = 0; p < n - 1; p++) {
            int s = p + 1;
            show(s);
            R sum = total(this->squaresFrom(x, s + 1, n, 1), squares);
            // A block that has no columns behind this one has sent all that others wait for.
            if (column(columns - 1) < s) {
                break;
            }
            bool keeps = s % blocks == rank;
            if (keeps) {
                keepDiagonal(p);
            }
            R beta;
            T factor = this->reflector(x, s, n, front[1], sum, &beta);
            if (keeps) {
                keep(p, factor, beta);
            }
            multiply(s);
            if (column(columns - 1) == s && s < n - 1) {
                break;
            }
            receive(s);
            change(s, factor);
            if (s == n - 1 && keeps) {
                keepDiagonal(s);
            }
        }
        __syncthreads();
    }
};

template <typename T, int ROWS>
BASALT_DEVICE void sytd2Blocks(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (skips(args, problem)) {
        return;
    }
    TridiagonalBlocks<T, ROWS> work(args, gridDim.x);
    work.begin(problem);
    work.load();
    // Tags of another launch would look like those of this one.
    i64 words = 4 * args.n * Letter<T>::words;
    work.boxes = (u64*)args.work;
    for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < words; e += (i64)gridDim.x * blockDim.x) {
        work.boxes[e] = 0;
    }
    // The matrix is overwritten when all have read it.
    gridBarrier(counter(args, 0), 1);
    work.reduce();
    leaveGrid(args);
}

template <typename T>
BASALT_DEVICE void sytd2Alone(const Args& args) {
    TridiagonalBlocks<T, 2> work(args, 1);
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            work.begin(problem);
            work.load();
            __syncthreads();
            work.reduce();
        }
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define TRIDIAGONAL_LAYOUT(t, T) \
    BASALT_LAYOUT(sytd2_blocks_##t, x, y, z) { return basalt::TridiagonalBlocks<T, 2>::bytes(x, y) + 0 * z; }
BASALT_EACH_TYPE(TRIDIAGONAL_LAYOUT)
#endif

// Names: how many rows a thread has.
#define TRIDIAGONAL_BLOCKS(t, T)                                                      \
    BASALT_KERNEL(basalt_sytd2_blocks_2_##t) { basalt::sytd2Blocks<T, 2>(args); }     \
    BASALT_KERNEL(basalt_sytd2_blocks_4_##t) { basalt::sytd2Blocks<T, 4>(args); }     \
    BASALT_KERNEL(basalt_sytd2_blocks_8_##t) { basalt::sytd2Blocks<T, 8>(args); }     \
    BASALT_KERNEL(basalt_sytd2_alone_##t) { basalt::sytd2Alone<T>(args); }
BASALT_EACH_TYPE(TRIDIAGONAL_BLOCKS)
