// Products of a short inner dimension, where C is most of what is moved: tiles of C of 32×32, of which a lane has some elements of a row. C is
// on its way before the factors are.
#include "product.h"

namespace basalt {

template <typename T>
struct Outer : BlockOfTile {
    static const int SIDE = row::outer_gemm_sdcz::tile;
    static const int COLUMNS = SIDE * SIDE / row::outer_gemm_sdcz::threads;  // of a lane
    static const int DEPTH = row::outer_gemm_sdcz::depth;
    static_assert(2 * SIDE * DEPTH == row::outer_gemm_sdcz::threads, "a thread brings an element of a factor");
    struct Memory {
        T a[DEPTH][SIDE];
        T b[SIDE][DEPTH];
    };
    static BASALT_DEVICE Memory& memory() {
        // Of types with constructors there is no static shared memory.
        alignas(16) __shared__ char memory[sizeof(Memory)];
        return *(Memory*)memory;
    }
    T acc[COLUMNS];
    T before[COLUMNS];

    static BASALT_DEVICE int rowOf() { return threadIdx.x % 32; }
    static BASALT_DEVICE int columnOf(int u) { return threadIdx.x / 32 * COLUMNS + u; }

    BASALT_DEVICE void clear() {
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            acc[u] = zero<T>();
            before[u] = zero<T>();
        }
    }
    BASALT_DEVICE void scale(T by) {
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            acc[u] = by * acc[u];
        }
    }

    BASALT_DEVICE void expect(i64 i0, i64 j0, i64 m, i64 n, T beta, const T* c, i64 ldc, int part) {
        i64 i = i0 + rowOf();
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            i64 j = j0 + columnOf(u);
            if (!isZero(beta) && i < m && j < n && partHas(part, i, j)) {
                before[u] = c[i + j * ldc];
            }
        }
    }

    // A thread's element of what the next products take: of A in the first half of the threads, of B in the other one.
    template <typename A, typename B>
    static BASALT_DEVICE T fetch(i64 i0, i64 j0, i64 m, i64 n, i64 l0, i64 k, const A& a, const B& b) {
        int e = threadIdx.x % (SIDE * DEPTH);
        bool ofA = threadIdx.x < SIDE * DEPTH;
        i64 l = l0 + (ofA ? e / SIDE : e % DEPTH);
        i64 at = ofA ? i0 + e % SIDE : j0 + e / DEPTH;
        if (l >= k || at >= (ofA ? m : n)) {
            return zero<T>();
        }
        return ofA ? a(at, l) : b(l, at);
    }

    template <typename A, typename B>
    BASALT_DEVICE void add(
            i64 i0, i64 j0, i64 m, i64 n, i64 from, i64 k, const A& a, bool, const B& b, bool, Memory& memory) {
        T next = fetch(i0, j0, m, n, from, k, a, b);
#pragma unroll 1
        for (i64 l0 = from; l0 < k; l0 += DEPTH) {
            (threadIdx.x < SIDE * DEPTH ? &memory.a[0][0] : &memory.b[0][0])[threadIdx.x % (SIDE * DEPTH)] = next;
            __syncthreads();
            if (l0 + DEPTH < k) {
                next = fetch(i0, j0, m, n, l0 + DEPTH, k, a, b);
            }
#pragma unroll
            for (int d = 0; d < DEPTH; d++) {
                T x = memory.a[d][rowOf()];
#pragma unroll
                for (int u = 0; u < COLUMNS; u++) {
                    fma(x, memory.b[columnOf(u)][d], acc[u]);
                }
            }
            __syncthreads();
        }
    }

    BASALT_DEVICE void write(
            i64 i0, i64 j0, i64 m, i64 n, T alpha, T beta, bool empty, T* c, i64 ldc, int part, bool hermitian, Memory&) {
        i64 i = i0 + rowOf();
#pragma unroll
        for (int u = 0; u < COLUMNS; u++) {
            i64 j = j0 + columnOf(u);
            if (i < m && j < n && partHas(part, i, j)) {
                writeElement(acc[u], i, j, alpha, beta, empty, &before[u], hermitian);
                c[i + j * ldc] = before[u];
            }
        }
    }
};

}  // namespace basalt

#define OUTER(t, T) \
    BASALT_KERNEL(basalt_outer_gemm_##t) { basalt::gemm<basalt::Outer<T>, T>(args); } \
    BASALT_KERNEL(basalt_outer_syrk_##t) { basalt::syrk<basalt::Outer<T>, T>(args); } \
    BASALT_KERNEL(basalt_outer_part_##t) { basalt::part<basalt::Outer<T>, T, false>(args); } \
    BASALT_KERNEL(basalt_outer_both_##t) { basalt::part<basalt::Outer<T>, T, true>(args); }
BASALT_EACH_TYPE(OUTER)
