// Blocks of a Schur form change places, a block of threads a problem.
#include "exchange.h"

namespace basalt {

template <typename T>
BASALT_DEVICE Reordered<T> reordered(const Args& args, i64 problem) {
    Reordered<T> g;
    g.n = args.n;
    g.t = at<T>(args.c, problem);
    g.ldt = args.c.ld;
    g.q = args.d.base == 0 ? 0 : at<T>(args.d, problem);
    g.ldq = args.d.base == 0 ? 0 : args.d.ld;
    g.rows = args.d.base == 0 ? 0 : args.n;
    g.arrived = true;
    return g;
}

template <typename T>
BASALT_DEVICE void trexc(const Args& args) {
    __shared__ Swap<T> swap;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Reordered<T> g = reordered<T>(args, problem);
        i64 here = g.begins(args.p);
        i64 goal = g.begins(args.q);
        if (here < goal) {
            moveDown(g, swap, here, goal);
        } else {
            moveUp(g, swap, here, goal);
        }
        if (threadIdx.x == 0) {
            *at<int>(args.e, problem) = g.arrived ? 0 : 1;
        }
        __syncthreads();
    }
}

// As Selection is numbered.
enum { LEFT_HALF = 1, RIGHT_HALF = 2, INSIDE = 3, OUTSIDE = 4 };

BASALT_DEVICE bool chosen(int rule, double x, double y) {
    double size = rule == INSIDE || rule == OUTSIDE ? hypot(x, y) : 0;
    return rule == LEFT_HALF    ? x < 0
           : rule == RIGHT_HALF ? x > 0
           : rule == INSIDE     ? size < 1
           : rule == OUTSIDE    ? size > 1
                                : false;
}

template <typename R>
BASALT_DEVICE bool chooses(int rule, const R* w, const R* wi, i64 k) {
    return chosen(rule, (double)w[k], (double)wi[k]);
}
template <typename R>
BASALT_DEVICE bool chooses(int rule, const Complex<R>* w, const R*, i64 k) {
    return chosen(rule, (double)w[k].re, (double)w[k].im);
}

// x: the rule.
template <typename T>
BASALT_DEVICE void trsen(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ Swap<T> swap;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Reordered<T> g = reordered<T>(args, problem);
        T* w = at<T>(args.a, problem);
        R* wi = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        if (args.f.base == 0) {
            int info = *at<int>(args.e, problem);
            if (info <= 0 || info > args.n) {
                valuesOf(g, 0, w, wi);
            }
            continue;
        }
        bool all = true;
        i64 count = 0;
        for (i64 k = 0; k < g.n;) {
            // Exchanges go on while others read: what they read has been seen by all at the barriers in between.
            int own = g.size(k);
            if (chooses(args.x, w, wi, k)) {
                if (k > count) {
                    moveUp(g, swap, k, count);
                    all = all && g.arrived;
                }
                count += own;
            }
            k += own;
        }
        if (threadIdx.x == 0) {
            *at<i64>(args.f, problem) = count;
            if (!all) {
                *at<int>(args.e, problem) = (int)args.n + 1;
            }
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define EXCHANGE(t, T)                                          \
    BASALT_KERNEL(basalt_trexc_##t) { basalt::trexc<T>(args); } \
    BASALT_KERNEL(basalt_trsen_##t) { basalt::trsen<T>(args); }
BASALT_EACH_TYPE(EXCHANGE)
