// QR with column pivoting: which column comes next, and the norms that decide it, without the host. And ranks by incremental condition
// estimation.
#include "column.h"

namespace basalt {

// The columns that must come first go there, numbers := those of the columns; how many come first, in every thread.
template <typename T, typename Number>
BASALT_DEVICE i64 bringForward(i64 m, i64 n, T* a, i64 lda, const Number* marks, Number* numbers) {
    i64 fixed = 0;
    for (i64 j = 0; j < n; j++) {
        bool first = marks[j] != 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            numbers[j] = j + 1;
        }
        if (first) {
            if (j != fixed) {
                swapLines(m, a + j * lda, a + fixed * lda, 1);
                if (threadIdx.x == 0) {
                    exchangeNumbers(numbers, j, fixed);
                }
            }
            fixed++;
            __syncthreads();
        }
    }
    __syncthreads();
    return fixed;
}

// One block a problem.
template <typename T>
BASALT_DEVICE void geqp3Start(const Args& args) {
    typedef typename Of<T>::Real R;
    i64 n = args.n;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        R* norms = at<R>(args.a, problem);
        i64* numbers = at<i64>(args.f, problem);
        i64 fixed = bringForward(args.m, n, a, args.c.ld, numbers, numbers);
        for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
            R norm = warpNorm(a + j * args.c.ld, args.m);
            if (threadIdx.x % 32 == 0) {
                norms[j] = norm;
                norms[n + j] = norm;
            }
        }
        if (threadIdx.x == 0) {
            norms[2 * n] = (R)fixed;
        }
        __syncthreads();
    }
}

// One block a problem: p is the panel's first column, q the one that begins.
template <typename T>
BASALT_DEVICE void laqpsColumn(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    __shared__ i64 places[32];
    i64 n = args.n;
    i64 col = args.q;
    i64 k = col - args.p;
    i64 lda = args.c.ld;
    i64 ldf = args.b.ld;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        T* own = at<T>(args.b, problem) + k;
        R* norms = at<R>(args.a, problem);
        if ((R)col >= norms[2 * n]) {
            i64 best = chooseColumn(norms, col, n, scratch, places);
            if (best != col) {
                swapLines(args.m, a + best * lda, a + col * lda, 1);
                swapLines(k, own - k + (best - args.p), own, ldf);
                if (threadIdx.x == 0) {
                    exchangeNumbers(at<i64>(args.f, problem), best, col);
                    norms[best] = norms[col];
                    norms[n + best] = norms[n + col];
                }
                __syncthreads();
            }
        }
        T* diagonal = a + col + col * lda;
        const T* panel = a + col + args.p * lda;
        for (i64 i = threadIdx.x; i < args.m - col; i += blockDim.x) {
            T sum = zero<T>();
            for (i64 l = 0; l < k; l++) {
                fma(panel[i + l * lda], conj(own[l * ldf], true), sum);
            }
            diagonal[i] = diagonal[i] - sum;
        }
        __syncthreads();
        T tau = larfg(diagonal, diagonal + 1, 1, args.m - col - 1, false, scratch);
        if (threadIdx.x == 0) {
            at<T>(args.d, problem)[col] = tau;
            // The diagonal waits where the panel's products have no use for it.
            own[k * ldf] = *diagonal;
            *diagonal = one<T>();
        }
        __syncthreads();
    }
}

// A column's norm without an element that is done, and whether that has lost its digits since the column had its last norm by itself.
template <typename T, typename R>
BASALT_DEVICE bool shorten(R norm, R last, T element, R* now) {
    double part = modulus(element) / norm;
    double square = (1 + part) * (1 - part);
    square = square < 0 ? 0 : square;
    double left = (double)norm / last;
    *now = (R)(norm * root(square));
    return norm != 0 && square * (left * left) <= halfDigits((R)0);
}

// The norms of the columns behind, a warp each: what is left without row `col`, or computed again.
template <typename T>
BASALT_DEVICE void columnNorms(const Args& args, T* a, T* f, typename Of<T>::Real* all) {
    typedef typename Of<T>::Real R;
    i64 n = args.n;
    i64 col = args.q;
    i64 k = col - args.p + 1;
    i64 lda = args.c.ld;
    i64 ldf = args.b.ld;
    int lane = threadIdx.x % 32;
    i64 fixed = (i64)all[2 * n];
    for (i64 j = col + 1 + threadIdx.x / 32; j < n && col + 1 >= fixed; j += blockDim.x / 32) {
        R now;
        bool again = shorten(all[j], all[n + j], a[col + j * lda], &now) || col + 1 == fixed;
        warpBarrier();
        if (again) {
            T* x = a + col + 1 + j * lda;
            const T* panel = a + col + 1 + args.p * lda;
            T* factors = f + (j - args.p);
            for (i64 i = lane; i < args.m - col - 1; i += 32) {
                T sum = zero<T>();
                for (i64 l = 0; l < k; l++) {
                    fma(panel[i + l * lda], conj(factors[l * ldf], true), sum);
                }
                x[i] = x[i] - sum;
            }
            warpBarrier();
            for (i64 l = lane; l < k; l += 32) {
                factors[l * ldf] = zero<T>();
            }
            now = warpNorm(x, args.m - col - 1);
        }
        if (lane == 0 && (again || all[j] != 0)) {
            all[j] = now;
            all[n + j] = again ? now : all[n + j];
        }
    }
}

// One block a problem.
template <typename T>
BASALT_DEVICE void laqpsRow(const Args& args) {
    i64 col = args.q;
    i64 k = col - args.p;
    i64 left = args.n - col - 1;
    i64 lda = args.c.ld;
    i64 ldf = args.b.ld;
    int lane = threadIdx.x % 32;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* a = at<T>(args.c, problem);
        T* f = at<T>(args.b, problem);
        T* top = f + k * ldf;
        T* below = f + k + 1;
        T* diagonal = a + col + col * lda;
        T* line = a + col + args.p * lda;
        T tau = at<T>(args.d, problem)[col];
        for (i64 l = threadIdx.x / 32; l < k; l += blockDim.x / 32) {
            T sum = zero<T>();
            for (i64 i = lane; i < args.m - col; i += 32) {
                fma(conj(line[i + l * lda], true), diagonal[i], sum);
            }
            sum = warpSum(sum);
            if (lane == 0) {
                top[l] = sum;
            }
        }
        __syncthreads();
        for (i64 j = threadIdx.x; j < left; j += blockDim.x) {
            T sum = below[j + k * ldf];
            T taken = zero<T>();
            for (i64 l = 0; l < k; l++) {
                fma(below[j + l * ldf], -top[l], sum);
                fma(line[l * lda], conj(below[j + l * ldf], true), taken);
            }
            sum = tau * sum;
            below[j + k * ldf] = sum;
            T* x = diagonal + (j + 1) * lda;
            *x = *x - taken - conj(sum, true);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            *diagonal = top[k];
        }
        columnNorms(args, a, f, at<typename Of<T>::Real>(args.a, problem));
        __syncthreads();
    }
}

// ---- a small matrix, whole

// The norm of n elements one after the other, by one thread.
template <typename T>
BASALT_DEVICE typename Of<T>::Real threadNorm(const T* x, int n) {
    typedef typename Of<T>::Real R;
    R largest = 0;
    R sum = 0;
    for (int i = 0; i < n; i++) {
        T element = x[i];
        largest = larger(larger(largest, absolute(re(element))), absolute(im(element)));
        sum += re(element) * re(element) + im(element) * im(element);
    }
    if (sum > fewest(sum) && sum < most(sum)) {
        return root(sum);
    }
    if (largest == 0) {
        return 0;
    }
    sum = 0;
    for (int i = 0; i < n; i++) {
        R u = re(x[i]) / largest;
        R v = im(x[i]) / largest;
        sum += u * u + v * v;
    }
    return largest * root(sum);
}

// a := (I - conj(tau)·v·vᴴ)·a, of which this thread has the columns from `first` on; v is a one and x. Their norms come up to date.
template <typename T>
BASALT_DEVICE void reflectColumns(int rows, const T* x, T tau, int first, int n, T* a, int lda, bool norms, bool anew, typename Of<T>::Real* all) {
    typedef typename Of<T>::Real R;
    const T f = -conj(tau, true);
    for (int j = first; j < n; j += blockDim.x) {
        T* own = a + j * lda;
        T w = own[0];
        for (int i = 1; i < rows; i++) {
            fma(conj(x[i], true), own[i], w);
        }
        w = f * w;
        const T top = own[0] + w;
        own[0] = top;
        for (int i = 1; i < rows; i++) {
            fma(w, x[i], own[i]);
        }
        if (norms) {
            R now;
            const R norm = all[j];
            const bool again = shorten(norm, all[n + j], top, &now) || anew;
            now = again ? threadNorm(own + 1, rows - 1) : now;
            if (again || norm != 0) {
                all[j] = now;
                all[n + j] = again ? now : all[n + j];
            }
        }
    }
}

// One block a problem, a thread a column.
template <typename T>
BASALT_DEVICE void geqp3(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ R scratch[33];
    __shared__ i64 places[32];
    const int m = (int)args.m;
    const int n = (int)args.n;
    const bool kept = args.x != 0;  // in shared memory
    const i64 room = kept ? ((i64)(m | 1) * n * (i64)sizeof(T) + 15) / 16 * 16 : 0;
    R* all = (R*)(BASALT_DYNAMIC_SHARED(char) + room);
    int* numbers = (int*)(all + 2 * n);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* given = at<T>(args.c, problem);
        T* a = kept ? BASALT_DYNAMIC_SHARED(T) : given;
        const int lda = kept ? m | 1 : (int)args.c.ld;
        for (int e = threadIdx.x; kept && e < m * n; e += blockDim.x) {
            a[e % m + e / m * lda] = given[e % m + e / m * args.c.ld];
        }
        i64* named = at<i64>(args.f, problem);
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            numbers[j] = named[j] != 0;
        }
        __syncthreads();
        const int fixed = (int)bringForward(m, n, a, lda, numbers, numbers);
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            all[j] = all[n + j] = threadNorm(a + j * lda, m);
        }
        __syncthreads();
        for (int col = 0; col < m && col < n; col++) {
            if (col >= fixed) {
                const int best = (int)chooseColumn(all, col, n, scratch, places);
                if (best != col) {
                    swapLines(m, a + best * lda, a + col * lda, 1);
                    if (threadIdx.x == 0) {
                        exchangeNumbers(numbers, best, col);
                        all[best] = all[col];
                        all[n + best] = all[n + col];
                    }
                    __syncthreads();
                }
            }
            T* diagonal = a + col + col * lda;
            const T tau = larfg(diagonal, diagonal + 1, 1, m - col - 1, false, scratch);
            if (threadIdx.x == 0) {
                at<T>(args.d, problem)[col] = tau;
            }
            __syncthreads();
            reflectColumns(m - col, diagonal, tau, col + 1 + (int)threadIdx.x, n, a + col, lda, col + 1 >= fixed, col + 1 == fixed, all);
            __syncthreads();
        }
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            named[j] = numbers[j];
        }
        for (int e = threadIdx.x; kept && e < m * n; e += blockDim.x) {
            given[e % m + e / m * args.c.ld] = a[e % m + e / m * lda];
        }
        __syncthreads();
    }
}

// Singular values of the triangle (f, g; 0, h) of numbers that are not negative, and its left singular vectors.
struct SingularValues {
    double largest, least, cosine, sine;
};

BASALT_DEVICE SingularValues singularValues(double f, double g, double h) {
    SingularValues v = {0, 0, 1, 0};
    double scale = larger(larger(f, g), h);
    if (scale == 0) {
        return v;
    }
    double x = f / scale;
    double y = g / scale;
    double z = h / scale;
    double large = (root((x + z) * (x + z) + y * y) + root((x - z) * (x - z) + y * y)) / 2;
    v.largest = scale * large;
    v.least = (f < h ? f : h) / v.largest * (f < h ? h : f);
    double across = (x - z) * (x + z) + y * y;
    double along = 2 * y * z;
    double r = root(across * across + along * along);
    if (r == 0) {
        return v;
    }
    double more = root((1 + absolute(across) / r) / 2);
    v.cosine = across >= 0 ? more : along / (2 * r * more);
    v.sine = across >= 0 ? along / (2 * r * more) : more;
    return v;
}

// x of n elements := (s·x, c·t), t the direction of y against that of x's product; each lane has elements of its own.
template <typename T>
BASALT_DEVICE void growVector(i64 n, T* x, double s, double c, T product, T y) {
    double both = modulus(product) * modulus(y);
    double a = both == 0 ? 1 : ((double)re(y) * re(product) + (double)im(y) * im(product)) / both;
    double b = both == 0 ? 0 : ((double)im(y) * re(product) - (double)re(y) * im(product)) / both;
    for (i64 i = threadIdx.x; i < n; i += 32) {
        x[i] = times((typename Of<T>::Real)s, x[i]);
    }
    if (threadIdx.x == n % 32) {
        x[n] = Make<T>::of(c * a, c * b);
    }
}

// A warp a problem.
template <typename T>
BASALT_DEVICE void rankOf(const Args& args) {
    double tolerance, none;
    load(args.alpha, &tolerance, &none);
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.c, problem);
        T* x = at<T>(args.a, problem);
        T* y = x + args.n;
        double least = modulus(*a);
        double largest = least;
        i64 r = least == 0 ? 0 : 1;
        if (threadIdx.x == 0) {
            *x = one<T>();
            *y = one<T>();
        }
        for (; r > 0 && r < args.n; r++) {
            const T* next = a + r * args.c.ld;
            T low = zero<T>();
            T high = zero<T>();
            for (i64 i = threadIdx.x; i < r; i += 32) {
                fma(conj(x[i], true), next[i], low);
                fma(conj(y[i], true), next[i], high);
            }
            low = warpSum(low);
            high = warpSum(high);
            double h = modulus(next[r]);
            SingularValues small = singularValues(least, modulus(low), h);
            SingularValues large = singularValues(largest, modulus(high), h);
            if (!(large.largest * tolerance <= small.least)) {
                break;
            }
            growVector(r, x, -small.sine, small.cosine, low, next[r]);
            growVector(r, y, large.cosine, large.sine, high, next[r]);
            least = small.least;
            largest = large.largest;
        }
        if (threadIdx.x == 0) {
            *at<i64>(args.d, problem) = r;
        }
    }
}

template <typename T>
BASALT_DEVICE void permuteRows(const Args& args) {
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        const T* a = at<T>(args.a, problem);
        T* c = at<T>(args.c, problem);
        const i64* to = at<i64>(args.d, problem);
        i64 all = args.m * args.n;
        for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < all; e += (i64)gridDim.x * blockDim.x) {
            i64 place = to[e % args.m];
            i64 j = e / args.m;
            if (place >= 1 && place <= args.m) {
                c[place - 1 + j * args.c.ld] = a[e % args.m + j * args.a.ld];
            }
        }
    }
}

}  // namespace basalt

#if defined(BASALT_SHIM)
#define PIVOTED_LAYOUT(t, T) \
    BASALT_LAYOUT(pivoted_##t, m, n, too) { \
        return ((m | 1) * n * (long long)sizeof(T) + 15) / 16 * 16 + 2 * n * (long long)sizeof(basalt::Of<T>::Real) + 4 * n; \
    }
BASALT_EACH_TYPE(PIVOTED_LAYOUT)
#endif

#define PIVOTINGS(t, T)                                                \
    BASALT_KERNEL(basalt_geqp3_start_##t) { basalt::geqp3Start<T>(args); }  \
    BASALT_KERNEL(basalt_laqps_column_##t) { basalt::laqpsColumn<T>(args); } \
    BASALT_KERNEL(basalt_laqps_row_##t) { basalt::laqpsRow<T>(args); }      \
    BASALT_KERNEL(basalt_geqp3_##t) { basalt::geqp3<T>(args); }              \
    BASALT_KERNEL(basalt_rank_##t) { basalt::rankOf<T>(args); }          \
    BASALT_KERNEL(basalt_permute_rows_##t) { basalt::permuteRows<T>(args); }
BASALT_EACH_TYPE(PIVOTINGS)
