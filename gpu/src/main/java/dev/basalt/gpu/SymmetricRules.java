package dev.basalt.gpu;

import dev.basalt.spi.BandWork;
import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.LatrdWork;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import java.util.Set;
import java.util.stream.Stream;

/** Eigenvalues of symmetric matrices: reduction to tridiagonal form, QL and QR steps; and divide and conquer, of bidiagonal matrices, too. */
final class SymmetricRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] SYTD2 = KernelFunction.floating("sytd2");
    private static final KernelFunction[] SYTD2_WARP = KernelFunction.floating("sytd2_warp");
    private static final KernelFunction[] SYTD2_ALONE = KernelFunction.floating("sytd2_alone");
    private static final KernelFunction[][] SYTD2_BLOCKS = byRows("sytd2_blocks_");

    /** Columns of a block at least where blocks share a reduction. */
    private static final long LEAST_COLUMNS = 4;

    private static final KernelFunction[] COLUMN = KernelFunction.floating("latrd_column");
    private static final KernelFunction[] ROW = KernelFunction.floating("latrd_row");
    private static final KernelFunction[] PANEL = KernelFunction.floating("latrd_panel");
    private static final KernelFunction[] DIAGONALS = KernelFunction.floating("latrd_diagonals");
    private static final KernelFunction[] CHASE = KernelFunction.floating("sb2st");

    /** A warp a sweep, or two, with a piece of the band in shared memory. */
    private static final KernelFunction[] CHASE_16 = KernelFunction.floating("sb2st_warps_16");

    private static final KernelFunction[] CHASE_32 = KernelFunction.floating("sb2st_warps_32");

    /** Blocks of reflectors that a chase kept, and their products with a matrix. */
    private static final KernelFunction[] CHASED_TILES = KernelFunction.floating("chased_tiles");

    private static final KernelFunction[] CHASED = KernelFunction.floating("chased");

    /** Sweeps of a block of reflectors. */
    private static final long CHASED_SWEEPS = 8;

    /** Columns of a warp of that. */
    private static final long CHASED_COLUMNS = 16;

    /** Diagonals that these have in registers, at most. */
    private static final long FEW_DIAGONALS = 32;
    private static final KernelFunction[] STERF = KernelFunction.floating("sterf");
    private static final KernelFunction[] BISECT = KernelFunction.floating("sterf_bisect");
    private static final KernelFunction[] STEQR = KernelFunction.floating("steqr");
    private static final KernelFunction[][] STEDC = steps("stedc");
    private static final KernelFunction[][] BDSDC = steps("bdsdc");

    private static final KernelFunction[] SYEVJ = KernelFunction.floating("syevj");
    /** By orders that double from the first on. */
    private static final KernelFunction[][] SYEVJ_LANES = Stream.of("8", "16", "32", "64", "128")
            .map(order -> KernelFunction.floating("syevj_" + order))
            .toArray(KernelFunction[][]::new);

    private static final int LEAST_LANES = 8;

    /** Lanes that share a row of the vectors where a block has a problem. */
    private static final int PARTS = 4;

    private static final KernelFunction[] SYEVJ_BLOCKS = KernelFunction.floating("syevj_blocks");

    /** GROUP of jacobi_blocks.cu. */
    private static final long GROUP = 16;

    private static final KernelFunction[] RANGE = KernelFunction.floating("eigen_range");
    private static final KernelFunction[] STEBZ = KernelFunction.floating("stebz");
    private static final KernelFunction[] STEIN = KernelFunction.floating("stein");

    /** Parameters of a range. */
    private static final int FALLING = 1;

    private static final int ROWS = 2;

    /** Eigenvalues that one block keeps in its shared memory: PIECE of bisection.cu. */
    private static final int KEPT = 512;

    /** Rows and columns of a tile of products of merges: TILE of merge.h. */
    private static final long TILE = 32;

    SymmetricRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** The steps of divide and conquer, by their numbers. */
    private static KernelFunction[][] steps(String name) {
        return Stream
                .of("split", "leaves", "deflate", "gather", "secular", "weights", "vectors", "products", "join", "sort")
                .map(step -> KernelFunction.floating(name + "_" + step))
                .toArray(KernelFunction[][]::new);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.SYTD2, Kernel.LATRD_COLUMN, Kernel.LATRD_ROW, Kernel.LATRD, Kernel.LATRD_DIAGONALS,
                Kernel.SB2ST, Kernel.CHASED, Kernel.STEQR, Kernel.STEDC, Kernel.BDSDC, Kernel.SYEVJ, Kernel.EIGEN_RANGE,
                Kernel.STEBZ, Kernel.STEIN);
    }

    @Override
    public boolean takes(Launch l) {
        boolean real = l.kernel == Kernel.STEQR || l.kernel == Kernel.STEDC || l.kernel == Kernel.STEBZ
                || l.kernel == Kernel.STEIN || l.kernel == Kernel.BDSDC;
        boolean stored = l.kernel == Kernel.SB2ST ? l.c.storage != Storage.PACKED : Family.super.takes(l);
        boolean narrow = l.kernel != Kernel.CHASED || l.k == BandWork.NARROW;
        return stored && narrow && !(real && l.type.isComplex());
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case SYTD2 -> reduce(t, l, at, channel);
            case LATRD_COLUMN -> block(COLUMN[t], l.n, l, at, channel);
            case LATRD_ROW -> block(ROW[t], l.n, l, at, channel);
            case LATRD -> panels(t, l, at, channel);
            case LATRD_DIAGONALS -> elements(DIAGONALS[t], l.p, 1, l, at, channel);
            case SB2ST -> chase(t, l, at, channel);
            case CHASED -> chased(t, l, at, channel);
            case STEQR -> {
                if (l.c.present()) {
                    block(STEQR[t], Math.max(WARP, l.m), l, at, channel);
                } else {
                    values(t, l, at, channel);
                }
            }
            case SYEVJ -> {
                if (l.workBytes > 0 && l.workBytes >= JacobiWork.twoSidedElements(l.n) * l.type.bytes() * l.count) {
                    jacobiBlocks(t, l, at, channel);
                } else if (!jacobiLanes(t, l, at, channel)) {
                    jacobi(t, l, at, channel);
                }
            }
            case EIGEN_RANGE -> range(t, l, at, channel);
            case STEBZ -> launch(STEBZ[t], 1, 1, l.count, at, channel);
            case STEIN -> launch(STEIN[t], 1, 1, l.count, at, channel);
            default -> step(t, l, at, channel);
        }
    }

    /** The largest order whose columns the blocks of a device keep in their shared memory. */
    static long kept(int t, ElementType type, int multiprocessors, int shared) {
        return keptOrder(SYTD2_BLOCKS, t, shared, n -> Layouts.sytd2(type, n, multiprocessors));
    }

    /** Blocks share one problem where there is workspace for that; small ones have a block each, whose shared memory keeps them, or a warp. */
    private void reduce(int t, Launch l, long at, C channel) {
        if (l.n <= WARP) {
            launch(SYTD2_WARP[t], 1, 1, l.count, WARP, Layouts.sytd2Warp(l.type, l.n), at, channel);
            return;
        }
        KernelFunction alone = SYTD2_ALONE[t];
        long bytes = l.n > alone.shared() ? Long.MAX_VALUE : Layouts.sytd2(l.type, l.n, 1);
        if (l.workBytes > 0 && l.workBytes >= LatrdWork.whole(l.type, l.n)) {
            int which = rowsOf(SYTD2_BLOCKS, t, l.n);
            KernelFunction f = SYTD2_BLOCKS[which][t];
            int threads = threadsOf(f, which, l.n);
            long blocks = Math.min(multiprocessors, up(l.n, LEAST_COLUMNS));
            for (int p = 0; p < l.count; p++) {
                Arguments.parameters(at, 0, p, 0);
                launch(f, blocks, 1, 1, threads, (int) Layouts.sytd2(l.type, l.n, blocks), at, channel);
            }
        } else if (bytes <= Math.min(alone.shared(), sharedMost)) {
            launch(alone, 1, 1, l.count, Math.max(WARP, powerOfTwo(up(l.n, 2), alone.threads())), (int) bytes, at,
                    channel);
        } else {
            block(SYTD2[t], l.n, l, at, channel);
        }
    }

    /** Eigenvalues alone, all at once by bisection; one after the other where there is no room for them until the end. */
    private void values(int t, Launch l, long at, C channel) {
        KernelFunction f = BISECT[t];
        int lanes = lanes(l, f);
        long blocks = Math.min(up(l.n * lanes, f.threads()), multiprocessors);
        boolean room = l.count <= COUNTERS && l.n * l.count * l.type.bytes() <= 16L * SCRATCH;
        if (!room && l.n <= KEPT) {
            blocks = 1;
        }
        if (blocks == 1 ? l.n <= KEPT : room) {
            Arguments.parameters(at, lanes, 0, 0);
            launch(f, blocks, 1, l.count, at, channel);
        } else {
            launch(STERF[t], 1, 1, l.count, at, channel);
        }
    }

    /** A range of values, or of their vectors: a warp a column. */
    private void range(int t, Launch l, long at, C channel) {
        boolean rows = l.opB != Op.NONE;
        long vectors = rows ? l.c.rows : l.c.cols;
        long elements = rows ? l.c.cols : l.c.rows;
        boolean present = l.c.present();
        Arguments.m(at, present ? elements : 0);
        Arguments.parameters(at, (int) Math.min(Integer.MAX_VALUE, present ? vectors : 0),
                (l.backward ? FALLING : 0) | (rows ? ROWS : 0), (int) l.m);
        elements(RANGE[t], l.k != 0 || !present ? 1 : WARP * Math.max(1, l.c.cols), 1, l, at, channel);
    }

    /** A launch a problem: as many blocks as can run at once and have room. */
    private void panels(int t, Launch l, long at, C channel) {
        long blocks = Math.min(multiprocessors, LatrdWork.blocks(l.type, l.n, l.k, l.workBytes));
        if (blocks < 1) {
            throw new IllegalArgumentException("a panel of " + l.k + " columns of order " + l.n + " has " + l.workBytes
                    + " bytes of workspace; it wants " + LatrdWork.bytes(l.type, l.n, l.k));
        }
        for (int p = 0; l.k > 0 && p < l.count; p++) {
            Arguments.parameters(at, 0, p, 0);
            launch(PANEL[t], blocks, 1, 1, PANEL[t].threads(), Layouts.latrd(l.type), at, channel);
        }
    }

    /** A launch a problem: as many blocks as sweeps can be under way, each two steps behind the one before it. What blocks tell each other has 32 bits. */
    private void chase(int t, Launch l, long at, C channel) {
        long k = Math.max(1, l.k);
        // Blocks count their steps in memory of the scratch.
        long told = (BandWork.SWEEPS - 1) * BandWork.rows(l.k) * l.type.bytes() / Integer.BYTES;
        long most = Math.min(multiprocessors, told);
        KernelFunction warps = (k <= FEW_DIAGONALS / 2 ? CHASE_16 : CHASE_32)[t];
        long ring = k > 1 && k <= FEW_DIAGONALS ? Layouts.chaseWarps(l.type, k) : Long.MAX_VALUE;
        long sweeps = Layouts.chaseSweeps(l.type, k);
        boolean counts = l.n * (l.n / k + 3) <= Integer.MAX_VALUE;
        if (counts && ring <= Math.min(warps.shared(), sharedMost)) {
            // Each group of sweeps is so many pieces behind the one before it.
            long together = l.n / ((2 * sweeps + 4) * k) + 1;
            chase(warps, Math.min(most, together), 0, ring, l, at, channel);
            return;
        }
        KernelFunction f = CHASE[t];
        long shared = Layouts.chase(l.type, k);
        boolean fits = shared <= f.shared();
        long blocks = fits && counts ? Math.min(most, l.n / (2 * k) + 1) : 1;
        chase(f, blocks, fits ? 1 : 0, fits ? shared : Layouts.chase(l.type, 0), l, at, channel);
    }

    /** Passes over the columns, the last sweeps first: as many in a launch as the workspace has room for. */
    private void chased(int t, Launch l, long at, C channel) {
        long room = l.f.rows * l.f.type.bytes() / BandWork.STEP;
        if (l.m > 0 && room < Math.ceilDiv(l.n, BandWork.NARROW)) {
            throw new IllegalArgumentException("reflectors of order " + l.n + " have " + l.f.rows * l.f.type.bytes()
                    + " bytes of workspace; they want " + BandWork.passes(l.n));
        }
        long rows = Layouts.chasedRows(l.type);
        KernelFunction f = CHASED[t];
        long columns = Math.ceilDiv(l.m, CHASED_COLUMNS);
        long warps = f.threads() / WARP;
        // A block has a pass for each group of warps, and each pass two steps in shared memory.
        long groups = 2;
        while (groups < warps && (Math.ceilDiv(columns, groups) > multiprocessors
                || Layouts.chased(warps / groups) > Math.min(f.shared(), sharedMost))) {
            groups *= 2;
        }
        for (int p = 0; l.m > 0 && p < l.count; p++) {
            long end = Math.ceilDiv(l.n, rows);
            while (end > 0) {
                long first = end;
                long steps = 0;
                while (first > 0 && steps + chasedSteps(l.n, first - 1, rows) <= room) {
                    first--;
                    steps += chasedSteps(l.n, first, rows);
                }
                Arguments.parameters(at, Math.toIntExact(first), p, Math.toIntExact(end));
                long tiles = chasedSteps(l.n, first, rows) * (rows / CHASED_SWEEPS);
                launch(CHASED_TILES[t], up(tiles, CHASED_TILES[t].threads() / WARP), end - first, 1,
                        CHASED_TILES[t].threads(), 0, at, channel);
                launch(f, up(columns, groups), 1, 1, f.threads(), (int) Layouts.chased(warps / groups), at, channel);
                end = first;
            }
        }
    }

    /** Steps of a pass. */
    private static long chasedSteps(long n, long pass, long rows) {
        return Math.ceilDiv(n - pass * rows, BandWork.NARROW);
    }

    /** A launch a problem. */
    private void chase(KernelFunction f, long blocks, int x, long shared, Launch l, long at, C channel) {
        for (int p = 0; p < l.count; p++) {
            Arguments.parameters(at, x, p, 0);
            launch(f, blocks, 1, 1, f.threads(), (int) shared, at, channel);
        }
    }

    /** Blocks that share matrices: as many as have a crossing of two pairs of groups or a tile of the vectors, or a part of them; as many matrices at once as go on. */
    private void jacobiBlocks(int t, Launch l, long at, C channel) {
        boolean vectors = l.evect != Evect.NONE;
        long pairs = JacobiWork.pairs(l.n, GROUP);
        long tiles = pairs * (pairs - 1) / 2 + (vectors ? pairs * pairs : 0);
        long blocks = JacobiWork.blocks(Math.max(1, tiles), l.count, multiprocessors);
        long teams = Math.min(l.count, multiprocessors / blocks);
        Arguments.parameters(at, vectors ? 1 : 0, (int) blocks, 0);
        KernelFunction f = SYEVJ_BLOCKS[t];
        launch(f, teams * blocks, 1, 1, f.threads(), Layouts.syevjBlocks(l.type), at, channel);
    }

    /** Some lanes, a warp or a block a problem, whose vectors fit into their registers; false, with nothing done, if it is too large. */
    private boolean jacobiLanes(int t, Launch l, long at, C channel) {
        int which = 0;
        while (which < SYEVJ_LANES.length && l.n > (long) LEAST_LANES << which) {
            which++;
        }
        KernelFunction f = which < SYEVJ_LANES.length ? SYEVJ_LANES[which][t] : null;
        if (f == null) {
            return false;
        }
        int columns = LEAST_LANES << which;
        boolean block = f.threads() > WARP;
        int problems = block ? 1 : WARP / columns;
        // Where lanes share a row, a place is left free behind the rotations of each part of it.
        int places = columns + (block ? 2 * PARTS : 0);
        Arguments.parameters(at, l.evect != Evect.NONE ? 1 : 0, 0, 0);
        functions.launch(f, (int) up(l.count, problems), 1, 1, f.threads(),
                problems * Layouts.syevj(l.type, places, f.threads() / problems, l.n), at, channel);
        return true;
    }

    /** A block a problem, with the matrix and its vectors in shared memory as far as there is room. */
    private void jacobi(int t, Launch l, long at, C channel) {
        KernelFunction f = SYEVJ[t];
        boolean vectors = l.evect != Evect.NONE;
        // No order whose square has too many bits is a candidate.
        long square = l.n > f.shared() ? Long.MAX_VALUE / 2 : l.n * l.n * l.type.bytes();
        boolean matrix = square <= f.shared();
        boolean both = vectors && 2 * square <= f.shared();
        Arguments.parameters(at, vectors ? 1 : 0, matrix ? 1 : 0, both ? 1 : 0);
        int threads = l.n > f.threads() ? f.threads() : Math.max(WARP, powerOfTwo(l.n * l.n / 4, f.threads()));
        launch(f, 1, 1, l.count, threads, matrix ? (int) (both ? 2 * square : square) : 0, at, channel);
    }

    /** A step of divide and conquer: merges in y, what is independent inside one in x. */
    private void step(int t, Launch l, long at, C channel) {
        long merges = l.p == Kernel.SPLIT || l.p == Kernel.SORT ? 1 : 1L << Math.max(0, l.k - 1 - l.q);
        long rows = (l.n + merges - 1) / merges + 1;
        KernelFunction f = (l.kernel == Kernel.STEDC ? STEDC : BDSDC)[Math.toIntExact(l.p)][t];
        switch ((int) l.p) {
            case Kernel.SPLIT -> elements(f, 2 * l.n * l.n, 1, l, at, channel);
            case Kernel.LEAVES -> launch(f, 1L << l.k, 1, l.count, at, channel);
            case Kernel.DEFLATE -> launch(f, 1, merges, l.count, at, channel);
            case Kernel.GATHER, Kernel.SECULAR, Kernel.VECTORS, Kernel.JOIN ->
                elements(f, WARP * rows, merges, l, at, channel);
            case Kernel.PRODUCTS -> {
                long half = up(rows, 2) + 1;
                launch(f, 2 * up(half, TILE) * up(rows, TILE), merges, l.count, at, channel);
            }
            case Kernel.WEIGHTS -> elements(f, up(rows, WARP) * f.threads(), merges, l, at, channel);
            default -> elements(f, WARP * l.n, 1, l, at, channel);
        }
    }

    /** One block a problem, a thread an element as far as that goes. */
    private void block(KernelFunction f, long elements, Launch l, long at, C channel) {
        launch(f, 1, 1, l.count, Math.max(WARP, powerOfTwo(elements, f.threads())), 0, at, channel);
    }

    /** A thread an element, as far as blocks fit. */
    private void elements(KernelFunction f, long elements, long y, Launch l, long at, C channel) {
        if (elements > 0) {
            launch(f, Math.min(up(elements, f.threads()), 4L * multiprocessors), y, l.count, at, channel);
        }
    }
}
