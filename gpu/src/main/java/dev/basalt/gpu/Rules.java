package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * How one family of kernels is launched: grids, threads and parameters. A family is a class of its own, with the functions of
 * {@code launches.txt} that it launches; {@link Family#kernels} says which kernels it runs.
 */
abstract class Rules<C> {
    static final int WARP = 32;
    static final int MOST_Z = 65535;

    private static final int LEAST_THREADS = 128;

    /** The place of complex doubles among types. */
    private static final int Z = 3;

    /** Counters at the start of the synchronisation memory, and slots of 16 bytes behind them. */
    static final int COUNTERS = 4096;

    static final int SCRATCH = (Launcher.SYNC_BYTES - 4 * COUNTERS) / 16;

    final Functions<C> functions;
    final int multiprocessors;
    final int sharedMost;
    final Cores cores;
    final boolean tensorCores;
    final int clusters;

    Rules(Functions<C> functions, Chip chip) {
        this.functions = functions;
        this.multiprocessors = chip.multiprocessors();
        this.sharedMost = chip.shared();
        this.cores = chip.cores();
        this.tensorCores = chip.tensorCores();
        this.clusters = chip.clusters();
    }

    /** Starts a kernel with a z for each problem, as far as a grid goes. */
    final void launch(KernelFunction f, long x, long y, long count, int threads, int shared, long at, C channel) {
        functions.launch(f, (int) x, (int) y, (int) Math.min(count, MOST_Z), threads, shared, at, channel);
    }

    /** The same with all the threads of its row and no dynamic shared memory. */
    final void launch(KernelFunction f, long x, long y, long count, long at, C channel) {
        launch(f, x, y, count, f.threads(), 0, at, channel);
    }

    /**
     * Starts a kernel whose blocks have some threads down a column of m rows, which is its first parameter, by some columns; blocks in y walk over the columns.
     *
     * @param y the second parameter
     * @param z the third one
     */
    final void byColumns(KernelFunction f, long m, Launch l, int y, int z, long at, C channel) {
        int rows = powerOfTwo(m, f.threads());
        Arguments.parameters(at, rows, y, z);
        launch(f, up(m, rows), Math.min(up(l.n, 4L * (f.threads() / rows)), MOST_Z), l.count, at, channel);
    }

    /** Threads for each problem of a batch, a power of two, so that small ones stand beside each other in a block; one problem has them all. */
    static int each(Launch l, KernelFunction f, int wanted) {
        return l.count > 1 && l.extent == 0 ? wanted : f.threads();
    }

    /** Starts a kernel of {@code abreast.h}, whose problems have so many threads each; {@code rows} is its first parameter. */
    final void abreast(KernelFunction f, long x, long y, Launch l, int rows, int each, long at, C channel) {
        Arguments.parameters(at, rows, 0, each);
        launch(f, x, y, up(l.count, f.threads() / each), at, channel);
    }

    /** How many lanes of a warp share each of n numbers that are found by bisection. */
    final int lanes(Launch l, KernelFunction f) {
        int lanes = WARP;
        while (lanes > 1 && l.n * l.count * lanes > (long) multiprocessors * f.threads()) {
            lanes /= 2;
        }
        return lanes;
    }

    /** Of kernels that keep columns in shared memory, by rows of a thread: 2, 4 and 8. */
    static KernelFunction[][] byRows(String stem) {
        return Stream.of("2", "4", "8")
                .map(rows -> KernelFunction.floating(stem + rows))
                .toArray(KernelFunction[][]::new);
    }

    /** The place of the one of these whose threads have so many rows, of those at most that its registers hold. */
    static int rowsOf(KernelFunction[][] functions, int t, long rows) {
        int which = 0;
        while (which < functions.length - 1 && rows > (long) functions[which][t].threads() << which + 1) {
            which++;
        }
        return which;
    }

    /** Threads of a block with so many rows: each step waits for sums over all of them. */
    static int threadsOf(KernelFunction f, int which, long rows) {
        return Math.max(LEAST_THREADS, powerOfTwo(up(rows, 2L << which), f.threads()));
    }

    /** The largest order whose columns the blocks of a device keep: as bytes of a block say, and registers. */
    static long keptOrder(KernelFunction[][] functions, int t, int shared, LongUnaryOperator bytes) {
        int last = functions.length - 1;
        KernelFunction f = functions[last][t];
        long n = ((long) f.threads() << last + 1) / (t == Z ? 2 : 1);
        while (n > 0 && bytes.applyAsLong(n) > Math.min(f.shared(), shared)) {
            n--;
        }
        return n;
    }

    static long up(long value, long divisor) {
        return Math.max(1, (value + divisor - 1) / divisor);
    }

    /** The power of two from 1 to {@code most} that is at least {@code value}, if there is one. */
    static int powerOfTwo(long value, int most) {
        int p = 1;
        while (p < most && p < value) {
            p *= 2;
        }
        return p;
    }
}
