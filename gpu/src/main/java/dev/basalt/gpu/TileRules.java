package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/** What products by tiles of the result share. */
abstract class TileRules<C> extends Rules<C> {
    /** Order of the tiles whose inner dimension warps share. */
    static final int SLICED = 16;

    TileRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** Half waves of small tiles up to which they are done sooner than larger ones of 256 threads with 16 elements each. */
    private static final int MANY_WAVES = 32;

    /** The same beside larger ones whose threads have 64 numbers each. */
    private static final int FEW_WAVES = 12;

    /** Inner dimension to which a thread sums up an element by itself, of some products twice as much where elements are complex. */
    static final long FEW = 8;

    /**
     * Whether C is most of what a product moves, so that its elements are shared out as they lie. From an inner dimension of 5 on, and of
     * float from 1 on, other kernels move a large C sooner. Measured on an H100. They store four floats of a column at once, so not
     * where its columns do not all begin at multiples of these: on an H200 a triangle of order 2051 then takes 21 µs by these and 12 µs
     * as it lies, one of order 2048 7.4 and 12.2.
     *
     * @param m rows of the result
     * @param n its columns
     */
    final boolean outer(Launch l, long m, long n) {
        if (l.extent != 0 || l.k > 8 || l.k > 4 && m <= SLICED) {
            return false;
        }
        boolean large = m * n > 1 << 20;
        return switch (l.type) {
            case F32 -> !large || l.k <= 4 && l.kernel != Kernel.GEMM && l.c.ld % 4 != 0;
            case C32 -> true;
            case F64 -> l.k <= 4 || !large && m * n * l.count > 1 << 16;
            default -> l.k <= 4 || !large;
        };
    }

    /**
     * Whether a result is sooner there by a thread for each element, which waits for no other: of a short inner dimension, as long as all run
     * at once. Measured on an H200; products of double by tensor cores are as soon there from an inner dimension of 5 on (syrk of order 40, 1.98 µs for 8 both ways; for 3 2.1 and 1.8).
     *
     * @param tiles tiles of the result, with a side of {@link #SLICED}
     * @param k inner dimension
     * @param most the longest one
     */
    final boolean few(Launch l, long tiles, long k, long most) {
        return (l.type != ElementType.F64 || k <= FEW / 2) && l.extent == 0 && k <= most
                && tiles * l.count <= 2L * multiprocessors;
    }

    /**
     * The same for a product of two general factors, or of one with its transpose, of which complex ones cost other kernels more; but not where
     * lanes go down columns beside each other, which takes an H200 3.9 µs for an inner dimension of 12 in z, and 2.8 along rows.
     */
    final boolean few(Launch l, long tiles) {
        return few(l, tiles, l.k, l.opA == Op.NONE ? most(l.type) : FEW);
    }

    /** The longest inner dimension to which a thread sums up an element, where complex ones cost other kernels more. */
    static long most(ElementType type) {
        return type.isComplex() ? 2 * FEW : FEW;
    }

    /** Starts a kernel with a block for each of its tiles of an m×n result. */
    final void tiles(KernelFunction f, long m, long n, long count, long at, C channel) {
        launch(f, up(m, f.tile()), up(n, f.tile()), count, f.threads(), f.shared(), at, channel);
    }

    /**
     * Whether tiles of 128×128 are done before tiles of 64×64 are, by the time of a wave of blocks in units of a small tile; two
     * of these share a multiprocessor and each is a little slower than a quarter of a large one.
     */
    final boolean largeTiles(long m, long n, long count, int share) {
        long large = 40 * up(up(m, 128) * up(n, 128) * count, (long) share * multiprocessors);
        long small = 22 * up(up(m, 64) * up(n, 64) * count, 2L * share * multiprocessors);
        return large <= small;
    }

    /**
     * The same for products of float, whose small tiles are done at a third of the speed of large ones. A multiprocessor has one large tile in two thirds of the time of two. Measured on an H200: 1000×1000×1000
     * takes 172 µs by small tiles.
     */
    final boolean largeSimt(long m, long n, long count) {
        long tiles = up(m, 128) * up(n, 128) * count;
        long large = tiles <= multiprocessors ? 2 : 3 * up(tiles, 2L * multiprocessors);
        return large <= up(up(m, 64) * up(n, 64) * count, multiprocessors);
    }

    /** Whether a triangle of float is sooner there by the tiles of a thread's many elements: where those of real numbers, which are larger, keep most multiprocessors busy. */
    final boolean bySimt(ElementType type, long n, long count) {
        return type == ElementType.C32 && n > 32
                || type == ElementType.F32 && 3 * triangle(n, 128) * count > 2L * multiprocessors;
    }

    /** Both functions of a factor: [op(A) transposed]. */
    static KernelFunction[] two(String stem, String ending, char letter) {
        return new KernelFunction[] {
                KernelFunction.one(stem + "n" + ending, letter),
                KernelFunction.one(stem + "t" + ending, letter)};
    }

    /**
     * Whether an m×n result is sooner there by small tiles, whose inner dimension warps share: as long as they are few waves of blocks,
     * fewer where larger tiles are multiplied by tensor cores, or most of larger tiles were empty. Measured on an H100, of single precision on an H200: 40 products of order 67 take 13 µs by larger
     * tiles, 7.4 so.
     */
    final boolean slices(Launch l, long m, long n) {
        return slicesTiles(l, up(m, SLICED) * up(n, SLICED), up(m, 64) * up(n, 64), MANY_WAVES);
    }

    /**
     * The same for a product of two general factors, of which threads have many elements each in tiles of single precision, if these keep multiprocessors busy: an H200 takes
     * 7.5 µs for 100 products of 96×40×33 in s so, 8.5 by small tiles; but 17.4 for 100 of 33×40×128, where those take 10.
     */
    final boolean slicesGemm(Launch l) {
        int side = l.type == ElementType.F32 ? 64 : 32;
        boolean busy = up(l.m, side) * up(l.n, side) * l.count >= multiprocessors;
        long small = up(l.m, SLICED) * up(l.n, SLICED);
        return slicesTiles(l, small, up(l.m, 64) * up(l.n, 64), busy ? FEW_WAVES : MANY_WAVES);
    }

    /**
     * The same for a triangle of order n. By tensor cores it is sooner there for as few small tiles as a square has, and by larger tiles of
     * complex float: an H200 takes 6.8 µs for an order of 900 and an inner dimension of 31 by those, 14 by small ones.
     */
    final boolean slices(Launch l, long n) {
        return byTensorCores(l)
                ? slices(l, n, n)
                : slicesTiles(l, triangle(n, SLICED), triangle(n, 64),
                        l.type == ElementType.C32 ? FEW_WAVES : MANY_WAVES);
    }

    private boolean slicesTiles(Launch l, long small, long large, int single) {
        int halfWaves =
                !byTensorCores(l) ? (l.type == ElementType.F32 || l.type == ElementType.C32 ? single : FEW_WAVES)
                        : l.type == ElementType.F64 ? 7
                        : 10;
        return l.extent == 0 && (2 * small * l.count <= (long) halfWaves * multiprocessors || small <= 4 * large);
    }

    /**
     * Whether a result is sooner there by tiles of 256 rows of four warps' products than by those of 128, both with 128 columns: by the time of
     * a wave of blocks in units of a sixteenth of a large tile's.
     *
     * @param m rows of the result
     * @param n its columns
     */
    final boolean highTiles(long m, long n, long count) {
        long columns = up(n, 128) * count;
        return 16 * up(up(m, 256) * columns, multiprocessors) <= 12 * up(up(m, 128) * columns, multiprocessors);
    }

    private boolean byTensorCores(Launch l) {
        return tensorCores && (l.type == ElementType.F64 || l.type == ElementType.C64);
    }

    /** Tiles that a triangle has elements in. */
    static long triangle(long n, int tile) {
        long side = up(n, tile);
        return side * (side + 1) / 2;
    }

    /** Whether the blocks of a cluster shall share an inner dimension, too: the start of a cluster costs as much as hundreds of steps. */
    private boolean deepSlices(long tiles, long k, KernelFunction deep) {
        return clusters >= deep.cluster() && k > 400 + 30 * tiles;
    }

    /**
     * Starts the kernel whose blocks share an inner dimension k, or the one whose clusters do, which may be null.
     *
     * @param y tiles of the result in y; x those in x
     */
    final void sliced(KernelFunction f, KernelFunction deep, long x, long y, long k, Launch l, long at, C channel) {
        if (deep != null && deepSlices(x * y * l.count, k, deep)) {
            launch(deep, deep.cluster(), x * y, l.count, deep.threads(), deep.shared(), at, channel);
        } else {
            // Warps without a slice write elements of C.
            long warps = Math.max(up(k, f.depth()), x * y * l.count <= 2L * multiprocessors ? 8 : 4);
            int threads = (int) Math.min(f.threads(), WARP * warps);
            launch(f, x, y, l.count, threads, 0, at, channel);
        }
    }
}
