// QR of a panel with far more rows than columns, by a grid, in two passes over memory: AᴴA = RᴴR by Cholesky, and A's reflectors from
// Q = A·R⁻¹. With S the signs that Householder chooses, Q - S = V·U without pivoting (Ballard, Demmel, Grigori, Jacquelin, Knight, Nguyen,
// "Reconstructing Householder vectors from tall-skinny QR", 2015), so V = A·(R⁻¹·U⁻¹), T = -U·S·V₁⁻ᴴ and the triangle of A is S·R. Each block
// works on the small matrices by itself. Q from AᴴA is orthogonal up to the square of A's condition, so only where that is small.
#ifndef BASALT_QR_TALL_H
#define BASALT_QR_TALL_H
#include "cluster.h"
#include "reflect.h"

namespace basalt {

static const int TALL_BEGUN = 1 << 16;  // in a panel's third parameter: it begins so
static const int TALL_LIMIT = 16;  // the squares of the inverse of the scaled triangle may sum up to so many times those of the identity

static const int TALL_SCRATCH = 176 << 10;  // bytes in which blocks show each other sums: the stream's

// A panel of up to N columns, 32 or 64, by blocks of 256 threads.
template <typename T, int N>
struct TallPanel {
    typedef typename Of<T>::Real R;
    static const int THREADS = 256;
    static const int PITCH = N + 1;
    static const int MATRIX = N * PITCH;
    static const int ROWS = 4096 / N;                     // of a tile
    static const int EACH = ROWS * N / THREADS;           // elements of a tile in a thread
    static const int SIDE = N / 4;                        // threads that share a tile's columns
    static const int GROUPS = THREADS / (SIDE * SIDE);    // each with its own rows
    static const int PAIRS = N * (N + 1) / 2;
    static const int P = N / 16;                          // a small matrix has P·P elements in each of 16·16 threads
    static const int DOWN = ROWS / 32;                    // rows of a lane
    static const int COLUMNS = N / 16;                    // of a warp at either end of the matrix

    const Args& args;
    Read<T> matrix;
    int m, n;
    T* inverse;  // R⁻¹, then R⁻¹·U⁻¹, by rows
    T* lower;    // columns of an elimination, one a row; then both inverses
    T* upper;    // the first rows of A; then rows of an elimination
    T* tile;     // in the place of the last two
    T* pivots;
    T* reciprocals;  // of pivots
    T* scratch;
    R* lengths;  // squares of columns
    R* roots;    // their reciprocals, of the pivots of AᴴA
    R* signs;

    BASALT_DEVICE TallPanel(const Args& args, const Read<T>& matrix, int m, int n, T* at)
            : args(args), matrix(matrix), m(m), n(n) {
        inverse = at;
        lower = inverse + MATRIX;
        upper = lower + MATRIX;
        tile = lower;
        pivots = lower + (2 * MATRIX > ROWS * PITCH ? 2 * MATRIX : ROWS * PITCH);
        reciprocals = pivots + N;
        scratch = reciprocals + N;
        lengths = (R*)(scratch + 34);
        roots = lengths + N;
        signs = roots + N;
    }
    BASALT_DEVICE i64 bytes(const T* from) const { return (const char*)(signs + N) - (const char*)from; }

    BASALT_DEVICE int across() const { return threadIdx.x % 16; }
    BASALT_DEVICE int down() const { return threadIdx.x / 16; }
    BASALT_DEVICE int tiles() const { return (m + ROWS - 1) / ROWS; }

    BASALT_DEVICE void load(T (&x)[EACH], int which) const {
        int i = which * ROWS + (int)threadIdx.x % ROWS;
        int j = threadIdx.x / ROWS;
#pragma unroll
        for (int e = 0; e < EACH; e++, j += THREADS / ROWS) {
            x[e] = i < m && j < n ? matrix.element(i, j) : zero<T>();
        }
    }
    BASALT_DEVICE void store(const T (&x)[EACH]) const {
        T* to = tile + (int)threadIdx.x % ROWS * PITCH + threadIdx.x / ROWS;
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            to[e * (THREADS / ROWS)] = x[e];
        }
    }

    // This block's part of AᴴA, on and above the diagonal, a packed triangle for each group.
    BASALT_DEVICE void products() const {
        int group = threadIdx.x / (SIDE * SIDE);
        int y = threadIdx.x / SIDE % SIDE;
        int x = threadIdx.x % SIDE;
        T sums[4][4];
#pragma unroll
        for (int p = 0; p < 4; p++) {
#pragma unroll
            for (int q = 0; q < 4; q++) {
                sums[p][q] = zero<T>();
            }
        }
        T next[EACH];
        load(next, blockIdx.x);
#pragma unroll 1
        for (int t = blockIdx.x; t < tiles(); t += gridDim.x) {
            __syncthreads();
            store(next);
            __syncthreads();
            if (t + (int)gridDim.x < tiles()) {
                load(next, t + gridDim.x);
            }
            const T* row = tile + group * (ROWS / GROUPS) * PITCH;
#pragma unroll 4
            for (int r = 0; r < ROWS / GROUPS; r++, row += PITCH) {
                T a[4];
                T b[4];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    a[p] = conj(row[y + SIDE * p], true);
                    b[p] = row[x + SIDE * p];
                }
#pragma unroll
                for (int p = 0; p < 4; p++) {
#pragma unroll
                    for (int q = p; q < 4; q++) {
                        fma(a[p], b[q], sums[p][q]);
                    }
                }
            }
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < 4; p++) {
#pragma unroll
            for (int q = p; q < 4; q++) {
                int i = y + SIDE * p;
                int j = x + SIDE * q;
                if (i <= j) {
                    tile[group * PAIRS + j * (j + 1) / 2 + i] = sums[p][q];
                }
            }
        }
        __syncthreads();
    }

    // Adds up what all blocks have, as many sums at a time as there is room to show them twice; then the first rows of A are in shared memory.
    BASALT_DEVICE const T* gather(unsigned& round) const {
        const int room = TALL_SCRATCH / (int)sizeof(T);
        const int count = n * (n + 1) / 2;
        const int blocks = gridDim.x;
        const int rank = blockIdx.x;
        T* result = (T*)syncScratch(args);
        T* shown = result + PAIRS;
        int chunk = (int)least(count, (room - PAIRS) / (2 * blocks));
#pragma unroll 1
        for (int from = 0, turn = 0; from < count; from += chunk, turn ^= 1) {
            T* now = shown + (i64)turn * chunk * blocks;
            int many = (int)least(chunk, count - from);
#pragma unroll 1
            for (int e = threadIdx.x; e < many; e += THREADS) {
                T sum = tile[from + e];
#pragma unroll
                for (int g = 1; g < GROUPS; g++) {
                    sum = sum + tile[g * PAIRS + from + e];
                }
                now[(i64)e * blocks + rank] = sum;
            }
            round++;
            gridBarrier(counter(args, 0), round);
#pragma unroll 1
            for (int e = rank + blocks * (int)(threadIdx.x / 32); e < many; e += blocks * (THREADS / 32)) {
                T sum = zero<T>();
#pragma unroll 4
                for (int b = threadIdx.x % 32; b < blocks; b += 32) {
                    sum = sum + loadShared(now + (i64)e * blocks + b);
                }
                sum = warpSum(sum);
                if (threadIdx.x % 32 == 0) {
                    result[from + e] = sum;
                }
            }
        }
        __syncthreads();
#pragma unroll 1
        for (int e = threadIdx.x; e < N * N; e += THREADS) {
            int i = e % N;
            int j = e / N;
            upper[i * PITCH + j] = i < n && j < n ? matrix.element(i, j) : zero<T>();
        }
        round++;
        gridBarrier(counter(args, 0), round);
        return result;
    }

    // Eliminates column by column without pivoting, in place: below the diagonal the inverse of the unit lower factor arises, above it that of the
    // unit upper one. The columns and rows that are eliminated are kept. SIGNED: to each pivot its sign is added, else it has to be positive.
    template <bool SIGNED>
    BASALT_DEVICE bool eliminate(T (&e)[P][P]) const {
#pragma unroll 1
        for (int j = 0; j < n; j++) {
            T* column = lower + j * PITCH;
            T* row = upper + j * PITCH;
#pragma unroll
            for (int p = 0; p < P; p++) {
#pragma unroll
                for (int q = 0; q < P; q++) {
                    if (across() + 16 * q == j) {
                        column[down() + 16 * p] = e[p][q];
                    }
                    if (SIGNED && down() + 16 * p == j) {
                        row[across() + 16 * q] = e[p][q];
                    }
                }
            }
            __syncthreads();
            T pivot = column[j];
            R sign = 0;
            T over;
            if (SIGNED) {
                R real = re(pivot);
                sign = real < 0 || (real == 0 && 1 / real < 0) ? 1 : -1;
                pivot = pivot - Make<T>::real(sign);
                R square = re(pivot) * re(pivot) + im(pivot) * im(pivot);
                over = Of<T>::parts == 1 ? Make<T>::real(1 / re(pivot)) : times(1 / square, conj(pivot, true));
            } else {
                if (!(re(pivot) > 0)) {
                    return false;
                }
                pivot = Make<T>::real(re(pivot));
                over = Make<T>::real(1 / re(pivot));
            }
            if (threadIdx.x == 0) {
                pivots[j] = pivot;
                reciprocals[j] = over;
                signs[j] = sign;
            }
            T a[P];
            T b[P];
#pragma unroll
            for (int p = 0; p < P; p++) {
                int i = down() + 16 * p;
                int c = across() + 16 * p;
                a[p] = -((i == j ? one<T>() : column[i]) * over);
                // A Hermitian matrix has its column as its row; left of the pivot is the inverse, which is what its column has there.
                b[p] = c == j ? one<T>() : SIGNED ? row[c] : conj(column[c], true);
            }
#pragma unroll
            for (int p = 0; p < P; p++) {
#pragma unroll
                for (int q = 0; q < P; q++) {
                    int i = down() + 16 * p;
                    int c = across() + 16 * q;
                    T sum = i == j || c == j ? zero<T>() : e[p][q];
                    fma(a[p], b[q], sum);
                    e[p][q] = i > j || c > j ? sum : e[p][q];
                }
            }
        }
        __syncthreads();
        return true;
    }

    // e := x·y, of which y is an upper triangle.
    BASALT_DEVICE void product(const T* x, const T* y, T (&e)[P][P]) const {
#pragma unroll
        for (int p = 0; p < P; p++) {
#pragma unroll
            for (int q = 0; q < P; q++) {
                e[p][q] = zero<T>();
            }
        }
#pragma unroll 4
        for (int k = 0; k < n; k++) {
            T b[P];
#pragma unroll
            for (int q = 0; q < P; q++) {
                int c = across() + 16 * q;
                b[q] = k <= c ? y[k * PITCH + c] : zero<T>();
            }
#pragma unroll
            for (int p = 0; p < P; p++) {
                T a = x[(down() + 16 * p) * PITCH + k];
#pragma unroll
                for (int q = 0; q < P; q++) {
                    fma(a, b[q], e[p][q]);
                }
            }
        }
    }

    // R⁻¹ from the products of columns, and its rows' share in the condition; false where that is too large.
    BASALT_DEVICE bool factor(const T* gram, T (&e)[P][P]) const {
        R bad = 0;
#pragma unroll
        for (int p = 0; p < P; p++) {
#pragma unroll
            for (int q = 0; q < P; q++) {
                int i = down() + 16 * p;
                int c = across() + 16 * q;
                int more = i > c ? i : c;
                int less = i > c ? c : i;
                e[p][q] = more < n ? conj(loadShared(gram + more * (more + 1) / 2 + less), i > c) : zero<T>();
                if (i == c && i < n) {
                    R square = re(e[p][q]);
                    lengths[i] = square;
                    bad = square > fewest(square) && square < most(square) ? bad : 1;
                }
            }
        }
        if (re(blockSum(Make<T>::real(bad), scratch)) != 0 || !eliminate<false>(e)) {
            return false;
        }
        if ((int)threadIdx.x < n) {
            roots[threadIdx.x] = 1 / root(re(pivots[threadIdx.x]));
        }
        __syncthreads();
        R sum = 0;
#pragma unroll
        for (int p = 0; p < P; p++) {
#pragma unroll
            for (int q = 0; q < P; q++) {
                int i = down() + 16 * p;
                int c = across() + 16 * q;
                T x = i == c ? one<T>() : i > c ? conj(e[p][q], true) : zero<T>();
                x = i < n ? times(roots[i], x) : zero<T>();
                inverse[c * PITCH + i] = x;
                sum += c < n ? lengths[c] * (re(x) * re(x) + im(x) * im(x)) : 0;
            }
        }
        return re(blockSum(Make<T>::real(sum), scratch)) <= TALL_LIMIT * n;
    }

    // The first rows: R and later its signs, and V below.
    BASALT_DEVICE void triangle() const {
#pragma unroll 1
        for (int e = threadIdx.x; e < n * n; e += THREADS) {
            int i = e % n;
            int j = e / n;
            if (i <= j) {
                T x = i == j ? Make<T>::real(re(pivots[i])) : conj(lower[i * PITCH + j], true);
                matrix(i, j) = conj(times(roots[i], x), matrix.turned);
            }
        }
    }
    BASALT_DEVICE void reflectors(i64 problem) const {
#pragma unroll 1
        for (int e = threadIdx.x; e < n * n; e += THREADS) {
            int i = e % n;
            int j = e / n;
            T& x = matrix(i, j);
            x = i <= j ? times(signs[i], x) : conj(lower[j * PITCH + i] * reciprocals[j], matrix.turned);
        }
        if ((int)threadIdx.x < n) {
            *basalt::factor<T>(args, problem, n, threadIdx.x) = times(-signs[threadIdx.x], pivots[threadIdx.x]);
        }
    }

    // T = -U·S·V₁⁻ᴴ
    BASALT_DEVICE void blockTriangle(i64 problem) const {
        Read<T> t = triangleOf<T>(args, args.b, problem, n);
#pragma unroll 1
        for (int e = threadIdx.x; e < n * n; e += THREADS) {
            int j = e % n;
            int i = e / n;
            T sum = zero<T>();
#pragma unroll 1
            for (int k = i; k <= j; k++) {
                T u = k == i ? pivots[i] : upper[i * PITCH + k];
                fma(times(-signs[k], u), k == j ? one<T>() : conj(lower[j * PITCH + k], true), sum);
            }
            if (i <= j) {
                t(i, j) = sum;
            }
        }
    }

    // The rows below: A·(R⁻¹·U⁻¹). Tiles go backwards, since the last ones are still in the cache. Of the triangle a warp has columns from both ends.
    BASALT_DEVICE void change() const {
        const int warp = threadIdx.x / 32;
        const int lane = threadIdx.x % 32;
        const int low = COLUMNS * warp;
        const int high = N - COLUMNS * (warp + 1);
        const int blocks = gridDim.x;
        const int rank = blockIdx.x;
        int t = rank < tiles() ? (tiles() - 1 - rank) / blocks * blocks + rank : -1;
        T next[EACH];
        load(next, (int)most(t, 0));
#pragma unroll 1
        for (; t >= 0; t -= blocks) {
            __syncthreads();
            store(next);
            __syncthreads();
            if (t >= blocks) {
                load(next, t - blocks);
            }
            T first[DOWN][COLUMNS];
            T last[DOWN][COLUMNS];
#pragma unroll
            for (int u = 0; u < DOWN; u++) {
#pragma unroll
                for (int c = 0; c < COLUMNS; c++) {
                    first[u][c] = zero<T>();
                    last[u][c] = zero<T>();
                }
            }
            const T* x = tile + lane * PITCH;
            const T* w = inverse;
#pragma unroll 2
            for (int k = 0; k < low + COLUMNS; k++, w += PITCH) {
#pragma unroll
                for (int u = 0; u < DOWN; u++) {
                    T a = x[32 * u * PITCH + k];
#pragma unroll
                    for (int c = 0; c < COLUMNS; c++) {
                        fma(a, w[low + c], first[u][c]);
                        fma(a, w[high + c], last[u][c]);
                    }
                }
            }
#pragma unroll 2
            for (int k = low + COLUMNS; k < high + COLUMNS; k++, w += PITCH) {
#pragma unroll
                for (int u = 0; u < DOWN; u++) {
                    T a = x[32 * u * PITCH + k];
#pragma unroll
                    for (int c = 0; c < COLUMNS; c++) {
                        fma(a, w[high + c], last[u][c]);
                    }
                }
            }
#pragma unroll
            for (int u = 0; u < DOWN; u++) {
                int i = t * ROWS + lane + 32 * u;
                if (i >= n && i < m) {
#pragma unroll
                    for (int c = 0; c < COLUMNS; c++) {
                        if (low + c < n) {
                            matrix(i, low + c) = conj(first[u][c], matrix.turned);
                        }
                        if (high + c < n) {
                            matrix(i, high + c) = conj(last[u][c], matrix.turned);
                        }
                    }
                }
            }
        }
    }

    // False, with nothing changed, where A is too near to one of a lower rank, or has to be scaled.
    BASALT_DEVICE bool run(i64 problem, unsigned& round) const {
        products();
        const T* gram = gather(round);
        T e[P][P];
        if (!factor(gram, e)) {
            // What comes instead shows other things in the same place.
            round++;
            gridBarrier(counter(args, 0), round);
            return false;
        }
        bool writes = blockIdx.x == 0;
        if (writes) {
            triangle();
        }
        product(upper, inverse, e);
        __syncthreads();
        eliminate<true>(e);
        if (writes) {
            reflectors(problem);
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < P; p++) {
#pragma unroll
            for (int q = 0; q < P; q++) {
                int i = down() + 16 * p;
                int c = across() + 16 * q;
                lower[i * PITCH + c] = i == c ? one<T>() : e[p][q];
            }
        }
        __syncthreads();
        if (writes && args.b.base != 0) {
            blockTriangle(problem);
        }
        product(inverse, lower, e);
        __syncthreads();
#pragma unroll
        for (int p = 0; p < P; p++) {
#pragma unroll
            for (int q = 0; q < P; q++) {
                int i = down() + 16 * p;
                int c = across() + 16 * q;
                inverse[i * PITCH + c] = c < n ? e[p][q] * reciprocals[c] : zero<T>();
            }
        }
        change();
        return true;
    }
};

// Apart from what comes where it fails, so that both have all registers.
template <typename T, int N>
BASALT_APART bool tallPanel(const Args& args, const Read<T>& matrix, i64 problem, int m, int n, unsigned* round) {
    unsigned now = *round;
    bool done = TallPanel<T, N>(args, matrix, m, n, BASALT_DYNAMIC_SHARED(T)).run(problem, now);
    *round = now;
    return done;
}

}  // namespace basalt
#endif
