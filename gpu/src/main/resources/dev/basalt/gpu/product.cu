// C := alpha·op(A)·op(B) + beta·C, the same with a symmetric A, and of a triangle of C only: one tiled product whose
// operands differ in how their elements are found.
#include "product.h"
BASALT_CAPPED_TOO

namespace basalt {

// What a thread has of a tile of C: 4×4 elements, rows and columns 16 apart.
template <typename T>
struct Tiled : BlockOfTile {
    static const int SIDE = row::gemm_sdcz::tile;
    static const int DEPTH = row::gemm_sdcz::depth;  // of a step along the inner dimension
    struct Memory {
        T a[DEPTH][SIDE + 1];
        T b[DEPTH][SIDE + 1];
    };
    static BASALT_DEVICE Memory& memory() {
        __shared__ Memory m;
        return m;
    }
    T acc[4][4];

    BASALT_DEVICE void clear() {
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                acc[u][v] = zero<T>();
            }
        }
    }
    BASALT_DEVICE void scale(T by) {
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                acc[u][v] = by * acc[u][v];
            }
        }
    }

    // Adds the product of a tile's rows and columns from i0 and j0 on. 256 threads; `alongA`: consecutive threads load consecutive rows of
    // A, else consecutive columns; whichever is contiguous. The inner dimension goes from `from` to k.
    template <typename A, typename B>
    BASALT_DEVICE void add(
            i64 i0, i64 j0, i64 m, i64 n, i64 from, i64 k, const A& a, bool alongA, const B& b, bool alongB, Memory& tiles) {
        int ti = threadIdx.x % 16;
        int tj = threadIdx.x / 16;
        for (i64 l0 = from; l0 < k; l0 += DEPTH) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                int e = threadIdx.x + u * 256;
                int i = alongA ? e % SIDE : e / DEPTH;
                int l = alongA ? e / SIDE : e % DEPTH;
                // Loads that depend on nothing do not wait for each other.
                T x = a(least(i0 + i, m - 1), least(l0 + l, k - 1));
                tiles.a[l][i] = i0 + i < m && l0 + l < k ? x : zero<T>();
                i = alongB ? e / DEPTH : e % SIDE;
                l = alongB ? e % DEPTH : e / SIDE;
                x = b(least(l0 + l, k - 1), least(j0 + i, n - 1));
                tiles.b[l][i] = j0 + i < n && l0 + l < k ? x : zero<T>();
            }
            __syncthreads();
#pragma unroll 4
            for (int l = 0; l < DEPTH; l++) {
                T x[4], y[4];
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    x[u] = tiles.a[l][ti + u * 16];
                    y[u] = tiles.b[l][tj + u * 16];
                }
#pragma unroll
                for (int u = 0; u < 4; u++) {
#pragma unroll
                    for (int v = 0; v < 4; v++) {
                        fma(x[u], y[v], acc[u][v]);
                    }
                }
            }
            __syncthreads();
        }
    }

    // C, m×n, := alpha·sums + beta·C, where `empty` beta·C.
    BASALT_DEVICE void write(i64 i0, i64 j0, i64 m, i64 n, T alpha, T beta, bool empty, T* c, i64 ldc, int part, bool hermitian, Memory&) const {
#pragma unroll
        for (int v = 0; v < 4; v++) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                i64 i = i0 + threadIdx.x % 16 + u * 16;
                i64 j = j0 + threadIdx.x / 16 + v * 16;
                if (i < m && j < n && partHas(part, i, j)) {
                    writeElement(acc[u][v], i, j, alpha, beta, empty, c + i + j * ldc, hermitian);
                }
            }
        }
    }
};

}  // namespace basalt

#define PRODUCTS(t, T)                                                  \
    BASALT_KERNEL(basalt_gemm_##t) { basalt::gemm<basalt::Tiled<T>, T>(args); } \
    BASALT_KERNEL(basalt_symm_##t) { basalt::symm<basalt::Tiled<T>, T>(args); } \
    BASALT_KERNEL(basalt_syrk_##t) { basalt::syrk<basalt::Tiled<T>, T>(args); } \
    BASALT_KERNEL(basalt_trmm_apart_##t) { basalt::trmmApart<basalt::Tiled<T>, T>(args); }
BASALT_EACH_TYPE(PRODUCTS)

#define PARTS(t, T)                                                   \
    BASALT_KERNEL(basalt_part_##t) { basalt::part<basalt::Tiled<T>, T, false>(args); } \
    BASALT_KERNEL(basalt_both_##t) { basalt::part<basalt::Tiled<T>, T, true>(args); }
BASALT_EACH_TYPE(PARTS)
