package dev.basalt.portable;

import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Reduction of one matrix to Hessenberg form by reflectors, and of the second one of a pair to a triangle, over the kernels of a leaf: the same for all types. */
final class HessenbergLeaf {
    private final Leaf leaf;
    private final ElementType type;
    private final long bytes;

    HessenbergLeaf(Leaf leaf, ElementType type) {
        this.leaf = leaf;
        this.type = type;
        this.bytes = type.bytes();
    }

    private double re(long element) {
        return type.real() == ElementType.F64 ? Memory.f64(element) : Memory.f32(element);
    }

    private double im(long element) {
        if (!type.isComplex()) {
            return 0;
        }
        return type == ElementType.C64 ? Memory.f64(element + 8L) : Memory.f32(element + 4);
    }

    /** See {@link dev.basalt.spi.Kernel#GEHD2}. */
    void gehd2(long n, long lo, long hi, long a, long lda, long tau, long work) {
        for (long j = lo; j < hi - 1; j++) {
            long m = hi - j - 1;
            long v = a + (j + 1 + j * lda) * bytes;
            long factor = tau + j * bytes;
            leaf.larfg(false, m, v, v + bytes, 1, factor);
            double re = re(factor);
            double im = im(factor);
            if (re == 0 && im == 0) {
                continue;
            }
            double betaRe = re(v);
            double betaIm = im(v);
            leaf.fill(1, 1, 0, v, 1);
            long right = a + (j + 1) * lda * bytes;
            leaf.gemv(Op.NONE, hi, m, 1, 0, right, lda, v, 1, 0, 0, work, 1);
            leaf.ger(hi, m, -re, -im, work, 1, v, 1, true, right, lda);
            long cols = n - j - 1;
            reflect(m, cols, v, re, im, right + (j + 1) * bytes, lda, work);
            leaf.fill(1, betaRe, betaIm, v, 1);
        }
    }

    /** B of a pair to triangular form by reflectors from the left, which A and Q get, too; Q may be 0. There is room for a vector and a factor. */
    void triangular(long n, long a, long lda, long b, long ldb, long q, long ldq, long work, long factor) {
        for (long j = 0; j + 1 < n; j++) {
            long m = n - j;
            long v = b + j * (ldb + 1) * bytes;
            leaf.larfg(false, m, v, v + bytes, 1, factor);
            double re = re(factor);
            double im = im(factor);
            double firstRe = re(v);
            double firstIm = im(v);
            leaf.fill(1, 1, 0, v, 1);
            reflect(m, m - 1, v, re, im, v + ldb * bytes, ldb, work);
            reflect(m, n, v, re, im, a + j * bytes, lda, work);
            if (q != 0) {
                long columns = q + j * ldq * bytes;
                leaf.gemv(Op.NONE, n, m, 1, 0, columns, ldq, v, 1, 0, 0, work, 1);
                leaf.ger(n, m, -re, -im, work, 1, v, 1, true, columns, ldq);
            }
            leaf.fill(1, firstRe, firstIm, v, 1);
            leaf.fill(m - 1, 0, 0, v + bytes, 1);
        }
    }

    private void reflect(long m, long cols, long v, double re, double im, long rows, long ld, long work) {
        leaf.gemv(Op.CONJ_TRANS, m, cols, 1, 0, rows, ld, v, 1, 0, 0, work, 1);
        leaf.ger(m, cols, -re, im, v, 1, work, 1, true, rows, ld);
    }

    /** A matrix of order n := the unit matrix; 0 is none. */
    void identity(long n, long matrix, long ld) {
        if (matrix != 0) {
            leaf.scalMatrix(n, n, 0, 0, matrix, ld);
            leaf.fill(n, 1, 0, matrix, ld + 1);
        }
    }

    /** See {@link dev.basalt.spi.Kernel#LAHR2_COLUMN}. */
    void column(long m, long k, long p, long y, long ldy, long c, long ldc, long tau, long v, long ldv, long t,
            long ldt) {
        long x = c + p * ldc * bytes;
        if (p > 0) {
            long scratch = t + k * ldt * bytes;
            conjugate(p, v + (p - 1) * bytes, ldv, scratch);
            leaf.gemv(Op.NONE, m, p, -1, 0, y, ldy, scratch, 1, 1, 0, x, 1);
            leaf.gemv(Op.CONJ_TRANS, m, p, 1, 0, v, ldv, x, 1, 0, 0, scratch, 1);
            leaf.trmv(Uplo.UPPER, Op.CONJ_TRANS, Diag.NON_UNIT, p, t, ldt, scratch, 1);
            leaf.gemv(Op.NONE, m, p, -1, 0, v, ldv, scratch, 1, 1, 0, x, 1);
        }
        long first = x + p * bytes;
        leaf.larfg(false, m - p, first, first + bytes, 1, tau);
        long own = v + p * ldv * bytes;
        leaf.fill(p, 0, 0, own, 1);
        leaf.fill(1, 1, 0, own + p * bytes, 1);
        leaf.copy(m - p - 1, first + bytes, 1, own + (p + 1) * bytes, 1);
    }

    /** y := the conjugates of x. */
    private void conjugate(long n, long x, long incx, long y) {
        leaf.copy(n, x, incx, y, 1);
        for (long i = 0; i < n && type.isComplex(); i++) {
            if (type == ElementType.C64) {
                Memory.f64(y + 16 * i + 8, -Memory.f64(y + 16 * i + 8));
            } else {
                Memory.f32(y + 8 * i + 4, -Memory.f32(y + 8 * i + 4));
            }
        }
    }

    /** See {@link dev.basalt.spi.Kernel#LAHR2_ROW}. */
    void row(long m, long k, long p, long y, long ldy, long tau, long v, long ldv, long t, long ldt) {
        double re = re(tau);
        double im = im(tau);
        long own = y + p * ldy * bytes;
        long column = t + p * ldt * bytes;
        if (p > 0) {
            leaf.gemv(Op.CONJ_TRANS, m, p, 1, 0, v, ldv, v + p * ldv * bytes, 1, 0, 0, column, 1);
            leaf.gemv(Op.NONE, m, p, -1, 0, y, ldy, column, 1, 1, 0, own, 1);
            leaf.trmv(Uplo.UPPER, Op.NONE, Diag.NON_UNIT, p, t, ldt, column, 1);
            leaf.scal(p, -re, -im, !type.isComplex(), column, 1);
        }
        leaf.scal(m, re, im, !type.isComplex(), own, 1);
        leaf.fill(1, re, im, column + p * bytes, 1);
        leaf.fill(k - p - 1, 0, 0, column + (p + 1) * bytes, 1);
    }
}
