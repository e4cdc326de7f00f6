// Singular values: reflectors of bidiagonal reductions, small reductions in one launch, and QR iteration of bidiagonal matrices.
#include "reflect.h"

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

// ---- QR iteration (Demmel and Kahan, 1990), as DBidiagonalQr

template <typename R>
struct Limits;
template <>
struct Limits<double> {
    static BASALT_DEVICE double unit() { return 1.1102230246251565e-16; }
    static BASALT_DEVICE double tolerance() { return 1.1e-14; }
    static BASALT_DEVICE double leastNormal() { return 2.2250738585072014e-308; }
    static BASALT_DEVICE double small() { return 3.0549363634996047e-151; }   // 2^-500
    static BASALT_DEVICE double large() { return 3.273390607896142e150; }     // 2^500
    static BASALT_DEVICE double up() { return 1.0715086071862673e301; }       // 2^1000
    static BASALT_DEVICE double down() { return 2.409919865102884e-181; }     // 2^-600
    static BASALT_DEVICE double part() { return 0.01; }
};
template <>
struct Limits<float> {
    static BASALT_DEVICE float unit() { return 5.9604645e-08f; }
    static BASALT_DEVICE float tolerance() { return 6e-7f; }
    static BASALT_DEVICE float leastNormal() { return 1.17549435e-38f; }
    static BASALT_DEVICE float small() { return 8.6736174e-19f; }   // 2^-60
    static BASALT_DEVICE float large() { return 1.1529215e18f; }    // 2^60
    static BASALT_DEVICE float up() { return 1.329228e36f; }        // 2^120
    static BASALT_DEVICE float down() { return 8.4703295e-22f; }    // 2^-70
    static BASALT_DEVICE float part() { return 0.01f; }
};
static const int ENOUGH = 6;

template <typename R>
BASALT_DEVICE R least(R x, R y) {
    return x != x || y != y ? x + y : x < y ? x : y;
}

// r of the rotation that takes (f, g) to (r, 0).
template <typename R>
BASALT_DEVICE R planeRotation(R f, R g, R* cosine, R* sine) {
    typedef Limits<R> L;
    R large = larger(absolute(f), absolute(g));
    R scale = large < L::small() ? L::up() : large > L::large() ? L::down() : (R)1;
    R x = f * scale;
    R y = g * scale;
    R r = root(x * x + y * y);
    if (g == 0 || r == 0) {
        *cosine = 1;
        *sine = 0;
        return f;
    }
    *cosine = x / r;
    *sine = y / r;
    return r / scale;
}

// A bidiagonal matrix with room for rotations, and how far its iteration is. One thread works on it.
template <typename R>
struct Bidiagonal {
    i64 n;
    R *d, *e, *right, *left;  // cosines of both kinds, sines n elements behind
    R threshold;
    i64 most, oldFirst, oldLast, first, last;
    bool down;

    // False where an element is not finite.
    BASALT_DEVICE bool take(const R* given) {
        R nothing = 0;
        for (i64 i = 0; i < 2 * n - 1; i++) {
            nothing += 0 * given[i];
            d[i] = given[i];
        }
        e[n - 1] = 0;
        if (nothing == 0) {
            return true;
        }
        for (i64 i = 0; i < n; i++) {
            d[i] = nothing;
            e[i] = 0;
        }
        return false;
    }

    BASALT_DEVICE void raise() {
        for (i64 i = 0; i < n - 1; i++) {
            d[i] = planeRotation(d[i], e[i], left + i, left + n + i);
            R next = d[i + 1];
            e[i] = left[n + i] * next;
            d[i + 1] = left[i] * next;
        }
    }

    BASALT_DEVICE void begin(i64 limit) {
        typedef Limits<R> L;
        R smallest = absolute(d[0]);
        R mu = smallest;
        for (i64 i = 1; i < n && smallest != 0; i++) {
            mu = absolute(d[i]) * (mu / (mu + absolute(e[i - 1])));
            smallest = least(smallest, mu);
        }
        R zeroes = ENOUGH * L::leastNormal() * n * n;
        threshold = larger(L::tolerance() * (smallest / root((R)n)), zeroes);
        most = (limit > 0 ? limit : ENOUGH) * n * n;
        oldFirst = -1;
        oldLast = -1;
        down = true;
        last = n - 1;
    }

    BASALT_DEVICE i64 split() {
        for (i64 i = last - 1; i >= 0; i--) {
            if (absolute(e[i]) <= threshold) {
                e[i] = 0;
                return i + 1;
            }
        }
        return 0;
    }

    // The smallest by the largest number of the block, or -1 where an element beside the diagonal has become zero.
    BASALT_DEVICE R deflate() {
        R tolerance = Limits<R>::tolerance();
        int step = down ? 1 : -1;
        R* x = d + (down ? first : last);
        R* y = e + (down ? first : last - 1);
        R* end = e + (down ? last - 1 : first);
        if (absolute(*end) <= tolerance * absolute(d[down ? last : first])) {
            *end = 0;
            return -1;
        }
        R mu = absolute(*x);
        R smallest = mu;
        R largest = mu;
        for (i64 i = first; i < last; i++, y += step) {
            R beside = absolute(*y);
            if (beside <= tolerance * mu) {
                *y = 0;
                return -1;
            }
            x += step;
            R next = absolute(*x);
            mu = next * (mu / (mu + beside));
            smallest = least(smallest, mu);
            largest = larger(largest, larger(next, beside));
        }
        return smallest / largest;
    }

    static BASALT_DEVICE R smallestOf(R low, R beside, R high) {
        if (low == 0) {
            return 0;
        }
        R sum = 1 + low / high;
        R difference = (high - low) / high;
        if (beside < high) {
            R part = beside / high;
            part *= part;
            return low * (2 / (root(sum * sum + part) + root(difference * difference + part)));
        }
        R part = high / beside;
        if (part == 0) {
            return low * high / beside;
        }
        R more = sum * part;
        R less = difference * part;
        return 2 * (low * (1 / (root(1 + more * more) + root(1 + less * less)))) * part;
    }

    BASALT_DEVICE R shift() {
        R end = absolute(d[down ? first : last]);
        R f = absolute(d[down ? last - 1 : first]);
        R g = absolute(e[down ? last - 1 : first]);
        R h = absolute(d[down ? last : first + 1]);
        R value = smallestOf(f < h ? f : h, g, f < h ? h : f);
        R part = value / end;
        return part * part < Limits<R>::unit() ? (R)0 : value;
    }

    BASALT_DEVICE void plain(int step, R* x, R* y, R* before, R* after) {
        R cosine = 1;
        R oldCosine = 1;
        R oldSine = 0;
        for (i64 k = first; k < last; k++) {
            R r = planeRotation(*x * cosine, *y, before, before + n);
            cosine = *before;
            if (k > first) {
                *(y - step) = oldSine * r;
            }
            *x = planeRotation(oldCosine * r, x[step] * before[n], after, after + n);
            oldCosine = *after;
            oldSine = after[n];
            x += step;
            y += step;
            before += step;
            after += step;
        }
        R end = *x * cosine;
        *x = end * oldCosine;
        *(y - step) = end * oldSine;
    }

    BASALT_DEVICE void shifted(R by, int step, R* x, R* y, R* before, R* after) {
        R own = *x;
        R f = (absolute(own) - by) * ((own < 0 ? -1 : 1) + by / own);
        R g = *y;
        for (i64 k = first; k < last; k++) {
            R r = planeRotation(f, g, before, before + n);
            R c = *before;
            R s = before[n];
            if (k > first) {
                *(y - step) = r;
            }
            R a = *x;
            R b = *y;
            R next = x[step];
            f = c * a + s * b;
            b = c * b - s * a;
            g = s * next;
            next = c * next;
            *x = planeRotation(f, g, after, after + n);
            c = *after;
            s = after[n];
            f = c * b + s * next;
            x[step] = c * next - s * b;
            if (k < last - 1) {
                g = s * y[step];
                y[step] = c * y[step];
            }
            x += step;
            y += step;
            before += step;
            after += step;
        }
        *(y - step) = f;
    }

    // One sweep: 1 where there are rotations to be applied, 0 at the end, -1 where it takes too long.
    BASALT_DEVICE int sweep() {
        typedef Limits<R> L;
        while (last > 0) {
            first = split();
            if (first == last) {
                last--;
                continue;
            }
            if (first > oldLast || last < oldFirst) {
                down = absolute(d[first]) >= absolute(d[last]);
            }
            oldFirst = first;
            oldLast = last;
            R ratio = deflate();
            if (ratio < 0) {
                continue;
            }
            most -= last - first;
            if (most < 0) {
                return -1;
            }
            R by = n * L::tolerance() * ratio <= larger(L::unit(), L::part() * L::tolerance()) ? (R)0 : shift();
            int step = down ? 1 : -1;
            i64 start = down ? first : last;
            i64 beside = down ? first : last - 1;
            R* before = down ? right : left;
            R* after = down ? left : right;
            if (by == 0) {
                plain(step, d + start, e + beside, before + beside, after + beside);
            } else {
                shifted(by, step, d + start, e + beside, before + beside, after + beside);
            }
            for (i64 i = first; i < last && !down; i++) {
                before[n + i] = -before[n + i];
                after[n + i] = -after[n + i];
            }
            return 1;
        }
        return 0;
    }

    BASALT_DEVICE int unconverged() {
        int count = 0;
        for (i64 i = 0; i < n - 1; i++) {
            count += e[i] != 0 ? 1 : 0;
        }
        return count > 1 ? count : 1;
    }
};

// The line of vectors that a thread has: elements step apart.
template <typename T>
struct Line {
    T* x;
    i64 step;
    bool left;  // which rotations it takes
};

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

template <typename T, typename R>
BASALT_DEVICE void rotateLine(Line<T> line, bool backward, i64 first, i64 last, const R* cosines, i64 n) {
    T kept = line.x[(backward ? last : first) * line.step];
    for (i64 k = first; k < last; k++) {
        i64 i = backward ? last - 1 - (k - first) : k;
        R c = cosines[i];
        R s = cosines[n + i];
        T other = line.x[(backward ? i : i + 1) * line.step];
        line.x[(backward ? i + 1 : i) * line.step] = backward ? times(c, kept) - times(s, other) : times(c, kept) + times(s, other);
        kept = backward ? times(c, other) + times(s, kept) : times(c, other) - times(s, kept);
    }
    line.x[(backward ? first : last) * line.step] = kept;
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

template <typename R>
struct Jacobi;
template <>
struct Jacobi<double> {
    static BASALT_DEVICE double shortest() { return 8.900295434028806e-308; }  // 2^-1020
    static BASALT_DEVICE double steep() { return 1125899906842624.0; }         // 2^50
};
template <>
struct Jacobi<float> {
    static BASALT_DEVICE float shortest() { return 4.7019774e-38f; }  // 2^-124
    static BASALT_DEVICE float steep() { return 1048576.0f; }         // 2^20
};

// The norm of n elements by a warp.
template <typename T>
BASALT_DEVICE typename Of<T>::Real lengthOf(const T* x, i64 n) {
    typedef typename Of<T>::Real R;
    R largest = 0;
    R sum = 0;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        T element = x[i];
        largest = larger(larger(largest, absolute(re(element))), absolute(im(element)));
        sum += re(element) * re(element) + im(element) * im(element);
    }
    sum = warpSum(sum);
    if (sum > fewest(sum) && sum < most(sum)) {
        return root(sum);
    }
    for (int mask = 16; mask > 0; mask >>= 1) {
        largest = larger(largest, shuffleXor(largest, mask));
    }
    if (largest == 0 || largest != largest || largest - largest != 0) {
        return largest;
    }
    sum = 0;
    for (i64 i = threadIdx.x % 32; i < n; i += 32) {
        R u = re(x[i]) / largest;
        R v = im(x[i]) / largest;
        sum += u * u + v * v;
    }
    return largest * root(warpSum(sum));
}

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
    R zeta = (b / a - a / b) / (2 * cosine);
    R size = absolute(zeta);
    R tangent = size > Jacobi<R>::steep() ? 1 / (2 * size) : 1 / (size + root(1 + zeta * zeta));
    tangent = zeta < 0 ? -tangent : tangent;
    R c = 1 / root(1 + tangent * tangent);
    R s = c * tangent;
    T turn = Make<T>::of(-s * (re(sum) / cosine), s * (im(sum) / cosine));
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
        // Columns of length 1; one warp fills up those that have no length.
        i64 unit = 0;
        for (i64 j = 0; j < n && warp == 0; j++) {
            T* column = x + j * ldx;
            R length = values[j];
            if (length >= Jacobi<R>::shortest()) {
                R by = 1 / length;
                for (i64 k = lane; k < m; k += 32) {
                    column[k] = times(by, column[k]);
                }
                warpBarrier();
                continue;
            }
            for (i64 tries = 0; tries < m; tries++, unit++) {
                for (i64 k = lane; k < m; k += 32) {
                    column[k] = k == unit % m ? one<T>() : zero<T>();
                }
                R left = 0;
                bool enough = false;
                for (int again = 0; again < 4; again++) {
                    warpBarrier();
                    for (i64 o = 0; o < j; o++) {
                        const T* other = x + o * ldx;
                        T sum = zero<T>();
                        for (i64 k = lane; k < m; k += 32) {
                            fma(conj(other[k], true), column[k], sum);
                        }
                        sum = warpSum(sum);
                        for (i64 k = lane; k < m; k += 32) {
                            column[k] = column[k] - sum * other[k];
                        }
                        warpBarrier();
                    }
                    if (again % 2 == 1) {
                        left = lengthOf(column, m);
                        if (again == 1) {
                            enough = left * left * 2 * m >= (R)0.5;
                        }
                        if (!enough) {
                            break;
                        }
                        R by = 1 / left;
                        for (i64 k = lane; k < m; k += 32) {
                            column[k] = times(by, column[k]);
                        }
                    }
                }
                warpBarrier();
                if (enough) {
                    break;
                }
            }
            unit++;
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define SINGULAR(t, T)                                           \
    BASALT_KERNEL(basalt_gebd2_##t) { basalt::gebd2<T>(args); } \
    BASALT_KERNEL(basalt_labrd_##t) { basalt::labrd<T>(args); } \
    BASALT_KERNEL(basalt_bdsqr_##t) { basalt::bdsqr<T>(args); } \
    BASALT_KERNEL(basalt_gesvj_##t) { basalt::gesvj<T>(args); }
BASALT_EACH_TYPE(SINGULAR)
