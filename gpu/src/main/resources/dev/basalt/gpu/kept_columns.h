// What kernels share that keep a matrix in the shared memory of their blocks, each every so many-th column in full length: threads have rows, sums over a block are made in one order, and every block makes each
// reflector for itself.
#ifndef BASALT_KEPT_COLUMNS_H
#define BASALT_KEPT_COLUMNS_H
#include "mail.h"
#include "reflect.h"

namespace basalt {

// ROWS: of a thread, so many threads of a block apart.
template <typename T, int ROWS>
struct KeptColumns {
    typedef typename Of<T>::Real R;
    static const int WORDS = Letter<T>::words;
    static const int GROUP = 8;  // columns that are summed up at once
    static const int WARPS = 8;

    int blocks, rank, warps, columns;
    R* scratch;

    BASALT_DEVICE KeptColumns(int size, int n)
        : blocks(size), rank(blockIdx.x), warps(blockDim.x / 32), columns((n - (int)blockIdx.x + size - 1) / size) {}

    BASALT_DEVICE int lane() const { return threadIdx.x % 32; }
    BASALT_DEVICE int warp() const { return threadIdx.x / 32; }
    BASALT_DEVICE int row(int u) const { return threadIdx.x + u * blockDim.x; }
    BASALT_DEVICE bool has(int u, int from, int end) const { return row(u) >= from && row(u) < end; }
    BASALT_DEVICE int column(int c) const { return rank + c * blocks; }
    BASALT_DEVICE int firstFrom(int j) const { return j <= rank ? 0 : (int)((unsigned)(j - rank + blocks - 1) / (unsigned)blocks); }
    // Which of the block's columns has this number, -1 for none.
    BASALT_DEVICE int ownOf(int j) const {
        return j >= 0 && (unsigned)j % (unsigned)blocks == (unsigned)rank ? (int)((unsigned)j / (unsigned)blocks) : -1;
    }

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

    // Elements of x from row s on: the sum of their squares, or of those of their quotients by a number.
    BASALT_DEVICE R squaresFrom(const T (&x)[ROWS], int s, int end, R by) const {
        R sum = 0;
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            if (has(u, s, end)) {
                R real = re(x[u]) / by;
                R imaginary = im(x[u]) / by;
                sum += real * real + imaginary * imaginary;
            }
        }
        return sum;
    }
    // Their norm, of whose squares' sum something is lost.
    BASALT_DEVICE Norm<R> normFrom(const T (&x)[ROWS], int s, int end) const {
        Norm<R> norm = {1, 0};
        R largest = 0;
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            if (has(u, s, end)) {
                largest = larger(larger(largest, absolute(re(x[u]))), absolute(im(x[u])));
            }
        }
        largest = blockLargest(largest, scratch);
        if (largest != 0) {
            norm.scale = largest;
            norm.root = root(blockSum(squaresFrom(x, s, end, largest), scratch));
        }
        return norm;
    }

    // The reflector of x from row s on, which becomes its elements: its factor; `beta`: what it makes of x.
    BASALT_DEVICE T reflector(T (&x)[ROWS], int s, int end, T alpha, R sum, R* beta) const {
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
            spread(x, s, end, times(by, conj(apart, true)));
            return Make<T>::of((*beta - real) * inverse, -imaginary * inverse);
        }
        Norm<R> norm = normFrom(x, s + 1, end);
        *beta = real;
        if (norm.root == 0 && imaginary == 0) {
            spread(x, s, end, one<T>());
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
            norm = normFrom(x, s + 1, end);
            *beta = betaOf(real, imaginary, norm.scale * norm.root);
        }
        T factor = Make<T>::of((*beta - real) / *beta, -imaginary / *beta);
        spread(x, s, end, divide(one<T>(), Make<T>::of(real - *beta, imaginary)));
        while (scaled-- > 0) {
            *beta *= safe;
        }
        return factor;
    }
    BASALT_DEVICE void spread(T (&x)[ROWS], int s, int end, T inverse) const {
#pragma unroll
        for (int u = 0; u < ROWS; u++) {
            x[u] = !has(u, s, end) ? zero<T>() : row(u) == s ? one<T>() : x[u] * inverse;
        }
    }

    // Letters of this thread's rows from s on, EACH for each: take(row, letters).
    template <int EACH, typename TAKE>
    BASALT_DEVICE void receiveAll(int s, int end, const u64* box, unsigned tag, TAKE take) const {
        const int MOST = 32 / (EACH * WORDS);  // rows whose letters are looked at together
        const int TOGETHER = ROWS < MOST ? ROWS : MOST;
#pragma unroll
        for (int first = 0; first < ROWS; first += TOGETHER) {
            receiveRows<EACH, TOGETHER>(first, s, end, box, tag, take);
        }
    }
    template <int EACH, int TOGETHER, typename TAKE>
    BASALT_DEVICE void receiveRows(int first, int s, int end, const u64* box, unsigned tag, TAKE take) const {
        const int COUNT = EACH * WORDS;
        u64 words[TOGETHER][COUNT];
        bool all;
        do {
            BASALT_SPIN();
            all = true;
#pragma unroll
            for (int e = 0; e < TOGETHER; e++) {
                if (has(first + e, s, end)) {
                    loadWords<COUNT>(box + row(first + e) * COUNT, words[e]);
                }
            }
#pragma unroll
            for (int e = 0; e < TOGETHER; e++) {
                if (has(first + e, s, end)) {
                    all = sealed<COUNT>(words[e], tag) && all;
                }
            }
        } while (!all);
#pragma unroll
        for (int e = 0; e < TOGETHER; e++) {
            T letters[EACH];
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                letters[i] = has(first + e, s, end) ? Letter<T>::open(words[e] + i * WORDS) : zero<T>();
            }
            take(first + e, letters);
        }
    }
};

}  // namespace basalt
#endif
