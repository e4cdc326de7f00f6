// Products of doubles by products of 8-bit integers: what makes integers of doubles, and doubles of the remainders of sums.
#include "basalt.h"
#include "moduli.h"

namespace basalt {

static const int NO_EXPONENT = -(1 << 20);
static const int NOT_FINITE = 0x7ff;
static const int EXPONENT_BIAS = 1022;  // from the field to the least power of two above the number
static const int INTEGER_BITS = 53;
static const int ROUGH_BITS = 7;
static const int WORD = 4;  // remainders that a thread writes together
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
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const double* a = at<double>(args.a, problem) + (columns ? line * args.a.ld : line);
        i64 step = columns ? 1 : args.a.ld;
        unsigned most = 0;
        if (line < args.n) {
            for (i64 i = columns ? lane : warp; i < args.m; i += columns ? 32 : warps) {
                unsigned own = exponentBits(a[i * step]);
                most = own > most ? own : most;
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

BASALT_DEVICE double powerOfTwo(int exponent) {
    union {
        u64 bits;
        double number;
    } v;
    v.bits = (u64)(1023 + exponent) << 52;
    return v.number;
}

BASALT_DEVICE i8 remainder(double integer, double number) {
    double inverse = 1 / number;
    // The first quotient is that of a number of 53 bits, and may be off by one.
    double rest = ::fma(-rint(integer * inverse), number, integer);
    return (i8)(int)::fma(-rint(rest * inverse), number, rest);
}

BASALT_DEVICE i8 rough(double x) {
    double magnitude = fabs(x);
    return (i8)(magnitude < 128 ? (int)magnitude : 127);
}

union Word {
    i8 part[WORD];
    unsigned whole;
};

BASALT_DEVICE void writeWord(i8* to, const Word& word, bool together, i64 rows) {
    if (together && rows >= WORD) {
        *(unsigned*)to = word.whole;
        return;
    }
#pragma unroll
    for (int u = 0; u < WORD; u++) {
        if (u < rows) {
            to[u] = word.part[u];
        }
    }
}

// A thread has WORD elements of a line. Lines that are columns: a warp's lanes have a line's words side by side; rows: its lanes have neighbouring lines,
// and the block's warps neighbouring words, so that both what is read and what is written are whole pieces of memory.
BASALT_DEVICE void residues(const Args& args) {
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    bool columns = args.opA == NONE;
    i64 rows = args.x;  // of c
    i64 line = columns ? (i64)blockIdx.x * warps + warp : (i64)blockIdx.x * 32 + lane;
    i64 first = ((i64)blockIdx.y * (columns ? 32 : warps) + (columns ? lane : warp)) * WORD;
    i64 stride = (i64)gridDim.y * (columns ? 32 : warps) * WORD;
    int count = (int)args.q;
    if (line >= args.n) {
        return;
    }
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const double* a = at<double>(args.a, problem) + (columns ? line * args.a.ld : line);
        i64 step = columns ? 1 : args.a.ld;
        i8* c = at<i8>(args.c, problem) + line * args.c.ld;
        bool together = (((u64)c | (u64)args.c.ld) & (WORD - 1)) == 0;
        i64 apart = args.k * args.c.ld;
        int exponent = at<int>(args.d, problem)[line];
        int up = exponent == NO_EXPONENT ? 0 : (count == 0 ? ROUGH_BITS : INTEGER_BITS) - exponent;
        // One factor might be beyond the range.
        double factor = powerOfTwo(up >> 1);
        double second = powerOfTwo(up - (up >> 1));
        int sum = 0;
        for (i64 l = first; l < rows; l += stride) {
            double x[WORD];
#pragma unroll
            for (int u = 0; u < WORD; u++) {
                x[u] = l + u < args.m ? a[(l + u) * step] : 0;
            }
            Word word;
            if (count == 0) {
#pragma unroll
                for (int u = 0; u < WORD; u++) {
                    double scaled = x[u] * factor * second;
                    word.part[u] = rough(scaled);
                    sum += scaled == 0 ? 0 : word.part[u] + 1;
                }
                writeWord(c + l, word, together, rows - l);
                continue;
            }
#pragma unroll
            for (int u = 0; u < WORD; u++) {
                double integer = rint(x[u] * factor * second);
                x[u] = fabs(integer) <= 9007199254740992.0 ? integer : 0;
            }
#define ONE_NUMBER(t, number, large, medium, small)            \
    if (t < count) {                                           \
        for (int u = 0; u < WORD; u++) {                       \
            word.part[u] = remainder(x[u], number);            \
        }                                                      \
        writeWord(c + l + t * apart, word, together, rows - l); \
    }
            BASALT_MODULI_16(ONE_NUMBER)
#undef ONE_NUMBER
        }
        // Integers: their sum is the same in any order.
        if (sum != 0 && args.b.base != 0) {
            atomicAdd(at<unsigned>(args.b, problem) + line, (unsigned)sum);
        }
    }
}

// A block is args.x threads down a column by blockDim / args.x columns; blocks in y walk over the columns.
#define BASALT_EACH_ELEMENT(i, j)                                                                                          \
    for (i64 j = (i64)blockIdx.y * (blockDim.x / args.x) + threadIdx.x / args.x; j < args.n;                                \
         j += (i64)gridDim.y * (blockDim.x / args.x))                                                                      \
        for (i64 i = (i64)blockIdx.x * args.x + threadIdx.x % args.x; i < args.m; i += (i64)gridDim.x * args.x)

// args.y: 2³² over the number.
BASALT_DEVICE void modulo(const Args& args) {
    int number = (int)args.p;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const int* a = at<int>(args.a, problem);
        i8* c = at<i8>(args.c, problem);
        BASALT_EACH_ELEMENT(i, j) {
            int v = a[i + j * args.a.ld];
            int rest = v - (int)((i64)v * args.y >> 32) * number;
            c[i + j * args.c.ld] = (i8)(2 * rest >= number ? rest - number : rest);
        }
    }
}

BASALT_DEVICE void faint(const Args& args) {
    const i64 size = 1 << (ROUGH_BITS - 1);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const int* a = at<int>(args.a, problem);
        const int* rows = at<int>(args.d, problem);
        const int* columns = at<int>(args.b, problem);
        bool any = false;
        BASALT_EACH_ELEMENT(i, j) {
            int row = rows[i];
            int column = columns[j];
            any |= row != 0 && column != 0 && args.k * a[i + j * args.a.ld] < size * (row + column);
        }
        if (any) {
            // Whoever finds one writes the same.
            *at<int>(args.e, problem) = 1;
        }
    }
}

// The integer with some remainders, rounded once. All sums of parts are exact.
BASALT_DEVICE double integerOf(const i8* at, i64 apart, bool fewer) {
    double large = 0, medium = 0, small = 0;
#define ONE_NUMBER(t, number, l, m, s)    \
    {                                     \
        double rest = at[t * apart];      \
        large += rest * l;                \
        medium += rest * m;               \
        small += rest * s;                \
    }
#define ALL_NUMBERS(l, m, s)                        \
    {                                               \
        double turns = rint(large * (1 / l));       \
        large -= turns * l;                         \
        medium -= turns * m;                        \
        small -= turns * s;                         \
    }
    if (fewer) {
        BASALT_MODULI_15(ONE_NUMBER)
        BASALT_PRODUCT_15(ALL_NUMBERS)
    } else {
        BASALT_MODULI_16(ONE_NUMBER)
        BASALT_PRODUCT_16(ALL_NUMBERS)
    }
#undef ONE_NUMBER
#undef ALL_NUMBERS
    double sum = large + medium;
    double part = sum - large;
    double lost = large - (sum - part) + (medium - part);
    return sum + (lost + small);
}

BASALT_DEVICE void reconstruct(const Args& args) {
    double alpha = value<double>(args.alpha);
    double beta = value<double>(args.beta);
    bool fewer = args.p == 15;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const i8* a = at<i8>(args.a, problem);
        const int* rows = at<int>(args.d, problem);
        const int* columns = at<int>(args.b, problem);
        double* c = at<double>(args.c, problem);
        BASALT_EACH_ELEMENT(i, j) {
            double sum = 0;
            if (alpha != 0) {
                sum = integerOf(a + i + j * args.a.ld, args.k * args.a.ld, fewer);
                sum = alpha * scalbn(sum, rows[i] + columns[j] - 2 * INTEGER_BITS);
            }
            double* to = c + i + j * args.c.ld;
            *to = beta == 0 ? sum : ::fma(beta, *to, sum);
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
