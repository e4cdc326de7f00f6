package dev.basalt.spi;

/** The windows in which HSEQR chases many shifts at once, by the order of the matrix alone. */
public final class BulgeWindows {
    /** Smaller matrices take two shifts, or one, at a time. */
    public static final long LEAST = 96;

    /** From here on there are twice as many shifts. */
    private static final long LARGE = 1400;

    private static final long SHIFTS = 32;

    private BulgeWindows() {}

    /**
     * Shifts of one sweep.
     *
     * @param n order of the matrix
     * @return an even number; 0 where the matrix is small
     */
    public static long shifts(long n) {
        return n < LEAST ? 0 : n < LARGE ? SHIFTS : 2 * SHIFTS;
    }

    /**
     * The order of the window at the end in which eigenvalues are looked for before each sweep.
     *
     * @param n order of the matrix
     * @return order
     */
    public static long deflation(long n) {
        return shifts(n) * 3 / 2;
    }

    /**
     * The order of the windows in which shifts are chased.
     *
     * @param n order of the matrix
     * @param complex whether a bulge holds one shift and not two
     * @return order
     */
    public static long chase(long n, boolean complex) {
        return complex ? 4 * shifts(n) + 2 : 3 * shifts(n) + 2;
    }

    /**
     * The scratch of one problem.
     *
     * @param n order of the matrix
     * @param complex whether its elements are complex
     * @return elements
     */
    public static long elements(long n, boolean complex) {
        long nw = deflation(n);
        long w = chase(n, complex);
        return shifts(n) == 0
                ? FEW
                : Math.addExact(Math.multiplyExact(Math.max(nw, w), n), 2 * nw * nw + w * w + 8 * nw + FEW);
    }

    /** Scratch without windows. */
    private static final long FEW = 64;
}
