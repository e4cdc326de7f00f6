package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** What {@link SymmetricLeaf} leaves of real elements. */
final class DSymmetric extends SymmetricLeaf {
    DSymmetric(Leaf leaf) {
        super(leaf, 8L);
    }

    @Override
    long realBytes() {
        return 8L;
    }

    @Override
    void takeReal(long element, long real) {
        f64(real, f64(element));
    }

    @Override
    void putReal(long real, long element) {
        f64(element, f64(real));
    }

    @Override
    void drop(long element) {
        // Real elements have no other part.
    }

    @Override
    void conjugate(long n, long x, long incx, long y) {
        for (long i = 0; i < n; i++) {
            f64(y + i * 8L, f64(x + i * incx * 8L));
        }
    }

    @Override
    void less(long n, long x, long dx, long y, long dy, long element) {
        double sum = 0;
        for (long i = 0; i < n; i++) {
            sum += f64(x + i * dx * 8L) * f64(y + i * dy * 8L);
        }
        f64(element, f64(element) - 2 * sum);
    }

    @Override
    void weigh(Leaf kernels, long n, long tau, long v, long w) {
        double f = f64(tau);
        kernels.scal(n, f, 0, true, w, 1);
        kernels.axpy(n, -0.5 * f * kernels.dotReal(n, w, 1, v, 1), 0, v, 1, w, 1);
    }

    @Override
    void update(Uplo uplo, long n, long a, long lda, long v, long tau, long w) {
        double f = f64(tau);
        if (f != 0) {
            kernels().symv(uplo, false, n, f, 0, a, lda, v, 1, 0, 0, w, 1);
            kernels().axpy(n, -0.5 * f * kernels().dotReal(n, w, 1, v, 1), 0, v, 1, w, 1);
            kernels().syr2(uplo, false, n, 0, n, -1, 0, v, 1, w, 1, a, lda, 0);
        }
        f64(tau, f);
    }

    @Override
    void right(long m, long n, long tau, long v, long b, long ldb, long w) {
        double f = f64(tau);
        if (f != 0) {
            kernels().gemv(Op.NONE, m, n, 1, 0, b, ldb, v, 1, 0, 0, w, 1);
            kernels().ger(m, n, -f, 0, w, 1, v, 1, false, b, ldb);
        }
    }

    @Override
    void left(long m, long n, long tau, long v, long b, long ldb, long w) {
        double f = f64(tau);
        if (f != 0) {
            kernels().gemv(Op.TRANS, m, n, 1, 0, b, ldb, v, 1, 0, 0, w, 1);
            kernels().ger(m, n, -f, 0, v, 1, w, 1, false, b, ldb);
        }
    }
}
