package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Structure;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;
import java.util.Set;

/** Norms of matrices, parts of matrices that are set or scaled, and estimates of condition numbers. */
final class NormRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] LINES = KernelFunction.floating("norm_lines");
    private static final KernelFunction[] NORM = KernelFunction.floating("norm");
    private static final KernelFunction[] TRIDIAGONAL = KernelFunction.floating("norm_tridiagonal");
    private static final KernelFunction[] LASET = KernelFunction.floating("laset");
    private static final KernelFunction[] LASCL = KernelFunction.floating("lascl");
    private static final KernelFunction[] RESCALE = KernelFunction.floating("rescale");
    private static final KernelFunction[] SHIFT = KernelFunction.floating("shift");
    private static final KernelFunction[] LACN2 = KernelFunction.floating("lacn2");
    private static final KernelFunction[] RCOND = KernelFunction.floating("rcond");

    NormRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.NORM_LINES, Kernel.NORM, Kernel.NORM_TRIDIAGONAL, Kernel.LASET, Kernel.LASCL,
                Kernel.RESCALE, Kernel.SHIFT, Kernel.LACN2, Kernel.RCOND);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        switch (l.kernel) {
            case NORM_LINES -> lines(t, l, at, channel);
            case NORM, NORM_TRIDIAGONAL -> {
                norm(l, at, l.d.type == ElementType.F32 ? 1 : 0);
                KernelFunction f = l.kernel == Kernel.NORM ? NORM[t] : TRIDIAGONAL[t];
                long elements = l.kernel == Kernel.NORM ? l.m * l.n : l.n;
                int threads = Math.max(WARP, powerOfTwo(up(elements, 8), f.threads()));
                launch(f, 1, 1, l.count, threads, 0, at, channel);
            }
            case LASET, LASCL, RESCALE -> {
                Arguments.parameters(at, l.region.ordinal(), l.b.present() ? 1 : 0, l.f.present() ? 1 : 0);
                KernelFunction f =
                        l.kernel == Kernel.LASET ? LASET[t] : l.kernel == Kernel.LASCL ? LASCL[t] : RESCALE[t];
                // Of many problems a block takes more than one column: where nothing is scaled blocks are all that a launch costs.
                long blocks = Math.min(up(l.m, f.threads()), 1024);
                long columns = up(8L * multiprocessors, Math.min(l.count, MOST_Z) * blocks);
                launch(f, blocks, Math.min(Math.max(1, l.n), Math.min(columns, 4L * multiprocessors)),
                        Math.min(l.count, 16L * multiprocessors), at, channel);
            }
            case LACN2 -> {
                Arguments.parameters(at, real(l.d.type), l.g.present() ? real(l.g.type) : 0, l.g.present() ? 1 : 0);
                int threads = Math.max(WARP, powerOfTwo(up(l.n, 2), LACN2[t].threads()));
                launch(LACN2[t], 1, 1, l.count, threads, 0, at, channel);
            }
            case SHIFT -> launch(SHIFT[t], Math.min(up(l.n, SHIFT[t].threads()), 64), 1, l.count, at, channel);
            case RCOND -> launch(RCOND[t], 1, 1, l.count, at, channel);
            default -> throw new IllegalArgumentException("norms do not run " + l.kernel);
        }
    }

    private static int real(ElementType type) {
        return type == ElementType.F32 ? 1 : 0;
    }

    private static void norm(Launch l, long at, int single) {
        Arguments.parameters(at, l.norm.ordinal(), l.structure.ordinal(), single);
    }

    /** A warp for a column; a thread for a row of a matrix whose rows alone are summed, so that warps read what lies together. */
    private void lines(int t, Launch l, long at, C channel) {
        norm(l, at, 0);
        boolean rows = l.norm == Norm.INF && l.structure == Structure.TRIANGULAR;
        int threads = LINES[t].threads();
        long blocks = rows ? up(l.m, WARP) : up(l.n, threads / WARP);
        launch(LINES[t], Math.min(blocks, 8L * multiprocessors), 1, l.count, rows ? WARP : threads, 0, at, channel);
    }
}
