package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.util.Set;
import java.util.stream.Stream;

/** Eigenvalues of symmetric matrices: reduction to tridiagonal form, QL and QR steps; and divide and conquer, of bidiagonal matrices, too. */
final class SymmetricRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] SYTD2 = KernelFunction.floating("sytd2");
    private static final KernelFunction[] COLUMN = KernelFunction.floating("latrd_column");
    private static final KernelFunction[] ROW = KernelFunction.floating("latrd_row");
    private static final KernelFunction[] DIAGONALS = KernelFunction.floating("latrd_diagonals");
    private static final KernelFunction[] STERF = KernelFunction.floating("sterf");
    private static final KernelFunction[] STEQR = KernelFunction.floating("steqr");
    private static final KernelFunction[][] STEDC = steps("stedc");
    private static final KernelFunction[][] BDSDC = steps("bdsdc");

    SymmetricRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** The steps of divide and conquer, by their numbers. */
    private static KernelFunction[][] steps(String name) {
        return Stream.of("split", "leaves", "deflate", "gather", "secular", "weights", "vectors", "join", "sort")
                .map(step -> KernelFunction.floating(name + "_" + step))
                .toArray(KernelFunction[][]::new);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.SYTD2, Kernel.LATRD_COLUMN, Kernel.LATRD_ROW, Kernel.LATRD_DIAGONALS, Kernel.STEQR,
                Kernel.STEDC, Kernel.BDSDC);
    }

    @Override
    public boolean takes(Launch l) {
        boolean real = l.kernel == Kernel.STEQR || l.kernel == Kernel.STEDC || l.kernel == Kernel.BDSDC;
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
                    launch(STERF[t], 1, 1, l.count, at, channel);
                }
            }
            default -> step(t, l, at, channel);
        }
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
            case Kernel.GATHER, Kernel.VECTORS, Kernel.JOIN -> elements(f, WARP * rows, merges, l, at, channel);
            case Kernel.SECULAR, Kernel.WEIGHTS -> elements(f, rows, merges, l, at, channel);
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
