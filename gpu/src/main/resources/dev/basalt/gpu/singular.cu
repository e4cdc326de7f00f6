// Singular values: reflectors of bidiagonal reductions, small reductions in one launch, and QR iteration of bidiagonal matrices.
#include "one_sided.h"

namespace basalt {

// x of n elements step apart := y, or its conjugate.
template <typename T>
BASALT_DEVICE void copyLine(i64 n, const T* y, i64 from, T* x, i64 step, bool conjugated) {
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        x[i * step] = conj(y[i * from], conjugated);
    }
}

// The reflector of v, by a block: see Kernel.LABRD.
template <typename T>
BASALT_DEVICE void bidiagonalReflector(i64 n, bool conjugated, T* v, T* line, i64 step, T* tau,
                                       typename Of<T>::Real* beta, T* scaled, typename Of<T>::Real* scratch) {
    T factor = larfg(v, v + 1, 1, n - 1, false, scratch);
    __syncthreads();
    copyLine(n, v, 1, line, step, conjugated);
    __syncthreads();
    if (threadIdx.x == 0) {
        *tau = factor;
        *beta = re(v[0]);
        line[0] = dropImaginary(v[0]);
        v[0] = one<T>();
    }
    __syncthreads();
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        scaled[i] = factor * v[i];
    }
    __syncthreads();
}

template <typename T>
BASALT_DEVICE void labrd(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        bidiagonalReflector(args.n, (bool)args.flag, at<T>(args.b, problem), at<T>(args.c, problem), args.c.ld,
                            at<T>(args.d, problem), at<R>(args.a, problem), at<T>(args.g, problem), scratch);
    }
}

// The reflector on the rows of a block as it is read, m×n: of what is stored, or its columns. A warp a column of what is stored.
template <typename T>
BASALT_DEVICE void reflectRows(bool turned, i64 m, i64 n, const T* v, const T* scaled, T* a, i64 lda, T* product) {
    int lane = threadIdx.x % 32;
    int warps = blockDim.x / 32;
    if (turned) {
        // What is stored is n×m: its rows meet the vector, a thread a row.
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            T sum = zero<T>();
            for (i64 j = 0; j < m; j++) {
                fma(a[i + j * lda], scaled[j], sum);
            }
            for (i64 j = 0; j < m; j++) {
                a[i + j * lda] = a[i + j * lda] - sum * conj(v[j], true);
            }
        }
    } else {
        for (i64 j = threadIdx.x / 32; j < n; j += warps) {
            T* column = a + j * lda;
            T sum = zero<T>();
            for (i64 i = lane; i < m; i += 32) {
                fma(conj(column[i], true), scaled[i], sum);
            }
            sum = conj(warpSum(sum), true);
            for (i64 i = lane; i < m; i += 32) {
                column[i] = column[i] - v[i] * sum;
            }
        }
    }
    __syncthreads();
}

// One block a problem.
template <typename T>
BASALT_DEVICE void gebd2(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    bool turned = args.opB != NONE;
    i64 rows = turned ? args.n : args.m;
    i64 cols = turned ? args.m : args.n;
    i64 lda = args.c.ld;
    i64 di = turned ? lda : 1;
    i64 dj = turned ? 1 : lda;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        T* v = at<T>(args.g, problem);
        T* product = v + rows;
        T* scaled = product + rows;
        T* first = at<T>(turned ? args.f : args.d, problem);
        T* second = at<T>(turned ? args.d : args.f, problem);
        R* diagonal = at<R>(args.a, problem);
        for (i64 i = 0; i < cols; i++) {
            T* x = a + i * (lda + 1);
            copyLine(rows - i, x, di, v, 1, turned);
            __syncthreads();
            bidiagonalReflector(rows - i, turned, v, x, di, first + i, diagonal + i, scaled, scratch);
            if (i == cols - 1) {
                if (threadIdx.x == 0) {
                    second[i] = zero<T>();
                }
                break;
            }
            T* right = x + dj;
            reflectRows(turned, rows - i, cols - i - 1, v, scaled, right, lda, product);
            copyLine(cols - i - 1, right, dj, v, 1, !turned);
            __syncthreads();
            bidiagonalReflector(cols - i - 1, !turned, v, right, dj, second + i, at<R>(args.b, problem) + i, scaled,
                                scratch);
            reflectRows(!turned, cols - i - 1, rows - i - 1, v, scaled, right + di, lda, product);
        }
        __syncthreads();
    }
}

// Line number `line` of the rows of a, as they may be turned, of the rows of b and of the columns of c.
template <typename T>
BASALT_DEVICE Line<T> lineOf(const Args& args, i64 problem, i64 line) {
    Line<T> l;
    if (line < args.m) {
        l.left = false;
        l.step = args.opA == NONE ? 1 : args.a.ld;
        l.x = at<T>(args.a, problem) + line * (args.opA == NONE ? args.a.ld : 1);
        return l;
    }
    l.left = true;
    if (line < args.m + args.p) {
        l.step = args.b.ld;
        l.x = at<T>(args.b, problem) + (line - args.m);
        return l;
    }
    l.step = 1;
    l.x = at<T>(args.c, problem) + (line - args.m - args.p) * args.c.ld;
    return l;
}

// Blocks share the lines, and each repeats the iteration.
template <typename T>
BASALT_DEVICE void bdsqr(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ i64 block[2];
    __shared__ int state[2];
    i64 n = args.n;
    i64 lines = args.m + args.p + args.k;
    i64 each = (lines + gridDim.x - 1) / gridDim.x;
    i64 from = blockIdx.x * each;
    i64 to = from + each < lines ? from + each : lines;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Bidiagonal<R> b;
        b.n = n;
        b.d = at<R>(args.g, problem) + blockIdx.x * 6 * n;
        b.e = b.d + n;
        b.right = b.e + n;
        b.left = b.right + 2 * n;
        bool lower = args.uplo == LOWER;
        if (threadIdx.x == 0) {
            bool finite = b.take(at<R>(args.f, problem));
            state[0] = finite;
            if (finite && lower) {
                b.raise();
            }
            if (finite) {
                b.begin(args.q);
            }
        }
        __syncthreads();
        bool finite = state[0];
        if (finite && lower && n > 1) {
            for (i64 i = from + threadIdx.x; i < to; i += blockDim.x) {
                Line<T> line = lineOf<T>(args, problem, i);
                if (line.left) {
                    rotateLine(line, false, 0, n - 1, b.left, n);
                }
            }
        }
        int more = finite ? 1 : -2;
        while (more == 1) {
            __syncthreads();
            if (threadIdx.x == 0) {
                state[0] = b.sweep();
                state[1] = b.down;
                block[0] = b.first;
                block[1] = b.last;
            }
            __syncthreads();
            more = state[0];
            for (i64 i = from + threadIdx.x; more == 1 && i < to; i += blockDim.x) {
                Line<T> line = lineOf<T>(args, problem, i);
                rotateLine(line, !state[1], block[0], block[1], line.left ? b.left : b.right, n);
            }
        }
        if (more != 0) {
            if (threadIdx.x == 0 && blockIdx.x == 0) {
                *at<int>(args.e, problem) = more == -1 ? b.unconverged() : (int)n;
            }
            __syncthreads();
            continue;
        }
        // Signs, then the order: the largest of the rest, again and again.
        for (i64 j = 0; j < n; j++) {
            bool negative = b.d[j] < 0;
            for (i64 i = from + threadIdx.x; negative && i < to; i += blockDim.x) {
                Line<T> line = lineOf<T>(args, problem, i);
                if (!line.left) {
                    line.x[j * line.step] = -line.x[j * line.step];
                }
            }
        }
        __syncthreads();
        for (i64 j = threadIdx.x; j < n; j += blockDim.x) {
            b.d[j] = b.d[j] == 0 ? (R)0 : absolute(b.d[j]);
        }
        __syncthreads();
        for (i64 j = 0; j < n - 1; j++) {
            if (threadIdx.x == 0) {
                i64 best = j;
                for (i64 i = j + 1; i < n; i++) {
                    best = b.d[i] > b.d[best] ? i : best;
                }
                block[0] = best;
                R kept = b.d[j];
                b.d[j] = b.d[best];
                b.d[best] = kept;
            }
            __syncthreads();
            i64 best = block[0];
            for (i64 i = from + threadIdx.x; best != j && i < to; i += blockDim.x) {
                Line<T> line = lineOf<T>(args, problem, i);
                T kept = line.x[j * line.step];
                line.x[j * line.step] = line.x[best * line.step];
                line.x[best * line.step] = kept;
            }
            __syncthreads();
        }
        if (threadIdx.x == 0 && blockIdx.x == 0) {
            *at<int>(args.e, problem) = 0;
        }
        __syncthreads();
    }
}

// ---- one-sided Jacobi, as DJacobi

// x := c·x + s·y and y := c·y - conj(s)·x, by a warp; then they change places, if so.
template <typename T, typename R>
BASALT_DEVICE void rotateColumns(i64 n, R c, T s, bool exchange, T* x, T* y) {
    for (i64 k = threadIdx.x % 32; k < n; k += 32) {
        T a = x[k];
        T b = y[k];
        T p = times(c, a) + s * b;
        T q = times(c, b) - conj(s, true) * a;
        x[k] = exchange ? q : p;
        y[k] = exchange ? p : q;
    }
}

// A pair of columns by a warp: the cosine of their angle.
template <typename T, typename R>
BASALT_DEVICE R rotatePair(i64 m, i64 n, T* xi, T* xj, T* vi, T* vj, R* ai, R* aj, R tolerance) {
    int lane = threadIdx.x % 32;
    R a = *ai;
    R b = *aj;
    bool exchange = b > a;
    T sum = zero<T>();
    if (a >= Jacobi<R>::shortest() && b >= Jacobi<R>::shortest()) {
        R p = 1 / a;
        R q = 1 / b;
        for (i64 k = lane; k < m; k += 32) {
            fma(conj(times(p, xi[k]), true), times(q, xj[k]), sum);
        }
    }
    sum = warpSum(sum);
    R cosine = root(re(sum) * re(sum) + im(sum) * im(sum));
    warpBarrier();
    if (!(cosine > tolerance)) {
        if (exchange) {
            rotateColumns(m, (R)1, zero<T>(), true, xi, xj);
            rotateColumns(n, (R)1, zero<T>(), true, vi, vj);
            if (lane == 0) {
                *ai = b;
                *aj = a;
            }
        }
        return cosine;
    }
    T turn;
    R c = turnOfColumns(a, b, sum, cosine, &turn);
    rotateColumns(m, c, turn, exchange, xi, xj);
    rotateColumns(n, c, turn, exchange, vi, vj);
    warpBarrier();
    R first = lengthOf(xi, m);
    R second = lengthOf(xj, m);
    if (lane == 0) {
        *ai = first;
        *aj = second;
    }
    return cosine;
}

// One block a problem; a round's pairs are independent, a warp each.
template <typename T>
BASALT_DEVICE void gesvj(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R worst[32];
    __shared__ int flag;
    i64 m = args.m;
    i64 n = args.n;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    int lane = threadIdx.x % 32;
    double given, none;
    load(args.alpha, &given, &none);
    R tolerance = larger((R)given, Limits<R>::unit() * root((R)m));
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* x = at<T>(args.c, problem);
        T* v = at<T>(args.b, problem);
        R* values = at<R>(args.a, problem);
        i64 ldx = args.c.ld;
        i64 ldv = args.b.ld;
        for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
            v[e % n + e / n * ldv] = e % n == e / n ? one<T>() : zero<T>();
        }
        R found = 0;
        bool done = false;
        bool finite = true;
        i64 sweep = 0;
        for (;; sweep++) {
            if (threadIdx.x == 0) {
                flag = 1;
            }
            __syncthreads();
            for (i64 j = warp; j < n; j += warps) {
                R length = lengthOf(x + j * ldx, m);
                if (lane == 0) {
                    values[j] = length;
                    if (length - length != 0) {
                        flag = 0;
                    }
                }
            }
            __syncthreads();
            finite = flag;
            if (!finite || done || sweep >= args.q) {
                break;
            }
            R mine = 0;
            i64 seats = n + n % 2;
            for (i64 round = 0; round < seats - 1; round++) {
                for (i64 pair = warp; pair < seats / 2; pair += warps) {
                    i64 one = (round + pair) % (seats - 1);
                    i64 other = pair == 0 ? seats - 1 : (round - pair + seats - 1) % (seats - 1);
                    i64 i = one < other ? one : other;
                    i64 j = one < other ? other : one;
                    if (j < n) {
                        R cosine = rotatePair(m, n, x + i * ldx, x + j * ldx, v + i * ldv, v + j * ldv, values + i,
                                              values + j, tolerance);
                        mine = larger(mine, cosine);
                    }
                }
                __syncthreads();
            }
            if (lane == 0) {
                worst[warp] = mine;
            }
            __syncthreads();
            found = 0;
            for (int w = 0; w < warps; w++) {
                found = larger(found, worst[w]);
            }
            done = found <= tolerance;
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            *at<R>(args.f, problem) = finite ? found : values[0] - values[0];
            *at<i64>(args.g, problem) = sweep;
            *at<int>(args.e, problem) = finite && done ? 0 : 1;
        }
        __syncthreads();
        if (!finite) {
            R nothing = 0;
            for (i64 j = 0; j < n; j++) {
                nothing += values[j] - values[j];
            }
            __syncthreads();
            for (i64 j = threadIdx.x; j < n; j += blockDim.x) {
                values[j] = nothing;
            }
            if (threadIdx.x == 0) {
                *at<R>(args.f, problem) = nothing;
            }
            __syncthreads();
            continue;
        }
        // The largest first.
        for (i64 i = 0; i < n - 1; i++) {
            i64 best = i;
            for (i64 j = i + 1; j < n; j++) {
                best = values[j] > values[best] ? j : best;
            }
            __syncthreads();
            if (best != i) {
                for (i64 k = threadIdx.x; k < m; k += blockDim.x) {
                    T kept = x[k + i * ldx];
                    x[k + i * ldx] = x[k + best * ldx];
                    x[k + best * ldx] = kept;
                }
                for (i64 k = threadIdx.x; k < n; k += blockDim.x) {
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
        if (warp == 0) {
            unitColumns(m, n, x, ldx, values);
        }
        __syncthreads();
    }
}

// Rows by what is no zero beside the first of falling numbers, and how many that are: see Kernel.PSEUDO.
template <typename T>
BASALT_DEVICE void pseudo(const Args& args) {
    typedef typename Of<T>::Real R;
    T alpha = value<T>(args.alpha);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const R* values = at<R>(args.a, problem);
        R part = re(alpha) < 0 ? Limits<R>::unit() : re(alpha);
        R zero = larger(part * values[0], Limits<R>::leastNormal());
        T* c = at<T>(args.c, problem);
        for (i64 k = (i64)blockIdx.x * blockDim.x + threadIdx.x; k < args.m * args.n; k += (i64)gridDim.x * blockDim.x) {
            R value = values[k % args.m];
            T* x = c + k % args.m + k / args.m * args.c.ld;
            *x = times(value <= zero ? (R)0 : 1 / value, *x);
        }
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            i64 rank = 0;
            for (i64 i = 0; i < args.m; i++) {
                rank += values[i] > zero ? 1 : 0;
            }
            *at<i64>(args.d, problem) = rank;
        }
    }
}

}  // namespace basalt

#define SINGULAR(t, T)                                           \
    BASALT_KERNEL(basalt_gebd2_##t) { basalt::gebd2<T>(args); } \
    BASALT_KERNEL(basalt_labrd_##t) { basalt::labrd<T>(args); } \
    BASALT_KERNEL(basalt_bdsqr_##t) { basalt::bdsqr<T>(args); } \
    BASALT_KERNEL(basalt_gesvj_##t) { basalt::gesvj<T>(args); } \
    BASALT_KERNEL(basalt_pseudo_##t) { basalt::pseudo<T>(args); }
BASALT_EACH_TYPE(SINGULAR)
