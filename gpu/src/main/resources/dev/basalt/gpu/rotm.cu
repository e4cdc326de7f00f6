// Modified rotations: (x, y) := H·(x, y), element by element.
#include "abreast.h"
#include "pack.h"

namespace basalt {

// H as it is meant: what its flag stands for is not looked at.
template <typename T>
struct Modified {
    T h11, h21, h12, h22;

    BASALT_DEVICE Modified(const T* h) {
        T flag = h[0];
        h11 = flag == 0 ? 1 : h[1];
        h21 = flag > 0 ? -1 : h[2];
        h12 = flag > 0 ? 1 : h[3];
        h22 = flag == 0 ? 1 : h[4];
    }
    BASALT_DEVICE void turn(T v, T w, T* x, T* y) const {
        *x = v * h11 + w * h12;
        *y = v * h21 + w * h22;
    }
};

template <typename T>
BASALT_DEVICE void rotm(const Args& args) {
    const int AHEAD = 4;  // elements that a thread reads before it writes the first
    i64 step = (i64)gridDim.x * args.z;
    i64 first = (i64)blockIdx.x * args.z + among(args);
    i64 n = args.n;
    i64 incx = args.a.ld;
    i64 incy = args.c.ld;
    BASALT_ABREAST(problem) {
        const T* h = at<T>(args.d, problem);
        if (skips(args, problem) || h[0] == -2) {
            continue;
        }
        Modified<T> m(h);
        T* x = at<T>(args.a, problem);
        T* y = at<T>(args.c, problem);
        if (incx == 0 || incy == 0) {
            // All of one vector meet in one element.
            for (i64 i = 0; first == 0 && i < n; i++) {
                m.turn(x[i * incx], y[i * incy], x + i * incx, y + i * incy);
            }
            continue;
        }
        const int P = Pack<T>::count;
        i64 done = 0;
        if (incx == 1 && incy == 1 && (((u64)x | (u64)y) & 15) == 0) {
            done = n / P * P;
            for (i64 i = first * P; i < done; i += step * P) {
                Pack<T> v = loadOnce(x + i);
                Pack<T> w = loadOnce(y + i);
#pragma unroll
                for (int q = 0; q < P; q++) {
                    m.turn(v.v[q], w.v[q], &v.v[q], &w.v[q]);
                }
                *(Pack<T>*)(x + i) = v;
                *(Pack<T>*)(y + i) = w;
            }
        }
        for (i64 i = done + first; i < n; i += AHEAD * step) {
            T v[AHEAD], w[AHEAD];
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                i64 e = i + u * step;
                v[u] = e < n ? x[e * incx] : 0;
                w[u] = e < n ? y[e * incy] : 0;
            }
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                i64 e = i + u * step;
                if (e < n) {
                    m.turn(v[u], w[u], x + e * incx, y + e * incy);
                }
            }
        }
    }
}

}  // namespace basalt

#define ROTATIONS(t, T) \
    BASALT_KERNEL(basalt_rotm_##t) { basalt::rotm<T>(args); }
BASALT_S(ROTATIONS)
BASALT_D(ROTATIONS)
