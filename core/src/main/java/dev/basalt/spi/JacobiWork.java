package dev.basalt.spi;

import dev.basalt.type.ElementType;

/** The workspace of {@link Kernel#SYEVJ} and {@link Kernel#GESVJ} where many blocks share a matrix: without it one block works on each. */
public final class JacobiWork {
    /** Rows and columns of a group, two of which meet in a block. */
    private static final long GROUP = 16;

    /** So many blocks share a matrix at most. */
    private static final long BLOCKS = 160;

    /** Orders beyond which blocks share matrices however many there are. */
    private static final long LARGE = 128;

    /** So many matrices of smaller orders are shared at most. */
    private static final long FEW = 8;

    /** On devices that do not work in waves two groups of rows and columns meet in a tile of so many. */
    private static final long TILE = 64;

    /** Matrices up to this order have no use for tiles there. */
    public static final long SMALL = 16;

    /** One-sided Jacobi of up to so many columns has no use for workspace there. */
    public static final long FEW_COLUMNS = 8;

    /** Elements of a line of the cache, whatever their type. */
    private static final long LINE = 16;

    /** Elements of the product of a tile's rotations. */
    public static final long SQUARE = TILE * TILE;

    /** Rows that are multiplied with it at once. */
    public static final long STRIP = 128;

    private JacobiWork() {}

    /**
     * Elements of one problem of two-sided Jacobi by tiles: what a reduction to tridiagonal form takes, and beyond small orders a square and columns of a tile.
     *
     * @param n order
     * @return elements
     */
    public static long tileElements(long n) {
        long some = reductionElements(n);
        return n <= SMALL
                ? some
                : Math.addExact(SQUARE, Math.addExact(Math.multiplyExact(Math.max(n, STRIP), TILE), some));
    }

    /**
     * Elements of one problem for the vectors of a reduction to tridiagonal form, before what its panels take.
     *
     * @param n order
     * @return elements
     */
    public static long reductionElements(long n) {
        return lines(4 * n);
    }

    /** So many elements or some more, that whatever follows begins a line of the cache. */
    private static long lines(long elements) {
        return Math.addExact(elements, LINE - 1) / LINE * LINE;
    }

    /**
     * The workspace by tiles of a problem.
     *
     * @param l a launch of {@link Kernel#SYEVJ}
     * @param problem which
     * @return address, or 0 where there is none
     */
    public static long tile(Launch l, long problem) {
        long bytes = tileElements(l.n) * l.type.bytes();
        return l.n < 2 || l.workBytes / bytes < l.count ? 0 : l.work + problem * bytes;
    }

    /**
     * How many problems have room to be shared: large ones, or a few beyond an order that one block has in its registers. More of these have a block each, with the room of a few: a need never
     * falls.
     */
    private static long shared(Reach reach, Kernel kernel, ElementType type, long n, long alone, long count) {
        return !reach.whole(kernel, type) || n <= alone ? 0 : n > LARGE ? count : Math.min(count, FEW);
    }

    /**
     * Bytes for two-sided Jacobi: of each problem the products of a round's rotations, its eigenvalues, and numbers of blocks.
     *
     * @param reach of the device
     * @param type element type
     * @param n order
     * @param count problems
     * @return bytes for all problems, 0 where one block has each
     * @throws ArithmeticException if they are too many for a long
     */
    public static long twoSided(Reach reach, ElementType type, long n, long count) {
        if (!reach.waves()) {
            boolean tiles = n > 1 && reach.whole(Kernel.SYEVJ, type);
            return tiles ? Math.multiplyExact(Math.multiplyExact(tileElements(n), type.bytes()), count) : 0;
        }
        long problems = shared(reach, Kernel.SYEVJ, type, n, 4 * GROUP, count);
        return problems == 0 ? 0 : Math.multiplyExact(twoSidedElements(n), Math.multiplyExact(type.bytes(), problems));
    }

    /**
     * Elements of one problem of two-sided Jacobi.
     *
     * @param n order
     * @return elements
     */
    public static long twoSidedElements(long n) {
        return Math.addExact(Math.multiplyExact(pairs(n, GROUP), 4 * GROUP * GROUP + 1), n + 3 * BLOCKS);
    }

    /**
     * Bytes for one-sided Jacobi: of each problem the order and the lengths of its columns, and numbers of blocks. On devices that do not work in waves what products take.
     *
     * @param reach of the device
     * @param type element type
     * @param n columns
     * @param count problems
     * @return bytes for all problems, 0 where one block has each
     * @throws ArithmeticException if they are too many for a long
     */
    public static long oneSided(Reach reach, ElementType type, long n, long count) {
        if (!reach.waves()) {
            boolean products = n > FEW_COLUMNS && reach.whole(Kernel.GESVJ, type);
            return products ? Math.multiplyExact(Math.multiplyExact(productElements(n), type.bytes()), count) : 0;
        }
        long problems = shared(reach, Kernel.GESVJ, type, n, 2 * GROUP, count);
        return problems == 0 ? 0 : Math.multiplyExact(oneSidedWords(n), Math.multiplyExact(Long.BYTES, problems));
    }

    /**
     * Elements of one problem of one-sided Jacobi by products: two squares and a strip of rows.
     *
     * @param n columns
     * @return elements
     */
    public static long productElements(long n) {
        return lines(Math.multiplyExact(n, Math.addExact(2 * n, STRIP)));
    }

    /**
     * The workspace by products of a problem.
     *
     * @param l a launch of {@link Kernel#GESVJ}
     * @param problem which
     * @return address, or 0 where there is none
     */
    public static long products(Launch l, long problem) {
        long bytes = productElements(l.n) * l.type.bytes();
        return l.n <= FEW_COLUMNS || l.workBytes / bytes < l.count ? 0 : l.work + problem * bytes;
    }

    /**
     * Words of one problem of one-sided Jacobi.
     *
     * @param n columns
     * @return words of eight bytes
     */
    public static long oneSidedWords(long n) {
        return Math.multiplyExact(2, Math.addExact(n, BLOCKS));
    }

    /**
     * Pairs of groups that meet in a round.
     *
     * @param n columns
     * @param group columns of a group
     * @return pairs
     */
    public static long pairs(long n, long group) {
        return Math.ceilDiv(n, 2 * group);
    }

    /**
     * How many blocks share a matrix.
     *
     * @param wanted as many as have something to do
     * @param count problems
     * @param multiprocessors of the device
     * @return blocks, at least 1
     */
    public static long blocks(long wanted, long count, long multiprocessors) {
        long most = Math.min(BLOCKS, multiprocessors);
        long teams = Math.min(count, Math.max(1, most / Math.ceilDiv(wanted, 2)));
        return Math.max(1, Math.min(wanted, most / teams));
    }
}
