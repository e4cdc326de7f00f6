package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.batch.BatchFrame;
import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;

/**
 * The matrix product around the micro-kernels: loops and packing of Goto and van de Geijn, "Anatomy of high-performance
 * matrix multiplication" (ACM TOMS 34, 2008), in the form of BLIS. Rows and columns count real numbers, since a complex
 * product runs as a real one ({@link ComplexUpdate}).
 *
 * <p>The inner dimension is cut into the same pieces on every path and all kernels round alike, so a result's bits depend
 * neither on packing memory nor on how rows and columns are cut among threads. For one thread at a time.
 */
public final class Product {
    /** Depth of packed blocks: micro-panels of A and B pass the L1 cache, whole vectors of both stay aligned. */
    public static final int KC = 256;
    /** Columns of a packed panel of B. */
    public static final int NC = 2048;
    /**
     * Bytes of a column up to which products read their operands in place. On Zen 5 that is 5 to 15 % faster up to there than to
     * pack, which moves all operands through the L2 cache once more, and stays so for columns that are pages apart. Complex products gain
     * the same, those of order 4 to 8 most: four and five times the speed.
     */
    private static final int SMALL = 3072;
    /**
     * With an inner dimension of one piece, products read their operands in place up to sides of this, and of any length beside a side up
     * to {@link #SMALL}: 5 to 10 % faster for 1000×1000×256 doubles, 20 % for 256×2048×256, and twice the speed for 8×3512×10. With more
     * pieces, or both sides longer, there is nothing to win.
     */
    private static final int LARGE = 8192;
    /** A shorter inner dimension leaves C too little, which only kernels on packed operands fetch in time: such products do so beside few lines, and up to {@link #NEAR}. */
    private static final int DEEP = 128;
    /** Rows or columns beside which no packed number is read often enough to pay for its packing, whatever the inner dimension: 10 to 60 % faster in place for 400 to 3000 other lines. */
    private static final int THIN = 64;
    /** Bytes of a C that caches keep. */
    private static final long NEAR = 8 << 20;
    /** The same of a C that is read. */
    private static final long READ = 1 << 20;
    /** Columns of such a C that are few. */
    private static final int FEWEST = 8;
    /** Products up to this, and up to {@link #SMALL}, ask for no packing memory; beyond it depends on the form of A whether it is used. */
    private static final int UNPACKED = KC;
    /** Nor do products of so few rows or columns, up to an inner dimension: a call may take less than a microsecond. */
    private static final int FEW = BatchFrame.ORDER;

    private static final int FLAT = 64;
    /** And with so many other lines: of more, the call takes so long that packing memory does not show, and is of use. */
    private static final int MOST = 4096;
    /** Bytes of a packed block of A: half of an L2 cache of 1 MiB. */
    private static final int BLOCK = 512 << 10;
    /** Columns of a packed panel of B of mixed types. */
    private static final int MIXED_NC = 512;
    /** Products of mixed types up to this convert into memory of the thread's own. */
    private static final int MIXED_SMALL = 192;
    /** Micro-panels of A that are packed at a time where there is no packing memory. */
    private static final int PANELS = 8;

    private final ProductTable kernels;
    private final Shape shape;
    private final PanelPack pack;
    private final PlainProduct plain;
    private final boolean complex;
    /** Real numbers of an element. */
    private final int unit;
    /** Bytes of a real number. */
    private final int size;

    private final int lanes;
    private final int mr;
    private final int nr;

    private final long panel;
    private final ComplexConstants constants;
    private final Arena memory = Arena.ofAuto();
    /** Packed A where there is no packing memory; 0 until it is needed. */
    private long scratch;

    private Solve solve;
    private SpecialProduct special;
    private RankUpdate rankUpdate;
    private PlainComplexProduct plainComplex;
    private WrittenOut writtenOut;
    private double alpha;
    private double beta;
    private boolean plainA;
    private boolean plainB;
    private long a;
    private long lda;
    private long b;
    private long ldb;
    private long c;
    private long ldc;

    Product(ProductTable kernels, boolean complex) {
        this.kernels = kernels;
        this.shape = kernels.shape();
        this.pack = new PanelPack(kernels);
        this.plain = new PlainProduct(kernels);
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.lanes = shape.lanes();
        this.mr = shape.rows();
        this.nr = shape.columns();
        this.panel = memory.allocate((long) KC * nr * size, 64).address();
        this.constants = new ComplexConstants(shape, memory);
    }

    /** Triangular solves for the same thread. */
    public Solve solve() {
        if (solve == null) {
            solve = new Solve(kernels, complex);
        }
        return solve;
    }

    /** Products with triangular and symmetric blocks for the same thread. */
    public SpecialProduct special() {
        if (special == null) {
            special = new SpecialProduct(kernels, complex);
        }
        return special;
    }

    /** Updates of triangles for the same thread. */
    public RankUpdate rankUpdate() {
        if (rankUpdate == null) {
            rankUpdate = new RankUpdate(kernels, complex);
        }
        return rankUpdate;
    }

    /** Products with small matrices that are written out, for the same thread. */
    public WrittenOut writtenOut() {
        if (writtenOut == null) {
            writtenOut = new WrittenOut(kernels, plain, complex ? plainComplex() : null);
        }
        return writtenOut;
    }

    /** Complex products in place for the same thread. */
    public PlainComplexProduct plainComplex() {
        if (plainComplex == null) {
            plainComplex = new PlainComplexProduct(kernels);
        }
        return plainComplex;
    }

    /** The packing blocks of a shape. */
    public static GemmBlocking blocking(Shape shape, boolean complex) {
        int unit = complex ? 2 : 1;
        int mr = shape.rows();
        int mc = BLOCK / (KC * shape.precision().bytes) / mr * mr;
        return new GemmBlocking(mr / unit, shape.columns() / unit, mc / unit, KC, NC / unit, 1,
                Math.min(UNPACKED, small(shape, complex))).beside(FEW, FLAT, MOST);
    }

    /**
     * The packing blocks of products of mixed types, in single precision. Panels of narrower numbers are as many bytes: two of 16 bits, or four
     * of 8, lie where a float does. Blocks of C are small enough to keep their sums in the L2 cache where C is narrower.
     */
    public static GemmBlocking mixedBlocking(Shape shape) {
        GemmBlocking blocks = blocking(shape, false);
        return new GemmBlocking(blocks.mr(), blocks.nr(), blocks.mc(), KC, MIXED_NC, 1, MIXED_SMALL);
    }

    /** Depth of the pieces, all but the last, that an inner dimension is cut into. */
    public static int depth(long k) {
        int pieces = (int) ((k + KC - 1) / KC);
        return pieces == 1 ? (int) k : up((int) ((k + pieces - 1) / pieces), 8);
    }

    /** The largest order of products that read their operands in place. */
    public static int small(Shape shape, boolean complex) {
        return SMALL / shape.precision().bytes / (complex ? 2 : 1);
    }

    /** Whether products of real numbers of so many bytes, added to C or not, read A and op(B) where they are. */
    public static boolean inPlace(int size, long m, long n, long k, boolean added) {
        long shorter = Math.min(m, n) * size;
        long longer = Math.max(m, n) * size;
        if (longer <= SMALL && k * size <= SMALL || PlainProduct.isSmall(m, n)) {
            return true;
        }
        if (k < DEEP) {
            return shorter <= SMALL && isNear(size, m, n, added);
        }
        return Math.min(m, n) <= THIN || k <= KC && (shorter <= SMALL || longer <= LARGE);
    }

    /** Whether a C of elements of so many bytes, which is read or not, need not be fetched in time: caches keep it, or it has few rows or columns. */
    public static boolean isNear(long element, long m, long n, boolean added) {
        return m * n * element <= (added ? READ : NEAR) || m <= BatchFrame.ORDER
                || n <= (added ? FEWEST : BatchFrame.ORDER);
    }

    /** C := alpha·op(A)·op(B) + beta·C; m, n, k at least 1. Leading dimensions count elements. */
    public void multiply(GemmBlocking blocking, Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes) {
        int element = unit * size;
        this.plainA = opA == Op.NONE;
        this.plainB = opB == Op.NONE;
        this.a = a;
        this.lda = lda * element;
        this.b = b;
        this.ldb = ldb * element;
        this.c = c;
        this.ldc = ldc * element;
        this.alpha = alphaRe;
        if (complex) {
            constants.alpha(alphaRe, alphaIm, opA == Op.CONJ_TRANS, opB == Op.CONJ_TRANS);
        }
        int rows = (int) m * unit;
        int columns = (int) n * unit;
        int tier = blocking.tier(m, n, k, element, 1, workBytes);
        boolean packed = tier < GemmBlocking.PACKED_TIERS;
        int mc = packed ? unit * (int) blocking.mc(tier, m) : PANELS * mr;
        int nc = packed ? unit * (int) blocking.nc(tier, n) : NC;
        long packedB = packed ? work + blocking.aBytes(tier, m, k, element) : 0;
        boolean inPlace = !packed && !complex && plainA;
        if (!packed && !inPlace && scratch == 0) {
            scratch = memory.allocate((long) PANELS * mr * KC * size, 64).address();
        }
        int kb = depth(k);
        for (int column = 0; column < columns; column += nc) {
            int width = Math.min(nc, columns - column);
            for (int depth = 0; depth < k; depth += kb) {
                int kc = (int) Math.min(kb, k - depth);
                scale(depth == 0 ? betaRe : 1, depth == 0 ? betaIm : 0);
                if (inPlace) {
                    inPlace(rows, column, width, depth, kc);
                } else {
                    packed(rows, column, width, depth, kc, mc, packed ? work : scratch, packedB);
                }
            }
        }
    }

    private void scale(double betaRe, double betaIm) {
        this.beta = betaRe;
        if (complex) {
            constants.beta(betaRe, betaIm);
        }
    }

    /** B is packed panel by panel, A is read where it is. */
    private void inPlace(int rows, int column, int columns, int depth, int kc) {
        for (int j = 0; j < columns; j += nr) {
            int width = Math.min(nr, columns - j);
            packB(depth, column + j, kc, width, panel);
            long to = c + (column + j) * ldc;
            plain.run(rows, width, kc, alpha, a + depth * lda, lda, panel, (long) nr * size, size, beta, to, ldc);
        }
    }

    /** A block of A is packed and meets one micro-panel of B after the other; those are kept if there is memory for them. */
    private void packed(int m, int column, int columns, int depth, int kc, int mc, long packedA, long packedB) {
        int mb = even(m, mc, mr);
        for (int row = 0; row < m; row += mb) {
            int rows = Math.min(mb, m - row);
            packA(row, rows, depth, kc, packedA);
            for (int j = 0; j < columns; j += nr) {
                int width = Math.min(nr, columns - j);
                long bj = packedB == 0 ? panel : packedB + (long) j * kc * size;
                if (row == 0 || packedB == 0) {
                    packB(depth, column + j, kc, width, bj);
                }
                long to = c + (long) row * size + (column + j) / unit * ldc;
                if (complex) {
                    complexTiles(rows, width, kc, packedA, bj, to);
                } else {
                    tiles(rows, width, kc, packedA, bj, to);
                }
            }
        }
    }

    private void tiles(int rows, int columns, int kc, long from, long bj, long to) {
        int i = 0;
        int full = 0;
        while (rows - i - full * mr >= mr && vectors(rows - i - full * mr) == Shape.VECTORS) {
            full++;
        }
        if (full > 0) {
            NativeCall.tile(kernels.tile(Shape.VECTORS, columns, false), kc, from, bj, to, ldc, full, alpha, beta);
            i = full * mr;
            from += (long) i * kc * size;
            to += (long) i * size;
        }
        while (i < rows) {
            int vectors = vectors(rows - i);
            int width = vectors * lanes;
            int count = Math.min(width, rows - i);
            int part = count % lanes;
            long extra = part == 0 ? 1 : kernels.mask(part);
            NativeCall.tile(kernels.tile(vectors, columns, part != 0), kc, from, bj, to, ldc, extra, alpha, beta);
            from += (long) width * kc * size;
            to += (long) count * size;
            i += count;
        }
    }

    private void complexTiles(int rows, int columns, int kc, long from, long bj, long to) {
        for (int i = 0; i < rows;) {
            int vectors = vectors(rows - i);
            int width = vectors * lanes;
            int count = Math.min(width, rows - i);
            int part = count % lanes;
            if (part != 0) {
                constants.mask(kernels.mask(part));
            }
            NativeCall.tile(kernels.complexTile(vectors, columns, part != 0), kc, from, bj, to, ldc,
                    constants.address(), 0, 0);
            from += (long) width * kc * size;
            to += (long) count * size;
            i += count;
        }
    }

    private void packA(int row, int rows, int depth, int kc, long to) {
        for (int i = 0; i < rows;) {
            int width = vectors(rows - i) * lanes;
            int count = Math.min(width, rows - i);
            if (plainA) {
                pack.rowsPadded(count, kc, a + (long) (row + i) * size + depth * lda, lda, to);
            } else {
                long from = a + (row + i) / unit * lda + (long) depth * unit * size;
                pack.clear(count, width, kc, to);
                pack.columns(unit * size, count / unit, kc, from, lda, to, (long) width * size);
            }
            to += (long) width * kc * size;
            i += count;
        }
    }

    private void packB(int depth, int column, int kc, int columns, long to) {
        long group = (long) nr * size;
        if (plainB) {
            long from = b + column / unit * ldb + (long) depth * unit * size;
            pack.columns(unit * size, columns / unit, kc, from, ldb, to, group);
        } else {
            pack.rows(columns, kc, b + (long) column * size + depth * ldb, ldb, to, group);
        }
    }

    private int vectors(int rows) {
        return shape.vectors(rows);
    }

    /** Rows of each block but the last, so that blocks are about as large, none larger than a number, and of whole tiles. */
    static int even(int m, int most, int tile) {
        int blocks = (m + most - 1) / most;
        return up((m + blocks - 1) / blocks, tile);
    }

    private static int up(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }
}
