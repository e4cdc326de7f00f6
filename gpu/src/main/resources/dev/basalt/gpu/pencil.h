// Pairs of real matrices of order two, A and an upper triangular B: their eigenvalues (van Loan's formulas, as in LAPACK's lag2), and the rotations that bring them to LAPACK's standard form. That is two triangles, or a pair of complex
// eigenvalues with a diagonal B whose first element is the larger. Both matrices are worked on times powers of two that make them about 1.
#ifndef BASALT_PENCIL_H
#define BASALT_PENCIL_H
#include "turns.h"

namespace basalt {

BASALT_DEVICE double timesPower(double x, int by) { return scalbn(x, by); }
BASALT_DEVICE float timesPower(float x, int by) { return scalbnf(x, by); }

// 0 of zero and of what is no number in the range.
BASALT_DEVICE int exponentIn(double x) { return x > 0 && x < 1 / (double)0 ? ilogb(x) : 0; }
BASALT_DEVICE int exponentIn(float x) { return x > 0 && x < 1 / (float)0 ? ilogbf(x) : 0; }

template <typename R>
struct Pencil {
    R a11, a12, a21, a22, b11, b12, b21, b22;
    int powerA, powerB;
    // The eigenvalues of the scaled pair: real + imaginary·i and its conjugate, or real and other, the first nearer to the last row's.
    R real, other, imaginary;
    // Those of a complex pair as numerators and denominators, as the diagonals of complex triangles would have them.
    R alphaRe1, alphaIm1, beta1, alphaRe2, alphaIm2, beta2;
    // The rotations x := c·x + s·y, y := c·y - s·x of rows and of columns.
    R rowCosine, rowSine, columnCosine, columnSine;

    static BASALT_DEVICE R largest(R p, R q, R r, R s) {
        return largerOf(largerOf(absolute(p), absolute(q)), largerOf(absolute(r), absolute(s)));
    }

    // The pair of rows i and i + 1.
    BASALT_DEVICE void read(const MatrixPair<R>& g, i64 i) {
        a11 = g.A(i, i);
        a21 = g.A(i + 1, i);
        a12 = g.A(i, i + 1);
        a22 = g.A(i + 1, i + 1);
        b11 = g.B(i, i);
        b21 = g.B(i + 1, i);
        b12 = g.B(i, i + 1);
        b22 = g.B(i + 1, i + 1);
        powerA = exponentIn(largest(a11, a21, a12, a22));
        powerB = exponentIn(largest(b11, b21, b12, b22));
        scale(-powerA, -powerB);
        rowCosine = 1;
        rowSine = 0;
        columnCosine = 1;
        columnSine = 0;
    }

    BASALT_DEVICE void scale(int byA, int byB) {
        a11 = timesPower(a11, byA);
        a21 = timesPower(a21, byA);
        a12 = timesPower(a12, byA);
        a22 = timesPower(a22, byA);
        b11 = timesPower(b11, byB);
        b21 = timesPower(b21, byB);
        b12 = timesPower(b12, byB);
        b22 = timesPower(b22, byB);
    }

    // By one thread.
    BASALT_DEVICE void write(const MatrixPair<R>& g, i64 i) {
        scale(powerA, powerB);
        g.A(i, i) = a11;
        g.A(i + 1, i) = a21;
        g.A(i, i + 1) = a12;
        g.A(i + 1, i + 1) = a22;
        g.B(i, i) = b11;
        g.B(i + 1, i) = b21;
        g.B(i, i + 1) = b12;
        g.B(i + 1, i + 1) = b22;
    }

    // What eigenvalues of the scaled pair are to be multiplied by where A and B have other scales.
    BASALT_DEVICE R factor(R scaleA, R scaleB) const {
        return timesPower(scaleA, powerA) / timesPower(scaleB, powerB);
    }

    // The eigenvalues of the scaled pair, whose B has no small element on its diagonal: whether they are complex.
    BASALT_DEVICE bool solve() {
        R first = a11 / b11;
        R last = a22 / b22;
        R slope = a21 / b11 / b22;
        bool low = absolute(first) <= absolute(last);
        R shift = low ? first : last;
        // What is left when the smaller of both is taken off.
        R above = a12 - shift * b12;
        R end = (low ? (a22 - shift * b22) / b22 : (R)0) - slope * b12;
        R half = (R)0.5 * (low ? end : (a11 - shift * b11) / b11 + end);
        R square = half * half + slope * above;
        R size = root(absolute(square));
        imaginary = 0;
        if (square < 0) {
            real = shift + half;
            other = real;
            imaginary = size;
            return true;
        }
        R large = shift + (half + carrySign(size, half));
        R small = shift + (half - carrySign(size, half));
        if ((R)0.5 * absolute(large) > absolute(small)) {
            small = (a11 * a22 - a12 * a21) / b11 / b22 / large;
        }
        R target = shift + end;
        bool nearer = absolute(large - target) <= absolute(small - target);
        real = nearer ? large : small;
        other = nearer ? small : large;
        return false;
    }

    // To standard form: whether it stays a pair of complex eigenvalues.
    BASALT_APART bool standard() {
        if (b21 != 0) {
            rows(b11, b21);
            b21 = 0;
        }
        // A rounding error can make a pair of complex eigenvalues real: so many forms are looked at.
        const int FORMS = 3;
        for (int i = 0; a21 != 0; i++) {
            R most = Schur<R>::unit() * largest(b11, b12, 0, b22);
            if (absolute(b11) <= most) {
                b11 = 0;
                rows(a11, a21);
                end();
            } else if (absolute(b22) <= most) {
                b22 = 0;
                columns(a22, -a21);
                end();
            } else if (!solve()) {
                triangles();
                end();
            } else if ((b12 == 0 && absolute(b11) >= absolute(b22)) || i == FORMS) {
                return true;
            } else {
                diagonal();
            }
        }
        return false;
    }

    BASALT_DEVICE void end() {
        a21 = 0;
        b21 = 0;
    }

    // The first column becomes the vector of a real eigenvalue.
    BASALT_DEVICE void triangles() {
        R beta = 1 / largerOf((R)1, absolute(real));
        R alpha = real * beta;
        R p = beta * a11 - alpha * b11;
        R q = beta * a12 - alpha * b12;
        R r = beta * a21;
        R s = beta * a22 - alpha * b22;
        bool upper = absolute(p) + absolute(q) > absolute(r) + absolute(s);
        columns(upper ? q : s, upper ? -p : -r);
        bool byB = beta * largest(a11, a12, a21, a22) >= absolute(alpha) * largest(b11, b12, b21, b22);
        rows(byB ? b11 : a11, byB ? b21 : a21);
    }

    // Columns of B become orthogonal, the longer one first, and rows follow.
    BASALT_DEVICE void diagonal() {
        R first = b11 * b11;
        R last = b12 * b12 + b22 * b22;
        R beside = b11 * b12;
        if (beside != 0) {
            R zeta = (last - first) / (2 * beside);
            R tangent = carrySign((R)1, zeta) / (absolute(zeta) + lengthOfBoth((R)1, zeta));
            columns(1, -tangent);
            first = b11 * b11 + b21 * b21;
            last = b12 * b12 + b22 * b22;
        }
        if (last > first) {
            turnColumns(0, 1);
        }
        rows(b11, b21);
        b21 = 0;
        b12 = 0;
    }

    // The rotation of rows whose cosine and sine are as these numbers.
    BASALT_DEVICE void rows(R f, R g) {
        R large = largerOf(absolute(f), absolute(g));
        if (large > 0) {
            R size = lengthOfBoth(f / large, g / large);
            turnRows(f / large / size, g / large / size);
        }
    }
    BASALT_DEVICE void columns(R f, R g) {
        R large = largerOf(absolute(f), absolute(g));
        if (large > 0) {
            R size = lengthOfBoth(f / large, g / large);
            turnColumns(f / large / size, g / large / size);
        }
    }

    static BASALT_DEVICE void turn(R& x, R& y, R c, R s) {
        R kept = x;
        x = c * kept + s * y;
        y = c * y - s * kept;
    }
    BASALT_APART void turnRows(R c, R s) {
        turn(a11, a21, c, s);
        turn(a12, a22, c, s);
        turn(b11, b21, c, s);
        turn(b12, b22, c, s);
        follow(rowCosine, rowSine, c, s);
    }
    BASALT_APART void turnColumns(R c, R s) {
        turn(a11, a12, c, s);
        turn(a21, a22, c, s);
        turn(b11, b12, c, s);
        turn(b21, b22, c, s);
        follow(columnCosine, columnSine, c, s);
    }
    static BASALT_DEVICE void follow(R& cosine, R& sine, R c, R s) {
        R kept = cosine;
        cosine = c * kept - s * sine;
        sine = s * kept + c * sine;
    }

    // The eigenvalues of a pair in standard form as numerators and denominators.
    BASALT_APART void values() {
        solve();
        // The first column of a complex triangle belongs to a vector of the pair, which the larger row tells.
        R p = a11 - real * b11;
        R q = a22 - real * b22;
        bool upper = absolute(a12) + absolute(p) + absolute(imaginary * b11)
                     >= absolute(a21) + absolute(q) + absolute(imaginary * b22);
        R x = upper ? a12 : lengthOfBoth(q, imaginary * b22);
        R y = upper ? lengthOfBoth(p, imaginary * b11) : a21;
        R large = largerOf(absolute(x), absolute(y));
        R ratio = b11;
        if (large > 0) {
            x /= large;
            y /= large;
            ratio = lengthOfBoth(b11 * x, b22 * y) / lengthOfBoth(x, y);
        }
        R rest = b22 / ratio * b11;
        beta1 = timesPower(ratio, powerB);
        beta2 = timesPower(rest, powerB);
        alphaRe1 = timesPower(real * ratio, powerA);
        alphaIm1 = timesPower(imaginary * ratio, powerA);
        alphaRe2 = timesPower(real * rest, powerA);
        alphaIm2 = timesPower(-imaginary * rest, powerA);
    }
};

// By all threads: the block of rows i and i + 1 to standard form; whether it stays one of complex eigenvalues. Begins with what all have read, ends with a barrier.
template <typename R>
BASALT_APART bool standardBlock(const MatrixPair<R>& g, i64 i) {
    Pencil<R> p;
    p.read(g, i);
    bool complex = p.standard();
    __syncthreads();
    if (threadIdx.x == 0) {
        p.write(g, i);
    }
    i64 right = g.n - i - 2;
    i64 ofQ = g.q != 0 ? g.n : 0;
    i64 ofZ = g.z != 0 ? g.n : 0;
    for (i64 l = threadIdx.x; l < 2 * right + ofQ; l += blockDim.x) {
        R* x = l < right ? &g.A(i, i + 1) + (l + 1) * g.lda
               : l < 2 * right ? &g.B(i, i + 1) + (l - right + 1) * g.ldb
                               : g.q + (l - 2 * right) + i * g.ldq;
        Pencil<R>::turn(*x, x[l < 2 * right ? 1 : g.ldq], p.rowCosine, p.rowSine);
    }
    for (i64 l = threadIdx.x; l < 2 * i + ofZ; l += blockDim.x) {
        R* x = l < i ? &g.A(l, i) : l < 2 * i ? &g.B(l - i, i) : g.z + (l - 2 * i) + i * g.ldz;
        Pencil<R>::turn(*x, x[l < i ? g.lda : l < 2 * i ? g.ldb : g.ldz], p.columnCosine, p.columnSine);
    }
    __syncthreads();
    return complex;
}

}  // namespace basalt
#endif
