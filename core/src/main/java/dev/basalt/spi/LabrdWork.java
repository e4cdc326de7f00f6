package dev.basalt.spi;

/** The workspace of {@link Kernel#LABRD_PANEL} and {@link Kernel#GEBD2}: a vector for each block that shares the panel, and what blocks tell each other beside it. */
public final class LabrdWork {
    /** Columns of a panel at most. */
    public static final long COLUMNS = 32;

    /** Columns of the matrix that a block takes at once. */
    private static final long GROUP = 4;

    /** So many blocks share a panel at most. */
    private static final long BLOCKS = 160;

    private LabrdWork() {}

    /** Elements that each block has: its vector, two numbers for each column of the products of a panel, and what its reflectors' norms are made of. */
    private static long each(long m, long k) {
        return m + 4 * k + 4;
    }

    /**
     * Elements with which as many blocks share a panel as have something to do.
     *
     * @param m rows of the matrix
     * @param n columns of the matrix
     * @param k columns of the panel
     * @return elements for one problem
     */
    public static long elements(long m, long n, long k) {
        long blocks = Math.min(BLOCKS, Math.ceilDiv(n, GROUP));
        return Math.addExact(Math.multiplyExact(each(m, k), blocks), m + n);
    }

    /**
     * How many blocks share a panel.
     *
     * @param m rows of the matrix
     * @param n columns of the matrix
     * @param k columns of the panel
     * @param elements of workspace
     * @return blocks, less than 1 where the workspace is too small for one
     */
    public static long blocks(long m, long n, long k, long elements) {
        return Math.min(Math.min(BLOCKS, Math.ceilDiv(n, GROUP)), (elements - m - n) / each(m, k));
    }

    /** Elements of letters, each number in two words with a tag and twice, of one block's vector. */
    private static long letters(long numbers) {
        return Math.multiplyExact(4L, numbers);
    }

    /**
     * Elements with which blocks share a whole reduction: what each sends of a product, and of a row and two columns.
     *
     * @param m rows of the matrix, no fewer than columns
     * @param n columns of the matrix
     * @return elements for one problem
     * @throws ArithmeticException if they are too many for a long
     */
    public static long whole(long m, long n) {
        long blocks = Math.min(BLOCKS, Math.ceilDiv(n, GROUP));
        return letters(Math.addExact(Math.multiplyExact(blocks + 2, m), n));
    }

    /**
     * How many blocks share a whole reduction.
     *
     * @param m rows of the matrix, no fewer than columns
     * @param n columns of the matrix
     * @param elements of workspace
     * @return blocks, less than 1 where the workspace is too small for one
     */
    public static long wholeBlocks(long m, long n, long elements) {
        return Math.min(Math.min(BLOCKS, Math.ceilDiv(n, GROUP)), (elements / 4 - n) / m - 2);
    }
}
