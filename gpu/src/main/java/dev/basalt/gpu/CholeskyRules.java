package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.util.Set;

/** Cholesky factorisations. */
final class CholeskyRules<C> extends Rules<C> implements Family<C> {
    /** Order of the largest matrix that has counters enough. */
    static final int LARGEST = 1 << 17;

    private static final KernelFunction[] POTF2 = KernelFunction.floating("potf2");

    private static final KernelFunction[] LANES_8 = KernelFunction.floating("cholesky_8");
    private static final KernelFunction[] LANES_16 = KernelFunction.floating("cholesky_16");
    private static final KernelFunction[] LANES_32 = KernelFunction.floating("cholesky_32");

    private static final KernelFunction[] POTF2_NARROW = KernelFunction.floating("potf2_narrow");

    /** Order up to which a block has two warps. */
    private static final int NARROW = 64;

    /** Orders up to which a block a problem is faster than blocks of a matrix. */
    private static final int SINGLES = 160;

    private static final int COMPLEX_SINGLES = 144;
    private static final int MOST_IN_BLOCK = 112;

    /** A block takes these whether its shared memory has room or not. */
    private static final int LEAST_IN_BLOCK = 64;

    /** Any order in one launch: [upper, lower]. */
    private static final KernelFunction[] TILES_D =
            {KernelFunction.one("cholesky_upper", 'd'), KernelFunction.one("cholesky_lower", 'd')};

    private static final int TILE = TILES_D[0].tile();

    /** A block a problem: of one tile, of two rows of tiles. */
    private static final KernelFunction BLOCK_64 = KernelFunction.one("cholesky_64", 'd');
    private static final KernelFunction BLOCK_128 = KernelFunction.one("cholesky_128", 'd');

    CholeskyRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** The order up to which a block factors a matrix in its shared memory, of which there is so much. */
    static long block(ElementType type, long shared) {
        long order = switch (type) {
            case F32 -> SINGLES;
            case C32 -> COMPLEX_SINGLES;
            default -> MOST_IN_BLOCK;
        };
        long room = Math.min(shared, POTF2[0].shared());
        while (order > LEAST_IN_BLOCK && Layouts.potf2(type, order) > room) {
            order -= 8;
        }
        return order;
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.POTF2);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        boolean products = l.type == ElementType.F64 && tensorCores;
        KernelFunction block = l.n <= TILE ? BLOCK_64 : BLOCK_128;
        if (products && (l.n > 2 * TILE || l.n > TILE && block.shared() > sharedMost)) {
            tiles(l, at, channel);
            return;
        }
        if (l.extent == 0 && l.n <= WARP && !alone(l)) {
            lanes(t, l, at, channel);
            return;
        }
        if (products && l.n > WARP && block.shared() <= sharedMost) {
            launch(block, 1, 1, l.count, block.threads(), block.shared(), at, channel);
            return;
        }
        // Few threads where a block has little to do at once, so that a multiprocessor holds more blocks.
        KernelFunction f = (l.n <= NARROW && 2 * l.count > multiprocessors ? POTF2_NARROW : POTF2)[t];
        long bytes = Layouts.potf2(l.type, l.n);
        boolean fits = bytes <= Math.min(f.shared(), sharedMost);
        Arguments.parameters(at, fits ? (int) Layouts.potf2Pitch(l.type, l.n) : 0, 0, 0);
        int threads = Math.max(WARP, powerOfTwo(up(l.n * l.n, 16), f.threads()));
        launch(f, 1, 1, l.count, threads, fits ? (int) bytes : 0, at, channel);
    }

    /** Whether so few complex problems are sooner there by a block each: an H200 takes 14.5 µs for order 26 in z so, 20 by a warp. */
    private boolean alone(Launch l) {
        return l.type.isComplex() && l.n > WARP / 2 && l.count <= 2L * multiprocessors;
    }

    /** Several problems a warp, in registers. */
    private void lanes(int t, Launch l, long at, C channel) {
        int order = l.n <= 8 ? 8 : l.n <= 16 ? 16 : WARP;
        KernelFunction f = (order == 8 ? LANES_8 : order == 16 ? LANES_16 : LANES_32)[t];
        int parts = order == 8 ? 1 : order == 16 ? 4 : 16;
        int problems = WARP / (l.type == ElementType.C64 ? 2 * parts : parts);
        int shared = problems * Layouts.choleskyLanes(l.type, order);
        functions.launch(f, (int) up(l.count, problems), 1, 1, WARP, shared, at, channel);
    }

    /** By tiles whose blocks wait for each other; as many problems at a time as there are counters for their rows of tiles. */
    private void tiles(Launch l, long at, C channel) {
        long tiles = up(l.n, TILE);
        long most = COUNTERS / (tiles + 2);
        if (most == 0) {
            throw new IllegalArgumentException("a matrix of order " + l.n + " is beyond one launch");
        }
        KernelFunction f = TILES_D[l.uplo.ordinal()];
        for (long p = 0; p < l.count; p += most) {
            // Where the device alone knows orders, a block looks for its problem in steps of the grid's z: all pieces have as many.
            long problems = Math.min(most, l.extent == 0 ? l.count - p : l.count);
            long blocks = Math.min(tiles * (tiles + 3) / 4 + 1, up(multiprocessors, problems));
            Arguments.parameters(at, 0, (int) p, 0);
            launch(f, blocks, 1, problems, f.threads(), f.shared(), at, channel);
        }
    }
}
