// Two-sided Jacobi of many small matrices: see Kernel.SYEVJ. A few lanes, a warp or a block have a problem. The rows and columns of a round's pairs stand side by side: a pair has two seats, and
// everything moves on by one seat after each round (Brent and Luk, "The solution of singular-value and symmetric eigenvalue problems on multiprocessor arrays", 1985). So places are the same in all rounds:
// each thread has its blocks of four elements, where two pairs meet, and knows where they go. Of the matrix one triangle of blocks is kept, twice, to be read and to be written. Threads have the rows of
// the vectors in their registers; those take the rotations of a round while the angles of the next are computed.
#include "jacobi.h"
#include "seats.h"

namespace basalt {

// Bytes of a problem of so many threads with places for so many rotations; problems of a warp begin in different banks.
template <typename T>
BASALT_DEVICE int jacobiBytes(int places, int threads, int n) {
    Seats seats = {(n + 1) / 2};
    int bytes = places * (int)sizeof(Turn<T>) + 2 * seats.elements() * (int)sizeof(T) +
                4 * seats.pairs * (int)sizeof(typename Of<T>::Real);
    return (bytes + 127) / 128 * 128 + threads * (int)sizeof(T) % 128;
}

// What the threads of a problem have to do with each other: so many of them, of which P have a row of the vectors, 2·H columns of it each.
template <typename T, int H, int P, int THREADS>
struct Lanes {
    typedef typename Of<T>::Real R;
    static const bool WARP = THREADS <= 32;
    // Places of a round's rotations: one is left free behind those that a thread's part of a row takes, so that the parts read from different banks.
    static const int PLACES = H * P + (P > 1 ? P : 0);
    static BASALT_DEVICE int at(int pair) { return P > 1 ? pair + pair / H : pair; }
    // Blocks of a thread: those of all pairs of so many columns.
    static const int BLOCKS = (H * P * (H * P - 1) / 2 + THREADS - 1) / THREADS;
    // Those that have room in registers together.
    static const int AT_ONCE = THREADS > 256 || sizeof(T) > 8 || BLOCKS == 1 ? 1 : 2;

    static BASALT_DEVICE void barrier() {
        if (WARP) {
            warpBarrier();
        } else {
            __syncthreads();
        }
    }
    static BASALT_DEVICE R all(R x, bool sum, R* scratch) {
        if constexpr (WARP) {
#pragma unroll
            for (int mask = THREADS / 2; mask > 0; mask /= 2) {
                R y = shuffleXor(x, mask);
                x = sum ? x + y : most(x, y);
            }
            return x;
        } else {
            return ofBlock(x, sum, scratch);
        }
    }
    static BASALT_DEVICE bool any(bool x) { return WARP ? warpBallot(x) != 0 : x; }
};

// The rows of the vectors take a round's rotations.
template <typename T, int H>
BASALT_DEVICE void turnVectors(T (&first)[H], T (&second)[H], const Turn<T>* turns) {
#pragma unroll
    for (int i = 0; i < H; i++) {
        Turn<T> turn = turns[i];
        rotateBoth(turn.cosine, turn.sine, first + i, second + i);
    }
}

template <typename T, int H, int P, int THREADS, bool VECTORS>
BASALT_DEVICE void jacobiLanes(const Args& args, typename Of<T>::Real* scratch) {
    typedef typename Of<T>::Real R;
    typedef Lanes<T, H, P, THREADS> L;
    const int each = L::WARP ? 32 / THREADS : 1;
    const int t = threadIdx.x % THREADS;
    const int n = (int)args.n;
    const bool lower = args.uplo == LOWER;
    const i64 problem = (i64)blockIdx.x * each + threadIdx.x / THREADS;
    const bool there = problem < args.count && !skips(args, problem);
    const Seats seats = {(n + 1) / 2};
    const int pairs = seats.pairs;
    const int blocks = seats.blocks();
    char* memory = BASALT_DYNAMIC_SHARED(char) + threadIdx.x / THREADS * jacobiBytes<T>(2 * L::PLACES, THREADS, n);
    Turn<T>* turns = (Turn<T>*)memory;
    T* elements = (T*)(turns + 2 * L::PLACES);
    R* diagonals = (R*)(elements + 2 * seats.elements());
    double given, none;
    load(args.alpha, &given, &none);

    // Both triangles are one of blocks.
    const int row = t / P;
    const int part = t % P;
    T* a = there ? at<T>(args.c, problem) : nullptr;
    const i64 lda = args.c.ld;
    R largest = 0;
    if (n % 2 != 0) {
        // Nobody sits beside the last.
        for (int y = t; y < n; y += THREADS) {
            bool turned;
            elements[seats.place(seats.seat(n), seats.seat(y), &turned)] = zero<T>();
        }
        diagonals[seats.seat(n)] = 0;
    }
    for (int y = part; there && row < n && y < n; y += P) {
        if (lower ? row >= y : row <= y) {
            T x = a[row + y * lda];
            bool turned;
            if (row == y) {
                x = dropImaginary(x);
                diagonals[seats.seat(row)] = re(x);
            } else {
                int place = seats.place(seats.seat(row), seats.seat(y), &turned);
                elements[place] = conj(x, turned);
            }
            largest = most(largest, most(absolute(re(x)), absolute(im(x))));
        }
    }
    largest = L::all(largest, false, scratch);
    const bool finite = largest - largest == 0;
    int by = 0;
    if (finite && largest != 0) {
        int exponent = exponentOf(largest);
        by = exponent > plainExponent(largest) || exponent < -plainExponent(largest) ? -exponent : 0;
    }
    L::barrier();
    for (int e = t; by != 0 && e < seats.elements(); e += THREADS) {
        elements[e] = scaledBoth(elements[e], largest, by);
    }
    for (int e = t; by != 0 && e < 2 * pairs; e += THREADS) {
        diagonals[e] = scaled(diagonals[e], by);
    }
    Turn<T> idle;
    idle.cosine = 1;
    idle.sine = zero<T>();
    for (int e = t; e < 2 * L::PLACES; e += THREADS) {
        turns[e] = idle;
    }

    // Which blocks this thread has, and where each of their elements goes.
    int block[L::BLOCKS];
    unsigned goes[L::BLOCKS][2];
#pragma unroll
    for (int k = 0; k < L::BLOCKS; k++) {
        int e = t + k * THREADS;
        int i = e % pairs;
        int j = i + 1 + e / pairs;
        j = j >= pairs ? j - pairs : j;
        block[k] = e < blocks ? i | j << 16 : 0;
        goes[k][0] = 0;
        goes[k][1] = 0;
#pragma unroll
        for (int u = 0; u < 4 && e < blocks; u++) {
            bool turned;
            unsigned place = (unsigned)seats.place(seats.next(2 * i + u / 2), seats.next(2 * j + u % 2), &turned);
            goes[k][u / 2] |= (place | (turned ? 0x8000u : 0u)) << 16 * (u % 2);
        }
    }
    const int pair = t < pairs ? t : 0;
    bool besideTurned;
    const int beside = seats.place(seats.next(2 * pair), seats.next(2 * pair + 1), &besideTurned);
    const int nextFirst = seats.next(2 * pair);
    const int nextSecond = seats.next(2 * pair + 1);

    // The vectors are a round behind: first comes one without rotations.
    T first[H];
    T second[H];
#pragma unroll
    for (int i = 0; i < H; i++) {
        int at = 2 * (part * H + i);
        bool in = VECTORS && at < 2 * pairs;
        first[i] = in && seats.row(seats.next(at)) == row ? one<T>() : zero<T>();
        second[i] = in && seats.row(seats.next(at + 1)) == row ? one<T>() : zero<T>();
    }

    const R allowed = (R)scaled(given, by);
    bool active = there && finite;
    bool done = false;
    R off = 0;
    int sweeps = 0;
    int buffer = 0;   // of elements and diagonals
    int earlier = 0;  // of turns: the vectors have still to take them
    for (;;) {
        L::barrier();
        const T* h = elements + buffer * seats.elements();
        const R* d = diagonals + buffer * 2 * pairs;
        R sum = 0;
        R loud = 0;
#pragma unroll
        for (int k = 0; k < L::BLOCKS; k++) {
            if (t + k * THREADS < blocks) {
                int i = block[k] & 0xffff;
                int j = block[k] >> 16;
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    R size = quickSize(h[t + k * THREADS + u * blocks]);
                    sum += size * size;
                    R bound = rootOfSize(d[2 * i + u / 2]) * rootOfSize(d[2 * j + u % 2]);
                    loud = size > unit(size) * bound ? (R)1 : loud;
                }
            }
        }
        if (t < pairs) {
            R size = quickSize(h[4 * blocks + t]);
            sum += size * size;
            R bound = rootOfSize(d[2 * t]) * rootOfSize(d[2 * t + 1]);
            loud = size > unit(size) * bound ? (R)1 : loud;
        }
        sum = L::all(sum, true, scratch);
        loud = L::all(loud, true, scratch);
        if (active) {
            off = root(2 * sum);
            done = off <= allowed || loud == 0;
            active = !done && sweeps < args.q;
            sweeps += active ? 1 : 0;
        }
        if (!L::any(active)) {
            break;
        }
        int one = t;             // who sits on the first seat of this thread's pair
        int other = seats.moving() - t;
        for (int round = 0; round < seats.moving(); round++) {
            const T* from = elements + buffer * seats.elements();
            T* to = elements + (1 - buffer) * seats.elements();
            const R* diagonal = diagonals + buffer * 2 * pairs;
            R* nextDiagonal = diagonals + (1 - buffer) * 2 * pairs;
            Turn<T>* now = turns + (1 - earlier) * L::PLACES;
            // Nothing of this is written to memory before all is computed, so it is computed side by side.
            if (VECTORS) {
                turnVectors<T, H>(first, second, turns + earlier * L::PLACES + L::at(part * H));
            }
            if (L::WARP || t / 32 * 32 < pairs) {
                R app = diagonal[2 * pair];
                R aqq = diagonal[2 * pair + 1];
                T x = from[4 * blocks + pair];
                Turn<T> turn;
                bool turned = turnOf(active, pair == 0 || one < other, x, &app, &aqq, &turn);
                if (t < pairs) {
                    now[L::at(pair)] = turn;
                    nextDiagonal[nextFirst] = app;
                    nextDiagonal[nextSecond] = aqq;
                    to[beside] = turned ? zero<T>() : conj(x, besideTurned);
                }
                one = one + 1 == seats.moving() ? 0 : one + 1;
                other = other + 1 == seats.moving() ? 0 : other + 1;
            }
            if (VECTORS) {
                moveOn<T, H, P>(first, second, part, pairs);
            }
            L::barrier();
#pragma unroll
            for (int begin = 0; begin < L::BLOCKS; begin += L::AT_ONCE) {
                T b[L::AT_ONCE][4];
#pragma unroll
                for (int k = 0; k < L::AT_ONCE; k++) {
                    const T* own = from + (t + (begin + k) * THREADS < blocks ? t + (begin + k) * THREADS : 0);
#pragma unroll
                    for (int u = 0; u < 4; u++) {
                        b[k][u] = own[u * blocks];
                    }
                }
#pragma unroll
                for (int k = 0; k < L::AT_ONCE; k++) {
                    Turn<T> left = now[L::at(block[begin + k] & 0xffff)];
                    Turn<T> right = now[L::at(block[begin + k] >> 16)];
                    left.sine = conj(left.sine, true);
                    rotateBoth(right.cosine, right.sine, &b[k][0], &b[k][1]);
                    rotateBoth(right.cosine, right.sine, &b[k][2], &b[k][3]);
                    rotateBoth(left.cosine, left.sine, &b[k][0], &b[k][2]);
                    rotateBoth(left.cosine, left.sine, &b[k][1], &b[k][3]);
                }
#pragma unroll
                for (int k = 0; k < L::AT_ONCE; k++) {
                    if (t + (begin + k) * THREADS < blocks) {
#pragma unroll
                        for (int u = 0; u < 4; u++) {
                            unsigned place = goes[begin + k][u / 2] >> 16 * (u % 2);
                            to[place & 0x7fff] = conj(b[k][u], place & 0x8000);
                        }
                    }
                }
            }
            L::barrier();
            buffer = 1 - buffer;
            earlier = 1 - earlier;
        }
    }
    if (VECTORS) {
        turnVectors<T, H>(first, second, turns + earlier * L::PLACES + L::at(part * H));
        moveOn<T, H, P>(first, second, part, pairs);
    }
    const R nothing = largest - largest;
    const R* diagonal = diagonals + buffer * 2 * pairs;
    int* ranks = (int*)(diagonals + (1 - buffer) * 2 * pairs);
    for (int j = t; there && j < n; j += THREADS) {
        R value = diagonal[seats.seat(j)];
        int rank = finite ? 0 : j;
        for (int i = 0; finite && i < n; i++) {
            R x = diagonal[seats.seat(i)];
            rank += x < value || (x == value && i < j) ? 1 : 0;
        }
        ranks[seats.seat(j)] = rank;
        at<R>(args.a, problem)[rank] = finite ? scaled(value, -by) : nothing;
    }
    if (there && t == 0) {
        *at<R>(args.f, problem) = finite ? scaled(off, -by) : nothing;
        *at<i64>(args.g, problem) = sweeps;
        *at<int>(args.e, problem) = done ? 0 : 1;
    }
    L::barrier();
#pragma unroll
    for (int i = 0; i < H; i++) {
        int seat = 2 * (part * H + i);
        if (VECTORS && there && row < n && seat < 2 * pairs) {
            a[row + ranks[seat] * lda] = first[i];
            if (seats.row(seat + 1) < n) {
                a[row + ranks[seat + 1] * lda] = second[i];
            }
        }
    }
}

// x: whether there are vectors.
template <typename T, int H, int P, int THREADS>
BASALT_DEVICE void syevjLanes(const Args& args) {
    __shared__ typename Of<T>::Real scratch[32];
    if (args.x) {
        jacobiLanes<T, H, P, THREADS, true>(args, scratch);
    } else {
        jacobiLanes<T, H, P, THREADS, false>(args, scratch);
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define JACOBI_LAYOUT(t, T) \
    BASALT_LAYOUT(syevj_##t, places, threads, n) { return basalt::jacobiBytes<T>((int)places, (int)threads, (int)n); }
BASALT_EACH_TYPE(JACOBI_LAYOUT)
#endif

#define JACOBI(t, T)                                                               \
    BASALT_KERNEL(basalt_syevj_8_##t) { basalt::syevjLanes<T, 4, 1, 8>(args); }    \
    BASALT_KERNEL(basalt_syevj_16_##t) { basalt::syevjLanes<T, 8, 1, 16>(args); }  \
    BASALT_KERNEL(basalt_syevj_32_##t) { basalt::syevjLanes<T, 16, 1, 32>(args); } \
    BASALT_KERNEL(basalt_syevj_64_##t) { basalt::syevjLanes<T, 8, 4, 256>(args); }
BASALT_EACH_TYPE(JACOBI)
// Complex doubles would be too many for the registers.
#define JACOBI_BLOCK(t, T) \
    BASALT_KERNEL(basalt_syevj_128_##t) { basalt::syevjLanes<T, 16, 4, 512>(args); }
BASALT_S(JACOBI_BLOCK)
BASALT_D(JACOBI_BLOCK)
BASALT_C(JACOBI_BLOCK)
