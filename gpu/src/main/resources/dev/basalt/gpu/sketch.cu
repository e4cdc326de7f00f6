// Random sketches of matrices, and the columns that they choose.
#include "column.h"

namespace basalt {

// The heads of the 64 coins of a place, less 32, over 32: SplitMix throws them.
BASALT_DEVICE double heads(u64 place) {
    u64 z = (place + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    z -= (z >> 1) & 0x5555555555555555ull;
    z = (z & 0x3333333333333333ull) + ((z >> 2) & 0x3333333333333333ull);
    z = (z + (z >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return ((int)((z * 0x0101010101010101ull) >> 56) - 32) / 32.0;
}

template <typename T>
BASALT_DEVICE void gaussian(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* c = at<T>(args.c, problem);
        i64 all = args.m * args.n;
        for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < all; e += (i64)gridDim.x * blockDim.x) {
            i64 row = e % args.m;
            i64 col = e / args.m;
            u64 place = ((u64)col << 32 | (u64)row) * Of<T>::parts;
            c[row + col * args.c.ld] = Make<T>::of(heads(place), Of<T>::parts == 1 ? 0 : heads(place + 1));
        }
    }
}

// A vector of up to 64 elements in a warp, two a lane.
template <typename T>
struct Held {
    T x[2];

    BASALT_DEVICE void load(const T* from, i64 k) {
        for (int u = 0; u < 2; u++) {
            i64 i = threadIdx.x % 32 + 32 * u;
            x[u] = i < k ? from[i] : zero<T>();
        }
    }

    // The same bits in every lane.
    BASALT_DEVICE T product(const Held& other) const {
        T sum = zero<T>();
        fma(conj(x[0], true), other.x[0], sum);
        fma(conj(x[1], true), other.x[1], sum);
        return warpSum(sum);
    }

    // What is left of it behind vectors that are orthonormal.
    BASALT_DEVICE void takeOff(const T* q, i64 k, i64 done) {
        for (i64 l = 0; l < done; l++) {
            Held other;
            other.load(q + l * k, k);
            T part = other.product(*this);
            x[0] = x[0] - part * other.x[0];
            x[1] = x[1] - part * other.x[1];
        }
    }

    BASALT_DEVICE typename Of<T>::Real norm() const {
        typedef typename Of<T>::Real R;
        R largest = larger(larger(absolute(re(x[0])), absolute(im(x[0]))), larger(absolute(re(x[1])), absolute(im(x[1]))));
        for (int mask = 16; mask > 0; mask >>= 1) {
            largest = larger(largest, shuffleXor(largest, mask));
        }
        if (!(largest > 0)) {
            return largest;
        }
        R sum = 0;
        for (int u = 0; u < 2; u++) {
            R a = re(x[u]) / largest;
            R b = im(x[u]) / largest;
            sum += a * a + b * b;
        }
        return largest * root(warpSum(sum));
    }
};

BASALT_DEVICE double roundingUnit(double) { return 1.1102230246251565e-16; }
BASALT_DEVICE double roundingUnit(float) { return 5.9604644775390625e-08; }
BASALT_DEVICE double leastNormal(double) { return 2.2250738585072014e-308; }
BASALT_DEVICE double leastNormal(float) { return 1.1754943508222875e-38; }

// Vector `done` of q := the direction of a column behind those before it, by a warp; zeros where there is none.
template <typename T>
BASALT_DEVICE void direction(const T* column, T* q, i64 k, i64 done) {
    typedef typename Of<T>::Real R;
    Held<T> own;
    own.load(column, k);
    R before = own.norm();
    own.takeOff(q, k, done);
    own.takeOff(q, k, done);
    R norm = own.norm();
    bool none = norm <= 8 * roundingUnit((R)0) * before || norm < leastNormal((R)0);
    R by = none ? (R)0 : 1 / norm;
    for (int u = 0; u < 2; u++) {
        i64 i = threadIdx.x % 32 + 32 * u;
        if (i < k) {
            q[done * k + i] = times(by, own.x[u]);
        }
    }
}

// One block a problem; p is the first column, q the one behind the last, k elements of the sketch stand for a column.
template <typename T>
BASALT_DEVICE void chooseColumns(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R values[32];
    __shared__ i64 places[32];
    i64 n = args.n;
    i64 k = args.k;
    i64 lda = args.a.ld;
    i64 ldb = args.b.ld;
    int lane = threadIdx.x % 32;
    i64 warps = blockDim.x / 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* norms = at<R>(args.a, problem);
        T* sketch = at<T>(args.b, problem) - args.p * ldb;
        T* c = at<T>(args.c, problem);
        T* q = at<T>(args.d, problem);
        int* fresh = at<int>(args.e, problem);
        bool flagged = args.e.base != 0;
        bool all = !flagged || *fresh == 0;
        i64 fixed = (i64)*at<R>(args.g, problem);
        for (i64 j = args.p + threadIdx.x / 32; j < n; j += warps) {
            Held<T> x;
            x.load(sketch + j * ldb, k);
            R norm = x.norm();
            if (lane == 0) {
                norms[j] = norm;
                norms[lda + j] = norm;
                norms[2 * lda + j] = all ? norm : norms[2 * lda + j];
            }
        }
        __syncthreads();
        for (i64 col = args.p; col < args.q; col++) {
            i64 done = col - args.p;
            if (col >= fixed) {
                i64 best = chooseColumn(norms, col, n, values, places);
                if (best != col) {
                    swapLines(args.m, c + best * args.c.ld, c + col * args.c.ld, 1);
                    swapLines(k, sketch + best * ldb, sketch + col * ldb, 1);
                    if (threadIdx.x == 0) {
                        exchangeNumbers(at<i64>(args.f, problem), best, col);
                        for (int t = 0; t < 3; t++) {
                            norms[t * lda + best] = norms[t * lda + col];
                        }
                    }
                    __syncthreads();
                }
            }
            if (threadIdx.x < 32) {
                direction(sketch + col * ldb, q, k, done);
            }
            __syncthreads();
            Held<T> taken;
            taken.load(q + done * k, k);
            for (i64 j = col + 1 + threadIdx.x / 32; j < n; j += warps) {
                double norm = norms[j];
                double last = norms[lda + j];
                Held<T> x;
                x.load(sketch + j * ldb, k);
                double part = modulus(x.product(taken)) / norm;
                double square = (1 + part) * (1 - part);
                square = square < 0 ? 0 : square;
                bool again = norm != 0 && square * ((norm / last) * (norm / last)) <= halfDigits((R)0);
                R now = (R)(norm * root(square));
                if (again) {
                    x.takeOff(q, k, done + 1);
                    now = x.norm();
                }
                warpBarrier();
                if (lane == 0 && norm != 0) {
                    norms[j] = now;
                    norms[lda + j] = again ? now : norms[lda + j];
                }
            }
            __syncthreads();
        }
        if (flagged) {
            // All have seen what it was.
            if (threadIdx.x == 0) {
                *fresh = 1;
            }
            __syncthreads();
            for (i64 j = args.q + threadIdx.x; j < n; j += blockDim.x) {
                R first = norms[2 * lda + j];
                if (first > 0 && norms[j] <= halfDigits((R)0) * first) {
                    *fresh = 0;
                }
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define SKETCHES(t, T)                                                \
    BASALT_KERNEL(basalt_gaussian_##t) { basalt::gaussian<T>(args); } \
    BASALT_KERNEL(basalt_choose_columns_##t) { basalt::chooseColumns<T>(args); }
BASALT_EACH_TYPE(SKETCHES)
