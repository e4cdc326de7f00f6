// Products of doubles by products of 8-bit integers: what makes integers of doubles, and doubles of the remainders of sums.
#include "basalt.h"
#include "moduli.h"

namespace basalt {

static const int NO_EXPONENT = -(1 << 20);
static const int NOT_FINITE = 0x7ff;
static const int EXPONENT_BIAS = 1022;  // from the field to the least power of two above the number
static const int DOUBLE_BITS = 53;
static const int ROUGH_BITS = 7;
static const int RUN = 16;  // neighbouring terms that are looked at, or left out
static const int COUNT = 15;
static const int WORD = 4;   // remainders that a thread writes together
static const int AHEAD = 4;  // loads before the first use
typedef signed char i8;

// Of a magnitude's bits, without what lies below the exponent but whether there is anything.
BASALT_DEVICE unsigned exponentBits(double x) {
    union {
        double number;
        u64 bits;
    } v;
    v.number = x;
    u64 bits = v.bits & 0x7fffffffffffffffull;
    return (unsigned)(bits >> 52) << 1 | (bits != 0 ? 1 : 0);
}

BASALT_DEVICE void noteExponent(const Args& args, i64 problem, i64 line, unsigned most) {
    at<int>(args.d, problem)[line] = most == 0 ? NO_EXPONENT : (int)(most >> 1) - EXPONENT_BIAS;
    if (most >> 1 == NOT_FINITE) {
        // Whoever finds one writes the same.
        *at<int>(args.e, problem) = 1;
    }
}

// Columns of a: a warp has one. Rows: a block has 32, a lane one, and its warps share the columns.
BASALT_DEVICE void exponents(const Args& args) {
    __shared__ unsigned found[8][32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    bool columns = args.opA == NONE;
    i64 line = columns ? (i64)blockIdx.x * warps + warp : (i64)blockIdx.x * 32 + lane;
    i64 step = columns ? 1 : args.a.ld;
    i64 together = columns ? 32 : warps;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const double* a = at<double>(args.a, problem) + (columns ? line * args.a.ld : line);
        unsigned most = 0;
        if (line < args.n) {
            for (i64 i = columns ? lane : warp; i < args.m; i += AHEAD * together) {
                double x[AHEAD];
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    x[u] = i + u * together < args.m ? a[(i + u * together) * step] : 0;
                }
#pragma unroll
                for (int u = 0; u < AHEAD; u++) {
                    unsigned own = exponentBits(x[u]);
                    most = own > most ? own : most;
                }
            }
        }
        if (columns) {
            most = warpMost(most);
            if (lane == 0 && line < args.n) {
                noteExponent(args, problem, line, most);
            }
        } else {
            __syncthreads();
            found[warp][lane] = most;
            __syncthreads();
            if (warp == 0 && line < args.n) {
                for (int w = 1; w < warps; w++) {
                    most = found[w][lane] > most ? found[w][lane] : most;
                }
                noteExponent(args, problem, line, most);
            }
        }
    }
}

BASALT_DEVICE double powerOfTwo(int exponent) { return fromBits((u64)(1023 + exponent) << 52); }

// The remainder of division of 256^power by a number, between minus and plus one half of it.
BASALT_DEVICE constexpr int remainderOfPower(int number, int power) {
    int rest = 1;
    for (int i = 0; i < power; i++) {
        rest = rest * 256 % number;
    }
    return 2 * rest >= number ? rest - number : rest;
}

// Four of them, as bytes.
BASALT_DEVICE constexpr int remaindersOfPowers(int number, int from) {
    unsigned all = 0;
    for (int i = 0; i < 4; i++) {
        all |= ((unsigned)remainderOfPower(number, from + i) & 255) << (8 * i);
    }
    return (int)all;
}

BASALT_DEVICE int dot4(int a, int b, int c) {
#if BASALT_CUDA_ARCH > 0
    return __dp4a(a, b, c);
#else
    for (int i = 0; i < 4; i++) {
        c += (i8)(a >> (8 * i)) * (i8)(b >> (8 * i));
    }
    return c;
#endif
}

BASALT_DEVICE float floatOf(int bits) {
    union {
        int bits;
        float number;
    } v;
    v.bits = bits;
    return v.number;
}

BASALT_DEVICE int bitsOf(float number) {
    union {
        float number;
        int bits;
    } v;
    v.number = number;
    return v.bits;
}

// Remainder of division of a sum of up to 21 bits, in the lowest byte. Above 1.5 times 2^23 floats are integers, and their last bits those of the number.
BASALT_DEVICE int remainder(int sum, float number) {
    const float INTEGERS = 12582912.0f;
    float value = floatOf(sum + bitsOf(INTEGERS)) - INTEGERS;
    float turns = ::fmaf(value, 1 / number, INTEGERS) - INTEGERS;
    return bitsOf(::fmaf(-turns, number, value) + INTEGERS);
}

// The lowest bytes of four words.
BASALT_DEVICE unsigned lowest(const int (&v)[WORD]) {
#if BASALT_CUDA_ARCH > 0
    return __byte_perm(__byte_perm(v[0], v[1], 0x40), __byte_perm(v[2], v[3], 0x40), 0x5410);
#else
    return (v[0] & 255) | (v[1] & 255) << 8 | (v[2] & 255) << 16 | (unsigned)(v[3] & 255) << 24;
#endif
}

// What a load or a store has of WORD neighbours: 16 bytes at most.
template <typename T>
struct alignas(sizeof(T) < 8 ? WORD * sizeof(T) : 16) Whole {
    static const int PARTS = sizeof(T) < 8 ? WORD : 16 / (int)sizeof(T);
    T part[PARTS];
};

template <typename T>
BASALT_DEVICE bool aligned(const T* a, i64 ld) {
    return (((u64)a | (u64)ld * sizeof(T)) & (sizeof(Whole<T>) - 1)) == 0;
}

// WORD neighbours, those beyond the last row zero.
template <typename T>
BASALT_DEVICE void readWord(T (&v)[WORD], const T* from, bool together, i64 rows) {
    if (together && rows >= WORD) {
#pragma unroll
        for (int u = 0; u < WORD; u += Whole<T>::PARTS) {
            Whole<T> whole = *(const Whole<T>*)(from + u);
#pragma unroll
            for (int w = 0; w < Whole<T>::PARTS; w++) {
                v[u + w] = whole.part[w];
            }
        }
        return;
    }
#pragma unroll
    for (int u = 0; u < WORD; u++) {
        v[u] = u < rows ? from[u] : T(0);
    }
}

BASALT_DEVICE void writeWord(i8* to, unsigned word, bool together, i64 rows) {
    if (together && rows >= WORD) {
        *(unsigned*)to = word;
        return;
    }
#pragma unroll
    for (int u = 0; u < WORD; u++) {
        if (u < rows) {
            to[u] = (i8)(word >> (8 * u));
        }
    }
}

// Elements of a line as integers: each the sum of bytes from -128 to 127 times powers of 256.
struct Integers {
    int low[WORD];
    int high[WORD];

    BASALT_DEVICE void set(int u, double integer) {
        const u64 HALVES = 0x0080808080808080ull;
        u64 bits = ((u64)(i64)integer + HALVES) ^ HALVES;
        low[u] = (int)bits;
        // The eighth byte is zero: less than 2^55 became more than nothing.
        high[u] = (int)(bits >> 32);
    }

    BASALT_DEVICE unsigned remainders(int lowPowers, int highPowers, float number) const {
        int rest[WORD];
#pragma unroll
        for (int u = 0; u < WORD; u++) {
            rest[u] = remainder(dot4(high[u], highPowers, dot4(low[u], lowPowers, 0)), number);
        }
        return lowest(rest);
    }
};

// A thread has WORD elements of a line. Lines that are columns: a warp's lanes have a line's words side by side. Rows: its lanes have neighbouring lines
// and the block's warps neighbouring words, and the words are turned in shared memory, so that both what is read and what is written are whole pieces of
// memory.
BASALT_DEVICE void residues(const Args& args) {
    const int LANES = 32;
    const int WARPS = 8;  // as launches.txt has it
    const int PITCH = WARPS + 1;
    __shared__ unsigned turned[COUNT][LANES * PITCH];
    int lane = threadIdx.x % LANES;
    int warp = threadIdx.x / LANES;
    bool columns = args.opA == NONE;
    bool looks = args.p == 0;
    i64 rows = args.x;  // of c
    i64 line = columns ? (i64)blockIdx.x * WARPS + warp : (i64)blockIdx.x * LANES + lane;
    i64 words = columns ? LANES : WARPS;
    i64 step = columns ? 1 : args.a.ld;
    int count = looks ? 1 : COUNT;
    bool inside = line < args.n;
    // Where the thread writes words of rows.
    int ownLine = threadIdx.x / WARPS;
    int ownWord = threadIdx.x % WARPS;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const double* a = at<double>(args.a, problem) + (columns ? line * args.a.ld : line);
        i8* c = at<i8>(args.c, problem);
        bool together = (((u64)c | (u64)args.c.ld) & (WORD - 1)) == 0;
        bool paired = aligned(a, args.a.ld);
        i64 apart = args.k * args.c.ld;
        int exponent = inside ? at<int>(args.d, problem)[line] : NO_EXPONENT;
        int up = exponent == NO_EXPONENT ? 0 : (looks ? ROUGH_BITS : (int)args.p) - exponent;
        // One factor might be beyond the range.
        double factor = powerOfTwo(up >> 1);
        double second = powerOfTwo(up - (up >> 1));
        for (i64 from = (i64)blockIdx.y * words * WORD; from < rows; from += (i64)gridDim.y * words * WORD) {
            i64 l = from + (columns ? lane : warp) * WORD;
            i64 first = looks ? l / RUN * RUN * args.q + l % RUN : l;
            double x[WORD];
            i64 left = inside ? args.m - first : 0;
            if (columns) {
                readWord(x, a + first, paired, left);
            } else {
#pragma unroll
                for (int u = 0; u < WORD; u++) {
                    x[u] = u < left ? a[(first + u) * step] : 0;
                }
            }
            i8* to = c + line * args.c.ld + l;
            if (looks) {
                int parts[WORD];
#pragma unroll
                for (int u = 0; u < WORD; u++) {
                    double magnitude = fabs(x[u] * factor * second);
                    parts[u] = magnitude < 128 ? (int)magnitude : 127;
                }
                unsigned word = lowest(parts);
                if (!columns) {
                    turned[0][lane * PITCH + warp] = word;
                } else if (inside) {
                    writeWord(to, word, together, rows - l);
                }
            } else {
                Integers integers;
#pragma unroll
                for (int u = 0; u < WORD; u++) {
                    double integer = rint(x[u] * factor * second);
                    integers.set(u, fabs(integer) <= 9007199254740992.0 ? integer : 0);
                }
#define ONE_NUMBER(t, number, large, medium, small)                                                                      \
    {                                                                                                                    \
        constexpr int LOW = remaindersOfPowers(number, 0);                                                               \
        constexpr int HIGH = remaindersOfPowers(number, 4);                                                              \
        unsigned word = integers.remainders(LOW, HIGH, number);                                                          \
        if (!columns) {                                                                                                  \
            turned[t][lane * PITCH + warp] = word;                                                                       \
        } else if (inside) {                                                                                             \
            writeWord(to + t * apart, word, together, rows - l);                                                         \
        }                                                                                                                \
    }
                BASALT_MODULI(ONE_NUMBER)
#undef ONE_NUMBER
            }
            if (!columns) {
                __syncthreads();
                i64 other = (i64)blockIdx.x * LANES + ownLine;
                i64 word = from + ownWord * WORD;
                for (int t = 0; t < count && other < args.n; t++) {
                    writeWord(c + other * args.c.ld + word + t * apart, turned[t][ownLine * PITCH + ownWord], together, rows - word);
                }
                __syncthreads();
            }
        }
    }
}

// A block is args.x threads down a column, STEP rows each, by blockDim / args.x columns; blocks in y walk over the columns.
#define BASALT_EACH_ELEMENT(i, j, STEP)                                                                     \
    for (i64 j = (i64)blockIdx.y * (blockDim.x / args.x) + threadIdx.x / args.x; j < args.n;                \
         j += (i64)gridDim.y * (blockDim.x / args.x))                                                       \
        for (i64 i = ((i64)blockIdx.x * args.x + threadIdx.x % args.x) * STEP; i < args.m; i += (i64)gridDim.x * args.x * STEP)

BASALT_DEVICE void modulo(const Args& args) {
    float number = (float)args.p;
    int powers = (int)args.y;  // remainders of powers of 256
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const int* a = at<int>(args.a, problem);
        i8* c = at<i8>(args.c, problem);
        bool read = aligned(a, args.a.ld);
        bool write = aligned(c, args.c.ld);
        BASALT_EACH_ELEMENT(i, j, WORD) {
            int v[WORD];
            readWord(v, a + i + j * args.a.ld, read, args.m - i);
#pragma unroll
            for (int u = 0; u < WORD; u++) {
                // Bytes from -128 to 127, whose sum may be more than the integer by 2^32 where that is beyond all sums of products.
                v[u] = remainder(dot4((int)(((unsigned)v[u] + 0x80808080u) ^ 0x80808080u), powers, 0), number);
            }
            writeWord(c + i + j * args.c.ld, lowest(v), write, args.m - i);
        }
    }
}

BASALT_DEVICE void faint(const Args& args) {
    int least = 1 << (2 * ROUGH_BITS + DOUBLE_BITS - (int)args.p);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const int* a = at<int>(args.a, problem);
        const int* rows = at<int>(args.d, problem);
        const int* columns = at<int>(args.b, problem);
        bool read = aligned(a, args.a.ld);
        bool any = false;
        BASALT_EACH_ELEMENT(i, j, WORD) {
            int v[WORD];
            readWord(v, a + i + j * args.a.ld, read, args.m - i);
            bool zeros = columns[j] == NO_EXPONENT;
#pragma unroll
            for (int u = 0; u < WORD; u++) {
                any |= i + u < args.m && v[u] < least && !zeros && rows[i + u] != NO_EXPONENT;
            }
        }
        if (any) {
            // Whoever finds one writes the same.
            *at<int>(args.e, problem) = 1;
        }
    }
}

// Integers with some remainders, each rounded once. All sums of parts are exact.
BASALT_DEVICE void integersOf(double (&sums)[WORD], const i8* at, i64 apart, bool together, i64 rows) {
    // Above 2^52 doubles are integers, and their last bits those of the number.
    const u64 INTEGERS = 0x4330000000000000ull;
    unsigned words[COUNT];
    if (together && rows >= WORD) {
#pragma unroll
        for (int t = 0; t < COUNT; t++) {
            words[t] = *(const unsigned*)(at + t * apart);
        }
    } else {
#pragma unroll
        for (int t = 0; t < COUNT; t++) {
            words[t] = 0;
#pragma unroll
            for (int u = 0; u < WORD; u++) {
                words[t] |= u < rows ? (unsigned)(at[t * apart + u] & 255) << (8 * u) : 0;
            }
        }
    }
    double large[WORD] = {}, medium[WORD] = {}, small[WORD] = {};
#define ONE_NUMBER(t, number, l, m, s)                                                                          \
    for (int u = 0; u < WORD; u++) {                                                                            \
        unsigned rest = (words[t] ^ 0x80808080u) >> (8 * u) & 255; /* and 128 */                                \
        double r = fromBits(INTEGERS | rest) - (4503599627370496.0 + 128);                                      \
        large[u] = ::fma(r, l, large[u]);                                                                       \
        medium[u] = ::fma(r, m, medium[u]);                                                                     \
        small[u] = ::fma(r, s, small[u]);                                                                       \
    }
    BASALT_MODULI(ONE_NUMBER)
#undef ONE_NUMBER
#define ALL_NUMBERS(l, m, s)                            \
    for (int u = 0; u < WORD; u++) {                    \
        double turns = rint(large[u] * (1 / l));        \
        large[u] = ::fma(-turns, l, large[u]);          \
        medium[u] = ::fma(-turns, m, medium[u]);        \
        small[u] = ::fma(-turns, s, small[u]);          \
        double sum = large[u] + medium[u];              \
        double part = sum - large[u];                   \
        double lost = large[u] - (sum - part) + (medium[u] - part); \
        sums[u] = sum + (lost + small[u]);              \
    }
    BASALT_PRODUCT_OF_MODULI(ALL_NUMBERS)
#undef ALL_NUMBERS
}

// x times 2 to the power of e. An integer of up to 117 bits stays in the range of normal numbers below 900.
BASALT_DEVICE double scaled(double x, int e) { return e > -900 && e < 900 ? x * powerOfTwo(e) : scalbn(x, e); }

BASALT_DEVICE void reconstruct(const Args& args) {
    double alpha = value<double>(args.alpha);
    double beta = value<double>(args.beta);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const i8* a = at<i8>(args.a, problem);
        const int* rows = at<int>(args.d, problem);
        const int* columns = at<int>(args.b, problem);
        double* c = at<double>(args.c, problem);
        bool read = aligned(a, args.a.ld);
        bool exchange = aligned(c, args.c.ld);
        BASALT_EACH_ELEMENT(i, j, WORD) {
            i64 left = args.m - i;
            double sums[WORD] = {};
            if (alpha != 0) {
                integersOf(sums, a + i + j * args.a.ld, args.k * args.a.ld, read, left);
                int column = columns[j] - 2 * (int)args.p;
#pragma unroll
                for (int u = 0; u < WORD; u++) {
                    sums[u] = u < left ? alpha * scaled(sums[u], rows[i + u] + column) : 0;
                }
            }
            double* to = c + i + j * args.c.ld;
            if (beta != 0) {
                double old[WORD];
                readWord(old, (const double*)to, exchange, left);
#pragma unroll
                for (int u = 0; u < WORD; u++) {
                    sums[u] = ::fma(beta, old[u], sums[u]);
                }
            }
            if (exchange && left >= WORD) {
#pragma unroll
                for (int u = 0; u < WORD; u += 2) {
                    Whole<double> pair = {{sums[u], sums[u + 1]}};
                    *(Whole<double>*)(to + u) = pair;
                }
            } else {
#pragma unroll
                for (int u = 0; u < WORD; u++) {
                    if (u < left) {
                        to[u] = sums[u];
                    }
                }
            }
        }
    }
}

}  // namespace basalt

#if defined(BASALT_TYPE_D)
BASALT_KERNEL(basalt_exponents_d) { basalt::exponents(args); }
BASALT_KERNEL(basalt_residues_d) { basalt::residues(args); }
BASALT_KERNEL(basalt_modulo_d) { basalt::modulo(args); }
BASALT_KERNEL(basalt_faint_d) { basalt::faint(args); }
BASALT_KERNEL(basalt_reconstruct_d) { basalt::reconstruct(args); }
#endif
