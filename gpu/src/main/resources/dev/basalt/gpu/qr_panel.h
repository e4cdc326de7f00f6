// Panels of QR, up to 64 columns, in strips of eight. A strip's elements stay in the registers of a few warps, a lane with the same rows of
// all eight columns, so a step needs no barrier of a block. In one block or a cluster the products of all eight columns with each other, over the
// rows below the strip's square, are exchanged once, and the square: from these each warp makes all eight reflectors, keeping the products
// up to date, and then applies them to its rows. Where little is left of a column its products have lost digits, and are summed again
// from there on. In a grid each step has an exchange of its own. Then all warps apply the strip's reflectors to the columns right of it, and multiply them with those
// left of it, from which the triangle T comes. What the registers cannot hold, or has to be scaled, is worked on in memory in the same steps.
#ifndef BASALT_QR_PANEL_H
#define BASALT_QR_PANEL_H
#include "plain_reflector.h"
#include "cluster.h"
#include "qr_tall.h"
#include "reflect.h"
#include "tile.h"

namespace basalt {

static const int STRIP = 8;
static const int SHARE = 32 / STRIP;  // lanes that hear of a column
static const int QUAD = 4;            // columns that a warp changes at once
static const int WARPS = 8;
static const int SQUARE = STRIP * STRIP;
static const int PAIRS = STRIP * (STRIP + 1) / 2;  // of a strip's columns, also with themselves
static const int FEW = 4;                          // warps of a block that share a strip in a cluster, at most

// Where a panel's columns are, and its strip's reflectors: in memory; in memory, and reflectors in shared memory; all in shared memory.
enum { LOOSE, KEPT, HELD };

// Doubles are multiplied by tensor cores, and then two warps share some columns' rows.
template <typename T>
struct Multiplied {
    static const bool BY_TILES = false;
};
template <>
struct Multiplied<double> {
    static const bool BY_TILES = true;
};

// What a warp tells of a column: its part of a sum, and the element in the pivot row if it has it.
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

// What a warp needs to make the reflectors of a strip.
template <typename T>
struct StripMemory {
    T* sums;    // products of pairs of columns; before that is exchanged, this warp's
    T* square;  // the strip's square, by rows
    // behind that, in the same place:
    T* factors;  // by steps: what the columns right of a reflector are changed by
    T* inverse;
    T* beta;
    static const int ELEMENTS = PAIRS + SQUARE + 4;

    BASALT_DEVICE explicit StripMemory(T* at)
            : sums(at), square(at + PAIRS), factors(at), inverse(at + SQUARE), beta(at + SQUARE + STRIP) {}
};

// What a block keeps in shared memory.
template <typename T>
struct PanelMemory {
    u64* letters;    // two counters
    T* parts;        // what all tell each other, twice: for odd exchanges and for even ones
    T* products;     // in the same place after that: this block's parts of the strip's products with other columns, eight for each, of two halves of its rows
    T* rows;         // a few numbers for each warp
    T* sums;         // the same of all blocks; then what the columns on the right are changed by
    T* gram;         // products of the strip's reflectors with those before them, twice
    T* factors;      // tau
    T* triangle;     // T by rows, `n + 1` apart
    T* strips;       // the strip's reflectors where blocks have few rows; and those of the one before, which some warps may be at work with

    BASALT_DEVICE PanelMemory(char* at, int n, int tellers) {
        letters = (u64*)at;
        parts = (T*)(letters + 2);
        products = parts;
        rows = parts + 2 * most(told(tellers), STRIP * n);
        sums = rows + FEW * StripMemory<T>::ELEMENTS;
        gram = sums + STRIP * n;
        factors = gram + 2 * STRIP * STRIP;
        triangle = factors + n;
        strips = triangle + n * (n + 1);
    }
    // Elements of an exchange: pairs of columns of each who tells, and a square. A step's parts are fewer.
    static BASALT_DEVICE int told(int tellers) { return PAIRS * tellers + SQUARE; }
    BASALT_DEVICE i64 bytes(const char* from, int kept) const { return (const char*)(strips + STRIP * kept) - from; }
};

BASALT_DEVICE double plainMost(double) { return 1e125; }
BASALT_DEVICE float plainMost(float) { return 1e12f; }

// From the pivot element and the root of the sum of squares below it, which was scaled by `scale`.
template <typename T>
BASALT_DEVICE Reflector<T> reflector(T alpha, typename Of<T>::Real length, typename Of<T>::Real scale) {
    typedef typename Of<T>::Real R;
    Reflector<T> r;
    R a = re(alpha);
    R b = im(alpha);
    R large = larger(larger(absolute(a), absolute(b)), scale);
    R z = scale / large;
    R x = a / large;
    R y = b / large;
    R beta = betaOf(x, y, z * length);
    r.tau = Make<T>::of((beta - x) / beta, -y / beta);
    r.inverse = times(z, divide(one<T>(), Make<T>::of(x - beta, y)));
    r.beta = large * beta;
    return r;
}

// What a lane hears after an exchange: of the pivot column, and of its own one.
template <typename T>
struct Heard {
    T squares, alpha;
    T sum, row;
};

// A panel as a thread sees it. MODE says who shares it; K: elements of a column in a lane, at most. HOLDS: the panel is in shared memory, so
// that addresses are short; programs for both would not fit in the caches of instructions.
template <typename T, int MODE, int K, bool HOLDS>
struct Panel {
    typedef typename Of<T>::Real R;
    typedef T Columns[STRIP][K];
    static const bool BY_TILES = Multiplied<T>::BY_TILES;
    static const int WITH = HOLDS ? HELD : KEPT;  // where columns are that go with kept reflectors

    const Args& args;
    PanelMemory<T> memory;
    Read<T> matrix;
    int m, n;
    int rank, blocks;
    int along, teller, tellers;  // warps of this block that share a strip, this one and all of them
    int span, start;             // rows of a warp, and its first one
    unsigned round;
    bool wanted;  // T

    BASALT_DEVICE int lane() const { return threadIdx.x % 32; }
    BASALT_DEVICE int warp() const { return threadIdx.x / 32; }
    BASALT_DEVICE int first() const { return rank * along * span; }
    BASALT_DEVICE int last() const { return (int)least((i64)m, (i64)first() + along * span); }
    // Whether blocks have so few rows that they keep the strip's reflectors.
    BASALT_DEVICE bool keeps() const { return MODE != GRID || span <= 32 * K; }
    // Columns are so far apart that tiles meet no bank of memory twice.
    BASALT_DEVICE int pitch() const { return along * span + 4; }
    // Where there is room the panel stays in shared memory, behind the strips, until it is done; columns are filled up to whole strips.
    BASALT_DEVICE T* held() const { return memory.strips + 2 * STRIP * pitch(); }
    // Row 0 of a column, and how far it is to the next row and column. That a panel is held is told at compile time, since addresses are short there.
    template <int WHERE>
    BASALT_DEVICE T* column(int j) const {
        return WHERE == HELD ? held() - first() + j * pitch() : &matrix(0, j);
    }
    template <int WHERE>
    BASALT_DEVICE i64 down() const {
        return WHERE == HELD ? 1 : matrix.di;
    }
    template <int WHERE>
    BASALT_DEVICE i64 right() const {
        return WHERE == HELD ? pitch() : matrix.dj;
    }
    template <int WHERE>
    BASALT_DEVICE bool turned() const {
        return WHERE != HELD && matrix.turned;
    }
    BASALT_DEVICE T* kept(int j0) const { return memory.strips + (MODE == GRID ? 0 : j0 / STRIP & 1) * STRIP * pitch(); }
    BASALT_DEVICE T* told() const { return memory.parts + (round & 1) * memory.told(tellers); }
    BASALT_DEVICE Part<T>* parts() const { return (Part<T>*)told(); }
    // Of a grid: the sums that blocks show each other, and behind them the elements of the pivot row.
    BASALT_DEVICE T* shown() const { return (T*)syncScratch(args) + (i64)(round & 1) * STRIP * (blocks + 1); }
    BASALT_DEVICE T* shownProducts() const { return (T*)syncScratch(args) + 2 * STRIP * (blocks + 1); }

    template <bool LARGEST>
    static BASALT_DEVICE T join(T x, T y) {
        return LARGEST ? Make<T>::real(larger(re(x), re(y))) : x + y;
    }

    // Tells all a number and a row's element of column lane / SHARE, the same in its lanes; gives what all told, added up or the largest.
    template <bool LARGEST>
    BASALT_DEVICE Heard<T> exchange(T sum, T row, int j) {
        Heard<T> heard;
        int column = lane() / SHARE;
        int share = lane() % SHARE;
        round++;
        if (MODE == CLUSTER) {
            u64* letters = memory.letters + (round & 1);
            if (threadIdx.x == 0) {
                expectLetters(letters, (unsigned)(tellers * STRIP * sizeof(Part<T>)));
            }
            Part<T>* to = parts() + teller * STRIP + column;
            Letter<T> letter;
            letter.words[0] = 0;
            letter.words[1] = 0;
            letter.part.sum = sum;
            letter.part.row = row;
#pragma unroll 4
            for (int b = share; b < blocks; b += SHARE) {
#pragma unroll
                for (int i = 0; i < (int)sizeof(Part<T>) / 8; i += 2) {
                    sendLetter((u64*)to + i, letter.words + i, letters, b);
                }
            }
            awaitLetters(letters, (round - 1) / 2 % 2);
            sum = zero<T>();
#pragma unroll 4
            for (int t = share; t < tellers; t += SHARE) {
                sum = join<LARGEST>(sum, parts()[t * STRIP + column].sum);
            }
            row = parts()[j / span * STRIP + column].row;
        } else if (MODE == GRID) {
            Part<T>* mine = parts() + warp() * STRIP + column;
            if (share == 0) {
                mine->sum = sum;
                mine->row = row;
            }
            __syncthreads();
            if (warp() == 0) {
                const Part<T>* all = parts() + column;
                sum = join<LARGEST>(all[share * STRIP].sum, all[(share + SHARE) * STRIP].sum);
                sum = join<LARGEST>(sum, shuffleXor(sum, 1));
                sum = join<LARGEST>(sum, shuffleXor(sum, 2));
                if (share == 0) {
                    shown()[rank * STRIP + column] = sum;
                    int owner = j / span - rank * along;
                    if (owner >= 0 && owner < along) {
                        shown()[blocks * STRIP + column] = all[owner * STRIP].row;
                    }
                }
            }
            gridBarrier(counter(args, 0), round);
            int each = (blocks + WARPS - 1) / WARPS;
            int end = (int)least((i64)blocks, (i64)(warp() + 1) * each);
            sum = zero<T>();
#pragma unroll 4
            for (int b = warp() * each + share; b < end; b += SHARE) {
                sum = join<LARGEST>(sum, loadShared(shown() + b * STRIP + column));
            }
            row = loadShared(shown() + blocks * STRIP + column);
            sum = join<LARGEST>(sum, shuffleXor(sum, 1));
            sum = join<LARGEST>(sum, shuffleXor(sum, 2));
            if (share == 0) {
                mine->sum = sum;
            }
            __syncthreads();
            const Part<T>* all = parts() + column;
            sum = join<LARGEST>(all[share * STRIP].sum, all[(share + SHARE) * STRIP].sum);
        }
        if (MODE != ALONE) {
#pragma unroll
            for (int mask = 1; mask < SHARE; mask *= 2) {
                sum = join<LARGEST>(sum, shuffleXor(sum, mask));
            }
        }
        heard.sum = sum;
        heard.row = row;
        return heard;
    }

    BASALT_DEVICE bool plain(const Heard<T>& heard) const {
        R squares = re(heard.squares);
        return squares > fewest(squares) && squares < most(squares) && absolute(re(heard.alpha)) < plainMost(squares)
               && absolute(im(heard.alpha)) < plainMost(squares);
    }

    // What warp 0 of each block notes of column `at` of a strip: the factor, and the products with the reflectors before it.
    BASALT_DEVICE void note(int j0, int at, int column, bool knows, const Reflector<T>& r, const Heard<T>& heard) const {
        if (threadIdx.x == 0) {
            memory.factors[j0 + at] = r.tau;
        }
        if (warp() == 0 && knows && column < at) {
            memory.gram[(j0 / STRIP & 1) * STRIP * STRIP + at * STRIP + column] =
                    conj(heard.row, true) + r.inverse * conj(heard.sum, true);
        }
    }

    // The strip of columns j0 and on in registers. False, with nothing changed, if a column has to be scaled.
    BASALT_DEVICE bool inRegisters(int j0, int width) {
        Columns a;
        take<WITH>(a, j0, width);
        if constexpr (MODE == GRID) {
            if (!stepByStep(a, j0, width)) {
                return false;
            }
        } else {
#pragma unroll 1
            for (int at = 0; at < width;) {
                tellPairs(a, j0);
                int to = reflectors(j0, at, width);
                if (to < 0) {
                    return false;
                }
                apply(a, j0, at, to);
                at = to;
            }
        }
        keep(a, j0);
        put<WITH>(a, j0, width);
        warpBarrier();
        return true;
    }

    // Takes a strip into registers.
    template <int WHERE>
    BASALT_DEVICE void take(Columns& a, int j0, int width) const {
        int rows = WHERE == HELD ? span : (int)least(span, m - start - lane());
        const T* p = column<WHERE>(j0) + (start + lane()) * down<WHERE>();
        i64 step = 32 * down<WHERE>();
#pragma unroll
        for (int c = 0; c < STRIP; c++) {
            const T* x = p;
#pragma unroll
            for (int k = 0; k < K; k++) {
                a[c][k] = 32 * k < rows && (WHERE == HELD || c < width) ? conj(*x, turned<WHERE>()) : zero<T>();
                x += step;
            }
            p += right<WHERE>();
        }
    }

    // Puts it back.
    template <int WHERE>
    BASALT_DEVICE void put(const Columns& a, int j0, int width) const {
        int rows = WHERE == HELD ? span : (int)least(span, m - start - lane());
        T* p = column<WHERE>(j0) + (start + lane()) * down<WHERE>();
        i64 step = 32 * down<WHERE>();
#pragma unroll
        for (int c = 0; c < STRIP; c++) {
            T* x = p;
#pragma unroll
            for (int k = 0; k < K; k++) {
                if (32 * k < rows && (WHERE == HELD || c < width)) {
                    *x = conj(a[c][k], turned<WHERE>());
                }
                x += step;
            }
            p += right<WHERE>();
        }
    }

    // Keeps the strip's reflectors with their ones, and the zeros above.
    BASALT_DEVICE void keep(const Columns& a, int j0) const {
        T* to = kept(j0) + start + lane() - first();
        int below = start + lane() - j0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            if (32 * k < span) {
#pragma unroll
                for (int c = 0; c < STRIP; c++) {
                    to[c * pitch() + 32 * k] = below + 32 * k > c ? a[c][k] : below + 32 * k == c ? one<T>() : zero<T>();
                }
            }
        }
    }

    BASALT_DEVICE StripMemory<T> strip() const { return StripMemory<T>(memory.rows + warp() * StripMemory<T>::ELEMENTS); }

    // Sums of conj(x)·y over this warp's rows below the strip's square, for columns B0 to B1 - 1 as y and those up to each of them as x.
    template <int B0, int B1, int COUNT>
    BASALT_DEVICE void sumPairs(const Columns& a, int j0) const {
        const int FIRST = B0 * (B0 + 1) / 2;
        T s[COUNT];
#pragma unroll
        for (int e = 0; e < COUNT; e++) {
            s[e] = zero<T>();
        }
        int square = j0 + STRIP - start - lane();
#pragma unroll
        for (int k = 0; k < K; k++) {
            bool under = 32 * k >= square;
#pragma unroll
            for (int y = B0; y < B1; y++) {
                T b = under ? a[y][k] : zero<T>();
#pragma unroll
                for (int x = 0; x <= y; x++) {
                    fma(conj(a[x][k], true), b, s[y * (y + 1) / 2 - FIRST + x]);
                }
            }
        }
        int which;
        T sum = warpSums<COUNT>(s, &which);
        if (FIRST + which < B1 * (B1 + 1) / 2) {
            strip().sums[FIRST + which] = sum;
        }
    }

    // Tells all what a strip's reflectors are made of, and waits for what the others tell.
    BASALT_DEVICE void tellPairs(const Columns& a, int j0) {
        sumPairs<0, 5, 16>(a, j0);
        sumPairs<5, 7, 16>(a, j0);
        sumPairs<7, 8, 8>(a, j0);
        bool owner = j0 >= start && j0 < start + span;
        int row = (start + lane()) % 32 - j0 % 32;
        if (owner && row >= 0 && row < STRIP) {
#pragma unroll
            for (int k = 0; k < K; k++) {
                if (32 * k == j0 - start - (j0 - start) % 32) {
#pragma unroll
                    for (int c = 0; c < STRIP; c++) {
                        strip().square[row * STRIP + c] = a[c][k];
                    }
                }
            }
        }
        warpBarrier();
        if (MODE == CLUSTER) {
            round++;
            u64* letters = memory.letters + (round & 1);
            if (threadIdx.x == 0) {
                expectLetters(letters, (unsigned)(memory.told(tellers) * sizeof(T)));
            }
            send(strip().sums, told() + teller * PAIRS, PAIRS, letters);
            if (owner) {
                send(strip().square, told() + tellers * PAIRS, SQUARE, letters);
            }
            awaitLetters(letters, (round - 1) / 2 % 2);
            warpBarrier();
        }
    }

    // Sends numbers to all blocks.
    BASALT_DEVICE void send(const T* from, T* to, int count, u64* letters) const {
        int each = count * (int)sizeof(T) / 16;
#pragma unroll 4
        for (int e = lane(); e < each * blocks; e += 32) {
            int words = e / blocks * 2;
            sendLetter((u64*)to + words, (const u64*)from + words, letters, e % blocks);
        }
    }

    // Makes the strip's reflectors from number `at` on. A lane has elements (r, c) and (r + 4, c) of the square and of the products of pairs;
    // a column that is done is its reflector. The next number: less than `width` where a column's products have to be summed again; -1 if a
    // column has to be scaled.
    BASALT_DEVICE int reflectors(int j0, int at, int width) {
        StripMemory<T> own = strip();
        const T* square = MODE == CLUSTER ? told() + tellers * PAIRS : own.square;
        int r = lane() / STRIP;
        int c = lane() % STRIP;
        int mine = lane() - c;
        T e0 = square[r * STRIP + c];
        T e1 = square[(r + 4) * STRIP + c];
        T g0 = zero<T>();
        T g1 = zero<T>();
        int p0 = r <= c ? c * (c + 1) / 2 + r : r * (r + 1) / 2 + c;
        int p1 = r + 4 <= c ? c * (c + 1) / 2 + r + 4 : (r + 4) * (r + 5) / 2 + c;
        int all = MODE == CLUSTER ? tellers : 1;
        const T* sums = MODE == CLUSTER ? told() : own.sums;
#pragma unroll 8
        for (int t = 0; t < all; t++) {
            g0 = g0 + sums[t * PAIRS + p0];
            g1 = g1 + sums[t * PAIRS + p1];
        }
        g0 = conj(g0, r > c);
        g1 = conj(g1, r + 4 > c);
        // Steps that are not made have factors, too.
        warpBarrier();
        own.factors[lane()] = zero<T>();
        own.factors[lane() + 32] = zero<T>();
        R least = re(r == c ? g0 : g1) / 4;  // of column c, where r or r + 4 is c
        least = re(shuffle(Make<T>::real(least), c % 4 * STRIP + c));
        warpBarrier();
        int t = at;
#pragma unroll 1
        for (; t < width; t++) {
            int j = j0 + t;
            int from = t % 4 * STRIP + c;
            T product = shuffle(t < 4 ? g0 : g1, from);
            T row = shuffle(t < 4 ? e0 : e1, from);
            T x0 = shuffle(e0, mine + t);
            T x1 = shuffle(e1, mine + t);
            T y0 = shuffle(g0, mine + t);
            T y1 = shuffle(g1, mine + t);
            T sum = zero<T>();
            fma(r > t ? conj(x0, true) : zero<T>(), e0, sum);
            fma(r + 4 > t ? conj(x1, true) : zero<T>(), e1, sum);
            sum = sum + shuffleXor(sum, STRIP);
            sum = sum + shuffleXor(sum, 2 * STRIP);
            sum = sum + product;
            bool enough = re(product) >= least;
            if (t > at && !anyOf(enough, t)) {
                break;
            }
            Heard<T> heard;
            heard.sum = sum;
            heard.row = row;
            heard.squares = shuffle(sum, t);
            heard.alpha = shuffle(row, t);
            T squares = shuffle(product, t);
            Reflector<T> h;
            if (plain(heard)) {
                h = plainReflector(heard.alpha, re(heard.squares));
            } else if (j == m - 1 && im(heard.alpha) == 0) {
                h.beta = re(heard.alpha);
                h.tau = zero<T>();
                h.inverse = zero<T>();
            } else {
                return -1;
            }
            T factor = c > t ? -(conj(h.tau, true) * (row + conj(h.inverse, true) * sum)) : zero<T>();
            // What a column is changed by, as a multiple of the pivot column below the square.
            T by = factor * h.inverse;
            T by0 = conj(shuffle(by, r), true);
            T by1 = conj(shuffle(by, r + 4), true);
            T both = product;
            fma(by, squares, both);
            fma(by0, both, g0);
            fma(by1, both, g1);
            fma(by, y0, g0);
            fma(by, y1, g1);
            T across = c == t ? h.inverse : one<T>();
            g0 = g0 * (r == t ? across * conj(h.inverse, true) : across);
            g1 = g1 * (r + 4 == t ? across * conj(h.inverse, true) : across);
            T v0 = r == t ? one<T>() : r > t ? x0 * h.inverse : zero<T>();
            T v1 = r + 4 == t ? one<T>() : r + 4 > t ? x1 * h.inverse : zero<T>();
            fma(factor, v0, e0);
            fma(factor, v1, e1);
            if (c == t) {
                e0 = r == t ? Make<T>::real(h.beta) : r > t ? v0 : e0;
                e1 = r + 4 == t ? Make<T>::real(h.beta) : r + 4 > t ? v1 : e1;
            }
            if (r == 0) {
                own.factors[t * STRIP + c] = factor;
            }
            if (lane() == 0) {
                own.inverse[t] = h.inverse;
                own.beta[t] = Make<T>::real(h.beta);
            }
            note(j0, t, c, lane() < STRIP, h, heard);
            warpBarrier();
        }
        warpBarrier();
        return t;
    }

    // Whether lane t says so.
    static BASALT_DEVICE bool anyOf(bool here, int t) { return warpBallot(here) >> t & 1; }

    // Applies the strip's reflectors from number `at` to `to` - 1 to this warp's rows. A step has its column as number 0: the columns move on from
    // step to step, and are where they were in the end.
    BASALT_DEVICE void apply(Columns& a, int j0, int at, int to) const {
        StripMemory<T> own = strip();
#pragma unroll 1
        for (int t = 0; t < STRIP; t++) {
            bool now = t >= at && t < to;
            int below = now ? j0 + t - start - lane() : 32 * K;  // rows 32·k beyond it are below the pivot
            T inverse = own.inverse[t];
            T beta = own.beta[t];
            T factors[STRIP];
#pragma unroll
            for (int c = 1; c < STRIP; c++) {
                factors[c] = own.factors[t * STRIP + (t + c) % STRIP];
            }
#pragma unroll
            for (int k = 0; k < K; k++) {
                bool under = 32 * k > below;
                bool here = 32 * k == below;
                T v = here ? one<T>() : under ? a[0][k] * inverse : zero<T>();
                T done = here ? beta : under ? v : a[0][k];
#pragma unroll
                for (int c = 1; c < STRIP; c++) {
                    a[c - 1][k] = a[c][k];
                    fma(factors[c], v, a[c - 1][k]);
                }
                a[STRIP - 1][k] = done;
            }
        }
        warpBarrier();
    }

    // A step has its column as number 0: the columns move on from step to step. False, with nothing but registers changed, if a column has to
    // be scaled.
    BASALT_DEVICE bool stepByStep(Columns& a, int j0, int width) {
#pragma unroll 1
        for (int at = 0; at < width; at++) {
            int j = j0 + at;
            int below = j - start - lane();  // rows 32·k beyond it are below row j
            T s[STRIP];
#pragma unroll
            for (int c = 0; c < STRIP; c++) {
                s[c] = zero<T>();
            }
#pragma unroll
            for (int k = 0; k < K; k++) {
                T x = 32 * k > below ? conj(a[0][k], true) : zero<T>();
#pragma unroll
                for (int c = 0; c < STRIP; c++) {
                    fma(x, a[c][k], s[c]);
                }
            }
            int which;
            T sum = warpSums<STRIP>(s, &which);
            T row = zero<T>();
            if (j >= start && j < start + span) {
                T* rows = memory.rows + (warp() * 2 + (at & 1)) * STRIP;
#pragma unroll
                for (int k = 0; k < K; k++) {
                    if (32 * k == below) {
#pragma unroll
                        for (int c = 0; c < STRIP; c++) {
                            rows[c] = a[c][k];
                        }
                    }
                }
                warpBarrier();
                row = rows[which];
            }
            Heard<T> heard = exchange<false>(sum, row, j);
            heard.squares = shuffle(heard.sum, 0);
            heard.alpha = shuffle(heard.row, 0);
            Reflector<T> r;
            if (plain(heard)) {
                r = plainReflector(heard.alpha, re(heard.squares));
            } else if (j == m - 1 && im(heard.alpha) == 0) {
                r.beta = re(heard.alpha);
                r.tau = zero<T>();
                r.inverse = zero<T>();
            } else {
                return false;
            }
            bool right = which > 0 && which + at < STRIP;
            T mine = right ? -(conj(r.tau, true) * (heard.row + conj(r.inverse, true) * heard.sum)) : zero<T>();
            T factors[STRIP];
#pragma unroll
            for (int c = 1; c < STRIP; c++) {
                factors[c] = shuffle(mine, SHARE * c);
            }
#pragma unroll
            for (int k = 0; k < K; k++) {
                bool under = 32 * k > below;
                bool here = 32 * k == below;
                T v = here ? one<T>() : under ? a[0][k] * r.inverse : zero<T>();
                T done = here ? Make<T>::real(r.beta) : under ? v : a[0][k];
#pragma unroll
                for (int c = 1; c < STRIP; c++) {
                    fma(factors[c], v, a[c][k]);
                    a[c - 1][k] = a[c][k];
                }
                a[STRIP - 1][k] = done;
            }
            note(j0, at, (at + which) % STRIP, lane() % SHARE == 0, r, heard);
        }
        // The last strip may be narrower.
#pragma unroll 1
        for (int at = width; at < STRIP; at++) {
#pragma unroll
            for (int k = 0; k < K; k++) {
                T rest = a[0][k];
#pragma unroll
                for (int c = 1; c < STRIP; c++) {
                    a[c - 1][k] = a[c][k];
                }
                a[STRIP - 1][k] = rest;
            }
        }
        return true;
    }

    // Gives the reflectors that are kept their ones, and the zeros above.
    BASALT_DEVICE void unite(int j0) const {
        int end = (int)least(j0 + STRIP, start + span);
#pragma unroll 1
        for (int i = start + lane(); i < end; i += 32) {
#pragma unroll 1
            for (int c = (int)most(i - j0, 0); c < STRIP; c++) {
                kept(j0)[c * pitch() + i - first()] = i == j0 + c ? one<T>() : zero<T>();
            }
        }
    }

    // Sums of conj(x)·y over this warp's rows below row j, x being column j and y the columns of the strip; that of column lane / SHARE.
    BASALT_DEVICE T productsBelow(int j, int j0, int width) const {
        T s[STRIP];
#pragma unroll
        for (int c = 0; c < STRIP; c++) {
            s[c] = zero<T>();
        }
        int end = (int)least((i64)m, (i64)start + span);
        // Many loads are on their way before the first product.
        const int AHEAD = 4 / Of<T>::parts;
#pragma unroll 1
        for (int i0 = start + lane(); i0 < end; i0 += 32 * AHEAD) {
            T x[AHEAD];
            T y[AHEAD][STRIP];
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                int i = i0 + 32 * u;
                bool there = i > j && i < end;
                const T* p = &matrix(there ? i : j, j0);
                x[u] = there ? conj(p[(j - j0) * matrix.dj], !matrix.turned) : zero<T>();
#pragma unroll
                for (int c = 0; c < STRIP; c++) {
                    y[u][c] = there && c < width ? conj(p[c * matrix.dj], matrix.turned) : zero<T>();
                }
            }
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
#pragma unroll
                for (int c = 0; c < STRIP; c++) {
                    fma(x[u], y[u][c], s[c]);
                }
            }
        }
        int which;
        return warpSums<STRIP>(s, &which);
    }

    // Divides column j below row j by its largest element; the reflector of what is left, and anew what is heard of it.
    BASALT_DEVICE Reflector<T> scaled(int j, int j0, int width, Heard<T>& heard) {
        int end = (int)least((i64)m, (i64)start + span);
        R largest = 0;
#pragma unroll 1
        for (int i = start + lane(); i < end; i += 32) {
            T x = i > j ? matrix.element(i, j) : zero<T>();
            largest = larger(larger(largest, absolute(re(x))), absolute(im(x)));
        }
#pragma unroll 1
        for (int mask = 16; mask > 0; mask >>= 1) {
            largest = larger(largest, shuffleXor(largest, mask));
        }
        largest = re(exchange<true>(Make<T>::real(largest), zero<T>(), j).sum);
        if (largest == 0) {
            if (im(heard.alpha) != 0) {
                return reflector(heard.alpha, (R)0, (R)0);
            }
            Reflector<T> none;
            none.beta = re(heard.alpha);
            none.tau = zero<T>();
            none.inverse = zero<T>();
            return none;
        }
#pragma unroll 1
        for (int i = start + lane(); i < end; i += 32) {
            if (i > j) {
                T& x = matrix(i, j);
                x = Make<T>::of(re(x) / largest, im(x) / largest);
            }
        }
        warpBarrier();
        heard.sum = exchange<false>(productsBelow(j, j0, width), zero<T>(), j).sum;
        heard.squares = shuffle(heard.sum, SHARE * (j - j0));
        return reflector(heard.alpha, root(re(heard.squares)), largest);
    }

    // The same strip where it lies, in any size.
    BASALT_DEVICE void inMemory(int j0, int width) {
        int which = lane() / SHARE;
        int end = (int)least((i64)m, (i64)start + span);
#pragma unroll 1
        for (int at = 0; at < width; at++) {
            int j = j0 + at;
            T sum = productsBelow(j, j0, width);
            bool here = j >= start && j < start + span;
            T row = here && which < width ? matrix.element(j, j0 + which) : zero<T>();
            Heard<T> heard = exchange<false>(sum, row, j);
            heard.squares = shuffle(heard.sum, SHARE * at);
            heard.alpha = shuffle(heard.row, SHARE * at);
            Reflector<T> r;
            if (plain(heard)) {
                r = plainReflector(heard.alpha, re(heard.squares));
            } else {
                r = scaled(j, j0, width, heard);
            }
            T mine = which > at ? -(conj(r.tau, true) * (heard.row + conj(r.inverse, true) * heard.sum)) : zero<T>();
            T factors[STRIP];
#pragma unroll
            for (int c = 1; c < STRIP; c++) {
                factors[c] = shuffle(mine, SHARE * c);
            }
            const int AHEAD = 4 / Of<T>::parts;
#pragma unroll 1
            for (int i0 = start + lane(); i0 < end; i0 += 32 * AHEAD) {
                T v[AHEAD];
                T y[AHEAD][STRIP];
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    int i = i0 + 32 * u;
                    bool there = i >= j && i < end;
                    const T* p = &matrix(there ? i : j, j0);
                    v[u] = there ? conj(p[at * matrix.dj], matrix.turned) : zero<T>();
#pragma unroll
                    for (int c = 1; c < STRIP; c++) {
                        y[u][c] = there && c > at && c < width ? conj(p[c * matrix.dj], matrix.turned) : zero<T>();
                    }
                }
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    int i = i0 + 32 * u;
                    if (i >= j && i < end) {
                        T* p = &matrix(i, j0);
                        T w = i == j ? one<T>() : v[u] * r.inverse;
#pragma unroll
                        for (int c = 1; c < STRIP; c++) {
                            if (c > at && c < width) {
                                fma(factors[c], w, y[u][c]);
                                p[c * matrix.dj] = conj(y[u][c], matrix.turned);
                            }
                        }
                        p[at * matrix.dj] = i == j ? Make<T>::real(r.beta) : conj(w, matrix.turned);
                    }
                }
            }
            warpBarrier();
            note(j0, at, which, lane() % SHARE == 0, r, heard);
        }
        if (keeps()) {
#pragma unroll 1
            for (int c = 0; c < STRIP; c++) {
#pragma unroll 1
                for (int i = start + lane(); i < start + span; i += 32) {
                    kept(j0)[c * pitch() + i - first()] = c < width && i < m ? matrix.element(i, j0 + c) : zero<T>();
                }
            }
            warpBarrier();
            unite(j0);
        }
    }

    // Element i of the strip's reflector l.
    template <int WHERE>
    BASALT_DEVICE T reflectorAt(int i, int l, int j0, int width) const {
        if (WHERE != LOOSE) {
            return kept(j0)[l * pitch() + i - first()];
        }
        return i < j0 + l || i >= m || l >= width ? zero<T>() : i == j0 + l ? one<T>() : matrix.element(i, j0 + l);
    }

    // The first row of this block, of a multiple of 32 from its start, that the strip's reflectors reach.
    BASALT_DEVICE int reached(int j0) const { return first() + (j0 > first() ? (j0 - first()) / 32 * 32 : 0); }

    // Column number q of those beside the strip; a multiple of eight and those behind it lie one behind the other.
    static BASALT_DEVICE int beside(int q, int from, int j0, int width) { return q + from < j0 ? q + from : q + from + width; }

    // Products of the strip's reflectors with columns number q0 to q1 - 1 of those beside it, over this block's rows. q0 is a multiple of
    // eight.
    template <int WHERE>
    BASALT_DEVICE void multiply(int j0, int width, int from, int q0, int q1) const {
        int end = last();
        if constexpr (BY_TILES) {
            // Tiles of 16 columns · 8 reflectors, whose sums are over every other eight rows.
            const int AHEAD = 8;
            int g = lane() / 4;
            int r = lane() % 4;
            int half = warp() % 2;
#pragma unroll 1
            for (int q = q0 + 16 * (warp() / 2); q < q1; q += 8 * WARPS) {
                bool has = q + g < q1;
                bool more = q + 8 + g < q1;
                const T* x = column<WHERE>(has ? beside(q + g, from, j0, width) : 0);
                const T* y = column<WHERE>(more ? beside(q + 8 + g, from, j0, width) : 0);
                T s[4] = {0, 0, 0, 0};
                // Many loads are on their way before the first product.
#pragma unroll 1
                for (int i0 = reached(j0) + 8 * half + r; i0 - r < end; i0 += 16 * AHEAD) {
                    T a[AHEAD][4];
                    const T* xi = x + i0 * down<WHERE>();
                    const T* yi = y + i0 * down<WHERE>();
#pragma unroll
                    for (int u = 0; u < AHEAD; u++) {
                        int i = i0 + 16 * u;
                        // What is held has whole lines of rows; a column that is not there is another one, whose sums nobody takes.
                        bool upper = WHERE == HELD ? i - r < end : i < end;
                        bool lower = WHERE == HELD ? upper : i + 4 < end;
                        a[u][0] = (has || WHERE == HELD) && upper ? xi[0] : 0;
                        a[u][1] = (more || WHERE == HELD) && upper ? yi[0] : 0;
                        a[u][2] = (has || WHERE == HELD) && lower ? xi[4 * down<WHERE>()] : 0;
                        a[u][3] = (more || WHERE == HELD) && lower ? yi[4 * down<WHERE>()] : 0;
                        xi += 16 * down<WHERE>();
                        yi += 16 * down<WHERE>();
                    }
#pragma unroll
                    for (int u = 0; u < AHEAD; u++) {
                        int i = i0 + 16 * u;
                        if (i - r < end) {
                            T b[2];
                            b[0] = reflectorAt<WHERE>(i, g, j0, width);
                            b[1] = reflectorAt<WHERE>(i + 4, g, j0, width);
                            warpProduct(s, a[u], b);
                        }
                    }
                }
                T* into = memory.products + half * STRIP * n + (q - q0 + g) * STRIP + 2 * r;
                if (has) {
                    into[0] = s[0];
                    into[1] = s[1];
                }
                if (more) {
                    into[8 * STRIP] = s[2];
                    into[8 * STRIP + 1] = s[3];
                }
            }
        } else {
#pragma unroll 1
            for (int q = q0 + QUAD * warp(); q < q1; q += QUAD * WARPS) {
                T s[QUAD * STRIP];
                const T* first = column<WHERE>(beside(q, from, j0, width));
                int many = q1 - q;
#pragma unroll
                for (int e = 0; e < QUAD * STRIP; e++) {
                    s[e] = zero<T>();
                }
#pragma unroll 1
                for (int i = reached(j0) + lane(); i < end; i += 32) {
                    T x[QUAD];
                    const T* p = first + i * down<WHERE>();
#pragma unroll
                    for (int c = 0; c < QUAD; c++) {
                        x[c] = c < many ? conj(p[c * right<WHERE>()], turned<WHERE>()) : zero<T>();
                    }
#pragma unroll
                    for (int l = 0; l < STRIP; l++) {
                        T v = conj(reflectorAt<WHERE>(i, l, j0, width), true);
#pragma unroll
                        for (int c = 0; c < QUAD; c++) {
                            fma(v, x[c], s[c * STRIP + l]);
                        }
                    }
                }
                int which;
                T sum = warpSums<QUAD * STRIP>(s, &which);
                if (which / STRIP < many) {
                    memory.products[(q - q0) * STRIP + which] = sum;
                }
            }
        }
    }

    // Changes columns number q0 to q1 - 1 of those beside the strip by its reflectors and the sums: by warps from `firstWarp` on, `each` of
    // which share a few columns.
    template <int WHERE>
    BASALT_DEVICE void change(int j0, int width, int from, int q0, int q1, int firstWarp, int each) const {
        int end = last();
        int mine = warp() - firstWarp;
        const int COLUMNS = BY_TILES ? STRIP : QUAD;
        int step = COLUMNS * ((WARPS - firstWarp) / each);
#pragma unroll 1
        for (int q = q0 + COLUMNS * (mine / each); q < q1; q += step) {
            if constexpr (BY_TILES) {
                int g = lane() / 4;
                int r = lane() % 4;
                bool has = q + 2 * r < q1;
                bool more = q + 2 * r + 1 < q1;
                T* x = column<WHERE>(beside(has ? q + 2 * r : q, from, j0, width));
                T* y = x + (more ? right<WHERE>() : 0);
                T b[2];
                b[0] = q + g < q1 ? -memory.sums[(q + g) * STRIP + r] : 0;
                b[1] = q + g < q1 ? -memory.sums[(q + g) * STRIP + r + 4] : 0;
#pragma unroll 2
                for (int i = reached(j0) + g + 16 * (mine % each); i - g < end; i += 16 * each) {
                    T a[4];
                    a[0] = reflectorAt<WHERE>(i, r, j0, width);
                    a[1] = reflectorAt<WHERE>(i + 8, r, j0, width);
                    a[2] = reflectorAt<WHERE>(i, r + 4, j0, width);
                    a[3] = reflectorAt<WHERE>(i + 8, r + 4, j0, width);
                    bool upper = WHERE == HELD || i < end;
                    bool lower = WHERE == HELD || i + 8 < end;
                    i64 here = i * down<WHERE>();
                    i64 below = here + 8 * down<WHERE>();
                    T s[4];
                    s[0] = has && upper ? x[here] : 0;
                    s[1] = more && upper ? y[here] : 0;
                    s[2] = has && lower ? x[below] : 0;
                    s[3] = more && lower ? y[below] : 0;
                    warpProduct(s, a, b);
                    if (has && upper) {
                        x[here] = s[0];
                    }
                    if (more && upper) {
                        y[here] = s[1];
                    }
                    if (has && lower) {
                        x[below] = s[2];
                    }
                    if (more && lower) {
                        y[below] = s[3];
                    }
                }
            } else {
                T y[QUAD * STRIP];
                T* first = column<WHERE>(beside(q, from, j0, width));
                int many = q1 - q;
#pragma unroll
                for (int e = 0; e < QUAD * STRIP; e++) {
                    y[e] = e / STRIP < many ? memory.sums[q * STRIP + e] : zero<T>();
                }
#pragma unroll 1
                for (int i = reached(j0) + lane() + 32 * (mine % each); i < end; i += 32 * each) {
                    T x[QUAD];
                    T* p = first + i * down<WHERE>();
#pragma unroll
                    for (int c = 0; c < QUAD; c++) {
                        x[c] = c < many ? conj(p[c * right<WHERE>()], turned<WHERE>()) : zero<T>();
                    }
#pragma unroll
                    for (int l = 0; l < STRIP; l++) {
                        T v = -reflectorAt<WHERE>(i, l, j0, width);
#pragma unroll
                        for (int c = 0; c < QUAD; c++) {
                            fma(v, y[c * STRIP + l], x[c]);
                        }
                    }
#pragma unroll
                    for (int c = 0; c < QUAD; c++) {
                        if (c < many) {
                            p[c * right<WHERE>()] = conj(x[c], turned<WHERE>());
                        }
                    }
                }
            }
        }
    }

    // Entry e of what this block's warps found.
    BASALT_DEVICE T product(const T* products, int e) const {
        return BY_TILES ? products[e] + products[e + STRIP * n] : products[e];
    }

    // The products of all blocks, added up in the order of the blocks: entry e of `count` in memory.sums of every block.
    BASALT_DEVICE void gather(int count, T* sums) {
        int each = (count + blocks - 1) / blocks;
        clusterBarrier();
#pragma unroll 1
        for (int e = threadIdx.x; e < each && rank * each + e < count; e += blockDim.x) {
            int entry = rank * each + e;
            T sum = zero<T>();
#pragma unroll 8
            for (int b = 0; b < blocks; b++) {
                sum = sum + product(inBlock(memory.products, b), entry);
            }
#pragma unroll 8
            for (int b = 0; b < blocks; b++) {
                inBlock(sums, b)[entry] = sum;
            }
        }
        clusterBarrier();
    }

    // The same through memory that all blocks see: what they show has been written.
    BASALT_DEVICE void gatherShown(int count, T* sums) {
        T* all = shownProducts();
        T* result = all + (i64)blocks * count;
        round++;
        gridBarrier(counter(args, 0), round);
#pragma unroll 1
        for (int e = rank + blocks * warp(); e < count; e += blocks * WARPS) {
            T sum = zero<T>();
#pragma unroll 4
            for (int b = lane(); b < blocks; b += 32) {
                sum = sum + loadShared(all + (i64)b * count + e);
            }
            sum = warpSum(sum);
            if (lane() == 0) {
                result[e] = sum;
            }
        }
        round++;
        gridBarrier(counter(args, 0), round);
#pragma unroll 1
        for (int e = threadIdx.x; e < count; e += blockDim.x) {
            sums[e] = loadShared(result + e);
        }
    }

    // The first of the columns that a strip is multiplied with: T wants the products with those on the left, too.
    BASALT_DEVICE int from(int j0) const { return wanted ? 0 : j0; }

    // Brings this block's rows to shared memory, with zeros where there are none, or takes them back to where they belong.
    BASALT_DEVICE void hold(const Read<T>& where, bool back) const {
        const int AHEAD = 8;
        int end = back ? last() : first() + along * span;
        int columns = back ? n : (n + STRIP - 1) / STRIP * STRIP;
#pragma unroll 1
        for (int j = warp(); j < columns; j += WARPS) {
#pragma unroll 1
            for (int i0 = first() + lane(); i0 < end; i0 += 32 * AHEAD) {
                T x[AHEAD];
                T* here = column<HELD>(j) + i0;
                T* there = &where(i0, j);
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    bool is = i0 + 32 * u < m && j < n;
                    x[u] = back ? i0 + 32 * u < end ? here[32 * u] : zero<T>() : is ? there[32 * u * where.di] : zero<T>();
                }
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    if (i0 + 32 * u < end) {
                        (back ? there[32 * u * where.di] : here[32 * u]) = conj(x[u], where.turned);
                    }
                }
            }
        }
    }

    // What the columns beside a strip are changed by: those of the next strip are changed at once. The others are by the warps that have
    // no part in the next strip, while the others work on it; where all have one, at once, too.
    template <int WHERE>
    BASALT_DEVICE void applied(int j0, int width) {
        int others = n - width - from(j0);
        int left = j0 - from(j0);
        if (MODE == GRID) {
            // As many columns at once as blocks can show.
            int chunk = (int)least(others, args.z % TALL_BEGUN);
#pragma unroll 1
            for (int q = 0; q < others; q += chunk) {
                int end = (int)least(others, q + chunk);
                int count = (end - q) * STRIP;
                multiply<WHERE>(j0, width, from(j0), q, end);
                __syncthreads();
#pragma unroll 1
                for (int e = threadIdx.x; e < count; e += blockDim.x) {
                    shownProducts()[(i64)rank * count + e] = product(memory.products, e);
                }
                gatherShown(count, memory.sums + q * STRIP);
            }
        } else {
            multiply<WHERE>(j0, width, from(j0), 0, others);
            if (MODE == CLUSTER) {
                gather(others * STRIP, memory.sums);
            } else {
                __syncthreads();
#pragma unroll 1
                for (int e = threadIdx.x; e < others * STRIP; e += blockDim.x) {
                    memory.sums[e] = product(memory.products, e);
                }
            }
        }
        __syncthreads();
        // Each reflector's product with a column, once those before it have changed the column.
#pragma unroll 1
        for (int q = left + threadIdx.x; q < others; q += blockDim.x) {
            const T* gram = memory.gram + (j0 / STRIP & 1) * STRIP * STRIP;
            T y[STRIP];
#pragma unroll
            for (int l = 0; l < STRIP; l++) {
                T s = memory.sums[q * STRIP + l];
                if (l < width) {
#pragma unroll
                    for (int i = 0; i < l; i++) {
                        fma(-conj(gram[l * STRIP + i], true), y[i], s);
                    }
                    y[l] = conj(memory.factors[j0 + l], true) * s;
                } else {
                    y[l] = zero<T>();
                }
            }
#pragma unroll
            for (int l = 0; l < STRIP; l++) {
                memory.sums[q * STRIP + l] = y[l];
            }
        }
        __syncthreads();
        if (along == WARPS) {
            change<WHERE>(j0, width, from(j0), left, others, 0, 1);
        } else {
            change<WHERE>(j0, width, from(j0), left, (int)least(others, left + STRIP), 0, BY_TILES ? WARPS : WARPS * QUAD / STRIP);
        }
    }

    // What is left to do of the strip before this one, by the warps that have no part in this one.
    BASALT_DEVICE void later(int j0) const {
        int before = j0 - STRIP;
        if (before >= 0 && along < WARPS) {
            int left = before - from(before);
            change<WITH>(before, STRIP, from(before), left + STRIP, n - STRIP - from(before), along, 1);
        }
    }

    // A strip's columns of T, by the block's last threads, one a row.
    BASALT_DEVICE void triangleOfStrip(int j0, int width) const {
        int row = (int)threadIdx.x - ((int)blockDim.x - 64);
        if (!wanted || rank != 0 || row < 0 || row >= n) {
            return;
        }
        const T* gram = memory.gram + (j0 / STRIP & 1) * STRIP * STRIP;
        T* t = memory.triangle + row * (n + 1);
        T s[STRIP];
#pragma unroll
        for (int at = 0; at < STRIP; at++) {
            s[at] = zero<T>();
        }
#pragma unroll 2
        for (int l = row; l < j0; l++) {
            T x = t[l];
#pragma unroll
            for (int at = 0; at < STRIP; at++) {
                fma(x, conj(memory.sums[l * STRIP + at], true), s[at]);
            }
        }
        T strip[STRIP];
#pragma unroll
        for (int at = 0; at < STRIP; at++) {
            if (at < width) {
                int j = j0 + at;
                T tau = memory.factors[j];
#pragma unroll
                for (int l = 0; l < at; l++) {
                    fma(strip[l], gram[at * STRIP + l], s[at]);
                }
                strip[at] = row < j ? -(tau * s[at]) : row == j ? tau : zero<T>();
                if (row <= j) {
                    t[j] = strip[at];
                }
            }
        }
    }
};

template <typename T, int MODE, int K, bool HOLDS>
BASALT_DEVICE void qrPanel(const Args& args) {
    const int m = (int)args.m;
    const int n = (int)args.n;
    const int rank = MODE == ALONE ? 0 : blockIdx.x;
    const int blocks = MODE == ALONE ? 1 : gridDim.x;
    const int along = MODE == GRID ? WARPS : args.y;
    const int span = 32 * args.x;
    const int warp = threadIdx.x / 32;
    const int teller = rank * along + warp;
    const int tellers = MODE == CLUSTER ? blocks * along : WARPS;
    Panel<T, MODE, K, HOLDS> panel = {
            args, PanelMemory<T>(BASALT_DYNAMIC_SHARED(char), n, tellers), {}, m, n, rank, blocks, along, teller, tellers,
            span, teller * span, 0, args.b.base != 0};
    if (MODE == CLUSTER) {
        if (threadIdx.x == 0) {
            openLetters(panel.memory.letters);
            openLetters(panel.memory.letters + 1);
        }
        clusterBarrier();
    }
    // As a grid there is one launch a problem.
    const i64 only = args.y;
    i64 end = MODE == GRID ? only + 1 : args.count;
#pragma unroll 1
    for (i64 problem = MODE == GRID ? only : blockIdx.z; problem < end; problem += gridDim.z) {
        if (skips(args, problem)) {
            continue;
        }
        const Read<T> where = read<T>(args, args.c, problem, m, n);
        panel.matrix = where;
        if constexpr (MODE == GRID) {
            unsigned round = 0;
            if (args.z >= TALL_BEGUN
                && (n <= 32 ? tallPanel<T, 32>(args, where, problem, m, n, &round)
                            : tallPanel<T, 64>(args, where, problem, m, n, &round))) {
                leaveGrid(args);
                continue;
            }
            panel.round = round;
        }
        if (HOLDS) {
            panel.hold(where, false);
            panel.matrix.a = panel.template column<HELD>(0);
            panel.matrix.di = 1;
            panel.matrix.dj = panel.pitch();
            panel.matrix.turned = false;
            __syncthreads();
        }
#pragma unroll 1
        for (int j0 = 0; j0 < n; j0 += STRIP) {
            int width = (int)least(STRIP, n - j0);
            if (warp < along) {
                if (args.x > K || !panel.inRegisters(j0, width)) {
                    panel.inMemory(j0, width);
                }
            } else {
                panel.later(j0);
            }
            // The threads that make the triangle have done the strip before by now.
            __syncthreads();
            if (panel.wanted ? n > width : j0 + width < n) {
                if (panel.keeps()) {
                    panel.template applied<Panel<T, MODE, K, HOLDS>::WITH>(j0, width);
                } else if (MODE == GRID) {
                    panel.template applied<LOOSE>(j0, width);
                }
            }
            __syncthreads();
            panel.triangleOfStrip(j0, width);
        }
        __syncthreads();
        if (HOLDS) {
            panel.hold(where, true);
        }
        if (panel.wanted && rank == 0) {
            Read<T> t = triangleOf<T>(args, args.b, problem, n);
#pragma unroll 1
            for (int j = warp; j < n; j += WARPS) {
#pragma unroll 1
                for (int i = threadIdx.x % 32; i <= j; i += 32) {
                    t(i, j) = panel.memory.triangle[i * (n + 1) + j];
                }
            }
        }
        if (rank == 0) {
#pragma unroll 1
            for (int w = threadIdx.x; w < n; w += blockDim.x) {
                *factor<T>(args, problem, n, w) = panel.memory.factors[w];
            }
        }
        if (MODE == CLUSTER) {
            clusterBarrier();  // nobody leaves while letters may come
        }
        if (MODE == GRID) {
            leaveGrid(args);
        }
        __syncthreads();
    }
}

}  // namespace basalt

#endif
