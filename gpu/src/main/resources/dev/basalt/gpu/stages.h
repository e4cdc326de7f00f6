// The loop of products by tensor cores: tiles of two factors travel through several stages of shared memory, copied ahead
// asynchronously, and warps multiply what is there.
#ifndef BASALT_STAGES_H
#define BASALT_STAGES_H

#include "tile.h"

namespace basalt {

// This thread, so that the compiler cannot keep from before a loop what is cheap to find again.
BASALT_DEVICE int threadAgain() {
#if BASALT_CUDA_ARCH > 0
    int v;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(v));
    return v;
#else
    return threadIdx.x;
#endif
}
// A number of which the compiler cannot keep multiples.
BASALT_DEVICE i64 numberAgain(i64 v) {
#if BASALT_CUDA_ARCH > 0
    asm volatile("" : "+l"(v));
#endif
    return v;
}

// ---- asynchronous copies

// 16 bytes to shared memory, of which the first `bytes` are read and the others zero.
BASALT_DEVICE void copyAhead16(void* to, const void* from, int bytes) {
#if BASALT_CUDA_ARCH >= 800
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(bytes));
#else
    double* t = (double*)to;
    const double* f = (const double*)from;
    t[0] = bytes > 0 ? f[0] : 0;
    t[1] = bytes > 8 ? f[1] : 0;
#endif
}

// One element of 4, 8 or 16 bytes; zero where `bytes` is.
template <typename T>
BASALT_DEVICE void copyAhead(T* to, const T* from, int bytes) {
    if constexpr (sizeof(T) == 16) {
        copyAhead16(to, from, bytes);
    } else {
#if BASALT_CUDA_ARCH >= 800
        unsigned at = (unsigned)__cvta_generic_to_shared(to);
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(at), "l"(from), "r"(bytes), "n"(sizeof(T)));
#else
        *to = bytes > 0 ? *from : T();
#endif
    }
}

BASALT_DEVICE void endStage() {
#if BASALT_CUDA_ARCH >= 800
    asm volatile("cp.async.commit_group;");
#endif
}

template <int LEFT_OPEN>
BASALT_DEVICE void awaitStage() {
#if BASALT_CUDA_ARCH >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(LEFT_OPEN));
#endif
}

// ---- tiles

// A tile of `OUTER` rows of A or columns of B by `DEPTH` along the inner dimension, in shared memory in the order of device
// memory. Leading dimensions are such that the 16 (8 for complex) addresses that a product reads together meet no bank twice.
template <typename T, int OUTER, int DEPTH, int THREADS, bool OUTER_CONTIGUOUS>
struct Tile {
    static const int LD = OUTER_CONTIGUOUS ? OUTER + (sizeof(T) == 8 ? 4 : 2) : DEPTH + 4;
    static const int ELEMENTS = OUTER_CONTIGUOUS ? LD * DEPTH : LD * OUTER;

    static BASALT_DEVICE int index(int outer, int inner) {
        return OUTER_CONTIGUOUS ? inner * LD + outer : outer * LD + inner;
    }

    // The common case, an aligned tile that is wholly inside along the inner dimension, with as little arithmetic as can be: `from` is this thread's
    // first element of it, and is moved on to the next tile.
    static const int RUN = OUTER_CONTIGUOUS ? OUTER : DEPTH;
    static const int RUNS = OUTER_CONTIGUOUS ? DEPTH : OUTER;
    static const int EACH = 16 / sizeof(T);
    static const int STEP = THREADS * EACH / RUN;

    static BASALT_DEVICE const T* first(const T* a, i64 ld, i64 o0) {
        int r = threadIdx.x % (RUN / EACH) * EACH;
        int c = threadIdx.x / (RUN / EACH);
        return OUTER_CONTIGUOUS ? a + o0 + r + c * ld : a + r + (o0 + c) * ld;
    }
    // What of that thread's copies lies inside: bytes of each (OUTER_CONTIGUOUS), or how far the columns go.
    static BASALT_DEVICE int room(i64 outerLeft) {
        if (OUTER_CONTIGUOUS) {
            i64 left = outerLeft - threadIdx.x % (RUN / EACH) * EACH;
            return (int)(least(most(left, 0), EACH) * sizeof(T));
        }
        return (int)(least(outerLeft, OUTER) - threadIdx.x / (RUN / EACH));
    }
    static BASALT_DEVICE void follow(T* tile, const T*& from, i64 ld, int room) {
        T* to = tile + threadIdx.x / (RUN / EACH) * LD + threadIdx.x % (RUN / EACH) * EACH;
        const T* p = from;
#pragma unroll
        for (int u = 0; u < RUNS / STEP; u++) {
            copyAhead16(to + u * STEP * LD, p, OUTER_CONTIGUOUS ? room : u * STEP < room ? 16 : 0);
            p += STEP * ld;
        }
        from = OUTER_CONTIGUOUS ? p : from + DEPTH;
    }

    // Element (o, l) of the whole factor lies o + l·ld on (OUTER_CONTIGUOUS), or l + o·ld. What is outside reads as zero.
    static BASALT_DEVICE void load(T* tile, const T* a, i64 ld, i64 o0, i64 outerEnd, i64 l0, i64 innerEnd, bool aligned) {
        i64 run0 = OUTER_CONTIGUOUS ? o0 : l0;
        i64 runEnd = OUTER_CONTIGUOUS ? outerEnd : innerEnd;
        i64 column0 = OUTER_CONTIGUOUS ? l0 : o0;
        i64 columnEnd = OUTER_CONTIGUOUS ? innerEnd : outerEnd;
        if (aligned) {
            for (int e = threadIdx.x; e < RUN / EACH * RUNS; e += THREADS) {
                int r = e % (RUN / EACH) * EACH;
                int c = e / (RUN / EACH);
                i64 left = column0 + c < columnEnd ? runEnd - run0 - r : 0;
                int bytes = left <= 0 ? 0 : left < EACH ? (int)sizeof(T) : 16;
                const T* from = bytes > 0 ? a + run0 + r + (column0 + c) * ld : a;
                copyAhead16(tile + c * LD + r, from, bytes);
            }
        } else {
            for (int e = threadIdx.x; e < RUN * RUNS; e += THREADS) {
                int r = e % RUN;
                int c = e / RUN;
                bool inside = column0 + c < columnEnd && run0 + r < runEnd;
                copyAhead(tile + c * LD + r, inside ? a + run0 + r + (column0 + c) * ld : a, inside ? (int)sizeof(T) : 0);
            }
        }
    }
};

// What a warp keeps of its part of C, in 16×8 pieces: one set of four numbers a lane and piece, two for complex.
template <typename T>
struct Piece {
    double c[4];
    BASALT_DEVICE T get(int i) const { return c[i]; }
};
template <>
struct Piece<Complex<double>> {
    double c[8];
    BASALT_DEVICE Complex<double> get(int i) const {
        Complex<double> z;
        z.re = c[i];
        z.im = c[4 + i];
        return z;
    }
};

// The inner dimension of a product of pieces. Complex fragments of four fit the registers twice, so that they are read ahead.
template <typename T>
constexpr int INNER_OF = sizeof(T) == 16 ? 4 : INNER;

template <typename T>
struct Fragment {
    double a[INNER / 2];
    BASALT_DEVICE void set(int i, double v, bool) { a[i] = v; }
};
template <>
struct Fragment<Complex<double>> {
    static const int DEPTH = INNER_OF<Complex<double>>;
    double a[DEPTH / 2], imaginary[DEPTH / 2];
    BASALT_DEVICE void set(int i, Complex<double> v, bool conjugated) {
        a[i] = v.re;
        imaginary[i] = conjugated ? -v.im : v.im;
    }
};

BASALT_DEVICE void multiply(Piece<double>& c, const Fragment<double>& a, const Fragment<double>& b) {
    warpProduct(c.c, a.a, b.a);
}
BASALT_DEVICE void multiply(
        Piece<Complex<double>>& c, const Fragment<Complex<double>>& a, const Fragment<Complex<double>>& b) {
    const int DEPTH = INNER_OF<Complex<double>>;
    double minus[DEPTH / 4];
#pragma unroll
    for (int i = 0; i < DEPTH / 4; i++) {
        minus[i] = -b.imaginary[i];
    }
    warpProduct<DEPTH>(c.c, a.a, b.a);
    warpProduct<DEPTH>(c.c + 4, a.a, b.imaginary);
    warpProduct<DEPTH>(c.c, a.imaginary, minus);
    warpProduct<DEPTH>(c.c + 4, a.imaginary, b.a);
}

// What a product is of: two matrices; where a triangle of C is wanted, one and itself transposed, two, or two and then both in each
// other's place; or a triangular matrix on one side.
enum { WHOLE, PART, PART_OF_TWO, PART_OF_BOTH, LEFT_TRIANGLE, RIGHT_TRIANGLE };

// Which elements of a triangular factor count: element (outer, inner), counted from the lane's first row or column and the lane's
// first inner index, `diagonal` being how much further outwards than inwards the lane begins.
struct Mask {
    int diagonal;
    bool inwards, unit;  // inwards: those at or before the diagonal along the inner dimension

    template <typename T>
    BASALT_DEVICE T of(T v, int outer, int inner) const {
        int beyond = inner - outer - diagonal;
        return beyond == 0 ? (unit ? one<T>() : v) : (beyond < 0) == inwards ? v : zero<T>();
    }
};

// What a warp multiplies at a time: INNER_OF columns of its rows of op(A), and of op(B) its columns.
template <typename T, typename TileA, typename TileB, int PIECES_M, int PIECES_N>
struct Fragments {
    Fragment<T> a[PIECES_M];
    Fragment<T> b[PIECES_N];

    // MASKED: the factor that is triangular, or neither (WHOLE).
    template <int MASKED>
    BASALT_DEVICE void load(int atA, int atB, int l, bool conjA, bool conjB, const Mask& mask) {
        // Named here again so that the compiler sees where these loads go: generic ones are slower.
        const T* ta = BASALT_DYNAMIC_SHARED(T) + atA;
        const T* tb = BASALT_DYNAMIC_SHARED(T) + atB;
#pragma unroll
        for (int u = 0; u < PIECES_M; u++) {
#pragma unroll
            for (int w = 0; w < INNER_OF<T> / 2; w++) {
                T x = ta[TileA::index(u * 16 + w % 2 * 8, l + w / 2 * 4)];
                a[u].set(w, MASKED == LEFT_TRIANGLE ? mask.of(x, u * 16 + w % 2 * 8, l + w / 2 * 4) : x, conjA);
            }
        }
#pragma unroll
        for (int v = 0; v < PIECES_N; v++) {
#pragma unroll
            for (int w = 0; w < INNER_OF<T> / 4; w++) {
                T x = tb[TileB::index(v * 8, l + w * 4)];
                b[v].set(w, MASKED == RIGHT_TRIANGLE ? mask.of(x, v * 8, l + w * 4) : x, conjB);
            }
        }
    }

    BASALT_DEVICE void addTo(Piece<T> (&c)[PIECES_M][PIECES_N]) const {
#pragma unroll
        for (int u = 0; u < PIECES_M; u++) {
#pragma unroll
            for (int v = 0; v < PIECES_N; v++) {
                multiply(c[u][v], a[u], b[v]);
            }
        }
    }
};

// Stages on their way and the products of those that are there.
template <typename T, typename TileA, typename TileB, int DEPTH, int STAGES, int PIECES_M, int PIECES_N, int FORM>
struct Pipeline {
    static const int STAGE = TileA::ELEMENTS + TileB::ELEMENTS;
    static const int PRODUCTS = DEPTH / INNER_OF<T>;
    // With registers enough, fragments are read one product ahead, across the border of stages too.
    static const bool AHEAD = PRODUCTS > 1;

    const T* a;
    const T* b;
    const T* fromA;
    const T* fromB;
    i64 lda, ldb, i0, j0, m, n, k;
    int roomA, roomB, whole, steps;
    int half;  // PART_OF_BOTH: the steps of each product
    int cornerA, cornerB;  // of this lane in a stage
    int now, next;
    bool alignedA, alignedB, conjA, conjB;
    Mask mask;  // as at stage 0
    Fragments<T, TileA, TileB, PIECES_M, PIECES_N> f[AHEAD ? 2 : 1];

    BASALT_DEVICE void follow(T* to) {
        TileA::follow(to, fromA, lda, roomA);
        TileB::follow(to + TileA::ELEMENTS, fromB, ldb, roomB);
    }
    // Once for each s, one after the other.
    BASALT_DEVICE void bring(T* to, int s) {
        if (FORM == PART_OF_BOTH && s == half) {
            exchange();
        }
        int t = FORM == PART_OF_BOTH && s >= half ? s - half : s;
        if (t < whole && (FORM != PART_OF_BOTH || s < steps)) {
            follow(to);
        } else if (s < steps) {
            TileA::load(to, a, lda, i0, m, (i64)t * DEPTH, k, alignedA);
            TileB::load(to + TileA::ELEMENTS, b, ldb, j0, n, (i64)t * DEPTH, k, alignedB);
        }
    }
    // A and B change places.
    BASALT_DEVICE void exchange() {
        const T* p = a;
        a = b;
        b = p;
        i64 ld = lda;
        lda = ldb;
        ldb = ld;
        bool aligned = alignedA;
        alignedA = alignedB;
        alignedB = aligned;
        fromA = TileA::first(a, lda, i0);
        fromB = TileB::first(b, ldb, j0);
    }
    BASALT_DEVICE void await() {
        awaitStage<STAGES - 2>();
        __syncthreads();
    }
    // From buffer `stage`, which has stage s.
    template <int MASKED>
    BASALT_DEVICE void read(int which, int stage, int l, int s) {
        Mask here = mask;
        here.diagonal -= s * DEPTH;
        f[which].template load<MASKED>(cornerA + stage * STAGE, cornerB + stage * STAGE, l, conjA, conjB, here);
    }

    BASALT_DEVICE void start(T* shared) {
        for (int s = 0; s < STAGES - 1; s++) {
            bring(shared + s * STAGE, s);
            endStage();
        }
        now = 0;
        next = STAGES - 1;
        if (AHEAD) {
            await();
            read<FORM>(0, 0, 0, 0);
        }
    }

    // Products of stage s. STEADY: what is brought meanwhile is known to be wholly inside, and nothing is to be masked.
    template <bool STEADY>
    BASALT_DEVICE void step(T* shared, int s, Piece<T> (&c)[PIECES_M][PIECES_N]) {
        const int MASKED = STEADY ? WHOLE : FORM;
        if (!AHEAD) {
            await();
        }
        if (STEADY) {
            follow(shared + next * STAGE);
        } else {
            bring(shared + next * STAGE, s + STAGES - 1);
        }
        endStage();
        int following = now + 1 == STAGES ? 0 : now + 1;
#pragma unroll
        for (int p = 0; p < PRODUCTS; p++) {
            if (!AHEAD) {
                read<MASKED>(0, now, p * INNER_OF<T>, s);
            } else if (p + 1 < PRODUCTS) {
                read<MASKED>((p + 1) % 2, now, (p + 1) * INNER_OF<T>, s);
            } else {
                await();
                read<MASKED>((p + 1) % 2, following, 0, s + 1);  // behind the last stage nobody multiplies what was read
            }
            f[AHEAD ? p % 2 : 0].addTo(c);
        }
        now = following;
        next = next + 1 == STAGES ? 0 : next + 1;
    }
};

}  // namespace basalt

#endif
