// Divide and conquer for bidiagonal matrices, step by step as DBdsdc of the portable kernels says. In y are the leaves or merges of a level, in x what is independent inside them.
#include "bidiagonal.h"
#include "deflate.h"

namespace basalt {

BASALT_DEVICE int leastExponent(double) { return -1022; }
BASALT_DEVICE int leastExponent(float) { return -126; }

// What products of the right vectors read lies so far behind that of the left ones.
BASALT_DEVICE i64 behind(const Args& args) {
    return args.n * args.n + (args.k == 0 ? 0 : args.n * halfOf(args.n, args.k, args.k - 1));
}

// The same merge, of the right vectors.
template <typename R>
BASALT_DEVICE Merge<R> rightOf(const Args& args, Merge<R> g) {
    g.q += g.n * g.ldq;
    g.s += behind(args);
    g.halves += behind(args);
    return g;
}

template <typename R>
BASALT_DEVICE void divisionSplit(const Args& args) {
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* q = at<R>(args.c, problem);
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < 2 * n * n; i += (i64)gridDim.x * blockDim.x) {
            q[i % n + i / n * args.c.ld] = 0;
        }
        if (blockIdx.x != 0 || threadIdx.x != 0) {
            continue;
        }
        R* d = at<R>(args.a, problem);
        R* e = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        R largest = largestOf(n, d, e);
        bool finite = allFinite(n, d, e);
        int scale = largest == 0 || !finite ? 0 : exponentOf(largest);
        i64* ints = at<i64>(args.f, problem);
        ints[6 * n + 15] = scale;
        ints[6 * n + 14] = finite ? 0 : 1;
        for (i64 i = 0; i < n; i++) {
            d[i] = finite ? scaled(d[i], -scale) : (R)0;
            if (i + 1 < n) {
                e[i] = finite ? scaled(e[i], -scale) : (R)0;
            }
        }
    }
}

// Row i of the left or the right vectors of a leaf.
template <typename R>
BASALT_DEVICE Line<R> leafLine(R* u, R* v, i64 ld, i64 m, i64 i) {
    Line<R> line;
    line.left = i <= m;
    line.x = line.left ? u + i : v + (i - m - 1);
    line.step = ld;
    return line;
}

// A leaf by a block: m rows, and a column more.
template <typename R>
BASALT_DEVICE i64 divisionLeaf(i64 m, R* d, const R* e, R* u, R* v, i64 ld, R* given, int* state, i64* block) {
    Bidiagonal<R> b;
    b.n = m;
    b.d = given + 2 * m;
    b.e = b.d + m;
    b.right = b.e + m;
    b.left = b.right + 2 * m;
    i64 lines = 2 * (m + 1);
    // The last leaf has nothing in its column more.
    bool square = e[m - 1] == 0;
    if (threadIdx.x == 0) {
        for (i64 i = 0; i < m; i++) {
            given[i] = d[i];
            given[m + i] = e[i];
        }
        for (i64 i = 0; i < m && !square; i++) {
            R c;
            R s;
            given[i] = planeRotation(given[i], e[i], &c, &s);
            b.right[i] = c;
            b.right[m + i] = s;
            if (i + 1 < m) {
                R next = d[i + 1];
                given[m + i] = s * next;
                given[i + 1] = c * next;
            }
        }
    }
    __syncthreads();
    for (i64 i = threadIdx.x; i < lines && !square; i += blockDim.x) {
        Line<R> line = leafLine(u, v, ld, m, i);
        if (!line.left) {
            rotateLine(line, false, 0, m, b.right, m);
        }
    }
    if (threadIdx.x == 0) {
        state[0] = b.take(given);
        if (!square) {
            b.raise();
        }
        b.begin(0);
    }
    __syncthreads();
    int more = state[0] ? 1 : -1;
    for (i64 i = threadIdx.x; more == 1 && !square && i < lines; i += blockDim.x) {
        Line<R> line = leafLine(u, v, ld, m, i);
        if (line.left) {
            rotateLine(line, false, 0, m - 1, b.left, m);
        }
    }
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
        for (i64 i = threadIdx.x; more == 1 && i < lines; i += blockDim.x) {
            Line<R> line = leafLine(u, v, ld, m, i);
            rotateLine(line, !state[1], block[0], block[1], line.left ? b.left : b.right, m);
        }
    }
    __syncthreads();
    i64 missed = 0;
    if (more != 0) {
        missed = threadIdx.x == 0 ? b.unconverged() : 0;
    }
    // Signs, then the order: the largest of the rest, again and again.
    for (i64 j = 0; j < m && more == 0; j++) {
        bool negative = b.d[j] < 0;
        for (i64 i = m + 1 + threadIdx.x; negative && i < lines; i += blockDim.x) {
            Line<R> line = leafLine(u, v, ld, m, i);
            line.x[j * line.step] = -line.x[j * line.step];
        }
    }
    __syncthreads();
    for (i64 j = threadIdx.x; j < m && more == 0; j += blockDim.x) {
        b.d[j] = b.d[j] == 0 ? (R)0 : absolute(b.d[j]);
    }
    __syncthreads();
    for (i64 j = 0; j < m - 1 && more == 0; j++) {
        if (threadIdx.x == 0) {
            i64 best = j;
            for (i64 i = j + 1; i < m; i++) {
                best = b.d[i] > b.d[best] ? i : best;
            }
            block[0] = best;
            R kept = b.d[j];
            b.d[j] = b.d[best];
            b.d[best] = kept;
        }
        __syncthreads();
        i64 best = block[0];
        for (i64 i = threadIdx.x; best != j && i < lines; i += blockDim.x) {
            Line<R> line = leafLine(u, v, ld, m, i);
            R kept = line.x[j * line.step];
            line.x[j * line.step] = line.x[best * line.step];
            line.x[best * line.step] = kept;
        }
        __syncthreads();
    }
    for (i64 j = threadIdx.x; j < m; j += blockDim.x) {
        d[j] = b.d[j];
    }
    return missed;
}

template <typename R>
BASALT_DEVICE void divisionLeaves(const Args& args) {
    __shared__ i64 block[2];
    __shared__ int state[2];
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* d = at<R>(args.a, problem);
        R* e = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        for (i64 i = blockIdx.x; i < (i64)1 << args.k; i += gridDim.x) {
            i64 first = beginOf(args.n, i, args.k);
            i64 m = beginOf(args.n, i + 1, args.k) - first - 1;
            i64 ld = args.c.ld;
            R* u = at<R>(args.c, problem) + first * (1 + ld);
            R* v = u + args.n * ld;
            i64* order = at<i64>(args.f, problem) + first;
            for (i64 j = threadIdx.x; j <= m; j += blockDim.x) {
                u[j * (1 + ld)] = 1;
                v[j * (1 + ld)] = 1;
                order[j] = j == 0 ? m : m - j;
            }
            __syncthreads();
            if (m > 0) {
                i64 count = divisionLeaf(m, d + first, e + first, u, v, ld, at<R>(args.g, problem) + 8 * first, state, block);
                if (threadIdx.x == 0) {
                    missed(args, problem, count);
                }
            }
            __syncthreads();
        }
    }
}

// One block a merge.
template <typename R>
BASALT_DEVICE void divisionDeflate(const Args& args) {
    __shared__ int scratch[32];
    __shared__ R parts[32];
    __shared__ Turned<R> turned;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        Merge<R> other = rightOf(args, g);
        i64 n1 = g.middle - g.first;
        i64 all = g.end - g.first;
        R* d = g.d + g.first;
        R* z = g.number(0);
        i64* order = g.word(1);
        i64* kinds = g.word(2);
        i64* kept = g.word(4);
        const i64* sorted = g.word(0);
        R large = most(absolute(d[n1 - 1]), absolute(g.e[g.middle - 1]));
        for (i64 j = threadIdx.x; j < all - 1; j += blockDim.x) {
            order[j] = j == 0 ? n1 - 1 : j;
            large = most(large, absolute(d[j]));
        }
        large = ofBlock(large, false, parts);
        __syncthreads();
        mergeLists(d, n1 - 1, all - 1 - n1, [&](i64 i) { return sorted[1 + i]; }, [&](i64 i) { return n1 + sorted[n1 + 1 + i]; },
                   [&](i64 at, i64 j) { order[1 + at] = j; });
        int power = large == 0 ? 0 : exponentOf(large) < leastExponent(large) ? leastExponent(large) : exponentOf(large);
        R least = 8 * unit(large) * scaled(large, -power);
        __syncthreads();
        R alpha = scaled(d[n1 - 1], -power);
        R beta = scaled(g.e[g.middle - 1], -power);
        for (i64 j = threadIdx.x; j < all; j += blockDim.x) {
            R x = other.q[(j < n1 ? g.middle - 1 : g.middle) + (g.first + j) * g.ldq];
            z[j] = x * (j < n1 ? alpha : beta);
            kinds[j] = j == n1 - 1 ? 2 : j == all - 1 ? 4 : j < n1 ? 1 : 3;
            if (j != n1 - 1 && j != all - 1) {
                d[j] = scaled(d[j], -power);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            R f = z[n1 - 1];
            R h = z[all - 1];
            z[all - 1] = 0;
            turned.left = h == 0 ? -1 : n1 - 1;
            R length = f;
            if (h != 0) {
                length = planeRotation(f, h, &turned.cosine, &turned.sine);
            }
            z[n1 - 1] = absolute(length) <= least ? least : length;
            g.number(1)[0] = 0;
            g.number(2)[0] = z[n1 - 1];
            kept[0] = n1 - 1;
        }
        __syncthreads();
        if (turned.left >= 0) {
            turnColumns(all, turned.cosine, turned.sine, other.column(n1 - 1), other.column(all - 1));
        }
        __syncthreads();
        Deflation<R> deflation = {g, d, least, &turned, scratch};
        deflation.run(1, all - 1, 1, 1, [&](const Turned<R>& t) {
            turnColumns(all, t.cosine, t.sine, g.column(t.left), g.column(t.right));
            turnColumns(all, t.cosine, t.sine, other.column(t.left), other.column(t.right));
        });
        __syncthreads();
        if (threadIdx.x == 0) {
            // A pole may not meet the pole 0.
            if (g.counts[0] > 1 && g.number(1)[1] < least / 2) {
                g.number(1)[1] = least / 2;
            }
            order[all - 1] = all - 1;
            kept[0] = power;
        }
        __syncthreads();
    }
}

template <typename R>
BASALT_DEVICE void divisionGather(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
            gatherColumns(g);
            gatherColumns(rightOf(args, g));
        }
    }
}

template <typename R>
BASALT_DEVICE void divisionSecular(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            solveRoots<R, true>(args, problem, mergeOf<R>(args, problem, blockIdx.y), (R)1);
        }
    }
}

template <typename R>
BASALT_DEVICE void divisionWeights(const Args& args) {
    __shared__ R products[256];
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            findWeights<R, true>(mergeOf<R>(args, problem, blockIdx.y), products);
        }
    }
}

// A vector, by a warp, to where products read it.
template <typename R>
BASALT_DEVICE void putVector(const Merge<R>& g, i64 j, const R* x, R size) {
    i64 count = g.counts[0];
    i64 top = g.counts[1];
    i64 both = g.counts[2];
    const i64* places = g.word(3);
    R* up = g.upper(j);
    R* down = g.lower(j);
    for (i64 at = threadIdx.x % 32; at < count; at += 32) {
        R y = x[places[at]] / size;
        if (at < both) {
            up[at] = y;
        }
        if (at >= top) {
            down[at - top] = y;
        }
    }
}

// A warp a vector of either side.
template <typename R>
BASALT_DEVICE void divisionVectors(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        Merge<R> other = rightOf(args, g);
        i64 count = g.counts[0];
        int lane = threadIdx.x % 32;
        const R* z = g.number(4);
        const R* poles = g.number(1);
        i64 warps = (i64)gridDim.x * (blockDim.x / 32);
        for (i64 j = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; j < count; j += warps) {
            R* x = g.column(j);
            if (count == 1) {
                // The value may be 0.
                if (lane == 0) {
                    x[0] = g.number(2)[0] < 0 ? -1 : 1;
                }
                warpBarrier();
                putVector(other, j, x, (R)1);
                warpBarrier();
                if (lane == 0) {
                    x[0] = 1;
                }
                warpBarrier();
                putVector(g, j, x, (R)1);
                continue;
            }
            R sum = 0;
            for (i64 i = lane; i < count; i += 32) {
                R y = z[i] / x[i];
                x[i] = y;
                sum += y * y;
            }
            R size = root(warpSum(sum));
            warpBarrier();
            putVector(other, j, x, size);
            warpBarrier();
            sum = 0;
            for (i64 i = lane; i < count; i += 32) {
                R y = i == 0 ? (R)-1 : poles[i] * x[i];
                x[i] = y;
                sum += y * y;
            }
            size = root(warpSum(sum));
            warpBarrier();
            putVector(g, j, x, size);
        }
    }
}

template <typename R>
BASALT_DEVICE void divisionProducts(const Args& args) {
    __shared__ MergeTile<R> tile;
    BASALT_PROBLEMS(problem) {
        if (!skips(args, problem)) {
            Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
            multiplyColumns(g, tile);
            multiplyColumns(rightOf(args, g), tile);
        }
    }
}

template <typename R>
BASALT_DEVICE void divisionJoin(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Merge<R> g = mergeOf<R>(args, problem, blockIdx.y);
        i64 all = g.end - g.first;
        i64 count = g.counts[0];
        columnsBack(g);
        columnsBack(rightOf(args, g));
        R* d = g.d + g.first;
        int power = (int)g.word(4)[0];
        for (i64 j = threadIdx.x; j < all - 1 && blockIdx.x == 0; j += blockDim.x) {
            d[j] = scaled(g.number(j < count ? 3 : 1)[j], power);
        }
        __syncthreads();
        if (blockIdx.x == 0) {
            i64* sorted = g.word(0);
            for (i64 at = threadIdx.x; at < all; at += blockDim.x) {
                sorted[at] = at == 0 ? all - 1 : at - 1;
            }
            __syncthreads();
            mergeLists(d, count, all - 1 - count, [&](i64 i) { return i; }, [&](i64 i) { return count + i; },
                       [&](i64 at, i64 j) { sorted[1 + at] = j; });
        }
        __syncthreads();
    }
}

// The blocks of x have the columns; the first one has the values, which go to scratch first.
template <typename R>
BASALT_DEVICE void divisionSort(const Args& args) {
    i64 n = args.n;
    i64 m = n - 1;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        R* d = at<R>(args.a, problem);
        R* reals = at<R>(args.g, problem);
        const i64* ints = at<i64>(args.f, problem);
        int scale = (int)ints[6 * n + 15];
        bool finite = ints[6 * n + 14] == 0;
        i64 warps = (i64)gridDim.x * (blockDim.x / 32);
        for (i64 i = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; i < m; i += warps) {
            const R* u = at<R>(args.c, problem) + ints[m - i] * args.c.ld;
            R* to = at<R>(args.d, problem) + i * m;
            copyColumn(m, u, to);
            copyColumn(m, u + n * args.c.ld, to + behind(args));
        }
        if (blockIdx.x == 0) {
            R zero = 0;
            for (i64 i = threadIdx.x; i < m; i += blockDim.x) {
                reals[i] = finite ? scaled(d[ints[m - i]], scale) : zero / zero;
            }
            __syncthreads();
            for (i64 i = threadIdx.x; i < m; i += blockDim.x) {
                d[i] = reals[i];
            }
            if (threadIdx.x == 0 && !finite) {
                missed(args, problem, m);
            }
        }
    }
}

}  // namespace basalt

#define BDSDC(t, T)                                                               \
    BASALT_KERNEL(basalt_bdsdc_split_##t) { basalt::divisionSplit<T>(args); }     \
    BASALT_KERNEL(basalt_bdsdc_leaves_##t) { basalt::divisionLeaves<T>(args); }   \
    BASALT_KERNEL(basalt_bdsdc_deflate_##t) { basalt::divisionDeflate<T>(args); } \
    BASALT_KERNEL(basalt_bdsdc_gather_##t) { basalt::divisionGather<T>(args); }   \
    BASALT_KERNEL(basalt_bdsdc_secular_##t) { basalt::divisionSecular<T>(args); } \
    BASALT_KERNEL(basalt_bdsdc_weights_##t) { basalt::divisionWeights<T>(args); } \
    BASALT_KERNEL(basalt_bdsdc_vectors_##t) { basalt::divisionVectors<T>(args); } \
    BASALT_KERNEL(basalt_bdsdc_products_##t) { basalt::divisionProducts<T>(args); } \
    BASALT_KERNEL(basalt_bdsdc_join_##t) { basalt::divisionJoin<T>(args); }       \
    BASALT_KERNEL(basalt_bdsdc_sort_##t) { basalt::divisionSort<T>(args); }
BASALT_S(BDSDC)
BASALT_D(BDSDC)
