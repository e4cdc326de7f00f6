package dev.basalt.host.asm;

/**
 * What a {@link TriangleCode} does.
 *
 * @param solves whether it solves, or else multiplies
 * @param lower whether A is lower triangular
 * @param transposed whether op(A) is Aᵀ
 * @param unit whether the diagonal counts as ones
 */
record Triangle(boolean solves, boolean lower, boolean transposed, boolean unit) {
    /** How many there are. */
    static final int COUNT = 16;

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

    int number() {
        return (solves ? 8 : 0) + (lower ? 4 : 0) + (transposed ? 2 : 0) + (unit ? 1 : 0);
    }
}
