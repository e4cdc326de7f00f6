// The Schur form of one large Hessenberg matrix by all blocks of a cooperative launch. The first block works on windows in its shared memory: it deflates at the end (Braman, Byers and Mathias, "The multishift QR
// algorithm, part II: aggressive early deflation", 2002) and chases bulges. What a window is turned by all blocks then take to what is right of and above it, and to the Schur vectors. Decisions are those of the
// portable kernels.
#include "bulges.h"
#include "cluster.h"
#include "exchange.h"
#include "hessenberg.h"

namespace basalt {

// Orders of windows at the end, and from where on the wide one: later than on a processor, since one block alone works on them while others wait; so many rounds without a deflation are followed by it, and by shifts that are no eigenvalues.
static const i64 NARROW = 48;
static const i64 WIDE = 64;
static const i64 LARGE = 3000;
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
    i64 at[BULGES];
    int some[2];  // whether a bulge moves in this step and, zero meanwhile, the next
    int odd;
    bool last[WIDE];
    R scratch[33];
    T line[WIDE], tau[WIDE];
    Swap<T> swap;
};

template <typename T>
BASALT_DEVICE typename Of<T>::Real sizeOfBlock(const Reordered<T>& g, i64 p, T spike) {
    typedef typename Of<T>::Real R;
    R size = magnitude(g(p, p));
    if (g.pair(p)) {
        size += root(magnitude(g(p + 1, p))) * root(magnitude(g(p, p + 1)));
    }
    return size == 0 ? magnitude(spike) : size;
}

// The left eigenvector of an eigenvalue of a Schur form by a warp, from the block of row p to the end: what it makes of a row of q is what that row would have there if the eigenvalue were the last one.
// Where others are very near it is worth nothing, and is a hint alone.
template <typename T>
struct LeftVector {
    typedef typename Of<T>::Real R;
    typedef Complex<R> C;
    static const int HALVES = (int)(WIDE / 32);
    C value;
    C sums[HALVES];
    C product;
    R square;

    BASALT_DEVICE static C complex(R x) { return Make<C>::of(x, 0); }
    template <typename Y>
    BASALT_DEVICE static C complex(Complex<Y> x) {
        return x;
    }
    BASALT_DEVICE C sum(int l) const {
        C own = sums[0];
        for (int h = 1; h < HALVES; h++) {
            own = l / 32 == h ? sums[h] : own;
        }
        return shuffle(own, l % 32);
    }
    // Element l has this value.
    BASALT_DEVICE void put(const Reordered<T>& g, i64 l, C y) {
        for (int h = 0; h < HALVES; h++) {
            i64 j = h * 32 + threadIdx.x % 32;
            if (j > l && j < g.n) {
                fma(y, complex(g(l, j)), sums[h]);
            }
        }
        fma(y, complex(g.q[l * g.ldq]), product);
        square += y.re * y.re + y.im * y.im;
    }

    BASALT_DEVICE LeftVector(const Reordered<T>& g, i64 p) {
        for (int h = 0; h < HALVES; h++) {
            sums[h] = zero<C>();
        }
        product = zero<C>();
        square = 0;
        value = complex(g(p, p));
        i64 l = p;
        if (g.pair(p)) {
            value.im = root(magnitude(g(p, p + 1))) * root(magnitude(g(p + 1, p)));
            put(g, p, complex(g(p + 1, p)));
            put(g, p + 1, Make<C>::of(0, value.im));
            l += 2;
        } else {
            put(g, p, complex((R)1));
            l++;
        }
        while (l < g.n) {
            C first = complex(g(l, l)) - value;
            C a = -sum((int)l);
            if (g.pair(l)) {
                C last = complex(g(l + 1, l + 1)) - value;
                C b = -sum((int)l + 1);
                C below = complex(g(l + 1, l));
                C beside = complex(g(l, l + 1));
                C det = first * last - below * beside;
                C y = divide(a * last - b * below, det);
                C x = divide(b * first - a * beside, det);
                put(g, l, y);
                put(g, l + 1, x);
                l += 2;
            } else {
                put(g, l, divide(a, first));
                l++;
            }
        }
    }

    // What the row above has to do with it, if it is a number.
    BASALT_DEVICE R reach(T spike) const { return magnitude(spike) * (magnitude(product) / root(square)); }
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
    int turn;  // of the flags by which warps tell that a bulge has moved

    BASALT_DEVICE Windows(const Args& arguments, i64 problem, WindowState<T>& state)
        : args(arguments), s(state), memory(BASALT_DYNAMIC_SHARED(T)), n(arguments.n), lo(arguments.p), round(0), turn(0) {
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
        takeSquare((int)k, memory, pitch, u, k);
        i64 across = (right + STRIP - 1) / STRIP;
        i64 down = (first - above + STRIP - 1) / STRIP;
        i64 all = across + down + (rows + STRIP - 1) / STRIP;
        for (i64 i = blockIdx.x; i < all; i += gridDim.x) {
            __syncthreads();
            if (i < across) {
                turnRows((int)k, (int)pitch, strip, &element(first, first + k) + i * STRIP * ldh, (int)least(STRIP, right - i * STRIP));
            } else if (i < across + down) {
                i64 row = above + (i - across) * STRIP;
                turnColumns((int)k, (int)pitch, strip, &element(row, first), ldh, (int)least(STRIP, first - row));
            } else {
                i64 row = (i - across - down) * STRIP;
                turnColumns((int)k, (int)pitch, strip, z + row + first * ldz, ldz, (int)least(STRIP, rows - row));
            }
        }
        __syncthreads();
        return true;
    }

    // A square of so many rows, a warp a column.
    BASALT_DEVICE static void takeSquare(int k, T* to, i64 ldTo, const T* from, i64 ldFrom) {
        for (int j = threadIdx.x / 32; j < k; j += blockDim.x / 32) {
            for (int i = threadIdx.x % 32; i < k; i += 32) {
                to[i + j * ldTo] = from[i + j * ldFrom];
            }
        }
    }

    // k rows of some columns := uᴴ times them.
    BASALT_DEVICE void turnRows(int k, int pitch, T* strip, T* x, int columns) const {
        for (int j = threadIdx.x / 32; j < columns; j += blockDim.x / 32) {
            for (int i = threadIdx.x % 32; i < k; i += 32) {
                strip[i + j * pitch] = x[i + j * ldh];
            }
        }
        __syncthreads();
        for (int j = threadIdx.x / 32; j < columns; j += blockDim.x / 32) {
            const T* column = strip + j * pitch;
            for (int i = threadIdx.x % 32; i < k; i += 32) {
                const T* own = memory + i * pitch;
                T sum = zero<T>();
                for (int l = 0; l < k; l++) {
                    fma(conj(own[l], true), column[l], sum);
                }
                x[i + j * ldh] = sum;
            }
        }
    }

    // k columns of some rows := themselves times u.
    BASALT_DEVICE void turnColumns(int k, int pitch, T* strip, T* x, i64 ldx, int count) const {
        int i = threadIdx.x % STRIP;
        for (int j = threadIdx.x / STRIP; j < k; j += blockDim.x / STRIP) {
            if (i < count) {
                strip[i + j * (STRIP + 1)] = x[i + j * ldx];
            }
        }
        __syncthreads();
        for (int j = threadIdx.x / STRIP; j < k; j += blockDim.x / STRIP) {
            if (i < count) {
                T sum = zero<T>();
                for (int l = 0; l < k; l++) {
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
        takeSquare((int)k, u, k, by, pitch);
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
        for (i64 j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
            for (i64 i = threadIdx.x % 32; i < n; i += 32) {
                T* x = &element(i, j);
                if (i > j + 1) {
                    *x = zero<T>();
                } else if (re(*x) - re(*x) != 0 || im(*x) - im(*x) != 0) {
                    s.odd = 1;
                }
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
        for (int j = threadIdx.x / 32; j < nw; j += blockDim.x / 32) {
            for (int i = threadIdx.x % 32; i < nw; i += 32) {
                t[i + j * pitch] = i <= j + 1 ? element(begin + i, begin + j) : zero<T>();
                v[i + j * pitch] = i == j ? one<T>() : zero<T>();
            }
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
        i64 ns = drop(g, failed, spike);
        valuesOf(g, failed, w + begin, wi == 0 ? wi : wi + begin);
        dropped = nw - ns;
        shifts = ns - failed;
        bool none = ns == 0 || isZero(spike);
        if (ns < nw || none) {
            attach(top, begin, last, nw, ns, none, spike);
        }
        __syncthreads();
    }

    // Rows of the window that have to do with those above: eigenvalues that have not come to its end, which others pass on their way there. Which ones it is worth to take there
    // their left eigenvectors tell; whether they may stay, what the window's rows have to do with the row above.
    BASALT_DEVICE i64 drop(Reordered<T>& g, i64 failed, T spike) {
        i64 nw = g.n;
        R small = Schur<R>::least() * ((R)nw / Schur<R>::unit());
        for (i64 p = threadIdx.x / 32; p < nw; p += blockDim.x / 32) {
            bool comes = p >= failed && g.begins(p) == p && LeftVector<T>(g, p).reach(spike) <= largerOf(small, Schur<R>::unit() * sizeOfBlock(g, p, spike));
            if (threadIdx.x % 32 == 0) {
                s.last[p] = comes;
            }
        }
        __syncthreads();
        i64 ns = nw;
        for (i64 i = nw; i > failed;) {
            i64 p = g.begins(i - 1);
            i64 own = g.size(p);
            bool there = i == ns;
            if (!there && s.last[p]) {
                bool apart;
                i64 here = sink(g, s.swap, p, ns - 1, (int)own, &apart);
                there = g.arrived && !apart && here == ns - own;
            }
            i = p;
            p = ns - own;
            if (there) {
                R far = magnitude(spike) * largerOf(magnitude(g.q[p * g.ldq]), magnitude(g.q[(ns - 1) * g.ldq]));
                if (far <= largerOf(small, Schur<R>::unit() * sizeOfBlock(g, p, spike))) {
                    ns = p;
                }
            }
            // Nobody exchanges what others still read.
            __syncthreads();
        }
        return ns;
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
        for (int j = threadIdx.x / 32; j < nw; j += blockDim.x / 32) {
            for (int i = threadIdx.x % 32; i < nw && i <= j + 1; i += 32) {
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
            for (int j = threadIdx.x / 32; j < k; j += blockDim.x / 32) {
                for (int i = threadIdx.x % 32; i < k; i += 32) {
                    memory[i + j * pitch] = i <= j + 1 ? element(first + i, first + j) : zero<T>();
                }
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
            takeSquare((int)k, x, pitch, &element(begin, begin), ldh);
            for (int j = threadIdx.x / 32; j < k; j += blockDim.x / 32) {
                for (int i = threadIdx.x % 32; i < k; i += 32) {
                    v[i + j * pitch] = i == j ? one<T>() : zero<T>();
                }
            }
            if (threadIdx.x < 2) {
                s.some[threadIdx.x] = 0;
            }
            __syncthreads();
            while (step(top, last, begin, stop, shift, bulges, x, v)) {
            }
            takeSquare((int)k, &element(begin, begin), ldh, x, pitch);
            i64 next = s.at[bulges - 1];
            together(k, begin, top, stop, v, pitch);
            if (stop == last) {
                return;
            }
            begin = next;
        }
    }

    // A reflector of each bulge that has its distance from the one before, a warp a bulge, from both sides; whether there is one. What a bulge is made of and the rows it turns are its own; before columns are
    // turned is a barrier, and one at the end.
    BASALT_DEVICE bool step(i64 top, i64 last, i64 begin, i64 stop, i64 shift, int bulges, T* x, T* v) {
        const int space = Bulge<T>::SPACE;
        int k = (int)(stop - begin + 1);
        int pitch = k | 1;
        int b = threadIdx.x / 32;
        int lane = threadIdx.x % 32;
        i64 p = 0;
        bool may = false;
        if (b < bulges) {
            p = s.at[b];
            i64 goal = stop == last ? last - 1 : stop - space - space * b;
            may = p < goal && (b == 0 || s.at[b - 1] >= p + space || (stop == last && s.at[b - 1] >= last - 1));
        }
        Bulge<T> bulge;
        int row = (int)(p + 1 - begin);
        bool whole = p + space <= last;
        if (may) {
            T* column = x + row + (row - 1) * pitch;
            if (p < top) {
                i64 own = shift + (i64)Bulge<T>::EACH * (bulges - 1 - b);
                bulge.begin(x + (int)(top - begin) * (1 + pitch), pitch, w + own, wi == 0 ? wi : wi + own);
            } else {
                bulge.next(column, whole);
            }
            warpBarrier();
            for (int j = row + lane; j < k; j += 32) {
                bulge.rows(x + row + j * pitch, whole);
            }
            if (lane == 0) {
                s.some[turn] = 1;
                if (p >= top) {
                    bulge.end(column, whole);
                }
            }
        }
        __syncthreads();
        bool some = s.some[turn] != 0;
        turn = 1 - turn;
        if (!some) {
            return false;
        }
        if (threadIdx.x == 0) {
            s.some[turn] = 0;
        }
        if (may) {
            if (lane == 0) {
                s.at[b] = p + 1;
            }
            int below = (int)(least(p + space + 1, last) - begin);
            for (int i = lane; i <= below; i += 32) {
                bulge.columns(x + i + row * pitch, (i64)pitch, whole);
            }
            // Each bulge that has passed leaves so many rows more below the diagonal.
            int reach = (int)least((i64)k - 1, row + (space - 1) * (b + 1));
            for (int i = lane; i <= reach; i += 32) {
                bulge.columns(v + i + row * pitch, (i64)pitch, whole);
            }
        }
        __syncthreads();
        return true;
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
