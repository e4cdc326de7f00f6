// A panel of the reduction of a matrix to bidiagonal form, by all blocks of a cooperative launch. Two barriers a column: behind the column as the panel changes it, and behind the row.
// The matrix is read once a column: a block takes whole columns, four at a time. Their products with the column's reflector make their elements of the row, and these
// make at once this block's part of the product with the row's reflector, which is known but for a factor and its first element.
// What the panel takes off the matrix is L·Rᴴ with columns in pairs: v beside y, and x beside u.
#include "cluster.h"
#include "reflect.h"

namespace basalt {

// What a block keeps in shared memory.
template <typename T>
struct BidiagonalMemory {
    static const int WARPS = 16;
    static const int PAIRS = 64;           // columns of L and of R at most
    static const int GROUP = 4;            // columns at a time
    static const int LIMIT = 160 * 1024;   // bytes
    T* parts;    // of 32 rows, by each warp: two kinds
    T* sums;     // of a group's columns, by each warp
    T* chosen;   // a group's elements of the row
    T* factors;  // products with columns of L or of R
    T* others;   // a row of R or of L
    T* rows;     // 32 elements of a column, and of x
    T* scratch;
    T* product;  // a vector of rows, where there is room

    BASALT_DEVICE BidiagonalMemory(char* at, i64 m) {
        parts = (T*)at;
        sums = parts + 2 * WARPS * 32;
        chosen = sums + WARPS * GROUP;
        factors = chosen + GROUP;
        others = factors + PAIRS;
        rows = others + PAIRS;
        scratch = rows + 64;
        product = bytes(at, m) <= LIMIT ? scratch + 33 : 0;
    }
    BASALT_DEVICE i64 bytes(const char* from, i64 m) const { return (const char*)(scratch + 33 + m) - from; }
    BASALT_DEVICE i64 least(const char* from, i64 m) const { return product == 0 ? bytes(from, 0) : bytes(from, m); }
};

// A reflector of a vector x: its first element is 1, the others are x·up·inverse.
template <typename T>
struct Made {
    typedef typename Of<T>::Real R;
    T factor;
    R beta, up;
    T inverse;

    BASALT_DEVICE T whole() const { return times(up, inverse); }
    BASALT_DEVICE T element(const T* x, i64 i, i64 first) const {
        return i == first ? one<T>() : times(up, x[i]) * inverse;
    }
};

template <typename T>
struct BidiagonalPanel {
    typedef typename Of<T>::Real R;
    typedef BidiagonalMemory<T> Memory;
    static const int WARPS = Memory::WARPS;
    static const int THREADS = 32 * WARPS;
    static const int PAIRS = Memory::PAIRS;
    static const int GROUP = Memory::GROUP;
    static const int HELD = PAIRS / WARPS;   // columns of L that a warp has
    static const int CHUNKS = THREADS / PAIRS;
    static const int BATCH = 4;              // loads on their way

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
        : args(arguments), memory(BASALT_DYNAMIC_SHARED(char), arguments.m), m(arguments.m), n(arguments.n), k(arguments.k), lda(arguments.c.ld), rank(blockIdx.x), blocks(gridDim.x), round(0) {
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

    // The reflector of x from its element `first` on, as every thread makes it for itself. `kind` 0: of a column, 1: of a row. `apart`: what was made of x so far may have left the range.
    BASALT_DEVICE Made<T> reflector(const T* x, i64 first, i64 end, int kind, bool* apart) const {
        R sum = 0;
        R most = 0;
        for (int b = lane(); b < blocks; b += 32) {
            sum += squares[kind * blocks + b];
            most = larger(most, largest[kind * blocks + b]);
        }
        sum = warpSum(sum);
        for (int mask = 16; mask > 0; mask >>= 1) {
            most = larger(most, shuffleXor(most, mask));
        }
        T alpha = x[first];
        R a0 = re(alpha);
        R b0 = im(alpha);
        Made<T> made;
        made.factor = zero<T>();
        made.beta = a0;
        made.up = 1;
        made.inverse = one<T>();
        *apart = most != 0 && !(sum > fewest(sum) && sum < (kind == 0 ? basalt::most(sum) : mostBefore(sum)));
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

    // Sums over blocks of their `count` numbers, times `by`, and one more number each, to where factors are. Products that one block has made for all are not added up.
    BASALT_DEVICE void collect(const T* numbers, i64 count, bool summed, T by, const T* own, i64 step) const {
        int l = threadIdx.x % PAIRS;
        T sum = zero<T>();
        if (l < count) {
            for (int b = threadIdx.x / PAIRS; b < (summed ? blocks : 1); b += CHUNKS) {
                sum = sum + numbers[b * 2 * k + l];
            }
        }
        memory.parts[threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.x < PAIRS) {
            T all = zero<T>();
            T row = zero<T>();
            if (l < count) {
#pragma unroll
                for (int c = 0; c < CHUNKS; c++) {
                    all = all + memory.parts[c * PAIRS + l];
                }
                row = conj(own[l * step], true);
                all = by * all + row;
            }
            memory.factors[l] = all;
        }
        __syncthreads();
    }

    // A row of L or R, conjugated, to where others are.
    BASALT_DEVICE void showRow(const T* own, i64 step, i64 count) const {
        if (threadIdx.x < PAIRS) {
            memory.others[threadIdx.x] = threadIdx.x < count ? conj(own[threadIdx.x * step], true) : zero<T>();
        }
        __syncthreads();
    }

    BASALT_DEVICE void measure(R sum, R most, int kind) const {
        if (lane() == 0) {
            squares[kind * blocks + rank] = sum;
            largest[kind * blocks + rank] = most;
        }
    }

    // The last column of L, x of the pair before p; and `next`: column p as all pairs change it, and the products of columns of L with what is behind its first element.
    BASALT_DEVICE void advance(i64 p, const Made<T>& made, bool summed, bool next) const {
        i64 count = p > 0 ? 2 * p - 1 : 0;
        T by = summed ? made.whole() : one<T>();
        int shown = (int)least(blocks, (n - p + GROUP - 1) / GROUP);
        collect(crosses, count, true, by, right + p, n);
        showRow(right + p, n, count);
        T products[HELD];
#pragma unroll
        for (int q = 0; q < HELD; q++) {
            products[q] = zero<T>();
        }
        R sum = 0;
        R most = 0;
        for (i64 i0 = 32 * (i64)rank; i0 < m; i0 += 32 * (i64)blocks) {
            if (i0 + 32 <= p) {
                continue;
            }
            i64 i = i0 + lane();
            bool inside = i >= p && i < m;
            T here[HELD];
            T sum1 = zero<T>();
            T sum2 = zero<T>();
            T part = zero<T>();
#pragma unroll
            for (int q = 0; q < HELD; q++) {
                i64 l = warp() + q * WARPS;
                here[q] = inside && l < count ? left[i + l * m] : zero<T>();
            }
            for (int b0 = warp(); p > 0 && b0 < shown; b0 += 2 * BATCH * WARPS) {
                T some[2 * BATCH];
#pragma unroll
                for (int b = 0; b < 2 * BATCH; b++) {
                    int block = b0 + b * WARPS;
                    some[b] = inside && block < shown ? partials[block * m + i] : zero<T>();
                }
#pragma unroll
                for (int b = 0; b < 2 * BATCH; b++) {
                    part = part + some[b];
                }
            }
#pragma unroll
            for (int q = 0; q < HELD; q++) {
                fma(here[q], memory.factors[warp() + q * WARPS], sum1);
                fma(here[q], memory.others[warp() + q * WARPS], sum2);
            }
            memory.parts[threadIdx.x] = by * part - sum1;
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
                T own = inside ? a[i + p * lda] : zero<T>();
                if (p > 0) {
                    x = made.factor * (x + own);
                    if (inside) {
                        left[i + (2 * p - 1) * m] = x;
                    }
                }
                T now = own - off - x;
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
                T c = p > 0 && warp() + q * WARPS == count ? memory.rows[32 + lane()] : here[q];
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

    // The reflector of column i where it belongs.
    BASALT_DEVICE void storeColumn(i64 i, const Made<T>& made) const {
        for (i64 r = i + (i64)rank * THREADS + threadIdx.x; r < m; r += (i64)blocks * THREADS) {
            T element = made.element(v, r, i);
            left[r + 2 * i * m] = element;
            a[r + i * lda] = r == i ? Make<T>::of(made.beta, (R)0) : element;
        }
        if (rank == 0 && threadIdx.x == 0) {
            diagonal[i] = made.beta;
            tauq[i] = made.factor;
        }
    }

    // That of row i.
    BASALT_DEVICE void storeRow(i64 i, const Made<T>& made) const {
        for (i64 j = i + 1 + (i64)rank * THREADS + threadIdx.x; j < n; j += (i64)blocks * THREADS) {
            T element = made.element(u, j, i + 1);
            right[j + (2 * i + 1) * n] = element;
            a[i + j * lda] = j == i + 1 ? Make<T>::of(made.beta, (R)0) : conj(element, true);
        }
        if (rank == 0 && threadIdx.x == 0) {
            beside[i] = made.beta;
            taup[i] = made.factor;
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

    // Row i as the column's reflector and all pairs change it, y of that pair, and this block's part of the products with what is behind the row's first element: of A, and of columns of R.
    // With `finished` the row is a reflector already.
    BASALT_DEVICE void columns(i64 i, const Made<T>& column, const Made<T>* finished) const {
        i64 s = i + 1;
        i64 groups = (n - s + GROUP - 1) / GROUP;
        T cross[2] = {zero<T>(), zero<T>()};
        R sum = 0;
        R most = 0;
        T* product = memory.product != 0 ? memory.product : partials + rank * m;
        for (i64 r = s + threadIdx.x; rank < groups && r < m; r += THREADS) {
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
                    T lost = zero<T>();
                    T off = zero<T>();
#pragma unroll
                    for (int q = 0; q < 2; q++) {
                        i64 l = lane() + 32 * q;
                        line[q] = l < 2 * i ? right[j + l * n] : zero<T>();
                        fma(line[q], memory.factors[l], lost);
                        fma(line[q], memory.others[l], off);
                    }
                    T y;
                    if (finished != 0) {
                        y = right[j + 2 * i * n];
                        now = finished->element(u, j, s);
                    } else {
                        T dot = lane() < WARPS ? memory.sums[lane() * GROUP + warp()] : zero<T>();
                        y = column.factor * warpSum(dot - lost);
                        now = conj(a[i + j * lda], true) - warpSum(off) - y;
                        if (lane() == 0) {
                            right[j + 2 * i * n] = y;
                            u[j] = now;
                        }
                    }
                    if (j > s) {
                        sum += re(now) * re(now) + im(now) * im(now);
                        most = larger(larger(most, absolute(re(now))), absolute(im(now)));
#pragma unroll
                        for (int q = 0; q < 2; q++) {
                            T c = lane() + 32 * q == 2 * i ? y : line[q];
                            fma(conj(c, true), now, cross[q]);
                        }
                    }
                }
                if (lane() == 0) {
                    memory.chosen[warp()] = j > s ? now : zero<T>();
                }
            }
            __syncthreads();
            multiplyRow(s, j0, product);
        }
        __syncthreads();
        if (warp() < GROUP) {
            memory.parts[warp() * PAIRS + lane()] = cross[0];
            memory.parts[warp() * PAIRS + 32 + lane()] = cross[1];
            if (lane() == 0) {
                ((R*)memory.scratch)[warp()] = sum;
                ((R*)memory.scratch)[GROUP + warp()] = most;
            }
        }
        __syncthreads();
        if (threadIdx.x <= 2 * i && threadIdx.x < PAIRS) {
            T all = zero<T>();
            for (int w = 0; w < GROUP; w++) {
                all = all + memory.parts[w * PAIRS + threadIdx.x];
            }
            crosses[rank * 2 * k + threadIdx.x] = all;
        }
        if (warp() == 0 && finished == 0) {
            R all = 0;
            R large = 0;
            for (int w = 0; w < GROUP; w++) {
                all += ((R*)memory.scratch)[w];
                large = larger(large, ((R*)memory.scratch)[GROUP + w]);
            }
            measure(all, large, 1);
        }
        for (i64 r = s + threadIdx.x; memory.product != 0 && rank < groups && r < m; r += THREADS) {
            partials[rank * m + r] = memory.product[r];
        }
    }

    BASALT_DEVICE void run() {
        Made<T> row;
        row.factor = zero<T>();
        row.beta = 0;
        row.up = 1;
        row.inverse = one<T>();
        advance(0, row, true, true);
        for (i64 i = 0; i < k; i++) {
            barrier();
            bool apart;
            Made<T> column = reflector(v, i, m, 0, &apart);
            storeColumn(i, column);
            if (i + 1 == n) {
                if (rank == 0 && threadIdx.x == 0) {
                    taup[i] = zero<T>();
                }
                break;
            }
            if (apart) {
                again(i, column);
            }
            collect(dots, 2 * i, !apart, apart ? one<T>() : column.whole(), left + i, m);
            showRow(left + i, m, 2 * i);
            columns(i, column, 0);
            barrier();
            row = reflector(u, i + 1, n, 1, &apart);
            if (apart) {
                columns(i, column, &row);
                barrier();
            }
            storeRow(i, row);
            advance(i + 1, row, !apart, i + 1 < k);
        }
        leaveGrid(args);
    }
};

template <typename T>
BASALT_DEVICE void labrdPanel(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (!skips(args, problem)) {
        BidiagonalPanel<T>(args, problem).run();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define BIDIAGONAL_LAYOUT(t, T) \
    BASALT_LAYOUT(labrd_panel_##t, x, y, z) { return basalt::BidiagonalMemory<T>(nullptr, x).least(nullptr, x) + 0 * (y + z); }
BASALT_EACH_TYPE(BIDIAGONAL_LAYOUT)
#endif

#define BIDIAGONAL_PANEL(t, T) \
    BASALT_KERNEL(basalt_labrd_panel_##t) { basalt::labrdPanel<T>(args); }
BASALT_EACH_TYPE(BIDIAGONAL_PANEL)
