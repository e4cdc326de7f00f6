// One-sided Jacobi of many small matrices: see Kernel.GESVJ. A few lanes, or all of a warp, have a problem, each a row of the matrix and one of the rotations in its registers. Products of a round's pairs
// are added up over the lanes all at once, so that each lane ends with one sum and computes what hangs on it. Lengths are kept with their reciprocals, which scale what is squared.
#include "one_sided_lanes.h"

namespace basalt {

// What the lanes of a problem tell each other: lengths and their reciprocals by seats, of two rounds.
template <typename T, int H>
struct Told {
    typedef typename Of<T>::Real R;
    Exchange<T> turns[H];
    R lengths[2][2 * H];
    R inverses[2][2 * H];
    int ranks[2 * H];
};

template <typename T>
BASALT_DEVICE typename Of<T>::Real lengthOfColumn(const T* x, int m) {
    typedef typename Of<T>::Real R;
    R largest = 0;
    for (int i = 0; i < m; i++) {
        largest = larger(larger(largest, absolute(re(x[i]))), absolute(im(x[i])));
    }
    if (largest == 0 || largest - largest != 0) {
        return largest;
    }
    R sum = 0;
    for (int i = 0; i < m; i++) {
        R u = re(x[i]) / largest;
        R v = im(x[i]) / largest;
        sum += u * u + v * v;
    }
    return largest * root(sum);
}

// A problem has 2·H lanes.
template <typename T, int H>
BASALT_DEVICE void gesvjLanes(const Args& args) {
    typedef typename Of<T>::Real R;
    const int LANES = 2 * H;
    __shared__ Told<T, H> told[32 / LANES];
    const int t = threadIdx.x % LANES;
    const int n = (int)args.n;
    const int m = (int)args.m;
    const i64 start = (i64)blockIdx.x * (32 / LANES);
    const i64 problem = start + threadIdx.x / LANES;
    const bool there = problem < args.count && !skips(args, problem);
    Told<T, H>& own = told[threadIdx.x / LANES];
    const Seats seats = {(n + 1) / 2};
    const int pairs = seats.pairs;
    double given, none;
    load(args.alpha, &given, &none);
    const R tolerance = larger((R)given, Limits<R>::unit() * root((R)m));

    T* x = there ? at<T>(args.c, problem) + t : nullptr;
    T* v = there ? at<T>(args.b, problem) + t : nullptr;
    const i64 ldx = args.c.ld;
    const i64 ldv = args.b.ld;
    T first[H], second[H], firstTurned[H], secondTurned[H];
#pragma unroll
    for (int i = 0; i < H; i++) {
        int other = seats.row(2 * i + 1);
        bool in = there && i < pairs;
        first[i] = in && t < m ? x[i * ldx] : zero<T>();
        second[i] = in && other < n && t < m ? x[other * ldx] : zero<T>();
        firstTurned[i] = in && t == i ? one<T>() : zero<T>();
        secondTurned[i] = in && t == other ? one<T>() : zero<T>();
    }
    // A lane has the length of the column on its seat, at first by numbers of any size.
    const int column = seats.row(t);
    const bool has = there && t < 2 * pairs && column < n;
    R length = has ? lengthOfColumn(at<T>(args.c, problem) + column * ldx, m) : (R)0;
    // Seats that nobody has keep theirs.
    for (int b = 0; b < 2; b++) {
        own.lengths[b][t] = length;
        own.inverses[b][t] = inverseLength(length);
    }

    const int pair = t / 2;  // whose rotation this lane computes, and it has the length on seat t
    int buffer = 0;
    bool active = there;
    bool finite = true;
    bool done = false;
    R worst = 0;
    int sweeps = 0;
    for (bool begun = false;; begun = true) {
        warpBarrier();
        if (begun) {
            // As they are, without what rounding left of a sweep.
            R squares[2 * H];
#pragma unroll
            for (int i = 0; i < H; i++) {
                squares[2 * i] = squared(first[i], own.inverses[buffer][2 * i]);
                squares[2 * i + 1] = squared(second[i], own.inverses[buffer][2 * i + 1]);
            }
            sumLanes<LANES, LANES>(squares);
            R by = own.inverses[buffer][t];
            R now = by == 0 ? own.lengths[buffer][t] : root(squares[0]) / by;
            warpBarrier();
            if (active && t < 2 * pairs) {
                own.lengths[buffer][t] = now;
                own.inverses[buffer][t] = inverseLength(now);
            }
            warpBarrier();
        }
        R nothing = 0 * own.lengths[buffer][t];
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            nothing += shuffleXor(nothing, mask);
            worst = larger(worst, shuffleXor(worst, mask));
        }
        if (active) {
            finite = nothing == 0;
            done = sweeps > 0 && worst <= tolerance;
            active = finite && !done && sweeps < args.q;
        }
        if (warpBallot(active) == 0) {
            break;
        }
        sweeps += active ? 1 : 0;
        worst = active ? (R)0 : worst;
        for (int round = 0; round < seats.moving(); round++) {
            const R* lengths = own.lengths[buffer];
            const R* inverses = own.inverses[buffer];
            T sums[H];
#pragma unroll
            for (int i = 0; i < H; i++) {
                T product = zero<T>();
                fma(conj(times(inverses[2 * i], first[i]), true), times(inverses[2 * i + 1], second[i]), product);
                sums[i] = product;
            }
            sumLanes<H, LANES>(sums);
            int one = round + pair;
            one -= one >= seats.moving() ? seats.moving() : 0;
            int other = round - pair;
            other += other < 0 ? seats.moving() : 0;
            Exchange<T> mine;
            bool real = active && pair < pairs;
            Lengths<R> both;
#pragma unroll
            for (int u = 0; u < 2; u++) {
                both.length[u] = lengths[2 * pair + u];
                both.inverse[u] = inverses[2 * pair + u];
            }
            R cosine = pairTurn(real, pair == 0 || one < other, sums[0], &both, tolerance, &mine);
            worst = real ? larger(worst, cosine) : worst;
            bool turns = real && cosine > tolerance;
            if (t % 2 == 0) {
                own.turns[pair] = mine;
            }
            warpBarrier();
#pragma unroll
            for (int i = 0; i < H; i++) {
                own.turns[i](first + i, second + i);
                own.turns[i](firstTurned + i, secondTurned + i);
            }
            // The longer column comes first and keeps about its length; the other becomes no longer.
            bool last = (t % 2 ^ mine.exchanged) != 0;
            R kept;
            R inverse;
            both.after(last, turns && !both.vanishes(), &kept, &inverse);
            if (warpBallot(turns && both.vanishes()) != 0) {
                R squares[2 * H];
#pragma unroll
                for (int i = 0; i < H; i++) {
                    int swapped = own.turns[i].exchanged;
                    squares[2 * i] = squared(first[i], inverses[2 * i + swapped]);
                    squares[2 * i + 1] = squared(second[i], inverses[2 * i + 1 - swapped]);
                }
                sumLanes<LANES, LANES>(squares);
                kept = turns ? either(last, both.length[1], both.length[0]) * root(squares[0]) : kept;
                inverse = turns ? inverseLength(kept) : inverse;
            }
            if (t < 2 * pairs) {
                own.lengths[1 - buffer][seats.next(t)] = kept;
                own.inverses[1 - buffer][seats.next(t)] = inverse;
            }
            moveOn<T, H, 1>(first, second, 0, pairs);
            moveOn<T, H, 1>(firstTurned, secondTurned, 0, pairs);
            buffer = 1 - buffer;
            warpBarrier();
        }
    }

    // The longest first.
    const R* lengths = own.lengths[buffer];
    R nothing = 0;
    R value = lengths[t];
    int rank = finite ? 0 : column;
    for (int seat = 0; finite && seat < 2 * pairs; seat++) {
        int other = seats.row(seat);
        R x = lengths[seat];
        rank += other < n && (x > value || (x == value && other < column)) ? 1 : 0;
    }
    for (int seat = 0; !finite && seat < 2 * pairs; seat++) {
        nothing += lengths[seat] - lengths[seat];
    }
    if (has) {
        own.ranks[t] = rank;
        at<R>(args.a, problem)[rank] = finite ? value : nothing;
    }
    const unsigned all = warpBallot(has && finite && value < Jacobi<R>::shortest());
    const unsigned mask = LANES == 32 ? ~0u : (1u << LANES % 32) - 1;
    const bool whole = (all >> (threadIdx.x / LANES * LANES) & mask) == 0;
    if (there && t == 0) {
        *at<R>(args.f, problem) = finite ? worst : nothing;
        *at<i64>(args.g, problem) = sweeps;
        *at<int>(args.e, problem) = finite && done ? 0 : 1;
    }
    warpBarrier();
#pragma unroll
    for (int i = 0; i < H; i++) {
        const bool both = seats.row(2 * i + 1) < n;
        if (there && i < pairs && t < n) {
            v[own.ranks[2 * i] * ldv] = firstTurned[i];
            if (both) {
                v[own.ranks[2 * i + 1] * ldv] = secondTurned[i];
            }
        }
        if (there && finite && i < pairs && t < m) {
            x[own.ranks[2 * i] * ldx] = times(whole ? own.inverses[buffer][2 * i] : (R)1, first[i]);
            if (both) {
                x[own.ranks[2 * i + 1] * ldx] = times(whole ? own.inverses[buffer][2 * i + 1] : (R)1, second[i]);
            }
        }
    }
    warpBarrier();
    for (int q = 0; all != 0 && q < 32 / LANES; q++) {
        if ((all >> (q * LANES) & mask) != 0) {
            unitColumns(args.m, args.n, at<T>(args.c, start + q), ldx, at<R>(args.a, start + q));
        }
    }
}

}  // namespace basalt

#define SINGULAR_LANES(t, T)                                              \
    BASALT_KERNEL(basalt_gesvj_8_##t) { basalt::gesvjLanes<T, 4>(args); } \
    BASALT_KERNEL(basalt_gesvj_16_##t) { basalt::gesvjLanes<T, 8>(args); }
BASALT_EACH_TYPE(SINGULAR_LANES)
// Complex doubles would be too many for the registers.
#define SINGULAR_WARP(t, T) \
    BASALT_KERNEL(basalt_gesvj_32_##t) { basalt::gesvjLanes<T, 16>(args); }
BASALT_S(SINGULAR_WARP)
BASALT_D(SINGULAR_WARP)
BASALT_C(SINGULAR_WARP)
