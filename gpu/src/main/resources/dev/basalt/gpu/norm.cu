// Norms of matrices: of each line, and of all. Sums are of doubles whatever the type is. NaN wins. Then parts of matrices that are set or scaled.
#include "blue.h"
#include "range.h"

namespace basalt {

enum { MAX = 0, ONE = 1, INF = 2, FRO = 3 };
enum { TRIANGULAR = 0, SYMMETRIC = 1, HERMITIAN = 2 };
enum { GENERAL = 0, REGION_UPPER = 1, REGION_LOWER = 2 };

BASALT_DEVICE double larger(double x, double y) { return x != x || x > y ? x : y; }

// What a thread, a warp or a block knows of a norm.
template <int KIND>
struct Tally {
    double v;
    BASALT_DEVICE Tally() : v(0) {}
    template <typename T>
    BASALT_DEVICE void add(T x) {
        number(modulus(x));
    }
    BASALT_DEVICE void number(double x) { v = KIND == MAX ? larger(v, x) : v + x; }
    BASALT_DEVICE double warp() {
        for (int mask = 16; mask > 0; mask >>= 1) {
            number(shuffleXor(v, mask));
        }
        return v;
    }
};
template <>
struct Tally<FRO> {
    Norm n;
    BASALT_DEVICE Tally() {
        n.large = 0;
        n.medium = 0;
        n.small = 0;
    }
    template <typename T>
    BASALT_DEVICE void add(T x) {
        n.add((double)re(x));
        n.add((double)im(x));
    }
    BASALT_DEVICE void number(double x) { n.add(x); }
    BASALT_DEVICE double warp() {
        n.warp();
        return n.root();
    }
};

// The number of a block's warps in every thread. `scratch` holds 33 doubles.
template <int KIND>
BASALT_DEVICE double block(Tally<KIND> t, double* scratch) {
    double v = t.warp();
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = v;
    }
    __syncthreads();
    Tally<KIND> all;
    if (threadIdx.x % 32 < blockDim.x / 32) {
        all.number(scratch[threadIdx.x % 32]);
    }
    return all.warp();
}

// Which elements of the matrix are read.
struct Shape {
    bool apart, symmetric, upper;
    BASALT_DEVICE Shape(const Args& args) {
        symmetric = args.y != TRIANGULAR;
        apart = symmetric || args.diag == UNIT;
        upper = args.uplo == UPPER;
    }
    BASALT_DEVICE i64 firstRow(const Args& args, i64 j) const {
        return most(j > args.q ? j - args.q : 0, apart && !upper ? j + 1 : 0);
    }
    BASALT_DEVICE i64 endRow(const Args& args, i64 j) const {
        return least(args.m - j > args.p ? j + args.p + 1 : args.m, apart && upper ? j : args.m);
    }
    BASALT_DEVICE i64 firstColumn(const Args& args, i64 i) const {
        return most(i > args.p ? i - args.p : 0, apart && upper ? i + 1 : 0);
    }
    BASALT_DEVICE i64 endColumn(const Args& args, i64 i) const {
        return least(args.n - i > args.q ? i + args.q + 1 : args.n, apart && !upper ? i : args.n);
    }
};

// Adds the diagonal element j, where it is looked at by itself.
template <typename T, int KIND>
BASALT_DEVICE void diagonal(const Args& args, const Shape& s, const T* a, i64 j, Tally<KIND>& t) {
    if (s.apart && j < args.m && j < args.n) {
        if (args.diag == UNIT) {
            t.number(1);
        } else {
            T x = a[j * (args.a.ld + 1)];
            t.add(args.y == HERMITIAN ? dropImaginary(x) : x);
        }
    }
}

// Adds what a warp's lanes find in column j, and, where the matrix is symmetric and a sum is wanted, in row j.
template <typename T, int KIND>
BASALT_DEVICE void column(const Args& args, const Shape& s, const T* a, i64 j, Tally<KIND>& t) {
    int lane = threadIdx.x % 32;
    i64 end = s.endRow(args, j);
    for (i64 i = s.firstRow(args, j) + lane; i < end; i += 32) {
        T x = a[i + j * args.a.ld];
        t.add(x);
        if (KIND == FRO && s.symmetric) {
            t.add(x);
        }
    }
    if (KIND == ONE && s.symmetric) {
        end = s.endColumn(args, j);
        for (i64 i = s.firstColumn(args, j) + lane; i < end; i += 32) {
            t.add(a[j + i * args.a.ld]);
        }
    }
    if (lane == 0) {
        diagonal(args, s, a, j, t);
    }
}

// The sum over row i, by a thread.
template <typename T>
BASALT_DEVICE double rowSum(const Args& args, const Shape& s, const T* a, i64 i) {
    Tally<ONE> t;
    i64 end = s.endColumn(args, i);
    for (i64 j = s.firstColumn(args, i); j < end; j++) {
        t.add(a[i + j * args.a.ld]);
    }
    diagonal(args, s, a, i, t);
    return t.v;
}

template <typename T, int KIND>
BASALT_DEVICE void columnNorms(const Args& args, const Shape& s, const T* a, double* b) {
    i64 warps = (i64)gridDim.x * (blockDim.x / 32);
    for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < args.n; j += warps) {
        Tally<KIND> t;
        column<T, KIND>(args, s, a, j, t);
        double v = t.warp();
        if (threadIdx.x % 32 == 0) {
            b[j] = v;
        }
    }
}

template <typename T>
BASALT_DEVICE void lines(const Args& args) {
    Shape s(args);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.a, problem);
        double* b = at<double>(args.b, problem);
        if (args.x == INF && !s.symmetric) {
            i64 step = (i64)gridDim.x * blockDim.x;
            for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < args.m; i += step) {
                b[i] = rowSum(args, s, a, i);
            }
        } else if (args.x == MAX) {
            columnNorms<T, MAX>(args, s, a, b);
        } else if (args.x == FRO) {
            columnNorms<T, FRO>(args, s, a, b);
        } else {
            columnNorms<T, ONE>(args, s, a, b);
        }
    }
}

BASALT_DEVICE void keep(const Args& args, i64 problem, double value) {
    if (threadIdx.x == 0) {
        if (args.z) {
            *at<float>(args.d, problem) = (float)value;
        } else {
            *at<double>(args.d, problem) = value;
        }
    }
}

// One block a problem: each warp has columns.
template <typename T>
BASALT_DEVICE void norm(const Args& args) {
    __shared__ double scratch[33];
    Shape s(args);
    int first = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.a, problem);
        double value;
        if (args.x == FRO) {
            Tally<FRO> t;
            for (i64 j = first; j < args.n; j += warps) {
                column<T, FRO>(args, s, a, j, t);
            }
            value = block(t, scratch);
        } else {
            Tally<MAX> largest;
            if (args.x == INF && !s.symmetric) {
                for (i64 i = threadIdx.x; i < args.m; i += blockDim.x) {
                    largest.number(rowSum(args, s, a, i));
                }
            } else if (args.x == MAX) {
                for (i64 j = first; j < args.n; j += warps) {
                    column<T, MAX>(args, s, a, j, largest);
                }
            } else {
                for (i64 j = first; j < args.n; j += warps) {
                    Tally<ONE> t;
                    column<T, ONE>(args, s, a, j, t);
                    largest.number(t.warp());
                }
            }
            value = block(largest, scratch);
        }
        keep(args, problem, value);
    }
}

template <typename T>
BASALT_DEVICE void tridiagonal(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ double scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const R* d = at<R>(args.a, problem);
        const T* e = at<T>(args.c, problem);
        Tally<FRO> squares;
        Tally<MAX> largest;
        for (i64 i = threadIdx.x; i < args.n; i += blockDim.x) {
            R x = d[i * args.a.ld];
            T before = i > 0 ? e[(i - 1) * args.c.ld] : zero<T>();
            T after = i < args.n - 1 ? e[i * args.c.ld] : zero<T>();
            if (args.x == FRO) {
                squares.add(x);
                squares.add(before);
                squares.add(after);
            } else if (args.x == MAX) {
                largest.add(x);
                largest.add(after);
            } else {
                largest.number(modulus(x) + modulus(before) + modulus(after));
            }
        }
        keep(args, problem, args.x == FRO ? block(squares, scratch) : block(largest, scratch));
    }
}

// ---- parts of a matrix: rows from `first` to `end` of column j

BASALT_DEVICE i64 regionFirst(const Args& args, i64 j) { return args.x == REGION_LOWER ? j : 0; }
BASALT_DEVICE i64 regionEnd(const Args& args, i64 j) {
    return args.x == REGION_UPPER ? least(j + 1, args.m) : args.m;
}

template <typename T>
BASALT_DEVICE void laset(const Args& args) {
    T alpha = value<T>(args.alpha);
    T beta = value<T>(args.beta);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* c = at<T>(args.c, problem);
        for (i64 j = blockIdx.y; j < args.n; j += gridDim.y) {
            i64 end = regionEnd(args, j);
            i64 i = regionFirst(args, j) + (i64)blockIdx.x * blockDim.x + threadIdx.x;
            for (; i < end; i += (i64)gridDim.x * blockDim.x) {
                c[i + j * args.c.ld] = i == j ? beta : alpha;
            }
        }
    }
}

// Factors of which none overflows, as LAPACK's lascl has them.
template <typename R>
struct Factors {
    static const int MOST = 4;
    R f[MOST];
    int count;

    BASALT_DEVICE Factors(R from, R to) : count(0) {
        R small = smallestNormal(from);
        bool done = false;
        while (!done && count < MOST) {
            R less = from * small;
            R far = to * small;
            done = true;
            if (less == from) {
                f[count] = to / from;
            } else if (far == to) {
                f[count] = to;
            } else if (absolute(less) > absolute(to)) {
                f[count] = small;
                from = less;
                done = false;
            } else if (absolute(far) > absolute(from)) {
                f[count] = 1 / small;
                to = far;
                done = false;
            } else {
                f[count] = to / from;
            }
            count++;
        }
    }
};

template <typename T>
BASALT_DEVICE void lascl(const Args& args) {
    typedef typename Of<T>::Real R;
    double from, to, none;
    load(args.alpha, &from, &none);
    load(args.beta, &to, &none);
    int wrong = !(from > 0 || from < 0) ? -4 : to != to ? -5 : 0;
    Factors<R> factors(wrong ? (R)1 : (R)from, wrong ? (R)1 : (R)to);
    BASALT_PROBLEMS(problem) {
        if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0) {
            *at<int>(args.e, problem) = wrong;
        }
        T* c = at<T>(args.c, problem);
        for (i64 j = blockIdx.y; j < args.n && wrong == 0; j += gridDim.y) {
            i64 end = regionEnd(args, j);
            i64 i = regionFirst(args, j) + (i64)blockIdx.x * blockDim.x + threadIdx.x;
            for (; i < end; i += (i64)gridDim.x * blockDim.x) {
                T x = c[i + j * args.c.ld];
                for (int f = 0; f < factors.count; f++) {
                    x = times(factors.f[f], x);
                }
                c[i + j * args.c.ld] = x;
            }
        }
    }
}

// args.y: whether there is a second norm, args.z: whether an order.
template <typename T>
BASALT_DEVICE void rescale(const Args& args) {
    typedef typename Of<T>::Real R;
    R small = smallOf((R)0);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        int first = power(*at<R>(args.a, problem), small);
        int second = args.y ? power(*at<R>(args.b, problem), small) : 0;
        int above = (args.flag ? -first : first) - second;
        i64 most = args.z ? *at<i64>(args.f, problem) : args.m + args.n;
        T* c = at<T>(args.c, problem);
        for (i64 j = blockIdx.y; j < least(args.n, most) && (above != 0 || second != 0); j += gridDim.y) {
            i64 end = least(regionEnd(args, j), most);
            i64 i = regionFirst(args, j) + (i64)blockIdx.x * blockDim.x + threadIdx.x;
            for (; i < end; i += (i64)gridDim.x * blockDim.x) {
                c[i + j * args.c.ld] = scaled(c[i + j * args.c.ld], i < args.p ? above : -second);
            }
        }
    }
}

template <typename T>
BASALT_DEVICE void shift(const Args& args) {
    typedef typename Of<T>::Real R;
    double alpha, none;
    load(args.alpha, &alpha, &none);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R by = (R)(alpha * *at<R>(args.a, problem));
        for (i64 j = (i64)blockIdx.x * blockDim.x + threadIdx.x; j < args.n; j += (i64)gridDim.x * blockDim.x) {
            // The real part comes first.
            *(R*)(at<T>(args.c, problem) + j * (args.c.ld + 1)) += by;
        }
    }
}

}  // namespace basalt

#define NORMS(t, T)                                                                  \
    BASALT_KERNEL(basalt_norm_lines_##t) { basalt::lines<T>(args); }                 \
    BASALT_KERNEL(basalt_norm_##t) { basalt::norm<T>(args); }                        \
    BASALT_KERNEL(basalt_norm_tridiagonal_##t) { basalt::tridiagonal<T>(args); }     \
    BASALT_KERNEL(basalt_laset_##t) { basalt::laset<T>(args); }                      \
    BASALT_KERNEL(basalt_rescale_##t) { basalt::rescale<T>(args); }                  \
    BASALT_KERNEL(basalt_shift_##t) { basalt::shift<T>(args); }                      \
    BASALT_KERNEL(basalt_lascl_##t) { basalt::lascl<T>(args); }
BASALT_EACH_TYPE(NORMS)
