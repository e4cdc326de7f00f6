package dev.basalt.gpu;

/** What products by tiles of the result share. */
abstract class TileRules<C> extends Rules<C> {
    TileRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
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
}
