// One-sided Jacobi of many matrices of up to 64 rows: see Kernel.GESVJ. A block has a problem. A warp has eight columns, two groups of four, and each lane K rows of those and of the product of the
// rotations in its registers. Each column of one group meets each of the other, which nothing has to move for; members of a group meet once a sweep. Then groups go to their next seats through shared
// memory, as single columns do in "seats.h".
#include "one_sided_lanes.h"
#include "steqr.h"

namespace basalt {

static const int GROUP = 4;            // columns
static const int HELD = 2 * GROUP;     // columns of a warp
static const int MOST_WARPS = 8;       // of a problem
static const int WITHIN = GROUP - 1;   // rounds in which members of a group meet

// Bytes of shared memory: groups on their way, the matrix first, then the product of the rotations.
template <typename T>
BASALT_DEVICE int gesvjBytes(int warps, int rows) { return 2 * warps * HELD * rows * (int)sizeof(T); }

// What warps tell each other, and lanes of a warp: of each column, or of each pair of a round.
template <typename T>
struct Columns {
    typedef typename Of<T>::Real R;
    R scratch[32];
    R lengths[MOST_WARPS][HELD];
    R inverses[MOST_WARPS][HELD];
    R sorted[MOST_WARPS * HELD];
    int ranks[MOST_WARPS * HELD];
    Exchange<T> turns[MOST_WARPS][GROUP];
};

// Who meets in round ROUND as pair i: members of one group first, then of both.
template <int ROUND>
BASALT_DEVICE void meet(int i, int* one, int* other) {
    if (ROUND < WITHIN) {
        int group = i / 2 * GROUP;
        int j = i % 2;
        *one = group + (ROUND == 0 ? 2 * j : j);
        *other = group + (ROUND == 0 ? 2 * j + 1 : ROUND == 1 ? j + 2 : 3 - j);
    } else {
        *one = i;
        *other = GROUP + (i + ROUND) % GROUP;
    }
}

template <typename T, int K>
struct GesvjWarp {
    typedef typename Of<T>::Real R;
    Columns<T>& all;
    int warp, lane;
    bool ascending;  // whether the first group has the lower columns
    R tolerance;
    R worst;  // cosine of a pair
    T x[HELD][K], v[HELD][K];

    BASALT_DEVICE GesvjWarp(Columns<T>& columns, R allowed)
        : all(columns), warp(threadIdx.x / 32), lane(threadIdx.x % 32), ascending(true), tolerance(allowed), worst(0) {}

    // The column that a sweep begins and ends with.
    BASALT_DEVICE int column(const Seats& seats, int c) const { return seats.row(2 * warp + c / GROUP) * GROUP + c % GROUP; }

    // Four pairs: eight lanes compute the rotation of each, and four the length of a column.
    template <int ROUND>
    BASALT_DEVICE void round() {
        R* lengths = all.lengths[warp];
        R* inverses = all.inverses[warp];
        T sums[GROUP];
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            int p, q;
            meet<ROUND>(i, &p, &q);
            T product = zero<T>();
            R byOne = inverses[p];
            R byOther = inverses[q];
#pragma unroll
            for (int k = 0; k < K; k++) {
                fma(conj(times(byOne, x[p][k]), true), times(byOther, x[q][k]), product);
            }
            sums[i] = product;
        }
        sumLanes<GROUP, 32>(sums);
        int p, q;
        meet<ROUND>(lane / HELD, &p, &q);
        Lengths<R> both;
        both.length[0] = lengths[p];
        both.length[1] = lengths[q];
        both.inverse[0] = inverses[p];
        both.inverse[1] = inverses[q];
        Exchange<T> mine;
        R cosine = pairTurn(true, ROUND < WITHIN || ascending, sums[0], &both, tolerance, &mine);
        worst = larger(worst, cosine);
        bool turns = cosine > tolerance;
        if (warpBallot(turns || mine.exchanged != 0) == 0) {
            return;
        }
        if (lane % HELD == 0) {
            all.turns[warp][lane / HELD] = mine;
        }
        warpBarrier();
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            int a, b;
            meet<ROUND>(i, &a, &b);
#pragma unroll
            for (int k = 0; k < K; k++) {
                all.turns[warp][i](&x[a][k], &x[b][k]);
                all.turns[warp][i](&v[a][k], &v[b][k]);
            }
        }
        // The longer column comes first and keeps about its length; the other becomes no longer.
        int second = lane / GROUP % 2;
        bool last = (second ^ mine.exchanged) != 0;
        R kept;
        R inverse;
        both.after(last, turns && !both.vanishes(), &kept, &inverse);
        if (warpBallot(turns && both.vanishes()) != 0) {
            R squares[HELD];
#pragma unroll
            for (int i = 0; i < GROUP; i++) {
                int a, b;
                meet<ROUND>(i, &a, &b);
                int swapped = all.turns[warp][i].exchanged;
                squares[2 * i] = squareOf(a, inverses[swapped ? b : a]);
                squares[2 * i + 1] = squareOf(b, inverses[swapped ? a : b]);
            }
            sumLanes<HELD, 32>(squares);
            kept = turns ? either(last, both.length[1], both.length[0]) * root(squares[0]) : kept;
            inverse = turns ? inverseLength(kept) : inverse;
        }
        warpBarrier();
        if (lane % GROUP == 0) {
            lengths[second ? q : p] = kept;
            inverses[second ? q : p] = inverse;
        }
        warpBarrier();
    }

    // The square of this lane's part of a column.
    BASALT_DEVICE R squareOf(int c, R by) const {
        R sum = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            sum += squared(x[c][k], by);
        }
        return sum;
    }

    // Lengths as they are, without what rounding left of a sweep.
    BASALT_DEVICE void measure() {
        R squares[HELD];
#pragma unroll
        for (int c = 0; c < HELD; c++) {
            squares[c] = squareOf(c, all.inverses[warp][c]);
        }
        sumLanes<HELD, 32>(squares);
        int c = lane / GROUP;
        R by = all.inverses[warp][c];
        R now = by == 0 ? all.lengths[warp][c] : root(squares[0]) / by;
        warpBarrier();
        if (lane % GROUP == 0) {
            all.lengths[warp][c] = now;
            all.inverses[warp][c] = inverseLength(now);
        }
        warpBarrier();
    }

    BASALT_DEVICE void within() {
        round<0>();
        round<1>();
        round<2>();
    }

    BASALT_DEVICE void across() {
        round<3>();
        round<4>();
        round<5>();
        round<6>();
    }

    // Both groups go to their next seats.
    BASALT_DEVICE void moveOn(const Seats& seats) {
        const int ROWS = 32 * K;
        T* stage = BASALT_DYNAMIC_SHARED(T);
        T* beside = stage + 2 * seats.pairs * GROUP * ROWS;
        R length = all.lengths[warp][lane % HELD];
        R inverse = all.inverses[warp][lane % HELD];
#pragma unroll
        for (int c = 0; c < HELD; c++) {
            int to = (seats.next(2 * warp + c / GROUP) * GROUP + c % GROUP) * ROWS + lane;
#pragma unroll
            for (int k = 0; k < K; k++) {
                stage[to + 32 * k] = x[c][k];
                beside[to + 32 * k] = v[c][k];
            }
        }
        __syncthreads();
        if (lane < HELD) {
            int to = seats.next(2 * warp + lane / GROUP) * GROUP + lane % GROUP;
            all.lengths[to / HELD][to % HELD] = length;
            all.inverses[to / HELD][to % HELD] = inverse;
        }
#pragma unroll
        for (int c = 0; c < HELD; c++) {
            int from = (warp * HELD + c) * ROWS + lane;
#pragma unroll
            for (int k = 0; k < K; k++) {
                x[c][k] = stage[from + 32 * k];
                v[c][k] = beside[from + 32 * k];
            }
        }
        __syncthreads();
    }

    // The length of a column, of numbers of any size.
    BASALT_DEVICE R length(int c) const {
        R largest = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            largest = larger(larger(largest, absolute(re(x[c][k]))), absolute(im(x[c][k])));
        }
        for (int mask = 16; mask > 0; mask >>= 1) {
            largest = larger(largest, shuffleXor(largest, mask));
        }
        R sum = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            R a = re(x[c][k]) / largest;
            R b = im(x[c][k]) / largest;
            sum += a * a + b * b;
        }
        sum = warpSum(sum);
        return largest == 0 || largest - largest != 0 ? largest : largest * root(sum);
    }
};

// A block a problem, with as many warps as there are pairs of groups.
template <typename T, int K>
BASALT_DEVICE void gesvjWarps(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ Columns<T> columns;
    const int n = (int)args.n;
    const int m = (int)args.m;
    const Seats seats = {(int)blockDim.x / 32};
    double given, none;
    load(args.alpha, &given, &none);
    const R tolerance = larger((R)given, Limits<R>::unit() * root((R)m));
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* x = at<T>(args.c, problem);
        T* v = at<T>(args.b, problem);
        const i64 ldx = args.c.ld;
        const i64 ldv = args.b.ld;
        GesvjWarp<T, K> own(columns, tolerance);
        const int lane = own.lane;
        const int warp = own.warp;
#pragma unroll
        for (int c = 0; c < HELD; c++) {
            int j = own.column(seats, c);
#pragma unroll
            for (int k = 0; k < K; k++) {
                int row = lane + 32 * k;
                own.x[c][k] = j < n && row < m ? x[row + j * ldx] : zero<T>();
                own.v[c][k] = row == j ? one<T>() : zero<T>();
            }
        }
#pragma unroll
        for (int c = 0; c < HELD; c++) {
            R length = own.length(c);
            if (lane == c) {
                columns.lengths[warp][c] = length;
                columns.inverses[warp][c] = inverseLength(length);
            }
        }
        warpBarrier();
        bool finite = true;
        bool done = false;
        R worst = 0;
        int sweeps = 0;
        for (;; sweeps++) {
            if (sweeps > 0) {
                own.measure();
            }
            R nothing = lane < HELD ? 0 * columns.lengths[warp][lane] : (R)0;
            finite = ofBlock(nothing, true, columns.scratch) == 0;
            worst = ofBlock(own.worst, false, columns.scratch);
            done = sweeps > 0 && worst <= tolerance;
            if (!finite || done || sweeps >= args.q) {
                break;
            }
            own.worst = 0;
            own.within();
            for (int round = 0; round < seats.moving(); round++) {
                int one = (round + warp) % seats.moving();
                int other = (round - warp + seats.moving()) % seats.moving();
                own.ascending = warp == 0 || one < other;
                own.across();
                if (seats.pairs > 1) {
                    own.moveOn(seats);
                }
            }
        }

        // The longest first.
        R missing = 0;
#pragma unroll
        for (int c = 0; c < HELD; c++) {
            R length = columns.lengths[warp][c];
            missing += own.column(seats, c) < n ? length - length : (R)0;
            if (lane == 0) {
                columns.sorted[own.column(seats, c)] = length;
            }
        }
        missing = ofBlock(lane == 0 ? missing : (R)0, true, columns.scratch);
        bool whole = true;
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            R value = columns.sorted[j];
            int rank = finite ? 0 : j;
            for (int i = 0; finite && i < n; i++) {
                R other = columns.sorted[i];
                rank += other > value || (other == value && i < j) ? 1 : 0;
            }
            columns.ranks[j] = rank;
            at<R>(args.a, problem)[rank] = finite ? value : missing;
            whole = whole && value >= Jacobi<R>::shortest();
        }
        if (threadIdx.x == 0) {
            *at<R>(args.f, problem) = finite ? worst : missing;
            *at<i64>(args.g, problem) = sweeps;
            *at<int>(args.e, problem) = finite && done ? 0 : 1;
        }
        whole = ofBlock(whole ? (R)0 : (R)1, false, columns.scratch) == 0;
#pragma unroll
        for (int c = 0; c < HELD; c++) {
            if (own.column(seats, c) >= n) {
                continue;
            }
            int rank = columns.ranks[own.column(seats, c)];
            R by = whole ? columns.inverses[warp][c] : (R)1;
#pragma unroll
            for (int k = 0; k < K; k++) {
                int row = lane + 32 * k;
                if (row < n) {
                    v[row + rank * ldv] = own.v[c][k];
                }
                if (finite && row < m) {
                    x[row + rank * ldx] = times(by, own.x[c][k]);
                }
            }
        }
        __syncthreads();
        if (finite && !whole && warp == 0) {
            unitColumns(args.m, args.n, x, ldx, at<R>(args.a, problem));
        }
        __syncthreads();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define WARPS_LAYOUT(t, T) \
    BASALT_LAYOUT(gesvj_warps_##t, warps, rows, none) { return basalt::gesvjBytes<T>((int)warps, (int)rows); }
BASALT_EACH_TYPE(WARPS_LAYOUT)
#endif

#define SINGULAR_WARPS(t, T)                                                    \
    BASALT_KERNEL(basalt_gesvj_warps_32_##t) { basalt::gesvjWarps<T, 1>(args); } \
    BASALT_KERNEL(basalt_gesvj_warps_64_##t) { basalt::gesvjWarps<T, 2>(args); }
BASALT_EACH_TYPE(SINGULAR_WARPS)
