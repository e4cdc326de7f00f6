package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Structure;
import dev.basalt.type.Op;
import java.util.Set;

/** Scales of rows and columns, and what iterative refinement needs beside products and solves. */
final class RefineRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] GEEQU = KernelFunction.floating("geequ");
    private static final KernelFunction[] POEQU = KernelFunction.floating("poequ");
    private static final KernelFunction[] LAQGE = KernelFunction.floating("laqge");
    private static final KernelFunction[] GEMV_ABS = KernelFunction.floating("gemv_abs");
    private static final KernelFunction[] GERFS = KernelFunction.floating("gerfs");

    private static final KernelFunction[] SCALE_ROWS = KernelFunction.floating("scale_rows");
    private static final KernelFunction[] GESVX = KernelFunction.floating("gesvx");

    RefineRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GEEQU, Kernel.POEQU, Kernel.LAQGE, Kernel.GEMV_ABS, Kernel.GERFS, Kernel.SCALE_ROWS,
                Kernel.GESVX);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        Arguments.parameters(at, l.structure.ordinal(), 0, 0);
        switch (l.kernel) {
            case GEEQU -> block(GEEQU[t], Math.max(l.m, l.n), l, at, channel);
            case POEQU -> block(POEQU[t], l.n, l, at, channel);
            case GERFS -> block(GERFS[t], l.n, l, at, channel);
            case LAQGE -> matrix(LAQGE[t], l, at, channel);
            case SCALE_ROWS -> matrix(SCALE_ROWS[t], l, at, channel);
            case GESVX -> {
                boolean wide = l.p == Kernel.GIVEN ? l.b.present() : l.a.present();
                Arguments.parameters(at, wide ? 1 : 0, 0, 0);
                block(GESVX[t], Math.max(l.n, l.k), l, at, channel);
            }
            case GEMV_ABS -> {
                // A thread for a row that lies beside others, a warp for a row that lies in a column.
                boolean rows = l.opA == Op.NONE && l.structure == Structure.TRIANGULAR;
                int each = rows ? GEMV_ABS[t].threads() : GEMV_ABS[t].threads() / WARP;
                launch(GEMV_ABS[t], Math.min(up(l.m, each), 1 << 20), Math.min(Math.max(1, l.n), MOST_Z), l.count, at,
                        channel);
            }
            default -> throw new IllegalArgumentException("refinement does not run " + l.kernel);
        }
    }

    private void matrix(KernelFunction f, Launch l, long at, C channel) {
        long blocks = Math.min(up(l.m, f.threads()), 1024);
        launch(f, blocks, Math.min(Math.max(1, l.n), 4L * multiprocessors), l.count, at, channel);
    }

    private void block(KernelFunction f, long elements, Launch l, long at, C channel) {
        int threads = Math.max(WARP, powerOfTwo(up(elements, 2), f.threads()));
        launch(f, 1, 1, l.count, threads, 0, at, channel);
    }
}
