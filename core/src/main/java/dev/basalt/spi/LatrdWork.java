package dev.basalt.spi;

import dev.basalt.type.ElementType;

/** The workspace of {@link Kernel#LATRD} and {@link Kernel#SYTD2}: a vector for each block that shares the panel, and what blocks tell each other beside it. */
public final class LatrdWork {
    /** Columns that a block takes of the triangle at once. */
    private static final long COLUMNS = 8;

    /** So many blocks share a panel at most. */
    private static final long BLOCKS = 160;

    /** Vectors beside those of the blocks, and numbers of each block. */
    private static final long VECTORS = 2;

    private static final long NUMBERS = 4;

    /** Bytes of the largest matrix that one block keeps. */
    private static final long ALONE = 128 * 128 * 8;

    private LatrdWork() {}

    /**
     * Bytes with which blocks share a whole reduction of one problem: what they send each other of two columns, twice, each number in two words with a tag.
     *
     * @param type element type
     * @param n order of the matrix
     * @return bytes for one problem
     * @throws ArithmeticException if they are too many for a long
     */
    public static long whole(ElementType type, long n) {
        return Math.multiplyExact(8L * type.bytes(), n);
    }

    /**
     * The largest order of a matrix that a block of a device that works in waves keeps, so that it needs nobody else.
     *
     * @param type element type
     * @return order up to which one launch without workspace is at full speed
     */
    public static long alone(ElementType type) {
        return (long) Math.sqrt((double) ALONE / type.bytes());
    }

    /**
     * Bytes with which as many blocks share a panel as have something to do.
     *
     * @param type element type
     * @param n order of the matrix
     * @param k columns of the panel
     * @return bytes for one problem
     */
    public static long bytes(ElementType type, long n, long k) {
        long blocks = Math.min(BLOCKS, Math.ceilDiv(n, COLUMNS));
        return Math.multiplyExact(type.bytes(), Math.multiplyExact(n + NUMBERS, blocks) + VECTORS * (n + k) + 1);
    }

    /**
     * How many blocks share a panel.
     *
     * @param type element type
     * @param n order of the matrix
     * @param k columns of the panel
     * @param bytes of workspace
     * @return blocks, less than 1 where the workspace is too small for one
     */
    public static long blocks(ElementType type, long n, long k, long bytes) {
        long left = bytes / type.bytes() - VECTORS * (n + k) - 1;
        return Math.min(Math.min(BLOCKS, Math.ceilDiv(n, COLUMNS)), left / (n + NUMBERS));
    }
}
