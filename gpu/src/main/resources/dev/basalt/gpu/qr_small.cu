// QR of small problems, all of a matrix in the registers of the threads that have it. Threads of a problem belong to columns: `parts` of them, a
// power of two, have one column, R rows each. Before step j the threads of column j show what lies below the diagonal in shared memory; then each
// column has its product with it, which is what the reflector needs and, of column j itself, the square of the norm. So a step has one barrier. As
// long as sums neither overflow nor underflow the reflector is made while the products are, from numbers that are not scaled yet.
//
// For orders 8, 16, 32, 64, 128 in double, a problem: 1, 4, 16, 66, 262 KB are moved, 0.7, 5.5, 44, 350, 2796 kflop done. On an H200 (4.8 TB/s, 34
// Tflop/s) 20000 of order 32 take at least 68 µs by memory and 26 by arithmetic; 2000 of order 128 109 and 164; 2000 of 256×32 55 and 38.
#include "least_squares.h"
#include "reflector.h"
#include "stages.h"

namespace basalt {

static const int TOGETHER = 8;  // rows of a thread that are passed over together once they are done

// What one load brings of a column.
template <typename T>
struct alignas(sizeof(T) < 8 ? 8 : 16) Two {
    T v[2];
};

// The norm of n elements times a factor, by one thread.
template <typename T>
BASALT_DEVICE typename Of<T>::Real farNorm(const T* x, int n, typename Of<T>::Real by) {
    typedef typename Of<T>::Real R;
    R largest = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        T element = times(by, x[i]);
        largest = larger(larger(largest, absolute(re(element))), absolute(im(element)));
    }
    if (largest == 0) {
        return 0;
    }
    R sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        T element = times(by, x[i]);
        R u = re(element) / largest;
        R v = im(element) / largest;
        sum += u * u + v * v;
    }
    return largest * root(sum);
}

// As LAPACK's larfg, which scales once at most: the smallest number times 1 / safest is above it.
template <typename T>
BASALT_DEVICE void farReflector(ThreadReflector<T>& r, T alpha, const T* x, int n) {
    typedef typename Of<T>::Real R;
    r.plain = false;
    r.before = 1;
    R norm = farNorm(x, n, (R)1);
    if (norm == 0 && im(alpha) == 0) {
        r.tau = zero<T>();
        r.inverse = one<T>();
        r.beta = re(alpha);
        return;
    }
    R a = re(alpha);
    R b = im(alpha);
    R beta = betaOf(a, b, norm);
    R safe = safest(beta);
    bool scaled = absolute(beta) < safe;
    if (scaled) {
        r.before = 1 / safe;
        a *= r.before;
        b *= r.before;
        beta = betaOf(a, b, farNorm(x, n, r.before));
    }
    r.tau = Make<T>::of((beta - a) / beta, -b / beta);
    r.inverse = divide(one<T>(), Make<T>::of(a - beta, b));
    r.beta = scaled ? beta * safe : beta;
}

// The reflector of alpha and n elements at x, whose squares have that sum: the same bits in every thread.
template <typename T>
BASALT_DEVICE ThreadReflector<T> reflector(T alpha, const T* x, int n, typename Of<T>::Real squares) {
    ThreadReflector<T> r;
    typename Of<T>::Real all = squares + (re(alpha) * re(alpha) + im(alpha) * im(alpha));
    r.plain = squares > fewest(squares) && all < most(all);
    r.before = 1;
    if (r.plain) {
        finish(r, alpha, root(all));
    } else if (n == 0 && im(alpha) == 0) {
        r.tau = zero<T>();
        r.inverse = one<T>();
        r.beta = re(alpha);
    } else {
        farReflector(r, alpha, x, n);
    }
    return r;
}

// Elements of shared memory of a problem: the matrix while it comes and goes, or two columns that are shown, their first elements and norms, and
// of each column what its reflector was, and a product.
BASALT_DEVICE int qrElements(int rows, int n) {
    int matrix = (rows + 1) * n;
    int steps = 2 * rows + 4 + 4 * n;
    return ((matrix > steps ? matrix : steps) + 3) / 4 * 4;
}

template <bool BLOCK>
BASALT_DEVICE void qrBarrier() {
    if (BLOCK) {
        __syncthreads();
    } else {
        warpBarrier();
    }
}

// Rows of a thread: pairs, 2·parts apart.
template <int BITS>
struct Rows {
    int part;

    BASALT_DEVICE int operator()(int r) const { return (r / 2 << (BITS + 1)) + 2 * part + r % 2; }
};

// A right-hand side of which a lane has every 32nd row: in registers, or where it lies if there are many.
template <typename T, int Q, bool HELD>
struct Side {
    T x[Q];
    BASALT_DEVICE T& operator[](int q) { return x[q]; }
    BASALT_DEVICE void begin(T* b, int known, int) {
#pragma unroll
        for (int q = 0; q < Q; q++) {
            x[q] = (int)threadIdx.x % 32 + 32 * q < known ? b[threadIdx.x % 32 + 32 * q] : zero<T>();
        }
    }
    BASALT_DEVICE void end(T* b, int m) {
#pragma unroll
        for (int q = 0; q < Q; q++) {
            if ((int)threadIdx.x % 32 + 32 * q < m) {
                b[threadIdx.x % 32 + 32 * q] = x[q];
            }
        }
    }
};
template <typename T, int Q>
struct Side<T, Q, false> {
    T* x;
    BASALT_DEVICE T& operator[](int q) { return x[32 * q]; }
    BASALT_DEVICE void begin(T* b, int known, int m) {
        x = b + threadIdx.x % 32;
        for (int i = threadIdx.x % 32; i < m; i += 32) {
            b[i] = i < known ? b[i] : zero<T>();
        }
    }
    BASALT_DEVICE void end(T*, int) {}
};

// The solution for one right-hand side by a warp, from R and the reflectors f and their factors in shared memory.
template <typename T, int Q>
BASALT_DEVICE void solveHeld(const T* f, int pitch, const T* tau, int m, int n, bool least, T* b) {
    const bool HELD = Q * sizeof(T) <= 64;
    [[maybe_unused]] const int AT_ONCE = HELD ? Q : 1;  // for the pragmas
    const int lane = threadIdx.x % 32;
    Side<T, Q, HELD> x;
    x.begin(b, least ? m : n, m);
    for (int s = 0; s < n && !least; s++) {
        T w = zero<T>();
#pragma unroll AT_ONCE
        for (int q = 0; q < Q; q++) {
            if (lane + 32 * q < s) {
                fma(conj(f[s * pitch + lane + 32 * q], true), x[q], w);
            }
        }
        w = warpSum(w);
#pragma unroll AT_ONCE
        for (int q = 0; q < Q; q++) {
            if (lane + 32 * q == s) {
                x[q] = divide(x[q] - w, conj(f[s * pitch + s], true));
            }
        }
    }
    for (int s = 0; s < n; s++) {
        const int j = least ? s : n - 1 - s;
        T w = zero<T>();
#pragma unroll AT_ONCE
        for (int q = 0; q < Q; q++) {
            const int i = lane + 32 * q;
            if (i >= j && i < m) {
                fma(i == j ? one<T>() : conj(f[j * pitch + i], true), x[q], w);
            }
        }
        w = -(conj(tau[j], least) * warpSum(w));
#pragma unroll AT_ONCE
        for (int q = 0; q < Q; q++) {
            const int i = lane + 32 * q;
            if (i >= j && i < m) {
                fma(w, i == j ? one<T>() : f[j * pitch + i], x[q]);
            }
        }
    }
    for (int k = n - 1; k >= 0 && least; k--) {
        T known = zero<T>();
#pragma unroll AT_ONCE
        for (int q = 0; q < Q; q++) {
            if (q == k / 32) {
                known = x[q];
            }
        }
        known = divide(shuffle(known, k % 32), f[k * pitch + k]);
#pragma unroll AT_ONCE
        for (int q = 0; q < Q; q++) {
            const int i = lane + 32 * q;
            if (i < k) {
                fma(-f[k * pitch + i], known, x[q]);
            }
            if (i == k) {
                x[q] = known;
            }
        }
    }
    x.end(b, m);
}

// The largest part of what is known of all right-hand sides, in every thread of a block.
template <typename T>
BASALT_DEVICE typename Of<T>::Real largestSide(const Args& args, i64 problem, i64 known, typename Of<T>::Real* scratch) {
    typename Of<T>::Real largest = 0;
    const T* b = at<T>(args.c, problem);
    for (i64 s = threadIdx.x / 32; s < args.k; s += blockDim.x / 32) {
        for (i64 i = threadIdx.x % 32; i < known; i += 32) {
            T x = b[i + s * args.c.ld];
            largest = larger(largest, larger(absolute(re(x)), absolute(im(x))));
        }
    }
    return blockLargest(largest, scratch);
}

// BITS: the logarithm of `parts`; y: threads of a problem. Those without a problem go along, because threads of a warp exchange what they have.
// SOLVES: least squares, the matrix is operand a; see solveHeld.
template <typename T, int R, int BITS, bool BLOCK, bool SOLVES>
BASALT_DEVICE void qrHeld(const Args& args, i64 problem, bool there, T* memory) {
    typedef typename Of<T>::Real Real;
    const int bits = BITS;
    const int parts = 1 << bits;
    const int threads = BLOCK ? (int)blockDim.x : args.y;
    const int mine = BLOCK ? (int)threadIdx.x : (int)threadIdx.x & (threads - 1);
    const int lane = threadIdx.x % 32;
    const int column = mine >> bits;
    const int part = mine & (parts - 1);
    const Rows<BITS> row = {part};
    const int rows = R << bits;
    const int rowBits = (R == 8 ? 3 : R == 16 ? 4 : 5) + bits;
    const int pitch = rows + 1;  // odd: columns lie in different banks
    const int m = (int)args.m;
    const int n = (int)args.n;
    T* firsts = memory + 2 * rows;
    T* norms = firsts + 2;
    T* inverses = norms + 2;
    T* betas = inverses + n;
    T* befores = betas + n;
    T* products = befores + n;
    T* tau = memory + qrElements(rows, n);  // where problems are solved
    const bool turned = args.opB != NONE;
    const Operand& matrix = SOLVES ? args.a : args.c;

    if (there) {
        Read<T> c = read<T>(args, matrix, problem, m, n);
        // Along the storage.
        for (int e = mine; e < rows * n; e += threads) {
            int i = turned ? e / n : e & (rows - 1);
            int k = turned ? e % n : e >> rowBits;
            bool inside = i < m;
            copyAhead(memory + k * pitch + i, &c(inside ? i : 0, k), inside ? (int)sizeof(T) : 0);
        }
    }
    endStage();
    awaitStage<0>();
    qrBarrier<BLOCK>();
    T a[R];
    Real largest = 0;
#pragma unroll
    for (int r = 0; r < R; r++) {
        int i = row(r);
        a[r] = there && column < n ? conj(memory[column * pitch + i], turned) : zero<T>();
        largest = SOLVES ? larger(largest, larger(absolute(re(a[r])), absolute(im(a[r])))) : largest;
    }
    qrBarrier<BLOCK>();
    if constexpr (SOLVES) {
        largest = blockLargest(largest, (Real*)memory);
        const Real side = largestSide<T>(args, problem, args.opA == NONE ? m : n, (Real*)memory);
        if (!inRange(largest) || !inRange(side)) {
            if (threadIdx.x < 32) {
                warpLeastSquares<T>(args, problem);
            }
            return;
        }
    }
    // A column stays as it was shown until the end.
#pragma unroll 1
    for (int j = 0; j < n; j++) {
        T* x = memory + j % 2 * rows;
        const int done = j / TOGETHER >> bits;  // so many times TOGETHER rows of each thread
        if (column == j) {
#pragma unroll
            for (int q = 0; q < R / TOGETHER; q++) {
                if (q >= done) {
#pragma unroll
                    for (int r = q * TOGETHER; r < (q + 1) * TOGETHER; r += 2) {
                        int i = row(r);
                        Two<T> two;
                        two.v[0] = i > j ? a[r] : zero<T>();
                        two.v[1] = i + 1 > j ? a[r + 1] : zero<T>();
                        *(Two<T>*)(x + i) = two;
                        if (i == j || i + 1 == j) {
                            firsts[j % 2] = i == j ? a[r] : a[r + 1];
                        }
                    }
                }
            }
        }
        if (BLOCK && j >> (5 - bits) == (int)threadIdx.x / 32) {
            // The warp that has column j.
            Real s0 = 0, s1 = 0;
#pragma unroll
            for (int q = 0; q < R / TOGETHER; q++) {
                if (q >= done) {
#pragma unroll
                    for (int r = q * TOGETHER; r < (q + 1) * TOGETHER; r += 2) {
                        int i = row(r);
                        T u = i > j ? a[r] : zero<T>();
                        T v = i + 1 > j ? a[r + 1] : zero<T>();
                        s0 += re(u) * re(u) + im(u) * im(u);
                        s1 += re(v) * re(v) + im(v) * im(v);
                    }
                }
            }
            s0 += s1;
            for (int mask = parts / 2; mask > 0; mask /= 2) {
                s0 += shuffleXor(s0, mask);
            }
            if (column == j && part == 0) {
                norms[j % 2] = Make<T>::real(s0);
            }
        }
        qrBarrier<BLOCK>();
        if (BLOCK && args.b.base == 0 && ((int)threadIdx.x / 32 + 1) << (5 - bits) <= j) {
            continue;  // a warp whose columns are done
        }

        const int SUMS = Of<T>::parts == 2 ? 2 : 4;  // at a time, of what a complex one has two each
        T s[SUMS];
#pragma unroll
        for (int u = 0; u < SUMS; u++) {
            s[u] = zero<T>();
        }
        T head = zero<T>();  // the column's element in row j
#pragma unroll
        for (int q = 0; q < R / TOGETHER; q++) {
            if (q >= done) {
#pragma unroll
                for (int r = q * TOGETHER; r < (q + 1) * TOGETHER; r += 2) {
                    Two<T> v = *(const Two<T>*)(x + row(r));
                    fma(conj(v.v[0], true), a[r], s[r % SUMS]);
                    fma(conj(v.v[1], true), a[r + 1], s[(r + 1) % SUMS]);
                }
            }
            if (q == done) {
#pragma unroll
                for (int r = q * TOGETHER; r < (q + 1) * TOGETHER; r++) {
                    head = row(r) == j ? a[r] : head;
                }
            }
        }
        T w = SUMS == 2 ? s[0] + s[1] : (s[0] + s[1]) + (s[2 % SUMS] + s[3 % SUMS]);
        for (int mask = parts / 2; mask > 0; mask /= 2) {
            w = w + shuffleXor(w, mask);
        }
        if (parts > 1) {
            head = shuffle(head, (lane & -parts) | (j / 2 & (parts - 1)));
        }
        // Of column j the product is the square of the norm.
        const Real squares = BLOCK ? re(norms[j % 2]) : re(shuffle(w, (lane & -threads) | j << bits));
        const ThreadReflector<T> h = reflector(firsts[j % 2], x + j + 1, m - j - 1, squares);
        T sum = head + conj(h.inverse, true) * w;
        const bool doubtful = column < n && column != j && !isZero(h.tau)
            && !(h.plain && magnitude(w) > fewest(squares) && magnitude(w) < most(squares));
        if (warpBallot(doubtful) != 0) {
            // Seldom, or because it is zero: once more with the reflector itself.
            w = zero<T>();
#pragma unroll
            for (int q = 0; q < R / TOGETHER; q++) {
                if (q >= done) {
#pragma unroll
                    for (int r = q * TOGETHER; r < (q + 1) * TOGETHER; r++) {
                        T v = times(h.before, x[row(r)]) * h.inverse;
                        fma(conj(v, true), a[r], w);
                    }
                }
            }
            for (int mask = parts / 2; mask > 0; mask /= 2) {
                w = w + shuffleXor(w, mask);
            }
            sum = doubtful ? head + w : sum;
        }
        if (column > j && !isZero(h.tau)) {
            const T g = -(conj(h.tau, true) * sum);
            const T gx = h.plain ? g * h.inverse : g;
#pragma unroll
            for (int q = 0; q < R / TOGETHER; q++) {
                if (q >= done) {
#pragma unroll
                    for (int r = q * TOGETHER; r < (q + 1) * TOGETHER; r += 2) {
                        Two<T> v = *(const Two<T>*)(x + row(r));
                        if (!h.plain) {
                            v.v[0] = times(h.before, v.v[0]) * h.inverse;
                            v.v[1] = times(h.before, v.v[1]) * h.inverse;
                        }
                        fma(gx, v.v[0], a[r]);
                        fma(gx, v.v[1], a[r + 1]);
                    }
                }
                if (q == done) {
#pragma unroll
                    for (int r = q * TOGETHER; r < (q + 1) * TOGETHER; r++) {
                        a[r] = row(r) == j ? a[r] + g : a[r];
                    }
                }
            }
        }
        if (column == j && part == 0) {
            inverses[j] = h.inverse;
            betas[j] = Make<T>::real(h.beta);
            befores[j] = Make<T>::real(h.before);
            if (SOLVES) {
                tau[j] = h.tau;
            }
            if (there) {
                *factor<T>(args, problem, n, j) = h.tau;
            }
        }
        if (!SOLVES && args.b.base != 0) {
            // Column j of T, a thread a row: the reflectors' products with reflector j, which are those of the columns that they lie in.
            const bool takes = there && part == 0;
            if (takes && column < j) {
                products[column] = conj(times(re(befores[column]), sum) * inverses[column], true);
            }
            qrBarrier<BLOCK>();
            Read<T> t = triangleOf<T>(args, args.b, there ? problem : 0, n);
            if (takes && column < j) {
                T z = zero<T>();
                for (int l = column; l < j; l++) {
                    fma(t(column, l), products[l], z);
                }
                t(column, j) = -(h.tau * z);
            } else if (takes && column == j) {
                t(j, j) = h.tau;
            }
        }
    }

    qrBarrier<BLOCK>();
    const int own = column < n ? column : 0;
    const T inverse = inverses[own];
    const T beta = betas[own];
    const Real before = re(befores[own]);
    qrBarrier<BLOCK>();
    if (there && column < n) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            int i = row(r);
            T v = i < column ? a[r] : i > column ? times(before, a[r]) * inverse : beta;
            memory[column * pitch + i] = SOLVES ? v : conj(v, turned);
        }
    }
    qrBarrier<BLOCK>();
    if constexpr (SOLVES) {
        int found = 0;
        for (int i0 = 0; i0 < n && found == 0; i0 += 32) {
            const int i = i0 + lane < n ? i0 + lane : n - 1;
            const unsigned zeros = warpBallot(isZero(memory[i * pitch + i]));
            found = zeros == 0 ? 0 : i0 + firstLane(zeros) + 1;
        }
        found = found > n ? n : found;
        T* b = at<T>(args.c, problem);
        for (i64 s = threadIdx.x / 32; s < args.k && found == 0; s += blockDim.x / 32) {
            const int EACH = ((R << BITS) + 31) / 32;
            solveHeld<T, EACH>(memory, pitch, tau, m, n, args.opA == NONE, b + s * args.c.ld);
        }
        if (threadIdx.x == 0) {
            *at<int>(args.e, problem) = found;
        }
    }
    if (there) {
        Read<T> c = read<T>(args, matrix, problem, m, n);
        for (int e = mine; e < rows * n; e += threads) {
            int i = turned ? e / n : e & (rows - 1);
            int k = turned ? e % n : e >> rowBits;
            if (i < m) {
                c(i, k) = SOLVES ? conj(memory[k * pitch + i], turned) : memory[k * pitch + i];
            }
        }
    }
}

// Several problems a warp, or one.
template <typename T, int R, int BITS>
BASALT_DEVICE void qrSmall(const Args& args) {
    const int place = (int)threadIdx.x / args.y;
    i64 problem = (i64)blockIdx.x * (blockDim.x / args.y) + place;
    bool there = problem < args.count && !skips(args, problem);
    T* memory = BASALT_DYNAMIC_SHARED(T) + place * qrElements(R << BITS, (int)args.n);
    qrHeld<T, R, BITS, false, false>(args, problem, there, memory);
}

template <typename T, int R, int BITS, bool SOLVES>
BASALT_DEVICE void qrBlock(const Args& args) {
    T* memory = BASALT_DYNAMIC_SHARED(T);
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            qrHeld<T, R, BITS, true, SOLVES>(args, problem, true, memory);
            __syncthreads();
        }
    }
}

// x: the logarithm of how many threads share a column.
template <typename T, int R>
BASALT_DEVICE void qrWarp(const Args& args) {
    switch (args.x) {
        case 1: return qrSmall<T, R, 1>(args);
        case 2: return qrSmall<T, R, 2>(args);
        case 3: return qrSmall<T, R, 3>(args);
        case 4: return qrSmall<T, R, 4>(args);
        default: return qrSmall<T, R, 5>(args);
    }
}

template <typename T, int R, bool SOLVES>
BASALT_DEVICE void qrBlocks(const Args& args) {
    switch (args.x) {
        case 0: return qrBlock<T, R, SOLVES ? 0 : 1, SOLVES>(args);
        case 1: return qrBlock<T, R, 1, SOLVES>(args);
        case 2: return qrBlock<T, R, 2, SOLVES>(args);
        case 3: return qrBlock<T, R, 3, SOLVES>(args);
        case 4: return qrBlock<T, R, 4, SOLVES>(args);
        default: return qrBlock<T, R, 5, SOLVES>(args);
    }
}

// Rows of a thread: at most half of its registers hold them.
template <typename T>
struct Held {
    static const int ROWS = sizeof(T) == 16 ? 16 : 32;
};

}  // namespace basalt

#if defined(BASALT_SHIM)
#define QR_LAYOUT(t, T) \
    BASALT_LAYOUT(qr_##t, rows, n, none) { return (long long)(basalt::qrElements((int)rows, (int)n) * sizeof(T)); }
BASALT_EACH_TYPE(QR_LAYOUT)
#endif

#define QR(t, T)                                                                             \
    BASALT_KERNEL(basalt_qr_8_##t) { basalt::qrSmall<T, 8, 0>(args); }                       \
    BASALT_KERNEL(basalt_qr_16_##t) { basalt::qrSmall<T, 16, 0>(args); }                     \
    BASALT_KERNEL(basalt_qr_warp_##t) { basalt::qrWarp<T, basalt::Held<T>::ROWS>(args); }    \
    BASALT_KERNEL(basalt_qr_block_##t) { basalt::qrBlocks<T, basalt::Held<T>::ROWS, false>(args); }  \
    BASALT_KERNEL(basalt_gels_block_##t) { basalt::qrBlocks<T, basalt::Held<T>::ROWS, true>(args); }
BASALT_EACH_TYPE(QR)
#define QR_32(t, T) \
    BASALT_KERNEL(basalt_qr_32_##t) { basalt::qrSmall<T, 32, 0>(args); }
BASALT_S(QR_32)
BASALT_D(QR_32)
BASALT_C(QR_32)
