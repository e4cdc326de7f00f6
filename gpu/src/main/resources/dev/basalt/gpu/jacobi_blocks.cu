// Two-sided Jacobi of a matrix by many blocks of a cooperative launch: see Kernel.SYEVJ. Rows and columns are in groups of 16. In a round each group meets one other: a block brings what two groups have in common
// into its shared memory, rotates there whoever is of different groups, and shows the product of the rotations. Behind a barrier the tiles of the rest of the matrix, of which the upper triangle is kept, and of the
// vectors are multiplied with these products. In the first round of a sweep members of one group meet, too. Whatever rotates is decided by elements as in the other kernels, so small eigenvalues have their digits.
#include "jacobi.h"
#include "team.h"

namespace basalt {

// Where and how far the pairs of a step turn: in shared memory, before the tiles.
template <typename T>
struct Step {
    typedef typename Of<T>::Real R;
    static const int PAIRS = 16;
    Turn<T> turns[PAIRS];
    R one[PAIRS], other[PAIRS];  // diagonal elements afterwards
    R scratch[32];
    int p[PAIRS], q[PAIRS];
    int turned[PAIRS];
    int moved;  // whether any pair of the round has turned
};

template <typename T>
struct JacobiBlocks {
    typedef typename Of<T>::Real R;
    static const int GROUP = 16;
    static const int SIDE = 2 * GROUP;
    static const int WITHIN = GROUP - 1;  // steps in which members of one group meet
    static const int PITCH = SIDE + 1;
    static const int TILE = SIDE * PITCH;
    static const int STEP = (sizeof(Step<T>) + 15) / 16 * 16;
    static const int BYTES = STEP + 3 * TILE * sizeof(T);
    static const int THREADS = 512;
    static const int BLOCKS = 160;  // of a team at most

    const Args& args;
    Step<T>& step;
    Team& team;
    T *s, *left, *right;  // shared tiles
    i64 n;
    int seats, pairs;
    T *h, *v;
    i64 ldh, ldv;
    T* products;   // of the rotations of each pair
    R* numbers;    // the values before they are sorted
    R* parts;      // what blocks show, three times
    int* moved;

    BASALT_DEVICE JacobiBlocks(const Args& arguments, char* memory, Team& blocks, i64 problem)
        : args(arguments), step(*(Step<T>*)memory), team(blocks), n(arguments.n) {
        s = (T*)(memory + STEP);
        left = s + TILE;
        right = left + TILE;
        int groups = (int)((n + GROUP - 1) / GROUP);
        seats = groups + groups % 2;
        pairs = seats / 2;
        h = at<T>(args.b, problem);
        ldh = args.b.ld;
        v = args.x ? at<T>(args.c, problem) : (T*)0;
        ldv = args.c.ld;
        i64 elements = (i64)pairs * (SIDE * SIDE + 1) + n + 3 * BLOCKS;
        products = (T*)args.work + problem * elements;
        T* behind = products + pairs * SIDE * SIDE;
        moved = (int*)behind;
        numbers = (R*)(behind + pairs);
        parts = (R*)(behind + pairs + n);
    }

    BASALT_DEVICE R all(int which, R x, bool sum) {
        x = ofBlock(x, sum, step.scratch);
        if (threadIdx.x == 0) {
            parts[which * BLOCKS + team.rank] = x;
        }
        team.barrier();
        return team.gather(parts + which * BLOCKS, sum, step.scratch);
    }

    BASALT_DEVICE i64 begin() const { return (i64)team.rank * THREADS + threadIdx.x; }
    BASALT_DEVICE i64 stride() const { return (i64)team.blocks * THREADS; }

    // The tile where the groups of two meetings cross: to shared memory, or back. Below the diagonal nothing is kept, so such a part lies there as its conjugate transpose.
    BASALT_DEVICE void tile(const Meeting& rows, const Meeting& columns, bool own, bool store) {
        for (int e = threadIdx.x; e < SIDE * SIDE; e += THREADS) {
            int x = e % GROUP;
            int y = e / GROUP % GROUP;
            int a = e / (GROUP * GROUP) % 2;
            int b = e / (2 * GROUP * GROUP);
            i64 row = a == 0 ? rows.lower : rows.upper;
            i64 column = b == 0 ? columns.lower : columns.upper;
            bool below = row > column;
            bool same = row == column;
            i64 i = (below ? column : row) * GROUP + x;
            i64 j = (below ? row : column) * GROUP + y;
            bool inside = i < n && j < n && !(same && x > y);
            T* here = s + a * GROUP + (below ? y : x) + (b * GROUP + (below ? x : y)) * PITCH;
            if (store) {
                if (inside && !(own && below)) {
                    h[i + j * ldh] = conj(*here, below);
                }
                continue;
            }
            T element = inside ? h[i + j * ldh] : zero<T>();
            if (!(same && x > y)) {
                *here = conj(element, below);
            }
            if (same && x < y) {
                s[b * GROUP + y + (a * GROUP + x) * PITCH] = conj(element, true);
            }
        }
    }

    // Whom a pair of a step brings together: members of one group in the first steps, of both in the others.
    BASALT_DEVICE void meet(int which, int pair) {
        if (which < WITHIN) {
            Meeting m(GROUP, which, pair % (GROUP / 2));
            int first = pair / (GROUP / 2) * GROUP;
            step.p[pair] = first + (int)m.lower;
            step.q[pair] = first + (int)m.upper;
        } else {
            step.p[pair] = pair;
            step.q[pair] = GROUP + (pair + which - WITHIN) % GROUP;
        }
    }

    // Rotations of a step, of what is in s and of their product in left.
    BASALT_DEVICE void rotate(int which) {
        int t = threadIdx.x;
        if (t < Step<T>::PAIRS) {
            meet(which, t);
            int p = step.p[t];
            int q = step.q[t];
            R first = re(s[p + p * PITCH]);
            R second = re(s[q + q * PITCH]);
            bool turned = turnOf(true, true, s[p + q * PITCH], &first, &second, step.turns + t);
            step.one[t] = first;
            step.other[t] = second;
            step.turned[t] = turned;
            if (turned) {
                step.moved = 1;
            }
        }
        __syncthreads();
        const int meetings = Step<T>::PAIRS * Step<T>::PAIRS;
        int x = t % Step<T>::PAIRS;
        int y = t % meetings / Step<T>::PAIRS;
        int p = step.p[y];
        int q = step.q[y];
        Turn<T> turn = step.turns[y];
        if (t >= meetings) {
            if (step.turned[y]) {
                rotateBoth(turn.cosine, turn.sine, left + x + p * PITCH, left + x + q * PITCH);
                rotateBoth(turn.cosine, turn.sine, left + x + GROUP + p * PITCH, left + x + GROUP + q * PITCH);
            }
        } else if (x == y) {
            if (step.turned[y]) {
                s[p + p * PITCH] = Make<T>::real(step.one[y]);
                s[q + q * PITCH] = Make<T>::real(step.other[y]);
                s[p + q * PITCH] = zero<T>();
                s[q + p * PITCH] = zero<T>();
            }
        } else if (step.turned[x] || step.turned[y]) {
            int i = step.p[x];
            int j = step.q[x];
            T* corner[2][2] = {{s + i + p * PITCH, s + i + q * PITCH}, {s + j + p * PITCH, s + j + q * PITCH}};
            Turn<T> across = step.turns[x];
            T row[2][2] = {{*corner[0][0], *corner[0][1]}, {*corner[1][0], *corner[1][1]}};
            rotateBoth(turn.cosine, turn.sine, &row[0][0], &row[0][1]);
            rotateBoth(turn.cosine, turn.sine, &row[1][0], &row[1][1]);
            rotateBoth(across.cosine, conj(across.sine, true), &row[0][0], &row[1][0]);
            rotateBoth(across.cosine, conj(across.sine, true), &row[0][1], &row[1][1]);
            *corner[0][0] = row[0][0];
            *corner[0][1] = row[0][1];
            *corner[1][0] = row[1][0];
            *corner[1][1] = row[1][1];
        }
        __syncthreads();
    }

    // Two groups meet.
    BASALT_DEVICE void groups(int round, int pair) {
        Meeting m(seats, round, pair);
        tile(m, m, true, false);
        for (int e = threadIdx.x; e < SIDE * SIDE; e += THREADS) {
            left[e % SIDE + e / SIDE * PITCH] = e % SIDE == e / SIDE ? one<T>() : zero<T>();
        }
        if (threadIdx.x == 0) {
            step.moved = 0;
        }
        __syncthreads();
#pragma unroll 1
        for (int i = round == 0 ? 0 : WITHIN; i < WITHIN + GROUP; i++) {
            rotate(i);
        }
        bool any = step.moved != 0;
        if (any) {
            tile(m, m, true, true);
            for (int e = threadIdx.x; e < SIDE * SIDE; e += THREADS) {
                products[(i64)pair * SIDE * SIDE + e] = left[e % SIDE + e / SIDE * PITCH];
            }
        }
        if (threadIdx.x == 0) {
            moved[pair] = any;
        }
        __syncthreads();
    }

    // The product of a pair's rotations, in shared memory.
    BASALT_DEVICE void bring(int pair, T* to) const {
        for (int e = threadIdx.x; e < SIDE * SIDE; e += THREADS) {
            to[e % SIDE + e / SIDE * PITCH] = products[(i64)pair * SIDE * SIDE + e];
        }
    }

    // s times what is in right: two elements of a thread.
    BASALT_DEVICE void fromRight(T (&x)[2]) const {
        int row = threadIdx.x % SIDE;
        int column = threadIdx.x / SIDE;
        x[0] = zero<T>();
        x[1] = zero<T>();
#pragma unroll 8
        for (int k = 0; k < SIDE; k++) {
            T element = s[row + k * PITCH];
            fma(element, right[k + column * PITCH], x[0]);
            fma(element, right[k + (column + GROUP) * PITCH], x[1]);
        }
    }

    // The conjugate transpose of what is in left times s.
    BASALT_DEVICE void fromLeft(T (&x)[2]) const {
        int row = threadIdx.x % SIDE;
        int column = threadIdx.x / SIDE;
        x[0] = zero<T>();
        x[1] = zero<T>();
#pragma unroll 8
        for (int k = 0; k < SIDE; k++) {
            T element = conj(left[k + row * PITCH], true);
            fma(element, s[k + column * PITCH], x[0]);
            fma(element, s[k + (column + GROUP) * PITCH], x[1]);
        }
    }

    BASALT_DEVICE void keep(const T (&x)[2]) {
        __syncthreads();
        s[threadIdx.x % SIDE + threadIdx.x / SIDE * PITCH] = x[0];
        s[threadIdx.x % SIDE + (threadIdx.x / SIDE + GROUP) * PITCH] = x[1];
        __syncthreads();
    }

    // Where two pairs cross.
    BASALT_DEVICE void cross(int round, int first, int second) {
        bool above = moved[first] != 0;
        bool beside = moved[second] != 0;
        if (!above && !beside) {
            return;
        }
        Meeting rows(seats, round, first);
        Meeting columns(seats, round, second);
        T x[2];
        tile(rows, columns, false, false);
        if (above) {
            bring(first, left);
        }
        if (beside) {
            bring(second, right);
        }
        __syncthreads();
        if (beside) {
            fromRight(x);
            keep(x);
        }
        if (above) {
            fromLeft(x);
            keep(x);
        }
        tile(rows, columns, false, true);
        __syncthreads();
    }

    // Rows of the vectors, columns of a pair.
    BASALT_DEVICE void vectors(int round, int pair, i64 strip) {
        if (!moved[pair]) {
            return;
        }
        Meeting m(seats, round, pair);
        int row = threadIdx.x % SIDE;
        int column = threadIdx.x / SIDE;
        i64 i = strip * SIDE + row;
        i64 j = m.lower * GROUP + column;
        i64 k = m.upper * GROUP + column;
        s[row + column * PITCH] = i < n && j < n ? v[i + j * ldv] : zero<T>();
        s[row + (column + GROUP) * PITCH] = i < n && k < n ? v[i + k * ldv] : zero<T>();
        bring(pair, right);
        __syncthreads();
        T x[2];
        fromRight(x);
        if (i < n && j < n) {
            v[i + j * ldv] = x[0];
        }
        if (i < n && k < n) {
            v[i + k * ldv] = x[1];
        }
        __syncthreads();
    }

    BASALT_DEVICE void tiles(int round) {
        i64 crossings = (i64)pairs * (pairs - 1) / 2;
        i64 strips = v != 0 ? (n + SIDE - 1) / SIDE : 0;
        for (i64 i = team.rank; i < crossings + strips * pairs; i += team.blocks) {
            if (i < crossings) {
                TileOfPart of((unsigned)i, true);
                cross(round, (int)of.column, (int)of.row + 1);
            } else {
                vectors(round, (int)((i - crossings) / strips), (i - crossings) % strips);
            }
        }
    }

    BASALT_DEVICE void sweep() {
        for (int round = 0; round < seats - 1; round++) {
            for (int pair = team.rank; pair < pairs; pair += team.blocks) {
                groups(round, pair);
            }
            team.barrier();
            tiles(round);
            team.barrier();
        }
    }

    // Values in rising order, and vectors where they belong: a warp a column. h is scratch.
    BASALT_DEVICE void sort(R* values, int by) {
        for (i64 j = begin(); j < n; j += stride()) {
            numbers[j] = scaled(re(h[j + j * ldh]), -by);
        }
        team.barrier();
        for (i64 e = begin(); v != 0 && e < n * n; e += stride()) {
            h[e % n + e / n * ldh] = v[e % n + e / n * ldv];
        }
        team.barrier();
        int lane = threadIdx.x % 32;
        for (i64 j = begin() / 32; j < n; j += stride() / 32) {
            R value = numbers[j];
            int rank = 0;
            for (i64 i = lane; i < n; i += 32) {
                R other = numbers[i];
                rank += other < value || (other == value && i < j) ? 1 : 0;
            }
            for (int mask = 16; mask > 0; mask >>= 1) {
                rank += shuffleXor(rank, mask);
            }
            for (i64 i = lane; v != 0 && i < n; i += 32) {
                v[i + rank * ldv] = h[i + j * ldh];
            }
            if (lane == 0) {
                values[rank] = value;
            }
        }
    }

    BASALT_DEVICE void run(i64 problem) {
        bool lower = args.uplo == LOWER;
        double given, none;
        load(args.alpha, &given, &none);
        const T* a = at<T>(args.c, problem);
        R* values = at<R>(args.a, problem);
        R largest = 0;
        for (i64 e = begin(); e < n * n; e += stride()) {
            i64 i = e % n;
            i64 j = e / n;
            if (i <= j) {
                T x = lower ? conj(a[j + i * ldv], true) : a[i + j * ldv];
                x = i == j ? dropImaginary(x) : x;
                h[i + j * ldh] = x;
                largest = most(largest, most(absolute(re(x)), absolute(im(x))));
            }
        }
        largest = all(0, largest, false);
        bool finite = largest - largest == 0;
        int by = 0;
        if (finite && largest != 0) {
            int exponent = exponentOf(largest);
            by = exponent > plainExponent(largest) || exponent < -plainExponent(largest) ? -exponent : 0;
        }
        for (i64 e = begin(); e < n * n; e += stride()) {
            i64 i = e % n;
            i64 j = e / n;
            if (by != 0 && i <= j) {
                h[i + j * ldh] = scaledBoth(h[i + j * ldh], largest, by);
            }
            if (v != 0) {
                v[i + j * ldv] = i == j ? one<T>() : zero<T>();
            }
        }
        team.barrier();
        R allowed = (R)scaled(given, by);
        R off = 0;
        bool done = false;
        i64 taken = 0;
        for (; finite; taken++) {
            R sum = 0;
            R loud = 0;
            for (i64 e = begin(); e < n * n; e += stride()) {
                i64 i = e % n;
                i64 j = e / n;
                if (i < j) {
                    R size = quickSize(h[i + j * ldh]);
                    R bound = rootOfSize(re(h[i + i * ldh])) * rootOfSize(re(h[j + j * ldh]));
                    sum += size * size;
                    loud = size > unit(size) * bound ? (R)1 : loud;
                }
            }
            loud = ofBlock(loud, false, step.scratch);
            if (threadIdx.x == 0) {
                parts[2 * BLOCKS + team.rank] = loud;
            }
            off = root(2 * all(1, sum, true));
            loud = team.gather(parts + 2 * BLOCKS, false, step.scratch);
            done = off <= allowed || loud == 0;
            if (done || taken >= args.q) {
                break;
            }
            sweep();
        }
        R nothing = largest - largest;
        if (team.rank == 0 && threadIdx.x == 0) {
            *at<R>(args.f, problem) = finite ? scaled(off, -by) : nothing;
            *at<i64>(args.g, problem) = taken;
            *at<int>(args.e, problem) = done ? 0 : 1;
        }
        if (finite) {
            sort(values, by);
        }
        for (i64 j = begin(); !finite && j < n; j += stride()) {
            values[j] = nothing;
        }
    }
};

// x: whether there are vectors; y: blocks of a team.
template <typename T>
BASALT_DEVICE void syevjBlocks(const Args& args) {
    Team team(args, args.y);
    for (i64 problem = team.number; problem < args.count; problem += team.all) {
        if (!skips(args, problem)) {
            JacobiBlocks<T>(args, BASALT_DYNAMIC_SHARED(char), team, problem).run(problem);
        }
    }
    team.leave();
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define JACOBI_LAYOUT(t, T) \
    BASALT_LAYOUT(syevj_blocks_##t, x, y, z) { return basalt::JacobiBlocks<T>::BYTES + 0 * (x + y + z); }
BASALT_EACH_TYPE(JACOBI_LAYOUT)
#endif

#define JACOBI_BLOCKS(t, T) \
    BASALT_KERNEL(basalt_syevj_blocks_##t) { basalt::syevjBlocks<T>(args); }
BASALT_EACH_TYPE(JACOBI_BLOCKS)
