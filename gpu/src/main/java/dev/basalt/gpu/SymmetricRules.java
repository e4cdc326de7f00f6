package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.util.Set;

/** Eigenvalues of symmetric matrices: reduction to tridiagonal form, QL and QR steps, divide and conquer. */
final class SymmetricRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] SYTD2 = KernelFunction.floating("sytd2");
    private static final KernelFunction[] COLUMN = KernelFunction.floating("latrd_column");
    private static final KernelFunction[] ROW = KernelFunction.floating("latrd_row");
    private static final KernelFunction[] DIAGONALS = KernelFunction.floating("latrd_diagonals");
    private static final KernelFunction[] STERF = KernelFunction.floating("sterf");
    private static final KernelFunction[] BISECT = KernelFunction.floating("sterf_bisect");
    private static final KernelFunction[] STEQR = KernelFunction.floating("steqr");
    private static final KernelFunction[] SPLIT = KernelFunction.floating("stedc_split");
    private static final KernelFunction[] LEAVES = KernelFunction.floating("stedc_leaves");
    private static final KernelFunction[] DEFLATE = KernelFunction.floating("stedc_deflate");
    private static final KernelFunction[] GATHER = KernelFunction.floating("stedc_gather");
    private static final KernelFunction[] SECULAR = KernelFunction.floating("stedc_secular");
    private static final KernelFunction[] WEIGHTS = KernelFunction.floating("stedc_weights");
    private static final KernelFunction[] VECTORS = KernelFunction.floating("stedc_vectors");
    private static final KernelFunction[] JOIN = KernelFunction.floating("stedc_join");
    private static final KernelFunction[] SORT = KernelFunction.floating("stedc_sort");

    /** Eigenvalues that one block keeps in its shared memory: PIECE of bisection.cu. */
    private static final int KEPT = 512;

    SymmetricRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.SYTD2, Kernel.LATRD_COLUMN, Kernel.LATRD_ROW, Kernel.LATRD_DIAGONALS, Kernel.STEQR,
                Kernel.STEDC);
    }

    @Override
    public boolean takes(Launch l) {
        boolean real = l.kernel == Kernel.STEQR || l.kernel == Kernel.STEDC;
        return Family.super.takes(l) && !(real && l.type.isComplex());
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case SYTD2 -> block(SYTD2[t], l.n, l, at, channel);
            case LATRD_COLUMN -> block(COLUMN[t], l.n, l, at, channel);
            case LATRD_ROW -> block(ROW[t], l.n, l, at, channel);
            case LATRD_DIAGONALS -> elements(DIAGONALS[t], l.p, 1, l, at, channel);
            case STEQR -> {
                if (l.c.present()) {
                    block(STEQR[t], Math.max(WARP, l.m), l, at, channel);
                } else {
                    values(t, l, at, channel);
                }
            }
            default -> step(t, l, at, channel);
        }
    }

    /** Eigenvalues alone, all at once by bisection; one after the other where there is no room for them until the end. */
    private void values(int t, Launch l, long at, C channel) {
        KernelFunction f = BISECT[t];
        int lanes = WARP;
        while (lanes > 1 && l.n * l.count * lanes > (long) multiprocessors * f.threads()) {
            lanes /= 2;
        }
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

    /** A step of divide and conquer: merges in y, what is independent inside one in x. */
    private void step(int t, Launch l, long at, C channel) {
        long merges = l.p == Kernel.SPLIT || l.p == Kernel.SORT ? 1 : 1L << Math.max(0, l.k - 1 - l.q);
        long rows = (l.n + merges - 1) / merges + 1;
        switch ((int) l.p) {
            case Kernel.SPLIT -> elements(SPLIT[t], l.n * l.n, 1, l, at, channel);
            case Kernel.LEAVES -> launch(LEAVES[t], 1L << l.k, 1, l.count, at, channel);
            case Kernel.DEFLATE -> launch(DEFLATE[t], 1, merges, l.count, at, channel);
            case Kernel.GATHER -> elements(GATHER[t], WARP * rows, merges, l, at, channel);
            case Kernel.SECULAR -> elements(SECULAR[t], rows, merges, l, at, channel);
            case Kernel.WEIGHTS -> elements(WEIGHTS[t], rows, merges, l, at, channel);
            case Kernel.VECTORS -> elements(VECTORS[t], WARP * rows, merges, l, at, channel);
            case Kernel.JOIN -> elements(JOIN[t], WARP * rows, merges, l, at, channel);
            case Kernel.SORT -> elements(SORT[t], WARP * l.n, 1, l, at, channel);
            default -> throw new IllegalArgumentException("divide and conquer has no step " + l.p);
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
