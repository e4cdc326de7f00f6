// Panels of QR, up to 64 columns, each entry read and written once: blocks keep slices of rows in their shared memory. A warp has one column
// or two. A step takes one sum over all rows for every column: products of the pivot column with the columns right of it, which it changes,
// and with those left of it, from which the triangle T comes. So there is one exchange between blocks a column.
#include "cluster.h"
#include "reflect.h"

namespace basalt {

static const int HALVES = 2;  // columns of a warp, 32 apart

// What a block tells of a column: its part of a product, and the element in the pivot row if that is here.
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

// What a block keeps.
template <typename T>
struct PanelMemory {
    T* slice;        // its rows by columns
    Part<T>* parts;  // of all blocks by columns, twice: for odd exchanges and for even ones
    T* gram;         // products of the pivot column with those left of it
    T* factors;      // tau
    T* inverses;     // what the rows below the diagonal are to be multiplied by
    u64* letters;    // two counters
    int rows;        // of a slice
    int blocks;

    BASALT_DEVICE PanelMemory(char* at, int sliceRows, int n, int among) {
        rows = sliceRows;
        blocks = among;
        parts = (Part<T>*)at;
        letters = (u64*)(parts + 2 * n * among);
        slice = (T*)(letters + 2);
        gram = slice + (i64)rows * n;
        factors = gram + n;
        inverses = factors + n;
    }
    BASALT_DEVICE i64 bytes(const char* from, int n) const { return (const char*)(inverses + n) - from; }
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
    R length = root(a * a + b * b + squares);
    r.beta = a < 0 || (a == 0 && 1 / a < 0) ? length : -length;
    R inverse = 1 / r.beta;
    r.tau = Make<T>::of((r.beta - a) * inverse, -b * inverse);
    r.inverse = divide(one<T>(), Make<T>::of(a - r.beta, b));
    return r;
}

// All blocks hear the parts of all: of the columns of this warp what they have. Then `total` and `row` find them.
template <typename T, int MODE>
struct Exchange {
    const Args& args;
    PanelMemory<T>& memory;
    int n, rank;
    unsigned round;

    BASALT_DEVICE T* sums() const { return (T*)syncScratch(args) + (i64)(round & 1) * n * (memory.blocks + 1); }

    BASALT_DEVICE void run(const T (&sum)[HALVES], const T (&row)[HALVES], bool owns) {
        int lane = threadIdx.x % 32;
        round++;
        Part<T>* parts = memory.parts + (round & 1) * n * memory.blocks;
        u64* letters = memory.letters + (round & 1);
        if (MODE == CLUSTER && threadIdx.x == 0) {
            expectLetters(letters, (unsigned)(memory.blocks * n * sizeof(Part<T>)));
        }
#pragma unroll
        for (int h = 0; h < HALVES; h++) {
            int w = threadIdx.x / 32 + 32 * h;
            if (w >= n) {
                continue;
            }
            if (MODE == CLUSTER && lane < memory.blocks) {
                Letter<T> letter;
                letter.words[0] = 0;
                letter.words[1] = 0;
                letter.part.sum = sum[h];
                letter.part.row = row[h];
                u64* to = (u64*)(parts + rank * n + w);
#pragma unroll
                for (int i = 0; i < (int)sizeof(Part<T>) / 8; i += 2) {
                    sendLetter(to + i, letter.words + i, letters, lane);
                }
            }
            if (MODE == ALONE && lane == 0) {
                parts[w].sum = sum[h];
                parts[w].row = row[h];
            }
            if (MODE == GRID && lane == 0) {
                sums()[w * memory.blocks + rank] = sum[h];
                if (owns) {
                    sums()[n * memory.blocks + w] = row[h];
                }
            }
        }
        if (MODE == ALONE) {
            __syncthreads();
        } else if (MODE == CLUSTER) {
            awaitLetters(letters, (round - 1) / 2 % 2);
        } else {
            gridBarrier(counter(args, 0), round);
        }
    }
    // Part of the sum of a column that this lane takes; the warp's sum of them is all.
    BASALT_DEVICE T share(int w) const {
        int lane = threadIdx.x % 32;
        const Part<T>* parts = memory.parts + (round & 1) * n * memory.blocks;
        if (MODE == GRID) {
            T sum = zero<T>();
            for (int b = lane; b < memory.blocks; b += 32) {
                sum = sum + loadShared(sums() + w * memory.blocks + b);
            }
            return sum;
        }
        return lane < memory.blocks ? parts[lane * n + w].sum : zero<T>();
    }
    // The element of a column in the pivot row, which the block `owner` has.
    BASALT_DEVICE T row(int w, int owner) const {
        return MODE == GRID ? loadShared(sums() + n * memory.blocks + w)
                            : memory.parts[(round & 1) * n * memory.blocks + owner * n + w].row;
    }
};

// Sums of conj(x)·y over this block's rows from `first` on, for the columns of this warp.
template <typename T>
BASALT_DEVICE void products(const PanelMemory<T>& memory, int j, int first, int n, T (&sum)[HALVES]) {
    int lane = threadIdx.x % 32;
    int w = threadIdx.x / 32;
    const T* x = memory.slice + (i64)j * memory.rows;
    const T* y = memory.slice + (i64)w * memory.rows;
    bool two = w + 32 < n;
    const T* z = two ? y + 32 * (i64)memory.rows : y;
    sum[0] = zero<T>();
    sum[1] = zero<T>();
#pragma unroll 4
    for (int i = first / 32 * 32 + lane; i < memory.rows; i += 32) {
        if (i >= first) {
            T v = conj(x[i], true);
            fma(v, y[i], sum[0]);
            if (two) {
                fma(v, z[i], sum[1]);
            }
        }
    }
    sum[0] = warpSum(sum[0]);
    if (n > 32) {
        sum[1] = warpSum(sum[1]);
    }
}

// Column j of T from those before it: the rows of this warp, whose elements lie in its lanes.
template <typename T>
BASALT_DEVICE void triangleRows(const PanelMemory<T>& memory, int j, int n, T (&rows)[HALVES][HALVES]) {
    int lane = threadIdx.x % 32;
    T tau = memory.factors[j];
#pragma unroll
    for (int h = 0; h < HALVES; h++) {
        int w = threadIdx.x / 32 + 32 * h;
        if (w > j || w >= n) {
            continue;
        }
        T sum = zero<T>();
#pragma unroll
        for (int e = 0; e < HALVES; e++) {
            int l = lane + 32 * e;
            if (l >= w && l < j) {
                fma(rows[h][e], memory.gram[l], sum);
            }
        }
        sum = warpSum(sum);
        T element = w == j ? tau : -(tau * sum);
#pragma unroll
        for (int e = 0; e < HALVES; e++) {
            rows[h][e] = lane + 32 * e == j ? element : rows[h][e];
        }
    }
}

template <typename T, int MODE>
BASALT_DEVICE void qrPanel(const Args& args) {
    typedef typename Of<T>::Real R;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int warps = blockDim.x / 32;
    const int m = (int)args.m;
    const int n = (int)args.n;
    const int rank = MODE == ALONE ? 0 : blockIdx.x;
    const int rows = args.x;
    const int start = rank * rows;
    PanelMemory<T> memory(BASALT_DYNAMIC_SHARED(char), rows, n, MODE == ALONE ? 1 : (int)gridDim.x);
    if (MODE == GRID) {
        // Parts lie in the stream's scratch: their place is the slice's.
        memory = PanelMemory<T>(BASALT_DYNAMIC_SHARED(char), rows, n, 0);
        memory.blocks = gridDim.x;
    }
    Exchange<T, MODE> exchange = {args, memory, n, rank, 0};
    if (MODE == CLUSTER) {
        if (threadIdx.x == 0) {
            openLetters(memory.letters);
            openLetters(memory.letters + 1);
        }
        clusterBarrier();
    }
    // As a grid there is one launch a problem.
    i64 end = MODE == GRID ? args.y + 1 : args.count;
    for (i64 problem = MODE == GRID ? args.y : blockIdx.z; problem < end; problem += gridDim.z) {
        if (skips(args, problem)) {
            continue;
        }
        Read<T> c = read<T>(args, args.c, problem, m, n);
        const bool wanted = args.b.base != 0 && rank == 0;
        for (int w = warp; w < n; w += warps) {
#pragma unroll 8
            for (int i = lane; i < rows; i += 32) {
                memory.slice[(i64)w * rows + i] = start + i < m ? c.element(start + i, w) : zero<T>();
            }
        }
        __syncthreads();
        T triangle[HALVES][HALVES] = {{zero<T>(), zero<T>()}, {zero<T>(), zero<T>()}};
        for (int j = 0; j < n; j++) {
            const int owner = j / rows;
            const int first = j + 1 < start ? 0 : j + 1 - start;
            T sum[HALVES];
            products(memory, j, first, n, sum);
            if (wanted && j > 0) {
                triangleRows(memory, j - 1, n, triangle);
            }
            T row[HALVES];
#pragma unroll
            for (int h = 0; h < HALVES; h++) {
                int w = warp + 32 * h;
                row[h] = owner == rank && w < n ? memory.slice[(i64)w * rows + j - start] : zero<T>();
            }
            exchange.run(sum, row, owner == rank);
            T squares = exchange.share(j);
            sum[0] = exchange.share(warp < n ? warp : j);
            sum[1] = warp + 32 < n ? exchange.share(warp + 32) : zero<T>();
            squares = warpSum(squares);
            sum[0] = warpSum(sum[0]);
            if (n > 32) {
                sum[1] = warpSum(sum[1]);
            }
            T alpha = exchange.row(j, owner);
            row[0] = exchange.row(warp < n ? warp : j, owner);
            row[1] = warp + 32 < n ? exchange.row(warp + 32, owner) : zero<T>();
            Reflector<T> r;
            R squared = re(squares);
            if (squared > fewest(squared) && squared < most(squared) && absolute(re(alpha)) < plainMost(squared)
                    && absolute(im(alpha)) < plainMost(squared)) {
                r = plainReflector(alpha, squared);
            } else {
                // Rare: the largest element, then all again with the column divided by it.
                T* x = memory.slice + (i64)j * rows;
                R largest = 0;
                for (int i = first / 32 * 32 + lane; i < rows; i += 32) {
                    if (i >= first) {
                        largest = larger(larger(largest, absolute(re(x[i]))), absolute(im(x[i])));
                    }
                }
                for (int mask = 16; mask > 0; mask >>= 1) {
                    largest = larger(largest, shuffleXor(largest, mask));
                }
                T both[HALVES] = {Make<T>::real(largest), Make<T>::real(largest)};
                exchange.run(both, row, false);
                largest = 0;
                for (int b = lane; b < memory.blocks; b += 32) {
                    T part = MODE == GRID ? loadShared(exchange.sums() + b)
                                          : memory.parts[(exchange.round & 1) * n * memory.blocks + b * n].sum;
                    largest = larger(largest, re(part));
                }
                for (int mask = 16; mask > 0; mask >>= 1) {
                    largest = larger(largest, shuffleXor(largest, mask));
                }
                if (largest == 0) {
                    r.beta = 0;
                    r.tau = zero<T>();
                    r.inverse = zero<T>();
                    if (im(alpha) != 0) {
                        r = reflector(alpha, (R)0, (R)0);
                    }
                } else {
                    __syncthreads();
                    for (int i = first + threadIdx.x; i < rows; i += blockDim.x) {
                        x[i] = Make<T>::of(re(x[i]) / largest, im(x[i]) / largest);
                    }
                    __syncthreads();
                    products(memory, j, first, n, sum);
                    exchange.run(sum, row, false);
                    squares = warpSum(exchange.share(j));
                    sum[0] = warpSum(exchange.share(warp < n ? warp : j));
                    T other = warp + 32 < n ? exchange.share(warp + 32) : zero<T>();
                    sum[1] = warpSum(other);
                    r = reflector(alpha, root(re(squares)), largest);
                }
            }
            const T f = conj(r.tau, true);
#pragma unroll
            for (int h = 0; h < HALVES; h++) {
                int w = warp + 32 * h;
                if (w >= n) {
                    continue;
                }
                if (w > j && !isZero(f)) {
                    T g = f * (row[h] + conj(r.inverse, true) * sum[h]);
                    T by = -(g * r.inverse);
                    const T* x = memory.slice + (i64)j * rows;
                    T* y = memory.slice + (i64)w * rows;
#pragma unroll 4
                    for (int i = first / 32 * 32 + lane; i < rows; i += 32) {
                        if (i >= first) {
                            fma(by, x[i], y[i]);
                        }
                    }
                    if (owner == rank && lane == 0) {
                        y[j - start] = row[h] - g;
                    }
                } else if (w == j && lane == 0) {
                    if (owner == rank && !isZero(r.tau)) {
                        memory.slice[(i64)j * rows + j - start] = Make<T>::real(r.beta);
                    }
                    memory.factors[j] = r.tau;
                    memory.inverses[j] = r.inverse;
                } else if (w < j && wanted && lane == 0) {
                    T before = memory.inverses[w];
                    memory.gram[w] =
                            conj(before * row[h], true) + conj(before, true) * (r.inverse * conj(sum[h], true));
                }
            }
            __syncthreads();
        }
        if (wanted) {
            triangleRows(memory, n - 1, n, triangle);
            Read<T> t = triangleOf<T>(args, args.b, problem, n);
#pragma unroll
            for (int h = 0; h < HALVES; h++) {
#pragma unroll
                for (int e = 0; e < HALVES; e++) {
                    int w = warp + 32 * h;
                    int l = lane + 32 * e;
                    if (w <= l && l < n) {
                        t(w, l) = triangle[h][e];
                    }
                }
            }
        }
        for (int w = warp; w < n; w += warps) {
            T inverse = memory.inverses[w];
#pragma unroll 8
            for (int i = lane; i < rows; i += 32) {
                if (start + i < m) {
                    T v = memory.slice[(i64)w * rows + i];
                    c(start + i, w) = conj(start + i > w ? v * inverse : v, c.turned);
                }
            }
        }
        if (rank == 0) {
            for (int w = threadIdx.x; w < n; w += blockDim.x) {
                *factor<T>(args, problem, n, w) = memory.factors[w];
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
// rows of a slice, columns, and blocks whose parts lie in shared memory
#define QR_LAYOUT(t, T) \
    BASALT_LAYOUT(qr_panel_##t, rows, n, blocks) { \
        return basalt::PanelMemory<T>(nullptr, (int)rows, (int)n, (int)blocks).bytes(nullptr, (int)n); \
    }
BASALT_EACH_TYPE(QR_LAYOUT)
#endif

#define QR_PANEL(t, T)                                                                                    \
    BASALT_KERNEL(basalt_qr_alone_##t) { basalt::qrPanel<T, basalt::ALONE>(args); } \
    BASALT_KERNEL(basalt_qr_slices_##t) { basalt::qrPanel<T, basalt::GRID>(args); }
BASALT_EACH_TYPE(QR_PANEL)

// Clusters are Hopper's: elsewhere nobody launches these.
#if BASALT_CUDA_ARCH >= 900 || defined(BASALT_SHIM)
#define QR_CLUSTER(t, T)                                                                                        \
    BASALT_KERNEL(basalt_qr_cluster_8_##t) { basalt::qrPanel<T, basalt::CLUSTER>(args); } \
    BASALT_KERNEL(basalt_qr_cluster_16_##t) { basalt::qrPanel<T, basalt::CLUSTER>(args); }
BASALT_EACH_TYPE(QR_CLUSTER)
#endif
