// The Schur forms of pairs of real matrices by the QZ algorithm with two shifts at a time: a block of threads a problem. What is left below the diagonal are blocks of two rows with complex eigenvalues.
#include "pencil.h"
#include "qz.h"
#include "schur.h"

namespace basalt {

template <typename F>
struct RealSteps {
    typedef F T;
    typedef F R;
    MatrixPair<R> g;
    // The shifts of a step: real + imaginary·i and its conjugate, or two real ones.
    R real, other, imaginary;

    BASALT_DEVICE void begin() {}
    BASALT_DEVICE int pair(i64 first) const { return standardBlock(g, first) ? 2 : 1; }

    BASALT_DEVICE R ratio(i64 i, i64 j, R scaleA, R scaleB) const { return scaleA * g.A(i, j) / (scaleB * g.B(j, j)); }

    // Shifts that are no eigenvalues, as in steps of one matrix.
    BASALT_DEVICE void others(R middle, R size) {
        real = middle + (R)0.75 * size;
        other = real;
        imaginary = (R)0.6614378277661477 * size;
    }

    // The eigenvalues of the last two rows.
    BASALT_APART void shifts(i64 last, R scaleA, R scaleB) {
        Pencil<R> p;
        p.read(g, last - 1);
        p.solve();
        R factor = p.factor(scaleA, scaleB);
        real = factor * p.real;
        other = factor * p.other;
        imaginary = factor * p.imaginary;
    }

    // A reflector on rows j to j + 2, of columns from j on; where a column before has what it was made of, it gets the result. Begins with what all have read, ends with a barrier.
    BASALT_APART void rows(const Reflector<R>& v, i64 j, bool made) const {
        __syncthreads();
        i64 right = g.n - j;
        i64 ofQ = g.q != 0 ? g.n : 0;
        for (i64 l = threadIdx.x; l < 2 * right + ofQ; l += blockDim.x) {
            R* x = l < right ? &g.A(j, j) + l * g.lda
                   : l < 2 * right ? &g.B(j, j) + (l - right) * g.ldb
                                   : g.q + (l - 2 * right) + j * g.ldq;
            v.apply(x, l < 2 * right ? 1 : g.ldq, true);
        }
        if (made && threadIdx.x == 0) {
            R* x = &g.A(j, j - 1);
            x[0] = v.beta;
            x[1] = 0;
            x[2] = 0;
        }
        __syncthreads();
    }

    // One on columns j + 2 to j, of so many rows of a, and those of b above row j + 2, which it was made of.
    BASALT_APART void columns(const Reflector<R>& v, i64 j, i64 below) const {
        __syncthreads();
        i64 above = below + j + 2;
        i64 ofZ = g.z != 0 ? g.n : 0;
        for (i64 l = threadIdx.x; l < above + ofZ; l += blockDim.x) {
            R* x = l < below ? &g.A(l, j + 2) : l < above ? &g.B(l - below, j + 2) : g.z + (l - above) + (j + 2) * g.ldz;
            v.apply(x, l < below ? -g.lda : l < above ? -g.ldb : -g.ldz, true);
        }
        if (threadIdx.x == 0) {
            g.B(j + 2, j + 2) = v.beta;
            g.B(j + 2, j + 1) = 0;
            g.B(j + 2, j) = 0;
        }
        __syncthreads();
    }

    // On rows first to last, of which there are at least three.
    BASALT_DEVICE void step(i64 first, i64 last, i64 tries) {
        R scaleA = 1 / largerOf(Schur<R>::least(), g.normA);
        R scaleB = 1 / largerOf(Schur<R>::least(), g.normB);
        // The first columns of a·b⁻¹.
        R b11 = scaleB * g.B(first, first);
        R b12 = scaleB * g.B(first, first + 1);
        R b22 = scaleB * g.B(first + 1, first + 1);
        R m11 = scaleA * g.A(first, first) / b11;
        R m21 = scaleA * g.A(first + 1, first) / b11;
        R m12 = (scaleA * g.A(first, first + 1) - m11 * b12) / b22;
        R m22 = (scaleA * g.A(first + 1, first + 1) - m21 * b12) / b22;
        R m32 = scaleA * g.A(first + 2, first + 1) / b22;
        if (tries % (2 * QZ_STUCK) == 0) {
            R before = ratio(last - 1, last - 2, scaleA, scaleB);
            others(ratio(last, last, scaleA, scaleB), absolute(ratio(last, last - 1, scaleA, scaleB)) + absolute(before));
        } else if (tries % QZ_STUCK == 0) {
            others(m11, absolute(m21) + absolute(m32));
        } else {
            shifts(last, scaleA, scaleB);
        }
        R less = m11 - real;
        R size = largerOf(Schur<R>::least(), absolute(less) + absolute(imaginary) + absolute(m21));
        R low = m21 / size;
        R x = low * m12 + (m11 - other) * (less / size) + imaginary * (imaginary / size);
        R y = low * (less + (m22 - other));
        R w = low * m32;
        for (i64 j = first; j < last - 1; j++) {
            bool made = j > first;
            if (made) {
                x = g.A(j, j - 1);
                y = g.A(j + 1, j - 1);
                w = g.A(j + 2, j - 1);
            }
            Reflector<R> v;
            v.make(x, y, w);
            rows(v, j, made);
            v.make(g.B(j + 2, j + 2), g.B(j + 2, j + 1), g.B(j + 2, j));
            i64 below = least(j + 3, last) + 1;
            columns(v, j, below);
            g.columns(j + 1, below, j + 1);
        }
        g.rows(last - 1, last - 2, last - 1, last - 1);
        g.columns(last, last + 1, last);
    }
};

}  // namespace basalt

#define REAL_QZ(t, T) BASALT_KERNEL(basalt_qz_##t) { basalt::qz<basalt::RealSteps<T>>(args); }
BASALT_S(REAL_QZ)
BASALT_D(REAL_QZ)
