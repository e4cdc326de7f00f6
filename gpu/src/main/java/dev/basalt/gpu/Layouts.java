package dev.basalt.gpu;

import dev.basalt.spi.BandWork;
import dev.basalt.type.ElementType;

/**
 * Bytes of dynamic shared memory where they depend on the shape. Each method has the name of a layout that the sources tell to
 * {@code BASALT_LAYOUT}; a test holds the two together.
 */
final class Layouts {
    private static final int WARP = 32;

    /** Rows of the panels that one warp factors. */
    static final int WARP_ROWS = 64;

    /** Columns that threads of LU keep in registers. */
    private static final int STRIP = 8;

    /** From a multiple of 16 bytes to the next, once for each of the 8 places of a strip: owners, counters, a choice. */
    private static final int LU_REST = 96;

    /** Bytes of all banks of shared memory. */
    private static final int BANKS = 128;

    /** Bytes of a panel of a bidiagonal reduction. */
    private static final int LABRD_MOST = 160 * 1024;

    /** Elements of a tile of a tall panel. */
    private static final int TALL_TILE = 4096;

    private Layouts() {}

    /** A panel of LU in one block: a slice of so many rows, candidates of its warps and so many others, strip and upper. */
    static int lu(ElementType type, int rows, long n, int others) {
        int slice = (int) ((rows + 2) * n * type.bytes() + 15) / 16 * 16;
        long strips = up(n, STRIP) * STRIP * STRIP * type.bytes();
        return slice + (2 * (rows / WARP) + others) * candidate(type) + (int) strips + LU_REST;
    }

    /** A row that may become the next pivot row. */
    static int candidate(ElementType type) {
        return (16 + (STRIP + 1) * type.bytes() + 15) / 16 * 16;
    }

    /** What the blocks of a grid show each other of a panel with so many columns at most, in the stream's scratch. */
    static long luShown(ElementType type, int columns, long blocks) {
        return 2L * STRIP * columns * type.bytes() + 2 * blocks * candidate(type);
    }

    /** A panel of QR: parts of all columns from so many who tell, counters, two columns of so many rows, T, and five numbers a column. */
    static long qrPanel(ElementType type, long rows, int n, int tellers) {
        int strip = QrPanelRules.STRIP;
        long square = (long) strip * strip;
        long pairs = strip * (strip + 1L) / 2;
        long told = Math.max(pairs * tellers + square, (long) strip * n);
        return 16 + (2 * told + 4 * (pairs + square + 4) + strip * n + 2 * square + n + n * (n + 1) + strip * rows)
                * type.bytes();
    }

    /** A tall panel of QR: a small matrix and two others or a tile of 4096 elements, two numbers a column, scratch, and three real numbers a column. */
    static long qrTall(ElementType type, int n) {
        long side = n <= WARP ? WARP : QrPanelRules.PANEL;
        long matrix = side * (side + 1);
        long tile = TALL_TILE / side * (side + 1);
        return (matrix + Math.max(2 * matrix, tile) + 2 * side + 34) * type.bytes() + 3 * side * type.real().bytes();
    }

    /** A panel of a reduction to tridiagonal form, 16 warps: 32 rows of each, eight sums of each in groups of columns and as many elements, 128 factors, scratch. */
    static int latrd(ElementType type) {
        int groups = 256 / type.bytes();
        return (16 * 32 + (16 + 1) * 8 * groups + 128 + 33) * type.bytes();
    }

    /**
     * A whole reduction to tridiagonal form by so many blocks of 8 warps at most: columns, a sum of each warp and two elements for each, sums of the warps, scratch; and what a single block tells itself.
     */
    static long sytd2(ElementType type, long n, long blocks) {
        long most = up(n, blocks);
        return (most * (n + 8 + 2) + 8 + 2 + (blocks == 1 ? 2 * n : 0)) * type.bytes() + (8 + 33) * type.real().bytes();
    }

    /** A whole reduction to bidiagonal form by so many blocks of 8 warps at most: columns, a sum of each warp and two numbers for each, two elements, sums of the warps, scratch. */
    static long gebd2(ElementType type, long m, long n, long blocks) {
        return (up(n, blocks) * (m + 8 + 2) + 2) * type.bytes() + (2 * 8 + 33) * type.real().bytes();
    }

    /** Scratch of sums and norms, a reflector of k elements and a product with it; 0: the scratch alone. */
    static long chase(ElementType type, long k) {
        return (66 + 2 * k) * type.bytes();
    }

    /** Pieces of a band with k diagonals that sweeps are in, and eleven vectors for each sweep. */
    static long chaseWarps(ElementType type, long k) {
        long sweeps = chaseSweeps(type, k);
        return ((2 * sweeps + 2) * 2 * k * k + 11 * (k <= 16 ? 16 : 32) * sweeps) * type.bytes();
    }

    /** Two steps of each pass that a block has in its columns. */
    static long chased(long passes) {
        return 2 * passes * BandWork.STEP;
    }

    /** Rows from a pass to the next one: as many sweeps. */
    static long chasedRows(ElementType type) {
        return type.isComplex() ? 32 : 64;
    }

    /** Sweeps that a block has at a time. */
    static long chaseSweeps(ElementType type, long k) {
        return k <= 16 ? 8 : type == ElementType.C64 ? 2 : 4;
    }

    /** A panel of a reduction to bidiagonal form by so many warps: two sums of 32 rows of each, twice four columns' sums and their elements, two rows of 64 factors, 64 elements, 48 of scratch; and so many more. */
    private static long labrdWith(ElementType type, long warps, long more) {
        return (2 * warps * 32 + 2 * (warps + 1) * 4 + 2 * 64 + 64 + 48 + more) * type.bytes();
    }

    /** By 16 warps, with a vector of so many rows where there is room. */
    static int labrd(ElementType type, long rows, int most) {
        long whole = labrdWith(type, 16, Math.min(rows, LABRD_MOST));
        return (int) (whole <= Math.min(LABRD_MOST, most) ? whole : labrdWith(type, 16, 0));
    }

    /** By eight warps, with a row of 64 numbers and two more for each of a block's columns, and so many stages through which columns travel, so many rows of a thread. */
    static long labrdColumns(ElementType type, long rows, long cols, long blocks, long stages) {
        long most = (cols + blocks - 1) / blocks;
        return labrdWith(type, 8, 64 * most + (2 * most + 3) / 4 * 4 + labrdStage(type, rows) * stages);
    }

    /** Elements of a stage: one column, or up to four that have 64 KB. */
    private static long labrdStage(ElementType type, long rows) {
        return Math.clamp(256 / (rows * type.bytes()), 1, 4) * rows * 256;
    }

    /** A panel of LU in one warp. */
    static int luWarp(ElementType type, long n) {
        return (int) ((WARP_ROWS + 2) * n * type.bytes());
    }

    /** A problem of QR whose threads have so many rows together: the matrix, or two columns with what steps leave. */
    static int qr(ElementType type, long rows, long n) {
        long elements = Math.max((rows + 1) * n, 2 * rows + 4 + 4 * n);
        return (int) ((elements + 3) / 4 * 4 * type.bytes());
    }

    /** Problems of QR in a warp whose lanes have so many rows of each together: their matrices, with room for so many columns, and their factors. */
    static int qrLanes(ElementType type, int problems, int rows, int columns) {
        return problems * ((rows + 1) * columns + 1) * type.bytes();
    }

    /** Two-sided Jacobi of order n by so many threads, with places for so many rotations, those of two rounds, blocks of pairs twice, the diagonal twice; problems begin in different banks. */
    static int syevj(ElementType type, long places, int threads, long n) {
        long pairs = (n + 1) / 2;
        long turn = (type.isComplex() ? 2 : 1) * Math.max(2L * type.real().bytes(), type.bytes());
        long bytes =
                places * turn + 2 * (2 * pairs * (pairs - 1) + pairs) * type.bytes() + 4 * pairs * type.real().bytes();
        return (int) ((bytes + BANKS - 1) / BANKS * BANKS + (long) threads * type.bytes() % BANKS);
    }

    /** Two-sided Jacobi by blocks: 16 rotations, their diagonal elements, scratch and 49 integers; three tiles of order 32. */
    static int syevjBlocks(ElementType type) {
        return (2 * 16 + 3 * 32 * 33) * type.bytes() + (2 * 16 + 32) * type.real().bytes() + 208;
    }

    /** One-sided Jacobi of eight columns a warp, on their way to other warps: of the matrix, and of the product of the rotations. */
    static int gesvjWarps(ElementType type, int warps, int rows) {
        return 2 * warps * 8 * rows * type.bytes();
    }

    /** One-sided Jacobi by blocks, 16 warps: a product and two sums of squares of each, scratch. */
    static int gesvjBlocks(ElementType type) {
        return 16 * type.bytes() + (2 * 16 + 32) * type.real().bytes();
    }

    /** So many tridiagonal systems, each by some threads: four lines of it, for each thread a row of three and four elements, flags. */
    static long gtsv(ElementType type, long n, int threads, int problems) {
        long rows = up(n, threads) | 1;
        return problems * threads * (4 * rows + 3 + 4) * type.bytes() + 16 + 4L * problems;
    }

    /** T of n reflectors: their products and their factors. */
    static int larft(ElementType type, long n) {
        return (int) (n * (n + 1) * type.bytes());
    }

    /** A problem of Cholesky in the registers of some lanes. */
    static int choleskyLanes(ElementType type, int order) {
        return (order * order + 2) * type.bytes();
    }

    /** A problem whose inverse a few lanes make. */
    static int inverse(ElementType type, int order) {
        return ((order + 2) * order + 2) * type.bytes();
    }

    /** A problem whose inverse is made in place, a thread a column: whole steps of 8 rows, and reciprocals. */
    static int inverseColumns(ElementType type, long n) {
        long order = up(n, 8) * 8;
        return (int) (order * (order + Math.max(1, 16 / type.bytes()) + 1) * type.bytes());
    }

    /** QR with column pivoting: the matrix, two norms and the number of each column. */
    static long pivoted(ElementType type, long m, long n) {
        return up((m | 1) * n * type.bytes(), 16) * 16 + 2 * n * type.real().bytes() + 4 * n;
    }

    /**
     * From column to column of a triangle that is factored in shared memory: an odd multiple of 16 bytes, so that elements of a row, which an upper triangle is brought by, lie in eight
     * banks or more. Threads read four rows at once, the last ones too, which end in no other column.
     */
    static long potf2Pitch(ElementType type, long n) {
        int pack = 16 / type.bytes();
        return (up(n, 4) * 4 / pack | 1) * pack;
    }

    /** A triangle in shared memory; a few rows behind the last may be read. */
    static long potf2(ElementType type, long n) {
        return (potf2Pitch(type, n) * n + 8) * type.bytes();
    }

    /** A packed triangle. */
    static long packed(ElementType type, long n) {
        return n > 1 << 12 ? Long.MAX_VALUE : n * (n + 1) / 2 * type.bytes();
    }

    /** Two tiles of unknowns, then a tile of the triangle for each warp, or two. */
    static int trsm(ElementType type, int sides, int warps, boolean staged) {
        return 2 * WARP * (sides * type.bytes() + 16) + (staged ? 2 : 1) * triangles(type, warps);
    }

    /** The same for products of a warp, which are of doubles and need no second tile. */
    static int trsmProducts(int sides, int warps) {
        return 2 * WARP * (sides + 4) * Double.BYTES + triangles(ElementType.F64, warps);
    }

    /** A triangle by columns, whose rows are a multiple of so many, its diagonal and the reciprocals. */
    static int across(ElementType type, long order, int rows) {
        return (int) ((order + 2) * up(order, rows) * rows) * type.bytes();
    }

    /** A small matrix, a row a lane, and two vectors beside it. */
    static int sytd2Warp(ElementType type, long n) {
        return (int) (n + 2) * WARP * type.bytes();
    }

    private static int triangles(ElementType type, int warps) {
        return WARP * (WARP * type.bytes() + 16) * warps;
    }

    /** Unknowns of two tiles, right-hand sides, a diagonal and its tile, sums of {@code groups} of threads or a tile to be turned. */
    static int thin(ElementType type, int rows, int sides, int groups, boolean along) {
        int diagonal = rows * (rows + 16 / type.bytes());
        int last = Math.max(along ? rows * (rows + 1) : 0, groups * sides * rows);
        return (3 * rows * sides + rows + diagonal + last) * type.bytes();
    }

    private static long up(long value, long divisor) {
        return Math.max(1, (value + divisor - 1) / divisor);
    }
}
