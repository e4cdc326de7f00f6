// The reflectors of a chase of 16 diagonals times a matrix, the last ones first. Eight sweeps at a time are I - V·T·Vᴴ in 24 rows (Schreiber and Van Loan, "A storage-efficient WY representation", 1989; the order of blocks is
// that of Bischof, Lang and Sun, "A framework for symmetric band reduction", 2000). One kernel makes V and -V·T of each in double precision, in the order in which the other reads them.
//
// There a warp has 16 columns and goes down them, with the rows that a pass of some blocks of sweeps changes in its registers: a step changes them, gives 16 rows away and takes as many. Columns know nothing of each other.
// Several passes are in a block's columns at a time, each two steps behind the one before, so that the rows between them stay in a cache. What sums a product has stands in the lanes as the next one wants its left factor,
// when inner dimensions are counted by even numbers first.
#include "stages.h"

namespace basalt {

// How the reflectors of a chase are cut, for elements of one or two parts.
template <int PARTS>
struct ChasedCut {
    static const int K = 16;                          // diagonals, elements of a reflector
    static const int SWEEPS = 8;                      // of a block
    static const int TALL = K + SWEEPS;               // rows of a block
    static const int BLOCKS = PARTS == 1 ? 8 : 4;     // of sweeps in a pass
    static const int TILE = SWEEPS * SWEEPS;
    static const int TILES = TALL / SWEEPS;           // of V
    static const int EACH = 2 * TILES * TILE * PARTS;  // numbers of a block: V, -V·T, each a part at a time
    static const int STEP = BLOCKS * EACH;
    static const int WINDOW = BLOCKS + TILES - 1;     // tiles of rows that a pass has at a time
    static const int ROWS = BLOCKS * SWEEPS;          // from the first row of a pass to that of the next one

    // Blocks begin one row before a multiple of eight, so that what they change begins at one.
    i64 n;
    BASALT_DEVICE i64 steps(i64 pass) const { return (n - pass * ROWS + K - 1) / K; }
    // Steps of the passes from one to before another.
    BASALT_DEVICE i64 before(i64 first, i64 pass) const {
        i64 d = pass - first;
        return d * steps(first) - ROWS / K * (d * (d - 1) / 2);
    }
};

template <typename T>
struct Doubled {
    typedef double Number;
};
template <typename R>
struct Doubled<Complex<R>> {
    typedef Complex<double> Number;
};

// The blocks of a pass: a warp each.
template <typename T>
struct ChasedTiles : ChasedCut<Of<T>::parts> {
    typedef ChasedCut<Of<T>::parts> Cut;
    typedef typename Doubled<T>::Number W;
    static const int WARPS = 4;

    struct Shared {
        W v[Cut::TALL][Cut::SWEEPS];
        W tau[Cut::SWEEPS];
        W products[Cut::SWEEPS][Cut::SWEEPS];
        W t[Cut::SWEEPS][Cut::SWEEPS];
    };

    static BASALT_DEVICE W wide(T x) { return Make<W>::of(re(x), im(x)); }

    // V as the chase keeps it: row s of a strict upper triangle has the reflectors of sweep s, with the factor of each in place of its first element, which is 1.
    static BASALT_DEVICE void take(const Args& args, i64 problem, i64 block, i64 step, Shared& to) {
        const T* kept = at<T>(args.a, problem);
        int lane = threadIdx.x % 32;
        int i = lane % Cut::SWEEPS;
        i64 sweep = block * Cut::SWEEPS - 1 + i;
#pragma unroll
        for (int r = lane / Cut::SWEEPS; r < Cut::TALL; r += 32 / Cut::SWEEPS) {
            i64 row = block * Cut::SWEEPS + step * Cut::K + r;
            bool in = r >= i && r < i + Cut::K && sweep >= 0 && row < args.n && row > sweep;
            W x = in ? wide(kept[sweep + row * args.a.ld]) : zero<W>();
            if (r == i) {
                to.tau[i] = x;
                x = in ? one<W>() : zero<W>();
            }
            to.v[r][i] = x;
        }
        warpBarrier();
    }

    static BASALT_DEVICE void triangle(Shared& s) {
        int lane = threadIdx.x % 32;
        for (int l = lane; l < Cut::TILE; l += 32) {
            int a = l / Cut::SWEEPS;
            int b = l % Cut::SWEEPS;
            W sum = zero<W>();
            if (a < b) {
                for (int r = b; r < Cut::K + a; r++) {
                    fma(conj(s.v[r][a], true), s.v[r][b], sum);
                }
            }
            s.products[a][b] = sum;
            s.t[a][b] = zero<W>();
        }
        warpBarrier();
        for (int j = 0; j < Cut::SWEEPS; j++) {
            if (lane < j) {
                W sum = zero<W>();
                for (int l = lane; l < j; l++) {
                    fma(s.t[lane][l], s.products[l][j], sum);
                }
                s.t[lane][j] = -(s.tau[j] * sum);
            } else if (lane == j) {
                s.t[j][j] = s.tau[j];
            }
            warpBarrier();
        }
    }

    static BASALT_DEVICE void put(W x, double* to) {
        to[0] = re(x);
        if (Of<T>::parts == 2) {
            to[Cut::TILES * Cut::TILE] = im(x);
        }
    }

    static BASALT_DEVICE void give(const Shared& s, double* to) {
        int lane = threadIdx.x % 32;
        int i = lane % Cut::SWEEPS;
        double* second = to + Cut::EACH / 2;
        for (int r = lane / Cut::SWEEPS; r < Cut::TALL; r += 32 / Cut::SWEEPS) {
            put(s.v[r][i], to + (r / Cut::SWEEPS * Cut::TILE + i * Cut::SWEEPS + r % Cut::SWEEPS));
            W sum = zero<W>();
            for (int l = 0; l <= i; l++) {
                fma(s.v[r][l], s.t[l][i], sum);
            }
            put(-sum, second + (r * Cut::SWEEPS + i));
        }
    }

    static BASALT_DEVICE void run(const Args& args) {
        __shared__ Shared shared[WARPS];
        Cut cut = Cut();
        cut.n = args.n;
        i64 first = args.x;
        i64 pass = first + blockIdx.y;
        i64 l = (i64)blockIdx.x * WARPS + threadIdx.x / 32;
        i64 step = l / Cut::BLOCKS;
        if (skips(args, args.y) || step >= cut.steps(pass)) {
            return;
        }
        Shared& own = shared[threadIdx.x / 32];
        int which = (int)(l % Cut::BLOCKS);
        take(args, args.y, pass * Cut::BLOCKS + which, step, own);
        triangle(own);
        give(own, at<double>(args.f, args.y) + ((cut.before(first, pass) + step) * Cut::BLOCKS + which) * Cut::EACH);
    }
};

template <typename T>
struct Chased : ChasedCut<Of<T>::parts> {
    typedef ChasedCut<Of<T>::parts> Cut;
    static const int PARTS = Of<T>::parts;
    static const int WARPS = 8;
    static const int COLUMNS = 16;  // of a warp
    static const int BEHIND = 2;    // steps, from pass to pass
    static const int LEAVING = Cut::K / Cut::SWEEPS;  // tiles
    static const int MOST = 4;      // passes in a block's columns

    const Args& args;
    T* c;         // column g of this warp
    i64 ld;
    int columns;  // from there on
    int lane, groups, turns, turn;
    bool full;   // a warp's columns are there
    bool pairs;  // two rows are one aligned piece of memory

    BASALT_DEVICE Chased(const Args& arguments, i64 problem) : args(arguments), c(at<T>(arguments.c, problem)), ld(arguments.c.ld), lane(threadIdx.x % 32) {
        i64 all = (args.m + COLUMNS - 1) / COLUMNS;
        groups = WARPS / MOST;
        while (groups < WARPS && (i64)groups * gridDim.x < all) {
            groups *= 2;
        }
        turns = WARPS / groups;
        turn = threadIdx.x / 32 / groups;
        i64 column = ((i64)blockIdx.x * groups + threadIdx.x / 32 % groups) * COLUMNS + lane / 4;
        columns = (int)(column < args.m ? least(args.m - column, (i64)COLUMNS) : 0);
        full = column - lane / 4 + COLUMNS <= args.m;
        pairs = sizeof(T) == 8 && (u64)c % 16 == 0 && ld % 2 == 0;
        c += column * ld;
    }

    // Rows 2q and 2q+1 of columns g and g + 8 of tiles: as they are in memory, and each part apart.
    typedef T Given[4];
    typedef double Tile[PARTS][4];

    // How a step's tiles lie: all in the matrix with two rows a piece of memory, all in the matrix, or not.
    enum { PAIRS, SINGLE, PARTLY };
    BASALT_DEVICE int lie(i64 row) const {
        bool inside = row + (Cut::WINDOW + LEAVING) * Cut::SWEEPS <= args.n && full;
        return !inside ? PARTLY : pairs ? PAIRS : SINGLE;
    }

    // Nothing looks at what is loaded, so that nothing waits for it.
    template <int LIE>
    BASALT_DEVICE void load(i64 row, Given& to) const {
        row += 2 * (lane % 4);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const T* from = c + row + h * 8 * ld;
            if constexpr (LIE == PAIRS) {
                loadAligned<2>(from, to + 2 * h);
            } else {
#pragma unroll
                for (int u = 0; u < 2; u++) {
                    to[2 * h + u] = LIE == SINGLE || (columns > 8 * h && row + u < args.n) ? from[u] : zero<T>();
                }
            }
        }
    }
    template <int COUNT>
    BASALT_DEVICE void load(int lie, i64 row, Given (&to)[COUNT]) const {
        if (sizeof(T) == 8 && lie == PAIRS) {
#pragma unroll
            for (int l = 0; l < COUNT; l++) {
                load<sizeof(T) == 8 ? PAIRS : SINGLE>(row + l * Cut::SWEEPS, to[l]);
            }
        } else if (lie != PARTLY) {
#pragma unroll
            for (int l = 0; l < COUNT; l++) {
                load<SINGLE>(row + l * Cut::SWEEPS, to[l]);
            }
        } else {
#pragma unroll
            for (int l = 0; l < COUNT; l++) {
                load<PARTLY>(row + l * Cut::SWEEPS, to[l]);
            }
        }
    }
    BASALT_DEVICE static void part(const Given& from, Tile& to) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            to[0][e] = re(from[e]);
            if (PARTS == 2) {
                to[PARTS - 1][e] = im(from[e]);
            }
        }
    }

    template <int LIE>
    BASALT_DEVICE void store(i64 row, const Tile& x) const {
        row += 2 * (lane % 4);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            T* to = c + row + h * 8 * ld;
            T y[2];
#pragma unroll
            for (int u = 0; u < 2; u++) {
                y[u] = Make<T>::of(x[0][2 * h + u], x[PARTS - 1][2 * h + u]);
            }
            if constexpr (LIE == PAIRS) {
                storeAligned<2>(y, to);
            } else {
#pragma unroll
                for (int u = 0; u < 2; u++) {
                    if (LIE == SINGLE || (columns > 8 * h && row + u < args.n)) {
                        to[u] = y[u];
                    }
                }
            }
        }
    }
    BASALT_DEVICE void store(int lie, i64 row, const Tile& x) const {
        if (sizeof(T) == 8 && lie == PAIRS) {
            store<sizeof(T) == 8 ? PAIRS : SINGLE>(row, x);
        } else if (lie != PARTLY) {
            store<SINGLE>(row, x);
        } else {
            store<PARTLY>(row, x);
        }
    }

    // Two numbers of a lane in a tile of V or -V·T.
    BASALT_DEVICE void factor(const double* tile, double (&b)[2]) const { loadAligned<2>(tile + 2 * lane, b); }

    // x := x + a·b, of which one factor is sums of another product, by columns 2q and 2q+1. CONJUGATED: b is.
    template <bool CONJUGATED>
    BASALT_DEVICE void add(Tile& x, const Tile& a, const double* b) const {
        double y[PARTS][2];
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            factor(b + p * Cut::TILES * Cut::TILE, y[p]);
        }
        double left[PARTS][4];
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            left[p][0] = a[p][0];
            left[p][1] = a[p][2];
            left[p][2] = a[p][1];
            left[p][3] = a[p][3];
        }
        warpProduct(x[0], left[0], y[0]);
        if constexpr (PARTS == 2) {
            double minus[2] = {-y[1][0], -y[1][1]};
            warpProduct(x[1], left[1], y[0]);
            warpProduct(x[0], left[1], CONJUGATED ? y[1] : minus);
            warpProduct(x[1], left[0], CONJUGATED ? minus : y[1]);
        }
    }

    // The blocks of a step, the last sweeps first.
    BASALT_DEVICE void multiply(Tile (&x)[Cut::WINDOW], const double* tiles) const {
#pragma unroll
        for (int block = Cut::BLOCKS - 1; block >= 0; block--) {
            const double* v = tiles + block * Cut::EACH;
            Tile w;
#pragma unroll
            for (int p = 0; p < PARTS; p++) {
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    w[p][e] = 0;
                }
            }
#pragma unroll
            for (int l = 0; l < Cut::TILES; l++) {
                add<true>(w, x[block + l], v + l * Cut::TILE);
            }
#pragma unroll
            for (int l = 0; l < Cut::TILES; l++) {
                add<false>(x[block + l], w, v + Cut::EACH / 2 + l * Cut::TILE);
            }
        }
    }

    BASALT_DEVICE static void move(const Tile& from, Tile& to) {
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
#pragma unroll
            for (int e = 0; e < 4; e++) {
                to[p][e] = from[p][e];
            }
        }
    }

    // When passes begin, in steps: the last pass is number 0. The passes of a turn follow each other, and each pass stays behind the one before it.
    struct Schedule {
        Cut cut;
        int last, count, turns;
        int starts[MOST];  // of the passes that were asked for, the latest first

        BASALT_DEVICE Schedule(const Args& args, int together) : last(args.z - 1), count(args.z - args.x), turns(together) {
            cut.n = args.n;
#pragma unroll
            for (int u = 0; u < MOST; u++) {
                starts[u] = 0;
            }
        }
        BASALT_DEVICE int steps(int number) const { return (int)cut.steps(last - number); }
        // To be asked for one pass after the other.
        BASALT_DEVICE int start(int number) {
            int begin = number == 0 ? 0 : starts[0] + BEHIND;
            if (number >= turns) {
                int before = starts[0];
#pragma unroll
                for (int u = 1; u < MOST; u++) {
                    before = u < turns ? starts[u] : before;
                }
                int free = before + steps(number - turns);
                begin = free > begin ? free : begin;
            }
#pragma unroll
            for (int u = MOST - 1; u > 0; u--) {
                starts[u] = starts[u - 1];
            }
            starts[0] = begin;
            return begin;
        }
    };

    // A pass of a turn.
    struct Pass {
        int number, begin, length;

        BASALT_DEVICE bool under(int time) const { return time >= begin && time < begin + length; }
        // So many passes further, or one of no length behind the last.
        BASALT_DEVICE void advance(Schedule& schedule, int by) {
            length = 0;
            for (int l = 0; l < by; l++) {
                number++;
                if (number < schedule.count) {
                    begin = schedule.start(number);
                }
            }
            length = number < schedule.count ? schedule.steps(number) : 0;
        }
    };

    // By all warps of a turn.
    template <int GROUPS>
    BASALT_DEVICE static void copyStep(const double* from, double* to) {
        int thread = threadIdx.x % (32 * GROUPS);
        from += 2 * thread;
        to += 2 * thread;
#pragma unroll
        for (int l = 0; l < Cut::STEP; l += 64 * GROUPS) {
            copyAhead16(to + l, from + l, 16);
        }
    }

    // A step's tiles are on their way to shared memory while those of the step before are used.
    BASALT_DEVICE void bring(const Pass& pass, const Schedule& schedule, int time, double* to) const {
        if (pass.under(time)) {
            const double* from = at<double>(args.f, args.y) + (schedule.cut.before(args.x, schedule.last - pass.number) + time - pass.begin) * Cut::STEP;
            if (groups == WARPS / MOST) {
                copyStep<WARPS / MOST>(from, to);
            } else if (groups == 2 * WARPS / MOST) {
                copyStep<2 * WARPS / MOST>(from, to);
            } else {
                copyStep<WARPS>(from, to);
            }
        }
        endStage();
    }

    BASALT_DEVICE void run() {
        Schedule schedule(args, turns);
        int times = 0;
        for (int number = 0; number < schedule.count; number++) {
            times = schedule.start(number) + schedule.steps(number);
        }
        schedule = Schedule(args, turns);
        // The pass whose tiles are brought, and the one that is made.
        Pass ahead = {-1, 0, 0};
        while (ahead.number < turn) {
            ahead.advance(schedule, 1);
        }
        Pass pass = ahead;
        double* buffers = BASALT_DYNAMIC_SHARED(double) + turn * 2 * Cut::STEP;
        Tile x[Cut::WINDOW];
        Given next[LEAVING];
        bring(ahead, schedule, 0, buffers);
        awaitStage<0>();
        __syncthreads();
#pragma unroll 1
        for (int time = 0; time < times; time++) {
            if (ahead.length > 0 && time + 1 >= ahead.begin + ahead.length) {
                ahead.advance(schedule, turns);
            }
            bring(ahead, schedule, time + 1, buffers + (time + 1) % 2 * Cut::STEP);
            if (pass.under(time)) {
                i64 row = (i64)(schedule.last - pass.number) * Cut::ROWS + (time - pass.begin) * Cut::K;
                int lies = lie(row);
                if (time == pass.begin) {
                    Given first[Cut::WINDOW];
                    load(lies, row, first);
#pragma unroll
                    for (int l = 0; l < Cut::WINDOW; l++) {
                        part(first[l], x[l]);
                    }
                }
                load(lies, row + Cut::WINDOW * Cut::SWEEPS, next);
                multiply(x, buffers + time % 2 * Cut::STEP);
#pragma unroll
                for (int l = 0; l < LEAVING; l++) {
                    store(lies, row + l * Cut::SWEEPS, x[l]);
                }
                if (time == pass.begin + pass.length - 1) {
#pragma unroll
                    for (int l = LEAVING; l < Cut::WINDOW; l++) {
                        store(lies, row + l * Cut::SWEEPS, x[l]);
                    }
                } else {
#pragma unroll
                    for (int l = LEAVING; l < Cut::WINDOW; l++) {
                        move(x[l], x[l - LEAVING]);
                    }
#pragma unroll
                    for (int l = 0; l < LEAVING; l++) {
                        part(next[l], x[Cut::WINDOW - LEAVING + l]);
                    }
                }
            }
            if (time + 1 == pass.begin + pass.length) {
                pass = ahead;
            }
            awaitStage<0>();
            __syncthreads();
        }
    }
};

template <typename T>
BASALT_DEVICE void chased(const Args& args) {
    // There is one launch a problem, and as many as the workspace has passes.
    if (!skips(args, args.y)) {
        Chased<T>(args, args.y).run();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define CHASED_LAYOUT(t, T) \
    BASALT_LAYOUT(chased_##t, x, y, z) { return x * 2 * basalt::ChasedCut<basalt::Of<T>::parts>::STEP * (int)sizeof(double) + 0 * (y + z); }
BASALT_EACH_TYPE(CHASED_LAYOUT)
#define CHASED_ROWS_LAYOUT(t, T) \
    BASALT_LAYOUT(chased_rows_##t, x, y, z) { return basalt::ChasedCut<basalt::Of<T>::parts>::ROWS + 0 * (x + y + z); }
BASALT_EACH_TYPE(CHASED_ROWS_LAYOUT)
#endif

#define CHASED(t, T)                                                            \
    BASALT_KERNEL(basalt_chased_tiles_##t) { basalt::ChasedTiles<T>::run(args); } \
    BASALT_KERNEL(basalt_chased_##t) { basalt::chased<T>(args); }
BASALT_EACH_TYPE(CHASED)
