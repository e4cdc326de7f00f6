package dev.basalt.portable;

/** Two-sided Jacobi of what two groups of rows and columns of a symmetric or Hermitian matrix have in common, apart from it, with the product of the rotations. One thread's. */
public interface JacobiTile {
    /** Rows and columns of both groups at most; a group has half of them. */
    int SIDE = 64;

    /**
     * Takes the upper triangle of two groups out of a matrix; the product is the identity.
     *
     * @param h address of the matrix
     * @param ld its leading dimension
     * @param first row and column of the first group
     * @param firstCount rows and columns of it
     * @param second row and column of the second group, behind the first
     * @param secondCount rows and columns of it, 0 for none
     */
    void load(long h, long ld, long first, int firstCount, long second, int secondCount);

    /**
     * Whether an element is more than a rounding error beside the diagonal elements of its row and column.
     *
     * @param all whether members of one group meet, too
     */
    boolean counts(boolean all);

    /** Rotates every pair once: of both groups with {@code all}, else those of different groups. */
    void sweep(boolean all);

    /** Both triangles of the groups go back to where they came from. */
    void store();

    /**
     * The product goes on from what {@link #product} wrote.
     *
     * @param from address
     * @param ld leading dimension
     */
    void bring(long from, long ld);

    /**
     * Writes the product of the rotations, as many rows and columns as both groups have.
     *
     * @param to address
     * @param ld leading dimension
     */
    void product(long to, long ld);
}
