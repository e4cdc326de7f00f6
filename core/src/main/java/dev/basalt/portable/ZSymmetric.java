package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** What {@link SymmetricLeaf} leaves of complex elements. */
final class ZSymmetric extends SymmetricLeaf {
    ZSymmetric(Leaf leaf) {
        super(leaf, 16L);
    }

    @Override
    long realBytes() {
        return 8L;
    }

    @Override
    void takeReal(long element, long real) {
        f64(real, f64(element));
        f64(element + 8L, 0);
    }

    @Override
    void putReal(long real, long element) {
        f64(element, f64(real));
        f64(element + 8L, 0);
    }

    @Override
    void drop(long element) {
        f64(element + 8L, 0);
    }

    @Override
    void conjugate(long n, long x, long incx, long y) {
        for (long i = 0; i < n; i++) {
            long from = x + i * incx * 16L;
            f64(y + i * 16L, f64(from));
            f64(y + i * 16L + 8L, -f64(from + 8L));
        }
    }

    @Override
    void less(long n, long x, long dx, long y, long dy, long element) {
        double sum = 0;
        for (long i = 0; i < n; i++) {
            long u = x + i * dx * 16L;
            long v = y + i * dy * 16L;
            sum += f64(u) * f64(v) + f64(u + 8L) * f64(v + 8L);
        }
        f64(element, f64(element) - 2 * sum);
    }

    @Override
    void weigh(Leaf kernels, long n, long tau, long v, long w) {
        kernels.scal(n, f64(tau), f64(tau + 8L), false, w, 1);
        less(n, f64(tau), f64(tau + 8L), v, w);
    }

    @Override
    void update(Uplo uplo, long n, long a, long lda, long v, long tau, long w) {
        double re = f64(tau);
        double im = f64(tau + 8L);
        if (re != 0 || im != 0) {
            kernels().symv(uplo, true, n, re, im, a, lda, v, 1, 0, 0, w, 1);
            less(n, re, im, v, w);
            kernels().syr2(uplo, true, n, 0, n, -1, 0, v, 1, w, 1, a, lda, 0);
        } else {
            drop(uplo == Uplo.LOWER ? a : a + (n - 1) * (1 + lda) * 16L);
        }
        f64(tau, re);
        f64(tau + 8L, im);
    }

    /** w := w - f/2·(wᴴv)·v. */
    private void less(long n, double re, double im, long v, long w) {
        double sr = 0;
        double si = 0;
        for (long i = 0; i < n * 16L; i += 16L) {
            sr += f64(w + i) * f64(v + i) + f64(w + i + 8L) * f64(v + i + 8L);
            si += f64(w + i) * f64(v + i + 8L) - f64(w + i + 8L) * f64(v + i);
        }
        kernels().axpy(n, -0.5 * (re * sr - im * si), -0.5 * (re * si + im * sr), v, 1, w, 1);
    }

    @Override
    void right(long m, long n, long tau, long v, long b, long ldb, long w) {
        double re = f64(tau);
        double im = f64(tau + 8L);
        if (re != 0 || im != 0) {
            kernels().gemv(Op.NONE, m, n, 1, 0, b, ldb, v, 1, 0, 0, w, 1);
            kernels().ger(m, n, -re, -im, w, 1, v, 1, true, b, ldb);
        }
    }

    @Override
    void left(long m, long n, long tau, long v, long b, long ldb, long w) {
        double re = f64(tau);
        double im = f64(tau + 8L);
        if (re != 0 || im != 0) {
            kernels().gemv(Op.CONJ_TRANS, m, n, 1, 0, b, ldb, v, 1, 0, 0, w, 1);
            kernels().ger(m, n, -re, im, v, 1, w, 1, true, b, ldb);
        }
    }
}
