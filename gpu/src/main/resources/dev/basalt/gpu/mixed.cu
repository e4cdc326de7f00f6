// Kernels whose operands have other types than the computation: elements are converted as they are read, exactly, and rounded once
// where they are written.
#include "mixed.h"
BASALT_CAPPED_TOO

namespace basalt {

// ---- vectors

enum { AXPY, SCAL, ROT };

template <int OP, typename R>
BASALT_DEVICE void combine(R alpha, R beta, R& x, R& y) {
    R old = x;
    if (OP == AXPY) {
        y = alpha * x + y;
    } else if (OP == SCAL) {
        y = alpha * y;
    } else {
        x = alpha * old + beta * y;
        y = alpha * y - beta * old;
    }
}

template <int OP, typename R, int TYPE>
BASALT_DEVICE void walk(const Args& args, i64 problem, R alpha, R beta) {
    char* x = OP == SCAL ? 0 : at<char>(args.a, problem);
    char* y = at<char>(args.c, problem);
    int tx = typeA(args);
    int ty = typeC(args);
    i64 incx = OP == SCAL ? 0 : args.a.ld;
    i64 incy = args.c.ld;
    i64 first = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    i64 step = (i64)gridDim.x * blockDim.x;
    i64 done = 0;
    if (TYPE != ANY && incy == 1 && ((u64)y & 15) == 0 && (OP == SCAL || (incx == 1 && ((u64)x & 15) == 0))) {
        done = args.n / 8 * 8;
        for (i64 p = first; p < done / 8; p += step) {
            Eight vx, vy = ((const Eight*)y)[p];
            if (OP != SCAL) {
                vx = ((const Eight*)x)[p];
            }
#pragma unroll
            for (int e = 0; e < 8; e++) {
                R u = OP == SCAL ? (R)0 : get<R, TYPE>(vx.v, e, tx);
                R w = get<R, TYPE>(vy.v, e, ty);
                combine<OP>(alpha, beta, u, w);
                put<R, TYPE>(vy.v, e, ty, w);
                if (OP == ROT) {
                    put<R, TYPE>(vx.v, e, tx, u);
                }
            }
            ((Eight*)y)[p] = vy;
            if (OP == ROT) {
                ((Eight*)x)[p] = vx;
            }
        }
    }
    // Increments of 0 are legal: what one element leaves the next one reads, so one thread walks alone.
    bool alone = incy == 0 || (OP == ROT && incx == 0);
    for (i64 i = alone && first != 0 ? args.n : done + first; i < args.n; i += alone ? 1 : step) {
        R u = OP == SCAL ? (R)0 : get<R, TYPE>(x, i * incx, tx);
        R w = get<R, TYPE>(y, i * incy, ty);
        combine<OP>(alpha, beta, u, w);
        put<R, TYPE>(y, i * incy, ty, w);
        if (OP == ROT) {
            put<R, TYPE>(x, i * incx, tx, u);
        }
    }
}

template <int OP, typename R>
BASALT_DEVICE void mixedVector(const Args& args) {
    R alpha = scalarOf<R>(args.alpha);
    R beta = OP == ROT ? scalarOf<R>(args.beta) : 0;
    if (OP == AXPY && alpha == 0) {
        return;
    }
    int type = OP == SCAL || typeA(args) == typeC(args) ? typeC(args) : ANY;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        if (sizeof(R) == 4 && type == F16) {
            walk<OP, R, sizeof(R) == 4 ? F16 : ANY>(args, problem, alpha, beta);
        } else if (sizeof(R) == 4 && type == BF16) {
            walk<OP, R, sizeof(R) == 4 ? BF16 : ANY>(args, problem, alpha, beta);
        } else {
            walk<OP, R, ANY>(args, problem, alpha, beta);
        }
    }
}

// ---- reductions

template <int TYPE>
struct alignas(16) Pack {
    unsigned short v[8];
};
template <>
struct alignas(16) Pack<F32> {
    float v[8];
};

// A share of a sum of products. Those of halves are exact in float, and a few of them are added up there; others are doubles at once.
template <bool NORM, int TYPE>
BASALT_DEVICE double share(const Args& args, const char* x, const char* y, int share) {
    i64 incx = args.a.ld;
    i64 incy = NORM ? incx : args.b.ld;
    int tx = typeA(args);
    int ty = NORM ? tx : typeB(args);
    i64 step = (i64)args.x * blockDim.x;
    i64 first = (i64)share * blockDim.x + threadIdx.x;
    i64 done = 0;
    double s = 0;
    if (TYPE != ANY && incx == 1 && incy == 1 && ((u64)x & 15) == 0 && ((u64)y & 15) == 0) {
        done = args.n / 8 * 8;
#pragma unroll 4
        for (i64 p = first; p < done / 8; p += step) {
            Pack<TYPE> vx = ((const Pack<TYPE>*)x)[p];
            Pack<TYPE> vy = NORM ? vx : ((const Pack<TYPE>*)y)[p];
            float few = 0;
#pragma unroll
            for (int e = 0; e < 8; e++) {
                float u = get<float, TYPE>(vx.v, e, tx);
                float w = NORM ? u : get<float, TYPE>(vy.v, e, ty);
                if (TYPE == F16) {
                    few += u * w;
                } else {
                    s += (double)u * (double)w;
                }
            }
            s += few;
        }
    }
    for (i64 i = done + first; i < args.n; i += step) {
        double u = get<double, TYPE>(x, i * incx, tx);
        s += u * (NORM ? u : get<double, TYPE>(y, i * incy, ty));
    }
    return s;
}

template <bool NORM>
BASALT_DEVICE double shareOf(const Args& args, int type, const char* x, const char* y, int which) {
    switch (type) {
        case F16: return share<NORM, F16>(args, x, y, which);
        case BF16: return share<NORM, BF16>(args, x, y, which);
        case F32: return share<NORM, F32>(args, x, y, which);
        default: return share<NORM, ANY>(args, x, y, which);
    }
}

template <bool NORM>
BASALT_DEVICE void mixedReduction(const Args& args) {
    __shared__ double scratch[33];
    __shared__ double parts[264];  // SHARES of ReductionRules
    __shared__ int last;
    int type = NORM || typeA(args) == typeB(args) ? typeA(args) : ANY;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const char* x = at<char>(args.a, problem);
        const char* y = NORM ? x : at<char>(args.b, problem);
        double sum = 0;
        if (gridDim.x > 1) {
            double* kept = (double*)args.work + problem * args.x;
            sum = blockSum(shareOf<NORM>(args, type, x, y, blockIdx.x), scratch);
            if (threadIdx.x == 0) {
                kept[blockIdx.x] = sum;
            }
            if (!arrivesLast(counter(args, problem), gridDim.x, &last)) {
                continue;
            }
            sum = (int)threadIdx.x < args.x ? loadShared(kept + threadIdx.x) : 0;
        } else {
            // Cut the same way by one block as by many.
            for (int r = 0; r < args.x; r++) {
                sum = blockSum(shareOf<NORM>(args, type, x, y, r), scratch);
                if (threadIdx.x == 0) {
                    parts[r] = sum;
                }
            }
            __syncthreads();
            sum = (int)threadIdx.x < args.x ? parts[threadIdx.x] : 0;
        }
        // One share is the sum of a block that may be smaller than the others' number.
        sum = args.x > 1 ? blockSum(sum, scratch) : sum;
        if (threadIdx.x == 0) {
            put<double, ANY>(at<char>(args.d, problem), 0, typeD(args), NORM ? sqrt(sum) : sum);
        }
        __syncthreads();
    }
}

// ---- products

static const int MIXED_SIDE = row::mixed_gemm_sd::tile;
static const int MIXED_DEPTH = row::mixed_gemm_sd::depth;

template <typename R>
struct MixedTiles {
    R a[MIXED_DEPTH][MIXED_SIDE + 1];
    R b[MIXED_DEPTH][MIXED_SIDE + 1];
};

template <typename R>
BASALT_DEVICE R factor(const void* x, i64 i, int type) {
    return get<R, ANY>(x, i, type);
}
template <>
BASALT_DEVICE int factor<int>(const void* x, i64 i, int) {
    return ((const signed char*)x)[i];
}
BASALT_DEVICE void accumulate(float x, float y, float& s) { s += x * y; }
BASALT_DEVICE void accumulate(double x, double y, double& s) { s += x * y; }
BASALT_DEVICE void accumulate(int x, int y, int& s) { s = (int)((unsigned)s + (unsigned)(x * y)); }
// 256 threads, each with a 4×4 part of a tile of C. What is contiguous is read by consecutive threads.
template <typename R>
BASALT_DEVICE void mixedGemm(const Args& args) {
    __shared__ MixedTiles<R> tiles;
    R alpha = scalarOf<R>(args.alpha);
    R beta = scalarOf<R>(args.beta);
    i64 k = alpha == 0 ? 0 : args.k;
    i64 i0 = (i64)blockIdx.x * MIXED_SIDE;
    i64 j0 = (i64)blockIdx.y * MIXED_SIDE;
    bool alongA = args.opA == NONE;
    bool alongB = args.opB != NONE;
    int ti = threadIdx.x % 16;
    int tj = threadIdx.x / 16;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const char* a = k > 0 ? at<char>(args.a, problem) : 0;
        const char* b = k > 0 ? at<char>(args.b, problem) : 0;
        R acc[4][4];
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                acc[u][v] = 0;
            }
        }
        for (i64 l0 = 0; l0 < k; l0 += MIXED_DEPTH) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                int e = threadIdx.x + u * 256;
                int i = alongA ? e % MIXED_SIDE : e / MIXED_DEPTH;
                int l = alongA ? e / MIXED_SIDE : e % MIXED_DEPTH;
                i64 from = alongA ? i0 + i + (l0 + l) * args.a.ld : l0 + l + (i0 + i) * args.a.ld;
                tiles.a[l][i] = i0 + i < args.m && l0 + l < k ? factor<R>(a, from, typeA(args)) : (R)0;
                i = alongB ? e % MIXED_SIDE : e / MIXED_DEPTH;
                l = alongB ? e / MIXED_SIDE : e % MIXED_DEPTH;
                from = alongB ? j0 + i + (l0 + l) * args.b.ld : l0 + l + (j0 + i) * args.b.ld;
                tiles.b[l][i] = j0 + i < args.n && l0 + l < k ? factor<R>(b, from, typeB(args)) : (R)0;
            }
            __syncthreads();
#pragma unroll 4
            for (int l = 0; l < MIXED_DEPTH; l++) {
                R x[4], y[4];
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    x[u] = tiles.a[l][ti + u * 16];
                    y[u] = tiles.b[l][tj + u * 16];
                }
#pragma unroll
                for (int u = 0; u < 4; u++) {
#pragma unroll
                    for (int v = 0; v < 4; v++) {
                        accumulate(x[u], y[v], acc[u][v]);
                    }
                }
            }
            __syncthreads();
        }
        char* c = at<char>(args.c, problem);
#pragma unroll
        for (int v = 0; v < 4; v++) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                i64 i = i0 + ti + u * 16;
                i64 j = j0 + tj + v * 16;
                if (i < args.m && j < args.n) {
                    finishSum<ANY>(c, i + j * args.c.ld, typeC(args), scaledSum(alpha, acc[u][v]), beta);
                }
            }
        }
    }
}

// A thread for each row of a, or a warp for each column where a is turned.
template <typename R>
BASALT_DEVICE void mixedGemv(const Args& args) {
    R alpha = scalarOf<R>(args.alpha);
    R beta = scalarOf<R>(args.beta);
    bool plain = args.opA == NONE;
    i64 results = plain ? args.m : args.n;
    i64 terms = alpha == 0 ? 0 : plain ? args.n : args.m;
    int width = plain ? 1 : 32;
    i64 r = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / width;
    int lane = threadIdx.x % width;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const char* a = terms > 0 ? at<char>(args.a, problem) : 0;
        const char* x = terms > 0 ? at<char>(args.b, problem) : 0;
        R s = 0;
        for (i64 l = lane; r < results && l < terms; l += width) {
            i64 from = plain ? r + l * args.a.ld : l + r * args.a.ld;
            s += get<R, ANY>(a, from, typeA(args)) * get<R, ANY>(x, l * args.b.ld, typeB(args));
        }
        s = plain ? s : warpSum(s);
        if (r < results && lane == 0) {
            finishSum<ANY>(at<char>(args.c, problem), r * args.c.ld, typeC(args), scaledSum(alpha, s), beta);
        }
    }
}

}  // namespace basalt

#define MIXED(t, T)                                                                            \
    BASALT_KERNEL(basalt_mixed_axpy_##t) { basalt::mixedVector<basalt::AXPY, T>(args); }       \
    BASALT_KERNEL(basalt_mixed_scal_##t) { basalt::mixedVector<basalt::SCAL, T>(args); }       \
    BASALT_KERNEL(basalt_mixed_rot_##t) { basalt::mixedVector<basalt::ROT, T>(args); }         \
    BASALT_KERNEL(basalt_mixed_gemv_##t) { basalt::mixedGemv<T>(args); }                       \
    BASALT_KERNEL(basalt_mixed_gemm_##t) { basalt::mixedGemm<T>(args); }
BASALT_S(MIXED)
BASALT_D(MIXED)

#if defined(BASALT_TYPE_S)
BASALT_KERNEL(basalt_mixed_dot_s) { basalt::mixedReduction<false>(args); }
BASALT_KERNEL(basalt_mixed_nrm2_s) { basalt::mixedReduction<true>(args); }
BASALT_KERNEL(basalt_mixed_igemm_s) { basalt::mixedGemm<int>(args); }
#endif
