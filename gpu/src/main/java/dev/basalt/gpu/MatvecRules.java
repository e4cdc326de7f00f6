package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import dev.basalt.type.Op;
import java.util.Set;

/** Matrix times vector. */
final class MatvecRules<C> extends Rules<C> implements Family<C> {
    /** Rows of a partial result of gemv, and order of a tile of symv. */
    static final int BLOCK = 128;

    /** Pieces of a tile of symv, for each byte of an element. */
    private static final int SYMV_PIECES = 4;

    /** Twice the bytes of a packed triangle that is read twice. */
    private static final long CACHED = 32L << 20;

    /** Bytes of a dense matrix that is read twice, measured on an H100: strips of so few tiles keep too few multiprocessors busy. */
    private static final long FEW_TILES = 16L << 20;

    /** Rows of a block that reads it twice. */
    private static final int TWICE_ROWS = 8;

    private static final int THREADS = 256;

    /** The largest order of the problems of a batch that share blocks. */
    private static final int SMALL = 512;

    /** Problems of such a batch, at least. */
    private static final int MANY = 64;

    /** Columns that lanes of a warp have at once in such a batch. */
    private static final int COLUMNS_AT_ONCE = 8;

    /** Sums of few elements that a thread has each. */
    private static final KernelFunction[] FEW_GEMV = KernelFunction.floating("few_gemv");

    /** Elements of a sum along a row, of real types, and of one down a column, which threads beside each other do not read together. */
    private static final long FEW_ALONG = 32;

    private static final long FEW_DOWN = 8;

    /** Such sums at most, and from how many columns on those of twice as many elements are sooner there, too. */
    private static final long FEW_SUMS = 1 << 13;

    private static final long MANY_SUMS = 1 << 12;

    /** Sums of one or two elements, from so many columns on, wait for nothing in any number of problems up to a number. */
    private static final long SHORT = 2;

    private static final long MANY_COLUMNS = 32;
    private static final long MOST_PROBLEMS = 1 << 12;

    private static final KernelFunction[] GEMV_N = KernelFunction.floating("gemv_n");
    private static final KernelFunction[] GEMV_T = KernelFunction.floating("gemv_t");
    private static final KernelFunction[] GEMV_BATCH_N = KernelFunction.floating("gemv_batch_n");
    private static final KernelFunction[] GEMV_BATCH_T = KernelFunction.floating("gemv_batch_t");
    private static final KernelFunction[] SYMV_ROWS = KernelFunction.floating("symv_rows");
    private static final KernelFunction[] SYMV_STRIPS = KernelFunction.floating("symv_strips");
    private static final KernelFunction[] SPMV_ROWS = KernelFunction.floating("spmv_rows");
    private static final KernelFunction[] SPMV_STRIPS = KernelFunction.floating("spmv_strips");
    private static final KernelFunction[] SPMV_TWICE = KernelFunction.floating("spmv_twice");
    private static final KernelFunction[] SYMV_TWICE = KernelFunction.floating("symv_twice");
    private static final KernelFunction[] SYMV_SUM = KernelFunction.floating("symv_sum");

    private final BandRules<C> bands;

    MatvecRules(Functions<C> functions, Chip chip, BandRules<C> bands) {
        super(functions, chip);
        this.bands = bands;
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GEMV, Kernel.SYMV);
    }

    /** A symmetric matrix may be packed, and each may be a band. */
    @Override
    public boolean takes(Launch l) {
        return l.c.storage == Storage.DENSE && (l.kernel == Kernel.SYMV || l.a.storage != Storage.PACKED);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.a.storage == Storage.BAND) {
            bands.run(t, l, at, channel);
            return;
        }
        switch (l.kernel) {
            case GEMV -> gemv(t, l, at, channel);
            case SYMV -> symv(t, l, at, channel);
            default -> throw new IllegalArgumentException("products with a vector do not run " + l.kernel);
        }
    }

    private void gemv(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        boolean plain = l.opA == Op.NONE;
        boolean few = few(l, plain);
        boolean brief = few && !plain && l.m <= SHORT;
        if (!brief && l.extent == 0 && l.count >= MANY && Math.max(l.m, l.n) <= SMALL && gemvBatch(t, l, at, channel)) {
            return;
        }
        if (few) {
            KernelFunction f = FEW_GEMV[t];
            launch(f, up(plain ? l.m : l.n, f.threads()), 1, l.count, at, channel);
            return;
        }
        if (plain) {
            gemvN(t, l, at, channel);
            return;
        }
        long groups = up(l.n, 4);
        if (shortColumns(l, groups) && gemvBatch(t, l, at, channel)) {
            return;
        }
        // Rows are shared out so that there are a few blocks a multiprocessor, each with enough to do.
        long stretches = Math.min(up(2L * multiprocessors, groups * l.count), l.m / (8L * THREADS));
        long slots = l.workBytes / l.type.bytes() / (l.n * l.count);
        if (stretches < 2 || stretches > slots || groups * l.count > COUNTERS) {
            stretches = 1;
        }
        launch(GEMV_T[t], groups, stretches, l.count, at, channel);
    }

    /** Whether columns are so many and so short that blocks of their own would be most of the time. Measured on an H200. */
    private boolean shortColumns(Launch l, long groups) {
        return l.extent == 0 && groups * l.count > 4L * multiprocessors
                && l.m * l.type.bytes() * multiprocessors <= 400 * groups * l.count;
    }

    /** Whether a thread for each sum is done sooner, which waits for no other. Measured on an H200. */
    private static boolean few(Launch l, boolean plain) {
        long sums = plain ? l.m : l.n;
        long length = plain ? l.n : l.m;
        long along = l.type.isComplex() ? FEW_ALONG / 2 : FEW_ALONG;
        long most = plain ? along : sums >= MANY_SUMS ? 2 * FEW_DOWN : FEW_DOWN;
        boolean brief = !plain && length <= SHORT && sums >= MANY_COLUMNS && l.count <= MOST_PROBLEMS;
        return l.extent == 0 && (brief || length <= most && sums * l.count <= FEW_SUMS);
    }

    /**
     * Many small problems in blocks that they share.
     *
     * @return false where blocks of their own are better
     */
    private boolean gemvBatch(int t, Launch l, long at, C channel) {
        boolean plain = l.opA == Op.NONE;
        long packs = up(l.m * l.type.bytes(), 16);
        long items = (plain ? packs : up(l.n, COLUMNS_AT_ONCE)) * l.count;
        // A thread that has many columns of its rows takes long, which many others beside it have to make up for.
        boolean few = l.count < 2L * multiprocessors || items * 8 < l.n * multiprocessors;
        if (items > Integer.MAX_VALUE || plain && l.n > WARP && few) {
            return false;
        }
        int lanes = plain ? 1 : columnLanes(packs);
        int threads = plain && items >= 512L * multiprocessors ? THREADS : THREADS / 2;
        Arguments.parameters(at, lanes, 0, 0);
        KernelFunction f = (plain ? GEMV_BATCH_N : GEMV_BATCH_T)[t];
        launch(f, up(items * lanes, threads), 1, 1, threads, 0, at, channel);
        return true;
    }

    /** Lanes for a column of some packs: a warp where that leaves few of them idle, else fewer that go on to further packs. */
    private static int columnLanes(long packs) {
        int lanes = powerOfTwo(packs, WARP);
        while (lanes > 8 && up(packs, lanes) * lanes * 10 > packs * 13) {
            lanes /= 2;
        }
        return lanes;
    }

    private void gemvN(int t, Launch l, long at, C channel) {
        int threads = l.n >= 2048 ? 2 * THREADS : THREADS;
        int pack = 16 / l.type.bytes();
        int rows = threads * pack;
        // Long rows are shared out among many groups of threads, and so are all where some threads had none; few rows among as many blocks
        // as keep the device busy, down to two memory sectors a block.
        while (rows > 8 && rows > pack && threads * pack / rows * 8L < l.n && (rows > WARP * pack && l.n > 1024
                || rows / 2 >= l.m || up(l.m, rows) * l.count < multiprocessors * 7L / 8)) {
            rows /= 2;
        }
        // Still few: columns are shared out among blocks too, their sums meet in the synchronisation memory.
        long tiles = up(l.m, rows) * l.count;
        int groups = threads * pack / rows;
        long splits = 2 * tiles > multiprocessors ? 1 : Math.min(up(multiprocessors, tiles), l.n / (4L * groups));
        long slots = 16L * SCRATCH / (tiles * rows * l.type.bytes());
        splits = tiles > COUNTERS || tiles > multiprocessors ? 1 : Math.max(1, Math.min(splits, slots));
        Arguments.parameters(at, rows, 0, 0);
        launch(GEMV_N[t], up(l.m, rows), splits, l.count, threads, 0, at, channel);
    }

    private void symv(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        boolean packed = l.a.storage == Storage.PACKED;
        // A dense triangle is twice as far apart in memory.
        boolean twice = packed || l.extent == 0 && l.n > BLOCK / 2 && l.count == 1;
        if (twice && l.n * l.n * l.type.bytes() <= (packed ? CACHED : FEW_TILES)) {
            launch((packed ? SPMV_TWICE : SYMV_TWICE)[t], up(l.n, TWICE_ROWS), 1, l.count, at, channel);
            return;
        }
        long tiles = up(l.n, BLOCK);
        // The strips of a triangle of unknown order are not known either.
        if (l.extent == 0 && tiles > 1 && l.workBytes >= tiles * l.n * l.count * l.type.bytes()) {
            // A tile a block, or equal parts of two and more: so no strip has more blocks than it has tiles, and slots.
            long all = tiles * (tiles + 1) / 2;
            long places = Math.max(1, 2L * multiprocessors / l.count);
            long blocks = all <= places ? all : Math.min(places, all / 2);
            Arguments.parameters(at, (int) tiles, (int) (all * SYMV_PIECES * l.type.bytes() / blocks), (int) blocks);
            // With alpha = 0 nobody needs to give A and x.
            if (!l.alpha.is(0)) {
                launch((packed ? SPMV_STRIPS : SYMV_STRIPS)[t], blocks, 1, l.count, at, channel);
            }
            launch(SYMV_SUM[t], up(l.n, 32), 1, l.count, at, channel);
        } else {
            launch((packed ? SPMV_ROWS : SYMV_ROWS)[t], Math.min(l.n, 8L * multiprocessors), 1, l.count, at, channel);
        }
    }
}
