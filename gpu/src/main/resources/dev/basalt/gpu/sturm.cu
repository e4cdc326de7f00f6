// Eigenvalues of symmetric tridiagonal matrices by bisection, and their vectors by inverse iteration. Numbers are computed in the order of the portable kernels, sums of a block apart.
#include "steqr.h"

namespace basalt {

BASALT_DEVICE double tiny(double) { return 4.450147717014403e-308; }  // 2⁻¹⁰²¹
BASALT_DEVICE float tiny(float) { return 2.3509887e-38f; }            // 2⁻¹²⁵
BASALT_DEVICE double tooLong(double) { return 2.037035976334486e90; }   // 2³⁰⁰
BASALT_DEVICE float tooLong(float) { return 1.0995116e12f; }            // 2⁴⁰
BASALT_DEVICE int ordinaryExponent(double) { return 400; }
BASALT_DEVICE int ordinaryExponent(float) { return 40; }
BASALT_DEVICE int halvings(double) { return 1100; }
BASALT_DEVICE int halvings(float) { return 160; }

enum { EVERY = 0, BY_INDEX = 2 };
enum { MOST_ITERATIONS = 7, FURTHER = 2 };

template <typename R>
BASALT_DEVICE int exponentTo(R largest) {
    if (largest == 0) {
        return 0;
    }
    int exponent = exponentOf(largest);
    return exponent > ordinaryExponent(largest) || exponent < -ordinaryExponent(largest) ? -exponent : 0;
}

// How far Gershgorin's circles reach to a side.
template <typename R>
BASALT_DEVICE R edge(const R* x, const R* y, i64 from, i64 to, int side) {
    R far = side * x[from];
    R before = 0;
    for (i64 i = from; i < to; i++) {
        R behind = i + 1 < to ? root(y[i]) : (R)0;
        R here = side * x[i] + before + behind;
        far = here > far ? here : far;
        before = behind;
    }
    return side * far;
}

// Eigenvalues of rows from…to-1 that are less than a number.
template <typename R>
BASALT_DEVICE i64 below(const R* x, const R* y, i64 from, i64 to, R than, R pivot) {
    i64 count = 0;
    R q = 1;
    R before = 0;
    for (i64 i = from; i < to; i++) {
        q = x[i] - than - before / q;
        if (absolute(q) <= pivot) {
            q = -pivot;
        }
        count += q < 0 ? 1 : 0;
        before = y[i];
    }
    return count;
}

// Halves an interval around eigenvalue number i; its middle, or an end.
template <typename R>
BASALT_DEVICE R half(const R* x, const R* y, i64 from, i64 to, i64 i, R left, R right, R exact, R pivot, int side) {
    for (int k = 0; k < halvings(left); k++) {
        R width = right - left;
        R size = most(absolute(left), absolute(right));
        R between = left + width / 2;
        if (!(width > most(exact, 4 * unit(size) * size)) || between <= left || between >= right) {
            break;
        }
        if (below(x, y, from, to, between, pivot) >= i) {
            right = between;
        } else {
            left = between;
        }
    }
    return side < 0 ? left : side > 0 ? right : left + (right - left) / 2;
}

// Takes the smallest and the largest away.
template <typename R>
BASALT_DEVICE i64 without(i64 n, i64 less, i64 more, R* w, i64* blocks) {
    i64 left = n;
    less = less < 0 ? 0 : less;
    more = more < 0 ? 0 : more;
    for (i64 i = 0; i < less + more && left > 0; i++) {
        i64 at = 0;
        for (i64 j = 1; j < left; j++) {
            at = i < less ? (w[j] < w[at] ? j : at) : w[j] >= w[at] ? j : at;
        }
        for (i64 j = at; j + 1 < left; j++) {
            w[j] = w[j + 1];
            blocks[j] = blocks[j + 1];
        }
        left--;
    }
    return left;
}

template <typename R>
BASALT_DEVICE void shellSort(i64 n, R* w, i64* blocks) {
    for (i64 gap = n / 2; gap > 0; gap /= 2) {
        for (i64 i = gap; i < n; i++) {
            R value = w[i];
            i64 block = blocks[i];
            i64 j = i;
            while (j >= gap && (w[j - gap] > value || (w[j - gap] == value && blocks[j - gap] > block))) {
                w[j] = w[j - gap];
                blocks[j] = blocks[j - gap];
                j -= gap;
            }
            w[j] = value;
            blocks[j] = block;
        }
    }
}

// What one thread finds out for all of a block.
template <typename R>
struct Search {
    R low, high, exact, pivot, margin;
    i64 first, last, found;
    int by, finite;
};

// Scales, splits, and finds how many eigenvalues of which block there are: their numbers inside of it go to `which`.
template <typename R>
BASALT_DEVICE void prepare(const Args& args, i64 problem, Search<R>& s, R* x, R* y, R given, i64* head, i64* blocks,
                           i64* ends, i64* which) {
    i64 n = args.n;
    i64 count = 0;
    R largest = 0;
    for (i64 i = 0; i < n; i++) {
        R product = i + 1 < n ? absolute(x[i] * x[i + 1]) : (R)0;
        R step = 2 * unit(product);
        if (y[i] <= step * step * product + tiny(product)) {
            y[i] = 0;
            ends[count++] = i + 1;
        }
        largest = most(largest, y[i]);
    }
    head[1] = count;
    s.pivot = tiny(largest) * most((R)1, largest);
    R size = most(absolute(edge(x, y, 0, n, -1)), absolute(edge(x, y, 0, n, 1)));
    R step = 2 * unit(size);
    s.margin = 2 * step * size * n + 4 * s.pivot;
    s.exact = given > 0 ? scaled(given, s.by) : step * size;
    s.exact = most(s.exact, s.pivot);
    s.low = -size - s.margin;
    s.high = size + s.margin;
    s.first = 1;
    s.last = n;
    s.found = 0;
    if (args.m == BY_INDEX) {
        s.first = most((i64)1, args.p);
        s.last = least(n, args.q);
        if ((args.p == 0 && args.q == 0) || s.first > s.last) {
            return;
        }
        R from = s.low;
        R to = s.high;
        s.low = half(x, y, 0, n, s.first, from, to, s.exact, s.pivot, -1);
        s.high = half(x, y, 0, n, s.last, from, to, s.exact, s.pivot, 1);
    } else if (args.m != EVERY) {
        double vl, vu, none;
        load(args.alpha, &vl, &none);
        load(args.beta, &vu, &none);
        s.low = most(s.low, (R)scaled(vl, s.by));
        R top = (R)scaled(vu, s.by);
        s.high = top < s.high || top != top ? top : s.high;
        if (!(s.low < s.high)) {
            return;
        }
    }
    for (i64 b = 0; b < count; b++) {
        i64 begin = b == 0 ? 0 : ends[b - 1];
        i64 upTo = below(x, y, begin, ends[b], s.high, s.pivot);
        for (i64 i = below(x, y, begin, ends[b], s.low, s.pivot) + 1; i <= upTo; i++) {
            blocks[s.found] = b + 1;
            which[s.found] = i;
            s.found++;
        }
    }
}

template <typename R>
BASALT_DEVICE void stebz(const Args& args) {
    __shared__ Search<R> s;
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const R* d = at<R>(args.a, problem);
        const R* e = args.b.base == 0 ? (const R*)0 : at<R>(args.b, problem);
        R* w = at<R>(args.c, problem);
        R* x = at<R>(args.f, problem) + 1;
        R* y = x + n;
        i64* head = at<i64>(args.g, problem);
        i64* blocks = head + 2;
        i64* ends = blocks + n;
        i64* which = ends + n;
        if (threadIdx.x == 0) {
            R largest = largestOf(n, d, e);
            s.finite = largest - largest == 0;
            s.by = s.finite ? exponentTo(largest) : 0;
            s.found = 0;
            head[0] = 0;
            head[1] = 0;
            *at<int>(args.e, problem) = s.finite ? 0 : (int)n;
        }
        __syncthreads();
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            R beside = i + 1 < n ? scaled(e[i], s.by) : (R)0;
            x[i] = scaled(d[i], s.by);
            y[i] = beside * beside;
            blocks[i] = 0;
            ends[i] = 0;
            if (!s.finite) {
                w[i] = d[0] - d[0] != 0 ? d[0] - d[0] : (d[0] - d[0]) / (d[0] - d[0]);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0 && s.finite) {
            prepare(args, problem, s, x, y, at<R>(args.f, problem)[0], head, blocks, ends, which);
        }
        __syncthreads();
        for (i64 j = threadIdx.x; j < s.found; j += blockDim.x) {
            i64 begin = blocks[j] == 1 ? 0 : ends[blocks[j] - 2];
            i64 end = ends[blocks[j] - 1];
            R left = edge(x, y, begin, end, -1) - s.margin;
            R right = edge(x, y, begin, end, 1) + s.margin;
            left = s.low > left ? s.low : left;
            right = s.high < right ? s.high : right;
            w[j] = end - begin == 1 ? x[begin] : half(x, y, begin, end, which[j], left, right, s.exact, s.pivot, 0);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            i64 found = s.found;
            if (args.m == BY_INDEX && found > 0) {
                i64 less = s.first - 1 - below(x, y, 0, n, s.low, s.pivot);
                i64 left = without(found, less, found - less - (s.last - s.first + 1), w, blocks);
                for (i64 i = left; i < found; i++) {
                    blocks[i] = 0;
                }
                found = left;
            }
            if (args.k == 1) {
                shellSort(found, w, blocks);
            }
            for (i64 i = 0; i < found; i++) {
                y[n + i] = w[i];
                w[i] = scaled(w[i], -s.by);
            }
            head[0] = found;
        }
        __syncthreads();
    }
}

// A number by its place, the same on every device.
BASALT_DEVICE float randomAt(i64 i, i64 j) {
    u64 bits = (u64)(i + 1) * 0x9E3779B97F4A7C15ull + (u64)(j + 1) * 0xBF58476D1CE4E5B9ull;
    bits ^= bits >> 31;
    bits *= 0x94D049BB133111EBull;
    bits ^= bits >> 29;
    return (float)(bits >> 41) * 2.3841858e-07f - 1;
}

// T - shift·I = P·L·U, by one thread: the diagonals of U, what L has, and where rows were exchanged.
template <typename R>
BASALT_DEVICE void factorShifted(i64 rows, const R* x, const R* y, R shift, R norm, R* u, i64 n) {
    R* up = u + n;
    R* upper = up + n;
    R* lower = upper + n;
    R* swaps = lower + n;
    R least = 2 * unit(norm) * norm;
    R main = x[0] - shift;
    R beside = y[0];
    for (i64 i = 0; i < rows; i++) {
        bool more = i + 1 < rows;
        R under = more ? y[i] : (R)0;
        R next = more ? x[i + 1] - shift : (R)0;
        R further = i + 2 < rows ? y[i + 1] : (R)0;
        bool swap = more && absolute(under) > absolute(main);
        R pivot = swap ? under : main;
        if (!(absolute(pivot) > least)) {
            pivot = pivot < 0 ? -least : least;
        }
        R factor = more ? (swap ? main : under) / pivot : (R)0;
        u[i] = pivot;
        up[i] = swap ? next : beside;
        upper[i] = swap ? further : (R)0;
        lower[i] = factor;
        swaps[i] = swap ? (R)1 : (R)0;
        main = swap ? beside - factor * next : next - factor * beside;
        beside = swap ? -factor * further : further;
    }
}

template <typename R>
BASALT_DEVICE void solveShifted(i64 rows, R* b, i64 step, const R* u, i64 n) {
    const R* up = u + n;
    const R* upper = up + n;
    const R* lower = upper + n;
    const R* swaps = lower + n;
    for (i64 i = 0; i + 1 < rows; i++) {
        R one = b[i * step];
        R two = b[(i + 1) * step];
        bool swap = swaps[i] != 0;
        R kept = swap ? two : one;
        b[i * step] = kept;
        b[(i + 1) * step] = (swap ? one : two) - lower[i] * kept;
    }
    for (i64 i = rows - 1; i >= 0; i--) {
        R value = b[i * step];
        value -= i + 1 < rows ? up[i] * b[(i + 1) * step] : (R)0;
        value -= i + 2 < rows ? upper[i] * b[(i + 2) * step] : (R)0;
        value /= u[i];
        b[i * step] = value;
        if (absolute(value) > tooLong(value)) {
            for (i64 k = 0; k < rows; k++) {
                b[k * step] = b[k * step] * (1 / tooLong(value));
            }
        }
    }
}

BASALT_DEVICE i64 before(i64 j, const i64* blocks) {
    i64 i = j - 1;
    while (i >= 0 && blocks[i] != blocks[j]) {
        i--;
    }
    return i;
}

// One vector by a block, of the rows of its part of the matrix; whether it has grown as one of an eigenvalue does.
template <typename R>
BASALT_DEVICE bool grows(i64 j, i64 from, i64 to, int by, const R* w, const R* x, const R* y, R* shifts,
                         const i64* blocks, R* z, i64 step, i64 ldz, i64 n, R* scratch) {
    R* own = z + from * step + j * ldz;
    i64 rows = to - from;
    R given = scaled(w[j], by);
    if (rows == 1) {
        if (threadIdx.x == 0) {
            *own = 1;
            shifts[j] = given;
        }
        __syncthreads();
        return true;
    }
    R norm = 0;
    for (i64 i = from + threadIdx.x; i < to; i += blockDim.x) {
        R left = i > from ? absolute(y[i - 1]) : (R)0;
        R right = i + 1 < to ? absolute(y[i]) : (R)0;
        R here = absolute(x[i]) + left + right;
        norm = here > norm ? here : norm;
    }
    norm = ofBlock(norm, false, scratch);
    R gap = 2 * unit(norm);
    i64 near = before(j, blocks);
    R shift = given;
    if (near >= 0) {
        R apart = gap * absolute(shift);
        shift = shift - shifts[near] < apart ? shifts[near] + apart : shift;
    }
    i64 first = j;
    R last = given;
    for (i64 i = near; i >= 0; i = before(i, blocks)) {
        R value = scaled(w[i], by);
        if (!(absolute(last - value) < norm / 1024)) {
            break;
        }
        first = i;
        last = value;
    }
    R* u = shifts + n;
    __syncthreads();
    if (threadIdx.x == 0) {
        shifts[j] = shift;
        factorShifted(rows, x + from, y + from, shift, norm, u, n);
    }
    for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
        own[i * step] = randomAt(i, j);
    }
    __syncthreads();
    int grown = 0;
    for (int k = 0; k < MOST_ITERATIONS && grown <= FURTHER; k++) {
        R sum = 0;
        for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
            sum += absolute(own[i * step]);
        }
        sum = ofBlock(sum, true, scratch);
        R corner = absolute(u[rows - 1]);
        R factor = rows * norm * (corner > gap ? corner : gap) / sum;
        for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
            own[i * step] *= factor;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            solveShifted(rows, own, step, u, n);
        }
        __syncthreads();
        for (i64 i = first; i < j; i++) {
            if (blocks[i] != blocks[j]) {
                continue;
            }
            const R* other = z + from * step + i * ldz;
            R dot = 0;
            for (i64 r = threadIdx.x; r < rows; r += blockDim.x) {
                dot += other[r * step] * own[r * step];
            }
            dot = ofBlock(dot, true, scratch);
            for (i64 r = threadIdx.x; r < rows; r += blockDim.x) {
                own[r * step] -= dot * other[r * step];
            }
        }
        R peak = 0;
        for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
            peak = most(peak, absolute(own[i * step]));
        }
        peak = ofBlock(peak, false, scratch);
        grown += peak >= root((R)0.1 / rows) ? 1 : 0;
    }
    // Length 1, the largest element positive.
    R high = 0;
    R low = 0;
    for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
        R value = own[i * step];
        high = most(high, value);
        low = most(low, -value);
    }
    high = ofBlock(high, false, scratch);
    low = ofBlock(low, false, scratch);
    R peak = low > high ? -low : high;
    if (peak == 0 || peak - peak != 0) {
        return false;
    }
    R sum = 0;
    for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
        R value = own[i * step] * (1 / peak);
        own[i * step] = value;
        sum += value * value;
    }
    sum = ofBlock(sum, true, scratch);
    R length = 1 / root(sum);
    for (i64 i = threadIdx.x; i < rows; i += blockDim.x) {
        own[i * step] *= length;
    }
    __syncthreads();
    return sum - sum == 0 && grown > FURTHER;
}

template <typename R>
BASALT_DEVICE void stein(const Args& args) {
    __shared__ R scratch[32];
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const R* d = at<R>(args.a, problem);
        const R* e = args.b.base == 0 ? (const R*)0 : at<R>(args.b, problem);
        const R* w = at<R>(args.d, problem);
        R* z = at<R>(args.c, problem);
        i64 ldz = args.c.ld;
        i64 step = args.m;
        R* x = at<R>(args.f, problem);
        R* y = x + n;
        R* shifts = y + n;
        i64* head = at<i64>(args.g, problem);
        i64* blocks = head + 2;
        i64* ends = blocks + n;
        i64* failed = ends + n;
        R largest = 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            largest = most(largest, absolute(d[i]));
            largest = i + 1 < n ? most(largest, absolute(e[i])) : largest;
        }
        largest = ofBlock(largest, false, scratch);
        bool finite = largest - largest == 0;
        int by = finite ? exponentTo(largest) : 0;
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            x[i] = scaled(d[i], by);
            y[i] = i + 1 < n ? scaled(e[i], by) : (R)0;
            failed[i] = 0;
        }
        i64 count = most((i64)0, least(args.k, head[0]));
        i64 splits = most((i64)0, least(n, head[1]));
        int missed = 0;
        __syncthreads();
        for (i64 j = 0; j < count; j++) {
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                z[i * step + j * ldz] = 0;
            }
            __syncthreads();
            i64 block = blocks[j];
            bool known = finite && block >= 1 && block <= splits;
            i64 from = known && block > 1 ? ends[block - 2] : 0;
            i64 to = known ? ends[block - 1] : 0;
            known = known && from >= 0 && from < to && to <= n && w[j] == w[j];
            bool good = false;
            if (known) {
                good = grows(j, from, to, args.p ? 0 : by, w, x, y, shifts, blocks, z, step, ldz, n, scratch);
            }
            if (!good) {
                if (threadIdx.x == 0) {
                    failed[missed] = j + 1;
                }
                missed++;
            }
        }
        if (threadIdx.x == 0 && missed > 0) {
            *at<int>(args.e, problem) += missed;
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define STURM(t, T)                                            \
    BASALT_KERNEL(basalt_stebz_##t) { basalt::stebz<T>(args); } \
    BASALT_KERNEL(basalt_stein_##t) { basalt::stein<T>(args); }
BASALT_S(STURM)
BASALT_D(STURM)
