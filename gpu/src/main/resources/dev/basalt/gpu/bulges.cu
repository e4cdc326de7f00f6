// The Schur form of one large Hessenberg matrix by all blocks of a cooperative launch. The first block works on windows in its shared memory: it deflates at the end (Braman, Byers and Mathias, "The multishift QR
// algorithm, part II: aggressive early deflation", 2002) and chases bulges. What a window is turned by all blocks then take to what is right of and above it, and to the Schur vectors. Decisions are those of the
// portable kernels.
#include "bulges.h"
#include "cluster.h"
#include "exchange.h"
#include "hessenberg.h"

namespace basalt {

// Orders of windows at the end, and from where on the wide one; so many rounds without a deflation are followed by it, and by shifts that are no eigenvalues.
static const i64 NARROW = 48;
static const i64 WIDE = 64;
static const i64 LARGE = 700;
static const int WIDER = 5;
static const int FRUITLESS = 6;

// Columns or rows of a product that a block has at once.
static const int STRIP = 16;
static const int BULGES = 16;

// What the first block tells the others: the order of a window, 0 at the end; its first row, the first row of what it meets above, and the last column.
enum { WINDOW, FIRST, ABOVE, LAST, WORDS };

// Static shared memory of a block.
template <typename T>
struct WindowState {
    typedef typename Of<T>::Real R;
    i64 places[2];
    i64 at[BULGES], now[BULGES];
    int busy[BULGES];
    unsigned some;
    int odd;
    R scratch[33];
    T line[WIDE], tau[WIDE];
    Swap<T> swap;
    Bulge<T> bulge[BULGES];
};

template <typename T>
struct Windows {
    typedef typename Of<T>::Real R;
    const Args& args;
    WindowState<T>& s;
    T* memory;  // shared
    i64 n, lo, ldh, ldz, rows;
    T *h, *z, *w, *u;
    R* wi;
    i64* command;
    bool whole;
    i64 end, dropped, shifts;
    unsigned round;

    BASALT_DEVICE Windows(const Args& arguments, i64 problem, WindowState<T>& state)
        : args(arguments), s(state), memory(BASALT_DYNAMIC_SHARED(T)), n(arguments.n), lo(arguments.p), round(0) {
        h = at<T>(args.c, problem);
        ldh = args.c.ld;
        z = args.d.base == 0 ? 0 : at<T>(args.d, problem);
        ldz = args.d.base == 0 ? 0 : args.d.ld;
        rows = z == 0 ? 0 : n;
        w = at<T>(args.a, problem);
        wi = args.b.base == 0 ? 0 : at<R>(args.b, problem);
        whole = args.x != 0;
        // Two words are as long as the longest element.
        command = (i64*)(((u64)at<T>(args.g, problem) + 15) / 16 * 16);
        u = (T*)(command + 2 * WORDS);
        end = 0;
        dropped = 0;
        shifts = 0;
    }

    BASALT_DEVICE T& element(i64 i, i64 j) const { return h[i + j * ldh]; }

    BASALT_DEVICE void barrier() {
        round++;
        gridBarrier(counter(args, 0), round);
    }

    // ---- by all blocks

    // Columns or rows meet what is in u: false at the end.
    BASALT_DEVICE bool products() {
        i64 k = loadShared(command + WINDOW);
        if (k == 0) {
            return false;
        }
        i64 first = loadShared(command + FIRST);
        i64 above = loadShared(command + ABOVE);
        i64 right = loadShared(command + LAST) - (first + k - 1);
        i64 pitch = k | 1;
        T* strip = memory + k * pitch;
        for (i64 e = threadIdx.x; e < k * k; e += blockDim.x) {
            memory[e % k + e / k * pitch] = u[e];
        }
        i64 across = (right + STRIP - 1) / STRIP;
        i64 down = (first - above + STRIP - 1) / STRIP;
        i64 all = across + down + (rows + STRIP - 1) / STRIP;
        for (i64 i = blockIdx.x; i < all; i += gridDim.x) {
            __syncthreads();
            if (i < across) {
                turnRows(k, pitch, strip, &element(first, first + k) + i * STRIP * ldh, least(STRIP, right - i * STRIP));
            } else if (i < across + down) {
                i64 row = above + (i - across) * STRIP;
                turnColumns(k, pitch, strip, &element(row, first), ldh, least(STRIP, first - row));
            } else {
                i64 row = (i - across - down) * STRIP;
                turnColumns(k, pitch, strip, z + row + first * ldz, ldz, least(STRIP, rows - row));
            }
        }
        __syncthreads();
        return true;
    }

    // k rows of some columns := uᴴ times them.
    BASALT_DEVICE void turnRows(i64 k, i64 pitch, T* strip, T* x, i64 columns) const {
        for (i64 e = threadIdx.x; e < k * columns; e += blockDim.x) {
            strip[e % k + e / k * pitch] = x[e % k + e / k * ldh];
        }
        __syncthreads();
        for (i64 e = threadIdx.x; e < k * columns; e += blockDim.x) {
            const T* own = memory + e % k * pitch;
            const T* column = strip + e / k * pitch;
            T sum = zero<T>();
            for (i64 l = 0; l < k; l++) {
                fma(conj(own[l], true), column[l], sum);
            }
            x[e % k + e / k * ldh] = sum;
        }
    }

    // k columns of some rows := themselves times u.
    BASALT_DEVICE void turnColumns(i64 k, i64 pitch, T* strip, T* x, i64 ldx, i64 count) const {
        for (i64 e = threadIdx.x; e < k * STRIP; e += blockDim.x) {
            if (e % STRIP < count) {
                strip[e % STRIP + e / STRIP * (STRIP + 1)] = x[e % STRIP + e / STRIP * ldx];
            }
        }
        __syncthreads();
        for (i64 e = threadIdx.x; e < k * STRIP; e += blockDim.x) {
            i64 i = e % STRIP;
            i64 j = e / STRIP;
            if (i < count) {
                T sum = zero<T>();
                for (i64 l = 0; l < k; l++) {
                    fma(strip[i + l * (STRIP + 1)], memory[l + j * pitch], sum);
                }
                x[i + j * ldx] = sum;
            }
        }
    }

    // ---- by the first block

    // All blocks take k rows and columns from one on, turned by what is in shared memory at `by`, to the rest.
    BASALT_DEVICE void together(i64 k, i64 first, i64 top, i64 last, const T* by, i64 pitch) {
        __syncthreads();
        copySquareOf(k, by, pitch);
        if (threadIdx.x == 0) {
            command[WINDOW] = k;
            command[FIRST] = first;
            command[ABOVE] = whole ? 0 : top;
            command[LAST] = whole ? n - 1 : most(last, end);
        }
        barrier();
        products();
        barrier();
    }

    BASALT_DEVICE void copySquareOf(i64 k, const T* by, i64 pitch) {
        for (i64 e = threadIdx.x; e < k * k; e += blockDim.x) {
            u[e] = by[e % k + e / k * pitch];
        }
    }

    BASALT_DEVICE Form<T> form(i64 k, T* matrix, i64 ld, T* vectors, i64 count) const {
        Form<T> f;
        f.n = k;
        f.lo = 0;
        f.hi = k - 1;
        f.h = matrix;
        f.ldh = ld;
        f.z = vectors;
        f.ldz = ld;
        f.rows = count;
        f.whole = count > 0;
        f.places = s.places;
        return f;
    }

    // What is below the diagonal beside the main one becomes zero; whether all else is finite.
    BASALT_DEVICE bool take() {
        __syncthreads();
        if (threadIdx.x == 0) {
            s.odd = 0;
        }
        __syncthreads();
        for (i64 e = threadIdx.x; e < n * n; e += blockDim.x) {
            T* x = &element(e % n, e / n);
            if (e % n > e / n + 1) {
                *x = zero<T>();
            } else if (re(*x) - re(*x) != 0 || im(*x) - im(*x) != 0) {
                s.odd = 1;
            }
        }
        __syncthreads();
        return s.odd == 0;
    }

    BASALT_DEVICE i64 run(i64 hi) {
        i64 order = n < LARGE ? NARROW : WIDE;
        i64 narrow = n < LARGE ? NARROW * 2 / 3 : WIDE;
        i64 left = STEPS * most(STEPS, hi - lo + 1);
        int fruitless = 1;
        for (i64 last = hi; last >= lo;) {
            end = last;
            Form<T> f = form(n, h, ldh, 0, 0);
            f.lo = lo;
            f.hi = last;
            i64 top = splitRow(f, lo, last);
            i64 active = last - top + 1;
            if (left-- <= 0) {
                return last + 1;
            }
            i64 nw = least(active, fruitless < WIDER ? narrow : order);
            if (active <= order) {
                nw = active;
            } else if (nw < order
                       && magnitude(element(last - nw + 1, last - nw)) > magnitude(element(last - nw, last - nw - 1))) {
                nw++;
            }
            deflate(top, last, nw);
            last -= dropped;
            if (dropped == 0 || (100 * dropped <= nw * 14 && last - top + 1 > order)) {
                sweep(top, last, last - shifts + 1, fruitless);
            }
            fruitless = dropped > 0 ? 1 : fruitless + 1;
        }
        return 0;
    }

    // The last nw rows in Schur form apart: `dropped` of them have no more to do with those above, and the others give `shifts` shifts.
    BASALT_DEVICE void deflate(i64 top, i64 last, i64 nw) {
        i64 begin = last - nw + 1;
        i64 pitch = nw | 1;
        T* t = memory;
        T* v = memory + nw * pitch;
        T spike = begin == top ? zero<T>() : element(begin, begin - 1);
        __syncthreads();
        for (i64 e = threadIdx.x; e < nw * nw; e += blockDim.x) {
            i64 i = e % nw;
            i64 j = e / nw;
            t[i + j * pitch] = i <= j + 1 ? element(begin + i, begin + j) : zero<T>();
            v[i + j * pitch] = i == j ? one<T>() : zero<T>();
        }
        __syncthreads();
        i64 failed = iterate(form(nw, t, pitch, v, nw), w + begin, wi == 0 ? wi : wi + begin);
        __syncthreads();
        Reordered<T> g;
        g.n = nw;
        g.t = t;
        g.ldt = pitch;
        g.q = v;
        g.ldq = pitch;
        g.rows = nw;
        g.arrived = true;
        R small = Schur<R>::least() * ((R)nw / Schur<R>::unit());
        i64 ns = nw;
        i64 kept = failed;
        while (kept < ns) {
            bool two = g.pair(ns - 2);
            R size = magnitude(g(ns - 1, ns - 1));
            R reach = magnitude(spike) * magnitude(v[(ns - 1) * pitch]);
            if (two) {
                size += root(magnitude(g(ns - 1, ns - 2))) * root(magnitude(g(ns - 2, ns - 1)));
                reach = largerOf(reach, magnitude(spike) * magnitude(v[(ns - 2) * pitch]));
            }
            size = size == 0 ? magnitude(spike) : size;
            if (reach <= largerOf(small, Schur<R>::unit() * size)) {
                ns -= two ? 2 : 1;
            } else {
                kept = moveUp(g, s.swap, g.begins(ns - 1), g.begins(kept)) + (two ? 2 : 1);
            }
        }
        valuesOf(g, failed, w + begin, wi == 0 ? wi : wi + begin);
        dropped = nw - ns;
        shifts = ns - failed;
        bool none = ns == 0 || isZero(spike);
        if (ns < nw || none) {
            attach(top, begin, last, nw, ns, none, spike);
        }
        __syncthreads();
    }

    // The window comes back, as a Hessenberg matrix again, and what it is made by meets the rest of the matrix.
    BASALT_DEVICE void attach(i64 top, i64 begin, i64 last, i64 nw, i64 ns, bool none, T spike) {
        i64 pitch = nw | 1;
        T* t = memory;
        T* v = memory + nw * pitch;
        __syncthreads();
        if (ns > 1 && !none) {
            for (i64 i = threadIdx.x; i < ns; i += blockDim.x) {
                s.line[i] = conj(v[i * pitch], true);
            }
            __syncthreads();
            T factor = larfg(s.line, s.line + 1, (i64)1, ns - 1, false, s.scratch);
            __syncthreads();
            reflectColumns(ns, nw, t, pitch, s.line, factor);
            __syncthreads();
            reflectRows(ns, ns, t, pitch, s.line, factor);
            reflectRows(nw, ns, v, pitch, s.line, factor);
            __syncthreads();
            reduceColumns(nw, (i64)0, ns, t, pitch, s.tau, s.scratch);
        }
        if (threadIdx.x == 0 && begin > top) {
            element(begin, begin - 1) = none ? zero<T>() : spike * conj(v[0], true);
        }
        for (i64 e = threadIdx.x; e < nw * nw; e += blockDim.x) {
            i64 i = e % nw;
            i64 j = e / nw;
            if (i <= j + 1) {
                element(begin + i, begin + j) = t[i + j * pitch];
            }
        }
        for (i64 j = 0; ns > 1 && !none && j < ns - 1; j++) {
            __syncthreads();
            reflectRows(nw, ns - 1 - j, v + (j + 1) * pitch, pitch, t + j + 1 + j * pitch, s.tau[j]);
        }
        together(nw, begin, top, last, v, pitch);
    }

    // One sweep over rows top to last; the shifts of the window are from one on to last of the eigenvalues.
    BASALT_DEVICE void sweep(i64 top, i64 last, i64 given, int fruitless) {
        const int each = Bulge<T>::EACH;
        i64 most = least((i64)Bulge<T>::SHIFTS, basalt::most((i64)2, last - top)) / 2 * 2;
        i64 first = given;
        bool others = fruitless % FRUITLESS == 0;
        end = last;
        if (others) {
            first = basalt::most(last - most + 1, top);
        } else if (last - first + 1 <= most / 2) {
            first = basalt::most(last - most + 1, top);
            i64 k = last - first + 1;
            i64 pitch = k | 1;
            __syncthreads();
            for (i64 e = threadIdx.x; e < k * k; e += blockDim.x) {
                memory[e % k + e / k * pitch] = e % k <= e / k + 1 ? element(first + e % k, first + e / k) : zero<T>();
            }
            __syncthreads();
            first += iterate(form(k, memory, pitch, (T*)0, (i64)0), w + first, wi == 0 ? wi : wi + first);
            others = first > last + 1 - each;
            first = others ? last + 1 - each : first;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            if (others) {
                otherValues(h, ldh, w, wi, first, top, last);
            }
            sortValues(w, wi, first, last);
            pairValues(w, wi, first, last, element(last, last));
        }
        __syncthreads();
        i64 count = least(most, last - first + 1) / each * each;
        if (count > 0) {
            chase(top, last, last - count + 1, (int)(count / each));
        }
    }

    // From the first row to the last, window by window.
    BASALT_DEVICE void chase(i64 top, i64 last, i64 shift, int bulges) {
        i64 length = (i64)Bulge<T>::SHIFTS * (Bulge<T>::EACH == 2 ? 3 : 4) + 2;
        if (threadIdx.x < (unsigned)bulges) {
            s.at[threadIdx.x] = top - 1;
        }
        __syncthreads();
        for (i64 begin = top;;) {
            i64 stop = least(last, begin + length - 1);
            i64 k = stop - begin + 1;
            i64 pitch = k | 1;
            T* x = memory;
            T* v = memory + k * pitch;
            for (i64 e = threadIdx.x; e < k * k; e += blockDim.x) {
                i64 i = e % k;
                i64 j = e / k;
                x[i + j * pitch] = element(begin + i, begin + j);
                v[i + j * pitch] = i == j ? one<T>() : zero<T>();
            }
            __syncthreads();
            while (steps(top, last, begin, stop, shift, bulges, x, pitch)) {
                turnBulges(last, begin, k, bulges, x, v, pitch);
            }
            for (i64 e = threadIdx.x; e < k * k; e += blockDim.x) {
                element(begin + e % k, begin + e / k) = x[e % k + e / k * pitch];
            }
            i64 next = s.at[bulges - 1];
            together(k, begin, top, stop, v, pitch);
            if (stop == last) {
                return;
            }
            begin = next;
        }
    }

    // A reflector of each bulge that has its distance from the one before, by a thread each of the first warp; whether there is one. What they read and write are columns of their own. Ends with a barrier.
    BASALT_DEVICE bool steps(i64 top, i64 last, i64 begin, i64 stop, i64 shift, int bulges, T* x, i64 pitch) {
        const i64 space = Bulge<T>::SPACE;
        if (threadIdx.x < 32) {
            int b = threadIdx.x;
            bool may = false;
            i64 p = 0;
            if (b < bulges) {
                p = s.at[b];
                i64 goal = stop == last ? last - 1 : stop - space - space * b;
                may = p < goal && (b == 0 || s.at[b - 1] >= p + space || (stop == last && s.at[b - 1] >= last - 1));
            }
            unsigned some = warpBallot(may);
            if (b < bulges) {
                s.busy[b] = may;
                s.now[b] = p;
            }
            if (may) {
                s.at[b] = p + 1;
                Bulge<T> bulge;
                if (p < top) {
                    i64 own = shift + (i64)Bulge<T>::EACH * (bulges - 1 - b);
                    bulge.begin(x + (top - begin) * (1 + pitch), pitch, w + own, wi == 0 ? wi : wi + own);
                } else {
                    bulge.next(x + p + 1 - begin + (p - begin) * pitch, p + space <= last);
                }
                s.bulge[b] = bulge;
            }
            if (b == 0) {
                s.some = some;
            }
        }
        __syncthreads();
        return s.some != 0;
    }

    // All of these reflectors from both sides: no two of them have a row in common. Ends with a barrier.
    BASALT_DEVICE void turnBulges(i64 last, i64 begin, i64 k, int bulges, T* x, T* v, i64 pitch) {
        const i64 space = Bulge<T>::SPACE;
        for (i64 e = threadIdx.x; e < bulges * k; e += blockDim.x) {
            i64 b = e / k;
            i64 j = e % k;
            i64 row = s.now[b] + 1 - begin;
            if (s.busy[b] && j >= row) {
                s.bulge[b].rows(x + row + j * pitch, s.now[b] + space <= last);
            }
        }
        __syncthreads();
        for (i64 e = threadIdx.x; e < 2 * bulges * k; e += blockDim.x) {
            i64 b = e / k % bulges;
            i64 i = e % k;
            bool vectors = e >= bulges * k;
            i64 column = s.now[b] + 1 - begin;
            i64 below = least(s.now[b] + space + 1, last) - begin;
            if (s.busy[b] && (vectors || i <= below)) {
                s.bulge[b].columns((vectors ? v : x) + i + column * pitch, pitch, s.now[b] + space <= last);
            }
        }
        __syncthreads();
    }

    BASALT_DEVICE void first(i64 problem) {
        i64 hi = args.q - 1;
        i64 missed = n;
        if (take()) {
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                if (i < lo || i > hi) {
                    putValue(w, wi, i, element(i, i));
                }
            }
            missed = run(hi);
        } else {
            R none = 0;
            for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
                putNothing(w, wi, i, none / none);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            command[WINDOW] = 0;
            *at<int>(args.e, problem) = (int)missed;
        }
        barrier();
    }

    BASALT_DEVICE void others() {
        while (true) {
            barrier();
            if (!products()) {
                return;
            }
            barrier();
        }
    }
};

template <typename T>
BASALT_DEVICE void hseqrWindows(const Args& args) {
    __shared__ WindowState<T> state;
    // There is one launch a problem.
    i64 problem = args.y;
    if (skips(args, problem)) {
        return;
    }
    Windows<T> windows(args, problem, state);
    if (blockIdx.x == 0) {
        windows.first(problem);
    } else {
        windows.others();
    }
    if (threadIdx.x == 0) {
        // The last block to leave puts the counters back.
        __threadfence();
        if (atomicAdd(counter(args, 1), 1u) == gridDim.x - 1) {
            *counter(args, 0) = 0;
            *counter(args, 1) = 0;
        }
    }
}

}  // namespace basalt

#define WINDOWS(t, T) \
    BASALT_KERNEL(basalt_hseqr_windows_##t) { basalt::hseqrWindows<T>(args); }
BASALT_EACH_TYPE(WINDOWS)
