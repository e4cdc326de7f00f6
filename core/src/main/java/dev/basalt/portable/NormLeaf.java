package dev.basalt.portable;

/** What the norms of vectors and matrices of one element type are made of. Increments are in elements; sums are of doubles whatever the type is. */
interface NormLeaf {
    /** The kernels of the type. */
    Leaf leaf();

    /** The largest modulus, 0 for none; NaN wins. */
    double largest(long n, long x, long incx);

    /** The sum of moduli. */
    double sum(long n, long x, long incx);

    /** Adds moduli to the doubles at {@code sums}, one each, and gives their sum. */
    double addModuli(long n, long x, long sums);

    /** The modulus of one element; with {@code real} that of its real part. */
    double modulus(long x, boolean real);

    /** x := one times the sign of x, and signs := the sign; an element of 0 has the sign 1. Complex elements have their directions for signs, and leave {@code signs} alone. */
    void signs(long n, double one, long x, long signs);

    /** Whether the signs of x are those at {@code signs}; never for complex elements. */
    boolean sameSigns(long n, long x, long signs);

    /** 1-based index of the first element of the largest modulus. */
    long indexOfLargest(long n, long x);

    /** ‖x‖₂ without avoidable overflow or underflow; NaN wins. */
    default double nrm2(long n, long x, long incx) {
        return n <= 0 ? 0 : leaf().nrm2(n, x, incx);
    }

    /** √(a² + b²) of numbers that are not negative; NaN wins. */
    static double join(double a, double b) {
        double large = Math.max(a, b);
        if (!(large > 0) || large == Double.POSITIVE_INFINITY) {
            return large;
        }
        double ratio = Math.min(a, b) / large;
        return large * Math.sqrt(1 + ratio * ratio);
    }
}
