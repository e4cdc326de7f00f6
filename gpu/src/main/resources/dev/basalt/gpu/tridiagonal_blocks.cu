// A whole reduction of a symmetric or Hermitian matrix to tridiagonal form, the matrix in the shared memory of the blocks of a cooperative launch: a block has every so many-th
// column, in full length. Blocks meet once a column. Each sends the products of its columns with the column's reflector, beside its elements of the next column; then each makes
// the next reflector for itself, in the same order of sums, so all have the same bits. In one pass over its columns it changes them by the reflector before and multiplies them with the
// new one. Threads have rows: what concerns a row stays in registers. Small problems of a batch have a block each, whose mail stays in its shared memory.
// An upper triangle is a lower one that is read from its end, so columns are counted from where the reduction begins.
#include "cluster.h"
#include "mail.h"
#include "reflect.h"

namespace basalt {

// ROWS: of a thread, so many threads of a block apart.
template <typename T, int ROWS>
struct TridiagonalBlocks {
    typedef typename Of<T>::Real R;
    static const int WORDS = Letter<T>::words;
    static const int GROUP = 8;  // columns that are summed up at once
    static const int WARPS = 8;

    const Args& args;
    int n;
    int blocks, rank, warps, columns;
    T* matrix;      // columns rank, rank + blocks …
    T* sums;        // of each column by each warp
    T* left;        // elements of the reflector before in the rows of the block's columns
    T* right;       // of what goes with it
    T* crosses;     // a part a warp
    T* alone;       // what a single block tells itself: products, and the next column
    R* squares;     // a part a warp
    R* scratch;
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

    BASALT_DEVICE TridiagonalBlocks(const Args& arguments, int size)
        : args(arguments), n((int)arguments.n), blocks(size), rank(blockIdx.x), warps(blockDim.x / 32) {
        columns = (int)((n - rank + blocks - 1) / blocks);
        matrix = BASALT_DYNAMIC_SHARED(T);
        int most = (n + blocks - 1) / blocks;
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
            unsigned i = (unsigned)row(u);
            own[u] = has(u, 0) && i % (unsigned)blocks == (unsigned)rank ? (int)(i / (unsigned)blocks) : -1;
        }
    }
    static BASALT_DEVICE i64 bytes(i64 n, i64 blocks) {
        i64 most = (n + blocks - 1) / blocks;
        return (most * (n + WARPS + 2) + WARPS + 2 + (blocks == 1 ? 2 * n : 0)) * sizeof(T) + (WARPS + 33) * sizeof(R);
    }

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
    BASALT_DEVICE int lane() const { return threadIdx.x % 32; }
    BASALT_DEVICE int warp() const { return threadIdx.x / 32; }
    BASALT_DEVICE int row(int u) const { return threadIdx.x + u * blockDim.x; }
    BASALT_DEVICE bool has(int u, int from) const { return row(u) >= from && row(u) < n; }
    BASALT_DEVICE int column(int c) const { return rank + c * blocks; }
    BASALT_DEVICE int firstFrom(int j) const { return j <= rank ? 0 : (int)((unsigned)(j - rank + blocks - 1) / (unsigned)blocks); }

    // The sum of a part of each warp that all have shown.
    template <typename S>
    BASALT_DEVICE S sumOf(const S* parts) const {
        S sum[2] = {parts[0], zero<S>()};
#pragma unroll
        for (int v = 1; v < WARPS; v++) {
            if (v < warps) {
                sum[v % 2] = sum[v % 2] + parts[v];
            }
        }
        return sum[0] + sum[1];
    }
    // Of the block; what was written before is there afterwards, too.
    template <typename S>
    BASALT_DEVICE S total(S part, S* parts) const {
        part = warpSum(part);
        if (lane() == 0) {
            parts[warp()] = part;
        }
        __syncthreads();
        return sumOf(parts);
    }

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

    // Elements of x from row s on: the sum of their squares, or of those of their quotients by a number.
    BASALT_DEVICE R squaresFrom(int s, R by) const {
        R sum = 0;
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            if (has(u, s)) {
                R real = re(x[u]) / by;
                R imaginary = im(x[u]) / by;
                sum += real * real + imaginary * imaginary;
            }
        }
        return sum;
    }
    // Their norm, of whose squares' sum something is lost.
    BASALT_DEVICE Norm<R> normFrom(int s) const {
        Norm<R> norm = {1, 0};
        R largest = 0;
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            if (has(u, s)) {
                largest = larger(larger(largest, absolute(re(x[u]))), absolute(im(x[u])));
            }
        }
        largest = blockLargest(largest, scratch);
        if (largest != 0) {
            norm.scale = largest;
            norm.root = root(blockSum(squaresFrom(s, largest), scratch));
        }
        return norm;
    }

    // The reflector of x from row s on, which becomes its elements: its factor; `beta`: what it makes of x.
    BASALT_DEVICE T reflector(int s, T alpha, R sum, R* beta) {
        R real = re(alpha);
        R imaginary = im(alpha);
        R all = real * real + imaginary * imaginary + sum;
        if (sum > fewest(sum) && all < most(sum)) {
            // One root and one quotient: all threads wait for them.
            R inverse = inverseRoot(all);
            R norm = all * inverse;
            norm += (R)0.5 * inverse * (all - norm * norm);
            *beta = real < 0 ? norm : -norm;
            inverse = real < 0 ? inverse : -inverse;
            T apart = Make<T>::of(real - *beta, imaginary);
            R by = 1 / (re(apart) * re(apart) + im(apart) * im(apart));
            spread(s, times(by, conj(apart, true)));
            return Make<T>::of((*beta - real) * inverse, -imaginary * inverse);
        }
        Norm<R> norm = normFrom(s + 1);
        *beta = real;
        if (norm.root == 0 && imaginary == 0) {
            spread(s, one<T>());
            return zero<T>();
        }
        *beta = betaOf(real, imaginary, norm.scale * norm.root);
        const int TIMES = 20;
        int scaled = 0;
        R safe = safest(*beta);
        while (absolute(*beta) < safe && scaled < TIMES) {
#pragma unroll
            for (int u = 0; u < ROWS; u++) {
                x[u] = times(1 / safe, x[u]);
            }
            real /= safe;
            imaginary /= safe;
            *beta /= safe;
            scaled++;
        }
        if (scaled > 0) {
            norm = normFrom(s + 1);
            *beta = betaOf(real, imaginary, norm.scale * norm.root);
        }
        T factor = Make<T>::of((*beta - real) / *beta, -imaginary / *beta);
        spread(s, divide(one<T>(), Make<T>::of(real - *beta, imaginary)));
        while (scaled-- > 0) {
            *beta *= safe;
        }
        return factor;
    }
    BASALT_DEVICE void spread(int s, T inverse) {
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            x[u] = !has(u, s) ? zero<T>() : row(u) == s ? one<T>() : x[u] * inverse;
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
        for (int e = firstFrom(s) + warp(); e < columns; e += warps) {
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
    BASALT_DEVICE void receiveAll(int s) {
        if (blocks == 1) {
            __syncthreads();
#pragma unroll
            for (int u = 0; u < ROWS; u++) {
                v[u] = x[u];
                w[u] = has(u, s) ? alone[row(u)] : zero<T>();
                x[u] = has(u, s) ? alone[n + row(u)] : zero<T>();
            }
            return;
        }
        const int MOST = 16 / WORDS;  // rows whose letters are looked at together
        const int EACH = ROWS < MOST ? ROWS : MOST;
        const u64* box = boxes + s % 2 * (n * 2 * WORDS);
#pragma unroll
        for (int first = 0; first < ROWS; first += EACH) {
            receiveRows<EACH>(first, s, box);
        }
    }
    template <int EACH>
    BASALT_DEVICE void receiveRows(int first, int s, const u64* box) {
        u64 words[EACH][2 * WORDS];
        bool all;
        do {
            BASALT_SPIN();
            all = true;
#pragma unroll
            for (int e = 0; e < EACH; e++) {
                if (has(first + e, s)) {
#pragma unroll
                    for (int i = 0; i < 2 * WORDS; i += 2) {
                        loadTwo(box + row(first + e) * (2 * WORDS) + i, words[e] + i);
                    }
                }
            }
#pragma unroll
            for (int e = 0; e < EACH; e++) {
                if (has(first + e, s)) {
                    all = sealed<2 * WORDS>(words[e], (unsigned)s) && all;
                }
            }
        } while (!all);
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            int u = first + e;
            v[u] = x[u];
            w[u] = has(u, s) ? Letter<T>::open(words[e]) : zero<T>();
            x[u] = has(u, s) ? Letter<T>::open(words[e] + WORDS) : zero<T>();
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
            R sum = total(squaresFrom(s + 1, 1), squares);
            // A block that has no columns behind this one has sent all that others wait for.
            if (column(columns - 1) < s) {
                break;
            }
            bool keeps = s % blocks == rank;
            if (keeps) {
                keepDiagonal(p);
            }
            R beta;
            T factor = reflector(s, front[1], sum, &beta);
            if (keeps) {
                keep(p, factor, beta);
            }
            multiply(s);
            if (column(columns - 1) == s && s < n - 1) {
                break;
            }
            receiveAll(s);
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
    if (threadIdx.x == 0) {
        // The last block to leave puts the counters back.
        __threadfence();
        if (atomicAdd(counter(args, 1), 1u) == gridDim.x - 1) {
            *counter(args, 0) = 0;
            *counter(args, 1) = 0;
        }
    }
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
