// Scales of rows and columns, and what iterative refinement needs beside products and solves: mostly a block a problem.
#include "blue.h"

namespace basalt {

enum { TRIANGULAR = 0, SYMMETRIC = 1, HERMITIAN = 2 };
enum { BACKWARD = 0, CORRECT = 1, BOUND = 2, WEIGH = 3, FORWARD = 4 };

// LAPACK's eps.
BASALT_DEVICE float unit(float) { return 0x1p-24f; }
BASALT_DEVICE double unit(double) { return 0x1p-53; }

template <typename R>
BASALT_DEVICE R larger(R x, R y) {
    return x != x || x > y ? x : y;
}

// The largest of a block, in every thread; NaN wins. `scratch` holds 32 elements.
template <typename R>
BASALT_DEVICE R blockLargest(R v, R* scratch) {
    for (int mask = 16; mask > 0; mask >>= 1) {
        v = larger(v, shuffleXor(v, mask));
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        scratch[threadIdx.x / 32] = v;
    }
    __syncthreads();
    R w = scratch[threadIdx.x % 32 < blockDim.x / 32 ? threadIdx.x % 32 : 0];
    for (int mask = 16; mask > 0; mask >>= 1) {
        w = larger(w, shuffleXor(w, mask));
    }
    __syncthreads();
    return w;
}

// ---- scales

// Replaces maxima by their reciprocals and tells the ratio of the smallest to the largest; if one is zero only its number, from 1, in every thread.
template <typename R>
BASALT_DEVICE i64 reciprocals(R* x, i64 n, R most, R* ratio, R* scratch) {
    R safe = smallestNormal((R)0);
    R least = 1 / safe;
    i64 zero = n;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        least = -larger(-least, -x[i]);
        zero = zero == n && x[i] == 0 ? i : zero;
    }
    // Orders are far below what a float counts exactly, and above it any zero will do.
    double first = -blockLargest((double)-zero, (double*)scratch);
    least = -blockLargest(-least, scratch);
    if (first < (double)n) {
        return (i64)first + 1;
    }
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        R v = larger(x[i], safe);
        x[i] = 1 / (v > 1 / safe ? 1 / safe : v);
    }
    if (threadIdx.x == 0) {
        *ratio = larger(least, safe) / (most > 1 / safe ? 1 / safe : most);
    }
    __syncthreads();
    return 0;
}

template <typename T>
BASALT_DEVICE void geequ(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ double room[32];
    R* scratch = (R*)room;
    i64 m = args.m;
    i64 n = args.n;
    int lane = threadIdx.x % 32;
    BASALT_PROBLEMS(problem) {
        const T* a = at<T>(args.a, problem);
        R* rows = at<R>(args.b, problem);
        R* columns = at<R>(args.d, problem);
        R largest = 0;
        for (i64 i = threadIdx.x; i < m; i += blockDim.x) {
            R v = 0;
            for (i64 j = 0; j < n; j++) {
                v = larger(v, magnitude(a[i + j * args.a.ld]));
            }
            rows[i] = v;
            largest = larger(largest, v);
        }
        largest = blockLargest(largest, scratch);
        i64 zero = reciprocals(rows, m, largest, at<R>(args.f, problem), scratch);
        if (threadIdx.x == 0) {
            *at<R>(args.c, problem) = largest;
            *at<int>(args.e, problem) = (int)zero;
        }
        if (zero != 0) {
            continue;
        }
        R most = 0;
        for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
            R v = 0;
            for (i64 i = lane; i < m; i += 32) {
                v = larger(v, magnitude(a[i + j * args.a.ld]) * rows[i]);
            }
            for (int mask = 16; mask > 0; mask >>= 1) {
                v = larger(v, shuffleXor(v, mask));
            }
            if (lane == 0) {
                columns[j] = v;
            }
            most = larger(most, v);
        }
        most = blockLargest(most, scratch);
        zero = reciprocals(columns, n, most, at<R>(args.g, problem), scratch);
        if (threadIdx.x == 0 && zero != 0) {
            *at<int>(args.e, problem) = (int)(m + zero);
        }
        __syncthreads();
    }
}

template <typename T>
BASALT_DEVICE void poequ(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ double room[32];
    R* scratch = (R*)room;
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        const T* a = at<T>(args.a, problem);
        R* s = at<R>(args.b, problem);
        R most = re(a[0]);
        R least = most;
        i64 wrong = n;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            R v = re(a[i * (args.a.ld + 1)]);
            s[i] = v;
            most = larger(most, v);
            least = -larger(-least, -v);
            wrong = wrong == n && !(v > 0) ? i : wrong;
        }
        most = blockLargest(most, scratch);
        least = -blockLargest(-least, scratch);
        double first = -blockLargest((double)-wrong, room);
        bool good = first >= (double)n;
        if (threadIdx.x == 0) {
            *at<R>(args.c, problem) = most;
            *at<int>(args.e, problem) = good ? 0 : (int)first + 1;
            if (good) {
                *at<R>(args.f, problem) = root(least) / root(most);
            }
        }
        for (i64 i = threadIdx.x; i < n && good; i += blockDim.x) {
            s[i] = 1 / root(s[i]);
        }
        __syncthreads();
    }
}

template <typename T>
BASALT_DEVICE void laqge(const Args& args) {
    typedef typename Of<T>::Real R;
    bool symmetric = args.x != TRIANGULAR;
    R small = smallestNormal((R)0) / (2 * unit((R)0));
    BASALT_PROBLEMS(problem) {
        R most = *at<R>(args.g, problem);
        bool usual = most >= small && most <= 1 / small;
        int worth = *at<R>(args.d, problem) >= (R)0.1 && usual ? 0 : 1;
        worth += symmetric || *at<R>(args.f, problem) >= (R)0.1 ? 0 : 2;
        if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0) {
            *at<i64>(args.e, problem) = worth;
        }
        const R* r = at<R>(args.a, problem);
        const R* s = at<R>(args.b, problem);
        T* c = at<T>(args.c, problem);
        for (i64 j = blockIdx.y; j < args.n && worth != 0; j += gridDim.y) {
            i64 first = symmetric && args.uplo == LOWER ? j : 0;
            i64 end = symmetric && args.uplo == UPPER ? j + 1 : args.m;
            R f = symmetric || worth > 1 ? s[j] : (R)1;
            for (i64 i = first + (i64)blockIdx.x * blockDim.x + threadIdx.x; i < end;
                    i += (i64)gridDim.x * blockDim.x) {
                T x = times(worth == 2 ? f : f * r[i], c[i + j * args.c.ld]);
                c[i + j * args.c.ld] = args.x == HERMITIAN && i == j ? dropImaginary(x) : x;
            }
        }
    }
}

// ---- refinement

// The magnitude of element (i, j) of the matrix that is meant.
template <typename T>
BASALT_DEVICE typename Of<T>::Real element(const Args& args, const T* a, i64 i, i64 j) {
    bool turned = args.x == TRIANGULAR ? args.opA != NONE : (args.uplo == UPPER) != (i <= j);
    T x = turned ? a[j + i * args.a.ld] : a[i + j * args.a.ld];
    return magnitude(args.x == HERMITIAN && i == j ? dropImaginary(x) : x);
}

template <typename T>
BASALT_DEVICE void gemvAbs(const Args& args) {
    typedef typename Of<T>::Real R;
    bool rows = args.opA == NONE && args.x == TRIANGULAR;
    int lanes = rows ? 1 : 32;
    int lane = rows ? 0 : threadIdx.x % 32;
    i64 each = blockDim.x / lanes;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.a, problem);
        for (i64 j = blockIdx.y; j < args.n; j += gridDim.y) {
            const T* x = at<T>(args.b, problem) + j * args.b.ld;
            for (i64 i = (i64)blockIdx.x * each + threadIdx.x / lanes; i < args.m; i += (i64)gridDim.x * each) {
                R sum = 0;
                for (i64 l = lane; l < args.m; l += lanes) {
                    sum += element(args, a, i, l) * magnitude(x[l]);
                }
                sum = rows ? sum : warpSum(sum);
                if (lane == 0) {
                    at<R>(args.d, problem)[i + j * args.d.ld] =
                            sum + magnitude(at<T>(args.c, problem)[i + j * args.c.ld]);
                }
            }
        }
    }
}

template <typename T>
BASALT_DEVICE void gerfs(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[32];
    i64 n = args.n;
    R eps = unit((R)0);
    R safe = (R)(n + 1) * smallestNormal((R)0);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.a, problem);
        R* b = at<R>(args.b, problem);
        T* c = at<T>(args.c, problem);
        R* d = at<R>(args.d, problem);
        R* state = at<R>(args.f, problem);
        if (args.p == WEIGH) {
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                c[i] = times(b[i], c[i]);
            }
            continue;
        }
        if (args.p == FORWARD) {
            R largest = 0;
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                largest = larger(largest, magnitude(c[i]));
            }
            largest = blockLargest(largest, scratch);
            if (threadIdx.x == 0 && largest != 0) {
                d[0] /= largest;
            }
            continue;
        }
        int done = 1;
        for (i64 r = 0; r < args.k; r++) {
            R before = args.p == BACKWARD && args.q == 1 ? (R)3 : state[r];
            R error = 0;
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                T x = a[i + r * args.a.ld];
                R w = b[i + r * args.b.ld];
                if (args.p == BACKWARD) {
                    R res = magnitude(x);
                    error = larger(error, w > safe / eps ? res / w : (res + safe) / (w + safe));
                } else if (args.p == BOUND) {
                    R bound = magnitude(x) + (R)(n + 1) * eps * w;
                    b[i + r * args.b.ld] = w > safe / eps ? bound : bound + safe;
                } else if (!(before < 0)) {
                    c[i + r * args.c.ld] = c[i + r * args.c.ld] + x;
                }
            }
            if (args.p == BACKWARD) {
                error = blockLargest(error, scratch);
                bool more = error > eps && 2 * error <= before && args.q <= 5;
                done = before < 0 || !more ? done : 0;
                if (threadIdx.x == 0 && !(before < 0)) {
                    d[r] = error;
                    state[r] = more ? error : (R)-1;
                }
            }
        }
        if (args.p == BACKWARD && threadIdx.x == 0) {
            *at<int>(args.e, problem) = done;
        }
        __syncthreads();
    }
}

// ---- expert drivers

enum { GIVEN = 0, UNSCALED = 1, GROWTH = 2, REPORT = 3 };

template <typename T>
BASALT_DEVICE void scaleRows(const Args& args) {
    typedef typename Of<T>::Real R;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem) || (*at<i64>(args.f, problem) & args.p) == 0) {
            continue;
        }
        const R* s = at<R>(args.a, problem);
        T* c = at<T>(args.c, problem);
        for (i64 j = blockIdx.y; j < args.n; j += gridDim.y) {
            i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
            for (; i < args.m; i += (i64)gridDim.x * blockDim.x) {
                c[i + j * args.c.ld] = times(s[i], c[i + j * args.c.ld]);
            }
        }
    }
}

// The smallest scale over the largest, 0 if one is not positive.
template <typename R>
BASALT_DEVICE R scaleRatio(const R* x, i64 n, R* scratch) {
    R safe = smallestNormal((R)0);
    R least = -x[0];
    R most = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        least = larger(least, -x[i]);
        most = larger(most, x[i]);
    }
    least = -blockLargest(least, scratch);
    most = blockLargest(most, scratch);
    return least > 0 ? larger(least, safe) / (most > 1 / safe ? 1 / safe : most) : (R)0;
}

// The largest of the first of a column's maxima.
BASALT_DEVICE double largestOf(const double* x, i64 n, double* scratch) {
    double most = 0;
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        most = larger(most, x[i]);
    }
    return blockLargest(most, scratch);
}

template <typename R>
BASALT_DEVICE void given(const Args& args, i64 problem, double* room) {
    i64 which = *at<i64>(args.f, problem);
    int wrong = which < 0 || which > (args.x ? 3 : 1) ? -(int)args.q : 0;
    R rows = 1;
    R columns = 1;
    if (wrong == 0 && (which & 1)) {
        rows = scaleRatio(at<R>(args.a, problem), args.n, (R*)room);
        wrong = rows == 0 ? -(int)args.q - 1 : 0;
    }
    if (wrong == 0 && (which & 2)) {
        columns = scaleRatio(at<R>(args.b, problem), args.n, (R*)room);
        wrong = columns == 0 ? -(int)args.q - 2 : 0;
    }
    if (threadIdx.x == 0) {
        R* ratios = at<R>(args.c, problem);
        ratios[0] = rows;
        ratios[1] = columns;
        *at<int>(args.e, problem) = wrong;
    }
}

template <typename R>
BASALT_DEVICE void growth(const Args& args, i64 problem, double* room) {
    int info = *at<int>(args.e, problem);
    if (threadIdx.x == 0) {
        *at<int>(args.g, problem) = info;
    }
    if (args.x) {
        i64 columns = info > 0 ? info : args.n;
        double before = largestOf(at<double>(args.a, problem), columns, room);
        double after = largestOf(at<double>(args.b, problem), columns, room);
        if (threadIdx.x == 0) {
            *at<R>(args.d, problem) = after == 0 ? (R)1 : (R)(before / after);
        }
    }
}

template <typename R>
BASALT_DEVICE void report(const Args& args, i64 problem) {
    bool failed = *at<int>(args.e, problem) != 0;
    bool scaled = (*at<i64>(args.f, problem) & args.q) != 0;
    // All have read info before one writes it.
    __syncthreads();
    for (i64 j = threadIdx.x; j < args.k && scaled && !failed; j += blockDim.x) {
        at<R>(args.b, problem)[j] /= at<R>(args.a, problem)[args.q - 1];
    }
    if (threadIdx.x == 0) {
        R* rcond = at<R>(args.d, problem);
        if (failed) {
            *rcond = 0;
        } else if (!(*rcond >= unit((R)0))) {
            *at<int>(args.e, problem) = (int)(args.n + 1);
        }
    }
}

// A block a problem. args.x: whether there are scales of columns, or growth is asked for.
template <typename T>
BASALT_DEVICE void gesvx(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ double room[32];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        if (args.p == GIVEN) {
            given<R>(args, problem, room);
        } else if (args.p == UNSCALED) {
            if (threadIdx.x < 3 && *at<int>(args.e, problem) != 0) {
                at<R>(args.c, problem)[threadIdx.x] = 1;
            }
        } else if (args.p == GROWTH) {
            growth<R>(args, problem, room);
        } else {
            report<R>(args, problem);
        }
    }
}

}  // namespace basalt

#define REFINEMENT(t, T)                                            \
    BASALT_KERNEL(basalt_geequ_##t) { basalt::geequ<T>(args); }       \
    BASALT_KERNEL(basalt_poequ_##t) { basalt::poequ<T>(args); }       \
    BASALT_KERNEL(basalt_laqge_##t) { basalt::laqge<T>(args); }       \
    BASALT_KERNEL(basalt_gemv_abs_##t) { basalt::gemvAbs<T>(args); }  \
    BASALT_KERNEL(basalt_gerfs_##t) { basalt::gerfs<T>(args); }       \
    BASALT_KERNEL(basalt_scale_rows_##t) { basalt::scaleRows<T>(args); } \
    BASALT_KERNEL(basalt_gesvx_##t) { basalt::gesvx<T>(args); }
BASALT_EACH_TYPE(REFINEMENT)
