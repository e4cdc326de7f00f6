// Sylvester's equation, a block of threads a problem.
#include "sylvester.h"

namespace basalt {

// x: 1 where the second product is taken off.
template <typename T>
BASALT_DEVICE void trsyl(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ Patch<T> patch;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        Sylvester<T> g;
        g.m = args.m;
        g.n = args.n;
        g.a = at<T>(args.a, problem);
        g.lda = args.a.ld;
        g.b = at<T>(args.b, problem);
        g.ldb = args.b.ld;
        g.c = at<T>(args.c, problem);
        g.ldc = args.c.ld;
        g.opA = args.opA;
        g.opB = args.opB;
        g.sign = args.x ? (R)-1 : (R)1;
        sylvester(g, patch);
        if (threadIdx.x == 0) {
            *at<R>(args.d, problem) = g.scale;
            *at<int>(args.e, problem) = patch.moved;
        }
        __syncthreads();
    }
}

}  // namespace basalt

#define SYLVESTER(t, T) BASALT_KERNEL(basalt_trsyl_##t) { basalt::trsyl<T>(args); }
BASALT_EACH_TYPE(SYLVESTER)
