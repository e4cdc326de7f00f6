package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.util.Set;

/** LU without interchanges, inverses from factors, and interchanges of columns. */
final class InverseRules<C> extends Rules<C> implements Family<C> {
    /** Order of the largest matrix that one block has in shared memory. */
    static final int SMALL = 64;

    private static final KernelFunction[] NPVT_8 = KernelFunction.floating("getf2_npvt_8");
    private static final KernelFunction[] NPVT_16 = KernelFunction.floating("getf2_npvt_16");
    private static final KernelFunction[] NPVT_32 = KernelFunction.floating("getf2_npvt_32");
    /** Four threads a row. */
    private static final KernelFunction[] NPVT_64 = KernelFunction.floating("getf2_npvt_64");

    private static final KernelFunction[] GETF2_NPVT = KernelFunction.floating("getf2_npvt");
    /** Order of the largest matrix that has counters enough. */
    static final int LARGEST = 1 << 16;

    /** LU of double of any order in one launch. */
    private static final KernelFunction LU_TILES = KernelFunction.one("lu_tiles", 'd');

    private static final KernelFunction[] GETRI = KernelFunction.floating("getri");
    /** Columns of 8, 16 and 32 rows, a lane each. */
    private static final KernelFunction[] GETRI_8 = KernelFunction.floating("getri_8");

    private static final KernelFunction[] GETRI_16 = KernelFunction.floating("getri_16");
    private static final KernelFunction[] GETRI_32 = KernelFunction.floating("getri_32");
    private static final KernelFunction[] SWAP_COLUMNS = KernelFunction.floating("swap_columns");

    InverseRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GETF2_NPVT, Kernel.GETRI, Kernel.SWAP_COLUMNS);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case GETF2_NPVT -> {
                if (tensorCores && l.type == ElementType.F64 && l.n > SMALL) {
                    tiles(l, at, channel);
                    return;
                }
                if (l.n <= WARP && !byQuads(l)) {
                    rows(t, l, at, channel);
                    return;
                }
                KernelFunction f = (l.n <= SMALL ? NPVT_64 : GETF2_NPVT)[t];
                int threads = l.n <= SMALL ? (int) up(l.n, 8) * WARP : f.threads();
                launch(f, 1, 1, l.count, threads, 0, at, channel);
            }
            case GETRI -> {
                if (l.n > SMALL) {
                    throw new IllegalArgumentException("a matrix of order " + l.n + " is beyond one launch");
                }
                if (l.n <= WARP) {
                    lanes(t, l, at, channel);
                } else {
                    launch(GETRI[t], 1, 1, l.count, SMALL, Layouts.inverseColumns(l.type, l.n), at, channel);
                }
            }
            case SWAP_COLUMNS -> {
                if (l.m > 0) {
                    launch(SWAP_COLUMNS[t], up(l.m, WARP), 1, l.count, at, channel);
                }
            }
            default -> throw new IllegalArgumentException("inverses do not run " + l.kernel);
        }
    }

    /**
     * Whether four threads a row are sooner there than one: where so few complex matrices have a block each. An H200 takes 12 and 15.5 µs for order 17 in c and z so, 21 and
     * 33 by a thread a row, whose code is long.
     */
    private boolean byQuads(Launch l) {
        return l.type.isComplex() && l.n > 8 && l.count <= 2L * multiprocessors;
    }

    /** A thread a row. */
    private void rows(int t, Launch l, long at, C channel) {
        int order = order(l);
        KernelFunction f = (order == 8 ? NPVT_8 : order == 16 ? NPVT_16 : NPVT_32)[t];
        int threads = Math.max(WARP, powerOfTwo(l.count * order, f.threads()));
        functions.launch(f, (int) up(l.count * order, threads), 1, 1, threads, 0, at, channel);
    }

    /** Rows and columns of a kernel that takes matrices up to the width of a warp. */
    private static int order(Launch l) {
        return l.n <= 8 ? 8 : l.n <= 16 ? 16 : WARP;
    }

    /** Several problems a warp, or one. */
    private void lanes(int t, Launch l, long at, C channel) {
        int order = order(l);
        KernelFunction f = (order == 8 ? GETRI_8 : order == 16 ? GETRI_16 : GETRI_32)[t];
        int problems = f.threads() / order;
        functions.launch(f, (int) up(l.count, problems), 1, 1, f.threads(), problems * Layouts.inverse(l.type, order),
                at, channel);
    }

    /** By tiles whose blocks wait for each other; as many problems at a time as there are counters for their rows and columns of tiles. */
    private void tiles(Launch l, long at, C channel) {
        long tiles = up(l.n, LU_TILES.tile());
        long most = COUNTERS / (3 * tiles + 2);
        if (most == 0) {
            throw new IllegalArgumentException("a matrix of order " + l.n + " is beyond one launch");
        }
        for (long p = 0; p < l.count; p += most) {
            long problems = Math.min(most, l.count - p);
            long blocks = Math.min(tiles * (tiles + 1) / 2, up(multiprocessors, problems));
            Arguments.parameters(at, 0, (int) p, 0);
            launch(LU_TILES, blocks, 1, problems, LU_TILES.threads(), LU_TILES.shared(), at, channel);
        }
    }
}
