package dev.basalt.kernels;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Reach;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/** Grids, blocks and parameters, one method a family of kernels. */
final class Rules<C> {
    /** Order of the triangles that one launch multiplies. */
    static final int BLOCK = 64;

    /** Order of the triangles that one launch solves: rows of a block of threads; half of it for complex types. */
    static final int SOLVE = 256;

    /** Order of the tiles of a Cholesky factorisation in one launch, and of the largest matrix that has counters enough. */
    static final int CHOLESKY = 64;

    static final int LARGEST_CHOLESKY = 1 << 17;

    /** Columns of a panel. */
    static final int PANEL = 64;

    private static final int MOST_Z = 65535;

    /** Counters at the start of the synchronisation memory, and slots of 16 bytes behind them. */
    private static final int COUNTERS = 4096;

    private static final int SCRATCH = (Launcher.SYNC_BYTES - 4 * COUNTERS) / 16;

    /** Most shares of a reduction: {@code SHARES} of reduce.cu. */
    private static final int SHARES = 264;

    /** Rows a multiprocessor from which the blocks of trmv have equal parts of the triangle. */
    private static final int TRMV_SHARED = 16;

    /** Pieces of a tile of symv, for each byte of an element. */
    private static final int SYMV_PIECES = 4;

    private static final int THREADS = 256;
    private static final int WARP = 32;

    /** Most rows of a panel that one warp factors. */
    private static final int WARP_ROWS = 64;

    private final Functions<C> functions;
    private final int multiprocessors;

    private final boolean tensorCores;
    private final int clusters;

    Rules(Functions<C> functions, int multiprocessors, boolean tensorCores, int clusters) {
        this.functions = functions;
        this.clusters = clusters;
        this.tensorCores = tensorCores;
        this.multiprocessors = multiprocessors;
    }

    private void launch(KernelFunction f, long x, long y, long count, int threads, int shared, long at, C channel) {
        functions.launch(f, (int) x, (int) y, (int) Math.min(count, MOST_Z), threads, shared, at, channel);
    }

    private static long up(long value, long divisor) {
        return Math.max(1, (value + divisor - 1) / divisor);
    }

    /** The power of two from 1 to {@code most} that is at least {@code value}, if there is one. */
    private static int powerOfTwo(long value, int most) {
        int p = 1;
        while (p < most && p < value) {
            p *= 2;
        }
        return p;
    }

    // ---- vectors and matrices, element by element

    void vector(KernelFunction f, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        int threads = Math.max(WARP, powerOfTwo(l.n, THREADS));
        long blocks = Math.min(up(l.n, 4L * threads), 16L * multiprocessors);
        launch(f, blocks, 1, l.count, threads, 0, at, channel);
    }

    void integers(Launch l, long at, C channel) {
        boolean wide = l.type == ElementType.I64;
        switch (l.kernel) {
            case COPY -> vector(wide ? Kernels.COPY_I64 : Kernels.COPY_I32, l, at, channel);
            case FILL -> vector(wide ? Kernels.FILL_I64 : Kernels.FILL_I32, l, at, channel);
            case COPY_MATRIX ->
                matrix(wide ? Kernels.COPY_MATRIX_I64 : Kernels.COPY_MATRIX_I32, l, l.m, l.n, at, channel);
            default -> throw new IllegalArgumentException("no arithmetic on " + l.type);
        }
    }

    void matrix(KernelFunction f, Launch l, long m, long n, long at, C channel) {
        if (m <= 0 || n <= 0) {
            return;
        }
        int rows = powerOfTwo(m, THREADS);
        int columns = THREADS / rows;
        Arguments.parameters(at, rows, 0, 0);
        launch(f, up(m, rows), Math.min(up(n, 4L * columns), MOST_Z), l.count, THREADS, 0, at, channel);
    }

    // ---- reductions

    /** How many shares a sum is cut into: by its length alone, since it decides about the bits. */
    static int shares(long n) {
        return (int) Math.min(up(n, Launcher.REDUCTION_BLOCK), SHARES);
    }

    void reduction(KernelFunction f, Launch l, long at, C channel) {
        int shares = shares(l.n);
        boolean complex = l.kernel == Kernel.DOT && l.type.isComplex();
        boolean together =
                l.workBytes >= l.count * shares * (complex ? 16 : 8) && l.count <= Math.min(COUNTERS, multiprocessors);
        Arguments.parameters(at, shares, 0, 0);
        // One problem wants to be done soon, many want many loads a thread.
        int each = l.count < multiprocessors ? 2 : 8;
        int threads = shares > 1 ? 512 : Math.max(WARP, powerOfTwo(up(l.n, each), 512));
        launch(f, together ? shares : 1, 1, l.count, threads, 0, at, channel);
    }

    void index(KernelFunction f, Launch l, long at, C channel) {
        long blocks = Math.min(up(l.n, Launcher.REDUCTION_BLOCK), 2L * multiprocessors);
        if (l.count > COUNTERS || l.count * blocks > SCRATCH) {
            blocks = 1;
        }
        int threads = blocks > 1 ? 512 : Math.max(WARP, powerOfTwo(up(l.n, 4), 512));
        launch(f, blocks, 1, l.count, threads, 0, at, channel);
    }

    // ---- matrix times vector

    void gemv(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        if (l.opA == Op.NONE) {
            gemvN(t, l, at, channel);
            return;
        }
        long groups = up(l.n, 4);
        // Rows are shared out so that there are a few blocks a multiprocessor, each with enough to do.
        long stretches = Math.min(up(2L * multiprocessors, groups * l.count), l.m / (8L * THREADS));
        long slots = l.workBytes / l.type.bytes() / (l.n * l.count);
        if (stretches < 2 || stretches > slots || groups * l.count > COUNTERS) {
            stretches = 1;
        }
        launch(Kernels.GEMV_T[t], groups, stretches, l.count, THREADS, 0, at, channel);
    }

    private void gemvN(int t, Launch l, long at, C channel) {
        int threads = l.n >= 2048 ? 2 * THREADS : THREADS;
        int pack = 16 / l.type.bytes();
        int rows = threads * pack;
        // Long rows are shared out among many groups of threads; few rows among as many blocks as keep the device
        // busy, down to two memory sectors a block.
        while (rows > 8
                && rows > pack
                && threads * pack / rows * 8L < l.n
                && (rows > WARP * pack && l.n > 1024 || up(l.m, rows) * l.count < multiprocessors * 7L / 8)) {
            rows /= 2;
        }
        // Still few: columns are shared out among blocks too, their sums meet in the synchronisation memory.
        long tiles = up(l.m, rows) * l.count;
        int groups = threads * pack / rows;
        long splits = 2 * tiles > multiprocessors ? 1 : Math.min(up(multiprocessors, tiles), l.n / (4L * groups));
        long slots = 16L * SCRATCH / (tiles * rows * l.type.bytes());
        splits = tiles > COUNTERS || tiles > multiprocessors ? 1 : Math.max(1, Math.min(splits, slots));
        Arguments.parameters(at, rows, 0, 0);
        launch(Kernels.GEMV_N[t], up(l.m, rows), splits, l.count, threads, 0, at, channel);
    }

    void symv(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        long tiles = up(l.n, Launcher.GEMV_BLOCK);
        if (tiles > 1 && l.workBytes >= tiles * l.n * l.count * l.type.bytes()) {
            // A tile a block, or equal parts of two and more: so no strip has more blocks than it has tiles, and slots.
            long all = tiles * (tiles + 1) / 2;
            long places = Math.max(1, 2L * multiprocessors / l.count);
            long blocks = all <= places ? all : Math.min(places, all / 2);
            Arguments.parameters(at, (int) tiles, (int) (all * SYMV_PIECES * l.type.bytes() / blocks), (int) blocks);
            // With alpha = 0 nobody needs to give A and x.
            if (!l.alpha.is(0)) {
                launch(Kernels.SYMV_STRIPS[t], blocks, 1, l.count, THREADS, 0, at, channel);
            }
            launch(Kernels.SYMV_SUM[t], up(l.n, 32), 1, l.count, THREADS, 0, at, channel);
        } else {
            launch(Kernels.SYMV_ROWS[t], Math.min(l.n, 8L * multiprocessors), 1, l.count, THREADS, 0, at, channel);
        }
    }

    void trmv(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        if (l.n <= 64 || l.workBytes < l.n * l.count * l.type.bytes()) {
            launch(Kernels.TRMV_IN_PLACE[t], 1, 1, l.count, THREADS, 0, at, channel);
            return;
        }
        // work := x, as COPY has its operands: a the source, c the target.
        Arguments.operand(at, l.c);
        Arguments.workspace(at + 2 * Arguments.OPERAND, l.work, l.n * l.type.bytes());
        vector(Kernels.COPY[t], l, at, channel);
        Arguments.operand(at, l.a);
        Arguments.operand(at + 2 * Arguments.OPERAND, l.c);
        if (l.opA == Op.NONE) {
            // Where it is worth it each block has an equal part of the triangle; else one has all squares of a few
            // rows.
            boolean shared = l.n >= (long) TRMV_SHARED * multiprocessors;
            int lanes = shared ? 16 : 4;
            long tiles = up(l.n, lanes * 16L / l.type.bytes());
            long most = Math.min(2L * multiprocessors, 16L * SCRATCH / 512);
            Arguments.parameters(at, lanes, shared ? 0 : 1, 0);
            launch(
                    Kernels.TRMV_N[t],
                    shared ? Math.max(1, most / l.count) : tiles,
                    1,
                    l.count,
                    THREADS,
                    0,
                    at,
                    channel);
        } else {
            launch(Kernels.TRMV_T[t], up(l.n, 4), 1, l.count, THREADS, 0, at, channel);
        }
    }

    void trsv(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        long blocks = up(l.n, l.type == ElementType.C64 ? 32 : 64);
        // Many problems keep the device busy with one block each.
        long x = l.count <= multiprocessors / 4 ? blocks : 1;
        launch((l.opA == Op.NONE ? Kernels.TRSV_N : Kernels.TRSV_T)[t], x, 1, l.count, THREADS, 0, at, channel);
    }

    // ---- matrix times matrix

    void gemm(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        long order = Math.max(l.m, l.n);
        if (order <= (l.type == ElementType.C64 ? 16 : 32) && (l.k <= 64 || l.count >= 256)) {
            KernelFunction[] f = order <= 8 ? Kernels.SMALL_8 : order <= 16 ? Kernels.SMALL_16 : Kernels.SMALL_32;
            int warps = order <= 16 ? 4 : 1;
            functions.launch(f[t], (int) up(l.count, warps), 1, 1, warps * WARP, 0, at, channel);
        } else if (l.type == ElementType.F32 && l.m > 64 && l.n > 64) {
            KernelFunction f = Kernels.SIMT[l.opA == Op.NONE ? 0 : 1][l.opB == Op.NONE ? 0 : 1];
            launch(f, up(l.m, 128), up(l.n, 128), l.count, THREADS, 0, at, channel);
        } else if (tensorCores && l.type == ElementType.F64) {
            if (l.k > 64 && largeTiles(l.m, l.n, l.count, 1)) {
                tensor(Kernels.TENSOR_128_D, 128, 16, 4, THREADS, l, at, channel);
            } else {
                tensor(Kernels.TENSOR_64_D, 64, 16, 3, THREADS / 2, l, at, channel);
            }
        } else if (tensorCores && l.type == ElementType.C64) {
            tensor(Kernels.TENSOR_64_Z, 64, 8, 4, THREADS / 2, l, at, channel);
        } else {
            product(Kernels.GEMM[t], l, l.m, l.n, at, channel);
        }
    }

    /**
     * Whether tiles of 128×128 are done before tiles of 64×64 are, by the time of a wave of blocks in units of a small tile; two
     * of these share a multiprocessor and each is a little slower than a quarter of a large one.
     */
    private boolean largeTiles(long m, long n, long count, int share) {
        long large = 40 * up(up(m, 128) * up(n, 128) * count, (long) share * multiprocessors);
        long small = 22 * up(up(m, 64) * up(n, 64) * count, 2L * share * multiprocessors);
        return large <= small;
    }

    void syrk(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        int ta = l.opA == Op.NONE ? 0 : 1;
        if (tensorCores && l.type == ElementType.F64) {
            // Half of the tiles return at once.
            if (largeTiles(l.n, l.n, l.count, 2)) {
                square(
                        Kernels.TENSOR_SYRK_128_D[ta],
                        128,
                        tensorShared(128, 16, 4, ta, 1 - ta, l),
                        THREADS,
                        l,
                        at,
                        channel);
            } else {
                int shared = tensorShared(64, 16, 3, ta, 1 - ta, l);
                square(Kernels.TENSOR_SYRK_64_D[ta], 64, shared, THREADS / 2, l, at, channel);
            }
        } else if (tensorCores && l.type == ElementType.C64) {
            int shared = tensorShared(64, 8, 4, ta, 1 - ta, l);
            square(Kernels.TENSOR_SYRK_64_Z[ta], 64, shared, THREADS / 2, l, at, channel);
        } else {
            product(Kernels.SYRK[t], l, l.n, l.n, at, channel);
        }
    }

    private void square(KernelFunction f, int order, int shared, int threads, Launch l, long at, C channel) {
        launch(f, up(l.n, order), up(l.n, order), l.count, threads, shared, at, channel);
    }

    private void tensor(
            KernelFunction[][] f, int order, int depth, int stages, int threads, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        int ta = l.opA == Op.NONE ? 0 : 1;
        int tb = l.opB == Op.NONE ? 0 : 1;
        int shared = tensorShared(order, depth, stages, ta, tb, l);
        launch(f[ta][tb], up(l.m, order), up(l.n, order), l.count, threads, shared, at, channel);
    }

    /** As Tile of tensor.cu lays them out: consecutive rows of op(A), consecutive columns of op(B), or the inner dimension. */
    private static int tensorShared(int order, int depth, int stages, int ta, int tb, Launch l) {
        int pad = l.type.isComplex() ? 2 : 4;
        int along = (order + pad) * depth;
        int across = (depth + 4) * order;
        int elements = (ta == 0 ? along : across) + (tb == 0 ? across : along);
        return stages * elements * l.type.bytes();
    }

    /** C := alpha·op(A)·B or alpha·B·op(A). Where addresses in tables may turn out to be the same, a second launch does those in place. */
    void trmmApart(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        apart(t, l, at, channel);
        boolean tables = l.b.pointers || l.c.pointers;
        if (l.b.present() && (tables || l.b.base + l.b.offset == l.c.base + l.c.offset)) {
            Arguments.parameters(at, 1, 0, 0);
            trmm(t, l, at, channel);
        }
    }

    /** The problems whose C is apart from B; the grid's y is the side of the triangle. */
    private void apart(int t, Launch l, long at, C channel) {
        if (l.type == ElementType.F32 && l.m > 64 && l.n > 64) {
            triangular(Kernels.SIMT_TRMM, 128, THREADS, 0, l, at, channel);
        } else if (tensorCores && l.type == ElementType.F64) {
            if (largeTiles(l.m, l.n, l.count, 1)) {
                triangular(Kernels.TENSOR_TRMM_128_D, 128, THREADS, tensorShared(128, 16, 4, l), l, at, channel);
            } else {
                triangular(Kernels.TENSOR_TRMM_64_D, 64, THREADS / 2, tensorShared(64, 16, 3, l), l, at, channel);
            }
        } else if (tensorCores && l.type == ElementType.C64) {
            triangular(Kernels.TENSOR_TRMM_64_Z, 64, THREADS / 2, tensorShared(64, 8, 4, l), l, at, channel);
        } else {
            product(Kernels.TRMM_APART[t], l, l.m, l.n, at, channel);
        }
    }

    private void triangular(KernelFunction[][] f, int order, int threads, int shared, Launch l, long at, C channel) {
        boolean left = l.side == Side.LEFT;
        KernelFunction kernel = f[left ? 0 : 1][l.opA == Op.NONE ? 0 : 1];
        launch(kernel, up(left ? l.n : l.m, order), up(left ? l.m : l.n, order), l.count, threads, shared, at, channel);
    }

    /** Of a product with a triangular matrix. */
    private static int tensorShared(int order, int depth, int stages, Launch l) {
        int op = l.opA == Op.NONE ? 0 : 1;
        boolean left = l.side == Side.LEFT;
        return tensorShared(order, depth, stages, left ? op : 0, left ? 0 : op, l);
    }

    void product(KernelFunction f, Launch l, long m, long n, long at, C channel) {
        if (m <= 0 || n <= 0) {
            return;
        }
        launch(f, up(m, 64), up(n, 64), l.count, THREADS, 0, at, channel);
    }

    void trmm(int t, Launch l, long at, C channel) {
        if (l.m > 0 && l.n > 0) {
            launch(Kernels.TRMM[t], up(l.side == Side.LEFT ? l.n : l.m, 32), 1, l.count, THREADS, 0, at, channel);
        }
    }

    void trsm(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        boolean left = l.side == Side.LEFT;
        long sides = left ? l.n : l.m;
        if (thin(t, l, left ? l.m : l.n, sides, at, channel)) {
            return;
        }
        // Right-hand sides of a block: few where more would leave multiprocessors idle.
        long busy = multiprocessors * 3L / 4;
        int each = 8;
        if (sides > 16 && l.type != ElementType.C64 && up(sides, 32) * l.count >= busy) {
            each = 32;
        } else if (sides > 8 && up(sides, 16) * l.count >= busy) {
            each = 16;
        }
        int most = SOLVE / WARP / (l.type.isComplex() ? 2 : 1);
        int tiles = (int) Math.min(up(left ? l.m : l.n, WARP), most);
        boolean staged = (l.opA != Op.NONE) == left;
        Arguments.parameters(at, staged ? 1 : 0, 0, 0);
        // As solve.cu has it: two tiles of unknowns, then a tile of the triangle a warp, or two.
        int bytes = l.type.bytes();
        int tile = WARP * (WARP * bytes + 16) * tiles;
        if (tensorCores && l.type == ElementType.F64) {
            int shared = 2 * WARP * (each + 4) * bytes + tile;
            launch(Kernels.TRSM_PRODUCTS_D[each / 16], up(sides, each), 1, l.count, tiles * WARP, shared, at, channel);
            return;
        }
        KernelFunction f = (each == 32 ? Kernels.TRSM_32 : each == 16 ? Kernels.TRSM_16 : Kernels.TRSM_8)[t];
        int shared = 2 * WARP * (each * bytes + 16) + (staged ? 2 : 1) * tile;
        launch(f, up(sides, each), 1, l.count, tiles * WARP, shared, at, channel);
    }

    /**
     * A triangle beyond what a block of threads solves, with few right-hand sides: chains of blocks, one for every eight sides, which
     * share the triangle's rows out. Whether it was launched.
     */
    private boolean thin(int t, Launch l, long order, long sides, long at, C channel) {
        int rows = l.type == ElementType.C64 ? 32 : 64;
        long chains = up(sides, 8);
        long blocks = up(order, rows) * chains;
        if (order <= SOLVE / (l.type.isComplex() ? 2 : 1) || !Reach.fewSides(sides, l.count)) {
            return false;
        }
        boolean along = (l.opA != Op.NONE) == (l.side == Side.LEFT);
        // As thin.cu has it: unknowns of two tiles, the right-hand sides, a diagonal and its tile, sums or a tile to
        // be turned.
        int diagonal = rows * (rows + 16 / l.type.bytes());
        int elements =
                3 * rows * 8 + rows + diagonal + Math.max(along ? rows * (rows + 1) : 0, THREADS / WARP * 8 * rows);
        KernelFunction f = (along ? Kernels.THIN_T : Kernels.THIN_N)[t];
        launch(f, blocks, 1, l.count, THREADS, elements * l.type.bytes(), at, channel);
        return true;
    }

    void trtri(int t, Launch l, long at, C channel) {
        if (l.n > 0) {
            launch(Kernels.TRTRI[t], 1, 1, l.count, 128, 0, at, channel);
        }
    }

    // ---- panels

    void getf2(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        if (l.m <= WARP && l.n <= WARP) {
            long order = Math.max(l.m, l.n);
            KernelFunction[] f = order <= 8 ? Kernels.LU_8 : order <= 16 ? Kernels.LU_16 : Kernels.LU_32;
            int each = order <= 8 ? 4 : order <= 16 ? 2 : 1;
            functions.launch(f[t], (int) up(l.count, 4L * each), 1, 1, THREADS / 2, 0, at, channel);
            return;
        }
        if (l.m <= WARP_ROWS && l.n <= PANEL) {
            int shared = (int) ((WARP_ROWS + 2) * l.n * l.type.bytes());
            launch(Kernels.LU_WARP[t], 1, 1, l.count, WARP, shared, at, channel);
            return;
        }
        // A thread a row, and the block's rows in its shared memory.
        int most = l.type == ElementType.C64 ? THREADS / 2 : THREADS;
        long slices = up(l.m, most);
        long shown = 2L * 8 * PANEL * l.type.bytes() + 2 * slices * candidate(l.type);
        if (l.n > PANEL) {
            launch(Kernels.GETF2[t], 1, 1, l.count, 512, 0, at, channel);
        } else if (slices == 1) {
            int threads = Math.max(WARP, powerOfTwo(l.m, most));
            launch(Kernels.LU_ALONE[t], 1, 1, l.count, threads, luShared(threads, l, 0), at, channel);
        } else if (slices <= clusters && clusters >= 8) {
            // Fewer rows a block are done sooner, more blocks wait longer for each other.
            int cluster = up(l.m, 8) > most / 2 && clusters > 8 ? 16 : 8;
            int threads = Math.max(WARP, powerOfTwo(up(l.m, cluster), most));
            KernelFunction f = (cluster == 8 ? Kernels.LU_CLUSTER_8 : Kernels.LU_CLUSTER_16)[t];
            launch(f, cluster, 1, l.count, threads, luShared(threads, l, 64), at, channel);
        } else if (slices <= multiprocessors && shown <= 16L * SCRATCH && l.count <= multiprocessors) {
            for (int p = 0; p < l.count; p++) {
                Arguments.parameters(at, 0, p, 0);
                launch(Kernels.LU_SLICES[t], slices, 1, 1, most, luShared(most, l, 1), at, channel);
            }
        } else {
            launch(Kernels.GETF2[t], 1, 1, l.count, 512, 0, at, channel);
        }
    }

    /** Bytes of a Candidate of lu.cu. */
    private static int candidate(ElementType type) {
        return (16 + 9 * type.bytes() + 15) / 16 * 16;
    }

    /** As LuMemory of lu.cu lays it out: a slice of so many rows, so many candidates, strip and upper, owners, letters. */
    private static int luShared(int rows, Launch l, int others) {
        int slice = (int) ((rows + 2) * l.n * l.type.bytes() + 15) / 16 * 16;
        long strips = up(l.n, 8) * 64 * l.type.bytes();
        return slice + (2 * (rows / WARP) + others) * candidate(l.type) + (int) strips + 96;
    }

    void potf2(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        if (l.type == ElementType.F64 && tensorCores && (l.n > 2 * CHOLESKY || l.n > CHOLESKY && l.count <= 16)) {
            cholesky(l, at, channel);
            return;
        }
        // In shared memory where it fits: columns there lie multiples of 16 bytes apart, and a few rows behind the last
        // may be read.
        long ld = (l.n + 3) / 4 * 4;
        long bytes = (ld * l.n + 8) * l.type.bytes();
        boolean fits = bytes <= Kernels.PANEL_SHARED;
        Arguments.parameters(at, fits ? (int) ld : 0, 0, 0);
        int threads = Math.max(WARP, powerOfTwo(up(l.n * l.n, 16), THREADS));
        launch(Kernels.POTF2[t], 1, 1, l.count, threads, fits ? (int) bytes : 0, at, channel);
    }

    /** By tiles whose blocks wait for each other; as many problems at a time as there are counters for their rows of tiles. */
    private void cholesky(Launch l, long at, C channel) {
        long tiles = up(l.n, CHOLESKY);
        long most = COUNTERS / (tiles + 2);
        if (most == 0) {
            throw new IllegalArgumentException("a matrix of order " + l.n + " is beyond one launch");
        }
        KernelFunction f = Kernels.CHOLESKY_D[l.uplo.ordinal()];
        for (long p = 0; p < l.count; p += most) {
            long problems = Math.min(most, l.count - p);
            long blocks = Math.min(tiles * (tiles + 3) / 4 + 1, up(multiprocessors, problems));
            Arguments.parameters(at, 0, (int) p, 0);
            launch(f, blocks, 1, problems, THREADS, f.shared(), at, channel);
        }
    }

    void laswp(int t, Launch l, long at, C channel) {
        if (l.n <= 0 || l.q <= l.p) {
            return;
        }
        Arguments.parameters(at, 16, 0, 0);
        launch(Kernels.LASWP[t], up(l.n, 16), 1, l.count, THREADS, 0, at, channel);
    }
}
