package dev.basalt.portable;

import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;

/** An estimate of the 1-norm of a matrix that is known by its products with vectors, as LAPACK's lacn2 (Higham, "FORTRAN codes for estimating the one-norm of a real or complex matrix", 1988). It never is too large. */
final class InverseNorm {
    private static final int ROUNDS = 5;
    private static final double THREE = 3.0;

    private final ElementType type;
    private final boolean complex;
    private final boolean single;
    private long n;
    private long x;

    InverseNorm(ElementType type) {
        this.type = type;
        this.complex = type.isComplex();
        this.single = type.real() == ElementType.F32;
    }

    /** The matrix. */
    interface Inverse {
        /**
         * Replaces x by its product with the matrix times a factor.
         *
         * @param adjoint whether the conjugate transpose is meant
         * @return the factor, which keeps the product in the range
         */
        double solve(boolean adjoint);
    }

    private double re(long i) {
        long element = x + i * type.bytes();
        return single ? Memory.f32(element) : Memory.f64(element);
    }

    private double im(long i) {
        long element = x + i * type.bytes() + type.real().bytes();
        return !complex ? 0 : single ? Memory.f32(element) : Memory.f64(element);
    }

    private void put(long i, double re, double im) {
        long element = x + i * type.bytes();
        if (single) {
            Memory.f32(element, (float) re);
        } else {
            Memory.f64(element, re);
        }
        if (complex && single) {
            Memory.f32(element + type.real().bytes(), (float) im);
        } else if (complex) {
            Memory.f64(element + type.real().bytes(), im);
        }
    }

    private double size(long i) {
        return Math.hypot(re(i), im(i));
    }

    /** The norm, where the matrix has order n and works on the vector at an address. */
    double of(long order, long vector, Inverse inverse) {
        n = order;
        x = vector;
        fill(1.0 / n, -1);
        double most = solved(inverse);
        if (n == 1) {
            return most;
        }
        signs();
        inverse.solve(true);
        long at = largest();
        for (int round = 1; round < ROUNDS; round++) {
            fill(0, at);
            double sum = solved(inverse);
            if (!(sum > most)) {
                break;
            }
            most = sum;
            signs();
            inverse.solve(true);
            long next = largest();
            if (size(at) == size(next)) {
                break;
            }
            at = next;
        }
        for (long i = 0; i < n; i++) {
            double element = 1 + (double) i / (n - 1);
            put(i, i % 2 == 0 ? element : -element, 0);
        }
        return Math.max(most, 2 * solved(inverse) / (THREE * n));
    }

    /** All elements := a number, one of them 1. */
    private void fill(double value, long one) {
        for (long i = 0; i < n; i++) {
            put(i, i == one ? 1 : value, 0);
        }
    }

    private double solved(Inverse inverse) {
        double scale = inverse.solve(false);
        double sum = 0;
        for (long i = 0; i < n; i++) {
            sum += size(i);
        }
        return sum / scale;
    }

    private void signs() {
        for (long i = 0; i < n; i++) {
            double size = size(i);
            put(i, size > 0 ? re(i) / size : 1, size > 0 ? im(i) / size : 0);
        }
    }

    private long largest() {
        long at = 0;
        for (long i = 1; i < n; i++) {
            at = size(i) > size(at) ? i : at;
        }
        return at;
    }
}
