// Eigenvectors of matrices in Schur form by substitution, a block of threads a vector, in groups that the workspace has room for; then their products with the Schur vectors. Group i has the eigenvalues whose
// blocks begin in rows i·z to (i + 1)·z - 1, so a pair is never torn apart. x: the group; y: 1 for left vectors, 2 for products.
#include "reflect.h"
#include "substitution.h"

namespace basalt {

// One problem's memory.
template <typename T>
struct Vectors {
    typedef typename Of<T>::Real R;
    i64 n, k, ldt, ldv, from, to;
    const T* t;
    T *v, *x, *product;
    R* norms;
    bool left, times;

    BASALT_DEVICE T at(i64 i, i64 j) const { return t[i + j * ldt]; }
    // Whether rows i and i + 1 are a pair.
    BASALT_DEVICE bool pair(i64 i) const {
        return Of<T>::parts == 1 && i >= 0 && i + 1 < n && !isZero(at(i + 1, i));
    }
    // What the unknown in row r means for row i.
    BASALT_DEVICE T coefficient(i64 i, i64 r) const { return left ? conj(at(r, i), true) : at(i, r); }
};

template <typename T>
BASALT_DEVICE Vectors<T> vectorsOf(const Args& args, i64 problem) {
    typedef typename Of<T>::Real R;
    Vectors<T> g;
    g.n = args.n;
    g.k = least(args.n, most((i64)1, args.k));
    g.left = args.y & 1;
    g.times = (args.y & 2) != 0;
    g.t = at<T>(args.c, problem);
    g.ldt = args.c.ld;
    const Operand& v = g.left ? args.d : args.f;
    g.v = at<T>(v, problem);
    g.ldv = v.ld;
    g.x = at<T>(args.g, problem);
    g.product = g.x + g.n * g.k;
    g.norms = (R*)(g.product + g.n * g.k);
    g.from = (i64)args.x * args.z;
    g.to = least(g.n, g.from + args.z);
    g.from += g.pair(g.from - 1) ? 1 : 0;
    g.to += g.pair(g.to - 1) ? 1 : 0;
    return g;
}

// The largest element of each column, a warp a column.
template <typename T>
BASALT_DEVICE void trevcNorm(const Args& args) {
    typedef typename Of<T>::Real R;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Vectors<T> g = vectorsOf<T>(args, problem);
        for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < g.n; j += warps) {
            R largest = 0;
            for (i64 i = threadIdx.x % 32; i <= j; i += 32) {
                largest = larger(largest, magnitude(g.at(i, j)));
            }
            for (int mask = 16; mask > 0; mask >>= 1) {
                largest = larger(largest, shuffleXor(largest, mask));
            }
            if (threadIdx.x % 32 == 0) {
                g.norms[j] = largest;
            }
        }
    }
}

BASALT_DEVICE Complex<float> complexOf(float x) { return Make<Complex<float>>::real(x); }
BASALT_DEVICE Complex<double> complexOf(double x) { return Make<Complex<double>>::real(x); }
template <typename R>
BASALT_DEVICE Complex<R> complexOf(Complex<R> x) {
    return x;
}

// The parts of a vector in the rows of its own eigenvalue, and that eigenvalue, or its conjugate for a left vector.
template <typename R>
BASALT_DEVICE Complex<R> ownRows(const Vectors<R>& g, i64 k, bool two, Unknowns<R>& u) {
    Complex<R> w = complexOf(g.at(k, k));
    u.first = one<Complex<R>>();
    u.second = zero<Complex<R>>();
    if (two) {
        R above = g.at(k, k + 1);
        R below = g.at(k + 1, k);
        R size = root(absolute(above)) * root(absolute(below));
        bool wide = absolute(above) >= absolute(below);
        R turned = wide ? size / above : -size / below;
        u.first.re = wide == g.left ? turned : (R)1;
        u.second.im = wide == g.left ? (R)1 : turned;
        w.im = g.left ? -size : size;
    }
    return w;
}
template <typename R>
BASALT_DEVICE Complex<R> ownRows(const Vectors<Complex<R>>& g, i64 k, bool, Unknowns<R>& u) {
    u.first = one<Complex<R>>();
    u.second = zero<Complex<R>>();
    return conj(g.at(k, k), g.left);
}

// The vector of the eigenvalue in row k, by a block. What all have read of a row one thread overwrites behind the next barrier.
template <typename T>
BASALT_DEVICE void substitute(const Vectors<T>& g, i64 k, bool two, const Column<T>& c, typename Of<T>::Real norm) {
    typedef typename Of<T>::Real R;
    typedef Complex<R> Z;
    i64 n = g.n;
    R unit = Schur<R>::unit();
    R small = Schur<R>::least() * ((R)n / unit);
    R large = (1 - unit) / small;
    R bound = large / larger((R)1, norm) / (R)n;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        c.put(i, zero<Z>());
    }
    Unknowns<R> u;
    u.factor = 1;
    Z w = ownRows(g, k, two, u);
    R smallest = larger(unit * magnitude(w), small);
    i64 first = k;
    i64 last = two ? k + 1 : k;
    __syncthreads();
    while (true) {
        i64 begin = g.left ? last + 1 : 0;
        i64 end = g.left ? n : first;
        for (i64 i = begin + threadIdx.x; i < end; i += blockDim.x) {
            c.takeOff(i, g.coefficient(i, first), u.first);
            if (last > first) {
                c.takeOff(i, g.coefficient(i, last), u.second);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            c.put(first, u.first);
            if (last > first) {
                c.put(last, u.second);
            }
        }
        if (begin >= end) {
            break;
        }
        first = g.left ? last + 1 : first - 1;
        last = first;
        if (g.left) {
            last += g.pair(first) ? 1 : 0;
        } else {
            first -= g.pair(first - 1) ? 1 : 0;
        }
        u.first = c.get(first);
        Z own = complexOf(g.coefficient(first, first)) - w;
        if (last > first) {
            u.second = c.get(last);
            solveTwo(u, own, complexOf(g.coefficient(first, last)), complexOf(g.coefficient(last, first)),
                     complexOf(g.coefficient(last, last)) - w, smallest, large);
        } else {
            solveOne(u, own, smallest, large);
        }
        // Nor may the products with the unknowns be too large.
        R size = u.size(last > first);
        if (size > 1 && size > bound) {
            u.shrink(size);
        }
        follow(u, c, first, last, n);
    }
    __syncthreads();
}

template <typename T>
BASALT_DEVICE void trevcSolve(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Vectors<T> g = vectorsOf<T>(args, problem);
        R norm = 0;
        for (i64 j = threadIdx.x; j < g.n; j += blockDim.x) {
            norm = larger(norm, g.norms[j]);
        }
        norm = blockLargest(norm, scratch);
        for (i64 k = g.from + blockIdx.x; k < g.to; k += gridDim.x) {
            if (g.pair(k - 1)) {
                continue;
            }
            bool two = g.pair(k);
            T* x = g.x + (k - g.from) * g.n;
            Column<T> c(x, two, g.n);
            substitute(g, k, two, c, norm);
            R size = 0;
            for (i64 i = threadIdx.x; i < g.n; i += blockDim.x) {
                size = larger(size, magnitude(c.get(i)));
            }
            size = blockLargest(size, scratch);
            R by = size > 0 ? 1 / size : (R)1;
            Column<T> to(g.times ? x : g.v + k * g.ldv, two, g.times ? g.n : g.ldv);
            for (i64 i = threadIdx.x; i < g.n; i += blockDim.x) {
                to.put(i, times(by, c.get(i)));
            }
            __syncthreads();
        }
    }
}

static const int TILE = 32;

// Products of the Schur vectors with what has been solved for: tiles of a block of 256 threads.
template <typename T>
BASALT_DEVICE void trevcProduct(const Args& args) {
    __shared__ T a[TILE * (TILE + 1)];
    __shared__ T b[TILE * (TILE + 1)];
    int lane = threadIdx.x % TILE;
    int warp = threadIdx.x / TILE;
    int warps = blockDim.x / TILE;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Vectors<T> g = vectorsOf<T>(args, problem);
        i64 columns = g.to - g.from;
        i64 first = g.left ? g.from : 0;
        i64 last = g.left ? g.n : g.to;
        i64 down = (g.n + TILE - 1) / TILE;
        i64 tiles = down * ((columns + TILE - 1) / TILE);
        for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            i64 row = tile % down * TILE;
            i64 column = tile / down * TILE;
            T sum[TILE / 8];
#pragma unroll
            for (int u = 0; u < TILE / 8; u++) {
                sum[u] = zero<T>();
            }
            for (i64 from = first; from < last; from += TILE) {
                for (int l = warp; l < TILE; l += warps) {
                    bool inside = row + lane < g.n && from + l < last;
                    a[l * (TILE + 1) + lane] = inside ? g.v[row + lane + (from + l) * g.ldv] : zero<T>();
                    inside = column + l < columns && from + lane < last;
                    b[l * (TILE + 1) + lane] = inside ? g.x[from + lane + (column + l) * g.n] : zero<T>();
                }
                __syncthreads();
                for (int l = 0; l < TILE; l++) {
                    T x = a[l * (TILE + 1) + lane];
#pragma unroll
                    for (int u = 0; u < TILE / 8; u++) {
                        fma(x, b[(warp + 8 * u) * (TILE + 1) + l], sum[u]);
                    }
                }
                __syncthreads();
            }
#pragma unroll
            for (int u = 0; u < TILE / 8; u++) {
                i64 j = column + warp + 8 * u;
                if (row + lane < g.n && j < columns) {
                    g.product[row + lane + j * g.n] = sum[u];
                }
            }
        }
    }
}

// Products, with their largest element of size 1, take the places of the Schur vectors: a warp a vector.
template <typename T>
BASALT_DEVICE void trevcStore(const Args& args) {
    typedef typename Of<T>::Real R;
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Vectors<T> g = vectorsOf<T>(args, problem);
        for (i64 k = g.from + (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; k < g.to; k += warps) {
            if (g.pair(k - 1)) {
                continue;
            }
            bool two = g.pair(k);
            Column<T> c(g.product + (k - g.from) * g.n, two, g.n);
            Column<T> to(g.v + k * g.ldv, two, g.ldv);
            R size = 0;
            for (i64 i = threadIdx.x % 32; i < g.n; i += 32) {
                size = larger(size, magnitude(c.get(i)));
            }
            for (int mask = 16; mask > 0; mask >>= 1) {
                size = larger(size, shuffleXor(size, mask));
            }
            R by = size > 0 ? 1 / size : (R)1;
            for (i64 i = threadIdx.x % 32; i < g.n; i += 32) {
                to.put(i, times(by, c.get(i)));
            }
        }
    }
}

}  // namespace basalt

#define TREVC(t, T)                                                          \
    BASALT_KERNEL(basalt_trevc_norm_##t) { basalt::trevcNorm<T>(args); }       \
    BASALT_KERNEL(basalt_trevc_solve_##t) { basalt::trevcSolve<T>(args); }     \
    BASALT_KERNEL(basalt_trevc_product_##t) { basalt::trevcProduct<T>(args); } \
    BASALT_KERNEL(basalt_trevc_store_##t) { basalt::trevcStore<T>(args); }
BASALT_EACH_TYPE(TREVC)
