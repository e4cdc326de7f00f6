// Symmetric and Hermitian eigenvalues by two-sided Jacobi, and ranges of eigenvalues in rising order. The kernels' contracts are those of Kernel.SYEVJ and Kernel.EIGEN_RANGE.
#include "jacobi.h"

namespace basalt {

// Rotations that a block makes at once.
static const int PAIRS = 32;

// What the threads of a block know of a round.
template <typename T, typename R>
struct Round {
    T turn[PAIRS];
    R cosine[PAIRS];
    R one[PAIRS], other[PAIRS];  // diagonal elements afterwards
    int p[PAIRS], q[PAIRS];      // p is -1 where nothing is rotated
    R scratch[32];
};

template <typename T>
BASALT_DEVICE bool counts(const T* h, i64 ld, i64 p, i64 q) {
    typedef typename Of<T>::Real R;
    R first = absolute(re(h[p + p * ld]));
    R second = absolute(re(h[q + q * ld]));
    return sizeOf(h[p + q * ld]) > unit(first) * root(first) * root(second);
}

// The angle of one pair, by one thread.
template <typename T, typename R>
BASALT_DEVICE void angle(Round<T, R>& r, int at, const T* h, i64 ld, i64 n, i64 round, i64 pair) {
    i64 seats = n + n % 2;
    i64 one = (round + pair) % (seats - 1);
    i64 other = pair == 0 ? seats - 1 : (round - pair + seats - 1) % (seats - 1);
    i64 p = one < other ? one : other;
    i64 q = one < other ? other : one;
    r.p[at] = -1;
    if (q >= n || !counts(h, ld, p, q)) {
        return;
    }
    T x = h[p + q * ld];
    R app = re(h[p + p * ld]);
    R aqq = re(h[q + q * ld]);
    R size = sizeOf(x);
    R zeta = (aqq - app) / (2 * size);
    R steep = absolute(zeta);
    R tangent = steep > steepest(steep) ? 1 / (2 * steep) : 1 / (steep + root(1 + zeta * zeta));
    tangent = withSign(tangent, zeta);
    R c = 1 / root(1 + tangent * tangent);
    R s = c * tangent;
    r.p[at] = (int)p;
    r.q[at] = (int)q;
    r.cosine[at] = c;
    r.turn[at] = Make<T>::of(-s * (re(x) / size), s * (im(x) / size));
    r.one[at] = app - tangent * size;
    r.other[at] = aqq + tangent * size;
}

// All pairs of a round, as many at once as have room.
template <typename T, typename R>
BASALT_DEVICE void rotateRound(Round<T, R>& r, T* h, i64 ldh, T* v, i64 ldv, i64 n, i64 round) {
    i64 pairs = (n + n % 2) / 2;
    for (i64 from = 0; from < pairs; from += PAIRS) {
        int size = (int)least(PAIRS, pairs - from);
        for (int i = threadIdx.x; i < size; i += blockDim.x) {
            angle(r, i, h, ldh, n, round, from + i);
        }
        __syncthreads();
        for (i64 e = threadIdx.x; e < size * n; e += blockDim.x) {
            int i = (int)(e / n);
            i64 k = e % n;
            if (r.p[i] >= 0) {
                rotateBoth(r.cosine[i], r.turn[i], h + k + r.p[i] * ldh, h + k + r.q[i] * ldh);
                if (v != 0) {
                    rotateBoth(r.cosine[i], r.turn[i], v + k + r.p[i] * ldv, v + k + r.q[i] * ldv);
                }
            }
        }
        __syncthreads();
        for (i64 e = threadIdx.x; e < size * n; e += blockDim.x) {
            int i = (int)(e % size);
            i64 k = e / size;
            if (r.p[i] < 0) {
                continue;
            }
            T* x = h + r.p[i] + k * ldh;
            T* y = h + r.q[i] + k * ldh;
            if (k == r.p[i] || k == r.q[i]) {
                bool first = k == r.p[i];
                *x = first ? Make<T>::real(r.one[i]) : zero<T>();
                *y = first ? zero<T>() : Make<T>::real(r.other[i]);
            } else {
                rotateBoth(r.cosine[i], conj(r.turn[i], true), x, y);
            }
        }
        __syncthreads();
    }
}

// Values in rising order, with the columns of v, in their place.
template <typename T, typename R>
BASALT_DEVICE void sortInPlace(i64 n, R* values, T* v, i64 ldv) {
    for (i64 i = 0; i < n - 1; i++) {
        i64 best = i;
        for (i64 j = i + 1; j < n; j++) {
            best = values[j] < values[best] ? j : best;
        }
        __syncthreads();
        if (best != i) {
            for (i64 k = threadIdx.x; v != 0 && k < n; k += blockDim.x) {
                T kept = v[k + i * ldv];
                v[k + i * ldv] = v[k + best * ldv];
                v[k + best * ldv] = kept;
            }
            if (threadIdx.x == 0) {
                R kept = values[i];
                values[i] = values[best];
                values[best] = kept;
            }
        }
        __syncthreads();
    }
}

// Columns of v go where their values belong: a warp a column. h is scratch.
template <typename T, typename R>
BASALT_DEVICE void sortInto(i64 n, R* values, const T* v, i64 ldv, T* a, i64 lda, T* h) {
    int lane = threadIdx.x % 32;
    for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
        int rank = 0;
        for (i64 i = lane; i < n; i += 32) {
            rank += values[i] < values[j] || (values[i] == values[j] && i < j) ? 1 : 0;
        }
        for (int mask = 16; mask > 0; mask >>= 1) {
            rank += shuffleXor(rank, mask);
        }
        for (i64 i = lane; i < n; i += 32) {
            a[i + rank * lda] = v[i + j * ldv];
        }
        if (lane == 0) {
            h[rank] = Make<T>::real(values[j]);
        }
    }
    __syncthreads();
    for (i64 j = threadIdx.x; j < n; j += blockDim.x) {
        values[j] = re(h[j]);
    }
    __syncthreads();
}

// One block a problem. x: whether there are vectors; y: the matrix is in shared memory; z: so are the vectors.
template <typename T>
BASALT_DEVICE void syevj(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ Round<T, R> r;
    T* memory = BASALT_DYNAMIC_SHARED(T);
    i64 n = args.n;
    bool lower = args.uplo == LOWER;
    double given, none;
    load(args.alpha, &given, &none);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        i64 lda = args.c.ld;
        T* h = args.y ? memory : at<T>(args.b, problem);
        i64 ldh = args.y ? n : args.b.ld;
        T* v = args.z ? memory + n * n : args.x ? a : (T*)0;
        i64 ldv = args.z ? n : lda;
        R* values = at<R>(args.a, problem);
        R largest = 0;
        for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
            i64 i = e % n;
            i64 j = e / n;
            bool stored = lower ? i >= j : i <= j;
            T x = stored ? a[i + j * lda] : conj(a[j + i * lda], true);
            x = i == j ? dropImaginary(x) : x;
            h[i + j * ldh] = x;
            largest = most(largest, most(absolute(re(x)), absolute(im(x))));
        }
        largest = ofBlock(largest, false, r.scratch);
        bool finite = largest - largest == 0;
        int by = 0;
        if (finite && largest != 0) {
            int exponent = exponentOf(largest);
            by = exponent > plainExponent(largest) || exponent < -plainExponent(largest) ? -exponent : 0;
        }
        for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
            if (by != 0) {
                h[e % n + e / n * ldh] = scaledBoth(h[e % n + e / n * ldh], largest, by);
            }
            if (v != 0) {
                v[e % n + e / n * ldv] = e % n == e / n ? one<T>() : zero<T>();
            }
        }
        __syncthreads();
        R allowed = (R)scaled(given, by);
        R off = 0;
        bool done = false;
        i64 sweep = 0;
        for (;; sweep++) {
            R sum = 0;
            R loud = 0;
            for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
                i64 i = e % n;
                i64 j = e / n;
                if (i < j) {
                    R size = sizeOf(h[i + j * ldh]);
                    sum += size * size;
                    loud = counts(h, ldh, i, j) ? (R)1 : loud;
                }
            }
            off = root(2 * ofBlock(sum, true, r.scratch));
            loud = ofBlock(loud, true, r.scratch);
            done = finite && (off <= allowed || loud == 0);
            if (!finite || done || sweep >= args.q) {
                break;
            }
            __syncthreads();
            for (i64 round = 0; round < n + n % 2 - 1; round++) {
                rotateRound(r, h, ldh, v, ldv, n, round);
            }
        }
        R nothing = largest - largest;
        if (threadIdx.x == 0) {
            *at<R>(args.f, problem) = finite ? scaled(off, -by) : nothing;
            *at<i64>(args.g, problem) = sweep;
            *at<int>(args.e, problem) = done ? 0 : 1;
        }
        for (i64 j = threadIdx.x; j < n; j += blockDim.x) {
            values[j] = finite ? scaled(re(h[j + j * ldh]), -by) : nothing;
        }
        __syncthreads();
        if (args.z && finite) {
            sortInto(n, values, v, ldv, a, lda, h);
        } else if (finite) {
            sortInPlace(n, values, v, ldv);
        } else if (args.z) {
            for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
                a[e % n + e / n * lda] = v[e];
            }
        }
        __syncthreads();
    }
}

// How many of the values come before those beyond a bound: of rising ones those that are at most the bound, of falling ones those that are larger.
template <typename R>
BASALT_DEVICE i64 before(i64 n, const R* values, bool falling, double bound) {
    i64 low = 0;
    i64 high = n;
    while (low < high) {
        i64 middle = (low + high) / 2;
        double v = (double)values[middle];
        if (falling ? v > bound : v <= bound) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// m: elements of a vector. x: most vectors. y: 1 where values fall, 2 where vectors are rows. z: the kind of range.
template <typename T>
BASALT_DEVICE void eigenRange(const Args& args) {
    typedef typename Of<T>::Real R;
    i64 n = args.n;
    bool falling = (args.y & 1) != 0;
    bool rows = (args.y & 2) != 0;
    double vl, vu, none;
    load(args.alpha, &vl, &none);
    load(args.beta, &vu, &none);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* values = at<R>(args.a, problem);
        i64 first = 0;
        i64 end = n;
        if (args.z == 2) {
            first = most((i64)1, args.p) - 1;
            end = least(n, args.q);
        } else if (args.z == 1) {
            first = before(n, values, falling, falling ? vu : vl);
            end = before(n, values, falling, falling ? vl : vu);
        }
        i64 count = most((i64)0, end - first);
        if (args.k != 0) {
            // In place: what a step overwrites, later ones have read.
            for (i64 from = 0; from < count; from += blockDim.x) {
                i64 i = from + threadIdx.x;
                R x = i < count ? values[first + i] : (R)0;
                __syncthreads();
                if (i < count) {
                    values[i] = x;
                }
                __syncthreads();
            }
            continue;
        }
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            *at<i64>(args.g, problem) = count;
        }
        if (args.c.base == 0) {
            continue;
        }
        i64 vectors = least(count, (i64)args.x);
        i64 across = rows ? args.m : vectors;
        i64 down = rows ? vectors : args.m;
        const T* all = at<T>(args.b, problem) + (rows ? first : first * args.b.ld);
        i64 warps = (i64)gridDim.x * (blockDim.x / 32);
        for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < across; j += warps) {
            const T* from = all + j * args.b.ld;
            T* to = at<T>(args.c, problem) + j * args.c.ld;
            for (i64 i = threadIdx.x % 32; i < down; i += 32) {
                to[i] = from[i];
            }
        }
    }
}

}  // namespace basalt

#define JACOBI(t, T)                                                       \
    BASALT_KERNEL(basalt_syevj_##t) { basalt::syevj<T>(args); }            \
    BASALT_KERNEL(basalt_eigen_range_##t) { basalt::eigenRange<T>(args); }
BASALT_EACH_TYPE(JACOBI)
