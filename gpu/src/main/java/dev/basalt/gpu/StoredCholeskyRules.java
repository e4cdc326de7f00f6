package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import java.util.Set;

/** Cholesky factors that are packed, bands or tridiagonal, and LᴴL in place. */
final class StoredCholeskyRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] POTF2 = KernelFunction.floating("potf2_stored");
    private static final KernelFunction[] POSV = KernelFunction.floating("posv_stored");
    private static final KernelFunction[] POTRI = KernelFunction.floating("potri_stored");
    private static final KernelFunction[] LAUUM = KernelFunction.floating("lauum");
    private static final KernelFunction[] PTTRF = KernelFunction.floating("pttrf");
    private static final KernelFunction[] PTTRS = KernelFunction.floating("pttrs");
    private static final KernelFunction[] COPY = KernelFunction.floating("copy_stored");

    StoredCholeskyRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.POTF2_STORED, Kernel.POSV_STORED, Kernel.POTRI_STORED, Kernel.LAUUM, Kernel.COPY_STORED,
                Kernel.PTTRF, Kernel.PTTRS);
    }

    /** Whatever is stored how. */
    @Override
    public boolean takes(Launch l) {
        return true;
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case POTF2_STORED -> block(POTF2[t], l.c.storage == Storage.PACKED, l, at, channel);
            case POSV_STORED -> block(POSV[t], true, l, at, channel);
            case POTRI_STORED -> block(POTRI[t], true, l, at, channel);
            case LAUUM -> lauum(LAUUM[t], l, at, channel);
            case PTTRF -> threads(PTTRF[t], l.count, at, channel);
            case PTTRS -> threads(PTTRS[t], l.count * l.k, at, channel);
            default -> launch(COPY[t], up(l.n * WARP, COPY[t].threads()), 1, l.count, at, channel);
        }
    }

    /** A thread for each of some independent things. */
    private void threads(KernelFunction f, long things, long at, C channel) {
        if (things > 0) {
            launch(f, Math.min(up(things, f.threads()), 32L * multiprocessors), 1, 1, at, channel);
        }
    }

    /** One block a problem, a warp for some columns, which lie in shared memory if they have room there. */
    private void lauum(KernelFunction f, Launch l, long at, C channel) {
        long pitch = l.n | 1;
        boolean fits = l.n <= f.threads() && pitch * l.n * l.type.bytes() <= Math.min(f.shared(), sharedMost);
        Arguments.parameters(at, fits ? (int) pitch : 0, 0, 0);
        int threads = Math.max(WARP, powerOfTwo(l.n * WARP, f.threads()));
        launch(f, 1, 1, l.count, threads, fits ? (int) (pitch * l.n * l.type.bytes()) : 0, at, channel);
    }

    /** One block a problem, with the triangle in shared memory if it has room there. */
    private void block(KernelFunction f, boolean packs, Launch l, long at, C channel) {
        long bytes = Layouts.packed(l.type, l.n);
        boolean fits = packs && bytes <= f.shared();
        Arguments.parameters(at, fits ? 1 : 0, 0, 0);
        int threads = Math.max(WARP, powerOfTwo(up(l.n * l.n, 16), f.threads()));
        launch(f, 1, 1, l.count, threads, fits ? (int) bytes : 0, at, channel);
    }
}
