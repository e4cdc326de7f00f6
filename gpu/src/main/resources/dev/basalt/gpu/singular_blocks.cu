// One-sided Jacobi of a matrix by many blocks of a cooperative launch: see Kernel.GESVJ. Columns are in groups. In a round each group meets one other: a block rotates each column of one with each of the other, and in
// the first round of a sweep those of one group, too; some warps have a pair of columns together. Behind a barrier other groups meet. Angles and lengths are those of the other kernels.
#include "one_sided.h"
#include "team.h"

namespace basalt {

// What warps of a block tell each other: its shared memory.
template <typename T>
struct Shares {
    typedef typename Of<T>::Real R;
    static const int WARPS = 16;
    T products[WARPS];
    R first[WARPS], second[WARPS];
    R scratch[32];
};

template <typename T>
struct SingularBlocks {
    typedef typename Of<T>::Real R;
    static const int WARPS = Shares<T>::WARPS;
    static const int THREADS = 32 * WARPS;
    static const int BLOCKS = 160;  // of a team at most
    static const int BATCH = sizeof(T) == 16 ? 2 : 4;  // loads on their way

    const Args& args;
    Shares<T>& shares;
    Team& team;
    i64 m, n, ldx, ldv;
    T *x, *v;
    R* values;
    i64* order;  // which column is the first, the second and so on
    R* sorted;   // their lengths
    R* parts;    // what blocks show, twice
    int group;   // columns
    int member, members;  // of the warps that have a pair
    R tolerance, found;

    BASALT_DEVICE SingularBlocks(const Args& arguments, Shares<T>& shared, Team& blocks, i64 problem)
        : args(arguments), shares(shared), team(blocks), m(arguments.m), n(arguments.n), group(arguments.x), found(0) {
        x = at<T>(args.c, problem);
        ldx = args.c.ld;
        v = at<T>(args.b, problem);
        ldv = args.b.ld;
        values = at<R>(args.a, problem);
        order = (i64*)args.work + problem * (2 * n + 2 * BLOCKS);
        sorted = (R*)(order + n);
        parts = (R*)(order + 2 * n);
        members = WARPS / group;
        member = threadIdx.x / 32 % members;
        double given, none;
        load(args.alpha, &given, &none);
        tolerance = larger((R)given, Limits<R>::unit() * root((R)m));
    }

    BASALT_DEVICE int lane() const { return threadIdx.x % 32; }
    BASALT_DEVICE i64 begin() const { return (i64)team.rank * THREADS + threadIdx.x; }
    BASALT_DEVICE i64 stride() const { return (i64)team.blocks * THREADS; }

    BASALT_DEVICE R largest(int which, R x) {
        x = ofBlock(x, false, shares.scratch);
        if (threadIdx.x == 0) {
            parts[which * BLOCKS + team.rank] = x;
        }
        team.barrier();
        return team.gather(parts + which * BLOCKS, false, shares.scratch);
    }

    // The sum of what the warps of a pair have shown.
    template <typename U>
    BASALT_DEVICE U together(const U* shown) const {
        const U* own = shown + threadIdx.x / 32 / members * members;
        U sum = own[0];
        for (int w = 1; w < members; w++) {
            sum = sum + own[w];
        }
        return sum;
    }

    // Elements p := c·p + s·q and q := c·q - conj(s)·p of two columns; then they change places, if so. The squares of the new ones are added up.
    BASALT_DEVICE void rotate(i64 rows, R c, T s, bool exchange, T* p, T* q, R* first, R* second) const {
        for (i64 k0 = lane() + 32 * member; k0 < rows; k0 += 32 * BATCH * members) {
            T a[BATCH], b[BATCH];
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                i64 k = k0 + 32 * u * members;
                a[u] = k < rows ? p[k] : zero<T>();
                b[u] = k < rows ? q[k] : zero<T>();
            }
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                i64 k = k0 + 32 * u * members;
                T one = times(c, a[u]) + s * b[u];
                T other = times(c, b[u]) - conj(s, true) * a[u];
                T up = exchange ? other : one;
                T down = exchange ? one : other;
                *first += re(up) * re(up) + im(up) * im(up);
                *second += re(down) * re(down) + im(down) * im(down);
                if (k < rows) {
                    p[k] = up;
                    q[k] = down;
                }
            }
        }
    }

    // The length of a column by the sum of its squares, or anew where that is too small or too large.
    BASALT_DEVICE R lengthBy(R sum, const T* column) const {
        return sum > fewest(sum) && sum < most(sum) ? root(sum) : lengthOf(column, m);
    }

    // Each pair of a step by its warps: columns i < j, if there are two.
    BASALT_DEVICE void pair(i64 i, i64 j) {
        bool there = j < n;
        T* xi = x + i * ldx;
        T* xj = x + j * ldx;
        R a = there ? values[i] : (R)0;
        R b = there ? values[j] : (R)0;
        bool exchange = b > a;
        T sum = zero<T>();
        if (a >= Jacobi<R>::shortest() && b >= Jacobi<R>::shortest()) {
            R p = 1 / a;
            R q = 1 / b;
#pragma unroll 4
            for (i64 k = lane() + 32 * member; k < m; k += 32 * members) {
                fma(conj(times(p, xi[k]), true), times(q, xj[k]), sum);
            }
        }
        sum = warpSum(sum);
        if (lane() == 0) {
            shares.products[threadIdx.x / 32] = sum;
        }
        __syncthreads();
        sum = together(shares.products);
        R cosine = root(re(sum) * re(sum) + im(sum) * im(sum));
        bool turns = cosine > tolerance;
        found = larger(found, cosine);
        R first = 0;
        R second = 0;
        if (turns || exchange) {
            T turn = zero<T>();
            R c = 1;
            if (turns) {
                c = turnOfColumns(a, b, sum, cosine, &turn);
            }
            rotate(n, c, turn, exchange, v + i * ldv, v + j * ldv, &first, &second);
            first = 0;
            second = 0;
            rotate(m, c, turn, exchange, xi, xj, &first, &second);
        }
        first = warpSum(first);
        second = warpSum(second);
        if (lane() == 0) {
            shares.first[threadIdx.x / 32] = first;
            shares.second[threadIdx.x / 32] = second;
        }
        __syncthreads();
        if (turns || exchange) {
#pragma unroll 1
            for (int which = 0; which < 2; which++) {
                R length = which == 0 ? b : a;
                if (turns) {
                    length = lengthBy(together(which == 0 ? shares.first : shares.second), which == 0 ? xi : xj);
                }
                if (member == 0 && lane() == 0) {
                    values[which == 0 ? i : j] = length;
                }
            }
        }
        __syncthreads();
    }

    // Two groups meet; in the first steps, if so, members of one do.
    BASALT_DEVICE void groups(const Meeting& meeting, bool within) {
        int own = threadIdx.x / 32 / members;
        int half = group / 2;
#pragma unroll 1
        for (int step = within ? 1 - group : 0; step < group; step++) {
            i64 i = meeting.lower * group + own;
            i64 j = meeting.upper * group + (own + (step < 0 ? 0 : step)) % group;
            if (step < 0) {
                Meeting inside(group, step + group - 1, own % half);
                i64 base = (own < half ? meeting.lower : meeting.upper) * group;
                i = base + inside.lower;
                j = base + inside.upper;
            }
            pair(i, j);
        }
    }

    BASALT_DEVICE void sweep() {
        int all = (int)((n + group - 1) / group);
        int seats = all + all % 2;
        found = 0;
        for (int round = 0; round < seats - 1; round++) {
            for (int i = team.rank; i < seats / 2; i += team.blocks) {
                groups(Meeting(seats, round, i), round == 0);
            }
            team.barrier();
        }
    }

    // Whether all columns are finite, of which the lengths are computed anew.
    BASALT_DEVICE bool lengths() {
        R bad = 0;
        for (i64 j = begin() / 32; j < n; j += stride() / 32) {
            R length = lengthOf(x + j * ldx, m);
            if (lane() == 0) {
                values[j] = length;
            }
            bad = length - length != 0 ? (R)1 : bad;
        }
        return largest(0, bad) == 0;
    }

    // Columns and rotations, the longest first: each thread moves the elements of its rows.
    BASALT_DEVICE void sort() {
        for (i64 j = begin() / 32; j < n; j += stride() / 32) {
            R value = values[j];
            int rank = 0;
            for (i64 i = lane(); i < n; i += 32) {
                R other = values[i];
                rank += other > value || (other == value && i < j) ? 1 : 0;
            }
            for (int mask = 16; mask > 0; mask >>= 1) {
                rank += shuffleXor(rank, mask);
            }
            if (lane() == 0) {
                order[rank] = j;
                sorted[rank] = value;
            }
        }
        team.barrier();
        for (i64 j = begin(); j < n; j += stride()) {
            values[j] = sorted[j];
        }
        for (i64 k = begin(); k < m + n; k += stride()) {
            T* row = k < m ? x + k : v + (k - m);
            i64 ld = k < m ? ldx : ldv;
            for (i64 i = 0; i < n; i++) {
                // What was moved before lies where that came from.
                i64 from = order[i];
                while (from < i) {
                    from = order[from];
                }
                if (from != i) {
                    T kept = row[i * ld];
                    row[i * ld] = row[from * ld];
                    row[from * ld] = kept;
                }
            }
        }
        team.barrier();
    }

    // Columns of length 1; those that have none are filled up by one warp.
    BASALT_DEVICE void normalise() {
        i64 full = 0;
        while (full < n && sorted[full] >= Jacobi<R>::shortest()) {
            full++;
        }
        for (i64 j = begin() / 32; j < full; j += stride() / 32) {
            R by = 1 / sorted[j];
            for (i64 k = lane(); k < m; k += 32) {
                x[k + j * ldx] = times(by, x[k + j * ldx]);
            }
        }
        if (full < n) {
            team.barrier();
            if (begin() < 32) {
                unitColumns(m, n, x, ldx, values, full);
            }
        }
    }

    BASALT_DEVICE void run(i64 problem) {
        for (i64 e = begin(); e < n * n; e += stride()) {
            v[e % n + e / n * ldv] = e % n == e / n ? one<T>() : zero<T>();
        }
        bool done = false;
        bool finite = lengths();
        R worst = 0;
        i64 taken = 0;
        while (finite && !done && taken < args.q) {
            sweep();
            worst = largest(1, found);
            done = worst <= tolerance;
            taken++;
            finite = lengths();
        }
        if (!finite) {
            // What one column is, all become: NaN.
            worst = values[0] - values[0];
            for (i64 j = 0; j < n; j++) {
                worst += values[j] - values[j];
            }
            team.barrier();
            for (i64 j = begin(); j < n; j += stride()) {
                values[j] = worst;
            }
        }
        if (begin() == 0) {
            *at<R>(args.f, problem) = worst;
            *at<i64>(args.g, problem) = taken;
            *at<int>(args.e, problem) = finite && done ? 0 : 1;
        }
        if (finite) {
            sort();
            normalise();
        }
    }
};

// x: columns of a group; y: blocks of a team.
template <typename T>
BASALT_DEVICE void gesvjBlocks(const Args& args) {
    Team team(args, args.y);
    for (i64 problem = team.number; problem < args.count; problem += team.all) {
        if (!skips(args, problem)) {
            SingularBlocks<T>(args, *BASALT_DYNAMIC_SHARED(Shares<T>), team, problem).run(problem);
        }
    }
    team.leave();
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define SINGULAR_LAYOUT(t, T) \
    BASALT_LAYOUT(gesvj_blocks_##t, x, y, z) { return (basalt::i64)sizeof(basalt::Shares<T>) + 0 * (x + y + z); }
BASALT_EACH_TYPE(SINGULAR_LAYOUT)
#endif

#define SINGULAR_BLOCKS(t, T) \
    BASALT_KERNEL(basalt_gesvj_blocks_##t) { basalt::gesvjBlocks<T>(args); }
BASALT_EACH_TYPE(SINGULAR_BLOCKS)
