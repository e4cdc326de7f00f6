package dev.basalt.spi;

import dev.basalt.type.ElementType;

/** The workspace of {@link Kernel#LATRD}: a vector for each block that shares the panel, and what blocks tell each other beside it. */
public final class LatrdWork {
    /** Columns that a block takes of the triangle at once. */
    private static final long COLUMNS = 8;

    /** So many blocks share a panel at most. */
    private static final long BLOCKS = 160;

    /** Vectors beside those of the blocks, and numbers of each block. */
    private static final long VECTORS = 2;

    private static final long NUMBERS = 4;

    private LatrdWork() {}

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
