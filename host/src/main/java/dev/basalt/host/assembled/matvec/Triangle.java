package dev.basalt.host.assembled.matvec;

/**
 * What a {@link TriangleCode} does.
 *
 * @param solves whether it solves, or else multiplies
 * @param lower whether A is lower triangular
 * @param transposed whether op(A) is Aᵀ, or Aᴴ
 * @param conj whether elements are conjugated
 * @param unit whether the diagonal counts as ones
 */
record Triangle(boolean solves, boolean lower, boolean transposed, boolean conj, boolean unit) {
    /** How many there are of real matrices: those without conj, which have the first numbers. */
    static final int REAL = 16;

    /** How many there are: what is conjugated is transposed. */
    static final int COUNT = 24;

    // All there are, so that a call makes none.
    private static final Triangle[] ALL = new Triangle[COUNT];

    static {
        for (int i = 0; i < COUNT; i++) {
            ALL[i] = new Triangle((i & 4) != 0, (i & 2) != 0, i >= 8, i >= REAL, (i & 1) != 0);
        }
    }

    static Triangle of(boolean solves, boolean lower, boolean transposed, boolean conj, boolean unit) {
        return ALL[number(solves, lower, transposed, conj, unit)];
    }

    /** The one of a {@link #number}. */
    static Triangle of(int number) {
        return ALL[number];
    }

    private static int number(boolean solves, boolean lower, boolean transposed, boolean conj, boolean unit) {
        return (conj ? REAL : transposed ? 8 : 0) + (solves ? 4 : 0) + (lower ? 2 : 0) + (unit ? 1 : 0);
    }

    /** Whether op(A) is lower triangular. */
    boolean opLower() {
        return lower != transposed;
    }

    /** Whether panels become shorter from block to block. */
    boolean shrinks() {
        return solves != transposed;
    }

    /** Whether blocks go from the first column to the last. */
    boolean forward() {
        return shrinks() == lower;
    }

    /** From 0 up to {@link #COUNT}. */
    int number() {
        return number(solves, lower, transposed, conj, unit);
    }
}
