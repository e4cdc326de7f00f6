// A symmetric or Hermitian band of few diagonals to tridiagonal form by chasing bulges, as BulgeChase.java does it: a warp a sweep for 16 diagonals, two for 32. A block takes some sweeps that follow each other, each two steps behind the one before, through
// a piece of the band in its shared memory; other warps bring the columns ahead and take those away that are done, and say so to the block with the next sweeps. A step has a block on the diagonal and the one below it in
// registers, a row a lane and half of the columns for each half of the lanes. Steps are the same in whatever order blocks come to them. All blocks must run at once: a cooperative launch.
//
// What bounds it is latency: groups of sweeps follow each other some steps behind, so a sweep takes three steps, and a step is a chain of sums over lanes, a root and a quotient.
#include "chase.h"
#include "row_reflector.h"

namespace basalt {

static const int PARTS = 2;  // of a sweep's lanes, with half of the columns each

// Some warps of a block wait for each other, at a barrier of their own.
BASALT_DEVICE void partBarrier(int which, int threads) {
#if BASALT_CUDA_ARCH > 0
    warpBarrier();
    asm volatile("bar.sync %0, %1;" ::"r"(which), "r"(threads) : "memory");
#elif defined(BASALT_SHIM)
    shim::partBarrier(which, threads);
#endif
}

// All warps meet, each from a loop of its own: a barrier with a count, since __syncthreads is one place in a program.
BASALT_DEVICE void tickBarrier() {
#if BASALT_CUDA_ARCH > 0
    warpBarrier();
    asm volatile("bar.sync 15, %0;" ::"r"((int)blockDim.x) : "memory");
#else
    __syncthreads();
#endif
}

// The shared memory of a block, for WIDE diagonals at most: pieces of the band, k columns each; three vectors of each part; what the parts of a sweep tell each other.
template <typename T, int WIDE>
struct ChaseRing {
    static const int SWEEPS = WIDE <= 16 ? 8 : sizeof(T) <= 8 ? 4 : 2;
    static const int PIECES = 2 * SWEEPS + 2;
    static const int BRINGERS = 2;  // warps that bring columns
    static const int VECTORS = 3 * PARTS + 2 * PARTS + 1;
    int k, ld;

    BASALT_DEVICE int columns() const { return PIECES * k; }
    BASALT_DEVICE int bytes() const { return (columns() * ld + VECTORS * WIDE * SWEEPS) * (int)sizeof(T); }
};

// Two numbers of shared memory at once.
template <typename T>
struct alignas(2 * sizeof(T) < 16 ? 2 * sizeof(T) : 16) Both {
    T v[2];
};
// 16 bytes.
struct alignas(16) Chunk {
    u64 v[2];
};

// Sweeps that a block has at a time.
template <typename T, int WIDE>
struct ChaseWarps : ChasedBand<T> {
    typedef typename Of<T>::Real R;
    static const int SWEEPS = ChaseRing<T, WIDE>::SWEEPS;
    static const int PIECES = ChaseRing<T, WIDE>::PIECES;
    static const int BRINGERS = ChaseRing<T, WIDE>::BRINGERS;
    static const int CHUNKS = 2 * WIDE * WIDE * (int)sizeof(T) / (int)sizeof(Chunk);  // of a whole piece
    static const int SHARE = WIDE / PARTS;      // columns of a part
    static const int WARPS = PARTS * WIDE / 32;  // of a sweep
    static const int SUMS = Of<T>::parts == 1 ? 4 : 2;                                // that do not wait for each other
    using ChasedBand<T>::n;
    using ChasedBand<T>::k;
    using ChasedBand<T>::ld;
    using ChasedBand<T>::band;
    using ChasedBand<T>::progress;

    int lane, warp;
    // Of this thread's sweep: which of the block's it is, the part of it, a row, the step's reflector, and which column of the ring its first one is.
    int own, part, row;
    T tau, v;
    int column;

    BASALT_DEVICE ChaseWarps(const Args& arguments, i64 which)
        : ChasedBand<T>(arguments, which), lane(threadIdx.x % 32), warp(threadIdx.x / 32), own(warp / WARPS), part(threadIdx.x / WIDE % PARTS), row(threadIdx.x % WIDE) {}

    BASALT_DEVICE i64 pieces(i64 first) const { return (n - first + k - 1) / k; }
    BASALT_DEVICE static T* ring() { return BASALT_DYNAMIC_SHARED(T); }
    BASALT_DEVICE int wrap() const { return PIECES * (int)k * (int)ld; }  // elements of the ring
    BASALT_DEVICE T* ofSweep() const { return ring() + wrap() + own * ChaseRing<T, WIDE>::VECTORS * WIDE; }
    // The first column of the next reflector, and what a part has of two products.
    BASALT_DEVICE T* news() const { return ofSweep(); }
    BASALT_DEVICE T* told(int q, int which) const { return ofSweep() + (1 + 2 * q + which) * WIDE; }
    // A vector of this part.
    BASALT_DEVICE T* vector(int which) const { return ofSweep() + (1 + 2 * PARTS + 3 * part + which) * WIDE; }
    BASALT_DEVICE void sweepBarrier() const {
        if (WARPS == 1) {
            warpBarrier();
        } else {
            partBarrier(1 + own, 32 * WARPS);
        }
    }

    // A step: m rows and columns on the diagonal, and so many rows below them. PLAIN: all of 32, and in one piece of the ring.
    template <bool PLAIN>
    struct Place {
        int begin, m, rows, cut, around, ld;

        BASALT_DEVICE bool has(int c) const { return PLAIN || c < m; }
        BASALT_DEVICE bool square(int lane) const { return PLAIN || lane < m; }
        BASALT_DEVICE bool below(int lane) const { return PLAIN || lane < rows; }
        BASALT_DEVICE int under() const { return PLAIN ? WIDE : m; }
        // Where column c of the step has row 0 of the step, or would have it.
        BASALT_DEVICE int at(int c) const { return PLAIN ? begin + c * (2 * WIDE - 1) : begin + c * (ld - 1) - (c >= cut ? around : 0); }
    };

    // The sum of a row's products with a vector.
    BASALT_DEVICE T times(const T (&a)[SHARE], const T* x) const {
        T s[SUMS];
#pragma unroll
        for (int c = 0; c < SHARE; c += 2) {
            Both<T> pair = *(const Both<T>*)(x + c);
#pragma unroll
            for (int u = 0; u < 2; u++) {
                if (c + u < SUMS) {
                    s[(c + u) % SUMS] = a[c + u] * pair.v[u];
                } else {
                    fma(a[c + u], pair.v[u], s[(c + u) % SUMS]);
                }
            }
        }
        return SUMS == 2 ? s[0] + s[1] : (s[0] + s[1]) + (s[2 % SUMS] + s[3 % SUMS]);
    }
    // A row plus so many times a vector, or its conjugate.
    BASALT_DEVICE void add(T by, const T* x, bool turned, T (&a)[SHARE]) const {
#pragma unroll
        for (int c = 0; c < SHARE; c += 2) {
            Both<T> pair = *(const Both<T>*)(x + c);
            fma(by, conj(pair.v[0], turned), a[c]);
            fma(by, conj(pair.v[1], turned), a[c + 1]);
        }
    }
    // The sum of all parts.
    BASALT_DEVICE T all(int which) const {
        T sum = told(0, which)[row];
#pragma unroll
        for (int q = 1; q < PARTS; q++) {
            sum = sum + told(q, which)[row];
        }
        return sum;
    }

    // Sums over all lanes of the products of x and each column, to a vector.
    BASALT_DEVICE void sums(T x, const T (&b)[SHARE], T* to) const {
#pragma unroll
        for (int c = 0; c < SHARE; c += 8) {
            T p[8];
#pragma unroll
            for (int u = 0; u < 8; u++) {
                p[u] = conj(x, true) * b[c + u];
            }
            int which;
            T s = rowSums<WIDE>(p, &which);
            to[c + which] = s;
        }
    }

    // The block below, once the reflector is applied from the right: the next one, which clears the first column, and that from the left. Products of columns with the
    // first one are there as soon as its norm is.
    template <bool PLAIN>
    BASALT_DEVICE void clear(const Place<PLAIN>& step, T (&b)[SHARE]) {
        T* products = vector(1) + part * SHARE;
        T* heads = vector(2);
        T x = news()[row];
        T alpha = news()[0];
        T rest = row == 0 ? zero<T>() : x;
        sums(rest, b, products);
        R squares = rowSum<WIDE>(re(rest) * re(rest) + im(rest) * im(rest));
        R all = re(alpha) * re(alpha) + im(alpha) * im(alpha) + squares;
        Reflector<T> next;
        T byHead, byProduct;
        if (plainly(squares, all)) {
            next = plainReflector(alpha, squares);
            v = row == 0 ? one<T>() : x * next.inverse;
            byHead = v * conj(next.tau, true);
            byProduct = byHead * conj(next.inverse, true);
        } else {
            v = x;
            next = rowReflector<WIDE>(v, PLAIN ? WIDE : step.rows);
            warpBarrier();
            sums(v, b, products);
            byHead = zero<T>();
            byProduct = v * conj(next.tau, true);
        }
        tau = next.tau;
        warpBarrier();
        add(-byHead, heads, false, b);
        add(-byProduct, products, false, b);
        if (part == 0) {
            b[0] = row == 0 ? Make<T>::real(next.beta) : zero<T>();
        }
#pragma unroll
        for (int u = 0; u < SHARE; u++) {
            int c = part * SHARE + u;
            if (step.has(c) && step.below(row)) {
                ring()[step.at(c) + step.under() + row] = b[u];
            }
        }
    }

    template <bool PLAIN>
    BASALT_DEVICE void both(const Place<PLAIN>& step) {
        T* vs = vector(0);
        T* ws = vector(1);
        T* heads = vector(2);
        const int from = part * SHARE;
        T a[SHARE];
        T b[SHARE];
        vs[row] = v;
        int line = step.at(row);
#pragma unroll
        for (int u = 0; u < SHARE; u++) {
            int c = from + u;
            bool stored = c <= row;
            // What is outside lies somewhere in the ring.
            T x = ring()[stored ? step.at(c) + row : line + c];
            a[u] = step.square(row) && step.has(c) ? conj(x, !stored) : zero<T>();
        }
#pragma unroll
        for (int u = 0; u < SHARE; u++) {
            int c = from + u;
            b[u] = zero<T>();
            if (step.has(c) && step.below(row)) {
                b[u] = ring()[step.at(c) + step.under() + row];
            }
        }
        warpBarrier();
        told(part, 0)[row] = times(a, vs + from);
        told(part, 1)[row] = times(b, vs + from);
        sweepBarrier();
        T w = tau * all(0);
        T right = tau * all(1);
        T f = tau * rowSum<WIDE>(conj(w, true) * v);
        fma(basalt::times((R)-0.5, f), v, w);
        ws[row] = w;
        add(-right, vs + from, true, b);
        if (part == 0) {
            news()[row] = b[0];
        }
        if (row == 0) {
#pragma unroll
            for (int u = 0; u < SHARE; u++) {
                heads[u] = b[u];
            }
        }
        warpBarrier();
        add(-v, ws + from, true, a);
        add(-w, vs + from, true, a);
#pragma unroll
        for (int u = 0; u < SHARE; u++) {
            int c = from + u;
            if (step.has(c) && step.square(row) && c <= row) {
                ring()[step.at(c) + row] = c == row ? dropImaginary(a[u]) : a[u];
            }
        }
        sweepBarrier();
        if (PLAIN || step.rows > 0) {
            clear(step, b);
        }
    }

    // Step i of a sweep.
    BASALT_DEVICE void step(i64 sweep, int i) {
        i64 left = n - (sweep + 1 + i * k);
        int around = PIECES * (int)k;
        int m = (int)least(k, left);
        int rows = (int)least(k, left - m);
        if (i == 0) {
            column = own + 1;
            T* first = ring() + (own * (int)ld + 1);
            v = row < m ? first[row] : zero<T>();
            sweepBarrier();
            Reflector<T> r = rowReflector<WIDE>(v, m);
            tau = r.tau;
            if (part == 0 && row < m) {
                first[row] = row == 0 ? Make<T>::real(r.beta) : zero<T>();
            }
        }
        if (this->kept && part == 0 && row < m) {
            this->keep(sweep, sweep + 1 + i * k, row, v, tau);
        }
        int cut = around - column;
        if (rows == WIDE && cut >= WIDE) {
            both(Place<true>{column * 2 * WIDE, 0, 0, 0, 0, 0});
        } else {
            both(Place<false>{column * (int)ld, m, rows, cut, wrap(), (int)ld});
        }
        column += (int)k;
        column -= column >= around ? around : 0;
        warpBarrier();
    }

    // Waits until another block is so far: looks without an order first, which costs the others on this multiprocessor less.
    BASALT_DEVICE void await(const unsigned* other, unsigned far) const {
        if (lane == 0) {
            while (loadShared(other) < far) {
                BASALT_SPIN();
            }
            loadFlag(other);
        }
        warpBarrier();
    }

    BASALT_DEVICE int elements(i64 first, int piece) const { return (int)(least(k, n - first - piece * k) * ld); }
    BASALT_DEVICE T* inRing(int piece) const { return ring() + piece % PIECES * (int)k * (int)ld; }
    BASALT_DEVICE T* inBand(i64 first, int piece) const { return band + (first + piece * k) * ld; }
    BASALT_DEVICE bool whole(i64 first, int piece) const { return k == WIDE && n - first - piece * k >= k && (u64)band % sizeof(Chunk) == 0; }

    // Until when pieces are under way: the last one leaves the ring when the last sweep is behind it.
    BASALT_DEVICE int ticks(int last) const { return last + 2 * SWEEPS - 1; }

    BASALT_DEVICE void sweep(i64 first, i64 sweeps, int last) {
        int steps = first + own < sweeps ? (int)this->steps(first + own) : 0;
#pragma unroll 1
        for (int t = -3; t < ticks(last); t++) {
            int i = t - 2 * own;
            if (i >= 0 && i < steps) {
                step(first + own, i);
            }
            tickBarrier();
        }
    }

    // A piece is on its way for one step, in registers, if it is whole.
    BASALT_DEVICE void bring(i64 which, i64 first, int last, i64 each) const {
        const int HELD = CHUNKS / (32 * BRINGERS);
        // Another block has the sweeps before: what it says once a piece has been through them, and what at its end.
        bool waits = which > 0 && gridDim.x > 1;
        const unsigned* other = progress + (which - 1) % gridDim.x;
        unsigned before = (unsigned)((which - 1) * each);
        int behind = (int)((SWEEPS + k - 1) / k) + 1;
        int most = waits ? (int)pieces(first - SWEEPS) : 0;
        int thread = threadIdx.x - 32 * WARPS * SWEEPS;
        Chunk held[HELD];
#pragma unroll 1
        for (int t = -3; t < ticks(last); t++) {
            int piece = t + 2;
            if (piece >= 0 && piece < last) {
                T* to = inRing(piece);
                if (whole(first, piece)) {
#pragma unroll
                    for (int u = 0; u < HELD; u++) {
                        ((Chunk*)to)[thread + u * 32 * BRINGERS] = held[u];
                    }
                } else {
                    const T* x = inBand(first, piece);
                    for (int e = thread; e < elements(first, piece); e += 32 * BRINGERS) {
                        to[e] = x[e];
                    }
                }
            }
            piece++;
            if (piece < last) {
                if (waits) {
                    await(other, before + (unsigned)least(most, piece + behind));
                }
                if (whole(first, piece)) {
                    const Chunk* x = (const Chunk*)inBand(first, piece);
#pragma unroll
                    for (int u = 0; u < HELD; u++) {
                        held[u] = x[thread + u * 32 * BRINGERS];
                    }
                }
            }
            tickBarrier();
        }
    }

    BASALT_DEVICE void takeAway(i64 which, i64 first, int last, i64 each) const {
        const int AT_ONCE = CHUNKS / 32 < 16 ? CHUNKS / 32 : 16;
#pragma unroll 1
        for (int t = -3; t < ticks(last); t++) {
            int piece = t - 2 * SWEEPS + 1;
            if (piece >= 0 && piece < last) {
                const T* x = inRing(piece);
                T* to = inBand(first, piece);
                if (whole(first, piece)) {
#pragma unroll
                    for (int c = 0; c < CHUNKS; c += 32 * AT_ONCE) {
                        Chunk some[AT_ONCE];
#pragma unroll
                        for (int u = 0; u < AT_ONCE; u++) {
                            some[u] = ((const Chunk*)x)[c + lane + 32 * u];
                        }
#pragma unroll
                        for (int u = 0; u < AT_ONCE; u++) {
                            ((Chunk*)to)[c + lane + 32 * u] = some[u];
                        }
                    }
                } else {
                    for (int e = lane; e < elements(first, piece); e += 32) {
                        to[e] = x[e];
                    }
                }
                warpBarrier();
                if (lane == 0) {
                    storeFlag(progress + blockIdx.x, (unsigned)(which * each + piece + 1));
                }
            }
            tickBarrier();
        }
    }

    // The sweeps of a group, and what brings and takes away the band for them.
    BASALT_DEVICE void group(i64 which, i64 sweeps, i64 each) {
        i64 first = which * SWEEPS;
        int last = (int)pieces(first);
        if (own < SWEEPS) {
            sweep(first, sweeps, last);
        } else if (warp < WARPS * SWEEPS + BRINGERS) {
            bring(which, first, last, each);
        } else {
            takeAway(which, first, last, each);
        }
    }

    BASALT_DEVICE void run() {
        this->take();
        i64 sweeps = this->sweeps();
        i64 each = pieces(0) + 1;
        for (i64 which = blockIdx.x; which * SWEEPS < sweeps; which += gridDim.x) {
            group(which, sweeps, each);
        }
        this->give();
    }
};

template <typename T, int WIDE>
BASALT_DEVICE void sb2stWarps(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (!skips(args, problem)) {
        ChaseWarps<T, WIDE>(args, problem).run();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define CHASE_WARPS_LAYOUT(t, T)                                      \
    BASALT_LAYOUT(sb2st_warps_##t, x, y, z) {                         \
        basalt::ChaseRing<T, 16> few;                                 \
        basalt::ChaseRing<T, 32> more;                                \
        few.k = more.k = (int)x;                                      \
        few.ld = more.ld = 2 * (int)x;                                \
        return (x <= 16 ? few.bytes() : more.bytes()) + 0 * (y + z);  \
    }
BASALT_EACH_TYPE(CHASE_WARPS_LAYOUT)
#endif

#define CHASE_WARPS(t, T)                                                       \
    BASALT_KERNEL(basalt_sb2st_warps_16_##t) { basalt::sb2stWarps<T, 16>(args); } \
    BASALT_KERNEL(basalt_sb2st_warps_32_##t) { basalt::sb2stWarps<T, 32>(args); }
BASALT_EACH_TYPE(CHASE_WARPS)
