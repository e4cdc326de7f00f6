// A symmetric or Hermitian band of few diagonals to tridiagonal form by chasing bulges, as BulgeChase.java does it, a warp a sweep. A block takes some sweeps that follow each other, each two steps behind the one before, through
// a piece of the band in its shared memory; other warps bring the columns ahead and take those away that are done, and say so to the block with the next sweeps. A step loads a block on the diagonal and the one below it into
// registers, a row a lane. Steps are the same in whatever order blocks come to them. All blocks must run at once: a cooperative launch.
//
// A step of 32 diagonals in double has about 520 cycles of arithmetic in a warp, and moves 2·16 KB between registers and shared memory, 430 cycles.
#include "chase.h"
#include "reflect.h"

namespace basalt {

static const int WIDE = 32;  // diagonals at most

// The shared memory of a block: pieces of the band, k columns each, and vectors of each sweep.
template <typename T>
struct ChaseRing {
    static const int SWEEPS = sizeof(T) <= 8 ? 4 : 2;
    static const int PIECES = 2 * SWEEPS + 2;
    static const int BRINGERS = sizeof(T) <= 8 ? 3 : 4;  // warps that bring columns; with these eight at most, so that they have registers enough
    int k, ld;

    BASALT_DEVICE int columns() const { return PIECES * k; }
    BASALT_DEVICE int bytes() const { return (columns() * ld + 2 * WIDE * SWEEPS) * (int)sizeof(T); }
};

// The reflector of x, a number a lane of which `count` are there: v in its place, and its factor. `beta`: what it makes of x.
template <typename T>
BASALT_DEVICE T warpReflector(T& x, int count, typename Of<T>::Real* beta) {
    typedef typename Of<T>::Real R;
    int lane = threadIdx.x % 32;
    T alpha = shuffle(x, 0);
    R a = re(alpha);
    R b = im(alpha);
    bool rest = lane > 0 && lane < count;
    R sum = warpSum(rest ? re(x) * re(x) + im(x) * im(x) : (R)0);
    R all = a * a + b * b + sum;
    T inverse, tau;
    if (sum > fewest(sum) && all < most(all)) {
        R reciprocal = inverseRoot(all);
        R norm = all * reciprocal;
        norm += (R)0.5 * reciprocal * (all - norm * norm);
        *beta = a < 0 ? norm : -norm;
        reciprocal = a < 0 ? reciprocal : -reciprocal;
        R over = a - *beta;
        R by = 1 / (over * over + b * b);
        inverse = Make<T>::of(over * by, -b * by);
        tau = Make<T>::of((*beta - a) * reciprocal, -b * reciprocal);
    } else {
        R large = rest ? larger(absolute(re(x)), absolute(im(x))) : (R)0;
        for (int mask = 16; mask > 0; mask >>= 1) {
            large = larger(large, shuffleXor(large, mask));
        }
        if (large == 0 && b == 0) {
            inverse = zero<T>();
            tau = zero<T>();
            *beta = a;
        } else {
            // Numbers that are divided by the largest of them neither overflow nor vanish.
            R whole = larger(larger(absolute(a), absolute(b)), large);
            x = Make<T>::of(re(x) / whole, im(x) / whole);
            a /= whole;
            b /= whole;
            sum = warpSum(rest ? re(x) * re(x) + im(x) * im(x) : (R)0);
            R made = betaOf(a, b, root(sum));
            tau = Make<T>::of((made - a) / made, -b / made);
            inverse = divide(one<T>(), Make<T>::of(a - made, b));
            *beta = whole * made;
        }
    }
    x = lane == 0 ? one<T>() : rest ? x * inverse : zero<T>();
    return tau;
}

// Sweeps that a block has at a time.
template <typename T>
struct ChaseWarps : ChasedBand<T> {
    typedef typename Of<T>::Real R;
    static const int SWEEPS = ChaseRing<T>::SWEEPS;
    static const int PIECES = ChaseRing<T>::PIECES;
    static const int BRINGERS = ChaseRing<T>::BRINGERS;
    static const int EACH = (2 * WIDE * WIDE + 32 * BRINGERS - 1) / (32 * BRINGERS);  // elements of a piece that a thread brings
    static const int SUMS = Of<T>::parts == 1 ? 4 : 2;          // that do not wait for each other
    using ChasedBand<T>::n;
    using ChasedBand<T>::k;
    using ChasedBand<T>::ld;
    using ChasedBand<T>::band;
    using ChasedBand<T>::progress;

    T* ring;
    int wrap;  // elements of the ring
    int lane, warp;
    // Of this warp's sweep: the step's reflector, and where its first column lies in the ring.
    T tau, v;
    int column;
    T *vs, *ws;

    BASALT_DEVICE ChaseWarps(const Args& arguments, i64 which) : ChasedBand<T>(arguments, which), ring(BASALT_DYNAMIC_SHARED(T)), lane(threadIdx.x % 32), warp(threadIdx.x / 32) {
        wrap = PIECES * (int)k * (int)ld;
        vs = ring + wrap + (warp < SWEEPS ? warp : 0) * 2 * WIDE;
        ws = vs + WIDE;
    }

    BASALT_DEVICE i64 pieces(i64 first) const { return (n - first + k - 1) / k; }

    // Where column c of the step lies; `cut` columns on the ring begins again.
    BASALT_DEVICE T* at(int c, int cut) const { return ring + ((column + c) * (int)ld - (c >= cut ? wrap : 0)); }

    // Rows of a block of the step, a row a lane: its element in column c is `below` - c behind the column's own diagonal.
    BASALT_DEVICE void store(const T (&a)[WIDE], int below, int columns, bool there, int cut) {
#pragma unroll
        for (int c = 0; c < WIDE; c++) {
            if (there && c < columns && below >= c) {
                at(c, cut)[below - c] = a[c];
            }
        }
    }

    // The sum of a row's products with what lies at x.
    BASALT_DEVICE T times(const T (&a)[WIDE], const T* x) const {
        T s[SUMS];
#pragma unroll
        for (int c = 0; c < SUMS; c++) {
            s[c] = a[c] * x[c];
        }
#pragma unroll
        for (int c = SUMS; c < WIDE; c++) {
            fma(a[c], x[c], s[c % SUMS]);
        }
        return SUMS == 2 ? s[0] + s[1] : (s[0] + s[1]) + (s[2 % SUMS] + s[3 % SUMS]);
    }

    // The block on the diagonal, of order m: its reflector from both sides.
    BASALT_DEVICE void twoSided(int m, int cut) {
        T a[WIDE];
        const T* own = at(lane, cut);
#pragma unroll
        for (int c = 0; c < WIDE; c++) {
            a[c] = lane >= m || c >= m ? zero<T>() : c <= lane ? at(c, cut)[lane - c] : conj(own[c - lane], true);
        }
        T w = tau * times(a, vs);
        T f = tau * warpSum(conj(w, true) * v);
        fma(basalt::times((R)-0.5, f), v, w);
        ws[lane] = w;
        warpBarrier();
#pragma unroll
        for (int c = 0; c < WIDE; c++) {
            a[c] = a[c] - v * conj(ws[c], true) - w * conj(vs[c], true);
            a[c] = c == lane ? dropImaginary(a[c]) : a[c];
        }
        store(a, lane, m, lane < m, cut);
    }

    // The block below it: the reflector from the right, the next one, which clears the first column, and that from the left.
    BASALT_DEVICE void below(int m, int rows, int cut) {
        T b[WIDE];
#pragma unroll
        for (int c = 0; c < WIDE; c++) {
            b[c] = lane < rows && c < m ? at(c, cut)[m + lane - c] : zero<T>();
        }
        T sum = tau * times(b, vs);
#pragma unroll
        for (int c = 0; c < WIDE; c++) {
            fma(-sum, conj(vs[c], true), b[c]);
        }
        R beta;
        v = b[0];
        tau = warpReflector(v, rows, &beta);
        b[0] = lane == 0 ? Make<T>::real(beta) : zero<T>();
        warpBarrier();
#pragma unroll
        for (int c = 0; c < WIDE; c += 8) {
            T p[8];
#pragma unroll
            for (int u = 0; u < 8; u++) {
                p[u] = conj(v, true) * b[c + u];
            }
            int which;
            T all = warpSums(p, &which);
            ws[c + which] = conj(tau, true) * all;
        }
        warpBarrier();
#pragma unroll
        for (int c = 1; c < WIDE; c++) {
            fma(-v, ws[c], b[c]);
        }
        store(b, m + lane, m, lane < rows, cut);
    }

    // Step i of a sweep.
    BASALT_DEVICE void step(i64 sweep, i64 i) {
        i64 row = sweep + 1 + i * k;
        int all = PIECES * (int)k;
        int m = (int)least(k, n - row);
        if (i == 0) {
            column = warp + 1;
            T* cleared = ring + (warp * (int)ld + 1);
            v = lane < m ? cleared[lane] : zero<T>();
            R beta;
            tau = warpReflector(v, m, &beta);
            if (lane < m) {
                cleared[lane] = lane == 0 ? Make<T>::real(beta) : zero<T>();
            }
        }
        vs[lane] = v;
        warpBarrier();
        int cut = all - column;
        twoSided(m, cut);
        int rows = (int)least(k, n - row - m);
        if (rows > 0) {
            below(m, rows, cut);
        }
        column += (int)k;
        column -= column >= all ? all : 0;
        warpBarrier();
    }

    // Waits until a piece of the band has been through the sweeps before the first one.
    BASALT_DEVICE void await(i64 group, i64 piece, i64 each) const {
        if (group > 0 && gridDim.x > 1) {
            i64 far = least(pieces((group - 1) * SWEEPS), piece + (SWEEPS + k - 1) / k + 1);
            if (lane == 0) {
                while (loadFlag(progress + (group - 1) % gridDim.x) < (unsigned)((group - 1) * each + far)) {
                    BASALT_SPIN();
                }
            }
            warpBarrier();
        }
    }

    BASALT_DEVICE int elements(i64 first, i64 piece) const { return (int)(least(k, n - first - piece * k) * ld); }
    BASALT_DEVICE T* inRing(i64 piece) const { return ring + (int)(piece % PIECES) * (int)k * (int)ld; }
    BASALT_DEVICE T* inBand(i64 first, i64 piece) const { return band + (first + piece * k) * ld; }

    // The sweeps of a group, and what brings and takes away the band for them. A piece is on its way for one step, in registers.
    BASALT_DEVICE void group(i64 which, i64 sweeps, i64 each) {
        i64 first = which * SWEEPS;
        i64 last = pieces(first);
        bool active = warp < SWEEPS && first + warp < sweeps;
        i64 steps = active ? this->steps(first + warp) : 0;
        T held[EACH];
#pragma unroll 1
        for (i64 t = -3; t < last + 2 * SWEEPS - 1; t++) {
            if (warp < SWEEPS) {
                i64 i = t - 2 * warp;
                if (i >= 0 && i < steps) {
                    step(first + warp, i);
                }
            } else if (warp < SWEEPS + BRINGERS) {
                int from = threadIdx.x - 32 * SWEEPS;
                if (t + 2 >= 0 && t + 2 < last) {
                    T* to = inRing(t + 2);
#pragma unroll
                    for (int u = 0; u < EACH; u++) {
                        int e = from + u * 32 * BRINGERS;
                        if (e < elements(first, t + 2)) {
                            to[e] = held[u];
                        }
                    }
                }
                if (t + 3 < last) {
                    await(which, t + 3, each);
                    const T* x = inBand(first, t + 3);
#pragma unroll
                    for (int u = 0; u < EACH; u++) {
                        int e = from + u * 32 * BRINGERS;
                        if (e < elements(first, t + 3)) {
                            held[u] = x[e];
                        }
                    }
                }
            } else if (warp == SWEEPS + BRINGERS) {
                i64 piece = t - 2 * SWEEPS + 1;
                if (piece >= 0 && piece < last) {
                    const T* x = inRing(piece);
                    T* to = inBand(first, piece);
                    for (int e = lane; e < elements(first, piece); e += 32) {
                        to[e] = x[e];
                    }
                    warpBarrier();
                    if (lane == 0) {
                        storeFlag(progress + blockIdx.x, (unsigned)(which * each + piece + 1));
                    }
                }
            }
            __syncthreads();
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

template <typename T>
BASALT_DEVICE void sb2stWarps(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (!skips(args, problem)) {
        ChaseWarps<T>(args, problem).run();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define CHASE_WARPS_LAYOUT(t, T)                               \
    BASALT_LAYOUT(sb2st_warps_##t, x, y, z) {                  \
        basalt::ChaseRing<T> ring;                             \
        ring.k = (int)x;                                       \
        ring.ld = 2 * ring.k;                                  \
        return ring.bytes() + 0 * (y + z);                     \
    }
BASALT_EACH_TYPE(CHASE_WARPS_LAYOUT)
#endif

#define CHASE_WARPS(t, T) \
    BASALT_KERNEL(basalt_sb2st_warps_##t) { basalt::sb2stWarps<T>(args); }
BASALT_EACH_TYPE(CHASE_WARPS)
