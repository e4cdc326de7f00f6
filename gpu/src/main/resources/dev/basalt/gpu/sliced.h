// Small products: tiles of C of 16×16, whose inner dimension the warps of a block share, so that few elements of C keep many warps busy
// and none waits long for memory. Factors go from device memory to the registers that multiply them.
#ifndef BASALT_SLICED_H
#define BASALT_SLICED_H
#include "product.h"
#include "small.h"

namespace basalt {

// A warp's part of a tile, in products of 8×8, of which a lane has two elements of C each: a slice costs few loads, all on their way at once.
template <typename T>
struct Octets {
    static const int DEPTH = row::sliced_gemm_sdcz::depth;  // of a slice
    T acc[2][2][2];

    static BASALT_DEVICE int rowOf(int e) { return threadIdx.x % 32 / 4 + e / 4 * 8; }
    static BASALT_DEVICE int columnOf(int e) { return threadIdx.x % 4 * 2 + e % 2 + e / 2 % 2 * 8; }

    BASALT_DEVICE const T& element(int e) const { return acc[e / 4][e / 2 % 2][e % 2]; }
    BASALT_DEVICE T& element(int e) { return acc[e / 4][e / 2 % 2][e % 2]; }

    // Adds a slice. FULL: k does not cut it. Rows and columns beyond the product are those at its end, and never written.
    template <bool FULL, typename A, typename B>
    BASALT_DEVICE void add(i64 i0, i64 j0, i64 m, i64 n, i64 l0, i64 k, const A& a, const B& b) {
        T x[DEPTH / 4][2], y[DEPTH / 4][2];
        i64 g = threadIdx.x % 32 / 4;
        l0 += threadIdx.x % 4;
#pragma unroll
        for (int d = 0; d < DEPTH / 4; d++) {
            bool inside = FULL || l0 + 4 * d < k;
            i64 l = FULL ? l0 + 4 * d : least(l0 + 4 * d, k - 1);
#pragma unroll
            for (int u = 0; u < 2; u++) {
                T v = a(least(i0 + g + 8 * u, m - 1), l);
                x[d][u] = inside ? v : zero<T>();
                v = b(l, least(j0 + g + 8 * u, n - 1));
                y[d][u] = inside ? v : zero<T>();
            }
        }
#pragma unroll
        for (int d = 0; d < DEPTH / 4; d++) {
            smallProducts(acc, x[d], y[d]);
        }
    }
};

// A tile of C, which all warps of a block sum.
template <typename T>
struct Sliced : BlockOfTile {
    static const int SIDE = row::sliced_gemm_sdcz::tile;
    static const int WARPS = row::sliced_gemm_sdcz::threads / 32;  // at most
    static const int PITCH = SIDE + 4;                           // lanes of a warp meet no bank more often than they must
    struct Memory {
        T sums[WARPS][SIDE * PITCH];
    };
    static BASALT_DEVICE Memory& memory() {
        __shared__ Memory m;
        return m;
    }
    Octets<T> mine;

    BASALT_DEVICE void clear() {
#pragma unroll
        for (int e = 0; e < 8; e++) {
            mine.element(e) = zero<T>();
        }
    }
    BASALT_DEVICE void scale(T by) {
#pragma unroll
        for (int e = 0; e < 8; e++) {
            mine.element(e) = by * mine.element(e);
        }
    }

    // Adds the product of a tile's rows and columns from i0 and j0 on. The inner dimension goes from `from` to k.
    template <typename A, typename B>
    BASALT_DEVICE void add(i64 i0, i64 j0, i64 m, i64 n, i64 from, i64 k, const A& a, bool, const B& b, bool, Memory&) {
        add(i0, j0, m, n, from, k, a, b, threadIdx.x / 32, blockDim.x / 32);
    }

    // The slices that one of so many sharers has.
    template <typename A, typename B>
    BASALT_DEVICE void add(i64 i0, i64 j0, i64 m, i64 n, i64 from, i64 k, const A& a, const B& b, i64 sharer, i64 sharers) {
        i64 step = sharers * Octets<T>::DEPTH;
        i64 l0 = from + sharer * Octets<T>::DEPTH;
        for (; l0 + Octets<T>::DEPTH <= k; l0 += step) {
            mine.template add<true>(i0, j0, m, n, l0, k, a, b);
        }
        if (l0 < k) {
            mine.template add<false>(i0, j0, m, n, l0, k, a, b);
        }
    }

    // The lanes' sums go where the whole block sees them.
    BASALT_DEVICE void put(Memory& memory) const {
#pragma unroll
        for (int e = 0; e < 8; e++) {
            memory.sums[threadIdx.x / 32][Octets<T>::rowOf(e) + Octets<T>::columnOf(e) * PITCH] = mine.element(e);
        }
        __syncthreads();
    }

    // The sum of all warps for an element of the tile, by columns.
    static BASALT_DEVICE T sum(const Memory& memory, int e) {
        T s = zero<T>();
        for (int w = 0; w < (int)blockDim.x / 32; w++) {
            s = s + memory.sums[w][e % SIDE + e / SIDE * PITCH];
        }
        return s;
    }

    // C, m×n, := alpha·sums + beta·C, where `empty` beta·C.
    BASALT_DEVICE void write(
            i64 i0, i64 j0, i64 m, i64 n, T alpha, T beta, bool empty, T* c, i64 ldc, int part, bool hermitian, Memory& memory) const {
        put(memory);
        for (int e = threadIdx.x; e < SIDE * SIDE; e += blockDim.x) {
            i64 i = i0 + e % SIDE;
            i64 j = j0 + e / SIDE;
            if (i < m && j < n && partHas(part, i, j)) {
                writeElement(sum(memory, e), i, j, alpha, beta, empty, c + i + j * ldc, hermitian);
            }
        }
        __syncthreads();
    }
};

}  // namespace basalt

#endif
