package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import java.util.Set;

/** LU of bands and tridiagonal matrices, and solves with it. */
final class BandedRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] GBTF2 = KernelFunction.floating("gbtf2");
    private static final KernelFunction[] COPY_BAND = KernelFunction.floating("copy_band");
    private static final KernelFunction[] UNPIVOT_BAND = KernelFunction.floating("unpivot_band");
    private static final KernelFunction[] GBTRS = KernelFunction.floating("gbtrs");
    private static final KernelFunction[] GTTRF = KernelFunction.floating("gttrf");
    private static final KernelFunction[] GTTRS = KernelFunction.floating("gttrs");
    private static final KernelFunction[] GTSV_WARPS = KernelFunction.floating("gtsv_warps");
    private static final KernelFunction[] GTSV = KernelFunction.floating("gtsv");

    /** Orders of systems that one thread solves in shared memory, where it goes by bytes: from, and to. */
    private static final long LEAST_HELD = 16;

    private static final long ALONE = 128;

    /** Rows of each thread, about, that has a part of a longer one. */
    private static final long ROWS = 40;

    /** Bytes of systems of one block, so that three are on a multiprocessor. */
    private static final long HELD = 72 << 10;

    BandedRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GBTF2, Kernel.COPY_BAND, Kernel.UNPIVOT_BAND, Kernel.GBTRS, Kernel.GTTRF, Kernel.GTTRS,
                Kernel.GTSV);
    }

    /** Whatever is stored how. */
    @Override
    public boolean takes(Launch l) {
        return true;
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        // GTSV factors without right-hand sides, too.
        boolean sides = l.kernel != Kernel.GTTRF && l.kernel != Kernel.GTSV;
        if (l.n <= 0 || sides && l.m <= 0) {
            return;
        }
        switch (l.kernel) {
            case GBTF2 -> {
                // A thread for each element that a column updates, as far as a block goes.
                int threads = Math.max(WARP, powerOfTwo(l.c.kl * (l.c.ku + 1), GBTF2[t].threads()));
                launch(GBTF2[t], 1, 1, l.count, threads, 0, at, channel);
            }
            case COPY_BAND -> {
                long blocks = Math.min(up(l.m * l.n, COPY_BAND[t].threads()), 4L * multiprocessors);
                launch(COPY_BAND[t], blocks, 1, l.count, at, channel);
            }
            case UNPIVOT_BAND -> launch(UNPIVOT_BAND[t], up(l.n, UNPIVOT_BAND[t].threads()), 1, l.count, at, channel);
            case GBTRS -> launch(GBTRS[t], up(l.m, GBTRS[t].threads() / WARP), 1, l.count, at, channel);
            default -> lines(t, l, at, channel);
        }
    }

    /** One right-hand side each, and elements one after the other: what fits in shared memory is solved there. False if it is not so. */
    private boolean held(int t, Launch l, long at, C channel) {
        boolean plain = l.a.ld == 1 && l.b.ld == 1 && l.f.ld == 1 && (!l.c.vector || l.c.ld == 1);
        KernelFunction f = GTSV_WARPS[t];
        if (!plain || l.m != 1 || l.n < LEAST_HELD || l.n > sharedMost) {
            return false;
        }
        int threads = l.n <= ALONE ? 1 : powerOfTwo(up(l.n, ROWS), f.threads());
        // Blocks of two warps where threads have few rows: 48 instead of 53 µs for 2000 systems of order 512 on an H200.
        int together = threads >= WARP / 2 ? f.threads() : WARP;
        int problems = powerOfTwo(up(l.count, multiprocessors), Math.max(1, together / threads));
        while (problems > 1 && Layouts.gtsv(l.type, l.n, threads, problems) > Math.min(HELD, sharedMost)) {
            problems /= 2;
        }
        long bytes = Layouts.gtsv(l.type, l.n, threads, problems);
        long blocks = up(l.count, problems);
        if (bytes > Math.min(f.shared(), sharedMost) || blocks > Integer.MAX_VALUE) {
            return false;
        }
        Memory.i32(at + Arguments.X + 4, threads);
        Memory.i32(at + Arguments.X + 8, problems);
        functions.launch(f, (int) blocks, 1, 1, f.threads(), (int) bytes, at, channel);
        return true;
    }

    /** A thread a problem; right-hand sides of solves in y. Few problems with right-hand sides have a warp each. */
    private void lines(int t, Launch l, long at, C channel) {
        KernelFunction f = (l.kernel == Kernel.GTTRF ? GTTRF : l.kernel == Kernel.GTTRS ? GTTRS : GTSV)[t];
        Memory.i32(at + Arguments.X, l.c.vector ? 1 : 0);
        if (l.kernel == Kernel.GTSV && held(t, l, at, channel)) {
            return;
        }
        Memory.i32(at + Arguments.X + 4, 0);
        if (l.kernel == Kernel.GTSV && l.m > 0 && l.count * WARP <= 4096L * multiprocessors / up(l.m, WARP)) {
            int warps = GTSV_WARPS[t].threads() / WARP;
            functions.launch(GTSV_WARPS[t], (int) up(l.count, warps), 1, 1, GTSV_WARPS[t].threads(), 0, at, channel);
            return;
        }
        int threads = Math.max(WARP, powerOfTwo(l.count, f.threads()));
        int y = l.kernel == Kernel.GTTRS ? (int) Math.min(l.m, MOST_Z) : 1;
        functions.launch(f, (int) up(l.count, threads), y, 1, threads, 0, at, channel);
    }
}
