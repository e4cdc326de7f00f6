// A symmetric or Hermitian band to tridiagonal form by chasing bulges, as BulgeChase.java does it. A block takes every so many sweeps; each sweep follows the one before it two steps behind, and a number in
// memory says how far a block is. The steps are the same in whatever order blocks come to them, so results do not hang on how many there are. All blocks must run at once: a cooperative launch.
#include "chase.h"
#include "reflect.h"
#include "two_sided.h"

namespace basalt {

// What a block keeps in shared memory: scratch of sums and norms, and, if there is room for them, a reflector of k elements and a product with it.
template <typename T>
struct ChaseMemory {
    typedef typename Of<T>::Real R;
    T* sums;
    R* norms;
    T* v;
    T* w;

    BASALT_DEVICE ChaseMemory(char* at, i64 k) : sums((T*)at), norms((R*)(sums + 33)), v(sums + 66), w(v + k) {}
    BASALT_DEVICE i64 bytes(i64 k, const char* from) const { return (const char*)(w + k) - from; }
};

template <typename T>
struct Chase : ChasedBand<T> {
    typedef typename Of<T>::Real R;
    using ChasedBand<T>::args;
    using ChasedBand<T>::n;
    using ChasedBand<T>::k;
    using ChasedBand<T>::ld;
    using ChasedBand<T>::band;
    using ChasedBand<T>::progress;
    using ChasedBand<T>::element;
    using ChasedBand<T>::steps;

    ChaseMemory<T> memory;
    unsigned each;  // of the numbers that say how far a block is: as many a sweep as it has steps, and some for its end

    BASALT_DEVICE Chase(const Args& arguments, i64 which) : ChasedBand<T>(arguments, which), memory(BASALT_DYNAMIC_SHARED(char), arguments.k), each(0) {
        if (args.x == 0) {
            memory.v = band + n * ld;
            memory.w = memory.v + k;
        }
    }

    // The reflector that clears a column of m elements below its first, and its factor.
    BASALT_DEVICE T reflector(i64 m, T* column) {
        T* v = memory.v;
        for (i64 i = threadIdx.x; i < m; i += blockDim.x) {
            v[i] = column[i];
        }
        __syncthreads();
        T tau = larfg(v, v + 1, (i64)1, m - 1, false, memory.norms);
        __syncthreads();
        for (i64 i = threadIdx.x; i < m; i += blockDim.x) {
            column[i] = i == 0 ? v[0] : zero<T>();
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            v[0] = one<T>();
        }
        __syncthreads();
        return tau;
    }

    // b := b·H.
    BASALT_DEVICE void right(i64 rows, i64 columns, T tau, T* b) {
        if (isZero(tau)) {
            return;
        }
        for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
            T sum = zero<T>();
            for (i64 j = 0; j < columns; j++) {
                fma(b[i + j * (ld - 1)], memory.v[j], sum);
            }
            memory.w[i] = tau * sum;
        }
        __syncthreads();
        for (i64 l = threadIdx.x; l < rows * columns; l += blockDim.x) {
            T* x = b + (l % rows + l / rows * (ld - 1));
            *x = *x - memory.w[l % rows] * conj(memory.v[l / rows], true);
        }
        __syncthreads();
    }

    // b := Hᴴ·b.
    BASALT_DEVICE void left(i64 rows, i64 columns, T tau, T* b) {
        if (isZero(tau)) {
            return;
        }
        for (i64 j = threadIdx.x; j < columns; j += blockDim.x) {
            T sum = zero<T>();
            for (i64 i = 0; i < rows; i++) {
                fma(conj(memory.v[i], true), b[i + j * (ld - 1)], sum);
            }
            memory.w[j] = conj(tau, true) * sum;
        }
        __syncthreads();
        for (i64 l = threadIdx.x; l < rows * columns; l += blockDim.x) {
            T* x = b + (l % rows + l / rows * (ld - 1));
            *x = *x - memory.v[l % rows] * memory.w[l / rows];
        }
        __syncthreads();
    }

    // A step of a sweep: its reflector from both sides, and the next one, which clears the first column of what that fills.
    BASALT_DEVICE T step(i64 sweep, i64 i, T tau) {
        i64 row = sweep + 1 + i * k;
        i64 m = n - row < k ? n - row : k;
        if (i == 0) {
            tau = reflector(m, element(1, sweep));
        }
        for (i64 l = threadIdx.x; this->kept && l < m; l += blockDim.x) {
            this->keep(sweep, row, l, memory.v[l], tau);
        }
        twoSided(true, m, element(0, row), ld - 1, tau, memory.v, memory.w, memory.sums);
        i64 below = n - row - m < k ? n - row - m : k;
        if (below > 0) {
            T* block = element(m, row);
            right(below, m, tau, block);
            tau = reflector(below, block);
            left(below, m - 1, tau, block + (ld - 1));
        }
        return tau;
    }

    // Waits until another block is so far.
    BASALT_DEVICE void await(i64 other, unsigned far) const {
        if (threadIdx.x == 0) {
            while (loadFlag(progress + other) < far) {
                BASALT_SPIN();
            }
        }
        __syncthreads();
    }

    BASALT_DEVICE void tell(unsigned far) const {
        __syncthreads();
        if (threadIdx.x == 0) {
            storeFlag(progress + blockIdx.x, far);
        }
    }

    BASALT_DEVICE void run() {
        this->take();
        i64 sweeps = this->sweeps();
        if (sweeps > 0) {
            each = (unsigned)steps(0) + 2;
        }
        for (i64 sweep = blockIdx.x; sweep < sweeps; sweep += gridDim.x) {
            T tau = zero<T>();
            i64 before = sweep - 1;
            for (i64 i = 0; i < steps(sweep); i++) {
                if (before >= 0 && gridDim.x > 1) {
                    await(before % gridDim.x, (unsigned)(before * each + i + 2));
                }
                tau = step(sweep, i, tau);
                tell((unsigned)(sweep * each + i + 1));
            }
            tell((unsigned)(sweep * each + each - 1));
        }
        this->give();
    }
};

template <typename T>
BASALT_DEVICE void sb2st(const Args& args) {
    // There is one launch a problem.
    i64 problem = args.y;
    if (!skips(args, problem)) {
        Chase<T>(args, problem).run();
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define CHASE_LAYOUT(t, T) \
    BASALT_LAYOUT(sb2st_##t, x, y, z) { return basalt::ChaseMemory<T>(nullptr, x).bytes(x, nullptr) + 0 * (y + z); }
BASALT_EACH_TYPE(CHASE_LAYOUT)
#endif

#define CHASE(t, T) \
    BASALT_KERNEL(basalt_sb2st_##t) { basalt::sb2st<T>(args); }
BASALT_EACH_TYPE(CHASE)
