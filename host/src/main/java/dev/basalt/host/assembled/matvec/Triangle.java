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
public record Triangle(boolean solves, boolean lower, boolean transposed, boolean conj, boolean unit) {
    /** How many there are. */
    public static final int COUNT = 32;

    // All there are, so that a call makes none.
    private static final Triangle[] ALL = new Triangle[COUNT];

    static {
        for (int i = 0; i < COUNT; i++) {
            ALL[i] = new Triangle((i & 8) != 0, (i & 4) != 0, (i & 2) != 0, (i & 16) != 0, (i & 1) != 0);
        }
    }

    public static Triangle of(boolean solves, boolean lower, boolean transposed, boolean conj, boolean unit) {
        return ALL[number(solves, lower, transposed, conj, unit)];
    }

    private static int number(boolean solves, boolean lower, boolean transposed, boolean conj, boolean unit) {
        return (conj ? 16 : 0) + (solves ? 8 : 0) + (lower ? 4 : 0) + (transposed ? 2 : 0) + (unit ? 1 : 0);
    }

    /** Whether op(A) is lower triangular. */
    boolean opLower() {
        return lower != transposed;
    }

    /** Whether panels become shorter from block to block. */
    public boolean shrinks() {
        return solves != transposed;
    }

    /** Whether blocks go from the first column to the last. */
    public boolean forward() {
        return shrinks() == lower;
    }

    /** From 0 up to {@link #COUNT}. */
    public int number() {
        return number(solves, lower, transposed, conj, unit);
    }
}
