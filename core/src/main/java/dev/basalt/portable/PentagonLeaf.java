package dev.basalt.portable;

import dev.basalt.type.Side;

/** Reflectors that lie apart from their ones: a triangle on top of a matrix, and trapezoids. One problem of one type over raw addresses. */
interface PentagonLeaf {
    /** C := conj(C), m×n. */
    void conjugate(long m, long n, long c, long ldc);

    /**
     * QR of a triangle (n×n) on top of a matrix (m×n) whose last l rows are an upper trapezoid, as {@link dev.basalt.spi.Kernel#TPQRT2} says.
     *
     * @param rows whether both are read as their transposes
     * @param conjugated whether reflectors end as conjugates
     */
    void tpqrt2(boolean rows, boolean backward, boolean conjugated, long m, long n, long l, long c, long ldc, long b,
            long ldb, long tau);

    /**
     * C (m×n) := op(Z)·C (LEFT) or C·op(Z). Reflector i is a one in place i and the last l elements of the order, which lie in a row from address v on.
     *
     * @param conj whether op is the conjugate transpose
     */
    void tpmqr2(Side side, boolean conj, long m, long n, long k, long l, long v, long ldv, long tau, long c, long ldc);
}
