// The Schur form of one Hessenberg matrix, a block a problem. Small matrices lie in shared memory.
#include "schur.h"

namespace basalt {

// x: whether the whole matrix becomes its Schur form; y and z: whether it, and its vectors, are in shared memory meanwhile.
template <typename T>
BASALT_DEVICE void hseqr(const Args& args) {
    typedef typename Of<T>::Real R;
    __shared__ i64 places[2];
    __shared__ int odd;
    T* shared = BASALT_DYNAMIC_SHARED(T);
    i64 n = args.n;
    i64 pitch = n | 1;
    BASALT_PROBLEMS(problem) {
        if (skips(args, problem)) {
            continue;
        }
        T* given = at<T>(args.c, problem);
        T* vectors = args.d.base == 0 ? 0 : at<T>(args.d, problem);
        T* w = at<T>(args.a, problem);
        R* wi = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        Form<T> f;
        f.n = n;
        f.lo = args.p;
        f.hi = args.q - 1;
        f.whole = args.x != 0;
        f.places = places;
        f.h = args.y ? shared : given;
        f.ldh = args.y ? pitch : args.c.ld;
        f.rows = vectors == 0 ? 0 : n;
        bool near = args.z != 0 && vectors != 0;
        f.z = near ? shared + n * pitch : vectors;
        f.ldz = near ? pitch : args.d.ld;
        __syncthreads();
        if (threadIdx.x == 0) {
            odd = 0;
        }
        __syncthreads();
        for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
            i64 i = e % n;
            i64 j = e / n;
            if (i > j + 1) {
                given[i + j * args.c.ld] = zero<T>();
                f(i, j) = zero<T>();
                continue;
            }
            T x = given[i + j * args.c.ld];
            f(i, j) = x;
            if (re(x) - re(x) != 0 || im(x) - im(x) != 0) {
                odd = 1;
            }
        }
        if (near) {
            copySquare(n, vectors, args.d.ld, f.z, pitch);
        }
        __syncthreads();
        if (odd != 0) {
            R none = 0;
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                putNothing(w, wi, i, none / none);
            }
            if (threadIdx.x == 0) {
                *at<int>(args.e, problem) = (int)n;
            }
            continue;
        }
        for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
            if (i < f.lo || i > f.hi) {
                putValue(w, wi, i, f(i, i));
            }
        }
        i64 missed = iterate(f, w, wi);
        __syncthreads();
        if (args.y) {
            copySquare(n, f.h, pitch, given, args.c.ld);
        }
        if (near) {
            copySquare(n, f.z, pitch, vectors, args.d.ld);
        }
        if (threadIdx.x == 0) {
            *at<int>(args.e, problem) = (int)missed;
        }
    }
}

}  // namespace basalt

#define SCHUR(t, T) \
    BASALT_KERNEL(basalt_hseqr_##t) { basalt::hseqr<T>(args); }
BASALT_EACH_TYPE(SCHUR)
